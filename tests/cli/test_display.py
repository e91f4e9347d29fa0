"""How anything is printed: JSON for programs, tables for people, Markdown at a terminal."""

import io
import json
import sys

import pytest

from davinci_env.cli import display


def lines(text: str) -> list[str]:
    """The lines of a text, without rules."""
    return [line for line in text.splitlines() if line.strip(" ─")]


def test_json_is_the_value_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"rate": 0.954321, "by_kind": {"act": 100}, "failures": [{"why": "[note]"}], "none": {}}
    display.print_json(value)
    captured = capsys.readouterr()
    assert json.loads(captured.out) == value
    assert captured.err == ""


def test_json_keeps_letters_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    display.print_json({"name": "Zoë"})
    assert capsys.readouterr().out == '{\n  "name": "Zoë"\n}\n'


def test_a_table_sets_numbers_and_rates_flush_right(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("library", 1234, "80 %", "[note]"), ("clinic", None, "9.5 %", "")]
    display.table(["name", "tasks", "rate", "remark"], rows, title="Tasks")
    assert lines(capsys.readouterr().out) == [
        "Tasks",
        " name      tasks    rate   remark",
        " library   1,234    80 %   [note]",
        " clinic        –   9.5 %",
    ]


def test_a_total_is_set_off_by_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    display.table(["name", "tasks"], [("library", 2), ("clinic", 3), ("all", 5)], total=True)
    printed = capsys.readouterr().out.rstrip().splitlines()
    assert set(printed[-2]) == {" ", "─"}
    assert printed[-1] == " all           5"


def test_facts_stand_under_their_title(capsys: pytest.CaptureFixture[str]) -> None:
    display.facts([("tasks", 330), ("solved by the expert", "100 %")], title="Corpus in c")
    assert capsys.readouterr().out == (
        "Corpus in c\n  tasks                 330\n  solved by the expert  100 %\n\n"
    )


def test_a_long_text_is_folded_not_cut(capsys: pytest.CaptureFixture[str]) -> None:
    words = " ".join(f"word{number}" for number in range(60))
    display.table(["name", "text"], [("one", words)])
    display.facts([("text", words)])
    printed = capsys.readouterr().out
    assert all(printed.count(f"word{number}") >= 2 for number in range(60))
    assert max(map(len, printed.splitlines())) <= display.PIPE_WIDTH


def test_what_is_piped_has_no_trailing_blanks(capsys: pytest.CaptureFixture[str]) -> None:
    display.table(["name", "text"], [("one", "a"), ("two", "a longer one")], title="Title")
    printed = capsys.readouterr().out
    assert [line for line in printed.splitlines() if line != line.rstrip()] == []
    assert "\x1b" not in printed


def test_a_document_is_printed_as_it_is_and_laid_out_at_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "# Policy\n\nOnly **once** a day."
    display.document(text)
    assert capsys.readouterr().out == f"{text}\n"

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", terminal)
    display.document(text)
    assert "Policy" in terminal.getvalue()
    assert "**" not in terminal.getvalue()


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
    display.facts([("value", value)])
    assert capsys.readouterr().out == f"  value  {shown}\n\n"
