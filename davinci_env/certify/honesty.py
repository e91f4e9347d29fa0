"""Honest text: every value that a request's structured reading holds is said in its words, and the
words don't give the answer away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from ..agents.speech import say_argument, say_choice, say_value
from ..domain import Domain, Parameter
from ..errors import ToolError
from ..records import Task
from ..state import ColumnInfo, EntityInfo
from ..state.parking import parse_cell
from .answers import say, slots_of

#: Types whose value in a request can be no accident.
_TELLING = ("money", "date", "datetime", "span")


def dishonesty(task: Task, domain: Domain, expected: Mapping[str, Any]) -> tuple[str, str] | None:
    """What is wrong with a request's words, as reason code and detail; None where nothing is.

    Args:
        expected: the expected values of the answer slots by name.
    """
    text = task.request.text.casefold()
    for value, ways in _held(task, domain):
        if not any(way.casefold() in text for way in ways):
            return "text-lacks-value", str(value)
    for slot in slots_of(task):
        said = say(domain, slot.type, expected[slot.name])
        if slot.type in _TELLING and said.casefold() in text:
            return "answer-given-away", said
    return None


def _held(task: Task, domain: Domain) -> Iterator[tuple[Any, list[str]]]:
    """Each value that the first message tells by its structured reading, with ways to say it."""
    for name, value in task.request.facts.items():
        if name not in task.request.user.known:
            yield value, _ways_of_fact(domain, name, value)
    for intent in task.request.intents:
        reading: Any = intent
        if "do" in reading:
            tool = domain.tools[reading["do"]]
            by_wire = {p.wire: p for p in tool.parameters}
            for wire, spec in reading["arguments"].items():
                yield from _of_argument(domain, by_wire[wire], spec)
        else:
            attribute = reading["ask"].get("attribute")
            if attribute is not None:
                yield from _of_row(domain, attribute["row"])


def _of_argument(
    domain: Domain, parameter: Parameter, spec: Mapping[str, Any]
) -> Iterator[tuple[Any, list[str]]]:
    for row in [spec["row"]] if "row" in spec else spec.get("rows", ()):
        yield from _of_row(domain, row)
    if "value" in spec:
        wire = spec["value"]
        yield wire, [*_ways_of_wire(domain, parameter, wire), str(wire)]


def _ways_of_wire(domain: Domain, parameter: Parameter, wire: Any) -> list[str]:
    read = domain.dialect.codec(str(parameter.type.kind)).read
    values = wire if isinstance(wire, list) else [wire]
    try:
        plain = [read(v) if read else v for v in values]
    except (ToolError, ValueError, TypeError):
        return []
    value = plain if isinstance(wire, list) else plain[0]
    return [say_argument(domain, parameter, value)]


def _of_row(domain: Domain, row: Mapping[str, Any]) -> Iterator[tuple[Any, list[str]]]:
    if row["id"] is not None:
        yield row["id"], [str(row["id"])]
    info = domain.entities[row["entity"]]._info
    for path, value in row["fields"].items():
        found = _column(info, path)
        if value is not None and found is not None:
            yield value, _ways_of_cell(domain, *found, value)


def _column(info: EntityInfo, path: str) -> tuple[EntityInfo, ColumnInfo] | None:
    """The column at a path, None where the path ends at a row or at its key."""
    *steps, last = path.split(".")
    for step in steps:
        info = info.refs[step].target._info
    if last in info.refs or last in (info.pk, "id") or last not in info.columns:
        return None
    return info, info.columns[last]


def _ways_of_fact(domain: Domain, name: str, value: Any) -> list[str]:
    info = domain.identity._info
    column = info.pk if name == "id" else name
    if column not in info.columns:
        return [str(value)]
    return _ways_of_cell(domain, info, info.columns[column], value)


def _ways_of_cell(domain: Domain, info: EntityInfo, spec: ColumnInfo, value: Any) -> list[str]:
    """How a label or a sentence may say a cell's value."""
    cell = parse_cell(info, spec.attribute, value)
    ways = [str(value), say_choice(value), say_value(domain, spec.kind, cell)]
    if isinstance(cell, date):
        day = f"{cell.day}"
        ways += [f"{cell:%B} {day}", f"{cell:%B %d}", f"{day} {cell:%B}", cell.isoformat()[:10]]
    if isinstance(cell, datetime):
        ways.append(f"{cell:%H:%M}")
    if spec.kind == "time":
        ways.append(str(value)[:5])
    return ways
