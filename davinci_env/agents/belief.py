"""A belief world: the rows that an agent has learned from results, shaped so that a domain's own
rules run on them.

Nothing here knows the real world. Writes make the agent forget what they may have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from ..domain import Domain, Tool
from ..domain.frames import Creates, Deletes, Sets, rows_at
from ..domain.results import RowShape
from ..state import Entity
from .belief_rows import BeliefRow, Trace, Unread, row_class

__all__ = ["BeliefDb", "BeliefRow", "Beliefs", "Trace", "Unread", "row_class"]


@dataclass(frozen=True)
class _Show:
    """A field of a row's wire form that comes from another row: where from, and how to read it."""

    wire: str
    steps: tuple[str, ...]
    column: str
    is_key: bool
    read: Callable[[Any], Any] | None


KnownList = tuple[BeliefRow, str, tuple[BeliefRow, ...]]
"""A row, one of its back lists, and the rows in it."""


class Beliefs:
    """All that an agent has learned, and the `db` that rules ask.

    `persons` are the records of the person who speaks, by their entity; `strangers` the entities in
    which there is none.

    Args:
        domain: its declarations are the agent's knowledge of the policy; its policy states the
            time.
    """

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.trace: Trace | None = None
        self.is_naming = False
        self.db = BeliefDb(self)
        self.persons: dict[Entity, BeliefRow] = {}
        self.strangers: set[Entity] = set()
        self._rows: dict[Entity, dict[str, BeliefRow]] = {e: {} for e in domain.entities.values()}
        self._shown_by: dict[Entity, list[_Show]] = {}
        if domain.access == "self_service":  # the actor, whose keys no message tells
            self.persons = {entity: self.nameless(entity) for entity in domain.people}

    # -- the person who speaks ---------------------------------------------------------------------

    def is_me(self, row: BeliefRow | None) -> bool:
        """Whether a row stands for the person who speaks."""
        return row is not None and self.persons.get(row.entity) is row

    def as_known_in(self, entity: Entity, row: BeliefRow) -> BeliefRow | None:
        """The record of a person in another domain.

        Raises Unread where it isn't known yet; it never is of anybody but the person who speaks.
        """
        if not self.is_me(row):
            return None
        found = self.persons.get(entity)
        if found is None and entity not in self.strangers:
            raise Unread(None, entity._info.noun, entity)
        return found

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
        person = self.persons.get(entity)
        nameless = person is not None and entity._info.pk not in person._cells
        if self.domain.access != "self_service" or person is None or not nameless:
            return None
        person._cells[entity._info.pk] = key
        return person

    def nameless(self, entity: Entity) -> BeliefRow:
        """A row whose key is not known."""
        return row_class(entity)(self, {})

    def spoken_of(self, entity: Entity, fields: Mapping[str, Any]) -> BeliefRow:
        """A row of which only this was said, by paths from it: good for words, not to be found."""
        row = self.nameless(entity)
        row._shown, row._origin = dict(fields), Unread(None, entity._info.noun)
        return row

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

    def lists_of(self, entities: Sequence[Entity]) -> list[KnownList]:
        """The back lists of rows of these entities that are known in full."""
        return [
            (row, attribute, children)
            for rows in self._rows.values()
            for row in rows.values()
            for attribute, children in row._lists.items()
            if row._info.backs[attribute].child in entities
        ]

    def lengthen(self, lists: Sequence[KnownList], new: Sequence[BeliefRow]) -> None:
        """Know lists in full again that were known so before these rows were created."""
        for row, attribute, children in lists:
            back = row._info.backs[attribute]
            if back.child is new[0].entity and all(back.column in n._cells for n in new):
                mine = [n for n in new if n._cells[back.column] == row._cells.get(row._info.pk)]
                self.complete(row, attribute, [*children, *mine])

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
            dialect = self.domain.views.by_entity[entity].dialect
            key, codec = dialect.key, dialect.codec
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
                    self._drop_lists(row.entity, reference.attribute)

    def _drop_lists(self, child: Entity, reference: str = "") -> None:
        """Forget which rows there are of a kind, or which refer to others by one reference."""
        for rows in self._rows.values():
            for row in rows.values():
                backs = {a: row._info.backs[a] for a in row._lists}
                for attribute, back in backs.items():
                    if back.child is child and reference in ("", back.reference):
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

    def __init__(
        self, beliefs: Beliefs, known: Callable[[BeliefRow], BeliefRow | None] | None = None
    ) -> None:
        self._beliefs, self._known = beliefs, known
        self.now: datetime = beliefs.domain.now

    @property
    def today(self) -> date:
        """The date that the policy states."""
        return self.now.date()

    @property
    def actor(self) -> BeliefRow | None:
        """The person who is signed in."""
        row = self._beliefs.persons.get(self._beliefs.domain.identity)
        return row if row is None or self._known is None else self._known(row)

    def known_by(self, known: Callable[[BeliefRow], BeliefRow | None]) -> BeliefDb:
        """The same for a domain that knows people by rows of its own."""
        return BeliefDb(self._beliefs, known)

    def get(self, entity: Entity, key: str) -> BeliefRow:
        """The row with this key."""
        return self._beliefs.row(entity, key)

    def one(self, entity: Entity, /, **equal: Any) -> BeliefRow:
        """Raises Unread."""
        raise Unread(None, entity._info.plural)

    def all(self, entity: Entity, /, **equal: Any) -> tuple[BeliefRow, ...]:
        """Raises Unread."""
        raise Unread(None, entity._info.plural)
