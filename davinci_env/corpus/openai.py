"""Rows for OpenAI fine-tuning and for readers of its chat form: `arguments` are JSON strings.

The form has no place for anything beside the conversation, so a row does not say where it is from.
"""

from collections.abc import Iterable
from typing import Any

from davinci_env.corpus.converter import Converter, Row
from davinci_env.records import AssistantMessage, ChatMessage, Preference, Trajectory, encode
from davinci_env.records.messages import ToolMessage


def _message(message: ChatMessage, *, weights: bool = False) -> dict[str, Any]:
    """Write a message without what the form does not know: reasoning, and the name of a tool."""
    if isinstance(message, ToolMessage):
        return message.model_dump(exclude={"name"})
    if not isinstance(message, AssistantMessage):
        return message.model_dump()
    row = message.model_dump(exclude={"reasoning_content"} | (set() if weights else {"weight"}))
    for call in row.get("tool_calls", ()):
        call["function"]["arguments"] = encode(call["function"]["arguments"]).decode()
    return row


def _parallel(messages: Iterable[ChatMessage]) -> bool:
    """Tell whether any message calls several tools at once."""
    return any(
        isinstance(message, AssistantMessage) and len(message.tool_calls or ()) > 1
        for message in messages
    )


def _sft(trajectory: Trajectory) -> Row:
    """Make `{"messages", "tools", "parallel_tool_calls"}`; `weight: 0` is the form's own."""
    return {
        "messages": [_message(message, weights=True) for message in trajectory.messages],
        "tools": [tool.model_dump() for tool in trajectory.tools],
        "parallel_tool_calls": _parallel(trajectory.messages),
    }


def _preference(pair: Preference) -> Row:
    """Make `{"input", "preferred_output", "non_preferred_output"}`."""
    return {
        "input": {
            "messages": [_message(message) for message in pair.prefix],
            "tools": [tool.model_dump() for tool in pair.tools],
            "parallel_tool_calls": _parallel((*pair.prefix, pair.chosen, pair.rejected)),
        },
        "preferred_output": [_message(pair.chosen)],
        "non_preferred_output": [_message(pair.rejected)],
    }


OPENAI = Converter("openai", "OpenAI fine-tuning, any reader of chats", _sft, _preference)
