"""Composing: one message in the making, and the plan of a report."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from ..domain import Domain
from . import wordings_closing as close
from . import wordings_declining as decline
from . import wordings_telling as tell
from .answering import AnswerWords, kind_of
from .calls import CallWords, listed
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
    Summed,
)
from .outcomes import result_row
from .referents import Referents, Unsaid, key_of, sentence, tidy
from .registers import Voice
from .speech import join
from .wordings_asking import Wordings

ANSWERS = (Attribute, Counted, Summed, Field)

SILENT, BARE = 4, 8
"""Numbers of tries from which on a report of one thing tells no amounts beside an amount as answer
(other values of its kind it never tells), and any report no values at all.
"""

PLAINLY = 12
"""Number of a try from which on a refusal quotes the whole rule."""

_JOINED = re.compile(
    r"As (?!your|the|my)|(?!Your|I)[A-Z]\w+(?: news)?, |Thank|Sorry|Welcome|Good news"
)
"""News that begin with a joint, an exclamation or a courtesy of their own."""

GREETING, CLOSING, ANSWERING = 0.4, 0.36, 0.5
"""How often a first message greets, a report ends with a courtesy, an answer has an opening."""


class Message:
    """One message in the making."""

    def __init__(
        self, domain: Domain, voice: Voice, rng: random.Random, first: bool = False
    ) -> None:
        self.domain, self.voice, self.rng, self.first = domain, voice, rng, first
        self.referents = Referents(domain)
        self.calls = CallWords(domain, self.referents)
        self.answers = AnswerWords(domain, self.referents)
        self.used: list[str] = []

    def greeting(self, avoid: str = "") -> str:
        """What opens the first message of a conversation, now and then."""
        return self.one(tell.OPEN, avoid) if self.first and self.rng.random() < GREETING else ""

    def options(self, act: Wordings) -> list[str]:
        """The wordings of an act, the first of them to be taken."""
        return self.voice.options(act, self.rng)

    def one(self, act: Wordings, avoid: str = "", needed: str = "") -> str:
        """One wording of an act, without some words and with others where there is a choice."""
        options = self.options(act)
        fitting = [w for w in options if needed in w and (not avoid or avoid not in w)]
        found = next(iter(fitting or options), "")
        self.used.append(found)
        return found

    def refusal(self, item: Declined, plainly: bool) -> str:
        """A refusal with the part of the rule that applies, and what can be done about it."""
        known = self.referents.focus
        what = self.calls.describe(item.tool, item.values, item.given, self.rng)
        if item.again:
            opening = what.put(self.one(decline.CANT_AGAIN))
        elif known is not None and known == self.referents.focus and self.rng.random() < 0.6:
            opening = self.one(decline.CANT_IT)
        else:
            opening = what.put(self.one(decline.CANT))
        why = self.why(item)
        if not why:
            text = sentence(opening)
            reason = item.rule.text if item.rule is not None else item.reason
            return f"{text} {sentence(reason)}" if reason else text
        text = tidy(opening + self.one(decline.WHY, avoid=_clash(why)).format(why=why))
        if plainly and item.rule is not None:
            return f"{text} {item.rule.text}"
        return " ".join([text, *self.offer(item)])

    def why(self, item: Declined) -> str:
        if item.rule is None:
            return ""
        options = self.calls.reasons(item.rule, item.context, item.tool)
        return self.rng.choice(options) if options else ""

    def offer(self, item: Declined) -> list[str]:
        """What could be done about a refusal, which wasn't said a moment ago."""
        if item.rule is None or item.closed or item.settled:
            return []
        options = self.calls.offers(item.rule, item.context, item.tool)
        options = [text for text in options if text not in self.voice.recent]
        if not options:
            return []
        offered = self.rng.choice(options)
        self.used.append(offered)
        return [sentence(self.one(decline.OFFER).format(what=offered))]

    def firm(self, item: Declined, number: int) -> str:
        opening = self.one(decline.FIRM)
        why = self.why(item)
        if not why:
            reason = item.rule.text if item.rule is not None else item.reason
            return f"{sentence(opening)} {sentence(reason)}".strip()
        avoid = ":" if ":" in opening else _clash(why)
        text = tidy(opening + self.one(decline.FIRM_WHY, avoid=avoid).format(why=why))
        if number > PLAINLY and item.rule is not None:
            return f"{text} {item.rule.text}"
        offers = self.offer(item) if self.rng.random() < 0.5 else []
        return " ".join([text, *offers])


class Report:
    """The plan of one report: a lead, then the news, merged where they are alike."""

    def __init__(self, message: Message, news: Sequence[News], number: int) -> None:
        self.message, self.news, self.number = message, news, number
        self.plainly = number > PLAINLY
        asked = [item for item in news if isinstance(item, ANSWERS)]
        self.kinds = frozenset(kind_of(item) for item in asked)
        several = sum(isinstance(item, Did) for item in news) > 1
        loud = number < SILENT and not several
        self.silent = self.kinds - {"money"} if loud else self.kinds
        self.bare = bool(asked) and number > BARE
        self.outdated = self._outdated([item for item in news if isinstance(item, Did)])

    def text(self) -> str:
        """The message."""
        if not self.plainly:
            self.message.referents.choose = self.message.rng.choice
        parts: list[str] = []
        before: News | None = None
        for group in self._groups():
            if before is not None and _is_instead(group[0], before):
                self.message.referents.focus = None  # a new matter: names in full
            parts.append(self._joined(self._group(group), group[0], before))
            before = group[-1]
        refused = isinstance(self.news[0], Declined | Missing)
        greeting = self.message.greeting("help" if refused else "")
        lead = self._fitting(greeting, parts[0]) or self._lead(parts[0])
        if lead.endswith(":"):
            parts[0] = _lowered(parts[0])
        ending = ""
        if self.message.rng.random() < CLOSING and not self.plainly:
            ending = self.message.one(self._closers())
        return " ".join(p for p in (lead, *parts, ending) if p)

    def excuse(self) -> str:
        """The news alone, with nothing around them."""
        return self._group(self.news)

    def _closers(self) -> Wordings:
        """The courtesies that go with these news."""
        if any(isinstance(item, Missing) for item in self.news):
            return close.CLOSE_MISSING
        if any(isinstance(item, Declined) and not item.settled for item in self.news):
            return close.CLOSE_REFUSED
        grave = any(isinstance(item, HandedOver | Left | Declined) for item in self.news)
        moods = [item.tool.outcome.mood for item in self.news if isinstance(item, Did)]
        return close.CLOSE_REGRET if grave or "bad" in moods else close.CLOSE

    def _groups(self) -> list[list[News]]:
        """News of the same tool that were all done are told together."""
        groups: list[list[News]] = []
        for item in self.news:
            before = groups[-1] if groups else []
            alike = before and isinstance(item, Did) and isinstance(before[0], Did)
            if alike and item.tool is before[0].tool:  # type: ignore[union-attr]
                before.append(item)
            else:
                groups.append([item])
        return groups

    def _joined(self, said: str, item: News, before: News | None) -> str:
        """A piece of news behind another one."""
        if before is None or isinstance(item, Declined | Left | Missing):
            return said
        if _is_instead(item, before):
            if _JOINED.match(said):
                return said
            avoid = ":" if ": " in said else ""
            opened = self.message.one(tell.INSTEAD, avoid).replace("{what}", _lowered(said))
            return opened[:1].upper() + opened[1:]
        asked = isinstance(item, ANSWERS) and not isinstance(before, ANSWERS)
        if self.message.rng.random() < 0.45 or _JOINED.match(said):
            return said
        avoid = ":" if ": " in said else ""
        if item is not self.news[-1]:
            avoid = avoid or "Finally"
        opened = self.message.one(tell.TO_QUESTION if asked else tell.AND, avoid)
        opened = opened.replace("{what}", _lowered(said))
        return opened[:1].upper() + opened[1:]

    def _lead(self, first: str) -> str:
        """What opens the message; "" where the first news opens it itself."""
        return self._fitting(self._drawn_lead(), first)

    def _fitting(self, lead: str, first: str) -> str:
        """A lead, unless the news begin alike, or both are sorry."""
        word = re.split(r"\W", first, maxsplit=1)[0]
        alike = re.split(r"\W", lead, maxsplit=1)[0] == word
        both = any(w in lead.lower() and w in first.lower() for w in ("sorry", "thank"))
        colons = lead.endswith(":") and ": " in first
        return "" if alike or both or colons else lead

    def _drawn_lead(self) -> str:
        if isinstance(self.news[0], ANSWERS) and self.message.rng.random() < ANSWERING:
            composed = isinstance(self.news[0], Field)
            return self.message.one(close.ANSWER_PLAIN if composed else close.ANSWER)
        done = [item for item in self.news if isinstance(item, Did)]
        if not done or not isinstance(self.news[0], Did) or self.message.rng.random() < 0.35:
            return ""
        if not done[0].tool.outcome.says:
            return ""
        moods = {item.tool.outcome.mood for item in done}
        if "bad" in moods:
            return self.message.one(tell.BAD)
        if any(not isinstance(item, Did) for item in self.news) or "neutral" in moods:
            return self.message.one(tell.NEUTRAL)
        return self.message.one(tell.SEVERAL if len(done) > 1 else tell.GOOD)

    def _group(self, group: Sequence[News]) -> str:
        item = group[0]
        if isinstance(item, Did):
            with self.message.referents.naming_without(*(self.kinds - {"money"})):
                return self._done([i for i in group if isinstance(i, Did)])
        if isinstance(item, Declined):
            return self.message.refusal(item, self.plainly)
        if isinstance(item, Missing):
            return self._missing(item)
        if isinstance(item, HandedOver):
            return self._handed(item)
        if isinstance(item, Left):
            return self._left(item)
        return self._answer(item)

    # -- what was done -----------------------------------------------------------------------------

    def _outdated(self, done: Sequence[Did]) -> set[int]:
        """What was done to a row that a later step changed again, by `id`: the last one tells the
        amounts.
        """
        rows = [result_row(self.message.domain, item.tool, item.result) for item in done]
        return {
            id(item)
            for place, item in enumerate(done)
            if rows[place] is not None and rows[place] in rows[place + 1 :]
        }

    def _done(self, group: Sequence[Did]) -> str:
        """Reports of one tool: a sentence each, or "the same goes for …"."""
        said: list[str] = []
        told: dict[tuple[tuple[str, str], ...], int] = {}
        alike: dict[int, list[str]] = {}
        used: set[str] = set()
        for item in group:
            quotes = tuple(self.message.calls.quotes(item.tool, item.result))
            row = _main_row(item)
            if quotes in told and row is not None:
                names = alike.setdefault(told[quotes], [])
                names.append(self.message.referents.full(row))
                continue
            told[quotes] = len(said)
            said.append(self._report_of(item, used))
        for at, names in alike.items():
            same = self.message.one(tell.SAME_FOR).format(what=join(names))
            said[at] = f"{said[at]} {same}"
        return " ".join(said)

    def _reports(self, item: Did, used: set[str]) -> list[str]:
        """What can be said of this very result, first what begins as nothing has begun yet."""
        silent = self.silent | {"money"} if id(item) in self.outdated else self.silent
        options = self.message.calls.outcomes(item.tool, item.values, item.result, silent)
        self.message.rng.shuffle(options)
        return sorted(options, key=lambda text: _opening(text) in used)

    def _report_of(self, item: Did, used: set[str]) -> str:
        message = self.message
        options = self._reports(item, used)
        for text in [] if self.bare else options:
            try:
                said = message.calls.outcome(text, item.tool, item.values, item.result)
            except Unsaid:
                continue
            used.add(_opening(text))
            return said
        what = message.calls.describe(item.tool, item.values, item.given, message.rng)
        text = sentence(what.put(message.one(tell.CARRIED_OUT)))
        quotes = [] if self.kinds else message.calls.quotes(item.tool, item.result)
        return f"{text} {sentence(listed(quotes))}" if quotes else text

    # -- what was not ------------------------------------------------------------------------------

    def _missing(self, item: Missing) -> str:
        message = self.message
        what = message.calls.describe(item.tool, item.values or {}, None, message.rng)
        text = sentence(what.put(message.one(decline.MISSING)))
        return f"{text} {message.one(decline.MISSING_HANDED)}" if item.handed_over else text

    def _handed(self, item: HandedOver) -> str:
        """Who gets in touch, behind what was taken down for them."""
        said = self._handed_to(item)
        noted = self.message.calls.noted(item)
        if not noted:
            return said
        return f"{sentence(self.message.one(decline.NOTED).replace('{what}', noted))} {said}"

    def _handed_to(self, item: HandedOver) -> str:
        message = self.message
        options = message.calls.outcomes(item.tool, item.values, item.result)
        message.rng.shuffle(options)
        for text in options:
            try:
                return message.calls.outcome(text, item.tool, item.values, item.result)
            except Unsaid:
                continue
        return message.one(decline.HANDED)

    def _left(self, item: Left) -> str:
        row = _main_row(item)
        if row is None or row._info.owner is None:
            return self.message.one(decline.LEFT_ALL)
        name = self.message.referents.name(row)
        self.message.referents.focus = key_of(row)
        return sentence(self.message.one(decline.LEFT).replace("{it}", name))

    # -- answers -----------------------------------------------------------------------------------

    def _answer(self, item: Any) -> str:
        options = self.message.answers.sentences(item)
        if isinstance(item, Field) and not self.number:
            return sentence(options[0])
        if isinstance(item, Attribute) and self.number < BARE:
            options = options[:-1]  # the last one is for where nothing else is understood
        return sentence(self.message.rng.choice(options))


def _is_instead(item: News, before: News) -> bool:
    """Whether something was done in place of what was refused just before."""
    return isinstance(item, Did) and isinstance(before, Declined) and before.settled


def _clash(why: str) -> str:
    """What may not stand before a reason: a colon before one that has a colon, "that that"."""
    return ":" if ": " in why else "that {why}" if why.startswith("that ") else ""


def _opening(text: str) -> str:
    """The first clause of a sentence, by which it is known when others are left out."""
    return text.split("; ", 1)[0].split(". ", 1)[0].rstrip(".")


def _main_row(item: Did | Left) -> Any:
    """The row that a call is about: the person's own, else the only one."""
    rows = [
        item.values[p.name]
        for p in item.tool.parameters
        if p.entity is not None
        and not p.type.many
        and not p.entity._info.identity
        and item.values.get(p.name) is not None
    ]
    own = [row for row in rows if row._info.owner is not None]
    return (own or rows or [None])[0]


def _lowered(text: str) -> str:
    """A sentence to stand inside another one; names keep their capital."""
    first = text.split(" ", 1)[0]
    if first in ("I", "I'm", "I've", "I'd", "I'll") or text.startswith('"'):
        return text
    return text[:1].lower() + text[1:] if first[1:].islower() or first in ("A",) else text
