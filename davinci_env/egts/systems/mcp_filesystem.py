"""The filesystem server of the Model Context Protocol's authors, on a person's home folder."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..states.home import NOW, make_home
from . import installed
from .mcp_system import McpSystem
from .protocol import SystemInfo
from .registry import Options
from .stores import DirectoryStore, plain

HOME = "/home/mara"
"""What the agent takes the private folder for."""

INFO = SystemInfo(
    name="filesystem",
    family="filesystem",
    version="",
    licence="MIT",
    origin="npm @modelcontextprotocol/server-filesystem",
    context=(
        f"You look after the files in the home folder of Mara Ellwood, {HOME}. Paths may be given "
        f"relative to it. Today is Monday, {NOW.day} {NOW:%B %Y}."
    ),
)

_WRITTEN = ("content", "edits")
"""Arguments that are text, not paths."""
_TIME = re.compile(r"^(created|modified|accessed): (.+)$", re.MULTILINE)
_JAVASCRIPT = "%a %b %d %Y %H:%M:%S GMT+0000 (Coordinated Universal Time)"
_FOLDER_SIZE = re.compile(r"^size: \d+(?=\n(?:.*\n)*isDirectory: true)")
_UNREAD = re.compile(r"(?:^|\n---\n)(.+): Error - (.*)")


def open_system(name: str, options: Options) -> FilesystemSystem:
    """The system; its server has to be installed.

    Raises:
        UsageError: it isn't.
    """
    return FilesystemSystem(installed.home("filesystem"))


class HomeStore(DirectoryStore):
    """A home folder; when its files were changed is no part of its state."""

    def __init__(self) -> None:
        super().__init__("home")

    def prepare(self, seed: int, folder: Path, live: Path) -> str:
        """Write the home folder of a seed, each file of its own day."""
        home, root = make_home(seed), folder / self.place
        for place in home.folders:
            (root / place).mkdir(parents=True)
        for path, file in home.files.items():
            (root / path).write_bytes(file.data)
            moment = int(file.modified.timestamp())
            os.utime(root / path, (moment, moment))
            (root / path).chmod(0o644)
        for place in reversed(home.folders):
            os.utime(root / place, (int(NOW.timestamp()),) * 2)
            (root / place).chmod(0o755)
        return ""

    def capture(self, folder: Path) -> Any:
        """All folders, and all files with what is in them, by their paths in the home folder."""
        kept = self.keep(folder)
        return {
            "folders": sorted(path for path, entry in kept.items() if entry.kind == "folder"),
            "files": {p: plain(entry) for p, entry in kept.items() if entry.kind != "folder"},
        }


class FilesystemSystem(McpSystem):
    """The server; times that its host's clock made are shown as the one moment at which the agent
    works, and those that no program can set (created, accessed) always are.

    Args:
        place: where it is installed.
    """

    def __init__(self, place: Path) -> None:
        super().__init__(INFO, HomeStore(), shown={"home": HOME})
        self._place = place

    def command(self, folder: Path) -> Sequence[str]:
        """Node, with the home folder as the only one allowed; new files are for all to read."""
        package = "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"
        program = [str(self._place / package), str(folder / "home")]
        return ["sh", "-c", 'umask 022; exec node "$@"', "node", *program]

    def meant(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Paths made real; what is written stays as it is, even where it speaks of paths."""
        paths = {name: value for name, value in arguments.items() if name not in _WRITTEN}
        return arguments | super().meant(tool, paths)

    def error_in(self, tool: str, content: Any) -> str | None:
        """Reading several files goes on where one can't be read, and says so among the texts."""
        if tool != "read_multiple_files" or not isinstance(content, Mapping):
            return None
        failed = [f"{path}: {why}" for path, why in _UNREAD.findall(str(content.get("content")))]
        return "; ".join(failed) or None

    def tidied(self, tool: str, content: Any) -> Any:
        """What `get_file_info` tells, without the host's clock and its file system's block size."""
        if tool != "get_file_info":
            return content
        text = _TIME.sub(_steady, content["content"])
        return {**content, "content": _FOLDER_SIZE.sub("size: 4096", text)}


def _steady(found: re.Match[str]) -> str:
    """A time of a file's as it may be shown."""
    what, text = found.groups()
    moment = datetime.strptime(text, _JAVASCRIPT).replace(tzinfo=UTC)
    if what != "modified" or moment > NOW:
        moment = NOW
    return f"{what}: {moment.strftime(_JAVASCRIPT)}"
