"""States that are files: kept, brought back in place, and read canonically."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from davinci_env.egts.systems import stores
from davinci_env.egts.systems.protocol import SystemFailure
from davinci_env.egts.systems.stores import MOMENT, DirectoryStore, SqliteStore, date_all


@pytest.fixture
def work(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    (work / "deep" / "er").mkdir(parents=True)
    (work / "a.txt").write_text("one")
    (work / "deep" / "b.txt").write_text("two")
    (work / "raw").write_bytes(b"\xff\x00")
    (work / "link").symlink_to("a.txt")
    date_all(work)
    return work


FIRST = {
    "a.txt": "one",
    "deep/": "",
    "deep/b.txt": "two",
    "deep/er/": "",
    "link": {"link": "a.txt"},
    # sha256 of the two bytes ff 00
    "raw": {
        "sha256": "ea5dbf9596d187e9500f23e9a680109475341cf4e81f7e043f7d97152c10772f",
        "size": 2,
    },
}


def test_a_directory_as_json(work: Path) -> None:
    assert DirectoryStore().capture(work.parent) == FIRST


def test_a_directory_comes_back_in_place(work: Path) -> None:
    store = DirectoryStore()
    kept = store.keep(work.parent)
    number = (work / "a.txt").stat().st_ino
    (work / "a.txt").write_text("longer than before")
    (work / "deep" / "b.txt").unlink()
    (work / "deep" / "er").rmdir()
    (work / "new").mkdir()
    (work / "new" / "c").write_text("c")
    (work / "link").unlink()
    (work / "link").mkdir()
    (work / "raw").unlink()
    (work / "raw").symlink_to("nowhere")
    assert store.keep(work.parent) != kept
    store.bring_back(work.parent, kept)
    assert store.capture(work.parent) == FIRST
    assert store.keep(work.parent) == kept
    assert (work / "a.txt").stat().st_ino == number
    assert {(work / name).lstat().st_mtime for name in ("a.txt", "deep", "link", "raw")} == {MOMENT}


def test_a_file_that_changes_at_once_and_keeps_size_and_time_is_seen(work: Path) -> None:
    store = DirectoryStore()
    for text in ("aaa", "bbb", "ccc"):
        (work / "a.txt").write_text(text)
        os.utime(work / "a.txt", (MOMENT, MOMENT))
        assert store.capture(work.parent)["a.txt"] == text


def test_ignored_names_are_no_state_and_stay(work: Path) -> None:
    store = DirectoryStore(ignored=("deep", "raw"))
    kept = store.keep(work.parent)
    assert set(kept) == {"a.txt", "link"}
    (work / "deep" / "b.txt").write_text("changed")
    store.bring_back(work.parent, kept)
    assert (work / "deep" / "b.txt").read_text() == "changed"


def test_a_file_that_may_not_be_written_comes_back(work: Path) -> None:
    store = DirectoryStore()
    (work / "a.txt").chmod(0o444)
    kept = store.keep(work.parent)
    (work / "a.txt").chmod(0o644)
    (work / "a.txt").write_text("x")
    (work / "a.txt").chmod(0o400)
    store.bring_back(work.parent, kept)
    assert (work / "a.txt").read_text() == "one"
    assert (work / "a.txt").stat().st_mode & 0o777 == 0o444


def test_a_directory_without_end_is_a_failure(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "MAX_BYTES", 5)
    with pytest.raises(SystemFailure, match="more than 5 bytes of files"):
        DirectoryStore().keep(work.parent)


def test_what_is_no_directory_yet_is_empty_and_can_be_made(tmp_path: Path) -> None:
    store = DirectoryStore("home/x")
    assert store.keep(tmp_path) == {}
    store.bring_back(tmp_path, {"f": stores.Entry("file", 0o600, b"1", 0)})
    assert store.capture(tmp_path) == {"f": "1"}


@pytest.fixture(params=["DELETE", "WAL"])
def base(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A database that its server holds open, with either kind of journal."""
    with contextlib.closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as live:
        live.execute(f"PRAGMA journal_mode = {request.param}")
        live.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name, made_at, picture)")
        live.execute("CREATE TABLE seen (at)")
        live.execute("INSERT INTO item VALUES (2, 'b', 'now', x'ff'), (1, 'a', 'now', NULL)")
        yield live


ROWS = [{"id": 1, "name": "a", "picture": None}, {"id": 2, "name": "b", "picture": "ff"}]


def test_a_database_by_its_rows(base: sqlite3.Connection, tmp_path: Path) -> None:
    store = SqliteStore("x.db", skipped=("seen",), volatile={"*": ("made_at",)})
    assert store.capture(tmp_path) == {"item": ROWS}
    whole = SqliteStore("x.db", volatile={"item": ("made_at", "picture")})
    assert whole.capture(tmp_path) == {
        "item": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}],
        "seen": [],
    }


def test_a_database_comes_back_under_an_open_connection(
    base: sqlite3.Connection, tmp_path: Path
) -> None:
    store = SqliteStore("x.db", volatile={"*": ("made_at",)})
    kept = store.keep(tmp_path)
    before = base.execute("SELECT name FROM item ORDER BY id").fetchall()
    for _ in range(3):
        base.execute("DELETE FROM item WHERE id = 1")
        base.execute("CREATE TABLE more (x)")
        changed = store.keep(tmp_path)
        assert changed != kept
        store.bring_back(tmp_path, kept)
        assert base.execute("SELECT name FROM item ORDER BY id").fetchall() == before
        assert store.capture(tmp_path) == {"item": ROWS, "seen": []}
    store.bring_back(tmp_path, changed)
    assert base.execute("SELECT count(*) FROM item").fetchone() == (1,)
    base.execute("INSERT INTO more VALUES (1)")


def test_a_database_that_is_not_there_yet_is_made(base: sqlite3.Connection, tmp_path: Path) -> None:
    kept = SqliteStore("x.db").keep(tmp_path)
    store = SqliteStore("home/share/y.db", volatile={"*": ("made_at",)})
    store.bring_back(tmp_path, kept)
    assert store.capture(tmp_path) == {"item": ROWS, "seen": []}


def test_what_is_no_database_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("no database, and long enough to be read as one " * 40)
    with pytest.raises(SystemFailure, match=r"x\.db can't be read or written"):
        SqliteStore("x.db").capture(tmp_path)
