"""Public library lending: the circulation desk of a town library with seven branches."""

from collections import deque
from collections.abc import Callable
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
    Seeder,
    ToolError,
    column,
    counted,
    creates,
    drawn,
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
    "library_lending",
    version=3,
    category="Community, Culture and Heritage",
    today=datetime(2026, 3, 16, 9, 30),
    role="circulation desk assistant of the Harbour Towns Public Library",
    access="staff",
    without_tool="other",
    intro="""
The library lends books, large-print editions and audiobooks from its branches to people who hold
one of its cards. You work at the circulation desk: members write or call, you look things up for
them and change records with the tools below. You deal with one account at a time, that of the
person you are talking to. Say what a rule means in your own words, with the figure that applies,
and offer the way out where there is one: a payment, a return, a place in the queue. Before you take
a step that only serves to make another one possible, such as a payment that lifts a block, make
sure that nothing else stands in the way of what the member wants.

The collection floats: a copy has no home, it stays at the branch where it was last shelved. Amounts
are in cents, and all dates are calendar days; the library counts whole days, never hours.
""",
    dialect=Dialect(
        errors={
            "not_found": "Neither catalogue nor register has a {entity} with number {id}.",
            "wrong_state": "The {entity} is {state}, and this is for {wanted} ones only.",
            "invalid": "The desk system cannot read this request: {detail}.",
        },
        verbs={
            "get": "show_{entity}",
            "list": "{entities}_of_{owner}",
            "search": "browse_{entities}",
            "find": "{entity}_by_{column}",
        },
    ),
)

LOAN_DAYS = {"junior": 14, "adult": 21, "patron": 28}
MAX_LOANS = {"junior": 4, "adult": 5, "patron": 7}
MAX_HOLDS = {"junior": 3, "adult": 4, "patron": 5}
MAX_RENEWALS, RENEWAL_DAYS, GRACE_DAYS, PICKUP_DAYS = 2, 5, 7, 7
CARD_DAYS, CARD_WINDOW = 365, 30
MAX_INCOMING, QUEUE_PAGE = 3, 4
DAY_FEE, FEE_CAP, FINE_BLOCK = 25, 1200, 1000
LOST_FEE, WAIVER_CAP, WAIVER_DAYS, MIN_PART = 500, 500, 28, 200
DEAR = 3000

# Words by which a refusal is recognised, where several rules share them.
LIMIT = [
    "limit",
    "maximum",
    "at most",
    "as many",
    "too many",
    "no more than",
    "the most",
    "not take more",
    "not have more",
    "not allow more",
    "no room",
    "no space",
    "card allows",
    "card is full",
    "is all",
    "as far as",
    "ceiling",
    "quota",
    "allowance",
    "go beyond",
    "only allow",
    "only take",
    "used them all",
    "full number",
    "cap",
    "any further",
]
OWED = ["fine", "fee", "owe", "debt", "balance", "outstanding", "owed", "unpaid"]
QUEUE = ["hold", "queue", "reserve", "in line", "waiting list"]
OTHERS = ["someone", "somebody", "another", "other", "reader"]

RETURNED = [
    [
        "return",
        "bring back",
        "brought back",
        "give back",
        "hand in",
        "handed in",
        "handed it in",
        "hand back",
        "had that",
        "had it",
        "had this",
        "brought",
        "gave back",
        "turned in",
    ],
    [
        "just",
        "recently",
        "days ago",
        "less than",
        "within the last",
        "within {GRACE_DAYS} days",
        "for {GRACE_DAYS} days",
        "so soon",
        "a week",
        "last week",
        "only",
        "yesterday",
        "too soon",
        "other readers first",
    ],
]
AT_HOME = [
    [
        "on loan",
        "at home",
        "checked out to you",
        "out on your",
        "out to you",
        "on your own card",
        "is on your card",
        "already on your card",
        "on your card already",
        "have it out",
        "got it out",
        "have borrowed",
        "you've borrowed",
        "borrowed yourself",
        "already borrowed",
        "borrowed it",
        "have that book",
        "have this book",
        "have that one",
        "have this one",
        "book yourself",
        "have it yourself",
        "got that book",
        "got this book",
        "got it yourself",
        "is with you",
        "you are reading",
        "in your hands",
        "in your possession",
    ]
]
SAME_TITLE = [
    ["copy", "title", "edition", "same book", "this book", "that book"],
    [
        "already",
        "second",
        "twice",
        "duplicate",
        "same title",
        "same book",
        "one copy",
        "two copies",
        "another copy",
        "another edition",
        "per person",
        "at home",
        "very title",
    ],
]

JUST_RETURNED = [
    "you have only just returned that book, and others come first for {GRACE_DAYS} days",
    "you returned it just recently, and for {GRACE_DAYS} days others have their turn",
    "you have just returned it, less than {GRACE_DAYS} days ago",
    "it was only just brought back by you, and a week belongs to other readers first",
    "others come first for {GRACE_DAYS} days, as you have just returned it yourself",
]


class Branch(
    domain.Entity,
    key="BR-{:02d}",
    plural="branches",
    label="the {self.name} branch",
    called=["the {name} branch", "your {name} branch", "{name}"],
):
    """A library building with open shelves, a hold shelf and a desk."""

    name: Mapped[str]
    street: Mapped[str]
    status: Mapped[str] = lifecycle(
        {"open": [], "closed": []}, outside={"open": ["closed"], "closed": ["open"]}
    )


class Member(domain.Entity, key=counted("{:06d}", 204417, 13), identity=True, label="{self.name}"):
    """A person with a library card; the member number is printed on the card."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    postcode: Mapped[str]
    tier: Mapped[Literal["junior", "adult", "patron"]] = column(says="kind of card")
    card_expires_on: Mapped[date] = column(
        says="expiry date of the card",
        asks=["when my card runs out", "until when my card is valid", "when my card expires"],
        told=[
            "your card is valid until {value}",
            "the date printed as the end of your card is {value}",
            "the last day of your card is {value}",
            "your card runs out on {value}",
        ],
    )
    status: Mapped[str] = lifecycle(
        {"active": [], "suspended": ["active"], "expired": ["active"]},
        outside={"active": ["suspended", "expired"]},
        asks=["how my card stands", "whether my card works", "what state my card is in"],
        told=["your card is {value}", "your card is {value} at present"],
    )


class Book(
    domain.Entity,
    key=natural("isbn"),
    label='"{self.title}"',
    called=[
        '"{title}"',
        "{title}",
        "{title} by {author}",
        "{author}'s {title}",
        "the {format} edition of {title}",
        "{title} in {format}",
        "the book {title}",
        "a copy of {title}",
        'a copy of "{title}"',
    ],
):
    """One edition of a title; its physical items are copies."""

    isbn: Mapped[str] = column(says="ISBN")
    title: Mapped[str]
    author: Mapped[str]
    genre: Mapped[Literal["fiction", "history", "science", "crafts", "picture"]]
    format: Mapped[Literal["print", "large_print", "audio"]]
    price: Mapped[Money] = column(
        ge=0,
        says="replacement price",
        asks=["what it costs to replace {it}", "what {it} is worth", "how expensive {it} is"],
        told=[
            "the replacement price of {it} is {value}",
            "{it} costs {value} to replace",
            "we value {it} at {value}",
        ],
    )


class Copy(
    domain.Entity,
    key="CP-{:05d}",
    plural="copies",
    label='the copy of "{self.book.title}" at {self.branch.name}',
    shows={"branch_name": "branch.name"},
    called=[
        "the copy of {book.title} at {branch.name}",
        "the {branch.name} copy of {book.title}",
        "{branch.name}'s copy of {book.title}",
        "the {book.format} copy of {book.title} at {branch.name}",
        "{book.title} from {branch.name}",
        "the copy of {book.title} that you have at {branch.name}",
        "a copy of {book.title} at {branch.name}",
    ],
):
    """One physical item of a book, at the branch where it was last shelved or is being sent."""

    book: Mapped[Book] = ref()
    branch: Mapped[Branch] = ref()
    status: Mapped[str] = lifecycle(
        {
            "available": ["on_loan", "in_transit"],
            "on_loan": ["available", "on_hold_shelf", "lost"],
            "on_hold_shelf": ["on_loan", "available"],
            "in_transit": [],
        },
        outside={"in_transit": ["available", "on_hold_shelf"]},
        asks=["where {it} is", "whether {it} is in", "how {it} stands"],
        told=["{it} is {value}", "{it} is {value} at the moment", "we have {it} down as {value}"],
    )


class Loan(
    domain.Entity,
    key="LN-{:05d}",
    label='the copy of "{self.copy.book.title}"',
    shows={"title": "copy.book.title", "isbn": "copy.book.isbn"},
    called=[
        "my copy of {copy.book.title}",
        "the copy of {copy.book.title} that I borrowed",
        'my copy of "{copy.book.title}"',
        "the book by {copy.book.author} that I borrowed",
        "the {copy.book.format} copy of {copy.book.title} that I borrowed",
        "your copy of {copy.book.title}",
        "the library copy of {copy.book.title}",
        "{copy.book.title}",
        '"{copy.book.title}"',
    ],
    superlatives={
        "due_on": ("that has to be back first", "that has to be back last"),
    },
):
    """One copy lent to one member."""

    member: Mapped[Member] = ref(owner=True)
    copy: Mapped[Copy] = ref()
    borrowed_on: Mapped[date] = column(
        says="day it was borrowed",
        asks=[
            "when I borrowed {it}",
            "on what day I took {it} out",
            "since when I've had {it}",
        ],
        told=[
            "you borrowed {it} on {value}",
            "{it} went out to you on {value}",
            "you took {it} out on {value}",
            "our register shows {value} as the day on which you borrowed {it}",
        ],
    )
    due_on: Mapped[date] = column(
        says="due date",
        asks=[
            "when {it} has to be back",
            "when {it} is due",
            "by when {it} has to be returned",
            "how long I can keep {it}",
        ],
        told=[
            "the due date of {it} is {value}",
            "{value} is the due date of {it}",
            "{it} was lent to you until {value}",
            "your record shows {value} as the due date of {it}",
            "the date by which {it} has to be back is {value}",
        ],
    )
    returned_on: Mapped[date | None] = column(
        None,
        says="day it came back",
        asks=["when {it} came back", "on what day {it} came back", "when I returned {it}"],
        told=[
            "{it} came back on {value}",
            "you returned {it} on {value}",
            "we booked {it} in on {value}",
            "{value} is the day on which {it} reached us",
        ],
    )
    renewals: Mapped[int] = column(
        0,
        ge=0,
        says="number of renewals",
        asks=[
            "how often {it} has been renewed",
            "how many times I have renewed {it}",
            "how often I have extended {it} already",
        ],
        told=[
            "{it} has been renewed {value} times so far",
            "{it} was extended {value} times",
            "you have renewed {it} {value} times",
        ],
    )
    status: Mapped[str] = lifecycle(
        {"open": ["returned", "lost"]},
        asks=[
            "whether {it} is still on my card or not",
            "whether you have {it} down as returned or not",
            "whether my record still shows {it} or not",
        ],
        told=[
            "the loan of {it} is {value}",
            "our records show the loan of {it} as {value}",
            "your record shows the loan of {it} as {value}",
            "we have the loan of {it} down as {value}",
        ],
    )


class Hold(
    domain.Entity,
    key="HD-{:05d}",
    label='the hold on "{self.book.title}"',
    shows={"title": "book.title", "pickup": "branch.name"},
    called=[
        "my hold on {book.title}",
        'my reservation for "{book.title}"',
        "the hold I have on the {book.format} edition of {book.title}",
        "my hold on the book by {book.author}",
        "my reservation of {book.title}",
        'the reservation that I made for "{book.title}"',
        "the hold that I have on {book.title}",
        "the hold in my name on {book.title}",
    ],
    superlatives={
        "ready_until": ("that has to be collected first", "that has to be collected last"),
    },
):
    """A member's place in the queue for a book; queues are served in the order of hold numbers."""

    member: Mapped[Member] = ref(owner=True)
    book: Mapped[Book] = ref()
    branch: Mapped[Branch] = ref()
    copy: Mapped[Copy | None] = ref()
    placed_on: Mapped[date] = column(
        says="day it was placed",
        asks=[
            "when I placed {it}",
            "on what day I asked for {it}",
            "since when I have had {it}",
        ],
        told=[
            "you placed {it} on {value}",
            "{it} goes back to {value}, the day you signed up",
            "{it} was placed on {value}",
            "{it} dates from {value}",
        ],
    )
    ready_until: Mapped[date | None] = column(
        None,
        says="last day for pickup",
        asks=[
            "what the last day for collecting {it} is",
            "until when I can collect {it}",
            "how long I have to collect {it}",
        ],
        told=[
            "the last day for collecting {it} is {value}",
            "we keep the copy for {it} until {value}",
            "the pickup shelf holds the copy for {it} through {value}",
            "the copy for {it} waits on the shelf until {value}",
        ],
    )
    status: Mapped[str] = lifecycle(
        {"waiting": ["ready", "cancelled"], "ready": ["collected", "cancelled"]},
        asks=[
            "how {it} stands",
            "whether {it} is ready or still waiting",
            "what has become of {it}",
        ],
        told=["{it} is {value}", "{it} is down as {value}", "our records have {it} as {value}"],
    )


class Fine(
    domain.Entity,
    key="FN-{:05d}",
    label='the fine for "{self.loan.copy.book.title}"',
    shows={"title": "loan.copy.book.title"},
    called=[
        "the fine for {loan.copy.book.title}",
        'what I was charged for "{loan.copy.book.title}"',
        "the fine on {loan.copy.book.title}",
        "the charge for {loan.copy.book.title}",
        'my fine for "{loan.copy.book.title}"',
        "the fine that I got for {loan.copy.book.title}",
        "the fine of {raised_on}",
    ],
    superlatives={
        "amount": ("that's smallest", "that's biggest"),
    },
):
    """Money that a member owes for a late or a lost copy."""

    member: Mapped[Member] = ref(owner=True)
    loan: Mapped[Loan] = ref()
    kind: Mapped[Literal["late", "lost"]]
    amount: Mapped[Money] = column(
        ge=0,
        asks=["how much {it} was set at", "what {it} was raised for", "what {it} was for at first"],
        told=[
            "{it} was set at {value}",
            "{it} was raised for {value}",
            "{it} was for {value} at first",
        ],
    )
    paid: Mapped[Money] = column(
        0,
        ge=0,
        says="amount paid",
        asks=[
            "how much I have paid towards {it} so far",
            "how much of {it} is paid already",
            "what I have put towards {it} up to now",
        ],
        told=[
            "you have paid {value} towards {it} so far",
            "{value} has been paid towards {it}",
            "{value} of {it} is paid already",
            "so far {value} has come in for {it}",
        ],
    )
    raised_on: Mapped[date] = column(
        says="day it was raised",
        asks=["when {it} was raised", "on what day {it} was put on my account", "when I got {it}"],
        told=[
            "{it} was raised on {value}",
            "{it} has been on your account since {value}",
            "{it} dates from {value}",
            "{it} was put on your account on {value}",
            "the system raised {it} on {value}",
        ],
    )
    waiver: Mapped[Literal["illness", "staff_error", "hardship"] | None] = column(
        None,
        says="reason of the waiver",
        asks=[
            "for what reason {it} was waived",
            "why {it} was dropped",
            "what reason you have down for waiving {it}",
        ],
        told=[
            "the reason for waiving {it} was {value}",
            "{it} was waived because of {value}",
            "{it} was dropped because of {value}",
        ],
    )
    status: Mapped[str] = lifecycle(
        {"open": ["paid", "waived"]},
        asks=["whether {it} is still open", "how {it} stands", "what has become of {it}"],
        told=["{it} is {value}", "{it} is down as {value}", "our records have {it} as {value}"],
    )


class Handover(domain.Entity, key="HO-{:04d}", label="the hand-over"):
    """A conversation that a librarian continues."""

    member: Mapped[Member] = ref(owner=True)
    reason: Mapped[Literal["disputed_fine", "personal_details", "found_copy", "complaint", "other"]]
    at: Mapped[datetime] = column(volatile=True, says="time of the hand-over")


@domain.helper
def late_fee(due_on: date, day: date) -> Money:
    """A late copy costs {DAY_FEE:money} for each day after the due date, at most {FEE_CAP:money}.

    >>> late_fee(date(2026, 3, 1), date(2026, 3, 1)), late_fee(date(2026, 3, 1), date(2026, 3, 4))
    (0, 75)
    >>> late_fee(date(2025, 1, 1), date(2026, 1, 1))
    1200
    """
    return min(FEE_CAP, DAY_FEE * max(0, (day - due_on).days))


def due_date(day: date, tier: str) -> date:
    """The last day of a loan that begins on a day.

    >>> str(due_date(date(2026, 3, 16), "junior")), str(due_date(date(2026, 3, 16), "patron"))
    ('2026-03-30', '2026-04-13')
    """
    return day + timedelta(days=LOAN_DAYS[tier])


def pickup_until(day: date) -> date:
    """The last day on which a copy waits that is set aside on a day.

    >>> str(pickup_until(date(2026, 3, 16)))
    '2026-03-23'
    """
    return day + timedelta(days=PICKUP_DAYS)


def expiry_after(expires_on: date, day: date) -> date:
    """When a card expires that is renewed on a day.

    >>> str(expiry_after(date(2026, 3, 20), date(2026, 3, 16)))
    '2027-03-20'
    >>> str(expiry_after(date(2026, 3, 2), date(2026, 3, 16)))
    '2027-03-16'
    """
    return max(expires_on, day) + timedelta(days=CARD_DAYS)


def is_renewable(expires_on: date, day: date) -> bool:
    """Whether a card is close enough to its expiry date to be renewed.

    >>> is_renewable(date(2026, 4, 15), date(2026, 3, 16))
    True
    >>> is_renewable(date(2026, 4, 16), date(2026, 3, 16))
    False
    """
    return (expires_on - day).days <= CARD_WINDOW


def is_long_overdue(due_on: date, day: date) -> bool:
    """Whether a loan is too late to be renewed.

    >>> is_long_overdue(date(2026, 3, 9), date(2026, 3, 16))
    False
    >>> is_long_overdue(date(2026, 3, 8), date(2026, 3, 16))
    True
    """
    return (day - due_on).days > GRACE_DAYS


def is_dear(price: Money) -> bool:
    """Whether a book is too expensive for a junior card.

    >>> is_dear(2950), is_dear(3000)
    (False, True)
    """
    return price >= DEAR


def is_renewal_time(due_on: date, day: date) -> bool:
    """Whether a loan is close enough to its due date to be renewed.

    >>> is_renewal_time(date(2026, 3, 21), date(2026, 3, 16))
    True
    >>> is_renewal_time(date(2026, 3, 22), date(2026, 3, 16))
    False
    """
    return (due_on - day).days <= RENEWAL_DAYS


def is_recent(raised_on: date, day: date) -> bool:
    """Whether a fine is young enough to be waived.

    >>> is_recent(date(2026, 2, 16), date(2026, 3, 16))
    True
    >>> is_recent(date(2026, 2, 15), date(2026, 3, 16))
    False
    """
    return (day - raised_on).days <= WAIVER_DAYS


def is_just_back(returned_on: date, day: date) -> bool:
    """Whether a copy came back too short a while ago for its reader to take the book again.

    >>> is_just_back(date(2026, 3, 9), date(2026, 3, 16))
    True
    >>> is_just_back(date(2026, 3, 8), date(2026, 3, 16))
    False
    """
    return (day - returned_on).days <= GRACE_DAYS


def left_of(amount: Money, paid: Money) -> Money:
    """What is left to pay.

    >>> left_of(500, 125)
    375
    """
    return amount - paid


def is_one_sum(kind: str, amount: Money, left: Money) -> bool:
    """Whether a fine of this kind may be paid with this amount, where part payments count.

    >>> is_one_sum("late", 100, 500), is_one_sum("lost", 100, 500), is_one_sum("lost", 500, 500)
    (True, False, True)
    """
    return kind == "late" or amount >= left


def is_for_tier(tier: str, price: Money) -> bool:
    """Whether a card of this tier is good for a book of this price.

    >>> is_for_tier("junior", 3000), is_for_tier("junior", 2999), is_for_tier("adult", 3000)
    (False, True, True)
    """
    return tier != "junior" or not is_dear(price)


def has_a_place(status: str) -> bool:
    """Whether a hold in this state stands in the queue.

    >>> has_a_place("waiting"), has_a_place("ready")
    (True, False)
    """
    return status == "waiting"


def blocks(debt: Money) -> bool:
    """Whether an account is blocked that owes so much.

    >>> blocks(999), blocks(1000)
    (False, True)
    """
    return debt >= FINE_BLOCK


def is_taken(amount: Money, due: Money) -> bool:
    """Whether a payment towards an open amount is large enough.

    >>> is_taken(200, 900), is_taken(199, 900), is_taken(150, 150)
    (True, False, True)
    """
    return amount >= MIN_PART or amount == due


def loss_charge(price: Money) -> Money:
    """What a lost copy costs.

    >>> loss_charge(1250)
    1750
    """
    return price + LOST_FEE


def open_loans(member: Member) -> list[Loan]:
    return [loan for loan in member.loans if loan.status == "open"]


def has_title(member: Member, title: str) -> bool:
    return any(loan.copy.book.title == title for loan in open_loans(member))


def came_back(member: Member, book: Book, day: date) -> bool:
    ended = [loan for loan in member.loans if loan.status == "returned"]
    recent = [loan for loan in ended if is_just_back(loan.returned_on, day)]
    return any(loan.copy.book is book for loan in recent)


def live_holds(member: Member) -> list[Hold]:
    return [hold for hold in member.holds if hold.status in ("waiting", "ready")]


def owed(member: Member) -> Money:
    return sum(left_of(fine.amount, fine.paid) for fine in member.fines if fine.status == "open")


def queue(book: Book) -> list[Hold]:
    return [hold for hold in book.holds if hold.status == "waiting"]


def is_in(book: Book) -> bool:
    return any(copy.status == "available" for copy in book.copies)


def incoming(branch: Branch) -> int:
    return sum(copy.status == "in_transit" for copy in branch.copies)


def payments_for(fine: Fine) -> list[Money]:
    """Amounts that somebody might offer: mostly all of it, or half; too little, too much. What is
    dear, as the charge for a lost copy is, people would like to pay by halves."""
    due = left_of(fine.amount, fine.paid)
    half = min(due, max(MIN_PART, due // 2 // DAY_FEE * DAY_FEE))
    return [due, due, half, half if fine.kind == "lost" else MIN_PART // 2, due + DAY_FEE]


def shelve(db, copy: Copy) -> None:
    """Give a copy that came free to the first in the queue, or put it on the open shelf."""
    waiting = queue(copy.book)
    if not waiting:
        copy.status = "available"
        return
    hold = waiting[0]
    hold.status, hold.copy = "ready", copy
    hold.ready_until = pickup_until(db.today)
    copy.status, copy.branch = "on_hold_shelf", hold.branch


def each_tier(
    counted: Callable[[Member], list], limits: dict[str, int], constant: str, **words
) -> list[Part]:
    """A part for each kind of card, so that a refusal quotes the limit that applies."""

    def within(tier: str) -> Callable[[Member], bool]:
        return lambda member: member.tier != tier or len(counted(member)) < limits[tier]

    return [
        part(
            tier,
            within(tier),
            because=[
                text.format(tier=tier, limit=f"{{{constant}[{tier}]}}") for text in words["because"]
            ],
            concepts=words["concepts"],
            offers=words["offers"],
            remedy=words["remedy"],
        )
        for tier in limits
    ]


def next_in_queue(copy: str) -> list:
    """The frame of `shelve` for the copy at a path."""
    return [
        sets(copy, Copy.branch),
        moves(f"{copy}.book.holds", "waiting", to="ready"),
        sets(f"{copy}.book.holds", Hold.copy, Hold.ready_until),
    ]


# Rules that the desk system enforces.


@domain.rule(
    governs=["checkout_copy", "renew_loan", "place_hold"],
    because=[
        "your card is suspended",
        "there is a suspension on your card at the moment",
        "our system has locked your card, and only lifting the suspension helps",
        "your card has been suspended and has to be reinstated first",
        "the account is suspended, and nothing of the kind is possible on a suspended card",
    ],
    concepts=[
        [
            "suspend",
            "block",
            "frozen",
            "deactivate",
            "reactivate",
            "disable",
            "inactive",
            "not active",
            "lock",
            "barred",
            "stop on",
            "out of action",
        ],
        ["card", "account", "membership"],
    ],
    remedy="reinstate_card",
    offers=[
        "we can reinstate your card as soon as your account is clear",
        "we could have your card reinstated, if nothing is left to pay on it",
    ],
)
def card_not_suspended(member: Member) -> bool:
    """A suspended card has to be reinstated before it is used to borrow, renew or queue again."""
    return member.status != "suspended"


@domain.rule(
    governs=["checkout_copy", "renew_loan", "place_hold"],
    because=[
        "your card ran out on {member.card_expires_on}",
        "your card expired on {member.card_expires_on}",
        "since {member.card_expires_on} your card has been past its expiry date",
        "the card is no longer valid, it expired on {member.card_expires_on}",
        "your card has lapsed: its last day was {member.card_expires_on}",
    ],
    concepts=[
        [
            "expire",
            "run out",
            "ran out",
            "lapse",
            "no longer valid",
            "not valid",
            "stopped being valid",
            "invalid",
            "validity",
            "out of date",
            "expiry",
            "ended on",
            "last day was",
            "membership ended",
        ],
        ["card", "membership"],
    ],
    remedy="renew_card",
    offers=[
        "we could see about renewing your card first",
        "extending the card takes me a moment, provided that no obstacle turns up",
        "we could have your card renewed, if nothing stands against it",
    ],
)
def card_not_expired(member: Member) -> bool:
    """An expired card has to be renewed before it is used to borrow, renew or queue again."""
    return member.status != "expired"


LOANS_FULL = [["loan", "book", "borrow", "item", "title"], LIMIT]


@domain.rule(
    governs=["checkout_copy"],
    remedy="return_copy",
    concepts=LOANS_FULL,
    parts=each_tier(
        open_loans,
        MAX_LOANS,
        "MAX_LOANS",
        because=[
            "{tier} cards carry {limit} loans at most, and yours has as many",
            "you have {limit} books on loan, which is the maximum for {tier} cards",
            "your {tier} card is at its limit of {limit} loans",
            "there are {limit} books out on your card, and {tier} cards carry no more than that",
        ],
        concepts=LOANS_FULL,
        remedy="return_copy",
        offers=[
            "you could bring one of your books back first",
            "returning whatever you have finished would make room at once",
            "there is room for another as soon as one of yours is back",
        ],
    ),
)
def below_loan_limit(member: Member) -> bool:
    """A junior card carries {MAX_LOANS[junior]} open loans at most, an adult card
    {MAX_LOANS[adult]} and a patron card {MAX_LOANS[patron]}."""
    return len(open_loans(member)) < MAX_LOANS[member.tier]


@domain.rule(
    governs=["checkout_copy", "renew_loan"],
    because=[
        "your open fines have reached {FINE_BLOCK:money}",
        "you owe {FINE_BLOCK:money} or more in fines, which is too much",
        "too much is owed in fines on your card",
        "what you owe in open fines is above the threshold for that",
    ],
    concepts=[
        OWED,
        [
            "{FINE_BLOCK:money}",
            "reach",
            "threshold",
            "above",
            "too high",
            "too much",
            "too large",
            "passed the",
            "cross",
        ],
    ],
    remedy="pay_fine",
    offers=[
        "you could pay enough to owe less than {FINE_BLOCK:money}",
        "a payment that gets it under {FINE_BLOCK:money} would be enough",
        "a payment that brings the sum below {FINE_BLOCK:money} is all it takes",
    ],
)
def below_fine_block(member: Member) -> bool:
    """Whoever owes {FINE_BLOCK:money} or more in open fines borrows and renews nothing until
    enough is paid to bring the sum below that amount."""
    return not blocks(owed(member))


@domain.rule(
    governs=["checkout_copy"],
    because=[
        "that copy is set aside for somebody else",
        "it is reserved for another member",
        "another borrower reserved it and is expected to fetch it from the hold shelf",
        "it is on the hold shelf for another reader",
        "someone else has a hold on it, and it is put by for them",
    ],
    concepts=[
        [
            "set aside",
            "put aside",
            "reserve",
            "hold shelf",
            "put by",
            "earmark",
            "being held",
            "is held",
            "held for",
            "kept for",
            "being kept",
            "has a hold",
            "had a hold",
            "promised",
            "assigned",
            "has dibs",
            "put away for",
            "hold is on",
            "waiting to be collected",
            "collected by",
        ],
        [*OTHERS, "else", "different member"],
    ],
    offers=[
        "we could see whether a different copy is in",
        "perhaps another edition would please you just as much",
        "if no other copy is in, a hold of your own would bring your turn as well",
    ],
)
def copy_free_for(member: Member, copy: Copy) -> bool:
    """A copy on the hold shelf goes only to the member whose hold it was set aside for."""
    return all(hold.member is member for hold in copy.holds if hold.status == "ready")


@domain.rule(
    governs=["renew_loan"],
    because=[
        "it has been renewed {loan.renewals} times, which is the maximum",
        "a loan is granted {MAX_RENEWALS} renewals, and yours has had both",
        "it was extended as often as it can be, {loan.renewals} times in all",
        "its renewals are used up, and there are no more than {MAX_RENEWALS}",
        "a loan is extended {MAX_RENEWALS} times at most, and this one has been",
    ],
    concepts=[
        ["renew", "extend", "extension", "longer", "more time"],
        [
            *LIMIT,
            "as often",
            "used up",
            "twice",
            "both",
            "third",
            "{MAX_RENEWALS} times",
            "{MAX_RENEWALS} renewals",
            "no renewal",
            "all your renewals",
            "out of renewals",
            "out of extensions",
            "no more renewals",
            "no further",
            "no extension",
            "none left",
            "exhaust",
            "run out",
        ],
    ],
    offers=[
        "you could bring it back and take it out afresh some {GRACE_DAYS} days later",
        "if you hand it in, you can have it again once {GRACE_DAYS} days have gone by",
    ],
)
def renewals_left(loan: Loan) -> bool:
    """A loan is renewed {MAX_RENEWALS} times at most."""
    return loan.renewals < MAX_RENEWALS


HOLDS_FULL = [QUEUE, LIMIT]


@domain.rule(
    governs=["place_hold"],
    remedy="cancel_hold",
    concepts=HOLDS_FULL,
    parts=each_tier(
        live_holds,
        MAX_HOLDS,
        "MAX_HOLDS",
        because=[
            "{tier} cards have {limit} holds at most, and you have as many",
            "you have {limit} holds, which is the maximum for {tier} cards",
            "your {tier} card is at its limit of {limit} holds",
            "you stand in {limit} queues, and {tier} cards go into no more than that",
        ],
        concepts=HOLDS_FULL,
        remedy="cancel_hold",
        offers=[
            "you could give up one of your holds for it",
            "parting with a hold that matters less to you would make room",
            "if you let one of the others go, there is room for this one",
        ],
    ),
)
def below_hold_limit(member: Member) -> bool:
    """A junior card has {MAX_HOLDS[junior]} waiting or ready holds at most, an adult card
    {MAX_HOLDS[adult]} and a patron card {MAX_HOLDS[patron]}."""
    return len(live_holds(member)) < MAX_HOLDS[member.tier]


@domain.rule(
    governs=["place_hold"],
    because=[
        "a copy of it is on the shelf",
        "a copy is available right now",
        "it isn't out: there is a copy in stock",
        "the catalogue lists a copy as in stock, free to be borrowed",
        "we have a copy on the shelf at one of our branches",
    ],
    concepts=[
        [
            "is available",
            "copy available",
            "available at",
            "available now",
            "available right now",
            "one available",
            "on the shelf",
            "on its shelf",
            "on its shelves",
            "on our shelves",
            "in stock",
            "not out",
            "copy in",
            "copy is in",
            "copy is free",
            "copy there",
            "in right now",
            "is in at",
            "'s in at",
            "one in at",
            "are out",
            "is free at",
            "has a copy",
            "copy you could",
        ]
    ],
    remedy="checkout_copy",
    offers=[
        "you could borrow that copy",
        "the copy on the shelf can be lent to you today, if your card allows it",
        "we could see whether that copy can go to a branch that suits you",
        "fetching it from that shelf could save you the queue",
    ],
)
def nothing_on_shelf(book: Book) -> bool:
    """Holds are for books that are out: while a copy is available at any branch, the member
    borrows that one, or has it sent to a branch that suits them."""
    return not is_in(book)


@domain.rule(
    governs=["place_hold"],
    because=[
        "you have a hold on it already",
        "a reservation of yours for it is running already",
        "you are already in that queue",
        "your name already figures in that queue",
        "there is an existing hold of yours on it",
        "nobody is in the same queue twice, and you stand in it now",
    ],
    concepts=[
        ["hold", "queue", "reserve", "in line", "waiting list", "on the list"],
        [
            "already",
            "twice",
            "second time",
            "a second one",
            "hold of yours",
            "have a hold",
            "list for that",
            "list for this",
            "queue for that",
            "as it is",
            "stand in it",
            "in your name",
            "your name is",
            "second hold",
            "in line for it",
            "in line for that",
            "same hold",
            "two holds",
            "reserved it",
        ],
    ],
    offers=[
        "we can look up how many people are ahead of you",
        "you need not do anything, as your place is safe",
        "we could see whether it can go to a different branch",
        "there is nothing further to arrange for now",
    ],
)
def not_queued(member: Member, book: Book) -> bool:
    """Nobody stands in the queue for the same book twice."""
    return all(hold.book is not book for hold in live_holds(member))


OVERPAID = [
    ["owe", "left", "open", "outstanding", "unpaid", "fine", "balance", "payment", "overpay"],
    [
        "more than",
        "exceed",
        "too much",
        "higher than",
        "larger than",
        "overpay",
        "only",
        "just",
        "above",
        "greater",
        "down to",
        "beyond",
    ],
]


@domain.rule(
    governs=["pay_fine"],
    concepts=OVERPAID,
    parts=[
        part(
            "whole_at_most",
            lambda fine, amount: fine.paid > 0 or amount <= fine.amount,
            because=[
                "your payment is more than the fine, which is {fine.amount}",
                "you would overpay: {fine.amount} is owed, and no more than that",
                "the amount is higher than what is open on it, namely {fine.amount}",
                "the whole fine is {fine.amount}, so that the payment is too much",
                "the payment would exceed the {fine.amount} that is open on it",
            ],
            concepts=OVERPAID,
            offers=[
                "you could pay exactly {fine.amount}",
                "{fine.amount} would settle it completely",
                "a payment of {fine.amount} clears all of it",
            ],
        ),
        part(
            "rest_at_most",
            lambda fine, amount: amount <= left_of(fine.amount, fine.paid),
            because=[
                "your payment is more than what is left: of {fine.amount} in all, {fine.paid} is "
                "settled",
                "you would overpay: of {fine.amount} in all, {fine.paid} is settled, and the "
                "payment is more than the rest",
                "the fine has less than that left: it is {fine.amount}, of which {fine.paid} is "
                "paid, so that the payment is too much",
                "your payment is too much for a fine of {fine.amount} with {fine.paid} paid",
                "the payment would exceed what is open on it: it is {fine.amount}, with "
                "{fine.paid} paid",
            ],
            concepts=OVERPAID,
            offers=[
                "you could pay just the rest of the {fine.amount}, less the {fine.paid} paid",
                "what is left after those {fine.paid} would settle the {fine.amount} completely",
                "you could pay the {fine.amount} less the {fine.paid} that has come in",
            ],
        ),
    ],
)
def within_open_amount(fine: Fine, amount: Money) -> bool:
    """A payment is never more than what is still open on the fine."""
    return amount <= left_of(fine.amount, fine.paid)


@domain.rule(
    governs=["waive_fine"],
    parts=[
        part(
            "late_kind",
            lambda fine: fine.kind == "late",
            because=[
                "the charge for a lost copy is never waived",
                "it is the charge for a lost copy, and only late fines are waived",
                "no waiver is possible for a lost copy",
                "what is owed for a lost copy isn't dropped",
            ],
            concepts=[
                ["lost", "replacement"],
                ["waive", "waiver", "late", "drop", "forgive", "write off", "let off"],
            ],
            offers=["if you have found the copy, a librarian can look into it"],
        ),
        part(
            "small_enough",
            lambda fine: fine.amount <= WAIVER_CAP,
            because=[
                "only fines up to {WAIVER_CAP:money} are waived, and it is {fine.amount}",
                "at {fine.amount} the fine is too large to be waived",
                "waivers end at {WAIVER_CAP:money}, and it is {fine.amount}",
                "it is {fine.amount}, and nothing above {WAIVER_CAP:money} is waived",
            ],
            concepts=[
                ["waive", "waiver", "drop", "let go", "let you off"],
                [
                    "{WAIVER_CAP:money}",
                    "above",
                    "too large",
                    "too high",
                    "too big",
                    "that big",
                    "more than {WAIVER_CAP:money}",
                    "only up to",
                    "up to {WAIVER_CAP:money}",
                ],
            ],
            offers=[
                "you could pay it bit by bit, starting with {MIN_PART:money}",
                "we could take part of it now and the rest later on",
            ],
        ),
        part(
            "nothing_paid",
            lambda fine: fine.paid == 0,
            because=[
                "part of it has been paid already, {fine.paid} to be exact",
                "some of it is paid already, and a waiver is for untouched fines",
                "{fine.paid} of it has been paid, and a partly paid fine isn't waived",
                "there has been a part payment of {fine.paid} on it",
            ],
            concepts=[
                ["payment", "paid"],
                [
                    "been made",
                    "part",
                    "partly",
                    "partial",
                    "already",
                    "some of",
                    "towards",
                    "toward",
                    "been a payment",
                    "something",
                    "untouched",
                ],
            ],
            offers=["you could pay the rest of it", "the remainder can be paid whenever you like"],
        ),
    ],
)
def waivable(fine: Fine) -> bool:
    """Only a late fine of {WAIVER_CAP:money} or less, on which nothing has been paid, is waived;
    the charge for a lost copy never is."""
    return fine.kind == "late" and fine.amount <= WAIVER_CAP and fine.paid == 0


@domain.rule(
    governs=["reinstate_card"],
    because=[
        "there are fines on it that have to be settled first",
        "some of what you owe in fines is still unsettled",
        "your account still owes money",
        "everything that is outstanding on it has to be settled first",
        "a card is reinstated once nothing is owed, and you have fines to clear",
    ],
    concepts=[
        [*OWED, "open on", "money", "to pay"],
        [
            "settle",
            "clear",
            "first",
            "still",
            "nothing",
            "anything",
            "everything",
            "owe",
            "debt",
            "balance",
            "outstanding",
            "unpaid",
            "every",
            "all of",
            "whole",
            "until",
            "paid off",
            "open fine",
            "as long as",
            "in full",
            "before",
            "zero",
            "to pay",
            "fines open",
        ],
    ],
    remedy="pay_fine",
    offers=[
        "you could pay what is open now, and the card is reinstated straight after",
        "once the open fines are paid, we could lift the suspension",
    ],
)
def owes_nothing(member: Member) -> bool:
    """A suspended card is reinstated once nothing at all is owed on it."""
    return owed(member) == 0


@domain.rule(
    governs=["transfer_copy"],
    because=[
        "the van is full: {MAX_INCOMING} copies are on their way there",
        "the driver has {MAX_INCOMING} copies in transit to {branch.name} and no space for "
        "another one",
        "the limit of copies in transit to {branch.name} is reached",
        "{MAX_INCOMING} copies are in transit to {branch.name}, and the van takes no more than "
        "that",
        "the van takes {MAX_INCOMING} copies at most to one place, and as many are on their way",
    ],
    concepts=[
        ["van", "transfer", "on the way", "on their way", "in transit", "travel"],
        [
            *LIMIT,
            "full",
            "{MAX_INCOMING} copies",
            "{MAX_INCOMING} books",
            "another one",
            "more space",
            "space",
            "packed",
            "loaded",
        ],
    ],
    offers=[
        "it can go as soon as one of those has arrived there",
        "a second attempt on another day may succeed",
        "you could have it sent to a different branch",
    ],
)
def room_in_van(copy: Copy, branch: Branch) -> bool:
    """The van has at most {MAX_INCOMING} copies in transit to one branch; a further one waits
    until one of those has arrived there."""
    return copy.branch is branch or incoming(branch) < MAX_INCOMING


# Rules that the agent has to keep: the desk system does not check them.


@domain.rule(
    by="agent",
    kind="identification",
    governs=[
        "loans_of_member",
        "holds_of_member",
        "fines_of_member",
        "account_summary",
        "quote_loss",
        "place_in_queue",
        "checkout_copy",
        "return_copy",
        "renew_loan",
        "report_lost",
        "place_hold",
        "cancel_hold",
        "change_pickup",
        "pay_fine",
        "waive_fine",
        "reinstate_card",
        "renew_card",
        "hand_over",
    ],
    because=[
        "the account holder has to identify themselves",
        "only the account holder may ask for that",
        "we have to know whose card it is, so its holder has to identify themselves",
        "an account is open to its own holder and to no one else",
    ],
    concepts=[
        ["account", "card", "record", "details"],
        [
            "identify",
            "verify",
            "holder",
            "owner",
            "else's",
            "own account",
            "who you are",
            "not yours",
            "e-mail address",
            "email",
            "card number",
            "postcode",
        ],
    ],
    offers=["they could get in touch with us themselves"],
)
def identified(log: Log, member: Member) -> bool:
    """Speak about an account, or change it, only after its holder has identified themselves: with
    the e-mail address that is registered, or with the card number together with the postcode. A
    name is not enough, and nobody acts on somebody else's card, not even within a family."""
    return log.identified(member, "email") or log.identified(member, "member_id", "postcode")


@domain.rule(
    by="agent",
    kind="confirmation",
    governs=["report_lost", "cancel_hold", "pay_fine", "waive_fine"],
    because=[
        "that has to be confirmed first",
        "a clear yes is needed first",
        "it needs your go-ahead first",
        "nothing of the kind is done without a clear yes",
    ],
    concepts=[
        ["confirm", "agree", "yes", "go-ahead", "consent"],
        ["first", "before", "need", "without", "until", "clear", "explicit", "wait"],
    ],
)
def confirmed(log: Log) -> bool:
    """Before a step that costs money, gives something up or cannot be undone, tell the member
    exactly what you are going to do, with the title and the amount that they pay, and wait for a
    clear yes."""
    return log.confirmed()


@domain.rule(
    by="agent",
    governs=["waive_fine"],
    because=[
        "you had a fine waived before",
        "your file mentions an earlier waiver, and there is one for each member",
        "there is one waiver for each member, and you had yours earlier",
        "each member is let off once by a waiver, as you were before",
        "you have had your one waiver",
        "a fine of yours was waived once already",
    ],
    concepts=[
        ["waive", "waiver", "goodwill", "let you off", "forgave", "forgiven"],
        [
            "once",
            "one",
            "already",
            "before",
            "earlier",
            "second",
            "last year",
            "used your",
            "per member",
            "each member",
            "back in",
            "had yours",
        ],
    ],
    offers=[
        "you could pay it whenever it suits you",
        "we could take a payment for it instead",
    ],
)
def one_waiver(fine: Fine) -> bool:
    """Each member gets one waiver, ever: look through all their fines, not only the open ones."""
    return all(other.status != "waived" for other in fine.member.fines)


@domain.rule(
    by="agent",
    governs=["waive_fine"],
    because=[
        "it was raised on {fine.raised_on}, and a fine is waived within {WAIVER_DAYS} days only",
        "it is too old to be waived: it dates from {fine.raised_on}",
        "the {WAIVER_DAYS} days for a waiver have passed since it was raised on {fine.raised_on}",
        "a waiver has to be asked for within {WAIVER_DAYS} days, and it was raised on "
        "{fine.raised_on}",
        "it was raised on {fine.raised_on}, which is too long ago for a waiver",
    ],
    concepts=[
        ["waive", "waiver", "drop", "forgive"],
        [
            "{WAIVER_DAYS} days",
            "4 weeks",
            "old",
            "older",
            "too late",
            "long ago",
            "days ago",
            "weeks ago",
            "months ago",
            "too far back",
            "too long",
            "have passed",
            "within four weeks",
            "a month",
            "in time",
            "deadline",
        ],
    ],
    offers=[
        "you could pay it whenever it suits you",
        "we could take a payment for it instead",
    ],
)
def recent_enough(db, fine: Fine) -> bool:
    """A fine is waived within {WAIVER_DAYS} days after the day on which it was raised, and not
    later."""
    return is_recent(fine.raised_on, db.today)


@domain.rule(
    by="agent",
    governs=["place_hold", "change_pickup", "transfer_copy"],
    because=[
        "the {branch.name} branch is closed at the moment",
        "that branch isn't open",
        "{branch.name} is a closed branch for the time being",
        "the {branch.name} branch is shut, and nothing is sent there or set aside",
        "{branch.name} is closed just now, and the van doesn't stop there either",
    ],
    concepts=[
        [
            "is closed",
            "closed",
            "shut",
            "isn't open",
            "not open",
            "closure",
            "renovation",
            "is shut",
            "reopen",
            "closed for",
            "closed until",
            "closed branch",
            "not operating",
            "not in operation",
            "out of service",
            "not running",
            "refurbish",
            "building work",
            "doors",
        ]
    ],
    offers=[
        "you could choose one of the branches that are open",
        "we could pick a branch that is open to visitors",
        "should a different branch be within your reach, one that is open would do",
        "if you can get to another one, a branch that is open could take it",
        "a branch that welcomes visitors at present may be an option for you",
    ],
)
def branch_open(branch: Branch) -> bool:
    """Nothing is sent to, or set aside at, a branch that is closed: check its status first."""
    return branch.status == "open"


@domain.rule(
    by="agent",
    governs=["change_pickup"],
    because=[
        "you are next in line for it, and the next copy is labelled for {hold.branch.name} already",
        "you are first in the queue, so that the label for {hold.branch.name} has been printed",
        "it is your turn next, and from then on the pickup stays where it is, at "
        "{hold.branch.name}",
        "nobody stands before you: you are first in the queue, so the pickup stays at "
        "{hold.branch.name}",
        "you stand at the top of the queue, where the pickup can't be moved any more from "
        "{hold.branch.name}",
    ],
    concepts=[
        ["first", "next", "top", "your turn", "head", "number one", "front", "nobody is ahead"],
        [
            "queue",
            "line",
            "turn",
            "hold",
            "waiting list",
            "label",
            "up next",
            "next up",
            "be served",
        ],
    ],
    offers=[
        "you could collect it at {hold.branch.name} after all",
        "a fresh hold could go to a different branch, though it would start at the end",
    ],
)
def not_next_in_line(hold: Hold) -> bool:
    """The pickup of a hold that is first in its queue stays as it is, since the next copy is
    labelled for that branch already: look at its place in the queue."""
    return all(first is not hold for first in queue(hold.book)[:1])


TOO_SMALL = [
    [
        "payment",
        "part",
        "amount",
        "sum",
        "instalment",
        "installment",
        "accept",
        "contribution",
        "dollar",
    ],
    [
        "or more",
        "{MIN_PART:money}",
        "minimum",
        "at least",
        "below",
        "too small",
        "too little",
        "smallest",
        "less than",
        "not enough",
        "too low",
    ],
]


@domain.rule(
    by="agent",
    governs=["pay_fine"],
    concepts=TOO_SMALL,
    parts=[
        part(
            "whole_or_enough",
            lambda fine, amount: fine.paid > 0 or is_taken(amount, fine.amount),
            because=[
                "part payments start at {MIN_PART:money}",
                "your sum is too small for a part payment, which is {MIN_PART:money} or more",
                "a part payment has to be at least {MIN_PART:money}",
                "the till takes part payments from {MIN_PART:money} upwards, and that sum is "
                "below it",
                "the minimum for a part payment is {MIN_PART:money}, unless it clears the fine",
            ],
            concepts=TOO_SMALL,
            offers=[
                "you could pay the whole {fine.amount}",
                "you could settle all {fine.amount} in one go",
                "a payment of {fine.amount} would clear it altogether",
            ],
        ),
        part(
            "rest_or_enough",
            lambda fine, amount: is_taken(amount, left_of(fine.amount, fine.paid)),
            because=[
                "part payments start at {MIN_PART:money}, and {fine.paid} of {fine.amount} is paid",
                "your sum is too small for a part payment, which is {MIN_PART:money} or more",
                "a part payment has to be at least {MIN_PART:money}, unless it covers what is left "
                "of the {fine.amount} after {fine.paid}",
                "with {fine.paid} of {fine.amount} paid, that sum doesn't clear the fine, and the "
                "minimum for a part payment is {MIN_PART:money}",
            ],
            concepts=TOO_SMALL,
            offers=[
                "you could pay all that is left of the {fine.amount}, of which {fine.paid} is paid",
                "you could settle the {fine.amount} less those {fine.paid} in one go",
            ],
        ),
    ],
)
def large_enough_part(fine: Fine, amount: Money) -> bool:
    """A part payment is {MIN_PART:money} or more; a smaller amount is taken only where it clears
    the fine."""
    return is_taken(amount, left_of(fine.amount, fine.paid))


@domain.rule(
    by="agent",
    governs=["pay_fine"],
    because=[
        "the charge for a lost copy is paid in one sum",
        "splitting the charge for a lost copy into instalments is not provided for",
        "it is for a lost copy, and that has to be paid in full",
        "no instalments are taken for a lost copy",
        "a lost copy is paid for at once and as a whole: {fine.amount} in this case",
    ],
    concepts=[
        ["lost", "replacement", "loss"],
        [
            "one sum",
            "in full",
            "whole",
            "instalments",
            "instalment",
            "at once",
            "all at once",
            "one go",
            "entire",
            "in parts",
            "part payment",
            "in part",
            "split",
            "half",
            "full amount",
            "single payment",
            "one payment",
            "bit by bit",
            "all or nothing",
            "piecemeal",
            "in stages",
            "complete",
            "entirety",
        ],
    ],
    offers=[
        "you could pay the {fine.amount} in one go",
        "a single payment of {fine.amount} clears the matter, whenever you can manage it",
        "we can take the {fine.amount} whenever it suits you",
    ],
)
def lost_in_one_sum(fine: Fine, amount: Money) -> bool:
    """The charge for a lost copy is paid in one sum, never in parts."""
    return is_one_sum(fine.kind, amount, left_of(fine.amount, fine.paid))


@domain.rule(
    by="agent",
    governs=["checkout_copy"],
    remedy="return_copy",
    parts=[
        part(
            "no_such_title",
            lambda member, copy: not has_title(member, copy.book.title),
            because=[
                "you have a copy of {copy.book.title} out already",
                "a copy of that title is on your card already",
                "that would be a second copy of the same title",
                "our system finds that title among your loans already, whatever the edition",
                "you would have that title twice, in whatever edition",
            ],
            concepts=SAME_TITLE,
            remedy="return_copy",
            offers=[
                "you could bring the other one back first",
                "once yours is back, you can have this one",
            ],
        ),
        part(
            "not_just_returned",
            lambda db, member, copy: not came_back(member, copy.book, db.today),
            because=JUST_RETURNED,
            concepts=RETURNED,
            offers=[
                "you could ask again once those {GRACE_DAYS} days are over",
                "a different edition may be in, if you would like one",
            ],
        ),
    ],
    concepts=SAME_TITLE,
)
def no_second_copy(db, member: Member, copy: Copy) -> bool:
    """Nobody takes a second copy of a title that they have on loan, in whatever edition, nor the
    same edition again within {GRACE_DAYS} days of its return: look through all their loans."""
    if has_title(member, copy.book.title):
        return False
    return not came_back(member, copy.book, db.today)


@domain.rule(
    by="agent",
    governs=["checkout_copy", "place_hold", "renew_card"],
    because=[
        "another book on your card is more than {GRACE_DAYS} days overdue and has to come back "
        "first",
        "you still have a book out that is over {GRACE_DAYS} days late, and it has to be returned "
        "first",
        "one of your books is more than {GRACE_DAYS} days overdue, and nothing new is possible "
        "until it is back",
        "there is a long overdue book on your card that has to come back first",
        "an overdue loan of yours has been out for over {GRACE_DAYS} days too long and takes "
        "precedence, so it must be returned first",
    ],
    concepts=[
        [
            "overdue",
            "days late",
            "weeks late",
            "week late",
            "is late",
            "late book",
            "late loan",
            "late one",
            "far too late",
            "should have been back",
            "should have come back",
            "due back",
            "was due",
        ],
        ["first", "back", "return", "until", "while", "book", "loan", "still", "come back"],
    ],
    remedy="return_copy",
    offers=[
        "you could bring the overdue one back, and then we could try again",
        "as soon as the late one is in, we could try again",
    ],
)
def nothing_long_overdue(db, member: Member) -> bool:
    """Who has a loan that is more than {GRACE_DAYS} days overdue borrows nothing, places no hold
    and has no card renewed until that loan has ended."""
    return all(not is_long_overdue(loan.due_on, db.today) for loan in open_loans(member))


@domain.rule(
    by="agent",
    governs=["checkout_copy", "place_hold"],
    because=[
        "it costs {book.price} to replace, and junior cards are for books below {DEAR:money}",
        "a book worth {book.price} isn't for junior cards, which stop at {DEAR:money}",
        "junior cards are meant for books below {DEAR:money}, and this one is worth {book.price}",
        "its replacement price is {book.price}, and junior cards stop at {DEAR:money}",
        "with a value of {book.price} it is beyond the {DEAR:money} of a junior card",
        "books that cost {DEAR:money} or more aren't lent on junior cards, and it costs "
        "{book.price}",
    ],
    concepts=[
        ["junior", "child", "children's"],
        [
            "{DEAR:money}",
            "price",
            "cost",
            "worth",
            "expensive",
            "dear",
            "value",
            "valuable",
            "costly",
            "replace",
            "pricey",
            "above what",
        ],
    ],
    offers=[
        "somebody with an adult card could borrow it for you",
        "we could look for something less expensive by the same author",
        "a cheaper book on the same subject might please you too",
    ],
)
def suits_card(member: Member, book: Book) -> bool:
    """A book that costs {DEAR:money} or more to replace is neither lent nor put on hold on a
    junior card: look its price up."""
    return is_for_tier(member.tier, book.price)


@domain.rule(
    by="agent",
    governs=["renew_loan"],
    because=[
        "it is too early: it is due on {loan.due_on}, and renewals open {RENEWAL_DAYS} days before",
        "it isn't due before {loan.due_on}, so it is too soon for a renewal",
        "the window for a renewal starts {RENEWAL_DAYS} days before the due date of "
        "{loan.due_on}, and it is too early for that",
        "it can be extended in the last {RENEWAL_DAYS} days before {loan.due_on}, not earlier",
        "with {loan.due_on} as its due date it is not open for renewal so early",
        "a loan is renewed no earlier than {RENEWAL_DAYS} days before it is due, and this one runs "
        "until {loan.due_on}",
    ],
    concepts=[
        [
            "early",
            "earlier",
            "too soon",
            "so soon",
            "yet",
            "last {RENEWAL_DAYS} days",
            "{RENEWAL_DAYS} days before",
            "renewals open",
            "not open",
            "only from",
            "ahead of",
            "in advance",
            "not due",
            "not be due",
            "wait until",
            "closer to",
            "nearer",
            "days left",
            "days remain",
            "not before",
        ],
        ["renew", "extend", "due", "loan"],
    ],
    offers=[
        "you could ask again closer to {loan.due_on}",
        "until {loan.due_on} you may simply go on reading",
        "you could get in touch again when there are {RENEWAL_DAYS} days left",
    ],
)
def renewal_open(db, loan: Loan) -> bool:
    """A loan is renewed no earlier than {RENEWAL_DAYS} days before it is due."""
    return is_renewal_time(loan.due_on, db.today)


@domain.rule(
    by="agent",
    governs=["place_hold"],
    because=[
        "you have a hold on another edition of that title",
        "the title is on your list of holds in a different edition",
        "you are in the queue for a different edition of {book.title}",
        "you are waiting in line for another edition of it, and one has to do",
        "your hold on the other edition of it comes first",
    ],
    concepts=[
        [*QUEUE, "wait", "down for", "on the list"],
        ["edition", "version", "format", "audiobook", "large print"],
        [
            "another",
            "other",
            "different",
            "one edition",
            "both",
            "two edition",
            "audiobook",
            "large print",
        ],
    ],
    remedy="cancel_hold",
    offers=[
        "you could drop that hold for this one",
        "exchanging one hold for the other is possible",
        "we could swap them: that one goes, and you join the queue for this one",
    ],
)
def one_edition(member: Member, book: Book) -> bool:
    """Nobody queues for two editions of a title at the same time."""
    return all(hold.book is book or hold.book.title != book.title for hold in live_holds(member))


@domain.rule(
    by="agent",
    governs=["transfer_copy"],
    because=[
        "{branch.name} has a copy of that book on its shelf already",
        "a copy of it is available at that branch already",
        "the shelf at {branch.name} holds another copy of the same book already",
        "there is another copy of {copy.book.title} on the shelf at {branch.name}",
        "anybody at {branch.name} can pick another copy off the shelf there, as it has one already",
        "{branch.name} has got one in already: a copy is available there",
    ],
    concepts=[
        ["copy", "one", "book"],
        [
            "on the shelf",
            "on its shelf",
            "shelf",
            "available",
            "in stock",
            "got one",
            "has one",
            "has a copy",
            "same book in",
            "free to borrow",
            "copy there",
            "already there",
            "copy in",
            "own copy",
            "in at",
            "copy at",
        ],
        [
            "already",
            "another",
            "same book",
            "has one",
            "has a copy",
            "at that branch",
            "copy there",
            "have a copy",
            "they have",
            "shelf there",
            "own copy",
            "second one",
            "second copy",
        ],
    ],
    offers=[
        "you could borrow the copy that is there",
        "whoever visits that branch can take the other copy straight home",
        "the one on the shelf there could be yours to take",
        "the copy over there would spare you the wait for the van",
    ],
)
def none_there(copy: Copy, branch: Branch) -> bool:
    """No copy is sent to a branch where another copy of the same book is available."""
    there = [other for other in copy.book.copies if other.branch is branch]
    return copy.branch is branch or all(other.status != "available" for other in there)


@domain.rule(
    by="agent",
    governs=["place_hold"],
    remedy="return_copy",
    parts=[
        part(
            "not_at_home",
            lambda member, book: all(x.copy.book is not book for x in open_loans(member)),
            because=[
                "that book is already on loan to you",
                "you have borrowed it already",
                "our system shows that you have borrowed it yourself and still have it",
                "you have that one at home already",
                "it is on loan to you yourself, as your card currently shows",
            ],
            concepts=AT_HOME,
            offers=[
                "we could see whether it can be renewed instead",
                "extending the loan that you have may be the simpler path",
                "you could keep the copy that you have until it is due",
            ],
        ),
        part(
            "not_just_returned",
            lambda db, member, book: not came_back(member, book, db.today),
            because=JUST_RETURNED,
            concepts=RETURNED,
            offers=[
                "you could ask again once those {GRACE_DAYS} days are over",
                "a different edition may be in, if you would like one",
            ],
        ),
    ],
    concepts=AT_HOME,
)
def not_borrowed(db, member: Member, book: Book) -> bool:
    """Nobody queues for a book that they have on loan themselves, or have returned within the last
    {GRACE_DAYS} days: look through all their loans, not only the open ones."""
    at_home = any(loan.copy.book is book for loan in open_loans(member))
    return not at_home and not came_back(member, book, db.today)


@domain.rule(
    by="agent",
    governs=["renew_loan"],
    because=[
        "somebody else is waiting for it",
        "another reader is in the queue for that title",
        "there is a hold on it for another member",
        "another member has been hoping for it and stands in the queue",
        "it is wanted elsewhere: somebody has put a hold on it",
        "someone else has reserved it and is next in line",
    ],
    concepts=[
        [*QUEUE, "wait", "request", "asked for", "ask for"],
        [*OTHERS, "people", "member", "a waiting list", "a queue"],
    ],
    offers=[
        "you could join the queue for it yourself, {GRACE_DAYS} days after you've brought it back",
        "when you bring it back, we could look what else there is by the same author",
    ],
)
def nobody_waiting(loan: Loan) -> bool:
    """A loan is not renewed while other members wait for the book: look at its waiting list."""
    return not queue(loan.copy.book)


@domain.rule(
    by="agent",
    governs=["renew_loan"],
    because=[
        "it was due on {loan.due_on}, which is too long ago",
        "it is over {GRACE_DAYS} days overdue",
        "it ought to have come back by {loan.due_on}, and such a long overdue loan has to end",
        "it is more than {GRACE_DAYS} days late, as it was due on {loan.due_on}",
        "it has been overdue for too long, since {loan.due_on}",
    ],
    concepts=[
        ["overdue", "late", "was due", "were due", "due back", "come back", "been back"],
        [
            "too long",
            "too far",
            "more than",
            "long ago",
            "long overdue",
            "over a week",
            "over {GRACE_DAYS} days",
            "days overdue",
            "days late",
            "weeks overdue",
            "weeks late",
            "week late",
            "week overdue",
            "days ago",
            "weeks ago",
            "over {GRACE_DAYS}",
            "too overdue",
            "too late",
            "so late",
            "this late",
            "far overdue",
            "well overdue",
        ],
    ],
    offers=[
        "you could hand it in now, which stops the fee from growing",
        "handing it in today would keep the fee where it is",
        "we can take it back right away",
    ],
)
def not_long_overdue(db, loan: Loan) -> bool:
    """A loan that is more than {GRACE_DAYS} days overdue is not renewed: it has to come back."""
    return not is_long_overdue(loan.due_on, db.today)


@domain.rule(
    by="agent",
    governs=["renew_card"],
    because=[
        "your card is valid until {member.card_expires_on}, which is too far off",
        "the card has some time left, being valid until {member.card_expires_on}, and "
        "{CARD_WINDOW} days before that is the earliest moment",
        "it is too early: the card expires only on {member.card_expires_on}",
        "nothing presses yet: the card is good until {member.card_expires_on}",
        "a card is renewed in its last {CARD_WINDOW} days, and yours runs to "
        "{member.card_expires_on}",
        "your card is still valid for longer than {CARD_WINDOW} days, until "
        "{member.card_expires_on}",
    ],
    concepts=[
        [
            "early",
            "too soon",
            "valid until",
            "still valid",
            "yet",
            "not expire",
            "month to run",
            "months to run",
            "good until",
            "good for",
            "runs until",
            "runs to",
            "last {CARD_WINDOW} days",
            "last month",
        ],
        ["card", "membership", "expire", "valid until", "still valid", "good until"],
    ],
    offers=[
        "you could ask again within {CARD_WINDOW} days of that date",
        "a note in your diary for that month may be useful",
        "there is nothing you need to do about it until then",
    ],
)
def card_near_expiry(db, member: Member) -> bool:
    """A card is renewed in the last {CARD_WINDOW} days before it expires, or after that."""
    return is_renewable(member.card_expires_on, db.today)


CARD_VALID = [card_not_suspended, card_not_expired]


# What holds at any time.


@domain.invariant(Member)
def within_limits(member: Member) -> bool:
    loans = sum(loan.status == "open" for loan in member.loans)
    holds = sum(hold.status in ("waiting", "ready") for hold in member.holds)
    return loans <= MAX_LOANS[member.tier] and holds <= MAX_HOLDS[member.tier]


@domain.invariant(Member)
def one_hold_a_book(member: Member) -> bool:
    held = [hold.book.isbn for hold in member.holds if hold.status in ("waiting", "ready")]
    return len(held) == len(dict.fromkeys(held))


@domain.invariant(Book)
def queue_only_when_out(book: Book) -> bool:
    waiting = any(hold.status == "waiting" for hold in book.holds)
    return not waiting or all(copy.status != "available" for copy in book.copies)


@domain.invariant(Copy)
def copy_follows_records(copy: Copy) -> bool:
    on_loan = sum(loan.status == "open" for loan in copy.loans)
    ready = sum(hold.status == "ready" for hold in copy.holds)
    return on_loan == (copy.status == "on_loan") and ready == (copy.status == "on_hold_shelf")


@domain.invariant(Loan)
def loan_is_regular(loan: Loan) -> bool:
    return (
        (loan.status == "returned") == (loan.returned_on is not None)
        and loan.renewals <= MAX_RENEWALS
        and loan.borrowed_on < loan.due_on
        and (loan.renewals > 0 or loan.due_on == due_date(loan.borrowed_on, loan.member.tier))
    )


@domain.invariant(Hold)
def hold_has_its_copy(hold: Hold) -> bool:
    if hold.copy is None:
        return hold.status in ("waiting", "cancelled") and hold.ready_until is None
    return hold.status in ("ready", "collected") and hold.copy.book is hold.book


@domain.invariant(Hold)
def collected_hold_became_a_loan(hold: Hold) -> bool:
    if hold.status != "collected":
        return True
    ready_on = hold.ready_until - timedelta(days=PICKUP_DAYS)
    return any(x.member is hold.member and x.borrowed_on >= ready_on for x in hold.copy.loans)


@domain.invariant(Fine)
def fine_adds_up(fine: Fine) -> bool:
    return (
        (fine.status == "paid") == (fine.paid == fine.amount)
        and fine.paid <= fine.amount
        and (fine.status == "waived") == (fine.waiver is not None)
        and (fine.status != "waived" or fine.paid == 0)
        and (fine.status != "waived" or (fine.kind == "late" and fine.amount <= WAIVER_CAP))
    )


@domain.invariant(Fine)
def fine_follows_loan(fine: Fine) -> bool:
    loan, amount = fine.loan, fine.loan.copy.book.price + LOST_FEE
    if fine.kind == "late":
        amount = late_fee(loan.due_on, loan.returned_on)
    return fine.member is loan.member and fine.amount == amount


@domain.invariant(Branch)
def van_not_overloaded(branch: Branch) -> bool:
    return sum(copy.status == "in_transit" for copy in branch.copies) <= MAX_INCOMING


# Reads.

domain.reads(Branch, search=["name", "street"], filters=["status"])
domain.reads(Member, get=True, find="email")
domain.reads(Book, get=["copies"], search=["title", "author"], filters=["genre", "format"], page=6)
domain.reads(Copy, list_of="branch", filters=["status"], page=20)
domain.reads(Loan, list_of="member", filters=["status"], requires=[identified])
domain.reads(Hold, list_of="member", filters=["status"], requires=[identified])
domain.reads(Fine, list_of="member", filters=["status"], requires=[identified])


class Return(TypedDict):
    """A loan that ended, and what its return cost."""

    loan: Loan
    late_fee: Money


class Account(TypedDict):
    """Where a card stands against its limits."""

    open_loans: int
    loan_limit: int
    holds: int
    hold_limit: int
    owed: Money


class LossQuote(TypedDict):
    """What a lost copy would cost."""

    replacement_price: Money
    processing_fee: Money
    total: Money


class QueuePlace(TypedDict):
    """Where a hold stands in its queue."""

    ahead: int
    copies: int


@domain.read(
    requires=[identified],
    tells={
        "owed": [
            "how much I owe in fines altogether",
            "what is still to be paid on my account in all",
            "how much I would have to pay to be clear of all fines",
        ],
        "open_loans": [
            "how many books are out in my name at the moment",
            "how many books I have on my card right now",
            "how many loans are open on my card",
        ],
        "loan_limit": [
            "how many books I may have on loan at the same time",
            "how many books I can have out with my kind of card",
            "how many loans I may have at once",
        ],
        "holds": [
            "how many holds I have at the moment",
            "how many holds are running in my name",
            "how many reservations I have running",
        ],
        "hold_limit": [
            "how many holds I may have at once",
            "how many reservations I can have at the same time",
            "how many holds I can place with my kind of card",
        ],
    },
)
def account_summary(db, member: Member) -> Account:
    """Open loans, live holds and the sum of open fines of a member, beside the card's limits."""
    return {
        "open_loans": len(open_loans(member)),
        "loan_limit": MAX_LOANS[member.tier],
        "holds": len(live_holds(member)),
        "hold_limit": MAX_HOLDS[member.tier],
        "owed": owed(member),
    }


@domain.read(
    requires=[identified.on("loan.member")],
    tells={
        "total": [
            "how much I would have to pay in all if {loan} were lost",
            "how much it would cost me altogether to report {loan} as lost",
            "how much I would owe if {loan} never turned up again",
        ],
    },
    errors={"not_open": "The loan has ended, so that its copy cannot be reported as lost."},
)
def quote_loss(db, loan: Loan) -> LossQuote:
    """What the member would owe if they reported this open loan as lost. Say the total, which
    includes the processing fee."""
    if loan.status != "open":
        raise ToolError("not_open")
    price = loan.copy.book.price
    total = loss_charge(price)
    return {"replacement_price": price, "processing_fee": LOST_FEE, "total": total}


@domain.read(
    requires=[identified.on("hold.member")],
    tells={
        "ahead": [
            'how many people are ahead of me in the queue for "{hold.book.title}"',
            "how many people are ahead of me with {hold}",
            "how many readers are in front of me with {hold}",
        ],
        "copies": [
            "how many copies there are for {hold}",
            "how many copies you have got for {hold}",
            "how many copies there are in all for {hold}",
        ],
    },
    errors={"not_waiting": "The hold does not wait any more, so that it has no place in a queue."},
)
def place_in_queue(db, hold: Hold) -> QueuePlace:
    """How many members are ahead of a waiting hold, and how many copies the library has."""
    if not has_a_place(hold.status):
        raise ToolError("not_waiting")
    ahead = [other for other in queue(hold.book) if other.id < hold.id]
    return {"ahead": len(ahead), "copies": len(hold.book.copies)}


@domain.read(public=True)
def waiting_list(db, book: Book, page: Annotated[int, Field(ge=1)] = 1) -> Page[Hold]:
    """The waiting holds on a book, first in the queue first.

    Args:
        page: Which page of the list to show
    """
    return page_of(queue(book), page, QUEUE_PAGE)


# Writes.


@domain.write(
    requires=[
        *CARD_VALID,
        below_loan_limit,
        below_fine_block,
        copy_free_for,
        no_second_copy,
        nothing_long_overdue,
        suits_card.on(book="copy.book"),
        identified,
    ],
    changes=[
        moves("copy", ["available", "on_hold_shelf"], to="on_loan"),
        moves("copy.holds", "ready", to="collected"),
        creates(Loan),
    ],
    ask=[
        "borrow {copy}",
        "check out {copy}",
        "take out {copy}",
        "take home {copy}",
        "lend me {copy}",
        "have {copy} checked out to my card",
        "have {copy} issued to me",
        "take {copy} with me",
        "get {copy} on my card",
        "sign out {copy}",
        "have {copy} lent to me",
        "bring {copy} home with me",
        "borrow a book",
        "take a book out on my card",
        "check out something to read",
    ],
    asks={
        "copy": [
            "Which copy would you like, of which book and at which branch?",
            "Which copy do you have in mind, and at which branch is it?",
            "What would you like to borrow, that is, which copy at which branch?",
            "May I know which copy you are after, and where it stands?",
        ]
    },
    outcome=outcome(
        quotes=["due_on"],
        mood="good",
        says=[
            'The {copy.book.format} copy of "{copy.book.title}" is on your card now; please bring '
            "it back by {due_on}.",
            'I\'ve checked out "{copy.book.title}" to you in {copy.book.format}, and it has to be '
            "back by {due_on}.",
            'You can take the {copy.book.format} copy of "{copy.book.title}" home now and keep it '
            "until {due_on}.",
            'The {copy.book.format} copy of "{copy.book.title}" from {copy.branch.name} is yours '
            "until {due_on}.",
            "It's lent to you until {due_on}: enjoy the {copy.book.format} edition of "
            '"{copy.book.title}".',
            'As of today, the {copy.book.format} copy of "{copy.book.title}" is lent to you, and '
            "{due_on} is its last day.",
            'I have issued "{copy.book.title}" in {copy.book.format} on your card, and we expect '
            "it back by {due_on}.",
            'The lending period for the {copy.book.format} copy of "{copy.book.title}" starts '
            "today and ends on {due_on}.",
            'The loan of "{copy.book.title}" in {copy.book.format} is entered; {due_on} is when '
            "we expect it on our shelves again.",
            'The {copy.book.format} edition of "{copy.book.title}" leaves {copy.branch.name} in '
            "your name, with {due_on} as the due date.",
            'You have the {copy.book.format} copy of "{copy.book.title}" until {due_on}; I hope '
            "that you enjoy it.",
            'The {copy.book.format} edition of "{copy.book.title}" is registered to you, and its '
            "due date is {due_on}.",
            'The barcode of the {copy.book.format} copy of "{copy.book.title}" is linked to your '
            "card, with {due_on} as the day of return.",
            'Nothing stood in the way: the {copy.book.format} edition of "{copy.book.title}" has '
            "been lent, and its deadline falls on {due_on}.",
            'I have put the {copy.book.format} copy of "{copy.book.title}" on your account; we '
            "look forward to having it back by {due_on}.",
        ],
    ),
)
def checkout_copy(db, member: Member, copy: Copy) -> Loan:
    """Lend a copy to a member. A junior card has it for {LOAN_DAYS[junior]} days from today, an
    adult card for {LOAN_DAYS[adult]} and a patron card for {LOAN_DAYS[patron]}. Where the copy was
    set aside for the member's own hold, that hold is collected. Copies that are out, on the van or
    lost cannot be lent."""
    for hold in copy.holds:
        if hold.status == "ready":
            hold.status = "collected"
    copy.status = "on_loan"
    due_on = due_date(db.today, member.tier)
    return db.create(Loan, member=member, copy=copy, borrowed_on=db.today, due_on=due_on)


@domain.write(
    requires=[identified.on("loan.member")],
    changes=[
        moves("loan", "open", to="returned"),
        sets("loan", Loan.returned_on),
        moves("loan.copy", "on_loan", to=["available", "on_hold_shelf"]),
        *next_in_queue("loan.copy"),
        creates(Fine),
    ],
    ask=[
        "return {loan}",
        "hand in {loan}",
        "bring back {loan}",
        "have {loan} entered as returned",
        "give back {loan.copy.book}",
        "check in {loan}",
        "drop off {loan}",
        "get {loan} back to you",
        "hand back {loan}",
        "let you have {loan} back",
        "turn in {loan}",
        "check in {loan}",
        "leave {loan} with you",
        "return a book",
        "bring back one of my books",
        "have a book entered as returned",
    ],
    asks={
        "loan": [
            "Which of your loans is it, that is, which book?",
            "Which loan is it that you have brought back, please?",
            "Which of the books on loan to you would you like to return?",
            "Several books are out in your name: which loan does this concern?",
            "Could you name the book whose loan ends today?",
        ]
    },
    outcome=outcome(
        quotes=["late_fee"],
        mood="neutral",
        says=[
            '"{loan.copy.book.title}" is checked in, thank you; the late fee for it comes to '
            "{late_fee}.",
            'I\'ve taken "{loan.copy.book.title}" back; {late_fee} has been put on your account, '
            "as it was late.",
            '"{loan.copy.book.title}" is off your card now; for the days it was late you owe '
            "{late_fee}.",
            'Thank you, "{loan.copy.book.title}" is back with us; it was overdue, which costs '
            "{late_fee}.",
            'I have booked your copy of "{loan.copy.book.title}" in; it adds {late_fee} to what '
            "you owe, as it was late.",
            'We have received "{loan.copy.book.title}", which goes back into circulation; '
            "{late_fee} is what the delay costs.",
            '"{loan.copy.book.title}" has reached us; for the days past its due date the charge '
            "is {late_fee}.",
            'Your loan of "{loan.copy.book.title}" is over; the system has charged {late_fee} '
            "for the days it was late.",
            'The catalogue shows "{loan.copy.book.title}" as returned; since it was overdue, '
            "the fee is {late_fee}.",
            'Much appreciated, "{loan.copy.book.title}" has been booked in; {late_fee} falls '
            "due, as it came in after the date.",
            '"{loan.copy.book.title}" is safely with us; a fine of {late_fee} was raised because '
            "it came late.",
            'Your return of "{loan.copy.book.title}" has been received, though {late_fee} is '
            "due for the delay.",
            'Your copy of "{loan.copy.book.title}" has come back to us; on account of the late '
            "return {late_fee} was added to your fines.",
        ],
    ),
)
def return_copy(db, loan: Loan) -> Return:
    """Take a copy back. If it is late, a fine is raised at once for the days it is late. The copy
    then goes to the first member in the queue for the book and is set aside for {PICKUP_DAYS} days
    at the branch that they chose; where nobody waits, it goes back to the open shelf."""
    loan.status, loan.returned_on = "returned", db.today
    fee = late_fee(loan.due_on, db.today)
    if fee:
        member = loan.member
        db.create(Fine, member=member, loan=loan, kind="late", amount=fee, raised_on=db.today)
    shelve(db, loan.copy)
    return {"loan": loan, "late_fee": fee}


@domain.write(
    requires=[
        *[rule.on("loan.member") for rule in (*CARD_VALID, below_fine_block, identified)],
        renewals_left,
        nobody_waiting,
        not_long_overdue,
        renewal_open,
    ],
    changes=[stays("loan", "open"), sets("loan", Loan.due_on, Loan.renewals)],
    ask=[
        "renew {loan}",
        "keep {loan} a while longer",
        "have {loan} extended",
        "get more time for {loan}",
        "hang on to {loan.copy.book} for a bit",
        'extend my loan of "{loan.copy.book.title}"',
        "have {loan} renewed",
        "get an extension for {loan}",
        "have a few more weeks with {loan}",
        "get the due date of {loan} pushed back",
        "hold on to {loan} a little longer",
        "put off returning {loan}",
        "have {loan} for another few weeks",
        "renew one of my books",
        "keep a book a while longer",
        "get more time for a book",
    ],
    asks={
        "loan": [
            "Which of your loans shall I renew?",
            "Which loan is it, that is, which book?",
            "Which of the books on loan to you would you like to keep longer?",
            "Whose due date are we talking about, that is, which loan?",
            "Could you give me the title of the loan that needs more time?",
        ]
    },
    outcome=outcome(
        quotes=["due_on", "renewals"],
        mood="good",
        says=[
            'I\'ve renewed "{loan.copy.book.title}": it is due on {due_on} now, and this was '
            "renewal number {renewals}.",
            'You can keep "{loan.copy.book.title}" until {due_on}; that was renewal number '
            "{renewals}.",
            '"{loan.copy.book.title}" is yours until {due_on}, after renewal number {renewals}.',
            'The new due date of "{loan.copy.book.title}" is {due_on}, and that was renewal '
            "number {renewals} for it.",
            'I have given "{loan.copy.book.title}" more time, until {due_on}, on renewal number '
            "{renewals}.",
            'I have pushed back the return of "{loan.copy.book.title}" to {due_on}; that counts'
            " as renewal number {renewals}.",
            'No rush with "{loan.copy.book.title}": {due_on} is the new deadline, with '
            "{renewals} as the number of renewals so far.",
            'The due date for "{loan.copy.book.title}" now says {due_on}, and the renewal '
            "counter stands at {renewals}.",
            'I have extended "{loan.copy.book.title}" for some more evenings, so it is due on '
            "{due_on}, and the renewals for it now number {renewals}.",
            'The loan of "{loan.copy.book.title}" is renewed, and {due_on} is its last '
            "day; your file shows renewal number {renewals}.",
            'Enjoy the extra days: we need "{loan.copy.book.title}" back by {due_on}, and this is '
            "renewal number {renewals}.",
            'The deadline for "{loan.copy.book.title}" moves to {due_on}, and its tally of '
            "renewals reaches {renewals}.",
        ],
    ),
)
def renew_loan(db, loan: Loan) -> Loan:
    """Renew an open loan. The new due date is one full loan period from today, however much of the
    old period is left."""
    loan.due_on = due_date(db.today, loan.member.tier)
    loan.renewals += 1
    return loan


@domain.write(
    requires=[confirmed, identified.on("loan.member")],
    changes=[
        moves("loan", "open", to="lost"),
        moves("loan.copy", "on_loan", to="lost"),
        creates(Fine),
    ],
    ask=[
        'report "{loan.copy.book.title}" as lost',
        'have "{loan.copy.book.title}" recorded as lost',
        'report the loss of "{loan.copy.book.title}"',
        'have "{loan.copy.book.title}" put down as lost',
        'have "{loan.copy.book.title}" noted as lost',
        'report that I have lost "{loan.copy.book.title}"',
        'register the loss of "{loan.copy.book.title}"',
        'have "{loan.copy.book.title}" registered as lost',
        'let you know that I have lost "{loan.copy.book.title}"',
        "report a book as lost",
        "have one of my books recorded as lost",
        "report that I have lost a book",
    ],
    asks={
        "loan": [
            "Which of your loans is lost?",
            "Which loan is it that you cannot find, that is, which book?",
            "Which of the books on loan to you has gone missing?",
            "What is the title of the missing book, so that I find the right loan?",
            "Tell me, please, which loan can't be found?",
        ]
    },
    outcome=outcome(
        quotes=["amount"],
        mood="bad",
        irreversible=True,
        ask_first=[
            "quote_loss",
            'You would owe {total} for "{loan.copy.book.title}": {replacement_price} plus '
            "{processing_fee} for processing.",
        ],
        says=[
            'I\'ve recorded "{loan.copy.book.title}" as lost, and {amount} has been put on your '
            "account for it.",
            '"{loan.copy.book.title}" is down as lost now; the charge of {amount} is its price and '
            "the processing fee.",
            'The loan of "{loan.copy.book.title}" is closed as lost, and what you owe for it is '
            "{amount}.",
            'With "{loan.copy.book.title}" lost, {amount} has been added to your account, the '
            "processing fee included.",
            'I have written off "{loan.copy.book.title}"; with the processing fee that is '
            "{amount}, which you will find among your fines.",
            'Sadly "{loan.copy.book.title}" counts as lost from now on, which leaves you with '
            "{amount} to settle.",
            '"{loan.copy.book.title}" has been struck from our stock; your account shows {amount} '
            "for it, fee included.",
            'The loss of "{loan.copy.book.title}" is registered, and the charge of {amount} '
            "covers the price and the processing.",
            'Our records list "{loan.copy.book.title}" as lost, and the bill for it is {amount}.',
            'For the missing "{loan.copy.book.title}" your account shows a charge of {amount}, '
            "which includes the processing fee.",
            'I have taken "{loan.copy.book.title}" out of our catalogue as lost, and {amount} '
            "is open on your account for that.",
            'I closed the loan of "{loan.copy.book.title}" as lost; its replacement and the '
            "processing come to {amount}.",
        ],
    ),
)
def report_lost(db, loan: Loan) -> Fine:
    """Record a borrowed copy as lost. The member owes the replacement price of the book and a
    processing fee of {LOST_FEE:money}, also where the loan is not overdue yet. This cannot be taken
    back at the desk."""
    member, amount = loan.member, loss_charge(loan.copy.book.price)
    loan.status = loan.copy.status = "lost"
    return db.create(Fine, member=member, loan=loan, kind="lost", amount=amount, raised_on=db.today)


@domain.write(
    requires=[
        *CARD_VALID,
        below_hold_limit,
        nothing_on_shelf,
        not_borrowed,
        not_queued,
        branch_open,
        one_edition,
        nothing_long_overdue,
        suits_card,
        identified,
    ],
    changes=[creates(Hold)],
    ask=[
        "put a hold on {book} for pickup at {branch}",
        "reserve {book} and collect it at {branch}",
        "join the queue for {book}, to be picked up at {branch}",
        "have {book} set aside at {branch} once it is back",
        "put me down for {book}, with pickup at {branch}",
        "have {book} reserved for pickup at {branch}",
        "get on the list for {book} and pick it up at {branch}",
        "have {book} held for me at {branch}",
        "request {book} for pickup at {branch}",
        "wait for {book} and fetch it at {branch}",
        "ask for {book} to be kept at {branch} when it comes in",
        "sign up for {book} and collect it at {branch}",
        "have {book} saved for me at {branch}",
        "add my name to the queue for {book}, with pickup at {branch}",
        "reserve a book and collect it at {branch}",
        "put a hold on something for pickup at {branch}",
        "join a queue, with pickup at {branch}",
        "put a hold on {book}",
        "reserve {book}",
        "join the queue for {book}",
    ],
    asks={
        "branch": [
            "At which branch would you like to pick it up?",
            "Which branch would suit you for the pickup?",
            "Which of our branches shall it be sent to for you?",
            "Where in town is it handiest for you, in other words, at which branch?",
            "May I have the branch at which you intend to collect it?",
        ],
        "book": [
            "Which book would you like to have reserved?",
            "Which book is it, and in which edition?",
            "For which book would you like to queue?",
            "What is the title of the book, and does the edition matter to you?",
            "Could you tell me the book that you are hoping for?",
        ],
    },
    outcome=outcome(
        quotes=["pickup"],
        mood="good",
        says=[
            'You\'re in the queue for "{book.title}" now, and it will be set aside for you at '
            "{pickup}.",
            'I put a hold on "{book.title}" for you; when your turn comes, it waits at {pickup}.',
            'Your hold on the {book.format} edition of "{book.title}" is placed, with pickup at '
            "{pickup}.",
            '"{book.title}" is reserved for you, and you can collect it at {pickup} as soon as '
            "it's your turn.",
            'Your name is on the list for "{book.title}"; {pickup} keeps a copy for you once it'
            " is free.",
            'You are waiting for "{book.title}" now, and {pickup} is where you can fetch it.',
            'The queue for "{book.title}" has one more reader, namely you, and {pickup} is '
            "where it will lie ready.",
            'I\'ve noted {pickup} for your copy of "{book.title}", and your place is at the '
            "end of the line.",
            'I have entered your request for "{book.title}" in {book.format}; the pickup '
            "shelf at {pickup} is its destination.",
            '"{book.title}" will be yours in due course: {pickup} sets it aside once '
            "everybody before you has been served.",
            'Your place in the queue for "{book.title}" is entered, and collection takes place at '
            "{pickup}.",
            'You are now among those waiting for "{book.title}", and {pickup} is noted as the '
            "branch for it.",
            'As soon as those before you are through with "{book.title}", it comes to '
            "{pickup} for you.",
        ],
    ),
)
def place_hold(db, member: Member, book: Book, branch: Branch) -> Hold:
    """Put a member at the end of the queue for a book, to be picked up at a branch of their choice.
    Every edition of a title has a queue of its own."""
    return db.create(Hold, member=member, book=book, branch=branch, placed_on=db.today)


@domain.write(
    requires=[confirmed, identified.on("hold.member")],
    changes=[
        moves("hold", ["waiting", "ready"], to="cancelled"),
        sets("hold", Hold.copy, Hold.ready_until),
        moves("hold.copy", "on_hold_shelf", to=["on_hold_shelf", "available"]),
        *next_in_queue("hold.copy"),
    ],
    ask=[
        "cancel {hold}",
        "drop {hold}",
        "give up {hold}",
        'be taken off the queue for "{hold.book.title}"',
        'take my name off the list for "{hold.book.title}"',
        'take me off the queue for "{hold.book.title}"',
        "have {hold} cancelled",
        'stop waiting for "{hold.book.title}"',
        "release {hold}",
        "withdraw {hold}",
        "call off {hold}",
        "let {hold} go",
        "have {hold} deleted",
        "cancel one of my holds",
        "drop a reservation",
        "be taken off one of the queues",
    ],
    asks={
        "hold": [
            "Which of your holds would you like to give up?",
            "Which hold is it, that is, on which book?",
            "Which of the holds that you have shall go?",
            "You stand in more than one queue, so which hold may I remove?",
            "What was the title on the hold that you can spare?",
        ]
    },
    outcome=outcome(
        mood="neutral",
        irreversible=True,
        ask_first=[
            "Your place in the queue would be gone.",
        ],
        says=[
            "I've cancelled your hold on \"{hold.book.title}\", so you're no longer in that queue.",
            'Your hold on "{hold.book.title}" is cancelled; a new one would start at the end of '
            "the queue.",
            'You\'re out of the queue for "{hold.book.title}" now.',
            '"{hold.book.title}" is off your list of holds now.',
            'I have crossed your name off the list for "{hold.book.title}".',
            'Nobody keeps "{hold.book.title}" for you any longer, as that hold has been withdrawn.',
            'I have released your reservation for "{hold.book.title}" in {hold.book.format}.',
            'Your request for "{hold.book.title}" has been withdrawn, and your place goes to '
            "whoever may wait behind you.",
            'There is no reservation of yours for "{hold.book.title}" any more: that hold is gone.',
            'The hold on "{hold.book.title}" has been deleted from your card.',
            'Fine, "{hold.book.title}" can now go to somebody else, as your hold has ended.',
            'You are no longer waiting for "{hold.book.title}", for I removed that reservation.',
        ],
    ),
)
def cancel_hold(db, hold: Hold) -> Hold:
    """Cancel a hold that is waiting or ready. The place in the queue is gone, and a copy that was
    set aside goes to the next member in the queue, or back to the open shelf."""
    copy = hold.copy
    hold.status, hold.copy, hold.ready_until = "cancelled", None, None
    if copy is not None:
        shelve(db, copy)
    return hold


@domain.write(
    requires=[branch_open, not_next_in_line, identified.on("hold.member")],
    changes=[stays("hold", "waiting"), sets("hold", Hold.branch)],
    errors={"same_branch": "The hold is to be picked up at that branch already."},
    ask=[
        'pick up "{hold.book.title}" at {branch} instead',
        'move the pickup of "{hold.book.title}" to {branch}',
        "have {hold} moved to {branch}",
        'collect "{hold.book.title}" from {branch} when it is my turn',
        "change the pickup branch of {hold} to {branch}",
        "switch {hold} over to {branch}",
        'have "{hold.book.title}" sent to {branch} when it is my turn',
        'have "{hold.book.title}" kept for me at {branch} instead',
        "redirect {hold} to {branch}",
        'fetch "{hold.book.title}" from {branch} instead',
        "have {hold} rerouted to {branch}",
        'shift the pickup of "{hold.book.title}" to {branch}',
        "have one of my holds moved to {branch}",
        "pick up one of my holds at {branch} instead",
        "have {hold} moved to another branch",
        "change where I pick up {hold}",
        'collect "{hold.book.title}" at a different branch',
    ],
    asks={
        "hold": [
            "Which of your holds is it about?",
            "Which hold shall I change, that is, on which book?",
            "For which of your holds would you like another pickup?",
            "What is the title that you reserved, so that I change the right hold?",
        ],
        "branch": [
            "Which branch would you like to pick it up at?",
            "To which branch shall I move it?",
            "Which branch would be better for you?",
            "Where shall the hold wait from now on, that is, at which branch?",
        ],
    },
    outcome=outcome(
        quotes=["pickup"],
        mood="good",
        says=[
            'You can pick up "{hold.book.title}" at {pickup} now, and you keep your place in the '
            "queue.",
            'I\'ve moved the pickup of "{hold.book.title}" to {pickup}.',
            '"{hold.book.title}" will be set aside for you at {pickup} instead.',
            'The pickup for "{hold.book.title}" is {pickup} from now on; your place in the queue '
            "stays as it was.",
            'From now on {pickup} is where "{hold.book.title}" will be waiting for you.',
            'I have switched "{hold.book.title}" over to {pickup}, and nothing else about your '
            "hold changes.",
            '{pickup} it is: "{hold.book.title}" will travel there when your turn comes.',
            'The pickup of "{hold.book.title}" is changed to {pickup} from today.',
            'Understood, "{hold.book.title}" goes to {pickup} once your turn arrives.',
            'The branch for collecting "{hold.book.title}" reads {pickup} from this moment.',
            'I corrected your hold, so "{hold.book.title}" is going to be handed out at {pickup}.',
            'You needn\'t do anything else: "{hold.book.title}" will be at {pickup} instead.',
        ],
    ),
)
def change_pickup(db, hold: Hold, branch: Branch) -> Hold:
    """Change the branch where a waiting hold will be picked up; the place in the queue stays as it
    is. Once a copy has been set aside, its branch cannot be changed any more."""
    if hold.branch is branch:
        raise ToolError("same_branch")
    hold.branch = branch
    return hold


@domain.write(
    requires=[
        within_open_amount,
        large_enough_part,
        lost_in_one_sum,
        confirmed,
        identified.on("fine.member"),
    ],
    changes=[moves("fine", "open", to=["open", "paid"]), sets("fine", Fine.paid)],
    ask=[
        "pay {amount} towards {fine}",
        "put {amount} towards {fine}",
        "pay {amount} for {fine}",
        "pay you {amount} for {fine}",
        "make a payment of {amount} for {fine}",
        "put down {amount} for {fine}",
        "contribute {amount} towards {fine}",
        "settle {fine} with {amount}",
        "pay {amount} off {fine}",
        "give you {amount} for {fine}",
        "pay {amount} towards one of my fines",
        "put {amount} towards a fine",
        "pay {fine}",
        "pay something towards {fine}",
        "make a payment for {fine}",
    ],
    asks={
        "amount": [
            "What amount would you like to pay?",
            "How much would you like to pay, in other words, what amount shall I take?",
            "Which amount shall I put down?",
            "Do you have a figure in mind, that is, what amount shall it be?",
            "Please name the amount: how much would you care to pay?",
        ],
        "fine": [
            "Which of your fines would you like to pay?",
            "Which fine is the payment for?",
            "Towards which fine shall I put it, that is, for which book?",
            "Your account has several charges, so which fine do you mean?",
        ],
    },
    outcome=outcome(
        quotes=["paid", "status"],
        mood="good",
        irreversible=True,
        differences={"left": ("fine.amount", "paid")},
        ask_first=["So far, {fine.paid} of the {fine.amount} is paid."],
        says=[
            'Thank you: your payments for "{fine.loan.copy.book.title}" come to {paid}, and the '
            "fine is {status}; {left} is still to come.",
            'I\'ve taken your payment for "{fine.loan.copy.book.title}", which makes {paid} in '
            "all, and the fine is {status}; what remains is {left}.",
            'Your payment has gone through, so the fine for "{fine.loan.copy.book.title}" is '
            "{status}, with {paid} paid in all; {left} is left.",
            'With that, the fine for "{fine.loan.copy.book.title}" is {status}, and {paid} has '
            "come in for it; there is {left} to go.",
            'I have booked the money for "{fine.loan.copy.book.title}"; {paid} is in altogether, '
            "and the fine is {status}; {left} remains open.",
            'Received with thanks: for "{fine.loan.copy.book.title}" you have now paid {paid}, '
            "and the fine is {status}; the remainder is {left}.",
            'I have credited {paid} in all to the fine for "{fine.loan.copy.book.title}", which is '
            "{status} now; you owe another {left} for it.",
            'For "{fine.loan.copy.book.title}" the account shows payments of {paid}, and the fine '
            "is listed as {status}; {left} can follow later.",
        ],
    ),
)
def pay_fine(
    db,
    fine: Fine,
    amount: Annotated[Money, Field(ge=1), drawn(lambda db, fine: payments_for(fine))],
) -> Fine:
    """Take a payment towards one open fine, in full or in part. Several fines are paid one by one.

    Args:
        amount: Cents to pay, for example 250
    """
    fine.paid += amount
    if fine.paid == fine.amount:
        fine.status = "paid"
    return fine


@domain.write(
    requires=[waivable, one_waiver, recent_enough, confirmed, identified.on("fine.member")],
    changes=[moves("fine", "open", to="waived"), sets("fine", Fine.waiver)],
    ask=[
        "have {fine} waived because of {reason}",
        "get {fine} dropped on grounds of {reason}",
        "ask for a waiver of {fine}, the reason being {reason}",
        "be let off {fine} because of {reason}",
        "have {fine} cancelled because of {reason}",
        "be excused from {fine} on grounds of {reason}",
        "have {fine} forgiven on grounds of {reason}",
        "have {fine} lifted for the reason of {reason}",
        "have {fine} struck off because of {reason}",
        "be spared {fine} on grounds of {reason}",
        "have {fine} written off because of {reason}",
        "have {fine} waived",
        "be let off {fine}",
        "have a fine waived because of {reason}",
        "be let off one of my fines because of {reason}",
    ],
    asks={
        "reason": [
            "What was the reason: illness, an error of the library, or hardship?",
            "For what reason should it be waived: illness, a mistake of ours, or hardship?",
            "May I ask the reason, which can be illness, a staff error or hardship?",
            "On what grounds, in other words, was it illness, a slip of ours or hardship that "
            "is the reason?",
        ],
        "fine": [
            "Which of your fines is it about?",
            "Which fine would you like to have waived, that is, for which book?",
            "Which of the fines on your account do you mean?",
            "Could you single out the fine for me, by its book for instance?",
        ],
    },
    outcome=outcome(
        quotes=["amount"],
        mood="good",
        irreversible=True,
        ask_first=["The fine is {fine.amount}, and this would be your one waiver."],
        says=[
            'The {amount} for "{fine.loan.copy.book.title}" is waived; please bear in mind that '
            "there will be no second waiver.",
            'I\'ve waived the fine of {amount} for "{fine.loan.copy.book.title}", which was your '
            "one waiver.",
            'You needn\'t pay the {amount} for "{fine.loan.copy.book.title}" any more: it is '
            "waived, though that can be done only once.",
            'That\'s the {amount} for "{fine.loan.copy.book.title}" off your account, and with it '
            "your one waiver is used.",
            'The charge of {amount} on "{fine.loan.copy.book.title}" is gone; treat it as a '
            "one-off, since there is no second waiver.",
            'I have struck {amount} for "{fine.loan.copy.book.title}" from your account, and '
            "that was the only waiver you can have.",
            'Consider the {amount} for "{fine.loan.copy.book.title}" forgiven, and remember '
            "that such goodwill comes once.",
            'Nobody will ask you for the {amount} for "{fine.loan.copy.book.title}" again, '
            "but your single waiver is spent with that.",
            'We let the {amount} for "{fine.loan.copy.book.title}" drop, and that exhausts '
            "the waivers open to you.",
            "By way of exception you are spared the {amount} for "
            '"{fine.loan.copy.book.title}"; a further exception is out of the question.',
        ],
    ),
)
def waive_fine(db, fine: Fine, reason: Literal["illness", "staff_error", "hardship"]) -> Fine:
    """Waive an open late fine. Ask for the reason, record the one that the member gives, and say
    that there will be no second waiver.

    Args:
        reason: Why the fine is waived
    """
    fine.status, fine.waiver = "waived", reason
    return fine


@domain.write(
    requires=[owes_nothing, identified],
    changes=[moves("member", "suspended", to="active")],
    ask=[
        "have my card reinstated",
        "get my card working again",
        "have the suspension of my card lifted",
        "get my card unblocked",
        "have my card switched back on",
        "have my card released again",
        "have my card back in service",
        "have my card unlocked",
        "reactivate my card",
        "have my card activated again",
    ],
    outcome=outcome(
        quotes=["status"],
        mood="good",
        says=[
            "Your card is {status} again.",
            "I've lifted the suspension, so your card is {status} now.",
            "The suspension is gone: your card is {status}, and you can use it again.",
            "Your card has been reinstated and is {status} from now on.",
            "I have switched your card back on; it shows up as {status}.",
            "Welcome back: your card is {status}, and the suspension has ended.",
            "The lock has been removed, and your card counts as {status}.",
            "Good to have you back among our borrowers: the card reads {status}.",
            "With nothing owed, I could end the suspension: your card is {status}.",
            "The card can be used for borrowing, renewing and queuing, because it is {status}.",
            "I ended the suspension, which makes your card {status} once more.",
        ],
    ),
)
def reinstate_card(db, member: Member) -> Member:
    """Lift the suspension of a card."""
    member.status = "active"
    return member


@domain.write(
    requires=[card_near_expiry, nothing_long_overdue, identified],
    changes=[
        moves("member", ["active", "expired"], to="active"),
        sets("member", Member.card_expires_on),
    ],
    ask=[
        "renew my library card",
        "have my card extended for another year",
        "get my card renewed",
        "keep my card going for another year",
        "have another year put on my card",
        "extend my library card by a year",
        "have my card good for another year",
        "renew my membership",
        "have my membership extended by a year",
        "renew my card",
    ],
    outcome=outcome(
        quotes=["card_expires_on"],
        mood="good",
        says=[
            "Your card is renewed and valid until {card_expires_on}.",
            "I've renewed your card; it now runs until {card_expires_on}.",
            "That's your card good for another year, until {card_expires_on}.",
            "You can use your card until {card_expires_on}, as it has been renewed.",
            "Another year for your card: its new last day is {card_expires_on}.",
            "I have extended your card, so nothing expires before {card_expires_on}.",
            "Your membership carries on, with {card_expires_on} as the new expiry date.",
            "All set for the coming months: the card runs out on {card_expires_on} and no sooner.",
            "Your card has been renewed for another term, and {card_expires_on} is the final day "
            "of it.",
            "The register now carries {card_expires_on} as the expiry of your card.",
            "The renewal is entered: {card_expires_on} is recorded as the end of your card.",
        ],
    ),
)
def renew_card(db, member: Member) -> Member:
    """Renew a card for {CARD_DAYS} days, which count from its expiry date, or from today if it has
    expired. A suspended card is reinstated first."""
    member.status = "active"
    member.card_expires_on = expiry_after(member.card_expires_on, db.today)
    return member


@domain.write(
    requires=[room_in_van, branch_open, none_there],
    changes=[moves("copy", "available", to="in_transit"), sets("copy", Copy.branch)],
    errors={"same_branch": "The copy stands at that branch already."},
    ask=[
        "have {copy} sent to {branch}",
        "get {copy} moved to {branch}",
        "have {copy} brought over to {branch}",
        "get {copy} transferred to {branch}",
        "get {copy} sent over to {branch}",
        "have {copy} put on the van to {branch}",
        "arrange for {copy} to go to {branch}",
        "have {copy} delivered to {branch}",
        "get {copy} over to {branch}",
        "have {copy} forwarded to {branch}",
        "have {copy} dispatched to {branch}",
        "get {copy} taken to {branch}",
        "have a book sent to {branch}",
        "get something moved to {branch}",
        "have {copy} sent to another branch",
        "get {copy} moved to a branch that suits me better",
    ],
    asks={
        "copy": [
            "Which copy would you like to have sent, and where is it now?",
            "Which copy do you mean: of which book, and at which branch?",
            "Which copy shall I put on the van?",
            "What shall travel, that is, which copy from which shelf?",
        ],
        "branch": [
            "To which branch shall I send it?",
            "Which branch would you like to have it at?",
            "Which branch would suit you?",
            "Where is the van to unload it, in other words, at which branch?",
        ],
    },
    outcome=outcome(
        quotes=["branch_name"],
        mood="good",
        says=[
            '"{copy.book.title}" goes to {branch_name} with the van, and it can be borrowed once '
            "it has arrived there.",
            'I\'ve put "{copy.book.title}" on the van to {branch_name}.',
            '"{copy.book.title}" is on its way to {branch_name} now; nobody can borrow it until it '
            "arrives.",
            'The van takes "{copy.book.title}" to {branch_name}, where it has to arrive before '
            "it can be lent.",
            'The driver takes "{copy.book.title}" along to {branch_name}; please allow for the '
            "journey before you try to borrow it.",
            '"{copy.book.title}" leaves its shelf today and travels to {branch_name}.',
            'I\'ve asked the driver to drop "{copy.book.title}" at {branch_name}; the staff '
            "there will book it in on arrival.",
            'The van bound for {branch_name} takes "{copy.book.title}", which can\'t be lent '
            "until it is unpacked there.",
            '"{copy.book.title}" changes branches: {branch_name} receives it by van and lends '
            "it after it has been unpacked.",
            'Transport of "{copy.book.title}" to {branch_name} is arranged, though its '
            "arrival comes before any borrowing.",
            'As arranged, "{copy.book.title}" is heading for {branch_name}, and lending '
            "resumes after delivery.",
        ],
    ),
)
def transfer_copy(db, copy: Copy, branch: Branch) -> Copy:
    """Send an available copy to another branch with the van. It cannot be borrowed until it has
    arrived there; the branch then books it in, and it goes to the first member in the queue, if
    there is a queue for the book."""
    if copy.branch is branch:
        raise ToolError("same_branch")
    copy.status, copy.branch = "in_transit", branch
    return copy


@domain.write(
    requires=[identified],
    changes=[creates(Handover)],
    handover=True,
    ask=[
        "speak to a librarian in a matter of {reason}",
        "have a librarian look into this, as a matter of {reason}",
        "take this up with a librarian, under the heading of {reason}",
        "be put through to a librarian because of {reason}",
    ],
    asks={
        "reason": [
            "What is the reason for which you need a librarian?",
            "May I ask the reason, so that the right person calls you?",
            "For what reason shall I hand this over?",
        ]
    },
    outcome=outcome(
        mood="neutral",
        says=[
            "One of our librarians will look into it and get in touch with you.",
            "That is something for a librarian to settle, so one of them will take it from here "
            "and contact you.",
            "A librarian will look into it and get in touch with you; the reference is "
            "{handover_id}.",
            "I've passed this on to one of our librarians, and you will hear from them.",
            "You will hear from a librarian about it, who has been told what it is about; the "
            "reference is {handover_id}.",
            "This needs a librarian's eye, and one of them will get in touch with you about it.",
            "I've handed this over to a librarian, who gets back to you with your account at hand.",
            "A librarian deals with it from here, and your reference is {handover_id}.",
            "The matter now lies with our librarians, and one of them will come back to you.",
            "Somebody who can decide on this reads your case next and will contact you; please "
            "quote {handover_id}, which is your reference.",
        ],
    ),
)
def hand_over(
    db,
    member: Member,
    reason: Literal["disputed_fine", "personal_details", "found_copy", "complaint", "other"],
) -> Handover:
    """Hand the conversation over to a librarian: as `disputed_fine` when a member says that a fine
    is wrong, as `personal_details` when a name, address or e-mail has to be changed, as
    `found_copy` when a copy that was recorded as lost has turned up, as `complaint` when a member
    complains about the library, and as `other` for what none of the tools in your list can do. A
    request that a rule forbids is refused, with the rule, and not handed over.

    Args:
        reason: What the librarian is needed for
    """
    return db.create(Handover, member=member, reason=reason, at=db.now)


# What brings people here, what changes their minds, and what only a librarian can settle.

for text, tools in (
    ("My book club starts on a new title this week.", ["checkout_copy"]),
    ("I have a long train journey ahead of me and nothing to read.", ["checkout_copy"]),
    ("I'm taking a few days off and would like to read by the stove.", ["checkout_copy"]),
    ("I've got a free weekend ahead of me, and rain is forecast.", ["checkout_copy"]),
    ("I've been looking forward to some quiet evenings with a book.", ["checkout_copy"]),
    ("The evenings are long, and television bores me.", ["checkout_copy"]),
    ("I've spent half the night browsing in your catalogue.", ["checkout_copy"]),
    ("Our choir is going on tour, and the coach ride is long.", ["checkout_copy"]),
    ("I'm spending a week at the lake, far from any internet.", ["checkout_copy"]),
    ("My flight leaves tomorrow, and airports make me restless.", ["checkout_copy"]),
    ("I've run out of things to read on my lunch breaks.", ["checkout_copy"]),
    ("My grandmother is in hospital, and I want to read to her.", ["checkout_copy"]),
    ("I walked past your window display yesterday and got curious.", ["checkout_copy"]),
    ("My sister can't stop talking about what she has just read.", ["checkout_copy", "place_hold"]),
    ("I've heard an interview with the author on the radio.", ["checkout_copy", "place_hold"]),
    ("A colleague has made me curious.", ["checkout_copy", "place_hold"]),
    ("Our teacher has handed out a reading list.", ["checkout_copy", "place_hold"]),
    ("There has been a glowing review in the paper.", ["checkout_copy", "place_hold"]),
    ("A friend has given me a tip.", ["checkout_copy", "place_hold"]),
    ("The bookseller round the corner gives excellent advice.", ["checkout_copy", "place_hold"]),
    (
        "A podcast that I listen to while cooking has given me an idea.",
        ["checkout_copy", "place_hold"],
    ),
    ("I spotted the cover in somebody's hands on the ferry.", ["checkout_copy", "place_hold"]),
    ("My penfriend in Norway keeps quoting from her favourite.", ["checkout_copy", "place_hold"]),
    ("I heard one chapter read aloud and was hooked.", ["checkout_copy", "place_hold"]),
    (
        "I once gave somebody a present that I'd have liked to keep for myself.",
        ["checkout_copy", "place_hold"],
    ),
    ("I've come to your shelves in vain three times.", ["place_hold"]),
    ("I'm in no hurry at all.", ["place_hold"]),
    ("My neighbour can't praise her latest discovery highly enough.", ["place_hold"]),
    ("The bookshop in my street had sold out.", ["place_hold"]),
    ("I always miss what everybody is talking about.", ["place_hold"]),
    ("I don't mind waiting, good things take time.", ["place_hold"]),
    ("I'm already planning what to read in the summer.", ["place_hold"]),
    ("I'd sooner wait for a library copy than buy one.", ["place_hold"]),
    ("My reading circle has made its plan for the autumn.", ["place_hold"]),
    ("I've only got halfway so far.", ["renew_loan"]),
    ("I was ill and hardly read a page.", ["renew_loan"]),
    ("A busy month has kept me from reading.", ["renew_loan"]),
    ("My grandmother is reading along, and she's slow at it.", ["renew_loan"]),
    ("My little brother keeps us up, so I manage a page or so a night.", ["renew_loan"]),
    ("I'm taking notes for an essay, and that is slow work.", ["renew_loan"]),
    ("We had visitors, so reading had to wait.", ["renew_loan"]),
    ("Moving house has cost me weeks.", ["renew_loan"]),
    ("I've broken my glasses, and the optician is slow.", ["renew_loan"]),
    ("Exams have swallowed all my time.", ["renew_loan"]),
    ("I keep falling asleep after three paragraphs, tired as I am.", ["renew_loan"]),
    ("I read aloud to my grandfather every Sunday, and we aren't done.", ["renew_loan"]),
    ("There was so much to do in the garden that I fell behind.", ["renew_loan"]),
    ("I'm a slow reader and think about every sentence.", ["renew_loan"]),
    ("We had no electricity for a week after the storm.", ["renew_loan"]),
    ("I finished reading last night.", ["return_copy"]),
    ("I dropped a bag into your drop box on my way into town.", ["return_copy"]),
    ("My cousin is at your counter with my bag just now.", ["return_copy"]),
    ("I'm standing in your entrance hall right now.", ["return_copy"]),
    ("I couldn't warm to the story, to be honest.", ["return_copy"]),
    ("I enjoyed the reading, by the way.", ["return_copy"]),
    ("I'm tidying up before the painters come.", ["return_copy"]),
    ("I've read the last page, and what an ending that was.", ["return_copy"]),
    ("I wouldn't want to keep other readers waiting.", ["return_copy"]),
    ("I've got all that I needed for my essay.", ["return_copy"]),
    ("I gave up after a few chapters.", ["return_copy"]),
    (
        "My neighbour is cycling past your place this morning and has taken my things along.",
        ["return_copy"],
    ),
    ("I've turned the whole flat upside down and found nothing.", ["report_lost"]),
    ("I left my bag on the train, and nobody has handed it in.", ["report_lost"]),
    ("Things went missing when we moved house, and I've searched for days.", ["report_lost"]),
    ("Somebody here put the wrong pile out with the waste paper.", ["report_lost"]),
    ("I've looked everywhere, at home and in every bag that I own.", ["report_lost"]),
    ("My suitcase never arrived at the airport.", ["report_lost"]),
    ("A removal box with my books has vanished without a trace.", ["report_lost"]),
    ("Burglars emptied our car, and my bag is gone as well.", ["report_lost"]),
    ("A pipe burst above my shelf, and everything on it is ruined.", ["report_lost"]),
    ("My rucksack was stolen at the swimming pool.", ["report_lost"]),
    ("The cellar was flooded, and nothing down there could be saved.", ["report_lost"]),
    ("I must have left my things behind in a hotel in Lisbon.", ["report_lost"]),
    ("I left a bag on the ferry, and the lost property office couldn't help me.", ["report_lost"]),
    ("The puppy has torn everything on the coffee table to shreds.", ["report_lost"]),
    ("I can borrow what I wanted from a friend.", ["cancel_hold"]),
    ("I've found what I wanted second-hand at the market.", ["cancel_hold"]),
    ("My interests have changed since then.", ["cancel_hold"]),
    ("I've been given what I was waiting for as a present.", ["cancel_hold"]),
    ("I've read an extract in the meantime, and it left me cold.", ["cancel_hold"]),
    ("I've waited for so long that I've lost interest.", ["cancel_hold"]),
    ("Somebody in my choir has passed her own copy on to me.", ["cancel_hold"]),
    ("My reading plans are different now.", ["cancel_hold"]),
    ("I got what I was after at a jumble sale.", ["cancel_hold"]),
    ("My uncle has dug out his old copy for me.", ["cancel_hold"]),
    ("I don't remember why I wanted that in the first place.", ["cancel_hold"]),
    ("We've moved across town.", ["change_pickup", "transfer_copy"]),
    ("I go a different way these days and don't pass there any more.", ["change_pickup"]),
    ("I have moved in with my sister, on the other side of town.", ["change_pickup"]),
    ("I can't get across town on crutches.", ["transfer_copy", "change_pickup"]),
    ("The tram in that direction has stopped running.", ["change_pickup", "transfer_copy"]),
    ("I'm staying with my parents for a while.", ["change_pickup"]),
    ("My music lessons are round the corner from a different branch.", ["change_pickup"]),
    ("My weekly training has moved to another part of town.", ["change_pickup", "transfer_copy"]),
    ("Getting over there takes far too long.", ["transfer_copy", "change_pickup"]),
    ("My evening class meets somewhere else this term.", ["change_pickup"]),
    ("I'm looking after my aunt's cats on the far side of the river.", ["change_pickup"]),
    (
        "My bicycle has a broken chain, so distances matter just now.",
        ["change_pickup", "transfer_copy"],
    ),
    ("There are roadworks all along that route until summer.", ["change_pickup", "transfer_copy"]),
    ("My foot is in plaster, so I can only get to the nearest branch.", ["transfer_copy"]),
    ("There's no bus to where it is now.", ["transfer_copy"]),
    ("I no longer have anybody who drives me.", ["transfer_copy"]),
    ("I can't walk very far these days.", ["transfer_copy"]),
    ("I'm looking after a sick neighbour and can't be away for long.", ["transfer_copy"]),
    ("I'd like to do something about my fines today.", ["pay_fine"]),
    ("I don't like owing people money.", ["pay_fine"]),
    ("I've been meaning to put this right.", ["pay_fine", "reinstate_card"]),
    ("That has been on my mind.", ["pay_fine"]),
    ("My conscience has been troubling me.", ["pay_fine"]),
    ("I've put a little money aside.", ["pay_fine"]),
    ("I want this settled before I travel.", ["renew_card"]),
    ("I've just looked at what I owe you.", ["pay_fine"]),
    ("I got a little birthday money.", ["pay_fine"]),
    ("I'm going through my letters this morning.", ["pay_fine"]),
    ("Debts make me nervous, even tiny ones.", ["pay_fine"]),
    ("I'd like to owe less before spring begins.", ["pay_fine"]),
    ("That fee has been weighing on me.", ["waive_fine"]),
    ("I hope that you can help me with that fee.", ["waive_fine"]),
    ("I hope that you can be kind about this.", ["waive_fine"]),
    ("I noticed a charge when I looked at my account.", ["waive_fine"]),
    ("It isn't a fortune, but it bothers me.", ["waive_fine"]),
    ("Somebody told me that you can be lenient.", ["waive_fine"]),
    ("I'd be grateful for a bit of goodwill.", ["waive_fine"]),
    ("I can explain how it came about.", ["waive_fine"]),
    ("I'd rather ask politely than grumble in silence.", ["waive_fine"]),
    ("My mother says that one can always ask.", ["waive_fine"]),
    ("The gate turned my card down.", ["reinstate_card"]),
    ("I was told at the counter that I can't use my card.", ["reinstate_card"]),
    ("I got an e-mail saying that my card had been suspended.", ["reinstate_card"]),
    ("My card hasn't worked for a while.", ["reinstate_card"]),
    ("The machine by the entrance beeps at me every time.", ["reinstate_card"]),
    ("I was turned away at the desk.", ["reinstate_card"]),
    ("The self-service terminal flashed red when I tried it.", ["reinstate_card"]),
    ("I've missed the library more than I expected.", ["reinstate_card"]),
    ("I've just looked at the date printed on my card.", ["renew_card"]),
    ("I've just been sorting the cards in my wallet.", ["renew_card"]),
    ("I like to get such formalities out of the way.", ["renew_card"]),
    ("I'd hate to be caught out by a lapsed card.", ["renew_card"]),
    ("I'm making a list of everything that runs out this year.", ["renew_card"]),
    ("My whole family is putting its papers in order.", ["renew_card"]),
    ("I'm minding my niece this weekend, and she loves being read to.", ["checkout_copy"]),
    ("The doctor wants me to rest, and I'd like something gripping for that.", ["checkout_copy"]),
    ("We're camping without electricity, and the evenings will be long.", ["checkout_copy"]),
    ("My commute got longer when the bridge was closed.", ["checkout_copy"]),
    ("A museum guide gave me a hint worth following.", ["checkout_copy", "place_hold"]),
    ("I'm reading my way through our local authors.", ["place_hold"]),
    ("I read an extract in the waiting room at my dentist's.", ["checkout_copy", "place_hold"]),
    ("I've got patience enough for a queue.", ["place_hold"]),
    ("Late evenings leave me too drowsy for more than a paragraph.", ["renew_loan"]),
    ("The twins have measles, and nobody here gets any peace.", ["renew_loan"]),
    ("I copy whole passages by hand, which takes time.", ["renew_loan"]),
    ("Rehearsals for the school play have eaten up my evenings.", ["renew_loan"]),
    ("I only get round to reading on Tuesdays.", ["renew_loan"]),
    ("Spring cleaning has started at our place.", ["return_copy"]),
    ("I'm on my way to you with my backpack.", ["return_copy"]),
    ("I stayed up until three to reach the ending.", ["return_copy"]),
    ("A canoe trip ended upside down, bags included.", ["report_lost"]),
    ("Our allotment shed burnt to the ground.", ["report_lost"]),
    ("My bag stayed behind on the bus, and the depot hasn't got it.", ["report_lost"]),
    ("My godmother surprised me with what I was queuing for.", ["cancel_hold"]),
    ("I've read a summary in the meantime, and I'm no longer curious.", ["cancel_hold"]),
    ("I swapped stamps for a copy with a fellow collector.", ["cancel_hold"]),
    ("Since the ferry timetable changed, I land at another pier.", ["change_pickup"]),
    ("The dance school that I go to has new premises.", ["change_pickup"]),
    ("Snow and ice keep me from crossing the hill.", ["transfer_copy", "change_pickup"]),
    ("I've sprained my knee and avoid long walks.", ["transfer_copy", "change_pickup"]),
    ("I've been saving coins in a jar.", ["pay_fine"]),
    ("I promised my family to take care of such things.", ["pay_fine"]),
    ("A little money has come my way.", ["pay_fine"]),
    ("Whether you say yes or no, thank you for listening.", ["waive_fine"]),
    ("I was startled when I read the amount.", ["waive_fine"]),
    ("My request may be unusual, so bear with me.", ["waive_fine"]),
    ("The printer at your entrance rejects my card.", ["reinstate_card"]),
    ("I stood in front of a locked barrier with a queue behind me.", ["reinstate_card"]),
    ("A sticky note on my fridge reminds me of this.", ["renew_card"]),
    ("I'd like peace of mind for another twelve months.", ["renew_card"]),
    (
        "A lecture at the observatory has left me full of questions.",
        ["checkout_copy", "place_hold"],
    ),
    ("The documentary last night mentioned the author.", ["checkout_copy", "place_hold"]),
    ("Our drama group is looking for new material.", ["checkout_copy", "place_hold"]),
    ("I've signed up for a literature quiz in May.", ["place_hold"]),
    ("The school holidays begin shortly, and I'd like to be prepared.", ["checkout_copy"]),
    ("My tutor recommended some reading for the term.", ["checkout_copy", "place_hold"]),
    ("A migraine kept me away from print for a fortnight.", ["renew_loan"]),
    ("The choir rehearsals before Easter leave me hardly any time.", ["renew_loan"]),
    ("I lent a hand at a farm during lambing, and reading came last.", ["renew_loan"]),
    ("I left my reading at my grandparents' cottage for two weeks.", ["renew_loan"]),
    ("The presentation for which I needed it all is behind me.", ["return_copy"]),
    ("I'm leaving for a long voyage tomorrow.", ["return_copy"]),
    ("Thieves broke into the locker where I kept my satchel.", ["report_lost"]),
    ("A gust at the pier blew my bag into the harbour.", ["report_lost"]),
    ("During the evacuation of our building I had to leave everything behind.", ["report_lost"]),
    ("The parcel in which I sent my things home never turned up.", ["report_lost"]),
    ("My neighbour has emptied our shared basement and thrown my boxes away.", ["report_lost"]),
    ("A classmate has lent me what I needed.", ["cancel_hold"]),
    ("The seminar for which I wanted to read up is cancelled.", ["cancel_hold"]),
    ("My physiotherapist practises in a different district.", ["change_pickup"]),
    ("The footbridge on my way there is closed for repairs.", ["change_pickup", "transfer_copy"]),
    ("A heavy cold keeps me close to home.", ["transfer_copy"]),
    ("I found your reminder among my letters.", ["pay_fine"]),
    ("I'd rather not let such a charge linger.", ["pay_fine"]),
    ("I hesitated for some days before I dared to ask.", ["waive_fine"]),
    ("The librarian at the counter suggested that I ask.", ["waive_fine"]),
    ("I tried to borrow something yesterday and was refused.", ["reinstate_card"]),
    ("A reminder about the expiry has popped up in my calendar.", ["renew_card"]),
    ("I've been round in circles with this already.", ["hand_over"]),
    ("I'm not sure that this is something you can do yourself.", ["hand_over"]),
    ("I'd rather explain this to somebody in person.", ["hand_over"]),
    (
        "My sister and I read to each other at bedtime, and we've been through everything at home.",
        ["checkout_copy"],
    ),
    ("I've broken my ankle, and lying on the sofa gets dull.", ["checkout_copy"]),
    ("My phone is being repaired, so I need something else to do after supper.", ["checkout_copy"]),
    ("I want to spend less time in front of screens.", ["checkout_copy"]),
    ("I've joined a reading challenge, and I'm well behind.", ["checkout_copy"]),
    ("My exams are over, so I can finally enjoy myself again.", ["checkout_copy"]),
    ("We're off to the mountains for a week, and the cabin has no television.", ["checkout_copy"]),
    (
        "We're driving to Scotland on Friday, and I'll need something for the back seat.",
        ["checkout_copy"],
    ),
    ("I've just finished the last thing on my bedside table.", ["checkout_copy"]),
    (
        "I'm spending the weekend on my godparents' farm, where there's no signal.",
        ["checkout_copy"],
    ),
    ("I can't get to sleep without a few pages at night.", ["checkout_copy"]),
    ("My pottery course keeps me supplied with recommendations.", ["checkout_copy", "place_hold"]),
    ("A talk at the town hall has sparked my interest.", ["checkout_copy", "place_hold"]),
    ("My aunt wrote down her favourites for my birthday.", ["checkout_copy", "place_hold"]),
    (
        "I'm broadening my vocabulary, so I try a little of everything.",
        ["checkout_copy", "place_hold"],
    ),
    ("My swimming coach keeps recommending things to read.", ["checkout_copy", "place_hold"]),
    ("I came across an old wish list in one of my notebooks.", ["checkout_copy", "place_hold"]),
    ("Somebody quoted a marvellous passage at dinner last night.", ["checkout_copy", "place_hold"]),
    (
        "I've got to give a presentation in April and am gathering material.",
        ["checkout_copy", "place_hold"],
    ),
    ("An online forum has been full of praise lately.", ["checkout_copy", "place_hold"]),
    (
        "The girl next door has been urging me to give something new a try.",
        ["checkout_copy", "place_hold"],
    ),
    ("There's no deadline on my side.", ["place_hold"]),
    (
        "I'm saving up for a bicycle, so buying new hardbacks is out of the question.",
        ["place_hold"],
    ),
    ("I've got enough beside my bed to keep me going meanwhile.", ["place_hold"]),
    ("My best friend has finished already and is dying to discuss everything.", ["place_hold"]),
    ("Second-hand shops haven't got what I'm looking for.", ["place_hold"]),
    ("My bookcase is too crowded to buy anything new.", ["place_hold"]),
    ("I'm glad to let faster readers go first.", ["place_hold"]),
    ("I had an eye infection and wasn't allowed to read.", ["renew_loan"]),
    ("We only manage a chapter at bedtime, and there are plenty left.", ["renew_loan"]),
    ("My holidays start on Monday, and that's when I'll finally have some peace.", ["renew_loan"]),
    ("The football season has begun, and training takes up my afternoons.", ["renew_loan"]),
    ("I'm still learning English, so I read with a dictionary beside me.", ["renew_loan"]),
    ("My cousins have been staying with us, and I hardly had a quiet minute.", ["renew_loan"]),
    ("I haven't finished my project yet and still need to look things up.", ["renew_loan"]),
    ("I've been decorating my room, and everything was under dust sheets.", ["renew_loan"]),
    ("Piano practice has filled most of my evenings.", ["renew_loan"]),
    ("We've got a new kitten, and it demands all my attention.", ["renew_loan"]),
    ("I was away on a course and forgot to pack my reading.", ["renew_loan"]),
    ("Builders are hammering next door, and I can't concentrate.", ["renew_loan"]),
    ("I broke my wrist, so holding anything heavy is awkward.", ["renew_loan"]),
    ("There was a wedding in the family, and nothing else got done.", ["renew_loan"]),
    ("I want to go through the last part a second time.", ["renew_loan"]),
    ("I'm going abroad for a term and don't want to leave anything lying about.", ["return_copy"]),
    ("I'm clearing my desk before the holidays.", ["return_copy"]),
    ("I'd imagined something different, I'm afraid.", ["return_copy"]),
    ("I've just used the slot for returns outside.", ["return_copy"]),
    ("My brother has just carried my things up to your counter.", ["return_copy"]),
    ("We finished the final chapter at bedtime yesterday.", ["return_copy"]),
    ("My project is handed in, so I've no further use for the material.", ["return_copy"]),
    ("Our holiday is over, and the suitcases are unpacked.", ["return_copy"]),
    ("I need the space on my shelf.", ["return_copy"]),
    ("Before my revision starts I'm getting rid of every distraction.", ["return_copy"]),
    ("I'm at your front desk with a canvas bag over my shoulder.", ["return_copy"]),
    ("I lent my bag to a friend, and she left it in a taxi.", ["report_lost"]),
    ("Somebody walked off with my bag at a café.", ["report_lost"]),
    ("I left my things on a park bench, and they were gone when I came back.", ["report_lost"]),
    ("Our tent collapsed in the storm, and everything inside was soaked.", ["report_lost"]),
    ("My little cousin dropped my backpack into the river.", ["report_lost"]),
    ("We've moved every cupboard and crawled under the beds, without success.", ["report_lost"]),
    ("The airline has given up searching for my luggage.", ["report_lost"]),
    ("The youth hostel where I slept hasn't found anything in the dormitory.", ["report_lost"]),
    ("A tin of varnish tipped over on my desk, and nothing could be cleaned.", ["report_lost"]),
    ("I took the wrong crate to the recycling centre while clearing the loft.", ["report_lost"]),
    ("An old friend from school has posted me her copy.", ["cancel_hold"]),
    ("I've got so much on my plate that I won't get round to reading.", ["cancel_hold"]),
    ("Our discussion group has settled on something else.", ["cancel_hold"]),
    ("I've won a copy in a raffle.", ["cancel_hold"]),
    ("I've switched to another topic for my project.", ["cancel_hold"]),
    ("I'm going travelling and won't be here to collect anything.", ["cancel_hold"]),
    ("My sister has bought herself a copy and will pass it on to me.", ["cancel_hold"]),
    ("The holiday for which I wanted something to read has fallen through.", ["cancel_hold"]),
    ("I've started on a long series and don't want anything else for now.", ["cancel_hold"]),
    ("The critics have been so harsh that I've lost heart.", ["cancel_hold"]),
    ("My orchestra rehearses in a new hall from now on.", ["change_pickup"]),
    ("I've changed to a swimming club at the other end of town.", ["change_pickup"]),
    ("I spend my afternoons at my grandmother's now.", ["change_pickup"]),
    ("A friend who lives near a different branch could fetch things for me.", ["change_pickup"]),
    ("I do my shopping at another market these days.", ["change_pickup"]),
    ("My guitar teacher has moved, and I go there every week.", ["change_pickup"]),
    ("My bus route has been changed.", ["change_pickup", "transfer_copy"]),
    ("My arm is in a sling, so cycling is impossible.", ["change_pickup", "transfer_copy"]),
    (
        "My asthma is bad this spring, so I avoid great distances.",
        ["change_pickup", "transfer_copy"],
    ),
    ("I only get an hour off between lessons.", ["transfer_copy"]),
    ("The last bus home leaves too early for me to get there and back.", ["transfer_copy"]),
    ("My scooter is being mended.", ["transfer_copy"]),
    ("The doctor says that I shouldn't travel far until the stitches are out.", ["transfer_copy"]),
    ("I've sold some old games at the flea market.", ["pay_fine"]),
    ("I'd like to go into the holidays with a clean slate.", ["pay_fine"]),
    ("I've earned something by walking the neighbours' dogs.", ["pay_fine"]),
    ("My grandmother slipped me a banknote yesterday.", ["pay_fine"]),
    ("I found some forgotten cash in a drawer.", ["pay_fine"]),
    ("I skipped the cinema this month so that I could afford this.", ["pay_fine"]),
    ("I'm trying to keep better track of my expenses.", ["pay_fine"]),
    ("I emptied my piggy bank this morning.", ["pay_fine"]),
    ("I wouldn't ask if it didn't matter to me.", ["waive_fine"]),
    ("A friend said that it was worth a try.", ["waive_fine"]),
    ("I'm not in the habit of asking for favours.", ["waive_fine"]),
    ("It would be a weight off my mind.", ["waive_fine"]),
    ("I've been unsure whether to bring this up.", ["waive_fine"]),
    ("I hope that there's some room for understanding.", ["waive_fine"]),
    ("The scanner at the desk refuses my card.", ["reinstate_card"]),
    ("I wanted to print some sheet music and couldn't log in.", ["reinstate_card"]),
    ("The holidays are coming, and I'd like to borrow again.", ["reinstate_card"]),
    ("I couldn't sign in to the catalogue from home.", ["reinstate_card"]),
    ("I miss my quiet afternoons among your shelves.", ["reinstate_card"]),
    ("I use the library too often to be without a card.", ["renew_card"]),
    ("I'm planning to read a lot this summer.", ["renew_card"]),
    ("I've loved this place since I was small.", ["renew_card"]),
    ("I've got my diary open and am checking every date.", ["renew_card"]),
    ("My cousin's card ran out without her noticing.", ["renew_card"]),
    ("I'd be lost without your reading room.", ["renew_card"]),
):
    domain.situation(text, leads_to=tools)

for text, tools in (
    ("A friend has just offered me her own copy.", ["checkout_copy", "place_hold"]),
    ("I see now that I've read that one before.", ["checkout_copy", "place_hold"]),
    ("My bag is too heavy as it is.", ["checkout_copy"]),
    ("The doctor has told me to rest my eyes.", ["checkout_copy", "place_hold"]),
    ("I'm being sent abroad at short notice.", ["checkout_copy", "place_hold"]),
    (
        "I've just found a copy at home, somebody must have bought it.",
        ["checkout_copy", "place_hold"],
    ),
    ("My flatmate has just pulled it off her own shelf.", ["checkout_copy", "place_hold"]),
    ("Somebody has just told me how it ends.", ["checkout_copy", "place_hold"]),
    ("I've looked at the number of pages again, and I'll never manage that.", ["checkout_copy"]),
    ("I'd forgotten how much is piled up beside my bed already.", ["place_hold"]),
    ("My book club has just picked something else.", ["checkout_copy", "place_hold"]),
    ("I'd like to look at that fee again first.", ["pay_fine"]),
    ("I've left my bank card in my other coat.", ["pay_fine"]),
    ("I'd better wait until I have more money.", ["pay_fine"]),
    ("My purse turns out to be emptier than I thought.", ["pay_fine"]),
    ("I'd rather do that in person on Saturday.", ["pay_fine"]),
    ("That's more than I expected, so I'd like to sleep on it.", ["report_lost"]),
    ("I'd like to ask my insurance about that sum first.", ["report_lost"]),
    ("At that price I'd rather wait a few more days.", ["report_lost"]),
    ("I'd like to talk it over with my family before it's final.", ["report_lost"]),
    ("I've waited so long for it, I may as well see it through.", ["cancel_hold"]),
    ("My cousin says that she would like to read it too.", ["cancel_hold"]),
    ("It would be a pity to lose my place after all that time.", ["cancel_hold"]),
    ("I've just read the first lines online, and now I'm curious after all.", ["cancel_hold"]),
    ("If it works only once, I'd rather keep that for another time.", ["waive_fine"]),
    ("It's not that much, I'll simply pay it some day.", ["waive_fine"]),
    ("Thinking about it, I'd feel better paying that myself.", ["waive_fine"]),
    (
        "Our trip has just been called off, so there's no need any more.",
        ["checkout_copy", "place_hold"],
    ),
    (
        "My timetable for the coming weeks has just arrived, and it leaves no time to read.",
        ["checkout_copy", "place_hold"],
    ),
    ("I need that money for a birthday present this week.", ["pay_fine"]),
    ("I'd forgotten that my bus pass has to be bought today.", ["pay_fine"]),
    ("I should keep something back for the weekend.", ["pay_fine"]),
    ("My brother wants to go through every room again first.", ["report_lost"]),
    ("I hadn't expected it to be so expensive.", ["report_lost"]),
    ("I can't spare that much this month.", ["report_lost"]),
    ("I'm afraid that I'd regret it.", ["cancel_hold"]),
    ("I've just seen how enthusiastic other people are, and I'm tempted again.", ["cancel_hold"]),
    ("I'd rather save that for a real emergency.", ["waive_fine"]),
    ("There must be people who need such kindness more than I do.", ["waive_fine"]),
):
    domain.second_thought(text, about=tools)

domain.concern(
    "disputed_fine",
    [
        'The fine for "{loan.copy.book.title}" is wrong, because I brought it back on time.',
        "I don't accept the fee for {loan.copy.book.title}: I had returned it before it was due.",
        "You've charged me {amount} for {loan.copy.book.title}, but it was never late.",
        "There's a mistake on my account, {loan.copy.book.title} was back in good time.",
        "I want to dispute the {amount} for {loan.copy.book.title}, I have a witness for that.",
        "Your receipt proves that I handed in {loan.copy.book.title} punctually, and still I am to "
        "pay {amount}.",
        "I refuse to accept {amount} for {loan.copy.book.title}, as your own stamp shows the day.",
        "Charging me {amount} for {loan.copy.book.title} is unfair, your drop box was jammed "
        "that evening.",
        "{amount} for {loan.copy.book.title} can't be right, for I brought it in before the "
        "weekend.",
    ],
    about=Fine,
    where={"kind": "late", "status": "open"},
    noted='that you dispute the {amount} for "{loan.copy.book.title}"',
)
domain.concern(
    "found_copy",
    [
        'I\'ve found "{copy.book.title}" after all, which you have down as lost.',
        "{copy.book.title} has turned up behind the sofa, and you had recorded it as lost.",
        "The copy of {copy.book.title} that I lost has come to light in the attic.",
        "Good news, I've come across {copy.book.title}, the one that was written off as lost.",
        "We've emptied the garage, and there was {copy.book.title}, which I had reported as gone.",
        "A kind stranger has posted me {copy.book.title}, and I had already told you it was lost.",
    ],
    about=Loan,
    where={"status": "lost"},
    noted='that "{copy.book.title}" has been found',
)
domain.concern(
    "personal_details",
    [
        "I've moved, and the address that you have for me is out of date.",
        "My surname has changed since the wedding, and my card still has the old one.",
        "I have a new e-mail address that you need to put into my record.",
        "My name is misspelt in your records, and I'd like that put right.",
        "I've changed provider, so the e-mail address on my account reaches nobody any more.",
        "I've divorced and gone back to my maiden name, so my account needs updating.",
        "The postcode in my record belongs to the flat that I gave up last year.",
        "Two letters of my surname are swapped in your files, and so they are on every notice.",
        "My old mailbox is being shut down, so please enter another e-mail address for me.",
    ],
    noted="that your record needs a change, for which you'll be asked for the new details",
)
domain.concern(
    "complaint",
    [
        "I want to complain about the way I was spoken to at the counter on Saturday.",
        "One of your staff was rude to my son, and I expect somebody to look into it.",
        "The reading room has been so loud lately that I wish to make a complaint.",
        "Nobody has answered the letters that I wrote to the library, and I'm fed up with it.",
        "The lift has been broken all winter, and my mother in her wheelchair can't get upstairs.",
        "Your heating was off again yesterday, and I'd like somebody in charge to know.",
        "The photocopier swallows coins and prints nothing, and that has been going on since "
        "January.",
        "Somebody keeps smoking below the windows of the children's corner, and nobody intervenes.",
        "I was promised a call about my complaint a fortnight ago, and the phone has stayed "
        "silent.",
        "Your toilets were filthy on Wednesday, and that isn't the first time.",
        "The opening hours on your door differ from those on your web site, and I stood in "
        "the rain.",
    ],
    noted="your complaint, just as you put it, and I'm sorry that you had cause for it",
)
domain.concern(
    "other",
    [
        "I'd like to give you some boxes of crime novels that we no longer need.",
        "Our reading circle would like to use one of your rooms on Thursday evenings.",
        "I think you should buy the new atlas of the coast, and I'd like to propose it.",
        "I left my umbrella in the reading room and wonder whether it was handed in.",
        "I'd like to help with taking books to people who can't leave the house.",
        "Could somebody show my grandfather how to read on a tablet?",
        "My class would love a guided tour before the summer.",
        "I'm looking for old photographs of the harbour for an exhibition.",
        "Our knitting group is searching for a warm corner on Monday mornings.",
        "I'd like to donate my late father's collection of sea charts.",
        "Is there somebody who can authenticate a handwritten diary that I inherited?",
        "I'm a puppeteer and would love to perform for your youngest visitors.",
        "We are shooting a short film and dream of using your old staircase for one scene.",
        "My scarf must have slipped behind a radiator upstairs, a green woollen one.",
    ],
    noted="what you have in mind, in your own words",
)


# Seed data. Members come in kinds that stand at, or one step below, the limits.

BRANCHES = (
    ("Old Customs House", "2 Quayside", "open"),
    ("Saltmarsh", "41 Saltmarsh Road", "open"),
    ("Northgate", "7 Northgate Row", "open"),
    ("Mill Street", "118 Mill Street", "closed"),
    ("Beacon Hill", "30 Beacon Hill", "open"),
    ("Windmill Green", "5 Windmill Green", "open"),
    ("Ropewalk", "63 Long Ropewalk", "open"),
)
# Title, author, genre and editions (p: print, l: large print, a: audio).
WORKS = """
The Ferrywoman's Ledger|Imogen Ashdown|fiction|pl; A Winter in Haapsalu|Mikkel Sorensen|history|p
Otto and the Tall Hat|Fern Dalby|picture|p; The Salt Roads|Esther Boateng|history|pa
The Salt Road|Tomas Quill|fiction|pl; How Ice Remembers|Aiko Mori|science|p
Bear Takes the Bus|Posy Lark|picture|p; Nine Bridges, One River|Lucia Ferrante|fiction|pa
Mending in an Afternoon|Greta Holloway|crafts|p; The Night Tram|Callum Frost|fiction|pa
Bear Builds a Raft|Posy Lark|picture|p; Plague and Parish|Duncan Reid|history|p
The Map Thief's Daughter|Callum Frost|fiction|pl; The Map Thief's Sister|Callum Frost|fiction|p
Ordinary Magnets|Rahul Deshpande|science|p; The Grain Ships|Mikkel Sorensen|history|pla
Knots for Small Boats|Greta Holloway|crafts|p; The Weight of Air|Nils Bergqvist|science|pa
Otto at Sea|Fern Dalby|picture|p; A House on Mercy Street|Helena Voss|fiction|pl
Letters to Wren|Helena Voss|fiction|pla; Counting Sparrows|Petra Lindqvist|science|p
The Canal Builders|Esther Boateng|history|p; Harvest Moon Diner|June Okoro|fiction|pa
Bread Without Hurry|Sunniva Strand|crafts|p; Moth Week|Posy Lark|picture|p
The Last Toll Road|Duncan Reid|history|pl; The Curious Fungus|Petra Lindqvist|science|pa
Quiet Engines|Tomas Quill|fiction|p; The Signal Station|Grant Oyelaran|fiction|pl
The Signalman's Sister|Grant Oyelaran|fiction|pa; Small Harbours, Long Winters|Runa Eide|history|pl
Otto and the Small Hat|Fern Dalby|picture|p; Stars Over Saltmarsh|Runa Eide|science|pa
Dyeing with Onion Skins|Sunniva Strand|crafts|p; The Glass Orchard|Helena Voss|fiction|pla
Copper Country|Hana Svoboda|history|p; Rivers of the North|Hana Svoboda|science|pl
"""
EDITIONS = {"p": ("print", 0), "l": ("large_print", 450), "a": ("audio", 600)}
COPIES = (3, 2, 2, 3, 2)  # of one edition after the other
OUT = (1, 3)  # of five titles after each other, those of which every copy is out
RENEWALS = (0, 1, 0, 2, 1, 0, 0, 1)
# Kind of card, status, days until it expires; in how many days each open loan is due; live holds;
# loans of the past: days late (-1: lost), days since they ended, what became of the fine. In the
# second round of the kinds the first loan, the first of the past and one hold are left out, so that
# who stood at a limit stands below it.
KINDS = (
    (
        ("adult", "active", 200, (-7, 1, 2, 5, 6), 3),
        ((20, 25, "open"), (19, 12, "open"), (6, 16, "paid"), (2, 60, "paid")),
    ),
    (
        ("patron", "active", 31, (-2, 0, 1, 5, 6, 9), 5),
        ((3, 9, "open"), (19, 28, "open"), (-1, 50, "paid"), (10, 26, "part")),
    ),
    (
        ("junior", "active", 120, (-1, 2, 4), 3),
        ((20, 12, "open"), (12, 16, "open"), (7, 10, "open"), (0, 6, "")),
    ),
    (
        ("adult", "suspended", 90, (-3, 2, 5), 2),
        ((8, 15, "open"), (12, 44, "paid"), (3, 80, "paid"), (0, 2, "")),
    ),
    (
        ("adult", "expired", -12, (8, 1, 3, 4), 2),
        ((5, 30, "paid"), (4, 20, "open"), (9, 29, "open"), (0, 4, "")),
    ),
    (
        ("adult", "active", 30, (11, 2, 3, 5), 3),
        ((21, 14, "open"), (15, 20, "open"), (4, 27, "open"), (14, 66, "paid")),
    ),
    (
        ("patron", "active", 20, (-8, 0, 4, 5, 12), 4),
        ((12, 14, "open"), (10, 70, "waived"), (4, 9, "open"), (13, 40, "open")),
    ),
    (
        ("junior", "suspended", 45, (6, 3, 4), 2),
        ((8, 30, "paid"), (2, 52, "paid"), (0, 3, ""), (0, 70, "")),
    ),
    (
        ("patron", "active", 170, (-1, -9, 3, 7), 3),
        ((8, 29, "open"), (7, 28, "open"), (9, 27, "open"), (1, 64, "paid")),
    ),
    (
        ("junior", "active", 88, (0, 3, 5), 2),
        ((1, 3, "open"), (10, 24, "open"), (5, 41, "waived"), (0, 5, "")),
    ),
    (
        ("patron", "active", 260, (-7, 1, 3, 4, 13), 3),
        ((-1, 20, "open"), (2, 18, "open"), (3, 35, "paid"), (0, 1, "")),
    ),
    (
        ("adult", "active", 150, (-8, -1, 2, 10), 4),
        ((1, 4, "open"), (15, 27, "open"), (16, 26, "part"), (0, 7, "")),
    ),
    (
        ("adult", "expired", -40, (-9, -1, 2), 2),
        ((9, 22, "open"), (-1, 30, "open"), (6, 75, "waived"), (0, 6, "")),
    ),
    (
        ("junior", "active", 15, (1, 2, 5, 6), 3),
        ((11, 5, "open"), (12, 6, "open"), (1, 31, "paid"), (0, 8, "")),
    ),
)
FEWEST = 10  # members of a small world: one of each of the first kinds
SPARE = 8  # copies more than are needed, to choose among
NEAR = 60  # elements of a deck among which one of the better sort is looked for


def add_books(w: Seeder, number: int) -> tuple[list[Book], list[Book]]:
    """Editions in the order of WORKS, then further volumes of the same titles; of some titles every
    copy is out."""
    works = [text.split("|") for text in WORKS.strip().replace("\n", "; ").split("; ")]
    books: list[Book] = []
    out: list[Book] = []
    for volume in range(1, number + 1):
        for n, (title, author, genre, editions) in enumerate(works):
            price = w.rng.randrange(900, 3600, 50)
            for edition in editions[: number - len(books)]:
                code = f"97816{(len(books) * 48271 + 1203457) % 10**7:07d}"
                check = -sum(int(digit) * (1, 3)[k % 2] for k, digit in enumerate(code)) % 10
                name = title if volume == 1 else f"{title}, volume {volume}"
                text = {"title": name, "author": author, "genre": genre}
                form = {"format": EDITIONS[edition][0], "price": price + EDITIONS[edition][1]}
                books.append(w.add(Book, isbn=f"{code}{check}", **text, **form))
                out += books[-1:] if n % 5 in OUT else []
    return books, out


def add_members(w: Seeder) -> list[tuple[Member, tuple, int, tuple]]:
    members = []
    for i, person in enumerate(w.people(max(FEWEST, w.scaled(24)))):
        (tier, status, days, due_in, holds), past = KINDS[i % len(KINDS)]
        if i >= len(KINDS):
            due_in, holds, past = due_in[1:], holds - 1, past[1:]
            days += w.rng.randrange(40) if days > 0 else 0
        known = {"name": person.name, "email": person.email, "postcode": person.postcode}
        card = {"tier": tier, "status": status, "card_expires_on": w.day(days, days)}
        members.append((w.add(Member, **known, **card), due_in, holds, past))
    return members


def take(deck: deque, fits, better=None):
    """Take an element that fits, one of the better sort if one is near, turning the deck; None if
    there is none."""
    for wanted in (lambda x: fits(x) and better(x), fits) if better else (fits,):
        for _ in range(len(deck) if wanted is fits else min(NEAR, len(deck))):
            if wanted(deck[0]):
                return deck.popleft()
            deck.rotate(-1)
    return None


def plan_loans(w: Seeder, members, deck: deque, copies: list[Copy], titles: dict) -> list[tuple]:
    """Open loans, many of one person by the same author; then the past: a copy's history is walked
    backwards, so that no loans overlap."""
    plans, since = [], {}
    place, home = {copy.id: n for n, copy in enumerate(copies)}, []

    def plan(member, copy, due_on, spent, fine="", **more) -> None:
        since[copy.id] = borrowed_on = due_on - timedelta(days=spent)
        both = {"member": member, "copy": copy, "borrowed_on": borrowed_on, "due_on": due_on}
        plans.append((both | more, fine))

    for i, (member, due_in, *_) in enumerate(members):
        mine, authors = titles[member.id], {}
        for j, days in enumerate(due_in):
            copy = take(
                deck,
                lambda copy, mine=mine: copy.book.title not in mine,
                lambda copy, authors=authors: copy.book.author in authors,
            )
            copy.status, mine[copy.book.title], authors[copy.book.author] = "on_loan", True, True
            renewals = RENEWALS[(i + 2 * j) % len(RENEWALS)]
            days_each = LOAN_DAYS[member.tier]
            spent = days_each + renewals * w.rng.randint(5, days_each)
            plan(member, copy, w.day(days, days), spent, renewals=renewals)
        home.append(copy.id)
    read: list[dict] = [{} for _ in members]
    ends = [(*end, i) for i, (*_, past) in enumerate(members) for end in past]
    for late, age, fine, i in sorted(ends, key=lambda end: end[0] >= 0):  # lost copies first
        member, ended = members[i][0], w.day(-age, -age)
        if late < 0:
            copy = deck.popleft()
            copy.status = "lost"
            plan(member, copy, ended, LOAN_DAYS[member.tier], fine, status="lost")
            continue
        # A neighbour of a copy at home: another edition, or a title that is much like it.
        at = place[home[i]] + w.rng.randint(1, 6)
        near = (copies[(at + n) % len(copies)] for n in range(len(copies)))
        free = (c for c in near if since.get(c.id, w.today) >= ended)
        copy = next((c for c in free if c.book.title not in read[i]), None)
        if copy is None:
            continue  # every copy was out then, or read by them
        read[i][copy.book.title] = True
        due_on = ended - timedelta(days=late or -w.rng.randint(0, 6))
        more = {"status": "returned", "returned_on": ended}
        plan(member, copy, due_on, LOAN_DAYS[member.tier], fine, **more)
    return sorted(plans, key=lambda plan: plan[0]["borrowed_on"])


def add_loans(w: Seeder, plans: list[tuple]) -> list[Loan]:
    """Loans in the order in which they were made, and fines in the order in which they arose."""
    loans = [w.add(Loan, **values) for values, _ in plans]
    fines = []
    for loan, (_, became) in zip(loans, plans, strict=True):
        if loan.status == "lost":
            day, amount = loan.due_on + timedelta(days=GRACE_DAYS), loan.copy.book.price + LOST_FEE
            fines.append({"kind": "lost", "loan": loan, "raised_on": day, "amount": amount})
        elif became:
            day, amount = loan.returned_on, late_fee(loan.due_on, loan.returned_on)
            fines.append({"kind": "late", "loan": loan, "raised_on": day, "amount": amount})
        if became == "waived":
            fines[-1] |= {"status": "waived", "waiver": w.pick(("illness", "staff_error"))}
        elif became == "paid":
            fines[-1] |= {"status": "paid", "paid": amount}
        elif became == "part":
            fines[-1] |= {"paid": MIN_PART + DAY_FEE}
    for values in sorted(fines, key=lambda values: values["raised_on"]):
        w.add(Fine, member=values["loan"].member, **values)
    return loans


def add_holds(w: Seeder, members, branches, books, queued, ready: list[Copy], loans, titles):
    """Holds of the past, copies on the hold shelf, and queues for books of which no copy is in."""
    plans: list[dict] = []
    slots = [member for member, _, number, _ in members for _ in range(number)]
    w.rng.shuffle(slots)
    waiting = deque(slots)

    def plan(member, book, placed_on, **more) -> None:
        more.setdefault("branch", w.pick(branches))
        plans.append({"member": member, "book": book, "placed_on": placed_on, **more})

    def join(book):
        member = take(waiting, lambda member: book.title not in titles[member.id])
        if member is not None:
            titles[member.id][book.title] = True
        return member

    for loan in [loan for loan in loans if loan.status == "returned"][::4]:
        asked = loan.borrowed_on - timedelta(days=GRACE_DAYS)
        more = {"copy": loan.copy, "ready_until": loan.borrowed_on, "status": "collected"}
        plan(loan.member, loan.copy.book, asked, **more)
    for member, *_ in members[::2]:
        plan(member, w.pick(books), w.day(-70, -30), status="cancelled")
    for copy in ready:
        more = {"copy": copy, "ready_until": w.day(0, 6), "status": "ready", "branch": copy.branch}
        plan(join(copy.book), copy.book, w.day(-40, -26), **more)
    waiting = deque(sorted(waiting, key=lambda member: member.tier != "junior"))
    queues = [queued[0]] * (QUEUE_PAGE + 1) + queued * len(waiting)
    for book in queues[: 2 * len(waiting)]:
        member = join(book)
        if member is not None:
            plan(member, book, w.day(-25, -1))
    for values in sorted(plans, key=lambda values: values["placed_on"]):
        w.add(Hold, **values)


@domain.seed
def seed(w: Seeder) -> None:
    branches = [w.add(Branch, name=n, street=street, status=s) for n, street, s in BRANCHES]
    reached = [branch for branch in branches if branch.status == "open"]
    members = add_members(w)
    on_shelf = w.scaled(7)
    lost = sum(late < 0 for *_, past in members for late, *_ in past)
    needed = sum(len(due_in) for _, due_in, *_ in members) + on_shelf + MAX_INCOMING + lost + SPARE
    books, out = add_books(w, max(w.scaled(60), needed * 5 // 9))
    copies, lent, spare = [], [], []
    all_out = {book.id for book in out}
    for i, book in enumerate(books):
        first, number = w.rng.randrange(len(reached)), COPIES[i % len(COPIES)]
        at = [reached[(first + k) % len(reached)] for k in range(number)]
        few = [w.add(Copy, book=book, branch=branch) for branch in at]
        copies += few
        (lent if book.id in all_out else spare).extend(few if book.id in all_out else few[1:])
    w.rng.shuffle(spare)
    pool = (lent + spare)[:needed]
    w.rng.shuffle(pool)
    deck, titles = deque(pool), {member.id: {} for member, *_ in members}
    for copy in [deck.popleft() for _ in range(MAX_INCOMING)]:
        copy.status, copy.branch = "in_transit", branches[1]
    ready = [deck.popleft() for _ in range(on_shelf)]
    for copy in ready:
        copy.status, copy.branch = "on_hold_shelf", w.pick(reached)
    loans = add_loans(w, plan_loans(w, members, deck, copies, titles))
    gone = sorted((book for book in out if not is_in(book)), key=lambda book: len(book.copies))
    queued = gone[: len(gone) // 2]
    add_holds(w, members, reached, books, queued, ready, loans, titles)
    for i in range(w.scaled(3)):
        reason = ("disputed_fine", "complaint", "personal_details")[i % 3]
        w.add(Handover, member=w.pick(members)[0], reason=reason, at=w.moment(-30, -1))
