"""State requirements as the generator builds them: every outcome of the goal's, and no other."""

from collections.abc import Sequence

import pytest

from davinci_env.records import Call, StateCheck, Task
from davinci_env.tasks.requirements import state_requirement
from davinci_env.verify import Verifier
from tests.certify.good import changed
from tests.support.toy_desk import ADA, call, confirmed, desk, failed, frame, play, task_of


def built(*goal: Call, before: Sequence[Call] = ()) -> Task:
    """The task with the requirement that is built from what the goal changes."""
    environment = desk()
    play(environment, ADA, *before)
    requirement = state_requirement(environment, changed(environment, *goal))
    task = task_of(environment, requirement, frame(), goals=[goal])
    environment.close()
    return task


def wrong(task: Task, *calls: Call) -> list[str]:
    environment = desk()
    verifier = Verifier(task, environment)
    play(environment, ADA)
    for step in calls:
        play(environment, confirmed(step), step)
    found = failed(verifier.judge(environment))
    environment.close()
    return found


def post(toy: str, street: str) -> Call:
    return call("post_toy", person_id="P-01", toy_id=toy, street=street)


EXTEND = call("extend_rental", rental_id="R-01", until="2026-03-27")
GLOBE, SLED = post("T-07", "Oak Lane"), post("T-08", "Mill Road")
LABEL = call("post_label", rental_id="R-01", street="Oak Lane")
STOP = call("stop_parcel", parcel_id="PA-01")
PAY = call("pay_bill", bill_id="B-01", amount=150)


@pytest.mark.parametrize("goal", [[EXTEND], [PAY], [GLOBE], [LABEL], [STOP], [GLOBE, SLED, LABEL]])
def test_the_goal_itself_passes_in_any_order(goal: list[Call]) -> None:
    task = built(*goal)
    assert wrong(task, *goal) == []
    assert wrong(task, *reversed(goal)) == []
    assert "state" in wrong(task)


@pytest.mark.parametrize(
    ("goal", "other"),
    [
        ([EXTEND], [call("extend_rental", rental_id="R-01", until="2026-03-26")]),
        ([EXTEND], [call("extend_rental", rental_id="R-01", until="2026-03-23"), EXTEND]),
        ([PAY], [call("pay_bill", bill_id="B-01", amount=149)]),
        ([PAY], [call("pay_bill", bill_id="B-02", amount=150)]),
        ([GLOBE], [post("T-07", "Mill Road")]),
        ([GLOBE], [post("T-08", "Oak Lane")]),
        ([LABEL], [call("post_label", rental_id="R-01", street="Mill Road")]),
        ([LABEL], [call("post_label", rental_id="R-02", street="Oak Lane")]),
        ([STOP], [call("redirect_parcel", parcel_id="PA-01", street="Oak Lane")]),
        ([LABEL], [LABEL, call("post_label", rental_id="R-02", street="Oak Lane")]),
    ],
)
def test_another_outcome_fails(goal: list[Call], other: list[Call]) -> None:
    assert wrong(built(*goal), *other)


def test_contents_of_two_new_parcels_cannot_be_swapped() -> None:
    """Same streets, same toys: but the globe goes where the sled should."""
    swapped = [post("T-08", "Oak Lane"), post("T-07", "Mill Road")]
    assert wrong(built(GLOBE, SLED), *swapped) == ["state"]


def test_a_reference_to_an_old_row_counts_where_new_ones_were_made_too() -> None:
    """The label of R-01 has to be the new parcel to Oak Lane, and not the globe's to Mill Road."""
    globe = post("T-07", "Mill Road")
    task = built(globe, LABEL)
    assert wrong(task, LABEL, globe) == []
    labels = [call("post_label", rental_id="R-01", street="Mill Road"), post("T-07", "Oak Lane")]
    assert wrong(task, *labels) == ["state"]


def test_old_rows_stay_told_apart_where_a_new_one_of_their_kind_was_made() -> None:
    """A rental of the globe is made, and R-01 comes back: not R-02."""
    lend = call("lend_toy", person_id="P-01", toy_id="T-07")
    back = call("take_back", rental_id="R-01")
    task = built(lend, back)
    assert wrong(task, lend, back) == []
    assert wrong(task, lend, call("take_back", rental_id="R-02")) == ["state", "frame"]


def test_expected_values_are_queries_and_volatile_columns_are_left_out() -> None:
    check = built(GLOBE).requirements[0].check
    assert isinstance(check, StateCheck)
    assert all(source.over == "goal" for source in check.expected.values())
    assert "packed_at" not in check.sql
    assert "PA-02" not in check.sql  # the id that the parcel would get
    assert "Oak Lane" not in check.sql  # the value that it should have
