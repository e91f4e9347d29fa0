"""Trials of mutants, each in a process of its own: `python -m davinci_env.audit.trial`.

The process reads one JSON job a line and answers one JSON line for each. It forks for every job, so
that a mutant that hangs, leaks or spoils a cache harms nobody; a mutant that takes too long counts
as noticed.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
from pathlib import Path
from typing import Any

from ..compose import load_path
from ..errors import DavinciError
from .audit import PLANS, Walker, check_statically
from .differential import difference
from .report import Findings, Found

CPU_SECONDS = 180
"""CPU seconds after which a trial is stopped."""

WALL_SECONDS = 1800.0
"""Wall-clock seconds after which a child that does not compute is given up."""


def judge(job: dict[str, Any]) -> dict[str, Any]:
    """Audit a mutant up to the first finding that the sound domain doesn't have."""
    try:
        domain = load_path(Path(job["path"]))
        domain.policy()
    except DavinciError as error:
        return {"check": "load", "text": str(error)}
    findings = Findings(frozenset(tuple(key) for key in job["known"]))
    try:
        check_statically(domain, findings)
        Walker(domain, PLANS[job["profile"]], job["seed"], findings, lean=True).run()
    except Found as found:
        return {"check": found.finding.check, "text": str(found.finding)}
    return {"check": None, "text": ""}


def compare(job: dict[str, Any]) -> dict[str, Any]:
    """Look for a difference between a mutant and the sound domain."""
    sound = load_path(Path(job["sound"]))
    mutant = load_path(Path(job["path"]))
    return {"difference": difference(sound, mutant, job["seed"], job["function"])}


JOBS = {"judge": judge, "compare": compare}


def main() -> None:
    """Answer jobs until standard input ends."""
    for line in sys.stdin:
        answer = _in_a_child(json.loads(line))
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _in_a_child(job: dict[str, Any]) -> dict[str, Any]:
    """Fork, let the child do the job, and give it a time limit."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _serve(job, writing)
    os.close(writing)
    parts: list[bytes] = []
    late = False  # nothing came for too long
    while True:
        ready, _, _ = select.select([reading], [], [], WALL_SECONDS)
        if not ready:
            os.kill(child, signal.SIGKILL)
            late = True
            break
        part = os.read(reading, 1 << 16)
        if not part:
            break
        parts.append(part)
    os.close(reading)
    _, status = os.waitpid(child, 0)
    if late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return {"check": "time", "text": f"takes more than {CPU_SECONDS} s", "difference": None}
    try:
        return json.loads(b"".join(parts))  # type: ignore[no-any-return]
    except ValueError:
        return {"check": "crash", "text": "ends the process", "difference": None}


def _serve(job: dict[str, Any], writing: int) -> None:
    """The child's life: one job, one answer, no way back."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    try:
        answer = JOBS[job["do"]](job)
    except BaseException as error:  # whatever a mutant raises outside the checks is noticed
        answer = {"check": "crash", "text": f"{type(error).__name__}: {error}"}
    os.write(writing, json.dumps(answer, default=str).encode())
    os._exit(0)


if __name__ == "__main__":
    main()
