"""A model behind any OpenAI-compatible endpoint (`OPENAI_BASE_URL`, `OPENAI_API_KEY`), as an agent.

It sees what every agent sees: policy, messages, tools. The structured reading is not for it.
"""

from __future__ import annotations

import importlib
import json
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import UsageError, require_extra
from .protocol import Action, Call, Say, View


class OpenAIAgent:
    """Asks a chat model for each action.

    Args:
        model: the model's name at the endpoint.
        temperature: 0 for the most likely answer.

    Raises:
        MissingExtra: the extra `models` is not installed.
        UsageError: no key is configured, or the endpoint refuses.
    """

    name = "openai"

    def __init__(self, model: str, *, temperature: float = 0.0) -> None:
        require_extra("models", "openai", "a model as agent")
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
        self._calls: deque[Call] = deque()

    def act(self, view: View) -> Action:
        """The model's next call or message; several calls at once are made in turn."""
        if not self._calls:
            try:
                answer = self._client.chat.completions.create(
                    model=self.model,
                    messages=wire_messages(view.messages()),
                    tools=[spec.as_function() for spec in view.tools()],
                    **self.parameters,
                )
            except self._error as error:
                raise UsageError(
                    f"the endpoint of {self.model} refuses: {error}", "check model, key and address"
                ) from error
            message = answer.choices[0].message
            self._calls.extend(_call(c.function) for c in message.tool_calls or ())
            if not self._calls:
                return Say(message.content or "")
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
