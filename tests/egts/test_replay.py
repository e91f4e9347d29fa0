"""Replays: what the expert may know, what it says, and where it stops."""

from __future__ import annotations

from typing import Any

import pytest

from davinci_env.egts.evidence import Unfound
from davinci_env.egts.model import Candidate, Fact
from davinci_env.egts.replay import (
    Guided,
    Stopped,
    brief_of,
    guidance_of,
    replay,
)
from davinci_env.egts.systems import SystemFailure
from davinci_env.egts.values import expected, formats, say
from davinci_env.environment import CallEntry, Message
from tests.egts.samples import (
    at_start,
    moved_then_asked,
    note_written,
    pages_asked,
    words,
)
from tests.egts.toy import small_toy


def played(candidate: Candidate) -> tuple[list[tuple[str, dict[str, Any]]], list[str], str]:
    """The calls, the messages and the terminal state of a replay."""
    environment = at_start()
    try:
        replay(candidate, environment, words())
        calls = [(c.tool, dict(c.arguments)) for c in environment.log.calls()]
        said = [e.text for e in environment.log if isinstance(e, Message) and e.role != "user"]
        return calls, said, environment.capture().state_hash
    finally:
        environment.close()


def test_a_row_is_found_by_the_label_that_the_words_state() -> None:
    calls, said, terminal = played(note_written())
    assert calls == [
        ("list_contacts", {}),
        ("write_note", {"contact_id": "c2", "text": "brings the tent", "folder": "family"}),
    ]
    assert said == ["I have noted that Hugo Dorn brings the tent, in the folder family."]
    assert terminal == note_written().terminal


def test_an_answer_is_the_live_value() -> None:
    assert played(pages_asked())[1] == ['The number of pages of the note "salad" is 2.']


def test_one_of_what_is_counted_is_no_plural() -> None:
    asked = pages_asked()
    told = asked.wishes[0].model_copy(update={"report": "It has {pages} pages and {one} words."})
    changed = asked.model_copy(
        update={
            "turns": (f"{asked.turns[0]} It has 1 word.",),
            "facts": {**asked.facts, "one": Fact(value=1, said="1")},
            "wishes": (told,),
        }
    )
    assert played(changed)[1] == ["It has 2 pages and 1 word."]


def test_what_is_quoted_already_gets_no_second_quotation_marks() -> None:
    asked = pages_asked()
    told = asked.wishes[0].model_copy(update={"report": 'The note "{title}" has {pages} pages.'})
    changed = asked.model_copy(
        update={
            "turns": (f'{asked.turns[0]} It is called "a note".',),
            "facts": {**asked.facts, "title": Fact(value="a note", said='"a note"')},
            "wishes": (told,),
        }
    )
    assert played(changed)[1] == ['The note "a note" has 2 pages.']


def test_each_turn_is_carried_out_before_the_next_is_heard() -> None:
    environment = at_start()
    replay(moved_then_asked(), environment, words())
    order = [
        entry.tool if isinstance(entry, CallEntry) else getattr(entry, "role", "turn")
        for entry in environment.log
    ]
    assert order == [
        "user", "list_contacts", "update_contact", "assistant", "turn", "user", "get_contact",
        "assistant",
    ]  # fmt: skip


@pytest.mark.parametrize("make", [note_written, pages_asked, moved_then_asked])
def test_no_recorded_value_reaches_a_replay(make: Any) -> None:
    """Whatever the record holds, the replay is the same."""
    candidate = make()
    scrambled = candidate.model_copy(
        update={
            "calls": tuple({"tool": "get_note", "arguments": {"x": n}} for n in range(3)),
            "changes": (["/nothing", 1, 2],),
            "initial": "0" * 64,
            "terminal": "f" * 64,
            "wishes": tuple(
                wish.model_copy(
                    update={
                        "slots": tuple(
                            slot.model_copy(
                                update={"value": "scrambled", "others": (7,), "cues": ("x",)}
                            )
                            for slot in wish.slots
                        )
                    }
                )
                for wish in candidate.wishes
            ),
        }
    )
    assert played(scrambled) == played(candidate)
    assert brief_of(scrambled) == brief_of(candidate)


def without_said(candidate: Candidate, fact: str) -> Candidate:
    """The candidate with a fact that its words don't hold."""
    facts = {**candidate.facts}
    facts[fact] = facts[fact].model_copy(update={"said": "Nobody Inparticular"})
    return candidate.model_copy(update={"facts": facts})


def test_a_fact_that_is_not_in_the_words_is_not_known() -> None:
    with pytest.raises(Stopped) as stopped:
        played(without_said(note_written(), "contact"))
    assert stopped.value.reason == "fact-missing"


def test_a_fact_of_a_later_turn_is_not_known_earlier() -> None:
    candidate = moved_then_asked()
    late = candidate.facts["city"].model_copy(update={"turn": 1, "said": "email"})
    with pytest.raises(Stopped) as stopped:
        played(candidate.model_copy(update={"facts": {**candidate.facts, "city": late}}))
    assert stopped.value.reason == "fact-missing"


def test_a_label_that_no_row_has_stops_it() -> None:
    candidate = note_written()
    other = candidate.facts["contact"].model_copy(update={"value": "Rosa Falk"})
    with pytest.raises(Stopped) as stopped:
        played(candidate.model_copy(update={"facts": {**candidate.facts, "contact": other}}))
    assert stopped.value.reason == "label-not-found"


def test_a_refused_call_stops_it() -> None:
    candidate = note_written()
    wrong = candidate.facts["folder"].model_copy(update={"value": "attic"})
    with pytest.raises(Stopped) as stopped:
        played(candidate.model_copy(update={"facts": {**candidate.facts, "folder": wrong}}))
    assert stopped.value.reason == "call-refused"


def test_a_system_that_breaks_stops_it_with_its_reason() -> None:
    class Broken(type(small_toy())):  # type: ignore[misc]
        def call(self, tool: str, arguments: Any) -> Any:
            raise SystemFailure("hang", "no answer within 5 s")

    system = small_toy()
    system.__class__ = Broken
    environment = at_start(system)
    with pytest.raises(Stopped) as stopped:
        replay(note_written(), environment, words())
    assert stopped.value.reason == "system-hang"


def test_the_guidance_says_where_values_come_from_and_none_of_them() -> None:
    text = guidance_of(brief_of(note_written()))
    assert "1. list_contacts" in text
    assert "contact_id is the contact_id of what the user names, shown by step 1" in text
    for value in ("c2", "Hugo Dorn", "brings the tent", "family"):
        assert value not in text


def test_a_guided_model_hears_the_guidance_and_the_log_does_not_hold_it() -> None:
    heard: list[list[dict[str, Any]]] = []

    class Told:
        name = "told"

        def act(self, view: Any) -> Any:
            from davinci_env.agents.protocol import Say

            heard.append(view.messages())
            return Say("Done.")

    candidate, environment = note_written(), at_start()
    replay(candidate, environment, words(), Guided(Told(), brief_of(candidate)))
    assert "How requests like this one are carried out" in heard[0][0]["content"]
    assert not any("carried out" in getattr(e, "text", "") for e in environment.log)
    assert "carried out" not in environment.metadata.policy


@pytest.mark.parametrize(
    ("kind", "value", "said", "judged"),
    [
        ("money", 1250, "$1,250.00", 125000),
        ("money", -3.5, "-$3.50", -350),
        ("whole", 12000, "12,000", 12000),
        ("number", 0.0625, "0.0625", 0.0625),
        ("number", 107.30854793146382, "107.31", 107.308548),
        ("number", 830.0000000000001, "830", 830.0),
        ("number", 0.000123456, "0.000123", 0.000123),
        ("number", 94.635, "94.635", 94.635),
        ("date", "2024-05-14", "14 May 2024", "2024-05-14"),
        ("datetime", "2024-05-14T09:30:00", "14 May 2024 at 09:30", "2024-05-14T09:30:00"),
        ("time", "09:30", "09:30", "09:30:00"),
        ("yesno", True, "yes", True),
        ("name", "Ada", "Ada", "Ada"),
        ("list", ["a", "b", "c"], "a, b and c", ["a", "b", "c"]),
        ("text", "x" * 50, '"' + "x" * 50 + '"', "x" * 50),
    ],
)
def test_values_are_said_as_people_say_them(kind: Any, value: Any, said: str, judged: Any) -> None:
    assert say(kind, value) == said
    assert expected(kind, value) == judged


def test_money_has_the_sign_of_its_currency() -> None:
    assert say("money", 2, "€") == "€2.00"


@pytest.mark.parametrize(
    ("kind", "value"),
    [("money", "much"), ("date", "soon"), ("yesno", 3), ("list", "abc"), ("name", ""),
     ("whole", True)],
)  # fmt: skip
def test_what_is_no_value_of_its_kind_can_not_be_said(kind: Any, value: Any) -> None:
    with pytest.raises(Unfound):
        say(kind, value)


def test_other_formats_of_a_list_have_the_same_items() -> None:
    assert formats("list", ["a", "b"]) == ["b and a"]
