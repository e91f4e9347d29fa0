"""A belief row answers for what results have shown, and says what is missing of the rest."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from davinci_env.agents.belief import Beliefs, Unread
from davinci_env.environment import DomainEnvironment
from tests.agents.talks import BIKES, desk

RIDER, BIKE, RENTAL, CHARGE = (BIKES.entities[n] for n in ("Rider", "Bike", "Rental", "Charge"))


@pytest.fixture
def environment() -> Iterator[DomainEnvironment]:
    opened = desk()
    yield opened
    opened.close()


@pytest.fixture
def beliefs() -> Beliefs:
    return Beliefs(BIKES)


def learn(beliefs: Beliefs, environment: DomainEnvironment, tool: str, **arguments: Any) -> Any:
    """Call a tool for the agent and let it learn from what the agent sees of the result."""
    result = environment.call(tool, arguments)
    assert result.ok, result.text
    return beliefs.absorb(BIKES.tools[tool], result.content)


def missing(evaluate: Any) -> tuple[str, str]:
    """The row and name that an evaluation lacks."""
    with pytest.raises(Unread) as raised:
        evaluate()
    assert raised.value.row is not None
    return raised.value.row.id, raised.value.name


def test_a_row_tells_what_was_shown_and_names_what_was_not(
    beliefs: Beliefs, environment: DomainEnvironment
) -> None:
    (rental, _) = learn(beliefs, environment, "list_rider_rentals", rider_id="R-002")
    assert (rental.due_on, rental.extensions) == (date(2026, 6, 8), 0)
    assert rental.rider.id == "R-002"
    assert missing(lambda: rental.rider.name) == ("R-002", "name")
    assert missing(lambda: rental.rider.charges) == ("R-002", "charges")
    with pytest.raises(AttributeError):
        rental.colour  # noqa: B018


def test_one_row_is_one_object(beliefs: Beliefs, environment: DomainEnvironment) -> None:
    first, _ = learn(beliefs, environment, "list_rider_rentals", rider_id="R-002")
    (bike,) = learn(beliefs, environment, "search_bikes", query="Kestrel")
    assert first.bike is bike
    assert bike.station is beliefs.row(BIKES.entities["Station"], "S-01")


def test_what_a_row_shows_of_another_is_put_where_it_belongs(
    beliefs: Beliefs, environment: DomainEnvironment
) -> None:
    first, _ = learn(beliefs, environment, "list_rider_rentals", rider_id="R-002")
    assert first.bike.model == "Kestrel"
    assert str(first) == "the rental of the Kestrel"
    assert first._seen and not first.bike._seen


def test_a_label_that_is_not_known_names_what_it_lacks(
    beliefs: Beliefs, environment: DomainEnvironment
) -> None:
    (bike,) = learn(beliefs, environment, "search_bikes", query="Kestrel")
    assert missing(lambda: str(bike)) == ("S-01", "name")
    learn(beliefs, environment, "search_stations", query="North")
    assert str(bike) == "the Kestrel at North"


def test_a_rule_runs_on_beliefs_and_leaves_a_trace(
    beliefs: Beliefs, environment: DomainEnvironment
) -> None:
    rule = BIKES.rules["below_limit"]
    rentals = learn(beliefs, environment, "list_rider_rentals", rider_id="R-002")
    ben = beliefs.row(RIDER, "R-002")
    assert missing(lambda: rule.predicate(ben)) == ("R-002", "rentals")
    beliefs.complete(ben, "rentals", rentals)
    with beliefs.traced() as trace:
        assert rule.predicate(ben) is False
    assert list(trace.rows) == rentals
    assert trace.cells == {("rentals", "+"), ("rentals", "status")}


def test_a_write_makes_the_agent_forget_what_its_frame_names(
    beliefs: Beliefs, environment: DomainEnvironment
) -> None:
    rentals = learn(beliefs, environment, "list_rider_rentals", rider_id="R-002")
    ben = beliefs.row(RIDER, "R-002")
    beliefs.complete(ben, "rentals", rentals)
    beliefs.forget(BIKES.tools["extend_rental"], {"rental": rentals[0], "days": 1})
    assert missing(lambda: rentals[0].due_on) == ("L-003", "due_on")
    assert rentals[0].status == "open"
    assert rentals[1].due_on == date(2026, 6, 11)
    assert ben.rentals == tuple(rentals)
    (bike,) = learn(beliefs, environment, "search_bikes", query="Kestrel")
    beliefs.forget(BIKES.tools["take_bike"], {"rider": ben, "bike": bike})
    assert missing(lambda: ben.rentals) == ("R-002", "rentals")
    assert missing(lambda: bike.status) == ("B-003", "status")


def test_the_policy_states_the_time_and_no_table_is_known_whole(beliefs: Beliefs) -> None:
    assert beliefs.db.today == date(2026, 6, 1)
    with pytest.raises(Unread):
        beliefs.db.all(CHARGE)
    assert beliefs.db.get(BIKE, "B-001").id == "B-001"
