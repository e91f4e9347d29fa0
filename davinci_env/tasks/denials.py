"""Denials: a request that one rule forbids, with its feasible twin in the same words."""

from __future__ import annotations

import random

from ..agents import phrases
from ..domain import Rule
from ..environment import DomainEnvironment
from ..planning import Binding, support_of
from ..planning.bindings import plain_arguments
from ..planning.goals import Plan, Step, Wanted, first_free, forbids_alone
from ..records import Call, Requirement, Say
from . import identity
from . import requirements as req
from .acts import act_draft
from .drafts import Bench, Draft, NoCandidate
from .words import Wish


def draw_deny(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Ask for what one rule forbids; the twin asks for the same where nothing forbids it."""
    bench = Bench(environment, rng)
    rules = [r for r in bench.domain.rules.values() if can_deny(r) and wanted(r) > 0]
    rules.sort(key=lambda r: -wanted(r) * rng.random())
    for rule in rules:
        tools = [t for t in bench.survey.writes() if any(r.code == rule.code for r in t.requires)]
        rng.shuffle(tools)
        for tool in tools:
            blocked = _blocked_by(bench, tool.name, rule.code)
            free = first_free(bench.survey, tool) if blocked is not None else None
            if blocked is None or free is None:
                continue
            try:
                return _deny_pair(bench, blocked, free, rule.code)
            except NoCandidate:
                continue
    raise NoCandidate("no rule forbids anything alone")


def can_deny(rule: Rule) -> bool:
    """Whether a refusal can rest on a rule: it is no procedure, and can be told in words."""
    procedural = rule.kind is not None or "log" in rule.arguments
    return not procedural and (bool(rule.concepts) or any(p.concepts for p in rule.parts))


def _blocked_by(bench: Bench, tool: str, code: str) -> Binding | None:
    for number, binding in enumerate(bench.survey.bindings(bench.domain.tools[tool])):
        if binding.blocked == (code,) and forbids_alone(bench.environment, binding, code):
            return binding
        if number > 200:
            return None
    return None


def _deny_pair(bench: Bench, blocked: Binding, free: Binding, code: str) -> list[Draft]:
    tool = blocked.tool
    pair = f"deny:{tool.name}:{bench.rng.randrange(10**9)}"
    phrase = bench.words.phrase(tool)
    step = Step(blocked, plain_arguments(blocked))
    twin = Step(free, plain_arguments(free))
    denied = _denied(bench, step, bench.words.wish(step, phrase), code, pair)
    feasible = act_draft(bench, Plan((twin,)), [bench.words.wish(twin, phrase)], pair=pair)
    return [denied, feasible]


def _denied(bench: Bench, step: Step, wish: Wish, code: str, pair: str) -> Draft:
    rule = next(r for r in step.tool.requires if r.code == code)
    context = step.tool.context(dict(step.binding.values), bench.survey.db, [], step.arguments)
    support = support_of(rule, context)
    places = [*support.direct, *support.listed]
    if not places and rule.by == "agent":
        raise NoCandidate("a rule that rests on no record")
    needed = bench.needed([step])
    attempt: list[Call] = []
    try:
        if not places:
            raise NoCandidate("nothing to look up")
        attributes, reads = bench.reads([step.tool], wish.told, needed, places)
    except NoCandidate:
        if rule.by == "agent":
            raise
        attributes, reads = bench.reads([step.tool], wish.told, needed)
        attempt = [Call(tool=step.tool.name, arguments=step.arguments)]
    because = phrases.because_of(rule, context, bench.domain, bench.rng)
    concepts = phrases.concepts_of(rule, context)
    said = phrases.refusal(bench.domain, bench.describe(step), rule, because, bench.rng, concepts)
    introduction = identity.introduce(bench.domain, bench.person, attributes)
    return Draft(
        kind="deny",
        text=bench.request(introduction, bench.sentences([wish])),
        intents=[wish.intent],
        facts=identity.facts_of(bench.person, attributes),
        requirements=[
            req.rule_requirement(bench.domain, code, concepts),
            _looked_up(step, rule, places),
            req.frame_requirement("nothing"),
            req.policy_requirement(),
        ],
        solution=[
            *reads,
            *(bench.confirm([step]) if attempt else []),
            *attempt,
            Say(say=said),
        ],
        goal=[],
        plan=bench.plan_of([step], [wish]),
        answer={"rule": code},
        pair=pair,
    )


def _looked_up(step: Step, rule: Rule, places: list[tuple[str, str]]) -> Requirement:
    """The rows were seen; or, of a tool's own rule, this very call was refused by it."""
    if rule.by == "agent":
        return req.looked_up_requirement(places)
    roots = rule.roots()
    wires = [p.wire for p in step.tool.parameters if p.name in roots and p.wire in step.arguments]
    call = Call(tool=step.tool.name, arguments={wire: step.arguments[wire] for wire in wires})
    return req.looked_up_requirement(places, rule.code, call)
