"""What wishes are about: rows named uniquely, selections, batches, with the reading of each."""

import itertools
import random
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from davinci_env.domain import Tool, load
from davinci_env.environment import DomainEnvironment
from davinci_env.planning import Binding, Survey
from davinci_env.planning.bindings import plain_arguments
from davinci_env.planning.goals import Step
from davinci_env.tasks.mentions import has_spoken_key
from davinci_env.tasks.missed import NoCandidate
from davinci_env.tasks.words import NoPhrase, Words
from tests.support.boats import Booking, Fee, domain, hired

SEEDS = range(60)


def words(hire: DomainEnvironment, seed: int = 0) -> Words:
    rng = random.Random(seed)
    return Words(Survey(hire, rng), rng)


def step(tool: str, arguments: dict[str, Any], **values: Any) -> Step:
    return Step(Binding(domain.tools[tool], values, ()), arguments)


def booking(hire: DomainEnvironment, key: str) -> Any:
    row = hire.world.get(Booking, key)
    assert row is not None
    return row


def move(hire: DomainEnvironment, key: str = "K-01") -> Step:
    row = booking(hire, key)
    day = date(2026, 6, 6)
    return step("move_booking", {"booking_id": key, "day": "2026-06-06"}, booking=row, day=day)


def texts(make: Callable[[int], str]) -> set[str]:
    return {make(seed) for seed in SEEDS}


# -- names -----------------------------------------------------------------------------------------


def test_a_row_is_named_by_what_people_call_it() -> None:
    hire = hired()
    named = [words(hire, seed).named(booking(hire, "K-01")) for seed in SEEDS]
    said = {mention.said for mention in named}
    assert {"my booking of the Heron", "my Heron booking"} <= said
    days = {"June 5", "June 5th", "the 5th of June", "Friday, June 5"}
    for mention in named:
        if "Heron" in mention.said:
            assert mention.fields == {"boat.name": "Heron"}
        else:
            assert mention.fields == {"day": "2026-06-05"}
            start = "the boat I have on "
            assert mention.said.removeprefix(start) in days | {"the boat I have this Friday"}


def test_a_name_that_fits_two_rows_gets_an_attribute() -> None:
    hire = hired("G-02")  # two bookings of the Plover, on Saturday and Sunday
    row = booking(hire, "K-04")
    mention = words(hire).describe(row, words(hire).survey.rows(Booking))
    assert mention.fields == {"boat.name": "Plover", "day": "2026-06-06"}
    assert mention.addition == ", the one that's on Saturday, June 6"


def test_a_column_that_is_asked_for_is_not_told() -> None:
    hire = hired("G-02")
    row = booking(hire, "K-04")
    with pytest.raises(NoCandidate, match="nobody can name"):
        words(hire).describe(row, words(hire).survey.rows(Booking), avoid={"day"})


# -- wishes ----------------------------------------------------------------------------------------


def test_a_wish_is_an_infinitive_with_its_reading() -> None:
    hire = hired()
    for seed in SEEDS:
        wish = words(hire, seed).wish(move(hire))
        assert wish.text.startswith(("move ", "push back "))
        assert " to " in wish.text
        arguments = wish.intent["arguments"]
        assert wish.intent["do"] == "move_booking"
        assert arguments["day"] == {"value": "2026-06-06"}
        assert arguments["booking_id"]["row"]["entity"] == "Booking"
        assert arguments["booking_id"]["row"]["mine"] is True


def test_what_is_told_is_what_the_text_says() -> None:
    hire = hired()
    for seed in SEEDS:
        wish = words(hire, seed).wish(move(hire), "move {booking} to {day}")
        fields = wish.intent["arguments"]["booking_id"]["row"]["fields"]
        if "boat.name" in fields:
            assert "Heron" in wish.text
            assert wish.told == [("Boat.name", "Heron")]
        else:
            assert wish.told == [("Booking.day", "2026-06-05")]


def test_who_acts_is_known_from_the_phrase() -> None:
    hire = hired()
    cancel = step("cancel_booking", {"booking_id": "K-01"}, booking=booking(hire, "K-01"))
    assert words(hire).wish(cancel, "take me off {booking.boat}").by_you
    assert not words(hire).wish(cancel, "cancel {booking}").by_you


def test_an_argument_can_be_left_out() -> None:
    hire = hired()
    wish = words(hire).wish(move(hire), leave_out="booking")
    assert "one of my bookings" in wish.text
    assert wish.intent["arguments"]["booking_id"] == {"missing": "booking_id"}


def test_the_second_wish_about_a_row_says_it() -> None:
    hire = hired()
    row = booking(hire, "K-01")
    cancel = step("cancel_booking", {"booking_id": "K-01"}, booking=row)
    for seed in SEEDS:
        first, second = words(hire, seed).wishes([move(hire), cancel])
        assert second.text in ("cancel it", "take me off it")
        same = first.intent["arguments"]["booking_id"], second.intent["arguments"]["booking_id"]
        assert same[0] == same[1]


def test_a_pronoun_stands_before_the_particle() -> None:
    hire = hired()
    rows = words(hire)
    known = rows.same(rows.named(booking(hire, "K-01")))
    wish = rows.wish(move(hire), "push back {booking} to {day}", mentions={"booking": known})
    assert wish.text.startswith("push it back to ")


def test_a_fallback_goes_into_the_reading() -> None:
    hire = hired()
    rows = words(hire)
    cancel = step("cancel_booking", {"booking_id": "K-01"}, booking=booking(hire, "K-01"))
    first, other = rows.wishes([move(hire), cancel])
    wish = rows.with_fallback(first, other)
    assert wish.intent["else"] == [other.intent]
    assert wish.fallback is other
    assert "else" not in first.intent


# -- selections ------------------------------------------------------------------------------------


def test_a_row_is_picked_by_a_superlative() -> None:
    hire = hired()
    row = booking(hire, "K-03")
    mention = words(hire).picked(row, "price", "least")
    assert mention.spec == {
        "row": {
            "entity": "Booking",
            "fields": {},
            "id": None,
            "mine": True,
            "pick": {"column": "price", "order": "least"},
        }
    }
    said = texts(lambda seed: words(hire, seed).picked(row, "price", "least").said)
    assert said == {
        "the booking that costs least",
        "my booking that costs least",
    }
    loosely = words(hire).picked(row, "day", "most").loosely
    assert loosely == "whichever of my bookings is last"


@pytest.mark.parametrize(
    ("column", "clauses", "least", "most"),
    [
        (
            "day",
            ("that takes place first", "that takes place last"),
            "my next booking",
            "the last of my bookings",
        ),
        (
            "day",
            ("that was placed first", "that was placed last"),
            "my oldest booking",
            "my latest booking",
        ),
        (
            "price",
            ("that's smallest", "that's biggest"),
            "my smallest booking",
            "my biggest booking",
        ),
    ],
)
def test_one_word_is_enough_for_what_comes_first_or_last(
    column: str,
    clauses: tuple[str, str],
    least: str,
    most: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hire = hired()
    monkeypatch.setattr(Booking._info, "superlatives", {column: clauses})
    row = booking(hire, "K-03")
    for seed in SEEDS:
        assert words(hire, seed).picked(row, column, "least").said == least
        assert words(hire, seed).picked(row, column, "most").said == most


def test_an_order_is_named_once_though_its_lines_are_spoken_of() -> None:
    orders = load("order_management")
    environment = DomainEnvironment(orders, orders.build(7), seed=7)
    people = [row.id for row in environment.world.all(orders.identity)]
    seen = 0
    for person in people[:6]:
        environment.act_for(person)
        for seed in range(6):
            rng = random.Random(seed)
            survey = Survey(environment, rng)
            for binding in itertools.islice(survey.bindings(orders.tools["request_return"]), 3):
                made = Step(binding, plain_arguments(binding))
                try:
                    wish = Words(survey, rng).wish(made)
                except NoCandidate:
                    continue
                seen += 1
                assert len(re.findall(r"\b(?:my|the) order\b", wish.text)) <= 1, wish.text
                rows = wish.intent["arguments"]["line_ids"]["rows"]
                assert all(any(p.startswith("order.") for p in row["fields"]) for row in rows)
    environment.close()
    assert seen > 5


def test_a_picked_row_narrowed_by_state_and_limit() -> None:
    hire = hired()
    row = booking(hire, "K-03")
    mention = words(hire).picked(row, "day", "least", {"status": "booked"}, [["price", "<", 5000]])
    assert "booked" in mention.said
    assert "costs less than $50.00" in mention.said or "cost less than $50.00" in mention.said
    assert mention.spec is not None
    assert mention.spec["row"]["where"] == [["price", "<", 5000]]
    assert mention.spec["row"]["fields"] == {"status": "booked"}


def test_all_rows_of_a_kind() -> None:
    hire = hired()
    mention = words(hire).every(Booking, {"status": "booked"}, [["price", "<=", 4000]])
    assert mention.plural
    assert mention.spec == {
        "every": {
            "entity": "Booking",
            "fields": {"status": "booked"},
            "id": None,
            "mine": True,
            "where": [["price", "<=", 4000]],
        }
    }
    wish = words(hire).wish(
        step("cancel_booking", {"booking_id": "K-01"}, booking=booking(hire, "K-01")),
        "cancel {booking}",
        mentions={"booking": mention},
    )
    assert "booked bookings that cost at most $40.00" in wish.text
    assert wish.intent["arguments"]["booking_id"] == mention.spec


def test_a_selection_needs_a_phrase_that_names_the_row() -> None:
    hire = hired()
    mention = words(hire).every(Booking)
    with pytest.raises(NoPhrase):
        words(hire).phrase(domain.tools["hand_over"], mentions={"guest": mention})


# -- confirmations ---------------------------------------------------------------------------------


def test_a_confirmation_names_as_much_of_a_row_as_tells_it_apart() -> None:
    hire = hired()
    groups = words(hire).confirmables(move(hire))
    assert groups[0] == ["K-01", "Heron"]
    assert {"June 6, 2026", "Saturday, June 6", "this Saturday", "2026-06-06"} <= set(groups[1])


def test_any_values_that_tell_a_row_apart_name_it() -> None:
    """A fee is told apart by its boat alone, or not at all; the id always does."""
    hire = hired()
    fee: Any = hire.world.get(Fee, "F-01")
    pay = step("pay_fee", {"fee_id": "F-01"}, fee=fee)
    # by the boat of its booking, which its label quotes; either is the same value
    assert words(hire).confirmables(pay) == [["F-01", "Heron"]]


def test_rows_that_share_their_label_are_named_by_an_id_that_people_know_or_not_at_all() -> None:
    hire = hired("G-02")
    cancel = step("cancel_booking", {"booking_id": "K-04"}, booking=booking(hire, "K-04"))
    with pytest.raises(NoCandidate, match="nobody can name"):
        words(hire).confirmables(cancel)
    assert not has_spoken_key(Booking._info)
    assert has_spoken_key(replace(Booking._info, called=("booking {booking_id}",)))


# -- questions and concerns ------------------------------------------------------------------------


def test_an_attribute_is_asked_for_in_the_domains_words() -> None:
    hire = hired()
    rows = words(hire)
    mention = rows.same(rows.named(booking(hire, "K-01")))
    asked = {
        (ask.clause, ask.direct)
        for seed in SEEDS
        for ask in [words(hire, seed).attribute_clause(booking(hire, "K-01"), "day", mention)]
    }
    assert asked == {
        ("which day it is for", "Which day is it for?"),
        ("when it takes place", "When does it take place?"),
    }


def test_an_attribute_without_words_is_asked_for_by_its_name() -> None:
    hire = hired()
    fee: Any = hire.world.get(Fee, "F-01")
    ask = words(hire).attribute_clause(fee, "amount")
    assert ask.clause == "what the amount of my fee for the Heron is"
    assert ask.intent is not None
    assert ask.intent["ask"]["attribute"]["column"] == "amount"


def test_sets_are_counted_and_added_up() -> None:
    info = Booking._info
    for seed in SEEDS:
        rows = words(hired(), seed)
        count = rows.count_clause(info, {"status": "booked"})
        assert "booked bookings" in count.clause
        assert count.direct.endswith("?")
        assert count.intent == {
            "ask": {"count": {"entity": "Booking", "where": {"status": "booked"}, "mine": True}}
        }
        total = rows.sum_clause(info, info.columns["price"], {}, [["price", ">", 5000]])
        assert "bookings that cost more than $50.00" in total.clause
        assert total.intent == {
            "ask": {
                "sum": {
                    "entity": "Booking",
                    "where": {},
                    "mine": True,
                    "also": [["price", ">", 5000]],
                    "column": "price",
                }
            }
        }


def test_what_a_composed_read_tells_is_asked_for() -> None:
    hire = hired()
    quote = step("quote_cancellation", {"booking_id": "K-01"}, booking=booking(hire, "K-01"))
    phrase = domain.tools["quote_cancellation"].tells["fee"][0]
    ask, wish = words(hire).tells_clause(quote, phrase)
    assert ask.clause.startswith("what I would have to pay if I cancelled ")
    assert ask.direct.startswith("What would I have to pay if I cancelled ")
    assert wish.intent["do"] == "quote_cancellation"


def test_concerns_speak_of_a_row_of_the_persons_or_of_none() -> None:
    complaint, other = domain.concerns
    said = words(hired()).concern(complaint)
    assert said is not None
    text, reading, row = said
    name = text.removeprefix("The seat of the ").removesuffix(" was wet.")
    assert name in ("Heron", "Otter", "Swift")
    assert reading["concern"] == "complaint"
    assert reading["row"]["fields"] == {"boat.name": name}
    assert row is not None and row.boat.name == name
    assert words(hired()).concern(other) == (
        "Do you teach sailing?",
        {"concern": "other", "row": None},
        None,
    )


def test_no_concern_where_no_row_can_be_told_apart() -> None:
    assert words(hired("G-02")).concern(domain.concerns[0]) is None


def test_tools_of_the_boats_can_be_asked_for() -> None:
    asking: list[Tool] = [t for t in domain.tools.values() if t.kind == "write"]
    assert all(tool.ask for tool in asking)
