"""CPU time of two things, interleaved, so that a busy machine slows both."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager


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
    contenders: Sequence[Callable[[], object]], *, rounds: int, repeats: int
) -> list[float]:
    """Microseconds of CPU time that each contender takes: the least over rounds of `repeats` runs.

    Thread time, not wall time; contenders take turns in each round.
    """
    best = [float("inf")] * len(contenders)
    for contender in contenders:
        contender()
    with collector_off():
        for _ in range(rounds):
            for number, contender in enumerate(contenders):
                start = time.thread_time_ns()
                for _ in range(repeats):
                    contender()
                spent = (time.thread_time_ns() - start) / repeats / 1000
                best[number] = min(best[number], spent)
            gc.collect()
    return best
