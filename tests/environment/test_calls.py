"""Calls: what is refused, what is undone, and what an agent gets to see of it."""

from datetime import date
from typing import Any, TypedDict

import orjson
import pytest

from davinci_env.domain import Domain, Mapped, ToolError, column, creates, ref, sets
from davinci_env.environment import DomainEnvironment, Event
from tests.support.opened import opened
from tests.support.oracle import dump, stale
from tests.support.shed import TODAY, shed


@pytest.fixture
def env():
    env = opened()
    yield env
    env.close()


def test_a_successful_write(env):
    result = env.call("pay", {"member_id": "M-0003", "amount": 150})
    assert result.ok
    assert result.data["balance"] == 250
    assert result.seen == (("members", "M-0003"),)
    assert result.content is result.data
    assert orjson.loads(result.text) == result.data
    assert env.capture().diff == [["members", "M-0003", "~", {"balance": [400, 250]}]]


def test_a_refusal_says_code_and_message(env):
    before = env.capture()
    result = env.call("renew_loan", {"loan_id": "#00121", "until": "2026-01-01"})
    assert not result.ok
    assert (result.code, result.message) == (
        "too_early",
        "The new day must be later than the old one.",
    )
    assert result.content == {"error": {"code": "too_early", "message": result.message}}
    assert result.data is None
    assert env.capture() == before


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "message"),
    [
        ("get_member", {"member_id": "M-9999"}, "member_not_found", "No member has the ID M-9999."),
        ("queue", {"item_id": "'; DROP TABLE loans; --"}, "item_not_found",
         "No item has the ID '; DROP TABLE loans; --."),
        ("find_member_by_email", {"email": "x"}, "member_not_found", "No member has the ID x."),
        ("borrow", {"member_id": "M-0001", "item_id": "{out}"}, "item_not_shelved",
         "The item is out; this needs it to be shelved."),
        ("borrow", {"member_id": "M-0006", "item_id": "{in}"}, "member_active",
         "Only an active member may borrow."),
        ("renew_loan", {"loan_id": "{renewed}", "until": "2027-01-01"}, "renewals_left",
         "A loan may be renewed at most 2 times."),
        ("pay", {"member_id": "M-0001", "amount": 5}, "too_much", "That is more than is owed."),
        ("change_email", {"member_id": "M-0001", "email": "{email}"}, "taken",
         "Another member has this address."),
        ("move_items", {"item_ids": ["it_none"], "slug": "wood"}, "item_not_found",
         "No item has the ID it_none."),
        ("no_such_tool", {}, "unknown_tool", "There is no tool called no_such_tool."),
        ("reset", {}, "unknown_tool", "There is no tool called reset."),
        ("", {}, "unknown_tool", "There is no tool called ."),
    ],
)  # fmt: skip
def test_every_kind_of_refusal_leaves_the_state_unchanged(env, tool, arguments, code, message):
    made = shed()
    out = next(i for i in env.world.all(made.Item) if i.status == "out")
    shelved = next(i for i in env.world.all(made.Item) if i.status == "shelved")
    renewed = next(x for x in env.world.all(made.Loan) if x.renewals == 2 and x.status == "open")
    places = {
        "{out}": out.id, "{in}": shelved.id, "{renewed}": renewed.id,
        "{email}": env.row("members", "M-0002").email,
    }  # fmt: skip
    arguments = {k: places.get(v, v) if isinstance(v, str) else v for k, v in arguments.items()}
    rows, outcome, ids = dump(env.world), env.capture(), dict(env.world.counters)
    result = env.call(tool, arguments)
    assert (result.ok, result.code, result.message) == (False, code, message)
    assert (dump(env.world), env.capture(), env.world.counters) == (rows, outcome, ids)
    assert stale(env.world) == []
    (entry,) = env.log.calls()
    assert (entry.ok, entry.code, entry.violated) == (False, code, ())


def test_lifecycles_come_before_rules_and_rules_in_their_order(env):
    made = shed()
    out = next(i for i in env.world.all(made.Item) if i.status == "out")
    assert env.call("borrow", {"member_id": "M-0006", "item_id": out.id}).code == "item_not_shelved"
    assert env.call("borrow", {"member_id": "M-9999", "item_id": out.id}).code == "member_not_found"


@pytest.mark.parametrize("tool", [None, 7, ["pay"], {"pay": 1}, "\ud800", "x" * 10_000, "pay\0"])
def test_what_is_no_tool_name_is_an_unknown_tool(env, tool):
    result = env.call(tool, {})
    assert result.code == "unknown_tool"
    assert len(result.text) < 500
    assert env.capture().diff == []


@pytest.mark.parametrize("arguments", [None, [], "x", 3, {1: 2}, {"member_id": float("nan")}])
def test_what_are_no_arguments_are_invalid(env, arguments):
    result = env.call("get_member", arguments)
    assert result.code == "invalid_arguments"
    orjson.loads(result.text)


def test_arguments_are_kept_as_they_were_when_called(env):
    arguments = {"member_id": "M-0003", "amount": 150}
    env.call("pay", arguments)
    arguments["amount"] = 1
    (entry,) = env.log.calls()
    assert entry.arguments == {"member_id": "M-0003", "amount": 150}


def test_agent_rules_are_recorded_and_not_enforced(env):
    made = shed()
    item = next(i for i in env.world.all(made.Item) if i.status == "shelved")
    arguments = {"member_id": "M-0001", "item_id": item.id}
    start = env.snapshot()
    assert env.call("borrow", arguments).violated == ("identified", "confirmed")
    env.restore(start)
    env.observe(Event("revealed", {"fact": "email", "value": env.row("members", "M-0001").email}))
    env.observe(Event("confirmed", {"tool": "borrow", "arguments": arguments}))
    result = env.call("borrow", arguments)
    assert (result.ok, result.violated) == (True, ())
    assert env.capture().violated == ()
    env.restore(start)
    env.call("borrow", arguments)
    assert env.capture().violated == ("identified", "confirmed")


def test_changes_are_recorded_where_wanted():
    env = opened(record_changes=True)
    env.call("pay", {"member_id": "M-0003", "amount": 150})
    env.call("pay", {"member_id": "M-0003", "amount": 50})
    env.call("get_member", {"member_id": "M-0003"})
    first, second, third = env.log.calls()
    assert first.changes == (["members", "M-0003", "~", {"balance": [400, 250]}],)
    assert second.changes == (["members", "M-0003", "~", {"balance": [250, 200]}],)
    assert third.changes == ()
    assert [entry.writes for entry in env.log.calls()] == [True, True, False]


def test_times_come_from_the_world(env):
    made = shed()
    item = next(i for i in env.world.all(made.Item) if i.status == "shelved")
    data = env.call("borrow", {"member_id": "M-0001", "item_id": item.id, "days": 3}).data
    assert (data["due_on"], data["taken_at"]) == ("2026-03-19", "2026-03-16T09:30")


# -- defects of a domain ---------------------------------------------------------------------------


class Odd(TypedDict):
    size: int


def faulty() -> Domain:
    """A domain whose tools misbehave, each in its own way."""
    domain = Domain("faulty", version=1, category="x", today=TODAY, role="clerk")

    class Person(domain.Entity, identity=True):
        """Somebody."""

        email: Mapped[str] = column(unique=True)
        size: Mapped[int] = column(0, ge=0, le=9)
        born_on: Mapped[date] = column(date(2000, 1, 1))

    class Thing(domain.Entity):
        """Something."""

        person: Mapped[Person] = ref(owner=True)

    def tool(returns: Any = Person, requires: Any = (), kind: str = "write") -> Any:
        def declare(body: Any) -> Any:
            body.__annotations__ = {"person": Person, "return": returns}
            body.__doc__ = f"{body.__name__}."
            if kind == "read":
                return domain.read(requires=requires)(body)
            return domain.write(
                requires=requires, changes=[sets("person", Person.size), creates(Thing)]
            )(body)

        return declare

    @tool()
    def divides(db, person):
        person.size = 5
        db.create(Thing, person=person)
        return 1 / 0

    @tool()
    def misspells(db, person):
        person.size = 5
        person.sise = 6
        return person

    @tool()
    def overflows(db, person):
        person.size = 10
        return person

    @tool()
    def repeats_an_address(db, person):
        person.email = next(p.email for p in db.all(Person) if p is not person)
        return person

    @tool()
    def orphans(db, person):
        db.create(Thing, person=person)
        db.delete(person)
        return person

    @tool()
    def deletes_and_uses(db, person):
        thing = db.create(Thing, person=person)
        db.delete(thing)
        thing.person = person
        return person

    @tool()
    def returns_nothing(db, person):
        person.size = 5

    @tool(returns=list[Person])
    def returns_no_list(db, person):
        person.size = 5
        return person

    @tool(returns=Odd)
    def leaves_out_a_field(db, person):
        person.size = 5
        return {"length": 1}

    @tool(kind="read")
    def reads_and_writes(db, person):
        person.size = 5
        return person

    @tool(kind="read")
    def reads_and_counts(db, person):
        db.delete(db.create(Thing, person=person))
        return person

    @tool()
    def recurses(db, person):
        person.size = 5
        return recurses(db, person)

    @tool()
    def writes_surrogates(db, person):
        person.email = "\ud800"
        return person

    @tool()
    def refuses_undeclared(db, person):
        person.size = 5
        raise ToolError("made_up")

    @domain.rule
    def meddles(person: Person) -> bool:
        """Meddle."""
        person.size = 7
        return True

    @domain.rule
    def meddles_and_refuses(person: Person) -> bool:
        """Meddle, then refuse."""
        person.size = 7
        return False

    @domain.rule(by="agent")
    def fails(person: Person) -> bool:
        """Fail."""
        raise KeyError("secret of the house")

    @tool(requires=[meddles])
    def has_a_meddling_rule(db, person):
        return person

    @tool(requires=[meddles_and_refuses])
    def has_a_meddling_refusal(db, person):
        return person

    @tool(requires=[fails])
    def has_a_failing_rule(db, person):
        return person

    @domain.seed
    def seed(w):
        for name in "ab":
            w.add(Person, email=f"{name}@example.com")

    return domain


FAULTY = faulty()
DEFECTS = sorted(
    name for name in FAULTY.tools if name not in ("refuses_undeclared", "has_a_meddling_refusal")
)


@pytest.mark.parametrize("tool", DEFECTS)
def test_a_defect_is_undone_reported_and_kept_from_the_agent(tool):
    env = DomainEnvironment(FAULTY, FAULTY.build())
    rows, outcome, ids = dump(env.world), env.capture(), dict(env.world.counters)
    result = env.call(tool, {"person_id": "PER-00001"})
    assert (result.ok, result.code) == (False, "internal_error")
    assert (
        result.text
        == orjson.dumps(
            {"error": {"code": "internal_error", "message": f"{tool} failed unexpectedly."}}
        ).decode()
    )
    assert result.details["error"]
    assert (dump(env.world), env.capture(), env.world.counters) == (rows, outcome, ids)
    assert stale(env.world) == []
    assert env.call("divides", {"person_id": "PER-00002"}).code == "internal_error"
    env.close()


@pytest.mark.parametrize(
    ("tool", "code"),
    [("refuses_undeclared", "made_up"), ("has_a_meddling_refusal", "meddles_and_refuses")],
)
def test_a_refusal_is_undone_too(tool, code):
    env = DomainEnvironment(FAULTY, FAULTY.build())
    assert env.call(tool, {"person_id": "PER-00001"}).code == code
    assert env.capture().diff == []
    assert env.row("persons", "PER-00001").size == 0
    env.close()


def test_what_went_wrong_is_told_to_the_audit():
    env = DomainEnvironment(FAULTY, FAULTY.build())

    def details(tool):
        return env.call(tool, {"person_id": "PER-00001"}).details["error"]

    assert details("divides") == "ZeroDivisionError: division by zero"
    assert details("repeats_an_address").startswith("integrity: UNIQUE")
    assert details("orphans").startswith("integrity: FOREIGN KEY")
    assert "changed records" in details("reads_and_writes")
    assert "rule of has_a_meddling_rule changed records" in details("has_a_meddling_rule")
    assert "secret" in details("has_a_failing_rule")
    env.close()
