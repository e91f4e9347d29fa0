"""Certificates: what each claim shows, and verifiers that are too weak being found out."""

from __future__ import annotations

from typing import Any

import pytest

from davinci_env.egts.certificate import Uncertified, certify
from davinci_env.egts.demonstrate import Replayed, replayed
from davinci_env.egts.model import Candidate
from davinci_env.egts.mutants import Mutator, exchanged, leaves_of, put_in, replaced
from davinci_env.egts.scripts import Do, Hear, Tell, script_of, script_of_steps
from davinci_env.environment import Log
from davinci_env.records import FrameCheck, Task, TerminalCheck
from tests.egts.samples import at_start, made, moved_then_asked, note_written, pages_asked, words
from tests.egts.test_audit import parts


def certified(candidate: Candidate, weaken: Any = None, **options: Any) -> dict[str, Any]:
    """The certificate of a candidate's task, whose verifier may be weakened first."""
    environment = at_start()
    try:
        found = replayed(candidate, environment, words())
        assert isinstance(found, Replayed), found
        task = found.task if weaken is None else weaken(found.task)
        return certify(task, candidate, environment, words(), **options)
    finally:
        environment.close()


def reason(candidate: Candidate, weaken: Any) -> str:
    """Why a weakened verifier is not certified."""
    with pytest.raises(Uncertified) as failed:
        certified(candidate, weaken)
    return failed.value.fault.reason


def test_a_change_is_certified() -> None:
    shown = certified(note_written())
    assert shown["not_already_true"] == {"requirements": ["state"]}
    assert shown["solvable"] == {"runs": 3, "calls": 2}
    assert shown["not_vacuous"] == {"baselines": ["noop", "talk", "reader"]}
    assert shown["complete"] == {"variants": ["reads-again"]}
    sound = shown["sound"]
    assert {"dropped-write", "other-row", "perturbed-value", "write-twice"} <= set(
        sound["operators"]
    )
    # There would be more: other texts of the vocabulary are among them.
    assert sound["outcomes"] == sound["mutants"] == 12
    assert sound["equivalent"] == 0


def test_a_question_is_certified_by_other_words() -> None:
    shown = certified(pages_asked())
    assert shown["not_already_true"] == {"requirements": ["answer"]}
    assert set(shown["sound"]["operators"]) == {
        "denied-answer", "missing-answer", "other-answer", "perturbed-answer", "several-answers",
        "stopped-early",
    }  # fmt: skip


def test_to_do_again_what_changes_nothing_then_is_equivalent() -> None:
    """Ada moves to Porto twice: the state is the same, so that nothing follows from a verdict."""
    assert certified(moved_then_asked())["sound"]["equivalent"] == 1


def test_over_mcp_fewer_mutants_are_tried() -> None:
    assert certified(note_written(), most=6)["sound"]["mutants"] == 6


# -- verifiers that are too weak -------------------------------------------------------------------


def with_checks(task: Task, **checks: Any) -> Task:
    """The task with other checks, by requirement."""
    requirements = tuple(
        r.model_copy(update={"check": checks[r.id]}) if r.id in checks else r
        for r in task.requirements
    )
    return task.model_copy(update={"requirements": requirements})


def test_a_state_that_holds_at_the_start_is_found_out() -> None:
    start = at_start().start_hash
    found = reason(note_written(), lambda t: with_checks(t, state=TerminalCheck(terminal=start)))
    assert found == "already-true"


def test_a_state_that_no_replay_reaches_is_found_out() -> None:
    other = TerminalCheck(terminal="0" * 64)
    assert reason(note_written(), lambda t: with_checks(t, state=other)) == "golden-fails"


def test_a_verifier_that_looks_at_no_state_is_found_out() -> None:
    """Without the state, whoever only talks would pass."""

    def weak(task: Task) -> Task:
        kept = tuple(r for r in task.requirements if r.kind == "answer")
        return task.model_copy(update={"requirements": kept})

    assert reason(moved_then_asked(), weak) in ("mutant-passes", "baseline-passes")


def test_a_verifier_that_asks_for_nothing_is_found_out() -> None:
    def weak(task: Task) -> Task:
        kept = tuple(r for r in task.requirements if isinstance(r.check, FrameCheck))
        return task.model_copy(update={"requirements": kept})

    assert reason(pages_asked(), weak) == "already-true"


def test_a_wrong_expected_value_is_found_out() -> None:
    def weak(task: Task) -> Task:
        answer = task.requirements[1].check
        slot = answer.slots[0]  # type: ignore[union-attr]
        other = slot.model_copy(
            update={"expected": slot.expected.model_copy(update={"value": 1}), "decoys": None}
        )
        return with_checks(task, answer=answer.model_copy(update={"slots": (other,)}))

    assert reason(pages_asked(), weak) == "golden-fails"


# -- mutants ---------------------------------------------------------------------------------------


def mutants(candidate: Candidate) -> list[Any]:
    """Every mutant of a candidate's replay."""
    environment = at_start()
    replayed(candidate, environment, words())
    log = Log(list(environment.log.entries))
    mutator = Mutator(candidate, script_of(log), log, environment.tools(), words(), None)
    environment.close()
    return list(mutator.mutants())


def test_no_two_mutants_are_the_same() -> None:
    found = mutants(moved_then_asked())
    assert len({repr(mutant.script) for mutant in found}) == len(found)


def test_another_row_of_the_same_list_takes_the_place_of_the_right_one() -> None:
    (other,) = [m for m in mutants(note_written()) if m.operator == "other-row"]
    write = next(e for e in other.script if isinstance(e, Do) and e.tool == "write_note")
    assert write.arguments["contact_id"] == "c1"


def test_what_was_stated_becomes_something_else_that_the_schema_allows() -> None:
    changed = [m for m in mutants(note_written()) if m.operator == "perturbed-value"]
    writes = [next(e for e in m.script if getattr(e, "tool", "") == "write_note") for m in changed]
    assert {w.arguments["folder"] for w in writes} == {"family", "garden", "work"}
    assert "brings the tent again" in {w.arguments["text"] for w in writes}


def test_answers_that_stand_in_one_turn_change_places() -> None:
    whole = parts(pages_asked())
    whole["turns"] = ['How many pages do the notes "salad" and "ladder" about Ada Amsel have?']
    whole["facts"]["other"] = {"value": "ladder", "said": "ladder"}
    row = {"step": 1, "by": {"text": "other"}, "field": "note_id"}
    whole["guidance"].append({"tool": "get_note", "arguments": {"note_id": row}, "wish": 1})
    whole["calls"].append({"tool": "get_note", "arguments": {"note_id": "n3"}})
    whole["wishes"].append(
        {"kind": "ask", "turn": 0, "tool": "get_note", "step": 3,
         "report": 'The number of pages of the note "{other}" is {more}.',
         "slots": [{"name": "more", "type": "whole", "value": 1,
                    "origin": {"step": 3, "path": "pages"}, "cues": ["pages", "ladder"]}]}
    )  # fmt: skip
    swapped = [m for m in mutants(made(whole)) if m.operator == "swapped-answer"]
    assert [entry.text for m in swapped for entry in m.script if isinstance(entry, Tell)] == [
        'The number of pages of the note "salad" is 1. '
        'The number of pages of the note "ladder" is 2.'
    ]


def test_parts_of_arguments_are_found_and_replaced() -> None:
    arguments = {"rows": [{"name": "a"}, {"name": "b"}], "count": 2}
    assert dict(leaves_of(arguments))["count",] == 2
    assert replaced(arguments, ("count",), 3) == {**arguments, "count": 3}
    assert replaced(arguments, ("rows", 1, "name"), "c")["rows"] == [{"name": "a"}, {"name": "c"}]


def test_a_wrong_answer_stands_where_the_right_one_stood() -> None:
    slot = pages_asked().wishes[0].slots[0]
    assert put_in("It has 2 pages.", slot, 5) == "It has 5 pages."
    assert put_in("It has some.", slot, 5) == "The pages is 5."
    two = slot.model_copy(update={"value": 7})
    assert exchanged("One has 2, two has 7.", slot, two) == "One has 7, two has 2."


def test_a_recorded_trajectory_is_the_same_script() -> None:
    environment = at_start()
    found = replayed(moved_then_asked(), environment, words())
    assert isinstance(found, Replayed)
    script = script_of(environment.log)
    assert script_of_steps(found.trajectory.steps) == script
    assert [entry.turn for entry in script if isinstance(entry, Hear)] == [0, 1]
    environment.close()
