"""Answers and named rules as a task demands them: typed values by query, decoys, rivals."""

from typing import Any

import pytest

from davinci_env.environment import Message
from davinci_env.records import Requirement, RuleNamedCheck, Slot, SlotsCheck, Source
from tests.support.toy_desk import (
    answer,
    call,
    desk,
    evidence,
    failed,
    judged,
    task_of,
    toy_domain,
)


def slot(name: str, kind: Any, query: str, decoys: str | None = None, **more: Any) -> Slot:
    """A slot with its expected value over the goal, and decoys from the start."""
    wrong = None if decoys is None else Source(over="ref", query=decoys)
    return Slot(
        name=name, type=kind, expected=Source(over="goal", query=query), decoys=wrong, **more
    )


DUE = slot(
    "due", "date", "SELECT due_on FROM rentals WHERE rental_id = 'R-01'",
    "SELECT due_on FROM rentals WHERE person_id = 'P-01' AND rental_id <> 'R-01'",
    cues=("due date", "the rental of the kite"),
)  # fmt: skip
OWED = slot(
    "owed", "money", "SELECT sum(amount - paid) FROM bills WHERE person_id = 'P-01'",
    "SELECT amount FROM bills WHERE person_id = 'P-01'", cues=("total", "bills"),
)  # fmt: skip
COUNT = slot(
    "count", "number", "SELECT count(*) FROM rentals WHERE person_id = 'P-01'", cues=("rentals",)
)
TOYS = slot(
    "toys", "list", "SELECT name FROM toys WHERE status = 'shelved' ORDER BY 1",
    "SELECT name FROM toys WHERE status = 'out'", cues=("toys",),
)  # fmt: skip
LENT = slot("lent", "yesno", "SELECT status = 'out' FROM toys WHERE name = 'kite'", cues=("kite",))
STATUS = slot(
    "status", "enum", "SELECT status FROM rentals WHERE rental_id = 'R-01'", cues=("status",),
    choices=("open", "returned"),
)  # fmt: skip
PACKED = slot(
    "packed", "datetime", "SELECT packed_at FROM parcels WHERE parcel_id = 'PA-01'",
    cues=("packed",),
)  # fmt: skip


def answered(requirement: Requirement, text: str, *entries: Any, goal: Any = ()) -> Any:
    environment = desk()
    task = task_of(environment, requirement, goals=[goal], kind="ask")
    environment.close()
    return judged(task, *entries, text)


@pytest.mark.parametrize(
    ("wanted", "text", "passes"),
    [
        (DUE, "The rental of the kite is due on March 20, 2026.", True),
        (DUE, "It is due on 20 March.", True),
        (DUE, "It is due this Friday.", True),  # today is Monday, March 16
        (DUE, "The due date is 2026-03-20; the drum's is 2026-03-25.", True),
        (DUE, "It is due on March 25, 2026.", False),
        (DUE, "It is due on March 20 or March 25.", False),
        (DUE, "It is not due on March 20, 2026.", False),
        (DUE, "", False),
        (OWED, "Your bills come to $3.50 in total.", True),
        (OWED, "Going by your records: your bills come to $3.50. Feel free to ask again.", True),
        (OWED, "That is 1.50 + 2.00 = $3.50 in total.", True),
        (OWED, "Your bills come to $2.00 in total.", False),
        (OWED, "Your bills come to $35.00 in total.", False),
        (COUNT, "You have two rentals.", True),
        (COUNT, "You have 3 rentals.", False),
        (TOYS, "There are two toys on the shelf: globe and sled.", True),
        (TOYS, "The toys on the shelf are the sled and the globe.", True),
        (TOYS, "There is the globe.", False),
        (TOYS, "The toys on the shelf are the kite, the globe and the sled.", False),
        (LENT, "Yes, the kite is lent out.", True),
        (LENT, "No, the kite is here.", False),
        (STATUS, "Its status is open.", True),
        (STATUS, "Its status is returned.", False),
        (PACKED, "It was packed on March 16, 2026 at 09:30.", True),
        (PACKED, "It was packed on March 16, 2026 at 10:30.", False),
    ],
)
def test_a_slot_of_each_type(wanted: Slot, text: str, passes: bool) -> None:
    verdict = answered(answer(SlotsCheck(slots=(wanted,))), text)
    assert verdict.passed is passes, verdict


def test_the_value_after_the_goal_counts_and_the_stale_one_fails() -> None:
    extend = call("extend_rental", rental_id="R-01", until="2026-03-27")
    stale = DUE.model_copy(
        update={"decoys": Source(over="ref", query="SELECT due_on FROM rentals")}
    )
    wanted = answer(SlotsCheck(slots=(stale,)))
    assert answered(wanted, "It is due on March 27.", extend, goal=[extend]).passed
    verdict = answered(wanted, "It is due on March 20.", extend, goal=[extend])
    assert failed(verdict) == ["answer"]
    shown = evidence(verdict, "answer")
    assert shown["message"] == "It is due on March 20."
    assert [(f["slot"], f["expected"], f["found"]) for f in shown["failed"]] == [
        ("due", ["2026-03-27"], ["2026-03-20"])
    ]


def test_only_the_last_message_answers() -> None:
    wanted = answer(SlotsCheck(slots=(DUE,)))
    assert not answered(wanted, "Is there anything else?", "It is due on March 20, 2026.").passed
    assert answered(wanted, "It is due on March 20, 2026.", "One moment, please.").passed


def test_an_answer_in_the_users_own_words_is_an_echo_only_without_a_word_of_its_own() -> None:
    asked = Message("user", "How many rentals do you have out in my name now? I say two rentals.")
    wanted = answer(SlotsCheck(slots=(COUNT,)))
    assert not answered(wanted, "You have two rentals out in my name now.", asked).passed
    asked = Message("user", "How many rentals do you have out in my name now, for the kite?")
    assert answered(wanted, "You have two rentals out in my name, now for the kite.", asked).passed


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("The bill B-07 is settled. And your rental R-01 is due on March 20, 2026.", True),
        ("The bill B-07 is settled. And your rental R-01 is due on March 25, 2026.", False),
        ("I don't find your rental R-01. Your rental R-07 is due on March 20, 2026.", False),
    ],
)
def test_a_row_is_known_by_its_number(text: str, passes: bool) -> None:
    numbered = DUE.model_copy(update={"cues": ("due date", "Rental R-01", "rental R-01")})
    assert answered(answer(SlotsCheck(slots=(numbered,))), text).passed == passes


def test_two_slots_are_both_needed() -> None:
    wanted = answer(SlotsCheck(slots=(DUE, COUNT)))
    both = "You have 2 rentals. The rental of the kite is due on March 20, 2026."
    assert answered(wanted, both).passed
    assert not answered(wanted, "You have 2 rentals.").passed
    assert not answered(wanted, "The rental of the kite is due on March 20, 2026.").passed


def test_a_list_that_is_empty_is_a_defect_only_for_single_values() -> None:
    """Every expected item has to be said, and the number of items may be said besides."""
    wanted = answer(SlotsCheck(slots=(TOYS,)))
    assert answered(wanted, "The toys on the shelf: globe, sled.").passed


RULES = toy_domain().rules


def rule(code: str) -> Requirement:
    return answer(RuleNamedCheck(rule=code, concepts=RULES[code].concepts))


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("I'm sorry, I can't extend it: a rental can be extended at most 2 times.", True),
        (
            "Unfortunately that's not possible, it has been extended twice, which is the limit.",
            True,
        ),
        ("I'm sorry, I can't do that.", False),
        ("I'm sorry, I can't extend it, because you owe too much in unpaid bills.", False),
        ("All done, I have extended it; that's the maximum number of times already.", False),
        ("A rental is extended at most 2 times.", False),  # says what holds, declines nothing
        ("", False),
    ],
)
def test_the_rule_that_forbids_it_is_named(text: str, passes: bool) -> None:
    verdict = answered(rule("extensions_left"), text)
    assert verdict.passed is passes, verdict
    if not passes:
        assert evidence(verdict, "answer")["rule"] == "extensions_left"


PAIRS = (
    "I'm sorry, it can't be extended: this is what I found. extended: at most 2 times; status: open"
)
FIELDS = (f"field_{chr(97 + n)}: some value; " for n in range(9))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{PAIRS}; {''.join(FIELDS)}", "records are recited"),
        (f"{PAIRS} {' '.join(map(str, range(1000, 1025)))}.", "figures are recited"),
    ],
)
def test_records_that_are_recited_name_no_rule(text: str, reason: str) -> None:
    assert answered(rule("extensions_left"), f"{PAIRS}.").passed
    verdict = answered(rule("extensions_left"), text)
    assert not verdict.passed
    assert evidence(verdict, "answer")["reason"] == reason
