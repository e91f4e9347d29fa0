"""What people call things by, and what nobody would say."""

from __future__ import annotations

import re
from typing import Any

_IDENTIFIER = re.compile(
    r"[0-9a-f]{8}-[0-9a-f-]{12,}|[a-z]{1,8}_(?=\w*\d)[0-9a-z]{6,}|[0-9a-f]{12,}|[A-Za-z0-9+/_-]{32,}={0,2}|[A-Z]{1,5}-?\d{6,}|\d{7,}"
)
LONGEST_LABEL = 70
"""Characters of the longest label."""


def speakable(value: Any) -> bool:
    """Whether people would say a value: no identifier, no long or broken text."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return abs(value) < 1e7
    if not isinstance(value, str) or not 1 < len(value.strip()) <= LONGEST_LABEL:
        return False
    return value.isprintable() and "{" not in value and not identifier_like(value)


def identifier_like(text: str) -> bool:
    """Whether a text is, or holds, an identifier that nobody would say."""
    return any(_IDENTIFIER.fullmatch(word) for word in re.split(r"[\s,;()]+", text))


def says(text: str, value: str) -> bool:
    """Whether a text has a value as words of its own: Boston doesn't say BOS."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None
