"""The audit of a replay: structure, execution, consistency, quality (paper B.1.4).

Each fault has a code; what has one is kept with it, outside the corpus. Only here is the record of
the exploration set against the replay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from ..records import (
    AssistantMessage,
    SystemMessage,
    ToolMessage,
    Trajectory,
    UserMessage,
)
from .evidence import Unfound, rows_of
from .lexicon import Lexicon, ToolWords
from .model import Candidate
from .systems import SystemEnvironment
from .systems.schemas import problem_of
from .values import say

SHORTEST, LONGEST = 8, 900
"""Characters of a message of the user's."""

LONGEST_ANSWER = 1500
"""Characters of a message of the agent's."""

MOST_CALLS = 24
"""Calls of a demonstration."""

TELLING = 3
"""From so many characters on, a value that stands in a text stands there for a reason."""

AT_MOST = 20
"""Demonstrations of one sequence of tools in a system."""


class Fault(NamedTuple):
    """Why a replay is not good enough."""

    reason: str
    detail: str = ""


def fault_of(
    candidate: Candidate, trajectory: Trajectory, environment: SystemEnvironment, lexicon: Lexicon
) -> Fault | None:
    """The first fault of a replay; None where it has none.

    Args:
        environment: as the replay ended.
    """
    checks = (
        _structure(trajectory, environment),
        _execution(environment),
        _consistency(candidate, trajectory, environment, lexicon),
        _quality(candidate, trajectory),
    )
    return next((fault for faults in checks for fault in faults), None)


# -- structure -------------------------------------------------------------------------------------


def _structure(trajectory: Trajectory, environment: SystemEnvironment) -> Iterator[Fault]:
    yield from _conversation(trajectory)
    schemas = {spec.name: spec.parameters for spec in environment.tools()}
    for message in trajectory.messages:
        for call in getattr(message, "tool_calls", None) or ():
            name, arguments = call.function.name, call.function.arguments
            if name not in schemas:
                yield Fault("unknown-tool", name)
            elif problem := problem_of(schemas[name], arguments):
                yield Fault("arguments-invalid", f"{name}: {problem}")


def _conversation(trajectory: Trajectory) -> Iterator[Fault]:
    """System, then user and agent in turns; each call is followed by its result."""
    first, *rest = trajectory.messages or (None,)
    if not isinstance(first, SystemMessage):
        yield Fault("messages-out-of-order", "the system message doesn't stand first")
        return
    waiting: list[str] = []
    users_turn = True
    for message in rest:
        if isinstance(message, ToolMessage):
            if not waiting or message.tool_call_id != waiting.pop(0):
                yield Fault("result-without-call", message.tool_call_id)
        elif waiting:
            yield Fault("call-without-result", waiting[0])
            waiting.clear()
        elif users_turn != isinstance(message, UserMessage):
            yield Fault("messages-out-of-order", message.role)
        elif isinstance(message, UserMessage):
            users_turn = False
        elif isinstance(message, AssistantMessage):
            waiting = [call.id for call in message.tool_calls or ()]
            users_turn = not waiting
    if waiting:
        yield Fault("call-without-result", waiting[0])
    if not users_turn:
        yield Fault("messages-out-of-order", "the last message is not the agent's")


# -- execution -------------------------------------------------------------------------------------


def _execution(environment: SystemEnvironment) -> Iterator[Fault]:
    for call in environment.log.calls():
        if not call.ok:
            yield Fault("call-failed", f"{call.tool}: {call.result.message}")


# -- consistency -----------------------------------------------------------------------------------


def _consistency(
    candidate: Candidate, trajectory: Trajectory, environment: SystemEnvironment, lexicon: Lexicon
) -> Iterator[Fault]:
    if environment.start_hash != candidate.initial:
        yield Fault("other-start")
    if trajectory.terminal.hash != candidate.terminal:
        yield Fault("other-terminal-state")
    for name, fact in candidate.facts.items():
        turns = candidate.turns[fact.turn : fact.turn + 1]
        if not fact.said or not any(fact.said in text for text in turns):
            yield Fault("fact-not-said", name)
    yield from _given_away(candidate)
    for name in _unexplained(candidate, environment, lexicon):
        yield Fault("argument-not-stated", name)
    failed = [r for r in trajectory.verdict.requirements if not r.passed]
    if failed or not trajectory.verdict.passed:
        yield Fault("verdict-failed", "; ".join(f"{r.id}: {r.evidence}" for r in failed))


def _given_away(candidate: Candidate) -> Iterator[Fault]:
    """Texts that are asked for and stand in the request already. A number may: the largest of some,
    a number without its sign.
    """
    for wish in candidate.wishes:
        heard = " ".join(candidate.turns[: wish.turn + 1]).casefold()
        for slot in wish.slots:
            if slot.type in ("yesno", "number", "whole", "money"):
                continue
            values = slot.value if isinstance(slot.value, list) else [slot.value]
            for value in values:
                if any(_occurs(text, heard) for text in _spellings(slot.type, value, slot.unit)):
                    yield Fault("answer-given-away", slot.name)


def _spellings(kind: Any, value: Any, unit: str) -> set[str]:
    found = {str(value)}
    with suppress(Unfound):
        found.add(say("name" if kind == "list" else kind, value, unit))
    return {text.casefold().strip('"') for text in found if text.strip()}


def _occurs(text: str, heard: str) -> bool:
    return re.search(rf"(?<![\w.,]){re.escape(text)}(?![\w]|[.,]\d)", heard) is not None


def _unexplained(
    candidate: Candidate, environment: SystemEnvironment, lexicon: Lexicon
) -> Iterator[str]:
    """Arguments of calls whose values nobody stated and no result showed."""
    schemas = {spec.name: spec.parameters for spec in environment.tools()}
    context = environment.metadata.policy
    stated = [
        f.value for f in candidate.facts.values() if any(f.said in t for t in candidate.turns)
    ]
    known: list[Any] = [context, *stated]
    for call in environment.log.calls():
        words = lexicon.tools.get(call.tool, ToolWords())
        properties = schemas.get(call.tool, {}).get("properties", {})
        for name, value in call.arguments.items():
            if value != properties.get(name, {}).get("default") and not _known(
                value, known, words, name
            ):
                yield f"{call.tool}.{name}"
        known += _leaves(call.result.data)
        known += _leaves(rows_of(words, call.result.data))


def _known(value: Any, known: list[Any], words: ToolWords, name: str) -> bool:
    """Whether a value, or each of its parts, is known as it is, stands in a text that is known, or
    is the same for everybody.
    """
    if name in words.args and value is not None and words.args[name].value == value:
        return True
    if any(value == one and type(value) is type(one) for one in known):
        return True
    if isinstance(value, list):
        return all(_known(one, known, words, name) for one in value)
    if isinstance(value, Mapping):
        return all(_known(one, known, words, f"{name}.{key}") for key, one in value.items())
    if isinstance(value, bool):
        return False
    if isinstance(value, int | float) and any(
        value == one for one in known if isinstance(one, int | float)
    ):
        return True
    if value in (None, ""):
        return True
    if isinstance(value, str) and any(value == str(one) for one in known if type(one) is int):
        return True  # a number, where the tool takes texts
    text = str(value).casefold()
    long = len(text) >= TELLING
    return long and any(_occurs(text, k.casefold()) for k in known if isinstance(k, str))


def _leaves(content: Any) -> Iterator[Any]:
    """Every value that a result shows, the keys of objects too, and lists as they are."""
    if isinstance(content, Mapping):
        for key, inner in content.items():
            yield key
            yield from _leaves(inner)
    elif isinstance(content, list):
        yield content
        for inner in content:
            yield from _leaves(inner)
    elif content is not None:
        yield content


# -- quality ---------------------------------------------------------------------------------------

_IDENTIFIERS = (
    re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE),
    re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,}\b"),
    re.compile(r"(?<![\w/])(?=\S*[a-z])(?=\S*[A-Z])(?=\S*\d)[A-Za-z0-9+/]{24,}={0,2}(?![\w/])"),
)
"""Universal ids, hashes, base64: nobody says them."""


def _quality(candidate: Candidate, trajectory: Trajectory) -> Iterator[Fault]:
    if any(wish.kind == "do" for wish in candidate.wishes):
        yield from _effect(candidate, trajectory)
    for text in candidate.turns:
        if any(pattern.search(text) for pattern in _IDENTIFIERS):
            yield Fault("identifier-in-request", text[:200])
        if len(text.strip()) < SHORTEST:
            yield Fault("too-short", text)
        elif len(text) > LONGEST:
            yield Fault("too-long", f"{len(text)} characters")
    calls = [step for step in trajectory.steps if step.type == "call"]
    if not calls:
        yield Fault("no-call")
    if len(calls) > MOST_CALLS:
        yield Fault("too-many-calls", str(len(calls)))
    for message in trajectory.messages:
        if isinstance(message, AssistantMessage) and not message.tool_calls:
            if not message.content.strip():
                yield Fault("nothing-said")
            elif len(message.content) > LONGEST_ANSWER:
                yield Fault("too-long", f"{len(message.content)} characters")
    yield from _empty(candidate, trajectory)


def _effect(candidate: Candidate, trajectory: Trajectory) -> Iterator[Fault]:
    """What was done stays done, and each state on the way is a new one."""
    if trajectory.terminal.hash == trajectory.initial.hash:
        yield Fault("already-true")
    states = [trajectory.initial.hash]
    for step in trajectory.steps:
        if step.type == "call" and step.state_hash not in (None, states[-1]):
            if step.state_hash in states:
                yield Fault("self-cancelling", step.tool or "")
            states.append(str(step.state_hash))


_NOTHING: Final[tuple[Any, ...]] = (None, "", [], {}, "None", "null", "[]", "{}")


def _empty(candidate: Candidate, trajectory: Trajectory) -> Iterator[Fault]:
    """Questions about nothing."""
    results = [step.result for step in trajectory.steps if step.type == "call"]
    for wish in candidate.wishes:
        shown: Any = results[wish.step] if wish.step < len(results) else None
        content = shown["result"] if isinstance(shown, dict) and set(shown) == {"result"} else shown
        if wish.kind == "ask" and content in _NOTHING:
            yield Fault("result-empty", wish.tool)
        if any(slot.value in _NOTHING for slot in wish.slots):
            yield Fault("result-empty", wish.tool)


def sequence_of(trajectory: Trajectory) -> str:
    """The tools that a demonstration calls, in order."""
    return " > ".join(step.tool or "" for step in trajectory.steps if step.type == "call")
