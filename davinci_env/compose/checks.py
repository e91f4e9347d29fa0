"""What a composition must be before anything is derived from it; an author's slip is told with its
line and remedy.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import CodeType
from typing import TYPE_CHECKING, Any

from ..domain.domain import Domain
from ..domain.frames import Creates, Deletes, Moves, Sets, entity_at
from ..domain.rules import Rule
from ..domain.tools import Tool
from ..errors import ContractError
from ..state import Entity
from .events import Event
from .transfers import Transfer

if TYPE_CHECKING:
    from .composition import Composition

FEWEST, MOST = 2, 4
"""How many domains can be joined."""


def check_parts(name: str, parts: Sequence[Domain], shared: str) -> None:
    """Raise ContractError unless these domains can share one world."""
    names = [part.name for part in parts]
    if not FEWEST <= len(set(names)) == len(names) <= MOST:
        raise ContractError(
            f"{name} joins {', '.join(names) or 'nothing'}",
            f"name from {FEWEST} to {MOST} different domains",
        )
    _check_alike(
        {part.name: part.access for part in parts},
        "be reached in one way",
        "join domains that all serve any person, or all the one who is signed in",
    )
    currencies = {part.name: part.dialect.currency for part in parts if deals_with_money(part)}
    _check_alike(currencies, "share one currency", "join domains that count the same money")
    for part in parts:
        column = part.identity._info.columns.get(shared)
        if column is None or column.hidden:
            raise ContractError(
                f"{part.name} does not know people by {shared!r}, so nobody could be recognised",
                "name a column that all person records have, with shared=",
            )


def _check_alike(found: Mapping[str, str], what: str, remedy: str) -> None:
    if len(set(found.values())) > 1:
        said = ", ".join(f"{name} {value}" for name, value in found.items())
        raise ContractError(f"the domains can't {what}: {said}", remedy)


def deals_with_money(part: Domain) -> bool:
    """Whether a domain's records hold amounts."""
    return any(
        spec.kind == "money" for e in part.entities.values() for spec in e._info.columns.values()
    )


def check_link(name: str, left: Entity, right: Entity, parts: Sequence[Domain]) -> None:
    """Raise ContractError unless records of these two entities can be pairs."""
    homes = [next((p for p in parts if e in p.entities.values()), None) for e in (left, right)]
    for entity, home in zip((left, right), homes, strict=True):
        if home is None:
            raise ContractError(
                f"link {name} names {entity.__name__}, which no joined domain has",
                "take entities from the composition's own modules",
            )
        if entity._info.owner is None:
            raise ContractError(
                f"link {name} can't match {entity.__name__}: its records belong to nobody",
                "link records that each belong to a person",
            )
    if homes[0] is homes[1]:
        raise ContractError(
            f"link {name} stays within {homes[0].name if homes[0] else ''}",
            "link records of two domains; within one, a reference does it",
        )


def check_events(events: Sequence[Event], home_of: Callable[[Entity], str]) -> None:
    """Raise ContractError for an event that waits for no state, or changes no other domain."""
    for event in events:
        cycle = event.entity._info.lifecycle
        if cycle is None or event.state not in cycle.states:
            raise ContractError(
                f"an event waits for {event.noun} {event.state!r}, which is no state",
                "name a state of its lifecycle",
                line=event.line,
            )
        if not event.text:
            raise ContractError(
                f"the event on {event.noun} {event.state!r} has no docstring",
                "say in it what happens: it is a clause of the policy",
                line=event.line,
            )
        try:
            changed = [_changed(event, change) for change in event.changes]
        except ContractError as error:
            error.line = event.line
            raise
        if not changed or home_of(event.entity) in map(home_of, changed):
            raise ContractError(
                f"the event on {event.noun} {event.state!r} changes no other domain",
                "say in `changes` which records of the other domain it changes",
                line=event.line,
            )


def _changed(event: Event, change: Any) -> Entity:
    roots = {event.noun: event.entity}
    if isinstance(change, Moves | Sets):
        return entity_at(roots, change.path)[0]
    assert isinstance(change, Creates | Deletes)
    if change.entity is not None:
        return change.entity
    return entity_at(roots, str(getattr(change, "path", "")))[0]


def check_transfers(transfers: Sequence[Transfer], tools: Mapping[str, Tool]) -> None:
    """Raise ContractError for a value that can't get where it should."""
    for transfer in transfers:
        where = f"the transfer to {transfer.argument!r} of {transfer.tool!r}"
        tool = tools.get(transfer.tool)
        parameter = next(
            (p for p in tool.parameters if p.name == transfer.argument), None
        ) if tool is not None else None  # fmt: skip
        if parameter is None or parameter.entity is not None:
            raise ContractError(f"{where} names no value of a tool", "name an argument of a write")
        spec = transfer.source._info.columns.get(transfer.column)
        if spec is None or spec.hidden:
            raise ContractError(
                f"{where} takes {transfer.column!r}, which nobody can see",
                f"name a visible column of {transfer.source.__name__}",
            )
        kind = "datetime" if spec.kind == "date" and transfer.at is not None else spec.kind
        if kind != parameter.type.kind:
            raise ContractError(
                f"{where} would put a {kind} where a {parameter.type.kind} belongs",
                "take a column of the argument's kind; `at` makes a moment of a date",
            )
        if not transfer.said or not all("{it}" in text for text in transfer.said):
            raise ContractError(f"{where} has no words", 'say it like "the day {it} is due"')


def check_rule(rule: Rule, composition: Composition) -> None:
    """Raise ContractError for a rule of the composition that guards nothing, or reads what it may
    not: hidden columns, what is private to the engine, or names that no joined domain has.
    """
    if not rule.governs:
        raise ContractError(
            f"rule {rule.code} guards no tool", "declare it with cross_rule(governs=…)",
            line=rule.line,
        )  # fmt: skip
    hidden = _hidden(composition.parts)
    for name, after in _names(rule.predicate.__code__):
        problem = None
        if name.startswith("_"):
            problem = f"{name}, which is private"
        elif name in hidden:
            problem = f"{name}, which is hidden from the agent"
        elif name in ("create", "delete"):
            problem = f"{name}: a rule looks, and changes nothing"
        else:
            module = rule.predicate.__globals__.get(name)
            if module in composition.modules and after and not hasattr(module, after):
                problem = f"{name}.{after}, which that domain does not have"
        if problem is not None:
            raise ContractError(
                f"rule {rule.code} reads {problem}",
                "rest it on records that the joined domains show",
                line=rule.line,
            )


def _hidden(parts: Sequence[Domain]) -> set[str]:
    """Columns that are hidden wherever there are columns of that name."""
    infos = [entity._info for part in parts for entity in part.entities.values()]
    shown = {c for info in infos for c, spec in info.columns.items() if not spec.hidden}
    return {c for info in infos for c, spec in info.columns.items() if spec.hidden} - shown


def _names(code: CodeType) -> Iterator[tuple[str, str]]:
    """The names that a function uses, each with the attribute that is taken of it at once."""
    for step, after in pairwise(dis.get_instructions(code)):
        if step.opcode in dis.hasname:
            taken = after.opname in ("LOAD_ATTR", "LOAD_METHOD")
            yield step.argval, after.argval if taken else ""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
