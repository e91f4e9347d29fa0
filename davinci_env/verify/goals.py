"""Expected values: queries over REF (the start) and over GOAL (the start with the goal's writes
carried out).

Literals would be wrong as soon as the world moves, so every expected value is asked of a state.
Both states are visited on the episode's own world before it begins, and left again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..environment import DomainEnvironment
from ..errors import DefectError
from ..records import Call, Source, Task

Cells = frozenset[tuple[str, str, str]]


@dataclass(frozen=True)
class Goal:
    """One accepted alternative: the cells it changes, how many rows it creates, its query results,
    its canonical diff.
    """

    cells: Cells
    created: dict[str, int]
    values: dict[Source, list[tuple[Any, ...]]]
    diff: list[list[Any]]
    state_hash: str


def sources_of(task: Task) -> list[Source]:
    """Every query that the requirements of a task ask."""
    found: dict[Source, None] = {}
    for requirement in task.requirements:
        check = requirement.check
        for source in getattr(check, "expected", {}).values() if hasattr(check, "expected") else ():
            found[source] = None
        for slot in getattr(check, "slots", ()):
            found[slot.expected] = None
            if slot.decoys is not None:
                found[slot.decoys] = None
    return list(found)


def visit_goals(task: Task, environment: DomainEnvironment) -> list[Goal]:
    """Carry out each alternative from the present state, ask its queries, and come back.

    Raises DefectError when a goal can't be carried out or a query fails.
    """
    sources = sources_of(task)
    start = environment.snapshot()
    recording, environment.record_changes = environment.record_changes, False
    try:
        ref = {s: environment.query(s.query) for s in sources if s.over == "ref"}
        goals = []
        for calls in task.goals:
            environment.restore(start)
            goals.append(_visit(calls, sources, ref, environment))
        return goals
    finally:
        environment.restore(start)
        environment.release(start)
        environment.record_changes = recording


def _visit(
    calls: Sequence[Call],
    sources: Sequence[Source],
    ref: dict[Source, list[tuple[Any, ...]]],
    environment: DomainEnvironment,
) -> Goal:
    for call in calls:
        result = environment.call(call.tool, call.arguments)
        if not result.ok:
            raise DefectError(
                f"a goal of the task can't be carried out: {call.tool} gives {result.code}"
            )
    outcome = environment.capture()
    cells, created = allowed_cells(outcome.diff)
    goal = {s: environment.query(s.query) for s in sources if s.over == "goal"}
    return Goal(cells, created, {**ref, **goal}, outcome.diff, outcome.state_hash)


def allowed_cells(diff: Sequence[Sequence[Any]]) -> tuple[Cells, dict[str, int]]:
    """The cells of a canonical diff as (table, key, column), deletions with column `-`, and created
    rows by table.
    """
    cells: set[tuple[str, str, str]] = set()
    created: dict[str, int] = {}
    for table, key, op, values in diff:
        if op == "+":
            created[table] = created.get(table, 0) + 1
        elif op == "-":
            cells.add((table, key, "-"))
        else:
            cells.update((table, key, column) for column in values)
    return frozenset(cells), created
