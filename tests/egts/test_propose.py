"""Candidates: what a request states, what it rests on, and what becomes none."""

from typing import Any

import pytest

from davinci_env.egts.experience import Experience
from davinci_env.egts.lexicon import Lexicon, ToolWords
from davinci_env.egts.model import Aim, Candidate, Exploration, Fixed, Picked, Returned
from davinci_env.egts.origins import facts_of, steps_of
from davinci_env.egts.propose import Rejected, needed, propose
from davinci_env.egts.replay import replay
from davinci_env.egts.systems import SystemEnvironment
from tests.egts.little import TEXT, Little, Tool, carried_out, do, explored, fact, of
from tests.egts.samples import at_start, words
from tests.egts.test_explorer import toy

FACTS = {
    "ada": "Ada Amsel", "hugo": "Hugo Dorn", "salad": "salad", "tent": "brings the tent",
    "lives": "lives in Graz now", "post": "post@example.net", "lyon": "Lyon", "graz": "Graz",
}  # fmt: skip
CONTACTS: tuple[str, dict[str, Any]] = ("list_contacts", {})
ADAS = of(0, "contact_id", name="ada")
HUGOS = of(0, "contact_id", name="hugo")
NOTES = ("list_notes", {"contact_id": ADAS})
PIN = ("pin_note", {"note_id": of(1, "note_id", text="salad"), "pinned": Fixed(fixed=True)})
CONTACTS_NOTES_PIN = ["list_contacts", "list_notes", "pin_note"]
NOTE_IT = ("write_note", {"contact_id": HUGOS, "text": fact("tent")})


def made(
    *calls: tuple[str, dict[str, Any]], wishes: list[Aim], facts: dict[str, Any] | None = None,
    lexicon: Lexicon | None = None,
) -> Exploration:  # fmt: skip
    return carried_out(at_start(), lexicon or words(), facts or FACTS, calls, wishes)


def proposed(
    run: Exploration, lexicon: Lexicon | None = None, environment: SystemEnvironment | None = None
) -> Candidate:
    (candidate,), rejected = propose(
        run, environment or at_start(), lexicon or words(), Experience()
    )
    assert not rejected
    return candidate


def refused(
    run: Exploration, lexicon: Lexicon | None = None, environment: SystemEnvironment | None = None
) -> Rejected:
    candidates, (rejected,) = propose(
        run, environment or at_start(), lexicon or words(), Experience()
    )
    assert not candidates and rejected.record["system"] == run.system
    return rejected


def changed(tool: str, **changes: Any) -> Lexicon:
    tools = {**words().tools, tool: words().tools[tool].model_copy(update=changes)}
    return words().model_copy(update={"tools": tools})


# -- what a request states -------------------------------------------------------------------------


def test_a_request_states_what_its_suppliers_were_told_too() -> None:
    candidate = proposed(made(CONTACTS, NOTES, PIN, wishes=[do(2, "pin_note")]))
    assert {n: (f.value, f.said, f.turn) for n, f in candidate.facts.items()} == {
        "salad": ("salad", "salad", 0), "ada": ("Ada Amsel", "Ada Amsel", 0),
    }  # fmt: skip
    assert 'pin the note "salad" about ada amsel' in candidate.turns[0].casefold()
    assert [step.tool for step in candidate.guidance] == CONTACTS_NOTES_PIN
    assert candidate.guidance[2].arguments == PIN[1]
    assert candidate.changes == (["/notes/n4/pinned", False, True],)
    assert candidate.wishes[0].report == 'I\'ve pinned the note "{salad}" about {ada}.'


def test_guidance_holds_no_value_and_the_calls_hold_them() -> None:
    candidate = proposed(made(CONTACTS, NOTE_IT, wishes=[do(1, "write_note")]))
    assert candidate.calls == (
        {"tool": "list_contacts", "arguments": {}},
        {"tool": "write_note", "arguments": {"contact_id": "c2", "text": "brings the tent"}},
    )
    told = "".join(step.model_dump_json() for step in candidate.guidance)
    assert not any(value in told for value in ("c2", "Hugo Dorn", "brings"))


def test_only_what_wishes_rest_on_is_kept_and_counted_anew() -> None:
    calls = (
        CONTACTS,
        ("list_contacts", {"city": fact("lyon")}),
        ("list_notes", {"contact_id": HUGOS}),
        NOTES,
        ("pin_note", {"note_id": of(3, "note_id", text="salad"), "pinned": Fixed(fixed=True)}),
    )
    candidate = proposed(made(*calls, wishes=[do(4, "pin_note")]))
    assert [step.tool for step in candidate.guidance] == CONTACTS_NOTES_PIN
    assert candidate.guidance[2].arguments["note_id"] == of(1, "note_id", text="salad")
    assert set(candidate.facts) == {"ada", "salad"}


UNLOCK: tuple[str, dict[str, Any]] = ("unlock_archive", {})


def archived(*before: tuple[str, dict[str, Any]]) -> Exploration:
    place = 2 + len(before)
    calls = (CONTACTS, NOTES, *before, ("archive_note", {"note_id": PIN[1]["note_id"]}))
    return made(*calls, wishes=[do(place, "archive_note")])


def test_enablers_are_kept_whether_words_name_them_or_not() -> None:
    tools = at_start().tools()
    assert needed(archived(UNLOCK), words(), tools) == [0, 1, 2, 3]
    assert needed(archived(UNLOCK), changed("archive_note", needs=()), tools) == [0, 1, 2, 3]


def test_what_only_seemed_to_enable_is_left_out() -> None:
    candidate = proposed(made(CONTACTS, UNLOCK, NOTE_IT, wishes=[do(2, "write_note")]))
    assert [step.tool for step in candidate.guidance] == ["list_contacts", "write_note"]
    assert [path for path, _, _ in candidate.changes] == ["/notes/n5", "/number"]
    needed_one = proposed(archived(UNLOCK), changed("archive_note", needs=()))
    assert [step.tool for step in needed_one.guidance][2:] == ["unlock_archive", "archive_note"]


def test_looks_that_nothing_rests_on_are_not_kept() -> None:
    look = ("get_contact", {"contact_id": HUGOS})
    silent = changed("get_contact", rows="")
    tools = at_start().tools()
    assert needed(archived(look, UNLOCK), silent, tools) == [0, 1, 3, 4]
    demanded = {**silent.tools, "archive_note": silent.tools["archive_note"].model_copy(
        update={"needs": ("get_contact", "unlock_archive")})}  # fmt: skip
    named = silent.model_copy(update={"tools": demanded})
    assert needed(archived(look, UNLOCK), named, tools) == [0, 1, 2, 3, 4]


def test_what_came_after_the_last_wish_is_not_kept() -> None:
    run = made(CONTACTS, NOTE_IT, UNLOCK, wishes=[do(1, "write_note")])
    assert needed(run, words(), at_start().tools()) == [0, 1]


def test_the_same_exploration_gives_the_same_candidate() -> None:
    run = made(CONTACTS, NOTE_IT, wishes=[do(1, "write_note")])
    first, again = proposed(run), proposed(run)
    assert first == again and first.model_dump_json() == again.model_dump_json()
    assert Candidate.model_validate_json(first.model_dump_json(by_alias=True)) == first
    other = proposed(run.model_copy(update={"episode": 4}))
    assert (other.id == first.id) == (other.turns == first.turns)


def test_a_benchmark_is_passed_on() -> None:
    run = made(CONTACTS, NOTE_IT, wishes=[do(1, "write_note")])
    assert proposed(run).benchmark is None
    assert proposed(run.model_copy(update={"benchmark": "some"})).benchmark == "some"


def test_braces_in_values_stay_as_they_are() -> None:
    facts = {**FACTS, "tent": "wrote {hugo} and {} on it"}
    candidate = proposed(made(CONTACTS, NOTE_IT, wishes=[do(1, "write_note")], facts=facts))
    assert "Hugo Dorn wrote {hugo} and {} on it" in candidate.turns[0]
    assert candidate.facts["tent"].said == "wrote {hugo} and {} on it"


# -- what becomes none -----------------------------------------------------------------------------


def test_nothing_reached() -> None:
    assert refused(made(CONTACTS, wishes=[])).reason == "nothing-reached"


def test_calls_that_do_not_give_again_what_they_gave() -> None:
    run = made(CONTACTS, NOTE_IT, wishes=[do(1, "write_note")])
    other = run.calls[1].model_copy(update={"arguments": {"contact_id": "c1", "text": "x"}})
    elsewhere = run.calls[1].model_copy(
        update={"origins": {**NOTE_IT[1], "contact_id": of(0, "contact_id", name="tent")}}
    )
    for call in (other, elsewhere):
        assert refused(run.model_copy(update={"calls": (run.calls[0], call)})).reason == "mismatch"
    locked = archived(UNLOCK)
    without = locked.model_copy(
        update={"calls": tuple(c for c in locked.calls if c.tool != "unlock_archive"),
                "wishes": (do(2, "archive_note"),)}
    )  # fmt: skip
    found = refused(without)
    assert found.reason == "mismatch" and "locked" in found.detail


def test_a_system_that_is_not_deterministic_is_noticed() -> None:
    opened = iter(range(100))
    system = Little(
        {
            "roll": Tool(lambda data: {"number": next(opened)}, reads=True),
            "make": Tool(lambda data: data.update(id=f"id-{next(opened)}") or dict(data)),
            "use": Tool(lambda data, id: data.update(used=True), {"id": TEXT}),
        },
        {"used": False},
    )  # fmt: skip
    lexicon = Lexicon(tools={
        "roll": ToolWords(ask=("what I rolled",), tell="You rolled {number}.",
                          answer={"number": "whole"}),
        "make": ToolWords(), "use": ToolWords(say=("use/used the new one",)),
    })  # fmt: skip
    environment = SystemEnvironment(system)
    asked = carried_out(
        environment, lexicon, {}, [("roll", {})], [Aim(kind="ask", tool="roll", call=0)]
    )
    found = refused(asked, lexicon, environment)
    assert found.reason == "mismatch" and "something else" in found.detail
    used = carried_out(
        environment, lexicon, {}, [("make", {}), ("use", {"id": Returned(step=0, path="id")})],
        [do(1, "use")],
    )  # fmt: skip
    assert refused(used, lexicon, environment).reason == "mismatch"


def test_changes_that_change_nothing() -> None:
    same = ("update_contact", {"contact_id": ADAS, "city": fact("graz")})
    run = made(CONTACTS, same, wishes=[do(1, "update_contact")])
    assert refused(run).reason == "no-change"
    away = ("update_contact", {"contact_id": ADAS, "city": fact("lyon")})
    there_and_back = [do(1, "update_contact"), do(2, "update_contact")]
    run = made(CONTACTS, away, same, wishes=there_and_back)
    found = refused(run)
    assert found.reason == "no-change" and "the whole" in found.detail


@pytest.mark.parametrize(
    "lexicon",
    [
        changed("pin_note", say=()),
        changed("pin_note", say=("pin the note",)),
        changed("list_notes", scope=""),
    ],
    ids=["no wording", "a wording without the note", "no words for whose notes"],
)
def test_what_has_no_words(lexicon: Lexicon) -> None:
    run = made(CONTACTS, NOTES, PIN, wishes=[do(2, "pin_note")])
    assert refused(run, lexicon).reason == "unworded"


def test_a_supplier_that_nothing_speaks_of() -> None:
    # An enabler with an argument of its own, which no wording has a place for.
    newcomer = ("add_contact", {"name": fact("newcomer"), "email": fact("post")})
    run = made(
        CONTACTS, newcomer, NOTE_IT, wishes=[do(2, "write_note")],
        facts={**FACTS, "newcomer": "Ines Hasel"},
    )  # fmt: skip
    found = refused(run, changed("write_note", needs=("add_contact",)))
    assert found.reason == "unworded" and "add_contact.name" in found.detail


@pytest.mark.parametrize(
    "text",
    ["x " * 201, "see 123e4567-e89b-12d3-a456-426614174000", "call 123456789", "  ", "f" * 40],
    ids=["long", "uuid", "number", "blank", "hash"],
)
def test_what_nobody_would_say(text: str) -> None:
    run = made(CONTACTS, NOTE_IT, wishes=[do(1, "write_note")], facts={**FACTS, "tent": text})
    assert refused(run).reason == "unspeakable"


def city_of(place: int, who: str) -> Aim:
    return Aim(kind="field", tool="list_contacts", call=place,
               row=of(place, "city", name=who), field="city")  # fmt: skip


def test_answers_that_are_none_or_too_long() -> None:
    texts = {**words().nouns["note"].fields, "text": words().nouns["note"].fields["folder"]}
    noun = words().nouns["note"].model_copy(update={"fields": texts, "label": ("folder",)})
    lexicon = words().model_copy(update={"nouns": {**words().nouns, "note": noun}})
    show = ("get_note", {"note_id": Returned(step=1, path="note_id")})
    asked = Aim(kind="field", tool="get_note", call=2, row=of(2, "text"), field="text")
    for text, reason in ((" ".join(["long"] * 40), "long-answer"), ("", "empty-answer")):
        run = made(
            CONTACTS, ("write_note", {"contact_id": HUGOS, "text": fact("tent")}), show,
            wishes=[do(1, "write_note"), asked], facts={**FACTS, "tent": text},
        )  # fmt: skip
        assert refused(run, lexicon).reason == reason


def test_an_answer_that_the_request_gives_away() -> None:
    note = ("write_note", {"contact_id": ADAS, "text": fact("lives")})
    run = made(CONTACTS, note, wishes=[do(1, "write_note"), city_of(0, "ada")])
    found = refused(run)
    assert found.reason == "answer-given" and found.detail == "Graz"
    # "Grazing" is no Graz.
    run = made(CONTACTS, note, wishes=[do(1, "write_note"), city_of(0, "ada")],
               facts={**FACTS, "lives": "has sheep Grazing there"})  # fmt: skip
    assert proposed(run).wishes[1].slots[0].value == "Graz"


def test_a_list_that_the_request_gives_away() -> None:
    system = Little(
        {
            "list_toppings": Tool(lambda data: {"names": ["ham", "figs"]}, reads=True),
            "order": Tool(lambda data, what: data.update(what=what), {"what": TEXT}),
        },
        {"what": ""},
    )
    lexicon = Lexicon(tools={
        "list_toppings": ToolWords(ask=("what there is",), tell="There is {names}.",
                                   answer={"names": "list"}),
        "order": ToolWords(say=("order {what}",)),
    })  # fmt: skip
    environment = SystemEnvironment(system)

    def ordered(what: str) -> Exploration:
        return carried_out(
            environment, lexicon, {"what": what},
            [("order", {"what": fact("what")}), ("list_toppings", {})],
            [do(0, "order"), Aim(kind="ask", tool="list_toppings", call=1)],
        )  # fmt: skip

    assert refused(ordered("ham and figs"), lexicon, environment).reason == "answer-given"
    assert proposed(ordered("ham and beans"), lexicon, environment)


def test_the_same_thing_asked_for_twice() -> None:
    run = made(CONTACTS, wishes=[city_of(0, "ada"), city_of(0, "ada")])
    assert refused(run).reason == "repetition"


# -- all that is explored --------------------------------------------------------------------------


@pytest.mark.parametrize("lexicon", [words(), Lexicon()], ids=["words", "no words"])
def test_every_candidate_states_just_what_it_needs_and_can_be_carried_out(
    lexicon: Lexicon,
) -> None:
    environment = toy()
    runs, experience = explored(environment, lexicon, range(40))
    count = 0
    for run in runs:
        for candidate in propose(run, environment, lexicon, experience)[0]:
            count += 1
            _check(
                candidate, {t.name for t in environment.tools() if t.annotations["readOnlyHint"]}
            )
            if lexicon.tools:
                replay(candidate, environment, lexicon)
                assert environment.capture().state_hash == candidate.terminal
    assert count > 20


def _check(candidate: Candidate, reads: set[str]) -> None:
    origins = [o for step in candidate.guidance for o in step.arguments.values()]
    origins += [slot.origin for wish in candidate.wishes for slot in wish.slots]
    assert set(candidate.facts) == {name for origin in origins for name in facts_of(origin)}
    for known in candidate.facts.values():
        assert known.said in candidate.turns[known.turn]
    used = {step for origin in origins for step in steps_of(origin)}
    used |= {wish.step for wish in candidate.wishes}
    for place, step in enumerate(candidate.guidance):
        assert place in used or step.tool not in reads, step
        for origin in step.arguments.values():
            assert all(earlier < place for earlier in steps_of(origin))
            turn = candidate.wishes[step.wish].turn
            assert all(candidate.facts[name].turn <= turn for name in facts_of(origin))
    for wish in candidate.wishes:
        for slot in wish.slots:
            if isinstance(slot.value, str) and wish.kind == "ask":
                assert not any(f" {slot.value} " in f" {text} " for text in candidate.turns)
            if isinstance(slot.origin, Picked):
                assert slot.value is not None
