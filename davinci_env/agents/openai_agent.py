"""A model behind any OpenAI-compatible endpoint (`OPENAI_BASE_URL`, `OPENAI_API_KEY`), as an agent.

It sees what every agent sees: policy, messages, tools. The structured reading is not for it.
"""

from __future__ import annotations

import importlib
import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..environment import ToolSpec
from ..errors import UsageError, require_extra
from .protocol import Action, Call, Say, View


@dataclass(frozen=True)
class Reply:
    """What a chat model says, or which calls it wants made."""

    text: str
    calls: tuple[Call, ...] = ()


class ChatModel(Protocol):
    """Continues a conversation: a model, or what stands for one in a test."""

    model: str

    def complete(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[ToolSpec] = ()
    ) -> Reply:
        """The next message."""
        ...


class OpenAIChat:
    """A chat model behind an OpenAI-compatible endpoint.

    Args:
        model: the model's name at the endpoint.
        temperature: 0 for the most likely answer.

    Raises:
        MissingExtra: the extra `models` is not installed.
        UsageError: no key is configured, or the endpoint refuses.
    """

    def __init__(self, model: str, *, temperature: float = 0.0) -> None:
        require_extra("models", "openai", "a language model")
        openai: Any = importlib.import_module("openai")
        try:
            self._client = openai.OpenAI()
        except openai.OpenAIError:
            raise UsageError(
                "no key for the model is configured",
                "set OPENAI_API_KEY, and OPENAI_BASE_URL for another endpoint",
            ) from None
        self._error: type[Exception] = openai.OpenAIError
        self.model = model
        self.parameters = {"temperature": temperature}

    def complete(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[ToolSpec] = ()
    ) -> Reply:
        """The model's next message."""
        given = {"tools": [spec.as_function() for spec in tools]} if tools else {}
        try:
            answer = self._client.chat.completions.create(
                model=self.model, messages=wire_messages(messages), **given, **self.parameters
            )
        except self._error as error:
            raise UsageError(
                f"the endpoint of {self.model} refuses: {error}", "check model, key and address"
            ) from error
        message = answer.choices[0].message
        calls = tuple(_call(c.function) for c in message.tool_calls or ())
        return Reply(message.content or "", calls)


class OpenAIAgent:
    """Asks a chat model for each action; raises what `OpenAIChat` raises."""

    name = "openai"

    def __init__(self, model: str, *, temperature: float = 0.0) -> None:
        self._chat = OpenAIChat(model, temperature=temperature)
        self.model, self.parameters = model, self._chat.parameters
        self._calls: deque[Call] = deque()

    def act(self, view: View) -> Action:
        """The model's next call or message; several calls at once are made in turn."""
        if not self._calls:
            reply = self._chat.complete(view.messages(), view.tools())
            self._calls.extend(reply.calls)
            if not self._calls:
                return Say(reply.text)
        return self._calls.popleft()


def _call(function: Any) -> Call:
    """A requested call; arguments that are no JSON object go to the tool, to be refused there."""
    try:
        arguments = json.loads(function.arguments or "{}")
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        arguments = {"arguments": function.arguments}
    return Call(function.name, arguments)


def wire_messages(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Chat messages with the arguments of calls as JSON text, as the API wants them."""
    out = []
    for message in messages:
        copy = dict(message)
        if "tool_calls" in copy:
            copy["tool_calls"] = [
                {
                    **c,
                    "function": {
                        **c["function"],
                        "arguments": json.dumps(c["function"]["arguments"]),
                    },
                }
                for c in copy["tool_calls"]
            ]
        out.append(copy)
    return out
