"""One changed row, and how its cells look as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

CREATED = "+"
DELETED = "-"
UPDATED = "~"


@dataclass(frozen=True)
class Change:
    """One changed row.

    `cells` maps a column to (old, new); old is None for a created row, new for a deleted one.
    """

    table: str
    key: str
    op: str
    cells: dict[str, tuple[Any, Any]]


def _text_of_moment(value: datetime) -> str:
    return value.isoformat(" ", "seconds")


def _text_of_time(value: time) -> str:
    return value.isoformat("seconds")


_TEXTS: dict[type, Callable[[Any], str]] = {
    datetime: _text_of_moment,
    date: date.isoformat,
    time: _text_of_time,
}


def plain(value: Any) -> Any:
    """A cell as JSON: dates and times as SQLite stores them."""
    text = _TEXTS.get(type(value))
    return value if text is None else text(value)
