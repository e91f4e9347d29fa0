"""`davinci doctor`: what this machine can do."""

import os
import platform
import shutil
import sqlite3
import subprocess
from importlib.util import find_spec

from davinci_env.cli import display
from davinci_env.cli.options import CORES, Json

EXTRAS = {"mcp": "fastmcp", "models": "openai", "train": "trl"}
"""Each extra, with a module that only it brings."""


def doctor(json: Json = False) -> None:
    """Tell what this machine can do, and what would add to it. Changes nothing.

    Examples:

    davinci doctor
    """
    findings = [
        ("python", platform.python_version(), ""),
        ("sqlite", sqlite3.sqlite_version, ""),
        ("cores", str(CORES), "the default of --jobs"),
        *(_extra(name, module) for name, module in EXTRAS.items()),
        _sandbox(),
        _node(),
        _endpoint(),
    ]
    if json:
        display.print_json({name: {"found": found, "note": note} for name, found, note in findings})
    else:
        display.table(["", "found", ""], findings)


def _extra(name: str, module: str) -> tuple[str, str | None, str]:
    if find_spec(module) is not None:
        return f"extra {name}", "installed", ""
    return f"extra {name}", None, f"pip install 'davinci-env[{name}]'"


def _sandbox() -> tuple[str, str | None, str]:
    """Tell whether an unprivileged process can be shut in: Linux user namespaces."""
    unshare = shutil.which("unshare")
    if unshare is not None and _output(unshare, "--user", "--map-root-user", "echo", "ok") == "ok":
        return "sandbox", "user namespaces", ""
    return "sandbox", None, "domains that did not ship with the package need --trust"


def _node() -> tuple[str, str | None, str]:
    version = _output("node", "--version") if shutil.which("node") else None
    return "node", version, "" if version else "only for MCP servers written in JavaScript"


def _endpoint() -> tuple[str, str | None, str]:
    """Tell whether a model is configured; address and key may hold secrets, so neither is shown."""
    names = [name for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY") if name in os.environ]
    if names:
        return "model", "configured", " and ".join(names)
    return "model", None, "optional: set OPENAI_BASE_URL and OPENAI_API_KEY"


def _output(*command: str) -> str | None:
    """Return what a command prints, or None if it fails or takes more than five seconds."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
