"""Goals: writes that a person could want together, found by trying them on the world itself."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ..domain import Row, Rule, Tool
from ..domain.frames import columns_changed
from ..environment import DomainEnvironment
from .bindings import Binding, Survey, plain_arguments
from .support import cells_read


@dataclass(frozen=True)
class Step:
    """One write of a plan, with the arguments as the agent would send them."""

    binding: Binding
    arguments: dict[str, Any]

    @property
    def tool(self) -> Tool:
        """The write."""
        return self.binding.tool


@dataclass(frozen=True)
class Plan:
    """Writes in order. `chain` is the rule that blocked the last one until another was done."""

    steps: tuple[Step, ...]
    chain: str | None = None


Wanted = Callable[[Tool | Rule], float]
"""How much a tool (or, in a denial, a rule) is wanted now; 0 keeps it out."""


LOOK_AT = 120
"""Calls of a tool that are looked at for a blocked one that another write would free."""

SAME_RULE = 3
"""Calls that one rule blocks for which a way to lift the block is looked for."""


def first_free(
    survey: Survey, tool: Tool, limit: int = 200, apart: Collection[Row] = ()
) -> Binding | None:
    """The first free binding of a tool that is not about certain rows."""
    for number, binding in enumerate(survey.bindings(tool)):
        if not binding.blocked and not any(row in apart for row in binding.rows):
            return binding
        if number >= limit:
            return None
    return None


def plan_writes(
    environment: DomainEnvironment, rng: random.Random, length: int, wanted: Wanted
) -> Plan | None:
    """Draw up to `length` different writes about different rows, each executable after the ones
    before, the first of them by what is wanted; the state is left as it was.
    """
    start = environment.snapshot()
    steps: list[Step] = []
    try:
        while len(steps) < length:
            step = _draw(environment, rng, wanted if not steps else _any, steps)
            if step is None:
                break
            steps.append(step)
    finally:
        environment.restore(start)
        environment.release(start)
    return Plan(tuple(steps)) if steps else None


def _any(item: Tool | Rule) -> float:
    """Nothing is wanted more than anything else."""
    return 1.0


def _draw(
    environment: DomainEnvironment, rng: random.Random, wanted: Wanted, before: Sequence[Step]
) -> Step | None:
    """Find and carry out one more write, that has nothing to do with those before."""
    survey = Survey(environment, rng)
    used = {step.tool.name for step in before}
    apart = [row for step in before for row in step.binding.rows]
    tools = [t for t in survey.writes() if t.name not in used]
    tools.sort(key=lambda t: -wanted(t) * rng.random())
    for tool in tools:
        if wanted(tool) <= 0:
            continue
        binding = first_free(survey, tool, apart=apart)
        if binding is None:
            continue
        step = Step(binding, plain_arguments(binding))
        now, state_hash = environment.snapshot(), environment.capture().state_hash
        done = obeys(environment, step) and environment.capture().state_hash != state_hash
        if not done:
            environment.restore(now)
        environment.release(now)
        if done:
            return step
    return None


def obeys(environment: DomainEnvironment, step: Step) -> bool:
    """Carry out a step; whether it succeeded without breaking a rule that conversation can't
    settle.
    """
    result = environment.call(step.tool.name, step.arguments)
    settled = {r.code for r in step.tool.requires if r.kind is not None}
    return result.ok and set(result.violated) <= settled


def sound(environment: DomainEnvironment, binding: Binding) -> Step | None:
    """A binding as a step, if it works and breaks no rule that conversation can't settle."""
    step = Step(binding, plain_arguments(binding))
    start = environment.snapshot()
    before = environment.capture().state_hash
    try:
        done = obeys(environment, step) and environment.capture().state_hash != before
    finally:
        environment.restore(start)
        environment.release(start)
    return step if done else None


def forbids_alone(environment: DomainEnvironment, binding: Binding, code: str) -> bool:
    """Whether a rule is all that stands in a call's way; tried on the world, which is left as it
    was.

    A rule of the agent's own is broken only where the tool itself would have done it; and where one
    of the agent's own forbids it besides, somebody might name either.
    """
    step = Step(binding, plain_arguments(binding))
    start = environment.snapshot()
    try:
        result = environment.call(step.tool.name, step.arguments)
    finally:
        environment.restore(start)
        environment.release(start)
    if result.ok:
        return set(result.violated) - {r.code for r in step.tool.requires if r.kind} == {code}
    if result.code != code:
        return False
    context = step.tool.context(dict(binding.values), environment.world.db, [], step.arguments)
    try:
        return all(holds(context) for _, holds, rule in step.tool.advisory if rule.kind is None)
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        return False  # it takes for granted what the other rule forbids


def plan_chain(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> Plan | None:
    """Find a blocked write and another that frees it (a rule with a dependency); the state is left
    as it was.
    """
    survey = Survey(environment, rng)
    tools = [t for t in survey.writes() if wanted(t) > 0]
    tools.sort(key=lambda t: -wanted(t) * rng.random())
    start = environment.snapshot()
    tried: Counter[str] = Counter()
    try:
        for tool in tools:
            for number, blocked in enumerate(survey.bindings(tool)):
                if number > LOOK_AT:
                    break
                if len(blocked.blocked) == 1 and blocked.blocked[0] in survey.domain.rules:
                    tried[blocked.blocked[0]] += 1
                    if tried[blocked.blocked[0]] > SAME_RULE:
                        continue
                    plan = free_by(environment, survey, blocked, start)
                    if plan is not None:
                        return plan
    finally:
        environment.restore(start)
        environment.release(start)
    return None


def free_by(
    environment: DomainEnvironment, survey: Survey, blocked: Binding, start: Any
) -> Plan | None:
    """Try the free writes that may lift the block: the rule's remedy, or where none is declared
    whatever touches what the rule reads.
    """
    code = blocked.blocked[0]
    for tool in _lifting(survey, blocked):
        for number, enabling in enumerate(survey.bindings(tool)):
            if number > 15:
                break
            if enabling.blocked:
                continue
            first = Step(enabling, plain_arguments(enabling))
            if _enables(environment, first, blocked, start):
                return Plan((first, Step(blocked, plain_arguments(blocked))), code)
    return None


def _lifting(survey: Survey, blocked: Binding) -> list[Tool]:
    """The writes that may lift a block."""
    rule = next(r for r in blocked.tool.requires if r.code == blocked.blocked[0])
    if rule.remedy is not None:
        return [tool for tool in survey.writes() if tool.name == rule.remedy]
    context = blocked.tool.context(dict(blocked.values), survey.db, [], {})
    cells = cells_read(rule, context)
    return [t for t in survey.writes() if columns_changed(t.frame, t.entities) & cells]


def _enables(environment: DomainEnvironment, first: Step, blocked: Binding, start: Any) -> bool:
    try:
        return obeys(environment, first) and obeys(
            environment, Step(blocked, plain_arguments(blocked))
        )
    finally:
        environment.restore(start)
