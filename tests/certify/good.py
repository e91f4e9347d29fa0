"""Good tasks made by hand, to be spoilt one claim at a time."""

from collections.abc import Sequence
from typing import Any

from davinci_env.environment import DomainEnvironment
from davinci_env.records import (
    Call,
    LookedUpCheck,
    Request,
    Requirement,
    RuleNamedCheck,
    Say,
    Slot,
    SlotsCheck,
    Source,
    Task,
)
from davinci_env.state import Change
from davinci_env.tasks.requirements import state_requirement
from tests.support.toy_desk import (
    ADA,
    answer,
    call,
    desk,
    frame,
    play,
    policy,
    request_of,
    task_of,
    toy_domain,
    trace,
)

FIND = call("find_person_by_email", email="ada@example.com")
RENTALS = call("list_person_rentals", person_id="P-01")
EXTEND = call("extend_rental", rental_id="R-01", until="2026-03-27")
DONE = Say(say="Done, the kite is due on March 27, 2026.")
TEXT = "Hello. My e-mail is ada@example.com. I'd like to keep the kite until March 27, 2026."
BILLS = call("list_person_bills", person_id="P-01")
ASKING = "Hi. My e-mail is ada@example.com. How much are my open bills in all?"
TOLD = Say(say="The total amount of your open bills is $3.50.")
KITE = {"entity": "Rental", "fields": {"toy.name": "kite"}, "id": None, "mine": True}


def changed(environment: DomainEnvironment, *steps: Call) -> list[Change]:
    """What calls change, tried and taken back."""
    start = environment.snapshot()
    play(environment, ADA, *steps)
    changes = environment.world.changes()
    environment.restore(start)
    environment.release(start)
    return changes


def state_of(*steps: Call) -> Requirement:
    """The state requirement that the generator makes of calls."""
    environment = desk()
    requirement = state_requirement(environment, changed(environment, *steps))
    environment.close()
    return requirement


def act_request(text: str = TEXT, until: Any = "2026-03-27", row: Any = None) -> Request:
    """The wish to keep the kite until the 27th."""
    wish = {
        "tool": "extend_rental",
        "arguments": dict(EXTEND.arguments),
        "mentions": [["R-01", "the rental of the kite"], ["March 27, 2026"]],
    }
    return request_of(
        text,
        facts={"email": "ada@example.com"},
        intents=[
            {
                "do": "extend_rental",
                "arguments": {"rental_id": {"row": row or KITE}, "until": {"value": until}},
            }
        ],
        plan=[{"wish": wish}],
    )


def act_task(
    *requirements: Requirement,
    solution: Sequence[Call | Say] = (FIND, RENTALS, EXTEND, DONE),
    request: Request | None = None,
    goals: Sequence[Sequence[Call]] = ((EXTEND,),),
) -> Task:
    """Extend R-01 until the 27th; by default with everything that it needs."""
    environment = desk()
    task = task_of(
        environment, *(requirements or (state_of(EXTEND), frame(), policy())), goals=goals,
        solution=solution, request=request or act_request(),
    )  # fmt: skip
    environment.close()
    return task


OWED = Slot(
    name="Bill", type="money",
    expected=Source(over="goal", query="SELECT sum(amount) FROM bills WHERE person_id = 'P-01'"),
    decoys=Source(over="ref", query="SELECT amount FROM bills WHERE person_id = 'P-01'"),
    cues=("amount", "open bills"),
)  # fmt: skip


def ask_task(
    *requirements: Requirement,
    solution: Sequence[Call | Say] = (FIND, BILLS, TOLD),
    text: str = ASKING,
) -> Task:
    """Ask what B-01 (150 cents) and B-02 (200 cents) come to."""
    environment = desk()
    looked_up = trace(
        LookedUpCheck(must="looked_up", rows=(("bills", "B-01"), ("bills", "B-02"))), "looked_up"
    )
    request = request_of(
        text,
        facts={"email": "ada@example.com"},
        intents=[
            {"ask": {"sum": {"entity": "Bill", "column": "amount", "where": {}, "mine": True}}}
        ],
    )
    wanted = (answer(SlotsCheck(slots=(OWED,))), looked_up, frame("nothing"), policy())
    task = task_of(
        environment, *(requirements or wanted), kind="ask", solution=solution, request=request
    )
    environment.close()
    return task


def deny_task() -> Task:
    """R-02 was extended twice already."""
    denied = call("extend_rental", rental_id="R-02", until="2026-03-30")
    rule = toy_domain().rules["extensions_left"]
    looked_up = trace(
        LookedUpCheck(
            must="looked_up", rows=(("rentals", "R-02"),), or_refused="extensions_left",
            refused=call("extend_rental", rental_id="R-02"),
        ), "looked_up",
    )  # fmt: skip
    row = {"entity": "Rental", "fields": {"toy.name": "drum"}, "id": None, "mine": True}
    text = "Hi, ada@example.com here. I want to keep the drum until March 30, 2026."
    request = act_request(text, "2026-03-30", row)
    wish = {"tool": denied.tool, "arguments": dict(denied.arguments), "mentions": [["drum"]]}
    request = request.model_copy(
        update={"user": request.user.model_copy(update={"plan": ({"wish": wish},)})}
    )
    said = "I'm sorry, I can't extend the rental of the drum: it can be extended at most 2 times."
    environment = desk()
    task = task_of(
        environment, answer(RuleNamedCheck(rule=rule.code, concepts=rule.concepts), "rule"),
        looked_up, frame("nothing"), policy(), kind="deny", request=request,
        solution=[FIND, RENTALS, Say(say=said)],
    )  # fmt: skip
    environment.close()
    return task
