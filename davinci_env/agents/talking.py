"""Talking: what an agent says, over what it knows. Words that need something which was not read yet
wait until that was looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..domain import Parameter, Tool
from ..state import Entity
from .belief import BeliefRow
from .inquiry import Inquiry, Steps
from .news import Declined, Did, HandedOver, Left, Missing, News, Planned
from .speaker import Speaker
from .speech import join, own_name, says
from .wishes import Wish

LOST_WORDS = "I'm sorry, but something went wrong while I was looking into this."
"""Said where no words can be found, because what they need can't be looked up."""


class Talking:
    """Lets a speaker speak of belief rows."""

    def __init__(self, speaker: Speaker, inquiry: Inquiry) -> None:
        self.speaker, self.inquiry = speaker, inquiry

    def words(self, make: Callable[[], str], otherwise: str) -> Steps[str]:
        """A text, having looked up what it takes; `otherwise` where that can't be had."""
        found = yield from self._tried(make)
        return found or otherwise

    def _tried(self, make: Callable[[], str]) -> Steps[str | None]:
        def named() -> str:
            with self.inquiry.beliefs.naming():
                return make()

        found = yield from self.inquiry.settle(named)
        self.speaker.said()
        return found.value

    def proposal(self, wishes: Sequence[Wish], *, exactly: bool) -> Steps[str]:
        """The question for an explicit yes to wishes; `exactly` names rows by their numbers too."""
        calls = [Planned(w.tool, w.bound or {}, w.spoken, w.quoted, _within(w)) for w in wishes]
        notes = list(dict.fromkeys(note for wish in wishes for note in wish.notes))
        if exactly:
            notes += [number for wish in wishes for number in _numbers(wish)]
        bare = join([w.tool.name.replace("_", " ") for w in wishes])
        refused = _refused_for(wishes)
        if refused:
            told = yield from self._tried(lambda: self.speaker.propose(calls, notes, refused))
            if told is not None:
                _mark_told(wishes)
                return told
        otherwise = f"You would like me to {bare}. Shall I go ahead?"
        return (yield from self.words(lambda: self.speaker.propose(calls, notes), otherwise))

    def report(self, news: Sequence[News]) -> Steps[str]:
        """One message that tells all news. What has no words for its rows is told without them."""
        found = yield from self._tried(lambda: self.speaker.report(news))
        if found is not None:
            return found
        parts = []
        for item in news:
            alone = yield from self._tried(partial(self.speaker.report, [item]))
            bare = alone or (yield from self._tried(partial(self.speaker.report, [_bare(item)])))
            parts.append(bare or LOST_WORDS)
        return " ".join(parts)

    def firm(self, declined: Declined) -> Steps[str]:
        """Stay with a refusal after a protest."""
        found = yield from self._tried(lambda: self.speaker.firm(declined))
        return found or (yield from self.report([declined]))

    def identity(self, entity: Entity, attributes: Sequence[str], *, again: bool) -> Steps[str]:
        """The question for what identifies the person."""
        names = [own_name(entity, attribute) for attribute in attributes]
        otherwise = f"Could you please tell me your {join([*attributes])}?"
        return (
            yield from self.words(lambda: self.speaker.ask_identity(names, again=again), otherwise)
        )

    def argument(self, tool: Tool, parameter: Parameter) -> Steps[str]:
        """The question for an argument that was left out."""
        otherwise = f"Which {says(tool, parameter)} do you mean?"
        return (
            yield from self.words(lambda: self.speaker.ask_argument(tool, parameter), otherwise)
        )


def _refused_for(wishes: Sequence[Wish]) -> list[Declined | Missing]:
    """What wishes are the fallbacks of, as far as the person hasn't heard of its refusal."""
    told = {id(w.instead_of): w.instead_of.told for w in wishes if w.instead_of is not None}
    return [
        news
        for news in told.values()
        if isinstance(news, Missing) or (isinstance(news, Declined) and not news.again)
    ]


def _mark_told(wishes: Sequence[Wish]) -> None:
    """Note that the person knows now what can't be done, and why."""
    for wish in wishes:
        first = wish.instead_of
        if first is not None and isinstance(first.told, Declined):
            first.told = replace(first.told, again=True)


def _within(wish: Wish) -> frozenset[str]:
    """The arguments that the person told apart by what they belong to, which isn't the person."""
    found = set()
    for parameter in wish.tool.parameters:
        info = parameter.entity._info if parameter.entity is not None else None
        spec = wish.specs.get(parameter.wire, {})
        if info is None or info.owner is None or info.refs[info.owner].target._info.identity:
            continue
        said = [*spec.get("rows", ()), *([spec["row"]] if "row" in spec else [])]
        if any(path.startswith(f"{info.owner}.") for s in said for path in s.get("fields", {})):
            found.add(parameter.name)
    return frozenset(found)


def _numbers(wish: Wish) -> list[str]:
    """What the rows of a wish are called in the records."""
    return [
        f"That's {says(wish.tool, parameter)} {row.id}."
        for parameter in wish.tool.parameters
        for row in _rows(wish.arguments.get(parameter.name))
        if not row._info.identity
    ]


def _rows(value: Any) -> list[BeliefRow]:
    values = value if isinstance(value, list) else [value]
    return [row for row in values if isinstance(row, BeliefRow)]


def _bare(item: News) -> News:
    """News without the rows that it is about, where it can do without them."""
    if isinstance(item, Did):
        return replace(item, given=frozenset())
    if isinstance(item, Declined):
        return replace(item, values={}, given=frozenset(), context={})
    if isinstance(item, Missing):
        return replace(item, values=None)
    return replace(item, values={}) if isinstance(item, Left | HandedOver) else item
