"""Schema: the entities of a world, their tables and compiled row models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from .companions import Companions
from .entity import Entity, EntityInfo
from .rows import RowModel, row_model


@dataclass
class Schema:
    """Entities by name, in the order in which they were declared.

    A referenced entity precedes those that refer to it. `compared` holds, for each table, the
    columns that outcomes compare (no volatile ones, not the key), with the table each refers to, if
    any; `together` the statements for rows with companions, as they were needed.
    """

    name: str
    entities: Mapping[str, Entity]
    models: dict[Entity, RowModel] = field(default_factory=dict)
    by_table: dict[str, Entity] = field(default_factory=dict)
    compared: dict[str, dict[str, str | None]] = field(default_factory=dict)
    together: dict[tuple[Entity, tuple[str, ...]], Companions] = field(default_factory=dict)
    ddl: str = ""

    def __post_init__(self) -> None:
        self.models = {entity: row_model(entity._info) for entity in self.entities.values()}
        self.by_table = {entity._info.table: entity for entity in self.entities.values()}
        self.compared = {table: _compared(e._info) for table, e in self.by_table.items()}
        self.ddl = ";\n".join(_statements([e.__table__ for e in self.entities.values()]))


def _compared(info: EntityInfo) -> dict[str, str | None]:
    return {
        column: None if spec.target is None else str(spec.target._info.table)
        for column, spec in info.columns.items()
        if not spec.volatile and column != info.pk
    }


def _statements(tables: list[sa.Table]) -> list[str]:
    dialect = sqlite_dialect.dialect()
    creates = [str(CreateTable(t).compile(dialect=dialect)).strip() for t in tables]
    indexes = [
        str(CreateIndex(i).compile(dialect=dialect)).strip()
        for t in tables
        for i in sorted(t.indexes, key=lambda i: str(i.name))
    ]
    return creates + indexes
