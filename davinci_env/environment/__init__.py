"""The one protocol that everything runs against, its implementation for domains, wrappers, and a
conformance kit.
"""

from .conformance import Finding, check_environment
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
    "Finding",
    "Log",
    "Message",
    "Metadata",
    "Outcome",
    "Snapshot",
    "ToolResult",
    "ToolSpec",
    "WithoutTools",
    "Wrapper",
    "check_environment",
    "open_environment",
]
