"""Follow-ups: what a person wants next. Each draws a later scene from the state that the scene
before led to, or raises NoCandidate.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..agents import phrases
from ..domain import Row, Rule, Tool
from ..planning import Binding
from ..planning.bindings import plain_arguments
from ..planning.goals import Plan, Step, free_by
from ..planning.undoing import takes_back, wipes_out
from ..records import DeclinedCheck, Say
from . import requirements as req
from .acts import Extra, act_scene, main_row
from .asking import ask_scene, draw_question
from .bench import Bench
from .denials import blocked_by, deny_scene
from .drafts import Scene
from .fallbacks import free_about, rules_first
from .forms import Form
from .missed import NoCandidate
from .questions import attribute_question, goes_on, worth_asking
from .words import NoPhrase

RULES = 4
"""Rules that are tried for a refusal, so that no easy one is met too often."""

AGENT_RULES = 0.9
"""How often rules that the agent itself has to keep come first in a refusal."""

FollowUp = Callable[[Bench, Scene], Scene]


def further(form: Form) -> FollowUp:
    """A further wish: to change something else, about other rows, in this form."""

    def draw(bench: Bench, before: Scene) -> Scene:
        used = {step.tool.name for step in before.steps}

        def wanted(item: Tool | Rule) -> float:
            return 0.0 if isinstance(item, Tool) and item.name in used else 1.0

        scene = form(bench, wanted)
        if _rows(scene) & _rows(before):
            raise NoCandidate("the same rows again")
        return _said(scene, bench.talk.further(scene.points))

    return draw


def _rows(scene: Scene) -> set[tuple[str, str]]:
    """The rows that the writes of a scene are about."""
    rows = [main_row(step) for step in scene.steps]
    return {(row._info.table, row.id) for row in rows if row is not None}


def further_denied(bench: Bench, before: Scene) -> Scene:
    """A further wish, which a rule forbids."""
    used = {step.tool.name for step in before.steps}
    tools = [tool for tool in bench.survey.writes() if tool.name not in used]
    bench.rng.shuffle(tools)
    for rule in rules_first(bench, AGENT_RULES)[:RULES]:
        for tool in tools:
            governed = any(r.code == rule.code for r in tool.requires)
            binding = blocked_by(bench, tool.name, rule.code) if governed else None
            if binding is None:
                continue
            step = Step(binding, plain_arguments(binding))
            try:
                scene = deny_scene(bench, step, bench.words.wish(step), rule.code)
            except NoCandidate:
                continue
            return _said(scene, bench.talk.further(scene.points))
    raise NoCandidate("nothing is forbidden")


def further_question(bench: Bench, before: Scene) -> Scene:
    """A further wish: to know something, perhaps about the row that was just spoken of."""
    question = None
    row = before.focus
    if row is not None and row._info.owner is not None and bench.rng.random() < 0.5:
        fresh = bench.environment.row(row._info.table, row.id)
        column = None if fresh is None or not goes_on(fresh) else worth_asking(bench, fresh)
        if fresh is not None and column is not None:
            mention = bench.words.reference(fresh.entity, "last")
            question = attribute_question(bench, fresh, column, mention=mention)
    question = question or draw_question(bench)
    scene = ask_scene(bench, question)
    return _said(scene, bench.talk.further(scene.points))


def act_on_answer(bench: Bench, before: Scene) -> Scene:
    """After a question about a row: do something with it."""
    if before.focus is None or before.steps:
        raise NoCandidate("nothing was asked about")
    step = _about(bench, before.focus, lambda tool: True)
    if step is None:
        raise NoCandidate("nothing to do about it")
    wish = _referring(bench, step, before.focus, "last")
    scene = act_scene(bench, Plan((step,)), [wish])
    return _said(scene, bench.talk.further(scene.points))


def undo(bench: Bench, before: Scene) -> Scene:
    """A change of mind: take back what was just done, for a reason."""
    for place in reversed(range(len(before.steps))):
        step = before.steps[place]
        reason = bench.talk.second_thought([step.tool.name])
        if not reason:
            continue
        for row, ref in _touched(bench, step):
            if ref == "last" and _another(before.steps[place + 1 :], row):
                continue
            back = _about(bench, row, functools.partial(wipes_out, step.tool)) or _about(
                bench, row, functools.partial(takes_back, step.tool)
            )
            if back is None:
                continue
            try:
                wish = _referring(bench, back, row, ref)
                scene = act_scene(
                    bench, Plan((back,)), [wish], Extra(forms={"undo", "change-of-mind"})
                )
            except NoCandidate:
                continue
            scene.forms.add("dependent")
            return _said(scene, bench.talk.undo(wish, reason))
    raise NoCandidate("nothing can be taken back")


def _touched(bench: Bench, step: Step) -> list[tuple[Row, str]]:
    """The row that a step made, then the one that it was about."""
    found: list[tuple[Row, str]] = []
    environment = bench.environment
    for change in reversed(environment.world.changes()):
        row = environment.row(change.table, change.key)
        if row is None or change.op != "+":
            continue
        owner = bench.domain.owner_of(row)
        if owner is not None and owner is bench.person:
            found.append((row, "made"))
            break
    row = main_row(step)
    if row is not None and environment.row(row._info.table, row.id) is not None:
        fresh = environment.row(row._info.table, row.id)
        assert fresh is not None
        found.append((fresh, "last"))
    return found


def _another(steps: Sequence[Step], row: Row) -> bool:
    """Whether one of these steps is about another row of the same kind, which "it" would mean."""
    about = [main_row(step) for step in steps]
    return any(
        other is not None and other.entity is row.entity and other.id != row.id for other in about
    )


def _about(bench: Bench, row: Row, fits: Callable[[Tool], bool]) -> Step | None:
    """A free write with this row as an argument."""
    tools = [t for t in bench.survey.writes() if fits(t)]
    bench.rng.shuffle(tools)
    for tool in tools:
        step = free_about(bench, tool, row)
        if step is not None:
            return step
    return None


def _referring(bench: Bench, step: Step, row: Row, ref: str) -> Any:
    """A wish that speaks of a row as "it"."""
    name = next(p.name for p in step.tool.parameters if step.binding.values.get(p.name) is row)
    mention = bench.words.reference(row.entity, ref)
    try:
        return bench.words.wish(step, mentions={name: mention})
    except NoPhrase:
        raise NoCandidate("no phrase that speaks of it") from None


def push_back(bench: Bench, before: Scene) -> Scene:
    """A protest against a refusal. The answer stays no, and nothing changes."""
    if before.denied is None:
        raise NoCandidate("nothing was refused")
    step, code = before.denied
    declined = bench.declined(step, code, [])
    assert declined.rule is not None
    concepts = phrases.concepts_of(declined.rule, declined.context)
    text = bench.speaker.firm(bench.declined(step, code, concepts))
    bench.speaker.said()
    return Scene(
        act="push-back",
        text=bench.talk.push_back(),
        intents=[{"insist": True}],
        requirements=[
            req.declined_requirement(DeclinedCheck(), "The refusal stands."),
            req.frame_requirement("nothing"),
        ],
        solution=[Say(say=text)],
        plan=[],
        attributes=before.attributes,
        forms={"push-back"},
        focus=before.focus,
        denied=before.denied,
    )


def remedy(bench: Bench, before: Scene) -> Scene:
    """After a refusal: do what lifts the block, then what was wanted."""
    if before.denied is None:
        raise NoCandidate("nothing was refused")
    step, code = before.denied
    environment = bench.environment
    start = environment.snapshot()
    try:
        blocked = Binding(step.tool, step.binding.values, (code,))
        plan = free_by(environment, bench.survey, blocked, start)
    finally:
        environment.restore(start)
        environment.release(start)
    if plan is None:
        raise NoCandidate("nothing lifts the block")
    lift, again = bench.words.wishes(plan.steps)
    scene = act_scene(bench, plan, [lift, again])
    return _said(scene, bench.talk.remedy(lift, again))


def _said(scene: Scene, text: str) -> Scene:
    """A further wish in these words."""
    scene.act, scene.text = "wish", text
    scene.forms.add("further-wish")
    return scene
