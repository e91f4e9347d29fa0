"""Filling a run store with the results of work items, in one process or in several.

Whatever order the workers finish in, results are stored in the order of the items, so the bytes do
not depend on the number of jobs. Which items there are may depend on earlier results, but only from
batch to batch: by then every result of the batch is known, in order, whether it was just computed
or is being resumed.
"""

import functools
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from davinci_env.episodes.pool import mapping
from davinci_env.episodes.store import Result, RunStore
from davinci_env.errors import OutputError, UsageError
from davinci_env.records import JsonObject

T = TypeVar("T")


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
    with mapping(functools.partial(_do, worker), jobs) as compute:
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


def _do(worker: Worker, item: Item) -> Result:
    """Do one item, in whichever process."""
    return worker(item.payload)
