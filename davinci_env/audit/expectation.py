"""What the contract says about a call, worked out independently of the code that enforces it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ..domain import Domain, Rule, Tool
from ..domain.frames import Creates, Deletes, Moves, Sets, entity_at, rows_at
from ..domain.log import CallLog
from ..environment import DomainEnvironment
from ..state import Row

Place = tuple[str, str]


@dataclass(frozen=True)
class Case:
    """One call to make.

    Attributes:
        tool: the tool.
        arguments: what the agent sends.
        values: the same as rows and values, where they are well formed.
        malformed: the code with which ill-formed arguments have to be refused.
    """

    tool: Tool
    arguments: dict[str, Any]
    values: Mapping[str, Any] | None = None
    malformed: str | None = None


@dataclass
class Expectation:
    """What has to come of a call.

    Attributes:
        code: the code with which it has to be refused, or None where the body decides.
        verdicts: rules of the tool that were evaluated, with their verdicts.
        violated: the agent's own rules that it breaks.
        cells: what may change, by row: column -> allowed moves (None: any value).
        ends: states in which rows have to end, by row.
        created, deletable: entities of which rows may be created or deleted.
        deleted: rows that may be deleted.
        paths: rows at the paths of the frame, by its position.
        people: keys of the persons whom the arguments reach.
    """

    code: str | None = None
    verdicts: dict[str, bool] = field(default_factory=dict)
    violated: tuple[str, ...] = ()
    cells: dict[Place, dict[str, set[tuple[str, str]] | None]] = field(default_factory=dict)
    ends: dict[Place, frozenset[str]] = field(default_factory=dict)
    created: set[str] = field(default_factory=set)
    deletable: set[str] = field(default_factory=set)
    deleted: set[Place] = field(default_factory=set)
    paths: dict[int, list[Row]] = field(default_factory=dict)
    people: set[str] = field(default_factory=set)


def expect(environment: DomainEnvironment, case: Case) -> Expectation:
    """Evaluate the contract of a call in the present state."""
    out = Expectation(code=case.malformed)
    if case.values is None:
        return out
    tool = case.tool
    out.people = people_reached(environment, tool, case.values)
    if _denied(environment, case):
        out.code = "access_denied"
        return out
    out.code = _wrong_state(tool, case.values)
    log = CallLog(environment.log.entries, tool.name, case.arguments, tool.free, tool.names)
    bound = {**case.values, "db": tool.own_db(environment.world.db), "log": log}
    if out.code is None:
        _rules(tool, bound, out)
    if tool.kind == "write" and out.code is None:
        _frame(tool, case.values, out)
    return out


def _denied(environment: DomainEnvironment, case: Case) -> bool:
    """Whether an argument names somebody else's row in self-service."""
    if environment.domain.access != "self_service" or case.values is None:
        return False
    me = environment.actor
    for parameter in case.tool.parameters:
        if parameter.entity is None or parameter.implicit:
            continue
        value = case.values.get(parameter.name)
        for row in value if isinstance(value, list | tuple) else [value]:
            owner = None if row is None else environment.domain.owner_of(row)
            if owner is not None and owner.id != me:
                return True
    return False


def single_moves(tool: Tool) -> list[Moves]:
    """The moves of a frame that are preconditions: along single references of a single row."""
    many = {p.name for p in tool.parameters if p.type.many}
    return [
        item
        for item in tool.frame
        if isinstance(item, Moves)
        and item.path.split(".")[0] not in many
        and entity_at(tool.entities, item.path)[1]
    ]


def _wrong_state(tool: Tool, values: Mapping[str, Any]) -> str | None:
    for move in single_moves(tool):
        for row in rows_at(values, move.path):
            state = getattr(row, str(row._info.state_column))
            if state not in move.source:
                return f"{row._info.noun}_not_{'_or_'.join(sorted(move.source))}"
    return None


def _rules(tool: Tool, bound: Mapping[str, Any], out: Expectation) -> None:
    """Evaluate every rule; the first enforced one that fails gives the code."""
    violated = []
    for rule in tool.requires:
        verdict = holds(rule, bound)
        out.verdicts[rule.code] = verdict and out.verdicts.get(rule.code, True)
        if not verdict and rule.by == "agent":
            violated.append(rule.code)
        elif not verdict and out.code is None:
            out.code = rule.code
    out.violated = tuple(violated)


def holds(rule: Rule, bound: Mapping[str, Any]) -> bool:
    """The verdict of a rule on a call."""
    arguments = {}
    for name, path in _paths(rule):
        value = bound[path[0]]
        for attribute in path[1:]:
            value = getattr(value, attribute)
        arguments[name] = value
    return bool(rule.predicate(**arguments))


@cache
def _paths(rule: Rule) -> tuple[tuple[str, list[str]], ...]:
    return tuple((name, rule.paths.get(name, name).split(".")) for name in rule.arguments)


def _frame(tool: Tool, values: Mapping[str, Any], out: Expectation) -> None:
    """What the frame allows, from the rows that the arguments reach before the call."""
    single = {id(move) for move in single_moves(tool)}
    for position, item in enumerate(tool.frame):
        if isinstance(item, Creates):
            out.created.add(item.entity._info.table)
            continue
        if isinstance(item, Deletes) and item.entity is not None:
            out.deletable.add(item.entity._info.table)
            continue
        rows = rows_at(values, str(item.path))
        out.paths[position] = rows
        for row in rows:
            place = (row._info.table, row.id)
            if isinstance(item, Deletes):
                out.deleted.add(place)
            elif isinstance(item, Sets):
                out.cells.setdefault(place, {}).update(dict.fromkeys(item.columns))
            elif isinstance(item, Moves):
                _allow_move(item, row, place, out, bool(id(item) in single or "." not in item.path))


def _allow_move(move: Moves, row: Row, place: Place, out: Expectation, must: bool) -> None:
    column = str(row._info.state_column)
    state = getattr(row, column)
    if state not in move.source:
        return
    targets = move.target or (state,)
    if must:
        out.ends[place] = frozenset(targets) & out.ends.get(place, frozenset(targets))
    if not move.stays:
        allowed = out.cells.setdefault(place, {}).setdefault(column, set())
        if allowed is not None:
            allowed |= {(state, target) for target in targets}


def people_reached(
    environment: DomainEnvironment, tool: Tool, values: Mapping[str, Any]
) -> set[str]:
    """Keys of the persons to whom a call's arguments lead: owners of rows, and holders of a value
    that was given."""
    domain: Domain = environment.domain
    reached: set[str] = set()
    if environment.actor is not None and domain.access == "self_service":
        reached.add(environment.actor)
    for parameter in tool.parameters:
        value = values.get(parameter.name)
        if parameter.entity is not None:
            for row in value if isinstance(value, list | tuple) else [value]:
                owner = None if row is None else domain.owner_of(row)
                if owner is not None:
                    reached.add(owner.id)
        elif parameter.like is not None and parameter.like[0]._info.identity:
            entity, column = parameter.like
            found = environment.world.all(entity, **{column: value})
            owners = (domain.owner_of(person) for person in found)
            reached |= {owner.id for owner in owners if owner is not None}
    return reached
