"""The ORM on the same mapped classes, as the oracle of the row engine; and scans that set rows
against SQL.

Nothing here uses the engine's cell log, identity map or statements.
"""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlalchemy.pool import StaticPool

from davinci_env.state import Schema, World

Dump = dict[str, list[tuple[Any, ...]]]
"""Raw SQL rows by table, ordered by key."""


class Oracle:
    """An SQLAlchemy database with the rows of a world; each operation is one committed session."""

    def __init__(self, schema: Schema, image: bytes) -> None:
        self.schema = schema
        self._open(image)

    def _open(self, image: bytes) -> None:
        self.engine = sa.create_engine("sqlite://", poolclass=StaticPool)
        with self.engine.connect() as connection:
            raw: Any = connection.connection.driver_connection
            raw.deserialize(image)
            raw.execute("PRAGMA foreign_keys = ON")

    def snapshot(self) -> bytes:
        """The whole database as bytes."""
        with self.engine.connect() as connection:
            raw: Any = connection.connection.driver_connection
            return bytes(raw.serialize())

    def restore(self, image: bytes) -> None:
        """Go back to a snapshot."""
        self.engine.dispose()
        self._open(image)

    def create(self, entity: Any, values: Mapping[str, Any]) -> bool:
        """Add a row (references by column); whether the database took it."""
        return self._commit(lambda session: session.add(entity(**values)))

    def assign(self, entity: Any, key: str, column: str, value: Any) -> bool:
        """Set one column; whether the database took it."""
        return self._commit(lambda session: setattr(session.get(entity, key), column, value))

    def delete(self, entity: Any, key: str) -> bool:
        """Delete a row; whether the database let it go."""
        return self._commit(removal(entity, key))

    def batch(self, actions: list[Any]) -> bool:
        """Run several changes of a session in order, as one transaction; whether the database took
        them.
        """

        def run(session: Session) -> None:
            for action in actions:
                action(session)
                session.flush()
                session.expire_all()

        return self._commit(run)

    def _commit(self, action: Any) -> bool:
        with Session(self.engine) as session:
            try:
                action(session)
                session.commit()
            except IntegrityError:
                return False
        return True

    def keys(self, entity: Any, **equal: Any) -> list[str]:
        """Keys of the rows whose columns equal the given values, in key order."""
        pk = getattr(entity, entity._info.pk)
        with Session(self.engine) as session:
            return list(session.scalars(sa.select(pk).filter_by(**equal).order_by(pk)))

    def related(self, entity: Any, key: str, attribute: str) -> Any:
        """Key or keys of what a reference or back list of the mapped class holds."""
        with Session(self.engine) as session:
            value = getattr(session.get(entity, key), attribute)
            if value is None:
                return None
            return [row.id for row in value] if isinstance(value, list) else value.id

    def dump(self) -> Dump:
        """Every row."""
        with self.engine.connect() as connection:
            raw: Any = connection.connection.driver_connection
            return _dump(self.schema, raw.execute)


def removal(entity: Any, key: str) -> Any:
    """Delete a row in a session (as a statement: the unit of work can't delete a row that refers to
    itself).
    """
    pk = getattr(entity, entity._info.pk)
    return lambda session: session.execute(sa.delete(entity).where(pk == key))


def dump(world: World) -> Dump:
    """Every row of a world, as SQLite has it once all is written."""
    world.flush()
    return _dump(world.schema, world.execute)


def _dump(schema: Schema, execute: Any) -> Dump:
    tables: Dump = {}
    for table, entity in schema.by_table.items():
        info = entity._info
        listed = ", ".join(f'"{c}"' for c in info.columns)
        tables[table] = execute(f'SELECT {listed} FROM "{table}" ORDER BY "{info.pk}"').fetchall()
    return tables


def stale(world: World) -> list[str]:
    """What cached rows, references, back lists and full lists hold against what SQL says."""
    raw = dump(world)
    keys = {t: {row[_pk_index(world.schema, t)] for row in rows} for t, rows in raw.items()}
    stored = {
        (table, row[_pk_index(world.schema, table)]): row
        for table, rows in raw.items()
        for row in rows
    }
    known = world._map
    problems = []
    for row in list(world.resident()):
        info, cells = row._info, row.__dict__
        place = (info.table, row.id)
        found = stored.get(place)
        if found is None:
            problems.append(f"{place} is no row any more")
            continue
        if world.schema.models[info.cls].store(cells) != found:
            problems.append(f"{place} holds {cells}, SQL {found}")
        if known[info.cls].get(row.id) is not row:
            problems.append(f"{place} stands in the map under another key")
        for attribute, reference in info.refs.items():
            if attribute in cells:
                key = cells[reference.column]
                meant = None if key is None else known[reference.target].get(key)
                if cells[attribute] is not meant:
                    problems.append(f"{place}.{attribute} is {cells[attribute]!r}, not {key}")
        for attribute, back in info.backs.items():
            if attribute in cells:
                index = list(back.child._info.columns).index(back.column)
                child = back.child._info.table
                want = [r[_pk_index(world.schema, child)] for r in raw[child] if r[index] == row.id]
                have = cells[attribute]
                if [r.id for r in have] != want or any(
                    known[back.child][r.id] is not r for r in have
                ):
                    problems.append(f"{place}.{attribute} is {[r.id for r in have]}, not {want}")
    for entity, rows in world._full.items():
        table = entity._info.table
        if [r.id for r in rows] != sorted(keys[table]) or any(
            known[entity][r.id] is not r for r in rows
        ):
            problems.append(f"the full list of {table} is {[r.id for r in rows]}")
    return problems


def _pk_index(schema: Schema, table: str) -> int:
    info = schema.by_table[table]._info
    return list(info.columns).index(info.pk)


def logged(world: World) -> list[tuple[str, str, str, dict[str, list[Any]]]]:
    """The cell log's net changes in the form of the trigger witness."""
    out = []
    for change in world.changes():
        model = world.schema.models[world.schema.by_table[change.table]]
        cells = {}
        for column, pair in change.cells.items():
            store = model.store_one.get(column)
            cells[column] = [store(v) if store else v for v in pair]
        out.append((change.table, change.key, change.op, cells))
    return out
