"""docs/connect-an-mcp-client.md says what is so: programs run, routes exist, servers start."""

import asyncio
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("fastmcp")

from davinci_env.serve.leases import Leases
from davinci_env.serve.operations import Operations
from davinci_env.serve.operator_http import operator_routes
from davinci_env.serve.source import DomainSource
from tests.serve.double import LedgerSource
from tests.serve.house import house

TEXT = (Path(__file__).parents[2] / "docs" / "connect-an-mcp-client.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


async def run_program(program: str) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE, stderr=subprocess.PIPE
    )
    output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return output.decode()


def test_the_stdio_program_runs() -> None:
    program = blocks("python")[0].replace('"python"', repr(sys.executable))
    first, second = asyncio.run(run_program(program)).splitlines()
    assert re.fullmatch(r"\d+ tools; \d+ words of policy", first)
    assert "items" in second


def test_the_http_program_runs_and_gives_its_environments_back() -> None:
    async def act() -> None:
        async with house(DomainSource.of("library_lending")) as home:
            program = blocks("python")[1].replace(
                "http://127.0.0.1:8000", str(home.service.agent_url)
            )
            assert len((await run_program(program)).splitlines()) == 3
            assert (await home.operator.get("/environments")).json() == {"environments": []}

    asyncio.run(act())


def test_the_configuration_starts_a_server() -> None:
    (config,) = blocks("json")
    (server,) = json.loads(config)["mcpServers"].values()
    done = subprocess.run(
        [sys.executable, *server["args"]], input=b"", capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr.decode()) == (0, "library_lending: MCP over stdio\n")


def test_the_tables_name_every_route_and_no_other() -> None:
    agents, operators = TEXT.split("## The operator's listener")
    row = re.compile(r"^\| `(GET|POST|DELETE) (/\S+)`", re.MULTILINE)
    source = LedgerSource()
    leases = Leases(source, clock=time.monotonic)
    routes = operator_routes(Operations(source, leases, time.monotonic))
    assert set(row.findall(operators)) == {
        (method, route.path)
        for route in routes
        for method in route.methods or ()
        if method != "HEAD"
    }
    assert row.findall(agents) == [
        ("POST", "/environments"),
        ("DELETE", "/environments/{env_id}"),
    ]  # both are called by the program above
