"""Paths of a private folder under the names by which everybody but its process knows them.

A private folder's path is another at each run, and equal episodes are to be equal bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_BEFORE, _BEHIND = r"(?<![\w.\-])", r"(?![\w\-])"
"""What a path's beginning must not follow, and what its last name must not go on with."""


class Paths:
    """Translates paths wherever they stand in JSON values.

    Args:
        folder: the private folder.
        places: what places within it are called, such as `{"work": "/home/sam/notes"}`.
    """

    def __init__(self, folder: Path, places: Mapping[str, str]) -> None:
        self._folder = str(folder)
        called = {"": "/private", **places}
        self._shown = {str(folder / place): name for place, name in called.items()}
        self._real = {name: path for path, name in self._shown.items()}
        self._real_pattern = _any_of(self._shown, "")
        self._shown_pattern = _any_of(self._real, _BEFORE)

    def shown(self, value: Any) -> Any:
        """A value with its paths as others know them."""
        return _walk(value, self._show)

    def meant(self, value: Any) -> Any:
        """A value with its paths as the process knows them."""
        return _walk(value, self._mean)

    def _show(self, text: str) -> str:
        if self._folder not in text:
            return text
        return self._real_pattern.sub(lambda found: self._shown[found[0]], text)

    def _mean(self, text: str) -> str:
        if "/" not in text:
            return text
        return self._shown_pattern.sub(lambda found: self._real[found[0]], text)


def _any_of(paths: Mapping[str, str], before: str) -> re.Pattern[str]:
    """Any of some paths, the longest that is there."""
    longest = sorted(paths, key=len, reverse=True)
    return re.compile(before + "(?:" + "|".join(map(re.escape, longest)) + ")" + _BEHIND)


def _walk(value: Any, translate: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return translate(value)
    if isinstance(value, dict):
        return {_walk(key, translate): _walk(inner, translate) for key, inner in value.items()}
    if isinstance(value, list):
        return [_walk(item, translate) for item in value]
    return value
