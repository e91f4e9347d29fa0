"""The MCP servers that ship with an adapter, one module each."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .protocol import System
from .registry import Options

SYSTEMS = ("filesystem", "memory", "git", "kanban", "excel", "operations")


def open_system(name: str, options: Options) -> System:
    """Make the adapter of one of them.

    Raises:
        UsageError: its server is not installed.
    """
    module: Any = import_module(f"{__package__}.mcp_{name}")
    system: System = module.open_system(name, options)
    return system
