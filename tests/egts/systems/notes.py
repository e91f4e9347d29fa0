"""The misbehaving server as a system, for tests."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from davinci_env.egts.systems.mcp_system import McpSystem
from davinci_env.egts.systems.process import Limits
from davinci_env.egts.systems.protocol import SystemInfo
from davinci_env.egts.systems.stores import DirectoryStore, date_all

SERVER = Path(__file__).with_name("misbehaving_server.py")
SHORT = Limits(
    start_seconds=20.0, answer_seconds=20.0, answer_bytes=1 << 20, episode_bytes=4 << 20
)  # fmt: skip
SHOWN = "/home/sam/notes"


class NotesStore(DirectoryStore):
    """Two notes; the seed is in the first."""

    def __init__(self, *, restart: bool = False) -> None:
        super().__init__("work/notes")
        self.restart = restart

    def prepare(self, seed: int, folder: Path, live: Path) -> str:
        notes = folder / self.place
        notes.mkdir()
        (notes / "a").write_text(f"seed {seed}")
        (notes / "b").write_text("milk")
        date_all(notes)
        return f"The notes are in {live / self.place}."


class Notes(McpSystem):
    """The server with a habit."""

    def __init__(self, habit: str = "", *, limits: Limits = SHORT, restart: bool = False) -> None:
        info = SystemInfo("notes", "notes", "", "Apache-2.0", "our own tests")
        super().__init__(
            info, NotesStore(restart=restart), limits=limits, shown={"work/notes": SHOWN}
        )
        self.habit = habit

    def command(self, folder: Path) -> Sequence[str]:
        return [sys.executable, "-S", str(SERVER), str(folder / "work/notes"), self.habit]

    def error_in(self, tool: str, content: Any) -> str | None:
        return content if isinstance(content, str) and content.startswith("Error: ") else None

    @property
    def token(self) -> str:
        """The marker of its process."""
        assert self._process is not None
        return self._process.token
