"""One golden file for each export format: read by hand once, compared byte by byte ever after."""

from pathlib import Path

import orjson
import pytest

from davinci_env.corpus import FORMATS, converter_for
from davinci_env.errors import UsageError
from davinci_env.records import to_line
from tests.records import samples

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", FORMATS)
def test_rows_are_those_of_the_golden_file(name: str) -> None:
    converter = converter_for(name)
    made = [converter.sft(samples.trajectory()), converter.preference(samples.preference())]
    assert b"".join(map(to_line, made)) == (GOLDEN / f"{name}.jsonl").read_bytes()


def test_every_golden_file_has_its_format() -> None:
    assert sorted(path.stem for path in GOLDEN.iterdir()) == sorted(FORMATS)


def test_openai_says_when_calls_are_parallel() -> None:
    converter = converter_for("openai")
    messages = samples.trajectory().messages
    assert converter.sft(samples.trajectory())["parallel_tool_calls"] is True
    single = samples.trajectory(messages=messages[:4])
    assert converter.sft(single)["parallel_tool_calls"] is False


def test_arguments_are_an_object_for_trl_and_a_string_for_openai() -> None:
    expected = {"loan_id": "LN-00001", "days": 14, "notify": None}
    for name, read in (("trl", dict), ("openai", orjson.loads)):
        row = converter_for(name).sft(samples.trajectory())
        stored = row["messages"][4]["tool_calls"][1]["function"]["arguments"]
        assert read(stored) == expected


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_of_a_pair_carries_a_weight(name: str) -> None:
    """The prefix has a message of weight 0, and a trainer of pairs learns from neither."""
    assert b"weight" not in to_line(converter_for(name).preference(samples.preference()))


def test_an_unknown_format_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="no export format 'TLR': choose 'trl'"):
        converter_for("TLR")
    with pytest.raises(UsageError, match="choose one of trl, openai"):
        converter_for("alpaca")
