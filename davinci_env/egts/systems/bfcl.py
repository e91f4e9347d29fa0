"""BFCL v4's multi-turn API classes (PyPI `bfcl-eval`), each a system of its own.

`open` stands at a state that we generate. A shipped task involves several classes at once:
`open_shipped_tasks` has them all, for the ground truth.
"""

from __future__ import annotations

from typing import Final

from .hosted import HostedSystem
from .protocol import System
from .registry import Options

SYSTEMS: Final = tuple(
    f"bfcl.{name}"
    for name in (
        "filesystem", "math", "message", "twitter", "ticket", "trading", "travel", "vehicle",
    )
)  # fmt: skip


def open_system(name: str, options: Options) -> System:
    """The adapter of one class. It takes no options."""
    return _hosted(name)


def open_shipped_tasks() -> HostedSystem:
    """The adapter of shipped tasks: `open_shipped(task)`, `about("tasks")` for their ids, and
    `about(task)` for the calls of a task's ground truth.
    """
    return _hosted("bfcl.all")


def _hosted(name: str) -> HostedSystem:
    return HostedSystem(
        name, "bfcl", "bfcl", licence="Apache-2.0", origin="PyPI bfcl-eval"
    )  # fmt: skip
