"""Expected values: queries over REF (the start) and over GOAL (the start with the goal's writes
carried out).

Literals would be wrong as soon as the world moves, so every expected value is asked of a state.
Both states are visited on the episode's own world before it begins, and left again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..environment import DomainEnvironment
from ..errors import DefectError
from ..records import Call, Source, Task
from ..state import CREATED, DELETED, plain
from ..state.rows import MISSING

Cells = frozenset[tuple[str, str, str]]
"""Places (table, key, column); a deleted row has the column `-`."""


@dataclass(frozen=True)
class Footprint:
    """What was changed since some moment: in the end, and on the way there.

    `cells` and `created` (rows by table) are the net change; `touched` (with the number of times)
    and `made` hold besides what was taken back later, so that a write and its undoing leave a
    trace. Volatile columns don't count.
    """

    cells: Cells
    created: dict[str, int]
    touched: Mapping[tuple[str, str, str], int]
    made: dict[str, int]


@dataclass(frozen=True)
class Goal:
    """One accepted alternative at the end of one user turn: what it changes in that turn, its
    query results, its canonical diff since the start.
    """

    footprint: Footprint
    values: dict[Source, list[tuple[Any, ...]]]
    diff: list[list[Any]]
    state_hash: str


Alternative = tuple[Goal, ...]
"""One accepted alternative, turn by turn."""


def turns_of(task: Task) -> int:
    """How many user turns a task has."""
    return len(task.request.turns) or 1


def sources_of(task: Task, turn: int) -> list[Source]:
    """Every query that the requirements of a turn ask."""
    found: dict[Source, None] = {}
    for requirement in task.requirements:
        if requirement.turn != turn:
            continue
        check = requirement.check
        for source in getattr(check, "expected", {}).values() if hasattr(check, "expected") else ():
            found[source] = None
        for slot in getattr(check, "slots", ()):
            found[slot.expected] = None
            if slot.decoys is not None:
                found[slot.decoys] = None
    return list(found)


def visit_goals(task: Task, environment: DomainEnvironment) -> list[Alternative]:
    """Carry out each alternative from the present state, turn by turn, ask its queries, and come
    back.

    Raises DefectError when a goal can't be carried out or a query fails.
    """
    turns = range(turns_of(task))
    sources = [sources_of(task, turn) for turn in turns]
    start = environment.snapshot()
    recording, environment.record_changes = environment.record_changes, False
    appearing, environment.appearing = environment.appearing, {}  # whatever turn it is
    try:
        ref = {s: ask(s, environment) for asked in sources for s in asked if s.over == "ref"}
        goals = []
        for calls in task.goals:
            environment.restore(start)
            by_turn = [[c for c in calls if c.turn == turn] for turn in turns]
            goals.append(tuple(_visit(by_turn[t], sources[t], ref, environment) for t in turns))
        return goals
    finally:
        environment.restore(start)
        environment.release(start)
        environment.record_changes, environment.appearing = recording, appearing


def _visit(
    calls: Sequence[Call],
    sources: Sequence[Source],
    ref: dict[Source, list[tuple[Any, ...]]],
    environment: DomainEnvironment,
) -> Goal:
    start = len(environment.world.log)
    for call in calls:
        result = environment.call(call.tool, call.arguments)
        if not result.ok:
            raise DefectError(
                f"a goal of the task can't be carried out: {call.tool} gives {result.code}"
            )
    outcome = environment.capture()
    changed = footprint(environment, start)
    goal = {s: ask(s, environment) for s in sources if s.over == "goal"}
    return Goal(changed, {**ref, **goal}, outcome.diff, outcome.state_hash)


def ask(source: Source, environment: DomainEnvironment) -> list[tuple[Any, ...]]:
    """The rows of a source's query; of a read, one row with the plain value of one field.

    Raises DefectError for a query or read that can't be carried out.
    """
    if source.call is not None:
        return [(_field(source, environment),)]
    if not source.query.strip():
        raise DefectError("an expected value has an empty query")
    return environment.query(source.query)


def _field(source: Source, environment: DomainEnvironment) -> Any:
    assert source.call is not None
    tool = environment.domain.tools.get(source.call.tool)
    result = environment.call(source.call.tool, source.call.arguments)
    if tool is None or not result.ok or result.data is None:
        raise DefectError(f"an expected value's read {source.call.tool} gives {result.code}")
    values = tool.shape.values(result.data)
    if source.field not in values:
        raise DefectError(f"{source.call.tool} has no field {source.field!r}")
    return plain(values[source.field])


def footprint(environment: DomainEnvironment, since: int) -> Footprint:
    """What changed since the cell log had a length: net and on the way."""
    world = environment.world
    compared = world.schema.compared
    cells: set[tuple[str, str, str]] = set()
    created: Counter[str] = Counter()
    for change in world.changes_since(since):
        if change.op == CREATED:
            created[change.table] += 1
        elif change.op == DELETED:
            cells.add((change.table, change.key, "-"))
        else:
            columns = compared[change.table]
            cells.update((change.table, change.key, c) for c in change.cells if c in columns)
    touched, made = _touched(environment, since)
    return Footprint(frozenset(cells), dict(created), touched, made)


def _touched(
    environment: DomainEnvironment, since: int
) -> tuple[Counter[tuple[str, str, str]], dict[str, int]]:
    """How often each cell was written, and every row that was made, whether or not it came to
    stay.
    """
    world = environment.world
    touched: Counter[tuple[str, str, str]] = Counter()
    new: set[tuple[str, str]] = set()
    for cells, name, old, row in world.log[since:]:
        if row is None:
            continue
        table, key = row._info.table, row.id
        if cells is not row.__dict__:  # the identity map: a row came, or went
            if old is MISSING:
                new.add((table, key))
            elif (table, key) not in new:
                touched[table, key, "-"] += 1
        elif (table, key) not in new and name in world.schema.compared[table]:
            touched[table, key, name] += 1
    return touched, dict(Counter(table for table, _ in new))
