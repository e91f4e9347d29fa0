"""Agents are made by name; a wrong name is told what there is."""

from importlib.util import find_spec

import pytest

from davinci_env.agents import AGENTS, check_agent, make_agent
from davinci_env.errors import MissingExtra, UsageError
from davinci_env.records import Task
from tests.agents.drawn import drawn_tasks


@pytest.fixture(scope="module")
def task() -> Task:
    return next(drawn_tasks("library_lending", seeds=range(20))).task


def test_every_name_makes_an_agent_of_that_name(task: Task) -> None:
    for name in AGENTS:
        assert make_agent(name, task).name == name


def test_an_imperfect_agent_has_a_mode_of_its_own_or_one_by_lot(task: Task) -> None:
    assert "imperfect:extra-write" in AGENTS and "rule-breaker" in AGENTS
    assert make_agent("imperfect", task).name in AGENTS
    assert make_agent("imperfect", task).name == make_agent("imperfect", task).name


def test_an_unknown_mode_is_told_the_choices() -> None:
    with pytest.raises(UsageError, match=r"called 'lazy'.*wrong-lookalike.*stale-value"):
        check_agent("imperfect:lazy")


def test_an_unknown_name_is_told_the_choices(task: Task) -> None:
    with pytest.raises(UsageError, match=r"no agent 'wizard'.*oracle.*first-match.*openai:MODEL"):
        make_agent("wizard", task)


@pytest.mark.skipif(find_spec("openai") is not None, reason="the extra is installed")
def test_a_model_without_the_extra_names_the_command(task: Task) -> None:
    with pytest.raises(MissingExtra, match=r"pip install 'davinci-env\[models\]'"):
        make_agent("openai:gpt-x", task)
