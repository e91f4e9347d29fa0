"""Mentions: how a request speaks of the things and values that its arguments are.

Everything is built as a template with `{fact}` for each stated value, so that the same words serve
the request, where the values are filled in, and the report, where the agent fills in what it heard.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from .lexicon import Arg, Lexicon, Noun
from .model import (
    Exploration,
    Fixed,
    OfRow,
    Origin,
    Picked,
    Returned,
    Several,
    Stated,
)
from .origins import facts_of, leaves, steps_of
from .surfaces import Style, joined, said
from .templates import before_noun, chosen_parts, fields, filled, is_before

_AGAIN = re.compile("\x02(\\d+)\x03")
"""Where the user and the agent say something in other words."""

_TWICE = re.compile(r"\b(that [a-z]+) (?:in|of) that [a-z]+\b")
"""What is known already needs no word of where it is: "that sheet in that workbook"."""


class Unworded(Exception):
    """There are no words for something that has to be said. `reason` is a code."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


@dataclass(frozen=True)
class _Thing:
    """A thing as it was spoken of.

    Attributes:
        label: the facts that name it, or else what tells it apart.
        scope: the facts that tell which list it is in, as far as they are known.
    """

    noun: str
    label: frozenset[str]
    scope: frozenset[str]

    def same(self, other: _Thing) -> bool:
        """Whether two are one and the same: equal labels in different lists are two things."""
        related = self.scope <= other.scope or other.scope <= self.scope
        return self.label == other.label and related


class Speaker:
    """Words one exploration's wishes, in order: what was mentioned is known from then on."""

    def __init__(self, exploration: Exploration, lexicon: Lexicon, style: Style) -> None:
        self.exploration, self.lexicon, self.style = exploration, lexicon, style
        self.said: dict[str, str] = {}
        self.things: list[_Thing] = []
        """What was spoken of so far."""
        self.last: dict[_Thing, int] = {}
        """In which wish each was spoken of last."""
        self.again: list[tuple[str, str]] = []
        """What is said in two ways: by the user ("that note"), and by the agent (its name)."""
        self.made_by: dict[int, dict[str, str]] = {}
        """The labels of what wishes made, by the places of their calls."""
        self.coming: set[str] = set()
        """Facts that the clause at hand says somewhere: what is found by them needs no scope."""
        self.call: Mapping[str, Origin] = {}
        """Where the arguments of the call at hand come from."""
        self.turn_of: dict[str, int] = {}
        self.turn = 0
        self.picked: list[tuple[str, Picked]] = []
        """What was picked by comparison, by the place in the agent's words for its name."""

    # -- templates ---------------------------------------------------------------------------------

    def clause(self, template: str, tool: str, origins: Mapping[str, Origin]) -> str:
        """A wording of a tool's with its arguments' mentions in place.

        Raises:
            Unworded: an argument has no mention.
        """
        origins = self.call = leaves(origins)
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

    def asked(self, text: str) -> str:
        """A template as the user says it: "that note" for what was spoken of just before."""
        return _TWICE.sub(r"\1", self._put(text, 0))

    def told(self, text: str) -> str:
        """A template as the agent says it, with every thing by its name."""
        return self._put(text, 1)

    def _put(self, text: str, whose: int) -> str:
        """What the user says (0), or the agent (1), in the places where they differ."""
        while _AGAIN.search(text):
            text = _AGAIN.sub(lambda m: self.again[int(m[1])][whose], text)
        return text

    def _either(self, asked: str, told: str) -> str:
        """A place for what the user and the agent say in other words."""
        self.again.append((asked, told))
        return f"\x02{len(self.again) - 1}\x03"

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
            return self._again(arg.of, origin.step)
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
        value, begun = self.exploration.facts[fact], self._begun(arg)
        self._say(fact, said(value, arg, self.style, begun))
        return "{" + fact + "}"

    def _begun(self, arg: Arg) -> str:
        """The moment that a later one of the same call follows, where the user states it."""
        before = self.call.get(arg.after)
        return str(self.exploration.facts[before.fact]) if isinstance(before, Stated) else ""

    def _say(self, fact: str, text: str) -> None:
        if fact not in self.said:
            self.said[fact] = text
            self.turn_of[fact] = self.turn

    def _thing(self, noun: str, by: Mapping[str, str], step: int | None, field: str) -> str:
        """A thing by its label; "that …" where it alone of its kind was spoken of."""
        words = self.lexicon.nouns.get(noun, Noun())
        thing = _Thing(noun, frozenset(by.values()), self._rests_on(step))
        named = {name or field or next(iter(words.label), ""): fact for name, fact in by.items()}
        that = not words.who and self._is_that(thing) and not self._needs_scope(step)
        self._note(thing)
        text = self._named(noun, named)
        if that:
            return self._either(f"that {noun}", text)
        return text if step is None else self.scoped(step, text)

    def _named(self, noun: str, by: Mapping[str, str]) -> str:
        """A thing by its label, without what it is in."""
        words = self.lexicon.nouns.get(noun, Noun())
        for fact in by.values():
            self._say(fact, said(self.exploration.facts[fact], Arg(), self.style))
        places = {name: "{" + fact + "}" for name, fact in by.items()}
        if words.said and set(fields(words.said)) <= set(places):
            return filled(words.said, places)
        if not places:
            raise Unworded("unworded", f"nothing tells which {noun} is meant")
        if words.who:
            return " ".join(places.values())
        return f'the {noun} "{", ".join(places.values())}"'

    def _is_that(self, thing: _Thing) -> bool:
        """Whether "that …" means a thing: it alone of its kind was spoken of, and only just."""
        if self.turn - self.last.get(self._known(thing), -9) > 1:
            return False
        spoken = [known for known in self.things if known.noun == thing.noun]
        same = any(thing.same(known) for known in self.things)
        return same and all(thing.same(known) for known in spoken)

    def _known(self, thing: _Thing) -> _Thing:
        """The thing as it was spoken of before, if it was."""
        return next((known for known in self.things if thing.same(known)), thing)

    def _note(self, thing: _Thing) -> None:
        self.last[self._known(thing)] = self.turn
        if not any(thing == known for known in self.things):
            self.things.append(thing)

    def _rests_on(self, step: int | None) -> frozenset[str]:
        """The facts that tell which list a thing is in."""
        if step is None:
            return frozenset()
        origins = list(leaves(self.exploration.calls[step].origins).values())
        inner = [self._rests_on(place) for origin in origins for place in steps_of(origin)]
        own = [frozenset(facts_of(origin)) for origin in origins]
        return frozenset[str]().union(*own, *inner)

    def _again(self, noun: str, step: int) -> str:
        """What an earlier wish made."""
        by = self.made_by.get(step, {})
        thing = _Thing(noun, frozenset(by.values()) or _made_at(step), frozenset())
        that = self._is_that(thing)
        self._note(thing)
        if not that:
            return self._named(noun, by)
        return self._either(f"that {noun}", self._named(noun, by) if by else f"that {noun}")

    def made(self, tool: str, step: int) -> None:
        """Remember what a wish makes as spoken of, by the facts that are its label."""
        noun = self.lexicon.tools[tool].makes
        if not noun:
            return
        stated = {
            name.rpartition(".")[2]: origin.fact
            for name, origin in leaves(self.exploration.calls[step].origins).items()
            if isinstance(origin, Stated)
        }
        labels = [entry.split("+") for entry in self.lexicon.nouns.get(noun, Noun()).label]
        entry = next((names for names in labels if set(names) <= set(stated)), ())
        self.made_by[step] = {name: stated[name] for name in entry}
        facts = frozenset(self.made_by[step].values())
        self._note(_Thing(noun, facts or _made_at(step), frozenset()))

    def _compared(self, noun: str, origin: Picked) -> str:
        words = self.lexicon.nouns.get(noun, Noun()).fields.get(origin.of)
        thing = _compared(noun, origin)
        that = self._is_that(thing)
        self._note(thing)
        if that:
            return f"that {noun}"
        word = "" if words is None else words.most if origin.greatest else words.least
        if not word:
            raise Unworded("unworded", f"nobody says how a {noun} is picked by {origin.of}")
        before = before_noun(self.lexicon.tools[self.exploration.calls[origin.step].tool])
        text = self.scoped(origin.step, f"the {word} {before}{noun}")
        name = f"picked{len(self.again)}"
        self.picked.append((name, origin))
        return self._either(text, f"{text} ({{{name}}})")

    def answered(self, noun: str, origin: Picked) -> None:
        """Remember what a question is about as spoken of: "that …" may mean it from then on."""
        self._note(_compared(noun, origin))

    def scoped(self, step: int, text: str) -> str:
        """What tells which list a thing is in, put to its mention, if the request has to say so."""
        origins = self.exploration.calls[step].origins.values()
        for origin in origins:
            self._say_within(origin, text)
        if any(self._unsaid(origin) for origin in origins):
            return f"{text} {self.scope(step)}"
        for inner in [inner for origin in origins for inner in steps_of(origin)]:
            text = self.scoped(inner, text)
        return text

    def _say_within(self, origin: Origin, text: str) -> None:
        """What a search looked for needs no words where the thing's own name holds it."""
        if not isinstance(origin, Stated) or origin.fact in self.said:
            return
        value = self.exploration.facts[origin.fact]
        shown = text.format_map({**dict.fromkeys(fields(text), ""), **self.said})
        at = shown.casefold().find(str(value).casefold())
        if isinstance(value, str) and len(value) > 2 and at >= 0:
            self._say(origin.fact, shown[at : at + len(value)])

    def _needs_scope(self, step: int | None) -> bool:
        """Whether `scoped` would put anything to a mention."""
        origins = [] if step is None else list(self.exploration.calls[step].origins.values())
        inner = [place for origin in origins for place in steps_of(origin)]
        return any(map(self._unsaid, origins)) or any(map(self._needs_scope, inner))

    def _unsaid(self, origin: Origin) -> bool:
        """Whether something that an origin rests on was not said yet."""
        if isinstance(origin, Picked):
            return all(_compared("", origin).label != known.label for known in self.things)
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
        if is_before(words) or not set(fields(behind)) <= given:
            behind = ""
        if not given <= set(fields(behind)):
            raise Unworded("unworded", f"{seen.tool} has no words for {', '.join(sorted(given))}")
        return self.clause(behind, seen.tool, seen.origins).strip() if behind else ""


def _made_at(step: int) -> frozenset[str]:
    return frozenset([f"made by {step}"])


def _compared(noun: str, origin: Picked) -> _Thing:
    most = "greatest" if origin.greatest else "least"
    return _Thing(noun, frozenset([f"{most} {origin.of} of {origin.step}"]), frozenset())
