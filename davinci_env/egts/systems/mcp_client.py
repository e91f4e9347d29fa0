"""One MCP server in a contained process, asked from ordinary code.

The protocol is the `mcp` package's; the pipe, the time and the amount are ours. A thread with an
event loop holds the session, so that what a server sends unasked is seen too.
"""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from ...errors import MissingExtra
from .process import Contained
from .protocol import SystemFailure

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.client.session import ClientSession
    from mcp.shared.message import SessionMessage
    from mcp_types import CallToolResult, InitializeResult, Tool
    from pydantic import ValidationError

MAX_PAGES = 100
"""Of a tool listing: one that never ends is refused."""

_JOIN = 5.0
"""Seconds that the thread has to end its session."""

T = TypeVar("T")


class ToolRefused(Exception):
    """A server answered a request with a JSON-RPC error."""


class McpClient:
    """Talks to a server whose process has been started.

    Args:
        process: belongs to the client from now on, and is closed with it.

    Raises:
        MissingExtra: the protocol's package is not installed.
    """

    def __init__(self, process: Contained) -> None:
        if find_spec("mcp") is None:
            raise MissingExtra("systems", "talking to MCP servers")
        self.process = process
        self.list_changed = False
        self._failure: SystemFailure | None = None
        self._session: ClientSession | None = None
        self._ready: Future[None] = Future()
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="davinci-mcp", daemon=True)
        self._thread.start()
        self._ready.result()

    # -- what is asked -----------------------------------------------------------------------------

    def initialize(self) -> InitializeResult:
        """Shake hands.

        Raises:
            SystemFailure: the server broke a limit, or its answer is none of the protocol's.
        """
        return self._ask(self._live().initialize(), self.process.limits.start_seconds)

    def tools(self) -> list[Tool]:
        """All pages of the tool listing."""
        return self._ask(self._tools(), self.process.limits.answer_seconds)

    async def _tools(self) -> list[Tool]:
        from mcp_types import PaginatedRequestParams

        self.list_changed = False
        found: list[Tool] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await self._live().list_tools(params=PaginatedRequestParams(cursor=cursor))
            found += page.tools
            cursor = page.next_cursor
            if cursor is None:
                return found
        raise RuntimeError(f"its tool listing has more than {MAX_PAGES} pages")

    def call(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """Call a tool.

        Raises:
            ToolRefused: the answer is a JSON-RPC error, or the arguments can't be sent.
            SystemFailure: the server broke a limit, or its answer is none of the protocol's.
        """
        try:
            json.dumps(arguments, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ToolRefused("The arguments are no text in Unicode.") from None
        return self._ask(self._call(tool, dict(arguments)), self.process.limits.answer_seconds)

    async def _call(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        from mcp_types import CallToolRequest, CallToolRequestParams, CallToolResult

        # Not the session's `call_tool`, which refuses results that break the tool's own schema.
        params = CallToolRequestParams(name=tool, arguments=arguments)
        return await self._live().send_request(CallToolRequest(params=params), CallToolResult)

    def close(self) -> None:
        """End the session; the process is closed too."""
        self._end_session()
        self.process.close()

    def stop(self) -> None:
        """End the session and the process, whose folder stays."""
        self._end_session()
        self.process.stop()

    def _end_session(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._ended.set)
            self._thread.join(_JOIN)

    def _ask(self, asked: Coroutine[Any, Any, T], seconds: float) -> T:
        """Have the loop's thread ask, and name what goes wrong."""
        from mcp.shared.exceptions import MCPError
        from pydantic import ValidationError

        name = self.process.name
        try:
            if self._failure is not None or not self._thread.is_alive():
                asked.close()
                raise self._failure or SystemFailure("crash", f"{name} is not running")
            return asyncio.run_coroutine_threadsafe(
                asyncio.wait_for(asked, seconds), self._loop
            ).result()
        except MCPError as error:
            raise self._failure or ToolRefused(error.message) from None
        except TimeoutError:
            failure = self._failure or SystemFailure("hang", f"{name} gave no answer in time")
            raise failure from None
        except (ValidationError, RuntimeError) as error:
            text = _first(error) if isinstance(error, ValidationError) else str(error)
            failure = SystemFailure("garbage", f"{name} answered against the protocol: {text}")
            raise self._failure or failure from None

    def _live(self) -> ClientSession:
        assert self._session is not None
        return self._session

    # -- the thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    async def _serve(self) -> None:
        """Hold the session open until the end is wanted."""
        import anyio
        from mcp.client.session import ClientSession

        inward, received = anyio.create_memory_object_stream[Any](math.inf)
        outward, sent = anyio.create_memory_object_stream[Any](math.inf)
        session = ClientSession(received, outward, message_handler=self._heard)
        async with inward, received, outward, sent, session:
            self._session = session
            self._loop.add_reader(self.process, self._readable, inward)
            writing = self._loop.create_task(self._write(sent))
            self._ready.set_result(None)
            await self._ended.wait()
            self._loop.remove_reader(self.process)
            writing.cancel()

    async def _heard(self, message: Any) -> None:
        """Note that the server says that its tools have changed."""
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            self.list_changed = True

    async def _write(self, sent: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async for item in sent:
            text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            if self._failure is None:
                self.process.send(text.encode())

    def _readable(self, inward: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Pass on what the server wrote; a breach ends the session."""
        try:
            for line in self.process.step(0):
                if line.strip():
                    inward.send_nowait(self._message(line))
        except SystemFailure as failure:
            self._failure = failure
            self._loop.remove_reader(self.process)
            inward.close()

    def _message(self, line: bytes) -> SessionMessage:
        from mcp.shared.message import SessionMessage
        from mcp_types import jsonrpc_message_adapter

        try:
            return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError:
            shown = line[:80].decode("utf-8", "replace")
            self.process.fail("garbage", f"wrote what is no message of MCP: {shown!r}")


def _first(error: ValidationError) -> str:
    """The first thing that is wrong with an answer, in one line."""
    found = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, found['loc']))}: {found['msg']}"
