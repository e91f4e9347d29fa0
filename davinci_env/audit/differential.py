"""Is a mutant another domain at all? Both are called alike, in several worlds, until an answer or a
state differs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from ..domain import Domain, Event, Tool
from ..environment import DomainEnvironment
from ..environment.specs import tool_specs
from ..state import canonical
from .cases import Drawer, Novelty
from .source import Source

WORLDS = ((0, 1.0), (7, 1.0), (11, 0.5), (13, 1.5))
PEOPLE = 10
ROUNDS = 2
NEAR, FAR = 50, 4
"""Bindings that are tried of tools that run the changed function, and of others, for each person
and round."""


def difference(sound: Domain, mutant: Domain, seed: int, function: str) -> str | None:
    """The first difference in words, or None where a long common run shows none."""
    if sound.policy() != mutant.policy():
        return "the policy document differs"
    if tool_specs(sound) != tool_specs(mutant):
        return "the tools are described differently"
    near = _tools_running(sound, function)
    for world_seed, scale in WORLDS:
        found = _in_world(sound, mutant, seed + world_seed, scale, near)
        if found is not None:
            return found
    return None


def _tools_running(domain: Domain, function: str) -> set[str]:
    """The tools whose call runs a function, as body, rule or what these call."""
    source = Source(domain)
    out: set[str] = set()
    for tool in domain.tools.values():
        roots = [source.rules[r.code] for r in tool.requires if r.code in source.rules]
        if tool.name in source.tools:
            roots.append(source.tools[tool.name])
        if tool.name == function or any(c.name == function for c in source.closure(roots)):
            out.add(tool.name)
    return out or set(domain.tools)


class _Pair:
    """One world of each domain, moved alike."""

    def __init__(self, sound: Domain, mutant: Domain, seed: int, scale: float) -> None:
        self.sides = [
            DomainEnvironment(domain, domain.build(seed, scale), seed=seed, scale=scale)
            for domain in (sound, mutant)
        ]
        self.rng = random.Random(f"{sound.name}:{seed}")
        self.drawers = [Drawer(side, self.rng, Novelty()) for side in self.sides]

    def act_for(self, person: str) -> None:
        for side in self.sides:
            side.reset()
            side.act_for(person)

    def observe(self, event: Event) -> None:
        for side in self.sides:
            side.observe(event)

    def call(self, name: str, arguments: dict[str, Any], keep: bool) -> str | None:
        """Make a call on both sides; the difference in words, if there is one."""
        seen = []
        for side in self.sides:
            snapshot = side.snapshot()
            before = len(side.world.log)
            result = side.call(name, arguments)
            changes = canonical(side.world, side.world.changes_since(before))
            seen.append((result.text, result.violated, changes))
            if not keep or not result.ok:
                side.restore(snapshot)
            side.release(snapshot)
        one, other = seen
        if one == other:
            return None
        what = f"{name}({', '.join(f'{k}={v!r}' for k, v in arguments.items())})"
        for label, a, b in zip(("answers", "breaks", "changes"), one, other, strict=True):
            if a != b:
                return f"{what} {label} {str(b)[:160]} instead of {str(a)[:160]}"
        return what

    def close(self) -> None:
        for side in self.sides:
            side.close()


def _in_world(sound: Domain, mutant: Domain, seed: int, scale: float, near: set[str]) -> str | None:
    try:
        pair = _Pair(sound, mutant, seed, scale)
    except Exception as error:
        return f"its world can't be built: {error}"
    try:
        people = _people(pair.sides[0])
        for round_ in range(ROUNDS):
            for person in people:
                found = _for_person(pair, sound, person, round_, near)
                if found is not None:
                    return found
    finally:
        pair.close()
    return None


def _people(environment: DomainEnvironment) -> list[str]:
    rows = environment.domain.regulars(environment.world)
    step = max(1, len(rows) // PEOPLE)
    return [row.id for row in rows[::step]][:PEOPLE]


def _for_person(
    pair: _Pair, domain: Domain, person: str, round_: int, near: set[str]
) -> str | None:
    """Some common writes, then many bindings of every tool on both sides, each taken back."""
    pair.act_for(person)
    row = pair.sides[0].world.get(domain.identity, person)
    if pair.rng.random() < 0.5:
        for record in domain.records_of(row):
            for column in record._info.columns:
                subject = {"fact": column, "value": getattr(record, column)}
                pair.observe(Event("revealed", subject))
    tools = list(domain.tools.values())
    writes = [t for t in tools if t.kind == "write"]
    wanted = [t for t in writes if t.name in near] or writes
    for step in range(round_ * 3):
        pool = wanted if step % 2 else writes
        tool = pool[pair.rng.randrange(len(pool))]
        case = pair.drawers[0].free(tool, pair.drawers[0].survey())
        if case is not None:
            found = pair.call(tool.name, case.arguments, keep=True)
            if found is not None:
                return found
    for tool in tools:
        for arguments in _bindings(pair, tool, NEAR if tool.name in near else FAR):
            if tool.confirmation is not None and pair.rng.random() < 0.5:
                pair.observe(Event("confirmed", {"tool": tool.name, "arguments": arguments}))
            found = pair.call(tool.name, arguments, keep=False)
            if found is not None:
                return found
    return None


def _bindings(pair: _Pair, tool: Tool, number: int) -> Iterator[dict[str, Any]]:
    """Bindings that are free or blocked by one condition on either side, and arbitrary ones."""
    for side, drawer in zip(pair.sides, pair.drawers, strict=True):
        mine = side.domain.tools[tool.name]
        found = list(drawer.survey().bindings(mine))[: number * 12]
        close = [b for b in found if len(b.blocked) <= 1][:number]
        for binding in close or found[: number // 2]:
            case = drawer.plain(mine, binding)
            if case is not None:
                yield case.arguments
    for _ in range(number // 2):
        case = pair.drawers[0].wide(pair.sides[0].domain.tools[tool.name])
        if case is not None:
            yield case.arguments
