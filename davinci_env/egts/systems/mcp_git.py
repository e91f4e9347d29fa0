"""The git server of the Model Context Protocol's authors, on a small project with open work.

It can't edit files, so the repository begins with changes to be staged, committed and compared.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..states.repository import NOW, USER, fast_import, make_repository
from . import installed
from .git_reading import read_repository
from .mcp_system import McpSystem
from .protocol import SystemInfo
from .registry import Options
from .stores import DirectoryStore

REPOSITORY = "/home/mara/code"
"""What the agent takes the private repository for."""

INFO = SystemInfo(
    name="git",
    family="git",
    version="",
    licence="MIT",
    origin="PyPI mcp-server-git",
    context=(
        f"You help Mara Ellwood with the git repository {REPOSITORY}. Today is Monday, "
        f"{NOW.day} {NOW:%B %Y}."
    ),
)

_MOMENT = int(NOW.timestamp())
_NAME, _ADDRESS = USER
SURROUNDINGS: Mapping[str, str] = {
    **{f"GIT_{role}_DATE": f"{_MOMENT} +0000" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_NAME": _NAME for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": _ADDRESS for role in ("AUTHOR", "COMMITTER")},
    "GIT_TEST_DATE_NOW": str(_MOMENT),
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
}
"""One person, one moment, no settings of the machine's: equal calls make equal commits."""

_CONFIG = """\
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
\tquotepath = false
[status]
\tshowUntrackedFiles = all
[gc]
\tauto = 0
[fastimport]
\tunpackLimit = 1000000
"""
"""Every file that is not tracked is listed by itself; every object stays a file by itself."""

_SECONDS = 60
_NOTHING = "No changes were staged"


def open_system(name: str, options: Options) -> GitSystem:
    """The system; its server has to be installed.

    Raises:
        UsageError: it isn't.
    """
    return GitSystem(installed.home("git"))


class RepositoryStore(DirectoryStore):
    """A repository with its work tree."""

    def prepare(self, seed: int, folder: Path, live: Path) -> str:
        """Write the repository of a seed.

        Raises:
            UsageError: git is not installed, or does not do it.
        """
        made, root = make_repository(seed), folder / self.place
        for place in ("objects", "refs/heads", "refs/tags"):
            (root / ".git" / place).mkdir(parents=True)
        (root / ".git" / "config").write_text(_CONFIG, "utf-8")
        (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
        _git(root, ["fast-import", "--quiet", "--done"], fast_import(made))
        _git(root, ["checkout", "--quiet", "--force", made.head])
        _write(root, made.staged)
        _git(root, ["add", "--", *made.staged])
        _write(root, made.unstaged)
        return ""

    def capture(self, folder: Path) -> Any:
        """What `read_repository` reads."""
        return read_repository(
            {path: entry.data for path, entry in self.keep(folder).items() if entry.kind == "file"}
        )


def _write(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


def _git(root: Path, arguments: Sequence[str], given: bytes = b"") -> None:
    surroundings = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(root), **SURROUNDINGS}
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=root, env=surroundings, input=given, capture_output=True,
            timeout=_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"git can't be run ({error})", "install git 2.20 or newer") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(f"git {arguments[0]} failed ({said[-1] if said else done.returncode})")


class GitSystem(McpSystem):
    """The server.

    Args:
        place: where it is installed.
    """

    def __init__(self, place: Path) -> None:
        super().__init__(INFO, RepositoryStore(), shown={"work": REPOSITORY})
        self._place = place

    def command(self, folder: Path) -> Sequence[str]:
        """The server on the one repository."""
        python = str(self._place / "bin" / "python")
        return [python, "-m", "mcp_server_git", "--repository", str(folder / "work")]

    def environment(self, folder: Path) -> Mapping[str, str]:
        """Identity and time of what is committed."""
        return SURROUNDINGS

    def meant(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The repository's path made real; messages and names stay as they are."""
        return arguments | super().meant(tool, {"repo_path": arguments["repo_path"]})

    def error_in(self, tool: str, content: Any) -> str | None:
        """Staging nothing is told as a success."""
        staged_nothing = tool == "git_add" and str(content).startswith(_NOTHING)
        return str(content) if staged_nothing else None
