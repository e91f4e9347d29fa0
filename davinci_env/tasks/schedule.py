"""The schedule: which units are ordered to get exactly the number of tasks that was asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..episodes.jobs import Done, Item, Schedule
from ..records import Task, content_id
from .units import ATTEMPTS, CYCLE, Made, Order, tasks_of

PATIENCE = 12
"""Units in a row, at least, that give a domain nothing before the run comes up short."""


@dataclass
class Tally:
    """What a generation came to. `missed` counts draws without a candidate."""

    wanted: int
    by_kind: Counter[str] = field(default_factory=Counter)
    by_domain: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)
    short: dict[str, int] = field(default_factory=dict)
    """What quotas miss, by domain and kind."""
    examples: dict[str, dict[str, Any]] = field(default_factory=dict)
    """A rejected candidate of each reason."""

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
        for reason, example in note.get("examples", {}).items():
            self.examples.setdefault(reason, example)


def note_of(order: Order, made: Made) -> dict[str, Any]:
    """What later decisions and the summary need to know of a unit."""
    return {
        "domain": order.domain,
        "kinds": [task.kind for task in made.tasks],
        "rejected": dict(Counter(reason for _, reason, _ in made.rejected)),
        "missed": dict(made.missed),
        "examples": {reason: _example(task, detail) for task, reason, detail in made.rejected},
    }


def _example(task: Task, detail: str) -> dict[str, Any]:
    """What is shown of a rejected candidate."""
    return {
        "detail": detail,
        "kind": task.kind,
        "turns": [task.request.text, *(turn.text for turn in task.request.turns[1:])],
        "solution": [step.model_dump() for step in task.solution],
        "requirements": [requirement.text for requirement in task.requirements],
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
    cycle = [k for k in CYCLE if k in kinds] or list(kinds)
    patience = max(PATIENCE, 2 * len(cycle))
    tally = Tally(sum(shares.values()))
    have: Counter[str] = Counter()
    turn: Counter[str] = Counter()
    dry: Counter[str] = Counter()
    while True:
        missing = {d: n - have[d] for d, n in shares.items() if dry[d] < patience}
        orders = _round(missing, turn, cycle, make_order)
        if not orders:
            return tally
        dones: list[Done] = yield [Item(content_id(o.as_json()), o) for o in orders]
        for order, done in zip(orders, dones, strict=True):
            note: Any = done.note
            tally.add(note)
            have[order.domain] += len(note["kinds"])
            dry[order.domain] = 0 if note["kinds"] else dry[order.domain] + 1


def quota_schedule(
    domains: Sequence[str], quotas: Mapping[str, int], make_order: MakeOrder
) -> Schedule[Tally]:
    """Order units until each domain has its quota of each kind. The feasible twins of other kinds
    count as `act`; a twin beyond its quota is kept.
    """
    tally = Tally(sum(quotas.values()) * len(domains))
    have: Counter[tuple[str, str]] = Counter()
    turn: Counter[tuple[str, str]] = Counter()
    dry: Counter[tuple[str, str]] = Counter()
    kinds = sorted(quotas, key=lambda kind: kind == "act")  # twins come first
    while True:
        orders: list[Order] = []
        for domain in domains:
            for kind in kinds:
                missing = quotas[kind] - have[domain, kind]
                if missing <= 0 or dry[domain, kind] >= PATIENCE:
                    continue
                if kind == "act" and any(o.domain == domain for o in orders):
                    continue  # twins may give some
                for _ in range(missing):
                    orders.append(make_order(domain, kind, turn[domain, kind]))
                    turn[domain, kind] += 1
        if not orders:
            break
        dones: list[Done] = yield [Item(content_id(o.as_json()), o) for o in orders]
        for order, done in zip(orders, dones, strict=True):
            note: Any = done.note
            tally.add(note)
            have.update((order.domain, kind) for kind in note["kinds"])
            place = (order.domain, order.kind)
            dry[place] = 0 if note["kinds"] else dry[place] + 1
    for domain in domains:
        for kind, wanted in quotas.items():
            if have[domain, kind] < wanted:
                tally.short[f"{domain} {kind}"] = wanted - have[domain, kind]
    return tally


def _shares(domains: Sequence[str], n: int, each: bool) -> dict[str, int]:
    if each:
        return dict.fromkeys(domains, n)
    base, rest = divmod(n, len(domains))
    return {name: base + (i < rest) for i, name in enumerate(domains)}


def _round(
    shares: dict[str, int], turn: Counter[str], cycle: Sequence[str], make_order: MakeOrder
) -> list[Order]:
    """The units that would give what is missing, domains taking turns. A pair of twins for which
    there is no room is passed over.
    """
    queues: list[list[Order]] = []
    for name, missing in shares.items():
        queue: list[Order] = []
        while any(tasks_of(kind) <= missing for kind in cycle):
            kind = cycle[turn[name] % len(cycle)]
            if tasks_of(kind) <= missing:
                queue.append(make_order(name, kind, turn[name]))
                missing -= tasks_of(kind)
            turn[name] += 1
        queues.append(queue)
    longest = max((len(q) for q in queues), default=0)
    return [q[i] for i in range(longest) for q in queues if i < len(q)]


__all__ = ["ATTEMPTS", "Tally", "note_of", "schedule"]
