"""The one protocol that everything runs against (paper A.1): tools, reset, call, observe, snapshot,
restore, capture.

Domains, compositions, systems written by others, and every wrapper implement it. `conformance.py`
checks that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

import orjson

from ..domain.log import CallEntry, Entry, Event, Log, Message

__all__ = [
    "CallEntry",
    "Entry",
    "Environment",
    "Event",
    "Log",
    "Message",
    "Metadata",
    "Outcome",
    "Snapshot",
    "ToolResult",
    "ToolSpec",
]

Snapshot = Any
"""Opaque. Snapshots are LIFO: restoring an older one invalidates the younger ones."""


@dataclass(frozen=True)
class Metadata:
    """What an environment is.

    `actor` is the key of the person on whose behalf calls are made, or None.
    """

    name: str
    kind: Literal["domain", "composition", "system"]
    version: int
    content_hash: str
    seed: int
    scale: float
    access: Literal["staff", "self_service"]
    policy: str
    actor: str | None = None
    benchmark: str | None = None


@dataclass(frozen=True)
class ToolSpec:
    """One tool as an agent sees it: plain JSON schemas and the four MCP annotations."""

    name: str
    title: str
    description: str
    parameters: dict[str, Any]
    output_schema: dict[str, Any]
    annotations: dict[str, bool]
    home: str = ""
    """The domain that it comes from, where several are joined."""

    def as_function(self) -> dict[str, Any]:
        """The tool in the form of chat APIs: `{"type": "function", "function": {...}}`."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": self.parameters,
            },
        }


@dataclass(slots=True)
class ToolResult:
    """The answer to a call. `violated`, `seen` and `details` are never shown to the agent.

    Not frozen only because one is made for each call, and frozen ones take five times as long.
    """

    ok: bool
    data: dict[str, Any] | None = None
    code: str | None = None
    message: str = ""
    violated: tuple[str, ...] = ()
    seen: tuple[tuple[str, str], ...] = ()
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def content(self) -> dict[str, Any]:
        """The JSON object that the agent sees."""
        if self.data is not None:
            return self.data
        return {"error": {"code": self.code, "message": self.message}}

    @property
    def text(self) -> str:
        """The same as JSON text."""
        return orjson.dumps(self.content).decode()


@dataclass(frozen=True)
class Outcome:
    """What an episode left behind: canonical changes since the start without volatile fields, their
    hash, broken rules.
    """

    state_hash: str
    diff: list[list[Any]]
    violated: tuple[str, ...]


@runtime_checkable
class Environment(Protocol):
    """A restorable world with tools. One environment belongs to one thread at a time."""

    @property
    def metadata(self) -> Metadata:
        """What this environment is."""
        ...

    @property
    def log(self) -> Log:
        """The one ordered log of calls, messages and user events since the last reset."""
        ...

    def tools(self) -> list[ToolSpec]:
        """The tools, listed anew at each turn: they may change during an episode."""
        ...

    def reset(self) -> None:
        """Return to the start state with an empty log; invalidates all snapshots."""
        ...

    def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call a tool.

        What an agent does wrong is a result, never an exception; a refused call changes nothing.
        """
        ...

    def observe(self, entry: Message | Event) -> None:
        """Note what was said, or what it meant to the user."""
        ...

    def snapshot(self) -> Snapshot:
        """Take a snapshot of state and log."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a snapshot, which stays valid. Raises UsageError for one that is gone."""
        ...

    def capture(self) -> Outcome:
        """The outcome so far, in canonical form."""
        ...

    def close(self) -> None:
        """Free what the environment holds."""
        ...
