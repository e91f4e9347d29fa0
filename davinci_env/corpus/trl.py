"""Rows for TRL and for whatever reads Hugging Face datasets: `arguments` are objects.

TRL has no weight for a single message. A message that should not be learned keeps its `weight: 0`,
which a chat template can heed where it opens `{% generation %}`, and `meta.unlearned` says how many
such messages there are, by which rows can be filtered for a template that does not.

`datasets` infers the types of `meta` from the first 10 MB of a file and fails where a later row has
others. So every key of it has one type in all rows: versions are strings, no benchmark is "".
"""

from typing import Any

from davinci_env.corpus.converter import Converter, Row
from davinci_env.records import AssistantMessage, ChatMessage, Preference, Trajectory


def _plain(message: ChatMessage) -> dict[str, Any]:
    """Write a message of which nothing is learned anyway: without its weight."""
    return message.model_dump(exclude={"weight"})


def _origin(record: Trajectory | Preference) -> dict[str, Any]:
    """Tell where a row comes from: what `meta` says in rows of both sorts."""
    return {
        "source": record.source,
        "kind": record.kind,
        "benchmark": record.benchmark or "",
        "world": {"name": record.world.name, "version": str(record.world.version)},
    }


def _sft(trajectory: Trajectory) -> Row:
    """Make `{"messages", "tools", "meta"}`."""
    unlearned = sum(
        isinstance(message, AssistantMessage) and message.weight == 0
        for message in trajectory.messages
    )
    return {
        "messages": [message.model_dump() for message in trajectory.messages],
        "tools": [tool.model_dump() for tool in trajectory.tools],
        "meta": {
            "task_id": trajectory.task_id,
            "trajectory_id": trajectory.id,
            **_origin(trajectory),
            "unlearned": unlearned,
        },
    }


def _preference(pair: Preference) -> Row:
    """Make `{"prompt", "chosen", "rejected", "tools", "meta"}`, with one message in each answer."""
    return {
        "prompt": [_plain(message) for message in pair.prefix],
        "chosen": [_plain(pair.chosen)],
        "rejected": [_plain(pair.rejected)],
        "tools": [tool.model_dump() for tool in pair.tools],
        "meta": {
            "task_id": pair.task_id,
            "preference_id": pair.id,
            **_origin(pair),
            "margin": pair.margin,
        },
    }


TRL = Converter("trl", "TRL (SFT, DPO), Hugging Face datasets", _sft, _preference)
