"""A small domain with every feature, for the tests of state, domain and environment: a tool-lending
shed.

Optional, owner and self references; counted, hashed, uuid-like and natural keys; unique, bounded,
hidden and volatile columns; every column type; lifecycles with outside arcs; list arguments; paged
reads; deletions. `make_domain` builds it anew in any dialect, for staff or self-service.
"""

from datetime import date, datetime, time, timedelta
from typing import Annotated, Any, Literal, TypedDict

from pydantic import Field

from davinci_env.domain import (
    Domain,
    Log,
    Minutes,
    Money,
    Page,
    Seeder,
    ToolError,
    creates,
    deletes,
    drawn,
    moves,
    outcome,
    page_of,
    sets,
    stays,
)
from tests.support.shed_records import (
    DEPOSIT,
    DIALECTS,
    MAX_LOANS,
    MAX_RENEWALS,
    NOTICE,
    TODAY,
    Shed,
    entities,
)

__all__ = [
    "DEPOSIT",
    "DIALECTS",
    "MAX_LOANS",
    "MAX_RENEWALS",
    "NOTICE",
    "TODAY",
    "Shed",
    "make_domain",
    "shed",
]


def make_domain(dialect: str = "plain", access: Literal["staff", "self_service"] = "staff") -> Shed:
    """Declare the whole domain; two calls give independent ones."""
    domain = Domain(
        "tool_shed",
        version=1,
        category="Community",
        today=TODAY,
        role="keeper of the shed",
        access=access,
        intro="The shed lends tools. A deposit is {DEPOSIT:money}.",
        dialect=DIALECTS[dialect],
    )
    shed = entities(domain)
    _reads(shed)
    _loans(shed)
    _others(shed)
    _seed(shed)
    return shed


def _reads(shed: Shed) -> None:
    domain, Member, Item, Loan, Hold = shed.domain, shed.Member, shed.Item, shed.Loan, shed.Hold
    domain.reads(Member, get=["loans"], find="email", search=["name"], page=3)
    domain.reads(
        Item,
        get=["holds"],
        search=["title", "remark"],
        filters=["status", "category", "electric"],
        page=4,
    )
    domain.reads(
        Loan, get=True, list_of=["member", "item"], filters=["status", "due_on"], page=2,
        names={"get": "loan_details"},
    )  # fmt: skip
    domain.reads(shed.Category, list_of="parent", names={"list": "list_shelves"})

    class Account(TypedDict):
        member: Member
        owed: Money
        next_due: date | None
        longest: Minutes
        loans: list[Loan]
        mood: Literal["good", "bad"] | None

    @domain.read()
    def account(db: Any, member: Member) -> Account:
        """Summarise what a member has and owes."""
        held = [loan for loan in member.loans if loan.status == "open"]
        return {
            "member": member,
            "owed": member.balance,
            "next_due": min((loan.due_on for loan in held), default=None),
            "longest": max((loan.item.slot for loan in held), default=0),
            "loans": held,
            "mood": "good" if held else None,
        }

    @domain.read(public=True)
    def queue(db: Any, item: Item, page: Annotated[int, Field(ge=1)] = 1) -> Page[Hold]:
        """List who waits for a tool. 2 a page."""
        return page_of(item.holds, page, 2)

    @domain.read()
    def due_between(db: Any, member: Member, first: date, last: date) -> list[Loan]:
        """List a member's loans due between two days.

        Args:
            first: First day.
            last: Last day.
        """
        return [loan for loan in member.loans if first <= loan.due_on <= last]


def _loans(shed: Shed) -> None:
    domain, Member, Item, Loan = shed.domain, shed.Member, shed.Item, shed.Loan

    @domain.rule(because=["the member is {member.status}"], concepts=[["active", "suspended"]])
    def member_active(member: Member) -> bool:
        """Only an active member may borrow."""
        return member.status == "active"

    @domain.rule(governs=["renew_loan"], because=["it was renewed {loan.renewals} times"])
    def renewals_left(loan: Loan) -> bool:
        """A loan may be renewed at most {MAX_RENEWALS} times."""
        return loan.renewals < MAX_RENEWALS

    @domain.rule
    def below_limit(member: Member) -> bool:
        """A member may hold at most {MAX_LOANS} tools at a time."""
        return sum(loan.status == "open" for loan in member.loans) < MAX_LOANS

    @domain.rule(by="agent", kind="confirmation")
    def confirmed(log: Log) -> bool:
        """Have the details confirmed before you write."""
        return log.confirmed()

    @domain.rule(by="agent", kind="identification")
    def identified(log: Log, member: Member) -> bool:
        """Identify the member by e-mail first."""
        return log.identified(member, "email")

    @domain.write(
        requires=[member_active, below_limit, identified, confirmed],
        changes=[creates(Loan), moves("item", "shelved", to="out")],
        ask=["borrow {item}"],
    )
    def borrow(
        db: Any,
        member: Member,
        item: Item,
        days: Annotated[int, Field(ge=1, le=30)] = 7,
        buddy: Member | None = None,
    ) -> Loan:
        """Lend a tool.

        Args:
            days: Days until it is due.
            buddy: The ID of a member who helps.
        """
        item.status = "out"
        return db.create(
            Loan, member=member, item=item, buddy=buddy, taken_at=db.now,
            due_on=db.today + timedelta(days=days), kind="day" if days == 1 else "week",
        )  # fmt: skip

    @domain.write(
        requires=[renewals_left, member_active.on("loan.member"), confirmed],
        changes=[stays("loan", "open"), sets("loan", Loan.due_on, Loan.renewals)],
        ask=["renew {loan}"],
        errors={"too_early": "The new day must be later than the old one."},
        outcome=outcome(quotes=["due_on"], mood="good"),
    )
    def renew_loan(db: Any, loan: Loan, until: date) -> Loan:
        """Renew an open loan.

        Args:
            until: The new due day.
        """
        if until <= loan.due_on:
            raise ToolError("too_early")
        loan.due_on = until
        loan.renewals += 1
        return loan

    @domain.write(
        changes=[moves("loan", "open", to="returned"), moves("loan.item", "out", to="shelved")],
        ask=["return {loan}"],
    )
    def give_back(db: Any, loan: Loan) -> Loan:
        """Take a tool back."""
        loan.status = "returned"
        loan.item.status = "shelved"
        return loan


def _others(shed: Shed) -> None:
    domain, Member, Item, Hold = shed.domain, shed.Member, shed.Item, shed.Hold
    Category = shed.Category

    @domain.rule
    def one_category_left(items: list[Item], category: Category) -> bool:
        """Tools move only to a shelf where they are not yet."""
        return all(item.category is not category for item in items)

    @domain.write(requires=[one_category_left], changes=[sets("items", Item.category)])
    def move_items(db: Any, items: list[Item], category: Category) -> list[Item]:
        """Move tools to another shelf."""
        for item in items:
            item.category = category
        return items

    @domain.write(changes=[creates(Hold)])
    def place_hold(db: Any, member: Member, item: Item, note: str | None = None) -> Hold:
        """Put a member in the queue.

        Args:
            note: A remark.
        """
        last = item.holds[-1] if item.holds else None
        return db.create(Hold, member=member, item=item, note=note, after=last)

    @domain.write(changes=[deletes("hold"), sets("hold.before", Hold.after)])
    def cancel_hold(db: Any, hold: Hold) -> Member:
        """Take a member out of the queue."""
        for other in hold.before:
            other.after = hold.after
        member = hold.member
        db.delete(hold)
        return member

    @domain.write(
        changes=[sets("member", Member.balance)],
        errors={"too_much": "That is more than is owed."},
    )
    def pay(
        db: Any,
        member: Member,
        amount: Annotated[
            Money, Field(ge=1, le=50_000), drawn(lambda db, member: [member.balance])
        ],
    ) -> Member:
        """Pay what is owed.

        Args:
            amount: The amount to pay.
        """
        if amount > member.balance:
            raise ToolError("too_much")
        member.balance -= amount
        return member

    @domain.write(changes=[sets("item", Item.slot, Item.opens_at, Item.electric, Item.weight)])
    def set_hours(
        db: Any,
        item: Item,
        slot: Annotated[Minutes, Field(ge=5)],
        opens_at: time | None = None,
        electric: bool = False,
        weight: Annotated[float, Field(ge=0.5, le=99.5)] = 1.0,
        checked: list[date] | None = None,
        label: Annotated[str, Field(min_length=2, max_length=12)] = "none",
        at: datetime | None = None,
    ) -> Item:
        """Say how a tool is used.

        Args:
            slot: How long one use takes.
            opens_at: From when on.
            electric: Whether it needs a socket.
            weight: In kilograms.
            checked: Days on which it was checked.
            label: Its label.
            at: Since when.
        """
        item.slot, item.opens_at, item.electric, item.weight = slot, opens_at, electric, weight
        return item

    @domain.write(
        changes=[sets("member", Member.email)],
        errors={"taken": "Another member has this address."},
    )
    def change_email(db: Any, member: Member, email: Annotated[str, Member.email]) -> Member:
        """Change an address.

        Args:
            email: The new address.
        """
        if db.one(Member, email=email) is not None:
            raise ToolError("taken")
        member.email = email
        return member

    @domain.write(changes=[creates(Hold)], handover=True)
    def hand_over(
        db: Any, member: Member, item: Item, reason: Literal["complaint", "unclear"]
    ) -> Hold:
        """Hand over to a person.

        Args:
            reason: Why.
        """
        return db.create(Hold, member=member, item=item, note=reason)

    @domain.invariant(Item)
    def never_free(item: Any) -> bool:
        return bool(item.price >= 0)

    @domain.helper
    def late_fee(days: int) -> Money:
        """The fee for some days: 25 cents each.

        >>> late_fee(4)
        100
        """
        return days * 25

    domain.situation("You are building a shelf.", leads_to=["borrow"])


def _seed(shed: Shed) -> None:
    Member, Category, Item, Loan, Hold = (
        shed.Member, shed.Category, shed.Item, shed.Loan, shed.Hold,
    )  # fmt: skip

    @shed.domain.seed
    def seed(w: Seeder) -> None:
        members = [
            w.add(Member, name=p.name, email=p.email, born_on=p.birth_date, balance=200 * n)
            for n, p in enumerate(w.people(w.scaled(6)))
        ]
        members[-1].status = "suspended"
        top = w.add(Category, slug="tools", title="Tools")
        shelves = [
            w.add(Category, slug=s, title=s.title(), parent=top)
            for s in ("garden", "wood", "metal")
        ]
        items = [
            w.add(
                Item,
                category=shelves[n % 3],
                title=f"{('Saw', 'Drill', '100% rake', 'Plane_2')[n % 4]} {n}",
                price=250 + 5 * n,
                slot=15 + n,
                weight=0.5 + n / 4,
                electric=n % 4 == 1,
                opens_at=time(8, 15) if n % 2 else None,
            )
            for n in range(w.scaled(12))
        ]
        for n, member in enumerate(members):
            for k in range(n % 4):
                item = items[(3 * n + k) % len(items)]
                status = "open" if item.status == "shelved" else "returned"
                w.add(
                    Loan, member=member, item=item, due_on=w.day(-3, 10), taken_at=w.now,
                    buddy=members[0] if k else None, renewals=k, status=status,
                )  # fmt: skip
                item.status = "out"
        last = None
        for member in members[:5]:
            last = w.add(Hold, member=member, item=items[0], after=last)


_made: dict[tuple[str, str], Shed] = {}


def shed(dialect: str = "plain", access: Literal["staff", "self_service"] = "staff") -> Shed:
    """The finished domain, made once."""
    if (dialect, access) not in _made:
        made = make_domain(dialect, access)
        made.domain.finish()
        _made[dialect, access] = made
    return _made[dialect, access]
