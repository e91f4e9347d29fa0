"""The reading half of a world: the identity map, and the statements that fill it.

One row object stands for a row for as long as the map holds it, so `is` compares rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .companions import companions
from .connection import Connection, guarded_query
from .entity import Entity
from .rows import TOGETHER, Row, RowModel
from .schema import Schema

MOST_LISTED = 64
"""Longest list whose rows are remembered as listed together."""


class Reading:
    """Looks rows up.

    What is pending (`_new`, `_dirty`) is written before a statement could miss it.
    """

    def __init__(self, schema: Schema, connection: Connection) -> None:
        self.schema = schema
        self.connection = connection
        self.execute = connection.execute
        self._models = schema.models
        self._together = schema.together
        self._map: dict[Entity, dict[str, Row]] = {entity: {} for entity in schema.models}
        self._full: dict[Entity, tuple[Row, ...]] = {}
        self._listed: dict[Entity, list[Row]] = {}
        self._dirty: dict[Row, dict[str, None]] = {}
        self._new: list[Row] = []

    def flush(self) -> None:
        """Write what is pending."""
        raise NotImplementedError

    def get(self, entity: Entity, key: str) -> Row | None:
        """Return the row with this key, or None."""
        row = self._map[entity].get(key)
        if row is None:
            model = self._models[entity]
            found = self.execute(model.sql_get, (key,)).fetchone()
            if found is None:
                return None
            row = self._map[entity][key] = model.load(self, found)
        return row

    def get_with(self, entity: Entity, key: str, paths: tuple[str, ...]) -> Row | None:
        """Like `get`; a row that isn't held comes with those that its references at the ends of
        `paths` name.
        """
        if not paths:
            return self.get(entity, key)
        known = self._map[entity]
        row = known.get(key)
        if row is None:
            self._fetch(entity, paths, (key,))
            row = known.get(key)
        return row

    def _fetch(self, entity: Entity, paths: tuple[str, ...], keys: Sequence[str]) -> list[Row]:
        """Fetch rows that aren't held, with their companions. What is pending is held."""
        together = self._together.get((entity, paths))
        if together is None:
            together = self._together[entity, paths] = companions(self._models, entity, paths)
        main = self._map[entity]
        key = together.parts[0].key
        rows = []
        for found in self.execute(together.sql[len(keys)], keys):
            for part in together.parts:
                known, own = self._map[part.entity], found[part.key]
                if own is not None and own not in known:
                    known[own] = part.load(self, found[part.cells])
            rows.append(main[found[key]])
        return rows

    def follow(self, row: Row, column: str, target: Entity, key: str) -> Row | None:
        """Return the row with the key that `row` holds in a reference `column`; it isn't held.

        Where `row` was listed with others, whoever follows its reference will follow theirs: rows
        that the others of the same state refer to are fetched with it, in one statement; with what
        the entity shows of them.
        """
        known = self._map[target]
        paths = self._models[row.entity].shown.get(column, ())
        listed = self._listed.get(row.entity)
        if listed is None or row not in listed:
            return self.get_with(target, key, paths)
        keys = self._wanted(row, listed, column, known)
        if len(keys) == 1:
            return self.get_with(target, key, paths)
        size = next(n for n in TOGETHER if n >= len(keys))
        self._listed[target] = self._fetch(target, paths, [*keys, *[key] * (size - len(keys))])
        return known.get(key)

    @staticmethod
    def _wanted(
        row: Row, listed: Sequence[Row], column: str, known: Mapping[str, Row]
    ) -> dict[str, None]:
        """The keys, not held yet, that `row` and those listed with it in the same state refer
        to.
        """
        state = row._info.state_column
        own = row.__dict__
        keys = {own[column]: None}
        for mate in listed:
            cells = mate.__dict__
            other = cells[column]
            alike = state is None or cells[state] == own[state]
            if alike and other is not None and other not in known:
                keys[other] = None
                if len(keys) == TOGETHER[-1]:
                    break
        return keys

    def children(self, entity: Entity, column: str, key: str) -> tuple[Row, ...]:
        """Return the rows of `entity` whose reference `column` holds `key`, by key order."""
        model = self._models[entity]
        return tuple(self._rows(model, model.sql_children[column], (key,)))

    def all(self, entity: Entity, /, **equal: Any) -> tuple[Row, ...]:
        """Return all rows of `entity`, or those whose columns or references equal the given values,
        by key order.
        """
        if not equal:
            rows = self._full.get(entity)
            if rows is None:
                model = self._models[entity]
                rows = self._full[entity] = tuple(self._rows(model, model.sql_all, ()))
            return rows
        if len(equal) == 1:
            ((name, value),) = equal.items()
            reference = entity._info.refs.get(name)
            if reference is not None and value is not None:
                return getattr(value, reference.back)  # type: ignore[no-any-return]
        return tuple(self._select(entity, equal, ""))

    def one(self, entity: Entity, /, **equal: Any) -> Row | None:
        """Return the first row (by key) whose columns or references equal the given values, or
        None.
        """
        return next(iter(self._select(entity, equal, " LIMIT 1")), None)

    def _select(self, entity: Entity, equal: dict[str, Any], limit: str) -> list[Row]:
        model = self._models[entity]
        info = model.info
        parts, values = [], []
        for name, value in equal.items():
            reference = info.refs.get(name)
            column = reference.column if reference else name
            if reference and value is not None:
                value = value.id
            if column not in info.columns:
                raise AttributeError(f"{info.name} has no column {name!r}")
            store = model.store_one.get(column)
            parts.append(f'"{column}" IS ?')
            values.append(store(value) if store else value)
        where = " AND ".join(parts) or "1"
        order = f'ORDER BY "{info.pk}"{limit}'
        sql = f'SELECT {model.sql_columns} FROM "{info.table}" WHERE {where} {order}'
        return self._rows(model, sql, values)

    def select(self, entity: Entity, where: str, values: Sequence[Any] = ()) -> list[Row]:
        """Return rows by a hand-written condition of the framework (derived searches), by key
        order.
        """
        model = self._models[entity]
        pk = model.info.pk
        sql = f'SELECT {model.sql_columns} FROM "{model.info.table}" WHERE {where} ORDER BY "{pk}"'
        return self._rows(model, sql, values)

    def _rows(self, model: RowModel, sql: str, values: Sequence[Any]) -> list[Row]:
        if self._dirty or self._new:
            self.flush()
        entity = model.info.cls
        rows: list[Row] = model.load_all(self, self._map[entity], self.execute(sql, values))
        if 1 < len(rows) <= MOST_LISTED:
            self._listed[entity] = rows
        return rows

    def query(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[tuple[Any, ...]]:
        """Run one read-only SELECT under the authorizer. Raises DefectError for anything else."""
        if self._dirty or self._new:
            self.flush()
        return guarded_query(self.connection, sql, values)

    def resident(self) -> Iterable[Row]:
        """The rows in the identity map (the stale-cache scan of the tests reads them)."""
        for known in self._map.values():
            yield from known.values()

    def _forget_rows(self) -> None:
        for known in self._map.values():
            known.clear()
        self._full.clear()
        self._listed.clear()
