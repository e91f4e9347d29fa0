"""Solving: which reads lead from what the request says to the ids that the calls need.

Reads run on the world itself, from known facts only, so that a solution guesses nothing. Each fact
remembers the call that revealed it; the solution keeps the calls that the needed ids rest on.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..domain import Domain, Parameter, Tool
from ..domain.results import RecordShape, RowsShape
from ..environment import DomainEnvironment
from ..errors import ToolError
from ..state import Entity, plain

Fact = tuple[str, Any]
"""("Loan", "LN-00012") for an id, ("Book.title", "…") for a value."""

NEXT_PAGE = "next page"
"""What a page of a list reveals besides its rows: how to get the page after it."""

MAX_CALLS = 60
"""Most reads that are tried for one task."""


class Unsolvable(Exception):
    """The needed ids can't be found from what the request says."""


@dataclass
class _Known:
    """What is known, by the call that revealed it first; the calls with the facts that they needed;
    and all that each of them revealed and showed.
    """

    source: dict[Fact, int | None]
    calls: list[tuple[str, dict[str, Any], tuple[Fact, ...]]]
    revealed: list[set[Fact]] = field(default_factory=list)
    shown: list[set[tuple[str, str]]] = field(default_factory=list)

    def closure(self, facts: Iterable[Fact]) -> list[int]:
        """The calls that these facts rest on, in the order in which they were made."""
        needed: set[int] = set()
        queue = deque(facts)
        while queue:
            call = self.source.get(queue.popleft())
            if call is not None and call not in needed:
                needed.add(call)
                queue.extend(self.calls[call][2])
        return sorted(needed)

    def least(self, calls: list[int], wanted: set[Fact], rows: set[tuple[str, str]]) -> list[int]:
        """The calls without those that the others make superfluous."""
        for call in list(calls):
            rest = [c for c in calls if c != call]
            if self._do(rest, wanted, rows):
                calls = rest
        return calls

    def _do(self, calls: list[int], wanted: set[Fact], rows: set[tuple[str, str]]) -> bool:
        known = {fact for fact, source in self.source.items() if source is None}
        shown: set[tuple[str, str]] = set()
        for call in calls:
            if not known.issuperset(self.calls[call][2]):
                return False
            known |= self.revealed[call]
            shown |= self.shown[call]
        return known >= wanted and shown >= rows


def solve_reads(
    environment: DomainEnvironment,
    told: Iterable[Fact],
    needed: Iterable[Fact],
    places: Iterable[tuple[str, str]] = (),
    rng: random.Random | None = None,
) -> list[tuple[str, dict[str, Any]]]:
    """The reads that reveal `needed` facts and show the rows at `places`, from the facts that are
    told.

    Args:
        rng: tries the reads in another order, so that solutions don't all take one path.

    Raises Unsolvable.
    """
    domain = environment.domain
    wanted = set(needed)
    rows = set(places)
    known = _Known(dict.fromkeys(told), [])
    shown: dict[tuple[str, str], int] = {}
    tools = _relevant(domain, wanted, rows)
    if rng is not None:
        rng.shuffle(tools)
    tried: set[str] = set()
    grew = True
    while (wanted - known.source.keys() or rows - shown.keys()) and grew:
        grew = False
        for tool in tools:
            for arguments, facts in list(_arguments(domain, tool, known)):
                if _read(environment, tool, arguments, facts, known, shown, tried):
                    grew = True
                if not (wanted - known.source.keys() or rows - shown.keys()):
                    break
                if len(tried) > MAX_CALLS:
                    raise Unsolvable(f"more than {MAX_CALLS} reads")
    if wanted - known.source.keys() or rows - shown.keys():
        missing = sorted(map(str, (wanted - known.source.keys()) | (rows - shown.keys())))
        raise Unsolvable(f"no read reveals {', '.join(missing)}")
    calls = set(known.closure(wanted))
    for place in rows:
        calls.add(shown[place])
        calls.update(known.closure(known.calls[shown[place]][2]))
    least = known.least(sorted(calls), wanted, rows)
    return [(known.calls[i][0], known.calls[i][1]) for i in least]


def _read(
    environment: DomainEnvironment,
    tool: Tool,
    arguments: dict[str, Any],
    facts: tuple[Fact, ...],
    known: _Known,
    shown: dict[tuple[str, str], int],
    tried: set[str],
) -> bool:
    """Make one read, with all its pages; returns whether anything new was learned."""
    grew = False
    page: dict[str, Any] | None = {}
    while page is not None:
        call = {**arguments, **page}
        key = f"{tool.name}{sorted(call.items())!r}"
        if key in tried or len(tried) > MAX_CALLS:
            return grew
        tried.add(key)
        if not _own(environment, tool, call):
            return grew
        result = environment.call(tool.name, call)
        if not result.ok or result.data is None:
            return grew
        number = len(known.calls)
        revealed = dict.fromkeys(_facts(environment.domain, tool, result.data))
        known.calls.append((tool.name, call, facts))
        known.shown.append(set(result.seen))
        known.revealed.append({*revealed, (NEXT_PAGE, number)})
        for place in result.seen:
            grew = shown.setdefault(place, number) == number or grew
        for fact in revealed:
            if fact not in known.source:
                known.source[fact] = number
                grew = True
        shape = tool.shape
        page = (
            shape.next_page(result.data) if isinstance(shape, RowsShape) and shape.paged else None
        )
        if page is not None:  # only who has seen this page can ask for the next
            known.source[NEXT_PAGE, number] = number
            facts = (*facts, (NEXT_PAGE, number))
    return grew


def _own(environment: DomainEnvironment, tool: Tool, arguments: Mapping[str, Any]) -> bool:
    """Whether a read that demands identification is about the actor: nobody else can be identified
    here.
    """
    rule = tool.identification
    if rule is None or environment.actor is None:
        return True
    try:
        bound = environment.bind(tool.name, arguments)
    except ToolError:
        return True
    people = [v for k, v in rule.arguments_of(bound).items() if k not in ("db", "log")]
    return all(_is_actor(environment, person) for person in people)


def _is_actor(environment: DomainEnvironment, person: Any) -> bool:
    if not hasattr(person, "_info"):
        return False
    return str(environment.domain.ownership.person(person).id) == environment.actor


def _facts(domain: Domain, tool: Tool, data: Mapping[str, Any]) -> Iterator[Fact]:
    """What a result reveals: ids, references and values."""
    for entity, item in tool.shape.rows(data):
        info = entity._info
        for column, value in domain.views.by_entity[entity].read(item).items():
            if value is None:
                continue
            target = info.columns[column].target
            if column == info.pk:
                yield (info.name, value)
            elif target is not None:
                yield (target._info.name, value)
            yield (f"{info.name}.{column}", plain(value))
    if isinstance(tool.shape, RecordShape):
        for name, value in tool.shape.values(data).items():
            for entity in domain.entities.values():
                if name == entity._info.pk and value is not None:
                    yield (entity._info.name, value)


def _arguments(
    domain: Domain, tool: Tool, known: _Known
) -> Iterator[tuple[dict[str, Any], tuple[Fact, ...]]]:
    """Arguments of a read that known facts allow: every required argument, and a search's query."""
    partial: list[tuple[dict[str, Any], tuple[Fact, ...]]] = [({}, ())]
    for parameter in tool.parameters:
        if parameter.implicit:
            continue
        must = parameter.required or (tool.derived == "search" and parameter.name == "query")
        if not must:
            continue
        options = list(_options(domain, tool, parameter, known))
        if not options and not parameter.required:
            continue  # a search without a query lists everything
        partial = [
            ({**arguments, parameter.wire: value}, (*facts, *fact))
            for arguments, facts in partial
            for value, fact in options
        ]
    yield from partial


def _options(
    domain: Domain, tool: Tool, parameter: Parameter, known: _Known
) -> Iterator[tuple[Any, tuple[Fact, ...]]]:
    if parameter.entity is not None:
        name = parameter.entity._info.name
        found = [fact for fact in known.source if fact[0] == name]
        for fact in found:
            yield ([fact[1]] if parameter.type.many else fact[1]), (fact,)
    elif parameter.type.choices:
        for choice in parameter.type.choices:
            yield choice, ()
    elif parameter.like is not None:
        entity, column = parameter.like
        names = {f"{entity._info.name}.{column}"}
        if tool.derived == "search":
            names = {f"{entity._info.name}.{c}" for c in entity._info.columns}
        for fact in [f for f in known.source if f[0] in names and isinstance(f[1], str)]:
            yield fact[1], (fact,)


def _relevant(domain: Domain, wanted: set[Fact], rows: set[tuple[str, str]]) -> list[Tool]:
    """Reads that can matter, cheapest way first: backward from the needed entities over the
    arguments of their reads.
    """
    by_table = {e._info.table: e for e in domain.entities.values()}
    needed: list[Entity] = [domain.entities[f[0]] for f in wanted if f[0] in domain.entities]
    needed += [by_table[t] for t, _ in rows]
    reads = [t for t in domain.tools.values() if t.kind == "read"]
    order = {"find": 0, "list": 1, "search": 2, "get": 3, None: 4}
    chosen: set[str] = set()
    queue, done = deque(needed), set()
    while queue:
        entity = queue.popleft()
        if entity in done:
            continue
        done.add(entity)
        for tool in reads:
            if entity in _revealed(domain, tool):
                chosen.add(tool.name)
                queue.extend(p.entity for p in tool.parameters if p.entity and p.required)
    # In the order of the domain's file, not in that of the sets that led here: runs are repeatable.
    return sorted((t for t in reads if t.name in chosen), key=lambda t: order[t.derived])


def _revealed(domain: Domain, tool: Tool) -> set[Entity]:
    """The entities whose ids a read can reveal."""
    shape = tool.shape
    shown: set[Entity] = set()
    if isinstance(shape, RecordShape):
        shown |= {t.entity for t in shape.fields.values() if t.entity is not None}
        shown |= {e for e in domain.entities.values() if e._info.pk in shape.fields}
    elif shape.entity is not None:
        shown.add(shape.entity)
        for attribute in getattr(shape, "include", ()):
            shown.add(shape.entity._info.backs[attribute].child)
    referred = {r.target for e in shown for r in e._info.refs.values()}
    return shown | referred
