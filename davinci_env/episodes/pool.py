"""A function over many items in several processes: results in order, and no process left behind.

What becomes of the results is not decided here: `jobs` stores them, `certify` counts them.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, ClassVar, Generic, TypeVar

from davinci_env.domain.blame import blame
from davinci_env.errors import DavinciError

A = TypeVar("A")
B = TypeVar("B")

#: How many items may be in flight for each job: enough that a slow item keeps nobody waiting.
_WINDOW = 8


def ordered_map(function: Callable[[A], B], items: Iterable[A], jobs: int) -> Iterator[B]:
    """Yield `function(item)` for each item in order, computed in up to `jobs` processes."""
    with mapping(function, jobs) as compute:
        for _, result in compute(iter(items)):
            yield result


@contextmanager
def mapping(
    function: Callable[[A], B], jobs: int
) -> Iterator[Callable[[Iterator[A]], Iterator[tuple[A, B]]]]:
    """Give what turns items into pairs of item and result, in order; 1 job works in this process.

    For more than one job the function must be picklable, as a module's function or a
    `functools.partial` of one is. What it raises of ours is raised here; what a domain's own code
    raises becomes a `DefectError`.
    """
    if jobs == 1:
        yield lambda items: ((item, function(item)) for item in items)
        return
    pool = _Pool(function, jobs)
    try:
        yield pool.compute
    except BaseException:
        pool.abort()
        raise
    pool.close()


class _Pool(Generic[A, B]):
    """Processes that start with the first item, and end with this process however it ends.

    A worker of `ProcessPoolExecutor` waits for work for ever when its parent was killed. So each
    holds the reading end of a pipe of which only the parent has the other end, and exits when that
    is closed.
    """

    def __init__(self, function: Callable[[A], B], jobs: int) -> None:
        methods = multiprocessing.get_all_start_methods()
        # Not "fork": a process with threads or an open SQLite connection must not be forked.
        method = "forkserver" if "forkserver" in methods else "spawn"
        context = multiprocessing.get_context(method)
        if method == "forkserver":
            _start_forkserver()
        self._lifeline, self._alive = context.Pipe(duplex=False)
        self._jobs = jobs
        self._executor = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_begin, initargs=(function, self._lifeline)
        )

    def compute(self, items: Iterator[A]) -> Iterator[tuple[A, B]]:
        """Yield items with their results, in order, with a bounded number of them under way."""
        under_way: deque[tuple[A, Future[B | _Raised]]] = deque()
        try:
            for item in items:
                with _undisturbed():
                    future = self._executor.submit(_work, item)
                under_way.append((item, future))
                if len(under_way) >= self._jobs * _WINDOW:
                    yield _result(*under_way.popleft())
            while under_way:
                yield _result(*under_way.popleft())
        except BrokenProcessPool as error:
            raise DavinciError(
                "a worker process died, most likely for want of memory",
                "run the same command again with fewer --jobs",
            ) from error

    def close(self) -> None:
        """End the idle workers."""
        self._executor.shutdown()
        self._alive.close()
        self._lifeline.close()

    def abort(self) -> None:
        """End the workers in the middle of their work, and those that are still starting."""
        self._alive.close()
        for process in list((self._executor._processes or {}).values()):
            process.kill()
        # One that was writing a result leaves half of it. Without this end of its pipe, the thread
        # that reads results sees that no more will come, instead of waiting for the other half.
        results: Any = self._executor._result_queue
        if results is not None:
            results._writer.close()
        self._executor.shutdown(cancel_futures=True)
        self._lifeline.close()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Put off Ctrl-C: a worker that is half started when it comes would not be known by anybody."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_forkserver() -> None:
    """Start the process that forks the workers, deaf to Ctrl-C as they will be.

    A terminal sends it to every process; the parent decides what it means. Workers inherit the
    deafness, and so have it before they have run a line of ours.
    """
    from multiprocessing import forkserver

    if threading.current_thread() is not threading.main_thread():
        forkserver.ensure_running()
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, before)


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


def _result(item: A, future: "Future[B | _Raised]") -> tuple[A, B]:
    """Wait for a result; raise the worker's error in this process."""
    outcome = future.result()
    if isinstance(outcome, _Raised):
        raise outcome.error()
    return item, outcome


class _Child:
    """What a worker process was started with."""

    function: ClassVar[Callable[[Any], Any]]


def _begin(function: Callable[[Any], Any], lifeline: "Connection[Any, Any]") -> None:
    """Prepare a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it was spawned, or the parent was a thread
    _Child.function = staticmethod(function)
    threading.Thread(target=_live_on, args=(lifeline,), daemon=True).start()


def _live_on(lifeline: "Connection[Any, Any]") -> None:
    """Exit when the parent closes its end of the pipe, or dies."""
    try:
        lifeline.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


def _work(item: Any) -> Any:
    """Do one item in a worker process."""
    try:
        return _Child.function(item)
    except DavinciError as error:
        return _Raised(type(error), error.args, vars(error))
    except Exception as error:
        # Here is the traceback that tells whose code failed; it does not travel.
        defect = blame(error)
        if defect is None:
            raise
        return _Raised(type(defect), defect.args, vars(defect))
