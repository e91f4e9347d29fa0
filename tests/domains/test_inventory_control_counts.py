"""The stock desk: counts of shelves, and goods in quarantine."""

import pytest

from tests.domains.stock_desk import TODAY, Ledger, cents, offer


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


# -- counts ----------------------------------------------------------------------------------------


def test_a_count_within_the_tolerance_is_posted_at_once(ledger: Ledger) -> None:
    count = ledger.find("StockCount", lambda x: x.status == "requested")
    level = ledger.level(count.sku, count.location)
    booked = level.on_hand
    allowed = max(2, booked * 4 // 100)
    told = ledger.ok("record_count", countId=count.id, counted=booked + allowed)
    assert (told["status"], told["booked"], level.on_hand) == ("approved", booked, booked + allowed)
    ledger.env.reset()
    told = ledger.ok("record_count", countId=count.id, counted=booked + allowed + 1)
    assert (told["status"], level.on_hand) == ("counted", booked)
    broken = ledger.violated("approve_count", countId=count.id)
    dear = (allowed + 1) * count.sku.unit_price > 40000
    assert broken == ({"small_difference"} if dear else set())
    assert level.on_hand == booked + allowed + 1
    assert ledger.broken() == []


def test_a_count_that_does_not_cover_promises_waits(ledger: Ledger) -> None:
    count = ledger.find("StockCount", lambda x: x.status == "requested")
    ledger.ok("record_count", countId=count.id, counted=0)
    assert count.status == "counted"
    assert ledger.refused("approve_count", countId=count.id) == "covers_promises"


def test_counts_are_for_colleagues_and_not_repeated(ledger: Ledger) -> None:
    opened = ledger.find("StockCount", lambda x: x.status == "requested")
    guest = ledger.find("Requester", lambda x: x.tier == "standard")
    arguments = {"skuCode": opened.sku.id, "locationCode": opened.location.id}
    assert ledger.refused("request_count", requesterId=guest.id, **arguments) == "no_open_count"
    verdicts = {}
    for count in ledger.rows("StockCount"):
        shelf = [x for x in count.location.stock_counts if x.sku is count.sku]
        if count.status != "approved" or len(shelf) > 1 or count.location.status == "closed":
            continue
        arguments = {"skuCode": count.sku.id, "locationCode": count.location.id}
        broken = ledger.violated("request_count", requesterId=guest.id, **arguments)
        assert "is_colleague" in broken
        verdicts[(TODAY - count.requested_on).days] = "not_counted_lately" in broken
        ledger.env.reset()
    assert verdicts[14] is True
    assert verdicts[15] is False


# -- quarantine ------------------------------------------------------------------------------------


def test_quarantine_takes_free_pieces_out_of_the_promise(ledger: Ledger) -> None:
    colleague = ledger.find("Requester", lambda x: x.tier == "colleague")
    level = ledger.find("StockLevel", lambda x: ledger.free(x) >= 3)
    free, shut_away = ledger.free(level), level.quarantined
    arguments = {**offer(colleague, level, free + 1), "cause": "damaged"}
    assert ledger.refused("quarantine_stock", **arguments) == "free_on_shelf"
    lot = ledger.ok("quarantine_stock", **{**arguments, "quantity": 1})
    assert level.quarantined == shut_away + 1
    assert cents(lot["value"]) == level.sku.unit_price
    assert ledger.violated("clear_lot", lotId=lot["quarantineLotId"]) == {"inspected"}
    assert level.quarantined == shut_away
    assert ledger.broken() == []


def test_lots_are_cleared_or_written_off_within_limits(ledger: Ledger) -> None:
    recalled = ledger.find("QuarantineLot", lambda x: x.status == "open" and x.cause == "recalled")
    assert ledger.refused("clear_lot", lotId=recalled.id) == "not_recalled"
    dear = ledger.find("QuarantineLot", lambda x: x.status == "open" and x.value > 30000)
    assert ledger.refused("write_off_lot", lotId=dear.id) == "small_write_off"
    for lot in ledger.rows("QuarantineLot"):
        if lot.status != "open" or lot.value > 30000:
            continue
        level = ledger.level(lot.sku, lot.location)
        before = level.on_hand, level.quarantined
        lots = [x for x in lot.location.quarantine_lots if x.status == "written_off"]
        lately = sum(x.value for x in lots if (TODAY - x.closed_on).days <= 30)
        expected = {"inspected"} if (TODAY - lot.reported_on).days < 2 else set()
        if lately + lot.value > 60000:
            expected.add("within_write_off_total")
        assert ledger.violated("write_off_lot", lotId=lot.id) == expected
        pieces = lot.quantity
        assert (level.on_hand, level.quarantined) == (before[0] - pieces, before[1] - pieces)
    assert ledger.broken() == []
