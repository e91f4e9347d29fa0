"""A boat hire that declares how everything is spoken of, small enough to word texts by hand."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal, TypedDict

from davinci_env.domain import (
    Domain,
    Log,
    Mapped,
    Money,
    Seeder,
    column,
    creates,
    drawn,
    lifecycle,
    moves,
    outcome,
    part,
    ref,
    sets,
    stays,
)
from davinci_env.environment import DomainEnvironment

MAX_MOVES, DEPOSIT_CAP = 2, 5000

domain = Domain(
    "boat_hire",
    version=1,
    category="Tests",
    today=datetime(2026, 6, 1, 10, 0),  # a Monday
    role="clerk of a boat hire",
    access="staff",
    intro="Boats are hired for a day.",
)


class Guest(domain.Entity, key="G-{:02d}", identity=True, label="{self.name}"):
    """Somebody who hires boats."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")


class Boat(domain.Entity, key="B-{:02d}", label="the {self.name}", called=["{name}"]):
    """A boat."""

    name: Mapped[str]
    jetty: Mapped[str]


class Booking(
    domain.Entity,
    key="K-{:02d}",
    label="the booking of the {self.boat.name}",
    called=["my {boat.name} booking", "the boat I have on {day}"],
    superlatives={
        "day": ("that's first", "that's last"),
        "price": ("that costs least", "that costs most"),
    },
):
    """A boat for a day."""

    guest: Mapped[Guest] = ref(owner=True)
    boat: Mapped[Boat] = ref()
    day: Mapped[date] = column(
        asks=["which day {it} is for", "when {it} takes place"],
        told=["{it} is for {value}"],
    )
    price: Mapped[Money] = column(ge=0)
    moves: Mapped[int] = column(
        0, ge=0, says="number of moves", told=["{it} was moved {value} times"]
    )
    status: Mapped[str] = lifecycle({"booked": ["cancelled"]})


class Fee(domain.Entity, key="F-{:02d}", label="the fee for the {self.booking.boat.name}"):
    """Money owed."""

    guest: Mapped[Guest] = ref(owner=True)
    booking: Mapped[Booking] = ref()
    amount: Mapped[Money] = column(ge=0)
    status: Mapped[str] = lifecycle({"open": ["paid"]})


class Tour(
    domain.Entity,
    key="T-{:02d}",
    label="the tour on the {self.boat.name} on {day:%B %d}",
    called=["my tour on {day}", "my {boat.name} tour"],
):
    """A seat on a boat with others."""

    guest: Mapped[Guest] = ref(owner=True)
    boat: Mapped[Boat] = ref()
    day: Mapped[date] = column(told=["{it} is on {value}"])
    price: Mapped[Money] = column(ge=0, told=["{it} costs {value}"])


class Handover(domain.Entity, key="H-{:02d}", label="the hand-over"):
    """A conversation that a person continues."""

    guest: Mapped[Guest] = ref(owner=True)
    reason: Mapped[Literal["complaint", "other"]]


@domain.rule(by="agent", kind="identification")
def known(log: Log, guest: Guest) -> bool:
    """Ask for the e-mail address before anything is shown or changed."""
    return log.identified(guest, "email")


@domain.rule(by="agent", kind="confirmation")
def agreed(log: Log) -> bool:
    """Repeat a cancellation with its details and wait for a yes."""
    return log.confirmed()


@domain.rule(
    governs=["move_booking"],
    because=["it was moved {booking.moves} times, which is the maximum"],
    concepts=[["move", "moved", "shift"], ["maximum", "limit", "at most"]],
    offers=["you could cancel it and book anew"],
)
def moves_left(booking: Booking) -> bool:
    """A booking is moved at most {MAX_MOVES} times."""
    return booking.moves < MAX_MOVES


@domain.rule(
    governs=["cancel_booking"],
    parts=[
        part(
            "ahead",
            lambda db, booking: booking.day > db.today,
            because=["the day of it has come"],
            concepts=[["day", "today"], ["come", "past", "over"]],
        ),
        part(
            "cheap",
            lambda db, booking: booking.price <= DEPOSIT_CAP,
            because=["it costs {booking.price}, more than {DEPOSIT_CAP:money}"],
            concepts=[["costs", "price"], ["more than", "above"]],
            offers=["you could move it to another day"],
        ),
    ],
)
def cancellable(db, booking: Booking) -> bool:
    """A booking ahead that costs {DEPOSIT_CAP:money} or less is cancelled, no other."""
    return booking.day > db.today and booking.price <= DEPOSIT_CAP


class Terms(TypedDict):
    """What a cancellation would cost."""

    fee: Money


domain.reads(Guest, find="email")
domain.reads(Boat, get=True, search=["name"])
domain.reads(Booking, list_of="guest", filters=["status"], requires=[known])
domain.reads(Fee, list_of="guest", requires=[known])


@domain.read(
    requires=[known.on("booking.guest")],
    tells={"fee": ["what I would have to pay if I cancelled {booking}"]},
)
def quote_cancellation(db, booking: Booking) -> Terms:
    """What cancelling a booking would cost."""
    return {"fee": booking.price // 2}


@domain.write(
    requires=[moves_left, known.on("booking.guest")],
    changes=[stays("booking", "booked"), sets("booking", Booking.day, Booking.moves)],
    ask=["move {booking} to {day}", "push back {booking} to {day}"],
    asks={"day": ["We are open all week. What date would suit you?"]},
    outcome=outcome(
        quotes=["day"],
        mood="good",
        says=["The {booking.boat.name} is yours on {day} now; {booking} has kept its price."],
    ),
)
def move_booking(
    db,
    booking: Booking,
    day: Annotated[
        date, drawn(lambda db, booking: [booking.day + timedelta(days=n) for n in (1, 7)])
    ],
) -> Booking:
    """Move a booking to another day.

    Args:
        day: The new day
    """
    booking.day = day
    booking.moves += 1
    return booking


@domain.write(
    requires=[cancellable, agreed, known.on("booking.guest")],
    changes=[moves("booking", "booked", to="cancelled"), creates(Fee)],
    ask=["cancel {booking}", "take me off {booking.boat}"],
    outcome=outcome(
        quotes=["amount"],
        mood="bad",
        irreversible=True,
        says=["{booking} is off; a fee of {amount} is due."],
    ),
)
def cancel_booking(db, booking: Booking) -> Fee:
    """Cancel a booking for half its price."""
    booking.status = "cancelled"
    return db.create(Fee, guest=booking.guest, booking=booking, amount=booking.price // 2)


@domain.write(
    requires=[known.on("fee.guest")],
    changes=[moves("fee", "open", to="paid")],
    ask=["pay {fee}"],
)
def pay_fee(db, fee: Fee) -> Fee:
    """Take the money for a fee."""
    fee.status = "paid"
    return fee


@domain.write(
    requires=[known],
    changes=[creates(Handover)],
    handover=True,
    ask=["speak to a person about {reason}"],
)
def hand_over(db, guest: Guest, reason: Literal["complaint", "other"]) -> Handover:
    """Hand over to a person.

    Args:
        reason: Why
    """
    return db.create(Handover, guest=guest, reason=reason)


domain.situation("The forecast is dreadful.", leads_to=["move_booking", "cancel_booking"])
domain.second_thought("The sun is out again.", about=["cancel_booking"])
domain.concern("complaint", ["The seat of the {boat.name} was wet."], about=Booking)
domain.concern("other", ["Do you teach sailing?"])


@domain.seed
def seed(w: Seeder) -> None:
    """The same few rows for every seed."""
    ada = w.add(Guest, name="Ada Berg", email="ada@example.com")
    bo = w.add(Guest, name="Bo Chen", email="bo@example.com")
    names = ("Heron", "Otter", "Swift", "Plover")
    boats = [w.add(Boat, name=name, jetty=f"Jetty {n}") for n, name in enumerate(names)]
    for guest, boat, days, price, moved in (
        (ada, 0, 4, 4000, 0),  # K-01: the Heron, Friday, June 5
        (ada, 1, 9, 6000, 2),  # K-02: the Otter, moved as often as possible, and dear
        (ada, 2, 30, 1000, 1),  # K-03: the Swift, July 1
        (bo, 3, 5, 3000, 0),  # K-04: the Plover, another guest's
        (bo, 3, 6, 3000, 0),  # K-05: the Plover again, a day later
    ):
        day = w.today + timedelta(days=days)
        w.add(Booking, guest=guest, boat=boats[boat], day=day, price=price, moves=moved)
    w.add(Tour, guest=ada, boat=boats[1], day=w.today + timedelta(days=2), price=500)  # T-01
    w.add(Fee, guest=ada, booking=w.db.all(Booking)[0], amount=250)  # F-01


def hired(actor: str = "G-01") -> DomainEnvironment:
    """A new hire, with a guest who asks."""
    return DomainEnvironment(domain, domain.build(), actor)
