"""A foreign program under a clock that stands still."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from davinci_env.egts.systems.hosted import HOSTS

PROGRAM = """
import datetime, json, logging, sqlite3, sys, tempfile, time

def main():
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE rows (name, made TIMESTAMP DEFAULT (datetime('now')),"
                     " day DEFAULT CURRENT_DATE)")
    database.execute("INSERT INTO rows (name) VALUES ('a')")
    parsed = datetime.datetime.fromisoformat("2020-01-01")
    print(json.dumps({
        "now": datetime.datetime.now().isoformat(),
        "utc": datetime.datetime.now(datetime.timezone.utc).isoformat(),
        "today": datetime.date.today().isoformat(),
        "later": (datetime.datetime.utcnow() + datetime.timedelta(days=1)).isoformat(),
        "instances": [isinstance(parsed, datetime.datetime), isinstance(parsed, datetime.date),
                      isinstance(datetime.date.today(), datetime.datetime)],
        "time": [time.time(), time.strftime("%Y-%m-%d %H:%M"), time.gmtime().tm_hour],
        "waits": time.monotonic() != time.monotonic() or time.perf_counter() > 0,
        "rows": database.execute("SELECT * FROM rows").fetchall(),
        "week": database.execute("SELECT date('now', '+7 days'), date('2024-02-28', '+1 day')")
                        .fetchone(),
        "names": [tempfile.mktemp(prefix="x_", dir="/nowhere") for _ in range(2)],
        "formatted": logging.Formatter("%(asctime)s").format(logging.makeLogRecord({})),
        "arguments": sys.argv[1:],
    }))
"""


@pytest.fixture
def told(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, str(HOSTS / "frozen.py"), "2025-05-14T09:30:00", "program:main", "--x"],
        env={"PYTHONPATH": str(tmp_path), "TZ": "Asia/Tokyo"}, cwd=tmp_path, timeout=60,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_clock_of_days_stands_still_and_that_of_waiting_goes_on(told: dict[str, Any]) -> None:
    assert told["now"] == "2025-05-14T09:30:00"
    assert told["utc"] == "2025-05-14T09:30:00+00:00"
    assert told["today"] == "2025-05-14"
    assert told["later"] == "2025-05-15T09:30:00"
    # 20,222 days and nine and a half hours after the epoch.
    assert told["time"] == [20222 * 86400 + 34200, "2025-05-14 09:30", 9]
    assert told["formatted"].startswith("2025-05-14 09:30:00")
    assert told["waits"]


def test_what_c_code_makes_counts_as_an_instance(told: dict[str, Any]) -> None:
    assert told["instances"] == [True, True, False]


def test_sqlite_has_the_same_clock(told: dict[str, Any]) -> None:
    assert told["rows"] == [["a", "2025-05-14 09:30:00", "2025-05-14"]]
    assert told["week"] == ["2025-05-21", "2024-02-29"]


def test_temporary_names_and_arguments(told: dict[str, Any]) -> None:
    assert told["names"] == ["/nowhere/x_0001", "/nowhere/x_0001"]
    assert told["arguments"] == ["--x"]
