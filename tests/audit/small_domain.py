"""A small sound domain as text, which tests break in one place at a time."""

from pathlib import Path

from davinci_env.audit.audit import Walker, check_statically
from davinci_env.audit.report import Findings
from davinci_env.audit.walk import Plan
from davinci_env.domain import Domain, load_file

PLAN = Plan(worlds=((0, 1.0),), people=5, steps=36, pushes=3, thorough=2, paths=6)
"""A walk that sees all of the small domain."""

TEXT = '''"""Tool shed: neighbours borrow tools from a shared shed."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal, TypedDict

from pydantic import Field

from davinci_env.domain import (
    Dialect,
    Domain,
    Log,
    Mapped,
    Page,
    Seeder,
    ToolError,
    column,
    creates,
    deletes,
    lifecycle,
    moves,
    outcome,
    page_of,
    part,
    ref,
    sets,
    stays,
)

domain = Domain(
    "tool_shed",
    version=1,
    category="Community, Culture and Heritage",
    today=datetime(2026, 5, 4, 10, 0),
    role="keeper of the shed",
    access="staff",
    intro="Neighbours borrow tools from the shed, and bring them back.",
    dialect=Dialect(),
)

MAX_LOANS, LOAN_DAYS, PAGE = 2, 7, 3


class Neighbour(domain.Entity, key="NB-{:03d}", label="{self.name}", identity=True):
    """A person of the street who may borrow."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    banned: Mapped[bool] = column(False)


class Tool(domain.Entity, key="TL-{:03d}", label="the {self.kind} {self.tool_id}"):
    """A tool that hangs in the shed or is lent."""

    kind: Mapped[Literal["saw", "drill", "ladder"]]
    status: Mapped[str] = lifecycle(
        {"in": ["out"], "out": ["in"]}, outside={"in": ["broken"], "broken": ["in"]}
    )


class Loan(domain.Entity, key="LN-{:04d}", label="the loan of {self.tool}"):
    """One tool lent to one neighbour."""

    neighbour: Mapped[Neighbour] = ref(owner=True)
    tool: Mapped[Tool] = ref()
    due_on: Mapped[date] = column(says="due date")
    extended: Mapped[int] = column(0, ge=0)
    note: Mapped[str | None] = column(None)
    status: Mapped[str] = lifecycle({"open": ["closed"]})


class Wish(domain.Entity, key="WS-{:03d}", label="the wish for a {self.kind}"):
    """A kind of tool that a neighbour waits for."""

    neighbour: Mapped[Neighbour] = ref(owner=True, back="wishes")
    kind: Mapped[Literal["saw", "drill", "ladder"]]


class Handover(domain.Entity, key="HO-{:03d}", label="the hand-over"):
    """A conversation that the owner of the shed continues."""

    neighbour: Mapped[Neighbour] = ref(owner=True)
    reason: Mapped[Literal["damage", "other"]]


@domain.helper
def due_after(day: date) -> date:
    """A tool is lent for {LOAN_DAYS} days.

    >>> due_after(date(2026, 5, 4))
    datetime.date(2026, 5, 11)
    """
    return day + timedelta(days=LOAN_DAYS)


def open_loans(neighbour: Neighbour) -> list[Loan]:
    return [loan for loan in neighbour.loans if loan.status == "open"]


@domain.rule(
    governs=["lend_tool"],
    because=["that is one tool too many"],
    concepts=[["limit", "many", "at most"], ["tool"]],
    remedy="take_back",
)
def below_limit(neighbour: Neighbour) -> bool:
    """A neighbour has {MAX_LOANS} tools at most."""
    return len(open_loans(neighbour)) < MAX_LOANS


@domain.rule(
    governs=["extend_loan"],
    parts=[
        part(
            "never_before",
            lambda loan: loan.extended == 0,
            because=["it has been extended before"],
            concepts=[["before", "already"]],
        ),
        part(
            "not_late",
            lambda db, loan: loan.due_on >= db.today,
            because=["it was due on {loan.due_on}"],
            concepts=[["late", "due"]],
        ),
    ],
)
def can_extend(db, loan: Loan) -> bool:
    """A loan is extended once, and not when it is late."""
    return loan.extended == 0 and loan.due_on >= db.today


@domain.rule(
    by="agent",
    governs=["lend_tool"],
    because=["you have been banned from the shed"],
    concepts=[["banned", "not allowed"]],
)
def not_banned(neighbour: Neighbour) -> bool:
    """Nothing is lent to whoever is banned."""
    return not neighbour.banned


@domain.rule(
    by="agent",
    kind="identification",
    governs=["lend_tool", "extend_loan"],
    because=["I need your e-mail address first"],
    concepts=[["e-mail", "email"]],
)
def identified(log: Log, neighbour: Neighbour) -> bool:
    """The neighbour has to give the e-mail address on record."""
    return log.identified(neighbour, "email")


@domain.rule(
    by="agent",
    kind="confirmation",
    governs=["take_back"],
    because=["I need a clear yes first"],
    concepts=[["confirm", "yes"]],
)
def confirmed(log: Log) -> bool:
    """Before a loan is closed, the neighbour has to agree."""
    return log.confirmed()


class Standing(TypedDict):
    """How many tools a neighbour has."""

    tools: int
    kinds: list[str]


domain.reads(Neighbour, get=True, find="email")
domain.reads(Tool, get=True, search=["kind"], filters=["status"], page=PAGE)
domain.reads(Loan, get=True, list_of="neighbour", filters=["status"], page=PAGE)
domain.reads(Wish, list_of="neighbour")


@domain.read(tells={"tools": ["how many tools I have at home"]})
def standing(db, neighbour: Neighbour) -> Standing:
    """How many tools a neighbour has now, and of which kinds."""
    loans = open_loans(neighbour)
    return {"tools": len(loans), "kinds": [loan.tool.kind for loan in loans]}


@domain.read(public=True)
def tools_of_kind(db, kind: Annotated[str, Tool.kind]) -> list[Tool]:
    """All tools of one kind.

    Args:
        kind: The kind of tool
    """
    return list(db.all(Tool, kind=kind))


@domain.read(public=True)
def free_tools(db, page: Annotated[int, Field(ge=1)] = 1) -> Page[Tool]:
    """The tools that hang in the shed.

    Args:
        page: Number of the page
    """
    return page_of(db.all(Tool, status="in"), page, PAGE)


@domain.write(
    requires=[below_limit, not_banned, identified],
    changes=[moves("tool", "in", to="out"), creates(Loan)],
    ask=["borrow {tool}", "take {tool} home"],
    outcome=outcome(quotes=["due_on"], mood="good"),
)
def lend_tool(db, neighbour: Neighbour, tool: Tool) -> Loan:
    """Lend a tool that hangs in the shed."""
    tool.status = "out"
    return db.create(Loan, neighbour=neighbour, tool=tool, due_on=due_after(db.today))


@domain.write(
    requires=[can_extend, identified.on("loan.neighbour")],
    changes=[stays("loan", "open"), sets("loan", Loan.due_on, Loan.extended)],
    ask=["keep {loan.tool} longer"],
)
def extend_loan(db, loan: Loan) -> Loan:
    """Let a neighbour keep a tool longer."""
    loan.due_on = due_after(loan.due_on)
    loan.extended += 1
    return loan


@domain.write(
    requires=[confirmed],
    changes=[moves("loan", "open", to="closed"), moves("loan.tool", "out", to="in")],
    ask=["bring back {loan.tool}"],
)
def take_back(db, loan: Loan) -> Loan:
    """Hang a tool back and close its loan."""
    loan.status = "closed"
    loan.tool.status = "in"
    return loan


@domain.write(
    changes=[creates(Wish)],
    errors={"wished_already": "There is such a wish already."},
    ask=["be told when a {kind} is there"],
)
def add_wish(db, neighbour: Neighbour, kind: Literal["saw", "drill", "ladder"]) -> Wish:
    """Note that a neighbour waits for a kind of tool.

    Args:
        kind: The kind of tool that is wanted
    """
    if any(wish.kind == kind for wish in neighbour.wishes):
        raise ToolError("wished_already")
    return db.create(Wish, neighbour=neighbour, kind=kind)


@domain.write(changes=[deletes("wish")], ask=["forget {wish}"])
def drop_wish(db, wish: Wish) -> Neighbour:
    """Forget what a neighbour waits for."""
    neighbour = wish.neighbour
    db.delete(wish)
    return neighbour


@domain.write(changes=[creates(Handover)], handover=True, ask=["speak to the owner"])
def hand_over(db, neighbour: Neighbour, reason: Literal["damage", "other"]) -> Handover:
    """Hand the conversation to the owner of the shed: for damage, and what no tool can do.

    Args:
        reason: Why
    """
    return db.create(Handover, neighbour=neighbour, reason=reason)


@domain.invariant(Tool)
def lent_once(tool: Tool) -> bool:
    lent = sum(loan.status == "open" for loan in tool.loans)
    return lent == (tool.status == "out")


@domain.invariant(Neighbour)
def within_limit(neighbour: Neighbour) -> bool:
    return sum(loan.status == "open" for loan in neighbour.loans) <= MAX_LOANS


domain.situation("A shelf has come down.", leads_to=["lend_tool"])


@domain.seed
def seed(w: Seeder) -> None:
    people = [
        w.add(Neighbour, name=person.name, email=person.email, banned=number % 5 == 4)
        for number, person in enumerate(w.people(w.scaled(10)))
    ]
    for number in range(w.scaled(24)):
        kind = ("saw", "drill", "ladder")[number % 3]
        tool = w.add(Tool, kind=kind, status=("in", "out", "in", "broken")[number % 4])
        borrower = people[number // 6 % len(people)]
        if tool.status == "out" and len(open_loans(borrower)) >= MAX_LOANS:
            tool.status = "in"
        elif tool.status == "out":
            w.add(Loan, neighbour=borrower, tool=tool, due_on=w.day(-2, 6), extended=number % 2)
        if number % 3 == 0:
            past = {"due_on": w.day(-60, -10), "status": "closed"}
            w.add(Loan, neighbour=people[number % len(people)], tool=tool, **past)
    for person in people[::2]:
        w.add(Wish, neighbour=person, kind="saw")
'''


def changed(folder: Path, *substitutions: tuple[str, str]) -> Domain:
    """The small domain with changed texts, loaded from a file. Each old text must stand in it
    exactly once.
    """
    text = TEXT
    for old, new in substitutions:
        assert text.count(old) == 1, f"stands {text.count(old)} times: {old!r}"
        text = text.replace(old, new)
    path = folder / "tool_shed.py"
    path.write_text(text, encoding="utf-8")
    return load_file(path)


def static(domain: Domain) -> set[tuple[str, str]]:
    """(check, subject) of the static findings."""
    findings = Findings()
    check_statically(domain, findings)
    return {(f.check, f.subject) for f in findings.sorted()}


def walked(domain: Domain) -> set[tuple[str, str]]:
    """(check, subject) of what a walk finds."""
    findings = Findings()
    Walker(domain, PLAN, 0, findings).run()
    return {(f.check, f.subject) for f in findings.sorted()}
