"""The one protocol that everything runs against, its implementation for domains, wrappers, and a conformance kit."""

from .domain_environment import DomainEnvironment, open_environment
from .protocol import (
    CallEntry,
    Entry,
    Environment,
    Event,
    Log,
    Message,
    Metadata,
    Outcome,
    Snapshot,
    ToolResult,
    ToolSpec,
)
from .wrapper import WithoutTools, Wrapper

__all__ = [
    "CallEntry",
    "DomainEnvironment",
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
    "WithoutTools",
    "Wrapper",
    "open_environment",
]
