"""Replaying together gives what replaying one by one gives."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from davinci_env.agents import ScriptedUser
from davinci_env.agents.oracle import Oracle
from davinci_env.certify.certificate import expected_values
from davinci_env.certify.mutants import Mutator
from davinci_env.certify.replay import Replay, shared
from davinci_env.certify.scripts import Do, Script, outcome_key, perform, script_of
from davinci_env.environment import DomainEnvironment, Message
from davinci_env.episodes import play_task
from davinci_env.records import Task
from davinci_env.verify import Verifier, open_task
from tests.certify.test_attacks import tasks_of

NAMES = "library_lending", "order_management"


class Stage:
    """A task with its golden script and some mutants."""

    def __init__(self, task: Task) -> None:
        self.task, self.environment = task, open_task(task)
        self.verifier = Verifier(task, self.environment)
        self.start = self.environment.snapshot()
        play_task(task, self.environment, Oracle(task), ScriptedUser(task))
        self.golden = script_of(self.environment.log)
        self.environment.restore(self.start)
        values = expected_values(self.verifier)
        mutator = Mutator(task, self.golden, self.environment, values, random.Random(3))
        self.mutants = [
            (mutant.operator, mutant.script) for mutant in itertools.islice(mutator.deeds(), 25)
        ]

    def found(self, script: Script) -> tuple[bool, Any]:
        """What a script that was just played came to."""
        hashes = self.verifier.hashes(self.environment)
        key = outcome_key(self.task, script, self.environment, hashes)
        return self.verifier.judge(self.environment).passed, key

    def one_by_one(self) -> dict[int, tuple[bool, Any]]:
        """Each mutant played from the start."""
        found = {}
        for _, script in self.mutants:
            self.environment.restore(self.start)
            perform(script, self.environment)
            found[id(script)] = self.found(script)
        self.environment.restore(self.start)
        return found

    def together(self, stop: Any) -> dict[int, tuple[bool, Any]]:
        """All mutants played by `Replay`."""
        replay = Replay(self.golden, self.environment, self.start, stop)
        return {id(script): self.found(script) for _, script in replay.play_all(self.mutants)}

    def lost(self) -> bool:
        """Whether a turn has failed."""
        return self.verifier.hopeless(self.verifier.ended(self.environment))


@pytest.fixture(params=NAMES)
def stages(request: Any) -> Iterator[list[Stage]]:
    made = [Stage(task) for task in tasks_of(request.param)[:12]]
    yield made
    for stage in made:
        stage.environment.close()


def test_playing_together_changes_no_outcome(stages: list[Stage]) -> None:
    for stage in stages:
        assert stage.together(lambda: False) == stage.one_by_one()
        assert stage.environment.log.entries == []  # and it ends where it began


def test_what_is_left_out_after_a_failed_turn_changes_no_verdict(stages: list[Stage]) -> None:
    shorter = 0
    for stage in stages:
        whole, cut = stage.one_by_one(), stage.together(stage.lost)
        assert {name: passed for name, (passed, _) in cut.items()} == {
            name: passed for name, (passed, _) in whole.items()
        }
        shorter += sum(cut[name] != whole[name] for name in whole)
    assert shorter > 0  # there was something to leave out


def test_the_golden_script_is_played_once(stages: list[Stage]) -> None:
    stage = max(stages, key=lambda one: len(one.golden.entries))
    calls = counting(stage.environment)
    stage.one_by_one()
    alone = calls.pop()
    calls.append(0)
    stage.together(lambda: False)
    assert calls[0] < alone * 0.8


def counting(environment: DomainEnvironment) -> list[int]:
    """A counter of an environment's calls."""
    calls, call = [0], environment.call

    def counted(tool: str, arguments: Any) -> Any:
        calls[0] += 1
        return call(tool, arguments)

    environment.call = counted  # type: ignore[method-assign]
    return calls


def test_scripts_share_what_is_the_same_from_the_beginning() -> None:
    a, b, c = Do("a", {}), Do("b", {}), Message("assistant", "Done.")
    assert shared((a, b, c), (a, b, c)) == 3
    assert shared((a, b, c), (a, c)) == 1
    assert shared((a, b), (a, b, c)) == 2
    assert shared((a,), (b,)) == 0
