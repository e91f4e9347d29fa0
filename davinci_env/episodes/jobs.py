"""Filling a run store with the results of work items, in one process or in several.

Whatever order the workers finish in, results are stored in the order of the items, so the bytes do
not depend on the number of jobs. Which items there are may depend on earlier results, but only from
batch to batch: by then every result of the batch is known, in order, whether it was just computed
or is being resumed.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, ClassVar, TypeAlias, TypeVar

from davinci_env.domain.blame import blame
from davinci_env.episodes.store import Result, RunStore
from davinci_env.errors import DavinciError, OutputError, UsageError
from davinci_env.records import JsonObject

T = TypeVar("T")

#: How many items may be in flight for each job: enough that a slow item keeps nobody waiting.
_WINDOW = 8


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of work.

    Attributes:
        key: content hash of what is to be done (`davinci_env.records.content_id`).
        payload: what the worker is called with; picklable.
    """

    key: str
    payload: Any


@dataclass(frozen=True, slots=True)
class Done:
    """An item of which the result is stored.

    Attributes:
        index: its position in the run, counted from 0.
        key: its content hash.
        note: the note of its result.
        resumed: whether an earlier process computed it.
    """

    index: int
    key: str
    note: JsonObject
    resumed: bool


Worker: TypeAlias = Callable[[Any], Result]
Progress: TypeAlias = Callable[[Done], None]
#: Yields batches of items, is sent what became of each, and returns what it makes of the whole.
Schedule: TypeAlias = Generator[Iterable[Item], list[Done], T]


def run_items(
    store: RunStore,
    items: Iterable[Item],
    worker: Worker,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Done]:
    """Do a fixed list of items and store their results; see `run_schedule`."""

    def once() -> Schedule[list[Done]]:
        return (yield items)

    return run_schedule(store, once(), worker, jobs=jobs, progress=progress)


def run_schedule(
    store: RunStore,
    schedule: Schedule[T],
    worker: Worker,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> T:
    """Do batches of items until the schedule ends, and store their results in order.

    Args:
        store: an unfinished run; items that it has already are not done again.
        schedule: yields a batch, is sent one `Done` for each of its items, yields the next batch,
            and so on. It must decide by these alone, else a resumed run takes another way.
        worker: makes an item's payload into its result. For more than one job it must be picklable,
            as a module's function or a `functools.partial` of one is.
        jobs: how many processes; 1 works in this one.
        progress: called after each item, in order.

    Returns:
        what the schedule returns.

    Raises:
        DavinciError: a worker raised it. Results of all earlier items are stored.
        OutputError: the store has another item where this one should be.
        KeyboardInterrupt: the run can be resumed.
    """
    if jobs < 1:
        raise UsageError(f"--jobs {jobs} is not possible", "give a number from 1 on")
    index = 0
    with _workers(worker, jobs) as compute:
        try:
            batch = next(schedule)
            while True:
                dones: list[Done] = []
                for done in _run_batch(store, batch, index, compute):
                    dones.append(done)
                    if progress is not None:
                        progress(done)
                index += len(dones)
                batch = schedule.send(dones)
        except StopIteration as end:
            result: T = end.value
    if index < len(store.entries):
        raise _other_items(index)
    return result


Compute: TypeAlias = Callable[[Iterator[Item]], Iterator[tuple[Item, Result]]]


def _run_batch(
    store: RunStore, batch: Iterable[Item], start: int, compute: Compute
) -> Iterator[Done]:
    """Pass over the items that the store has, compute and store the others."""
    items = iter(batch)
    stored = store.entries[start:]
    for index, (entry, item) in enumerate(zip(stored, items, strict=False), start):
        if entry.key != item.key:
            raise _other_items(index)
        yield Done(index, entry.key, entry.note, resumed=True)
    for item, result in compute(items):
        entry = store.append(item.key, result)
        yield Done(len(store.entries) - 1, entry.key, entry.note, resumed=False)


def _other_items(index: int) -> OutputError:
    return OutputError(
        f"item {index + 1} of the unfinished run is not what this version makes of the command",
        "start the run anew with --force",
    )


@contextmanager
def _workers(worker: Worker, jobs: int) -> Iterator[Compute]:
    """Give what turns items into results, in order, and leave no process behind."""
    if jobs == 1:
        yield lambda items: ((item, worker(item.payload)) for item in items)
        return
    pool = _Pool(worker, jobs)
    try:
        yield pool.compute
    except BaseException:
        pool.abort()
        raise
    pool.close()


class _Pool:
    """Processes that start with the first item, and end with this process however it ends.

    A worker of `ProcessPoolExecutor` waits for work for ever when its parent was killed. So each
    holds the reading end of a pipe of which only the parent has the other end, and exits when that
    is closed.
    """

    def __init__(self, worker: Worker, jobs: int) -> None:
        methods = multiprocessing.get_all_start_methods()
        # Not "fork": a process with threads or an open SQLite connection must not be forked.
        method = "forkserver" if "forkserver" in methods else "spawn"
        context = multiprocessing.get_context(method)
        self._lifeline, self._alive = context.Pipe(duplex=False)
        self._jobs = jobs
        self._executor = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_begin, initargs=(worker, self._lifeline)
        )

    def compute(self, items: Iterator[Item]) -> Iterator[tuple[Item, Result]]:
        """Yield items with their results, in order, with a bounded number of them under way."""
        under_way: deque[tuple[Item, Future[Result | _Raised]]] = deque()
        try:
            for item in items:
                under_way.append((item, self._executor.submit(_work, item.payload)))
                if len(under_way) >= self._jobs * _WINDOW:
                    yield _result(*under_way.popleft())
            while under_way:
                yield _result(*under_way.popleft())
        except BrokenProcessPool as error:
            raise DavinciError(
                "a worker process died, most likely for want of memory",
                "run the same command again with fewer --jobs: it resumes",
            ) from error

    def close(self) -> None:
        """End the idle workers."""
        self._executor.shutdown()
        self._alive.close()
        self._lifeline.close()

    def abort(self) -> None:
        """End the workers in the middle of their work."""
        self._alive.close()
        self._executor.shutdown(cancel_futures=True)
        self._lifeline.close()


@dataclass(frozen=True, slots=True)
class _Raised:
    """An error of ours on its way from a worker.

    Taken apart, because an exception with keyword arguments cannot be unpickled as it is.
    """

    kind: type[DavinciError]
    args: tuple[Any, ...]
    attributes: dict[str, Any]

    def error(self) -> DavinciError:
        """Put the error together again."""
        made = self.kind.__new__(self.kind)
        made.args = self.args
        vars(made).update(self.attributes)
        return made


def _result(item: Item, future: "Future[Result | _Raised]") -> tuple[Item, Result]:
    """Wait for a result; raise the worker's error in this process."""
    outcome = future.result()
    if isinstance(outcome, _Raised):
        raise outcome.error()
    return item, outcome


class _Child:
    """What a worker process was started with."""

    worker: ClassVar[Worker]


def _begin(worker: Worker, lifeline: "Connection[Any, Any]") -> None:
    """Prepare a worker process."""
    # Ctrl-C reaches every process of a terminal; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Child.worker = staticmethod(worker)
    threading.Thread(target=_live_on, args=(lifeline,), daemon=True).start()


def _live_on(lifeline: "Connection[Any, Any]") -> None:
    """Exit when the parent closes its end of the pipe, or dies."""
    try:
        lifeline.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


def _work(payload: Any) -> Result | _Raised:
    """Do one item in a worker process."""
    try:
        return _Child.worker(payload)
    except DavinciError as error:
        return _Raised(type(error), error.args, vars(error))
    except Exception as error:
        # Here is the traceback that tells whose code failed; it does not travel.
        defect = blame(error)
        if defect is None:
            raise
        return _Raised(type(defect), defect.args, vars(defect))
