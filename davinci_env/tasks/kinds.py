"""Kinds: how a draft of each kind is drawn. Deny and clarify come with a feasible twin in the same
words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from ..agents import phrases
from ..domain import Parameter, Rule
from ..environment import DomainEnvironment
from ..planning import Binding, plan_chain, plan_writes, support_of
from ..planning.bindings import plain_arguments
from ..planning.goals import Plan, Step, Wanted, first_free, forbids_alone
from ..records import Call, Requirement, Say
from ..state import UPDATED, Change
from . import identity
from . import requirements as req
from .drafts import Bench, Draft, NoCandidate
from .questions import Question, askable_columns, attribute_question, draw_question
from .words import NoPhrase, Wish

LENGTHS = (1, 1, 1, 2, 2, 3)
"""How many writes a plain task asks for, drawn evenly."""

CHAIN_SHARE = 0.3
"""How often a task with several writes is a chain: blocked, then enabled by the one before."""


def draw_act(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Change something: one to three writes, or a blocked write with the one that enables it."""
    bench = Bench(environment, rng)
    plan = _plan(environment, rng, wanted)
    wishes = [bench.words.wish(step) for step in plan.steps]
    return [_act(bench, plan, wishes)]


def _plan(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> Plan:
    plan = None
    if rng.random() < CHAIN_SHARE:
        plan = plan_chain(environment, rng, wanted)
    if plan is None:
        plan = plan_writes(environment, rng, rng.choice(LENGTHS), wanted)
    if plan is None:
        raise NoCandidate("no free write")
    return plan


def _act(
    bench: Bench,
    plan: Plan,
    wishes: Sequence[Wish],
    *,
    question: Question | None = None,
    missing: str | None = None,
    pair: str | None = None,
) -> Draft:
    """Put a plan into a draft; `missing` is the argument of the only step that must be asked for."""
    steps = plan.steps
    tools = [s.tool for s in steps] + (bench.reading_tools() if question else [])
    told = [fact for wish in wishes for fact in wish.told]
    opening: list[Call | Say] = []
    facts: dict[str, Any] = {}
    known: list[str] = []
    extra_plan: list[dict[str, Any]] = []
    requirements: list[Requirement] = []
    if missing is not None:
        parameter = next(p for p in steps[0].tool.parameters if p.name == missing)
        said, spec, more = bench.words.argument(steps[0], missing)
        facts[parameter.wire], known = spec, [parameter.wire]
        told += more
        cues = phrases.cues(steps[0].tool, parameter)
        extra_plan = [
            {"tell": parameter.wire, "cues": cues, "text": _telling(parameter, said, bench)}
        ]
        opening = [Say(say=phrases.question(steps[0].tool, parameter, bench.rng))]
        requirements.append(req.asked_requirement(parameter.wire))
    needed = bench.needed(steps) + (question.needed if question else [])
    if question:
        told += question.told
    attributes, reads = bench.reads(tools, told, needed)
    changes, results = _carry_out(bench.environment, steps)
    if not changes:
        raise NoCandidate("the writes cancel out")
    facts = {**identity.facts_of(bench.person, attributes), **facts}
    sentences = bench.sentences(wishes) + ([question.text] if question else [])
    final = _final(bench, steps, results, quote=question is None)
    if question:
        requirements.append(req.answer_requirement([question.slot], "The answer is told."))
        value = _asked_value(bench, steps, question)
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
        solution=[*opening, *reads, *bench.confirm(steps), *goal, Say(say=final)],
        goal=goal,
        known=known,
        plan=[*bench.plan_of(steps, wishes), *extra_plan],
        answer=None,
        chain=int(plan.chain is not None),
        pair=pair,
    )


def _telling(parameter: Parameter, said: str, bench: Bench) -> str:
    if parameter.entity is not None:
        return bench.rng.choice(("I mean {}.", "It's {}.", "{}, please.")).format(said)
    return bench.rng.choice(("{}, please.", "Let's say {}.", "It's {}.")).format(said)


def _carry_out(
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


def _asked_value(bench: Bench, steps: Sequence[Step], question: Question) -> Any:
    """The answer after the steps."""
    environment = bench.environment
    start = environment.snapshot()
    try:
        for step in steps:
            environment.call(step.tool.name, step.arguments)
        value = environment.query(question.slot.expected.query)[0][0]
        if question.row is not None:
            row = environment.world.get(question.row.entity, question.row.id)
            value = getattr(row, question.spec.attribute) if row is not None else None
        if value is None:
            raise NoCandidate("the answer is empty")
        return value
    finally:
        environment.restore(start)
        environment.release(start)


def draw_ask(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Find something out: an attribute, a count or a sum over the actor's own records."""
    bench = Bench(environment, rng)
    question = draw_question(bench)
    attributes, reads = bench.reads(
        bench.reading_tools(), question.told, question.needed, question.places
    )
    value = _asked_value(bench, (), question)
    introduction = identity.introduce(bench.domain, bench.person, attributes)
    return [
        Draft(
            kind="ask",
            text=bench.request(introduction, [question.text]),
            intents=[question.intent],
            facts=identity.facts_of(bench.person, attributes),
            requirements=[
                req.answer_requirement([question.slot], "The answer is told."),
                req.looked_up_requirement(question.places),
                req.frame_requirement("nothing"),
                req.policy_requirement(),
            ],
            solution=[*reads, Say(say=question.answer(bench, value))],
            goal=[],
        )
    ]


def draw_act_ask(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Change something and ask for a value that the change sets."""
    bench = Bench(environment, rng)
    for _ in range(4):
        plan = plan_writes(environment, rng, rng.choice((1, 1, 2)), wanted)
        if plan is None:
            raise NoCandidate("no free write")
        changes, _ = _carry_out(environment, plan.steps)
        given = {
            v for s in plan.steps for v in s.binding.values.values() if not isinstance(v, list)
        }
        question = _changed_question(bench, changes, given)
        if question is not None:
            wishes = [bench.words.wish(step) for step in plan.steps]
            return [_act(bench, plan, wishes, question=question)]
    raise NoCandidate("no changed value to ask for")


def _changed_question(bench: Bench, changes: Sequence[Change], given: set[Any]) -> Question | None:
    """A question for a changed cell of a row that the actor owns, whose new value the request
    doesn't give.
    """
    options = []
    for change in changes:
        info = bench.environment.world.schema.by_table[change.table]._info
        if change.op != UPDATED:
            continue
        row = bench.environment.world.get(info.cls, change.key)
        if row is None or bench.domain.owner_of(row) is not bench.person or info.identity:
            continue
        columns = [
            c for c in askable_columns(info) if c in change.cells and change.cells[c][1] is not None
        ]
        options += [
            (row, c)
            for c in columns
            if not info.columns[c].choices and change.cells[c][1] not in given
        ]
    if not options:
        return None
    row, column = bench.rng.choice(options)
    return attribute_question(bench, row, column, "goal", stale=True)


def draw_deny(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Ask for what one rule forbids; the twin asks for the same where nothing forbids it."""
    bench = Bench(environment, rng)
    rules = [r for r in bench.domain.rules.values() if r.kind is None and _quotable(r)]
    rules = [r for r in rules if "log" not in r.arguments]  # a procedure, not a prohibition
    rng.shuffle(rules)
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


def _quotable(rule: Rule) -> bool:
    return bool(rule.concepts) or any(p.concepts for p in rule.parts)


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
    feasible = _act(bench, Plan((twin,)), [bench.words.wish(twin, phrase)], pair=pair)
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
    said = phrases.refusal(
        bench.describe(step), rule, because, bench.rng, concepts=concepts,
        others=phrases.rivals_of(bench.domain, rule),
    )  # fmt: skip
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


def draw_clarify(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Leave out a fact that must be asked for; the twin says it."""
    bench = Bench(environment, rng)
    tools = sorted(bench.survey.writes(), key=lambda t: -wanted(t) * rng.random())
    for tool in tools:
        binding = first_free(bench.survey, tool)
        if binding is None:
            continue
        names = [p.name for p in tool.parameters if _can_be_missing(bench, binding, p)]
        if not names:
            continue
        missing = rng.choice(names)
        step = Step(binding, plain_arguments(binding))
        try:
            phrase = bench.words.phrase(tool, missing)
        except NoPhrase:
            continue
        pair = f"clarify:{tool.name}:{rng.randrange(10**9)}"
        try:
            asked = _act(
                bench,
                Plan((step,)),
                [bench.words.wish(step, phrase, missing)],
                missing=missing,
                pair=pair,
            )
            twin = _act(bench, Plan((step,)), [bench.words.wish(step)], pair=pair)
        except NoCandidate:
            continue
        return [asked, twin]
    raise NoCandidate("no fact can be left out")


def _can_be_missing(bench: Bench, binding: Binding, parameter: Parameter) -> bool:
    """Whether leaving an argument out makes the request ambiguous: another value would be legal
    too.
    """
    if (
        parameter.implicit
        or not parameter.required
        or parameter.is_free_text
        or parameter.type.many
        or parameter.entity is bench.domain.identity
    ):
        return False
    own = binding.values[parameter.name]
    for number, other in enumerate(bench.survey.bindings(binding.tool)):
        if (
            other.values[parameter.name] != own
            and not other.blocked
            and all(
                other.values[p.name] == binding.values[p.name]
                for p in binding.tool.parameters
                if p.name != parameter.name and p.drawn is None
            )
        ):
            return True
        if number > 150:
            break
    return False


DRAWS: dict[str, Callable[[DomainEnvironment, random.Random, Wanted], list[Draft]]] = {
    "act": draw_act,
    "ask": draw_ask,
    "act+ask": draw_act_ask,
    "deny": draw_deny,
    "clarify": draw_clarify,
}
