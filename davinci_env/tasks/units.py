"""Units: the smallest pieces of generation. One unit draws, certifies and returns one task, or a
pair of twins.

A unit is a pure function of its order, so that the bytes don't depend on how many processes work,
or how often a run is killed and resumed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..certify import Rejected, certify
from ..compose import load
from ..domain import Rule, Tool
from ..environment import DomainEnvironment
from ..errors import DefectError
from ..planning.goals import Wanted
from ..records import Task
from .assemble import assemble
from .denials import can_deny
from .kinds import DRAWS
from .limits import read_limits
from .missed import NoCandidate

CYCLE = (
    "ask", "deny", "act+ask", "handoff", "clarify", "missing-tool", "act", "deny", "ask", "act+ask",
    "act", "act+ask",
)  # fmt: skip
"""The order in which units of the kinds take turns: fifteen tasks, five of them `act` (three as
twins). Wherever it breaks off, at most two fifths are of one kind, once there are three.
"""

TWINS = frozenset(("deny", "clarify"))
"""Kinds whose unit gives two tasks."""

UNITS_PER_WORLD = 6
ATTEMPTS = 16
"""Draws of one unit before it gives up."""

LIMITED_ATTEMPTS = 60
"""The same where only some difficulty will do."""

STRICT = 12
"""Draws in which a task must be about the write or the rule whose turn it is."""

PEOPLE = 3
"""Draws, each for another person, before the turn passes to the next write or rule."""

FORMED = 8
"""Draws in which a request must have the form whose turn it is."""


@dataclass(frozen=True)
class Order:
    """What a unit is to make: everything its result depends on."""

    domain: str
    kind: str
    index: int
    seed: int
    scale: float
    paths: tuple[str, ...] = ()
    trust: bool = False
    difficulty: tuple[str, ...] = ()

    @property
    def world_seed(self) -> int:
        """Seed of the world in which this unit draws."""
        return world_seed(self.seed, self.index)

    @property
    def turn(self) -> int:
        """Says whose turn it is, of whatever takes turns: units of one kind come at steps that have
        nothing in common with most numbers.
        """
        return self.index // len(CYCLE) + self.index

    def as_json(self) -> dict[str, Any]:
        """The order as JSON, to be hashed."""
        limited = {"difficulty": list(self.difficulty)} if self.difficulty else {}
        return {
            "domain": self.domain,
            "kind": self.kind,
            "index": self.index,
            "seed": self.seed,
            "scale": self.scale,
            **limited,
        }


def world_seed(seed: int, index: int) -> int:
    """Seed of the world in which the unit of this index draws."""
    return seed * 100_000 + index // UNITS_PER_WORLD


@dataclass
class Made:
    """What a unit came to."""

    tasks: list[Task] = field(default_factory=list)
    rejected: list[tuple[Task, str, str]] = field(default_factory=list)
    missed: Counter[str] = field(default_factory=Counter)


def tasks_of(kind: str) -> int:
    """How many tasks a unit of this kind gives."""
    return 2 if kind in TWINS else 1


def make(order: Order) -> Made:
    """Carry out an order: draw until a draft (or pair) is certified, at most ATTEMPTS times."""
    domain = load(order.domain, paths=[Path(p) for p in order.paths], trust=order.trust)
    world = domain.build(order.world_seed, order.scale)
    environment = DomainEnvironment(domain, world, seed=order.world_seed, scale=order.scale)
    try:
        return _make(order, environment)
    finally:
        environment.close()


def _make(order: Order, environment: DomainEnvironment) -> Made:
    made = Made()
    people = [row.id for row in environment.domain.regulars(environment.world)]
    rng = random.Random(f"{order.domain}:{order.kind}:{order.index}:{order.seed}")
    rng.shuffle(people)
    targets = _targets(order, environment)
    limits = read_limits(order.difficulty)

    for attempt in range(LIMITED_ATTEMPTS if limits.bounds else ATTEMPTS):
        actor = people[(order.index + attempt) % len(people)] if people else None
        environment.reset()
        environment.act_for(actor)
        wanted = _wanted(targets, attempt)
        turn = order.turn if attempt < FORMED else None
        try:
            drafts = DRAWS[order.kind](environment, rng, wanted, turn)
        except NoCandidate as missed:
            made.missed[str(missed)] += 1
            continue
        tasks = [assemble(draft, environment, order.seed) for draft in drafts]
        if not limits.allow(tasks[0]):
            made.missed["of another difficulty"] += 1
            continue
        certified = _certified(tasks, environment, made)
        if certified:
            made.tasks = certified
            return made
    return made


def _targets(order: Order, environment: DomainEnvironment) -> list[str]:
    """The writes (or, for a denial, the rules) that take turns, from the one whose turn it is, so
    that each serves some task. Two denials of three rest on a rule that only the agent keeps.
    """
    domain = environment.domain
    turn = order.turn
    if order.kind in ("act", "clarify", "missing-tool"):
        names = [t.name for t in domain.tools.values() if t.kind == "write" and not t.handover]
    elif order.kind == "deny":
        rules = [r for r in domain.rules.values() if can_deny(r)]
        own = [r.code for r in rules if r.by == "agent"] if turn % 3 else []
        names, turn = own or [r.code for r in rules], turn // 3
    else:
        names = []
    names.sort()
    first = turn % max(1, len(names))
    return [*names[first:], *names[:first]]


def _wanted(targets: Sequence[str], attempt: int) -> Wanted:
    """Nothing but the target of this attempt, or everything alike where there is none."""
    target = targets[attempt // PEOPLE % len(targets)] if targets and attempt < STRICT else None

    def wanted(item: Tool | Rule) -> float:
        name = item.name if isinstance(item, Tool) else item.code
        return float(target is None or name == target)

    return wanted


def _certified(tasks: Sequence[Task], environment: DomainEnvironment, made: Made) -> list[Task]:
    """Certify all tasks of a unit; one that fails takes its twin with it (which is not counted as
    rejected).
    """
    out = []
    for task in tasks:
        try:
            certificate = certify(task, environment)
        except Rejected as rejected:
            made.rejected.append((task, rejected.reason, rejected.detail))
            return []
        except DefectError as error:
            environment.reset()
            made.rejected.append((task, "defect", str(error)))
            return []
        out.append(task.model_copy(update={"certificate": certificate}))
    return out
