"""Whole runs: the same bytes however they are made, the stages one by one, and what fails."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from davinci_env.corpus import export
from davinci_env.corpus.demonstrations import Counts, settle
from davinci_env.corpus.systems import run_stage, run_systems
from davinci_env.egts.blocks import close_systems, environment_of
from davinci_env.episodes.store import Result, RunStore
from davinci_env.errors import DavinciError, OutputError, RecordError, UsageError
from davinci_env.records import Task, Trajectory, read_jsonl, to_line
from tests.egts.toy_job import SETTING, named

__all__ = ["named"]

ROOT = Path(__file__).parents[2]
EPISODES = 25
"""Two rounds, the second of one block."""


def job(out: Path, jobs: int, kill_after: str = "") -> int:
    """Run in a process of its own; its status."""
    command = [sys.executable, "-m", "tests.egts.toy_job", str(out), str(jobs), str(EPISODES)]
    done = subprocess.run(
        [*command, *([kill_after] if kill_after else [])], cwd=ROOT, timeout=300, check=False,
        capture_output=True,
    )  # fmt: skip
    assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
    return done.returncode


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a file."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One run over the toy, in one process."""
    out = tmp_path_factory.mktemp("runs") / "one"
    assert job(out, 1) == 0
    return out


def test_two_processes_write_the_same_bytes(run: Path, tmp_path: Path) -> None:
    assert job(tmp_path / "two", 2) == 0
    assert contents(tmp_path / "two") == contents(run)


def test_a_killed_run_is_resumed_to_the_same_bytes(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "killed"
    assert job(out, 1, kill_after="3") == -signal.SIGKILL
    assert (out / "journal.jsonl").exists()
    assert not (out / "manifest.json").exists()
    assert job(out, 1) == 0
    assert contents(out) == contents(run)


def test_stage_by_stage_comes_to_the_same(run: Path, tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("explore", "propose", "replay", "audit")}
    run_systems(["toy"], EPISODES, folders["explore"], 3, setting=SETTING, stage="explore")
    before = folders["explore"]
    for stage in ("propose", "replay", "audit"):
        run_stage(stage, before, folders[stage], setting=SETTING)
        before = folders[stage]
    for name in ("tasks.jsonl", "trajectories.jsonl", "sft.jsonl"):
        assert (folders["audit"] / name).read_bytes() == (run / name).read_bytes()


def test_what_is_accepted_is_certified_and_passes(run: Path) -> None:
    tasks = read_jsonl(run / "tasks.jsonl", Task)
    trajectories = read_jsonl(run / "trajectories.jsonl", Trajectory)
    assert tasks.problems == trajectories.problems == ()
    assert len(tasks.records) == len(trajectories.records) >= EPISODES // 3
    for task, trajectory in zip(tasks.records, trajectories.records, strict=True):
        assert trajectory.task_id == task.id == task.asked_id
        assert task.source == "egts" and trajectory.verdict.passed
        assert set(task.certificate or {}) == {
            "not_already_true", "solvable", "not_vacuous", "sound", "complete",
        }  # fmt: skip


def test_what_is_turned_down_is_kept_with_its_reason(run: Path) -> None:
    turned_down = rows(run / "rejected.jsonl")
    assert turned_down
    for row in turned_down:
        assert row["reason"] and row["stage"] in ("propose", "replay", "audit")
        assert row["record"]
    known = json.loads((run / "manifest.json").read_bytes())["tally"]["toy"]
    surplus = Counter(row["reason"] for row in rows(run / "surplus.jsonl"))
    assert Counter(row["reason"] for row in turned_down) + surplus == known["rejected"]
    accepted = known["accepted"] + len(rows(run / "surplus.jsonl"))
    assert accepted == len(rows(run / "accepted.jsonl"))


def test_the_counts_are_those_of_the_files(run: Path) -> None:
    known = json.loads((run / "manifest.json").read_bytes())["tally"]["toy"]
    steps = [
        [step["tool"] for step in row["steps"] if step["type"] == "call"]
        for row in rows(run / "trajectories.jsonl")
    ]
    assert known["accepted"] == len(steps)
    assert known["calls"] == sum(map(len, steps))
    assert known["sequences"] == len({tuple(one) for one in steps})
    assert known["demonstrated"] == sorted({tool for one in steps for tool in one})
    assert known["uncoverable"] == {"print_note": "there is no printer"}
    assert (known["tools"], known["coverable"]) == (12, 11)
    assert "print_note" not in known["explored"]


def test_guidance_and_recorded_values_stay_out_of_what_is_learned_from(run: Path) -> None:
    for row in rows(run / "sft.jsonl"):
        assert row["messages"][0]["role"] == "system"
        assert "contacts and the notes" in row["messages"][0]["content"]
        assert "carried out" not in json.dumps(row["messages"])


@pytest.mark.parametrize("format", ["trl", "openai"])
def test_it_is_exported_in_every_format(run: Path, tmp_path: Path, format: str) -> None:
    summary = export(run, format, tmp_path / "out.jsonl")
    assert summary.passed
    assert summary.rows == len(rows(run / "trajectories.jsonl"))


def test_the_card_names_the_system_and_its_licence(run: Path) -> None:
    card = (run / "README.md").read_text("utf-8")
    assert "| toy | 1.0 | Apache-2.0 | these tests | – |" in card


def test_a_finished_run_is_left_as_it_is(run: Path) -> None:
    before = contents(run)
    summary = run_systems(["toy"], EPISODES, run, 3, setting=SETTING)
    assert contents(run) == before
    assert summary.passed and summary.gave == len(rows(run / "trajectories.jsonl"))


def test_the_run_of_another_command_is_refused(run: Path) -> None:
    with pytest.raises(OutputError, match="another command"):
        run_systems(["toy"], EPISODES, run, 4, setting=SETTING)


def test_a_system_that_breaks_costs_its_episodes_and_no_more(tmp_path: Path) -> None:
    summary = run_systems(["toy.breaking"], 20, tmp_path / "out", 3, setting=SETTING)
    known = summary.systems["toy.breaking"]
    assert known["episodes"] == 20
    assert known["accepted"] > 0
    explorations = rows(tmp_path / "out" / "explorations.jsonl")
    assert {row["failure"] for row in explorations} >= {"crash", ""}
    assert "get_note" not in known["demonstrated"]


def test_what_a_process_opened_is_closed() -> None:
    system = environment_of("toy", SETTING, 5).system
    assert environment_of("toy", SETTING, 6).system is system
    close_systems()
    assert system.closed  # type: ignore[attr-defined]


# -- too much of one thing -------------------------------------------------------------------------


def accepted(number: int, text: str, tools: list[str]) -> bytes:
    """A line of what passed the audit, with no more in it than the settling looks at."""
    return to_line(
        {
            "task": {"world": {"name": "toy"}, "request": {"turns": [{"text": text}]}},
            "trajectory": {
                "steps": [{"type": "call", "tool": tool} for tool in tools],
                "initial": {"hash": "a"},
                "terminal": {"hash": "a" if number % 2 else "b"},
            },
        }
    )


def test_of_one_sequence_there_are_twenty_at_most_and_no_request_twice(tmp_path: Path) -> None:
    lines = [accepted(n, f"Request {n}", ["list", "write"]) for n in range(25)]
    lines += [accepted(25, "Read it", ["list"]), accepted(26, "read  IT", ["list", "list"])]
    derived = ("tasks.jsonl", "trajectories.jsonl", "surplus.jsonl")
    counts = {"toy": Counts("toy")}
    with RunStore(tmp_path / "out", {"c": 1}, ("accepted.jsonl",), derived=derived) as store:
        store.append("a" * 32, Result({"accepted.jsonl": lines}))
        settle(store, counts)
        kept = rows(store.path("trajectories.jsonl"))
        surplus = [row["reason"] for row in rows(store.path("surplus.jsonl"))]
    assert len(kept) == 21
    assert surplus == ["sequence-full"] * 5 + ["duplicate"]
    one = counts["toy"]
    assert (one.accepted, one.sequences, one.calls, one.several_tools) == (21, 2, 41, 20)
    assert one.mutations == 10
    assert one.demonstrated == ["list", "write"]


# -- bad input -------------------------------------------------------------------------------------


def test_an_unknown_system_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no system 'toys': did you mean 'toy'"):
        run_systems(["toys"], 5, tmp_path / "out", setting=SETTING)
    assert not (tmp_path / "out").exists()


def test_a_system_named_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="named twice"):
        run_systems(["toy", "toy"], 5, tmp_path / "out", setting=SETTING)


def test_a_system_that_can_not_be_opened_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from davinci_env.egts.systems import SystemFailure
    from tests.egts.toy import ToySystem

    def hang(self: ToySystem, seed: int) -> None:
        raise SystemFailure("hang", "it didn't answer within 5 s")

    monkeypatch.setattr(ToySystem, "open", hang)
    with pytest.raises(DavinciError, match=r"toy can't be used \(it didn't answer within 5 s\)"):
        run_systems(["toy"], 5, tmp_path / "out", setting=SETTING)
    assert not (tmp_path / "out").exists()


def test_a_folder_of_another_stage_is_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"replays\.jsonl: can't be read"):
        run_stage("audit", run, tmp_path / "out", setting=SETTING)
    assert not (tmp_path / "out").exists()


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "explorations.jsonl").write_text('{"system": "toy"}\n')
    (source / "experience.jsonl").write_text("")
    with pytest.raises(RecordError, match=r"explorations\.jsonl, line 1: is no record"):
        run_stage("propose", source, tmp_path / "out", setting=SETTING)
