"""Each check on calls finds what it is about in a domain that is sound otherwise, and nothing
else."""

from pathlib import Path

import pytest

from davinci_env.audit import audit
from davinci_env.domain import catalogue
from tests.audit.small_domain import changed, walked

Substitutions = list[tuple[str, str]]
Expected = set[tuple[str, str]]

COVERAGE = frozenset(
    (
        "never-succeeds",
        "never-refuses",
        "rule-coverage",
        "error-coverage",
        "code-coverage",
        "argument-coverage",
        "change-coverage",
        "state",
    )
)
EXTEND = "    loan.due_on = due_after(loan.due_on)\n    loan.extended += 1\n"
CLOSE = '    loan.status = "closed"\n    loan.tool.status = "in"\n'
WISH = '        raise ToolError("wished_already")\n'
STANDING = '"kinds": [loan.tool.kind for loan in loans]}'

BROKEN: dict[str, tuple[Substitutions, Expected]] = {
    "a success without a change": (
        [(EXTEND, "")],
        {("no-change", "extend_loan")},
    ),
    "a column outside the frame": (
        [(EXTEND, EXTEND + '    loan.note = "longer"\n')],
        {("frame", "extend_loan")},
    ),
    "a row that the arguments do not reach": (
        [(EXTEND, f"    loan = db.all(Loan)[0]\n{EXTEND}")],
        {("frame", "extend_loan"), ("leak", "extend_loan")},
    ),
    "a created row outside the frame": (
        [(EXTEND, EXTEND + "    db.create(Wish, neighbour=loan.neighbour, kind=loan.tool.kind)\n")],
        {("frame", "extend_loan")},
    ),
    "a deleted row outside the frame": (
        [('changes=[deletes("wish")]', "changes=[creates(Wish)]")],
        {("frame", "drop_wish")},
    ),
    "another end state than the declared one": (
        [(CLOSE, '    loan.status = "closed"\n')],
        {("end-state", "take_back"), ("invariant", "take_back")},
    ),
    "a row that starts in another state": (
        [("due_on=due_after(db.today))", 'due_on=due_after(db.today), status="closed")')],
        {("lifecycle", "lend_tool"), ("invariant", "lend_tool")},
    ),
    "a move along no arc of tools": (
        [
            (
                'moves("loan.tool", "out", to="in")',
                'moves("loan.tool", "out", to=["in", "broken"])',
            ),
            ('    loan.tool.status = "in"\n', '    loan.tool.status = "broken"\n'),
        ],
        {("lifecycle", "take_back")},
    ),
    "a broken invariant": (
        [("requires=[below_limit, not_banned, identified]", "requires=[not_banned, identified]")],
        {("invariant", "lend_tool")},
    ),
    "a code that does not apply": (
        [(WISH, '        raise ToolError("neighbour_not_found")\n')],
        {("error-code", "add_wish")},
    ),
    "a code of no contract": (
        [(WISH, '        raise ToolError("too_bad")\n')],
        {("error-code", "add_wish")},
    ),
    "an exception that escapes": (
        [(WISH, "        return None\n")],
        {("crash", "add_wish")},
    ),
    "a rule that raises": (
        [("    return not neighbour.banned\n", "    return not neighbour.loans[0].note.strip()\n")],
        {("crash", "lend_tool"), ("crash", "not_banned")},
    ),
    "a read that changes rows": (
        [
            (
                "    loans = open_loans(neighbour)\n",
                '    neighbour.name = "x"\n    loans = open_loans(neighbour)\n',
            )
        ],
        {("crash", "standing")},
    ),
    "a refusal that leaves a change behind": (
        [(WISH, f'        neighbour.name = "x"\n        db._world.accept()\n{WISH}')],
        {("atomicity", "add_wish")},
    ),
    "a cell that was changed behind the log": (
        [(EXTEND, EXTEND + '    vars(loan)["note"] = "x"\n')],
        {("accounts", "extend_loan"), ("accounts", "tool_shed")},
    ),
    "another person's address in a result": (
        [(STANDING, '"kinds": [other.email for other in db.all(Neighbour)]}')],
        {("leak", "standing")},
    ),
    "pages that overlap": (
        [
            (
                'page_of(db.all(Tool, status="in"), page, PAGE)',
                'page_of(db.all(Tool, status="in"), 1, PAGE)',
            )
        ],
        {("pages", "free_tools")},
    ),
    "chance in a body": (
        [(EXTEND, EXTEND + '    loan.extended += __import__("random").randrange(1000)\n')],
        {("determinism", "extend_loan")},
    ),
    "a result that its schema does not allow": (
        [('"tools": len(loans)', '"tools": str(len(loans))')],
        {("result-schema", "standing")},
    ),
    "a column that is not set to the argument of its name": (
        [("neighbour=neighbour, kind=kind)", 'neighbour=neighbour, kind="saw")')],
        {("echo", "add_wish")},
    ),
    "a read that shows other rows than those asked for": (
        [("list(db.all(Tool, kind=kind))", "list(db.all(Tool))")],
        {("echo", "tools_of_kind")},
    ),
    "a remedy that brings its block about": (
        [("len(open_loans(neighbour)) < MAX_LOANS", "len(open_loans(neighbour)) > 0")],
        {("remedy", "below_limit"), ("invariant", "lend_tool")},
    ),
    "a rule that is stricter than the invariant behind it": (
        [("len(open_loans(neighbour)) < MAX_LOANS", "len(open_loans(neighbour)) < MAX_LOANS - 1")],
        {("agreement", "below_limit")},
    ),
    "a rule that its parts contradict": (
        [
            (
                "    return loan.extended == 0 and loan.due_on >= db.today\n",
                "    return loan.extended == 0\n",
            )
        ],
        {("parts", "can_extend")},
    ),
    "a confirmation that nobody gave": (
        [("    return log.confirmed()\n", "    return not log.confirmed()\n")],
        {("duty", "confirmed")},
    ),
    "an identification by what the policy does not name": (
        [('return log.identified(neighbour, "email")', 'return log.identified(neighbour, "name")')],
        {("duty", "identified")},
    ),
    "an input of an agent's rule that no read shows": (
        [
            (
                "banned: Mapped[bool] = column(False)",
                "banned: Mapped[bool] = column(False, hidden=True)",
            )
        ],
        {("hidden-input", "not_banned")},
    ),
    "a seed by chance": (
        [
            (
                'kind = ("saw", "drill", "ladder")[number % 3]',
                'kind = __import__("random").choice(["saw", "drill"])',
            )
        ],
        {("seed", "tool_shed")},
    ),
    "a seed that fails": (
        [
            (
                "    for person in people[::2]:\n",
                "    people[0].name = 7\n    for person in people[::2]:\n",
            )
        ],
        {("seed", "tool_shed")},
    ),
    "a seed that breaks an invariant": (
        [
            (
                "    for person in people[::2]:\n",
                '    people[5].loans[0].status = "open"\n    for person in people[::2]:\n',
            )
        ],
        {("seed-invariant", "lent_once")},
    ),
}

UNSEEN: dict[str, tuple[Substitutions, Expected]] = {
    "a rule that never holds": (
        [
            (
                "    return len(open_loans(neighbour)) < MAX_LOANS\n",
                "    return len(neighbour.loans) < 0\n",
            )
        ],
        {
            ("never-succeeds", "lend_tool"),
            ("rule-coverage", "below_limit"),
            ("agreement", "below_limit"),
        },
    ),
    "a rule that never blocks": (
        [("    return not neighbour.banned\n", "    return not neighbour.banned or True\n")],
        {("rule-coverage", "not_banned")},
    ),
    "a part that never fails": (
        [
            ("lambda db, loan: loan.due_on >= db.today", "lambda db, loan: loan.due_on != db.now"),
            (
                "    return loan.extended == 0 and loan.due_on >= db.today\n",
                "    return loan.extended == 0\n",
            ),
        ],
        {("rule-coverage", "can_extend")},
    ),
    "a change that never happens": (
        [("Loan.extended)]", "Loan.extended, Loan.note)]")],
        {("change-coverage", "extend_loan")},
    ),
    "an argument that is never given in a success": (
        [
            (
                "def take_back(db, loan: Loan)",
                "def take_back(db, loan: Loan, at: Tool | None = None)",
            ),
            ('    loan.status = "closed"\n', '    assert at is None\n    loan.status = "closed"\n'),
        ],
        {("argument-coverage", "take_back"), ("crash", "take_back")},
    ),
    "an error that is never raised": (
        [("    if any(wish.kind == kind for", "    if any(wish.kind is None for")],
        {("error-coverage", "add_wish")},
    ),
    "a state that is never reached": (
        [
            ('outside={"in": ["broken"],', 'outside={"in": ["broken", "gone"],'),
            (
                '    return lent == (tool.status == "out")\n',
                '    return lent == (tool.status == "out") and tool.status != "gone"\n',
            ),
        ],
        {("state", "Tool")},
    ),
}


def test_the_sound_domain_has_no_finding(tmp_path: Path) -> None:
    assert walked(changed(tmp_path)) == set()


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_domain_has_exactly_this_finding(what: str, tmp_path: Path) -> None:
    substitutions, expected = BROKEN[what]
    found = walked(changed(tmp_path, *substitutions))
    assert {f for f in found if f[0] not in COVERAGE} == expected


@pytest.mark.parametrize("what", UNSEEN)
def test_what_is_never_seen_is_reported(what: str, tmp_path: Path) -> None:
    substitutions, expected = UNSEEN[what]
    found = walked(changed(tmp_path, *substitutions))
    assert expected <= found
    assert {f for f in found if f[0] not in COVERAGE} <= expected


SELF_SERVICE = [
    ('access="staff"', 'access="self_service"'),
    (
        "class Standing(TypedDict):",
        "@domain.read()\ndef loans_on(db, tool: Tool) -> list[Loan]:\n"
        '    """The loans of one tool."""\n    return list(tool.loans)\n\n\n'
        "class Standing(TypedDict):",
    ),
]


def test_self_service_shows_nobody_elses_rows(tmp_path: Path) -> None:
    assert walked(changed(tmp_path, *SELF_SERVICE)) == {("leak", "loans_on")}
    (tmp_path / "scoped").mkdir()
    scoped = ("list(tool.loans)", "[loan for loan in tool.loans if loan.neighbour is db.actor]")
    (first, (old, new)) = SELF_SERVICE
    domain = changed(tmp_path / "scoped", first, (old, new.replace(*scoped)))
    assert walked(domain) == set()


def test_a_report_says_how_far_it_saw(tmp_path: Path) -> None:
    report = audit(changed(tmp_path), mutants=0)
    assert report.passed
    assert report.findings == []
    assert report.coverage["tools_succeeded"] == "16 of 16"
    assert report.coverage["tools_refused"] == "16 of 16"
    assert report.coverage["states_seen"] == "5 of 5"
    assert report.coverage["calls"] > 500
    assert report.statistics["tables"] == 5
    assert report.statistics["writes"] == 6
    assert report.statistics["agent_rules"] == 3
    assert set(report.similarity) == {entry.name for entry in catalogue() if entry.shipped}
    assert all(0 <= likeness < 0.5 for likeness in report.similarity.values())
    assert report.to_json()["passed"] is True


def test_the_sizes_of_a_finished_domain_are_asked_of_the_catalogue(tmp_path: Path) -> None:
    domain = changed(tmp_path)
    report = audit(domain, mutants=0, house=True)
    assert {finding.check for finding in report.findings} == {"house"}
    texts = " ".join(finding.text for finding in report.findings)
    assert "has 5 rules, and a finished domain at least 10" in texts
    assert "has 3 agent rules, and a finished domain at least 4" in texts
    assert "tables" not in texts


def test_the_same_seed_gives_the_same_report(tmp_path: Path) -> None:
    domain = changed(tmp_path)
    one, other = (audit(domain, mutants=0, seed=3).to_json() for _ in range(2))
    assert one == other
