"""The filesystem server as a system: equal bytes, full state, taken back whatever was changed."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from davinci_env.egts.states.home import NOW, make_home
from davinci_env.egts.systems import SystemEnvironment
from davinci_env.environment import check_environment
from tests.egts.systems.live import Call, elsewhere, need, opened

need("filesystem")

EDIT = {"oldText": "# Shopping", "newText": "# To buy"}
CALLS: list[Call] = [
    ("list_allowed_directories", {}),
    ("list_directory", {"path": "Notes"}),
    ("list_directory_with_sizes", {"path": "Documents/finance"}),
    ("directory_tree", {"path": "/home/mara"}),
    ("search_files", {"path": "/home/mara", "pattern": "**/*.md"}),
    ("get_file_info", {"path": "Notes/shopping.md"}),
    ("get_file_info", {"path": "Notes"}),
    ("read_file", {"path": "Notes/shopping.md"}),
    ("read_text_file", {"path": "Notes/shopping.md", "head": 1}),
    ("read_media_file", {"path": "Pictures/colour-sample.png"}),
    ("read_multiple_files", {"paths": ["Notes/shopping.md", "Notes/house-jobs.md"]}),
    ("edit_file", {"path": "Notes/shopping.md", "edits": [EDIT]}),
    ("move_file", {"source": "Notes/shopping.md", "destination": "Archive/shopping.md"}),
    ("create_directory", {"path": "Notes/new/newer"}),
    ("write_file", {"path": "Notes/a.txt", "content": "It is in /home/mara/Notes."}),
]
WRITES = {"edit_file", "move_file", "create_directory", "write_file"}


@pytest.fixture(scope="module")
def server() -> Iterator[SystemEnvironment]:
    found = opened("filesystem")
    yield found
    found.close()


@pytest.fixture
def environment(server: SystemEnvironment) -> SystemEnvironment:
    server.reset()
    return server


def content(environment: SystemEnvironment, tool: str, **arguments: Any) -> str:
    result = environment.call(tool, arguments)
    assert result.ok, result.message
    return str(result.content["content"])


def test_conforms() -> None:
    assert check_environment(lambda: opened("filesystem"), CALLS) == []


def test_the_state_is_the_home_folder_of_the_seed(environment: SystemEnvironment) -> None:
    home = make_home(1)
    state = environment.state
    assert state["folders"] == sorted(home.folders)
    texts = {p: f.data.decode() for p, f in home.files.items() if not p.endswith(".png")}
    assert {p: t for p, t in state["files"].items() if not p.endswith(".png")} == texts
    picture = home.files["Pictures/colour-sample.png"].data
    told = {"sha256": hashlib.sha256(picture).hexdigest(), "size": len(picture)}
    assert state["files"]["Pictures/colour-sample.png"] == told


def test_each_kind_of_change_is_seen_and_taken_back(environment: SystemEnvironment) -> None:
    start = environment.start_hash
    changes: list[Call] = [call for call in CALLS if call[0] in WRITES]
    seen = {start}
    for tool, arguments in changes:
        assert environment.call(tool, arguments).ok
        seen.add(environment.capture().state_hash)
    assert len(seen) == len(changes) + 1
    environment.reset()
    assert environment.capture().state_hash == start
    assert not environment.capture().diff


def test_a_change_of_one_file_is_one_cell(environment: SystemEnvironment) -> None:
    environment.call("write_file", {"path": "Notes/a.txt", "content": "Hello"})
    assert environment.capture().diff == [["/files/Notes~1a.txt", None, "Hello"]]
    environment.call("write_file", {"path": "Notes/a.txt", "content": "Goodbye"})
    assert environment.capture().diff == [["/files/Notes~1a.txt", None, "Goodbye"]]


def test_times_are_no_part_of_the_state(environment: SystemEnvironment) -> None:
    text = environment.state["files"]["Notes/shopping.md"]
    assert environment.call("write_file", {"path": "Notes/shopping.md", "content": text}).ok
    assert environment.capture().state_hash == environment.start_hash


def test_times_are_the_files_own_or_now(environment: SystemEnvironment) -> None:
    changed = make_home(1).files["Notes/shopping.md"].modified
    told = content(environment, "get_file_info", path="Notes/shopping.md")
    assert f"modified: {changed:%a %b %d %Y %H:%M:%S}" in told
    assert f"created: {NOW:%a %b %d %Y %H:%M:%S}" in told
    environment.call("write_file", {"path": "Notes/shopping.md", "content": "Nothing"})
    told = content(environment, "get_file_info", path="Notes/shopping.md")
    assert "modified: Mon Jun 16 2025 09:00:00 GMT+0000" in told
    environment.reset()
    told = content(environment, "get_file_info", path="Notes/shopping.md")
    assert f"modified: {changed:%a %b %d %Y %H:%M:%S}" in told


def test_what_is_written_stays_as_it_was_given(environment: SystemEnvironment) -> None:
    text = "See /home/mara/Notes"
    environment.call("write_file", {"path": "/home/mara/Notes/a.txt", "content": text})
    assert "size: 20\n" in content(environment, "get_file_info", path="Notes/a.txt")
    assert content(environment, "read_text_file", path="Notes/a.txt") == text
    edit = {"oldText": "/home/mara/Notes", "newText": "/home/mara"}
    environment.call("edit_file", {"path": "Notes/a.txt", "edits": [edit]})
    assert content(environment, "read_text_file", path="Notes/a.txt") == "See /home/mara"


def test_a_text_that_can_not_be_read_is_an_error(environment: SystemEnvironment) -> None:
    result = environment.call("read_multiple_files", {"paths": ["Notes/shopping.md", "nowhere"]})
    assert not result.ok
    assert result.message.startswith("nowhere: ENOENT")
    environment.call("write_file", {"path": "Notes/a.txt", "content": "a: Error - b"})
    assert environment.call("read_multiple_files", {"paths": ["Notes/a.txt"]}).ok


def test_an_edit_that_fails_half_way_changes_nothing(environment: SystemEnvironment) -> None:
    missing = {"oldText": "no such text", "newText": ""}
    arguments = {"path": "Notes/shopping.md", "edits": [EDIT, missing]}
    assert not environment.call("edit_file", arguments).ok
    assert environment.capture().state_hash == environment.start_hash


@pytest.mark.parametrize("path", ["/etc/hostname", "/home/mara/../other", "../../x"])
def test_nothing_outside_is_reached_or_shown(environment: SystemEnvironment, path: str) -> None:
    result = environment.call("read_text_file", {"path": path})
    assert not result.ok
    assert "davinci-" not in result.message


def test_equal_bytes_in_other_processes(tmp_path: Path) -> None:
    calls = [*CALLS, ("get_file_info", {"path": "Notes/a.txt"})]
    first = elsewhere("filesystem", 3, calls, tmp_path / "a", 0o022)
    assert first == elsewhere("filesystem", 3, calls, tmp_path / "another-one", 0o077)
    assert "Successfully wrote" in first and str(tmp_path) not in first
