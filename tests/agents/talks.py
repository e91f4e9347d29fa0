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

Step = tuple[str, Any]
"""A call as (tool, arguments), or a message as ("say", text)."""


def desk() -> DomainEnvironment:
    """A new rental desk."""
    return DomainEnvironment(BIKES, BIKES.build())


def row(entity: str, mine: bool = True, id: str | None = None, **fields: Any) -> dict[str, Any]:
    """A row as the structured reading gives it; `__` stands for a step of a path."""
    said = {name.replace("__", "."): value for name, value in fields.items()}
    return {"row": {"entity": entity, "fields": said, "id": id, "mine": mine}}


class Person:
    """Tells facts at once or when a question names them, and says yes to the calls that it wants.

    Args:
        told: facts of the first message.
        known: cue -> (fact, value), told when asked.
        wishes: what a confirmation must mention -> the call that it confirms.
    """

    def __init__(
        self,
        text: str,
        told: Mapping[str, Any],
        known: Mapping[str, tuple[str, Any]] | None = None,
        wishes: Mapping[str, tuple[str, Mapping[str, Any]]] | None = None,
    ) -> None:
        self.text, self.told, self.known, self.wishes = text, told, known or {}, wishes or {}

    def open(self) -> Turn:
        return Turn(self.text, tuple(_revealed(f, v) for f, v in self.told.items()))

    def heard(self, text: str) -> tuple[Event, ...]:
        asked = [fact for cue, (fact, _) in self.known.items() if cue in text]
        return tuple(Event("asked", {"fact": fact}) for fact in asked)

    def reply(self, text: str) -> Turn | None:
        if "?" not in text:
            return None
        told = tuple(_revealed(*fact) for cue, fact in self.known.items() if cue in text)
        if told:
            return Turn(f"That is {told[0].subject['value']}.", told)
        agreed = [call for mention, call in self.wishes.items() if mention in text]
        events = [Event("confirmed", {"tool": t, "arguments": a}) for t, a in agreed]
        return Turn("Yes, please." if agreed else "I don't know.", tuple(events))


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


__all__ = ["BIKES", "OverTheWire", "Person", "Step", "desk", "row", "steps", "talk", "ungrounded"]
