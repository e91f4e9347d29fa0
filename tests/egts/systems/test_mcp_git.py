"""The git server as a system: equal commits, and all of a repository that matters."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from davinci_env.egts.states.repository import make_repository
from davinci_env.egts.systems import SystemEnvironment
from davinci_env.environment import check_environment
from tests.egts.systems.live import Call, elsewhere, need, opened

need("git")

AT: dict[str, Any] = {"repo_path": "/home/mara/code"}
READS: list[Call] = [
    ("git_status", AT),
    ("git_diff_unstaged", AT),
    ("git_diff_staged", AT),
    ("git_diff", {**AT, "target": "v0.1"}),
    ("git_log", {**AT, "start_timestamp": "2025-03-20"}),
    ("git_log", {**AT, "start_timestamp": "12 weeks ago"}),
    ("git_show", {**AT, "revision": "HEAD"}),
    ("git_branch", {**AT, "branch_type": "all"}),
]
WRITES: list[Call] = [
    ("git_commit", {**AT, "message": "About /home/mara/code"}),
    ("git_add", {**AT, "files": ["."]}),
    ("git_create_branch", {**AT, "branch_name": "tidy"}),
    ("git_checkout", {**AT, "branch_name": "tidy"}),
    ("git_reset", AT),
]


@pytest.fixture(scope="module")
def server() -> Iterator[SystemEnvironment]:
    found = opened("git")
    yield found
    found.close()


@pytest.fixture
def environment(server: SystemEnvironment) -> SystemEnvironment:
    server.reset()
    return server


def told(environment: SystemEnvironment, tool: str, **arguments: Any) -> str:
    result = environment.call(tool, {**AT, **arguments})
    assert result.ok, result.message
    return str(result.content["result"])


def test_conforms() -> None:
    calls = [*READS, *WRITES[:3], ("git_checkout", {**AT, "branch_name": "main"}), WRITES[4]]
    assert check_environment(lambda: opened("git"), calls) == []


def test_the_state_is_the_repository_of_the_seed(environment: SystemEnvironment) -> None:
    made, state = make_repository(1), environment.state
    assert state["head"] == made.head
    assert set(state["branches"]) == {commit.branch for commit in made.commits}
    assert len(state["branches"]) == 5 and set(state["tags"]) == {"v0.1", "v0.2"}
    messages = sorted(commit["message"] for commit in state["commits"].values())
    assert messages == sorted(commit.message + "\n" for commit in made.commits)
    assert {p: state["files"][p] for p in made.unstaged} == made.unstaged
    for path, text in made.staged.items():
        blob = hashlib.sha1(b"blob %d\0%s" % (len(text.encode()), text.encode())).hexdigest()
        assert state["index"][path] == blob
    assert not set(state["index"]) & {p for p in made.unstaged if p not in made.commits[0].files}


def test_git_itself_tells_the_same(environment: SystemEnvironment) -> None:
    state = environment.state
    log = told(environment, "git_log", max_count=50)
    hashes = re.findall(r"^Commit: (\w+)$", log, re.MULTILINE)
    assert hashes[0] == state["branches"][state["head"]]
    assert set(hashes) <= set(state["commits"])
    branches = told(environment, "git_branch", branch_type="local")
    assert sorted(branches.replace("*", " ").split()) == sorted(state["branches"])


def test_each_kind_of_change_is_seen_and_taken_back(environment: SystemEnvironment) -> None:
    hashes = [environment.start_hash]
    for tool, arguments in [*WRITES[:4], WRITES[0], WRITES[1]]:
        if (tool, arguments) != WRITES[1] or len(hashes) < 6:
            assert environment.call(tool, arguments).ok
            hashes.append(environment.capture().state_hash)
    assert len(set(hashes)) == len(hashes) == 6
    environment.reset()
    assert environment.capture().state_hash == environment.start_hash
    assert told(environment, "git_status").startswith("Repository status:\nOn branch ")
    assert environment.call("git_reset", AT).ok
    assert environment.capture().state_hash not in hashes
    environment.reset()
    assert environment.capture().state_hash == environment.start_hash


def test_any_branch_can_be_checked_out_with_the_open_work(environment: SystemEnvironment) -> None:
    open_work = make_repository(1).unstaged
    for branch in environment.state["branches"]:
        told(environment, "git_checkout", branch_name=branch)
        state = environment.state
        assert state["head"] == branch
        assert {path: state["files"][path] for path in open_work} == open_work


def test_reading_changes_nothing(environment: SystemEnvironment) -> None:
    for tool, arguments in READS:
        assert environment.call(tool, arguments).ok
    assert environment.capture().state_hash == environment.start_hash


def test_nothing_to_do_is_an_error(environment: SystemEnvironment) -> None:
    told(environment, "git_add", files=["."])
    again = environment.call("git_add", {**AT, "files": ["."]})
    assert not again.ok and again.message.startswith("No changes were staged")
    told(environment, "git_commit", message="All")
    empty = environment.call("git_commit", {**AT, "message": "Nothing"})
    assert not empty.ok and empty.message.startswith("No changes staged")


def test_commits_are_by_one_person_at_one_moment(environment: SystemEnvironment) -> None:
    told(environment, "git_commit", message="Now")
    shown = told(environment, "git_show", revision="HEAD")
    assert "Author: Mara Ellwood <mara@ellwood.example>\n" in shown
    assert "Date:   2025-06-16 09:00:00 +0000\n" in shown


def test_other_places_are_refused_without_showing_ours(environment: SystemEnvironment) -> None:
    result = environment.call("git_status", {"repo_path": "/home/mara"})
    assert not result.ok
    assert result.message == (
        "Repository path '/home/mara' is outside the allowed repository '/home/mara/code'"
    )


def test_equal_bytes_in_other_processes(tmp_path: Path) -> None:
    calls = [*READS, *WRITES, READS[0], READS[6]]
    first = elsewhere("git", 3, calls, tmp_path / "a", 0o022)
    assert first == elsewhere("git", 3, calls, tmp_path / "another-one", 0o077)
