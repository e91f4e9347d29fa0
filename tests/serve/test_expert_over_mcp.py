"""The expert in another process, with nothing but an MCP endpoint: it does what it does at home.

The other process knows the domain's declarations, the endpoint, and the structured reading of what
the user says (`tests.serve.agent_process`). The user speaks here, and whoever plays them tells the
server what was said, through the operator's listener.
"""

import asyncio
import contextlib
import itertools
import json
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import AsyncIterator
from typing import Any

import pytest

pytest.importorskip("fastmcp")

from pydantic_core import to_jsonable_python

from davinci_env.agents import ScriptedUser, Turn, make_agent
from davinci_env.domain import load
from davinci_env.environment import Event, Message
from davinci_env.episodes.runner import play_task
from davinci_env.records import Task
from davinci_env.serve.source import DomainSource
from davinci_env.verify import Verifier, at_start
from tests.agents.talks import steps
from tests.serve.house import House, house
from tests.support.suites import suite

EACH = 34
"""Tasks of each domain: over a hundred together."""


def at_home(task: Task) -> tuple[Any, Any]:
    """What the expert does in this process, and the verdict."""
    environment = at_start(task, load(task.world.name))
    try:
        verifier = Verifier(task, environment)
        play_task(task, environment, make_agent("expert", task), ScriptedUser(task))
        return _json(steps(environment)), _json(verifier.judge(environment))
    finally:
        environment.close()


async def far_away(task: Task, home: House, process: Process) -> tuple[Any, Any]:
    """What it does in the other process, and the verdict of the server it called."""
    env_id = await home.new_environment()
    one, record = f"/environments/{env_id}", task.model_dump(by_alias=True, mode="json")
    await _post(home, f"{one}/start", task=record)
    order = {
        "domain": task.world.name, "url": f"{home.service.agent_url}/mcp", "env_id": env_id,
        "seed": f"{task.id}:expert", "intents": _json(task.request.intents),
    }  # fmt: skip
    user = ScriptedUser(task)
    await _tell(process, order)
    while "steps" not in (said := await _hear(process)):
        answer, entries = _speak(user, said)
        if entries:
            await _post(home, f"{one}/observe", entries=_json(entries))
        await _tell(process, answer)
    verdict = await _post(home, f"{one}/verify", task=record)
    await home.operator.delete(one)
    return said["steps"], verdict


def _speak(user: ScriptedUser, said: dict[str, Any]) -> tuple[Any, list[Message | Event]]:
    """What the user answers, and what goes into the log for it."""
    if "heard" in said:
        events = user.heard(said["heard"])
        return _events(events), [Message("assistant", said["heard"]), *events]
    turn = user.open() if "open" in said else user.reply(said["reply"])
    if turn is None:
        return None, []
    answer = {"text": turn.text, "events": _events(turn.events), "intents": _intents(turn)}
    begun = [event for event in turn.events if event.kind == "turn"]
    rest = [event for event in turn.events if event.kind != "turn"]
    return answer, [*begun, Message("user", turn.text), *rest]


def _events(events: tuple[Event, ...]) -> list[Any]:
    return [[event.kind, _json(event.subject)] for event in events]


def _intents(turn: Turn) -> Any:
    return _json(getattr(turn, "intents", ()))


def _json(value: Any) -> Any:
    return json.loads(json.dumps(to_jsonable_python(value)))


@contextlib.asynccontextmanager
async def _agent() -> AsyncIterator[Process]:
    process = await create_subprocess_exec(
        sys.executable, "-m", "tests.serve.agent_process", stdin=PIPE, stdout=PIPE, limit=1 << 20
    )
    assert process.stdin is not None
    try:
        yield process
    finally:
        process.stdin.close()
        await process.wait()


def _world(task: Task) -> tuple[str, int, float]:
    return task.world.name, task.world.seed, task.world.scale


async def _post(home: House, path: str, **body: Any) -> Any:
    answer = await home.operator.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def _tell(process: Process, message: Any) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(message).encode() + b"\n")
    await process.stdin.drain()


async def _hear(process: Process) -> Any:
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), 60)
    assert line, "the agent's process has ended"
    return json.loads(line)


def test_in_another_process_over_mcp_the_expert_takes_the_same_steps() -> None:
    tasks = suite(EACH)
    assert len(tasks) >= 100
    differing: list[tuple[str, Any, Any]] = []
    solved = 0

    async def act() -> None:
        nonlocal solved
        async with _agent() as process:
            for (name, seed, scale), group in itertools.groupby(tasks, _world):
                async with house(DomainSource.of(name, seed=seed, scale=scale)) as home:
                    for task in group:
                        there, here = await far_away(task, home, process), at_home(task)
                        solved += bool(here[1]["passed"])
                        if there != here:
                            differing.append((task.id, there, here))

    asyncio.run(act())
    assert differing == []
    assert solved >= 0.8 * len(tasks), "an expert that fails shows little"
