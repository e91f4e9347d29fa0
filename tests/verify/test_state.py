"""Predicates over the terminal state, on updated, created and deleted rows, worked out by hand."""

import pytest

from davinci_env.records import Call, Task
from davinci_env.verify import Verifier
from tests.support.toy_desk import (
    ADA,
    call,
    confirmed,
    desk,
    evidence,
    failed,
    frame,
    judged,
    play,
    state,
    task_of,
)

# R-01 is due on 2026-03-20 with 0 extensions, PA-01 goes to Elm Street with two items.
EXTEND = call("extend_rental", rental_id="R-01", until="2026-03-27")
POST = call("post_toy", person_id="P-01", toy_id="T-07", street="Oak Lane")
STOP = call("stop_parcel", parcel_id="PA-01")


def due(key: str) -> str:
    return f"SELECT due_on FROM rentals WHERE rental_id = '{key}'"


def extend_task() -> Task:
    environment = desk()
    requirement = state(f"({due('R-01')}) IS :due", due=due("R-01"))
    task = task_of(environment, requirement, frame(), goals=[[EXTEND]])
    environment.close()
    return task


@pytest.mark.parametrize(
    ("entries", "wrong"),
    [
        ([EXTEND], []),
        ([], ["state"]),
        ([call("extend_rental", rental_id="R-01", until="2026-03-28")], ["state"]),
        ([call("extend_rental", rental_id="R-03", until="2026-03-27")], ["state", "frame"]),
        ([EXTEND, EXTEND], []),  # the second is refused: no later date
        # due date right, but the extensions are two and no longer one: what the goal writes once
        # was written twice
        (
            [call("extend_rental", rental_id="R-01", until="2026-03-23"), EXTEND],
            ["frame"],
        ),
    ],
)
def test_an_updated_row(entries: list[Call], wrong: list[str]) -> None:
    assert failed(judged(extend_task(), ADA, *entries)) == wrong


def test_evidence_shows_expected_and_predicate() -> None:
    verdict = judged(extend_task(), ADA)
    assert not verdict.passed
    assert evidence(verdict, "state") == {
        "expected": {"due": "2026-03-27"},
        "predicate": f"({due('R-01')}) IS :due",
    }
    assert evidence(verdict, "frame") is None  # nothing to show for what holds


PARCELS = (
    "SELECT json_group_array(c) FROM (SELECT json_array(p.person_id, p.street, i.toy_id, i.count)"
    " AS c FROM parcels AS p JOIN items AS i ON i.parcel_id = p.parcel_id ORDER BY c)"
)


@pytest.mark.parametrize(
    ("entries", "wrong"),
    [
        ([POST], []),
        ([], ["state"]),
        ([call("post_toy", person_id="P-01", toy_id="T-08", street="Oak Lane")], ["state"]),
        ([call("post_toy", person_id="P-01", toy_id="T-07", street="Mill Road")], ["state"]),
        ([call("post_toy", person_id="P-02", toy_id="T-07", street="Oak Lane")], ["state"]),
        ([POST, POST], ["state", "frame"]),
        # the wrong one first, and stopped again: the right one has other ids (PA-03, IT-04), which
        # don't matter; but the parcel that came and went leaves a trace
        (
            [
                call("post_toy", person_id="P-01", toy_id="T-08", street="Oak Lane"),
                call("stop_parcel", parcel_id="PA-02"),
                POST,
            ],
            ["frame"],
        ),
    ],
)
def test_created_rows_that_refer_to_each_other(entries: list[Call], wrong: list[str]) -> None:
    environment = desk()
    requirement = state(f"({PARCELS}) IS :all", all=PARCELS)
    task = task_of(environment, requirement, frame(), goals=[[POST]])
    environment.close()
    assert failed(judged(task, ADA, *entries)) == wrong


def test_ids_assigned_in_passing_do_not_matter() -> None:
    """Two parcels in the other order get each other's ids."""
    other = call("post_toy", person_id="P-01", toy_id="T-08", street="Mill Road")
    environment = desk()
    task = task_of(
        environment, state(f"({PARCELS}) IS :all", all=PARCELS), frame(), goals=[[POST, other]]
    )
    environment.close()
    assert judged(task, ADA, other, POST).passed
    assert not judged(task, ADA, POST).passed


GONE = "SELECT count(*) FROM parcels WHERE parcel_id = 'PA-01'"


@pytest.mark.parametrize(
    ("entries", "wrong"),
    [
        ([STOP], []),
        ([], ["state"]),
        ([call("redirect_parcel", parcel_id="PA-01", street="Oak Lane"), STOP], ["frame"]),
    ],
)
def test_a_deleted_row(entries: list[Call], wrong: list[str]) -> None:
    environment = desk()
    task = task_of(environment, state(f"({GONE}) IS :left", left=GONE), frame(), goals=[[STOP]])
    environment.close()
    assert failed(judged(task, ADA, confirmed(STOP), *entries)) == wrong


def test_a_query_over_the_start_is_no_query_over_the_goal() -> None:
    """The sum paid must have grown by just one euro over what it was."""
    paid = "SELECT sum(paid) FROM bills"
    pay = call("pay_bill", bill_id="B-01", amount=100)
    environment = desk()
    task = task_of(environment, state(f"({paid}) = :ref_paid + 100", ref_paid=paid), goals=[[pay]])
    environment.close()
    assert judged(task, ADA, confirmed(pay), pay).passed
    assert not judged(task, ADA, call("pay_bill", bill_id="B-01", amount=99)).passed


def test_judging_changes_nothing() -> None:
    environment = desk()
    task = task_of(
        environment, state(f"({due('R-01')}) IS :due", due=due("R-01")), goals=[[EXTEND]]
    )
    before = environment.pack()
    verifier = Verifier(task, environment)
    assert environment.pack() == before
    assert len(environment.log) == 0
    play(environment, ADA, EXTEND, "Done.")
    after, entries = environment.pack(), list(environment.log.entries)
    assert verifier.judge(environment).passed
    assert (environment.pack(), list(environment.log.entries)) == (after, entries)
    # and the next id is the one that it would have been without the goal's visit
    assert environment.call("lend_toy", {"person_id": "P-01", "toy_id": "T-07"}).data == {
        "rental_id": "R-07", "person_id": "P-01", "toy_id": "T-07", "parcel_id": None,
        "due_on": "2026-03-30", "extensions": 0, "status": "open", "toy_name": "globe",
    }  # fmt: skip
    environment.close()
