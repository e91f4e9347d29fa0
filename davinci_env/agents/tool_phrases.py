"""Ask phrases of a tool: which can be filled with given arguments, and who acts in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..domain import Parameter, Tool
from .belief import Unread
from .news import Values
from .referents import PLACE, paths_in, rows_of
from .speech import follow, stands_for


def roots(text: str) -> list[str]:
    """The arguments that a text has places for."""
    return [(a or b).split(".")[0] for a, b in PLACE.findall(text)]


def usable(phrases: Sequence[str], names: frozenset[str]) -> list[str]:
    """The phrases that name most of the given arguments, and none beside them."""
    fitting = [p for p in phrases if set(roots(p)) <= names]
    most = max((len(set(roots(p))) for p in fitting), default=0)
    return [p for p in fitting if len(set(roots(p))) == most]


def phrases_for(tool: Tool, values: Values) -> list[str]:
    """The ask phrases that can be filled; an argument for one row that stands for several is named
    once in them.
    """
    several = [
        p for p in tool.parameters if not p.type.many and isinstance(values.get(p.name), list)
    ]
    return [
        phrase
        for phrase in tool.ask
        if fillable(phrase, values) and all(names_once(phrase, p) for p in several)
    ]


def names_once(phrase: str, parameter: Parameter) -> bool:
    """Whether a phrase has one place for an argument, and that for the row itself."""
    paths = [p.partition(".") for p in paths_in(phrase)]
    own = [rest for name, _, rest in paths if name == parameter.name]
    entity = parameter.entity
    return len(own) == 1 and entity is not None and stands_for(entity._info, own[0])


def spoken(tool: Tool, values: Values, given: frozenset[str] | None) -> frozenset[str]:
    """The arguments of a call to name: the given ones, or all with a value of their own."""
    return frozenset(
        p.name
        for p in tool.parameters
        if not p.implicit
        and values.get(p.name) is not None
        and (given is None or p.name in given)
        and (given is not None or p.required or values[p.name] != p.default)
    )


_FOR_YOU = re.compile(
    r"(?!(?:let|get|have|keep|find|see|make|give|be|ask|want|need)\b)\w+"
    r" (?:me\b|.*\b(?:for|from) me\b)"
)


def acts_for_you(phrase: str) -> bool:
    """Whether the one who is asked acts, not the person who asks: "take me off the queue", "send
    it over for me".
    """
    return re.match(_FOR_YOU, phrase) is not None


def fillable(phrase: str, values: Values) -> bool:
    """Whether no place of a phrase leads to nothing."""
    for path in paths_in(phrase):
        name, _, rest = path.partition(".")
        value = values.get(name)
        for row in rows_of(value):
            if row is None or (rest and _leads_nowhere(row, rest)):
                return False
    return True


def _leads_nowhere(row: Any, path: str) -> bool:
    """Whether there is nothing at a path from a row, or nothing that the person spoke of."""
    try:
        return follow(row, path) is None
    except Unread:
        if getattr(row, "is_spoken", False):
            return True
        raise
