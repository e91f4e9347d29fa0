"""Refusals, claims of success and questions."""

import pytest

from davinci_env.verify.answers import asks, asks_about, claims_success, names_rule, refuses

LIMIT = [["renew", "extend"], ["limit", "maximum", "at most", "already"]]
QUEUE = [["hold", "queue", "reserve"], ["another", "someone", "somebody"]]
CARD = [["card"], ["suspend", "blocked"]]
OTHERS = {"queue": QUEUE, "card": CARD}


@pytest.mark.parametrize(
    "text",
    [
        "I can't renew it: two renewals are the maximum.",
        "It has already been renewed twice, so I'm unable to extend it.",
        "Unfortunately not. A loan is extended twice at most.",
        "I'm sorry, but that's the limit of renewals.",
        "I'd renew it if I could, but two renewals are all you get.",  # "all you get" is implied
    ],
)
def test_the_rule_is_named(text: str) -> None:
    assert names_rule(text, LIMIT, others=OTHERS).passed


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I've renewed it, that was the maximum.", "does not decline"),
        ("Loans are renewed twice at most.", "does not decline"),
        ("I can't renew it.", "the rule is not named"),
        ("I can't renew it, somebody has a hold on it.", "another rule is named"),
        (
            "You haven't reached the limit, but I can't renew it: your card is suspended.",
            "another rule is named",
        ),
        (
            "I can't renew it. It's not that you've reached the limit; your card is suspended.",
            "another rule is named",
        ),
        (
            "I can't renew it: that's the maximum, or somebody has a hold,"
            " or maybe your card is blocked.",
            "several rules are named as guesses",
        ),
        (
            "Normally I can't renew beyond the maximum, but I've extended it for you.",
            "does not decline",
        ),
    ],
)
def test_the_rule_is_not_named(text: str, reason: str) -> None:
    verdict = names_rule(text, LIMIT, others=OTHERS)
    assert (verdict.passed, verdict.reason) == (False, reason)


def test_a_participle_is_not_met_by_its_verb() -> None:
    taken = [["slot", "time"], ["booked", "taken"]]
    assert not names_rule("I can't book that time for you.", taken).passed
    assert names_rule("I can't give you that time, it's booked.", taken).passed


WINDOW = [
    ["return", "take back", "delivered", "arrived"],
    ["more than", "$5.00", "more than $5.00", "days", "ago", "over", "passed", "too late", "until"],
]


@pytest.mark.parametrize(
    "text",
    [
        "I can't take it back, since it was delivered more than 60 days ago.",
        "More than 60 days ago it was delivered, so I can't take it back.",
        "I can't do a return of more than $5.00.",
    ],
)
def test_a_sentence_with_many_of_its_words_is_no_heap(text: str) -> None:
    assert names_rule(text, WINDOW).passed


@pytest.mark.parametrize(
    "text",
    [
        "I can't do that. Return, delivered, more than, days, ago, over, too late.",
        "I can't do that: return arrived days ago over passed too late.",
        "I can't do that because of return, delivered, days, ago, passed, until.",
        "I can't do that, return, delivered, more than, ago, passed, over.",
    ],
)
def test_a_heap_of_its_words_names_no_rule(text: str) -> None:
    assert names_rule(text, WINDOW).reason == "words are heaped"


def test_a_concept_may_be_cut_short() -> None:
    fraud = [["investigat"]]
    assert names_rule("I can't cancel it during an investigation.", fraud).passed
    assert names_rule("I can't cancel it, it's being investigated.", fraud).passed


def test_numbers_meet_words_and_digits() -> None:
    window = [["return"], ["30 days"]]
    assert names_rule("I can't take the return, thirty days are over.", window).passed


def test_the_evidence_is_what_was_judged() -> None:
    verdict = names_rule(
        "Hello! I can't renew it. That's the limit. Bye, and thanks for calling.", LIMIT
    )
    assert verdict.evidence == "Hello! I can't renew it. That's the limit."


@pytest.mark.parametrize(
    "text",
    [
        "I can't do that.",
        "That isn't possible, sorry.",
        "I'm afraid it's too late.",
        "I may only open your own account.",
    ],
)
def test_refuses(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Done!",
        "Sorry for the wait, I've cancelled it.",
        "Can't you find the e-mail?",
        "If you can't come, call us.",
    ],
)
def test_does_not_refuse(text: str) -> None:
    assert not refuses(text)


@pytest.mark.parametrize(
    "text",
    [
        "I've cancelled your order.",
        "We have just sent the form.",
        "All set!",
        "Your loan is renewed.",
        "The slot is booked for you.",
        "The change went through.",
    ],
)
def test_claims_success(text: str) -> None:
    assert claims_success(text)


@pytest.mark.parametrize(
    "text",
    [
        "I've looked at your order.",
        "I haven't cancelled it.",
        "The slot has been booked by another patient.",
        "Shall I cancel it?",
    ],
)
def test_claims_no_success(text: str) -> None:
    assert not claims_success(text)


def test_asks() -> None:
    assert asks("Which e-mail address is registered?")
    assert asks("Please tell me your card number.")
    assert not asks("It's cancelled. Is there anything else I can do for you?")
    assert not asks("It's cancelled.")


def test_asks_about() -> None:
    text = "I see two loans. Which of the books do you mean? Your card is fine."
    assert asks_about(text, ["book", "title"])
    assert not asks_about(text, ["card"])
