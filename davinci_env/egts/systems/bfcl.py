"""BFCL v4's multi-turn API classes (PyPI `bfcl-eval`), each a system of its own.

`open` stands at a state that we generate.
"""

from __future__ import annotations

from typing import Final

from .hosted import HostedSystem
from .registry import Options

SYSTEMS: Final = tuple(
    f"bfcl.{name}"
    for name in (
        "filesystem", "math", "message", "twitter", "ticket", "trading", "travel", "vehicle",
    )
)  # fmt: skip
GROUND_TRUTH: Final = ("bfcl.all",)
"""A shipped task involves several classes at once: this one has them all, for their solutions."""


def open_system(name: str, options: Options) -> HostedSystem:
    """The adapter of one class, or of all for the shipped tasks. It takes no options."""
    return HostedSystem(name, "bfcl", "bfcl", licence="Apache-2.0", origin="PyPI bfcl-eval")
