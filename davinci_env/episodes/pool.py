"""A plain ordered map over processes, for work whose results are not stored item by item."""

from __future__ import annotations

import functools
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from ..domain.blame import blame
from ..errors import DavinciError

A = TypeVar("A")
B = TypeVar("B")


def ordered_map(function: Callable[[A], B], items: Sequence[A], jobs: int) -> Iterator[B]:
    """Yield `function(item)` for each item in order, computed in up to `jobs` processes."""
    if jobs <= 1 or len(items) < 2:
        yield from map(function, items)
        return
    context = multiprocessing.get_context("forkserver")
    chunk = max(1, len(items) // (jobs * 16))
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin) as pool:
        try:
            yield from pool.map(functools.partial(_guarded, function), items, chunksize=chunk)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _begin() -> None:
    # Ctrl-C reaches every process of a terminal; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _guarded(function: Callable[[A], B], item: A) -> B:
    """Do one item; what a domain's own code raises becomes a defect that can travel."""
    try:
        return function(item)
    except Exception as error:
        defect = None if isinstance(error, DavinciError) else blame(error)
        if defect is None:
            raise
        raise defect from None
