"""Clauses and sets: answers as sentences, rows by their conditions."""

import pytest

from davinci_env.agents.clauses import answer_to
from davinci_env.agents.sets import plural_verb, rows_in_words
from tests.support.boats import Booking, Fee, domain


@pytest.mark.parametrize(
    ("clause", "said", "value", "sentence"),
    [
        ("how much you owe in all", "$7.50", 750, "you owe $7.50 in all"),
        (
            "what you would have to pay if it were lost",
            "$30.00",
            3000,
            "you would have to pay $30.00 if it were lost",
        ),
        ("how many people are ahead of you", "two", 2, "two people are ahead of you"),
        ("how many people are ahead of you", "one", 1, "one person is ahead of you"),
        ("how many boats there are", "three", 3, "there are three boats"),
        ("how many boats there are", "one", 1, "there is one boat"),
        (
            "how many books you may have on loan",
            "five",
            5,
            "you may have five books on loan",
        ),
        ("how much it would cost you to wait", "$5.00", 500, "it would cost you $5.00 to wait"),
        ("how much you still owe us", "$5.00", 500, "you still owe us $5.00"),
        ("what is still to be paid", "$5.00", 500, "$5.00 is still to be paid"),
        ("how long a tour takes", "2 hours", 120, "a tour takes 2 hours"),
        ("by when you have to pay", "Friday, June 5", None, "you have to pay by Friday, June 5"),
        (
            "when you have to pay if you cancel",
            "June 5",
            None,
            "you have to pay on June 5 if you cancel",
        ),
        (
            "how often you have moved it since May 1",
            "two",
            2,
            "you have moved it twice since May 1",
        ),
    ],
)
def test_a_clause_becomes_a_sentence(clause: str, said: str, value: object, sentence: str) -> None:
    assert answer_to(clause, said, value)[0] == sentence


def test_a_clause_without_a_known_form_stands_before_the_value() -> None:
    assert answer_to("whichever way it goes", "north", "north") == ["whichever way it goes: north"]


def test_sets_lean_on_superlatives() -> None:
    info = Booking._info
    assert rows_in_words(domain, info, {"status": "booked"}) == "booked bookings"
    assert rows_in_words(domain, info, {}, count=1) == "booking"
    said = rows_in_words(domain, info, {}, [["day", "<=", "2026-06-05"]])
    assert said == "bookings that are by Friday, June 5"
    said = rows_in_words(domain, info, {"status": "booked"}, [["price", ">", 5000]])
    assert said == "booked bookings that cost more than $50.00"


def test_sets_without_superlatives_name_the_column() -> None:
    said = rows_in_words(domain, Fee._info, {}, [["amount", "<=", 500]])
    assert said == "fees with an amount of at most $5.00"
    assert rows_in_words(domain, Booking._info, {}, [["moves", "=", 2]]) == (
        "bookings with a number of moves of 2"
    )


def test_verbs_of_relative_clauses_agree() -> None:
    assert plural_verb("that's due") == "that are due"
    assert plural_verb("that costs") == "that cost"
    assert plural_verb("that I borrowed") == "that I borrowed"
