"""Reports: what runs add up to. pass@1, pass^k, by kind, domain and difficulty; failures grouped by
requirement.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import comb
from pathlib import Path
from typing import Any

from ..errors import RecordError
from ..records import Problem, Trajectory, stream_jsonl
from .suite import OUTPUT


@dataclass
class Report:
    """Pass rates of a set of trajectories. `pass_hat[k]` is the chance that k attempts at a task
    all pass.
    """

    episodes: int = 0
    tasks: int = 0
    pass_at_1: float = 0.0
    pass_hat: dict[int, float] = field(default_factory=dict)
    by_kind: dict[str, float] = field(default_factory=dict)
    by_domain: dict[str, float] = field(default_factory=dict)
    by_calls: dict[str, float] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether every line was a trajectory."""
        return not self.problems

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "episodes": self.episodes,
            "tasks": self.tasks,
            "pass@1": self.pass_at_1,
            "pass^k": {str(k): v for k, v in self.pass_hat.items()},
            "by_kind": self.by_kind,
            "by_domain": self.by_domain,
            "by_calls": self.by_calls,
            "failed_requirements": self.failures,
            "problems": [p.to_json() for p in self.problems],
        }


def report(path: Path) -> Report:
    """Add up a run folder or a file of trajectories. Raises RecordError where there is none."""
    source = path / OUTPUT if path.is_dir() else path
    records: list[Trajectory] = []
    problems: list[Problem] = []
    for found in stream_jsonl(source, Trajectory):
        if isinstance(found, Problem):
            problems.append(found)
        else:
            records.append(found)
    if not records and not problems:
        raise RecordError("no trajectory is in it", "run `davinci run` first", path=source)
    failures = Counter(
        f"{record.kind}: {r.id}"
        for record in records
        for r in record.verdict.requirements
        if not r.passed
    )
    return Report(
        episodes=len(records),
        tasks=len({r.task_id for r in records}),
        pass_at_1=_rate(records),
        pass_hat=_pass_hat(records),
        by_kind=_grouped(records, lambda r: r.kind),
        by_domain=_grouped(records, lambda r: r.world.name),
        by_calls=_grouped(records, _calls),
        failures=dict(failures.most_common()),
        problems=problems,
    )


def _rate(records: Iterable[Trajectory]) -> float:
    outcomes = [r.verdict.passed for r in records]
    return round(sum(outcomes) / len(outcomes), 4) if outcomes else 0.0


def _grouped(records: Iterable[Trajectory], key: Callable[[Trajectory], str]) -> dict[str, float]:
    groups: defaultdict[str, list[Trajectory]] = defaultdict(list)
    for record in records:
        groups[key(record)].append(record)
    return {name: _rate(group) for name, group in sorted(groups.items())}


def _calls(record: Trajectory) -> str:
    calls = record.usage.get("calls", 0)
    return "8 or more calls" if calls >= 8 else "4 to 7 calls" if calls >= 4 else "0 to 3 calls"


def _pass_hat(records: Iterable[Trajectory]) -> dict[int, float]:
    """Unbiased estimates: C(passed, k) / C(attempts, k), averaged over tasks."""
    attempts: defaultdict[str, list[bool]] = defaultdict(list)
    for record in records:
        attempts[record.task_id].append(record.verdict.passed)
    most = min((len(outcomes) for outcomes in attempts.values()), default=0)
    return {
        k: round(
            sum(comb(sum(o), k) / comb(len(o), k) for o in attempts.values()) / len(attempts), 4
        )
        for k in range(1, most + 1)
    }
