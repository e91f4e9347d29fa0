"""Requirements: built from what a goal changes, as predicates whose expected values are queries
over that goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..domain import Domain
from ..environment import DomainEnvironment
from ..records import (
    AnswerRequirement,
    AskedCheck,
    Call,
    DeclinedCheck,
    FrameCheck,
    FrameRequirement,
    LookedUpCheck,
    PolicyCheck,
    PolicyRequirement,
    ProposedCheck,
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

Place = tuple[str, str]
"""Table and key."""


def literal(value: Any) -> str:
    """A text or number as an SQL literal (ids and states; never expected values)."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"


def state_requirement(
    environment: DomainEnvironment, changes: Sequence[Change]
) -> StateRequirement:
    """One predicate: every changed cell, created row and deleted row is as in the goal."""
    schema = environment.world.schema
    created = frozenset((c.table, c.key) for c in changes if c.op == CREATED)
    queries = [
        q for c in changes for q in _change_queries(schema.by_table[c.table]._info, c, created)
    ]
    tables = sorted({table for table, _ in created})
    queries += [_created_query(schema.by_table[t]._info, changes, created) for t in tables]
    queries = list(dict.fromkeys(queries))
    expected = {f"e{i}": Source(over="goal", query=q) for i, q in enumerate(queries)}
    sql = " AND ".join(f"({q}) IS :e{i}" for i, q in enumerate(queries))
    return StateRequirement(
        id="state", turn=0, kind="state", text="The records are as the request wants them.",
        check=StateCheck(sql=sql, expected=expected),
    )  # fmt: skip


def _change_queries(info: EntityInfo, change: Change, created: frozenset[Place]) -> Iterable[str]:
    where = f'"{info.pk}" = {literal(change.key)}'
    if change.op == CREATED:
        return
    if change.op == DELETED:
        yield f'SELECT count(*) FROM "{info.table}" WHERE {where}'
        return
    for column, (_, new) in change.cells.items():
        target = info.columns[column].target
        if info.columns[column].volatile:
            continue
        if target is not None and (target._info.table, new) in created:
            content = _referred(target._info, f't."{column}"', created, frozenset())
            yield f'SELECT {content} FROM "{info.table}" AS t WHERE t.{where}'
        else:
            yield f'SELECT "{column}" FROM "{info.table}" WHERE {where}'


def _created_query(info: EntityInfo, changes: Sequence[Change], created: frozenset[Place]) -> str:
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
            and (target._info.table, new) not in created
        ]
        if not info.has_generated_key:
            parts.append(f'"{info.pk}" = {literal(change.key)}')
        conditions["(" + " AND ".join(parts or ["1"]) + ")"] = None
    content = _content(info, "t", created, frozenset((info.table,)))
    where = " OR ".join(conditions)
    return (
        f'SELECT json_group_array(c) FROM (SELECT {content} AS c FROM "{info.table}" AS t '
        f"WHERE {where} ORDER BY c)"
    )


def _content(info: EntityInfo, alias: str, created: frozenset[Place], above: frozenset[str]) -> str:
    """A row's compared columns as JSON text, without the id that the world gave it; a row that it
    refers to and that may be new as well is known by content, too.
    """
    tables = {table for table, _ in created}
    parts = []
    for column, spec in info.columns.items():
        if spec.volatile or (column == info.pk and info.has_generated_key):
            continue
        cell = f'{alias}."{column}"'
        if spec.target is not None and spec.target._info.table in tables:
            cell = _referred(spec.target._info, cell, created, above)
        parts.append(cell)
    return "json_array(" + ", ".join(parts) + ")"


def _referred(
    info: EntityInfo, reference: str, created: frozenset[Place], above: frozenset[str]
) -> str:
    """The content of the row that a reference names; in a circle of tables only whether there is
    one.
    """
    if info.table in above:
        return f"{reference} IS NOT NULL"
    alias = f"n{len(above)}"
    content = _content(info, alias, created, above | {info.table})
    return (
        f'(SELECT {content} FROM "{info.table}" AS {alias} WHERE {alias}."{info.pk}" = {reference})'
    )


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
    places: Iterable[tuple[str, str]], code: str | None = None, refused: Call | None = None
) -> TraceRequirement:
    """The facts were looked up (or the call was refused with the code) before the final message."""
    return TraceRequirement(
        id="looked_up", turn=0, kind="trace", text="The facts that matter were looked up.",
        check=LookedUpCheck(
            must="looked_up", rows=tuple(places), or_refused=code, refused=refused
        ),
    )  # fmt: skip


def asked_requirement(fact: str) -> TraceRequirement:
    """The missing fact was asked for before anything was written."""
    return TraceRequirement(
        id="asked", turn=0, kind="trace",
        text=f"The missing fact ({fact}) was asked for before anything was changed.",
        check=AskedCheck(must="asked", fact=fact, before="writes"),
    )  # fmt: skip


def declined_requirement(check: DeclinedCheck, text: str) -> AnswerRequirement:
    """The final message says that it can't be done."""
    return AnswerRequirement(id="declined", turn=0, kind="answer", text=text, check=check)


def proposed_requirement(check: ProposedCheck) -> TraceRequirement:
    """The call was put to the user, who answered so."""
    return TraceRequirement(
        id="proposed", turn=0, kind="trace",
        text=f"The user was asked about {check.tool}, and {check.answer} it.", check=check,
    )  # fmt: skip


def at_turn(requirement: Requirement, turn: int) -> Requirement:
    """A requirement as it is judged at the end of another turn."""
    if not turn:
        return requirement
    return requirement.model_copy(update={"id": f"{requirement.id}@{turn}", "turn": turn})
