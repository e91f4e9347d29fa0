"""Repositories read without git, against git itself."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from davinci_env.egts.systems.git_reading import read_repository
from davinci_env.egts.systems.mcp_git import SURROUNDINGS, RepositoryStore
from davinci_env.egts.systems.protocol import SystemFailure


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    (tmp_path / "work").mkdir()
    RepositoryStore().prepare(1, tmp_path, tmp_path)
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder / "work", capture_output=True, text=True, check=True,
        env={"PATH": os.environ["PATH"], **SURROUNDINGS},
    )  # fmt: skip
    return done.stdout


def test_all_is_as_git_tells_it(folder: Path) -> None:
    state = RepositoryStore().capture(folder)
    listed = [line.split() for line in git(folder, "ls-files", "--stage").splitlines()]
    assert state["index"] == {path: blob for _, blob, _, path in listed}
    refs = git(folder, "for-each-ref", "--format=%(refname) %(objectname)").split("\n")
    told = dict(line.split(" ") for line in refs if line)
    assert told == {
        **{f"refs/heads/{name}": commit for name, commit in state["branches"].items()},
        **{f"refs/tags/{name}": commit for name, commit in state["tags"].items()},
    }
    for line in git(
        folder, "log", "--all", "--format=%H|%T|%P|%an <%ae> %at +0000|%s"
    ).splitlines():
        commit, tree, parents, author, subject = line.split("|")
        assert state["commits"].pop(commit) == {
            "tree": tree, "parents": parents.split(), "author": author, "message": f"{subject}\n",
        }  # fmt: skip
    assert not state["commits"]


def test_what_does_not_matter_does_not_show(folder: Path) -> None:
    store = RepositoryStore()
    before = store.capture(folder)
    git(folder, "status")
    (folder / "loose.txt").write_text("nobody refers to this")
    git(folder, "hash-object", "-w", str(folder / "loose.txt"))
    (folder / "work" / ".git" / "logs" / "HEAD").unlink()
    assert store.capture(folder) == before


def test_a_detached_head_and_an_executable_are_seen(folder: Path) -> None:
    state = RepositoryStore().capture(folder)
    git(folder, "update-index", "--chmod=+x", "README.md")
    git(folder, "checkout", "--quiet", "--detach")
    after = RepositoryStore().capture(folder)
    assert after["head"] == state["branches"][state["head"]]
    assert after["index"]["README.md"] == state["index"]["README.md"] + " 100755"


def test_conflicts_stand_in_the_index_stage_by_stage(folder: Path) -> None:
    state = RepositoryStore().capture(folder)
    blob = state["index"]["README.md"]
    lines = "".join(f"100644 {blob} {stage}\tclash.txt\n" for stage in (1, 2, 3))
    subprocess.run(
        ["git", "update-index", "--index-info"], cwd=folder / "work", input=lines, text=True,
        check=True,
    )  # fmt: skip
    index = RepositoryStore().capture(folder)["index"]
    assert {path: found for path, found in index.items() if path.startswith("clash")} == {
        "clash.txt#1": blob, "clash.txt#2": blob, "clash.txt#3": blob,
    }  # fmt: skip


@pytest.mark.parametrize(
    "files",
    [
        {},
        {".git/HEAD": b"ref: refs/heads/main\n", ".git/refs/heads/main": b"0" * 40},
        {".git/HEAD": b"ref: refs/heads/main\n", ".git/index": b"DIRC\0\0\0\4\0\0\0\0"},
        {".git/HEAD": b"ref: refs/heads/main\n", ".git/index": b"DIRC\0\0\0\2\0\0\0\1"},
    ],
)
def test_what_is_no_repository_is_said_to_be_none(files: dict[str, bytes]) -> None:
    with pytest.raises(SystemFailure) as caught:
        read_repository(files)
    assert caught.value.reason == "garbage"
