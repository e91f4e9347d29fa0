"""Results: JSON alone for programs, tables after the result's shape for people."""

import json

import pytest

from davinci_env.cli import display

RESULT = {
    "trajectories": 1313,
    "rate": 0.954321,
    "finished": True,
    "by_kind": {"act": 100, "ask": 20},
    "table": {"library": {"act": 60, "ask": 7}, "clinic": {"act": 40, "deny": 13}},
    "failures": [{"requirement": "frame", "count": 2, "why": "[note]"}],
    "survivors": ["drop_guard:12"],
    "empty": {},
}


def lines(text: str) -> list[list[str]]:
    """The words of each line that has any."""
    return [line.split() for line in text.splitlines() if line.strip(" ─")]


def test_json_is_the_result_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    display.show(RESULT, as_json=True, title="Corpus")
    captured = capsys.readouterr()
    assert json.loads(captured.out) == RESULT
    assert captured.err == ""


def test_json_keeps_letters_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    display.print_json({"name": "Zoë"})
    assert capsys.readouterr().out == '{\n  "name": "Zoë"\n}\n'


def test_each_shape_has_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    display.show(RESULT, as_json=False, title="Corpus in corpus")
    assert lines(capsys.readouterr().out) == [
        ["Corpus", "in", "corpus"],
        ["trajectories", "1,313"],
        ["rate", "0.954"],
        ["finished", "yes"],
        ["by", "kind"],
        ["act", "100"],
        ["ask", "20"],
        ["table"],
        ["act", "ask", "deny"],
        ["library", "60", "7"],
        ["clinic", "40", "13"],
        ["failures"],
        ["requirement", "count", "why"],
        ["frame", "2", "[note]"],
        ["survivors"],
        ["drop_guard:12"],
    ]


def test_a_long_text_is_folded_not_cut(capsys: pytest.CaptureFixture[str]) -> None:
    words = " ".join(f"word{number}" for number in range(60))
    display.table(["name", "text"], [("one", words)])
    printed = capsys.readouterr().out
    assert all(f"word{number}" in printed for number in range(60))
    assert max(map(len, printed.splitlines())) <= display.PIPE_WIDTH


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (False, "no"),
        (12345, "12,345"),
        (0.5, "0.5"),
        (2.71828, "2.72"),
        (123456.7, "123,457"),
        (["a", 1], "a, 1"),
        ({"wrong_owner": 3}, "wrong owner 3"),
    ],
)
def test_values_are_shown_as_people_read_them(
    capsys: pytest.CaptureFixture[str], value: object, shown: str
) -> None:
    display.table(["value"], [(value,)], header=False)
    assert capsys.readouterr().out.strip() == shown
