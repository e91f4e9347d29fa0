"""A contained process: what it sees, what it may use, and its end."""

import json
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from davinci_env.egts.systems import bubblewrap
from davinci_env.egts.systems.process import Contained, Limits, strays
from davinci_env.egts.systems.protocol import SystemFailure
from davinci_env.errors import UsageError

ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"
LIMITS = Limits(answer_seconds=20.0, answer_bytes=4096, episode_bytes=16384)


@pytest.fixture
def contained() -> Iterator[Contained]:
    process = Contained("the thing", LIMITS)
    yield process
    process.close()
    assert strays(process.token) == []
    assert not process.folder.exists()


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


def failing(process: Contained, line: bytes = b"go") -> SystemFailure:
    with pytest.raises(SystemFailure) as caught:
        process.ask(line)
    assert not process.folder.exists()
    assert strays(process.token) == []
    return caught.value


def test_it_answers_line_by_line(contained: Contained) -> None:
    contained.start(python(ECHO))
    assert contained.ask(b"abc") == b"cba"
    assert contained.ask(b"x" * 4000) == b"x" * 4000


def test_a_question_longer_than_the_pipe_arrives(contained: Contained) -> None:
    contained.start(python("import sys\nfor line in sys.stdin: print(len(line), flush=True)"))
    assert contained.ask(b"x" * 3_000_000) == b"3000001"


def test_it_sees_nothing_of_its_users(
    contained: Contained, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "x")
    code = "import json, os\ninput()\nprint(json.dumps([dict(os.environ), os.getcwd()]))"
    contained.start(python(code), {"MORE": "1"})
    seen, place = json.loads(contained.ask(b""))
    folder = str(contained.folder)
    assert place == folder + "/work"
    assert seen["HOME"] == folder + "/home"
    assert seen["TMPDIR"] == folder + "/tmp"
    assert seen["XDG_DATA_HOME"] == folder + "/home/.local/share"
    assert seen["PYTHONHASHSEED"] == "0"
    assert seen["TZ"] == "UTC"
    assert seen["MORE"] == "1"
    assert "SECRET_KEY" not in seen


def test_it_has_limits(contained: Contained) -> None:
    code = (
        "import json, resource\ninput()\n"
        "kinds = ['FSIZE', 'NOFILE', 'CPU', 'CORE']\n"
        "print(json.dumps([resource.getrlimit(getattr(resource, 'RLIMIT_' + k))[0]"
        " for k in kinds]))"
    )
    contained.start(python(code))
    assert json.loads(contained.ask(b"")) == [256 << 20, 1024, 7200, 0]


def test_a_file_that_grows_too_large_ends_it() -> None:
    process = Contained("the thing", Limits(file_bytes=1000))
    code = "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\ninput()\n"
    process.start(python(code + "open('big', 'w').write('x' * 5000)"))
    failure = failing(process)
    assert failure.reason == "crash"
    assert "was ended by a signal, File size limit exceeded" in str(failure)


def test_it_hangs(contained: Contained) -> None:
    contained.start(python("import sys\nsys.stdin.read()"))
    with pytest.raises(SystemFailure) as caught:
        contained.ask(b"go", seconds=0.2)
    assert caught.value.reason == "hang"


def test_it_takes_no_input(contained: Contained) -> None:
    contained.start(python("import time\ntime.sleep(600)"))
    with pytest.raises(SystemFailure) as caught:
        contained.ask(b"x" * 3_000_000, seconds=0.2)
    assert caught.value.reason == "hang"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys\ninput()\nsys.exit('oh no')", "the thing ended with status 1 (oh no)."),
        ("input()\nimport os\nos.kill(os.getpid(), 9)", "the thing was ended by a signal, Killed."),
        ("raise SystemExit(4)", "the thing ended with status 4."),
    ],
)
def test_it_ends_early(contained: Contained, code: str, said: str) -> None:
    contained.start(python(code))
    failure = failing(contained)
    assert (failure.reason, str(failure)) == ("crash", said)


def test_a_child_that_holds_the_pipe_does_not_hide_its_end(contained: Contained) -> None:
    code = (
        "import subprocess, sys\ninput()\n"
        "subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(600)'],"
        " start_new_session=True)\n"
        "sys.exit(5)"
    )
    contained.start(python(code))
    assert "ended with status 5" in str(failing(contained))


def test_a_line_too_long(contained: Contained) -> None:
    contained.start(python("input()\nprint('a' * 10_000, end='', flush=True)\ninput()"))
    failure = failing(contained)
    assert failure.reason == "flood"
    assert str(failure) == "the thing wrote a line of more than 4096 bytes."


def test_errors_count_as_output_and_only_their_end_is_kept(contained: Contained) -> None:
    contained.start(python("import sys\nwhile True: sys.stderr.write('b' * 999 + chr(10))"))
    failure = failing(contained)
    assert failure.reason == "flood"
    assert "wrote more than 16384 bytes" in str(failure)
    assert len(str(failure)) < 300


def test_what_is_allowed_is_allowed_anew_in_each_episode(contained: Contained) -> None:
    contained.start(python("import sys\nfor line in sys.stdin: print('a' * 4000, flush=True)"))
    for _ in range(12):  # 48,000 bytes, three times what one episode may have
        contained.ask(b"")
        contained.renew()
    for _ in range(4):
        contained.ask(b"")
    assert failing(contained).reason == "flood"


def test_output_that_nobody_asked_for(contained: Contained) -> None:
    contained.start(python("import sys\nfor line in sys.stdin: print('a\\nb', flush=True)"))
    contained.ask(b"")
    assert failing(contained).reason == "garbage"


def test_stopping_keeps_the_folder_and_another_may_start(contained: Contained) -> None:
    contained.start(python("input()\nopen('made', 'w').write('x')\nprint('ok')\ninput()"))
    contained.ask(b"")
    contained.stop()
    assert strays(contained.token) == []
    assert (contained.work / "made").read_text() == "x"
    contained.start(python(ECHO))
    assert contained.ask(b"ab") == b"ba"


def test_a_folder_that_forbids_everything_goes(contained: Contained) -> None:
    code = "import os\ninput()\nos.makedirs('a/b')\nos.chmod('a', 0)\nprint('ok')\ninput()"
    contained.start(python(code))
    assert contained.ask(b"") == b"ok"


def test_a_keeper_that_is_killed_leaves_nothing(contained: Contained) -> None:
    contained.start(python("import os\ninput()\nprint(os.getppid())\ninput()"))
    os.kill(int(contained.ask(b"")), 9)
    contained.close()


def test_a_fork_of_ours_ends_without_ending_it(contained: Contained) -> None:
    contained.start(python(ECHO))
    child = os.fork()
    if child == 0:
        try:
            contained.close()
        finally:
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert contained.ask(b"ab") == b"ba"


def test_a_command_that_is_not_there(contained: Contained) -> None:
    with pytest.raises(UsageError, match="the thing can't be started: there is no command 'nope'"):
        contained.start(["nope"])


def test_it_goes_with_its_object() -> None:
    process = Contained("the thing")
    process.start(python(ECHO))
    token, folder = process.token, process.folder
    del process
    assert strays(token) == []
    assert not folder.exists()


@pytest.fixture
def cut_off() -> None:
    if not bubblewrap.offline(Path("/")):
        pytest.skip("bubblewrap is not installed or may not be used here: nothing cuts the network")


@pytest.mark.usefixtures("cut_off")
def test_with_bubblewrap_it_has_no_network_and_writes_nowhere_else(
    contained: Contained, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = (
            "import socket\ninput()\n"
            f"try: socket.create_connection(('127.0.0.1', {port}), 5); print('reached')\n"
            "except OSError as error: print(type(error).__name__)\n"
            "input()\n"
            f"try: open({str(tmp_path / 'x')!r}, 'w'); print('written')\n"
            "except OSError as error: print(error.strerror)\n"
            "open('mine', 'w').close()\n"
            "input()\n"
        )
        contained.start(python(code))
        assert contained.ask(b"") == b"ConnectionRefusedError"
    assert contained.ask(b"") == b"Read-only file system"
    assert (contained.work / "mine").exists()


def test_without_bubblewrap_it_works_too(
    contained: Contained, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = shutil.which
    monkeypatch.setattr(shutil, "which", lambda n, **k: None if n == "bwrap" else found(n, **k))
    bubblewrap._begin.cache_clear()
    contained.start(python(ECHO))
    bubblewrap._begin.cache_clear()
    assert contained.ask(b"ab") == b"ba"
