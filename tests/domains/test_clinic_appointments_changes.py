"""The patient portal: moving, cancelling and confirming visits, and the waitlists."""

from datetime import datetime, timedelta

import pytest

from tests.domains.clinic_portal import NOTICE, NOW, Portal, ahead, first_in_line, upcoming


@pytest.fixture
def portal():
    return Portal()


# -- moving, cancelling, confirming ----------------------------------------------------------------


def test_a_late_cancellation_costs_25_or_40_euros(portal):
    fees = {}
    for a in portal.visits(upcoming, lambda a: timedelta(hours=2) <= ahead(a) < NOTICE):
        portal.sign_in(a.patient)
        quote = portal.ok("quote_cancellation", appointmentId=a.id)
        portal.ok("cancel_appointment", appointmentId=a.id)
        (invoice,) = [i for i in a.invoices if i.kind == "late_cancellation"]
        assert (
            invoice.amount
            == round(quote["fee"] * 100)
            == (2500 if a.visit_type.minutes < 40 else 4000)
        )
        assert invoice.due_on == datetime(2026, 5, 13).date()
        fees[a.id] = invoice.amount
    assert fees and portal.broken() == []


def test_a_timely_cancellation_is_free(portal):
    a = portal.visits(upcoming, lambda a: ahead(a) >= NOTICE)[0]
    portal.sign_in(a.patient)
    assert portal.ok("quote_cancellation", appointmentId=a.id)["fee"] == 0
    portal.ok("cancel_appointment", appointmentId=a.id)
    assert a.invoices == ()
    assert (
        portal.refused("cancel_appointment", appointmentId=a.id)
        == "appointment_not_confirmed_or_unconfirmed"
    )


def test_the_portal_closes_two_hours_before_a_visit(portal):
    a = portal.visits(upcoming, lambda a: ahead(a) < timedelta(hours=2))[0]
    portal.sign_in(a.patient)
    assert portal.refused("cancel_appointment", appointmentId=a.id) == "before_cutoff"


def moves_of(portal, a):
    portal.sign_in(a.patient)
    for slot in portal.rows("Slot"):
        if slot.starts_at > NOW:
            yield {"appointmentId": a.id, "slotId": slot.id}


def test_a_moved_visit_must_be_confirmed_anew_and_its_seat_is_passed_on(portal):
    for a in portal.visits(lambda a: a.status == "confirmed"):
        for move in moves_of(portal, a):
            if not portal.blockers("reschedule_appointment", **move):
                old, moves = a.slot, a.moves
                portal.ok("reschedule_appointment", **move)
                assert (a.status, a.confirmed_at, a.moves) == ("unconfirmed", None, moves + 1)
                assert a.slot.id == move["slotId"] and a.slot.free == 0
                assert old.free == 1 or any(e.status == "offered" for e in old.offers)
                assert portal.broken() == []
                return
    pytest.fail("no confirmed visit can be moved")


@pytest.mark.parametrize(
    "code",
    ["notice_to_move", "moves_left", "another_slot", "new_time_free", "referral_valid_that_day"],
)
def test_each_rule_of_moving_can_be_the_only_one_that_forbids_it(portal, code):
    for a in portal.visits(upcoming):
        for move in moves_of(portal, a):
            if portal.blockers("reschedule_appointment", **move) == [code]:
                assert portal.refused("reschedule_appointment", **move) == code
                return
    pytest.fail(code)


def test_the_intake_form_comes_before_the_confirmation(portal):
    for a in portal.visits(lambda a: a.status == "unconfirmed"):
        portal.sign_in(a.patient)
        asked = [f for f in a.patient.intake_forms if f.status == "requested"]
        asked = [f for f in asked if f.specialty == a.visit_type.specialty]
        if asked and portal.blockers("confirm_appointment", appointmentId=a.id) == [
            "form_received"
        ]:
            assert portal.refused("confirm_appointment", appointmentId=a.id) == "form_received"
            answers = {"allergies": "pollen", "dailyMedication": False}
            portal.ok("submit_form", intakeFormId=asked[0].id, **answers)
            assert portal.ok("confirm_appointment", appointmentId=a.id)["status"] == "confirmed"
            return
    pytest.fail("no visit waits for its form")


def test_a_visit_is_confirmed_only_in_the_week_before(portal):
    far = [
        a
        for a in portal.visits(lambda a: a.status == "unconfirmed")
        if ahead(a) > timedelta(days=7)
    ]
    portal.sign_in(far[0].patient)
    assert portal.refused("confirm_appointment", appointmentId=far[0].id) == "time_to_confirm"


# -- waitlists -------------------------------------------------------------------------------------


def test_a_declined_seat_goes_to_the_next_patient_and_is_free_when_nobody_waits(portal):
    offered = [e for e in portal.rows("WaitlistPlace") if e.status == "offered"]
    offered = [e for e in offered if e.slot.status == "full"]
    entry = next(e for e in offered if first_in_line(e.slot, e.patient))
    slot, following = entry.slot, first_in_line(entry.slot, entry.patient)
    portal.sign_in(entry.patient)
    portal.ok("decline_offer", waitlistPlaceId=entry.id)
    assert (following.status, following.slot, slot.free) == ("offered", slot, 0)
    assert following.offer_until == NOW + timedelta(hours=12)
    while following is not None:
        portal.sign_in(following.patient)
        portal.ok("decline_offer", waitlistPlaceId=following.id)
        following = next((e for e in slot.offers if e.status == "offered"), None)
    assert slot.free == 1 and portal.broken() == []


def test_an_accepted_offer_is_a_booked_visit_in_the_held_seat(portal):
    for entry in [e for e in portal.rows("WaitlistPlace") if e.status == "offered"]:
        portal.sign_in(entry.patient)
        if not portal.blockers("accept_offer", waitlistPlaceId=entry.id):
            shown = portal.ok("accept_offer", waitlistPlaceId=entry.id)
            assert (shown["slotId"], shown["mode"]) == (entry.slot.id, "on_site")
            assert entry.slot.free == 0 and portal.broken() == []
            return
    pytest.fail("no offer can be accepted")


@pytest.mark.parametrize(
    "code",
    [
        "offer_stands",
        "no_shows_below_limit",
        "balance_below_limit",
        "specialty_limit",
        "no_overlap",
    ],
)
def test_each_rule_of_accepting_can_be_the_only_one_that_forbids_it(portal, code):
    found = []
    for entry in [e for e in portal.rows("WaitlistPlace") if e.status == "offered"]:
        portal.sign_in(entry.patient)
        if portal.blockers("accept_offer", waitlistPlaceId=entry.id) == [code]:
            found.append(portal.refused("accept_offer", waitlistPlaceId=entry.id))
    assert found and set(found) == {code}


def joins(portal):
    for patient in portal.rows("Patient"):
        portal.sign_in(patient)
        for provider in portal.rows("Provider"):
            for kind in portal.rows("VisitType"):
                yield patient, {"providerId": provider.id, "visitTypeCode": kind.id}


def test_leaving_one_waitlist_makes_room_for_another(portal):
    for patient, join in joins(portal):
        waiting = [e for e in patient.waitlist_places if e.status == "current"]
        if waiting and portal.blockers("join_waitlist", **join) == ["below_queue_limit"]:
            assert portal.refused("join_waitlist", **join) == "below_queue_limit"
            portal.ok("leave_waitlist", waitlistPlaceId=waiting[0].id)
            portal.ok("join_waitlist", **join)
            return
    pytest.fail("nobody is at the limit of waitlists")


@pytest.mark.parametrize("code", ["calendar_full", "can_be_queued"])
def test_waitlists_are_for_full_calendars_and_plain_visits(portal, code):
    join = next(j for _, j in joins(portal) if portal.blockers("join_waitlist", **j) == [code])
    assert portal.refused("join_waitlist", **join) == code
