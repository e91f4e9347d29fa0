"""`davinci stats`: a table for people, JSON for programs, a status for those who want it strict."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from davinci_env.cli import results
from davinci_env.records import to_line
from tests.cli.conftest import Davinci
from tests.cli.test_bad_input import refused
from tests.stats.hand import task, trajectory


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus of three tasks, of which one uses a form."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "corpus"
    folder.mkdir()
    tasks = [task(1, "batch"), task(2, kind="ask"), task(3, kind="deny")]
    (folder / "tasks.jsonl").write_bytes(b"".join(map(to_line, tasks)))
    (folder / "trajectories.jsonl").write_bytes(to_line(trajectory(tasks[0], weights=(0, None))))
    return folder


def row(printed: str, name: str) -> str:
    """The line of a table that begins with a name, with single blanks."""
    (line,) = [
        " ".join(line.split()) for line in printed.splitlines() if line.split()[:1] == [name]
    ]
    return line


def test_each_number_stands_beside_its_target_with_a_mark(davinci: Davinci, corpus: Path) -> None:
    result = davinci("stats", corpus)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{corpus}: 3 tasks, 1 episode\n")
    assert row(result.stdout, "batch") == "batch ≥ 5 % ✓ 33.3 % ✓ 33.3 %"
    assert row(result.stdout, "undo") == "undo ≥ 5 % ✗ 0 % ✗ 0 %"
    assert row(result.stdout, "recovered") == "recovered 10 % to 20 % ✗ 100 % ✗ 100 %"
    assert row(result.stdout, "judged") == "judged 100 % – –"
    assert "targets met" in result.stdout


def test_programs_get_every_measure(davinci: Davinci, corpus: Path) -> None:
    told = json.loads(davinci("stats", "corpus", "--json").stdout)
    assert (told["tasks"], told["episodes"]) == (3, 1)
    (batch, of_all) = [one for one in told["measures"] if one["name"] == "goal/batch"]
    assert (batch["domain"], of_all["domain"]) == ("library_lending", "all")
    assert batch["value"] == 0.3333
    assert batch["target"] == {"least": 0.05, "most": None}
    assert batch["holds"] is True


def test_strict_ends_with_status_1_and_names_what_is_missed(davinci: Davinci, corpus: Path) -> None:
    result = davinci("stats", corpus, "--strict", "--json")
    assert result.exit_code == 1
    missed = [one for one in json.loads(result.stdout)["measures"] if one["holds"] is False]
    assert f"davinci: {len(missed)} targets missed: goal/any of library_lending," in result.stderr
    assert f"and {len(missed) - 4} more.\n" in result.stderr


def test_other_agents_play_a_sample_of_the_tasks(
    davinci: Davinci, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from davinci_env.stats import Trial
    from davinci_env.stats.trials import ERRORS

    played: list[Any] = []

    def play(tasks: list[Any], jobs: int, **options: Any) -> Iterator[Trial]:
        played.append((len(tasks), jobs, options))
        for _ in tasks:
            passed = dict.fromkeys(("expert", "first-match", "rule-breaker", *ERRORS), True)
            yield Trial("library_lending", passed, dict.fromkeys(passed, True))

    monkeypatch.setattr("davinci_env.stats.play_trials", play)
    result = davinci("stats", corpus, "--agents", "--sample", 2, "--jobs", 1)
    assert played == [(2, 1, {"paths": [], "trust": False})]
    assert row(result.stdout, "first-match") == "first-match ≤ 50 % ✗ 100 % ✗ 100 %"
    assert row(result.stdout, "expert") == "expert 100 % 100 %"
    assert "Playing: 2/2" in result.stderr


def test_damaged_lines_are_named_and_the_others_counted(davinci: Davinci, corpus: Path) -> None:
    file = corpus / "tasks.jsonl"
    file.write_bytes(file.read_bytes() + b"noise\n")
    result = davinci("stats", corpus, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["tasks"] == 3
    assert f"{file}, line 4: this is not JSON" in result.stderr


def test_bad_input(davinci: Davinci, corpus: Path) -> None:
    refused(davinci("stats", "nowhere"), "'nowhere' does not exist")
    refused(
        davinci("stats", corpus / "trajectories.jsonl"), "the task", "name the file of its tasks"
    )
    file = corpus / "tasks.jsonl"
    file.write_text(file.read_text().replace("Wish 2.", "Wish 9."))
    refused(davinci("stats", corpus), "was edited by hand")
    (corpus / "tasks.jsonl").write_text("noise\n")
    refused(davinci("stats", corpus / "tasks.jsonl"), "holds no task and no trajectory")


def measure(name: str, domain: str, value: float | None, **more: Any) -> dict[str, Any]:
    """A measure as JSON."""
    target = {"least": 0.5, "most": None}
    holds = None if value is None else value >= 0.5
    usual = {"of": 2, "target": target, "holds": holds, "unit": "share", "note": ""}
    return {"name": name, "domain": domain, "value": value, **usual, **more}


def test_of_many_domains_only_what_is_missed_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    domains = [f"domain_{n}" for n in range(7)]
    measures = [measure("goal/any", domain, 0.6) for domain in domains]
    measures[3] = measure("goal/any", "domain_3", 0.25)
    measures += [measure("goal/any", "all", 0.55)]
    measures += [
        measure("calls/mean", "all", 1234.0, target=None, holds=None, unit="number"),
        measure("denials/most-common-rule", "all", 0.9, note="late"),
    ]
    results.survey({"tasks": 9, "episodes": 9, "measures": measures, "problems": []}, "corpus")
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "any ≥ 50 % ✓ 55 %" in lines
    assert "mean 1,234" in lines
    assert "domain_3 goal/any ✗ 25 % ≥ 50 %" in lines
    assert "most common rule late (all)" in lines
    assert "targets met 8 of 9" in lines
