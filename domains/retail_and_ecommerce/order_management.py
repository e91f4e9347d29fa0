"""The order desk of a web shop: order lines, balances, coupons, returns, exchanges and refunds."""

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
    counted,
    creates,
    deletes,
    drawn,
    hashed,
    lifecycle,
    moves,
    natural,
    outcome,
    part,
    ref,
    sets,
    stays,
)

domain = Domain(
    "order_management",
    version=1,
    category="Retail and E-commerce",
    today=datetime(2026, 5, 12, 10, 15),
    role="order desk agent of Alder & Pine, a web shop for outdoor and household goods",
    access="staff",
    intro="""
You answer customers who have bought at Alder & Pine. You change what is still pending, collect what
is owed on it, send it to the warehouse, cancel it while that is possible, and afterwards arrange
returns, exchanges, price matches and refunds. You do not take new orders, open accounts, add
payment methods or addresses, or promise delivery dates: the carrier's expected date is the only one
you may quote.

Serve one customer in a conversation, and quote amounts to the cent, as the tools give them. Before
you take money, or do something that is meant to open the way for something else, check every other
condition of what the customer is really after. When a request breaks one of the rules below, name
that rule and, where there is one, the step that would remove the obstacle; do not look for a detour
around it, and do not hand the customer over for that reason alone.
""",
    dialect=Dialect(
        keys="snake",
        envelope="data",
        paging="offset",
        money="decimal",
        dates="us",
        errors={"not_found": "There is no {entity} {id} on our books."},
        verbs={
            "get": "get_{entity}_details",
            "list": "list_{owner}_{entities}",
            "search": "search_{entities}",
            "find": "look_up_{entity}_by_{column}",
        },
    ),
)

PERCENT = ONE_DOLLAR = 100
RETURN_DAYS = {"basic": 30, "silver": 45, "gold": 60}
RESTOCKING_PERCENT = {
    "footwear": 0,
    "outerwear": 0,
    "electronics": 15,
    "kitchen": 10,
    "personal_care": 0,
}
LABEL_FEE = {"basic": 695, "silver": 395, "gold": 0}
MAX_UNITS = {"footwear": 4, "outerwear": 4, "electronics": 2, "kitchen": 6, "personal_care": 6}
GOODWILL_MAX = {"basic": 1000, "silver": 2000, "gold": 3000}
SHIPPING_FEE, FREE_SHIPPING = 595, 7500
GIFT_CARD_LIMIT, HIGH_VALUE = 50000, 25000
CANCEL_HOURS, PRICE_MATCH_DAYS = 12, 14
FINAL_SALE = "personal_care"
OUR_FAULT = ("damage", "wrong_item")

Category = Literal["footwear", "outerwear", "electronics", "kitchen", "personal_care"]
Reason = Literal["change_of_mind", "wrong_size", "damage", "wrong_item"]


class Customer(
    domain.Entity,
    key=counted("C-{:06d}", start=204881, step=23),
    identity=True,
    label="{self.name}",
):
    """A person with an account at the shop. The loyalty tier (basic, silver or gold) decides how
    long goods may be sent back, what a return label costs and how large a goodwill credit may be.
    """

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    phone: Mapped[str] = column(says="phone number")
    postcode: Mapped[str]
    tier: Mapped[Literal["basic", "silver", "gold"]] = column(says="loyalty tier")
    joined_on: Mapped[date] = column(says="customer since")


class Address(
    domain.Entity,
    key=counted("AD{:05d}", start=30210, step=7),
    label="the {self.nickname} address in {self.city}",
    plural="addresses",
):
    """An entry of a customer's address book. The home address is the one cards are billed to. An
    address counts as deliverable once the carrier has recognised it; new entries start without.
    """

    customer: Mapped[Customer] = ref(owner=True)
    nickname: Mapped[Literal["home", "work", "parents", "cabin"]] = column(says="address")
    street: Mapped[str]
    city: Mapped[str]
    postcode: Mapped[str]
    deliverable: Mapped[bool]


class PaymentMethod(
    domain.Entity, key=hashed("pm_", 10), label="the {self.brand} ending in {self.last_four}"
):
    """A card or a gift card in a customer's wallet. Cards have an expiry date, gift cards have a
    balance. Store credit is always kept as gift card balance.
    """

    customer: Mapped[Customer] = ref(owner=True)
    kind: Mapped[Literal["card", "gift_card"]]
    brand: Mapped[Literal["Visa", "Mastercard", "Amex", "gift card"]]
    last_four: Mapped[str] = column(says="last four digits")
    expires_on: Mapped[date | None] = column(None, says="expiry date")
    balance: Mapped[Money | None] = column(None, ge=0)


class Product(domain.Entity, key=counted("P{:04d}", start=1180, step=9), label="the {self.title}"):
    """An article of the catalogue. It is bought as one of its variants."""

    title: Mapped[str]
    category: Mapped[Category]


class Variant(
    domain.Entity,
    key=natural("sku"),
    label="the {self.product.title} in {self.color}, {self.size}",
    shows={"title": "product.title", "category": "product.category"},
):
    """One colour and size of a product, with today's price and the units free to sell."""

    sku: Mapped[str]
    product: Mapped[Product] = ref()
    color: Mapped[str]
    size: Mapped[str]
    price: Mapped[Money] = column(ge=0)
    stock: Mapped[int] = column(ge=0, says="units in stock")


class Coupon(domain.Entity, key=natural("code"), label="the coupon {self.code}"):
    """A discount code: a percentage off the goods, from a minimum value of goods, up to and
    including its last day. Bundle coupons reward buying a set and bind its lines together.
    """

    code: Mapped[str]
    percent: Mapped[int] = column(ge=1)
    minimum: Mapped[Money] = column(ge=0, says="minimum value of goods")
    last_day: Mapped[date]
    bundle: Mapped[bool] = column(says="bundle coupon")


class Order(
    domain.Entity,
    key=counted("#W{:07d}", start=5490111, step=13),
    label="order {self.order_id}",
    shows={"address": "address.nickname", "city": "address.city"},
):
    """What a customer bought in one go. The total is the value of its lines less the discount plus
    the shipping fee; paid is what the customer has paid towards it so far, net of refunds. A
    pending order is still with the desk, a processing one with the warehouse, a shipped one with
    the carrier. A hold keeps a pending order at the desk until its reason is settled.
    """

    customer: Mapped[Customer] = ref(owner=True)
    payment_method: Mapped[PaymentMethod] = ref()
    address: Mapped[Address] = ref()
    coupon: Mapped[Coupon | None] = ref()
    placed_at: Mapped[datetime] = column(says="order date")
    released_at: Mapped[datetime | None] = column(None, volatile=True)
    delivered_on: Mapped[date | None] = column(None, says="delivery date")
    cancelled_at: Mapped[datetime | None] = column(None, volatile=True)
    hold: Mapped[Literal["payment_review", "address_check", "fraud_review"] | None]
    discount: Mapped[Money] = column(0, ge=0)
    shipping_fee: Mapped[Money] = column(0, ge=0)
    total: Mapped[Money] = column(0, ge=0)
    paid: Mapped[Money] = column(0, ge=0, says="amount paid")
    status: Mapped[str] = lifecycle(
        {
            "pending": ["processing", "cancelled"],
            "processing": ["cancelled"],
            "delivered": ["partially_returned", "returned"],
            "partially_returned": ["returned"],
        },
        outside={"processing": ["shipped"], "shipped": ["delivered"]},
    )


class ReturnRequest(
    domain.Entity,
    key=counted("RMA-{:06d}", start=70431, step=3),
    label="return {self.return_request_id}",
):
    """Lines of one order on their way back, with the refund that was promised for them. The
    warehouse marks a return as received; only then can its refund be paid out.
    """

    order: Mapped[Order] = ref(owner=True, back="returns")
    payment_method: Mapped[PaymentMethod] = ref()
    reason: Mapped[Reason]
    goods: Mapped[Money] = column(ge=0, says="value of the goods")
    fees: Mapped[Money] = column(0, ge=0)
    refund: Mapped[Money] = column(ge=0)
    requested_on: Mapped[date] = column(says="date of the request")
    status: Mapped[str] = lifecycle(
        {"requested": ["cancelled"], "received": ["refunded"]},
        outside={"requested": ["received"]},
    )


class OrderLine(
    domain.Entity,
    key=counted("L{:06d}", start=118002),
    label="the {self.variant.product.title} in {self.variant.color}, {self.variant.size}",
    shows={
        "title": "variant.product.title",
        "category": "variant.product.category",
        "color": "variant.color",
        "size": "variant.size",
        "product_id": "variant.product.product_id",
    },
):
    """A number of units of one variant in an order, at the price agreed when it was bought."""

    order: Mapped[Order] = ref(owner=True, back="lines")
    variant: Mapped[Variant] = ref()
    return_request: Mapped[ReturnRequest | None] = ref(back="lines")
    quantity: Mapped[int] = column(ge=1)
    unit_price: Mapped[Money] = column(ge=0)
    status: Mapped[str] = lifecycle(
        {
            "ordered": ["returning", "exchanging"],
            "returning": ["ordered", "returned"],
            "exchanging": ["ordered"],
        },
        outside={"exchanging": ["exchanged"]},
    )


class Exchange(
    domain.Entity,
    key=hashed("exc_", 8),
    label="the exchange of {self.line}",
    shows={"old_size": "old_variant.size", "old_color": "old_variant.color"},
):
    """A line swapped for another variant of the same product. The line already names the new
    variant; the old one is kept here until the warehouse has it back.
    """

    order: Mapped[Order] = ref(owner=True)
    line: Mapped[OrderLine] = ref()
    old_variant: Mapped[Variant] = ref(back="exchanges_away")
    old_price: Mapped[Money] = column(ge=0)
    charged: Mapped[Money] = column(0, ge=0, says="price difference charged")
    refunded: Mapped[Money] = column(0, ge=0, says="price difference refunded")
    made_on: Mapped[date]
    status: Mapped[str] = lifecycle({"open": ["cancelled"]}, outside={"open": ["completed"]})


class Shipment(
    domain.Entity,
    key=natural("tracking_number"),
    label="the {self.carrier} parcel {self.tracking_number}",
):
    """The parcel of a shipped order, as the carrier reports it."""

    tracking_number: Mapped[str]
    order: Mapped[Order] = ref(owner=True)
    carrier: Mapped[Literal["Norrpost", "Swiftline"]]
    expected_on: Mapped[date] = column(says="expected delivery date")
    status: Mapped[str] = lifecycle({}, outside={"in_transit": ["delivered", "lost"]})


class Payment(
    domain.Entity,
    key=hashed("", 32, uuid=True),
    label="the {self.kind} of {self.made_on}",
    shows={"brand": "payment_method.brand", "last_four": "payment_method.last_four"},
):
    """Money taken from or given back to a customer for an order. Goodwill is a gift on top and does
    not lower what counts as paid.
    """

    order: Mapped[Order] = ref(owner=True)
    payment_method: Mapped[PaymentMethod] = ref()
    kind: Mapped[Literal["charge", "refund"]]
    purpose: Mapped[
        Literal["order", "cancellation", "return", "exchange", "price_match", "goodwill"]
    ]
    amount: Mapped[Money] = column(ge=1)
    made_on: Mapped[date] = column(says="payment date")


class Escalation(
    domain.Entity,
    key=counted("ESC-{:04d}", start=812),
    label="escalation {self.escalation_id}",
):
    """A conversation passed on to a colleague, with the reason."""

    customer: Mapped[Customer] = ref(owner=True)
    reason: Mapped[
        Literal["fraud_review", "account_details", "lost_parcel", "legal_claim", "complaint"]
    ]


# ---------------------------------------------------------------- the shop's arithmetic


@domain.helper
def percent_of(amount: Money, percent: int) -> Money:
    """A percentage of an amount, rounded down to the cent.

    >>> percent_of(1999, 15), percent_of(4000, 10), percent_of(5000, 0)
    (299, 400, 0)
    """
    return amount * percent // PERCENT


@domain.helper
def shipping_fee(goods: Money, tier: str) -> Money:
    """Standard shipping costs {SHIPPING_FEE:money}. It is free from {FREE_SHIPPING:money} of goods
    before any discount, and always free for gold customers.

    >>> shipping_fee(7499, "basic"), shipping_fee(7500, "basic"), shipping_fee(1200, "gold")
    (595, 0, 0)
    """
    return 0 if tier == "gold" or goods >= FREE_SHIPPING else SHIPPING_FEE


@domain.helper
def restocking_fee(value: Money, category: str, reason: str) -> Money:
    """Electronics lose {RESTOCKING_PERCENT[electronics]} percent of their value as a restocking fee
    when they come back, kitchenware {RESTOCKING_PERCENT[kitchen]} percent, other goods nothing.
    There is no restocking fee when the mistake was ours: goods damaged or wrong item.

    >>> restocking_fee(24900, "electronics", "change_of_mind")
    3735
    >>> restocking_fee(4900, "kitchen", "wrong_size")
    490
    >>> restocking_fee(24900, "electronics", "damage")
    0
    """
    return 0 if reason in OUR_FAULT else percent_of(value, RESTOCKING_PERCENT[category])


@domain.helper
def label_fee(tier: str, reason: str) -> Money:
    """One return label is needed for each return, however many lines it covers. It costs basic
    customers {LABEL_FEE[basic]:money} and silver customers {LABEL_FEE[silver]:money}; gold
    customers, and anybody whose goods arrived damaged or wrong, send back free of charge.

    >>> label_fee("basic", "change_of_mind"), label_fee("silver", "wrong_size")
    (695, 395)
    >>> label_fee("gold", "change_of_mind"), label_fee("basic", "wrong_item")
    (0, 0)
    """
    return 0 if reason in OUR_FAULT else LABEL_FEE[tier]


def is_in_date(last_day: date | None, day: date) -> bool:
    """Whether something that may have a last day is still good on a day.

    >>> is_in_date(date(2026, 5, 12), date(2026, 5, 12)), is_in_date(None, date(2026, 5, 12))
    (True, True)
    >>> is_in_date(date(2026, 5, 11), date(2026, 5, 12))
    False
    """
    return last_day is None or last_day >= day


def reaches(goods: Money, minimum: Money) -> bool:
    """Whether goods are worth enough for a coupon.

    >>> reaches(9000, 9000), reaches(8999, 9000)
    (True, False)
    """
    return goods >= minimum


def may_still_cancel(released_at: datetime | None, now: datetime) -> bool:
    """Whether an order is not packed yet.

    >>> noon = datetime(2026, 5, 12, 12)
    >>> may_still_cancel(None, noon), may_still_cancel(datetime(2026, 5, 12, 0), noon)
    (True, True)
    >>> may_still_cancel(datetime(2026, 5, 11, 23, 59), noon)
    False
    """
    return released_at is None or now - released_at <= timedelta(hours=CANCEL_HOURS)


def may_come_back(delivered_on: date | None, tier: str, day: date) -> bool:
    """Whether the return period of an order still runs on a day.

    >>> may_come_back(date(2026, 4, 12), "basic", date(2026, 5, 12))
    True
    >>> may_come_back(date(2026, 4, 11), "basic", date(2026, 5, 12))
    False
    >>> may_come_back(date(2026, 4, 11), "silver", date(2026, 5, 12))
    True
    >>> may_come_back(None, "gold", date(2026, 5, 12))
    False
    """
    return delivered_on is not None and (day - delivered_on).days <= RETURN_DAYS[tier]


def is_recent(placed_on: date, day: date) -> bool:
    """Whether a price may still be matched.

    >>> is_recent(date(2026, 4, 28), date(2026, 5, 12))
    True
    >>> is_recent(date(2026, 4, 27), date(2026, 5, 12))
    False
    """
    return (day - placed_on).days <= PRICE_MATCH_DAYS


def may_go_to(nickname: str, total: Money) -> bool:
    """Whether an order of this total may be redirected to an address.

    >>> may_go_to("work", 24999), may_go_to("work", 25000), may_go_to("home", 25000)
    (True, False, True)
    """
    return total < HIGH_VALUE or nickname == "home"


def price_difference(old: Money, new: Money, quantity: int) -> Money:
    """What another price makes for all units of a line.

    >>> price_difference(11900, 12900, 2), price_difference(7900, 6900, 1)
    (2000, -1000)
    """
    return (new - old) * quantity


def sides_of(difference: Money) -> tuple[Money, Money]:
    """A price difference as what is charged and what is given back.

    >>> sides_of(2000), sides_of(-1000)
    ((2000, 0), (0, 1000))
    """
    return max(0, difference), max(0, -difference)


def sum_of(kind: str, entries: list[tuple[str, Money]]) -> Money:
    """The sum of all payments of a kind.

    >>> sum_of("charge", [("charge", 500), ("refund", 200), ("charge", 50)])
    550
    """
    return sum(amount for entry, amount in entries if entry == kind)


def is_counted(status: str, placed_on: date, since: date) -> bool:
    """Whether an order belongs in a summary from a day on.

    >>> is_counted("delivered", date(2026, 5, 1), date(2026, 5, 1))
    True
    >>> is_counted("delivered", date(2026, 4, 30), date(2026, 5, 1))
    False
    >>> is_counted("cancelled", date(2026, 5, 2), date(2026, 5, 1))
    False
    """
    return status != "cancelled" and placed_on >= since


def refund_of(goods: Money, fees: Money) -> Money:
    """What is left of the value of goods that come back.

    >>> refund_of(4900, 1185), refund_of(400, 695)
    (3715, 0)
    """
    return max(0, goods - fees)


def value_of(lines) -> Money:
    return sum(line.unit_price * line.quantity for line in lines)


def due(order: Order) -> Money:
    """What the customer still owes on an order."""
    return order.total - order.paid


def discounted(order: Order, line: "OrderLine") -> Money:
    """What the customer really paid for a line: coupons take their percentage off each line."""
    value = value_of([line])
    return value - percent_of(value, order.coupon.percent) if order.discount else value


def return_terms(order: Order, lines, reason: str) -> tuple[Money, Money, Money]:
    """The value of the goods, the fees and the refund for sending these lines back."""
    values = [(discounted(order, line), line.variant.product.category) for line in lines]
    goods = sum(value for value, _ in values)
    restocking = sum(restocking_fee(value, category, reason) for value, category in values)
    fees = restocking + label_fee(order.customer.tier, reason)
    return goods, fees, refund_of(goods, fees)


def in_date(db, method: PaymentMethod) -> bool:
    return is_in_date(method.expires_on, db.today)


def fits_on_gift_card(method: PaymentMethod, amount: Money) -> bool:
    return method.balance is None or method.balance + amount <= GIFT_CARD_LIMIT


def open_returns(order: Order):
    return [request for request in order.returns if request.status == "requested"]


def open_exchanges(order: Order):
    return [exchange for exchange in order.exchanges if exchange.status == "open"]


def charge(db, order: Order, method: PaymentMethod, amount: Money, purpose: str, day=None):
    """Take money for an order (`day` is for records of the past)."""
    if method.kind == "gift_card":
        method.balance -= amount
    order.paid += amount
    return book(db, order, method, "charge", amount, purpose, day)


def pay_back(db, order: Order, method: PaymentMethod, amount: Money, purpose: str, day=None):
    """Give money of an order back."""
    if method.kind == "gift_card":
        method.balance += amount
    order.paid -= amount
    return book(db, order, method, "refund", amount, purpose, day)


def book(db, order: Order, method: PaymentMethod, kind: str, amount: Money, purpose: str, day=None):
    return db.create(
        Payment,
        order=order,
        payment_method=method,
        kind=kind,
        purpose=purpose,
        amount=amount,
        made_on=day or db.today,
    )


def reprice(db, order: Order) -> None:
    """Work out discount, shipping and total of a pending order anew; give back what is overpaid."""
    goods, coupon = value_of(order.lines), order.coupon
    percent = coupon.percent if coupon is not None and reaches(goods, coupon.minimum) else 0
    order.discount = sum(percent_of(value_of([line]), percent) for line in order.lines)
    order.shipping_fee = shipping_fee(goods, order.customer.tier)
    order.total = goods - order.discount + order.shipping_fee
    if order.paid > order.total:
        pay_back(db, order, order.payment_method, order.paid - order.total, "order")


# ---------------------------------------------------------------- rules you have to keep yourself

# Words by which a refusal is recognised; several rules share them.
# fmt: off
ALREADY = ["already", "once", "one", "second", "another", "existing", "before", "again", "first"]
BELONGS = ["your account", "another", "different", "belong", "someone", "somebody", "own"]
CARD = ["card", "ending in", "payment method", "visa", "mastercard", "amex"]
COUPON = ["coupon", "code", "discount", "promotion"]
EXCHANGE = ["exchang", "swap", "replace"]
EXPIRED = ["expire", "ran out", "run out", "no longer valid", "out of date", "ended",
           "valid until", "last day"]
GIFT_CARD = ["gift card", "store credit", "voucher"]
GOODWILL = ["goodwill", "credit", "gesture", "compensation"]
LIMIT = ["limit", "more than", "maximum", "at most", "up to", "exceed", "too much", "too many",
         "too high", "over"]
NOT_ENOUGH = ["only", "enough", "n't", "sold out", "out of stock", "none", "fewer", "left"]
OPEN = ["open", "already", "same time", "on its way", "still", "in progress", "being", "until"]
OWED = ["due", "owe", "owing", "outstanding", "balance", "unpaid", "open", "paid", "pay"]
RETURN = ["return", "way back", "rma", "send back", "sent back", "sending back", "take back",
          "taken back"]
STOCK = ["stock", "available", "sold out", "inventory", "units", "left", "have"]
TOO_LATE = ["too late", "too long", "no longer", "over", "ended", "passed", "more than", "expired",
            "closed", "ago"]
# fmt: on

PERSONAL = [
    "get_customer_account", "list_customer_orders", "get_order_details", "get_return_details",
    "quote_return", "quote_exchange", "summarize_account",
    "add_order_line", "set_line_quantity", "remove_order_line", "apply_coupon", "remove_coupon",
    "change_delivery_address", "collect_payment", "clear_hold", "send_to_warehouse",
    "cancel_order", "request_return", "cancel_return", "redirect_refund", "issue_refund",
    "exchange_line", "cancel_exchange", "match_price", "grant_goodwill_credit",
]  # fmt: skip


@domain.rule(
    by="agent",
    kind="identification",
    governs=PERSONAL,
    because=[
        "I haven't been able to verify who you are",
        "I may only open an account for the person it belongs to",
    ],
    concepts=[
        ["identif", "verif", "confirm", "match", "whose", "belongs", "who you are"],
        ["mail", "name", "postcode", "zip", "account", "identity", "who you are"],
    ],
)
def customer_identified(customer: Customer, log: Log) -> bool:
    """Open a customer's orders, speak about them or change them only after the customer has told
    you the e-mail address of the account, or both the full name and the postcode in the account.
    An order number, a telephone number or the digits of a card identify nobody, and neither does a
    relative or a friend who has them at hand. Once identified, the customer stays so until the end
    of the conversation."""
    return log.identified(customer, "email") or log.identified(customer, "name", "postcode")


@domain.rule(
    by="agent",
    kind="confirmation",
    governs=[
        "collect_payment",
        "send_to_warehouse",
        "cancel_order",
        "request_return",
        "issue_refund",
        "exchange_line",
    ],
    because=["I need a clear yes to these details first", "you haven't agreed to this yet"],
    concepts=[
        ["confirm", "agree", "go ahead", "your yes", "clear yes", "approval"],
        ["first", "before", "need", "please", "until", "yet"],
    ],
)
def details_confirmed(log: Log) -> bool:
    """Taking a payment, sending an order to the warehouse, cancelling an order, opening a return,
    paying out a refund and exchanging a line are agreed upon beforehand: say which order or line it
    concerns, which card or gift card, and how much money moves in which direction with all fees,
    and wait for an explicit yes. If any of that changes afterwards, ask again."""
    return log.confirmed()


@domain.rule(
    by="agent",
    governs=["grant_goodwill_credit"],
    because=[
        "a goodwill credit has already been given for that order",
        "there is one goodwill credit for an order, and you've had it",
    ],
    concepts=[GOODWILL, ALREADY],
)
def one_goodwill_credit(order: Order) -> bool:
    """Goodwill is given once: look through the payments of the order, and when there is a goodwill
    refund among them, whatever its amount, refuse a further one kindly."""
    return not any(payment.purpose == "goodwill" for payment in order.payments)


@domain.rule(
    by="agent",
    governs=["request_return"],
    because=[
        "a line of that order is being exchanged at the moment",
        "there is an open exchange on that order",
    ],
    concepts=[EXCHANGE, OPEN],
    remedy="cancel_exchange",
)
def no_return_beside_exchange(order: Order) -> bool:
    """While a line of an order is being exchanged, nothing else of that order is sent back: the
    customer either waits until the exchange is completed, or cancels the exchange and returns the
    goods instead."""
    return not open_exchanges(order)


@domain.rule(
    by="agent",
    governs=["exchange_line"],
    because=[
        "a return of that order is still on its way",
        "there is an open return on that order",
    ],
    concepts=[RETURN, OPEN],
    remedy="cancel_return",
)
def no_exchange_beside_return(order: Order) -> bool:
    """The reverse holds too: as long as a return of an order is open, which means that it hasn't
    reached the warehouse yet, none of the order's other lines is exchanged, unless the customer
    gives up that return."""
    return not open_returns(order)


@domain.rule(
    by="agent",
    governs=["request_return"],
    because=[
        "it was bought with a bundle coupon, so all of it comes back or none",
        "a bundle can only be returned whole",
    ],
    concepts=[
        ["bundle", "set", "coupon"],
        ["all", "whole", "complete", "entire", "every", "together", "split"],
    ],
)
def bundles_stay_whole(order: Order, lines: list[OrderLine]) -> bool:
    """What was bought with a bundle coupon comes back whole. One return then has to list every line
    that the customer still has; don't split such an order, however good the reason for a single
    line may be."""
    kept = [line for line in order.lines if line.status == "ordered"]
    return not order.discount or not order.coupon.bundle or len(lines) == len(kept)


@domain.rule(
    by="agent",
    governs=["change_delivery_address"],
    because=[
        "orders of {HIGH_VALUE:money} or more only go to the home address",
        "at a total of {order.total} it can only be delivered to the home address",
    ],
    concepts=[
        ["home", "billing"],
        ["{HIGH_VALUE:money}", "value", "expensive", "total", "worth", "over", "only"],
    ],
)
def valuables_go_home(order: Order, address: Address) -> bool:
    """An order whose total is {HIGH_VALUE:money} or more is redirected to the customer's home
    address only. Such parcels are insured to the address the card is billed to."""
    return may_go_to(address.nickname, order.total)


@domain.rule(
    by="agent",
    governs=["match_price"],
    because=["a coupon was used on that order", "coupons and price matches don't go together"],
    concepts=[COUPON, ["match", "price", "together", "combine", "both", "already", "used"]],
)
def no_price_match_on_coupons(order: Order) -> bool:
    """Whoever bought with a coupon has had their advantage: an order with a coupon code on it gets
    no price match, not even where the coupon in the end took nothing off."""
    return order.coupon is None


# ---------------------------------------------------------------- rules the shop system enforces


@domain.rule(
    governs=["send_to_warehouse"],
    because=["there is a hold on it", "it is on hold for {order.hold}"],
    concepts=[["hold", "held", "review", "address check"]],
    remedy="clear_hold",
)
def no_hold(order: Order) -> bool:
    """An order with a hold on it stays at the desk until the hold has been cleared."""
    return order.hold is None


@domain.rule(
    governs=["send_to_warehouse", "clear_hold"],
    because=["it hasn't been paid in full", "part of its total of {order.total} is still open"],
    concepts=[
        OWED,
        ["full", "outstanding", "owe", "still", "remain", "before", "until", "left", "n't", "due"],
    ],
    remedy="collect_payment",
)
def nothing_outstanding(order: Order) -> bool:
    """An order is released from a hold, or goes to the warehouse, only when its total has been paid
    to the last cent; the difference between total and paid has to be collected before."""
    return order.paid >= order.total


@domain.rule(
    governs=["clear_hold", "cancel_order"],
    because=["it is in a fraud review", "our fraud team is looking at it"],
    concepts=[["fraud", "security", "risk", "investigat"]],
)
def not_in_fraud_review(order: Order) -> bool:
    """The desk neither clears nor cancels an order that is held for a fraud review. Don't speculate
    about the outcome; if the customer insists, this is a reason for handing over."""
    return order.hold != "fraud_review"


@domain.rule(
    governs=["clear_hold", "change_delivery_address"],
    because=[
        "the carrier doesn't recognise the address in {address.city}",
        "the {address.nickname} address isn't deliverable",
    ],
    concepts=[["address"], ["deliver", "recogni", "verif", "unknown", "carrier", "valid", "reach"]],
    remedy="change_delivery_address",
)
def address_deliverable(address: Address) -> bool:
    """Parcels go to deliverable addresses only. An order can't be pointed at any other address, and
    a hold on an order that has one stays until another address of the customer is chosen."""
    return address.deliverable


@domain.rule(
    governs=["collect_payment"],
    because=["only {order.total} less what is paid already is still due"],
    concepts=[[*LIMIT, "only", "nothing", "larger", "higher"], OWED],
)
def within_balance_due(order: Order, amount: Money) -> bool:
    """Never take more than is due. Part payments are welcome, so that a balance may be shared
    between a gift card and a card."""
    return amount <= due(order)


@domain.rule(
    governs=["collect_payment", "exchange_line", "cancel_exchange", "grant_goodwill_credit"],
    because=[
        "the {payment_method.brand} ending in {payment_method.last_four} has expired",
        "that card ran out on {payment_method.expires_on}",
    ],
    concepts=[EXPIRED, CARD],
)
def card_in_date(db, payment_method: PaymentMethod) -> bool:
    """A card can be charged or credited until the end of its expiry date, and not once it has
    expired."""
    return in_date(db, payment_method)


@domain.rule(
    governs=["collect_payment"],
    because=[
        "there is only {payment_method.balance} left on that gift card",
        "the gift card doesn't cover that much",
    ],
    concepts=[
        GIFT_CARD,
        ["balance", "cover", "enough", "left", "sufficient", "only", "less", "remain"],
    ],
)
def gift_card_covers(payment_method: PaymentMethod, amount: Money) -> bool:
    """A gift card pays no more than its balance."""
    return payment_method.balance is None or payment_method.balance >= amount


@domain.rule(
    governs=["collect_payment"],
    because=["that card isn't in your account", "it belongs to another account"],
    concepts=[[*BELONGS, "wallet"], [*CARD, "account"]],
)
def method_in_wallet(order: Order, payment_method: PaymentMethod) -> bool:
    """An order is paid only with the cards and gift cards in the wallet of the customer who placed
    it."""
    return payment_method.customer is order.customer


@domain.rule(
    governs=["change_delivery_address"],
    because=["that address isn't in your address book", "that is somebody else's address"],
    concepts=[["address"], [*BELONGS, "address book", "on file"]],
)
def address_in_book(order: Order, address: Address) -> bool:
    """Delivery goes to an entry of the customer's own address book; you can't type in a new one."""
    return address.customer is order.customer


@domain.rule(
    governs=["add_order_line", "exchange_line"],
    because=["we have only {variant.stock} of them in stock", "there aren't enough in stock"],
    concepts=[STOCK, NOT_ENOUGH],
)
def enough_stock(variant: Variant, quantity: int) -> bool:
    """Sell only what is in stock; there are no back orders and no waiting lists."""
    return variant.stock >= quantity


@domain.rule(
    governs=["set_line_quantity"],
    because=["only {line.variant.stock} more of them are in stock"],
    concepts=[STOCK, NOT_ENOUGH],
)
def stock_for_more(line: OrderLine, quantity: int) -> bool:
    """A line can grow by no more units than are free in stock; what the order already has is set
    aside for it."""
    return quantity - line.quantity <= line.variant.stock


@domain.rule(
    governs=["add_order_line", "set_line_quantity"],
    because=[
        "that is over the limit for one order",
        "it would be more than one order may have of the same article",
    ],
    concepts=[LIMIT, ["unit", "order", "quantity", "piece", "pair", "of them", "same", "article"]],
)
def units_within_limit(variant: Variant, quantity: int) -> bool:
    """We sell to households. One order carries at most {MAX_UNITS[electronics]} units of the same
    electronic article, {MAX_UNITS[footwear]} of the same shoes or outerwear, and
    {MAX_UNITS[kitchen]} of anything else."""
    return quantity <= MAX_UNITS[variant.product.category]


@domain.rule(
    governs=["add_order_line"],
    because=["{variant} is in that order already"],
    concepts=[["already", "exist", "there is a line"], ["order", "line", "quantity"]],
)
def not_in_order_yet(order: Order, variant: Variant) -> bool:
    """A variant that is in an order already gets no second line there; for more units of it, the
    quantity of its line is raised."""
    return all(line.variant is not variant for line in order.lines)


@domain.rule(
    governs=["remove_order_line"],
    because=["it is the only line of that order", "nothing would be left of the order"],
    concepts=[
        ["only", "last", "single", "empty", "nothing", "sole"],
        ["line", "item", "order", "article"],
    ],
    remedy="add_order_line",
)
def not_the_last_line(line: OrderLine) -> bool:
    """The last line of an order can't be taken out: cancel the order instead, or add what is wanted
    in its place first."""
    return len(line.order.lines) > 1


@domain.rule(
    governs=["apply_coupon"],
    because=["the coupon was valid until {coupon.last_day}", "the code has expired"],
    concepts=[EXPIRED, COUPON],
)
def coupon_in_force(db, coupon: Coupon) -> bool:
    """A coupon is taken until the end of its last day, counted on the day it is applied and not on
    the day the order was placed."""
    return is_in_date(coupon.last_day, db.today)


@domain.rule(
    governs=["apply_coupon"],
    because=[
        "it needs goods for at least {coupon.minimum}",
        "the order is below the minimum of {coupon.minimum}",
    ],
    concepts=[
        [
            "minimum",
            "at least",
            "below",
            "less than",
            "enough",
            "too small",
            "reach",
            "under",
            "short",
        ],
        [*COUPON, "order", "goods"],
    ],
    remedy="set_line_quantity",
)
def coupon_minimum_reached(order: Order, coupon: Coupon) -> bool:
    """The goods of the order, without shipping, have to reach the coupon's minimum. Should an order
    fall below it later, the coupon stays on the order but takes nothing off until the minimum is
    reached again."""
    return reaches(value_of(order.lines), coupon.minimum)


@domain.rule(
    governs=["apply_coupon"],
    because=["there is a coupon on that order already", "one order takes one coupon"],
    concepts=[COUPON, [*ALREADY, "combine", "stack", "single", "two"]],
    remedy="remove_coupon",
)
def no_coupon_yet(order: Order) -> bool:
    """An order takes one coupon. A better one replaces it only after the first has been removed."""
    return order.coupon is None


@domain.rule(
    governs=["apply_coupon"],
    because=["the coupon has been used on an earlier order", "each customer uses a code once"],
    concepts=[
        COUPON,
        ["used", "once", "one time", "redeemed", "earlier", "other order", "another order"],
    ],
)
def coupon_unused(order: Order, coupon: Coupon) -> bool:
    """A coupon code can be used once by each customer, on a single order. Cancelled orders don't
    count."""
    return not any(
        other.coupon is coupon and other is not order and other.status != "cancelled"
        for other in order.customer.orders
    )


@domain.rule(
    governs=["cancel_order"],
    because=[
        "it has been with the warehouse for more than {CANCEL_HOURS} hours",
        "it went to the warehouse on {order.released_at}, and that's too long ago",
    ],
    concepts=[["warehouse", "packed", "released", "processing", "hours"], [*TOO_LATE, "hours"]],
)
def cancelled_in_time(db, order: Order) -> bool:
    """A pending order can be cancelled at any time, a processing one until {CANCEL_HOURS} hours
    after it went to the warehouse. Later the customer has to wait for the parcel and return it."""
    return may_still_cancel(order.released_at, db.now)


@domain.rule(
    governs=["request_return", "exchange_line"],
    because=[
        "it was delivered on {order.delivered_on}, which is too long ago",
        "the return period for it is over",
    ],
    concepts=[RETURN + EXCHANGE + ["window", "period", "deliver"], [*TOO_LATE, "days", "window"]],
)
def in_return_window(db, order: Order) -> bool:
    """Goods may be returned or exchanged for {RETURN_DAYS[basic]} days after delivery by basic
    customers, {RETURN_DAYS[silver]} days by silver and {RETURN_DAYS[gold]} days by gold customers.
    The day of delivery isn't counted."""
    return may_come_back(order.delivered_on, order.customer.tier, db.today)


@domain.rule(
    governs=["request_return", "quote_return"],
    because=["not all of that is from the same order"],
    concepts=[["order"], ["same", "one", "different", "another", "belong", "part of", "separate"]],
)
def lines_of_one_order(order: Order, lines: list[OrderLine]) -> bool:
    """A return covers lines of one order; goods from two orders travel as two returns."""
    return all(line.order is order for line in lines)


@domain.rule(
    governs=["request_return"],
    because=["personal care is final sale", "hygiene articles can't be sent back"],
    concepts=[["personal care", "hygiene", "final sale", "grooming", "shaving", "soap"]],
)
def not_final_sale(lines: list[OrderLine]) -> bool:
    """Personal care is final sale. It may be exchanged for another variant, but it is never taken
    back for money, even unopened."""
    return all(line.variant.product.category != FINAL_SALE for line in lines)


@domain.rule(
    governs=["request_return"],
    because=["there is an open return on that order already"],
    concepts=[RETURN, OPEN + ALREADY],
    remedy="cancel_return",
)
def one_return_at_a_time(order: Order) -> bool:
    """An order has one open return at a time, so all lines a customer wants to send back go into
    the same return. If a line was forgotten, cancel the return and request a new one with all of
    them; once the warehouse has received a return, the next may be opened."""
    return not open_returns(order)


@domain.rule(
    governs=["request_return", "redirect_refund"],
    because=[
        "refunds go to the card of the order or to a gift card of the account",
        "the money can't go to a card that the order wasn't paid with",
    ],
    concepts=[
        ["refund", "money", "credit", "paid out"],
        ["original", "same", "ordered with", "card of the order", "gift card", "paid with"],
    ],
)
def refund_goes_home(order: Order, payment_method: PaymentMethod) -> bool:
    """A refund goes to the card that the order was placed with, or as store credit to one of the
    customer's gift cards. It never goes to another card, nor to another person."""
    return payment_method is order.payment_method or (
        payment_method.kind == "gift_card" and payment_method.customer is order.customer
    )


@domain.rule(
    governs=["request_return"],
    because=["one of those lines isn't with you any more", "that line is on its way back already"],
    concepts=[
        ["already", "no longer", "been ", "on its way", "any more"],
        RETURN + EXCHANGE + ["with you"],
    ],
)
def lines_still_kept(lines: list[OrderLine]) -> bool:
    """Only what the customer still has can come back: lines that are being returned or exchanged,
    or have been already, can't be sent back a second time."""
    return all(line.status == "ordered" for line in lines)


@domain.rule(
    governs=["issue_refund"],
    parts=[
        part(
            "card_in_date",
            lambda db, return_request: in_date(db, return_request.payment_method),
            because=["the card the refund was meant for has expired"],
            concepts=[EXPIRED, CARD],
            remedy="redirect_refund",
        ),
        part(
            "gift_card_has_room",
            lambda return_request: fits_on_gift_card(
                return_request.payment_method, return_request.refund
            ),
            because=["the gift card would then hold more than {GIFT_CARD_LIMIT:money}"],
            concepts=[GIFT_CARD, [*LIMIT, "room", "full", "{GIFT_CARD_LIMIT:money}"]],
            remedy="redirect_refund",
        ),
    ],
)
def refund_can_arrive(db, return_request: ReturnRequest) -> bool:
    """A refund can't be paid out to a card that has expired, nor to a gift card that would then
    hold more than {GIFT_CARD_LIMIT:money}. Redirect it first, to another method the rules allow."""
    method = return_request.payment_method
    return in_date(db, method) and fits_on_gift_card(method, return_request.refund)


@domain.rule(
    governs=["exchange_line", "quote_exchange"],
    parts=[
        part(
            "same_product",
            lambda line, variant: line.variant.product is variant.product,
            because=["an exchange is only possible within the same product"],
            concepts=[
                ["same", "different", "another", "other", "variant"],
                ["product", "article", "model"],
            ],
        ),
        part(
            "other_variant",
            lambda line, variant: line.variant is not variant,
            because=["that's the very variant you have"],
            concepts=[
                ["same", "already", "very", "identical"],
                ["variant", "size", "colour", "color", "you have"],
            ],
        ),
    ],
)
def like_for_like(line: OrderLine, variant: Variant) -> bool:
    """A line is exchanged for another colour or size of the same product and for nothing else.
    Whoever wants a different product returns the line and places a new order on the web site."""
    return line.variant.product is variant.product and line.variant is not variant


@domain.rule(
    governs=["match_price"],
    because=[
        "our price for it hasn't dropped",
        "today's price of {line.variant.price} isn't lower",
    ],
    concepts=[
        ["price", "cost"],
        ["drop", "lower", "cheaper", "same", "reduced", "fallen", "down", "higher"],
    ],
)
def price_has_dropped(line: OrderLine) -> bool:
    """We match our own prices: today's price of the same variant has to be lower than the price the
    customer paid. Prices of other shops don't count."""
    return line.variant.price < line.unit_price


@domain.rule(
    governs=["match_price"],
    because=[
        "the order was placed on {order.placed_at}, more than {PRICE_MATCH_DAYS} days ago",
        "price matches end {PRICE_MATCH_DAYS} days after the order",
    ],
    concepts=[
        ["days", "two weeks", "period", "deadline", "ago"],
        ["price", "match", "placed", *TOO_LATE],
    ],
)
def price_match_in_time(db, order: Order) -> bool:
    """A price match has to be asked for within {PRICE_MATCH_DAYS} days of the day the order was
    placed."""
    return is_recent(order.placed_at.date(), db.today)


@domain.rule(
    governs=["grant_goodwill_credit"],
    because=["goodwill for {order.customer.tier} customers has a limit below that"],
    concepts=[GOODWILL, LIMIT],
)
def goodwill_within_limit(order: Order, amount: Money) -> bool:
    """A goodwill credit is at most {GOODWILL_MAX[basic]:money} for basic customers,
    {GOODWILL_MAX[silver]:money} for silver and {GOODWILL_MAX[gold]:money} for gold customers."""
    return amount <= GOODWILL_MAX[order.customer.tier]


# ---------------------------------------------------------------- what holds at any time


@domain.invariant(Order)
def total_adds_up(order: Order) -> bool:
    return order.total == value_of(order.lines) - order.discount + order.shipping_fee


@domain.invariant(Order)
def paid_adds_up(order: Order) -> bool:
    counted = [payment for payment in order.payments if payment.purpose != "goodwill"]
    taken = sum(payment.amount for payment in counted if payment.kind == "charge")
    given = sum(payment.amount for payment in counted if payment.kind == "refund")
    return order.paid == taken - given


@domain.invariant(Order)
def payments_have_their_reason(order: Order) -> bool:
    given = {"cancellation": 0, "return": 0, "exchange": 0, "price_match": 0, "goodwill": 0}
    for payment in order.payments:
        if payment.purpose != "order":
            sign = 1 if payment.kind == "refund" else -1
            given[payment.purpose] += sign * payment.amount
    refunds = sum(request.refund for request in order.returns if request.status == "refunded")
    kept = [exchange for exchange in order.exchanges if exchange.status != "cancelled"]
    return (
        given["return"] == refunds
        and given["exchange"] == sum(exchange.refunded - exchange.charged for exchange in kept)
        and min(given["price_match"], given["goodwill"]) >= 0
        and (given["cancellation"] == 0 or order.status == "cancelled")
    )


@domain.invariant(Order)
def paid_as_the_state_demands(order: Order) -> bool:
    if order.status in ("processing", "shipped"):
        return order.paid == order.total and order.hold is None
    if order.status == "cancelled":
        return order.paid == 0 and order.hold is None
    return 0 <= order.paid <= order.total and (order.hold is None or order.status == "pending")


@domain.invariant(Order)
def pending_order_is_priced_right(order: Order) -> bool:
    if order.status != "pending":
        return True
    goods, coupon = value_of(order.lines), order.coupon
    percent = coupon.percent if coupon is not None and goods >= coupon.minimum else 0
    saved = sum(percent_of(value_of([line]), percent) for line in order.lines)
    return order.discount == saved and order.shipping_fee == shipping_fee(
        goods, order.customer.tier
    )


@domain.invariant(Order)
def lines_are_few_and_distinct(order: Order) -> bool:
    bought = [line.variant.sku for line in order.lines]
    return order.status != "pending" or (
        0 < len(bought) == len(dict.fromkeys(bought))
        and all(line.quantity <= MAX_UNITS[line.variant.product.category] for line in order.lines)
    )


@domain.invariant(Order)
def dates_follow_the_state(order: Order) -> bool:
    arrived = order.status in ("delivered", "partially_returned", "returned")
    if (order.delivered_on is not None) != arrived or (
        (order.cancelled_at is not None) != (order.status == "cancelled")
    ):
        return False
    if order.status == "cancelled" and order.released_at is not None:
        return order.cancelled_at - order.released_at <= timedelta(hours=CANCEL_HOURS)
    return (order.released_at is None) == (order.status in ("pending", "cancelled"))


@domain.invariant(Order)
def returned_state_follows_lines(order: Order) -> bool:
    gone = [line.status == "returned" for line in order.lines]
    if order.status in ("partially_returned", "returned"):
        return any(gone) and all(gone) == (order.status == "returned")
    return not any(gone)


@domain.invariant(Order)
def one_open_return(order: Order) -> bool:
    return len(open_returns(order)) <= 1


@domain.invariant(Order)
def belongs_together(order: Order) -> bool:
    return order.payment_method.kind == "card" and (
        order.payment_method.customer is order.customer and order.address.customer is order.customer
    )


@domain.invariant(Customer)
def each_coupon_once(customer: Customer) -> bool:
    used = [x.coupon.code for x in customer.orders if x.coupon and x.status != "cancelled"]
    return len(used) == len(dict.fromkeys(used))


@domain.invariant(PaymentMethod)
def wallet_is_regular(method: PaymentMethod) -> bool:
    if method.kind == "card":
        return method.balance is None and method.expires_on is not None
    return method.expires_on is None and 0 <= method.balance <= GIFT_CARD_LIMIT


@domain.invariant(ReturnRequest)
def return_is_regular(request: ReturnRequest) -> bool:
    order, method = request.order, request.payment_method
    days = (request.requested_on - order.delivered_on).days
    return days <= RETURN_DAYS[order.customer.tier] and (
        method.customer is order.customer
        and (method.kind == "gift_card" or method is order.payment_method)
    )


@domain.invariant(ReturnRequest)
def return_adds_up(request: ReturnRequest) -> bool:
    if request.status == "cancelled":
        return not request.lines
    terms = return_terms(request.order, request.lines, request.reason)
    state = "returned" if request.status == "refunded" else "returning"
    return (request.goods, request.fees, request.refund) == terms and all(
        line.status == state and line.order is request.order for line in request.lines
    )


@domain.invariant(OrderLine)
def line_is_regular(line: OrderLine) -> bool:
    back = line.status in ("returning", "returned")
    swapping = any(exchange.status == "open" for exchange in line.exchanges)
    swapped = any(exchange.status == "completed" for exchange in line.exchanges)
    return back == (line.return_request is not None) and (
        (line.status == "exchanging") == swapping
        and (line.status == "exchanged") == swapped
        and not (back and line.variant.product.category == FINAL_SALE)
    )


@domain.invariant(Exchange)
def exchange_adds_up(exchange: Exchange) -> bool:
    line = exchange.line
    if exchange.status == "cancelled":
        return exchange.order is line.order
    difference = (line.unit_price - exchange.old_price) * line.quantity
    return (
        exchange.charged - exchange.refunded == difference
        and min(exchange.charged, exchange.refunded) == 0
        and exchange.old_variant.product is line.variant.product
        and exchange.old_variant is not line.variant
    )


@domain.invariant(Payment)
def payment_is_regular(payment: Payment) -> bool:
    order = payment.order
    if payment.purpose == "goodwill" and payment.amount > GOODWILL_MAX[order.customer.tier]:
        return False
    if payment.payment_method.customer is not order.customer:
        return False
    late = (payment.made_on - order.placed_at.date()).days > PRICE_MATCH_DAYS
    checked = payment.kind == "charge" or payment.purpose in ("exchange", "return", "goodwill")
    expires_on = payment.payment_method.expires_on
    if checked and expires_on is not None and expires_on < payment.made_on:
        return False
    return not (payment.purpose == "price_match" and late)


@domain.invariant(Shipment)
def parcels_belong_to_sent_orders(shipment: Shipment) -> bool:
    if shipment.status == "delivered":
        return shipment.order.delivered_on is not None
    return shipment.order.status == "shipped"


# ---------------------------------------------------------------- what people ask for


def units_wanted(variant: Variant) -> list[int]:
    """One, two, as many as an order may have, and one too many."""
    most = MAX_UNITS[variant.product.category]
    return list(dict.fromkeys((1, 2, most, most + 1)))


def lines_together(order: Order) -> list[list[OrderLine]]:
    """Single lines, all that is still with the customer, and a mix-up with another order."""
    kept = [line for line in order.lines if line.status == "ordered"]
    together = [[line] for line in order.lines] + ([kept] if len(kept) > 1 else [])
    others = [x for x in order.customer.orders if x is not order and x.status == "delivered"]
    return together + [[order.lines[0], other.lines[0]] for other in others[:1]]


def alternatives(db, line: OrderLine) -> list[Variant]:
    """All variants of the product of a line, and one of another product."""
    product = line.variant.product
    others = [variant for variant in db.all(Variant) if variant.product is not product]
    return [*product.variants, *others[:1]]


def part_payments(order: Order, payment_method: PaymentMethod) -> list[Money]:
    """All that is due, what a gift card can give towards it, half of it, and a little too much."""
    owed = due(order)
    balance = payment_method.balance
    covered = owed if balance is None else min(owed, balance)
    found = [owed, covered, owed // 2, owed + ONE_DOLLAR]
    return [amount for amount in dict.fromkeys(found) if amount > 0]


def goodwill_wishes(order: Order) -> list[Money]:
    """Half of the limit, all of it, and too much."""
    most = GOODWILL_MAX[order.customer.tier]
    return [most // 2, most, most + ONE_DOLLAR]


Units = Annotated[int, Field(ge=1, le=12), drawn(units_wanted)]
NewUnits = Annotated[
    int,
    Field(ge=1, le=12),
    drawn(lambda line: [n for n in units_wanted(line.variant) if n != line.quantity]),
]
Lines = Annotated[list[OrderLine], drawn(lines_together)]
OtherVariant = Annotated[Variant, drawn(alternatives)]
Since = Annotated[
    date, drawn(lambda db: [db.today.replace(day=1), db.today.replace(month=1, day=1)])
]


# ---------------------------------------------------------------- reads

OF_ORDER = customer_identified.on("order.customer")
OF_RETURN = customer_identified.on("return_request.order.customer")
OF_LINE = customer_identified.on("line.order.customer")

domain.reads(
    Customer,
    find="email",
    names={"find": "look_up_customer_by_email"},
    docs={"find": "Look up a customer by the e-mail address of the account."},
)
domain.reads(
    Customer,
    get=["addresses", "payment_methods"],
    requires=[customer_identified],
    names={"get": "get_customer_account"},
    docs={
        "get": "Get a customer's account with the address book and the wallet: cards with their "
        "expiry dates, gift cards with their balances."
    },
)
domain.reads(
    Product,
    get=["variants"],
    search=["title"],
    filters=["category"],
    page=5,
    names={"search": "search_catalogue"},
    docs={"get": "Get a product with all its variants, their prices and what is in stock."},
)
domain.reads(
    Coupon, get=True, names={"get": "check_coupon"}, docs={"get": "Get the terms of a coupon code."}
)
domain.reads(
    Order,
    get=["lines", "payments", "returns", "exchanges", "shipments"],
    requires=[OF_ORDER],
    docs={
        "get": "Get an order with everything that belongs to it: lines, payments, returns, "
        "exchanges and parcels."
    },
)
domain.reads(
    Order,
    list_of="customer",
    filters=["status"],
    page=4,
    requires=[customer_identified],
    docs={"list": "List a customer's orders, page by page, all of them or those in one state."},
)
domain.reads(
    ReturnRequest,
    get=["lines"],
    requires=[OF_RETURN],
    names={"get": "get_return_details"},
    docs={"get": "Get a return with its lines and the refund that was promised for them."},
)


@domain.read(public=True)
def look_up_customer_by_name(
    db,
    full_name: Annotated[str, Customer.name],
    postcode: Annotated[str, Customer.postcode],
) -> list[Customer]:
    """Look up customers by full name and postcode. Both have to match exactly; more than one
    customer may come back where people of the same name live close to each other.

    Args:
        full_name: First and last name as in the account, for example Ada Lindgren
        postcode: Postcode of the account
    """
    return list(db.all(Customer, name=full_name, postcode=postcode))


class ReturnQuote(TypedDict):
    """What the customer would get for sending lines back."""

    goods: Money
    fees: Money
    refund: Money


@domain.read(
    requires=[lines_of_one_order, OF_ORDER],
    tells={
        "refund": [
            "how much I would get back for {lines} from {order}, the reason being {reason}",
            "what I would be refunded if I returned {lines} from {order} because of {reason}",
        ],
        "fees": ["what fees there are on returning {lines} from {order} for {reason}"],
    },
)
def quote_return(db, order: Order, lines: Lines, reason: Reason) -> ReturnQuote:
    """Work out the refund for sending back lines of an order, without opening a return: the value
    of the goods after discounts, the restocking and label fees, and what remains.

    Args:
        lines: The lines to send back, all from this order
        reason: Why they come back
    """
    goods, fees, refund = return_terms(order, lines, reason)
    return {"goods": goods, "fees": fees, "refund": refund}


class ExchangeQuote(TypedDict):
    """What swapping a line would cost or give back."""

    to_charge: Money
    to_refund: Money
    in_stock: int


@domain.read(
    requires=[like_for_like, OF_LINE],
    tells={
        "to_charge": ["what I would have to pay on top for {variant} instead of {line}"],
        "to_refund": ["what I would get back if I took {variant} instead of {line}"],
    },
)
def quote_exchange(db, line: OrderLine, variant: OtherVariant) -> ExchangeQuote:
    """Work out the price difference for exchanging a line for another variant, without doing it."""
    difference = price_difference(line.unit_price, variant.price, line.quantity)
    to_charge, to_refund = sides_of(difference)
    return {"to_charge": to_charge, "to_refund": to_refund, "in_stock": variant.stock}


class AccountSummary(TypedDict):
    """A customer's dealings with the shop over a period."""

    orders: int
    spent: Money
    refunded: Money
    outstanding: Money
    store_credit: Money


@domain.read(
    requires=[customer_identified],
    tells={
        "spent": ["how much I have spent with you on orders since {since}"],
        "outstanding": ["what is still due on my orders since {since}"],
        "store_credit": ["how much credit there is on my gift cards, with orders since {since}"],
    },
)
def summarize_account(db, customer: Customer, since: Since) -> AccountSummary:
    """Add up what a customer has paid and got back since a day, over all orders placed on that day
    or later, with what is due on them now and the store credit on all gift cards. Cancelled orders
    are left out.

    Args:
        since: First day to count
    """
    orders = [
        order
        for order in customer.orders
        if is_counted(order.status, order.placed_at.date(), since)
    ]
    entries = [(payment.kind, payment.amount) for order in orders for payment in order.payments]
    return {
        "orders": len(orders),
        "spent": sum_of("charge", entries),
        "refunded": sum_of("refund", entries),
        "outstanding": sum(due(order) for order in orders if order.status == "pending"),
        "store_credit": sum(method.balance or 0 for method in customer.payment_methods),
    }


# ---------------------------------------------------------------- changing what is still pending

MONEY_OF_ORDER = sets("order", Order.discount, Order.shipping_fee, Order.total, Order.paid)
MONEY_OF_LINE = sets("line.order", Order.discount, Order.shipping_fee, Order.total, Order.paid)


@domain.write(
    requires=[not_in_order_yet, units_within_limit, enough_stock, OF_ORDER],
    changes=[
        stays("order", "pending"),
        creates(OrderLine),
        sets("variant", Variant.stock),
        MONEY_OF_ORDER,
        creates(Payment),
    ],
    ask=[
        "add {quantity} of {variant} to {order}",
        "put {quantity} of {variant} on {order} as well",
        "have {quantity} of {variant} sent along with {order}",
    ],
    outcome=outcome(quotes=["discount", "shipping_fee", "total", "paid"], mood="good"),
)
def add_order_line(db, order: Order, variant: Variant, quantity: Units) -> Order:
    """Add a variant to a pending order at today's price. Discount and shipping are worked out anew,
    and the units are set aside at once. Tell the customer what is now due; it has to be collected
    before the order can go to the warehouse.

    Args:
        quantity: Number of units, for example 2
    """
    variant.stock -= quantity
    db.create(OrderLine, order=order, variant=variant, quantity=quantity, unit_price=variant.price)
    reprice(db, order)
    return order


@domain.write(
    requires=[units_within_limit.on("line.variant"), stock_for_more, OF_LINE],
    changes=[
        stays("line", "ordered"),
        stays("line.order", "pending"),
        sets("line", OrderLine.quantity),
        sets("line.variant", Variant.stock),
        MONEY_OF_LINE,
        creates(Payment),
    ],
    errors={"quantity_unchanged": "The line has that quantity already."},
    ask=[
        "have {quantity} of {line} instead of {line.quantity}",
        "change the quantity of {line} to {quantity}",
        "make it {quantity} of {line}",
    ],
    outcome=outcome(quotes=["total", "paid"], mood="good"),
)
def set_line_quantity(db, line: OrderLine, quantity: NewUnits) -> Order:
    """Change how many units a line of a pending order has. More units make the order dearer; with
    fewer, what has been overpaid goes back to the card of the order at once.

    Args:
        quantity: The new number of units on the line, for example 3
    """
    if quantity == line.quantity:
        raise ToolError("quantity_unchanged")
    line.variant.stock -= quantity - line.quantity
    line.quantity = quantity
    reprice(db, line.order)
    return line.order


@domain.write(
    requires=[not_the_last_line, OF_LINE],
    changes=[
        stays("line.order", "pending"),
        deletes("line"),
        sets("line.variant", Variant.stock),
        MONEY_OF_LINE,
        creates(Payment),
    ],
    ask=[
        "take {line} off {line.order}",
        "remove {line} from {line.order}",
        "leave {line} out of {line.order}",
    ],
    outcome=outcome(quotes=["total", "paid"], mood="neutral"),
)
def remove_order_line(db, line: OrderLine) -> Order:
    """Take a line out of a pending order. Discount and shipping are worked out anew, which may make
    shipping payable again, and an overpaid amount goes back to the card of the order."""
    order, variant = line.order, line.variant
    variant.stock += line.quantity
    db.delete(line)
    reprice(db, order)
    return order


@domain.write(
    requires=[coupon_in_force, no_coupon_yet, coupon_unused, coupon_minimum_reached, OF_ORDER],
    changes=[
        stays("order", "pending"),
        sets("order", Order.coupon, Order.discount, Order.total, Order.paid),
        creates(Payment),
    ],
    ask=[
        "use {coupon} on {order}",
        "redeem {coupon} for {order}",
        "have the discount of {coupon} on {order}",
    ],
    outcome=outcome(quotes=["discount", "total", "paid"], mood="good"),
)
def apply_coupon(db, order: Order, coupon: Coupon) -> Order:
    """Apply a coupon code to a pending order, also when it has been paid already: what is then
    overpaid goes back to the card of the order. Take only a code that the customer names; don't
    look for one on their behalf."""
    order.coupon = coupon
    reprice(db, order)
    return order


@domain.write(
    requires=[OF_ORDER],
    changes=[
        stays("order", "pending"),
        sets("order", Order.coupon, Order.discount, Order.total),
    ],
    errors={"no_coupon": "There is no coupon on that order."},
    ask=[
        "take {order.coupon} off {order} again",
        "save {order.coupon} for another time and remove it from {order}",
    ],
    outcome=outcome(quotes=["total", "paid"], mood="neutral"),
)
def remove_coupon(db, order: Order) -> Order:
    """Take the coupon off a pending order. The discount is lost and becomes due, but the customer
    may use the code again."""
    if order.coupon is None:
        raise ToolError("no_coupon")
    order.coupon = None
    reprice(db, order)
    return order


@domain.write(
    requires=[address_in_book, address_deliverable, valuables_go_home, OF_ORDER],
    changes=[stays("order", ["pending", "processing"]), sets("order", Order.address)],
    errors={"same_address": "The order is going to that address already."},
    ask=[
        "have {order} sent to {address}",
        "change the delivery of {order} to {address}",
        "redirect {order} to {address} instead",
    ],
    outcome=outcome(quotes=["address", "city"], mood="good"),
)
def change_delivery_address(db, order: Order, address: Address) -> Order:
    """Send an order to another address of the customer's address book. That is possible until the
    parcel has been handed to the carrier. It doesn't clear a hold by itself."""
    if order.address is address:
        raise ToolError("same_address")
    order.address = address
    return order


@domain.write(
    requires=[
        method_in_wallet,
        card_in_date.on("payment_method"),
        within_balance_due,
        gift_card_covers,
        details_confirmed,
        OF_ORDER,
    ],
    changes=[
        stays("order", "pending"),
        sets("order", Order.paid),
        creates(Payment),
        sets("payment_method", PaymentMethod.balance),
    ],
    ask=[
        "pay {amount} of what I owe on {order} with {payment_method}",
        "put {amount} towards {order} from {payment_method}",
        "charge {amount} for {order} to {payment_method}",
    ],
    outcome=outcome(quotes=["total", "paid"], mood="good", irreversible=True),
)
def collect_payment(
    db,
    order: Order,
    payment_method: PaymentMethod,
    amount: Annotated[
        Money,
        Field(ge=1),
        drawn(part_payments),
    ],
) -> Order:
    """Take money towards a pending order that isn't fully paid, from any card or gift card in the
    customer's wallet. When a gift card isn't enough for the balance, take what it has and collect
    the rest from a card.

    Args:
        amount: How much to take, for example 25.00
    """
    charge(db, order, payment_method, amount, "order")
    return order


@domain.write(
    requires=[
        not_in_fraud_review,
        nothing_outstanding,
        address_deliverable.on("order.address"),
        OF_ORDER,
    ],
    changes=[stays("order", "pending"), sets("order", Order.hold)],
    errors={"not_on_hold": "There is no hold on that order."},
    ask=[
        "lift the hold on {order}",
        "have {order} taken off hold",
        "get {order} moving again, it says it's on hold",
    ],
    outcome=outcome(quotes=["hold"], mood="good"),
)
def clear_hold(db, order: Order) -> Order:
    """Clear a payment review or an address check from a pending order whose reason is settled. The
    order can then be sent to the warehouse, which is a step of its own."""
    if order.hold is None:
        raise ToolError("not_on_hold")
    order.hold = None
    return order


@domain.write(
    requires=[no_hold, nothing_outstanding, details_confirmed, OF_ORDER],
    changes=[moves("order", "pending", to="processing"), sets("order", Order.released_at)],
    ask=[
        "send {order} to the warehouse",
        "get {order} on its way",
        "have {order} packed as it is now",
    ],
    outcome=outcome(quotes=["total", "address"], mood="good", irreversible=True),
)
def send_to_warehouse(db, order: Order) -> Order:
    """Release a pending order for packing. From then on its lines, its coupon and its payments are
    fixed, and it can be cancelled for {CANCEL_HOURS} more hours only; so make sure that the
    customer has no further changes in mind."""
    order.status, order.released_at = "processing", db.now
    return order


@domain.write(
    requires=[not_in_fraud_review, cancelled_in_time, details_confirmed, OF_ORDER],
    changes=[
        moves("order", ["pending", "processing"], to="cancelled"),
        sets("order", Order.paid, Order.hold, Order.cancelled_at),
        creates(Payment),
        sets("order.lines.variant", Variant.stock),
    ],
    ask=["cancel {order}", "call off {order}", "stop {order}, I don't need it any more"],
    outcome=outcome(quotes=["status", "total"], mood="bad", irreversible=True),
)
def cancel_order(db, order: Order) -> Order:
    """Cancel a whole order before it is packed. Everything that was paid goes back to the card that
    the order was placed with, also what was collected from a gift card, and the goods return to
    stock. A cancelled order can't be revived. To drop single articles, remove their lines."""
    if order.paid:
        pay_back(db, order, order.payment_method, order.paid, "cancellation")
    for line in order.lines:
        line.variant.stock += line.quantity
    order.status, order.hold, order.cancelled_at = "cancelled", None, db.now
    return order


# ---------------------------------------------------------------- after delivery


@domain.write(
    requires=[
        in_return_window,
        lines_of_one_order,
        not_final_sale,
        lines_still_kept,
        one_return_at_a_time,
        refund_goes_home,
        no_return_beside_exchange,
        bundles_stay_whole,
        details_confirmed,
        OF_ORDER,
    ],
    changes=[
        stays("order", ["delivered", "partially_returned"]),
        creates(ReturnRequest),
        moves("lines", "ordered", to="returning"),
        sets("lines", OrderLine.return_request),
    ],
    ask=[
        "return {lines} from {order} because of {reason}, with the refund to {payment_method}",
        "send back {lines} from {order} for {reason} and get the money on {payment_method}",
        "have {lines} from {order} taken back on grounds of {reason} and refunded to "
        "{payment_method}",
    ],
    outcome=outcome(quotes=["goods", "fees", "refund"], mood="neutral"),
)
def request_return(
    db, order: Order, lines: Lines, reason: Reason, payment_method: PaymentMethod
) -> ReturnRequest:
    """Open a return for one or more lines of a delivered order; a line comes back with all its
    units. Ask for the reason, because the fees depend on it, and quote value, fees and refund
    before the customer agrees. The refund is promised now and paid out after the warehouse has
    received the goods.

    Args:
        lines: All the lines to send back, at least one
        reason: Why they come back
        payment_method: Where the refund goes: the card of the order or a gift card
    """
    goods, fees, refund = return_terms(order, lines, reason)
    request = db.create(
        ReturnRequest,
        order=order,
        payment_method=payment_method,
        reason=reason,
        goods=goods,
        fees=fees,
        refund=refund,
        requested_on=db.today,
    )
    for line in lines:
        line.status, line.return_request = "returning", request
    return request


@domain.write(
    requires=[OF_RETURN],
    changes=[
        moves("return_request", "requested", to="cancelled"),
        moves("return_request.lines", "returning", to="ordered"),
        sets("return_request.lines", OrderLine.return_request),
    ],
    ask=[
        "cancel {return_request}, I'm keeping everything",
        "call off {return_request}",
        "keep what I wanted to send back with {return_request}",
    ],
    outcome=outcome(quotes=["status"], mood="neutral"),
)
def cancel_return(db, return_request: ReturnRequest) -> ReturnRequest:
    """Call off a return that hasn't reached the warehouse. The customer keeps all its lines. A new
    return can be opened as long as the return period runs."""
    for line in return_request.lines:
        line.status, line.return_request = "ordered", None
    return_request.status = "cancelled"
    return return_request


@domain.write(
    requires=[
        refund_goes_home.on("return_request.order"),
        OF_RETURN,
    ],
    changes=[
        stays("return_request", ["requested", "received"]),
        sets("return_request", ReturnRequest.payment_method),
    ],
    errors={"same_method": "The refund is going there already."},
    ask=[
        "have the refund for {return_request} sent to {payment_method}",
        "redirect the money from {return_request} to {payment_method}",
        "get the refund of {return_request} on {payment_method} instead",
    ],
    outcome=outcome(quotes=["refund"], mood="good"),
)
def redirect_refund(
    db, return_request: ReturnRequest, payment_method: PaymentMethod
) -> ReturnRequest:
    """Choose another destination for the refund of a return, as long as it hasn't been paid out.
    The amount stays as it was promised."""
    if return_request.payment_method is payment_method:
        raise ToolError("same_method")
    return_request.payment_method = payment_method
    return return_request


@domain.write(
    requires=[
        refund_can_arrive,
        details_confirmed,
        OF_RETURN,
    ],
    changes=[
        moves("return_request", "received", to="refunded"),
        moves("return_request.lines", "returning", to="returned"),
        moves(
            "return_request.order",
            ["delivered", "partially_returned"],
            to=["partially_returned", "returned"],
        ),
        sets("return_request.order", Order.paid),
        creates(Payment),
        sets("return_request.payment_method", PaymentMethod.balance),
        sets("return_request.lines.variant", Variant.stock),
    ],
    ask=[
        "pay out the refund for {return_request}",
        "get my money for {return_request}",
        "have {return_request} refunded, you've received it",
    ],
    outcome=outcome(quotes=["refund", "status"], mood="good", irreversible=True),
)
def issue_refund(db, return_request: ReturnRequest) -> ReturnRequest:
    """Pay out the refund of a return that the warehouse has received, exactly as promised. Sound
    goods go back into stock, damaged ones don't. Once nothing of an order is left with the
    customer, the whole order counts as returned."""
    order, method = return_request.order, return_request.payment_method
    for line in return_request.lines:
        line.status = "returned"
        if return_request.reason != "damage":
            line.variant.stock += line.quantity
    if return_request.refund:
        pay_back(db, order, method, return_request.refund, "return")
    everything = all(line.status == "returned" for line in order.lines)
    return_request.status = "refunded"
    order.status = "returned" if everything else "partially_returned"
    return return_request


@domain.write(
    requires=[
        in_return_window.on("line.order"),
        like_for_like,
        enough_stock.on(variant="variant", quantity="line.quantity"),
        card_in_date.on("line.order.payment_method"),
        no_exchange_beside_return.on("line.order"),
        details_confirmed,
        OF_LINE,
    ],
    changes=[
        stays("line.order", ["delivered", "partially_returned"]),
        moves("line", "ordered", to="exchanging"),
        sets("line", OrderLine.variant, OrderLine.unit_price),
        creates(Exchange),
        creates(Payment),
        sets("line.order", Order.total, Order.paid),
        sets("variant", Variant.stock),
    ],
    ask=[
        "exchange {line} for {variant}",
        "swap {line} for {variant}",
        "have {variant} instead of {line}",
    ],
    outcome=outcome(quotes=["charged", "refunded"], mood="good"),
)
def exchange_line(db, line: OrderLine, variant: OtherVariant) -> Exchange:
    """Swap a delivered line for another variant of the same product at today's price, with all its
    units. A higher price is charged to the card of the order, a lower one credited to it, at once.
    The new goods are set aside and leave when the old ones have arrived. A line that has been
    exchanged can be neither exchanged again nor returned."""
    order, old_variant, old_price = line.order, line.variant, line.unit_price
    line.variant, line.unit_price, line.status = variant, variant.price, "exchanging"
    variant.stock -= line.quantity
    difference = price_difference(old_price, variant.price, line.quantity)
    settle_difference(db, order, difference)
    charged, refunded = sides_of(difference)
    return db.create(
        Exchange,
        order=order,
        line=line,
        old_variant=old_variant,
        old_price=old_price,
        charged=charged,
        refunded=refunded,
        made_on=db.today,
    )


def settle_difference(db, order: Order, difference: Money, day=None) -> None:
    """Charge a higher price to the card of the order, or give a lower one back."""
    order.total += difference
    if difference > 0:
        charge(db, order, order.payment_method, difference, "exchange", day)
    elif difference < 0:
        pay_back(db, order, order.payment_method, -difference, "exchange", day)


@domain.write(
    requires=[
        card_in_date.on("exchange.order.payment_method"),
        customer_identified.on("exchange.order.customer"),
    ],
    changes=[
        moves("exchange", "open", to="cancelled"),
        moves("exchange.line", "exchanging", to="ordered"),
        sets("exchange.line", OrderLine.variant, OrderLine.unit_price),
        creates(Payment),
        stays("exchange.order", ["delivered", "partially_returned"]),
        sets("exchange.order", Order.total, Order.paid),
        sets("exchange.line.variant", Variant.stock),
    ],
    ask=[
        "cancel {exchange}, I'm keeping the old one",
        "undo {exchange}",
        "keep the old one after all and stop {exchange}",
    ],
    outcome=outcome(quotes=["charged", "refunded", "status"], mood="neutral"),
)
def cancel_exchange(db, exchange: Exchange) -> Exchange:
    """Undo an exchange that hasn't been completed. The customer keeps the old variant, and the
    price difference is given back, or taken back, over the card of the order."""
    line, order = exchange.line, exchange.order
    line.variant.stock += line.quantity
    line.variant, line.unit_price = exchange.old_variant, exchange.old_price
    line.status, exchange.status = "ordered", "cancelled"
    settle_difference(db, order, exchange.refunded - exchange.charged)
    return exchange


@domain.write(
    requires=[
        price_has_dropped,
        price_match_in_time.on("line.order"),
        no_price_match_on_coupons.on("line.order"),
        OF_LINE,
    ],
    changes=[
        stays("line.order", ["shipped", "delivered", "partially_returned"]),
        stays("line", "ordered"),
        sets("line", OrderLine.unit_price),
        sets("line.order", Order.total, Order.paid),
        creates(Payment),
    ],
    ask=[
        "match today's lower price for {line}",
        "get the difference back for {line}, it's cheaper now",
        "have the price drop on {line} refunded",
    ],
    outcome=outcome(quotes=["amount"], mood="good"),
)
def match_price(db, line: OrderLine) -> Payment:
    """Give back the difference between the price paid for a line and today's lower price, for all
    its units, to the card of the order. The customer need not send anything back. While an order is
    with the desk or the warehouse, wait until it has been shipped."""
    order = line.order
    difference = price_difference(line.variant.price, line.unit_price, line.quantity)
    line.unit_price = line.variant.price
    order.total -= difference
    return pay_back(db, order, order.payment_method, difference, "price_match")


@domain.write(
    requires=[
        goodwill_within_limit,
        one_goodwill_credit,
        card_in_date.on("order.payment_method"),
        OF_ORDER,
    ],
    changes=[stays("order", ["shipped", "delivered", "partially_returned"]), creates(Payment)],
    ask=[
        "get {amount} of goodwill for the trouble with {order}",
        "have {amount} credited for {order} as an apology",
        "receive {amount} as compensation for {order}",
    ],
    outcome=outcome(quotes=["amount"], mood="good"),
)
def grant_goodwill_credit(
    db,
    order: Order,
    amount: Annotated[Money, Field(ge=1), drawn(goodwill_wishes)],
) -> Payment:
    """Credit a small amount to the card of an order as an apology, when a parcel came late, goods
    were faulty or we made a mistake. Never offer it unasked, or as a discount. Grant what the
    customer asks for where it lies within the limit of the tier; otherwise refuse it, and let the
    customer name a smaller sum.

    Args:
        amount: Amount of the credit, for example 10.00
    """
    return book(db, order, order.payment_method, "refund", amount, "goodwill")


@domain.write(
    requires=[],
    changes=[creates(Escalation)],
    handover=True,
    ask=[
        "speak to a colleague of yours about the {reason}",
        "be put through to somebody who handles the {reason}",
    ],
    outcome=outcome(mood="neutral"),
)
def hand_over_to_colleague(
    db,
    customer: Customer,
    reason: Literal["fraud_review", "account_details", "lost_parcel", "legal_claim", "complaint"],
) -> Escalation:
    """Pass the conversation on to a colleague, and say so. Do it when a customer insists on an
    order in fraud review (fraud_review), wants a name, e-mail, card or address entered or changed
    (account_details), misses a parcel that the carrier reports as lost (lost_parcel), mentions an
    injury, a lawyer or the authorities (legal_claim), or complains about our service and asks
    plainly for a person (complaint). What a rule forbids is refused and not passed on.

    Args:
        reason: Why a colleague has to take over
    """
    return db.create(Escalation, customer=customer, reason=reason)


domain.situation("The shoes pinch at the toes.", leads_to=["exchange_line", "request_return"])
domain.situation(
    "I've just seen my order still says pending.",
    leads_to=["collect_payment", "clear_hold", "send_to_warehouse"],
)
domain.situation(
    "I'm staying with my parents for the next two weeks.",
    leads_to=["change_delivery_address", "cancel_order"],
)
domain.situation(
    "It's a present, and my brother wants one too.",
    leads_to=["set_line_quantity", "add_order_line"],
)
domain.situation(
    "Money is a bit tight this month.",
    leads_to=["remove_order_line", "apply_coupon", "cancel_order"],
)
domain.situation("You advertise it for less now.", leads_to=["match_price", "request_return"])
domain.situation(
    "I sent a parcel back and still see no money.", leads_to=["issue_refund", "redirect_refund"]
)
domain.situation(
    "My daughter says she'd love to keep it.", leads_to=["cancel_return", "cancel_exchange"]
)
domain.situation(
    "The parcel took ages to arrive.", leads_to=["grant_goodwill_credit", "hand_over_to_colleague"]
)
domain.situation(
    "I'd rather keep that discount for Christmas.", leads_to=["remove_coupon", "apply_coupon"]
)


# ---------------------------------------------------------------- a working day's records

CATALOGUE = (  # title, code, category, colours, sizes, price, step from size to size
    ("Ridgeline trail shoe", "RDG", "footwear", ("slate", "moss"), ("41", "42", "43"), 11900, 0),
    ("Orbit GPS watch", "ORB", "electronics", ("black", "sand"), ("42 mm", "46 mm"), 24900, 3000),
    ("Ember iron pan", "EMB", "kitchen", ("black",), ("20 cm", "24 cm", "28 cm"), 4900, 1200),
    ("Heron rain jacket", "HRN", "outerwear", ("navy", "rust"), ("S", "M", "L"), 18900, 0),
    (
        "Cedar shave set",
        "CDR",
        "personal_care",
        ("oak", "walnut"),
        ("travel", "full"),
        3900,
        1500,
    ),
    ("Lumen headlamp", "LMN", "electronics", ("grey", "orange"), ("300 lm", "500 lm"), 4500, 1500),
    ("Ridgeline hiking boot", "RHB", "footwear", ("slate", "tan"), ("41", "42", "43"), 15900, 0),
    (
        "Larch kettle",
        "LRC",
        "kitchen",
        ("steel", "copper"),
        ("0.6 l", "1.0 l"),
        6900,
        900,
    ),
    ("Fjord down vest", "FJD", "outerwear", ("navy", "olive"), ("S", "M", "L"), 12900, 0),
    ("Pine tar soap set", "PTS", "personal_care", ("classic",), ("six", "three"), 3900, -1500),
    ("Juniper knife block", "JNP", "kitchen", ("ash", "walnut"), ("five", "seven"), 13900, 4000),
    ("Skiff canvas sneaker", "SKF", "footwear", ("white", "navy"), ("41", "42", "43"), 7900, 0),
)
COUPONS = (  # code, percent, minimum, last day from today, bundle
    ("WELCOME10", 10, 3000, 200, False),
    ("SPRING15", 15, 9000, 20, False),
    ("BUNDLE20", 20, 12000, 12, True),
    ("TRAIL12", 12, 15000, 0, False),
    ("WINTER25", 25, 5000, -9, False),
    ("FLASH30", 30, 6000, -1, False),
)
# What becomes of an order. Every customer has the first two, and one thing under way; the other
# plots go round, so that three customers see what each tool needs, and eight see everything.
EVERYBODY = (
    {"status": "pending", "age": 1},
    {"status": "delivered", "age": 9, "arrived": 4, "lines": 3},
)
UNDER_WAY = (
    {"status": "delivered", "age": 14, "arrived": 9, "back": "requested", "lines": 2},
    {"status": "delivered", "age": 8, "arrived": 3, "swap": "open", "lines": 2},
    {"status": "delivered", "age": 20, "arrived": 13, "back": "received"},
)
PLOTS = (
    {"status": "pending", "age": 2, "hold": "payment_review", "unpaid": True},
    {"status": "processing", "age": 0, "released": CANCEL_HOURS - 9},
    {"status": "delivered", "age": 26, "arrived": 19, "back": "received", "to_card": "expired"},
    {"status": "pending", "age": 3, "hold": "address_check", "to": "work"},
    {"status": "pending", "age": 2, "coupon": 0, "unpaid": True, "lines": 2},
    {"status": "delivered", "age": 14, "arrived": 9, "dropped": True},
    {"status": "delivered", "left": 0, "goodwill": True},
    {"status": "processing", "age": 1, "released": CANCEL_HOURS + 1},
    {"status": "delivered", "age": 18, "arrived": 12, "coupon": 2, "lines": 3},
    {"status": "delivered", "age": 27, "arrived": 20, "back": "received", "to_card": "gift card"},
    {"status": "pending", "age": 4, "hold": "fraud_review"},
    {"status": "delivered", "left": -1, "lines": 2},
    {"status": "shipped", "age": 6, "parcel": "in_transit"},
    {"status": "delivered", "age": 35, "arrived": 29, "back": "refunded", "lines": 3},
    {"status": "pending", "age": 1, "hold": "address_check", "to": "cabin", "unpaid": True},
    {"status": "delivered", "age": 15, "arrived": 10, "dropped": True, "goodwill": True},
    {"status": "cancelled", "age": 12, "coupon": 1},
    {"status": "delivered", "age": 33, "arrived": 27, "swap": "completed", "lines": 2},
    {"status": "delivered", "age": 13, "arrived": 8, "dropped": True, "coupon": 3, "lines": 2},
    {"status": "delivered", "age": 41, "arrived": 35, "back": "refunded"},
    {"status": "shipped", "age": 11, "parcel": "lost", "coupon": 4},
    {
        "status": "delivered",
        "age": 30,
        "arrived": 24,
        "back": "cancelled",
        "coupon": 5,
        "goodwill": True,
    },
    {"status": "delivered", "age": 22, "arrived": 16, "swap": "cancelled", "lines": 2},
    {"status": "pending", "age": 2, "unpaid": True, "lines": 2},
    {"status": "shipped", "age": 7, "parcel": "in_transit", "dropped": True},
    {
        "status": "delivered",
        "age": 30,
        "arrived": 25,
        "swap": "open",
        "to_card": "expired",
        "lines": 2,
    },
    {"status": "pending", "age": 1, "coupon": 2, "short": True},
    {
        "status": "delivered",
        "age": 12,
        "arrived": 9,
        "back": "received",
        "dropped": True,
        "lines": 2,
    },
    {"status": "pending", "age": 2, "hold": "address_check", "to": "cabin"},
    {
        "status": "delivered",
        "age": 28,
        "arrived": 22,
        "back": "refunded",
        "again": "received",
        "lines": 3,
    },
    {
        "status": "delivered",
        "age": 17,
        "arrived": 12,
        "back": "received",
        "swap": "open",
        "lines": 3,
    },
)
PLOTS_EACH = 4
STREETS = ("Harbour Street", "Mill Road", "Lake Lane", "Market Place")
CITIES = (("Ashford", "AF"), ("Dunmore", "DM"), ("Fairmont", "FM"), ("Coldharbour", "CH"))


def fill_catalogue(w: Seeder) -> list[list[Variant]]:
    """Variants by product. Of each product the first variant is sold out, the last one nearly."""
    shelves = []
    for title, code, category, colors, sizes, price, step in CATALOGUE[: max(5, w.scaled(12))]:
        product = w.add(Product, title=title, category=category)
        wanted = [(color, n, size) for color in colors for n, size in enumerate(sizes)]
        shelf = []
        for color, n, size in wanted:
            stock = {0: 0, len(wanted) - 1: 1}.get(len(shelf), w.rng.randint(4, 40))
            sku = f"{code}-{color[:3]}-{size.replace(' ', '')}".upper()
            shelf.append(
                w.add(
                    Variant,
                    sku=sku,
                    product=product,
                    color=color,
                    size=size,
                    price=price + n * step,
                    stock=stock,
                )
            )
        shelves.append(shelf)
    return shelves


def add_customer(w: Seeder, number: int, person) -> Customer:
    """An account with two or three addresses, a good card, an old one and a gift card."""
    tier = ("basic", "gold", "silver")[number % 3]
    customer = w.add(
        Customer,
        name=person.name,
        email=person.email,
        phone=person.phone,
        postcode=person.postcode,
        tier=tier,
        joined_on=w.day(-1500, -90),
    )
    w.add(
        Address,
        customer=customer,
        nickname="home",
        street=person.street,
        city=person.city,
        postcode=person.postcode,
        deliverable=True,
    )
    for nickname in ("work", "cabin" if number % 2 else "parents"):
        city, area = w.pick(CITIES)
        w.add(
            Address,
            customer=customer,
            nickname=nickname,
            city=city,
            street=f"{w.rng.randint(2, 90)} {w.pick(STREETS)}",
            postcode=f"{area}{w.rng.randint(10, 99)}",
            deliverable=nickname != "cabin",
        )
    for brand, low, high in (("Visa", 90, 900), (w.pick(("Mastercard", "Amex")), -20, -3)):
        w.add(
            PaymentMethod,
            customer=customer,
            kind="card",
            brand=brand,
            last_four=f"{w.rng.randint(1000, 9999)}",
            expires_on=w.day(low, high),
        )
    balance = (GIFT_CARD_LIMIT - 1500, 2500, 7500, 0)[number % 4]
    w.add(
        PaymentMethod,
        customer=customer,
        kind="gift_card",
        brand="gift card",
        last_four=f"{w.rng.randint(1000, 9999)}",
        balance=balance,
    )
    return customer


def choose_goods(w: Seeder, shelves: list[list[Variant]], number: int, plot) -> list[Variant]:
    """Variants of the customer's three favourite products, so that orders resemble each other.

    A `short` order is one step below the minimum of its coupon.
    """
    if "short" in plot:
        return shelves[0][1:2]
    places = [(number + n) % len(shelves) for n in (0, 1, 3)]
    pool = [
        variant
        for place in places
        for variant in shelves[place]
        if "back" not in plot or variant.product.category != FINAL_SALE
    ]
    count = plot.get("lines", 1)
    if "coupon" not in plot:
        return w.rng.sample(pool, count)
    drawn_goods = w.rng.sample(pool, min(len(pool), 2 * count))
    return sorted(drawn_goods, key=lambda variant: (-variant.price, variant.sku))[:count]


def when_placed(w: Seeder, customer: Customer, plot) -> tuple[datetime, int | None]:
    """When an order of this plot was placed, and how many days ago it arrived."""
    arrived = plot.get("arrived")
    if "left" in plot:
        arrived = RETURN_DAYS[customer.tier] - plot["left"]
    age = plot.get("age", (arrived or 0) + 5)
    if age == 0:
        return w.now - timedelta(hours=5), arrived
    shift = w.rng.randint(0, 2) if "back" in plot or "swap" in plot else 0
    day = datetime.combine(w.today - timedelta(days=age + shift), datetime.min.time())
    return day + timedelta(hours=w.rng.randint(7, 19), minutes=w.rng.randint(0, 59)), arrived


def add_order(w: Seeder, number: int, customer: Customer, goods, plot, placed_at, arrived) -> Order:
    """The order of one plot with its lines, its first payment and its parcel."""
    cards = {
        x.brand if x.kind == "gift_card" else ("expired", "good")[in_date(w.db, x)]: x
        for x in customer.payment_methods
    }
    addresses = {address.nickname: address for address in customer.addresses}
    status = plot["status"]
    order = w.add(
        Order,
        customer=customer,
        placed_at=placed_at,
        hold=plot.get("hold"),
        status=status,
        payment_method=cards["expired" if plot.get("to_card") == "expired" else "good"],
        address=addresses.get(plot.get("to"), addresses["home"]),
        coupon=w.db.get(Coupon, COUPONS[plot["coupon"]][0]) if "coupon" in plot else None,
        delivered_on=None if arrived is None else w.today - timedelta(days=arrived),
        cancelled_at=placed_at + timedelta(hours=3) if status == "cancelled" else None,
    )
    if status not in ("pending", "cancelled"):
        hours = plot.get("released")
        order.released_at = (
            placed_at + timedelta(hours=4) if hours is None else (w.now - timedelta(hours=hours))
        )
    for place, variant in enumerate(goods):
        most = MAX_UNITS[variant.product.category]
        at_limit = (status, place, number % 3) == ("pending", 0, 2) and "short" not in plot
        quantity = most if at_limit else min(most, 2 if "coupon" in plot else w.pick((1, 1, 1, 2)))
        quantity = 1 if "short" in plot else quantity
        reduced = "dropped" in plot or (status == "delivered" and place == 1 and number % 2 == 0)
        rise = percent_of(variant.price, 12) if reduced else 0
        w.add(
            OrderLine,
            order=order,
            variant=variant,
            quantity=quantity,
            unit_price=variant.price + rise,
        )
    reprice(w.db, order)
    unpaid = value_of([order.lines[-1]]) if "unpaid" in plot and len(goods) > 1 else order.total
    first = order.total - min(order.total, unpaid) if "unpaid" in plot else order.total
    if first:
        charge(w.db, order, order.payment_method, first, "order", placed_at.date())
    if status == "cancelled":
        pay_back(w.db, order, order.payment_method, order.paid, "cancellation", placed_at.date())
    if status in ("shipped", "delivered"):
        add_parcel(w, order, plot)
    return order


def add_parcel(w: Seeder, order: Order, plot) -> None:
    expected = order.delivered_on or order.placed_at.date() + timedelta(days=7)
    carrier = w.pick(("Norrpost", "Swiftline"))
    w.add(
        Shipment,
        tracking_number=f"{carrier[:2].upper()}{order.id[2:]}{w.rng.randint(100, 999)}",
        order=order,
        carrier=carrier,
        status=plot.get("parcel", "delivered"),
        expected_on=expected - timedelta(days=w.rng.randint(0, 1)),
    )


def add_return(w: Seeder, order: Order, plot, number: int) -> None:
    """Send back all lines but the last (or the only one), up to the stage that the plot names."""
    kept = [line for line in order.lines if line.status == "ordered"]
    stage, lines = plot["back"], kept[: max(1, len(kept) - 1)]
    reason = ("wrong_size", "change_of_mind", "damage", "change_of_mind")[number % 4]
    goods, fees, refund = return_terms(order, lines, reason)
    method = order.payment_method
    if plot.get("to_card") == "gift card":  # just too full for this refund
        method = next(x for x in order.customer.payment_methods if x.kind == "gift_card")
        method.balance = GIFT_CARD_LIMIT - refund // 2
    requested_on = order.delivered_on + timedelta(days=w.rng.randint(1, 3))
    request = w.add(
        ReturnRequest,
        order=order,
        payment_method=method,
        reason=reason,
        goods=goods,
        fees=fees,
        refund=refund,
        requested_on=requested_on,
        status=stage,
    )
    if stage == "cancelled":
        return
    for line in lines:
        line.return_request, line.status = request, "returning"
        if stage == "refunded":
            line.status = "returned"
    if stage == "refunded":
        pay_back(w.db, order, method, refund, "return", requested_on + timedelta(days=8))
        order.status = "returned" if len(lines) == len(order.lines) else "partially_returned"


def add_exchange(w: Seeder, order: Order, stage: str, shelves: list[list[Variant]]) -> None:
    """Swap the first line that is kept for another variant, a few days after delivery."""
    line = next(line for line in order.lines if line.status == "ordered")
    day = order.delivered_on + timedelta(days=2)
    shelf = next(shelf for shelf in shelves if line.variant in shelf)
    new = w.pick([variant for variant in shelf if variant is not line.variant])
    old, old_price = line.variant, line.unit_price
    difference = (new.price - old_price) * line.quantity
    settle_difference(w.db, order, difference, day)
    if stage == "cancelled":
        settle_difference(w.db, order, -difference, day + timedelta(days=1))
    else:
        line.variant, line.unit_price = new, new.price
        line.status = "exchanging" if stage == "open" else "exchanged"
    w.add(
        Exchange,
        order=order,
        line=line,
        old_variant=old,
        old_price=old_price,
        charged=max(0, difference),
        refunded=max(0, -difference),
        made_on=day,
        status=stage,
    )


@domain.seed
def seed(w: Seeder) -> None:
    shelves = fill_catalogue(w)
    for code, percent, minimum, days, bundle in COUPONS:
        w.add(
            Coupon,
            code=code,
            percent=percent,
            minimum=minimum,
            bundle=bundle,
            last_day=w.today + timedelta(days=days),
        )
    planned = []
    for number, person in enumerate(w.people(w.scaled(12))):
        customer = add_customer(w, number, person)
        turn = range(number * PLOTS_EACH, (number + 1) * PLOTS_EACH)
        plots = [*EVERYBODY, UNDER_WAY[number % 3], *(PLOTS[n % len(PLOTS)] for n in turn)]
        for plot in plots:
            placed_at, arrived = when_placed(w, customer, plot)
            planned.append((placed_at, len(planned), number, customer, plot, arrived))
    for placed_at, _, number, customer, plot, arrived in sorted(planned, key=lambda x: x[:2]):
        goods = choose_goods(w, shelves, number, plot)
        order = add_order(w, number, customer, goods, plot, placed_at, arrived)
        if "back" in plot:
            add_return(w, order, plot, number)
        if "again" in plot:
            add_return(w, order, {**plot, "back": plot["again"]}, number)
        if "swap" in plot:
            add_exchange(w, order, plot["swap"], shelves)
        if "goodwill" in plot:
            book(
                w.db,
                order,
                order.payment_method,
                "refund",
                500,
                "goodwill",
                order.delivered_on + timedelta(days=1),
            )
