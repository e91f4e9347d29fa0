"""The folder of a corpus: what items append to while it is made, and what is derived at the end.

| file | what |
| --- | --- |
| `tasks.jsonl` | tasks, certified |
| `trajectories.jsonl` | attempts at them, with verdicts |
| `preferences.jsonl` | preference records |
| `rejected.jsonl` | what was not good enough: `{"reason": code, …}` |
| `sft.jsonl` | the passed trajectories in the default export format |
| `manifest.json` | command, versions, seeds, counts, hashes: everything else follows from it |
| `README.md`, `croissant.json` | the dataset card, for people and for programs |
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from davinci_env import __version__
from davinci_env.corpus.card import card
from davinci_env.corpus.croissant import croissant
from davinci_env.corpus.export import Tally, rows
from davinci_env.corpus.formats import FORMATS
from davinci_env.episodes.place import describe
from davinci_env.episodes.store import RunStore
from davinci_env.errors import RecordError
from davinci_env.records import Problem, Task, Trajectory, World, stream_jsonl, to_line
from davinci_env.records.jsonl import R

CORPUS_OUTPUTS: Final = (
    "tasks.jsonl",
    "trajectories.jsonl",
    "preferences.jsonl",
    "rejected.jsonl",
)
CORPUS_DERIVED: Final = ("sft.jsonl", "README.md", "croissant.json")

#: The files that the cards describe, those to train on first.
DATA_FILES: Final = ("sft.jsonl", "preferences.jsonl", "trajectories.jsonl", "tasks.jsonl")


def open_corpus(out: Path | str, command: Mapping[str, Any], *, force: bool = False) -> RunStore:
    """Open a corpus folder for `run_schedule`, with the files of a corpus.

    Raises:
        OutputError: see `RunStore`.
    """
    return RunStore(out, command, CORPUS_OUTPUTS, derived=CORPUS_DERIVED, force=force)


def finish_corpus(
    store: RunStore,
    *,
    title: str = "Verified tool-use corpus",
    about: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Derive what a corpus folder holds besides the outputs, and mark the run as finished.

    Args:
        store: a corpus folder of which all items are done.
        title: what the card calls the data.
        about: what else the manifest should hold.

    Returns:
        the manifest.

    Raises:
        RecordError: an output holds a line that is no record of its kind.
    """
    tally = Tally()
    with store.deriving("sft.jsonl") as file:
        trajectories = store.path("trajectories.jsonl")
        for row in rows(trajectories, "sft", next(iter(FORMATS.values())), tally):
            file.write(to_line(row))
    facts = {**_about(store, tally), **(about or {})}
    present = [name for name in DATA_FILES if store.path(name).exists()]
    files = {name: describe(store.path(name)) for name in present}
    with store.deriving("croissant.json") as file:
        file.write(croissant(title, files))
    with store.deriving("README.md") as file:
        file.write(card(title, facts, files).encode())
    return dict(store.finish(facts))


def _about(store: RunStore, tally: Tally) -> dict[str, Any]:
    """Count what the outputs hold, and name what made them."""
    worlds: dict[str, dict[str, Any]] = {}
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    attempts = passed = 0
    for task in _records(store.path("tasks.jsonl"), Task):
        _note_world(worlds, task.world)
        counts["tasks_by_kind"][task.kind] += 1
        counts["tasks_by_source"][task.source] += 1
        counts["tasks_by_world"][task.world.name] += 1
    for trajectory in _records(store.path("trajectories.jsonl"), Trajectory):
        _note_world(worlds, trajectory.world)
        attempts += 1
        passed += trajectory.verdict.passed
        counts["trajectories_by_agent"][trajectory.agent.name] += 1
    for line in store.path("rejected.jsonl").read_bytes().splitlines():
        counts["rejected_by_reason"][str(orjson.loads(line).get("reason", "unknown"))] += 1
    return {
        "generator": {"name": "davinci-env", "version": __version__},
        "worlds": dict(sorted(worlds.items())),
        "counts": {
            "tasks": counts["tasks_by_kind"].total(),
            "trajectories": attempts,
            "passed": passed,
            "sft_rows": tally.rows,
            "sft_skipped": dict(sorted(tally.skipped.items())),
            "rejected": counts["rejected_by_reason"].total(),
            **{name: dict(sorted(counter.items())) for name, counter in sorted(counts.items())},
        },
    }


def _note_world(worlds: dict[str, dict[str, Any]], world: World) -> None:
    """Remember a world's version and the seeds that it was built from."""
    about = worlds.setdefault(
        world.name,
        {
            "kind": world.kind,
            "version": world.version,
            "content_hash": world.content_hash,
            "seeds": [],
        },
    )
    about["seeds"] = sorted({*about["seeds"], world.seed})


def _records(path: Path, model: type[R]) -> Iterator[R]:
    """Yield the records of a file that we have written ourselves."""
    for record in stream_jsonl(path, model):
        if isinstance(record, Problem):
            raise RecordError(record.message, "make the corpus anew", path=path, line=record.line)
        yield record
