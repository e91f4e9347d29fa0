"""The pharmacy's business, worked out by hand: 13 April 2026 is its first day."""

from datetime import date, datetime, timedelta
from functools import cache

import pytest

from davinci_env.domain import load
from davinci_env.environment import DomainEnvironment, Event

TODAY = date(2026, 4, 13)


@cache
def domain():
    return load("pharmacy_dispensing")


class Desk:
    """The environment, with what these tests keep saying."""

    def __init__(self, seed: int = 0, scale: float = 1.0) -> None:
        self.env = DomainEnvironment(domain(), domain().build(seed, scale), seed=seed, scale=scale)

    def rows(self, entity: str, *conditions):
        found = self.env.world.all(domain().entities[entity])
        return [x for x in found if all(c(x) for c in conditions)]

    def blocked(self, tool: str, row, **arguments) -> list[str]:
        self.env.act_for(self.client_of(row).id)
        return domain().tools[tool].blockers(self.env.bind(tool, arguments))

    def client_of(self, row):
        return row if row._info.noun == "client" else row.client

    def call(self, tool: str, row, **arguments):
        self.env.act_for(self.client_of(row).id)
        return self.env.call(tool, arguments)

    def ok(self, tool: str, row, **arguments):
        result = self.call(tool, row, **arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        assert not self.broken()
        return result.data["data"] if set(result.data) == {"data"} else result.data

    def refused(self, tool: str, row, **arguments) -> str:
        before = self.env.capture().state_hash
        result = self.call(tool, row, **arguments)
        assert not result.ok, f"{tool} went through"
        assert self.env.capture().state_hash == before
        return result.code

    def violated(self, tool: str, row, **arguments):
        result = self.call(tool, row, **arguments)
        assert result.ok, f"{tool}: {result.code}"
        return result.violated

    def fillable(self, *conditions):
        """A prescription of which a whole fill can be ordered."""
        for rx in self.rows("Prescription", lambda x: x.status == "active", *conditions):
            if not self.blocked("request_fill", rx, prescription_id=rx.id):
                return rx
        raise AssertionError("no prescription can be filled")

    def alone(self, tool: str, code: str, argument: str, rows):
        """A row for which this rule alone forbids the call."""
        for row in rows:
            if self.blocked(tool, row, **{argument: row.id}) == [code]:
                return row
        raise AssertionError(f"nothing is blocked by {code} alone")

    def broken(self):
        world = self.env.world
        return [
            f"{check.__name__}({row.id})"
            for entity, check in domain().invariants
            for row in world.all(entity)
            if not check(row)
        ]


@pytest.fixture
def desk():
    desk = Desk()
    yield desk
    desk.env.close()


def controlled(rx) -> bool:
    return rx.medicine.schedule == "controlled"


def in_stock(medicine) -> int:
    last = TODAY + timedelta(days=30)
    return sum(lot.packs for lot in medicine.lots if lot.expires_on >= last)


@pytest.mark.parametrize(("seed", "scale"), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (0, 3)])
def test_the_world_holds_its_invariants(seed, scale):
    desk = Desk(seed, scale)
    assert not desk.broken()
    assert {x.status for x in desk.rows("Prescription")} == {
        "active", "on_hold", "exhausted", "expired", "cancelled",
    }  # fmt: skip
    desk.env.close()


# -- fills ----


def test_a_fill_moves_supply_refill_date_stock_and_cap(desk):
    rx = desk.fillable(lambda x: x.supply_until and x.supply_until >= TODAY and not x.client.exempt)
    client, days = rx.client, rx.quantity // rx.daily_dose
    until, used, booked = rx.supply_until, rx.refills_used, client.copay_booked
    stock, packs = in_stock(rx.medicine), rx.quantity // rx.medicine.pack_size
    quote = desk.ok("quote_fill", rx, prescription_id=rx.id)
    fill = desk.ok("request_fill", rx, prescription_id=rx.id)
    assert rx.supply_until == until + timedelta(days=days)
    assert rx.next_refill_on == rx.supply_until - timedelta(days=days * 25 // 100)
    assert rx.timing == "usual" and rx.refills_used == used + 1
    assert in_stock(rx.medicine) == stock - packs
    assert fill["to_pay"] == quote["to_pay"]
    assert fill["pickup_by"] == "2026-04-20" and fill["owed_packs"] == 0
    assert client.copay_booked - booked == round(quote["copay"] * 100)


def test_the_lot_that_expires_first_goes_first(desk):
    rx = desk.fillable(lambda x: len(x.medicine.lots) > 1 and x.quantity == x.medicine.pack_size)
    good = [x for x in rx.medicine.lots if x.packs and (x.expires_on - TODAY).days >= 30]
    first = min(good, key=lambda x: x.expires_on)
    before = {x.id: x.packs for x in rx.medicine.lots}
    desk.ok("request_fill", rx, prescription_id=rx.id)
    changed = [x.id for x in rx.medicine.lots if x.packs != before[x.id]]
    assert changed == [first.id]


def test_a_cancelled_fill_gives_everything_back(desk):
    rx = desk.fillable()
    client = rx.client
    before = (rx.supply_until, rx.refills_used, in_stock(rx.medicine), client.copay_booked)
    fill = desk.ok("request_fill", rx, prescription_id=rx.id)
    assert rx.refills_used == before[1] + 1
    desk.ok("cancel_fill", rx, fill_id=fill["fill_id"])
    assert (rx.supply_until, rx.refills_used, in_stock(rx.medicine), client.copay_booked) == before
    assert not [x for x in desk.rows("LotDraw") if x.fill.id == fill["fill_id"]]


def test_a_part_fill_owes_the_missing_packs(desk):
    part = next(
        x
        for x in desk.rows("Prescription", lambda x: x.status == "active")
        if not desk.blocked("request_part_fill", x, prescription_id=x.id)
    )
    there, packs = in_stock(part.medicine), part.quantity // part.medicine.pack_size
    fill = desk.ok("request_part_fill", part, prescription_id=part.id)
    assert there > 0 and fill["owed_packs"] == packs - there
    assert in_stock(part.medicine) == 0
    desk.ok("cancel_fill", part, fill_id=fill["fill_id"])
    assert in_stock(part.medicine) == there


@pytest.mark.parametrize(
    "code",
    ["fills_left", "refill_date_reached", "account_open", "enough_on_shelf", "safe_to_take"],
)
def test_what_stands_in_the_way_of_a_fill(desk, code):
    rx = desk.alone("request_fill", code, "prescription_id", desk.rows("Prescription"))
    assert desk.refused("request_fill", rx, prescription_id=rx.id) == code


def test_one_open_fill_for_a_prescription(desk):
    rx = desk.fillable()
    desk.ok("request_fill", rx, prescription_id=rx.id)
    assert "no_open_fill" in desk.blocked("request_fill", rx, prescription_id=rx.id)
    assert desk.refused("hold_prescription", rx, prescription_id=rx.id) == "no_open_fill"
    assert desk.refused("cancel_prescription", rx, prescription_id=rx.id) == "no_open_fill"


def test_nobody_fills_the_prescription_of_somebody_else(desk):
    rx = desk.fillable()
    other = next(x for x in desk.rows("Client") if x is not rx.client)
    assert desk.refused("request_fill", other, prescription_id=rx.id) == "access_denied"


def test_a_whole_stock_is_not_split(desk):
    rx = desk.fillable()
    code = desk.refused("request_part_fill", rx, prescription_id=rx.id)
    assert code == "part_makes_sense"


def test_interactions_name_what_is_at_home(desk):
    rx = desk.alone(
        "request_fill",
        "safe_to_take",
        "prescription_id",
        desk.rows("Prescription", lambda x: x.medicine.substance == "clarithromycin"),
    )
    found = desk.ok("check_interactions", rx, prescription_id=rx.id)
    found = found if isinstance(found, list) else next(iter(found.values()))
    assert {x["severity"] for x in found} == {"severe"}


# -- what the assistant has to keep ----


def test_a_moderate_interaction_goes_to_the_pharmacist(desk):
    for rx in desk.rows("Prescription", lambda x: x.status == "active" and not x.counselled):
        if not [
            x
            for x in desk.blocked("request_fill", rx, prescription_id=rx.id)
            if x not in ("agreed", "pharmacist_cleared")
        ]:
            found = "pharmacist_cleared" in desk.violated("request_fill", rx, prescription_id=rx.id)
            if found:
                break
    else:
        raise AssertionError("no moderate interaction or mild allergy anywhere")


def test_a_yes_is_for_one_call(desk):
    rx = desk.fillable()
    arguments = {"prescription_id": rx.id}
    desk.env.act_for(rx.client.id)
    desk.env.observe(Event("confirmed", {"tool": "request_fill", "arguments": arguments}))
    assert "agreed" not in desk.violated("request_fill", rx, **arguments)
    fill = next(x for x in rx.fills if x.status == "requested")
    assert "agreed" in desk.violated("cancel_fill", rx, fill_id=fill.id)


def test_a_renewal_needs_the_date_of_birth_and_no_controlled_medicine(desk):
    broken = set()
    for rx in desk.rows("Prescription", lambda x: x.status in ("exhausted", "active")):
        if not desk.blocked("request_renewal", rx, prescription_id=rx.id):
            broken |= set(desk.violated("request_renewal", rx, prescription_id=rx.id))
    assert broken == {"birth_date_checked", "controlled_in_person"}


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
