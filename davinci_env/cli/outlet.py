"""Checks of the place to write to, before any work: nobody should wait ten minutes to learn that a
folder is read-only.

What may already lie there (an unfinished run, a finished one, something else) is judged by the
room that writes.
"""

import tempfile
from pathlib import Path

from davinci_env.errors import OutputError


def writable_file(path: Path, option: str = "--out") -> Path:
    """Return `path`, which this option named, if a file can be written there.

    Raises:
        OutputError: it is a folder, or cannot be written or created.
    """
    if path.is_dir():
        raise OutputError(f"{option} {path} is a folder", "name a file")
    try:
        if path.exists():
            path.open("ab").close()
        else:
            _probe(path.parent)
    except OSError as error:
        raise _unwritable(path, error, option) from None
    return path


def writable_folder(path: Path) -> Path:
    """Return `path` if files can be written into a folder there.

    Raises:
        OutputError: it is a file, or cannot be written or created.
    """
    if path.exists() and not path.is_dir():
        raise OutputError(f"--out {path} is a file", "name a folder")
    try:
        _probe(path)
    except OSError as error:
        raise _unwritable(path, error, "--out") from None
    return path


def _probe(folder: Path) -> None:
    """Write a nameless file into the nearest existing folder.

    Asking for permissions is not enough: root has them all, and a read-only disk grants them too.
    """
    while not folder.exists():
        folder = folder.parent
    with tempfile.TemporaryFile(dir=folder):
        pass


def _unwritable(path: Path, error: OSError, option: str) -> OutputError:
    reason = (error.strerror or str(error)).lower()
    return OutputError(f"cannot write to {option} {path} ({reason})", "choose another place")
