"""Opening a task: its world, built again from the record alone, at its start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import orjson

from ..compose import load
from ..domain import Domain
from ..environment import DomainEnvironment
from ..errors import SuiteVersionError, UsageError
from ..records import Task


def open_task(
    task: Task,
    *,
    suite: str = "the task",
    paths: Sequence[Path | str] = (),
    trust: bool = False,
    record_changes: bool = False,
) -> DomainEnvironment:
    """Build a task's world and stand at its start.

    Raises:
        UsageError: it starts in a system written by others.
        UnknownDomain, UntrustedDomain: the domain can't be loaded.
        SuiteVersionError: the domain has another version or content than the task was made for.
    """
    refuse_systems(task)
    domain = load(task.world.name, paths=paths, trust=trust)
    check_version(task, domain, suite)
    environment = at_start(task, domain, record_changes=record_changes)
    found = environment.capture().state_hash
    if found != task.world.snapshot:
        environment.close()
        raise SuiteVersionError(suite, f"start state {task.world.snapshot[:12]}", found[:12])
    return environment


def refuse_systems(task: Task) -> None:
    """Raise UsageError for a task in a system written by others, which no catalogue builds."""
    if task.world.kind == "system":
        raise UsageError(
            f"{task.world.name} is a system written by others",
            "its tasks are replayed and judged by `python -m davinci_env.egts`",
        )


def check_version(task: Task, domain: Domain, suite: str) -> None:
    """Raise SuiteVersionError where the domain isn't the one that the task was certified for."""
    made_for = f"{task.world.name} {task.world.version} ({task.world.content_hash})"
    present = f"{domain.name} {domain.version} ({domain.content_hash})"
    if made_for != present:
        raise SuiteVersionError(suite, made_for, present)


def at_start(task: Task, domain: Domain, *, record_changes: bool = False) -> DomainEnvironment:
    """A new environment at the task's start, whatever the domain's version."""
    world = domain.build(task.world.seed, task.world.scale)
    environment = DomainEnvironment(
        domain, world, task.actor, seed=task.world.seed, scale=task.world.scale,
        record_changes=record_changes,
    )  # fmt: skip
    environment.appearing = appearing(task, domain)
    if task.world.start_changes is not None:
        environment.start_from(orjson.dumps(task.world.start_changes))
    return environment


NEVER = 1_000_000
"""The turn in which a tool appears that the task doesn't have."""


def appearing(task: Task, domain: Domain) -> dict[str, int]:
    """From which turn on the tools can be seen that can't from the start."""
    turns = {name: NEVER for name in domain.tools if name not in task.tools}
    for number, turn in enumerate(task.request.turns):
        turns.update(dict.fromkeys(turn.tools, number))
    return turns
