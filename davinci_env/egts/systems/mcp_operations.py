"""An operations server: contacts, deals, tasks, stock and orders of a firm, in a SQLite file.

It stands where a bare SQL server might: tools of a business instead of raw queries make requests
that people say. Its clock is stopped. It draws the ids of what it makes at random: they are
replaced by the next of their row, in its file and in its answers, so that equal episodes are equal.
"""

from __future__ import annotations

import ast
import contextlib
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..states.office import NOW, fill
from . import installed
from .hosted import HOSTS
from .mcp_system import McpSystem
from .protocol import Answer, System, SystemInfo
from .registry import Options
from .stores import SqliteStore

FAMILY = "operations"
DATABASE = "home/operations.db"

CONTEXT = """\
You help the office of a building-services firm with its contacts, deals, tasks, stock and orders. \
Today is Wednesday, 14 May 2025. Amounts are in dirhams (AED). Tasks go to Hamza, Sana or Ali. An \
order is placed by create_order with dry_run set to false; without it there is only a preview."""

_MADE = {
    "add_note": ("notes", "N"),
    "create_task": ("tasks", "T"),
    "create_order": ("orders", "SO"),
}
"""Tool to the table in which it makes a row, and what ids begin with there."""
_RANDOM_FROM = 10_000
"""Where the server's random numbers begin; generated ones are below."""


class OperationsStore(SqliteStore):
    """The database."""

    def __init__(self) -> None:
        super().__init__(DATABASE)

    def prepare(self, seed: int, folder: Path, live: Path) -> str:
        """Fill the server's tables, as its own package describes them."""
        path = folder / self.place
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.executescript(_schema())
            fill(database, seed)
        return ""


class OperationsSystem(McpSystem):
    """The server, with ids that follow each other."""

    def __init__(self) -> None:
        info = SystemInfo(FAMILY, FAMILY, "0.1.1", "MIT", "PyPI finamatik-ops-mcp", context=CONTEXT)
        super().__init__(info, OperationsStore())

    def command(self, folder: Path) -> Sequence[str]:
        """The server under a stopped clock."""
        python = installed.python(FAMILY)
        entry = "finamatik_ops_mcp.server:main"
        return [str(python), str(HOSTS / "frozen.py"), NOW.isoformat(), entry]

    def environment(self, folder: Path) -> Mapping[str, str]:
        """Where its files are; its record of calls is no state."""
        return {
            "OPS_MCP_HOME": str(folder / "home"),
            "OPS_MCP_DB": str(folder / DATABASE),
        }

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool; what it made gets the next id of its row."""
        answer = super().call(tool, arguments)
        if tool in _MADE and answer.ok:
            path = self._running().process.folder / DATABASE
            with contextlib.closing(sqlite3.connect(path, timeout=2.0)) as database:
                names = _renumber(database, *_MADE[tool])
            return Answer(True, _renamed(answer.content, names))
        return answer


def _renumber(database: sqlite3.Connection, table: str, prefix: str) -> dict[str, str]:
    """Give rows with random ids the next ones; old id to new."""
    number = f"CAST(substr(id, {len(prefix) + 2}) AS INTEGER)"
    (last,) = database.execute(
        f"SELECT max({number}) FROM {table} WHERE {number} < {_RANDOM_FROM}"
    ).fetchone()
    drawn = database.execute(f"SELECT id FROM {table} WHERE {number} >= {_RANDOM_FROM}").fetchall()
    names = {old: f"{prefix}-{(last or 0) + n}" for n, (old,) in enumerate(drawn, 1)}
    with database:
        for old, new in names.items():
            database.execute(f"UPDATE {table} SET id = ? WHERE id = ?", (new, old))
    return names


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


def _schema() -> str:
    """The tables, read from the package's source: importing it would need its own interpreter."""
    for path in (installed.home(FAMILY) / "lib").glob("*/*/finamatik_ops_mcp/backend.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SCHEMA":
                return str(ast.literal_eval(node.value))
    raise UsageError(f"the installed {FAMILY} has no tables", f"run `{installed.command(FAMILY)}`")


def open_system(name: str, options: Options) -> System:
    """The operations system.

    Raises:
        UsageError: it is not installed.
    """
    installed.home(FAMILY)
    return OperationsSystem()
