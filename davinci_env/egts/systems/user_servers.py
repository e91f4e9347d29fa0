"""Any MCP server of the user's, from a standard `mcpServers` entry and a declared state directory.

    {"mcpServers": {"notes": {"command": "…", "args": ["--dir", "/home/sam/notes"], "env": {}}}}

The directory is copied into the server's private folder and served from there, wherever command,
arguments and variables name it; the original is only read, once. Nothing is known of how such a
server reads its files, so that it is started again when a changed state is to be brought back; an
entry with `"live": true` says that it reads them anew at each call, and spares it that. Entries are
taken as they stand: clients differ in what they expand.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...errors import UsageError
from .clock import Clock
from .mcp_system import McpSystem
from .paths import Paths
from .protocol import SystemFailure, SystemInfo, SystemTool
from .registry import Options
from .stores import DirectoryStore, Entry, SqliteStore, in_memory, plain

_MAGIC = b"SQLite format 3\0"
_BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database."""


@dataclass(frozen=True)
class Server:
    """An entry of the file.

    Attributes:
        folder: where relative paths begin.
        starts_in: the directory that it starts in; None for a private one.
        live: whether it reads its files anew at each call.
    """

    name: str
    command: str
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: Path = Path()
    starts_in: Path | None = None
    live: bool = False


def open_system(name: str, options: Options) -> McpSystem:
    """The system of a server by its name in the user's file.

    Raises:
        UsageError: file, entry or state directory are not what they have to be.
    """
    assert options.servers is not None
    server = read_server(options.servers, name)
    state = options.state.get(name)
    if state is None and options.allow_writes:
        raise UsageError(
            f"what {name} writes can't be taken back", f"say where its state is: --state {name}=DIR"
        )
    return UserSystem(server, state, allow_writes=options.allow_writes)


def read_server(path: Path, name: str) -> Server:
    """Read one entry of an `mcpServers` file."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} can't be read ({error.strerror})") from error
    except ValueError as error:
        raise UsageError(f"{path} is not JSON ({error})") from error
    entries = document.get("mcpServers") if isinstance(document, dict) else None
    if not isinstance(entries, dict):
        raise UsageError(f"{path} has no object 'mcpServers'")
    if name not in entries:
        near = get_close_matches(name, entries, n=1, cutoff=0.5)
        known = ", ".join(map(repr, entries)) or "none"
        hint = f"did you mean {near[0]!r}?" if near else f"it has {known}"
        raise UsageError(f"{path} has no server {name!r}", hint)
    return _server(path, name, entries[name])


def _server(path: Path, name: str, entry: Any) -> Server:
    where = f"the server {name!r} in {path}"
    if isinstance(entry, dict) and "command" not in entry and "url" in entry:
        raise UsageError(f"{where} is reached by HTTP", "only servers over stdio can be used")
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        raise UsageError(f"{where} has no command")
    arguments, environment = entry.get("args", []), entry.get("env") or {}
    if not isinstance(arguments, list) or not all(isinstance(a, str) for a in arguments):
        raise UsageError(f"{where}: 'args' is no list of strings")
    if not isinstance(environment, dict) or not all(
        isinstance(value, str) for value in environment.values()
    ):
        raise UsageError(f"{where}: 'env' is no object of strings")
    for text in (entry["command"], *arguments, *environment.values()):
        if "${" in text:
            raise UsageError(f"{where} has {text!r}", "variables aren't filled in: write the value")
    given, live = entry.get("cwd"), entry.get("live", False)
    if not isinstance(live, bool):
        raise UsageError(f"{where}: 'live' is neither true nor false")
    starts_in = None if not isinstance(given, str) else Path(given).expanduser().resolve()
    folder = starts_in or Path.cwd()
    return Server(name, entry["command"], tuple(arguments), environment, folder, starts_in, live)


class UserSystem(McpSystem):
    """A server of the user's.

    Args:
        server: its entry.
        state: the directory that holds its state.
        allow_writes: whether tools that aren't marked read-only are listed.
    """

    store: UserStore

    def __init__(self, server: Server, state: Path | None, *, allow_writes: bool) -> None:
        self._server = server
        self._allow_writes = allow_writes
        self._clock = Clock()
        store = UserStore(state, restart=not server.live)
        shown = {} if store.original is None else {store.place: str(store.original)}
        info = SystemInfo(server.name, server.name, "", "", "a server of the user's")
        super().__init__(info, store, shown=shown)

    def command(self, folder: Path) -> Sequence[str]:
        """The entry's command, with the private copy for the state directory."""
        given = [self._server.command, *self._server.arguments]
        return [self._moved(self._found(text), folder) for text in given]

    def environment(self, folder: Path) -> Mapping[str, str]:
        """The entry's variables, likewise."""
        return {name: self._moved(v, folder) for name, v in self._server.environment.items()}

    def starts_in(self, folder: Path) -> Path:
        """The entry's directory, likewise."""
        if self._server.starts_in is None:
            return folder / ("work" if self.store.original is not None else self.store.place)
        return Path(self._moved(str(self._server.starts_in), folder))

    def tools(self) -> list[SystemTool]:
        """Its tools; those that may write only where that was allowed."""
        listed = [tool for tool in super().tools() if self._allow_writes or tool.read_only]
        if not listed:
            raise UsageError(
                f"{self._server.name} has no tool that is marked read-only", "add --allow-writes"
            )
        return listed

    def tidied(self, tool: str, content: Any) -> Any:
        """A result without the time of the call."""
        return self._clock.stilled(content)

    def state(self) -> Any:
        """The state without times of calls."""
        return self._clock.stilled(super().state())

    def _found(self, text: str) -> str:
        """An argument that names a file by a relative path, by its whole path."""
        option, equals, path = text.partition("=") if text.startswith("-") else ("", "", text)
        whole = self._server.folder / path
        looks = "/" in path or Path(path).suffix
        return f"{option}{equals}{os.path.normpath(whole)}" if looks and whole.exists() else text

    def _moved(self, text: str, folder: Path) -> str:
        """A text with the private copy's path for the state directory's."""
        for spelling in self.store.spellings:
            text = Paths(folder, {self.store.place: spelling}).meant(text)
        return text


class UserStore(DirectoryStore):
    """A declared directory, read once; or nothing.

    Args:
        state: the directory.
        restart: whether the server has to be started again to see a state that is brought back.

    Attributes:
        original: its whole path.
        spellings: the paths by which an entry may name it, the longest first.
    """

    def __init__(self, state: Path | None, *, restart: bool) -> None:
        self.restart = restart
        self.original: Path | None = None
        self.spellings: list[str] = []
        self._kept: dict[str, Entry] = {}
        if state is None:
            super().__init__("work/state")
            return
        if not state.is_dir():
            raise UsageError(f"the state directory {state} is not there")
        self.original = state.resolve()
        names = {str(self.original), os.path.abspath(state)}
        self.spellings = sorted(names, key=len, reverse=True)
        super().__init__(f"work/{self.original.name}")
        try:
            found = DirectoryStore(self.original.name).keep(self.original.parent)
        except SystemFailure as failure:
            raise UsageError(f"the state directory {state} holds {failure.message}") from failure
        self._kept = {path: _inner(self.original, path, e) for path, e in found.items()}

    def initial(self, seed: int, live: Path) -> tuple[Any, str]:
        """The declared directory as it was, whatever the seed."""
        return self._kept, ""

    def capture(self, folder: Path) -> Any:
        """Every file by its path: databases by their rows, JSON by its values."""
        found = self.keep(folder)
        bases = {path for path, entry in found.items() if entry.data.startswith(_MAGIC)}
        beside = {base + end for base in bases for end in _BESIDE}
        return {
            path + "/" if entry.kind == "folder" else path: _meaning(path, entry, found)
            for path, entry in found.items()
            if path not in beside
        }


def _inner(root: Path, path: str, entry: Entry) -> Entry:
    """A link that stays within the directory wherever that is moved; none may lead out of it."""
    if entry.kind != "link":
        return entry
    place = root / path
    target = place.parent / os.fsdecode(entry.data)
    if not target.resolve().is_relative_to(root):
        raise UsageError(f"the link {place} leads out of the state directory", "remove it first")
    return replace(entry, data=os.fsencode(os.path.relpath(os.path.normpath(target), place.parent)))


def _meaning(path: str, entry: Entry, found: Mapping[str, Entry]) -> Any:
    """A file's content as canonical JSON, by what it is."""
    if entry.data.startswith(_MAGIC):
        with contextlib.suppress(sqlite3.Error):
            return _rows(entry.data, found.get(path + "-wal"))
    shown = plain(entry)
    with contextlib.suppress(ValueError, RecursionError):
        if isinstance(shown, str) and path.endswith(".json"):
            return json.loads(shown)
        if isinstance(shown, str) and path.endswith((".jsonl", ".ndjson")):
            return [json.loads(line) for line in shown.splitlines() if line.strip()]
    return shown


def _rows(base: bytes, log: Entry | None) -> Any:
    """A database's tables, with what its write-ahead log holds."""
    reader = SqliteStore("")
    if log is None or not log.data:
        with in_memory(base) as database:
            return reader.tables(database)
    with TemporaryDirectory(prefix="davinci-") as scratch:
        copy = Path(scratch) / "copy.db"
        copy.write_bytes(base)
        copy.with_name("copy.db-wal").write_bytes(log.data)
        with contextlib.closing(sqlite3.connect(copy)) as database:
            return reader.tables(database)
