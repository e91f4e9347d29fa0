"""Reports: pass rates worked out by hand on a handful of trajectories."""

from pathlib import Path

import pytest

from davinci_env.episodes import report
from davinci_env.errors import RecordError
from davinci_env.records import RequirementVerdict, Trajectory, Verdict, to_line
from tests.records import samples


def attempt(task: str, passed: bool, number: int, kind: str = "act", calls: int = 2) -> Trajectory:
    """One attempt at a task; a failed one fails `state`, and `policy` if its number is odd."""
    wrong = () if passed else ("state", "policy")[: 1 + number % 2]
    requirements = tuple(
        RequirementVerdict(id=name, passed=name not in wrong) for name in ("state", "policy")
    )
    made = samples.trajectory()
    name = {"a": "library_lending", "b": "order_management"}.get(task, "library_lending")
    return made.model_copy(
        update={
            "id": f"{task}{number:02d}".ljust(32, "0"),
            "task_id": task * 32,
            "kind": kind,
            "world": made.world.model_copy(update={"name": name}),
            "usage": {"calls": calls},
            "verdict": Verdict(passed=passed, requirements=requirements),
        }
    )


def written(path: Path, *records: Trajectory) -> Path:
    path.write_bytes(b"".join(map(to_line, records)))
    return path


def test_rates_by_hand(tmp_path: Path) -> None:
    """Task a: 2 of 3 pass; task b: 1 of 3; task c: 3 of 3. Six of nine attempts.

    pass^1 = (2/3 + 1/3 + 1) / 3 = 2/3; pass^2 = (1/3 + 0 + 1) / 3 = 4/9; pass^3 = (0 + 0 + 1) / 3.
    """
    path = written(
        tmp_path / "runs.jsonl",
        attempt("a", True, 0),
        attempt("a", True, 1),
        attempt("a", False, 2, calls=5),
        attempt("b", True, 0, "deny", 4),
        attempt("b", False, 1, "deny", 7),
        attempt("b", False, 3, "deny", 8),
        *[attempt("c", True, n, calls=12) for n in range(3)],
    )
    found = report(path)
    assert (found.episodes, found.tasks) == (9, 3)
    assert found.pass_at_1 == 0.6667
    assert found.pass_hat == {1: 0.6667, 2: 0.4444, 3: 0.3333}
    assert found.by_kind == {"act": 0.8333, "deny": 0.3333}
    assert found.by_domain == {"library_lending": 0.8333, "order_management": 0.3333}
    assert found.by_calls == {"0 to 3 calls": 1.0, "4 to 7 calls": 0.3333, "8 or more calls": 0.75}
    assert found.failures == {"deny: state": 2, "deny: policy": 2, "act: state": 1}
    assert found.passed
    said = found.to_json()
    assert said["pass^k"] == {"1": 0.6667, "2": 0.4444, "3": 0.3333}
    assert said["failed_requirements"] == found.failures


def test_uneven_attempts_count_to_the_fewest(tmp_path: Path) -> None:
    """Task a: 3 of 4; task b: 1 of 2. pass^2 = (3/6 + 0) / 2, and no pass^3."""
    path = written(
        tmp_path / "runs.jsonl",
        *[attempt("a", n > 0, n) for n in range(4)],
        *[attempt("b", n > 0, n) for n in range(2)],
    )
    assert report(path).pass_hat == {1: 0.625, 2: 0.25}
    assert report(path).pass_at_1 == 0.6667  # of six attempts


def test_a_run_folder_will_do(tmp_path: Path) -> None:
    written(tmp_path / "trajectories.jsonl", attempt("a", True, 0))
    assert report(tmp_path).pass_at_1 == 1.0


def test_bad_lines_are_told(tmp_path: Path) -> None:
    path = written(tmp_path / "runs.jsonl", attempt("a", True, 0))
    path.write_bytes(path.read_bytes() + b"{}\n")
    found = report(path)
    assert (found.passed, found.episodes) == (False, 1)
    assert [p["line"] for p in found.to_json()["problems"]] == [2]


def test_nothing_to_add_up(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no such file"):
        report(tmp_path)
    (tmp_path / "trajectories.jsonl").write_bytes(b"")
    with pytest.raises(RecordError, match=r"no trajectory.*davinci run"):
        report(tmp_path)
