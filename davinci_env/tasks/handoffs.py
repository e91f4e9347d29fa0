"""Hand-overs: what only a person can settle, and wishes whose tool is missing."""

from __future__ import annotations

from ..agents.speaker import HandedOver, Missing
from ..domain import Row, Tool
from ..planning import Binding
from ..planning.bindings import plain_arguments
from ..planning.goals import Plan, Step, Wanted, plan_writes
from ..records import Call, DeclinedCheck, Say
from . import identity
from . import requirements as req
from .acts import act_scene, carry_out, plan_of
from .bench import Bench
from .drafts import Scene
from .missed import NoCandidate
from .words import NoPhrase, Told, Wish


def hand_over_tool(bench: Bench, reason: str, home: str) -> Tool:
    """The domain's hand-over for a reason. Raises NoCandidate where there is none."""
    for tool in bench.domain.tools.values():
        takes = any(reason in p.type.choices for p in tool.parameters)
        if tool.handover and tool.home == home and takes:
            return tool
    raise NoCandidate("no hand-over")


def hand_over_step(bench: Bench, reason: str, home: str = "") -> Step:
    """The hand-over for a reason. Raises NoCandidate where it is blocked, or takes more.

    Args:
        home: the domain that it is about, where several are joined.
    """
    tool = hand_over_tool(bench, reason, home)
    values: dict[str, object] = {}
    for parameter in tool.parameters:
        if parameter.is_person:
            assert parameter.entity is not None
            values[parameter.name] = bench.record(parameter.entity)
        elif reason in parameter.type.choices:
            values[parameter.name] = reason
        elif not parameter.required:
            values[parameter.name] = parameter.default
        else:
            raise NoCandidate("a hand-over that takes more than a reason")
    context = tool.context(dict(values), bench.survey.db, bench.environment.log.entries, {})
    if tool.blockers(context):
        raise NoCandidate("the hand-over is blocked")
    binding = Binding(tool, values, ())
    return Step(binding, plain_arguments(binding))


def concern_scene(bench: Bench) -> Scene:
    """A concern that calls for the hand-over."""
    concerns = list(bench.domain.concerns)
    bench.rng.shuffle(concerns)
    for concern in concerns:
        said = bench.words.concern(concern)
        if said is None:
            continue
        text, reading, row = said
        try:
            step = hand_over_step(bench, concern.reason, concern.home)
            return _handed_over(bench, step, text, reading, row)
        except NoCandidate:
            continue
    raise NoCandidate("no concern")


def _handed_over(
    bench: Bench, step: Step, text: str, reading: dict[str, object], row: Row | None
) -> Scene:
    attributes, reads = bench.reads([step.tool], [], bench.needed([step]))
    changes, results = carry_out(bench.environment, [step])
    if not changes:
        raise NoCandidate("the hand-over changes nothing")
    confirmed = bench.confirm([step])
    reason = str(reading["concern"])
    news = HandedOver(step.tool, step.binding.values, results[0], reason, row)
    final = bench.speaker.report([news])
    bench.speaker.said()
    bench.talk.is_grave = True
    return Scene(
        sentences=[text],
        intents=[dict(reading)],
        steps=[step],
        requirements=[
            req.state_requirement(bench.environment, changes),
            req.frame_requirement("goal"),
        ],
        solution=[
            *reads,
            *confirmed,
            Call(tool=step.tool.name, arguments=step.arguments),
            Say(say=final),
        ],
        facts=identity.facts_of(bench.domain, bench.person, attributes),
        plan=plan_of(bench, [step]),
        attributes=attributes,
    )


# -- a tool is missing -----------------------------------------------------------------------------


def missing_scene(bench: Bench, wanted: Wanted) -> Scene:
    """A wish whose tool isn't listed: it is said which; the policy tells whether to hand over."""
    plan = plan_writes(bench.environment, bench.rng, 1, wanted)
    if plan is None:
        raise NoCandidate("no free write")
    (step,) = plan.steps
    try:
        wish = bench.words.wish(step)
    except NoPhrase:
        raise NoCandidate("no phrase") from None
    return _without(bench, step, wish)


def _without(bench: Bench, step: Step, wish: Wish) -> Scene:
    reason = bench.domain.without_tool
    over = None if reason is None else hand_over_step(bench, reason)
    tools = [] if over is None else [over.tool]
    needed: list[Told] = [] if over is None else bench.needed([over])
    attributes, reads = bench.reads(tools, [], needed)
    steps = [] if over is None else [over]
    changes, _ = carry_out(bench.environment, steps)
    missing = Missing(step.tool, step.binding.values, handed_over=over is not None)
    confirmed = bench.confirm(steps)
    text = bench.speaker.report([missing])
    bench.speaker.said()
    names = [text for group in plan_of(bench, [step])[0]["wish"]["mentions"] for text in group]
    check = DeclinedCheck(concepts=(tuple(dict.fromkeys([*verbs(step.tool), *names])),))
    state = [req.state_requirement(bench.environment, changes)] if changes else []
    return Scene(
        points=[wish],
        intents=[wish.intent],
        steps=steps,
        requirements=[
            *state,
            req.declined_requirement(check, "The message says what can't be done at the moment."),
            req.frame_requirement("goal" if steps else "nothing"),
        ],
        solution=[
            *reads,
            *confirmed,
            *[Call(tool=s.tool.name, arguments=s.arguments) for s in steps],
            Say(say=text),
        ],
        facts=identity.facts_of(bench.domain, bench.person, attributes),
        plan=plan_of(bench, steps),
        attributes=attributes,
        told=wish.told,
        withheld=step,
    )


def verbs(tool: Tool) -> list[str]:
    """The words by which an operation is named: its name's, and the verbs of its ask phrases."""
    words = [w for w in tool.name.split("_") if len(w) > 3]
    for phrase in tool.ask:
        first = phrase.split(" ", 1)[0]
        if len(first) > 2 and first.isalpha() and first not in _LIGHT:
            words.append(first)
    return list(dict.fromkeys(w.lower() for w in words))


_LIGHT = frozenset(
    ("have", "take", "make", "give", "help", "want", "like", "need", "keep", "ask", "get", "put")
)
"""Verbs that say nothing of what is wanted."""


def appears(bench: Bench, before: Scene) -> Scene:
    """The tool is back: the same wish again."""
    step = before.withheld
    if step is None:
        raise NoCandidate("nothing was withheld")
    hidden, bench.environment.appearing = bench.environment.appearing, {}
    try:
        wish = _once_more(bench, step, before)
        scene = act_scene(bench, Plan((step,)), [wish])
    finally:
        bench.environment.appearing = hidden
    scene.act, scene.text, scene.tools = "wish", bench.talk.again(wish), (step.tool.name,)
    scene.forms.add("further-wish")
    return scene


def _once_more(bench: Bench, step: Step, before: Scene) -> Wish:
    """A wish again, its rows called as they were called before."""
    for wish in before.points:
        if isinstance(wish, Wish):
            named = {n: ms[0] for n, ms in wish.by_argument.items() if len(ms) == 1 and ms[0].said}
            try:
                return bench.words.wish(step, mentions=named)
            except NoPhrase:
                break
    return bench.words.wish(step)
