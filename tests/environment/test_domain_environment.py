"""The environment of a domain: actors, snapshots with the log, forks, parking, start states,
specifications.
"""

from datetime import timedelta

import pytest

from davinci_env.environment import (
    CallEntry,
    DomainEnvironment,
    Environment,
    Message,
    WithoutTools,
    Wrapper,
    open_environment,
)
from davinci_env.errors import ToolError, UnknownDomain, UsageError
from tests.support.opened import opened
from tests.support.oracle import dump
from tests.support.shed import shed

PAY = ("pay", {"member_id": "M-0003", "amount": 100})


@pytest.fixture
def env():
    env = opened()
    yield env
    env.close()


def balance(env):
    return env.row("members", "M-0003").balance


def test_it_is_an_environment(env):
    assert isinstance(env, Environment)
    assert isinstance(Wrapper(env), Environment)


def test_metadata_say_what_it_is(env):
    data = env.metadata
    assert (data.name, data.kind, data.version, data.access) == ("tool_shed", "domain", 1, "staff")
    assert (data.seed, data.scale, data.actor, data.benchmark) == (0, 1.0, None, None)
    assert data.policy == env.domain.policy()
    assert data.content_hash == env.domain.content_hash


def test_actors_are_people_who_exist():
    assert opened(actor="M-0002").metadata.actor == "M-0002"
    with pytest.raises(UsageError, match="no member with the ID 'M-9999'"):
        opened(actor="M-9999")
    mine = opened("plain", "self_service")
    assert mine.metadata.actor == "M-0001"
    mine.act_for("M-0004")
    assert mine.metadata.actor == "M-0004"
    assert mine.call("account", {}).data["member"]["member_id"] == "M-0004"
    assert mine.world.db.actor.id == "M-0004"
    with pytest.raises(UsageError):
        mine.act_for("nobody")
    assert mine.metadata.actor == "M-0004"


def test_snapshots_bring_back_state_log_clock_and_ids(env):
    env.call(*PAY)
    env.observe(Message("user", "hello"))
    start, entries = env.snapshot(), list(env.log)
    made = env.call("place_hold", {"member_id": "M-0001", "item_id": "it_ac5b2b"}).data
    env.world.advance(timedelta(hours=3))
    env.observe(Message("assistant", "done"))
    env.restore(start)
    assert list(env.log) == entries
    assert balance(env) == 300
    assert env.world.db.now == shed().domain.now
    again = env.call("place_hold", {"member_id": "M-0001", "item_id": "it_ac5b2b"}).data
    assert again == made


def test_snapshots_are_last_in_first_out(env):
    one = env.snapshot()
    env.call(*PAY)
    two = env.snapshot()
    env.restore(one)
    with pytest.raises(UsageError, match="gone"):
        env.restore(two)
    env.call(*PAY)
    three = env.snapshot()
    env.reset()
    for snapshot in (one, two, three):
        with pytest.raises(UsageError):
            env.restore(snapshot)


def test_a_released_snapshot_keeps_what_happened(env):
    outer = env.snapshot()
    inner = env.snapshot()
    env.call(*PAY)
    env.release(inner)
    assert balance(env) == 300
    with pytest.raises(UsageError):
        env.restore(inner)
    env.restore(outer)
    assert balance(env) == 400


def test_reset_returns_to_the_start(env):
    rows = dump(env.world)
    env.call(*PAY)
    env.reset()
    assert dump(env.world) == rows
    assert len(env.log) == 0
    env.reset()
    assert env.capture().diff == []


def test_forks_have_state_and_log_and_are_independent(env):
    env.call(*PAY)
    twin = env.fork()
    assert twin.capture() == env.capture()
    assert list(twin.log) == list(env.log)
    twin.call(*PAY)
    assert (balance(env), balance(twin)) == (300, 200)
    assert len(env.log) == 1
    env.call("pay", {"member_id": "M-0003", "amount": 1})
    assert (balance(env), balance(twin)) == (299, 200)
    twin.reset()
    assert balance(twin) == 400
    twin.close()


def test_parked_environments_come_back_with_state_and_their_log():
    env = opened("plain", "self_service", actor="M-0003", seed=2, scale=1.5, record_changes=True)
    env.call("pay", {"amount": 10})
    outcome, image, log, data = env.capture(), env.world.image, env.log, env.metadata
    parked = env.park()
    assert len(parked) < 500
    back = DomainEnvironment.resume(env.domain, image, parked, log)
    assert back.capture() == outcome
    assert back.metadata == data
    assert back.record_changes
    assert list(back.log) == list(log)
    back.reset()
    assert back.capture().diff == []
    back.close()


def test_another_start_state_is_what_reset_fork_and_resume_return_to(env):
    env.call(*PAY)
    packed = env.pack()
    other = opened()
    other.start_from(packed)
    assert balance(other) == 300
    other.call(*PAY)
    twin = other.fork()
    fresh = other.fresh()
    assert [balance(e) for e in (other, twin, fresh)] == [200, 200, 300]
    assert twin.capture() == other.capture()
    outcome, image = other.capture(), other.world.image
    back = DomainEnvironment.resume(other.domain, image, other.park())
    assert back.capture().state_hash == outcome.state_hash
    for each in (twin, fresh, back):
        each.reset()
        assert balance(each) == 300
        assert [c[3] for c in each.capture().diff] == [{"balance": [400, 300]}]
        each.close()


def test_a_start_state_that_does_not_fit_is_refused(env):
    with pytest.raises(UsageError):
        env.start_from(b"{}")
    assert env.capture().diff == []


def test_bound_arguments_are_rows_with_db_and_log(env):
    bound = env.bind("pay", {"member_id": "M-0003", "amount": 5})
    assert bound["member"] is env.row("members", "M-0003")
    assert bound["amount"] == 5
    assert bound["db"] is env.world.db
    assert not bound["log"].confirmed()
    with pytest.raises(ToolError, match="member_not_found"):
        env.bind("pay", {"member_id": "M-9999", "amount": 5})


def test_specifications(env):
    specs = {tool.name: tool for tool in env.tools()}
    assert list(specs) == list(env.domain.tools)
    assert specs["pay"].annotations == {
        "readOnlyHint": False, "destructiveHint": False, "idempotentHint": False,
        "openWorldHint": False,
    }  # fmt: skip
    assert specs["get_member"].annotations["readOnlyHint"]
    assert specs["get_member"].annotations["idempotentHint"]
    assert specs["cancel_hold"].annotations["destructiveHint"]
    assert specs["renew_loan"].title == "Renew loan"
    assert specs["renew_loan"].description == "Renew an open loan."
    function = specs["pay"].as_function()["function"]
    assert function["parameters"]["required"] == ["member_id", "amount"]


def test_the_log_holds_calls_with_results(env):
    result = env.call(*PAY)
    (entry,) = env.log
    assert isinstance(entry, CallEntry)
    assert entry.result is result
    assert (entry.tool, entry.arguments, entry.ok, entry.writes) == (*PAY, True, True)


def test_opening_by_name():
    env = open_environment("library_lending", seed=3, scale=0.5)
    assert (env.metadata.name, env.metadata.seed, env.metadata.scale) == ("library_lending", 3, 0.5)
    env.close()
    with pytest.raises(UnknownDomain):
        open_environment("libary_lending")


def test_hidden_tools_are_unknown_tools(env):
    inner = env
    env = WithoutTools(inner, frozenset({"pay"}))
    assert "pay" not in [tool.name for tool in env.tools()]
    result = env.call(*PAY)
    assert result.code == "unknown_tool"
    assert "no tool called pay" in result.message
    assert balance(inner) == 400
    assert env.call("get_member", {"member_id": "M-0003"}).ok
    for member in (env.metadata, env.log):
        assert member is not None
