"""Toy rental: a counter that lends toys, small enough to work every verdict out by hand."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal, TypedDict

from pydantic import Field

from davinci_env.domain import (
    Dialect,
    Domain,
    Log,
    Mapped,
    Money,
    Seeder,
    ToolError,
    column,
    creates,
    deletes,
    drawn,
    lifecycle,
    moves,
    outcome,
    ref,
    sets,
    stays,
)

domain = Domain(
    "toy_rental",
    version=1,
    category="Tests",
    today=datetime(2026, 3, 16, 9, 30),
    role="clerk at the counter of a toy rental",
    access="staff",
    intro="The counter lends toys to families and sends them by post.",
    dialect=Dialect(),
)

MAX_EXTENSIONS, OWED_LIMIT, MAX_RENTALS, LOAN_DAYS = 2, 500, 3, 14


class Person(domain.Entity, key="P-{:02d}", identity=True, label="{self.name}"):
    """Somebody who borrows toys."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    status: Mapped[str] = lifecycle(
        {"active": []}, outside={"active": ["barred"], "barred": ["active"]}
    )


class Toy(domain.Entity, key="T-{:02d}", label="the {self.name}"):
    """One toy."""

    name: Mapped[str]
    price: Mapped[Money] = column(ge=0)
    status: Mapped[str] = lifecycle({"shelved": ["out"], "out": ["shelved"]})


class Parcel(domain.Entity, key="PA-{:02d}", label="the parcel to {self.street}"):
    """Toys on their way by post."""

    person: Mapped[Person] = ref(owner=True)
    street: Mapped[Literal["Elm Street", "Oak Lane", "Mill Road"]]
    packed_at: Mapped[datetime] = column(volatile=True)


class Item(domain.Entity, key="IT-{:02d}", label="{self.count} of {self.toy.name}"):
    """What is in a parcel."""

    parcel: Mapped[Parcel] = ref(owner=True)
    toy: Mapped[Toy] = ref()
    count: Mapped[int] = column(1, ge=1)


class Rental(
    domain.Entity,
    key="R-{:02d}",
    label="the rental of the {self.toy.name}",
    shows={"toy_name": "toy.name"},
):
    """One toy lent to one person."""

    person: Mapped[Person] = ref(owner=True)
    toy: Mapped[Toy] = ref()
    parcel: Mapped[Parcel | None] = ref()
    due_on: Mapped[date] = column(says="due date")
    extensions: Mapped[int] = column(0, ge=0, says="number of extensions")
    status: Mapped[str] = lifecycle({"open": ["returned"]})


class Bill(
    domain.Entity,
    key="B-{:02d}",
    label="the bill for the {self.rental.toy.name}",
    shows={"toy_name": "rental.toy.name"},
):
    """Money owed for a rental."""

    person: Mapped[Person] = ref(owner=True)
    rental: Mapped[Rental] = ref()
    amount: Mapped[Money] = column(ge=0)
    paid: Mapped[Money] = column(0, ge=0, says="amount paid")
    status: Mapped[str] = lifecycle({"open": ["paid"]})


class Handover(domain.Entity, key="H-{:02d}", label="the hand-over"):
    """A conversation that a person continues."""

    person: Mapped[Person] = ref(owner=True)
    reason: Mapped[Literal["complaint", "other"]]


def owed(person: Person) -> int:
    return sum(bill.amount - bill.paid for bill in person.bills if bill.status == "open")


@domain.rule(
    governs=["extend_rental"],
    because=["it was extended {rental.extensions} times"],
    concepts=[
        ["extend", "extension", "longer"],
        ["at most", "limit", "maximum", "times", "already"],
    ],
)
def extensions_left(rental: Rental) -> bool:
    """A rental is extended at most {MAX_EXTENSIONS} times."""
    return rental.extensions < MAX_EXTENSIONS


@domain.rule(
    governs=["extend_rental", "lend_toy"],
    because=["too much is owed"],
    concepts=[["owe", "bill", "unpaid", "debt"], ["{OWED_LIMIT:money}", "too much", "pay", "more"]],
    remedy="pay_bill",
)
def little_owed(person: Person) -> bool:
    """Whoever owes {OWED_LIMIT:money} or more borrows and extends nothing before paying."""
    return owed(person) < OWED_LIMIT


@domain.rule(
    governs=["lend_toy"],
    because=["there are {MAX_RENTALS} rentals on the account"],
    concepts=[["rental", "toy", "borrow"], ["at most", "limit", "maximum", "at a time"]],
    remedy="take_back",
)
def below_rental_limit(person: Person) -> bool:
    """A person has at most {MAX_RENTALS} toys at a time."""
    return sum(rental.status == "open" for rental in person.rentals) < MAX_RENTALS


@domain.rule(
    by="agent",
    governs=["lend_toy"],
    because=["there is a parcel under way"],
    concepts=[["parcel", "post", "under way"], ["while", "wait", "until", "arrive", "before"]],
)
def no_parcel_under_way(person: Person) -> bool:
    """Lend nothing at the counter while a parcel to the same person is under way: it waits until
    the parcel has arrived."""
    return not person.parcels


@domain.rule(
    governs=["pay_bill"],
    because=["that is more than what is left of the bill"],
    concepts=[["payment", "amount", "pay"], ["more than", "exceed", "left", "too much"]],
)
def within_open_amount(bill: Bill, amount: Money) -> bool:
    """A payment is never more than what is left of the bill."""
    return amount <= bill.amount - bill.paid


@domain.rule(by="agent", kind="identification")
def known(log: Log, person: Person) -> bool:
    """Ask for the e-mail address before anything is shown or changed."""
    return log.identified(person, "email")


@domain.rule(by="agent", kind="confirmation")
def agreed(log: Log) -> bool:
    """Repeat a payment or a dissolved parcel with its details and wait for a yes."""
    return log.confirmed()


domain.reads(Person, find="email")
domain.reads(Toy, get=True, search=["name"])
domain.reads(Rental, list_of="person", requires=[known])
domain.reads(Bill, list_of="person", requires=[known])
domain.reads(Parcel, list_of="person", requires=[known])
domain.reads(Item, list_of="parcel")


@domain.write(
    requires=[extensions_left, little_owed.on("rental.person"), known.on("rental.person")],
    changes=[stays("rental", "open"), sets("rental", Rental.due_on, Rental.extensions)],
    ask=["keep {rental.toy} until {until}", "extend {rental} to {until}"],
    errors={"too_early": "The new date must be later than the old one."},
    outcome=outcome(quotes=["due_on"], mood="good"),
)
def extend_rental(
    db,
    rental: Rental,
    until: Annotated[
        date, drawn(lambda db, rental: [rental.due_on + timedelta(days=n) for n in (3, 7, 14)])
    ],
) -> Rental:
    """Let somebody keep a toy for longer.

    Args:
        until: The new due date
    """
    if until <= rental.due_on:
        raise ToolError("too_early")
    rental.due_on = until
    rental.extensions += 1
    return rental


@domain.write(
    requires=[within_open_amount, known.on("bill.person"), agreed],
    changes=[moves("bill", "open", to="paid"), sets("bill", Bill.paid)],
    ask=["pay {amount} of {bill}"],
    outcome=outcome(quotes=["paid"]),
)
def pay_bill(
    db,
    bill: Bill,
    amount: Annotated[
        Money,
        Field(ge=1, le=9_999),
        drawn(lambda db, bill: [bill.amount - bill.paid, 100, bill.amount + 100]),
    ],
) -> Bill:
    """Take money for an open bill.

    Args:
        amount: Cents to pay
    """
    bill.paid += amount
    if bill.paid == bill.amount:
        bill.status = "paid"
    return bill


@domain.write(
    requires=[below_rental_limit, little_owed, no_parcel_under_way, known],
    changes=[moves("toy", "shelved", to="out"), creates(Rental)],
    ask=["borrow {toy}", "take {toy} home"],
    outcome=outcome(quotes=["due_on"]),
)
def lend_toy(db, person: Person, toy: Toy) -> Rental:
    """Lend a toy at the counter for {LOAN_DAYS} days."""
    toy.status = "out"
    due_on = db.today + timedelta(days=LOAN_DAYS)
    return db.create(Rental, person=person, toy=toy, due_on=due_on)


@domain.write(
    requires=[known.on("rental.person")],
    changes=[moves("rental", "open", to="returned"), moves("rental.toy", "out", to="shelved")],
    ask=["bring {rental.toy} back"],
)
def take_back(db, rental: Rental) -> Rental:
    """Take a toy back."""
    rental.status = "returned"
    rental.toy.status = "shelved"
    return rental


@domain.write(
    requires=[known],
    changes=[creates(Parcel), creates(Item)],
    ask=["have {toy} sent to {street}"],
)
def post_toy(
    db, person: Person, toy: Toy, street: Literal["Elm Street", "Oak Lane", "Mill Road"]
) -> Parcel:
    """Send a toy by post in a parcel of its own.

    Args:
        street: Where to
    """
    parcel = db.create(Parcel, person=person, street=street, packed_at=db.now)
    db.create(Item, parcel=parcel, toy=toy)
    return parcel


@domain.write(
    requires=[known.on("rental.person")],
    changes=[stays("rental", "open"), creates(Parcel), sets("rental", Rental.parcel)],
    ask=["have a label for {rental} sent to {street}"],
)
def post_label(
    db, rental: Rental, street: Literal["Elm Street", "Oak Lane", "Mill Road"]
) -> Rental:
    """Send a label to return a toy with.

    Args:
        street: Where to
    """
    rental.parcel = db.create(Parcel, person=rental.person, street=street, packed_at=db.now)
    return rental


@domain.write(
    requires=[known.on("parcel.person")],
    changes=[sets("parcel", Parcel.street)],
    ask=["have {parcel} go to {street} instead"],
    errors={"same_street": "It goes there already."},
)
def redirect_parcel(
    db, parcel: Parcel, street: Literal["Elm Street", "Oak Lane", "Mill Road"]
) -> Parcel:
    """Send a parcel elsewhere.

    Args:
        street: Where to
    """
    if parcel.street == street:
        raise ToolError("same_street")
    parcel.street = street
    return parcel


class Gone(TypedDict):
    toys: int


@domain.write(
    requires=[known.on("parcel.person"), agreed],
    changes=[deletes("parcel.items"), deletes("parcel"), sets("parcel.rentals", Rental.parcel)],
    ask=["have {parcel} stopped"],
)
def stop_parcel(db, parcel: Parcel) -> Gone:
    """Dissolve a parcel."""
    toys = sum(item.count for item in parcel.items)
    for rental in parcel.rentals:
        rental.parcel = None
    for item in parcel.items:
        db.delete(item)
    db.delete(parcel)
    return {"toys": toys}


@domain.write(changes=[creates(Handover)], handover=True, requires=[known])
def hand_over(db, person: Person, reason: Literal["complaint", "other"]) -> Handover:
    """Hand over to a person.

    Args:
        reason: Why
    """
    return db.create(Handover, person=person, reason=reason)


@domain.seed
def seed(w: Seeder) -> None:
    """The same few rows for every seed; `scale` adds nothing."""
    ada = w.add(Person, name="Ada Berg", email="ada@example.com")
    bo = w.add(Person, name="Bo Chen", email="bo@example.com")
    cy = w.add(Person, name="Cy Diaz", email="cy@example.com")
    names = ("kite", "drum", "robot", "puzzle", "train", "yoyo", "globe", "sled")
    toys = [w.add(Toy, name=name, price=400 + 100 * n) for n, name in enumerate(names)]
    for person, toy, days, extensions in (
        (ada, 0, 4, 0),
        (ada, 1, 9, 2),  # extended as often as possible
        (bo, 2, 2, 1),
        (bo, 3, 6, 0),
        (bo, 4, 8, 0),  # the third of three
        (cy, 5, 3, 0),
    ):
        toys[toy].status = "out"
        w.add(
            Rental, person=person, toy=toys[toy], due_on=w.today + timedelta(days=days),
            extensions=extensions,
        )  # fmt: skip
    rentals = w.db.all(Rental)
    w.add(Bill, person=ada, rental=rentals[0], amount=150)  # B-01
    w.add(Bill, person=ada, rental=rentals[1], amount=200)  # B-02
    w.add(Bill, person=cy, rental=rentals[5], amount=400)  # B-03
    w.add(Bill, person=cy, rental=rentals[5], amount=300, paid=100)  # B-04: 600 owed in all
    elm = w.add(Parcel, person=ada, street="Elm Street", packed_at=w.now)  # PA-01
    w.add(Item, parcel=elm, toy=toys[6], count=2)  # IT-01
    w.add(Item, parcel=elm, toy=toys[7])  # IT-02
