"""Suites: exactly as many tasks as asked for, the same bytes each time, and what happens if not."""

import itertools
import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from davinci_env.domain import loader
from davinci_env.errors import OutputError, UnknownDomain, UntrustedDomain, UsageError
from davinci_env.records import Task, read_jsonl, to_line
from davinci_env.tasks import SuiteSummary, generate_suite
from tests.support.toy_desk import TOYS

N = 13


def generate(
    out: Path, names: Any = ("toy_rental",), n: int = N, seed: int = 2, jobs: int = 1, **more: Any
) -> SuiteSummary:
    """A suite of the test domains."""
    return generate_suite(list(names), n, out, seed, jobs, paths=[TOYS], trust=True, **more)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished suite, not to be touched."""
    out = tmp_path_factory.mktemp("suite") / "tasks.jsonl"
    assert generate(out).passed
    return out


def tasks(path: Path) -> tuple[Task, ...]:
    reading = read_jsonl(path, Task)
    assert reading.problems == ()
    return reading.records


def copied(suite: Path, folder: Path) -> Path:
    """The suite with what stands beside it, elsewhere."""
    for path in suite.parent.iterdir():
        shutil.copy2(path, folder / path.name)
    return folder / suite.name


def test_a_suite_has_exactly_n_tasks_in_their_shares(suite: Path) -> None:
    found = tasks(suite)
    assert Counter(task.kind for task in found) == {
        "act": 5, "ask": 2, "act+ask": 2, "deny": 2, "clarify": 1, "missing-tool": 1,
    }  # fmt: skip
    assert len({task.id for task in found}) == N
    assert all(task.certificate and task.asked_id == task.id for task in found)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
def test_any_number_can_be_had(n: int, tmp_path: Path) -> None:
    out = tmp_path / "tasks.jsonl"
    assert generate(out, n=n).passed
    kinds = Counter(task.kind for task in tasks(out))
    assert kinds.total() == n
    assert max(kinds.values()) <= 0.4 * n or n < 4


def test_twins_stand_together_and_share_their_words(suite: Path) -> None:
    found = tasks(suite)
    pairs = [
        (a, b)
        for a, b in itertools.pairwise(found)
        if a.kind in ("deny", "clarify") and b.kind == "act"
    ]
    assert len(pairs) == 3
    for task, twin in pairs:
        assert task.request.user.style["pair"] == twin.request.user.style["pair"]
        assert task.actor == twin.actor
        assert task.world.snapshot == twin.world.snapshot
        told, asked = (t.request.intents[0]["do"] for t in (task, twin))
        assert told == asked


def test_the_same_seed_gives_the_same_bytes(suite: Path, tmp_path: Path) -> None:
    generate(tmp_path / "tasks.jsonl", jobs=2)
    for path in suite.parent.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
    generate(tmp_path / "other.jsonl", n=3, seed=3)
    assert {t.id for t in tasks(tmp_path / "other.jsonl")}.isdisjoint(t.id for t in tasks(suite))


def test_records_survive_their_lines(suite: Path) -> None:
    lines = suite.read_bytes().splitlines(keepends=True)
    assert [to_line(task) for task in tasks(suite)] == lines


def test_a_run_that_was_killed_anywhere_goes_on(suite: Path, tmp_path: Path) -> None:
    """The journal cut at ten places, as a kill leaves it, with a file that is a little ahead."""
    half = tmp_path / "half"
    half.mkdir()
    out = half / "tasks.jsonl"
    with pytest.raises(KeyboardInterrupt):
        generate(out, progress=_stop_after(9))
    journal = half / "tasks.jsonl.journal.jsonl"
    written, logged = out.read_bytes(), journal.read_bytes()
    head = logged.index(b"\n") + 1
    draw = random.Random(1)
    for _ in range(10):
        journal.write_bytes(logged[: draw.randrange(head, len(logged) + 1)])
        out.write_bytes(written + b'{"schema":"davinci/ta' * draw.randrange(2))
        assert generate(out).passed
        for path in suite.parent.iterdir():
            assert (half / path.name).read_bytes() == path.read_bytes()
        (half / "tasks.jsonl.manifest.json").unlink()


def _stop_after(count: int) -> Any:
    def progress(done: int, wanted: int, note: str) -> None:
        if done >= count:
            raise KeyboardInterrupt

    return progress


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    generate(tmp_path / "tasks.jsonl", n=3, progress=lambda *args: told.append(args))
    assert [wanted for _, wanted, _ in told] == [3] * len(told)
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert told[-1] == (3, 3, "toy_rental")


def test_a_finished_suite_is_left_alone(suite: Path, tmp_path: Path) -> None:
    out = copied(suite, tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    again = generate(out)
    assert again.passed
    assert again.to_json()["tasks"] == N
    for other in ({"n": 4}, {"seed": 9}, {"kinds": ["act"]}, {"names": ["toy_shelf"]}):
        with pytest.raises(OutputError, match=r"another command.*--force"):
            generate(out, **other)  # type: ignore[arg-type]
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before
    assert generate(out, n=1, force=True).passed
    assert len(tasks(out)) == 1


def test_only_some_kinds(tmp_path: Path) -> None:
    assert generate(tmp_path / "a.jsonl", n=2, kinds=["ask"]).passed
    assert [task.kind for task in tasks(tmp_path / "a.jsonl")] == ["ask", "ask"]
    assert generate(tmp_path / "b.jsonl", n=3, kinds=["deny", "ask"]).passed
    assert sorted(task.kind for task in tasks(tmp_path / "b.jsonl")) == ["act", "ask", "deny"]


def test_bad_wishes_write_nothing(tmp_path: Path) -> None:
    out = tmp_path / "sub" / "tasks.jsonl"
    with pytest.raises(UsageError, match=r"no kind 'denial'.*deny"):
        generate(out, kinds=["denial"])
    with pytest.raises(UsageError, match=r"--n 3 can't be reached with deny alone.*even"):
        generate(out, n=3, kinds=["deny"])
    with pytest.raises(UnknownDomain, match="'toy_rental'"):
        generate(out, ["toy_rent"])
    with pytest.raises(UntrustedDomain, match="--trust"):
        generate_suite(["toy_rental"], 2, out, paths=[TOYS])
    assert not out.parent.exists()


def test_more_than_a_domain_can_give(tmp_path: Path) -> None:
    """The shelf has no rules: what can be denied elsewhere is kept, and the summary says why."""
    out = tmp_path / "tasks.jsonl"
    summary = generate(out, ["toy_rental", "toy_shelf"], n=2, kinds=["deny"])
    assert not summary.passed
    assert sorted(task.kind for task in tasks(out)) == ["act", "deny"]
    said = summary.to_json()
    assert (said["wanted"], said["tasks"]) == (4, 2)
    assert said["domains"] == {"toy_rental": 2, "toy_shelf": 0}
    assert said["draws_without_candidate"]["no rule forbids anything alone"] >= 12 * 16
    assert said["rejection_rate"] == 0
    # it is finished: running it again gives the same, at once
    assert generate(out, ["toy_rental", "toy_shelf"], n=2, kinds=["deny"]).to_json() == said


def test_a_domain_that_lacks_some_kinds_gives_others(tmp_path: Path) -> None:
    summary = generate(tmp_path / "tasks.jsonl", ["toy_shelf"], n=5)
    assert summary.passed
    assert set(summary.to_json()["kinds"]) <= {"act", "clarify", "ask", "act+ask", "missing-tool"}


def test_the_command_line_ends_with_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shipped catalogue of the two test domains stands in for ours."""
    from davinci_env.cli.app import app

    monkeypatch.setattr(loader, "shipped_root", lambda: TOYS)
    out = tmp_path / "tasks.jsonl"
    options = ["--n", "2", "--kind", "deny", "--out", str(out), "--jobs", "1"]
    result = CliRunner().invoke(app, ["tasks", "toy_shelf", "toy_rental", *options, "--json"])
    assert result.exit_code == 1, result.output
    said = orjson.loads(result.stdout)
    assert (said["wanted"], said["tasks"]) == (4, 2)
    assert len(tasks(out)) == 2
    result = CliRunner().invoke(app, ["tasks", "toy_rental", *options])
    assert result.exit_code == 2
    assert "--force" in result.output
