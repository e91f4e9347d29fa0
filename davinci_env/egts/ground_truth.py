"""The systems' own reference solutions, replayed through our adapters and judged by our rule.

Independent proof of the adapters: the tasks, the solutions and the checks are the benchmark's own;
ours are the seam, the capture of the state, and the verifier that is made of a recorded run.

What a host offers for it, besides `open_shipped(task)`:

    about("tasks") -> [task, …]
    about({"truth": task}) -> {"calls": [[tool, arguments], …], "output": text}
        after `open_shipped(task)`: the reference solution, and the answer that goes with it
    about({"judge": task, "calls": [[tool, arguments], …], "output": text}) -> bool | None
        after `open_shipped(task)` and these calls: the benchmark's own verdict on the present
        state; None where it has none

A family's module (`systems/`) names the systems that have such tasks in `GROUND_TRUTH`; its
`open_system` opens them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any, cast

from ..errors import UsageError
from .hosts.canonical import digest
from .judging import Judge
from .model import Candidate, Step, Wish
from .systems.environment import SystemEnvironment
from .systems.hosted import HostedSystem
from .systems.protocol import System
from .systems.registry import FAMILIES, Options
from .tasks import task_of

Made = list[tuple[str, dict[str, Any]]]
"""Calls: tools with their arguments."""


@dataclass(frozen=True)
class TaskTruth:
    """What became of one reference solution.

    Attributes:
        calls: how many it has.
        errors: the messages of those that failed.
        solved: the benchmark's own verdict on it.
        deterministic: whether two replays, each in a process of its own, gave the same bytes:
            every result, and the states' hashes.
        accepted: whether the verifier made of the first replay accepts the second.
        changed: whether the terminal state differs from the initial one.
        rejected: whether that verifier rejects it without its last call that changes the state;
            None where no call does.
        solved_without: the benchmark's own verdict on the same.
        solved_at_start: the benchmark's own verdict on the initial state, no call and no answer.
    """

    system: str
    task: str
    calls: int
    errors: tuple[str, ...]
    solved: bool | None
    deterministic: bool
    accepted: bool
    changed: bool
    rejected: bool | None
    solved_without: bool | None
    solved_at_start: bool | None

    @property
    def refused(self) -> bool:
        """Whether our initial-state check refuses the task: it asks for a change, and what it asks
        for is so already.
        """
        return self.changed and bool(self.solved_at_start)


@dataclass(frozen=True)
class GroundTruth:
    """A family's reference solutions."""

    family: str
    version: str
    tasks: tuple[TaskTruth, ...]

    def to_json(self) -> dict[str, Any]:
        """All of it, with the counts by system."""
        return {
            "family": self.family,
            "version": self.version,
            "counts": self.counts(),
            "tasks": [{**asdict(task), "refused": task.refused} for task in self.tasks],
        }

    def counts(self) -> dict[str, dict[str, int]]:
        """The counts of each system, in the order of the table's columns, and of all."""
        systems = dict.fromkeys(task.system for task in self.tasks)
        rows = {name: _counted([t for t in self.tasks if t.system == name]) for name in systems}
        return rows if len(rows) == 1 else {**rows, self.family: _counted(self.tasks)}

    def table(self) -> str:
        """The counts as a Markdown table."""
        lines = [
            "| system | tasks | calls | errors | equal bytes twice | accepted by our verifier "
            "| own check true | change the state | last change dropped: rejected by our verifier "
            "| … by own check "
            "| own check true with no call | refused at the start |",
            "| --- |" + " ---: |" * 11,
        ]
        for name, row in self.counts().items():
            cells = (
                f"{row['tasks']} | {row['calls']} | {row['errors']} "
                f"| {row['deterministic']}/{row['tasks']} | {row['accepted']}/{row['tasks']} "
                f"| {row['solved']}/{row['judged']} "
                f"| {row['changed']} | {row['rejected']}/{row['dropped']} "
                f"| {row['rejected_by_own_check']}/{row['dropped_and_judged']} "
                f"| {row['solved_at_start']} | {row['refused']}"
            )
            lines.append(f"| {name} | {cells} |")
        return "\n".join(lines) + "\n"


def _counted(tasks: Sequence[TaskTruth]) -> dict[str, int]:
    def those(holds: Callable[[TaskTruth], bool | None]) -> int:
        return sum(bool(holds(task)) for task in tasks)

    return {
        "tasks": len(tasks),
        "calls": sum(task.calls for task in tasks),
        "errors": sum(len(task.errors) for task in tasks),
        "deterministic": those(lambda t: t.deterministic),
        "accepted": those(lambda t: t.accepted),
        "judged": those(lambda t: t.solved is not None),
        "solved": those(lambda t: t.solved),
        "changed": those(lambda t: t.changed),
        "dropped": those(lambda t: t.rejected is not None),
        "rejected": those(lambda t: t.rejected),
        "dropped_and_judged": those(lambda t: t.solved_without is not None),
        "rejected_by_own_check": those(lambda t: t.solved_without is False),
        "solved_at_start": those(lambda t: t.solved_at_start),
        "refused": those(lambda t: t.refused),
    }


# -- replaying -------------------------------------------------------------------------------------


def ground_truth(family: str, tell: Callable[[str], None] = lambda said: None) -> GroundTruth:
    """Replay and judge the reference solutions of a family.

    Args:
        tell: is told of each system that is done.

    Raises:
        UsageError: the family has none, or is not installed.
    """
    if family not in FAMILIES:
        raise UsageError(f"there is no family {family!r}", f"say one of {', '.join(FAMILIES)}")
    module: Any = import_module(f"{__package__}.systems.{FAMILIES[family]}")
    names: Sequence[str] = getattr(module, "GROUND_TRUTH", ())
    if not names:
        raise UsageError(f"the systems of {family!r} have no reference solutions")
    found: list[TaskTruth] = []
    version = ""
    for name in names:
        system: HostedSystem = module.open_system(name, Options())
        try:
            found += judge_all(system)
            version = system.info.version
        finally:
            system.close()
        tell(f"{name}: {sum(task.system == name for task in found)} solutions replayed")
    return GroundTruth(family, version, tuple(found))


def judge_all(system: HostedSystem, tasks: Sequence[str] | None = None) -> list[TaskTruth]:
    """Judge every reference solution of a system, or those of the tasks named."""
    names: Sequence[str] = system.about("tasks") if tasks is None else tasks
    first = {name: _replayed(system, name)[0] for name in names}
    system.close()  # the second replay is another process's
    return [_judged(system, name, first[name]) for name in names]


@dataclass(frozen=True)
class _Replay:
    """A solution carried out: what each call gave, and the hash of the state after each."""

    calls: Made
    told: tuple[str, ...]
    errors: tuple[str, ...]
    hashes: tuple[str, ...]
    """The first is the initial state's."""
    solved: bool | None

    @property
    def last_change(self) -> int | None:
        """The place of the last call that changed the state."""
        places = range(len(self.calls))
        return next((n for n in reversed(places) if self.hashes[n] != self.hashes[n + 1]), None)


def _replayed(
    system: HostedSystem, task: str, without: int | None = None
) -> tuple[_Replay, SystemEnvironment]:
    """Carry out a task's solution from its initial state, but for one call; the environment stands
    where that led to.
    """
    environment = SystemEnvironment(cast(System, _AtTask(system, task)))
    truth: Mapping[str, Any] = system.about({"truth": task})
    calls: Made = [(tool, args) for n, (tool, args) in enumerate(truth["calls"]) if n != without]
    hashes = [environment.start_hash]
    told: list[str] = []
    errors: list[str] = []
    for tool, arguments in calls:
        result = environment.call(tool, arguments)
        told.append(result.text)
        hashes.append(digest(environment.state))
        if not result.ok:
            errors.append(f"{tool}: {result.message}")
    solved = _verdict(system, task, calls, truth["output"])
    return _Replay(calls, tuple(told), tuple(errors), tuple(hashes), solved), environment


def _judged(system: HostedSystem, task: str, first: _Replay) -> TaskTruth:
    again, environment = _replayed(system, task)
    judge = _verifier(first, task, environment)
    accepted = judge.judge(environment).passed
    place = again.last_change
    rejected = solved_without = None
    if place is not None:
        shorter, environment = _replayed(system, task, without=place)
        rejected, solved_without = not judge.judge(environment).passed, shorter.solved
    system.open_shipped(task)
    return TaskTruth(
        system=system.info.name,
        task=task,
        calls=len(again.calls),
        errors=again.errors,
        solved=again.solved,
        deterministic=again == first,
        accepted=accepted,
        changed=again.hashes[-1] != again.hashes[0],
        rejected=rejected,
        solved_without=solved_without,
        solved_at_start=_verdict(system, task, [], ""),
    )


def _verifier(first: _Replay, task: str, environment: SystemEnvironment) -> Judge:
    """The verifier that we make of a recorded run, as of any candidate: its terminal state, or that
    nothing has changed.
    """
    info = environment.system.info
    changed = first.hashes[-1] != first.hashes[0]
    tool = first.calls[-1][0] if first.calls else ""
    candidate = Candidate(
        id=task, system=info.name, version=info.version, seed=0, episode=0,
        benchmark=info.benchmark, initial=first.hashes[0], terminal=first.hashes[-1], changes=(),
        turns=(f"The task {task} of {info.benchmark}.",), facts={},
        wishes=(Wish(kind="do" if changed else "ask", turn=0, tool=tool, step=0, report=""),),
        guidance=tuple(Step(tool=name, arguments={}, wish=0) for name, _ in first.calls),
        calls=tuple({"tool": name, "arguments": given} for name, given in first.calls),
    )  # fmt: skip
    return Judge(task_of(candidate, environment), info.context)


def _verdict(system: HostedSystem, task: str, calls: Made, output: str) -> bool | None:
    asked = {"judge": task, "calls": [list(call) for call in calls], "output": output}
    verdict: bool | None = system.about(asked)
    return verdict


class _AtTask:
    """A hosted system whose initial state is the benchmark's own for one task."""

    def __init__(self, system: HostedSystem, task: str) -> None:
        self._system, self._task = system, task

    def open(self, seed: int) -> None:
        """Stand at the task's state, whatever the seed."""
        self._system.open_shipped(self._task)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._system, name)
