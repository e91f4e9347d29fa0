"""Mentions: how a request speaks of the things and values that its arguments are.

Everything is built as a template with `{fact}` for each stated value, so that the same words serve
the request, where the values are filled in, and the report, where the agent fills in what it heard.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter

from .lexicon import Arg, Lexicon, Noun, ToolWords
from .model import (
    Composed,
    Exploration,
    Fixed,
    OfRow,
    Origin,
    Picked,
    Returned,
    Several,
    Stated,
)
from .surfaces import Style, joined, said

_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


class Unworded(Exception):
    """There are no words for something that has to be said. `reason` is a code."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class Speaker:
    """Words one exploration's wishes, in order: what was mentioned is known from then on."""

    def __init__(self, exploration: Exploration, lexicon: Lexicon, style: Style) -> None:
        self.exploration, self.lexicon, self.style = exploration, lexicon, style
        self.said: dict[str, str] = {}
        self.coming: set[str] = set()
        """Facts that the clause at hand says somewhere: what is found by them needs no scope."""
        self.mentioned: dict[tuple[str, ...], str] = {}
        """Things by how they are told apart, to what they are."""
        self.turn_of: dict[str, int] = {}
        self.turn = 0
        self.picked: list[Picked] = []

    # -- templates ---------------------------------------------------------------------------------

    def clause(self, template: str, tool: str, origins: Mapping[str, Origin]) -> str:
        """A wording of a tool's with its arguments' mentions in place.

        Raises:
            Unworded: an argument has no mention.
        """
        origins = leaves(origins)
        given = {name for name, origin in origins.items() if not isinstance(origin, Fixed)}
        chosen = chosen_parts(template, given)
        words = self.lexicon.tools[tool]
        mentions: dict[str, str] = {}
        earlier = self.coming
        self.coming = earlier | {
            fact for name in fields(chosen) if name in origins for fact in facts_of(origins[name])
        }
        for name in fields(chosen):
            if name not in origins:
                raise Unworded("unworded", f"{tool} has no {name}")
            arg = words.args.get(name, Arg())
            mentions[name] = self.mention(origins[name], arg)
        self.coming = earlier
        return filled(chosen, mentions)

    def mention(self, origin: Origin, arg: Arg) -> str:
        """How an argument is said, as a template."""
        if isinstance(origin, Several):
            return joined([self.mention(item, arg) for item in origin.items])
        if isinstance(origin, Stated):
            if arg.of is not None:
                return self._thing(arg.of, {"": origin.fact}, None, arg.field)
            return self._value(origin.fact, arg)
        if isinstance(origin, OfRow):
            noun = arg.of or self._rows_of(origin.step)
            return self._thing(noun, dict(origin.by), origin.step, "")
        if isinstance(origin, Picked):
            return self._compared(arg.of or self._rows_of(origin.step), origin)
        if isinstance(origin, Returned) and arg.of is not None:
            return self._again(arg.of)
        if isinstance(origin, Returned) and arg.result is not None:
            return self._looked_up(origin)
        raise Unworded("unworded", "what was returned has no name")

    def _looked_up(self, origin: Returned) -> str:
        """What was looked up is said by what it was looked up with: an id by its owner's name."""
        seen = self.exploration.calls[origin.step]
        args = self.lexicon.tools[seen.tool].args
        stated = {name: o for name, o in seen.origins.items() if not isinstance(o, Fixed)}
        if len(stated) != 1:
            raise Unworded("unworded", f"{seen.tool} is not asked by one thing")
        name, asked = stated.popitem()
        return self.mention(asked, args.get(name, Arg()))

    def _rows_of(self, step: int) -> str:
        return self.lexicon.tools[self.exploration.calls[step].tool].rows

    def _value(self, fact: str, arg: Arg) -> str:
        self._say(fact, said(self.exploration.facts[fact], arg, self.style))
        return "{" + fact + "}"

    def _say(self, fact: str, text: str) -> None:
        if fact not in self.said:
            self.said[fact] = text
            self.turn_of[fact] = self.turn

    def _thing(self, noun: str, by: Mapping[str, str], step: int | None, field: str) -> str:
        """A thing by its label; "it" or "that …" where it was spoken of before."""
        key = tuple(sorted(by.values()))
        words = self.lexicon.nouns.get(noun, Noun())
        if key in self.mentioned:
            others = [k for k, n in self.mentioned.items() if n == noun and k != key]
            if not others and not words.who:
                again = f"that {noun}"
                return again if step is None else self.scoped(step, again)
        self.mentioned[key] = noun
        names = {name or field or next(iter(words.label), ""): fact for name, fact in by.items()}
        for fact in names.values():
            self._say(fact, said(self.exploration.facts[fact], Arg(), self.style))
        places = {name: "{" + fact + "}" for name, fact in names.items()}
        if words.said and set(fields(words.said)) <= set(places):
            text = filled(words.said, places)
        elif words.who or len(places) != 1:
            text = joined(list(places.values()))
        else:
            text = f'the {noun} "{next(iter(places.values()))}"'
        return text if step is None else self.scoped(step, text)

    def _again(self, noun: str) -> str:
        """What an earlier wish made."""
        if noun not in self.mentioned.values():
            self.mentioned[("made", noun)] = noun
        return f"that {noun}"

    def made(self, tool: str, origins: Mapping[str, Origin]) -> None:
        """Remember what a wish makes as spoken of, by the facts that are its label."""
        noun = self.lexicon.tools[tool].makes
        labels = self.lexicon.nouns.get(noun, Noun()).label
        stated = {
            name.rpartition(".")[2]: origin.fact
            for name, origin in leaves(origins).items()
            if isinstance(origin, Stated)
        }
        for entry in labels:
            facts = [stated[name] for name in entry.split("+") if name in stated]
            if facts:
                self.mentioned[tuple(sorted(facts))] = noun
                return

    def _compared(self, noun: str, origin: Picked) -> str:
        words = self.lexicon.nouns.get(noun, Noun()).fields.get(origin.of)
        key = _compared_key(origin)
        if key in self.mentioned:
            return f"that {noun}"
        word = "" if words is None else words.most if origin.greatest else words.least
        if not word:
            raise Unworded("unworded", f"nobody says how a {noun} is picked by {origin.of}")
        self.mentioned[key] = noun
        self.picked.append(origin)
        before = before_noun(self.lexicon.tools[self.exploration.calls[origin.step].tool])
        return self.scoped(origin.step, f"the {word} {before}{noun}")

    def scoped(self, step: int, text: str) -> str:
        """What tells which list a thing is in, put to its mention, if the request has to say so."""
        origins = self.exploration.calls[step].origins.values()
        if any(self._unsaid(origin) for origin in origins):
            return f"{text} {self.scope(step)}"
        for inner in [inner for origin in origins for inner in steps_of(origin)]:
            text = self.scoped(inner, text)
        return text

    def _unsaid(self, origin: Origin) -> bool:
        """Whether something that an origin rests on was not said yet."""
        if isinstance(origin, Picked):
            return _compared_key(origin) not in self.mentioned
        known = self.said.keys() | self.coming
        return any(fact not in known for fact in facts_of(origin))

    def scope(self, step: int) -> str:
        """What is said behind the things that a call lists. Raises Unworded where that must be said
        and has no words.
        """
        seen = self.exploration.calls[step]
        words = self.lexicon.tools[seen.tool]
        given = {
            name
            for name, origin in leaves(seen.origins).items()
            if not isinstance(origin, Fixed) and not words.args.get(name, Arg()).silent
        }
        behind = chosen_parts(words.scope.removeprefix("…").strip(), given)
        if _before(words) or not set(fields(behind)) <= given:
            behind = ""
        if not given <= set(fields(behind)):
            raise Unworded("unworded", f"{seen.tool} has no words for {', '.join(sorted(given))}")
        return self.clause(behind, seen.tool, seen.origins) if behind else ""


def before_noun(words: ToolWords) -> str:
    """What is said before the noun of what a tool lists: "scheduled "."""
    return f"{words.scope} " if _before(words) else ""


def _before(words: ToolWords) -> bool:
    """Whether the scope is said before the noun: it speaks of no argument, and says nothing else."""
    return bool(words.scope) and not words.scope.startswith("…") and not fields(words.scope)


def leaves(origins: Mapping[str, Origin]) -> dict[str, Origin]:
    """Origins by argument; those of an object's properties by `argument.property`, where a list of
    one object counts as the object.
    """
    found: dict[str, Origin] = {}
    for name, origin in origins.items():
        if isinstance(origin, Several) and len(origin.items) == 1:
            only = origin.items[0]
            origin = only if isinstance(only, Composed) else origin
        if isinstance(origin, Composed):
            found |= {f"{name}.{part}": leaf for part, leaf in leaves(origin.parts).items()}
        else:
            found[name] = origin
    return found


def facts_of(origin: Origin) -> list[str]:
    """The facts that an origin rests on by itself."""
    if isinstance(origin, Stated):
        return [origin.fact]
    if isinstance(origin, OfRow):
        return list(origin.by.values())
    if isinstance(origin, Several):
        return [fact for item in origin.items for fact in facts_of(item)]
    if isinstance(origin, Composed):
        return [fact for part in origin.parts.values() for fact in facts_of(part)]
    return []


def steps_of(origin: Origin) -> list[int]:
    """The calls that an origin rests on."""
    if isinstance(origin, OfRow | Picked | Returned):
        return [origin.step]
    if isinstance(origin, Several):
        return [step for item in origin.items for step in steps_of(item)]
    if isinstance(origin, Composed):
        return [step for part in origin.parts.values() for step in steps_of(part)]
    return []


def _compared_key(origin: Picked) -> tuple[str, ...]:
    return str(origin.step), origin.of, str(origin.greatest)


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
