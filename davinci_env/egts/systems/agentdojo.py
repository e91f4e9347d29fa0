"""AgentDojo's four environments as systems, each at states that we generate."""

from __future__ import annotations

from .hosted import HostedSystem
from .registry import Options

SYSTEMS = ("agentdojo.workspace", "agentdojo.travel", "agentdojo.banking", "agentdojo.slack")
GROUND_TRUTH = SYSTEMS
"""Those whose suites have tasks with reference solutions."""


def open_system(name: str, options: Options) -> HostedSystem:
    """The adapter of one of them; nothing is started yet."""
    return HostedSystem(name, "agentdojo", "agentdojo_host", licence="MIT", origin="PyPI agentdojo")
