"""A server as a process: its ports, its tokens, its end, and one sentence for bad usage."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

pytest.importorskip("fastmcp")

import davinci_env.serve
from davinci_env.errors import MissingExtra, UsageError
from davinci_env.serve import serve
from davinci_env.serve.listen import bind
from davinci_env.serve.service import Service, Settings
from tests.serve.double import LedgerSource


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"http": 0, "operator_port": 0}, "a token of its own"),
        ({"http": 0, "operator_port": 0, "operator_token": ""}, "the operator's token is empty"),
        ({"http": 0, "tokens": ("a", "a")}, "token 2 and token 1 are the same"),
        (
            {"http": 0, "tokens": ("a",), "operator_port": 0, "operator_token": "a"},
            "the operator's token and token 1 are the same",
        ),
        ({"http": 0, "lease_seconds": 0.0}, "lease"),
        ({"http": 0, "lease_seconds": float("nan")}, "lease"),
        ({"http": 0, "max_environments": -1}, "negative"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(
    settings: dict[str, object], named: str
) -> None:
    with pytest.raises(UsageError, match=named):
        Settings(**settings)  # type: ignore[arg-type]


def test_tokens_that_are_set_for_every_command_do_not_stop_a_stdio_server() -> None:
    process = start("library_lending", DAVINCI_TOKEN="alpha", DAVINCI_OPERATOR_TOKEN="omega")
    assert process.communicate("", timeout=60) == ("", "library_lending: MCP over stdio\n")
    assert process.returncode == 0


def test_tokens_are_not_shown() -> None:
    settings = Settings(http=0, tokens=("alpha",), operator_port=0, operator_token="omega")
    assert "alpha" not in repr(settings)
    assert "omega" not in repr(settings)


@pytest.mark.parametrize("port", [-1, 65536])
def test_what_is_no_port_is_refused(port: int) -> None:
    with pytest.raises(UsageError, match="no port number"):
        bind(port, "MCP")


def test_a_taken_port_is_named_and_nothing_stays_bound() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} for MCP"):
            Service(LedgerSource(), Settings(http=port))
        with bind(0, "a free one") as free:
            spare = free.getsockname()[1]
        settings = Settings(http=spare, operator_port=port, operator_token="op")
        with pytest.raises(UsageError, match=f"port {port} for the operator"):
            Service(LedgerSource(), settings)
        bind(spare, "MCP").close()


def test_listeners_are_on_the_loopback_interface_and_free_after_the_end() -> None:
    service = Service(LedgerSource(), Settings(http=0, operator_port=0, operator_token="op"))

    async def act() -> None:
        async with service.listening(), httpx2.AsyncClient() as client:
            for url in (service.agent_url, service.operator_url):
                assert str(url).startswith("http://127.0.0.1:")
                assert (await client.get(f"{url}/nowhere")).status_code in (401, 404)

    asyncio.run(act())
    for url in (service.agent_url, service.operator_url):
        bind(int(str(url).rsplit(":", 1)[1]), "MCP").close()


def test_without_the_extra_the_one_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(davinci_env.serve, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'davinci-env\[mcp\]'"):
        serve("library_lending")


def start(*arguments: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "davinci_env.serve", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **variables},
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["library_landing"], "did you mean 'library_lending'?"),
        (["library_lending", "--http", "70000"], "70000 is no port number"),
        (["library_lending", "--http", "0", "--operator-port", "0"], "DAVINCI_OPERATOR_TOKEN"),
        (["library_lending", "--actor", "nobody"], "nobody"),
    ],
)
def test_bad_usage_is_one_sentence_and_status_2(arguments: list[str], told: str) -> None:
    process = start(*arguments)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert output == ""
    assert told in errors
    assert "Traceback" not in errors
    assert len(errors.strip().splitlines()) == 1


def test_a_domain_that_did_not_ship_wants_trust(tmp_path: Path) -> None:
    text = 'from davinci_env.domain import Domain\ndomain = Domain("foreign", version=1)\n'
    (tmp_path / "foreign.py").write_text(text)
    process = start("foreign", "--path", str(tmp_path))
    errors = process.communicate(timeout=60)[1]
    assert process.returncode == 2
    assert "--trust" in errors


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("way", [[], ["--http", "0"]])
def test_a_signal_ends_it_gracefully(way: list[str], number: signal.Signals) -> None:
    process = start("library_lending", *way)
    assert process.stderr is not None
    announced = process.stderr.readline()
    assert announced.startswith("library_lending: MCP")
    if way:
        url = announced.split()[-1]
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        accept = {"accept": "application/json, text/event-stream"}
        assert httpx2.post(url, json=ping, headers=accept).json()["result"] == {}
    process.send_signal(number)
    rest, errors = process.communicate(timeout=20)
    assert (process.returncode, rest, errors) == (0, "", "")


def test_tokens_come_from_the_environment_and_are_not_told() -> None:
    process = start(
        "library_lending", "--http", "0", "--operator-port", "0",
        DAVINCI_TOKEN="alpha beta", DAVINCI_OPERATOR_TOKEN="omega",
    )  # fmt: skip
    assert process.stderr is not None
    agent, operator = (process.stderr.readline().split()[-1] for _ in range(2))
    made = httpx2.post(
        agent.replace("/mcp", "/environments"), headers={"authorization": "Bearer beta"}
    )
    assert made.status_code == 201
    seen = httpx2.get(f"{operator}/environments", headers={"authorization": "Bearer omega"})
    (held,) = seen.json()["environments"]
    assert (held["env_id"], held["owner"]) == (made.json()["env_id"], "token-2")
    refused = httpx2.get(f"{operator}/environments", headers={"authorization": "Bearer beta"})
    assert refused.status_code == 401
    process.terminate()
    errors = process.communicate(timeout=20)[1]
    assert not {"alpha", "beta", "omega"} & set(errors.split())
