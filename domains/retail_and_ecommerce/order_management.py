"""The order desk of a web shop: order lines, balances, coupons, returns, exchanges and refunds."""

from datetime import date, datetime, time, timedelta
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
    version=3,
    category="Retail and E-commerce",
    today=datetime(2026, 5, 12, 10, 15),
    role="order desk agent of Alder & Pine, a web shop for outdoor and household goods",
    access="staff",
    without_tool="technical_fault",
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
SOME_MONEY = 2500
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
CANCEL_HOURS, PRICE_MATCH_DAYS, BUNDLE_LINES = 12, 14, 2
FINAL_SALE = "personal_care"
OUR_FAULT = ("damaged_item", "wrong_item")

Category = Literal["footwear", "outerwear", "electronics", "kitchen", "personal_care"]
Reason = Literal["change_of_mind", "wrong_size", "damaged_item", "wrong_item"]
Matter = Literal[
    "fraud_review", "account_details", "lost_parcel", "legal_claim", "complaint", "technical_fault"
]


STATE_WORDS = {
    "asks": [
        "where {it} stands",
        "how {it} is coming along",
        "what the state of {it} is",
        "how far {it} has got",
    ],
    "told": [
        "{it} is {value}",
        "{it} is {value} at the moment",
        "our records have {it} as {value}",
        "as things stand, {it} is {value}",
        "{it} is listed as {value}",
        "the computer shows {it} as {value}",
    ],
}


class Customer(
    domain.Entity,
    key=counted("C-{:06d}", start=204881, step=23),
    identity=True,
    label="{self.name}",
    called=["my account", "my customer account", "my account with you"],
):
    """A person with an account at the shop. The loyalty tier (basic, silver or gold) decides how
    long goods may be sent back, what a return label costs and how large a goodwill credit may be.
    """

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    phone: Mapped[str] = column(says="phone number")
    postcode: Mapped[str]
    tier: Mapped[Literal["basic", "silver", "gold"]] = column(
        says="loyalty tier",
        asks=["which loyalty tier {it} is in", "what tier {it} has", "what status {it} has"],
        told=[
            "{it} is in the {value} tier",
            "{it} has {value} status",
            "{it} is at {value} level",
            "the loyalty level of {it} is {value}",
        ],
    )
    joined_on: Mapped[date] = column(
        says="customer since",
        asks=["how long {it} has existed", "when {it} was opened", "how old {it} is"],
        told=[
            "{it} was opened on {value}",
            "{it} has existed since {value}",
            "{it} is from {value}",
        ],
    )


class Address(
    domain.Entity,
    key=counted("AD{:05d}", start=30210, step=7),
    label="the {self.nickname} address in {self.city}",
    plural="addresses",
    called=[
        "my {nickname} address",
        "my {nickname} address in {city}",
        "my address in {city}",
        "the {nickname} address in my address book",
    ],
):
    """An entry of a customer's address book. The home address is the one cards are billed to. An
    address counts as deliverable once the carrier has recognised it; new entries start without.
    """

    customer: Mapped[Customer] = ref(owner=True)
    nickname: Mapped[Literal["home", "work", "studio", "cabin"]] = column(says="address")
    street: Mapped[str]
    city: Mapped[str]
    postcode: Mapped[str]
    deliverable: Mapped[bool]


class PaymentMethod(
    domain.Entity,
    key=hashed("pm_", 10),
    label="the {self.brand} ending in {self.last_four}",
    called=[
        "my {brand}",
        "my {brand} ending in {last_four}",
        "the {brand} that ends in {last_four}",
        "my {brand}, the one with {last_four} at the end",
    ],
    superlatives={
        "expires_on": ("that expires first", "that is valid for longest"),
        "balance": ("that has the least money on it", "that has the most money on it"),
    },
):
    """A card or a gift card in a customer's wallet. Cards have an expiry date, gift cards have a
    balance. Store credit is always kept as gift card balance.
    """

    customer: Mapped[Customer] = ref(owner=True)
    kind: Mapped[Literal["card", "gift_card"]]
    brand: Mapped[Literal["Visa", "Mastercard", "Amex", "gift card"]]
    last_four: Mapped[str] = column(says="last four digits")
    expires_on: Mapped[date | None] = column(
        None,
        says="expiry date",
        asks=["when {it} expires", "until when {it} is good", "how long {it} can be used"],
        told=[
            "{it} is good until {value}",
            "{it} can be used until {value}",
            "the last day of {it} is {value}",
        ],
    )
    balance: Mapped[Money | None] = column(
        None,
        ge=0,
        asks=[
            "how much is left on {it}",
            "what the balance of {it} is",
            "how much {it} still has on it",
        ],
        told=[
            "there is {value} left on {it}",
            "the balance of {it} is {value}",
            "you can still spend {value} from {it}",
            "{it} still holds {value}",
        ],
    )


class Product(
    domain.Entity,
    key=counted("P{:04d}", start=1180, step=9),
    label="the {self.title}",
    called=["the {title}", "your {title}", "the {title} in your catalogue"],
):
    """An article of the catalogue. It is bought as one of its variants."""

    title: Mapped[str]
    category: Mapped[Category]


class Variant(
    domain.Entity,
    key=natural("sku"),
    label="the {self.color} {self.product.title} in {self.size}",
    shows={"title": "product.title", "category": "product.category"},
    plural="articles",
    called=[
        "the {color} {product.title} in {size}",
        "the {color} {product.title} that you have in {size}",
        "the {color} {product.title}",
        "your {product.title} in {color}",
        "the {product.title} in {color} and {size}",
    ],
    superlatives={"price": ("that costs least", "that costs most")},
):
    """One colour and size of a product, with today's price and the units free to sell."""

    sku: Mapped[str]
    product: Mapped[Product] = ref(back="variants")
    color: Mapped[str]
    size: Mapped[str]
    price: Mapped[Money] = column(
        ge=0,
        asks=["what {it} costs today", "how much you want for {it}", "what the price of {it} is"],
        told=[
            "{it} costs {value} today",
            "the price of {it} is {value} today",
            "we are selling {it} at {value}",
            "{it} is on sale for {value}",
        ],
    )
    stock: Mapped[int] = column(
        ge=0,
        says="units in stock",
        asks=[
            "how many you have of {it}",
            "how many units of {it} are in stock",
            "what your stock of {it} is",
        ],
        told=[
            "the stock of {it} is {value}",
            "we have {value} of {it} in stock",
            "{value} of {it} can still be had",
        ],
    )


class Coupon(
    domain.Entity,
    key=natural("code"),
    label="the coupon {self.code}",
    called=["the coupon {code}", "the code {code}", "my {code} code", "the {code} coupon"],
):
    """A discount code: a percentage off the goods, from a minimum value of goods, up to and
    including its last day. Bundle coupons reward buying a set and bind its lines together.
    """

    code: Mapped[str]
    percent: Mapped[int] = column(
        ge=1,
        asks=["how many percent {it} takes off", "what {it} saves me in percent"],
        told=[
            "{it} takes {value} percent off",
            "with {it} you save {value} percent",
            "{it} reduces the goods by {value} percent",
        ],
    )
    minimum: Mapped[Money] = column(
        ge=0,
        says="minimum value of goods",
        asks=["how much I have to buy for {it}", "from what value of goods {it} works"],
        told=["{it} works from {value} of goods", "{it} needs goods for at least {value}"],
    )
    last_day: Mapped[date] = column(
        asks=["how long {it} is good", "what the last day of {it} is", "until when {it} works"],
        told=[
            "{it} works until {value}",
            "the last day of {it} is {value}",
            "{it} can be redeemed until {value}",
        ],
    )
    bundle: Mapped[bool] = column(says="bundle coupon")


class Order(
    domain.Entity,
    key=counted("#W{:07d}", start=5490111, step=13),
    label="order {self.order_id}",
    shows={"address": "address.nickname", "city": "address.city"},
    called=[
        "my order of {placed_on}",
        "the order I placed {placed_on}",
        "my order for {total}",
        "the order that came to {total}",
        "my {coupon.code} order",
    ],
    superlatives={
        "placed_on": ("that I placed first", "that I placed last"),
        "total": ("that cost least", "that cost most"),
    },
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
    placed_on: Mapped[date] = column(
        says="order date",
        asks=["when I placed {it}", "on which day I placed {it}", "what the date of {it} is"],
        told=["you placed {it} on {value}", "{it} was placed on {value}", "{it} is from {value}"],
    )
    released_at: Mapped[datetime | None] = column(None, volatile=True)
    delivered_on: Mapped[date | None] = column(
        None,
        says="delivery date",
        asks=[
            "when {it} was delivered",
            "on which day {it} got here",
            "when {it} arrived",
            "what day {it} was dropped off",
            "when the courier brought {it}",
        ],
        told=[
            "{it} was delivered on {value}",
            "{it} was handed over on {value}",
            "you had {it} on {value}",
            "{it} arrived on {value}",
            "the carrier delivered {it} on {value}",
            "{it} reached you on {value}",
        ],
    )
    cancelled_at: Mapped[datetime | None] = column(None, volatile=True)
    hold: Mapped[Literal["payment_review", "address_check", "fraud_review"] | None] = column(
        None,
        asks=["why {it} is on hold", "what {it} is being held for", "what the hold on {it} is for"],
        told=[
            "{it} is on hold because of the {value}",
            "{it} is being held for the {value}",
            "the hold on {it} is for the {value}",
        ],
    )
    discount: Mapped[Money] = column(
        0,
        ge=0,
        asks=[
            "how much discount there is on {it}",
            "how much the discount on {it} is",
            "what was taken off {it}",
        ],
        told=[
            "the discount on {it} is {value}",
            "{it} is reduced by {value}",
            "{it} is {value} cheaper than the plain price",
            "you saved {value} on {it}",
            "{value} was taken off {it}",
            "{it} was reduced by {value}",
        ],
    )
    shipping_fee: Mapped[Money] = column(
        0,
        ge=0,
        asks=[
            "what I'm paying for the shipping of {it}",
            "how much the shipping of {it} is",
            "what you charge for sending {it}",
        ],
        told=[
            "the shipping of {it} costs {value}",
            "the shipping fee on {it} is {value}",
            "you pay {value} for the shipping of {it}",
            "we charge {value} for sending {it}",
        ],
    )
    total: Mapped[Money] = column(
        0,
        ge=0,
        says="order value",
        asks=[
            "what {it} costs in all",
            "how much {it} comes to",
            "what the total of {it} is",
            "what sum the invoice for {it} shows",
            "how much I have to pay for {it} altogether",
        ],
        told=[
            "{it} comes to {value} in all",
            "{it} adds up to {value}",
            "the sum for {it} is {value}",
            "{it} has a total of {value}",
            "the invoice for {it} says {value}",
            "the total of {it} is {value}",
            "{it} costs {value} altogether",
        ],
    )
    paid: Mapped[Money] = column(
        0,
        ge=0,
        says="amount paid",
        asks=[
            "how much of {it} I've paid",
            "how much of {it} is settled",
            "how much you have received from me for {it}",
            "what I have paid towards {it} so far",
            "how much has been paid on {it}",
        ],
        told=[
            "the amount paid on {it} is {value}",
            "{it} has {value} paid on it",
            "our books have {value} down as paid on {it}",
            "{value} is what counts as paid on {it}",
            "the sum paid towards {it} stands at {value}",
        ],
    )
    status: Mapped[str] = lifecycle(
        {
            "pending": ["processing", "cancelled"],
            "processing": ["cancelled"],
            "delivered": ["partially_returned", "returned"],
            "partially_returned": ["returned"],
        },
        outside={"processing": ["shipped"], "shipped": ["delivered"]},
        **STATE_WORDS,
    )


class ReturnRequest(
    domain.Entity,
    key=counted("RMA-{:06d}", start=70431, step=3),
    label="return {self.return_request_id}",
    plural="returns",
    called=[
        "my return of {requested_on}",
        "the return I requested {requested_on}",
        "my return over {refund}",
        "my return because of a {reason}",
    ],
    superlatives={
        "requested_on": ("that I opened first", "that I opened last"),
    },
):
    """Lines of one order on their way back, with the refund that was promised for them. The
    warehouse marks a return as received; only then can its refund be paid out.
    """

    order: Mapped[Order] = ref(owner=True, back="returns")
    payment_method: Mapped[PaymentMethod] = ref()
    reason: Mapped[Reason] = column(
        asks=["what reason I gave for {it}", "which reason is noted on {it}", "why I opened {it}"],
        told=[
            "{it} was opened because of a {value}",
            "you asked for {it} because of a {value}",
            "{it} is in our books because of a {value}",
        ],
    )
    goods: Mapped[Money] = column(
        ge=0,
        says="value of the goods",
        asks=["what the goods in {it} are worth", "what value of goods {it} covers"],
        told=["the goods in {it} are worth {value}", "{it} covers goods worth {value}"],
    )
    fees: Mapped[Money] = column(
        0,
        ge=0,
        asks=["what fees come off {it}", "how much {it} costs me in fees"],
        told=[
            "the fees on {it} are {value}",
            "{value} in fees comes off {it}",
            "{it} costs you {value} in fees",
        ],
    )
    refund: Mapped[Money] = column(
        ge=0,
        asks=[
            "how much I get back for {it}",
            "what the refund for {it} comes to",
            "how much I'm refunded for {it}",
        ],
        told=[
            "the refund for {it} is {value}",
            "you get {value} back for {it}",
            "we are refunding {value} for {it}",
            "your refund for {it} is {value}",
        ],
    )
    requested_on: Mapped[date] = column(
        says="date of the request",
        asks=["when I asked for {it}", "on which day {it} was opened", "what the date of {it} is"],
        told=[
            "you asked for {it} on {value}",
            "{it} was opened on {value}",
            "{it} is from {value}",
        ],
    )
    status: Mapped[str] = lifecycle(
        {"requested": ["cancelled"], "received": ["refunded"]},
        outside={"requested": ["received"]},
        **STATE_WORDS,
    )


class OrderLine(
    domain.Entity,
    key=counted("L{:06d}", start=118002),
    label="the {self.variant.color} {self.variant.product.title} in {self.variant.size}",
    shows={
        "title": "variant.product.title",
        "category": "variant.product.category",
        "color": "variant.color",
        "size": "variant.size",
        "product_id": "variant.product.product_id",
    },
    called=[
        "my {variant.color} {variant.product.title}",
        "my {variant.product.title}",
        "the {variant.product.title} in {variant.color}",
        "my {variant.color} {variant.product.title} in {variant.size}",
        "my {variant.product.title} in {variant.color} and {variant.size}",
    ],
    plural="items",
):
    """A number of units of one variant in an order, at the price agreed when it was bought."""

    order: Mapped[Order] = ref(owner=True, back="lines")
    variant: Mapped[Variant] = ref()
    return_request: Mapped[ReturnRequest | None] = ref(back="lines")
    quantity: Mapped[int] = column(
        ge=1,
        asks=[
            "how many I ordered of {it}",
            "what quantity I put down for {it}",
            "how many there are of {it}",
        ],
        told=[
            "the quantity of {it} is {value}",
            "you ordered {it} in a quantity of {value}",
            "the quantity noted for {it} is {value}",
            "we have {it} down with a quantity of {value}",
        ],
    )
    unit_price: Mapped[Money] = column(
        ge=0,
        says="price",
        asks=[
            "what I paid apiece for {it}",
            "what a single piece of {it} cost me",
            "what each piece of {it} was charged at",
            "how much {it} cost me each",
            "what price I was charged for {it}",
        ],
        told=[
            "the unit price of {it} is {value}",
            "{it} cost {value} apiece",
            "for each piece of {it} you paid {value}",
            "your price for {it} was {value} each",
            "we charged {value} apiece for {it}",
            "you paid {value} apiece for {it}",
        ],
    )
    status: Mapped[str] = lifecycle(
        {
            "ordered": ["returning", "exchanging"],
            "returning": ["ordered", "returned"],
            "exchanging": ["ordered"],
        },
        outside={"exchanging": ["exchanged"]},
        asks=[
            "how {it} is marked as to returns and exchanges",
            "what you have on record for {it} as to returns and exchanges",
        ],
        told=[
            "as to returns and exchanges, {it} is marked as {value}",
            "for returns and exchanges, {it} is listed as {value}",
            "as far as returns and exchanges go, {it} is marked as {value}",
        ],
    )


class Exchange(
    domain.Entity,
    key=hashed("exc_", 8),
    label="the exchange for {self.line}",
    shows={
        "old_title": "old_variant.product.title",
        "old_size": "old_variant.size",
        "old_color": "old_variant.color",
    },
    called=[
        "my exchange of {made_on}",
        "the exchange of my {old_variant.color} {old_variant.product.title}",
        "the swap for the {line.variant.product.title} in {line.variant.color}",
        "my {old_variant.product.title} exchange",
    ],
    superlatives={
        "made_on": ("that I arranged first", "that I arranged last"),
    },
):
    """A line swapped for another variant of the same product. The line already names the new
    variant; the old one is kept here until the warehouse has it back.
    """

    order: Mapped[Order] = ref(owner=True)
    line: Mapped[OrderLine] = ref()
    old_variant: Mapped[Variant] = ref(back="exchanges_away")
    old_price: Mapped[Money] = column(
        ge=0,
        asks=["what was paid before {it}", "what the price was before {it}"],
        told=[
            "before {it}, the price was {value} apiece",
            "before {it} you had paid {value} apiece",
        ],
    )
    charged: Mapped[Money] = column(
        0,
        ge=0,
        says="price difference charged",
        asks=["what I was charged for {it}", "how much {it} cost me on top"],
        told=["you were charged {value} for {it}", "{it} cost you {value} on top"],
    )
    refunded: Mapped[Money] = column(
        0,
        ge=0,
        says="price difference refunded",
        asks=["what I got back for {it}", "how much I was refunded for {it}"],
        told=["you got {value} back for {it}", "you were refunded {value} for {it}"],
    )
    made_on: Mapped[date] = column(
        asks=["when I arranged {it}", "on which day {it} was made", "what the date of {it} is"],
        told=[
            "{it} was arranged on {value}",
            "you arranged {it} on {value}",
            "we recorded {it} on {value}",
        ],
    )
    status: Mapped[str] = lifecycle(
        {"open": ["cancelled"]}, outside={"open": ["completed"]}, **STATE_WORDS
    )


class Shipment(
    domain.Entity,
    key=natural("tracking_number"),
    label="the {self.carrier} parcel {self.tracking_number}",
    called=[
        "the {carrier} parcel with the number {tracking_number}",
        "parcel {tracking_number}",
        "the parcel for my order of {order.placed_on}",
        "the {carrier} parcel for my order of {order.placed_on}",
    ],
    superlatives={"expected_on": ("that is expected first", "that is expected last")},
):
    """The parcel of a shipped order, as the carrier reports it."""

    tracking_number: Mapped[str]
    order: Mapped[Order] = ref(owner=True)
    carrier: Mapped[Literal["Norrpost", "Swiftline"]] = column(
        asks=["who is bringing {it}", "which carrier has {it}", "who {it} is travelling with"],
        told=["{value} is bringing {it}", "the carrier of {it} is {value}", "{it} is with {value}"],
    )
    expected_on: Mapped[date] = column(
        says="expected delivery date",
        asks=["when {it} is expected", "on which day {it} should arrive", "when {it} is due"],
        told=[
            "the carrier's expected date for {it} is {value}",
            "{it} is expected on {value}",
            "the carrier expects {it} on {value}",
        ],
    )
    status: Mapped[str] = lifecycle(
        {}, outside={"in_transit": ["delivered", "lost"]}, **STATE_WORDS
    )


class Payment(
    domain.Entity,
    key=hashed("", 32, uuid=True),
    label="the {self.kind} for {self.order}",
    shows={"brand": "payment_method.brand", "last_four": "payment_method.last_four"},
    called=[
        "the {purpose} {kind} of {made_on}",
        "the {kind} of {amount}",
        "the {amount} {kind} on my {payment_method.brand}",
        "the {kind} for my order of {order.placed_on}",
    ],
    superlatives={
        "amount": ("that was smallest", "that was largest"),
        "made_on": ("that was made first", "that was made last"),
    },
):
    """Money taken from or given back to a customer for an order. Goodwill is a gift on top and does
    not lower what counts as paid.
    """

    order: Mapped[Order] = ref(owner=True)
    payment_method: Mapped[PaymentMethod] = ref()
    kind: Mapped[Literal["charge", "refund"]]
    purpose: Mapped[
        Literal["order", "cancellation", "return", "exchange", "price_match", "goodwill"]
    ] = column(
        asks=["what {it} was for", "which purpose {it} had"],
        told=[
            "{it} is filed under {value} in our books",
            "our books list {it} under {value}",
            "the purpose of {it} was {value}",
        ],
    )
    amount: Mapped[Money] = column(
        ge=1,
        asks=["how much {it} was", "what {it} came to", "what amount {it} was for"],
        told=["{it} was {value}", "{it} came to {value}", "the amount of {it} was {value}"],
    )
    made_on: Mapped[date] = column(
        says="payment date",
        asks=["when {it} was made", "on which day {it} went through", "what the date of {it} is"],
        told=["{it} was made on {value}", "{it} went through on {value}", "{it} is from {value}"],
    )


class Escalation(
    domain.Entity,
    key=counted("ESC-{:04d}", start=812),
    label="escalation {self.escalation_id}",
    called=["the case you passed on", "my {reason} case", "the matter your colleague has now"],
):
    """A conversation passed on to a colleague, with the reason."""

    customer: Mapped[Customer] = ref(owner=True)
    reason: Mapped[Matter]


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
    >>> restocking_fee(24900, "electronics", "damaged_item")
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


def makes_a_set(articles: int) -> bool:
    """Whether an order of so many different articles may have a bundle coupon.

    >>> makes_a_set(1), makes_a_set(2)
    (False, True)
    """
    return articles >= BUNDLE_LINES


def is_late(status: str, expected_on: date, delivered_on: date | None, day: date) -> bool:
    """Whether a parcel is lost, or came or is still coming after the carrier's expected date.

    >>> may = [date(2026, 5, n) for n in range(1, 31)]
    >>> is_late("delivered", may[3], may[4], may[11]), is_late("delivered", may[3], may[3], may[11])
    (True, False)
    >>> is_late("in_transit", may[10], None, may[11]), is_late("in_transit", may[11], None, may[11])
    (True, False)
    """
    return status == "lost" or (delivered_on or day) > expected_on


def is_final_sale(category: str) -> bool:
    """Whether goods of a category are never taken back.

    >>> is_final_sale("personal_care"), is_final_sale("kitchen")
    (True, False)
    """
    return category == FINAL_SALE


def within_goodwill(amount: Money, tier: str) -> bool:
    """Whether a goodwill credit is small enough.

    >>> within_goodwill(2000, "silver"), within_goodwill(2001, "silver")
    (True, False)
    """
    return amount <= GOODWILL_MAX[tier]


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
BELONGS = [
    "your account", "another account", "another customer", "another person", "belong", "someone",
    "somebody", "own", "not yours", "registered", "listed",
    "not among", "not linked", "not saved", "not stored", "stranger",
]
CARD = [
    "card", "ending in", "payment method", "visa", "mastercard", "amex", "that card", "your card",
]
COUPON = ["coupon", "code", "discount", "promotion", "voucher",
    "welcome10", "spring15", "bundle20", "trail12", "winter25", "flash30",
]
EXCHANGE = ["exchang", "swap", "replace"]
EXPIRED = [
    "expire", "ran out", "run out", "no longer valid", "not valid", "out of date", "ended",
    "valid until", "last day", "good until", "no use any more", "no longer good",
    "no good any more", "was valid until", "not valid any more",
    "past its", "past the", "lapsed", "validity", "valid any longer", "no longer accepted",
    "too old", "is over", "run its course",
]
GIFT_CARD = ["gift card", "store credit", "voucher"]
GOODWILL = ["goodwill", "credit", "gesture", "compensation",
    "apology", "apologise", "token", "make up",
    "approve", "be given", "grant you",
]
HOLD = ["hold", "on hold", "held", "review", "payment review", "fraud review", "address check",
    "blocked", "stuck", "held back", "frozen",
]
LIMIT = [
    "limit", "more than", "maximum", "at most", "up to", "exceed", "too much", "too many",
    "too high", "over", "the most", "capped", "no more than",
    "cap", "ceiling", "beyond", "exceeds", "above", "restrict", "limited", "not more than",
    "highest", "no higher",
]
MINIMUM = [
    "minimum", "at least", "below", "less than", "enough", "too small", "reach", "under that",
    "under its", "under the", "short of", "worth", "and up", "starts at",
    "too low", "falls short", "fall short", "not high enough", "threshold", "spend",
    "not worth enough",
    "of goods", "required value", "more goods", "order value",
]
NOT_COVERED = [
    "cover", "enough", "sufficient", "only", "less", "remain", "no more than", "just", "too low",
    "not have that much", "too little", "holds", "its balance", "balance of",
    "too small", "falls short", "fall short", "short of", "not stretch", "does not go that far",
    "doesn't go that far", "insufficient",
]
NOT_ENOUGH = [
    "only", "just", "enough", "n't any", "n't have any", "not in stock", "not available",
    "not have that many", "sold out", "out of stock", "none", "fewer", "nothing left", "no stock",
    "unavailable", "ran out of", "run out of", "that many",
    "no further", "no more of", "no others", "currently none", "insufficient", "not sufficient",
    "too few", "not so many", "one left", "two left",
]
OPEN = [
    "open", "same time", "on its way", "on their way", "in progress", "going on", "under way",
    "pending", "unfinished", "running", "still", "being", "while", "middle of", "not arrived",
]
OUT_OF_FUNDS = [
    "nothing", "empty", "zero", "zero balance", "used up", "no money", "none left", "no balance",
    "balance of that gift card", "spent",
    "no money on it", "nothing on it", "has been spent", "without any money",
    "$0.00", "is $0",
]
OWED = ["due", "owe", "owing", "outstanding", "balance", "unpaid", "open", "paid", "pay",
    "settled", "settle", "amount open", "bill",
    "owed",
]
RETURN = [
    "return", "way back", "rma", "send back", "sent back", "sending back", "take back",
    "taken back",
]
STOCK = [
    "stock", "available", "unavailable", "sold out", "inventory", "units", "left", "we have",
    "have that many", "ran out of", "run out of", "enough of them",
    "have enough", "can be had",
    "on our shelves", "on the shelf", "in the store", "supply",
]
TOO_LATE = [
    "too late", "too long", "no longer", "over", "ended", "passed", "more than", "expired",
    "closed", "ago", "gone by", "are up",
]
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
        "you haven't told me the e-mail address of the account yet, or your name and postcode",
        "I don't know yet whose account this is about",
        "without your e-mail address, or name and postcode, I can't tell whose account this is",
        "your identity has to be checked before any account is opened",
        "privacy rules oblige me to verify the account holder's e-mail address first",
        "nobody else may get at your data, so first I have to verify the e-mail address of the "
        "account",
    ],
    concepts=[
        [
            "identif",
            "verif",
            "confirm",
            "match",
            "whose",
            "belongs",
            "who you are",
            "told me",
            "give me",
            "tell me",
            "need your",
            "checked that it's you",
            "check that it's you",
            "who i'm talking to",
            "who i'm speaking to",
            "establish",
            "until i have",
            "until i know",
            "prove",
            "authenticate",
            "it's really you",
            "have your",
        ],
        ["mail", "name", "postcode", "zip", "account", "identity", "who you are"],
    ],
    offers=["you could tell me the e-mail address of the account"],
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
        "cancel_exchange",
    ],
    because=[
        "I need a clear yes to these details first",
        "you haven't agreed to this yet",
        "I need you to confirm it first",
        "it needs your approval first",
        "nothing of the sort happens without your explicit consent, so I need that first",
        "I have to hear a plain yes, your confirmation, before anything is booked",
        "please confirm the details first",
    ],
    concepts=[
        [
            "confirm",
            "agree",
            "go ahead",
            "your yes",
            "clear yes",
            "explicit yes",
            "approval",
            "approve",
            "consent",
            "your ok",
            "explicit ok",
            "say-so",
            "definite yes",
            "said yes",
            "say yes",
            "plain yes",
            "yes from you",
            "your permission",
            "green light",
            "approved",
        ],
        [
            "first",
            "before",
            "need",
            "please",
            "until",
            "yet",
            "without",
            "unless",
            "beforehand",
            "still",
            "not without",
        ],
    ],
)
def details_confirmed(log: Log) -> bool:
    """Taking a payment, sending an order to the warehouse, cancelling an order, opening a return,
    paying out a refund, exchanging a line and undoing an exchange are agreed upon beforehand: say
    which order or line it concerns, which card or gift card, and how much money moves in which
    direction with all fees, and wait for an explicit yes. If any of that changes afterwards, ask
    again."""
    return log.confirmed()


@domain.rule(
    by="agent",
    governs=["add_order_line", "set_line_quantity", "remove_order_line", "apply_coupon"],
    because=[
        "the {order.hold} on it isn't over, and until then its contents stay as they are",
        "it is in a review at the moment, and an order under review isn't changed",
        "nothing in it may change while the {order.hold} is going on",
        "the review looks at the order as it stands, so I have to leave its contents alone",
        "somebody in our office is examining it in the {order.hold}, so the basket is frozen",
        "whoever checks it in the {order.hold} mustn't find other goods in it than before",
        "the {order.hold} keeps everything in it as it is until a decision is reached",
    ],
    concepts=[
        [
            "review",
            "payment review",
            "on hold",
            "held",
            "hold",
            "being checked",
            "looked at",
            "fraud",
            "still checking",
            "being examined",
            "under examination",
            "locked",
            "frozen",
            "payment team",
            "looking into",
        ]
    ],
    remedy="clear_hold",
    offers=["you could have the hold cleared first"],
)
def reviews_freeze_contents(order: Order) -> bool:
    """An order that is held for a payment review or a fraud review is judged as it stands: put
    nothing into it, take nothing out, change no quantity and use no coupon on it until that hold
    has been cleared. An address check doesn't stop such changes."""
    return order.hold not in ("payment_review", "fraud_review")


@domain.rule(
    by="agent",
    governs=["collect_payment"],
    because=[
        "it is under a payment review, and then the balance is taken in one go",
        "a part payment isn't possible during a payment review",
        "during its payment review, the whole balance has to be paid in one go",
        "the payment review asks for the full balance at once, not for a part of it",
        "as long as the payment review lasts, a single charge over the full balance is the only "
        "way",
    ],
    concepts=[
        [
            "part",
            "half",
            "one go",
            "whole",
            "full",
            "at once",
            "split",
            "instal",
            "everything",
            "share",
            "single charge",
            "one charge",
            "all of the balance",
            "balance or nothing",
            "all or nothing",
            "instalments",
            "installments",
            "partial",
            "completely",
            "entire",
            "entirely",
            "altogether",
            "piecemeal",
            "two payments",
            "several payments",
            "complete",
            "total at once",
            "remainder",
        ],
        ["review", "reviewed", "payment review"],
    ],
    offers=[
        "you could pay the whole balance at once",
        "you could settle everything that is due in a single payment",
    ],
)
def reviews_paid_in_one(order: Order, amount: Money) -> bool:
    """Sharing a balance is fine, except on an order in payment review: there, collect all that is
    due in a single charge or nothing, whatever the customer proposes."""
    return order.hold != "payment_review" or amount >= due(order)


@domain.rule(
    by="agent",
    governs=["apply_coupon"],
    because=[
        "{coupon.code} is a bundle coupon, and there is just a single article in that order",
        "bundle coupons are for orders of {BUNDLE_LINES} different articles or more",
        "a single article makes no bundle",
        "for {coupon.code} the order has to be a set of different articles, which it isn't",
        "{coupon.code} rewards a set, so one article alone doesn't qualify for a bundle",
        "{coupon.code} is a reward for bundles, and your order holds only one article",
    ],
    concepts=[
        [
            "bundle",
            "set",
            "combination",
            "different products",
            "different articles",
            "two or more",
            "bundle20",
        ],
        [
            "article",
            "single",
            "different",
            "only one",
            "just one",
            "item",
            "product",
            "products",
            "articles",
            "things",
            "two or more",
            "more than one",
            "at least two",
            "nothing but one",
            "combination",
            "several",
            "one product",
            "just one",
            "two different",
        ],
    ],
    remedy="add_order_line",
    offers=["you could have another article added, which makes it a bundle"],
)
def bundle_needs_a_set(order: Order, coupon: Coupon) -> bool:
    """The system takes a bundle coupon for any order that is worth enough. You don't: put one only
    on an order that has at least {BUNDLE_LINES} different articles in it."""
    return not coupon.bundle or makes_a_set(len(order.lines))


@domain.rule(
    by="agent",
    governs=["change_delivery_address"],
    because=[
        "orders of {HIGH_VALUE:money} or more only go to the home address",
        "at a total of {order.total} it can only be delivered to the home address",
        "with {order.total} it is worth too much to go anywhere but to your home address",
        "parcels from {HIGH_VALUE:money} on are insured to the billing address, your home address",
        "our insurance for orders worth {HIGH_VALUE:money} or more only covers your home address",
        "goods worth {order.total} only go to the home address that your card is billed to",
        "anything worth {HIGH_VALUE:money} or more is insured for the way to the home address and "
        "nowhere else",
    ],
    concepts=[
        ["home", "billing", "home address", "your home"],
        [
            "{HIGH_VALUE:money}",
            "value",
            "valuable",
            "expensive",
            "total",
            "worth",
            "over",
            "only",
            "high-value",
            "high value",
            "that much",
            "such a sum",
            "insur",
            "costly",
            "dear",
            "precious",
        ],
    ],
)
def valuables_go_home(order: Order, address: Address) -> bool:
    """An order whose total is {HIGH_VALUE:money} or more is redirected to the customer's home
    address only. Such parcels are insured to the address the card is billed to."""
    return may_go_to(address.nickname, order.total)


@domain.rule(
    by="agent",
    governs=["send_to_warehouse"],
    because=[
        "with a total of {order.total} it has to go to your home address",
        "it is worth {HIGH_VALUE:money} or more and isn't addressed to your home",
        "at {order.total} it would have to go home, and it's addressed to {order.address.city}",
        "orders from {HIGH_VALUE:money} on leave us for the home address only",
        "our insurer wants parcels with a total of {order.total} sent to the home address",
        "at a value of {order.total}, the insurance covers the way to your home address and no "
        "other",
        "an order with a total of {order.total} may only set out for your home address",
    ],
    concepts=[
        ["home", "billing"],
        [
            "{HIGH_VALUE:money}",
            "value",
            "total",
            "worth",
            "at $",
            "high-value",
            "high value",
            "valuable",
            "expensive",
            "that much",
            "costly",
            "or more",
            "insur",
        ],
    ],
    remedy="change_delivery_address",
    offers=[
        "you could have it redirected to your home address first",
        "you could switch it over to your home address beforehand",
    ],
)
def valuables_leave_for_home(order: Order) -> bool:
    """Look at the address before you release an order of {HIGH_VALUE:money} or more: if it isn't
    the customer's home address, the order stays with you until it has been redirected there, or
    until it is worth less."""
    return may_go_to(order.address.nickname, order.total)


@domain.rule(
    by="agent",
    governs=["grant_goodwill_credit"],
    because=[
        "a goodwill credit has already been given for that order",
        "there is one goodwill credit for an order, and you've had it",
        "that order has had its goodwill credit before",
        "goodwill is given once for each order, and this one has had it",
        "our books show an earlier goodwill credit for it, and a second isn't allowed",
        "a credit for that order has been paid once already, and there's no second goodwill credit",
    ],
    concepts=[
        [*GOODWILL],
        [
            "already",
            "once",
            "one",
            "second",
            "another",
            "existing",
            "before",
            "again",
            "first",
            "got its",
            "got your",
            "one time",
            "earlier",
            "further",
            "has had",
            "single time",
            "only time",
            "a single",
            "per order",
            "each order",
            "in the past",
            "previously",
            "twice",
            "repeat",
        ],
    ],
)
def one_goodwill_credit(order: Order) -> bool:
    """Goodwill is given once: look through the payments of the order, and when there is a goodwill
    refund among them, whatever its amount, refuse a further one kindly."""
    return not any(payment.purpose == "goodwill" for payment in order.payments)


@domain.rule(
    by="agent",
    governs=["grant_goodwill_credit"],
    because=[
        "goodwill is for late, lost, damaged or wrong deliveries, and I see nothing of that kind",
        "the parcel wasn't late, and neither damage nor a wrong item has been noted",
        "our records show no delay, no damage and no wrong item to make up for with a credit",
        "the carrier kept to its date, and nothing came back to us as damaged or wrong",
        "there's no sign of a delay, and no damage or mistake of ours has been recorded",
        "I've looked through that order without finding a delay, damage or wrong article to "
        "apologise for",
        "our records show nothing late, nothing damaged and nothing mixed up that would justify a "
        "goodwill credit",
    ],
    concepts=[
        [
            "late",
            "lost",
            "delay",
            "in time",
            "on time",
            "its date",
            "expected date",
            "cause",
            "punctual",
            "went wrong",
            "gone wrong",
            "a reason",
            "on schedule",
            "schedule",
            "nothing went",
            "no grounds",
            "grounds",
            "justif",
            "apologise for",
            "as planned",
            "promptly",
            "as promised",
            "no fault",
            "undamaged",
            "in order with",
        ],
        [
            "damage",
            "wrong",
            "credit",
            "goodwill",
            "faulty",
            "mistake",
            "show",
            "compensation",
            "undamaged",
            "compensat",
            "apolog",
            "intact",
            "fault",
            "gesture",
            "grounds",
            "trouble",
        ],
    ],
)
def goodwill_has_a_cause(db, order: Order) -> bool:
    """There has to be something to apologise for, and the records have to show it: a parcel of the
    order that is lost, or that came, or is still to come, after the carrier's expected date, or a
    return of it for damage or a wrong item. Being annoyed is no cause."""
    late = any(
        is_late(parcel.status, parcel.expected_on, order.delivered_on, db.today)
        for parcel in order.shipments
    )
    return late or any(request.reason in OUR_FAULT for request in order.returns)


@domain.rule(
    by="agent",
    governs=["request_return"],
    because=[
        "something from that order is being exchanged at the moment",
        "there is an open exchange on that order",
        "an exchange on the same order is still in progress",
        "we're still swapping something else from that order for you",
        "the replacement of another article in it is still pending, that is, an open exchange",
        "two shipments of one order might get mixed up, and there's an exchange in progress "
        "already",
    ],
    concepts=[
        [
            "exchang",
            "swap",
            "replace",
            "an exchange",
            "open exchange",
            "being exchanged",
            "being swapped",
        ],
        [
            "open",
            "already",
            "same time",
            "on its way",
            "still",
            "in progress",
            "being",
            "until",
            "going on",
            "pending",
            "under way",
            "unfinished",
            "running",
            "as long as",
            "while",
            "middle of",
            "first",
            "before the exchange",
            "not finished",
            "not complete",
            "hasn't been completed",
            "until it's done",
            "not over",
            "finish",
            "complete the exchange",
            "being carried out",
        ],
    ],
    remedy="cancel_exchange",
    offers=["you could cancel the exchange first, or wait until it is completed"],
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
        "something else from the same order is being sent back at the moment",
        "a return on that order is still open, on the road to our warehouse",
        "a return from it is still pending, so our warehouse is waiting for that parcel",
        "part of that order is already on its way to us as an open return",
    ],
    concepts=[
        [*RETURN],
        [
            *OPEN,
            "until the return",
            "until it",
            "first",
            "as long as",
            "reached our warehouse",
            "reached us",
            "not reached",
            "n't reached",
            "not here yet",
            "n't arrived",
            "not with us yet",
        ],
    ],
    remedy="cancel_return",
    offers=["you could give up that return, or wait until it has reached us"],
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
        "{order.coupon.code} is a bundle coupon, and what was bought with it isn't split",
        "the articles of a bundle come back together or not at all",
        "you got the bundle discount for the whole set, so it travels back as a whole",
        "the generous discount was for the bundle as a whole, so picking out a single piece "
        "isn't foreseen",
    ],
    concepts=[
        ["bundle", "set", "coupon"],
        [
            "all",
            "whole",
            "complete",
            "entire",
            "every",
            "together",
            "split",
            "just one",
            "one of",
            "single",
            "part of",
            "piece",
            "only",
            "everything",
            "partial",
            "individual",
            "separately",
            "piecemeal",
            "on its own",
            "by itself",
            "nothing less",
            "in full",
            "full",
        ],
    ],
    offers=["you could send back everything that you still have of it"],
)
def bundles_stay_whole(order: Order, lines: list[OrderLine]) -> bool:
    """What was bought with a bundle coupon comes back whole. One return then has to list every line
    that the customer still has; don't split such an order, however good the reason for a single
    line may be."""
    kept = [line for line in order.lines if line.status == "ordered"]
    return not order.discount or not order.coupon.bundle or len(lines) == len(kept)


@domain.rule(
    by="agent",
    governs=["cancel_return"],
    because=[
        "what arrived damaged has to come back to us",
        "it was opened for damage, and such goods have to reach our warehouse",
        "the carrier's insurance wants to see damaged goods, so that return stays open",
        "a return for damage isn't called off, because we claim it from the carrier",
        "our colleagues have to inspect the damage before the carrier pays",
        "our warehouse has to examine the damage itself, or else the carrier pays nothing",
    ],
    concepts=[
        ["damage", "broken", "faulty", "defect", "damaged"],
        [
            "come back",
            "reach",
            "warehouse",
            "insurance",
            "carrier",
            "claim",
            "call",
            "stay",
            "to be sent",
            "sent to us",
            "back to us",
            "inspect",
            "seen",
            "see it",
            "see them",
            "look at it",
            "look at them",
            "examine",
            "arrived here",
            "sent in",
            "must come",
            "compensat",
            "insur",
            "has to be returned",
            "have to be returned",
            "check",
        ],
    ],
)
def damaged_goods_come_back(return_request: ReturnRequest) -> bool:
    """A return for damage isn't called off, even if the customer could live with the goods: the
    carrier pays for them only after our warehouse has seen them."""
    return return_request.reason != "damaged_item"


@domain.rule(
    by="agent",
    governs=["redirect_refund"],
    because=[
        "store credit is chosen for good and doesn't turn back into money on a card",
        "that refund was made store credit, and there it stays",
        "what has been promised as store credit isn't moved back to a card",
        "you chose store credit for it, and that choice is final",
        "the gift card was your final choice, and nothing is moved back from there to a card",
        "store credit can't be reversed, and it stays on the gift card",
        "the amount was turned into store credit, which can't be converted later",
    ],
    concepts=[
        ["gift card", "store credit", "voucher"],
        [
            "for good",
            "stay",
            "moved back",
            "back to a card",
            "back to the card",
            "back to your card",
            "back to money",
            "back into",
            "turn back",
            "final",
            "choice",
            "chose",
            "turned into",
            "changed back",
            "later",
            "undone",
            "once it",
            "reverse",
            "reversed",
            "convert",
            "converted",
            "permanent",
            "switch",
            "picked",
            "decided",
            "decision",
            "irrevocable",
            "be changed",
            "swap back",
            "remain",
            "set to store credit",
            "made store credit",
            "as store credit",
            "move it to your card",
            "move it to a card",
            "put it back on",
        ],
    ],
)
def store_credit_stays(return_request: ReturnRequest, payment_method: PaymentMethod) -> bool:
    """Store credit is chosen for good: move a refund from a gift card to a card only where it
    doesn't fit on that gift card any more. From a card to a gift card, or from one gift card to
    another, it may always go."""
    method = return_request.payment_method
    leaves = method.kind == "gift_card" and payment_method.kind == "card"
    return not (leaves and fits_on_gift_card(method, return_request.refund))


@domain.rule(
    by="agent",
    governs=["match_price"],
    because=[
        "a coupon was used on that order",
        "coupons and price matches don't go together",
        "{order.coupon.code} is on that order, and a price match doesn't come on top of a coupon",
        "you've had your advantage from the coupon already, so there is no price match besides",
        "a code was redeemed there, and it can't be combined with a price match",
        "buyers get either a coupon or a price match, and {order.coupon.code} was redeemed there",
    ],
    concepts=[
        COUPON,
        [
            "match",
            "price",
            "together",
            "combine",
            "both",
            "already",
            "used",
            "on top",
            "excludes",
            "exclude",
            "in addition",
            "adjust",
            "besides",
            "refund the difference",
        ],
    ],
)
def no_price_match_on_coupons(order: Order) -> bool:
    """Whoever bought with a coupon has had their advantage: an order with a coupon code on it gets
    no price match, not even where the coupon in the end took nothing off."""
    return order.coupon is None


def goodwill_part(tier: str):
    """The part of the limit on goodwill that concerns one loyalty tier."""
    most = f"{{GOODWILL_MAX[{tier}]:money}}"

    def small_enough(order: Order, amount: Money) -> bool:
        return order.customer.tier != tier or within_goodwill(amount, tier)

    return part(
        tier,
        small_enough,
        because=[
            f"a goodwill credit for {tier} customers is at most {most}",
            f"it is over the {most} of goodwill that {tier} customers can have",
            f"the limit on goodwill for {tier} customers is {most}",
            f"goodwill goes up to {most} for {tier} customers, and that is more",
            f"my authority ends at {most} of goodwill for the {tier} tier, and you named more",
            f"goodwill is capped at {most} for {tier} customers, not a cent more",
        ],
        concepts=[
            [*GOODWILL, f"{tier} customer", f"{tier} tier", "can give"],
            [
                *LIMIT,
                "most I can",
                "go above",
                "bigger than",
                "that high",
                "ends at",
                "as much as",
                "above",
            ],
        ],
        offers=[
            f"you could ask for up to {most}, which I'd then check against the order",
            f"you could ask for {most} or less, and I'd look at the order for that",
        ],
    )


@domain.rule(
    by="agent",
    governs=["grant_goodwill_credit"],
    parts=[goodwill_part(tier) for tier in GOODWILL_MAX],
)
def goodwill_within_limit(order: Order, amount: Money) -> bool:
    """A goodwill credit is at most {GOODWILL_MAX[basic]:money} for basic customers,
    {GOODWILL_MAX[silver]:money} for silver and {GOODWILL_MAX[gold]:money} for gold customers."""
    return within_goodwill(amount, order.customer.tier)


@domain.rule(
    by="agent",
    governs=["request_return", "redirect_refund"],
    because=[
        "refunds go to the card of the order or to a gift card of the account",
        "the money can't go to a card that the order wasn't paid with",
        "the order was paid with the {order.payment_method.brand} ending in "
        "{order.payment_method.last_four}, and the money goes back there",
        "a refund goes to the same card that the order was paid with, or to a gift card",
        "as a precaution, the money only goes to the same card that was charged, or to a gift card",
        "a refund goes back to the same card that was charged, unless it becomes store credit",
    ],
    concepts=[
        [
            "refund",
            "money",
            "credit",
            "paid out",
            "pay it",
            "pay out",
            "repay",
            "reimburse",
            "put it on",
            "pay back",
            "paid back",
        ],
        [
            "original",
            "same",
            "ordered with",
            "card of the order",
            "paid with",
            "placed",
            "was charged",
            "different card",
            "other card",
            "another card",
            "paid for it with",
            "used for the order",
            "way it came",
            "bought it with",
            "bought with",
            "charged to",
            "used for the purchase",
            "used to pay",
            "you paid with",
            "only the one",
            "different one",
            "where it came from",
            "paid by",
            "paid for by",
        ],
    ],
    offers=[
        "you could have it on the {order.payment_method.brand} ending in "
        "{order.payment_method.last_four}, or on a gift card"
    ],
)
def refund_goes_home(order: Order, payment_method: PaymentMethod) -> bool:
    """Of all the cards in a wallet, a refund goes only to the one that the order was placed with.
    Otherwise it becomes store credit on one of the customer's gift cards."""
    return payment_method is order.payment_method or payment_method.kind == "gift_card"


@domain.rule(
    by="agent",
    governs=["request_return"],
    because=[
        "personal care is final sale",
        "hygiene articles can't be sent back",
        "there is personal care among it, and that is final sale",
        "personal care isn't taken back for money, not even unopened",
        "for reasons of hygiene, nobody can wear or use such articles after you",
        "once sold, personal care has to stay with its buyer, for health reasons",
        "soaps, razors and other personal care are excluded from returns for the sake of hygiene",
    ],
    concepts=[
        [
            "personal care",
            "hygiene",
            "final sale",
            "grooming",
            "shaving",
            "soap",
            "cosmetic",
            "toiletries",
            "body care",
            "hygienic",
            "cosmetics",
            "health reasons",
            "excluded from returns",
            "opened or not",
            "shave set",
            "beauty",
        ]
    ],
    offers=[
        "you could exchange it for another colour or size",
        "you could pick a different version of it in exchange",
    ],
)
def not_final_sale(lines: list[OrderLine]) -> bool:
    """Personal care is final sale: the system would take it back, but you don't, not even unopened.
    It may be exchanged for another variant."""
    return not any(is_final_sale(line.variant.product.category) for line in lines)


@domain.rule(
    by="agent",
    governs=["match_price"],
    because=[
        "the order was placed on {order.placed_on}, more than {PRICE_MATCH_DAYS} days ago",
        "price matches end {PRICE_MATCH_DAYS} days after the order",
        "you ordered it on {order.placed_on}, and the {PRICE_MATCH_DAYS} days for a price match "
        "are over",
        "a price match has to be asked for within {PRICE_MATCH_DAYS} days, and you ordered it "
        "on {order.placed_on}",
        "the deadline of {PRICE_MATCH_DAYS} days for a price match has passed since "
        "{order.placed_on}",
        "a fortnight is all we grant for a price match, and {order.placed_on} was longer ago "
        "than {PRICE_MATCH_DAYS} days",
    ],
    concepts=[
        [
            "days",
            "two weeks",
            "period",
            "deadline",
            "ago",
            "day window",
            "older than",
            "long ago",
            "window",
            "since you ordered",
            "within 14",
        ],
        ["price", "match", "placed", *TOO_LATE],
    ],
)
def price_match_in_time(db, order: Order) -> bool:
    """Count the days before you match a price: it has to be asked for within {PRICE_MATCH_DAYS}
    days of the day the order was placed."""
    return is_recent(order.placed_on, db.today)


# ---------------------------------------------------------------- rules the shop system enforces


@domain.rule(
    governs=["send_to_warehouse"],
    parts=[
        part(
            "payment_reviewed",
            lambda order: order.hold != "payment_review",
            because=[
                "it is on hold for a payment review",
                "the hold for its payment review hasn't been lifted yet",
                "a payment review is still keeping it with us, so it's on hold",
                "there is a hold on it until its payment review is over",
                "its payment review hasn't been completed yet, so it stays on hold",
            ],
            concepts=[[*HOLD, "payment review", "blocked"]],
            remedy="clear_hold",
            offers=["I could clear the hold first, as soon as nothing is owed on it"],
        ),
        part(
            "address_checked",
            lambda order: order.hold != "address_check",
            because=[
                "it is on hold for an address check",
                "there is a hold on it until its address has been checked",
                "it is being held because of the address in {order.address.city}",
                "the hold for its address check hasn't been lifted yet",
                "somebody has to look into the address in {order.address.city} first, and until "
                "then it's on hold",
            ],
            concepts=[HOLD],
            remedy="clear_hold",
            offers=["I could clear the hold if it goes to an address that the carrier knows"],
        ),
        part(
            "no_suspicion",
            lambda order: order.hold != "fraud_review",
            because=[
                "it is on hold for a fraud review",
                "our fraud team has put a hold on it",
                "it is being held while our fraud team looks at it",
                "there is a hold on it for a fraud review, and that isn't finished",
            ],
            concepts=[[*HOLD, "fraud"]],
        ),
    ],
)
def no_hold(order: Order) -> bool:
    """An order with a hold on it stays at the desk until the hold has been cleared."""
    return order.hold is None


@domain.rule(
    governs=["clear_hold"],
    because=[
        "there is no hold on it",
        "it isn't on hold at all",
        "no hold has been put on that order",
        "it is not on hold, so there is nothing to clear",
        "I've looked, and there's no hold whatsoever on it",
        "nothing is blocking it, as there's no hold on it",
    ],
    concepts=[
        [
            "no hold",
            "isn't on hold",
            "not on hold",
            "n't any hold",
            "n't on hold",
            "not held",
            "not being held",
            "n't a hold",
            "nothing to clear",
            "never put on hold",
            "never on hold",
            "no block",
            "n't any block",
            "n't a block",
            "n't have one",
            "n't have a hold",
            "does not have a hold",
            "doesn't exist",
            "n't exist",
            "nothing holding",
            "not blocked",
            "n't blocked",
            "free to go",
            "nothing to lift",
            "no such hold",
            "without a hold",
        ]
    ],
)
def something_to_clear(order: Order) -> bool:
    """Only an order that is on hold has a hold to be cleared."""
    return order.hold is not None


@domain.rule(
    governs=["send_to_warehouse", "clear_hold"],
    because=[
        "it hasn't been paid in full",
        "part of its total of {order.total} is still open",
        "{order.paid} of its {order.total} has been paid, and the rest is still due",
        "there is still a balance outstanding on it",
        "our bookkeeping shows an unpaid balance on it, and it isn't fully paid",
        "our books show {order.paid} as paid against its total of {order.total}, so something is "
        "still due",
    ],
    concepts=[
        [
            "due",
            "owe",
            "owing",
            "outstanding",
            "balance",
            "unpaid",
            "open",
            "paid",
            "pay",
            "amount",
            "money",
            "rest",
            "settled",
            "received",
        ],
        [
            "full",
            "fully",
            "outstanding",
            "owe",
            "still",
            "remain",
            "before",
            "until",
            "left",
            "not been paid",
            "not paid",
            "n't been paid",
            "n't paid",
            "due",
            "open balance",
            "a balance",
            "unpaid",
            "rest",
            "received",
            "in total",
            "completely",
            "missing",
            "not settled",
            "n't settled",
            "owing",
            "short",
        ],
    ],
    remedy="collect_payment",
    offers=["you could have what is due taken from one of your cards first"],
)
def nothing_outstanding(order: Order) -> bool:
    """An order is released from a hold, or goes to the warehouse, only when its total has been paid
    to the last cent; the difference between total and paid has to be collected before."""
    return order.paid >= order.total


@domain.rule(
    governs=["clear_hold", "cancel_order"],
    because=[
        "it is in a fraud review",
        "our fraud team is looking at it",
        "it's with our fraud team, and their review isn't finished",
        "a fraud review is going on, and I can't get around that",
        "our fraud team is still investigating it",
        "specialists for fraud have taken it over, and their verdict is pending",
    ],
    concepts=[["fraud", "security", "risk", "investigat", "suspicious", "suspicion", "suspected"]],
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
        "our carrier can't deliver to the {address.nickname} address in {address.city}",
        "the carrier doesn't know the {address.nickname} address in {address.city}",
        "the carrier doesn't deliver to that address, according to our system",
        "our carrier can't find that address, so it isn't deliverable",
        "our carrier has no record of the {address.nickname} address, so parcels can't be "
        "delivered there",
    ],
    concepts=[
        ["address", "cabin", "studio", "destination"],
        [
            "deliver",
            "recogni",
            "verif",
            "unknown",
            "carrier",
            "valid",
            "reach",
            "find",
            "found",
            "serve",
            "no such address",
            "drop off",
            "parcels can't",
            "access",
        ],
    ],
    remedy="change_delivery_address",
    offers=["you could choose another address of yours, if there is one that works"],
)
def address_deliverable(address: Address) -> bool:
    """Parcels go to deliverable addresses only. An order can't be pointed at any other address, and
    a hold on an order that has one stays until another address of the customer is chosen."""
    return address.deliverable


@domain.rule(
    governs=["collect_payment"],
    parts=[
        part(
            "something_due",
            lambda order: due(order) > 0,
            because=[
                "nothing is due on it any more",
                "all {order.total} of it has been paid",
                "there is no balance left on it, {order.total} has been paid already",
                "it's fully paid, so nothing is owed on it",
                "every cent of {order.total} has arrived, so nothing is due",
            ],
            concepts=[
                [
                    "nothing is due",
                    "nothing due",
                    "nothing left",
                    "nothing to pay",
                    "nothing is outstanding",
                    "nothing outstanding",
                    "nothing is open",
                    "nothing open",
                    "nothing is owed",
                    "not due",
                    "no balance",
                    "paid in full",
                    "fully paid",
                    "full",
                    "all paid",
                    "been paid",
                    "already paid",
                    "paid already",
                    "no longer",
                    "no balance on the order",
                    "settled in full",
                    "completely settled",
                    "entirely paid",
                    "no debt",
                    "nothing to settle",
                    "nothing more",
                    "in full",
                    "no outstanding",
                    "n't any balance",
                    "n't owe",
                ],
                [*OWED],
            ],
        ),
        part(
            "not_more_than_due",
            lambda order, amount: due(order) <= 0 or amount <= due(order),
            because=[
                "it is more than what is still due on the {order.total}",
                "{order.paid} of the {order.total} is paid already, so less than that is due",
                "it would be more than the balance that you still owe",
                "only what is outstanding on the {order.total} may be taken, and that is less",
            ],
            concepts=[
                [
                    *LIMIT,
                    "only",
                    "just",
                    "less",
                    "larger",
                    "higher",
                    "more money than",
                    "than is outstanding",
                    "greater",
                    "bigger",
                    "overpay",
                    "too large",
                    "only owe",
                ],
                [*OWED],
            ],
            offers=["you could pay what is still due, or a part of it"],
        ),
    ],
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
        "the card ending in {payment_method.last_four} was only good until "
        "{payment_method.expires_on}",
        "the {payment_method.brand} it would go through has expired",
        "the bank won't accept that card, because it expired on {payment_method.expires_on}",
        "no payment can be made with it any more: the {payment_method.brand} ending in "
        "{payment_method.last_four} expired on {payment_method.expires_on}",
    ],
    concepts=[EXPIRED, CARD],
)
def card_in_date(db, payment_method: PaymentMethod) -> bool:
    """A card can be charged or credited until the end of its expiry date, and not once it has
    expired."""
    return in_date(db, payment_method)


@domain.rule(
    governs=["collect_payment"],
    parts=[
        part(
            "not_empty",
            lambda payment_method: payment_method.balance != 0,
            because=[
                "there is nothing left on that gift card",
                "the gift card ending in {payment_method.last_four} is empty",
                "the balance of that gift card is {payment_method.balance}",
                "that gift card has been used up and has no balance",
                "that gift card has been emptied, with nothing left to draw from",
            ],
            concepts=[[*GIFT_CARD, "that card"], OUT_OF_FUNDS],
            offers=[
                "you could use one of your cards",
                "you could take the money from a bank card instead",
            ],
        ),
        part(
            "not_too_much_for_it",
            lambda payment_method, amount: (
                payment_method.balance in (None, 0) or payment_method.balance >= amount
            ),
            because=[
                "there is only {payment_method.balance} left on that gift card",
                "the gift card doesn't cover that much, it has {payment_method.balance} on it",
                "the gift card ending in {payment_method.last_four} holds no more than "
                "{payment_method.balance}",
                "the {payment_method.balance} on the gift card isn't enough for that",
                "that is more than the gift card can pay from its balance of "
                "{payment_method.balance}",
            ],
            concepts=[GIFT_CARD, NOT_COVERED],
            offers=[
                "you could use what is on it and pay the rest from a card",
                "you could spend the remaining balance and cover the difference with a card",
            ],
        ),
    ],
)  # fmt: skip
def gift_card_covers(payment_method: PaymentMethod, amount: Money) -> bool:
    """A gift card pays no more than its balance."""
    return payment_method.balance is None or payment_method.balance >= amount


@domain.rule(
    governs=["collect_payment", "request_return", "redirect_refund"],
    because=[
        "that card isn't in your account",
        "it belongs to another account",
        "money moves over the customer's own cards, and that one is in another account",
        "I don't see that card in the wallet of your account",
        "that card is registered with somebody else",
        "the wallet that belongs to your account doesn't list that card",
    ],
    concepts=[
        [
            *BELONGS,
            "wallet",
            "on file",
            "not in your",
            "not your card",
            "n't one of yours",
            "linked",
            "saved",
            "stored",
            "someone else",
            "different person",
        ],
        [*CARD, "account"],
    ],
    offers=[
        "you could use any card or gift card in your own wallet",
        "you could pick a payment method that is saved in your account",
    ],
)
def method_in_wallet(order: Order, payment_method: PaymentMethod) -> bool:
    """An order is paid, and refunded, only with the cards and gift cards in the wallet of the
    customer who placed it. Nothing ever goes to another person."""
    return payment_method.customer is order.customer


@domain.rule(
    governs=["change_delivery_address"],
    because=[
        "that address isn't in your address book",
        "that is somebody else's address",
        "I can only choose from the address book of your own account",
        "the address belongs to another customer",
        "that address is registered with somebody else",
        "your address book doesn't list it, and I can't type in a new address",
    ],
    concepts=[
        ["address"],
        [
            *BELONGS,
            "address book",
            "on file",
            "saved",
            "type in",
            "new address",
            "enter",
            "haven't saved",
            "addresses you have",
            "entered",
            "pick from",
            "different person",
        ],
    ],
    offers=["you could choose an address that is in your address book"],
)
def address_in_book(order: Order, address: Address) -> bool:
    """Delivery goes to an entry of the customer's own address book; you can't type in a new one."""
    return address.customer is order.customer


@domain.rule(
    governs=["add_order_line", "exchange_line"],
    parts=[
        part(
            "not_sold_out",
            lambda variant: variant.stock > 0,
            because=[
                "{variant} is sold out",
                "{variant} is out of stock",
                "we have none left of {variant}",
                "none of them is in stock any more",
                "there's nothing left on the shelf, so {variant} is sold out",
            ],
            concepts=[[*STOCK], [*NOT_ENOUGH]],
            offers=[
                "you could look for another colour or size",
                "you could check our catalogue for a similar colour",
            ],
        ),
        part(
            "not_too_few",
            lambda variant, quantity: variant.stock <= 0 or variant.stock >= quantity,
            because=[
                "we have only {variant.stock} of them in stock",
                "there aren't enough in stock, only {variant.stock}",
                "our stock of {variant} is only {variant.stock}",
                "we can give you only {variant.stock} of them, we don't have enough",
                "a look at the shelf tells me that we have only {variant.stock} of them left in "
                "stock",
            ],
            concepts=[[*STOCK], [*NOT_ENOUGH]],
            offers=["you could make do with fewer, or with another colour or size"],
        ),
    ],
)
def enough_stock(variant: Variant, quantity: int) -> bool:
    """Sell only what is in stock; there are no back orders and no waiting lists."""
    return variant.stock >= quantity


@domain.rule(
    governs=["set_line_quantity"],
    parts=[
        part(
            "some_left",
            lambda line, quantity: quantity <= line.quantity or line.variant.stock > 0,
            because=[
                "no more of them are in stock",
                "{line.variant} is sold out apart from yours",
                "there are none left in stock beside the ones you have",
                "it is sold out, so there is none left to add to yours",
            ],
            concepts=[[*STOCK, "further", "any more of"], [*NOT_ENOUGH, "no more"]],
        ),
        part(
            "enough_left",
            lambda line, quantity: (
                line.variant.stock <= 0 or quantity - line.quantity <= line.variant.stock
            ),
            because=[
                "we have only {line.variant.stock} more of them in stock",
                "we have no more than {line.variant.stock} left in stock to add to yours",
                "our stock isn't enough for that, we have only {line.variant.stock} left",
                "beside yours, we have only {line.variant.stock} left in stock",
            ],
            concepts=[[*STOCK], [*NOT_ENOUGH, "no more"]],
            offers=["you could make do with less: {line.variant.stock} more at most"],
        ),
    ],
)
def stock_for_more(line: OrderLine, quantity: int) -> bool:
    """A line can grow by no more units than are free in stock; what the order already has is set
    aside for it."""
    return quantity - line.quantity <= line.variant.stock


def units_part(name: str, categories: tuple[str, ...], what: str):
    """The part of the limit on units for some categories, which have the same limit."""
    most = f"{{MAX_UNITS[{categories[0]}]}}"

    def few_enough(variant: Variant, quantity: int) -> bool:
        category = variant.product.category
        return category not in categories or quantity <= MAX_UNITS[category]

    return part(
        name,
        few_enough,
        because=[
            f"an order may have at most {most} of {what}",
            f"it is over the limit of {most} units of {what} in one order",
            f"{most} units are the maximum for {what}",
            f"we sell up to {most} of {what} in one order, and that would be more",
        ],
        concepts=[
            [*LIMIT, "only two", "only four", "only six", "allowed in an order", "per order"],
            [
                "unit",
                "order",
                "quantity",
                "piece",
                "pair",
                "same",
                "article",
                "electronic",
                "device",
                "shoes",
                "jackets",
                "household",
                "customer",
                "of those",
            ],
        ],
        offers=[f"you could have {most} of them"],
    )


@domain.rule(
    governs=["add_order_line", "set_line_quantity"],
    parts=[
        units_part("electronics", ("electronics",), "the same electronic article"),
        units_part("wear", ("footwear", "outerwear"), "the same shoes or outerwear"),
        units_part("home", ("kitchen", "personal_care"), "the same article"),
    ],
)
def units_within_limit(variant: Variant, quantity: int) -> bool:
    """We sell to households. One order carries at most {MAX_UNITS[electronics]} units of the same
    electronic article, {MAX_UNITS[footwear]} of the same shoes or outerwear, and
    {MAX_UNITS[kitchen]} of anything else."""
    return quantity <= MAX_UNITS[variant.product.category]


@domain.rule(
    governs=["add_order_line"],
    because=[
        "{variant} is in that order already",
        "exactly that article is in the order already",
        "that order already has {variant} in it",
        "it is in the order already, and the same article isn't put in there a second time",
        "your basket has that article already, as part of that order",
        "a duplicate entry isn't foreseen, and that article is in the order already",
    ],
    concepts=[
        [
            "already",
            "exist",
            "there is a line",
            "line for it",
            "again",
            "second line",
            "twice",
            "second time",
            "duplicate",
            "part of the order",
            "part of that order",
            "already included",
            "included",
            "you have it in",
            "is on the order",
        ],
        ["order", "line", "quantity"],
    ],
    offers=[
        "you could have its quantity raised instead",
        "you could increase the number of units that are in there",
    ],
)
def not_in_order_yet(order: Order, variant: Variant) -> bool:
    """A variant that is in an order already gets no second line there; for more units of it, the
    quantity of its line is raised."""
    return all(line.variant is not variant for line in order.lines)


@domain.rule(
    governs=["remove_order_line"],
    because=[
        "it is the only line of that order",
        "nothing would be left of the order",
        "the order would be empty without it",
        "it's the last thing in that order, and the last line has to stay",
        "it's the single article in there, so the order would be left empty",
        "an order without anything in it can't exist, and it's the last article there",
    ],
    concepts=[
        [
            "only",
            "last line",
            "last article",
            "last item",
            "last thing",
            "last one",
            "last remaining",
            "last piece",
            "the last of",
            "single",
            "empty",
            "nothing left",
            "nothing would",
            "nothing in it",
            "with nothing",
            "sole",
            "at least one",
            "all there is",
            "everything in",
            "n't be left",
            "nothing else",
            "without anything",
        ],
        ["line", "item", "order", "article", "thing", "product", "piece"],
    ],
    remedy="add_order_line",
    offers=["you could cancel the whole order, or have something else put in first"],
)
def not_the_last_line(line: OrderLine) -> bool:
    """The last line of an order can't be taken out: cancel the order instead, or add what is wanted
    in its place first."""
    return len(line.order.lines) > 1


@domain.rule(
    governs=["apply_coupon"],
    because=[
        "the coupon was valid until {coupon.last_day}",
        "the code {coupon.code} has expired",
        "{coupon.last_day} was the last day of that code",
        "{coupon.code} ran out on {coupon.last_day}, and expired codes aren't taken",
        "sadly that promotion ended, so the code isn't valid any more",
        "it ended on {coupon.last_day}, which was the last day of {coupon.code}",
        "the campaign behind {coupon.code} ended on {coupon.last_day}",
    ],
    concepts=[
        [
            *EXPIRED,
            "promotion is over",
            "over since",
            "too late for",
            "has ended",
            "offer ended",
            "deadline",
        ]
    ],
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
        "the goods in that order don't reach the {coupon.minimum} that {coupon.code} asks for",
        "{coupon.code} starts at {coupon.minimum}, and the order is under that",
        "the basket is worth less than the minimum of {coupon.minimum} for this code",
        "{coupon.code} only works from {coupon.minimum}, and your goods are below that minimum",
        "the goods in it fall short of the {coupon.minimum} that {coupon.code} demands of an order",
    ],
    concepts=[MINIMUM, [*COUPON, "order", "goods", "basket", "purchase", "amount", "value"]],
    remedy="set_line_quantity",
    offers=["you could have more put into the order to reach the minimum"],
)  # fmt: skip
def coupon_minimum_reached(order: Order, coupon: Coupon) -> bool:
    """The goods of the order, without shipping, have to reach the coupon's minimum. Should an order
    fall below it later, the coupon stays on the order but takes nothing off until the minimum is
    reached again."""
    return reaches(value_of(order.lines), coupon.minimum)


@domain.rule(
    governs=["apply_coupon"],
    because=[
        "there is a coupon on that order already",
        "one order takes one coupon",
        "{order.coupon.code} is on that order already, and coupons can't be combined",
        "an order takes a single coupon, and {order.coupon.code} is on it already",
        "there is one discount code on it already, and a second can't be stacked on it",
        "{order.coupon.code} is the one coupon that the order can have, and it can't be combined "
        "with another code",
    ],
    concepts=[
        [*COUPON, "voucher code", "spring15", "bundle20", "trail12"],
        [
            "already",
            "second",
            "another coupon",
            "another code",
            "existing",
            "combine",
            "stack",
            "one coupon",
            "one code",
            "two coupon",
            "two codes",
            "one per order",
            "a coupon on",
            "one on it",
            "being used there",
            "one more",
            "each order",
            "per order",
            "stacked",
            "two discounts",
            "only one",
            "a single coupon",
            "a single code",
            "a single discount",
            "add another",
            "used there",
            "in use",
            "as well",
            "already has",
        ],
    ],
    remedy="remove_coupon",
    offers=[
        "you could have {order.coupon.code} taken off first",
        "you could give up {order.coupon.code} on it and use the new one",
    ],
)
def no_coupon_yet(order: Order) -> bool:
    """An order takes one coupon. A better one replaces it only after the first has been removed."""
    return order.coupon is None


@domain.rule(
    governs=["apply_coupon"],
    because=[
        "the coupon has been used on an earlier order",
        "each customer uses a code once",
        "you have redeemed the code {coupon.code} on another order",
        "the code {coupon.code} has been used on an earlier order of yours",
        "our system remembers that you've used it before, on an earlier order",
        "once is the rule, and you've used {coupon.code} on a previous order",
    ],
    concepts=[
        [
            "used before",
            "used it",
            "used that",
            "used this",
            "used the",
            "you've used",
            "you used",
            "already used",
            "been used",
            "was used",
            "had it on",
            "redeem",
            "earlier order",
            "previous order",
            "other order",
            "another order",
            "code once",
            "coupon once",
            "works once",
            "used once",
            "once per customer",
            "only once",
            "previous purchase",
            "earlier purchase",
            "already redeemed",
            "a single time",
            "single time",
            "benefit",
            "had your turn",
            "already had",
            "applied that",
            "applied it before",
            "second time",
            "in the past",
            "each customer",
            "every customer",
            "used up",
            "once already",
            "you used",
            "had used",
        ]
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
    governs=["remove_coupon"],
    because=[
        "there is no coupon on that order",
        "that order was placed without a coupon",
        "no code has been used on that order",
        "that order has no discount code on it",
        "I've looked, and there's no coupon of any kind attached to it",
        "its price is the plain one, with no coupon anywhere on it",
    ],
    concepts=[
        [
            "no coupon",
            "without a coupon",
            "no code",
            "no discount",
            "n't a coupon",
            "n't any",
            "n't have a coupon",
            "n't have any",
            "n't got a coupon",
            "no promotion",
            "not have a coupon",
            "none has been",
            "none is",
            "n't one",
            "n't have a code",
            "no such",
            "nothing to take off",
            "nothing to remove",
            "n't any coupon",
            "n't a code",
            "without a code",
            "no voucher",
            "isn't any",
            "not have one",
            "n't have one",
            "has no coupon",
            "has none",
            "no code has",
            "nothing of the kind",
        ]
    ],
)
def coupon_to_remove(order: Order) -> bool:
    """What is to be taken off has to be there: look whether the order has a coupon at all."""
    return order.coupon is not None


@domain.rule(
    governs=["cancel_order"],
    because=[
        "it has been with the warehouse for more than {CANCEL_HOURS} hours",
        "it went to the warehouse on {order.released_at}, and that's too long ago",
        "the warehouse has had it since {order.released_at}, for more than {CANCEL_HOURS} hours",
        "the {CANCEL_HOURS} hours after it went to the warehouse are over",
        "the packers in the warehouse have had it for longer than {CANCEL_HOURS} hours, so it's "
        "too late",
        "the warehouse received it more than {CANCEL_HOURS} hours ago and can't stop it any more",
    ],
    concepts=[
        [
            "warehouse",
            "packed",
            "released",
            "processing",
            "hours",
            "packers",
            "packing",
            "parcel is ready",
        ],
        [
            *TOO_LATE,
            "hours",
            "already",
            "been packed",
            "is packed",
            "cancelling",
            "n't stop",
        ],
    ],
    offers=[
        "you could send it back once the parcel has arrived",
        "you could wait for the delivery and then return it to us",
    ],
)
def cancelled_in_time(db, order: Order) -> bool:
    """A pending order can be cancelled at any time, a processing one until {CANCEL_HOURS} hours
    after it went to the warehouse. Later the customer has to wait for the parcel and return it."""
    return may_still_cancel(order.released_at, db.now)


def window_part(tier: str):
    """The part of the return period that concerns one loyalty tier."""
    days = f"{{RETURN_DAYS[{tier}]}} days"

    def soon_enough(db, order: Order) -> bool:
        return order.customer.tier != tier or may_come_back(order.delivered_on, tier, db.today)

    return part(
        tier,
        soon_enough,
        because=[
            f"it was delivered on {{order.delivered_on}}, more than {days} ago",
            f"{tier} customers have {days} after delivery, and it came on {{order.delivered_on}}",
            f"it arrived on {{order.delivered_on}}, and the {days} for {tier} customers are over",
            f"the return period of {days} ended before today",
            f"more than {days} have gone by since the delivery on {{order.delivered_on}}, so it's "
            "too late",
        ],
        concepts=[
            RETURN + EXCHANGE + ["window", "period", "deliver", "arrived", "send it back"],
            [
                *TOO_LATE,
                "days",
                "window",
                "longer than",
                "run out",
                "period has",
                "deadline",
                "month",
                "had until",
                "have until",
                "was until",
                "only until",
            ],
        ],
    )


@domain.rule(
    governs=["request_return", "exchange_line"], parts=[window_part(tier) for tier in RETURN_DAYS]
)
def in_return_window(db, order: Order) -> bool:
    """Goods may be returned or exchanged for {RETURN_DAYS[basic]} days after delivery by basic
    customers, {RETURN_DAYS[silver]} days by silver and {RETURN_DAYS[gold]} days by gold customers.
    The day of delivery isn't counted."""
    return may_come_back(order.delivered_on, order.customer.tier, db.today)


@domain.rule(
    governs=["request_return", "quote_return"],
    because=[
        "not all of that is from the same order",
        "these things belong to different orders",
        "a return is for a single order, and those are from different ones",
        "one of them is part of another order",
        "you bought those things in two separate orders",
        "one return label covers a single order, and these things belong to different orders",
    ],
    concepts=[
        ["order"],
        [
            "same",
            "one order",
            "different",
            "another order",
            "belong",
            "part of",
            "separate",
            "two orders",
            "several orders",
            "other order",
            "second order",
            "together in one",
            "single order",
            "two purchases",
        ],
    ],
    offers=[
        "you could open a return for each of the orders",
        "you could split it into separate returns, one per order",
    ],
)
def lines_of_one_order(order: Order, lines: list[OrderLine]) -> bool:
    """A return covers lines of one order; goods from two orders travel as two returns."""
    return all(line.order is order for line in lines)


@domain.rule(
    governs=["request_return"],
    because=[
        "there is an open return on that order already",
        "a return of that order is still on its way",
        "an open return is there already, and a second isn't possible on the same order",
        "the return that you have open on that order isn't with our warehouse yet",
        "another return from it is still open, and our warehouse is waiting for that box",
        "your first box from that order is still on its way, so there's an open return already",
    ],
    concepts=[
        ["return", "rma", "send back", "sent back"],
        [
            "open",
            "return on its way",
            "still on its way",
            "in progress",
            "under way",
            "pending",
            "second",
            "another return",
            "one return per",
            "only one return",
            "return at a time",
            "at a time",
            "same return",
            "existing",
            "running",
            "one open return",
            "first one",
            "first return",
            "current return",
            "start another",
            "two returns",
            "is one already",
            "already one open",
            "one open already",
            "already a return",
        ],
    ],
    remedy="cancel_return",
    offers=["you could cancel that return and open one with everything in it"],
)
def one_return_at_a_time(order: Order) -> bool:
    """An order has one open return at a time, so all lines a customer wants to send back go into
    the same return. If a line was forgotten, cancel the return and request a new one with all of
    them; once the warehouse has received a return, the next may be opened."""
    return not open_returns(order)


@domain.rule(
    governs=["request_return"],
    parts=[
        part(
            "not_sent_back",
            lambda lines: all(line.status not in ("returning", "returned") for line in lines),
            because=[
                "one of those things isn't with you any more, it has been sent back",
                "that has been sent back already",
                "part of it has been returned before, so you don't have it any more",
                "it has been sent back before, and nothing is returned twice",
            ],
            concepts=[
                [
                    "already",
                    "no longer",
                    "been sent",
                    "been returned",
                    "any more",
                    "twice",
                    "again",
                    "second time",
                    "was sent back",
                    "been sent back",
                    "being returned",
                    "on its way back",
                    "on their way back",
                    "is back",
                    "before",
                    "you've returned",
                    "went back",
                    "gone back",
                    "returned it",
                    "no longer have",
                ],
                [*RETURN, "returned", "went back", "gone back"],
            ],
        ),
        part(
            "not_exchanged",
            lambda lines: all(line.status not in ("exchanging", "exchanged") for line in lines),
            because=[
                "it has been exchanged already, and what was exchanged isn't taken back",
                "it has been exchanged before, and then it can't be returned any more",
                "part of that has been swapped already, which makes it final",
                "an exchanged article is no longer returned, and one of them has been exchanged",
            ],
            concepts=[
                [
                    "already",
                    "no longer",
                    "been exchanged",
                    "any more",
                    "before",
                    "you exchanged",
                    "exchanged it",
                    "exchanged for",
                    "was exchanged",
                    "been swapped",
                    "swapped it",
                    "exchanged goods",
                    "exchanged item",
                    "in an exchange",
                    "in exchange",
                    "through an exchange",
                    "already swapped",
                    "you swapped",
                    "swapped that",
                    "result of",
                    "excluded",
                    "got it for",
                ],
                [*EXCHANGE],
            ],
        ),
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
            because=[
                "the card the refund was meant for has expired",
                "the {return_request.payment_method.brand} ending in "
                "{return_request.payment_method.last_four} has expired",
                "the card it should go to ran out on {return_request.payment_method.expires_on}",
                "the refund is meant for a card that was good until "
                "{return_request.payment_method.expires_on}",
                "nothing can be paid to an expired card, and the one it should go to expired on "
                "{return_request.payment_method.expires_on}",
            ],
            concepts=[EXPIRED, CARD],
            remedy="redirect_refund",
            offers=["you could have the refund redirected to a gift card first"],
        ),
        part(
            "gift_card_has_room",
            lambda return_request: fits_on_gift_card(
                return_request.payment_method, return_request.refund
            ),
            because=[
                "the gift card would then hold more than {GIFT_CARD_LIMIT:money}",
                "there isn't room for {return_request.refund} on that gift card",
                "with {return_request.refund} more, the gift card would be over its limit",
                "the gift card holds {return_request.payment_method.balance} already, and its "
                "limit is {GIFT_CARD_LIMIT:money}",
            ],
            concepts=[
                [*GIFT_CARD],
                [
                    *LIMIT,
                    "room",
                    "full",
                    "{GIFT_CARD_LIMIT:money}",
                    "not fit on",
                    "not fit",
                    "beyond",
                    "nearly full",
                    "hold that much",
                    "no more than",
                    "too much",
                    "overflow",
                    "exceed",
                ],
            ],
            remedy="redirect_refund",
            offers=["you could have the refund redirected to the card of the order"],
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
            because=[
                "an exchange is only possible within the same product",
                "the {variant.product.title} is a different product from the "
                "{line.variant.product.title}",
                "it would have to be the same product in another colour or size",
                "the {line.variant.product.title} can be exchanged for the same product only",
                "for a swap, only another colour or size of the same product will do",
            ],
            concepts=[
                [
                    "same",
                    "different",
                    "another",
                    "other",
                    "variant",
                    "one product",
                    "only colour",
                    "within",
                    "else",
                    "stay within",
                    "unlike",
                    "two kinds",
                ],
                [
                    "product",
                    "article",
                    "model",
                    "thing",
                    "size or colour",
                    "colour or size",
                    "sizes or colours",
                    "colour and size",
                    "size and colour",
                    "boot",
                    "kind of",
                    "item",
                    "goods",
                ],
            ],
            offers=["you could order the other on our web site, and maybe return this one"],
        ),
        part(
            "other_variant",
            lambda line, variant: line.variant is not variant,
            because=[
                "it's the very one that you have",
                "you have {variant} already",
                "it is the same colour and size that you have already",
                "it would be identical to the one you have",
            ],
            concepts=[
                [
                    "same",
                    "already",
                    "very",
                    "identical",
                    "exactly",
                    "the one you",
                    "no difference",
                    "n't differ",
                    "as you have",
                ],
                [
                    "variant",
                    "size",
                    "colour",
                    "color",
                    "you have",
                    "you bought",
                    "same thing",
                    "same one",
                    "the one you",
                    "identical one",
                    "identical",
                    "as yours",
                    "you already have",
                    "already own",
                    "itself",
                ],
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
    parts=[
        part(
            "not_the_same",
            lambda line: line.variant.price != line.unit_price,
            because=[
                "our price for it hasn't dropped, it is the same as the one you paid",
                "it costs {line.variant.price} today, the same price that you paid",
                "today's price of {line.variant.price} isn't lower than the one you paid",
                "the price is still {line.variant.price} and hasn't come down",
                "its price is unchanged at {line.variant.price}, so there's no difference to give "
                "back",
            ],
            concepts=[
                ["price", "cost", "what you paid"],
                [
                    "drop",
                    "lower",
                    "cheaper",
                    "same",
                    "reduced",
                    "fallen",
                    "gone down",
                    "still",
                    "changed",
                    "unchanged",
                    "what you paid",
                    "cut",
                    "price cut",
                    "exactly",
                    "reduction",
                    "come down",
                    "been lowered",
                    "no change",
                    "identical",
                    "as much as you paid",
                    "just as",
                    "hasn't moved",
                    "equal",
                ],
            ],
        ),
        part(
            "not_dearer",
            lambda line: line.variant.price <= line.unit_price,
            because=[
                "today's price of {line.variant.price} is higher than the {line.unit_price} you "
                "paid",
                "its price has gone up, not down: you paid {line.unit_price}, and today it "
                "costs {line.variant.price}",
                "it has become dearer since you bought it and costs {line.variant.price} today",
                "you paid {line.unit_price}, and the price is higher now",
                "you bought it for less, at {line.unit_price}, and the price has climbed to "
                "{line.variant.price}",
            ],
            concepts=[
                ["price", "cost", "paid", "expensive", "dearer"],
                [
                    "higher",
                    "gone up",
                    "risen",
                    "rose",
                    "more expensive",
                    "dearer",
                    "costs more",
                    "more today",
                    "increased",
                    "not down",
                    "was cheaper",
                    "not lower",
                    "not cheaper",
                    "went up",
                    "go up",
                    "costs today",
                    "less than it costs",
                    "now than",
                    "dearer now",
                    "climbed",
                    "not fallen",
                    "than when you bought",
                    "pricier",
                    "more than you paid",
                    "more than what you paid",
                    "above what you paid",
                    "higher price",
                    "dearer than",
                ],
            ],
        ),
    ],
)
def price_has_dropped(line: OrderLine) -> bool:
    """We match our own prices: today's price of the same variant has to be lower than the price the
    customer paid. Prices of other shops don't count."""
    return line.variant.price < line.unit_price


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
    return days <= RETURN_DAYS[order.customer.tier] and method.customer is order.customer


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
        (line.status == "exchanging") == swapping and (line.status == "exchanged") == swapped
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
    if payment.payment_method.customer is not payment.order.customer:
        return False
    checked = payment.kind == "charge" or payment.purpose in ("exchange", "return", "goodwill")
    expires_on = payment.payment_method.expires_on
    return not checked or expires_on is None or expires_on >= payment.made_on


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
    """All that is due, what a gift card can give towards it, about half of it, and too much."""
    owed = due(order)
    if not owed:
        return [SOME_MONEY, 2 * SOME_MONEY]
    balance = payment_method.balance
    covered = owed if balance is None else min(owed, balance)
    found = [owed, covered, owed // 2 // ONE_DOLLAR * ONE_DOLLAR, owed + SOME_MONEY]
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

    pieces: int
    goods: Money
    fees: Money
    refund: Money


@domain.read(
    requires=[lines_of_one_order, OF_ORDER],
    errors={"not_delivered": "Nothing of the order has been delivered, so nothing can come back."},
    tells={
        "refund": [
            "how much I would get back if I returned {lines} from {order} because of a {reason}",
            "what you would refund if I sent back {lines} from {order} because of a {reason}",
            "what I would be refunded for {lines} from {order}, sent back because of a {reason}",
        ],
        "fees": [
            "what I would pay in fees for returning {lines} from {order} because of a {reason}",
            "how much you would keep in fees if I returned {lines} from {order} because of "
            "a {reason}",
            "how much I would lose in fees if I sent back {lines} from {order} because of "
            "a {reason}",
        ],
        "goods": [
            "what I would get before fees for {lines} from {order}, returned because of a {reason}",
            "how much you would credit before fees if I sent back {lines} from {order} because "
            "of a {reason}",
            "what you would credit before fees for {lines} from {order}, returned because of a "
            "{reason}",
        ],
    },
)
def quote_return(db, order: Order, lines: Lines, reason: Reason) -> ReturnQuote:
    """Work out the refund for sending back lines of an order, without opening a return: how many
    pieces that are, the value of the goods after discounts, the restocking and label fees, and what
    remains.

    Args:
        lines: The lines to send back, all from this order
        reason: Why they come back
    """
    if order.delivered_on is None:
        raise ToolError("not_delivered")
    goods, fees, refund = return_terms(order, lines, reason)
    pieces = sum(line.quantity for line in lines)
    return {"pieces": pieces, "goods": goods, "fees": fees, "refund": refund}


class ExchangeQuote(TypedDict):
    """What swapping a line, with all its pieces, would cost or give back."""

    pieces: int
    to_charge: Money
    to_refund: Money
    in_stock: int


@domain.read(
    requires=[like_for_like, OF_LINE],
    errors={"not_delivered": "The line hasn't been delivered, so there is nothing to exchange."},
    tells={
        "to_charge": [
            "what I would have to pay on top for {variant} instead of {line}",
            "how much I would pay on top if I swapped {line} for {variant}",
            "what you would charge for exchanging {line} for {variant}",
        ],
        "to_refund": [
            "what I would get back if I took {variant} instead of {line}",
            "how much I would save if I swapped {line} for {variant}",
            "what you would refund for exchanging {line} for {variant}",
        ],
    },
)
def quote_exchange(db, line: OrderLine, variant: OtherVariant) -> ExchangeQuote:
    """Work out the price difference for exchanging a line for another variant, without doing it."""
    if line.order.delivered_on is None:
        raise ToolError("not_delivered")
    difference = price_difference(line.unit_price, variant.price, line.quantity)
    to_charge, to_refund = sides_of(difference)
    return {
        "pieces": line.quantity,
        "to_charge": to_charge,
        "to_refund": to_refund,
        "in_stock": variant.stock,
    }


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
        "orders": [
            "how many orders I have placed since {since}",
            "how many orders I made since {since}",
            "how many times I have ordered from you since {since}",
        ],
        "spent": [
            "how much I have spent with you on orders since {since}",
            "what you have charged me in all for orders since {since}",
            "how much you have taken from me for what I ordered since {since}",
        ],
        "refunded": [
            "how much I have had back on orders since {since}",
            "what you have refunded me in all for orders since {since}",
            "how much you have given me back for what I ordered since {since}",
        ],
        "outstanding": [
            "what is still due on my orders since {since}",
            "how much I still owe on orders since {since}",
            "how much I still have to pay on everything ordered since {since}",
        ],
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
        order for order in customer.orders if is_counted(order.status, order.placed_on, since)
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

# What to ask when a person leaves something out.
WHICH_ORDER = [
    "Which order is this about?",
    "Which of your orders do you mean?",
    "Could you tell me which order that is, by its number or date?",
    "I see several in your account; which order is it?",
    "Which order should I look up, please?",
]
WHICH_LINE = [
    "Which of the items do you mean?",
    "Which item of the order is it?",
    "Could you tell me which of your items it is about?",
    "Which item shall I take, in what colour and size?",
    "Which of the things in your order do you have in mind?",
]
WHICH_VARIANT = [
    "Which article would you like, in what colour and size?",
    "What should it be, and in what colour and size?",
    "Could you tell me which article it should be?",
    "Which of our articles would suit you best, in what colour and size?",
]
HOW_MANY = [
    "What quantity would you like?",
    "How many should it be?",
    "Could you tell me the quantity, please?",
    "How many shall I put down for you?",
]
WHICH_METHOD = [
    "Which card or gift card do you mean?",
    "Which payment method should it be?",
    "Could you tell me which payment method to use, a card or a gift card?",
    "Which card or gift card from your wallet shall it be?",
]
WHICH_RETURN = [
    "Which return do you mean?",
    "Which of your returns is this about?",
    "Could you tell me which return that is, by its number or date?",
    "Which return should I look up?",
]


@domain.write(
    requires=[
        not_in_order_yet,
        units_within_limit,
        enough_stock,
        reviews_freeze_contents,
        OF_ORDER,
    ],
    changes=[
        stays("order", "pending"),
        creates(OrderLine),
        sets("variant", Variant.stock),
        MONEY_OF_ORDER,
        creates(Payment),
    ],
    ask=[
        "add {variant} to {order}",
        "put {variant} on {order} as well",
        "have {variant} sent along with {order}",
        "order {variant} on top of what's in {order}",
        "have {variant} included with {order}",
        "get {variant} into {order} as well",
        "get {variant} added to {order}",
        "add something to {order}",
        "put one more thing into {order}",
        "add {quantity} of something to {order}",
        "add {quantity} of {variant} to {order}",
        "put {quantity} of {variant} on {order} as well",
        "have {quantity} of {variant} sent along with {order}",
        "order {quantity} of {variant} on top of what's in {order}",
        "get {quantity} of {variant} into {order} as well",
        "get {quantity} of {variant} added to {order}",
        "include {variant} in {order}",
        "fit {variant} into {order}",
        "top up {order} with {variant}",
        "include {quantity} of {variant} in {order}",
        "top up {order} with {quantity} of {variant}",
        "place {variant} in {order}",
        "have {variant} packed with {order}",
        "extend {order} to include {variant}",
        "have {variant} shipped with {order}",
        "buy {variant} along with {order}",
        "place {quantity} of {variant} in {order}",
        "have {quantity} of {variant} packed with {order}",
        "buy {quantity} of {variant} along with {order}",
    ],
    asks={"order": WHICH_ORDER, "variant": WHICH_VARIANT},
    outcome=outcome(
        quotes=["total", "due"],
        mood="good",
        differences={"due": ("total", "paid")},
        says=[
            "{variant} is in {order} now, quantity {quantity}, which took the total to {total}; "
            "that left {due} to pay before it can be sent.",
            "I've put {variant} into {order} in a quantity of {quantity}, so it came to {total}; "
            "that made {due} due.",
            "{variant} will come along with {order} (quantity: {quantity}), which brought it to a "
            "new total of {total}; that took what you owe on it to {due}.",
            "I've added {variant} to {order}, quantity {quantity}, and the total rose to {total}; "
            "that left {due} to be collected.",
            "I've reserved {variant} for {order} in a quantity of {quantity}, and that made the "
            "updated sum {total}; it left {due} to be settled.",
            "{order} includes {variant} from now on, quantity {quantity}, which brought it to "
            "{total}; that made {due} payable before it leaves us.",
            "{variant} has been added to {order}, in a quantity of {quantity}, which moved the "
            "total up to {total}; that put the open balance at {due}.",
            "I've found room for {variant} in {order}, quantity {quantity}, and its value went up "
            "to {total}; that brought the unpaid amount to {due}.",
            "You'll find {variant} on the invoice for {order}, in a quantity of {quantity}, which "
            "raised the sum to {total}; that left {due} missing.",
            "{variant} joins the other things in {order}, quantity {quantity}, which made the "
            "whole package cost {total}; that left {due} yet to be settled.",
            "I've set aside {variant} for {order}, quantity {quantity}, and the bill grew to "
            "{total}; that left {due} to cover before packing.",
            "I've extended {order} by {variant}, quantity {quantity}, which lifted its price to "
            "{total}; that made {due} outstanding.",
            "{variant} travels with {order} from here on (quantity: {quantity}); the cost climbed "
            "to {total} with that, of which {due} was unpaid.",
            "{variant} is listed in {order} as well, in a quantity of {quantity}; that increased "
            "the price to {total}; it took the amount owed to {due}.",
            "I've entered {variant} for {order}, quantity {quantity}; that set the sum to "
            "{total}; it left a remainder of {due} to be paid.",
        ],
    ),
)
def add_order_line(db, order: Order, variant: Variant, quantity: Units = 1) -> Order:
    """Add a variant to a pending order at today's price. Discount and shipping are worked out anew,
    and the units are set aside at once. Tell the customer what is now due; it has to be collected
    before the order can go to the warehouse.

    Args:
        quantity: Number of units, if it is more than a single one, for example 2
    """
    variant.stock -= quantity
    db.create(OrderLine, order=order, variant=variant, quantity=quantity, unit_price=variant.price)
    reprice(db, order)
    return order


@domain.write(
    requires=[
        units_within_limit.on("line.variant"),
        stock_for_more,
        reviews_freeze_contents.on("line.order"),
        OF_LINE,
    ],
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
        "change the quantity of {line}",
        "correct the number of {line}",
        "change the quantity of something that I ordered to {quantity}",
        "change the quantity of {line} to {quantity}",
        "make it {quantity} of {line}",
        "correct the quantity of {line} from {line.quantity} to {quantity}",
        "adjust the number of {line} to {quantity} instead of {line.quantity}",
        "move the quantity of {line} from {line.quantity} to {quantity}",
        "have the number of {line} in {line.order} set to {quantity}",
        "get {quantity} of {line} in all, not {line.quantity}",
        "revise the quantity of {line} to {quantity}",
        "bring the number of {line} from {line.quantity} to {quantity}",
        "end up with {quantity} of {line} rather than {line.quantity}",
        "update the count of {line} to {quantity}",
        "amend the quantity of {line} to {quantity}",
        "be put down for {quantity} of {line}",
        "set the number of {line} at {quantity}",
        "get {quantity} of {line} in my parcel",
        "alter the quantity of {line} from {line.quantity} to {quantity}",
    ],
    asks={"line": WHICH_LINE, "quantity": HOW_MANY},
    outcome=outcome(
        quotes=["total", "due", "back"],
        mood="good",
        differences={"due": ("total", "paid"), "back": ("line.order.paid", "paid")},
        says=[
            "The quantity of {line} is {quantity} now, so the order came to {total}; that made "
            "{due} due; {back} goes back to {line.order.payment_method}.",
            "I've changed {line} to a quantity of {quantity}, which made the new total {total}; "
            "that left {due} to pay; the {back} that you had paid too much goes to "
            "{line.order.payment_method}.",
            "You're down for a quantity of {quantity} of {line} now, which took the total to "
            "{total}; that put what you owe at {due}; you get {back} back on "
            "{line.order.payment_method}.",
            "I've set the quantity of {line} to {quantity}, which gave the order a total of "
            "{total}; that left {due} to be collected; {back} returns to "
            "{line.order.payment_method}.",
            "{line} stands at {quantity} from now on, which brought the order to {total}; that "
            "left {due} to be paid; {back} is refunded to {line.order.payment_method}.",
            "I've updated the number to {quantity} for {line}, so the bill became {total} "
            "altogether; that left {due} missing; the surplus of {back} goes to "
            "{line.order.payment_method}.",
            "The count of {line} is corrected to {quantity}, which moved the sum to {total}; that "
            "set the open balance at {due}; {back} is sent back to {line.order.payment_method}.",
            "Our system has noted {quantity} for {line}, which brought the sum to {total}; that "
            "gave an unpaid amount of {due}; we're returning {back} to "
            "{line.order.payment_method}.",
            "Our packers will find {quantity} of {line} on the order, and the whole package came "
            "to {total} with that; it left {due} yet to be settled; expect {back} on "
            "{line.order.payment_method}.",
            "Instead of the former number you'll receive {quantity} of {line}, which changed the "
            "invoice to {total}; that made {due} outstanding; the excess of {back} is transferred "
            "to {line.order.payment_method}.",
            "I've rewritten the entry for {line}, and it counts {quantity} now; the order added "
            "up to {total} with that; it left {due} for you to pay; {back} is reimbursed on "
            "{line.order.payment_method}.",
            "I've corrected {line} to a quantity of {quantity}, which resulted in a total of "
            "{total}; that took the balance to {due}; {back} is credited to "
            "{line.order.payment_method}.",
            "I've noted down {quantity} of {line}, so the order amounted to {total}; that brought "
            "what is owed to {due}; {back} is repaid to {line.order.payment_method}.",
            "Our list has {quantity} of {line}, and so the total was worked out anew as {total}; "
            "that left a remainder of {due}; {back} is given back on {line.order.payment_method}.",
        ],
    ),
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
    requires=[not_the_last_line, reviews_freeze_contents.on("line.order"), OF_LINE],
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
        "scratch {line} from {line.order}",
        "pull {line} out of {line.order}",
        "leave {line} out of {line.order}",
        "have {line} dropped from {line.order}",
        "cut {line} from {line.order}",
        "delete {line} from {line.order}",
        "have {line} taken out of {line.order}",
        "do without {line} in {line.order}",
        "skip {line} in {line.order}",
        "get {line} out of {line.order}",
        "have {line} deleted from {line.order}",
        "erase {line} from {line.order}",
        "have {line.order} without {line}",
        "reduce {line.order} by dropping {line}",
    ],
    asks={"line": WHICH_LINE},
    outcome=outcome(
        quotes=["total", "due", "back"],
        mood="neutral",
        differences={"due": ("total", "paid"), "back": ("line.order.paid", "paid")},
        says=[
            "{line} is off the order, which came to {total} with that; it left {due} still to "
            "pay; {back} goes back to {line.order.payment_method}.",
            "I've taken {line} out of the order, so the total went down to {total}; that left "
            "{due} to pay; the {back} that you had paid too much goes to "
            "{line.order.payment_method}.",
            "{line} won't be sent any more, and that left a total of {total}; it put what you "
            "owe at {due}; you get {back} back on {line.order.payment_method}.",
            "{line} isn't part of the order any longer, which took the total to {total}; that "
            "made {due} the amount due; {back} returns to {line.order.payment_method}.",
            "{line} has been removed, and the rest amounted to {total}; that left {due} to be "
            "paid; {back} is refunded to {line.order.payment_method}.",
            "I've deleted {line} for you, so the bill became {total}; that left {due} missing; "
            "the surplus of {back} goes to {line.order.payment_method}.",
            "{line} goes back to our shelves, which moved the total to {total}; that set the "
            "open balance at {due}; {back} is sent back to {line.order.payment_method}.",
            "We've removed {line}, which made the new total {total}; that left {due} unpaid; "
            "we're returning {back} to {line.order.payment_method}.",
            "We'll leave {line} out, and the order came to {total} with that; it left {due} yet "
            "to be settled; expect {back} on {line.order.payment_method}.",
            "I've cancelled {line} in that order, and the order comes to {total} without it; that "
            "made {due} outstanding; the excess of {back} is credited to "
            "{line.order.payment_method}.",
            "I've withdrawn {line} from the order, which brought the total down to {total}; "
            "that left {due} for you to pay; {back} is reimbursed on "
            "{line.order.payment_method}.",
            "{line} has been taken off, and what stays added up to {total}; that took the "
            "balance to {due}; {back} is transferred to {line.order.payment_method}.",
            "I've dropped {line} from the order, and what is left came to {total}; that brought "
            "what is owed to {due}; {back} is paid back to {line.order.payment_method}.",
            "The order goes on without {line}; the remainder amounted to {total}; that left "
            "{due} to be collected; {back} is repaid to {line.order.payment_method}.",
            "{line} stays with us, so the smaller order added up to {total}; that left {due} to "
            "cover; {back} is given back on {line.order.payment_method}.",
        ],
    ),
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
    requires=[
        coupon_in_force,
        no_coupon_yet,
        coupon_unused,
        coupon_minimum_reached,
        bundle_needs_a_set,
        reviews_freeze_contents,
        OF_ORDER,
    ],
    changes=[
        stays("order", "pending"),
        sets("order", Order.coupon, Order.discount, Order.total, Order.paid),
        creates(Payment),
    ],
    ask=[
        "use {coupon} on {order}",
        "use a coupon on {order}",
        "redeem a discount code for {order}",
        "redeem {coupon} for {order}",
        "claim {coupon} for {order}",
        "have {coupon} redeemed on {order}",
        "have {coupon} taken into account for {order}",
        "apply {coupon} to {order}",
        "get the {coupon.percent} percent from {coupon} off {order}",
        "have {coupon} used for {order}",
        "enter {coupon} for {order}",
        "make use of {coupon} for {order}",
        "have {coupon} entered for {order}",
        "lower the price of {order} with {coupon}",
        "get {order} cheaper with {coupon}",
        "activate {coupon} for {order}",
        "see {coupon} deducted from {order}",
        "have {coupon} count for {order}",
        "have {coupon} honoured for {order}",
        "knock {coupon.percent} percent off {order} with {coupon}",
        "get the discount from {coupon} on {order}",
    ],
    asks={
        "order": WHICH_ORDER,
        "coupon": [
            "Which coupon would you like to use?",
            "What is the code of the coupon?",
            "Could you tell me the coupon code, please?",
        ],
    },
    outcome=outcome(
        quotes=["discount", "total", "back"],
        mood="good",
        differences={"due": ("total", "paid"), "back": ("order.paid", "paid")},
        says=[
            "I've put {coupon.code} on {order}, which took {discount} off and made the total "
            "{total}; that left {due} to pay; {back} goes back to {order.payment_method}.",
            "I've used {coupon.code} on {order}, which saved you {discount} and made the new "
            "total {total}; that left {due} to be paid; you get {back} back on "
            "{order.payment_method}.",
            "I've applied {coupon.code} to {order}, so it became {discount} cheaper and came to "
            "{total}; that set what you owe at {due}; the {back} that you had paid too much "
            "returns to {order.payment_method}.",
            "{order} got a discount of {discount} from {coupon.code}, which took the total to "
            "{total}; that left {due} outstanding; {back} of what you have paid goes back to "
            "{order.payment_method}.",
            "{coupon.code} has been accepted for {order}, which meant {discount} less and a sum "
            "of {total}; that put the open balance at {due}; {back} is refunded to "
            "{order.payment_method}.",
            "{coupon.code} worked for {order}, so {discount} came off and it amounted to {total}; "
            "that left {due} yet to be settled; the surplus of {back} goes to "
            "{order.payment_method}.",
            "I've entered {coupon.code} for {order}, which brought a reduction of {discount} and "
            "a bill of {total}; that took the balance to {due}; {back} is sent back to "
            "{order.payment_method}.",
            "I've activated {coupon.code} on {order}, which gave you {discount} off and left "
            "{total}; that made {due} the amount due; we're returning {back} to "
            "{order.payment_method}.",
            "{coupon.code} has lowered the price of {order}, by {discount} to {total}; that left "
            "{due} for you to pay; expect {back} on {order.payment_method}.",
            "Your code {coupon.code} was valid for {order} and has been redeemed, which saved you "
            "{discount} and reduced the invoice to {total}; that left {due} unpaid; the excess of "
            "{back} is credited to {order.payment_method}.",
            "{coupon.code} has been honoured for {order}: it brought a discount of {discount} and "
            "a total of {total}; that left {due} missing; {back} is reimbursed on "
            "{order.payment_method}.",
            "{coupon.code} has cut {discount} from {order}, so the invoice came to {total}; that "
            "took the unpaid amount to {due}; {back} is transferred to {order.payment_method}.",
            "Your saving with {coupon.code} on {order} has been booked, namely {discount}, which "
            "brought the order to {total}; that left {due} to settle; {back} is paid back to "
            "{order.payment_method}.",
            "I've recorded {coupon.code} on {order}: {discount} was subtracted, which resulted in "
            "{total}; that left {due} to cover; {back} is repaid to {order.payment_method}.",
            "The code {coupon.code} has reduced {order} by {discount}, which moved the total down "
            "to {total}; that left {due} to be collected; {back} is given back on "
            "{order.payment_method}.",
        ],
    ),
)
def apply_coupon(db, order: Order, coupon: Coupon) -> Order:
    """Apply a coupon code to a pending order, also when it has been paid already: what is then
    overpaid goes back to the card of the order. Take only a code that the customer names; don't
    look for one on their behalf."""
    order.coupon = coupon
    reprice(db, order)
    return order


@domain.write(
    requires=[coupon_to_remove, OF_ORDER],
    changes=[
        stays("order", "pending"),
        sets("order", Order.coupon, Order.discount, Order.total),
    ],
    ask=[
        "take the coupon {order.coupon.code} off {order} again",
        "save {order.coupon.code} for another time and have it removed from {order}",
        "have the code {order.coupon.code} taken back off {order}",
        "get {order.coupon.code} off {order}",
        "withdraw {order.coupon.code} from {order}",
        "have {order.coupon.code} back and pay {order} in full",
        "keep {order.coupon.code} for later and get it off {order}",
        "do away with the coupon on {order}",
        "have the discount code taken off {order} again",
        "pay the regular price for {order} and keep {order.coupon.code}",
        "free {order.coupon.code} from {order} for another purchase",
        "remove {order.coupon.code} from {order}",
        "detach {order.coupon.code} from {order}",
        "get back {order.coupon.code} from {order}",
        "cancel the discount on {order}",
        "have the coupon on {order} removed",
    ],
    asks={"order": WHICH_ORDER},
    outcome=outcome(
        quotes=["total", "due"],
        mood="neutral",
        differences={"due": ("total", "paid")},
        says=[
            "The coupon is gone from {order}, which took its total to {total}; that made {due} "
            "due.",
            "I've taken the coupon off {order}, so you can use the code another time; the total "
            "went back to {total} with that; it left {due} to be paid.",
            "I've removed the coupon from {order}, which came to {total} without it; that set "
            "what you owe at {due}.",
            "{order} has had its coupon removed, so that you have the code free again, and the "
            "regular total of {total} applied; that left {due} to pay.",
            "I've freed the code from {order}, which returned to its regular {total}; that put "
            "the unpaid amount at {due}.",
            "The coupon has been withdrawn from {order}, the code is yours to use elsewhere, and "
            "the invoice rose to {total}; that took the open balance to {due}.",
            "I've restored the full price of {order}, which was {total}, and the code counts as "
            "unused; that left {due} missing.",
            "I've cancelled the discount on {order}, which brought it to the ordinary {total}; "
            "that left {due} yet to be settled, and the code can be used for another purchase.",
            "The code has been detached from {order}, whose invoice went up to {total}; that made "
            "{due} outstanding.",
            "I've deleted the coupon on {order}, which moved the price to {total}; that left "
            "{due} to be collected.",
            "I've reset {order} to its price without a reduction, {total}; that brought the "
            "amount owed to {due}.",
        ],
    ),
)
def remove_coupon(db, order: Order) -> Order:
    """Take the coupon off a pending order. The discount is lost and becomes due, but the customer
    may use the code again."""
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
        "get {order} delivered to {address}",
        "reroute {order} to {address}",
        "have {address} used for {order}",
        "have {order} go to {address} instead",
        "have {order} sent to another address",
        "change the delivery address of {order}",
        "switch {order} over to {address}",
        "receive {order} at {address}",
        "forward {order} to {address}",
        "have the parcel for {order} brought to {address}",
        "update the destination of {order} to {address}",
        "have {order} shipped to {address}",
        "have {order} directed to {address}",
        "have {order} dropped off at {address}",
        "let {order} go to {address}",
        "have the courier bring {order} to {address}",
    ],
    asks={
        "order": WHICH_ORDER,
        "address": [
            "Which address should it go to?",
            "Which of the addresses in your address book would you like?",
            "Could you tell me the address that it should be sent to?",
        ],
    },
    outcome=outcome(
        quotes=["city"],
        mood="good",
        says=[
            "{order} will go to your {address.nickname} address in {city} now.",
            "I've changed the delivery of {order} to your {address.nickname} address in {city}.",
            "The parcel for {order} goes to {city} now, to your {address.nickname} address.",
            "{order} goes to your {address.nickname} address in {city} now.",
            "The label for {order} will say {city}, that is, your {address.nickname} address.",
            "I've updated the destination of {order}, which is your {address.nickname} address in "
            "{city} from now on.",
            "{order} is redirected, so look out for it at your {address.nickname} address in "
            "{city}.",
            "Your {address.nickname} address in {city} is now the one that we use for {order}.",
            "Our carrier will bring {order} to {city}, to the {address.nickname} address you "
            "picked.",
            "The driver will come to your {address.nickname} address in {city} with {order}.",
            "{order} is meant for {city} now, for the {address.nickname} address in your address "
            "book.",
            "From our warehouse, {order} will be sent to {city}, where it's delivered to your "
            "{address.nickname} address.",
            "I've corrected where {order} is going, namely to your {address.nickname} address in "
            "{city}.",
            "{order} has a new destination, your {address.nickname} address in {city}, and the "
            "old one is struck out.",
            "Please expect the parcel at your {address.nickname} address in {city}, which I've "
            "noted for {order}.",
            "I've switched {order} over to your {address.nickname} address in {city}.",
            "It's in our records now: {order} is to be delivered in {city}, at your "
            "{address.nickname} address.",
        ],
    ),
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
        reviews_paid_in_one,
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
        "put {amount} towards {order}",
        "pay part of what I owe on {order} with {payment_method}",
        "put something towards {order} from {payment_method}",
        "put {amount} towards {order} from {payment_method}",
        "have {amount} for {order} charged to {payment_method}",
        "pay off {amount} on {order} with {payment_method}",
        "settle {amount} of {order} using {payment_method}",
        "bring down what's due on {order} by {amount}, using {payment_method}",
        "transfer {amount} from {payment_method} to {order}",
        "get {amount} for {order} taken from {payment_method}",
        "make a payment of {amount} on {order} from {payment_method}",
        "clear {amount} of the balance on {order} with {payment_method}",
        "have {payment_method} charged {amount} for {order}",
        "cover {amount} of {order} with {payment_method}",
        "use {payment_method} to pay {amount} on {order}",
        "reduce my debt on {order} by {amount} with {payment_method}",
        "pay {amount} for {order} out of {payment_method}",
        "have {amount} deducted from {payment_method} for {order}",
        "get {amount} of {order} paid with {payment_method}",
    ],
    asks={
        "order": WHICH_ORDER,
        "payment_method": WHICH_METHOD,
        "amount": [
            "What amount would you like to pay?",
            "How much should I take?",
            "Could you tell me the amount, please?",
        ],
    },
    outcome=outcome(
        quotes=["total", "paid"],
        mood="good",
        irreversible=True,
        differences={"due": ("total", "paid")},
        says=[
            "I've taken {amount} from {payment_method}; what is paid for {order} comes to "
            "{paid}, and its total is {total}; {due} is still to be paid.",
            "{amount} has been paid with {payment_method}; that brings what you've paid for "
            "{order} to {paid}, its total being {total}; {due} is still to be paid.",
            "The payment of {amount} from {payment_method} went through, so you've paid {paid}, "
            "and the order comes to {total}; {due} is still to be paid.",
            "{order} has {paid} paid on it with the {amount} I've just taken from "
            "{payment_method}, and its total is {total}; {due} is still to be paid.",
            "{amount} has been debited from {payment_method}, so the amount paid is {paid}; the "
            "total is {total}; {due} is still to be paid.",
            "I've booked {amount} from {payment_method} towards {order}, which brings the sum "
            "paid to {paid}; the order comes to {total}; {due} is still to be paid.",
            "{payment_method} has been charged with {amount}, so we've received {paid} in all "
            "for {order}, which comes to {total}; {due} is still to be paid.",
            "Your payment of {amount} has arrived from {payment_method}; in all, you've paid "
            "{paid}, and the total is {total}; {due} is still to be paid.",
            "{amount} came from {payment_method}, so the payments for {order} add up to {paid}, "
            "and its total is {total}; {due} is still to be paid.",
            "The charge of {amount} to {payment_method} was approved a moment ago; that makes "
            "{paid} paid, and the order comes to {total}; {due} is still to be paid.",
            "I've collected {amount} from {payment_method}, and with that you've paid {paid}; "
            "the order's total is {total}; {due} is still to be paid.",
            "{amount} has been deducted from {payment_method}; {paid} is paid for {order}, and "
            "it comes to {total}; {due} is still to be paid.",
            "Thank you, I've charged {amount} to {payment_method}; {paid} is paid now, and "
            "{order} comes to {total}; {due} is still to be paid.",
        ],
    ),
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
        something_to_clear,
        not_in_fraud_review,
        nothing_outstanding,
        address_deliverable.on("order.address"),
        OF_ORDER,
    ],
    changes=[stays("order", "pending"), sets("order", Order.hold)],
    ask=[
        "have the hold on {order} lifted",
        "have {order} taken off hold",
        "have {order} unblocked",
        "sort out the hold on {order}",
        "get the {order.hold} on {order} out of the way",
        "have the hold cleared that keeps {order} back",
        "get {order} released from its {order.hold}",
        "get the block on {order} removed",
        "have the hold on {order} ended",
        "free {order} from its hold",
        "have {order} cleared for packing",
        "resolve the hold on {order}",
        "see the hold on {order} taken away",
    ],
    asks={"order": WHICH_ORDER},
    outcome=outcome(
        quotes=["total"],
        mood="good",
        says=[
            "The hold on {order} is lifted, and as its {total} is paid, it can go to the "
            "warehouse next.",
            "{order} is off hold and ready to be sent to the warehouse, its {total} being paid.",
            "I've cleared the hold on {order}; its {total} is paid, so nothing keeps it "
            "here any more.",
            "Nothing is holding {order} back any longer, its {total} being paid; sending it to "
            "the warehouse is the next step.",
            "I've unblocked {order}, whose {total} is settled; the warehouse step is still to "
            "come.",
            "The block on {order} is removed, so the {total} worth of goods may move on to "
            "packing.",
            "I've ended the hold on {order}, which is fully covered with {total} and waits for "
            "the warehouse.",
            "I've got the hold on {order} out of the way, since the {total} has been received, "
            "and packing may follow.",
            "I've released {order} from its hold, the {total} being paid, so you may have it "
            "packed whenever you like.",
            "The hold on {order} has been taken off, with {total} safely received, and packing "
            "can be requested.",
            "{order} isn't blocked any more, and its {total} is paid, so that it may leave as "
            "soon as you say the word.",
            "There's no hold on {order} now, and as its {total} is paid, it's free to be packed.",
        ],
    ),
)
def clear_hold(db, order: Order) -> Order:
    """Clear a payment review or an address check from a pending order whose reason is settled. The
    order can then be sent to the warehouse, which is a step of its own."""
    order.hold = None
    return order


@domain.write(
    requires=[
        no_hold,
        nothing_outstanding,
        valuables_leave_for_home,
        details_confirmed,
        OF_ORDER,
    ],
    changes=[moves("order", "pending", to="processing"), sets("order", Order.released_at)],
    ask=[
        "have {order} sent to the warehouse",
        "get {order} on its way",
        "have {order} dispatched",
        "see {order} through to packing",
        "have {order} packed right away",
        "have {order} released for packing",
        "have {order} go out now",
        "have {order} packed and sent to {order.address}",
        "give the green light for {order}",
        "hand {order} over to the warehouse",
        "move {order} along to the warehouse",
        "have {order} boxed up",
        "start the packing of {order}",
        "pass {order} on to the packers",
        "approve {order} for packing",
    ],
    asks={"order": WHICH_ORDER},
    outcome=outcome(
        quotes=["total", "city"],
        mood="good",
        irreversible=True,
        ask_first=[
            "After that, the articles, the coupon and the payments of {order} are fixed; only its "
            "address can still be changed until it is shipped, and the whole order can be "
            "cancelled for up to {CANCEL_HOURS} hours. No money moves with that."
        ],
        says=[
            "{order} is with the warehouse now, {total} in all, and goes to {city}.",
            "I've released {order} over {total} for packing; the parcel will be sent to {city}.",
            "The warehouse has {order} now: {total} in all, to be sent to {city}.",
            "{order} is being packed for {city}, at its total of {total}, and its contents can't "
            "be changed any more.",
            "I've handed {order} over to the packers, worth {total}, with {city} on the label.",
            "{order} for {total} has moved on to packing, and its destination is {city}.",
            "Our packers have taken over {order}, {total} altogether, and they'll prepare it for "
            "{city}.",
            "The warehouse crew takes care of {order}, which costs {total}, and sends it to "
            "{city}.",
            "The warehouse staff have {order} on their list, {total} in value, and a carrier "
            "takes it to {city}.",
            "Packing comes next for {order}, {total} in sum, before it sets off for {city}.",
            "I've passed {order} on to the warehouse, {total} in value, from where it goes to "
            "{city}.",
            "{order} over {total} has left my desk, and it's heading for {city}.",
            "{order} over {total} is waiting to be packed, with {city} as its destination.",
            "{order} has gone to our packers, worth {total} and addressed to {city}.",
            "I've given the warehouse the go-ahead for {order}, {total} in value, which will be "
            "shipped to {city}.",
        ],
    ),
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
    ask=[
        "cancel {order}",
        "call off {order}",
        "call {order} off",
        "back out of {order}",
        "have {order} dropped",
        "withdraw {order} completely",
        "have {order} cancelled altogether",
        "cancel {order} and have my money back on {order.payment_method}",
        "drop {order} altogether",
        "stop {order} in time",
        "get rid of {order}",
        "have {order} stopped",
        "undo {order} and get my money back",
        "have {order} withdrawn",
        "put an end to {order}",
        "step back from {order}",
        "have {order} called off",
        "stop {order} from being sent",
    ],
    asks={"order": WHICH_ORDER},
    outcome=outcome(
        quotes=["total", "back"],
        mood="neutral",
        irreversible=True,
        differences={"back": ("order.paid", "paid"), "unpaid": ("order.total", "order.paid")},
        ask_first=[
            "{order} comes to {order.total} in all. The {order.paid} that you've paid of that goes "
            "back to {order.payment_method}. {no order.paid}Nothing of that has been paid, so "
            "nothing comes back."
        ],
        says=[
            "I've cancelled {order}, which came to {total}; the {unpaid} that hadn't been paid "
            "is no longer due, so nothing comes back for it; the {back} that you had paid goes "
            "back to {order.payment_method}.",
            "{order} over {total} is cancelled; {unpaid} hadn't been paid, so nothing comes "
            "back for that; {back} is on its way back to {order.payment_method}.",
            "There won't be a parcel any more: {order} is cancelled, with its total of {total}; "
            "{unpaid} was still unpaid, and nothing comes back for that; you get your {back} "
            "back on {order.payment_method}.",
            "{order}, which came to {total}, is called off; the {unpaid} that hadn't been paid "
            "is no longer due, so nothing comes back for it; the {back} that was paid returns "
            "to {order.payment_method}.",
            "{order} over {total} won't be shipped; {unpaid} hadn't been paid, so nothing comes "
            "back for that; we're refunding {back} to {order.payment_method}.",
            "{order}, with its total of {total}, has been withdrawn; {unpaid} was still unpaid, "
            "and nothing comes back for that; {back} is sent back to {order.payment_method}.",
            "I've stopped {order}, so the goods worth {total} stay on our shelves; the {unpaid} "
            "that hadn't been paid is no longer due, so nothing comes back for it; the sum of "
            "{back} is returned to {order.payment_method}.",
            "Your cancellation is recorded, for {order} and its value of {total}; {unpaid} "
            "hadn't been paid, so nothing comes back for that; {order.payment_method} receives "
            "{back}.",
            "I've cancelled {order} for you, with its total of {total}; {unpaid} was still "
            "unpaid, and nothing comes back for that; a transfer of {back} to "
            "{order.payment_method} is under way.",
            "{order} won't be packed, and its total was {total}; the {unpaid} that hadn't been "
            "paid is no longer due, so nothing comes back for it; expect {back} on "
            "{order.payment_method}.",
            "You needn't wait for {order} over {total} any longer; {unpaid} hadn't been paid, "
            "so nothing comes back for that; we've arranged for {back} to go to "
            "{order.payment_method}.",
            "We won't pack {order}, which came to {total}; {unpaid} was still unpaid, and "
            "nothing comes back for that; your {back} is credited to {order.payment_method}.",
            "{order} has been cancelled as a whole, and it came to {total}; the {unpaid} that "
            "hadn't been paid is no longer due, so nothing comes back for it; {back} is "
            "transferred to {order.payment_method}.",
            "I've called off {order}, which came to {total}; {unpaid} hadn't been paid, so "
            "nothing comes back for that; {back} is reimbursed on {order.payment_method}.",
            "I've cancelled all of {order}, which came to {total}; {unpaid} was still unpaid, "
            "and nothing comes back for that; {back} is given back on {order.payment_method}.",
            "{order} over {total} won't be sent to you; the {unpaid} that hadn't been paid is "
            "no longer due, so nothing comes back for it; {back} will appear on "
            "{order.payment_method}.",
            "The cancellation of {order} over {total} has gone through; {unpaid} hadn't been "
            "paid, so nothing comes back for that; {back} is repaid to {order.payment_method}.",
            "{order} over {total} is cancelled without any fee; {unpaid} was still unpaid, and "
            "nothing comes back for that; {back} is paid back to {order.payment_method}.",
            "I've closed {order} as cancelled, {total} in value; the {unpaid} that hadn't been "
            "paid is no longer due, so nothing comes back for it; we've sent {back} to "
            "{order.payment_method}.",
        ],
    ),
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
        method_in_wallet,
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
        "return {lines} from {order}, because of a {reason}, with the refund going to "
        "{payment_method}",
        "send back {lines} from {order}, because of a {reason}, and get the money on "
        "{payment_method}",
        "send back {lines} from {order}, because of a {reason}, and be refunded on "
        "{payment_method}",
        "have {lines} from {order} taken back, because of a {reason}, and refunded to "
        "{payment_method}",
        "give back {lines} from {order}, because of a {reason}, with the refund on "
        "{payment_method}",
        "hand back {lines} from {order}, because of a {reason}, and have the money put on "
        "{payment_method}",
        "open a return of {lines} from {order}, because of a {reason}, the money going to "
        "{payment_method}",
        "send back something from {order}, because of a {reason}, and get the money on "
        "{payment_method}",
        "return {lines} from {order} and be refunded on {payment_method}",
        "send back {lines} from {order}, with the money going to {payment_method}",
        "return {lines} from {order}, because of a {reason}",
        "send back {lines} from {order}, because of a {reason}",
        "post back {lines} from {order}, because of a {reason}, and have the refund on "
        "{payment_method}",
        "ship back {lines} from {order}, because of a {reason}, and get my money on "
        "{payment_method}",
    ],
    asks={
        "order": WHICH_ORDER,
        "lines": [
            "Which items would you like to return?",
            "Which things of the order go back?",
            "Could you tell me which items you want to send back?",
        ],
        "reason": [
            "What is the reason: a change of mind, a wrong size, a damaged item or a wrong item?",
            "For what reason would you like to return it?",
            "Could you tell me the reason for the return, since the fees depend on it?",
        ],
        "payment_method": [
            "Which payment method should the refund go to, the card of the order or a gift card?",
            "To which card or gift card should I send the refund?",
            "Could you tell me which payment method you'd like the refund on?",
        ],
    },
    outcome=outcome(
        quotes=["fees", "refund"],
        mood="neutral",
        ask_first=[
            "quote_return",
            "What you'd send back ({pieces} pieces) counts for {goods}; {fees} in fees comes off "
            "that; {refund} goes to {payment_method} once it's all here.",
        ],
        says=[
            "Your return is open, and {refund} goes to {payment_method} once the goods are here; "
            "{fees} has been taken off for fees.",
            "I've opened the return of {lines}, which brings you {refund} on {payment_method} as "
            "soon as the warehouse has received it all; that is after {fees} in fees.",
            "You can send {lines} back now, and {refund} will be paid out to {payment_method} "
            "when the parcel has arrived; {fees} in fees is already off.",
            "The return of {lines} is set up, with a refund of {refund} that goes to "
            "{payment_method} when the warehouse has the goods; the fees are {fees}.",
            "I've registered your return; {payment_method} receives {refund} once the goods reach "
            "our warehouse; we've deducted {fees} in fees.",
            "Everything is prepared for {lines} to travel back, and you'll be refunded {refund} "
            "on {payment_method} after the warehouse has booked the parcel in; the deduction for "
            "fees is {fees}.",
            "Please pack up {lines} for the carrier; {refund} will follow on {payment_method} "
            "when the box has reached us; we keep {fees} for fees.",
            "I've noted the return of {lines}; you can expect {refund} on {payment_method} after "
            "our warehouse has unpacked the goods; that takes {fees} in fees into account.",
            "The paperwork for {lines} is complete, and {payment_method} gets {refund} when our "
            "staff have checked in what comes back; fees of {fees} are deducted.",
            "We're expecting {lines} at our warehouse; afterwards the sum of {refund} is "
            "transferred to {payment_method}; it's net of {fees} in fees.",
            "The return of {lines} may begin, so seal the carton and stick on the label; {refund} "
            "follows on {payment_method} after arrival; {fees} in fees is subtracted already.",
            "We'll take {lines} back; upon arrival, {refund} is repaid to {payment_method}; "
            "{fees} is kept for fees.",
        ],
    ),
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
    requires=[damaged_goods_come_back, OF_RETURN],
    changes=[
        moves("return_request", "requested", to="cancelled"),
        moves("return_request.lines", "returning", to="ordered"),
        sets("return_request.lines", OrderLine.return_request),
    ],
    ask=[
        "cancel {return_request}",
        "call off {return_request}",
        "call {return_request} off",
        "stop {return_request} and keep everything",
        "keep what I wanted to send back with {return_request}",
        "give up {return_request}",
        "drop {return_request}",
        "hold on to everything and have {return_request} dropped",
        "forget about {return_request} and keep the goods",
        "abandon {return_request}",
        "withdraw {return_request}",
        "discontinue {return_request}",
        "have {return_request} cancelled",
        "have {return_request} withdrawn",
        "end {return_request} and hang on to my things",
    ],
    asks={"return_request": WHICH_RETURN},
    outcome=outcome(
        quotes=["refund"],
        mood="neutral",
        says=[
            "{return_request} is called off, so you keep the goods, and the refund of {refund} "
            "won't be paid.",
            "I've cancelled {return_request}, so everything stays with you and the {refund} won't "
            "be paid out.",
            "You keep all of it, as {return_request} is cancelled, and with it the refund of "
            "{refund}.",
            "There is nothing to send in any more for {return_request}, and its refund of "
            "{refund} is cancelled.",
            "I've withdrawn {return_request}, so there's no parcel to post and no refund of "
            "{refund} to wait for.",
            "{return_request} has been stopped; the goods are yours again, without the refund of "
            "{refund}.",
            "{return_request} has ended, so the goods remain yours, and the promised {refund} is "
            "void.",
            "I've cancelled {return_request}, so you keep the goods and don't get the refund of "
            "{refund}.",
            "You can throw away the label for {return_request}, and the {refund} that went with "
            "it won't be paid out.",
            "The warehouse won't expect a box from {return_request} any longer, and the {refund} "
            "isn't owed to you now.",
            "Please disregard the label of {return_request}; the {refund} won't be transferred "
            "then.",
            "{return_request} is closed, so hold on to your things and don't wait for {refund}.",
            "No parcel is needed for {return_request} any more, and the sum of {refund} isn't "
            "refunded.",
        ],
    ),
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
        method_in_wallet.on("return_request.order"),
        refund_goes_home.on("return_request.order"),
        store_credit_stays,
        OF_RETURN,
    ],
    changes=[
        stays("return_request", ["requested", "received"]),
        sets("return_request", ReturnRequest.payment_method),
    ],
    errors={"same_method": "The refund is going there already."},
    ask=[
        "have the refund for {return_request} sent to {payment_method}",
        "have the refund for {return_request} sent somewhere else",
        "get the money for {return_request} in another place",
        "redirect the money from {return_request} to {payment_method}",
        "get the {return_request.refund} for {return_request} on {payment_method} instead",
        "switch the refund of {return_request} over to {payment_method}",
        "move the refund for {return_request} across to {payment_method}",
        "let the money from {return_request} go to {payment_method}",
        "have the refund of {return_request} end up on {payment_method}",
        "receive the refund for {return_request} on {payment_method}",
        "route the refund for {return_request} to {payment_method}",
        "direct the refund for {return_request} to {payment_method}",
        "transfer the refund for {return_request} to {payment_method}",
        "have {payment_method} credited with the refund for {return_request}",
    ],
    asks={"return_request": WHICH_RETURN, "payment_method": WHICH_METHOD},
    outcome=outcome(
        quotes=["refund"],
        mood="good",
        says=[
            "The refund for {return_request}, {refund}, will go to {payment_method} now.",
            "I've redirected it: the {refund} for {return_request} goes to {payment_method}.",
            "{payment_method} is where the {refund} for {return_request} will end up now.",
            "{payment_method} gets the {refund} as soon as {return_request} is paid out.",
            "I've updated where {return_request} is paid out, so look for the {refund} on "
            "{payment_method}.",
            "{payment_method} will receive the {refund} when {return_request} is paid out.",
            "I've switched {return_request} over, and its {refund} is meant for {payment_method}.",
            "The money for {return_request}, a sum of {refund}, is going to {payment_method} "
            "instead.",
            "Our bookkeeping will direct the {refund} from {return_request} to {payment_method}.",
            "I've crossed out the former destination of {return_request}; {payment_method} gets "
            "the {refund}.",
            "{return_request} has been rerouted: {refund} goes to {payment_method}.",
            "In our records, {payment_method} is noted for {return_request}, so that's where the "
            "{refund} goes.",
            "{return_request} has another destination now: {payment_method} is credited with the "
            "{refund} once it's paid out.",
        ],
    ),
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
        "have the refund of {return_request.refund} for {return_request} paid out",
        "get my money for {return_request}",
        "have the money for {return_request} released",
        "see {return_request} paid back",
        "get the {return_request.refund} that you owe me for {return_request}",
        "have {return_request} refunded",
        "collect the refund for {return_request}",
        "receive the {return_request.refund} for {return_request}",
        "get the {return_request.refund} for {return_request} paid to "
        "{return_request.payment_method}",
        "be reimbursed for {return_request}",
        "see the refund for {return_request} transferred",
        "be sent the refund for {return_request}",
        "have {return_request} settled",
    ],
    asks={"return_request": WHICH_RETURN},
    outcome=outcome(
        quotes=["refund"],
        mood="good",
        irreversible=True,
        ask_first=["{return_request.refund} goes to {return_request.payment_method}."],
        says=[
            "I've paid out {refund} to {return_request.payment_method}.",
            "Your {refund} is on its way to {return_request.payment_method}.",
            "{return_request} is refunded: {refund} has gone to {return_request.payment_method}.",
            "The refund of {refund} for {return_request} has been paid to "
            "{return_request.payment_method}.",
            "I've transferred {refund} to {return_request.payment_method}, and that settles "
            "{return_request}.",
            "{return_request.payment_method} has been credited with {refund} for {return_request}.",
            "The transfer of {refund} to {return_request.payment_method} is complete.",
            "{refund} has been sent to {return_request.payment_method} for {return_request}.",
            "Our bookkeeping has just released {refund} to {return_request.payment_method}.",
            "With {refund} on {return_request.payment_method}, {return_request} is settled.",
            "{refund} has left our account for {return_request.payment_method}, and "
            "{return_request} is closed.",
            "The promised {refund} is being transferred to {return_request.payment_method}.",
            "{return_request} is done, with {refund} credited to {return_request.payment_method}.",
            "Thank you for waiting: {refund} has been refunded to {return_request.payment_method}.",
            "The matter of {return_request} is wrapped up, with {refund} repaid to "
            "{return_request.payment_method}.",
        ],
    ),
)
def issue_refund(db, return_request: ReturnRequest) -> ReturnRequest:
    """Pay out the refund of a return that the warehouse has received, exactly as promised. Sound
    goods go back into stock, damaged ones don't. Once nothing of an order is left with the
    customer, the whole order counts as returned."""
    order, method = return_request.order, return_request.payment_method
    for line in return_request.lines:
        line.status = "returned"
        if return_request.reason != "damaged_item":
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
        "exchange {line} for another colour or size",
        "swap {line} for a different one",
        "exchange something that I bought for {variant}",
        "swap {line} for {variant}",
        "swap {line} out for {variant}",
        "have {variant} instead of {line}",
        "replace {line} with {variant}",
        "turn in {line} and receive {variant}",
        "trade {line} in for {variant}",
        "switch {line} for {variant}",
        "give up {line} and take {variant}",
        "send {line} in and have {variant} shipped instead",
        "change {line} over to {variant}",
        "have {line} exchanged for {variant}",
        "have {line} swapped for {variant}",
        "hand in {line} and be sent {variant}",
        "have {variant} sent in place of {line}",
    ],
    asks={"line": WHICH_LINE, "variant": WHICH_VARIANT},
    outcome=outcome(
        quotes=["charged", "refunded"],
        mood="good",
        ask_first=[
            "quote_exchange",
            "For this exchange ({pieces} pieces) the difference of {to_charge} in all would be "
            "charged to {line.order.payment_method}. For this exchange ({pieces} pieces) the "
            "difference of {to_refund} in all would go back to {line.order.payment_method}.",
        ],
        says=[
            "The exchange for {variant} ({line.quantity} pieces) is arranged; the difference "
            "of {charged} is charged to {line.order.payment_method}; the difference of "
            "{refunded} goes back to {line.order.payment_method}.",
            "You're getting {variant} ({line.quantity} pieces), which leaves us when yours is "
            "here; it costs {charged} more in all, which {line.order.payment_method} is charged "
            "with; it costs {refunded} less in all, which you get back on "
            "{line.order.payment_method}.",
            "{variant} ({line.quantity} pieces) is set aside for you and leaves as soon as "
            "yours has arrived; the {charged} that the exchange costs is charged to "
            "{line.order.payment_method}; the {refunded} that it saves you goes to "
            "{line.order.payment_method}.",
            "I've arranged the swap for {variant} ({line.quantity} pieces); "
            "{line.order.payment_method} is charged {charged} for that; {refunded} comes back "
            "to {line.order.payment_method} for that.",
            "I've reserved {variant} ({line.quantity} pieces) for you, and it is shipped after "
            "yours has reached us; the extra {charged} is debited from "
            "{line.order.payment_method}; a surplus of {refunded} is returned to "
            "{line.order.payment_method}.",
            "The swap is recorded, with {variant} ({line.quantity} pieces) as the replacement; "
            "{line.order.payment_method} is charged {charged} on top; "
            "{line.order.payment_method} receives {refunded}.",
            "{variant} ({line.quantity} pieces) is yours as soon as what you have is with our "
            "warehouse; we've booked the extra {charged} to {line.order.payment_method}; we're "
            "refunding {refunded} to {line.order.payment_method}.",
            "You'll have {variant} ({line.quantity} pieces) once yours is back with us; for "
            "that, {charged} is taken from {line.order.payment_method}; for that, {refunded} is "
            "credited to {line.order.payment_method}.",
            "{variant} ({line.quantity} pieces) replaces what you have, which you should pack "
            "and post; the extra {charged} comes from {line.order.payment_method}; the saving "
            "of {refunded} goes to {line.order.payment_method}.",
            "We're exchanging yours for {variant} ({line.quantity} pieces), so please put it "
            "in a sturdy box; a further {charged} is collected from "
            "{line.order.payment_method}; the excess of {refunded} is transferred to "
            "{line.order.payment_method}.",
            "{variant} ({line.quantity} pieces) is earmarked for you and will be sent when "
            "yours is back; {line.order.payment_method} is debited by {charged}; "
            "{line.order.payment_method} gets {refunded}.",
            "Your swap for {variant} ({line.quantity} pieces) has been filed, so just send "
            "yours to us; the surcharge of {charged} goes to {line.order.payment_method}; the "
            "reduction of {refunded} is paid back to {line.order.payment_method}.",
            "We're holding {variant} ({line.quantity} pieces) for you until yours has come "
            "back to our warehouse; {charged} is billed to {line.order.payment_method}; "
            "{refunded} is repaid to {line.order.payment_method}.",
            "I've entered the exchange, and {variant} ({line.quantity} pieces) waits on our "
            "shelf for yours; {charged} is withdrawn from {line.order.payment_method}; "
            "{refunded} is given back on {line.order.payment_method}.",
        ],
    ),
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
        details_confirmed,
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
        "cancel {exchange}",
        "call off {exchange}",
        "undo {exchange}",
        "back out of {exchange}",
        "abandon {exchange}",
        "keep what I have after all and stop {exchange}",
        "reverse {exchange}",
        "forget about {exchange} and keep what I have",
        "have {exchange} stopped and everything left as it is",
        "have {exchange} cancelled",
        "have {exchange} undone",
        "have {exchange} withdrawn",
        "put a stop to {exchange}",
    ],
    asks={
        "exchange": [
            "Which exchange do you mean?",
            "Which of your exchanges is this about?",
            "Could you tell me which exchange that is?",
        ]
    },
    outcome=outcome(
        quotes=["back", "again"],
        mood="neutral",
        differences={"back": ("charged", "refunded"), "again": ("refunded", "charged")},
        ask_first=[
            "That exchange is from the {exchange.old_variant.color} "
            "{exchange.old_variant.product.title} in {exchange.old_variant.size} to the "
            "{exchange.line.variant.color} one in {exchange.line.variant.size} "
            "({exchange.line.quantity} pieces). The {exchange.charged} that you paid for that "
            "exchange goes back to {exchange.order.payment_method}. The {exchange.refunded} that "
            "you got for that exchange would be charged to {exchange.order.payment_method} again.",
        ],
        says=[
            "The exchange is undone, so you keep the {old_color} {old_title} in {old_size} "
            "({exchange.line.quantity} pieces); the {back} that you had paid on top goes back "
            "to {exchange.order.payment_method}; the {again} that you had got back is charged "
            "to {exchange.order.payment_method} again.",
            "I've cancelled the exchange, and you keep the {old_color} {old_title} in "
            "{old_size} ({exchange.line.quantity} pieces); you get {back} back on "
            "{exchange.order.payment_method}; the {again} from that exchange is taken from "
            "{exchange.order.payment_method}.",
            "You keep the {old_color} {old_title} in {old_size} "
            "({exchange.line.quantity} pieces), as the exchange is off; the difference of {back} "
            "returns to {exchange.order.payment_method}; the difference of {again} is debited "
            "from {exchange.order.payment_method}.",
            "There is no exchange any more, and you keep the {old_color} {old_title} in "
            "{old_size} ({exchange.line.quantity} pieces); {back} is refunded to "
            "{exchange.order.payment_method}; {again} is collected from "
            "{exchange.order.payment_method}.",
            "I've reversed the exchange of the {old_color} {old_title} in {old_size} "
            "({exchange.line.quantity} pieces); the extra {back} is sent back to "
            "{exchange.order.payment_method}; the {again} that you had got for that exchange is "
            "taken back from {exchange.order.payment_method}.",
            "The swap is withdrawn, so nothing has to be posted, and you keep the {old_color} "
            "{old_title} in {old_size} ({exchange.line.quantity} pieces); expect {back} on "
            "{exchange.order.payment_method}; we've booked {again} to "
            "{exchange.order.payment_method}.",
            "The replacement goes back on the shelf, and you keep the {old_color} {old_title} "
            "in {old_size} ({exchange.line.quantity} pieces); we're returning {back} to "
            "{exchange.order.payment_method}; the saving of {again} is charged to "
            "{exchange.order.payment_method} again.",
            "Nothing is exchanged now, and you keep the {old_color} {old_title} in {old_size} "
            "({exchange.line.quantity} pieces); {exchange.order.payment_method} receives "
            "{back}; {exchange.order.payment_method} is charged {again}, which you had got for "
            "that exchange.",
            "The exchange is cancelled, so you keep the {old_color} {old_title} in {old_size} "
            "({exchange.line.quantity} pieces); {back} is paid back to "
            "{exchange.order.payment_method}; {again} is debited from "
            "{exchange.order.payment_method} once more.",
            "The parcel with the replacement won't leave, and you keep the {old_color} "
            "{old_title} in {old_size} ({exchange.line.quantity} pieces); {back} is reimbursed "
            "on {exchange.order.payment_method}; {again} is deducted from "
            "{exchange.order.payment_method}.",
            "Everything is as before with the {old_color} {old_title} in {old_size} "
            "({exchange.line.quantity} pieces); {back} is repaid to "
            "{exchange.order.payment_method}; {again} is withdrawn from "
            "{exchange.order.payment_method}.",
        ],
    ),
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
        "get today's lower price for {line}",
        "get the difference back for {line}",
        "claim the difference on {line}",
        "be reimbursed for the price drop on {line}",
        "have the price drop on {line} refunded",
        "have {line} matched to what it costs today",
        "be given back what {line} has come down by",
        "have the price difference on {line} refunded",
        "have the price cut on {line} applied to mine",
        "pay only today's price for {line}",
        "get back the difference on {line}, bought at {line.unit_price}",
        "have the markdown on {line} passed on to me",
        "benefit from the reduced price of {line}",
        "see {line} billed at today's price",
        "be refunded the difference on {line}",
    ],
    asks={"line": WHICH_LINE},
    outcome=outcome(
        quotes=["amount"],
        mood="good",
        says=[
            "I've matched today's price for {line}, and {amount} goes back to "
            "{line.order.payment_method}.",
            "{line} has come down, so you get {amount} back on {line.order.payment_method}.",
            "The price of {line} is matched: {amount} is on its way back to "
            "{line.order.payment_method}, which you paid with.",
            "You're getting {amount} back on {line.order.payment_method} for {line}, which now "
            "counts at today's price.",
            "I've lowered the price of {line}, and {amount} is refunded to "
            "{line.order.payment_method}.",
            "{line} qualifies, so we're returning {amount} to {line.order.payment_method}.",
            "I've corrected the price of {line}, and the saving of {amount} goes to "
            "{line.order.payment_method}.",
            "{line} is cheaper today, and the gap of {amount} returns to "
            "{line.order.payment_method}.",
            "Today's lower price holds for {line} too, so {amount} is credited to "
            "{line.order.payment_method}.",
            "You shouldn't pay more for {line} than we ask today, so {amount} is paid back to "
            "{line.order.payment_method}.",
            "I've compared both prices of {line}, and you're owed {amount}, which is reimbursed "
            "on {line.order.payment_method}.",
            "The markdown applies to {line} as well, with {amount} for "
            "{line.order.payment_method}.",
            "The price match for {line} has gone through, and {amount} is repaid to "
            "{line.order.payment_method}.",
        ],
    ),
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
        goodwill_has_a_cause,
        card_in_date.on("order.payment_method"),
        OF_ORDER,
    ],
    changes=[stays("order", ["shipped", "delivered", "partially_returned"]), creates(Payment)],
    ask=[
        "get {amount} of goodwill for the trouble I had with the delivery of {order}",
        "get some money back for the trouble I had with the delivery of {order}",
        "have something credited as an apology for my bad experience with the delivery of {order}",
        "have {amount} credited as an apology for my bad experience with the delivery of {order}",
        "be given {amount} to make up for how the delivery of {order} went",
        "receive {amount} as compensation for my trouble with the delivery of {order}",
        "be compensated with {amount} for the hassle over the delivery of {order}",
        "receive {amount} as an apology for the trouble I had receiving {order}",
        "claim {amount} for the annoyance over the delivery of {order}",
        "request {amount} for my dissatisfaction with the delivery of {order}",
        "get {amount} back as a gesture for the stress I had over the delivery of {order}",
        "get {amount} for my trouble with the delivery of {order}",
        "get a credit of {amount} for my disappointment with the delivery of {order}",
        "be granted {amount} for the bother with the delivery of {order}",
        "be paid {amount} for the problems I had with the delivery of {order}",
    ],
    asks={
        "order": WHICH_ORDER,
        "amount": [
            "What amount do you have in mind?",
            "How much would you find fair?",
            "Could you tell me the amount that you're thinking of?",
        ],
    },
    outcome=outcome(
        quotes=["amount"],
        mood="good",
        says=[
            "With our apologies for what went wrong, {amount} goes to {order.payment_method} as "
            "goodwill.",
            "I've credited {amount} to {order.payment_method} for the trouble with the delivery "
            "of {order}.",
            "You'll see {amount} of goodwill on {order.payment_method}, and we're sorry for the "
            "trouble that you had with the delivery.",
            "We're sorry for what went wrong with {order}; a credit of {amount} is on its way to "
            "{order.payment_method}.",
            "Please accept {amount} on {order.payment_method} as a small apology for the delivery.",
            "To make up for the delivery, I've booked {amount} to {order.payment_method}.",
            "I'm sorry that the delivery of {order} caused you so much annoyance; "
            "{order.payment_method} receives {amount}.",
            "We apologise for the delivery of {order}: we've sent {amount} to "
            "{order.payment_method} as a gesture.",
            "You were right to expect better from that delivery, so {amount} will appear on "
            "{order.payment_method} with our regrets.",
            "That shouldn't have happened with {order}; {order.payment_method} is credited with "
            "{amount} as compensation.",
            "I regret how the delivery of {order} went, and {amount} has been refunded to "
            "{order.payment_method} for it.",
            "As an apology for the delivery of {order}, {amount} has been transferred to "
            "{order.payment_method}.",
            "{amount} can't undo what happened with {order}, but it's on its way to "
            "{order.payment_method} with a sincere apology.",
            "I've granted you {amount} on {order.payment_method} for the problem with {order}, "
            "and I do apologise.",
            "We should have delivered {order} properly, and {amount} on {order.payment_method} is "
            "meant to make amends.",
        ],
    ),
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
        "have the {reason} passed on to one of your colleagues",
        "talk the {reason} over with a person in charge",
        "discuss the {reason} with a member of your team",
        "have a specialist deal with the {reason}",
    ],
    asks={
        "reason": [
            "What is the reason why you need a colleague of mine?",
            "For which reason should I pass this on?",
        ]
    },
    outcome=outcome(
        mood="neutral",
        says=[
            "I've passed this on to a colleague, who will get in touch with you.",
            "A colleague of mine has it now and will get in touch with you.",
            "This is with the colleagues who can decide it, and they'll come back to you.",
            "I've handed it over to a colleague, who will write to you about it.",
            "I've forwarded everything to a specialist in our team, who will contact you.",
            "The right department has your case now, and somebody there will answer you.",
            "I've opened a case for my colleagues, and one of them will get in touch with you.",
        ],
    ),
)
def hand_over_to_colleague(db, customer: Customer, reason: Matter) -> Escalation:
    """Pass the conversation on to a colleague, and say so. Do it when a customer insists on an
    order in fraud review (fraud_review), wants a name, e-mail, card or address entered or changed
    (account_details), misses a parcel that the carrier reports as lost (lost_parcel), mentions an
    injury, a lawyer or the authorities (legal_claim), complains about our service and asks plainly
    for a person (complaint), or meets a fault of our web site or app, or needs an operation that is
    out of order at your desk (technical_fault). What a rule forbids is refused and not passed on.

    Args:
        reason: Why a colleague has to take over
    """
    return db.create(Escalation, customer=customer, reason=reason)


# ---------------------------------------------------------------- why people write

for tools, motives in {
    "add_order_line": [
        "I've just realised that I forgot something rather important for our trip.",
        "I'd rather have it all come in one parcel than stand in for the courier twice.",
        "My flatmate would like something as well, and we'd save the postage.",
        "There's a birthday in the family next week, and I have no present yet.",
        "While packing my rucksack I noticed that something is still missing.",
        "One of my friends is too shy to order and has asked me to get something along with mine.",
        "I've gone through my list again with a pencil, and something isn't on the order yet.",
        "It's been drizzling for days, so I've had time to think of something else that I need.",
        "We're moving house, and I keep discovering gaps in our inventory.",
        "My sister is joining us on the trip, so our equipment has to grow.",
        "I got a bonus at work and may treat myself to a little extra luxury.",
        "Our old one fell off the balcony last night, so we need another.",
        "My godson graduates on Saturday, and I'd love to surprise him.",
        "The scout leader handed out a packing list, and we're short of one thing.",
        "I lent mine to a neighbour who has emigrated to Canada since.",
        "My partner looked at the order and would like something from you as well.",
        "Our anniversary is close, and I don't have a proper present yet.",
        "The dog chewed up ours yesterday, so I have to replace it.",
        "Some burglar emptied our shed, and I'm replacing things bit by bit.",
        "My choir is going to the mountains, and I'm badly equipped for it.",
        "The hut we've booked in the Dolomites has hardly any equipment of its own.",
        "My physiotherapist advised me to get something else for my training.",
        "Our guest room is nearly ready, and one article is still lacking.",
        "My nephew starts his apprenticeship next month, and I'd like to give him a present.",
        "The campsite has written that visitors must bring their own gear.",
        "I compared my checklist with the confirmation e-mail and spotted an omission.",
        "My grandfather celebrates his eightieth birthday in June, and I'd like to add to his "
        "gift.",
        "The old one is beyond repair, as I was told at the workshop.",
        "Our twins begin secondary school after the summer and need a few practical things.",
        "I volunteer at an animal shelter and would like to donate something useful.",
    ],
    "add_order_line set_line_quantity": [
        "My plans have changed a little since I placed the order.",
        "I've talked to the others, and the order doesn't quite fit any more.",
        "Two cousins from overseas have announced that they're coming along.",
    ],
    "set_line_quantity": [
        "I miscounted when I put the order in, with a toddler on my lap.",
        "There will be a different number of us at the lakeside than I thought.",
        "I typed in the wrong number at the checkout while I was cooking.",
        "The number came out wrong when I ordered, probably because I wasn't wearing my glasses.",
        "Our pottery group has lost and won members since I placed the order.",
        "I've counted again with my colleagues, and the number is wrong.",
        "I was on the train with a shaky connection and put in the wrong number.",
        "I've only now got the final headcount from the organisers.",
        "Two members of our hiking club have changed their minds about the outing.",
        "I confused this with another shopping list that was stuck to the fridge.",
        "My teammates have only now told me how many they really need.",
        "The kids have told me who wants one, so I've counted again.",
        "My thumb slipped on the tiny plus button of your app.",
        "We've redone the spreadsheet for the summer camp, and the figures differ.",
        "My in-laws replied to the invitation at last, so I have to change the number.",
        "The bus we hired has another number of seats than we were promised.",
        "I ordered for the kayak club from memory, and I got the number wrong.",
        "The nursery teacher has sent round the final list of participants.",
        "I ordered for the whole office, and somebody joined our department this week.",
        "My niece and nephew are staying with us in July, which changes the number I need.",
        "The quantity field jumped when I scrolled, and I didn't check the summary.",
        "I confused pieces with pairs when I filled in the form.",
        "The volunteers for our charity walk have registered at last, and I have the exact figure.",
        "Our landlady asked whether she might share the order with us.",
        "I entered the figure from an outdated draft of our shopping plan.",
        "The coach confirmed the line-up for the tournament this afternoon.",
        "My carpool has gained another passenger, so the figure has to be adjusted.",
    ],
    "remove_order_line": [
        "It turns out that I have one of those things in the cellar already.",
        "My partner has bought part of it elsewhere in the meantime, without telling me.",
        "I got carried away a little when I filled my basket on Sunday evening.",
        "My neighbour has a spare one that I can have.",
        "On closer inspection, one of those things wouldn't suit me at all.",
        "My grandmother has just given me something very much like it.",
        "I've thought it over on my morning jog, and I don't need all of it.",
        "I've promised myself to spend less, so something has to go.",
        "I've been through the cupboards, and we own something of the sort already.",
        "My suitcase has a weight limit, so something has to stay behind.",
        "Somebody at the office is lending me part of what I need.",
        "The holiday budget has shrunk, and I have to prune the list.",
        "I found a similar one in the attic, still in its wrapping paper.",
        "Our tiny kitchen has no shelf left for another gadget.",
        "My flatmate reminded me that we share half of these things anyway.",
        "I'm trying to live with fewer belongings, so something has to go.",
        "I won something very similar in a raffle at the village fair.",
        "Our caravan has very little room, so not everything can come.",
        "My brother-in-law works in a hardware store and gets a staff discount on such things.",
        "I read a test report yesterday evening that made me sceptical about one of the articles.",
        "Our storage room is being renovated, so I can't put everything anywhere.",
        "I noticed in the confirmation that I had ordered something similar in February.",
        "A consumer magazine has recommended a different model.",
        "My godmother surprised me with a similar one at Sunday lunch.",
        "The airline restricts my luggage, so I can't carry all of that.",
        "A neighbour across the corridor is selling a nearly unused one.",
        "I tried a friend's model on Saturday and didn't get on with it.",
    ],
    "remove_order_line cancel_order": [
        "Money is a bit tight this month, what with the wedding invitations piling up.",
        "My car broke down on the motorway, and the repair eats up my savings.",
        "My boss has cut my hours, so I have to economise.",
        "The vet's invoice was a nasty surprise, so I have to save money.",
        "Our landlord has put up the rent, so I'm going through every expense.",
        "The boiler gave up over the weekend, and a new one costs a fortune.",
        "I've just had to pay a speeding fine, and money is short.",
        "The tax office wants an additional payment, so I have to be careful with money.",
        "Our washing machine needs replacing, and that has priority at the moment.",
        "My daughter's braces cost more than the dentist had estimated.",
        "My motorbike failed its inspection, and the mechanic's estimate was rather high.",
        "I'm between contracts and have to postpone some purchases.",
        "Our heating costs went up sharply, as the statement from the utility shows.",
    ],
    "apply_coupon": [
        "There was a code in your newsletter, and I've only just seen it.",
        "I forgot to enter my code at the checkout, though I had it ready.",
        "One of my friends passed a code of yours on to me.",
        "Your leaflet in the letterbox had a discount printed on the back.",
        "The voucher field was greyed out when I ordered.",
        "I cleaned out my inbox over coffee and stumbled upon your promotion.",
        "Your stand at the outdoor fair handed out little cards with a code.",
        "This morning, somebody read out one of your codes on a podcast.",
        "I was half asleep when I ordered, and I overlooked my discount.",
        "My running club got a promotional code from you as a thank-you for the marathon.",
        "I found one of your flyers in a magazine at the hairdresser's.",
        "Every penny counts just now, and I do have a code.",
        "Tucked into my last parcel was a postcard with a code on it.",
        "The checkout timed out before I could type my code.",
        "My aunt clips vouchers out of the local paper and gave me one of yours.",
        "There's a slip with a code pinned to the noticeboard of our climbing gym.",
        "I scratched a code free on one of your Easter cards.",
        "My son found a code of yours in a magazine.",
        "The assistant at your trade fair stand wrote down a code for me.",
        "I subscribed to your mailing list in January and got a welcome message with a code.",
        "A reviewer whose videos I watch mentioned one of your codes.",
        "Your loyalty programme sent me a code by text message.",
        "My employer's intranet lists a discount code for your shop.",
        "The receptionist at our hotel distributes discount codes for your shop.",
        "A leaflet with a code was enclosed in my hiking magazine this month.",
        "My cousin told me about a promotion of yours at a family reunion.",
        "I answered a customer survey in March and was thanked with a code.",
    ],
    "remove_coupon": [
        "I have a bigger purchase coming up in autumn, for which the code is better.",
        "I'd rather keep that discount for something that I've wanted for a long time.",
        "I hadn't meant to spend my code on this purchase.",
        "My partner was going to use that code, as I've just been told.",
        "The web site filled in a code all by itself.",
        "My daughter is planning a bigger order for her first apartment, and she could use that "
        "code.",
        "I tapped on the wrong suggestion at the checkout, and it put a code in.",
        "I'd like to keep the code up my sleeve for another order.",
        "My colleague's birthday is coming up, and the code would be handy for a present.",
        "My flatmate is about to furnish a kitchen and deserves the discount more.",
        "I've regretted using up my code on something so ordinary.",
        "My browser remembers old codes and put one in without asking.",
        "We're kitting out the whole family in autumn, and then the discount is worth far more.",
        "I pressed the key too early, and my code was used up.",
        "I read the small print afterwards and would prefer to use the code in December.",
        "My sister-in-law is refurbishing her bathroom and would make better use of the code.",
        "I clicked the suggested discount by accident while filling in the payment page.",
        "We're saving up for a larger purchase, and I'd like to have the code available then.",
        "I'd planned to redeem the code together with a colleague in November.",
        "My grandson is moving into a student hall, and he ought to have the discount.",
        "I pasted the code from my clipboard without intending to.",
    ],
    "change_delivery_address": [
        "I won't be where my parcel is going when it comes, because I'm at a congress.",
        "Nobody can take my parcel in where it's going at the moment, not even the caretaker.",
        "I picked the wrong address at the checkout, being in a hurry.",
        "There's scaffolding all around the house that my parcel is going to.",
        "Last week, a thief took a parcel from the doorstep of the house that mine is going to.",
        "Nobody will be in at the address that I gave you for my parcel.",
        "The doorbell is broken where my parcel is going, and the electrician is on holiday.",
        "My plans for the week of the delivery have changed because of a funeral in the family.",
        "Because of my job, I'll be elsewhere when the parcel comes.",
        "The lift is out of order where my parcel is going, and I can't carry boxes upstairs.",
        "The street that my parcel is going to is closed for roadworks, and no van gets through.",
        "My shifts at the hospital have changed, so I'm hardly ever where my parcel is going.",
        "There was a flood in the hall of the house that my parcel is going to.",
        "The concierge where my parcel is going retires this week, and nobody else signs for it.",
        "Builders are tearing out the staircase of the house that my parcel is going to.",
        "The neighbours who always take parcels in for me are away sailing.",
        "Some film crew has blocked the whole street that my parcel is going to.",
        "There's a wasps' nest beside the door where my parcel is going.",
        "I'm in hospital for a minor operation and can't receive my parcel where it's going.",
        "Our reception is closed for renovation, so nobody can accept my parcel where it is going.",
        "I'm looking after my parents' house for a fortnight and would like my parcel to go "
        "elsewhere.",
        "My landlord is replacing the entrance, and the courier wouldn't be able to get in.",
        "My training course has been moved to another town, so I won't be where my parcel is "
        "going.",
        "I've swapped weekends with a colleague, and my parcel would be standing outside "
        "unattended.",
        "A burst pipe forced us to leave the flat that my parcel is going to.",
        "My key for the parcel room is lost, and the locksmith comes only next month.",
        "I'm on parental leave at my sister's and won't be where my parcel is going.",
        "The hallway of the house that my parcel is going to is being painted.",
        "My night duty at the fire station means that I sleep whenever the courier rings.",
    ],
    "collect_payment": [
        "I had a reminder that part of an order isn't paid yet.",
        "I've put off paying for long enough.",
        "I don't like having open bills lying about on my desk.",
        "I was looking through my orders and saw that one isn't paid in full.",
        "Your message says that something is still to be paid.",
        "My accountant keeps nagging me about loose ends.",
        "I thought that I'd paid for everything, but your app says otherwise.",
        "I promised my partner to tidy up our finances over the weekend.",
        "I couldn't finish paying because my train went into a tunnel.",
        "There's a note in my calendar that I have to pay you something.",
        "My partner has asked me whether everything with you is paid.",
        "I've set aside a quiet hour for my paperwork today.",
        "I've meant to pay something towards an order since the weekend.",
        "I'd rather pay something now than forget about it.",
        "The summary of my order shows that money is still missing.",
        "The payment page kept timing out on me last night.",
        "Your reminder has been stuck to my fridge for days.",
        "I was called away from the checkout before I'd paid in full.",
        "I was abroad for several weeks and couldn't deal with my payments.",
        "I've just opened your message about an unpaid sum.",
        "I promised myself to deal with this before supper.",
        "I've sorted through my receipts and noticed what is outstanding.",
        "Your web site wouldn't take my payment this morning.",
        "I'm going through my open bills, and yours is on top of the pile.",
    ],
    "clear_hold": [
        "The web site says in red letters that one of my orders is on hold.",
        "I had a message that you're keeping something of mine back, and it left me puzzled.",
        "As far as I know, everything you were checking is settled.",
        "Your e-mail says that something of mine is on hold, but not what I can do about it.",
        "Nothing has moved on my order since you put it on hold.",
        "I've spent half an hour on your help pages and still don't understand what's blocking it.",
        "Somebody from your team told me that an order of mine had been stopped.",
        "Your app keeps telling me that an order of mine is on hold.",
        "My neighbours got their parcel ages ago, while mine seems frozen.",
        "I'm wondering whether my order has been forgotten.",
        "There's an orange banner across my order that won't go away.",
        "Every morning I refresh the page, and the little padlock next to my order is still there.",
        "My order seems to have been lying at your desk for a while.",
        "I'm a bit worried that my order is being held back.",
        "I answered every question that your team had asked me by e-mail last Thursday.",
        "The confirmation page mentions a check, but nobody has explained it to me.",
        "The status of my order has said the same thing ever since I placed it.",
        "I checked the tracking page at lunch, and it still displays a warning.",
        "A notification on my watch said that something about my order needs attention.",
        "I've corrected everything on my side that could have caused the delay.",
    ],
    "send_to_warehouse": [
        "I'm quite sure of what I want now, after thinking it over.",
        "I'm looking forward to my things, and nothing seems to happen.",
        "I'm off on a trip to the fjords soon and need my things.",
        "I'd like to have everything as soon as possible.",
        "I've double-checked everything in the basket with my partner.",
        "I've gone through everything once more, and it's fine.",
        "I kept it open in case my mother wanted something, but she doesn't.",
        "There's nothing left that I'd like to add.",
        "The school holidays start soon, and the children are asking every day.",
        "The forecast promises sunshine, and I'd like to have my things by then.",
        "My tournament is coming up, and I'd like this off my mind before.",
        "The ferry to the islands leaves next month, and my gear should be here by then.",
        "My brother has looked at the list too, and he's happy with it.",
        "Our trip starts soon, and we'd like to try everything out before.",
        "The relay race draws nearer, so I don't want to wait any longer.",
        "We have a camping weekend with the neighbourhood coming up.",
        "We're leaving for Scotland at the end of the month and need everything by then.",
        "I've compared the sizes with what we have at home, and they're all correct.",
        "My holiday has been approved by the personnel department, so the dates are settled.",
        "The ground is dry enough for hiking again, and I'd like to have my equipment.",
        "We're having guests over Whitsun, and I'd like to have everything before that.",
        "My visa for Norway was issued today, so the journey is definitely happening.",
        "I measured the cupboard twice, and everything I've chosen fits.",
        "The ranger told us that the mountain pass opens earlier than usual.",
        "I wanted to wait for my colleague's opinion, which she gave me at noon.",
    ],
    "cancel_order": [
        "I've found the same things second-hand, for much less.",
        "The trip I bought all that for has fallen through.",
        "I clicked on the button before I'd thought it through.",
        "My son ordered on my phone without asking.",
        "We're moving abroad sooner than expected and won't need any of it.",
        "I've changed my mind about the whole thing.",
        "The event that I wanted it all for has been called off by the committee.",
        "My uncle has just given me all of that as a present.",
        "The race weekend that I'd wanted it for has been cancelled because of a storm.",
        "I've hurt my knee on the stairs, and what I'd planned for the summer is off.",
        "My cousin is giving me all of that for nothing, as I've just learned.",
        "We've talked about money at home, and I'd better not buy it.",
        "I've been offered a job overseas and am giving things away instead.",
        "The wedding that I needed it for has been postponed indefinitely.",
        "Our expedition lost its sponsor, so we aren't going.",
        "It was past midnight when I ordered, and I hadn't really thought about it.",
        "My doctor has forbidden me any sport until autumn.",
        "The cottage we were going to equip has been sold to somebody else.",
        "I've looked at my bank account, and I shouldn't have bought anything.",
        "The hostel has cancelled our reservation, so the holiday isn't taking place.",
        "I ordered the same things from two shops by mistake and only need them once.",
        "My employer provides all of that, as I learned at the induction on Monday.",
        "My apartment is smaller than I'd thought, and there's no space for any of it.",
        "My wedding guests have chosen all of that as a joint gift for us.",
        "The surgeon has scheduled my operation for exactly those weeks.",
        "My sabbatical was refused, so the long tour has to wait for another year.",
        "A relative is clearing his house and passes on everything I was going to buy.",
        "The festival announced this morning that it's taking a break this summer.",
    ],
    "request_return": [
        "I've had a proper look at what you sent me.",
        "I've unpacked my parcel on the kitchen table, and something has to go back.",
        "Something in my delivery isn't going to work out, sadly.",
        "We laid everything out on the living room floor last night to have a look.",
        "My partner and I have talked about what came in the parcel.",
        "I only opened everything this morning.",
        "I've only now got round to unpacking everything, between two night shifts.",
        "We've looked at everything closely, down to the last seam and screw.",
        "I've shown my parents what came, and they agreed that it can't stay.",
        "I took a good look at it by daylight, and I'm disappointed.",
        "We're moving house, and I unpacked your parcel between all the boxes.",
        "I've been away on business and only got to the box yesterday.",
        "I gave everything a fair look last night.",
        "My daughter helped me unwrap it all, and I'm not happy with all of it.",
        "The box stood unopened in the corridor until yesterday.",
        "We went over the whole delivery piece by piece.",
        "My expectations were rather higher, I must admit.",
        "My mother-in-law was there when I unpacked everything, and she agreed with me.",
        "I compared what arrived with the pictures in your catalogue.",
        "I had a couple of days to inspect the goods properly.",
        "I've finally examined the shipment after returning from a conference in Vienna.",
        "My roommate signed for the parcel, and I checked the contents afterwards.",
        "I put everything on the balcony table and examined it calmly.",
        "My colleague is a craftsman and had a critical look at the delivery with me.",
        "I read the instructions carefully and then inspected the contents.",
    ],
    "cancel_return": [
        "I haven't posted it yet, and I've got used to seeing it around.",
        "I was a bit hasty in wanting to send something back.",
        "I've found a use for it after all, right where it is.",
        "My mother would be glad to have it if I don't send it off.",
        "I was in a bad mood the day I asked to send it back.",
        "I never got round to printing your label, and now I'd rather keep it.",
        "My brother would like to have it if it doesn't go back.",
        "The post office near us has closed, and the next one is too far for me.",
        "I've thought about it calmly, and sending it back isn't worth the effort.",
        "The youth club down the road would happily take it off my hands.",
        "My housemate talked me out of sending it away.",
        "I've mislaid the cardboard it came in, so I can't pack it well.",
        "I tried it again over the weekend and was pleasantly surprised.",
        "A colleague is interested in it and has offered to buy it from me.",
        "I'd need it on Friday after all, and a replacement wouldn't arrive before then.",
        "I cleaned it thoroughly, and now I'm quite fond of it.",
        "My grandmother saw it in the hall and said that it would serve her well.",
    ],
    "cancel_return cancel_exchange": [
        "My daughter says that she'd love to keep it.",
    ],
    "redirect_refund": [
        "I've thought again about where my money should go.",
        "I'm putting my accounts in order.",
        "I gave you the wrong destination for my money, being in a hurry.",
        "I'd rather have the money somewhere else, where I can see it.",
        "I wasn't thinking when I said where the money should go.",
        "I've talked about it at home, and we'd rather have the money elsewhere.",
        "I've looked at my accounts again over breakfast.",
        "My accountant wants everything in one place for the tax return.",
        "I've changed how I organise my savings since I read a book about it.",
        "My partner and I keep separate budgets now.",
        "I mixed up my cards when I opened that return.",
        "My bank is closing its branch, and I'm shuffling everything around.",
        "I keep one pot for hobbies and another for bills, and I named the wrong one.",
        "Our joint household kitty is handled differently since January.",
        "I'm saving for a bicycle and would like to keep that money apart.",
        "My financial adviser recommended that I separate private and household spending.",
        "I'm about to close an account that I rarely use.",
        "My monthly budget is easier to follow if that money is kept elsewhere.",
    ],
    "issue_refund": [
        "I sent a parcel back a while ago and still see no money.",
        "The tracking says that my return has got to you.",
        "It's been a while since I posted my parcel to you.",
        "The post office receipt proves that you signed for my box.",
        "I'm looking out for the money every morning, and nothing has come from you.",
        "I took the box to the post office myself and haven't heard about the money.",
        "Rent is due, and I was counting on that sum.",
        "Your message said that my goods were scanned at the depot.",
        "I'm planning a holiday in Portugal and could use what you still owe me.",
        "My statement from the bank shows nothing from you so far.",
        "The courier told me that you've signed for my parcel.",
        "Money is short this month, and that refund would come in handy.",
        "I taped that carton up with great care, and it must have reached you by now.",
        "I sent everything back in its original packaging and kept the receipt.",
        "According to your help page, refunds are made soon after the goods have been received.",
        "My quarterly electricity bill arrived, so I'm checking which payments are still expected.",
        "The parcel shop confirmed the handover by e-mail on a Wednesday.",
        "I'm reconciling my credit card statement, and one entry is absent.",
    ],
    "exchange_line": [
        "I should have picked the other one, as I meant to at first.",
        "I've tried it out at home, and another one would suit me better.",
        "My partner doesn't quite like the one I chose.",
        "It isn't quite what I had expected from the description.",
        "I've had it at home for a while now, and it isn't ideal.",
        "Now that I've seen it next to my other things, I'd prefer another one.",
        "I didn't choose very well when I ordered.",
        "My daughter laughed when she saw which one I took.",
        "I gave it a try at the weekend, and I should have chosen differently.",
        "A friend told me that the other version would be better for me.",
        "I'd pictured it differently when I saw the photo.",
        "My twin has the very same one, and we keep mixing ours up.",
        "I couldn't decide between two versions and took the wrong one.",
        "My best friend owns the other version, and I like it better.",
        "The picture on my old monitor was rather misleading.",
        "I couldn't choose between two of them, and I should have taken the other.",
        "I compared both versions in a department store, and the other suits me better.",
        "I've thought about what I need, and I'd be happier with a different one.",
        "It doesn't go with the rest of my things as well as I'd imagined.",
        "I used it for several days and realised that I'd chosen badly.",
        "My flatmate bought the other version, and it's more practical in daily life.",
        "Under artificial light it looks different from what I'd expected.",
    ],
    "cancel_exchange": [
        "The one I have has grown on me.",
        "I was too quick to ask for a swap.",
        "I'd forgotten how long an exchange takes.",
        "I've become so used to mine that I'd miss it.",
        "Everybody at home likes the one that I have.",
        "I've looked at mine again in the garden, and it's right after all.",
        "I've read a few reviews, and mine is the better one.",
        "I've used it on a rainy Sunday, and it did everything I wanted.",
        "It would be a shame to wait weeks for something so similar.",
        "My sister called me fussy, and she's got a point.",
        "Wrapping mine up again feels like a chore.",
        "I asked for the exchange before I'd really tested the one that I have.",
        "My partner convinced me that the difference is hardly noticeable.",
        "My mother pointed out that mine goes well with everything else I own.",
        "I need it for an excursion before the replacement could get here.",
    ],
    "match_price": [
        "You advertise it for less now, on a billboard next to my tram stop.",
        "I've just seen that something I bought has become cheaper.",
        "One of my friends paid you less for the very same thing.",
        "I'd hardly paid when you lowered your price.",
        "Yesterday, somebody at work showed me your current price over lunch.",
        "I was browsing late at night when I saw your new price.",
        "My brother boasted at dinner about the bargain he got from you.",
        "It's a pity when a price drops after the purchase.",
        "I've seen in your spring advertisement what it costs now.",
        "I compare prices as a hobby, and yours has fallen.",
        "I've seen your sale, and I'd like to benefit from it.",
        "An alert on my phone told me about your markdown.",
        "I was surprised when I saw what you ask for it now.",
        "Had I waited a fortnight, it seems, I'd have paid less.",
        "I look at prices twice, and yours has come down.",
        "A colleague forwarded me your latest newsletter with the reduced prices.",
        "I was recommending the article to a friend when I noticed that it costs less now.",
        "Your homepage shows a lower amount than the one on my invoice.",
        "My reminder about your seasonal discounts went off while I was commuting.",
        "I was tidying my bookmarks and opened the page of something I'd bought.",
        "A fellow student purchased the identical article for a smaller amount.",
    ],
    "grant_goodwill_credit": [
        "I've had nothing but trouble with the delivery of one of my orders.",
        "The delivery of one of my orders went wrong, and it has cost me a lot of nerves.",
        "I'm not at all happy with how one of my orders was delivered.",
        "One of your deliveries has cost me a lot of time, because it didn't go as planned.",
        "I've always liked ordering from you, and this time the delivery let me down.",
        "One of my orders didn't reach me as it should have, I have to say.",
        "I'd like you to make up for what went wrong with one of your deliveries.",
        "I expected a better delivery from you than what I got.",
        "I had to rearrange my week because one of your deliveries went wrong.",
        "I'm still annoyed about how one of your deliveries went.",
        "I've been a loyal customer, and one of your deliveries wasn't handled with much care.",
        "I took an afternoon off because of one of your deliveries that went wrong.",
        "One of your deliveries has tried my patience, because it wasn't what you'd promised.",
        "I've told everybody how good you are, and then a delivery of yours went badly wrong.",
        "I arranged to work from home because of a delivery that didn't go the way you'd "
        "announced.",
        "I rang the courier's hotline three times about a delivery of yours that went wrong.",
        "One of your deliveries caused me extra errands that shouldn't have been necessary.",
        "I had to borrow equipment from an acquaintance because a delivery of yours went wrong.",
        "I cancelled a dinner invitation because a delivery of yours didn't go as agreed.",
        "A delivery of yours went wrong shortly before my departure, which was stressful.",
        "I spent an entire lunch break sorting out a delivery of yours that went wrong.",
    ],
    "hand_over_to_colleague": [
        "I've written to you before and never heard back.",
        "This has been going on for long enough.",
        "I don't think that this can be settled on the side.",
        "I've lost my patience with automatic answers.",
        "I'd feel better if somebody senior dealt with this.",
        "It keeps me awake at night.",
    ],
}.items():
    for motive in motives:
        domain.situation(motive, leads_to=tools.split())

for tools, thoughts in {
    "add_order_line": [
        "I've just heard that somebody in the family is seeing to it.",
        "I can do without it, now that I think of it.",
        "I've done the sums, and it's over my budget.",
        "I've just seen that I can get it elsewhere for less.",
    ],
    "set_line_quantity": [
        "I've counted again, and the number was right as it was.",
        "I've just had a call, and the old number is right after all.",
        "I've looked at my list again, and the old number is correct.",
    ],
    "remove_order_line cancel_order request_return": [
        "I'm told at home that we do need it.",
        "I've just remembered what I wanted it for.",
        "I've just talked it over at home, and we'd rather leave it as it is.",
    ],
    "cancel_order": [
        "I do need it after all.",
        "I've thought about it once more, and I'd rather keep the order.",
    ],
    "apply_coupon": [
        "I'd better save the code for something bigger.",
        "My partner would like to use that code.",
        "My sister needs that code more than I do.",
    ],
    "remove_coupon": [
        "I'd get more out of the code now than later.",
        "I'd rather have the discount now than wait for another chance.",
        "I've looked at the sum again, and I'd rather save now.",
    ],
    "change_delivery_address": [
        "It looks as if I can be there for the parcel after all.",
        "Somebody has just offered to take the parcel in for me.",
        "I've just heard that the parcel can be taken in there after all.",
    ],
    "collect_payment": [
        "I have to look at my bank account first.",
        "My rent hasn't gone off yet, and I don't want to be overdrawn.",
        "The washing machine has just broken down, so I need the cash.",
    ],
    "clear_hold": [
        "There may still be something that I want to change.",
        "I'd like to sleep on it before that goes any further.",
    ],
    "send_to_warehouse": [
        "I've just heard that we won't need any of it.",
        "My brother has just called to say that he's bought all of that for us.",
        "I've just heard that our outing has been called off.",
    ],
    "request_return exchange_line": [
        "I've had another look at it, and I can live with it.",
        "It would be too much bother to wrap it all up again.",
        "My colleague has talked me into keeping it.",
    ],
    "cancel_return": [
        "The money would be more use to me, so it does have to go.",
        "I've looked at it once more, and I'd better send it off.",
        "I've changed my mind again, and it can go back.",
    ],
    "redirect_refund": [
        "The money was better off where it was going before.",
        "I've thought it over, and it can go where it was going.",
    ],
    "issue_refund": [
        "I may want that money to go somewhere else.",
        "I'd like to check with my bank first where it should go.",
    ],
    "exchange_line": [
        "Looking at it once more, I like the one that I have better.",
        "I'd be without it for a whole week, and I can't have that.",
        "My colleagues have just told me how much they like mine.",
    ],
    "cancel_exchange": [
        "I've had it in my hands once more, and I would rather have the new one.",
        "I've slept on it, and the new one is the better choice.",
    ],
    "match_price": [
        "I'd rather wait and see whether it gets cheaper still.",
        "I've thought about it, and it isn't worth the trouble.",
    ],
    "grant_goodwill_credit": [
        "That was petty of me.",
        "On reflection, nobody was to blame for that.",
        "You've been so friendly that it wouldn't feel right.",
    ],
    "hand_over_to_colleague": [
        "It may be better if I write to your manager myself.",
    ],
}.items():
    for thought in thoughts:
        domain.second_thought(thought, about=tools.split())

domain.concern(
    "fraud_review",
    [
        "My order of {placed_on} has been in your fraud review for days, and I insist that "
        "somebody looks at it now.",
        "I'm no fraudster, and I want to speak to whoever is checking my order for {total}.",
        "You are treating my order {order_id} as fraud, and I won't accept that.",
        "I insist that the fraud review of my order for {total} is settled today.",
        "Whoever thinks that my order of {placed_on} is a fraud should tell me so in person.",
    ],
    about=Order,
    where={"hold": "fraud_review", "status": "pending"},
    noted="that you insist on a decision about the fraud review of {order_id}",
)
domain.concern(
    "account_details",
    [
        "I got married, and the name in my account has to be changed.",
        "I've moved house, and my new address isn't in my address book yet.",
        "My bank has sent me a new card, which has to be entered in my account.",
        "I have a new e-mail address, and my account should use that from now on.",
        "There is a mistake in the street of one of my addresses that has to be put right.",
        "My surname is spelled wrongly in my account, and I can't correct it myself.",
        "I'd like to register another credit card with you.",
        "My phone number is outdated, and I'd like you to replace it in my account.",
    ],
    noted="what has to be changed in your account, for which you'll be asked for the new details",
)
domain.concern(
    "lost_parcel",
    [
        "The tracking page of {carrier} says that my parcel {tracking_number} is lost.",
        "{carrier} has lost my parcel {tracking_number}, and I'd like to know what happens now.",
        "The parcel for my order of {order.placed_on} never came, and {carrier} lists it as lost.",
        "I've been told by {carrier} that parcel {tracking_number} can't be found any more.",
    ],
    about=Shipment,
    where={"status": "lost"},
    noted="that {carrier} lists your parcel {tracking_number} as lost",
)
domain.concern(
    "legal_claim",
    [
        "Something I bought from you broke in my hands, and I had to have the cut stitched.",
        "My lawyer has told me to claim damages from you.",
        "I'm going to report your shop to the consumer protection office.",
        "I was injured while using one of your articles, and I expect you to answer for it.",
        "You'll be hearing from my lawyer about this, so I want it on record.",
        "My doctor treated a burn that your product caused, and I'm demanding damages.",
        "I've contacted a solicitor about your shop.",
    ],
    noted="what you've just told me, and I'm sorry that it has come to this",
)
domain.concern(
    "complaint",
    [
        "I want to complain about the way I've been treated, and I want to do it with a person.",
        "I've been sent from pillar to post by your service, so please let me speak to a person.",
        "Your service has been dreadful, and I want somebody real to hear about it.",
        "I'm fed up with your service and would like to make a complaint to a human being.",
        "Nobody has ever been so rude to me, and I want to tell your manager in person.",
        "I'm furious about how I've been handled, and only a real person will do.",
    ],
    noted="your complaint about our service, and that you want to speak to a person",
)
domain.concern(
    "technical_fault",
    [
        "Your web site logs me out every time I want to look at my orders.",
        "The checkout has been showing me an error page since this morning.",
        "I've asked for a new password again and again, and the message never comes.",
        "Your app crashes as soon as I open my wallet in it.",
        "Your search box freezes my browser whenever I type in a word.",
        "The menu of your app shows nothing but a blank screen on my tablet.",
    ],
    noted="the technical fault that you've just described",
)


# ---------------------------------------------------------------- a working day's records

# fmt: off
CATALOGUE = (  # title, code, category, colours, sizes, price, step from size to size
    ("Ridgeline trail shoe", "RDG", "footwear", ("slate", "moss"),
     ("size 41", "size 42", "size 43"), 11900, 0),
    ("Orbit GPS watch", "ORB", "electronics", ("graphite", "sand"),
     ("42 mm", "46 mm"), 24900, 3000),
    ("Ember iron pan", "EMB", "kitchen", ("black", "crimson"),
     ("20 cm", "24 cm", "28 cm"), 4900, 1200),
    ("Heron rain jacket", "HRN", "outerwear", ("navy", "rust"),
     ("size S", "size M", "size L"), 18900, 0),
    ("Cedar shave set", "CDR", "personal_care", ("oak", "walnut"),
     ("travel size", "full size"), 3900, 1500),
    ("Lumen headlamp", "LMN", "electronics", ("grey", "orange"),
     ("300 lumens", "500 lumens"), 4500, 1500),
    ("Ridgeline hiking boot", "RHB", "footwear", ("umber", "tan"),
     ("size 41", "size 42", "size 43"), 15900, 0),
    ("Larch kettle", "LRC", "kitchen", ("steel", "copper"),
     ("0.6 litres", "1.0 litres"), 6900, 900),
    ("Fjord down vest", "FJD", "outerwear", ("teal", "olive"),
     ("size S", "size M", "size L"), 12900, 0),
    ("Pine tar soap set", "PTS", "personal_care", ("mild", "dark"),
     ("travel size", "family size"), 1700, 1500),
    ("Juniper knife block", "JNP", "kitchen", ("ash", "cherry"),
     ("compact size", "full size"), 13900, 4000),
    ("Skiff canvas sneaker", "SKF", "footwear", ("white", "turquoise"),
     ("size 41", "size 42", "size 43"), 7900, 0),
)
# fmt: on
OTHER_COLOUR = 200  # what the second colour of a product costs more
FAVOURITES = (0, 1, 3, 4, 6, 9)  # which products, counted from one of their own, a customer buys
COUPONS = (  # code, percent, minimum, last day from today, bundle
    ("WELCOME10", 10, 3000, 200, False),
    ("SPRING15", 15, 12000, 20, False),
    ("BUNDLE20", 20, 15000, 12, True),
    ("TRAIL12", 12, 9000, 0, False),
    ("WINTER25", 25, 5000, -9, False),
    ("FLASH30", 30, 6000, -1, False),
)
# What becomes of an order. Every customer has the first ones and two things under way; a block of
# further plots goes to each customer in turn, so that eight customers see everything.
EVERYBODY = (
    {"status": "pending", "age": 1, "lines": 2},
    {"status": "pending", "age": 3, "lines": 2},
    {"status": "delivered", "age": 9, "arrived": 4, "lines": 3},
    {"status": "delivered", "age": 11, "arrived": 6, "lines": 2, "late": 2},
)
UNDER_WAY = (
    {"status": "delivered", "age": 14, "arrived": 9, "back": "requested", "lines": 2},
    {"status": "delivered", "age": 20, "arrived": 13, "back": "received"},
    {"status": "delivered", "age": 8, "arrived": 3, "swap": "open", "lines": 2},
    {"status": "delivered", "age": 16, "arrived": 10, "back": "requested", "to_card": "credit"},
    {"status": "delivered", "age": 24, "arrived": 16, "back": "received", "lines": 2},
    {"status": "delivered", "age": 13, "arrived": 7, "swap": "open", "lines": 2},
)
UNDER_WAY_EACH = 2
# fmt: off
PLOTS = (
    (
        {"status": "pending", "age": 2, "hold": "payment_review", "unpaid": True, "lines": 2},
        {"status": "delivered", "age": 14, "arrived": 10, "dropped": True, "lines": 2},
        {"status": "delivered", "age": 18, "arrived": 12, "coupon": 2, "lines": 3},
        {"status": "processing", "age": 1, "released": CANCEL_HOURS},
        {"status": "delivered", "left": 0, "goodwill": True, "late": 1},
    ),
    (
        {"status": "pending", "age": 4, "hold": "fraud_review"},
        {"status": "delivered", "age": 12, "arrived": 7, "back": "requested",
         "reason": "damaged_item", "lines": 2},
        {"status": "pending", "age": 2, "dear": 2, "to": "work"},
        {"status": "delivered", "age": 13, "arrived": 8, "dropped": True, "coupon": 1, "lines": 2},
        {"status": "shipped", "age": 6, "parcel": "in_transit", "dropped": True},
    ),
    (
        {"status": "pending", "age": 2, "hold": "address_check", "to": "cabin", "unpaid": True},
        {"status": "delivered", "age": 26, "arrived": 19, "back": "received", "to_card": "expired"},
        {"status": "pending", "age": 4, "coupon": 0, "unpaid": True, "lines": 2},
        {"status": "delivered", "left": -1, "lines": 2},
        {"status": "delivered", "age": 17, "arrived": 12, "back": "received", "to_card": "credit",
         "lines": 2},
    ),
    (
        {"status": "pending", "age": 2, "hold": "payment_review", "lines": 2},
        {"status": "delivered", "age": 15, "arrived": 10, "dropped": True, "goodwill": True,
         "late": 3},
        {"status": "delivered", "age": 30, "arrived": 25, "swap": "open", "to_card": "expired",
         "lines": 2},
        {"status": "processing", "age": 1, "released": CANCEL_HOURS + 1},
        {"status": "pending", "age": 4, "small": True, "coupon": 0},
        {"status": "delivered", "age": 18, "arrived": 13, "coupon": 2, "lines": 2, "late": 1},
    ),
    (
        {"status": "pending", "age": 5, "unpaid": True, "lines": 2, "coupon": 0},
        {"status": "pending", "age": 2, "hold": "address_check", "to": "work"},
        {"status": "delivered", "age": 27, "arrived": 20, "back": "received", "to_card": "full"},
        {"status": "shipped", "age": 12, "parcel": "lost", "coupon": 4},
        {"status": "delivered", "age": 12, "arrived": 8, "dropped": True, "coupon": 3, "lines": 2},
        {"status": "delivered", "age": 17, "arrived": 12, "back": "received", "swap": "open",
         "lines": 3},
    ),
    (
        {"status": "pending", "age": 2, "hold": "payment_review", "unpaid": True},
        {"status": "pending", "age": 4, "dear": 0},
        {"status": "pending", "age": 5, "small": True},
        {"status": "delivered", "age": 41, "arrived": 35, "back": "refunded"},
        {"status": "delivered", "age": 15, "arrived": 11, "back": "requested", "to_card": "credit",
         "lines": 2},
    ),
    (
        {"status": "pending", "age": 2, "coupon": 1, "short": True},
        {"status": "delivered", "age": 28, "arrived": 22, "back": "refunded", "again": "received",
         "lines": 3},
        {"status": "shipped", "age": 10, "parcel": "in_transit", "dropped": True, "late": 1},
        {"status": "cancelled", "age": 12, "coupon": 3},
        {"status": "delivered", "age": 33, "arrived": 27, "swap": "completed", "lines": 2},
    ),
    (
        {"status": "pending", "age": 2, "hold": "address_check", "to": "cabin"},
        {"status": "pending", "age": 4, "dear": 3, "to": "studio"},
        {"status": "delivered", "age": 30, "arrived": 24, "back": "cancelled", "coupon": 5,
         "goodwill": True, "late": 1},
        {"status": "delivered", "age": 21, "arrived": 15, "back": "received",
         "reason": "damaged_item", "lines": 2},
        {"status": "delivered", "age": 22, "arrived": 16, "swap": "cancelled", "lines": 2},
        {"status": "delivered", "age": 12, "arrived": 11, "back": "refunded", "dropped": True,
         "lines": 2},
    ),
)
# fmt: on
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
            short = size.removeprefix("size ").removesuffix(" size").replace(" ", "")
            variant = w.add(
                Variant,
                sku=f"{code}-{color[:3]}-{short}".upper(),
                product=product,
                color=color,
                size=size,
                price=price + n * step + (OTHER_COLOUR if color != colors[0] else 0),
                stock=stock,
            )
            shelf.append(variant)
        shelves.append(shelf)
    return shelves


def add_customer(w: Seeder, number: int, person) -> Customer:
    """An account with three addresses, a good card, an old one and two gift cards."""
    customer = w.add(
        Customer,
        name=person.name,
        email=person.email,
        phone=person.phone,
        postcode=person.postcode,
        tier=("basic", "gold", "silver")[number % 3],
        joined_on=w.day(-1500, -90),
    )
    places = [("home", person.street, person.city, person.postcode)]
    towns = w.rng.sample(CITIES, 3)
    for nickname, (city, area) in zip(("work", "studio", "cabin"), towns, strict=True):
        street = f"{w.rng.randint(2, 90)} {w.pick(STREETS)}"
        places.append((nickname, street, city, f"{area}{w.rng.randint(10, 99)}"))
    for nickname, street, city, postcode in places:
        if nickname != ("cabin", "studio")[number % 2] or number % 4 > 1:
            w.add(
                Address,
                customer=customer,
                nickname=nickname,
                street=street,
                city=city,
                postcode=postcode,
                deliverable=nickname != "cabin",
            )
    old_brand = w.pick(("Mastercard", "Amex"))
    last_day = w.today if number % 4 == 1 else w.day(90, 900)
    wallet = [("Visa", last_day, None), (old_brand, w.day(-20, -3), None)]
    balance = (GIFT_CARD_LIMIT - 1500, 2500, 7500, 0)[number % 4]
    wallet += [("gift card", None, balance), ("gift card", None, (4000, 0, 2000, 9000)[number % 4])]
    for brand, expires_on, balance in wallet:
        w.add(
            PaymentMethod,
            customer=customer,
            kind="card" if balance is None else "gift_card",
            brand=brand,
            last_four=f"{w.rng.randint(1000, 9999)}",
            expires_on=expires_on,
            balance=balance,
        )
    return customer


def special_goods(shelves: list[list[Variant]], number: int, plot) -> list[Variant]:
    """The goods of a plot that needs certain ones: a `short` order is one step below the minimum of
    its coupon, a `dear` one is a single watch, a `small` one a pan at the limit of free shipping.
    """
    if "short" in plot:
        return shelves[0][1:2]
    if "small" in plot:
        return [shelves[2][(2, 5)[number % 2]]]
    return [shelves[1][plot["dear"]]] if "dear" in plot else []


def choose_goods(
    w: Seeder, shelves: list[list[Variant]], number: int, customer: Customer, plot
) -> list[Variant]:
    """Variants of the customer's favourite products, so that orders resemble each other, and none
    bought in another order while there are enough."""
    special = special_goods(shelves, number, plot)
    if special:
        return special
    places = dict.fromkeys((number + n) % len(shelves) for n in FAVOURITES)
    pool = [
        variant
        for place in places
        for variant in shelves[place]
        if not {"back", "left"} & set(plot) or variant.product.category != FINAL_SALE
    ]
    count = plot.get("lines", 1)
    owned = {line.variant.sku for order in customer.orders for line in order.lines}
    for other in PLOTS[number % len(PLOTS)]:
        owned.update(variant.sku for variant in special_goods(shelves, number, other))
    fresh = [variant for variant in pool if variant.sku not in owned]
    pool = fresh if len(fresh) >= count else pool
    if "coupon" not in plot:
        return w.rng.sample(pool, count)
    drawn_goods = w.rng.sample(pool, min(len(pool), 2 * count))
    return sorted(drawn_goods, key=lambda variant: (-variant.price, variant.sku))[:count]


def when_placed(w: Seeder, customer: Customer, plot) -> tuple[date, int | None]:
    """When an order of this plot was placed, and how many days ago it arrived."""
    arrived = plot.get("arrived")
    if "left" in plot:
        arrived = RETURN_DAYS[customer.tier] - plot["left"]
    shift = w.rng.randint(0, 2) if "back" in plot or "swap" in plot else 0
    return w.today - timedelta(days=plot.get("age", (arrived or 0) + 5) + shift), arrived


def method_for(order: Order, plot) -> PaymentMethod:
    """Where the refund of a plot goes: the card of the order, or a gift card with or without room.

    A full one lacks a little for this refund.
    """
    wanted = plot.get("to_card")
    if wanted not in ("credit", "full"):
        return order.payment_method
    cards = [m for m in order.customer.payment_methods if m.kind == "gift_card"]
    return cards[0] if wanted == "full" else cards[1]


def add_order(w: Seeder, number: int, customer: Customer, goods, plot, placed_on, arrived) -> Order:
    """The order of one plot with its lines, its first payment and its parcel."""
    cards = {in_date(w.db, x): x for x in customer.payment_methods if x.kind == "card"}
    addresses = {address.nickname: address for address in customer.addresses}
    status = plot["status"]
    noon = datetime.combine(placed_on, time(12))
    order = w.add(
        Order,
        customer=customer,
        placed_on=placed_on,
        hold=plot.get("hold"),
        status=status,
        payment_method=cards[plot.get("to_card") != "expired"],
        address=addresses.get(plot.get("to"), addresses["home"]),
        coupon=w.db.get(Coupon, COUPONS[plot["coupon"]][0]) if "coupon" in plot else None,
        delivered_on=None if arrived is None else w.today - timedelta(days=arrived),
        cancelled_at=noon + timedelta(hours=3) if status == "cancelled" else None,
    )
    if status not in ("pending", "cancelled"):
        hours = plot.get("released")
        order.released_at = (
            noon + timedelta(hours=4) if hours is None else w.now - timedelta(hours=hours)
        )
    for place, variant in enumerate(goods):
        most = MAX_UNITS[variant.product.category]
        single = not {"short", "dear", "small"}.isdisjoint(plot)
        at_limit = (status, place, number % 3) == ("pending", 0, 2) and not single
        quantity = most if at_limit else min(most, 2 if "coupon" in plot else w.pick((1, 1, 1, 2)))
        change = 12 if "dropped" in plot else 0
        if status == "delivered" and place and not change:  # cheaper by now, or dearer
            change = 12 if (number + place) % 2 else -8
        w.add(
            OrderLine,
            order=order,
            variant=variant,
            quantity=1 if single else quantity,
            unit_price=variant.price + percent_of(variant.price, change),
        )
    reprice(w.db, order)
    unpaid = value_of([order.lines[-1]]) if "unpaid" in plot and len(goods) > 1 else order.total
    first = order.total - min(order.total, unpaid) if "unpaid" in plot else order.total
    if first:
        charge(w.db, order, order.payment_method, first, "order", placed_on)
    if status == "cancelled":
        pay_back(w.db, order, order.payment_method, order.paid, "cancellation", placed_on)
    if status in ("shipped", "delivered"):
        add_parcel(w, order, plot)
    return order


def add_parcel(w: Seeder, order: Order, plot) -> None:
    """The parcel of an order, `late` by so many days, or else in time."""
    due_on = order.delivered_on or w.today
    if plot.get("parcel") == "lost":
        due_on -= timedelta(days=5)
    late = plot.get("late", -w.rng.randint(0, 1) if order.delivered_on else -2)
    carrier = w.pick(("Norrpost", "Swiftline"))
    w.add(
        Shipment,
        tracking_number=f"{carrier[:2].upper()}{order.id[2:]}{w.rng.randint(100, 999)}",
        order=order,
        carrier=carrier,
        status=plot.get("parcel", "delivered"),
        expected_on=due_on - timedelta(days=late),
    )


def add_return(w: Seeder, order: Order, plot, number: int) -> None:
    """Send back all lines but the last (or the only one), up to the stage that the plot names."""
    kept = [line for line in order.lines if line.status == "ordered"]
    stage, lines = plot["back"], kept[: max(1, len(kept) - 1)]
    usual = ("wrong_size", "change_of_mind", "wrong_item", "change_of_mind")[number % 4]
    reason = plot.get("reason", usual)
    goods, fees, refund = return_terms(order, lines, reason)
    method = method_for(order, plot)
    if plot.get("to_card") == "full":
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
    owned = {x.variant.sku for other in order.customer.orders for x in other.lines}
    others = [variant for variant in shelf if variant is not line.variant]
    new = w.pick([variant for variant in others if variant.sku not in owned] or others)
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
    for number, person in enumerate(w.people(w.scaled(8))):
        customer = add_customer(w, number, person)
        turn = range(number * UNDER_WAY_EACH, (number + 1) * UNDER_WAY_EACH)
        under_way = [UNDER_WAY[n % len(UNDER_WAY)] for n in turn]
        for plot in [*EVERYBODY, *under_way, *PLOTS[number % len(PLOTS)]]:
            placed_on, arrived = when_placed(w, customer, plot)
            planned.append((placed_on, len(planned), number, customer, plot, arrived))
    for placed_on, _, number, customer, plot, arrived in sorted(planned, key=lambda x: x[:2]):
        goods = choose_goods(w, shelves, number, customer, plot)
        order = add_order(w, number, customer, goods, plot, placed_on, arrived)
        if "back" in plot:
            add_return(w, order, plot, number)
        if "again" in plot:
            add_return(w, order, {**plot, "back": plot["again"]}, number)
        if "swap" in plot:
            add_exchange(w, order, plot["swap"], shelves)
        if "goodwill" in plot:
            day = order.delivered_on + timedelta(days=1)
            book(w.db, order, order.payment_method, "refund", 500, "goodwill", day)
