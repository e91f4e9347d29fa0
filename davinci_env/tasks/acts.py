"""Acts: a plan of writes put into a draft, with what it leads to and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..agents import phrases
from ..domain import Parameter
from ..environment import DomainEnvironment
from ..planning.goals import Plan, Step
from ..records import Call, Requirement, Say
from ..state import Change, parse_value
from ..verify.goals import ask
from . import identity
from . import requirements as req
from .drafts import Bench, Draft, NoCandidate
from .questions import Question
from .words import Told, Wish


def act_draft(
    bench: Bench,
    plan: Plan,
    wishes: Sequence[Wish],
    *,
    question: Question | None = None,
    missing: str | None = None,
    pair: str | None = None,
) -> Draft:
    """Put a plan into a draft; `missing` names the argument that must be asked for."""
    steps = plan.steps
    tools = [s.tool for s in steps] + (bench.reading_tools() if question else [])
    told = [fact for wish in wishes for fact in wish.told]
    silence = _keep_silent(bench, steps[0], missing) if missing else _Silence()
    told += silence.told
    requirements = list(silence.requirements)
    needed = bench.needed(steps) + (question.needed if question else [])
    if question:
        told += question.told
    attributes, reads = bench.reads(tools, told, needed)
    changes, results = carry_out(bench.environment, steps)
    if not changes:
        raise NoCandidate("the writes cancel out")
    facts = {**identity.facts_of(bench.person, attributes), **silence.facts}
    sentences = bench.sentences(wishes) + ([question.text] if question else [])
    final = _final(bench, steps, results, quote=question is None)
    if question:
        requirements.append(req.answer_requirement([question.slot], "The answer is told."))
        value = asked_value(bench, steps, question)
        said = phrases.say_of(bench.domain, question.spec, value)
        if any(said in sentence for sentence in sentences):
            raise NoCandidate("the request gives the answer away")
        final += " " + question.answer(bench, value)
    requirements = [
        req.state_requirement(bench.environment, changes),
        req.frame_requirement("goal"),
        *requirements,
        req.policy_requirement(),
    ]
    goal = [Call(tool=s.tool.name, arguments=s.arguments) for s in steps]
    introduction = identity.introduce(bench.domain, bench.person, attributes)
    return Draft(
        kind="clarify" if missing else "act+ask" if question else "act",
        text=bench.request(introduction, sentences),
        intents=[w.intent for w in wishes] + ([question.intent] if question else []),
        facts=facts,
        requirements=requirements,
        solution=[*silence.opening, *reads, *bench.confirm(steps), *goal, Say(say=final)],
        goal=goal,
        known=list(silence.facts),
        plan=[*bench.plan_of(steps, wishes), *silence.plan],
        answer=None,
        chain=int(plan.chain is not None),
        pair=pair,
    )


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
    cues, text = phrases.cues(step.tool, parameter), _telling(parameter, said, bench)
    return _Silence(
        facts={parameter.wire: spec},
        told=told,
        plan=[{"tell": parameter.wire, "cues": cues, "text": text}],
        opening=[Say(say=phrases.question(step.tool, parameter, bench.rng))],
        requirements=[req.asked_requirement(parameter.wire)],
    )


def _telling(parameter: Parameter, said: str, bench: Bench) -> str:
    if parameter.entity is not None:
        return bench.rng.choice(("I mean {}.", "It's {}.", "{}, please.")).format(said)
    return bench.rng.choice(("{}, please.", "Let's say {}.", "It's {}.")).format(said)


def carry_out(
    environment: DomainEnvironment, steps: Sequence[Step]
) -> tuple[list[Change], list[dict[str, Any]]]:
    """The net changes of the steps, and each one's result row as Python values; the state is left
    as it was.
    """
    start = environment.snapshot()
    results = []
    try:
        for step in steps:
            result = environment.call(step.tool.name, step.arguments)
            if not result.ok or result.data is None:
                raise NoCandidate("a planned write is refused")
            results.append(result.data)
        changes = environment.world.changes()
        base = start.mark.log_length
        if base:
            changes = environment.world.changes_since(base)
        return changes, results
    finally:
        environment.restore(start)
        environment.release(start)


def _final(
    bench: Bench, steps: Sequence[Step], results: Sequence[dict[str, Any]], *, quote: bool
) -> str:
    """The closing message: what was done, with the fields that the domain says to quote."""
    facts: list[str] = []
    if quote:
        for step, data in zip(steps, results, strict=True):
            facts += phrases.quoted(bench.domain, step.tool, data, named=len(steps) > 1)
        facts = phrases.latest(facts)
    return phrases.done([bench.describe(s) for s in steps], facts, bench.rng)


def asked_value(bench: Bench, steps: Sequence[Step], question: Question) -> Any:
    """The answer after the steps."""
    environment = bench.environment
    start = environment.snapshot()
    try:
        for step in steps:
            environment.call(step.tool.name, step.arguments)
        rows = ask(question.slot.expected, environment)
        if not rows or rows[0][0] is None:
            raise NoCandidate("the answer is empty")
        return parse_value(question.spec.kind, rows[0][0])
    finally:
        environment.restore(start)
        environment.release(start)
