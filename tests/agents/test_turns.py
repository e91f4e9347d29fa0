"""Conversations of several turns: further wishes, corrections, refusals of all sorts, typos."""

import random
from typing import Any

import pytest

from davinci_env.agents import Turn
from davinci_env.agents.expert import Expert
from davinci_env.agents.wishes import Wish
from davinci_env.domain import Domain
from davinci_env.environment import Event, Message, Wrapper, open_environment
from davinci_env.planning import Survey
from tests.agents.talks import BIKES, OverTheWire, Person, desk, every, ref, row, talk, ungrounded
from tests.agents.test_forms import extend, give_back, pay, take, writes

ADA, BEN, CLEO, DORA = ({"email": f"{name}@example.com"} for name in ("ada", "ben", "cleo", "dora"))
HERON_8 = row("Rental", bike__model="Heron", due_on="2026-06-08")
HERON_9 = row("Rental", bike__model="Heron", due_on="2026-06-09")
FIRST_DUE = {"attribute": {**HERON_8, "column": "due_on"}}
KESTREL = row("Rental", bike__model="Kestrel")
WREN = row("Bike", mine=False, model="Wren", station__name="South")
DUE = {"attribute": {**ref("Rental", "last"), "column": "due_on"}}


def run(person: Person, *intents: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Let the expert play, and check what must always hold: no guessed id, no broken duty."""
    environment = desk()
    made = talk(environment, Expert(BIKES, "seed"), person, intents)
    assert ungrounded(environment) == []
    assert environment.capture().violated == ()
    return environment, made


def tools(made: list[Any]) -> list[str]:
    return [tool for tool, _ in made]


def said(made: list[Any]) -> list[str]:
    return [text for tool, text in made if tool == "say"]


def test_a_further_wish_is_met_without_asking_or_reading_again() -> None:
    person = Person("…", BEN, later=[("Another day, please.", [extend(ref("Rental", "last"), 1)])])
    environment, made = run(person, {"ask": {"attribute": {**KESTREL, "column": "due_on"}}})
    assert writes(environment) == [("extend_rental", {"rental_id": "L-003", "days": 1})]
    calls = [repr(step) for step in made if step[0] != "say"]
    assert len(calls) == len(set(calls))
    assert len(said(made)) == 2


def test_what_was_made_in_one_turn_is_undone_in_the_next() -> None:
    yes = {"rental of the Wren": ("return_bike", {"rental_id": "L-008"})}
    person = Person(
        "…", DORA, wishes=yes, later=[("I don't need it.", [give_back(ref("Rental", "made"))])]
    )
    environment, _ = run(person, take(WREN, "Dora Quist"))
    assert writes(environment)[-1] == ("return_bike", {"rental_id": "L-008"})


def test_it_is_what_the_last_turn_ended_with() -> None:
    person = Person("…", BEN, later=[("And when is it due?", [{"ask": DUE}])])
    _, made = run(person, extend(row("Rental", bike__model="Plover"), 3), extend(KESTREL, 1))
    assert "June 9" in said(made)[-1]


def test_a_no_leaves_the_wish_undone_and_goes_on_with_the_others() -> None:
    no = {"puncture": (("pay_charge", {"charge_id": "C-001"}), None)}
    yes = {"lost lock": ("pay_charge", {"charge_id": "C-002"})}
    environment, made = run(Person("…", ADA, wishes=yes, declined=no), pay(every("Charge")))
    assert writes(environment) == [("pay_charge", {"charge_id": "C-002"})]
    assert "puncture" in said(made)[-1] and "$30.00" in said(made)[-1]


def test_a_proposal_that_is_not_understood_is_put_again_with_numbers() -> None:
    yes = {"C-001": ("pay_charge", {"charge_id": "C-001"})}
    environment, made = run(Person("…", ADA, wishes=yes), pay(row("Charge", reason="a puncture")))
    assert writes(environment) == [("pay_charge", {"charge_id": "C-001"})]
    first, second = (text for text in said(made) if "?" in text)
    assert "C-001" not in first and "C-001" in second


def test_a_correction_is_looked_up_checked_and_confirmed_anew() -> None:
    change = ("charge_id", row("Charge", reason="a lost lock"))
    no = {"puncture": (("pay_charge", {"charge_id": "C-001"}), change)}
    yes = {"lost lock": ("pay_charge", {"charge_id": "C-002"})}
    person = Person("…", ADA, wishes=yes, declined=no)
    environment, made = run(person, pay(row("Charge", reason="a puncture")))
    assert writes(environment) == [("pay_charge", {"charge_id": "C-002"})]
    assert sum("?" in text for text in said(made)) == 2


def test_a_correction_to_what_is_forbidden_is_refused() -> None:
    change = ("charge_id", row("Charge", reason="cleaning"))
    no = {"puncture": (("pay_charge", {"charge_id": "C-001"}), change)}
    environment, made = run(Person("…", ADA, declined=no), pay(row("Charge", reason="a puncture")))
    assert writes(environment) == []
    assert "open" in said(made)[-1] and "?" not in said(made)[-1]


def test_a_mistyped_address_is_doubted_and_the_right_one_used() -> None:
    person = Person("…", {"email": "bne@example.com"}, mistyped=BEN)
    environment, made = run(person, extend(KESTREL))
    assert made[0] == ("find_rider_by_email", {"email": "bne@example.com"})
    assert made[1][0] == "say" and "?" in made[1][1] and "e-mail address" in made[1][1]
    assert made[2] == ("find_rider_by_email", {"email": "ben@example.com"})
    assert writes(environment) == [("extend_rental", {"rental_id": "L-003", "days": 2})]


def test_a_mistyped_postcode_is_doubted_not_the_number() -> None:
    told = {"email": "ben@example.com", "postcode": "ZZ9"}
    person = Person("…", told, mistyped={"postcode": "BC2"})
    environment, made = run(person, extend(KESTREL))
    assert "postcode" in said(made)[0]
    assert writes(environment) == [("extend_rental", {"rental_id": "L-003", "days": 2})]


def test_an_address_that_stays_unknown_is_not_asked_for_ever() -> None:
    environment, made = run(Person("…", {"email": "nobody@example.com"}), extend(KESTREL))
    assert writes(environment) == []
    assert len(made) < 8 and "?" not in said(made)[-1]


def test_a_mistyped_number_of_a_rental_is_doubted() -> None:
    environment, made = run(Numbers("L-999", "L-003"), extend({"missing": "rental_id"}, 1))
    assert "typo" in said(made)[1]
    assert writes(environment) == [("extend_rental", {"rental_id": "L-003", "days": 1})]


def test_a_number_that_stays_wrong_is_given_up() -> None:
    environment, made = run(Numbers("L-999", "L-998"), extend({"missing": "rental_id"}, 1))
    assert writes(environment) == []
    assert "can't find the rental" in said(made)[-1]


class Numbers(Person):
    """Tells these numbers of rentals, one after the other, when asked."""

    def __init__(self, *numbers: str) -> None:
        super().__init__("…", BEN)
        self.numbers = list(numbers)

    def reply(self, text: str) -> Turn | None:
        if "?" not in text:
            return None
        value = row("Rental", id=self.numbers.pop(0))
        return Turn("It's this.", (Event("revealed", {"fact": "rental_id", "value": value}),))


def test_a_protest_changes_nothing_and_hears_the_reason_again() -> None:
    person = Person("…", CLEO, later=[("Oh come on!", [{"insist": True}])])
    environment, made = run(person, extend(row("Rental", bike__model="Wren")))
    first, second = said(made)
    assert "extended before" in first and "extended before" in second and first != second
    assert writes(environment) == []
    assert tools(made)[-2:] == ["say", "say"]


def test_a_protest_at_nothing_is_answered_politely() -> None:
    person = Person("…", BEN, later=[("Hm!", [{"insist": True}])])
    _, made = run(person, {"ask": {"attribute": {**KESTREL, "column": "due_on"}}})
    assert "nothing else" in said(made)[-1]


def test_a_concern_is_handed_over_once_identified_and_confirmed() -> None:
    call = ("call_manager", {"rider_id": "R-001", "reason": "disputed_charge"})
    person = Person("It wasn't me!", ADA, wishes={"disputed charge": call})
    concern = {"concern": "disputed_charge", "row": row("Charge", reason="cleaning")["row"]}
    environment, made = run(person, concern)
    assert writes(environment) == [call]
    assert "list_rider_charges" in tools(made)
    assert tools(made)[-3:] == ["say", "call_manager", "say"]


@pytest.fixture
def without_extending() -> Any:
    class Later(Wrapper):
        """Lists one tool from the second turn on."""

        def tools(self) -> Any:
            turned = any(isinstance(e, Event) and e.kind == "turn" for e in self.log)
            return [t for t in super().tools() if turned or t.name != "extend_rental"]

    return Later(desk())


def test_a_missing_tool_is_named_and_used_when_it_appears(without_extending: Any) -> None:
    person = Person("…", BEN, later=[("Does it work now?", [extend(KESTREL)])])
    made = talk(without_extending, Expert(BIKES, "seed"), person, [extend(KESTREL)])
    assert tools(made)[0] == "say" and "extend" in said(made)[0] and "Kestrel" in said(made)[0]
    assert writes(without_extending) == [("extend_rental", {"rental_id": "L-003", "days": 2})]


def test_a_wish_that_had_to_wait_is_met_when_nothing_else_is_asked(without_extending: Any) -> None:
    person = Person("…", BEN, later=[("Could you try again?", [])])
    talk(without_extending, Expert(BIKES, "seed"), person, [extend(KESTREL)])
    assert writes(without_extending) == [("extend_rental", {"rental_id": "L-003", "days": 2})]


def test_what_could_not_be_done_is_what_the_conversation_was_about(without_extending: Any) -> None:
    person = Person("…", BEN, later=[("When is it due, then?", [{"ask": DUE}])])
    made = talk(without_extending, Expert(BIKES, "seed"), person, [extend(KESTREL)])
    assert "June 8" in said(made)[-1]


def test_of_several_each_has_figures_of_its_own() -> None:
    expert = Expert(BIKES, "seed")
    charge = BIKES.entities["Charge"]
    rows = [expert.beliefs.row(charge, key) for key in ("C-001", "C-002")]

    def found(*_: Any) -> Any:
        return rows
        yield

    expert.understanding._every = found  # type: ignore[method-assign]
    wish = Wish(BIKES.tools["pay_charge"], {"charge_id": {"every": {}}})
    with pytest.raises(StopIteration) as stopped:
        next(expert.understanding.spread(wish, True))
    first, second = stopped.value.value
    first.quoted["quote"] = {"amount": 1}
    assert second.quoted == {}


def test_after_taking_something_the_list_is_known_and_not_read_again() -> None:
    count = {"count": {"entity": "Rental", "where": {"status": "open"}, "mine": True}}
    person = Person("…", DORA, later=[("How many do I have now?", [{"ask": count}])])
    _, made = run(person, take(WREN, "Dora Quist"))
    assert tools(made).count("list_rider_rentals") == 1
    assert "two open rentals" in said(made)[-1]


def test_a_missing_tool_is_handed_over_where_the_policy_says_so(
    without_extending: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BIKES, "without_tool", "out_of_order")
    call = ("call_manager", {"rider_id": "R-002", "reason": "out_of_order"})
    person = Person("…", BEN, wishes={"out of order": call})
    made = talk(without_extending, Expert(BIKES, "seed"), person, [extend(KESTREL)])
    assert writes(without_extending) == [call]
    assert "extend" in said(made)[-1]


def test_a_missing_tool_makes_way_for_the_fallback(without_extending: Any) -> None:
    yes = {"Kestrel": ("return_bike", {"rental_id": "L-003"})}
    wish = extend(KESTREL, **{"else": [give_back(ref("Rental", "last"))]})
    made = talk(without_extending, Expert(BIKES, "seed"), Person("…", BEN, wishes=yes), [wish])
    assert writes(without_extending) == [("return_bike", {"rental_id": "L-003"})]
    assert "extend" in said(made)[-1]


def test_beside_a_missing_tool_the_rest_is_done(without_extending: Any) -> None:
    asked = {"ask": {"attribute": {**KESTREL, "column": "due_on"}}}
    made = talk(
        without_extending, Expert(BIKES, "seed"), Person("…", BEN), [extend(KESTREL), asked]
    )
    assert "June 8" in said(made)[-1] and "extend" in said(made)[-1]


class Conversation(Person):
    """A whole one: a typo, a declined payment, a corrected one, then further turns."""

    def __init__(self) -> None:
        lock = ("pay_charge", {"charge_id": "C-002"})
        puncture = ("pay_charge", {"charge_id": "C-001"})
        super().__init__(
            "Hello, I'd like to settle something.",
            {"email": "aad@example.com"},
            wishes={"lost lock": lock, "Heron": ("return_bike", {"rental_id": "L-002"})},
            declined={"puncture": (puncture, ("charge_id", row("Charge", reason="a lost lock")))},
            mistyped=ADA,
            later=[
                ("When is the first one due?", [{"ask": FIRST_DUE}]),
                ("A week more for it, please.", [extend(ref("Rental", "last"), 7)]),
                ("Take the other one back.", [give_back(HERON_9)]),
            ],
        )  # fmt: skip


def test_a_whole_conversation() -> None:
    environment, made = run(Conversation(), pay(row("Charge", reason="a puncture")))
    assert writes(environment) == [
        ("pay_charge", {"charge_id": "C-002"}),
        ("extend_rental", {"rental_id": "L-001", "days": 7}),
        ("return_bike", {"rental_id": "L-002"}),
    ]
    closings = [text for text in said(made) if "?" not in text]
    assert len(closings) == 4
    assert "June 8" in closings[1] and "June 15" in closings[2]
    talked = [e for e in environment.log if isinstance(e, Message)]
    assert talked[-1].role == "assistant"


def test_behind_json_the_whole_conversation_is_the_same() -> None:
    intents = [pay(row("Charge", reason="a puncture"))]
    direct = talk(desk(), Expert(BIKES, "seed"), Conversation(), intents)
    remote = talk(OverTheWire(desk()), Expert(BIKES, "seed"), Conversation(), intents)
    assert remote == direct


def test_what_was_made_is_looked_for_where_it_was_made() -> None:
    """A new line shows in its order; the customer's other orders are left alone."""
    environment = open_environment("order_management")
    world, domain = environment.world, environment.domain
    customer = max(world.all(domain.entities["Customer"]), key=lambda one: len(one.orders))
    environment.act_for(customer.id)
    survey = Survey(environment, random.Random(0))
    tool = domain.tools["add_order_line"]
    added = next(b for b in survey.bindings(tool) if not b.blocked).values
    order = row("Order", id=added["order"].id)
    arguments = {
        "order_id": order,
        "sku": row("Variant", mine=False, id=added["variant"].id),
        "quantity": {"value": added["quantity"]},
    }
    undo = {"do": "remove_order_line", "arguments": {"line_id": ref("OrderLine", "made")}}
    person = Person("…", {"email": customer.email}, later=[("Take it out again.", [undo])])
    made = talk(
        environment,
        Expert(domain, "seed"),
        person,
        [{"do": "add_order_line", "arguments": arguments}],
    )
    assert [tool for tool, _ in made if domain_writes(domain, tool)] == [
        "add_order_line",
        "remove_order_line",
    ]
    opened = {a["order_id"] for name, a in made if name == "get_order_details"}
    assert opened == {added["order"].id}
    assert len(customer.orders) > 5
    environment.close()


def domain_writes(domain: Domain, tool: str) -> bool:
    """Whether a step is a write."""
    return tool in domain.tools and domain.tools[tool].kind == "write"
