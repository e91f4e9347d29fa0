"""Agents by name. `openai:MODEL` is any model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..domain import Domain, load
from ..errors import UsageError
from ..records import Task
from . import baselines
from .expert import Expert
from .oracle import Oracle
from .protocol import Agent

_MODEL: Final = "openai:"

_BARE: dict[str, Callable[[], Agent]] = {
    "noop": baselines.Noop,
    "talk": baselines.Talk,
    "refuse": baselines.Refuse,
    "ask-always": baselines.AskAlways,
}
_SEEDED: dict[str, Callable[[str], Agent]] = {
    "reader": baselines.Reader,
    "random": baselines.Random,
}
_KNOWING: dict[str, Callable[[Domain, str], Agent]] = {
    "expert": Expert,
    "guess": baselines.Guess,
    "first-match": baselines.FirstMatch,
    "refuse-after-reading": baselines.RefuseAfterReading,
}

AGENTS: Final = ("oracle", *sorted({**_BARE, **_SEEDED, **_KNOWING}))
"""Names of the agents that need no model."""


def make_agent(name: str, task: Task, domain: Domain | None = None) -> Agent:
    """Make the agent that plays one episode of a task.

    Args:
        name: one of `AGENTS`, or `openai:MODEL`.
        task: the oracle gets its solution, every other agent nothing but a seed from its id.
        domain: the task's domain (default: loaded by name).

    Raises:
        UsageError: no such agent.
        MissingExtra: a model is wanted and the extra `models` is not installed.
    """
    if name == "oracle":
        return Oracle(task)
    seed = f"{task.id}:{name}"
    if name in _BARE:
        return _BARE[name]()
    if name in _SEEDED:
        return _SEEDED[name](seed)
    if name in _KNOWING:
        return _KNOWING[name](domain if domain is not None else load(task.world.name), seed)
    if name.startswith(_MODEL) and len(name) > len(_MODEL):
        from .openai_agent import OpenAIAgent

        return OpenAIAgent(name.removeprefix(_MODEL))
    raise UsageError(
        f"there is no agent {name!r}", f"choose one of {', '.join(AGENTS)}, or {_MODEL}MODEL"
    )
