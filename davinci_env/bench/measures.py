"""The measures of `davinci bench`, each with its limit."""

from __future__ import annotations

import itertools
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..domain import Row, Tool
from ..errors import UsageError
from .stand import Stand
from .timing import collector_off, interleaved

Figures = dict[str, float | None]
"""`product_us`, `floor_us`, `ratio` and `per_second`; None where a figure has no meaning."""

MAX_BINDINGS = 2_000
"""Bindings taken of each tool."""

CHUNK = 300
"""Bindings judged in one measurement."""

ROUNDS = 500

HELP_RUNS = 5

LARGE, SMALL = 96, 4
"""Scales at which the world has about 50,000 and about 2,000 rows."""


@dataclass(frozen=True)
class Measure:
    """One measure. The limit bounds its ratio from above, else its rate from below, else its
    microseconds.
    """

    name: str
    limit: float
    take: Callable[[], Figures]


def run(names: Sequence[str] | None = None) -> dict[str, list[dict[str, Any]]]:
    """Take measures (all by default): `{"measures": [{"name", "product_us", ..., "limit"}]}`.

    Raises UsageError for a measure that doesn't exist.
    """
    known = {measure.name: measure for measure in MEASURES}
    for name in names or ():
        if name not in known:
            raise UsageError(f"there is no measure {name!r}", f"take one of {', '.join(known)}")
    chosen = [known[name] for name in names] if names else MEASURES
    return {"measures": [{"name": m.name, **m.take(), "limit": m.limit} for m in chosen]}


def _against(product: float, floor: float) -> Figures:
    return {
        "product_us": round(product, 2),
        "floor_us": round(floor, 2),
        "ratio": round(product / floor, 3),
        "per_second": round(1e6 / product),
    }


def _alone(product: float | None = None, per_second: float | None = None) -> Figures:
    return {
        "product_us": None if product is None else round(product, 2),
        "floor_us": None,
        "ratio": None,
        "per_second": None if per_second is None else round(per_second),
    }


# -- against the floor -----------------------------------------------------------------------------


def _tool_call(cold: bool) -> Figures:
    """One write and the restore after it: the mean of four renewals and four loans.

    Cold means that nothing is in the identity map when the call begins.
    """
    stand = Stand()
    product = [partial(stand.product_call, call) for call in stand.calls]
    floor = [partial(stand.floor_call, call) for call in stand.calls]
    before = stand.environment.world.evict if cold else None
    times = interleaved([*product, *floor], rounds=ROUNDS, before=before)
    stand.close()
    number = len(stand.calls)
    return _against(sum(times[:number]) / number, sum(times[number:]) / number)


def _episode() -> Figures:
    """Eight calls, restore, difference, hash, ten predicates, a line of JSON."""
    stand = Stand(track=True)
    times = interleaved([stand.product_episode, stand.floor_episode], rounds=ROUNDS)
    stand.close()
    return _against(*times)


def _restore_growth() -> Figures:
    """Eight calls and a restore on about 50,000 rows, against the same on about 2,000."""
    large, small = Stand(LARGE), Stand(SMALL)
    times = interleaved([large.calls_and_restore, small.calls_and_restore], rounds=ROUNDS)
    large.close()
    small.close()
    return _against(*times)


def _joined(which: int) -> Figures:
    """A call in a world of four domains, against that in the dearest of them alone; or as many
    calls with one restore.
    """
    from .joined import measure

    return _against(*measure(ROUNDS)[which])


# -- the product alone -----------------------------------------------------------------------------


def _bindings() -> Figures:
    """How many ways of calling a tool are judged by its lifecycles and rules in a second.

    All rows are resident, and arguments are rows already: what a search over plans does most.
    """
    stand = Stand()
    world = stand.environment.world
    bindings = [
        (tool.blockers, {**bound, "db": world.db})
        for tool in stand.environment.domain.tools.values()
        if tool.kind == "write" and not tool.handover
        for bound in _combinations(tool, world.all)
    ]

    def judge(some: list[Any]) -> None:
        for blockers, bound in some:
            blockers(dict(bound))

    parts = [bindings[n : n + CHUNK] for n in range(0, len(bindings), CHUNK)]
    spent = sum(interleaved([partial(judge, part) for part in parts], rounds=ROUNDS // 10))
    stand.close()
    return _alone(per_second=len(bindings) / spent * 1e6)


def _combinations(tool: Tool, rows: Callable[[Any], Sequence[Row]]) -> Iterator[dict[str, Any]]:
    """Rows for the arguments of a tool that takes nothing but rows."""
    if any(p.entity is None or p.type.many for p in tool.parameters) or not tool.parameters:
        return
    names = [p.name for p in tool.parameters]
    pools = [rows(p.entity) for p in tool.parameters]
    for values in itertools.islice(itertools.product(*pools), MAX_BINDINGS):
        yield dict(zip(names, values, strict=True))


def _task() -> Figures:
    """A task explored, solved, certified and verified."""
    from .tasks import task_microseconds

    with collector_off():
        return _alone(product=task_microseconds())


def _help() -> Figures:
    """CPU time of `davinci --help`, start of Python included."""
    spent = []
    for _ in range(HELP_RUNS):
        before = _children_seconds()
        subprocess.run(
            [sys.executable, "-m", "davinci_env", "--help"], check=True, capture_output=True
        )
        spent.append(_children_seconds() - before)
    return _alone(product=min(spent) * 1e6)


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


MEASURES = [
    Measure("tool_call", 3.0, lambda: _tool_call(cold=False)),
    Measure("tool_call_cold", 4.0, lambda: _tool_call(cold=True)),
    Measure("episode", 3.0, _episode),
    Measure("restore_growth", 1.25, _restore_growth),
    Measure("joined_call", 1.5, lambda: _joined(0)),
    Measure("joined_restore", 1.5, lambda: _joined(1)),
    Measure("bindings", 300_000, _bindings),
    Measure("task", 40_000, _task),
    Measure("help", 500_000, _help),
]
