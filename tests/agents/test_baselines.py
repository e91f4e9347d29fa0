"""Baselines do what their names say, the same for the same seed, and earn nothing on most tasks."""

from collections import Counter

import pytest

from davinci_env.agents import make_agent
from davinci_env.agents.baselines import FirstMatch, Guess, Reader, RefuseAfterReading
from tests.agents.drawn import SHIPPED, drawn_tasks
from tests.agents.talks import BIKES, Person, desk, row, steps, talk

ADA = {"email": "ada@example.com"}
EXTEND = {
    "do": "extend_rental",
    "arguments": {
        "rental_id": row("Rental", bike__model="Heron", due_on="2026-06-09"),
        "days": {"value": 2},
    },
}
IDLE = ("noop", "talk", "refuse", "ask-always", "guess", "random")


@pytest.mark.parametrize("domain", SHIPPED)
def test_who_does_not_work_earns_nothing(domain: str) -> None:
    passed: Counter[str] = Counter()
    for drawn in drawn_tasks(domain, seeds=(0, 1)):
        for name in IDLE:
            drawn.environment.reset()
            passed[name] += drawn.play(make_agent(name, drawn.task)).passed
    assert not +passed


def test_the_same_seed_takes_the_same_steps() -> None:
    for name in ("reader", "random", "guess", "refuse-after-reading", "first-match"):
        runs = []
        for _ in range(2):
            drawn = next(drawn_tasks("library_lending", kinds=("ask",), seeds=range(9)))
            drawn.play(make_agent(name, drawn.task))
            runs.append(steps(drawn.environment))
        assert runs[0] == runs[1] != []


def test_the_first_match_ignores_what_was_said_of_look_alikes() -> None:
    made = talk(desk(), FirstMatch(BIKES, "seed"), Person("The one due on the 9th.", ADA), [EXTEND])
    assert made[-2] == ("extend_rental", {"rental_id": "L-001", "days": 2})


def test_the_refuser_reads_before_it_declines() -> None:
    made = talk(desk(), RefuseAfterReading(BIKES, "seed"), Person("…", ADA), [EXTEND])
    assert [tool for tool, _ in made[:-1]] == [
        "find_rider_by_email", "list_rider_rentals", "list_rider_rentals",
    ]  # fmt: skip
    assert "extended before" in made[-1][1]


def test_a_guess_has_the_right_form_and_reads_nothing() -> None:
    made = talk(desk(), Guess(BIKES, "seed"), Person("…", ADA), [EXTEND])
    ((tool, arguments), (_, text)) = made
    assert tool == "extend_rental"
    assert arguments["rental_id"].startswith("L-") and 1 <= arguments["days"] <= 7
    assert "done" in text


def test_the_reader_recites_what_it_saw() -> None:
    environment = desk()
    *reads, (_, text) = talk(environment, Reader("seed"), Person("…", ADA), [])
    assert [tool for tool, _ in reads].count("find_rider_by_email") == 1
    assert 2 <= len(reads) <= 5
    assert environment.capture().diff == []
    assert "rider_id: R-001" in text and "model: Heron" in text
    assert text.startswith("Everything you asked for has been done.")
