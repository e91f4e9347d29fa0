"""Slips are harmless reads that lead nowhere: marked, at most one an episode, and got over."""

from typing import Any

from davinci_env.agents import Call, Reading, ScriptedUser, View
from davinci_env.agents.expert import Expert
from davinci_env.environment import DomainEnvironment
from davinci_env.episodes.runner import play_task
from davinci_env.episodes.trajectories import trajectory
from davinci_env.records import AgentInfo
from davinci_env.verify import Verifier
from tests.agents.drawn import drawn_tasks
from tests.agents.talks import BIKES, Person, desk, row, talk
from tests.agents.test_forms import extend, take, writes

DORA = {"email": "dora@example.com"}
WREN = take(row("Bike", mine=False, model="Wren", station__name="South"), "Dora Quist")


def slipped(seed: str, share: float = 1.0) -> tuple[DomainEnvironment, list[Any]]:
    """Play with slips; returns the steps."""
    environment = desk()
    return environment, talk(
        environment, Expert(BIKES, seed, slips=share), Person("…", DORA), [WREN]
    )


def test_a_slip_is_at_most_one_read_more_and_changes_nothing() -> None:
    plain = talk(desk(), Expert(BIKES, "seed"), Person("…", DORA), [WREN])
    for number in range(8):
        environment, made = slipped(f"seed {number}")
        assert 0 <= len(made) - len(plain) <= 1
        assert writes(environment) == [("take_bike", {"rider_id": "R-004", "bike_id": "B-006"})]
        assert environment.capture().violated == ()


def test_it_may_be_an_empty_search() -> None:
    right = {repr(step) for step in talk(desk(), Expert(BIKES, "s"), Person("…", DORA), [WREN])}
    wrong = {
        repr(step) for n in range(12) for step in slipped(f"seed {n}")[1] if step[0] != "say"
    } - right
    assert wrong == {repr(("search_bikes", {"query": "Wern"}))}


def test_without_a_share_there_is_none() -> None:
    assert slipped("seed", 0.0)[1] == talk(desk(), Expert(BIKES, "seed"), Person("…", DORA), [WREN])


def test_only_the_slip_is_marked() -> None:
    environment = desk()
    agent = Expert(BIKES, "seed", slips=1.0)
    reading = Reading(facts=dict(DORA), intents=[WREN])
    view, marked = View(environment, reading), []
    for _ in range(20):
        action = agent.act(view)
        if not isinstance(action, Call):
            break
        marked.append(action.mistaken)
        environment.call(action.tool, action.arguments)
    assert sum(marked) == 1 and not marked[-1]


def test_in_a_trajectory_the_slip_has_no_weight() -> None:
    found = 0
    for drawn in drawn_tasks("library_lending", kinds=("ask", "act"), seeds=range(4)):
        task, environment = drawn.task, drawn.environment
        verifier = Verifier(task, environment)
        agent = Expert(environment.domain, task.id, slips=1.0)
        episode = play_task(task, environment, agent, ScriptedUser(task), record_hashes=True)
        verdict = verifier.judge(environment)
        record = trajectory(task, environment, episode, verdict, AgentInfo(name="expert"))
        mistyped = [item for item in task.request.user.plan if "mistyped" in item]
        calls = [m for m in record.messages if m.role == "assistant" and m.tool_calls]
        for number, (message, made) in enumerate(zip(calls, environment.log.calls(), strict=True)):
            typo = any(item.get("value") in made.arguments.values() for item in mistyped)
            learned = (made.ok or typo) and number not in episode.mistaken
            assert (message.weight == 0) is not learned
        found += len(episode.mistaken)
        assert verdict.passed
    assert found


def test_a_wish_without_an_occasion_goes_as_ever() -> None:
    ben = Person("…", {"email": "ben@example.com"})
    environment = desk()
    talk(
        environment,
        Expert(BIKES, "seed", slips=1.0),
        ben,
        [extend(row("Rental", bike__model="Kestrel"))],
    )
    assert [tool for tool, _ in writes(environment)] == ["extend_rental"]
