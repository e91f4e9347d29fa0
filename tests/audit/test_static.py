"""Each static check finds what it is about in a domain that is sound otherwise, and nothing
else."""

from pathlib import Path

import pytest

from davinci_env.audit.report import Findings
from davinci_env.audit.wire import violation
from tests.audit.small_domain import changed, static

Substitutions = list[tuple[str, str]]

LEND = '    tool.status = "out"\n    return'
LATE_RULE = "    return loan.extended == 0 and loan.due_on >= db.today"

BROKEN: dict[str, tuple[Substitutions, set[tuple[str, str]]]] = {
    "a tool without a description": (
        [('    """Lend a tool that hangs in the shed."""\n', '    """Lend."""\n')],
        {("undescribed", "lend_tool")},
    ),
    "an argument without a description": (
        [("        kind: The kind of tool that is wanted\n", "")],
        {("undescribed", "add_wish")},
    ),
    "a record without a description": (
        [('    """A conversation that the owner of the shed continues."""\n', "")],
        {("undescribed", "Handover")},
    ),
    "a documented argument that does not exist": (
        [
            (
                "        kind: The kind of tool that is wanted\n",
                "        kind: The kind of tool that is wanted\n        size: How big\n",
            )
        ],
        {("phantom-argument", "add_wish")},
    ),
    "a number in a clause": (
        [("has {MAX_LOANS} tools at most.", "has 2 tools at most (see {MAX_LOANS}).")],
        {("literal-number", "below_limit")},
    ),
    "a number word in a clause": (
        [("A loan is extended once,", "A loan is extended three times,")],
        {("literal-number", "can_extend")},
    ),
    "a number in an error": (
        [("There is such a wish already.", "There are 2 such wishes.")],
        {("literal-number", "add_wish")},
    ),
    "a number in a body": (
        [("    loan.extended += 1", "    loan.extended += 5")],
        {("magic-number", "extend_loan")},
    ),
    "a constant on which nothing depends": (
        [
            (
                "MAX_LOANS, LOAN_DAYS, PAGE = 2, 7, 3",
                "MAX_LOANS, LOAN_DAYS, PAGE = 2, 7, 3\nPOUND = 9",
            ),
            (
                "Nothing is lent to whoever is banned.",
                "Nothing is lent for {POUND} days to the banned.",
            ),
        ],
        {("clause", "not_banned")},
    ),
    "chance": (
        [(LEND, '    tool = __import__("random").choice([tool])\n' + LEND)],
        {("forbidden-call", "lend_tool")},
    ),
    "an import in a body": (
        [(LEND, "    import random\n\n    random.random()\n" + LEND)],
        {("forbidden-call", "lend_tool")},
    ),
    "a forbidden module": (
        [
            ("from datetime import date,", "import time\nfrom datetime import date,"),
            (LEND, "    time.time()\n" + LEND),
        ],
        {("forbidden-call", "lend_tool")},
    ),
    "the wall clock": (
        [("due_on=due_after(db.today))", "due_on=due_after(date.today()))")],
        {("forbidden-call", "lend_tool")},
    ),
    "the order of a set": (
        [(LEND, "    for word in {tool.kind}:\n        str(word)\n" + LEND)],
        {("forbidden-call", "lend_tool")},
    ),
    "I/O": (
        [(LEND, "    print(tool)\n" + LEND)],
        {("forbidden-call", "lend_tool")},
    ),
    "caught errors": (
        [
            (
                "    db.delete(wish)\n",
                "    try:\n        db.delete(wish)\n    except ValueError:\n        pass\n",
            )
        ],
        {("forbidden-call", "drop_wish")},
    ),
    "a look behind db": (
        [(LEND, "    db._world.accept()\n" + LEND)],
        {("forbidden-call", "lend_tool")},
    ),
    "state outside the world": (
        [
            ("def open_loans(", "SEEN: list = []\n\n\ndef open_loans("),
            (LEND, "    SEEN.append(tool.id)\n" + LEND),
        ],
        {("forbidden-call", "lend_tool")},
    ),
    "a forbidden call in a function that a body calls": (
        [
            (
                "    return [loan for loan in neighbour.loans if",
                "    return [loan for loan in neighbour.loans if id(loan) and",
            )
        ],
        {("forbidden-call", "open_loans")},
    ),
    "a rule that no tool uses": (
        [
            (
                "requires=[below_limit, not_banned, identified]",
                "requires=[below_limit, identified]",
            ),
            ('    by="agent",\n    governs=["lend_tool"],\n', '    by="agent",\n'),
        ],
        {("unused-rule", "not_banned")},
    ),
    "a guard dropped from one of two tools": (
        [('requires=[can_extend, identified.on("loan.neighbour")]', "requires=[can_extend]")],
        {("governs", "identified")},
    ),
    "a guard of two tools that does not say so": (
        [('governs=["lend_tool", "extend_loan"],', "")],
        {("governs", "identified")},
    ),
    "an arc that nobody moves": (
        [('{"in": ["out"], "out": ["in"]}', '{"in": ["out"], "out": ["in", "broken"]}')],
        {("arc", "Tool")},
    ),
    "a move along no arc": (
        [('moves("loan.tool", "out", to="in")', 'moves("loan.tool", "out", to=["in", "broken"])')],
        {("frame-arc", "take_back")},
    ),
    "a change without a state": (
        [('changes=[stays("loan", "open"), sets', "changes=[sets")],
        {("unstated-state", "extend_loan")},
    ),
    "columns of other rows": (
        [
            (
                'sets("loan", Loan.due_on, Loan.extended)',
                'sets("loan", Loan.due_on, Loan.extended), sets("loan", Tool.kind)',
            )
        ],
        {("frame", "extend_loan")},
    ),
    "an id that no read reveals": (
        [('domain.reads(Wish, list_of="neighbour")\n', "")],
        {("unrevealed-id", "drop_wish")},
    ),
    "a helper whose example fails": (
        [("    datetime.date(2026, 5, 11)\n", "    datetime.date(2026, 5, 12)\n")],
        {("doctest", "due_after")},
    ),
    "a helper without an example": (
        [("    >>> due_after(date(2026, 5, 4))\n    datetime.date(2026, 5, 11)\n", "")],
        {("doctest", "due_after")},
    ),
    "an example that fails in a function that is no helper": (
        [
            (
                "    return [loan for loan in neighbour.loans if",
                '    """Open ones.\n\n    >>> MAX_LOANS\n    3\n    """\n'
                "    return [loan for loan in neighbour.loans if",
            )
        ],
        {("doctest", "open_loans")},
    ),
    "words for a field that the result lacks": (
        [('tells={"tools": ["how many', 'tells={"hammers": ["how many')],
        {("tells", "standing")},
    ),
    "a rule that nobody can quote": (
        [('    because=["you have been banned from the shed"],\n', "")],
        {("unquotable", "not_banned")},
    ),
    "a quote of what is not there": (
        [('because=["it was due on {loan.due_on}"]', 'because=["it was due on {lean.due_on}"]')],
        {("because", "can_extend")},
    ),
    "a remedy that is no tool": (
        [('remedy="take_back"', 'remedy="bring_back"')],
        {("remedy", "below_limit")},
    ),
    "no words to ask with": (
        [('ask=["forget {wish}"]', "ask=[]")],
        {("ask", "drop_wish")},
    ),
    "an unknown place in a request": (
        [('ask=["bring back {loan.tool}"]', 'ask=["bring back {loan.hammer}"]')],
        {("ask", "take_back")},
    ),
    "no hand-over": (
        [("changes=[creates(Handover)], handover=True,", "changes=[creates(Handover)],")],
        {("hand-over", "tool_shed")},
    ),
    "a hand-over without reasons": (
        [
            (
                "def hand_over(db, neighbour: Neighbour, reason: Literal",
                "def hand_over(db, neighbour: Neighbour, cause: Literal",
            ),
            ("        reason: Why\n", "        cause: Why\n"),
            ("reason=reason)", "reason=cause)"),
        ],
        {("hand-over", "hand_over")},
    ),
    "a situation that leads nowhere": (
        [('leads_to=["lend_tool"]', 'leads_to=["sell_tool"]')],
        {("situation", "tool_shed")},
    ),
    "an outcome that quotes what the result lacks": (
        [('outcome(quotes=["due_on"]', 'outcome(quotes=["price"]')],
        {("outcome", "lend_tool")},
    ),
    "an undeclared error": (
        [('raise ToolError("wished_already")', 'raise ToolError("neighbour_not_found")')],
        {("error-code", "add_wish")},
    ),
}


def test_the_sound_domain_has_no_finding(tmp_path: Path) -> None:
    assert static(changed(tmp_path)) == set()


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_domain_has_exactly_this_finding(what: str, tmp_path: Path) -> None:
    substitutions, expected = BROKEN[what]
    assert static(changed(tmp_path, *substitutions)) == expected


def test_a_tool_name_that_clients_refuse(tmp_path: Path) -> None:
    domain = changed(tmp_path, ("def drop_wish(db,", "def reset(db,"))
    assert static(domain) == {("wire-name", "reset")}


def test_findings_are_counted_once() -> None:
    findings = Findings()
    findings.add("frame", "tool", "changes a row", 3)
    findings.add("frame", "tool", "changes a row", 4)
    (finding,) = findings.sorted()
    assert str(finding) == "frame: tool changes a row (line 3)"


SCHEMA = {
    "type": "object",
    "properties": {
        "count": {"type": "integer"},
        "kind": {"type": ["string", "null"], "enum": ["a", "b", None]},
        "rows": {
            "type": "array",
            "items": {"type": "object", "properties": {}, "required": ["id"]},
        },
    },
    "required": ["count"],
}


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({"count": 1, "kind": None, "rows": [{"id": 7}]}, None),
        ({"kind": "a"}, "result lacks count"),
        ({"count": True}, "result.count is True, not of type integer"),
        ({"count": 1, "kind": "c"}, "result.kind is 'c', which is no allowed value"),
        ({"count": 1, "rows": [{"id": 7}, {}]}, "result.rows[1] lacks id"),
        ([], "result is [], not of type object"),
    ],
)
def test_a_result_against_its_schema(value: object, fault: str | None) -> None:
    assert violation(value, SCHEMA) == fault
