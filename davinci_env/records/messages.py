"""Chat messages and tool schemas in the form that chat APIs share, with `arguments` as objects."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from davinci_env.records.base import JsonObject, Model


def _absent(value: Any) -> bool:
    """Tell whether an optional key of a message is left out, rather than written as null."""
    return value is None


class FunctionCall(Model):
    """Which function to call, with what."""

    name: str
    arguments: JsonObject


class ToolCall(Model):
    """A call in an assistant message."""

    id: str
    type: Literal["function"] = "function"
    function: FunctionCall


class SystemMessage(Model):
    """The policy and whatever else the agent is told beforehand."""

    role: Literal["system"]
    content: str


class UserMessage(Model):
    """What the user says."""

    role: Literal["user"]
    content: str


class AssistantMessage(Model):
    """What the agent says, calls, or both. Keys that do not apply are absent."""

    role: Literal["assistant"]
    content: str
    """Empty beside calls without text, never null."""
    reasoning_content: str | None = Field(default=None, exclude_if=_absent)
    tool_calls: tuple[ToolCall, ...] | None = Field(default=None, exclude_if=_absent, min_length=1)
    weight: Literal[0] | None = Field(default=None, exclude_if=_absent)
    """0: a mistake, kept for its context and not to be learned; absent: to be learned."""


class ToolMessage(Model):
    """A tool's answer, one for each call and in the order of the calls."""

    role: Literal["tool"]
    tool_call_id: str
    name: str
    content: str
    """JSON text of the result."""


ChatMessage: TypeAlias = Annotated[
    SystemMessage | UserMessage | AssistantMessage | ToolMessage, Field(discriminator="role")
]


class Function(Model):
    """A function that the model may call."""

    name: str
    description: str
    parameters: JsonObject
    """JSON Schema of the arguments."""


class FunctionTool(Model):
    """A tool as chat APIs list it."""

    type: Literal["function"] = "function"
    function: Function
