"""`--help` teaches, names every command, and loads nothing that a help page does not need."""

import subprocess
import sys

import pytest

from tests.cli.conftest import Davinci

COMMANDS = [
    "generate",
    "export",
    "stats",
    "domains",
    "show",
    "serve",
    "audit",
    "tasks",
    "check",
    "run",
    "report",
    "bench",
    "doctor",
]


def test_no_command_shows_the_help(davinci: Davinci) -> None:
    alone, asked = davinci(), davinci("--help")
    assert alone.exit_code == asked.exit_code == 0
    assert alone.stdout == asked.stdout
    for command in COMMANDS:
        assert f" {command} " in asked.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(davinci: Davinci, command: str) -> None:
    result = davinci(command, "-h")
    assert result.exit_code == 0
    assert f"Usage: davinci {command}" in result.stdout
    assert "For example" in result.stdout
    assert f"davinci {command}" in result.stdout.split("For example")[1]


@pytest.mark.parametrize("command", [one for one in COMMANDS if one != "serve"])
def test_every_result_can_be_read_by_programs(davinci: Davinci, command: str) -> None:
    assert "--json" in davinci(command, "-h").stdout


def test_serve_has_no_json_for_its_stdout_is_the_protocol(davinci: Davinci) -> None:
    assert "--json" not in davinci("serve", "-h").stdout


@pytest.mark.parametrize("command", ["generate", "export", "tasks", "run"])
def test_what_writes_takes_out_and_force(davinci: Davinci, command: str) -> None:
    text = davinci(command, "-h").stdout
    assert "--out" in text
    assert "--force" in text


def test_the_version_is_the_packages(davinci: Davinci) -> None:
    from davinci_env import __version__

    assert davinci("--version").stdout == f"davinci-env {__version__}\n"


def test_help_imports_no_room() -> None:
    code = (
        "import sys\n"
        "from davinci_env.cli import main\n"
        "sys.argv = ['davinci', '--help']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'sqlalchemy', 'duckdb', 'hypothesis', 'fastmcp', 'mcp', 'orjson', 'asyncio'}\n"
        "rooms = {name.split('.')[1] for name in sys.modules if name.startswith('davinci_env.')}\n"
        "rooms -= {'cli', 'errors'}\n"
        "print(sorted(heavy & set(sys.modules)), sorted(rooms), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[] []\n"


def test_the_module_is_the_same_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "davinci_env", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("davinci-env ")
