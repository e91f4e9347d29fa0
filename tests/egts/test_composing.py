"""Whole requests: every wish in its place, each sentence closed once."""

import random
import re

import pytest

from davinci_env.egts.composing import compose
from davinci_env.egts.lexicon import Lexicon
from davinci_env.egts.wishes import Worded

DO = Worded("do", "pin the note", "I've pinned the note.")
ASK = Worded("ask", "how many notes there are", "There are {s1} notes.")
SEEDS = range(120)


def composed(*wishes: Worded, seed: int = 1, lexicon: Lexicon | None = None) -> tuple[str, ...]:
    return tuple(compose(wishes, lexicon or Lexicon(), random.Random(seed))[0])


def test_every_wish_stands_in_its_message() -> None:
    for seed in SEEDS:
        turns, of_turn = compose([DO, ASK, DO], Lexicon(), random.Random(seed))
        assert of_turn[0] == 0 and of_turn == sorted(of_turn) and of_turn[-1] == len(turns) - 1
        for wish, turn in zip((DO, ASK, DO), of_turn, strict=True):
            assert wish.clause in turns[turn].casefold()
        assert all(text.count("pin the note") + text.count("Pin the note") <= 2 for text in turns)


def test_there_are_requests_of_one_message_and_of_several() -> None:
    assert {len(composed(DO, ASK, DO, seed=seed)) for seed in SEEDS} == {1, 2, 3}


def test_what_comes_first_is_no_afterthought() -> None:
    for seed in SEEDS:
        first = composed(DO, ASK, seed=seed)[0]
        assert not re.match(r"(Then|Also|After|Next|And|Thanks|Great|Once)\b", first), first


@pytest.mark.parametrize("kind", ["do", "ask"])
@pytest.mark.parametrize(
    "clause",
    [
        'send Ada "We meet at ten."',
        'send Ada "Are you coming?"',
        'send Ada "Look!"',
        "send the form to Acme Inc.",
        "send Ada this: are you coming?",
    ],
)
def test_a_clause_that_is_closed_gets_no_second_stop(clause: str, kind: str) -> None:
    wish = Worded(kind, clause, "")
    for seed in SEEDS:
        text = " ".join(composed(DO, wish, seed=seed))
        assert text.casefold().endswith(clause.casefold()), text


def test_a_clause_that_ends_with_a_quote_has_nothing_but_the_stop_behind_it() -> None:
    for seed in SEEDS:
        text = composed(Worded("do", 'pin the note "salad"', ""), seed=seed)[0]
        assert re.search(r'"salad"[.?]$', text), text


def test_a_stop_within_a_text_stays() -> None:
    wish = Worded("do", 'write "She said "no.". Then left" down', "")
    for seed in SEEDS:
        assert '"no.". Then' in composed(wish, seed=seed)[0]


def test_values_are_put_in_as_they_are() -> None:
    wish = Worded("do", "write {f0} down", "", said={"f0": "{f1} {} {{x}}"})
    later = Worded("do", "send {f0}", "")
    for seed in range(20):
        text = " ".join(composed(wish, later, seed=seed))
        assert text.count("{f1} {} {{x}}") == 2


def test_an_opener_begins_and_nobody_greets_after_it() -> None:
    lexicon = Lexicon(openers=("I'm tidying up my notes.",))
    texts = [composed(DO, seed=seed, lexicon=lexicon)[0] for seed in SEEDS]
    opened = [text for text in texts if text.startswith("I'm tidying up my notes. ")]
    assert 0 < len(opened) < len(texts)
    assert not any(re.search(r"\b(Hi|Hello|Hey)\b", text) for text in opened)


def test_what_is_said_of_the_wish_before_fits_it() -> None:
    for seed in SEEDS:
        after_answer, after_change = composed(ASK, DO, seed=seed), composed(DO, ASK, seed=seed)
        assert "Once that's done" not in " ".join(after_answer)
        assert "Good to know" not in " ".join(after_change)
    again = {" ".join(composed(kind, kind, seed=seed)) for seed in SEEDS for kind in (DO, ASK)}
    assert any("Once that's done" in text for text in again)
    assert any("Good to know" in text for text in again)
