"""The main job: the same bytes for any number of processes, and however often it is killed."""

import multiprocessing
import random
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from davinci_env.corpus import generate_corpus
from davinci_env.errors import OutputError, UnknownDomain, UsageError
from davinci_env.records import Task, Trajectory, read_jsonl
from tests.corpus import corpus_job
from tests.episodes.test_store import all_gone, contents, descendants, wait_for
from tests.support.toy_desk import TOYS


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The corpus when nobody kills it, made in this process."""
    out = tmp_path_factory.mktemp("whole") / "corpus"
    summary: Any = corpus_job.run(out, 1)
    assert summary.passed
    return contents(out)


def records(files: dict[str, bytes], name: str) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in files[name].splitlines()]


def test_a_corpus_holds_what_it_says(whole: dict[str, bytes], tmp_path: Path) -> None:
    for name, data in whole.items():
        (tmp_path / name).write_bytes(data)
    tasks = read_jsonl(tmp_path / "tasks.jsonl", Task)
    runs = read_jsonl(tmp_path / "trajectories.jsonl", Trajectory)
    assert (tasks.problems, runs.problems) == ((), ())
    assert len(tasks.records) == len(runs.records) == corpus_job.WANTED
    assert [r.task_id for r in runs.records] == [t.id for t in tasks.records]
    assert len({t.id for t in tasks.records}) == corpus_job.WANTED
    assert all(t.certificate for t in tasks.records)
    assert {r.agent.name for r in runs.records} == {"expert"}
    manifest = orjson.loads(whole["manifest.json"])
    passed = [r for r in runs.records if r.verdict.passed]
    assert manifest["counts"]["passed"] == len(passed) == len(records(whole, "sft.jsonl"))
    assert len(passed) >= corpus_job.WANTED * 0.9
    assert manifest["counts"]["rejected"] == len(records(whole, "rejected.jsonl"))
    for row in records(whole, "rejected.jsonl"):
        assert row["reason"]
        Task.model_validate_json(orjson.dumps(row["record"]))


def test_no_kind_is_more_than_two_fifths(whole: dict[str, bytes]) -> None:
    kinds = [task["kind"] for task in records(whole, "tasks.jsonl")]
    assert set(kinds) == {"act", "ask", "act+ask", "deny", "clarify", "missing-tool"}
    assert max(kinds.count(kind) for kind in kinds) <= 0.4 * len(kinds)


def test_the_seed_decides(whole: dict[str, bytes], tmp_path: Path) -> None:
    corpus_job.run(tmp_path / "again", 2)
    assert contents(tmp_path / "again") == whole
    corpus_job.run(tmp_path / "other", 1, n=4, seed=5)
    other = {task["id"] for task in records(contents(tmp_path / "other"), "tasks.jsonl")}
    assert len(other) == 4
    assert other.isdisjoint(task["id"] for task in records(whole, "tasks.jsonl"))


def test_worlds_differ_by_seed_too(whole: dict[str, bytes]) -> None:
    """Six units share a world; twenty tasks take several."""
    assert len({task["world"]["seed"] for task in records(whole, "tasks.jsonl")}) >= 2


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_kill_9_at_ten_moments_and_resume(tmp_path: Path, whole: dict[str, bytes]) -> None:
    out = tmp_path / "corpus"
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.corpus.corpus_job"])
    draw = random.Random(9)
    # A line of the journal is about 215 bytes, and twenty tasks take 14 units or more.
    moments = sorted(draw.randrange(200 * 14 * 4 // 5) for _ in range(10))
    for number, moment in enumerate(moments):
        process = context.Process(target=corpus_job.run, args=(out, 1 + number % 5 // 4))
        process.start()
        assert process.pid is not None
        wait_for(reaches(out, moment, process), 120)
        assert process.is_alive(), "ended before it could be killed"
        started = descendants(process.pid)
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        wait_for(all_gone(started))
    assert not (out / "manifest.json").exists()
    corpus_job.run(out, 1)
    assert contents(out) == whole


def reaches(out: Path, size: int, process: Any) -> Iterator[bool]:
    """Whether the journal has this many bytes, or the process has ended."""
    journal = out / "journal.jsonl"
    while True:
        yield not process.is_alive() or (journal.exists() and journal.stat().st_size >= size)


def test_a_finished_corpus_is_left_alone(whole: dict[str, bytes], tmp_path: Path) -> None:
    for name, data in whole.items():
        (tmp_path / name).write_bytes(data)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    again: Any = corpus_job.run(tmp_path, 1)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before
    assert again.passed
    assert again.to_json()["tasks"] == corpus_job.WANTED
    with pytest.raises(OutputError, match="another command"):
        corpus_job.run(tmp_path, 1, seed=6)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before
    corpus_job.run(tmp_path, 1, n=2, seed=6, force=True)
    assert len(records(contents(tmp_path), "tasks.jsonl")) == 2


def test_the_summary_says_what_came_of_it(whole: dict[str, bytes], tmp_path: Path) -> None:
    for name, data in whole.items():
        (tmp_path / name).write_bytes(data)
    summary: Any = corpus_job.run(tmp_path, 1)
    said = summary.to_json()
    assert said["wanted"] == said["tasks"] == sum(said["kinds"].values()) == corpus_job.WANTED
    assert said["domains"] == {"toy_rental": corpus_job.WANTED}
    assert said["verified_trajectories"] == len(records(whole, "sft.jsonl"))
    assert sum(sum(row.values()) for row in said["verified"].values()) == len(
        records(whole, "sft.jsonl")
    )
    assert said["expert_pass_rate"] == round(said["verified_trajectories"] / said["tasks"], 4)


def test_bad_names_write_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnknownDomain, match="toy_rental"):
        generate_corpus(["toy_rentals"], 2, tmp_path / "a", paths=[TOYS], trust=True)
    with pytest.raises(UsageError, match="not trusted"):
        generate_corpus(["toy_rental"], 2, tmp_path / "a", paths=[TOYS])
    with pytest.raises(UsageError, match="ees-cross"):
        generate_corpus(
            ["toy_rental"], 2, tmp_path / "a", source="ees-cross", paths=[TOYS], trust=True
        )
    assert not (tmp_path / "a").exists()


def test_shares_of_several_domains(tmp_path: Path) -> None:
    """Five tasks over two domains: three and two."""
    summary = generate_corpus(
        ["toy_rental", "toy_shelf"], 5, tmp_path / "a", paths=[TOYS], trust=True
    )
    assert summary.to_json()["domains"] == {"toy_rental": 3, "toy_shelf": 2}
