"""Casework: takes what a message asks for from understanding to its end.

Everything is looked into before anything is changed. A wish that something forbids makes way for
its fallback.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..domain import Domain
from ..environment import ToolResult
from .answers import Answers, Question
from .belief import BeliefRow
from .consent import Consent
from .inquiry import Inquiry, Steps
from .news import Declined, Did, HandedOver
from .openings import is_closed
from .phrases import concepts_of
from .speech import follow
from .talking import Talking
from .topics import Topics
from .understanding import Understanding
from .ways import Bound
from .wishes import Judgement, Obstacle, Wish, may_lift

Item = Wish | Question
"""What one intent became."""


class Casework:
    """Works through the items of one message.

    Args:
        consents: how the consent is made.
        open_item: makes an item out of an intent.
    """

    def __init__(
        self,
        domain: Domain,
        inquiry: Inquiry,
        judgement: Judgement,
        understanding: Understanding,
        answers: Answers,
        topics: Topics,
        talking: Talking,
        consents: type[Consent],
        open_item: Callable[[Mapping[str, Any]], Item | None],
    ) -> None:
        self.domain, self.inquiry, self.judgement = domain, inquiry, judgement
        self.understanding, self.answers, self.topics = understanding, answers, topics
        self.open_item = open_item
        self.consent = consents(inquiry, judgement, talking, self._reconsider)
        self._items: list[Item] = []
        self._proposed: list[Wish] = []

    def work(self, items: Sequence[Item]) -> Steps[list[Item]]:
        """Do what can and may be done; returns the items in their order, with what came of them."""
        self._items = list(items)
        yield from self._consider(self._items)
        self._proposed = [wish for wish in self._wishes() if wish.bound is not None]
        yield from self.consent.ask(self._wishes())
        self.understanding.settle()
        number = 0
        while number < len(self._items):
            item = self._items[number]
            if isinstance(item, Wish) and item.is_open:
                yield from self._carry_out(number)
            number += 1
        self._settle_refused()
        self._note_all()
        return self._items

    def _wishes(self) -> list[Wish]:
        return [item for item in self._items if isinstance(item, Wish)]

    def _settle_refused(self) -> None:
        """What was refused is settled where something else was done instead."""
        for wish in self._wishes():
            first = wish.instead_of
            if first is not None and wish.outcome == "done" and isinstance(first.told, Declined):
                first.told = replace(first.told, settled=True)

    def _note_all(self) -> None:
        """Let the conversation have been about the items in their order."""
        for item in self._items:
            if isinstance(item, Question):
                self.topics.note(*([item.row] if item.row is not None else []))
                self.topics.note_call(item.wish.arguments if item.wish is not None else {})
                continue
            self.topics.note_call(item.arguments)
            if isinstance(item.told, Did):
                self.topics.note(*self.inquiry.created_by(item.tool, item.told.result))

    # -- what may be done --------------------------------------------------------------------------

    def _consider(self, items: list[Item], before: Sequence[Item] = ()) -> Steps[None]:
        """Find what each item is about and what stands in its way; a wish that is forbidden is
        followed by its fallback.
        """
        number = 0
        while number < len(items):
            item = items[number]
            earlier = [w for w in (*before, *items[:number]) if isinstance(w, Wish) and w.is_open]
            if isinstance(item, Question):
                yield from self.answers.prepare(item)
            elif item.outcome == "missing":
                self.topics.note_spoken(item.tool, item.specs)
                items[number + 1 : number + 1] = yield from self._fallback(item)
            elif item.is_open and item.bound is None:
                items[number : number + 1] = yield from self.understanding.spread(item, not earlier)
                first = items[number]
                assert isinstance(first, Wish)
                yield from self._weigh(first, earlier)
                if first.outcome == "refused":
                    items[number + 1 : number + 1] = yield from self._fallback(first)
            number += 1

    def _weigh(self, wish: Wish, earlier: Sequence[Wish]) -> Steps[None]:
        """Find the rows of a wish, and what forbids it once the earlier ones are done."""
        if not wish.is_open:
            return
        if wish.about is not None:
            located = yield from self.understanding.locate(wish.about)
            wish.concerns = located[0] if len(located) == 1 else None
            self.topics.note(*located)
        yield from self.understanding.bind(wish, last=not earlier)
        if wish.bound is None:
            return
        self.topics.note_call(wish.bound)
        obstacle = yield from self.judgement.obstacle(
            wish, lambda found: any(may_lift(w, found) for w in earlier)
        )
        if obstacle is not None:
            yield from self._refuse(wish, obstacle)
        if wish.is_open:
            self.understanding.expect(wish)

    def _fallback(self, wish: Wish) -> Steps[list[Item]]:
        """What the person wants instead."""
        items = [self.open_item(intent) for intent in wish.fallback]
        for item in items:
            if isinstance(item, Wish):
                item.instead_of = wish
            if isinstance(item, Wish) and item.is_open:
                yield from self.understanding.ask_missing(item)
        return [item for item in items if item is not None]

    def _reconsider(self, wish: Wish) -> Steps[None]:
        """Look into a wish anew, of which the person wants something else."""
        wishes = self._wishes()
        place = wishes.index(wish) if wish in wishes else len(wishes)
        yield from self._weigh(wish, [w for w in wishes[:place] if w.is_open])

    # -- doing it ----------------------------------------------------------------------------------

    def _carry_out(self, number: int) -> Steps[None]:
        """Make the call of a wish, if it is still right to; else see to its fallback."""
        wish = self._items[number]
        assert isinstance(wish, Wish)
        if wish.bound is None:
            self._items[number : number + 1] = yield from self.understanding.spread(wish, True)
            first = self._items[number]
            assert isinstance(first, Wish)
            wish = first
            if wish.is_open and wish.bound is None:
                yield from self.understanding.bind(wish, last=True)
        if wish.bound is None or not wish.is_open:
            return
        self.topics.note_call(wish.bound)
        obstacle = yield from self.judgement.obstacle(wish)
        if obstacle is not None:
            yield from self._refuse(wish, obstacle)
        else:
            yield from self._call(wish)
        if wish.outcome == "refused":
            instead = yield from self._fallback(wish)
            yield from self._consider(instead)
            wishes = [item for item in instead if isinstance(item, Wish)]
            self._proposed += [wish for wish in wishes if wish.bound is not None]
            yield from self.consent.ask(wishes)
            self._items[number + 1 : number + 1] = instead

    def _call(self, wish: Wish) -> Steps[None]:
        assert wish.bound is not None
        if not (yield from self.inquiry.permit(wish.tool, wish.bound)):
            wish.give_up("I can only do that for the account holder, once identified")
            return
        for exactly in (True,) if wish in self._proposed else (False, True):
            yield from self.consent.ask([wish], exactly=exactly)
        if not wish.is_open or wish.bound is None:
            return
        if not self.consent.is_given(wish):
            wish.give_up("I would need your explicit yes for that")
            return
        before = {name: _as_now(value) for name, value in wish.bound.items()}
        before |= yield from self._amounts_before(wish)
        result = yield from self.inquiry.call(wish.tool, wish.bound)
        if not result.ok:
            yield from self._explain(wish, result)
            return
        wish.outcome = "done"
        if wish.tool.handover:
            row = _as_now(wish.concerns)
            wish.told = HandedOver(wish.tool, before, result.content, wish.reason, row)
        else:
            wish.told = Did(wish.tool, before, wish.spoken, result.content)

    def _amounts_before(self, wish: Wish) -> Steps[dict[str, Any]]:
        """The amounts, by path, from which it is worked out what a call has changed."""
        found = {}
        for path in {p for sides in wish.tool.outcome.differences.values() for p in sides}:
            head, _, rest = path.partition(".")
            row = wish.arguments.get(head)
            if rest and isinstance(row, BeliefRow):
                amount = yield from self.inquiry.settle(partial(follow, row, rest))
                if amount.value is not None:
                    found[path] = amount.value
        return found

    # -- refusing ----------------------------------------------------------------------------------

    def _refuse(self, wish: Wish, obstacle: Obstacle) -> Steps[None]:
        """Decline a wish, having looked up what decides it, or else having been told by the tool
        itself.
        """
        missing = yield from self.judgement.unseen(obstacle)
        if obstacle.rule is not None and obstacle.rule.by == "tool":
            unsure = missing or not obstacle.trace.rows
            listed = wish.tool.confirmation is None and any(
                c == "+" and table in self.inquiry.uncertain for table, c in obstacle.trace.cells
            )
            if unsure or listed:  # a list may leave something out: the tool knows
                yield from self._call(wish)
                return
        yield from self._decline(wish, obstacle.code)

    def _explain(self, wish: Wish, result: ToolResult) -> Steps[None]:
        """Pass on a tool's refusal."""
        yield from self._decline(wish, str(result.code), result.content["error"]["message"])

    def _decline(self, wish: Wish, code: str, message: str = "") -> Steps[None]:
        assert wish.bound is not None
        rule = next((r for r in wish.tool.requires if r.code == code), None)
        wish.outcome = "refused"
        context: Bound = {}
        concepts: Sequence[Sequence[str]] = ()
        if rule is not None:
            context = self.judgement.context(wish.tool, wish.bound)
            found = yield from self.inquiry.settle(lambda: concepts_of(rule, context))
            concepts = found.value or rule.concepts
        reason = "" if rule is not None else message or _state_told(wish, code)
        closed = rule is not None and is_closed(self.domain, rule, context)
        wish.told = Declined(
            wish.tool, wish.bound, wish.spoken, rule, context, concepts, reason, closed
        )  # fmt: skip


def _as_now(value: Any) -> Any:
    """An argument as it is before the call: what is asked for is told in these terms."""
    if isinstance(value, list):
        return [_as_now(item) for item in value]
    return value.as_now() if isinstance(value, BeliefRow) else value


def _state_told(wish: Wish, code: str) -> str:
    """Why a row's state forbids a call."""
    condition = next((c for c in wish.tool.preconditions if c.code == code), None)
    if condition is None:
        return ""
    states = " or ".join(sorted(s.replace("_", " ") for s in condition.states))
    return f"For that, the {condition.noun} would have to be {states}."
