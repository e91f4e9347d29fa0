"""No network, and no writing but into one folder: bubblewrap, where it can be used."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path


def offline(folder: Path) -> list[str]:
    """What a command begins with to have no network and to write nowhere but into a folder."""
    return [*_begin(), "--bind", str(folder), str(folder), "--"] if _begin() else []


@cache
def _begin() -> tuple[str, ...]:
    """The beginning of a bubblewrap command that works here; empty where none does."""
    program = shutil.which("bwrap")
    if program is None:
        return ()
    begin = (
        program, "--unshare-net", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev",
    )  # fmt: skip
    try:
        tried = subprocess.run([*begin, "--", "true"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return begin if tried.returncode == 0 else ()
