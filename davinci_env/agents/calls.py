"""Calls in words: what a person asks for, what came of it, and why it was refused."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..domain import Domain, Parameter, Rule, Tool
from ..domain.motives import Concern
from .news import HandedOver, Values
from .outcomes import ResultWords, has_something, value_at, without_nothing, without_one
from .phrases import failing_part, names_of
from .referents import PLACE, Referents, Unsaid, paths_in, rows_of, second_person, sentence, tidy
from .speech import a, entity_at, follow, join, say_choice, say_near, say_of, says
from .tool_phrases import acts_for_you, phrases_for, roots, spoken, usable

QUOTED = ("money", "date", "datetime")
"""Kinds of fields that are told of a read before a yes."""


@dataclass(frozen=True)
class Described:
    """What a call does, as an infinitive said to the person; `by_me`: the speaker does it."""

    what: str
    by_me: bool = False

    @property
    def wanted(self) -> str:
        """After "you want": "to renew …", "me to take you off …"."""
        return f"me to {self.what}" if self.by_me else f"to {self.what}"

    def put(self, frame: str) -> str:
        """Put it in the place `{what}` of a frame, changing who does it where that is needed."""
        if self.by_me:
            frame = frame.replace("let you {what}", "{what}").replace(
                "you can't {what}", "I can't {what}"
            )
            frame = re.sub(r"(like|want|wish|wanted) to \{what\}", r"\1 me to {what}", frame)
            frame = frame.replace("for you to {what}", "for me to {what}")
        return frame.replace("{what}", self.what)


class CallWords:
    """Words about calls, over one message's referents."""

    def __init__(self, domain: Domain, referents: Referents) -> None:
        self.domain, self.referents = domain, referents

    # -- what comes before a yes -------------------------------------------------------------------

    def first(
        self, tool: Tool, values: Values, quoted: Mapping[str, Mapping[str, Any]]
    ) -> list[str]:
        """What to tell before a yes is asked for: the sentences that a domain declares for it, and
        of the reads made for it the amounts and dates that these don't tell. Amounts of nothing
        are left out.
        """
        reads = {
            name: ResultWords(self.domain, self.domain.tools[name], quoted[name])
            for name in tool.outcome.reads_first()
            if name in quoted
        }
        fields = {path: read for read in reads.values() for path in read.fields}
        notes = []
        for text in tool.outcome.told_first():
            kept = without_nothing(text, lambda path: _is_told(path, values, fields))
            kept = without_one(kept, lambda path: _counted(path, values, fields))
            if kept:
                notes.append(self._first(kept, tool, values, fields))
        spoken_of = {path for text in tool.outcome.told_first() for path in paths_in(text)}
        for read in reads.values():
            notes += [
                f"The {read.called(name)} {is_are(read.called(name))} {said}."
                for name, (value, said) in read.fields.items()
                if name not in spoken_of and value and read.kinds[name] in QUOTED
            ]
        return notes

    def _first(
        self, text: str, tool: Tool, values: Values, fields: Mapping[str, ResultWords]
    ) -> str:
        def say(path: str, quoted: bool) -> str:
            if path in fields:
                return fields[path].say(path)
            return self.referents.place(tool, values, path, quoted)

        return sentence(self.referents.fill(self.domain.render_constants(text), say))

    # -- what is asked for -------------------------------------------------------------------------

    def describe(
        self,
        tool: Tool,
        values: Values,
        given: frozenset[str] | None,
        rng: random.Random,
        *,
        exactly: bool = False,
        within: frozenset[str] = frozenset(),
    ) -> Described:
        """What a call does, as an infinitive said to the person: "renew your loan of …".

        Args:
            exactly: name rows such that no other can be meant.
            within: arguments of which it is told what they belong to.
        """
        names = spoken(tool, values, given)
        options = usable(phrases_for(tool, values), names)
        if not options:
            return self._in_general(tool, values, rng)
        phrase = rng.choice(options)
        text = self.referents.fill(
            second_person(phrase), lambda path, q: self.referents.place(tool, values, path, q)
        )
        more = self._exact(tool, values, phrase, within) if exactly else []
        rest = self._rest(tool, values, names - set(roots(phrase)), more)
        return Described(text + rest, acts_for_you(phrase))

    def _in_general(self, tool: Tool, values: Values, rng: random.Random) -> Described:
        """What a call does whose arguments aren't all known: "have a copy sent to a branch"."""
        known = {p.name for p in tool.parameters if values.get(p.name) is not None}
        general = [p for p in tool.ask if all(_some(tool, path) for path in paths_in(p))]
        if not general:
            return Described(tool.name.replace("_", " "))

        def vague(phrase: str) -> tuple[int, bool]:
            return len(set(roots(phrase)) - known), not any(n in phrase for n in names_of(tool))

        def say(path: str, quoted: bool) -> str:
            name, _, rest = path.partition(".")
            if name not in known or (rest and follow(values[name], rest) is None):
                return _some(tool, path)
            return self.referents.place(tool, values, path, quoted)

        least = min(map(vague, general))
        phrase = rng.choice([p for p in general if vague(p) == least])
        text = self.referents.fill(second_person(phrase), say)
        return Described(re.split(r", | \(", text)[0], acts_for_you(phrase))

    def _exact(self, tool: Tool, values: Values, phrase: str, within: frozenset[str]) -> list[str]:
        """Names that a phrase leaves open, in full."""
        found: list[str] = []
        named = [values[name] for name in roots(phrase) if name in tool.entities]
        for parameter in tool.parameters:
            if parameter.entity is None or parameter.entity._info.identity:
                continue
            paths = [
                p.partition(".")[2] for p in paths_in(phrase) if p.split(".")[0] == parameter.name
            ]
            if paths and values.get(parameter.name) is not None:
                rows = rows_of(values[parameter.name])
                told = parameter.name in within
                found += [self.referents.to_be_exact(row, paths, named, told) for row in rows]
        return list(dict.fromkeys(name for name in found if name))

    def _rest(
        self, tool: Tool, values: Values, names: frozenset[str], exact: Sequence[str] = ()
    ) -> str:
        """What a phrase leaves out, behind it: names in full, further arguments."""
        more = [
            *exact,
            *self._further(tool, values, names),
        ]
        return f" ({', '.join(more)})" if more else ""

    def _further(self, tool: Tool, values: Values, names: frozenset[str]) -> list[str]:
        return [
            f"{says(tool, p)}: {self.referents.argument(tool, p, values[p.name])}"
            for p in tool.parameters
            if p.name in names and not p.is_person
        ]

    # -- what came of it ---------------------------------------------------------------------------

    def outcomes(
        self,
        tool: Tool,
        values: Values,
        result: Mapping[str, Any],
        silent: frozenset[str] = frozenset(),
    ) -> list[str]:
        """The sentences in which a domain reports a write, unfilled, that this result can fill.

        Args:
            silent: kinds of values that are not to be told.
        """
        if not result:
            return []
        told = ResultWords(self.domain, tool, result, values)
        found = []
        for text in tool.outcome.says:
            kept = told.without_nothing(told.silently(text, silent), values)
            if kept:
                found.append(kept)
        return found

    def outcome(self, text: str, tool: Tool, values: Values, result: Mapping[str, Any]) -> str:
        """One of these sentences, filled."""
        told = ResultWords(self.domain, tool, result, values)

        def say(path: str, quoted: bool) -> str:
            if path.split(".", maxsplit=1)[0] in values and path not in told.fields:
                return self.referents.place(tool, values, path, quoted)
            said = told.say(path)
            return f'"{said}"' if quoted else said

        return sentence(self.referents.fill(text, say))

    def quotes(self, tool: Tool, result: Mapping[str, Any]) -> list[tuple[str, str]]:
        """What the domain says to quote of a result: name and value in words."""
        if not result:
            return []
        told = ResultWords(self.domain, tool, result)
        found = []
        for name in tool.outcome.quotes:
            if told.value(name) not in (None, 0):
                found.append((told.called(name), told.say(name)))
        return found

    def noted(self, item: HandedOver) -> str:
        """What is taken down for the colleague who takes over: "that you dispute …"; "" where
        nothing is declared.
        """
        fitting = [
            concern.noted
            for concern in self.domain.concerns
            if concern.reason == item.reason and concern.noted and _fits(concern, item.about)
        ]

        def say(path: str, quoted: bool) -> str:
            said = self._said_at(item.about, path)
            return f'"{said}"' if quoted else said

        return self.referents.fill(fitting[0], say) if fitting else ""

    # -- why not -----------------------------------------------------------------------------------

    def reasons(self, rule: Rule, context: Values, tool: Tool) -> list[str]:
        """Wordings of why a rule forbids a call, with the values of the case."""
        failing = failing_part(rule, context)
        own = failing.because if failing is not None else ()
        texts = [*own, *(rule.because if not own else ())]
        return [said for text in texts if (said := self._told(text, rule, context, tool))]

    def offers(self, rule: Rule, context: Values, tool: Tool) -> list[str]:
        """What the person could do about it, with the values of the case."""
        failing = failing_part(rule, context)
        own = failing.offers if failing is not None else ()
        texts = own or rule.offers
        return [said for text in texts if (said := self._told(text, rule, context, tool))]

    def _told(self, text: str, rule: Rule, context: Values, tool: Tool) -> str:
        """A wording with its places filled, "" where one can't be."""
        arguments = {**context, **rule.arguments_of(context)}
        kinds = {p.name: p for p in tool.parameters if p.entity is None}

        def say(path: str, quoted: bool) -> str:
            name, _, rest = path.partition(".")
            value = arguments.get(name)
            if value is None:
                raise Unsaid(path)
            if not hasattr(type(value), "_info"):
                return self._said_alone(kinds.get(name), value)
            said = self._said_at(value, rest)
            return f'"{said}"' if quoted else said

        try:
            filled = PLACE.sub(
                lambda m: say(m[1] or m[2], m[1] is not None), self.domain.render_constants(text)
            )
        except Unsaid:
            return ""
        return tidy(filled).rstrip(".")

    def _said_alone(self, parameter: Parameter | None, value: Any) -> str:
        if parameter is None or isinstance(value, list):
            raise Unsaid(str(value))
        if parameter.type.choices:
            return say_choice(value)
        return say_near(self.domain, str(parameter.type.kind), value)

    def _said_at(self, row: Any, path: str) -> str:
        if not path:
            return self.referents.called(row)
        owner, _, last = path.rpartition(".")
        target = follow(row, owner) if owner else row
        found = follow(row, path)
        if found is None:
            raise Unsaid(path)
        if hasattr(type(found), "_info"):
            return self.referents.called(found)
        info = getattr(target, "_info", None)
        if info is None or last not in info.columns:
            return str(found)
        spec = info.columns[last]
        if spec.kind == "money" and not found:
            return "nothing"
        return say_of(self.domain, spec, found)


def _counted(path: str, values: Values, fields: Mapping[str, ResultWords]) -> Any:
    """The value at a place."""
    return fields[path].value(path) if path in fields else value_at(path, values)


def _is_told(path: str, values: Values, fields: Mapping[str, ResultWords]) -> bool:
    """Whether there is something to tell at a place."""
    if path in fields:
        return fields[path].value(path) not in (None, 0)
    return has_something(path, values)


def _fits(concern: Concern, row: Any) -> bool:
    """Whether a concern can be about a row, or about none."""
    if row is None or concern.about is None:
        return row is None and (concern.about is None or not paths_in(concern.noted))
    same = row._info is concern.about._info
    return same and all(follow(row, c) == v for c, v in concern.where.items())


def _some(tool: Tool, path: str) -> str:
    """What stands at a place and isn't known: "a copy", "some lines", "the reason"; "" where the
    place is for a row's value.
    """
    name, _, rest = path.partition(".")
    parameter = next(p for p in tool.parameters if p.name == name)
    if parameter.entity is None:
        return f"the {says(tool, parameter)}"
    info = entity_at(parameter.entity._info, rest) if rest else parameter.entity._info
    if info is None:
        return ""
    if parameter.type.many:
        return f"some {info.plural.replace('_', ' ')}"
    return a(info.noun.replace("_", " "))


def listed(pairs: Sequence[tuple[str, str]]) -> str:
    """Names with values: "the due date is April 6 and the number of renewals is 1"."""
    return join([f"the {name} {is_are(name)} {said}" for name, said in pairs])


def is_are(noun: str) -> str:
    """The verb that goes with a noun phrase: "the fees are", "the status is"."""
    head = noun.split(" of ", maxsplit=1)[0].rsplit(" ", 1)[-1]
    return "are" if head.endswith("s") and not head.endswith(("ss", "us", "is")) else "is"
