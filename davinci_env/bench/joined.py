"""A world of four domains beside each of its domains alone, on the same rows, with the same
calls.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

from ..compose import Composition, load
from ..environment import DomainEnvironment
from ..environment.alone import open_alone
from ..planning import Survey
from ..planning.bindings import plain_arguments
from .timing import interleaved

COMPOSITION = "clinic_lab_pharmacy_reminders"

CALLS = 4
"""Writes of each domain."""

LOOK_AT = 60
"""Calls of a tool that are looked at for one that is free."""

Call = tuple[str, dict[str, Any]]


@dataclass
class Side:
    """Calls that succeed in an environment, each from the same start."""

    environment: DomainEnvironment
    calls: list[Call]
    start: Any

    def call(self, call: Call) -> None:
        """One call and the restore after it."""
        self.environment.call(*call)
        self.environment.restore(self.start)

    def restores(self) -> None:
        """All calls one after the other, then one restore."""
        for call in self.calls:
            self.environment.call(*call)
        self.environment.restore(self.start)


def measure(rounds: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Microseconds of a call in the composition and in its dearest domain alone; then the same of
    as many calls with one restore.
    """
    composition = load(COMPOSITION)
    assert isinstance(composition, Composition)
    pairs = list(_pairs(composition))
    try:
        return _calls(pairs, rounds), _restores(pairs, rounds)
    finally:
        for joined, alone in pairs:
            joined.environment.close()
            alone.environment.close()


def _calls(pairs: list[tuple[Side, Side]], rounds: int) -> tuple[float, float]:
    sides = [side for pair in pairs for side in pair]
    runs = [partial(side.call, call) for side in sides for call in side.calls]
    times = iter(interleaved(runs, rounds=rounds))
    means = [fmean(next(times) for _ in side.calls) for side in sides]
    return fmean(means[::2]), max(means[1::2])


def _restores(pairs: list[tuple[Side, Side]], rounds: int) -> tuple[float, float]:
    sides = [side for pair in pairs for side in pair]
    times = interleaved([side.restores for side in sides], rounds=rounds)
    return fmean(times[::2]), max(times[1::2])


def _pairs(composition: Composition) -> Iterator[tuple[Side, Side]]:
    """Each domain's calls in the composition, and in the domain alone."""
    for number, part in enumerate(composition.parts):
        world = composition.build(1)
        alone = open_alone(composition, number, world)
        person = composition.regulars(world)[0]
        own = composition.as_known_in(part.identity, person)
        assert own is not None
        joined = DomainEnvironment(composition, world, person.id)
        alone.act_for(own.id)
        names = {new: old for old, new in next(iter(part.tools.values())).names.items()}
        calls = _free(joined, part.name)
        yield (
            Side(joined, calls, joined.snapshot()),
            Side(alone, [(names.get(t, t), a) for t, a in calls], alone.snapshot()),
        )


def _free(environment: DomainEnvironment, home: str) -> list[Call]:
    """Writes of one domain that succeed one after the other."""
    survey = Survey(environment, random.Random(1))
    found: list[Call] = []
    before = environment.snapshot()
    for tool in survey.writes():
        if tool.home != home or len(found) == CALLS:
            continue
        for number, binding in enumerate(survey.bindings(tool)):
            if number == LOOK_AT:
                break
            arguments = plain_arguments(binding)
            if not binding.blocked and environment.call(tool.name, arguments).ok:
                found.append((tool.name, arguments))
                break
    environment.restore(before)
    return found
