"""The page about EGTS is tested against the code: commands, reasons, and its example server."""

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from davinci_env.cli.egts import app
from davinci_env.egts import audit, certificate
from davinci_env.egts.lexicon import Lexicon, load_lexicon
from davinci_env.egts.systems import SystemEnvironment
from davinci_env.egts.systems.installed import PINS
from davinci_env.egts.systems.registry import FAMILIES, Options, open_system, system_names

PAGE = (Path(__file__).parents[2] / "docs" / "egts.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\S+)?[ ]?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = "python -m davinci_env.egts "
LINES = [
    line.removeprefix(PROGRAM)
    for language, _, text in FENCE.findall(PAGE)
    if language == "bash"
    for line in text.replace("\\\n", " ").splitlines()
    if line.startswith(PROGRAM)
]


def parsed(line: str) -> dict[str, Any]:
    """The options of a command line. Fails for one that can't be."""
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    name, *arguments = shlex.split(line, comments=True)
    command = group.commands[name]
    context = command.make_context(name, ["--help"], resilient_parsing=True)
    values, rest, _ = command.make_parser(context).parse_args(list(arguments))
    assert rest == [], line
    missing = [p.name for p in command.params if p.required and not values.get(p.name or "")]
    assert missing == [], line
    return dict(values)


@pytest.mark.parametrize("line", LINES)
def test_command_lines_parse(line: str) -> None:
    for name in parsed(line).get("system") or ():
        assert name in [*system_names(), "shed"]


def test_every_command_and_every_family_is_named() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    shown = {shlex.split(line)[0] for line in LINES}
    assert set(group.commands) - shown <= {"ground-truth"}
    assert [family for family in {*FAMILIES, *PINS} if f"`{family}" not in PAGE] == []


def test_every_reason_of_the_audit_is_listed() -> None:
    source = "".join(Path(str(module.__file__)).read_text() for module in (audit, certificate))
    reasons = set(re.findall(r'(?:Fault|Uncertified)\(\s*"([a-z-]+)"', source))
    assert len(reasons) > 20
    assert [reason for reason in sorted(reasons) if f"`{reason}`" not in PAGE] == []


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example's files, in the directory where its command would be given."""
    for _, name, text in FENCE.findall(PAGE):
        if name:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
    entry = json.loads((tmp_path / "mcp.json").read_text())
    entry["mcpServers"]["shed"]["command"] = sys.executable
    (tmp_path / "mcp.json").write_text(json.dumps(entry))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def opened(*, writes: bool) -> SystemEnvironment:
    """The example's server."""
    options = Options(servers=Path("mcp.json"), state={"shed": Path("shed")}, allow_writes=writes)
    return SystemEnvironment(open_system("shed", options), writes=writes)


def test_the_example_server_is_used_as_the_page_says(files: Path) -> None:
    before = (files / "shed" / "items.json").read_text()
    environment = opened(writes=True)
    schemas = {tool.name: tool.parameters["properties"] for tool in environment.tools()}
    lent = {"item_id": "item-001", "borrower": "Ada Amsel"}
    assert environment.call("lend_item", lent).ok
    refused = environment.call("lend_item", lent)
    assert "Ada Amsel has it." in refused.message
    assert [cell[0] for cell in environment.capture().diff] == ["/items.json/item-001/lent_to"]
    environment.reset()
    assert environment.capture().diff == []
    environment.close()
    assert (files / "shed" / "items.json").read_text() == before

    words = load_lexicon(files / "shed.toml")
    assert isinstance(words, Lexicon)
    for name, tool in words.tools.items():
        assert set(tool.args) <= set(schemas[name]), name
        for wording in tool.say:
            assert set(re.findall(r"\{(\w+)\}", wording)) <= set(schemas[name]), wording
    assert set(words.tools) == set(schemas)


def test_without_leave_to_write_only_the_read_is_offered(files: Path) -> None:
    environment = opened(writes=False)
    assert [tool.name for tool in environment.tools()] == ["list_items"]
    assert len(environment.call("list_items", {}).content["result"]) == 10
    environment.close()
