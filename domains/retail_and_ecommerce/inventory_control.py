"""Inventory control: the stock desk of a shop with four stores and two warehouses."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal, TypedDict

from pydantic import Field

from davinci_env.domain import (
    Dialect,
    Domain,
    Log,
    Mapped,
    Money,
    Page,
    Part,
    Row,
    Seeder,
    ToolError,
    column,
    counted,
    creates,
    drawn,
    hashed,
    lifecycle,
    moves,
    natural,
    outcome,
    page_of,
    part,
    ref,
    sets,
    stays,
)

domain = Domain(
    "inventory_control",
    version=1,
    category="Retail and E-commerce",
    today=datetime(2026, 5, 12, 11, 0),
    role="stock desk agent of Alder & Pine, a shop for outdoor and household goods",
    access="staff",
    without_tool="other",
    intro="""
The stock desk decides what Alder & Pine can promise. Account holders, trade customers and the
shop's own colleagues ask you to set goods aside, to have them brought from one place to another, to
put them out at a counter and to hand them over; colleagues also have shelves counted and damaged
goods taken out of sale. You neither sell nor take payment, and you order nothing from suppliers:
what a reorder would come to may be told, placing it is the buyers' business.

Figures change with every promise, so look a stock level up before you speak of it, and look again
after you have changed something. Name articles by colour, title and size rather than by their code.
Where goods cannot be had as wished, say which figure is in the way and what would help: another
location, a smaller number, a watch. Do not undo one person's promise to make room for another's.
""",
    dialect=Dialect(
        keys="camel",
        envelope="result",
        money="decimal",
        errors={
            "not_found": "Stock ledger: {entity} {id} is unknown.",
            "wrong_state": "Stock ledger: the {entity} is {state}; {wanted} is what this needs.",
            "access_denied": "Stock ledger: that {entity} belongs to another account.",
            "invalid": "Stock ledger: entry not accepted, {detail}.",
            "unknown_tool": "Stock ledger: no function of that kind.",
        },
        verbs={
            "get": "fetch_{entity}",
            "list": "{entities}_for_{owner}",
            "search": "query_{entities}",
            "find": "fetch_{entity}_by_{column}",
        },
    ),
)

QUOTA = {"standard": 12, "trade": 40, "colleague": 20}
HOLD_DAYS = {"standard": 5, "trade": 10, "colleague": 7}
HORIZON = {"standard": 14, "trade": 28, "colleague": 21}
MAX_EXTENSIONS, EXTENSION_WINDOW, LAPSE_DAYS = 2, 4, 10
MAX_WATCHES = 3
TOLERANCE_PIECES, TOLERANCE_PERCENT, PERCENT = 2, 4, 100
APPROVAL_CAP, RECOUNT_DAYS = 40000, 14
INSPECTION_DAYS = 2
WRITE_OFF_CAP, WRITE_OFF_TOTAL, WRITE_OFF_DAYS = 30000, 60000, 30
COVER, LEDGER_PAGE = 2, 20
MONDAY_TO_FRIDAY = 5

Tier = Literal["standard", "trade", "colleague"]
Cause = Literal["damaged", "mislabelled", "recalled"]
Matter = Literal[
    "count_difference", "large_write_off", "supplier", "account_details", "complaint", "other"
]

ARTICLE = {"title": "sku.title", "color": "sku.color", "size": "sku.size"}
STATE_TOLD = ["{it} is {value}", "{it} is {value} at present", "the ledger has {it} as {value}"]


class Requester(
    domain.Entity,
    key=counted("RQ{:05d}", start=40210, step=17),
    identity=True,
    label="{self.name}",
    called=["my account", "my stock account"],
):
    """Somebody with an account who may have goods set aside: a standard account holder, a trade
    customer or a colleague of the shop.
    """

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    phone: Mapped[str] = column(says="phone number")
    tier: Mapped[Tier] = column(
        says="kind of account",
        asks=["what kind of account I have", "what my account counts as"],
        told=["your account is a {value} one", "we have you down with a {value} account"],
    )


class Sku(
    domain.Entity,
    key=natural("sku_code"),
    plural="articles",
    label="the {self.color} {self.title} in {self.size}",
    called=[
        "the {color} {title} in {size}",
        "the {title} in {color} and {size}",
        "your {color} {title} in {size}",
        "the {title}, {size}, in {color}",
    ],
    superlatives={"unit_price": ("that costs least", "that costs most")},
):
    """An article in one colour and size. It leaves the shelf in whole packs only; the safety stock
    is kept back at every location, and at the reorder point the buyers order more.
    """

    sku_code: Mapped[str] = column(says="SKU")
    title: Mapped[str]
    color: Mapped[str]
    size: Mapped[str]
    unit_price: Mapped[Money] = column(
        ge=0,
        says="price of a piece",
        asks=["what one piece of {it} costs", "what {it} costs apiece"],
        told=["{it} costs {value} apiece", "one piece of {it} costs {value}"],
    )
    pack_size: Mapped[int] = column(
        ge=1,
        says="pieces in a pack",
        asks=["how many pieces are in a pack of {it}", "in what packs {it} comes"],
        told=["a pack of {it} holds {value}", "there are {value} to a pack of {it}"],
    )
    safety_stock: Mapped[int] = column(
        ge=0,
        asks=["how much safety stock you keep of {it}", "how many of {it} are kept back"],
        told=["the safety stock of {it} is {value} at each location"],
    )
    reorder_point: Mapped[int] = column(
        ge=0,
        asks=["what the reorder point of {it} is", "at what stock {it} is reordered"],
        told=["the reorder point of {it} is {value}", "{it} is reordered at {value}"],
    )


class Location(
    domain.Entity,
    key=natural("location_code"),
    label="the {self.name}",
    called=["the {name}", "your {name}", "the {name} in {city}"],
):
    """A store or a warehouse. Only stores have a counter; its capacity is the number of pieces that
    may stand there ready at the same time. The lead time of a transfer is counted in working days.
    """

    location_code: Mapped[str]
    name: Mapped[str]
    city: Mapped[str]
    kind: Mapped[Literal["store", "warehouse"]]
    capacity: Mapped[int] = column(
        ge=0,
        says="capacity of the counter",
        asks=["how many pieces the counter of {it} takes", "how much room {it} has at its counter"],
        told=[
            "the counter of {it} takes {value} pieces",
            "{it} has room for {value} at its counter",
        ],
    )
    lead_days: Mapped[int] = column(
        ge=1,
        says="lead time in working days",
        asks=["how many working days a transfer to {it} takes", "what the lead time to {it} is"],
        told=["a transfer to {it} takes {value} working days"],
    )
    status: Mapped[str] = lifecycle(
        {"open": [], "closed": []},
        outside={"open": ["closed"], "closed": ["open"]},
        asks=["whether {it} is open", "whether {it} is open or closed"],
        told=["{it} is {value}", "{it} is {value} for now"],
    )


class StockLevel(
    domain.Entity,
    key=hashed("lvl", 8),
    label="the stock of {self.sku} at {self.location}",
    shows={**ARTICLE, "location_name": "location.name"},
):
    """What one location has of one article. Quarantined and reserved pieces are on hand, but are
    promised to nobody else.
    """

    sku: Mapped[Sku] = ref()
    location: Mapped[Location] = ref()
    on_hand: Mapped[int] = column(0, ge=0)
    reserved: Mapped[int] = column(0, ge=0)
    quarantined: Mapped[int] = column(0, ge=0)


class Reservation(
    domain.Entity,
    key=counted("RES-{:06d}", start=218004, step=9),
    label="the reservation of {self.sku}",
    shows={**ARTICLE, "location_name": "location.name"},
    called=[
        "my reservation of the {sku.color} {sku.title} in {sku.size}",
        "the {sku.color} {sku.title} in {sku.size} you set aside for me",
        "the {sku.title} in {sku.size} set aside for me at the {location.name}",
        "my {sku.title} at the {location.name}, in {sku.color} and {sku.size}",
        "the {sku.color} {sku.title} in {sku.size} I reserved",
    ],
    superlatives={
        "expires_on": ("that runs out first", "that runs out last"),
        "value": ("that's worth least", "that's worth most"),
    },
):
    """Pieces of an article that a location keeps for a requester until a day: held in the racks,
    then ready at the counter, then collected. What nobody collects lapses overnight.
    """

    requester: Mapped[Requester] = ref(owner=True)
    sku: Mapped[Sku] = ref()
    location: Mapped[Location] = ref()
    quantity: Mapped[int] = column(
        ge=1,
        says="number of pieces",
        asks=["how many pieces {it} covers", "how many pieces there are in {it}"],
        told=["{it} is for {value} in all", "the number of pieces in {it} is {value}"],
    )
    value: Mapped[Money] = column(
        ge=0,
        asks=["what {it} is worth", "what {it} comes to in all"],
        told=["{it} is worth {value}", "{it} comes to {value} in all"],
    )
    placed_on: Mapped[date] = column(
        says="day it was made",
        asks=["on what day {it} was made", "since when {it} has been on the books"],
        told=["{it} was made on {value}", "{it} dates from {value}"],
    )
    expires_on: Mapped[date] = column(
        says="last day",
        asks=["until when {it} is kept", "what the last day of {it} is", "when {it} runs out"],
        told=["{it} is kept until {value}", "the last day of {it} is {value}"],
    )
    extensions: Mapped[int] = column(
        0,
        ge=0,
        says="number of extensions",
        asks=["how often {it} has been extended", "how many extensions {it} has had"],
        told=[
            "{it} has been extended {value} times",
            "the number of extensions of {it} is {value} so far",
        ],
    )
    reference: Mapped[str | None] = column(
        None,
        says="what it is for",
        asks=["which reference {it} carries", "what you noted {it} as being for"],
        told=["{it} carries the reference {value}", "{it} is noted as being for {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"held": ["ready", "released"], "ready": ["collected", "released"]},
        outside={"held": ["lapsed"], "ready": ["lapsed"]},
        asks=["whether {it} is at the counter yet", "how {it} stands", "what has become of {it}"],
        told=STATE_TOLD,
    )


class StockTransfer(
    domain.Entity,
    key=counted("TRF-{:05d}", start=70116, step=3),
    label="the transfer of {self.sku} to {self.target}",
    shows={**ARTICLE, "source_name": "source.name", "target_name": "target.name"},
    called=[
        "the transfer of my {sku.color} {sku.title} in {sku.size} to the {target.name}",
        "my transfer of the {sku.title} in {sku.color} and {sku.size} from the {source.name}",
        "the {sku.color} {sku.title} in {sku.size} that's to go to the {target.name}",
    ],
    superlatives={"arrives_on": ("that arrives first", "that arrives last")},
):
    """The move of a reservation's goods from one location to another: a draft until the van has
    taken them, in transit until the target has booked them in.
    """

    requester: Mapped[Requester] = ref(owner=True)
    reservation: Mapped[Reservation] = ref()
    sku: Mapped[Sku] = ref()
    source: Mapped[Location] = ref(back="outgoing")
    target: Mapped[Location] = ref(back="incoming")
    quantity: Mapped[int] = column(
        ge=1,
        says="number of pieces",
        asks=["how many pieces {it} moves"],
        told=["{it} moves {value} in all"],
    )
    arrives_on: Mapped[date | None] = column(
        None,
        says="day of arrival",
        asks=["when {it} arrives", "on what day {it} gets there"],
        told=["{it} arrives on {value}", "the day of arrival of {it} is {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"draft": ["in_transit", "cancelled"], "in_transit": ["received"]},
        asks=["how far {it} has got", "how {it} stands", "where {it} is by now"],
        told=STATE_TOLD,
    )


class StockCount(
    domain.Entity,
    key=hashed("cnt", 8),
    label="the count of {self.sku} at {self.location}",
    shows={**ARTICLE, "location_name": "location.name"},
    called=[
        "the count of the {sku.color} {sku.title} in {sku.size} at the {location.name}",
        "my count of the {sku.title} in {sku.color} and {sku.size} at the {location.name}",
        "the stock count of the {sku.color} {sku.title} in {sku.size} at the {location.name}",
    ],
):
    """A colleague's request that a shelf be counted, what was counted there, and what the ledger
    had at that moment. A difference changes the ledger once it has been approved."""

    requester: Mapped[Requester] = ref(owner=True)
    sku: Mapped[Sku] = ref()
    location: Mapped[Location] = ref()
    requested_on: Mapped[date] = column(
        says="day of the request",
        asks=["when {it} was asked for", "on what day {it} was requested"],
        told=["{it} was requested on {value}"],
    )
    booked: Mapped[int | None] = column(
        None,
        ge=0,
        says="number in the ledger",
        asks=["what the ledger said at the time of {it}"],
        told=["at the time of {it} the ledger said {value}"],
    )
    counted: Mapped[int | None] = column(
        None,
        ge=0,
        says="number counted",
        asks=["how many pieces were found in {it}", "what the result of {it} was"],
        told=["{it} found {value}", "the result of {it} was {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"requested": ["counted", "approved"], "counted": ["approved"]},
        asks=["whether {it} has been approved", "how {it} stands"],
        told=STATE_TOLD,
    )


class QuarantineLot(
    domain.Entity,
    key=counted("Q-{:04d}", start=1507, step=2),
    label="the quarantined {self.sku.color} {self.sku.title} in {self.sku.size}",
    shows={**ARTICLE, "location_name": "location.name"},
    called=[
        "the {cause} {sku.color} {sku.title} in {sku.size} I reported at the {location.name}",
        "the {sku.title} in {sku.color} and {sku.size} that I had put in quarantine as {cause}",
        "my quarantined {sku.color} {sku.title} in {sku.size} at the {location.name}",
    ],
    superlatives={"value": ("that's worth least", "that's worth most")},
):
    """Pieces that a colleague has had taken out of sale: damaged, mislabelled or recalled by the
    maker. After an inspection they go back on sale or are written off.
    """

    requester: Mapped[Requester] = ref(owner=True)
    sku: Mapped[Sku] = ref()
    location: Mapped[Location] = ref()
    quantity: Mapped[int] = column(
        ge=1,
        says="number of pieces",
        asks=["how many pieces there are in the lot of {it}"],
        told=["the lot of {it} has {value} in it"],
    )
    value: Mapped[Money] = column(
        ge=0,
        asks=["what {it} is worth", "what {it} would come to if it were written off"],
        told=["{it} is worth {value}", "the value of {it} is {value}"],
    )
    cause: Mapped[Cause] = column(
        asks=["for what cause {it} was put there"],
        told=["the cause noted for {it} is {value}"],
    )
    reported_on: Mapped[date] = column(
        says="day of the report",
        asks=["when {it} was reported", "since when {it} has been in quarantine"],
        told=["{it} was reported on {value}", "{it} has been out of sale since {value}"],
    )
    closed_on: Mapped[date | None] = column(
        None,
        says="day it was closed",
        asks=["on what day {it} was dealt with"],
        told=["{it} was dealt with on {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"open": ["cleared", "written_off"]},
        asks=["what has become of {it}", "whether {it} is still out of sale"],
        told=STATE_TOLD,
    )


class BackInStockWatch(
    domain.Entity,
    key=hashed("wch", 8),
    plural="watches",
    label="the watch on {self.sku}",
    shows=ARTICLE,
    called=[
        "my watch on the {sku.color} {sku.title} in {sku.size}",
        "the notice I asked for on the {sku.title} in {sku.color} and {sku.size}",
        "the watch I have on the {sku.color} {sku.title} in {sku.size}",
    ],
):
    """A requester's wish to hear when so many pieces of an article can be had again."""

    requester: Mapped[Requester] = ref(owner=True)
    sku: Mapped[Sku] = ref()
    quantity: Mapped[int] = column(
        ge=1,
        says="number of pieces",
        asks=["how many pieces {it} is for"],
        told=["the number of pieces that {it} is for is {value}"],
    )
    since: Mapped[date] = column(
        says="day it began",
        asks=["since when {it} has been running", "on what day {it} began"],
        told=["{it} has been running since {value}", "{it} began on {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"active": ["ended"]},
        outside={"active": ["notified"]},
        asks=["whether {it} is still running", "how {it} stands"],
        told=STATE_TOLD,
    )


class StockEscalation(domain.Entity, key="ESC-{:04d}", label="the hand-over"):
    """A conversation that the stock manager continues."""

    requester: Mapped[Requester] = ref(owner=True)
    reason: Mapped[Matter]
    at: Mapped[datetime] = column(volatile=True, says="time of the hand-over")


# Computations.


@domain.helper
def available_to_promise(on_hand: int, reserved: int, quarantined: int, safety: int) -> int:
    """What a location can promise of an article is what it has on hand, less what is reserved, less
    what is in quarantine, less the safety stock; it is never less than nothing.

    >>> available_to_promise(20, 6, 3, 4)
    7
    >>> available_to_promise(9, 3, 3, 4)
    0
    """
    return max(0, on_hand - reserved - quarantined - safety)


@domain.helper
def whole_packs(quantity: int, pack: int) -> int:
    """Goods are set aside in whole packs; a number in between is rounded up to the next full pack.

    >>> whole_packs(7, 6), whole_packs(12, 6), whole_packs(5, 1)
    (12, 12, 5)
    """
    return -(-quantity // pack) * pack


@domain.helper
def arrival_day(day: date, lead: int) -> date:
    """A transfer arrives as many working days after its dispatch as the lead time of the target
    says, Saturdays and Sundays not counted.

    >>> str(arrival_day(date(2026, 5, 12), 2)), str(arrival_day(date(2026, 5, 14), 2))
    ('2026-05-14', '2026-05-18')
    """
    while lead > 0:
        day += timedelta(days=1)
        lead -= day.weekday() < MONDAY_TO_FRIDAY
    return day


@domain.helper
def tolerance(booked: int) -> int:
    """A count may differ from the ledger by {TOLERANCE_PIECES} pieces or by {TOLERANCE_PERCENT}
    percent of what the ledger has, whichever is more, without anybody's approval.

    >>> tolerance(20), tolerance(75), tolerance(200)
    (2, 3, 8)
    """
    return max(TOLERANCE_PIECES, booked * TOLERANCE_PERCENT // PERCENT)


@domain.helper
def reorder_pieces(available: int, point: int, pack: int) -> int:
    """Nothing is reordered while more can be promised, over all locations, than the reorder point.
    From there on the suggestion fills the stock up to {COVER} times the reorder point, in whole
    packs.

    >>> reorder_pieces(21, 20, 6), reorder_pieces(20, 20, 6), reorder_pieces(0, 10, 1)
    (0, 24, 20)
    """
    return 0 if available > point else whole_packs(COVER * point - available, pack)


def worth(pieces: int, price: Money) -> Money:
    """What so many pieces come to.

    >>> worth(3, 4500)
    13500
    """
    return pieces * price


def is_tolerated(booked: int, found: int) -> bool:
    """Whether a count is close enough to the ledger to be posted at once.

    >>> is_tolerated(20, 22), is_tolerated(20, 18), is_tolerated(20, 23), is_tolerated(20, 17)
    (True, True, False, False)
    """
    return abs(found - booked) <= tolerance(booked)


def shares_of(pieces: int, free: list[int], pack: int) -> list[int]:
    """What each location gives, where the best supplied one gives first, and all in whole packs.

    >>> shares_of(24, [5, 0, 20, 8], 6), shares_of(12, [11, 40], 6), shares_of(5, [2, 1, 0], 1)
    ([18, 6], [12], [2, 1])
    """
    shares: list[int] = []
    for most in sorted((one // pack * pack for one in free), reverse=True):
        share = min(most, pieces - sum(shares))
        if share > 0:
            shares.append(share)
    return shares


def is_small(pieces: int, price: Money) -> bool:
    """Whether the desk may approve a difference of so many pieces.

    >>> is_small(4, 10000), is_small(-4, 10000), is_small(5, 10000), is_small(-5, 10000)
    (True, True, False, False)
    """
    return worth(abs(pieces), price) <= APPROVAL_CAP


def fits_total(before: Money, value: Money) -> bool:
    """Whether a further write-off stays within what a location may write off.

    >>> fits_total(35000, 25000), fits_total(35000, 25001)
    (True, False)
    """
    return before + value <= WRITE_OFF_TOTAL


def is_extendable(expires_on: date, day: date) -> bool:
    """Whether a reservation is close enough to its last day to be extended.

    >>> is_extendable(date(2026, 5, 16), date(2026, 5, 12))
    True
    >>> is_extendable(date(2026, 5, 17), date(2026, 5, 12))
    False
    """
    return (expires_on - day).days <= EXTENSION_WINDOW


def is_within(day: date, today: date, days: int) -> bool:
    """Whether something happened at most so many days ago.

    >>> is_within(date(2026, 5, 2), date(2026, 5, 12), 10)
    True
    >>> is_within(date(2026, 5, 1), date(2026, 5, 12), 10)
    False
    """
    return (today - day).days <= days


def is_inspected(reported_on: date, today: date) -> bool:
    """Whether goods have been in quarantine long enough for an inspection.

    >>> is_inspected(date(2026, 5, 10), date(2026, 5, 12))
    True
    >>> is_inspected(date(2026, 5, 11), date(2026, 5, 12))
    False
    """
    return (today - reported_on).days >= INSPECTION_DAYS


def horizon(tier: str, day: date) -> date:
    """The latest day until which goods are kept for somebody.

    >>> str(horizon("standard", date(2026, 5, 12))), str(horizon("trade", date(2026, 5, 12)))
    ('2026-05-26', '2026-06-09')
    """
    return day + timedelta(days=HORIZON[tier])


def first_expiry(tier: str, day: date) -> date:
    """The last day of a reservation that is made on a day.

    >>> (
    ...     str(first_expiry("standard", date(2026, 5, 12))),
    ...     str(first_expiry("trade", date(2026, 5, 12))),
    ... )
    ('2026-05-17', '2026-05-22')
    """
    return day + timedelta(days=HOLD_DAYS[tier])


def level_of(sku: Sku, location: Location) -> StockLevel | None:
    return next((level for level in sku.stock_levels if level.location is location), None)


def promise(level: StockLevel | None) -> int:
    if level is None:
        return 0
    kept = level.sku.safety_stock
    return available_to_promise(level.on_hand, level.reserved, level.quarantined, kept)


def promise_everywhere(sku: Sku) -> int:
    return sum(promise(level) for level in sku.stock_levels)


def is_live(reservation: Reservation) -> bool:
    return reservation.status in ("held", "ready")


def live(requester: Requester) -> list[Reservation]:
    return [reservation for reservation in requester.reservations if is_live(reservation)]


def pieces_of(requester: Requester) -> int:
    return sum(reservation.quantity for reservation in live(requester))


def at_counter(location: Location) -> int:
    return sum(x.quantity for x in location.reservations if x.status == "ready")


def watches_of(requester: Requester) -> list[BackInStockWatch]:
    return [watch for watch in requester.watches if watch.status == "active"]


def under_way(reservation: Reservation, status: str) -> bool:
    return any(transfer.status == status for transfer in reservation.stock_transfers)


def difference(count: StockCount) -> int:
    return (count.counted or 0) - (count.booked or 0)


def spoken_for(level: StockLevel) -> int:
    return level.reserved + level.quarantined + level.sku.safety_stock


def fits_promises(level: StockLevel, change: int) -> bool:
    return level.on_hand + change >= spoken_for(level)


def written_off(location: Location, today: date) -> Money:
    lots = [lot for lot in location.quarantine_lots if lot.status == "written_off"]
    return sum(lot.value for lot in lots if is_within(lot.closed_on, today, WRITE_OFF_DAYS))


def usual_quantities(sku: Sku, location: Location) -> list[int]:
    """Numbers that somebody might ask for: mostly a pack or two, now and then a broken pack, or
    more than there is."""
    pack = sku.pack_size
    few = [pack, pack, 2 * pack, 3 * pack]
    return [*few, pack + 1, whole_packs(promise(level_of(sku, location)) + 1, pack)]


def resized_to(reservation: Reservation) -> list[int]:
    """Other numbers of pieces for a reservation: a pack more or less, much more, a broken pack."""
    pack, now = reservation.sku.pack_size, reservation.quantity
    return [now + pack, now + pack, max(pack, now - pack), now + 4 * pack, now + 20 * pack, now + 1]


def usual_lots(sku: Sku, location: Location) -> list[int]:
    level = level_of(sku, location)
    return [1, 2, 3, promise(level) + 1]


def usual_results(count: StockCount) -> list[int]:
    """Results near the ledger, just outside the tolerance, and far off."""
    level = level_of(count.sku, count.location)
    far = tolerance(level.on_hand) + 1
    return [max(0, level.on_hand + change) for change in (0, -1, 2, -far, far, 2 * far)]


def each_tier(limits: dict[str, int], constant: str, holds, **words) -> list[Part]:
    """A part for each kind of account, so that a refusal quotes the limit that applies."""

    def within(tier: str):
        return lambda requester, quantity: requester.tier != tier or holds(requester, quantity)

    because, offers, remedy = words["because"], words["offers"], words["remedy"]
    return [
        part(
            tier,
            within(tier),
            because=[text.format(tier=tier, limit=f"{{{constant}[{tier}]}}") for text in because],
            concepts=words["concepts"],
            offers=offers,
            remedy=remedy,
        )
        for tier in limits
    ]


# Rules that the ledger enforces.

TOO_FEW = [
    ["available", "can promise", "promise", "stock", "on hand", "enough", "free", "left", "short"],
    ["not", "no", "only", "fewer", "less", "short", "enough", "too", "beyond", "exceed", "more"],
]
PACKS = [
    ["pack", "packs"],
    ["whole", "full", "complete", "multiple", "broken", "only", "open", "split"],
]
QUOTA_WORDS = [
    ["quota", "limit", "allowance", "maximum", "at most", "ceiling", "cap", "as many as"],
    ["piece", "pieces", "account", "set aside", "reserve", "reservation", "quota", "allowance"],
]
DRAFTED = [
    ["transfer", "draft", "drafted", "move"],
    ["draft", "drafted", "planned", "already", "cancel", "first", "waiting"],
]
ON_THE_ROAD = [
    ["transfer", "transit", "van", "road", "way", "travelling"],
    [
        "transit",
        "still",
        "on the road",
        "on its way",
        "on their way",
        "booked in",
        "arrive",
        "first",
        "received",
        "van",
    ],
]


@domain.rule(
    governs=["reserve_stock", "resize_reservation"],
    because=[
        "it comes in packs of {sku.pack_size}, and packs stay whole",
        "only full packs of {sku.pack_size} leave the shelf",
        "we don't split a pack, and a pack of it has {sku.pack_size}",
        "it has to be a multiple of {sku.pack_size}, as only whole packs are set aside",
    ],
    concepts=PACKS,
    offers=[
        "you could round up to a full pack",
        "the next number that makes whole packs would be fine",
        "we could go for a multiple of {sku.pack_size}",
    ],
)
def in_whole_packs(sku: Sku, quantity: int) -> bool:
    """A reservation is for whole packs, never for part of one; ask before you round up or down."""
    return quantity == whole_packs(quantity, sku.pack_size)


@domain.rule(
    governs=["reserve_stock"],
    because=[
        "there isn't enough of it available at the {location.name}",
        "the {location.name} can't promise that many, after what is reserved and kept back",
        "that is more than the {location.name} has free to promise",
        "the stock at the {location.name} is too short for that number",
    ],
    concepts=TOO_FEW,
    offers=[
        "you could take fewer of them",
        "we could see how the number splits over our other locations",
        "another location may be better supplied",
    ],
)
def enough_to_promise(sku: Sku, location: Location, quantity: int) -> bool:
    """Nothing is promised twice: a reservation is never for more than the location can promise."""
    return quantity <= promise(level_of(sku, location))


@domain.rule(
    governs=["resize_reservation"],
    because=[
        "there isn't enough of it left for a larger number at the {reservation.location.name}",
        "the {reservation.location.name} can't promise the additional pieces",
        "the additional pieces are more than the {reservation.location.name} has free",
    ],
    concepts=TOO_FEW,
    offers=[
        "you could raise it by less",
        "we could look for the missing pieces elsewhere",
    ],
)
def enough_for_more(reservation: Reservation, quantity: int) -> bool:
    """Where a reservation grows, the location must be able to promise the additional pieces."""
    more = quantity - reservation.quantity
    return more <= promise(level_of(reservation.sku, reservation.location))


@domain.rule(
    governs=["reserve_stock"],
    remedy="release_reservation",
    concepts=QUOTA_WORDS,
    parts=each_tier(
        QUOTA,
        "QUOTA",
        lambda requester, quantity: pieces_of(requester) + quantity <= QUOTA[requester.tier],
        because=[
            "a {tier} account has a quota of {limit} pieces, and that would exceed it",
            "your quota is {limit} pieces at a time, as it is for every {tier} account",
            "at most {limit} pieces may be set aside on a {tier} account at once",
            "with what you have reserved it would be more than the limit of {limit} pieces",
        ],
        concepts=QUOTA_WORDS,
        remedy="release_reservation",
        offers=[
            "you could give up one of your other reservations for it",
            "letting go of something that's set aside for you would make room",
            "a smaller number may fit",
        ],
    ),
)
def within_quota(requester: Requester, quantity: int) -> bool:
    """At most {QUOTA[standard]} pieces are set aside for a standard account at any time,
    {QUOTA[colleague]} for a colleague and {QUOTA[trade]} for a trade account; what is held and what
    is ready counts, what has been collected does not."""
    return pieces_of(requester) + quantity <= QUOTA[requester.tier]


@domain.rule(
    governs=["resize_reservation"],
    because=[
        "with the larger number you would be above your quota of pieces",
        "that many pieces would exceed the limit of your account",
        "your account's allowance of pieces doesn't stretch to that number",
    ],
    concepts=QUOTA_WORDS,
    remedy="release_reservation",
    offers=[
        "you could let one of your other reservations go",
        "a smaller increase may fit",
    ],
)
def resized_within_quota(reservation: Reservation, quantity: int) -> bool:
    """The same quota holds where a reservation is made larger."""
    requester = reservation.requester
    return pieces_of(requester) + quantity - reservation.quantity <= QUOTA[requester.tier]


@domain.rule(
    governs=["extend_reservation"],
    because=[
        "it has been extended {reservation.extensions} times, and there is no further extension",
        "it has had its {MAX_EXTENSIONS} extensions",
        "a reservation is extended at most {MAX_EXTENSIONS} times, and this one has been",
        "its extensions are used up",
    ],
    concepts=[
        ["extend", "extended", "extension", "extensions", "prolong"],
        [
            "{MAX_EXTENSIONS}",
            "already",
            "used up",
            "times",
            "no further",
            "at most",
            "limit",
            "twice",
        ],
    ],
    offers=["you could collect it before its last day", "we could put it out for you today"],
)
def extensions_left(reservation: Reservation) -> bool:
    """A reservation is extended at most {MAX_EXTENSIONS} times."""
    return reservation.extensions < MAX_EXTENSIONS


@domain.rule(
    governs=["extend_reservation"],
    because=[
        "goods aren't kept that far ahead on your kind of account",
        "that day is too far off for a reservation on your account",
        "it would run for longer than your kind of account allows",
    ],
    concepts=[
        ["far", "long", "longer", "ahead", "late", "distant", "horizon", "days"],
        ["account", "allow", "allows", "too", "kept", "keep", "limit", "beyond"],
    ],
    offers=["you could ask for fewer days", "a shorter extension may be possible"],
)
def within_horizon(db, reservation: Reservation, days: int) -> bool:
    """No extension goes further ahead than {HORIZON[standard]} days from today on a standard
    account, {HORIZON[colleague]} days for a colleague and {HORIZON[trade]} days on a trade account.
    """
    until = reservation.expires_on + timedelta(days=days)
    return until <= horizon(reservation.requester.tier, db.today)


@domain.rule(
    governs=["release_reservation", "resize_reservation", "put_out", "request_transfer"],
    concepts=DRAFTED,
    parts=[
        part(
            "no_draft",
            lambda reservation: not under_way(reservation, "draft"),
            because=[
                "a transfer of it is drafted, and that has to be cancelled first",
                "there is a draft transfer for it already, which comes first",
                "it is planned for a transfer, and the draft has to go first",
            ],
            concepts=DRAFTED,
            remedy="cancel_transfer",
            offers=["we could cancel that draft first", "you could drop the planned transfer"],
        ),
        part(
            "not_in_transit",
            lambda reservation: not under_way(reservation, "in_transit"),
            because=[
                "it is still in transit between two of our locations",
                "the goods are on the road and have to be booked in first",
                "it is on its way in the van, and nothing can be done until it has been received",
            ],
            concepts=ON_THE_ROAD,
            remedy="receive_transfer",
            offers=[
                "once the goods are booked in, we can go on",
                "we could book the goods in on the day they arrive",
            ],
        ),
    ],
)
def nothing_under_way(reservation: Reservation) -> bool:
    """While a transfer of its goods is drafted or in transit, a reservation is not put out,
    resized, released or sent elsewhere: the draft is cancelled first, or the goods are booked
    in."""
    return not under_way(reservation, "draft") and not under_way(reservation, "in_transit")


@domain.rule(
    governs=["put_out"],
    because=[
        "it is at the {reservation.location.name}, and a warehouse has no counter",
        "warehouses don't hand anything out, and it is kept at the {reservation.location.name}",
        "there is no counter at the {reservation.location.name}, only racks",
    ],
    concepts=[
        ["warehouse", "counter", "racks"],
        ["no counter", "not", "don't", "only", "never", "first", "has no"],
    ],
    offers=[
        "you could have it brought to one of our stores",
        "a transfer to a store would solve that",
    ],
)
def has_a_counter(reservation: Reservation) -> bool:
    """Goods are put out in stores only; what lies in a warehouse goes to a store first."""
    return reservation.location.kind == "store"


@domain.rule(
    governs=["put_out"],
    because=[
        "the counter at the {reservation.location.name} is full",
        "there is no room at the counter of the {reservation.location.name}, which takes "
        "{reservation.location.capacity} pieces",
        "the {reservation.location.name} has no space left at its counter",
    ],
    concepts=[
        ["counter", "shelf"],
        [
            "full",
            "no room",
            "no space",
            "not enough room",
            "not enough space",
            "room",
            "space",
            "capacity",
        ],
    ],
    offers=[
        "you could collect what is already waiting there for you",
        "you could leave it in the racks until there is room",
    ],
)
def room_at_counter(reservation: Reservation) -> bool:
    """The pieces that stand ready at a counter never exceed its capacity; what does not fit stays
    in the racks."""
    location = reservation.location
    return at_counter(location) + reservation.quantity <= location.capacity


@domain.rule(
    governs=["request_transfer"],
    because=[
        "the {location.name} doesn't carry that article",
        "that article has no place at the {location.name}",
        "the {location.name} keeps no shelf for it",
    ],
    concepts=[
        ["carry", "carried", "place", "shelf", "range", "stock it", "keep"],
        ["not", "no", "doesn't", "isn't"],
    ],
    offers=["you could choose a location that carries it", "another of our stores may have it"],
)
def carried_there(reservation: Reservation, location: Location) -> bool:
    """Goods go only to a location that carries the article, which its stock levels show."""
    return level_of(reservation.sku, location) is not None


@domain.rule(
    governs=["request_transfer"],
    because=[
        "transfers end in a store, and the {location.name} is a warehouse",
        "nothing that is set aside goes back into a warehouse such as the {location.name}",
        "the {location.name} isn't a store, and the van takes reserved goods to stores only",
    ],
    concepts=[
        ["warehouse", "store", "stores"],
        ["only", "not", "isn't", "nothing", "never", "end in", "ends in", "no store"],
    ],
    offers=["you could name one of our stores", "a store that carries it would do"],
)
def goes_to_a_store(location: Location) -> bool:
    """What is set aside for somebody travels to a store, never into a warehouse."""
    return location.kind == "store"


@domain.rule(
    governs=["receive_transfer"],
    because=[
        "it doesn't arrive before {transfer.arrives_on}",
        "the van isn't due until {transfer.arrives_on}",
        "the goods are still on the road until {transfer.arrives_on}",
    ],
    concepts=[
        ["arrive", "arrives", "due", "road", "van", "transit", "until"],
        ["not", "before", "until", "still", "yet", "only"],
    ],
    offers=["you could ask again on {transfer.arrives_on}"],
)
def has_arrived(db, transfer: StockTransfer) -> bool:
    """A transfer is booked in on its day of arrival or later, never before."""
    return transfer.arrives_on is not None and transfer.arrives_on <= db.today


@domain.rule(
    governs=["watch_sku"],
    because=[
        "you have {MAX_WATCHES} watches running, which is the most",
        "more than {MAX_WATCHES} watches at a time aren't possible",
        "{MAX_WATCHES} watches is the limit, and you have as many",
    ],
    concepts=[
        ["watch", "watches", "notice", "notices"],
        ["{MAX_WATCHES}", "limit", "most", "maximum", "at a time", "as many"],
    ],
    remedy="end_watch",
    offers=["you could end one of them", "giving up an older one would make room"],
)
def below_watch_limit(requester: Requester) -> bool:
    """Nobody has more than {MAX_WATCHES} watches running."""
    return len(watches_of(requester)) < MAX_WATCHES


@domain.rule(
    governs=["watch_sku"],
    because=[
        "you have a watch on it already",
        "a watch of yours on that article is running already",
        "there is already a watch on it in your name",
    ],
    concepts=[["watch", "notice", "watching"], ["already", "running", "second", "twice"]],
    offers=["there is nothing more you need to do", "you'll hear from us as it is"],
)
def not_watched_yet(requester: Requester, sku: Sku) -> bool:
    """One watch for an article and person is enough."""
    return all(watch.sku is not sku for watch in watches_of(requester))


@domain.rule(
    governs=["quarantine_stock"],
    because=[
        "fewer pieces than that are free at the {location.name}, the rest is reserved, in "
        "quarantine or safety stock",
        "the {location.name} doesn't have that many that are neither reserved nor kept back",
        "that is more than there is free on the shelf at the {location.name}",
    ],
    concepts=[
        ["free", "reserved", "shelf", "quarantine", "unreserved"],
        ["fewer", "more", "not", "only", "that many", "rest", "too"],
    ],
    offers=["you could report a smaller number", "you could have the shelf counted"],
)
def free_on_shelf(sku: Sku, location: Location, quantity: int) -> bool:
    """Only pieces that are free, neither reserved nor in quarantine nor safety stock, can be put
    there; where damage goes beyond that, the shelf is counted."""
    return quantity <= promise(level_of(sku, location))


@domain.rule(
    governs=["clear_lot"],
    because=[
        "it is under a recall, and recalled goods don't go back on sale",
        "the maker has recalled it, so it can't be cleared",
        "recalled pieces are never put back on the shelf",
    ],
    concepts=[["recalled", "recalled"], ["not", "never", "can't", "don't", "no"]],
    offers=["it could be written off, if its value allows that"],
)
def not_recalled(lot: QuarantineLot) -> bool:
    """Goods that their maker has recalled never go back on sale."""
    return lot.cause != "recalled"


@domain.rule(
    governs=["write_off_lot"],
    because=[
        "it is worth {lot.value}, and the desk writes off no more than {WRITE_OFF_CAP:money} at "
        "once",
        "at {lot.value} it is above the {WRITE_OFF_CAP:money} for one write-off",
        "a single write-off ends at {WRITE_OFF_CAP:money}, and this one would be {lot.value}",
    ],
    concepts=[
        ["write", "written", "write-off"],
        ["{WRITE_OFF_CAP:money}", "above", "more than", "limit", "too much", "exceed"],
    ],
    offers=["the stock manager decides about larger sums"],
)
def small_write_off(lot: QuarantineLot) -> bool:
    """The desk writes off a lot worth {WRITE_OFF_CAP:money} at most; beyond that the stock manager
    decides."""
    return lot.value <= WRITE_OFF_CAP


@domain.rule(
    governs=["approve_count"],
    because=[
        "the counted number doesn't cover what is reserved and in quarantine there",
        "more is reserved than was counted, and reservations come first",
        "with that number the reserved pieces at the {count.location.name} wouldn't be there",
    ],
    concepts=[
        ["reserved", "reservation", "reservations", "promised", "quarantine"],
        ["cover", "covered", "counted", "count", "more", "fewer", "wouldn't"],
    ],
    offers=[
        "the shelf could be counted once more",
        "one of the reservations would have to go first",
    ],
)
def covers_promises(count: StockCount) -> bool:
    """No approval may leave a location with fewer pieces than are reserved, in quarantine or safety
    stock there."""
    level = level_of(count.sku, count.location)
    return level is not None and fits_promises(level, difference(count))


@domain.rule(
    governs=["request_count"],
    because=[
        "a count of it at the {location.name} is open already",
        "there is an open count for that shelf already",
        "somebody has asked for that count already, and it isn't finished",
    ],
    concepts=[
        ["count", "counted", "counting"],
        ["open", "already", "finished", "pending", "under way"],
    ],
    offers=["that count will tell you what you need"],
)
def no_open_count(sku: Sku, location: Location) -> bool:
    """A shelf has one open count at a time, whoever asked for it."""
    counts = [count for count in location.stock_counts if count.sku is sku]
    return all(count.status == "approved" for count in counts)


# Rules that the agent has to keep: the ledger does not check them.


@domain.rule(
    by="agent",
    kind="identification",
    governs=[
        "fetch_reservation",
        "reservations_for_requester",
        "stock_transfers_for_requester",
        "stock_counts_for_requester",
        "quarantine_lots_for_requester",
        "watches_for_requester",
        "quota_overview",
        "reserve_stock",
        "release_reservation",
        "resize_reservation",
        "extend_reservation",
        "put_out",
        "collect_reservation",
        "request_transfer",
        "dispatch_transfer",
        "cancel_transfer",
        "receive_transfer",
        "watch_sku",
        "end_watch",
        "request_count",
        "record_count",
        "approve_count",
        "quarantine_stock",
        "clear_lot",
        "write_off_lot",
        "escalate_to_stock_manager",
    ],
    because=[
        "I have to know whose account it is before I open it",
        "only the holder of the account hears about it or changes it",
        "whoever the goods are set aside for has to identify themselves",
    ],
    concepts=[
        ["account", "reservation", "goods", "records"],
        [
            "identify",
            "holder",
            "whose",
            "owner",
            "e-mail",
            "email",
            "account number",
            "verify",
            "else's",
        ],
    ],
    offers=["they could write to the desk themselves"],
)
def identified(log: Log, requester: Requester) -> bool:
    """Find out whom you serve before you open or touch anything of theirs: the e-mail address of
    the account will do, or its number together with the phone number on file. Stock levels,
    articles and locations are no secret and need none of this."""
    return log.identified(requester, "email") or log.identified(requester, "requester_id", "phone")


@domain.rule(
    by="agent",
    kind="confirmation",
    governs=[
        "release_reservation",
        "dispatch_transfer",
        "write_off_lot",
        "approve_count",
        "end_watch",
    ],
    because=[
        "I need your explicit agreement to that first",
        "that step needs a clear yes beforehand",
        "without your agreement I leave it as it is",
    ],
    concepts=[
        ["agree", "agreement", "yes", "confirm"],
        ["first", "before", "beforehand", "need", "without", "clear", "explicit"],
    ],
)
def agreed(log: Log) -> bool:
    """Ask for a clear yes before you let go of reserved goods, end a watch, send a van off, write
    goods off or change the ledger after a count; say what it is about, how many pieces and, where
    something is lost, what they are worth."""
    return log.confirmed()


@domain.rule(
    by="agent",
    governs=[
        "request_count",
        "record_count",
        "approve_count",
        "quarantine_stock",
        "clear_lot",
        "write_off_lot",
    ],
    because=[
        "counts and quarantine are for colleagues of the shop, and yours is a {requester.tier} "
        "account",
        "only colleagues may ask for that, not the holder of a {requester.tier} account",
        "that is reserved for the shop's own colleagues",
    ],
    concepts=[
        ["colleague", "colleagues", "staff", "employee", "employees"],
        ["only", "for", "reserved", "not", "own"],
    ],
    offers=["a colleague in the store could take it up", "you could mention it at the store"],
)
def is_colleague(requester: Requester) -> bool:
    """Counting, quarantine and writing off are for colleagues only: look at the kind of account."""
    return requester.tier == "colleague"


@domain.rule(
    by="agent",
    governs=["reserve_stock", "request_transfer", "request_count", "put_out"],
    because=[
        "the {location.name} is closed for the time being",
        "nothing is arranged for the {location.name} while it is closed",
        "the {location.name} isn't open at the moment",
    ],
    concepts=[["closed", "shut", "isn't open", "not open", "closure"]],
    offers=["one of our other locations could do", "you could choose a place that's open"],
)
def location_open(location: Location) -> bool:
    """Nothing new is arranged for a location that is closed, neither a reservation nor a transfer
    nor a count, and nothing is put out there; what lies there may still be moved away."""
    return location.status == "open"


@domain.rule(
    by="agent",
    governs=["reserve_stock"],
    because=[
        "some of it is set aside for you at the {location.name} already",
        "you have a reservation of it at the {location.name} already",
        "there is already a reservation of that article at that place in your name",
    ],
    concepts=[
        ["reservation", "reserve", "reserved", "set aside"],
        ["already", "second", "existing", "twice"],
    ],
    offers=["we could change the number of the one you have", "you could enlarge the existing one"],
)
def not_reserved_there(requester: Requester, sku: Sku, location: Location) -> bool:
    """Nobody has two reservations of one article at one location: the one they have is resized."""
    mine = [x for x in live(requester) if x.sku is sku]
    return all(x.location is not location for x in mine)


@domain.rule(
    by="agent",
    governs=["reserve_stock"],
    because=[
        "you let a reservation of it lapse within the last {LAPSE_DAYS} days",
        "a reservation of yours for it has only just lapsed uncollected",
        "it was set aside for you not {LAPSE_DAYS} days ago, and lapsed",
    ],
    concepts=[
        ["lapse", "lapsed", "uncollected", "not collected", "ran out"],
        ["reservation", "days", "recently", "just", "set aside"],
    ],
    offers=["you could buy it off the shelf", "you could ask again once those days are over"],
)
def not_lapsed_lately(db, requester: Requester, sku: Sku) -> bool:
    """Whoever let a reservation of an article lapse waits {LAPSE_DAYS} days, counted from its last
    day, before the same article is set aside for them again: look through their lapsed ones."""
    lapsed = [x for x in requester.reservations if x.status == "lapsed" and x.sku is sku]
    return all(not is_within(x.expires_on, db.today, LAPSE_DAYS) for x in lapsed)


@domain.rule(
    by="agent",
    governs=["extend_reservation"],
    because=[
        "it runs until {reservation.expires_on}, so it is too early for an extension",
        "an extension is for the last {EXTENSION_WINDOW} days, and it runs until "
        "{reservation.expires_on}",
        "it is too soon: its last day is {reservation.expires_on}",
    ],
    concepts=[
        ["early", "soon", "last {EXTENSION_WINDOW} days", "yet"],
        ["extend", "extension", "runs until", "last day", "expire", "expires"],
    ],
    offers=["you could ask again closer to {reservation.expires_on}"],
)
def near_its_end(db, reservation: Reservation) -> bool:
    """A reservation is extended in its last {EXTENSION_WINDOW} days, not earlier."""
    return is_extendable(reservation.expires_on, db.today)


@domain.rule(
    by="agent",
    governs=["request_transfer", "dispatch_transfer"],
    because=[
        "the goods would get there after {reservation.expires_on}, when the reservation has run "
        "out",
        "it would arrive too late, as the reservation ends on {reservation.expires_on}",
        "the reservation runs out on {reservation.expires_on}, before the van is there",
    ],
    concepts=[
        ["late", "after", "before", "run out", "runs out", "in time", "ends", "expire"],
        ["arrive", "arrival", "there", "van", "reservation", "transfer"],
    ],
    remedy="extend_reservation",
    offers=[
        "you could have the reservation extended first",
        "you could have a few days added to it first",
    ],
)
def arrives_in_time(db, reservation: Reservation, location: Location) -> bool:
    """Goods are sent on their way only if they arrive before or on the last day of the reservation;
    if they would not, it is extended first."""
    return arrival_day(db.today, location.lead_days) <= reservation.expires_on


@domain.rule(
    by="agent",
    governs=["watch_sku"],
    because=[
        "it can be had: at least one of our locations has some free",
        "it is in stock, and a watch is for what is sold out",
        "there is some of it available right now",
    ],
    concepts=[["in stock", "available", "can be had", "free", "sold out", "can promise"]],
    offers=[
        "you could have it set aside straight away",
        "we could reserve it where it is available",
    ],
)
def sold_out(sku: Sku) -> bool:
    """A watch is for what is sold out, that is, where no location can promise a whole pack; what
    can be had is reserved instead."""
    return all(promise(level) < sku.pack_size for level in sku.stock_levels)


@domain.rule(
    by="agent",
    governs=["request_count"],
    because=[
        "that shelf was counted within the last {RECOUNT_DAYS} days",
        "a count of it was approved less than {RECOUNT_DAYS} days ago",
        "it has been counted recently, not {RECOUNT_DAYS} days ago",
    ],
    concepts=[["count", "counted"], ["days", "recently", "lately", "ago", "just"]],
    offers=["you could look at the result of that count", "you could ask again later"],
)
def not_counted_lately(db, sku: Sku, location: Location) -> bool:
    """A shelf for which a count was requested in the last {RECOUNT_DAYS} days and approved is not
    counted again so soon."""
    counts = [x for x in location.stock_counts if x.sku is sku and x.status == "approved"]
    return all(not is_within(x.requested_on, db.today, RECOUNT_DAYS) for x in counts)


@domain.rule(
    by="agent",
    governs=["approve_count"],
    because=[
        "the difference is worth more than {APPROVAL_CAP:money}, and the desk can't approve that",
        "a difference above {APPROVAL_CAP:money} goes to the stock manager",
        "it is about more than {APPROVAL_CAP:money}, which is beyond what the desk approves",
    ],
    concepts=[
        ["difference", "discrepancy", "worth"],
        ["{APPROVAL_CAP:money}", "more than", "above", "beyond", "too large", "manager"],
    ],
    offers=["the stock manager could look into it"],
)
def small_difference(count: StockCount) -> bool:
    """The desk approves a difference worth up to {APPROVAL_CAP:money}, pieces times price, in
    either direction; a larger one is a matter for the stock manager."""
    return is_small(difference(count), count.sku.unit_price)


@domain.rule(
    by="agent",
    governs=["clear_lot", "write_off_lot"],
    because=[
        "it was reported on {lot.reported_on} and hasn't been inspected yet",
        "the inspection takes {INSPECTION_DAYS} days from {lot.reported_on}",
        "goods stay in quarantine for {INSPECTION_DAYS} days, and it went there on "
        "{lot.reported_on}",
    ],
    concepts=[
        ["inspect", "inspected", "inspection", "quarantine"],
        ["yet", "days", "since", "not", "until", "first"],
    ],
    offers=["you could ask again once the inspection is over"],
)
def inspected(db, lot: QuarantineLot) -> bool:
    """Goods in quarantine are inspected for {INSPECTION_DAYS} days after their report; before that
    nobody decides about them."""
    return is_inspected(lot.reported_on, db.today)


@domain.rule(
    by="agent",
    governs=["write_off_lot"],
    because=[
        "the write-offs at the {lot.location.name} would come to more than "
        "{WRITE_OFF_TOTAL:money} in {WRITE_OFF_DAYS} days",
        "the {lot.location.name} has written off so much lately that this would exceed "
        "{WRITE_OFF_TOTAL:money}",
        "with what was written off at the {lot.location.name} lately, {WRITE_OFF_TOTAL:money} "
        "would be exceeded",
    ],
    concepts=[
        ["write", "written", "write-off", "write-offs"],
        ["{WRITE_OFF_TOTAL:money}", "lately", "{WRITE_OFF_DAYS} days", "month", "total", "so much"],
    ],
    offers=["the stock manager could decide about it"],
)
def within_write_off_total(db, lot: QuarantineLot) -> bool:
    """All write-offs of a location within {WRITE_OFF_DAYS} days come to {WRITE_OFF_TOTAL:money} at
    most, the new one included: add up its lots."""
    return fits_total(written_off(lot.location, db.today), lot.value)


# What holds at any time.


@domain.invariant(StockLevel)
def nothing_promised_twice(level: StockLevel) -> bool:
    kept = level.reserved + level.quarantined + level.sku.safety_stock
    return level.on_hand >= kept


@domain.invariant(StockLevel)
def ledger_adds_up(level: StockLevel) -> bool:
    here = [x for x in level.location.reservations if x.sku is level.sku and is_live(x)]
    kept = sum(x.quantity for x in here if not under_way(x, "in_transit"))
    lots = [x for x in level.location.quarantine_lots if x.sku is level.sku]
    shut_away = sum(lot.quantity for lot in lots if lot.status == "open")
    return level.reserved == kept and level.quarantined == shut_away


@domain.invariant(Sku)
def one_level_a_location(sku: Sku) -> bool:
    places = [level.location.id for level in sku.stock_levels]
    return len(places) == len(dict.fromkeys(places))


@domain.invariant(Requester)
def quota_and_watches_hold(requester: Requester) -> bool:
    kept = sum(x.quantity for x in requester.reservations if x.status in ("held", "ready"))
    watched = [x.sku.id for x in requester.watches if x.status == "active"]
    within = kept <= QUOTA[requester.tier] and len(watched) <= MAX_WATCHES
    return within and len(watched) == len(dict.fromkeys(watched))


@domain.invariant(Reservation)
def reservation_is_regular(reservation: Reservation) -> bool:
    latest = domain.now.date() + timedelta(days=HORIZON[reservation.requester.tier])
    return (
        reservation.value == reservation.quantity * reservation.sku.unit_price
        and reservation.quantity % reservation.sku.pack_size == 0
        and reservation.extensions <= MAX_EXTENSIONS
        and reservation.placed_on <= reservation.expires_on
        and (not is_live(reservation) or domain.now.date() <= reservation.expires_on <= latest)
        and (reservation.status != "lapsed" or reservation.expires_on < domain.now.date())
    )


@domain.invariant(Reservation)
def first_days_follow_the_account(reservation: Reservation) -> bool:
    first = reservation.placed_on + timedelta(days=HOLD_DAYS[reservation.requester.tier])
    return reservation.expires_on >= first and (
        reservation.extensions > 0 or reservation.expires_on == first
    )


@domain.invariant(Reservation)
def ready_in_a_store(reservation: Reservation) -> bool:
    in_store = reservation.location.kind == "store"
    return in_store or reservation.status not in ("ready", "collected")


@domain.invariant(Reservation)
def one_transfer_at_a_time(reservation: Reservation) -> bool:
    states = [transfer.status for transfer in reservation.stock_transfers]
    moving = sum(state in ("draft", "in_transit") for state in states)
    return moving == 0 or (moving == 1 and reservation.status == "held")


@domain.invariant(Location)
def counter_not_overfull(location: Location) -> bool:
    ready = sum(x.quantity for x in location.reservations if x.status == "ready")
    return ready <= location.capacity and (location.kind == "store" or location.capacity == 0)


@domain.invariant(StockTransfer)
def transfer_follows_reservation(transfer: StockTransfer) -> bool:
    reservation = transfer.reservation
    moving = transfer.status in ("draft", "in_transit")
    return (
        transfer.requester is reservation.requester
        and transfer.sku is reservation.sku
        and transfer.source is not transfer.target
        and (transfer.arrives_on is None) == (transfer.status in ("draft", "cancelled"))
        and (not moving or transfer.source is reservation.location)
        and (not moving or transfer.quantity == reservation.quantity)
        and transfer.target.kind == "store"
        and any(level.sku is transfer.sku for level in transfer.target.stock_levels)
        and (transfer.status != "received" or transfer.arrives_on <= domain.now.date())
    )


@domain.invariant(StockCount)
def count_is_regular(count: StockCount) -> bool:
    asked = count.status == "requested"
    return asked == (count.counted is None) and asked == (count.booked is None)


@domain.invariant(StockCount)
def one_open_count(count: StockCount) -> bool:
    there = [x for x in count.location.stock_counts if x.sku is count.sku]
    return sum(x.status != "approved" for x in there) <= 1


@domain.invariant(StockCount)
def waiting_means_doubtful(count: StockCount) -> bool:
    if count.status != "counted":
        return True
    allowed = max(TOLERANCE_PIECES, count.booked * TOLERANCE_PERCENT // PERCENT)
    level = level_of(count.sku, count.location)
    short = count.counted < spoken_for(level)
    return abs(count.counted - count.booked) > allowed or short or level.on_hand != count.booked


@domain.invariant(QuarantineLot)
def lot_is_regular(lot: QuarantineLot) -> bool:
    return (
        lot.value == lot.quantity * lot.sku.unit_price
        and (lot.status == "open") == (lot.closed_on is None)
        and (lot.status != "written_off" or lot.value <= WRITE_OFF_CAP)
        and (lot.status != "cleared" or lot.cause != "recalled")
    )


# Reads.

domain.reads(Requester, get=True, find="email")
domain.reads(Sku, get=True, search=["title", "color", "size"], page=8)
domain.reads(Location, search=["name", "city"], filters=["kind", "status"])
domain.reads(StockLevel, list_of="sku")
MINE = {"list_of": "requester", "filters": ["status"], "requires": [identified]}
domain.reads(Reservation, **MINE, page=8)
domain.reads(
    Reservation, get=["stock_transfers"], requires=[identified.on("reservation.requester")]
)
domain.reads(StockTransfer, **MINE)
domain.reads(StockCount, **MINE)
domain.reads(QuarantineLot, **MINE)
domain.reads(BackInStockWatch, **MINE)


class Promise(TypedDict):
    """What a location has of an article, and what of it can be promised."""

    on_hand: int
    reserved: int
    quarantined: int
    safety_stock: int
    available: int


class Split(TypedDict):
    """How a number of pieces would be covered from several locations."""

    pieces: int
    largest_share: int
    places: int
    missing: int
    value: Money


class Suggestion(TypedDict):
    """What the buyers would be told to order."""

    available: int
    reorder_point: int
    pieces: int
    value: Money


class Quota(TypedDict):
    """Where an account stands against its limits."""

    pieces: int
    quota: int
    worth: Money
    watches: int
    watch_limit: int


class Arrival(TypedDict):
    """When goods would be there that leave today."""

    arrives_on: date
    working_days: int


@domain.read(
    public=True,
    tells={
        "available": [
            "what the free stock of {sku} at {location} is",
            "how many of {sku} I could have at {location}",
            "how many of {sku} are free at {location}",
        ],
        "on_hand": ["how many of {sku} are on hand at {location} altogether"],
        "reserved": ["how many of {sku} are reserved at {location}"],
    },
    errors={"not_carried": "The location does not carry that article."},
)
def check_promise(db, sku: Sku, location: Location) -> Promise:
    """What one location has of an article and can still promise to somebody."""
    level = level_of(sku, location)
    if level is None:
        raise ToolError("not_carried")
    return {
        "on_hand": level.on_hand,
        "reserved": level.reserved,
        "quarantined": level.quarantined,
        "safety_stock": sku.safety_stock,
        "available": promise(level),
    }


@domain.read(
    public=True,
    tells={
        "places": [
            "over how many of your locations {quantity} of {sku} would have to be split",
            "from how many places {quantity} of {sku} would come",
        ],
        "missing": [
            "how many would be missing if I wanted {quantity} of {sku}",
            "how many you would be short of {quantity} of {sku}, over all locations",
        ],
        "value": ["what {quantity} of {sku} would come to in full packs"],
    },
)
def split_quote(
    db,
    sku: Sku,
    quantity: Annotated[int, Field(ge=1, le=99), drawn(lambda: [4, 6, 9, 12, 18, 25, 40])],
) -> Split:
    """How a number of pieces, rounded up to whole packs, would be spread over the open locations,
    the best supplied one first; every share is whole packs.

    Args:
        quantity: How many pieces, e.g. 12
    """
    pack = sku.pack_size
    pieces = whole_packs(quantity, pack)
    levels = [level for level in sku.stock_levels if level.location.status == "open"]
    shares = shares_of(pieces, [promise(level) for level in levels], pack)
    return {
        "pieces": pieces,
        "largest_share": max(shares, default=0),
        "places": len(shares),
        "missing": pieces - sum(shares),
        "value": worth(pieces, sku.unit_price),
    }


@domain.read(
    public=True,
    tells={
        "pieces": [
            "how many of {sku} ought to be reordered",
            "what the reorder suggestion for {sku} is in pieces",
        ],
        "value": ["what a reorder of {sku} would come to at your prices"],
        "available": ["what the free stock of {sku} over all locations is"],
    },
)
def reorder_suggestion(db, sku: Sku) -> Suggestion:
    """How many pieces of an article ought to be ordered from the supplier, in whole packs."""
    available = promise_everywhere(sku)
    pieces = reorder_pieces(available, sku.reorder_point, sku.pack_size)
    return {
        "available": available,
        "reorder_point": sku.reorder_point,
        "pieces": pieces,
        "value": worth(pieces, sku.unit_price),
    }


@domain.read(public=True)
def counts_at_location(
    db, location: Location, page: Annotated[int, Field(ge=1)] = 1
) -> Page[StockCount]:
    """All counts of one location, whoever asked for them and whichever article was counted.

    Args:
        page: Which page of the list to show
    """
    return page_of(list(location.stock_counts), page, LEDGER_PAGE)


@domain.read(public=True)
def lots_at_location(
    db, location: Location, page: Annotated[int, Field(ge=1)] = 1
) -> Page[QuarantineLot]:
    """All lots of one location, whoever reported them: in quarantine, cleared and written off.

    Args:
        page: Which page of the list to show
    """
    return page_of(list(location.quarantine_lots), page, LEDGER_PAGE)


@domain.read(
    requires=[identified],
    tells={
        "pieces": ["how many pieces are set aside for me in all"],
        "quota": ["how many pieces I may have set aside at once", "what my quota of pieces is"],
        "worth": ["what everything set aside for me is worth at the moment"],
        "watches": ["how many watches I have running"],
        "watch_limit": ["how many watches I may have running at once"],
    },
)
def quota_overview(db, requester: Requester) -> Quota:
    """How many pieces are set aside for an account, what they are worth and what its limits are."""
    return {
        "pieces": pieces_of(requester),
        "quota": QUOTA[requester.tier],
        "worth": sum(reservation.value for reservation in live(requester)),
        "watches": len(watches_of(requester)),
        "watch_limit": MAX_WATCHES,
    }


@domain.read(
    public=True,
    tells={
        "arrives_on": [
            "when goods would be at {location} if they left today",
            "on what day a transfer to {location} would arrive that's sent today",
        ],
    },
)
def transfer_quote(db, location: Location) -> Arrival:
    """When goods would arrive at a location if the van left today."""
    lead = location.lead_days
    return {"arrives_on": arrival_day(db.today, lead), "working_days": lead}


# Writes.


@domain.write(
    requires=[
        in_whole_packs,
        enough_to_promise,
        within_quota,
        location_open,
        not_reserved_there,
        not_lapsed_lately,
        identified,
    ],
    changes=[creates(Reservation), sets("location.stock_levels", StockLevel.reserved)],
    ask=[
        "have {quantity} of {sku} set aside at {location}",
        "reserve {quantity} of {sku} at {location}",
        "put {quantity} of {sku} aside at {location}",
        "keep {quantity} of {sku} for me at {location}",
        "have {quantity} of {sku} held at {location}",
        "secure {quantity} of {sku} at {location}",
        "earmark {quantity} of {sku} at {location}",
        "have {quantity} of {sku} kept back for me at {location}",
        "put my name on {quantity} of {sku} at {location}",
        "reserve something at {location}",
        "reserve {quantity} of an article at {location}",
        "have {quantity} of one of your articles set aside at {location}",
        "reserve {sku} at {location}",
        "have {sku} set aside at {location}",
        "have {quantity} of {sku} set aside",
        "get {quantity} of {sku} reserved",
    ],
    asks={
        "sku": ["Which article would you like, in which colour and size?"],
        "location": [
            "At which location shall they be kept?",
            "Which of our locations would suit you?",
        ],
        "quantity": [
            "How many pieces would you like?",
            "What quantity, that is, how many pieces shall I set aside?",
        ],
    },
    outcome=outcome(
        quotes=["quantity", "expires_on"],
        mood="good",
        says=[
            "I've set {quantity} of the {sku.color} {sku.title} in {sku.size} aside at the "
            "{location.name}, until {expires_on}.",
            "The {location.name} keeps {quantity} of the {sku.title} in {sku.color} and {sku.size} "
            "for you; the last day is {expires_on}.",
            "Reserved: {quantity} of the {sku.color} {sku.title} in {sku.size} at the "
            "{location.name}, to be collected by {expires_on}.",
            "Consider {quantity} of the {sku.title} in {sku.color} and {sku.size} spoken for at "
            "the {location.name}; after {expires_on} they return to general sale.",
            "A tag with your name hangs on {quantity} of the {sku.color} {sku.title} in "
            "{sku.size} at the {location.name}, valid through {expires_on}.",
            "The {location.name} has taken your booking of {quantity} of the {sku.title} in "
            "{sku.size}; fetch them before {expires_on} ends.",
            "Your name is on {quantity} of the {sku.color} {sku.title} in {sku.size}; they stay in "
            "the racks of the {location.name} through {expires_on}.",
            "That went through: {quantity} of the {sku.title} in {sku.color} and {sku.size} wait "
            "at the {location.name}, and {expires_on} is the deadline.",
        ],
    ),
)
def reserve_stock(
    db,
    requester: Requester,
    sku: Sku,
    location: Location,
    quantity: Annotated[int, Field(ge=1, le=99), drawn(usual_quantities)],
    reference: str | None = None,
) -> Reservation:
    """Set pieces of an article aside for somebody at one location. They are kept from today for
    {HOLD_DAYS[standard]} days on a standard account, {HOLD_DAYS[colleague]} for a colleague and
    {HOLD_DAYS[trade]} on a trade account. Where the goods are for an order or a project, note its
    number as the reference.

    Args:
        quantity: How many pieces, in whole packs, e.g. 2
        reference: What the goods are for, such as an order number
    """
    level_of(sku, location).reserved += quantity
    return db.create(
        Reservation,
        requester=requester,
        sku=sku,
        location=location,
        quantity=quantity,
        value=worth(quantity, sku.unit_price),
        placed_on=db.today,
        expires_on=first_expiry(requester.tier, db.today),
        reference=reference,
    )


@domain.write(
    requires=[nothing_under_way, agreed, identified.on("reservation.requester")],
    changes=[
        moves("reservation", ["held", "ready"], to="released"),
        sets("reservation.location.stock_levels", StockLevel.reserved),
    ],
    ask=[
        "release {reservation}",
        "let {reservation} go",
        "give up {reservation}",
        "cancel {reservation}",
        "have {reservation} put back on sale",
        "drop {reservation}",
        "call off {reservation}",
        "have {reservation} released",
        "free up {reservation}",
        "cancel one of my reservations",
        "give up something that's set aside for me",
    ],
    asks={
        "reservation": [
            "Which of your reservations is it?",
            "Which reservation shall I let go, for which article and where?",
        ]
    },
    outcome=outcome(
        mood="neutral",
        irreversible=True,
        ask_first=[
            "That puts the {reservation.sku.color} {reservation.sku.title} in "
            "{reservation.sku.size} ({reservation.quantity} pieces) back on sale; the goods are "
            "worth {reservation.value}.",
        ],
        says=[
            "Whoever comes next may have the {reservation.sku.title} in {reservation.sku.color} "
            "and {reservation.sku.size}; your claim on it is withdrawn.",
            "The tag is off the {reservation.sku.color} {reservation.sku.title} in "
            "{reservation.sku.size}, and your quota has room again.",
            "Your booking of the {reservation.sku.title} in {reservation.sku.size} is cancelled, "
            "free of charge.",
            "The {reservation.sku.color} {reservation.sku.title} in {reservation.sku.size} at the "
            "{reservation.location.name} is back on sale.",
            "I've released your {reservation.sku.title} in {reservation.sku.color} and "
            "{reservation.sku.size} at the {reservation.location.name}.",
            "Nothing of the {reservation.sku.color} {reservation.sku.title} in "
            "{reservation.sku.size} is kept for you at the {reservation.location.name} any more.",
            "Your reservation of the {reservation.sku.title} in {reservation.sku.size} at the "
            "{reservation.location.name} has been given up.",
        ],
    ),
)
def release_reservation(db, reservation: Reservation) -> Reservation:
    """Let a reservation go, whether its goods are still in the racks or at the counter. The pieces
    can be promised to others at once."""
    level_of(reservation.sku, reservation.location).reserved -= reservation.quantity
    reservation.status = "released"
    return reservation


@domain.write(
    requires=[
        in_whole_packs.on(sku="reservation.sku"),
        enough_for_more,
        resized_within_quota,
        nothing_under_way,
        identified.on("reservation.requester"),
    ],
    changes=[
        stays("reservation", "held"),
        sets("reservation", Reservation.quantity, Reservation.value),
        sets("reservation.location.stock_levels", StockLevel.reserved),
    ],
    errors={"same_quantity": "The reservation is for that number of pieces already."},
    ask=[
        "change {reservation} to {quantity}",
        "have {reservation} changed to {quantity} in all",
        "alter the number in {reservation} to {quantity}",
        "have {quantity} instead in {reservation}",
        "bring {reservation} to {quantity} altogether",
        "adjust {reservation} to {quantity}",
        "get the number in {reservation} corrected to {quantity}",
        "turn {reservation} into one of {quantity}",
        "change one of my reservations to {quantity}",
        "change the number of pieces in {reservation}",
    ],
    asks={
        "reservation": ["Which of your reservations shall I change?"],
        "quantity": ["How many pieces shall it be in all?", "What number of pieces do you need?"],
    },
    outcome=outcome(
        quotes=["quantity", "value"],
        mood="good",
        says=[
            "Your reservation of the {reservation.sku.color} {reservation.sku.title} in "
            "{reservation.sku.size} is for {quantity} now, worth {value}.",
            "I've changed the {reservation.sku.title} in {reservation.sku.color} and "
            "{reservation.sku.size} to {quantity}; the goods come to {value}.",
            "The slip for the {reservation.sku.title} in {reservation.sku.size} shows {quantity} "
            "from today, which amounts to {value}.",
            "Amended as you wished: {quantity} of the {reservation.sku.color} "
            "{reservation.sku.title} in {reservation.sku.size}, a total of {value}.",
            "{quantity} of the {reservation.sku.color} {reservation.sku.title} in "
            "{reservation.sku.size} are set aside for you from now on, at a value of {value}.",
            "The number for the {reservation.sku.title} in {reservation.sku.size} is corrected to "
            "{quantity}, and its value to {value}.",
        ],
    ),
)
def resize_reservation(
    db,
    reservation: Reservation,
    quantity: Annotated[int, Field(ge=1, le=99), drawn(resized_to)],
) -> Reservation:
    """Change the number of pieces of a reservation that is still in the racks; the last day stays.
    What stands at a counter is not repacked.

    Args:
        quantity: How many pieces in all, in whole packs, e.g. 3
    """
    if quantity == reservation.quantity:
        raise ToolError("same_quantity")
    level_of(reservation.sku, reservation.location).reserved += quantity - reservation.quantity
    reservation.quantity = quantity
    reservation.value = worth(quantity, reservation.sku.unit_price)
    return reservation


@domain.write(
    requires=[
        extensions_left,
        within_horizon,
        near_its_end,
        identified.on("reservation.requester"),
    ],
    changes=[
        stays("reservation", ["held", "ready"]),
        sets("reservation", Reservation.expires_on, Reservation.extensions),
    ],
    ask=[
        "keep {reservation} for {days} more days",
        "extend {reservation} by {days} days",
        "have {reservation} extended by {days} days",
        "get {days} more days for {reservation}",
        "have {reservation} kept {days} days longer",
        "push the last day of {reservation} back by {days} days",
        "prolong {reservation} by {days} days",
        "have one of my reservations extended by {days} days",
        "extend {reservation}",
    ],
    asks={
        "reservation": ["Which of your reservations shall be kept longer?"],
        "days": ["By how many days shall I extend it?", "How many days more do you need?"],
    },
    outcome=outcome(
        quotes=["expires_on"],
        mood="good",
        says=[
            "The {reservation.sku.color} {reservation.sku.title} in {reservation.sku.size} is kept "
            "for you until {expires_on}.",
            "You have until {expires_on} for the {reservation.sku.title} in "
            "{reservation.sku.color} and {reservation.sku.size}.",
            "Take your time with the {reservation.sku.title} in {reservation.sku.size}: it lapses "
            "only after {expires_on}.",
            "The tag on the {reservation.sku.color} {reservation.sku.title} in "
            "{reservation.sku.size} has a later date, namely {expires_on}.",
            "{expires_on} is the new last day of your {reservation.sku.color} "
            "{reservation.sku.title} in {reservation.sku.size}.",
            "I've moved the deadline for the {reservation.sku.title} in {reservation.sku.size} to "
            "{expires_on}.",
        ],
    ),
)
def extend_reservation(
    db,
    reservation: Reservation,
    days: Annotated[int, Field(ge=1, le=14), drawn(lambda: [2, 3, 4, 5, 7, 12])],
) -> Reservation:
    """Keep reserved goods for some days longer, counted from the last day that they have now.

    Args:
        days: How many days more, e.g. 3
    """
    reservation.expires_on = reservation.expires_on + timedelta(days=days)
    reservation.extensions += 1
    return reservation


@domain.write(
    requires=[
        has_a_counter,
        room_at_counter,
        nothing_under_way,
        location_open.on("reservation.location"),
        identified.on("reservation.requester"),
    ],
    changes=[moves("reservation", "held", to="ready")],
    ask=[
        "have {reservation} put out at the counter",
        "get {reservation} brought to the counter",
        "have {reservation} made ready",
        "have {reservation} waiting at the counter",
        "have {reservation} fetched from the racks",
        "get {reservation} ready for pickup",
        "have {reservation} picked and put out",
        "have one of my reservations put out at the counter",
    ],
    asks={"reservation": ["Which of your reservations shall be put out?"]},
    outcome=outcome(
        quotes=["expires_on"],
        mood="good",
        says=[
            "The {reservation.sku.color} {reservation.sku.title} in {reservation.sku.size} stands "
            "ready at the counter of the {reservation.location.name} until {expires_on}.",
            "Your {reservation.sku.title} in {reservation.sku.color} and {reservation.sku.size} is "
            "being put out at the {reservation.location.name}; come by {expires_on}.",
            "The staff at the {reservation.location.name} carry your {reservation.sku.title} in "
            "{reservation.sku.size} to the front; they keep it there through {expires_on}.",
            "Just give your surname at the {reservation.location.name}: the "
            "{reservation.sku.color} {reservation.sku.title} in {reservation.sku.size} lies at "
            "the counter till {expires_on}.",
            "You'll find the {reservation.sku.color} {reservation.sku.title} in "
            "{reservation.sku.size} at the counter of the {reservation.location.name}, through "
            "{expires_on}.",
        ],
    ),
)
def put_out(db, reservation: Reservation) -> Reservation:
    """Have reserved goods fetched from the racks of a store and put out at its counter. Its last
    day does not change by that."""
    reservation.status = "ready"
    return reservation


@domain.write(
    requires=[identified.on("reservation.requester")],
    changes=[
        moves("reservation", "ready", to="collected"),
        sets("reservation.location.stock_levels", StockLevel.reserved, StockLevel.on_hand),
    ],
    ask=[
        "collect {reservation}",
        "pick up {reservation}",
        "have {reservation} handed over to me",
        "take {reservation} with me",
        "have {reservation} booked out as collected",
        "be given {reservation}",
        "fetch {reservation}",
        "collect one of my reservations",
    ],
    asks={"reservation": ["Which reservation are you collecting?"]},
    outcome=outcome(
        quotes=["quantity"],
        mood="good",
        says=[
            "The {reservation.sku.color} {reservation.sku.title} in {reservation.sku.size} is "
            "yours: {quantity} booked out at the {reservation.location.name}.",
            "I've entered {quantity} of the {reservation.sku.title} in {reservation.sku.color} and "
            "{reservation.sku.size} as collected at the {reservation.location.name}.",
            "Enjoy your purchase: {quantity} of the {reservation.sku.color} "
            "{reservation.sku.title} in {reservation.sku.size} left our stock just now.",
            "The stub for {quantity} of the {reservation.sku.title} in {reservation.sku.size} is "
            "marked as redeemed, so carry them off.",
            "I've booked {quantity} of the {reservation.sku.color} {reservation.sku.title} in "
            "{reservation.sku.size} out to you; the counter hands them over.",
        ],
    ),
)
def collect_reservation(db, reservation: Reservation) -> Reservation:
    """Book reserved goods out at the counter when they are handed over. What is still in the racks
    has to be put out first."""
    level = level_of(reservation.sku, reservation.location)
    level.reserved -= reservation.quantity
    level.on_hand -= reservation.quantity
    reservation.status = "collected"
    return reservation


@domain.write(
    requires=[
        goes_to_a_store,
        carried_there,
        nothing_under_way,
        location_open,
        arrives_in_time,
        identified.on("reservation.requester"),
    ],
    changes=[stays("reservation", "held"), creates(StockTransfer)],
    errors={"same_location": "The goods are at that location already."},
    ask=[
        "have {reservation} moved to {location}",
        "get a transfer drafted of {reservation} to {location}",
        "have {reservation} brought to {location}",
        "plan a transfer of {reservation} to {location}",
        "arrange for {reservation} to go to {location}",
        "have {reservation} taken over to {location}",
        "get {reservation} over to {location}",
        "have one of my reservations brought to {location}",
        "have {reservation} moved somewhere else",
    ],
    asks={
        "reservation": ["Which of your reservations shall be moved?"],
        "location": ["To which location shall it go?", "Which location would you like it at?"],
    },
    outcome=outcome(
        mood="good",
        says=[
            "A transfer of the {reservation.sku.color} {reservation.sku.title} in "
            "{reservation.sku.size} to the {location.name} is drafted; the van takes it once it is "
            "sent off.",
            "The paperwork for moving your {reservation.sku.title} in {reservation.sku.size} to "
            "the {location.name} is prepared; it only waits for the dispatch.",
            "A seat in the van to the {location.name} is pencilled in for the "
            "{reservation.sku.color} {reservation.sku.title} in {reservation.sku.size}.",
            "I've drafted the move of your {reservation.sku.title} in {reservation.sku.color} and "
            "{reservation.sku.size} to the {location.name}, ready to be sent off.",
            "The {reservation.sku.color} {reservation.sku.title} in {reservation.sku.size} is on "
            "the list for the {location.name} as a draft.",
        ],
    ),
)
def request_transfer(db, reservation: Reservation, location: Location) -> StockTransfer:
    """Draft a transfer of reserved goods from where they are held to another location. Until it is
    dispatched nothing moves, and the draft can be cancelled."""
    if reservation.location is location:
        raise ToolError("same_location")
    return db.create(
        StockTransfer,
        requester=reservation.requester,
        reservation=reservation,
        sku=reservation.sku,
        source=reservation.location,
        target=location,
        quantity=reservation.quantity,
    )


@domain.write(
    requires=[
        arrives_in_time.on(reservation="transfer.reservation", location="transfer.target"),
        agreed,
        identified.on("transfer.requester"),
    ],
    changes=[
        moves("transfer", "draft", to="in_transit"),
        sets("transfer", StockTransfer.arrives_on),
        sets("transfer.source.stock_levels", StockLevel.on_hand, StockLevel.reserved),
    ],
    ask=[
        "send off {transfer}",
        "have {transfer} dispatched",
        "have {transfer} put on the van",
        "get {transfer} under way",
        "have {transfer} sent on its way",
        "dispatch {transfer}",
        "dispatch a transfer",
    ],
    asks={"transfer": ["Which of the drafted transfers shall leave?"]},
    outcome=outcome(
        quotes=["arrives_on"],
        mood="good",
        irreversible=True,
        ask_first=[
            "The van would take the {transfer.sku.color} {transfer.sku.title} in "
            "{transfer.sku.size} ({transfer.quantity} pieces) from the {transfer.source.name} to "
            "the {transfer.target.name}, and it can't be called back.",
        ],
        says=[
            "The {transfer.sku.color} {transfer.sku.title} in {transfer.sku.size} is on its way to "
            "the {transfer.target.name}; it arrives on {arrives_on}.",
            "I've sent the {transfer.sku.title} in {transfer.sku.color} and {transfer.sku.size} "
            "off to the {transfer.target.name}, where the van is due on {arrives_on}.",
            "Loaded and gone: the {transfer.sku.title} in {transfer.sku.size} reaches the "
            "{transfer.target.name} on {arrives_on}.",
            "The driver has signed for the {transfer.sku.color} {transfer.sku.title} in "
            "{transfer.sku.size}; expect it at the {transfer.target.name} on {arrives_on}.",
            "The van has the {transfer.sku.color} {transfer.sku.title} in {transfer.sku.size} on "
            "board, with {arrives_on} as the day of arrival at the {transfer.target.name}.",
        ],
    ),
)
def dispatch_transfer(db, transfer: StockTransfer) -> StockTransfer:
    """Send a drafted transfer off. Its goods leave the books of the source at once, and cannot be
    called back."""
    level = level_of(transfer.sku, transfer.source)
    level.on_hand -= transfer.quantity
    level.reserved -= transfer.quantity
    transfer.arrives_on = arrival_day(db.today, transfer.target.lead_days)
    transfer.status = "in_transit"
    return transfer


@domain.write(
    requires=[identified.on("transfer.requester")],
    changes=[moves("transfer", "draft", to="cancelled")],
    ask=[
        "cancel {transfer}",
        "call off {transfer}",
        "leave out {transfer}",
        "have {transfer} cancelled",
        "drop {transfer}",
        "scrap {transfer}",
        "cancel one of the transfers",
    ],
    asks={"transfer": ["Which transfer shall be called off?"]},
    outcome=outcome(
        mood="neutral",
        says=[
            "The transfer is off: the {transfer.sku.color} {transfer.sku.title} in "
            "{transfer.sku.size} stays at the {transfer.source.name}.",
            "I've cancelled the move to the {transfer.target.name}, so the {transfer.sku.title} in "
            "{transfer.sku.color} and {transfer.sku.size} remains where it is.",
            "No journey for the {transfer.sku.title} in {transfer.sku.size}: the "
            "{transfer.source.name} keeps it.",
            "The sheet for the {transfer.target.name} is torn up, and nothing changes for your "
            "{transfer.sku.color} {transfer.sku.title} in {transfer.sku.size}.",
            "Your {transfer.sku.color} {transfer.sku.title} in {transfer.sku.size} isn't going to "
            "the {transfer.target.name} after all; the draft is cancelled.",
        ],
    ),
)
def cancel_transfer(db, transfer: StockTransfer) -> StockTransfer:
    """Cancel a transfer that is still a draft. The reservation stays where it is."""
    transfer.status = "cancelled"
    return transfer


@domain.write(
    requires=[has_arrived, identified.on("transfer.requester")],
    changes=[
        moves("transfer", "in_transit", to="received"),
        stays("transfer.reservation", "held"),
        sets("transfer.reservation", Reservation.location),
        sets("transfer.target.stock_levels", StockLevel.on_hand, StockLevel.reserved),
    ],
    ask=[
        "have {transfer} booked in",
        "book in {transfer}",
        "have {transfer} entered as received",
        "confirm that {transfer} has come in",
        "have {transfer} checked off as arrived",
        "have a transfer booked in",
    ],
    asks={"transfer": ["Which transfer has arrived?"]},
    outcome=outcome(
        mood="good",
        says=[
            "The {transfer.sku.color} {transfer.sku.title} in {transfer.sku.size} is booked in at "
            "the {transfer.target.name}.",
            "Your {transfer.sku.title} in {transfer.sku.color} and {transfer.sku.size} is held at "
            "the {transfer.target.name} from now on.",
            "The journey of the {transfer.sku.title} in {transfer.sku.size} is over: the "
            "{transfer.target.name} has unpacked it.",
            "Arrival noted: the {transfer.sku.color} {transfer.sku.title} in {transfer.sku.size} "
            "belongs to the stock of the {transfer.target.name}.",
            "I've entered the {transfer.sku.color} {transfer.sku.title} in {transfer.sku.size} as "
            "received, so it is in the racks of the {transfer.target.name}.",
        ],
    ),
)
def receive_transfer(db, transfer: StockTransfer) -> StockTransfer:
    """Book a transfer in that has reached its target. From then on the target holds the goods."""
    level = level_of(transfer.sku, transfer.target)
    level.on_hand += transfer.quantity
    level.reserved += transfer.quantity
    transfer.reservation.location = transfer.target
    transfer.status = "received"
    return transfer


@domain.write(
    requires=[below_watch_limit, not_watched_yet, sold_out, identified],
    changes=[creates(BackInStockWatch)],
    ask=[
        "hear when {quantity} of {sku} can be had again",
        "have a watch set for {quantity} of {sku}",
        "be told when {quantity} of {sku} are back in stock",
        "have you look out for {quantity} of {sku}",
        "get a notice as soon as {quantity} of {sku} come in",
        "be notified when there are {quantity} of {sku} again",
        "put a watch on {sku}",
        "hear when {quantity} of an article can be had again",
        "hear when {sku} is back",
    ],
    asks={
        "sku": ["Which article shall I watch for you?"],
        "quantity": ["For how many pieces shall I set the watch?"],
    },
    outcome=outcome(
        quotes=["quantity"],
        mood="good",
        says=[
            "You'll hear from us when {quantity} of the {sku.color} {sku.title} in {sku.size} can "
            "be had again.",
            "A message goes out to you the moment {quantity} of the {sku.title} in {sku.color} and "
            "{sku.size} arrive.",
            "Patience may pay off: {quantity} of the {sku.color} {sku.title} in {sku.size} are on "
            "your wish list with us.",
            "I've set a watch on the {sku.title} in {sku.color} and {sku.size} for {quantity}.",
            "We keep an eye on the {sku.color} {sku.title} in {sku.size} for you, {quantity} being "
            "the number we look out for.",
        ],
    ),
)
def watch_sku(
    db,
    requester: Requester,
    sku: Sku,
    quantity: Annotated[int, Field(ge=1, le=40), drawn(lambda: [1, 2, 4, 6])],
) -> BackInStockWatch:
    """Note that somebody wants to hear when an article that is sold out can be had again.

    Args:
        quantity: How many pieces they are waiting for, e.g. 2
    """
    return db.create(
        BackInStockWatch, requester=requester, sku=sku, quantity=quantity, since=db.today
    )


@domain.write(
    requires=[agreed, identified.on("watch.requester")],
    changes=[moves("watch", "active", to="ended")],
    ask=[
        "end {watch}",
        "drop {watch}",
        "stop {watch}",
        "switch off {watch}",
        "have {watch} ended",
        "do without {watch}",
        "end one of my watches",
    ],
    asks={"watch": ["Which of your watches shall I end?"]},
    outcome=outcome(
        mood="neutral",
        ask_first=["You wouldn't hear from us about it any more."],
        says=[
            "Your watch on the {watch.sku.color} {watch.sku.title} in {watch.sku.size} has ended.",
            "We no longer look out for the {watch.sku.title} in {watch.sku.color} and "
            "{watch.sku.size} on your behalf.",
            "Fine, no more alerts about the {watch.sku.title} in {watch.sku.color} and "
            "{watch.sku.size}.",
            "The wish list entry for the {watch.sku.color} {watch.sku.title} in {watch.sku.size} "
            "is crossed out.",
            "I've switched the notice for the {watch.sku.color} {watch.sku.title} in "
            "{watch.sku.size} off.",
        ],
    ),
)
def end_watch(db, watch: BackInStockWatch) -> BackInStockWatch:
    """End a watch that is running."""
    watch.status = "ended"
    return watch


@domain.write(
    requires=[no_open_count, location_open, not_counted_lately, is_colleague, identified],
    changes=[creates(StockCount)],
    errors={"not_carried": "The location does not carry that article."},
    ask=[
        "have {sku} counted at {location}",
        "ask for a count of {sku} at {location}",
        "get a stock count of {sku} at {location}",
        "have the shelf with {sku} counted at {location}",
        "put {sku} down for a count at {location}",
        "request a count of {sku} at {location}",
        "have {sku} counted",
        "have an article counted at {location}",
        "get a shelf at {location} counted",
    ],
    asks={
        "sku": ["Which article shall be counted?"],
        "location": ["At which location shall it be counted?"],
    },
    outcome=outcome(
        mood="good",
        says=[
            "A count of the {sku.color} {sku.title} in {sku.size} at the {location.name} is "
            "requested.",
            "I've put the {sku.title} in {sku.color} and {sku.size} on the counting list of the "
            "{location.name}.",
            "Somebody at the {location.name} will go through the {sku.title} in {sku.color} and "
            "{sku.size} piece by piece.",
            "The request for the shelf with the {sku.color} {sku.title} in {sku.size} is lodged "
            "with the {location.name}.",
            "The {location.name} has the {sku.color} {sku.title} in {sku.size} down to be counted.",
        ],
    ),
)
def request_count(db, requester: Requester, sku: Sku, location: Location) -> StockCount:
    """Ask a location to count the shelf of one article."""
    if level_of(sku, location) is None:
        raise ToolError("not_carried")
    return db.create(
        StockCount, requester=requester, sku=sku, location=location, requested_on=db.today
    )


@domain.write(
    requires=[is_colleague.on("count.requester"), identified.on("count.requester")],
    changes=[
        moves("count", "requested", to=["counted", "approved"]),
        sets("count", StockCount.booked, StockCount.counted),
        sets("count.location.stock_levels", StockLevel.on_hand),
    ],
    ask=[
        "enter {counted} as the result of {count}",
        "report a result of {counted} for {count}",
        "have {counted} noted as the outcome of {count}",
        "put down {counted} for {count}",
        "pass on {counted} as what was found in {count}",
        "record {counted} for {count}",
        "enter the result of {count}",
    ],
    asks={
        "count": ["Which count is the result for?"],
        "counted": ["How many pieces were counted?", "What number was counted?"],
    },
    outcome=outcome(
        quotes=["booked", "status"],
        mood="neutral",
        says=[
            "I've entered the count of the {count.sku.color} {count.sku.title} in {count.sku.size} "
            "at the {count.location.name}; the ledger had {booked}, and the count is {status}.",
            "Thanks for counting the {count.sku.title} in {count.sku.size}: our books showed "
            "{booked} beforehand, and the status reads {status}.",
            "Compared with the {booked} on paper, your figure for the {count.sku.color} "
            "{count.sku.title} in {count.sku.size} leaves the count {status}.",
            "The result for the {count.sku.title} in {count.sku.color} and {count.sku.size} is in: "
            "the ledger said {booked}, and the count is {status} now.",
            "Your number for the {count.sku.color} {count.sku.title} in {count.sku.size} compares "
            "with {booked} in the ledger, so the count is {status}.",
        ],
    ),
)
def record_count(
    db,
    count: StockCount,
    counted: Annotated[int, Field(ge=0, le=999), drawn(usual_results)],
) -> StockCount:
    """Enter what was counted. Within the tolerance the ledger is set right at once and the count is
    approved; outside it, or where the number does not cover what is reserved, in quarantine and
    safety stock, the ledger stays as it is and the count waits for an approval.

    Args:
        counted: How many pieces were on the shelf, e.g. 17
    """
    level = level_of(count.sku, count.location)
    count.booked, count.counted = level.on_hand, counted
    fits = fits_promises(level, counted - level.on_hand)
    if fits and is_tolerated(level.on_hand, counted):
        level.on_hand = counted
        count.status = "approved"
    else:
        count.status = "counted"
    return count


@domain.write(
    requires=[
        covers_promises,
        small_difference,
        is_colleague.on("count.requester"),
        agreed,
        identified.on("count.requester"),
    ],
    changes=[
        moves("count", "counted", to="approved"),
        sets("count.location.stock_levels", StockLevel.on_hand),
    ],
    ask=[
        "have {count} approved",
        "get {count} signed off",
        "have the ledger set right after {count}",
        "have the difference from {count} accepted",
        "get the difference in {count} posted",
        "have the ledger follow {count}",
        "have a count approved",
    ],
    asks={"count": ["Which count is waiting for the approval?"]},
    outcome=outcome(
        quotes=["counted"],
        mood="good",
        irreversible=True,
        ask_first=[
            "The ledger had {count.booked} of the {count.sku.color} {count.sku.title} in "
            "{count.sku.size} at the {count.location.name}, and {count.counted} were found; the "
            "difference would be posted for good."
        ],
        says=[
            "The count of the {count.sku.color} {count.sku.title} in {count.sku.size} at the "
            "{count.location.name} is approved with {counted}, and the difference is posted.",
            "Signed and sealed: {counted} is the official figure for the {count.sku.title} in "
            "{count.sku.size} at the {count.location.name}.",
            "The correction for the {count.sku.color} {count.sku.title} in {count.sku.size} has "
            "gone through on the basis of {counted} at the {count.location.name}.",
            "I've approved {counted} for the {count.sku.title} in {count.sku.color} and "
            "{count.sku.size} at the {count.location.name}; the ledger follows.",
            "The ledger of the {count.location.name} has been set right by the count of {counted} "
            "for the {count.sku.color} {count.sku.title} in {count.sku.size}.",
        ],
    ),
)
def approve_count(db, count: StockCount) -> StockCount:
    """Approve a count that lies outside the tolerance. The ledger changes by the difference that
    was found; what has come and gone since the count stays accounted for."""
    level = level_of(count.sku, count.location)
    level.on_hand = level.on_hand + difference(count)
    count.status = "approved"
    return count


@domain.write(
    requires=[free_on_shelf, is_colleague, identified],
    changes=[
        creates(QuarantineLot),
        sets("location.stock_levels", StockLevel.quarantined),
    ],
    ask=[
        "have {quantity} of {sku} at {location} quarantined as {cause}",
        "report {quantity} of {sku} at {location} as {cause}",
        "take {quantity} of {sku} at {location} out of sale as {cause}",
        "put {quantity} of {sku} at {location} in quarantine as {cause}",
        "have {quantity} of {sku} at {location} blocked as {cause}",
        "report {quantity} of {sku} as {cause}",
        "report {quantity} of an article at {location} as {cause}",
        "have {quantity} of something at {location} taken out of sale as {cause}",
        "report {quantity} of {sku} at {location}, which can't be sold",
    ],
    asks={
        "location": ["At which location are they?"],
        "sku": ["Which article is it?"],
        "quantity": ["How many pieces are affected?"],
        "cause": [
            "What is the cause: are they damaged, mislabelled or under a recall?",
            "For what cause, that is, damaged, mislabelled or a recall?",
        ],
    },
    outcome=outcome(
        quotes=["quantity", "value"],
        mood="neutral",
        says=[
            "I've taken {quantity} of the {sku.color} {sku.title} in {sku.size} at the "
            "{location.name} out of sale; they are worth {value}.",
            "{quantity} of the {sku.title} in {sku.color} and {sku.size} went into quarantine at "
            "the {location.name}, at a value of {value}.",
            "The shelf label at the {location.name} is adjusted: {quantity} of the {sku.color} "
            "{sku.title} in {sku.size} count as locked away, which ties up {value}.",
            "{quantity} of the {sku.color} {sku.title} in {sku.size} can't be sold at the "
            "{location.name} any longer; on paper that is {value}.",
            "The {location.name} puts {quantity} of the {sku.title} in {sku.color} and {sku.size} "
            "into its cage, {value} altogether.",
        ],
    ),
)
def quarantine_stock(
    db,
    requester: Requester,
    sku: Sku,
    location: Location,
    quantity: Annotated[int, Field(ge=1, le=99), drawn(usual_lots)],
    cause: Cause,
) -> QuarantineLot:
    """Take pieces out of sale that are damaged, mislabelled or recalled by their maker. They stay
    on hand, but cannot be promised. Here single pieces count, packs do not matter.

    Args:
        quantity: How many pieces, e.g. 2
        cause: What is the matter with them
    """
    level_of(sku, location).quarantined += quantity
    return db.create(
        QuarantineLot,
        requester=requester,
        sku=sku,
        location=location,
        quantity=quantity,
        value=worth(quantity, sku.unit_price),
        cause=cause,
        reported_on=db.today,
    )


@domain.write(
    requires=[
        not_recalled,
        inspected,
        is_colleague.on("lot.requester"),
        identified.on("lot.requester"),
    ],
    changes=[
        moves("lot", "open", to="cleared"),
        sets("lot", QuarantineLot.closed_on),
        sets("lot.location.stock_levels", StockLevel.quarantined),
    ],
    ask=[
        "have {lot} put back on sale",
        "have {lot} cleared",
        "get {lot} back on the shelf",
        "have {lot} freed for sale again",
        "take {lot} out of quarantine",
        "return {lot} to the shelf",
        "put a quarantined lot back on sale",
    ],
    asks={"lot": ["Which of the lots in quarantine is it?"]},
    outcome=outcome(
        quotes=["quantity"],
        mood="good",
        says=[
            "I've put {quantity} of the {lot.sku.color} {lot.sku.title} in {lot.sku.size} back on "
            "sale at the {lot.location.name}.",
            "I've cleared {quantity} of the {lot.sku.title} in {lot.sku.color} and "
            "{lot.sku.size}; the shelf of the {lot.location.name} has them again.",
            "The restriction on {quantity} of the {lot.sku.color} {lot.sku.title} in "
            "{lot.sku.size} is lifted at the {lot.location.name}.",
            "Customers of the {lot.location.name} may buy {quantity} of the {lot.sku.title} in "
            "{lot.sku.color} and {lot.sku.size} as before.",
            "I've freed {quantity} of the {lot.sku.color} {lot.sku.title} in {lot.sku.size} at the "
            "{lot.location.name} for sale.",
        ],
    ),
)
def clear_lot(db, lot: QuarantineLot) -> QuarantineLot:
    """Put quarantined goods back on sale that the inspection has found to be in order."""
    level_of(lot.sku, lot.location).quarantined -= lot.quantity
    lot.status, lot.closed_on = "cleared", db.today
    return lot


@domain.write(
    requires=[
        small_write_off,
        inspected,
        within_write_off_total,
        is_colleague.on("lot.requester"),
        agreed,
        identified.on("lot.requester"),
    ],
    changes=[
        moves("lot", "open", to="written_off"),
        sets("lot", QuarantineLot.closed_on),
        sets("lot.location.stock_levels", StockLevel.quarantined, StockLevel.on_hand),
    ],
    ask=[
        "have {lot} written off",
        "write off {lot}",
        "have {lot} taken off the books",
        "strike {lot} from the ledger",
        "have {lot} booked as a loss",
        "have a lot in quarantine written off",
    ],
    asks={"lot": ["Which of the lots in quarantine shall be written off?"]},
    outcome=outcome(
        quotes=["value"],
        mood="bad",
        irreversible=True,
        ask_first=[
            "The {lot.sku.color} {lot.sku.title} in {lot.sku.size} ({lot.quantity} pieces) would "
            "leave the books of the {lot.location.name}, a loss of {lot.value}.",
        ],
        says=[
            "The {lot.sku.color} {lot.sku.title} in {lot.sku.size} at the {lot.location.name} is "
            "written off, a loss of {value}.",
            "The loss of {value} is recorded, and the {lot.sku.title} in {lot.sku.size} goes to "
            "disposal at the {lot.location.name}.",
            "It hurts a little: {value} gone with the {lot.sku.color} {lot.sku.title} in "
            "{lot.sku.size} at the {lot.location.name}.",
            "I've struck the {lot.sku.title} in {lot.sku.color} and {lot.sku.size} from the ledger "
            "of the {lot.location.name}, at {value}.",
            "{value} is written off for the {lot.sku.color} {lot.sku.title} in {lot.sku.size} at "
            "the {lot.location.name}.",
        ],
    ),
)
def write_off_lot(db, lot: QuarantineLot) -> QuarantineLot:
    """Write quarantined goods off: they leave the stock for good, and their value is lost."""
    level = level_of(lot.sku, lot.location)
    level.quarantined -= lot.quantity
    level.on_hand -= lot.quantity
    lot.status, lot.closed_on = "written_off", db.today
    return lot


@domain.write(
    requires=[identified],
    changes=[creates(StockEscalation)],
    handover=True,
    ask=["speak to the stock manager", "have the stock manager take this over"],
    outcome=outcome(
        says=[
            "I've passed this on to the stock manager, who will get in touch with you.",
            "The stock manager has it now and carries on from here.",
            "It is with the stock manager, together with what you told me.",
        ]
    ),
)
def escalate_to_stock_manager(db, requester: Requester, reason: Matter) -> StockEscalation:
    """Hand the conversation to the stock manager: for a count difference or a write-off beyond what
    the desk may decide, a matter with a supplier, details of an account, a complaint, or something
    else that no function of the desk covers. A request that a rule forbids is refused, not handed
    over, unless the rule itself names the stock manager.

    Args:
        reason: What it is about
    """
    return db.create(StockEscalation, requester=requester, reason=reason, at=db.now)


# What brings people here, what makes them think again, and what only the manager can settle.

for text, tools in (
    ("Our camping trip starts sooner than planned.", ["reserve_stock"]),
    ("I've been through your catalogue with a pencil in my hand.", ["reserve_stock"]),
    ("My nephew graduates this month, and I have a present in mind.", ["reserve_stock"]),
    ("I'm driving past your place later in the week.", ["reserve_stock"]),
    ("A friend of mine can't stop praising hers.", ["reserve_stock", "watch_sku"]),
    ("I don't want to stand in front of an empty rack on Saturday.", ["reserve_stock"]),
    ("The old one fell apart on our last hike.", ["reserve_stock", "watch_sku"]),
    ("We're furnishing a mountain hut and buy piece by piece.", ["reserve_stock", "watch_sku"]),
    ("My budget for this quarter has just been approved.", ["reserve_stock"]),
    ("A delivery from elsewhere has let us down.", ["reserve_stock"]),
    ("I've promised the team new equipment.", ["reserve_stock", "watch_sku"]),
    ("There's a photo session coming up, and the set is still bare.", ["reserve_stock"]),
    ("A regular of ours has asked me to organise something for him.", ["reserve_stock"]),
    ("I nearly missed out last season, so I'm early this time.", ["reserve_stock"]),
    ("We're dressing the big window next week.", ["reserve_stock", "request_transfer"]),
    ("Our guides set out at dawn on Friday.", ["reserve_stock", "put_out"]),
    ("My sister's wedding list has a gap that I'd like to fill.", ["reserve_stock"]),
    ("I'm kitting out a scout group.", ["reserve_stock", "resize_reservation"]),
    ("The job that I needed those goods for has fallen through.", ["release_reservation"]),
    ("I found the same thing in my own cellar.", ["release_reservation"]),
    (
        "Somebody got there first and gave me a set as a present.",
        ["release_reservation", "end_watch"],
    ),
    ("My client has cancelled on me.", ["release_reservation", "cancel_transfer"]),
    ("We've settled on another colour altogether.", ["release_reservation", "end_watch"]),
    ("Money is tight this month, I have to be sensible.", ["release_reservation"]),
    ("Our trip is off, the pass is still under snow.", ["release_reservation", "cancel_transfer"]),
    ("The photographer wants something quite different now.", ["release_reservation"]),
    ("I tried a friend's, and it doesn't suit me.", ["release_reservation", "end_watch"]),
    ("I'm tidying up what is on my account.", ["release_reservation", "end_watch"]),
    ("There's a change in the number of people who are coming.", ["resize_reservation"]),
    ("I counted heads again this morning.", ["resize_reservation"]),
    ("The customer has called back about the number.", ["resize_reservation"]),
    ("My first estimate was rather off.", ["resize_reservation"]),
    ("Two more colleagues would like to join in.", ["resize_reservation"]),
    ("The plan for the display has been redrawn.", ["resize_reservation", "request_transfer"]),
    ("I got the figures wrong when I wrote to you.", ["resize_reservation"]),
    ("My car is at the garage until next week.", ["extend_reservation"]),
    ("I'm down with the flu and can't come out.", ["extend_reservation"]),
    ("A meeting has eaten up the afternoon that I'd kept free.", ["extend_reservation"]),
    ("The building site is behind schedule.", ["extend_reservation"]),
    ("I'm stuck abroad, the ferries aren't running.", ["extend_reservation"]),
    ("My customer can only come at the weekend.", ["extend_reservation"]),
    ("Payday is a few days off.", ["extend_reservation"]),
    ("The babysitter has let me down twice this week.", ["extend_reservation"]),
    ("My partner has to see it first and is travelling.", ["extend_reservation"]),
    ("I'll be in town within the hour.", ["put_out"]),
    ("I've borrowed a trolley, and I'm setting out now.", ["put_out"]),
    ("My brother is coming by for me at noon.", ["put_out"]),
    ("I'd rather not wait about while somebody searches the racks.", ["put_out"]),
    ("A courier of ours is in your street today.", ["put_out"]),
    ("I'm parked right outside.", ["put_out", "collect_reservation"]),
    ("My lunch break is short, so it has to be quick.", ["put_out", "collect_reservation"]),
    ("I'm standing at your counter with my bag open.", ["collect_reservation"]),
    ("The girl at the till has sent me to you.", ["collect_reservation"]),
    ("I've brought a big rucksack.", ["collect_reservation"]),
    ("My colleague is in the store and has her pass with her.", ["collect_reservation"]),
    ("We've got the van at the door.", ["collect_reservation"]),
    ("I'm on the shop floor this minute.", ["collect_reservation", "quarantine_stock"]),
    ("Getting out to that side of town takes me ages.", ["request_transfer"]),
    ("I've moved house and shop elsewhere these days.", ["request_transfer"]),
    ("I can't get out there without a car.", ["request_transfer"]),
    ("My shifts are in another branch until June.", ["request_transfer"]),
    ("The bus that I used to take has been cut.", ["request_transfer"]),
    ("I work round the corner from another of your places.", ["request_transfer"]),
    (
        "The display will be built somewhere else after all.",
        ["request_transfer", "cancel_transfer"],
    ),
    ("The driver is loading up now, I hear.", ["dispatch_transfer"]),
    ("Somebody is waiting for those goods at the other end.", ["dispatch_transfer"]),
    ("I can see the crate standing by the gate.", ["dispatch_transfer"]),
    ("Everything is packed and labelled.", ["dispatch_transfer"]),
    ("There is no reason to wait any longer.", ["dispatch_transfer"]),
    ("I've found a lift to where the goods are.", ["cancel_transfer"]),
    ("I pass that place on my way home, as it turns out.", ["cancel_transfer"]),
    ("My mother lives next door to where it is now and will see to it.", ["cancel_transfer"]),
    ("The opening of the new corner has been put off.", ["cancel_transfer"]),
    ("The van came in this morning, they tell me.", ["receive_transfer"]),
    ("I've signed the driver's note.", ["receive_transfer"]),
    ("The crate is right here in front of me.", ["receive_transfer"]),
    ("The store rang me to say that my goods were there.", ["receive_transfer"]),
    ("A parcel with my name on it is on the loading ramp.", ["receive_transfer"]),
    ("I was sad to see the empty hook.", ["watch_sku"]),
    ("There's no hurry, I can be patient.", ["watch_sku"]),
    ("I'd hate to check your pages every morning.", ["watch_sku"]),
    ("The season hasn't started yet, so time is on my side.", ["watch_sku"]),
    ("Everything I asked about seems to be gone.", ["watch_sku"]),
    ("I've lost interest in the meantime.", ["end_watch"]),
    ("I bought one second-hand.", ["end_watch"]),
    ("My inbox is full enough as it is.", ["end_watch"]),
    ("It took so long that I made do with something else.", ["end_watch"]),
    ("My husband found what we were after at a flea market.", ["end_watch"]),
    ("The rack looks emptier than the screen says.", ["request_count"]),
    ("A customer was sent away although the system promised her some.", ["request_count"]),
    ("We rearranged the back room last weekend.", ["request_count"]),
    ("Something about that shelf doesn't add up.", ["request_count"]),
    ("The auditors announced themselves for next month.", ["request_count", "approve_count"]),
    ("Two boxes turned up behind the heating.", ["request_count"]),
    ("I went along the shelf twice with a clipboard.", ["record_count"]),
    ("We did our counting before opening time.", ["record_count"]),
    ("The trainee and I have finished with that shelf.", ["record_count"]),
    ("I've got the sheet from last night in front of me.", ["record_count"]),
    ("Every box has been opened and looked into.", ["record_count"]),
    ("A second pair of eyes came to the same result.", ["approve_count"]),
    ("The delivery note explains it all: we were sent the wrong number.", ["approve_count"]),
    ("We've searched every corner, and the figure stands.", ["approve_count"]),
    ("I'd like the ledger to tell the truth again.", ["approve_count"]),
    ("My morning round has turned something up.", ["quarantine_stock"]),
    ("Something on my shelf isn't as it ought to be.", ["quarantine_stock"]),
    ("A customer has drawn my attention to something.", ["quarantine_stock"]),
    ("Better safe than sorry, I always say.", ["quarantine_stock"]),
    ("I wouldn't want anybody to take that home.", ["quarantine_stock"]),
    ("The inspector found nothing to object to.", ["clear_lot"]),
    ("Everything has been set right in the meantime.", ["clear_lot"]),
    ("It turned out to be half as bad.", ["clear_lot"]),
    ("We've tested every single piece.", ["clear_lot"]),
    ("There is nothing to be saved, says the workshop.", ["write_off_lot"]),
    ("The quarantine cage is overflowing.", ["write_off_lot"]),
    ("Nobody could sell that with a clear conscience.", ["write_off_lot"]),
    ("The insurer has closed the case.", ["write_off_lot"]),
    ("It has been standing in the way for days.", ["write_off_lot"]),
    ("I've explained this twice already.", ["escalate_to_stock_manager"]),
    ("I doubt that you can settle this yourself.", ["escalate_to_stock_manager"]),
    ("This needs somebody who can sign things.", ["escalate_to_stock_manager"]),
    ("The weather forecast for the coast is splendid.", ["reserve_stock"]),
    ("My running club has voted for a common outfit.", ["reserve_stock", "watch_sku"]),
    ("The kitchen of our guest house needs a few new things.", ["reserve_stock"]),
    ("Everybody in the office wants the same thing for the outing.", ["reserve_stock"]),
    ("I've got a gift voucher burning a hole in my pocket.", ["reserve_stock", "watch_sku"]),
    ("My godson turns eighteen.", ["reserve_stock", "watch_sku"]),
    ("The landlord has given us notice, so everything is on hold.", ["release_reservation"]),
    ("My back has gone, and hiking is out of the question.", ["release_reservation", "end_watch"]),
    ("An uncle is lending us his whole equipment.", ["release_reservation", "end_watch"]),
    ("The committee has doubled the number of participants.", ["resize_reservation"]),
    ("Half of the class has the mumps.", ["resize_reservation", "extend_reservation"]),
    ("Our lorry has broken down on the motorway.", ["extend_reservation"]),
    ("The dentist has moved my appointment to your opening hours.", ["extend_reservation"]),
    ("The tide keeps us on the island for now.", ["extend_reservation"]),
    ("I have exactly ten minutes between two trains.", ["put_out"]),
    ("My apprentice will be there before you close.", ["put_out"]),
    ("I have the receipt and my identity card in my hand.", ["collect_reservation"]),
    ("There's a queue behind me, so let's be brisk.", ["collect_reservation"]),
    ("Roadworks have closed the bridge to the harbour.", ["request_transfer"]),
    ("The parking there is hopeless.", ["request_transfer"]),
    ("The evening tour has a free corner in the back.", ["dispatch_transfer"]),
    ("The stand at the fair has been let to somebody else.", ["cancel_transfer"]),
    ("The seals were unbroken, and the number is right.", ["receive_transfer"]),
    ("I stood outside your window for a while, longing.", ["watch_sku"]),
    ("My shopping list has got shorter.", ["end_watch"]),
    ("Three people have asked me where the rest is.", ["request_count"]),
    ("The ladder is back in its place, and my notes are legible.", ["record_count"]),
    ("The regional office wants clean figures by the end of the week.", ["approve_count"]),
    ("One of the trainees came to me with a frown.", ["quarantine_stock"]),
    ("I stopped short when I dusted the racks.", ["quarantine_stock"]),
    ("Two of us have looked at it under a lamp.", ["clear_lot"]),
    ("The skip is coming tomorrow morning.", ["write_off_lot"]),
):
    domain.situation(text, leads_to=tools)

for text, tools in (
    (
        "My partner has just texted that we're getting one from her parents.",
        ["release_reservation"],
    ),
    ("On reflection I'd better keep it until I've slept on it.", ["release_reservation"]),
    ("My customer has just rung: he wants it after all.", ["release_reservation"]),
    ("I've just seen what it costs elsewhere.", ["release_reservation"]),
    ("It would be a shame to let it go so close to the weekend.", ["release_reservation"]),
    ("I'd rather ask my brother first, he may want it.", ["release_reservation"]),
    ("If it goes back on sale, I'll never get it again.", ["release_reservation"]),
    ("The job may come off in spite of everything.", ["release_reservation"]),
    ("I'd like to talk to the driver before it leaves.", ["dispatch_transfer"]),
    ("I've just heard that the road is flooded.", ["dispatch_transfer"]),
    ("Perhaps I can fetch it there myself.", ["dispatch_transfer", "request_transfer"]),
    ("If it can't be called back, I'd rather wait a day.", ["dispatch_transfer"]),
    ("The people over there have asked me to hold on.", ["dispatch_transfer"]),
    ("I should measure the space first.", ["dispatch_transfer", "reserve_stock"]),
    ("I'd feel better if somebody looked at it again.", ["write_off_lot", "approve_count"]),
    ("The workshop has just offered to try a repair.", ["write_off_lot"]),
    ("That's more than I'd reckoned with.", ["write_off_lot"]),
    ("The insurer may want to see it first.", ["write_off_lot"]),
    ("A school might be glad of it.", ["write_off_lot"]),
    ("My manager has just asked me to wait with that.", ["write_off_lot", "approve_count"]),
    ("Somebody thinks there's another box upstairs.", ["approve_count"]),
    ("I'd like to go through the delivery notes once more.", ["approve_count"]),
    ("The evening shift may have moved some of it.", ["approve_count"]),
    ("I'm not sure any more that we looked behind the stairs.", ["approve_count"]),
    ("Come to think of it, I'm still curious.", ["end_watch"]),
    ("My daughter would be disappointed.", ["end_watch", "release_reservation"]),
    ("It does no harm to hear about it, I suppose.", ["end_watch"]),
    ("I may need another one for the holidays.", ["end_watch"]),
    ("The one that I've got has just broken.", ["end_watch", "release_reservation"]),
    ("I see now that I wrote down the wrong size.", ["reserve_stock", "watch_sku"]),
    ("The colour looks odd on my screen.", ["reserve_stock"]),
    ("My neighbour has just offered me hers.", ["reserve_stock", "watch_sku"]),
):
    domain.second_thought(text, about=tools)

domain.concern(
    "count_difference",
    [
        "The count of the {sku.title} in {sku.size} at the {location.name} can't be right, and I "
        "want somebody to look into where the rest has gone.",
        "I suspect that {sku.title} in {sku.color} is being stolen at the {location.name}, "
        "judging by the last count.",
        "After the count of the {sku.color} {sku.title} I'm being blamed for the difference, and I "
        "won't have that.",
        "The difference in the {sku.title} at the {location.name} has to be investigated before "
        "anything is posted.",
    ],
    about=StockCount,
    where={"status": "counted"},
    noted="that the difference in the {sku.color} {sku.title} at the {location.name} needs a look",
)
domain.concern(
    "large_write_off",
    [
        "A burst pipe has ruined a whole aisle, thousands in value, and all of that has to be "
        "written off.",
        "After the fire in the annex there are goods to be written off worth more than anybody at "
        "the desk may sign.",
        "Half a lorry load was soaked on the ramp, and the loss runs into thousands.",
        "The recall hits an entire season's stock, so the write-off will be enormous.",
        "Moths have got into all the winter goods, and the damage is beyond your limit by far.",
    ],
    noted="that a loss beyond the desk's limit has to be decided about",
)
domain.concern(
    "supplier",
    [
        "One of your suppliers keeps ringing me about an unpaid bill.",
        "I make wooden spoons and would love to see them on your shelves.",
        "The maker of your kettles has sent me the wrong spare part twice.",
        "Your supplier has delivered to my yard by mistake, and the pallets are in my way.",
        "I represent a tent maker, and we'd like to talk about your range.",
        "The last delivery came with somebody else's papers, and the haulier wants a signature.",
    ],
    noted="what this supplier matter is about",
)
domain.concern(
    "account_details",
    [
        "My phone number has changed, and you still have the old one.",
        "I've started a business, and my account should be a trade one from now on.",
        "My surname is spelt wrongly on everything that you print.",
        "I've left the company, so my account shouldn't count as a colleague's any longer.",
        "My e-mail address stops working at the end of the month, please put in another.",
        "Somebody has given you my number as theirs, and I get their calls.",
    ],
    noted="that a detail of your account has to change; you'll be asked for the new one",
)
domain.concern(
    "complaint",
    [
        "I drove forty miles for goods that were promised to me, and nobody knew anything.",
        "The man at the counter laughed at my question, and I'd like that to have consequences.",
        "I was kept waiting at the loading ramp for two hours in the rain.",
        "Your people let my goods lapse although I had rung to say that I'd be late.",
        "Boxes with my name on them stood open in the hallway, I'm appalled.",
        "Whoever answers your phone hangs up on me.",
    ],
    noted="your complaint as you put it, and I'm sorry about it",
)
domain.concern(
    "other",
    [
        "I'd like to use your empty pallets for a stage at our street party.",
        "My pupils would love to see how a warehouse works.",
        "Could somebody keep an eye on the bicycle that's been chained to your fence for weeks?",
        "I'm writing about local shops and would like to talk to somebody about yours.",
        "Your forklift has dented our garden gate, though nobody was hurt.",
        "I found a bunch of keys in a jacket that I tried on.",
        "There's a cat living behind your loading ramp, and she has kittens now.",
    ],
    noted="what you have told me, in your own words",
)


# Seed data: the catalogue of the shop, and accounts that stand at, or just below, their quota.

# Title, code, colours, sizes, price, step from size to size, pieces in a pack, safety stock.
CATALOGUE = (
    ("Ridgeline trail shoe", "RDG", "slate moss", "size 41|size 42|size 43", 11900, 0, 1, 2),
    ("Orbit GPS watch", "ORB", "graphite sand", "42 mm|46 mm", 24900, 3000, 1, 1),
    ("Ember iron pan", "EMB", "black crimson", "20 cm|24 cm|28 cm", 4900, 1200, 2, 2),
    ("Heron rain jacket", "HRN", "navy rust", "size S|size M|size L", 18900, 0, 1, 2),
    ("Cedar shave set", "CDR", "oak walnut", "travel size|full size", 3900, 1500, 4, 4),
    ("Lumen headlamp", "LMN", "grey orange", "300 lumens|500 lumens", 4500, 1500, 2, 3),
    ("Ridgeline hiking boot", "RHB", "umber tan", "size 41|size 42|size 43", 15900, 0, 1, 2),
    ("Larch kettle", "LRC", "steel copper", "0.6 litres|1.0 litres", 6900, 900, 1, 1),
    ("Fjord down vest", "FJD", "teal olive", "size S|size M|size L", 12900, 0, 1, 2),
    ("Pine tar soap set", "PTS", "mild dark", "travel size|family size", 1700, 1500, 6, 6),
    ("Juniper knife block", "JNP", "ash cherry", "compact size|full size", 13900, 4000, 1, 1),
    ("Skiff canvas sneaker", "SKF", "white turquoise", "size 41|size 42|size 43", 7900, 0, 1, 2),
)
OTHER_COLOUR = 200  # what the second colour of a product costs more
# Code, name, city, lead time, and how many more pieces the counter takes than stand there.
STORES = (
    ("ST-HARBOUR", "Harbour Street store", "Ashford", 1, 9),
    ("ST-MILL", "Mill Road store", "Dunmore", 2, 2),
    ("ST-LAKE", "Lake Lane store", "Coldharbour", 3, 5),
    ("ST-MARKET", "Market Place store", "Fairmont", 2, 0),
)
CLOSED = "ST-LAKE"
WAREHOUSES = (
    ("WH-NORTH", "Northfield warehouse", "Ashford", 1),
    ("WH-QUAY", "Quayside warehouse", "Dunmore", 2),
)
TIERS = ("standard", "colleague", "trade", "colleague")
SLACK = (0, 1, 4, 2, 9)  # pieces below the quota
SOLD_OUT, SCARCE, ROUND = (2, 7), (4,), 9  # of nine articles after each other
# What an account has under way: in store or warehouse, days left, extensions, and its transfer.
LIVE = (
    ("store", 2, 0, ""),
    ("warehouse", 5, 0, "arrived"),
    ("ready", 1, 1, ""),
    ("store", 4, 2, ""),
    ("warehouse", 3, 0, "draft"),
    ("store", 0, 1, ""),
    ("warehouse", 1, 0, ""),
    ("ready", 4, 0, ""),
    ("warehouse", 5, 1, "sent"),
    ("store", 4, 0, "draft"),
    ("warehouse", 7, 0, ""),
    ("store", 3, 1, "dropped"),
    ("warehouse", 2, 1, "arrived"),
)
LIVE_EACH = 4
# What has become of earlier ones, and how many days ago their last day was.
PAST = (("collected", 6), ("lapsed", 4), ("released", 12), ("moved", 9), ("lapsed", 10))
PAST += (("collected", 20), ("lapsed", 11), ("moved", 31), ("released", 2))
PAST_EACH = 3
REFERENCES = {
    "standard": ("#W5490124", None, "#W5490189", None),
    "trade": ("site order 118", "harbour hotel", "#W5490241", None),
    "colleague": ("spring window", None, "photo shoot", "staff order 31"),
}
# Lots of the colleagues: pieces, cause, days since the report, and what has become of them.
LOTS = (
    (1, "damaged", 2, "open"),
    (2, "damaged", 0, "open"),
    (3, "mislabelled", 6, "open"),
    (1, "recalled", 4, "open"),
    (2, "damaged", 14, "written_off"),
    (4, "damaged", 5, "open"),
    (1, "mislabelled", 1, "open"),
    (2, "recalled", 9, "open"),
    (2, "mislabelled", 16, "cleared"),
    (1, "damaged", 3, "open"),
)
LOTS_EACH = 3
RECENT_WRITE_OFFS = 12
# Counts of the colleagues: days since the request, state, and the difference in tolerances.
COUNTS = (
    (1, "requested", 0),
    (3, "counted", 1),
    (8, "approved", 0),
    (2, "requested", 0),
    (4, "counted", -1),
    (14, "approved", 1),
    (0, "requested", 0),
    (5, "counted", 3),
    (15, "approved", -1),
)
COUNTS_EACH = 2


def add_skus(w: Seeder) -> list[Row]:
    skus = []
    for title, code, colours, sizes, price, step, pack, safety in CATALOGUE[: max(5, w.scaled(12))]:
        colors = colours.split()
        for color in colors:
            for n, size in enumerate(sizes.split("|")):
                short = size.removeprefix("size ").removesuffix(" size").replace(" ", "")
                sku = w.add(
                    Sku,
                    sku_code=f"{code}-{color[:3]}-{short}".upper(),
                    title=title,
                    color=color,
                    size=size,
                    unit_price=price + n * step + (OTHER_COLOUR if color != colors[0] else 0),
                    pack_size=pack,
                    safety_stock=safety,
                    reorder_point=pack * w.rng.choice((6, 8, 10, 12)),
                )
                skus.append(sku)
    return skus


def add_locations(w: Seeder) -> tuple[list[Row], list[Row]]:
    stores = [
        w.add(
            Location,
            location_code=code,
            name=text,
            city=city,
            kind="store",
            capacity=0,
            lead_days=lead,
            status="closed" if code == CLOSED else "open",
        )
        for code, text, city, lead, _ in STORES
    ]
    warehouses = [
        w.add(
            Location,
            location_code=code,
            name=text,
            city=city,
            kind="warehouse",
            capacity=0,
            lead_days=lead,
        )
        for code, text, city, lead in WAREHOUSES
    ]
    return stores, warehouses


def places(stores: list[Row], warehouses: list[Row], n: int) -> tuple[list[Row], Row]:
    """Where the nth article is carried: in one store or two, and in a warehouse."""
    few = [stores[(n + k) % len(stores)] for k in range(1 + n % 3 % 2)]
    return few, warehouses[n // 2 % len(warehouses)]


def working_day(day: date) -> date:
    """The last working day up to a day."""
    while day.weekday() >= MONDAY_TO_FRIDAY:
        day -= timedelta(days=1)
    return day


def plan_live(w: Seeder, i: int, requester: Row, mine: list[tuple]) -> list[dict]:
    """What is set aside for an account; the last one fills it up to just below its quota."""
    plans, room = [], QUOTA[requester.tier] - SLACK[i % len(SLACK)]
    for j in range(LIVE_EACH + 1):
        sku, pair, warehouse = mine[j]
        where, days, extensions, move = LIVE[(i * LIVE_EACH + j) % len(LIVE)]
        days = min(days, HOLD_DAYS[requester.tier])
        spent = HOLD_DAYS[requester.tier] + extensions * w.rng.randint(1, 3)
        packs = 2 if requester.tier == "trade" else 1 + (i + j) % 2
        quantity = packs * sku.pack_size
        if j == LIVE_EACH:
            sku, pair, warehouse = next(x for x in mine[j:] if x[0].pack_size == 1)
            quantity = room
        location = warehouse if where == "warehouse" else pair[0]
        other = next((x for x in pair if x is not location and x.status == "open"), None)
        move = move if other else ""
        if not 0 < quantity <= room:
            continue
        room -= quantity
        plans.append(
            {
                "requester": requester,
                "sku": sku,
                "location": location,
                "target": other,
                "quantity": quantity,
                "placed_on": w.day(days - spent, days - spent),
                "expires_on": w.day(days, days),
                "extensions": extensions,
                "status": "ready" if where == "ready" and location.status == "open" else "held",
                "move": move,
            }
        )
    return plans


def plan_past(w: Seeder, i: int, requester: Row, mine: list[tuple]) -> list[dict]:
    plans = []
    for j in range(PAST_EACH):
        sku, (first, *_), warehouse = mine[LIVE_EACH + 3 + j]
        became, ago = PAST[(i * PAST_EACH + j) % len(PAST)]
        moved = became == "moved"
        plans.append(
            {
                "requester": requester,
                "sku": sku,
                "location": first,
                "target": first,
                "source": warehouse,
                "quantity": sku.pack_size * w.rng.randint(1, 2),
                "placed_on": w.day(-ago, -ago) - timedelta(days=HOLD_DAYS[requester.tier]),
                "expires_on": w.day(-ago, -ago),
                "extensions": 0,
                "status": "collected" if moved else became,
                "move": "received" if moved else "",
            }
        )
    return plans


def add_reservations(w: Seeder, plans: list[dict]) -> None:
    """Reservations in the order in which they were made, each with its transfer."""
    moves_of = {"arrived": "in_transit", "sent": "in_transit", "dropped": "cancelled"}
    for n, plan in enumerate(sorted(plans, key=lambda plan: plan["placed_on"])):
        move, target = plan.pop("move"), plan.pop("target")
        source = plan.pop("source", plan["location"])
        sku, quantity, tier = plan["sku"], plan["quantity"], plan["requester"].tier
        reference = REFERENCES[tier][n % len(REFERENCES[tier])]
        value = worth(quantity, sku.unit_price)
        reservation = w.add(Reservation, **plan, value=value, reference=reference)
        state = moves_of.get(move, move)
        if is_live(reservation) and state != "in_transit":
            level_of(sku, source).reserved += quantity
        if not move:
            continue
        arrives_on = {
            "arrived": working_day(w.day(-(n % 2), -(n % 2))),
            "sent": arrival_day(w.today, 1 + n % 2),
            "received": working_day(plan["placed_on"] + timedelta(days=2)),
        }.get(move)
        w.add(
            StockTransfer,
            requester=plan["requester"],
            reservation=reservation,
            sku=sku,
            source=source,
            target=target,
            quantity=quantity,
            arrives_on=arrives_on,
            status=state,
        )


def add_lots(w: Seeder, colleagues: list[Row], skus: list[tuple]) -> None:
    gone = 0
    for i, colleague in enumerate(colleagues):
        for j in range(LOTS_EACH):
            sku, stores, warehouse = skus[(i * LOTS_EACH + j) * 7 % len(skus)]
            pieces, cause, ago, status = LOTS[(i * LOTS_EACH + j) % len(LOTS)]
            location = (*stores, warehouse)[(i + j) % (len(stores) + 1)]
            if status == "written_off":
                pieces = max(1, min(pieces, WRITE_OFF_CAP // sku.unit_price))
                gone += 1
                ago += 0 if gone <= RECENT_WRITE_OFFS else WRITE_OFF_DAYS
            if status == "open":
                level_of(sku, location).quarantined += pieces
            closed_on = None if status == "open" else w.day(3 - ago, 3 - ago)
            w.add(
                QuarantineLot,
                requester=colleague,
                sku=sku,
                location=location,
                quantity=pieces,
                value=worth(pieces, sku.unit_price),
                cause=cause,
                reported_on=w.day(-ago, -ago),
                closed_on=closed_on,
                status=status,
            )


def fill_shelves(w: Seeder, skus: list[tuple]) -> None:
    """Every location has what it has promised; of some articles nothing more, of others little."""
    for n, (sku, *_) in enumerate(skus):
        for level in sku.stock_levels:
            scarce = n % ROUND in SCARCE and level.location.kind == "store"
            free = sku.pack_size * w.rng.randint(1, 2 if scarce else 9)
            if n % ROUND in SOLD_OUT:
                free = 0
            level.on_hand = level.reserved + level.quarantined + sku.safety_stock + free


def add_counts(w: Seeder, colleagues: list[Row], skus: list[tuple]) -> None:
    levels = [level for sku, *_ in skus for level in sku.stock_levels]
    w.rng.shuffle(levels)
    plans = [
        (colleague, COUNTS[(i * COUNTS_EACH + j) % len(COUNTS)])
        for i, colleague in enumerate(colleagues)
        for j in range(COUNTS_EACH)
    ]
    for (colleague, (ago, status, off)), level in zip(plans, levels, strict=False):
        booked = None if status == "requested" else level.on_hand
        found = None
        if status == "counted":
            step = tolerance(booked) + 1
            found = booked + off * step if booked + off * step >= 0 else booked + step
        elif status == "approved":
            found = booked + off
        w.add(
            StockCount,
            requester=colleague,
            sku=level.sku,
            location=level.location,
            requested_on=w.day(-ago, -ago),
            booked=booked,
            counted=found,
            status=status,
        )


@domain.seed
def seed(w: Seeder) -> None:
    stores, warehouses = add_locations(w)
    skus = []
    for n, sku in enumerate(add_skus(w)):
        pair, warehouse = places(stores, warehouses, n)
        skus.append((sku, pair, warehouse))
        for location in (*pair, warehouse):
            w.add(StockLevel, sku=sku, location=location)
    requesters = [
        w.add(
            Requester,
            name=person.name,
            email=person.email,
            phone=person.phone,
            tier=TIERS[i % len(TIERS)],
        )
        for i, person in enumerate(w.people(w.scaled(24)))
    ]
    colleagues = [requester for requester in requesters if requester.tier == "colleague"]
    plans = []
    for i, requester in enumerate(requesters):
        start = i * 5 % len(skus)
        mine = skus[start:] + skus[:start]
        plans += plan_live(w, i, requester, mine) + plan_past(w, i, requester, mine)
    add_reservations(w, plans)
    add_lots(w, colleagues, skus)
    fill_shelves(w, skus)
    add_counts(w, colleagues, skus)
    for store, (*_, room) in zip(stores, STORES, strict=True):
        store.capacity = at_counter(store) + room
    wanted = [sku for n, (sku, *_) in enumerate(skus) if n % ROUND in SOLD_OUT]
    for i, requester in enumerate(requesters):
        for j in range(min(MAX_WATCHES, len(wanted))):
            status = "active" if j < MAX_WATCHES - i % 3 % 2 else ("ended", "notified")[i % 2]
            since = w.day(-30 + 7 * j, -24 + 7 * j)
            sku = wanted[(i * 3 + j) % len(wanted)]
            w.add(
                BackInStockWatch,
                requester=requester,
                sku=sku,
                quantity=sku.pack_size * (1 + j % 2),
                since=since,
                status=status,
            )
    for i in range(w.scaled(3)):
        reason = ("complaint", "count_difference", "account_details")[i % 3]
        w.add(StockEscalation, requester=w.pick(requesters), reason=reason, at=w.moment(-20, -1))
