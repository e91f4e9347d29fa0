"""`davinci show` of tasks and trajectories, through the real command line."""

import json
from pathlib import Path

import pytest

from davinci_env.records import to_line
from tests.cli.conftest import Davinci
from tests.cli.test_bad_input import refused
from tests.reading import talk
from tests.records import samples

TASK = talk.task()
OTHER = talk.task(actor="MEM-0002")


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a corpus of two tasks and two trajectories."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "tasks.jsonl").write_bytes(to_line(TASK) + to_line(OTHER))
    runs = [talk.trajectory(TASK, id="1" * 32), talk.trajectory(OTHER, id="abcd" * 8)]
    (folder / "trajectories.jsonl").write_bytes(b"".join(map(to_line, runs)))
    return folder


# -- what is meant ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "what",
    [
        ["abcd"],
        ["abcdabcd", "--in", "corpus"],
        ["a", "--in", "corpus/trajectories.jsonl"],
        ["corpus/trajectories.jsonl#2"],
        ["corpus#2"],
    ],
)
def test_a_trajectory_is_shown_by_id_or_place(
    davinci: Davinci, corpus: Path, what: list[str]
) -> None:
    result = davinci("show", *what)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    assert result.stdout.startswith("act+ask in library_lending · failed\n  kind")
    assert f"trajectory  {'abcd' * 8}" in result.stdout
    assert [line for line in result.stdout.splitlines() if line != line.rstrip()] == []
    assert "\x1b" not in result.stdout


def test_a_task_is_shown_by_id_with_the_attempts_at_it(davinci: Davinci, corpus: Path) -> None:
    shown = davinci("show", TASK.id[:12]).stdout
    assert "golden solution ──" in shown
    assert f"attempt  {'1' * 32} expert, failed" in shown


def test_a_file_shows_its_first_record_a_sample_several(davinci: Davinci, corpus: Path) -> None:
    first = davinci("show", "corpus/tasks.jsonl").stdout
    assert TASK.id in first
    assert OTHER.id not in first
    both = davinci("show", "corpus/tasks.jsonl", "--sample", 2).stdout
    assert TASK.id in both
    assert OTHER.id in both
    drawn = {davinci("show", "corpus", "--sample", 1, "--seed", n).stdout for n in range(8)}
    assert len(drawn) == 2


def test_programs_get_the_records_as_they_are_stored(davinci: Davinci, corpus: Path) -> None:
    both = json.loads(davinci("show", "abcd", "--json").stdout)
    assert both == {
        "task": json.loads(to_line(OTHER)),
        "trajectory": json.loads(to_line(talk.trajectory(OTHER, id="abcd" * 8))),
    }
    alone = json.loads(davinci("show", TASK.id, "--json").stdout)
    assert (alone["task"]["id"], alone["trajectory"]) == (TASK.id, None)
    assert len(json.loads(davinci("show", "corpus", "--sample", 2, "--json").stdout)) == 2


def test_runs_are_shown_with_the_tasks_that_are_named(davinci: Davinci, corpus: Path) -> None:
    runs = corpus.parent / "runs"
    runs.mkdir()
    (corpus / "trajectories.jsonl").rename(runs / "trajectories.jsonl")
    alone = davinci("show", "abcd", "--in", "runs")
    refused(alone, f"the task {OTHER.id}", "is missing", "name the file of its tasks with --in")
    assert davinci("show", "abcd", "--in", "runs", "--in", "corpus").exit_code == 0
    assert davinci("show", "runs/trajectories.jsonl#2", "--in", "corpus").exit_code == 0


def test_a_name_of_the_catalogue_is_a_domain_whatever_files_there_are(
    davinci: Davinci, corpus: Path
) -> None:
    (corpus.parent / "library_lending").mkdir()
    assert davinci("show", "library_lending", "--part", "rules").exit_code == 0


# -- pages -----------------------------------------------------------------------------------------


def test_a_page_is_of_one_record_or_of_a_whole_file(davinci: Davinci, corpus: Path) -> None:
    result = davinci("show", "abcd", "--html", "one.html")
    assert (result.exit_code, result.stdout) == (0, "Page one.html\n  records  1\n\n")
    assert Path("one.html").read_text().count("<article") == 1
    every = davinci("show", "corpus/trajectories.jsonl", "--html", "all.html", "--json")
    assert json.loads(every.stdout) == {"out": "all.html", "conversations": 2, "problems": []}
    page = Path("all.html").read_text()
    assert page.count("<article") == 2
    assert "<title>corpus/trajectories.jsonl</title>" in page
    davinci("show", "corpus/trajectories.jsonl#2", "--html", "second.html")
    assert Path("second.html").read_text() == Path("one.html").read_text()


def test_a_page_replaces_another_file_only_by_force(davinci: Davinci, corpus: Path) -> None:
    page = Path("page.html")
    page.write_text("mine")
    refused(davinci("show", "abcd", "--html", page), "page.html holds something else", "--force")
    assert page.read_text() == "mine"
    assert davinci("show", "abcd", "--html", page, "--force").exit_code == 0
    assert davinci("show", "abcd", "--html", page).exit_code == 0, "it is the same again"
    refused(davinci("show", "abcd", "--html", corpus), f"--html {corpus} is a folder")


def test_damaged_lines_cost_themselves_alone(davinci: Davinci, corpus: Path) -> None:
    file = corpus / "trajectories.jsonl"
    file.write_bytes(file.read_bytes() + b'{"schema": "somebody/else@1"}\n')
    result = davinci("show", file, "--html", "page.html")
    assert result.exit_code == 1
    assert Path("page.html").read_text().count("<article") == 2
    assert f"{file}, line 3: this is a somebody/else@1" in result.stderr
    assert "the 2 good lines counted" in result.stderr
    refused(davinci("show", f"{file}#3"), f"{file}, line 3: This is a somebody/else@1")


# -- bad input -------------------------------------------------------------------------------------


def test_an_unknown_or_ambiguous_id(davinci: Davinci, corpus: Path) -> None:
    runs = corpus / "trajectories.jsonl"
    runs.write_bytes(runs.read_bytes() + to_line(talk.trajectory(OTHER, id="abcdef" * 5)))
    refused(
        davinci("show", "abcd"),
        "2 ids begin with 'abcd'",
        f"give more of it, such as '{'abcd' * 8}'",
    )
    refused(davinci("show", "abdd"), "has an id like 'abdd'", "did you mean ", f"'{'abcd' * 8}'")
    refused(davinci("show", ""), "nothing was named")
    refused(davinci("show", "ffffffff", "--in", corpus), "corpus/tasks.jsonl")


def test_an_id_needs_a_place_to_look_in(
    davinci: Davinci, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("davinci_env.reading.suites", list)
    refused(davinci("show", "abcdef12"), "nowhere to look for 'abcdef12'", "--in")


def test_a_task_edited_by_hand(davinci: Davinci, corpus: Path) -> None:
    file = corpus / "tasks.jsonl"
    file.write_text(file.read_text().replace("And pay my fine.", "And pay nothing."))
    for what in (TASK.id, "1111", f"{file}#1"):
        refused(davinci("show", what), "was edited by hand", "--update")


def test_what_is_no_record_and_no_place_in_a_file(davinci: Davinci, corpus: Path) -> None:
    (corpus / "rows.jsonl").write_text('{"messages": []}\n')
    (corpus / "pairs.jsonl").write_bytes(to_line(samples.preference()))
    (corpus.parent / "empty").mkdir()
    for name in ("rows", "pairs"):
        refused(davinci("show", corpus / f"{name}.jsonl"), "holds no task and no trajectory")
    refused(davinci("show", "empty"), "holds neither trajectories.jsonl nor tasks.jsonl")
    refused(davinci("show", "nowhere.jsonl"), "there is no such file")
    refused(davinci("show", "corpus/tasks.jsonl#9"), "has no record 9: choose one from 1 to 2")
    refused(davinci("show", "corpus/tasks.jsonl#x"), "names no record", "FILE#N")
    refused(davinci("show", "libary_lending"), "did you mean 'library_lending'?")


def test_options_of_the_other_sort(davinci: Davinci, corpus: Path) -> None:
    refused(davinci("show", "abcd", "--part", "rules"), "--part is of domains")
    refused(davinci("show", "abcd", "--sample", 3), "--sample is of a FILE")
    refused(davinci("show", "library_lending", "--html", "x.html"), "--html is of tasks")
    refused(davinci("show", "library_lending", "--full"), "--full is of tasks")
    assert not Path("x.html").exists()
