"""What the tests of agents share: a desk, people written by hand, an environment behind JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from davinci_env.agents import Agent, Turn
from davinci_env.domain.log import CallEntry, Log, Message
from davinci_env.environment import (
    DomainEnvironment,
    Environment,
    Event,
    Metadata,
    ToolResult,
    ToolSpec,
)
from davinci_env.episodes.runner import play
from tests.agents.bikes import domain as BIKES

Proposed = tuple[str, Mapping[str, Any]]
"""A call as (tool, arguments)."""

Step = tuple[str, Any]
"""A call as (tool, arguments), or a message as ("say", text)."""


def desk() -> DomainEnvironment:
    """A new rental desk."""
    return DomainEnvironment(BIKES, BIKES.build())


def row(
    entity: str,
    mine: bool = True,
    id: str | None = None,
    pick: tuple[str, str] | None = None,
    where: Sequence[Sequence[Any]] = (),
    **fields: Any,
) -> dict[str, Any]:
    """A row as the structured reading gives it; `__` stands for a step of a path."""
    said = {name.replace("__", "."): value for name, value in fields.items()}
    out = {"entity": entity, "fields": said, "id": id, "mine": mine}
    if where:
        out["where"] = [list(condition) for condition in where]
    if pick is not None:
        out["pick"] = {"column": pick[0], "order": pick[1]}
    return {"row": out}


def every(entity: str, **said: Any) -> dict[str, Any]:
    """All rows of a kind as the structured reading gives them."""
    return {"every": row(entity, **said)["row"]}


def ref(entity: str, which: str) -> dict[str, Any]:
    """A row by what the conversation came to: "made" or "last"."""
    return {"row": {"entity": entity, "ref": which}}


class Person:
    """Tells facts at once or when a question names them, says yes to the calls that it wants, and
    goes on to its next turn when it hears no question.

    Args:
        told: facts of the first message.
        known: cue -> (fact, value), told when asked.
        wishes: what a confirmation must mention -> the call that it confirms.
        declined: what a confirmation must mention -> the call that it declines, and the correction
            that goes with it (None, or an argument and what it should be).
        later: further turns, as text and intents.
        mistyped: fact of the first message -> its right value, told when it is doubted.
    """

    def __init__(
        self,
        text: str,
        told: Mapping[str, Any],
        known: Mapping[str, tuple[str, Any]] | None = None,
        wishes: Mapping[str, Proposed] | None = None,
        *,
        declined: Mapping[str, tuple[Proposed, tuple[str, Any] | None]] | None = None,
        later: Sequence[tuple[str, Sequence[Mapping[str, Any]]]] = (),
        mistyped: Mapping[str, Any] | None = None,
    ) -> None:
        self.text, self.told, self.known, self.wishes = text, told, known or {}, wishes or {}
        self.declined, self.later, self.mistyped = declined or {}, later, dict(mistyped or {})
        self.turn = 0

    def open(self) -> Turn:
        return Turn(self.text, tuple(_revealed(f, v) for f, v in self.told.items()))

    def heard(self, text: str) -> tuple[Event, ...]:
        asked = [fact for cue, (fact, _) in self.known.items() if cue in text]
        return tuple(Event("asked", {"fact": fact}) for fact in asked)

    def reply(self, text: str) -> Turn | None:
        if "?" not in text:
            return self._next()
        told = tuple(_revealed(*fact) for cue, fact in self.known.items() if cue in text)
        if told:
            return Turn(f"That is {told[0].subject['value']}.", told)
        if self.mistyped and any(word in text for word in ("typo", "spell", "find", "match")):
            fact, value = self.mistyped.popitem()
            return Turn(f"Sorry, {value}.", (_revealed(fact, value),))
        return self._answer(text)

    def _answer(self, text: str) -> Turn:
        for mention, ((tool, arguments), correction) in self.declined.items():
            if mention in text:
                events = [Event("declined", {"tool": tool, "arguments": arguments})]
                if correction is not None:
                    argument, value = correction
                    said = {"tool": tool, "argument": argument, "value": value}
                    events.append(Event("corrected", said))
                return Turn("No.", tuple(events))
        agreed = [call for mention, call in self.wishes.items() if mention in text]
        events = [Event("confirmed", {"tool": t, "arguments": a}) for t, a in agreed]
        return Turn("Yes, please." if agreed else "I don't know.", tuple(events))

    def _next(self) -> Turn | None:
        if self.turn == len(self.later):
            return None
        text, intents = self.later[self.turn]
        self.turn += 1
        return Turn(text, (Event("turn", {"index": self.turn}),), tuple(intents))


def _revealed(fact: str, value: Any) -> Event:
    return Event("revealed", {"fact": fact, "value": value})


class OverTheWire:
    """An environment in another process, as far as an agent can tell: nothing crosses but JSON."""

    def __init__(self, inner: Environment) -> None:
        self.inner, self.log = inner, Log()

    @property
    def metadata(self) -> Metadata:
        return self.inner.metadata

    def tools(self) -> list[ToolSpec]:
        return [
            ToolSpec(
                s.name, s.title, s.description, _json(s.parameters), _json(s.output_schema),
                _json(s.annotations),
            )
            for s in self.inner.tools()
        ]  # fmt: skip

    def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        answer = self.inner.call(tool, _json(arguments))
        error = {} if answer.ok else _json(answer.content)["error"]
        data = _json(answer.content) if answer.ok else None
        result = ToolResult(answer.ok, data, error.get("code"), error.get("message", ""))
        self.log.entries.append(
            CallEntry(tool, arguments, answer.ok, result.code, (), (), False, result)
        )
        return result

    def observe(self, entry: Message | Event) -> None:
        self.inner.observe(entry)
        self.log.entries.append(entry)


def _json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def talk(
    environment: Any, agent: Agent, person: Any, intents: Sequence[Mapping[str, Any]]
) -> list[Step]:
    """Play an episode; returns the agent's steps."""
    play(environment, agent, person, intents=tuple(intents))
    return steps(environment)


def steps(environment: Any) -> list[Step]:
    """What the agent did, in order."""
    out: list[Step] = []
    for entry in environment.log:
        if isinstance(entry, CallEntry):
            out.append((entry.tool, dict(entry.arguments)))
        elif isinstance(entry, Message) and entry.role == "assistant":
            out.append(("say", entry.text))
    return out


def ungrounded(environment: DomainEnvironment) -> list[str]:
    """Keys of rows that the agent used before any message, fact or result had told them."""
    keys = {
        row.id
        for entity in environment.domain.entities.values()
        for row in environment.world.all(entity)
    }
    heard = ""
    found = []
    for entry in environment.log:
        if isinstance(entry, CallEntry):
            used = json.dumps(dict(entry.arguments))
            found += [key for key in keys if f'"{key}"' in used and key not in heard]
            heard += entry.result.text
        elif isinstance(entry, Event) or (isinstance(entry, Message) and entry.role == "user"):
            heard += str(entry)
    return found


__all__ = [
    "BIKES",
    "OverTheWire",
    "Person",
    "Step",
    "desk",
    "every",
    "ref",
    "row",
    "steps",
    "talk",
    "ungrounded",
]
