"""Progress of long work on stderr: a bar for a person, a line now and then for a log."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int, str], None]
"""`progress(done, total, note)`: `done` of `total` items are finished; `note` may say more."""

LOG_EVERY = 5.0
"""Seconds between two lines where stderr is no terminal."""


@contextmanager
def progress(label: str) -> Iterator[Progress]:
    """Show the progress of one piece of work while the block runs.

    Args:
        label: what is being done, as a participle: "Certifying tasks".

    Yields:
        the callback to hand to the function that does the work.
    """
    if not sys.stderr.isatty():
        yield _lines(label)
        return

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    bars = Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("[dim]{task.fields[note]}[/dim]"),
        console=Console(stderr=True),
        transient=True,
    )
    with bars:
        bar = bars.add_task(label, total=None, note="")

        def update(done: int, total: int, note: str) -> None:
            bars.update(bar, completed=done, total=total, note=note)

        yield update


def _lines(label: str) -> Progress:
    """Return a callback that prints a line at the end and at most every `LOG_EVERY` seconds."""
    last = time.monotonic()

    def update(done: int, total: int, note: str) -> None:
        nonlocal last
        now = time.monotonic()
        if done < total and now - last < LOG_EVERY:
            return
        last = now
        print(f"{label}: {done}/{total}{f', {note}' if note else ''}", file=sys.stderr, flush=True)

    return update
