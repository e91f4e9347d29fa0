"""Reference solutions: what is counted of each, and the benchmarks' own where installed."""

import sys
from pathlib import Path

import pytest

from davinci_env.egts.ground_truth import GroundTruth, ground_truth, judge_all
from davinci_env.egts.systems import bfcl
from davinci_env.egts.systems.hosted import HostedSystem
from davinci_env.egts.systems.installed import command, is_installed
from davinci_env.egts.systems.registry import Options
from davinci_env.errors import UsageError

HOSTS = Path(__file__).parent / "hosts"


def installed(family):
    if not is_installed(family):
        pytest.skip(f"{family} is not installed: {command(family)}")


@pytest.fixture(scope="module")
def toys():
    """The toy benchmark's tasks, judged, by name."""
    system = HostedSystem(
        "toy", "toy", "toy_truth", licence="", origin="", python=Path(sys.executable), hosts=HOSTS
    )
    try:
        return {task.task: task for task in judge_all(system)}
    finally:
        system.close()


def test_a_sound_solution_is_accepted_and_without_its_last_change_rejected(toys):
    five = toys["five"]
    assert (five.calls, five.errors, five.solved) == (4, (), True)
    assert five.deterministic and five.accepted and five.changed
    # Without "add 3" the total is 2: neither our verifier nor the benchmark takes that.
    assert (five.rejected, five.solved_without) == (True, False)
    assert five.solved_at_start is False
    assert not five.refused


def test_a_solution_that_changes_nothing_has_no_change_to_drop(toys):
    look = toys["look"]
    assert not look.changed
    assert (look.rejected, look.solved_without) == (None, None)
    assert look.solved is None, "the benchmark doesn't judge it"
    assert look.accepted
    assert not look.refused


def test_a_task_that_is_satisfied_at_the_start_is_refused(toys):
    there = toys["there"]
    assert there.solved_at_start
    assert there.refused
    # Our verifier wants the recorded six, the benchmark is content with five.
    assert (there.rejected, there.solved_without) == (True, True)


def test_a_refused_call_is_an_error_and_changes_nothing(toys):
    broken = toys["broken"]
    assert broken.errors == ("add: only upwards",)
    assert broken.solved, "five, as the refused -1 was taken back"
    # The last call that changed something was the first one.
    assert (broken.rejected, broken.solved_without) == (True, False)


def test_what_differs_between_processes_is_seen(toys):
    chance = toys["chance"]
    assert not chance.deterministic
    assert chance.accepted, "the state is the same"


def test_the_counts_and_the_table(toys):
    found = GroundTruth("toy", "3", tuple(toys.values()))
    assert found.counts() == {
        "toy": {
            "tasks": 5, "calls": 10, "errors": 1, "deterministic": 4, "accepted": 5,
            "judged": 4, "solved": 4, "changed": 4, "dropped": 4, "rejected": 4,
            "dropped_and_judged": 4, "rejected_by_own_check": 3, "solved_at_start": 1, "refused": 1,
        }
    }  # fmt: skip
    head, line, row = found.table().splitlines()
    assert row == "| toy | 5 | 10 | 1 | 4/5 | 5/5 | 4/4 | 4 | 4/4 | 3/4 | 1 | 1 |"
    assert head.count("|") == line.count("|") == row.count("|")
    assert found.to_json()["tasks"][2]["refused"] is True


def test_several_systems_are_counted_together_too(toys):
    other = [type(task)(**{**vars(task), "system": "toy.other"}) for task in toys.values()]
    counts = GroundTruth("toys", "3", (*toys.values(), *other)).counts()
    assert list(counts) == ["toy", "toy.other", "toys"]
    assert counts["toys"]["tasks"] == 10


@pytest.mark.parametrize(
    ("family", "said"),
    [("nosuch", "no family 'nosuch'"), ("davinci", "have no reference solutions")],
)
def test_families_without_solutions_are_refused(family, said):
    with pytest.raises(UsageError, match=said):
        ground_truth(family)


@pytest.fixture(scope="module")
def agentdojo():
    installed("agentdojo")
    return ground_truth("agentdojo")


def test_agentdojos_solutions_hold(agentdojo):
    whole = agentdojo.counts()["agentdojo"]
    assert whole == {
        "tasks": 97, "calls": 339, "errors": 0, "deterministic": 97, "accepted": 97,
        "judged": 97, "solved": 97, "changed": 61, "dropped": 61, "rejected": 61,
        "dropped_and_judged": 61, "rejected_by_own_check": 59, "solved_at_start": 5, "refused": 2,
    }  # fmt: skip


def test_agentdojos_tasks_that_need_no_agent_are_named(agentdojo):
    idle = [(t.system, t.task) for t in agentdojo.tasks if t.solved_at_start]
    assert idle == [("agentdojo.banking", f"user_task_{n}") for n in (5, 6, 8, 9, 10)]
    refused = [t.task for t in agentdojo.tasks if t.refused]
    assert refused == ["user_task_5", "user_task_6"]


def test_some_of_bfcls_solutions_hold():
    installed("bfcl")
    system = bfcl.open_system("bfcl.all", Options())
    try:
        found = judge_all(system, [f"multi_turn_base_{n}" for n in (0, 51, 101, 151, 173)])
    finally:
        system.close()
    assert all(task.deterministic and task.accepted for task in found)
    assert all(task.rejected for task in found if task.changed)
    assert all(task.solved and not task.solved_at_start for task in found)
    # That of 173 closes a ticket by a text, where the tool's own documentation wants a number.
    assert [task.errors for task in found] == [()] * 5
