"""Hunting for what the walk has not seen: many short, cheap paths towards one tool.

Coverage depends on the path. Before something is reported as never seen, a hunt runs other writes
of the same tables and then tries the tool's bindings one after the other; only a call that shows
something new is examined in full.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..domain import Row, Tool
from ..domain.frames import Creates, Moves, columns_changed, entity_at
from ..environment.domain_environment import DEFECT
from ..planning import Binding
from .expectation import Case, expect
from .report import Finding
from .walk import Walk

SWEEP = 400
"""Bindings of the wanted tool that are tried at the start, for each person."""

SWEEPS = 4
"""Samples of bindings that are drawn where there are more than that."""

TRIES = 40
"""Bindings of the wanted tool that are tried at the end of each path."""


def hunt(walk: Walk, paths: int) -> None:
    """Hunt for every event of a tool that is missing; each gets so many paths."""
    names = [tool.name for key, _ in walk.tally.missing() if (tool := _tool(walk, key))]
    for name in dict.fromkeys(names):
        tool = walk.domain.tools[name]
        helpers = _helpers(walk, tool)
        people = walk.people()
        for person in people:
            if _missing(walk, tool):
                _sweep(walk, tool, person)
        for number in range(paths):
            if not _missing(walk, tool):
                break
            walk.environment.act_for(people[number % len(people)])
            _path(walk, tool, helpers, _leading(walk, tool), number % 6)
    walk.examiner.restart()


def _sweep(walk: Walk, tool: Tool, person: str) -> None:
    """Try every binding that one person has at the start and that can show what is missing."""
    walk.environment.act_for(person)
    walk.examiner.restart()
    wanted = {key for key, _ in _missing(walk, tool)}
    tried: set[str] = set()
    for _ in range(SWEEPS):
        before = len(tried)
        bindings = walk.drawer.bindings(tool, walk.drawer.survey(), SWEEP)
        for binding in _telling(bindings, wanted):
            case = walk.drawer.plain(tool, binding) if wanted else None
            if case is not None and repr(case.arguments) not in tried:
                tried.add(repr(case.arguments))
                _try(walk, case, wanted)
        if not wanted or len(tried) == before:
            break  # nothing is missing any more, or there are no others


def _telling(bindings: list[Binding], wanted: set[tuple[Any, ...]]) -> list[Binding]:
    """Bindings that are blocked by a wanted code, the fewest others beside it, then free ones."""
    codes = {key[2] for key in wanted if key[0] in ("code", "rule")}
    blocked = [b for b in bindings if codes & set(b.blocked)]
    blocked.sort(key=lambda b: len(b.blocked))
    return [*blocked[:TRIES], *[b for b in bindings if not b.blocked]]


def _tool(walk: Walk, key: tuple[Any, ...]) -> Tool | None:
    """The tool that can bring an event about; a rule's or state's event has none of its own."""
    if key[0] in ("ok", "refused", "code", "change", "given"):
        return walk.domain.tools[key[1]]
    if key[0] == "rule":
        users = [t for t in walk.domain.tools.values() if any(r.code == key[1] for r in t.requires)]
        return users[0] if users else None
    return None


def _missing(walk: Walk, tool: Tool) -> list[tuple[tuple[Any, ...], Finding]]:
    return [(k, f) for k, f in walk.tally.missing() if _tool(walk, k) is tool]


def _helpers(walk: Walk, tool: Tool) -> list[Tool]:
    """Writes that touch the tables that the tool reaches; itself too."""
    tables = {e._info.table for e in tool.entities.values()}
    tables |= {e._info.table for entity in tool.entities.values() for e in _near(entity)}
    writes = [t for t in walk.domain.tools.values() if t.kind == "write" and not t.handover]
    return [
        t
        for t in writes
        if {table for table, _ in columns_changed(t.frame, t.entities)} & tables
        or any(isinstance(i, Creates) and i.entity._info.table in tables for i in t.frame)
    ]


def _near(entity: Any) -> list[Any]:
    info = entity._info
    return [r.target for r in info.refs.values()] + [b.child for b in info.backs.values()]


def _leading(walk: Walk, tool: Tool) -> list[Tool]:
    """Writes that bring rows into a state from which the wanted tool was not yet seen to start."""
    wanted = set()
    for key, _ in _missing(walk, tool):
        if key[0] == "change" and len(key) == 5 and key[3] == "from":
            item = tool.frame[key[2]]
            assert isinstance(item, Moves)
            wanted.add((entity_at(tool.entities, item.path)[0], key[4]))
    return [t for t in walk.domain.tools.values() if wanted & _reached_by(t)]


def _reached_by(tool: Tool) -> set[tuple[Any, str]]:
    """The states into which a tool brings rows, with their entities."""
    moves = [item for item in tool.frame if isinstance(item, Moves)]
    return {(entity_at(tool.entities, m.path)[0], state) for m in moves for state in m.target}


def _path(walk: Walk, tool: Tool, helpers: list[Tool], leading: list[Tool], length: int) -> None:
    """Some writes around the same rows, the world's own moves among them, then the wanted tool's
    bindings in turn."""
    rng: random.Random = walk.rng
    walk.examiner.restart()
    rows: set[Row] = set()
    for step in range(length):
        if rng.random() < 0.3:
            walk.world_moves(rows)
        if not helpers:
            continue
        pool = leading if leading and (step == length - 1 or rng.random() < 0.3) else helpers
        helper = pool[rng.randrange(len(pool))]
        case = _close_to(walk, helper, rows)
        if case is not None and case.values is not None:
            rows |= _rows_of(case.values)
            walk.call(case)
    wanted = {key for key, _ in _missing(walk, tool)}
    bindings = walk.drawer.bindings(tool, walk.drawer.survey())
    cases = [walk.drawer.plain(tool, b) for b in _telling(bindings, wanted)[: 2 * TRIES]]
    cases += [walk.drawer.wide(tool) for _ in range(TRIES // 2)]
    for case in cases:
        if case is not None:
            _try(walk, case, wanted)


def _try(walk: Walk, case: Case, wanted: set[tuple[Any, ...]]) -> None:
    """Make a call and take it back; examine it where it shows something that was missing."""
    environment, tally = walk.environment, walk.tally
    snapshot = environment.snapshot()
    before = len(environment.world.log)
    try:
        expected = expect(environment, case)
    except Exception:  # a rule that raises: the examiner reports it
        walk.examiner.call(case)
        environment.restore(snapshot)
        environment.release(snapshot)
        return
    result = environment.call(case.tool.name, case.arguments)
    kept, tally.counts = tally.counts, Counter()
    walk.examiner.count(case, result, environment.world.changes_since(before), expected)
    shown, tally.counts = wanted & tally.counts.keys(), kept
    environment.restore(snapshot)
    if shown or result.code == DEFECT:
        walk.examiner.call(case)
        environment.restore(snapshot)
        wanted -= shown
    environment.release(snapshot)


def _close_to(walk: Walk, tool: Tool, rows: set[Row]) -> Case | None:
    """A free binding of a tool, one that reaches rows that were touched before where there is
    one."""
    bindings = walk.drawer.bindings(tool, walk.drawer.survey())
    free = [b for b in bindings if not b.blocked]
    near = [b for b in free if rows & _rows_of(b.values)]
    pool = near or free
    if not pool:
        return None
    return walk.drawer.plain(tool, pool[walk.rng.randrange(len(pool))])


def _rows_of(values: Mapping[str, Any]) -> set[Row]:
    """The rows of a binding and those that they refer to, people and what belongs to nobody left
    out."""
    found: set[Row] = set()
    for value in values.values():
        for row in value if isinstance(value, list | tuple) else [value]:
            if hasattr(row, "entity") and row._info.owner is not None:
                found.add(row)
                parents = [getattr(row, r) for r in row._info.refs]
                found |= {p for p in parents if p is not None and p._info.owner is not None}
    return found
