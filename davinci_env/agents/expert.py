"""The expert: solves requests by looking, thinking and asking, with no model and no view behind the
tools.

It gets what an agent gets (policy, tools, results, messages), with the structured reading of the
user's messages in place of language understanding and the domain's declarations in place of reading
the policy. It never sees a world, a task's requirements or its solution, and can't restore
anything.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ..domain import Domain, Tool
from ..state import Entity
from .answers import UNKNOWN, Answers, Question
from .belief import Beliefs
from .casework import Casework, Item
from .consent import Consent
from .finding import Finder
from .handing import Handing
from .inquiry import Inquiry, Steps
from .introductions import Introductions
from .news import Declined, Missing, News
from .protocol import Action, Say, View
from .registers import REGISTERS
from .slips import Slips
from .speaker import Speaker
from .talking import Talking
from .topics import Topics
from .understanding import Understanding
from .ways import Bound
from .wishes import Judgement, Wish

MAX_ACTIONS = 50
"""Actions after which the expert gives up on a turn."""

GIVEN_UP = (
    "I'm sorry, but I haven't been able to get to the end of this. Nothing more will be changed."
)
NOTHING_ELSE = "I understand, but there is nothing else that I can do about this, I'm afraid."


class Expert:
    """Plays one episode of any number of user turns. What it has learned stays with it.

    Args:
        domain: the declarations behind the policy.
        seed: chooses a manner of speaking, among wordings, and where to slip.
        slips: how often an episode has a slip: a harmless read that leads nowhere.
    """

    name = "expert"
    finds: type[Finder] = Finder
    inquires: type[Inquiry] = Inquiry
    judges: type[Judgement] = Judgement
    introduces: type[Introductions] = Introductions
    understands: type[Understanding] = Understanding
    consents: type[Consent] = Consent
    answers_by: type[Answers] = Answers

    def __init__(self, domain: Domain, seed: str, *, slips: float = 0) -> None:
        self.domain = domain
        self.rng = random.Random(seed)
        self.facts: dict[str, Any] = {}
        self.beliefs = Beliefs(domain)
        self.inquiry = self.inquires(domain, self.beliefs, self._permit)
        speaker = Speaker(domain, seed, register=self.rng.choice(REGISTERS))
        self.talking = Talking(speaker, self.inquiry)
        self.introductions = self.introduces(domain, self.facts, self.talking)
        self.judgement = self.judges(domain, self.inquiry)
        finder = self.finds(self.inquiry, self.facts)
        self.inquiry.seek, self.inquiry.collect = finder.seek, finder.collect
        self.inquiry.meet = partial(self.introductions.meet, self.inquiry)
        if slips:
            self.inquiry.before = Slips(domain, self.inquiry, f"{seed}:slips", slips).before
        self.topics = topics = Topics(self.inquiry, finder)
        self.understanding = self.understands(
            domain, self.inquiry, finder, topics, self.facts, self.talking
        )
        self.answers = self.answers_by(domain, self.inquiry, finder, topics, self.understanding)
        self.handing = Handing(domain, self.inquiry)
        self.casework = Casework(
            domain, self.inquiry, self.judgement, self.understanding, self.answers, topics,
            self.talking, self.consents, self.open_item,
        )  # fmt: skip
        self._turn = -1
        self._actions = self._heard = 0
        self._script: Steps[None] | None = None
        self._waiting: list[Mapping[str, Any]] = []
        self._refused: News | None = None

    def act(self, view: View) -> Action:
        """The next call or message."""
        is_new = view.reading.turn != self._turn
        self._listen(view, is_new)
        if is_new:
            self._turn, self._actions = view.reading.turn, 0
            self.beliefs.strangers.clear()  # what they tell now may lead to their record
            self._script = self._conversation(view.reading.intents)
        self._actions += 1
        if self._actions > MAX_ACTIONS:
            return Say(GIVEN_UP)
        try:
            assert self._script is not None
            return next(self._script) if is_new else self._script.send(view.last)
        except StopIteration:
            return Say("")

    def _listen(self, view: View, is_new: bool) -> None:
        """Take in what the user said since the last action."""
        self.facts.update(view.reading.facts)
        events = view.reading.events
        self.inquiry.entries.extend(events[self._heard :])
        if is_new or len(events) > self._heard:
            self.inquiry.available = frozenset(spec.name for spec in view.tools())
        self._heard = len(events)

    def _permit(self, tool: Tool, bound: Bound) -> Steps[bool]:
        return (yield from self.introductions.permits(self.inquiry, tool, bound))

    # -- one turn ----------------------------------------------------------------------------------

    def _conversation(self, intents: Sequence[Mapping[str, Any]]) -> Steps[None]:
        """Answer one turn of the user's."""
        insisted = any("insist" in intent for intent in intents)
        items = [item for intent in self._wanted(intents) if (item := self.open_item(intent))]
        done: list[Item] = []
        if any(not isinstance(i, Wish) or i.is_open or i.fallback for i in items):
            done = yield from self._work(items)
        else:
            done = items
        news = yield from self._news(done)
        yield from self._close(news, insisted)

    def _wanted(self, intents: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """What a turn asks for; where it asks for nothing, what an earlier one could not have and
        can be had now.
        """
        if intents:
            return [intent for intent in intents if "insist" not in intent]
        ready = [i for i in self._waiting if i["do"] in self.inquiry.available]
        self._waiting = [i for i in self._waiting if i not in ready]
        return ready

    def open_item(self, intent: Mapping[str, Any]) -> Item | None:
        """A wish or a question out of an intent."""
        if "ask" in intent:
            return Question(intent["ask"])
        if "concern" in intent:
            return self.handing.wish(intent["concern"], intent.get("row"), intent.get("home", ""))
        if "do" not in intent:
            return None
        wish = Wish(
            self.domain.tools[intent["do"]], dict(intent["arguments"]), intent.get("else", ())
        )
        if wish.tool.handover:
            wish.reason = self.handing.reason_of(wish)
        if wish.tool.name not in self.inquiry.available:
            wish.outcome, wish.told = "missing", Missing(wish.tool, None)
            self._waiting.append(intent)
        return wish

    def _work(self, items: Sequence[Item]) -> Steps[list[Item]]:
        """Ask for what is missing, find out whom one talks to, then do what is asked for."""
        for item in items:
            if isinstance(item, Wish) and item.is_open:
                yield from self.understanding.ask_missing(item)
        for entity in self.spoken_to(items):
            yield from self.inquiry.person(entity)
        return (yield from self.casework.work(items))

    def spoken_to(self, items: Sequence[Item]) -> list[Entity]:
        """The entities in which the person must be known for these items."""
        found = [
            self.domain.identity_of(item.tool)
            if isinstance(item, Wish)
            else self._asked_of(item.asked)
            for item in items
        ]
        return list(dict.fromkeys(found))

    def _asked_of(self, asked: Mapping[str, Any]) -> Entity:
        """The entity in which the person must be known for a question."""
        if "field" in asked:
            return self.domain.identity_of(self.domain.tools[asked["field"]["tool"]])
        (said,) = asked.values()
        said = said.get("row", said)
        return self.domain.identity_beside(self.domain.entities[said["entity"]])

    def _news(self, items: Sequence[Item]) -> Steps[list[News | None]]:
        """What came of the items; None for a question that could not be answered."""
        news: list[News | None] = []
        missing = [i for i in items if isinstance(i, Wish) and i.outcome == "missing"]
        handed = bool(missing) and (yield from self._hand_over_missing())
        for item in items:
            if isinstance(item, Question):
                news.append((yield from self.answers.answer(item)))
            elif item in missing:
                self.topics.note_spoken(item.tool, item.specs)
                news.append(Missing(item.tool, self.understanding.as_spoken(item), handed))
            elif item.told is not None:
                news.append(item.told)
        return news

    def _hand_over_missing(self) -> Steps[bool]:
        """Pass on what there is no tool for, if the policy says so."""
        wish = self.handing.wish(self.domain.without_tool) if self.domain.without_tool else None
        if wish is None:
            return False
        yield from self._work([wish])
        return wish.outcome == "done"

    def _close(self, news: Sequence[News | None], insisted: bool) -> Steps[None]:
        """Say what came of a turn, in one message that asks nothing."""
        parts = []
        if insisted:
            parts.append((yield from self._firm()))
        known = [item for item in news if item is not None]
        if known:
            parts.append((yield from self.talking.report(known)))
        if len(known) < len(news):
            parts.append(UNKNOWN)
        refused = [item for item in known if isinstance(item, Declined | Missing)]
        self._refused = refused[-1] if refused else self._refused
        yield Say(" ".join(parts) or GIVEN_UP)

    def _firm(self) -> Steps[str]:
        """Stay with a refusal, in other words."""
        refused = self._refused
        if refused is None:
            return NOTHING_ELSE
        if isinstance(refused, Declined):
            return (yield from self.talking.firm(refused))
        return (yield from self.talking.report([refused]))
