"""Goal forms: plain writes, chains, one row picked among several, batches; some form of these.

Each draws a scene of writes from the present state, or raises NoCandidate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..agents.speech import label_paths, plain_at
from ..domain import Parameter, Row, Rule, Tool
from ..planning import Binding, plan_chain, plan_writes
from ..planning.bindings import plain_arguments
from ..planning.goals import Plan, Step, Wanted, obeys, sound
from ..planning.undoing import takes_back, wipes_out
from ..state import plain
from .acts import Extra, act_scene, main_row
from .bench import Bench
from .denials import LOOK_AT
from .drafts import Scene
from .fallbacks import fallback
from .missed import NoCandidate
from .questions import extreme
from .totals import limited

LENGTHS = (1, 2, 2, 3)
"""How many writes a plain request asks for, drawn evenly."""

MOST_IN_A_BATCH = 4

TIMES = 5
"""How often the arguments that depend on a row are drawn, until a call about it is free."""

Form = Callable[[Bench, Wanted], Scene]


def plain_writes(bench: Bench, wanted: Wanted, length: int | None = None) -> Scene:
    """Some writes."""
    return _wished(bench, plain_plan(bench, wanted, length or bench.rng.choice(LENGTHS)))


def plain_plan(bench: Bench, wanted: Wanted, length: int) -> Plan:
    """Some writes, up to so many, that have nothing to do with each other."""
    plan = plan_writes(bench.environment, bench.rng, length, wanted)
    if plan is None:
        raise NoCandidate("no free write")
    return plan


def chain(bench: Bench, wanted: Wanted) -> Scene:
    """A write that is blocked until another one lifts what blocks it."""
    return _wished(bench, chain_plan(bench, wanted))


def chain_plan(bench: Bench, wanted: Wanted) -> Plan:
    """A blocked write, behind the one that lifts what blocks it."""
    plan = plan_chain(bench.environment, bench.rng, wanted)
    if plan is None or _to_and_fro(plan):
        raise NoCandidate("no chain")
    return plan


def _wished(bench: Bench, plan: Plan) -> Scene:
    return act_scene(bench, plan, bench.words.wishes(plan.steps))


def _to_and_fro(plan: Plan) -> bool:
    """Whether a chain gives something up only to get the same again, does to a row what it undoes
    at once, or does to it the same twice, which would only outwit the rule.
    """
    first, last = plan.steps
    names = [_names(main_row(step)) for step in (first, last)]
    if takes_back(last.tool, first.tool) and names[0] & names[1]:
        return True
    twice = first.tool is last.tool
    undone = takes_back(first.tool, last.tool) or wipes_out(first.tool, last.tool)
    shared = any(row in last.binding.rows for row in first.binding.rows)
    return shared and (twice or undone)


def _names(row: Row | None) -> set[str]:
    """The texts that a row's label quotes."""
    if row is None:
        return set()
    return {str(plain_at(row, path)) for path in label_paths(row._info)}


# -- selection -------------------------------------------------------------------------------------


def selection(bench: Bench, wanted: Wanted) -> Scene:
    """A write for the row that comes first, costs most, …, of at least three."""
    for tool, parameter in _row_arguments(bench, wanted):
        rows = bench.words.candidates(tool, parameter)
        where, rows = _narrowed(bench, parameter, rows)
        found = extreme(bench, rows)
        if found is None or len(rows) > LOOK_AT:
            continue
        row, column, order = found
        step = _step_for(bench, tool, parameter, row)
        if step is None:
            continue
        mention = bench.words.picked(row, column, order, where)
        extra = Extra(forms={"selection"}, places=[(row._info.table, other.id) for other in rows])
        try:
            wish = bench.words.wish(step, mentions={parameter.name: mention})
            wish.told = [t for t in wish.told if t[0] != row._info.name]
            return act_scene(bench, Plan((step,)), [wish], extra)
        except NoCandidate:
            continue
    raise NoCandidate("nothing to pick")


def _row_arguments(bench: Bench, wanted: Wanted) -> Iterator[tuple[Tool, Parameter]]:
    pairs = [
        (tool, p)
        for tool in bench.survey.writes()
        if wanted(tool) > 0
        for p in tool.parameters
        if p.entity is not None
        and not p.implicit
        and not p.type.many
        and p.required
        and not p.is_person
    ]
    bench.rng.shuffle(pairs)
    return iter(pairs)


def _narrowed(
    bench: Bench, parameter: Parameter, rows: Sequence[Row]
) -> tuple[dict[str, Any], list[Row]]:
    """The rows of one kind, where there are kinds and many rows."""
    assert parameter.entity is not None
    info = parameter.entity._info
    state = info.state_column
    columns = [c for c, s in info.columns.items() if s.choices and s.kind == "str" and c != state]
    if not columns or len(rows) < 6:
        return {}, list(rows)
    column = bench.rng.choice(columns)
    values = sorted({str(getattr(row, column)) for row in rows if getattr(row, column)})
    if not values:
        return {}, list(rows)
    value = bench.rng.choice(values)
    return {column: plain(value)}, [r for r in rows if str(getattr(r, column)) == value]


def _step_for(bench: Bench, tool: Tool, parameter: Parameter, row: Row) -> Step | None:
    """A free call of a tool with this row as an argument."""
    for number, binding in enumerate(bench.survey.bindings(tool, {parameter.name: row}, TIMES)):
        if not binding.blocked:
            return sound(bench.environment, binding)
        if number > LOOK_AT:
            return None
    return None


# -- batch -----------------------------------------------------------------------------------------


def batch(bench: Bench, wanted: Wanted) -> Scene:
    """The same for all rows that meet a condition."""
    for tool, parameter in _row_arguments(bench, wanted):
        assert parameter.entity is not None
        others = [
            p for p in tool.parameters if p is not parameter and p.required and not p.implicit
        ]
        if parameter.entity._info.owner is None or any(not p.is_person for p in others):
            continue
        found = _batch(bench, tool, parameter)
        if found is not None:
            return found
    raise NoCandidate("no batch")


def _batch(bench: Bench, tool: Tool, parameter: Parameter) -> Scene | None:
    assert parameter.entity is not None
    info = parameter.entity._info
    candidates = bench.words.candidates(tool, parameter)
    where, rows = _one_state(bench, info, candidates)
    if len(rows) < sum(_is_in(row, where) for row in bench.survey.rows(parameter.entity)):
        return None  # "all of them" would be more
    also: list[list[Any]] = []
    columns = [
        (c, s.kind)
        for c, s in info.columns.items()
        if s.kind in ("date", "money") and c in info.superlatives
        if not (s.hidden or s.volatile or s.optional)
    ]
    bench.rng.shuffle(columns)
    for column, kind in columns:
        if 2 <= len(rows) <= MOST_IN_A_BATCH:
            break  # no limit is needed
        parted = limited(bench, rows, column, kind)
        if parted is not None and 2 <= len(parted[1]) <= MOST_IN_A_BATCH:
            also, rows = parted
            break
    if not 2 <= len(rows) <= MOST_IN_A_BATCH:
        return None
    steps = _steps_for_all(bench, tool, parameter, sorted(rows, key=lambda row: row.id))
    if steps is None:
        return None
    mention = bench.words.every(parameter.entity, where, also)
    extra = Extra(forms={"batch"}, places=[(info.table, row.id) for row in candidates])
    try:
        wish = bench.words.wish(steps[0], mentions={parameter.name: mention})
        wish.told = []
        scene = act_scene(bench, Plan(tuple(steps)), [wish], extra)
        scene.focus = None  # several rows are meant
        return scene
    except NoCandidate:
        return None


def _one_state(bench: Bench, info: Any, rows: Sequence[Row]) -> tuple[dict[str, Any], list[Row]]:
    """The rows in one state, where the tool accepts several."""
    if info.state_column is None:
        return {}, list(rows)
    states = sorted({getattr(row, info.state_column) for row in rows})
    if not states:
        return {}, []
    state = bench.rng.choice(states)
    return {info.state_column: state}, [r for r in rows if getattr(r, info.state_column) == state]


def _is_in(row: Row, where: dict[str, Any]) -> bool:
    return all(getattr(row, column) == value for column, value in where.items())


def _steps_for_all(
    bench: Bench, tool: Tool, parameter: Parameter, rows: Sequence[Row]
) -> list[Step] | None:
    """A free call for each row, one after the other; None where one is blocked."""
    environment = bench.environment
    start = environment.snapshot()
    steps: list[Step] = []
    try:
        for row in rows:
            values = {
                p.name: bench.record(p.entity)
                for p in tool.parameters
                if p.entity is not None and p.is_person
            }
            defaults = {p.name: p.default for p in tool.parameters if not p.required}
            bound = {**defaults, **values, parameter.name: row}
            context = tool.context(dict(bound), bench.survey.db, environment.log.entries, {})
            if tool.blockers(context):
                return None
            step = Step(Binding(tool, bound, ()), plain_arguments(Binding(tool, bound, ())))
            if not obeys(environment, step):
                return None
            steps.append(step)
        return steps
    finally:
        environment.restore(start)
        environment.release(start)


SHARES: dict[str, tuple[float, Form]] = {
    "plain": (0.04, plain_writes),
    "chain": (0.66, chain),
    "selection": (0.05, selection),
    "batch": (0.17, batch),
    "fallback": (0.18, fallback),
}
"""How often each form is tried first."""


def any_tool(item: Tool | Rule) -> float:
    """Nothing is wanted more than anything else."""
    return 1.0


def draw_writes(bench: Bench, wanted: Wanted) -> Scene:
    """A scene of writes of some form; where one finds nothing, the next is tried. Plain ones go by
    what is wanted.
    """
    names = list(SHARES)
    order: list[str] = []
    while names:
        (name,) = bench.rng.choices(names, [SHARES[n][0] for n in names])
        names.remove(name)
        order.append(name)
    for name in order:
        try:
            return SHARES[name][1](bench, wanted if name == "plain" else any_tool)
        except NoCandidate:
            continue
    raise NoCandidate("no free write")
