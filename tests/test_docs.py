"""The documentation is tested against the code: Python runs, commands parse, lists are complete."""

import inspect
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

from davinci_env import domain as form
from davinci_env.audit import audit
from davinci_env.cli.app import app
from davinci_env.records import Preference, Task, Trajectory
from davinci_env.tasks import generate_suite

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
AUTHORING = ROOT / "docs" / "author-a-domain.md"


def names(page: Path) -> str:
    """A test id."""
    return str(page.relative_to(ROOT))


def test_every_fence_names_its_language() -> None:
    known = {"bash", "json", "python", "text", "toml"}
    for page in PAGES:
        assert {match.group(1) for match in FENCE.finditer(page.read_text())} <= known, page.name


# The programs of this page need a running server: tests/serve/test_docs.py runs them.
NEEDS_A_SERVER = "connect-an-mcp-client.md"
PROGRAMS = [page for page in PAGES if blocks(page, "python") and page.name != NEEDS_A_SERVER]


@pytest.mark.parametrize("page", PROGRAMS, ids=names)
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


def test_the_example_domain_has_no_finding_and_gives_tasks_of_all_kinds(tmp_path: Path) -> None:
    found = blocks(AUTHORING, "python")
    source = "\n\n".join(block.text for block in found if block.file == "bike_rental.py")
    (tmp_path / "bike_rental.py").write_text(source)
    domain = form.load("bike_rental", paths=[tmp_path], trust=True)
    report = audit(domain, mutants=False)
    assert report.findings == []
    kinds = ["act", "ask", "act+ask", "deny", "clarify"]
    suite = generate_suite(
        ["bike_rental"], 12, tmp_path / "tasks.jsonl", kinds=kinds, paths=[tmp_path], trust=True
    )
    assert suite.passed
    assert set(suite.tally.by_kind) == set(kinds)


def test_the_readme_shows_what_its_two_commands_give() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "readme_example.py")],
        capture_output=True,
        text=True,
        check=True,
    )
    shown = (ROOT / "README.md").read_text()
    assert done.stdout in shown, "run `python scripts/readme_example.py --write`"
    for line in re.findall(r"^\$ (davinci .*)$", done.stdout, re.MULTILINE):
        assert_parses("README.md", line)


def test_the_authoring_page_tells_everything_that_the_form_offers() -> None:
    text = AUTHORING.read_text()
    offered = [
        form.Domain,
        form.Domain.rule,
        form.Domain.write,
        form.Domain.read,
        form.Domain.reads,
        form.Dialect,
        form.column,
        form.ref,
        form.lifecycle,
        form.counted,
        form.hashed,
        form.part,
        form.outcome,
    ]
    # Positional arguments of these are shown by example.
    shown = {"self", "predicate", "default", "pattern", "prefix", "length", "arcs", "holds"}
    for function in offered:
        for name in set(inspect.signature(function).parameters) - shown:
            assert re.search(rf"`{name}`|\b{name}=|[(, ]{name}[,)]", text), (function, name)
    for name in ("Log", "Seeder"):
        methods = {
            method
            for method, _ in inspect.getmembers(getattr(form, name))
            if not method.startswith("_")
        }
        letter = {"Log": "log", "Seeder": "w"}[name]
        assert [method for method in methods if f"`{letter}.{method}" not in text] == []
    plain = {"Bound", "CallEntry", "Entry", "Event", "Message", "Parameter", "Part", "Person"}
    plain |= {"Rule", "Tool", "World", "catalogue", "load_file"}
    assert [name for name in form.__all__ if name not in text and name not in plain] == []


def test_the_verifiers_page_lists_every_operator_and_reason() -> None:
    text = (ROOT / "docs" / "verifiers.md").read_text()
    folder = ROOT / "davinci_env" / "certify"
    source = "\n".join(path.read_text() for path in sorted(folder.glob("*.py")))
    operators = set(re.findall(r'(?:Mutant\(|yield \(?)\s*"([a-z-]+)"', source))
    operators |= set(re.findall(r'\("(no-[a-z]+)", "', source))
    reasons = set(re.findall(r'Rejected\(\s*"([a-z-]+)"', source))
    reasons |= set(re.findall(r'return "([a-z]+-[a-z-]+)", ', source))
    assert len(operators) > 25
    assert len(reasons) > 10
    assert [name for name in sorted(operators | reasons) if f"`{name}`" not in text] == []


@pytest.mark.parametrize("model", [Task, Trajectory, Preference])
def test_the_records_page_names_every_field(model: type[Task]) -> None:
    text = (ROOT / "docs" / "records.md").read_text()
    fields = {about.alias or name for name, about in model.model_fields.items()}
    assert [name for name in sorted(fields) if f"`{name}`" not in text] == []


def test_the_documentation_shows_every_command() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    shown = {shlex.split(line, comments=True)[1] for _, line in COMMAND_LINES}
    assert set(group.commands) <= shown


@pytest.mark.parametrize(("page", "line"), COMMAND_LINES)
def test_command_lines_parse(page: str, line: str) -> None:
    assert_parses(page, line)


def assert_parses(page: str, line: str) -> None:
    """Assert that a command exists, with these options, and lacks none."""
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
    modules = set(re.findall(r'-m"?,? "?(davinci_env[\w.]*)', text))
    assert modules
    for module in modules:
        assert find_spec(f"{module}.__main__") is not None, module
