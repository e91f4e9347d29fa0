"""How values are said: in documents, by colleagues, by people."""

from datetime import date, datetime

import pytest

from davinci_env.agents.speech import (
    label_paths,
    ordinal,
    say_day,
    say_near,
    say_number,
    spoken_amounts,
    spoken_days,
    stands_for,
    ways_to_say,
)
from tests.support.boats import Boat, Booking, domain

TODAY = date(2026, 6, 1)  # a Monday


@pytest.mark.parametrize(
    ("day", "said"),
    [
        (date(2026, 6, 5), "Friday, June 5"),
        (date(2026, 5, 19), "Tuesday, May 19"),
        (date(2026, 6, 14), "Sunday, June 14"),
        (date(2026, 6, 15), "June 15"),
        (date(2027, 1, 2), "January 2, 2027"),
    ],
)
def test_a_day_is_told_by_its_distance(day: date, said: str) -> None:
    assert say_day(day, TODAY) == said


def test_a_moment_has_its_day_and_time() -> None:
    moment = datetime(2026, 6, 2, 14, 30)
    assert say_near(domain, "datetime", moment) == "Tuesday, June 2 at 14:30"


@pytest.mark.parametrize(
    ("day", "ways"),
    [
        (date(2026, 6, 1), ["today"]),
        (date(2026, 5, 31), ["yesterday"]),
        (
            date(2026, 6, 5),
            ["June 5", "June 5th", "the 5th of June", "this Friday", "Friday, June 5"],
        ),
        (date(2026, 6, 9), ["June 9", "June 9th", "the 9th of June", "Tuesday next week"]),
        (date(2026, 6, 16), ["June 16", "June 16th", "the 16th of June"]),
        (date(2025, 6, 16), ["June 16, 2025", "16 June 2025"]),
    ],
)
def test_people_say_days_so_that_one_day_is_meant(day: date, ways: list[str]) -> None:
    assert spoken_days(day, TODAY) == ways


def test_whole_amounts_lose_their_cents_in_speech() -> None:
    assert spoken_amounts(domain, 1200) == ["$12", "$12.00", "12 dollars"]
    assert spoken_amounts(domain, 1250) == ["$12.50"]
    assert spoken_amounts(domain, 100) == ["$1", "$1.00"]


def test_every_way_is_listed_for_whoever_checks_words() -> None:
    ways = ways_to_say(domain, "date", date(2026, 6, 5))
    assert {"June 5, 2026", "Friday, June 5", "this Friday", "5 June", "2026-06-05"} <= set(ways)
    assert "three" in ways_to_say(domain, "int", 3)
    assert ways_to_say(domain, "str", "library_error") == ["library_error", "library error"]


def test_numbers() -> None:
    assert (say_number(0), say_number(12), say_number(13)) == ("no", "twelve", "13")
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 21)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "21st",
    ]  # fmt: skip


def test_what_a_label_quotes_first_stands_for_the_row() -> None:
    info = Booking._info
    assert label_paths(info) == ["boat.name"]
    assert stands_for(info, "")
    assert stands_for(info, "boat")
    assert stands_for(info, "boat.name")
    assert not stands_for(info, "guest")
    assert label_paths(Boat._info) == ["name"]
