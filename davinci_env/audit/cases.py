"""Calls to try: bindings a person could want, bindings that one rule blocks, arbitrary ones, and
ill-formed ones.

Among several bindings the one is taken whose rows look least like those that were tried before:
another combination of tier, state, number of open children, days until a date. That is how limits
are met.
"""

from __future__ import annotations

import inspect
import itertools
import operator
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from ..domain import Parameter, Row, Tool
from ..environment import DomainEnvironment
from ..planning import Binding, Survey, wire_arguments
from ..state import EntityInfo
from .expectation import Case
from .report import Findings

LOOK_AT = {"write": 200, "read": 30}
"""Most bindings that are looked at to pick one."""

CANDIDATES = 12
"""Bindings among which the most novel one is picked."""

UNKNOWN_ID = "ZZ-999999"
NEAR_DAYS = 70
MOST_CHILDREN = 7

Feature = tuple[Any, ...]


class Novelty:
    """Remembers which combinations of features of rows each tool has been called with."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, Feature, Feature]] = set()
        self._known: dict[Any, list[Feature]] = {}

    def forget(self) -> None:
        """The state changed: rows may look different now."""
        self._known.clear()

    def pairs(self, tool: Tool, values: Mapping[str, Any]) -> list[tuple[str, Feature, Feature]]:
        """Pairs of features of a binding."""
        features: list[Feature] = []
        for name, value in values.items():
            if hasattr(value, "entity"):
                features += [(name, *f) for f in self._features(value)]
            elif not isinstance(value, list | tuple):
                features.append((name, value if isinstance(value, str | bool) else _size(value)))
            else:
                features.append((name, len(value)))
        return [(tool.name, a, b) for n, a in enumerate(features) for b in features[n:]]

    def _features(self, row: Row) -> list[Feature]:
        found = self._known.get(row)
        if found is None:
            found = self._known[row] = features_of(row)
        return found

    def score(self, tool: Tool, values: Mapping[str, Any]) -> int:
        """How many pairs are new."""
        return sum(pair not in self.seen for pair in self.pairs(tool, values))

    def note(self, tool: Tool, values: Mapping[str, Any]) -> None:
        """Remember a binding that was called."""
        self.seen.update(self.pairs(tool, values))


def _size(value: Any) -> Any:
    """A coarse size of a number: sign and number of digits."""
    if isinstance(value, int | float):
        return (value > 0) - (value < 0), len(str(abs(int(value))))
    return type(value).__name__


def features_of(row: Row) -> list[Feature]:
    """What a row looks like: choices, flags, presence, days from today, children by state."""
    info: EntityInfo = row._info
    today = row._world.clock["now"].date()
    out: list[Feature] = []
    for column, spec in info.columns.items():
        value = getattr(row, column)
        if spec.choices or spec.kind == "bool":
            out.append((column, value))
        elif value is None:
            out.append((column, None))
        elif spec.kind in ("date", "datetime"):
            day = value.date() if isinstance(value, datetime) else value
            days = (day - today).days
            out.append((column, max(-NEAR_DAYS, min(NEAR_DAYS, days))))
        elif spec.kind == "int":
            out.append((column, min(value, MOST_CHILDREN)))
    for attribute, back in info.backs.items():
        state = back.child._info.state_column
        rows = getattr(row, attribute)
        if len(rows) > 40:
            continue
        if state is None:
            out.append((attribute, min(len(rows), MOST_CHILDREN)))
        else:
            counts = Counter(getattr(child, state) for child in rows)
            out += [(attribute, s, min(n, MOST_CHILDREN)) for s, n in sorted(counts.items())]
    return out


class Drawer:
    """Draws calls in the present state of an environment."""

    def __init__(
        self,
        environment: DomainEnvironment,
        rng: random.Random,
        novelty: Novelty,
        findings: Findings | None = None,
    ) -> None:
        self.environment, self.rng, self.novelty = environment, rng, novelty
        self.findings = findings or Findings()
        self.domain = environment.domain

    def survey(self) -> Survey:
        """The actor's present possibilities."""
        self.novelty.forget()
        return Survey(self.environment, self.rng)

    def free(self, tool: Tool, survey: Survey) -> Case | None:
        """A binding that nothing forbids."""
        return self._pick(tool, [b for b in self.bindings(tool, survey) if not b.blocked])

    def blocked(self, tool: Tool, survey: Survey, used: Counter[tuple[str, str]]) -> Case | None:
        """A binding that exactly one condition forbids, one that was met least."""
        once = [b for b in self.bindings(tool, survey) if len(b.blocked) == 1]
        if not once:
            return None
        least = min(used[tool.name, b.blocked[0]] for b in once)
        chosen = [b for b in once if used[tool.name, b.blocked[0]] == least]
        case = self._pick(tool, chosen)
        if case is not None:
            used[tool.name, chosen[0].blocked[0]] += 1
        return case

    def bindings(self, tool: Tool, survey: Survey, number: int | None = None) -> list[Binding]:
        """The first bindings of a survey, or arbitrary ones where the survey has none."""
        found: list[Binding] = []
        try:
            found = list(itertools.islice(survey.bindings(tool), number or LOOK_AT[tool.kind]))
            if not found:
                drawn = [v for _ in range(CANDIDATES) if (v := self._values(tool)) is not None]
                found = [Binding(tool, v, tuple(self.blockers(tool, v))) for v in drawn]
        except Exception as error:  # a rule or a `drawn` that raises is a finding
            text = f"a rule or `drawn` of it raises {type(error).__name__}"
            self.findings.add("crash", tool.name, text, tool.line)
        return found

    def plain(self, tool: Tool, binding: Binding) -> Case | None:
        """A binding as a call; None where a value is out of bounds."""
        if not _within_bounds(tool, binding.values):
            return None
        return Case(tool, wire_arguments(tool, binding.values), binding.values)

    def blockers(self, tool: Tool, values: Mapping[str, Any]) -> list[str]:
        """What forbids a binding."""
        environment = self.environment
        context = tool.context(dict(values), environment.world.db, environment.log.entries, {})
        return tool.blockers(context)

    def _pick(self, tool: Tool, found: Sequence[Binding]) -> Case | None:
        if not found:
            return None
        few = list(found)
        if len(few) > CANDIDATES:
            few = self.rng.sample(few, CANDIDATES)
        few = [b for b in few if _within_bounds(tool, b.values)]
        if not few:
            return None
        best = max(few, key=lambda b: self.novelty.score(tool, b.values))
        return self.case(tool, best.values)

    def case(self, tool: Tool, values: Mapping[str, Any]) -> Case:
        """A well-formed call."""
        self.novelty.note(tool, values)
        return Case(tool, wire_arguments(tool, values), values)

    def wide(self, tool: Tool) -> Case | None:
        """Arbitrary rows and values, other people's included."""
        values = self._values(tool)
        return None if values is None else self.case(tool, values)

    def _values(self, tool: Tool) -> dict[str, Any] | None:
        values: dict[str, Any] = {}
        for parameter in tool.parameters:
            if parameter.implicit:
                values[parameter.name] = self._me(parameter)
                continue
            pool = list(self._pool(tool, parameter, values))
            if not parameter.required and (not pool or self.rng.random() < 0.5):
                values[parameter.name] = parameter.default
                continue
            if not pool:
                return None
            values[parameter.name] = pool[self.rng.randrange(len(pool))]
        return values if _within_bounds(tool, values) else None

    def _me(self, parameter: Parameter) -> Row | None:
        """The actor, as a tool names them."""
        actor = self.environment.world.db.actor
        if actor is None or parameter.entity is None:
            return None
        return self.domain.as_known_in(parameter.entity, actor)

    def _pool(self, tool: Tool, parameter: Parameter, values: Mapping[str, Any]) -> Sequence[Any]:
        if parameter.entity is not None:
            rows = self.environment.world.all(parameter.entity)
            if not parameter.type.many:
                return rows
            return [self.rng.sample(rows, min(len(rows), n)) for n in (1, 1, 2, 3) if rows]
        if parameter.drawn is not None and self.rng.random() < 0.7:
            drawn = _drawn(parameter, {**values, "db": tool.own_db(self.environment.world.db)})
            if drawn:
                return drawn
        return self.scalars(tool, parameter)

    def scalars(self, tool: Tool, parameter: Parameter) -> Sequence[Any]:
        """Values of a plain argument, near its bounds and near those that exist."""
        if parameter.name == "page":
            return _PAGES[tool.dialect.paging]
        if parameter.type.choices:
            options: list[Any] = list(parameter.type.choices)
            return [[o] for o in options] if parameter.type.many else options
        if parameter.like is not None:
            entity, column = parameter.like
            found = {getattr(row, column) for row in self.environment.world.all(entity)} - {None}
            values = sorted(found, key=str)
            if tool.derived == "search" and values and isinstance(values[0], str):
                return [v[:4] for v in values]
            return values
        return self._of_kind(parameter)

    def _of_kind(self, parameter: Parameter) -> Sequence[Any]:
        kind, now = parameter.type.kind, self.environment.world.clock["now"]
        days = (-400, -60, -30, -7, -1, 0, 1, 7, 30, 60)
        if kind == "bool":
            return [False, True]
        if kind == "date":
            return [now.date() + timedelta(days=n) for n in days]
        if kind == "datetime":
            return [now + timedelta(days=n) for n in days]
        if kind == "time":
            return [now.time().replace(minute=0, second=0, microsecond=0)]
        if kind in ("int", "money", "minutes", "float"):
            bounds = parameter.bounds()
            low = int(bounds.get("ge", bounds.get("gt", 0) + 1 if "gt" in bounds else 1))
            high = int(bounds.get("le", bounds.get("lt", low + 10_000_001) - 1))
            middle = [low + step for step in (0, 1, 2, 3, 99, 999) if low + step <= high]
            return [*middle, high if "le" in bounds else middle[-1]]
        return ["a note", "x" * 200, 'Grüße & <b>"quoted"</b> % _ \\ \' ;']

    # -- ill-formed calls --------------------------------------------------------------------------

    def malformed(self, tool: Tool) -> Iterator[Case]:
        """Calls with one thing wrong: an unknown id, a missing, mistyped, extra, oversized or NUL
        argument."""
        case = self.wide(tool)
        if case is None:
            return
        yield from self._unknown_ids(tool, case)
        for wire, schema in tool.binder.schema.get("properties", {}).items():
            for wrong in _wrong_values(schema):
                yield Case(tool, {**case.arguments, wire: wrong}, None, "invalid_arguments")
            if schema.get("type") == "integer" and "maximum" not in schema:
                yield Case(tool, {**case.arguments, wire: 2**70})
        for wire in tool.binder.schema.get("required", ()):
            fewer = {k: v for k, v in case.arguments.items() if k != wire}
            yield Case(tool, fewer, None, "invalid_arguments")
        yield Case(tool, {**case.arguments, "unexpected": 1}, None, "invalid_arguments")

    def _unknown_ids(self, tool: Tool, case: Case) -> Iterator[Case]:
        """An id that doesn't exist: the first such argument, in the order of binding, gives the
        code."""
        for parameter in tool.parameters:
            if parameter.entity is None or parameter.implicit:
                continue
            noun = parameter.entity._info.noun
            unknown: Any = [UNKNOWN_ID] if parameter.type.many else UNKNOWN_ID
            arguments = {**case.arguments, parameter.wire: unknown}
            yield Case(tool, arguments, None, f"{noun}_not_found")
        if tool.derived == "find":
            (wire,) = tool.binder.schema["properties"]
            unknown = {"string": "nobody", "integer": -1}.get(
                tool.binder.schema["properties"][wire]["type"]
            )
            noun = tool.about._info.noun if tool.about is not None else ""
            if unknown is not None:
                yield Case(tool, {wire: unknown}, None, f"{noun}_not_found")
        for parameter in tool.parameters:
            # An author may take an id as plain text: then an unknown one must be refused too.
            if parameter.entity is None and parameter.wire.endswith("_id"):
                arguments = {**case.arguments, parameter.wire: UNKNOWN_ID}
                yield Case(tool, arguments)


_PAGES: dict[str, list[Any]] = {
    "page": [1, 1, 2, 3, 99],
    "offset": [0, 0, 5, 10, 990],
    "cursor": [None, None, "c5", "ca"],
}


def _wrong_values(schema: Mapping[str, Any]) -> list[Any]:
    kind = schema.get("type")
    if kind == "string":
        wrong: list[Any] = [17, None, "nul\x00byte"]
        if "enum" in schema:
            wrong.append("no such choice")
        if "maxLength" in schema:
            wrong.append("x" * (schema["maxLength"] + 1))
        if "pattern" in schema:
            wrong.append("not of this form")
        return wrong
    if kind == "integer":
        wrong = ["seventeen", 1.5, True]
        if "minimum" in schema:
            wrong.append(schema["minimum"] - 1)
        if "maximum" in schema:
            wrong.append(schema["maximum"] + 1)
        return wrong
    if kind == "array":
        return ["no list", [], [17], ["x"] * 51]
    return ["yes", 1] if kind == "boolean" else ["seventeen", True]


_INSIDE: list[tuple[str, Callable[[Any, Any], bool]]] = [
    ("ge", operator.ge),
    ("gt", operator.gt),
    ("le", operator.le),
    ("lt", operator.lt),
]


def _within_bounds(tool: Tool, values: Mapping[str, Any]) -> bool:
    """Whether every value lies within what the schema allows."""
    for parameter in tool.parameters:
        value = values.get(parameter.name)
        if value is None or isinstance(value, str) or parameter.entity is not None:
            continue
        if isinstance(value, list | tuple | date | datetime):
            continue
        bounds = parameter.bounds()
        if any(key in bounds and not inside(value, bounds[key]) for key, inside in _INSIDE):
            return False
        if parameter.type.kind in ("money", "minutes") and value < 0:
            return False
    return True


def _drawn(parameter: Parameter, bound: Mapping[str, Any]) -> list[Any]:
    assert parameter.drawn is not None
    candidates = parameter.drawn.candidates
    names = inspect.signature(candidates).parameters
    try:
        return list(candidates(**{n: bound[n] for n in names if n in bound}))
    except (TypeError, AttributeError, ValueError, ArithmeticError):
        return []  # candidates are for a person's own rows; arbitrary ones may not have any
