"""The world: one SQLite database, one identity map, one cell log.

The cell log is the single record of change. It undoes failed calls, restores snapshots together
with SQLite's savepoints, and gives the net difference. Restoring costs what changed, not what
exists. Author code sees `Db`, never the connection.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from ..errors import UsageError
from .change import Change
from .changes import net_changes
from .connection import connect
from .db import Db
from .entity import Entity
from .image import StartImage
from .keys import is_sequential
from .reading import Reading
from .rows import MISSING, Row, fill
from .schema import Schema


@dataclass(frozen=True, eq=False)
class Mark:
    """A place to come back to: a savepoint and a length of the cell log."""

    depth: int
    log_length: int
    sql_rollback: str


class World(Reading):
    """A restorable state on a start image; it belongs to one thread at a time."""

    def __init__(self, schema: Schema, image: StartImage) -> None:
        super().__init__(schema, connect(schema, image.database))
        self.image = image
        self.actor: tuple[Entity, str] | None = None
        self.log: list[tuple[Any, ...]] = []
        self.clock: dict[str, datetime] = {"now": image.now}
        self.counters: dict[Entity, int] = {
            schema.entities[name]: n for name, n in image.counters.items()
        }
        self._written = False
        self._evicted_at = 0
        self._marks: list[Mark] = []
        self.db = Db(self)
        self.mark()

    # -- writing -----------------------------------------------------------------------------------

    def touch(self, row: Row, column: str) -> None:
        """Note that a row's column must be written."""
        columns = self._dirty.get(row)
        if columns is None:
            columns = self._dirty[row] = {}
        columns[column] = None

    def create(self, entity: Entity, /, **values: Any) -> Row:
        """Create a row. Ids are assigned by the world, except natural keys.

        Raises TypeError for unknown or missing columns and wrong types, ValueError for values out
        of bounds and for a key that exists.
        """
        model = self._models[entity]
        info = model.info
        row: Row = object.__new__(model.row)
        cells = row.__dict__
        cells["_world"] = self
        given = values.get(info.pk)
        if given is None and info.has_generated_key:
            values[info.pk] = self._next_id(info)
        fill(self, model, row, values)
        key = cells[info.pk]
        if given is not None and self.get(entity, key) is not None:
            raise ValueError(f"{info.name} {key} exists already")
        log, known = self.log, self._map[entity]
        log.append((known, key, MISSING, row))
        known[key] = row
        self._new.append(row)
        grow = is_sequential(info.key)
        self._extend(self._full, entity, row, grow)
        for reference in info.refs.values():
            parent = cells.get(reference.attribute)
            if parent is not None:
                self._extend(parent.__dict__, reference.back, row, grow)
        return row

    def _extend(self, cache: dict[Any, Any], name: Any, row: Row, grow: bool) -> None:
        """Add a new row to a cached list, or drop the cache where its place isn't the end."""
        old = cache.get(name, MISSING)
        self.log.append((cache, name, old, None))
        if old is not MISSING:
            if grow and (not old or old[-1].id < row.id):
                cache[name] = (*old, row)
            else:
                del cache[name]

    def _next_id(self, info: Any) -> str:
        n = self.counters.get(info.cls, 0)
        self.count(info.cls, n + 1)
        return str(info.key.make(n, info.plural))

    def count(self, entity: Entity, n: int) -> None:
        """Set the number that the next id of an entity is made from."""
        self.log.append((self.counters, entity, self.counters.get(entity, MISSING), None))
        self.counters[entity] = n

    def forget(self, cache: dict[Any, Any], name: Any) -> None:
        """Drop a cached list; undo brings back what was cached, or drops what was cached since."""
        self.log.append((cache, name, cache.pop(name, MISSING), None))

    def delete(self, row: Row) -> None:
        """Delete a row at once.

        Raises sqlite3.IntegrityError for one that others still refer to.
        """
        info = row._info
        cells = row.__dict__
        if "_dead" in cells:
            raise ValueError(f"{info.name} {row.id} was deleted already")
        for reference in info.refs.values():
            parent = getattr(row, reference.attribute)
            if parent is not None:
                self.forget(parent.__dict__, reference.back)
        self.forget(self._full, info.cls)
        self.flush()
        self.execute(self._models[info.cls].sql_delete, (row.id,))
        known = self._map[info.cls]
        self.log.append((known, row.id, row, row))
        self.log.append((cells, "_dead", MISSING, None))
        cells["_dead"] = True
        del known[row.id]

    def advance(self, step: timedelta) -> None:
        """Let the world's time pass.

        The clock is part of the state but outside difference and hash.
        """
        self.log.append((self.clock, "now", self.clock["now"], None))
        self.clock["now"] += step

    def flush(self) -> None:
        """Write pending changes to SQLite: creations in order, then updates."""
        if not self._written:
            self.execute("SAVEPOINT call")
            self._written = True
        self._write_pending()

    def _write_pending(self) -> None:
        for row in self._new:
            model = self._models[row.entity]
            self.execute(model.sql_insert, model.store(row.__dict__))
            self._dirty.pop(row, None)
        self._new.clear()
        for row, columns in self._dirty.items():
            self._write(row, tuple(columns))
        self._dirty.clear()

    def settle(self) -> None:
        """Write new rows before a reference changes: the older of two new ones may come to name the
        younger.
        """
        if self._new:
            self.flush()

    def _write(self, row: Row, columns: tuple[str, ...]) -> None:
        model = self._models[row.entity]
        sql = model.sql_update.get(columns)
        if sql is None:
            assignments = ", ".join(f'"{c}" = ?' for c in columns)
            sql = f'UPDATE "{model.info.table}" SET {assignments} WHERE "{model.info.pk}" = ?'
            model.sql_update[columns] = sql
        cells, store = row.__dict__, model.store_one
        values = [store[c](cells[c]) if c in store else cells[c] for c in columns]
        values.append(cells[model.info.pk])
        self.execute(sql, values)

    # -- one call ----------------------------------------------------------------------------------

    def begin(self) -> int:
        """Begin a call: keep what is pending, and return the place in the log that `reject` goes
        back to.
        """
        if self._dirty or self._new or self._written:
            self.accept()
        return len(self.log)

    def accept(self) -> None:
        """End a call: write what is pending and keep it."""
        pending = len(self._dirty) + len(self._new)
        if pending == 1 and not self._written:
            self._write_pending()  # one statement is a savepoint of its own
        elif pending:
            self.flush()
        if self._written:
            self.execute("RELEASE call")
            self._written = False

    def reject(self, log_length: int) -> None:
        """End a call: undo everything since the log had this length."""
        if self._written:
            self.execute("ROLLBACK TO call")
            self.execute("RELEASE call")
            self._written = False
        self._undo(log_length)

    def _undo(self, log_length: int) -> None:
        log = self.log
        while len(log) > log_length:
            cells, name, old, _ = log.pop()
            if old is MISSING:
                cells.pop(name, None)
            else:
                cells[name] = old
        self._dirty.clear()
        self._new.clear()
        if log_length < self._evicted_at:  # what was undone were the cells of evicted rows
            self._clear_map()

    # -- snapshots ---------------------------------------------------------------------------------

    def mark(self) -> Mark:
        """Take a snapshot: constant time. Marks are LIFO."""
        self.accept()
        name = f"mark_{len(self._marks)}"
        mark = Mark(len(self._marks), len(self.log), f"ROLLBACK TO {name}")
        self.execute(f"SAVEPOINT {name}")
        self._marks.append(mark)
        return mark

    def rollback(self, mark: Mark) -> None:
        """Return to a mark; it stays valid, younger ones don't.

        Raises UsageError for one that is gone.
        """
        self._require(mark)
        self.execute(mark.sql_rollback)
        self._written = False
        self._undo(mark.log_length)
        del self._marks[mark.depth + 1 :]

    def release(self, mark: Mark) -> None:
        """Forget a mark and the younger ones, keeping the changes made since."""
        self._require(mark)
        if mark.depth == 0:
            raise UsageError("The start state can't be released", "release a snapshot taken later")
        self.accept()
        self.execute(f"RELEASE mark_{mark.depth}")
        del self._marks[mark.depth :]

    def _require(self, mark: Mark) -> None:
        marks = self._marks
        if mark.depth >= len(marks) or marks[mark.depth] is not mark:
            raise UsageError(
                "This snapshot is gone, because an older one was restored", "take a new snapshot"
            )

    @property
    def start(self) -> Mark:
        """The mark of the start state."""
        return self._marks[0]

    def reset(self) -> None:
        """Return to the start state."""
        self.rollback(self._marks[0])

    def changes(self, since: Mark | None = None) -> list[Change]:
        """Net changes since a mark (default: the start), sorted by table and key."""
        return net_changes(self, 0 if since is None else since.log_length)

    def changes_since(self, log_length: int) -> list[Change]:
        """Net changes since the cell log had this length."""
        return net_changes(self, log_length)

    def evict(self) -> None:
        """Drop the identity map (memory, or a cold measurement).

        Rows held outside become stale copies.
        """
        self.accept()
        self._clear_map()

    def _clear_map(self) -> None:
        self._forget_rows()
        self._evicted_at = len(self.log)

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()
