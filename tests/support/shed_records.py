"""The records of the shed: its constants, dialects and entities."""

from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, Literal

from davinci_env.domain import (
    Dialect,
    Domain,
    Mapped,
    Minutes,
    Money,
    column,
    counted,
    hashed,
    lifecycle,
    natural,
    ref,
)

TODAY = datetime(2026, 3, 16, 9, 30)
MAX_RENEWALS = 2
MAX_LOANS = 4
NOTICE = 90
DEPOSIT = 1250

DIALECTS = {
    "plain": Dialect(),
    "shop": Dialect(
        keys="camel",
        envelope="data",
        paging="offset",
        money="decimal",
        dates="us",
        duration="iso8601",
        verbs={"get": "lookup_{entity}", "list": "list_{entities}_by_{owner}"},
        errors={"not_found": "{entity} {id} not found", "access_denied": "Not your {entity}."},
    ),
    "club": Dialect(
        keys="camel",
        envelope="entity",
        paging="cursor",
        money="number",
        dates="eu",
        duration="clock",
        currency="€",
    ),
    "desk": Dialect(envelope="result", paging="page", money="decimal", dates="eu"),
}


@dataclass(frozen=True)
class Shed:
    """The domain with its entity classes."""

    domain: Domain
    Member: Any
    Category: Any
    Item: Any
    Loan: Any
    Hold: Any


MEMBERSHIP = {"active": ["suspended"], "suspended": ["active"]}


def entities(domain: Domain) -> Shed:
    class Member(domain.Entity, key="M-{:04d}", identity=True, label="{self.name}"):
        """A person who borrows."""

        name: Mapped[str]
        email: Mapped[str] = column(unique=True)
        born_on: Mapped[date]
        balance: Mapped[Money] = column(0, ge=0, le=100_000)
        pin: Mapped[str] = column("0000", hidden=True)
        status: Mapped[str] = lifecycle({"active": ["closed"]}, outside=MEMBERSHIP)

    class Category(domain.Entity, key=natural("slug"), plural="categories", label="{slug}"):
        """A shelf, perhaps within another."""

        slug: Mapped[str]
        title: Mapped[str]
        parent: Mapped["Category | None"] = ref(back="shelves")

    class Item(domain.Entity, key=hashed("it_", 6), label="the {self.title}"):
        """One tool."""

        category: Mapped[Category] = ref()
        title: Mapped[str]
        price: Mapped[Money] = column(ge=0)
        slot: Mapped[Minutes] = column(30, ge=5)
        weight: Mapped[float] = column(1.0, ge=0, doc="in kilograms")
        electric: Mapped[bool] = column(False)
        opens_at: Mapped[time | None]
        remark: Mapped[str | None] = column(None, volatile=True)
        status: Mapped[str] = lifecycle(
            {"shelved": ["out", "retired"], "out": ["shelved"]}, outside={"out": ["retired"]}
        )

    class Loan(
        domain.Entity,
        key=counted("#{:05d}", start=100, step=7),
        label="the loan of {self.item.title}",
        shows={"title": "item.title", "price": "item.price", "helper": "buddy.born_on"},
    ):
        """One tool lent to one member."""

        member: Mapped[Member] = ref(owner=True)
        item: Mapped[Item] = ref()
        buddy: Mapped[Member | None] = ref(back="helped")
        due_on: Mapped[date]
        taken_at: Mapped[datetime] = column(volatile=True)
        renewals: Mapped[int] = column(0, ge=0, le=5)
        kind: Mapped[Literal["day", "week"]] = column("week")
        status: Mapped[str] = lifecycle({"open": ["returned", "lost"]})

    class Hold(domain.Entity, key=hashed(uuid=True), label="a hold on {self.item.title}"):
        """A place in the queue for a tool."""

        member: Mapped[Member] = ref(owner=True)
        item: Mapped[Item] = ref()
        note: Mapped[str | None]
        after: Mapped["Hold | None"] = ref(back="before")

    return Shed(domain, Member, Category, Item, Loan, Hold)
