"""Transfers: values of one domain's records that people want used in another domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from ..state import Entity, Row


@dataclass(frozen=True)
class Transfer:
    """An argument of a tool whose value stands in a record of another domain.

    Attributes:
        tool, argument: where the value goes to.
        source, column: where it stands.
        said: how a person asks for it, with the record at `{it}`: "the day {it} is due".
        at: for a date that becomes a moment, the time of that day.
    """

    tool: str
    argument: str
    source: Entity
    column: str
    said: Sequence[str]
    at: time | None = None

    def value_of(self, row: Row) -> Any:
        """The value of the argument, from a record of the source; None where it has none."""
        return carried(getattr(row, self.column), self.at)


def carried(value: Any, at: time | None) -> Any:
    """A value as the other domain takes it."""
    if at is None or value is None or isinstance(value, datetime) or not isinstance(value, date):
        return value
    return datetime.combine(value, at)
