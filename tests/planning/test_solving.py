"""Reads that lead from what is told to what is needed: least, and never guessed."""

import random
from typing import Any

import pytest

from davinci_env.environment import open_environment
from davinci_env.planning import Survey, Unsolvable, plan_writes, solve_reads
from davinci_env.tasks.bench import Bench
from davinci_env.tasks.missed import NoCandidate
from tests.support.toy_desk import desk

Call = tuple[str, dict[str, Any]]
EMAIL = ("Person.email", "ada@example.com")
FIND: Call = ("find_person_by_email", {"email": "ada@example.com"})
RENTALS: Call = ("list_person_rentals", {"person_id": "P-01"})
BILLS: Call = ("list_person_bills", {"person_id": "P-01"})
PARCELS: Call = ("list_person_parcels", {"person_id": "P-01"})


def solve(told: list[Any], needed: list[Any], places: Any = ()) -> list[Call]:
    environment = desk()
    try:
        return solve_reads(environment, told, needed, places)
    finally:
        environment.close()


@pytest.mark.parametrize(
    ("told", "needed", "places", "expected"),
    [
        ([EMAIL], [("Person", "P-01")], (), [FIND]),
        ([EMAIL], [("Rental", "R-02")], (), [FIND, RENTALS]),
        ([EMAIL], [("Parcel", "PA-01")], (), [FIND, PARCELS]),
        # the bills name their rentals, so that one list gives both
        ([EMAIL], [("Bill", "B-01"), ("Rental", "R-01")], (), [FIND, BILLS]),
        # but they don't show them
        ([EMAIL], [("Bill", "B-01")], [("rentals", "R-01")], [FIND, RENTALS, BILLS]),
        ([EMAIL], [], [("persons", "P-01")], [FIND]),
        ([EMAIL, ("Person", "P-01")], [("Rental", "R-01")], (), [RENTALS]),  # the id was told
        ([("Toy.name", "globe")], [("Toy", "T-07")], (), [("search_toys", {"query": "globe"})]),
        ([EMAIL], [], (), []),
    ],
)
def test_the_least_reads(
    told: list[Any], needed: list[Any], places: Any, expected: list[Call]
) -> None:
    """Not a call more than the ids rest on, in an order in which each has what it needs."""
    assert sorted(solve(told, needed, places), key=str) == sorted(expected, key=str)


@pytest.mark.parametrize(
    ("told", "needed"),
    [
        ([], [("Rental", "R-01")]),  # nobody said who they are
        ([("Toy.name", "globe")], [("Rental", "R-01")]),
        ([EMAIL], [("Rental", "R-03")]),  # Bo's: he did not say who he is
        ([("Person.email", "nobody@example.com")], [("Person", "P-01")]),
    ],
)
def test_what_no_read_reveals_is_not_guessed(told: list[Any], needed: list[Any]) -> None:
    with pytest.raises(Unsolvable):
        solve(told, needed)


def test_nothing_stays_of_the_trials_but_reads() -> None:
    environment = desk()
    before = environment.pack()
    solve_reads(environment, [EMAIL], [("Rental", "R-02")])
    assert environment.pack() == before
    environment.close()


@pytest.mark.parametrize("name", ["clinic_appointments", "library_lending", "order_management"])
def test_every_id_in_a_solution_was_told_or_shown(name: str) -> None:
    """Over drawn wishes: each id in a read stands in the person's facts or in an earlier result."""
    environment = open_environment(name, seed=21, scale=0.25)
    people = [row.id for row in environment.world.all(environment.domain.identity)]
    solved = 0
    for number in range(10):
        environment.reset()
        environment.act_for(people[number % len(people)])
        bench = Bench(environment, random.Random(number))
        plan = plan_writes(environment, bench.rng, 2, lambda tool: 1.0)
        if plan is None:
            continue
        try:
            wishes = [bench.words.wish(step) for step in plan.steps]
            told = [fact for wish in wishes for fact in wish.told]
            attributes, reads = bench.reads(
                [s.tool for s in plan.steps], told, bench.needed(plan.steps)
            )
        except NoCandidate:
            continue
        solved += 1
        known = [str(value) for _, value in told]
        known += [str(getattr(bench.person, a)) for a in attributes]
        for read in reads:
            tool = environment.domain.tools[read.tool]
            for parameter in tool.parameters:
                if parameter.entity is not None and parameter.wire in read.arguments:
                    assert any(read.arguments[parameter.wire] in text for text in known)
            known.append(environment.call(read.tool, read.arguments).text)
        for _, key in bench.needed(plan.steps):
            assert any(str(key) in text for text in known)
    assert solved >= 6
    environment.close()


def test_pages_are_turned_one_after_the_other() -> None:
    """Lists of the clinic hold five a page, with a cursor that only the page before tells: the
    eleventh appointment takes three of them.
    """
    environment = open_environment("clinic_appointments", seed=3)
    entity = environment.domain.entities["Appointment"]
    for person in environment.world.all(environment.domain.identity):
        environment.act_for(person.id)
        rows = Survey(environment, random.Random(0)).rows(entity)
        if len(rows) > 10:
            break
    calls = solve_reads(environment, [], [("Appointment", rows[10].id)])
    assert [tool for tool, _ in calls] == ["my_appointments"] * 3
    environment.reset()
    known: list[str] = []
    for tool, arguments in calls:
        cursor = arguments.get("cursor")
        assert (cursor is None) == (not known)
        assert cursor is None or f'"{cursor}"' in known[-1]
        known.append(environment.call(tool, arguments).text)
    assert rows[10].id in known[-1]
    environment.close()
