"""Status 1 and why: what is good is kept and shown, and one sentence says what is missing."""

import json
from pathlib import Path
from typing import Any

import pytest

from davinci_env.cli import shortfalls
from tests.cli.conftest import SMALLEST, Davinci, Room, Summary


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Options that open a domain in which there is next to nothing to do."""
    folder = tmp_path / "domains"
    folder.mkdir()
    (folder / "corner_shop.py").write_text(SMALLEST)
    monkeypatch.chdir(tmp_path)
    return ["--path", folder, "--trust", "--jobs", 1]


def test_more_tasks_than_a_domain_can_give(davinci: Davinci, shop: list[object]) -> None:
    result = davinci("tasks", "corner_shop", "--n", 4, "--kind", "act", "--out", "t.jsonl", *shop)
    assert result.exit_code == 1
    assert "0 of 4 asked for" in result.stdout
    assert result.stderr.splitlines()[-1] == (
        "davinci: not one of the 4 tasks asked for came out (draws without a candidate: "
        "no free write 112, no chain 48, no fallback 16, no batch 8, nothing to decline 8): "
        "ask for fewer, for other kinds, or at another --scale."
    )
    assert Path("t.jsonl").read_text() == ""


def test_a_corpus_of_less_than_asked_for_is_whole_as_far_as_it_goes(
    davinci: Davinci, shop: list[object]
) -> None:
    result = davinci("generate", "--only", "corner_shop", "--n", 9, "--out", "c", "--json", *shop)
    assert result.exit_code == 1
    shown = json.loads(result.stdout)
    assert shown["wanted"] == 9
    assert shown["tasks"] == shown["verified_trajectories"] < 9
    assert len(Path("c/tasks.jsonl").read_text().splitlines()) == shown["tasks"]
    assert Path("c/manifest.json").exists()
    assert result.stderr.splitlines()[-1].startswith("davinci: ")
    # Asked again, the finished run says the same and computes nothing.
    again = davinci("generate", "--only", "corner_shop", "--n", 9, "--out", "c", "--json", *shop)
    assert (again.exit_code, again.stdout) == (1, result.stdout)


def test_what_came_out_is_counted_with_every_reason() -> None:
    error = shortfalls.of_tasks(
        {
            "out": "tasks.jsonl",
            "wanted": 50,
            "tasks": 12,
            "rejected": {"few-outcomes": 1, "baseline-passes": 3},
            "draws_without_candidate": {"no free write": 40},
        }
    )
    assert error.exit_status == 1
    assert str(error) == (
        "tasks.jsonl holds 12 of the 50 tasks asked for (candidates rejected: baseline-passes 3, "
        "few-outcomes 1; draws without a candidate: no free write 40): ask for fewer, for other "
        "kinds, or at another --scale."
    )


def certificates(failed: int, *, updated: bool = False) -> dict[str, Any]:
    """What checking a suite of three tasks found."""
    one = {"task": "ab12", "kind": "act", "reason": "mutant-passes: drop-step"}
    return {
        "tasks": 3,
        "certified": 3 - failed,
        "kinds": {"act": 3},
        "failed": [one] * failed,
        "problems": [],
        "updated": updated,
    }


@pytest.mark.parametrize(
    ("options", "result", "sentence"),
    [
        (
            [],
            certificates(1),
            "1 of 3 certificates in {} do not hold: leave these tasks out with --update, or make "
            "them anew with `davinci tasks`.",
        ),
        (
            ["--update"],
            certificates(1, updated=True),
            "1 of 3 tasks do not hold any more and were left out.",
        ),
        (
            ["--update"],
            certificates(3),
            "not one of the 3 tasks in {} holds any more, so it stays as it was: make them anew "
            "with `davinci tasks`.",
        ),
    ],
)
def test_certificates_that_do_not_hold(
    davinci: Davinci,
    room: Room,
    tmp_path: Path,
    options: list[str],
    result: dict[str, Any],
    sentence: str,
) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_text("")
    room("certify", check_suite=lambda *a, **k: Summary(passed=False, result=result))
    ended = davinci("check", file, *options)
    assert ended.exit_code == 1
    assert "mutant-passes: drop-step" in ended.stdout
    assert ended.stderr == f"davinci: {sentence.format(file)}\n"


def test_nothing_to_export() -> None:
    error = shortfalls.of_rows({"source": "runs/trajectories.jsonl", "skipped": {"not-passed": 4}})
    assert str(error) == "nothing in runs/trajectories.jsonl can be exported (not-passed 4)."


def test_domains_with_findings_and_measures_over_their_limit() -> None:
    findings = {"library_lending": 1, "clinic_appointments": 0, "order_management": 2}
    assert str(shortfalls.of_domains(findings)) == (
        "library_lending has 1 finding and order_management has 2 findings."
    )
    assert str(shortfalls.of_measures(["episode", "help"])) == "over the limit: episode, help."
