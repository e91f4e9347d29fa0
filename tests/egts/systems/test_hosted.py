"""Foreign Python packages in an interpreter of their own, sound ones and others."""

import sys
from pathlib import Path

import pytest

from davinci_env.egts.systems import SystemEnvironment, SystemFailure, hosted
from davinci_env.egts.systems.hosted import HostedSystem
from davinci_env.egts.systems.process import Limits
from davinci_env.environment.conformance import check_environment
from davinci_env.errors import UsageError

COUNTER = """
import copy, os, sys

class Counter:
    version, benchmark, context = "3", "countbench", "It counts."
    listed = 0

    def tools(self):
        number = {"type": "object", "properties": {"by": {"type": "integer"}}, "required": ["by"]}
        return [
            {"name": "add", "description": "Add.", "parameters": number, "read_only": False},
            {"name": "show", "description": "Show.", "parameters": {"type": "object"},
             "read_only": True},
        ]

    def open(self, seed):
        self.count = {"total": seed, "steps": []}
        self.context = f"It counts from {seed}."

    def open_shipped(self, task):
        self.count = {"total": len(task), "steps": []}

    def call(self, tool, arguments):
        print("noise on standard output")
        if tool == "show":
            return True, self.count["total"]
        self.count["total"] += arguments["by"]
        self.count["steps"].append(arguments["by"])
        return self.after(arguments["by"])

    def after(self, by):
        return True, {"total": self.count["total"]}

    def state(self):
        return self.count

    def snapshot(self):
        return copy.deepcopy(self.count)

    def restore(self, kept):
        self.count = copy.deepcopy(kept)

    def about(self, what):
        return {"asked": what}
"""


def counter(
    folder: Path, more: str = "", *, seconds: float = 20.0, start: str = ""
) -> HostedSystem:
    """A counter whose class has more lines, and whose module more at its end."""
    body = "".join(f"    {line}\n" for line in more.splitlines())
    code = f"{COUNTER}\n{body}\n{start}\ndef make(name):\n    return Counter()\n"
    (folder / "counting.py").write_text(code)
    return HostedSystem(
        "toys.counter", "toys", "counting", licence="Apache-2.0", origin="our own tests",
        python=Path(sys.executable), hosts=folder,
        limits=Limits(answer_seconds=seconds, answer_bytes=1 << 20, episode_bytes=4 << 20),
    )  # fmt: skip


def test_it_conforms(tmp_path: Path) -> None:
    calls = [("show", {}), ("add", {"by": 2}), ("show", {})]
    made = lambda: SystemEnvironment(counter(tmp_path), seed=4)  # noqa: E731
    assert check_environment(made, calls) == []


def test_it_counts(tmp_path: Path) -> None:
    system = counter(tmp_path)
    assert system.info.version == ""
    system.open(4)
    assert (system.info.version, system.info.context) == ("3", "It counts from 4.")
    assert system.info.benchmark is None
    assert [(t.name, t.read_only) for t in system.tools()] == [("add", False), ("show", True)]
    start = system.snapshot()
    assert system.call("add", {"by": 3}).content == {"total": 7}
    assert system.state() == {"total": 7, "steps": [3]}
    assert system.state() is system.state()  # remembered by its hash
    system.restore(start)
    assert system.state() == {"total": 4, "steps": []}
    system.forget(start)
    assert system.about([1]) == {"asked": [1]}
    system.close()
    system.close()


def test_a_benchmarks_own_state_is_marked(tmp_path: Path) -> None:
    system = counter(tmp_path)
    system.open_shipped("task")
    assert system.info.benchmark == "countbench"
    assert system.state()["total"] == 4
    system.open(1)
    assert system.info.benchmark is None
    system.close()


def test_a_failing_call_is_taken_back(tmp_path: Path) -> None:
    system = counter(tmp_path, "def after(self, by):\n    raise KeyError('no such thing')")
    system.open(4)
    answer = system.call("add", {"by": 3})
    assert (answer.ok, answer.error) == (False, "KeyError: 'no such thing'")
    assert system.state() == {"total": 4, "steps": []}
    system.close()


def test_endless_recursion_is_an_error_like_any_other(tmp_path: Path) -> None:
    system = counter(
        tmp_path,
        "def after(self, by):\n    return self.after(by)",
        start="sys.setrecursionlimit(10**8)",
    )
    system.open(4)
    answer = system.call("add", {"by": 3})
    assert (answer.ok, answer.error) == (False, "The tool recursed without end.")
    assert system.state() == {"total": 4, "steps": []}
    system.close()


@pytest.mark.parametrize(
    ("after", "reason", "said"),
    [
        ("while True: pass", "hang", "gave no answer in time"),
        ("os._exit(3)", "crash", "ended with status 3"),
        ("os.kill(os.getpid(), 11)", "crash", "was ended by a signal, Segmentation fault"),
        ("return True, 'x' * 3_000_000", "flood", "wrote a line of more than 1048576 bytes"),
        ("return True, {1, 2}", "crash", "Object of type set is not JSON serializable"),
        ("while True: os.write(2, b'x' * 4096)", "flood", "wrote more than 4194304 bytes"),
    ],
)
def test_it_fails_in_an_episode_and_starts_again(
    tmp_path: Path, after: str, reason: str, said: str
) -> None:
    more = f"def after(self, by):\n    {after}"
    system = counter(tmp_path, more, seconds=0.9 if reason == "hang" else 20.0)
    system.open(4)
    with pytest.raises(SystemFailure) as caught:
        system.call("add", {"by": 3})
    assert caught.value.reason == reason
    assert said in str(caught.value)
    with pytest.raises(SystemFailure, match="is not running"):
        system.state()
    system.open(5)
    assert system.call("show", {}).content == 5
    system.close()


def test_a_state_without_end_ends_the_episode(tmp_path: Path) -> None:
    more = "def after(self, by):\n    self.count['self'] = self.count\n    return True, by"
    system = counter(tmp_path, more)
    system.open(4)
    assert system.call("add", {"by": 1}).ok
    with pytest.raises(SystemFailure, match="Circular reference"):
        system.state()


def test_tools_that_change_between_openings(tmp_path: Path) -> None:
    more = (
        "old = tools\n"
        "def tools(self):\n"
        "    Counter.listed += 1\n"
        "    return self.old()[: 2 if Counter.listed < 4 else 1]"
    )
    system = counter(tmp_path, more)
    system.open(1)
    with pytest.raises(SystemFailure, match=r"the tools of toys\.counter have changed") as caught:
        system.open(2)
    assert caught.value.reason == "tools-changed"


@pytest.mark.parametrize(
    ("more", "start", "said"),
    [
        ("", "import no_such_package", "No module named 'no_such_package'"),
        ("", "sys.exit('not today')", "ended with status 1 (not today)"),
        ("def tools(self):\n    return []", "", "lists no tools"),
        (
            "def tools(self):\n"
            "    return [{'name': 'a', 'description': '', 'parameters': {'type': 12}}]",
            "",
            "the schema of the tool 'a' is invalid",
        ),
    ],
)
def test_one_that_cannot_be_used_is_the_users_matter(
    tmp_path: Path, more: str, start: str, said: str
) -> None:
    with pytest.raises(UsageError) as caught:
        counter(tmp_path, more, start=start).open(1)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_one_that_is_not_installed_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAVINCI_SYSTEMS", str(tmp_path))
    system = HostedSystem("bfcl.math", "bfcl", "bfcl", licence="", origin="")
    with pytest.raises(UsageError) as caught:
        system.open(1)
    assert str(caught.value) == (
        "bfcl is not installed: run `python -m davinci_env.egts install bfcl`."
    )


def test_cpu_is_counted(tmp_path: Path) -> None:
    more = (
        "def after(self, by):\n"
        "    import time\n"
        "    begun = time.thread_time()\n"
        "    while time.thread_time() - begun < 0.05: pass\n"
        "    return True, by"
    )
    system = counter(tmp_path, more)
    system.open(1)
    assert system.foreign_cpu == 0.0
    system.call("add", {"by": 1})
    assert 0.05 <= system.foreign_cpu < 1.0
    assert system.host_cpu > system.foreign_cpu
    system.close()


def test_a_process_is_started_anew_after_many_openings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosted, "_OPENINGS", 2)
    system = counter(tmp_path, "def about(self, what):\n    return os.getpid()")
    pids = []
    for seed in (1, 2, 3):
        system.open(seed)
        assert system.call("show", {}).content == seed
        pids.append(system.about(None))
    assert pids[0] == pids[1] != pids[2]
    system.close()
