"""Acts: writes put into a scene, with what they lead to and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..agents import phrases
from ..agents.speaker import Declined
from ..domain import Row
from ..environment import DomainEnvironment
from ..planning.goals import Plan, Step
from ..records import Call, Requirement, Say
from ..state import Change
from . import identity
from . import requirements as req
from .bench import Bench
from .drafts import Scene
from .missed import NoCandidate
from .questions import Question, asked_value
from .words import Told, Wish


@dataclass
class Extra:
    """What a scene has beside its writes.

    Attributes:
        question: asked in the same breath.
        missing: name of the argument of the first step that must be asked for.
        places: rows that the solution must look at, to choose among them.
        forms: what makes it more than a plain wish.
        denied: a wish that a rule forbids, instead of which the writes are done.
        told: further facts that the words tell.
    """

    question: Question | None = None
    missing: str | None = None
    places: list[tuple[str, str]] = field(default_factory=list)
    forms: set[str] = field(default_factory=set)
    denied: tuple[Step, str] | None = None
    told: list[Told] = field(default_factory=list)


def act_scene(
    bench: Bench, plan: Plan, wishes: Sequence[Wish], extra: Extra | None = None
) -> Scene:
    """Put a plan into a scene. The environment is left where it was.

    Raises NoCandidate where no reads lead there, or the writes come to nothing.
    """
    extra = extra or Extra()
    steps, question = plan.steps, extra.question
    tools = [s.tool for s in steps] + (bench.reading_tools(question.about) if question else [])
    told = [fact for wish in wishes for fact in wish.told] + extra.told
    silence = _keep_silent(bench, steps[0], extra.missing) if extra.missing else _Silence()
    told += silence.told
    needed = bench.needed(steps) + (question.needed if question else [])
    places = list(extra.places)
    named: list[Requirement] = []
    if question:
        told += question.told
        places += question.places
    if extra.denied is not None:
        rule, seen, more = _denial(bench, *extra.denied)
        named.append(rule)
        places += seen
        needed += more
        tools.append(extra.denied[0].tool)
    attributes, reads = bench.reads(tools, told, needed, places)
    changes, results = carry_out(bench.environment, steps)
    if not changes:
        raise NoCandidate("the writes cancel out")
    answers, said = _answers(bench, steps, question)
    refused = [_refused(bench, *extra.denied)] if extra.denied is not None else []
    confirmed = bench.confirm(steps, refused)
    refused = [replace(item, again=bool(confirmed)) for item in refused]
    final = _final(bench, steps, results, refused, answers)
    requirements = [
        req.state_requirement(bench.environment, changes),
        req.frame_requirement("goal"),
        *named,
        *silence.requirements,
        *said,
    ]
    goal = [Call(tool=s.tool.name, arguments=s.arguments) for s in steps]
    intents = [w.intent for w in wishes] + ([question.intent] if question else [])
    return Scene(
        points=[*wishes, *([question.ask] if question else [])],
        intents=intents,
        steps=list(steps),
        requirements=requirements,
        solution=[*silence.opening, *reads, *confirmed, *goal, Say(say=final)],
        facts={**identity.facts_of(bench.domain, bench.person, attributes), **silence.facts},
        known=list(silence.facts),
        plan=[*plan_of(bench, steps), *silence.plan],
        forms=_forms(bench, plan) | extra.forms | ({"reply"} if extra.missing else set()),
        attributes=attributes,
        told=told,
        needed=needed,
        focus=main_row(steps[-1]),
        chain=int(plan.chain is not None),
        lookalikes=max((bench.lookalikes(s) for s in steps), default=0),
    )


def _denial(
    bench: Bench, step: Step, code: str
) -> tuple[Requirement, list[tuple[str, str]], list[Told]]:
    """What a wish that a rule forbids demands: the rule is named, its rows are looked at."""
    from .denials import rests_on

    context = bench.declined(step, code, []).context
    rule = next(r for r in step.tool.requires if r.code == code)
    named = req.rule_requirement(bench.domain, code, phrases.concepts_of(rule, context))
    return named, rests_on(bench, step, rule), bench.needed([step])


def _answers(
    bench: Bench, steps: Sequence[Step], question: Question | None
) -> tuple[list[Any], list[Requirement]]:
    if question is None:
        return [], []
    value = asked_value(bench, steps, question)
    return [question.news(value)], [req.answer_requirement([question.slot], "The answer is told.")]


def _final(
    bench: Bench,
    steps: Sequence[Step],
    results: Sequence[dict[str, Any]],
    refused: Sequence[Declined],
    answers: Sequence[Any],
) -> str:
    """The closing message of the golden solution: what can't be done first, then what was done."""
    done = [bench.did(s, data) for s, data in zip(steps, results, strict=True)]
    text = bench.speaker.report([*refused, *done, *answers])
    bench.speaker.said()
    return text


def _refused(bench: Bench, step: Step, code: str) -> Declined:
    """A wish that a rule forbids, settled by what is done instead."""
    rule = next(r for r in step.tool.requires if r.code == code)
    concepts = phrases.concepts_of(rule, bench.declined(step, code, []).context)
    return replace(bench.declined(step, code, concepts), settled=True)


def _forms(bench: Bench, plan: Plan) -> set[str]:
    forms = {"chain"} if plan.chain is not None else set()
    if plan.chain is not None or _dependent(bench, plan.steps):
        forms.add("dependent")
    return forms


def _dependent(bench: Bench, steps: Sequence[Step]) -> bool:
    """Whether two of the writes would not come to the same in the other order."""
    if len(steps) < 2:
        return False
    try:
        forth, _ = carry_out(bench.environment, steps)
        back, _ = carry_out(bench.environment, list(reversed(steps)))
    except NoCandidate:
        return True
    return {(c.table, c.key, repr(c.cells)) for c in forth} != {
        (c.table, c.key, repr(c.cells)) for c in back
    }


def main_row(step: Step) -> Row | None:
    """The row that a step is about: the person's own, else the only one."""
    rows = [
        step.binding.values[p.name]
        for p in step.tool.parameters
        if p.entity is not None
        and not p.type.many
        and not p.entity._info.identity
        and step.binding.values.get(p.name) is not None
    ]
    own = [row for row in rows if row._info.owner is not None]
    return (own or rows or [None])[0]


@dataclass
class _Silence:
    """What follows from an argument that the request keeps silent about."""

    facts: dict[str, Any] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)
    plan: list[dict[str, Any]] = field(default_factory=list)
    opening: list[Call | Say] = field(default_factory=list)
    requirements: list[Requirement] = field(default_factory=list)


def _keep_silent(bench: Bench, step: Step, name: str) -> _Silence:
    """The question that must be asked, and what the user then tells."""
    parameter = next(p for p in step.tool.parameters if p.name == name)
    said, spec, told = bench.words.argument(step, name)
    question = bench.speaker.ask_argument(step.tool, parameter)
    bench.speaker.said()
    return _Silence(
        facts={parameter.wire: spec},
        told=told,
        plan=[
            {
                "tell": parameter.wire,
                "cues": phrases.cues(step.tool, parameter),
                "text": bench.talk.reply(said, parameter),
            }
        ],
        opening=[Say(say=question)],
        requirements=[req.asked_requirement(parameter.wire)],
    )


def plan_of(bench: Bench, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The user's script: what a confirmation of each step must name."""
    return [
        {
            "wish": {
                "tool": s.tool.name,
                "arguments": s.arguments,
                "mentions": bench.words.confirmables(s),
            }
        }
        for s in steps
    ]


def carry_out(
    environment: DomainEnvironment, steps: Sequence[Step]
) -> tuple[list[Change], list[dict[str, Any]]]:
    """The net changes of the steps, and each one's result in wire form; the state is left as it
    was. Raises NoCandidate where a step is refused.
    """
    start = environment.snapshot()
    results = []
    try:
        for step in steps:
            result = environment.call(step.tool.name, step.arguments)
            if not result.ok or result.data is None:
                raise NoCandidate("a planned write is refused")
            results.append(result.data)
        return environment.world.changes_since(start.mark.log_length), results
    finally:
        environment.restore(start)
        environment.release(start)


def ask_first(step: Step, call: Call | Say) -> bool:
    """Whether a call is one of the reads made before a yes to a step."""
    return isinstance(call, Call) and call.tool in step.tool.outcome.reads_first()
