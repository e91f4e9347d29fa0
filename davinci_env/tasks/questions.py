"""Questions: what a person could ask, as a query with typed answer, decoys and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..agents.referents import second_person
from ..agents.speaker import Attribute, Counted, Field, Summed
from ..agents.speech import label_paths
from ..domain import Row
from ..planning import Binding, wire_arguments
from ..planning.goals import Step
from ..records import Call, Slot, Source
from ..state import ColumnInfo, Entity, EntityInfo, parse_value
from ..verify.goals import ask as ask_state
from .bench import Bench
from .filling import roots_of
from .mentions import Mention, typed
from .missed import NoCandidate
from .requirements import literal, slot_type
from .words import Ask, NoPhrase, Told

ASKABLE = ("money", "date", "datetime", "minutes", "int")
Also = list[list[Any]]
Place = tuple[str, str]


@dataclass
class Question:
    """A question with everything that follows from it.

    Attributes:
        places: rows that the solution must look at.
        row: the row that it is about, if it is about one.
        forms: what makes it more than a plain question.
    """

    ask: Ask
    intent: dict[str, Any]
    slot: Slot
    spec: ColumnInfo
    told: list[Told] = field(default_factory=list)
    needed: list[Told] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    row: Row | None = None
    info: EntityInfo | None = None
    where: dict[str, Any] = field(default_factory=dict)
    also: Also = field(default_factory=list)
    call: Call | None = None
    step: Step | None = None
    clause: str = ""
    forms: set[str] = field(default_factory=set)

    @property
    def about(self) -> Entity | None:
        """The entity that it is about, if it isn't about what a read works out."""
        if self.row is not None:
            found: Entity = self.row.entity
            return found
        entity: Entity | None = None if self.info is None else self.info.cls
        return entity

    def news(self, value: Any) -> Attribute | Counted | Summed | Field:
        """The answer as news."""
        if self.step is not None:
            step = self.step
            return Field(step.tool, step.binding.values, self.clause, self.spec.kind, value)
        if self.row is not None:
            return Attribute(self.row, self.spec.attribute, value)
        assert self.info is not None
        if "count" in self.intent["ask"]:
            return Counted(self.info, self.where, self.also, value)
        return Summed(self.info, self.spec, self.where, self.also, value)


def asked_value(bench: Bench, steps: Sequence[Step], question: Question) -> Any:
    """The answer after the steps. Raises NoCandidate where there is none."""
    environment = bench.environment
    start = environment.snapshot()
    try:
        for step in steps:
            environment.call(step.tool.name, step.arguments)
        rows = ask_state(question.slot.expected, environment)
        if not rows or rows[0][0] is None:
            raise NoCandidate("the answer is empty")
        value = parse_value(question.spec.kind, rows[0][0])
        if question.spec.kind == "money" and not value:
            raise NoCandidate("the answer is nothing")
        return value
    finally:
        environment.restore(start)
        environment.release(start)


def named(bench: Bench, name: str) -> str:
    """A slot's name, which differs from turn to turn."""
    return f"{name}@{bench.turn}" if bench.turn else name


# -- one row ---------------------------------------------------------------------------------------


def attribute_question(
    bench: Bench,
    row: Row,
    column: str,
    *,
    stale: bool = False,
    mention: Mention | None = None,
) -> Question:
    """Ask for one column of a row. `stale`: the value at the start is a decoy."""
    info: EntityInfo = row._info
    spec = info.columns[column]
    asked = bench.words.attribute_clause(row, column, mention)
    assert asked.intent is not None and asked.mention is not None
    told_of = bench.spoken.setdefault((info.table, row.id), set())
    told_of |= {path for path in asked.mention.fields if "." not in path} | {column}
    label = str(row)
    query = f'SELECT "{column}" FROM "{info.table}" WHERE "{info.pk}" = {literal(row.id)}'
    slot = Slot(
        name=named(bench, info.name),
        type=slot_type(spec.kind, spec.choices),  # type: ignore[arg-type]
        expected=Source(over="goal", query=query),
        decoys=Source(over="ref", query=_siblings(info, row, column, stale)),
        cues=tuple(dict.fromkeys((spec.says, label[:1].upper() + label[1:], _bare(label)))),
        choices=tuple(str(c) for c in spec.choices),
    )
    told = [] if asked.mention.spec is not None else typed(row, asked.mention)
    return Question(
        asked, dict(asked.intent), slot, spec, told, [(info.name, row.id)],
        [(info.table, row.id)], row,
    )  # fmt: skip


def _bare(label: str) -> str:
    """A label without its article, as in "your copy of …"."""
    article, _, rest = label.partition(" ")
    return rest if article.casefold() in ("the", "a", "an") else label


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


def _own_rows(bench: Bench) -> list[Row]:
    rows = [
        row
        for entity in bench.domain.entities.values()
        for row in bench.survey.rows(entity)
        if not entity._info.identity and bench.domain.owner_of(row) is not None and goes_on(row)
    ]
    bench.rng.shuffle(rows)
    return rows


def goes_on(row: Row) -> bool:
    """Whether a row's lifecycle is not over: people ask about what still concerns them."""
    cycle = row._info.lifecycle
    state = None if cycle is None else getattr(row, row._info.state_column)
    return cycle is None or any(source == state for source, _ in cycle.arcs)


def plain_question(bench: Bench) -> Question | None:
    for row in _own_rows(bench)[:12]:
        column = worth_asking(bench, row)
        if column is not None:
            return attribute_question(bench, row, column)
    return None


def worth_asking(bench: Bench, row: Row, *avoid: str) -> str | None:
    """A column with a value that neither the row's own name gives away nor the conversation has
    told; declared ones first.
    """
    quoted = {p.split(".")[0] for p in label_paths(row._info)} | set(avoid)
    quoted |= bench.spoken.get((row._info.table, row.id), set())
    said = str(row).casefold()
    columns = [
        column
        for column in askable_columns(row._info)
        if (value := getattr(row, column)) and column not in quoted
        if not isinstance(value, str) or value.replace("_", " ") not in said
    ]
    declared = [c for c in columns if row._info.columns[c].asks]
    return bench.rng.choice(declared or columns) if columns else None


def picked_question(bench: Bench) -> Question | None:
    """A column of the row with the least or most of another."""
    for entity in shuffled(bench, bench.domain.entities.values()):
        info: EntityInfo = entity._info
        if info.owner is None or not info.refs[info.owner].target._info.identity:
            continue
        for where, rows in by_state(bench, info):
            found = extreme(bench, rows) if goes_on(rows[0]) else None
            if found is None:
                continue
            row, column, order = found
            asked = worth_asking(bench, row, column, *where)
            if asked is None:
                continue
            mention = bench.words.picked(row, column, order, where)
            question = attribute_question(bench, row, asked, mention=mention)
            question.places = [(info.table, r.id) for r in rows]
            question.forms = {"selection"}
            return question
    return None


def extreme(bench: Bench, rows: Sequence[Row]) -> tuple[Row, str, str] | None:
    """A row that alone has the least or most of a column by which people choose, among three at
    least; none that the conversation was about.
    """
    if len(rows) < 3:
        return None
    for column, order in shuffled(bench, bench.words.pickable(rows[0].entity)):
        values = [getattr(row, column) for row in rows]
        if any(value is None for value in values):
            continue
        best = min(values) if order == "least" else max(values)
        row = rows[values.index(best)]
        if values.count(best) == 1 and (row._info.table, row.id) not in bench.touched:
            return row, column, order
    return None


def by_state(bench: Bench, info: EntityInfo) -> list[tuple[dict[str, Any], list[Row]]]:
    """The rows in scope by lifecycle state, in random order."""
    rows = bench.survey.rows(info.cls)
    if info.state_column is None:
        return [({}, rows)] if rows else []
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(getattr(row, info.state_column), []).append(row)
    found = [({info.state_column: state}, rows) for state, rows in sorted(groups.items())]
    return shuffled(bench, found)


def shuffled(bench: Bench, items: Any) -> list[Any]:
    found = list(items)
    bench.rng.shuffle(found)
    return found


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


# -- composed reads --------------------------------------------------------------------------------


def told_question(bench: Bench) -> Question | None:
    """A field of a composed read ("what I would owe if …"), which only that read tells."""
    for tool in shuffled(bench, [t for t in bench.domain.tools.values() if t.tells]):
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
    environment = bench.environment
    start = environment.snapshot()
    try:
        result = environment.call(tool.name, step.arguments)
    finally:
        environment.restore(start)
        environment.release(start)
    if not result.ok or result.data is None:
        return None
    values = tool.shape.values(result.data)
    spoken = {p.name for p in tool.parameters if not p.implicit and p.wire in step.arguments}
    spoken -= {p.name for p in tool.parameters if p.is_person}
    phrases = {
        name: [text for text in texts if spoken <= roots_of(text)]
        for name, texts in tool.tells.items()
        if name in tool.shape.kinds() and values.get(name)
    }
    fields = [name for name, texts in phrases.items() if texts]
    if not fields:
        return None
    name = bench.rng.choice(fields)
    phrase = bench.rng.choice(phrases[name])
    try:
        asked, wish = bench.words.tells_clause(step, phrase)
    except NoPhrase:
        return None
    kind = tool.shape.kinds()[name].kind
    assert kind is not None
    call = Call(tool=tool.name, arguments=step.arguments)
    slot = Slot(
        name=named(bench, name),
        type=slot_type(kind, ()),  # type: ignore[arg-type]
        expected=Source(over="goal", call=call, field=name),
        decoys=None,
        cues=(name.replace("_", " "), second_person(asked.clause)),
    )
    reading = {"tool": tool.name, "arguments": wish.intent["arguments"], "field": name}
    return Question(
        asked, {"ask": {"field": {**reading, "clause": phrase}}}, slot,
        ColumnInfo(name, kind, False, None), wish.told, bench.needed([step]), call=call, step=step,
        clause=phrase,
    )  # fmt: skip
