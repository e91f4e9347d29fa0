"""Standard input and output: every line is answered, in order, and nothing else is written."""

import asyncio
import json
import os
import subprocess
import sys
from typing import Any

import pytest

pytest.importorskip("fastmcp")

import mcp_types as mcp
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from davinci_env.serve.protocol import build_server
from davinci_env.serve.stdio import Wire, serve_stdio
from tests.serve.double import Ledger

HELLO = [
    {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]


def lines(*messages: Any) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


def call(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def speak(given: bytes, ledger: Ledger) -> list[dict[str, Any]]:
    """Send bytes to a server and close; return what it answered."""

    async def conversation() -> bytes:
        in_read, in_write = os.pipe()
        out_read, out_write = os.pipe()

        def feed() -> None:
            with open(in_write, "wb") as pipe:
                pipe.write(given)

        def drain() -> bytes:
            with open(out_read, "rb") as pipe:
                return pipe.read()

        feeding, draining = asyncio.to_thread(feed), asyncio.to_thread(drain)
        both = asyncio.gather(feeding, draining)
        with open(out_write, "wb") as sink:
            server = build_server(ledger.metadata, lambda context: ledger)
            await serve_stdio(server, Wire(in_read, sink))
        os.close(in_read)
        return (await both)[1]

    return [json.loads(line) for line in asyncio.run(conversation()).splitlines()]


def test_a_batch_is_answered_in_order_even_when_the_client_has_gone() -> None:
    ledger = Ledger()
    batch = [call(number, "add", amount=1) for number in range(1, 101)]
    answers = speak(lines(*HELLO, *batch), ledger)
    assert [answer["id"] for answer in answers] == list(range(101))
    totals = [answer["result"]["structuredContent"]["total"] for answer in answers[1:]]
    assert totals == list(range(1, 101))


def test_a_last_line_without_an_end_counts() -> None:
    answers = speak(lines(*HELLO) + json.dumps(call(1, "add", amount=4)).encode(), Ledger())
    assert answers[-1]["result"]["structuredContent"] == {"total": 4}


def test_what_is_no_message_is_answered_and_the_next_one_served() -> None:
    ledger = Ledger()
    nonsense = b'not json\n\xff\xfe\n{"id": 7}\n{"id": true}\n[]\n\n   \n'
    answers = speak(lines(*HELLO) + nonsense + lines(call(1, "add", amount=4)), ledger)
    errors = sorted(
        (answer["id"] or 0, answer["error"]["code"]) for answer in answers if "error" in answer
    )
    assert errors == sorted(
        [
            (0, mcp.PARSE_ERROR),
            (0, mcp.PARSE_ERROR),
            (7, mcp.INVALID_REQUEST),
            (0, mcp.INVALID_REQUEST),
            (0, mcp.INVALID_REQUEST),
        ]
    )
    assert ledger.total == 4


def test_a_line_that_is_too_long_is_refused_unread() -> None:
    ledger = Ledger()
    long = call(1, "add", amount=1, more="x" * 5_000_000)
    answers = speak(lines(*HELLO, long, call(2, "add", amount=4)), ledger)
    assert [a["error"]["message"] for a in answers if "error" in a] == ["The message is too long"]
    assert [entry[0] for entry in ledger.log] == ["add"]
    assert ledger.total == 4


def test_a_client_that_leaves_at_once_is_no_error() -> None:
    assert speak(b"", Ledger()) == []
    assert speak(lines(HELLO[1]), Ledger()) == []


def test_half_a_surrogate_pair_is_refused_and_the_wire_survives() -> None:
    odd = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"amount":"\\ud800"}}}\n'  # noqa: E501
    answers = speak(lines(*HELLO) + odd + lines(call(2, "look")), Ledger())
    assert answers[-1]["result"]["structuredContent"] == {"total": 0}


_NOISY = """
import os
from davinci_env.serve.service import Settings, run
from tests.serve.double import Ledger, LedgerSource

class Noisy(Ledger):
    def call(self, tool, arguments):
        print("noise from print")
        os.write(1, b"noise from a child")
        assert input_is_empty()
        return super().call(tool, arguments)

def input_is_empty():
    return os.read(0, 10) == b""

class Source(LedgerSource):
    def open(self):
        return Noisy()

run(Source(), Settings())
"""


def test_what_a_domain_prints_misses_the_wire() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _NOISY],
        input=lines(*HELLO, call(1, "add", amount=4)),
        capture_output=True,
        timeout=60,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[-1]["result"]["structuredContent"] == {"total": 4}
    assert b"noise from print" in done.stderr
    assert b"noise from a child" in done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_command_serves_a_domain_to_an_mcp_client(mode: str) -> None:
    async def act() -> Any:
        transport = StdioTransport(
            sys.executable, ["-m", "davinci_env.serve", "library_lending"], keep_alive=False
        )
        async with Client(transport, mode=mode) as client:
            tools = {tool.name for tool in await client.list_tools()}
            policy = await client.read_resource("policy://library_lending")
            found = await client.call_tool("browse_branches", {})
            refused = await client.call_tool(
                "show_member", {"member_id": "x"}, raise_on_error=False
            )
            return tools, policy[0].text, found.structured_content, refused.structured_content

    tools, policy, found, refused = asyncio.run(act())
    assert {"checkout_copy", "show_member"} < tools
    assert "library" in policy
    assert found["items"]
    assert refused["error"]["code"] == "member_not_found"
