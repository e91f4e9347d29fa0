"""Dialects: every codec brings back what it showed, and shows what its schema says."""

from datetime import date, datetime, time

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from davinci_env.domain import Dialect, say_minutes
from davinci_env.domain.dialect import Codec
from tests.support.shed import DIALECTS

VALUES = {
    "str": st.text(max_size=5),
    "int": st.integers(),
    "float": st.floats(allow_nan=False),
    "bool": st.booleans(),
    "date": st.dates(date(1, 1, 1), date(9999, 12, 31)),
    "datetime": st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(
        lambda v: v.replace(second=0, microsecond=0)
    ),
    "time": st.times().map(lambda v: v.replace(second=0, microsecond=0)),
    "money": st.integers(-(10**13), 10**13),
    "minutes": st.integers(-(10**5), 10**5),
}
CASES = [(name, kind) for name in DIALECTS for kind in VALUES]


def show(codec: Codec, value):
    return value if codec.show is None else codec.show(value)


@pytest.mark.parametrize(("name", "kind"), CASES)
@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_codecs_bring_back_what_they_showed(name, kind, data):
    codec = DIALECTS[name].codec(kind)
    value = data.draw(VALUES[kind])
    shown = show(codec, value)
    assert (shown if codec.read is None else codec.read(shown)) == value
    assert type(shown).__name__ in {
        "string": ["str"], "integer": ["int"], "number": ["float", "int"], "boolean": ["bool"],
    }[codec.schema["type"]]  # fmt: skip


@pytest.mark.parametrize(("name", "kind"), CASES)
@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_what_fits_the_schema_of_an_argument_can_be_read(name, kind, data):
    codec = DIALECTS[name].codec(kind)
    values = VALUES[kind]
    if kind in ("money", "minutes"):
        values = st.integers(0, 9999)
    jsonschema.validate(show(codec, data.draw(values)), codec.schema)
    if "pattern" in codec.schema and kind not in ("date", "datetime"):
        text = data.draw(st.from_regex(codec.schema["pattern"], fullmatch=True))
        codec.read(text)


@pytest.mark.parametrize(
    ("name", "kind", "value", "text"),
    [
        ("plain", "date", date(2026, 3, 16), "2026-03-16"),
        ("plain", "datetime", datetime(2026, 3, 16, 9, 30), "2026-03-16T09:30"),
        ("plain", "money", 1250, 1250),
        ("plain", "minutes", 90, 90),
        ("shop", "date", date(2026, 3, 6), "03/06/2026"),
        ("shop", "datetime", datetime(2026, 3, 6, 9, 5), "03/06/2026 09:05"),
        ("shop", "money", 1250, "12.50"),
        ("shop", "money", -5, "-0.05"),
        ("shop", "minutes", 90, "PT1H30M"),
        ("shop", "minutes", 0, "PT0M"),
        ("shop", "minutes", 120, "PT2H"),
        ("shop", "minutes", -30, "-PT30M"),
        ("club", "date", date(2026, 3, 6), "06.03.2026"),
        ("club", "time", time(9, 5), "09:05"),
        ("club", "money", 1250, 12.5),
        ("club", "minutes", 65, "1:05"),
        ("club", "minutes", -65, "-1:05"),
    ],
)
def test_how_values_look(name, kind, value, text):
    assert show(DIALECTS[name].codec(kind), value) == text


def test_names_verbs_errors_and_amounts():
    plain, shop, club = DIALECTS["plain"], DIALECTS["shop"], DIALECTS["club"]
    assert plain.key("member_id") == "member_id"
    assert shop.key("member_id") == "memberId"
    assert shop.key("email") == "email"
    assert (
        plain.verb("list", owner="member", entities="loans", entity="loan") == "list_member_loans"
    )
    assert (
        shop.verb("list", owner="member", entities="loans", entity="loan") == "list_loans_by_member"
    )
    assert shop.error("not_found", entity="loan", id="7") == "loan 7 not found"
    assert plain.error("not_found", entity="loan", id="7") == "No loan has the ID 7."
    assert plain.error("invalid", detail="{x}") == "Invalid arguments: {x}."
    assert plain.say_money(123456) == "$1,234.56"
    assert club.say_money(-5) == "-€0.05"
    assert Dialect(keys="camel").key("a_b_c") == "aBC"


def test_lengths_of_time_as_people_say_them():
    assert [say_minutes(n) for n in (0, 1, 90, 60, 1440, 2880, 1501)] == [
        "0 minutes", "1 minute", "1 hour 30 minutes", "1 hour", "1 day", "2 days",
        "1 day 1 hour 1 minute",
    ]  # fmt: skip
