"""CPU time of two things, interleaved, so that a busy machine slows both."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

COLLECT_EVERY = 100
"""Rounds after which garbage is collected, between measurements."""


@contextmanager
def collector_off() -> Iterator[None]:
    """Switch the garbage collector off: its pauses fall on whoever happens to run."""
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def interleaved(
    contenders: Sequence[Callable[[], object]],
    *,
    rounds: int,
    before: Callable[[], object] | None = None,
) -> list[float]:
    """Microseconds of CPU time that each contender takes: the least over rounds of taking turns.

    Thread time, not wall time. A contender should take a millisecond at most: what runs longer
    is interrupted on a busy machine, and pays for the caches that others have emptied. `before` is
    run ahead of each contender, and not timed.
    """
    best = [float("inf")] * len(contenders)
    with collector_off():
        for number in range(rounds):
            for place, contender in enumerate(contenders):
                if before is not None:
                    before()
                start = time.thread_time_ns()
                contender()
                best[place] = min(best[place], (time.thread_time_ns() - start) / 1000)
            if number % COLLECT_EVERY == 0:
                gc.collect()
    return best
