"""The repository keeps its own rules: sizes, packaging, pins, and commands that exist."""

import ast
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
DATA = ("domains", "compositions", "verifiers")

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60


def sources(*folders: str) -> Iterator[Path]:
    """Python files of the repository's folders, and of those alone."""
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length in lines of every function in a file; one in another counts for itself."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, FUNCTION):
            inner = [lines(one) for one in ast.walk(node) if isinstance(one, FUNCTION)]
            yield (
                node.name,
                len(lines(node).difference(*(one for one in inner if one != lines(node)))),
            )


def lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[int]:
    """The numbers of a function's lines."""
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def test_no_file_is_too_long() -> None:
    # A domain is one file on purpose; everything else can be divided.
    long = {
        str(path.relative_to(ROOT)): lines
        for path in sources("davinci_env", "compositions", "scripts", "tests")
        if (lines := len(path.read_text().splitlines())) > MAX_FILE_LINES
    }
    assert long == {}


def test_no_function_is_too_long() -> None:
    long = {
        f"{path.relative_to(ROOT)}:{name}": lines
        for path in sources("davinci_env", *DATA, "scripts", "tests")
        for name, lines in functions(path)
        if lines > MAX_FUNCTION_LINES
    }
    assert long == {}


def test_no_notes_to_self() -> None:
    mark = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sources("davinci_env", *DATA, "scripts", "tests")
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if mark.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("folder", DATA)
def test_data_folders_are_no_packages(folder: str) -> None:
    assert (ROOT / folder).is_dir()
    assert list((ROOT / folder).rglob("__init__.py")) == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sources as they are."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_package_and_its_data_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"davinci_env"}
    assert {"davinci_env/py.typed", "davinci_env/reading/page.css"} <= set(names)
    for folder in DATA:
        expected = {
            f"davinci_env/_data/{path.relative_to(ROOT)}"
            for path in (ROOT / folder).rglob("*")
            if path.is_file() and path.suffix in {".py", ".jsonl", ".md"}
        }
        assert expected <= set(names)
    assert not [name for name in names if "/_data/" in name and name.endswith("__init__.py")]


def test_an_installed_package_finds_its_domains(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "davinci_env", "domains", "--json"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    shipped = {entry["name"] for entry in json.loads(done.stdout) if entry["shipped"]}
    folders = (ROOT / "domains", ROOT / "compositions")
    assert shipped == {path.stem for folder in folders for path in folder.rglob("*.py")}


def test_constraints_are_names_and_versions_only() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][\w.]*", line)] == []


def test_everything_that_setup_installs_is_pinned() -> None:
    pinned = {
        normal(line.split("==")[0]) for line in (ROOT / "constraints.txt").read_text().splitlines()
    }
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["project"]["dependencies"], *extras["dev"], *extras["mcp"]]
    names = {normal(re.split(r"[<>=!\[; ]", requirement)[0]) for requirement in wanted}
    assert names - pinned == set()


def normal(name: str) -> str:
    """A distribution's name as the packaging rules compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_room_has_a_line_in_the_import_contract() -> None:
    (contract,) = PROJECT["tool"]["importlinter"]["contracts"]
    assert contract["exhaustive"] is True
    lines = [layer.strip("()") for layer in contract["layers"]]
    rooms = {
        path.stem if path.is_file() else path.name
        for path in (ROOT / "davinci_env").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    assert rooms - {"__init__", "__main__"} <= set(lines)
    assert lines[0] == "cli"
    assert lines[-1] == "errors"


def test_ci_and_readme_use_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert {"setup", "demo", "test", "check", "bench"} <= targets
    for page in (".ci/run", "README.md", "CONTRIBUTING.md"):
        for line in re.findall(r"^make ([a-z ]+?)(?: *#.*)?$", (ROOT / page).read_text(), re.M):
            assert set(line.split()) <= targets, page
