"""Trajectories: what happened in an episode, as a record. No clock time enters it, so that equal
runs give equal bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..agents.protocol import chat
from ..environment import CallEntry, Environment, Event, Message
from ..records import (
    AgentInfo,
    FunctionTool,
    Initial,
    Step,
    Task,
    Terminal,
    Trajectory,
    Verdict,
    content_id,
    encode,
)
from .runner import Episode


def trajectory(
    task: Task,
    environment: Environment,
    episode: Episode,
    verdict: Verdict,
    agent: AgentInfo,
    *,
    trial: int = 0,
) -> Trajectory:
    """Record a finished episode.

    Args:
        environment: the one it was played on, as it ended, with its log.
        episode: played with `record_hashes=True`.
        trial: tells several attempts of one agent at one task apart.
    """
    outcome = environment.capture()
    homes = {spec.name: spec.home for spec in environment.tools() if spec.home}
    steps = tuple(
        _step(homes, i, entry, episode.hashes[i] if i < len(episode.hashes) else None)
        for i, entry in enumerate(environment.log)
    )
    name: dict[str, Any] = {
        "task": task.id, "agent": agent.model_dump(), "trial": trial, "end": outcome.state_hash,
    }  # fmt: skip
    return Trajectory.model_validate(
        {
            "schema": "davinci/trajectory@1",
            "id": content_id(name),
            "task_id": task.id,
            "source": task.source,
            "kind": task.kind,
            "benchmark": task.benchmark,
            "world": task.world,
            "agent": agent,
            "messages": tuple(_messages(task, environment, episode)),
            "tools": tuple(
                FunctionTool.model_validate(t.as_function()) for t in environment.tools()
            ),
            "steps": steps,
            "initial": Initial(snapshot=task.world.snapshot, hash=task.world.snapshot),
            "terminal": Terminal(hash=outcome.state_hash, diff=tuple(outcome.diff)),
            "verdict": verdict,
            "usage": _usage(environment),
            "finish_reason": episode.finish_reason,
        }
    )


def _messages(task: Task, environment: Environment, episode: Episode) -> list[dict[str, Any]]:
    """The conversation. Not to be learned are missteps, refused calls (except where the refusal is
    the point, or the user mistyped), and what was said before all the tools were there that the
    record lists.
    """
    messages = chat(environment)
    calls = enumerate(environment.log.calls())
    wanted = {getattr(r.check, "or_refused", None) for r in task.requirements} - {None}
    mistyped = {i["value"] for i in task.request.user.plan if "mistyped" in i}
    complete = max((k for k, turn in enumerate(task.request.turns) if turn.tools), default=0)
    turn = -1
    for message in messages:
        turn += message["role"] == "user" and message["content"] in _openings(task)
        unlearned = message["role"] == "assistant" and turn < complete
        if "tool_calls" in message:
            number, call = next(calls)
            due = call.ok or call.code in wanted or not mistyped.isdisjoint(_texts(call.arguments))
            unlearned |= number in episode.mistaken or not due
        if unlearned:
            message["weight"] = 0
    return messages


def _texts(arguments: Mapping[str, Any]) -> list[str]:
    return [value for value in arguments.values() if isinstance(value, str)]


def _openings(task: Task) -> list[str]:
    """The messages with which the user's turns begin."""
    return [task.request.text, *[turn.text for turn in task.request.turns[1:]]]


def _step(homes: Mapping[str, str], index: int, entry: Any, state_hash: str | None) -> Step:
    if isinstance(entry, CallEntry):
        return Step(
            index=index, by="agent", type="call", tool=entry.tool, domain=homes.get(entry.tool),
            arguments=_json(entry.arguments), result=entry.result.content, error_code=entry.code,
            changes=tuple(entry.changes), state_hash=state_hash, violated=entry.violated,
        )  # fmt: skip
    if isinstance(entry, Event):
        event = {"kind": entry.kind, **_json(entry.subject)}
        return Step(index=index, by="user", type="event", state_hash=state_hash, event=event)
    assert isinstance(entry, Message)
    by: Any = "agent" if entry.role == "assistant" else "user"
    return Step(index=index, by=by, type="message", result=entry.text, state_hash=state_hash)


def _json(value: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON copy, so that a record never shares what an agent may still change."""
    copied: dict[str, Any] = json.loads(encode(dict(value)))
    return copied


def _usage(environment: Environment) -> dict[str, int]:
    entries = environment.log.entries
    calls = [e for e in entries if isinstance(e, CallEntry)]
    return {
        "messages": sum(isinstance(e, Message) for e in entries),
        "calls": len(calls),
        "writes": sum(e.writes and e.ok for e in calls),
        "refused": sum(not e.ok for e in calls),
    }
