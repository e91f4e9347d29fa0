"""Leaks: rows and identifying values of people whom a call's arguments do not reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..domain import Tool
from ..environment import DomainEnvironment, ToolResult
from ..state import Entity
from .expectation import Expectation
from .report import Findings


class Leaks:
    """Looks for other people in results.

    In self-service every result may hold only rows of the actor and of nobody. In a staff world
    that goes for results that are not public, with the persons whom the arguments reach in the
    actor's place.
    """

    def __init__(self, environment: DomainEnvironment, findings: Findings) -> None:
        self.environment, self.findings = environment, findings

    def check(self, tool: Tool, result: ToolResult, expected: Expectation) -> None:
        """Check the result of one successful call."""
        if tool.public and self.environment.domain.access == "staff":
            return
        world, domain = self.environment.world, self.environment.domain
        me = {self.environment.actor} if domain.access == "self_service" else expected.people
        for table, key in result.seen:
            row = world.get(world.schema.by_table[table], key)
            owner = None if row is None else domain.owner_of(row)
            if owner is not None and owner.id not in me:
                text = f"shows a row of {table} that belongs to another {_noun(owner.entity)}"
                self.findings.add("leak", tool.name, text, tool.line)
        self._text(tool, result, me)

    def _text(self, tool: Tool, result: ToolResult, me: set[Any]) -> None:
        """No string of the result holds another person's key or unique value, or is their name."""
        strings = list(_strings(result.data))
        text = "\n".join(strings)
        whole = set(strings)
        world, domain = self.environment.world, self.environment.domain
        for entity in domain.people:
            info = entity._info
            parts = [c for c, spec in info.columns.items() if spec.unique or c == info.pk]
            names = [c for c in ("name", "phone") if c in info.columns]
            for person in world.all(entity):
                owner = domain.owner_of(person)
                if owner is not None and owner.id in me:
                    continue
                for column in parts:
                    value = getattr(person, column)
                    if isinstance(value, str) and value in text:
                        self._leak(tool, entity, column)
                for column in names:
                    if getattr(person, column) in whole:
                        self._leak(tool, entity, column)

    def _leak(self, tool: Tool, entity: Entity, column: str) -> None:
        said = f"{_noun(entity)}'s {column.replace('_', ' ')}"
        self.findings.add("leak", tool.name, f"tells another {said}", tool.line)


def _noun(entity: Entity) -> str:
    return str(entity._info.noun).replace("_", " ")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
