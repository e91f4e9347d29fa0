"""A plain ordered map over processes, for work whose results are not stored item by item."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def ordered_map(function: Callable[[A], B], items: Sequence[A], jobs: int) -> Iterator[B]:
    """Yield `function(item)` for each item in order, computed in up to `jobs` processes."""
    if jobs <= 1 or len(items) < 2:
        yield from map(function, items)
        return
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        yield from pool.map(function, items, chunksize=max(1, len(items) // (jobs * 16)))
