"""Every system that can be named, by family.

A family is a module of this package with `SYSTEMS`, the names it offers, and `open_system(name,
options)`. Families are imported on use: each needs something that not everybody has installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

from ...errors import UsageError
from .protocol import System

FAMILIES: Mapping[str, str] = {
    "agentdojo": "agentdojo",
    "bfcl": "bfcl",
    "filesystem": "mcp_families",
    "memory": "mcp_families",
    "git": "mcp_families",
    "kanban": "mcp_families",
    "excel": "mcp_families",
    "operations": "mcp_families",
    "tau2": "tau2",
    "davinci": "own",
}
"""Family to the module of this package that has it."""


@dataclass(frozen=True)
class Options:
    """What a user may say about a system beyond its name.

    Attributes:
        servers: an `mcpServers` file; its servers are systems by their names.
        state: the directory that holds a server's state, by server name.
        allow_writes: whether tools that aren't known to be read-only may be called.
        path: where a family's files are (`tau2`, and domains that did not ship with the package).
        trust: whether such domains may be executed.
    """

    servers: Path | None = None
    state: Mapping[str, Path] = field(default_factory=dict)
    allow_writes: bool = False
    path: Path | None = None
    trust: bool = False


def open_system(name: str, options: Options | None = None) -> System:
    """Make the adapter of a system; nothing is started before its `open`.

    Raises:
        UsageError: there is no system of that name, or what it needs is not installed.
    """
    options = options or Options()
    if options.servers is not None:
        module: Any = import_module(f"{__package__}.user_servers")
        system: System = module.open_system(name, options)
        return system
    family = name.partition(".")[0]
    if family not in FAMILIES:
        raise _unknown(name)
    module = import_module(f"{__package__}.{FAMILIES[family]}")
    if name not in module.SYSTEMS and not getattr(module, "OPEN_ENDED", False):
        raise _unknown(name)
    system = module.open_system(name, options)
    return system


def system_names() -> list[str]:
    """Every system that ships an adapter, whether or not it is installed."""
    modules = [import_module(f"{__package__}.{m}") for m in dict.fromkeys(FAMILIES.values())]
    return [name for module in modules for name in module.SYSTEMS]


def _unknown(name: str) -> UsageError:
    near = get_close_matches(name, system_names(), n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else "see `python -m davinci_env.egts systems`"
    return UsageError(f"there is no system {name!r}", hint)
