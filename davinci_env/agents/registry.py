"""Agents by name. `imperfect:MODE` is the expert with one kind of error, `openai:MODEL` any model
behind an OpenAI-compatible endpoint.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from ..compose import load
from ..domain import Domain
from ..errors import UsageError, require_extra
from ..records import Task
from . import baselines
from .expert import Expert
from .imperfect import MODES, RuleBreaker, imperfect
from .oracle import Oracle
from .protocol import Agent

_MODEL: Final = "openai:"
_IMPERFECT: Final = "imperfect"

SLIPS = 0.12
"""How many of the expert's episodes are to have a slip; about half of them find an occasion."""

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
    "expert": lambda domain, seed: Expert(domain, seed, slips=SLIPS),
    "guess": baselines.Guess,
    "first-match": baselines.FirstMatch,
    "refuse-after-reading": baselines.RefuseAfterReading,
    "rule-breaker": RuleBreaker,
    **{f"{_IMPERFECT}:{mode}": kind for mode, kind in MODES.items()},
}

AGENTS: Final = ("oracle", *sorted({**_BARE, **_SEEDED, **_KNOWING}))
"""Names of the agents that need no model, beside `imperfect`, which is one of the imperfect ones by
lot.
"""


def check_agent(name: str) -> None:
    """Raise UsageError unless `make_agent` can make an agent of this name."""
    if name in AGENTS or name == _IMPERFECT:
        return
    if name.startswith(f"{_IMPERFECT}:"):
        raise UsageError(
            f"there is no way of being imperfect called {name.partition(':')[2]!r}",
            f"choose one of {', '.join(MODES)}",
        )
    if not name.startswith(_MODEL) or name == _MODEL:
        raise UsageError(
            f"there is no agent {name!r}",
            f"choose one of {', '.join(AGENTS)}, {_IMPERFECT}, or {_MODEL}MODEL",
        )
    require_extra("models", "openai", "a model as agent")


def make_agent(name: str, task: Task, domain: Domain | None = None, *, draw: str = "") -> Agent:
    """Make the agent that plays one episode of a task.

    Args:
        name: one of `AGENTS`, `imperfect`, or `openai:MODEL`.
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
    if name in _KNOWING or name == _IMPERFECT:
        known = domain if domain is not None else _shipped(task.world.name)
        return imperfect(known, seed) if name == _IMPERFECT else _KNOWING[name](known, seed)
    from .openai_agent import OpenAIAgent

    return OpenAIAgent(name.removeprefix(_MODEL))


@cache
def _shipped(name: str) -> Domain:
    """A domain of the catalogue, looked for once."""
    return load(name)
