"""The stock desk: promises, reservations, transfers, watches and the person."""

from datetime import timedelta

import pytest

from davinci_env.environment import Event
from tests.domains.stock_desk import TODAY, Ledger, cents, offer

HOLD_DAYS = {"standard": 5, "trade": 10, "colleague": 7}
HORIZON = {"standard": 14, "trade": 28, "colleague": 21}


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


def moving(reservation) -> bool:
    return any(x.status in ("draft", "in_transit") for x in reservation.stock_transfers)


# -- promises and reservations ---------------------------------------------------------------------


def test_a_promise_leaves_out_what_is_reserved_quarantined_and_kept_back(ledger: Ledger) -> None:
    for level in ledger.rows("StockLevel")[::9]:
        told = ledger.ok("check_promise", skuCode=level.sku.id, locationCode=level.location.id)
        kept = told["reserved"] + told["quarantined"] + told["safetyStock"]
        assert told["available"] == max(0, told["onHand"] - kept)
    carried = [level.location.id for level in ledger.rows("Sku")[0].stock_levels]
    elsewhere = ledger.find("Location", lambda x: x.id not in carried)
    arguments = {"skuCode": ledger.rows("Sku")[0].id, "locationCode": elsewhere.id}
    assert ledger.refused("check_promise", **arguments) == "not_carried"


def test_a_reservation_promises_its_pieces_for_the_days_of_the_account(ledger: Ledger) -> None:
    requester, level, _ = ledger.open_offer(packs=2)
    before, pieces = level.reserved, level.sku.pack_size
    made = ledger.ok("reserve_stock", **offer(requester, level, pieces), reference="#W5490124")
    assert level.reserved == before + pieces
    assert made["expiresOn"] == str(TODAY + timedelta(days=HOLD_DAYS[requester.tier]))
    assert cents(made["value"]) == pieces * level.sku.unit_price
    assert made["reference"] == "#W5490124"
    assert ledger.violated("reserve_stock", **offer(requester, level, level.sku.pack_size)) == {
        "not_reserved_there"
    }
    assert ledger.broken() == []


def test_no_reservation_beyond_packs_stock_or_quota(ledger: Ledger) -> None:
    packed = ledger.find("StockLevel", lambda x: x.sku.pack_size > 1 and ledger.free(x) > 2)
    requester, level, _ = ledger.open_offer()
    assert ledger.refused(
        "reserve_stock", **offer(requester, packed, packed.sku.pack_size + 1)
    ) == ("in_whole_packs")
    single = ledger.find("StockLevel", lambda x: x.sku.pack_size == 1 and 0 < ledger.free(x) < 30)
    more = ledger.free(single) + 1
    assert ledger.refused("reserve_stock", **offer(requester, single, more)) == "enough_to_promise"
    full = ledger.find("Requester", lambda x: ledger.room(x) == 0)
    pack = level.sku.pack_size
    assert ledger.refused("reserve_stock", **offer(full, level, pack)) == "within_quota"
    given_up = next(x for x in full.reservations if x.status == "held" and not moving(x))
    ledger.ok("release_reservation", reservationId=given_up.id)
    if ledger.room(full) >= pack and ledger.free(level) >= pack:
        ledger.ok("reserve_stock", **offer(full, level, pack))


def test_who_let_goods_lapse_waits_and_closed_locations_take_nothing(ledger: Ledger) -> None:
    verdicts = {}
    for x in ledger.rows("Reservation"):
        for level in x.sku.stock_levels:
            pack = x.sku.pack_size
            fits = ledger.free(level) >= pack and ledger.room(x.requester) >= pack
            if x.status == "lapsed" and fits and level.location.status == "open":
                broken = ledger.violated("reserve_stock", **offer(x.requester, level, pack))
                ago = (TODAY - x.expires_on).days
                verdicts.setdefault(ago, set()).update(broken)
                ledger.env.reset()
    assert "not_lapsed_lately" in verdicts[10]
    assert "not_lapsed_lately" not in verdicts[11]
    shut = ledger.find(
        "StockLevel", lambda x: x.location.status == "closed" and ledger.free(x) >= x.sku.pack_size
    )
    for requester in ledger.rows("Requester"):
        if ledger.room(requester) >= shut.sku.pack_size:
            broken = ledger.violated("reserve_stock", **offer(requester, shut, shut.sku.pack_size))
            assert "location_open" in broken
            break


def test_resizing_moves_the_promise_by_the_difference(ledger: Ledger) -> None:
    reservation = ledger.find(
        "Reservation",
        lambda x: (
            x.status == "held"
            and not moving(x)
            and ledger.room(x.requester) >= x.sku.pack_size
            and ledger.free(ledger.level(x.sku, x.location)) >= x.sku.pack_size
        ),
    )
    level = ledger.level(reservation.sku, reservation.location)
    before, pieces = level.reserved, reservation.quantity
    assert (
        ledger.refused("resize_reservation", reservationId=reservation.id, quantity=pieces)
        == "same_quantity"
    )
    more = pieces + reservation.sku.pack_size
    changed = ledger.ok("resize_reservation", reservationId=reservation.id, quantity=more)
    assert level.reserved == before + reservation.sku.pack_size
    assert cents(changed["value"]) == more * reservation.sku.unit_price
    room = ledger.room(reservation.requester)
    beyond = more + (room // reservation.sku.pack_size + 1) * reservation.sku.pack_size
    code = ledger.refused("resize_reservation", reservationId=reservation.id, quantity=beyond)
    assert code in ("resized_within_quota", "enough_for_more")


def test_extensions_end_at_two_and_at_the_horizon_of_the_account(ledger: Ledger) -> None:
    spent = ledger.find("Reservation", lambda x: x.status == "held" and x.extensions == 2)
    assert ledger.refused("extend_reservation", reservationId=spent.id, days=1) == "extensions_left"
    for x in ledger.rows("Reservation"):
        if x.status not in ("held", "ready") or x.extensions == 2:
            continue
        left = HORIZON[x.requester.tier] - (x.expires_on - TODAY).days
        if left < 14:
            code = ledger.refused("extend_reservation", reservationId=x.id, days=left + 1)
            assert code == "within_horizon"
        early = (x.expires_on - TODAY).days > 4
        broken = ledger.violated("extend_reservation", reservationId=x.id, days=min(left, 14))
        assert broken == ({"near_its_end"} if early else set())
        assert x.expires_on <= TODAY + timedelta(days=HORIZON[x.requester.tier])
    assert ledger.broken() == []


def test_goods_go_over_a_counter_that_has_room(ledger: Ledger) -> None:
    stored = ledger.find(
        "Reservation",
        lambda x: x.status == "held" and x.location.kind == "warehouse" and not moving(x),
    )
    assert ledger.refused("put_out", reservationId=stored.id) == "has_a_counter"
    full = ledger.find(
        "Reservation",
        lambda x: x.status == "held" and x.location.id == "ST-MARKET" and not moving(x),
    )
    assert ledger.refused("put_out", reservationId=full.id) == "room_at_counter"
    ready = ledger.find(
        "Reservation", lambda x: x.status == "ready" and x.location.id == "ST-HARBOUR"
    )
    level = ledger.level(ready.sku, ready.location)
    before = level.on_hand, level.reserved
    ledger.ok("collect_reservation", reservationId=ready.id)
    assert (level.on_hand, level.reserved) == (
        before[0] - ready.quantity,
        before[1] - ready.quantity,
    )
    small = [
        x
        for x in ledger.rows("Reservation")
        if x.status == "held" and x.location is ready.location and not moving(x) and x.quantity <= 2
    ]
    assert ledger.refused("collect_reservation", reservationId=small[0].id) == (
        "reservation_not_ready"
    )
    ledger.ok("put_out", reservationId=small[0].id)
    assert small[0].status == "ready"


# -- transfers -------------------------------------------------------------------------------------


def test_a_transfer_is_drafted_dispatched_and_booked_in(ledger: Ledger) -> None:
    transfer = ledger.find("StockTransfer", lambda x: x.status == "draft")
    reservation = transfer.reservation
    assert (
        ledger.refused("release_reservation", reservationId=reservation.id) == "nothing_under_way"
    )
    source = ledger.level(transfer.sku, transfer.source)
    before = source.on_hand, source.reserved
    sent = ledger.ok("dispatch_transfer", transferId=transfer.id)
    lead = transfer.target.lead_days
    assert sent["arrivesOn"] == str(TODAY + timedelta(days=lead))
    pieces = transfer.quantity
    assert (source.on_hand, source.reserved) == (before[0] - pieces, before[1] - pieces)
    assert ledger.refused("receive_transfer", transferId=transfer.id) == "has_arrived"
    assert ledger.refused("cancel_transfer", transferId=transfer.id) == ("stock_transfer_not_draft")
    there = ledger.find(
        "StockTransfer", lambda x: x.status == "in_transit" and x.arrives_on <= TODAY
    )
    target = ledger.level(there.sku, there.target)
    before = target.on_hand, target.reserved
    ledger.ok("receive_transfer", transferId=there.id)
    assert (target.on_hand, target.reserved) == (
        before[0] + there.quantity,
        before[1] + there.quantity,
    )
    assert there.reservation.location is there.target
    assert ledger.broken() == []


def test_transfers_go_to_stores_that_carry_the_article_and_in_time(ledger: Ledger) -> None:
    held = [x for x in ledger.rows("Reservation") if x.status == "held" and not moving(x)]
    reservation = held[0]
    depot = ledger.find(
        "Location", lambda x: x.kind == "warehouse" and x is not reservation.location
    )
    codes = set()
    for location in ledger.rows("Location"):
        if location is reservation.location:
            continue
        result = ledger.env.call(
            "request_transfer", {"reservationId": reservation.id, "locationCode": location.id}
        )
        codes.add(result.code)
        ledger.env.reset()
    assert "goes_to_a_store" in codes
    assert "carried_there" in codes
    assert depot.kind == "warehouse"
    seen = set()
    for x in held:
        for level in x.sku.stock_levels:
            place = level.location
            if place is x.location or place.kind != "store" or place.status != "open":
                continue
            arguments = {"reservationId": x.id, "locationCode": place.id}
            late = TODAY + timedelta(days=place.lead_days) > x.expires_on
            broken = ledger.violated("request_transfer", **arguments)
            assert broken == ({"arrives_in_time"} if late else set())
            seen.add(late)
            ledger.env.reset()
    assert seen == {True, False}


# -- watches ---------------------------------------------------------------------------------------


def test_watches_are_few_and_for_what_is_sold_out(ledger: Ledger) -> None:
    def active(requester):
        return [x for x in requester.watches if x.status == "active"]

    busy = ledger.find("Requester", lambda x: len(active(x)) == 3)
    other = ledger.find("Sku", lambda x: all(w.sku is not x for w in busy.watches))
    arguments = {"requesterId": busy.id, "skuCode": other.id, "quantity": 2}
    assert ledger.refused("watch_sku", **arguments) == "below_watch_limit"
    free = ledger.find("Requester", lambda x: len(active(x)) < 3)
    arguments = {"requesterId": free.id, "skuCode": active(free)[0].sku.id, "quantity": 2}
    assert ledger.refused("watch_sku", **arguments) == "not_watched_yet"
    for sku in ledger.rows("Sku"):
        if any(x.sku is sku for x in active(free)):
            continue
        there = any(ledger.free(level) >= sku.pack_size for level in sku.stock_levels)
        broken = ledger.violated(
            "watch_sku", requesterId=free.id, skuCode=sku.id, quantity=sku.pack_size
        )
        assert broken == ({"sold_out"} if there else set())
        ledger.env.reset()


# -- the person ------------------------------------------------------------------------------------


def test_an_account_opens_with_its_address_or_its_number_and_phone(ledger: Ledger) -> None:
    requester = ledger.rows("Requester")[0]
    arguments = {"requesterId": requester.id}

    def violated() -> tuple[str, ...]:
        result = ledger.env.call("quota_overview", arguments)
        assert result.ok
        return result.violated

    def reveal(fact: str, value: str) -> None:
        ledger.env.observe(Event("revealed", {"fact": fact, "value": value}))

    assert violated() == ("identified",)
    reveal("requester_id", requester.id)
    assert violated() == ("identified",)
    reveal("phone", requester.phone)
    assert violated() == ()
    ledger.env.reset()
    reveal("email", requester.email)
    assert violated() == ()


def test_the_manager_gets_a_record_with_its_reason(ledger: Ledger) -> None:
    requester = ledger.rows("Requester")[1]
    made = ledger.ok("escalate_to_stock_manager", requesterId=requester.id, reason="supplier")
    assert (made["reason"], made["requesterId"]) == ("supplier", requester.id)
