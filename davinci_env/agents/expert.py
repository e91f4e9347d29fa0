"""The expert: solves requests by looking, thinking and asking, with no model and no view behind the
tools.

It gets what an agent gets (policy, tools, results, messages), with the structured reading of the
user's messages in place of language understanding and the domain's declarations in place of reading
the policy. It never sees a world, a task's requirements or its solution, and can't restore
anything.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..domain import Domain, Rule, Tool
from ..environment import ToolResult
from ..verify import rule_named
from . import phrases
from .answers import Answers, Question
from .belief import BeliefRow, Beliefs
from .finding import Finder
from .inquiry import Bound, Inquiry, Steps
from .introductions import Introductions
from .protocol import Action, Say, View
from .speech import says
from .understanding import Understanding
from .wishes import Judgement, Obstacle, Wish, may_lift

MAX_ACTIONS = 50
"""Actions after which the expert gives up."""

WORDINGS = 4
"""Wordings of a refusal that are tried."""

GIVEN_UP = (
    "I'm sorry, but I haven't been able to get to the end of this. Nothing more will be changed."
)


class Expert:
    """Plays one episode.

    Args:
        domain: the declarations behind the policy.
        seed: chooses among wordings.
    """

    name = "expert"
    finds: type[Finder] = Finder

    def __init__(self, domain: Domain, seed: str) -> None:
        self.domain = domain
        self.rng = random.Random(seed)
        self.facts: dict[str, Any] = {}
        self.beliefs = Beliefs(domain)
        self.introductions = Introductions(domain, self.facts)
        self.inquiry = Inquiry(domain, self.beliefs, self._permit)
        self.judgement = Judgement(domain, self.inquiry)
        finder = self.finds(self.inquiry, self.facts)
        self.inquiry.seek, self.inquiry.collect = finder.seek, finder.collect
        self.understanding = Understanding(domain, self.inquiry, finder, self.facts, self.rng)
        self.answers = Answers(domain, self.inquiry, finder, self.understanding)
        self._actions = self._heard = 0
        self._script: Steps[None] | None = None

    def act(self, view: View) -> Action:
        """The next call or message."""
        self._listen(view)
        self._actions += 1
        if self._actions > MAX_ACTIONS:
            return Say(GIVEN_UP)
        try:
            if self._script is None:
                self._script = self._conversation(view.reading.intents)
                return next(self._script)
            return self._script.send(view.last)
        except StopIteration:
            return Say("")

    def _listen(self, view: View) -> None:
        """Take in what the user said since the last action."""
        self.facts.update(view.reading.facts)
        events = view.reading.events
        self.inquiry.entries.extend(events[self._heard :])
        if len(events) > self._heard or self._script is None:
            self.inquiry.available = frozenset(spec.name for spec in view.tools())
        self._heard = len(events)

    def _permit(self, tool: Tool, bound: Bound) -> Steps[bool]:
        return (yield from self.introductions.permits(self.inquiry, tool, bound))

    # -- the conversation --------------------------------------------------------------------------

    def _conversation(self, intents: Sequence[Mapping[str, Any]]) -> Steps[None]:
        wishes = [
            Wish(self.domain.tools[i["do"]], dict(i["arguments"])) for i in intents if "do" in i
        ]
        questions = [Question(i["ask"]) for i in intents if "ask" in i]
        for wish in wishes:
            yield from self.understanding.ask_missing(wish)
        yield from self.introductions.meet(self.inquiry)
        for question in questions:
            yield from self.answers.prepare(question)
        yield from self._consider(wishes)
        yield from self._confirm([w for w in wishes if w.outcome == "open" and w.bound is not None])
        for wish in wishes:
            yield from self._carry_out(wish)
        answers = []
        for question in questions:
            answers.append((yield from self.answers.answer(question)))
        yield Say(self._closing(wishes, answers))

    def _closing(self, wishes: Sequence[Wish], answers: Sequence[str]) -> str:
        """What was done, refused and found out. Beside an answer, no other values are told."""
        done = [w for w in wishes if w.outcome == "done"]
        parts = []
        if done:
            facts = [sentence for wish in done for sentence in self._quoted(wish, len(done) > 1)]
            described = [w.said for w in done]
            parts.append(phrases.done(described, [] if answers else facts, self.rng))
        parts += [w.said for w in wishes if w.outcome == "refused"]
        return " ".join([*parts, *answers]) or GIVEN_UP

    def _quoted(self, wish: Wish, named: bool) -> list[str]:
        return phrases.quoted(self.domain, wish.tool, wish.result, named=named)

    # -- what may be done --------------------------------------------------------------------------

    def _consider(self, wishes: Sequence[Wish]) -> Steps[None]:
        """Find what each wish is about and what stands in its way, before anything is changed."""
        for number, wish in enumerate(wishes):
            if wish.outcome != "open":
                continue
            before = [w for w in wishes[:number] if w.outcome == "open"]
            yield from self.understanding.bind(wish, last=not before)
            if wish.bound is None:
                continue
            obstacle = yield from self.judgement.obstacle(wish)
            if obstacle is not None and not any(may_lift(w, obstacle) for w in before):
                yield from self._refuse(wish, obstacle)

    def _confirm(self, wishes: Sequence[Wish]) -> Steps[None]:
        """Ask once for an explicit yes to all calls that need one."""
        asked = [w for w in wishes if w.tool.confirmation is not None and not self._confirmed(w)]
        if not asked:
            return
        described = []
        for wish in asked:
            described.append((yield from self._describe(wish)))
        final = any(w.tool.outcome.irreversible for w in asked)
        notes = [note for wish in asked for note in wish.notes]
        yield Say(" ".join([*notes, phrases.confirmation(described, final, self.rng)]))

    def _confirmed(self, wish: Wish) -> bool:
        assert wish.bound is not None
        rule = wish.tool.confirmation
        return rule is None or bool(
            self.judgement.context(wish.tool, wish.bound)["log"].confirmed()
        )

    def _carry_out(self, wish: Wish) -> Steps[None]:
        """Make the call of a wish, if it is still right to."""
        if wish.outcome != "open":
            return
        if wish.bound is None:
            yield from self.understanding.bind(wish, last=True)
        if wish.bound is None or wish.outcome != "open":
            return
        obstacle = yield from self.judgement.obstacle(wish)
        if obstacle is not None:
            yield from self._refuse(wish, obstacle)
            return
        yield from self._call(wish)

    def _call(self, wish: Wish) -> Steps[None]:
        assert wish.bound is not None
        if not (yield from self._permit(wish.tool, wish.bound)):
            wish.give_up("because I can only do that for the account holder, once identified")
            return
        if not self._confirmed(wish):
            yield from self._confirm([wish])
        if not self._confirmed(wish):
            wish.give_up("because I need your explicit yes first")
            return
        said = yield from self._describe(wish)
        result = yield from self.inquiry.call(wish.tool, wish.bound)
        if result.ok:
            wish.outcome, wish.said, wish.result = "done", said, result.content
        else:
            yield from self._explain(wish, result)

    # -- refusing ----------------------------------------------------------------------------------

    def _refuse(self, wish: Wish, obstacle: Obstacle) -> Steps[None]:
        """Decline a wish, having looked up what decides it, or else having been told by the tool
        itself.
        """
        assert wish.bound is not None
        missing = yield from self.judgement.unseen(obstacle)
        if obstacle.rule is not None and obstacle.rule.by == "tool":
            unsure = missing or not obstacle.trace.rows
            listed = wish.tool.confirmation is None and any(
                c == "+" for _, c in obstacle.trace.cells
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
        what = yield from self._describe(wish)
        rule = next((r for r in wish.tool.requires if r.code == code), None)
        wish.outcome = "refused"
        if rule is None:
            reason = message or self._state_told(wish, code)
            wish.said = f"I'm sorry, but I can't {what}. {reason}".strip()
            return
        wish.said = yield from self._refusal(
            what, rule, self.judgement.context(wish.tool, wish.bound)
        )

    def _refusal(self, what: str, rule: Rule, context: Mapping[str, Any]) -> Steps[str]:
        """Words for a refusal in which the rule can't be taken for another one."""
        found = yield from self.inquiry.settle(lambda: phrases.concepts_of(rule, context))
        concepts = found.value or [list(group) for group in rule.concepts]
        text = ""
        for _ in range(WORDINGS):
            because = yield from self.inquiry.settle(
                lambda: phrases.because_of(rule, context, self.domain, self.rng)
            )
            text = phrases.refusal(self.domain, what, rule, because.value or "", self.rng, concepts)
            if rule_named(self.domain, rule.code, concepts, text).passed:
                break
        return text

    def _state_told(self, wish: Wish, code: str) -> str:
        """Why a row's state forbids a call."""
        condition = next((c for c in wish.tool.preconditions if c.code == code), None)
        if condition is None:
            return ""
        states = " or ".join(sorted(s.replace("_", " ") for s in condition.states))
        return f"For that, the {condition.noun} would have to be {states}."

    def _describe(self, wish: Wish) -> Steps[str]:
        """A wish said to the user, its rows by label and id."""
        assert wish.bound is not None
        bound = wish.bound
        with_words = yield from self.inquiry.settle(
            lambda: phrases.describe_call(self.domain, wish.tool, bound, given=wish.spoken)
        )
        if with_words.value is not None:
            return with_words.value
        return wish.tool.name.replace("_", " ") + _listed(wish.tool, bound)


def _listed(tool: Tool, bound: Bound) -> str:
    """The arguments of a call by bare ids and values, where their labels can't be had."""
    parts: Iterator[str] = (
        f"{says(tool, p)}: {bound[p.name].id}"
        for p in tool.parameters
        if isinstance(bound.get(p.name), BeliefRow) and not p.implicit
    )
    return f" ({', '.join(parts)})"
