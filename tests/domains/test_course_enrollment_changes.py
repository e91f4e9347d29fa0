"""The registrar's desk, moving, grading, waiting and paying: 16 March 2026 is its day."""

from datetime import timedelta

import pytest

from davinci_env.environment import open_environment
from tests.domains.registrars_desk import (
    TODAY,
    blockers,
    broken,
    call,
    joins,
    left,
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


# -- moving, grading, waiting ----


def test_a_swap_moves_the_place_and_nothing_else(env):
    place, section = next(
        (p, s)
        for p in rows(env, "Enrollment", status="enrolled")
        for s in rows(env, "CourseSection", status="open")
        if s is not p.section
        and not blockers(env, "swap_section", enrollmentId=p.id, sectionId=s.id)
    )
    old, charge = place.section, place.charges[0]
    before = (charge.amount, charge.credited, charge.paid)
    data = call(env, "swap_section", enrollmentId=place.id, sectionId=section.id)
    assert data["sectionId"] == section.id and place.section is section
    assert (charge.amount, charge.credited, charge.paid) == before
    assert all(p is not place for p in old.enrollments)
    assert broken(env) == []
    other = next(s for s in rows(env, "CourseSection", status="open") if s.course is not old.course)
    code = refusal(env, "swap_section", enrollmentId=place.id, sectionId=other.id)
    assert code == "other_class_of_course"


def test_a_place_is_not_moved_to_where_it_is(env):
    place = next(
        p
        for p in rows(env, "Enrollment", status="enrolled")
        if p.section.status == "open"
        and not blockers(env, "swap_section", enrollmentId=p.id, sectionId=p.section.id)
    )
    code = refusal(env, "swap_section", enrollmentId=place.id, sectionId=place.section.id)
    assert code == "same_section"


def test_the_basis_goes_there_and_back(env):
    place = next(
        p
        for p in rows(env, "Enrollment", status="enrolled", basis="graded")
        if p.section.course.department != p.student.programme
        and not blockers(env, "change_basis", enrollmentId=p.id, basis="pass_fail")
    )
    assert own_rules(env, "change_basis", enrollmentId=place.id, basis="pass_fail") == ()
    assert place.basis == "pass_fail"
    again = refusal(env, "change_basis", enrollmentId=place.id, basis="pass_fail")
    assert again == "basis_can_change"
    call(env, "change_basis", enrollmentId=place.id, basis="graded")
    assert place.basis == "graded"


def test_two_classes_are_pass_fail_at_most(env):
    student = next(
        s
        for s in rows(env, "Student")
        if sum(p.basis == "pass_fail" and p.status == "enrolled" for p in s.enrollments) == 2
        and any(
            p.basis == "graded"
            and p.status == "enrolled"
            and (TODAY - p.section.starts_on).days <= 21
            for p in s.enrollments
        )
    )
    place = next(
        p
        for p in student.enrollments
        if p.basis == "graded"
        and p.status == "enrolled"
        and (TODAY - p.section.starts_on).days <= 21
    )
    code = refusal(env, "change_basis", enrollmentId=place.id, basis="pass_fail")
    assert code == "pass_fail_left"


def test_a_queue_is_joined_at_its_end(env):
    _student, section, arguments = next(
        (student, section, arguments)
        for student, section, arguments in joins(env)
        if section.status == "full"
        and any(e.status == "waiting" for e in section.waitlist)
        and not blockers(env, "join_waitlist", **arguments)
    )
    waiting = sum(e.status == "waiting" for e in section.waitlist)
    entry = call(env, "join_waitlist", **arguments)
    place = call(env, "waitlist_position", entryId=entry["waitlistEntryId"])
    assert place == {"position": waiting + 1, "waiting": waiting + 1, "seats": section.capacity}


def test_three_queues_are_the_limit(env):
    student = next(
        s
        for s in rows(env, "Student")
        if sum(e.status in ("waiting", "offered") for e in s.waitlist_entries) == 3
    )
    assert any(
        "below_waitlists" in blockers(env, "join_waitlist", studentId=student.id, sectionId=s.id)
        for s in rows(env, "CourseSection", status="full")
    )


def test_an_offer_becomes_a_place(env):
    entry = next(
        e
        for e in rows(env, "WaitlistEntry", status="offered")
        if not blockers(env, "accept_offer", entryId=e.id)
    )
    data = call(env, "accept_offer", entryId=entry.id)
    assert data["tuition"] == entry.section.course.tuition and entry.status == "accepted"
    assert entry.section.status == "full" and broken(env) == []


def test_an_offer_that_is_turned_down_goes_to_the_next(env):
    entry = next(
        e
        for e in rows(env, "WaitlistEntry", status="offered")
        if any(o.status == "waiting" for o in e.section.waitlist)
    )
    following = next(o for o in entry.section.waitlist if o.status == "waiting")
    call(env, "leave_waitlist", entryId=entry.id)
    assert (entry.status, following.status) == ("left", "offered")
    assert refusal(env, "leave_waitlist", entryId=entry.id).startswith("waitlist_entry_not_")


def test_a_place_in_line_that_is_given_up_moves_nobody_but_the_line(env):
    entry = next(e for e in rows(env, "WaitlistEntry", status="waiting"))
    offers = sum(e.status == "offered" for e in entry.section.waitlist)
    call(env, "leave_waitlist", entryId=entry.id)
    assert sum(e.status == "offered" for e in entry.section.waitlist) == offers


# -- money and holds ----


def test_a_payment_settles_a_charge(env):
    charge = next(c for c in rows(env, "TuitionCharge", status="open") if left(c) > 10000)
    code = refusal(env, "pay_charge", chargeId=charge.id, amount=left(charge) + 1)
    assert code == "within_rest"
    assert own_rules(env, "pay_charge", chargeId=charge.id, amount=4999) == ("large_enough",)
    assert own_rules(env, "pay_charge", chargeId=charge.id, amount=5000) == ()
    assert charge.status == "open"
    call(env, "pay_charge", chargeId=charge.id, amount=left(charge))
    assert charge.status == "settled"


def test_a_charge_is_put_off_once(env):
    charge = next(
        c
        for c in rows(env, "TuitionCharge", status="open", deferred=False)
        if c.due_on >= TODAY and left(c) >= 30000
    )
    due_on = charge.due_on
    assert own_rules(env, "defer_charge", chargeId=charge.id) == ()
    assert charge.due_on == due_on + timedelta(days=30)
    assert refusal(env, "defer_charge", chargeId=charge.id) == "not_deferred"


def test_what_is_overdue_is_not_put_off(env):
    charge = next(
        c
        for c in rows(env, "TuitionCharge", status="open", deferred=False)
        if c.due_on < TODAY and left(c) >= 30000
    )
    assert own_rules(env, "defer_charge", chargeId=charge.id) == ("not_overdue",)


def test_a_fees_hold_goes_when_less_than_400_dollars_is_owed(env):
    hold = next(
        h
        for h in rows(env, "TermHold", status="active", kind="fees")
        if sum(left(c) for c in h.student.tuition_charges) >= 40000
    )
    assert refusal(env, "release_hold", holdId=hold.id) == "hold_is_clear"
    for charge in hold.student.tuition_charges:
        total = sum(left(c) for c in hold.student.tuition_charges)
        if total == 40000:
            break
        if left(charge) and total > 40000:
            call(env, "pay_charge", chargeId=charge.id, amount=min(left(charge), total - 40000))
    assert refusal(env, "release_hold", holdId=hold.id) == "hold_is_clear"
    charge = next(c for c in hold.student.tuition_charges if left(c))
    call(env, "pay_charge", chargeId=charge.id, amount=1)
    call(env, "release_hold", holdId=hold.id)
    assert hold.status == "lifted"


def test_an_advising_hold_goes_after_a_talk_and_a_records_hold_never(env):
    holds = rows(env, "TermHold", status="active", kind="advising")
    seen = [h for h in holds if h.student.advised_on and h.student.advised_on >= h.placed_on]
    unseen = [h for h in holds if h not in seen]
    call(env, "release_hold", holdId=seen[0].id)
    assert refusal(env, "release_hold", holdId=unseen[0].id) == "hold_is_clear"
    records = rows(env, "TermHold", status="active", kind="records")
    assert refusal(env, "release_hold", holdId=records[0].id) == "hold_is_clear"
