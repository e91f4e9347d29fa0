"""What built-in agents say, over a boat hire whose words are known."""

from copy import copy
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from davinci_env.agents.answering import conveyed
from davinci_env.agents.outcomes import without_nothing, without_one
from davinci_env.agents.phrases import cues
from davinci_env.agents.registers import REGISTERS
from davinci_env.agents.speaker import (
    Attribute,
    Counted,
    Did,
    Field,
    HandedOver,
    Left,
    Planned,
    Summed,
)
from davinci_env.agents.wordings_agreeing import FINAL
from davinci_env.agents.wordings_declining import HANDED
from tests.agents.spoken_calls import TOOLS, booking, declined, did, planned, speaker
from tests.support.boats import Booking, domain, hired

SEEDS = range(40)


@pytest.mark.parametrize("register", REGISTERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_proposal_names_the_row_asks_and_says_that_it_is_final(seed: int, register: str) -> None:
    text = speaker(seed, register).propose(
        [planned("cancel_booking", booking=booking(hired(), "K-01"))]
    )
    assert "Heron" in text
    assert text.endswith("?")
    assert any(said in text for wordings in FINAL.values() for said in wordings)


def test_who_acts_is_said_the_right_way_round() -> None:
    """ "take me off the Heron" is what the guest wants the clerk to do."""
    call = planned("cancel_booking", booking=booking(hired(), "K-01"))
    texts = [speaker(seed).propose([call]) for seed in SEEDS]
    assert all("to take you off" not in text or "me to take you off" in text for text in texts)
    assert any("me to take you off the Heron" in text for text in texts)
    assert any("to cancel your booking of the Heron" in text for text in texts)


def test_values_are_said_as_people_say_them() -> None:
    call = planned("move_booking", booking=booking(hired(), "K-01"), day=date(2026, 6, 6))
    assert "Saturday, June 6" in speaker().propose([call])


def test_an_id_is_told_only_where_the_name_could_mean_another_row() -> None:
    hire = hired("G-02")  # two bookings of the Plover
    assert "(K-04)" in speaker().propose([planned("cancel_booking", booking=booking(hire, "K-04"))])
    own = hired()
    text = speaker().propose([planned("cancel_booking", booking=booking(own, "K-01"))])
    assert "K-01" not in text


def test_calls_that_differ_in_one_row_are_one_list() -> None:
    hire = hired()
    rows = [booking(hire, key) for key in ("K-01", "K-03")]
    texts = [
        speaker(seed).propose([planned("cancel_booking", booking=row) for row in rows])
        for seed in SEEDS
    ]
    assert any(
        "cancel your booking of the Heron and your booking of the Swift" in text for text in texts
    )
    assert all("Heron" in text and "Swift" in text for text in texts)


def test_notes_stand_before_the_question() -> None:
    call = planned("cancel_booking", booking=booking(hired(), "K-01"))
    text = speaker().propose([call], ["The fee is $20.00."])
    assert text.index("The fee is $20.00.") < text.index("?")


def test_what_a_domain_has_told_first_stands_before_the_question() -> None:
    hire = hired()
    row = booking(hire, "K-01")
    tool = copy(TOOLS["cancel_booking"])
    first = ["quote_cancellation", "{booking.price} was the price; {fee} of it would be kept."]
    quoted = {"quote_cancellation": hire.call("quote_cancellation", {"booking_id": "K-01"}).content}
    fee = domain.dialect.say_money(row.price // 2)
    for entries, told in (
        (first, f"; {fee} of it would be kept."),
        (first[:1], f"The fee is {fee}."),
    ):
        tool.outcome = replace(tool.outcome, ask_first=tuple(entries))
        text = speaker().propose([Planned(tool, {"booking": row}, frozenset({"booking"}), quoted)])
        assert told in text
        assert text.index(told) < text.index("?")
        unread = speaker().propose([Planned(tool, {"booking": row}, frozenset({"booking"}))])
        assert fee not in unread


def test_a_report_tells_what_is_worked_out_and_no_amount_of_nothing() -> None:
    hire = hired()
    row = booking(hire, "K-01")
    news = did(hire, "cancel_booking", {"booking_id": "K-01"}, booking=row)
    tool = copy(news.tool)
    says = ("{booking} is off; {lost} is lost; {back} comes back.",)
    differences = {"lost": ("amount", "booking.none"), "back": ("booking.price", "amount")}
    tool.outcome = replace(tool.outcome, quotes=(), says=says, differences=differences)
    text = speaker().report([replace(news, tool=tool)])
    assert f"{domain.dialect.say_money(row.price - row.price // 2)} comes back" in text
    assert "is lost" not in text


# -- news ------------------------------------------------------------------------------------------


def test_the_domains_own_sentence_reports_a_write_with_its_result() -> None:
    hire = hired()
    row = booking(hire, "K-01")
    news = did(hire, "move_booking", {"booking_id": "K-01", "day": "2026-06-06"}, booking=row)
    text = speaker().report([news])
    assert "The Heron is yours on Saturday, June 6 now; it has kept its price." in text


def test_bad_news_is_not_great() -> None:
    hire = hired()
    row = booking(hire, "K-01")
    news = did(hire, "cancel_booking", {"booking_id": "K-01"}, booking=row)
    for seed in SEEDS:
        text = speaker(seed, "warm").report([news])
        assert "Your booking of the Heron is off; a fee of $20.00 is due." in text
        assert not any(word in text for word in ("Good news", "Lovely", "Wonderful", "All set"))


def test_a_write_without_sentences_of_its_own_is_reported_all_the_same() -> None:
    hire = hired()
    fee = hire.world.db.all(domain.entities["Fee"])[0]
    news = did(hire, "pay_fee", {"fee_id": "F-01"}, fee=fee)
    assert "pay your fee for the Heron" in speaker().report([news])


def test_an_amount_of_nothing_is_left_out() -> None:
    hire = hired()
    row = booking(hire, "K-01")
    result = {
        "fee_id": "F-02",
        "guest_id": "G-01",
        "booking_id": "K-01",
        "amount": 0,
        "status": "open",
    }
    text = speaker().report([Did(TOOLS["cancel_booking"], {"booking": row}, frozenset(), result)])
    assert "Your booking of the Heron is off." in text
    assert "$0.00" not in text


@pytest.mark.parametrize("amounts", [(2000, 0), (0, 2000)])
def test_of_several_results_each_is_told_as_it_came_out(amounts: tuple[int, int]) -> None:
    hire = hired()
    news = [
        Did(
            TOOLS["cancel_booking"],
            {"booking": booking(hire, key)},
            frozenset(),
            {
                "fee_id": f"F-{key}",
                "guest_id": "G-01",
                "booking_id": key,
                "amount": amount,
                "status": "open",
            },
        )
        for key, amount in zip(("K-01", "K-02"), amounts, strict=True)
    ]
    for seed in SEEDS:
        text = speaker(seed).report(news)
        assert "a fee of $20.00 is due" in text
        assert "$0.00" not in text


def test_the_second_mention_is_a_pronoun() -> None:
    hire = hired()
    row = booking(hire, "K-02")
    refused = declined(hire, "move_booking", "moves_left", booking=row, day=date(2026, 6, 11))
    news = Did(
        TOOLS["cancel_booking"],
        {"booking": row},
        frozenset({"booking"}),
        {
            "fee_id": "F-02",
            "guest_id": "G-01",
            "booking_id": "K-02",
            "amount": 3000,
            "status": "open",
        },
    )
    texts = [speaker(seed).report([refused, news]) for seed in SEEDS]
    assert all(text.count("Otter") == 1 for text in texts)
    assert any("It is off; a fee of $30.00 is due." in text for text in texts)


def test_the_same_outcome_is_told_once_for_several_rows() -> None:
    text = speaker().report([cancelled(key, f"F-0{n}") for n, key in enumerate(KEYS)])
    assert text.count("$5.00") == 1
    assert "your booking of the Otter and your booking of the Swift" in text


KEYS = "K-01", "K-02", "K-03"


def cancelled(key: str, fee: str) -> Did:
    """A cancelled booking, and the fee for it."""
    result = {
        "fee_id": fee,
        "guest_id": "G-01",
        "booking_id": "K-01",
        "amount": 500,
        "status": "open",
    }
    return Did(TOOLS["cancel_booking"], {"booking": booking(hired(), key)}, frozenset(), result)


@pytest.mark.parametrize(
    ("paid", "said"),
    [
        (True, "It is {total}. {paid} comes back."),
        (False, "It is {total}. Nothing comes back."),
    ],
)
def test_a_clause_may_be_only_for_when_there_is_nothing(paid: bool, said: str) -> None:
    text = "It is {total}. {paid} comes back. {no paid}Nothing comes back."
    assert without_nothing(text, lambda path: paid or path != "paid") == said


@pytest.mark.parametrize(
    ("count", "said"), [(1, "You keep the pan; bye."), (2, "You keep the pan ({n} pieces); bye.")]
)
def test_brackets_that_count_one_thing_are_not_told(count: int, said: str) -> None:
    assert without_one("You keep the pan ({n} pieces); bye.", {"n": count}.get) == said


def test_an_amount_that_a_later_step_changed_is_not_told() -> None:
    first, last = cancelled("K-01", "F-02"), cancelled("K-02", "F-02")
    last = replace(last, result={**last.result, "amount": 900})
    for seed in SEEDS:
        text = speaker(seed).report([first, last])
        assert "$5.00" not in text
        assert "Otter" in text


# -- refusals --------------------------------------------------------------------------------------


def test_what_was_left_alone_and_what_was_handed_over() -> None:
    row = booking(hired(), "K-01")
    left = speaker(3).report([Left(TOOLS["cancel_booking"], {"booking": row})])
    assert "booking of the Heron" in left or "othing" in left
    handed = speaker().report([HandedOver(TOOLS["hand_over"], {}, {}, "complaint")])
    assert any(said in handed for said in HANDED["any"])


# -- answers ---------------------------------------------------------------------------------------


def test_an_attribute_is_told_in_the_domains_words() -> None:
    row = booking(hired(), "K-01")
    assert "our booking of the Heron is for Friday, June 5." in speaker().report(
        [Attribute(row, "day", row.day)]
    )


def test_a_day_that_is_asked_for_is_no_part_of_the_name() -> None:
    tour: Any = hired().world.get(domain.entities["Tour"], "T-01")
    for seed in SEEDS:
        text = speaker(seed).report([Attribute(tour, "day", tour.day)])
        assert "our Otter tour is on Wednesday, June 3." in text


def test_a_long_name_may_be_cut_short_where_no_other_row_is_meant() -> None:
    tour: Any = hired().world.get(domain.entities["Tour"], "T-01")
    texts = [speaker(seed).report([Attribute(tour, "price", 500)]) for seed in SEEDS]
    names = ("our tour on Wednesday, June 3", "our Otter tour", "our tour on the Otter on June 03")
    assert all(any(f"{name} costs $5.00." in text for text in texts) for name in names)


def test_a_number_of_times_is_told_in_words_or_figures() -> None:
    row = booking(hired(), "K-03")
    texts = [speaker(seed).report([Attribute(row, "moves", 1)]) for seed in SEEDS]
    assert all("was moved once." in text or "was moved 1 time." in text for text in texts)


def test_answers_to_questions_about_sets_and_composed_reads() -> None:
    hire = hired()
    info = Booking._info
    for seed in SEEDS:
        voice = speaker(seed)
        assert "three booked bookings" in voice.report([Counted(info, {"status": "booked"}, (), 3)])
        summed = voice.report(
            [Summed(info, info.columns["price"], {"status": "booked"}, (), 11000)]
        )
        assert "$110.00" in summed
        clause = "what I would have to pay if I cancelled {booking}"
        values = {"booking": booking(hire, "K-01")}
        field = Field(TOOLS["quote_cancellation"], values, clause, "money", 2000)
        said = voice.report([field])
        assert "ou would have to pay $20.00 if you cancelled your booking of the Heron." in said


def test_conditions_are_said_to_the_person() -> None:
    info = Booking._info
    said = speaker().report([Counted(info, {}, [["price", ">", 5000]], 1)])
    assert "booking that costs more than $50.00" in said


def test_beside_an_answer_a_report_tells_what_came_of_it_and_the_answer_is_found() -> None:
    """The fee is an amount of money, and so is the price that was asked for: both are told."""
    hire = hired()
    row = booking(hire, "K-01")
    news = did(hire, "cancel_booking", {"booking_id": "K-01"}, booking=row)
    answer = Attribute(row, "price", 4000)
    for seed in SEEDS:
        text = speaker(seed).report([news, answer])
        assert "$40.00" in text
        assert conveyed(domain, text, answer, [news, answer])
        assert "off" in text or "cancel" in text
        assert "$20.00" in text


# -- questions -------------------------------------------------------------------------------------


def test_the_domains_question_is_asked_and_recognised() -> None:
    tool = TOOLS["move_booking"]
    parameter = next(p for p in tool.parameters if p.name == "day")
    assert (
        speaker().ask_argument(tool, parameter) == "We are open all week. What date would suit you?"
    )
    assert "What date would suit you" in cues(tool, parameter)


def test_a_question_without_words_of_the_domains() -> None:
    tool = TOOLS["move_booking"]
    parameter = next(p for p in tool.parameters if p.name == "booking")
    for seed in SEEDS:
        text = speaker(seed).ask_argument(tool, parameter)
        assert "booking" in text
        assert text.endswith("?")


def test_who_it_is_is_asked_by_what_people_call_it() -> None:
    for seed in SEEDS:
        for again in (False, True):
            text = speaker(seed).ask_identity(["e-mail address"], again=again)
            assert "your e-mail address" in text
            assert "?" in text


# -- manner ----------------------------------------------------------------------------------------


def test_the_same_call_gives_the_same_text_until_it_was_spoken() -> None:
    voice = speaker()
    call = [planned("cancel_booking", booking=booking(hired(), "K-01"))]
    first = voice.propose(call)
    assert voice.propose(call) == first
    voice.said()
    assert voice.propose(call) != first


def test_one_lead_a_message() -> None:
    hire = hired()
    row, fee = booking(hire, "K-01"), hire.world.db.all(domain.entities["Fee"])[0]
    news = [
        did(hire, "move_booking", {"booking_id": "K-01", "day": "2026-06-06"}, booking=row),
        did(hire, "pay_fee", {"fee_id": "F-01"}, fee=fee),
    ]
    for seed in SEEDS:
        text = speaker(seed).report(news)
        assert len([lead for lead in ("Done.", "All set.", "That's done.") if lead in text]) <= 1
