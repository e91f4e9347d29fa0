"""The kanban server: issues, tasks and epics of three projects, in a SQLite file that it keeps.

Its clock is stopped, so that what it dates is the same each time. Which project is current, it only
remembers: that is noted here, and said to it again after every return. What it exports lies among
the temporary files and belongs to the state.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ..states.board import FOLDER, NOW, current_project, fill, folder_of
from . import installed
from .hosted import HOSTS
from .mcp_system import McpSystem
from .protocol import Answer, System, SystemInfo
from .registry import Options
from .stores import SqliteStore

if TYPE_CHECKING:
    from mcp_types import Tool

DATABASE = "home/.local/share/kanban-mcp/kanban.db"

READS = frozenset({
    "find_similar", "get_active_items", "get_blocking_items", "get_current_project",
    "get_epic_progress", "get_item", "get_item_decisions", "get_item_files", "get_item_metrics",
    "get_item_relationships", "get_item_tags", "get_item_timeline", "get_latest_update",
    "get_project_timeline", "get_status_history", "get_todos", "get_updates", "list_children",
    "list_items", "list_tags", "project_summary", "search", "semantic_search",
})  # fmt: skip
"""Tools that only read; the server itself says nothing of it."""

_SCHEMA = "kanban_mcp/migrations/sqlite/*.sql"
_NO_STATE = ("schema_migrations", "embeddings")
"""The server's own bookkeeping, and what only its language model would fill."""

CONTEXT = """\
You look after the kanban boards of a small software shop, project by project. Today is Wednesday, \
14 May 2025. Projects are known by their directories under /home/user/projects. Types are issue, \
todo, feature, epic, question and diary; an item goes from backlog over todo, in_progress and \
review to done and closed. Priority 1 is the most urgent of five."""


class KanbanStore(SqliteStore):
    """The database, what was exported, and which project is current."""

    def __init__(self) -> None:
        super().__init__(DATABASE, skipped=_NO_STATE)
        self.project = ""

    def prepare(self, seed: int, folder: Path, live: Path) -> str:
        """Fill the server's tables, as its own package describes them."""
        path = folder / self.place
        path.parent.mkdir(parents=True)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
            for script in sorted((installed.home("kanban") / "lib").glob(f"*/*/{_SCHEMA}")):
                database.executescript(script.read_text("utf-8"))
            fill(database, seed)
        self.project = folder_of(current_project(seed))
        return ""

    def capture(self, folder: Path) -> Any:
        """Tables, exports and the current project."""
        return {
            **super().capture(folder),
            "current_project": self.project,
            "exports": {name: text.decode() for name, text in _exports(folder).items()},
        }

    def keep(self, folder: Path) -> Any:
        """All of it."""
        return super().keep(folder), _exports(folder), self.project

    def bring_back(self, folder: Path, kept: Any) -> None:
        """All of it; the current project has still to be said to the server."""
        database, exports, self.project = kept
        super().bring_back(folder, database)
        for name in _exports(folder):
            if name not in exports:
                (folder / "tmp" / name).unlink()
        for name, content in exports.items():
            (folder / "tmp" / name).write_bytes(content)


class KanbanSystem(McpSystem):
    """The server, with what it only remembers."""

    store: KanbanStore

    def __init__(self) -> None:
        info = SystemInfo("kanban", "kanban", "0.2.0", "MIT", "PyPI kanban-mcp", context=CONTEXT)
        # Projects' directories are no places in the private folder, nor need they exist.
        super().__init__(info, KanbanStore(), shown={"home": "/private/home"})
        self._said = ""

    def command(self, folder: Path) -> Sequence[str]:
        """The server under a stopped clock."""
        python = installed.python("kanban")
        return [str(python), str(HOSTS / "frozen.py"), NOW.isoformat(), "kanban_mcp.core:main"]

    def settle(self, seed: int) -> None:
        """Say which project is current."""
        self._say_project()

    def read_only(self, tool: Tool) -> bool | None:
        """As listed here."""
        return tool.name in READS

    def error_in(self, tool: str, content: Any) -> str | None:
        """A success that says it is none, or that it changed nothing."""
        if not isinstance(content, dict):
            return None
        if content.get("success") is False:
            return str(content.get("message") or content.get("error") or "That was not possible.")
        if content.get("rows_affected") == 0:
            return "There is no such thing: nothing was changed."
        if content.get("errors"):
            return "; ".join(map(str, content["errors"]))
        return None

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool; a change of the current project is noted."""
        if tool == "set_current_project":
            # A relative directory would be one in the private folder.
            arguments = {"project_dir": str(PurePosixPath(FOLDER, arguments["project_dir"]))}
        answer = super().call(tool, arguments)
        if tool == "set_current_project" and answer.ok:
            self.store.project = self._said = answer.content["directory_path"]
        return answer

    def close(self) -> None:
        """End the server: the next one knows no project."""
        self._said = ""
        super().close()

    def _return_to(self, kept: Any) -> None:
        super()._return_to(kept)
        self._say_project()

    def _say_project(self) -> None:
        if self._said != self.store.project:
            client = self._running()
            self._guarded(
                lambda: client.call("set_current_project", {"project_dir": self.store.project})
            )
            self._said = self.store.project


def _exports(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in sorted((folder / "tmp").iterdir())
        if path.suffix in (".md", ".json", ".yaml") and path.is_file()
    }


def open_system(name: str, options: Options) -> System:
    """The kanban system.

    Raises:
        UsageError: it is not installed.
    """
    installed.home("kanban")
    return KanbanSystem()
