"""Denials: a request that one rule forbids, with its feasible twin in the same words."""

from __future__ import annotations

from ..agents import phrases
from ..domain import Rule
from ..planning import Binding, support_of
from ..planning.bindings import plain_arguments
from ..planning.goals import Plan, Step, Wanted, forbids_alone
from ..records import Call, Requirement, Say
from . import identity
from . import requirements as req
from .acts import act_scene, main_row, plan_of
from .bench import Bench
from .drafts import Scene
from .missed import NoCandidate
from .words import Wish

RULES = 5
"""Rules that are tried, so that no easy one is met too often."""

LOOK_AT = 200
"""Calls of a tool that are looked at for one that a rule forbids."""


def deny_pair(bench: Bench, wanted: Wanted) -> tuple[Scene, Scene]:
    """Ask for what one rule forbids, and for the same where nothing forbids it.

    Raises NoCandidate.
    """
    for rule in _rules(bench, wanted)[:RULES]:
        for tool in _governed(bench, rule):
            blocked = blocked_by(bench, tool.name, rule.code)
            if blocked is None:
                continue
            step = Step(blocked, plain_arguments(blocked))
            twin = _free_like(bench, step)
            if twin is None:
                continue
            try:
                phrase = bench.words.phrase(tool, names=_spoken(step))
                denied = deny_scene(bench, step, bench.words.wish(step, phrase), rule.code)
                feasible = act_scene(bench, Plan((twin,)), [bench.words.wish(twin, phrase)])
            except NoCandidate:
                continue
            return denied, feasible
    raise NoCandidate("no rule forbids anything alone")


def _free_like(bench: Bench, step: Step) -> Step | None:
    """A free call of the same tool, if possible with the same arguments given."""
    found = None
    for number, binding in enumerate(bench.survey.bindings(step.tool)):
        if number > LOOK_AT:
            break
        if binding.blocked:
            continue
        free = Step(binding, plain_arguments(binding))
        if free.arguments.keys() == step.arguments.keys():
            return free
        found = found or free
    return found


def _spoken(step: Step) -> frozenset[str]:
    """The arguments of which a request speaks."""
    return frozenset(
        p.name for p in step.tool.parameters if not p.implicit and p.wire in step.arguments
    )


def can_deny(rule: Rule) -> bool:
    """Whether a refusal can rest on a rule: it is no procedure, and can be told in words."""
    procedural = rule.kind is not None or "log" in rule.arguments
    return not procedural and (bool(rule.concepts) or any(p.concepts for p in rule.parts))


def _rules(bench: Bench, wanted: Wanted) -> list[Rule]:
    rules = [r for r in bench.domain.rules.values() if can_deny(r) and wanted(r) > 0]
    rules.sort(key=lambda r: -wanted(r) * bench.rng.random())
    return rules


def _governed(bench: Bench, rule: Rule) -> list:  # type: ignore[type-arg]
    tools = [t for t in bench.survey.writes() if any(r.code == rule.code for r in t.requires)]
    bench.rng.shuffle(tools)
    return tools


def blocked_by(bench: Bench, tool: str, code: str) -> Binding | None:
    """A call of a tool that this rule alone forbids; nobody asks for what is so already."""
    for number, binding in enumerate(bench.survey.bindings(bench.domain.tools[tool])):
        blocked = binding.blocked == (code,) and not binding.is_so
        if blocked and forbids_alone(bench.environment, binding, code):
            return binding
        if number > LOOK_AT:
            return None
    return None


def rests_on(bench: Bench, step: Step, rule: Rule) -> list[tuple[str, str]]:
    """The rows that a refusal rests on. Raises NoCandidate where it rests on none."""
    context = step.tool.context(dict(step.binding.values), bench.survey.db, [], step.arguments)
    support = support_of(rule, context)
    places = [*support.direct, *support.listed, *support.behind] or [*support.given]
    if not places:
        raise NoCandidate("a rule that rests on no record")
    return places


def deny_scene(bench: Bench, step: Step, wish: Wish, code: str) -> Scene:
    """A wish that a rule forbids: nothing changes, its facts are looked up, the rule is named.

    Raises NoCandidate where the facts can't be looked up.
    """
    rule = next(r for r in step.tool.requires if r.code == code)
    places = rests_on(bench, step, rule)
    needed = bench.needed([step])
    attempt: list[Call] = []
    try:
        attributes, reads = bench.reads([step.tool], wish.told, needed, places)
    except NoCandidate:
        if rule.by == "agent":
            raise
        attributes, reads = bench.reads([step.tool], wish.told, needed)
        attempt = [Call(tool=step.tool.name, arguments=step.arguments)]
    context = bench.declined(step, code, []).context
    concepts = phrases.concepts_of(rule, context)
    confirmed = bench.confirm([step]) if attempt else []
    said = bench.speaker.report([bench.declined(step, code, concepts)])
    bench.speaker.said()
    return Scene(
        points=[wish],
        intents=[wish.intent],
        requirements=[
            req.rule_requirement(bench.domain, code, concepts),
            _looked_up(step, rule, places),
            req.frame_requirement("nothing"),
        ],
        solution=[*reads, *confirmed, *attempt, Say(say=said)],
        facts=identity.facts_of(bench.domain, bench.person, attributes),
        plan=plan_of(bench, [step]),
        attributes=attributes,
        told=wish.told,
        needed=needed,
        focus=main_row(step),
        denied=(step, code),
        answer={"rule": code},
        lookalikes=bench.lookalikes(step),
    )


def _looked_up(step: Step, rule: Rule, places: list[tuple[str, str]]) -> Requirement:
    """The rows were seen; or, of a tool's own rule, this very call was refused by it."""
    if rule.by == "agent":
        return req.looked_up_requirement(places)
    roots = rule.roots()
    wires = [p.wire for p in step.tool.parameters if p.name in roots and p.wire in step.arguments]
    call = Call(tool=step.tool.name, arguments={wire: step.arguments[wire] for wire in wires})
    return req.looked_up_requirement(places, rule.code, call)
