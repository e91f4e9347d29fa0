"""Replay: the request is carried out anew, from the initial state, by somebody who never saw the
run that it was made of (paper B.1.3).

The built-in expert gets a `Brief`: the words, what they state, and guidance without values.
Whatever else it says or sends comes from results of its own calls. A model gets the same words, and
the guidance as text; the guidance stays out of the recorded messages.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from ..agents.protocol import Action, Agent, Call, Say, Turn, View
from ..environment import Event, ToolResult
from ..episodes.runner import Episode, play
from .evidence import Row, Unfound, fitted, resolve, rows_of
from .lexicon import Kind, Lexicon, ToolWords
from .model import (
    Candidate,
    Composed,
    Fact,
    Fixed,
    OfRow,
    Origin,
    Picked,
    Returned,
    Several,
    Stated,
    Step,
)
from .systems import SystemEnvironment, SystemFailure
from .values import say


@dataclass(frozen=True)
class Sought:
    """A value of an answer, to be found: a slot without what was recorded of it."""

    name: str
    type: Kind
    origin: Origin
    count: bool
    unit: str


@dataclass(frozen=True)
class Errand:
    """A wish without what was recorded of it."""

    kind: str
    turn: int
    tool: str
    report: str
    otherwise: str
    sought: tuple[Sought, ...]


@dataclass(frozen=True)
class Brief:
    """All that a replay is told. No recorded value is in it.

    Attributes:
        turns: the user's messages.
        stated: what each message states, by name.
        errands: what is wanted.
        steps: the guidance.
    """

    turns: tuple[str, ...]
    stated: tuple[Mapping[str, Fact], ...]
    errands: tuple[Errand, ...]
    steps: tuple[Step, ...]


class Stopped(Exception):
    """A replay can't go on. `reason` is a code."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def brief_of(candidate: Candidate) -> Brief:
    """What of a candidate a replay may know. A fact that is not in the words is not stated."""
    stated: list[dict[str, Fact]] = [{} for _ in candidate.turns]
    for name, fact in candidate.facts.items():
        if fact.turn < len(stated) and fact.said and fact.said in candidate.turns[fact.turn]:
            stated[fact.turn][name] = fact
    errands = tuple(
        Errand(
            wish.kind, wish.turn, wish.tool, wish.report, wish.otherwise,
            tuple(Sought(s.name, s.type, s.origin, s.count, s.unit) for s in wish.slots),
        )
        for wish in candidate.wishes
    )  # fmt: skip
    return Brief(candidate.turns, tuple(stated), errands, candidate.guidance)


class Expert:
    """Carries out a brief: finds each value in the words or in what its own calls showed."""

    name = "expert"

    def __init__(self, brief: Brief, lexicon: Lexicon) -> None:
        self._brief, self._lexicon = brief, lexicon
        self._facts: dict[str, Fact] = {}
        self._results: dict[int, Any] = {}
        self._plan = self._play()
        self._schemas: dict[str, dict[str, Any]] = {}

    def act(self, view: View) -> Action:
        """The next call, or the report that ends a turn. Raises Stopped."""
        last = view.last
        try:
            if self._schemas:
                return self._plan.send(last)
            self._schemas = {spec.name: spec.parameters for spec in view.tools()}
            return next(self._plan)
        except Unfound as error:
            raise Stopped(error.reason, str(error)) from error

    def _play(self) -> Generator[Action, ToolResult | None, None]:
        brief = self._brief
        for turn in range(len(brief.turns)):
            self._facts.update(brief.stated[turn])
            for number, step in enumerate(brief.steps):
                if brief.errands[step.wish].turn == turn:
                    result = yield Call(step.tool, self._arguments(step))
                    if result is None or not result.ok:
                        said = "" if result is None else result.message
                        raise Stopped("call-refused", f"{step.tool}: {said}")
                    self._results[number] = result.data
            yield Say(self._report(turn))

    def _arguments(self, step: Step) -> dict[str, Any]:
        properties = self._schemas.get(step.tool, {}).get("properties", {})
        return {
            name: fitted(self._value(origin), properties.get(name, {}))
            for name, origin in step.arguments.items()
        }

    def _value(self, origin: Origin) -> Any:
        facts = {name: fact.value for name, fact in self._facts.items()}
        return resolve(origin, facts, self._result, self._rows)

    def _result(self, step: int) -> Any:
        if step not in self._results:
            raise Unfound("path-missing", f"there is no result of step {step}")
        return self._results[step]

    def _rows(self, step: int) -> list[Row]:
        words = self._lexicon.tools.get(self._brief.steps[step].tool, ToolWords())
        return rows_of(words, self._result(step))

    def _report(self, turn: int) -> str:
        """What was done and found, wish by wish."""
        reports = [self._fill(errand) for errand in self._brief.errands if errand.turn == turn]
        return " ".join(report for report in reports if report)

    def _fill(self, errand: Errand) -> str:
        said = {name: fact.said for name, fact in self._facts.items()}
        said |= {s.name: say(s.type, self._found(s), s.unit) for s in errand.sought}

        def put(place: re.Match[str]) -> str:
            if place[1] not in said:
                raise Unfound("report-unfilled", f"nothing is known of {place[1]!r}")
            return said[place[1]]

        report = errand.otherwise if errand.otherwise and self._is_no(errand) else errand.report
        report = _PLURAL.sub(lambda m: m[1] if said.get(m[2]) == "1" else m[0], report)
        filled = _PLACE.sub(put, _sentence(report)).replace('""', '"')
        return _DOUBLE.sub(r"\1", filled)

    def _is_no(self, errand: Errand) -> bool:
        """Whether the answer is no."""
        asked = [sought for sought in errand.sought if sought.type == "yesno"]
        return bool(asked) and say("yesno", self._found(asked[0])) == "no"

    def _found(self, sought: Sought) -> Any:
        if sought.count:
            return len(self._rows(step_of(sought.origin)))
        return self._value(sought.origin)


_PLACE = re.compile(r"\{([^{}]+)\}")
_PLURAL = re.compile(r"(\{([^{}]+)\} [a-z]+)s\b")
"""A number and what is counted: one of it is no plural."""
_DOUBLE = re.compile(r"([.!?][\"”]?)\.(?=\s|$)")
"""A full stop behind a value that ends with one."""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def step_of(origin: Origin) -> int:
    """The step whose result an origin looks into; -1: none."""
    return origin.step if isinstance(origin, OfRow | Picked | Returned) else -1


class Asker:
    """The user of a replay: says one message after the other, and nothing else."""

    def __init__(self, turns: tuple[str, ...]) -> None:
        self._turns, self._said = turns, 0

    def open(self) -> Turn:
        """The request."""
        self._said = 1
        return Turn(self._turns[0])

    def reply(self, text: str) -> Turn | None:
        """The next message, or None."""
        number = self._said
        if number >= len(self._turns):
            return None
        self._said += 1
        return Turn(self._turns[number], (Event("turn", {"index": number}),))

    def heard(self, text: str) -> tuple[Event, ...]:
        """Nothing that the agent says means anything to it."""
        return ()


def replay(
    candidate: Candidate,
    environment: SystemEnvironment,
    lexicon: Lexicon,
    agent: Agent | None = None,
) -> Episode:
    """Carry out a candidate's request from the initial state; the log stands in the environment.

    Args:
        lexicon: the system's words, completed (`inference.completed`).
        agent: in place of the expert.

    Raises:
        Stopped: it can't be carried out; `system-…` where the system left its contract.
    """
    brief = brief_of(candidate)
    try:
        stand_at(environment, candidate.seed)
        player = Expert(brief, lexicon) if agent is None else agent
        return play(environment, player, Asker(brief.turns), record_hashes=True)
    except SystemFailure as error:
        raise Stopped(f"system-{error.reason}", str(error)) from error


def stand_at(environment: SystemEnvironment, seed: int) -> None:
    """Stand at the initial state of a seed, with an empty log."""
    if environment.seed == seed:
        environment.reset()
    else:
        environment.start_at(seed)


class Guided:
    """A model that is told the guidance beforehand; what is recorded doesn't hold it."""

    def __init__(self, agent: Agent, brief: Brief) -> None:
        self.name = agent.name
        self.model: str | None = getattr(agent, "model", None)
        self.parameters: dict[str, Any] = getattr(agent, "parameters", {})
        self._agent, self._text = agent, guidance_of(brief)

    def act(self, view: View) -> Action:
        """What the model does."""
        return self._agent.act(_GuidedView(view, self._text))


class _GuidedView(View):
    def __init__(self, view: View, text: str) -> None:
        super().__init__(view._environment, view.reading)
        self._text = text

    def messages(self) -> list[dict[str, Any]]:
        first, *rest = super().messages()
        return [{**first, "content": f"{first['content']}\n\n{self._text}".strip()}, *rest]


def guidance_of(brief: Brief) -> str:
    """The guidance as text: which tools, in which order, and where their arguments come from."""
    lines = ["How requests like this one are carried out:"]
    for number, step in enumerate(brief.steps, start=1):
        arguments = "; ".join(f"{k} {_from(o)}" for k, o in step.arguments.items())
        turn = brief.errands[step.wish].turn + 1
        when = f" (message {turn})" if len(brief.turns) > 1 else ""
        lines.append(f"{number}. {step.tool}{when}{': ' if arguments else ''}{arguments}")
    lines.append("Then tell the user in one or two sentences what was done or found.")
    return "\n".join(lines)


def _from(origin: Origin) -> str:
    match origin:
        case Stated():
            return "as the user says"
        case OfRow():
            return f"is the {origin.field} of what the user names, shown by step {origin.step + 1}"
        case Picked():
            most = f"the {'greatest' if origin.greatest else 'least'} {origin.of}"
            return f"is the {origin.field} of what has {most}, shown by step {origin.step + 1}"
        case Returned():
            return f"is {origin.path or 'the result'} as shown by step {origin.step + 1}"
        case Several():
            return f"are several: each {_from(origin.items[0])}" if origin.items else "is empty"
        case Composed():
            parts = "; ".join(f"{name} {_from(part)}" for name, part in origin.parts.items())
            return f"is an object: {parts}"
        case Fixed():
            return f"is always {origin.fixed!r}"
