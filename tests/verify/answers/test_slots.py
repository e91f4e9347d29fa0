"""The slot judge: which messages convey a value, told by kinds of wording."""

import time
from datetime import date, datetime
from typing import Any

import pytest

from davinci_env.bench.timing import interleaved
from davinci_env.errors import DefectError
from davinci_env.verify.answers import Decoy, SlotSpec, judge_answer
from davinci_env.verify.answers.slots import reading

MONDAY = date(2026, 3, 16)

DUE = SlotSpec("due", "date", "2026-04-06", ["2026-03-23", "2026-04-13"], ["due", "back", "return"])
FEE = SlotSpec("fee", "money", 125, [25, 350], ["fee", "fine"])
SETTLED = SlotSpec("settled", "money", 2929, [0, 125], ["settled"])
NOTHING = SlotSpec("fee", "money", 0, [125], ["fee", "owe", "fine"])
AHEAD = SlotSpec("ahead", "number", 3, [5], ["ahead"])
VISIT = SlotSpec(
    "when",
    "datetime",
    datetime(2026, 3, 24, 14, 30),
    ["2026-03-24T09:00", "2026-03-26T14:30"],
    ["appointment", "booked"],
)
LATE = SlotSpec(
    "late", "list", ["A Winter in Tartu", "Borderlands"], ["Small Numbers"], ["overdue"]
)
NONE_LATE = SlotSpec("late", "list[name]", [], ["Small Numbers"], ["overdue"])
LOAN = SlotSpec("loan", "id", "LN-00022", ["LN-00023"], ["loan"])
TAKES = SlotSpec("takes", "span", 30, [45], ["takes"])
RENEW = SlotSpec("renew", "yesno", True, [], ["renew"])
NO_RENEWAL = SlotSpec("renew", "yesno", False, [], ["renew"])


def conveys(text: str, *slots: SlotSpec) -> bool:
    return all(v.passed for v in judge_answer(text, slots, today=MONDAY))


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        (DUE, "It was due on March 23. It is now due on April 6."),
        (DUE, "Due date: March 23 → April 6"),
        (DUE, "I've moved the due date from March 23 to April 6."),
        (DUE, "You don't have to return it until April 6."),
        (DUE, "Please return it no later than April 6."),
        (DUE, "Don't forget, it's due April 6!"),
        (DUE, "It's due Monday the 6th of April, is there anything else?"),
        (DUE, "| due | 2026-04-06 |"),
        (FEE, "The late fee is $0.25 a day for 5 days, so $1.25."),
        (FEE, "A fee of $1.25 has been added, which isn't much."),
        (FEE, "fee: 1.25"),
        (DUE, 'Your copy of "Bread Without Hurry" is due on April 6.'),
        (DUE, 'Your loan of "Not Quite Home" is due on April 6.'),
        (FEE, "Certainly, that's no secret. The late fee is $1.25."),
        (SETTLED, "Certainly, that's no secret: $29.29 has been settled."),
        (RENEW, 'You can renew "Bread Without Hurry".'),
        (NOTHING, "There's no fee."),
        (NOTHING, "You don't owe anything."),
        (NOTHING, "The fee is $0.00"),
        (AHEAD, "You're number four, with three ahead of you."),
        (AHEAD, "There are 3 people (not 5) ahead of you."),
        (
            VISIT,
            "Your appointment on Thursday, March 26 at 2:30 pm was moved to March 24 at 2:30 pm.",
        ),
        (VISIT, "Booked: Tue 24 Mar 2026, 2:30pm, Dr. Okafor."),
        (VISIT, "Booked for 2026-03-24 14:30."),
        (LATE, "Overdue:\n1. Borderlands\n2. A Winter in Tartu"),
        (LATE, "Overdue: Borderlands, A Winter in Tartu. Not overdue: Small Numbers."),
        (LATE, "Borderlands is overdue. So is A Winter in Tartu. Small Numbers isn't."),
        (NONE_LATE, "None of your books is overdue."),
        (NONE_LATE, "You don't have any overdue books."),
        (LOAN, "Your loan is ln 00022."),
        (LOAN, "loan #LN00022."),
        (TAKES, "It takes 30min."),
        (RENEW, "Yes."),
        (RENEW, "No problem, I can renew it."),
        (RENEW, "I don't see any reason why you couldn't renew it."),
        (NO_RENEWAL, "Unfortunately, renewing isn't an option."),
        (NO_RENEWAL, "It has been renewed twice, so no."),
    ],
)
def test_conveyed(slot: SlotSpec, text: str) -> None:
    assert conveys(text, slot)


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        (DUE, ""),
        (DUE, "I've moved the due date from April 6 to April 13."),
        (DUE, "It might be April 6."),
        (DUE, "You asked whether it's due April 6; I can't tell."),
        (DUE, "Is it due on April 6?"),
        (DUE, "It's due on April 6. Or April 13."),
        (DUE, "It's due on April 6. It is due on April 13."),
        (DUE, "April 6, April 13, March 23."),
        (DUE, "It's due April 6 (or maybe April 13)."),
        (DUE, "- March 23\n- April 6\n- April 13"),
        (DUE, "It's due Tuesday, April 6."),
        (FEE, "The fee is $1.25 or $3.50."),
        (FEE, "The fee is $1.25-$3.50."),
        (FEE, "The fee is more than $1.25."),
        (FEE, "A fee of $12.50"),
        (FEE, "The fee is $4.00. The price was $1.25."),
        (FEE, "The fee is $3.50; with $2.25 off that would have been $1.25."),
        (NOTHING, "You owe $1.25."),
        (NOTHING, "You have no books out."),
        (AHEAD, "There are 3 or 5 people ahead of you."),
        (AHEAD, "There are more than 3 people ahead of you."),
        (VISIT, "Your appointment on March 24 at 2:30 pm has been moved to March 26 at 2:30 pm."),
        (LATE, "Overdue:\n1. Borderlands\n2. A Winter in Tartu\n3. Small Numbers"),
        (LATE, "Overdue are Borderlands since March 1, A Winter in Tartu and Small Numbers."),
        (NONE_LATE, "Small Numbers is overdue."),
        (NONE_LATE, "Your books are fine."),
        (LOAN, "Your loan is LN-000221."),
        (LOAN, "Your loan is LN-00022-7."),
        (TAKES, "It takes 15 to 30 minutes."),
        (TAKES, "It takes 30-60 minutes."),
        (RENEW, "Would you like to renew it?"),
        (RENEW, "I can check whether you can renew it."),
        (RENEW, "Yes and no."),
    ],
)
def test_not_conveyed(slot: SlotSpec, text: str) -> None:
    assert not conveys(text, slot)


def test_a_value_goes_with_the_nearest_label() -> None:
    first = SlotSpec("first", "date", "2026-03-20", [], ["The Grain Ships"])
    second = SlotSpec("second", "date", "2026-03-27", [], ["Rivers of the North"])
    good = "Rivers of the North is due on March 27, The Grain Ships on March 20."
    swapped = "Rivers of the North is due on March 20, The Grain Ships on March 27."
    assert conveys(good, first, second)
    assert [v.reason for v in judge_answer(swapped, [first, second], today=MONDAY)] == [
        "labelled as something else",
        "labelled as something else",
    ]


def test_a_decoy_under_its_own_row_is_no_decoy() -> None:
    text = "Grandmother's Atlas is due on April 13 and Small Numbers on April 6."
    cues = ["due", "Small Numbers"]
    labelled = SlotSpec(
        "due", "date", "2026-04-06", [Decoy("2026-04-13", ["Grandmother's Atlas"])], cues
    )
    assert conveys(text, labelled)
    assert not conveys(text, SlotSpec("due", "date", "2026-04-06", ["2026-04-13"], cues))


def test_each_of_several_expected_values_is_accepted() -> None:
    slot = SlotSpec(
        "branch",
        "enum",
        ["northgate", "old_town"],
        [],
        ["at"],
        ["northgate", "old_town", "harborside"],
    )
    assert conveys("It's at Old Town.", slot)
    assert conveys("It's at Northgate.", slot)
    assert not conveys("It's at Harborside.", slot)


def test_accepted_lists_are_alternatives() -> None:
    slot = SlotSpec("days", "list[date]", [["2026-03-18", "2026-03-19"], ["2026-03-20"]])
    assert conveys("Wednesday and Thursday, March 18 and 19th of March", slot)
    assert conveys("Friday, March 20", slot)
    assert not conveys("March 18", slot)


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ([2, 3], "two and three"),
        (["Small Numbers"], "It's small numbers."),
        (["2026-03-18"], "this Wednesday"),
        (["2026-03-18 09:30:00"], "this Wednesday at half past nine"),
        (["09:30"], "at 9.30 am"),
        (["LN-00022"], "loan ln 00022"),
        ([date(2026, 3, 18)], "on March 18"),
    ],
)
def test_a_plain_list_takes_its_type_from_its_values(expected: list[Any], text: str) -> None:
    assert conveys(text, SlotSpec("x", "list", expected))
    assert not conveys("Nothing of the kind.", SlotSpec("x", "list", expected))


def test_a_very_long_message_is_judged_in_time() -> None:
    text = "It's due April 6, I think, and then it's due April 13 to be sure, " * 2000
    start = time.process_time()
    assert not conveys(text, DUE)
    assert time.process_time() - start < 2


def test_a_verdict_shows_what_was_said_and_where() -> None:
    (verdict,) = judge_answer("Done. The late fee is $3.50. Bye!", [FEE], today=MONDAY)
    assert (verdict.passed, verdict.reason) == (False, "missing")
    assert (verdict.expected, verdict.found) == ((125,), (350,))
    assert verdict.evidence == "The late fee is $3.50."


def test_an_unknown_type_is_a_defect() -> None:
    with pytest.raises(DefectError, match="colour"):
        judge_answer("red", [SlotSpec("x", "colour", "red")], today=MONDAY)


def test_judging_is_a_pure_function_of_its_arguments() -> None:
    text = "The due date is April 6, three people are ahead of you, and the fee is $1.25."
    slots = [DUE, AHEAD, FEE]
    first = judge_answer(text, slots, today=MONDAY)
    judge_answer("Something else: April 13.", slots, today=date(2027, 1, 1))
    assert judge_answer(text, slots, today=MONDAY) == first


SIXTY_WORDS = (
    'Thanks, Mara, I\'ve found your account. "Borderlands" is checked in. As it was overdue, $1.25'
    ' has been added to your account, on top of the $3.50 for The Paper Dragon. "Ordinary Magnets"'
    " is on your card now; please bring it back by Monday, April 6. There are three people waiting"
    " for it. Is there anything else I can do today?"
)


def test_judging_is_fast() -> None:
    slots = [
        SlotSpec(
            "fee", "money", 125, [Decoy(350, ["The Paper Dragon"]), 200], ["fee", "fine", "added"]
        ),
        SlotSpec("due", "date", "2026-04-06", ["2026-04-13", "2026-03-23"], ["due", "back by"]),
    ]

    def judge() -> None:
        reading.cache_clear()  # a message seen for the first time
        judge_answer(SIXTY_WORDS, slots, today=MONDAY)

    def yardstick() -> int:
        return sum(i for i in range(1000))

    judged, yard = interleaved([judge, yardstick], rounds=1000)
    print(f"{judged:.0f} µs a message, {judged / yard:.1f} yardsticks")
    assert conveys(SIXTY_WORDS, *slots)
    assert judged < 12 * yard  # 7.2 on a quiet machine, up to 9.5 beside other work
