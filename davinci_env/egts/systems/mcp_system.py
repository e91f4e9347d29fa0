"""An MCP server over stdio as a system: a contained process, the protocol, and a store that says
what its state is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ...errors import UsageError
from .mcp_client import McpClient, ToolRefused
from .paths import Paths
from .process import Contained, Limits
from .protocol import Answer, SystemFailure, SystemInfo, SystemTool
from .schemas import plain_schema
from .stores import Store

if TYPE_CHECKING:
    from mcp_types import CallToolResult, Tool

LIMITS = Limits(start_seconds=60.0, answer_bytes=8 << 20, episode_bytes=128 << 20)

_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")
T = TypeVar("T")

_OPENINGS = 500
"""After so many a process is started anew, so that no run wears its limits out."""


class McpSystem:
    """A `System` that is an MCP server over stdio. Families say how it is started and give a store;
    those whose results need it override `error_in` and `tidied`.

    The server sees its private folder, and everybody else sees `shown` in its place: arguments and
    results are translated, so that equal episodes are equal bytes.

    Args:
        info: what it is; the version is the server's own where it is left empty.
        store: its state.
        limits: what the process may use.
        shown: how places within the private folder are called outside, by place.
    """

    def __init__(
        self,
        info: SystemInfo,
        store: Store,
        *,
        limits: Limits = LIMITS,
        shown: Mapping[str, str] | None = None,
    ) -> None:
        self._info = info
        self._told = info.context
        self.store = store
        self._limits = limits
        self._places = {"home": "/home/user", "tmp": "/tmp", **(shown or {})}
        self._client: McpClient | None = None
        self._process: Contained | None = None
        self._paths = Paths(Path("/nowhere"), {})
        self._tools: list[SystemTool] = []
        self._names: dict[str, str] = {}
        self._listed: Any = None
        self._first: Any = None
        self._now: Any = None
        self._openings = 0

    # -- what a family says ------------------------------------------------------------------------

    def command(self, folder: Path) -> Sequence[str]:
        """The command that starts the server, told its private folder."""
        raise NotImplementedError

    def environment(self, folder: Path) -> Mapping[str, str]:
        """Variables that it needs beyond those of any contained process."""
        return {}

    def starts_in(self, folder: Path) -> Path:
        """The directory that it starts in."""
        return folder / "work"

    def settle(self, seed: int) -> None:
        """Bring the running server to the seed's initial state, by its tools or in its files, where
        the store's `prepare` can't."""

    def read_only(self, tool: Tool) -> bool | None:
        """Whether a tool only reads, where somebody said so."""
        return tool.annotations.read_only_hint if tool.annotations is not None else None

    def error_in(self, tool: str, content: Any) -> str | None:
        """The words of an error that the server reports as a success."""
        return None

    def meant(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Arguments as the server needs them: shown paths made real, wherever they stand."""
        meant: dict[str, Any] = self._paths.meant(arguments)
        return meant

    def tidied(self, tool: str, content: Any) -> Any:
        """A result without what differs between equal episodes, such as the time of the call."""
        return content

    @property
    def folder(self) -> Path:
        """The private folder, while it is open."""
        return self._running().process.folder

    # -- opening -----------------------------------------------------------------------------------

    @property
    def info(self) -> SystemInfo:
        """What it is; its version is known once it was opened."""
        return self._info

    def open(self, seed: int) -> None:
        """Stand at the initial state of a seed."""
        if self._openings >= _OPENINGS:
            self.close()
        first = not self._tools
        try:
            self._open(seed)
        except SystemFailure as failure:
            self.close()
            if first:
                text = f"{self._info.name} can't be used: {failure.message}"
                raise UsageError(text) from failure
            raise
        except BaseException:
            self.close()
            raise

    def _open(self, seed: int) -> None:
        if self._process is None:
            self._process = Contained(f"the server {self._info.name}", self._limits)
            self._paths = Paths(self._process.folder, self._places)
            self._openings = 0
        self._openings += 1
        folder = self._process.folder
        initial, said = self.store.initial(seed, folder)
        context = "\n\n".join(filter(None, (self._told, said)))
        self._info = replace(self._info, context=self._shown(context))
        if self._client is None:
            if not self.store.made_by_server:
                self.store.bring_back(folder, initial)
            self._start()
            self._first = self.store.keep(folder)
        else:
            self._process.renew()
            self._return_to(self._first if self.store.made_by_server else initial)
            self._compare()
        self._now = None
        self.settle(seed)
        self._now = None

    def _start(self) -> None:
        process = self._process
        assert process is not None
        process.start(
            self.command(process.folder),
            self.environment(process.folder),
            self.starts_in(process.folder),
        )
        self._client = client = McpClient(process)
        try:
            greeting = client.initialize()
        except ToolRefused as refusal:
            raise SystemFailure(
                "garbage", f"{process.name} refused to shake hands ({refusal})"
            ) from None
        if not self._info.version:
            self._info = replace(self._info, version=greeting.server_info.version)
        self._compare()

    def _compare(self) -> None:
        """Learn the tools, or see that they are still what they were."""
        assert self._client is not None
        try:
            tools = self._client.tools()
        except ToolRefused as refusal:
            raise SystemFailure(
                "garbage", f"{self._client.process.name} refused to list its tools ({refusal})"
            ) from None
        listed = [tool.model_dump(mode="json") for tool in tools]
        if self._listed is None:
            self._learn(tools)
            self._listed = listed
        elif listed != self._listed:
            raise SystemFailure("tools-changed", f"the tools of {self._info.name} have changed")

    def _learn(self, tools: Sequence[Tool]) -> None:
        if not tools:
            raise UsageError(f"{self._info.name} lists no tools")
        self._names = {_NOT_IN_NAMES.sub("_", tool.name)[:64]: tool.name for tool in tools}
        if len(self._names) < len(tools):
            raise UsageError(f"{self._info.name} lists two tools of one name")
        self._tools = [
            SystemTool(
                name,
                self._shown(tool.description or ""),
                self._shown(plain_schema(tool.name, tool.input_schema)),
                self.read_only(tool),
            )
            for name, tool in zip(self._names, tools, strict=True)
        ]

    # -- the rest of the seam ----------------------------------------------------------------------

    def tools(self) -> list[SystemTool]:
        """Its tools, as the server lists them."""
        return list(self._tools)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool. What a failing call changed is taken back."""
        client = self._running()
        before = self._kept()
        if client.list_changed:
            self._guarded(self._compare)
        try:
            given = self.meant(tool, dict(arguments))
            result = self._guarded(lambda: client.call(self._names[tool], given))
        except ToolRefused as refusal:
            error: str | None = str(refusal) or "The server refused."
            content = None
        else:
            content = self._shown(content_of(result))
            error = _words(content) if result.is_error else self.error_in(tool, content)
        self._now = None
        if error is None:
            return Answer(True, self.tidied(tool, content))
        if self._kept() != before:
            self._return_to(before)
        return Answer(False, error=self._shown(error))

    def state(self) -> Any:
        """The canonical state, from the store."""
        return self._shown(self._guarded(lambda: self.store.capture(self.folder)))

    def snapshot(self) -> Any:
        """Keep the state."""
        return self._kept()

    def restore(self, kept: Any) -> None:
        """Return to a kept state."""
        self._running().process.renew()
        self._return_to(kept)

    def forget(self, kept: Any) -> None:
        """Nothing to do: kept states are values."""

    def close(self) -> None:
        """End the server; its folder goes too."""
        client, self._client = self._client, None
        process, self._process = self._process, None
        self._now = None
        if client is not None:
            client.close()
        if process is not None:
            process.close()

    # -- within ------------------------------------------------------------------------------------

    def _running(self) -> McpClient:
        if self._client is None:
            raise SystemFailure("crash", f"the server {self._info.name} is not running")
        return self._client

    def _kept(self) -> Any:
        """The present state, read again only after something may have changed it."""
        if self._now is None:
            self._now = self._guarded(lambda: self.store.keep(self.folder))
        return self._now

    def _return_to(self, kept: Any) -> None:
        self._guarded(lambda: self._bring_back(kept))
        self._now = kept

    def _bring_back(self, kept: Any) -> None:
        client = self._running()
        folder = client.process.folder
        if not self.store.restart:
            self.store.bring_back(folder, kept)
        elif self.store.keep(folder) != kept:
            client.stop()
            self._client = None
            self.store.bring_back(folder, kept)
            self._start()

    def _guarded(self, act: Callable[[], T]) -> T:
        """Do something that a failure of the server ends."""
        try:
            return act()
        except SystemFailure:
            self.close()
            raise
        except OSError as error:
            self.close()
            text = f"the files of {self._info.name} can't be read or written: {error}"
            raise SystemFailure("garbage", text) from error

    def _shown(self, value: Any) -> Any:
        """A value with the private folder's paths as others see them."""
        return self._paths.shown(value)


def content_of(result: CallToolResult) -> Any:
    """What a result says, as JSON: its structured content, else its parts, JSON where they are."""
    if isinstance(result.structured_content, dict):
        return result.structured_content
    parts = [_part(part) for part in result.content]
    return parts[0] if len(parts) == 1 else parts or None


def _part(part: Any) -> Any:
    """One part of a result; what is no text is described."""
    if part.type == "text":
        return parsed(part.text)
    if part.type == "resource" and getattr(part.resource, "text", None) is not None:
        return parsed(part.resource.text)
    if part.type == "resource_link":
        return {"type": "resource_link", "uri": str(part.uri), "name": part.name}
    holder = part.resource if part.type == "resource" else part
    data: str = getattr(holder, "blob", "") or getattr(holder, "data", "")
    return {"type": part.type, "mime_type": holder.mime_type, "base64_length": len(data)}


def parsed(text: str) -> Any:
    """A text's JSON value where it is JSON and nothing of the text is lost by that."""
    try:
        value = json.loads(text, parse_constant=_refused)
        plain = isinstance(value, dict | list) or json.dumps(value) == text
    except (ValueError, RecursionError):
        return text
    return value if plain and not isinstance(value, str) else text


def _refused(name: str) -> Any:
    """NaN and the infinities are no JSON, though Python reads them."""
    raise ValueError(name)


def _words(content: Any) -> str:
    """An error's content in words."""
    if isinstance(content, str):
        return content or "The tool failed."
    if isinstance(content, list) and content and all(isinstance(part, str) for part in content):
        return " ".join(content)
    return json.dumps(content, ensure_ascii=False)
