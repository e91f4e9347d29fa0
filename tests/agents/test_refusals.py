"""How built-in agents refuse, over a boat hire whose words are known."""

from dataclasses import replace
from datetime import date

import pytest

from davinci_env.agents.registers import REGISTERS
from davinci_env.agents.speaker import (
    Declined,
    Missing,
)
from davinci_env.agents.wordings_declining import MISSING_HANDED
from davinci_env.verify import rule_named
from tests.agents.spoken_calls import TOOLS, booking, declined, planned, speaker
from tests.support.boats import domain, hired

SEEDS = range(40)


@pytest.mark.parametrize("register", REGISTERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_refusal_names_its_rule_and_asks_nothing(seed: int, register: str) -> None:
    hire = hired()
    news = declined(
        hire, "move_booking", "moves_left", booking=booking(hire, "K-02"), day=date(2026, 6, 11)
    )
    voice = speaker(seed, register)
    for text in (voice.report([news]), voice.firm(news)):
        assert rule_named(domain, "moves_left", news.concepts, text).passed
        assert "it was moved twice, which is the maximum" in text
        assert "?" not in text


def test_a_refusal_gives_the_part_that_applies_and_what_to_do_about_it() -> None:
    hire = hired()
    news = declined(hire, "cancel_booking", "cancellable", booking=booking(hire, "K-02"))
    text = speaker().report([news])
    assert "it costs $60.00, more than $50.00" in text
    assert "you could move it to another day" in text
    assert "the day of it has come" not in text


def test_a_settled_refusal_offers_nothing() -> None:
    hire = hired()
    news = declined(hire, "cancel_booking", "cancellable", booking=booking(hire, "K-02"))
    for settled in (replace(news, settled=True), replace(news, closed=True)):
        text = speaker().report([settled])
        assert "it costs $60.00, more than $50.00" in text
        assert "you could move it to another day" not in text


@pytest.mark.parametrize("register", REGISTERS)
def test_a_proposal_tells_first_what_cannot_be_done(register: str) -> None:
    hire = hired()
    news = declined(hire, "cancel_booking", "cancellable", booking=booking(hire, "K-02"))
    call = planned("cancel_booking", booking=booking(hire, "K-01"))
    for seed in SEEDS:
        text = speaker(seed, register).propose([call], refused=[news])
        assert "you could move it" not in text
        assert text.index("$60.00") < text.rindex("Heron")


def test_a_refusal_without_a_rule_gives_the_reason() -> None:
    row = booking(hired(), "K-01")
    news = Declined(
        TOOLS["cancel_booking"], {"booking": row}, frozenset({"booking"}), None, {}, (),
        "The booking is cancelled already.",
    )  # fmt: skip
    text = speaker().report([news])
    assert ". The booking is cancelled already." in text
    assert "?" not in text


def test_a_missing_operation_is_named() -> None:
    row = booking(hired(), "K-01")
    for seed in SEEDS:
        known = speaker(seed).report(
            [Missing(TOOLS["move_booking"], {"booking": row, "day": date(2026, 6, 6)}, False)]
        )
        assert "Heron" in known
        assert "Saturday, June 6" in known
        unknown = speaker(seed).report([Missing(TOOLS["move_booking"], None, True)])
        assert "a booking to the day" in unknown
        assert any(said in unknown for said in MISSING_HANDED["any"])
