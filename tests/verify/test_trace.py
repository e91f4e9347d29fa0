"""The log: looked up, asked in time, in order, and what must not be called."""

from typing import Any

import pytest

from davinci_env.environment import Event
from davinci_env.records import AskedCheck, LookedUpCheck, NotCalledCheck, OrderCheck, Task
from tests.support.toy_desk import ADA, call, desk, evidence, failed, judged, task_of, trace

RENTALS = call("list_person_rentals", person_id="P-01")
BILLS = call("list_person_bills", person_id="P-01")
DENIED = call("extend_rental", rental_id="R-02", until="2026-03-30")  # extended twice already
EXTEND = call("extend_rental", rental_id="R-01", until="2026-03-27")
NO = "I'm sorry, that is not possible."


def task_with(check: Any) -> Task:
    environment = desk()
    task = task_of(environment, trace(check), kind="deny")
    environment.close()
    return task


@pytest.mark.parametrize(
    ("entries", "holds"),
    [
        ([RENTALS, NO], True),
        ([RENTALS], True),  # silent, but it has looked
        ([NO], False),
        ([BILLS, NO], False),  # B-01 and B-02 name the rental, but don't show it
        ([NO, RENTALS], False),  # looked up after it was said
        (["One moment.", RENTALS, NO], True),
        ([call("list_person_rentals", person_id="P-02"), NO], False),
        ([call("list_person_rentals", person_id="P-99"), NO], False),  # refused: nothing seen
        ([DENIED, NO], False),  # no refusal counts unless the task says so
    ],
)
def test_rows_looked_up(entries: list[Any], holds: bool) -> None:
    check = LookedUpCheck(must="looked_up", rows=(("rentals", "R-02"),))
    verdict = judged(task_with(check), ADA, *entries)
    assert verdict.passed is holds
    if not holds:
        assert evidence(verdict, "trace") == {"not_seen": [["rentals", "R-02"]]}


def test_all_rows_are_needed() -> None:
    check = LookedUpCheck(must="looked_up", rows=(("rentals", "R-02"), ("bills", "B-01")))
    assert judged(task_with(check), ADA, RENTALS, BILLS, NO).passed
    assert evidence(judged(task_with(check), ADA, RENTALS, NO), "trace") == {
        "not_seen": [["bills", "B-01"]]
    }


@pytest.mark.parametrize(
    ("entries", "holds"),
    [
        ([DENIED, NO], True),
        ([call("extend_rental", rental_id="R-02", until="2026-04-30"), NO], True),
        ([RENTALS, NO], True),
        ([NO, DENIED], False),
        # refused for another reason, and for the same reason elsewhere: neither tells about R-02
        ([call("extend_rental", rental_id="R-06", until="2026-03-30"), NO], False),
        ([call("extend_rental", rental_id="R-99", until="2026-03-30"), NO], False),
        ([NO], False),
    ],
)
def test_the_refusal_of_this_very_call_will_do(entries: list[Any], holds: bool) -> None:
    check = LookedUpCheck(
        must="looked_up", rows=(("rentals", "R-02"),), or_refused="extensions_left",
        refused=call("extend_rental", rental_id="R-02"),
    )  # fmt: skip
    assert judged(task_with(check), ADA, *entries).passed is holds


def test_a_refusal_borrowed_from_another_row_will_not_do() -> None:
    """Bo's R-03 was extended once; after a second time it is refused with the very code."""
    borrowed = [
        call("extend_rental", rental_id="R-03", until="2026-03-20"),
        call("extend_rental", rental_id="R-03", until="2026-03-24"),
        NO,
    ]
    named = LookedUpCheck(
        must="looked_up", rows=(), or_refused="extensions_left",
        refused=call("extend_rental", rental_id="R-02"),
    )  # fmt: skip
    anything = named.model_copy(update={"refused": None})
    assert not judged(task_with(named), ADA, *borrowed).passed
    assert judged(task_with(anything), ADA, *borrowed).passed
    assert not judged(task_with(named), ADA, NO).passed  # no rows to see either


ASKED = Event("asked", {"fact": "until"})


@pytest.mark.parametrize(
    ("entries", "holds", "shown"),
    [
        ([ASKED, EXTEND], True, None),
        ([RENTALS, ASKED, EXTEND], True, None),
        ([DENIED, ASKED, EXTEND], True, None),  # a refused write wrote nothing
        ([ASKED], True, None),
        ([EXTEND, ASKED], False, {"fact": "until", "written": "extend_rental"}),
        ([EXTEND], False, {"fact": "until", "written": "extend_rental"}),
        ([], False, {"fact": "until", "asked": False}),
        ([Event("asked", {"fact": "street"})], False, {"fact": "until", "asked": False}),
        ([Event("revealed", {"fact": "until"})], False, {"fact": "until", "asked": False}),
        (["Until when?"], False, {"fact": "until", "asked": False}),  # the user did not hear that
    ],
)
def test_asked_before_the_first_write(entries: list[Any], holds: bool, shown: Any) -> None:
    check = AskedCheck(must="asked", fact="until", before="writes")
    verdict = judged(task_with(check), ADA, *entries)
    assert verdict.passed is holds
    assert evidence(verdict, "trace") == shown


@pytest.mark.parametrize(
    ("entries", "missing"),
    [
        ([RENTALS, EXTEND], []),
        ([BILLS, RENTALS, BILLS, EXTEND], []),
        ([EXTEND, RENTALS, EXTEND], ["extend_rental"]),  # the second one is refused
        ([RENTALS, call("extend_rental", rental_id="R-01", until="2026-03-23")], []),
        ([RENTALS, call("extend_rental", rental_id="R-03", until="2026-03-23")], ["extend_rental"]),
        ([EXTEND], ["list_person_rentals", "extend_rental"]),
        ([], ["list_person_rentals", "extend_rental"]),
    ],
)
def test_calls_in_order(entries: list[Any], missing: list[str]) -> None:
    """The rentals first, then R-01 is extended, to whatever day."""
    check = OrderCheck(must="order", calls=(RENTALS, call("extend_rental", rental_id="R-01")))
    verdict = judged(task_with(check), ADA, *entries)
    assert verdict.passed == (not missing)
    if missing:
        assert evidence(verdict, "trace") == {"missing": missing}


def test_tools_that_must_not_be_called() -> None:
    task = task_with(NotCalledCheck(must_not="called", tools=("extend_rental", "hand_over")))
    assert judged(task, ADA, RENTALS, DENIED).passed  # it was refused, so nothing was done
    verdict = judged(task, ADA, EXTEND)
    assert failed(verdict) == ["trace"]
    assert evidence(verdict, "trace") == {"called": ["extend_rental"]}
