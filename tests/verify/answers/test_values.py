"""Values in words: what is read, and what expected values are brought to."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from davinci_env.errors import DefectError
from davinci_env.verify.answers import finding
from davinci_env.verify.answers.finding import Message
from davinci_env.verify.answers.values import canonical
from davinci_env.verify.answers.words import stem

MONDAY = date(2026, 3, 16)


def read(text: str, kind: str) -> list[Any]:
    return [f.readings for f in Message(text, MONDAY).findings if f.kind == kind]


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("$2.50", 250),
        ("2.50 USD", 250),
        ("USD 1,249", 124900),
        ("250 cents", 250),
        ("two dollars and fifty cents", 250),
        ("45 dollars and 99 cents", 4599),
        ("thirteen dollars seventy-five", 1375),
        ("one thousand two hundred and forty-nine dollars", 124900),
        ("a dollar", 100),
        ("€75.00", 7500),
        ("a one-dollar instalment", 100),
    ],
)
def test_money(text: str, cents: int) -> None:
    assert read(text, "money") == [(cents,)]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-03-20", date(2026, 3, 20)),
        ("03/20/2026", date(2026, 3, 20)),
        ("20/03/2026", date(2026, 3, 20)),
        ("20.03.2026", date(2026, 3, 20)),
        ("3/20", date(2026, 3, 20)),
        ("March 20", date(2026, 3, 20)),
        ("Fri 20 Mar", date(2026, 3, 20)),
        ("Friday, the 20th of March 2026", date(2026, 3, 20)),
        ("the twentieth of March", date(2026, 3, 20)),
        ("December 30", date(2025, 12, 30)),
        ("tomorrow", date(2026, 3, 17)),
        ("the day after tomorrow", date(2026, 3, 18)),
        ("in three days", date(2026, 3, 19)),
        ("two weeks ago", date(2026, 3, 2)),
        ("four weeks from tomorrow", date(2026, 4, 14)),
        ("this Thursday", date(2026, 3, 19)),
        ("next Tuesday", date(2026, 3, 24)),
        ("last Thursday", date(2026, 3, 12)),
        ("last Monday", date(2026, 3, 9)),
    ],
)
def test_dates(text: str, day: date) -> None:
    assert read(text, "date") == [(day,)]


def test_a_weekday_alone_may_be_ahead_or_behind() -> None:
    assert read("on Thursday", "date") == [(date(2026, 3, 19), date(2026, 3, 12))]


def test_a_day_of_a_month_unsaid_may_be_of_the_last_or_the_next() -> None:
    assert read("Wednesday the 15th", "date") == [(date(2026, 4, 15),)]
    assert read("the 20th", "date") == [(date(2026, 2, 20), date(2026, 3, 20), date(2026, 4, 20))]


def test_a_date_on_the_wrong_weekday_is_none() -> None:
    assert read("Friday, March 16", "date") == [()]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("14:30", (time(14, 30),)),
        ("2:30 pm", (time(14, 30),)),
        ("2.30 p.m.", (time(14, 30),)),
        ("02:30", (time(2, 30),)),
        ("2:30", (time(2, 30), time(14, 30))),
        ("12 am", (time(0, 0),)),
        ("noon", (time(12, 0),)),
        ("half past two in the afternoon", (time(14, 30),)),
        ("a quarter to ten in the morning", (time(9, 45),)),
        ("nine o'clock", (time(9, 0), time(21, 0))),
    ],
)
def test_times(text: str, times: tuple[time, ...]) -> None:
    assert read(text, "time") == [times]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("half an hour", 30),
        ("30 minutes", 30),
        ("a 30-minute visit", 30),
        ("PT30M", 30),
        ("PT1H30M", 90),
        ("an hour and a half", 90),
        ("one and a half hours", 90),
        ("1.5 hours", 90),
        ("1 h 30 min", 90),
        ("1h30", 90),
        ("three quarters of an hour", 45),
        ("two hours and 15 minutes", 135),
        ("two weeks", 20160),
    ],
)
def test_spans(text: str, minutes: int) -> None:
    assert read(text, "span") == [(minutes,)]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("a dozen", [12]),
        ("two dozen", [24]),
        ("twenty-one of them", [21]),
        ("4.5 stars", [4.5]),
        ("the glass one", []),
        ("one book", [1]),
        ("order W10 of March 3", []),
        ("loan LN-00022", []),
        ("mara.fischer88@example.com", []),
    ],
)
def test_numbers(text: str, numbers: list[float]) -> None:
    assert read(text, "number") == [(n,) for n in numbers]


def test_moments_join_times_with_the_nearest_date() -> None:
    text = "Moved from March 18 at 9:00 am to next Tuesday, half past two in the afternoon."
    assert [f.readings for f in Message(text, MONDAY).moments()] == [
        (datetime(2026, 3, 18, 9, 0),),
        (datetime(2026, 3, 24, 14, 30),),
    ]


def test_a_span_ahead_counts_from_now() -> None:
    message = Message("See you in half an hour.", MONDAY, datetime(2026, 3, 16, 9, 30))
    assert [f.readings for f in message.moments()] == [(datetime(2026, 3, 16, 10, 0),)]


def test_a_letter_that_may_start_a_value_is_never_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = (
        "In a week, the day after tomorrow, half past two, a dozen, this Monday, an hour, USD 5,"
        " in 3 days."
    )
    found = Message(text, MONDAY).findings
    monkeypatch.setattr(finding, "_START", finding.re.compile(r"[\s\S]"))
    assert Message(text, MONDAY).findings == found
    assert len(found) == 8


@pytest.mark.parametrize(
    ("type_", "given", "value"),
    [
        ("number", Decimal("4.5"), 4.5),
        ("money", 250, 250),
        ("span", 30, 30),
        ("date", "2026-03-16", MONDAY),
        ("date", datetime(2026, 3, 16, 9, 30), MONDAY),
        ("datetime", "2026-03-16 09:30:00", datetime(2026, 3, 16, 9, 30)),
        ("time", "08:30", time(8, 30)),
        ("yesno", 1, True),
        ("yesno", "no", False),
        ("id", "#w-23", "W23"),
        ("enum", "in_transit", "in transit"),
        ("name", "Grandmother’s Atlas", "grandmother 's atlas"),
    ],
)
def test_expected_values(type_: str, given: Any, value: Any) -> None:
    assert canonical(type_, given) == value


@pytest.mark.parametrize(
    ("type_", "given"),
    [
        ("money", 2.5),
        ("date", "soon"),
        ("number", True),
        ("yesno", 2),
        ("name", ""),
        ("colour", "red"),
    ],
)
def test_an_expected_value_of_another_type_is_a_defect(type_: str, given: Any) -> None:
    with pytest.raises(DefectError):
        canonical(type_, given)


@pytest.mark.parametrize(
    "words",
    [
        "renew renews renewed renewing renewal renewals",
        "cancel cancels cancelled canceled cancelling cancellation",
        "identify identifies identified identifying identification",
        "pay pays paid paying payment payments",
        "agree agrees agreed",
        "expire expires expired expiration",
        "close closes closed closing closure",
        "copy copies",
        "fee fees",
    ],
)
def test_inflections_share_a_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


def test_other_words_keep_apart() -> None:
    words = [
        "need",
        "exceed",
        "order",
        "other",
        "over",
        "fine",
        "fee",
        "late",
        "account",
        "card",
        "loan",
        "limit",
    ]
    assert len({stem(word) for word in words}) == len(words)
