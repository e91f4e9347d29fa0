"""Hunting for what the walk has not seen: many short, cheap paths towards one tool.

Coverage depends on the path. Before something is reported as never seen, a hunt runs other writes of the same tables and
then tries the tool's bindings one after the other; only a call that shows something new is examined in full.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from ..domain import Tool
from ..domain.frames import Creates, columns_changed
from ..environment.domain_environment import DEFECT
from .expectation import Case, expect
from .report import Finding
from .walk import Walk

TRIES = 40
"""Bindings of the wanted tool that are tried at the end of each path."""


def hunt(walk: Walk, paths: int) -> None:
    """Hunt for every event of a tool that is missing; each gets so many paths."""
    names = [tool.name for key, _ in walk.tally.missing() if (tool := _tool(walk, key))]
    for name in dict.fromkeys(names):
        tool = walk.domain.tools[name]
        helpers = _helpers(walk, tool)
        people = walk.people()
        for number in range(paths):
            if not _missing(walk, tool):
                break
            walk.environment.act_for(people[number % len(people)])
            _path(walk, tool, helpers, number % 5)
    walk.examiner.restart()


def _tool(walk: Walk, key: tuple[Any, ...]) -> Tool | None:
    """The tool that can bring an event about; a rule's or state's event has none of its own."""
    if key[0] in ("ok", "refused", "code", "change"):
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


def _path(walk: Walk, tool: Tool, helpers: list[Tool], length: int) -> None:
    """Some writes, the world's own moves among them, then every binding of the wanted tool in turn."""
    rng: random.Random = walk.rng
    walk.examiner.restart()
    for _ in range(length):
        if rng.random() < 0.25:
            walk.world_moves()
        if helpers:
            case = walk.drawer.free(helpers[rng.randrange(len(helpers))], walk.drawer.survey())
            if case is not None:
                walk.call(case)
    survey = walk.drawer.survey()
    cases = [c for b in survey.bindings(tool) if (c := walk.drawer.plain(tool, b)) is not None]
    cases += [c for _ in range(TRIES) if (c := walk.drawer.wide(tool)) is not None]
    free = [c for c in cases if c.values is not None and not walk.drawer.blockers(tool, c.values)]
    other = [c for c in cases if c not in free]
    wanted = {key for key, _ in _missing(walk, tool)}
    for case in [*free[:TRIES], *other[: TRIES // 2]]:
        _try(walk, case, wanted)


def _try(walk: Walk, case: Case, wanted: set[tuple[Any, ...]]) -> None:
    """Make a call and take it back; examine it where it shows something that was missing."""
    environment, tally = walk.environment, walk.tally
    snapshot = environment.snapshot()
    before = len(environment.world.log)
    expected = expect(environment, case)
    result = environment.call(case.tool.name, case.arguments)
    kept, tally.counts = tally.counts, Counter()
    walk.examiner.count(case.tool, result, environment.world.changes_since(before), expected)
    shown, tally.counts = wanted & tally.counts.keys(), kept
    environment.restore(snapshot)
    if shown or result.code == DEFECT:
        walk.examiner.call(case)
        environment.restore(snapshot)
        wanted -= shown
    environment.release(snapshot)
