"""The operator's listener: look, rewind, feed, judge; with its token, about the served world."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("fastmcp")

from davinci_env.environment import Event, Message
from tests.serve.double import Ledger, LedgerSource
from tests.serve.house import House, house
from tests.serve.records import a_task


def at_home(act: Callable[[House], Awaitable[Any]], **settings: Any) -> Any:
    async def visit() -> Any:
        async with house(settings.pop("source", None) or LedgerSource(), **settings) as built:
            return await act(built)

    return asyncio.run(visit())


async def add(home: House, env_id: str, amount: int) -> int:
    async with home.client(env_id=env_id) as client:
        result = await client.call_tool("add", {"amount": amount})
        return int(result.structured_content["total"])


async def post(home: House, path: str, **body: Any) -> Any:
    answer = await home.operator.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("authorization", ["", "Bearer wrong", "Bearer alpha"])
def test_only_the_operators_token_opens_it(authorization: str) -> None:
    async def act(home: House) -> None:
        for method, path in (("GET", "/environments"), ("POST", "/verify"), ("GET", "/nothing")):
            headers = {"authorization": authorization}
            answer = await home.operator.request(method, path, headers=headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")

    at_home(act, tokens=("alpha",))


def test_environments_are_listed_without_being_woken() -> None:
    now, source = [100.0], LedgerSource()

    async def act(home: House) -> None:
        env_id = await home.new_environment("alpha")
        async with home.client("beta") as client:
            await client.call_tool("look")
        now[0] += 70
        home.service.leases.sweep()
        listed = (await home.operator.get("/environments")).json()["environments"]
        assert [(each["owner"], each["private"]) for each in listed] == [
            ("token-2", False),
            ("token-1", True),
        ]
        assert listed[1] == {
            "env_id": env_id,
            "owner": "token-1",
            "private": True,
            "parked": True,
            "age_seconds": 70.0,
            "idle_seconds": 70.0,
            "snapshots": [],
        }
        assert source.resumed == 0

    at_home(act, source=source, tokens=("alpha", "beta"), clock=lambda: now[0])


def test_snapshots_restore_state_and_log_and_end_the_younger_ones() -> None:
    async def act(home: House) -> None:
        env_id = await home.new_environment()
        one = f"/environments/{env_id}"
        await add(home, env_id, 1)
        first = await post(home, f"{one}/snapshot")
        await add(home, env_id, 2)
        second = await post(home, f"{one}/snapshot")
        assert (first["snapshot"], second["snapshot"]) == ("snapshot-1", "snapshot-2")
        await add(home, env_id, 4)
        assert await post(home, f"{one}/restore", snapshot="snapshot-1") == {
            "state_hash": first["state_hash"]
        }
        assert await add(home, env_id, 10) == 11
        gone = await home.operator.post(f"{one}/restore", json={"snapshot": "snapshot-2"})
        assert gone.status_code == 404
        assert gone.json()["error"]["code"] == "snapshot_not_found"
        assert "it has snapshot-1" in gone.json()["error"]["message"]
        await post(home, f"{one}/restore", snapshot="snapshot-1")  # it stays
        assert (await post(home, f"{one}/snapshot"))["snapshot"] == "snapshot-3"

    at_home(act)


def test_reset_returns_to_the_start() -> None:
    async def act(home: House) -> None:
        env_id = await home.new_environment()
        start = (await home.operator.get(f"/environments/{env_id}/capture")).json()
        await add(home, env_id, 1)
        await post(home, f"/environments/{env_id}/snapshot")
        after = await post(home, f"/environments/{env_id}/reset")
        assert after == {"state_hash": start["state_hash"]}
        (listed,) = (await home.operator.get("/environments")).json()["environments"]
        assert listed["snapshots"] == []
        assert await add(home, env_id, 5) == 5

    at_home(act)


def test_capture_shows_the_outcome() -> None:
    async def act(home: House) -> None:
        env_id = await home.new_environment()
        captured = (await home.operator.get(f"/environments/{env_id}/capture")).json()
        assert set(captured) == {"state_hash", "diff", "violated"}

    at_home(act)


def test_an_environment_can_begin_where_a_task_does() -> None:
    now, source = [0.0], LedgerSource()

    async def act(home: House) -> None:
        env_id = await home.new_environment()
        await add(home, env_id, 50)
        await post(home, f"/environments/{env_id}/start", task=a_task(start=7))
        assert await add(home, env_id, 1) == 8
        await post(home, f"/environments/{env_id}/reset")
        assert await add(home, env_id, 1) == 8
        now[0] += 1000
        home.service.leases.sweep()
        assert source.parked == 0  # it would forget where it began

    at_home(act, source=source, clock=lambda: now[0])


def test_a_live_episode_is_fed_and_judged() -> None:
    source = LedgerSource()

    async def act(home: House) -> None:
        env_id = await home.new_environment()
        one = f"/environments/{env_id}"
        asked = {"kind": "asked", "subject": {"fact": "amount"}}
        said = {"role": "user", "text": "Add three."}
        assert await post(home, f"{one}/observe", entries=[said, asked]) == {"entries": 2}
        await add(home, env_id, 2)
        assert (await post(home, f"{one}/verify", task=a_task()))["passed"] is False
        await add(home, env_id, 1)
        verdict = await post(home, f"{one}/verify", task=a_task())
        held = {"id": "three", "passed": True, "evidence": 3}
        assert verdict == {"passed": True, "requirements": [held]}

    at_home(act, source=source)
    task_id, log = source.judged[-1]
    assert task_id == "0" * 32
    assert log == [
        Message("user", "Add three."),
        Event("asked", {"fact": "amount"}),
        ("add", {"amount": 2}, None),
        ("add", {"amount": 1}, None),
    ]


def test_a_transcript_is_replayed_from_the_tasks_start_and_judged() -> None:
    source = LedgerSource()
    transcript = [
        {"role": "user", "text": "Add two."},
        {"tool": "add", "arguments": {"amount": 2}},
        {"tool": "look"},
        {"kind": "confirmed", "subject": {"tool": "add", "arguments": {}}},
        {"role": "assistant", "text": "Done."},
    ]

    async def act(home: House) -> None:
        verdict = await post(home, "/verify", task=a_task(start=1), transcript=transcript)
        assert verdict["passed"] is True
        assert (await home.operator.get("/environments")).json() == {"environments": []}

    at_home(act, source=source)
    assert source.judged[0][1] == [
        Message("user", "Add two."),
        ("add", {"amount": 2}, None),
        ("look", {}, None),
        Event("confirmed", {"tool": "add", "arguments": {}}),
        Message("assistant", "Done."),
    ]
    assert [ledger.closed for ledger in source.opened] == [True]


@pytest.mark.parametrize(
    "world", [{"name": "other"}, {"content_hash": "1" * 64}, {"seed": 1}, {"scale": 2.0}]
)
def test_a_task_about_another_world_is_not_judged(world: dict[str, Any]) -> None:
    source = LedgerSource()

    async def act(home: House) -> None:
        env_id = await home.new_environment()
        task = a_task(**world)
        for path, body in (
            (f"/environments/{env_id}/verify", {"task": task}),
            (f"/environments/{env_id}/start", {"task": task}),
            ("/verify", {"task": task, "transcript": []}),
        ):
            answer = await home.operator.post(path, json=body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (409, "other_world")
            assert next(iter(world)) in answer.json()["error"]["message"]

    at_home(act, source=source)
    assert source.judged == []


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("reset", b'{"x": 1}', "'x'"),
        ("restore", b"{}", "lacks 'snapshot'"),
        ("restore", b'{"snapshot": ["x"]}', "no snapshot"),
        ("restore", b"not json", "not JSON"),
        ("restore", b"[]", "not a JSON object"),
        ("observe", b'{"entries": 3}', "entries is not in its form"),
        (
            "observe",
            b'{"entries": [{"role": "system", "text": "x"}]}',
            "entries is not in its form",
        ),
        ("verify", b'{"task": {"id": 1}}', "task is not in its form"),
        ("start", b'{"task": null}', "task is not in its form"),
    ],
)
def test_a_bad_body_is_one_clear_sentence_and_changes_nothing(
    path: str, body: bytes, told: str
) -> None:
    source = LedgerSource()

    async def act(home: House) -> None:
        env_id = await home.new_environment()
        await add(home, env_id, 5)
        answer = await home.operator.post(f"/environments/{env_id}/{path}", content=body)
        assert 400 <= answer.status_code < 500
        assert told in answer.json()["error"]["message"]
        assert await add(home, env_id, 1) == 6

    at_home(act, source=source)


def test_unknown_environments_and_paths_are_told_apart() -> None:
    async def act(home: House) -> None:
        unknown = await home.operator.post(f"/environments/{'0' * 32}/reset")
        assert (unknown.status_code, unknown.json()["error"]["code"]) == (
            404,
            "environment_not_found",
        )
        nowhere = await home.operator.get("/nowhere")
        assert (nowhere.status_code, nowhere.json()["error"]["code"]) == (404, "path_not_found")
        wrong = await home.operator.put("/environments")
        assert (wrong.status_code, wrong.json()["error"]["code"]) == (405, "method_not_allowed")

    at_home(act)


def test_the_operator_can_end_a_lease() -> None:
    source = LedgerSource()

    async def act(home: House) -> None:
        env_id = await home.new_environment()
        assert (await home.operator.delete(f"/environments/{env_id}")).status_code == 200
        assert (await home.operator.delete(f"/environments/{env_id}")).status_code == 404

    at_home(act, source=source)
    assert [ledger.closed for ledger in source.opened] == [True]


def test_a_defect_of_the_judge_leaves_no_trace_in_the_answer() -> None:
    source = LedgerSource()
    source.judge_fails = True

    async def act(home: House) -> None:
        env_id = await home.new_environment()
        answer = await home.operator.post(f"/environments/{env_id}/verify", json={"task": a_task()})
        assert answer.status_code == 500
        assert answer.json()["error"]["code"] == "internal_error"
        assert "secret" not in answer.text

    at_home(act, source=source)


def test_the_double_is_what_it_says() -> None:
    ledger = Ledger(total=2)
    assert ledger.call("take", {"amount": 3}).code == "not_enough"
    assert ledger.call("take", {"amount": 2}).data == {"total": 0}
