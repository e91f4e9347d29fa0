"""The patient portal: what the assistant has to see to itself, beyond what the tools enforce."""

from datetime import timedelta

import pytest

from davinci_env.environment import Event
from tests.domains.clinic_portal import NOTICE, NOW, Portal, ahead, upcoming


@pytest.fixture
def portal():
    return Portal()


def test_cancelling_wants_a_yes_to_exactly_this_visit_and_the_fee_looked_up(portal):
    late = portal.visits(upcoming, lambda a: timedelta(hours=2) <= ahead(a) < NOTICE)[0]
    portal.sign_in(late.patient)
    other = next(a for a in late.patient.appointments if upcoming(a) and a is not late)
    portal.confirm("cancel_appointment", appointmentId=other.id)
    start = portal.env.snapshot()
    duties = portal.violated("cancel_appointment", appointmentId=late.id)
    assert set(duties) == {"details_confirmed", "fee_looked_up"}
    portal.env.restore(start)
    portal.ok("quote_cancellation", appointmentId=late.id)
    portal.confirm("cancel_appointment", appointmentId=late.id)
    assert portal.violated("cancel_appointment", appointmentId=late.id) == ()


def requested_forms(portal):
    return [f for f in portal.rows("IntakeForm") if f.status == "requested"]


def visits_ahead(form):
    visits = [a for a in form.patient.appointments if upcoming(a)]
    return [a for a in visits if a.visit_type.specialty == form.specialty]


def test_medical_details_want_the_date_of_birth(portal):
    form = next(f for f in requested_forms(portal) if visits_ahead(f))
    portal.sign_in(form.patient)
    call = {"intakeFormId": form.id, "allergies": "none", "dailyMedication": True}
    start = portal.env.snapshot()
    assert portal.violated("submit_form", **call) == ("birth_date_given",)
    portal.env.restore(start)
    born = form.patient.birth_date.isoformat()
    portal.env.observe(Event("revealed", {"fact": "birth_date", "value": born}))
    assert portal.violated("submit_form", **call) == ()


def rest(invoice):
    return (invoice.amount - invoice.paid) / 100


def test_only_copays_are_paid_in_portions(portal):
    duties = {}
    for patient in portal.rows("Patient"):
        portal.sign_in(patient)
        open_ones = [i for i in patient.invoices if i.status == "open"]
        if open_ones:
            first = min(open_ones, key=lambda i: i.due_on)
            part = {"invoiceId": first.id, "amount": 1.0}
            portal.confirm("pay_invoice", **part)
            duties[first.kind] = portal.violated("pay_invoice", **part)
            if first.kind != "copay":
                whole = {"invoiceId": first.id, "amount": rest(first)}
                portal.confirm("pay_invoice", **whole)
                assert portal.violated("pay_invoice", **whole) == ()
                assert first.status == "paid"
    assert duties.pop("copay") == ()
    assert set(duties.values()) == {("fees_in_one_payment",)}


def test_a_newer_invoice_is_not_paid_before_an_older_one(portal):
    for patient in portal.rows("Patient"):
        open_ones = [i for i in patient.invoices if i.status == "open"]
        open_ones.sort(key=lambda i: i.due_on)
        if len(open_ones) == 2 and open_ones[0].due_on < open_ones[1].due_on:
            portal.sign_in(patient)
            newer, older = ({"invoiceId": i.id, "amount": rest(i)} for i in open_ones[::-1])
            portal.confirm("pay_invoice", **newer)
            assert portal.violated("pay_invoice", **newer) == ("oldest_invoice_first",)
            portal.confirm("pay_invoice", **older)
            assert portal.violated("pay_invoice", **older) == ()
            return
    pytest.fail("nobody has two open invoices")


def test_controlled_substances_are_not_renewed_in_the_portal(portal):
    duties = {}
    for rx in [r for r in portal.rows("Prescription") if r.status == "active"]:
        portal.sign_in(rx.patient)
        if not portal.blockers("request_renewal", prescriptionId=rx.id):
            duties[rx.controlled] = portal.violated("request_renewal", prescriptionId=rx.id)
    assert "no_controlled_renewals" in duties[True]
    assert "no_controlled_renewals" not in duties[False]


@pytest.mark.parametrize("code", ["no_pending_renewal", "supply_nearly_out", "seen_recently"])
def test_each_rule_of_renewals_can_be_the_only_one_that_forbids_it(portal, code):
    for rx in portal.rows("Prescription"):
        portal.sign_in(rx.patient)
        if portal.blockers("request_renewal", prescriptionId=rx.id) == [code]:
            assert portal.refused("request_renewal", prescriptionId=rx.id) == code
            return
    pytest.fail(code)


def test_follow_ups_stay_with_the_provider_who_saw_the_patient_last(portal):
    seen = set()
    for patient in portal.rows("Patient"):
        done = [a for a in patient.appointments if a.status == "completed"]
        for booking in portal.bookings(patient):
            kind = portal.env.row("visit_types", booking["visitTypeCode"])
            same = [a for a in done if a.visit_type.specialty == kind.specialty]
            if not (kind.follow_up and same) or portal.blockers("book_appointment", **booking):
                continue
            last = max(same, key=lambda a: a.slot.starts_at).slot.provider
            stays = portal.env.row("slots", booking["slotId"]).provider is last
            start = portal.env.snapshot()
            duties = portal.violated("book_appointment", **booking)
            portal.env.restore(start)
            assert ("same_provider_for_follow_up" in duties) == (not stays)
            seen.add(stays)
    assert seen == {True, False}


def test_hand_over_reaches_the_right_team_once(portal):
    portal.sign_in(portal.rows("Patient")[0])
    assert portal.ok("hand_over", reason="urgent_symptoms")["team"] == "nurse_line"
    assert portal.ok("hand_over", reason="blocked_account")["team"] == "front_desk"
    assert portal.refused("hand_over", reason="urgent_symptoms") == "not_handed_over_yet"


def duties_of_bookings(portal, **more):
    """What each booking of a patient that the portal would make breaks, for a confirmed call."""
    for patient in portal.rows("Patient"):
        for booking in portal.bookings(patient):
            call = {**booking, **more}
            if not portal.blockers("book_appointment", **call):
                start = portal.env.snapshot()
                portal.confirm("book_appointment", **call)
                duties = portal.violated("book_appointment", **call)
                portal.env.restore(start)
                kind = portal.env.row("visit_types", booking["visitTypeCode"])
                yield patient, kind, portal.env.row("slots", booking["slotId"]), duties


def seen_in(patient, specialty):
    done = [a for a in patient.appointments if a.status == "completed"]
    return any(a.visit_type.specialty == specialty for a in done)


def test_what_is_left_of_the_day_is_kept_for_acute_trouble(portal):
    seen = set()
    for _, kind, slot, duties in duties_of_bookings(portal):
        today = slot.starts_at.date() == NOW.date()
        expected = today and kind.id != "sick-visit"
        assert ("same_day_for_acute_trouble" in duties) == expected
        seen.add((today, expected))
    assert seen == {(True, True), (True, False), (False, False)}


def test_classes_and_video_are_for_patients_who_have_been_seen(portal):
    seen = set()
    for patient, kind, _, duties in duties_of_bookings(portal):
        new = not seen_in(patient, kind.specialty)
        assert ("assessed_before_class" in duties) == (kind.id == "back-class" and new)
        assert "first_visit_on_site" not in duties
        seen |= {(kind.id, new)} & {("back-class", True), ("back-class", False)}
    assert len(seen) == 2
    by_video = set()
    for patient, kind, _, duties in duties_of_bookings(portal, mode="by_video"):
        new = not seen_in(patient, kind.specialty)
        assert ("first_visit_on_site" in duties) == new
        by_video.add(new)
    assert by_video == {True, False}


def test_nobody_is_given_two_visits_of_a_kind(portal):
    seen = set()
    for patient, kind, _, duties in duties_of_bookings(portal):
        double = any(upcoming(a) and a.visit_type is kind for a in patient.appointments)
        expected = double and not kind.follow_up and not kind.group
        assert ("one_visit_of_a_kind" in duties) == expected
        seen.add((double, expected))
    assert seen == {(True, True), (True, False), (False, False)}


def test_forms_are_handed_in_for_visits_ahead(portal):
    answers = {"allergies": "none", "dailyMedication": False}
    seen = set()
    for form in requested_forms(portal):
        portal.sign_in(form.patient)
        born = form.patient.birth_date.isoformat()
        portal.env.observe(Event("revealed", {"fact": "birth_date", "value": born}))
        ahead_of_it = bool(visits_ahead(form))
        expected = () if ahead_of_it else ("form_is_for_a_visit",)
        assert portal.violated("submit_form", intakeFormId=form.id, **answers) == expected
        seen.add(ahead_of_it)
    assert seen == {True, False}


def test_an_open_medical_question_holds_up_renewals(portal):
    seen = set()
    for rx in portal.rows("Prescription"):
        portal.sign_in(rx.patient)
        if rx.status == "active" and not portal.blockers("request_renewal", prescriptionId=rx.id):
            asked = any(
                h.status == "open" and h.reason == "medical_question" for h in rx.patient.hand_overs
            )
            duties = portal.violated("request_renewal", prescriptionId=rx.id)
            assert ("no_open_medical_question" in duties) == asked
            seen.add(asked)
    assert seen == {True, False}
