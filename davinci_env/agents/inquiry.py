"""Inquiry: which reads reveal what is not known yet, and making them.

Everything here is a generator of actions, so that a decision can be written as if looking up were
an ordinary function: `verdict = yield from inquiry.settle(lambda: rule_holds(loan))`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ..domain import Domain, Parameter, Tool
from ..domain.log import CallEntry, Entry
from ..domain.results import RecordShape, RowShape, RowsShape
from ..environment import ToolResult
from ..state import Entity
from .belief import BeliefRow, Beliefs, Trace, Unread
from .protocol import Action, Call

T = TypeVar("T")
Steps = Generator[Action, ToolResult | None, T]
"""A stretch of a conversation: yields actions, is sent the result of each call, returns what came
of it.
"""

Bound = Mapping[str, Any]

MAX_PAGES = 12
"""Most pages that are read of one list."""

MAX_LOOK_UPS = 24
"""Most look-ups for one decision."""


@dataclass(frozen=True)
class Read:
    """A read that may help; with all its pages it tells a back list in full if `completes` names
    one.
    """

    tool: Tool
    bound: Bound
    completes: tuple[BeliefRow, str] | None = None


@dataclass(frozen=True)
class Settled(Generic[T]):
    """The outcome of a decision: known or not, its value, and what it rests on."""

    known: bool
    value: T | None
    trace: Trace


class Inquiry:
    """Makes reads and remembers them.

    Args:
        permit: asked before each read; it may settle what the policy demands first, such as
            identification.
    """

    def __init__(
        self, domain: Domain, beliefs: Beliefs, permit: Callable[[Tool, Bound], Steps[bool]]
    ) -> None:
        self.domain, self.beliefs, self.permit = domain, beliefs, permit
        self.available: frozenset[str] = frozenset(domain.tools)
        self.entries: list[Entry] = []
        self.seek: Callable[[BeliefRow], Steps[bool]] | None = None
        self.collect: Callable[[Entity], Steps[list[BeliefRow]]] | None = None
        self._sought: set[BeliefRow] = set()
        self._collected: set[str] = set()
        self._made: dict[str, list[BeliefRow] | None] = {}
        self._reads = [t for t in domain.tools.values() if t.kind == "read"]

    # -- calling -----------------------------------------------------------------------------------

    def call(
        self, tool: Tool, bound: Bound, more: Mapping[str, Any] | None = None
    ) -> Steps[ToolResult]:
        """Call a tool, note it in the agent's own log, and learn from the result."""
        arguments = {**wire_arguments(tool, bound), **(more or {})}
        result = yield Call(tool.name, arguments)
        assert result is not None
        places: tuple[tuple[str, str], ...] = ()
        if result.ok:
            if tool.kind == "write":
                self.beliefs.forget(tool, bound)
                self._made.clear()
                self._sought.clear()
                self._collected.clear()
            rows = self.beliefs.absorb(tool, result.content)
            places = tuple((row._info.table, row.id) for row in rows)
        self.entries.append(
            CallEntry(
                tool.name,
                arguments,
                result.ok,
                result.code,
                (),
                places,
                tool.kind == "write",
                result,
            )
        )
        return result

    def read(self, read: Read) -> Steps[list[BeliefRow] | None]:
        """Make a read with all its pages, once; None when it was refused or is not allowed."""
        tool = read.tool
        key = f"{tool.name} {sorted(wire_arguments(tool, read.bound).items())!r}"
        if key not in self._made:
            if tool.name not in self.available or not (yield from self.permit(tool, read.bound)):
                return None
            self._made[key] = yield from self._all_pages(tool, read.bound)
        rows = self._made[key]
        if rows is not None and read.completes is not None:
            parent, attribute = read.completes
            back = parent._info.backs[attribute]
            children = [
                r for r in rows if r.entity is back.child and r._cells.get(back.column) == parent.id
            ]
            self.beliefs.complete(parent, attribute, list(dict.fromkeys(children)))
        return rows

    def _all_pages(self, tool: Tool, bound: Bound) -> Steps[list[BeliefRow] | None]:
        rows: list[BeliefRow] = []
        page: dict[str, Any] | None = {}
        for _ in range(MAX_PAGES):
            result = yield from self.call(tool, bound, page)
            if not result.ok:
                return None
            entry = self.entries[-1]
            assert isinstance(entry, CallEntry)
            rows += [self._row_at(table, key) for table, key in entry.seen]
            shape = tool.shape
            paged = isinstance(shape, RowsShape) and shape.paged
            page = shape.next_page(result.content) if paged else None  # type: ignore[attr-defined]
            if page is None:
                break
        return rows

    def _row_at(self, table: str, key: str) -> BeliefRow:
        return self.beliefs.row(self.domain.schema.by_table[table], key)

    # -- deciding ----------------------------------------------------------------------------------

    def settle(self, evaluate: Callable[[], T]) -> Steps[Settled[T]]:
        """Evaluate on beliefs, looking up what is missing until it is known or nothing more can be
        found.
        """
        trace = Trace()
        for _ in range(MAX_LOOK_UPS):
            try:
                with self.beliefs.traced() as trace:
                    return Settled(True, evaluate(), trace)
            except Unread as need:
                if not (yield from self.learn(need)):
                    return Settled(False, None, trace)
            except (TypeError, ValueError, AttributeError, LookupError):
                return Settled(False, None, trace)  # a rule that can't do with what is known
        return Settled(False, None, trace)

    def learn(self, need: Unread) -> Steps[bool]:
        """Look up a column or a list; returns whether it is known now."""
        row, name = need.row, need.name
        if row is None:
            return False
        if name in row._info.backs:
            for way in self.ways_to_list(row, name):
                yield from self.read(way)
                if name in row._lists:
                    return True
            return (yield from self._collect(row, name))
        if row._info.columns[name].hidden:
            return False
        for way in self.ways_to_row(row):
            yield from self.read(way)
            if name in row._cells:
                return True
        yield from self._search(row)
        return name in row._cells

    def see(self, row: BeliefRow) -> Steps[bool]:
        """Look a row itself up, where so far only others told of it."""
        for way in self.ways_to_row(row):
            if row._seen:
                break
            yield from self.read(way)
        yield from self._search(row)
        return row._seen

    def _collect(self, row: BeliefRow, attribute: str) -> Steps[bool]:
        """Gather what belongs to the person where no list tells it."""
        back = row._info.backs[attribute]
        mine = row is self.beliefs.person and back.child._info.owner == back.reference
        if not mine or attribute in self._collected or self.collect is None:
            return False
        self._collected.add(attribute)
        children = yield from self.collect(back.child)
        if children:
            self.beliefs.complete(row, attribute, children)
        return bool(children)

    def _search(self, row: BeliefRow) -> Steps[None]:
        """Look for a row that nothing known leads to, at most once until something is changed."""
        if not row._seen and self.seek is not None and row not in self._sought:
            self._sought.add(row)
            yield from self.seek(row)

    # -- ways --------------------------------------------------------------------------------------

    def ways_to_list(self, row: BeliefRow, attribute: str) -> Iterator[Read]:
        """Reads that tell a back list in full; hand-written lists come last, since they may leave
        rows out.
        """
        back = row._info.backs[attribute]
        whole = (row, attribute)
        for tool in self._reads:
            if tool.derived == "list" and tool.about is back.child:
                parent = tool.parameters[0]
                if parent.name == back.reference and self._can_name(parent, row):
                    yield Read(tool, {parent.name: row}, whole)
        for tool in self._reads:
            if tool.derived == "get" and tool.about is row.entity and attribute in includes(tool):
                yield Read(tool, {tool.parameters[0].name: row})
        for tool in self._reads:
            if tool.derived is None and tool.shape.entity is back.child:
                needed = [p for p in tool.parameters if p.required]
                if (
                    len(needed) == 1
                    and needed[0].entity is row.entity
                    and self._can_name(needed[0], row)
                ):
                    yield Read(tool, {needed[0].name: row}, whole)
        for tool in self._reads:
            if tool.derived == "search" and tool.about is back.child:
                yield Read(tool, {}, whole)

    def _can_name(self, parameter: Parameter, row: BeliefRow) -> bool:
        if parameter.implicit:
            return row is self.beliefs.person
        return row._info.pk in row._cells

    def ways_to_row(self, row: BeliefRow) -> Iterator[Read]:
        """Reads that show a row, the surest first."""
        info = row._info
        showing = [t for t in self._reads if row.entity in shown_entities(t)]
        if info.pk not in row._cells:  # the signed-in person, whom a read of their own shows
            for tool in showing:
                if all(p.implicit or not p.required for p in tool.parameters):
                    yield Read(tool, {p.name: row for p in tool.parameters if p.implicit})
            return
        for tool in showing:
            if tool.derived == "get" and tool.about is row.entity:
                yield Read(tool, {tool.parameters[0].name: row})
        for tool in showing:
            yield from self._through_parents(tool, row)
        for tool in showing:
            if tool.derived is None:
                yield from self._hand_written(tool, row)
        for tool in showing:
            if tool.derived == "search":
                yield from self._searches(tool, row)

    def _through_parents(self, tool: Tool, row: BeliefRow) -> Iterator[Read]:
        """Lists and details of what the row belongs to."""
        for reference in row._info.refs.values():
            parent = tool.parameters[0] if tool.parameters else None
            if parent is None or parent.entity is not reference.target:
                continue
            if (
                tool.derived == "list"
                and tool.about is row.entity
                and parent.name == reference.attribute
            ):
                for above in self._parents(row, reference.column, reference.target):
                    if self._can_name(parent, above):
                        yield Read(tool, {parent.name: above}, (above, reference.back))
            elif tool.derived == "get" and reference.back in includes(tool):
                for above in self._parents(row, reference.column, reference.target):
                    yield Read(tool, {parent.name: above})

    def _parents(self, row: BeliefRow, column: str, target: Entity) -> Sequence[BeliefRow]:
        """The row's parent, or where that is not known whoever may be it."""
        if column in row._cells:
            key = row._cells[column]
            return [] if key is None else [self.beliefs.row(target, key)]
        if target is self.domain.identity:
            return [] if self.beliefs.person is None else [self.beliefs.person]
        return [r for r in self.beliefs.rows(target) if r._seen][:6]

    def _hand_written(self, tool: Tool, row: BeliefRow) -> Iterator[Read]:
        """An author's read, where its arguments follow from what the row is known to belong to."""
        bound: dict[str, Any] = {}
        for parameter in tool.parameters:
            if parameter.implicit:
                bound[parameter.name] = self.beliefs.person
            elif parameter.required:
                value = self._related(parameter, row)
                if value is None:
                    return
                bound[parameter.name] = value
        yield Read(tool, bound)

    def _related(self, parameter: Parameter, row: BeliefRow) -> Any:
        if parameter.entity is None:
            return row._cells.get(parameter.like[1] if parameter.like else parameter.name)
        if parameter.entity is row.entity:
            return row
        for reference in row._info.refs.values():
            key = row._cells.get(reference.column)
            if reference.target is parameter.entity and key is not None:
                return self.beliefs.row(reference.target, key)
        return self.beliefs.person if parameter.entity is self.domain.identity else None

    def _searches(self, tool: Tool, row: BeliefRow) -> Iterator[Read]:
        known = {**row._shown, **row._cells}
        for name in text_columns(row.entity):
            if known.get(name):
                yield Read(tool, {"query": known[name]})
        yield Read(tool, {})


def text_columns(entity: Entity) -> list[str]:
    """The columns that hold words about a row, by which it can be searched for."""
    info = entity._info
    return [
        name
        for name, spec in info.columns.items()
        if spec.kind == "str" and spec.target is None and not spec.choices and name != info.pk
    ]


def shown_entities(tool: Tool) -> set[Entity]:
    """The entities whose rows a read shows."""
    shape = tool.shape
    if isinstance(shape, RecordShape):
        return {t.entity for t in shape.fields.values() if t.entity is not None}
    assert shape.entity is not None
    return {shape.entity, *(shape.entity._info.backs[a].child for a in includes(tool))}


def includes(tool: Tool) -> tuple[str, ...]:
    """The back lists that a read shows beside its row."""
    return tool.shape.include if isinstance(tool.shape, RowShape) else ()


def wire_arguments(tool: Tool, values: Bound) -> dict[str, Any]:
    """Rows and values as the agent sends them: ids, the dialect's forms; absent values and defaults
    left out.
    """
    out: dict[str, Any] = {}
    for parameter in tool.parameters:
        value = values.get(parameter.name)
        if parameter.implicit or value is None:
            continue
        if not parameter.required and value == parameter.default:
            continue
        if parameter.entity is not None:
            out[parameter.wire] = [row.id for row in value] if parameter.type.many else value.id
            continue
        show = tool.dialect.codec(str(parameter.type.kind)).show
        if show is not None:
            value = [show(v) for v in value] if parameter.type.many else show(value)
        out[parameter.wire] = value
    return out


def python_value(tool: Tool, parameter: Parameter, wire: Any) -> Any:
    """A wire value as Python. Raises ValueError for one that the dialect can't read."""
    read = tool.dialect.codec(str(parameter.type.kind)).read
    if read is None or wire is None:
        return wire
    return [read(v) for v in wire] if parameter.type.many else read(wire)
