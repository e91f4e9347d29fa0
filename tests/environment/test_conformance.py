"""The conformance kit passes what conforms, and finds each of many ways to be broken."""

import itertools
from dataclasses import replace

import pytest

from davinci_env.environment import (
    DomainEnvironment,
    ToolResult,
    WithoutTools,
    Wrapper,
    check_environment,
    open_environment,
)
from davinci_env.environment.probing import bad_calls, good_calls
from tests.support.opened import opened
from tests.support.shed import DIALECTS

SHIPPED = ["library_lending", "order_management", "clinic_appointments"]


@pytest.mark.parametrize("access", ["staff", "self_service"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_domains_conform_in_every_dialect(dialect, access):
    assert check_environment(lambda: opened(dialect, access)) == []


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_domains_conform(name):
    assert check_environment(lambda: open_environment(name)) == []


def test_wrappers_conform():
    assert check_environment(lambda: Wrapper(opened())) == []
    hidden = frozenset({"pay", "get_member"})
    assert check_environment(lambda: WithoutTools(Wrapper(opened()), hidden)) == []


def test_forks_and_parked_environments_conform():
    def parked():
        env = opened()
        image, domain = env.world.image, env.domain
        return DomainEnvironment.resume(domain, image, env.park())

    assert check_environment(parked) == []
    assert check_environment(lambda: opened().fork()) == []


def test_calls_are_found_without_being_told():
    env = opened()
    found = good_calls(env)
    assert env.capture().diff == []
    assert {"get_member", "borrow", "pay", "give_back", "place_hold"} <= {name for name, _ in found}
    for call in found:
        env.reset()
        assert env.call(*call).ok, call


def test_bad_calls_are_bad():
    env = opened()
    for tool in env.tools():
        for problem, arguments in bad_calls(tool):
            assert env.call(tool.name, arguments).code == "invalid_arguments", (tool.name, problem)


# -- broken in one way each ------------------------------------------------------------------------


class KeepsItsLog(Wrapper):
    def reset(self):
        kept = list(self.log)
        super().reset()
        self.log.entries.extend(kept)


class NeverResets(Wrapper):
    def reset(self):
        self.log.entries.clear()


class ListsInTurn(Wrapper):
    turn = itertools.count()

    def tools(self):
        tools = self.environment.tools()
        return tools[::-1] if next(self.turn) % 2 else tools


class GivesItsOwnList(Wrapper):
    def __init__(self, environment):
        super().__init__(environment)
        self.listed = environment.tools()

    def tools(self):
        return self.listed


class NamesAToolReset(Wrapper):
    def tools(self):
        return [replace(t, name="reset") if t.name == "queue" else t for t in super().tools()]


class AnswersWithLists(Wrapper):
    def tools(self):
        return [replace(t, output_schema={"type": "array"}) for t in super().tools()]


class HintsLess(Wrapper):
    def tools(self):
        return [replace(t, annotations={"readOnlyHint": True}) for t in super().tools()]


class RaisesForTheUnknown(Wrapper):
    def call(self, tool, arguments):
        if tool not in {t.name for t in self.tools()}:
            raise KeyError(tool)
        return super().call(tool, arguments)


class NamesTheUnknownOtherwise(Wrapper):
    def call(self, tool, arguments):
        result = super().call(tool, arguments)
        return replace(result, code="not_found") if result.code == "unknown_tool" else result


class RaisesForBadArguments(Wrapper):
    def call(self, tool, arguments):
        if None in arguments.values():
            raise TypeError("null")
        return super().call(tool, arguments)


class ForgivesSurplus(Wrapper):
    def call(self, tool, arguments):
        kept = {k: v for k, v in arguments.items() if not k.startswith("surplus")}
        return super().call(tool, kept)


class ChangesWhenRefusing(Wrapper):
    def call(self, tool, arguments):
        result = super().call(tool, arguments)
        if result.code == "invalid_arguments":
            row = self.environment.row("members", "M-0001")
            row.balance += 1
            self.environment.world.accept()
        return result


class ReadsAndWrites(Wrapper):
    def call(self, tool, arguments):
        result = super().call(tool, arguments)
        if tool == "get_member":
            self.environment.row("members", "M-0001").balance += 1
            self.environment.world.accept()
        return result


class SaysOtherwise(Wrapper):
    def call(self, tool, arguments):
        return Otherwise(super().call(tool, arguments))


class Otherwise:
    def __init__(self, result):
        self.result = result
        self.text = '{"other": 1}'

    def __getattr__(self, name):
        return getattr(self.result, name)


class RefusesWithoutACode(Wrapper):
    def call(self, tool, arguments):
        result = super().call(tool, arguments)
        return result if result.ok else ToolResult(False, None, None, "no")


class SpeaksPython(Wrapper):
    def call(self, tool, arguments):
        result = super().call(tool, arguments)
        return replace(result, data={**result.data, "x": {1, 2}}) if result.ok else result


class LeavesOutAField(Wrapper):
    def call(self, tool, arguments):
        result = super().call(tool, arguments)
        if result.ok and tool == "account":
            return replace(result, data={"member": 1})
        return result


class RestoresNothing(Wrapper):
    def restore(self, snapshot):
        pass


class RestoresRowsOnly(Wrapper):
    def restore(self, snapshot):
        self.environment.world.rollback(snapshot.mark)


class RestoresForever(Wrapper):
    def restore(self, snapshot):
        try:
            super().restore(snapshot)
        except Exception:
            self.environment.reset()


class ObservesInFront(Wrapper):
    def observe(self, entry):
        self.log.entries.insert(0, entry)


class ForgetsCalls(Wrapper):
    def call(self, tool, arguments):
        result = super().call(tool, arguments)
        self.log.entries.pop()
        return result


class CountsAcrossInstances(Wrapper):
    calls = itertools.count()

    def call(self, tool, arguments):
        result = super().call(tool, arguments)
        return replace(result, data={**result.data, "n": next(self.calls)}) if result.ok else result


class HashesByChance(Wrapper):
    calls = itertools.count()

    def capture(self):
        return replace(super().capture(), state_hash=str(next(self.calls)))


class HashesNothing(Wrapper):
    def capture(self):
        return replace(super().capture(), state_hash="0")


class CapturesWithATrace(Wrapper):
    def capture(self):
        self.environment.call("queue", {})
        return super().capture()


class RenamesItself(Wrapper):
    @property
    def metadata(self):
        return replace(self.environment.metadata, version=len(self.log))


class ClosesOnce(Wrapper):
    closed = False

    def close(self):
        if self.closed:
            raise RuntimeError("closed already")
        self.closed = True
        super().close()


class ChangesArguments(Wrapper):
    def call(self, tool, arguments):
        result = super().call(tool, dict(arguments))
        arguments["seen"] = True
        return result


BROKEN = {
    KeepsItsLog: "reset",
    NeverResets: "reset",
    ListsInTurn: "listing",
    GivesItsOwnList: "listing",
    NamesAToolReset: "listing",
    AnswersWithLists: "listing",
    HintsLess: "listing",
    RaisesForTheUnknown: "unknown tool",
    NamesTheUnknownOtherwise: "unknown tool",
    RaisesForBadArguments: "refusals",
    ForgivesSurplus: "refusals",
    ChangesWhenRefusing: "refusals",
    ReadsAndWrites: "reads",
    SaysOtherwise: "results",
    RefusesWithoutACode: "refusals",
    SpeaksPython: "results",
    LeavesOutAField: "results",
    RestoresNothing: "snapshots",
    RestoresRowsOnly: "snapshots",
    RestoresForever: "snapshots",
    ObservesInFront: "log",
    ForgetsCalls: "log",
    CountsAcrossInstances: "deterministic",
    HashesByChance: "capture",
    HashesNothing: "capture",
    CapturesWithATrace: "capture",
    RenamesItself: "metadata",
    ClosesOnce: "close",
    ChangesArguments: "results",
}
CALLS = [
    ("get_member", {"member_id": "M-0002"}),
    ("account", {"member_id": "M-0004"}),
    ("pay", {"member_id": "M-0003", "amount": 100}),
    ("give_back", {"loan_id": "#00100"}),
    ("place_hold", {"member_id": "M-0001", "item_id": "it_ac5b2b"}),
]


@pytest.mark.parametrize(
    ("broken", "check"), BROKEN.items(), ids=lambda v: getattr(v, "__name__", v)
)
def test_what_is_broken_is_found(broken, check):
    findings = check_environment(lambda: broken(opened()), CALLS)
    assert check in {finding.check for finding in findings}, findings


def test_the_calls_given_do_succeed_and_conform():
    assert check_environment(opened, CALLS) == []


def test_an_environment_that_can_t_be_opened_is_one_finding():
    def fail():
        raise OSError("no disk")

    (finding,) = check_environment(fail)
    assert finding.check == "open"
    assert "no disk" in finding.text
