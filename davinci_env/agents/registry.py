"""Agents by name. `openai:MODEL` is any model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from ..domain import Domain, load
from ..errors import UsageError, require_extra
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


def check_agent(name: str) -> None:
    """Raise UsageError unless `make_agent` can make an agent of this name."""
    if name in AGENTS:
        return
    if not name.startswith(_MODEL) or name == _MODEL:
        raise UsageError(
            f"there is no agent {name!r}", f"choose one of {', '.join(AGENTS)}, or {_MODEL}MODEL"
        )
    require_extra("models", "openai", "a model as agent")


def make_agent(name: str, task: Task, domain: Domain | None = None, *, draw: str = "") -> Agent:
    """Make the agent that plays one episode of a task.

    Args:
        name: one of `AGENTS`, or `openai:MODEL`.
        task: the oracle gets its solution, every other agent nothing but a seed from its id.
        domain: the task's domain (default: the one of that name in the catalogue).
        draw: tells several attempts apart, so that an agent that draws lots draws others.

    Raises:
        UsageError: no such agent.
        MissingExtra: a model is wanted and the extra `models` is not installed.
    """
    check_agent(name)
    if name == "oracle":
        return Oracle(task)
    seed = f"{task.id}:{name}{draw}"
    if name in _BARE:
        return _BARE[name]()
    if name in _SEEDED:
        return _SEEDED[name](seed)
    if name in _KNOWING:
        return _KNOWING[name](domain if domain is not None else _shipped(task.world.name), seed)
    from .openai_agent import OpenAIAgent

    return OpenAIAgent(name.removeprefix(_MODEL))


@cache
def _shipped(name: str) -> Domain:
    """A domain of the catalogue, looked for once."""
    return load(name)
