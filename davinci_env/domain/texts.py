"""Texts of a domain: constants filled in, amounts and lengths of time as people say them."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import Any

from .dialect import Dialect


class Constants(string.Formatter):
    """Formats `{FEE:money}` and `{NOTICE:duration}` in the domain's way, `{LIMITS[gold]}` like
    str.format.
    """

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        if isinstance(key, str) and not key.isupper() and key not in kwargs:
            raise KeyError(key)
        return super().get_value(key, args, kwargs)

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "money":
            return self.dialect.say_money(value)
        if format_spec == "duration":
            return say_minutes(value)
        return str(super().format_field(value, format_spec))


def say_minutes(minutes: int) -> str:
    """A length of time as people say it: `48 hours`, `1 hour 30 minutes`, `2 days`."""
    days, rest = divmod(minutes, 24 * 60)
    hours, left = divmod(rest, 60)
    pairs = ((days, "day"), (hours, "hour"), (left, "minute"))
    words = [f"{n} {unit}{'s' if n != 1 else ''}" for n, unit in pairs if n]
    return " ".join(words) or "0 minutes"
