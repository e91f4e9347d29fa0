"""Questions: what a person could ask, as a query with typed answer, decoys and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..agents import phrases
from ..domain import Row
from ..planning import Binding, wire_arguments
from ..planning.goals import Step
from ..records import Call, Slot, Source
from ..state import ColumnInfo, EntityInfo, plain
from .drafts import Bench, NoCandidate
from .requirements import literal, slot_type
from .words import Told, _typed

ASK = (
    "Could you tell me {}?",
    "I'd like to know {}.",
    "Can you look up {} for me?",
    "Please tell me {}.",
    "I'm wondering about {}: can you check?",
)
ASKABLE = ("money", "date", "datetime", "minutes", "int")


@dataclass
class Question:
    """A question with everything that follows from it."""

    text: str
    intent: dict[str, Any]
    slot: Slot
    told: list[Told]
    needed: list[Told]
    places: list[tuple[str, str]]
    row: Row | None
    spec: ColumnInfo
    where: dict[str, Any]
    call: Call | None = None
    clause: str = ""

    def answer(self, bench: Bench, value: Any) -> str:
        """The sentence that answers it."""
        if self.call is not None:
            return phrases.answer_clause(bench.domain, self.clause, self.spec.kind, value)
        if self.row is not None:
            return phrases.answer_attribute(
                bench.domain, phrases.with_id(self.row), self.spec, value
            )
        info = bench.domain.entities[self.slot.name]._info
        what = phrases.what_rows(info, self.where)
        if "count" in self.intent["ask"]:
            return phrases.answer_count(what, value)
        return phrases.answer_sum(bench.domain, self.spec, what, value)


def draw_question(bench: Bench) -> Question:
    """Draw a question about the actor's records. Raises NoCandidate."""
    makers = [_attribute, _attribute, _count, _sum, _told, _told]
    bench.rng.shuffle(makers)
    for maker in makers:
        question = maker(bench)
        if question is not None:
            return question
    raise NoCandidate("question")


def attribute_question(
    bench: Bench, row: Row, column: str, over: str, stale: bool = False
) -> Question:
    """Ask for one column of a row. `stale`: the value at the start is a decoy."""
    info: EntityInfo = row._info
    spec = info.columns[column]
    mention = bench.words.describe(row, bench.survey.rows(row.entity), avoid={column})
    label = str(row) + mention.addition
    query = f'SELECT "{column}" FROM "{info.table}" WHERE "{info.pk}" = {literal(row.id)}'
    slot = Slot(
        name=info.name,
        type=slot_type(spec.kind, spec.choices),  # type: ignore[arg-type]
        expected=Source(over=over, query=query),  # type: ignore[arg-type]
        decoys=Source(over="ref", query=_siblings(info, row, column, stale)),
        cues=(spec.says, str(row)[:1].upper() + str(row)[1:]),
        choices=tuple(str(c) for c in spec.choices),
    )
    spec_row = bench.words.row_spec(row, mention)
    return Question(
        bench.rng.choice(ASK).format(f"the {spec.says} of {label}"),
        {"ask": {"attribute": {"row": spec_row, "column": column}}},
        slot, _typed(row, mention), [(info.name, row.id)], [(info.table, row.id)], row, spec, {},
    )  # fmt: skip


def askable_columns(info: EntityInfo) -> list[str]:
    """Columns with a value worth asking for."""
    return [
        c
        for c, spec in info.columns.items()
        if spec.target is None
        and c != info.pk
        and not (spec.hidden or spec.volatile)
        and (spec.kind in ASKABLE or (spec.choices and spec.kind == "str"))
    ]


def _attribute(bench: Bench) -> Question | None:
    rows = [
        row
        for entity in bench.domain.entities.values()
        for row in bench.survey.rows(entity)
        if entity is not bench.domain.identity and bench.domain.owner_of(row) is not None
    ]
    bench.rng.shuffle(rows)
    for row in rows[:12]:
        columns = [c for c in askable_columns(row._info) if getattr(row, c)]
        quoted = set(phrases_quoted(row._info))
        columns = [c for c in columns if c not in quoted]
        if columns:
            return attribute_question(bench, row, bench.rng.choice(columns), "goal")
    return None


def _told(bench: Bench) -> Question | None:
    """A field of a composed read ("what I would owe if …"), which only that read tells."""
    tools = [t for t in bench.domain.tools.values() if t.tells]
    bench.rng.shuffle(tools)
    for tool in tools:
        for number, binding in enumerate(bench.survey.bindings(tool)):
            question = None if binding.blocked else _told_by(bench, binding)
            if question is not None:
                return question
            if number > 20:
                break
    return None


def _told_by(bench: Bench, binding: Binding) -> Question | None:
    tool = binding.tool
    step = Step(binding, wire_arguments(tool, binding.values))
    start = bench.environment.snapshot()
    result = bench.environment.call(tool.name, step.arguments)
    bench.environment.restore(start)
    bench.environment.release(start)
    values = tool.shape.values(result.data) if result.ok and result.data is not None else {}
    fields = [f for f in tool.tells if values.get(f)]
    if not fields:
        return None
    field = bench.rng.choice(fields)
    phrase = bench.rng.choice(tool.tells[field])
    wish = bench.words.wish(step, phrase)
    kind = tool.shape.kinds()[field].kind
    assert kind is not None
    clause = phrases.fill_clause(bench.domain, tool, binding.values, phrase)
    call = Call(tool=tool.name, arguments=step.arguments)
    slot = Slot(
        name=field,
        type=slot_type(kind, ()),  # type: ignore[arg-type]
        expected=Source(over="goal", call=call, field=field),
        decoys=None,
        cues=(field.replace("_", " "), phrases.second_person(clause)),
    )
    needed = bench.needed([step])
    asked = {"tool": tool.name, "arguments": wish.intent["arguments"], "field": field}
    return Question(
        bench.rng.choice(ASK).format(wish.text),
        {"ask": {"field": {**asked, "clause": phrase}}},
        slot, wish.told, needed, [], None, ColumnInfo(field, kind, False, None), {}, call, clause,
    )  # fmt: skip


def phrases_quoted(info: EntityInfo) -> list[str]:
    """The columns that the label quotes: asking for them gives the answer away."""
    from ..agents.speech import label_paths

    return [p.split(".")[0] for p in label_paths(info)]


def _siblings(info: EntityInfo, row: Row, column: str, stale: bool) -> str:
    """The same column of the owner's other rows, and of the row itself at the start where that is
    stale.
    """
    parent = info.refs[info.owner].column if info.owner else None
    scope = f'"{parent}" IS {literal(getattr(row, parent))}' if parent else "1"
    own = f'"{info.pk}" = {literal(row.id)}'
    where = f"({scope} AND NOT {own})" if not stale else f"({scope} OR {own})"
    return (
        f'SELECT DISTINCT "{column}" FROM "{info.table}" WHERE {where} AND "{column}" IS NOT NULL '
        f"ORDER BY 1 LIMIT 12"
    )


def _groups(bench: Bench) -> list[tuple[EntityInfo, dict[str, Any], list[Row]]]:
    """The actor's rows of entities that belong to the person directly, by lifecycle state."""
    out: list[tuple[EntityInfo, dict[str, Any], list[Row]]] = []
    for entity in bench.domain.entities.values():
        info = entity._info
        if info.owner is None or info.refs[info.owner].target is not bench.domain.identity:
            continue
        rows = bench.survey.rows(entity)
        if info.state_column is None:
            if rows:
                out.append((info, {}, rows))
            continue
        by_state: dict[str, list[Row]] = {}
        for row in rows:
            by_state.setdefault(getattr(row, info.state_column), []).append(row)
        out += [(info, {info.state_column: s}, found) for s, found in sorted(by_state.items())]
    return out


def _count(bench: Bench) -> Question | None:
    groups = [g for g in _groups(bench) if len(g[2]) >= 2]
    if not groups or bench.person is None:
        return None
    info, where, rows = bench.rng.choice(groups)
    what = phrases.what_rows(info, where)
    text = bench.rng.choice(
        (f"How many {what} do I have?", f"Could you tell me how many {what} I have at the moment?")
    )
    spec = ColumnInfo("count", "int", False, None, says="number")
    query = f'SELECT count(*) FROM "{info.table}" WHERE {_scope(bench, info, where)}'
    return _aggregate(bench, info, where, rows, text, "count", spec, query, None)


def _sum(bench: Bench) -> Question | None:
    groups = [
        (info, where, rows, column)
        for info, where, rows in _groups(bench)
        for column, spec in info.columns.items()
        if spec.kind == "money" and not (spec.hidden or spec.volatile) and not spec.optional
        if len(rows) >= 2 and sum(getattr(r, column) for r in rows)
    ]
    if not groups or bench.person is None:
        return None
    info, where, rows, column = bench.rng.choice(groups)
    spec = info.columns[column]
    what = phrases.what_rows(info, where)
    text = bench.rng.choice(
        (
            f"What is the total {spec.says} of my {what}?",
            f"How much is the {spec.says} of my {what} in all?",
        )
    )
    query = f'SELECT sum("{column}") FROM "{info.table}" WHERE {_scope(bench, info, where)}'
    decoy = (
        f'SELECT DISTINCT "{column}" FROM "{info.table}" WHERE {_scope(bench, info, where)} '
        f"ORDER BY 1 LIMIT 12"
    )
    return _aggregate(bench, info, where, rows, text, "sum", spec, query, decoy)


def _scope(bench: Bench, info: EntityInfo, where: dict[str, Any]) -> str:
    assert info.owner is not None and bench.person is not None
    parts = [f'"{info.refs[info.owner].column}" = {literal(bench.person.id)}']
    parts += [f'"{c}" = {literal(plain(v))}' for c, v in where.items()]
    return " AND ".join(parts)


def _aggregate(
    bench: Bench,
    info: EntityInfo,
    where: dict[str, Any],
    rows: Sequence[Row],
    text: str,
    how: str,
    spec: ColumnInfo,
    query: str,
    decoy: str | None,
) -> Question:
    slot = Slot(
        name=info.name,
        type="number" if how == "count" else slot_type(spec.kind, ()),  # type: ignore[arg-type]
        expected=Source(over="goal", query=query),
        decoys=None if decoy is None else Source(over="ref", query=decoy),
        cues=(spec.says, phrases.what_rows(info, where)),
    )
    ask: dict[str, Any] = {"entity": info.name, "where": where, "mine": True}
    if how == "sum":
        ask = {"entity": info.name, "column": spec.attribute, "where": where, "mine": True}
    places = [(info.table, row.id) for row in rows]
    return Question(text, {"ask": {how: ask}}, slot, [], [], places, None, spec, where)
