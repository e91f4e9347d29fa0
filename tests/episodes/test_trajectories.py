"""Trajectories: what happened, step by step, worked out by hand on one short episode."""

from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from davinci_env.agents import Call as Calls
from davinci_env.agents import Say as Says
from davinci_env.agents import ScriptedUser, View
from davinci_env.episodes import play_task, trajectory
from davinci_env.records import (
    AgentInfo,
    Call,
    LookedUpCheck,
    Say,
    Task,
    TraceRequirement,
    Trajectory,
    UserTurn,
    to_line,
)
from davinci_env.verify import Verifier
from tests.certify.good import DONE, EXTEND, FIND, RENTALS, TEXT, act_task
from tests.support.toy_desk import call, desk


class Player:
    """Plays given steps."""

    name = "player"

    def __init__(self, *steps: Any) -> None:
        self._steps = list(steps)

    def act(self, view: View) -> Any:
        """The next step."""
        step = self._steps.pop(0) if self._steps else Say(say="")
        return Calls(step.tool, step.arguments) if isinstance(step, Call) else Says(step.say)


def played(task: Task, *steps: Any, trial: int = 0, max_steps: int = 60) -> Trajectory:
    environment = desk(record_changes=True)
    verifier = Verifier(task, environment)
    episode = play_task(
        task, environment, Player(*steps), ScriptedUser(task), max_steps=max_steps,
        record_hashes=True,
    )  # fmt: skip
    verdict = verifier.judge(environment)
    made = trajectory(task, environment, episode, verdict, AgentInfo(name="player"), trial=trial)
    environment.close()
    return made


def test_steps_messages_and_end() -> None:
    task = act_task()
    wrong = call("extend_rental", rental_id="R-02", until="2026-03-27")
    made = played(task, FIND, RENTALS, wrong, EXTEND, DONE)
    assert [(s.index, s.by, s.type, s.tool) for s in made.steps] == [
        (0, "user", "message", None),
        (1, "user", "event", None),
        (2, "agent", "call", "find_person_by_email"),
        (3, "agent", "call", "list_person_rentals"),
        (4, "agent", "call", "extend_rental"),
        (5, "agent", "call", "extend_rental"),
        (6, "agent", "message", None),
    ]
    assert made.steps[1].event == {"kind": "revealed", "fact": "email", "value": "ada@example.com"}
    assert made.steps[4].error_code == "extensions_left"
    assert made.steps[4].changes == ()
    change = [
        "rentals",
        "R-01",
        "~",
        {"due_on": ["2026-03-20", "2026-03-27"], "extensions": [0, 1]},
    ]
    assert [list(c) for c in made.steps[5].changes] == [change]  # type: ignore[arg-type]
    assert [list(c) for c in made.terminal.diff] == [change]  # type: ignore[arg-type]
    hashes = [s.state_hash for s in made.steps]
    assert hashes[:5] == [task.world.snapshot] * 5
    assert hashes[5:] == [made.terminal.hash] * 2
    assert made.terminal.hash != made.initial.hash == task.world.snapshot
    assert made.usage == {"messages": 2, "calls": 4, "writes": 1, "refused": 1}
    assert made.finish_reason == "done"
    assert made.verdict.passed


def test_messages_are_a_chat() -> None:
    made = played(act_task(), FIND, EXTEND, DONE)
    messages = orjson.loads(to_line(made))["messages"]
    assert [m["role"] for m in messages] == [
        "system", "user", "assistant", "tool", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert messages[1]["content"] == TEXT
    first, second = messages[2]["tool_calls"][0], messages[4]["tool_calls"][0]
    assert first["function"] == {"name": FIND.tool, "arguments": dict(FIND.arguments)}
    assert (first["id"], second["id"]) == (messages[3]["tool_call_id"], messages[5]["tool_call_id"])
    assert messages[2]["content"] == ""
    assert {tool.function.name for tool in made.tools} >= {FIND.tool, EXTEND.tool}


def test_refused_calls_are_not_to_be_learned() -> None:
    wrong = call("extend_rental", rental_id="R-02", until="2026-03-27")
    made = played(act_task(), FIND, wrong, EXTEND, DONE)
    weights = [getattr(m, "weight", None) for m in made.messages]
    assert weights == [None, None, None, None, 0, None, None, None, None]
    refused = LookedUpCheck(must="looked_up", rows=(), or_refused="extensions_left")
    for code, weight in (("extensions_left", None), ("someone_waiting", 0)):
        check = refused.model_copy(update={"or_refused": code})
        wanted = TraceRequirement(id="looked", turn=0, text="Tried.", kind="trace", check=check)
        denied = act_task().model_copy(update={"kind": "deny", "requirements": (wanted,)})
        messages = played(denied, FIND, wrong, DONE).messages
        assert getattr(messages[4], "weight", None) == weight


def test_nothing_is_learned_before_the_tools_that_the_record_lists_are_all_there() -> None:
    whole = act_task()
    later = UserTurn(text="Try again.", checkpoint=True, act="wish", tools=(EXTEND.tool,))
    request = whole.request.model_copy(update={"turns": (*whole.request.turns, later)})
    names = tuple(name for name in whole.tools if name != EXTEND.tool)
    task = whole.model_copy(update={"request": request, "tools": names})
    made = played(task, FIND, Say(say="I can't extend it at the moment."), EXTEND, DONE)
    assert EXTEND.tool in {tool.function.name for tool in made.tools}
    assert [getattr(m, "weight", None) for m in made.messages] == [
        None, None, 0, None, 0, None, None, None, None,
    ]  # fmt: skip
    assert made.messages[5].content == "Try again."


def test_equal_runs_give_equal_bytes_and_trials_differ_by_id() -> None:
    task = act_task()
    first, again, other = (played(task, FIND, EXTEND, DONE, trial=k) for k in (0, 0, 1))
    assert to_line(first) == to_line(again)
    assert first.id != other.id
    assert first.model_copy(update={"id": other.id}) == other


def test_an_agent_that_does_not_stop_is_stopped() -> None:
    task = act_task()
    made = played(task, *[RENTALS] * 9, max_steps=4)
    assert made.finish_reason == "max_steps"
    assert made.usage["calls"] == 4
    assert not made.verdict.passed


@pytest.mark.parametrize(
    "arguments",
    [
        {"rental_id": "R-01", "until": 2**80},
        {"rental_id": "\ud800", "until": "2026-03-27"},
        {"rental_id": {"a": [1, {"b": None}]}, "until": True},
        {"rental_id": "R-01\x00", "until": "x" * 5000},
        {"rental_id": "R-01", "until": -1.5e300, "ünïcode": []},
        {},
    ],
)
def test_whatever_an_agent_sends_can_be_written_down(arguments: Mapping[str, Any]) -> None:
    """Integers beyond 64 bits, half characters, NUL bytes: recorded, refused, and no crash."""
    made = played(act_task(), Call(tool="extend_rental", arguments=dict(arguments)), DONE)
    assert made.steps[2].error_code == "invalid_arguments"
    assert made.terminal.hash == made.initial.hash
    line = to_line(made)
    assert Trajectory.model_validate_json(line).steps[2].tool == "extend_rental"
