"""Remedies: what a rule names as the way out must not be what leads into the block."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from ..domain import Domain, Rule, Tool
from ..environment import DomainEnvironment
from .cases import Drawer, Novelty
from .contracts import users_of
from .expectation import holds
from .report import Findings

PEOPLE = 12
"""People in whose place each remedy is tried."""

CALLS, BINDINGS = 10, 40
"""Calls of a remedy for each person, and bindings on which the rule is looked at before and
after."""


def check_remedies(environment: DomainEnvironment, findings: Findings) -> None:
    """Call each remedy and see what becomes of its rule's verdicts.

    Not every remedy lifts its block at once, so only one that was seen to bring a block about, and
    never to lift one, is a finding.
    """
    domain: Domain = environment.domain
    drawer = Drawer(environment, random.Random(0), Novelty(), findings)
    people = [row.id for row in domain.regulars(environment.world)][:PEOPLE]
    start = environment.snapshot()
    for rule in domain.rules.values():
        remedy = domain.tools.get(rule.remedy or "")
        if remedy is None or remedy.handover or remedy.kind == "read" or rule.kind is not None:
            continue
        lifts, breaks = 0, 0
        for person in people:
            environment.act_for(person)
            up, down = _flips(environment, drawer, rule, remedy)
            lifts, breaks = lifts + up, breaks + down
            if lifts:
                break
        if breaks and not lifts:
            text = f"is brought about by its remedy {remedy.name}, and was never lifted by it"
            findings.add("remedy", rule.code, text, rule.line)
    environment.restore(start)
    environment.release(start)


def _flips(
    environment: DomainEnvironment, drawer: Drawer, rule: Rule, remedy: Tool
) -> tuple[int, int]:
    """How often calls of the remedy made the rule hold that did not, and the other way round."""
    survey = drawer.survey()
    looked_at = [
        (tool, required, binding.values)
        for tool in users_of(environment.domain, rule.code)
        for required in tool.requires
        if required.code == rule.code
        for binding in drawer.bindings(tool, survey, BINDINGS)
    ]
    before = [_verdict(environment, *look) for look in looked_at]
    calls = [b for b in drawer.bindings(remedy, survey) if not b.blocked][:CALLS]
    lifts = breaks = 0
    for binding in calls:
        case = drawer.plain(remedy, binding)
        if case is None:
            continue
        snapshot = environment.snapshot()
        if environment.call(remedy.name, case.arguments).ok:
            after = [_verdict(environment, *look) for look in looked_at]
            lifts += sum(a is False and b is True for a, b in zip(before, after, strict=True))
            breaks += sum(a is True and b is False for a, b in zip(before, after, strict=True))
        environment.restore(snapshot)
        environment.release(snapshot)
        if lifts:
            break
    return lifts, breaks


def _verdict(
    environment: DomainEnvironment, tool: Tool, rule: Rule, values: Mapping[str, Any]
) -> bool | None:
    """The verdict on a binding; None where its rows are gone or the rule raises."""
    context = tool.context(dict(values), environment.world.db, [], {})
    try:
        return holds(rule, context)
    except Exception:
        return None
