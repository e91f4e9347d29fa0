"""Trials: what agents that do it wrong pass of a corpus' tasks.

An error is held against tasks only where it can occur: where the agent that makes it says or
changes something else than the expert does.
"""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from pathlib import Path
from typing import Any, Final

from davinci_env.agents import make_agent
from davinci_env.agents.expert import Expert
from davinci_env.agents.imperfect import MODES
from davinci_env.agents.protocol import Agent
from davinci_env.agents.users import ScriptedUser
from davinci_env.domain import Domain
from davinci_env.environment import CallEntry, DomainEnvironment, Message
from davinci_env.episodes.pool import ordered_map
from davinci_env.episodes.runner import play_task
from davinci_env.records import Task, content_id, encode
from davinci_env.stats.corpus import Corpus
from davinci_env.stats.measures import Measure, Target, share
from davinci_env.verify import Verifier, open_task

EXPERT: Final = "expert"

ERRORS: Final = ("skipped-confirmation", "premature-stop", "stale-value", "extra-write")
"""Errors that have to fail where they occur."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How the agents did at one task."""

    domain: str
    passed: dict[str, bool]
    erred: dict[str, bool]
    """Whether an agent said or changed something else than the expert."""


def draw_tasks(corpus: Corpus, n: int | None = None, seed: int = 0) -> list[Task]:
    """Draw `n` tasks of a corpus by their ids, in the corpus' order; all of them by default."""
    tasks = [case.task for case in corpus.cases]
    if n is None or n >= len(tasks):
        return tasks
    drawn = set(nsmallest(n, (content_id([seed, task.id]) for task in tasks)))
    return [task for task in tasks if content_id([seed, task.id]) in drawn]


def play_trials(
    tasks: Sequence[Task],
    jobs: int = 1,
    *,
    paths: Sequence[Path | str] = (),
    trust: bool = False,
) -> Iterator[Trial]:
    """Let each agent play each task, and yield how they did, in order.

    Raises:
        SuiteVersionError: a task was made for another version of its domain.
    """
    work = functools.partial(_play, paths=tuple(map(str, paths)), trust=trust)
    return ordered_map(work, tasks, jobs)


def _play(task: Task, *, paths: tuple[str, ...], trust: bool) -> Trial:
    """Let each agent play one task on the same world, from its start."""
    environment = open_task(task, paths=paths, trust=trust)
    try:
        verifier = Verifier(task, environment)
        start = environment.snapshot()
        passed: dict[str, bool] = {}
        deeds: dict[str, bytes] = {}
        for name, agent in _agents(task, environment.domain):
            environment.restore(start)
            play_task(task, environment, agent, ScriptedUser(task))
            passed[name] = verifier.judge(environment).passed
            deeds[name] = _deeds(environment)
    finally:
        environment.close()
    erred = {name: deeds[name] != deeds[EXPERT] for name in deeds}
    return Trial(task.world.name, passed, erred)


def _agents(task: Task, domain: Domain) -> Iterator[tuple[str, Agent]]:
    """The agents with their names. The expert and its imperfect likes draw the same lots, so that
    they differ only in the error.
    """
    yield EXPERT, Expert(domain, task.id)
    for name in ("first-match", "rule-breaker"):
        yield name, make_agent(name, task, domain)
    for mode in ERRORS:
        yield mode, MODES[mode](domain, task.id)


def _deeds(environment: DomainEnvironment) -> bytes:
    """What was said and changed in an episode, in order. To read more or less is no error."""
    entries: list[Any] = []
    for entry in environment.log:
        if isinstance(entry, Message):
            entries.append(entry.text)
        elif isinstance(entry, CallEntry) and entry.writes and entry.ok:
            entries.append([entry.tool, dict(entry.arguments)])
    return encode(entries)


def trials(played: Sequence[Trial]) -> list[Measure]:
    """What the agents pass, and what they may: errors only where they occurred."""
    found = [
        _passes(EXPERT, played, None),
        _passes("first-match", played, Target(most=0.5)),
        _passes("rule-breaker", played, Target(most=0.85)),
    ]
    for mode in ERRORS:
        where = [trial for trial in played if trial.erred[mode]]
        found.append(_passes(mode, where, Target(most=0.7)))
    return found


def _passes(agent: str, played: Sequence[Trial], target: Target | None) -> Measure:
    value, of = share(trial.passed[agent] for trial in played)
    return Measure(f"agents/{agent}", value, of, target)
