"""The results portal of the laboratory: booking, moving and calling off a draw."""

from datetime import datetime, timedelta

import pytest

from tests.domains.results_portal import NOW, Portal, active


@pytest.fixture
def portal():
    return Portal()


def fasting(order):
    return max(t.test_type.fasting_hours for t in active(order))


def plain(order):
    """Whether nothing particular is asked of the draw."""
    return not fasting(order) and not any(t.test_type.quayside_only for t in active(order))


def suiting(portal, order):
    return portal.ok("next_draw", labOrderId=order.id)["collectionSlotId"]


def test_booking_takes_a_chair_and_giving_back_frees_it(portal):
    order = portal.find(
        "LabOrder", lambda o: o.status == "ordered" and plain(o) and o.priority == "routine"
        and o.valid_until > NOW.date() + timedelta(days=9),
    )  # fmt: skip
    slot = portal.env.world.get(portal.entities["CollectionSlot"], suiting(portal, order))
    free = slot.free
    data = portal.ok("book_draw", labOrderId=order.id, collectionSlotId=slot.id)
    assert data["drawAt"] == slot.starts_at.strftime("%m/%d/%Y %H:%M")
    assert (slot.free, order.status) == (free - 1, "scheduled")
    if slot.starts_at - NOW >= timedelta(hours=12):
        portal.ok("cancel_draw", labOrderId=order.id)
        assert (slot.free, order.status, order.draw_at) == (free, "ordered", None)
    assert portal.broken() == []


def test_the_next_draw_is_the_earliest_that_suits(portal):
    order = portal.find("LabOrder", lambda o: o.status == "ordered" and plain(o)
                        and o.valid_until > NOW.date())  # fmt: skip
    slots = [
        s for s in portal.rows("CollectionSlot")
        if s.status == "open" and s.starts_at - NOW >= timedelta(hours=2)
        and s.starts_at.date() <= order.valid_until
    ]  # fmt: skip
    assert suiting(portal, order) == min(slots, key=lambda s: (s.starts_at, s.id)).id


def test_what_stops_a_draw(portal):
    def slot(condition):
        return next(
            s for s in portal.rows("CollectionSlot") if s.starts_at > NOW and condition(s)
        ).id

    def book(order, slot_id):
        return portal.refused("book_draw", labOrderId=order.id, collectionSlotId=slot_id)

    hungry = portal.find(
        "LabOrder", lambda o: o.status == "ordered" and fasting(o) and o.priority == "routine"
        and o.valid_until >= NOW.date() + timedelta(days=12),
    )  # fmt: skip
    late = slot(lambda s: s.status == "open" and s.starts_at.hour >= 13
                and s.starts_at > NOW + timedelta(days=1))  # fmt: skip
    assert book(hungry, late) == "fasting_in_the_morning"
    early = slot(lambda s: s.status == "open" and s.starts_at.hour < 10
                 and s.starts_at < NOW + timedelta(days=1))  # fmt: skip
    assert book(hungry, early) == "time_to_fast"
    assert book(hungry, slot(lambda s: s.status == "closed")) == "collection_slot_not_open"
    far = slot(lambda s: s.starts_at > NOW + timedelta(days=29))
    assert book(hungry, far) == "chair_free"
    expired = portal.find("LabOrder", lambda o: o.status == "ordered" and plain(o)
                          and o.valid_until < NOW.date())  # fmt: skip
    soon = slot(lambda s: s.status == "open" and s.starts_at > NOW + timedelta(days=1))
    assert book(expired, soon) == "within_validity"
    urgent = portal.find("LabOrder", lambda o: o.status == "ordered" and plain(o)
                         and o.priority == "urgent"
                         and o.valid_until > NOW.date() + timedelta(days=10))  # fmt: skip
    later = slot(lambda s: s.status == "open" and s.starts_at > NOW + timedelta(days=5))
    assert book(urgent, later) == "urgent_drawn_soon"
    clotting = portal.find("LabOrder", lambda o: o.status == "scheduled" and any(
        t.test_type.id == "INR" for t in o.ordered_tests))  # fmt: skip
    elsewhere = slot(lambda s: s.status == "open" and s.site != "Quayside"
                     and s.starts_at > NOW + timedelta(days=1))  # fmt: skip
    call = {"labOrderId": clotting.id, "collectionSlotId": elsewhere}
    assert portal.refused("move_draw", **call) == "drawn_there"
    call["collectionSlotId"] = clotting.collection_slot.id
    assert portal.refused("move_draw", **call) == "another_draw"


def test_renewing_an_expired_order_lets_it_be_drawn(portal):
    order = portal.find("LabOrder", lambda o: o.status == "ordered" and not o.renewals
                        and o.valid_until < NOW.date() and plain(o))  # fmt: skip
    # The 45 days count from today, as the last day is over.
    assert portal.ok("renew_order", labOrderId=order.id)["validUntil"] == "05/28/2026"
    assert portal.refused("renew_order", labOrderId=order.id) == "renewed_once_only"
    portal.ok("book_draw", labOrderId=order.id, collectionSlotId=suiting(portal, order))
    far = portal.find("LabOrder", lambda o: o.status == "ordered" and not o.renewals
                      and o.valid_until > NOW.date() + timedelta(days=21))  # fmt: skip
    assert portal.refused("renew_order", labOrderId=far.id) == "renewal_time"


def test_preparation_is_looked_up_for_exactly_that_draw(portal):
    order = portal.find(
        "LabOrder", lambda o: o.status == "ordered" and fasting(o) and o.priority == "routine"
        and o.valid_until >= NOW.date() + timedelta(days=9),
    )  # fmt: skip
    slot = suiting(portal, order)
    call = {"labOrderId": order.id, "collectionSlotId": slot}
    snapshot = portal.env.snapshot()
    assert "preparation_told" in portal.violated("book_draw", **call)
    portal.env.restore(snapshot)
    quote = portal.ok("preparation_for", **call)
    start = portal.env.world.get(portal.entities["CollectionSlot"], slot).starts_at
    eaten = datetime.strptime(quote["lastMeal"], "%m/%d/%Y %H:%M")
    assert eaten == start - timedelta(hours=fasting(order))
    tubes = {t.test_type.tube for t in active(order)}
    assert quote["stay"] == f"0:{10 + 5 * len(tubes)}"
    portal.confirm("book_draw", **call)
    assert "preparation_told" not in portal.violated("book_draw", **call)


def test_the_second_move_of_a_draw_is_charged(portal):
    order = portal.find(
        "LabOrder", lambda o: o.status == "scheduled" and not o.moves and plain(o)
        and o.draw_at > NOW + timedelta(hours=12)
        and o.valid_until > NOW.date() + timedelta(days=10),
    )  # fmt: skip
    slots = [
        s for s in portal.rows("CollectionSlot")
        if s.status == "open" and s is not order.collection_slot
        and NOW + timedelta(hours=12) < s.starts_at and s.starts_at.date() <= order.valid_until
    ]  # fmt: skip
    bills = len(order.subject.lab_invoices)
    portal.ok("move_draw", labOrderId=order.id, collectionSlotId=slots[0].id)
    assert len(order.subject.lab_invoices) == bills
    portal.ok("move_draw", labOrderId=order.id, collectionSlotId=slots[1].id)
    assert order.subject.lab_invoices[-1].amount == 650
    assert (order.moves, portal.broken()) == (2, [])


def test_a_draw_in_four_hours_stays_where_it_is_and_costs_a_fee_to_call_off(portal):
    order = portal.find(
        "LabOrder",
        lambda o: o.status == "scheduled" and o.payer == "self"
        and timedelta(hours=2) < o.draw_at - NOW < timedelta(hours=12),
    )  # fmt: skip
    assert portal.refused("cancel_draw", labOrderId=order.id) == "notice_for_draw"
    tests = len(active(order))
    fee = portal.ok("quote_cancellation", labOrderId=order.id)["fee"]
    assert fee == 1200 + 150 * tests
    portal.confirm("cancel_order", labOrderId=order.id)
    assert portal.violated("cancel_order", labOrderId=order.id) == ()
    assert order.subject.lab_invoices[-1].amount == fee
    assert portal.broken() == []


def test_the_fee_has_to_be_looked_up_and_labelled_tubes_stay(portal):
    order = portal.find(
        "LabOrder",
        lambda o: o.status == "scheduled" and o.payer == "self"
        and timedelta(hours=2) < o.draw_at - NOW < timedelta(hours=12),
    )  # fmt: skip
    assert set(portal.violated("cancel_order", labOrderId=order.id)) == {"agreed", "fee_told"}
    close = portal.find("LabOrder", lambda o: o.status == "scheduled"
                        and o.draw_at - NOW < timedelta(hours=2))  # fmt: skip
    assert portal.refused("cancel_order", labOrderId=close.id) == "not_labelled_yet"


def test_a_doctors_order_is_called_off_only_in_breach(portal):
    order = portal.find("LabOrder", lambda o: o.status == "ordered" and o.payer == "insurer")
    portal.confirm("cancel_order", labOrderId=order.id)
    assert portal.violated("cancel_order", labOrderId=order.id) == ("own_order",)


def test_couch_and_one_draw_a_day(portal):
    order = portal.find("LabOrder", lambda o: o.subject.care_note == "faints_easily"
                        and o.status == "ordered" and plain(o) and o.priority == "routine"
                        and o.valid_until > NOW.date() + timedelta(days=8))  # fmt: skip
    booked = {o.draw_at.date() for o in order.subject.lab_orders if o.status == "scheduled"}
    slots = [s for s in portal.rows("CollectionSlot") if s.status == "open"
             and s.starts_at > NOW + timedelta(days=1)
             and s.starts_at.date() <= order.valid_until]  # fmt: skip
    hard = next(s for s in slots if not s.couch and s.starts_at.date() not in booked)
    call = {"labOrderId": order.id, "collectionSlotId": hard.id}
    portal.confirm("book_draw", **call)
    assert portal.violated("book_draw", **call) == ("couch_for_the_faint",)
    portal = Portal()
    pair = portal.find(
        "LabOrder", lambda o: o.status == "ordered" and plain(o) and o.priority == "routine"
        and o.valid_until > NOW.date() + timedelta(days=8) and o.subject.care_note is None
        and any(x.status == "scheduled" and x.draw_at > NOW + timedelta(days=1)
                and any(s.status == "open" and s.starts_at.date() == x.draw_at.date()
                        for s in portal.rows("CollectionSlot"))
                for x in o.subject.lab_orders),
    )  # fmt: skip
    days = {x.draw_at.date() for x in pair.subject.lab_orders if x.status == "scheduled"}
    same = next(s for s in portal.rows("CollectionSlot") if s.status == "open"
                and s.starts_at.date() in days
                and s.starts_at > NOW + timedelta(days=1))  # fmt: skip
    call = {"labOrderId": pair.id, "collectionSlotId": same.id}
    portal.confirm("book_draw", **call)
    assert portal.violated("book_draw", **call) == ("one_draw_a_day",)
