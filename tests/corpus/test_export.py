"""Export: what is let through, what is left out and why, and which file is never overwritten."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from davinci_env.corpus import export
from davinci_env.errors import OutputError, RecordError
from davinci_env.records import (
    AssistantMessage,
    Function,
    FunctionTool,
    Model,
    ToolMessage,
    UserMessage,
    Verdict,
    to_line,
)
from tests.records import samples

LOAD = """
import json, sys
from datasets import load_dataset
rows = load_dataset("json", data_files=sys.argv[1], split="train", cache_dir=sys.argv[2])
json.dump([rows[index] for index in range(len(rows))], sys.stdout)
"""


def write(folder: Path, *records: Model, name: str = "trajectories.jsonl") -> Path:
    path = folder / name
    path.write_bytes(b"".join(map(to_line, records)))
    return path


def rows(path: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def failed(**changes: Any) -> Model:
    return samples.trajectory(verdict=Verdict(passed=False, requirements=()), **changes)


def test_only_what_passed_and_can_be_learned_is_exported(tmp_path: Path) -> None:
    silent = samples.trajectory().messages[:4]
    source = write(
        tmp_path,
        samples.trajectory(),
        failed(),
        failed(benchmark="tau2"),
        samples.trajectory(benchmark="tau2"),
        samples.trajectory(messages=silent),
        samples.trajectory(id="7" * 32),
    )
    summary = export(source, "trl", tmp_path / "sft.jsonl")
    made = [row["meta"]["trajectory_id"] for row in rows(tmp_path / "sft.jsonl")]
    assert made == ["1" * 32, "7" * 32]
    assert summary.passed
    assert summary.to_json() == {
        "source": str(source),
        "out": str(tmp_path / "sft.jsonl"),
        "format": "trl",
        "shape": "sft",
        "rows": 2,
        "unlearned_messages": 2,
        "skipped": {"benchmark": 2, "not-passed": 1, "nothing-to-learn": 1},
        "problems": [],
    }


def test_benchmarks_are_exported_when_asked_for(tmp_path: Path) -> None:
    source = write(tmp_path, samples.trajectory(benchmark="tau2"), failed(benchmark="tau2"))
    refused = export(source, "trl", tmp_path / "a.jsonl")
    assert (refused.rows, refused.skipped, refused.passed) == (0, {"benchmark": 2}, False)
    allowed = export(source, "trl", tmp_path / "b.jsonl", include_benchmark=True)
    assert (allowed.rows, allowed.skipped, allowed.passed) == (1, {"not-passed": 1}, True)
    assert rows(tmp_path / "b.jsonl")[0]["meta"]["benchmark"] == "tau2"


def test_preferences_become_pairs(tmp_path: Path) -> None:
    pair = samples.preference()
    source = write(
        tmp_path,
        pair,
        samples.preference(rejected=pair.chosen),
        samples.preference(benchmark="tau2"),
        name="preferences.jsonl",
    )
    summary = export(source, "openai", tmp_path / "dpo.jsonl")
    assert (summary.shape, summary.rows) == ("preference", 1)
    assert summary.skipped == {"benchmark": 1, "no-difference": 1}
    assert list(rows(tmp_path / "dpo.jsonl")[0]) == [
        "input",
        "preferred_output",
        "non_preferred_output",
    ]


def test_a_folder_stands_for_its_trajectories_or_else_its_pairs(tmp_path: Path) -> None:
    write(tmp_path, samples.preference(), name="preferences.jsonl")
    assert export(tmp_path, "trl", tmp_path / "out" / "a.jsonl").shape == "preference"
    write(tmp_path, samples.trajectory())
    assert export(tmp_path, "trl", tmp_path / "out" / "b.jsonl").shape == "sft"


def test_damaged_lines_are_listed_and_the_good_ones_kept(tmp_path: Path) -> None:
    good = to_line(samples.trajectory())
    source = tmp_path / "trajectories.jsonl"
    source.write_bytes(b"oops\n" + good + to_line(samples.task()) + good + good[:99])
    summary = export(source, "trl", tmp_path / "sft.jsonl")
    assert len(rows(tmp_path / "sft.jsonl")) == summary.rows == 2
    assert [(problem.line, problem.kind) for problem in summary.problems] == [
        (1, "not-json"),
        (3, "foreign"),
        (5, "truncated"),
    ]
    assert not summary.passed
    assert summary.to_json()["problems"][1]["line"] == 3


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "holds no trajectory and no preference"),
        (b'{"prompt":"hi"}\n', "holds no trajectory and no preference"),
        (b'{"schema":"davinci/trajectory@9"}\n', "holds no trajectory and no preference"),
        (to_line(samples.task()), "holds tasks, and only trajectories"),
    ],
)
def test_a_source_without_anything_to_export(tmp_path: Path, data: bytes, sentence: str) -> None:
    (tmp_path / "source.jsonl").write_bytes(data)
    with pytest.raises(RecordError, match=sentence):
        export(tmp_path / "source.jsonl", "trl", tmp_path / "out.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["source.jsonl"]


def test_a_source_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there is no such file"):
        export(tmp_path / "absent", "trl", tmp_path / "out.jsonl")
    with pytest.raises(RecordError, match="holds neither"):
        export(tmp_path, "trl", tmp_path / "out.jsonl")


def test_another_file_is_overwritten_by_force_alone(tmp_path: Path) -> None:
    source, out = write(tmp_path, samples.trajectory()), tmp_path / "sft.jsonl"
    export(source, "trl", out)
    before = out.stat().st_mtime_ns
    export(source, "trl", out)  # the very same rows: left as they are
    assert out.stat().st_mtime_ns == before
    with pytest.raises(OutputError, match=r"holds something else.*--force"):
        export(source, "openai", out)
    assert "meta" in rows(out)[0]
    export(source, "openai", out, force=True)
    assert "meta" not in rows(out)[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sft.jsonl", "trajectories.jsonl"]


def test_the_source_is_never_overwritten(tmp_path: Path) -> None:
    source = write(tmp_path, samples.trajectory())
    before = source.read_bytes()
    with pytest.raises(OutputError, match="is what is being exported"):
        export(tmp_path, "trl", source, force=True)
    assert source.read_bytes() == before


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    source = write(tmp_path, samples.trajectory())
    for out in (source / "below.jsonl", tmp_path):
        with pytest.raises(OutputError, match="cannot write to"):
            export(source, "trl", out, force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["trajectories.jsonl"]


def varied(number: int) -> Model:
    """A trajectory whose arguments, parameters and optional keys differ from the next one's."""
    arguments = [
        {"amount": 5, "when": "2026-03-16", "note": None},
        {"amount": "5", "when": None, "items": [[1, 2], ["a", None], []]},
        {"amount": 5.5, "flag": True, "deep": {"a": [{"b": None}, {}], "é": "日本 😀"}},
        {},
        {"n": 2**60, "f": 1.0, "empty": [], "mixed": [1, "1", None, {"x": [True]}]},
    ][number % 5]
    base = samples.trajectory()
    said = AssistantMessage(
        role="assistant",
        content="" if number % 2 else "Ünïcödé “quotes”\n\ttabs \u2028",
        tool_calls=(samples.call(1, f"tool_{number % 3}", **arguments),) * (1 + number % 2),
    )
    answer = ToolMessage(role="tool", tool_call_id="call_1", name="tool", content='{"a":null}')
    tool = FunctionTool(
        function=Function(
            name=f"tool_{number % 3}",
            description="",
            parameters={"type": "object", "properties": {f"p{number}": {"enum": [1, "a", None]}}},
        )
    )
    plain = (UserMessage(role="user", content="Hi"), said, answer)
    return samples.trajectory(
        id=f"{number:032}",
        messages=plain if number % 4 else base.messages,
        tools=(tool,) if number % 3 else (),
        world=samples.world(version=number if number % 2 else f"v{number}"),
        benchmark="b" if number % 7 == 0 else None,
    )


def alike(number: int) -> Model:
    """A trajectory like all the others, but for 100 kB of talk."""
    talk = (*samples.trajectory().messages, UserMessage(role="user", content="bye " * 25_000))
    return samples.trajectory(id=f"{number:032}", messages=talk[:2] + talk[-4:])


@pytest.mark.parametrize("format", ["trl", "openai"])
@pytest.mark.parametrize(
    "records",
    [
        pytest.param([varied(number) for number in range(40)], id="all-differ"),
        # The loader takes 10 MB at a time, and its types from the first of these.
        pytest.param(
            [alike(number) for number in range(110)] + [varied(number) for number in range(15)],
            id="differ-late",
        ),
    ],
)
def test_datasets_opens_an_export_with_nothing_added_or_lost(
    tmp_path: Path, format: str, records: list[Model]
) -> None:
    source = write(tmp_path, *records)
    out = tmp_path / "sft.jsonl"
    assert export(source, format, out, include_benchmark=True).rows == len(records)
    offline = {
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(tmp_path / "home"),
        "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(out), str(tmp_path / "cache")],
        env={**os.environ, **offline},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = orjson.loads(done.stdout)
    written = rows(out)
    assert len(loaded) == len(written) == len(records)
    for one, other in zip(loaded, written, strict=True):
        # As JSON text, because 1 == 1.0 == True in Python.
        assert orjson.dumps(one, option=orjson.OPT_SORT_KEYS) == orjson.dumps(
            other, option=orjson.OPT_SORT_KEYS
        )
