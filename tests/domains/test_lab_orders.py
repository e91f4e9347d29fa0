"""The results portal of the laboratory: its records, draws, tubes, prices and releases."""

from datetime import datetime, timedelta

import pytest

from davinci_env.domain import load
from davinci_env.domain.examples import failing_examples
from davinci_env.environment import DomainEnvironment, Event, open_environment

NOW = datetime(2026, 4, 13, 10, 5)
LISTED = {"FERR": 1760, "IRON": 640, "CBC": 980, "TSH": 1620, "FT4": 1570, "VITD": 2840}


class Portal:
    """The environment, with what these tests keep saying."""

    def __init__(self, seed: int = 0) -> None:
        self.env: DomainEnvironment = open_environment("lab_orders", seed=seed)
        self.entities = self.env.domain.entities

    def rows(self, entity):
        return self.env.world.all(self.entities[entity])

    def find(self, entity, condition):
        """The first row that is so; its owner is signed in."""
        row = next(row for row in self.rows(entity) if condition(row))
        owner = row if entity == "Subject" else getattr(row, "subject", None)
        if owner is not None:
            self.env.act_for(owner.id)
        return row

    def ok(self, tool, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return result.data

    def refused(self, tool, **arguments):
        before = self.env.capture().state_hash
        result = self.env.call(tool, arguments)
        assert not result.ok, f"{tool} went through"
        assert self.env.capture().state_hash == before
        return result.code

    def violated(self, tool, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return result.violated

    def confirm(self, tool, **arguments):
        self.env.observe(Event("confirmed", {"tool": tool, "arguments": arguments}))

    def broken(self):
        return [
            (check.__name__, row.id)
            for entity, check in self.env.domain.invariants
            for row in self.env.world.all(entity)
            if not check(row)
        ]


@pytest.fixture
def portal():
    return Portal()


def active(order):
    return [t for t in order.ordered_tests if t.status != "dropped"]


def fasting(order):
    return max(t.test_type.fasting_hours for t in active(order))


def plain(order):
    """Whether nothing particular is asked of the draw."""
    return not fasting(order) and not any(t.test_type.quayside_only for t in active(order))


def free_of_orders(subject):
    waiting = [
        o for o in subject.lab_orders if o.payer == "self" and o.status in ("ordered", "scheduled")
    ]
    overdue = [i for i in subject.lab_invoices if i.status == "open" and i.due_on < NOW.date()]
    return len(waiting) < 3 and not overdue


def never_had(subject, *codes):
    return not {t.test_type.id for t in subject.ordered_tests} & set(codes)


# -- the laboratory as it is filled ----------------------------------------------------------------


@pytest.mark.parametrize("scale", [0.2, 1.0, 3.0])
def test_seeded_records_keep_every_invariant(scale):
    domain = load("lab_orders")
    world = domain.build(3, scale)
    for entity, check in domain.invariants:
        assert [row.id for row in world.all(entity) if not check(row)] == []


def test_seed_is_of_its_size_and_reaches_every_state(portal):
    assert 150 <= sum(len(portal.rows(e)) for e in portal.entities) <= 600
    for name, entity in portal.entities.items():
        cycle = entity._info.lifecycle
        if cycle is not None:
            seen = {getattr(r, entity._info.state_column) for r in portal.rows(name)}
            assert seen == set(cycle.states), name
    assert all(len(s.lab_orders) >= 5 for s in portal.rows("Subject"))


def test_policy_has_every_rule_and_its_figures(portal):
    policy = " ".join(portal.env.domain.policy().split())
    assert len(policy.split()) >= 900
    assert "{" not in policy
    missing = {r.code for r in portal.env.domain.rules.values() if r.text not in policy}
    # What guards a read alone stands in the introduction, in other words.
    assert missing <= {"is_released", "may_be_told"}
    assert "told by a physician and by nobody else" in policy
    assert "still in review" in policy
    assert "at most 3 self-paid orders" in policy
    assert "Urgent handling of an order that the person pays costs €18.00" in policy


def test_worked_examples(portal):
    assert failing_examples(portal.env.domain.helpers) == []


def test_keys_are_counted_and_dates_american(portal):
    portal.find("Subject", lambda s: True)
    first = portal.ok("lab_orders_in_my_file")["items"][0]
    assert first["labOrderId"] == "LB26-004417"
    assert datetime.strptime(first["orderedOn"], "%m/%d/%Y")


def test_other_peoples_files_stay_closed(portal):
    portal.find("Subject", lambda s: True)
    other = portal.rows("Subject")[1]
    order = other.lab_orders[0].id
    assert portal.refused("inspect_lab_order", labOrderId=order) == "access_denied"
    assert portal.refused("renew_order", labOrderId=order) == "access_denied"


# -- prices ----------------------------------------------------------------------------------------


def test_a_panel_is_cheaper_than_its_tests(portal):
    quote = portal.ok("compare_panel", panelCode="PAN-IRON")
    # 15 % off each: 1760 -> 1496, 640 -> 544, 980 -> 833
    assert (quote["price"], quote["singly"], quote["saving"]) == (2873, 3380, 507)
    assert (quote["tests"], quote["fastingHours"]) == (3, 8)


def test_ordering_a_panel_makes_an_order_at_its_price(portal):
    portal.find("Subject", lambda s: free_of_orders(s) and never_had(s, "TSH", "FT4"))
    portal.confirm("order_panel", panelCode="PAN-THY")
    order = portal.ok("order_panel", panelCode="PAN-THY")
    # 12 % off: 1620 -> 1425.6, 1570 -> 1381.6, each rounded down
    assert order["total"] == 1425 + 1381
    assert (order["validUntil"], order["payer"]) == ("05/13/2026", "self")
    assert order["orderedBy"] == "Dr. Ilse Marwitz"
    assert portal.broken() == []


def test_single_tests_cost_their_list_price(portal):
    portal.find("Subject", lambda s: free_of_orders(s) and never_had(s, "FERR", "FT4"))
    quote = portal.ok("quote_tests", testTypeIds=["FERR", "FT4"])
    assert quote == {"price": LISTED["FERR"] + LISTED["FT4"], "slowestHours": 24}
    order = portal.ok("place_order", testTypeIds=["FERR", "FT4"])
    assert order["total"] == 3330
    assert order["purpose"] == "ferritin and thyroxine"


def test_singles_that_make_up_a_panel_are_refused(portal):
    portal.find("Subject", lambda s: free_of_orders(s) and never_had(s, "TSH", "FT4", "CRP"))
    wanted = ["TSH", "CRP", "FT4"]
    assert portal.refused("place_order", testTypeIds=wanted) == "no_panel_cheaper"


def test_an_order_without_a_yes_is_a_breach(portal):
    portal.find("Subject", lambda s: free_of_orders(s) and never_had(s, "VITD"))
    assert portal.violated("place_order", testTypeIds=["VITD"]) == ("agreed",)


def test_what_stops_an_order(portal):
    portal.find("Subject", free_of_orders)
    assert portal.refused("place_order", testTypeIds=["INR"]) == "open_to_self_payers"
    full = portal.find(
        "Subject",
        lambda s: sum(o.payer == "self" and o.status in ("ordered", "scheduled")
                      for o in s.lab_orders) == 3
        and all(i.status != "open" or i.due_on >= NOW.date() for i in s.lab_invoices),
    )  # fmt: skip
    assert portal.refused("order_panel", panelCode="PAN-VIT") == "self_orders_left"
    assert len(full.lab_orders) >= 5
    portal.find("LabInvoice", lambda i: i.status == "open" and i.due_on < NOW.date())
    assert portal.refused("place_order", testTypeIds=["CRP"]) == "nothing_overdue"


def test_a_test_is_not_repeated_within_its_interval(portal):
    done = portal.find(
        "OrderedTest",
        lambda t: t.status == "resulted" and not t.test_type.doctor_only
        and free_of_orders(t.subject)
        and (NOW.date() - t.lab_order.draw_at.date()).days < t.test_type.repeat_days,
    )  # fmt: skip
    assert portal.refused("place_order", testTypeIds=[done.test_type.id]) == "interval_over"


# -- tests on an order -----------------------------------------------------------------------------


def test_a_test_is_dropped_and_put_back(portal):
    test = portal.find(
        "OrderedTest",
        lambda t: t.price and t.status == "requested" and len(active(t.lab_order)) > 1
        and t.lab_order.status == "ordered",
    )  # fmt: skip
    before = test.lab_order.total
    portal.ok("drop_test", orderedTestId=test.id)
    assert test.lab_order.total == before - test.price
    assert portal.refused("drop_test", orderedTestId=test.id) == "ordered_test_not_requested"
    portal.ok("put_back_test", orderedTestId=test.id)
    assert (test.status, test.lab_order.total) == ("requested", before)


def test_the_last_test_is_not_dropped_and_a_doctors_only_in_breach(portal):
    last = portal.find(
        "OrderedTest",
        lambda t: t.status == "requested" and len(active(t.lab_order)) == 1
        and t.lab_order.status == "ordered",
    )  # fmt: skip
    assert portal.refused("drop_test", orderedTestId=last.id) == "something_left"
    order = portal.find(
        "LabOrder", lambda o: o.payer == "insurer" and o.status == "ordered" and
        free_of_orders(o.subject) and never_had(o.subject, "CRP"),
    )  # fmt: skip
    portal.ok("add_tests", labOrderId=order.id, testTypeIds=["CRP"])
    doctors = next(t for t in order.ordered_tests if not t.price)
    assert "doctors_tests_stay" in portal.violated("drop_test", orderedTestId=doctors.id)


def test_adding_before_the_draw_costs_the_price_alone(portal):
    order = portal.find(
        "LabOrder", lambda o: o.status == "ordered" and o.payer == "insurer"
        and free_of_orders(o.subject) and never_had(o.subject, "FERR"),
    )  # fmt: skip
    invoices = len(order.subject.lab_invoices)
    quote = portal.ok("quote_add_on", labOrderId=order.id, testTypeIds=["FERR"])
    assert quote == {"price": 1760, "fee": 0, "toPay": 1760}
    assert portal.ok("add_tests", labOrderId=order.id, testTypeIds=["FERR"])["total"] == 1760
    assert len(order.subject.lab_invoices) == invoices


def test_adding_to_a_stable_tube_is_billed_at_once(portal):
    order = portal.find(
        "LabOrder", lambda o: o.status in ("collected", "in_analysis")
        and any(s.tube == "serum" and s.status == "received" for s in o.specimens)
        and free_of_orders(o.subject) and never_had(o.subject, "FERR"),
    )  # fmt: skip
    before = order.total
    data = portal.ok("add_tests", labOrderId=order.id, testTypeIds=["FERR"])
    assert data["total"] == before + 1760
    invoice = order.subject.lab_invoices[-1]
    assert (invoice.kind, invoice.amount) == ("extra", 1760 + 450)
    assert invoice.due_on == NOW.date() + timedelta(days=14)


def test_a_tube_that_is_too_old_serves_no_more(portal):
    order = portal.find(
        "LabOrder", lambda o: o.status == "in_analysis" and free_of_orders(o.subject)
        and never_had(o.subject, "POT")
        and any(s.status == "received" for s in o.specimens),
    )  # fmt: skip
    # Potassium is stable for 4 hours, the blood was drawn 26 hours ago.
    assert portal.refused("add_tests", labOrderId=order.id, testTypeIds=["POT"]) == (
        "tube_still_good"
    )


def test_what_is_added_has_to_suit_the_booked_draw(portal):
    order = portal.find(
        "LabOrder", lambda o: o.status == "scheduled" and o.draw_at.hour > 10
        and free_of_orders(o.subject) and never_had(o.subject, "TRIG", "CRP"),
    )  # fmt: skip
    call = {"labOrderId": order.id, "testTypeIds": ["TRIG"]}
    assert portal.refused("add_tests", **call) == "fits_booked_draw"
    assert portal.ok("add_tests", labOrderId=order.id, testTypeIds=["CRP"])


# -- draws -----------------------------------------------------------------------------------------


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


# -- priority, tubes, results ----------------------------------------------------------------------


def test_urgency_costs_its_surcharge_and_can_be_taken_back(portal):
    order = portal.find("LabOrder", lambda o: o.payer == "self" and o.status == "ordered"
                        and o.priority == "urgent")  # fmt: skip
    before = order.total
    quote = portal.ok("quote_priority", labOrderId=order.id, priority="routine")
    assert quote == {"newTotal": before - 1800}
    data = portal.ok("set_priority", labOrderId=order.id, priority="routine")
    assert data["total"] == before - 1800
    call = {"labOrderId": order.id, "priority": "routine"}
    assert portal.refused("set_priority", **call) == "same_priority"
    assert portal.ok("set_priority", labOrderId=order.id, priority="urgent")["total"] == before


def test_a_slow_test_cannot_be_hurried(portal):
    order = portal.find("LabOrder", lambda o: o.payer == "self" and o.status == "ordered"
                        and o.priority == "routine"
                        and any(t.test_type.id == "VITD" for t in active(o)))  # fmt: skip
    call = {"labOrderId": order.id, "priority": "urgent"}
    assert portal.refused("set_priority", **call) == "can_be_hurried"


def test_a_rejected_tube_gets_a_free_order(portal):
    tube = portal.find(
        "Specimen", lambda s: s.status == "rejected"
        and (NOW.date() - s.rejected_on).days <= 21
        and not any(t.status == "requested" and t.lab_order.status != "cancelled"
                    and t.test_type.id in {x.test_type.id for x in s.lab_order.ordered_tests}
                    for t in s.subject.ordered_tests),
    )  # fmt: skip
    data = portal.ok("request_recollection", specimenId=tube.id)
    assert (data["total"], data["payer"], data["replacesId"]) == (
        0, "laboratory", tube.lab_order.id,
    )  # fmt: skip
    assert data["validUntil"] == "05/13/2026"
    assert tube.status == "replaced"
    spoiled = {t.test_type.id for t in tube.lab_order.ordered_tests if t.status == "spoiled"}
    new = tube.subject.lab_orders[-1]
    assert {t.test_type.id for t in new.ordered_tests} == spoiled
    assert portal.broken() == []


def test_a_tube_that_was_rejected_long_ago_is_not_replaced(portal):
    tube = portal.find("Specimen", lambda s: s.status == "rejected"
                       and (NOW.date() - s.rejected_on).days > 21)  # fmt: skip
    assert portal.refused("request_recollection", specimenId=tube.id) == "asked_in_time"


def test_a_released_value_is_told_with_the_range_of_the_sex(portal):
    result = portal.find(
        "LabResult", lambda r: r.released and r.flag != "critical" and r.subject.sex == "female"
        and r.ordered_test.test_type.low_female is not None,
    )  # fmt: skip
    kind = result.ordered_test.test_type
    data = portal.ok("read_result", labResultId=result.id)
    assert data["value"] == f"{result.value:g} {kind.unit}"
    assert data["reference"] == f"{kind.low_female:g} to {kind.high_female:g} {kind.unit}"


def test_values_stay_hidden_in_lists_and_before_release(portal):
    critical = portal.find("LabResult", lambda r: r.released and r.flag == "critical")
    listed = portal.ok("lab_results_in_my_file")["items"]
    assert all("value" not in item and "flag" not in item for item in listed)
    assert portal.refused("read_result", labResultId=critical.id) == "may_be_told"
    fresh = portal.find("LabResult", lambda r: not r.released)
    assert portal.refused("read_result", labResultId=fresh.id) == "is_released"


def test_an_urgent_report_takes_half_the_time(portal):
    order = portal.find("LabOrder", lambda o: o.status == "scheduled" and o.priority == "routine")
    hours = max(t.test_type.turnaround_hours for t in active(order))
    data = portal.ok("expected_report", labOrderId=order.id)
    due = datetime.strptime(data["reportAt"], "%m/%d/%Y %H:%M")
    assert due == order.draw_at + timedelta(hours=hours)


# -- releases, invoices, cases ---------------------------------------------------------------------


def reported(portal, condition=lambda o: True):
    return portal.find(
        "LabOrder", lambda o: o.status == "reported" and condition(o)
        and all(r.released for t in o.ordered_tests for r in t.lab_results),
    )  # fmt: skip


def live(order):
    return [s for s in order.result_shares if s.status == "active"]


def test_a_report_is_released_to_two_doctors_at_most(portal):
    order = reported(portal, lambda o: len(live(o)) == 2)
    have = {s.referring_doctor for s in live(order)}
    third = next(d for d in portal.rows("ReferringDoctor") if d.secure_mailbox and d not in have)
    call = {"labOrderId": order.id, "referringDoctorId": third.id, "days": 30}
    assert portal.refused("share_report", **call) == "shares_left"
    portal.ok("revoke_share", resultShareId=live(order)[0].id)
    assert portal.ok("share_report", **call)["expiresOn"] == "05/13/2026"
    assert portal.refused("share_report", **call) == "not_shared_with"


def test_a_release_needs_a_mailbox_a_whole_report_and_the_date_of_birth(portal):
    order = reported(portal, lambda o: not live(o))
    doctors = portal.rows("ReferringDoctor")
    unreached = next(d for d in doctors if not d.secure_mailbox)
    good = next(d for d in doctors if d.secure_mailbox)
    call = {"labOrderId": order.id, "referringDoctorId": unreached.id, "days": 14}
    assert portal.refused("share_report", **call) == "reached_securely"
    call["referringDoctorId"] = good.id
    snapshot = portal.env.snapshot()
    assert set(portal.violated("share_report", **call)) == {"agreed", "born_on"}
    portal.env.restore(snapshot)
    born = order.subject.birth_date.strftime("%m/%d/%Y")
    portal.env.observe(Event("revealed", {"fact": "birth_date", "value": born}))
    portal.confirm("share_report", **call)
    assert "agreed" not in portal.violated("share_report", **call)
    part = portal.find("LabOrder", lambda o: o.status == "reported" and any(
        not r.released for t in o.ordered_tests for r in t.lab_results))  # fmt: skip
    call["labOrderId"] = part.id
    assert portal.refused("share_report", **call) == "report_complete"


def test_invoices_are_settled_in_full_and_the_overdue_one_first(portal):
    late = portal.find("LabInvoice", lambda i: i.status == "open" and i.due_on < NOW.date())
    subject = late.subject
    unpaid = [i for i in subject.lab_invoices if i.status == "open"]
    state = portal.ok("account_state")
    assert state["openAmount"] == sum(i.amount for i in unpaid)
    assert state["overdue"] == sum(i.amount for i in unpaid if i.due_on < NOW.date())
    data = portal.ok("settle_invoices", labInvoiceIds=[late.id])
    assert data == {"paid": late.amount, "left": sum(i.amount for i in unpaid) - late.amount}
    assert portal.refused("settle_invoices", labInvoiceIds=[late.id]) == "still_to_pay"


def test_paying_past_an_overdue_invoice_is_a_breach(portal):
    subject = portal.find(
        "Subject", lambda s: {i.due_on < NOW.date() for i in s.lab_invoices if i.status == "open"}
        == {True, False},
    )  # fmt: skip
    later = next(
        i for i in subject.lab_invoices if i.status == "open" and i.due_on >= NOW.date()
    )  # fmt: skip
    assert "overdue_first" in portal.violated("settle_invoices", labInvoiceIds=[later.id])


def test_one_card_payment_has_its_limit(portal):
    subject = portal.find("Subject", lambda s: sum(
        i.amount for i in s.lab_invoices if i.status == "open") > 4000)  # fmt: skip
    bills = [i.id for i in subject.lab_invoices if i.status == "open"]
    assert portal.refused("settle_invoices", labInvoiceIds=bills) == "within_card_limit"


def test_a_case_goes_to_its_team_once(portal):
    portal.find("Subject", lambda s: not s.lab_escalations)
    data = portal.ok("escalate", reason="result_meaning")
    assert (data["team"], data["status"]) == ("duty_physician", "open")
    assert portal.refused("escalate", reason="result_meaning") == "not_with_us_yet"
    assert portal.ok("escalate", reason="billing_dispute")["team"] == "billing_office"
