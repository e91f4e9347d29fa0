"""Records: their keys and order, what they refuse, and what an id depends on."""

import subprocess
import sys
from datetime import date
from typing import Any

import orjson
import pytest
from pydantic import ValidationError

from davinci_env.records import (
    Call,
    FrameCheck,
    Model,
    NotCalledCheck,
    Task,
    Trajectory,
    content_id,
    encode,
    to_line,
)
from tests.records import samples

# The keys of formats.md, in its order, and `goals` after the solution.
TASK_KEYS = [
    "schema",
    "id",
    "source",
    "kind",
    "forms",
    "actor",
    "benchmark",
    "world",
    "request",
    "tools",
    "requirements",
    "solution",
    "goals",
    "answer",
    "certificate",
    "difficulty",
    "provenance",
]
WORLD_KEYS = [
    "name",
    "kind",
    "version",
    "content_hash",
    "seed",
    "scale",
    "start_changes",
    "snapshot",
]
TRAJECTORY_KEYS = [
    "schema",
    "id",
    "task_id",
    "source",
    "kind",
    "benchmark",
    "world",
    "agent",
    "messages",
    "tools",
    "steps",
    "initial",
    "terminal",
    "verdict",
    "usage",
    "finish_reason",
]
STEP_KEYS = [
    "index",
    "by",
    "type",
    "tool",
    "domain",
    "arguments",
    "result",
    "error_code",
    "changes",
    "state_hash",
    "violated",
    "event",
]


def stored(record: Model) -> Any:
    return orjson.loads(to_line(record))


def test_keys_stand_in_the_order_of_the_format() -> None:
    task, trajectory = stored(samples.task()), stored(samples.trajectory())
    preference = stored(samples.preference())
    assert list(task) == TASK_KEYS
    assert task["schema"] == "davinci/task@1"
    assert list(task["world"]) == WORLD_KEYS
    assert list(task["request"]) == ["text", "persona", "facts", "intents", "user", "turns"]
    assert list(task["request"]["user"]) == ["known", "unknown", "plan", "style"]
    assert list(task["requirements"][0]) == ["id", "turn", "text", "kind", "check"]
    assert list(task["provenance"]) == ["generator", "version", "seed", "model"]
    assert list(trajectory) == TRAJECTORY_KEYS
    assert list(trajectory["steps"][0]) == STEP_KEYS
    assert preference["schema"] == "davinci/preference@1"
    assert list(preference["fork"]) == ["index", "state_hash", "candidates"]


def test_a_message_leaves_out_what_does_not_apply() -> None:
    messages = stored(samples.trajectory())["messages"]
    assert list(messages[-1]) == ["role", "content"]
    assert messages[2] == {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "renew_loan", "arguments": {"loan_id": "LN-00010"}},
            }
        ],
        "weight": 0,
    }


@pytest.mark.parametrize("record", [samples.task(), samples.trajectory(), samples.preference()])
def test_a_record_comes_back_from_its_line(record: Model) -> None:
    line = to_line(record)
    assert line.count(b"\n") == 1
    assert type(record).model_validate_json(line, strict=True) == record


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        ("state", {"sql": "1", "expected": {"e0": {"over": "world", "query": "SELECT 1"}}}),
        ("state", {"allow": "goal", "cells": []}),
        ("frame", {"allow": "everything", "cells": []}),
        ("frame", {"allow": "goal", "cells": [["loans", "LN-1"]]}),
        ("answer", {"slots": [{"name": "a", "type": "weight", "expected": {}}]}),
        ("answer", {"slots": [], "rule": "r", "concepts": []}),
        ("trace", {"must": "called", "tools": ["a"]}),
        ("trace", {"must_not": "called", "tools": ["a"], "must": "order", "calls": []}),
        ("trace", {"must": "asked", "fact": "email", "before": "noon"}),
        ("trace", {}),
        ("policy", {"violated": "some"}),
        ("policy", {"violated": "none", "except": ["r"]}),
        ("vibes", {}),
    ],
)
def test_a_check_of_another_form_is_refused(kind: str, check: dict[str, Any]) -> None:
    line = stored(samples.task())
    line["requirements"] = [{"id": "r", "turn": 0, "text": "…", "kind": kind, "check": check}]
    with pytest.raises(ValidationError):
        Task.model_validate_json(orjson.dumps(line), strict=True)


def test_unknown_fields_are_refused_everywhere() -> None:
    line = stored(samples.trajectory())
    for place in (line, line["world"], line["messages"][2], line["steps"][0], line["verdict"]):
        place["extra"] = 1
        with pytest.raises(ValidationError, match="extra"):
            Trajectory.model_validate(line)
        del place["extra"]
    Trajectory.model_validate(line)


def test_a_null_content_is_refused() -> None:
    line = stored(samples.trajectory())
    line["messages"][2]["content"] = None
    with pytest.raises(ValidationError, match="content"):
        Trajectory.model_validate(line)


def test_records_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        samples.task().kind = "ask"


def test_requirement_ids_are_unique_in_a_task() -> None:
    twice = (*samples.requirements(), samples.requirements()[0])
    with pytest.raises(ValidationError, match="two requirements have the id 'renewed'"):
        samples.task(requirements=twice)


def test_a_task_is_named_by_what_it_asks() -> None:
    task = samples.task()
    assert task.id == task.asked_id
    assert len(task.id) == 32
    for same in (
        {"certificate": {"golden": 3}},
        {"answer": None},
        {"solution": ()},
        {"tools": ("renew_loan",)},
        {"world": samples.world(start_changes=[["loans", "LN-00001"]])},
    ):
        assert samples.task(**same).id == task.id
    for other in (
        {"world": samples.world(seed=4)},
        {"world": samples.world(snapshot="00")},
        {"actor": None},
        {"kind": "act"},
        {"request": task.request.model_copy(update={"text": "Renew it."})},
        {"requirements": task.requirements[:-1]},
        {"goals": ((Call(tool="renew_loan", arguments={"loan_id": "LN-00002"}),),)},
    ):
        assert samples.task(**other).id != task.id


def test_an_edited_task_is_noticed() -> None:
    task = samples.task()
    edited = task.model_copy(update={"actor": "MEM-0002"})
    assert edited.id != edited.asked_id


def test_a_content_id_does_not_depend_on_the_order_of_keys() -> None:
    # sha256 of {"a":[1,"é"],"b":null} in UTF-8, its first 32 digits, by `sha256sum`
    expected = "1e02bc81a26af2f027329541e97eef36"
    assert content_id({"b": None, "a": [1, "é"]}) == content_id({"a": [1, "é"], "b": None})
    assert content_id({"b": None, "a": [1, "é"]}) == expected


def test_what_an_agent_may_send_can_be_written() -> None:
    assert encode({"n": 2**70}) == b'{"n":1180591620717411303424}'
    assert encode({"n": 2**70, "a": "é"}, canonical=True) == (
        '{"a":"é","n":1180591620717411303424}'.encode()
    )
    assert encode(["a\ud83d", "\x00"]) == b'["a?","\\u0000"]'
    with pytest.raises(TypeError):
        encode({"when": date(2026, 3, 16)})


def test_tuples_and_lists_make_the_same_record() -> None:
    assert FrameCheck(allow="goal", cells=[["t", "k", "c"]]) == FrameCheck(
        allow="goal", cells=(("t", "k", "c"),)
    )
    assert NotCalledCheck(must_not="called", tools=["a"]).tools == ("a",)


def test_importing_the_room_is_cheap() -> None:
    """Nothing heavy comes along, and no validator is built before it is needed."""
    probe = (
        "import sys, davinci_env.records as r; "
        "heavy = {'sqlalchemy', 'duckdb', 'hypothesis', 'typer', 'rich', 'asyncio'}; "
        "print(sorted(heavy & set(sys.modules)), r.Task.__pydantic_complete__)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "[] False"
