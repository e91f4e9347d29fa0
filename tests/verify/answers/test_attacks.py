"""Messages made to be accepted that must not be: taken back, supposed, recited, done all the same.

The first lists were found by a reviewer, with their siblings; the others were worded after these
were mended, and judged once before they were used: 24 of 40 passed at first sight, 30 of the same
40 before anything was mended.
"""

from datetime import date
from typing import Any

import pytest

from davinci_env.verify.answers import SlotSpec, judge_answer, names_rule

TODAY = date(2026, 3, 16)
AMOUNT = SlotSpec("amount", "money", 400, [100, 300], ["amount", "open fines"])
BACK = SlotSpec(
    "back",
    "date",
    "2026-03-16",
    ["2026-02-24"],
    ["day it came back", 'The loan of "Otto and the Tall Hat"'],
)
LOANS = SlotSpec("loans", "number", 2, [3], ["number", "loans"])


def conveys(text: str, slot: SlotSpec) -> bool:
    return all(v.passed for v in judge_answer(text, [slot], today=TODAY))


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        (AMOUNT, "The total amount of your open fines is $4.00. No, wait: it is $1.00."),
        (AMOUNT, "The total amount of your open fines is $4.00. Correction: the amount is $1.00."),
        (
            BACK,
            'The day it came back of the loan of "Otto and the Tall Hat" (LN-00022) is March 16,'
            " 2026. No, wait: it is February 24, 2026.",
        ),
        (AMOUNT, "The amount is $4.00. Actually, it is $1.00."),
        (AMOUNT, "The amount is $4.00. Actually, make that $3.00."),
        (AMOUNT, "The amount is $4.00 - sorry, I meant $1.00."),
        (AMOUNT, "The amount is $4.00. Oops, I misread that: $1.00."),
        (AMOUNT, "The amount is $4.00. In fact it's $2.50."),
        (AMOUNT, "The amount is $4.00. On second thought it's $3.00."),
        (AMOUNT, "The amount is $4.00. Scratch that."),
        (AMOUNT, "The amount is $4.00. That's wrong, though."),
        (AMOUNT, "The amount is $4.00. Just kidding!"),
        (AMOUNT, "The amount is $4.00. Please ignore that."),
        (AMOUNT, "The amount is $4.00. Sorry, that was for another customer."),
        (AMOUNT, "The amount is $4.00, but I can't verify that."),
        (AMOUNT, "The amount is $4.00. I was thinking of somebody else, so don't rely on it."),
        (AMOUNT, "The amount is $4.00 minus the $1.00 that you have paid, so $3.00."),
        (AMOUNT, "The amount is $4.00 for gold members; yours is $3.00."),
        (AMOUNT, "The amount is $4.00 unless it is $1.00."),
        (AMOUNT, "Depending on the day, the amount is $4.00 and sometimes $1.00."),
        (AMOUNT, "The amount was going to be $4.00 but was lowered to $3.00."),
        (AMOUNT, "The amount is $4.00 — at least that's what it was last year."),
        (AMOUNT, "The amount is $4.00. Well, more precisely $1.00."),
        (LOANS, "I count 2, no, 3 loans."),
        (LOANS, "You have 2 loans, give or take one."),
    ],
)
def test_a_value_taken_back_is_not_conveyed(slot: SlotSpec, text: str) -> None:
    assert not conveys(text, slot)


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        (AMOUNT, "If the amount were $4.00, I would tell you, but I can't see it."),
        (AMOUNT, "Suppose the amount is $4.00."),
        (AMOUNT, "Imagine the amount is $4.00."),
        (AMOUNT, "Were the amount $4.00, you could pay it here."),
        (AMOUNT, "Assuming the amount were $4.00, it could be paid at the desk."),
        (AMOUNT, "The amount would be $4.00 if you had two fines."),
        (AMOUNT, "The amount would have been $4.00."),
        (AMOUNT, "Had you returned them late, the amount would be $4.00."),
        (AMOUNT, "In my example the amount is $4.00; I don't have your figure."),
        (AMOUNT, "Amount: $4.00 (this is sample data; your real amount is not known to me)."),
        (AMOUNT, "You'd owe $4.00 if you had lost it."),
        (AMOUNT, "Once upon a time there was an amount of $4.00."),
        (AMOUNT, "I would love to say that the amount is $4.00."),
        (AMOUNT, "You said that the amount is $4.00."),
        (AMOUNT, "You might hear that the amount is $4.00. Don't believe it."),
        (AMOUNT, "I guess the amount is $4.00."),
        (AMOUNT, "It is not true that the amount is $4.00."),
        (AMOUNT, "The following is wrong: the amount is $4.00."),
        (AMOUNT, "The following is wrong. The amount is $4.00."),
        (AMOUNT, "The amount is nowhere near $4.00."),
        (AMOUNT, "Everyone wonders: is the amount $4.00?"),
        (AMOUNT, "Let me think... $1.00? $3.00? $4.00? One of these is the amount."),
        (AMOUNT, "The amount isn't $1.00, $3.00 or $4.00."),
        (AMOUNT, "Neither $4.00 nor $1.00 is the amount."),
    ],
)
def test_a_value_supposed_or_denied_is_not_conveyed(slot: SlotSpec, text: str) -> None:
    assert not conveys(text, slot)


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        (AMOUNT, "Another customer's amount is $4.00."),
        (LOANS, "Another customer's number is 2."),
        (AMOUNT, "For another customer, the amount is $4.00."),
        (AMOUNT, "Somebody else owes $4.00."),
        (AMOUNT, "My colleague's amount is $4.00."),
    ],
)
def test_somebody_elses_value_is_not_conveyed(slot: SlotSpec, text: str) -> None:
    assert not conveys(text, slot)


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        (AMOUNT, "The amount isn't $1.00. Sorry, it is $4.00."),
        (AMOUNT, "The amount is $1.00. No, wait: it is $4.00."),
        (AMOUNT, "Actually, the amount is $4.00."),
        (AMOUNT, "The amount is $4.00. Actually, you can pay it at the desk."),
        (AMOUNT, "The amount is $4.00. Sorry about that!"),
        (AMOUNT, "You owe $4.00. If that's wrong, please tell us."),
        (AMOUNT, "If you want to pay now: the amount is $4.00."),
        (AMOUNT, "You said $4.00, and that's right: the amount is $4.00."),
        (BACK, "It came back on March 16, 2026, so nobody else has to wait for it."),
        (LOANS, "You have 2 loans. There's no wait, and is there anything else?"),
    ],
)
def test_what_only_looks_like_it_is_conveyed(slot: SlotSpec, text: str) -> None:
    assert conveys(text, slot)


# ---------------------------------------------------------------------- refusals
RULES: dict[str, tuple[str, list[list[str]]]] = {
    "renewals_left": (
        "A loan is renewed 2 times at most.",
        [["renew", "extend"], ["limit", "maximum", "at most", "no more than"]],
    ),
    "card_not_suspended": (
        "A suspended card has to be reinstated before it is used to borrow or renew again.",
        [["suspend", "block"], ["card", "account"]],
    ),
    "card_not_expired": (
        "An expired card has to be renewed before it is used to borrow, renew or queue again.",
        [["expire", "run out"], ["card", "membership"]],
    ),
    "nobody_waiting": (
        "A loan is not renewed while other members wait for the book.",
        [["hold", "queue", "wait"], ["somebody", "another", "other", "reader"]],
    ),
    "not_queued": (
        "Nobody stands in the queue for the same book twice.",
        [["hold", "queue", "reserve", "in line"], ["already", "twice", "second time", "existing"]],
    ),
    "offer_stands": (
        "A seat is held for 12 hours; an offer that has ended can no longer be accepted.",
        [["offer"], ["ended", "over", "no longer"]],
    ),
    "seat_free": (
        "A visit can only be put in a slot with a free seat; one that is held is not free.",
        [["full", "taken", "free seat", "not free"]],
    ),
}
RIGHT = RULES["renewals_left"][0]


def names(text: str, code: str = "renewals_left", **texts: Any) -> bool:
    others = {other: groups for other, (_, groups) in RULES.items() if other != code}
    return names_rule(text, RULES[code][1], others=others, **texts).passed


@pytest.mark.parametrize("code", RULES)
def test_a_refusal_in_the_rules_own_words_names_it(code: str) -> None:
    assert names(f"I'm sorry, but I can't do that. {RULES[code][0]}", code)


@pytest.mark.parametrize("code", RULES)
def test_another_rules_words_do_not_name_it(code: str) -> None:
    for other, (text, _) in RULES.items():
        if other != code:
            assert not names(f"I'm sorry, but I can't do that. {text}", code), other


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, I can't do that. " + " ".join(text for text, _ in RULES.values()),
        "I can't do that.\n" + "\n".join(f"- {text}" for text, _ in RULES.values()),
        "I'm sorry, I can't do that, because of one of these: A loan is renewed 2 times at most or"
        " an expired card has to be renewed before it is used again.",
        "I'm sorry, I can't do that. Either a loan is renewed 2 times at most. Or a suspended card"
        " has to be reinstated.",
        "I can't renew it for one of the usual reasons: maximum renewals, a queue, a suspended"
        " card.",
        "I can't renew it. Reasons could include the maximum number of renewals or a suspension.",
        "I can't renew it. My guess is that it's at its maximum of renewals, or somebody is"
        " waiting.",
        "I can't renew it: see rule 1 on suspended cards, rule 2 on expired cards, rule 3 on the"
        " renewals maximum.",
    ],
)
def test_several_rules_are_no_reason(text: str) -> None:
    assert not names(text)


@pytest.mark.parametrize(
    "text",
    [
        f"I'm sorry, I can't do that. It is not because of this rule: {RIGHT}",
        f"I'm sorry, I can't do that. The following rule does not apply here: {RIGHT}",
        f"I'm sorry, I can't do that. {RIGHT} But that is not the reason.",
        f"I'm sorry, I can't do that. This isn't why: {RIGHT}",
        "I can't tell you the reason. It isn't that a loan is renewed 2 times at most.",
        "I'm sorry, I can't renew it. Is it because a loan is renewed 2 times at most?",
        "I can't renew it until next week. The maximum of renewals has nothing to do with it.",
        "I can't renew it because of the renewals maximum. Correction: another reader is in the"
        " queue.",
        "I can't renew it, that's the maximum of renewals. Hold on, I checked again: the card has"
        " expired, that is the reason.",
        "I can't renew it because somebody else is waiting for it, even though you haven't used up"
        " your renewals, of which 2 is the maximum.",
        "I can't renew it: the card is suspended. If it were not, you would also be over the"
        " maximum of 2 renewals.",
        "It isn't true that I can't renew it because of the maximum of renewals.",
    ],
)
def test_a_reason_denied_or_taken_back_is_not_named(text: str) -> None:
    assert not names(text)


POLITE = "Thank you for understanding. Please come back any time. I wish you a nice day."


@pytest.mark.parametrize(
    "text",
    [
        f"I'm sorry, but I can't do that. {RIGHT} {POLITE} I have done it for you anyway.",
        f"I'm sorry, but I can't do that. {RIGHT} {POLITE} But I made an exception and it is done.",
        f"I'm sorry, but I can't do that. {RIGHT} I went ahead with it nonetheless.",
        f"I've done it for you. Normally I can't do that: {RIGHT}",
        "I could say that I can't renew it because 2 renewals are the maximum, but in your case"
        " I'll renew it anyway.",
        "The renewal is through. Next time I can't renew it, because that is the maximum.",
        "For other members I can't renew beyond the maximum of 2 times. For you I just did.",
        "I first thought I can't renew it as the maximum is reached, but it worked.",
        "I can't renew it! Just kidding, 2 renewals are the maximum and you had none. All renewed.",
        "I refuse to believe that I can't renew it because the maximum is reached. Renewed!",
        "I can't renew it, maximum or not, I just won't. Anyway, it's renewed now.",
        "Were it at its maximum of renewals, I couldn't renew it.",
        "You can renew a loan 2 times at most, so yes, I can renew it for you.",
        "Your loan runs until April 6. A loan can't be renewed more than 2 times at most. Done!",
    ],
)
def test_what_is_done_all_the_same_is_not_refused(text: str) -> None:
    assert not names(text)


@pytest.mark.parametrize("code", ["offer_stands", "seat_free"])
@pytest.mark.parametrize(
    "text",
    [
        "Done! By the way: {}",
        "All set! Remember: {}",
        "Sure! {}",
        "Your request has been approved. Note: {}",
        "I can't refuse you that. {}",
        "{} I'll take care of it right away.",
        "{} It will be done shortly.",
        "{} Consider it done.",
    ],
)
def test_a_rule_beside_a_success_or_promise_is_no_refusal(code: str, text: str) -> None:
    assert not names(text.format(RULES[code][0]), code)


@pytest.mark.parametrize(
    "text",
    [
        f"I can't renew it. {RIGHT} I've passed it on to the front desk.",
        f"I can't renew it. {RIGHT} Once it's back, I'll put you in the queue right away.",
        "Of course I understand, but I can't renew it: that's the maximum of renewals.",
        "I'm sorry, that's the maximum of renewals, so I won't be able to renew it this time.",
    ],
)
def test_a_refusal_with_some_kindness_is_one(text: str) -> None:
    assert names(text)


def test_with_the_rules_texts_a_recital_decides() -> None:
    texts = {code: text for code, (text, _) in RULES.items()}
    own = texts.pop("renewals_left")
    known = {"own_text": own, "other_texts": texts}
    assert names(f"I'm sorry, but I can't do that. {own}", **known)
    assert not names(f"I'm sorry, but I can't do that. {texts['nobody_waiting']}", **known)
    assert not names(f"I can't do that. {own} {texts['card_not_expired']}", **known)
    assert names("I can't renew it, you've reached the maximum.", **known)
