"""The runner: an agent and a user talk while tools act on an environment, until the script or a
limit ends it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ..agents.protocol import Agent, Call, Reading, Turn, User, View
from ..environment import Environment, Event, Message
from ..records import Task

FinishReason = Literal["done", "max_steps"]

MAX_STEPS = 60
"""Most actions of an agent in one episode."""


@dataclass
class Episode:
    """How an episode went, beside the environment's log: why it ended, the state's hash after each
    entry, and which of the calls, counted from 0, the agent itself sees as missteps.
    """

    finish_reason: FinishReason
    steps: int
    hashes: list[str] = field(default_factory=list)
    mistaken: set[int] = field(default_factory=set)


def play(
    environment: Environment,
    agent: Agent,
    user: User,
    *,
    intents: tuple[object, ...] = (),
    max_steps: int = MAX_STEPS,
    record_hashes: bool = False,
) -> Episode:
    """Play one episode from the environment's present state.

    Args:
        environment: stands at the task's start with an empty log.
        intents: the structured reading of the request, for agents without a model.
        record_hashes: note the state's hash after every log entry.
    """
    reading = Reading(intents=intents)  # type: ignore[arg-type]
    view = View(environment, reading)
    episode = Episode("done", 0)
    _hear(environment, reading, user.open())
    _note(environment, episode, record_hashes)
    while episode.steps < max_steps:
        episode.steps += 1
        action = agent.act(view)
        if isinstance(action, Call):
            if action.mistaken:
                episode.mistaken.add(sum(1 for _ in environment.log.calls()))
            environment.call(action.tool, action.arguments)
            _note(environment, episode, record_hashes)
            continue
        environment.observe(Message("assistant", action.text))
        for event in user.heard(action.text):
            environment.observe(event)
        turn = user.reply(action.text)
        if turn is None:
            _note(environment, episode, record_hashes)
            return episode
        _hear(environment, reading, turn)
        _note(environment, episode, record_hashes)
    episode.finish_reason = "max_steps"
    return episode


def play_task(
    task: Task, environment: Environment, agent: Agent, user: User, *, max_steps: int = MAX_STEPS,
    record_hashes: bool = False,
) -> Episode:  # fmt: skip
    """Play a task; the intents come from its request."""
    return play(
        environment, agent, user, intents=task.request.intents, max_steps=max_steps,
        record_hashes=record_hashes,
    )  # fmt: skip


def _hear(environment: Environment, reading: Reading, turn: Turn) -> None:
    """Let the agent hear the user: the text goes to the log, what it means also to the reading."""
    for event in turn.events:
        if event.kind == "turn":
            environment.observe(event)
            reading.turn, reading.intents = int(event.subject["index"]), turn.intents
            reading.events.append(event)
    environment.observe(Message("user", turn.text))
    for event in turn.events:
        if event.kind == "turn":
            continue
        environment.observe(event)
        reading.events.append(event)
        if event.kind == "revealed":
            reading.facts[str(event.subject["fact"])] = event.subject["value"]


def _note(environment: Environment, episode: Episode, wanted: bool) -> None:
    if not wanted:
        return
    state_hash = environment.capture().state_hash
    while len(episode.hashes) < len(environment.log):
        episode.hashes.append(state_hash)


__all__ = ["Episode", "Event", "FinishReason", "play", "play_task"]
