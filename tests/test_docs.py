"""The documentation is tested against the code: Python runs, commands parse, links lead on."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer

from davinci_env.cli.app import app

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
FENCE = re.compile(r"^```(\S+)?[ ]?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: ```` ```language file ````, where `file` is what its text is written to."""

    page: Path
    language: str
    file: str
    text: str


def blocks(page: Path, language: str) -> list[Block]:
    """The page's fenced blocks in one language."""
    found = [Block(page, *match.groups(default="")) for match in FENCE.finditer(page.read_text())]
    return [block for block in found if block.language == language]


def command_lines(program: str) -> Iterator[tuple[str, str]]:
    """Every shell line of the documentation that runs a program, with its page."""
    for page in PAGES:
        for block in blocks(page, "bash"):
            for line in block.text.replace("\\\n", " ").splitlines():
                if line.split(" ")[0] == program:
                    yield page.name, line


COMMAND_LINES = list(command_lines("davinci"))


def names(page: Path) -> str:
    """A test id."""
    return str(page.relative_to(ROOT))


def test_every_fence_names_its_language() -> None:
    known = {"bash", "json", "python", "text"}
    for page in PAGES:
        assert {match.group(1) for match in FENCE.finditer(page.read_text())} <= known, page.name


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=names)
def test_python_runs(page: Path, tmp_path: Path) -> None:
    # A page's blocks make one program; a block that names a file is written there instead.
    files: dict[str, list[str]] = {}
    for block in blocks(page, "python"):
        files.setdefault(block.file or "page.py", []).append(block.text)
    for name, texts in files.items():
        (tmp_path / name).write_text("\n\n".join(texts))
    if "page.py" in files:
        done = subprocess.run(
            [sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_the_example_domain_has_no_finding(tmp_path: Path) -> None:
    texts = [block.text for block in blocks(ROOT / "docs" / "author-a-domain.md", "python")]
    assert "domain = Domain(" in texts[0]
    source = "\n\n".join(text for text in texts if "open_environment" not in text)
    (tmp_path / "bike_rental.py").write_text(source)
    command = [sys.executable, "-m", "davinci_env", "audit", "bike_rental"]
    done = subprocess.run(
        [*command, "--path", str(tmp_path), "--trust"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_documentation_shows_every_command() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    shown = {shlex.split(line, comments=True)[1] for _, line in COMMAND_LINES}
    assert set(group.commands) <= shown


@pytest.mark.parametrize(("page", "line"), COMMAND_LINES)
def test_command_lines_parse(page: str, line: str) -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    _, name, *arguments = shlex.split(line, comments=True)
    if name == "--help":
        return
    assert name in group.commands, f"{page}: there is no command {name}"
    command = group.commands[name]
    context = command.make_context(name, ["--help"], resilient_parsing=True)
    values, rest, _ = command.make_parser(context).parse_args(list(arguments))
    assert rest == [], f"{page}: {line} has too many arguments"
    missing = [
        parameter.name
        for parameter in command.params
        if parameter.required and not values.get(parameter.name or "")
    ]
    assert missing == [], f"{page}: {line} lacks {missing}"


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        if target.startswith("http"):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name) if name else page
        assert file.exists(), f"{page.name} links to {target}"
        if anchor:
            titles = re.findall(r"^#+ (.+)$", file.read_text(), re.MULTILINE)
            assert anchor in {title.lower().replace(" ", "-") for title in titles}, target


def test_modules_that_are_run_exist() -> None:
    text = "\n".join(page.read_text() for page in PAGES)
    modules = set(re.findall(r"python -m (davinci_env[\w.]*)", text))
    assert modules
    for module in modules:
        assert find_spec(f"{module}.__main__") is not None, module
