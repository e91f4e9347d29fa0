"""`python -m davinci_env.egts`: help that teaches, one sentence for bad input, JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from davinci_env.cli.egts import app
from tests.egts.toy import WORDS
from tests.egts.toy_job import named

__all__ = ["named"]

COMMANDS = (
    "systems", "install", "explore", "propose", "replay", "audit", "run", "ground-truth",
)  # fmt: skip
WITH = ("--words", f"toy={WORDS}", "--jobs", "1", "--seed", "3")

Egts = Callable[..., Result]


@pytest.fixture
def egts() -> Egts:
    """Run the command line in this process."""
    runner = CliRunner()
    return lambda *arguments: runner.invoke(app, [str(one) for one in arguments])


def test_no_command_shows_the_help(egts: Egts) -> None:
    alone, asked = egts(), egts("--help")
    assert alone.exit_code == asked.exit_code == 0
    for command in COMMANDS:
        assert f" {command} " in asked.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(egts: Egts, command: str) -> None:
    result = egts(command, "-h")
    assert result.exit_code == 0
    assert "For example" in result.stdout
    assert f"python -m davinci_env.egts {command}" in result.stdout.split("For example")[1]


def test_help_is_quick_and_loads_no_system() -> None:
    command = (
        "import sys; from davinci_env.cli.egts import app; "
        "print([m for m in sys.modules if m.startswith('davinci_env.egts.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


def test_systems_are_listed_with_the_one_command_that_installs_them(
    egts: Egts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DAVINCI_SYSTEMS", str(tmp_path))
    listed = {row["system"]: row for row in json.loads(egts("systems", "--json").stdout)["systems"]}
    assert listed["agentdojo.banking"] == {
        "system": "agentdojo.banking",
        "installed": False,
        "install": "python -m davinci_env.egts install agentdojo",
    }
    assert listed["davinci.library_lending"]["installed"] is True
    assert "toy" in listed


def test_a_run_ends_with_a_table_and_a_corpus(egts: Egts, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = egts("run", "--system", "toy", "--episodes", 10, "--out", out, *WITH)
    assert result.exit_code == 0, result.stderr
    accepted = len((out / "trajectories.jsonl").read_bytes().splitlines())
    assert f"Accepted demonstrations in {out}: {accepted}" in result.stdout
    for heading in ("coverable", "explored", "demonstrated", "mutations", "mean calls"):
        assert heading in result.stdout
    assert "toy: print_note" in result.stdout
    assert "not coverable: there is no printer" in result.stdout
    again = egts("run", "--system", "toy", "--episodes", 10, "--out", out, "--json", *WITH)
    assert json.loads(again.stdout)["gave"] == accepted


def test_the_stages_follow_on_one_another(egts: Egts, tmp_path: Path) -> None:
    before = tmp_path / "explored"
    first = egts("explore", "--system", "toy", "--episodes", 5, "--out", before, *WITH)
    assert first.exit_code == 0, first.stderr
    assert f"Explorations in {before}: 5" in first.stdout
    for stage, told in (("propose", "Candidates"), ("replay", "Replays"), ("audit", "Accepted")):
        out = tmp_path / stage
        result = egts(stage, before, "--out", out, "--words", f"toy={WORDS}", "--jobs", 1)
        assert result.exit_code == 0, result.stderr
        assert result.stdout.startswith(told)
        before = out
    assert (before / "sft.jsonl").exists()


def test_nothing_accepted_is_status_one(egts: Egts, tmp_path: Path) -> None:
    """The toy's words are left out, and what is inferred in two episodes gives nothing."""
    empty = tmp_path / "empty.toml"
    empty.write_text("[tools.list_contacts]\ngoal = false\n" + "".join(
        f"[tools.{tool}]\nuncoverable = \"not wanted\"\n"
        for tool in ("get_contact", "add_contact", "update_contact", "remove_contact",
                     "list_notes", "get_note", "write_note", "pin_note", "unlock_archive",
                     "archive_note", "print_note")
    ))  # fmt: skip
    result = egts(
        "run", "--system", "toy", "--episodes", 2, "--out", tmp_path / "out", "--jobs", 1,
        "--words", f"toy={empty}",
    )  # fmt: skip
    assert result.exit_code == 1
    assert "holds nothing that was kept" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("run", "--system", "toys"), "there is no system 'toys': did you mean 'toy'?"),
        (("run", "--system", "agentdojo.banking"),
         "agentdojo is not installed: run `python -m davinci_env.egts install agentdojo`."),
        (("run",), "missing option '--system'"),
        (("run", "--system", "toy", "--episodes", "0"), "it should be greater than or equal to 1"),
        (("run", "--system", "toy", "--state", "toy=/"), "add --servers"),
        (("run", "--system", "toy", "--allow-writes"), "add --servers"),
        (("run", "--system", "toy", "--base-url", "http://127.0.0.1:1"), "add --model"),
        (("run", "--system", "toy", "--words", "toy"), "is not of the form NAME=PATH"),
        (("run", "--system", "toy", "--words", "toy=/nowhere.toml"), "there is no /nowhere.toml"),
        (("run", "--system", "toy", "--servers", "/nowhere.json"), "does not exist"),
        (("propose", "/nowhere"), "does not exist"),
        (("install", "toys"), "there is no family 'toys' to install"),
        (("ground-truth", "--system", "toys"), "there is no family 'toys'"),
        (("ground-truth", "--system", "davinci"), "have no reference solutions"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence_and_status_two(
    egts: Egts,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.setenv("DAVINCI_SYSTEMS", str(tmp_path / "systems"))
    out = tmp_path / "out"
    whole = arguments if arguments[0] in ("install", "ground-truth") else (*arguments, "--out", out)
    result = egts(*whole)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not out.exists()


def test_the_folder_of_another_run_is_refused(egts: Egts, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert egts("run", "--system", "toy", "--episodes", 5, "--out", out, *WITH).exit_code == 0
    other = egts("run", "--system", "toy", "--episodes", 6, "--out", out, *WITH)
    assert other.exit_code == 2
    assert "holds the run of another command" in other.stderr
    forced = egts("run", "--system", "toy", "--episodes", 6, "--out", out, "--force", *WITH)
    assert forced.exit_code == 0


def test_tasks_of_systems_are_no_domains_for_davinci(egts: Egts, tmp_path: Path) -> None:
    from davinci_env.cli.app import app as davinci

    out = tmp_path / "out"
    assert egts("run", "--system", "toy", "--episodes", 5, "--out", out, *WITH).exit_code == 0
    result = CliRunner().invoke(davinci, ["check", str(out / "tasks.jsonl")])
    assert result.exit_code == 2
    assert result.stderr == (
        "davinci: toy is a system written by others: its tasks are replayed and judged by "
        "`python -m davinci_env.egts`.\n"
    )
