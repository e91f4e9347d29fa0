"""Where families live, and how they get there."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from davinci_env.egts.systems import installed
from davinci_env.egts.systems.installed import PINS, Pins, home, install, is_installed
from davinci_env.errors import UsageError


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DAVINCI_SYSTEMS", str(tmp_path / "systems"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    return tmp_path / "systems"


def wheel(folder: Path, needs: str = "") -> Path:
    """A package of one module, made by hand."""
    path = folder / "toything-1.0-py3-none-any.whl"
    about = "Metadata-Version: 2.1\nName: toything\nVersion: 1.0\n" + needs
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("toything.py", "x = 7\n")
        file.writestr("toything-1.0.dist-info/METADATA", about)
        file.writestr(
            "toything-1.0.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        file.writestr("toything-1.0.dist-info/RECORD", "")
    return path


def test_every_pin_is_exact_and_says_no_address() -> None:
    for pins in PINS.values():
        for package in (*pins.packages, *pins.bare):
            name, _, version = package.rpartition("@" if pins.npm else "==")
            assert name
            assert version[0].isdigit()
            assert "//" not in package


def test_by_default_they_live_with_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DAVINCI_SYSTEMS")
    assert installed.root() == Path.home() / ".local/share/davinci/systems"


def test_what_is_missing_names_the_command() -> None:
    with pytest.raises(UsageError) as caught:
        home("kanban")
    assert str(caught.value) == (
        "kanban is not installed: run `python -m davinci_env.egts install kanban`."
    )
    assert not is_installed("kanban")
    assert installed.status("kanban") == "run `python -m davinci_env.egts install kanban`"
    assert installed.status("davinci") == "needs no installation"


def test_an_unknown_family() -> None:
    with pytest.raises(UsageError, match="there is no family 'kanbam' to install"):
        install("kanbam")


def test_installing_a_python_family(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = str(wheel(tmp_path, needs="Requires-Dist: no-such-package\n"))
    monkeypatch.setitem(PINS, "toy", Pins((), bare=(bare,)))
    said: list[str] = []
    install("toy", said.append)
    assert home("toy") == root / "toy"
    assert installed.status("toy") == "installed"
    python = installed.python("toy")
    assert subprocess.check_output([python, "-c", "import toything; print(toything.x)"]) == b"7\n"
    install("toy", said.append)
    assert said == [
        f"toy: installing {bare}",
        f"toy: installed in {root / 'toy'}",
        f"toy: installed already, in {root / 'toy'}",
    ]
    monkeypatch.setitem(PINS, "toy", Pins(("other==2",)))
    assert not is_installed("toy")  # another release needs other versions


def test_packages_that_cannot_be_had(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Making a real environment takes many seconds; pip itself is the real one.
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\nmkdir -p "$3/bin"\nln -s {sys.executable} "$3/bin/python"\n')
    script.chmod(0o700)
    monkeypatch.setattr(installed.sys, "executable", str(script))
    monkeypatch.setitem(PINS, "toy", Pins(("no-such-thing==1.0",)))
    with pytest.raises(UsageError) as caught:
        install("toy", lambda _: None)
    text = str(caught.value)
    assert text.startswith("toy could not be installed (ERROR: No matching distribution found")
    assert text.endswith("then run `python -m davinci_env.egts install toy` again.")
    assert "\n" not in text
    assert not (root / "toy").exists()


def test_npm_that_is_missing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(UsageError, match="memory comes by npm, which is not installed"):
        install("memory", lambda _: None)
    assert not (root / "memory").exists()


def test_installing_an_npm_family(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    package = tmp_path / "toything"
    package.mkdir()
    (package / "package.json").write_text('{"name": "toything", "version": "1.0.0"}')
    monkeypatch.setitem(PINS, "toy", Pins((str(package),), npm=True))
    install("toy", lambda _: None)
    assert (home("toy") / "node_modules" / "toything" / "package.json").exists()


def test_a_half_made_folder_is_made_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "toy").mkdir(parents=True)
    (root / "toy" / installed.BEGUN).touch()
    (root / "toy" / "rest").touch()
    monkeypatch.setitem(PINS, "toy", Pins((), npm=True))
    monkeypatch.setattr(installed, "_npm", lambda family, place: (place / "made").touch())
    install("toy", lambda _: None)
    assert (home("toy") / "made").exists()
    assert not (home("toy") / "rest").exists()


def test_a_folder_that_is_not_ours_is_left_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "toy").mkdir(parents=True)
    (root / "toy" / "thesis").write_text("x")
    monkeypatch.setitem(PINS, "toy", Pins((), npm=True))
    with pytest.raises(UsageError, match="is in the way, and not of davinci's making"):
        install("toy", lambda _: None)
    assert (root / "toy" / "thesis").read_text() == "x"
