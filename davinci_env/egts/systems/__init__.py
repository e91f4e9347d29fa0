"""Foreign systems behind one seam, and the registry of those that can be named."""

from .environment import SystemEnvironment
from .protocol import Answer, System, SystemFailure, SystemInfo, SystemTool
from .schemas import plain_schema

__all__ = [
    "Answer",
    "System",
    "SystemEnvironment",
    "SystemFailure",
    "SystemInfo",
    "SystemTool",
    "plain_schema",
]
