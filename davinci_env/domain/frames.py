"""Frames: what a write may change, declared beside its body so that each can contradict it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import ContractError
from ..state import Entity, Row


@dataclass(frozen=True)
class Moves:
    """The lifecycle of the rows at `path` goes from one of `source` to one of `target` (equal: it
    stays).
    """

    path: str
    source: tuple[str, ...]
    target: tuple[str, ...]

    @property
    def stays(self) -> bool:
        """Whether the state may not change."""
        return not self.target


@dataclass(frozen=True)
class Sets:
    """The named columns of the rows at `path` may change."""

    path: str
    columns: tuple[str, ...]
    entity: Entity


@dataclass(frozen=True)
class Creates:
    """Rows of this entity may be created."""

    entity: Entity


@dataclass(frozen=True)
class Deletes:
    """Rows of this entity, or the rows at this path, may be deleted."""

    entity: Entity | None
    path: str | None


Frame = Moves | Sets | Creates | Deletes


def moves(path: str, source: str | Sequence[str], *, to: str | Sequence[str]) -> Moves:
    """The row at `path` moves from a state to another; a precondition where the path is of single
    references.
    """
    return Moves(path, _states(source), _states(to))


def stays(path: str, state: str | Sequence[str]) -> Moves:
    """The row at `path` is in this state and remains in it."""
    return Moves(path, _states(state), ())


def sets(path: str, *columns: Any) -> Sets:
    """These columns of the rows at `path` may change:

    `sets("loan", Loan.due_on, Loan.renewals)`.
    """
    if not columns:
        raise ContractError(f"sets({path!r}) names no column.")
    entity: Entity = columns[0].class_
    info = entity._info
    names = tuple(info.refs[c.key].column if c.key in info.refs else c.key for c in columns)
    return Sets(path, names, entity)


def creates(entity: Entity) -> Creates:
    """Rows of this entity may be created."""
    return Creates(entity)


def deletes(what: Any) -> Deletes:
    """Rows of an entity, or the rows at a path, may be deleted."""
    return Deletes(None, what) if isinstance(what, str) else Deletes(what, None)


def _states(states: str | Sequence[str]) -> tuple[str, ...]:
    return (states,) if isinstance(states, str) else tuple(states)


def rows_at(bound: Mapping[str, Any], path: str) -> list[Row]:
    """The rows at a path from a call's arguments; back lists and list arguments branch."""
    head, *rest = path.split(".")
    rows = _as_rows(bound.get(head))
    for attribute in rest:
        rows = [found for row in rows for found in _as_rows(getattr(row, attribute))]
    return rows


def _as_rows(value: Any) -> list[Row]:
    if value is None:
        return []
    if isinstance(value, tuple | list):
        return list(value)
    return [value]


def entity_at(entities: Mapping[str, Entity], path: str) -> tuple[Entity, bool]:
    """The entity at a path, given the arguments' entities, and whether the path is of single
    references.

    Raises ContractError for a path that leads nowhere.
    """
    head, *rest = path.split(".")
    if head not in entities:
        raise ContractError(f"The path {path!r} starts at no argument.")
    entity, single = entities[head], True
    for attribute in rest:
        info = entity._info
        if attribute in info.refs:
            entity = info.refs[attribute].target
        elif attribute in info.backs:
            entity, single = info.backs[attribute].child, False
        else:
            raise ContractError(f"{info.name} has no reference {attribute!r} (in {path!r}).")
    return entity, single


def columns_changed(frame: Iterable[Frame], entities: Mapping[str, Entity]) -> set[tuple[str, str]]:
    """What a frame may touch, as (table, column), `+` for creation and `-` for deletion."""
    touched: set[tuple[str, str]] = set()
    for item in frame:
        if isinstance(item, Moves):
            entity, _ = entity_at(entities, item.path)
            if not item.stays:
                touched.add((entity._info.table, str(entity._info.state_column)))
        elif isinstance(item, Sets):
            touched |= {(item.entity._info.table, c) for c in item.columns}
        elif isinstance(item, Creates):
            touched.add((item.entity._info.table, "+"))
        else:
            gone = item.entity or entity_at(entities, str(item.path))[0]
            touched.add((gone._info.table, "-"))
    return touched
