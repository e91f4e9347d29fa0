"""BFCL v4's multi-turn API classes (PyPI `bfcl-eval`), each a system of its own at states that we
generate.

A shipped task involves several classes at once: `bfcl.all` has them all, for the ground truth.
"""

from __future__ import annotations

from .hosted import HostedSystem
from .registry import Options

SYSTEMS = (
    "bfcl.filesystem", "bfcl.math", "bfcl.message", "bfcl.twitter", "bfcl.ticket", "bfcl.trading",
    "bfcl.travel", "bfcl.vehicle",
)  # fmt: skip
GROUND_TRUTH = ("bfcl.all",)
"""Stands at the states of shipped tasks alone, so it is none of the systems to be explored."""


def open_system(name: str, options: Options) -> HostedSystem:
    """The adapter of one of them; nothing is started yet."""
    return HostedSystem(name, "bfcl", "bfcl", licence="Apache-2.0", origin="PyPI bfcl-eval")
