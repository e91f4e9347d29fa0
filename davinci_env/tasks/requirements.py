"""Requirements: built from what a goal changes, as predicates whose expected values are queries
over that goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..domain import Domain
from ..environment import DomainEnvironment
from ..records import (
    AnswerRequirement,
    AskedCheck,
    FrameCheck,
    FrameRequirement,
    LookedUpCheck,
    PolicyCheck,
    PolicyRequirement,
    Requirement,
    RuleNamedCheck,
    Slot,
    SlotsCheck,
    Source,
    StateCheck,
    StateRequirement,
    TraceRequirement,
)
from ..state import CREATED, DELETED, Change, EntityInfo

_SLOT_TYPES = {
    "money": "money",
    "date": "date",
    "datetime": "datetime",
    "minutes": "span",
    "int": "number",
    "float": "number",
    "bool": "yesno",
    "str": "text",
    "time": "text",
}


def literal(value: Any) -> str:
    """A text or number as an SQL literal (identifiers of rows and states; never expected values)."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"


def state_requirement(
    environment: DomainEnvironment, changes: Sequence[Change]
) -> StateRequirement:
    """One predicate: every changed cell, created row and deleted row is as in the goal."""
    schema = environment.world.schema
    created = {c.table for c in changes if c.op == CREATED}
    queries = [
        q for c in changes for q in _change_queries(schema.by_table[c.table]._info, c, created)
    ]
    queries += [_created_query(schema.by_table[t]._info, changes, created) for t in sorted(created)]
    queries = list(dict.fromkeys(queries))
    expected = {f"e{i}": Source(over="goal", query=q) for i, q in enumerate(queries)}
    sql = " AND ".join(f"({q}) IS :e{i}" for i, q in enumerate(queries))
    return StateRequirement(
        id="state", turn=0, kind="state", text="The records are as the request wants them.",
        check=StateCheck(sql=sql, expected=expected),
    )  # fmt: skip


def _change_queries(info: EntityInfo, change: Change, created: set[str]) -> Iterable[str]:
    where = f'"{info.pk}" = {literal(change.key)}'
    if change.op == CREATED:
        return
    if change.op == DELETED:
        yield f'SELECT count(*) FROM "{info.table}" WHERE {where}'
        return
    for column in change.cells:
        spec = info.columns[column]
        if spec.volatile:
            continue
        if spec.target is not None and spec.target._info.table in created:
            target = spec.target._info  # a new row is known by its content, not by its id
            inner = _content(target, "n", created - {target.table})
            yield (
                f'SELECT {inner} FROM "{info.table}" AS o JOIN "{target.table}" AS n '
                f'ON n."{target.pk}" = o."{column}" WHERE o.{where}'
            )
        else:
            yield f'SELECT "{column}" FROM "{info.table}" WHERE {where}'


def _created_query(info: EntityInfo, changes: Sequence[Change], created: set[str]) -> str:
    """All rows of the table that share the references of the created ones, by content, as one JSON
    text.
    """
    conditions: dict[str, None] = {}
    for change in changes:
        if change.table != info.table or change.op != CREATED:
            continue
        parts = [
            f'"{column}" IS {literal(new)}'
            for column, (_, new) in change.cells.items()
            if (target := info.columns[column].target) is not None
            and new is not None
            and target._info.table not in created
        ]
        if not info.has_generated_key:
            parts.append(f'"{info.pk}" = {literal(change.key)}')
        conditions["(" + " AND ".join(parts or ["1"]) + ")"] = None
    content = _content(info, "t", created)
    where = " OR ".join(conditions)
    return (
        f'SELECT json_group_array(c) FROM (SELECT {content} AS c FROM "{info.table}" AS t '
        f"WHERE {where} ORDER BY c)"
    )


def _content(info: EntityInfo, alias: str, created: set[str]) -> str:
    """A row's compared columns as JSON text; generated ids and references to new rows stand aside."""
    columns = [
        c
        for c, spec in info.columns.items()
        if not spec.volatile
        and not (c == info.pk and info.has_generated_key)
        and not (spec.target is not None and spec.target._info.table in created)
    ]
    return "json_array(" + ", ".join(f'{alias}."{c}"' for c in columns) + ")"


def frame_requirement(allow: str) -> FrameRequirement:
    """Nothing changed but what the goal changes (or nothing at all)."""
    text = "Nothing else changed." if allow == "goal" else "Nothing changed."
    return FrameRequirement(
        id="frame", turn=0, kind="frame", text=text, check=FrameCheck(allow=allow, cells=()),  # type: ignore[arg-type]
    )  # fmt: skip


def policy_requirement() -> PolicyRequirement:
    """None of the agent's own rules was broken."""
    return PolicyRequirement(
        id="policy", turn=0, kind="policy", text="Every rule of the policy was obeyed.",
        check=PolicyCheck(violated="none"),
    )  # fmt: skip


def slot_type(kind: str, choices: Sequence[Any]) -> str:
    """The answer type of a column."""
    return "enum" if choices and kind == "str" else _SLOT_TYPES[kind]


def answer_requirement(slots: Sequence[Slot], text: str) -> AnswerRequirement:
    """The final message states these facts."""
    return AnswerRequirement(
        id="answer", turn=0, kind="answer", text=text, check=SlotsCheck(slots=tuple(slots))
    )


def rule_requirement(
    domain: Domain, code: str, concepts: Sequence[Sequence[str]]
) -> AnswerRequirement:
    """The final message names the rule that forbids the request."""
    return AnswerRequirement(
        id="rule", turn=0, kind="answer",
        text=f"The final message names the rule that forbids it: {domain.rules[code].text}",
        check=RuleNamedCheck(rule=code, concepts=tuple(tuple(g) for g in concepts)),
    )  # fmt: skip


def looked_up_requirement(
    places: Iterable[tuple[str, str]], refused: str | None
) -> TraceRequirement:
    """The facts were looked up (or the refusal met) before the final message."""
    return TraceRequirement(
        id="looked_up", turn=0, kind="trace", text="The facts that matter were looked up.",
        check=LookedUpCheck(must="looked_up", rows=tuple(places), or_refused=refused),
    )  # fmt: skip


def asked_requirement(fact: str) -> TraceRequirement:
    """The missing fact was asked for before anything was written."""
    return TraceRequirement(
        id="asked", turn=0, kind="trace",
        text=f"The missing fact ({fact}) was asked for before anything was changed.",
        check=AskedCheck(must="asked", fact=fact, before="writes"),
    )  # fmt: skip


def count_kinds(requirements: Sequence[Requirement]) -> Mapping[str, int]:
    """How many requirements there are of each kind."""
    counts: dict[str, int] = {}
    for requirement in requirements:
        counts[requirement.kind] = counts.get(requirement.kind, 0) + 1
    return counts
