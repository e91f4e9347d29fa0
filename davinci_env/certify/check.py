"""Checking a suite: every certificate made again, from the records alone."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..compose import load
from ..episodes.place import replacing
from ..episodes.pool import ordered_map
from ..errors import DavinciError, RecordError
from ..records import Problem, Task, read_jsonl, task_id, to_line
from ..verify import at_start, check_version, refuse_systems
from .certificate import Rejected, certify

Progress = Callable[[int, int, str], None]


@dataclass
class CheckSummary:
    """What checking a suite found."""

    path: Path
    tasks: int = 0
    failed: list[dict[str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    by_kind: Counter[str] = field(default_factory=Counter)
    updated: bool = False

    @property
    def passed(self) -> bool:
        """Whether every line is a task and every certificate holds."""
        return not self.failed and not self.problems and self.tasks > 0

    def to_json(self) -> dict[str, Any]:
        """The summary as JSON."""
        return {
            "tasks": self.tasks,
            "certified": self.tasks - len(self.failed),
            "kinds": dict(sorted(self.by_kind.items())),
            "failed": self.failed,
            "problems": [p.to_json() for p in self.problems],
            "updated": self.updated,
        }


def check_suite(
    path: Path,
    jobs: int = 1,
    *,
    update: bool = False,
    paths: Sequence[Path | str] = (),
    trust: bool = False,
    progress: Progress | None = None,
) -> CheckSummary:
    """Make every certificate of a task file again.

    Args:
        update: certify for the domains' present versions and rewrite the file; tasks that don't
            hold any more are left out and reported. A file of which nothing holds stays as it is.

    Raises:
        RecordError: the file can't be read.
        SuiteVersionError: it was made for another version of its domain, and `update` is not given.
    """
    reading = read_jsonl(path, Task)
    summary = CheckSummary(path, problems=list(reading.problems))
    if not reading.records and not reading.problems:
        raise RecordError(
            "the file holds no task", "name a file that `davinci tasks` wrote", path=path
        )
    for task in reading.records:
        refuse_systems(task)
        if not update:
            check_version(task, load(task.world.name, paths=paths, trust=trust), str(path))
    work = functools.partial(_check, update=update, paths=tuple(map(str, paths)), trust=trust)
    kept: list[Task] = []
    for task, (reason, remade) in zip(
        reading.records, ordered_map(work, reading.records, jobs), strict=True
    ):
        summary.tasks += 1
        summary.by_kind[task.kind] += 1
        if reason is not None:
            summary.failed.append({"task": task.id, "kind": task.kind, "reason": reason})
        else:
            kept.append(remade)
        if progress is not None:
            progress(summary.tasks, len(reading.records), task.world.name)
    if update and kept:
        with replacing(path) as file:
            file.writelines(map(to_line, kept))
        summary.updated = True
    return summary


def _check(
    task: Task, *, update: bool, paths: tuple[str, ...], trust: bool
) -> tuple[str | None, Task]:
    """Certify one task; the reason why it doesn't hold, and the task with its new certificate."""
    domain = load(task.world.name, paths=[Path(p) for p in paths], trust=trust)
    if not update and task.asked_id != task.id:
        return "edited: the id is not that of the content", task
    try:
        environment = at_start(task, domain)
    except DavinciError as error:
        return f"its start can't be reached: {error}", task
    try:
        if update:
            task = _moved(
                task, domain.version, domain.content_hash, environment.capture().state_hash
            )
        elif environment.capture().state_hash != task.world.snapshot:
            return "the start state is another", task
        certificate = certify(task, environment)
    except Rejected as rejected:
        return str(rejected), task
    except DavinciError as error:
        return f"defect: {error}", task
    finally:
        environment.close()
    return None, task.model_copy(update={"certificate": certificate})


def _moved(task: Task, version: int, content_hash: str, snapshot: str) -> Task:
    """The task for another version of its domain, with its new id."""
    world = task.world.model_copy(
        update={"version": version, "content_hash": content_hash, "snapshot": snapshot}
    )
    name = task_id(
        world=world, actor=task.actor, kind=task.kind, request=task.request,
        requirements=task.requirements, goals=task.goals,
    )  # fmt: skip
    return task.model_copy(update={"world": world, "id": name})
