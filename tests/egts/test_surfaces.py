"""How values are said, so that they can be read again."""

import random
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from davinci_env.egts.lexicon import Arg
from davinci_env.egts.surfaces import Style, joined, plain, said

STYLES = [Style(day, clock) for day in ("us", "uk") for clock in ("24", "12")]
_DAYS = {"us": "%B %d, %Y", "uk": "%d %B %Y"}
US, UK = Style("us", "12"), Style("uk", "24")


@given(st.dates(date(1000, 1, 1)), st.sampled_from(STYLES))
def test_a_day_can_be_read_again(day: date, style: Style) -> None:
    text = said(day.isoformat(), Arg(date=("2026-01-01", "2026-01-02")), style)
    assert datetime.strptime(text, _DAYS[style.day]).date() == day


@given(st.datetimes(datetime(1000, 1, 1)), st.sampled_from(STYLES))
def test_a_minute_can_be_read_again(moment: datetime, style: Style) -> None:
    moment = moment.replace(second=0, microsecond=0)
    arg = Arg(datetime=("2026-01-01", "2026-01-02"), format="%Y/%m/%d %H:%M")
    written = f"{moment.year}/{moment:%m/%d %H:%M}"
    day, _, clock = said(written, arg, style).partition(" at ")
    assert datetime.strptime(day, _DAYS[style.day]).date() == moment.date()
    if style.time == "12":
        form = "%I:%M %p" if ":" in clock else "%I %p"
    else:
        form = "%H:%M"
    assert datetime.strptime(clock, form).time() == moment.time()


def test_days_and_times_by_hand() -> None:
    arg = Arg(datetime=("2026-01-01", "2026-01-02"))
    assert said("2026-05-04 14:30", arg, US) == "May 4, 2026 at 2:30 pm"
    assert said("2026-05-04 12:00", arg, US) == "May 4, 2026 at 12 pm"
    assert said("2026-05-04 00:00", arg, US) == "May 4, 2026 at 12 am"
    assert said("2026-05-04 14:30", arg, UK) == "4 May 2026 at 14:30"
    assert said("some day", arg, UK) == "some day"


def test_the_present_year_is_not_said() -> None:
    arg = Arg(datetime=("2026-01-01", "2026-01-02"))
    now = Style("uk", "24", "$", 2026)
    assert said("2026-05-04 14:30", arg, now) == "4 May at 14:30"
    assert said("2027-05-04 14:30", arg, now) == "4 May 2027 at 14:30"
    assert said("2026-05-04", Arg(), now) == "4 May"
    assert said("2026-05", Arg(), now) == "2026-05"


def test_of_a_later_moment_on_the_same_day_only_the_time_is_said() -> None:
    arg = Arg(after="begin")
    assert said("2026-05-04 15:00", arg, UK, "2026-05-04 14:30") == "15:00"
    assert said("2026-05-05 15:00", arg, UK, "2026-05-04 14:30") == "5 May 2026 at 15:00"


def test_a_time_alone_is_said_without_a_day() -> None:
    arg = Arg(datetime=("2026-01-01", "2026-01-02"), format="%H:%M")
    assert said("14:30", arg, UK) == "14:30"
    assert said("14:30", arg, US) == "2:30 pm"


@pytest.mark.parametrize(
    ("amount", "text"),
    [(5.0, "$5"), (1234.5, "$1,234.50"), (0.05, "$0.05"), (100, "$100")],
)
def test_money(amount: float, text: str) -> None:
    assert said(amount, Arg(money=(0, 1)), US) == text
    assert said(amount, Arg(money=(0, 1)), Style("us", "12", "€")) == text.replace("$", "€")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.0, "3"), (0.5, "0.5"), (12345.67, "12345.67"), (0.00001, "0.00001"), (2500000.0,
        "2500000"), (7, "7"), (True, "yes"), (["a", 2.0], "a and 2"), ("x", "x"), (-0.25, "-0.25"),
    ],
)  # fmt: skip
def test_plain_values(value: Any, text: str) -> None:
    assert plain(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_said_whole_and_without_an_exponent(value: float) -> None:
    assert float(Decimal(plain(value))) == value
    assert "e" not in plain(value)


def test_choices_and_frames() -> None:
    arg = Arg(choice={"true": "urgent", "false": "not urgent"}, said="marked {}")
    assert said(True, arg, US) == "marked urgent"
    assert said("other", Arg(choice={"a": "b"}), US) == "other"
    assert said("{x}", Arg(said="<{}>"), US) == "<{x}>"


def test_lists() -> None:
    assert joined([]) == ""
    assert joined(["a"]) == "a"
    assert joined(["a", "b", "c"]) == "a, b and c"


def test_a_manner_is_one_of_the_common_ones() -> None:
    assert {Style.of(random.Random(seed)) for seed in range(60)} == set(STYLES)
