"""Turns: each user turn is judged when the next one begins, on its own requirements."""

from collections.abc import Sequence
from typing import Any

import pytest

from davinci_env.environment import DomainEnvironment, Event, Message
from davinci_env.records import (
    Call,
    DeclinedCheck,
    ProposedCheck,
    Requirement,
    Slot,
    SlotsCheck,
    Source,
    Task,
    UserTurn,
)
from davinci_env.verify import Verifier, judge
from tests.support.toy_desk import (
    ADA,
    answer,
    call,
    confirmed,
    desk,
    frame,
    policy,
    request_of,
    state,
    task_of,
    trace,
)

EXTEND = call("extend_rental", rental_id="R-01", until="2026-03-27")
FURTHER = call("extend_rental", rental_id="R-01", until="2026-04-01")
DUE = "SELECT due_on FROM rentals WHERE rental_id = 'R-01'"
NEXT = Event("turn", {"index": 1})


def at(requirement: Requirement, turn: int) -> Requirement:
    """A requirement of a later turn."""
    name = f"{requirement.id}@{turn}"
    return requirement.model_copy(update={"id": name, "turn": turn})


def two_turns(*requirements: Requirement, goals: Sequence[Call], tools: Any = ()) -> Task:
    """A task whose user comes back once; `tools` appear only then."""
    environment = desk()
    request = request_of("Keep the kite until the 27th.").model_copy(
        update={
            "turns": (
                UserTurn(text="Keep the kite until the 27th.", checkpoint=True),
                UserTurn(text="And then?", checkpoint=True, act="wish", tools=tuple(tools)),
            )
        }
    )
    task = task_of(environment, *requirements, goals=[goals], request=request)
    environment.close()
    return task


def played(task: Task, *entries: Any) -> tuple[DomainEnvironment, Verifier]:
    environment = desk()
    verifier = Verifier(task, environment)
    for entry in entries:
        if isinstance(entry, Call):
            environment.call(entry.tool, entry.arguments)
        elif isinstance(entry, str):
            environment.observe(Message("assistant", entry))
        else:
            environment.observe(entry)
    return environment, verifier


def failed(task: Task, *entries: Any) -> list[str]:
    """The requirements that fail; judged on the episode and on a replay of its log alike."""
    environment, verifier = played(task, *entries)
    verdict = verifier.judge(environment)
    assert judge(task, environment) == verdict
    environment.close()
    return [r.id for r in verdict.requirements if not r.passed]


TWICE = two_turns(
    state(f"({DUE}) IS :due", due=DUE),
    frame(),
    at(state(f"({DUE}) IS :due", due=DUE), 1),
    at(frame(), 1),
    at(policy(), 1),
    goals=[EXTEND, FURTHER.model_copy(update={"turn": 1})],
)
YES, AGAIN = confirmed(EXTEND), confirmed(FURTHER)


def test_each_turn_is_judged_by_the_goal_of_that_turn() -> None:
    assert failed(TWICE, ADA, YES, EXTEND, "Done.", NEXT, AGAIN, FURTHER, "Done.") == []
    # The end is right, but it came a turn too early: each turn has its own state.
    early = failed(TWICE, ADA, YES, EXTEND, AGAIN, FURTHER, "Done.", NEXT, "Done.")
    assert early == ["state", "frame"]
    late = failed(TWICE, ADA, "Done.", NEXT, YES, EXTEND, AGAIN, FURTHER, "Done.")
    assert late == ["state", "frame@1"]


def test_a_turn_that_was_never_reached_fails() -> None:
    assert failed(TWICE, ADA, YES, EXTEND, "Done.") == ["state@1", "frame@1", "policy@1"]


@pytest.mark.parametrize(("first", "lost"), [([YES, EXTEND], False), ([], True)])
def test_an_episode_is_hopeless_once_a_turn_has_failed(first: list[Any], lost: bool) -> None:
    environment, verifier = played(TWICE, ADA, *first, "Done.", NEXT)
    assert verifier.hopeless(verifier.ended(environment)) == lost
    environment.close()


def test_a_frame_covers_its_own_turn() -> None:
    """What the second turn may change, the first may not."""
    nothing_first = two_turns(
        frame("nothing"), at(frame(), 1), goals=[EXTEND.model_copy(update={"turn": 1})]
    )
    assert failed(nothing_first, ADA, "Hm.", NEXT, YES, EXTEND, "Done.") == []
    assert failed(nothing_first, ADA, YES, EXTEND, "Done.", NEXT, "Done.") == ["frame"]


def test_answers_are_looked_for_in_the_last_message_of_their_turn() -> None:
    slot = Slot(name="due", type="date", expected=Source(over="goal", query=DUE), cues=("due",))
    asked = answer(SlotsCheck(slots=(slot,)))
    task = two_turns(asked, at(asked, 1), goals=[EXTEND.model_copy(update={"turn": 1})])
    before, after = "It is due on March 20, 2026.", "It is due on March 27, 2026."
    assert failed(task, ADA, before, NEXT, YES, EXTEND, after) == []
    assert failed(task, ADA, after, NEXT, YES, EXTEND, after) == ["answer"]
    assert failed(task, ADA, before, NEXT, YES, EXTEND, before) == ["answer@1"]
    assert failed(task, ADA, before, NEXT, YES, EXTEND) == ["answer@1"]  # said nothing in turn 1


def test_a_tool_that_appears_later_is_unknown_until_then() -> None:
    task = two_turns(frame(), at(frame(), 1), goals=[], tools=["extend_rental"])
    environment, _ = played(task)
    environment.appearing = {"extend_rental": 1}
    start = environment.snapshot()
    arguments = dict(EXTEND.arguments)
    assert "extend_rental" not in {spec.name for spec in environment.tools()}
    assert environment.call("extend_rental", arguments).code == "unknown_tool"
    environment.observe(NEXT)
    assert "extend_rental" in {spec.name for spec in environment.tools()}
    assert environment.call("extend_rental", arguments).ok
    assert environment.fork().call("extend_rental", arguments).code != "unknown_tool"
    environment.restore(start)
    assert environment.call("extend_rental", arguments).code == "unknown_tool"
    environment.observe(NEXT)
    environment.reset()
    assert environment.call("extend_rental", arguments).code == "unknown_tool"
    environment.close()


def test_what_was_proposed_and_declined() -> None:
    check = ProposedCheck(
        must="proposed", tool=EXTEND.tool, arguments=dict(EXTEND.arguments), answer="declined"
    )
    environment = desk()
    task = task_of(environment, trace(check), frame("nothing"))
    environment.close()
    declined = Event("declined", {"tool": EXTEND.tool, "arguments": dict(EXTEND.arguments)})
    other = Event("declined", {"tool": FURTHER.tool, "arguments": dict(FURTHER.arguments)})
    assert failed(task, ADA, "Shall I?", declined, "I've left it.") == []
    assert failed(task, ADA, "Shall I?", other, "I've left it.") == ["trace"]
    assert failed(task, ADA, "Shall I?", confirmed(EXTEND), "I've left it.") == ["trace"]


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("I'm sorry, I can't extend it at the moment: I don't have that function.", True),
        ("I'm sorry, I can't do that.", False),  # says not what
        ("I have extended it for you.", False),
        ("", False),
    ],
)
def test_saying_that_something_cannot_be_done(text: str, passes: bool) -> None:
    environment = desk()
    check = DeclinedCheck(concepts=(("extend", "longer"),))
    task = task_of(environment, answer(check), frame("nothing"))
    environment.close()
    assert failed(task, ADA, text) == ([] if passes else ["answer"])
    plain = task.model_copy(update={"requirements": (answer(DeclinedCheck()), frame("nothing"))})
    assert (failed(plain, ADA, text) == []) is text.startswith("I'm sorry")
