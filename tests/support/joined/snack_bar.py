"""Snack bar: tabs that are paid at the end of the day. The other half of the joined worlds."""

from datetime import date, datetime
from typing import Literal

from davinci_env.domain import (
    Dialect,
    Domain,
    Log,
    Mapped,
    Money,
    Seeder,
    column,
    creates,
    lifecycle,
    moves,
    outcome,
    ref,
    sets,
    stays,
)

domain = Domain(
    "snack_bar",
    version=1,
    category="Food and Drink",
    today=datetime(2026, 7, 1, 12, 0),
    role="waiter of the snack bar",
    access="staff",
    intro="Guests have a tab.",
    dialect=Dialect(keys="camel", envelope="data", money="decimal", dates="us"),
)

SMALL = 100


class Guest(domain.Entity, key="GU-{:03d}", label="{self.name}", identity=True):
    """A person with a tab at the bar."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    postcode: Mapped[str]


class Voucher(domain.Entity, key="VO-{:03d}", label="the voucher {self.voucher_id}"):
    """A free drink."""

    guest: Mapped[Guest] = ref(owner=True)


class Tab(domain.Entity, key="TB-{:03d}", label="the tab of {opened_on}", called=["my tab"]):
    """What a guest has had and not paid yet."""

    guest: Mapped[Guest] = ref(owner=True)
    opened_on: Mapped[date]
    total: Mapped[Money] = column(ge=0)
    tip: Mapped[Money] = column(0, ge=0)
    status: Mapped[str] = lifecycle({"open": ["paid"]})


class Complaint(domain.Entity, key="HO-{:03d}", label="the hand-over"):
    """What the owner of the bar hears about."""

    guest: Mapped[Guest] = ref(owner=True)
    reason: Mapped[Literal["complaint", "hygiene"]]


@domain.rule(
    by="agent",
    kind="identification",
    governs=["pay_tab", "add_tip"],
    because=["I need your e-mail address and your postcode first"],
    concepts=[["e-mail", "email", "postcode"]],
)
def identified(log: Log, guest: Guest) -> bool:
    """A guest gives the e-mail address and the postcode before a tab is touched."""
    return log.identified(guest, "email", "postcode")


domain.reads(Guest, get=True, find="email")
domain.reads(Tab, get=True, list_of="guest", filters=["status"])
domain.reads(Voucher, list_of="guest")


@domain.helper
def fee_for(total: Money) -> Money:
    """A tip is half of the total, and {SMALL:money} at least.

    >>> fee_for(1000)
    500
    """
    return max(SMALL, total // 2)


@domain.write(
    requires=[identified.on("tab.guest")],
    changes=[moves("tab", "open", to="paid")],
    ask=["pay {tab}", "settle {tab}"],
    outcome=outcome(quotes=["total"], mood="good"),
)
def pay_tab(db, tab: Tab) -> Tab:
    """Take the money for a tab."""
    tab.status = "paid"
    return tab


@domain.write(
    requires=[identified.on("tab.guest")],
    changes=[stays("tab", "open"), sets("tab", Tab.tip)],
    ask=["put a tip of {amount} on {tab}"],
    outcome=outcome(quotes=["tip"], mood="good"),
)
def add_tip(db, tab: Tab, amount: Money) -> Tab:
    """Put a tip on an open tab.

    Args:
        amount: How much, e.g. 3.50
    """
    tab.tip = amount
    return tab


@domain.write(changes=[creates(Complaint)], handover=True, ask=["speak to the owner"])
def hand_over(db, guest: Guest, reason: Literal["complaint", "hygiene"]) -> Complaint:
    """Hand the conversation to the owner.

    Args:
        reason: Why
    """
    return db.create(Complaint, guest=guest, reason=reason)


@domain.seed
def seed(w: Seeder) -> None:
    for person in w.people(w.scaled(6)):
        guest = w.add(Guest, name=person.name, email=person.email, postcode=person.postcode)
        w.add(Voucher, guest=guest)
        for number in range(3):
            total = 500 + 100 * w.rng.randrange(40)
            status = w.pick(["open", "open", "paid"])
            w.add(Tab, guest=guest, opened_on=w.day(-9, -number), total=total, status=status)
