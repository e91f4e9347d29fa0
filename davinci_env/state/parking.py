"""Parking and forking: a world as its net change on a shared start image.

A parked world costs a few hundred bytes. The same bytes serve a fork, a start state that differs
from the seed's (`start_changes` of a task), and travel to another process.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import date, datetime, time
from typing import Any

import orjson

from ..errors import UsageError
from .change import CREATED, DELETED, UPDATED, plain
from .entity import EntityInfo
from .image import StartImage
from .rows import Row
from .world import Mark, World

Packed = list[Any]
"""One packed row: [table, key, op, {column: new value}]."""

_PARSERS: dict[str, Callable[[str], Any]] = {
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}


def pack(world: World, since: Mark | None = None) -> bytes:
    """Pack the net change since a mark (default: the start), with clock and counters, as JSON
    bytes.
    """
    rows = [
        [c.table, c.key, c.op, {name: plain(new) for name, (_, new) in c.cells.items()}]
        for c in world.changes(since)
    ]
    counters = {entity.__name__: n for entity, n in world.counters.items()}
    return orjson.dumps(
        {"rows": rows, "counters": counters, "now": world.clock["now"].isoformat()},
        option=orjson.OPT_SORT_KEYS,
    )


def unpack(image: StartImage, packed: bytes) -> World:
    """Open a world on the image and apply a packed change.

    Its difference and hash are those of the packed world. Raises UsageError as `apply` does.
    """
    world = World(image.schema, image)
    apply(world, packed)
    return world


def fork(world: World) -> World:
    """Return an independent world in the same state. Marks of the original don't carry over."""
    world.accept()
    return unpack(world.image, pack(world))


def apply(world: World, packed: bytes) -> None:
    """Apply a packed change to a world in the state from which it was packed.

    Raises UsageError, with the world unchanged, for a change that doesn't fit.
    """
    before = world.begin()
    try:
        content = orjson.loads(packed)
        _apply_rows(world, content["rows"])
        for name, n in content["counters"].items():
            world.count(world.schema.entities[name], n)
        now = datetime.fromisoformat(content["now"])
        if now != world.clock["now"]:
            world.advance(now - world.clock["now"])
        world.accept()
    except (LookupError, TypeError, ValueError, AttributeError, sqlite3.Error) as error:
        world.reject(before)
        raise UsageError(
            f"This packed state doesn't fit the world of {world.schema.name} ({error})",
            "use the version, seed and scale that it was packed from",
        ) from None


def _apply_rows(world: World, rows: list[Packed]) -> None:
    tables = {entity._info.table: entity._info for entity in world.schema.entities.values()}
    order = {table: number for number, table in enumerate(tables)}
    rows = sorted(rows, key=lambda r: (order[r[0]], r[1]))
    old = [(_existing(world, tables[r[0]], r[1]), r) for r in rows if r[2] != CREATED]
    for row, packed in old:
        _set_aside(world, row, packed)
    waiting = [r for r in rows if r[2] == CREATED]
    later: list[tuple[Row, str, str]] = []
    while waiting:
        rest = [r for r in waiting if not _create(world, tables[r[0]], r, later)]
        if len(rest) == len(waiting):
            raise ValueError("packed rows refer to rows that don't exist")
        waiting = rest
    for row, column, key in later:
        setattr(row, column, key)
    for row, (_, _, op, cells) in old:
        if op == UPDATED:
            for column, value in cells.items():
                setattr(row, column, parse_cell(row._info, column, value))
    world.flush()
    for row, (_, _, op, _) in reversed(old):
        if op == DELETED:
            world.delete(row)


def parse_cell(info: EntityInfo, column: str, value: Any) -> Any:
    """A cell as Python from its JSON form."""
    return parse_value(info.columns[column].kind, value)


def parse_value(kind: str, value: Any) -> Any:
    """A scalar of a kind as Python from its JSON form, which is also SQLite's."""
    parser = _PARSERS.get(kind)
    return parser(value) if parser is not None and value is not None else value


def _existing(world: World, info: EntityInfo, key: str) -> Row:
    row = world.get(info.cls, key)
    if row is None:
        raise ValueError(f"it names {info.table} {key}, which doesn't exist")
    return row


def _set_aside(world: World, row: Row, packed: Packed) -> None:
    """Free what the final rows may need, in SQL only: unique values that are given up, and
    references of rows that go.

    The row itself keeps its cells, so that the log has the true old values.
    """
    info, (_, key, op, cells) = row._info, packed
    parts = [
        f'"{name}" = \'moved \' || "{info.pk}"'
        for name, spec in info.columns.items()
        if spec.unique and name in cells
    ]
    if op == DELETED:
        parts += [f'"{r.column}" = NULL' for r in info.refs.values() if r.optional]
    if parts:
        world.flush()
        world.execute(f'UPDATE "{info.table}" SET {", ".join(parts)} WHERE "{info.pk}" = ?', (key,))


def _create(
    world: World, info: EntityInfo, packed: Packed, later: list[tuple[Row, str, str]]
) -> bool:
    """Create a packed row unless a row that it needs is still to come; optional references may be
    set later.
    """
    values = {c: parse_cell(info, c, v) for c, v in packed[3].items()}
    values[info.pk] = packed[1]
    postponed = []
    for reference in info.refs.values():
        key = values[reference.column]
        if key is not None and world.get(reference.target, key) is None:
            if not reference.optional:
                return False
            values[reference.column] = None
            postponed.append((reference.column, key))
    row = world.create(info.cls, **values)
    later += [(row, column, key) for column, key in postponed]
    return True
