"""Plans: writes that can be done one after the other, and chains that are blocked at first."""

import random
from collections.abc import Callable

import pytest

from davinci_env.domain import Tool
from davinci_env.environment import open_environment
from davinci_env.planning import Binding, Survey, plan_chain, plan_writes
from davinci_env.planning.goals import first_free, forbids_alone
from tests.support.toy_desk import call, confirmed, desk, play, toy_domain

SHIPPED = ("clinic_appointments", "library_lending", "order_management")


def only(*names: str) -> Callable[[Tool], float]:
    return lambda tool: float(tool.name in names)


def anything(tool: Tool) -> float:
    return 1.0


@pytest.mark.parametrize("name", SHIPPED)
def test_a_plan_can_be_carried_out_and_changes_something_each_time(name: str) -> None:
    environment = open_environment(name, seed=31, scale=0.25)
    environment.act_for(environment.world.all(environment.domain.identity)[0].id)
    before = environment.pack()
    lengths = []
    for number in range(8):
        plan = plan_writes(environment, random.Random(number), 3, anything)
        assert environment.pack() == before
        assert plan is not None
        lengths.append(len(plan.steps))
        rows = [row.id for step in plan.steps for row in step.binding.rows]
        assert len(rows) == len(set(rows))  # no two writes of one wish are about the same row
        assert len({step.tool.name for step in plan.steps}) == len(plan.steps)
        start = environment.snapshot()
        for step in plan.steps:
            state = environment.capture().state_hash
            result = environment.call(step.tool.name, step.arguments)
            assert result.ok
            plain = {rule.code for rule in step.tool.requires if rule.kind is None}
            assert plain.isdisjoint(result.violated)
            assert environment.capture().state_hash != state
        environment.restore(start)
        environment.release(start)
    assert max(lengths) == 3
    environment.close()


@pytest.mark.parametrize("name", SHIPPED)
def test_a_chain_is_blocked_before_and_free_after(name: str) -> None:
    environment = open_environment(name, seed=31, scale=0.5)
    found = 0
    for person in environment.world.all(environment.domain.identity)[:6]:
        environment.act_for(person.id)
        before = environment.pack()
        plan = plan_chain(environment, random.Random(3), anything)
        assert environment.pack() == before
        if plan is None:
            continue
        found += 1
        first, second = plan.steps
        rule = environment.domain.rules[plan.chain or ""]
        start = environment.snapshot()
        result = environment.call(second.tool.name, second.arguments)
        broken = rule.code in result.violated
        assert broken if rule.by == "agent" else result.code == rule.code
        environment.restore(start)
        assert environment.call(first.tool.name, first.arguments).ok
        result = environment.call(second.tool.name, second.arguments)
        assert result.ok
        assert rule.code not in result.violated
        environment.restore(start)
        environment.release(start)
    assert found
    environment.close()


def test_a_chain_by_hand() -> None:
    """Cy owes 600 cents; 500 block. Either bill, paid in full, frees the extension of R-06."""
    environment = desk("P-03")
    wanted = only("extend_rental", "pay_bill")
    plans = [plan_chain(environment, random.Random(seed), wanted) for seed in range(12)]
    found = [plan for plan in plans if plan is not None]  # the amount is drawn
    assert found
    for plan in found:
        assert plan.chain == "little_owed"
        first, second = plan.steps
        assert (first.tool.name, second.tool.name) == ("pay_bill", "extend_rental")
        assert first.arguments["bill_id"] in ("B-03", "B-04")
        assert first.arguments["amount"] > 100  # 100 of 600 leave 500, which are still too many
    environment.close()


def test_nothing_wanted_gives_no_plan() -> None:
    environment = desk()
    assert plan_writes(environment, random.Random(0), 2, only()) is None
    environment.close()


def test_no_free_write_gives_no_plan() -> None:
    """Cy owes too much to extend or to borrow."""
    environment = desk("P-03")
    wanted = only("extend_rental", "lend_toy")
    assert plan_writes(environment, random.Random(0), 2, wanted) is None
    tool = toy_domain().tools["extend_rental"]
    assert first_free(Survey(environment, random.Random(0)), tool) is None
    environment.close()


def binding(actor: str, tool: str, code: str, **values: str) -> tuple[Binding, bool]:
    """The first binding of a tool that a code blocks, and whether that is all that blocks it."""
    environment = desk(actor)
    survey = Survey(environment, random.Random(0))
    found = next(
        b
        for b in survey.bindings(toy_domain().tools[tool])
        if b.blocked == (code,)
        and all(getattr(b.values[k], "id", b.values[k]) == v for k, v in values.items())
    )
    before = environment.pack()
    alone = forbids_alone(environment, found, code)
    assert environment.pack() == before
    environment.close()
    return found, alone


def test_what_forbids_alone() -> None:
    assert binding("P-01", "extend_rental", "extensions_left")[1]
    assert binding("P-01", "lend_toy", "no_parcel_under_way")[1]
    assert binding("P-02", "lend_toy", "below_rental_limit")[1]


def test_an_own_rule_besides_leaves_it_open_which_to_name() -> None:
    """Bo has three toys, and now a parcel is under way to him as well: either may be named."""
    environment = desk("P-02")
    play(environment, call("post_toy", person_id="P-02", toy_id="T-07", street="Oak Lane"))
    survey = Survey(environment, random.Random(0))
    found = next(
        b
        for b in survey.bindings(toy_domain().tools["lend_toy"])
        if "below_rental_limit" in b.blocked
    )
    assert not forbids_alone(environment, found, "below_rental_limit")
    environment.close()


def test_a_body_that_refuses_leaves_no_rule_of_the_agents_to_name() -> None:
    """Paying for a bill that is paid is forbidden by its state, whatever the rules say."""
    environment = desk()
    pay = call("pay_bill", bill_id="B-01", amount=150)
    tool = toy_domain().tools["pay_bill"]
    blocked = next(
        b
        for seed in range(20)  # the amount is drawn
        for b in Survey(environment, random.Random(seed)).bindings(tool)
        if b.blocked == ("within_open_amount",)
    )
    play(environment, confirmed(pay), pay)
    play(environment, confirmed(call("pay_bill", bill_id="B-02", amount=200)))
    play(environment, call("pay_bill", bill_id="B-02", amount=200))
    assert not forbids_alone(environment, blocked, "within_open_amount")
    environment.close()
