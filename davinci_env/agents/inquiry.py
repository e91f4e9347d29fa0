"""Inquiry: which reads reveal what is not known yet, and making them.

Everything here is a generator of actions, so that a decision can be written as if looking up were
an ordinary function: `verdict = yield from inquiry.settle(lambda: rule_holds(loan))`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ..domain import Domain, Parameter, Tool
from ..domain.frames import Creates, columns_changed
from ..domain.log import CallEntry, Entry
from ..domain.results import RowsShape
from ..environment import ToolResult
from ..state import Entity
from .belief import BeliefRow, Beliefs, Trace, Unread
from .protocol import Action, Call
from .ways import Bound, Read, Ways, shown_entities

T = TypeVar("T")
Steps = Generator[Action, ToolResult | None, T]
"""A stretch of a conversation: yields actions, is sent the result of each call, returns what came
of it.
"""

MAX_PAGES = 12
"""Most pages that are read of one list."""

MAX_LOOK_UPS = 24
"""Most look-ups for one decision."""


@dataclass(frozen=True)
class Settled(Generic[T]):
    """The outcome of a decision: known or not, its value, and what it rests on."""

    known: bool
    value: T | None
    trace: Trace


@dataclass(frozen=True)
class _Reading:
    """What came of a read: its rows (None: refused), whether these are all, and the tables that it
    shows (None: it works something out, of who knows what).
    """

    rows: list[BeliefRow] | None
    whole: bool
    tables: frozenset[str] | None


class Inquiry:
    """Makes reads and remembers them.

    `before` is given each read before it is made; `created` are the entities of which the agent's
    own calls may have created rows, and `made` the last such row of each that a result showed;
    `uncertain` are the tables of which an author's own list may have left rows out.

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
        self.before: Callable[[Read], Steps[None]] | None = None
        self.meet: Callable[[Entity], Steps[BeliefRow | None]] | None = None
        self.made: dict[Entity, BeliefRow] = {}
        self.created: set[Entity] = set()
        self.uncertain: set[str] = set()
        self._sought: set[BeliefRow] = set()
        self._collected: set[str] = set()
        self._absent: set[tuple[Entity, str]] = set()
        self._reads_made: dict[str, _Reading] = {}
        self.ways = Ways(domain, beliefs)

    # -- calling -----------------------------------------------------------------------------------

    def call(
        self,
        tool: Tool,
        bound: Bound,
        more: Mapping[str, Any] | None = None,
        *,
        mistaken: bool = False,
    ) -> Steps[ToolResult]:
        """Call a tool, note it in the agent's own log, and learn from the result."""
        arguments = {**wire_arguments(tool, bound), **(more or {})}
        result = yield Call(tool.name, arguments, mistaken)
        assert result is not None
        places: tuple[tuple[str, str], ...] = ()
        if result.ok:
            rows = self._learn(tool, bound, result.content)
            places = tuple((row._info.table, row.id) for row in rows)
        elif result.code is not None:
            self._note_absent(tool, bound, result.code)
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

    def _learn(self, tool: Tool, bound: Bound, data: Mapping[str, Any]) -> list[BeliefRow]:
        """Take in a result; of a write, also what it did to what was known."""
        if tool.kind != "write":
            return self.absorb(tool, data)
        created = [part.entity for part in tool.frame if isinstance(part, Creates)]
        before = {row for entity in created for row in self.beliefs.rows(entity)}
        lists = self.beliefs.lists_of(created)
        self.outdate(tool, bound)
        rows = self.absorb(tool, data)
        self.created.update(created)
        for entity in created:
            self.made.pop(entity, None)
            new = [row for row in rows if row.entity is entity and row not in before]
            if new:
                self.made[entity] = new[-1]
                self.beliefs.lengthen(lists, new)
        return rows

    def absorb(self, tool: Tool, data: Mapping[str, Any]) -> list[BeliefRow]:
        """Learn what a result shows; returns its rows."""
        return self.beliefs.absorb(tool, data)

    def created_by(self, tool: Tool, data: Mapping[str, Any]) -> list[BeliefRow]:
        """The rows that a write created, as far as its result shows them."""
        created = {part.entity for part in tool.frame if isinstance(part, Creates)}
        views = self.domain.views.by_entity
        return [
            self.beliefs.row(entity, views[entity].read(item)[entity._info.pk])
            for entity, item in tool.shape.rows(data)
            if entity in created
        ]

    def outdate(self, tool: Tool, bound: Bound) -> None:
        """Forget what a write may have changed, and that the reads which show it were made."""
        self.beliefs.forget(tool, bound)
        touched = {table for table, _ in columns_changed(tool.frame, tool.entities)}
        for key, reading in list(self._reads_made.items()):
            if reading.tables is None or reading.tables & touched:
                del self._reads_made[key]
        self._sought.clear()
        self._collected.clear()

    def _note_absent(self, tool: Tool, bound: Bound, code: str) -> None:
        """Note that there is no row of the key that a call named."""
        rows = [bound.get(p.name) for p in tool.parameters if not p.type.many]
        for row in rows:
            if isinstance(row, BeliefRow) and code == f"{row._info.noun}_not_found":
                self._absent.add((row.entity, row.id))

    def is_absent(self, row: BeliefRow) -> bool:
        """Whether a look-up by its key found that there is no such row."""
        key = row._cells.get(row._info.pk)
        return key is not None and (row.entity, str(key)) in self._absent

    def read(self, read: Read) -> Steps[list[BeliefRow] | None]:
        """Make a read with all its pages, once; None when it was refused or is not allowed."""
        tool = read.tool
        key = _key(read)
        if key not in self._reads_made:
            if tool.name not in self.available or not (yield from self.permit(tool, read.bound)):
                return None
            if self.before is not None:
                yield from self.before(read)
            rows, whole = yield from self._all_pages(tool, read.bound)
            self._reads_made[key] = _Reading(rows, whole, _tables_shown(tool))
        rows = self._reads_made[key].rows
        completes = read.completes or _completed_by(read)
        if rows is not None and self._reads_made[key].whole and completes is not None:
            parent, attribute = completes
            back = parent._info.backs[attribute]
            children = [
                r for r in rows if r.entity is back.child and r._cells.get(back.column) == parent.id
            ]
            self.beliefs.complete(parent, attribute, list(dict.fromkeys(children)))
            if tool.derived is None:
                self.uncertain.add(back.child._info.table)
        return rows

    def told(self, tool: Tool, bound: Bound) -> ToolResult | None:
        """What the last successful call of a tool with these arguments told."""
        arguments = wire_arguments(tool, bound)
        for entry in reversed(self.entries):
            if not isinstance(entry, CallEntry) or entry.tool != tool.name or not entry.ok:
                continue
            if entry.arguments == arguments:
                result: ToolResult = entry.result
                return result
        return None

    def misread(self, read: Read) -> Steps[None]:
        """Make a read by mistake: its first page, which shows that it was the wrong one."""
        tool = read.tool
        if _key(read) in self._reads_made:
            return
        result = yield from self.call(tool, read.bound, mistaken=True)
        entry = self.entries[-1]
        if result.ok and self._next_page(tool, result) is None and isinstance(entry, CallEntry):
            rows = [self._row_at(table, key) for table, key in entry.seen]
            self._reads_made[_key(read)] = _Reading(rows, True, _tables_shown(tool))

    def has_all(self, read: Read) -> bool:
        """Whether a read was made to its last page."""
        reading = self._reads_made.get(_key(read))
        return reading is not None and reading.rows is not None and reading.whole

    def _all_pages(self, tool: Tool, bound: Bound) -> Steps[tuple[list[BeliefRow] | None, bool]]:
        rows: list[BeliefRow] = []
        page: dict[str, Any] | None = {}
        for _ in range(MAX_PAGES):
            result = yield from self.call(tool, bound, page)
            if not result.ok:
                return None, False
            entry = self.entries[-1]
            assert isinstance(entry, CallEntry)
            rows += [self._row_at(table, key) for table, key in entry.seen]
            page = self._next_page(tool, result)
            if page is None:
                break
        return rows, page is None

    def _next_page(self, tool: Tool, result: ToolResult) -> dict[str, Any] | None:
        shape = tool.shape
        paged = isinstance(shape, RowsShape) and shape.paged
        return shape.next_page(result.content) if paged else None  # type: ignore[attr-defined]

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
        if need.person is not None:
            return (yield from self.person(need.person)) is not None or self._is_settled(need)
        if row is None:
            return False
        if name in row._info.backs:
            for way in self.ways.to_list(row, name):
                yield from self.read(way)
                if name in row._lists:
                    return True
            return (yield from self._collect(row, name))
        if row._info.columns[name].hidden:
            return False
        for way in self.ways.to_row(row):
            yield from self.read(way)
            if name in row._cells:
                return True
        yield from self._search(row)
        return name in row._cells

    def _is_settled(self, need: Unread) -> bool:
        """Whether it is known that the person has no record there."""
        return need.person in self.beliefs.strangers

    def person(self, entity: Entity) -> Steps[BeliefRow | None]:
        """The record of the person who speaks, found out where it is not known yet."""
        found = self.beliefs.persons.get(entity)
        if found is None and self.meet is not None and entity not in self.beliefs.strangers:
            return (yield from self.meet(entity))
        return found

    def see(self, row: BeliefRow) -> Steps[bool]:
        """Look a row itself up, where so far only others told of it."""
        for way in self.ways.to_row(row):
            if row._seen:
                break
            yield from self.read(way)
        yield from self._search(row)
        return row._seen

    def check(self, row: BeliefRow) -> Steps[None]:
        """Look a row up by its key, where a read is made for that: perhaps there is none."""
        for way in self.ways.to_row(row):
            if row._seen or self.is_absent(row):
                return
            if way.tool.derived == "get" and way.tool.about is row.entity:
                yield from self.read(way)

    def _collect(self, row: BeliefRow, attribute: str) -> Steps[bool]:
        """Gather what belongs to the person where no list tells it."""
        back = row._info.backs[attribute]
        mine = self.beliefs.is_me(row) and back.child._info.owner == back.reference
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


def _completed_by(read: Read) -> tuple[BeliefRow, str] | None:
    """The back list that a derived list tells in full, where nothing narrows it."""
    tool = read.tool
    if tool.derived != "list" or tool.about is None or len(read.bound) != 1:
        return None
    parent = tool.parameters[0]
    reference, row = tool.about._info.refs.get(parent.name), read.bound.get(parent.name)
    if reference is None or not isinstance(row, BeliefRow) or row._info.pk not in row._cells:
        return None
    return row, reference.back


def _key(read: Read) -> str:
    return f"{read.tool.name} {sorted(wire_arguments(read.tool, read.bound).items())!r}"


def _tables_shown(tool: Tool) -> frozenset[str] | None:
    """The tables of which a read shows cells; None where an author's code works with any."""
    if tool.derived is None:
        return None
    tables = set()
    for entity in shown_entities(tool):
        tables.add(entity._info.table)
        for path in entity._info.shows.values():
            info = entity._info
            for step in path.split(".")[:-1]:
                info = info.refs[step].target._info
                tables.add(info.table)
    return frozenset(tables)


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
