"""The expert: solves requests by looking, thinking and asking, with no model and no view behind the
tools.

It gets what an agent gets (policy, tools, results, messages), with the structured reading of the
user's messages in place of language understanding and the domain's declarations in place of reading
the policy. It never sees a world, a task's
requirements or its solution, and can't restore anything.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ..domain import Domain, Parameter, Rule, Tool
from ..environment import ToolResult
from ..verify.answers import names_rule
from . import phrases
from .answers import UNKNOWN, Answers
from .belief import BeliefRow, Beliefs
from .finding import Finder, Wanted
from .inquiry import Bound, Inquiry, Steps, python_value
from .introductions import Introductions
from .protocol import Action, Say, View
from .speech import says
from .wishes import Judgement, Obstacle, Wish, in_state, may_lift

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

    def __init__(self, domain: Domain, seed: str) -> None:
        self.domain = domain
        self.rng = random.Random(seed)
        self.facts: dict[str, Any] = {}
        self.beliefs = Beliefs(domain)
        self.introductions = Introductions(domain, self.facts)
        self.inquiry = Inquiry(domain, self.beliefs, self._permit)
        self.judgement = Judgement(domain, self.inquiry)
        self.finder = Finder(self.inquiry, self.facts)
        self.inquiry.seek, self.inquiry.collect = self.finder.seek, self.finder.collect
        self.answers = Answers(domain, self.inquiry, self.finder)
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
        questions = [i["ask"] for i in intents if "ask" in i]
        for wish in wishes:
            yield from self._ask_missing(wish)
        yield from self.introductions.meet(self.inquiry)
        subjects = []
        for question in questions:
            subjects.append((yield from self.answers.prepare(question)))
        yield from self._consider(wishes)
        yield from self._confirm([w for w in wishes if w.outcome == "open" and w.bound is not None])
        for wish in wishes:
            yield from self._carry_out(wish)
        answers = []
        for question, row in zip(questions, subjects, strict=True):
            if "field" in question:
                answers.append((yield from self._told(question["field"])))
            else:
                answers.append((yield from self.answers.answer(question, row)))
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

    def _told(self, asked: Mapping[str, Any]) -> Steps[str]:
        """The answer that one composed read tells."""
        wish = Wish(self.domain.tools[asked["tool"]], dict(asked["arguments"]))
        yield from self._bind(wish, last=True)
        if wish.bound is None:
            return wish.said or UNKNOWN
        if not (yield from self._permit(wish.tool, wish.bound)):
            return UNKNOWN
        result = yield from self.inquiry.call(wish.tool, wish.bound)
        if not result.ok:
            return UNKNOWN
        shape = wish.tool.shape
        value, kind = (
            shape.values(result.content)[asked["field"]],
            shape.kinds()[asked["field"]].kind,
        )
        named = yield from self.inquiry.settle(
            lambda: phrases.fill_clause(self.domain, wish.tool, wish.bound or {}, asked["clause"])
        )
        return phrases.answer_clause(self.domain, named.value or "that", str(kind), value)

    # -- what is meant -----------------------------------------------------------------------------

    def _ask_missing(self, wish: Wish) -> Steps[None]:
        """Ask for what the request left out."""
        specs = dict(wish.specs)
        for parameter in wish.tool.parameters:
            spec = specs.get(parameter.wire)
            fact = parameter.wire if spec is None else spec.get("missing")
            if parameter.implicit or fact is None or (spec is None and not parameter.required):
                continue
            for _ in range(2):
                if fact not in self.facts:
                    yield Say(phrases.question(wish.tool, parameter, self.rng))
            if fact in self.facts:
                specs[parameter.wire] = self.facts[fact]
            else:
                self._give_up(wish, f"without knowing the {says(wish.tool, parameter)}")
        wish.specs = specs

    def _bind(self, wish: Wish, last: bool) -> Steps[None]:
        """Find the rows that a wish is about. `last`: nothing that may bring them about is still to
        be done.
        """
        bound: dict[str, Any] = {}
        for parameter in wish.tool.parameters:
            spec = wish.specs.get(parameter.wire)
            if parameter.implicit:
                bound[parameter.name] = self.beliefs.person
            elif spec is None:
                bound[parameter.name] = parameter.default
            elif "value" in spec:
                bound[parameter.name] = python_value(wish.tool, parameter, spec["value"])
            else:
                rows = yield from self._rows(wish, parameter, spec, last)
                if rows is None:
                    return
                bound[parameter.name] = rows if parameter.type.many else rows[0]
        wish.bound = bound

    def _rows(
        self, wish: Wish, parameter: Parameter, spec: Mapping[str, Any], last: bool
    ) -> Steps[list[BeliefRow] | None]:
        chosen: list[BeliefRow] = []
        for said in spec["rows"] if "rows" in spec else [spec["row"]]:
            found = yield from self._one_row(wish, parameter, said, last, chosen)
            if found is None:
                return None
            chosen.append(found)
        return chosen

    def _one_row(
        self,
        wish: Wish,
        parameter: Parameter,
        said: Mapping[str, Any],
        last: bool,
        taken: Sequence[BeliefRow],
    ) -> Steps[BeliefRow | None]:
        """The row that was spoken of; which of several is asked once."""
        noun = says(wish.tool, parameter)
        for asked in (False, True):
            wanted = self._wanted(wish.tool, parameter, said)
            found = [r for r in (yield from self.finder.find(wanted)) if r not in taken]
            fitting = yield from self._fitting(wish.tool, parameter, found)
            if len(fitting or found) == 1:
                return (fitting or found)[0]
            if not found and last:
                self._give_up(wish, f"because I can't find the {noun} that you mean")
            if not found or not last or asked:
                break
            yield Say(phrases.question(wish.tool, parameter, self.rng))
            told = self.facts.get(parameter.wire)
            said = told.get("row", said) if isinstance(told, Mapping) else said
        if found and last:
            self._give_up(wish, f"because I can't tell which {noun} you mean")
        return None

    def _wanted(self, tool: Tool, parameter: Parameter, said: Mapping[str, Any]) -> Wanted:
        states = {
            c.path.partition(".")[2]: c.states
            for c in tool.preconditions
            if c.path.split(".")[0] == parameter.name
        }
        entity = self.domain.entities[said["entity"]]
        return Wanted(entity, dict(said["fields"]), said.get("id"), bool(said.get("mine")), states)

    def _fitting(
        self, tool: Tool, parameter: Parameter, rows: Sequence[BeliefRow]
    ) -> Steps[list[BeliefRow]]:
        """The rows in a state that the tool accepts."""
        conditions = [c for c in tool.preconditions if c.path.split(".")[0] == parameter.name]
        if not conditions or parameter.type.many or len(rows) < 2:
            return list(rows)
        out = []
        for row in rows:
            context = {parameter.name: row}
            fits = True
            for condition in conditions:
                found = yield from self.inquiry.settle(partial(in_state, condition, context))
                fits = fits and found.value is not False
            if fits:
                out.append(row)
        return out

    # -- what may be done --------------------------------------------------------------------------

    def _consider(self, wishes: Sequence[Wish]) -> Steps[None]:
        """Find what each wish is about and what stands in its way, before anything is changed."""
        for number, wish in enumerate(wishes):
            if wish.outcome != "open":
                continue
            before = [w for w in wishes[:number] if w.outcome == "open"]
            yield from self._bind(wish, last=not before)
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
            yield from self._bind(wish, last=True)
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
            self._give_up(
                wish, "because I can only do that for the account holder, once identified"
            )
            return
        if not self._confirmed(wish):
            yield from self._confirm([wish])
        if not self._confirmed(wish):
            self._give_up(wish, "because I need your explicit yes first")
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
        rivals = phrases.rivals_of(self.domain, rule)
        found = yield from self.inquiry.settle(lambda: phrases.concepts_of(rule, context))
        concepts = found.value or [list(group) for group in rule.concepts]
        text = ""
        for _ in range(WORDINGS):
            because = yield from self.inquiry.settle(
                lambda: phrases.because_of(rule, context, self.domain, self.rng)
            )
            text = phrases.refusal(
                what, rule, because.value or "", self.rng, concepts=concepts, others=rivals
            )
            if names_rule(text, concepts, others=rivals).passed:
                break
        return text

    def _state_told(self, wish: Wish, code: str) -> str:
        """Why a row's state forbids a call."""
        condition = next((c for c in wish.tool.preconditions if c.code == code), None)
        if condition is None:
            return ""
        states = " or ".join(sorted(s.replace("_", " ") for s in condition.states))
        return f"For that, the {condition.noun} would have to be {states}."

    def _give_up(self, wish: Wish, why: str) -> None:
        wish.outcome = "refused"
        wish.said = f"I'm sorry, but I can't {wish.tool.name.replace('_', ' ')} {why}."

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
