"""A model explores and words, behind the same gates. Here a list of answers stands for it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from davinci_env.agents.openai_agent import Reply
from davinci_env.agents.protocol import Call
from davinci_env.egts.experience import Experience
from davinci_env.egts.model import Candidate, Exploration
from davinci_env.egts.model_explorer import MOST_CALLS, explore_by_model, reworded
from davinci_env.egts.propose import propose
from davinci_env.egts.systems import SystemEnvironment
from davinci_env.environment import ToolSpec
from tests.egts.little import do, of
from tests.egts.samples import at_start, moved_then_asked, note_written, words
from tests.egts.test_explorer import Fragile


class Scripted:
    """Says one thing after the other, the last for ever."""

    model = "scripted"

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.heard: list[Sequence[Mapping[str, Any]]] = []

    def complete(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[ToolSpec] = ()
    ) -> Reply:
        """The next."""
        self.heard.append(messages)
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]


def calls(*made: tuple[str, dict[str, Any]]) -> Reply:
    return Reply("", tuple(Call(tool, arguments) for tool, arguments in made))


DONE = Reply("That is done.")
LIST = ("list_contacts", {})
NOTE = ("write_note", {"contact_id": "c2", "text": "brings the tent"})


def ran(
    *replies: Reply, environment: SystemEnvironment | None = None, known: Experience | None = None
) -> tuple[Exploration, Experience, Scripted]:
    model = Scripted(*replies)
    exploration, learned = explore_by_model(
        environment or at_start(), words(), known or Experience(), model, seed=1, episode=4
    )
    return exploration, learned, model


# -- exploration -----------------------------------------------------------------------------------


def test_what_a_model_does_becomes_a_candidate_with_origins() -> None:
    exploration, learned, _ = ran(calls(LIST), calls(NOTE), DONE)
    assert exploration.model == "scripted" and exploration.wishes == (do(1, "write_note"),)
    assert exploration.calls[1].origins["contact_id"] == of(0, "contact_id", name="f0")
    assert [(call.role, call.wish) for call in exploration.calls] == [("means", 0), ("wish", 0)]
    assert exploration.terminal != exploration.initial and exploration.changes
    assert learned.guides["write_note"].wished == 1 and learned.episodes == 1
    (candidate,), rejected = propose(exploration, at_start(), words(), Experience())
    assert not rejected and candidate.model == "scripted"
    assert {fact.value for fact in candidate.facts.values()} == {"Hugo Dorn", "brings the tent"}


def test_what_changes_nothing_is_a_means_and_what_came_last_is_not_needed() -> None:
    look = ("get_contact", {"contact_id": "c1"})
    exploration, _, _ = ran(calls(LIST), calls(NOTE), calls(look), DONE)
    assert exploration.wishes == (do(1, "write_note"),)
    assert (exploration.calls[2].role, exploration.calls[2].wish) == ("means", 1)
    (candidate,), _ = propose(exploration, at_start(), words(), Experience())
    assert [step.tool for step in candidate.guidance] == ["list_contacts", "write_note"]


def test_refused_calls_are_kept_apart_with_their_facts_forgotten() -> None:
    wrong = ("write_note", {"contact_id": "c9", "text": "never said"})
    unknown = ("fly", {"to": "Mars"})
    exploration, learned, model = ran(calls(LIST, wrong, unknown), calls(NOTE), DONE)
    assert [f.arguments for f in exploration.failures] == [wrong[1]]
    assert set(exploration.facts.values()) == {"Hugo Dorn", "brings the tent"}
    assert set(learned.guides) == {"list_contacts", "write_note"}
    told = [str(message["content"]) for message in model.heard[1]]
    assert any("No contact 'c9'" in text for text in told)
    assert any("There is no tool 'fly'" in text for text in told)


def test_a_run_that_changes_nothing_asks_for_what_it_saw_last() -> None:
    exploration, _, _ = ran(calls(LIST), calls(("get_contact", {"contact_id": "c1"})), DONE)
    (aim,) = exploration.wishes
    assert (aim.kind, aim.tool, aim.call) == ("ask", "get_contact", 1)
    assert exploration.terminal == exploration.initial and exploration.changes == ()


def test_a_run_without_a_call_reaches_nothing() -> None:
    exploration, _, _ = ran(DONE)
    assert exploration.calls == () and exploration.wishes == ()


@pytest.mark.parametrize("at_once", [1, 5, 1000])
def test_the_calls_of_a_run_are_counted(at_once: int) -> None:
    exploration, _, _ = ran(calls(*[LIST] * at_once))
    assert len(exploration.calls) == MOST_CALLS


def test_a_system_that_breaks_leaves_what_was_reached() -> None:
    environment = SystemEnvironment(Fragile("pin_note", 0), seed=7)
    city = ("update_contact", {"contact_id": "c1", "email": "new@example.org"})
    exploration, _, _ = ran(
        calls(LIST), calls(city), calls(("pin_note", {"note_id": "n20"})), environment=environment
    )
    assert exploration.failure == "hang"
    assert exploration.wishes == (do(1, "update_contact"),)
    assert exploration.changes == (
        ["/contacts/c1/email", "ada@example.org", "new@example.org"],
    ) and exploration.terminal != exploration.initial  # fmt: skip


def test_a_model_is_told_what_is_known_and_what_is_rare() -> None:
    known = Experience()
    for tool in words().tools:
        known.guide(tool).wished = 0 if tool == "pin_note" else 5
    guide = known.guide("archive_note")
    guide.tried, guide.done = 4, 1
    guide.enablers["unlock_archive"] = 1
    guide.errors["The {archive} is locked"] = 3
    _, _, model = ran(DONE, known=known)
    told = str(model.heard[0][-1]["content"])
    assert "Prefer tools that were used little: pin_note, " in told
    assert "archive_note: 1 of 4 calls succeeded; needs unlock_archive first" in told
    assert "refused with: The {archive} is locked" in told


# -- words -----------------------------------------------------------------------------------------


def in_words_of(candidate: Candidate, *texts: str) -> Candidate:
    return reworded(candidate, Scripted(*(Reply(text) for text in texts)))


def test_words_that_keep_to_the_facts_are_taken() -> None:
    first = note_written()
    new = "Hugo Dorn brings the tent - could you put that into my family folder?"
    candidate = in_words_of(first, f"  {new}\n")
    assert candidate.turns == (new,) and candidate.model == "scripted"
    assert candidate.id != first.id and candidate.id == in_words_of(first, new).id
    assert candidate.facts == first.facts and candidate.guidance == first.guidance


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Please note something about Hugo Dorn in the folder family.",
        "hugo dorn brings the tent, in the folder family.",
        "Hugo Dorn brings the tents, in the folder family.",
        "Hugo Dorn brings the tent at 5, in the folder family.",
        "Hugo Dorn brings the tent, in the folder family. " * 9,
    ],
    ids=["nothing", "a fact lost", "another case", "another word", "a new figure", "too long"],
)
def test_words_that_do_not_are_left(text: str) -> None:
    assert in_words_of(note_written(), text) == note_written()


def test_each_message_is_reworded_by_itself_and_gives_no_answer_away() -> None:
    first = moved_then_asked()
    move = "Ada Amsel lives in Porto now, please change that."
    given = "What is Hugo Dorn's address, is it Hugo@example.org?"
    candidate = in_words_of(first, move, given)
    assert candidate.turns == (move, first.turns[1])
    asked = "One more: which address has Hugo Dorn?"
    assert in_words_of(first, move, asked).turns == (move, asked)
