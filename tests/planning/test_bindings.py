"""Surveys against brute force: what is called free or blocked is so, on the world itself."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from davinci_env.environment import DomainEnvironment, open_environment
from davinci_env.planning import Binding, Survey, plain_arguments, wire_arguments
from tests.support.shed import DIALECTS, make_domain
from tests.support.toy_desk import desk, toy_domain

SHIPPED = ("clinic_appointments", "library_lending", "order_management")
PER_TOOL = 40


def bindings(environment: DomainEnvironment, seed: int) -> Iterator[Binding]:
    """Some bindings of every write, for the first people of a world."""
    for person in environment.world.all(environment.domain.identity)[:3]:
        environment.act_for(person.id)
        survey = Survey(environment, random.Random(seed))
        for tool in survey.writes():
            for number, binding in enumerate(survey.bindings(tool)):
                if number == PER_TOOL:
                    break
                yield binding


def tried(environment: DomainEnvironment, binding: Binding) -> tuple[Any, set[str]]:
    """A call's error code (None: it succeeded) and the rules without a kind that it broke."""
    start = environment.snapshot()
    result = environment.call(binding.tool.name, plain_arguments(binding))
    environment.restore(start)
    environment.release(start)
    plain = {rule.code for rule in binding.tool.requires if rule.kind is None}
    return result.code, plain.intersection(result.violated)


@pytest.mark.parametrize("name", SHIPPED)
def test_free_and_blocked_on_the_shipped_domains(name: str) -> None:
    environment = open_environment(name, seed=11, scale=0.25)
    free = blocked = own = 0
    for binding in bindings(environment, 5):
        code, broken = tried(environment, binding)
        if code in binding.tool.errors:
            continue  # a declared error of the body, which no rule foretells
        if not binding.blocked:
            assert (code, broken) == (None, set()), plain_arguments(binding)
            free += 1
        elif code is None:
            assert set(binding.blocked) == broken, plain_arguments(binding)
            own += 1
        else:
            assert code == binding.blocked[0], plain_arguments(binding)
            blocked += 1
    assert free >= 30
    assert blocked >= 100
    assert own >= 3
    environment.close()


@pytest.mark.parametrize("name", SHIPPED)
def test_a_survey_changes_nothing_and_repeats(name: str) -> None:
    environment = open_environment(name, seed=11, scale=0.25)
    before = environment.pack()

    def survey() -> list[Any]:
        return [(b.tool.name, plain_arguments(b), b.blocked) for b in bindings(environment, 8)]

    first = survey()
    assert environment.pack() == before
    assert len(environment.log) == 0
    assert survey() == first
    environment.close()


@pytest.mark.parametrize("name", SHIPPED)
def test_arguments_go_to_the_wire_and_back(name: str) -> None:
    environment = open_environment(name, seed=12, scale=0.25)
    count = 0
    for binding in bindings(environment, 6):
        bound = environment.bind(binding.tool.name, plain_arguments(binding))
        assert {p.name: bound[p.name] for p in binding.tool.parameters} == dict(binding.values)
        count += 1
    assert count > 200
    environment.close()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_type_in_every_dialect(dialect: str) -> None:
    """Dates, amounts, durations, times, lists and rows, in each way to write them."""
    shed = make_domain(dialect)
    domain = shed.domain
    domain.finish()
    environment = DomainEnvironment(domain, domain.build(3, 1.0), "M-0001")
    seen = set()
    for binding in bindings(environment, 7):
        wire = wire_arguments(binding.tool, binding.values)
        bound = environment.bind(binding.tool.name, wire)
        assert {p.name: bound[p.name] for p in binding.tool.parameters} == dict(binding.values)
        seen.add(binding.tool.name)
    assert {"borrow", "pay", "move_items", "set_hours", "change_email"} <= seen
    environment.close()


def all_of(name: str, actor: str = "P-01") -> list[Binding]:
    environment = desk(actor)
    survey = Survey(environment, random.Random(0))
    found = list(survey.bindings(toy_domain().tools[name]))
    environment.close()
    return found


def test_bindings_by_hand() -> None:
    """Ada has R-01 and R-02; the second was extended as often as possible."""
    found = {(b.values["rental"].id, b.blocked) for b in all_of("extend_rental")}
    assert found == {("R-01", ()), ("R-02", ("extensions_left",))}
    # Cy owes 400 and 200 cents, 500 are too many
    assert {b.blocked for b in all_of("extend_rental", "P-03")} == {("little_owed",)}
    # Ada waits for a parcel, Bo has three toys, Cy owes too much; eight toys, two on the shelf
    assert sorted(b.blocked for b in all_of("lend_toy")) == sorted(
        [("no_parcel_under_way",)] * 2 + [("toy_not_shelved",)] * 6
    )
    assert {b.blocked for b in all_of("lend_toy", "P-02")} == {
        ("below_rental_limit",), ("toy_not_shelved",),
    }  # fmt: skip


def test_only_own_rows_and_nobodys_are_in_scope() -> None:
    environment = desk("P-02")
    survey = Survey(environment, random.Random(0))
    keys = {name: [r.id for r in survey.rows(e)] for name, e in toy_domain().entities.items()}
    assert keys == {
        "Person": ["P-02"],
        "Toy": [f"T-{n:02d}" for n in range(1, 9)],
        "Parcel": [],
        "Item": [],  # the items of somebody else's parcel are somebody else's
        "Rental": ["R-03", "R-04", "R-05"],
        "Bill": [],
        "Handover": [],
    }
    environment.close()


def test_handing_over_is_no_wish() -> None:
    environment = desk()
    names = [tool.name for tool in Survey(environment, random.Random(0)).writes()]
    assert "hand_over" not in names
    assert "extend_rental" in names
    environment.close()


def test_drawn_values_keep_to_the_bounds() -> None:
    """Bills of nothing would draw a payment of 0 cents, which the tool's schema does not allow."""
    environment = desk()
    bill = environment.row("bills", "B-01")
    assert bill is not None
    bill.paid = 150
    environment.world.accept()
    survey = Survey(environment, random.Random(0))
    for binding in survey.bindings(toy_domain().tools["pay_bill"]):
        assert 1 <= binding.values["amount"] <= 9_999
    environment.close()


@pytest.mark.parametrize("name", SHIPPED)
def test_given_arguments_stay_and_the_others_are_drawn(name: str) -> None:
    """Every call about a row has that row; what depends on it is drawn as often as is asked for."""
    environment = open_environment(name, seed=11, scale=0.25)
    several = 0
    for person in environment.world.all(environment.domain.identity)[:4]:
        environment.act_for(person.id)
        survey = Survey(environment, random.Random(1))
        for tool in survey.writes():
            first = next(survey.bindings(tool), None)
            rows = {} if first is None else {p.name: first.values[p.name] for p in tool.parameters}
            given = {n: v for n, v in rows.items() if hasattr(v, "_info")}
            for parameter, row in given.items():
                found = list(survey.bindings(tool, {parameter: row}, 3))
                assert all(b.values[parameter] is row for b in found)
            whole = list(survey.bindings(tool, rows, 3)) if rows else []
            assert all(dict(b.values) == rows for b in whole)
            last = [p for p in tool.parameters if p.drawn is not None][-1:]
            if last and first is not None:
                fixed = {n: v for n, v in rows.items() if n != last[0].name}
                values = [b.values[last[0].name] for b in survey.bindings(tool, fixed, 3)]
                assert first.values[last[0].name] in values or len(values) == 3
                several += len(values) > 1
    assert several
    environment.close()


@pytest.mark.parametrize(
    ("name", "tool", "row", "other", "attribute"),
    [
        ("clinic_appointments", "reschedule_appointment", "appointment", "slot", "slot"),
        ("order_management", "change_delivery_address", "order", "address", "address"),
        ("library_lending", "change_pickup", "hold", "branch", "branch"),
    ],
)
def test_what_is_so_already_is_told_apart(
    name: str, tool: str, row: str, other: str, attribute: str
) -> None:
    environment = open_environment(name)
    found = environment.domain.tools[tool]
    entities = found.entities
    subject = next(r for r in environment.world.all(entities[row]) if getattr(r, attribute))
    now = getattr(subject, attribute)
    another = next(r for r in environment.world.all(entities[other]) if r is not now)
    assert Binding(found, {row: subject, other: now}, ()).is_so
    assert not Binding(found, {row: subject, other: another}, ()).is_so
    environment.close()
