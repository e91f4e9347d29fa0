"""Belief rows: what is known of single rows, shaped like the rows of the domain.

A belief row answers for what some result has shown; touching anything else raises `Unread`, which
says what would have to be looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..state import Entity, EntityInfo

if TYPE_CHECKING:
    from .belief import Beliefs


class Unread(Exception):
    """A column or a list that no result has shown yet (`row` None: a whole table, or the record of
    the person who speaks in the domain of the entity `person`).
    """

    def __init__(self, row: BeliefRow | None, name: str, person: Entity | None = None) -> None:
        super().__init__(name)
        self.row, self.name, self.person = row, name, person


@dataclass
class Trace:
    """What an evaluation read: the rows of which it used a value, and all cells and lists."""

    rows: dict[BeliefRow, None] = field(default_factory=dict)
    cells: set[tuple[str, str]] = field(default_factory=set)


class BeliefRow:
    """What is known of one row. Its attributes are those of the entity: columns, references, back
    lists.
    """

    __slots__ = ("_beliefs", "_cells", "_lists", "_now", "_origin", "_seen", "_shown")
    _info: EntityInfo
    entity: Entity

    def __init__(self, beliefs: Beliefs, cells: dict[str, Any]) -> None:
        self._beliefs, self._cells = beliefs, cells
        self._lists: dict[str, tuple[BeliefRow, ...]] = {}
        self._shown: dict[str, Any] = {}
        self._seen = False
        self._origin: Unread | None = None
        self._now: BeliefRow | None = None

    @property
    def id(self) -> str:
        """The primary key. Raises Unread for a row known only by what others show of it."""
        return str(self._column(self._info.pk))

    @property
    def is_spoken(self) -> bool:
        """Whether nothing is known of it but what a person said."""
        return self._origin is not None and self._origin.row is None

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
        return self._later(name, name)

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
        later: BeliefRow | None = self._later(name, reference.column)
        return later

    def _list(self, name: str) -> tuple[BeliefRow, ...]:
        if self._beliefs.trace is not None:
            self._beliefs.trace.cells.add((self._info.backs[name].child._info.table, "+"))
        if name not in self._lists:
            found: tuple[BeliefRow, ...] = self._later(name, name)
            return found
        return self._lists[name]

    def as_known_in(self, entity: Entity) -> BeliefRow | None:
        """The record of the same person in another domain. Raises Unread where it isn't known."""
        return self._beliefs.as_known_in(entity, self)

    def as_now(self) -> BeliefRow:
        """The row as it is known now, whatever becomes of it; what is not known yet stays to be
        learned.
        """
        row = type(self)(self._beliefs, dict(self._cells))
        row._lists, row._shown = dict(self._lists), dict(self._shown)
        row._seen, row._origin, row._now = self._seen, self._origin, self
        return row

    def _later(self, name: str, needed: str) -> Any:
        """What was not known: learned since by the row that this is a memory of, or to be learned.

        Raises Unread.
        """
        if self._now is None:
            raise self._unread(needed)
        return getattr(self._now, name)

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
