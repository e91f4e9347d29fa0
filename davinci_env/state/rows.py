"""Light rows: a generated, unmapped twin of each mapped class.

Columns live in the instance dictionary. References and back lists are non-data descriptors: the
first read caches the value in the same dictionary, so that later reads cost a dictionary look-up.
Every change is logged cell by cell.
"""

from __future__ import annotations

import math
import operator
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, time
from typing import TYPE_CHECKING, Any

from .entity import REQUIRED, Entity, EntityInfo
from .types import CONVERTERS, SCALARS

if TYPE_CHECKING:
    from .reading import Reading
    from .world import World

TOGETHER = (2, 4, 8, 16)
"""How many rows one statement may fetch by key (fewer keys are padded, so that statements recur).
"""

MISSING: Any = types.SimpleNamespace(name="MISSING")
"""Marks an absent dictionary key in the cell log."""

Row = Any
"""A light row. Its attributes are those of the entity class."""


@dataclass
class RowModel:
    """What `World` needs to read and write the rows of one entity."""

    info: EntityInfo
    row: type
    load: Callable[[Reading, tuple[Any, ...]], Row]
    load_all: Callable[[Reading, dict[str, Row], Iterable[tuple[Any, ...]]], list[Row]]
    store: Callable[[dict[str, Any]], tuple[Any, ...]]
    defaults: dict[str, Any]
    required: tuple[str, ...]
    sql_columns: str
    sql_get: str
    shown: dict[str, tuple[str, ...]]
    sql_all: str
    sql_insert: str
    sql_delete: str
    sql_children: dict[str, str]
    store_one: dict[str, Callable[[Any], Any]]
    sql_update: dict[tuple[str, ...], str]


class _Reference:
    """`loan.member`: loads the row once, then the instance dictionary answers."""

    def __init__(self, attribute: str, column: str, target: Entity) -> None:
        self.attribute, self.column, self.target = attribute, column, target

    def __get__(self, row: Row, owner: type) -> Any:
        if row is None:
            return self
        cells = row.__dict__
        key, world = cells[self.column], cells["_world"]
        value = world._map[self.target].get(key)
        if value is None and key is not None:
            value = world.follow(row, self.column, self.target, key)
        cells[self.attribute] = value
        return value


class _BackList:
    """`member.loans`: a tuple ordered by key, loaded once."""

    def __init__(self, attribute: str, child: Entity, column: str, pk: str) -> None:
        self.attribute, self.child, self.column, self.pk = attribute, child, column, pk

    def __get__(self, row: Row, owner: type) -> Any:
        if row is None:
            return self
        cells = row.__dict__
        value = cells["_world"].children(self.child, self.column, cells[self.pk])
        cells[self.attribute] = value
        return value


def world_of(row: Row) -> World:
    """The world that a row belongs to."""
    world: World = row.__dict__["_world"]
    return world


def row_model(info: EntityInfo) -> RowModel:
    """Build the light row class of an entity and its compiled statements."""
    columns = list(info.columns)
    quoted = [f'"{c}"' for c in columns]
    table, pk = f'"{info.table}"', f'"{info.pk}"'
    listed = ", ".join(quoted)
    row = _row_class(info)
    compiled = _compile(info, row)
    marks = ", ".join("?" * len(columns))
    return RowModel(
        info=info,
        row=row,
        load=compiled["load"],
        load_all=compiled["load_all"],
        store=compiled["store"],
        defaults={c: x.default for c, x in info.columns.items() if x.default is not REQUIRED},
        required=tuple(c for c, x in info.columns.items() if x.default is REQUIRED),
        sql_columns=listed,
        sql_get=f"SELECT {listed} FROM {table} WHERE {pk} = ?",
        shown=_shown(info),
        sql_all=f"SELECT {listed} FROM {table} ORDER BY {pk}",
        sql_insert=f"INSERT INTO {table} ({listed}) VALUES ({marks})",
        sql_delete=f"DELETE FROM {table} WHERE {pk} = ?",
        sql_children={
            r.column: f'SELECT {listed} FROM {table} WHERE "{r.column}" = ? ORDER BY {pk}'
            for r in info.refs.values()
        },
        store_one={c: f for c in columns if (f := _storer(info.columns[c].kind)) is not None},
        sql_update={},
    )


def _shown(info: EntityInfo) -> dict[str, tuple[str, ...]]:
    """For each reference, by its column, the paths that the entity shows beyond it."""
    paths: dict[str, tuple[str, ...]] = {}
    for path in info.shows.values():
        first, *steps = path.split(".")[:-1] or [""]
        if steps and first in info.refs:
            column = info.refs[first].column
            paths[column] = (*paths.get(column, ()), ".".join(steps))
    return {column: tuple(dict.fromkeys(found)) for column, found in paths.items()}


def _storer(kind: str) -> Callable[[Any], Any] | None:
    source = SCALARS[kind].store  # type: ignore[index]
    if not source:
        return None
    body = source.format(v="v")
    return eval(f"lambda v: None if v is None else {body}", {})  # type: ignore[no-any-return]


def _compile(info: EntityInfo, row_class: type) -> dict[str, Callable[..., Any]]:
    """Compile the conversions between SQL rows and rows: straight-line code over our own column
    names.

    `load(world, sql_row)`, `load_all(world, known, sql_rows)` and `store(cells)`.
    """
    columns = list(info.columns.items())
    cells = [
        f"{name!r}: {_convert(SCALARS[spec.kind].load, f'c{i}', spec.optional)}"
        for i, (name, spec) in enumerate(columns)
    ]
    stores = [
        _convert(SCALARS[spec.kind].store, f"d[{name!r}]", spec.optional) for name, spec in columns
    ]
    variables = ", ".join(f"c{i}" for i in range(len(columns)))
    key = f"c{list(info.columns).index(info.pk)}"
    made = f"{{'_world': world, {', '.join(cells)}}}"
    code = f"""
def load(world, sql_row):
    ({variables},) = sql_row
    row = new(row_class)
    set_cells(row, {made})
    return row
def load_all(world, known, sql_rows):
    rows = []
    for ({variables},) in sql_rows:
        row = known.get({key})
        if row is None:
            known[{key}] = row = new(row_class)
            set_cells(row, {made})
        rows.append(row)
    return rows
def store(d):
    return ({", ".join(stores)},)
"""
    cells_slot = next(c.__dict__["__dict__"] for c in row_class.__mro__ if "__dict__" in c.__dict__)
    scope: dict[str, Any] = {
        "new": object.__new__, "row_class": row_class, "set_cells": cells_slot.__set__,
        **CONVERTERS,
    }  # fmt: skip
    exec(compile(code, f"<rows of {info.name}>", "exec"), scope)
    return scope


def _convert(source: str, value: str, optional: bool) -> str:
    """The text of a conversion of `value`."""
    if not source:
        return value
    text = source.format(v=value)
    return f"(None if {value} is None else {text})" if optional else text


def _row_class(info: EntityInfo) -> type:
    """The unmapped twin: plain class attributes hide the mapped class's data descriptors."""
    members: dict[str, Any] = dict.fromkeys(info.columns)
    kinds: dict[str, Any] = {c: True for c in info.columns if c != info.pk}
    for r in info.refs.values():
        members[r.attribute] = _Reference(r.attribute, r.column, r.target)
        kinds[r.attribute] = kinds[r.column] = r
    for b in info.backs.values():
        members[b.attribute] = _BackList(b.attribute, b.child, b.column, info.pk)
    members["_kinds"] = kinds
    members["_checks"] = {c: check for c in info.columns if (check := _check(info, c)) is not None}
    members["__setattr__"] = _set_attribute
    members["__delattr__"] = _no_removal
    members["__init__"] = _no_constructor
    members["entity"] = info.cls
    members["id"] = property(operator.attrgetter(info.pk))
    return types.new_class(
        info.name, (info.cls,), {"row_of": info.cls}, lambda ns: ns.update(members)
    )


def _no_constructor(self: Row, **values: Any) -> None:
    raise TypeError("rows are made by db.create(Entity, ...)")


def _no_removal(self: Row, name: str) -> None:
    raise AttributeError(f"{self._info.name}.{name} can't be removed; assign None")


def _check(info: EntityInfo, name: str) -> Callable[[Any], Any] | None:
    """A function that returns the value to keep, or raises for a wrong type, choice or bound.

    None for references and generated keys, which have checks of their own.
    """
    spec = info.columns[name]
    if spec.target is not None or (name == info.pk and info.has_generated_key):
        return None
    python = SCALARS[spec.kind].python
    keep = _KEEPERS.get(spec.kind)
    choices: frozenset[Any] = frozenset(spec.choices)
    ge: Any = spec.ge
    le: Any = spec.le
    where = f"{info.name}.{name}"

    def check(value: Any) -> Any:
        if value is None:
            if not spec.optional:
                raise ValueError(f"{where} can't be None")
            return None
        if type(value) is not python and not (python is float and type(value) is int):
            raise TypeError(f"{where} = {value!r} is not {python.__name__}")
        if choices and value not in choices:
            raise ValueError(f"{where} = {value!r} is not one of {sorted(choices)}")
        if (ge is not None and value < ge) or (le is not None and value > le):
            raise ValueError(f"{where} = {value!r} is out of bounds")
        return value if keep is None else keep(where, value)

    return check


def _keep_float(where: str, value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{where} = {value!r} is no finite number")
    return float(value)  # so that a cached row equals one read again


def _keep_seconds(where: str, value: datetime | time) -> datetime | time:
    if value.microsecond or value.tzinfo is not None:
        raise ValueError(f"{where} = {value!r} must be in whole seconds and without a time zone")
    return value


_KEEPERS: dict[str, Callable[[str, Any], Any]] = {
    "float": _keep_float,
    "datetime": _keep_seconds,
    "time": _keep_seconds,
}


def _set_attribute(self: Row, name: str, value: Any) -> None:
    """Assign a column or reference: log the old cell, keep both parents' lists true, note the row
    for writing.
    """
    cells = self.__dict__
    kind = self._kinds.get(name)
    world: World = cells["_world"]
    if kind is None:
        raise AttributeError(f"{self._info.name} has no column {name!r} to assign")
    if "_dead" in cells:
        raise ValueError(f"{self._info.name} {self.id} was deleted")
    if kind is not True:
        _set_reference(self, world, kind, name, value)
        return
    old = cells[name]
    if old is value or (old == value and type(old) is type(value)):
        return
    check = self._checks.get(name)
    if check is not None:
        value = check(value)
    world.log.append((cells, name, old, self))
    cells[name] = value
    world.touch(self, name)


def _set_reference(self: Row, world: World, reference: Any, name: str, value: Any) -> None:
    cells = self.__dict__
    column, attribute = reference.column, reference.attribute
    value = referred(world, self._info, reference, name, value)
    old = getattr(self, attribute)
    if old is value:
        return
    world.settle()
    log = world.log
    log.append((cells, column, cells[column], self))
    log.append((cells, attribute, old, None))
    cells[column] = None if value is None else value.id
    cells[attribute] = value
    for parent in (old, value):  # the cached lists of both parents are stale
        if parent is not None:
            world.forget(parent.__dict__, reference.back)
    world.touch(self, column)


def referred(world: World, info: EntityInfo, reference: Any, name: str, value: Any) -> Row:
    """The row, or None, that `value` (a row, or a key where `name` is the column) means.

    Raises TypeError for anything else, ValueError for a row that is deleted, absent or of another
    world.
    """
    where = f"{info.name}.{name}"
    if value is None:
        if not reference.optional:
            raise ValueError(f"{where} can't be None")
        return None
    if name == reference.column:
        row = world.get(reference.target, value)
        if row is None:
            raise ValueError(f"{where} = {value!r} names no {reference.target._info.name}")
        return row
    target: str = reference.target._info.name
    if getattr(value, "entity", None) is not reference.target:
        raise TypeError(f"{where} = {value!r} is not a {target}")
    cells: dict[str, Any] = value.__dict__
    if "_dead" in cells:
        raise ValueError(f"{where}: {target} {value.id} was deleted")
    if cells["_world"] is not world:
        raise ValueError(f"{where}: {value!r} is a row of another world")
    return value


def fill(world: World, model: RowModel, row: Row, values: dict[str, Any]) -> None:
    """Put the values of a new row into its cells, with defaults for the others.

    Raises TypeError for unknown or missing columns and wrong types, ValueError for values out of
    bounds.
    """
    info, cells, kinds, checks = model.info, row.__dict__, row._kinds, row._checks
    cells.update(model.defaults)
    for name, value in values.items():
        kind = kinds.get(name, True if name == info.pk else None)
        if kind is True:
            check = checks.get(name)
            cells[name] = value if check is None else check(value)
        elif kind is None:
            raise TypeError(f"{info.name} has no column {name!r}")
        else:
            other = referred(world, info, kind, name, value)
            cells[kind.attribute] = other
            cells[kind.column] = None if other is None else other.id
    for column in model.required:
        if column not in cells:
            raise TypeError(f"{info.name} needs {column}")
