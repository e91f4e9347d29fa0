"""How many mutants of a domain the audit notices: a sample is drawn, tried in parallel, and
survivors are looked into."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from ..compose import load_path
from .mutation import Mutant, mutants_of
from .report import MutantReport, Survivor

Worker = subprocess.Popen[str]


def try_mutants(
    path: Path,
    known: frozenset[tuple[str, str, str]],
    *,
    number: int,
    seed: int = 0,
    profile: str = "quick",
    jobs: int | None = None,
    tell: Callable[[int, str], None] = lambda n, note: None,
) -> MutantReport:
    """Try a sample of a domain's mutants.

    Args:
        path: the domain's file.
        known: findings that the sound domain has, which tell nothing of a mutant.
        number: size of the sample; all mutants where there are no more.
        seed: what the sample and the walks are drawn with.
        profile: how far to walk in a mutant before it counts as missed.
        jobs: worker processes; by default as many as there are cores. The report doesn't depend on
            it.
        tell: called with the number of mutants that are done, and a note.
    """
    found = mutants_of(load_path(path))
    text = path.read_text(encoding="utf-8")
    sample = _sample(found, text, number, seed)
    report = MutantReport(generated=len(found), seed=seed)
    checks: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, _workers(jobs) as ask:

        def trial(numbered: tuple[int, tuple[Mutant, str]]) -> tuple[str | None, str | None]:
            place, (mutant, changed) = numbered
            file = Path(folder) / f"m{place}" / path.name
            file.parent.mkdir()
            file.write_text(changed, encoding="utf-8")
            job = {"path": str(file), "sound": str(path), "seed": seed, "profile": profile}
            answer = ask({**job, "do": "judge", "known": sorted(known)})
            if answer["check"] is not None:
                return answer["check"], None
            answer = ask({**job, "do": "compare", "function": mutant.function})
            return None, answer.get("difference") or answer.get("text")

        with ThreadPoolExecutor(jobs or _cores()) as pool:
            for done, (check, reason) in enumerate(pool.map(trial, enumerate(sample))):
                mutant = sample[done][0]
                if check is not None:
                    checks[check] += 1
                elif reason is None:
                    report.equivalent += 1
                else:
                    survivor = Survivor(mutant.operator, mutant.line, mutant.change, reason)
                    report.survivors.append(survivor)
                tell(done + 1, f"{checks.total()} mutants noticed")
    report.killed = checks.total()
    report.total = report.killed + len(report.survivors)
    report.by_check = dict(sorted(checks.items(), key=lambda item: (-item[1], item[0])))
    return report


def _sample(found: list[Mutant], text: str, number: int, seed: int) -> list[tuple[Mutant, str]]:
    """A sample in random order; a change that gives no Python is passed over."""
    order = list(found)
    random.Random(seed).shuffle(order)
    sample: list[tuple[Mutant, str]] = []
    for mutant in order:
        if len(sample) >= number:
            break
        changed = mutant.applied(text)
        if changed is not None:
            sample.append((mutant, changed))
    return sample


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


@contextmanager
def _workers(jobs: int | None) -> Iterator[Callable[[dict[str, Any]], dict[str, Any]]]:
    """Worker processes; yields the function that gives one of them a job and waits for the
    answer."""
    command = [sys.executable, "-m", "davinci_env.audit.trial"]
    made: list[Worker] = []
    free: SimpleQueue[Worker] = SimpleQueue()
    for _ in range(jobs or _cores()):
        made.append(
            subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        )
        free.put(made[-1])

    def ask(job: dict[str, Any]) -> dict[str, Any]:
        worker = free.get()
        try:
            assert worker.stdin is not None and worker.stdout is not None
            worker.stdin.write(json.dumps(job) + "\n")
            worker.stdin.flush()
            return json.loads(worker.stdout.readline())  # type: ignore[no-any-return]
        finally:
            free.put(worker)

    try:
        yield ask
    finally:
        for worker in made:
            assert worker.stdin is not None and worker.stdout is not None
            worker.stdin.close()
            worker.wait()
            worker.stdout.close()
