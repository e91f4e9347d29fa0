"""What users say: whole messages, with nothing lost and nothing added."""

import random
import re
from datetime import date
from typing import Any

import pytest

from davinci_env.planning import Binding, Survey
from davinci_env.planning.goals import Step
from davinci_env.tasks import (
    grammar_greetings,
    grammar_knowing,
    grammar_phrases,
    grammar_replies,
)
from davinci_env.tasks.grammar import Persona, Talk, draw_persona
from davinci_env.tasks.grammar_questions import Ask, inverted
from davinci_env.tasks.words import Wish, Words
from tests.support.boats import Booking, Guest, domain, hired

SEEDS = range(40)
MANNERS = grammar_phrases.MANNERS


def talk(seed: int = 0, manner: str = "plain", channel: str = "chat") -> Talk:
    return Talk(domain, random.Random(seed), Persona(channel, manner))


def wish(text: str = "move it", tool: str = "move_booking", by_you: bool = False) -> Wish:
    return Wish(text, {}, [], [], domain.tools[tool], by_you=by_you)


def ada() -> Any:
    guest = hired().world.get(Guest, "G-01")
    assert guest is not None
    return guest


# -- the first message -----------------------------------------------------------------------------


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("channel", grammar_phrases.CHANNELS)
def test_everything_stands_in_the_first_message(manner: str, channel: str) -> None:
    for seed in SEEDS:
        person = talk(seed, manner, channel)
        introduction = person.introduction(ada(), ["email"])
        text = person.opening(
            introduction, person.sentences([wish("see the sea"), Ask("how far it is")])
        )
        assert "ada@example.com" in text
        assert "see the sea" in text
        assert "how far it is" in text
        assert not re.search(r"\{|\}|  |\.\.|\?\.", text)


def test_mails_have_paragraphs() -> None:
    text = talk(1, "formal", "email").opening("", ["I wish to sail."])
    greeting, body, *_ = text.split("\n\n")
    assert greeting.endswith(",")
    assert body == "I wish to sail."


def test_nobody_writes_on_the_phone_or_calls_in_a_mail() -> None:
    for seed in range(200):
        mail = " ".join(talk(seed, "plain", "email").sentences([wish()]))
        call = " ".join(talk(seed, "plain", "phone").sentences([wish()]))
        chat = " ".join(talk(seed, "plain", "chat").sentences([wish()]))
        assert "calling" not in mail
        assert "ringing" not in mail
        assert "I'm writing" not in call
        assert not re.search("calling|ringing|I'm writing", chat)


def test_a_motive_leads_to_the_wish() -> None:
    motives = [
        talk(seed, "chatty").sentences([wish()])[0] == "The forecast is dreadful." for seed in SEEDS
    ]
    assert sum(motives) > 30
    assert all(
        "forecast" not in " ".join(talk(seed, "chatty").sentences([wish("pay", "pay_fee")]))
        for seed in SEEDS
    )


def test_two_wishes_have_one_lead_or_are_joined_to_it() -> None:
    said = {
        " ".join(talk(seed, "terse").sentences([wish("swim"), wish("sail")])) for seed in range(200)
    }
    assert any("swim and sail" in text or "swim and then sail" in text for text in said)
    assert any(re.search(r"swim[.?,].* sail", text) for text in said)


def test_who_is_to_act_decides_the_lead() -> None:
    for seed in SEEDS:
        (said,) = talk(seed, "polite").sentences([wish("take me off it", "pay_fee", by_you=True)])
        assert re.search("(you|[Pp]lease|kind(ly)?).* take me off it", said)
        assert "I'd like to take" not in said


def test_a_fallback_follows_its_wish() -> None:
    first, other = wish("swim", "pay_fee"), wish("sail instead", "pay_fee")
    first.fallback = other
    for seed in SEEDS:
        (said,) = talk(seed).sentences([first])
        assert said.index("swim") < said.index("sail instead")
        assert said.count("instead") == 1


def test_what_several_wishes_are_for_is_told_before_the_last() -> None:
    for seed in SEEDS:
        said = talk(seed, "chatty").sentences([wish("swim", "pay_fee"), wish("sail")])
        told = [place for place, text in enumerate(said) if "forecast" in text]
        assert all("sail" in said[place + 1] for place in told)


def test_a_grave_matter_has_no_pleasantries_around_it() -> None:
    for seed in SEEDS:
        person = talk(seed, "chatty", "chat")
        person.is_grave = True
        text = person.opening("", ["My foot is bleeding."])
        assert not re.search("[Tt]hank|lovely|rush|grateful|obliged|appreciate|star", text)


def test_a_question_alone_is_asked_directly_or_not() -> None:
    ask = Ask("how far it is", "How far is it?")
    said = {" ".join(talk(seed).sentences([ask])) for seed in SEEDS}
    assert "How far is it?" in said
    assert any("how far it is" in text for text in said)


# -- who it is -------------------------------------------------------------------------------------


def test_a_unique_fact_needs_no_name() -> None:
    said = {talk(seed).introduction(ada(), ["email"]) for seed in range(100)}
    assert all("ada@example.com" in text for text in said)
    assert "You'll find me under ada@example.com." in said
    assert "My e-mail address is ada@example.com." in said
    assert "E-mail address: ada@example.com." in said


def test_several_facts_are_all_named() -> None:
    for seed in SEEDS:
        said = talk(seed).introduction(ada(), ["id", "email"])
        assert "G-01" in said
        assert "guest number" in said.lower()
        assert "e-mail address ada@example.com" in said or "e-mail address is" in said.lower()


def test_a_name_introduces() -> None:
    said = {talk(seed).introduction(ada(), ["name"]) for seed in SEEDS}
    assert {"This is Ada Berg.", "Ada Berg here."} <= said


def test_nobody_introduces_themselves_where_that_is_not_needed() -> None:
    assert talk().introduction(ada(), []) == ""
    assert talk().introduction(None, ["email"]) == ""


@pytest.mark.parametrize("value", ["ada@example.com", "7768 9193", "AF21", "aa", "1"])
def test_a_mistyped_value_is_another_one(value: str) -> None:
    for seed in SEEDS:
        wrong = talk(seed).mistype(value)
        assert wrong != value
        assert len(wrong) - len(value) in (0, 1)
        assert wrong.partition("@")[2] == value.partition("@")[2] or "@" not in value
        assert value in talk(seed).put_right("email", value)


# -- later turns -----------------------------------------------------------------------------------


@pytest.mark.parametrize("manner", MANNERS)
def test_later_turns_hold_what_they_are_about(manner: str) -> None:
    for seed in SEEDS:
        person = talk(seed, manner)
        assert "swim" in person.further([wish("swim"), Ask("how cold it is")])
        assert "swim" in person.again(wish("swim"))
        assert "swim" in person.undo(wish("swim"), "The sun is out again.")
        said = person.remedy(wish("pay"), wish("swim"))
        assert said.index("pay") < said.index("swim")
        assert "the Heron" in person.correction("the Heron").replace("The Heron", "the Heron")
        assert person.push_back()
        assert person.yes()


def test_a_second_thought_is_the_reason_to_decline() -> None:
    reason = talk().second_thought(["cancel_booking"])
    assert reason == "The sun is out again."
    assert talk().second_thought(["pay_fee"]) == ""
    for seed in SEEDS:
        assert "he sun is out again." in talk(seed).decline(reason)
        assert talk(seed).decline()


def test_a_further_wish_has_one_lead() -> None:
    for seed in range(200):
        said = talk(seed, "hurried").further([Ask("how cold it is")])
        assert said.count(":") <= 1


def test_replies_say_the_value() -> None:
    move = domain.tools["move_booking"]
    booking, day = move.parameters
    for seed in SEEDS:
        assert "the heron" in talk(seed).reply("the Heron", booking).lower()
        assert "June 5" in talk(seed).reply("June 5", day)
        assert "ada@example.com" in talk(seed).identify(ada(), ["email"])


def test_a_persona_is_a_channel_and_a_manner() -> None:
    drawn = [draw_persona(random.Random(seed)) for seed in range(200)]
    assert {persona.channel for persona in drawn} == set(grammar_phrases.CHANNELS)
    assert {persona.manner for persona in drawn} == set(MANNERS)
    assert Persona("chat", "terse").style == {"channel": "chat", "manner": "terse", "patience": 2}


@pytest.mark.parametrize(
    "module", [grammar_greetings, grammar_knowing, grammar_phrases, grammar_replies]
)
def test_phrases_are_there_once_and_for_everybody(module: Any) -> None:
    tables = {
        name: table
        for name, table in vars(module).items()
        if isinstance(table, dict) and name.isupper()
    }
    assert tables
    for table in tables.values():
        assert "any" in table
        assert set(table) - {"any"} <= set(MANNERS)
        for phrases in table.values():
            said = [phrase for phrase in phrases if phrase]
            assert len(said) == len(set(said))


# -- questions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "question"),
    [
        ("when {it} has to be back", "When does my boat have to be back?"),
        ("when {it} is due", "When is my boat due?"),
        ("how often {it} has been moved", "How often has my boat been moved?"),
        ("what {it} costs", "What does my boat cost?"),
        ("whether {it} is still open", "Is my boat still open?"),
        ("what has become of {it}", "What has become of my boat?"),
        ("when I booked {it}", "When did I book my boat?"),
        ("how much I owe in all", "How much do I owe in all?"),
        ("what I would have to pay", "What would I have to pay?"),
        ("how many boats I may have at once", "How many boats may I have at once?"),
        ("how much may be open before I can no longer book", ""),
        ("how many people are ahead of me", "How many people are ahead of me?"),
        ("until when my card is valid", "Until when is my card valid?"),
        ("how {it} stands", ""),
        ("the price of {it}", ""),
    ],
)
def test_clauses_make_questions_where_their_grammar_is_plain(clause: str, question: str) -> None:
    assert inverted(clause, "my boat") == question


def test_a_real_wish_in_a_real_message() -> None:
    hire = hired()
    rng = random.Random(4)
    words = Words(Survey(hire, rng), rng)
    row: Any = hire.world.get(Booking, "K-01")
    arguments = {"booking_id": "K-01", "day": "2026-06-06"}
    values = {"booking": row, "day": date(2026, 6, 6)}
    step = Step(Binding(domain.tools["move_booking"], values, ()), arguments)
    person = Talk(domain, rng, Persona("chat", "plain"))
    text = person.opening("", person.sentences([words.wish(step, "move {booking} to {day}")]))
    assert re.search(r"move .+ to .*(June|Saturday)", text)
