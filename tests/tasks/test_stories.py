"""Stories: tasks of every kind and form, drawn on the shipped domains, are what they say."""

import functools
from collections.abc import Iterator

import pytest

from davinci_env.agents.users import ScriptedUser
from davinci_env.records import (
    Call,
    DeclinedCheck,
    FrameCheck,
    ProposedCheck,
    RuleNamedCheck,
    Say,
    Task,
)
from davinci_env.tasks.kinds import DRAWS
from davinci_env.tasks.units import Order, make
from davinci_env.verify import Verifier, appearing, open_task

DOMAINS = ("clinic_appointments", "library_lending", "order_management")
EACH = 4


@functools.cache
def drawn() -> tuple[Task, ...]:
    """Tasks of all kinds over the shipped domains."""
    return tuple(
        task
        for domain in DOMAINS
        for kind in DRAWS
        for index in range(EACH)
        for task in make(Order(domain, kind, index, seed=41, scale=1.0)).tasks
    )


def with_form(form: str) -> Iterator[Task]:
    found = [task for task in drawn() if form in task.forms]
    assert found, f"no task has the form {form}"
    return iter(found)


def of_kind(kind: str) -> list[Task]:
    found = [task for task in drawn() if task.kind == kind]
    assert len(found) >= 6
    return found


def test_every_kind_is_drawn_in_every_domain() -> None:
    assert {(t.world.name, t.kind) for t in drawn()} == {(d, k) for d in DOMAINS for k in DRAWS}
    assert len({task.id for task in drawn()}) == len(drawn())
    assert all(task.id == task.asked_id for task in drawn())


def test_turns_goals_and_requirements_belong_together() -> None:
    for task in drawn():
        turns = range(len(task.request.turns))
        assert task.difficulty.turns == len(turns)
        assert {r.turn for r in task.requirements} == set(turns)
        assert {c.turn for goal in task.goals for c in goal} <= set(turns)
        assert [r.turn for r in task.requirements if r.kind == "policy"] == [turns[-1]]
        assert [r.turn for r in task.requirements if r.kind == "frame"] == list(turns)
        for turn in task.request.turns[1:]:
            assert turn.text and turn.intents and turn.act != "request"


def test_the_script_goes_through_all_turns_on_the_golden_solution() -> None:
    """The user alone, told the golden messages, reaches the last turn and then ends it."""
    for task in drawn():
        user = ScriptedUser(task)
        user.open()
        turns, ended = 0, False
        for step in task.solution:
            if isinstance(step, Say):
                assert not ended
                reply = user.reply(step.say)
                ended = reply is None
                turns += reply is not None and any(e.kind == "turn" for e in reply.events)
        assert ended
        assert turns == len(task.request.turns) - 1


def test_a_selection_is_not_given_away() -> None:
    """The row that is picked is described by what makes it stand out, and by no id."""
    for task in with_form("selection"):
        picks = [row for row in _rows(task) if "pick" in row]
        assert picks
        assert all(row.get("id") is None for row in picks)


def _rows(task: Task) -> Iterator[dict]:  # type: ignore[type-arg]
    later = [intent for turn in task.request.turns[1:] for intent in turn.intents]
    waiting: list[object] = [*task.request.intents, *later]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            if "entity" in found:
                yield found
            waiting.extend(found.values())
        elif isinstance(found, list | tuple):
            waiting.extend(found)


def test_a_batch_is_one_wish_and_several_calls() -> None:
    for task in with_form("batch"):
        tools = [c.tool for c in task.goals[0]]
        assert max(tools.count(tool) for tool in tools) >= 2


def test_a_chain_needs_its_first_link() -> None:
    """Without the write before it, the last one of a chain is refused or breaks a rule."""
    for task in with_form("chain"):
        environment = open_task(task)
        environment.appearing = {}
        goal = task.goals[0]
        needed = False
        for skipped in range(len(goal) - 1):
            environment.reset()
            for place, step in enumerate(goal):
                if place == skipped:
                    continue
                result = environment.call(step.tool, step.arguments)
                settled = {r.code for r in environment.domain.tools[step.tool].requires if r.kind}
                needed |= not result.ok or bool(set(result.violated) - settled)
        assert needed, task.request.text
        environment.close()


def test_a_denial_changes_nothing_and_names_its_rule() -> None:
    for task in of_kind("deny"):
        checks = [r.check for r in task.requirements if r.turn == 0]
        assert any(isinstance(c, RuleNamedCheck) for c in checks)
        assert any(isinstance(c, FrameCheck) and c.allow == "nothing" for c in checks)
        assert not any(c.turn == 0 for c in task.goals[0])


def test_a_push_back_is_answered_by_no() -> None:
    for task in with_form("push-back"):
        turn = next(k for k, t in enumerate(task.request.turns) if t.act == "push-back")
        assert not any(c.turn == turn for c in task.goals[0])
        checks = [r.check for r in task.requirements if r.turn == turn]
        assert any(isinstance(c, DeclinedCheck) for c in checks)


def test_what_is_declined_is_proposed_and_not_done() -> None:
    for task in with_form("decline"):
        proposed = [r.check for r in task.requirements if isinstance(r.check, ProposedCheck)]
        assert proposed
        for check in proposed:
            done = [(c.tool, c.arguments) for c in task.goals[0]]
            assert check.answer == "declined"
            assert (check.tool, check.arguments) not in done


def test_a_correction_does_the_second_choice_alone() -> None:
    for task in with_form("correction"):
        corrected = [
            item["wish"]
            for item in task.request.user.plan
            if isinstance(item.get("wish"), dict) and "correct" in item["wish"]  # type: ignore[operator]
        ]
        assert corrected
        done = [(c.tool, c.arguments) for c in task.goals[0]]
        for wish in corrected:
            assert (wish["tool"], wish["arguments"]) not in done  # type: ignore[index, call-overload]


def test_an_undone_write_leaves_its_trace_and_no_more() -> None:
    for task in with_form("undo"):
        assert len(task.goals[0]) >= 2
        assert {c.turn for c in task.goals[0]} >= {0, 1}


@pytest.mark.parametrize("kind", ["handoff", "missing-tool"])
def test_hand_overs(kind: str) -> None:
    """A hand-over is a call; a missing tool is unknown until the turn in which it appears."""
    for task in of_kind(kind):
        environment = open_task(task)
        tools = environment.domain.tools
        first = [c for c in task.goals[0] if c.turn == 0]
        if kind == "handoff":
            assert [tools[c.tool].handover for c in first] == [True]
        else:
            hidden = set(tools) - set(task.tools)
            assert len(hidden) == 1
            assert not environment.call(*hidden, {}).ok
            assert environment.appearing == appearing(task, environment.domain)
            reason = environment.domain.without_tool
            assert [tools[c.tool].handover for c in first] == [True] * (reason is not None)
            later = [t.tools for t in task.request.turns if t.tools]
            assert later in ([], [tuple(hidden)])
        environment.close()


def test_nothing_done_is_never_enough() -> None:
    for task in drawn():
        environment = open_task(task)
        verifier = Verifier(task, environment)
        assert not verifier.judge(environment).passed
        environment.close()


def test_conversations_are_long_enough_to_teach() -> None:
    """All kinds alike: five calls on average, a second turn in half of them."""
    calls = [sum(isinstance(s, Call) for s in task.solution) for task in drawn()]
    assert sum(calls) / len(calls) >= 5
    assert sum(len(task.request.turns) > 1 for task in drawn()) >= 0.5 * len(drawn())
