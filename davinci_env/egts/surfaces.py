"""How values are said: money, numbers, days, times, lists, as a person writes them in a request."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from .lexicon import Arg
from .sources import parse_moment


@dataclass(frozen=True)
class Style:
    """A person's manner of writing days and times."""

    day: str
    time: str
    currency: str = "$"
    year: int = 0
    """The present one, which nobody says."""

    @classmethod
    def of(cls, rng: random.Random, currency: str = "$", year: int = 0) -> Style:
        """One of the common manners."""
        return cls(rng.choice(["us", "uk"]), rng.choice(["24", "12"]), currency, year)

    def money(self, amount: float) -> str:
        """An amount; whole ones without cents."""
        return f"{self.currency}{amount:,.2f}".removesuffix(".00")

    def date(self, day: date) -> str:
        """A day."""
        if self.day == "us":
            return f"{day:%B} {day.day}" + ("" if day.year == self.year else f", {day.year}")
        return f"{day.day} {day:%B}" + ("" if day.year == self.year else f" {day.year}")

    def clock(self, moment: datetime) -> str:
        """A time of day."""
        if self.time == "24":
            return f"{moment:%H:%M}"
        minutes = f":{moment:%M}" if moment.minute else ""
        return f"{moment.hour % 12 or 12}{minutes} {'am' if moment.hour < 12 else 'pm'}"


_ISO = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:00)?)?")


def said(value: Any, arg: Arg, style: Style, begun: str = "") -> str:
    """How a stated value is said.

    Args:
        arg: where it comes from, and so what it is.
        begun: the moment that it follows: of a later one on the same day only the time is said.
    """
    text = _said(value, arg, style, begun)
    return arg.said.replace("{}", text) if arg.said else text


def _said(value: Any, arg: Arg, style: Style, begun: str) -> str:
    if arg.choice is not None:
        if isinstance(value, dict | list):
            return next(name for text, name in arg.choice.items() if json.loads(text) == value)
        written = str(value).lower() if isinstance(value, bool) else str(value)
        alike = (name for text, name in arg.choice.items() if text.casefold() == written.casefold())
        return arg.choice.get(written) or next(alike, written)
    if arg.money is not None and isinstance(value, int | float):
        return style.money(value)
    timed = arg.date or arg.datetime or arg.after
    if isinstance(value, str) and (timed or _ISO.fullmatch(value)):
        return _moment(value, arg, style, begun)
    return plain(value)


def _moment(value: str, arg: Arg, style: Style, begun: str) -> str:
    try:
        moment = parse_moment(value, arg.format)
        earlier = parse_moment(begun, arg.format) if begun else None
    except ValueError:
        return value
    if not isinstance(moment, datetime):
        return style.date(moment)
    if arg.format and not any(f"%{letter}" in arg.format for letter in "dejxcDF"):
        return style.clock(moment)
    if isinstance(earlier, datetime) and earlier.date() == moment.date():
        return style.clock(moment)
    return f"{style.date(moment.date())} at {style.clock(moment)}"


_TURNED = {
    "my": "your", "me": "you", "mine": "yours", "myself": "yourself", "i": "you", "i'm": "you're",
    "i've": "you've", "our": "your", "we": "you", "us": "you",
}  # fmt: skip
_PERSON = re.compile(
    r"(?<![\w{'])(my|me|mine|myself|i'm|i've|i|our|we|us)(?![\w}'])", re.IGNORECASE
)


def turned(template: str) -> str:
    """A template as the other one says it: "my contacts" are yours to the agent. Values, which
    stand in braces, are left as they are.
    """
    return _PERSON.sub(lambda match: _TURNED[match[0].casefold()], template)


def plain(value: Any) -> str:
    """A value as text: numbers without needless zeros, lists with "and"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and math.isfinite(value):
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    if isinstance(value, list | tuple):
        return joined([plain(item) for item in value])
    return str(value)


def joined(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
