"""Running a suite: every task played by an agent, judged, and kept in a resumable store."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..agents import check_agent, make_agent
from ..agents.users import ScriptedUser
from ..compose import load
from ..domain import Domain
from ..errors import RecordError, Shortage, UsageError
from ..records import AgentInfo, Task, content_id, read_jsonl, to_line
from ..verify import Verifier, check_version, open_task
from .jobs import Done, Item, run_items
from .runner import play_task
from .store import Result, RunStore
from .trajectories import trajectory

Progress = Callable[[int, int, str], None]
OUTPUT = "trajectories.jsonl"


@dataclass
class RunSummary:
    """What a run of a suite came to."""

    out: Path
    agent: str
    episodes: int
    passed_episodes: int
    by_kind: dict[str, dict[str, int]] = field(default_factory=dict)
    problems: list[dict[str, Any]] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether every line of the suite was a task (a failed episode is data, not a failure)."""
        return not self.problems

    def to_json(self) -> dict[str, Any]:
        """The summary as JSON."""
        return {
            "agent": self.agent,
            "episodes": self.episodes,
            "passed": self.passed_episodes,
            "kinds": self.by_kind,
            "problems": self.problems,
        }


def run_suite(
    tasks_path: Path,
    agent: str,
    user: str,
    trials: int,
    out: Path,
    jobs: int = 1,
    *,
    seed: int = 0,
    paths: Sequence[Path | str] = (),
    trust: bool = False,
    progress: Progress | None = None,
    force: bool = False,
) -> RunSummary:
    """Play every task of a file `trials` times.

    Args:
        seed: what an agent that draws lots draws with; every trial has draws of its own.

    Raises:
        UsageError: no such agent or user.
        SuiteVersionError: the suite was made for another version of its domain.
        RecordError: a task was edited by hand.
        OutputError: something else is at `out`.
    """
    if user != "scripted":
        raise UsageError(f"there is no user {user!r}", "use --user scripted")
    reading = read_jsonl(tasks_path, Task)
    for task in reading.records:
        _check_genuine(task, load(task.world.name, paths=paths, trust=trust), tasks_path)
    if not reading.records:
        first = f": {reading.problems[0]}" if reading.problems else ""
        raise Shortage(
            f"{tasks_path} holds no task{first}", "name a file that `davinci tasks` wrote"
        )
    check_agent(agent)
    orders = [(task, trial) for task in reading.records for trial in range(trials)]
    items = [
        Item(
            content_id({"task": t.id, "agent": agent, "user": user, "seed": seed, "trial": k}),
            (t, k),
        )
        for t, k in orders
    ]
    command = {
        "command": "run", "agent": agent, "user": user, "trials": trials, "seed": seed,
        "tasks": content_id([t.id for t in reading.records]),
    }  # fmt: skip
    work = functools.partial(
        _work, agent=agent, seed=seed, paths=tuple(map(str, paths)), trust=trust
    )
    with RunStore(out, command, (OUTPUT,), force=force) as store:
        if store.manifest is None:
            dones = run_items(
                store, items, work, jobs=jobs, progress=_counting(progress, len(items))
            )
            store.finish({"outcomes": [done.note for done in dones]})
        assert store.manifest is not None
        outcomes = store.manifest["outcomes"]
    return _summary(out, agent, outcomes, [p.to_json() for p in reading.problems])


def _check_genuine(task: Task, domain: Domain, path: Path) -> None:
    """Raise SuiteVersionError or RecordError unless this is the task that was certified."""
    check_version(task, domain, str(path))
    if task.asked_id != task.id:
        raise RecordError(
            f"task {task.id[:12]} was edited by hand: its content has the id {task.asked_id[:12]}",
            "make the suite again, or take the edit back",
            path=path,
        )


def _summary(
    out: Path, agent: str, outcomes: Sequence[dict[str, Any]], problems: list[dict[str, Any]]
) -> RunSummary:
    kinds: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        kinds.setdefault(outcome["kind"], Counter())[
            "passed" if outcome["passed"] else "failed"
        ] += 1
    table = {kind: dict(sorted(counts.items())) for kind, counts in sorted(kinds.items())}
    passed = sum(outcome["passed"] for outcome in outcomes)
    return RunSummary(out, agent, len(outcomes), passed, table, problems)


def _counting(progress: Progress | None, total: int) -> Callable[[Done], None] | None:
    if progress is None:
        return None
    return lambda done: progress(done.index + 1, total, str(done.note["kind"]))


def _work(
    order: tuple[Task, int], *, agent: str, seed: int, paths: tuple[str, ...], trust: bool
) -> Result:
    """One episode, judged."""
    task, trial = order
    environment = open_task(task, paths=paths, trust=trust, record_changes=True)
    try:
        verifier = Verifier(task, environment)
        player = make_agent(agent, task, environment.domain, draw=f":{seed}:{trial}")
        episode = play_task(task, environment, player, ScriptedUser(task), record_hashes=True)
        verdict = verifier.judge(environment)
        who = AgentInfo(name=agent, parameters={"seed": seed})
        record = trajectory(task, environment, episode, verdict, who, trial=trial)
    finally:
        environment.close()
    return Result({OUTPUT: [to_line(record)]}, {"kind": task.kind, "passed": verdict.passed})
