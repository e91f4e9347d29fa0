"""What a final message says: typed facts, the rule that forbids, that something can't be done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from ..environment import DomainEnvironment
from ..errors import DefectError
from ..records import DeclinedCheck, RuleNamedCheck, SlotsCheck
from .answers import SlotSpec, refuses
from .goals import Goal
from .naming import rule_named
from .saying import ECHO, Found, Saying

_SENTENCE = re.compile(r"(?<=[.!?])\s+")


class Spoken(Saying):
    """Judges one message, said at the end of a turn in this environment.

    Args:
        memory: what was found of messages before; the same words are judged once.
    """

    def __init__(
        self, text: str, environment: DomainEnvironment, memory: dict[Any, Any] | None = None
    ) -> None:
        super().__init__(text, environment.log, environment.world.clock["now"], memory)
        self.environment = environment

    def judge(self, check: SlotsCheck | RuleNamedCheck | DeclinedCheck, goal: Goal) -> Found:
        """Whether the message says what a check demands."""
        unfit = self.unfit(1.0 if isinstance(check, SlotsCheck) else ECHO)
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
        return self.conveys([self._slot(s, goal) for s in check.slots])

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
            cues=slot.cues,
            choices=slot.choices or None,
        )


def _holds_one(text: str, words: Sequence[str]) -> bool:
    """Whether a text holds one of the words, or a longer form of it."""
    return any(re.search(rf"(?<!\w){re.escape(_stem(word.casefold()))}", text) for word in words)


def _stem(word: str) -> str:
    """What the forms of a word have in common: "renewal", "renewed"."""
    return word if " " in word or not word.isalpha() else word[: max(4, len(word) - 2)]


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
