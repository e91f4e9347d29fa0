"""How commands end: one sentence on stderr, the right status, nothing on stdout, no traceback."""

import errno
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from davinci_env.cli.outlet import writable_file, writable_folder
from davinci_env.errors import (
    DavinciError,
    MissingExtra,
    OutputError,
    RecordError,
    Shortage,
    UnknownDomain,
)
from tests.cli.conftest import Davinci, Room


def raising(error: BaseException) -> Any:
    """A function of any arguments that raises."""

    def fail(*arguments: Any, **options: Any) -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (
            UnknownDomain("libary", ["library"]),
            2,
            "there is no domain 'libary': did you mean 'library'?",
        ),
        (
            MissingExtra("mcp", "serving over MCP"),
            2,
            "serving over MCP needs the extra 'mcp': run `pip install 'davinci-env[mcp]'`.",
        ),
        (Shortage("3 of 5 tasks were found"), 1, "3 of 5 tasks were found."),
        (
            OSError(errno.ENOSPC, "No space left on device", "c/tasks.jsonl"),
            2,
            "c/tasks.jsonl: No space left on device.",
        ),
    ],
)
def test_an_error_is_one_sentence_and_a_status(
    davinci: Davinci, room: Room, error: Exception, status: int, sentence: str
) -> None:
    room("compose", catalogue=raising(error))
    result = davinci("domains", "--json")
    assert result.exit_code == status
    assert result.stdout == ""
    assert result.stderr == f"davinci: {sentence}\n"


def test_a_bug_of_ours_keeps_its_traceback(davinci: Davinci, room: Room) -> None:
    room("compose", catalogue=raising(KeyError("oops")))
    assert isinstance(davinci("domains").exception, KeyError)
    room("compose", catalogue=raising(FileNotFoundError(errno.ENOENT, "gone", "x")))
    assert isinstance(davinci("domains").exception, FileNotFoundError)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["genrate"], "no such command 'genrate': did you mean 'generate'?"),
        (["zzz"], "no such command 'zzz': see `davinci --help`."),
        (["tasks"], "missing option '--out': see `davinci tasks --help`."),
        (
            ["bench", "--jsn"],
            "no such option: --jsn (Possible options: --json): see `davinci bench --help`.",
        ),
        (
            ["check", "no-such-file.jsonl"],
            "invalid value for 'TASKS': file 'no-such-file.jsonl' does not exist: "
            "see `davinci check --help`.",
        ),
    ],
)
def test_wrong_usage_is_one_sentence_that_names_the_help(
    davinci: Davinci, arguments: list[str], sentence: str
) -> None:
    result = davinci(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"davinci: {sentence}\n"


def test_an_interrupt_says_how_to_go_on(davinci: Davinci, room: Room, tmp_path: Path) -> None:
    room("corpus", generate_corpus=raising(KeyboardInterrupt()))
    out = tmp_path / "corpus"
    result = davinci("generate", "--out", out)
    assert result.exit_code == 130
    assert result.stdout == ""
    assert result.stderr == (
        f"davinci: interrupted; what was finished is kept in {out}: "
        "run the same command again to resume.\n"
    )


def test_an_interrupt_of_what_leaves_nothing_says_only_that(davinci: Davinci, room: Room) -> None:
    room("bench", run=raising(KeyboardInterrupt()))
    result = davinci("bench")
    assert (result.exit_code, result.stderr) == (130, "davinci: interrupted.\n")


def test_damaged_records_name_their_line(davinci: Davinci, room: Room, tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_text("{")
    room("certify", check_suite=raising(RecordError("the line is cut off", path=file, line=1)))
    result = davinci("check", file)
    assert result.exit_code == 2
    assert result.stderr == f"davinci: {file}, line 1: the line is cut off.\n"


def test_output_is_checked_before_any_work(davinci: Davinci, room: Room, tmp_path: Path) -> None:
    room("corpus", generate_corpus=raising(AssertionError("worked")))
    blocker = tmp_path / "file"
    blocker.write_text("mine")
    result = davinci("generate", "--out", blocker / "corpus")
    assert result.exit_code == 2
    assert result.stderr == (
        f"davinci: cannot write to --out {blocker / 'corpus'} (not a directory): "
        "choose another place.\n"
    )
    assert blocker.read_text() == "mine"


def test_a_folder_is_no_file_and_a_file_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    with pytest.raises(OutputError, match="is a folder: name a file"):
        writable_file(tmp_path)
    with pytest.raises(OutputError, match="is a file: name a folder"):
        writable_folder(file)
    assert file.read_text() == "mine"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a place that nobody can write")
def test_a_place_that_nobody_can_write_is_refused() -> None:
    with pytest.raises(OutputError, match="cannot write to --out /proc/davinci"):
        writable_folder(Path("/proc/davinci"))
    with pytest.raises(OutputError, match=r"cannot write to --out /proc/davinci\.jsonl"):
        writable_file(Path("/proc/davinci.jsonl"))


def test_checking_the_output_leaves_no_trace(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    file.write_text("one\n")
    before = file.stat().st_mtime_ns
    assert writable_file(file) == file
    assert writable_folder(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    assert writable_file(tmp_path / "a" / "new.jsonl") == tmp_path / "a" / "new.jsonl"
    assert [path.name for path in tmp_path.iterdir()] == ["runs.jsonl"]
    assert (file.read_text(), file.stat().st_mtime_ns) == ("one\n", before)


def test_a_reader_that_leaves_early_is_no_error() -> None:
    code = "from davinci_env.cli import main; import sys; sys.argv[1:] = ['--help']; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""


def test_every_error_of_ours_ends_with_its_own_status(davinci: Davinci, room: Room) -> None:
    class Odd(DavinciError):
        exit_status = 7

    room("compose", catalogue=raising(Odd("odd")))
    assert davinci("domains").exit_code == 7
