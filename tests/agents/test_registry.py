"""Agents are made by name; a wrong name is told what there is."""

from importlib.util import find_spec

import pytest

from davinci_env.agents import AGENTS, make_agent
from davinci_env.errors import MissingExtra, UsageError
from tests.agents.drawn import drawn_tasks


def test_every_name_makes_an_agent_of_that_name() -> None:
    (drawn,) = drawn_tasks("library_lending", kinds=("ask",), seeds=(0,))
    for name in AGENTS:
        assert make_agent(name, drawn.task).name == name


def test_an_unknown_name_is_told_the_choices() -> None:
    (drawn,) = drawn_tasks("library_lending", kinds=("ask",), seeds=(0,))
    with pytest.raises(UsageError, match=r"no agent 'wizard'.*oracle.*first-match.*openai:MODEL"):
        make_agent("wizard", drawn.task)


@pytest.mark.skipif(find_spec("openai") is not None, reason="the extra is installed")
def test_a_model_without_the_extra_names_the_command() -> None:
    (drawn,) = drawn_tasks("library_lending", kinds=("ask",), seeds=(0,))
    with pytest.raises(MissingExtra, match=r"pip install 'davinci-env\[models\]'"):
        make_agent("openai:gpt-x", drawn.task)
