"""Setting: what a composition decides for the domains that it joins, before their files are
executed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date, datetime

from sqlalchemy.orm import registry


@dataclass(frozen=True)
class Setting:
    """One clock and one set of mappings for several domains, each with tables of its own name."""

    now: datetime
    mappings: registry = field(default_factory=registry)


_current: ContextVar[Setting | None] = ContextVar("setting", default=None)


def current() -> Setting | None:
    """The setting in which domains are declared now; None for a domain by itself."""
    return _current.get()


@contextmanager
def joined(setting: Setting) -> Iterator[None]:
    """Declare domains in this setting meanwhile."""
    token = _current.set(setting)
    try:
        yield
    finally:
        _current.reset(token)


def as_moment(today: datetime | date) -> datetime:
    """A world's time; a mere day begins at nine."""
    if isinstance(today, datetime):
        return today
    return datetime(today.year, today.month, today.day, 9)
