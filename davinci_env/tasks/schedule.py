"""The schedule: which units are ordered to get exactly the number of tasks that was asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..episodes.jobs import Done, Item, Schedule
from ..records import content_id
from .units import ATTEMPTS, CYCLE, Made, Order, tasks_of

MAX_ROUNDS = 6
"""How often missing tasks are ordered again before the run comes up short."""


@dataclass
class Tally:
    """What a generation came to. `missed` counts draws without a candidate."""

    wanted: int
    by_kind: Counter[str] = field(default_factory=Counter)
    by_domain: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)

    @property
    def tasks(self) -> int:
        """Certified tasks."""
        return self.by_kind.total()

    @property
    def rejection_rate(self) -> float:
        """Rejected candidates as a share of all candidates."""
        return self.rejected.total() / max(1, self.rejected.total() + self.tasks)

    def add(self, note: dict[str, Any]) -> None:
        """Count one unit by its note."""
        self.by_kind.update(note["kinds"])
        self.by_domain[note["domain"]] += len(note["kinds"])
        self.rejected.update(note["rejected"])
        self.missed.update(note["missed"])
        self.passed.update(note.get("passed", {}))


def note_of(order: Order, made: Made) -> dict[str, Any]:
    """What later decisions and the summary need to know of a unit."""
    return {
        "domain": order.domain,
        "kinds": [task.kind for task in made.tasks],
        "rejected": dict(Counter(reason for _, reason, _ in made.rejected)),
        "missed": dict(made.missed),
    }


MakeOrder = Callable[[str, str, int], Order]
"""Domain, kind, index -> order."""


def schedule(
    domains: Sequence[str], n: int, kinds: Sequence[str], make_order: MakeOrder, *, each: bool
) -> Schedule[Tally]:
    """Order units until `n` tasks are certified (for each domain, if `each`).

    Decides by the notes of finished units alone, in their order.
    """
    shares = _shares(domains, n, each)
    tally = Tally(sum(shares.values()))
    have: Counter[str] = Counter()
    turn: Counter[str] = Counter()
    dry: Counter[str] = Counter()
    for _ in range(MAX_ROUNDS):
        orders = _round(shares, have, turn, kinds, make_order)
        orders = [o for o in orders if dry[o.domain] < 3]
        if not orders:
            break
        before = have.copy()
        dones: list[Done] = yield [Item(content_id(o.as_json()), o) for o in orders]
        for order, done in zip(orders, dones, strict=True):
            note: Any = done.note
            tally.add(note)
            have[order.domain] += len(note["kinds"])
        for name in domains:
            dry[name] = dry[name] + 1 if have[name] == before[name] else 0
    return tally


def _shares(domains: Sequence[str], n: int, each: bool) -> dict[str, int]:
    if each:
        return dict.fromkeys(domains, n)
    base, rest = divmod(n, len(domains))
    return {name: base + (i < rest) for i, name in enumerate(domains)}


def _round(
    shares: dict[str, int],
    have: Counter[str],
    turn: Counter[str],
    kinds: Sequence[str],
    make_order: MakeOrder,
) -> list[Order]:
    """The units that would fill what is missing, domains taking turns."""
    cycle = [k for k in CYCLE if k in kinds] or list(kinds)
    queues: list[list[Order]] = []
    for name, share in shares.items():
        missing, queue = share - have[name], []
        while missing > 0:
            kind = cycle[turn[name] % len(cycle)]
            if tasks_of(kind) > missing:
                kind = next((k for k in cycle if tasks_of(k) <= missing), "")
                if not kind:
                    break
            queue.append(make_order(name, kind, turn[name]))
            turn[name] += 1
            missing -= tasks_of(kind)
        queues.append(queue)
    longest = max((len(q) for q in queues), default=0)
    return [q[i] for i in range(longest) for q in queues if i < len(q)]


__all__ = ["ATTEMPTS", "Tally", "note_of", "schedule"]
