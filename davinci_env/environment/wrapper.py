"""Wrappers: whatever alters an environment stands in front of it behind the same protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..domain.log import Event, Log, Message
from .protocol import Environment, Metadata, Outcome, Snapshot, ToolResult, ToolSpec


class Wrapper:
    """Forwards everything. Subclasses alter what they are about: tools, calls, observations."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    @property
    def metadata(self) -> Metadata:
        """The wrapped environment's metadata."""
        return self.environment.metadata

    @property
    def log(self) -> Log:
        """The wrapped environment's log."""
        return self.environment.log

    def tools(self) -> list[ToolSpec]:
        """The wrapped environment's tools."""
        return self.environment.tools()

    def reset(self) -> None:
        """Reset the wrapped environment."""
        self.environment.reset()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call through."""
        return self.environment.call(tool, arguments)

    def observe(self, entry: Message | Event) -> None:
        """Observe through."""
        self.environment.observe(entry)

    def snapshot(self) -> Snapshot:
        """Snapshot of the wrapped environment."""
        return self.environment.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the wrapped environment."""
        self.environment.restore(snapshot)

    def capture(self) -> Outcome:
        """The wrapped environment's outcome."""
        return self.environment.capture()

    def close(self) -> None:
        """Close the wrapped environment."""
        self.environment.close()


class WithoutTools(Wrapper):
    """Hides tools: they are not listed and can't be called."""

    def __init__(self, environment: Environment, hidden: frozenset[str]) -> None:
        super().__init__(environment)
        self.hidden = hidden

    def tools(self) -> list[ToolSpec]:
        """The tools that are left."""
        return [tool for tool in self.environment.tools() if tool.name not in self.hidden]

    def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Refuse a hidden tool exactly as one that never existed."""
        if tool in self.hidden:
            return self.environment.call(_absent(tool, self.environment), arguments)
        return self.environment.call(tool, arguments)


def _absent(tool: str, environment: Environment) -> str:
    """A name that the wrapped environment doesn't know, as like the hidden one as possible."""
    known = {spec.name for spec in environment.tools()}
    name = tool
    while name in known:
        name += "\u200b"
    return name
