"""Companions: the rows that a call is going to follow from a row, fetched with it in one statement.

A statement costs more than the rows that it brings: a loan, its member, copy and book took 28 µs by
four keys and 18 µs joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .entity import Entity
from .rows import TOGETHER, RowModel


@dataclass(frozen=True)
class Part:
    """One row of a joined result: where its key and its cells stand, and how they are read."""

    entity: Entity
    load: Callable[..., Any]
    key: int
    cells: slice


@dataclass(frozen=True)
class Companions:
    """Statements that take so many keys, and the parts of the rows that they return."""

    sql: Mapping[int, str]
    parts: tuple[Part, ...]


def companions(
    models: Mapping[Entity, RowModel], entity: Entity, paths: Iterable[str]
) -> Companions:
    """Compile the statements for rows and those at the ends of paths of single references
    (`copy.book`), and on the way there.
    """
    reached, joins = _joined(entity, paths)
    columns: list[str] = []
    parts = []
    for alias, one in reached:
        names = list(one._info.columns)
        begin = len(columns)
        columns += [f'{alias}."{name}"' for name in names]
        cells = slice(begin, len(columns))
        parts.append(Part(one, models[one].load, begin + names.index(one._info.pk), cells))
    info = entity._info
    source = f'SELECT {", ".join(columns)} FROM "{info.table}" AS t0 {" ".join(joins)}'
    many = {n: f't0."{info.pk}" IN ({", ".join("?" * n)})' for n in TOGETHER}
    conditions = {1: f't0."{info.pk}" = ?', **many}
    return Companions({n: f"{source} WHERE {c}" for n, c in conditions.items()}, tuple(parts))


def _joined(entity: Entity, paths: Iterable[str]) -> tuple[list[tuple[str, Entity]], list[str]]:
    """The tables that paths lead through, each with its alias, and the joins that reach them."""
    reached = {"": ("t0", entity)}
    joins = []
    for path in paths:
        before = ""
        for step in path.split("."):
            here = f"{before}.{step}" if before else step
            if here not in reached:
                alias, start = reached[before]
                reference, name = start._info.refs[step], f"t{len(reached)}"
                target = reference.target._info
                reached[here] = name, reference.target
                joins.append(
                    f'LEFT JOIN "{target.table}" AS {name}'
                    f' ON {name}."{target.pk}" = {alias}."{reference.column}"'
                )
            before = here
    return list(reached.values()), joins
