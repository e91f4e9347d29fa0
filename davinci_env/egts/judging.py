"""Verdicts on episodes in systems: the terminal state by its hash, answers by what was recorded.

The same guards hold as for answers in domains: whoever recites records, hands on a tool's result or
gives the user's words back has answered nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from typing import Any

from ..environment import Event, Log, Message
from ..errors import DefectError
from ..records import FrameCheck, RequirementVerdict, SlotsCheck, Task, TerminalCheck, Verdict
from ..records import Slot as AnswerSlot
from ..verify.answers import SlotSpec, judge_answer
from ..verify.saying import Found, Saying
from .hearing import BY_TODAY, swapped, texts_of, wrong_sign
from .hearing import heard as heard_as
from .systems import SystemEnvironment

UNTOLD = datetime(2024, 5, 15, 12)
"""Stands for the day of a conversation where the system doesn't tell which day it is."""


class Judge:
    """The executable requirements of one task in a system.

    Args:
        context: what the agent is told beforehand; it may say which day it is.
    """

    def __init__(self, task: Task, context: str) -> None:
        self.task = task
        self._now = today_in(context)
        self._memory: dict[Any, Any] = {}

    def judge(self, environment: SystemEnvironment) -> Verdict:
        """The verdict on an episode as if it had ended now."""
        return self.verdict(environment.state_hash, environment.log)

    def verdict(self, state_hash: str, log: Log) -> Verdict:
        """The verdict on a state and on what was said."""
        parts = list(_turns(log))
        verdicts = []
        for requirement in self.task.requirements:
            if requirement.turn >= len(parts):
                found: Found = (False, {"reached": f"turn {len(parts)}"})
            else:
                found = self._found(requirement.check, state_hash, parts[requirement.turn])
            evidence = None if found[0] else found[1]
            verdicts.append(
                RequirementVerdict(id=requirement.id, passed=found[0], evidence=evidence)
            )
        return Verdict(passed=all(v.passed for v in verdicts), requirements=tuple(verdicts))

    def _found(self, check: Any, state_hash: str, heard: Log) -> Found:
        if isinstance(check, TerminalCheck):
            return state_hash == check.terminal, _differ(check.terminal, state_hash)
        if isinstance(check, FrameCheck):
            start = self.task.world.snapshot
            return state_hash == start, _differ(start, state_hash)
        if not isinstance(check, SlotsCheck):
            raise DefectError(f"a task in a system can't have a {type(check).__name__}")
        message = heard.final_message
        unfit = Saying(message, heard, self._now, self._memory).unfit(1.0)
        if unfit is not None:
            return False, {"message": message[:500], "reason": unfit}
        specs = [spec_of(slot) for slot in check.slots]
        asked = "\n".join(_asked(heard))
        sign = wrong_sign(message, specs, asked)
        if sign:
            return False, {"message": message[:500], "slot": sign, "reason": "the sign is wrong"}
        knows = self._now is not UNTOLD
        message, told = heard_as(message, specs, asked, knows)
        other = swapped(message, told)
        if other:
            return False, {"message": message[:500], "slot": other, "reason": "values are swapped"}
        saying = Saying(message, heard, self._now, self._memory)
        for group in _groups(told, message):
            found = saying.conveys(group, self._given(specs))
            if not found[0]:
                return found
        return True, None

    def _given(self, specs: Sequence[SlotSpec]) -> list[str]:
        """The figures that the user gave, but for those that are asked for: longer ones first, so
        that none is taken for a part of another. Where a day or a time is asked for, figures of the
        user's may be parts of it.
        """
        if any(spec.type in ("date", "datetime", "time") for spec in specs):
            return []
        turns = [self.task.request.text, *(turn.text for turn in self.task.request.turns)]
        figures = {figure for text in turns for figure in _FIGURE.findall(text)}
        asked = [s.expected for s in specs if isinstance(s.expected, int | float)]
        texts = " ".join(text for spec in specs for text in texts_of(spec))
        parts = {*re.findall(r"\d+", texts), *_FIGURE.findall(texts)}
        own = [f for f in figures - parts if all(float(f) != abs(value) for value in asked)]
        return sorted(own, key=lambda figure: (-len(figure), figure))


_FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)")
"""A plain number: no part of a date, a time or a name."""


def _groups(specs: list[SlotSpec], message: str) -> Iterator[list[SlotSpec]]:
    """Slots that the message calls by their names are told apart by these; each of the others is
    looked for alone.
    """
    said = message.casefold()
    called = [any(cue.casefold() in said for cue in spec.cues) for spec in specs]
    named = [spec for spec, known in zip(specs, called, strict=True) if known]
    if named:
        yield named
    for spec, known in zip(specs, called, strict=True):
        if not known:
            yield [spec]


def _asked(log: Log) -> list[str]:
    return [entry.text for entry in log if isinstance(entry, Message) and entry.role == "user"]


def _differ(expected: str, found: str) -> dict[str, str]:
    return {"expected": expected, "found": found}


def _turns(log: Log) -> Iterator[Log]:
    """For each turn that was begun: the log up to its end, in which its message stands last.

    What was said before belongs to it (a guard asks for the user's own words), but an assistant who
    says nothing in a turn has not said what it said before.
    """
    places = [i for i, entry in enumerate(log) if isinstance(entry, Event) and entry.kind == "turn"]
    begins = [0, *places]
    for begin, end in zip(begins, [*places, len(log)], strict=True):
        earlier = [e for e in log.entries[:begin] if getattr(e, "role", "user") == "user"]
        yield Log([*earlier, *log.entries[begin:end]])


def spec_of(slot: AnswerSlot) -> SlotSpec:
    """A slot as the judge of answers takes it."""
    others: Any = [] if slot.decoys is None else slot.decoys.value
    value = _typed(slot.type, slot.expected.value)
    decoys = [_typed(slot.type, other) for other in others]
    if slot.type == "list":
        right = set(value)
        decoys = [one for other in decoys for one in other if one not in right]
    return SlotSpec(
        name=slot.name, type=slot.type, expected=value, decoys=decoys, cues=slot.cues,
        choices=slot.choices or None,
    )  # fmt: skip


_READERS: dict[str, Any] = {
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}


def _typed(kind: str, value: Any) -> Any:
    return _READERS[kind](value) if kind in _READERS else value


def today_in(context: str) -> datetime:
    """The moment of a conversation: noon of the day that the context calls today's."""
    wanted = [SlotSpec("today", "date", date.min)]
    for sentence in _sentences_with_today(context):
        (found,) = judge_answer(BY_TODAY.sub("that day", sentence), wanted, today=UNTOLD.date())
        if found.found:
            return datetime.combine(found.found[0], time(12))
    return UNTOLD


def _sentences_with_today(context: str) -> Sequence[str]:
    lines = context.replace(". ", ".\n").splitlines()
    return [line for line in lines if "today" in line.casefold()]
