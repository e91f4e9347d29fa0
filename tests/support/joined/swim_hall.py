"""Swim hall: lockers rented by the day. One half of the joined worlds of the tests."""

from datetime import datetime
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
    "swim_hall",
    version=1,
    category="Sports and Leisure",
    today=datetime(2026, 5, 4, 10, 0),
    role="counter clerk of the swim hall",
    access="staff",
    intro="The hall rents lockers.",
    dialect=Dialect(dates="iso"),
)

MAX_DAYS = 9
DAY_FEE = 150


class Swimmer(domain.Entity, key="SW-{:03d}", label="{self.name}", identity=True):
    """A person with a card of the hall."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    secret: Mapped[str] = column("", hidden=True)


class Voucher(domain.Entity, key="VO-{:03d}", label="the voucher {self.voucher_id}"):
    """A free day."""

    swimmer: Mapped[Swimmer] = ref(owner=True)


class Locker(
    domain.Entity, key="LK-{:03d}", label="locker {number}", called=["my locker {number}"]
):
    """A locker that somebody rents."""

    swimmer: Mapped[Swimmer] = ref(owner=True)
    number: Mapped[int]
    days: Mapped[int] = column(1, ge=1)
    fee: Mapped[Money] = column(ge=0)
    status: Mapped[str] = lifecycle({"rented": ["emptied"]})


class Case(domain.Entity, key="HO-{:03d}", label="the hand-over"):
    """A conversation that the manager continues."""

    swimmer: Mapped[Swimmer] = ref(owner=True)
    reason: Mapped[Literal["complaint", "other"]]


@domain.rule(
    by="agent",
    kind="identification",
    governs=["keep_locker", "empty_locker"],
    because=["I need your e-mail address first"],
    concepts=[["e-mail", "email"]],
)
def identified(log: Log, swimmer: Swimmer) -> bool:
    """Before anything is changed, the swimmer has to give the e-mail address of the card."""
    return log.identified(swimmer, "email")


@domain.rule(
    governs=["keep_locker"],
    because=["a locker is rented for {MAX_DAYS} days at most"],
    concepts=[["{MAX_DAYS}"], ["days"]],
)
def short_enough(locker: Locker) -> bool:
    """A locker is rented for at most {MAX_DAYS} days."""
    return locker.days < MAX_DAYS


domain.reads(Swimmer, get=True, find="email")
domain.reads(Locker, get=True, list_of="swimmer", filters=["status"])
domain.reads(Voucher, list_of="swimmer")


@domain.helper
def fee_for(days: int) -> Money:
    """A day costs {DAY_FEE:money}.

    >>> fee_for(2)
    300
    """
    return DAY_FEE * days


@domain.write(
    requires=[short_enough, identified.on("locker.swimmer")],
    changes=[stays("locker", "rented"), sets("locker", Locker.days, Locker.fee)],
    ask=["keep {locker} for another day"],
    outcome=outcome(quotes=["fee"], mood="good"),
)
def keep_locker(db, locker: Locker) -> Locker:
    """Rent a locker for one more day."""
    locker.days = locker.days + 1
    locker.fee = fee_for(locker.days)
    return locker


@domain.write(
    requires=[identified.on("locker.swimmer")],
    changes=[moves("locker", "rented", to="emptied")],
    ask=["have {locker} emptied", "give up {locker}"],
)
def empty_locker(db, locker: Locker) -> Locker:
    """End the rent of a locker."""
    locker.status = "emptied"
    return locker


@domain.write(changes=[creates(Case)], handover=True, ask=["speak to the manager"])
def hand_over(db, swimmer: Swimmer, reason: Literal["complaint", "other"]) -> Case:
    """Hand the conversation to the manager.

    Args:
        reason: Why
    """
    return db.create(Case, swimmer=swimmer, reason=reason)


@domain.invariant(Locker)
def days_within_limit(locker: Locker) -> bool:
    return locker.days <= MAX_DAYS


@domain.seed
def seed(w: Seeder) -> None:
    for person in w.people(w.scaled(8)):
        swimmer = w.add(Swimmer, name=person.name, email=person.email)
        w.add(Voucher, swimmer=swimmer)
        for number in range(3):
            days = 1 + w.rng.randrange(MAX_DAYS)
            w.add(Locker, swimmer=swimmer, number=100 + number, days=days, fee=fee_for(days))
