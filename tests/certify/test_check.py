"""Checking a suite: certificates made again from the records alone, nothing taken for granted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from davinci_env.certify import check_suite
from davinci_env.domain import loader
from davinci_env.errors import RecordError, SuiteVersionError, UnknownDomain
from davinci_env.records import Task, read_jsonl, to_line
from davinci_env.tasks import generate_suite
from tests.support.toy_desk import TOYS

N = 7


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The lines of a small suite."""
    out = tmp_path_factory.mktemp("suite") / "tasks.jsonl"
    assert generate_suite(["toy_rental"], N, out, 8, paths=[TOYS], trust=True).passed
    return out.read_bytes().splitlines(keepends=True)


def check(path: Path, folder: Path = TOYS, **more: Any) -> Any:
    return check_suite(path, paths=[folder], trust=True, **more)


@pytest.fixture
def suite(lines: list[bytes], tmp_path: Path) -> Path:
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(b"".join(lines))
    return path


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_certificate_holds_again(suite: Path, jobs: int) -> None:
    before = suite.read_bytes()
    told: list[tuple[int, int, str]] = []
    summary = check(suite, jobs=jobs, progress=lambda *args: told.append(args))
    assert summary.passed
    assert summary.to_json()["certified"] == summary.to_json()["tasks"] == N
    assert told[-1] == (N, N, "toy_rental")
    assert suite.read_bytes() == before


def edited(lines: list[bytes], suite: Path, edit: Callable[[dict[str, Any]], Any]) -> Any:
    """The summary after an edit of the first line, with its id made to fit if the edit says so."""
    row = orjson.loads(lines[0])
    edit(row)
    suite.write_bytes(orjson.dumps(row) + b"\n" + b"".join(lines[1:]))
    return check(suite)


EDITS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "text": lambda row: row["request"].update(text="Hello, do nothing."),
    "kind": lambda row: row.update(kind="clarify" if row["kind"] != "clarify" else "act"),
    "actor": lambda row: row.update(actor="P-02" if row["actor"] != "P-02" else "P-03"),
    "requirement": lambda row: row["requirements"].pop(),
    "goal": lambda row: row["goals"].append([]),
    "snapshot": lambda row: row["world"].update(snapshot="0" * 64),
    "seed": lambda row: row["world"].update(seed=row["world"]["seed"] + 1),
    "clock": lambda row: row["world"].update(
        start_changes={"rows": [], "counters": {}, "now": "2030-01-01T00:00:00"}
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_task_is_reported(lines: list[bytes], suite: Path, name: str) -> None:
    summary = edited(lines, suite, EDITS[name])
    assert not summary.passed
    (failed,) = summary.failed
    assert failed["task"] == orjson.loads(lines[0])["id"]
    assert failed["reason"].startswith("edited")
    assert summary.to_json()["certified"] == N - 1


def forged(row: dict[str, Any]) -> None:
    """Give an edited task the id that its content has."""
    row["id"] = Task.model_validate_json(orjson.dumps(row)).asked_id


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda row: row.update(solution=[]), "golden-fails"),
        (lambda row: row["world"].update(snapshot="0" * 64), "the start state is another"),
        (lambda row: row.update(actor="P-77"), "its start can't be reached"),
        (lambda row: row["world"].update(start_changes={"rows": []}), "its start can't be reached"),
        (lambda row: row["request"].update(text="Hello."), "text-lacks-value"),
        (lambda row: row["goals"].append([{"tool": "take_back", "arguments": {}}]), "defect: "),
    ],
)
def test_a_forged_task_fails_by_what_it_does(
    lines: list[bytes], suite: Path, edit: Callable[[Any], Any], reason: str
) -> None:
    """The id alone proves nothing: the claims are shown again."""
    summary = edited(lines, suite, lambda row: (edit(row), forged(row)))
    assert [f["reason"][: len(reason)] for f in summary.failed] == [reason]


def test_a_certificate_is_not_believed(lines: list[bytes], suite: Path) -> None:
    """A stored certificate is no proof: without it, or with nonsense in it, all is shown anew."""
    assert edited(lines, suite, lambda row: row.update(certificate=None)).passed
    assert edited(lines, suite, lambda row: row.update(certificate={"sound": "trust me"})).passed


def test_bad_lines_are_reported_and_good_ones_checked(lines: list[bytes], suite: Path) -> None:
    suite.write_bytes(lines[0] + b"{}\n" + lines[1] + lines[2][:100])
    summary = check(suite)
    assert not summary.passed
    assert summary.to_json()["certified"] == 2
    assert [(p.line, p.kind) for p in summary.problems] == [(2, "foreign"), (4, "truncated")]


def test_nothing_to_check(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"\n")
    with pytest.raises(RecordError, match="no task"):
        check(tmp_path / "empty.jsonl")
    with pytest.raises(RecordError, match="no such file"):
        check(tmp_path / "none.jsonl")


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The domain's next version: 400 cents block where 500 did."""
    folder = tmp_path / "newer"
    folder.mkdir()
    source = (TOYS / "toy_rental.py").read_text()
    source = source.replace("version=1,", "version=2,").replace(
        "= 2, 500, 3, 14", "= 2, 400, 3, 14"
    )
    (folder / "toy_rental.py").write_text(source)
    monkeypatch.setattr(loader, "_loaded", dict(loader._loaded))
    return folder


def test_another_version_is_an_error_with_its_remedy(suite: Path, newer: Path) -> None:
    before = suite.read_bytes()
    with pytest.raises(SuiteVersionError, match=r"toy_rental 1 .*toy_rental 2 .*--update"):
        check(suite, newer)
    assert suite.read_bytes() == before
    with pytest.raises(UnknownDomain):
        check_suite(suite)


def test_update_certifies_for_the_present_version(suite: Path, newer: Path) -> None:
    before = read_jsonl(suite, Task).records
    summary = check(suite, newer, update=True)
    assert summary.updated
    after = read_jsonl(suite, Task).records
    assert len(after) == N - len(summary.failed)
    assert len(after) >= N - 2  # 400 cents block where 500 did: that may touch a denial
    assert {task.world.version for task in after} == {2}
    assert {task.id for task in after}.isdisjoint(task.id for task in before)
    assert all(task.asked_id == task.id for task in after)
    assert check(suite, newer).passed
    assert not list(suite.parent.glob("*.part"))


def test_update_of_what_is_up_to_date_changes_no_byte(suite: Path, lines: list[bytes]) -> None:
    assert check(suite, update=True).passed
    assert suite.read_bytes() == b"".join(lines)


def test_update_never_empties_a_file(lines: list[bytes], suite: Path) -> None:
    row = orjson.loads(lines[0])
    row["solution"] = []
    suite.write_bytes(orjson.dumps(row) + b"\n")
    before = suite.read_bytes()
    summary = check(suite, update=True)
    assert (summary.passed, summary.updated) == (False, False)
    assert suite.read_bytes() == before


def test_records_alone_are_enough(lines: list[bytes], suite: Path) -> None:
    """Read, written, read again: the same bytes, and the same certificate in each."""
    records = read_jsonl(suite, Task).records
    assert [to_line(task) for task in records] == lines
    summary = check(suite, update=True)
    assert [task.certificate for task in read_jsonl(suite, Task).records] == [
        task.certificate for task in records
    ]
    assert summary.passed
