"""Verdicts in systems: states by their hash, answers by what was recorded, with all guards."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime

import pytest

from davinci_env.egts.demonstrate import Replayed, replayed
from davinci_env.egts.judging import UNTOLD, Judge, today_in
from davinci_env.egts.model import Candidate
from davinci_env.egts.scripts import Do, Tell, final_of, perform, put, script_of
from davinci_env.egts.tasks import cues_of
from davinci_env.environment import Log, Message
from davinci_env.records import Task as TaskRecord
from davinci_env.records import Verdict, read_jsonl, to_line
from tests.egts.samples import at_start, made, moved_then_asked, note_written, pages_asked, words
from tests.egts.test_audit import parts


def judged(candidate: Candidate, says: str, turn: int = 0) -> Verdict:
    """The verdict where the golden deeds are followed by other words."""
    environment = at_start()
    try:
        found = replayed(candidate, environment, words())
        assert isinstance(found, Replayed), found
        script = script_of(environment.log)
        environment.reset()
        perform(put(script, final_of(script, turn)[0], Tell(says)), environment)
        return Judge(found.task, environment.metadata.policy).judge(environment)
    finally:
        environment.close()


@pytest.mark.parametrize(
    ("says", "passes"),
    [
        ("It has 2 pages.", True),
        ("It has two pages.", True),
        ('The note "salad" is 2 pages long.', True),
        ("It has 1 page.", False),
        ("It has 3 pages.", False),
        ("It has 1 or 2 pages.", False),
        ("It doesn't have 2 pages.", False),
        ("I have looked into it.", False),
        ("", False),
        ('How many pages does the note "salad" about Ada Amsel have?', False),
        ('{"note_id":"n4","contact_id":"c1","text":"salad","folder":"family","pages":2,'
         '"pinned":false}', False),
    ],
)  # fmt: skip
def test_an_answer_conveys_the_recorded_value_and_no_other(says: str, passes: bool) -> None:
    assert judged(pages_asked(), says).passed is passes


def test_a_verdict_says_what_was_expected_and_what_was_said() -> None:
    verdict = judged(pages_asked(), "It has 1 page.")
    (failed,) = [r for r in verdict.requirements if not r.passed]
    assert failed.id == "answer"
    assert failed.evidence["failed"][0]["expected"] == [2]  # type: ignore[index, call-overload]


def test_each_answer_is_judged_on_the_message_of_its_turn() -> None:
    candidate = moved_then_asked()
    told = "I have changed it. Hugo Dorn's email address is hugo@example.org."
    assert judged(candidate, told, turn=0).passed
    early = judged(candidate, "You're welcome.", turn=1)
    assert [r.id for r in early.requirements if not r.passed] == ["answer-2"]


def test_what_was_said_in_an_earlier_turn_does_not_answer_a_later_one() -> None:
    environment, candidate = at_start(), moved_then_asked()
    found = replayed(candidate, environment, words())
    assert isinstance(found, Replayed)
    script = script_of(environment.log)
    place, _ = final_of(script, 0)
    told = put(script, place, Tell("Hugo Dorn's email address is hugo@example.org."))
    environment.reset()
    perform(told[:-1], environment)
    verdict = Judge(found.task, environment.metadata.policy).judge(environment)
    assert [r.id for r in verdict.requirements if not r.passed] == ["answer-2"]
    environment.close()


def test_a_turn_that_was_not_reached_has_failed() -> None:
    environment, candidate = at_start(), moved_then_asked()
    found = replayed(candidate, environment, words())
    assert isinstance(found, Replayed)
    script = script_of(environment.log)
    environment.reset()
    perform(script[: final_of(script, 0)[0] + 1], environment)
    verdict = Judge(found.task, environment.metadata.policy).judge(environment)
    assert not verdict.passed
    assert verdict.requirements[-1].evidence == {"reached": "turn 1"}
    environment.close()


@pytest.mark.parametrize(
    "deed",
    [
        Do("write_note", {"contact_id": "c1", "text": "brings the tent", "folder": "family"}),
        Do("remove_contact", {"contact_id": "c2"}),
    ],
)
def test_a_question_allows_no_change(deed: Do) -> None:
    environment, candidate = at_start(), pages_asked()
    found = replayed(candidate, environment, words())
    assert isinstance(found, Replayed)
    perform([deed], environment)
    verdict = Judge(found.task, environment.metadata.policy).judge(environment)
    assert [r.id for r in verdict.requirements if not r.passed] == ["frame"]
    environment.close()


def test_a_change_has_to_be_all_that_was_asked_for_and_nothing_besides() -> None:
    def state(change: Callable[[list[Do]], list[Do]]) -> bool:
        environment = at_start()
        found = replayed(note_written(), environment, words())
        assert isinstance(found, Replayed)
        calls = [entry for entry in script_of(environment.log) if isinstance(entry, Do)]
        environment.reset()
        perform(change(calls), environment)
        passed = Judge(found.task, "").judge(environment).passed
        environment.close()
        return passed

    assert state(lambda calls: calls)
    assert not state(lambda calls: calls[:-1])
    assert not state(lambda calls: [*calls, calls[-1]])


# -- words -----------------------------------------------------------------------------------------


def quoted(text: str, *others: str) -> Candidate:
    """What does a note say? The toy's note is that long text."""
    whole = parts(pages_asked())
    slot = {"name": "folder", "type": "text", "value": "family", "others": [],
            "origin": {"step": 2, "path": "folder"}, "cues": ["folder", "salad"]}  # fmt: skip
    whole["wishes"][0]["slots"] = [slot]
    whole["wishes"][0]["report"] = "It is in the folder {folder}."
    candidate = made(whole)
    wish = candidate.wishes[0]
    other = wish.slots[0].model_copy(update={"value": text, "others": others})
    return candidate.model_copy(update={"wishes": (wish.model_copy(update={"slots": (other,)}),)})


LETTER = "Are you free on Monday? It is about the tariff."


@pytest.mark.parametrize(
    ("says", "passes"),
    [
        (f'The folder of the note "salad" says: "{LETTER}"', True),
        (f'It says "{LETTER}" in the folder. I have closed it.', True),
        (f'It does not say "{LETTER}".', False),
        ('It says "Are you free on Tuesday? It is about the tariff."', False),
        (f'It says "{LETTER}" or "Are you free on Tuesday? It is about the tariff."', False),
    ],
)
def test_a_question_in_a_quoted_letter_is_not_the_agents(says: str, passes: bool) -> None:
    candidate = quoted(LETTER, "Are you free on Tuesday? It is about the tariff.")
    assert judged(candidate, says).passed is passes


def test_cues_come_out_of_the_report_where_there_are_none() -> None:
    assert cues_of("Your balance is {amount}.", "amount") == ("balance",)
    assert cues_of("There is {amount} in your account.", "amount") == ("account",)
    assert cues_of("It names {one} and the date {two}.", "two") == ("date",)
    assert cues_of("It is {x}.", "x") == ()


@pytest.mark.parametrize(
    ("context", "day"),
    [
        ("Today is 4 May 2026.", datetime(2026, 5, 4, 12)),
        ("You sell seeds. Today is 2026-03-09. Be kind.", datetime(2026, 3, 9, 12)),
        ("Today's date: March 9, 2026", datetime(2026, 3, 9, 12)),
        ("What is to be done today, do today.", UNTOLD),
        ("", UNTOLD),
    ],
)
def test_the_day_of_a_conversation_is_what_its_context_calls_today(
    context: str, day: datetime
) -> None:
    assert today_in(context) == day


def test_tasks_are_read_back_as_they_were_written(tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "tasks.jsonl"
    tasks = []
    for make in (note_written, pages_asked, moved_then_asked):
        environment = at_start()
        found = replayed(make(), environment, words())
        assert isinstance(found, Replayed)
        tasks.append(found.task)
        environment.close()
    path.write_bytes(b"".join(map(to_line, tasks)))
    reading = read_jsonl(path, TaskRecord)
    assert reading.problems == ()
    assert reading.records == tuple(tasks)
    assert all(task.asked_id == task.id for task in reading.records)
    assert [task.kind for task in tasks] == ["act", "ask", "act+ask"]


# -- what a message only quotes --------------------------------------------------------------------


def conveyed(
    message: str, slots: list[dict[str, object]], asked: str = "", context: str = ""
) -> bool:
    """Whether a message conveys these slots, after these words of the user's."""
    task = note_task(slots, asked or "Please tell me.")
    log = Log([Message("user", asked or "Please tell me."), Message("assistant", message)])
    return Judge(task, context).verdict(task.world.snapshot, log).passed


def note_task(slots: list[dict[str, object]], asked: str) -> TaskRecord:
    """A task that asks for these slots."""
    environment = at_start()
    found = replayed(pages_asked(), environment, words())
    environment.close()
    assert isinstance(found, Replayed)
    check = {
        "slots": [
            {
                "name": f"s{n}", "choices": [], "cues": [], **slot,
                "expected": {"over": "record", "value": slot["expected"]},
                "decoys": {"over": "record", "value": slot.get("decoys", [])},
            }
            for n, slot in enumerate(slots)
        ]
    }  # fmt: skip
    whole = found.task.model_dump(by_alias=True)
    whole["requirements"][1]["check"] = check
    whole["request"]["text"] = asked
    return TaskRecord.model_validate_json(json.dumps(whole))


@pytest.mark.parametrize(
    ("message", "slot", "passes"),
    [
        ("It is by mara_holt.", {"type": "name", "expected": "mara_holt"}, True),
        ("It is by tidepool_anna.", {"type": "name", "expected": "mara_holt"}, False),
        (
            "I found ./travel/list.txt and ./notes/a_b.md.",
            {"type": "list", "expected": ["./travel/list.txt", "./notes/a_b.md"]},
            True,
        ),
        (
            "I found ./travel/list.txt.",
            {"type": "list", "expected": ["./travel/list.txt", "./notes/a_b.md"]},
            False,
        ),
        (
            'It is called "Meeting room display shows yesterday".',
            {"type": "name", "expected": "Meeting room display shows yesterday"},
            True,
        ),
        ("The oldest item is Who signs off?", {"type": "name", "expected": "Who signs off?"}, True),
        ("It moved by -1.82 percent.", {"type": "number", "expected": -1.82}, True),
        ("It fell by 1.82 percent.", {"type": "number", "expected": -1.82}, True),
        ("It moved by 1.82 percent.", {"type": "number", "expected": -1.82}, False),
        ("It moved by -1.82 percent.", {"type": "number", "expected": 1.82}, False),
        ("The balance is -$3.50.", {"type": "money", "expected": -350}, True),
        ("Today is 9 March 2026.", {"type": "date", "expected": "2026-03-09"}, True),
    ],
)
def test_foreign_texts_are_heard_as_words(
    message: str, slot: dict[str, object], passes: bool
) -> None:
    assert conveyed(message, [slot]) is passes


@pytest.mark.parametrize(
    ("message", "passes"),
    [
        ("The dinner on 28 March 2026 begins on 28 March 2026 at 17:00.", True),
        ("The dinner on March 28, 2026 begins on 28 March 2026 at 17:00.", True),
        ("The dinner on 28 March 2026 begins on 28 March 2026 at 18:00.", False),
        ("The dinner on 28 March 2026 begins on 29 March 2026 at 17:00.", False),
    ],
)
def test_a_day_that_the_user_named_is_not_the_answer(message: str, passes: bool) -> None:
    slot: dict[str, object] = {
        "type": "datetime", "expected": "2026-03-28T17:00:00", "cues": ["beginning"]
    }  # fmt: skip
    day = "March 28, 2026" if "March 28," in message else "28 March 2026"
    assert conveyed(message, [slot], f"When does the dinner on {day} begin?") is passes


@pytest.mark.parametrize(
    ("message", "passes"),
    [
        ('Ticket 7 is "Invoice export is empty"; its status is Open.', True),
        ('Ticket 7 is "Open"; its status is Invoice export is empty.', False),
    ],
)
def test_values_that_have_changed_places_are_found_out(message: str, passes: bool) -> None:
    slots: list[dict[str, object]] = [
        {"type": "name", "expected": "Invoice export is empty", "cues": ["Ticket"]},
        {"type": "name", "expected": "Open", "cues": ["status"]},
    ]
    assert conveyed(message, slots) is passes


def test_figures_of_the_users_may_be_parts_of_a_text_that_is_asked_for() -> None:
    slot: dict[str, object] = {"type": "text", "expected": "07:00–23:30, closed in room 30"}
    message = "The opening hours are 07:00–23:30, closed in room 30."
    assert conveyed(message, [slot], "When is it open? Then book it for 7:30 pm, room 30.")
