"""How values and rows are said: amounts, dates, states, labels."""

from __future__ import annotations

import string
from datetime import date, datetime, time
from typing import Any

from ..domain import Domain, Parameter, Row, Tool, say_minutes
from ..state import EntityInfo, plain


def say_value(domain: Domain, kind: str, value: Any) -> str:
    """A value as a person would write it."""
    if value is None:
        return "nothing"
    if kind == "money":
        return domain.dialect.say_money(int(value))
    if kind == "minutes":
        return say_minutes(value)
    if isinstance(value, datetime):
        return f"{say_date(value.date())} at {value:%H:%M}"
    if isinstance(value, date):
        return say_date(value)
    if isinstance(value, time):
        return f"{value:%H:%M}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def say_date(value: date) -> str:
    """`March 20, 2026`."""
    return f"{value:%B} {value.day}, {value.year}"


def say_choice(value: Any) -> str:
    """A state or choice in words."""
    return str(value).replace("_", " ")


def say_argument(domain: Domain, parameter: Parameter, value: Any) -> str:
    """The value of an argument that names no row."""
    if parameter.type.many:
        return " and ".join(say_choice(v) for v in value)
    if parameter.type.choices:
        return say_choice(value)
    return say_value(domain, str(parameter.type.kind), value)


def says(tool: Tool, parameter: Parameter) -> str:
    """What people call an argument."""
    if parameter.entity is not None and parameter.name == parameter.entity._info.noun:
        return str(parameter.entity._info.noun).replace("_", " ")
    if parameter.like is not None:
        return str(parameter.like[0]._info.columns[parameter.like[1]].says)
    return parameter.name.replace("_", " ")


def label_paths(info: EntityInfo) -> list[str]:
    """The paths of the values that an entity's label quotes, from the row: `copy.book.title`."""
    paths: list[str] = []
    for _, name, _, _ in string.Formatter().parse(info.label):
        if name:
            path = name.removeprefix("self.")
            target = _entity_at(info, path)
            inner = [f"{path}.{p}" for p in label_paths(target)] if target is not None else [path]
            paths += [p for p in inner if p not in paths]
    return paths


def _entity_at(info: EntityInfo, path: str) -> EntityInfo | None:
    """The entity that a path of references leads to, or None where it ends at a value."""
    found = info
    for step in path.split("."):
        if step not in found.refs:
            return None
        found = found.refs[step].target._info
    return found


def follow(row: Row, path: str) -> Any:
    """The value at a path from a row, None where an optional reference is absent."""
    value: Any = row
    for step in path.split("."):
        if value is None:
            return None
        value = getattr(value, step)
    return value


def plain_at(row: Row, path: str) -> Any:
    """The value at a path in plain form; a row there is given by its key."""
    value = follow(row, path)
    return value.id if hasattr(type(value), "_info") else plain(value)
