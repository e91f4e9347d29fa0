"""The agent's half over MCP: what an agent sees is what it would see in process, and no more."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("fastmcp")

import mcp_types as mcp

from davinci_env.environment import (
    Environment,
    Event,
    Message,
    ToolResult,
    WithoutTools,
    open_environment,
)
from davinci_env.errors import UsageError
from davinci_env.serve.remote import RemoteEnvironment, _result, _spec
from tests.serve.double import POLICY, LedgerSource
from tests.serve.house import house
from tests.serve.random_calls import random_calls

NAME = "library_lending"


def served(work: Callable[[str], Any]) -> Any:
    """Run blocking work beside a served ledger; it gets the endpoint's address."""

    async def act() -> Any:
        async with house(LedgerSource()) as home:
            return await asyncio.to_thread(work, f"{home.service.agent_url}/mcp")

    return asyncio.run(act())


@pytest.fixture(scope="module")
def library() -> Iterator[RemoteEnvironment]:
    command = [sys.executable, "-m", "davinci_env.serve", NAME]
    with RemoteEnvironment.over_stdio(command) as environment:
        yield environment


def test_tools_policy_and_results_are_those_of_the_environment(library: RemoteEnvironment) -> None:
    direct = open_environment(NAME)
    assert isinstance(library, Environment)
    assert library.tools() == direct.tools()
    assert library.metadata.name == NAME
    assert library.metadata.policy == direct.metadata.policy
    codes = set()
    for tool, arguments in random_calls(direct, seed=3, n=60):
        here, there = direct.call(tool, arguments), library.call(tool, arguments)
        assert (there.ok, there.code, there.content, there.text) == (
            here.ok,
            here.code,
            here.content,
            here.text,
        )
        codes.add(here.code)
    assert {None, "unknown_tool", "invalid_arguments"} < codes
    writes = [entry.writes for entry in direct.log.calls()]
    assert [entry.writes for entry in library.log.calls() if entry.ok] == [
        writes[i] for i, entry in enumerate(direct.log.calls()) if entry.ok
    ]
    direct.close()


def test_nothing_of_the_judges_crosses_the_wire() -> None:
    def work(url: str) -> None:
        with RemoteEnvironment.over_http(url) as ledger:
            result = ledger.call("add", {"amount": 3})
            assert result == ToolResult(True, {"total": 3})  # a ledger's calls all break a rule

    served(work)


def test_the_log_is_kept_on_the_agents_side_in_order() -> None:
    def work(url: str) -> None:
        with RemoteEnvironment.over_http(url) as ledger:
            ledger.observe(Message("user", "Add three."))
            ledger.call("add", {"amount": 3})
            ledger.observe(Event("asked", {"fact": "amount"}))
            user, call, asked = ledger.log
            assert (user, asked) == (
                Message("user", "Add three."),
                Event("asked", {"fact": "amount"}),
            )
            assert (call.tool, dict(call.arguments), call.ok) == ("add", {"amount": 3}, True)

    served(work)


def test_a_tool_that_appears_is_seen_at_the_next_listing() -> None:
    def work(url: str) -> None:
        with RemoteEnvironment.over_http(url) as ledger:
            assert "take" not in {spec.name for spec in ledger.tools()}
            ledger.call("add", {"amount": 1})
            assert "take" in {spec.name for spec in ledger.tools()}
            hidden = WithoutTools(ledger, frozenset({"take"}))
            assert hidden.call("take", {"amount": 1}).code == "unknown_tool"

    served(work)


def test_sessions_are_bound_by_secret_id_and_by_token() -> None:
    def work(url: str, env_id: str) -> None:
        with (
            RemoteEnvironment.over_http(url, token="a-token") as shared,
            RemoteEnvironment.over_http(url, token="a-token", env_id=env_id) as private,
        ):
            shared.call("add", {"amount": 5})
            assert private.call("look", {}).data == {"total": 0}
            assert shared.call("look", {}).data == {"total": 5}
        with pytest.raises(UsageError, match=r"no session .* the token and the environment"):
            RemoteEnvironment.over_http(url, env_id=env_id)

    async def act() -> None:
        async with house(LedgerSource(), tokens=("a-token",)) as home:
            env_id = await home.new_environment("a-token")
            await asyncio.to_thread(work, f"{home.service.agent_url}/mcp", env_id)

    asyncio.run(act())


def test_the_operators_half_is_refused() -> None:
    def work(url: str) -> None:
        with RemoteEnvironment.over_http(url) as ledger:
            ledger.call("add", {"amount": 5})
            for attempt in (
                ledger.reset,
                ledger.snapshot,
                ledger.capture,
                lambda: ledger.restore(None),
            ):
                with pytest.raises(UsageError, match=r"an agent can't .* ask the operator"):
                    attempt()
            assert ledger.metadata.policy == POLICY
            assert ledger.call("look", {}).data == {"total": 5}

    served(work)


def test_where_no_server_is_one_sentence_says_so() -> None:
    with pytest.raises(UsageError, match=r"failed to connect .*see that it runs"):
        RemoteEnvironment.over_http("http://127.0.0.1:9/mcp")
    with pytest.raises(UsageError, match="MCP server"):
        RemoteEnvironment.over_stdio([sys.executable, "-c", "raise SystemExit(3)"])


def test_a_server_that_has_gone_is_no_answer_of_a_tool() -> None:
    gone: list[RemoteEnvironment] = []
    served(lambda url: gone.append(RemoteEnvironment.over_http(url)))
    with pytest.raises(UsageError, match="the MCP server"):
        gone[0].call("look", {})
    assert list(gone[0].log) == []
    gone[0].close()
    gone[0].close()
    with pytest.raises(UsageError, match="is closed"):
        gone[0].tools()


def test_answers_of_foreign_servers_are_taken_as_they_come() -> None:
    def answer(text: str, failed: bool = False, **more: Any) -> ToolResult:
        content = [mcp.TextContent(text=text)]
        return _result(mcp.CallToolResult(content=content, is_error=failed, **more))

    assert answer("plain words") == ToolResult(True, {"text": "plain words"})
    assert answer('{"n": 1}') == ToolResult(True, {"n": 1})
    assert answer("[1]") == ToolResult(True, {"text": "[1]"})
    assert answer("x", structured_content={"n": 2}) == ToolResult(True, {"n": 2})
    assert answer("No such file", failed=True) == ToolResult(
        False, code="tool_error", message="No such file"
    )
    ours = '{"error": {"code": "loan_not_found", "message": "There is no such loan."}}'
    assert answer(ours, failed=True) == ToolResult(
        False, code="loan_not_found", message="There is no such loan."
    )


def test_hints_that_a_server_leaves_out_are_the_protocols_defaults() -> None:
    spec = _spec(mcp.Tool(name="look", input_schema={"type": "object"}))
    assert (spec.title, spec.description, spec.output_schema) == ("look", "", {})
    assert spec.annotations == {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    }
