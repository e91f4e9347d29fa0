"""Values of answers: how people say them, and what a verifier expects of them.

Foreign systems write dates, amounts and truth values as they like; here they become the types of
`lexicon.Kind`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from .evidence import Unfound
from .lexicon import Kind

JUDGED: Mapping[str, str] = {"whole": "number"}
"""Types of answers that the judge of answers calls otherwise."""

TITLE = 4
"""From so many words on, a name is a title, and quoted."""

LONGER = 40
"""From so many characters on, a text is quoted."""

DECIMALS = 3
"""With more, nobody says a number: "107.31" for 107.30854793146382."""

EXACT = 6
"""Decimals that are no noise of the machine's arithmetic."""

CURRENCIES = ("$", "€", "£", "¥")


def say(kind: Kind, value: Any, unit: str = "") -> str:
    """A value as people say it.

    Args:
        unit: of money, the sign of its currency; other units are said around the value.

    Raises:
        Unfound: it can't be said as one of that kind (`unsayable`).
    """
    try:
        return _said(kind, value, unit)
    except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise Unfound("unsayable", f"{value!r} is no {kind}") from error


def _said(kind: Kind, value: Any, unit: str) -> str:
    match kind:
        case "money":
            amount = _number(value)
            sign = "-" if amount < 0 else ""
            return f"{sign}{unit if unit in CURRENCIES else '$'}{abs(amount):,.2f}"
        case "number" | "whole":
            return _figures(value)
        case "date":
            return _day(_moment(value).date())
        case "datetime":
            moment = _moment(value)
            return f"{_day(moment.date())} at {moment:%H:%M}"
        case "time":
            return f"{time.fromisoformat(value):%H:%M}"
        case "yesno":
            return "yes" if _truth(value) else "no"
        case "list":
            return _listed(_items(value))
        case "text":
            return _text(value)
        case "name":
            name = _plain(value)
            return f'"{name}"' if len(name.split()) >= TITLE else name


def formats(kind: Kind, value: Any) -> list[str]:
    """Other ways in which people write a value."""
    match kind:
        case "money":
            amount = _number(value)
            return [f"{amount:.2f} dollars", f"USD {amount:.2f}"] if amount >= 0 else []
        case "date":
            return [_moment(value).date().isoformat()]
        case "datetime":
            moment = _moment(value)
            return [f"{_day(moment.date())}, {moment:%H:%M}"]
        case "list" if len(value) > 1:
            return [_listed(_items(value[::-1]))]
    return []


def expected(kind: Kind, value: Any) -> Any:
    """A value as the judge of answers compares it: money in cents, dates in ISO form.

    Raises:
        Unfound: it is none of that kind (`unsayable`).
    """
    try:
        match kind:
            case "money":
                return round(_number(value) * 100)
            case "number" | "whole":
                number = _numeric(value)
                return round(number, EXACT) if isinstance(number, float) else number
            case "date":
                return _moment(value).date().isoformat()
            case "datetime":
                return _moment(value).replace(second=0, microsecond=0, tzinfo=None).isoformat()
            case "time":
                return time.fromisoformat(value).replace(second=0, microsecond=0).isoformat()
            case "yesno":
                return _truth(value)
            case "list":
                return _items(value)
            case "text" | "name":
                return _plain(value)
    except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise Unfound("unsayable", f"{value!r} is no {kind}") from error


def _numeric(value: Any) -> int | float:
    if isinstance(value, bool):
        raise TypeError("a truth value is no number")
    if isinstance(value, str):
        value = value.replace(",", "").strip()
        return float(value) if "." in value else int(value)
    if not isinstance(value, int | float):
        raise TypeError("no number")
    return value


def _number(value: Any) -> Decimal:
    if isinstance(value, str):
        value = value.strip("$€£¥ ")
    return Decimal(str(_numeric(value)))


def _figures(value: Any) -> str:
    number = _number(value)
    if not number.is_finite():
        raise ValueError("not finite")
    if number.normalize().as_tuple().exponent < -DECIMALS:  # type: ignore[operator]  # finite
        number = round(number, 2) if abs(number) >= 1 else Decimal(f"{number:.3g}")
    text = format(number, ",f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _moment(value: Any) -> datetime:
    if not isinstance(value, str):
        raise TypeError("no date")
    return datetime.fromisoformat(value.strip())


def day_of(value: str) -> datetime | None:
    """The moment that a text in ISO form stands for; None for any other text."""
    try:
        return datetime.fromisoformat(value) if len(value) >= len("2024-05-14") else None
    except ValueError:
        return None


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _truth(value: Any) -> bool:
    words = {"true": True, "yes": True, "false": False, "no": False}
    if isinstance(value, str):
        return words[value.strip().casefold()] if value.strip().casefold() in words else _none()
    return value if isinstance(value, bool) else _none()


def _none() -> bool:
    raise ValueError("neither yes nor no")


def _plain(value: Any) -> str:
    """Text as it is; a name may be a number, such as a year."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError("no text")
    text = str(value).strip()
    if not text:
        raise ValueError("empty")
    return text


def _text(value: Any) -> str:
    text = _plain(value)
    return f'"{text}"' if len(text) >= LONGER or "\n" in text else text


def _items(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return [_item(one) for one in value]


def _item(value: Any) -> str:
    return _figures(value) if isinstance(value, int | float) else _plain(value)


def _listed(items: list[str]) -> str:
    if len(items) < 2:
        return items[0] if items else "none"
    return f"{', '.join(items[:-1])} and {items[-1]}"
