"""Tasks of systems: what a candidate asks for, with what was recorded of it as its verifier.

A system written by others can't be asked what a right outcome is. So a task that changes something
demands the recorded terminal state, whole; one that only asks demands that nothing has changed; and
what is asked for has the recorded values, with those of other rows as decoys (paper B.1.4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .. import __version__
from ..environment import CallEntry, Message
from ..records import (
    AnswerRequirement,
    Call,
    Difficulty,
    FrameCheck,
    FrameRequirement,
    Provenance,
    Request,
    Requirement,
    Say,
    SlotsCheck,
    Source,
    StateRequirement,
    Task,
    TerminalCheck,
    User,
    UserTurn,
    World,
    task_id,
)
from ..records import Slot as AnswerSlot
from .evidence import Unfound
from .model import Candidate, Picked, Returned, Several, Slot, Wish
from .origins import leaves
from .systems import SystemEnvironment
from .values import JUDGED, expected

GENERATOR = "davinci-env egts"


def task_of(candidate: Candidate, environment: SystemEnvironment) -> Task:
    """The task that a candidate makes, judged by what was recorded.

    Args:
        environment: as a replay of it ended; its log becomes the solution.

    Raises:
        Unfound: a recorded value is none of its type (`unsayable`).
    """
    requirements = tuple(_requirements(candidate))
    solution = tuple(_solution(environment))
    world = World(
        name=candidate.system, kind="system", version=candidate.version,
        content_hash=environment.metadata.content_hash, seed=candidate.seed, scale=1.0,
        start_changes=None, snapshot=candidate.initial,
    )  # fmt: skip
    request, kind = _request(candidate), _kind(candidate)
    goals = (tuple(_writes(candidate, environment)),)
    calls = list(environment.log.calls())
    writes = sum(entry.writes for entry in calls)
    asked: dict[str, Any] = {
        "world": world, "actor": None, "kind": kind, "request": request,
        "requirements": requirements, "goals": goals,
    }  # fmt: skip
    return Task.model_validate(
        {
            **asked,
            "schema": "davinci/task@1",
            "id": task_id(**asked),
            "source": "egts",
            "forms": forms_of(candidate),
            "benchmark": candidate.benchmark,
            "tools": tuple(spec.name for spec in environment.tools()),
            "solution": solution,
            "answer": {s.name: s.value for w in candidate.wishes for s in w.slots} or None,
            "certificate": None,
            "difficulty": Difficulty(
                calls=len(calls),
                writes=writes,
                reads=len(calls) - writes,
                rule_chain=0,
                domains=1,
                transitions=0,
                turns=len(candidate.turns),
            ),
            "provenance": Provenance(
                generator=GENERATOR,
                version=__version__,
                seed=candidate.seed,
                model=candidate.model,
            ),
        }
    )


def forms_of(candidate: Candidate) -> tuple[str, ...]:
    """What makes a request more than a plain wish, in the records' words: a row picked by
    comparison, a number of rows, a change that builds on another, a wish in a later message.
    """
    origins = [o for step in candidate.guidance for o in leaves(step.arguments).values()]
    slots = [slot for wish in candidate.wishes for slot in wish.slots]
    done = {wish.step for wish in candidate.wishes if wish.kind == "do"}
    parts = [item for o in origins for item in (o.items if isinstance(o, Several) else (o,))]
    found = {
        "selection": any(isinstance(o, Picked) for o in [*parts, *(s.origin for s in slots)]),
        "aggregate": any(slot.count for slot in slots),
        "dependent": any(isinstance(o, Returned) and o.step in done for o in parts),
        "further-wish": len(candidate.turns) > 1,
    }
    return tuple(form for form, holds in found.items() if holds)


def _kind(candidate: Candidate) -> str:
    kinds = {wish.kind for wish in candidate.wishes}
    return "act+ask" if len(kinds) > 1 else "act" if kinds == {"do"} else "ask"


def _request(candidate: Candidate) -> Request:
    turns = [
        UserTurn(
            text=text,
            checkpoint=True,
            act="wish" if number else "request",
            intents=_intents(candidate, number) if number else (),
        )
        for number, text in enumerate(candidate.turns)
    ]
    return Request(
        text=candidate.turns[0],
        persona=f"somebody who uses {candidate.system}",
        facts={name: fact.value for name, fact in candidate.facts.items()},
        intents=_intents(candidate, 0),
        user=User(),
        turns=tuple(turns),
    )


def _intents(candidate: Candidate, turn: int) -> tuple[dict[str, Any], ...]:
    """What a message asks for: the tool that does it, or shows it."""
    return tuple({wish.kind: {"tool": wish.tool}} for wish in candidate.wishes if wish.turn == turn)


def _solution(environment: SystemEnvironment) -> Iterator[Call | Say]:
    for entry in environment.log:
        if isinstance(entry, CallEntry):
            yield Call(tool=entry.tool, arguments=dict(entry.arguments))
        elif isinstance(entry, Message) and entry.role == "assistant":
            yield Say(say=entry.text)


def _writes(candidate: Candidate, environment: SystemEnvironment) -> Iterator[Call]:
    """The recorded calls that may change something."""
    reads = {spec.name for spec in environment.tools() if spec.annotations["readOnlyHint"]}
    for step, call in zip(candidate.guidance, candidate.calls, strict=True):
        if call["tool"] not in reads:
            turn = candidate.wishes[step.wish].turn
            yield Call.model_validate({**call, "turn": turn})


def _requirements(candidate: Candidate) -> Iterator[Requirement]:
    last = len(candidate.turns) - 1
    if candidate.terminal != candidate.initial:
        yield StateRequirement(
            id="state", turn=last, kind="state", check=TerminalCheck(terminal=candidate.terminal),
            text="What was asked for is done, and nothing else is changed.",
        )  # fmt: skip
    else:
        yield FrameRequirement(
            id="frame", turn=last, kind="frame", check=FrameCheck(allow="nothing", cells=()),
            text="Nothing is changed.",
        )  # fmt: skip
    for turn in range(last + 1):
        slots = list(_slots(candidate, turn))
        if slots:
            yield AnswerRequirement(
                id=f"answer-{turn + 1}" if last else "answer", turn=turn, kind="answer",
                check=SlotsCheck(slots=tuple(slots)),
                text="The user is told what they asked for.",
            )  # fmt: skip


def asked_slots(candidate: Candidate, turn: int) -> list[tuple[Wish, Slot]]:
    """What a message asks to be told. What a report names of its own accord isn't demanded."""
    return [
        (wish, slot)
        for wish in candidate.wishes
        if wish.turn == turn and wish.kind == "ask"
        for slot in wish.slots
    ]


def _slots(candidate: Candidate, turn: int) -> Iterator[AnswerSlot]:
    """The slots of a turn; two that have the same value are one."""
    seen: list[Any] = []
    for wish, slot in asked_slots(candidate, turn):
        value = expected(slot.type, slot.value)
        if (slot.type, value) in seen:
            continue
        seen.append((slot.type, value))
        decoys = list(_decoys(slot, value, candidate))
        yield AnswerSlot.model_validate(
            {
                "name": slot.name,
                "type": JUDGED.get(slot.type, slot.type),
                "expected": Source(over="record", value=value),
                "decoys": Source(over="record", value=decoys) if decoys else None,
                "cues": slot.cues or cues_of(wish.report, slot.name),
            }
        )


_SMALL = frozenset({
    "and", "are", "behind", "for", "from", "has", "have", "its", "says", "stands", "that", "the",
    "there", "they", "this", "under", "was", "were", "with", "you", "your",
})  # fmt: skip
"""Words that call nothing."""


def cues_of(report: str, name: str) -> tuple[str, ...]:
    """What a report calls a value: the words before it, back to the value or mark before; where the
    report begins with a value, the word after it.
    """
    first = report.partition("{")[0]
    before, _, after = report.partition("{" + name + "}")
    if _meaningful(first):
        clause = re.split(r"[{},;:.]", before)[-1]
        words = _meaningful(clause) or _meaningful(re.split(r"[{}]", before)[-1])
        return (" ".join(words[-2:]),) if words else ()
    return tuple(_meaningful(after.partition("{")[0])[:1])


def _meaningful(text: str) -> list[str]:
    return [w for w in re.findall(r"[^\W\d_]{3,}", text) if w.casefold() not in _SMALL]


def _decoys(slot: Slot, value: Any, candidate: Candidate) -> Iterator[Any]:
    """Values of other rows, but for those that the user's own words state."""
    stated = [fact.value for fact in candidate.facts.values()]
    seen: list[Any] = [value]
    for other in slot.others:
        listed = slot.type == "list" and not isinstance(other, list)
        try:
            decoy = expected(slot.type, [other] if listed else other)
        except Unfound:
            continue  # it can't be said, so nobody says it
        if decoy not in seen and other not in stated:
            seen.append(decoy)
            yield decoy
