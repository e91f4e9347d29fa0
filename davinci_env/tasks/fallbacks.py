"""Wishes with a fallback: something, or if a rule forbids it something else, about the same row."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..domain import Row, Rule, Tool
from ..planning.bindings import plain_arguments
from ..planning.goals import Plan, Step, Wanted, plan_writes, sound
from ..planning.undoing import settles
from .acts import Extra, act_scene, main_row
from .bench import Bench
from .denials import blocked_by, can_deny
from .drafts import Scene
from .missed import NoCandidate
from .words import NoPhrase

RULES = 6
"""Rules that are tried for a wish with a fallback, so that no easy one is met too often."""

AGENT_RULES = 0.7
"""How often rules that the agent itself has to keep come first."""

NEEDLESS = 0.2
"""How often nothing forbids what is wanted first, though the person has a second choice."""

LOOK_AT = 20
"""Calls about a row that are looked at for one that is free."""

TIMES = 5
"""How often their arguments are drawn that depend on the row."""


def fallback(bench: Bench, wanted: Wanted) -> Scene:
    """Something, or if a rule forbids it something else, about the same row."""
    if bench.rng.random() < NEEDLESS:
        try:
            return _first_choice(bench, wanted)
        except NoCandidate:
            pass
    tools = [tool for tool in bench.survey.writes() if wanted(tool) > 0 and _seconds(bench, tool)]
    bench.rng.shuffle(tools)
    codes = {rule.code for tool in tools for rule in tool.requires}
    for rule in [rule for rule in rules_first(bench, AGENT_RULES) if rule.code in codes][:RULES]:
        for tool in tools:
            if any(r.code == rule.code for r in tool.requires):
                scene = _refused(bench, tool, rule)
                if scene is not None:
                    return scene
    raise NoCandidate("no fallback")


def rules_first(bench: Bench, share: float) -> list[Rule]:
    """The rules that can forbid something, in random order: the agent's own first in a share of all
    cases, and seldom those first that many writes have to obey, as these are the easiest to break.
    """
    rules = [r for r in bench.domain.rules.values() if can_deny(r)]
    governed = Counter(r.code for tool in bench.survey.writes() for r in tool.requires)
    rules.sort(key=lambda rule: -(bench.rng.random() ** governed[rule.code] ** 2))
    if bench.rng.random() < share:
        rules.sort(key=lambda rule: rule.by != "agent")
    return rules


def _refused(bench: Bench, tool: Tool, rule: Rule) -> Scene | None:
    """A wish that a rule forbids, with what is done instead."""
    binding = blocked_by(bench, tool.name, rule.code)
    if binding is None:
        return None
    step = Step(binding, plain_arguments(binding))
    other = _instead(bench, step)
    if other is None:
        return None
    extra = Extra(forms={"fallback"}, denied=(step, rule.code))
    try:
        wish = bench.words.with_fallback(*_two(bench, step, other))
        return act_scene(bench, Plan((other,)), [wish], extra)
    except NoCandidate:
        return None


def _first_choice(bench: Bench, wanted: Wanted) -> Scene:
    """A wish that can be granted, though the person has a second choice in case it can't."""

    def promising(item: Tool | Rule) -> float:
        return wanted(item) if isinstance(item, Tool) and _seconds(bench, item) else 0.0

    plan = plan_writes(bench.environment, bench.rng, 1, promising)
    if plan is None:
        raise NoCandidate("no free write")
    (step,) = plan.steps
    other = _instead(bench, step)
    if other is None:
        raise NoCandidate("no fallback")
    try:
        wish = bench.words.with_fallback(*_two(bench, step, other))
    except NoPhrase:
        raise NoCandidate("no fallback") from None
    return act_scene(bench, plan, [wish], Extra(forms={"fallback"}))


def _two(bench: Bench, step: Step, other: Step) -> Any:
    """Two wishes, of which the second speaks of the first one's row as "it"."""
    return bench.words.wishes([step, other])


def _seconds(bench: Bench, tool: Tool) -> list[Tool]:
    """The writes that a person could want where this one can't be had: they settle what becomes of
    a row of the person's that it is about, and need no reason of their own. Nobody has a second
    choice for bad news.
    """
    if tool.outcome.mood == "bad":
        return []
    about = {p.entity for p in tool.parameters if _is_own(p.entity) and not p.type.many}
    return [
        other
        for other in bench.survey.writes()
        if other is not tool
        and any(settles(other, entity) for entity in about if entity is not None)
        and not any(p.required and p.type.choices for p in other.parameters)
    ]


def _is_own(entity: Any) -> bool:
    """Whether rows of a kind are people's own, and not the people."""
    return entity is not None and entity._info.owner is not None


def _instead(bench: Bench, step: Step) -> Step | None:
    """A free write that settles what becomes of the row that a step is about."""
    row = main_row(step)
    if row is None or not _is_own(row.entity):
        return None
    tools = _seconds(bench, step.tool)
    bench.rng.shuffle(tools)
    for tool in tools:
        found = free_about(bench, tool, row) if settles(tool, row.entity) else None
        if found is not None:
            return found
    return None


def free_about(bench: Bench, tool: Tool, row: Row) -> Step | None:
    """A free call of a tool with this row as an argument."""
    names = [p.name for p in tool.parameters if p.entity is row.entity and not p.type.many]
    if not names:
        return None
    for number, binding in enumerate(bench.survey.bindings(tool, {names[0]: row}, TIMES)):
        if number > LOOK_AT:
            return None
        if not binding.blocked:
            step = sound(bench.environment, binding)
            if step is not None:
                return step
    return None
