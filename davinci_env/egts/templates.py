"""Templates of a file of words: their places, their optional parts, and what they speak of."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from string import Formatter

from .lexicon import Arg, ToolWords

_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


def before_noun(words: ToolWords) -> str:
    """What is said before the noun of what a tool lists: "scheduled "."""
    return f"{words.scope} " if is_before(words) else ""


def is_before(words: ToolWords) -> bool:
    """Whether the scope is said before the noun: it speaks of no argument."""
    return bool(words.scope) and not words.scope.startswith("…") and not fields(words.scope)


def sayable(words: ToolWords, arguments: Collection[str]) -> bool:
    """Whether a tool has a wording, or its list a scope, for these arguments of a call. Of a tool
    that has neither, and of one that takes objects, nobody knows beforehand.
    """
    templates = (*words.say, *words.ask) or ((words.scope,) if words.rows else ())
    if not templates or any("." in name for name in words.args):
        return True
    given = {name for name in arguments if words.args.get(name, Arg()).value is None}
    spoken = {name for name in given if not words.args.get(name, Arg()).silent}
    return any(spoken <= set(fields(chosen_parts(t, given))) <= given for t in templates)


def fields(template: str) -> list[str]:
    """The names of a template's places, in order."""
    return [name for _, name, _, _ in Formatter().parse(template) if name]


def filled(template: str, values: Mapping[str, str]) -> str:
    """A template with places filled; those that aren't given stay, and so do braces in values."""
    parts: list[str] = []
    for literal, name, _, _ in Formatter().parse(template):
        parts.append(literal.replace("{", "{{").replace("}", "}}"))
        if name is not None:
            parts.append(values.get(name, "{" + name + "}"))
    return "".join(parts)


def chosen_parts(template: str, given: set[str]) -> str:
    """A template with those optional parts of which all arguments are given."""

    def part(match: re.Match[str]) -> str:
        inner = match.group(1)
        return inner if set(fields(inner)) <= given else ""

    return _OPTIONAL.sub(part, template)
