"""What an MCP client sees of an environment, in both eras of the protocol, in this process."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("fastmcp")

import mcp_types
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from davinci_env import __version__
from davinci_env.serve.protocol import build_server
from tests.serve.double import POLICY, SPECS, Ledger

MODES = ["auto", "legacy"]
Act = Callable[[Client], Awaitable[Any]]


def talk(ledger: Ledger, mode: str, act: Act, **settings: Any) -> Any:
    """Connect a client to a server for `ledger`; return what `act` does, or its protocol error."""

    async def conversation() -> Any:
        server = build_server(ledger.metadata, lambda context: ledger, **settings)
        async with Client(server, mode=mode) as client:
            try:
                return await act(client)
            except MCPError as error:
                return error

    return asyncio.run(conversation())


@pytest.mark.parametrize("mode", MODES)
def test_the_server_says_who_it_is_and_what_the_rules_are(mode: str) -> None:
    async def act(client: Client) -> Any:
        await client.list_tools()
        return client.server_info, client.instructions

    info, instructions = talk(Ledger(), mode, act)
    assert (info.name, info.version) == ("ledger", __version__)
    assert instructions == POLICY


@pytest.mark.parametrize("mode", MODES)
def test_tools_are_listed_with_schemas_and_all_four_annotations(mode: str) -> None:
    listed = talk(Ledger(), mode, lambda client: client.list_tools()).tools
    assert [tool.name for tool in listed] == ["look", "add", "crash"]
    for tool in listed:
        spec = next(each for each in SPECS if each.name == tool.name)
        assert tool.title == spec.title
        assert tool.description == spec.description
        assert tool.input_schema == spec.parameters
        assert tool.output_schema == spec.output_schema
        hints = tool.annotations.model_dump(by_alias=True)
        assert {name: hints[name] for name in spec.annotations} == spec.annotations


def test_tools_are_listed_anew_each_time() -> None:
    async def act(client: Client) -> Any:
        before = [tool.name for tool in (await client.list_tools()).tools]
        await client.call_tool("add", {"amount": 3})
        return before, [tool.name for tool in (await client.list_tools()).tools]

    before, after = talk(Ledger(), "auto", act)
    assert (before, after) == (["look", "add", "crash"], ["look", "add", "take", "crash"])


@pytest.mark.parametrize("mode", MODES)
def test_a_result_is_structured_and_the_same_json_as_text(mode: str) -> None:
    result = talk(Ledger(), mode, lambda client: client.call_tool("add", {"amount": 3}))
    assert result.is_error is False
    assert result.structured_content == {"total": 3}
    assert [json.loads(part.text) for part in result.content] == [{"total": 3}]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("missing", {}, "unknown_tool"),
        ("add", {}, "invalid_arguments"),
        ("add", {"amount": "3"}, "invalid_arguments"),
        ("add", {"amount": 3, "more": 1}, "invalid_arguments"),
        ("take", {"amount": 9}, "not_enough"),
    ],
)
def test_an_error_is_a_result_with_a_code(
    mode: str, tool: str, arguments: dict[str, Any], code: str
) -> None:
    ledger = Ledger(total=5)
    result = talk(ledger, mode, lambda client: client.call_tool(tool, arguments))
    assert result.is_error is True
    assert result.structured_content["error"]["code"] == code
    assert result.structured_content["error"]["message"]
    assert json.loads(result.content[0].text) == result.structured_content
    assert ledger.total == 5


@pytest.mark.parametrize("mode", MODES)
def test_a_defect_is_told_without_its_insides(mode: str) -> None:
    result = talk(Ledger(), mode, lambda client: client.call_tool("crash", {}))
    assert result.is_error is True
    assert result.structured_content == {
        "error": {"code": "internal_error", "message": "The tool failed."}
    }
    assert "secret" not in result.model_dump_json()


def test_what_judges_the_agent_stays_behind() -> None:
    result = talk(Ledger(), "auto", lambda client: client.call_tool("add", {"amount": 3}))
    assert "kept_inside" not in result.model_dump_json()


@pytest.mark.parametrize("mode", MODES)
def test_the_policy_is_the_one_resource(mode: str) -> None:
    async def act(client: Client) -> Any:
        listed = (await client.list_resources()).resources
        return listed, (await client.read_resource(str(listed[0].uri))).contents

    listed, contents = talk(Ledger(), mode, act)
    assert [str(resource.uri) for resource in listed] == ["policy://ledger"]
    assert listed[0].mime_type == "text/markdown"
    assert [part.text for part in contents] == [POLICY]


@pytest.mark.parametrize("mode", MODES)
def test_an_unknown_resource_is_a_protocol_error(mode: str) -> None:
    error = talk(Ledger(), mode, lambda client: client.read_resource("policy://other"))
    assert error.code == mcp_types.INVALID_PARAMS
    assert "policy://ledger" in error.message


@pytest.mark.parametrize("mode", MODES)
def test_there_are_no_prompts_and_no_templates(mode: str) -> None:
    async def act(client: Client) -> Any:
        prompts = await client.list_prompts()
        return prompts.prompts, (await client.list_resource_templates()).resource_templates

    assert talk(Ledger(), mode, act) == ([], [])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_pages_add_up(size: int) -> None:
    async def act(client: Client) -> Any:
        names, cursor, pages = [], None, 0
        while True:
            page = await client.list_tools(cursor=cursor)
            assert len(page.tools) <= size
            names += [tool.name for tool in page.tools]
            pages, cursor = pages + 1, page.next_cursor
            if cursor is None:
                return names, pages

    names, pages = talk(Ledger(total=1), "auto", act, page_size=size)
    assert names == ["look", "add", "take", "crash"]
    assert pages == -(-4 // size)


@pytest.mark.parametrize(
    "cursor", ["", "x", "YWZ0ZXI6MA==", "YWZ0ZXI6OTk=", "YWZ0ZXI6LTE=", "=", "é"]
)
def test_a_cursor_that_we_did_not_give_is_invalid(cursor: str) -> None:
    error = talk(Ledger(), "auto", lambda client: client.list_tools(cursor=cursor), page_size=2)
    assert error.code == mcp_types.INVALID_PARAMS


def test_calls_are_served_in_their_order_of_arrival() -> None:
    async def act(client: Client) -> Any:
        return await asyncio.gather(*(client.call_tool("add", {"amount": n}) for n in range(1, 51)))

    results = talk(Ledger(), "auto", act)
    # The n-th triangular number after the n-th call, and only in that order.
    assert [r.structured_content["total"] for r in results] == [
        n * (n + 1) // 2 for n in range(1, 51)
    ]
