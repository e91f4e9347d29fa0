"""Frames: nothing else changed, in the end or on the way; and the agent's own rules."""

import pytest

from davinci_env.records import Call
from tests.support.toy_desk import (
    ADA,
    call,
    confirmed,
    desk,
    evidence,
    failed,
    frame,
    judged,
    policy,
    task_of,
)

EXTEND = call("extend_rental", rental_id="R-01", until="2026-03-27")
LABEL = call("post_label", rental_id="R-01", street="Oak Lane")
MOVE = call("redirect_parcel", parcel_id="PA-01", street="Oak Lane")
BACK = call("redirect_parcel", parcel_id="PA-01", street="Elm Street")


@pytest.mark.parametrize(
    ("entries", "changed"),
    [
        ([], None),
        ([call("search_toys", query="kite")], None),
        ([call("extend_rental", rental_id="R-02", until="2026-03-30")], None),  # refused
        ([EXTEND], [["rentals", "R-01", "due_on"], ["rentals", "R-01", "extensions"]]),
        ([MOVE], [["parcels", "PA-01", "street"]]),
    ],
)
def test_nothing_may_change(entries: list[Call], changed: list[list[str]] | None) -> None:
    environment = desk()
    task = task_of(environment, frame("nothing"), kind="ask")
    environment.close()
    verdict = judged(task, ADA, *entries)
    assert verdict.passed == (changed is None)
    if changed is not None:
        assert evidence(verdict, "frame") == {"changed": changed, "created": {}, "written": changed}


def test_a_write_that_is_taken_back_leaves_a_trace() -> None:
    environment = desk()
    nothing = task_of(environment, frame("nothing"), kind="ask")
    extend = task_of(environment, frame(), goals=[[EXTEND]])
    move = task_of(environment, frame(), goals=[[MOVE]])
    environment.close()
    written = {"changed": [], "created": {}, "written": [["parcels", "PA-01", "street"]]}
    for task in (nothing, extend):
        verdict = judged(task, ADA, MOVE, BACK)
        assert failed(verdict) == ["frame"]
        assert evidence(verdict, "frame") == written
    # where the goal itself writes that cell, it does so once: coming to it by a detour is too much
    detour = call("redirect_parcel", parcel_id="PA-01", street="Mill Road")
    assert judged(move, ADA, MOVE).passed
    assert evidence(judged(move, ADA, detour, MOVE), "frame") == written


def test_a_row_that_came_and_went_is_counted() -> None:
    environment = desk()
    task = task_of(environment, frame("nothing"), kind="ask")
    environment.close()
    stop = call("stop_parcel", parcel_id="PA-02")
    post = call("post_toy", person_id="P-01", toy_id="T-07", street="Oak Lane")
    verdict = judged(task, ADA, post, confirmed(stop), stop)
    assert evidence(verdict, "frame") == {
        "changed": [], "created": {"items": 1, "parcels": 1}, "written": [],
    }  # fmt: skip


def test_cells_that_a_task_allows_besides() -> None:
    environment = desk()
    task = task_of(environment, frame("nothing", [("parcels", "PA-01", "street")]), kind="ask")
    environment.close()
    assert judged(task, ADA, MOVE).passed
    assert not judged(task, ADA, EXTEND).passed


def test_rows_are_allowed_by_number_and_table() -> None:
    """A goal that makes one parcel allows one, whatever is in it; what must be in it is state's."""
    environment = desk()
    task = task_of(environment, frame(), goals=[[LABEL]])
    environment.close()
    assert judged(task, ADA, LABEL).passed
    other = call("post_toy", person_id="P-01", toy_id="T-07", street="Oak Lane")
    assert evidence(judged(task, ADA, other), "frame") == {
        "changed": [], "created": {"items": 1}, "written": [],
    }  # fmt: skip
    twice = judged(task, ADA, LABEL, call("post_label", rental_id="R-02", street="Oak Lane"))
    assert evidence(twice, "frame") == {
        "changed": [["rentals", "R-02", "parcel_id"]],
        "created": {"parcels": 2},
        "written": [["rentals", "R-02", "parcel_id"]],
    }


def test_volatile_columns_are_free() -> None:
    """The time of packing (`packed_at`) is compared nowhere."""
    environment = desk()
    post = call("post_toy", person_id="P-01", toy_id="T-07", street="Oak Lane")
    task = task_of(environment, frame(), goals=[[post]])
    environment.close()
    assert judged(task, ADA, post).passed


def test_policy_holds_where_no_own_rule_is_broken() -> None:
    environment = desk()
    task = task_of(environment, policy(), goals=[[EXTEND]])
    environment.close()
    pay = call("pay_bill", bill_id="B-01", amount=50)
    assert judged(task, ADA, EXTEND, confirmed(pay), pay).passed
    broken = [
        ([EXTEND], ["known"]),  # nobody said who they are
        ([ADA, pay], ["agreed"]),  # nobody said yes
        ([ADA, confirmed(pay), pay, pay], ["agreed"]),  # yes to one payment only
        ([ADA, confirmed(EXTEND), pay], ["agreed"]),  # yes to something else
        ([ADA, "You have confirmed that, so I go ahead.", pay], ["agreed"]),
        # a parcel to Ada is under way; the tool itself would lend
        ([ADA, call("lend_toy", person_id="P-01", toy_id="T-07")], ["no_parcel_under_way"]),
        # Ada's address does not make Bo known
        ([ADA, call("take_back", rental_id="R-03")], ["known"]),
    ]
    for entries, codes in broken:
        verdict = judged(task, *entries)
        assert evidence(verdict, "policy") == {"broken": codes}
    # a refused call breaks nothing: it was not carried out
    assert judged(task, call("extend_rental", rental_id="R-02", until="2026-03-30")).passed
