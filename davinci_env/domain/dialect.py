"""Dialects: how a domain looks on the wire. 228 domains must not share one API style.

A dialect decides key style, envelope, paging, units, date styles, error wording and the verbs of
derived reads. It is compiled once into codecs (Python value <-> wire value, with a JSON schema); no
decision is taken during a call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any, Literal

from ..state import Meaning

__all__ = ["Codec", "Dialect", "Meaning"]


@dataclass(frozen=True)
class Codec:
    """One scalar kind on the wire:

    `show` formats, `read` parses (ValueError when it can't), None means unchanged.
    """

    schema: dict[str, Any]
    show: Callable[[Any], Any] | None = None
    read: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Dialect:
    """The wire style of a domain. Every default is the plainest choice."""

    keys: Literal["snake", "camel"] = "snake"
    envelope: Literal["bare", "data", "entity", "result"] = "bare"
    paging: Literal["page", "offset", "cursor"] = "page"
    money: Literal["cents", "decimal", "number"] = "cents"
    dates: Literal["iso", "us", "eu"] = "iso"
    duration: Literal["minutes", "iso8601", "clock"] = "minutes"
    currency: str = "$"
    errors: Mapping[str, str] = field(default_factory=dict)
    verbs: Mapping[str, str] = field(default_factory=dict)

    def key(self, name: str) -> str:
        """A field or argument name in the dialect's style."""
        if self.keys == "snake":
            return name
        head, *rest = name.split("_")
        return head + "".join(part[:1].upper() + part[1:] for part in rest)

    def codec(self, kind: str) -> Codec:
        """The codec of a scalar kind."""
        if kind == "money":
            return _MONEY[self.money]
        if kind == "minutes":
            return _DURATION[self.duration]
        if kind in ("date", "datetime", "time"):
            return _DATES[self.dates][kind]
        return _PLAIN[kind]

    def error(self, name: str, **values: Any) -> str:
        """An error message: the dialect's wording, or the house's."""
        return (self.errors.get(name) or _ERRORS[name]).format(**values)

    def verb(self, name: str, **values: str) -> str:
        """The name of a derived read tool."""
        return (self.verbs.get(name) or _VERBS[name]).format(**values)

    def say_money(self, cents: int) -> str:
        """An amount as people write it: `$12.50`."""
        sign = "-" if cents < 0 else ""
        return f"{sign}{self.currency}{abs(cents) // 100:,}.{abs(cents) % 100:02d}"


_ERRORS = {
    "not_found": "No {entity} has the ID {id}.",
    "wrong_state": "The {entity} is {state}; this needs it to be {wanted}.",
    "access_denied": "This {entity} belongs to somebody else.",
    "invalid": "Invalid arguments: {detail}.",
    "unknown_tool": "There is no tool called {tool}.",
}
_VERBS = {
    "get": "get_{entity}",
    "find": "find_{entity}_by_{column}",
    "search": "search_{entities}",
    "list": "list_{owner}_{entities}",
}

_PLAIN = {
    "str": Codec({"type": "string"}),
    "int": Codec({"type": "integer"}),
    "float": Codec({"type": "number"}),
    "bool": Codec({"type": "boolean"}),
}


def _string(pattern: str, example: str) -> dict[str, Any]:
    return {"type": "string", "pattern": pattern, "examples": [example]}


def _decimal_to_cents(text: str) -> int:
    return int(text.replace(".", ""))


def _cents_to_decimal(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def _number_to_cents(value: float) -> int:
    cents = round(value * 100)
    if cents / 100 != value:  # exact: both are the float nearest to the same decimal
        raise ValueError("should have at most two decimals")
    return cents


_MONEY = {
    "cents": Codec({"type": "integer"}),
    "decimal": Codec(
        _string(r"^[0-9]{1,9}\.[0-9]{2}$", "12.50"), _cents_to_decimal, _decimal_to_cents
    ),
    "number": Codec({"type": "number"}, lambda cents: cents / 100, _number_to_cents),
}

_ISO_DURATION = re.compile(r"(-?)PT(?:([0-9]{1,4})H)?(?:([0-9]{1,5})M)?")


def _minutes_to_iso(minutes: int) -> str:
    hours, rest = divmod(abs(minutes), 60)
    sign = "-" if minutes < 0 else ""
    return f"{sign}PT" + (f"{hours}H" if hours else "") + (f"{rest}M" if rest or not hours else "")


def _iso_to_minutes(text: str) -> int:
    match = _ISO_DURATION.fullmatch(text)
    if match is None:
        raise ValueError("should look like PT1H30M")
    minutes = 60 * int(match[2] or 0) + int(match[3] or 0)
    return -minutes if match[1] else minutes


def _minutes_to_clock(minutes: int) -> str:
    sign = "-" if minutes < 0 else ""
    return f"{sign}{abs(minutes) // 60}:{abs(minutes) % 60:02d}"


def _clock_to_minutes(text: str) -> int:
    hours, minutes = text.removeprefix("-").split(":")
    length = 60 * int(hours) + int(minutes)
    return -length if text.startswith("-") else length


_DURATION = {
    "minutes": Codec({"type": "integer"}),
    "iso8601": Codec(
        _string(r"^PT([0-9]{1,4}H([0-9]{1,5}M)?|[0-9]{1,5}M)$", "PT1H30M"),
        _minutes_to_iso,
        _iso_to_minutes,
    ),
    "clock": Codec(
        _string(r"^[0-9]{1,4}:[0-5][0-9]$", "1:30"), _minutes_to_clock, _clock_to_minutes
    ),
}


_DAYS = "(0[1-9]|[12][0-9]|3[01])"
_MONTHS = "(0[1-9]|1[0-2])"
_HOUR = "([01][0-9]|2[0-3]):[0-5][0-9]"


def _date_codecs(order: str, separator: str) -> dict[str, Codec]:
    """Codecs for dates written as day-month-year or month-day-year with a separator."""
    day_first = order == "dmy"
    day, month = (0, 3) if day_first else (3, 0)

    def show_date(value: date) -> str:
        first, second = (value.day, value.month) if day_first else (value.month, value.day)
        return f"{first:02d}{separator}{second:02d}{separator}{value.year:04d}"

    def read_date(text: str) -> date:
        return date(int(text[6:10]), int(text[month : month + 2]), int(text[day : day + 2]))

    def show_datetime(value: datetime) -> str:
        return f"{show_date(value)} {value.hour:02d}:{value.minute:02d}"

    def read_datetime(text: str) -> datetime:
        return datetime.combine(read_date(text), time.fromisoformat(text[11:16]))

    parts = (_DAYS, _MONTHS) if day_first else (_MONTHS, _DAYS)
    pattern = re.escape(separator).join((*parts, "[0-9]{4}"))
    example = datetime(2026, 3, 16, 9, 30)
    return {
        "date": Codec(_string(f"^{pattern}$", show_date(example)), show_date, read_date),
        "datetime": Codec(
            _string(f"^{pattern} {_HOUR}$", show_datetime(example)), show_datetime, read_datetime
        ),
        "time": _TIME,
    }


_TIME = Codec(_string(f"^{_HOUR}$", "09:30"), lambda v: v.isoformat("minutes"), time.fromisoformat)
_DATES: dict[str, dict[str, Codec]] = {
    "iso": {
        "date": Codec(
            _string(f"^[0-9]{{4}}-{_MONTHS}-{_DAYS}$", "2026-03-16"),
            date.isoformat,
            date.fromisoformat,
        ),
        "datetime": Codec(
            _string(f"^[0-9]{{4}}-{_MONTHS}-{_DAYS}T{_HOUR}$", "2026-03-16T09:30"),
            lambda v: v.isoformat("T", "minutes"),
            datetime.fromisoformat,
        ),
        "time": _TIME,
    },
    "us": _date_codecs("mdy", "/"),
    "eu": _date_codecs("dmy", "."),
}
