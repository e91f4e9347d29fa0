"""Judging: the requirements of a task against the terminal state and the one log.

A check that can't be evaluated is a defect of the task, never "false". Where several outcomes are
accepted, one of the alternatives must satisfy all requirements together. Verdicts and evidence
never reach the agent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from ..environment import CallEntry, DomainEnvironment, Event, Message
from ..errors import DefectError
from ..records import (
    AskedCheck,
    Call,
    FrameCheck,
    LookedUpCheck,
    NotCalledCheck,
    OrderCheck,
    Requirement,
    RequirementVerdict,
    RuleNamedCheck,
    SlotsCheck,
    Source,
    Task,
    Verdict,
)
from .answers import SlotSpec, SlotVerdict, judge_answer
from .goals import Footprint, Goal, footprint, visit_goals
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

_FIGURE = re.compile(r"\d[\d.,:/-]*")
_PAIR = re.compile(r"\w+: [^;,\n]{1,60}[;,\n]")

Found = tuple[bool, Any]
"""Whether a requirement holds, and the evidence."""


class Verifier:
    """The executable requirements of one task, prepared at the start state.

    Args:
        task: the task.
        environment: stands at the task's start; it is left as it was.

    Raises:
        DefectError: a goal can't be carried out, or a query fails.
    """

    def __init__(self, task: Task, environment: DomainEnvironment) -> None:
        self.task = task
        self.goals = visit_goals(task, environment)
        self._now = environment.world.clock["now"]

    def judge(self, environment: DomainEnvironment) -> Verdict:
        """Judge the episode so far as if it had ended."""
        shared = {
            r.id: self._shared(r, environment)
            for r in self.task.requirements
            if r.kind in ("trace", "policy")
        }
        best: dict[str, Found] | None = None
        changed = footprint(environment, environment.start_mark.log_length)
        for goal in self.goals:
            found = {
                r.id: shared[r.id]
                if r.id in shared
                else self._against(r, goal, changed, environment)
                for r in self.task.requirements
            }
            if best is None or self._nearness(found) > self._nearness(best):
                best = found
        assert best is not None
        verdicts = tuple(
            RequirementVerdict(id=name, passed=passed, evidence=None if passed else evidence)
            for name, (passed, evidence) in best.items()
        )
        return Verdict(passed=all(v.passed for v in verdicts), requirements=verdicts)

    def _nearness(self, found: dict[str, Found]) -> tuple[int, int]:
        """How near an episode comes to an alternative: what holds, the state before the words."""
        states = [r.id for r in self.task.requirements if r.kind == "state"]
        return sum(passed for passed, _ in found.values()), sum(found[i][0] for i in states)

    def _against(
        self,
        requirement: Requirement,
        goal: Goal,
        changed: Footprint,
        environment: DomainEnvironment,
    ) -> Found:
        check = requirement.check
        if requirement.kind == "state":
            return _state(requirement, goal, environment)
        if isinstance(check, FrameCheck):
            return _frame(check, goal, changed)
        if isinstance(check, RuleNamedCheck):
            return self._rule_named(check, environment)
        assert isinstance(check, SlotsCheck)
        return self._slots(check, goal, environment)

    def _shared(self, requirement: Requirement, environment: DomainEnvironment) -> Found:
        if requirement.kind == "policy":
            broken = sorted({c for call in environment.log.calls() for c in call.violated})
            return not broken, {"broken": broken}
        return _trace(requirement.check, environment.log.entries)

    def _slots(self, check: SlotsCheck, goal: Goal, environment: DomainEnvironment) -> Found:
        text = environment.log.final_message
        if not text.strip():
            return False, {"message": "", "reason": "nothing was said"}
        recited = _recital(text, environment)
        if recited is not None:
            return False, {"message": text[:500], "reason": recited}
        slots = [self._slot(s, goal) for s in check.slots]
        verdicts = self._judged(_without_labels(text, check), slots)
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
        return not failed, {"message": text[:500], "failed": failed}

    def _judged(self, text: str, slots: list[SlotSpec]) -> list[SlotVerdict]:
        """Judge twice: other values in the sentence that answers are decoys the second time.

        So that listing candidates ("3 or 4 or 5") fails, even where no row has such a value; and a
        message that recites many values of a type answers nothing.
        """
        verdicts = self._told(text, slots)
        wider, recited = [], []
        for slot, verdict in zip(slots, verdicts, strict=True):
            recited.append(len({str(f) for f in verdict.found}) > RECITAL)
            others = self._beside(slot, verdict) if verdict.passed and slot.type != "list" else []
            wider.append(replace(slot, decoys=[*slot.decoys, *others]) if others else slot)
        if wider != slots:
            verdicts = self._told(text, wider)
        return [
            replace(v, passed=False, reason="values are recited") if v.passed and many else v
            for v, many in zip(verdicts, recited, strict=True)
        ]

    def _beside(self, slot: SlotSpec, verdict: SlotVerdict) -> list[Any]:
        """Other values of the slot's type in the sentence that answers."""
        (alone,) = self._told(verdict.evidence, [slot])
        return [found for found in alone.found if found not in verdict.expected]

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
            cues=list(slot.cues),
            choices=slot.choices or None,
        )

    def _rule_named(self, check: RuleNamedCheck, environment: DomainEnvironment) -> Found:
        text = environment.log.final_message
        if not text.strip():
            return False, {"message": "", "rule": check.rule, "reason": "nothing was said"}
        recital = _recital(text, environment)
        if recital is not None:
            return False, {"message": text[:500], "rule": check.rule, "reason": recital}
        recited = _recited_rules(text, environment)
        if len(recited) > 1:
            return False, {"message": text[:500], "rule": check.rule, "recited": recited}
        verdict = rule_named(environment.domain, check.rule, check.concepts, text)
        return verdict.passed, {"message": text[:500], "rule": check.rule, "reason": verdict.reason}


def _without_labels(text: str, check: SlotsCheck) -> str:
    """A message without the numbers and dates that only name the row asked about ("the kettle, 0.6
    l").
    """
    for slot in check.slots:
        for cue in slot.cues:
            if any(c.isdigit() for c in cue):
                text = re.sub(re.escape(cue), "it", text, flags=re.IGNORECASE)
    return text


def _recital(text: str, environment: DomainEnvironment) -> str | None:
    """How a message hands on records instead of saying what matters; None where it does not."""
    if _repeats_a_result(text, environment):
        return "a tool's result is repeated as it is"
    if len(_FIGURE.findall(text)) > RECITAL_FIGURES:
        return "figures are recited"
    if len(_PAIR.findall(text)) > RECITAL_PAIRS:
        return "records are recited"
    return None


def _repeats_a_result(text: str, environment: DomainEnvironment) -> bool:
    """Whether a message hands on what a tool returned, for the user to find the answer in."""
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


def _state(requirement: Requirement, goal: Goal, environment: DomainEnvironment) -> Found:
    check: Any = requirement.check
    expected = {name: _scalar(goal, source) for name, source in check.expected.items()}
    rows = environment.query(f"SELECT ({check.sql})", expected)
    if len(rows) != 1 or rows[0][0] not in (0, 1):
        raise DefectError(f"requirement {requirement.id} is no boolean: it gives {rows[:3]!r}")
    return bool(rows[0][0]), {"expected": expected, "predicate": check.sql}


def _scalar(goal: Goal, source: Source) -> Any:
    rows = goal.values[source]
    return rows[0][0] if rows else None


def _frame(check: FrameCheck, goal: Goal, changed: Footprint) -> Found:
    """Nothing else is changed, and nothing else was on the way: not even to be put right again."""
    besides = frozenset((table, str(key), column) for table, key, column in check.cells)
    allowed = goal.footprint if check.allow == "goal" else _NOTHING
    outside = sorted(changed.cells - allowed.cells - besides)
    passing = sorted(changed.touched - allowed.touched - besides)
    surplus = {t: n for t, n in changed.made.items() if n > allowed.made.get(t, 0)}
    found = {
        "changed": [list(c) for c in outside],
        "created": surplus,
        "written": [list(c) for c in passing],
    }
    return not (outside or surplus or passing), found


_NOTHING = Footprint(frozenset(), {}, frozenset(), {})


def _trace(check: Any, entries: Sequence[Any]) -> Found:
    if isinstance(check, LookedUpCheck):
        return _looked_up(check, entries)
    if isinstance(check, AskedCheck):
        return _asked(check, entries)
    if isinstance(check, OrderCheck):
        return _in_order(check, entries)
    assert isinstance(check, NotCalledCheck)
    called = [e.tool for e in _succeeded(entries) if e.tool in check.tools]
    return not called, {"called": called}


def _succeeded(entries: Iterable[Any]) -> list[CallEntry]:
    return [e for e in entries if isinstance(e, CallEntry) and e.ok]


def _looked_up(check: LookedUpCheck, entries: Sequence[Any]) -> Found:
    """The rows were seen, or the refusal met, before the last message."""
    last = max((i for i, e in enumerate(entries) if _spoken(e)), default=len(entries))
    before = entries[:last]
    refused = [e for e in before if isinstance(e, CallEntry) and not e.ok]
    if any(e.code == check.or_refused and _is_call(e, check.refused) for e in refused):
        return True, None
    seen = {place for e in _succeeded(before) for place in e.seen}
    missing = [list(place) for place in check.rows if tuple(place) not in seen]
    return not missing and bool(check.rows), {"not_seen": missing}


def _spoken(entry: Any) -> bool:
    return isinstance(entry, Message) and entry.role == "assistant"


def _asked(check: AskedCheck, entries: Sequence[Any]) -> Found:
    for entry in entries:
        if isinstance(entry, CallEntry) and entry.ok and entry.writes:
            return False, {"fact": check.fact, "written": entry.tool}
        if (
            isinstance(entry, Event)
            and entry.kind == "asked"
            and entry.subject.get("fact") == check.fact
        ):
            return True, None
    return False, {"fact": check.fact, "asked": False}


def _is_call(entry: CallEntry, wanted: Call | None) -> bool:
    """Whether a call is the one wanted; arguments that are not listed may have any value."""
    if wanted is None:
        return True
    given = entry.arguments
    return entry.tool == wanted.tool and all(given.get(k) == v for k, v in wanted.arguments.items())


def _in_order(check: OrderCheck, entries: Sequence[Any]) -> Found:
    waiting = list(check.calls)
    for entry in _succeeded(entries):
        if waiting and _is_call(entry, waiting[0]):
            waiting.pop(0)
    return not waiting, {"missing": [c.tool for c in waiting]}


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


def judge(task: Task, environment: DomainEnvironment) -> Verdict:
    """Judge an episode on the environment it ran in, which is left as it is."""
    twin = environment.fresh()
    try:
        return Verifier(task, twin).judge(environment)
    finally:
        twin.close()
