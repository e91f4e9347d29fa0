"""Imperfect agents: the expert with one named error of the kind that real agents make.

A good verifier fails them wherever the error can matter. Each is deterministic by its seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from ..domain import Domain, Parameter, Rule, Tool
from ..state import Entity
from .answers import Answers, Question
from .belief import BeliefRow
from .casework import Item
from .consent import Consent
from .expert import Expert
from .inquiry import Inquiry, Steps
from .introductions import Introductions
from .news import Answer, Attribute, Counted, Field, Summed
from .understanding import Understanding
from .ways import Bound
from .wishes import Judgement, Wish

CANDIDATES = 6
"""Rows of a kind that the extra write is tried on, at most."""


class _Mixing(Understanding):
    """Takes the row that is most like the one that was meant."""

    def bind(self, wish: Wish, last: bool) -> Steps[None]:
        """Find the rows of a wish, and take another one for one of them."""
        yield from super().bind(wish, last)
        if wish.bound is None:
            return
        for parameter in wish.tool.parameters:
            row = wish.bound[parameter.name]
            if isinstance(row, BeliefRow) and not row._info.identity:
                others = yield from self._others(row)
                fitting = yield from self._fitting(wish.tool, parameter, [row, *others])
                if len(fitting) > 1:
                    wish.bound[parameter.name] = _most_alike(row, fitting)
                    return

    def locate(self, said: Mapping[str, Any]) -> Steps[list[BeliefRow]]:
        """The row that was spoken of, or rather another one."""
        found = yield from super().locate(said)
        others = (yield from self._others(found[0])) if len(found) == 1 else []
        return [_most_alike(found[0], others)] if others else found

    def _others(self, row: BeliefRow) -> Steps[list[BeliefRow]]:
        """The other rows of a kind and an owner that came up."""
        mine = yield from self.inquiry.settle(partial(self.domain.owner_of, row))
        others: list[BeliefRow] = []
        for other in self.inquiry.beliefs.rows(row.entity):
            if other is not row and other._seen:
                theirs = yield from self.inquiry.settle(partial(self.domain.owner_of, other))
                others += [other] if theirs.known and theirs.value is mine.value else []
        return others


def _most_alike(row: BeliefRow, others: Sequence[BeliefRow]) -> BeliefRow:
    """The one of other rows that agrees with a row in most of what is known."""
    return max((other for other in others if other is not row), key=partial(_alike, row))


def _alike(row: BeliefRow, other: BeliefRow) -> int:
    """In how many of their known columns two rows agree."""
    return sum(other._cells.get(name) == value for name, value in row._cells.items())


class _Lenient(Judgement):
    """Never thinks of the agent's own rules."""

    def rules(self, tool: Tool) -> Sequence[tuple[str, Callable[[Any], bool], Rule]]:
        """The rules that the tools enforce anyway."""
        return tool.enforced


class _Presuming(Consent):
    """Takes the wish itself for the yes."""

    def is_given(self, wish: Wish) -> bool:
        """Always."""
        return True


class _Stale(Inquiry):
    """Goes on believing what it read before a write."""

    def outdate(self, tool: Tool, bound: Bound) -> None:
        """Nothing is out of date."""

    def absorb(self, tool: Tool, data: Mapping[str, Any]) -> list[BeliefRow]:
        """Learn of the rows that a write made, and of no change."""
        if tool.kind != "write":
            return super().absorb(tool, data)
        known = [row for rows in self.domain.entities.values() for row in self.beliefs.rows(rows)]
        before = {row: dict(row._cells) for row in known if row._seen}
        rows = super().absorb(tool, data)
        for row, cells in before.items():
            row._cells.update(cells)
        return rows


class _Trusting(Introductions):
    """Takes people for whom they say they are, by the first thing that they tell of themselves."""

    def permits(self, inquiry: Inquiry, tool: Tool, bound: Bound) -> Steps[bool]:
        """Always."""
        yield from ()
        return True

    def _alternatives(self, inquiry: Inquiry, entity: Entity) -> list[tuple[str, ...]]:
        return [attributes[:1] for attributes in super()._alternatives(inquiry, entity)]


class _Miscounting(Answers):
    """Gets numbers slightly wrong."""

    def answer(self, question: Question) -> Steps[Answer | None]:
        """The answer, a little off."""
        found = yield from super().answer(question)
        if isinstance(found, Counted):
            return replace(found, count=found.count + 1)
        if isinstance(found, Summed):
            return replace(found, total=_off(found.total))
        if isinstance(found, Attribute | Field) and type(found.value) is int:
            return replace(found, value=_off(found.value))
        return found


def _off(value: int) -> int:
    """A number a little off."""
    return value + max(1, abs(value) // 10)


class _Imperfect(Expert):
    """An expert with an error mode."""

    mode = ""

    def __init__(self, domain: Domain, seed: str) -> None:
        super().__init__(domain, seed)
        self.name = f"imperfect:{self.mode}"


class WrongLookalike(_Imperfect):
    """Acts on a row that is like the one that was meant."""

    mode = "wrong-lookalike"
    understands = _Mixing


class SkippedCheck(_Imperfect):
    """Keeps to no rule that only the agent could keep."""

    mode = "skipped-check"
    judges = _Lenient


class SkippedConfirmation(_Imperfect):
    """Asks for no yes."""

    mode = "skipped-confirmation"
    consents = _Presuming


class StaleValue(_Imperfect):
    """Uses values from before a write."""

    mode = "stale-value"
    inquires = _Stale


class PrematureStop(_Imperfect):
    """Does the first wish, and nothing after that."""

    mode = "premature-stop"

    def _wanted(self, intents: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        return list(super()._wanted(intents))[:1] if self._turn == 0 else []


class ExtraWrite(_Imperfect):
    """Does one more thing that nobody asked for, once it has done something."""

    mode = "extra-write"

    def _work(self, items: Sequence[Item]) -> Steps[list[Item]]:
        done = yield from super()._work(items)
        if not self._overdid and any(isinstance(i, Wish) and i.outcome == "done" for i in done):
            self._overdid = yield from self._overdo(done)
        return done

    _overdid = False

    def _overdo(self, done: Sequence[Item]) -> Steps[bool]:
        """Call some write on rows that came up, one that needs no yes if there is any."""
        made = [i.bound for i in done if isinstance(i, Wish) and i.outcome == "done"]
        tools = [t for t in self.domain.tools.values() if t.kind == "write" and not t.handover]
        tools = [t for t in tools if t.name in self.inquiry.available]
        self.rng.shuffle(tools)
        for tool in sorted(tools, key=lambda t: t.confirmation is not None):
            for bound in self._bindings(tool):
                wish = Wish(tool, {}, bound=bound)
                if bound in made or (yield from self.judgement.obstacle(wish)) is not None:
                    continue
                if not (yield from self.inquiry.permit(tool, bound)):
                    continue
                result = yield from self.inquiry.call(tool, bound)
                if result.ok:
                    return True
        return False

    def _bindings(self, tool: Tool) -> list[dict[str, Any]]:
        """Arguments out of rows that are known and values that come to mind."""
        bindings: list[dict[str, Any]] = [{}]
        for parameter in tool.parameters:
            values = self._values(parameter)
            bindings = [{**b, parameter.name: value} for b in bindings for value in values]
        return bindings[:CANDIDATES]

    def _values(self, parameter: Parameter) -> list[Any]:
        if not parameter.required and not parameter.implicit:
            return [parameter.default]
        if parameter.is_person:
            person = self.beliefs.persons.get(parameter.entity) if parameter.entity else None
            return [] if person is None else [person]
        if parameter.entity is not None:
            rows = self._own(parameter.entity)
            return [[row] for row in rows] if parameter.type.many else rows
        if parameter.type.choices:
            return [self.rng.choice(parameter.type.choices)]
        least = parameter.bounds().get("ge", 1)
        simple = parameter.type.kind in ("int", "money") and not parameter.type.many
        return [int(least)] if simple else []

    def _own(self, entity: Entity) -> list[BeliefRow]:
        """The rows of a kind that came up."""
        rows = [row for row in self.beliefs.rows(entity) if row._seen]
        self.rng.shuffle(rows)
        return rows[:CANDIDATES]


class WrongArithmetic(_Imperfect):
    """Tells numbers that are slightly wrong."""

    mode = "wrong-arithmetic"
    answers_by = _Miscounting


class SkippedIdentification(_Imperfect):
    """Does not ask who it is talking to."""

    mode = "skipped-identification"
    introduces = _Trusting


class RuleBreaker(Expert):
    """The expert that ignores the agent's own rules, but for identification and confirmation."""

    name = "rule-breaker"
    judges = _Lenient


MODES: Final[Mapping[str, type[_Imperfect]]] = {
    kind.mode: kind
    for kind in (
        WrongLookalike,
        SkippedCheck,
        SkippedConfirmation,
        StaleValue,
        PrematureStop,
        ExtraWrite,
        WrongArithmetic,
        SkippedIdentification,
    )
}
"""Error modes by name."""


def imperfect(domain: Domain, seed: str, mode: str = "") -> Expert:
    """An imperfect agent of a mode, or of one drawn by the seed."""
    chosen = mode or random.Random(seed).choice(list(MODES))
    return MODES[chosen](domain, seed)
