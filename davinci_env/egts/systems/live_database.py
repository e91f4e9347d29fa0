"""The SQLite file that a running server keeps open: read, kept and restored from beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from pathlib import Path
from typing import Any

_WAIT_SECONDS = 10.0
"""For the server to let go of the file."""


class LiveDatabase:
    """A database that a server works on too.

    A file put in its place would change nothing for a server that has the old one open, so states
    are copied *into* it, by SQLite's own backup.
    """

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
        self.connection.execute("PRAGMA foreign_keys=ON")

    def rows(self, without: Collection[str] = ()) -> dict[str, list[dict[str, Any]]]:
        """All rows of all tables, in the order of their primary keys."""
        names = self.connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        return {name: self._table(name) for (name,) in sorted(names) if name not in without}

    def _table(self, name: str) -> list[dict[str, Any]]:
        columns = self.connection.execute(f'PRAGMA table_info("{name}")').fetchall()
        keys = [f'"{c[1]}"' for c in sorted(columns, key=lambda c: c[5]) if c[5]]
        found = self.connection.execute(f'SELECT * FROM "{name}" ORDER BY {", ".join(keys)}')
        titles = [column[0] for column in found.description]
        return [dict(zip(titles, map(_plain, row), strict=True)) for row in found]

    def snapshot(self) -> sqlite3.Connection:
        """A copy in memory."""
        kept = sqlite3.connect(":memory:")
        self.connection.backup(kept)
        return kept

    def restore(self, kept: sqlite3.Connection) -> None:
        """Bring a copy back into the file."""
        kept.backup(self.connection)

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value
