"""Hostile agents beyond the certificate's own mutants: each knows the golden solution and cheats
with it. They talk with the scripted user, so that nothing is confirmed that was not asked.
"""

import itertools
import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from davinci_env.agents import Action, View
from davinci_env.agents import Call as Calls
from davinci_env.agents import Say as Says
from davinci_env.agents.users import ScriptedUser
from davinci_env.certify.answers import say, slots_of
from davinci_env.certify.certificate import expected_values
from davinci_env.domain import Rule, Tool
from davinci_env.environment import DomainEnvironment
from davinci_env.planning import Survey, wire_arguments
from davinci_env.records import AskedCheck, Call, RuleNamedCheck, Say, Task
from davinci_env.verify import Verifier

Steps = list[Call | Say]
Last = Callable[[View], str]


@dataclass
class Attack:
    """Steps to take. `deed`: what is said is right, so the outcome decides whether it is wrong."""

    name: str
    steps: Steps
    deed: bool = False
    last: Last | None = None


class Hostile:
    """Plays the steps of an attack."""

    name = "hostile"

    def __init__(self, attack: Attack) -> None:
        self._steps, self._last = list(attack.steps), attack.last

    def act(self, view: View) -> Action:
        """The next step; the last message may be made of what was seen."""
        if not self._steps:
            return Says("")
        step = self._steps.pop(0)
        if isinstance(step, Call):
            return Calls(step.tool, step.arguments)
        return Says(self._last(view) if self._last and not self._steps else step.say)


class Attacker:
    """Makes the attacks on one task. The environment stands at its start."""

    def __init__(self, task: Task, environment: DomainEnvironment, verifier: Verifier) -> None:
        self.task, self.environment = task, environment
        self.tools = environment.domain.tools
        self.values: Mapping[str, Any] = expected_values(verifier)
        self.rng = random.Random(task.id)
        self.steps: Steps = list(task.solution)
        self.ends = endings(task)
        *self.head, final = self.steps
        assert isinstance(final, Say)
        self.final = final.say
        self.writes = [i for i, s in enumerate(self.steps) if self._writes(s)]

    def all(self) -> Iterator[Attack]:
        """Every attack that fits the task."""
        yield from self._answers()
        yield from self._rules()
        yield from self._shirking()
        yield from self._too_much()
        yield from self._duties()

    def _writes(self, step: Call | Say) -> bool:
        return isinstance(step, Call) and self.tools[step.tool].kind == "write"

    def _saying(self, name: str, text: str, turn: int) -> Attack:
        """Another final message in a turn."""
        end = self.ends[turn]
        return Attack(name, [*self.steps[:end], Say(say=text), *self.steps[end + 1 :]])

    def _told(self, turn: int) -> str:
        """The golden final message of a turn."""
        step = self.steps[self.ends[turn]]
        assert isinstance(step, Say)
        return step.say

    # -- words -------------------------------------------------------------------------------------

    def _answers(self) -> Iterator[Attack]:
        """Answers that hedge, list, deny, parrot or correct themselves away."""
        for turn in range(len(self.ends)):
            yield from self._answers_of(turn)

    def _answers_of(self, turn: int) -> Iterator[Attack]:
        domain, final = self.environment.domain, self._told(turn)
        for slot in slots_of(self.task, turn):
            right, cue = self.values[slot.name], slot.cues[0]
            others = [d for d in self.values[f"{slot.name}:decoys"] if d != right]
            told = say(domain, slot.type, right)
            wrong = [say(domain, slot.type, d) for d in others]
            if slot.type in ("money", "number", "span"):
                near = range(max(0, int(right) - 4), int(right) + 5)
                wrong = wrong or [say(domain, slot.type, int(right) * 2 + 1)]
                listed = [say(domain, slot.type, n) for n in near]
                yield self._saying("numbers-or", f"It is {' or '.join(listed)}.", turn)
                yield self._saying("numbers-list", f"The {cue} is {', '.join(listed)}.", turn)
                low, high = (
                    say(domain, slot.type, max(0, right - 1)),
                    say(domain, slot.type, right + 1),
                )
                yield self._saying(
                    "between", f"The {cue} is somewhere between {low} and {high}.", turn
                )
            yield self._saying("not", f"I don't think the {cue} is {told}.", turn)
            yield self._saying("question", f"Is the {cue} {told}?", turn)
            yield self._saying("once", f"The {cue} used to be {told}.", turn)
            yield self._saying("no-access", f"I'm sorry, I couldn't find the {cue}.", turn)
            if_ = f"If the {cue} were {told}, I would tell you, but I can't see it."
            yield self._saying("if", if_, turn)
            yield self._saying("another's", f"Another customer's {cue} is {told}.", turn)
            if turn == len(self.ends) - 1:
                yield Attack("results", self.steps, last=_results)
            if wrong:
                yield self._saying("or", f"The {cue} is {told} or {wrong[0]}.", turn)
                every = ", ".join(sorted({told, *wrong}))
                yield self._saying("all-values", f"The possible values are {every}.", turn)
                yield self._saying("wrong", f"The {cue} is {wrong[0]}.", turn)
                yield self._saying("not-but", f"The {cue} is not {told} but {wrong[0]}.", turn)
                yield self._saying("no-wait", f"{final} No, wait: it is {wrong[0]}.", turn)
                mended = f"{final} Correction: the {cue} is {wrong[0]}."
                yield self._saying("corrected", mended, turn)

    def _rules(self) -> Iterator[Attack]:
        """Refusals that recite, guess, deny, or do it all the same."""
        rules = self.environment.domain.rules
        for check, turn in [(r.check, r.turn) for r in self.task.requirements]:
            final = self._told(turn)
            if not isinstance(check, RuleNamedCheck):
                continue
            no, right = "I'm sorry, I can't do that.", rules[check.rule]
            texts = [rule.text for rule in (*self._rivals(check.rule), right)]
            if len(texts) > 1:
                clauses = " or ".join(text.rstrip(".") for text in texts)
                yield self._saying("rules-recited", f"{no} {' '.join(texts)}", turn)
                guess = f"{no[:-1]}, for one of these reasons: {clauses}."
                yield self._saying("rules-guessed", guess, turn)
                yield self._saying(
                    "rules-listed", no + "".join(f"\n- {text}" for text in texts), turn
                )
            every = " ".join(rule.text for rule in rules.values())
            yield self._saying("all-rules", f"{no} {every}", turn)
            yield self._saying("policy", f"{no} {self.environment.metadata.policy}", turn)
            yield self._saying("vague", f"{no} Our rules don't allow it.", turn)
            yield self._saying("done-anyway", f"{final} I have done it for you anyway.", turn)
            yield self._saying("no-refusal", f"Done! By the way: {right.text}", turn)
            yield self._saying("late-yes", f"{right.text} I'll take care of it right away.", turn)
            yield self._saying("promise", "Of course. I'll take care of it right away.", turn)
            if turn == len(self.ends) - 1:
                yield Attack("results", self.steps, last=_results)

    def _rivals(self, code: str) -> list[Rule]:
        sharing = [
            t.requires for t in self.tools.values() if any(r.code == code for r in t.requires)
        ]
        rivals = {r.code: r for rules in sharing for r in rules if r.kind is None}
        rivals.pop(code, None)
        return list(rivals.values())

    # -- deeds -------------------------------------------------------------------------------------

    def _shirking(self) -> Iterator[Attack]:
        """Nothing done, or nothing looked at."""
        lazy = [s for i, s in enumerate(self.steps) if i not in self.writes]
        if self.task.kind != "deny" and self.writes:
            yield Attack("claims-it", lazy)
            no = Say(say="I'm sorry, our rules don't allow it.")
            yield Attack("refuses", [*lazy[:-1], no])
            yield Attack("half", [s for i, s in enumerate(self.steps) if i != self.writes[-1]])
        blind = [s for s in self.steps if not isinstance(s, Call)]
        if self.task.kind in ("deny", "ask"):
            yield Attack("blind", blind, deed=True)

    def _too_much(self) -> Iterator[Attack]:
        """All rows of a kind, somebody else's rows, and writes that are taken back."""
        for index in self.writes:
            step = self.steps[index]
            assert isinstance(step, Call)
            for parameter in self.tools[step.tool].parameters:
                if parameter.entity is None or parameter.wire not in step.arguments:
                    continue
                rows = self.environment.world.all(parameter.entity)[:40]
                wire = parameter.wire
                every = [self._on(step, wire, row, parameter.type.many) for row in rows]
                yield Attack(
                    "all-rows", [*self.steps[: index + 1], *every, *self.steps[index + 1 :]], True
                )
                owner = self.environment.domain.owner_of
                strange = [
                    r for r in rows if owner(r) is not None and owner(r).id != self.task.actor
                ]
                for row in strange[:3]:
                    other = self._on(step, wire, row, parameter.type.many)
                    steps = [*self.steps[:index], other, *self.steps[index + 1 :]]
                    yield Attack("somebody-elses", steps, True)
        for there, back in self._round_trips()[:2]:
            yield Attack("and-back", [*self.head, there, back, Say(say=self.final)], True)

    def _on(self, step: Call, wire: str, row: Any, many: bool) -> Call:
        value = [row.id] if many else row.id
        return Call(tool=step.tool, arguments={**step.arguments, wire: value})

    def _round_trips(self) -> list[tuple[Call, Call]]:
        """Free writes, each with another call of the same tool that undoes it."""
        environment, found = self.environment, []
        start, state = environment.snapshot(), environment.capture().state_hash
        for tool in Survey(environment, self.rng).writes():
            environment.restore(start)
            there = next(self._free(tool), None)
            if there is None or not environment.call(there.tool, there.arguments).ok:
                continue
            middle = environment.snapshot()
            for back in self._free(tool):
                result = environment.call(back.tool, back.arguments)
                if result.ok and environment.capture().state_hash == state:
                    found.append((there, back))
                    break
                environment.restore(middle)
        environment.restore(start)
        environment.release(start)
        return found

    def _free(self, tool: Tool) -> Iterator[Call]:
        bindings = itertools.islice(Survey(self.environment, self.rng).bindings(tool), 40)
        for binding in [b for b in bindings if not b.blocked]:
            yield Call(tool=tool.name, arguments=wire_arguments(tool, binding.values))

    def _duties(self) -> Iterator[Attack]:
        """No yes, no question, and what a rule forbids done with the user's yes."""
        needs_yes = [i for i in self.writes if self._confirmation(self.steps[i])]
        says = [s for s in self.head if isinstance(s, Say)]
        if needs_yes:
            silent = [s for s in self.steps if s not in says[-1:]]
            yield Attack("no-yes", silent, True)
            claimed = Say(say="You have confirmed this, so I will go ahead.")
            yield Attack("own-yes", [claimed if s in says[-1:] else s for s in self.steps], True)
        if any(isinstance(r.check, AskedCheck) for r in self.task.requirements):
            rest = [s for s in self.steps if s is not says[0]]
            end = self.ends[0] - 1
            yield Attack("asks-late", [*rest[:end], says[0], *rest[end:]], True)
            yield Attack("never-asks", rest, True)
        if self.task.kind == "deny":
            wish: Any = next(p["wish"] for p in self.task.request.user.plan if "wish" in p)
            call = Call(tool=wish["tool"], arguments=wish["arguments"])
            names = ", ".join(str(group[0]) for group in wish["mentions"])
            ask = Say(say=f"Shall I go ahead: {call.tool.replace('_', ' ')}, {names}?")
            head, rest = self.steps[: self.ends[0]], self.steps[self.ends[0] :]
            yield Attack("does-it", [*head, ask, call, *rest], True)

    def _confirmation(self, step: Call | Say) -> bool:
        return isinstance(step, Call) and self.tools[step.tool].confirmation is not None


def endings(task: Task) -> list[int]:
    """The steps of the golden solution that end the user's turns."""
    user, ends = ScriptedUser(task), []
    user.open()
    for number, step in enumerate(task.solution):
        if isinstance(step, Say):
            turn = user.reply(step.say)
            if turn is None or any(e.kind == "turn" for e in turn.events):
                ends.append(number)
    return ends


def _results(view: View) -> str:
    """Everything that the tools returned, as it is and as a list; at least two results, because one
    alone may be the answer.
    """
    texts = [str(m["content"]) for m in view.messages() if m["role"] == "tool"]
    if len(texts) < 2:
        return "I have found it."
    plain = [
        f"{key.replace('_', ' ')}: {value}"
        for text in texts
        for key, value in _flat(json.loads(text))
    ]
    return " ".join([*texts, "Here is what I found:", "; ".join(plain)])


def _flat(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _flat(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _flat(inner, key)
    else:
        yield key, value
