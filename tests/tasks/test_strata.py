"""A suite is spread evenly over kinds, difficulty and forms, and twins stay together."""

from collections import Counter
from typing import Any

import pytest

from davinci_env.records import Difficulty, Task
from davinci_env.tasks.strata import band, stratified
from tests.records import samples


def task(number: int, kind: str = "act", calls: int = 1, pair: str = "", **changes: Any) -> Task:
    """A task of a kind that takes so many calls."""
    one = samples.task(actor=f"MEM-{number:04}", kind=kind, **changes)
    style = {"pair": pair} if pair else {}
    user = one.request.user.model_copy(update={"style": style})
    sizes = {"calls": calls, "writes": 0, "reads": calls, "rule_chain": 0}
    return one.model_copy(
        update={
            "request": one.request.model_copy(update={"user": user}),
            "difficulty": Difficulty(**sizes, domains=1, transitions=0),
        }
    )


@pytest.mark.parametrize(
    ("calls", "name"), [(0, "short"), (3, "short"), (4, "middle"), (7, "middle"), (8, "long")]
)
def test_difficulty_has_three_bands(calls: int, name: str) -> None:
    assert band(task(1, calls=calls)) == name


def test_kinds_get_equal_shares_however_many_there_are() -> None:
    pool = [task(n, "act") for n in range(20)]
    pool += [task(100 + n, "ask") for n in range(6)]
    pool += [task(200 + n, "deny") for n in range(3)]
    chosen = stratified(pool, 10)
    assert Counter(one.kind for one in chosen) == {"act": 4, "ask": 3, "deny": 3}
    assert [pool.index(one) for one in chosen] == sorted(pool.index(one) for one in chosen)


def test_no_kind_makes_more_than_two_fifths_so_that_a_suite_may_come_up_short() -> None:
    pool = [task(n, "act") for n in range(20)] + [task(100, "ask")]
    assert Counter(one.kind for one in stratified(pool, 10)) == {"act": 4, "ask": 1}


def test_within_a_kind_every_band_has_its_turn() -> None:
    pool = [task(n, kind, calls) for k, kind in enumerate(("act", "ask", "deny"))
            for n, calls in enumerate((1, 2, 3, 5, 9), start=10 * k)]  # fmt: skip
    chosen = stratified(pool, 9)
    assert Counter((one.kind, band(one)) for one in chosen) == {
        (kind, name): 1 for kind in ("act", "ask", "deny") for name in ("short", "middle", "long")
    }


def test_rare_forms_come_before_common_ones() -> None:
    kinds = ("ask", "deny", "clarify")
    pool = [task(n, forms=("batch",)) for n in range(4)] + [task(9, forms=("undo",))]
    pool += [task(100 + n, kind) for n, kind in enumerate(kinds)]
    chosen = [one.forms for one in stratified(pool, 5) if one.kind == "act"]
    assert chosen == [("batch",), ("undo",)]


def test_twins_are_chosen_together_or_not_at_all() -> None:
    pool = [task(1, "act", pair="p"), task(2, "deny", pair="p")]
    pool += [task(10 + n, kind) for n, kind in enumerate(("ask", "clarify", "handoff"))]
    assert {one.kind for one in stratified(pool, 5)} == {"act", "deny", "ask", "clarify", "handoff"}
    chosen = stratified(pool[:2] + pool[2:4], 3)
    assert len({one.kind for one in chosen} & {"act", "deny"}) in (0, 2)
