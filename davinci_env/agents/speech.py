"""How values and rows are said: amounts, dates, states, labels. The single place for it: whoever
checks words asks `ways_to_say` here.
"""

from __future__ import annotations

import random
import re
import string
from datetime import date, datetime, time, timedelta
from typing import Any

from ..domain import Domain, Parameter, Row, Tool, say_minutes
from ..state import ColumnInfo, Entity, EntityInfo, plain

NEAR = 13
"""Days within which a date is told with its weekday."""

SMALL = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
"""Numbers that people write out."""

_CURRENCY = {"$": "dollar", "€": "euro", "£": "pound"}


# -- as a document writes it -----------------------------------------------------------------------


def say_value(domain: Domain, kind: str, value: Any) -> str:
    """A value in full, as a document would write it."""
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


# -- as people say it now --------------------------------------------------------------------------


def say_near(domain: Domain, kind: str, value: Any) -> str:
    """A value as a colleague would say it today: `Friday, March 20`, without the year if it is
    this one.
    """
    today = domain.now.date()
    if isinstance(value, datetime):
        return f"{say_day(value.date(), today)} at {value:%H:%M}"
    if isinstance(value, date):
        return say_day(value, today)
    return say_value(domain, kind, value)


def say_day(value: date, today: date) -> str:
    """`Friday, March 20` within two weeks, `May 2` within this year, else `May 2, 2027`."""
    if abs((value - today).days) <= NEAR:
        return f"{value:%A}, {value:%B} {value.day}"
    return f"{value:%B} {value.day}" if value.year == today.year else say_date(value)


def say_number(value: int | float) -> str:
    """A count: in letters up to twelve, `no` for none; what is no whole number in digits."""
    if isinstance(value, int) and 0 <= value < len(SMALL):
        return SMALL[value]
    return f"{value:g}" if isinstance(value, float) else str(value)


def ordinal(number: int) -> str:
    """`1st`, `22nd`, `13th`."""
    tail = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{tail}"


def spoken_days(value: date, today: date) -> list[str]:
    """Ways in which a person says a date that need nothing but today's to be understood."""
    ahead = (value - today).days
    named = {0: ["today"], 1: ["tomorrow"], -1: ["yesterday"]}.get(ahead, [])
    if named:
        return named
    if value.year != today.year:
        return [say_date(value), f"{value.day} {value:%B} {value.year}"]
    ways = [f"{value:%B} {value.day}", f"{value:%B} {ordinal(value.day)}"]
    ways.append(f"the {ordinal(value.day)} of {value:%B}")
    if 1 < ahead < 7:
        ways += [f"this {value:%A}", f"{value:%A}, {value:%B} {value.day}"]
    monday = today + timedelta(days=7 - today.weekday())
    if 7 <= ahead and monday <= value < monday + timedelta(days=7):
        ways.append(f"{value:%A} next week")
    return ways


def spoken_amounts(domain: Domain, cents: int) -> list[str]:
    """Ways in which a person says an amount of money: `$12`, `12 dollars`, `$12.50`."""
    exact = domain.dialect.say_money(cents)
    if cents <= 0 or cents % 100:
        return [exact]
    word = _CURRENCY.get(domain.dialect.currency)
    ways = [exact.removesuffix(".00"), exact]
    if word is not None and cents != 100:
        ways.append(f"{cents // 100:,} {word}s")
    return ways


def spoken_ways(domain: Domain, kind: str, value: Any) -> list[str]:
    """Ways in which a person may say a value, the usual ones first."""
    today = domain.now.date()
    if kind == "money" and value is not None:
        return spoken_amounts(domain, int(value))
    if isinstance(value, datetime):
        return [f"{day} at {value:%H:%M}" for day in spoken_days(value.date(), today)]
    if isinstance(value, date):
        return spoken_days(value, today)
    return [say_value(domain, kind, value)]


def say_spoken(domain: Domain, kind: str, value: Any, rng: random.Random) -> str:
    """One of these ways."""
    return rng.choice(spoken_ways(domain, kind, value))


def ways_to_say(domain: Domain, kind: str, value: Any) -> list[str]:
    """Every way in which a request, a confirmation or an answer of ours may say a value."""
    ways = [say_value(domain, kind, value), say_near(domain, kind, value)]
    ways += spoken_ways(domain, kind, value)
    if isinstance(value, date):
        ways += [f"{value:%B} {value.day}", f"{value:%B} {value:%d}", f"{value.day} {value:%B}"]
        if isinstance(value, datetime):
            ways += [f"{way} at {value:%H:%M}" for way in ways[-3:]]
        ways.append(value.isoformat()[:10])
    if isinstance(value, datetime | time):
        ways.append(f"{value:%H:%M}")
    if kind == "int" and value is not None:
        ways.append(say_number(value))
    if isinstance(value, str):
        ways.append(say_choice(value))
    return list(dict.fromkeys(ways))


def ways_of_argument(domain: Domain, parameter: Parameter, value: Any) -> list[str]:
    """Every way in which the value of an argument that names no row may be said."""
    if parameter.type.many:
        return [say_argument(domain, parameter, value)]
    return ways_to_say(domain, str(parameter.type.kind), value)


def say_of(domain: Domain, spec: ColumnInfo, value: Any) -> str:
    """A column's value as a colleague would say it today."""
    return say_choice(value) if spec.choices else say_near(domain, spec.kind, value)


def say_argument(domain: Domain, parameter: Parameter, value: Any) -> str:
    """The value of an argument that names no row, as a colleague would say it today."""
    if parameter.type.many:
        return join([say_choice(v) for v in value])
    if parameter.type.choices:
        return say_choice(value)
    return say_near(domain, str(parameter.type.kind), value)


def says(tool: Tool, parameter: Parameter) -> str:
    """What people call an argument."""
    if parameter.entity is not None and parameter.name == parameter.entity._info.noun:
        return str(parameter.entity._info.noun).replace("_", " ")
    if parameter.like is not None:
        return str(parameter.like[0]._info.columns[parameter.like[1]].says)
    return parameter.name.replace("_", " ")


def join(items: list[str], last: str = " and ") -> str:
    """`a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + last + items[-1]


def a(noun: str) -> str:
    """A noun with its article: "a copy", "an order"."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


# -- rows ------------------------------------------------------------------------------------------


def label_paths(info: EntityInfo) -> list[str]:
    """The paths of the values that an entity's label quotes, from the row: `copy.book.title`."""
    return _quoted_paths(info, info.label)


def _quoted_paths(info: EntityInfo, text: str) -> list[str]:
    paths: list[str] = []
    for _, name, _, _ in string.Formatter().parse(text):
        if name:
            path = name.removeprefix("self.")
            target = entity_at(info, path)
            inner = [f"{path}.{p}" for p in label_paths(target)] if target is not None else [path]
            paths += [p for p in inner if p not in paths]
    return paths


def entity_at(info: EntityInfo, path: str) -> EntityInfo | None:
    """The entity that a path of references leads to, or None where it ends at a value."""
    found = info
    for step in path.split("."):
        if step not in found.refs:
            return None
        found = found.refs[step].target._info
    return found


def column_at(info: EntityInfo, path: str) -> ColumnInfo:
    """The column at a path of references: `copy.book.title`."""
    *steps, last = path.split(".")
    for step in steps:
        info = info.refs[step].target._info
    return info.columns[last]


def follow(row: Row, path: str) -> Any:
    """The value at a path from a row, None where an optional reference is absent."""
    value: Any = row
    for step in path.split("."):
        if value is None:
            return None
        value = getattr(value, step)
    return value


def label_of(row: Row) -> str:
    """A row's label, states and choices in it in words."""
    return re.sub(r"(?<=[a-z])_(?=[a-z])", " ", str(row))


def stands_for(info: EntityInfo, path: str) -> bool:
    """Whether what a path leads to stands for the row itself, as the book does for its loan: it is
    what the label quotes first.
    """
    first = (label_paths(info) or [""])[0]
    return not path or first == path or first.startswith(f"{path}.")


def plain_at(row: Row, path: str) -> Any:
    """The value at a path in plain form; a row there is given by its key."""
    value = follow(row, path)
    return value.id if hasattr(type(value), "_info") else plain(value)


def own_name(entity: Entity, attribute: str) -> str:
    """What a person calls an attribute of theirs."""
    info = entity._info
    if attribute in ("id", info.pk):
        return f"{info.noun.replace('_', ' ')} number"
    return str(info.columns[attribute].says)
