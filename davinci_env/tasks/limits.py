"""Limits: how difficult tasks are to be, and how many of each kind there are to be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import UsageError
from ..records import Task

MEASURES = {
    "calls": "calls",
    "writes": "writes",
    "reads": "reads",
    "chain": "rule_chain",
    "turns": "turns",
    "lookalikes": "lookalikes",
}
"""What can be limited: names on the command line, and of the record's fields."""

_LIMIT = re.compile(r"\s*([a-z]+)\s*(>=|<=|=)\s*(\d+)\s*")
MOST = 10**9


@dataclass(frozen=True)
class Limits:
    """Bounds on a task's measured difficulty, by the record's fields; both ends belong to them."""

    bounds: tuple[tuple[str, int, int], ...] = ()

    def allow(self, task: Task) -> bool:
        """Whether a task lies within all bounds."""
        return all(low <= getattr(task.difficulty, name) <= high for name, low, high in self.bounds)


def read_limits(texts: Sequence[str]) -> Limits:
    """Read limits such as `calls>=6`, `turns<=2`, `writes=2`.

    Raises:
        UsageError: a text is no limit, names nothing that is measured, or contradicts another.
    """
    bounds: dict[str, tuple[int, int]] = {}
    for text in texts:
        match = _LIMIT.fullmatch(text)
        if match is None or match[1] not in MEASURES:
            raise UsageError(
                f"{text!r} is no limit of difficulty",
                f"write for example calls>=6; measured are {', '.join(MEASURES)}",
            )
        name, op, number = MEASURES[match[1]], match[2], int(match[3])
        low, high = bounds.get(name, (0, MOST))
        low = max(low, number) if op != "<=" else low
        high = min(high, number) if op != ">=" else high
        if low > high:
            raise UsageError(
                f"no task has at least {low} and at most {high} {match[1]}",
                "change one of the --difficulty limits",
            )
        bounds[name] = (low, high)
    return Limits(tuple((name, *bound) for name, bound in bounds.items()))


def read_quotas(texts: Sequence[str], kinds: Sequence[str]) -> dict[str, int | None]:
    """Read kinds such as `deny` or `deny=10`, in the order in which they are given.

    Raises:
        UsageError: there is no such kind, or some have a number and others none.
    """
    quotas: dict[str, int | None] = {}
    for text in texts:
        kind, equals, number = text.partition("=")
        if kind not in kinds:
            raise UsageError(f"there is no kind {kind!r}", f"choose from {', '.join(kinds)}")
        if equals and (not number.isdigit() or not int(number)):
            raise UsageError(f"{text!r} is no quota", f"write for example {kind}=10")
        quotas[kind] = int(number) if equals else None
    if len({number is None for number in quotas.values()}) > 1:
        raise UsageError(
            "some kinds have a number and others have none", "give each --kind a number, or none"
        )
    return quotas
