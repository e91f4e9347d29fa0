"""Expected values over REF and GOAL: several accepted outcomes, and worlds that have moved."""

from datetime import timedelta
from typing import Any

import pytest

from davinci_env.environment import DomainEnvironment
from davinci_env.errors import DefectError, SuiteVersionError, UsageError
from davinci_env.records import Call, Slot, SlotsCheck, Source, Task
from davinci_env.verify import Verifier, footprint, judge, open_task, visit_goals
from tests.support.toy_desk import (
    ADA,
    TOYS,
    answer,
    call,
    desk,
    failed,
    frame,
    judged,
    play,
    state,
    task_of,
    toy_domain,
)

GLOBE = call("post_toy", person_id="P-01", toy_id="T-07", street="Oak Lane")
SLED = call("post_toy", person_id="P-01", toy_id="T-08", street="Mill Road")
TOY = "SELECT t.name FROM items AS i JOIN toys AS t USING (toy_id) WHERE i.item_id > 'IT-02'"
STREET = "SELECT street FROM parcels WHERE parcel_id > 'PA-01'"
EITHER = (
    state(f"({TOY}) IS :toy AND ({STREET}) IS :street", toy=TOY, street=STREET),
    frame(),
    answer(
        SlotsCheck(
            slots=(
                Slot(
                    name="toy", type="name", expected=Source(over="goal", query=TOY), cues=("toy",)
                ),
            )
        )
    ),
)


@pytest.mark.parametrize(
    ("entries", "wrong"),
    [
        ([GLOBE, "I have sent the globe."], []),
        ([SLED, "I have sent the sled."], []),
        ([GLOBE, "I have sent the sled."], ["answer"]),  # each half fits another alternative
        ([SLED, "I have sent the globe."], ["answer"]),
        ([GLOBE, SLED, "I have sent the globe and the sled."], ["frame"]),
        (
            [call("post_toy", person_id="P-01", toy_id="T-07", street="Mill Road"), "The globe."],
            ["state"],
        ),
        ([call("post_toy", person_id="P-01", toy_id="T-01", street="Oak Lane"), ""], None),
    ],
)
def test_one_alternative_satisfies_all_requirements(entries: list[Any], wrong: Any) -> None:
    environment = desk()
    task = task_of(environment, *EITHER, goals=[[GLOBE], [SLED]])
    environment.close()
    verdict = judged(task, ADA, *entries)
    assert not verdict.passed if wrong is None else failed(verdict) == wrong


def moved() -> DomainEnvironment:
    """A world that moved before the episode: three days on, R-01 due later, PA-01 at Oak Lane."""
    environment = desk()
    play(
        environment,
        call("extend_rental", rental_id="R-01", until="2026-03-27"),
        call("redirect_parcel", parcel_id="PA-01", street="Oak Lane"),
        call("lend_toy", person_id="P-03", toy_id="T-07"),  # refused: Cy owes too much
        call("post_label", rental_id="R-01", street="Oak Lane"),
    )
    environment.world.advance(timedelta(days=3))
    return environment


def moved_task(*requirements: Any, goals: Any, kind: str = "act") -> Task:
    environment = moved()
    packed = environment.pack()
    task = task_of(environment, *requirements, goals=goals, kind=kind, start_changes=packed)
    environment.close()
    return task


def on_moved(task: Task, *entries: Any) -> list[str]:
    environment = open_task(task, paths=[TOYS], trust=True)
    verifier = Verifier(task, environment)
    play(environment, ADA, *entries)
    wrong = failed(verifier.judge(environment))
    assert failed(judge(task, environment)) == wrong
    environment.close()
    return wrong


def test_what_the_world_changed_before_is_not_the_agents_doing() -> None:
    task = moved_task(frame("nothing"), goals=[[]], kind="ask")
    assert on_moved(task) == []
    assert on_moved(task, call("search_toys", query="kite")) == []
    # taking back what the world did is a change of the agent's
    assert on_moved(task, call("redirect_parcel", parcel_id="PA-01", street="Elm Street")) == [
        "frame"
    ]


def test_what_the_world_changed_before_is_not_allowed_by_the_goal() -> None:
    due = "SELECT due_on FROM rentals WHERE rental_id = 'R-01'"
    again = call("extend_rental", rental_id="R-01", until="2026-04-03")
    task = moved_task(state(f"({due}) IS :due", due=due), frame(), goals=[[again]])
    assert on_moved(task, again) == []
    assert on_moved(task) == ["state"]
    street = call("redirect_parcel", parcel_id="PA-01", street="Mill Road")
    assert on_moved(task, again, street) == ["frame"]
    label = call("post_label", rental_id="R-01", street="Oak Lane")
    assert on_moved(task, again, label) == ["frame"]  # one parcel more than the world has made


def test_expected_values_follow_the_moved_world() -> None:
    """Lent on the 19th instead of the 16th, a toy is due on the 2nd of April."""
    lend = call("lend_toy", person_id="P-02", toy_id="T-07")
    back = call("take_back", rental_id="R-03")
    due = "SELECT due_on FROM rentals WHERE toy_id = 'T-07'"
    task = moved_task(state(f"({due}) IS :due", due=due), goals=[[back, lend]])
    environment = open_task(task, paths=[TOYS], trust=True)
    verifier = Verifier(task, environment)
    ((goal,),) = verifier.goals
    assert list(goal.values.values()) == [[("2026-04-02",)]]
    play(environment, back, lend)
    assert verifier.judge(environment).passed
    environment.close()


def test_relative_days_in_answers_count_from_the_start() -> None:
    due = Source(over="ref", query="SELECT due_on FROM rentals WHERE rental_id = 'R-02'")
    slot = Slot(name="due", type="date", expected=due, cues=("due date",))
    task = moved_task(answer(SlotsCheck(slots=(slot,))), goals=[[]], kind="ask")
    assert on_moved(task, "The due date is in six days.") == []  # the 25th, seen from the 19th
    assert on_moved(task, "The due date is in nine days.") == ["answer"]


def test_a_moved_clock_makes_another_task() -> None:
    """The state's hash leaves the clock out, so the id must not."""
    task = moved_task(frame("nothing"), goals=[[]])
    changes = {**task.world.start_changes, "now": "2026-03-16T09:30:00"}  # type: ignore[dict-item]
    world = task.world.model_copy(update={"start_changes": changes})
    edited = task.model_copy(update={"world": world})
    assert task.asked_id == task.id
    assert edited.asked_id != edited.id


def test_goals_are_visited_from_the_present_and_left_again() -> None:
    environment = moved()
    task = task_of(environment, *EITHER, goals=[[GLOBE], [SLED]])
    before, entries = environment.pack(), list(environment.log.entries)
    (first,), (second,) = visit_goals(task, environment)
    assert (environment.pack(), list(environment.log.entries)) == (before, entries)
    assert [v for source, v in first.values.items() if source.query == TOY] == [[("globe",)]]
    assert [v for source, v in second.values.items() if source.query == TOY] == [[("sled",)]]
    assert first.footprint.created == {"parcels": 1, "items": 1}
    assert (first.footprint.cells, first.footprint.touched) == (frozenset(), {})
    since = environment.start_mark.log_length
    assert footprint(environment, since).created == {"parcels": 1}  # the label of `moved`
    environment.close()


def test_judge_works_on_the_environment_that_was_served() -> None:
    """Judged beside, on a twin: the agent's world, its log and its start stay what they are."""
    environment = desk(record_changes=True)
    task = task_of(environment, *EITHER, goals=[[GLOBE], [SLED]])
    play(environment, ADA, GLOBE, "I have sent the globe.")
    state_before, log_before = environment.pack(), list(environment.log.entries)
    for _ in range(2):
        assert judge(task, environment).passed
    assert (environment.pack(), list(environment.log.entries)) == (state_before, log_before)
    environment.call("redirect_parcel", {"parcel_id": "PA-01", "street": "Oak Lane"})
    assert failed(judge(task, environment)) == ["frame"]
    environment.reset()
    assert failed(judge(task, environment)) == ["state", "answer"]
    environment.close()


def test_judge_works_on_an_environment_that_was_parked() -> None:
    task = moved_task(*EITHER, goals=[[GLOBE], [SLED]])
    environment = open_task(task, paths=[TOYS], trust=True)
    play(environment, ADA, SLED, "I have sent the sled.")
    image, log = environment.world.image, environment.log
    parked = environment.park()
    back = DomainEnvironment.resume(toy_domain(), image, parked, log)
    assert judge(task, back).passed
    back.call("redirect_parcel", {"parcel_id": "PA-01", "street": "Elm Street"})
    assert failed(judge(task, back)) == ["frame"]
    back.close()


def test_a_goal_that_cannot_be_carried_out_is_a_defect() -> None:
    environment = desk()
    impossible: list[Call] = [call("take_back", rental_id="R-01")] * 2
    task = task_of(environment, *EITHER, goals=[[GLOBE], impossible])
    before = environment.pack()
    with pytest.raises(DefectError, match="take_back gives rental_not_open"):
        Verifier(task, environment)
    assert environment.pack() == before
    environment.close()


def test_a_task_opens_only_where_it_was_made_for() -> None:
    task = moved_task(frame("nothing"), goals=[[]])
    environment = open_task(task, paths=[TOYS], trust=True)
    assert environment.actor == "P-01"
    assert environment.world.clock["now"].isoformat() == "2026-03-19T09:30:00"
    environment.close()
    changed = {"version": 2, "content_hash": "0" * 64, "snapshot": "0" * 64}
    for name, value in changed.items():
        other = task.model_copy(update={"world": task.world.model_copy(update={name: value})})
        with pytest.raises(SuiteVersionError, match="--update"):
            open_task(other, paths=[TOYS], trust=True)
    with pytest.raises(UsageError, match="P-77"):
        open_task(task.model_copy(update={"actor": "P-77"}), paths=[TOYS], trust=True)


def test_the_first_person_is_no_accident() -> None:
    """Another actor than the task's is another episode."""
    environment = desk("P-02")
    task = task_of(environment, frame("nothing"), goals=[[]])
    environment.close()
    assert task.actor == "P-02"
    assert judged(task, actor="P-02").passed
