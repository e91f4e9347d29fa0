"""Runs a foreign Python program with a clock that stands still.

    PYTHON frozen.py MOMENT MODULE:FUNCTION ARGUMENT…

`MOMENT` is ISO without a zone and is read as UTC. For the program it is always then: in `datetime`,
in `time` (but not in its monotonic clocks, by which people wait) and in SQLite's date functions.
Temporary files get the first free of a row of names. What the program writes is then the same in
every process, and after every return to a kept state. Standard library alone.
"""

from __future__ import annotations

import datetime
import importlib
import itertools
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

_SQL = ("datetime", "date", "time", "julianday", "unixepoch")
_CONSTANTS = {
    "current_timestamp": "datetime('now')",
    "current_date": "date('now')",
    "current_time": "time('now')",
}


def freeze(moment: datetime.datetime) -> None:
    """Stop every clock at a moment of UTC; for the rest of the process."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    seconds = moment.replace(tzinfo=datetime.UTC).timestamp()
    _freeze_time(seconds)
    _freeze_datetime(moment)
    _freeze_sqlite(moment)
    tempfile._get_candidate_names = _names  # type: ignore[attr-defined]


def _names() -> Iterator[str]:
    """Names for temporary files, from the first each time: a name in use is passed over."""
    return (f"{number:04d}" for number in itertools.count(1))


def _freeze_time(seconds: float) -> None:
    # Static methods: `logging` keeps one of these as an attribute of a class, where a plain
    # function would be given the instance.
    time.time = staticmethod(lambda: seconds)
    time.time_ns = staticmethod(lambda: int(seconds) * 1_000_000_000)
    for name in ("localtime", "gmtime", "ctime"):
        setattr(time, name, staticmethod(_at(getattr(time, name), seconds)))
    words = time.strftime
    time.strftime = staticmethod(lambda form, *given: words(form, *(given or [time.gmtime()])))


def _at(function: Any, seconds: float) -> Any:
    return lambda given=None: function(seconds if given is None else given)


def _freeze_datetime(moment: datetime.datetime) -> None:
    """Put classes in the place of `datetime` and `date` that know what time it is.

    What C code makes is of the old classes, so both count as instances.
    """
    real_datetime, real_date = datetime.datetime, datetime.date

    class Either(type):
        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, real_datetime if cls is Stopped else real_date)

        def __subclasscheck__(cls, subclass: type) -> bool:
            return issubclass(subclass, real_datetime if cls is Stopped else real_date)

    class Stopped(real_datetime, metaclass=Either):  # type: ignore[misc, valid-type]
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            here = cls(*moment.timetuple()[:6], tzinfo=datetime.UTC)
            return here.replace(tzinfo=None) if tz is None else here.astimezone(tz)

        @classmethod
        def utcnow(cls) -> Any:
            return cls.now()

        @classmethod
        def today(cls) -> Any:
            return cls.now()

    class Day(real_date, metaclass=Either):  # type: ignore[misc, valid-type]
        @classmethod
        def today(cls) -> Any:
            return cls(*moment.timetuple()[:3])

    for stopped, name in ((Stopped, "datetime"), (Day, "date")):
        stopped.__name__ = stopped.__qualname__ = name
        stopped.__module__ = "datetime"
        setattr(datetime, name, stopped)


def _freeze_sqlite(moment: datetime.datetime) -> None:
    """Give every connection date functions for which "now" is the moment."""
    connect = sqlite3.connect
    plain = connect(":memory:", check_same_thread=False)
    now = moment.isoformat(" ", "seconds")

    def shown(name: str) -> Any:
        def function(*arguments: Any) -> Any:
            given = [now if a == "now" else a for a in arguments] or [now]
            marks = ", ".join("?" for _ in given)
            return plain.execute(f"SELECT {name}({marks})", given).fetchone()[0]

        return function

    def connected(*arguments: Any, **options: Any) -> Any:
        connection = connect(*arguments, **options)
        for name in _SQL:
            connection.create_function(name, -1, shown(name))
        for name, meant in _CONSTANTS.items():
            value = shown(meant.partition("(")[0])("now")
            connection.create_function(name, 0, lambda value=value: value)
        return connection

    sqlite3.connect = connected


def main() -> None:
    """Freeze, then run the program with its own arguments."""
    moment, entry, *arguments = sys.argv[1:]
    freeze(datetime.datetime.fromisoformat(moment))
    # This file's folder would stand before the program's own modules.
    if sys.path[:1] == [os.path.dirname(os.path.abspath(__file__))]:
        del sys.path[0]
    sys.argv = [entry, *arguments]
    module, _, function = entry.partition(":")
    getattr(importlib.import_module(module), function)()


if __name__ == "__main__":
    main()
