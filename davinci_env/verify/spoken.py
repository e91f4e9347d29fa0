"""What a final message says: typed facts, the rule that forbids, that something can't be done."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property
from typing import Any

from ..environment import DomainEnvironment, Message
from ..errors import DefectError
from ..records import DeclinedCheck, RuleNamedCheck, SlotsCheck
from .answers import SlotSpec, SlotVerdict, judge_answer, refuses
from .goals import Goal
from .naming import rule_named

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

_LETTERS = str.maketrans("0123456789", "bcdfghjklm", ":")
_FIGURE = re.compile(r"\d[\d.,:/-]*")
_CHOICE = re.compile(r"\b(?:or|either)\b|/", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_PARTS = re.compile(r"[,;:.\n]|\band\b")
_PAIR = re.compile(r"\w+: [^;,\n]{1,60}[;,\n]")

Found = tuple[bool, Any]
"""Whether a requirement holds, and the evidence."""


class Spoken:
    """Judges one message, said at the end of a turn in this environment.

    Args:
        memory: what was found of messages before; the same words are judged once.
    """

    def __init__(
        self, text: str, environment: DomainEnvironment, memory: dict[Any, Any] | None = None
    ) -> None:
        self.text, self.environment = text, environment
        self._memory: dict[Any, Any] = {} if memory is None else memory
        self._now = environment.world.clock["now"]
        messages = [e for e in environment.log if isinstance(e, Message) and e.role == "user"]
        self._asked = "\n".join(message.text for message in messages)

    def judge(self, check: SlotsCheck | RuleNamedCheck | DeclinedCheck, goal: Goal) -> Found:
        """Whether the message says what a check demands."""
        unfit = self._no_answer or self._echo(1.0 if isinstance(check, SlotsCheck) else ECHO)
        if unfit is not None:
            rule = {"rule": check.rule} if isinstance(check, RuleNamedCheck) else {}
            return False, {"message": self.text[:500], **rule, "reason": unfit}
        key = (id(check), id(goal), self.text, self._asked)
        found: Found | None = self._memory.get(key)
        if found is None:
            found = self._memory[key] = self._judge(check, goal)
        return found

    def _judge(self, check: SlotsCheck | RuleNamedCheck | DeclinedCheck, goal: Goal) -> Found:
        if isinstance(check, SlotsCheck):
            return self._slots(check, goal)
        if isinstance(check, RuleNamedCheck):
            return self._rule_named(check)
        return self._declined(check)

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
        if _repeats_a_result(self.text, self.environment):
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
        for call in self.environment.log.calls():
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

    def _rule_named(self, check: RuleNamedCheck) -> Found:
        recited = _recited_rules(self.text, self.environment)
        evidence: dict[str, Any] = {"message": self.text[:500], "rule": check.rule}
        if len(recited) > 1:
            return False, {**evidence, "recited": recited}
        domain = self.environment.domain
        verdict = rule_named(domain, check.rule, check.concepts, self.text)
        return verdict.passed, {**evidence, "reason": verdict.reason}

    def _declined(self, check: DeclinedCheck) -> Found:
        """Whether a sentence declines, and it or one beside it says what."""
        sentences = _SENTENCE.split(self.text)
        for place, sentence in enumerate(sentences):
            near = " ".join(sentences[max(0, place - 1) : place + 2]).casefold()
            if refuses(sentence) and all(_holds_one(near, group) for group in check.concepts):
                return True, None
        reason = "says not what can't be done" if refuses(self.text) else "does not decline"
        return False, {"message": self.text[:500], "reason": reason}

    def _slots(self, check: SlotsCheck, goal: Goal) -> Found:
        names = {cue for s in check.slots for cue in s.cues if any(c.isdigit() for c in cue)}
        slots = [self._slot(s, goal) for s in check.slots]
        verdicts = self._judged(_spelt(self.text, names), slots)
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

    def _slot(self, slot: Any, goal: Goal) -> SlotSpec:
        expected = _values(goal.values[slot.expected], slot.type)
        if not expected:
            raise DefectError(f"the expected value of {slot.name!r} is empty")
        decoys = [] if slot.decoys is None else _values(goal.values[slot.decoys], slot.type)
        return SlotSpec(
            name=slot.name,
            type=slot.type,
            expected=expected[0] if slot.type != "list" else expected,
            decoys=[d for d in decoys if d not in expected],
            cues=[cue.translate(_LETTERS) for cue in slot.cues],
            choices=slot.choices or None,
        )


def _echoes(text: str, asked: str, share: float) -> bool:
    """Whether a message has this share of its words from one line of the user's."""
    words = _WORD.findall(text.casefold())
    if len(words) < ECHO_WORDS:
        return False
    return any(
        sum(word in own for word in words) >= share * len(words)
        for own in (set(_WORD.findall(line)) for line in asked.casefold().split("\n"))
    )


def _holds_one(text: str, words: Sequence[str]) -> bool:
    """Whether a text holds one of the words, or a longer form of it."""
    return any(re.search(rf"(?<!\w){re.escape(_stem(word.casefold()))}", text) for word in words)


def _stem(word: str) -> str:
    """What the forms of a word have in common: "renewal", "renewed"."""
    return word if " " in word or not word.isalpha() else word[: max(4, len(word) - 2)]


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


def _repeats_a_result(text: str, environment: DomainEnvironment) -> bool:
    """Whether a message hands on what a tool returned, for the user to find the answer in."""
    if "{" not in text:  # each result is a JSON object
        return False
    results = (call.result.text for call in environment.log.calls() if call.ok)
    return any(len(result) >= LONG_RESULT and result in text for result in results)


def _recited_rules(text: str, environment: DomainEnvironment) -> list[str]:
    """The rules whose clauses a message quotes in full: several are no reason."""
    said = " ".join(text.casefold().split())
    return [
        rule.code
        for rule in environment.domain.rules.values()
        if " ".join(rule.text.casefold().split()).rstrip(".") in said
    ]


_PARSERS: dict[str, Any] = {
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "yesno": bool,
}


def _values(rows: list[tuple[Any, ...]], kind: str) -> list[Any]:
    """The first column of a result as typed values, in order, without NULL."""
    parse = _PARSERS.get(kind)
    values = [row[0] for row in rows if row[0] is not None]
    return [parse(v) for v in values] if parse else values


def _plain(value: Any) -> Any:
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(v) for v in value]
    return value
