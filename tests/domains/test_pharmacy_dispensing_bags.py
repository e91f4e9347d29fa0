"""The pharmacy's refill dates, bags, money and holds, worked out by hand."""

from datetime import datetime, timedelta

import pytest

from tests.domains.pharmacy_desk import TODAY, Desk, controlled


@pytest.fixture
def desk():
    desk = Desk()
    yield desk
    desk.env.close()


# -- refill dates ----


def test_a_trip_moves_the_refill_date_once_a_year(desk):
    rx = desk.alone(
        "request_fill",
        "refill_date_reached",
        "prescription_id",
        desk.rows("Prescription", lambda x: x.client.trip_used_on is None and not controlled(x)),
    )
    desk.ok("release_for_trip", rx, prescription_id=rx.id, leaves_on="2026-04-19")
    assert rx.next_refill_on == TODAY and rx.timing == "trip"
    assert rx.client.trip_used_on == TODAY
    desk.ok("request_fill", rx, prescription_id=rx.id)
    other = next(
        x
        for x in rx.client.prescriptions
        if x.status == "active" and x.next_refill_on > TODAY and x is not rx
    )
    code = desk.refused("release_for_trip", rx, prescription_id=other.id, leaves_on="2026-04-19")
    assert code == "one_release_a_year"


def test_a_far_trip_is_the_assistants_to_refuse(desk):
    def releasable(x):
        free = x.client.trip_used_on is None and not controlled(x)
        return free and x.status == "active" and x.next_refill_on > TODAY

    rx = desk.rows("Prescription", releasable)[0]
    far = desk.violated("release_for_trip", rx, prescription_id=rx.id, leaves_on="2026-04-28")
    assert "trip_is_near" in far


def test_controlled_medicines_are_never_early(desk):
    rx = desk.rows("Prescription", lambda x: controlled(x) and x.next_refill_on > TODAY)[0]
    assert rx.next_refill_on == rx.supply_until
    code = desk.refused("release_for_trip", rx, prescription_id=rx.id, leaves_on="2026-04-19")
    assert code == "controlled_never_early"


def test_prescriptions_share_the_latest_of_their_dates(desk):
    for client in desk.rows("Client"):
        mine = [x for x in client.prescriptions if x.status == "active"]
        for one in mine:
            for other in mine:
                ids = [one.id, other.id]
                day = max(one.next_refill_on, other.next_refill_on)
                if one.next_refill_on < other.next_refill_on and not desk.blocked(
                    "synchronise_refills", client, prescription_ids=ids
                ):
                    answer = desk.ok("synchronise_refills", client, prescription_ids=ids)
                    assert answer["refill_on"] == day.isoformat()
                    assert one.next_refill_on == other.next_refill_on == day
                    assert one.timing == "synchronised"
                    again = desk.refused("synchronise_refills", client, prescription_ids=ids)
                    assert again == "nothing_to_align"
                    return
    raise AssertionError("nothing can be aligned")


# -- bags ----


def test_a_delivery_costs_its_fee_and_is_undone_by_another_way(desk):
    fill = next(
        x
        for x in desk.rows("Fill", lambda x: x.status in ("requested", "prepared"))
        if x.delivery_run is None and x.medicine.schedule == "ordinary" and not x.medicine.chilled
    )
    run = next(
        x
        for x in desk.rows("DeliveryRun", lambda x: x.status == "planned")
        if x.district == fill.client.district and x.leaves_at >= datetime(2026, 4, 13, 11, 20)
    )
    free, to_pay = run.stops_free, fill.to_pay
    desk.ok("book_delivery", fill, fill_id=fill.id, delivery_run_id=run.id)
    assert run.stops_free == free - 1 and fill.to_pay == to_pay + 250
    assert desk.refused("change_pickup", fill, fill_id=fill.id, way="elsewhere")
    desk.ok("change_pickup", fill, fill_id=fill.id, way="counter")
    assert run.stops_free == free and fill.to_pay == to_pay
    assert desk.refused("change_pickup", fill, fill_id=fill.id, way="counter") == "same_way"


def test_a_controlled_medicine_stays_at_the_counter(desk):
    fill = desk.rows("Fill", lambda x: x.status == "prepared" and controlled(x))[0]
    code = desk.refused("change_pickup", fill, fill_id=fill.id, way="locker")
    assert code == "controlled_at_counter"


def test_a_bag_is_kept_longer_once(desk):
    fill = desk.rows("Fill", lambda x: x.status == "prepared" and not x.extended)[0]
    day = fill.pickup_by
    desk.ok("keep_fill_longer", fill, fill_id=fill.id)
    assert fill.pickup_by == day + timedelta(days=4)
    assert desk.refused("keep_fill_longer", fill, fill_id=fill.id) == "not_kept_longer_yet"


# -- money ----


def test_bills_are_paid_from_the_oldest_on(desk):
    client = next(
        x
        for x in desk.rows("Client")
        if sum(f.status == "collected" and f.paid_on is None and f.to_pay > 0 for f in x.fills) > 1
    )
    bills = [f for f in client.fills if f.status == "collected" and f.to_pay and not f.paid_on]
    bills.sort(key=lambda f: (f.requested_on, f.id))
    owed = sum(f.to_pay for f in bills)
    assert desk.ok("copayment_standing", client)["owed"] == owed / 100
    late = desk.violated("settle_copayments", client, fill_ids=[bills[-1].id])
    assert "oldest_first" in late
    answer = desk.ok("settle_copayments", client, fill_ids=[bills[0].id])
    assert answer["total"] == bills[0].to_pay / 100
    assert answer["still_owed"] == (owed - bills[0].to_pay - bills[-1].to_pay) / 100
    paid_twice = desk.refused("settle_copayments", client, fill_ids=[bills[0].id])
    assert paid_twice == "still_to_pay"


def test_a_switch_stays_in_its_group(desk):
    rx = next(
        x
        for x in desk.rows("Prescription", lambda x: x.status == "active" and x.substitution)
        if not [f for f in x.fills if f.status in ("requested", "prepared")]
    )
    group = rx.medicine.substitution_group
    like = desk.rows("Medicine", lambda x: x.substitution_group == group and x is not rx.medicine)
    other = desk.rows("Medicine", lambda x: x.substitution_group != group)[0]
    wrong = {"prescription_id": rx.id, "medicine_code": other.medicine_code}
    assert desk.refused("switch_product", rx, **wrong) == "substitute_fits"
    right = {"prescription_id": rx.id, "medicine_code": like[0].medicine_code}
    desk.ok("switch_product", rx, **right)
    assert rx.medicine is like[0]
    assert desk.refused("switch_product", rx, **right) == "substitute_fits"


# -- holds and renewals ----


def test_two_prescriptions_at_most_are_on_hold(desk):
    client = next(
        x for x in desk.rows("Client") if sum(p.status == "on_hold" for p in x.prescriptions) == 2
    )
    rx = desk.alone("hold_prescription", "room_on_hold", "prescription_id", client.prescriptions)
    held = next(p for p in client.prescriptions if p.status == "on_hold")
    assert desk.refused("hold_prescription", rx, prescription_id=rx.id) == "room_on_hold"
    desk.ok("release_prescription", held, prescription_id=held.id)
    desk.ok("hold_prescription", rx, prescription_id=rx.id)
    assert (held.status, rx.status) == ("active", "on_hold")


def test_a_request_is_sent_once_and_can_be_taken_back(desk):
    request = desk.rows("RenewalRequest", lambda x: x.status == "sent")[0]
    rx = request.prescription
    assert desk.refused("request_renewal", rx, prescription_id=rx.id) == "none_under_way"
    desk.ok("withdraw_renewal", rx, renewal_request_id=request.id)
    desk.ok("request_renewal", rx, prescription_id=rx.id)
    early = desk.alone(
        "request_renewal", "near_the_end", "prescription_id", desk.rows("Prescription")
    )
    assert (early.expires_on - TODAY).days > 30 and early.refills_used < early.fills_allowed


def test_a_pharmacist_gets_one_note_a_reason(desk):
    client = next(x for x in desk.rows("Client") if not x.escalations)
    desk.ok("hand_over", client, reason="bad_reaction")
    assert desk.refused("hand_over", client, reason="bad_reaction") == "not_noted_yet"
    desk.ok("hand_over", client, reason="other")
