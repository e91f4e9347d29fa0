"""The pharmacy's fills and duties, worked out by hand: 13 April 2026 is its first day."""

from datetime import timedelta

import pytest

from davinci_env.environment import Event
from tests.domains.pharmacy_desk import TODAY, Desk, in_stock


@pytest.fixture
def desk():
    desk = Desk()
    yield desk
    desk.env.close()


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
