"""The agent's half of an environment that another process serves over MCP.

Tools, calls and the policy cross the wire, nothing else: no state, no requirement, no verdict. What
was said is noted on this side; who plays the user tells the server through the operator's listener.
To reset, snapshot, restore or capture is the operator's business too, and refused here.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, NoReturn, Self, TypeVar

import mcp_types as mcp
import orjson
from fastmcp import Client
from fastmcp.client.transports import ClientTransport, StdioTransport, StreamableHttpTransport
from mcp.shared.exceptions import MCPError

from davinci_env.environment import (
    CallEntry,
    Event,
    Log,
    Message,
    Metadata,
    Outcome,
    Snapshot,
    ToolResult,
    ToolSpec,
)
from davinci_env.errors import UsageError
from davinci_env.serve.agent_http import ENVIRONMENT_HEADER

ANSWER_SECONDS = 60.0
"""How long a server may take for one answer."""

_AGENTS_FAULT = (mcp.INVALID_PARAMS, mcp.METHOD_NOT_FOUND)
"""Errors of the protocol with which some servers answer a bad call."""

T = TypeVar("T")


class RemoteEnvironment:
    """An environment behind an MCP session; to be closed, or used as a context manager.

    What a server does not tell of itself (version, content hash, seed, scale, actor) stands in
    `metadata` as 0, "", 0, 1.0 and None, its kind as `system`.

    Args:
        transport: how to reach the server.
        seconds: how long it may take for one answer.

    Raises:
        UsageError: no MCP server answers there, or not to this caller.
    """

    def __init__(self, transport: ClientTransport, *, seconds: float = ANSWER_SECONDS) -> None:
        self.log = Log()
        self._seconds = seconds
        self._reads: frozenset[str] = frozenset()
        self._client: Client[Any] = Client(transport, timeout=seconds)
        self._session = contextlib.AsyncExitStack()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="mcp client", daemon=True
        )
        self._thread.start()
        try:
            self._wait(self._session.enter_async_context(self._client), "connect")
            self.metadata = self._wait(self._read_metadata(), "tell the policy")
        except MCPError as error:
            self.close()
            raise UsageError(
                f"no session with the MCP server ({error.error.message})",
                "see that it runs, and that the token and the environment are right",
            ) from error
        except BaseException:
            self.close()
            raise

    @classmethod
    def over_stdio(
        cls, command: Sequence[str], *, variables: Mapping[str, str] | None = None
    ) -> Self:
        """Start a server and speak with it over its standard streams.

        Args:
            command: a program and its arguments, such as `["davinci", "serve", NAME]`.
            variables: environment variables of the program.
        """
        program, *arguments = command
        given = None if variables is None else dict(variables)
        return cls(StdioTransport(program, arguments, env=given, keep_alive=False))

    @classmethod
    def over_http(cls, url: str, *, token: str | None = None, env_id: str | None = None) -> Self:
        """Speak with a running server over streamable HTTP.

        Args:
            url: of its MCP endpoint, `http://127.0.0.1:8000/mcp`.
            token: bearer token, where it wants one.
            env_id: secret id of a private environment.
        """
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        if env_id is not None:
            headers[ENVIRONMENT_HEADER] = env_id
        # Reading the certificates of the web takes longer than a whole session without them.
        verify = None if url.startswith("https:") else False
        return cls(StreamableHttpTransport(url, headers=headers, verify=verify))

    def tools(self) -> list[ToolSpec]:
        """The tools, asked for anew each time."""
        tools = self._wait(self._client.list_tools(), "list its tools")
        specs = [_spec(tool) for tool in tools]
        self._reads = frozenset(s.name for s in specs if s.annotations["readOnlyHint"])
        return specs

    def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call a tool over there and note it here.

        Raises:
            UsageError: the server has gone, or no longer knows this environment.
        """
        given = dict(arguments)
        try:
            result = _result(self._wait(self._client.call_tool_mcp(tool, given), f"answer {tool}"))
        except MCPError as error:
            if error.error.code not in _AGENTS_FAULT:
                raise UsageError(f"the MCP server refuses {tool}: {error.error.message}") from error
            result = ToolResult(False, code="invalid_arguments", message=error.error.message)
        writes = result.ok and tool not in self._reads
        self.log.entries.append(
            CallEntry(tool, given, result.ok, result.code, (), (), writes, result)
        )
        return result

    def observe(self, entry: Message | Event) -> None:
        """Note here what was said, or what it meant."""
        self.log.entries.append(entry)

    def reset(self) -> None:
        """Raise UsageError: that is the operator's."""
        self._refuse("reset")

    def snapshot(self) -> Snapshot:
        """Raise UsageError: that is the operator's."""
        self._refuse("snapshot")

    def restore(self, snapshot: Snapshot) -> None:
        """Raise UsageError: that is the operator's."""
        self._refuse("restore")

    def capture(self) -> Outcome:
        """Raise UsageError: that is the operator's."""
        self._refuse("capture")

    def close(self) -> None:
        """Leave the server; one that was started for this session ends with it."""
        if self._loop.is_closed():
            return
        try:
            with contextlib.suppress(MCPError, UsageError):  # it may have gone already
                self._wait(self._session.aclose(), "part")
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _refuse(self, what: str) -> NoReturn:
        raise UsageError(
            f"an agent can't {what} an environment that is served over MCP",
            "ask the operator's listener",
        )

    def _wait(self, answer: Coroutine[Any, Any, T], what: str) -> T:
        """Let the session's own thread get an answer.

        Raises:
            MCPError: the server answers that it won't.
            UsageError: it does not answer.
        """
        if self._loop.is_closed():
            answer.close()
            raise UsageError("this session with an MCP server is closed", "open another one")
        waited = asyncio.run_coroutine_threadsafe(answer, self._loop)
        try:
            return waited.result(self._seconds)
        except MCPError:
            raise
        except Exception as error:  # each transport has errors of its own for a lost connection
            waited.cancel()
            raise UsageError(
                f"the MCP server failed to {what} ({str(error) or type(error).__name__})",
                "see that it runs, with `davinci serve NAME`",
            ) from error

    async def _read_metadata(self) -> Metadata:
        """What the server tells of itself: its name, and the policy as instructions or resource."""
        about, policy = self._client.server_info, self._client.instructions or ""
        for resource in () if policy else await self._client.list_resources():
            if str(resource.uri).startswith("policy://"):
                parts = await self._client.read_resource(resource.uri)
                policy = "".join(p.text for p in parts if isinstance(p, mcp.TextResourceContents))
        return Metadata(
            name=about.name if about is not None else "", kind="system", version=0,
            content_hash="", seed=0, scale=1.0, access="staff", policy=policy,
        )  # fmt: skip


def _spec(tool: mcp.Tool) -> ToolSpec:
    """A tool as the server describes it; a hint that it leaves out is the protocol's default."""
    given = tool.annotations or mcp.ToolAnnotations()
    hints = {
        "readOnlyHint": given.read_only_hint or False,
        "destructiveHint": given.destructive_hint is not False,
        "idempotentHint": given.idempotent_hint or False,
        "openWorldHint": given.open_world_hint is not False,
    }
    return ToolSpec(
        tool.name, tool.title or tool.name, tool.description or "", dict(tool.input_schema),
        dict(tool.output_schema or {}), hints,
    )  # fmt: skip


def _result(answer: mcp.CallToolResult) -> ToolResult:
    """A result as the agent sees it: our envelope where the server uses it, else the text."""
    text = "".join(part.text for part in answer.content if isinstance(part, mcp.TextContent))
    content = answer.structured_content
    if content is None:
        content = _object(text)
    if not answer.is_error:
        return ToolResult(True, content if content is not None else {"text": text})
    told = (content or {}).get("error")
    if isinstance(told, dict) and isinstance(told.get("code"), str):
        return ToolResult(False, code=told["code"], message=str(told.get("message", "")))
    return ToolResult(False, code="tool_error", message=text)


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None
