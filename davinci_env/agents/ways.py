"""Ways: which reads show a row, or tell a list of rows in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..domain import Domain, Parameter, Tool
from ..domain.results import RecordShape, RowShape
from ..state import Entity
from .belief import BeliefRow, Beliefs

Bound = Mapping[str, Any]


@dataclass(frozen=True)
class Read:
    """A read that may help; with all its pages it tells a back list in full if `completes` names
    one.
    """

    tool: Tool
    bound: Bound
    completes: tuple[BeliefRow, str] | None = None


class Ways:
    """Finds reads by what is known so far; makes none."""

    def __init__(self, domain: Domain, beliefs: Beliefs) -> None:
        self.domain, self.beliefs = domain, beliefs
        self._reads = [t for t in domain.tools.values() if t.kind == "read"]

    def to_list(self, row: BeliefRow, attribute: str) -> Iterator[Read]:
        """Reads that tell a back list in full; hand-written lists come last, since they may leave
        rows out.
        """
        back = row._info.backs[attribute]
        whole = (row, attribute)
        for tool in self._reads:
            if tool.derived == "list" and tool.about is back.child:
                parent = tool.parameters[0]
                if parent.name == back.reference and self._can_name(parent, row):
                    yield Read(tool, {parent.name: row}, whole)
        for tool in self._reads:
            if tool.derived == "get" and tool.about is row.entity and attribute in includes(tool):
                yield Read(tool, {tool.parameters[0].name: row})
        for tool in self._reads:
            if tool.derived is None and tool.shape.entity is back.child:
                needed = [p for p in tool.parameters if p.required]
                if (
                    len(needed) == 1
                    and needed[0].entity is row.entity
                    and self._can_name(needed[0], row)
                ):
                    yield Read(tool, {needed[0].name: row}, whole)
        for tool in self._reads:
            if tool.derived == "search" and tool.about is back.child:
                yield Read(tool, {}, whole)

    def _can_name(self, parameter: Parameter, row: BeliefRow) -> bool:
        if parameter.implicit:
            return self.beliefs.is_me(row)
        return row._info.pk in row._cells

    def to_row(self, row: BeliefRow) -> Iterator[Read]:
        """Reads that show a row, the surest first."""
        info = row._info
        showing = [t for t in self._reads if row.entity in shown_entities(t)]
        if info.pk not in row._cells:  # the signed-in person, whom a read of their own shows
            for tool in showing:
                if all(p.implicit or not p.required for p in tool.parameters):
                    yield Read(tool, {p.name: row for p in tool.parameters if p.implicit})
            return
        for tool in showing:
            if tool.derived == "get" and tool.about is row.entity:
                yield Read(tool, {tool.parameters[0].name: row})
        for tool in showing:
            yield from self._through_parents(tool, row)
        for tool in showing:
            if tool.derived is None:
                yield from self._hand_written(tool, row)
        for tool in showing:
            if tool.derived == "search":
                yield from self._searches(tool, row)

    def _through_parents(self, tool: Tool, row: BeliefRow) -> Iterator[Read]:
        """Lists and details of what the row belongs to."""
        for reference in row._info.refs.values():
            parent = tool.parameters[0] if tool.parameters else None
            if parent is None or parent.entity is not reference.target:
                continue
            if (
                tool.derived == "list"
                and tool.about is row.entity
                and parent.name == reference.attribute
            ):
                for above in self._parents(row, reference.column, reference.target):
                    if self._can_name(parent, above):
                        yield Read(tool, {parent.name: above}, (above, reference.back))
            elif tool.derived == "get" and reference.back in includes(tool):
                for above in self._parents(row, reference.column, reference.target):
                    yield Read(tool, {parent.name: above})

    def _parents(self, row: BeliefRow, column: str, target: Entity) -> Sequence[BeliefRow]:
        """The row's parent, or where that is not known whoever may be it."""
        if column in row._cells:
            key = row._cells[column]
            return [] if key is None else [self.beliefs.row(target, key)]
        if target._info.identity:
            person = self.beliefs.persons.get(target)
            return [] if person is None else [person]
        return [r for r in self.beliefs.rows(target) if r._seen][:6]

    def _hand_written(self, tool: Tool, row: BeliefRow) -> Iterator[Read]:
        """An author's read, where its arguments follow from what the row is known to belong to."""
        bound: dict[str, Any] = {}
        for parameter in tool.parameters:
            if parameter.implicit:
                bound[parameter.name] = self._me(parameter)
            elif parameter.required:
                value = self._related(parameter, row)
                if value is None:
                    return
                bound[parameter.name] = value
        yield Read(tool, bound)

    def _related(self, parameter: Parameter, row: BeliefRow) -> Any:
        if parameter.entity is None:
            return row._cells.get(parameter.like[1] if parameter.like else parameter.name)
        if parameter.entity is row.entity:
            return row
        for reference in row._info.refs.values():
            key = row._cells.get(reference.column)
            if reference.target is parameter.entity and key is not None:
                return self.beliefs.row(reference.target, key)
        return self._me(parameter) if parameter.is_person else None

    def _me(self, parameter: Parameter) -> BeliefRow | None:
        """The person who speaks, as a tool names them, as far as that is known."""
        return None if parameter.entity is None else self.beliefs.persons.get(parameter.entity)

    def _searches(self, tool: Tool, row: BeliefRow) -> Iterator[Read]:
        known = {**row._shown, **row._cells}
        for name in text_columns(row.entity):
            if known.get(name):
                yield Read(tool, {"query": known[name]})
        yield Read(tool, {})


def text_columns(entity: Entity) -> list[str]:
    """The columns that hold words about a row, by which it can be searched for."""
    info = entity._info
    return [
        name
        for name, spec in info.columns.items()
        if spec.kind == "str" and spec.target is None and not spec.choices and name != info.pk
    ]


def shown_entities(tool: Tool) -> set[Entity]:
    """The entities whose rows a read shows."""
    shape = tool.shape
    if isinstance(shape, RecordShape):
        return {t.entity for t in shape.fields.values() if t.entity is not None}
    assert shape.entity is not None
    return {shape.entity, *(shape.entity._info.backs[a].child for a in includes(tool))}


def includes(tool: Tool) -> tuple[str, ...]:
    """The back lists that a read shows beside its row."""
    return tool.shape.include if isinstance(tool.shape, RowShape) else ()
