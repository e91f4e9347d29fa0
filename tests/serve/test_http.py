"""The agents' listener over real sockets: isolation, leases, and what is turned away."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("fastmcp")

from mcp.shared.exceptions import MCPError

from tests.serve.double import LedgerSource
from tests.serve.house import House, house

MODES = ["auto", "legacy"]


def at_home(act: Callable[[House], Awaitable[Any]], **settings: Any) -> Any:
    """Run `act` against a server of ledgers and return what it returns."""

    async def visit() -> Any:
        async with house(settings.pop("source", None) or LedgerSource(), **settings) as built:
            return await act(built)

    return asyncio.run(visit())


async def total(client: Any, add: int = 0) -> int:
    """Add to the ledger that a client is bound to, and return its total."""
    async with client:
        if add:
            await client.call_tool("add", {"amount": add})
        return int((await client.call_tool("look")).structured_content["total"])


@pytest.mark.parametrize("mode", MODES)
def test_callers_without_tokens_share_an_environment_and_may_have_private_ones(mode: str) -> None:
    async def act(home: House) -> None:
        assert await total(home.client(mode=mode), add=1) == 1
        assert await total(home.client(mode=mode), add=2) == 3
        mine, yours = await home.new_environment(), await home.new_environment()
        assert await total(home.client(env_id=mine, mode=mode), add=10) == 10
        assert await total(home.client(env_id=yours, mode=mode)) == 0
        assert await total(home.client(mode=mode)) == 3

    at_home(act)


@pytest.mark.parametrize("mode", MODES)
def test_each_token_has_environments_of_its_own(mode: str) -> None:
    async def act(home: House) -> None:
        assert await total(home.client("alpha", mode=mode), add=1) == 1
        assert await total(home.client("beta", mode=mode)) == 0
        mine = await home.new_environment("alpha")
        assert await total(home.client("alpha", mine, mode=mode), add=10) == 10
        assert await total(home.client("alpha", mode=mode)) == 1

    at_home(act, tokens=("alpha", "beta"))


@pytest.mark.parametrize("mode", MODES)
def test_a_foreign_an_unknown_and_an_ended_id_are_refused_alike(mode: str) -> None:
    async def refusal(home: House, token: str, env_id: str) -> Any:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look"}}
        headers = {
            "authorization": f"Bearer {token}",
            "x-env-id": env_id,
            "accept": "application/json, text/event-stream",
        }
        answer = await home.agent.post("/mcp", json=call, headers=headers)
        assert answer.status_code == 404
        with pytest.raises(MCPError) as caught:
            async with home.client(token, env_id, mode=mode) as client:
                await client.call_tool("look")
        assert "no environment of yours" in caught.value.message
        return answer.json()["error"]

    async def act(home: House) -> None:
        alphas = await home.new_environment("alpha")
        ended = await home.new_environment("beta")
        bearer = {"authorization": "Bearer beta"}
        assert (
            await home.agent.delete(f"/environments/{alphas}", headers=bearer)
        ).status_code == 404
        assert (
            await home.agent.delete(f"/environments/{ended}", headers=bearer)
        ).status_code == 204
        assert (
            await home.agent.delete(f"/environments/{ended}", headers=bearer)
        ).status_code == 404
        refusals = [await refusal(home, "beta", each) for each in (alphas, "0" * 32, ended, "")]
        assert refusals[0]["data"] == {"code": "environment_not_found"}
        assert all(each == refusals[0] for each in refusals)
        assert await total(home.client("alpha", alphas)) == 0

    at_home(act, tokens=("alpha", "beta"))


def test_a_lease_ends_unless_it_is_used() -> None:
    now = [0.0]

    async def act(home: House) -> None:
        env_id = await home.new_environment()
        for _ in range(3):
            now[0] += 99
            await total(home.client(env_id=env_id), add=1)
        now[0] += 100
        with pytest.raises(MCPError, match="no environment of yours"):
            await total(home.client(env_id=env_id))

    at_home(act, lease_seconds=100.0, clock=lambda: now[0])


def test_a_parked_environment_comes_back_on_the_next_call() -> None:
    now, source = [0.0], LedgerSource()

    async def act(home: House) -> None:
        env_id = await home.new_environment()
        await total(home.client(env_id=env_id), add=5)
        now[0] += 60
        home.service.leases.sweep()
        assert source.parked == 1
        assert await total(home.client(env_id=env_id), add=1) == 6
        assert source.resumed == 1

    at_home(act, source=source, clock=lambda: now[0])


def test_the_cap_is_a_clear_error() -> None:
    async def act(home: House) -> None:
        env_id = await home.new_environment()
        refused = await home.agent.post("/environments")
        assert refused.status_code == 429
        assert refused.json()["error"]["code"] == "too_many_environments"
        assert "DELETE /environments/{id}" in refused.json()["error"]["message"]
        await home.agent.delete(f"/environments/{env_id}")
        await home.new_environment()

    at_home(act, max_environments=1)


def test_a_lease_is_told_with_its_length() -> None:
    async def act(home: House) -> Any:
        return (await home.agent.post("/environments")).json()

    given = at_home(act, lease_seconds=90.0)
    assert given["lease"] == {"seconds": 90.0}
    assert set(given) == {"env_id", "lease"}


@pytest.mark.parametrize("path", ["/mcp", "/environments"])
def test_without_a_known_token_there_is_nothing(path: str) -> None:
    async def act(home: House) -> None:
        for headers in (
            {},
            {"authorization": "Bearer gamma"},
            {"authorization": "Bearer operator-token"},
        ):
            answer = await home.agent.post(path, json={}, headers=headers)
            assert answer.status_code == 401
            assert answer.json()["error"]["code"] == "unauthorized"
            assert answer.headers["www-authenticate"] == "Bearer"

    at_home(act, tokens=("alpha",))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example:80"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://localhost:3000"}, 200),
    ],
)
def test_foreign_hosts_and_origins_are_turned_away_at_both_listeners(
    headers: dict[str, str], status: int
) -> None:
    async def act(home: House) -> None:
        assert (await home.operator.get("/environments", headers=headers)).status_code == status
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        accept = {"accept": "application/json, text/event-stream"}
        answer = await home.agent.post("/mcp", json=ping, headers={**accept, **headers})
        assert answer.status_code == status
        created = await home.agent.post("/environments", headers=headers)
        assert created.status_code == (201 if status == 200 else status)

    at_home(act)


def test_there_is_no_stream_to_listen_on() -> None:
    async def act(home: House) -> None:
        for method in ("GET", "DELETE", "PUT"):
            answer = await home.agent.request(method, "/mcp")
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")

    at_home(act)


async def raw(home: House, body: bytes, **headers: str) -> Any:
    """Post bytes to /mcp as a client of the handshake era would."""
    given = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    return await home.agent.post("/mcp", content=body, headers={**given, **headers})


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"not json", 400),
        (b"[]", 400),
        (b"{}", 400),
        (b'{"jsonrpc": "2.0", "id": 1}', 400),
        (b"[" * 100_000, 400),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\xff"}}', 400),
        (b"x" * (4 * 1024 * 1024 + 1), 413),
    ],
)
def test_nonsense_is_refused_without_a_trace_of_our_code(body: bytes, status: int) -> None:
    async def act(home: House) -> None:
        for version in ("2025-06-18", "2026-07-28"):
            answer = await raw(home, body, **{"mcp-protocol-version": version})
            assert answer.status_code == status
            assert "Traceback" not in answer.text
            assert ".py" not in answer.text

    at_home(act)


@pytest.mark.parametrize(
    "amount", ['"\\u0000"', '"\\ud800"', "1e999", "NaN", '{"a":[[[]]]}', "9" * 400]
)
def test_odd_values_get_an_error_and_change_nothing(amount: str) -> None:
    async def act(home: House) -> None:
        # Put together by hand: no client's JSON library would write some of these.
        call = (
            '{"jsonrpc": "2.0", "id": 1, "method": "tools/call",'
            ' "params": {"name": "add", "arguments": {"amount": AMOUNT}}}'
        ).replace("AMOUNT", amount)
        answer = await raw(home, call.encode())
        if answer.status_code == 200:
            result = answer.json()["result"]
            assert result["isError"] is True
            assert result["structuredContent"]["error"]["code"] == "invalid_arguments"
        else:
            assert answer.status_code == 400
        assert await total(home.client()) == 0

    at_home(act)


def test_operations_of_the_operator_are_unknown_to_the_agent() -> None:
    names = ["reset", "snapshot", "restore", "capture", "observe", "verify", "start"]

    async def act(home: House) -> None:
        env_id = await home.new_environment()
        for name in names:
            for path in (f"/environments/{env_id}/{name}", f"/{name}", f"/mcp/{name}"):
                for method in ("GET", "POST"):
                    assert (await home.agent.request(method, path)).status_code == 404
        assert (await home.agent.get("/environments")).status_code == 405
        async with home.client() as client:
            assert not {tool.name for tool in await client.list_tools()} & set(names)
            for name in names:
                result = await client.call_tool(name, {}, raise_on_error=False)
                assert result.is_error
                assert result.structured_content["error"]["code"] == "unknown_tool"
        for path in ("/mcp", f"/environments/{env_id}/mcp"):
            assert (await home.operator.post(path, json={})).status_code == 404

    at_home(act)


def test_a_defect_leaves_no_trace_in_the_answer(caplog: pytest.LogCaptureFixture) -> None:
    async def act(home: House) -> Any:
        async with home.client() as client:
            return await client.call_tool_mcp("crash", {})

    with caplog.at_level(logging.ERROR):
        result = at_home(act)
    assert "secret of the house" in caplog.text  # for us
    assert json.loads(result.content[0].text)["error"]["code"] == "internal_error"
    assert "secret" not in result.model_dump_json()


def test_environments_are_closed_when_serving_ends() -> None:
    source = LedgerSource()

    async def act(home: House) -> None:
        await home.new_environment()
        await total(home.client())

    at_home(act, source=source)
    assert [ledger.closed for ledger in source.opened] == [True, True]
