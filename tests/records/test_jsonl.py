"""Reading damaged, foreign and invalid lines: the good ones are kept, the bad ones named."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from davinci_env.errors import RecordError
from davinci_env.records import (
    Preference,
    Problem,
    Task,
    Trajectory,
    read_jsonl,
    schema_of,
    to_line,
)
from tests.records import samples

GOOD = to_line(samples.task())


def write(folder: Path, data: bytes) -> Path:
    path = folder / "tasks.jsonl"
    path.write_bytes(data)
    return path


def edited(**changes: Any) -> bytes:
    return orjson.dumps({**orjson.loads(GOOD), **changes}) + b"\n"


@pytest.mark.parametrize(
    ("bad", "kind", "message"),
    [
        (b"{oops}\n", "not-json", "This is not JSON ("),
        (b'{"a":"\xff"}\n', "not-json", "This is not JSON ("),
        (b"[1]\n", "foreign", "This has no schema id; davinci/task@1 was expected."),
        (b'{"prompt":"hi"}\n', "foreign", "This has no schema id; davinci/task@1 was expected."),
        (
            to_line(samples.trajectory()),
            "foreign",
            "This is a davinci/trajectory@1; davinci/task@1 was expected.",
        ),
        (
            edited(schema="davinci/task@2"),
            "version",
            "This version of davinci-env does not know davinci/task@2, it reads davinci/task@1.",
        ),
        (edited(kind="dance"), "invalid", "kind: Input should be 'act', 'ask',"),
        (edited(mood=1), "invalid", "mood: Extra inputs are not permitted."),
        (edited(actor=7, kind=None), "invalid", "kind: Input should be "),
    ],
)
def test_a_bad_line_costs_one_line(tmp_path: Path, bad: bytes, kind: str, message: str) -> None:
    reading = read_jsonl(write(tmp_path, GOOD + b"\n" + bad + GOOD), Task)
    assert reading.records == (samples.task(), samples.task())
    (problem,) = reading.problems
    assert (problem.line, problem.kind) == (3, kind)
    assert problem.message.startswith(message)
    assert problem.message.endswith(".")
    assert "\n" not in problem.message


def test_further_findings_are_counted(tmp_path: Path) -> None:
    (problem,) = read_jsonl(write(tmp_path, edited(actor=7, kind=None)), Task).problems
    assert problem.message.endswith(" (and 1 more).")
    assert str(problem) == f"line 1: {problem.message}"
    assert problem.to_json() == {"line": 1, "kind": "invalid", "message": problem.message}


def test_a_file_that_breaks_off_says_so(tmp_path: Path) -> None:
    for length in (1, 40, len(GOOD) - 2):
        reading = read_jsonl(write(tmp_path, GOOD + GOOD[:length]), Task)
        assert len(reading.records) == 1
        expected = "The file breaks off in the middle of this line."
        assert reading.problems == (Problem(2, "truncated", expected),)


def test_a_missing_last_newline_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    reading = read_jsonl(write(tmp_path, b"\xef\xbb\xbf" + GOOD + GOOD.rstrip()), Task)
    assert len(reading.records) == 2
    assert reading.problems == ()


@pytest.mark.parametrize(
    "changes",
    [{"tools": "abc"}, {"actor": 1}, {"world": {**orjson.loads(GOOD)["world"], "seed": "3"}}],
)
def test_values_are_not_bent_into_shape(tmp_path: Path, changes: dict[str, Any]) -> None:
    assert len(read_jsonl(write(tmp_path, edited(**changes)), Task).problems) == 1


def test_numbers_beyond_64_bits_survive(tmp_path: Path) -> None:
    record = samples.task(answer={"n": 2**70})
    (again,) = read_jsonl(write(tmp_path, to_line(record)), Task).records
    assert again.answer == {"n": 2**70}


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"absent\.jsonl: there is no such file"):
        read_jsonl(tmp_path / "absent.jsonl", Task)
    with pytest.raises(RecordError, match="cannot be read"):
        read_jsonl(tmp_path, Task)


def test_which_kind_a_file_holds(tmp_path: Path) -> None:
    assert schema_of(write(tmp_path, b"{oops}\n[]\n" + GOOD)) == "davinci/task@1"
    assert schema_of(write(tmp_path, b'{"schema":"davinci/task@9"}\n')) is None
    assert schema_of(write(tmp_path, b"")) is None


def test_all_kinds_are_read(tmp_path: Path) -> None:
    trajectory, preference = samples.trajectory(), samples.preference()
    path = write(tmp_path, to_line(trajectory))
    assert read_jsonl(path, Trajectory).records == (trajectory,)
    path = write(tmp_path, to_line(preference))
    assert read_jsonl(path, Preference).records == (preference,)
