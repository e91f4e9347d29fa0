"""The time of a call, taken out of results and states: equal episodes are to be equal bytes.

A moment that lies between a server's start and now was read from the clock; any other is part of
the data. What was read becomes one fixed moment, written as it was written.
"""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from typing import Any

from .stores import MOMENT

_SLACK = 2.0
"""Seconds by which clocks and their rounding may differ."""

_ISO = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)(?P<between>[T ])(?P<time>\d\d:\d\d:\d\d)(?P<part>\.\d+)?"
    r"(?P<zone>Z|[+-]\d\d:?\d\d)?"
)
_SCRIPT = re.compile(r"\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT[+-]\d{4}")
_SCRIPT_FORM = "%a %b %d %Y %H:%M:%S GMT%z"
"""How JavaScript writes a date."""


class Clock:
    """Knows which moments were read from the clock.

    Args:
        since: the earliest of them, in seconds of the epoch (default: now).
    """

    def __init__(self, since: float | None = None) -> None:
        self.since = time.time() if since is None else since

    def stilled(self, value: Any) -> Any:
        """A JSON value whose moments of the clock are one fixed moment."""
        if isinstance(value, str):
            return _SCRIPT.sub(self._script, _ISO.sub(self._iso, value))
        if isinstance(value, dict):
            return {key: self.stilled(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.stilled(item) for item in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self._number(value)
        return value

    def _is_now(self, moment: float) -> bool:
        return self.since - _SLACK <= moment <= time.time() + _SLACK

    def _number(self, value: float) -> float:
        for scale in (1, 1_000):
            if self._is_now(value / scale):
                return type(value)(MOMENT * scale)
        return value

    def _iso(self, found: re.Match[str]) -> str:
        try:
            moment = datetime.fromisoformat(found[0])
        except ValueError:
            return found[0]
        # Contained processes live in UTC, so a moment without a zone is of UTC.
        aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        if not self._is_now(aware.timestamp()):
            return found[0]
        fixed = datetime.fromtimestamp(MOMENT, aware.tzinfo)
        part = "." + "0" * (len(found["part"]) - 1) if found["part"] else ""
        return f"{fixed:%Y-%m-%d}{found['between']}{fixed:%H:%M:%S}{part}{found['zone'] or ''}"

    def _script(self, found: re.Match[str]) -> str:
        try:
            moment = datetime.strptime(found[0], _SCRIPT_FORM)
        except ValueError:
            return found[0]
        if not self._is_now(moment.timestamp()):
            return found[0]
        return datetime.fromtimestamp(MOMENT, moment.tzinfo).strftime(_SCRIPT_FORM)
