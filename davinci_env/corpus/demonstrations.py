"""What becomes of what passed the audit: no request twice, of each sequence of tools no more than
enough; and the counts of it all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import orjson

from ..egts.audit import AT_MOST
from ..egts.blocks import Inventory
from ..episodes.jobs import Done
from ..episodes.store import RunStore
from ..errors import RecordError
from ..records import to_line


@dataclass
class Counts:
    """What became of one system."""

    system: str
    tools: int = 0
    coverable: int = 0
    explored: list[str] = field(default_factory=list)
    demonstrated: list[str] = field(default_factory=list)
    uncoverable: dict[str, str] = field(default_factory=dict)
    episodes: int = 0
    candidates: int = 0
    accepted: int = 0
    mutations: int = 0
    sequences: int = 0
    calls: int = 0
    several_tools: int = 0
    rejected: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        """As JSON, with the mean number of calls."""
        mean = round(self.calls / self.accepted, 2) if self.accepted else None
        rejected = dict(sorted(self.rejected.items()))
        return {**asdict(self), "rejected": rejected, "mean_calls": mean}


def counts_of(one: Inventory) -> Counts:
    """The counts of a system of which nothing was done yet."""
    return Counts(
        one.name, len(one.tools), len(one.tools) - len(one.uncoverable),
        uncoverable=dict(one.uncoverable),
    )  # fmt: skip


def count(counts: Counts, done: Done) -> None:
    """Add what a block gave."""
    note: dict[str, Any] = done.note
    counts.explored = sorted({*counts.explored, *note["explored"]})
    counts.episodes += note["episodes"]
    counts.candidates += note["candidates"]
    counts.rejected.update(note["rejected"])


def settle(store: RunStore, counts: Mapping[str, Counts]) -> None:
    """Derive tasks and trajectories of what was accepted: no request twice, and of each sequence of
    tools no more than enough.
    """
    said: set[tuple[str, str]] = set()
    sequences: defaultdict[str, Counter[str]] = defaultdict(Counter)
    tools: defaultdict[str, set[str]] = defaultdict(set)
    with ExitStack() as stack:
        tasks, trajectories, surplus = (
            stack.enter_context(store.deriving(name))
            for name in ("tasks.jsonl", "trajectories.jsonl", "surplus.jsonl")
        )
        for line in lines_of(store.path("accepted.jsonl")):
            row = orjson.loads(line)
            task, trajectory = row["task"], row["trajectory"]
            name = task["world"]["name"]
            called = [step["tool"] for step in trajectory["steps"] if step["type"] == "call"]
            words = " ".join(turn["text"] for turn in task["request"]["turns"])
            asked, sequence = (name, " ".join(words.casefold().split())), " > ".join(called)
            reason = "duplicate" if asked in said else ""
            if sequences[name][sequence] >= AT_MOST:
                reason = "sequence-full"
            if reason:
                counts[name].rejected[reason] += 1
                surplus.write(to_line({"reason": reason, "detail": sequence, "record": task}))
                continue
            said.add(asked)
            sequences[name][sequence] += 1
            tools[name].update(called)
            _count_accepted(counts[name], task, trajectory, called)
            tasks.write(to_line(task))
            trajectories.write(to_line(trajectory))
    for name, one in counts.items():
        one.demonstrated, one.sequences = sorted(tools[name]), len(sequences[name])


def _count_accepted(
    counts: Counts, task: Mapping[str, Any], trajectory: Mapping[str, Any], called: Sequence[str]
) -> None:
    counts.accepted += 1
    counts.mutations += trajectory["terminal"]["hash"] != trajectory["initial"]["hash"]
    counts.calls += len(called)
    counts.several_tools += len(set(called)) > 1


def lines_of(path: Path) -> list[bytes]:
    """The lines of a file. Raises RecordError where it can't be read."""
    try:
        return path.read_bytes().splitlines(keepends=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RecordError(
            f"can't be read ({reason})", "name the folder of the stage before", path=path
        ) from error
