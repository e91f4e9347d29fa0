"""The run store: what a kill, an interrupt or another command leaves behind."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import orjson
import pytest

from davinci_env.episodes.jobs import Done, Item, Schedule, run_items, run_schedule
from davinci_env.episodes.store import Result, RunStore
from davinci_env.errors import OutputError, RecordError, UsageError
from tests.episodes import store_job

ROOT = Path(__file__).resolve().parents[2]
COMMAND = {"name": "double", "n": 6}
ITEMS = [Item(f"key-{number}", number) for number in range(6)]


def double(number: int) -> Result:
    """Write 0 to 2 lines to one file, and always one to the other."""
    lines = {"a.jsonl": [b'"%d"\n' % number] * (number % 3), "b.jsonl": [b"%d\n" % (2 * number)]}
    return Result(lines, {"half": number / 2})


def finish(out: Path, *, force: bool = False) -> None:
    """Run the small job, or what is left of it."""
    with RunStore(out, COMMAND, ("a.jsonl", "b.jsonl"), force=force) as store:
        if not store.finished:
            run_items(store, ITEMS, double)
            store.finish()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the job to be killed, when nobody kills it."""
    out = tmp_path_factory.mktemp("whole") / "run"
    store_job.run(out, 1)
    return contents(out)


def test_lines_stand_in_the_order_of_the_items(tmp_path: Path) -> None:
    finish(tmp_path)
    assert (tmp_path / "a.jsonl").read_bytes() == b'"1"\n"2"\n"2"\n"4"\n"5"\n"5"\n'
    assert (tmp_path / "b.jsonl").read_bytes() == b"0\n2\n4\n6\n8\n10\n"
    assert sorted(contents(tmp_path)) == ["a.jsonl", "b.jsonl", "manifest.json"]


def test_the_manifest_tells_command_and_files(tmp_path: Path) -> None:
    finish(tmp_path)
    manifest = orjson.loads((tmp_path / "manifest.json").read_bytes())
    assert manifest["command"] == COMMAND
    # sha256 of b"0\n2\n4\n6\n8\n10\n", by `sha256sum`
    assert manifest["files"]["b.jsonl"] == {
        "lines": 6,
        "bytes": 13,
        "sha256": "4d5dab59456c422bc87141a54ba83462bb07d615ffdec945faaa288af61115a5",
    }


def test_a_finished_run_is_left_as_it_is(tmp_path: Path) -> None:
    finish(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    with RunStore(tmp_path, COMMAND, ("a.jsonl", "b.jsonl")) as store:
        assert store.finished
        with pytest.raises(ValueError, match="finished"):
            store.append("key", Result({}))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_every_torn_state_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    """Cut the journal at every byte, with the files as a kill can leave them beside it."""
    finish(tmp_path / "whole")
    expected = contents(tmp_path / "whole")
    with RunStore(tmp_path / "half", COMMAND, ("a.jsonl", "b.jsonl")) as store:
        run_items(store, ITEMS, double)
    half = contents(tmp_path / "half")
    header = half["journal.jsonl"].index(b"\n") + 1
    for cut in range(header, len(half["journal.jsonl"]) + 1):
        torn = tmp_path / "torn"
        torn.mkdir()
        (torn / "journal.jsonl").write_bytes(half["journal.jsonl"][:cut])
        (torn / "a.jsonl").write_bytes(half["a.jsonl"])
        (torn / "b.jsonl").write_bytes(half["b.jsonl"][: 13 - cut % 3])
        finish(torn)
        assert contents(torn) == expected
        shutil.rmtree(torn)


@pytest.mark.parametrize("left", ["", "a", "ab"])
def test_a_kill_while_starting_or_finishing_resumes(tmp_path: Path, left: str) -> None:
    finish(tmp_path / "whole")
    expected = contents(tmp_path / "whole")
    torn = tmp_path / "torn"
    torn.mkdir()
    if left == "":  # before the journal was renamed into place
        (torn / "journal.jsonl.part").write_bytes(b'{"schema":"davi')
    elif left == "a":  # before the manifest was
        with RunStore(torn, COMMAND, ("a.jsonl", "b.jsonl")) as store:
            run_items(store, ITEMS, double)
        (torn / "manifest.json.part").write_bytes(expected["manifest.json"][:40])
    else:  # before the journal was removed
        with RunStore(torn, COMMAND, ("a.jsonl", "b.jsonl")) as store:
            run_items(store, ITEMS, double)
        (torn / "manifest.json").write_bytes(expected["manifest.json"])
    finish(torn)
    assert contents(torn) == expected


def test_a_resumed_run_does_not_compute_again(tmp_path: Path) -> None:
    computed: list[int] = []

    def stop_at_four(number: int) -> Result:
        if number == 4:
            raise KeyboardInterrupt
        computed.append(number)
        return double(number)

    with (
        RunStore(tmp_path, COMMAND, ("a.jsonl", "b.jsonl")) as store,
        pytest.raises(KeyboardInterrupt),
    ):
        run_items(store, ITEMS, stop_at_four)
    seen: list[Done] = []
    with RunStore(tmp_path, COMMAND, ("a.jsonl", "b.jsonl")) as store:
        done = run_items(store, ITEMS, double, progress=seen.append)
    assert computed == [0, 1, 2, 3]
    assert done == seen
    assert [(one.index, one.note, one.resumed) for one in done] == [
        (0, {"half": 0.0}, True),
        (1, {"half": 0.5}, True),
        (2, {"half": 1.0}, True),
        (3, {"half": 1.5}, True),
        (4, {"half": 2.0}, False),
        (5, {"half": 2.5}, False),
    ]


@pytest.mark.parametrize("finished", [True, False])
def test_another_command_is_refused_and_force_starts_anew(tmp_path: Path, finished: bool) -> None:
    with RunStore(tmp_path, {"name": "other"}, ("b.jsonl", "c.jsonl")) as store:
        store.append("key", Result({"b.jsonl": [b"1\n"], "c.jsonl": [b"2\n"]}))
        if finished:
            store.finish()
    (tmp_path / "notes.txt").write_text("mine")
    before = contents(tmp_path)
    with pytest.raises(OutputError, match=r"another command.*--force"):
        finish(tmp_path)
    assert contents(tmp_path) == before
    finish(tmp_path, force=True)
    after = contents(tmp_path)
    assert sorted(after) == ["a.jsonl", "b.jsonl", "manifest.json", "notes.txt"]
    assert after["b.jsonl"] == b"0\n2\n4\n6\n8\n10\n"
    assert after["notes.txt"] == b"mine"


def test_files_that_no_run_wrote_are_never_touched(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_bytes(b"precious\n")
    for force in (False, True):
        with pytest.raises(OutputError, match=r"b\.jsonl, which no run"):
            finish(tmp_path, force=force)
    assert contents(tmp_path) == {"b.jsonl": b"precious\n"}


def test_a_folder_with_other_things_needs_force(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("…")
    with pytest.raises(OutputError, match="not empty"):
        finish(tmp_path)
    finish(tmp_path, force=True)
    assert (tmp_path / "thesis.tex").read_text() == "…"


def test_force_does_not_follow_a_header_out_of_the_folder(tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_text("precious")
    run = tmp_path / "run"
    run.mkdir()
    header = {"schema": "davinci/run@1", "command": {}, "outputs": ["../outside.jsonl"]}
    (run / "manifest.json").write_bytes(orjson.dumps({**header, "derived": [], "files": {}}))
    finish(run, force=True)
    assert outside.read_text() == "precious"


def test_an_altered_finished_run_is_not_taken_for_whole(tmp_path: Path) -> None:
    finish(tmp_path)
    (tmp_path / "b.jsonl").unlink()
    with pytest.raises(OutputError, match=r"b\.jsonl was removed or altered.*--force"):
        finish(tmp_path)


def test_a_file_has_its_journal_and_manifest_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "tasks.jsonl"
    with RunStore(out, COMMAND) as store:
        store.append("key", Result({"tasks.jsonl": [b"1\n"]}))
        assert sorted(contents(tmp_path)) == ["tasks.jsonl", "tasks.jsonl.journal.jsonl"]
    with RunStore(out, COMMAND) as store:
        assert [entry.key for entry in store.entries] == ["key"]
        store.finish()
    assert out.read_bytes() == b"1\n"
    assert sorted(contents(tmp_path)) == ["tasks.jsonl", "tasks.jsonl.manifest.json"]


def test_a_file_of_somebody_else_is_overwritten_by_force_alone(tmp_path: Path) -> None:
    out = tmp_path / "tasks.jsonl"
    out.write_bytes(b"mine\n")
    with pytest.raises(OutputError, match=r"is there already.*--force"):
        RunStore(out, COMMAND)
    assert out.read_bytes() == b"mine\n"
    with RunStore(out, COMMAND, force=True) as store:
        store.finish()
    assert out.read_bytes() == b""


def test_a_file_for_a_folder_and_the_other_way_round(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="is a file: name a folder"):
        RunStore(tmp_path / "file", COMMAND, ("a.jsonl",))
    with pytest.raises(OutputError, match="is a folder: name a file"):
        RunStore(tmp_path, COMMAND)
    with pytest.raises(OutputError, match="cannot write to"):
        RunStore(tmp_path / "file" / "below", COMMAND, ("a.jsonl",))


def test_two_processes_cannot_write_one_run(tmp_path: Path) -> None:
    with RunStore(tmp_path, COMMAND, ("a.jsonl",)):
        for force in (False, True):
            with pytest.raises(OutputError, match="another process is writing"):
                RunStore(tmp_path, COMMAND, ("a.jsonl",), force=force)
    RunStore(tmp_path, COMMAND, ("a.jsonl",)).close()


@pytest.mark.parametrize("items", [ITEMS[1:], ITEMS[:3]])
def test_a_run_that_another_version_began_is_not_continued(
    tmp_path: Path, items: list[Item]
) -> None:
    with RunStore(tmp_path, COMMAND, ("a.jsonl", "b.jsonl")) as store:
        run_items(store, ITEMS[:4], double)
    with (
        RunStore(tmp_path, COMMAND, ("a.jsonl", "b.jsonl")) as store,
        pytest.raises(OutputError, match=r"not what this version makes.*--force"),
    ):
        run_items(store, items, double)


def test_an_unknown_output_is_a_bug(tmp_path: Path) -> None:
    with RunStore(tmp_path, COMMAND, ("a.jsonl",)) as store:
        with pytest.raises(ValueError, match="no outputs"):
            store.append("key", Result({"z.jsonl": [b"1\n"]}))
        with pytest.raises(ValueError, match="no derived file"), store.deriving("a.jsonl"):
            pass


def test_a_derived_file_is_whole_or_absent(tmp_path: Path) -> None:
    with RunStore(tmp_path, COMMAND, ("a.jsonl",), derived=("b.md",)) as store:
        with pytest.raises(KeyboardInterrupt), store.deriving("b.md") as file:
            file.write(b"half")
            raise KeyboardInterrupt
        assert sorted(contents(tmp_path)) == ["a.jsonl", "journal.jsonl"]
        with store.deriving("b.md") as file:
            file.write(b"whole")
        assert store.finish()["files"]["b.md"]["bytes"] == 5


def test_jobs_and_schedule_give_the_same_bytes(tmp_path: Path, whole: dict[str, bytes]) -> None:
    store_job.run(tmp_path / "run", 2)
    assert contents(tmp_path / "run") == whole
    # Topped up: 150 good ones are wanted, and that took the bad ones besides.
    assert whole["good.jsonl"].count(b"\n") == 150
    assert orjson.loads(whole["manifest.json"])["items"] == 150 + whole["bad.jsonl"].count(b"\n")


def test_a_schedule_without_a_batch_returns_at_once(tmp_path: Path) -> None:
    def nothing() -> Schedule[str]:
        yield from ()
        return "done"

    with RunStore(tmp_path, COMMAND, ("a.jsonl",)) as store:
        assert run_schedule(store, nothing(), double) == "done"


def test_jobs_start_at_one(tmp_path: Path) -> None:
    with (
        RunStore(tmp_path, COMMAND, ("a.jsonl",)) as store,
        pytest.raises(UsageError, match="--jobs 0"),
    ):
        run_items(store, ITEMS, double, jobs=0)


def refuse(bad: int, number: int) -> Result:
    """Raise one of our errors, with attributes that pickle does not restore by itself."""
    if number == bad:
        raise RecordError("is not a task", "remove it", path="tasks.jsonl", line=number)
    return double(number)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_ours_comes_out_of_a_worker_as_it_went_in(tmp_path: Path, jobs: int) -> None:
    with RunStore(tmp_path, COMMAND, ("a.jsonl", "b.jsonl")) as store:
        with pytest.raises(RecordError) as caught:
            run_items(store, ITEMS, partial(refuse, 3), jobs=jobs)
        assert str(caught.value) == "tasks.jsonl, line 3: is not a task: remove it."
        # Everything before the error is kept, nothing after it is.
        assert [entry.key for entry in store.entries] == ["key-0", "key-1", "key-2"]


def descendants(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have."""
    found: set[int] = set()
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            found |= {child} | descendants(child)
    return found


def start(out: Path, jobs: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.episodes.store_job", str(out), str(jobs)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def wait_for(what: Iterator[bool], limit: float = 60.0) -> None:
    """Look again and again until it is so."""
    end = time.monotonic() + limit
    while not next(what):
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.001)


def journal_reaches(out: Path, size: int, process: "subprocess.Popen[bytes]") -> Iterator[bool]:
    """Whether the journal has this many bytes, or the process has ended."""
    journal = out / "journal.jsonl"
    while True:
        yield process.poll() is not None or (journal.exists() and journal.stat().st_size >= size)


def all_gone(pids: set[int]) -> Iterator[bool]:
    """Whether these processes have ended; that nobody asked how they did does not matter."""
    while True:
        yield not any(is_running(pid) for pid in pids)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
@pytest.mark.parametrize("jobs", [1, 2])
def test_kill_9_at_ten_moments_and_resume(
    tmp_path: Path, whole: dict[str, bytes], jobs: int
) -> None:
    out = tmp_path / "run"
    draw = random.Random(jobs)
    # A line of the journal is about 95 bytes; the last fifth leaves time to kill before the end.
    length = 95 * orjson.loads(whole["manifest.json"])["items"] * 4 // 5
    for moment in sorted(draw.randrange(length) for _ in range(10)):
        process = start(out, jobs)
        wait_for(journal_reaches(out, moment, process))
        assert process.poll() is None, "ended before it could be killed"
        started = descendants(process.pid)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        # No worker outlives the process that it works for.
        wait_for(all_gone(started))
    assert not (out / "manifest.json").exists()
    process = start(out, 3 - jobs)
    assert process.wait() == 0
    assert contents(out) == whole


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_leaves_a_resumable_run(tmp_path: Path, whole: dict[str, bytes], jobs: int) -> None:
    out = tmp_path / "run"
    process = start(out, jobs)
    wait_for(journal_reaches(out, 2000, process))
    started = descendants(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert said.count(b"Traceback") == said.count(b"KeyboardInterrupt") == 1
    wait_for(all_gone(started))
    assert start(out, jobs).wait() == 0
    assert contents(out) == whole
