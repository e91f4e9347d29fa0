"""A belief world: the rows that an agent has learned from results, shaped so that a domain's own
rules run on them.

Nothing here knows the real world. A belief row answers for what some result has shown; touching
anything else raises `Unread`, which says what would have to be looked up. Writes make the agent
forget what they may have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any

from ..domain import Domain, Tool
from ..domain.frames import Creates, Deletes, Sets, rows_at
from ..domain.results import RowShape
from ..state import Entity, EntityInfo

_FROM_PLAIN = {
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}


class Unread(Exception):
    """A column or a list that no result has shown yet (`row` None: a whole table)."""

    def __init__(self, row: BeliefRow | None, name: str) -> None:
        super().__init__(name)
        self.row, self.name = row, name


@dataclass
class Trace:
    """What an evaluation read: the rows of which it used a value, and all cells and lists."""

    rows: dict[BeliefRow, None] = field(default_factory=dict)
    cells: set[tuple[str, str]] = field(default_factory=set)


@dataclass(frozen=True)
class _Show:
    """A field of a row's wire form that comes from another row: where from, and how to read it."""

    wire: str
    steps: tuple[str, ...]
    column: str
    is_key: bool
    read: Callable[[Any], Any] | None


class BeliefRow:
    """What is known of one row. Its attributes are those of the entity: columns, references, back
    lists.
    """

    __slots__ = ("_beliefs", "_cells", "_lists", "_origin", "_seen", "_shown")
    _info: EntityInfo
    entity: Entity

    def __init__(self, beliefs: Beliefs, cells: dict[str, Any]) -> None:
        self._beliefs, self._cells = beliefs, cells
        self._lists: dict[str, tuple[BeliefRow, ...]] = {}
        self._shown: dict[str, Any] = {}
        self._seen = False
        self._origin: Unread | None = None

    @property
    def id(self) -> str:
        """The primary key. Raises Unread for a row known only by what others show of it."""
        return str(self._column(self._info.pk))

    def __getattr__(self, name: str) -> Any:
        info = self._info
        if name in info.columns:
            return self._column(name)
        if name in info.refs:
            return self._reference(name)
        if name in info.backs:
            return self._list(name)
        raise AttributeError(f"{info.name} has no attribute {name!r}")

    def __str__(self) -> str:
        with self._beliefs.naming():
            return self._info.label.format_map(_Label(self))

    def __repr__(self) -> str:
        return f"<{self._info.name} {self._cells.get(self._info.pk, '?')}>"

    def _column(self, name: str) -> Any:
        info, trace = self._info, self._beliefs.trace
        if trace is not None and name != info.pk:
            trace.cells.add((info.table, name))
            if info.columns[name].target is None:
                trace.rows[self] = None
        if name in self._cells:
            return self._cells[name]
        if self._beliefs.is_naming and name in self._shown:
            return self._shown[name]
        raise self._unread(name)

    def _reference(self, name: str) -> BeliefRow | None:
        reference = self._info.refs[name]
        if self._beliefs.trace is not None:
            self._beliefs.trace.cells.add((self._info.table, reference.column))
        if reference.column in self._cells:
            key = self._cells[reference.column]
            return None if key is None else self._beliefs.row(reference.target, key)
        prefix = name + "."
        if self._beliefs.is_naming and any(path.startswith(prefix) for path in self._shown):
            ghost = self._beliefs.nameless(reference.target)
            ghost._origin = self._unread(reference.column)
            ghost._shown = {
                p[len(prefix) :]: v for p, v in self._shown.items() if p.startswith(prefix)
            }
            return ghost
        raise self._unread(reference.column)

    def _list(self, name: str) -> tuple[BeliefRow, ...]:
        if self._beliefs.trace is not None:
            self._beliefs.trace.cells.add((self._info.backs[name].child._info.table, "+"))
        if name not in self._lists:
            raise self._unread(name)
        return self._lists[name]

    def _unread(self, name: str) -> Unread:
        """What has to be looked up: of a nameless row, the reference that leads to it."""
        origin = self._origin
        return Unread(self, name) if origin is None else Unread(origin.row, origin.name)

    def _forget(self, columns: Sequence[str]) -> None:
        for name in columns:
            self._cells.pop(name, None)
            for reference in self._info.refs.values():
                if reference.column == name:
                    prefix = reference.attribute + "."
                    self._shown = {p: v for p, v in self._shown.items() if not p.startswith(prefix)}


class _Label(dict[str, Any]):
    """The places of a label: `{self.copy.book.title}` or `{title}`."""

    def __init__(self, row: BeliefRow) -> None:
        super().__init__(self=row)

    def __missing__(self, name: str) -> Any:
        return getattr(self["self"], name)


_classes: dict[Entity, type[BeliefRow]] = {}


def row_class(entity: Entity) -> type[BeliefRow]:
    """The class of an entity's belief rows, made once."""
    if entity not in _classes:
        members = {"__slots__": (), "_info": entity._info, "entity": entity}
        _classes[entity] = type(entity.__name__, (BeliefRow,), members)
    return _classes[entity]


class Beliefs:
    """All that an agent has learned, and the `db` that rules ask.

    Args:
        domain: its declarations are the agent's knowledge of the policy; its policy states the
            time.
    """

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.trace: Trace | None = None
        self.is_naming = False
        self.db = BeliefDb(self)
        self.person: BeliefRow | None = None
        self._rows: dict[Entity, dict[str, BeliefRow]] = {e: {} for e in domain.entities.values()}
        self._shown_by: dict[Entity, list[_Show]] = {}
        if domain.access == "self_service":  # the actor, whose key no message tells
            self.person = self.nameless(domain.identity)

    # -- rows --------------------------------------------------------------------------------------

    def row(self, entity: Entity, key: str) -> BeliefRow:
        """The row with this key; known by its key alone until something shows more."""
        rows = self._rows[entity]
        found = rows.get(key)
        if found is None:
            found = self._adopt(entity, key)
            if found is None:
                found = row_class(entity)(self, {entity._info.pk: key})
            rows[key] = found
        return found

    def _adopt(self, entity: Entity, key: str) -> BeliefRow | None:
        """In self-service the first person whom a result names is the signed-in one."""
        person = self.person
        if person is None or entity is not person.entity or entity._info.pk in person._cells:
            return None
        person._cells[entity._info.pk] = key
        return person

    def nameless(self, entity: Entity) -> BeliefRow:
        """A row whose key is not known."""
        return row_class(entity)(self, {})

    def rows(self, entity: Entity) -> list[BeliefRow]:
        """The rows of an entity that are known of, by key."""
        rows = self._rows[entity]
        return [rows[key] for key in sorted(rows)]

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Let rows be told by what other rows show of them: good for words, not for telling rows
        apart.
        """
        before, self.is_naming = self.is_naming, True
        try:
            yield
        finally:
            self.is_naming = before

    @contextmanager
    def traced(self) -> Iterator[Trace]:
        """Note what is read meanwhile."""
        before, trace = self.trace, Trace()
        self.trace = trace
        try:
            yield trace
        finally:
            self.trace = before

    # -- learning ----------------------------------------------------------------------------------

    def absorb(self, tool: Tool, data: Mapping[str, Any]) -> list[BeliefRow]:
        """Learn from a result; returns the rows that it shows."""
        rows = [self._learn(entity, item) for entity, item in tool.shape.rows(data)]
        shape = tool.shape
        if isinstance(shape, RowShape) and rows:
            for attribute in shape.include:
                back = shape.entity._info.backs[attribute]  # type: ignore[union-attr]
                self.complete(
                    rows[0],
                    attribute,
                    [
                        r
                        for r in rows[1:]
                        if r.entity is back.child and r._cells.get(back.column) == rows[0].id
                    ],
                )
        return rows

    def complete(self, row: BeliefRow, attribute: str, children: Sequence[BeliefRow]) -> None:
        """Note that a back list is known in full."""
        row._lists[attribute] = tuple(sorted(children, key=lambda child: child.id))

    def _learn(self, entity: Entity, item: Mapping[str, Any]) -> BeliefRow:
        view = self.domain.views.by_entity[entity]
        values = view.read(item)
        row = self.row(entity, values[entity._info.pk])
        row._cells.update(values)
        row._seen = True
        for reference in entity._info.refs.values():
            if values.get(reference.column) is not None:
                self.row(reference.target, values[reference.column])
        for show in self._shows(entity):
            if show.wire in item:
                self._learn_shown(row, show, item[show.wire])
        return row

    def _shows(self, entity: Entity) -> list[_Show]:
        """What an entity's rows show of others, keys first: they tell which other row it is."""
        if entity not in self._shown_by:
            key, codec = self.domain.dialect.key, self.domain.dialect.codec
            shows = []
            for name, path in entity._info.shows.items():
                *steps, last = path.split(".")
                info = entity._info
                for step in steps:
                    info = info.refs[step].target._info
                read = codec(info.columns[last].kind).read
                shows.append(_Show(key(name), tuple(steps), last, last == info.pk, read))
            self._shown_by[entity] = sorted(shows, key=lambda show: not show.is_key)
        return self._shown_by[entity]

    def _learn_shown(self, row: BeliefRow, show: _Show, wire: Any) -> None:
        """Put what a row shows of another one where it belongs, as far as that is known."""
        value = wire if show.read is None or wire is None else show.read(wire)
        for number, step in enumerate(show.steps):
            reference = row._info.refs[step]
            if reference.column not in row._cells:
                if show.is_key and number == len(show.steps) - 1:
                    row._cells[reference.column] = value
                    if value is not None:
                        self.row(reference.target, value)
                else:
                    row._shown[".".join((*show.steps[number:], show.column))] = value
                return
            if row._cells[reference.column] is None:
                return
            row = self.row(reference.target, row._cells[reference.column])
        row._cells[show.column] = value

    # -- forgetting --------------------------------------------------------------------------------

    def forget(self, tool: Tool, bound: Mapping[str, Any]) -> None:
        """Forget what a write may have changed, by its frame. Its result is absorbed afterwards."""
        for part in tool.frame:
            if isinstance(part, Creates):
                self._drop_lists(part.entity)
            elif isinstance(part, Deletes):
                self._remove(part, tool, bound)
            elif isinstance(part, Sets):
                self._drop_cells(self._at(bound, part.path, part.entity), part.columns)
            elif not part.stays:
                entity = self._entity_at(tool, part.path)
                self._drop_cells(
                    self._at(bound, part.path, entity), [str(entity._info.state_column)]
                )

    def _entity_at(self, tool: Tool, path: str) -> Entity:
        head, *rest = path.split(".")
        entity = tool.entities[head]
        for step in rest:
            info = entity._info
            entity = info.refs[step].target if step in info.refs else info.backs[step].child
        return entity

    def _at(self, bound: Mapping[str, Any], path: str, entity: Entity) -> list[BeliefRow]:
        try:
            return rows_at(bound, path)
        except Unread:
            return self.rows(entity)

    def _drop_cells(self, rows: Sequence[BeliefRow], columns: Sequence[str]) -> None:
        for row in rows:
            row._forget(columns)
            for reference in row._info.refs.values():
                if reference.column in columns:
                    self._drop_lists(row.entity)

    def _drop_lists(self, child: Entity) -> None:
        for rows in self._rows.values():
            for row in rows.values():
                for attribute in [a for a in row._lists if row._info.backs[a].child is child]:
                    del row._lists[attribute]

    def _remove(self, part: Deletes, tool: Tool, bound: Mapping[str, Any]) -> None:
        if part.path is None:
            assert part.entity is not None
            self._drop_lists(part.entity)
            return
        for row in list(self._at(bound, part.path, self._entity_at(tool, part.path))):
            self._drop_lists(row.entity)
            self._rows[row.entity].pop(row.id, None)


class BeliefDb:
    """The `db` of a rule that runs on beliefs. Whole tables are never known."""

    def __init__(self, beliefs: Beliefs) -> None:
        self._beliefs = beliefs
        self.now: datetime = beliefs.domain.now

    @property
    def today(self) -> date:
        """The date that the policy states."""
        return self.now.date()

    @property
    def actor(self) -> BeliefRow | None:
        """The person who is signed in."""
        return self._beliefs.person

    def get(self, entity: Entity, key: str) -> BeliefRow:
        """The row with this key."""
        return self._beliefs.row(entity, key)

    def one(self, entity: Entity, /, **equal: Any) -> BeliefRow:
        """Raises Unread."""
        raise Unread(None, entity._info.plural)

    def all(self, entity: Entity, /, **equal: Any) -> tuple[BeliefRow, ...]:
        """Raises Unread."""
        raise Unread(None, entity._info.plural)


def from_plain(kind: str, value: Any) -> Any:
    """A plain (JSON) value as Python."""
    parse = _FROM_PLAIN.get(kind)
    return value if parse is None or value is None else parse(value)
