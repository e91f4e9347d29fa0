"""How things are spoken of: by their labels, with the list they are in, and as "that" if that is
plain.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from davinci_env.egts.lexicon import Arg, Lexicon, Noun, ToolWords
from davinci_env.egts.mentions import Speaker, Unworded
from davinci_env.egts.model import Composed, Fixed, Picked, Returned, Several
from davinci_env.egts.origins import facts_of, leaves, steps_of
from davinci_env.egts.surfaces import Style
from davinci_env.egts.templates import before_noun, chosen_parts, fields, filled, sayable
from tests.egts.little import carried_out, fact, of
from tests.egts.samples import at_start, words

FACTS = {"ada": "Ada Amsel", "hugo": "Hugo Dorn", "ladder": "ladder", "salad": "salad"}
CONTACTS: tuple[str, dict[str, Any]] = ("list_contacts", {})
NOTE = Arg(of="note", field="note_id")
CONTACT = Arg(of="contact", field="contact_id")


def speaker(*calls: tuple[str, dict[str, Any]], lexicon: Lexicon | None = None) -> Speaker:
    run = carried_out(at_start(), words(), FACTS, calls, [])
    return Speaker(run, lexicon or words(), Style("uk", "24"))


def noted(text: str) -> tuple[str, dict[str, Any]]:
    return "write_note", {"contact_id": of(0, "contact_id", name="hugo"), "text": fact(text)}


def notes_of(name: str) -> tuple[str, dict[str, Any]]:
    return "list_notes", {"contact_id": of(0, "contact_id", name=name)}


# -- things ----------------------------------------------------------------------------------------


def test_a_thing_is_named_with_the_list_that_it_is_in_until_that_is_said() -> None:
    who = speaker(CONTACTS, notes_of("ada"))
    assert who.mention(of(1, "note_id", text="salad"), NOTE) == 'the note "{salad}" about {ada}'
    assert who.said == {"salad": "salad", "ada": "Ada Amsel"}
    assert who.asked(who.mention(of(1, "note_id", text="salad"), NOTE)) == "that note"


def test_the_agent_says_by_its_name_what_the_user_calls_that_one() -> None:
    who = speaker(CONTACTS, notes_of("ada"))
    who.mention(of(1, "note_id", text="salad"), NOTE)
    again = who.mention(of(1, "note_id", text="salad"), NOTE)
    assert who.asked(f"pin {again}") == "pin that note"
    assert who.told(f"I've pinned {again}") == 'I\'ve pinned the note "{salad}"'


def test_what_was_spoken_of_long_ago_is_named_anew() -> None:
    who = speaker(CONTACTS, notes_of("ada"))
    who.mention(of(1, "note_id", text="salad"), NOTE)
    who.turn = 1
    assert who.asked(who.mention(of(1, "note_id", text="salad"), NOTE)) == "that note"
    who.turn = 3
    assert who.asked(who.mention(of(1, "note_id", text="salad"), NOTE)) == 'the note "{salad}"'


def test_where_the_list_has_to_be_said_the_thing_is_named() -> None:
    who = speaker(CONTACTS, noted("salad"), notes_of("hugo"))
    who.mention(fact("salad"), Arg())
    who.made("write_note", 1)
    assert who.mention(of(2, "note_id", text="salad"), NOTE) == 'the note "{salad}" about {hugo}'


def test_people_are_always_named() -> None:
    who = speaker(CONTACTS)
    for _ in range(2):
        assert who.mention(of(0, "contact_id", name="ada"), CONTACT) == "{ada}"


def test_two_things_of_a_kind_are_never_that_one() -> None:
    who = speaker(CONTACTS, notes_of("ada"))
    who.mention(of(1, "note_id", text="salad"), NOTE)
    assert who.mention(of(1, "note_id", text="ladder"), NOTE) == 'the note "{ladder}"'
    assert who.mention(of(1, "note_id", text="salad"), NOTE) == 'the note "{salad}"'


def test_equal_labels_in_two_lists_are_two_things() -> None:
    who = speaker(CONTACTS, notes_of("ada"), noted("salad"), notes_of("hugo"))
    assert who.mention(of(1, "note_id", text="salad"), NOTE) == 'the note "{salad}" about {ada}'
    assert who.mention(of(3, "note_id", text="salad"), NOTE) == 'the note "{salad}" about {hugo}'


def test_what_was_made_is_that_one_while_it_is_the_only_one_of_its_kind() -> None:
    who = speaker(CONTACTS, noted("salad"), notes_of("ada"))
    who.mention(fact("salad"), Arg())
    who.made("write_note", 1)
    made = Returned(step=1, path="note_id")
    assert who.asked(who.mention(made, NOTE)) == "that note"
    who.mention(of(2, "note_id", text="ladder"), NOTE)
    assert who.mention(made, NOTE) == 'the note "{salad}"'


def test_what_was_made_without_a_label_can_not_be_told_from_others() -> None:
    unnamed = words().model_copy(update={"nouns": {**words().nouns, "note": Noun(label=("id",))}})
    who = speaker(CONTACTS, noted("salad"), notes_of("ada"), lexicon=unnamed)
    who.made("write_note", 1)
    assert who.asked(who.mention(Returned(step=1, path="note_id"), NOTE)) == "that note"
    who.mention(of(2, "note_id", text="ladder"), NOTE)
    with pytest.raises(Unworded, match="which note"):
        who.mention(Returned(step=1, path="note_id"), NOTE)


def test_what_was_made_is_known_again_in_a_list() -> None:
    who = speaker(CONTACTS, noted("salad"), notes_of("hugo"))
    who.mention(of(0, "contact_id", name="hugo"), CONTACT)
    who.made("write_note", 1)
    assert who.asked(who.mention(of(2, "note_id", text="salad"), NOTE)) == "that note"


LONGEST = Picked(step=1, greatest=True, of="pages", field="note_id")


def test_the_greatest_of_a_list() -> None:
    who = speaker(CONTACTS, notes_of("ada"))
    first = who.mention(LONGEST, NOTE)
    assert who.asked(first) == "the longest note about {ada}"
    ((name, picked),) = who.picked
    assert picked == LONGEST and who.told(first) == f"the longest note about {{ada}} ({{{name}}})"
    assert who.asked(who.mention(LONGEST, NOTE)) == "that note"
    least = LONGEST.model_copy(update={"greatest": False})
    assert who.asked(who.mention(least, NOTE)) == "the shortest note"
    assert who.asked(who.mention(LONGEST, NOTE)) == "the longest note"
    assert [origin for _, origin in who.picked] == [LONGEST, least, LONGEST]


def test_what_nobody_picks_by_has_no_words() -> None:
    with pytest.raises(Unworded, match="picked by text"):
        speaker(CONTACTS, notes_of("ada")).mention(LONGEST.model_copy(update={"of": "text"}), NOTE)


def test_what_a_question_was_about_is_spoken_of() -> None:
    who = speaker(CONTACTS, notes_of("ada"))
    who.mention(of(1, "note_id", text="salad"), NOTE)
    who.answered("note", LONGEST)
    assert who.mention(of(1, "note_id", text="salad"), NOTE) == 'the note "{salad}"'


@pytest.mark.parametrize(
    ("noun", "text"),
    [
        (Noun(label=("name+city",)), 'the contact "{ada}, {graz}"'),
        (Noun(label=("name+city",), who=True), "{ada} {graz}"),
        (Noun(label=("name+city",), said="{name} of {city}"), "{ada} of {graz}"),
        (Noun(label=("name+city",), said="{name}, {email}"), 'the contact "{ada}, {graz}"'),
    ],
)
def test_a_label_of_several_fields(noun: Noun, text: str) -> None:
    lexicon = words().model_copy(update={"nouns": {**words().nouns, "contact": noun}})
    run = carried_out(at_start(), words(), {"ada": "Ada Amsel", "graz": "Graz"}, [CONTACTS], [])
    who = Speaker(run, lexicon, Style("uk", "24"))
    assert who.mention(of(0, "contact_id", name="ada", city="graz"), CONTACT) == text
    assert who.said == {"ada": "Ada Amsel", "graz": "Graz"}


def test_a_label_that_is_the_argument_itself() -> None:
    assert speaker(CONTACTS).mention(fact("ada"), Arg(of="contact", field="name")) == "{ada}"
    assert speaker(CONTACTS).mention(fact("salad"), Arg(of="note")) == 'the note "{salad}"'


def test_several_and_what_has_no_name() -> None:
    who = speaker(CONTACTS, notes_of("ada"))
    both = Several(items=tuple(of(0, "contact_id", name=name) for name in ("ada", "hugo")))
    assert who.mention(both, CONTACT) == "{ada} and {hugo}"
    for origin in (Returned(step=0, path="x"), of(0, "contact_id"), Fixed(fixed=1)):
        with pytest.raises(Unworded):
            who.mention(origin, Arg())


# -- scopes ----------------------------------------------------------------------------------------


def test_a_scope_that_has_to_be_said_and_has_no_words() -> None:
    mute = words().tools["list_notes"].model_copy(update={"scope": ""})
    lexicon = words().model_copy(update={"tools": {**words().tools, "list_notes": mute}})
    who = speaker(CONTACTS, notes_of("ada"), lexicon=lexicon)
    with pytest.raises(Unworded, match="no words for contact_id"):
        who.mention(of(1, "note_id", text="salad"), NOTE)


def test_what_is_never_said_needs_no_words_in_a_scope() -> None:
    silent = ToolWords(rows="note", args={"contact_id": Arg(result="sign_in/token")})
    lexicon = words().model_copy(update={"tools": {**words().tools, "list_notes": silent}})
    who = speaker(CONTACTS, notes_of("ada"), lexicon=lexicon)
    assert who.scope(1) == ""


def test_what_a_search_looked_for_is_said_by_the_name_that_holds_it() -> None:
    # Of a note by Hugo: his name is said by the note's own label, in the label's letters.
    facts = {**FACTS, "long": "what hugo dorn said"}
    called = [CONTACTS, notes_of("hugo")]
    run = carried_out(at_start(), words(), facts, called, [])
    searched = run.calls[1].model_copy(update={"origins": {"contact_id": fact("hugo")}})
    who = Speaker(
        run.model_copy(update={"calls": (run.calls[0], searched)}), words(), Style("uk", "24")
    )
    assert who.mention(of(1, "note_id", text="long"), NOTE) == 'the note "{long}"'
    assert who.said == {"long": "what hugo dorn said", "hugo": "hugo dorn"}


def test_a_scope_before_the_noun() -> None:
    assert before_noun(ToolWords(scope="scheduled")) == "scheduled "
    assert before_noun(ToolWords(scope="… on file")) == before_noun(ToolWords()) == ""
    assert before_noun(ToolWords(scope="in {city}")) == ""


# -- clauses ---------------------------------------------------------------------------------------


def test_a_wording_with_its_arguments() -> None:
    who = speaker(CONTACTS, noted("salad"))
    origins = {**who.exploration.calls[1].origins, "pages": Fixed(fixed=1)}
    clause = who.clause("that {contact_id} {text}[, on {pages} pages]", "write_note", origins)
    assert clause == "that {hugo} {salad}"
    with pytest.raises(Unworded, match="write_note has no folder"):
        who.clause("in {folder}", "write_note", origins)


def test_the_origins_of_an_object_count_by_its_properties() -> None:
    inner = Composed(parts={"about": of(0, "id", name="ada"), "text": fact("salad")})
    origins = {"notes": Several(items=(inner,)), "n": Fixed(fixed=1)}
    assert leaves(origins) == {
        "notes.about": of(0, "id", name="ada"), "notes.text": fact("salad"), "n": Fixed(fixed=1),
    }  # fmt: skip
    assert facts_of(origins["notes"]) == ["ada", "salad"]
    assert steps_of(origins["notes"]) == [0]


# -- templates -------------------------------------------------------------------------------------

names = st.text("abcxyz_", min_size=1, max_size=4)
plain = st.text(st.characters(exclude_characters="{}[]"), max_size=6)
parts = st.lists(st.tuples(plain, names), max_size=4)


def written(pieces: list[tuple[str, str]]) -> str:
    return "".join(f"{text}{{{name}}}" for text, name in pieces)


@given(parts, st.dictionaries(names, st.text(max_size=8)))
def test_values_are_put_in_as_they_are_once(
    pieces: list[tuple[str, str]], values: dict[str, str]
) -> None:
    template = written(pieces)
    assert fields(template) == [name for _, name in pieces]
    # What is put in may hold places itself, so it is put in as text in the end.
    once = filled(template, {name: f"{{{name}}}" for name in values})
    whole = {name: values.get(name, "?") for _, name in pieces}
    assert once.format_map(whole) == "".join(text + whole[name] for text, name in pieces)


@given(plain, names)
def test_braces_of_a_template_stay(text: str, name: str) -> None:
    template = f"{{{{{text}}}}}{{{name}}}"
    assert filled(template, {name: "{f0}"}).format(f0="{v}") == "{" + text + "}{v}"


@given(st.lists(st.tuples(plain, names, st.booleans()), max_size=4), st.sets(names))
def test_optional_parts_are_there_where_all_they_speak_of_is_given(
    pieces: list[tuple[str, str, bool]], given_names: set[str]
) -> None:
    template = "".join(
        f"[{text}{{{name}}}]" if optional else f"{text}{{{name}}}"
        for text, name, optional in pieces
    )
    left = [(t, n) for t, n, optional in pieces if not optional or n in given_names]
    assert chosen_parts(template, given_names) == written(left)


def test_an_optional_part_of_two() -> None:
    template = "go[ from {a} to {b}][ at {c}]"
    assert chosen_parts(template, {"a", "c"}) == "go at {c}"
    assert chosen_parts(template, {"a", "b"}) == "go from {a} to {b}"


@pytest.mark.parametrize(
    ("words_", "arguments", "can"),
    [
        (ToolWords(say=("do {a}[ with {b}]",)), {"a", "b"}, True),
        (ToolWords(say=("do {a}[ with {b}]",)), {"a", "c"}, False),
        (ToolWords(say=("do it",), args={"a": Arg(value=1)}), {"a"}, True),
        (ToolWords(say=("do {a}",), args={"a": Arg(value=1)}), {"a"}, False),
        (ToolWords(say=("do it",), args={"a": Arg(result="t/x")}), {"a"}, True),
        (ToolWords(rows="note", scope="… in {a}"), {"a"}, True),
        (ToolWords(rows="note", scope="recent"), {"a"}, False),
        (ToolWords(), {"a"}, True),
    ],
)
def test_whether_there_are_words_for_arguments(
    words_: ToolWords, arguments: set[str], can: bool
) -> None:
    assert sayable(words_, arguments) is can
