"""Filling: an ask phrase with its places filled, and what it has no place for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..agents.referents import PLACE
from ..agents.speech import a, join, says, stands_for
from ..domain import Parameter, Row, Tool
from .mentions import Mention, Mentions

# "bring back it" is said "bring it back".
_PARTICLE = re.compile(r"^(\w+) (back|up|out|off|in|over|down|on|away|through) (it|them)\b")
_ON = re.compile(r"\bon (today|tomorrow|yesterday|this \w+day)\b")
_TWICE = re.compile(r"\b(my|the|an?|your) (?:my|the|your) ")

LOOSELY = 0.35
"""How often a selection is said loosely: "whichever of my loans is due first"."""


class Filling:
    """The text of one wish in the making."""

    def __init__(
        self,
        words: Mentions,
        tool: Tool,
        values: Mapping[str, Any],
        mentions: Mapping[str, list[Mention]],
    ) -> None:
        self.words, self.tool, self.values, self.mentions = words, tool, values, mentions
        self.named: dict[str, str] = {}

    def filled(self, phrase: str) -> str:
        """A phrase with its places filled."""
        text = PLACE.sub(lambda m: self._place(m[1] or m[2], m[1] is not None), phrase)
        text = _TWICE.sub(r"\1 ", text)
        text = _ON.sub(r"\1", text)
        return _PARTICLE.sub(r"\1 \3 \2", text)

    def _place(self, path: str, quoted: bool) -> str:
        name, _, rest = path.partition(".")
        parameter = next(p for p in self.tool.parameters if p.name == name)
        value = self.values.get(name)
        if parameter.entity is None and name in self.mentions:
            return self.mentions[name][0].said
        if parameter.entity is None:
            said = self.words.value(parameter, value)
            return f'"{said}"' if quoted and not said.startswith('"') else said
        if name in self.named:
            return self._again(parameter, value, rest, self.named[name])
        self.named[name] = rest
        mentions = self.mentions.get(name, [])
        rows = list(value or ()) if parameter.type.many else [value]
        if len(mentions) == 1 and mentions[0].said and len(rows) > 1:
            return mentions[0].said
        if not mentions:
            return join([self.words.say(row, rest) for row in rows])
        pairs = zip(rows, mentions, strict=True)
        return join([self._row(row, rest, mention, quoted) for row, mention in pairs])

    def _row(self, row: Row, rest: str, mention: Mention, quoted: bool) -> str:
        if mention.loosely and self.words.rng.random() < LOOSELY:
            return mention.loosely
        if mention.said:
            return mention.said + mention.addition
        said = self.words.say(row, rest)
        if quoted and '"' not in said and self.words.rng.random() < 0.5:
            said = f'"{said}"'
        return said + mention.addition

    def _again(self, parameter: Parameter, value: Any, rest: str, first: str) -> str:
        """The second place of an argument: a pronoun where it means the same as the first."""
        rows = list(value or ()) if parameter.type.many else [value]
        info = parameter.entity._info if parameter.entity is not None else None
        if info is not None and stands_for(info, rest) and stands_for(info, first):
            return "it" if len(rows) == 1 else "them"
        return join([self.words.say(row, rest) for row in rows])

    def rest(self, phrase: str, spoken: Sequence[Parameter]) -> str:
        """Arguments that the phrase has no place for, said after it."""
        parts = []
        for parameter in spoken:
            if parameter.name in roots_of(phrase) or parameter.is_person:
                continue  # the person speaking has introduced themselves
            value = self.values[parameter.name]
            if parameter.entity is not None:
                rows = value if parameter.type.many else [value]
                pairs = zip(rows, self.mentions[parameter.name], strict=True)
                text = join([self._row(r, "", m, False) for r, m in pairs])
            elif parameter.name in self.mentions:
                text = self.mentions[parameter.name][0].said
            else:
                text = self.words.value(parameter, value)
            parts.append(f"{says(self.tool, parameter)}: {text}")
        return f" ({', '.join(parts)})" if parts else ""


def roots_of(phrase: str) -> set[str]:
    """The arguments that a phrase has places for."""
    return set(places_of(phrase))


def places_of(phrase: str) -> list[str]:
    """The argument of each place of a phrase."""
    return [(a or b).split(".")[0] for a, b in PLACE.findall(phrase)]


def takes_any(tool: Tool, phrase: str, names: frozenset[str]) -> bool:
    """Whether a phrase can hold any noun phrase for these arguments: it names each as a row."""
    places = [a or b for a, b in PLACE.findall(phrase)]
    for name in names:
        own = [p for p in places if p.split(".")[0] == name]
        if not own:
            return False
        entity = next(p.entity for p in tool.parameters if p.name == name)
        if entity is not None and any(
            not _is_row(entity._info, p.partition(".")[2]) for p in own[:1]
        ):
            return False
    return True


def _is_row(info: Any, path: str) -> bool:
    for step in path.split(".") if path else ():
        if step not in info.refs:
            return False
        info = info.refs[step].target._info
    return True


def without(phrase: str, name: str, tool: Tool) -> str:
    """A phrase in which an argument is only hinted at: "one of my loans", "a book"."""
    parameter = next(p for p in tool.parameters if p.name == name)
    if parameter.entity is not None:
        info = parameter.entity._info
        hint = a(info.noun.replace("_", " "))
        if info.owner is not None:
            hint = f"one of my {info.plural.replace('_', ' ')}"
    else:
        hint = "some " + says(tool, parameter)
    return PLACE.sub(lambda m: hint if (m[1] or m[2]).split(".")[0] == name else m[0], phrase)
