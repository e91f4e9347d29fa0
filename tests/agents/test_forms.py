"""The forms in which a request speaks of rows: selections, conditions, batches, "it", fallbacks."""

from typing import Any

import pytest

from davinci_env.agents.expert import Expert
from tests.agents.talks import BIKES, OverTheWire, Person, desk, every, ref, row, talk, ungrounded

ADA, BEN, CLEO, DORA = ({"email": f"{name}@example.com"} for name in ("ada", "ben", "cleo", "dora"))
MOST = ("due_on", "most")


def extend(rental: dict[str, Any], days: int = 2, **more: Any) -> dict[str, Any]:
    """The wish to extend a rental by a spec."""
    return {
        "do": "extend_rental",
        "arguments": {"rental_id": rental, "days": {"value": days}},
        **more,
    }


def give_back(rental: dict[str, Any]) -> dict[str, Any]:
    """The wish to return a bike."""
    return {"do": "return_bike", "arguments": {"rental_id": rental}}


def pay(charge: dict[str, Any]) -> dict[str, Any]:
    """The wish to pay a charge."""
    return {"do": "pay_charge", "arguments": {"charge_id": charge}}


def take(bike: dict[str, Any], name: str) -> dict[str, Any]:
    """The wish to take a bike."""
    return {"do": "take_bike", "arguments": {"rider_id": row("Rider", name=name), "bike_id": bike}}


def run(person: Person, *intents: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Let the expert play, and check what must always hold: no guessed id, no broken duty."""
    environment = desk()
    made = talk(environment, Expert(BIKES, "seed"), person, intents)
    assert ungrounded(environment) == []
    assert environment.capture().violated == ()
    again = talk(OverTheWire(desk()), Expert(BIKES, "seed"), _again(person), intents)
    assert again == made
    return environment, made


def _again(person: Person) -> Person:
    return Person(
        person.text, person.told, person.known, person.wishes, declined=person.declined,
        later=person.later,
    )  # fmt: skip


def writes(environment: Any) -> list[tuple[str, Any]]:
    return [(e.tool, e.arguments) for e in environment.log.calls() if e.ok and e.writes]


@pytest.mark.parametrize(("order", "chosen"), [("least", "L-001"), ("most", "L-002")])
def test_a_selection_is_made_among_all_that_fit(order: str, chosen: str) -> None:
    environment, _ = run(
        Person("…", ADA), extend(row("Rental", pick=("due_on", order)))
    )  # the returned rental of May 1 is due before both
    assert writes(environment) == [("extend_rental", {"rental_id": chosen, "days": 2})]


def test_a_selection_looks_at_all_pages_before_it_chooses() -> None:
    yes = {"lost lock": ("pay_charge", {"charge_id": "C-002"})}
    environment, made = run(
        Person("…", ADA, wishes=yes), pay(row("Charge", pick=("amount", "most")))
    )
    assert [s for s in made if s[0] == "list_rider_charges"] == [
        ("list_rider_charges", {"rider_id": "R-001"}),
        ("list_rider_charges", {"rider_id": "R-001", "page": 2}),
    ]
    assert writes(environment) == [("pay_charge", {"charge_id": "C-002"})]


def test_a_selection_among_things_of_nobody_keeps_to_what_can_be_had() -> None:
    yes = {"charge for a bell": ("pay_charge", {"charge_id": "C-004"})}
    environment, _ = run(
        Person("…", CLEO, wishes=yes),
        pay(row("Charge", reason="a bell")),
        take(row("Bike", mine=False, model="Wren", pick=("station.name", "most")), "Cleo Marsh"),
    )
    assert writes(environment)[-1] == ("take_bike", {"rider_id": "R-003", "bike_id": "B-006"})


def test_conditions_tell_rows_apart() -> None:
    environment, _ = run(
        Person("…", BEN), extend(row("Rental", where=[["due_on", ">", "2026-06-08"]]))
    )
    assert writes(environment) == [("extend_rental", {"rental_id": "L-004", "days": 2})]


def test_a_batch_is_one_call_for_each_in_the_order_of_keys() -> None:
    environment, made = run(
        Person("…", ADA), extend(every("Rental", where=[["due_on", "<=", "2026-06-30"]]))
    )
    assert writes(environment) == [
        ("extend_rental", {"rental_id": "L-001", "days": 2}),
        ("extend_rental", {"rental_id": "L-002", "days": 2}),
    ]
    assert "June 10" in made[-1][1] and "June 11" in made[-1][1]


def test_a_batch_is_confirmed_once() -> None:
    yes = {
        "puncture": ("pay_charge", {"charge_id": "C-001"}),
        "lost lock": ("pay_charge", {"charge_id": "C-002"}),
    }
    environment, made = run(Person("…", ADA, wishes=yes), pay(every("Charge")))
    assert [call["charge_id"] for _, call in writes(environment)] == ["C-001", "C-002"]
    assert sum("?" in text for tool, text in made if tool == "say") == 1


def test_nothing_to_batch_is_said() -> None:
    environment, made = run(Person("…", BEN), pay(every("Charge")))
    assert writes(environment) == []
    assert "can't find any charges" in made[-1][1]


def test_where_a_rule_forbids_a_wish_its_fallback_is_done() -> None:
    yes = {"Wren": ("return_bike", {"rental_id": "L-005"})}
    wish = extend(row("Rental", bike__model="Wren"), **{"else": [give_back(ref("Rental", "last"))]})
    environment, made = run(Person("…", CLEO, wishes=yes), wish)
    assert writes(environment) == [("return_bike", {"rental_id": "L-005"})]
    assert "extended before" in made[-1][1]


def test_why_the_first_choice_is_impossible_is_said_before_the_second_is_confirmed() -> None:
    yes = {"Wren": ("return_bike", {"rental_id": "L-005"})}
    wish = extend(row("Rental", bike__model="Wren"), **{"else": [give_back(ref("Rental", "last"))]})
    _, made = run(Person("…", CLEO, wishes=yes), wish)
    asked = next(text for tool, text in made if tool == "say" and "?" in text)
    assert "extended before" in asked


def test_a_fallback_is_not_done_where_the_wish_is_granted() -> None:
    wish = extend(
        row("Rental", bike__model="Kestrel"), **{"else": [give_back(ref("Rental", "last"))]}
    )
    environment, _ = run(Person("…", BEN), wish)
    assert [tool for tool, _ in writes(environment)] == ["extend_rental"]


def test_a_fallback_may_be_a_question() -> None:
    due = {"ask": {"attribute": {**ref("Rental", "last"), "column": "due_on"}}}
    wish = extend(row("Rental", bike__model="Wren"), **{"else": [due]})
    environment, made = run(Person("…", CLEO), wish)
    assert writes(environment) == []
    assert "extended before" in made[-1][1] and "June 12" in made[-1][1]


def test_a_tool_that_refuses_makes_way_for_the_fallback_too() -> None:
    reserved = take(row("Bike", mine=False, model="Plover", station__name="South"), "Dora Quist")
    instead = take(row("Bike", mine=False, model="Wren", station__name="South"), "Dora Quist")
    environment, made = run(Person("…", DORA), {**reserved, "else": [instead]})
    assert writes(environment) == [("take_bike", {"rider_id": "R-004", "bike_id": "B-006"})]
    assert "reserved" in made[-1][1]


def test_what_was_made_in_the_same_message_can_be_spoken_of() -> None:
    environment, _ = run(
        Person("…", DORA),
        take(row("Bike", mine=False, model="Wren", station__name="South"), "Dora Quist"),
        extend(ref("Rental", "made"), days=3),
    )
    assert [tool for tool, _ in writes(environment)] == ["take_bike", "extend_rental"]
    assert writes(environment)[1][1] == {"rental_id": "L-008", "days": 3}


def test_it_is_what_the_message_spoke_of_before() -> None:
    environment, made = run(
        Person("…", BEN),
        {"ask": {"attribute": {**row("Rental", bike__model="Plover"), "column": "due_on"}}},
        extend(ref("Rental", "last"), days=1),
    )
    assert writes(environment) == [("extend_rental", {"rental_id": "L-004", "days": 1})]
    assert "June 12" in made[-1][1]


def test_a_bike_can_be_meant_by_the_rental_that_was_spoken_of() -> None:
    _, made = run(
        Person("…", BEN),
        extend(row("Rental", bike__model="Plover"), days=1),
        {"ask": {"attribute": {**ref("Bike", "last"), "column": "status"}}},
    )
    assert "out" in made[-1][1]


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (
            {
                "count": {
                    "entity": "Rental",
                    "where": {},
                    "also": [["due_on", ">", "2026-06-08"]],
                    "mine": True,
                }
            },
            "one rental",
        ),
        (
            {
                "sum": {
                    "entity": "Charge",
                    "column": "amount",
                    "where": {"status": "open"},
                    "also": [["amount", ">=", 2000]],
                    "mine": True,
                }
            },
            "$30.00",
        ),
        (
            {"attribute": {**row("Rental", status="open", pick=MOST), "column": "due_on"}},
            "June 9",
        ),
    ],
)  # fmt: skip
def test_sets_and_selections_are_asked_about(ask: dict[str, Any], told: str) -> None:
    environment, made = run(Person("…", ADA), {"ask": ask})
    assert told in made[-1][1]
    assert writes(environment) == []


def test_of_two_wishes_for_the_first_due_the_second_is_for_the_next_one() -> None:
    first = give_back(row("Rental", pick=("due_on", "least")))
    then = extend(row("Rental", pick=("due_on", "least")))
    yes = {"Kestrel": ("return_bike", {"rental_id": "L-003"})}
    environment, _ = run(Person("…", BEN, wishes=yes), first, then)
    assert writes(environment) == [
        ("return_bike", {"rental_id": "L-003"}),
        ("extend_rental", {"rental_id": "L-004", "days": 2}),
    ]


def test_an_enabling_payment_waits_for_all_other_rules() -> None:
    yes = {
        "puncture": ("pay_charge", {"charge_id": "C-001"}),
        "lost lock": ("pay_charge", {"charge_id": "C-002"}),
    }
    _, made = run(
        Person("…", ADA, wishes=yes),
        pay(every("Charge")),
        take(row("Bike", mine=False, model="Wren", station__name="South"), "Ada Holm"),
    )
    tools = [tool for tool, _ in made]
    assert tools.index("list_rider_rentals") < tools.index("pay_charge")
    assert "take_bike" not in tools and "2 bikes already" in made[-1][1]
