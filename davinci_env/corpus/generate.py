"""The main job: certified tasks, each solved by the built-in expert, verified and exported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..agents import make_agent
from ..agents.users import ScriptedUser
from ..episodes.jobs import run_schedule
from ..episodes.runner import play_task
from ..episodes.store import Result
from ..episodes.trajectories import trajectory
from ..errors import UsageError
from ..records import AgentInfo, Task, Trajectory, to_line
from ..tasks.generate import (
    Progress,
    counting,
    domain_names,
    order_maker,
    summary_of,
    tally_from,
    tally_to,
    try_worlds,
    versions,
)
from ..tasks.kinds import DRAWS
from ..tasks.schedule import Tally, note_of, schedule
from ..tasks.units import Order, make
from ..verify import Verifier, open_task
from .folder import finish_corpus, open_corpus

AGENT = "expert"


@dataclass(frozen=True)
class CorpusSummary:
    """What a corpus holds."""

    out: Path
    tally: Tally

    @property
    def passed(self) -> bool:
        """Whether as many tasks were certified as were asked for."""
        return self.tally.tasks >= self.tally.wanted

    def to_json(self) -> dict[str, Any]:
        """The summary as JSON: counts, and verified trajectories by domain and kind."""
        table: dict[str, dict[str, int]] = {}
        for key, count in sorted(self.tally.passed.items()):
            domain, kind, outcome = key.split("|")
            if outcome == "passed":
                table.setdefault(domain, {})[kind] = count
        verified = sum(count for row in table.values() for count in row.values())
        return {
            "out": str(self.out),
            **summary_of(self.tally),
            "verified_trajectories": verified,
            "expert_pass_rate": round(verified / max(1, self.tally.tasks), 4),
            "verified": table,
        }


def generate_corpus(
    names: Sequence[str] | None,
    n: int,
    out: Path,
    seed: int = 0,
    jobs: int = 1,
    *,
    scale: float = 1.0,
    source: str | None = None,
    paths: Sequence[Path | str] = (),
    trust: bool = False,
    progress: Progress | None = None,
    force: bool = False,
) -> CorpusSummary:
    """Generate a corpus folder: `n` certified tasks in all, one trajectory of the expert each,
    exported.

    Raises:
        UnknownDomain, UsageError: bad names or source.
        OutputError: something else is at `out`.
    """
    domains = domain_names(names, source=source, paths=paths, trust=trust)
    if not domains:
        raise UsageError("there is no composition to generate from", "name one with --only")
    command = {
        "command": "generate", "domains": versions(domains, paths, trust), "n": n, "seed": seed,
        "scale": scale, "agent": AGENT, "source": source or "ees-single",
    }  # fmt: skip
    make_order = order_maker(seed, scale, paths, trust)
    try_worlds(domains, seed, scale, paths, trust)
    with open_corpus(out, command, force=force) as store:
        if store.manifest is not None:
            return CorpusSummary(out, tally_from(store.manifest["tally"]))
        plan = schedule(domains, n, list(DRAWS), make_order, each=False)
        tally = run_schedule(store, plan, _work, jobs=jobs, progress=counting(progress, n))
        finish_corpus(store, about={"tally": tally_to(tally)})
    return CorpusSummary(out, tally)


def _work(order: Order) -> Result:
    """One unit: tasks, the expert's trajectories, and what was rejected with its reason."""
    made = make(order)
    outcomes: Counter[str] = Counter()
    lines: dict[str, list[bytes]] = {
        "tasks.jsonl": [],
        "trajectories.jsonl": [],
        "rejected.jsonl": [],
    }
    for task, reason, detail in made.rejected:
        row = {"reason": reason, "detail": detail, "record": task.model_dump(by_alias=True)}
        lines["rejected.jsonl"].append(to_line(row))
    for task in made.tasks:
        record = solve(task, order)
        outcome = "passed" if record.verdict.passed else "failed"
        outcomes[f"{order.domain}|{task.kind}|{outcome}"] += 1
        lines["tasks.jsonl"].append(to_line(task))
        lines["trajectories.jsonl"].append(to_line(record))
    return Result(lines, {**note_of(order, made), "passed": dict(outcomes)})


def solve(task: Task, order: Order) -> Trajectory:
    """The expert's trajectory at a task, judged."""
    environment = open_task(task, paths=order.paths, trust=order.trust, record_changes=True)
    try:
        verifier = Verifier(task, environment)
        agent = make_agent(AGENT, task, environment.domain)
        episode = play_task(task, environment, agent, ScriptedUser(task), record_hashes=True)
        verdict = verifier.judge(environment)
        return trajectory(task, environment, episode, verdict, AgentInfo(name=AGENT))
    finally:
        environment.close()
