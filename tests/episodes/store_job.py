"""A run to be killed: `python -m tests.episodes.store_job OUT JOBS`.

Its items take unequal work, so that workers finish out of order, write to three files, one line of
which is longer than a pipe or a page, and are topped up by what earlier results came short of.
"""

import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from davinci_env.episodes.jobs import Done, Item, Schedule, run_schedule
from davinci_env.episodes.store import Result, RunStore
from davinci_env.records import content_id, to_line

COMMAND = {"name": "store_job", "seed": 7}
OUTPUTS = ("good.jsonl", "bad.jsonl", "log.jsonl")
WANTED = 150


def work(number: int) -> Result:
    """Hash for a while; every third item or so turns out bad."""
    digest = hashlib.sha256(str(number).encode()).digest()
    for _ in range(100 + 40 * digest[0]):
        digest = hashlib.sha256(digest).digest()
    good = digest[0] % 3 > 0
    row = {"number": number, "digest": digest.hex(), "pad": "é" * (digest[1] * 100)}
    lines = {"good.jsonl" if good else "bad.jsonl": [to_line(row)]}
    logged = range(digest[2] % 4)
    lines["log.jsonl"] = [to_line({"number": number, "line": line}) for line in logged]
    return Result(lines, {"good": good})


def schedule() -> Schedule[int]:
    """Ask for as many further items as there were bad ones, until enough are good."""
    good = start = 0
    while good < WANTED:
        size = WANTED - good
        dones: list[Done] = yield [
            Item(content_id({"number": number}), number) for number in range(start, start + size)
        ]
        start += size
        good += sum(done.note["good"] is True for done in dones)
    return start


def run(out: Path, jobs: int, *, force: bool = False) -> Mapping[str, Any]:
    """Do the whole run, or what is left of it, and give its manifest."""
    with RunStore(out, COMMAND, OUTPUTS, derived=("README.md",), force=force) as store:
        if store.manifest is not None:
            return store.manifest
        made = run_schedule(store, schedule(), work, jobs=jobs)
        with store.deriving("README.md") as file:
            file.write(f"# {made} items\n".encode())
        return store.finish({"items": made})


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]))
