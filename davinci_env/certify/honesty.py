"""Honest text: every value that the structured reading of a turn holds is said in the user's words
up to then, and the words don't give an answer away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..agents.speech import ways_of_argument, ways_to_say
from ..domain import Domain, Parameter, Tool
from ..errors import ToolError
from ..records import Task
from ..state import ColumnInfo, EntityInfo
from ..state.parking import parse_cell
from .answers import say, slots_of

#: Types whose value in a request can be no accident.
_TELLING = ("money", "date", "datetime", "span")


def dishonesty(task: Task, domain: Domain, expected: Mapping[str, Any]) -> tuple[str, str] | None:
    """What is wrong with the user's words, as reason code and detail; None where nothing is.

    Args:
        expected: the expected values of the answer slots by name.
    """
    said = ""
    for turn, text in enumerate(_texts(task)):
        said += f"\n{text.casefold()}"
        for value, ways in _held(task, domain, turn):
            if not any(way.casefold() in said for way in ways):
                return "text-lacks-value", str(value)
        for slot in slots_of(task, turn):
            answer = say(domain, slot.type, expected[slot.name])
            if slot.type in _TELLING and answer.casefold() in said:
                return "answer-given-away", answer
    return None


def _texts(task: Task) -> list[str]:
    """What the user says of their own accord, turn by turn."""
    return [task.request.text, *[turn.text for turn in task.request.turns[1:]]]


def _held(task: Task, domain: Domain, turn: int) -> Iterator[tuple[Any, list[str]]]:
    """Each value that a turn tells by its structured reading, with ways to say it."""
    intents = task.request.turns[turn].intents if turn else task.request.intents
    if not turn:
        yield from _facts(task, domain)
    for intent in intents:
        yield from _of_intent(domain, intent)


def _facts(task: Task, domain: Domain) -> Iterator[tuple[Any, list[str]]]:
    wrong = {str(i["mistyped"]): i["value"] for i in task.request.user.plan if "mistyped" in i}
    for name, value in {**task.request.facts, **wrong}.items():
        if name not in task.request.user.known:
            yield value, _ways_of_fact(domain, name, value)


def _of_intent(domain: Domain, reading: Any) -> Iterator[tuple[Any, list[str]]]:
    if "do" in reading:
        tool = domain.tools[reading["do"]]
        by_wire = {p.wire: p for p in tool.parameters}
        for wire, spec in reading["arguments"].items():
            yield from _of_argument(domain, tool, by_wire[wire], spec)
        for other in reading.get("else", ()):
            yield from _of_intent(domain, other)
    elif "concern" in reading and reading.get("row") is not None:
        yield from _of_row(domain, {**reading["row"], "where": []})  # the words take it for granted
    elif "ask" in reading:
        yield from _of_question(domain, reading["ask"])


def _of_question(domain: Domain, asked: Any) -> Iterator[tuple[Any, list[str]]]:
    if "attribute" in asked:
        yield from _of_row(domain, asked["attribute"]["row"])
    for form in ("count", "sum"):
        if form in asked:
            info = domain.entities[asked[form]["entity"]]._info
            yield from _of_conditions(domain, info, asked[form].get("also", ()))


def _of_argument(
    domain: Domain, tool: Tool, parameter: Parameter, spec: Mapping[str, Any]
) -> Iterator[tuple[Any, list[str]]]:
    rows = [spec[form] for form in ("row", "every") if form in spec]
    for row in [*rows, *spec.get("rows", ())]:
        yield from _of_row(domain, row)
    if "of" in spec:
        yield from _of_row(domain, spec["of"])
    if "value" in spec:
        wire = spec["value"]
        yield wire, [*_ways_of_wire(domain, tool, parameter, wire), str(wire)]


def _ways_of_wire(domain: Domain, tool: Tool, parameter: Parameter, wire: Any) -> list[str]:
    read = tool.dialect.codec(str(parameter.type.kind)).read
    values = wire if isinstance(wire, list) else [wire]
    try:
        plain = [read(v) if read else v for v in values]
    except (ToolError, ValueError, TypeError):
        return []
    return list(ways_of_argument(domain, parameter, plain if isinstance(wire, list) else plain[0]))


def _of_row(domain: Domain, row: Mapping[str, Any]) -> Iterator[tuple[Any, list[str]]]:
    if row.get("id") is not None:
        yield row["id"], [str(row["id"])]
    if "partner" in row:
        yield from _of_row(domain, row["partner"])
    info = domain.entities[row["entity"]]._info
    for path, value in row.get("fields", {}).items():
        found = _column(info, path)
        if value is not None and found is not None:
            yield value, _ways_of_cell(domain, *found, value)
    yield from _of_conditions(domain, info, row.get("where", ()))


def _of_conditions(
    domain: Domain, info: EntityInfo, conditions: Any
) -> Iterator[tuple[Any, list[str]]]:
    for column, _, value in conditions:
        yield value, _ways_of_cell(domain, info, info.columns[column], value)


def _column(info: EntityInfo, path: str) -> tuple[EntityInfo, ColumnInfo] | None:
    """The column at a path, None where the path ends at a row or at its key."""
    *steps, last = path.split(".")
    for step in steps:
        info = info.refs[step].target._info
    if last in info.refs or last in (info.pk, "id") or last not in info.columns:
        return None
    return info, info.columns[last]


def _ways_of_fact(domain: Domain, name: str, value: Any) -> list[str]:
    for info in (entity._info for entity in domain.people):
        column = info.pk if name == "id" else name
        if column in info.columns:
            return _ways_of_cell(domain, info, info.columns[column], value)
    return [str(value)]


def _ways_of_cell(domain: Domain, info: EntityInfo, spec: ColumnInfo, value: Any) -> list[str]:
    """How a label or a sentence may say a cell's value."""
    cell = parse_cell(info, spec.attribute, value)
    return [str(value), *ways_to_say(domain, spec.kind, cell)]
