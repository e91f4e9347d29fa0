"""The expert against a server in another process: it acts there as it does at home."""

import asyncio
import sys
import threading
from collections.abc import Coroutine, Iterator, Mapping
from typing import Any, TypeVar

import pytest

pytest.importorskip("fastmcp")

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from davinci_env.agents import ScriptedUser, make_agent
from davinci_env.domain.log import CallEntry, Log, Message
from davinci_env.environment import Event, Metadata, ToolResult, ToolSpec
from davinci_env.episodes.runner import play_task
from tests.agents.drawn import drawn_tasks
from tests.agents.talks import steps

T = TypeVar("T")
DOMAIN = "library_lending"


class OverMcp:
    """An environment that a server process keeps; only tools cross."""

    def __init__(self, metadata: Metadata) -> None:
        self.metadata, self.log = metadata, Log()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        arguments = ["-m", "davinci_env.serve", DOMAIN, "--seed", str(metadata.seed)]
        self._client = Client(StdioTransport(sys.executable, arguments, keep_alive=False))
        self._wait(self._client.__aenter__())

    def _wait(self, awaited: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(awaited, self._loop).result(60)

    def tools(self) -> list[ToolSpec]:
        return [
            ToolSpec(t.name, t.title or "", t.description or "", t.input_schema, {}, {})
            for t in self._wait(self._client.list_tools())
        ]

    def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        answer = self._wait(self._client.call_tool(tool, dict(arguments), raise_on_error=False))
        content = answer.structured_content or {}
        error = content.get("error", {}) if answer.is_error else {}
        data = None if answer.is_error else content
        result = ToolResult(not answer.is_error, data, error.get("code"), error.get("message", ""))
        entry = CallEntry(tool, arguments, result.ok, result.code, (), (), False, result)
        self.log.entries.append(entry)
        return result

    def observe(self, entry: Message | Event) -> None:
        self.log.entries.append(entry)

    def close(self) -> None:
        self._wait(self._client.__aexit__(None, None, None))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture
def remote() -> Iterator[OverMcp]:
    drawn = next(drawn_tasks(DOMAIN, kinds=("ask",), seeds=range(9)))
    opened = OverMcp(drawn.environment.metadata)
    yield opened
    opened.close()


def test_over_mcp_the_expert_takes_the_same_steps(remote: OverMcp) -> None:
    for drawn in drawn_tasks(DOMAIN, kinds=("ask", "act"), seeds=(remote.metadata.seed,)):
        task, agent = drawn.task, make_agent("expert", drawn.task)
        assert drawn.play(agent).passed
        remote.log.entries.clear()
        play_task(task, remote, make_agent("expert", task), ScriptedUser(task))
        assert steps(remote) == steps(drawn.environment)
