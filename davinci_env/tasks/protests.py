"""Second thoughts within a turn: a confirmation that is declined or corrected."""

from __future__ import annotations

from typing import Any

from ..agents.speaker import Left
from ..domain import Parameter, Tool
from ..planning.goals import Plan, Step, Wanted, sound
from ..records import Call, ProposedCheck, Say
from . import identity
from . import requirements as req
from .acts import Extra, act_scene, ask_first, main_row, plan_of
from .bench import Bench
from .drafts import Scene
from .missed import NoCandidate

LOOK_AT = 120
"""Calls of a tool that are looked at."""

TIMES = 5
"""How often an argument that depends on the others is drawn, to find another value."""


def _confirmed_steps(bench: Bench, wanted: Wanted) -> Any:
    """Free steps of tools that need a yes."""
    tools = [t for t in bench.survey.writes() if t.confirmation is not None and wanted(t) > 0]
    bench.rng.shuffle(tools)
    for tool in tools:
        for number, binding in enumerate(bench.survey.bindings(tool)):
            if number > LOOK_AT:
                break
            if not binding.blocked:
                step = sound(bench.environment, binding)
                if step is not None:
                    yield step
                    break


def decline(bench: Bench, wanted: Wanted) -> Scene:
    """A wish that the person doesn't want any more, once they hear what follows."""
    for step in _confirmed_steps(bench, wanted):
        reason = bench.talk.second_thought([step.tool.name])
        if not reason:
            continue
        try:
            wish = bench.words.wish(step)
            attributes, reads = bench.reads([step.tool], wish.told, bench.needed([step]))
        except NoCandidate:
            continue
        return _declined(bench, step, wish, attributes, reads, reason)
    raise NoCandidate("nothing to decline")


def _declined(
    bench: Bench, step: Step, wish: Any, attributes: tuple[str, ...], reads: list[Call], reason: str
) -> Scene:
    (item,) = plan_of(bench, [step])
    item["wish"] |= {"answer": "declined", "text": bench.talk.decline(reason)}
    asked = bench.confirm([step])
    final = bench.speaker.report([Left(step.tool, step.binding.values)])
    bench.speaker.said()
    check = ProposedCheck(
        must="proposed", tool=step.tool.name, arguments=step.arguments, answer="declined"
    )
    return Scene(
        points=[wish],
        intents=[wish.intent],
        requirements=[
            req.proposed_requirement(check),
            req.frame_requirement("nothing"),
        ],
        solution=[*reads, *asked, Say(say=final)],
        facts=identity.facts_of(bench.domain, bench.person, attributes),
        plan=[item],
        forms={"decline", "change-of-mind"},
        attributes=attributes,
        told=wish.told,
        needed=bench.needed([step]),
        focus=main_row(step),
        lookalikes=bench.lookalikes(step),
    )


def second_choice(bench: Bench, wanted: Wanted) -> Scene:
    """A wish that the person corrects at the confirmation: another row, or another value."""
    for step in _confirmed_steps(bench, wanted):
        for parameter in _correctable(bench, step.tool, step):
            other = _other_than(bench, step, parameter)
            if other is None:
                continue
            try:
                return _corrected(bench, other, step, parameter)
            except NoCandidate:
                continue
    raise NoCandidate("nothing to correct")


def _correctable(bench: Bench, tool: Tool, step: Step) -> list[Parameter]:
    found = [
        p
        for p in tool.parameters
        if not p.implicit
        and p.wire in step.arguments
        and not p.type.many
        and not p.type.choices  # nobody mistakes one word of a few for another
        and not p.is_free_text
        and not p.is_person
    ]
    bench.rng.shuffle(found)
    return found


def _other_than(bench: Bench, step: Step, parameter: Parameter) -> Step | None:
    """A free call that differs in one argument: what the person says first."""
    same = {p.name: step.binding.values[p.name] for p in step.tool.parameters if p is not parameter}
    for number, binding in enumerate(bench.survey.bindings(step.tool, same, TIMES)):
        if number > LOOK_AT:
            return None
        if (
            not binding.blocked
            and binding.values[parameter.name] != step.binding.values[parameter.name]
        ):
            return sound(bench.environment, binding)
    return None


def _corrected(bench: Bench, first: Step, step: Step, parameter: Parameter) -> Scene:
    """The person says `first`, and at the confirmation that they meant `step`."""
    wish = bench.words.wish(first)
    said, spec, told = bench.words.argument(step, parameter.name)
    extra = Extra(forms={"correction", "change-of-mind"}, told=told)
    scene = act_scene(bench, Plan((step,)), [wish], extra)
    attributes, reads = bench.reads([step.tool], [*wish.told, *told], bench.needed([first, step]))
    (item,) = plan_of(bench, [first])
    item["wish"] |= {
        "answer": "declined",
        "text": bench.talk.correction(said),
        "correct": {"argument": parameter.wire, "value": spec},
    }
    scene.plan = [item, *scene.plan]
    scene.attributes = attributes
    scene.facts = identity.facts_of(bench.domain, bench.person, attributes)
    begin = next(
        i
        for i, s in enumerate(scene.solution)
        if isinstance(s, Say) or bench.domain.tools[s.tool].kind == "write"
    )
    while begin and ask_first(step, scene.solution[begin - 1]):
        begin -= 1
    scene.solution = [*reads, *bench.confirm([first]), *scene.solution[begin:]]
    scene.needed = bench.needed([first, step])
    return scene
