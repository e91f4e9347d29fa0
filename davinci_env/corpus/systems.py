"""The corpus of demonstrations in systems that other people wrote (paper 3.1, B.1).

Blocks of episodes are done in rounds: those of a round know the same of all earlier rounds, so that
what is written does not depend on the number of processes, nor on where a run was taken up again.

| file | what |
| --- | --- |
| `explorations.jsonl` | runs with their recorded values |
| `experience.jsonl` | what was known of a system's tools at the beginning of each round |
| `candidates.jsonl` | requests made of explorations |
| `rejected.jsonl` | what was not good enough: `{"reason": code, "stage", …}` |
| `replays.jsonl` | after `replay`: candidates with the tasks and trajectories they led to |
| `accepted.jsonl` | what passed the audit |
| `surplus.jsonl` | of these, what is there already, or often enough |
| `tasks.jsonl`, `trajectories.jsonl` and the rest | the corpus: see `folder` |
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import orjson

from .. import __version__
from ..egts.blocks import (
    ROUND,
    Block,
    Inventory,
    Setting,
    close_systems,
    inventory_of,
    work,
)
from ..egts.experience import Experience
from ..episodes.jobs import Done, Item, Schedule, run_schedule
from ..episodes.store import Result, RunStore
from ..errors import RecordError, UsageError
from ..records import content_id, encode
from .demonstrations import Counts, count, counts_of, lines_of, settle
from .folder import CORPUS_DERIVED, finish_corpus

Progress = Callable[[int, int, str], None]

BLOCK: Final = 5
"""Episodes of a block."""

RECORDS: Final = 10
"""Records of an earlier stage that make a block."""

STATES: Final = 1000
"""Initial states of one seed: each round has another."""

_FINAL = ("tasks.jsonl", "trajectories.jsonl", "surplus.jsonl", *CORPUS_DERIVED)

OUTPUTS: Final[Mapping[str, tuple[str, ...]]] = {
    "run": ("explorations.jsonl", "experience.jsonl", "candidates.jsonl", "rejected.jsonl",
            "accepted.jsonl"),
    "explore": ("explorations.jsonl", "experience.jsonl"),
    "propose": ("candidates.jsonl", "rejected.jsonl", "experience.jsonl"),
    "replay": ("replays.jsonl", "rejected.jsonl", "experience.jsonl"),
    "audit": ("accepted.jsonl", "rejected.jsonl"),
}  # fmt: skip
SOURCES: Final = {
    "propose": "explorations.jsonl", "replay": "candidates.jsonl", "audit": "replays.jsonl",
}  # fmt: skip

TITLE = "Verified demonstrations in tool systems that others wrote"


@dataclass(frozen=True)
class Summary:
    """What a stage, or a whole run, gave.

    Attributes:
        gave: how many records came out at the end.
    """

    out: Path
    stage: str
    gave: int
    systems: Mapping[str, Mapping[str, Any]]

    @property
    def passed(self) -> bool:
        """Whether anything came out."""
        return self.gave > 0

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        rejected: Counter[str] = Counter()
        for one in self.systems.values():
            rejected.update(one["rejected"])
        return {
            "out": str(self.out), "stage": self.stage, "gave": self.gave,
            "rejected": dict(sorted(rejected.items())), "systems": dict(self.systems),
        }  # fmt: skip


# -- from nothing ----------------------------------------------------------------------------------


def run_systems(
    names: Sequence[str],
    episodes: int,
    out: Path,
    seed: int = 0,
    jobs: int = 1,
    *,
    setting: Setting | None = None,
    stage: str = "run",
    progress: Progress | None = None,
    force: bool = False,
) -> Summary:
    """Explore systems, and for `run` propose, replay and audit as well.

    Args:
        names: of the systems, each once.
        episodes: of exploration, for each system.
        stage: `run` or `explore`.

    Raises:
        UsageError: there is no such system, or it can't be used.
        OutputError: something else is at `out`.
    """
    setting = setting or Setting()
    if len(set(names)) < len(names):
        raise UsageError("a system is named twice", "name each once")
    inventories = {name: inventory_of(name, setting, _state_seed(seed, 0)) for name in names}
    command = {
        "command": f"egts {stage}", "version": __version__, "episodes": episodes, "seed": seed,
        "systems": {name: _identity(one) for name, one in inventories.items()},
        "setting": _identified(setting),
    }  # fmt: skip
    total = len(names) * -(-episodes // BLOCK)
    with _opened(out, command, stage, force) as store:
        if store.manifest is not None:
            return _summary(out, stage, store.manifest)
        plan = _rounds(inventories, episodes, seed, setting, stage)
        return _finished(store, out, stage, plan, inventories, jobs, _counting(progress, total))


def _state_seed(seed: int, first: int) -> int:
    return seed * STATES + first // ROUND


def _rounds(
    inventories: Mapping[str, Inventory], episodes: int, seed: int, setting: Setting, stage: str
) -> Schedule[dict[str, Counts]]:
    counts = {name: counts_of(one) for name, one in inventories.items()}
    for name in inventories:
        known = Experience()
        for begin in range(0, episodes, ROUND):
            end = min(begin + ROUND, episodes)
            blocks = [
                Block(
                    name, setting, seed, _state_seed(seed, begin), first, min(BLOCK, end - first),
                    encode(known.to_json()).decode(), stage,
                )
                for first in range(begin, end, BLOCK)
            ]  # fmt: skip
            for done in (yield [_item(block) for block in blocks]):
                known.add(Experience.from_json(_note(done)["learned"]))
                count(counts[name], done)
    return counts


# -- from an earlier stage -------------------------------------------------------------------------


def run_stage(
    stage: str,
    source: Path,
    out: Path,
    jobs: int = 1,
    *,
    setting: Setting | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> Summary:
    """Propose, replay or audit what an earlier stage wrote.

    Args:
        source: the folder that it wrote.

    Raises:
        RecordError: there is no such folder, or it has nothing of that stage.
        UsageError: a system can't be used.
        OutputError: something else is at `out`.
    """
    setting = setting or Setting()
    path = source / SOURCES[stage]
    lines = lines_of(path)
    known = [orjson.loads(line) for line in lines_of(source / "experience.jsonl")]
    if not lines:
        raise RecordError("holds nothing", "explore more episodes", path=path)
    about = [_about(path, number, line) for number, line in enumerate(lines, start=1)]
    names = list(dict.fromkeys(system for system, _, _ in about))
    inventories = {name: inventory_of(name, setting, 0) for name in names}
    command = {
        "command": f"egts {stage}", "version": __version__,
        "source": hashlib.sha256(b"".join(lines)).hexdigest(),
        "systems": {name: _identity(one) for name, one in inventories.items()},
        "setting": _identified(setting),
    }  # fmt: skip
    blocks = list(_blocks(stage, lines, about, known, setting))
    with _opened(out, command, stage, force) as store:
        if store.manifest is not None:
            return _summary(out, stage, store.manifest)
        plan = _once(blocks, known, inventories)
        step = _counting(progress, len(blocks))
        return _finished(store, out, stage, plan, inventories, jobs, step)


def _about(path: Path, number: int, line: bytes) -> tuple[str, int, int]:
    """The system, the state's seed and the round of a record."""
    try:
        row = orjson.loads(line)
        row = row.get("candidate", row)
        return row["system"], row["seed"], row["episode"] // ROUND
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(
            "is no record of that stage", "make the folder anew", path=path, line=number
        ) from error


def _blocks(
    stage: str,
    lines: Sequence[bytes],
    about: Sequence[tuple[str, int, int]],
    known: Sequence[Mapping[str, Any]],
    setting: Setting,
) -> Iterator[Block]:
    """Records of one round in blocks, with what was known in that round."""
    experience = {(one["system"], one["first"] // ROUND): one["experience"] for one in known}
    places = range(len(lines))
    for (system, seed, number), group in groupby(places, key=lambda place: about[place]):
        of_round = list(group)
        learned = experience.get((system, number), Experience().to_json())
        for begin in range(0, len(of_round), RECORDS):
            part = tuple(lines[place] for place in of_round[begin : begin + RECORDS])
            yield Block(
                system, setting, 0, seed, number * ROUND, len(part), encode(learned).decode(),
                stage, part,
            )  # fmt: skip


def _once(
    blocks: Sequence[Block],
    known: Sequence[Mapping[str, Any]],
    inventories: Mapping[str, Inventory],
) -> Schedule[dict[str, Counts]]:
    counts = {name: counts_of(one) for name, one in inventories.items()}
    for block, done in zip(blocks, (yield [_item(block) for block in blocks]), strict=True):
        count(counts[block.system], done)
    return counts


# -- items -----------------------------------------------------------------------------------------


def _item(block: Block) -> Item:
    what: dict[str, Any] = {
        "system": block.system, "seed": block.seed, "state": block.state_seed,
        "first": block.first, "count": block.count, "stages": block.stages,
        "experience": hashlib.sha256(block.experience.encode()).hexdigest(),
        "lines": hashlib.sha256(b"".join(block.lines)).hexdigest(),
    }  # fmt: skip
    return Item(content_id(what), block)


def _work(block: Block) -> Result:
    """A block, as the store takes it: files that this stage doesn't write are left out."""
    done = work(block)
    lines = {name: lines for name, lines in done.lines.items() if name in OUTPUTS[block.stages]}
    return Result(lines, done.note())


def _note(done: Done) -> dict[str, Any]:
    note: dict[str, Any] = done.note
    return note


# -- the folder ------------------------------------------------------------------------------------


def _opened(out: Path, command: Mapping[str, Any], stage: str, force: bool) -> RunStore:
    derived = _FINAL if stage in ("run", "audit") else ()
    return RunStore(out, command, OUTPUTS[stage], derived=derived, force=force)


def _finished(
    store: RunStore,
    out: Path,
    stage: str,
    plan: Schedule[dict[str, Counts]],
    inventories: Mapping[str, Inventory],
    jobs: int,
    progress: Callable[[Done], None] | None,
) -> Summary:
    try:
        counts = run_schedule(store, plan, _work, jobs=jobs, progress=progress)
    finally:
        close_systems()
    if stage in ("run", "audit"):
        settle(store, counts)
    about = {
        "systems": {one.name: _identity(one) for one in inventories.values()},
        "tally": {name: one.to_json() for name, one in counts.items()},
    }
    if stage in ("run", "audit"):
        return _summary(out, stage, finish_corpus(store, title=TITLE, about=about))
    return _summary(out, stage, store.finish(about))


_LAST = {
    "run": "trajectories.jsonl", "explore": "explorations.jsonl", "propose": "candidates.jsonl",
    "replay": "replays.jsonl", "audit": "trajectories.jsonl",
}  # fmt: skip


def _summary(out: Path, stage: str, manifest: Mapping[str, Any]) -> Summary:
    return Summary(out, stage, manifest["files"][_LAST[stage]]["lines"], manifest["tally"])


def _identity(one: Inventory) -> dict[str, Any]:
    return {
        "version": one.version, "licence": one.licence, "origin": one.origin,
        "benchmark": one.benchmark, "tools": len(one.tools), "start": one.start,
    }  # fmt: skip


def _identified(setting: Setting) -> dict[str, Any]:
    """What of a setting the bytes depend on: files by their content, not their place."""
    options = setting.options
    files = dict(setting.words)
    if options.servers is not None:
        files["servers"] = options.servers
    return {
        "files": {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in
                  sorted(files.items())},
        "allow_writes": options.allow_writes,
        "model": setting.model,
    }  # fmt: skip


def _counting(progress: Progress | None, total: int) -> Callable[[Done], None] | None:
    if progress is None:
        return None

    def step(done: Done) -> None:
        progress(done.index + 1, total, "")

    return step
