"""The audit: each reason by a replay that has just that fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from davinci_env.egts.audit import Fault, fault_of
from davinci_env.egts.demonstrate import Replayed, audited, replayed
from davinci_env.egts.model import Candidate
from davinci_env.egts.propose import Rejected
from davinci_env.egts.replay import replay
from davinci_env.egts.systems import SystemEnvironment
from tests.egts.samples import at_start, made, moved_then_asked, note_written, pages_asked, words
from tests.egts.toy import small_toy


def fault(candidate: Candidate, change: Callable[[Any], Any] | None = None) -> Fault | None:
    """The fault of a candidate's replay, whose trajectory may be changed first."""
    environment = at_start()
    try:
        found = replayed(candidate, environment, words())
        assert isinstance(found, Replayed), found
        trajectory = found.trajectory if change is None else change(found.trajectory)
        return fault_of(candidate, trajectory, environment, words())
    finally:
        environment.close()


def reason(candidate: Candidate, change: Callable[[Any], Any] | None = None) -> str:
    """Its code; "" for none."""
    found = fault(candidate, change)
    return "" if found is None else found.reason


def outcome(candidate: Candidate, environment: SystemEnvironment | None = None) -> str:
    """What becomes of a candidate in the end: the reason, or "accepted"."""
    environment = environment or at_start()
    found = replayed(candidate, environment, words())
    if isinstance(found, Replayed):
        found = audited(found, environment, words())
    environment.close()
    return found.reason if isinstance(found, Rejected) else "accepted"


def parts(candidate: Candidate, **changed: Any) -> dict[str, Any]:
    """What a candidate is made of, for `made`, with other parts."""
    kept = ("turns", "facts", "wishes", "guidance", "calls")
    whole = json.loads(candidate.model_dump_json(by_alias=True))
    return {**{name: whole[name] for name in kept}, **changed}


@pytest.mark.parametrize("make", [note_written, pages_asked, moved_then_asked])
def test_what_has_no_fault_is_accepted(make: Any) -> None:
    assert fault(make()) is None
    assert outcome(make()) == "accepted"


# -- structure -------------------------------------------------------------------------------------


def messages(change: Callable[[list[Any]], list[Any]]) -> Callable[[Any], Any]:
    """Change a trajectory's messages."""
    return lambda t: t.model_copy(update={"messages": tuple(change(list(t.messages)))})


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda m: m[1:], "messages-out-of-order"),
        (lambda m: [m[0], m[1], *m[1:]], "messages-out-of-order"),
        (lambda m: m[:-1], "messages-out-of-order"),
        (lambda m: [*m[:3], *m[4:]], "call-without-result"),
        (lambda m: [*m[:4], m[3], *m[4:]], "result-without-call"),
        (lambda m: m[:3], "call-without-result"),
    ],
)
def test_messages_alternate_and_every_call_has_its_result(change: Any, found: str) -> None:
    assert reason(note_written(), messages(change)) == found


def renamed(name: str, arguments: dict[str, Any]) -> Callable[[Any], Any]:
    """A trajectory whose first call is another."""

    def change(given: list[Any]) -> list[Any]:
        call = given[2].tool_calls[0]
        function = call.function.model_copy(update={"name": name, "arguments": arguments})
        call = call.model_copy(update={"function": function})
        return [*given[:2], given[2].model_copy(update={"tool_calls": (call,)}), *given[3:]]

    return messages(change)


def test_tools_exist_and_arguments_fit_their_schemas() -> None:
    assert reason(note_written(), renamed("burn_note", {})) == "unknown-tool"
    assert reason(note_written(), renamed("get_note", {"note_id": 3})) == "arguments-invalid"


# -- execution -------------------------------------------------------------------------------------


def test_a_failed_call_is_a_fault() -> None:
    candidate, environment = note_written(), at_start()
    found = replayed(candidate, environment, words())
    assert isinstance(found, Replayed)
    environment.call("print_note", {"note_id": "n3"})
    assert fault_of(candidate, found.trajectory, environment, words()) == (
        "call-failed", "print_note: There is no printer here.",
    )  # fmt: skip


def test_a_system_that_shows_other_things_each_time_is_rejected() -> None:
    candidate = note_written()

    class Ticking(type(small_toy())):  # type: ignore[misc]
        """Tells how often it was asked."""

        asked = 0

        def call(self, tool: str, arguments: Any) -> Any:
            answer = super().call(tool, arguments)
            Ticking.asked += 1
            if isinstance(answer.content, dict):
                answer.content["asked"] = Ticking.asked
            return answer

    system = small_toy()
    system.__class__ = Ticking
    assert outcome(candidate, at_start(system)) == "not-deterministic"


# -- consistency -----------------------------------------------------------------------------------


def test_another_terminal_state_than_the_recorded_one_is_a_fault() -> None:
    other = note_written().model_copy(update={"terminal": "a" * 64})
    assert reason(other) == "other-terminal-state"
    begun = note_written().model_copy(update={"initial": "b" * 64})
    assert reason(begun) == "other-start"


def test_a_fact_that_nobody_said_is_a_fault() -> None:
    candidate = note_written()
    extra = candidate.facts["folder"].model_copy(update={"said": "garden"})
    assert reason(candidate.model_copy(update={"facts": {**candidate.facts, "extra": extra}})) == (
        "fact-not-said"
    )


def test_a_request_that_holds_its_answer_is_a_fault() -> None:
    first, second = moved_then_asked().turns
    given = f"{second} Is it hugo@example.org?"
    assert reason(made(parts(moved_then_asked(), turns=[first, given]))) == "answer-given-away"


def test_an_argument_that_comes_from_nowhere_is_a_fault() -> None:
    whole = parts(note_written())
    whole["guidance"][1]["arguments"]["pages"] = {"fixed": 4}
    whole["calls"][1]["arguments"]["pages"] = 4
    found = fault(made(whole))
    assert found == ("argument-not-stated", "write_note.pages")


def test_a_default_and_what_the_words_fix_need_not_be_stated() -> None:
    """`pinned` is always true, by the toy's words."""
    whole = parts(
        pages_asked(),
        turns=['Please pin the note "salad" about Ada Amsel.'],
        wishes=[{"kind": "do", "turn": 0, "tool": "pin_note", "step": 2,
                 "report": 'I have pinned the note "{note}".'}],
    )  # fmt: skip
    whole["guidance"][2]["tool"] = whole["calls"][2]["tool"] = "pin_note"
    whole["guidance"][2]["arguments"]["pinned"] = {"fixed": True}
    whole["calls"][2]["arguments"]["pinned"] = True
    assert fault(made(whole)) is None


def test_a_failed_verdict_is_a_fault() -> None:
    whole = parts(pages_asked())
    whole["wishes"][0]["slots"][0]["value"] = 3
    assert reason(made(whole)) == "verdict-failed"


# -- quality ---------------------------------------------------------------------------------------


def change_city(*cities: str) -> dict[str, Any]:
    """Ada's city is changed, time and again."""
    facts = {"ada": {"value": "Ada Amsel", "said": "Ada Amsel"}}
    facts |= {f"city{n}": {"value": city, "said": city} for n, city in enumerate(cities)}
    told = ", then to ".join(cities)
    row = {"step": 0, "by": {"name": "ada"}, "field": "contact_id"}
    return {
        "turns": [f"Change Ada Amsel's city to {told}."],
        "facts": facts,
        "wishes": [
            {"kind": "do", "turn": 0, "tool": "update_contact", "step": n + 1,
             "report": f"I have changed it to {{city{n}}}."}
            for n in range(len(cities))
        ],
        "guidance": [
            {"tool": "list_contacts", "arguments": {}, "wish": 0},
            *({"tool": "update_contact", "wish": n,
               "arguments": {"contact_id": row, "city": {"fact": f"city{n}"}}}
              for n in range(len(cities))),
        ],
        "calls": [
            {"tool": "list_contacts", "arguments": {}},
            *({"tool": "update_contact", "arguments": {"contact_id": "c1", "city": city}}
              for city in cities),
        ],
    }  # fmt: skip


def test_what_is_so_already_is_no_demonstration() -> None:
    assert reason(made(change_city("Graz"))) == "already-true"


def test_what_takes_itself_back_is_no_demonstration() -> None:
    assert reason(made(change_city("Porto", "Lyon", "Porto"))) == "self-cancelling"


def test_a_change_that_a_later_one_covers_is_no_demonstration() -> None:
    assert outcome(made(change_city("Porto", "Lyon"))) == "needless-write"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What about 123e4567-e89b-12d3-a456-426614174000?", "identifier-in-request"),
        ("What about 9f86d081884c7d65?", "identifier-in-request"),
        ("What about dGhpcyBpcyBub3QgYSB3b3JkIDE0Mw==?", "identifier-in-request"),
        ("What about DE89370400440532013000?", ""),
        ("What?", "too-short"),
        ("What about it? " * 80, "too-long"),
    ],
)
def test_requests_are_such_as_people_make(text: str, found: str) -> None:
    candidate = pages_asked()
    asked = f'{text} And how many pages has the note "salad" about Ada Amsel?'
    turns = ("What?", candidate.turns[0]) if found == "too-short" else (asked,)
    last = len(turns) - 1
    whole = parts(candidate, turns=list(turns))
    whole["wishes"][0]["turn"] = last
    for fact in whole["facts"].values():
        fact["turn"] = last
    if last:
        with_first = [{"kind": "ask", "turn": 0, "tool": "list_contacts", "step": 0,
                       "report": "Yes?"}]  # fmt: skip
        whole["wishes"] = [*whole["wishes"], *with_first]
        whole["guidance"][0]["wish"] = 1
    assert reason(made(whole)) == found


def test_a_question_about_nothing_is_no_demonstration() -> None:
    whole = {
        "turns": ["Which notes about Hugo Dorn are there?"],
        "facts": {"hugo": {"value": "Hugo Dorn", "said": "Hugo Dorn"}},
        "wishes": [{"kind": "ask", "turn": 0, "tool": "list_notes", "step": 1,
                    "report": "There are none about {hugo}."}],
        "guidance": [
            {"tool": "list_contacts", "arguments": {}, "wish": 0},
            {"tool": "list_notes", "wish": 0, "arguments": {
                "contact_id": {"step": 0, "by": {"name": "hugo"}, "field": "contact_id"}}},
        ],
        "calls": [
            {"tool": "list_contacts", "arguments": {}},
            {"tool": "list_notes", "arguments": {"contact_id": "c2"}},
        ],
    }  # fmt: skip
    assert reason(made(whole)) == "result-empty"


def test_a_replay_that_stops_is_kept_with_its_reason() -> None:
    candidate, environment = note_written(), at_start()
    other = candidate.facts["contact"].model_copy(update={"value": "Rosa Falk"})
    found = replayed(
        candidate.model_copy(update={"facts": {**candidate.facts, "contact": other}}),
        environment,
        words(),
    )
    assert isinstance(found, Rejected)
    assert found.reason == "label-not-found"
    assert found.record["turns"] == candidate.turns


def test_the_same_replay_gives_the_same_record() -> None:
    lines = set()
    for _ in range(2):
        environment = at_start()
        found = replayed(note_written(), environment, words())
        assert isinstance(found, Replayed)
        lines.add(found.trajectory.model_dump_json())
        environment.close()
    assert len(lines) == 1


def test_an_expert_that_says_nothing_is_caught() -> None:
    whole = parts(note_written())
    whole["wishes"][0]["report"] = ""
    assert reason(made(whole)) == "nothing-said"


def test_the_replay_itself_leaves_the_candidate_alone() -> None:
    candidate, environment = note_written(), at_start()
    before = candidate.model_dump_json()
    replay(candidate, environment, words())
    assert candidate.model_dump_json() == before
