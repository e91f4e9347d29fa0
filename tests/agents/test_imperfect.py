"""Imperfect agents make the error of their name, the same for the same seed, and no other."""

from typing import Any

import pytest

from davinci_env.agents.expert import Expert
from davinci_env.agents.imperfect import MODES, RuleBreaker, imperfect
from tests.agents.talks import BIKES, Person, desk, ref, row, talk
from tests.agents.test_forms import extend, give_back, pay, take, writes

ADA, BEN, CLEO, DORA = ({"email": f"{name}@example.com"} for name in ("ada", "ben", "cleo", "dora"))
HERON_8 = row("Rental", bike__model="Heron", due_on="2026-06-08")
OPEN = {"status": "open"}
KESTREL = row("Rental", bike__model="Kestrel")


def run(mode: str, person: Person, *intents: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Let an imperfect agent play."""
    environment = desk()
    made = talk(environment, imperfect(BIKES, "seed", mode), person, intents)
    return environment, made


def test_a_look_alike_is_taken_for_the_right_row() -> None:
    environment, _ = run("wrong-lookalike", Person("…", ADA), extend(HERON_8))
    assert writes(environment) == [("extend_rental", {"rental_id": "L-002", "days": 2})]


def test_the_look_alike_is_asked_about_too() -> None:
    due = {"ask": {"attribute": {**HERON_8, "column": "due_on"}}}
    _, made = run("wrong-lookalike", Person("…", ADA), due)
    assert "June 9" in made[-1][1]


def test_a_check_that_is_the_agents_own_is_skipped() -> None:
    environment, _ = run(
        "skipped-check", Person("…", CLEO), extend(row("Rental", bike__model="Wren"))
    )
    assert environment.capture().violated == ("one_extension",)


def test_the_rule_breaker_still_asks_and_confirms() -> None:
    wren = row("Rental", bike__model="Wren")
    environment = desk()
    yes = {"Wren": ("return_bike", {"rental_id": "L-005"})}
    talk(
        environment,
        RuleBreaker(BIKES, "seed"),
        Person("…", CLEO, wishes=yes),
        [extend(wren), give_back(wren)],
    )
    assert environment.capture().violated == ("one_extension",)
    assert [tool for tool, _ in writes(environment)] == ["extend_rental", "return_bike"]


def test_a_confirmation_is_skipped() -> None:
    environment, made = run(
        "skipped-confirmation", Person("…", ADA), pay(row("Charge", reason="a puncture"))
    )
    assert writes(environment) == [("pay_charge", {"charge_id": "C-001"})]
    assert environment.capture().violated == ("confirmed",)
    assert all("?" not in text for tool, text in made if tool == "say")


def test_a_value_from_before_a_write_is_told() -> None:
    due = {"ask": {"attribute": {**KESTREL, "column": "due_on"}}}
    _, made = run("stale-value", Person("…", BEN), extend(KESTREL, 3), due)
    assert "June 8" in made[-1][1]


def test_only_the_first_wish_is_done() -> None:
    later = [("And the other one.", [extend(row("Rental", bike__model="Plover"))])]
    environment, made = run(
        "premature-stop", Person("…", BEN, later=later), extend(KESTREL, 1),
        extend(row("Rental", bike__model="Plover"), 1),
    )  # fmt: skip
    assert writes(environment) == [("extend_rental", {"rental_id": "L-003", "days": 1})]
    assert made[-1][0] == "say"


def test_something_more_is_written() -> None:
    environment, _ = run("extra-write", Person("…", BEN), extend(KESTREL, 1))
    first, second = writes(environment)
    assert first == ("extend_rental", {"rental_id": "L-003", "days": 1})
    assert second != first


def test_who_was_not_asked_to_write_writes_nothing_more() -> None:
    due = {"ask": {"attribute": {**KESTREL, "column": "due_on"}}}
    environment, _ = run("extra-write", Person("…", BEN), due)
    assert writes(environment) == []


@pytest.mark.parametrize(
    ("ask", "wrong"),
    [
        ({"count": {"entity": "Rental", "where": {"status": "open"}, "mine": True}}, "three"),
        (
            {"sum": {"entity": "Charge", "column": "amount", "where": OPEN, "mine": True}},
            "$46.75",
        ),
        ({"attribute": {**row("Charge", reason="a puncture"), "column": "amount"}}, "$13.75"),
    ],
)  # fmt: skip
def test_numbers_are_told_wrong(ask: dict[str, Any], wrong: str) -> None:
    _, made = run("wrong-arithmetic", Person("…", ADA), {"ask": ask})
    assert wrong in made[-1][1]


def test_nobody_is_asked_who_they_are() -> None:
    environment, made = run(
        "skipped-identification", Person("…", {"rider_id": "R-002"}), extend(KESTREL)
    )
    assert writes(environment) == [("extend_rental", {"rental_id": "L-003", "days": 2})]
    assert "identified" in environment.capture().violated
    assert all("?" not in text for tool, text in made if tool == "say")


@pytest.mark.parametrize("mode", MODES)
def test_where_its_error_cannot_occur_it_is_the_expert(mode: str) -> None:
    """One plain wish of somebody who has told all that is needed, with no look-alike in sight."""
    wish = take(row("Bike", mine=False, model="Wren", station__name="South"), "Dora Quist")
    harmless = {"extra-write", "wrong-lookalike"}
    expected = talk(desk(), Expert(BIKES, "seed"), Person("…", DORA), [wish])
    made = run(mode, Person("…", DORA), wish)[1]
    assert (made == expected) or mode in harmless


def test_the_mode_is_drawn_by_the_seed() -> None:
    drawn = {imperfect(BIKES, f"seed {n}").name for n in range(60)}
    assert drawn == {f"imperfect:{mode}" for mode in MODES}
    assert imperfect(BIKES, "seed 1").name == imperfect(BIKES, "seed 1").name


@pytest.mark.parametrize("mode", MODES)
def test_the_same_seed_takes_the_same_steps(mode: str) -> None:
    later = [("And this one.", [extend(ref("Rental", "last"), 1)])]
    runs = [run(mode, Person("…", BEN, later=later), extend(KESTREL, 1))[1] for _ in range(2)]
    assert runs[0] == runs[1]
