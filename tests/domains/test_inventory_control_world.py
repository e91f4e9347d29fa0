"""The stock desk as it is filled, and what it works out and tells."""

import pytest

from davinci_env.domain.examples import failing_examples
from tests.domains.stock_desk import QUOTA, Ledger, cents


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


# -- the seed --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "scale"), [(0, 1.0), (1, 0.2), (2, 3.0), (3, 1.0), (4, 1.0)])
def test_invariants_hold_in_a_new_world(seed: int, scale: float) -> None:
    assert Ledger(seed=seed, scale=scale).broken() == []


def test_seed_reaches_every_state_and_gives_owners_enough_rows(ledger: Ledger) -> None:
    for name, entity in ledger.entities.items():
        cycle = entity._info.lifecycle
        if cycle is not None:
            column = entity._info.state_column
            assert {getattr(row, column) for row in ledger.rows(name)} == set(cycle.states), name
    assert all(len(requester.reservations) >= 5 for requester in ledger.rows("Requester"))
    assert {0, 1} <= {ledger.room(requester) for requester in ledger.rows("Requester")}
    assert 150 <= sum(len(ledger.rows(name)) for name in ledger.entities) <= 600


def test_worked_examples_hold(ledger: Ledger) -> None:
    assert failing_examples(ledger.env.domain.helpers) == []


# -- what is told ----------------------------------------------------------------------------------


def test_a_split_takes_the_best_supplied_open_locations_first(ledger: Ledger) -> None:
    for sku in ledger.rows("Sku")[::7]:
        pack, wanted = sku.pack_size, 25
        pieces = (wanted + pack - 1) // pack * pack
        levels = [x for x in sku.stock_levels if x.location.status == "open"]
        shares = sorted((ledger.free(x) // pack * pack for x in levels), reverse=True)
        told = ledger.ok("split_quote", skuCode=sku.id, quantity=wanted)
        assert told["pieces"] == pieces
        assert told["missing"] == max(0, pieces - sum(shares))
        assert told["largestShare"] == min(pieces, shares[0])
        covered, places = 0, 0
        for share in shares:
            places += share > 0 and covered < pieces
            covered += share
        assert told["places"] == places
        assert cents(told["value"]) == pieces * sku.unit_price


def test_a_reorder_fills_up_to_twice_the_point_in_packs(ledger: Ledger) -> None:
    for sku in ledger.rows("Sku"):
        free = sum(ledger.free(level) for level in sku.stock_levels)
        wanted = 0
        if free <= sku.reorder_point:
            pack = sku.pack_size
            wanted = (2 * sku.reorder_point - free + pack - 1) // pack * pack
        told = ledger.ok("reorder_suggestion", skuCode=sku.id)
        assert (told["available"], told["pieces"]) == (free, wanted)
        assert cents(told["value"]) == wanted * sku.unit_price


def test_the_overview_and_the_arrival(ledger: Ledger) -> None:
    requester = ledger.rows("Requester")[2]
    live = [x for x in requester.reservations if x.status in ("held", "ready")]
    told = ledger.ok("quota_overview", requesterId=requester.id)
    assert told["pieces"] == sum(x.quantity for x in live)
    assert cents(told["worth"]) == sum(x.value for x in live)
    assert told["quota"] == QUOTA[requester.tier]
    assert told["watches"] == sum(x.status == "active" for x in requester.watches)
    assert told["watchLimit"] == 3
    lake = ledger.ok("transfer_quote", locationCode="ST-LAKE")
    assert lake == {"arrivesOn": "2026-05-15", "workingDays": 3}
