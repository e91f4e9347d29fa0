"""The walk: a deterministic least-used-first exploration of a domain's calls, in several worlds and
for several people."""

from __future__ import annotations

import inspect
import random
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from ..domain import Domain, Event, Row, Tool
from ..environment import DomainEnvironment
from ..planning import Survey
from .cases import Drawer, Novelty
from .examine import Examiner
from .expectation import Case, holds
from .report import Findings
from .tally import Tally

PUSHED = 4
"""People in whose place each write is repeated, in each world."""


@dataclass(frozen=True)
class Plan:
    """How far to walk.

    Attributes:
        worlds: (seed, scale) of the worlds to walk in.
        people: in how many people's place, in each world.
        steps: calls of one tour; each tour starts anew, with one person.
        pushes: how often one write is repeated to drive a person to a limit.
        thorough: how many calls of each kind are repeated and paged through.
        paths: how many paths a hunt takes towards a tool of which something was not seen.
    """

    worlds: tuple[tuple[int, float], ...]
    people: int
    steps: int
    pushes: int
    thorough: int
    paths: int


class Walk:
    """Walks through one world."""

    def __init__(
        self,
        environment: DomainEnvironment,
        findings: Findings,
        tally: Tally,
        plan: Plan,
        rng: random.Random,
        novelty: Novelty,
        blocked: Counter[tuple[str, str]],
    ) -> None:
        self.environment, self.tally, self.plan, self.rng = environment, tally, plan, rng
        self.domain: Domain = environment.domain
        self.examiner = Examiner(environment, findings, tally, plan.thorough)
        self.drawer = Drawer(environment, rng, novelty, findings)
        self.blocked = blocked
        self._used: Counter[str] = Counter()

    def run(self) -> None:
        """Tours and pushes for the most different people, then every ill-formed call once."""
        environment = self.environment
        people = self.people()[: self.plan.people]
        for person in people:
            environment.act_for(person)
            self.tour()
        for tool in self._writes():
            self._push_for_some(tool)
        self.misform()
        self.survey()
        self.examiner.restart()

    def people(self) -> list[str]:
        """Keys of people, the most different ones first."""
        from .cases import features_of

        rows = self.domain.regulars(self.environment.world)
        seen: set[Any] = set()
        chosen: list[str] = []
        traits = {row.id: set(features_of(row)) for row in rows}
        while rows:
            best = max(rows, key=lambda row: len(traits[row.id] - seen))
            rows.remove(best)
            seen |= traits[best.id]
            chosen.append(best.id)
        return chosen

    # -- one person --------------------------------------------------------------------------------

    def tour(self) -> None:
        """Calls in one person's place: the least used tool, free and blocked bindings and arbitrary
        ones in turn."""
        self.examiner.restart()
        if self.rng.random() < 0.6:
            self._introduce()
        survey = self.drawer.survey()
        for step in range(self.plan.steps):
            if step % 12 == 11:
                self.world_moves()
                survey = self.drawer.survey()
            tool = self._least_used()
            case = self._draw(tool, survey, step)
            if case is None:
                continue
            if self.call(case) and tool.kind == "write":
                survey = self.drawer.survey()
        self._note_states()

    def _push_for_some(self, tool: Tool) -> None:
        """Push a write in the place of a few people who can call it, others each time."""
        keys = [row.id for row in self.domain.regulars(self.environment.world)]
        self.rng.shuffle(keys)
        pushed = 0
        for key in keys:
            self.environment.act_for(key)
            self.examiner.restart()
            if self.drawer.free(tool, self.drawer.survey()) is None:
                continue
            self.push(tool)
            pushed += 1
            if pushed == PUSHED:
                break

    def push(self, tool: Tool) -> None:
        """Repeat one write until nothing of it is free, then try what is blocked: limits are
        met."""
        self.examiner.restart()
        for _ in range(self.plan.pushes):
            case = self.drawer.free(tool, self.drawer.survey())
            if case is None:
                break
            self.call(case)
        survey = self.drawer.survey()
        for _ in range(2):
            case = self.drawer.blocked(tool, survey, self.blocked)
            if case is not None:
                self.call(case)
        self._note_states()

    def call(self, case: Case) -> bool:
        """Make a call, sometimes with the user's yes before it."""
        if case.tool.confirmation is not None and self.rng.random() < 0.5:
            subject = {"tool": case.tool.name, "arguments": case.arguments}
            self.environment.observe(Event("confirmed", subject))
        if case.values is not None and any(rule.parts for rule in case.tool.requires):
            self._verdicts(case.tool, case.values)
        return self.examiner.call(case).ok

    def world_moves(self, near: Set[Row] = frozenset()) -> None:
        """Move one row (one of those near by, if it can) along an arc of the world, if the
        invariants then hold."""
        arcs = [
            (entity, arc)
            for entity in self.domain.entities.values()
            if (cycle := entity._info.lifecycle) is not None
            for arc in sorted(cycle.outside)
        ]
        if not arcs:
            return
        by_source = {(entity, arc[0]): (entity, arc) for entity, arc in arcs}
        close = [r for r in near if "_dead" not in vars(r) and (r.entity, _state(r)) in by_source]
        if close:
            row = min(close, key=lambda r: r.id)
            entity, (source, target) = by_source[row.entity, _state(row)]
            rows = [row]
        else:
            entity, (source, target) = arcs[self.rng.randrange(len(arcs))]
            rows = [r for r in self.environment.world.all(entity) if _state(r) == source]
        if not rows:
            return
        column = str(entity._info.state_column)
        world = self.environment.world
        before = len(world.log)
        setattr(rows[self.rng.randrange(len(rows))], column, target)
        if self.examiner.invariants.hold(world):
            world.accept()
        else:
            world.reject(before)

    def misform(self) -> None:
        """Every ill-formed call of every tool."""
        self.examiner.restart()
        for tool in self.domain.tools.values():
            for case in self.drawer.malformed(tool):
                self.examiner.call(case)

    def _introduce(self) -> None:
        """The person tells everything that could identify them."""
        environment = self.environment
        person = environment.world.get(self.domain.identity, str(environment.actor))
        assert person is not None
        for record in self.domain.records_of(person):
            for column in record._info.columns:
                subject = {"fact": column, "value": getattr(record, column)}
                environment.observe(Event("revealed", subject))

    def _draw(self, tool: Tool, survey: Survey, step: int) -> Case | None:
        turn = self._used[tool.name] % 4
        case = None
        if turn == 1:
            case = self.drawer.blocked(tool, survey, self.blocked)
        elif turn == 3:
            case = self.drawer.wide(tool)
        return case or self.drawer.free(tool, survey) or self.drawer.wide(tool)

    def _least_used(self) -> Tool:
        """The tool with the fewest calls; a write counts half."""

        def weight(tool: Tool) -> float:
            return self._used[tool.name] * (1.0 if tool.kind == "read" else 0.5)

        least = min(weight(t) for t in self.domain.tools.values())
        among = [t for t in self.domain.tools.values() if weight(t) <= least]
        tool = among[self.rng.randrange(len(among))]
        self._used[tool.name] += 1
        return tool

    def _writes(self) -> list[Tool]:
        return [t for t in self.domain.tools.values() if t.kind == "write"]

    # -- looking without calling -------------------------------------------------------------------

    def survey(self) -> None:
        """Evaluate every rule, and each part of it, on bindings that are not called."""
        self.examiner.restart()
        for person in self.people()[: self.plan.people]:
            self.environment.act_for(person)
            survey = self.drawer.survey()
            for tool in self.domain.tools.values():
                if not tool.requires:
                    continue
                for binding in self.drawer.bindings(tool, survey)[:60]:
                    self._verdicts(tool, binding.values)
                for _ in range(20):
                    case = self.drawer.wide(tool)
                    if case is not None and case.values is not None:
                        self._verdicts(tool, case.values)
        self._note_states()

    def _verdicts(self, tool: Tool, values: Any) -> None:
        environment = self.environment
        self.tally.note("bindings")
        context = tool.context(dict(values), environment.world.db, environment.log.entries, {})
        for rule in tool.requires:
            try:
                verdict = holds(rule, context)
                self.tally.note("rule", rule.code, verdict)
                self._parts(tool, rule, context, verdict)
            except Exception as error:  # a rule that raises is a finding
                text = f"raises {type(error).__name__} on rows of {tool.name}"
                self.examiner.findings.add("crash", rule.code, text, rule.line)

    def _parts(self, tool: Tool, rule: Any, context: Any, verdict: bool) -> None:
        """The parts of a rule say the same as the rule: it holds where all of them do."""
        if not rule.parts:
            return
        known = {**context, **rule.arguments_of(context)}
        known.setdefault("db", context["db"])
        verdicts = []
        for part in rule.parts:
            names = inspect.signature(part.holds).parameters
            holding = bool(part.holds(**{n: known[n] for n in names}))
            verdicts.append(holding)
            self.tally.note("part", rule.code, part.name, holding)
        if all(verdicts) != verdict:
            text = "and its parts do not agree: one says that it holds, the other that it does not"
            self.examiner.findings.add("parts", rule.code, text, rule.line)

    def _note_states(self) -> None:
        for entity in self.domain.entities.values():
            column = entity._info.state_column
            if column is not None:
                for row in self.environment.world.all(entity):
                    self.tally.note("state", entity._info.name, getattr(row, column))


def _state(row: Row) -> str | None:
    column = row._info.state_column
    return None if column is None else getattr(row, column)
