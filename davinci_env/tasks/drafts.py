"""Drafts of tasks: for each kind, a candidate drawn from a state, with its words, solution and
requirements.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..agents import phrases
from ..domain import Row, Tool
from ..environment import DomainEnvironment
from ..planning import Survey, Unsolvable, solve_reads
from ..planning.goals import Step
from ..records import Call, Requirement, Say
from . import identity
from .words import Told, Wish, Words


class NoCandidate(Exception):
    """This draw found nothing to ask for. Not a rejection: nothing was made."""


@dataclass
class Draft:
    """Everything of a task but its world, id and certificate."""

    kind: str
    text: str
    intents: list[dict[str, Any]]
    facts: dict[str, Any]
    requirements: list[Requirement]
    solution: list[Call | Say]
    goal: list[Call]
    known: list[str] = field(default_factory=list)
    plan: list[dict[str, Any]] = field(default_factory=list)
    answer: Any = None
    chain: int = 0
    pair: str | None = None


LEADS = (
    "I'd like to {}.",
    "I want to {}, please.",
    "Could you help me? I need to {}.",
    "I was hoping to {}.",
    "Please help me: I have to {}.",
    "I would like to {}.",
)
OTHER_WAY = 0.3
"""How often a person identifies themselves in another way, and the records are read in another."""

SECONDS = (
    "I'd also like to {}.",
    "After that, I need to {}.",
    "And I want to {}.",
    "Then I'd like to {}.",
)
GREETINGS = ("Hello.", "Hi!", "Hi there.", "Good morning.", "Hello there.", "Hey there.")


class Bench:
    """What the drafting of one task works with: a state, an actor, words, and the ways to a
    solution.
    """

    def __init__(self, environment: DomainEnvironment, rng: random.Random) -> None:
        self.environment, self.rng = environment, rng
        self.domain = environment.domain
        self.survey = Survey(environment, rng)
        self.words = Words(self.survey, rng)
        self.person: Row | None = self.survey.actor

    # -- request -----------------------------------------------------------------------------------

    def request(self, introduction: str, sentences: Sequence[str]) -> str:
        """Greeting, introduction and wishes in one message."""
        greeting = self.rng.choice(GREETINGS)
        parts = [greeting, *sentences]
        if introduction:
            parts.insert(self.rng.choice((1, len(parts))), introduction)
        return " ".join(parts)

    def sentences(self, wishes: Sequence[Wish]) -> list[str]:
        """One sentence a wish."""
        leads = [self.rng.choice(LEADS), *[self.rng.choice(SECONDS) for _ in wishes[1:]]]
        return [lead.format(wish.text) for lead, wish in zip(leads, wishes, strict=True)]

    # -- solution ----------------------------------------------------------------------------------

    def reads(
        self,
        tools: Sequence[Tool],
        told: Sequence[Told],
        needed: Sequence[Told],
        places: Sequence[tuple[str, str]] = (),
    ) -> tuple[tuple[str, ...], list[Call]]:
        """The attributes that the person tells, and the reads that lead to what is needed.

        Raises NoCandidate when no way of being identified leads there.
        """
        alternatives = identity.identification(self.domain, tools, self.person)
        other_way = self.rng.random() < OTHER_WAY
        if other_way:
            self.rng.shuffle(alternatives)
        for attributes in alternatives:
            facts = [*told, *identity.told_of(self.person, attributes)]
            start = self.environment.snapshot()
            try:
                calls = solve_reads(
                    self.environment, facts, needed, places, self.rng if other_way else None
                )
            except Unsolvable:
                continue
            finally:
                self.environment.restore(start)
                self.environment.release(start)
            extra = self._guarded(calls, tools)
            if extra and not self._covers(extra, attributes):
                continue
            return attributes, [Call(tool=t, arguments=a) for t, a in calls]
        raise NoCandidate("unsolvable")

    def _guarded(self, calls: Sequence[tuple[str, Any]], tools: Sequence[Tool]) -> list[Tool]:
        """The reads that demand an identification that the tools asked for don't."""
        codes = {t.identification.code for t in tools if t.identification}
        return [
            tool
            for name, _ in calls
            if (tool := self.domain.tools[name]).identification is not None
            and tool.identification.code not in codes
        ]

    def _covers(self, tools: Sequence[Tool], attributes: tuple[str, ...]) -> bool:
        assert self.person is not None
        return all(
            any(set(a) <= set(attributes) for a in identity.attributes_wanted(rule, self.person))
            for tool in tools
            if (rule := tool.identification) is not None
        )

    def reading_tools(self) -> list[Tool]:
        """The reads that demand identification (a question has no other tools)."""
        return [t for t in self.domain.tools.values() if t.kind == "read" and t.identification][:1]

    def needed(self, steps: Sequence[Step]) -> list[Told]:
        """The ids that the steps' arguments name."""
        out: list[Told] = []
        for step in steps:
            for parameter in step.tool.parameters:
                if (
                    parameter.entity is None
                    or parameter.implicit
                    or parameter.wire not in step.arguments
                ):
                    continue
                value = step.binding.values[parameter.name]
                for row in value if parameter.type.many else [value]:
                    out.append((parameter.entity._info.name, row.id))
        return list(dict.fromkeys(out))

    def describe(self, step: Step) -> str:
        """A step said to the user, with ids."""
        given = frozenset(p.name for p in step.tool.parameters if p.wire in step.arguments)
        return phrases.describe_call(self.domain, step.tool, step.binding.values, given=given)

    def confirm(self, steps: Sequence[Step]) -> list[Say]:
        """The question that the policy demands before writes that need a yes."""
        asked = [s for s in steps if s.tool.confirmation is not None]
        if not asked:
            return []
        final = any(s.tool.outcome.irreversible for s in asked)
        return [Say(say=phrases.confirmation([self.describe(s) for s in asked], final, self.rng))]

    def plan_of(self, steps: Sequence[Step], wishes: Sequence[Wish]) -> list[dict[str, Any]]:
        """The user's script: what a confirmation must name."""
        return [
            {"wish": {"tool": s.tool.name, "arguments": s.arguments, "mentions": w.mentions}}
            for s, w in zip(steps, wishes, strict=True)
        ]
