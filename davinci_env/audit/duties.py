"""Rules about the conversation: a confirmation or an identification holds exactly where the log
shows it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from ..domain import Domain, Event, Row, Rule, Tool
from ..environment import DomainEnvironment
from .cases import Drawer, Novelty
from .expectation import holds, people_reached
from .report import Findings

TRIES = 6
"""Calls on which each rule is tried for each tool."""


def check_duties(environment: DomainEnvironment, findings: Findings) -> None:
    """Try every confirmation and identification rule with an empty log, a fitting one and one that
    does not fit."""
    domain: Domain = environment.domain
    drawer = Drawer(environment, random.Random(0), Novelty())
    for tool in domain.tools.values():
        for rule in tool.requires:
            if rule.kind is None:
                continue
            for _ in range(TRIES):
                case = drawer.wide(tool)
                if case is None or case.values is None:
                    continue
                check = _confirmation if rule.kind == "confirmation" else _identification
                text = check(environment, tool, rule, case.values, case.arguments)
                if text is not None:
                    findings.add("duty", rule.code, text, rule.line)


def _verdict(
    environment: DomainEnvironment,
    tool: Tool,
    rule: Rule,
    values: Mapping[str, Any],
    arguments: Mapping[str, Any],
    entries: list[Any],
) -> bool:
    context = tool.context(dict(values), environment.world.db, entries, arguments)
    return holds(rule, context)


def _confirmation(
    environment: DomainEnvironment,
    tool: Tool,
    rule: Rule,
    values: Mapping[str, Any],
    arguments: Mapping[str, Any],
) -> str | None:
    subject = {"tool": tool.name, "arguments": dict(arguments)}
    confirmed, declined = Event("confirmed", subject), Event("declined", subject)
    other = Event("confirmed", {**subject, "tool": f"not_{tool.name}"})
    for entries, wanted, said in (
        ([], False, "nothing was confirmed"),
        ([confirmed], True, "exactly this call was confirmed"),
        ([other], False, "another call was confirmed"),
        ([confirmed, declined], False, "the call was declined again"),
    ):
        if _verdict(environment, tool, rule, values, arguments, entries) != wanted:
            return f"{'holds' if not wanted else 'does not hold'} although {said}"
    return None


def _identification(
    environment: DomainEnvironment,
    tool: Tool,
    rule: Rule,
    values: Mapping[str, Any],
    arguments: Mapping[str, Any],
) -> str | None:
    """Who tells nothing is not identified, who tells everything is, and what identifies is named in
    the text."""
    world, domain = environment.world, environment.domain
    identity = domain.identity_of(tool)
    known = [world.get(domain.identity, k) for k in people_reached(environment, tool, values)]
    people = [None if row is None else domain.as_known_in(identity, row) for row in known]
    if len(people) != 1 or people[0] is None:
        return None
    (person,) = people
    columns = [c for c, spec in identity._info.columns.items() if spec.kind in ("str", "date")]
    columns = [c for c in columns if getattr(person, c) is not None]

    def identifies(told: tuple[str, ...], whose: Row) -> bool:
        entries = [Event("revealed", {"fact": c, "value": getattr(whose, c)}) for c in told]
        return _verdict(environment, tool, rule, values, arguments, list(entries))

    if identifies((), person):
        return "holds although the person has told nothing"
    if not identifies(tuple(columns), person):
        return "does not hold although the person has told everything in their record"
    other = next((p for p in world.all(identity) if _differs(p, person, columns)), None)
    if other is not None and identifies(tuple(columns), other):
        return "holds although what was told is somebody else's"
    for column in columns:
        said = identity._info.columns[column].says
        if identifies((column,), person) and not _named(rule, said, column):
            return f"is satisfied by {column} alone, which its text does not name"
    return None


def _differs(one: Row, other: Row, columns: list[str]) -> bool:
    return all(getattr(one, c) != getattr(other, c) for c in columns)


def _named(rule: Rule, says: str, column: str) -> bool:
    """Whether a rule's text names an attribute, by its spoken words or by its column."""
    text = rule.text.casefold()
    words = [w for w in (*says.casefold().split(), *column.split("_")) if len(w) > 2]
    return any(word in text for word in words)
