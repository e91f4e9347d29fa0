"""Connections: opened from an image, armed with an authorizer, and read-only queries for checks.

The authorizer acts when a statement is prepared. The engine may read, write rows and use
savepoints; a check may only SELECT with a list of deterministic functions. Check statements carry a
comment, so that none equals a cached statement.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ..errors import DefectError
from .schema import Schema

CHECK_SECONDS = 1.0
"""CPU seconds after which a check is stopped."""

MAX_VALUE_BYTES = 200_000
"""Longest string or blob that SQLite may build: one opcode on two of them still ends in time."""

MAX_CHECK_ROWS = 100_000
"""Most rows that a check may return."""

_CLOCK_FUNCTIONS = ("date", "time", "datetime", "julianday", "strftime")
_FUNCTIONS = """
abs coalesce count sum total min max avg group_concat ifnull iif instr length lower upper like glob
nullif replace round substr substring trim ltrim rtrim typeof printf format hex quote
json_array json_object json_group_array json_group_object json_extract json_array_length json_each
-> ->> row_number rank dense_rank
"""
FUNCTIONS = frozenset((*_FUNCTIONS.split(), *_CLOCK_FUNCTIONS))
"""SQL functions that a check may call.

Those of date and time refuse the wall clock and time zones.
"""

_ENGINE_ACTIONS = frozenset(
    (
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_INSERT,
        sqlite3.SQLITE_UPDATE,
        sqlite3.SQLITE_DELETE,
        sqlite3.SQLITE_SAVEPOINT,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
    )
)
_CHECK_ACTIONS = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE))


class Connection(sqlite3.Connection):
    """A connection that knows whether it prepares for the engine, for a check, or for set-up."""

    mode: str = "setup"
    helpers: frozenset[str] = frozenset()

    def authorize(self, action: int, first: str | None, second: str | None, *rest: Any) -> int:
        """Decide at preparation time."""
        if self.mode == "engine":
            return sqlite3.SQLITE_OK if action in _ENGINE_ACTIONS else sqlite3.SQLITE_DENY
        if self.mode == "check":
            allowed = action in _CHECK_ACTIONS or (
                action == sqlite3.SQLITE_FUNCTION
                and (second in FUNCTIONS or second in self.helpers)
            )
            return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_OK


def connect(schema: Schema, database: bytes | None) -> Connection:
    """Open an in-memory database from an image, or an empty one with the schema's tables."""
    connection = sqlite3.connect(
        ":memory:",
        isolation_level=None,
        cached_statements=512,
        check_same_thread=False,
        factory=Connection,
    )
    if database is None:
        # Small pages: a world's tables are small, and each changed page is a copy (measured: 1,000
        # environments take a fifth less memory than with the default of 4,096 bytes).
        connection.execute("PRAGMA page_size = 1024")
        connection.executescript(schema.ddl)
    else:
        connection.deserialize(database)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    for name in _CLOCK_FUNCTIONS:
        connection.create_function(name, -1, _clock_function(name), deterministic=True)
    connection.set_authorizer(connection.authorize)
    connection.mode = "engine"
    return connection


def register_helpers(
    connection: Connection, helpers: dict[str, tuple[int, Callable[..., Any]]]
) -> None:
    """Make a domain's pure helpers callable from checks (name -> number of arguments, function)."""
    connection.mode = "setup"
    for name, (arity, function) in helpers.items():
        connection.create_function(name, arity, function, deterministic=True)
    connection.helpers = connection.helpers | frozenset(helpers)
    connection.mode = "engine"


def guarded_query(
    connection: Connection, sql: str, values: Sequence[Any] | dict[str, Any]
) -> list[tuple[Any, ...]]:
    """Run one SELECT read-only, with a time limit.

    Raises DefectError when it is refused, fails, takes too long or returns too much.
    """
    deadline = time.thread_time() + CHECK_SECONDS
    connection.set_progress_handler(lambda: time.thread_time() > deadline, 10_000)
    connection.mode = "check"
    try:
        cursor = connection.execute(f"/* check */ {sql}", values)
        rows = cursor.fetchmany(MAX_CHECK_ROWS + 1)
    except (sqlite3.Error, sqlite3.Warning, TypeError, ValueError, OverflowError) as error:
        raise DefectError(f"A check failed ({error}): {sql[:500]}") from None
    finally:
        connection.mode = "engine"
        connection.set_progress_handler(None, 0)
    if cursor.description is None:
        raise DefectError(f"A check asks nothing: {sql[:500]}")
    if len(rows) > MAX_CHECK_ROWS:
        raise DefectError(f"A check returned more than {MAX_CHECK_ROWS} rows: {sql[:500]}")
    return rows


@cache
def _clock_function(name: str) -> Callable[..., Any]:
    """SQLite's own function of this name, for given times only.

    Without a time, or with 'now' however it is spelt, it would read the wall clock; time zones
    would make the answer depend on the machine.
    """
    original = sqlite3.connect(":memory:", check_same_thread=False)
    position = 1 if name == "strftime" else 0

    def call(*arguments: Any) -> Any:
        words = [a.strip().lower() for a in arguments if isinstance(a, str)]
        if len(arguments) <= position or arguments[position] is None:
            if len(arguments) > position:
                return None
            raise ValueError(f"{name}() without a time reads the wall clock")
        if not {"now", "subsec", "subsecond", "localtime", "utc"}.isdisjoint(words):
            raise ValueError(f"{name}() may not depend on the wall clock or a time zone")
        marks = ", ".join("?" * len(arguments))
        return original.execute(f"SELECT {name}({marks})", arguments).fetchone()[0]

    return call
