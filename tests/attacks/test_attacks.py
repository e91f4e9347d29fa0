"""Nobody who reads the verifier and shirks the work passes: each attack on several tasks.

Attacks that do not fit a task (no answer to forge, no yes to skip) pass it over.
"""

import itertools
from collections.abc import Iterator
from functools import cache

import pytest

from davinci_env.records import Task
from tests.attacks import answers, deeds, duties, refusals  # noqa: F401  (they enter their attacks)
from tests.attacks.targets import Target, target
from tests.attacks.tries import ATTACKS, Try
from tests.support.suites import DOMAINS, suite

TASKS = 2
"""Tasks of a domain that an attack is tried on."""

TRIES = 8
"""Tries of one attack on one task."""


def tasks_of(domain: str) -> Iterator[Task]:
    yield from (task for task in suite(20, seed=5) if task.world.name == domain)


@cache
def _targets(domain: str) -> list[Target]:
    return [target(task) for task in tasks_of(domain)]


def through(goal: Target, tries: list[Try]) -> list[object]:
    """The tries that pass, as what was done and said."""
    passed = []
    for one in tries:
        golden = goal.golden
        if not goal.play(one.steps).passed:
            continue
        if one.harm == "said" or goal.outcome() != golden:
            passed.append((goal.task.id, goal.task.kind, one.steps))
    return passed


@pytest.mark.parametrize("place", range(TASKS))
@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_no_attack_passes(name: str, domain: str, place: int) -> None:
    fitting = 0
    for goal in _targets(domain):
        tries = list(itertools.islice(ATTACKS[name](goal), TRIES))
        fitting += bool(tries)
        if fitting > place:
            passed = through(goal, tries)
            assert passed == []
            return
    pytest.skip("no further task that this attack fits")


def test_most_attacks_fit_some_task_of_each_domain() -> None:
    """Two hundred pairs of an attack and a task at least, or the tests above say little."""
    fitting = [
        (name, goal.task.id)
        for name, attack in ATTACKS.items()
        for domain in DOMAINS
        for goal in [g for g in _targets(domain) if next(attack(g), None) is not None][:TASKS]
    ]
    assert len(fitting) >= 200
