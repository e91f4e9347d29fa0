"""An MCP server as a system: state, results, both channels of errors, and the conformance kit."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from davinci_env.egts.systems import SystemEnvironment, mcp_system
from davinci_env.egts.systems.mcp_system import parsed
from davinci_env.egts.systems.process import strays
from davinci_env.environment.conformance import check_environment

from .notes import SERVER, Notes, NotesStore

A, B = {"name": "a"}, {"name": "b"}


def opened(habit: str = "", *, seed: int = 1, restart: bool = False) -> Notes:
    system = Notes(habit, restart=restart)
    system.open(seed)
    return system


def test_it_conforms() -> None:
    calls = [("read_note", A), ("write_note", {"name": "c", "text": "new"}), ("list_notes", {})]
    assert check_environment(lambda: SystemEnvironment(Notes(), seed=3), calls) == []


@pytest.mark.parametrize("restart", [False, True])
def test_state_goes_back_and_forth(restart: bool) -> None:
    system = opened(restart=restart)
    start = system.snapshot()
    first = {"a": "seed 1", "b": "milk"}
    assert system.state() == first
    assert system.call("write_note", {"name": "b", "text": "bread"}).ok
    changed = system.snapshot()
    assert system.state() == {"a": "seed 1", "b": "bread"}
    system.restore(start)
    assert system.state() == first
    assert system.call("read_note", B).content == "milk"
    system.restore(changed)
    assert system.call("read_note", B).content == "bread"
    system.open(2)
    assert system.state() == {"a": "seed 2", "b": "milk"}
    assert system.call("read_note", A).content == "seed 2"
    system.close()


def test_what_it_is_told_and_lists() -> None:
    system = opened()
    assert system.info.version == "7.1"
    assert system.info.context == "The notes are in /home/sam/notes."
    assert [tool.name for tool in system.tools()] == [
        "list_notes", "read_note", "write_note", "work",
    ]  # fmt: skip
    assert [tool.read_only for tool in system.tools()] == [True, True, None, None]
    assert system.tools()[1].parameters == {
        "type": "object",
        "properties": {"name": {"type": "string"}, "text": {"type": "string"}},
        "required": ["name"],
        "additionalProperties": False,
    }
    system.close()


def test_pages_are_put_together() -> None:
    system = opened("pages")
    assert len(system.tools()) == 4
    system.close()


def test_private_paths_have_their_public_names_both_ways() -> None:
    system = opened()
    listed = system.call("list_notes", {})
    assert listed.content == {"notes": ["a", "b"], "folder": "/home/sam/notes"}
    assert system.call("read_note", {"name": "/home/sam/notes/a"}).content == "seed 1"
    missing = system.call("read_note", {"name": "x"})
    assert (missing.ok, missing.error) == (False, "there is no /home/sam/notes/x")
    system.close()


@pytest.mark.parametrize("habit", ["mutate-then-error", "mutate-then-refuse", "error-as-success"])
@pytest.mark.parametrize("restart", [False, True])
def test_what_a_failing_call_did_is_taken_back(habit: str, restart: bool) -> None:
    system = opened(habit, restart=restart)
    answer = system.call("work", {})
    assert not answer.ok
    assert answer.error.removeprefix("Error: ") == "it failed halfway"
    assert system.state() == {"a": "seed 1", "b": "milk"}
    assert system.call("read_note", A).content == "seed 1"
    system.close()


def test_arguments_that_cannot_be_sent_are_refused() -> None:
    system = opened()
    assert not system.call("read_note", {"name": "\ud800"}).ok
    assert system.call("read_note", A).ok
    system.close()


def test_parts_that_are_no_text_are_described() -> None:
    system = opened("parts")
    assert system.call("work", {}).content == [
        "two",
        [2],
        {"type": "image", "mime_type": "image/png", "base64_length": 4},
        {"type": "resource_link", "uri": "file:///x", "name": "x"},
        "inside",
    ]
    system.close()


def test_an_announcement_without_a_change_is_no_failure() -> None:
    system = opened("announce")
    assert system.call("work", {}).ok
    assert system.call("read_note", A).ok
    system.close()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ("[1]", [1]),
        ("12.5", 12.5),
        ("true", True),
        ("007", "007"),
        ("1e3", "1e3"),
        ('"a"', '"a"'),
        ("a", "a"),
        ("", ""),
        ("NaN", "NaN"),
    ],
)
def test_text_is_json_where_nothing_is_lost(text: str, value: object) -> None:
    assert parsed(text) == value


def test_closing_leaves_nothing() -> None:
    system = opened()
    token, folder = system.token, system.folder
    assert folder.is_dir()
    assert len(strays(token)) >= 2  # the server and its keeper
    system.close()
    system.close()
    assert strays(token) == []
    assert not Path(folder).exists()


class SettledStore(NotesStore):
    """The server makes its first files itself."""

    made_by_server = True

    def prepare(self, seed: int, folder: Path, live: Path) -> str:
        return ""


class Settled(Notes):
    """Brought to its initial state by its own tools."""

    def __init__(self) -> None:
        super().__init__()
        self.store = SettledStore()

    def command(self, folder: Path) -> Sequence[str]:
        first = "import os, sys; os.makedirs(sys.argv[1], exist_ok=True)\n"
        run = f"import runpy; runpy.run_path({str(SERVER)!r}, run_name='__main__')"
        return [sys.executable, "-c", first + run, str(folder / "work/notes")]

    def settle(self, seed: int) -> None:
        assert self.call("write_note", {"name": f"n{seed}", "text": "settled"}).ok


def test_a_state_that_the_server_makes_is_settled_anew_for_each_seed() -> None:
    system = Settled()
    for seed in (1, 2, 1):
        system.open(seed)
        assert system.state() == {f"n{seed}": "settled"}
    system.close()


def test_a_process_is_started_anew_after_many_openings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_system, "_OPENINGS", 2)
    system = Notes()
    tokens = []
    for seed in (1, 2, 3):
        system.open(seed)
        assert system.state() == {"a": f"seed {seed}", "b": "milk"}
        tokens.append(system.token)
    assert tokens[0] == tokens[1] != tokens[2]
    assert strays(tokens[0]) == []
    system.close()
