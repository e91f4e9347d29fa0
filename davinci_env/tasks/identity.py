"""Who is asking: the facts by which the policy wants a person identified, and how they are told."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from ..domain import Domain, Row, Rule, Tool
from ..state import Entity, plain

Told = tuple[str, Any]


class _Probe:
    """Stands for the log in an identification rule and notes which attributes it asks for."""

    def __init__(self) -> None:
        self.alternatives: list[tuple[str, ...]] = []

    def identified(self, person: Row, *attributes: str) -> bool:
        self.alternatives.append(attributes)
        return False

    def __getattr__(self, name: str) -> Any:
        return lambda *args: False


def attributes_wanted(rule: Rule, person: Row) -> list[tuple[str, ...]]:
    """The sets of attributes, any of which identifies a person under a rule, in its order.

    Args:
        person: as the domain of the rule knows them.
    """
    probe = _Probe()
    arguments = {a: probe if a == "log" else person for a in rule.arguments}
    rule.predicate(**arguments)
    return list(dict.fromkeys(probe.alternatives))


def identification(
    domain: Domain, tools: Iterable[Tool], person: Row | None
) -> list[tuple[str, ...]]:
    """Alternatives of what a person must tell for these tools; in a staff world at least what finds
    them. Where the tools are of several domains, each must be satisfied.
    """
    if person is None:
        return [()]
    by_entity: dict[Entity, list[Tool]] = {}
    for tool in tools:
        by_entity.setdefault(domain.identity_of(tool), []).append(tool)
    ways = [_known_to(domain, e, own, person) for e, own in by_entity.items()]
    ways = ways or [_known_to(domain, domain.identity, [], person)]
    joint = (dict.fromkeys(itertools.chain(*chosen)) for chosen in itertools.product(*ways))
    return list(dict.fromkeys(tuple(attributes) for attributes in joint))


def _known_to(
    domain: Domain, entity: Entity, tools: Sequence[Tool], person: Row
) -> list[tuple[str, ...]]:
    """Alternatives of what a person must tell for tools of one domain."""
    record = domain.as_known_in(entity, person)
    alternatives: list[tuple[str, ...]] = []
    for tool in tools:
        rule = tool.identification
        if rule is not None and record is not None:
            alternatives += [a for a in attributes_wanted(rule, record) if a not in alternatives]
    alternatives = [a for a in alternatives if _means(domain, record, person, a)]
    if alternatives:
        return alternatives
    if domain.access == "self_service":
        return [()]
    found = [
        t.parameters[0].name
        for t in domain.tools.values()
        if t.derived == "find" and t.about is entity
    ]
    return [(column,) for column in found] or [()]


def _means(domain: Domain, record: Row | None, person: Row, attributes: Iterable[str]) -> bool:
    """Whether attributes, told by their names alone, mean those of one record of a person's."""
    return all(record_with(domain, person, a) is record or _same(domain, person, a)
               for a in attributes)  # fmt: skip


def _same(domain: Domain, person: Row, attribute: str) -> bool:
    values = {getattr(row, attribute) for row in _with(domain, person, attribute)}
    return attribute != "id" and len(values) == 1


def _with(domain: Domain, person: Row, attribute: str) -> list[Row]:
    return [
        row
        for row in domain.records_of(person)
        if attribute == "id" or attribute in row._info.columns
    ]


def record_with(domain: Domain, person: Row, attribute: str) -> Row:
    """The first record of a person that has an attribute."""
    return _with(domain, person, attribute)[0]


def facts_of(domain: Domain, person: Row | None, attributes: Iterable[str]) -> dict[str, Any]:
    """The told facts by attribute, in plain form."""
    if person is None:
        return {}
    return {a: plain(getattr(record_with(domain, person, a), a)) for a in attributes}


def told_of(domain: Domain, person: Row | None, attributes: Iterable[str]) -> list[Told]:
    """The same as the solver knows them; an own id that is told is known as an id."""
    if person is None:
        return []
    told: list[Told] = []
    for attribute in attributes:
        for row in _with(domain, person, attribute):
            info = row._info
            name = info.pk if attribute == "id" else attribute
            told.append((f"{info.name}.{name}", plain(getattr(row, attribute))))
            if name == info.pk:
                told.append((info.name, row.id))
    return told
