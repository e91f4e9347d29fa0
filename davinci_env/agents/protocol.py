"""Agents decide; users speak. Both see only what their real counterparts would see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..environment import CallEntry, Environment, Event, Message, ToolResult, ToolSpec


@dataclass(frozen=True)
class Say:
    """Say something to the user."""

    text: str


@dataclass(frozen=True)
class Call:
    """Call a tool. `mistaken`: the agent itself sees it as a misstep, not to be learned from."""

    tool: str
    arguments: Mapping[str, Any]
    mistaken: bool = False


Action = Say | Call


@dataclass
class Reading:
    """The structured reading of what the user has said so far: facts by name, and what is asked
    for.

    It stands in place of language understanding for agents without a model, and holds nothing that
    the user did not say.
    """

    facts: dict[str, Any] = field(default_factory=dict)
    intents: Sequence[Mapping[str, Any]] = ()
    """What the present turn asks for."""
    turn: int = 0
    """Which turn of the user's it is, counted from 0."""
    events: list[Event] = field(default_factory=list)


class View:
    """What an agent sees when it must act: policy, tools, messages, the last result, and the
    reading.
    """

    def __init__(self, environment: Environment, reading: Reading) -> None:
        self._environment = environment
        self.reading = reading

    @property
    def policy(self) -> str:
        """The policy document."""
        return self._environment.metadata.policy

    def tools(self) -> list[ToolSpec]:
        """The tools, as listed now."""
        return self._environment.tools()

    @property
    def last(self) -> ToolResult | None:
        """The result of the agent's last action, if that was a call."""
        for entry in reversed(self._environment.log.entries):
            if isinstance(entry, CallEntry):
                result: ToolResult = entry.result
                return result
            if isinstance(entry, Message):
                return None
        return None

    @property
    def heard(self) -> str:
        """The user's last message."""
        for entry in reversed(self._environment.log.entries):
            if isinstance(entry, Message) and entry.role == "user":
                return entry.text
        return ""

    def messages(self) -> list[dict[str, Any]]:
        """The conversation in OpenAI chat form, policy first."""
        return chat(self._environment)


def chat(environment: Environment) -> list[dict[str, Any]]:
    """A log as chat messages: each call is an assistant message, and its result."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": environment.metadata.policy}]
    number = 0
    for entry in environment.log:
        if isinstance(entry, Message):
            messages.append({"role": entry.role, "content": entry.text})
        elif isinstance(entry, CallEntry):
            number += 1
            call = {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": entry.tool, "arguments": dict(entry.arguments)},
            }
            messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
            messages.append(
                {
                    "role": "tool",
                    "tool_call_id": call["id"],
                    "name": entry.tool,
                    "content": entry.result.text,
                }
            )
    return messages


class Agent(Protocol):
    """Makes decisions. One instance plays one episode."""

    name: str

    def act(self, view: View) -> Action:
        """Decide what to do next. A `Say` that asks nothing ends the agent's turn for good."""
        ...


@dataclass(frozen=True)
class Turn:
    """What the user says, and what it means. `intents` are those of a new turn."""

    text: str
    events: tuple[Event, ...] = ()
    intents: tuple[Mapping[str, Any], ...] = ()


class User(Protocol):
    """A simulated person with wishes, facts and patience."""

    def open(self) -> Turn:
        """The first message."""
        ...

    def reply(self, text: str) -> Turn | None:
        """Answer the agent, or None: the conversation is over. `heard` holds what the message meant
        to the user.
        """
        ...

    def heard(self, text: str) -> tuple[Event, ...]:
        """What the agent's message meant to the user: facts asked for."""
        ...
