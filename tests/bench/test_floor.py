"""The floor does what the product does, call by call: same text, same broken rules, same rows."""

import ast
import inspect
from collections.abc import Iterator
from datetime import timedelta

import orjson
import pytest

from davinci_env.bench import floor as floor_module
from davinci_env.bench.floor import Floor, ten_predicates
from davinci_env.domain import Event
from davinci_env.environment import DomainEnvironment, open_environment

SCALES = [0.25, 1.0]


def make_floor(environment: DomainEnvironment, *, track: bool = False, revealed=()) -> Floor:
    image = environment.world.image
    rules = environment.domain.rules
    return Floor(
        image.database,
        today=environment.world.db.today,
        loans=image.counters["Loan"],
        texts={code: rule.text for code, rule in rules.items()},
        revealed=revealed,
        track=track,
    )


def keys(environment: DomainEnvironment, name: str) -> list[str]:
    entity = environment.domain.entities[name]
    return [row.id for row in environment.world.all(entity)]


def every_call(environment: DomainEnvironment) -> Iterator[tuple[str, dict[str, str]]]:
    """Each loan renewed, each member with each copy, and ids that do not exist."""
    for loan in [*keys(environment, "Loan"), "LN-99999"]:
        yield "renew_loan", {"loan_id": loan}
    members = keys(environment, "Member")[:17]
    for member in [*members, "nobody"]:
        for copy in [*keys(environment, "Copy"), "CP-99999"]:
            yield "checkout_copy", {"member_id": member, "copy_id": copy}


def dump(connection) -> list[list[tuple]]:
    tables = ["copies", "fines", "holds", "loans", "members"]
    return [connection.execute(f"SELECT * FROM {t} ORDER BY 1").fetchall() for t in tables]


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("scale", SCALES)
def test_every_single_call_gives_the_same_text_rows_and_broken_rules(seed, scale):
    environment = open_environment("library_lending", seed=seed, scale=scale)
    floor = make_floor(environment)
    codes, broken = set(), set()
    for tool, arguments in every_call(environment):
        result = environment.call(tool, arguments)
        text, violated = floor.call(tool, arguments)
        assert text == result.text, arguments
        assert violated == result.violated, arguments
        codes.add(result.code)
        broken.update(violated)
        if result.ok:
            assert dump(floor.connection) == dump(environment.world.connection)
            environment.reset()
            floor.restore()
    assert codes == {
        None, "loan_not_found", "loan_not_open", "card_not_suspended", "card_not_expired",
        "below_fine_block", "renewals_left", "member_not_found", "copy_not_found",
        "copy_not_available_or_on_hold_shelf", "below_loan_limit", "copy_free_for",
    }  # fmt: skip
    assert broken == {
        "identified", "nobody_waiting", "not_long_overdue", "renewal_open", "no_second_copy",
        "nothing_long_overdue", "suits_card",
    }  # fmt: skip
    environment.close()
    floor.close()


@pytest.mark.parametrize("scale", SCALES)
def test_a_long_run_of_calls_ends_in_the_same_rows(scale):
    """Effects pile up: ids count on, limits are reached, renewals run out, holds are collected."""
    environment = open_environment("library_lending", scale=scale)
    floor = make_floor(environment)
    for _ in range(3):
        for tool, arguments in every_call(environment):
            result = environment.call(tool, arguments)
            assert floor.call(tool, arguments) == (result.text, result.violated)
    assert dump(floor.connection) == dump(environment.world.connection)
    assert keys(environment, "Loan")[-1] == f"LN-{floor.loans:05d}"


def test_a_loan_exactly_as_overdue_as_it_may_be_does_not_stand_in_the_way():
    """The seed has such loans only on full cards, so that another has to be returned first."""
    environment = open_environment("library_lending")
    floor = make_floor(environment)
    entities, today = environment.domain.entities, environment.world.db.today
    copies = environment.world.all(entities["Copy"], status="available")
    edge = environment.world.all(entities["Loan"], status="open", due_on=today - timedelta(days=7))
    answers = set()
    for loan, copy in zip(edge, copies, strict=False):
        other = next(x for x in loan.member.loans if x.status == "open" and x is not loan)
        assert environment.call("return_copy", {"loan_id": other.id}).ok
        floor.execute(
            "UPDATE loans SET status = 'returned', returned_on = ? WHERE loan_id = ?",
            [today.isoformat(), other.id],
        )
        call = ("checkout_copy", {"member_id": loan.member.id, "copy_id": copy.id})
        result = environment.call(*call)
        assert floor.call(*call) == (result.text, result.violated)
        answers.add((result.code, result.violated))
    assert (None, ("identified",)) in answers


def test_identification_counts_by_email_or_by_card_and_postcode():
    environment = open_environment("library_lending")
    call = next(c for c in every_call(environment) if environment.call(*c).ok)
    environment.reset()
    loan = environment.row("loans", call[1]["loan_id"])
    member = loan.member
    for revealed in ([], [member.email], [member.id], [member.id, member.postcode]):
        environment.reset()
        for value in revealed:
            environment.observe(Event("revealed", {"fact": "it", "value": value}))
        result = environment.call(*call)
        floor = make_floor(environment, revealed=[value.casefold() for value in revealed])
        assert floor.call(*call) == (result.text, result.violated)
        assert ("identified" in result.violated) == (len(revealed) == 0 or revealed == [member.id])
        floor.close()


def test_restore_gives_back_rows_and_numbers():
    environment = open_environment("library_lending")
    floor = make_floor(environment, track=True)
    before = dump(floor.connection)
    calls = list(every_call(environment))
    first = [floor.call(*call) for call in calls]
    assert dump(floor.connection) != before
    floor.restore()
    assert dump(floor.connection) == before
    assert floor.changes() == []
    assert [floor.call(*call) for call in calls] == first


def test_bad_arguments_are_refused_and_change_nothing():
    environment = open_environment("library_lending")
    floor = make_floor(environment, track=True)
    for arguments in [{}, {"loan_id": 7}, {"loan_id": "LN-1", "more": 1}, {"loan_id": "x\0"}]:
        code = orjson.loads(floor.call("renew_loan", arguments)[0])["error"]["code"]
        assert code == environment.call("renew_loan", arguments).code == "invalid_arguments"
    assert floor.changes() == []


def test_an_episode_reports_the_product_s_changes_and_leaves_no_trace():
    environment = open_environment("library_lending")
    good: dict[str, list] = {"renew_loan": [], "checkout_copy": []}
    for call in sorted(every_call(environment), key=lambda call: call[1].get("copy_id", "")):
        if len(good[call[0]]) < 4 and environment.call(*call).ok:
            good[call[0]].append(call)
    environment.reset()
    calls = good["renew_loan"] + good["checkout_copy"]
    assert len(calls) == 8
    results = [environment.call(*call) for call in calls]
    floor = make_floor(environment, track=True)
    renewed = [arguments["loan_id"] for _, arguments in good["renew_loan"]]
    borrowed = [arguments["copy_id"] for _, arguments in good["checkout_copy"]]
    sql, values = ten_predicates([*renewed, renewed[0]], [*borrowed, "CP-99999"])
    line = floor.episode(calls, sql, values)
    row = orjson.loads(line)
    assert [step["result"] for step in row["steps"]] == [result.data for result in results]
    assert row["verdicts"] == [1] * 9 + [None]
    expected = [
        [change.table, change.key, change.op, list(change.cells)]
        for change in environment.world.changes()
    ]
    for change in expected:
        if change[2] == "+":
            change[3] = [column for column in change[3] if column != "loan_id"]
    assert [[*change[:3], list(change[3])] for change in row["diff"]] == [
        [*change[:3], change[3]] for change in expected
    ]
    assert floor.changes() == []
    assert floor.episode(calls, sql, values) == line


def test_the_floor_never_imports_the_product():
    tree = ast.parse(inspect.getsource(floor_module))
    modules = [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    modules += [n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    assert not [module for module in modules if module is None or module.startswith("davinci_env")]
