"""Strata: choosing a small suite out of many tasks, spread over kinds, difficulty and forms.

Only finished tasks are looked at, so that any way of generating them will do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from ..records import Task

MOST: Final = 0.4
"""No kind may make more of a suite."""

_BANDS: Final = ((8, "long"), (4, "middle"), (0, "short"))
"""Calls of the golden solution from which on a task is of a band."""


def band(task: Task) -> str:
    """How difficult a task is, by its calls: short, middle (from 4) or long (from 8)."""
    return next(name for least, name in _BANDS if task.difficulty.calls >= least)


def stratified(pool: Sequence[Task], n: int) -> list[Task]:
    """Choose up to `n` tasks, as evenly as the pool allows: first over kinds, then over bands of
    difficulty within a kind, then over forms. Twins are chosen together.

    Returns:
        the chosen tasks, in the pool's order; fewer than `n` where the pool has no more that leave
        every kind within its share.
    """
    chosen: list[Task] = []
    rest = _bundles(pool)
    kinds: Counter[str] = Counter()
    cells: Counter[tuple[str, str]] = Counter()
    forms: Counter[str] = Counter()
    while True:
        fitting = [
            bundle
            for bundle in rest
            if len(chosen) + len(bundle) <= n
            and all(
                kinds[kind] + more <= MOST * n
                for kind, more in Counter(task.kind for task in bundle).items()
            )
        ]
        if not fitting:
            break
        best = min(
            fitting,
            key=lambda bundle: (
                kinds[bundle[0].kind],
                cells[bundle[0].kind, band(bundle[0])],
                min((forms[form] for form in bundle[0].forms), default=len(pool)),
            ),
        )
        rest.remove(best)
        chosen += best
        for task in best:
            kinds[task.kind] += 1
            cells[task.kind, band(task)] += 1
            forms.update(task.forms)
    places = {task.id: place for place, task in enumerate(pool)}
    return sorted(chosen, key=lambda task: places[task.id])


def _bundles(pool: Iterable[Task]) -> list[tuple[Task, ...]]:
    """Tasks that belong together: twins, the one that is refused or asked about first."""
    bundles: dict[str, tuple[Task, ...]] = {}
    for task in pool:
        pair = task.request.user.style.get("pair")
        name = task.id if pair is None else str(pair)
        bundles[name] = (*bundles.get(name, ()), task)
    return [
        tuple(sorted(bundle, key=lambda task: task.kind == "act")) for bundle in bundles.values()
    ]
