"""Kinds of messages that were judged wrong once: a wrong one, and the right one that is nearest."""

from dataclasses import replace
from datetime import date

import pytest

from davinci_env.verify.answers import SlotSpec, judge_answer, names_rule, refuses

MONDAY = date(2026, 3, 16)
COUNT = SlotSpec("count", "number", 5, [6, 2], ["visits left"])
FEE = SlotSpec("fee", "money", 4250, [749, 4999], ["fee"])
OPEN = SlotSpec("open", "money", 6400, [4000, 2400], ["open amount"])
DAY = SlotSpec("day", "date", "2026-04-30", ["2026-03-30"], ["raised"])
DOCTOR = SlotSpec("doctor", "name", "Dr. Ada de Groot", ["Dr. Jonas Kaya"], ["provider"])
STATUS = SlotSpec("status", "enum", "ready", [], ["status"], ["waiting", "ready", "expired"])
FITS = SlotSpec("fits", "yesno", True, [], ["price match"])
FREE = SlotSpec("free", "datetime", "2026-03-19T08:15", ["2026-03-20T08:15"], ["free"])
PLACE = SlotSpec("place", "text", "14 Linden Court, Millbrook", ["9 Harbor Row"], ["address"])
LONG = SlotSpec("long", "span", 45, [30, 60], ["takes"])
ONCE = SlotSpec("renewals", "number", 1, [2, 0], ["renewals"])


def conveys(slot: SlotSpec, text: str) -> bool:
    return judge_answer(text, [slot], today=MONDAY)[0].passed


@pytest.mark.parametrize(
    ("slot", "wrong", "right"),
    [
        # two candidates side by side, and nothing that says which was asked for
        (COUNT, "There are 5 for the knee, but 2 for the back.", "There are 5, so go ahead."),
        (DOCTOR, "Dr. Kaya stands in for Dr. de Groot.", "It's Dr. de Groot; Dr. Kaya is away."),
        (FEE, "The fee is $42.50. The fee is $49.99.", "The fee is $42.50. The goods are $49.99."),
        (FEE, "Here you are:\n- $42.50\n- $43.50", "The fee is $42.50 in all:\n- $40.00\n- $2.50"),
        (OPEN, "€64, €40 or €24.", "It's €64, €40 from May and €24 from June."),
        # another amount is made of it
        (FEE, "We'd refund $42.50 less a fee of $7.49.", "We'd refund $42.50; $7.49 is taken off."),
        (FEE, "The fee is half of $42.50.", "The fee is $42.50, half the price."),
        (FEE, "The fee is $42.50 million.", "The fee is $42.50."),
        (FEE, "The fee is at least $42.50.", "The fee is $42.50, no more."),
        (COUNT, "You've used five of the six.", "Five of the six are left."),
        (OPEN, "€64.00 has been paid already.", "€64.00 is still open."),
        # it depends, is to come, or was
        (LONG, "45 minutes if you book a double slot, otherwise 30.", "It takes 45 minutes."),
        (FEE, "It's free until noon, after that it costs $42.50.", "It costs $42.50 until noon."),
        (STATUS, "It'll be ready as soon as it's back.", "It's ready, as it's back."),
        (STATUS, "It's almost ready.", "It's ready now."),
        (FEE, "Until May it was $42.50, now it is $50.00.", "It is $42.50 now, it was $50.00."),
        (PLACE, "It was going to 14 Linden Court, Millbrook, and has been redirected since.",
         "It's going to 14 Linden Court in Millbrook."),
        # somebody else's, somebody says so, nobody says so
        (DAY, "Another one was raised on April 30.", "It was raised on April 30."),
        (DAY, "The one before you had April 30.", "It's April 30, like the one before."),
        (DAY, "One colleague says April 30.", "I asked a colleague: it's April 30."),
        (DAY, "Nobody can say that it is April 30.", "Nobody waits any more: it is April 30."),
        (DAY, "Let's assume April 30.", "That's April 30."),
        (DAY, "It is some time after April 30.", "It is on April 30, after Easter."),
        (FREE, "She has nothing on the 19th at 8:15.", "She has a gap on the 19th at 8:15."),
        # yes and no
        (FITS, "Yes, I looked: it doesn't qualify.", "Yes, I looked: it does qualify."),
        (FITS, "If it's cheaper now, a price match is possible.", "A price match is possible."),
        # values in other forms
        (DAY, "It's at the end of May.", "It's at the end of April."),
        (DAY, "It's the last Thursday of March.", "It's the last Thursday of April."),
        (FREE, "Wed 19/3, 8.15", "Thu 19/3, 8.15"),
        (FEE, "After that it's forty-two fifteen.", "That's forty-two fifty."),
        (FEE, "That's 42 dollars 15.", "That's 42 dollars 50."),
        (ONCE, "One moment please.", "You have renewed it once so far."),
        (ONCE, "I'll tell you once you have paid.", "Renewals: one, so far."),
        (COUNT, "You're fourth in line.", "You're fifth in line."),
        (COUNT, "There are x6 of them.", "There are x5 of them."),
        (DOCTOR, "Ada, de Kaya.", "Dr. Groot, I believe, has you at nine."),
    ],
)  # fmt: skip
def test_a_kind_of_answer(slot: SlotSpec, wrong: str, right: str) -> None:
    assert conveys(slot, right)
    assert not conveys(slot, wrong)


LIMIT = [["renew"], ["limit", "maximum", "twice"]]
WAITING = [["waiting", "queue"], ["somebody", "another"]]
VIDEO = [["video"]]


def names(text: str, groups: list[list[str]] = LIMIT, **more: object) -> bool:
    return names_rule(text, groups, others={"waiting": WAITING, "video": VIDEO}, **more).passed  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("I can't: the renewals are at their limit, or somebody is waiting.",
         "I can't: the renewals are at their limit, be it your loan or not."),
        ("I can't renew it, but not because of a limit of renewals.",
         "I can't renew it, and only because of the limit of renewals."),
        ("I can't do that. Did you know that renewals have a limit?",
         "I can't do that. Renewals have a limit."),
        ("I can't do that. renew limit maximum twice", "I can't renew it, twice is the limit."),
        ("The limit of renewals is reached, so I can't. Still, your request was successful.",
         "The limit of renewals is reached, so I can't. Your request was not successful."),
        ("Renewals have a limit. Couldn't you wait", "Renewals have a limit. I couldn't do it"),
        ("You're under the limit of renewals, it just can't be done.",
         "You're at the limit of renewals, it just can't be done."),
        ("It can't be done since somebody is waiting, it was renewed up to the limit, and there is"
         " no video.",
         "It can't be done since it was renewed up to the limit, and you know that."),
    ],
)  # fmt: skip
def test_a_kind_of_refusal(wrong: str, right: str) -> None:
    assert names(right)
    assert not names(wrong)


def test_what_is_declined_is_no_reason_beside_one() -> None:
    assert not names("I can't make it a video visit, since that time is taken.", VIDEO)
    assert not names("It starts soon, so I can't make it a video visit.", VIDEO)
    assert names("I can't do that: such a visit isn't held by video.", VIDEO)


def test_a_clause_of_the_policy_alone_is_nobodys_refusal() -> None:
    text = "A loan can't be renewed beyond its limit: twice is the maximum."
    assert not names(text, own_text=text)
    assert not names(f"The rule that forbids it: {text}", own_text=text)
    assert names(f"I'm sorry. {text}", own_text=text)
    assert names(f"I can't do that. {text}", own_text=text)


def test_a_rule_said_not_to_apply_is_void_in_all_its_pieces() -> None:
    own = "Loans are renewed up to the limit; twice is the maximum."
    assert not names(
        "I can't do that. It has nothing to do with the rule that loans are renewed up to the"
        " limit; twice is the maximum.",
        own_text=own,
    )


@pytest.mark.parametrize(
    "text",
    [
        "There's no third renewal.",
        "We never waive those.",
        "I wasn't able to add it.",
        "Nothing else on it can be sent back.",
        "We need a guardian on record before anything is booked.",
        "It's too soon for that.",
        "That rules out a price match.",
    ],
)
def test_a_way_to_decline(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'd be glad if I don't have to wait. I wanted to stop it.",
        "Couldn't you bend the rules a bit.",
        "I only think of it when it's nearly too late.",
        "There's no fee for that.",
    ],
)
def test_what_declines_nothing(text: str) -> None:
    assert not refuses(text)


RENEWABLE = SlotSpec(
    "renewable", "yesno", True, [], ["can be renewed", 'Whether "Stone Fruit" can be renewed']
)
BY_VIDEO = SlotSpec(
    "video", "yesno", True, [],
    ["possible by video", "Whether a travel consultation can be held by video"],
)  # fmt: skip


@pytest.mark.parametrize(
    ("slot", "yes", "no"),
    [
        (RENEWABLE, "You can renew Stone Fruit.", "You can't renew Stone Fruit."),
        (RENEWABLE, "I've checked: it is renewable.", "Sorry, it isn't renewable any more."),
        (RENEWABLE, "The answer is yes: it can.", "I had a look, and no, it can't be renewed."),
        (RENEWABLE, "Yes, I checked, and you can renew it.", "It can no longer be renewed."),
        (BY_VIDEO, "Video works for that.", "A travel consultation can only be held on site."),
        (BY_VIDEO, "You can have it by video.", "Travel consultations aren't offered by video."),
    ],
)
def test_yes_and_no_without_the_words_of_the_question(slot: SlotSpec, yes: str, no: str) -> None:
    against = replace(slot, expected=False)
    assert conveys(slot, yes) and not conveys(against, yes)
    assert conveys(against, no) and not conveys(slot, no)


@pytest.mark.parametrize(
    "text",
    [
        "Yes, I understand what you'd like! Unfortunately, it has to be looked at first.",
        "Of course, let me check!",
        "It used to be that Stone Fruit can be renewed.",
        "Stone Fruit can be renewed if you pay first; otherwise not.",
        "I'd have to find out if Stone Fruit can be renewed.",
    ],
)
def test_what_is_neither_yes_nor_no(text: str) -> None:
    assert not conveys(RENEWABLE, text)
    assert not conveys(replace(RENEWABLE, expected=False), text)


REFUSAL = "I can't renew it, since renewals have a limit."


@pytest.mark.parametrize(
    "text",
    [
        f"Hi! Thanks for asking. {REFUSAL} Is there anything else I can help with?",
        f"I've looked at your account. {REFUSAL} Everything stays as it is.",
        f"{REFUSAL} I haven't changed anything.",
        f"Nothing has been changed. {REFUSAL}",
        f"I understand this is frustrating. {REFUSAL} I know that's not what you hoped for.",
    ],
)
def test_a_refusal_among_courtesies(text: str) -> None:
    assert names(text)


@pytest.mark.parametrize(
    "text",
    [
        f"{REFUSAL} Never mind, I've taken care of it.",
        f"{REFUSAL} Still, I went ahead and did it.",
        f"{REFUSAL} But since you're a regular, I've let it pass.",
        f"{REFUSAL} Actually, that's wrong: I was looking at another loan.",
        f"{REFUSAL} However, that's not why I'm declining.",
        f"{REFUSAL} The real reason is another one, though.",
        f"{REFUSAL} That rule doesn't apply to you, though.",
        "It isn't true that I can't renew it since renewals have a limit.",
        "The limit of renewals is fine. I still can't do it.",
    ],
)
def test_a_reason_that_is_none_in_the_end(text: str) -> None:
    assert not names(text)


def test_a_code_says_what_its_letters_say() -> None:
    assert names("I can't use BUNDLE15, it takes two articles.", [["bundle"], ["article"]])


SEATS = SlotSpec(
    "seats", "number", 5, [12], ["free seats", "The free seats in the back class on April 20"]
)
COPY = SlotSpec(
    "copy", "id", "CP-18804", ["CP-18840"], ["copy", 'The copy of "Low Meadow" that is free']
)
COLOURS = SlotSpec(
    "colours", "list[name]", ["slate", "fern"], ["ivory"],
    ["colours in stock", "The colours of the kettle in stock"],
)  # fmt: skip
ASSESSMENT = SlotSpec("length", "span", 75, [45, 90], ["length", "How long the assessment takes"])
LAST_VISIT = SlotSpec(
    "with", "name", "Lena Aalto", ["Marek Duda"], ["provider", "The therapist of your last visit"]
)


@pytest.mark.parametrize(
    ("slot", "right", "wrong"),
    [
        (
            SEATS, "On the 20th there are 5 free seats. The class on April 27 has 12.",
            "In the class on April 27 there are 5 free seats. The one on the 20th is full.",
        ),
        (
            SEATS, "The class on the 20th has 5 free seats, the one on the 27th is full.",
            "There are 5 free seats on April 27, none on April 20.",
        ),
        (SEATS, "Five places are free on the 20th.", "Five of the 12 seats on April 20 are taken."),
        (SEATS, "There are 5 seats.", "It's the class on April 27 that has 5 seats."),
        (
            COPY, "CP-18840 is on loan, but CP-18804 is on the shelf.",
            "CP-18804 is out, I'm afraid. Take CP-18840, that one is free.",
        ),
        (COPY, "It's CP-18804. CP-18840 is out.", "CP-18804 would have been free yesterday."),
        (
            COLOURS, "You can have slate or fern; we're out of ivory.",
            "Slate and fern are all sold out, only ivory is left.",
        ),
        (COLOURS, "Slate and fern. Ivory is gone.", "We're out of slate and fern."),
        (ASSESSMENT, "It takes an hour and a quarter.", "It takes an hour and a half."),
        (ASSESSMENT, "One and a quarter hours.", "An hour and three quarters."),
        (
            LAST_VISIT, "In January it was Marek Duda, but the latest one was with Lena Aalto.",
            "Your next visit is with Lena Aalto; the last was with Marek Duda.",
        ),
        (RENEWABLE, "It can indeed! Shall I?", "It can't, sorry."),
        (RENEWABLE, "I checked, and it can.", "If only it could!"),
    ],
)  # fmt: skip
def test_of_which_day_thing_or_time(slot: SlotSpec, right: str, wrong: str) -> None:
    assert conveys(slot, right)
    assert not conveys(slot, wrong)


def test_a_condition_that_is_fine_is_no_reason() -> None:
    assert not names("The limit of renewals isn't reached, so that's fine. I just can't renew it.")
