"""MCP families that are installed on this machine, for tests; what is not installed is skipped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from davinci_env.egts.systems import SystemEnvironment, installed
from davinci_env.egts.systems.registry import open_system

Call = tuple[str, dict[str, Any]]

_PLAY = """
import json, os, sys
os.umask(int(sys.argv[4]))
from davinci_env.egts.systems import SystemEnvironment
from davinci_env.egts.systems.registry import open_system
environment = SystemEnvironment(open_system(sys.argv[1]), seed=int(sys.argv[2]))
for tool, arguments in json.loads(sys.argv[3]):
    print(environment.call(tool, arguments).text)
print(environment.capture())
environment.close()
"""


def need(family: str) -> None:
    """Skip the test where the family is not installed."""
    if not installed.is_installed(family):
        pytest.skip(
            f"{family} is not installed: {installed.command(family)}", allow_module_level=True
        )


def opened(family: str, seed: int = 1) -> SystemEnvironment:
    """The family's system at the initial state of a seed."""
    return SystemEnvironment(open_system(family), seed=seed)


def elsewhere(family: str, seed: int, calls: Sequence[Call], folder: Path, mask: int) -> str:
    """What another process sees of the same calls, with another temporary folder, another hash seed
    and another mask for the modes of new files.
    """
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", _PLAY, family, str(seed), json.dumps(calls), str(mask)],
        env={**os.environ, "TMPDIR": str(folder), "PYTHONHASHSEED": str(mask)},
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert not list(folder.iterdir())
    return done.stdout
