"""The expert on generated tasks: it solves them, guesses no id, and needs nothing but JSON."""

import pytest

from davinci_env.agents import ScriptedUser, make_agent
from davinci_env.agents.oracle import Oracle
from davinci_env.episodes.runner import play_task
from tests.agents.drawn import SHIPPED, drawn_tasks
from tests.agents.talks import OverTheWire, steps, ungrounded


@pytest.mark.parametrize("domain", SHIPPED)
def test_the_expert_solves_what_the_oracle_solves(domain: str) -> None:
    played, failed = 0, []
    for drawn in drawn_tasks(domain, seeds=range(5)):
        if not drawn.play(Oracle(drawn.task)).passed:
            continue
        drawn.environment.reset()
        played += 1
        if not drawn.play(make_agent("expert", drawn.task)).passed:
            failed.append((drawn.task.kind, drawn.task.request.text))
        assert ungrounded(drawn.environment) == [], drawn.task.request.text
    assert played >= 25
    assert len(failed) <= played // 20, failed


@pytest.mark.parametrize("domain", SHIPPED)
def test_behind_json_the_expert_takes_the_same_steps(domain: str) -> None:
    for drawn in drawn_tasks(domain, seeds=(7, 8)):
        play_task(
            drawn.task,
            drawn.environment,
            make_agent("expert", drawn.task),
            ScriptedUser(drawn.task),
        )
        direct = steps(drawn.environment)
        drawn.environment.reset()
        remote = OverTheWire(drawn.environment)
        play_task(drawn.task, remote, make_agent("expert", drawn.task), ScriptedUser(drawn.task))
        assert steps(remote) == direct
