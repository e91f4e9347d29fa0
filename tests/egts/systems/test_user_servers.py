"""Any MCP server of the user's, from an `mcpServers` entry."""

import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from davinci_env.egts.systems import SystemEnvironment
from davinci_env.egts.systems.registry import Options, open_system
from davinci_env.environment.conformance import check_environment
from davinci_env.errors import UsageError

from .notes import SERVER


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A directory of the user's, of each kind of file."""
    state = tmp_path / "my notes"
    state.mkdir()
    (state / "a").write_text("alpha")
    (state / "b.json").write_text('{"x": [1]}')
    (state / "c.jsonl").write_text('{"y": 1}\n\n{"y": 2}\n')
    (state / "broken.json").write_text("{")
    with sqlite3.connect(state / "d.db") as base:
        base.execute("CREATE TABLE t (k, v)")
        base.execute("INSERT INTO t VALUES (1, 'one')")
    base.close()
    return state


SEEN = {
    "a": "alpha",
    "b.json": {"x": [1]},
    "broken.json": "{",
    "c.jsonl": [{"y": 1}, {"y": 2}],
    "d.db": {"t": [{"k": 1, "v": "one"}]},
}


def entry(state: Path | str, habit: str = "", **more: Any) -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-S", str(SERVER), str(state), habit], **more}


def options(
    folder: Path, entry: Any, state: Path | None = None, *, writes: bool = False
) -> Options:
    path = folder / "servers.json"
    path.write_text(json.dumps({"mcpServers": {"notes": entry}}))
    states = {} if state is None else {"notes": state}
    return Options(servers=path, state=states, allow_writes=writes)


def before_and_after(state: Path) -> dict[str, tuple[bytes, int]]:
    return {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in sorted(state.iterdir())}


@pytest.mark.parametrize("live", [False, True])
def test_it_conforms(tmp_path: Path, state: Path, live: bool) -> None:
    given = options(tmp_path, entry(state, live=live), state, writes=True)
    calls = [("read_note", {"name": "a"}), ("write_note", {"name": "a", "text": "new"})]
    made = lambda: SystemEnvironment(open_system("notes", given))  # noqa: E731
    untouched = before_and_after(state)
    assert check_environment(made, calls) == []
    assert before_and_after(state) == untouched


def test_a_copy_is_served_under_the_originals_name(tmp_path: Path, state: Path) -> None:
    system = open_system("notes", options(tmp_path, entry(state), state, writes=True))
    system.open(1)
    assert system.state() == SEEN
    assert system.call("list_notes", {}).content == {"notes": sorted(SEEN), "folder": str(state)}
    untouched = before_and_after(state)
    assert system.call("write_note", {"name": f"{state}/b.json", "text": "[2]"}).ok
    assert system.state() == {**SEEN, "b.json": [2]}
    assert before_and_after(state) == untouched
    system.open(2)
    assert system.state() == SEEN
    system.close()
    assert before_and_after(state) == untouched


def test_only_tools_that_read_unless_writes_are_allowed(tmp_path: Path, state: Path) -> None:
    system = open_system("notes", options(tmp_path, entry(state), state))
    system.open(1)
    assert [tool.name for tool in system.tools()] == ["list_notes", "read_note"]
    system.close()
    system = open_system("notes", options(tmp_path, entry(state), state, writes=True))
    system.open(1)
    assert len(system.tools()) == 4
    system.close()


@pytest.mark.parametrize("form", ["argument", "option", "variable", "link", "relative", "cwd"])
def test_the_directory_is_replaced_wherever_it_is_named(
    tmp_path: Path, state: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import os, runpy, sys\n"
        f"where = {form!r}\n"
        "if where == 'option': sys.argv[1:] = [sys.argv[1].partition('=')[2]]\n"
        "if where == 'variable': sys.argv[1:] = [os.environ['NOTES']]\n"
        "if where == 'cwd': sys.argv[1:] = ['.']\n"
        f"runpy.run_path({str(SERVER)!r}, run_name='__main__')\n"
    )
    link = tmp_path / "link"
    link.symlink_to(state)
    monkeypatch.chdir(tmp_path)
    named = {
        "argument": str(state), "option": f"--dir={state}", "variable": "", "link": str(link),
        "relative": "./my notes", "cwd": "",
    }[form]  # fmt: skip
    given: dict[str, Any] = {"command": sys.executable, "args": ["-S", "-c", code, named]}
    if form == "variable":
        given["env"] = {"NOTES": str(state)}
    if form == "cwd":
        given["cwd"] = str(state)
    declared = link if form == "link" else state
    system = open_system("notes", options(tmp_path, given, declared, writes=True))
    system.open(1)
    assert system.call("write_note", {"name": "a", "text": "changed"}).ok
    assert system.state()["a"] == "changed"
    assert (state / "a").read_text() == "alpha"
    system.close()


def test_a_server_without_state_may_be_read(tmp_path: Path) -> None:
    system = open_system("notes", options(tmp_path, entry(".")))
    system.open(1)
    assert system.call("list_notes", {}).content["notes"] == []
    system.close()


def test_a_database_with_a_log_beside_it_is_read_whole(tmp_path: Path, state: Path) -> None:
    live = sqlite3.connect(state / "e.db", isolation_level=None)
    live.execute("PRAGMA journal_mode = WAL")
    live.execute("CREATE TABLE t (k)")
    live.execute("INSERT INTO t VALUES (5)")
    system = open_system("notes", options(tmp_path, entry(state), state))
    live_names = {path.name for path in state.iterdir()}
    system.open(1)
    found = system.state()
    system.close()
    live.close()
    assert "e.db-wal" in live_names
    assert found == {**SEEN, "e.db": {"t": [{"k": 5}]}}


def test_links(tmp_path: Path, state: Path) -> None:
    (state / "inner").symlink_to(state / "a")
    system = open_system("notes", options(tmp_path, entry(state), state, writes=True))
    system.open(1)
    assert system.state()["inner"] == {"link": "a"}
    assert system.call("write_note", {"name": "inner", "text": "through"}).ok
    assert (state / "a").read_text() == "alpha"
    system.close()
    (state / "outer").symlink_to(tmp_path)
    with pytest.raises(UsageError, match="outer leads out of the state directory"):
        open_system("notes", options(tmp_path, entry(state), state))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "servers.json can't be read (No such file or directory)."),
        ("{", "servers.json is not JSON ("),
        ("[]", "servers.json has no object 'mcpServers'."),
        ('{"mcpServers": {"note": {}}}', "has no server 'notes': did you mean 'note'?"),
        ('{"mcpServers": {"x": {}, "y": {}}}', "has no server 'notes': it has 'x', 'y'."),
        ('{"mcpServers": {}}', "has no server 'notes': it has none."),
        ('{"mcpServers": {"notes": {"url": "http://x"}}}', "is reached by HTTP: only servers over"),
        ('{"mcpServers": {"notes": {"args": []}}}', "has no command."),
        (
            '{"mcpServers": {"notes": {"command": "x", "args": "y"}}}',
            "'args' is no list of strings.",
        ),
        ('{"mcpServers": {"notes": {"command": "x", "env": {"A": 1}}}}', "'env' is no object of"),
        ('{"mcpServers": {"notes": {"command": "x", "live": 1}}}', "'live' is neither true nor"),
        (
            '{"mcpServers": {"notes": {"command": "x", "args": ["${HOME}/n"]}}}',
            "has '${HOME}/n': variables aren't filled in: write the value.",
        ),
    ],
)
def test_a_bad_file(tmp_path: Path, content: str | None, said: str) -> None:
    path = tmp_path / "servers.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UsageError) as caught:
        open_system("notes", Options(servers=path))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_status == 2


def test_bad_state(tmp_path: Path, state: Path) -> None:
    with pytest.raises(UsageError, match=r"the state directory .*/none is not there"):
        open_system("notes", options(tmp_path, entry(state), tmp_path / "none"))
    with pytest.raises(UsageError, match="say where its state is: --state notes=DIR"):
        open_system("notes", options(tmp_path, entry(state), writes=True))


def test_a_server_that_marks_nothing_read_only(tmp_path: Path, state: Path) -> None:
    code = f"import runpy, sys\nm = runpy.run_path({str(SERVER)!r})\n"
    code += "for tool in m['TOOLS']: tool.pop('annotations', None)\nm['main']()\n"
    given = {"command": sys.executable, "args": ["-S", "-c", code, str(state)]}
    with pytest.raises(UsageError, match="no tool that is marked read-only: add --allow-writes"):
        SystemEnvironment(open_system("notes", options(tmp_path, given, state)))
    environment = SystemEnvironment(
        open_system("notes", options(tmp_path, given, state, writes=True))
    )
    environment.close()


def test_times_of_calls_are_no_state(tmp_path: Path, state: Path) -> None:
    code = (
        "import datetime, runpy, sys\n"
        f"m = runpy.run_path({str(SERVER)!r})\n"
        "def work():\n"
        "    now = datetime.datetime.now(datetime.UTC).isoformat()\n"
        "    (m['FOLDER'] / 'a').write_text(f'done at {now}')\n"
        "    return m['text'](now)\n"
        "m['work'].__globals__['work'] = work\n"
        "m['main']()\n"
    )
    given = {"command": sys.executable, "args": ["-c", code, str(state)]}
    system = open_system("notes", options(tmp_path, given, state, writes=True))
    system.open(1)
    assert system.call("work", {}).content == "2025-01-01T00:00:00.000000+00:00"
    assert system.state()["a"] == "done at 2025-01-01T00:00:00.000000+00:00"
    system.close()


def test_nothing_of_the_users_reaches_it(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "x")
    code = (
        "import os, runpy, sys\n"
        f"m = runpy.run_path({str(SERVER)!r})\n"
        "seen = [os.environ.get('SECRET_KEY'), os.environ['GIVEN'], os.path.expanduser('~')]\n"
        "m['work'].__globals__['work'] = lambda: m['text'](str(seen))\n"
        "m['main']()\n"
    )
    given = {"command": sys.executable, "args": ["-c", code, str(state)], "env": {"GIVEN": "y"}}
    system = open_system("notes", options(tmp_path, given, state, writes=True))
    system.open(1)
    assert system.call("work", {}).content == "[None, 'y', '/home/user']"
    assert os.path.expanduser("~") != "/home/user"
    system.close()


@pytest.mark.parametrize("live", [False, True])
def test_only_a_live_server_outlasts_a_state_that_is_brought_back(
    tmp_path: Path, state: Path, live: bool
) -> None:
    code = (
        "import os, runpy\n"
        f"m = runpy.run_path({str(SERVER)!r})\n"
        "m['work'].__globals__['work'] = lambda: m['text'](str(os.getpid()))\n"
        "m['main']()\n"
    )
    given = {"command": sys.executable, "args": ["-c", code, str(state)], "live": live}
    system = open_system("notes", options(tmp_path, given, state, writes=True))
    system.open(1)
    first = system.call("work", {}).content
    start = system.snapshot()
    system.restore(start)
    assert system.call("work", {}).content == first  # nothing had changed
    system.call("write_note", {"name": "a", "text": "changed"})
    system.restore(start)
    assert system.call("read_note", {"name": "a"}).content == "alpha"
    assert (system.call("work", {}).content == first) is live
    system.close()
