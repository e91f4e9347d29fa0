"""Kinds: how a draft of each kind is drawn. Deny and clarify come with a feasible twin in the same
words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from ..domain import Parameter
from ..environment import DomainEnvironment
from ..planning import Binding, plan_chain, plan_writes
from ..planning.bindings import plain_arguments
from ..planning.goals import Plan, Step, Wanted, first_free
from ..records import Say
from ..state import UPDATED, Change
from . import identity
from . import requirements as req
from .acts import act_draft, asked_value, carry_out
from .denials import draw_deny
from .drafts import Bench, Draft, NoCandidate
from .questions import Question, askable_columns, attribute_question, draw_question
from .words import NoPhrase

LENGTHS = (1, 1, 1, 2, 2, 3)
"""How many writes a plain task asks for, drawn evenly."""

CHAIN_SHARE = 0.3
"""How often a task with several writes is a chain: blocked, then enabled by the one before."""


def draw_act(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Change something: one to three writes, or a blocked write with the one that enables it."""
    bench = Bench(environment, rng)
    plan = _plan(environment, rng, wanted)
    wishes = [bench.words.wish(step) for step in plan.steps]
    return [act_draft(bench, plan, wishes)]


def _plan(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> Plan:
    plan = None
    if rng.random() < CHAIN_SHARE:
        plan = plan_chain(environment, rng, wanted)
    if plan is None:
        plan = plan_writes(environment, rng, rng.choice(LENGTHS), wanted)
    if plan is None:
        raise NoCandidate("no free write")
    return plan


def draw_ask(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Find something out: an attribute, a count, a sum, or what a composed read tells."""
    bench = Bench(environment, rng)
    question = draw_question(bench)
    tools = bench.reading_tools()
    if question.call is not None:
        tools = [bench.domain.tools[question.call.tool], *tools]
    attributes, reads = bench.reads(tools, question.told, question.needed, question.places)
    if question.call is not None:
        reads.append(question.call)
    value = asked_value(bench, (), question)
    introduction = identity.introduce(bench.domain, bench.person, attributes)
    return [
        Draft(
            kind="ask",
            text=bench.request(introduction, [question.text]),
            intents=[question.intent],
            facts=identity.facts_of(bench.person, attributes),
            requirements=[
                req.answer_requirement([question.slot], "The answer is told."),
                *([req.looked_up_requirement(question.places)] if question.places else []),
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
        changes, _ = carry_out(environment, plan.steps)
        given = {
            v for s in plan.steps for v in s.binding.values.values() if not isinstance(v, list)
        }
        question = _changed_question(bench, changes, given)
        if question is not None:
            wishes = [bench.words.wish(step) for step in plan.steps]
            return [act_draft(bench, plan, wishes, question=question)]
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


def draw_clarify(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Leave out a fact that must be asked for; the twin says it."""
    bench = Bench(environment, rng)
    tools = [t for t in bench.survey.writes() if wanted(t) > 0]
    tools.sort(key=lambda t: -wanted(t) * rng.random())
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
            asked = act_draft(
                bench,
                Plan((step,)),
                [bench.words.wish(step, phrase, missing)],
                missing=missing,
                pair=pair,
            )
            twin = act_draft(bench, Plan((step,)), [bench.words.wish(step)], pair=pair)
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
