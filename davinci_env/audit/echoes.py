"""Echoes: a write that sets a column called like one of its arguments sets it to that argument; a
read by a value or a row shows rows that have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..domain import Tool
from ..domain.frames import Creates, Sets
from ..environment import DomainEnvironment, ToolResult
from ..state import CREATED, DELETED, Change
from .expectation import Case
from .report import Findings


def echoes(
    environment: DomainEnvironment, case: Case, changes: list[Change], findings: Findings
) -> None:
    """Compare each new cell that is called like an argument with the argument."""
    if case.values is None:
        return
    tool, by_table = case.tool, environment.world.schema.by_table
    for change in changes:
        if change.op == DELETED:
            continue
        info = by_table[change.table]._info
        for argument, column in _named_alike(tool, change):
            if column not in change.cells:
                continue
            given, new = case.values[argument], change.cells[column][1]
            if hasattr(given, "entity"):
                given = given.id
            if new != given and not (new is None and not info.columns[column].choices):
                text = (
                    f"sets {change.table}.{column} to something else than its argument {argument}"
                )
                findings.add("echo", tool.name, text, tool.line)


def read_echoes(
    environment: DomainEnvironment, case: Case, result: ToolResult, findings: Findings
) -> None:
    """Compare the rows that a read shows with the arguments by which it was asked for them.

    An argument that is like a column of the shown entity, or is called like one of its references
    and of that entity, has to be found again in every row. Searches by a part of a text are left
    out.
    """
    tool, entity = case.tool, case.tool.shape.entity
    if case.values is None or entity is None or tool.derived in ("search", "get"):
        return
    info = entity._info
    for parameter in tool.parameters:
        given = case.values.get(parameter.name)
        reference = info.refs.get(parameter.name)
        if given is None or parameter.type.many:
            continue
        if parameter.like is not None and parameter.like[0] is entity:
            column = parameter.like[1]
        elif reference is not None and reference.target is parameter.entity:
            column, given = reference.column, given.id
        else:
            continue
        for table, key in result.seen:
            row = environment.world.get(entity, key) if table == info.table else None
            if row is not None and getattr(row, column) != given:
                text = f"shows rows whose {column} is not the {parameter.name} that was asked for"
                findings.add("echo", tool.name, text, tool.line)
                return


def _named_alike(tool: Tool, change: Change) -> Iterator[tuple[str, str]]:
    """Arguments of a tool and the columns of a changed row that are called like them."""
    for parameter in tool.parameters:
        if parameter.type.many:
            continue
        entity = parameter.entity
        column = parameter.name if entity is None else f"{parameter.name}_id"
        for item in tool.frame:
            if isinstance(item, Creates) and change.op == CREATED:
                info = item.entity._info
                if info.table == change.table and _same(info.columns.get(column), entity):
                    yield parameter.name, column
            elif isinstance(item, Sets) and "." not in item.path and column in item.columns:
                info = item.entity._info
                if info.table == change.table and _same(info.columns[column], entity):
                    yield parameter.name, column


def _same(spec: Any, entity: Any) -> bool:
    """Whether a column holds what an argument is: a row of that entity, or a plain value."""
    return spec is not None and spec.target is entity
