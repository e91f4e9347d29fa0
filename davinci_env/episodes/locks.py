"""One process at a time writes a run."""

import sys
from pathlib import Path
from typing import BinaryIO

from davinci_env.errors import OutputError

if sys.platform != "win32":
    import fcntl


def lock(file: BinaryIO, out: Path) -> None:
    """Hold a run's journal for this process until it closes the file or dies.

    Where the system has no such locks, nothing is held.

    Raises:
        OutputError: another process holds it.
    """
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OutputError(
            f"another process is writing to {out}", "wait for it to end, or choose another --out"
        ) from None
