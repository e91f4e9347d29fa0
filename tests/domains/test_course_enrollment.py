"""The registrar's desk, getting in and getting out: 16 March 2026 is its day."""

from datetime import timedelta

import pytest

from davinci_env.environment import open_environment
from tests.domains.registrars_desk import (
    TODAY,
    allowed,
    blockers,
    broken,
    call,
    joining_blocked_by,
    joins,
    load_of,
    own_rules,
    refusal,
    rows,
)


@pytest.fixture(scope="module")
def opened():
    environment = open_environment("course_enrollment")
    yield environment
    environment.close()


@pytest.fixture
def env(opened):
    opened.reset()
    return opened


def droppable(env):
    """A running place in its drop period that leaves credits enough."""
    return next(
        place
        for place in rows(env, "Enrollment", status="enrolled")
        if -1 < (TODAY - place.section.starts_on).days <= 21
        and load_of(place.student) - place.section.course.credits >= 6
    )


# -- getting in ----


def test_a_place_comes_with_its_tuition(env):
    student, section, arguments = allowed(env)
    before, seats = load_of(student), len(section.enrollments)
    data = call(env, "enrol_student", **arguments)
    assert data["tuition"] == section.course.tuition
    assert data["dueOn"] == "04/06/2026"
    assert data["enrollment"]["basis"] == "graded"
    assert load_of(student) == before + section.course.credits
    assert len(section.enrollments) == seats + 1
    assert broken(env) == []


def test_the_tuition_is_by_credits_and_an_audit_costs_half(env):
    costs = {course.code: course.tuition for course in rows(env, "Course")}
    assert costs["ENG-101"] == 3 * 21500
    assert costs["BIO-101"] == 4 * 21500 + 9000
    section = next(s for s in rows(env, "CourseSection") if s.course.code == "BIO-101")
    quote = call(env, "quote_place", sectionId=section.id, basis="audit")
    assert quote == {"tuition": 47500, "dueOn": "04/06/2026"}
    _, section, arguments = allowed(env)
    data = call(env, "enrol_student", **arguments, basis="audit")
    assert data["tuition"] == section.course.tuition // 2


def test_the_last_seat_makes_a_section_full(env):
    student, section, arguments = next(
        (student, section, arguments)
        for student, section, arguments in joins(env)
        if section.status == "open"
        and section.capacity - sum(p.status != "dropped" for p in section.enrollments) == 1
        and not any(entry.status == "offered" for entry in section.waitlist)
        and not blockers(env, "enrol_student", **arguments)
    )
    call(env, "enrol_student", **arguments)
    assert section.status == "full"
    other = next(s for s in rows(env, "Student") if s is not student)
    code = refusal(env, "enrol_student", studentId=other.id, sectionId=section.id)
    assert code == "course_section_not_open"


@pytest.mark.parametrize(
    "code",
    ["no_hold", "within_credits", "prerequisites_met", "no_clash", "add_period_open"],
)
def test_one_rule_is_enough_to_keep_somebody_out(env, code):
    _, _, arguments = joining_blocked_by(env, code)
    assert refusal(env, "enrol_student", **arguments) == code


def test_nobody_is_twice_in_a_course(env):
    _student, _section, arguments = allowed(env)
    call(env, "enrol_student", **arguments)
    assert refusal(env, "enrol_student", **arguments) in (
        "not_in_course",
        "course_section_not_open",
    )


def test_an_overload_makes_room(env):
    student, _section, arguments = next(
        (student, section, arguments)
        for student, section, arguments in joins(env)
        if section.status == "open"
        and student.standing == "good"
        and blockers(env, "enrol_student", **arguments) == ["within_credits"]
        and not blockers(env, "approve_overload", studentId=student.id)
        and load_of(student) + section.course.credits <= 20
    )
    assert call(env, "approve_overload", studentId=student.id)["overload"] is True
    assert refusal(env, "approve_overload", studentId=student.id) == "overload_earned"
    call(env, "enrol_student", **arguments)
    assert broken(env) == []


def test_probation_rules_an_overload_out(env):
    student = rows(env, "Student", standing="probation")[0]
    assert refusal(env, "approve_overload", studentId=student.id) == "overload_earned"


def test_first_year_students_stay_below_level_300(env):
    arguments = next(
        arguments
        for student, section, arguments in joins(env)
        if student.year == 1
        and section.course.level == 300
        and section.status == "open"
        and not blockers(env, "enrol_student", **arguments)
    )
    assert own_rules(env, "enrol_student", **arguments) == ("level_suits_year",)


def test_a_passed_course_is_not_repeated(env):
    arguments = next(
        arguments
        for student, section, arguments in joins(env)
        if section.status == "open"
        and student.year > 1
        and any(
            p.section.course is section.course and p.grade in ("A", "B", "C")
            for p in student.enrollments
        )
        and not blockers(env, "enrol_student", **arguments)
    )
    assert own_rules(env, "enrol_student", **arguments) == ("not_passed_before",)


def test_the_own_subject_is_taken_for_a_grade(env):
    arguments = next(
        {**arguments, "basis": "pass_fail"}
        for student, section, arguments in joins(env)
        if section.status == "open"
        and section.course.department == student.programme
        and all(p.section.course is not section.course for p in student.enrollments)
        and (student.year > 1 or section.course.level < 300)
        and not blockers(env, "enrol_student", **arguments, basis="pass_fail")
    )
    assert own_rules(env, "enrol_student", **arguments) == ("own_subject_graded",)


# -- getting out ----


def test_a_drop_is_credited_by_the_day(env):
    place = droppable(env)
    days = (TODAY - place.section.starts_on).days
    percent = 80 if days <= 7 else 50 if days <= 14 else 20
    charge = place.charges[0]
    credited = charge.amount * percent // 100
    refund = max(0, charge.paid - (charge.amount - credited))
    last_day = (place.section.starts_on + timedelta(days=21)).strftime("%m/%d/%Y")
    quote = call(env, "quote_drop", enrollmentId=place.id)
    assert quote == {
        "percent": percent,
        "credited": credited,
        "refund": refund,
        "lastDay": last_day,
    }
    data = call(env, "drop_section", enrollmentId=place.id)
    assert (data["credited"], data["refund"]) == (credited, refund)
    assert place.status == "dropped" and place.ended_on == TODAY
    assert (charge.credited, charge.refunded) == (credited, refund)
    assert broken(env) == []


def test_before_the_first_day_everything_is_credited(env):
    place = next(
        p for p in rows(env, "Enrollment", status="enrolled") if p.section.starts_on > TODAY
    )
    assert call(env, "quote_drop", enrollmentId=place.id)["percent"] == 100
    call(env, "drop_section", enrollmentId=place.id)
    assert place.charges[0].status == "settled"


def test_a_dropped_seat_is_offered_to_the_first_in_line(env):
    place = next(
        p
        for p in rows(env, "Enrollment", status="enrolled")
        if any(e.status == "waiting" for e in p.section.waitlist)
        and not blockers(env, "drop_section", enrollmentId=p.id)
    )
    first, *others = [e for e in place.section.waitlist if e.status == "waiting"]
    call(env, "drop_section", enrollmentId=place.id)
    assert (first.status, first.offered_until) == ("offered", TODAY + timedelta(days=3))
    assert all(e.status == "waiting" for e in others)
    assert place.section.status == "full"


def test_a_dropped_seat_that_nobody_waits_for_opens_the_section(env):
    place = next(
        p
        for p in rows(env, "Enrollment", status="enrolled")
        if p.section.status == "full"
        and not any(e.status == "waiting" for e in p.section.waitlist)
        and not blockers(env, "drop_section", enrollmentId=p.id)
    )
    call(env, "drop_section", enrollmentId=place.id)
    assert place.section.status == "open"


def test_after_the_drop_period_there_is_only_withdrawing(env):
    place = next(
        p
        for p in rows(env, "Enrollment", status="enrolled")
        if p.section.pace == "half_term" and load_of(p.student) - p.section.course.credits >= 6
    )
    assert refusal(env, "drop_section", enrollmentId=place.id) == "drop_period_open"
    assert refusal(env, "change_basis", enrollmentId=place.id, basis="pass_fail") in (
        "drop_period_open",
        "basis_can_change",
    )
    charge = place.charges[0]
    before = (charge.amount, charge.credited, charge.paid)
    call(env, "withdraw_enrollment", enrollmentId=place.id)
    assert place.status == "withdrawn" and place.ended_on == TODAY
    assert (charge.amount, charge.credited, charge.paid) == before


def test_withdrawing_is_neither_early_nor_late(env):
    early = droppable(env)
    assert refusal(env, "withdraw_enrollment", enrollmentId=early.id) == "withdrawable"
    late = next(
        p for p in rows(env, "Enrollment", status="enrolled") if p.section.pace == "year_long"
    )
    assert refusal(env, "withdraw_enrollment", enrollmentId=late.id) == "withdrawable"


def test_six_credits_have_to_remain(env):
    place = next(
        p
        for p in rows(env, "Enrollment", status="enrolled")
        if load_of(p.student) - p.section.course.credits == 5
        and not blockers(env, "drop_section", enrollmentId=p.id)
    )
    assert own_rules(env, "drop_section", enrollmentId=place.id) == ("keeps_enough",)
    env.reset()
    place = next(
        p
        for p in rows(env, "Enrollment", status="enrolled")
        if load_of(p.student) - p.section.course.credits == 6
        and not blockers(env, "drop_section", enrollmentId=p.id)
    )
    assert own_rules(env, "drop_section", enrollmentId=place.id) == ()
