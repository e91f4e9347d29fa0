"""Column types: what a value is in Python, in SQLite, and what it means to a person.

`Money` and `Minutes` are plain integers with a meaning, so that arithmetic stays exact and a
domain's dialect decides how they look on the wire. Rendering is not done here.
"""

from __future__ import annotations

import types as pytypes
import typing
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Annotated, Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite as sqlite_dialect


@dataclass(frozen=True)
class Meaning:
    """Marks an integer as an amount with a unit."""

    unit: Literal["money", "minutes"]


Money = Annotated[int, Meaning("money")]
"""An amount in cents."""

Minutes = Annotated[int, Meaning("minutes")]
"""A length of time in whole minutes."""

Kind = Literal["str", "int", "float", "bool", "date", "datetime", "time", "money", "minutes"]


@dataclass(frozen=True)
class Scalar:
    """One scalar type: its Python class, SQL type and the source text of its conversions.

    `load` and `store` are expressions over `{v}` used by the row compiler (None is handled by the
    caller); an empty text means that the value passes unchanged.
    """

    kind: Kind
    python: type
    sql: sa.types.TypeEngine[Any]
    load: str = ""
    store: str = ""


SCALARS: dict[Kind, Scalar] = {
    "str": Scalar("str", str, sa.String()),
    "int": Scalar("int", int, sa.Integer()),
    "float": Scalar("float", float, sa.Float()),
    "bool": Scalar("bool", bool, sa.Boolean(), load="{v} == 1", store="int({v})"),
    "date": Scalar("date", date, sa.Date(), "date_of({v})", "{v}.isoformat()"),
    "datetime": Scalar(
        "datetime",
        datetime,
        sqlite_dialect.DATETIME(truncate_microseconds=True),  # type: ignore[no-untyped-call]
        "datetime_of({v})",
        '{v}.isoformat(" ", "seconds")',
    ),
    "time": Scalar(
        "time",
        time,
        sqlite_dialect.TIME(truncate_microseconds=True),  # type: ignore[no-untyped-call]
        "time_of({v})",
        '{v}.isoformat("seconds")',
    ),
    "money": Scalar("money", int, sa.Integer()),
    "minutes": Scalar("minutes", int, sa.Integer()),
}

CONVERTERS: dict[str, Callable[[str], Any]] = {
    "date_of": date.fromisoformat,
    "datetime_of": datetime.fromisoformat,
    "time_of": time.fromisoformat,
}


@dataclass(frozen=True)
class TypeInfo:
    """What an annotation says: scalar kind or entity, optional, choices, further markers."""

    kind: Kind | None
    entity: type[Any] | None
    optional: bool
    choices: tuple[Any, ...] = ()
    many: bool = False
    markers: tuple[Any, ...] = ()


def read_annotation(annotation: Any) -> TypeInfo:
    """Read `int`, `Money`, `Literal[...]`, an entity class, `list[...]` of these, each optional
    with `| None`.

    Raises TypeError for anything that a column or an argument can't be.
    """
    inner, optional = _without_none(annotation)
    markers: tuple[Any, ...] = ()
    kind: Kind | None = None
    if typing.get_origin(inner) is Annotated:
        inner, *extra = typing.get_args(inner)
        markers = tuple(extra)
        nested, nested_optional = _without_none(inner)
        inner, optional = nested, optional or nested_optional
        if typing.get_origin(inner) is Annotated:
            inner, *more = typing.get_args(inner)
            markers = (*more, *markers)
    for marker in markers:
        if isinstance(marker, Meaning):
            kind = marker.unit
    origin = typing.get_origin(inner)
    if origin is list:
        (item,) = typing.get_args(inner)
        item_info = read_annotation(item)
        return TypeInfo(
            item_info.kind, item_info.entity, optional, item_info.choices, True, markers
        )
    if origin is Literal:
        choices = typing.get_args(inner)
        return TypeInfo(kind or _kind_of(type(choices[0])), None, optional, choices, False, markers)
    if isinstance(inner, type) and hasattr(inner, "_info"):
        return TypeInfo(None, inner, optional, (), False, markers)
    return TypeInfo(kind or _kind_of(inner), None, optional, (), False, markers)


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if typing.get_origin(annotation) in (typing.Union, pytypes.UnionType):
        rest = [a for a in typing.get_args(annotation) if a is not type(None)]
        if len(rest) == 1:
            return rest[0], True
    return annotation, False


def _kind_of(python: Any) -> Kind:
    for kind, scalar in SCALARS.items():
        if scalar.python is python and kind not in ("money", "minutes"):
            return kind
    raise TypeError(f"{python!r} is not a column or argument type")
