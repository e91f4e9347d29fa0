"""Independent accounts of the state: the trigger witness, the ORM on the same classes, and the rows
in memory."""

from __future__ import annotations

import sqlite3
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlalchemy.pool import StaticPool

from ..state import TriggerWitness, World, plain

Account = dict[tuple[str, str, str], dict[str, Any]]


def _stored(value: Any) -> Any:
    """A cell as SQLite keeps it."""
    return int(value) if isinstance(value, bool) else plain(value)


def by_log(world: World) -> Account:
    """Net changes since the start as the cell log has them."""
    out: Account = {}
    for change in world.changes():
        cells = {c: [_stored(old), _stored(new)] for c, (old, new) in change.cells.items()}
        out[change.table, change.key, change.op] = {} if change.op == "-" else cells
    return out


def by_witness(witness: TriggerWitness) -> Account:
    """Net changes since the witness began as SQLite's triggers saw them."""
    return {
        (table, key, op): {} if op == "-" else cells for table, key, op, cells in witness.changes()
    }


def disagreement(world: World, witness: TriggerWitness) -> str | None:
    """Where cell log and trigger witness tell different stories, or None."""
    log, seen = by_log(world), by_witness(witness)
    if log == seen:
        return None
    for place in sorted(log.keys() | seen.keys()):
        if log.get(place) != seen.get(place):
            return f"{place[0]} {place[1]}: the log has {log.get(place)}, SQLite {seen.get(place)}"
    return "cell log and SQLite differ"


def stale_rows(world: World) -> str | None:
    """A row in memory that differs from its row in SQLite, or None."""
    world.flush()
    for row in list(world.resident()):
        info = row._info
        listed = ", ".join(f'"{c}"' for c in info.columns)
        sql = f'SELECT {listed} FROM "{info.table}" WHERE "{info.pk}" = ?'
        found = world.connection.execute(sql, (row.id,)).fetchone()
        cells = row.__dict__
        mine = tuple(_stored(cells[c]) for c in info.columns)
        if found != mine:
            return f"{info.table} {row.id}: in memory {mine}, in SQLite {found}"
    return None


def orm_disagreement(world: World) -> str | None:
    """Where SQLAlchemy's ORM, on the same classes, reads another state than the rows in memory
    show, or None."""
    world.accept()
    copy = sqlite3.connect(":memory:", check_same_thread=False)
    world.connection.mode = "setup"
    try:
        copy.deserialize(world.connection.serialize())
    finally:
        world.connection.mode = "engine"
    engine = sa.create_engine("sqlite://", creator=lambda: copy, poolclass=StaticPool)
    try:
        with Session(engine) as session:
            for entity in world.schema.entities.values():
                info = entity._info
                theirs = {row.id: row for row in session.scalars(sa.select(entity))}
                ours = {row.id: row for row in world.all(entity)}
                if theirs.keys() != ours.keys():
                    return f"{info.table}: {sorted(theirs.keys() ^ ours.keys())[:3]}"
                for key, row in ours.items():
                    for column in info.columns:
                        mine, other = getattr(row, column), getattr(theirs[key], column)
                        if mine != other:
                            return f"{info.table} {key}.{column}: {mine!r}, by the ORM {other!r}"
    finally:
        engine.dispose()
        copy.close()
    return None


def broken_references(world: World) -> str | None:
    """A row whose reference names no row, by SQLite's own check, or None."""
    world.flush()
    world.connection.mode = "setup"
    try:
        found = world.connection.execute("PRAGMA foreign_key_check").fetchone()
    finally:
        world.connection.mode = "engine"
    return None if found is None else f"{found[0]} names no {found[2]}"
