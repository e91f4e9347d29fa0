"""How the state of a server that we can't look into is written, kept and brought back: its files.

A kept state is a value in memory, equal to another where the states are equal. Bringing one back
changes the files under the running server in place, where the server reads them anew at each call;
where it doesn't, `restart` says that it has to be started again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from .process import PLACES
from .protocol import SystemFailure

MOMENT = 1_735_689_600
"""The time that generated files carry: the first second of 2025, UTC."""

MAX_BYTES = 256 << 20
"""How much a server may leave in its files."""

_SETTLED = 0.1
"""Seconds after which a file's time of change tells whether it changed since: clocks of file
systems move by steps."""


class Store:
    """What a family says of its server's state. Folders are laid out as a contained process's:
    `work`, where it starts, `home` and `tmp`.

    Attributes:
        restart: whether the server has to be started again for a state to be brought back.
        made_by_server: whether the server itself writes its first files, which `prepare` can't,
            such as a database of its own making; the system's `settle` then goes on from these.
    """

    restart = False
    made_by_server = False

    def prepare(self, seed: int, folder: Path, live: Path) -> str:
        """Write the initial state of a seed; nothing where the server makes it.

        Args:
            seed: what it is generated from.
            folder: where to write it: empty but for `work`, `home` and `tmp`.
            live: the folder that it will stand in, for paths that are part of it.

        Returns:
            What the agent is told beforehand.
        """
        return ""

    def initial(self, seed: int, live: Path) -> tuple[Any, str]:
        """The initial state of a seed, kept (None where the server makes it), and what the agent is
        told beforehand.
        """
        scratch = Path(mkdtemp(prefix="prepared-", dir=live))
        try:
            for place in PLACES:
                (scratch / place).mkdir()
            said = self.prepare(seed, scratch, live)
            return None if self.made_by_server else self.keep(scratch), said
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def capture(self, folder: Path) -> Any:
        """The canonical state, without volatile fields."""
        raise NotImplementedError

    def keep(self, folder: Path) -> Any:
        """The present state, as a value."""
        raise NotImplementedError

    def bring_back(self, folder: Path, kept: Any) -> None:
        """Return to a kept state."""
        raise NotImplementedError


# -- directories -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """A file, folder or link of a kept directory."""

    kind: str
    mode: int
    data: bytes = b""
    """A file's content, or where a link leads."""
    changed: int = field(default=0, compare=False)
    """When it was changed last, in nanoseconds; equal states may differ in it."""


@dataclass(frozen=True)
class _Seen:
    signature: tuple[int, ...]
    settled: bool
    entry: Entry


class DirectoryStore(Store):
    """State that is a directory; families add `prepare` and, where plain files won't do, `capture`.

    Args:
        place: the directory within the private folder.
        ignored: names of files and folders that are no part of the state.
    """

    def __init__(self, place: str = "work", ignored: Collection[str] = ()) -> None:
        self.place = place
        self.ignored = frozenset(ignored)
        self._known: dict[str, _Seen] = {}
        self._seen: dict[str, _Seen] = {}

    def keep(self, folder: Path) -> dict[str, Entry]:
        """Every entry by its path, folders before what they hold."""
        self._known, self._seen = self._seen, {}
        return dict(self._scan(folder / self.place))

    def capture(self, folder: Path) -> Any:
        """Every file by its path, as text where it is text; folders end with a slash."""
        return {
            path + "/" if entry.kind == "folder" else path: plain(entry)
            for path, entry in self.keep(folder).items()
        }

    def bring_back(self, folder: Path, kept: dict[str, Entry]) -> None:
        """Change what differs, in place: the same files stay the same files."""
        root = folder / self.place
        root.mkdir(parents=True, exist_ok=True)
        found = self.keep(folder)
        for path in reversed(list(found)):
            if path not in kept or kept[path].kind != found[path].kind:
                _delete(root / path)
                del found[path]
        for path, entry in kept.items():
            if found.get(path) != entry:
                _write(root / path, entry)
        for path, entry in reversed(kept.items()):
            _date(root / path, entry)

    def _scan(self, root: Path) -> Iterator[tuple[str, Entry]]:
        total = 0
        queue = [""]
        while queue:
            place = queue.pop()
            with contextlib.suppress(FileNotFoundError), os.scandir(root / place) as listed:
                for item in sorted(listed, key=lambda i: i.name, reverse=True):
                    path = f"{place}/{item.name}".removeprefix("/")
                    entry = None if item.name in self.ignored else self._entry(path, item)
                    if entry is None:
                        continue
                    total += len(entry.data)
                    if total > MAX_BYTES:
                        raise SystemFailure("flood", f"more than {MAX_BYTES} bytes of files")
                    if entry.kind == "folder":
                        queue.append(path)
                    yield path, entry

    def _entry(self, path: str, item: os.DirEntry[str]) -> Entry | None:
        """What an entry is; files are read only where they may have changed."""
        with contextlib.suppress(FileNotFoundError):
            found = item.stat(follow_symlinks=False)
            mode, changed = stat.S_IMODE(found.st_mode), found.st_mtime_ns
            if stat.S_ISDIR(found.st_mode):
                return Entry("folder", mode, b"", changed)
            if stat.S_ISLNK(found.st_mode):
                return Entry("link", 0, os.fsencode(os.readlink(item.path)), changed)
            if not stat.S_ISREG(found.st_mode):
                return None
            signature = (found.st_ino, found.st_size, changed, found.st_ctime_ns, mode)
            seen = self._known.get(item.path)
            if seen is not None and seen.settled and seen.signature == signature:
                self._seen[item.path] = seen
                return seen.entry
            settled = time.time() - found.st_ctime > _SETTLED
            with contextlib.suppress(PermissionError):
                entry = Entry("file", mode, Path(item.path).read_bytes(), changed)
                self._seen[item.path] = _Seen(signature, settled, entry)
                return entry
        return None


def plain(entry: Entry) -> Any:
    """An entry as JSON: text where it is text, else what tells its bytes from others."""
    if entry.kind == "link":
        return {"link": os.fsdecode(entry.data)}
    try:
        return entry.data.decode("utf-8")
    except UnicodeDecodeError:
        return {"sha256": hashlib.sha256(entry.data).hexdigest(), "size": len(entry.data)}


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _write(path: Path, entry: Entry) -> None:
    if entry.kind == "link":
        path.unlink(missing_ok=True)
        path.symlink_to(os.fsdecode(entry.data))
        return
    if entry.kind == "folder":
        path.mkdir(exist_ok=True)
    else:
        if path.exists():
            path.chmod(0o600)
        # Opened without truncating first: the file's content is never seen half.
        with open(path, "r+b" if path.exists() else "wb") as file:
            file.write(entry.data)
            file.truncate()
    path.chmod(entry.mode)


def _date(path: Path, entry: Entry) -> None:
    if path.lstat().st_mtime_ns != entry.changed:
        os.utime(path, ns=(entry.changed, entry.changed), follow_symlinks=False)


def date_all(folder: Path, moment: int = MOMENT) -> None:
    """Give everything below a folder one time of change, as generated states have it."""
    for place, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            os.utime(os.path.join(place, name), (moment, moment), follow_symlinks=False)


# -- SQLite ----------------------------------------------------------------------------------------


class SqliteStore(Store):
    """State that is one SQLite database, brought back through SQLite itself: the server may hold it
    open, and files replaced under it would change nothing.

    Args:
        place: the database's file within the private folder.
        skipped: tables that are no part of the canonical state.
        volatile: columns that are none, by table; those of "*" in every table.
    """

    def __init__(
        self,
        place: str,
        *,
        skipped: Collection[str] = (),
        volatile: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.place = place
        self.skipped = frozenset(skipped)
        self.volatile = {table: frozenset(names) for table, names in (volatile or {}).items()}

    def keep(self, folder: Path) -> bytes:
        """The whole database, as the bytes of a file."""
        with _opened(folder / self.place) as database:
            return database.serialize()

    def capture(self, folder: Path) -> Any:
        """Table by table, rows by their key."""
        with _opened(folder / self.place) as database:
            return self.tables(database)

    def bring_back(self, folder: Path, kept: bytes) -> None:
        """Copy a kept database into the live one."""
        path = folder / self.place
        path.parent.mkdir(parents=True, exist_ok=True)
        with in_memory(kept) as source, _opened(path) as target:
            source.backup(target)

    def tables(self, database: sqlite3.Connection) -> dict[str, list[dict[str, Any]]]:
        """The content of an open database as canonical JSON."""
        return {
            name: list(self._rows(database, name))
            for name in table_names(database)
            if name not in self.skipped
        }

    def _rows(self, database: sqlite3.Connection, table: str) -> Iterator[dict[str, Any]]:
        quoted = table.replace('"', '""')
        volatile = self.volatile.get("*", frozenset()) | self.volatile.get(table, frozenset())
        head = database.execute(f'SELECT * FROM "{quoted}" LIMIT 0')
        names = [column[0] for column in head.description]
        order = ", ".join(str(number + 1) for number in range(len(names)))
        for row in database.execute(f'SELECT * FROM "{quoted}" ORDER BY {order}'):
            yield {
                name: value.hex() if isinstance(value, bytes) else value
                for name, value in zip(names, row, strict=True)
                if name not in volatile
            }


def table_names(database: sqlite3.Connection) -> list[str]:
    """The tables of a database but SQLite's own, in order."""
    found = database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
        "ESCAPE '\\' ORDER BY name"
    )
    return [name for (name,) in found]


@contextlib.contextmanager
def in_memory(content: bytes) -> Iterator[sqlite3.Connection]:
    """A database from the bytes of its file."""
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        if content:
            # A database in memory has no write-ahead log; the header may say that this one has.
            database.deserialize(content[:18] + b"\1\1" + content[20:])
        yield database


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=2.0)) as database:
            yield database
    except sqlite3.Error as error:
        raise SystemFailure("garbage", f"{path.name} can't be read or written: {error}") from error
