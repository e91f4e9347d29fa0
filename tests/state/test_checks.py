"""Read-only queries: what a check may ask, and how it is stopped."""

import sqlite3
import time

import pytest

from davinci_env.errors import DefectError
from davinci_env.state import connection, register_helpers
from tests.support.shed import shed

SHED = shed()


@pytest.fixture(scope="module")
def world():
    world = SHED.domain.build()
    yield world
    world.close()


@pytest.mark.parametrize(
    ("sql", "values", "answer"),
    [
        ("SELECT count(*) FROM members", (), 6),
        ("SELECT title FROM categories WHERE slug = :slug", {"slug": "wood"}, "Wood"),
        ("SELECT date('2026-01-31', '+1 day')", (), "2026-02-01"),
        ("SELECT strftime('%Y', ?)", ("2026-05-01",), "2026"),
        ("SELECT date(NULL)", (), None),
        ("SELECT julianday('2026-01-02') - julianday('2026-01-01')", (), 1.0),
        ("SELECT json_group_array(slug) FROM (SELECT slug FROM categories ORDER BY 1)", (),
         '["garden","metal","tools","wood"]'),
        ("SELECT EXISTS (SELECT 1 FROM loans WHERE renewals > 0)", (), 1),
        ("WITH RECURSIVE up(slug) AS (VALUES ('wood') UNION SELECT parent_id FROM categories "
         "JOIN up USING (slug) WHERE parent_id IS NOT NULL) SELECT count(*) FROM up", (), 2),
        ("SELECT max(n) OVER () FROM (SELECT row_number() OVER (ORDER BY slug) AS n "
         "FROM categories)", (), 4),
    ],
)  # fmt: skip
def test_what_a_check_may_ask(world, sql, values, answer):
    assert world.query(sql, values)[0][0] == answer


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM loans",
        "UPDATE items SET price = 0",
        "INSERT INTO categories VALUES ('x', 'X', NULL)",
        "CREATE TABLE t (x)",
        "DROP TABLE loans",
        "ATTACH ':memory:' AS other",
        "PRAGMA foreign_keys = OFF",
        "PRAGMA query_only",
        "SAVEPOINT x",
        "RELEASE call",
        "ROLLBACK",
        "COMMIT",
        "BEGIN",
        "VACUUM INTO '/tmp/davinci-check-wrote-a-file'",
        "SELECT load_extension('x')",
        "SELECT random()",
        "SELECT randomblob(8)",
        "SELECT zeroblob(8)",
        "SELECT hex(randomblob(1))",
        "SELECT last_insert_rowid()",
        "SELECT sqlite_version()",
        "SELECT date('now')",
        "SELECT date(' NOW ')",
        'SELECT date("now")',
        "SELECT date('n' || 'ow')",
        "SELECT date()",
        "SELECT strftime('%s')",
        "SELECT datetime('2026-01-01', 'localtime')",
        "SELECT time('2026-01-01', 'utc')",
        "SELECT current_timestamp",
        "SELECT current_date",
        "SELECT 1; DELETE FROM loans",
        "SELECT no_such_column FROM loans",
        "SELECT",
        "",
        "SELECT '\0'",
        "SELECT '\ud800'",
        "SELECT :missing",
    ],
)
def test_what_a_check_may_not_ask(world, sql):
    with pytest.raises(DefectError, match="check"):
        world.query(sql)
    assert world.query("SELECT count(*) FROM loans") == [(len(world.all(SHED.Loan)),)]
    assert world.changes() == []


def test_now_as_a_value_is_refused_too(world):
    with pytest.raises(DefectError):
        world.query("SELECT date(?)", ("now",))


@pytest.mark.parametrize(
    "sql",
    [
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        "SELECT count(*) FROM loans a, loans b, loans c, loans d, loans e, loans f, loans g,"
        " loans h, loans i, loans j, loans k",
    ],
)
def test_a_check_that_takes_too_long_is_stopped(world, sql, monkeypatch):
    monkeypatch.setattr(connection, "CHECK_SECONDS", 0.1)
    start = time.thread_time()
    with pytest.raises(DefectError, match="interrupted"):
        world.query(sql)
    assert time.thread_time() - start < 1
    assert world.query("SELECT 1") == [(1,)]


@pytest.mark.parametrize(
    "sql",
    [
        "WITH RECURSIVE n(i, t) AS (SELECT 1, 'xxxx' UNION ALL SELECT i + 1, t || t FROM n "
        "WHERE i < 40) SELECT length(t) FROM n",
        "SELECT replace(printf('%100000d', 1), ' ', 'twenty letters in all')",
        "SELECT quote(?)",
    ],
)
def test_a_check_may_not_build_giant_texts(world, sql):
    values = ("x" * 300_000,) if "?" in sql else ()
    with pytest.raises(DefectError, match="too big"):
        world.query(sql, values)


def test_a_check_may_not_return_endless_rows(world):
    with pytest.raises(DefectError, match="more than 100000 rows"):
        world.query(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        )


def test_helpers_can_be_called_once_they_are_registered():
    world = SHED.domain.build()
    with pytest.raises(DefectError):
        world.query("SELECT late_fee(4)")
    register_helpers(world.connection, {"late_fee": (1, SHED.domain.helpers["late_fee"])})
    assert world.query("SELECT late_fee(4)") == [(100,)]
    with pytest.raises(DefectError):
        world.query("SELECT late_fee(NULL)")
    world.close()


def test_the_engine_itself_may_neither_attach_nor_commit():
    world = SHED.domain.build()
    world.all(SHED.Item)[0].price = 1
    for sql in (
        "ATTACH ':memory:' AS x",
        "PRAGMA foreign_keys = OFF",
        "COMMIT",
        "DROP TABLE loans",
    ):
        with pytest.raises(sqlite3.DatabaseError):
            world.execute(sql)
    with pytest.raises(sqlite3.DatabaseError):
        world.connection.commit()
    world.reset()
    assert world.changes() == []
    world.close()


def test_a_check_never_reuses_a_statement_prepared_by_the_engine():
    world = SHED.domain.build()
    sql = "SELECT random()"
    world.execute(sql)
    with pytest.raises(DefectError):
        world.query(sql)
    world.close()
