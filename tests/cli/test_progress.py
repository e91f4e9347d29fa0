"""Progress goes to stderr: a bar for a terminal, a few lines for a log, nothing to stdout."""

import io
import sys

import pytest

from davinci_env.cli import progress as module
from davinci_env.cli.progress import progress


def test_a_log_gets_the_last_line_only_when_work_is_quick(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress("Certifying tasks") as step:
        for done in range(1, 51):
            step(done, 50, "")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "Certifying tasks: 50/50\n"


def test_a_log_gets_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter([0.0, 1.0, 6.0, 7.0, 12.0])
    monkeypatch.setattr(module.time, "monotonic", lambda: next(now))
    with progress("Running") as step:
        step(1, 9, "")  # 1 s: too soon
        step(2, 9, "library")  # 6 s
        step(3, 9, "")  # 7 s: a second after the last line
        step(4, 9, "")  # 12 s
    assert capsys.readouterr().err == "Running: 2/9, library\nRunning: 4/9\n"


def test_a_terminal_gets_a_bar_that_goes_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress("Running") as step:
        step(2, 4, "library")
    assert capsys.readouterr().out == ""
    assert "Running" in terminal.getvalue()
    assert "2/4" in terminal.getvalue()
