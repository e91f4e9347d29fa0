"""Whether a message answers at all, and whether it conveys typed values: what can be judged of
words, whatever world they are said in.

A message that recites records, hands on a tool's result, or gives the user's own words back tells
nothing, and values listed one after the other are no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property
from typing import Any

from ..environment import Log, Message
from .answers import SlotSpec, SlotVerdict, judge_answer

RECITAL = 6
"""From so many other values of a slot's type on, a message recites what was seen and answers
nothing.
"""

LONG_RESULT = 80
"""From so many characters on, a tool's result is no phrase that somebody might say."""

RECITAL_FIGURES = 20
"""From so many figures of any kind on, a message recites records and answers nothing."""

RECITAL_PAIRS = 8
"""From so many `name: value;` pairs on, too."""

RECITAL_FIELDS = 8
"""From so many names of fields with their values on, as results have them, too."""

ECHO_WORDS, ECHO = 5, 0.9
"""A message of at least so many words, of which the user said this share, tells nothing; where a
value is asked for, which the user has not said, all of them: one new word may be that value.
"""

FREE = ("text", "name", "id")
"""Types of which any text may be a value."""

_LETTERS = str.maketrans("0123456789", "bcdfghjklm", ":")
_FIGURE = re.compile(r"\d[\d.,:/-]*")
_CHOICE = re.compile(r"\b(?:or|either)\b|/", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_PARTS = re.compile(r"[,;:.\n]|\band\b")
_PAIR = re.compile(r"\w+: [^;,\n]{1,60}[;,\n]")

Found = tuple[bool, Any]
"""Whether a requirement holds, and the evidence."""


class Saying:
    """Judges one message, said at the end of a turn.

    Args:
        log: of the conversation so far.
        now: the moment of the conversation.
        memory: what was found of messages before; the same words are judged once.
    """

    def __init__(
        self, text: str, log: Log, now: datetime, memory: dict[Any, Any] | None = None
    ) -> None:
        self.text, self.log = text, log
        self._memory: dict[Any, Any] = {} if memory is None else memory
        self._now = now
        messages = [e for e in log if isinstance(e, Message) and e.role == "user"]
        self._asked = "\n".join(message.text for message in messages)

    def unfit(self, share: float) -> str | None:
        """Why the message tells nothing; None where it may.

        Args:
            share: of the user's own words, from which on it only gives them back.
        """
        return self._no_answer or self._echo(share)

    def conveys(self, slots: list[SlotSpec], given: Iterable[str] = ()) -> Found:
        """Whether the message states these values. Figures in a slot's cues name its row: they are
        no values; nor are those that the user gave.

        Args:
            given: texts with figures that are the user's own, such as an amount to be converted.
        """
        names = {cue for slot in slots for cue in slot.cues if any(c.isdigit() for c in cue)}
        told = [
            replace(slot, cues=[cue.translate(_LETTERS) for cue in slot.cues]) for slot in slots
        ]
        text = _spelt(self.text, names)
        for figure in given:
            # 800 is no part of 2,800 or 800,000.
            place = rf"(?<![\w.])(?<!\d,){re.escape(figure)}(?!\w|[.,]\d)"
            text = re.sub(place, figure.translate(_LETTERS), text)
        verdicts = self._judged(text, told)
        failed = [
            {
                "slot": v.name,
                "reason": v.reason,
                "expected": _plain(v.expected),
                "found": _plain(v.found),
            }
            for v in verdicts
            if not v.passed
        ]
        return not failed, {"message": self.text[:500], "failed": failed}

    @cached_property
    def _no_answer(self) -> str | None:
        """Why the message says nothing at all; None where it does."""
        if not self.text.strip():
            return "nothing was said"
        return self._recital()

    def _recital(self) -> str | None:
        """How the message hands on records instead of saying what matters; None where it does
        not.
        """
        if _repeats_a_result(self.text, self.log):
            return "a tool's result is repeated as it is"
        key = ("listing", self.text)
        if key not in self._memory:
            self._memory[key] = _listing(self.text)
        found: tuple[str | None, bool] = self._memory[key]
        reason, listed = found
        if reason is None and listed and self._fields_said() > RECITAL_FIELDS:
            return "records are recited"
        return reason

    def _fields_said(self) -> int:
        """How many fields of results the message names with their values: "member id 204443"."""
        said = " ".join(self.text.casefold().split())
        fields: set[str] = set()
        for call in self.log.calls():
            if call.ok:
                key = ("fields", call.result.text)
                if key not in self._memory:
                    self._memory[key] = frozenset(_fields(call.result.data))
                fields |= self._memory[key]
        return sum(field in said for field in fields)

    def _echo(self, share: float) -> str | None:
        """Whether the message only gives the user's own words back."""
        key = ("echo", self.text, self._asked, share)
        if key not in self._memory:
            self._memory[key] = _echoes(self.text, self._asked, share)
        return "the user's own words are given back" if self._memory[key] else None

    def _judged(self, text: str, slots: list[SlotSpec]) -> list[SlotVerdict]:
        """Judge twice: other values in the sentence that answers are decoys the second time.

        So that listing candidates ("3 or 4 or 5") fails, even where no row has such a value; and a
        message that recites many values of a type answers nothing.
        """
        verdicts = list(self._told(text, slots))
        wider, recited = [], []
        for slot, verdict in zip(slots, verdicts, strict=True):
            recited.append(len({str(f) for f in verdict.found}) > RECITAL)
            others = self._beside(slot, verdict) if verdict.passed and slot.type != "list" else []
            wider.append(replace(slot, decoys=[*slot.decoys, *others]) if others else slot)
        if wider != slots:
            verdicts = list(self._told(text, wider))
        for place, (slot, many) in enumerate(zip(slots, recited, strict=True)):
            verdict = verdicts[place]
            if verdict.passed and many:
                verdicts[place] = replace(verdict, passed=False, reason="values are recited")
            elif verdict.passed and self._contradicted(text, slot, verdict):
                reason = "another value is said of the same"
                verdicts[place] = replace(verdict, passed=False, reason=reason)
            elif verdict.passed and slot.type in FREE and _left_open(text, slot.expected):
                verdicts[place] = replace(verdict, passed=False, reason="a choice is left open")
        return verdicts

    def _contradicted(self, text: str, slot: SlotSpec, verdict: SlotVerdict) -> bool:
        """Whether some sentence says another value of just what was asked."""
        if slot.type.startswith("list"):
            return False
        for sentence in _SENTENCE.split(text):
            said = sentence.casefold()
            column, *rows = [cue.casefold() for cue in slot.cues] or [""]
            if column and column in said and any(row in said for row in rows):
                (alone,) = self._told(sentence, [slot])
                if alone.found and not set(alone.found) & set(verdict.expected):
                    return True
        return False

    def _beside(self, slot: SlotSpec, verdict: SlotVerdict) -> list[Any]:
        """Other values of the slot's type in the sentence that answers, but for those that the user
        gave.
        """
        (alone,) = self._told(verdict.evidence, [slot])
        given = set(self._told(self._asked, [slot])[0].found)
        if _CHOICE.search(verdict.evidence):
            given = set()
        return [
            found for found in alone.found if found not in verdict.expected and found not in given
        ]

    def _told(self, text: str, slots: list[SlotSpec]) -> list[SlotVerdict]:
        return judge_answer(text, slots, today=self._now.date(), now=self._now)


def _left_open(text: str, value: Any) -> bool:
    """Whether a text value is one of several with "or" between them. Of values of other types
    others are recognised; what else a free text could be, nothing tells.
    """
    said = rf"[\"'“”‘’*`]*{re.escape(str(value))}[\"'“”‘’*`]*"
    return bool(re.search(rf"\bor\s+{said}|{said},?\s+or\b", text, re.IGNORECASE))


def _echoes(text: str, asked: str, share: float) -> bool:
    """Whether a message has this share of its words from one line of the user's."""
    words = _WORD.findall(text.casefold())
    if len(words) < ECHO_WORDS:
        return False
    return any(
        sum(word in own for word in words) >= share * len(words)
        for own in (set(_WORD.findall(line)) for line in asked.casefold().split("\n"))
    )


def _spelt(text: str, names: Iterable[str]) -> str:
    """A message in which the figures that only name the row asked about ("the kettle, 0.6 l") are
    letters, so that they are no values and the row keeps a name of its own.
    """
    for name in names:
        text = re.sub(re.escape(name), name.translate(_LETTERS), text, flags=re.IGNORECASE)
    return text


def _listing(text: str) -> tuple[str | None, bool]:
    """Whether a message is a list of figures or pairs, as a reason; and whether it has so many
    parts as nobody says in one breath.
    """
    if len(_FIGURE.findall(text)) > RECITAL_FIGURES:
        return "figures are recited", True
    if len(_PAIR.findall(text)) > RECITAL_PAIRS:
        return "records are recited", True
    return None, len(_PARTS.findall(text)) >= RECITAL_FIELDS


def _fields(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _fields(inner, re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", key).casefold())
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _fields(inner, name)
    elif value is not None:
        yield f"{name} {value}".casefold()


def _repeats_a_result(text: str, log: Log) -> bool:
    """Whether a message hands on what a tool returned, for the user to find the answer in."""
    if "{" not in text:  # each result is a JSON object
        return False
    results = (call.result.text for call in log.calls() if call.ok)
    return any(len(result) >= LONG_RESULT and result in text for result in results)


def _plain(value: Any) -> Any:
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(v) for v in value]
    return value
