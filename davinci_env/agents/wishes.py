"""Wishes: what a person asks for, as calls with rows and values, and what stands in the way of
each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from ..domain import Domain, Rule, Tool
from ..domain.conditions import Precondition
from ..domain.frames import columns_changed
from ..domain.log import CallEntry, CallLog
from ..domain.results import RecordShape
from .belief import BeliefRow, Trace
from .inquiry import Inquiry, Steps, wire_arguments
from .news import Declined, News
from .ways import Bound, Read

Outcome = Literal["open", "done", "refused", "left", "missing", "unable"]
"""`refused`: a rule, a state or the tool forbids it; `left`: the person declined; `missing`: its
tool is not listed; `unable`: what it is about can't be found.
"""


@dataclass(eq=False)
class Wish:
    """One write that the person asks for.

    `bound` holds its rows and values once they are known, `notes` what to tell before it is
    confirmed, `quoted` what was read for that, by tool, `told` what came of it. `fallback` is
    wanted instead where this is forbidden, `about` a row to look at first, which `concerns` then
    is, `reason` that of a hand-over. `asked` are the facts that were asked for, by the argument
    that they are for. `instead_of` is the wish whose fallback this is.
    """

    tool: Tool
    specs: Mapping[str, Mapping[str, Any]]
    fallback: Sequence[Mapping[str, Any]] = ()
    about: Mapping[str, Any] | None = None
    reason: str = ""
    bound: dict[str, Any] | None = None
    outcome: Outcome = "open"
    told: News | None = None
    notes: list[str] = field(default_factory=list)
    quoted: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    concerns: BeliefRow | None = None
    asked: dict[str, str] = field(default_factory=dict)
    instead_of: Wish | None = None

    @property
    def spoken(self) -> frozenset[str]:
        """Names of the arguments that the person spoke of."""
        return frozenset(p.name for p in self.tool.parameters if p.wire in self.specs)

    @property
    def arguments(self) -> Bound:
        """Its rows and values, {} until they are known."""
        return self.bound or {}

    @property
    def is_open(self) -> bool:
        """Whether nothing came of it yet."""
        return self.outcome == "open"

    def give_up(self, why: str) -> None:
        """Decline, for a reason that is no rule."""
        self.outcome = "unable"
        values = self.bound or {}
        given = self.spoken if self.bound else frozenset()
        self.told = Declined(self.tool, values, given, None, {}, (), why)


@dataclass(frozen=True)
class Obstacle:
    """What forbids a call: a rule or a row's state, and what that rests on."""

    code: str
    rule: Rule | None
    condition: Precondition | None
    trace: Trace


class Judgement:
    """Judges calls on beliefs, by the domain's own rules."""

    def __init__(self, domain: Domain, inquiry: Inquiry) -> None:
        self.domain, self.inquiry = domain, inquiry

    def context(self, tool: Tool, bound: Bound) -> dict[str, Any]:
        """What a rule is given."""
        inquiry = self.inquiry
        arguments = wire_arguments(tool, bound)
        return {
            **bound,
            "db": tool.own_db(inquiry.beliefs.db),
            "log": CallLog(inquiry.entries, tool.name, arguments, tool.free, tool.names),
        }

    def obstacle(
        self, wish: Wish, lifted: Callable[[Obstacle], bool] = lambda obstacle: False
    ) -> Steps[Obstacle | None]:
        """The first thing that forbids a wish, looking up what that takes. What no read tells
        counts as no obstacle.

        Args:
            lifted: whether something that is to be done before will remove an obstacle. The others
                are looked for all the same.
        """
        assert wish.bound is not None
        tool, context = wish.tool, self.context(wish.tool, wish.bound)
        for condition in tool.preconditions:
            found = yield from self.inquiry.settle(partial(in_state, condition, context))
            if found.value is False:
                obstacle = Obstacle(condition.code, None, condition, found.trace)
                if not lifted(obstacle):
                    return obstacle
        for code, holds, rule in self.rules(tool):
            if rule.kind is None:
                against = yield from self._against(wish, code, holds, rule, context)
                if against is not None and not lifted(against):
                    return against
        return None

    def rules(self, tool: Tool) -> Sequence[tuple[str, Callable[[Any], bool], Rule]]:
        """The rules of a tool that are checked: code, compiled predicate, declaration."""
        return (*tool.enforced, *tool.advisory)

    def _against(
        self,
        wish: Wish,
        code: str,
        holds: Callable[[Any], bool],
        rule: Rule,
        context: Mapping[str, Any],
    ) -> Steps[Obstacle | None]:
        found = yield from self.inquiry.settle(lambda: holds(context))
        if found.value is not False:
            return None
        remedy = self.domain.tools.get(rule.remedy or "")
        if rule.by == "agent" and remedy is not None and remedy.kind == "read":
            yield from self._look_up_first(remedy, wish)
            found = yield from self.inquiry.settle(lambda: holds(context))
        return None if found.value is not False else Obstacle(code, rule, None, found.trace)

    def _look_up_first(self, remedy: Tool, wish: Wish) -> Steps[None]:
        """Make the read that a duty demands, and keep the amounts that it tells."""
        if remedy.name in wish.tool.outcome.ask_first:
            yield from self.quote(remedy, wish)
            return
        bound = self._same_arguments(remedy, wish)
        if (yield from self.inquiry.read(Read(remedy, bound))) is None:
            return
        entry = self.inquiry.entries[-1]
        if isinstance(remedy.shape, RecordShape) and isinstance(entry, CallEntry):
            values = remedy.shape.values(entry.result.content)
            for name, typed in remedy.shape.fields.items():
                if typed.kind == "money" and values.get(name) is not None:
                    amount = self.domain.dialect.say_money(values[name])
                    wish.notes.append(f"The {name.replace('_', ' ')} is {amount}.")

    def look_up_first(self, wish: Wish) -> Steps[None]:
        """Make the reads whose amounts and dates are told before a yes."""
        for name in wish.tool.outcome.reads_first():
            if name not in wish.quoted:
                yield from self.quote(self.domain.tools[name], wish)

    def quote(self, tool: Tool, wish: Wish) -> Steps[None]:
        """Make a read with the arguments of a wish, and keep what it tells."""
        bound = self._same_arguments(tool, wish)
        if (yield from self.inquiry.read(Read(tool, bound))) is None:
            return
        result = self.inquiry.told(tool, bound)
        if result is not None:
            wish.quoted[tool.name] = result.content

    def _same_arguments(self, tool: Tool, wish: Wish) -> dict[str, Any]:
        """A read's arguments out of those of a wish."""
        assert wish.bound is not None
        names = [p.name for p in tool.parameters if p.required or p.implicit]
        return {n: wish.bound[n] for n in names if n in wish.bound}

    def unseen(self, obstacle: Obstacle) -> Steps[list[BeliefRow]]:
        """Look up the rows that an obstacle rests on; returns those that can't be."""
        missing = []
        for row in obstacle.trace.rows:
            if not row._seen and not (yield from self.inquiry.see(row)):
                missing.append(row)
        return missing


def in_state(condition: Precondition, context: Mapping[str, Any]) -> bool:
    """Whether the row of a precondition is in one of its states (an absent one passes)."""
    row = condition.row(context)
    return row is None or getattr(row, condition.column) in condition.states


def may_lift(wish: Wish, obstacle: Obstacle) -> bool:
    """Whether carrying out a wish could remove an obstacle: it touches what that rests on, or is
    its remedy.
    """
    if obstacle.rule is not None and obstacle.rule.remedy == wish.tool.name:
        return True
    return bool(columns_changed(wish.tool.frame, wish.tool.entities) & obstacle.trace.cells)
