"""The registrar's desk as it is filled, what it adds up, and its words."""

from pathlib import Path

import pytest

from davinci_env.environment import open_environment
from davinci_env.verify import rule_named
from tests.domains.registrars_desk import (
    allowed,
    blockers,
    broken,
    call,
    joining_blocked_by,
    left,
    load_of,
    own_rules,
    refusal,
    rows,
)

SOURCE = Path(__file__).parents[2] / "domains/education_and_learning/course_enrollment.py"


@pytest.fixture(scope="module")
def opened():
    environment = open_environment("course_enrollment")
    yield environment
    environment.close()


@pytest.fixture
def env(opened):
    opened.reset()
    return opened


# -- the world ----


@pytest.mark.parametrize("seed", range(5))
def test_every_seed_holds_its_invariants(seed):
    environment = open_environment("course_enrollment", seed=seed)
    assert broken(environment) == []
    environment.close()


def test_a_larger_world_holds_its_invariants():
    environment = open_environment("course_enrollment", scale=3)
    assert broken(environment) == []
    assert len(rows(environment, "Student")) == 72
    environment.close()


@pytest.mark.parametrize("day", ["2026, 1, 2", "2026, 3, 20", "2026, 7, 31", "2028, 2, 29"])
def test_the_world_stands_on_any_day(tmp_path, day):
    text = SOURCE.read_text(encoding="utf-8")
    text = text.replace('"course_enrollment"', '"course_days"', 1)
    text = text.replace("datetime(2026, 3, 16, 10, 0)", f"datetime({day}, 10, 0)")
    (tmp_path / "course_days.py").write_text(text, encoding="utf-8")
    environment = open_environment("course_days", paths=[tmp_path], trust=True)
    assert broken(environment) == []
    assert {s.status for s in rows(environment, "CourseSection")} == {
        "open",
        "full",
        "closed",
        "cancelled",
    }
    environment.close()


def test_students_stand_at_their_limits_and_below(env):
    loads = {(s.standing, s.overload, load_of(s)) for s in rows(env, "Student")}
    assert ("good", False, 16) in loads
    assert any(standing == "probation" and load >= 11 for standing, _, load in loads)


# -- permissions, sums, people ----


def test_a_permission_is_asked_for_once_and_only_where_it_is_needed(env):
    _, _section, arguments = joining_blocked_by(env, "prerequisites_met")
    request = {**arguments, "kind": "prerequisite"}
    if blockers(env, "request_override", **request):
        pytest.skip("asked for before")
    assert own_rules(env, "request_override", **request) == ()
    assert refusal(env, "request_override", **request) == "no_such_request"
    _, _, arguments = allowed(env)
    told = own_rules(env, "request_override", **arguments, kind="time_clash")
    assert told == ("permission_needed",)


def test_the_record_adds_up(env):
    points = {"A": 4, "B": 3, "C": 2, "D": 1, "F": 0}
    for student in rows(env, "Student"):
        record = call(env, "student_record", studentId=student.id)
        done = [p for p in student.enrollments if p.status == "completed"]
        graded = [(points[p.grade], p.section.course.credits) for p in done if p.basis == "graded"]
        credits = sum(credit for _, credit in graded)
        average = round(sum(point * credit for point, credit in graded) / credits, 2)
        earned = student.earlier_credits + sum(
            p.section.course.credits for p in done if p.grade not in (None, "F", "NP")
        )
        limit = {"good": 16, "probation": 12}[student.standing] + 4 * student.overload
        assert record == {
            "credits": load_of(student),
            "creditLimit": limit,
            "average": average,
            "earned": earned,
            "remaining": 120 - earned,
            "passFail": sum(
                p.basis == "pass_fail" and p.status == "enrolled" for p in student.enrollments
            ),
            "owed": sum(left(c) for c in student.tuition_charges),
        }


def test_free_seats_are_found_by_department(env):
    found = call(env, "sections_with_seats", department="history")
    assert found
    assert all(section["status"] == "open" for section in found)


def test_a_case_goes_to_the_registrar(env):
    student = rows(env, "Student")[0]
    data = call(env, "escalate_to_registrar", studentId=student.id, reason="complaint")
    assert data["reason"] == "complaint"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("no_hold", "I can't enrol you, the bursar has put a hold on your file."),
        ("within_credits", "I can't add it: that would be more than 16 credits."),
        ("no_clash", "I'm afraid it overlaps with your Genetics class, so I can't enrol you."),
        ("prerequisites_met", "I can't, you haven't passed the required course yet."),
        ("within_rest", "That's more than you owe on that bill, so I can't take it."),
        ("large_enough", "I can't take $20.00, a part payment is $50.00 at least."),
        ("below_waitlists", "I can't add you, three waitlists are the maximum."),
        ("not_overdue", "I can't defer it, the due date has passed."),
    ],
)
def test_a_refusal_in_plain_words_is_recognised(env, code, text):
    rule = env.domain.rules[code]
    groups = [one.concepts for one in rule.parts] or [rule.concepts]
    assert any(rule_named(env.domain, code, concepts, text).passed for concepts in groups)
