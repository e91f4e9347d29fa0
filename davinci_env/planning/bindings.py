"""Bindings: the calls that a person could ask for in a state, split into free and blocked.

Rules run on row objects, so that a binding costs microseconds; nothing is executed here.
One-argument rules prune the pools before the product.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..agents.inquiry import wire_arguments
from ..domain import Parameter, Row, Tool
from ..domain.frames import Sets, rows_at
from ..environment import DomainEnvironment
from ..state import Entity

MAX_BINDINGS = 400
"""Most bindings of one tool that a survey looks at; larger products are sampled."""

NOTHING: Mapping[str, Any] = {}
"""No argument is settled."""

NOTES = (
    "please call me before you do anything further",
    "I am away until the end of the month",
    "this was agreed on the phone last week",
    "please send me a short note when it is done",
)
"""Free texts for arguments that take any text."""


@dataclass(frozen=True)
class Binding:
    """A call as rows and values. `blocked` names what forbids it: [] when the call is free."""

    tool: Tool
    values: Mapping[str, Any]
    blocked: tuple[str, ...]

    @property
    def rows(self) -> list[Row]:
        """The person's own rows that the call is about."""
        given = [v for value in self.values.values() for v in _each(value)]
        return [v for v in given if hasattr(v, "_info") and v._info.owner is not None]

    @property
    def is_so(self) -> bool:
        """Whether the call asks for what is so already: a reference or column that it may set has
        the value that an argument gives.
        """
        return any(
            self._gives(row, column)
            for item in self.tool.frame
            if isinstance(item, Sets)
            for row in rows_at(self.values, item.path)
            for column in item.columns
        )

    def _gives(self, row: Row, column: str) -> bool:
        reference = next((r for r in row._info.refs.values() if r.column == column), None)
        if reference is None:
            return column in self.values and self.values[column] == getattr(row, column)
        now = getattr(row, reference.attribute)
        return now is not None and any(value is now for value in self.values.values())


def _each(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


class Survey:
    """What the actor could ask for in the present state.

    Args:
        environment: its present state is surveyed; it is not changed.
        rng: orders tools and samples large pools.
    """

    def __init__(self, environment: DomainEnvironment, rng: random.Random) -> None:
        self.environment = environment
        self.domain = environment.domain
        self.rng = rng
        self.db = environment.world.db
        self.actor = None
        if environment.actor is not None:
            self.actor = environment.world.get(self.domain.identity, environment.actor)
        self._pools: dict[Entity, list[Row]] = {}

    def writes(self) -> list[Tool]:
        """The writes that a task may be about (not the hand-over, nor what is to appear later)."""
        return [
            tool
            for tool in self.domain.tools.values()
            if tool.kind == "write"
            and not tool.handover
            and tool.name not in self.environment.appearing
        ]

    def rows(self, entity: Entity) -> list[Row]:
        """The rows of an entity in the actor's scope: the actor's own and nobody's."""
        if entity not in self._pools:
            owner_of, actor = self.domain.owner_of, self.actor
            if entity._info.identity:
                rows = self._known_in(entity)
            else:
                rows = [r for r in self.db.all(entity) if owner_of(r) in (None, actor)]
            self._pools[entity] = rows
        return self._pools[entity]

    def _known_in(self, entity: Entity) -> list[Row]:
        """The actor, as the domain of an identity entity knows them."""
        row = None if self.actor is None else self.domain.as_known_in(entity, self.actor)
        return [] if row is None else [row]

    def bindings(
        self,
        tool: Tool,
        given: Mapping[str, Any] = NOTHING,
        times: int = 1,
        carried: Collection[str] = (),
    ) -> Iterator[Binding]:
        """Bindings of a tool in random order, each with what blocks it.

        Args:
            given: values of arguments that are settled, by name; only the others are drawn.
            times: how many values are drawn of the first argument that depends on others.
            carried: names of given arguments whose values come from elsewhere, and need be none of
                those that the domain itself would draw.
        """
        advisory = [
            (code, holds) for code, holds, rule in tool.advisory if rule.kind is None
        ]  # confirmation and identification are settled in conversation
        entries = self.environment.log.entries
        for values in self._products(tool, given, times, carried):
            context = tool.context(dict(values), self.db, entries, {})
            blocked = tool.blockers(context)
            if not blocked or (len(blocked) == 1 and blocked[0] in self.domain.rules):
                blocked = [*blocked, *(code for code, holds in advisory if not holds(context))]
            yield Binding(tool, values, tuple(blocked))

    def _products(
        self, tool: Tool, given: Mapping[str, Any], times: int, carried: Collection[str]
    ) -> Iterator[dict[str, Any]]:
        parameters = [p for p in tool.parameters if not p.implicit]
        implicit = {
            p.name: next(iter(self._known_in(p.entity)), None)
            for p in tool.parameters
            if p.implicit and p.entity is not None
        }
        fixed = [p for p in parameters if p.drawn is None or p.name in carried]
        dependent = [p for p in parameters if p not in fixed]
        pools = [[given[p.name]] if p.name in given else self._pool(p) for p in fixed]
        if any(not pool for pool in pools):
            return
        if not all(_is_legal(p, given[p.name]) for p in parameters if p.name in carried):
            return
        total = 1
        for pool in pools:
            total *= len(pool)
        for values in self._combine(pools, total):
            bound = {**implicit, **dict(zip((p.name for p in fixed), values, strict=True))}
            yield from self._draw({**bound, "db": tool.own_db(self.db)}, dependent, given, times)

    def _combine(self, pools: list[list[Any]], total: int) -> Iterator[tuple[Any, ...]]:
        if total <= MAX_BINDINGS:
            product = list(itertools.product(*pools))
            self.rng.shuffle(product)
            yield from product
            return
        for _ in range(MAX_BINDINGS):
            yield tuple(pool[self.rng.randrange(len(pool))] for pool in pools)

    def _draw(
        self,
        bound: dict[str, Any],
        dependent: Sequence[Parameter],
        given: Mapping[str, Any],
        times: int = 1,
    ) -> Iterator[dict[str, Any]]:
        if not dependent:
            yield {name: value for name, value in bound.items() if name != "db"}
            return
        first, *rest = dependent
        assert first.drawn is not None
        candidates = [
            value
            for value in _ask(first.drawn.candidates, bound)
            if _is_legal(first, value) and (first.name not in given or value == given[first.name])
        ]
        for value in self.rng.sample(candidates, min(times, len(candidates))):
            yield from self._draw({**bound, first.name: value}, rest, given)

    def _pool(self, parameter: Parameter) -> list[Any]:
        """Plausible values of one argument."""
        if parameter.entity is not None:
            pool: list[Any] = list(self.rows(parameter.entity))
            if parameter.type.many:
                pool = self._groups(pool)
        else:
            pool = list(self._scalars(parameter))
        if not parameter.required:
            keep = [parameter.default]
            pool = keep if parameter.is_free_text or not pool else keep + pool[:6]
        return pool

    def _groups(self, rows: list[Row]) -> list[list[Row]]:
        """Lists of one, two or three rows that share what they belong to."""
        groups: dict[Any, list[Row]] = {}
        for row in rows:
            info = row._info
            parent = getattr(row, info.refs[info.owner].column) if info.owner else None
            groups.setdefault(parent, []).append(row)
        out: list[list[Row]] = []
        for members in groups.values():
            for size in (1, 2, 3):
                out += [list(c) for c in itertools.islice(itertools.combinations(members, size), 6)]
        return out

    def _scalars(self, parameter: Parameter) -> Sequence[Any]:
        if parameter.type.choices:
            options: list[Any] = list(parameter.type.choices)
            return [[o] for o in options] if parameter.type.many else options
        if parameter.like is not None:
            entity, column = parameter.like
            values = {getattr(row, column) for row in self.rows(entity)} - {None}
            return sorted(values, key=str)[:24]
        if parameter.type.kind == "bool":
            return [False, True]
        bounds = parameter.bounds()
        if parameter.type.kind in ("int", "money", "minutes", "float"):
            low = math.ceil(bounds.get("ge", math.floor(bounds["gt"]) + 1 if "gt" in bounds else 1))
            high = math.floor(bounds.get("le", low + 3))
            return [n for n in range(low, min(high, low + 3) + 1) if _is_legal(parameter, n)]
        if parameter.type.kind == "str":
            notes = (note[: bounds.get("max_length")].strip() for note in NOTES)
            return [note for note in notes if len(note) >= bounds.get("min_length", 1)]
        return []


def _is_legal(parameter: Parameter, value: Any) -> bool:
    """Whether a value is within an argument's bounds: others never reach a rule."""
    bounds = parameter.bounds()
    return (
        value is None
        or not bounds
        or not isinstance(value, int | float)
        or (
            bounds.get("ge", value) <= value <= bounds.get("le", value)
            and ("gt" not in bounds or value > bounds["gt"])
            and ("lt" not in bounds or value < bounds["lt"])
        )
    )


def _ask(candidates: Callable[..., Any], bound: Mapping[str, Any]) -> list[Any]:
    """Call an author's candidate function with the arguments that it names."""
    return list(candidates(**{n: bound[n] for n in _named(candidates) if n in bound}))


@functools.cache
def _named(candidates: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(candidates).parameters)


def plain_arguments(binding: Binding) -> dict[str, Any]:
    """The wire arguments of a binding."""
    return wire_arguments(binding.tool, binding.values)
