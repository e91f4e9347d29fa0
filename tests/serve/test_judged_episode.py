"""An episode on a real domain, as a harness sees it: start at the task, act over MCP, be judged."""

import asyncio
from itertools import islice
from typing import Any

import orjson
import pytest

pytest.importorskip("fastmcp")

from davinci_env.environment import DomainEnvironment
from davinci_env.serve.source import DomainSource
from tests.serve.house import House, house
from tests.serve.random_calls import Call, random_calls
from tests.serve.records import a_task


def writes(environment: DomainEnvironment, seed: int, n: int) -> list[Call]:
    """Carry out random calls until `n` of them have written something; return those."""
    tools = environment.domain.tools
    done = (
        (tool, arguments)
        for tool, arguments in random_calls(environment, seed=seed, n=5000)
        if environment.call(tool, arguments).ok and tools[tool].kind == "write"
    )
    return list(islice(done, n))


@pytest.fixture(scope="module")
def source() -> DomainSource:
    return DomainSource.of("library_lending")


@pytest.fixture(scope="module")
def episode(source: DomainSource) -> tuple[dict[str, Any], Call, Call]:
    """A task that begins after five writes and asks for one; that one, and one not asked for."""
    environment = source.open()
    writes(environment, seed=3, n=5)
    start = orjson.loads(environment.pack())
    wanted, surplus = writes(environment, seed=4, n=2)
    tools = [spec.name for spec in environment.tools()]
    environment.close()
    goal = {"tool": wanted[0], "arguments": wanted[1]}
    requirements = [
        {
            "id": "done",
            "turn": 0,
            "text": "It was done.",
            "kind": "trace",
            "check": {"must": "order", "calls": [goal]},
        },
        {
            "id": "nothing-else",
            "turn": 0,
            "text": "Nothing else changed.",
            "kind": "frame",
            "check": {"allow": "goal", "cells": []},
        },
    ]
    known = source.metadata
    task = a_task(
        start,
        {"requirements": requirements, "goals": [[goal]], "solution": [goal], "tools": tools},
        name=known.name,
        content_hash=known.content_hash,
    )
    return task, wanted, surplus


async def post(home: House, path: str, **body: Any) -> Any:
    answer = await home.operator.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def passed(verdict: dict[str, Any]) -> dict[str, bool]:
    return {each["id"]: each["passed"] for each in verdict["requirements"]}


def test_what_the_agent_did_is_judged_and_the_agent_never_sees_it(
    source: DomainSource, episode: tuple[dict[str, Any], Call, Call]
) -> None:
    task, wanted, surplus = episode

    async def act() -> None:
        async with house(source) as home:
            env_id = await home.new_environment()
            one = f"/environments/{env_id}"
            began = await post(home, f"{one}/start", task=task)
            async with home.client(env_id=env_id) as client:
                assert passed(await post(home, f"{one}/verify", task=task))["done"] is False
                result = await client.call_tool_mcp(*wanted)
                verdict = await post(home, f"{one}/verify", task=task)
                assert passed(verdict) == {"done": True, "nothing-else": True}
                assert verdict["passed"] is True
                await client.call_tool_mcp(*surplus)
                verdict = await post(home, f"{one}/verify", task=task)
                assert passed(verdict) == {"done": True, "nothing-else": False}
                assert verdict["requirements"][1]["evidence"]
                assert "evidence" not in result.model_dump_json()
            assert await post(home, f"{one}/reset") == began

    asyncio.run(act())


def test_a_transcript_of_the_same_calls_gets_the_same_verdict(
    source: DomainSource, episode: tuple[dict[str, Any], Call, Call]
) -> None:
    task, wanted, surplus = episode
    good = [{"tool": wanted[0], "arguments": wanted[1]}]
    bad = [*good, {"tool": surplus[0], "arguments": surplus[1]}]

    async def act() -> None:
        async with house(source) as home:
            for transcript, expected in (([], False), (good, True), (bad, False)):
                verdict = await post(home, "/verify", task=task, transcript=transcript)
                assert verdict["passed"] is expected

    asyncio.run(act())


def test_a_parked_environment_of_a_domain_comes_back_with_state_and_log(
    source: DomainSource,
) -> None:
    environment = source.open()
    writes(environment, seed=5, n=8)
    before, log = environment.capture(), list(environment.log)
    assert len(before.diff) > 3
    back = source.resume(source.park(environment))
    assert back.capture() == before
    assert list(back.log) == log
    assert writes(back, seed=6, n=1)
    back.close()
