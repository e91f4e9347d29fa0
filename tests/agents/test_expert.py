"""The expert solves what people ask at a desk of which every row is known, and no more."""

from typing import Any

import pytest

from davinci_env.agents.expert import Expert
from davinci_env.environment import WithoutTools, Wrapper
from tests.agents.talks import BIKES, OverTheWire, Person, desk, row, talk, ungrounded

ADA, BEN, CLEO, DORA = ({"email": f"{name}@example.com"} for name in ("ada", "ben", "cleo", "dora"))
PUNCTURE = {"do": "pay_charge", "arguments": {"charge_id": row("Charge", reason="a puncture")}}
BELL = {"do": "pay_charge", "arguments": {"charge_id": row("Charge", reason="a bell")}}
YES_BELL = {"charge for a bell": ("pay_charge", {"charge_id": "C-004"})}


def take(name: str, **bike: Any) -> dict[str, Any]:
    """The wish to take a bike."""
    bound = {"rider_id": row("Rider", name=name), "bike_id": row("Bike", mine=False, **bike)}
    return {"do": "take_bike", "arguments": bound}


def extend(days: Any, **rental: Any) -> dict[str, Any]:
    """The wish to extend a rental."""
    return {
        "do": "extend_rental",
        "arguments": {"rental_id": row("Rental", **rental), "days": days},
    }


def run(person: Person, *intents: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Let the expert play, and check what must always hold: no guessed id, no broken duty."""
    environment = desk()
    made = talk(environment, Expert(BIKES, "seed"), person, intents)
    assert ungrounded(environment) == []
    assert environment.capture().violated == ()
    return environment, made


def tools(made: list[Any]) -> list[str]:
    return [tool for tool, _ in made]


def test_a_payment_is_confirmed_with_its_details_and_then_made() -> None:
    person = Person(
        "I want to pay for the puncture.",
        ADA,
        wishes={"charge for a puncture": ("pay_charge", {"charge_id": "C-001"})},
    )
    environment, made = run(person, PUNCTURE)
    assert [step for step in made if step[0] != "say"] == [
        ("find_rider_by_email", {"email": "ada@example.com"}),
        ("list_rider_charges", {"rider_id": "R-001"}),
        ("list_rider_charges", {"rider_id": "R-001", "page": 2}),
        ("pay_charge", {"charge_id": "C-001"}),
    ]
    assert tools(made)[-3:] == ["say", "pay_charge", "say"]
    assert "puncture" in made[3][1] and made[3][1].endswith("?")
    assert "$12.50" in made[-1][1] and "?" not in made[-1][1]
    assert environment.capture().diff == [["charges", "C-001", "~", {"status": ["open", "paid"]}]]


def test_without_a_yes_nothing_is_paid() -> None:
    environment, made = run(Person("I want to pay for the puncture.", ADA), PUNCTURE)
    assert environment.capture().diff == []
    assert "explicit yes" in made[-1][1]


def test_look_alikes_are_told_apart_by_what_was_said() -> None:
    wish = extend({"value": 2}, bike__model="Heron", due_on="2026-06-09")
    _, made = run(Person("Two more days for the Heron due on the 9th.", ADA), wish)
    assert made[-2] == ("extend_rental", {"rental_id": "L-002", "days": 2})
    assert "June 11" in made[-1][1]


def test_which_of_two_is_meant_is_asked_and_the_answer_used() -> None:
    spec = row("Rental", bike__model="Heron", due_on="2026-06-08")
    person = Person("Two more days for the Heron.", ADA, known={"rental": ("rental_id", spec)})
    _, made = run(person, extend({"value": 2}, bike__model="Heron"))
    assert made[-2] == ("extend_rental", {"rental_id": "L-001", "days": 2})


def test_without_an_answer_nothing_is_extended() -> None:
    wish = extend({"value": 2}, bike__model="Heron")
    environment, made = run(Person("Two more days for the Heron.", ADA), wish)
    assert environment.capture().diff == []
    assert "can't tell which rental" in made[-1][1]


def test_a_missing_fact_is_asked_before_anything_else() -> None:
    person = Person("I need the Kestrel longer.", BEN, known={"days": ("days", {"value": 4})})
    _, made = run(person, extend({"missing": "days"}, bike__model="Kestrel"))
    assert made[0][0] == "say" and "days" in made[0][1] and made[0][1].endswith("?")
    assert made[-2] == ("extend_rental", {"rental_id": "L-003", "days": 4})


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (
            {"attribute": {**row("Rental", due_on="2026-06-09"), "column": "due_on"}},
            ["due date", "Heron", "June 9"],
        ),
        (
            {"count": {"entity": "Rental", "where": {"status": "open"}, "mine": True}},
            ["two open rentals"],
        ),
        (
            {
                "sum": {
                    "entity": "Charge",
                    "column": "amount",
                    "where": {"status": "open"},
                    "mine": True,
                }
            },
            ["open charges", "$42.50"],
        ),
    ],
)
def test_questions_are_answered_from_what_was_read(ask: dict[str, Any], told: list[str]) -> None:
    environment, made = run(Person("A question.", ADA), {"ask": ask})
    assert made[-1][0] == "say" and "?" not in made[-1][1]
    assert all(word in made[-1][1] for word in told)
    assert environment.capture().diff == []


def test_a_value_that_the_request_changes_is_told_as_it_is_afterwards() -> None:
    due = {
        "attribute": {
            **row("Rental", bike__model="Kestrel", due_on="2026-06-08"),
            "column": "due_on",
        }
    }
    wish = extend({"value": 3}, bike__model="Kestrel", due_on="2026-06-08")
    _, made = run(Person("Extend it. When is it due then?", BEN), wish, {"ask": due})
    assert "June 11" in made[-1][1] and "June 8" not in made[-1][1]


def test_of_two_that_a_question_may_mean_it_is_the_one_that_was_just_changed() -> None:
    wish = extend({"value": 2}, bike__model="Heron", due_on="2026-06-09")
    due = {"attribute": {**row("Rental", bike__model="Heron"), "column": "due_on"}}
    _, made = run(Person("Extend it. When is it due then?", ADA), wish, {"ask": due})
    assert "June 11" in made[-1][1] and "June 8" not in made[-1][1]
    assert "can't find out" not in made[-1][1]


def test_what_only_a_computation_tells_is_asked_of_it() -> None:
    asked = {
        "tool": "quote_late",
        "arguments": {"rental_id": row("Rental", bike__model="Curlew")},
        "field": "fee",
        "clause": "what I would owe for {rental}",
    }
    _, made = run(Person("What would I owe for the Curlew?", DORA), {"ask": {"field": asked}})
    assert made[-2] == ("quote_late", {"rental_id": "L-006"})
    assert "$12.00" in made[-1][1] and "Curlew" in made[-1][1]


def test_what_a_duty_wants_told_is_looked_up_and_told_before_the_yes() -> None:
    call = ("return_bike", {"rental_id": "L-006"})
    person = Person("I'm back with the Curlew.", DORA, wishes={"Curlew": call})
    wish = {"do": "return_bike", "arguments": {"rental_id": row("Rental", bike__model="Curlew")}}
    _, made = run(person, wish)
    assert tools(made)[-4:] == ["quote_late", "say", "return_bike", "say"]
    assert "The fee is $12.00." in made[-3][1]


def test_a_clause_of_the_policy_is_obeyed_without_trying() -> None:
    wish = extend({"value": 3}, bike__model="Wren")
    _, made = run(Person("Three more days for the Wren.", CLEO), wish)
    assert "extend_rental" not in tools(made)
    assert "it was extended before" in made[-1][1]


def test_a_limit_is_named_after_the_rentals_were_read() -> None:
    environment, made = run(
        Person("I'd like another one.", BEN),
        take("Ben Okafor", model="Wren", station__name="South"),
    )
    assert "list_rider_rentals" in tools(made)
    assert "Ben Okafor has 2 bikes already" in made[-1][1]
    assert environment.capture().diff == []


def test_what_no_read_tells_is_left_to_the_tool() -> None:
    _, made = run(
        Person("The Plover, please.", BEN),
        take("Ben Okafor", model="Plover", station__name="South"),
    )
    assert "2 bikes already" in made[-1][1]  # the limit is known before the reservation is met
    desk_of_dora = desk()
    db = desk_of_dora.world.db
    for rental in db.all(BIKES.entities["Rental"]):
        rental.status = "returned"
    desk_of_dora.world.accept()
    made = talk(
        desk_of_dora,
        Expert(BIKES, "seed"),
        Person("The Plover, please.", BEN),
        [take("Ben Okafor", model="Plover", station__name="South")],
    )
    assert made[-2] == ("take_bike", {"rider_id": "R-002", "bike_id": "B-007"})
    assert "reserved for somebody else" in made[-1][1]


def test_a_rule_that_the_request_itself_satisfies_first_is_no_obstacle() -> None:
    environment, made = run(
        Person("I'll pay for the bell and take the Wren.", CLEO, wishes=YES_BELL),
        BELL,
        take("Cleo Marsh", model="Wren", station__name="South"),
    )
    assert tools(made)[-3:] == ["pay_charge", "take_bike", "say"]
    assert environment.world.get(BIKES.entities["Bike"], "B-006").status == "out"


def test_a_remedy_that_was_not_asked_for_is_not_applied() -> None:
    environment, made = run(
        Person("The Wren, please.", CLEO), take("Cleo Marsh", model="Wren", station__name="South")
    )
    assert environment.capture().diff == []
    assert "unpaid charge" in made[-1][1]


def test_who_does_not_introduce_themselves_is_asked() -> None:
    person = Person(
        "I need the Kestrel longer.",
        {},
        known={"e-mail address": ("email", "ben@example.com")},
    )
    _, made = run(person, extend({"value": 1}, bike__model="Kestrel"))
    assert "your e-mail address" in made[0][1] and "?" in made[0][1]
    assert made[-2] == ("extend_rental", {"rental_id": "L-003", "days": 1})


def test_who_stays_unknown_is_told_nothing() -> None:
    _, made = run(
        Person("How many do I have?", {}),
        {"ask": {"count": {"entity": "Rental", "where": {}, "mine": True}}},
    )
    assert tools(made) == ["say", "say"]
    assert "can't find out" in made[-1][1]


@pytest.mark.parametrize(("number", "mine"), [("L-001", False), ("L-004", True)])
def test_a_number_opens_only_what_belongs_to_the_person(number: str, mine: bool) -> None:
    asked = {"ask": {"attribute": {**row("Rental", id=number), "column": "due_on"}}}
    _, made = run(Person(f"When is {number} due?", BEN), asked)
    assert "get_rental" not in tools(made) or mine
    assert ("June 11" in made[-1][1]) is mine
    assert ("can't find out" in made[-1][1]) is not mine


def test_a_missing_read_is_replaced_by_another_way() -> None:
    whole = desk()
    environment = WithoutTools(whole, {"search_bikes"})
    made = talk(
        environment,
        Expert(BIKES, "seed"),
        Person("I'll pay for the bell and take the Wren.", CLEO, wishes=YES_BELL),
        [BELL, take("Cleo Marsh", model="Wren", station__name="South")],
    )
    assert "list_station_bikes" in tools(made)
    assert tools(made)[-2:] == ["take_bike", "say"]
    assert ungrounded(whole) == []


def test_where_no_way_is_left_it_stops_with_an_apology() -> None:
    whole = desk()
    environment = WithoutTools(whole, {"list_rider_charges"})
    made = talk(
        environment,
        Expert(BIKES, "seed"),
        Person("I want to pay for the puncture.", ADA),
        [PUNCTURE],
    )
    assert "can't find the charge" in made[-1][1]
    assert whole.capture().diff == []


def test_a_list_without_end_is_not_read_for_ever() -> None:
    class Endless(Wrapper):
        def call(self, tool: str, arguments: Any) -> Any:
            result = super().call(tool, arguments)
            if result.ok and "pages" in result.content:
                result.content["pages"] = 10**6
            return result

    made = talk(
        Endless(desk()), Expert(BIKES, "seed"), Person("The puncture, please.", ADA), [PUNCTURE]
    )
    assert 2 < tools(made).count("list_rider_charges") <= 12
    assert made[-1][0] == "say"


def test_behind_json_it_takes_the_same_steps() -> None:
    intents = [BELL, take("Cleo Marsh", model="Wren", station__name="South")]
    person = Person("I'll pay for the bell and take the Wren.", CLEO, wishes=YES_BELL)
    direct = talk(desk(), Expert(BIKES, "seed"), person, intents)
    remote = talk(OverTheWire(desk()), Expert(BIKES, "seed"), person, intents)
    assert remote == direct
