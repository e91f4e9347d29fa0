"""A check that can't be evaluated is a defect of the task, never a "false"."""

import time

import pytest

from davinci_env.errors import DefectError
from davinci_env.records import Slot, SlotsCheck, Source
from davinci_env.verify import Verifier, visit_goals
from tests.support.toy_desk import answer, call, desk, play, state, task_of

EXTEND = call("extend_rental", rental_id="R-01", until="2026-03-27")


@pytest.mark.parametrize(
    "sql",
    [
        "no such column",
        "colour = 'red'",  # a column that isn't there
        "(SELECT status FROM toys LIMIT 1)",  # a text
        "(SELECT count(*) FROM toys)",  # 8
        "NULL",
        "(SELECT due_on FROM rentals WHERE rental_id = 'R-99') > '2026-01-01'",  # no such row
        "random() > 0",
        "(SELECT count(*) FROM toys) = changes()",
        "date('now') > '2020-01-01'",
        "load_extension('x') IS NULL",
        "(SELECT count(*) FROM sqlite_master) = :unknown",
        "1) FROM toys; DELETE FROM bills; SELECT (1",
        "1) UNION SELECT (0",
        "(WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT sum(x) FROM n)",
        "length(hex(zeroblob(1000000000))) > 0",
    ],
)
def test_a_predicate_that_is_none(sql: str) -> None:
    environment = desk()
    task = task_of(environment, state(sql))
    before = environment.pack()
    verifier = Verifier(task, environment)
    began = time.process_time()
    with pytest.raises(DefectError):
        verifier.judge(environment)
    assert time.process_time() - began < 4  # stopped by its own limit of one second
    assert environment.pack() == before
    play(environment, EXTEND)  # the world goes on
    assert environment.log.entries[-1].ok  # type: ignore[union-attr]
    environment.close()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT colour FROM toys",
        "DELETE FROM bills",
        "UPDATE bills SET paid = amount",
        "ATTACH 'x.db' AS x",
        "PRAGMA foreign_keys = OFF",
        "SELECT 1; SELECT 2",
        "SELECT random()",
        "SELECT strftime('%s', 'now')",
        "",
    ],
)
@pytest.mark.parametrize("over", ["goal", "ref"])
def test_an_expected_value_that_is_none(query: str, over: str) -> None:
    environment = desk()
    name = "value" if over == "goal" else "ref_value"
    task = task_of(environment, state(f"1 = :{name}", **{name: query}))
    before = environment.pack()
    with pytest.raises(DefectError):
        visit_goals(task, environment)
    assert environment.pack() == before
    environment.close()


def test_an_empty_expected_answer_is_a_defect() -> None:
    environment = desk()
    nothing = Source(over="goal", query="SELECT due_on FROM rentals WHERE rental_id = 'R-99'")
    slot = Slot(name="due", type="date", expected=nothing)
    task = task_of(environment, answer(SlotsCheck(slots=(slot,))), kind="ask")
    verifier = Verifier(task, environment)
    play(environment, "It is due on March 20, 2026.")
    with pytest.raises(DefectError, match="'due' is empty"):
        verifier.judge(environment)
    environment.close()


def test_an_expected_state_without_a_row_is_null() -> None:
    """A predicate may say that there is nothing: `IS NULL` holds, no defect."""
    environment = desk()
    label = "SELECT parcel_id FROM rentals WHERE rental_id = 'R-01'"
    task = task_of(environment, state(f"({label}) IS :label", label=label))
    assert Verifier(task, environment).judge(environment).passed
    environment.close()


def test_text_in_checks_is_no_sql() -> None:
    """Expected values are bound, so that a quote in one breaks nothing."""
    environment = desk()
    odd = "SELECT 'O''Brien; DROP TABLE toys'"
    task = task_of(environment, state(f"({odd}) IS :name", name=odd))
    assert Verifier(task, environment).judge(environment).passed
    environment.close()
