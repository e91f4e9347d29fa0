"""The domain of the agents' tests: a bike rental desk."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal, TypedDict

from pydantic import Field

from davinci_env.domain import (
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

MAX_RENTALS = 2
DAY_FEE = 300

domain = Domain(
    "bike_desk",
    version=1,
    category="Mobility",
    today=datetime(2026, 6, 1, 10, 0),
    role="clerk of a bike rental desk",
)


class Rider(domain.Entity, key="R-{:03d}", identity=True, label="{name}"):
    """A person who rents."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    postcode: Mapped[str]


class Station(domain.Entity, key="S-{:02d}", label="the {name} station"):
    """A place where bikes stand."""

    name: Mapped[str]
    status: Mapped[str] = lifecycle({"open": []}, outside={"open": ["closed"]})


class Bike(domain.Entity, key="B-{:03d}", label="the {model} at {self.station.name}"):
    """A bike."""

    model: Mapped[str]
    station: Mapped[Station] = ref()
    status: Mapped[str] = lifecycle({"free": ["out"], "out": ["free"]})


class Reservation(domain.Entity, key="V-{:03d}", label="a reservation"):
    """Somebody else's claim on a bike. No tool shows it."""

    bike: Mapped[Bike] = ref()


class Rental(
    domain.Entity,
    key="L-{:03d}",
    label="the rental of the {self.bike.model}",
    shows={"model": "bike.model"},
):
    """A bike lent to a rider."""

    rider: Mapped[Rider] = ref(owner=True)
    bike: Mapped[Bike] = ref()
    due_on: Mapped[date] = column(says="due date")
    extensions: Mapped[int] = column(0, ge=0)
    status: Mapped[str] = lifecycle({"open": ["returned"]})


class Charge(domain.Entity, key="C-{:03d}", label="the charge for {reason}"):
    """Money that a rider owes."""

    rider: Mapped[Rider] = ref(owner=True)
    reason: Mapped[str]
    amount: Mapped[Money] = column(ge=0)
    status: Mapped[str] = lifecycle({"open": ["paid"]})


# Rules ---------------------------------------------------------------------------------------


@domain.rule(
    governs=["take_bike"],
    because=["{rider.name} has {MAX_RENTALS} bikes already"],
    concepts=[["limit", "at most", "already"], ["bike", "rental"]],
)
def below_limit(rider: Rider) -> bool:
    """A rider has at most {MAX_RENTALS} bikes at a time."""
    return sum(rental.status == "open" for rental in rider.rentals) < MAX_RENTALS


@domain.rule(
    governs=["take_bike"],
    because=["there is an unpaid charge"],
    concepts=[["unpaid", "owe", "charge", "settled"]],
    remedy="pay_charge",
)
def owes_nothing(rider: Rider) -> bool:
    """Nobody takes a bike before all charges are settled."""
    return all(charge.status == "paid" for charge in rider.charges)


@domain.rule(
    governs=["take_bike"],
    because=["it is reserved for somebody else"],
    concepts=[["reserved", "reservation"]],
)
def not_reserved(bike: Bike) -> bool:
    """A reserved bike is not lent."""
    return not bike.reservations


@domain.rule(
    by="agent",
    governs=["extend_rental"],
    because=["it was extended before"],
    concepts=[["extend", "extension"], ["once", "before", "already"]],
)
def one_extension(rental: Rental) -> bool:
    """A rental is extended once."""
    return rental.extensions == 0


@domain.rule(by="agent", kind="identification")
def identified(log: Log, rider: Rider) -> bool:
    """Riders identify themselves by e-mail address, or by rider number and postcode."""
    return log.identified(rider, "email") or log.identified(rider, "rider_id", "postcode")


@domain.rule(by="agent", kind="confirmation")
def confirmed(log: Log) -> bool:
    """Money is taken after a clear yes."""
    return log.confirmed()


@domain.rule(
    by="agent",
    governs=["return_bike"],
    because=["I have to look up the fee first"],
    concepts=[["fee"]],
    remedy="quote_late",
)
def fee_quoted(db, log: Log, rental: Rental) -> bool:
    """Before a late bike is taken back, the fee is looked up and told."""
    return rental.due_on >= db.today or log.called("quote_late")


# Reads ---------------------------------------------------------------------------------------

domain.reads(Rider, find="email")
domain.reads(Station, search=["name"])
domain.reads(Bike, search=["model"], list_of="station", page=2)
domain.reads(Rental, list_of="rider", filters=["status"], page=2, requires=[identified])
domain.reads(Rental, get=True, requires=[identified.on("rental.rider")])
domain.reads(Charge, list_of="rider", page=2, requires=[identified])


class LateQuote(TypedDict):
    """What a late rental costs by now."""

    fee: Money


@domain.read(
    requires=[identified.on("rental.rider")],
    tells={"fee": ["what I would owe for {rental}"]},
)
def quote_late(db, rental: Rental) -> LateQuote:
    """Work out the fee of a late rental."""
    return {"fee": DAY_FEE * max(0, (db.today - rental.due_on).days)}


# Writes --------------------------------------------------------------------------------------


@domain.write(
    requires=[below_limit, owes_nothing, not_reserved, identified],
    changes=[creates(Rental), moves("bike", "free", to="out")],
    ask=["take {bike}"],
    outcome=outcome(quotes=["due_on"]),
)
def take_bike(db, rider: Rider, bike: Bike) -> Rental:
    """Lend a bike for a week."""
    bike.status = "out"
    return db.create(Rental, rider=rider, bike=bike, due_on=db.today + timedelta(days=7))


@domain.write(
    requires=[one_extension, identified.on("rental.rider")],
    changes=[stays("rental", "open"), sets("rental", Rental.due_on, Rental.extensions)],
    ask=["extend {rental} by {days} days"],
    outcome=outcome(quotes=["due_on"]),
)
def extend_rental(db, rental: Rental, days: Annotated[int, Field(ge=1, le=7)]) -> Rental:
    """Extend a rental.

    Args:
        days: Days to add
    """
    rental.due_on += timedelta(days=days)
    rental.extensions += 1
    return rental


@domain.write(
    requires=[fee_quoted, confirmed, identified.on("rental.rider")],
    changes=[moves("rental", "open", to="returned"), moves("rental.bike", "out", to="free")],
    ask=["return {rental}"],
)
def return_bike(db, rental: Rental) -> Rental:
    """Take a bike back."""
    rental.status, rental.bike.status = "returned", "free"
    return rental


@domain.write(
    requires=[confirmed, identified.on("charge.rider")],
    changes=[moves("charge", "open", to="paid")],
    ask=["pay {charge}"],
    outcome=outcome(quotes=["amount"], irreversible=True),
)
def pay_charge(db, charge: Charge) -> Charge:
    """Take the payment of a charge."""
    charge.status = "paid"
    return charge


class Talk(domain.Entity, key="T-{:03d}", label="the conversation about the {reason}"):
    """A conversation that the manager goes on with."""

    rider: Mapped[Rider] = ref(owner=True)
    reason: Mapped[Literal["disputed_charge", "out_of_order"]]


@domain.write(
    requires=[confirmed, identified],
    changes=[creates(Talk)],
    ask=["speak to the manager about the {reason}"],
    handover=True,
)
def call_manager(db, rider: Rider, reason: Literal["disputed_charge", "out_of_order"]) -> Talk:
    """Let the manager go on with a conversation.

    Args:
        reason: What the manager is needed for
    """
    return db.create(Talk, rider=rider, reason=reason)


@domain.seed
def seed(w: Seeder) -> None:
    ada, ben, cleo, dora = (
        w.add(Rider, name=name, email=f"{name.split()[0].lower()}@example.com", postcode=code)
        for name, code in (
            ("Ada Holm", "AB1"),
            ("Ben Okafor", "BC2"),
            ("Cleo Marsh", "CD3"),
            ("Dora Quist", "DE4"),
        )
    )
    north, south = (w.add(Station, name=name) for name in ("North", "South"))
    names = ("Heron", "Heron", "Kestrel", "Plover", "Wren", "Wren")
    bikes = [
        w.add(Bike, model=name, station=(north, south)[n % 2], status="out" if n < 5 else "free")
        for n, name in enumerate(names)
    ]
    spare = w.add(Bike, model="Plover", station=south)
    w.add(Reservation, bike=spare)
    late = w.add(Bike, model="Curlew", station=north, status="out")
    for rider, bike, day, extended in (
        (ada, bikes[0], 8, 0),
        (ada, bikes[1], 9, 0),
        (ben, bikes[2], 8, 0),
        (ben, bikes[3], 11, 0),
        (cleo, bikes[4], 12, 1),
        (dora, late, 1, 0),
    ):
        due_on = date(2026, 6, day) if rider is not dora else date(2026, 5, 28)
        w.add(Rental, rider=rider, bike=bike, due_on=due_on, extensions=extended)
    w.add(Rental, rider=ada, bike=bikes[2], due_on=date(2026, 5, 1), status="returned")
    for rider, reason, amount, status in (
        (ada, "a puncture", 1250, "open"),
        (ada, "a lost lock", 3000, "open"),
        (ada, "cleaning", 500, "paid"),
        (cleo, "a bell", 400, "open"),
    ):
        w.add(Charge, rider=rider, reason=reason, amount=amount, status=status)
