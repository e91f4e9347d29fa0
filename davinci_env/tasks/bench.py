"""The bench: what the drafting of one conversation works with."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..agents.openings import is_closed
from ..agents.speaker import Declined, Did, Planned, Speaker
from ..domain import Row, Tool
from ..environment import DomainEnvironment
from ..planning import Survey, Unsolvable, solve_reads
from ..planning.goals import Step
from ..records import Call, Say, Source
from ..state import Entity
from ..verify.opening import NEVER
from . import identity
from .drafts import Scene
from .grammar import Talk
from .missed import NoCandidate
from .words import Told, Words

OTHER_WAY = 0.3
"""How often a person identifies themselves in another way, and the records are read in another."""


class Bench:
    """A state, an actor, words for both sides, and the ways to a solution.

    The state moves on as scenes are added; `renew` looks at it anew.

    Attributes:
        known: facts that the conversation has told or shown so far; `seen` the rows it has shown.
        attributes: by which the person identified themselves; None before they did.
        turn: the user turn that is being drafted.
        touched: rows that the conversation was about, or made.
        spoken: what of rows was told or asked for in so many words.
    """

    def __init__(self, environment: DomainEnvironment, rng: random.Random) -> None:
        self.environment, self.rng = environment, rng
        self.domain = environment.domain
        self.talk = Talk(self.domain, rng)
        self.speaker = Speaker(self.domain, str(rng.random()))
        self.known: dict[Told, None] = {}
        self.seen: set[tuple[str, str]] = set()
        self.asked: set[tuple[Source, str]] = set()
        self.attributes: tuple[str, ...] | None = None
        self.turn = 0
        self.touched: set[tuple[str, str]] = set()
        self.spoken: dict[tuple[str, str], set[str]] = {}
        self.renew()

    def renew(self) -> None:
        """Look at the present state."""
        self.survey = Survey(self.environment, self.rng)
        self.words = Words(self.survey, self.rng)
        self.person: Row | None = self.survey.actor

    def come_to_know(self, scene: Scene) -> None:
        """Carry out a scene's solution: its writes are done, what it told and showed is known."""
        schema = self.environment.world.schema
        appearing = {n: t for n, t in self.environment.appearing.items() if n not in scene.tools}
        if scene.withheld is not None:
            appearing[scene.withheld.tool.name] = NEVER
        self.environment.appearing = appearing
        self.known |= dict.fromkeys([*scene.told, *scene.needed])
        if scene.focus is not None:
            self.touched.add((scene.focus._info.table, scene.focus.id))
        for step in scene.solution:
            if not isinstance(step, Call):
                continue
            result = self.environment.call(step.tool, step.arguments)
            if not result.ok and self.domain.tools[step.tool].kind == "write" and scene.steps:
                raise NoCandidate("a planned write is refused")
            self.seen.update(result.seen)
            if self.domain.tools[step.tool].kind == "write":
                self.touched.update(result.seen)
            self.known |= {(schema.by_table[t]._info.name, key): None for t, key in result.seen}

    # -- solution ----------------------------------------------------------------------------------

    def reads(
        self,
        tools: Sequence[Tool],
        told: Sequence[Told],
        needed: Sequence[Told],
        places: Sequence[tuple[str, str]] = (),
    ) -> tuple[tuple[str, ...], list[Call]]:
        """The attributes by which the person is identified, and the reads that lead to what is
        needed.

        Raises NoCandidate when no way of being identified leads there.
        """
        other_way = self.rng.random() < OTHER_WAY
        for attributes in self._alternatives(tools, other_way):
            facts = [*self.known, *told, *identity.told_of(self.domain, self.person, attributes)]
            unseen = [place for place in places if place not in self.seen]
            start = self.environment.snapshot()
            try:
                calls = solve_reads(
                    self.environment, facts, needed, unseen, self.rng if other_way else None
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

    def _alternatives(self, tools: Sequence[Tool], other_way: bool) -> list[tuple[str, ...]]:
        if self.attributes is not None:
            guarded = [t for t in tools if t.identification is not None]
            if self._covers(guarded, self.attributes):
                return [self.attributes]
            return self._further(guarded, self.attributes)
        alternatives = identity.identification(self.domain, tools, self.person)
        if other_way:
            self.rng.shuffle(alternatives)
        return alternatives

    def _further(self, tools: Sequence[Tool], known: tuple[str, ...]) -> list[tuple[str, ...]]:
        """What a person must tell beside what they told, for tools of another domain."""
        if len(self.domain.people) == 1:
            return []
        more = identity.identification(self.domain, tools, self.person)
        return [tuple(dict.fromkeys([*known, *attributes])) for attributes in more]

    def record(self, entity: Entity) -> Row | None:
        """The person, as the domain of an identity entity knows them."""
        return None if self.person is None else self.domain.as_known_in(entity, self.person)

    def _guarded(self, calls: Sequence[tuple[str, object]], tools: Sequence[Tool]) -> list[Tool]:
        """The reads that demand an identification that the tools asked for don't."""
        codes = {t.identification.code for t in tools if t.identification}
        return [
            tool
            for name, _ in calls
            if (tool := self.domain.tools[name]).identification is not None
            and tool.identification.code not in codes
        ]

    def _covers(self, tools: Sequence[Tool], attributes: tuple[str, ...]) -> bool:
        if self.person is None:
            return not tools
        return all(
            any(set(a) <= set(attributes) for a in identity.attributes_wanted(rule, record))
            for tool in tools
            if (rule := tool.identification) is not None
            and (record := self.record(self.domain.identity_of(tool))) is not None
        )

    def reading_tools(self, near: Entity | None) -> list[Tool]:
        """A read that demands identification, in the domain of an entity (a question has no other
        tools); any read there where none demands it.
        """
        people = self.domain.identity if near is None else self.domain.identity_beside(near)
        reads = [
            t
            for t in self.domain.tools.values()
            if t.kind == "read" and self.domain.identity_of(t) is people
        ]
        demanding = [t for t in reads if t.identification]
        return (demanding or (reads if len(self.domain.people) > 1 else []))[:1]

    def needed(self, steps: Sequence[Step]) -> list[Told]:
        """The ids that the steps' arguments name, but for rows that the steps make."""
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

    # -- what the assistant says -------------------------------------------------------------------

    def confirm(self, steps: Sequence[Step], refused: Sequence[Declined] = ()) -> list[Call | Say]:
        """The question that the policy demands before writes that need a yes, behind the reads
        that are told of in it. What the writes are done instead of is told first.
        """
        asked = [s for s in steps if s.tool.confirmation is not None]
        if not asked:
            return []
        reads: list[Call] = []
        planned = []
        for step in asked:
            quoted, made = self._look_up_first(step)
            planned.append(Planned(step.tool, step.binding.values, given(step), quoted))
            reads += [call for call in made if call not in reads]
        text = self.speaker.propose(planned, refused=refused)
        self.speaker.said()
        return [*reads, Say(say=text)]

    def _look_up_first(self, step: Step) -> tuple[dict[str, dict[str, object]], list[Call]]:
        """What the reads tell that are made before a yes to a step, and the calls that make them.
        The environment is left as it was.
        """
        quoted: dict[str, dict[str, object]] = {}
        calls = []
        for name in step.tool.outcome.reads_first():
            wires = {p.wire for p in self.domain.tools[name].parameters if not p.implicit}
            arguments = {wire: v for wire, v in step.arguments.items() if wire in wires}
            start = self.environment.snapshot()
            result = self.environment.call(name, arguments)
            self.environment.restore(start)
            self.environment.release(start)
            if result.ok and result.data is not None:
                quoted[name] = result.data
                calls.append(Call(tool=name, arguments=arguments))
        return quoted, calls

    def did(self, step: Step, result: dict[str, object]) -> Did:
        """A step as news."""
        return Did(step.tool, step.binding.values, given(step), result)

    def declined(self, step: Step, code: str, concepts: Sequence[Sequence[str]]) -> Declined:
        """A step that a rule forbids as news."""
        rule = next(r for r in step.tool.requires if r.code == code)
        context = step.tool.context(
            dict(step.binding.values), self.survey.db, self.environment.log.entries, step.arguments
        )
        closed = is_closed(self.domain, rule, context)
        return Declined(
            step.tool, step.binding.values, given(step), rule, context, concepts, closed=closed
        )

    def lookalikes(self, step: Step) -> int:
        """Other rows of the actor's that could be taken for those of a step."""
        return sum(
            len(self.words.candidates(step.tool, p)) - 1
            for p in step.tool.parameters
            if p.entity is not None
            and not p.implicit
            and not p.type.many
            and not p.is_person
            and p.wire in step.arguments
        )


def given(step: Step) -> frozenset[str]:
    """The arguments of a step that it gives."""
    return frozenset(p.name for p in step.tool.parameters if p.wire in step.arguments)
