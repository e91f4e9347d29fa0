"""Support: on which rows a refusal rests, for rules of several shapes, worked out by hand."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from davinci_env.domain import Rule
from davinci_env.environment import DomainEnvironment
from davinci_env.planning import Support, support_of
from davinci_env.planning.support import cells_read
from tests.support.toy_desk import desk


def supported(
    environment: DomainEnvironment, predicate: Callable[..., bool], **bound: Any
) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The rows read directly, and those of lists that decide."""
    found = support(environment, predicate, **bound)
    return set(found.direct), set(found.listed)


def support(
    environment: DomainEnvironment, predicate: Callable[..., bool], **bound: Any
) -> Support:
    rule = Rule("rule", "A rule.", predicate)
    rows = {
        name: environment.row(*value) if isinstance(value, tuple) else value
        for name, value in bound.items()
    }
    return support_of(rule, {**rows, "db": environment.world.db, "log": None})


@pytest.fixture
def ada() -> Any:
    environment = desk()
    yield environment
    environment.close()


def _row(environment: DomainEnvironment, place: tuple[str, str]) -> Any:
    return environment.row(*place)


def rows(table: str, *keys: str) -> set[tuple[str, str]]:
    return {(table, key) for key in keys}


ADA, BO, CY = ("persons", "P-01"), ("persons", "P-02"), ("persons", "P-03")


def test_a_column_of_the_row_itself(ada: DomainEnvironment) -> None:
    found = supported(ada, lambda rental: rental.extensions < 2, rental=("rentals", "R-02"))
    assert found == (rows("rentals", "R-02"), set())


def test_a_row_at_the_end_of_references(ada: DomainEnvironment) -> None:
    """The rental is only the way there."""
    found = supported(ada, lambda bill: bill.rental.toy.status == "shelved", bill=("bills", "B-01"))
    assert found == (rows("toys", "T-01"), set())


def test_a_reference_that_is_absent_is_a_fact_of_the_row(ada: DomainEnvironment) -> None:
    found = supported(ada, lambda rental: rental.parcel is not None, rental=("rentals", "R-01"))
    assert found == (rows("rentals", "R-01"), set())


def test_a_limit_that_is_just_reached_rests_on_every_row(ada: DomainEnvironment) -> None:
    def below(person: Any) -> bool:
        return sum(r.status == "open" for r in person.rentals) < 3

    assert supported(ada, below, person=BO) == (set(), rows("rentals", "R-03", "R-04", "R-05"))
    # one more than the limit: no row decides alone, and three of the four keep it up
    ada.call("take_back", {"rental_id": "R-06"})
    rental = ada.row("rentals", "R-06")
    assert rental is not None
    rental.status, rental.person = "open", ada.row("persons", "P-02")
    direct, listed = supported(ada, below, person=BO)
    assert direct == set()
    assert len(listed) == 3 < 4
    assert listed < rows("rentals", "R-03", "R-04", "R-05", "R-06")


def test_rows_that_a_count_passes_over_are_no_support(ada: DomainEnvironment) -> None:
    ada.call("take_back", {"rental_id": "R-05"})

    def below(person: Any) -> bool:
        return sum(r.status == "open" for r in person.rentals) < 2

    assert supported(ada, below, person=BO) == (set(), rows("rentals", "R-03", "R-04"))


def test_a_sum_rests_on_what_carries_it(ada: DomainEnvironment) -> None:
    """Cy owes 400 and 200. Of 500, both are needed; of 300 the first alone is enough."""

    def owes_less(limit: int) -> Callable[[Any], bool]:
        return lambda person: sum(b.amount - b.paid for b in person.bills) < limit

    both = rows("bills", "B-03", "B-04")
    assert supported(ada, owes_less(500), person=CY) == (set(), both)
    assert supported(ada, owes_less(300), person=CY) == (set(), rows("bills", "B-03"))
    assert supported(ada, owes_less(100), person=CY)[1] in (
        rows("bills", "B-03"), rows("bills", "B-04"),
    )  # fmt: skip


def test_a_mere_presence(ada: DomainEnvironment) -> None:
    """No column of the parcel is read; that it is there is all."""
    assert supported(ada, lambda person: not person.parcels, person=ADA) == (
        set(), rows("parcels", "PA-01"),
    )  # fmt: skip
    assert supported(ada, lambda parcel: len(parcel.items) < 3, parcel=("parcels", "PA-01")) == (
        set(), set(),
    )  # fmt: skip  # two items: it holds, and would with one


def test_identity_is_told_by_is(ada: DomainEnvironment) -> None:
    def not_lent(person: Any, toy: Any) -> bool:
        return all(r.toy is not toy for r in person.rentals if r.status == "open")

    assert supported(ada, not_lent, person=ADA, toy=("toys", "T-02")) == (
        set(), rows("rentals", "R-02"),
    )  # fmt: skip
    assert supported(ada, not_lent, person=ADA, toy=("toys", "T-07"))[1] == set()


def test_identity_by_equality_and_membership(ada: DomainEnvironment) -> None:
    def not_among(person: Any, toy: Any) -> bool:
        return toy not in [r.toy for r in person.rentals]

    assert supported(ada, not_among, person=ADA, toy=("toys", "T-02"))[1] == rows("rentals", "R-02")


def test_the_actor_is_the_row_that_it_is(ada: DomainEnvironment) -> None:
    """`db.actor` has to be the same probe as the person that a row leads to."""

    def somebody_elses(db: Any, rental: Any) -> bool:
        return rental.person is not db.actor

    own = support(ada, somebody_elses, rental=("rentals", "R-01"))
    other = support(ada, somebody_elses, rental=("rentals", "R-03"))
    assert (own.direct, other.direct) == ({}, {})

    def status_unless_own(db: Any, rental: Any) -> bool:
        return rental.person is db.actor or rental.status == "returned"

    assert support(ada, status_unless_own, rental=("rentals", "R-01")).direct == {}
    assert set(support(ada, status_unless_own, rental=("rentals", "R-03")).direct) == {
        ("rentals", "R-03")
    }


def test_lists_asked_of_the_db(ada: DomainEnvironment) -> None:
    def none_open(db: Any, person: Any) -> bool:
        return not any(b.status == "open" for b in db.all(_bills(ada), person=person))

    assert supported(ada, none_open, person=CY)[1] in (
        rows("bills", "B-03"), rows("bills", "B-04"),
    )  # fmt: skip


def _bills(environment: DomainEnvironment) -> Any:
    return environment.domain.entities["Bill"]


def test_the_earliest_of_a_chain(ada: DomainEnvironment) -> None:
    """Older things first: R-04 waits for R-03, which is due before it; R-05 does not matter."""

    def oldest(rental: Any) -> bool:
        due = [r.due_on for r in rental.person.rentals if r.status == "open"]
        return bool(rental.due_on == min(due))

    direct, listed = supported(ada, oldest, rental=("rentals", "R-04"))
    assert direct == rows("rentals", "R-04")
    assert listed == rows("rentals", "R-03")


def test_a_rule_that_cannot_do_without_a_row(ada: DomainEnvironment) -> None:
    """`min` of nothing raises: so the row was needed."""

    def soon(person: Any) -> bool:
        return bool(min(r.due_on for r in person.rentals) > ada.world.db.today + timedelta(days=9))

    assert supported(ada, soon, person=CY)[1] == rows("rentals", "R-06")


def test_plain_values_alone_rest_on_nothing(ada: DomainEnvironment) -> None:
    assert supported(ada, lambda amount: amount < 100, amount=500) == (set(), set())


def test_cells_are_what_was_read(ada: DomainEnvironment) -> None:
    found = support(ada, lambda person: sum(b.amount - b.paid for b in person.bills) < 1, person=CY)
    assert found.cells == {("bills", "+"), ("bills", "amount"), ("bills", "paid")}
    found = support(ada, lambda rental: rental.parcel is None, rental=("rentals", "R-01"))
    assert found.cells == {("rentals", "parcel_id")}


def test_probing_changes_nothing(ada: DomainEnvironment) -> None:
    before = ada.pack()
    support(ada, lambda person: not person.bills, person=CY)
    assert ada.pack() == before


def test_rows_behind_a_list_matter_where_the_list_row_does(ada: DomainEnvironment) -> None:
    """The toys of all rentals are looked at, but only one of them is what the rule is about."""

    def none_costs(price: int) -> Callable[[Any], bool]:
        return lambda person: all(r.toy.price != price for r in person.rentals)

    rentals = list(_row(ada, ADA).rentals)
    prices = Counter(r.toy.price for r in rentals)
    rental = next(r for r in rentals if prices[r.toy.price] == 1)
    assert len(rentals) > 1
    found = support(ada, none_costs(rental.toy.price), person=ADA)
    assert (found.direct, set(found.listed)) == ({}, rows("rentals", rental.id))
    assert set(found.behind) == rows("toys", rental.toy.id)


def test_a_mere_comparison_of_rows_rests_on_the_arguments(ada: DomainEnvironment) -> None:
    """No column is read: the rental is what leads to the other toy."""
    found = support(
        ada, lambda rental, toy: rental.toy is toy, rental=("rentals", "R-01"), toy=("toys", "T-07")
    )
    assert (found.direct, found.listed, found.behind) == ({}, {}, {})
    assert set(found.given) == rows("rentals", "R-01")


def test_cells_read_are_those_of_the_support(ada: DomainEnvironment) -> None:
    rule = Rule("rule", "A rule.", lambda person: sum(b.amount - b.paid for b in person.bills) < 1)
    bound = {"person": ada.row(*CY), "db": ada.world.db, "log": None}
    assert cells_read(rule, bound) == support_of(rule, bound).cells != set()
