"""What only an audit of joined domains looks for: rules that cross, links, events, values that are
taken over; and that each domain still behaves as it does alone.
"""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Iterator
from typing import Any

from ..compose import Composition
from ..domain import Domain, Tool
from ..environment import DomainEnvironment, ToolResult
from ..environment.alone import open_alone
from ..planning import Survey
from ..planning.bindings import Binding, plain_arguments
from .report import Findings

CALLS = 60
"""Calls of each domain's tools that are made on both sides."""

PEOPLE = 6
"""Persons for whom they are made."""

EACH = 3
"""Calls of one tool for one person."""

_PLACE = re.compile(r"\{[^{}]*\}")


def check_joined(composition: Composition, findings: Findings) -> None:
    """What can be told from the declarations and the seed."""
    _check_texts(composition, findings)
    _check_house(composition, findings)
    world = composition.build(0)
    try:
        for link in composition.links:
            if not world.all(link.entity):
                findings.add("link", link.entity.__name__, "pairs nothing in a new world")
        for transfer in composition.transfers:
            if not any(transfer.value_of(row) is not None for row in world.all(transfer.source)):
                text = f"has no {transfer.column} in a new world to take over"
                findings.add("transfer", transfer.source.__name__, text)
        if not composition.regulars(world):
            findings.add("people", composition.name, "has nobody whom all its domains know")
    finally:
        world.close()


def _check_texts(composition: Composition, findings: Findings) -> None:
    """A number in a text must come from a constant."""
    texts: list[tuple[str, str, int | None]] = [(composition.name, composition.intro, None)]
    for code in sorted(composition.cross_rules):
        rule = composition.rules[code]
        texts.append((code, inspect.getdoc(rule.predicate) or "", rule.line))
        if not rule.because or (rule.by == "tool" and not rule.concepts):
            findings.add("cross-rule", code, "has no words for a refusal", rule.line)
    texts += [(event.noun, event.text, event.line) for event in composition.events]
    for subject, text, line in texts:
        if re.search(r"\d", _PLACE.sub("", text)):
            findings.add("literal-number", subject, "says a number that is no constant", line)


def _check_house(composition: Composition, findings: Findings) -> None:
    """A composition of the catalogue joins its domains in earnest."""
    have = {
        "rule that crosses": bool(composition.cross_rules),
        "link": bool(composition.links),
        "value that is taken over, or event": bool(composition.transfers or composition.events),
    }
    for what, found in have.items():
        if not found:
            findings.add("house", composition.name, f"has no {what}")
    joined = {home for link in composition.links for home in _sides(composition, link)}
    joined |= {home for t in composition.transfers for home in _ends(composition, t)}
    for part in composition.parts:
        if part.name not in joined:
            text = f"joins {part.name}, whose records go with nothing elsewhere"
            findings.add("house", composition.name, text)


def _sides(composition: Composition, link: Any) -> set[str]:
    return {composition.home_of(link.left), composition.home_of(link.right)}


def _ends(composition: Composition, transfer: Any) -> set[str]:
    return {composition.home_of(transfer.source), composition.tools[transfer.tool].home}


# -- each domain alone -----------------------------------------------------------------------------


def check_alone(composition: Composition, seed: int, findings: Findings) -> int:
    """Make calls of each domain's tools in the composition and in the domain by itself, from the
    same rows, and compare. Returns how many calls were compared.
    """
    return sum(
        _Beside(composition, part, number, seed).compare(findings)
        for number, part in enumerate(composition.parts)
    )


class _Beside:
    """One domain, joined and alone, on the same start."""

    def __init__(self, composition: Composition, part: Domain, number: int, seed: int) -> None:
        self.composition, self.part = composition, part
        self.rng = random.Random(f"{composition.name}:{part.name}:{seed}")
        world = composition.build(seed)
        self.single = open_alone(composition, number, world)
        self.joined = DomainEnvironment(composition, world, seed=seed)
        first = next(iter(part.tools.values()))
        self.names = {new: old for old, new in first.names.items()}

    def compare(self, findings: Findings) -> int:
        """Compare until a difference is found."""
        compared = 0
        try:
            for person in self.composition.regulars(self.joined.world)[:PEOPLE]:
                self._act_for(person)
                for tool, binding in self._calls():
                    found = self._differ(tool, plain_arguments(binding))
                    compared += 1
                    if found is not None:
                        findings.add("alone", tool.name, found, tool.line)
                        return compared
                    if compared % CALLS == 0:
                        break
        finally:
            self.joined.close()
            self.single.close()
        return compared

    def _act_for(self, person: Any) -> None:
        own = self.composition.as_known_in(self.part.identity, person)
        assert own is not None
        key = own.id
        self.joined.reset()
        self.single.reset()
        self.joined.act_for(person.id)
        self.single.act_for(key)

    def _calls(self) -> Iterator[tuple[Tool, Binding]]:
        """Calls of every tool of the domain, in random order."""
        tools = list(self.part.tools.values())
        self.rng.shuffle(tools)
        for tool in tools:
            bindings = Survey(self.joined, self.rng).bindings(tool)
            for number, binding in enumerate(bindings):
                if number == EACH:
                    break
                yield tool, binding

    def _differ(self, tool: Tool, arguments: dict[str, Any]) -> str | None:
        """What a call gives in the composition, where it gives something else alone."""
        result = self.joined.call(tool.name, arguments)
        if result.code in self.composition.cross_rules:
            return None
        other = self.single.call(self.names.get(tool.name, tool.name), arguments)
        if (result.ok, self._code(result), result.data) == (other.ok, other.code, other.data):
            return None
        said, alone = (r.code or str(r.data)[:120] for r in (result, other))
        return f"gives {said} in the composition and {alone} alone, for {arguments}"

    def _code(self, result: ToolResult) -> str | None:
        prefix = f"{self.part.name}__"
        return None if result.code is None else result.code.removeprefix(prefix)
