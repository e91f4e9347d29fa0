"""Start images and travel: what a world is made from, and how a changed one is packed."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import orjson

from .schema import Schema


@dataclass(frozen=True)
class StartImage:
    """The start state of a world, shared by its forks.

    Attributes:
        database: SQLite bytes, or None for empty tables.
        counters: id counters, entity name -> next number.
        now: the world's time.
        people: for each row that stands for a person, as (table, key), the rows that stand for the
            same person in other tables: table -> key.
    """

    schema: Schema
    database: bytes | None
    counters: dict[str, int]
    now: datetime
    people: Mapping[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def hash(self) -> str:
        """sha256 over the canonical rows (sorted by table and key), never over the file image."""
        digest = hashlib.sha256()
        connection = sqlite3.connect(":memory:")
        try:
            if self.database is None:
                connection.executescript(self.schema.ddl)
            else:
                connection.deserialize(self.database)
            for table in sorted(self.schema.by_table):
                info = self.schema.by_table[table]._info
                columns = [c for c, spec in info.columns.items() if not spec.volatile]
                listed = ", ".join(f'"{c}"' for c in columns)
                rows = connection.execute(
                    f'SELECT {listed} FROM "{table}" ORDER BY "{info.pk}"'
                ).fetchall()
                digest.update(orjson.dumps([table, columns, rows]))
        finally:
            connection.close()
        return digest.hexdigest()
