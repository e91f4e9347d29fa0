"""Public library lending: the circulation desk of a town library with five branches."""

from collections import deque
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
    version=1,
    category="Community, Culture and Heritage",
    today=datetime(2026, 3, 16, 9, 30),
    role="circulation desk assistant of the Harbour Towns Public Library",
    access="staff",
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
MAX_LOANS = {"junior": 3, "adult": 4, "patron": 6}
MAX_HOLDS = {"junior": 2, "adult": 3, "patron": 4}
MAX_RENEWALS, GRACE_DAYS, PICKUP_DAYS = 2, 7, 7
CARD_DAYS, CARD_WINDOW = 365, 30
MAX_INCOMING, QUEUE_PAGE = 3, 4
DAY_FEE, FEE_CAP, FINE_BLOCK = 25, 1200, 1000
LOST_FEE, WAIVER_CAP, MIN_PART = 500, 500, 200

# Words by which a refusal is recognised, where several rules share them.
LIMIT = ["limit", "maximum", "at most", "as many", "too many", "no more than"]
OWED = ["fine", "fee", "owe", "debt", "balance", "outstanding"]
QUEUE = ["hold", "queue", "reserve", "in line", "waiting list"]
OTHERS = ["someone", "somebody", "another", "other", "reader"]


class Branch(domain.Entity, key="BR-{:02d}", plural="branches", label="the {self.name} branch"):
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
    card_expires_on: Mapped[date] = column(says="expiry date of the card")
    status: Mapped[str] = lifecycle(
        {"active": [], "suspended": ["active"], "expired": ["active"]},
        outside={"active": ["suspended", "expired"]},
    )


class Book(domain.Entity, key=natural("isbn"), label='"{self.title}"'):
    """One edition of a title; its physical items are copies."""

    isbn: Mapped[str] = column(says="ISBN")
    title: Mapped[str]
    author: Mapped[str]
    genre: Mapped[Literal["novel", "history", "science", "crafts", "picture_book"]]
    format: Mapped[Literal["print", "large_print", "audiobook"]]
    price: Mapped[Money] = column(ge=0, says="replacement price")


class Copy(
    domain.Entity,
    key="CP-{:05d}",
    plural="copies",
    label='the copy of "{self.book.title}" at {self.branch.name}',
    shows={"branch_name": "branch.name"},
):
    """One physical item of a book, at the branch where it was last shelved or is being sent."""

    book: Mapped[Book] = ref()
    branch: Mapped[Branch] = ref()
    status: Mapped[str] = lifecycle(
        {
            "available": ["on_loan", "in_transit"],
            "on_loan": ["available", "on_hold_shelf", "lost"],
            "on_hold_shelf": ["on_loan", "available"],
            "in_transit": ["available", "on_hold_shelf"],
        }
    )


class Loan(
    domain.Entity,
    key="LN-{:05d}",
    label='the loan of "{self.copy.book.title}"',
    shows={"title": "copy.book.title", "isbn": "copy.book.isbn"},
):
    """One copy lent to one member."""

    member: Mapped[Member] = ref(owner=True)
    copy: Mapped[Copy] = ref()
    borrowed_on: Mapped[date] = column(says="day it was borrowed")
    due_on: Mapped[date] = column(says="due date")
    returned_on: Mapped[date | None] = column(None, says="day it came back")
    renewals: Mapped[int] = column(0, ge=0, says="number of renewals")
    status: Mapped[str] = lifecycle({"open": ["returned", "lost"]})


class Hold(
    domain.Entity,
    key="HD-{:05d}",
    label='the hold on "{self.book.title}"',
    shows={"title": "book.title", "pickup": "branch.name"},
):
    """A member's place in the queue for a book; queues are served in the order of hold numbers."""

    member: Mapped[Member] = ref(owner=True)
    book: Mapped[Book] = ref()
    branch: Mapped[Branch] = ref()
    copy: Mapped[Copy | None] = ref()
    placed_on: Mapped[date] = column(says="day it was placed")
    ready_until: Mapped[date | None] = column(None, says="last day for pickup")
    status: Mapped[str] = lifecycle(
        {"waiting": ["ready", "cancelled"], "ready": ["collected", "cancelled"]}
    )


class Fine(
    domain.Entity,
    key="FN-{:05d}",
    label='the {self.kind} fine for "{self.loan.copy.book.title}"',
    shows={"title": "loan.copy.book.title"},
):
    """Money that a member owes for a late or a lost copy."""

    member: Mapped[Member] = ref(owner=True)
    loan: Mapped[Loan] = ref()
    kind: Mapped[Literal["late", "lost"]]
    amount: Mapped[Money] = column(ge=0)
    paid: Mapped[Money] = column(0, ge=0, says="amount already paid")
    raised_on: Mapped[date] = column(says="day it was raised")
    waiver: Mapped[Literal["illness", "library_error", "hardship"] | None] = column(None)
    status: Mapped[str] = lifecycle({"open": ["paid", "waived"]})


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


def live_holds(member: Member) -> list[Hold]:
    return [hold for hold in member.holds if hold.status in ("waiting", "ready")]


def owed(member: Member) -> Money:
    return sum(fine.amount - fine.paid for fine in member.fines if fine.status == "open")


def queue(book: Book) -> list[Hold]:
    return [hold for hold in book.holds if hold.status == "waiting"]


def is_in(book: Book) -> bool:
    return any(copy.status == "available" for copy in book.copies)


def incoming(branch: Branch) -> int:
    return sum(copy.status == "in_transit" for copy in branch.copies)


def payments_for(due: Money) -> list[Money]:
    """Amounts that somebody might offer: all of it, half, a round sum, too little, too much."""
    return [due, due // 2 or due, MIN_PART, MIN_PART // 2, due + DAY_FEE]


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
    because=["the card is suspended", "there is a suspension on the account"],
    concepts=[["suspend", "block", "frozen", "deactivate"], ["card", "account", "membership"]],
    remedy="reinstate_card",
)
def card_not_suspended(member: Member) -> bool:
    """A suspended card has to be reinstated before it is used to borrow, renew or queue again."""
    return member.status != "suspended"


@domain.rule(
    governs=["checkout_copy", "renew_loan", "place_hold"],
    because=["the card ran out on {member.card_expires_on}", "the card has expired"],
    concepts=[["expire", "run out", "lapse", "no longer valid"], ["card", "membership"]],
    remedy="renew_card",
)
def card_not_expired(member: Member) -> bool:
    """An expired card has to be renewed before it is used to borrow, renew or queue again."""
    return member.status != "expired"


@domain.rule(
    governs=["checkout_copy"],
    because=["the card has its maximum of loans already", "the card is at its limit of loans"],
    concepts=[["loan", "book", "borrow", "item"], LIMIT],
    remedy="return_copy",
)
def below_loan_limit(member: Member) -> bool:
    """A junior card carries {MAX_LOANS[junior]} open loans at most, an adult card
    {MAX_LOANS[adult]} and a patron card {MAX_LOANS[patron]}."""
    return len(open_loans(member)) < MAX_LOANS[member.tier]


@domain.rule(
    governs=["checkout_copy", "renew_loan"],
    because=["the open fines have reached {FINE_BLOCK:money}", "too much is owed in fines"],
    concepts=[OWED, ["{FINE_BLOCK:money}", "reach", "threshold", "above", "too high", "too much"]],
    remedy="pay_fine",
)
def below_fine_block(member: Member) -> bool:
    """Whoever owes {FINE_BLOCK:money} or more in open fines borrows and renews nothing until
    enough is paid to bring the sum below that amount."""
    return not blocks(owed(member))


@domain.rule(
    governs=["checkout_copy"],
    because=["that copy is set aside for somebody else", "it is reserved for another member"],
    concepts=[["set aside", "reserve", "hold shelf", "put by"], [*OTHERS, "else"]],
)
def copy_free_for(member: Member, copy: Copy) -> bool:
    """A copy on the hold shelf goes only to the member whose hold it was set aside for."""
    return all(hold.member is member for hold in copy.holds if hold.status == "ready")


@domain.rule(
    governs=["renew_loan"],
    because=[
        "it was renewed {loan.renewals} times, the maximum",
        "it was extended as often as it can be",
    ],
    concepts=[["renew", "extend", "longer", "more time"], [*LIMIT, "as often", "used up"]],
)
def renewals_left(loan: Loan) -> bool:
    """A loan is renewed {MAX_RENEWALS} times at most."""
    return loan.renewals < MAX_RENEWALS


@domain.rule(
    governs=["renew_loan"],
    because=["somebody else is waiting for it", "another reader is in the queue for that title"],
    concepts=[[*QUEUE, "wait"], OTHERS],
)
def nobody_waiting(loan: Loan) -> bool:
    """A loan is not renewed while other members wait for the book."""
    return not queue(loan.copy.book)


@domain.rule(
    governs=["renew_loan"],
    because=["it was due on {loan.due_on}, too long ago", "it is over {GRACE_DAYS} days overdue"],
    concepts=[
        ["overdue", "late", "due"],
        ["too long", "too far", "more than", "long ago", "days"],
    ],
)
def not_long_overdue(db, loan: Loan) -> bool:
    """A loan that is more than {GRACE_DAYS} days overdue is not renewed: it has to come back."""
    return not is_long_overdue(loan.due_on, db.today)


@domain.rule(
    governs=["place_hold"],
    because=["the card has as many holds as it may have", "the limit of holds is reached"],
    concepts=[QUEUE, LIMIT],
    remedy="cancel_hold",
)
def below_hold_limit(member: Member) -> bool:
    """A junior card has {MAX_HOLDS[junior]} waiting or ready holds at most, an adult card
    {MAX_HOLDS[adult]} and a patron card {MAX_HOLDS[patron]}."""
    return len(live_holds(member)) < MAX_HOLDS[member.tier]


@domain.rule(
    governs=["place_hold"],
    because=["a copy of it is on the shelf", "a copy is available right now"],
    concepts=[["available", "on the shelf", "in stock", "not out"], ["copy", "shelf", "right now"]],
    remedy="checkout_copy",
)
def nothing_on_shelf(book: Book) -> bool:
    """Holds are for books that are out: while a copy is available at any branch, the member
    borrows that one, or has it sent to a branch that suits them."""
    return not is_in(book)


@domain.rule(
    governs=["place_hold"],
    because=["that book is already on loan to this card", "the member has borrowed it already"],
    concepts=[["on loan", "borrow", "check out", "at home"], ["already", "currently", "have"]],
)
def not_borrowed(member: Member, book: Book) -> bool:
    """Nobody queues for a book that they have on loan themselves."""
    return all(loan.copy.book is not book for loan in open_loans(member))


@domain.rule(
    governs=["place_hold"],
    because=["there is a hold on it already", "the member is in that queue already"],
    concepts=[QUEUE, ["already", "twice", "second time", "existing"]],
)
def not_queued(member: Member, book: Book) -> bool:
    """Nobody stands in the queue for the same book twice."""
    return all(hold.book is not book for hold in live_holds(member))


@domain.rule(
    governs=["pay_fine"],
    because=["that payment is more than what is left on the fine"],
    concepts=[["payment", "amount"], ["more than", "exceed", "too much", "higher", "left"]],
)
def within_open_amount(fine: Fine, amount: Money) -> bool:
    """A payment is never more than what is still open on the fine."""
    return amount <= fine.amount - fine.paid


@domain.rule(
    governs=["waive_fine"],
    parts=[
        part(
            "late_kind",
            lambda fine: fine.kind == "late",
            because=["the charge for a lost copy is never waived"],
            concepts=[["lost", "replacement"], ["waive", "waiver", "late", "drop"]],
        ),
        part(
            "small_enough",
            lambda fine: fine.amount <= WAIVER_CAP,
            because=[
                "only fines up to {WAIVER_CAP:money} are waived",
                "the fine is too large to be waived",
            ],
            concepts=[
                ["waive", "waiver", "drop"],
                ["{WAIVER_CAP:money}", "more than", "above", "too large", "too high"],
            ],
        ),
        part(
            "nothing_paid",
            lambda fine: fine.paid == 0,
            because=["part of it has been paid already"],
            concepts=[["payment"], ["part", "partly", "partial", "already", "some of"]],
        ),
    ],
)
def waivable(fine: Fine) -> bool:
    """Only a late fine of {WAIVER_CAP:money} or less, on which nothing has been paid, is waived;
    the charge for a lost copy never is."""
    return fine.kind == "late" and fine.amount <= WAIVER_CAP and fine.paid == 0


@domain.rule(
    governs=["reinstate_card"],
    because=["there are fines that have to be settled first", "the account still owes money"],
    concepts=[OWED, ["settle", "clear", "first", "still", "nothing", "everything"]],
    remedy="pay_fine",
)
def owes_nothing(member: Member) -> bool:
    """A suspended card is reinstated once nothing at all is owed on it."""
    return owed(member) == 0


@domain.rule(
    governs=["renew_card"],
    because=["the card is valid until {member.card_expires_on}", "it is too early for this card"],
    concepts=[
        ["early", "too soon", "valid until", "still valid", "last"],
        ["card", "membership", "expire"],
    ],
)
def card_near_expiry(db, member: Member) -> bool:
    """A card is renewed in the last {CARD_WINDOW} days before it expires, or after that."""
    return is_renewable(member.card_expires_on, db.today)


@domain.rule(
    governs=["transfer_copy"],
    because=[
        "the van is full: {MAX_INCOMING} copies are on their way",
        "the limit of copies in transit is reached",
    ],
    concepts=[["van", "transfer", "on the way", "on their way", "in transit"], [*LIMIT, "full"]],
    remedy="receive_copy",
)
def room_in_van(branch: Branch) -> bool:
    """The van has at most {MAX_INCOMING} copies in transit to one branch; a further one waits
    until one of those has been received there."""
    return incoming(branch) < MAX_INCOMING


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
    ],
    concepts=[
        ["account", "card", "record"],
        ["identify", "verify", "holder", "someone else", "own"],
    ],
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
    because=["I need you to confirm it first", "I need a clear yes before I do that"],
    concepts=[["confirm", "agree", "yes", "go-ahead"], ["first", "before", "need", "without"]],
)
def confirmed(log: Log) -> bool:
    """Before a step that costs money, gives something up or cannot be undone, tell the member
    exactly what you are going to do, with the title and the amount, and wait for a clear yes."""
    return log.confirmed()


@domain.rule(
    by="agent",
    governs=["waive_fine"],
    because=["a fine was waived for this member before", "there is only one waiver each"],
    concepts=[["waive", "waiver", "goodwill"], ["once", "one", "already", "before", "earlier"]],
)
def one_waiver(fine: Fine) -> bool:
    """Each member gets one waiver, ever: look through all their fines, not only the open ones."""
    return all(other.status != "waived" for other in fine.member.fines)


@domain.rule(
    by="agent",
    governs=["place_hold", "change_pickup", "transfer_copy"],
    because=["the {branch.name} branch is closed at the moment", "that branch isn't open"],
    concepts=[["branch", "library", "location"], ["close", "shut", "isn't open", "not open"]],
)
def branch_open(branch: Branch) -> bool:
    """Nothing is sent to, or set aside at, a branch that is closed: check its status first."""
    return branch.status == "open"


@domain.rule(
    by="agent",
    governs=["pay_fine"],
    because=["part payments start at {MIN_PART:money}", "that is too small for a part payment"],
    concepts=[
        ["payment", "part"],
        ["{MIN_PART:money}", "minimum", "at least", "below", "too small"],
    ],
)
def large_enough_part(fine: Fine, amount: Money) -> bool:
    """A part payment is {MIN_PART:money} or more; a smaller amount is taken only where it clears
    the fine."""
    return is_taken(amount, fine.amount - fine.paid)


@domain.rule(
    by="agent",
    governs=["checkout_copy"],
    because=[
        "a copy of that title is on the card already",
        "that would be a second copy of the title",
    ],
    concepts=[["copy", "title", "edition"], ["already", "second", "twice", "duplicate"]],
)
def no_second_copy(member: Member, copy: Copy) -> bool:
    """Nobody takes a second copy of a title that they have on loan, in whatever edition."""
    return all(loan.copy.book.title != copy.book.title for loan in open_loans(member))


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
    return hold.status != "collected" or any(loan.member is hold.member for loan in hold.copy.loans)


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
domain.reads(Copy, list_of="branch", filters=["status"])
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

    replacement: Money
    processing: Money
    total: Money


class QueuePlace(TypedDict):
    """Where a hold stands in its queue."""

    ahead: int
    copies: int


@domain.read(
    requires=[identified],
    tells={
        "owed": [
            "how much I owe in open fines altogether",
            "what is still to be paid on my account in all",
        ],
        "loan_limit": ["how many books I may have on loan at the same time"],
        "hold_limit": ["how many holds I may have at once"],
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
            "what I would have to pay if {loan.copy.book} were lost",
            "how much it would cost me in all to report {loan.copy.book} as lost",
        ],
        "replacement": ["what it costs to replace {loan.copy.book}"],
    },
)
def quote_loss(db, loan: Loan) -> LossQuote:
    """What the member would owe if they reported this loan as lost."""
    price = loan.copy.book.price
    return {"replacement": price, "processing": LOST_FEE, "total": loss_charge(price)}


@domain.read(
    requires=[identified.on("hold.member")],
    tells={
        "ahead": ["how many people are ahead of me in the queue for {hold.book}"],
        "copies": ["how many copies there are of {hold.book}, which I have on hold"],
    },
)
def place_in_queue(db, hold: Hold) -> QueuePlace:
    """How many members are ahead of a waiting hold, and how many copies the library has."""
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
        identified,
    ],
    changes=[
        moves("copy", ["available", "on_hold_shelf"], to="on_loan"),
        moves("copy.holds", "ready", to="collected"),
        creates(Loan),
    ],
    ask=["borrow {copy}", "check out {copy}", "take {copy} home"],
    outcome=outcome(quotes=["due_on"], mood="good"),
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
    ask=["return {loan.copy.book}", "hand {loan.copy.book} back in", "bring {loan.copy.book} back"],
    outcome=outcome(quotes=["late_fee"], mood="neutral"),
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
    ],
    changes=[stays("loan", "open"), sets("loan", Loan.due_on, Loan.renewals)],
    ask=["renew {loan}", "extend {loan}", "keep {loan.copy.book} a while longer"],
    outcome=outcome(quotes=["due_on", "renewals"], mood="good"),
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
    ask=["report {loan.copy.book} as lost", "have {loan.copy.book} recorded as lost"],
    outcome=outcome(quotes=["amount"], mood="bad", irreversible=True),
)
def report_lost(db, loan: Loan) -> Fine:
    """Record a borrowed copy as lost. The member owes the replacement price of the book and a
    processing fee of {LOST_FEE:money}, also where the loan is not overdue yet; quote the sum before
    they confirm. This cannot be taken back at the desk."""
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
        identified,
    ],
    changes=[creates(Hold)],
    ask=[
        "put a hold on {book} for pickup at {branch}",
        "reserve {book} and collect it at {branch}",
        "join the queue for {book}, to be picked up at {branch}",
    ],
    outcome=outcome(quotes=["pickup"], mood="good"),
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
    ask=["cancel {hold}", "drop {hold}", "take me off the queue for {hold.book}"],
    outcome=outcome(mood="neutral", irreversible=True),
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
    requires=[branch_open, identified.on("hold.member")],
    changes=[stays("hold", "waiting"), sets("hold", Hold.branch)],
    errors={"same_branch": "The hold is to be picked up at that branch already."},
    ask=["pick up {hold.book} at {branch} instead", "move the pickup of {hold.book} to {branch}"],
    outcome=outcome(quotes=["pickup"], mood="good"),
)
def change_pickup(db, hold: Hold, branch: Branch) -> Hold:
    """Change the branch where a waiting hold will be picked up; the place in the queue stays as it
    is. Once a copy has been set aside, its branch cannot be changed any more."""
    if hold.branch is branch:
        raise ToolError("same_branch")
    hold.branch = branch
    return hold


@domain.write(
    requires=[within_open_amount, large_enough_part, confirmed, identified.on("fine.member")],
    changes=[moves("fine", "open", to=["open", "paid"]), sets("fine", Fine.paid)],
    ask=["pay {amount} towards {fine}", "put {amount} on {fine}", "settle {amount} of {fine}"],
    outcome=outcome(quotes=["amount", "paid", "status"], mood="good", irreversible=True),
)
def pay_fine(
    db,
    fine: Fine,
    amount: Annotated[
        Money, Field(ge=1), drawn(lambda db, fine: payments_for(fine.amount - fine.paid))
    ],
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
    requires=[waivable, one_waiver, confirmed, identified.on("fine.member")],
    changes=[moves("fine", "open", to="waived"), sets("fine", Fine.waiver)],
    ask=["have {fine} waived because of {reason}", "get {fine} dropped for {reason}"],
    outcome=outcome(quotes=["amount"], mood="good", irreversible=True),
)
def waive_fine(db, fine: Fine, reason: Literal["illness", "library_error", "hardship"]) -> Fine:
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
    ask=["have my card reinstated", "get my card working again", "lift the suspension of my card"],
    outcome=outcome(quotes=["status"], mood="good"),
)
def reinstate_card(db, member: Member) -> Member:
    """Lift the suspension of a card."""
    member.status = "active"
    return member


@domain.write(
    requires=[card_near_expiry, identified],
    changes=[
        moves("member", ["active", "expired"], to="active"),
        sets("member", Member.card_expires_on),
    ],
    ask=["renew my library card", "have my card extended for another year"],
    outcome=outcome(quotes=["card_expires_on"], mood="good"),
)
def renew_card(db, member: Member) -> Member:
    """Renew a card for {CARD_DAYS} days, which count from its expiry date, or from today if it has
    expired. A suspended card is reinstated first."""
    member.status = "active"
    member.card_expires_on = expiry_after(member.card_expires_on, db.today)
    return member


@domain.write(
    requires=[room_in_van, branch_open],
    changes=[moves("copy", "available", to="in_transit"), sets("copy", Copy.branch)],
    errors={"same_branch": "The copy stands at that branch already."},
    ask=["have {copy} sent to {branch}", "get {copy} moved to {branch}"],
    outcome=outcome(quotes=["branch_name"], mood="good"),
)
def transfer_copy(db, copy: Copy, branch: Branch) -> Copy:
    """Send an available copy to another branch with the van. It cannot be borrowed until it has
    been received there."""
    if copy.branch is branch:
        raise ToolError("same_branch")
    copy.status, copy.branch = "in_transit", branch
    return copy


@domain.write(
    changes=[
        moves("copy", "in_transit", to=["available", "on_hold_shelf"]),
        *next_in_queue("copy"),
    ],
    ask=["book in {copy} from the van", "check in {copy}, which the van has brought"],
    outcome=outcome(quotes=["status"], mood="good"),
)
def receive_copy(db, copy: Copy) -> Copy:
    """Book in a copy that the van has brought. It goes to the first member in the queue for the
    book, or on the open shelf of the branch."""
    shelve(db, copy)
    return copy


@domain.write(
    requires=[identified],
    changes=[creates(Handover)],
    handover=True,
    ask=["speak to a librarian about {reason}", "have a librarian look into {reason}"],
    outcome=outcome(mood="neutral"),
)
def hand_over(
    db,
    member: Member,
    reason: Literal["disputed_fine", "personal_details", "found_copy", "complaint", "other"],
) -> Handover:
    """Hand the conversation over to a librarian: when a member says that a fine is wrong, wants a
    name, address or e-mail changed, has found a copy that was recorded as lost, or complains about
    the library; and for what none of the tools can do. A request that a rule forbids is refused,
    with the rule, and not handed over.

    Args:
        reason: What the librarian is needed for
    """
    return db.create(Handover, member=member, reason=reason, at=db.now)


domain.situation(
    "I'm going away on Friday, for three weeks.", leads_to=["renew_loan", "return_copy"]
)
domain.situation("My book club starts on a new one.", leads_to=["checkout_copy", "place_hold"])
domain.situation(
    "A letter came about an old fee.", leads_to=["pay_fine", "waive_fine", "hand_over"]
)
domain.situation(
    "The gate turned my card down.", leads_to=["reinstate_card", "renew_card", "pay_fine"]
)
domain.situation("We've moved across town.", leads_to=["change_pickup", "transfer_copy"])
domain.situation("I've searched the whole flat for it.", leads_to=["quote_loss", "report_lost"])
domain.situation("A friend has lent me her copy.", leads_to=["cancel_hold", "return_copy"])


# Seed data. Members come in kinds that stand at, or one step below, the limits.

BRANCHES = (
    ("Old Customs House", "2 Quayside", "open"),
    ("Saltmarsh", "41 Saltmarsh Road", "open"),
    ("Northgate", "7 Northgate Row", "open"),
    ("Mill Street", "118 Mill Street", "closed"),
    ("Beacon Hill", "30 Beacon Hill", "open"),
)
# Title, author, genre and editions (p: print, l: large print, a: audiobook).
WORKS = """
The Ferrywoman's Ledger|Imogen Ashdown|novel|pl; A Winter in Haapsalu|Mikkel Sorensen|history|p
Otto and the Tall Hat|Fern Dalby|picture_book|p; The Salt Roads|Esther Boateng|history|pa
The Salt Road|Tomas Quill|novel|pl; How Ice Remembers|Aiko Mori|science|p
Bear Takes the Bus|Posy Lark|picture_book|p; Nine Bridges, One River|Lucia Ferrante|novel|pa
Mending in an Afternoon|Greta Holloway|crafts|p; The Night Tram|Callum Frost|novel|pa
Bear Builds a Raft|Posy Lark|picture_book|p; Plague and Parish|Duncan Reid|history|p
The Map Thief's Daughter|Callum Frost|novel|pl; The Map Thief's Sister|Callum Frost|novel|p
Ordinary Magnets|Rahul Deshpande|science|p; The Grain Ships|Mikkel Sorensen|history|pla
Knots for Small Boats|Greta Holloway|crafts|p; The Weight of Air|Nils Bergqvist|science|pa
Otto at Sea|Fern Dalby|picture_book|p; A House on Mercy Street|Helena Voss|novel|pl
Letters to Wren|Helena Voss|novel|pla; Counting Sparrows|Petra Lindqvist|science|p
The Canal Builders|Esther Boateng|history|p; Harvest Moon Diner|June Okoro|novel|pa
Bread Without Hurry|Sunniva Strand|crafts|p; Moth Week|Posy Lark|picture_book|p
The Last Toll Road|Duncan Reid|history|pl; The Curious Fungus|Petra Lindqvist|science|pa
Quiet Engines|Tomas Quill|novel|p; The Signal Station|Grant Oyelaran|novel|pl
The Signalman's Sister|Grant Oyelaran|novel|pa; Small Harbours, Long Winters|Runa Eide|history|pl
Otto and the Small Hat|Fern Dalby|picture_book|p; Stars Over Saltmarsh|Runa Eide|science|pa
Dyeing with Onion Skins|Sunniva Strand|crafts|p; The Glass Orchard|Helena Voss|novel|pla
Copper Country|Hana Svoboda|history|p; Rivers of the North|Hana Svoboda|science|pl
"""
EDITIONS = {"p": ("print", 0), "l": ("large_print", 450), "a": ("audiobook", 600)}
COPIES = (
    3,
    2,
    1,
    4,
    2,
)  # of one edition after the other; all copies of every third and fifth are out
DUE_IN_DAYS = (-8, -7, 11, 2, 3, 0, 13, 1, -3, 9, 10)
RENEWALS = (0, 2, 1, 0, 1, 2, 0)
# Kind of card, status, days until it expires, open loans, live holds; then the loans of the past:
# days late (-1: lost) and what became of the fine.
KINDS = (
    ("adult", "active", 200, 3, 2, ((20, "open"), (2, "paid"))),
    ("patron", "active", 31, 6, 3, ((3, "open"), (10, "part"), (-1, "paid"))),
    ("junior", "active", 120, 2, 2, ((39, "open"), (0, ""))),
    ("adult", "suspended", 90, 1, 1, ((21, "open"), (12, "paid"))),
    ("adult", "expired", -12, 1, 0, ((5, "paid"), (0, ""))),
    ("adult", "active", 30, 2, 2, ((40, "open"), (14, "paid"))),
    ("patron", "active", 300, 2, 4, ((10, "waived"), (12, "open"), (4, "open"))),
    ("junior", "suspended", 45, 1, 1, ((8, "paid"), (0, ""))),
    ("patron", "active", 260, 4, 1, ((-1, "part"), (2, "paid"))),
    ("adult", "active", 150, 2, 1, ((1, "open"), (0, ""))),
)
FEWEST = 8  # members of a small world: one of each of the first kinds


def add_books(w: Seeder, number: int) -> list[Book]:
    """Editions in the order of WORKS, then further volumes of the same titles."""
    works = [text.split("|") for text in WORKS.strip().replace("\n", "; ").split("; ")]
    books: list[Book] = []
    for volume in range(1, number + 1):
        for title, author, genre, editions in works:
            price = w.rng.randrange(900, 3600, 50)
            for edition in editions[: number - len(books)]:
                code = f"97816{(len(books) * 48271 + 1203457) % 10**7:07d}"
                check = -sum(int(digit) * (1, 3)[k % 2] for k, digit in enumerate(code)) % 10
                name = title if volume == 1 else f"{title}, volume {volume}"
                text = {"title": name, "author": author, "genre": genre}
                form = {"format": EDITIONS[edition][0], "price": price + EDITIONS[edition][1]}
                books.append(w.add(Book, isbn=f"{code}{check}", **text, **form))
    return books


def add_members(w: Seeder) -> list[tuple[Member, tuple]]:
    members = []
    for i, person in enumerate(w.people(max(FEWEST, w.scaled(28)))):
        kind = KINDS[i % len(KINDS)]
        days = kind[2] + (w.rng.randrange(40) if i >= len(KINDS) and kind[2] > 0 else 0)
        known = {"name": person.name, "email": person.email, "postcode": person.postcode}
        card = {"tier": kind[0], "status": kind[1], "card_expires_on": w.day(days, days)}
        members.append((w.add(Member, **known, **card), kind))
    return members


def take(deck: deque, fits):
    """Take the first element that fits, turning the deck; None if there is none."""
    for _ in range(len(deck)):
        if fits(deck[0]):
            return deck.popleft()
        deck.rotate(-1)
    return None


def plan_loans(w: Seeder, members, deck: deque, copies: list[Copy], titles: dict) -> list[tuple]:
    """Open loans, then the past: a copy's history is walked backwards, so that no loans overlap."""
    plans, since, at_least = [], {}, 5 if len(members) > FEWEST else 3
    place, home = {copy.id: n for n, copy in enumerate(copies)}, []

    def plan(member, copy, due_on, spent, fine="", **more) -> None:
        since[copy.id] = borrowed_on = due_on - timedelta(days=spent)
        both = {"member": member, "copy": copy, "borrowed_on": borrowed_on, "due_on": due_on}
        plans.append((both | more, fine))

    for i, (member, (tier, _, _, number, _, _)) in enumerate(members):
        mine = titles[member.id]
        for j in range(number):
            copy = take(deck, lambda copy, mine=mine: copy.book.title not in mine)
            copy.status, mine[copy.book.title] = "on_loan", True
            renewals = RENEWALS[(i + 2 * j) % len(RENEWALS)]
            due_on = w.today + timedelta(days=DUE_IN_DAYS[(3 * i + j) % len(DUE_IN_DAYS)])
            spent = LOAN_DAYS[tier] + renewals * w.rng.randint(5, LOAN_DAYS[tier])
            plan(member, copy, due_on, spent, renewals=renewals)
        home.append(copy.id)
    for i, (member, (tier, _, _, number, _, past)) in enumerate(members):
        for late, fine in past + ((0, ""),) * (at_least - number - len(past)):
            if late < 0:
                copy = deck.popleft()
                copy.status = "lost"
                plan(member, copy, w.day(-60, -20), LOAN_DAYS[tier], fine, status="lost")
                continue
            # A neighbour of a copy at home: another edition, or a title that is much like it.
            copy = copies[(place[home[i]] + w.rng.randint(1, 6)) % len(copies)]
            back = since.get(copy.id, w.today) - timedelta(days=w.rng.randint(1, 20))
            drift = w.rng.randint(-1, 1) if i >= len(KINDS) and late > 1 else 0
            due_on = back - timedelta(days=late + drift if late else -w.rng.randint(0, 6))
            plan(member, copy, due_on, LOAN_DAYS[tier], fine, status="returned", returned_on=back)
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
            fines[-1] |= {"status": "waived", "waiver": "library_error"}
        elif became == "paid":
            fines[-1] |= {"status": "paid", "paid": amount}
        elif became == "part":
            fines[-1] |= {"paid": MIN_PART}
    for values in sorted(fines, key=lambda values: values["raised_on"]):
        w.add(Fine, member=values["loan"].member, **values)
    return loans


def add_holds(w: Seeder, members, branches, books, ready: list[Copy], loans, titles: dict) -> None:
    """Holds of the past, copies on the hold shelf, and queues for books of which no copy is in."""
    plans: list[dict] = []
    slots = [member for member, kind in members for _ in range(kind[4])]
    w.rng.shuffle(slots)
    waiting = deque(sorted(slots, key=lambda member: member.tier != "junior"))

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
    for member, _ in members[::3]:
        plan(member, w.pick(books), w.day(-70, -30), status="cancelled")
    for copy in ready:
        copy.status, copy.branch = "on_hold_shelf", w.pick(branches)
        more = {"copy": copy, "ready_until": w.day(0, 6), "status": "ready", "branch": copy.branch}
        plan(join(copy.book), copy.book, w.day(-40, -26), **more)
    out = [book for book in books if not is_in(book)]
    queues = [out[0]] * (QUEUE_PAGE + 1) + out[1::2] * len(KINDS)
    for book in queues[: len(waiting) + len(out)]:
        member = join(book)
        if member is not None:
            plan(member, book, w.day(-25, -1))
    for values in sorted(plans, key=lambda values: values["placed_on"]):
        w.add(Hold, **values)


@domain.seed
def seed(w: Seeder) -> None:
    branches = [w.add(Branch, name=n, street=street, status=s) for n, street, s in BRANCHES]
    books = add_books(w, max(15, w.scaled(60)))
    copies, lent, spare = [], [], []
    for i, book in enumerate(books):
        few = [w.add(Copy, book=book, branch=w.pick(branches)) for _ in range(COPIES[i % 5])]
        copies += few
        (lent if i % 5 in (2, 4) else spare).extend(few if i % 5 in (2, 4) else few[1:])
    members = add_members(w)
    on_shelf = w.scaled(6)
    lost = sum(late < 0 for _, kind in members for late, _ in kind[5])
    needed = sum(kind[3] for _, kind in members) + on_shelf + MAX_INCOMING + lost
    w.rng.shuffle(spare)
    pool = (lent + spare)[:needed]
    w.rng.shuffle(pool)
    deck, titles = deque(pool), {member.id: {} for member, _ in members}
    for copy in [deck.popleft() for _ in range(MAX_INCOMING)]:
        copy.status, copy.branch = "in_transit", branches[1]
    ready = [deck.popleft() for _ in range(on_shelf)]
    loans = add_loans(w, plan_loans(w, members, deck, copies, titles))
    add_holds(w, members, [b for b in branches if b.status == "open"], books, ready, loans, titles)
    for i in range(w.scaled(3)):
        reason = ("disputed_fine", "complaint", "personal_details")[i % 3]
        w.add(Handover, member=w.pick(members)[0], reason=reason, at=w.moment(-30, -1))
