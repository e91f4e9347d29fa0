"""Topics: the rows that a conversation came to, so that "it" and "the new one" are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..domain import Parameter, Tool
from ..state import Entity
from .belief import BeliefRow
from .finding import Finder
from .inquiry import Inquiry, Steps
from .wanted import Wanted
from .ways import Bound

MAX_STEPS = 3
"""How far a row that was not spoken of itself may be from one that was: the book of a loan."""


@dataclass(frozen=True)
class Spoken:
    """A row that was spoken of and not looked for yet."""

    tool: Tool
    parameter: Parameter
    said: Mapping[str, Any]


class Topics:
    """Remembers rows, the latest last. `find` looks for one that was only spoken of."""

    def __init__(self, inquiry: Inquiry, finder: Finder) -> None:
        self.inquiry, self.finder = inquiry, finder
        self.find: Callable[[Spoken], Steps[list[BeliefRow]]] | None = None
        self._rows: list[BeliefRow | Spoken] = []

    def note(self, *rows: BeliefRow | Spoken) -> None:
        """The conversation is about these rows now, the last of them most of all."""
        for row in rows:
            if isinstance(row, Spoken) or not row._info.identity:
                self._rows = [other for other in self._rows if other is not row] + [row]

    def note_call(self, bound: Bound) -> None:
        """Note the rows that a call is about."""
        for value in bound.values():
            for row in value if isinstance(value, list) else [value]:
                if isinstance(row, BeliefRow):
                    self.note(row)

    def note_spoken(self, tool: Tool, specs: Mapping[str, Mapping[str, Any]]) -> None:
        """Note what a call would be about that can't be made."""
        for parameter in tool.parameters:
            spec = specs.get(parameter.wire, {})
            if parameter.entity is not None and not parameter.entity._info.identity:
                said = [*spec.get("rows", ()), *([spec["row"]] if "row" in spec else ())]
                self.note(*(Spoken(tool, parameter, row) for row in said if "ref" not in row))

    def refer(self, entity: Entity, ref: str) -> Steps[list[BeliefRow]]:
        """The row that "made" or "last" means, [] if there is none."""
        row = yield from (self._made(entity) if ref == "made" else self._last(entity))
        return [] if row is None else [row]

    def earlier(self, entity: Entity) -> list[BeliefRow]:
        """The rows of an entity that the conversation came to, the latest first."""
        rows = [row for row in reversed(self._rows) if isinstance(row, BeliefRow)]
        return [row for row in rows if row.entity is entity]

    def _made(self, entity: Entity) -> Steps[BeliefRow | None]:
        """What the agent's own calls created last; looked for where no result showed it."""
        made = self.inquiry.made.get(entity)
        if made is not None or entity not in self.inquiry.created:
            return made
        before = set(self.inquiry.beliefs.rows(entity))
        found = yield from self._beside(entity)
        new = [row for row in found if row not in before]
        if not new:
            owned = entity._info.owner is not None
            found = yield from self.finder.find(Wanted(entity, mine=owned), whole=True)
            new = [row for row in found if row not in before]
        if new:
            self.inquiry.made[entity] = new[-1]
        return new[-1] if new else None

    def _beside(self, entity: Entity) -> Steps[list[BeliefRow]]:
        """The rows of an entity that belong to what was spoken of last of all that shows such."""
        references = [r for r in entity._info.refs.values() if not r.target._info.identity]
        for row in reversed(self._rows):
            for reference in references:
                if isinstance(row, BeliefRow) and row.entity is reference.target:
                    listed = yield from self.inquiry.settle(partial(getattr, row, reference.back))
                    if listed.value:
                        return list(listed.value)
        return []

    def _last(self, entity: Entity) -> Steps[BeliefRow | None]:
        yield from self._look_for(entity)
        rows = [row for row in reversed(self._rows) if isinstance(row, BeliefRow)]
        for row in rows:
            if row.entity is entity:
                return row
        for row in rows:
            found = yield from self._reached(row, entity)
            if found is not None:
                return found
        return None

    def _look_for(self, entity: Entity) -> Steps[None]:
        """Find the row of this entity that was spoken of last and not looked for yet."""
        for number in range(len(self._rows) - 1, -1, -1):
            spoken = self._rows[number]
            if isinstance(spoken, BeliefRow):
                if spoken.entity is entity:
                    return
            elif spoken.parameter.entity is entity and self.find is not None:
                found = yield from self.find(spoken)
                self._rows[number : number + 1] = found if len(found) == 1 else []
                return

    def _reached(self, row: BeliefRow, entity: Entity) -> Steps[BeliefRow | None]:
        """The row of this entity to which a row's references lead."""
        near: list[BeliefRow] = [row]
        for _ in range(MAX_STEPS):
            further: list[BeliefRow] = []
            for known in near:
                for reference in known._info.refs.values():
                    if reference.target._info.identity:
                        continue
                    found = yield from self.inquiry.settle(
                        partial(getattr, known, reference.attribute)
                    )
                    if isinstance(found.value, BeliefRow):
                        if reference.target is entity:
                            return found.value
                        further.append(found.value)
            near = further
        return None


def is_reference(said: Mapping[str, Any]) -> bool:
    """Whether a row is spoken of by what the conversation came to, not by what it is like."""
    return "ref" in said
