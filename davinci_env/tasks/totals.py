"""Totals: questions that take many rows together: how many there are, what they come to in all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from ..agents.sets import rows_in_words
from ..domain import Row
from ..records import Slot, Source
from ..state import ColumnInfo, EntityInfo, plain
from .bench import Bench
from .questions import Also, Question, by_state, goes_on, named, shuffled
from .requirements import literal, slot_type
from .words import Ask

ROUND = (10000, 5000, 1000, 500, 100)
"""Amounts to which people round, in cents."""


UNLIMITED = 0.85
"""How often all rows in a state are counted or summed, without a further condition."""


def _groups(bench: Bench) -> list[tuple[EntityInfo, dict[str, Any], list[Row]]]:
    """The actor's rows of entities that belong to the person directly, by lifecycle state."""
    if bench.person is None:
        return []
    return [
        (entity._info, where, rows)
        for entity in bench.domain.entities.values()
        if entity._info.owner is not None
        and entity._info.refs[entity._info.owner].target._info.identity
        for where, rows in by_state(bench, entity._info)
    ]


def _limit(
    bench: Bench, info: EntityInfo, rows: Sequence[Row], kinds: Sequence[str]
) -> tuple[Also, list[Row]]:
    """Perhaps a further condition that some rows meet and others don't."""
    if bench.rng.random() < UNLIMITED:
        return [], list(rows)
    for column, spec in shuffled(bench, info.columns.items()):
        if column not in info.superlatives:
            continue
        if spec.kind not in kinds or spec.hidden or spec.volatile or spec.optional:
            continue
        found = limited(bench, rows, column, spec.kind)
        if found is not None and len(found[1]) >= 2:
            return found
    return [], list(rows)


def limited(
    bench: Bench, rows: Sequence[Row], column: str, kind: str
) -> tuple[Also, list[Row]] | None:
    """A condition on a column that parts the rows, and those that meet it."""
    values = sorted({getattr(row, column) for row in rows if getattr(row, column) is not None})
    if len(values) < 2:
        return None
    at = bench.rng.randrange(len(values) - 1)
    bound = _between(values[at], values[at + 1], kind)
    op = bench.rng.choice(("<=", ">"))
    kept = [r for r in rows if (getattr(r, column) <= bound) == (op == "<=")]
    return [[column, op, plain(bound)]], kept


def _between(low: Any, high: Any, kind: str) -> Any:
    """A round bound between two values."""
    if kind == "money":
        bounds = [(high - 1) // step * step for step in ROUND]
        return next((bound for bound in bounds if bound >= low), low)
    assert isinstance(low, date)
    return low + timedelta(days=(high - low).days // 2)


def _scope(bench: Bench, info: EntityInfo, where: dict[str, Any], also: Also) -> str:
    assert info.owner is not None
    owner = bench.record(info.refs[info.owner].target)
    assert owner is not None
    parts = [f'"{info.refs[info.owner].column}" = {literal(owner.id)}']
    parts += [f'"{c}" = {literal(plain(v))}' for c, v in where.items()]
    parts += [f'"{c}" {op} {literal(v)}' for c, op, v in also]
    return " AND ".join(parts)


def count_question(bench: Bench) -> Question | None:
    groups = [
        (info, where, rows)
        for info, where, rows in _groups(bench)
        if len(rows) >= 2 and info.lifecycle is not None and goes_on(rows[0])
    ]
    if not groups:
        return None
    info, where, rows = bench.rng.choice(groups)
    also, _ = _limit(bench, info, rows, ("date",))
    spec = ColumnInfo("count", "int", False, None, says="number")
    scope = _scope(bench, info, where, also)
    query = f'SELECT count(*) FROM "{info.table}" WHERE {scope}'
    asked = bench.words.count_clause(info, where, also)
    return _aggregate(bench, info, where, also, rows, asked, spec, query, None)


def sum_question(bench: Bench) -> Question | None:
    groups = [
        (info, where, rows, column)
        for info, where, rows in _groups(bench)
        for column in _summed(info)
        if len(rows) >= 2 and goes_on(rows[0]) and sum(getattr(r, column) for r in rows)
    ]
    if not groups:
        return None
    info, where, rows, column = bench.rng.choice(groups)
    also, kept = _limit(bench, info, rows, ("date",))  # an amount would be told beside another
    if not sum(getattr(r, column) for r in kept):
        also = []
    spec = info.columns[column]
    scope = _scope(bench, info, where, also)
    query = f'SELECT sum("{column}") FROM "{info.table}" WHERE {scope}'
    decoy = f'SELECT DISTINCT "{column}" FROM "{info.table}" WHERE {scope} ORDER BY 1 LIMIT 12'
    asked = bench.words.sum_clause(info, spec, where, also)
    return _aggregate(bench, info, where, also, rows, asked, spec, query, decoy)


def _summed(info: EntityInfo) -> list[str]:
    """The amounts that people add up: those by which they choose, else the first one."""
    money = [
        column
        for column, spec in info.columns.items()
        if spec.kind == "money" and not (spec.hidden or spec.volatile or spec.optional)
    ]
    return [column for column in money if column in info.superlatives] or money[:1]


def _aggregate(
    bench: Bench,
    info: EntityInfo,
    where: dict[str, Any],
    also: Also,
    rows: Sequence[Row],
    asked: Ask,
    spec: ColumnInfo,
    query: str,
    decoy: str | None,
) -> Question:
    assert asked.intent is not None
    counting = decoy is None
    slot = Slot(
        name=named(bench, info.name),
        type="number" if counting else slot_type(spec.kind, ()),  # type: ignore[arg-type]
        expected=Source(over="goal", query=query),
        decoys=None if decoy is None else Source(over="ref", query=decoy),
        cues=(spec.says, rows_in_words(bench.domain, info, where)),
    )
    return Question(
        asked, dict(asked.intent), slot, spec, places=[(info.table, row.id) for row in rows],
        info=info, where=where, also=also, forms={"aggregate"},
    )  # fmt: skip
