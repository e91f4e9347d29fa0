"""Agents that do it wrong, on real tasks of a small domain."""

from pathlib import Path

import pytest

from davinci_env.records import Task, read_jsonl
from davinci_env.stats.trials import ERRORS, Trial, play_trials
from davinci_env.tasks import generate_suite

TOYS = Path(__file__).parent.parent / "support" / "toys"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[Trial]:
    """Six tasks, played by all."""
    file = tmp_path_factory.mktemp("tasks") / "tasks.jsonl"
    generate_suite(["toy_rental"], 6, file, kinds=["act"], paths=[TOYS], trust=True)
    tasks = read_jsonl(file, Task).records
    return list(play_trials(tasks, paths=[TOYS], trust=True))


def test_every_agent_plays_every_task(played: list[Trial]) -> None:
    assert len(played) == 6
    agents = {"expert", "first-match", "rule-breaker", *ERRORS}
    assert all(set(trial.passed) == agents for trial in played)
    assert {trial.domain for trial in played} == {"toy_rental"}
    assert all(trial.passed["expert"] for trial in played)


def test_where_an_error_does_not_occur_the_agent_is_the_expert(played: list[Trial]) -> None:
    for trial in played:
        assert not trial.erred["expert"]
        for mode in ERRORS:
            assert trial.erred[mode] or trial.passed[mode], mode


def test_what_nobody_asked_for_fails(played: list[Trial]) -> None:
    tried = [trial for trial in played if trial.erred["extra-write"]]
    assert tried
    assert not any(trial.passed["extra-write"] for trial in tried)
