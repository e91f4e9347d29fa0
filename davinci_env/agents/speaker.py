"""The speaker: puts what an agent has to say into messages.

A message is planned before it is worded: one lead, then each piece of news, over shared referents
(a name first, then "it"). What the domain declares is said in its words; every text is one in
which our own checkers find what it means to say.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise

from ..domain import Domain, Parameter, Tool
from ..verify import rule_named
from ..verify.answers import names_rule
from . import wordings_agreeing as agree
from . import wordings_asking as ask
from .answering import conveyed
from .belief import Unread
from .calls import Described
from .composing import ANSWERS, SILENT, Message, Report
from .news import (
    Attribute,
    Counted,
    Declined,
    Did,
    Field,
    HandedOver,
    Left,
    Missing,
    News,
    Planned,
    Summed,
)
from .phrases import names_of
from .referents import rows_of, sentence, tidy
from .registers import USUAL, Voice
from .speech import join, label_paths, plain_at, say_number, says
from .tool_phrases import names_once

__all__ = [
    "Attribute",
    "Counted",
    "Declined",
    "Did",
    "Field",
    "HandedOver",
    "Left",
    "Missing",
    "Planned",
    "Speaker",
    "Summed",
]

TRIES = 24
"""Wordings of a message that are tried before the last one is taken."""


class Speaker:
    """Speaks for an agent through one conversation.

    The same call gives the same text until `said()`.

    Args:
        domain: its declarations give the words.
        seed: chooses among wordings.
        register: the manner of speaking, one of `registers.REGISTERS`; drawn if not given.
    """

    def __init__(self, domain: Domain, seed: str, *, register: str | None = None) -> None:
        self.domain, self.seed = domain, seed
        self.register = register or random.Random(f"{seed}:register").choice(USUAL)
        self._spoken = 0
        self._recent: list[str] = []
        self._pending: list[str] = []

    def said(self) -> None:
        """Note that the last text was spoken: go on to the next draw."""
        self._spoken += 1
        self._recent = [*self._recent, *self._pending][-12:]
        self._pending = []

    # -- confirmations -----------------------------------------------------------------------------

    def propose(
        self,
        calls: Sequence[Planned],
        notes: Sequence[str] = (),
        refused: Sequence[Declined | Missing] = (),
    ) -> str:
        """Ask for one explicit yes to calls, naming every row and value, and what follows.

        Args:
            notes: what else to tell before the question.
            refused: what was wanted in the first place and can't be done, which is told first.
        """
        excuses, used = self._excuses(refused)
        message = self._message("propose")
        message.used += used
        alone, calls = calls, merged(calls)
        described = [
            message.calls.describe(
                c.tool, c.values, c.given, message.rng, exactly=True, within=c.within
            )
            for c in calls
        ]
        if len(calls) == 1:
            avoid = ", then" if "," in described[0].what else ""
            act = ask.CONFIRM_INSTEAD if excuses else ask.CONFIRM
            opening = described[0].put(message.one(act, avoid))
        else:
            number = say_number(len(calls))
            listed_calls = _in_a_row(described)
            mixed = len({d.by_me for d in described}) > 1
            frame = message.one(ask.CONFIRM_SEVERAL, needed="to {what}" if mixed else "")
            opening = listed_calls.put(frame).replace("{number}", number)
        firsts = [n for c in alone for n in message.calls.first(c.tool, c.values, c.quoted)]
        notes = list(dict.fromkeys([*notes, *firsts]))
        parts = [message.greeting(), *excuses, sentence(tidy(opening)), *map(sentence, notes)]
        parts += self._finality(message, calls)
        parts.append(message.one(agree.GO))
        return self._finish(message, " ".join(part for part in parts if part))

    def _excuses(self, refused: Sequence[Declined | Missing]) -> tuple[list[str], list[str]]:
        """What can't be done and why, with the wordings used for it."""
        texts: list[str] = []
        used: list[str] = []
        for item in refused:
            # what is offered is what was wanted instead
            news = [replace(item, settled=True) if isinstance(item, Declined) else item]
            texts.append(self._first_sound("excuse", news, partial(_excuse, news)))
            used += self._pending
        return texts, used

    def _finality(self, message: Message, calls: Sequence[Planned]) -> list[str]:
        """What can't be undone, said before it is done."""
        final = [n for n, call in enumerate(calls) if call.tool.outcome.irreversible]
        if not final:
            return []
        if len(final) == len(calls):
            return [message.one(agree.FINAL)]
        places = ["the first", "the second", "the third", "the fourth", "the fifth"]
        which = join([places[n] if n < len(calls) - 1 else "the last" for n in final if n < 5])
        return [message.one(agree.FINAL_BUT_REST).format(which=f"{which} of these")]

    # -- questions ---------------------------------------------------------------------------------

    def ask_argument(self, tool: Tool, parameter: Parameter) -> str:
        """Ask for an argument that was left out."""
        message = self._message(f"argument {parameter.name}")
        own = tool.asks.get(parameter.name)
        if own:
            return self._finish(message, message.rng.choice(own))
        what = says(tool, parameter)
        act, plural = ask.WHAT, ""
        if parameter.entity is not None:
            act, plural = ask.WHICH, parameter.entity._info.plural.replace("_", " ")
        return self._finish(message, message.one(act).format(what=what, plural=plural))

    def ask_identity(self, names: Sequence[str], *, again: bool = False) -> str:
        """Ask for what identifies the person, as they call it; a second time where it led
        nowhere.
        """
        message = self._message("identity")
        what = join([f"your {name}" for name in names])
        act = ask.IDENTITY_AGAIN if again else ask.IDENTITY
        options = [
            w
            for w in message.options(act)
            if len(names) == 1 or ("{what} is" not in w and "What's" not in w and "what's" not in w)
        ]
        return self._finish(message, options[0].format(what=what))

    # -- news --------------------------------------------------------------------------------------

    def report(self, news: Sequence[News]) -> str:
        """Tell all news in one message that asks nothing."""
        return self._first_sound("report", news, lambda m, n: Report(m, news, n).text())

    def firm(self, declined: Declined) -> str:
        """Stay with a refusal after a push-back."""
        return self._first_sound("firm", [declined], lambda m, n: m.firm(declined, n))

    def _first_sound(
        self, act: str, news: Sequence[News], text_of: Callable[[Message, int], str]
    ) -> str:
        """The first wording in which the checkers find everything that was to be said; where there
        is none, the first that tells no other amounts beside an answer.
        """
        best: tuple[tuple[int, bool], str, Message] | None = None
        for number in range(TRIES):
            message = self._message(f"{act} {number}")
            text = text_of(message, number)
            missing = sum(not ok for ok in self._checked(text, news))
            rank = missing, number < SILENT
            if best is None or rank < best[0]:
                best = (rank, text, message)
            if not missing:
                break
        assert best is not None
        return self._finish(best[2], best[1])

    def _checked(self, text: str, news: Sequence[News]) -> Iterator[bool]:
        yield "?" not in re.sub(r'"[^"]*"', "", text)
        for item in news:
            if isinstance(item, Declined) and item.rule is not None and item.concepts:
                yield rule_named(self.domain, item.rule.code, item.concepts, text).passed
            elif isinstance(item, Missing):
                yield names_rule(text, [_named(item)]).passed
            elif isinstance(item, ANSWERS):
                yield conveyed(self.domain, text, item, news)

    # -- bookkeeping -------------------------------------------------------------------------------

    def _message(self, act: str) -> Message:
        rng = random.Random(f"{self.seed}:{self._spoken}:{act}")
        voice = Voice(self.register, self._recent)
        return Message(self.domain, voice, rng, first=self._spoken == 0)

    def _finish(self, message: Message, text: str) -> str:
        self._pending = message.used
        return text


def _excuse(news: Sequence[News], message: Message, number: int) -> str:
    """News alone, with nothing around them."""
    return Report(message, news, number).excuse()


def _named(item: Missing) -> list[str]:
    """Words one of which names a missing operation: its own, or what its rows are called."""
    values = (item.values or {}).values()
    rows = [row for value in values for row in rows_of(value) if hasattr(type(row), "_info")]
    quoted = []
    for row in rows:
        for path in label_paths(row._info):
            with suppress(Unread):  # the person spoke of it in other words
                quoted.append(str(plain_at(row, path)))
    return [*names_of(item.tool), *(text for text in quoted if len(text) > 3)]


def merged(calls: Sequence[Planned]) -> list[Planned]:
    """Calls of one tool that differ in one row only, as one call for all these rows."""
    out: list[Planned] = []
    for call in calls:
        name = _differing(out[-1], call) if out else None
        if name is None:
            out.append(call)
            continue
        before = out.pop()
        rows = [*rows_of(before.values[name]), call.values[name]]
        within = before.within | call.within
        out.append(Planned(call.tool, {**call.values, name: rows}, call.given, within=within))
    return out


def _differing(before: Planned, call: Planned) -> str | None:
    """The argument, a row of the person's, in which alone two calls of a tool differ."""
    if before.tool is not call.tool or before.given != call.given:
        return None
    names = [n for n in call.values if before.values.get(n) is not call.values[n]]
    names = [n for n in names if before.values.get(n) != call.values[n]]
    entity = call.tool.entities.get(names[0]) if len(names) == 1 else None
    if entity is None or entity._info.owner is None:
        return None
    if isinstance(call.values[names[0]], list):
        return None
    parameter = next(p for p in call.tool.parameters if p.name == names[0])
    return names[0] if any(names_once(p, parameter) for p in call.tool.ask) else None


def _in_a_row(calls: Sequence[Described]) -> Described:
    """Several calls as one: who acts is said anew where it changes."""
    parts, by_me = [calls[0].what], calls[0].by_me
    for before, call in pairwise(calls):
        parts.append(
            call.what
            if call.by_me == before.by_me
            else f"for {call.wanted}"
            if call.by_me
            else call.wanted
        )
    return Described(join(parts, ", and "), by_me)
