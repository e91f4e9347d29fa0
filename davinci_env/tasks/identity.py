"""Who is asking: the facts by which the policy wants a person identified, and how they are told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..agents.speech import say_value
from ..domain import Domain, Row, Rule, Tool
from ..state import plain

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
    """The sets of attributes, any of which identifies a person under a rule, in its order."""
    probe = _Probe()
    arguments = {a: probe if a == "log" else person for a in rule.arguments}
    rule.predicate(**arguments)
    return list(dict.fromkeys(probe.alternatives))


def identification(
    domain: Domain, tools: Iterable[Tool], person: Row | None
) -> list[tuple[str, ...]]:
    """Alternatives of what a person must tell for these tools; in a staff world at least what finds
    them.
    """
    if person is None:
        return [()]
    alternatives: list[tuple[str, ...]] = []
    for tool in tools:
        rule = tool.identification
        if rule is not None:
            alternatives += [a for a in attributes_wanted(rule, person) if a not in alternatives]
    if alternatives:
        return alternatives
    if domain.access == "self_service":
        return [()]
    found = [
        t.parameters[0].name
        for t in domain.tools.values()
        if t.derived == "find" and t.about is domain.identity
    ]
    return [(column,) for column in found] or [()]


def facts_of(person: Row | None, attributes: Iterable[str]) -> dict[str, Any]:
    """The told facts by attribute, in plain form."""
    return {a: plain(getattr(person, a)) for a in attributes}


def told_of(person: Row | None, attributes: Iterable[str]) -> list[Told]:
    """The same as the solver knows them; an own id that is told is known as an id."""
    if person is None:
        return []
    info = person._info
    told: list[Told] = []
    for attribute in attributes:
        name = info.pk if attribute == "id" else attribute
        told.append((f"{info.name}.{name}", plain(getattr(person, attribute))))
        if name == info.pk:
            told.append((info.name, person.id))
    return told


def introduce(domain: Domain, person: Row | None, attributes: tuple[str, ...]) -> str:
    """The sentence that tells them: "My e-mail address is …."."""
    if person is None or not attributes:
        return ""
    info = person._info
    parts = []
    for attribute in attributes:
        spec = info.columns[info.pk if attribute == "id" else attribute]
        says = f"{info.noun.replace('_', ' ')} number" if spec.attribute == info.pk else spec.says
        parts.append(f"my {says} is {say_value(domain, spec.kind, getattr(person, attribute))}")
    text = " and ".join(parts)
    return text[:1].upper() + text[1:] + "."
