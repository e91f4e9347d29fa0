"""The patient portal: its records and reads, booking, and the assistant's own duties."""

from datetime import datetime, timedelta

import pytest

from davinci_env.domain.examples import failing_examples
from tests.domains.clinic_portal import NOTICE, NOW, Portal, ahead, balance, upcoming


@pytest.fixture
def portal():
    return Portal()


# -- the practice as it is filled ------------------------------------------------------------------


@pytest.mark.parametrize("scale", [0.2, 1.0, 4.0])
def test_seeded_records_keep_every_invariant(scale):
    assert Portal(3, scale).broken() == []


def test_seed_is_realistic_in_size_and_reaches_every_state(portal):
    entities = portal.domain.entities
    assert 150 <= sum(len(portal.rows(e)) for e in entities) <= 600
    for entity in entities.values():
        cycle = entity._info.lifecycle
        if cycle is not None:
            seen = {getattr(r, entity._info.state_column) for r in portal.rows(entity.__name__)}
            assert seen == set(cycle.states), entity.__name__


def test_patients_have_look_alike_visits_with_one_provider(portal):
    pairs = [
        (a, b)
        for patient in portal.rows("Patient")
        for a in patient.appointments
        for b in patient.appointments
        if upcoming(a) and upcoming(b) and a.id < b.id
        if a.slot.provider is b.slot.provider and a.visit_type is b.visit_type
        if abs(a.slot.starts_at - b.slot.starts_at) <= timedelta(days=7)
    ]
    assert len({a.patient for a, _ in pairs}) >= 5
    assert all(len(p.appointments) >= 5 for p in portal.rows("Patient"))


def test_policy_states_the_constants_and_every_rule(portal):
    policy = portal.domain.policy()
    assert len(policy.split()) >= 900
    assert "{" not in policy
    assert all(rule.text in policy for rule in portal.domain.rules.values())
    assert "at most 2 upcoming visits" in policy
    assert "€75.00 or more" in policy


def test_doctests_of_the_helpers(portal):
    assert failing_examples(portal.domain.helpers) == []


# -- what the portal shows -------------------------------------------------------------------------


def test_results_speak_the_dialect(portal):
    patient = portal.sign_in(portal.rows("Patient")[0])
    profile = portal.ok("view_profile")
    assert profile["patientId"] == patient.id
    assert profile["birthDate"] == patient.birth_date.strftime("%d.%m.%Y")
    kinds = portal.ok("browse_visit_types", query="physiotherapy session")["visitTypes"]
    assert [(k["minutes"], k["fee"], k["needsReferral"]) for k in kinds] == [("PT40M", 75.0, True)]


def test_lists_are_paged_by_cursor_and_show_only_the_patients_own_rows(portal):
    patient = portal.sign_in(portal.rows("Patient")[3])
    found, page = [], {}
    while True:
        answer = portal.ok("my_appointments", **page)
        found += [a["appointmentId"] for a in answer["appointments"]]
        if answer["nextCursor"] is None:
            break
        page = {"cursor": answer["nextCursor"]}
    assert found == [a.id for a in patient.appointments]


def test_rows_of_other_patients_are_refused(portal):
    portal.sign_in(portal.rows("Patient")[0])
    other = portal.rows("Patient")[1]
    appointment, invoice = other.appointments[0].id, other.invoices[0].id
    assert portal.refused("view_appointment", appointmentId=appointment) == "access_denied"
    assert portal.refused("cancel_appointment", appointmentId=appointment) == "access_denied"
    assert portal.refused("pay_invoice", invoiceId=invoice, amount=1.0) == "access_denied"


def test_next_available_is_the_earliest_slot_that_fits(portal):
    def fits(slot):
        soon, late = NOW + timedelta(hours=4), NOW + timedelta(days=60)
        return (
            slot.provider.specialty == "dermatology"
            and slot.minutes >= 30
            and slot.seats == 1
            and slot.free == 1
            and slot.status == "open"
            and soon <= slot.starts_at <= late
            and slot.starts_at.date() > NOW.date()  # today is kept for acute trouble
        )

    fitting = sorted(s.starts_at for s in portal.rows("Slot") if fits(s))
    shown = portal.ok("next_available", visitTypeCode="skin-screening")
    assert shown["startsAt"] == fitting[0].strftime("%d.%m.%Y %H:%M")
    afternoon = next(start for start in fitting if start.hour >= 12)
    shown = portal.ok("next_available", visitTypeCode="skin-screening", partOfDay="afternoon")
    assert shown["startsAt"] == afternoon.strftime("%d.%m.%Y %H:%M")


def test_calendar_is_in_order_and_shows_full_slots(portal):
    busy = max(portal.rows("Provider"), key=lambda p: sum(s.starts_at > NOW for s in p.slots))
    slots = portal.ok("browse_slots", providerId=busy.id)["slots"]
    starts = [datetime.strptime(s["startsAt"], "%d.%m.%Y %H:%M") for s in slots]
    assert starts == sorted(starts) and starts[0] > NOW
    assert any(s["free"] == 0 for s in slots)


def test_balance_and_queue_position_are_counted(portal):
    entry = next(e for e in portal.rows("WaitlistPlace") if e.status == "current")
    portal.sign_in(entry.patient)
    assert portal.ok("account_balance")["balance"] * 100 == pytest.approx(balance(entry.patient))
    line = [e for e in entry.provider.queue if e.status == "current"]
    before = sum((e.joined_at, e.id) < (entry.joined_at, entry.id) for e in line)
    answer = portal.ok("queue_position", waitlistPlaceId=entry.id)
    assert answer == {"ahead": before, "waiting": len(line)}


# -- booking ---------------------------------------------------------------------------------------


def test_booking_takes_a_seat_fixes_the_copay_and_uses_the_referral(portal):
    for patient in portal.rows("Patient"):
        for booking in portal.bookings(patient):
            if "referralId" in booking and not portal.blockers("book_appointment", **booking):
                slot = portal.env.row("slots", booking["slotId"])
                referral = portal.env.row("referrals", booking["referralId"])
                used, free = referral.used, slot.free
                shown = portal.ok("book_appointment", **booking)
                assert (slot.free, referral.used) == (free - 1, used + 1)
                fee = portal.env.row("visit_types", booking["visitTypeCode"]).fee
                percent, cap = {"public": (15, 15), "private": (20, 30), "self_pay": (100, 200)}[
                    patient.plan
                ]
                assert shown["copay"] == pytest.approx(min(cap, fee * percent / 100 / 100))
                assert (shown["status"], shown["moves"]) == ("unconfirmed", 0)
                assert portal.broken() == []
                return
    pytest.fail("nobody can book with a referral")


@pytest.mark.parametrize(
    "code",
    [
        "contact_verified", "no_shows_below_limit", "guardian_on_file", "balance_below_limit",
        "specialty_limit", "bookable_time", "slot_suits_visit", "no_overlap", "referral_matches",
        "referral_valid_that_day", "referral_visits_left",
    ],
)  # fmt: skip
def test_each_rule_of_booking_can_be_the_only_one_that_forbids_it(portal, code):
    _, booking = portal.blocked_booking(code)
    assert portal.refused("book_appointment", **booking) == code


def test_video_needs_a_visit_type_that_allows_it(portal):
    for patient in portal.rows("Patient"):
        for booking in portal.bookings(patient):
            kind = portal.env.row("visit_types", booking["visitTypeCode"])
            if kind.video or portal.blockers("book_appointment", **booking):
                continue
            assert (
                portal.refused("book_appointment", **booking, mode="by_video") == "video_possible"
            )
            return


def test_paying_below_the_limit_opens_booking_again(portal):
    debtor, booking = portal.blocked_booking("balance_below_limit")
    assert balance(debtor) >= 7500
    for invoice in sorted(debtor.invoices, key=lambda i: i.due_on):
        if invoice.status == "open" and balance(debtor) >= 7500:
            portal.ok(
                "pay_invoice", invoiceId=invoice.id, amount=(invoice.amount - invoice.paid) / 100
            )
            assert invoice.status == "paid"
    assert balance(debtor) < 7500
    portal.ok("book_appointment", **booking)
    assert portal.broken() == []


def test_cancelling_makes_room_for_an_overlapping_booking(portal):
    def can_cancel(patient):
        return all(a.slot.status != "withdrawn" for a in patient.appointments if upcoming(a))

    patient, booking = portal.blocked_booking("no_overlap", can_cancel)
    start = portal.env.row("slots", booking["slotId"]).starts_at
    minutes = portal.env.row("visit_types", booking["visitTypeCode"]).minutes
    for a in patient.appointments:
        end = a.slot.starts_at + timedelta(minutes=a.visit_type.minutes)
        if upcoming(a) and a.slot.starts_at < start + timedelta(minutes=minutes) and start < end:
            portal.ok("cancel_appointment", appointmentId=a.id)
    portal.ok("book_appointment", **booking)


def test_a_guardian_on_file_opens_booking_for_a_child(portal):
    _, booking = portal.blocked_booking("guardian_on_file")
    guardian = {"guardian": "Robin Weber", "relation": "mother"}
    portal.ok("add_guardian", **guardian)
    assert portal.refused("add_guardian", **guardian) == "guardian_is_new"
    portal.ok("book_appointment", **booking)


def test_a_timely_cancellation_gives_the_referral_visit_back(portal):
    def holds_last_visit(patient):
        return any(upcoming(a) and a.referral and ahead(a) >= NOTICE for a in patient.appointments)

    _, booking = portal.blocked_booking("referral_visits_left", holds_last_visit)
    referral = portal.env.row("referrals", booking["referralId"])
    visit = next(a for a in referral.appointments if upcoming(a) and ahead(a) >= NOTICE)
    portal.ok("cancel_appointment", appointmentId=visit.id)
    assert referral.used == referral.allowed - 1
    assert "referral_visits_left" not in portal.blockers("book_appointment", **booking)


# -- what people and the assistant say -------------------------------------------------------------


def test_every_wish_has_motives_and_every_reason_has_words(portal):
    domain = portal.domain
    writes = [t for t in domain.tools.values() if t.kind == "write"]
    assert len(domain.situations) >= 30 and len(domain.second_thoughts) >= 12
    for tool in writes:
        assert sum(tool.name in s.leads_to for s in domain.situations) >= 3, tool.name
        assert tool.handover or any(tool.name in t.about for t in domain.second_thoughts)
    told = {}
    for concern in domain.concerns:
        told[concern.reason] = told.get(concern.reason, 0) + len(concern.texts)
    (reason,) = [p for p in domain.tools["hand_over"].parameters if p.name == "reason"]
    assert set(told) == set(reason.type.choices)
    assert all(count >= 4 for count in told.values())


def test_each_concern_is_somebody_s(portal):
    for concern in portal.domain.concerns:
        if concern.about is not None:
            rows = portal.rows(concern.about.__name__)
            assert any(
                all(getattr(row, column) == value for column, value in concern.where.items())
                for row in rows
            ), concern.reason
