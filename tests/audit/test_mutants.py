"""Mutants: what the operators make, which of them are other domains, and how many the audit
notices."""

from collections import Counter
from pathlib import Path

import pytest

from davinci_env.audit.differential import difference
from davinci_env.audit.mutants import try_mutants
from davinci_env.audit.mutation import mutants_of
from davinci_env.audit.trial import judge
from tests.audit.small_domain import TEXT, changed

LIMIT = "    return len(open_loans(neighbour)) < MAX_LOANS\n"


@pytest.fixture
def mutants(tmp_path: Path):
    return mutants_of(changed(tmp_path))


def test_the_operators_make_what_they_are_called_after(mutants) -> None:
    made = {(m.operator, m.function, m.after) for m in mutants}
    assert {
        ("comparison", "below_limit", "len(open_loans(neighbour)) <= MAX_LOANS"),
        ("constant", "below_limit", "(MAX_LOANS + 1)"),
        ("negate", "open_loans", "not (loan.status == 'open')"),
        ("widen-query", "open_loans", "[loan for loan in neighbour.loans]"),
        ("and-or", "can_extend", "loan.extended == 0 or loan.due_on >= db.today"),
        ("drop-condition", "can_extend", "loan.due_on >= db.today"),
        ("shift-date", "due_after", "(LOAN_DAYS) + 1"),
        ("flip-sign", "due_after", "day - timedelta(days=LOAN_DAYS)"),
        ("skip-write", "lend_tool", "pass"),
        ("swap-state", "lend_tool", "'broken'"),
        ("wrong-row", "lend_tool", "db.all(Tool)[0]"),
        ("drop-field", "add_wish", "db.create(Wish, neighbour=neighbour)"),
        ("skip-error", "add_wish", "pass"),
        ("any-all", "add_wish", "all((wish.kind == kind for wish in neighbour.wishes))"),
        ("drop-guard", "lend_tool", "[not_banned, identified]"),
        ("drop-frame", "lend_tool", "[creates(Loan)]"),
        ("drop-frame", "extend_loan", "sets('loan', Loan.extended)"),
    } <= made
    (flip,) = [m for m in mutants if (m.operator, m.function) == ("comparison", "below_limit")]
    assert flip.change == f"{flip.before} -> {flip.after}"
    assert flip.before == "len(open_loans(neighbour)) < MAX_LOANS"


def test_what_states_a_domain_a_second_time_is_left_alone(mutants) -> None:
    functions = {m.function for m in mutants}
    assert not functions & {"lent_once", "within_limit", "seed"}
    assert not any("MAX_LOANS, LOAN_DAYS, PAGE" in m.before for m in mutants)


def test_a_mutant_is_the_file_with_one_change_and_as_many_lines(mutants) -> None:
    places = Counter((m.span, m.after) for m in mutants)
    assert max(places.values()) == 1
    for mutant in mutants:
        text = mutant.applied(TEXT)
        assert text is not None
        assert text != TEXT
        assert len(text.splitlines()) == len(TEXT.splitlines())


def test_no_difference_to_itself(tmp_path: Path) -> None:
    (tmp_path / "twin").mkdir()
    twin = changed(tmp_path / "twin", (LIMIT, f"    assert True\n{LIMIT}"))
    assert difference(changed(tmp_path), twin, 0, "below_limit") is None


def test_a_difference_names_the_call(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = changed(tmp_path / "other", (LIMIT, LIMIT.replace("<", "<=")))
    found = difference(changed(tmp_path), other, 0, "below_limit")
    assert found is not None
    assert found.startswith("lend_tool(")
    assert "below_limit" in found


def test_another_policy_is_another_domain(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = changed(
        tmp_path / "other", ("Lend a tool that hangs in the shed.", "Lend any tool there is.")
    )
    assert difference(changed(tmp_path), other, 0, "lend_tool") == "the policy document differs"


JOB = {"known": [], "profile": "quick", "seed": 0}


@pytest.mark.parametrize(
    ("substitution", "check"),
    [
        ((LIMIT, LIMIT.replace("<", "<=")), "invariant"),
        (('moves("tool", "in", to="out"), ', ""), "arc"),
        (
            (
                "requires=[below_limit, not_banned, identified]",
                "requires=[below_limit, not_banned]",
            ),
            "governs",
        ),
        (
            ('changes=[moves("tool", "in", to="out")', 'changes=[moves("tool", "i", to="out")'),
            "load",
        ),
        (("    return not neighbour.banned\n", "    return neighbour.banned\n"), None),
    ],
)
def test_a_mutant_is_judged_by_the_first_finding(
    substitution: tuple[str, str], check: str | None, tmp_path: Path
) -> None:
    text = TEXT.replace(*substitution)
    assert text != TEXT
    path = tmp_path / "tool_shed.py"
    path.write_text(text)
    assert judge({**JOB, "path": str(path)})["check"] == check


def test_a_sample_is_noticed(tmp_path: Path) -> None:
    domain = changed(tmp_path)
    assert domain.path is not None
    report = try_mutants(domain.path, frozenset(), number=5, seed=1, jobs=2)
    assert report.total + report.equivalent == 5
    assert report.generated > 60
    assert report.rate >= 0.8
    assert sum(report.by_check.values()) == report.killed
    assert len(report.survivors) == report.total - report.killed


def test_the_report_does_not_depend_on_the_workers(tmp_path: Path) -> None:
    domain = changed(tmp_path)
    assert domain.path is not None
    one, two = (
        try_mutants(domain.path, frozenset(), number=2, seed=4, jobs=jobs) for jobs in (1, 2)
    )
    assert one.to_json() == two.to_json()
    assert one.total + one.equivalent == 2
