"""Moments that were read from the clock, and those that are data."""

from datetime import UTC, datetime
from typing import Any

import pytest

from davinci_env.egts.systems import clock as module
from davinci_env.egts.systems.clock import Clock

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("value", "stilled"),
    [
        ("2026-03-04T05:06:07Z", "2025-01-01T00:00:00Z"),
        ("2026-03-04 05:06:07", "2025-01-01 00:00:00"),
        ("2026-03-04T05:06:06.123456+00:00", "2025-01-01T00:00:00.000000+00:00"),
        ("2026-03-04T07:06:07+02:00", "2025-01-01T02:00:00+02:00"),
        ("at 2026-03-04T05:06:07.5Z, by Ann", "at 2025-01-01T00:00:00.0Z, by Ann"),
        ("Wed Mar 04 2026 05:06:07 GMT+0000 (UTC)", "Wed Jan 01 2025 00:00:00 GMT+0000 (UTC)"),
        (int(NOW), 1_735_689_600),
        (NOW, 1_735_689_600.0),
        (int(NOW * 1000), 1_735_689_600_000),
        ({"a": [f"{2026}-03-04T05:06:07Z"]}, {"a": ["2025-01-01T00:00:00Z"]}),
    ],
)
def test_the_time_of_a_call_stands_still(
    value: Any, stilled: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.time, "time", lambda: NOW + 1)
    found = Clock(NOW).stilled(value)
    assert found == stilled
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "value",
    [
        "2026-03-04T05:06:03Z",  # before
        "2026-03-04T05:06:12Z",  # still to come
        "2026-03-04T05:06:07+02:00",  # two hours ago
        "2026-03-04",
        "2026-13-04T05:06:07Z",
        "Wed Mar 99 2026 05:06:07 GMT+0000",
        7,
        True,
        None,
    ],
)
def test_data_stays(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.time, "time", lambda: NOW + 1)
    assert Clock(NOW).stilled(value) == value
