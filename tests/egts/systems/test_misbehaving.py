"""Servers that leave their contract: one clear error each, no process and no file left."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from davinci_env.egts.systems.process import MARKER, strays
from davinci_env.egts.systems.protocol import SystemFailure
from davinci_env.errors import UsageError

from .notes import SHORT, Notes


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Private folders are made here, and none may be left."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    yield
    assert list(tmp_path.glob("davinci-*")) == []
    assert running_in(tmp_path) == []


def running_in(place: Path) -> list[int]:
    """Processes whose environment or directory names a place."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(place).encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]


@pytest.mark.parametrize(
    ("habit", "said"),
    [
        ("no-start", "the server notes ended with status 1 (the moon is wrong)"),
        ("silent", "the server notes gave no answer in time"),
        ("banner", "the server notes wrote what is no message of MCP: 'Welcome!'"),
        ("other-version", "Unsupported protocol version from the server: 1999-01-01"),
        ("empty", "notes lists no tools"),
        ("twins", "notes lists two tools of one name"),
        ("recursive", "the schema of the tool 'odd' refers to itself"),
        ("invalid", "the schema of the tool 'odd' is invalid"),
        ("no-object", "tools.4.inputSchema.type: Input should be 'object'"),
        ("endless-pages", "its tool listing has more than 100 pages"),
    ],
)
def test_a_server_that_cannot_be_used_is_the_users_matter(habit: str, said: str) -> None:
    system = Notes(habit, limits=replace(SHORT, start_seconds=0.5) if habit == "silent" else SHORT)
    with pytest.raises(UsageError) as caught:
        system.open(1)
    assert said in str(caught.value)
    assert str(caught.value).count("\n") == 0
    assert caught.value.exit_status == 2
    system.close()


def test_a_command_that_is_not_there() -> None:
    class Missing(Notes):
        def command(self, folder: Path) -> list[str]:
            return ["no-such-server"]

    with pytest.raises(UsageError, match="there is no command 'no-such-server'"):
        Missing().open(1)


@pytest.mark.parametrize(
    ("habit", "reason", "said"),
    [
        ("mute", "hang", "gave no answer in time"),
        ("crash", "crash", "ended with status 3 (out of luck)"),
        ("flood-line", "flood", "wrote a line of more than 1048576 bytes"),
        ("flood-messages", "flood", "wrote more than 4194304 bytes"),
        ("garbage", "garbage", "wrote what is no message of MCP: 'hello there'"),
        ("half-protocol", "garbage", "answered against the protocol"),
        ("deep", "garbage", "wrote what is no message of MCP"),
    ],
)
def test_a_server_that_fails_in_an_episode(habit: str, reason: str, said: str) -> None:
    # Only who hangs is given little time: a busy machine takes long over the rest.
    system = Notes(habit, limits=replace(SHORT, answer_seconds=0.9) if habit == "mute" else SHORT)
    system.open(1)
    token = system.token
    with pytest.raises(SystemFailure) as caught:
        system.call("work", {})
    assert caught.value.reason == reason
    assert said in str(caught.value)
    assert strays(token) == []
    with pytest.raises(SystemFailure, match="is not running"):
        system.call("work", {})
    system.open(2)  # the next episode starts it anew
    assert system.call("read_note", {"name": "a"}).content == "seed 2"
    system.close()


def test_a_tool_list_that_changes_between_episodes() -> None:
    system = Notes("changing")
    system.open(1)
    with pytest.raises(SystemFailure, match="the tools of notes have changed") as caught:
        system.open(1)
    assert caught.value.reason == "tools-changed"


def test_a_tool_list_that_changes_within_an_episode() -> None:
    system = Notes("announce-change")
    system.open(1)
    assert system.call("work", {}).ok
    with pytest.raises(SystemFailure, match="the tools of notes have changed") as caught:
        system.call("read_note", {"name": "a"})
    assert caught.value.reason == "tools-changed"


def test_processes_that_are_left_in_sessions_of_their_own_are_ended() -> None:
    system = Notes("leak-process")
    system.open(1)
    token = system.token
    own = len(strays(token))
    assert system.call("work", {}).ok
    assert len(strays(token)) == own + 2
    system.close()
    assert strays(token) == []


def test_a_process_that_hides_is_ended() -> None:
    system = Notes("leak-hidden-process")
    system.open(1)
    answer = system.call("work", {})
    hidden = int(answer.content)
    assert alive(hidden)
    system.close()
    assert not alive(hidden)


def test_files_that_are_left_go() -> None:
    system = Notes("leak-files")
    system.open(1)
    said = system.call("work", {}).content
    assert said == "/tmp"  # its own, by its public name
    assert (system.folder / "tmp" / "left-behind").exists()
    assert (system.folder / "home" / "left-behind").exists()
    system.close()


def test_when_we_are_killed_nothing_stays(tmp_path: Path) -> None:
    code = (
        "import json, sys\n"
        "from tests.egts.systems.notes import Notes\n"
        "system = Notes('leak-process')\n"
        "system.open(1)\n"
        "assert system.call('work', {}).ok\n"
        "print(json.dumps([system.token, str(system.folder)]), flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3], env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as ours:  # fmt: skip
        assert ours.stdout is not None
        token, folder = json.loads(ours.stdout.readline())
        assert len(strays(token)) >= 4  # the server, its keeper, and the two that it leaks
        ours.send_signal(signal.SIGKILL)
    within(10.0, lambda: not strays(token) and not Path(folder).exists())


def test_the_marker_is_secret() -> None:
    first, second = Notes(), Notes()
    first.open(1)
    second.open(1)
    assert not {*strays(first.token)} & {*strays(second.token)}
    assert MARKER not in os.environ
    assert first.token != second.token
    first.close()
    second.close()


def alive(pid: int) -> bool:
    """Whether a process runs and is no mere entry of a dead one."""
    try:
        return b") Z" not in Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False


def within(seconds: float, holds: object) -> None:
    """Wait for something that another process brings about."""
    assert callable(holds)
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it does not come"
        os.sched_yield()
