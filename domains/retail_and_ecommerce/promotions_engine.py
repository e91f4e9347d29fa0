"""A shop's promotions desk: campaigns with budgets, coupons, discounts on purchases, points."""

from datetime import date, datetime, timedelta
from itertools import pairwise
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
    "promotions_engine",
    version=1,
    category="Retail and E-commerce",
    today=datetime(2026, 5, 12, 9, 45),
    role="promotions desk agent of Alder & Pine, a shop for outdoor and household goods",
    access="staff",
    without_tool="other",
    intro="""
Alder & Pine advertises with campaigns. A campaign hands out coupons until its money is gone, and a
coupon takes something off one purchase. Shoppers also collect points, which they can turn into
coupons of their own, and now and then somebody gets a goodwill coupon because we have let them
down. You look after all of that for the shopper who is talking to you. The purchases themselves are
kept by the order desk: to you a purchase is a number and a basket total, both of which the shopper
tells you. You neither see what is in a basket nor change it.

Count before you promise. A discount is whatever the quoting tools say, to the cent, and never an
estimate. If a shopper wants a saving that one rule rules out, name the rule with its figure and
mention what would clear the way: another extension, a discount taken back, a coupon handed in. Such
a preparatory step is worth taking only if the thing itself will then succeed, so go through all the
other conditions beforehand.
""",
    dialect=Dialect(
        keys="snake",
        envelope="entity",
        paging="cursor",
        money="cents",
        dates="us",
        errors={
            "not_found": "The promotions ledger holds no {entity} under {id}.",
            "wrong_state": "This {entity} is {state}; the step needs one that is {wanted}.",
            "invalid": "The promotions ledger rejects the entry: {detail}.",
        },
        verbs={
            "get": "lookup_{entity}",
            "list": "{owner}_{entities}",
            "search": "match_{entities}",
            "find": "{entity}_with_{column}",
        },
    ),
)

PERCENT = DOLLAR = 100
VALID_DAYS, POINTS_DAYS, GOODWILL_DAYS, REISSUED_DAYS = 30, 90, 60, 21
TAIL_DAYS, GRACE_DAYS, RETURNED_DAYS = 14, 10, 7
MAX_EXTENSIONS, SETTLED_IN = 2, 5
MAX_STACK, STACK_SHARE = 3, 50
SETTLE_DAYS, REVERSAL_DAYS, REISSUE_WINDOW = 3, 45, 30
MAX_REVERSALS, REVERSAL_SPAN = 2, 30
MAX_POINTS_COUPONS, POINTS_BACK_DAYS, POINTS_STEP = 2, 30, 500
BUDGET_RESERVE = 2500
CAUSE_DAYS = 60

Kind = Literal["percent", "amount", "gift"]
Cause = Literal["delivery_delays", "faulty_goods", "wrong_goods", "poor_service"]
Reversal = Literal["purchase_cancelled", "goods_returned", "entered_by_mistake"]
Matter = Literal["unknown_redemption", "points_dispute", "personal_details", "complaint", "other"]


class Segment(
    domain.Entity,
    key=natural("segment_code"),
    label="the {self.title} segment",
    called=["the {title} segment", "the {title} group"],
):
    """A group of shoppers. It decides how many points a dollar earns, how many points a dollar of
    coupon costs, and how much goodwill a shopper may get in a calendar month."""

    segment_code: Mapped[str]
    title: Mapped[str]
    earn_rate: Mapped[int] = column(
        ge=1,
        says="points for each dollar spent",
        asks=["how many points a dollar earns in {it}"],
        told=["a dollar spent earns {value} points in {it}"],
    )
    point_price: Mapped[int] = column(
        ge=1,
        says="points for each dollar of a coupon",
        asks=["how many points a dollar of coupon costs in {it}"],
        told=["in {it} a dollar of coupon costs {value} points"],
    )
    goodwill_cap: Mapped[Money] = column(
        ge=0,
        says="goodwill in a month",
        asks=["how much goodwill somebody in {it} may get in a month"],
        told=["in {it} goodwill ends at {value} a month"],
    )


class Shopper(
    domain.Entity,
    key=counted("SH{:05d}", start=41020, step=7),
    identity=True,
    label="{self.name}",
    called=["my account", "my shopper account"],
):
    """A person who collects coupons and points. The shopper number stands below each newsletter and
    on each receipt. A blocked account has been stopped by the fraud team."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    postcode: Mapped[str]
    segment: Mapped[Segment] = ref()
    points: Mapped[int] = column(
        ge=0,
        says="points balance",
        asks=[
            "how many points I have",
            "how many points I've collected up to now",
            "what my points balance is",
        ],
        told=[
            "you have {value} points",
            "your balance is {value} points",
            "there are {value} points on your account",
        ],
    )
    newsletter: Mapped[bool] = column(
        asks=[
            "whether I'm down for your newsletter",
            "whether you send me your newsletter",
        ],
        told=["your entry for the newsletter says {value}"],
    )
    account: Mapped[Literal["active", "blocked"]] = column(
        "active",
        says="state of the account",
        asks=["whether my account is in order", "how my account stands"],
        told=["your account is {value}", "we have your account down as {value}"],
    )


class CampaignBudget(
    domain.Entity,
    key=natural("budget_code"),
    label="the {self.title} budget",
    called=["the {title} budget", "the pot for {title}"],
):
    """The money for discounts of one campaign, or of several that share it. What is left is what
    was granted less what has been spent."""

    budget_code: Mapped[str]
    title: Mapped[str]
    granted: Mapped[Money] = column(
        ge=0,
        says="money granted",
        asks=["how much money there is in {it} altogether"],
        told=["{it} was given {value} altogether"],
    )
    spent: Mapped[Money] = column(
        0,
        ge=0,
        says="money spent",
        asks=["how much of {it} has gone"],
        told=["{value} of {it} has gone"],
    )


class Campaign(
    domain.Entity,
    key=natural("campaign_code"),
    label="the {self.title} campaign",
    called=[
        "the {title} campaign",
        "{title}",
        "your {title} campaign",
        "the {title} offer",
        "your offer called {title}",
        "the campaign with the code {campaign_code}",
    ],
    superlatives={
        "minimum_basket": ("with the smallest minimum basket", "with the biggest minimum basket"),
        "ends_on": ("that ends first", "that goes on for longest"),
    },
):
    """A promotion that is paid from a budget. Its coupons take off a percentage up to a cap, an
    amount, or the price of a gift that lies in the basket. It may be for one segment or for
    newsletter readers alone, and it says how many of its coupons one person can have, unused or
    used."""

    campaign_code: Mapped[str]
    title: Mapped[str]
    kind: Mapped[Kind] = column(
        says="kind of discount",
        asks=["what kind of discount {it} is about", "what sort of saving {it} gives"],
        told=["{it} is about this kind of discount: {value}", "{it} gives a discount by {value}"],
    )
    percent: Mapped[int | None] = column(
        None,
        ge=1,
        le=PERCENT,
        says="percentage",
        asks=["how many percent {it} takes off", "what percentage I save with {it}"],
        told=["{it} takes {value} percent off", "the saving with {it} is {value} percent"],
    )
    amount: Mapped[Money | None] = column(
        None,
        ge=0,
        asks=["how much {it} takes off", "how many dollars I'd save with {it}"],
        told=["{it} takes {value} off", "with {it} you save {value}"],
    )
    cap: Mapped[Money | None] = column(
        None,
        ge=0,
        says="highest discount",
        asks=["at what amount the discount of {it} stops", "how much I can save at most with {it}"],
        told=["the discount of {it} stops at {value}", "with {it} you can save {value} at most"],
    )
    minimum_basket: Mapped[Money] = column(
        ge=0,
        asks=[
            "how much I have to spend for {it}",
            "how big a basket has to be for {it}",
            "from what basket total {it} counts",
        ],
        told=[
            "{it} counts from a basket of {value}",
            "the smallest basket for {it} is {value}",
            "you need a basket of {value} for {it}",
        ],
    )
    stackable: Mapped[bool] = column(
        asks=["whether coupons of {it} can be combined", "whether {it} goes together with others"],
        told=["for combining coupons of {it} with others, the entry says {value}"],
    )
    segment: Mapped[Segment | None] = ref()
    newsletter_only: Mapped[bool] = column(
        says="only for newsletter readers",
        asks=["whether {it} is only for readers of the newsletter"],
        told=["whether {it} is only for newsletter readers: {value}"],
    )
    per_person: Mapped[int] = column(
        ge=1,
        says="coupons for each person",
        asks=["how many coupons of {it} one person can have", "how often {it} can be had"],
        told=["one person can have {value} of {it}", "{it} allows {value} for each person"],
    )
    starts_on: Mapped[date] = column(
        says="first day",
        asks=["when {it} starts", "what the first day of {it} is"],
        told=["the first day of {it} is {value}", "{value} is when {it} starts"],
    )
    ends_on: Mapped[date] = column(
        says="last day",
        asks=["when {it} ends", "how long {it} goes on", "what the last day of {it} is"],
        told=[
            "the last day of {it} is {value}",
            "{it} goes on until {value}",
            "{value} is when {it} closes",
        ],
    )
    budget: Mapped[CampaignBudget] = ref()
    status: Mapped[str] = lifecycle(
        {"planned": [], "running": [], "paused": [], "ended": []},
        outside={
            "planned": ["running"],
            "running": ["paused", "ended"],
            "paused": ["running", "ended"],
        },
        asks=["whether {it} is on at the moment", "how things are with {it}"],
        told=["{it} is {value}", "at the moment {it} is {value}", "we have {it} down as {value}"],
    )


class Coupon(
    domain.Entity,
    key=hashed("CPN-", 8),
    label="the {self.offer} {self.title} coupon",
    shows={"campaign_title": "title"},
    called=[
        "my {offer} {title} coupon",
        "my {title} coupon",
        "the {title} coupon for {offer}",
        "my coupon for {offer} from {title}",
        "the {offer} coupon I got through {title}",
        "my {title} coupon, the one for {offer}",
        "the {title} coupon in my account",
        "my {title} coupon of {issued_on}",
    ],
    superlatives={
        "valid_until": ("that runs out first", "that is good for longest"),
    },
):
    """Something off one purchase, in the hands of one shopper: from a campaign, from points, or as
    goodwill. Without a minimum basket it is good for any. While its discount is pending the coupon
    is reserved, and once that is settled, it is redeemed. A coupon whose last day has gone by stays
    issued for {GRACE_DAYS} days, in which it can be extended; then the night run lets it
    expire."""

    shopper: Mapped[Shopper] = ref(owner=True)
    campaign: Mapped[Campaign | None] = ref()
    origin: Mapped[Literal["campaign", "points", "goodwill"]]
    title: Mapped[str] = column(doc="The campaign's title, or what else the coupon comes from")
    offer: Mapped[str] = column(doc="What it takes off, as it is printed on the coupon")
    kind: Mapped[Kind] = column(says="kind of discount")
    percent: Mapped[int | None] = column(None, ge=1, le=PERCENT, says="percentage")
    amount: Mapped[Money | None] = column(None, ge=0)
    cap: Mapped[Money | None] = column(
        None,
        ge=0,
        says="highest discount",
        asks=["at what amount {it} stops", "how much I can save at most with {it}"],
        told=["{it} saves you {value} at most", "the discount of {it} stops at {value}"],
    )
    minimum_basket: Mapped[Money | None] = column(
        None,
        ge=0,
        asks=[
            "how much I have to spend to use {it}",
            "what basket total {it} needs",
            "from how much {it} can be used",
        ],
        told=[
            "{it} needs a basket of {value}",
            "{it} can be used from {value}",
            "you have to spend {value} to use {it}",
        ],
    )
    stackable: Mapped[bool] = column(
        asks=["whether {it} can be combined with others", "whether {it} may be stacked"],
        told=["for combining {it} with others, the entry says {value}"],
    )
    issued_on: Mapped[date] = column(
        says="day of issue",
        asks=[
            "when I got {it}",
            "on what day {it} was issued",
            "since when I've had {it}",
            "on which date {it} reached my account",
        ],
        told=["you got {it} on {value}", "{it} was issued on {value}", "{it} dates from {value}"],
    )
    valid_until: Mapped[date] = column(
        says="last day",
        asks=[
            "how long {it} is good for",
            "what the last day of {it} is",
            "by when I have to use {it}",
            "when {it} runs out",
            "what deadline is printed on {it}",
            "what expiry date {it} carries",
        ],
        told=[
            "the last day of {it} is {value}",
            "{it} is good until {value}",
            "{it} has to be used by {value}",
            "{value} is printed on {it} as its last day",
        ],
    )
    extensions: Mapped[int] = column(
        0,
        ge=0,
        says="number of extensions",
        asks=["how often {it} has been extended", "how many extensions {it} has had"],
        told=[
            "the number of extensions of {it} is {value}",
            "as to extensions of {it}, the ledger says {value}",
        ],
    )
    revoked_on: Mapped[date | None] = column(
        None,
        says="day of its return",
        asks=["when {it} was handed in", "on what day {it} was taken out of my account"],
        told=["{it} was handed in on {value}", "{it} was taken out on {value}"],
    )
    points_paid: Mapped[int | None] = column(None, ge=1, says="points paid for it")
    cause: Mapped[Cause | None] = column(None, says="cause of the goodwill")
    status: Mapped[str] = lifecycle(
        {"issued": ["reserved", "revoked"], "reserved": ["issued", "redeemed"]},
        outside={"issued": ["expired"]},
        asks=["whether {it} has been used", "what has become of {it}", "how {it} stands"],
        told=[
            "{it} is {value}",
            "we have {it} down as {value}",
            "our ledger shows {it} as {value}",
        ],
    )


class Redemption(
    domain.Entity,
    key="RD-{:05d}",
    label="the {self.coupon.title} discount on purchase {self.purchase_reference}",
    shows={"coupon_title": "coupon.title", "offer": "coupon.offer"},
    plural="redemptions",
    called=[
        "the {coupon.title} discount on purchase {purchase_reference}",
        "my {coupon.title} discount on {purchase_reference}",
        "the {coupon.offer} that came off purchase {purchase_reference}",
        "the discount through {coupon.title} on my purchase {purchase_reference}",
        "my {coupon.title} discount of {redeemed_on}",
        "the {coupon.title} discount that I got on {redeemed_on}",
    ],
    superlatives={
        "discount": ("that saved me least", "that saved me most"),
        "redeemed_on": ("that was made first", "that was made last"),
    },
):
    """A coupon put to use: the discount on one purchase. It is pending until the purchase is
    certain, then settled, which brings points unless coupons were stacked. Reversing it gives the
    money back to the campaign's budget. Of stacked coupons each has a record of its own, whose
    basket is what the coupons before it had left."""

    shopper: Mapped[Shopper] = ref(owner=True)
    coupon: Mapped[Coupon] = ref()
    purchase_reference: Mapped[str] = column(says="purchase number")
    basket_total: Mapped[Money] = column(
        ge=0,
        asks=[
            "what basket total you have for {it}",
            "how big the basket of {it} was",
            "which subtotal is recorded beside {it}",
        ],
        told=["the basket of {it} was {value}", "our ledger has a basket of {value} for {it}"],
    )
    discount: Mapped[Money] = column(
        ge=0,
        asks=[
            "how much I saved with {it}",
            "how much {it} came to",
            "what reduction {it} brought",
            "how many dollars {it} spared me",
        ],
        told=["{it} took {value} off", "you saved {value} with {it}", "{it} came to {value}"],
    )
    stacked: Mapped[bool] = column(False, says="stacked with others")
    points_earned: Mapped[int] = column(
        0,
        ge=0,
        says="points earned",
        asks=["how many points {it} has brought me", "what I got in points for {it}"],
        told=["{it} has brought you {value} points", "you got {value} points for {it}"],
    )
    redeemed_on: Mapped[date] = column(
        says="day of the discount",
        asks=["when {it} was entered", "on what day I used the coupon for {it}"],
        told=["{it} was entered on {value}", "{it} dates from {value}"],
    )
    settled_on: Mapped[date | None] = column(
        None,
        says="day of settlement",
        asks=["when {it} became final", "on what day {it} was settled"],
        told=["{it} became final on {value}", "{it} was settled on {value}"],
    )
    reversed_on: Mapped[date | None] = column(
        None,
        says="day of reversal",
        asks=["when {it} was taken back", "on what day {it} was reversed"],
        told=["{it} was taken back on {value}", "{it} was reversed on {value}"],
    )
    replacement: Mapped[Coupon | None] = ref(back="replaces")
    status: Mapped[str] = lifecycle(
        {"pending": ["settled", "reversed"], "settled": ["reversed"]},
        asks=["whether {it} is final", "how {it} stands", "what has become of {it}"],
        told=["{it} is {value}", "we have {it} down as {value}", "our ledger has {it} as {value}"],
    )


class BudgetEntry(
    domain.Entity,
    key="BE-{:05d}",
    label="the entry of {self.booked_on}",
    plural="budget_entries",
):
    """A line in the ledger of a budget: money granted to it, spent on a discount, or
    returned by a reversal."""

    budget: Mapped[CampaignBudget] = ref()
    redemption: Mapped[Redemption | None] = ref()
    kind: Mapped[Literal["granted", "spent", "returned"]]
    amount: Mapped[Money] = column(ge=0)
    booked_on: Mapped[date] = column(says="day")


class PointsEntry(
    domain.Entity,
    key="PT{:06d}",
    label="the {self.kind} entry of {self.points} points of {self.booked_on}",
    plural="points_entries",
    called=[
        "the {points} points of {booked_on}",
        "the entry of {points} points in my points account",
        "the points entry of {booked_on}",
    ],
):
    """A line in a shopper's points ledger: carried over from before, earned by a settled discount,
    converted into a coupon, returned with a coupon, or taken back by a reversal."""

    shopper: Mapped[Shopper] = ref(owner=True)
    coupon: Mapped[Coupon | None] = ref()
    redemption: Mapped[Redemption | None] = ref()
    kind: Mapped[Literal["carried_over", "earned", "converted", "returned", "taken_back"]]
    points: Mapped[int] = column(
        ge=1,
        asks=["how many points {it} is about"],
        told=["{it} is about {value} points"],
    )
    booked_on: Mapped[date] = column(
        says="day of the entry",
        asks=["when {it} was booked"],
        told=["{it} was booked on {value}"],
    )


class PromoEscalation(domain.Entity, key="PE-{:04d}", label="the case"):
    """A conversation that somebody on the promotions team takes further."""

    shopper: Mapped[Shopper] = ref(owner=True)
    reason: Mapped[Matter]
    opened_at: Mapped[datetime] = column(volatile=True, says="time of the escalation")


# Computations.


@domain.helper
def discount_on(kind: str, percent: int, amount: Money, cap: Money, basket: Money) -> Money:
    """A percentage coupon takes its percentage off the basket, rounded down to the cent and never
    more than its cap. An amount coupon takes its amount off, and a gift coupon the price of the
    gift, but never more than the basket comes to.

    >>> discount_on("percent", 15, 0, 3000, 9999), discount_on("percent", 15, 0, 3000, 20001)
    (1499, 3000)
    >>> discount_on("amount", 0, 1000, 0, 8000), discount_on("amount", 0, 1000, 0, 700)
    (1000, 700)
    """
    if kind == "percent":
        return min(cap, basket * percent // PERCENT)
    return min(amount, basket)


@domain.helper
def points_for(paid: Money, earn_rate: int) -> int:
    """A settled discount earns points on what was paid after it: the rate of the segment for each
    full dollar.

    >>> points_for(8499, 2), points_for(99, 2)
    (168, 0)
    """
    return paid // DOLLAR * earn_rate


@domain.helper
def points_cost(amount: Money, point_price: int) -> int:
    """A coupon from points costs the segment's price in points for each dollar.

    >>> points_cost(1500, 40)
    600
    """
    return amount // DOLLAR * point_price


@domain.helper
def last_day_of(days: int, ends_on: date, day: date) -> date:
    """A campaign's coupon is good for {VALID_DAYS} days, and a reissued one for {REISSUED_DAYS},
    but not for longer than {TAIL_DAYS} days after the end of the campaign; today is the earliest
    last day.

    >>> str(last_day_of(30, date(2026, 6, 1), date(2026, 5, 12)))
    '2026-06-11'
    >>> str(last_day_of(30, date(2026, 5, 14), date(2026, 5, 12)))
    '2026-05-28'
    >>> str(last_day_of(30, date(2026, 4, 1), date(2026, 5, 12)))
    '2026-05-12'
    """
    return max(day, min(day + timedelta(days=days), ends_on + timedelta(days=TAIL_DAYS)))


@domain.helper
def extended(valid_until: date, days: int, day: date) -> date:
    """An extension counts from the coupon's last day, or from today if that day has gone by.

    >>> str(extended(date(2026, 5, 15), 7, date(2026, 5, 12)))
    '2026-05-22'
    >>> str(extended(date(2026, 5, 9), 7, date(2026, 5, 12)))
    '2026-05-19'
    """
    return max(valid_until, day) + timedelta(days=days)


def latest_after(ends_on: date) -> date:
    """The day beyond which coupons of a campaign are no good.

    >>> str(latest_after(date(2026, 5, 1)))
    '2026-05-15'
    """
    return ends_on + timedelta(days=TAIL_DAYS)


def no_later_than(ends_on: date, day: date) -> date:
    """The last day to which a coupon may be extended, when its campaign ends on a day.

    >>> str(no_later_than(date(2026, 5, 1), date(2026, 5, 12)))
    '2026-05-19'
    >>> str(no_later_than(date(2026, 6, 1), date(2026, 5, 12)))
    '2026-06-15'
    """
    return max(latest_after(ends_on), day + timedelta(days=RETURNED_DAYS))


def is_enough_for_more(left: Money) -> bool:
    """Whether a budget with so much left is good for new coupons.

    >>> is_enough_for_more(2500), is_enough_for_more(2499)
    (True, False)
    """
    return left >= BUDGET_RESERVE


def has_room(points_coupons: int) -> bool:
    """Whether somebody with so many unused coupons from points may have another one.

    >>> has_room(1), has_room(2)
    (True, False)
    """
    return points_coupons < MAX_POINTS_COUPONS


def is_stack(coupons: int) -> bool:
    """Whether so many coupons make a stack.

    >>> is_stack(1), is_stack(2), is_stack(3), is_stack(4)
    (False, True, True, False)
    """
    return 1 < coupons <= MAX_STACK


def is_occasional(reversals: int) -> bool:
    """Whether a further discount may be reversed after so many.

    >>> is_occasional(1), is_occasional(2)
    (True, False)
    """
    return reversals < MAX_REVERSALS


def at_least_until(valid_until: date, day: date) -> date:
    """The last day of a coupon that comes back from a discount.

    >>> str(at_least_until(date(2026, 5, 15), date(2026, 5, 12)))
    '2026-05-19'
    >>> str(at_least_until(date(2026, 5, 30), date(2026, 5, 12)))
    '2026-05-30'
    """
    return max(valid_until, day + timedelta(days=RETURNED_DAYS))


def is_within(since: date, day: date, days: int) -> bool:
    """Whether a day is no more than so many days ago.

    >>> is_within(date(2026, 5, 2), date(2026, 5, 12), 10)
    True
    >>> is_within(date(2026, 5, 1), date(2026, 5, 12), 10)
    False
    """
    return (day - since).days <= days


def is_certain(redeemed_on: date, day: date) -> bool:
    """Whether a discount is old enough to be settled.

    >>> is_certain(date(2026, 5, 9), date(2026, 5, 12))
    True
    >>> is_certain(date(2026, 5, 10), date(2026, 5, 12))
    False
    """
    return (day - redeemed_on).days >= SETTLE_DAYS


def has_settled_in(issued_on: date, day: date) -> bool:
    """Whether a coupon is old enough to be extended.

    >>> has_settled_in(date(2026, 5, 7), date(2026, 5, 12))
    True
    >>> has_settled_in(date(2026, 5, 8), date(2026, 5, 12))
    False
    """
    return (day - issued_on).days >= SETTLED_IN


def within_share(discount: Money, basket: Money) -> bool:
    """Whether discounts on one basket stay within what stacking allows.

    >>> within_share(5000, 10000), within_share(5001, 10000)
    (True, False)
    """
    return discount * PERCENT <= basket * STACK_SHARE


def is_step(amount: Money) -> bool:
    """Whether a coupon from points may have this amount.

    >>> is_step(1500), is_step(1250)
    (True, False)
    """
    return amount % POINTS_STEP == 0


def printed(kind: str, percent: int | None, amount: Money | None) -> str:
    """What a coupon takes off, as it is printed on it.

    >>> printed("percent", 15, None), printed("amount", None, 1000), printed("amount", None, 1250)
    ('15%', '$10', '$12.50')
    >>> printed("gift", None, 1200)
    '$12 gift'
    """
    if kind == "percent":
        return f"{percent}%"
    dollars, cents = divmod(amount or 0, DOLLAR)
    worth = f"${dollars}.{cents:02d}" if cents else f"${dollars}"
    return f"{worth} gift" if kind == "gift" else worth


def minimum_of(coupon: Coupon) -> Money:
    return coupon.minimum_basket or 0


def takes_off(coupon: Coupon, basket: Money) -> Money:
    return discount_on(
        coupon.kind, coupon.percent or 0, coupon.amount or 0, coupon.cap or 0, basket
    )


def in_stack(coupons: list[Coupon], basket: Money) -> list[tuple[Coupon, Money]]:
    """The coupons in the order in which they count, each with what it takes off."""
    taken, left = [], basket
    for coupon in sorted(coupons, key=lambda coupon: (coupon.kind == "percent", coupon.id)):
        taken.append((coupon, takes_off(coupon, left)))
        left -= taken[-1][1]
    return taken


def stack_total(coupons: list[Coupon], basket: Money) -> Money:
    return sum(discount for _, discount in in_stack(coupons, basket))


def budget_left(campaign: Campaign) -> Money:
    return campaign.budget.granted - campaign.budget.spent


def is_paid_for(coupon: Coupon, discount: Money) -> bool:
    return coupon.campaign is None or discount <= budget_left(coupon.campaign)


def is_alive(campaign: Campaign | None, day: date) -> bool:
    """Whether a new coupon of a campaign would be good at all."""
    return campaign is None or day <= latest_after(campaign.ends_on)


def counts(coupon: Coupon) -> bool:
    """Whether a coupon counts towards what one person can have of its campaign."""
    if coupon.status == "redeemed":
        return any(redemption.status == "settled" for redemption in coupon.redemptions)
    return coupon.status in ("issued", "reserved")


def has_of(shopper: Shopper, campaign: Campaign) -> int:
    return sum(coupon.campaign is campaign and counts(coupon) for coupon in shopper.coupons)


def live_on(db, purchase_reference: str) -> list[Redemption]:
    found = db.all(Redemption, purchase_reference=purchase_reference)
    return [redemption for redemption in found if redemption.status != "reversed"]


def goodwill_in_month(shopper: Shopper, day: date) -> Money:
    given = [coupon for coupon in shopper.coupons if coupon.origin == "goodwill"]
    first = day.replace(day=1)
    return sum(coupon.amount for coupon in given if coupon.issued_on >= first)


def open_points_coupons(shopper: Shopper) -> list[Coupon]:
    mine = [coupon for coupon in shopper.coupons if coupon.origin == "points"]
    return [coupon for coupon in mine if coupon.status == "issued"]


def recent_reversals(shopper: Shopper, day: date) -> int:
    """How many discounts of a shopper were taken back lately."""
    days = [redemption.reversed_on for redemption in shopper.redemptions]
    return sum(on is not None and is_within(on, day, REVERSAL_SPAN) for on in days)


# What people plausibly ask for.


def purchases(db, coupon: Coupon) -> list[str]:
    """Numbers of purchases: of new ones, and of one that has a discount already."""
    number = 5490100 + 7 * (len(db.all(Redemption)) + int(str(coupon.id)[-4:], 16) % 4000)
    mine = [one.purchase_reference for one in coupon.shopper.redemptions if one.status == "pending"]
    return [f"#W{number + 7 * n}" for n in range(3)] + mine[:1]


def baskets(coupon: Coupon) -> list[Money]:
    """Totals of baskets: most well above the minimum, one below it."""
    least = max(minimum_of(coupon), 2 * DOLLAR * (1 + int(str(coupon.id)[-1], 16)))
    odd = 5 * (int(str(coupon.id)[-2:], 16) % 80)
    return [
        least * 3 // 2 + odd,
        least * 2 + odd,
        least + odd,
        max(3 * DOLLAR, least - odd - DOLLAR),
    ]


def usable(shopper: Shopper) -> list[Coupon]:
    return [coupon for coupon in shopper.coupons if coupon.status == "issued"]


def together(db, shopper: Shopper) -> list[list[Coupon]]:
    """Coupons that somebody might want on one purchase."""
    mine = usable(shopper)
    fit = [coupon for coupon in mine if coupon.stackable and coupon.valid_until >= db.today]
    pairs = [[a, b] for n, a in enumerate(fit) for b in fit[n + 1 :]]
    others = [[a, b] for a in fit[:2] for b in mine if b not in fit]
    late = [[mine[0], mine[-1]]] if len(mine) > 1 else []
    return pairs[:5] + ([fit[:MAX_STACK]] if len(fit) >= MAX_STACK else []) + others[:2] + late


def handed_in(db, shopper: Shopper) -> list[list[Coupon]]:
    """Coupons that somebody might not want any more: one, or two at once."""
    mine = usable(shopper)
    return [[one] for one in mine[:6]] + [[a, b] for a, b in pairwise(mine)][:3]


def stack_baskets(coupons: list[Coupon]) -> list[Money]:
    least = max(minimum_of(coupon) for coupon in coupons)
    whole = max(least, 3 * sum(coupon.amount or 0 for coupon in coupons), SOME_BASKET)
    return [whole + 1250, whole * 2 + 485, whole - 95, whole // 2]


def stack_purchases(db, coupons: list[Coupon]) -> list[str]:
    return purchases(db, coupons[0])


def affordable(shopper: Shopper) -> list[Money]:
    """What somebody might turn points into: what they have, half of it, more than that."""
    dollars = shopper.points // shopper.segment.point_price
    most = max(POINTS_STEP, dollars * DOLLAR // POINTS_STEP * POINTS_STEP)
    half = max(POINTS_STEP, most // 2 // POINTS_STEP * POINTS_STEP)
    wishes = [most, half, POINTS_STEP, most + POINTS_STEP, half + POINTS_STEP // 2]
    return list(dict.fromkeys(min(wish, MAX_POINTS_VALUE) for wish in wishes))


def goodwill_wishes(shopper: Shopper) -> list[Money]:
    """All of the month's goodwill, some of it, and too much."""
    most = shopper.segment.goodwill_cap
    return [most // 2, POINTS_STEP, most, most + POINTS_STEP]


MAX_POINTS_VALUE, MAX_GOODWILL, SOME_BASKET = 10000, 5000, 4500
Reference = Annotated[str, drawn(purchases)]
Basket = Annotated[Money, Field(ge=1, le=500000), drawn(baskets)]
Stack = Annotated[list[Coupon], drawn(together)]
StackBasket = Annotated[Money, Field(ge=1, le=500000), drawn(stack_baskets)]
StackReference = Annotated[str, drawn(stack_purchases)]
PointsValue = Annotated[Money, Field(ge=100, le=MAX_POINTS_VALUE), drawn(affordable)]


# Words by which a refusal is recognised, where several rules share them.
COUPON = ["coupon", "voucher", "code", "discount", "offer", "promotion", "campaign", "one"]
CAMPAIGN = ["campaign", "promotion", "offer", "coupon", "action"]
TOO_LATE = [
    "too late",
    "over",
    "past",
    "ran out",
    "run out",
    "gone by",
    "expired",
    "passed",
    "ended",
]
LIMIT = [
    "limit",
    "at most",
    "maximum",
    "no more than",
    "as many",
    "already",
    "cap",
    "only",
    "allows",
]
POINTS = ["points", "point"]
BUDGET = ["budget", "money", "pot", "funds"]
REVERSE = [
    "reverse",
    "reversal",
    "taken back",
    "take back",
    "undo",
    "undone",
    "cancel",
    "give back",
]
GOODWILL = ["goodwill", "apology", "gesture", "courtesy", "coupon", "compensation"]


# Rules that the promotions ledger enforces.


@domain.rule(
    governs=["issue_coupon", "grant_goodwill"],
    because=[
        "your account is blocked at the moment",
        "there is a block on your account, and nothing new is issued until it is lifted",
        "the fraud team has blocked your account",
        "nothing is handed out to a blocked account, and yours is one",
    ],
    concepts=[["block", "locked", "stopped", "frozen"], ["account", "fraud"]],
    offers=[
        "the fraud team writes to you as soon as they have looked at it",
        "what you have already can still be used",
    ],
)
def account_open(shopper: Shopper) -> bool:
    """Nothing is handed out to a blocked account, neither a campaign's coupon nor goodwill. What
    its owner has already, points included, stays usable."""
    return shopper.account != "blocked"


@domain.rule(
    governs=["issue_coupon"],
    parts=[
        part(
            "begun",
            lambda campaign: campaign.status != "planned",
            because=[
                "{campaign.title} hasn't begun yet; its first day is {campaign.starts_on}",
                "the campaign starts only on {campaign.starts_on}",
                "it is too early, as the first coupons are handed out on {campaign.starts_on}",
                "that campaign is still being planned and opens on {campaign.starts_on}",
            ],
            concepts=[
                CAMPAIGN,
                ["begun", "start", "early", "planned", "yet", "opens", "first day", "not before"],
            ],
            offers=["you could get in touch again on {campaign.starts_on}"],
        ),
        part(
            "not_paused",
            lambda campaign: campaign.status != "paused",
            because=[
                "the campaign is paused at present",
                "{campaign.title} has been put on hold for now",
                "{campaign.title} is paused, and no coupons are handed out meanwhile",
                "that campaign has been interrupted, and nobody gets its coupons for the moment",
            ],
            concepts=[CAMPAIGN, ["pause", "on hold", "interrupt", "suspended", "halted"]],
            offers=["you could ask again once it has been taken up again"],
        ),
        part(
            "not_over",
            lambda campaign: campaign.status != "ended",
            because=[
                "the campaign is over: its last day was {campaign.ends_on}",
                "{campaign.title} ended on {campaign.ends_on}",
                "it is too late for that one, which closed on {campaign.ends_on}",
                "no more coupons come out of {campaign.title}, as it ran until {campaign.ends_on}",
            ],
            concepts=[CAMPAIGN, ["over", "ended", "closed", "too late", "finished", "ran until"]],
            offers=["we could look for a campaign that is still on"],
        ),
    ],
    concepts=[CAMPAIGN, ["running", "on", "over", "paused", "begun"]],
)
def campaign_running(campaign: Campaign) -> bool:
    """Coupons come out of a campaign only while it is running: not while it is planned or paused,
    and not after it has ended."""
    return campaign.status == "running"


@domain.rule(
    governs=["issue_coupon"],
    because=[
        "that campaign is for {campaign.segment.title} only, and you are with "
        "{shopper.segment.title}",
        "it is meant for {campaign.segment.title}, which is a different group from yours",
        "only {campaign.segment.title} get that coupon, and your group is {shopper.segment.title}",
        "your group is {shopper.segment.title}, while {campaign.title} is for "
        "{campaign.segment.title}",
    ],
    concepts=[
        ["segment", "group", "only", "reserved", "meant for", "just for"],
        ["for", "yours", "your", "shoppers", "you", "belong"],
    ],
    offers=[
        "we could see which campaigns there are for everybody",
        "there are campaigns open to all groups, if you'd like one of those",
    ],
)
def for_their_segment(shopper: Shopper, campaign: Campaign) -> bool:
    """A campaign for one segment gives its coupons to shoppers of that segment alone; one without a
    segment is for everybody."""
    return campaign.segment is None or campaign.segment is shopper.segment


@domain.rule(
    governs=["issue_coupon"],
    because=[
        "{campaign.title} is only for readers of our newsletter",
        "that coupon goes to newsletter readers alone, and you aren't down as one",
        "one has to read our newsletter for that, and you don't get it so far",
        "you'd have to be on the newsletter list for {campaign.title}",
    ],
    concepts=[
        ["newsletter", "mailing list", "subscri"],
        ["only", "reader", "list", "alone", "have"],
    ],
    remedy="join_newsletter",
    offers=[
        "we could put you down for the newsletter first",
        "signing up for the newsletter takes me a second, if you'd like that",
        "if you join the newsletter, that obstacle is gone",
    ],
)
def reads_newsletter(shopper: Shopper, campaign: Campaign) -> bool:
    """A campaign for newsletter readers gives its coupons only to shoppers who get the
    newsletter; whoever wants one signs up first."""
    return shopper.newsletter or not campaign.newsletter_only


@domain.rule(
    governs=["issue_coupon", "reissue_coupon"],
    because=[
        "you have had {campaign.per_person} of {campaign.title}, which is all that one person can "
        "have",
        "the limit for one person is {campaign.per_person} of that campaign, unused and used ones "
        "together",
        "with {campaign.per_person} of its coupons in your account, used or not, you are at the "
        "limit",
        "{campaign.title} allows each person {campaign.per_person} at most, and you're there",
    ],
    concepts=[["coupon", "campaign", "person", "each", "offer"], LIMIT],
    remedy="give_up_coupons",
    offers=[
        "you could hand in an unused one of that campaign",
        "handing in one that you haven't used would make room",
        "if one of those is unused, we can take it out of your account for this",
    ],
)
def below_person_limit(shopper: Shopper, campaign: Campaign) -> bool:
    """Each campaign states how many coupons one person can have. Unused, reserved and redeemed ones
    count; those that were handed in, expired, or whose discount was reversed after settlement,
    don't."""
    return campaign is None or has_of(shopper, campaign) < campaign.per_person


@domain.rule(
    governs=["redeem_coupon"],
    because=[
        "its last day was {coupon.valid_until}",
        "the coupon ran out on {coupon.valid_until}",
        "{coupon.valid_until} was the last day on which it could be used",
        "it could be used until {coupon.valid_until} and no longer",
        "that coupon is past its date, which was {coupon.valid_until}",
    ],
    concepts=[
        ["last day", "date", "ran out", "run out", "expired", "no longer", "until", "past"],
        ["coupon", "was", "could", "used", "valid"],
    ],
    remedy="extend_coupon",
    offers=[
        "it may still be possible to extend it",
        "we could see about an extension first",
        "an extension would make it good again, if it has one left",
    ],
)
def in_date(db, coupon: Coupon) -> bool:
    """A coupon is used up to and including its last day. After that it has to be extended before it
    can be used."""
    return coupon.valid_until >= db.today


@domain.rule(
    governs=["redeem_coupon"],
    because=[
        "{coupon.title} is paused, and its coupons can't be used until it goes on",
        "the campaign behind that coupon is paused",
        "all {coupon.title} coupons are on hold while the campaign is paused",
        "we've had to interrupt {coupon.title}, so its coupons have to wait",
    ],
    concepts=[CAMPAIGN, ["pause", "on hold", "interrupt", "suspended", "wait"]],
    offers=["you could keep it until the campaign goes on", "another coupon could be used instead"],
)
def campaign_not_paused(coupon: Coupon) -> bool:
    """While a campaign is paused, its coupons can't be used. After it has ended, they can, as long
    as they are in date."""
    return coupon.campaign is None or coupon.campaign.status != "paused"


@domain.rule(
    governs=["redeem_coupon", "quote_discount"],
    because=[
        "the coupon needs a basket of {coupon.minimum_basket}",
        "your basket is too small, as it counts from {coupon.minimum_basket}",
        "you would have to spend {coupon.minimum_basket} for it",
        "a basket below {coupon.minimum_basket} isn't enough for that coupon",
        "{coupon.minimum_basket} is the minimum for it, and your basket falls short of that",
    ],
    concepts=[
        ["basket", "spend", "purchase", "minimum", "total"],
        ["minimum", "too small", "at least", "enough", "short", "needs"],
    ],
    offers=[
        "you could add something to the basket and come back",
        "perhaps another coupon of yours has a lower minimum",
    ],
)
def basket_large_enough(coupon: Coupon, basket_total: Money) -> bool:
    """A coupon counts only for a basket that reaches the coupon's minimum."""
    return basket_total >= minimum_of(coupon)


@domain.rule(
    governs=["redeem_coupon"],
    because=[
        "the budget of {coupon.title} no longer covers that discount",
        "there isn't enough money left in the pot of {coupon.title}",
        "the money set aside for {coupon.title} is nearly gone and doesn't cover this",
        "the discount would be more than what is left in that campaign's budget",
    ],
    concepts=[BUDGET, ["left", "cover", "gone", "enough", "exhaust", "used up", "exceed"]],
    offers=[
        "a smaller basket may lead to a discount that fits",
        "another coupon could be used instead",
    ],
)
def budget_covers(coupon: Coupon, basket_total: Money) -> bool:
    """The campaign pays for the discount, so that what is left of its budget has to cover all of
    it. Coupons from points and goodwill coupons have no budget to exhaust."""
    return is_paid_for(coupon, takes_off(coupon, basket_total))


@domain.rule(
    governs=["redeem_coupon", "stack_coupons"],
    because=[
        "purchase {purchase_reference} has a discount already",
        "there is a discount on {purchase_reference} as it is, and no second entry is made",
        "a coupon was entered for {purchase_reference} before",
        "that purchase had its discount already",
    ],
    concepts=[
        ["purchase", "order"],
        ["already", "before", "second", "as it is", "has a discount", "had its"],
    ],
    remedy="reverse_redemption",
    offers=[
        "the discount that is on it could be taken back first",
        "if you'd rather have this one, the other has to be reversed first",
    ],
)
def purchase_untouched(db, purchase_reference: str) -> bool:
    """Whatever is to come off a purchase is entered in one go: a purchase with a pending or settled
    discount takes no further coupon until that discount has been reversed."""
    return not live_on(db, purchase_reference)


@domain.rule(
    governs=["stack_coupons", "give_up_coupons", "quote_stack"],
    because=[
        "not all of those coupons belong to your account",
        "one of those coupons is somebody else's",
        "only coupons of your own account can be taken together",
    ],
    concepts=[
        ["coupon"],
        ["belong", "somebody else", "your own", "another account", "someone else"],
    ],
)
def own_coupons(shopper: Shopper, coupons: list[Coupon]) -> bool:
    """Coupons that are handled together all belong to the shopper in question."""
    return all(coupon.shopper is shopper for coupon in coupons)


@domain.rule(
    governs=["stack_coupons", "give_up_coupons"],
    because=[
        "not all of those coupons are unused",
        "one of them is no longer there to be used or handed in",
        "at least one of those coupons is used, reserved or expired",
    ],
    concepts=[["coupon", "them", "one"], ["unused", "no longer", "reserved", "used", "expired"]],
    offers=["we could go by those that are unused"],
)
def all_unused(coupons: list[Coupon]) -> bool:
    """Several coupons are used or handed in together only if each of them is unused."""
    return all(coupon.status == "issued" for coupon in coupons)


@domain.rule(
    governs=["stack_coupons", "quote_stack"],
    because=[
        "a stack has several coupons and at most {MAX_STACK}",
        "no more than {MAX_STACK} coupons go together, and not just one",
        "that is not the number of coupons that can be combined: it ends at {MAX_STACK}",
    ],
    concepts=[["coupon", "stack", "combin"], ["{MAX_STACK}", "just one", "number of", "fewer"]],
    offers=["a single coupon can be used by itself"],
)
def right_number(coupons: list[Coupon]) -> bool:
    """A stack is made of several coupons, but of {MAX_STACK} at most."""
    return is_stack(len(coupons))


@domain.rule(
    governs=["stack_coupons", "quote_stack"],
    because=[
        "not all of them may be combined with others",
        "one of those coupons can't be stacked",
        "at least one of them has to be used by itself",
        "there is one among them that isn't meant to be combined",
    ],
    concepts=[
        ["coupon", "them", "one"],
        ["combin", "stack", "by itself", "on its own", "exclusive", "alone", "together"],
    ],
    offers=["you could use that one alone", "the others could be combined without it"],
)
def all_stackable(coupons: list[Coupon]) -> bool:
    """Only coupons that are marked as stackable go together on one purchase; a single one that
    isn't makes the combination impossible."""
    return all(coupon.stackable for coupon in coupons)


STACK_SHORT = [
    ["basket", "spend", "minimum", "total"],
    ["too small", "minimum", "enough", "at least", "one of them", "short", "reach"],
]


@domain.rule(
    governs=["stack_coupons"],
    parts=[
        part(
            "each_in_date",
            lambda db, coupons: all(coupon.valid_until >= db.today for coupon in coupons),
            because=[
                "one of them is past its last day",
                "not all of those coupons are still in date",
                "the last day of one of them has gone by",
            ],
            concepts=[
                ["coupon", "them", "one"],
                ["last day", "in date", "gone by", "ran out", "run out", "expired", "past"],
            ],
            remedy="extend_coupon",
            offers=["we could see whether that one can be extended first"],
        ),
        part(
            "none_paused",
            lambda coupons: all(campaign_not_paused.predicate(coupon) for coupon in coupons),
            because=[
                "the campaign of one of them is paused",
                "one of those coupons is on hold together with its campaign",
                "a paused campaign is among them",
            ],
            concepts=[CAMPAIGN, ["pause", "on hold", "interrupt", "suspended"]],
            offers=["the others could be used without it"],
        ),
        part(
            "each_minimum",
            lambda coupons, full_basket: all(
                full_basket >= minimum_of(coupon) for coupon in coupons
            ),
            because=[
                "your basket doesn't reach the minimum of each of them",
                "the basket is too small for at least one of those coupons",
                "one of them needs a bigger basket than that as its minimum",
            ],
            concepts=STACK_SHORT,
            offers=["you could use only the one with the lower minimum"],
        ),
        part(
            "each_budget",
            lambda coupons, full_basket: all(
                is_paid_for(coupon, discount) for coupon, discount in in_stack(coupons, full_basket)
            ),
            because=[
                "the budget behind one of them no longer covers its part",
                "one of the campaigns hasn't got enough money left for that",
            ],
            concepts=[BUDGET, ["left", "cover", "gone", "enough", "exhaust", "used up", "exceed"]],
            offers=["the other coupon could be used by itself"],
        ),
    ],
    concepts=STACK_SHORT,
)
def stack_ready(db, coupons: list[Coupon], full_basket: Money) -> bool:
    """What holds for a single coupon holds for each of a stack as well: it is in date, its campaign
    isn't paused and can pay, and the whole basket reaches its minimum."""
    return all(
        coupon.valid_until >= db.today
        and campaign_not_paused.predicate(coupon)
        and full_basket >= minimum_of(coupon)
        and is_paid_for(coupon, discount)
        for coupon, discount in in_stack(coupons, full_basket)
    )


@domain.rule(
    governs=["stack_coupons"],
    because=[
        "together they would take off more than {STACK_SHARE} percent of the basket",
        "a stack takes off {STACK_SHARE} percent of a basket at most, and this would be more",
        "the sum of those discounts goes beyond the {STACK_SHARE} percent that stacking allows",
    ],
    concepts=[
        ["{STACK_SHARE} percent", "{STACK_SHARE}%", "half", "share"],
        ["more than", "at most", "beyond", "exceed", "allows", "limit", "maximum"],
    ],
    offers=[
        "you could leave one of them out",
        "with a bigger basket, they may fit",
    ],
)
def within_stack_share(coupons: list[Coupon], full_basket: Money) -> bool:
    """All the coupons on one purchase together take off {STACK_SHARE} percent of the basket at
    most."""
    return within_share(stack_total(coupons, full_basket), full_basket)


@domain.rule(
    governs=["extend_coupon"],
    because=[
        "it has been extended {coupon.extensions} times, and there are no more extensions than "
        "that",
        "a coupon gets {MAX_EXTENSIONS} extensions, and this one has had them",
        "its extensions are used up: {MAX_EXTENSIONS} is the limit",
        "{coupon.extensions} extensions are on record for it, which is the maximum",
    ],
    concepts=[
        ["extend", "extension", "longer", "prolong"],
        [*LIMIT, "used up", "twice", "both", "{MAX_EXTENSIONS} times", "no more", "had them"],
    ],
    offers=["you could use it before its last day is over"],
)
def extensions_left(coupon: Coupon) -> bool:
    """A coupon is extended {MAX_EXTENSIONS} times at most."""
    return coupon.extensions < MAX_EXTENSIONS


@domain.rule(
    governs=["extend_coupon"],
    because=[
        "that would be more than {TAIL_DAYS} days after the end of {coupon.title}",
        "its campaign ends on {coupon.campaign.ends_on}, and no coupon outlives that by more than "
        "{TAIL_DAYS} days",
        "coupons of {coupon.title} can't go on for so long: {TAIL_DAYS} days after "
        "{coupon.campaign.ends_on} is the end",
        "the new last day would be too long after {coupon.campaign.ends_on}, when the campaign "
        "ends",
    ],
    concepts=[
        ["campaign", "after", "end"],
        ["{TAIL_DAYS} days", "too long", "so long", "outlive", "later", "more than", "beyond"],
    ],
    offers=["fewer days might be possible", "a shorter extension may fit"],
)
def within_campaign_tail(db, coupon: Coupon, days: int) -> bool:
    """No extension carries a campaign's coupon further than {TAIL_DAYS} days beyond the end of the
    campaign or, where that is close or over, further than {RETURNED_DAYS} days from today."""
    if coupon.campaign is None:
        return True
    last = no_later_than(coupon.campaign.ends_on, db.today)
    return extended(coupon.valid_until, days, db.today) <= last


@domain.rule(
    governs=["convert_points", "quote_points"],
    because=[
        "you have {shopper.points} points, and that isn't enough",
        "your balance of {shopper.points} points doesn't stretch to that",
        "{shopper.points} points are too few for a coupon of that amount",
        "that costs more than the {shopper.points} points you have",
    ],
    concepts=[POINTS, ["enough", "too few", "stretch", "more than", "cover", "short", "not have"]],
    remedy="settle_redemption",
    offers=[
        "a smaller coupon may be possible",
        "a discount that is still pending brings points once it's settled",
    ],
)
def points_enough(shopper: Shopper, amount: Money) -> bool:
    """Points are turned into a coupon only as far as the balance goes."""
    return points_cost(amount, shopper.segment.point_price) <= shopper.points


@domain.rule(
    governs=["return_points_coupon"],
    because=[
        "that coupon wasn't paid for with points",
        "points come back only for coupons that were bought with points, and this one wasn't",
        "no points were spent on it",
    ],
    concepts=[POINTS, ["paid", "bought", "spent", "converted", "from", "turned into"]],
    offers=["you could simply hand it in, or keep it"],
)
def came_from_points(coupon: Coupon) -> bool:
    """Points come back only for a coupon that was bought with them."""
    return coupon.origin == "points"


@domain.rule(
    governs=["reverse_redemption"],
    because=[
        "it was settled on {redemption.settled_on}, more than {REVERSAL_DAYS} days ago",
        "a settled discount can be taken back for {REVERSAL_DAYS} days, and this one was settled "
        "on "
        "{redemption.settled_on}",
        "the {REVERSAL_DAYS} days for a reversal are over, counted from {redemption.settled_on}",
        "too much time has gone by since {redemption.settled_on}, when it became final",
    ],
    concepts=[
        [*REVERSE, "settled", "final"],
        ["{REVERSAL_DAYS} days", *TOO_LATE, "too much time", "long ago", "days ago", "more than"],
    ],
    offers=["nothing changes for you: the discount simply stays"],
)
def reversal_in_time(db, redemption: Redemption) -> bool:
    """A settled discount can be reversed for {REVERSAL_DAYS} days, a pending one at any time."""
    settled_on = redemption.settled_on
    return settled_on is None or is_within(settled_on, db.today, REVERSAL_DAYS)


@domain.rule(
    governs=["reverse_redemption"],
    because=[
        "it has brought you {redemption.points_earned} points, and you haven't got as many any "
        "more",
        "the {redemption.points_earned} points from it would have to come off your balance, which "
        "is too low",
        "you have spent the points that it earned: {redemption.points_earned} would have to go "
        "back",
        "your balance no longer holds the {redemption.points_earned} points that go with it",
    ],
    concepts=[
        POINTS,
        ["balance", "spent", "any more", "too low", "back", "no longer", "not enough"],
    ],
    remedy="return_points_coupon",
    offers=[
        "you could return a coupon that you bought with points",
        "if a coupon from points goes back first, your balance may be high enough",
    ],
)
def points_still_there(redemption: Redemption) -> bool:
    """Points that a discount has earned go back when it is reversed, so the balance has to hold
    them still; a coupon bought with points can be returned for that purpose."""
    return redemption.shopper.points >= redemption.points_earned


@domain.rule(
    governs=["reissue_coupon"],
    because=[
        "that discount was never settled, so its coupon came back by itself",
        "the coupon itself came back to you, as the discount was still pending",
        "nothing was used up: the discount hadn't been settled when it was taken back",
    ],
    concepts=[
        ["coupon", "discount"],
        [
            "came back",
            "never settled",
            "pending",
            "hadn't been settled",
            "by itself",
            "not used up",
        ],
    ],
    offers=["you may find the old coupon in your account, if it hasn't expired"],
)
def was_used_up(redemption: Redemption) -> bool:
    """A new coupon stands in for one that was used up by a discount which was settled and then
    reversed. A discount that was reversed while pending needs none, since its coupon came back by
    itself."""
    return redemption.settled_on is not None


@domain.rule(
    governs=["reissue_coupon"],
    because=[
        "you have had a new coupon for it already",
        "it was replaced before, by a coupon of {redemption.replacement.issued_on}",
        "a replacement for it has been issued already",
        "a coupon is replaced once, and this one has been",
    ],
    concepts=[
        ["replace", "reissue", "new coupon", "new one"],
        ["already", "before", "second", "once", "has been"],
    ],
    offers=["what you got for it may still be in your account"],
)
def not_replaced(redemption: Redemption) -> bool:
    """Each reversed discount brings one new coupon, never two."""
    return redemption.replacement is None


@domain.rule(
    governs=["reissue_coupon"],
    because=[
        "the campaign behind it has been over for more than {TAIL_DAYS} days",
        "{redemption.coupon.title} ended more than {TAIL_DAYS} days ago, so there are no coupons "
        "of "
        "it any more",
        "no coupon of {redemption.coupon.title} would be good any longer, {TAIL_DAYS} days after "
        "its "
        "end",
    ],
    concepts=[
        CAMPAIGN,
        ["over", "ended", "no longer", "any longer", "any more", "after its end", "finished"],
    ],
    offers=["we could look for a campaign that is still on"],
)
def campaign_alive(db, redemption: Redemption) -> bool:
    """No new coupon is issued when {TAIL_DAYS} days have gone by since the end of the campaign."""
    return is_alive(redemption.coupon.campaign, db.today)


@domain.rule(
    governs=["reissue_coupon"],
    because=[
        "it was reversed on {redemption.reversed_on}, more than {REISSUE_WINDOW} days ago",
        "a new coupon has to be asked for within {REISSUE_WINDOW} days of {redemption.reversed_on}",
        "the {REISSUE_WINDOW} days after the reversal on {redemption.reversed_on} are over",
    ],
    concepts=[
        ["{REISSUE_WINDOW} days", "revers", "taken back"],
        [*TOO_LATE, "more than", "within", "ago"],
    ],
    offers=["we could see what other campaigns are on"],
)
def reissued_in_time(db, redemption: Redemption) -> bool:
    """A new coupon is asked for within {REISSUE_WINDOW} days of the reversal."""
    return redemption.reversed_on is None or is_within(
        redemption.reversed_on, db.today, REISSUE_WINDOW
    )


# Rules that the agent has to keep: the promotions ledger does not check them.


@domain.rule(
    by="agent",
    kind="identification",
    governs=[
        "shopper_coupons",
        "shopper_redemptions",
        "shopper_points_entries",
        "quote_discount",
        "quote_stack",
        "quote_points",
        "best_coupon",
        "standing",
        "issue_coupon",
        "redeem_coupon",
        "stack_coupons",
        "settle_redemption",
        "reverse_redemption",
        "reissue_coupon",
        "extend_coupon",
        "give_up_coupons",
        "convert_points",
        "return_points_coupon",
        "grant_goodwill",
        "join_newsletter",
        "leave_newsletter",
        "escalate",
    ],
    because=[
        "a shopper's account is opened only to the shopper",
        "the person whose account it is has to prove who they are",
        "coupons and points are a matter between us and their owner",
    ],
    concepts=[
        ["account", "coupon", "points", "details"],
        ["identify", "verify", "prove", "owner", "else's", "who you are", "e-mail", "only to"],
    ],
    offers=["they are welcome to write to us themselves"],
)
def known_shopper(log: Log, shopper: Shopper) -> bool:
    """Coupons, points and discounts are discussed with their owner alone. The owner proves who they
    are by the e-mail address of the account, or by the shopper number along with the postcode.
    Relatives and friends are asked to let the owner write."""
    return log.identified(shopper, "email") or log.identified(shopper, "shopper_id", "postcode")


@domain.rule(
    by="agent",
    kind="confirmation",
    governs=[
        "redeem_coupon",
        "stack_coupons",
        "reverse_redemption",
        "give_up_coupons",
        "convert_points",
        "return_points_coupon",
    ],
    because=[
        "that needs your agreement to the exact figures first",
        "you have to agree to the figures first",
        "without your clear agreement nothing of the kind is entered",
    ],
    concepts=[
        ["agree", "confirm", "yes", "consent"],
        ["first", "figures", "without", "before", "clear"],
    ],
)
def agreed(log: Log) -> bool:
    """Using up a coupon or points, taking back a discount and handing in coupons are announced
    first, with the purchase and what it means in dollars or points. Go on once the shopper has
    agreed to exactly that."""
    return log.confirmed()


@domain.rule(
    by="agent",
    governs=["issue_coupon"],
    because=[
        "the budget of {campaign.title} is nearly gone, and what is left is kept for coupons "
        "already out",
        "less than {BUDGET_RESERVE:money} is left in the budget of that campaign, so no new "
        "coupons "
        "are handed out",
        "there is hardly any money left for {campaign.title}, which belongs to those who have "
        "their coupon already",
        "the last {BUDGET_RESERVE:money} of a campaign's budget aren't for new coupons",
    ],
    concepts=[BUDGET, ["left", "gone", "nearly", "last", "hardly", "reserve", "kept", "low"]],
    offers=["another campaign may have more money left", "we could look at what else is on"],
)
def budget_for_more(campaign: Campaign) -> bool:
    """Hand out no new coupon if less than {BUDGET_RESERVE:money} of the campaign's budget is left:
    look the budget up, as campaigns may share it. The rest is kept for coupons that people
    hold."""
    return is_enough_for_more(budget_left(campaign))


@domain.rule(
    by="agent",
    governs=["stack_coupons"],
    because=[
        "two of them come from the same campaign",
        "coupons of one and the same campaign don't go on one purchase together",
        "only one coupon of each campaign can be part of a stack",
        "you picked two of the same campaign, which don't go together",
    ],
    concepts=[["same campaign", "one campaign", "each campaign", "same offer", "same promotion"]],
    offers=["you could use one of the two on another purchase"],
)
def one_of_each_campaign(coupons: list[Coupon]) -> bool:
    """A stack holds at most one coupon of each campaign. Two coupons from points may be in it."""
    codes = [coupon.campaign.id for coupon in coupons if coupon.campaign is not None]
    return len(codes) == len(dict.fromkeys(codes))


@domain.rule(
    by="agent",
    governs=["extend_coupon"],
    because=[
        "you got it only on {coupon.issued_on}, and a coupon that new isn't extended",
        "it has been yours for less than {SETTLED_IN} days, since {coupon.issued_on}",
        "an extension comes {SETTLED_IN} days after the issue at the earliest, which was on "
        "{coupon.issued_on}",
        "the coupon is brand new, dating from {coupon.issued_on}",
    ],
    concepts=[
        ["only on", "new", "less than", "earliest", "too early", "just got", "{SETTLED_IN} days"],
        ["coupon", "extend", "extension", "issue", "yours"],
    ],
    offers=["you could ask again in some days", "there is still time to use it as it is"],
)
def not_brand_new(db, coupon: Coupon) -> bool:
    """A coupon that was issued less than {SETTLED_IN} days ago isn't extended: most people who
    want more time on the first day find that they don't need it."""
    return has_settled_in(coupon.issued_on, db.today)


@domain.rule(
    by="agent",
    governs=["extend_coupon"],
    because=[
        "a coupon from points isn't extended, since it is good for {POINTS_DAYS} days as it is",
        "it was bought with points, and such coupons keep their {POINTS_DAYS} days",
        "the {POINTS_DAYS} days of a points coupon are all that there is",
    ],
    concepts=[POINTS, ["extend", "extension", "keep", "{POINTS_DAYS} days", "longer", "date"]],
    offers=["while it is fresh, it can go back for its points"],
)
def no_points_extension(coupon: Coupon) -> bool:
    """Coupons from points have their {POINTS_DAYS} days and no extension on top."""
    return coupon.origin != "points"


@domain.rule(
    by="agent",
    governs=["extend_coupon"],
    because=[
        "a goodwill coupon isn't extended",
        "it is a goodwill coupon, and those keep their date",
        "goodwill comes with a fixed date, so there is no extension for it",
    ],
    concepts=[["goodwill"], ["extend", "extension", "date", "longer", "fixed", "keep"]],
    offers=["it can be used until {coupon.valid_until}"],
)
def no_goodwill_extension(coupon: Coupon) -> bool:
    """Goodwill coupons keep the date that they were given with and aren't extended."""
    return coupon.origin != "goodwill"


@domain.rule(
    by="agent",
    governs=["settle_redemption"],
    because=[
        "it was entered on {redemption.redeemed_on}, less than {SETTLE_DAYS} days ago",
        "a discount is settled {SETTLE_DAYS} days after it was entered, and that was on "
        "{redemption.redeemed_on}",
        "it is too early: the purchase has to be {SETTLE_DAYS} days old, and the discount is from "
        "{redemption.redeemed_on}",
        "purchases may still be called off in the first {SETTLE_DAYS} days after "
        "{redemption.redeemed_on}",
    ],
    concepts=[
        ["{SETTLE_DAYS} days", "early", "too soon", "yet"],
        ["settle", "entered", "discount", "purchase", "final", "old", "less than"],
    ],
    offers=["you could ask again when the {SETTLE_DAYS} days are over"],
)
def purchase_certain(db, redemption: Redemption) -> bool:
    """Settle a discount no earlier than {SETTLE_DAYS} days after it was entered, since purchases
    are often called off before."""
    return is_certain(redemption.redeemed_on, db.today)


@domain.rule(
    by="agent",
    governs=["reverse_redemption"],
    because=[
        "you have had {MAX_REVERSALS} discounts taken back in the last {REVERSAL_SPAN} days",
        "there were {MAX_REVERSALS} reversals in your account within {REVERSAL_SPAN} days, which "
        "is "
        "the limit",
        "no more than {MAX_REVERSALS} discounts are reversed within {REVERSAL_SPAN} days, and you "
        "are there",
        "your account shows {MAX_REVERSALS} reversals in {REVERSAL_SPAN} days already",
    ],
    concepts=[
        ["revers", "taken back", "take back"],
        ["{REVERSAL_SPAN} days", "a month", "{MAX_REVERSALS} discounts", "{MAX_REVERSALS} revers"],
    ],
    offers=["you could ask again when one of those is longer ago"],
)
def few_reversals(db, redemption: Redemption) -> bool:
    """At most {MAX_REVERSALS} discounts of a shopper are reversed within {REVERSAL_SPAN} days, or
    people would try coupons out: count those that have a day of reversal in that time."""
    return is_occasional(recent_reversals(redemption.shopper, db.today))


@domain.rule(
    by="agent",
    governs=["convert_points"],
    because=[
        "coupons from points come in steps of {POINTS_STEP:money}",
        "the amount has to be a multiple of {POINTS_STEP:money}",
        "only full steps of {POINTS_STEP:money} can be bought with points",
    ],
    concepts=[
        ["{POINTS_STEP:money}", "step", "multiple", "round"],
        ["step", "multiple", "full", "only"],
    ],
    offers=["you could choose the next lower step", "an amount in full steps is no problem"],
)
def in_full_steps(amount: Money) -> bool:
    """A coupon from points is worth a multiple of {POINTS_STEP:money}."""
    return is_step(amount)


@domain.rule(
    by="agent",
    governs=["convert_points"],
    because=[
        "you have {MAX_POINTS_COUPONS} unused coupons from points, which is the most",
        "there are {MAX_POINTS_COUPONS} coupons from points in your account that you haven't used",
        "with {MAX_POINTS_COUPONS} unused points coupons you're at the limit",
    ],
    concepts=[
        POINTS,
        ["unused", "haven't used", "not used", "{MAX_POINTS_COUPONS} coupons", "limit", "the most"],
    ],
    remedy="return_points_coupon",
    offers=[
        "you could return one of them for its points",
        "if one of those goes back, there is room for this",
    ],
)
def few_points_coupons(shopper: Shopper) -> bool:
    """Nobody has more than {MAX_POINTS_COUPONS} unused coupons from points. One of them can be
    returned for its points to make room."""
    return has_room(len(open_points_coupons(shopper)))


@domain.rule(
    by="agent",
    governs=["return_points_coupon"],
    because=[
        "you got it on {coupon.issued_on}, more than {POINTS_BACK_DAYS} days ago",
        "points come back for {POINTS_BACK_DAYS} days, and the coupon is from {coupon.issued_on}",
        "the {POINTS_BACK_DAYS} days in which it could go back are over since you got it on "
        "{coupon.issued_on}",
    ],
    concepts=[
        ["{POINTS_BACK_DAYS} days", "a month", "issued"],
        [*TOO_LATE, "more than", "ago", "old", "only for"],
    ],
    offers=["you can still use it until {coupon.valid_until}"],
)
def points_coupon_fresh(db, coupon: Coupon) -> bool:
    """Points come back for a coupon within {POINTS_BACK_DAYS} days of its issue, and not later."""
    return is_within(coupon.issued_on, db.today, POINTS_BACK_DAYS)


@domain.rule(
    by="agent",
    governs=["give_up_coupons"],
    because=[
        "one of them was bought with points, and those would be lost",
        "a coupon from points isn't handed in for nothing",
        "there is a coupon from points among it, which is returned for its points instead",
    ],
    concepts=[POINTS, ["lost", "for nothing", "return", "bought", "instead", "waste"]],
    offers=["a coupon from points can go back for its points while it is fresh"],
)
def no_points_wasted(coupons: list[Coupon]) -> bool:
    """A coupon that was bought with points is never handed in for nothing."""
    return all(coupon.origin != "points" for coupon in coupons)


@domain.rule(
    by="agent",
    governs=["grant_goodwill"],
    because=[
        "that would go beyond the {shopper.segment.goodwill_cap} of goodwill that you can have in "
        "a "
        "month",
        "{shopper.segment.goodwill_cap} a month is the limit for goodwill, with what you have had",
        "goodwill for your group ends at {shopper.segment.goodwill_cap} a month, all of this "
        "month's coupons counted",
        "this month's goodwill would come to more than {shopper.segment.goodwill_cap}",
    ],
    concepts=[
        GOODWILL,
        ["month", "calendar"],
        ["limit", "beyond", "more than", "ends", "cap", "at most", "maximum", "exceed"],
    ],
    offers=["a smaller amount might be possible", "next month begins a new count"],
)
def within_goodwill_cap(db, shopper: Shopper, amount: Money) -> bool:
    """All goodwill coupons of a calendar month together, whatever has become of them, stay within
    what the shopper's segment allows: add up those that were issued since the first of the
    month."""
    return goodwill_in_month(shopper, db.today) + amount <= shopper.segment.goodwill_cap


@domain.rule(
    by="agent",
    governs=["grant_goodwill"],
    because=[
        "you have had goodwill for the same cause within the last {CAUSE_DAYS} days",
        "the same cause has brought you a goodwill coupon less than {CAUSE_DAYS} days ago",
        "goodwill for that very cause is on record in the last {CAUSE_DAYS} days",
    ],
    concepts=[
        [
            "same cause",
            "that cause",
            "very cause",
            "same reason",
            "for that already",
            "same matter",
        ],
    ],
    offers=["you can use the coupon that you got for it, if it's still in date"],
)
def new_cause(db, shopper: Shopper, cause: Cause) -> bool:
    """The same cause brings a shopper no second goodwill coupon within {CAUSE_DAYS} days; whoever
    had one for it is told so."""
    earlier = [coupon for coupon in shopper.coupons if coupon.cause == cause]
    return all(not is_within(coupon.issued_on, db.today, CAUSE_DAYS) for coupon in earlier)


@domain.rule(
    by="agent",
    governs=["leave_newsletter"],
    because=[
        "you hold an unused coupon that is only for readers of the newsletter",
        "one of your unused coupons is for newsletter readers alone and has to go first",
        "as long as you have an unused coupon for newsletter readers, you stay on the list",
    ],
    concepts=[["newsletter", "reader", "list"], ["coupon", "unused"]],
    remedy="give_up_coupons",
    offers=[
        "you could hand in that coupon, or use it up before you leave",
        "once that coupon is gone, the newsletter can stop",
    ],
)
def no_readers_coupon(shopper: Shopper) -> bool:
    """Whoever holds an unused coupon of a campaign for newsletter readers stays a reader until it
    is used or handed in."""
    unused = [coupon for coupon in shopper.coupons if coupon.status == "issued"]
    return not any(coupon.campaign and coupon.campaign.newsletter_only for coupon in unused)


# What holds at any time.


@domain.invariant(Shopper)
def points_add_up(shopper: Shopper) -> bool:
    gained = ("carried_over", "earned", "returned")
    total = sum(
        entry.points if entry.kind in gained else -entry.points for entry in shopper.points_entries
    )
    return shopper.points == total


@domain.invariant(Shopper)
def within_person_limits(shopper: Shopper) -> bool:
    used = {
        redemption.coupon.id for redemption in shopper.redemptions if redemption.status == "settled"
    }
    held = [
        coupon.campaign
        for coupon in shopper.coupons
        if coupon.campaign and (coupon.status in ("issued", "reserved") or coupon.id in used)
    ]
    return all(sum(one is campaign for one in held) <= campaign.per_person for campaign in held)


@domain.invariant(CampaignBudget)
def budget_adds_up(budget: CampaignBudget) -> bool:
    sums = {"granted": 0, "spent": 0, "returned": 0}
    for entry in budget.budget_entries:
        sums[entry.kind] += entry.amount
    return (
        budget.granted == sums["granted"]
        and budget.spent == sums["spent"] - sums["returned"]
        and budget.spent <= budget.granted
    )


@domain.invariant(Campaign)
def campaign_has_its_terms(campaign: Campaign) -> bool:
    percent = campaign.kind == "percent"
    return percent == (campaign.percent is not None) == (campaign.cap is not None) and percent == (
        campaign.amount is None
    )


@domain.invariant(BudgetEntry)
def budget_entry_follows_redemption(entry: BudgetEntry) -> bool:
    redemption = entry.redemption
    if redemption is None:
        return entry.kind == "granted"
    return (
        entry.kind != "granted"
        and entry.amount == redemption.discount
        and entry.budget is redemption.coupon.campaign.budget
        and entry.booked_on
        == (redemption.redeemed_on if entry.kind == "spent" else redemption.reversed_on)
    )


@domain.invariant(Coupon)
def coupon_follows_its_discounts(coupon: Coupon) -> bool:
    states = [redemption.status for redemption in coupon.redemptions]
    used = any(redemption.settled_on for redemption in coupon.redemptions)
    return (
        (coupon.status == "reserved") == ("pending" in states)
        and (coupon.status == "redeemed") == used
        and sum(state != "reversed" for state in states) <= 1
    )


@domain.invariant(Coupon)
def coupon_keeps_its_terms(coupon: Coupon) -> bool:
    campaign = coupon.campaign
    if campaign is None:
        return (
            coupon.origin != "campaign"
            and coupon.kind == "amount"
            and coupon.amount is not None
            and coupon.minimum_basket is None
            and coupon.stackable == (coupon.origin == "points")
            and (coupon.origin == "points") == (coupon.points_paid is not None)
            and (coupon.origin == "goodwill") == (coupon.cause is not None)
            and coupon.offer == printed(coupon.kind, None, coupon.amount)
        )
    return (
        coupon.origin == "campaign"
        and coupon.points_paid is None
        and coupon.cause is None
        and coupon.offer == printed(campaign.kind, campaign.percent, campaign.amount)
        and (coupon.title, coupon.kind, coupon.percent)
        == (campaign.title, campaign.kind, campaign.percent)
        and (coupon.amount, coupon.cap) == (campaign.amount, campaign.cap)
        and (coupon.minimum_basket, coupon.stackable)
        == (campaign.minimum_basket, campaign.stackable)
    )


@domain.invariant(Coupon)
def points_coupon_has_its_price(coupon: Coupon) -> bool:
    if coupon.points_paid is None:
        return True
    booked = {entry.kind: entry.points for entry in coupon.points_entries}
    paid = points_cost(coupon.amount, coupon.shopper.segment.point_price)
    return (
        coupon.points_paid == paid
        and booked.get("converted") == paid
        and ("returned" not in booked or coupon.status == "revoked")
        and booked.get("returned", paid) == paid
    )


@domain.invariant(Coupon)
def coupon_keeps_its_dates(coupon: Coupon) -> bool:
    today = domain.now.date()
    if coupon.extensions > MAX_EXTENSIONS or coupon.issued_on > today:
        return False
    if (coupon.status == "revoked") != (coupon.revoked_on is not None):
        return False
    in_grace = coupon.revoked_on or (today if coupon.status == "issued" else coupon.valid_until)
    if in_grace > coupon.valid_until + timedelta(days=GRACE_DAYS):
        return False
    if coupon.campaign is None:
        return True
    return coupon.valid_until <= no_later_than(coupon.campaign.ends_on, today)


@domain.invariant(Redemption)
def redemption_is_computed(redemption: Redemption) -> bool:
    coupon = redemption.coupon
    right = takes_off(coupon, redemption.basket_total)
    fitting = redemption.stacked or redemption.basket_total >= minimum_of(coupon)
    return fitting and redemption.discount == right and redemption.shopper is coupon.shopper


@domain.invariant(Redemption)
def redemption_has_its_days(redemption: Redemption) -> bool:
    points = 0
    if redemption.settled_on is not None and not redemption.stacked:
        paid = redemption.basket_total - redemption.discount
        points = points_for(paid, redemption.shopper.segment.earn_rate)
    return (
        redemption.points_earned == points
        and (redemption.reversed_on is not None) == (redemption.status == "reversed")
        and (redemption.settled_on is not None or redemption.status != "settled")
        and (redemption.settled_on is None or redemption.status != "pending")
        and (redemption.replacement is None or redemption.settled_on is not None)
    )


@domain.invariant(Redemption)
def points_follow_redemption(redemption: Redemption) -> bool:
    booked = {entry.kind: entry.points for entry in redemption.points_entries}
    earned = redemption.points_earned or None
    taken = earned if redemption.status == "reversed" else None
    return booked.get("earned") == earned and booked.get("taken_back") == taken


@domain.invariant(Redemption)
def purchase_has_one_discount(redemption: Redemption) -> bool:
    if redemption.status == "reversed":
        return True
    same = [
        other
        for other in redemption.shopper.redemptions
        if other.purchase_reference == redemption.purchase_reference
    ]
    live = [other for other in same if other.status != "reversed"]
    if len(live) == 1:
        return True
    return all(other.stacked and other.coupon.stackable for other in live)


OF_COUPON = known_shopper.on("coupon.shopper")
OF_REDEMPTION = known_shopper.on("redemption.shopper")


# Reads.

domain.reads(Segment, get=True)
domain.reads(Shopper, get=True, find="email")
domain.reads(
    Campaign,
    get=True,
    search=["title", "campaign_code"],
    filters=["status", "kind", "newsletter_only"],
    page=8,
)
domain.reads(
    Coupon,
    list_of="shopper",
    filters=["status", "origin"],
    page=6,
    requires=[known_shopper],
)
domain.reads(Redemption, list_of="shopper", filters=["status"], requires=[known_shopper])
domain.reads(PointsEntry, list_of="shopper", filters=["kind"], requires=[known_shopper])
domain.reads(CampaignBudget, get=True)
domain.reads(
    BudgetEntry,
    list_of="budget",
    filters=["kind"],
    page=20,
    names={"list": "budget_ledger"},
)


class Saving(TypedDict):
    """What comes off a basket, and what is left to pay."""

    discount: Money
    to_pay: Money


class BestSaving(TypedDict):
    """The coupon that takes most off a basket, with what it takes off."""

    coupon: Coupon
    discount: Money
    to_pay: Money


class PointsQuote(TypedDict):
    """What a coupon costs in points, and how many points are left after it."""

    points: int
    points_left: int


class Standing(TypedDict):
    """A shopper's points and goodwill, and what both are worth."""

    points: int
    points_worth: Money
    unused_coupons: int
    saved_in_all: Money
    goodwill_this_month: Money
    goodwill_left: Money


class Stacked(TypedDict):
    """What a stack takes off, with the record of each coupon in the order in which they count."""

    discount: Money
    to_pay: Money
    redemptions: list[Redemption]


@domain.read(
    requires=[basket_large_enough, OF_COUPON],
    tells={
        "discount": [
            "how much {coupon} would take off a basket of {basket_total}",
            "what I'd save with {coupon} if I spent {basket_total}",
        ],
        "to_pay": [
            "what I'd have to pay for a basket of {basket_total} with {coupon}",
            "what would be left to pay of {basket_total} with {coupon}",
        ],
    },
)
def quote_discount(db, coupon: Coupon, basket_total: Basket) -> Saving:
    """What one coupon takes off a basket. It says nothing about the date of the coupon or about the
    money of its campaign.

    Args:
        basket_total: What the basket comes to before the discount, in cents, e.g. 8450
    """
    discount = takes_off(coupon, basket_total)
    return {"discount": discount, "to_pay": basket_total - discount}


@domain.read(
    requires=[own_coupons, right_number, all_stackable, known_shopper],
)
def quote_stack(db, shopper: Shopper, coupons: Stack, full_basket: StackBasket) -> Saving:
    """What several coupons take off a basket together. Amounts and gifts count first, then
    percentages, each on what the ones before it have left.

    Args:
        coupons: The coupons to be combined, at most {MAX_STACK}
        full_basket: What the basket comes to before the discounts, in cents, e.g. 14900
    """
    discount = stack_total(coupons, full_basket)
    return {"discount": discount, "to_pay": full_basket - discount}


@domain.read(
    requires=[known_shopper],
    errors={"none_fits": "No unused coupon of this shopper is good for such a basket today."},
    tells={
        "coupon": [
            "which of my coupons saves me most on a basket of {basket_total}",
            "which coupon is best for a basket of {basket_total}",
        ],
        "discount": [
            "how much my best coupon would take off a basket of {basket_total}",
            "what my best coupon would save me on a basket of {basket_total}",
        ],
    },
)
def best_coupon(
    db,
    shopper: Shopper,
    basket_total: Annotated[Money, Field(ge=1, le=500000), drawn(lambda: USUAL_BASKETS)],
) -> BestSaving:
    """The unused coupon that takes most off a basket today; of equal ones, that which runs out
    first. Only coupons are considered that could be redeemed for such a basket as they are.

    Args:
        basket_total: What the basket comes to, in cents, e.g. 11900
    """
    fit = [
        coupon
        for coupon in usable(shopper)
        if in_date.predicate(db, coupon)
        and campaign_not_paused.predicate(coupon)
        and basket_large_enough.predicate(coupon, basket_total)
        and budget_covers.predicate(coupon, basket_total)
    ]
    if not fit:
        raise ToolError("none_fits")
    best = min(fit, key=lambda one: (-takes_off(one, basket_total), one.valid_until, one.id))
    discount = takes_off(best, basket_total)
    return {"coupon": best, "discount": discount, "to_pay": basket_total - discount}


@domain.read(
    requires=[points_enough, known_shopper],
    tells={
        "points": [
            "how many points a coupon of {amount} would cost me",
            "what I'd have to give in points for a coupon of {amount}",
        ],
    },
)
def quote_points(db, shopper: Shopper, amount: PointsValue) -> PointsQuote:
    """What a coupon of an amount costs in points.

    Args:
        amount: What the coupon is to be worth, in cents, e.g. 1500
    """
    points = points_cost(amount, shopper.segment.point_price)
    return {"points": points, "points_left": shopper.points - points}


@domain.read(
    requires=[known_shopper],
    tells={
        "points_worth": [
            "how much my points are worth as a coupon",
            "how big a coupon I could get for all my points",
        ],
        "unused_coupons": [
            "how many coupons I have that I can still use",
            "how many unused coupons there are in my account",
        ],
        "saved_in_all": [
            "how much I've saved with settled discounts altogether",
            "what all my settled discounts come to",
        ],
        "goodwill_this_month": [
            "how much goodwill I've been given this month",
            "what this month's goodwill coupons of mine come to",
        ],
    },
)
def standing(db, shopper: Shopper) -> Standing:
    """A shopper's points and what they are worth in full steps, unused coupons, what settled
    discounts have saved, and the goodwill of this calendar month beside what is left of it."""
    given = goodwill_in_month(shopper, db.today)
    settled = [one.discount for one in shopper.redemptions if one.status == "settled"]
    worth = shopper.points // shopper.segment.point_price * DOLLAR
    return {
        "points": shopper.points,
        "points_worth": worth // POINTS_STEP * POINTS_STEP,
        "unused_coupons": len(usable(shopper)),
        "saved_in_all": sum(settled),
        "goodwill_this_month": given,
        "goodwill_left": max(0, shopper.segment.goodwill_cap - given),
    }


# Writes.


def add_coupon(db, shopper: Shopper, campaign: Campaign, days: int) -> Coupon:
    return db.create(
        Coupon,
        shopper=shopper,
        campaign=campaign,
        origin="campaign",
        title=campaign.title,
        offer=printed(campaign.kind, campaign.percent, campaign.amount),
        kind=campaign.kind,
        percent=campaign.percent,
        amount=campaign.amount,
        cap=campaign.cap,
        minimum_basket=campaign.minimum_basket,
        stackable=campaign.stackable,
        issued_on=db.today,
        valid_until=last_day_of(days, campaign.ends_on, db.today),
    )


def add_own_coupon(db, shopper: Shopper, origin: str, amount: Money, **more) -> Coupon:
    """A coupon that no campaign pays for."""
    days = POINTS_DAYS if origin == "points" else GOODWILL_DAYS
    return db.create(
        Coupon,
        shopper=shopper,
        origin=origin,
        title=origin,
        offer=printed("amount", None, amount),
        kind="amount",
        amount=amount,
        stackable=origin == "points",
        issued_on=db.today,
        valid_until=db.today + timedelta(days=days),
        **more,
    )


def book_points(db, kind: str, points: int, shopper: Shopper, **on) -> None:
    """Enter points into the ledger, and change the balance accordingly."""
    if points:
        gained = kind in ("earned", "returned")
        shopper.points += points if gained else -points
        db.create(PointsEntry, shopper=shopper, kind=kind, points=points, booked_on=db.today, **on)


def book_budget(db, kind: str, redemption: Redemption) -> None:
    """Enter a discount into the ledger of its campaign, if it has one."""
    campaign, amount = redemption.coupon.campaign, redemption.discount
    if campaign is not None:
        campaign.budget.spent += amount if kind == "spent" else -amount
        db.create(
            BudgetEntry,
            budget=campaign.budget,
            redemption=redemption,
            kind=kind,
            amount=amount,
            booked_on=db.today,
        )


def redeem(
    db, coupon: Coupon, purchase_reference: str, basket_total: Money, stacked: bool
) -> Redemption:
    coupon.status = "reserved"
    redemption = db.create(
        Redemption,
        shopper=coupon.shopper,
        coupon=coupon,
        purchase_reference=purchase_reference,
        basket_total=basket_total,
        discount=takes_off(coupon, basket_total),
        stacked=stacked,
        redeemed_on=db.today,
    )
    book_budget(db, "spent", redemption)
    return redemption


@domain.write(
    requires=[
        account_open,
        campaign_running,
        for_their_segment,
        reads_newsletter,
        below_person_limit,
        budget_for_more,
        known_shopper,
    ],
    changes=[creates(Coupon)],
    ask=[
        "get a coupon of {campaign}",
        "have a coupon from {campaign}",
        "take part in {campaign}",
        "claim a coupon for {campaign}",
        "have {campaign} put into my account",
        "get in on {campaign}",
        "receive one of the coupons of {campaign}",
        "sign up for a coupon of {campaign}",
        "collect a coupon from {campaign}",
        "grab a coupon of {campaign}",
        "enrol in {campaign} and obtain its coupon",
        "have a coupon from one of your campaigns",
        "get hold of a coupon from {campaign}",
    ],
    asks={
        "campaign": [
            "Which campaign is the coupon to come from?",
            "What is the campaign called?",
            "Could you tell me the campaign, please?",
            "We have several offers on, so which campaign do you mean?",
        ]
    },
    outcome=outcome(
        quotes=["offer", "valid_until"],
        mood="good",
        says=[
            "Your {offer} coupon from {campaign.title} is in your account and good until "
            "{valid_until}.",
            "I've put a {offer} coupon of {campaign.title} into your account; its last day is "
            "{valid_until}.",
            "You've got your {offer} {campaign.title} coupon now, to be used by {valid_until}.",
            "There it is, the {offer} coupon from {campaign.title}, valid until {valid_until}.",
            "The {offer} coupon of {campaign.title} is yours and runs until {valid_until}.",
            "I have issued the {offer} coupon of {campaign.title}, which is good up to and "
            "including "
            "{valid_until}.",
            "A {offer} coupon of {campaign.title} waits in your account until {valid_until}.",
            "Have fun with your {offer} coupon from {campaign.title}; just remember to shop by "
            "{valid_until}.",
            "Congratulations, a {offer} coupon has landed among your vouchers: {campaign.title}, "
            "redeemable through {valid_until}.",
            "Enjoy the bargain: your {offer} {campaign.title} coupon is activated and won't expire "
            "before the evening of {valid_until}.",
            "Your wish is granted: {campaign.title} gains another participant, whose {offer} "
            "coupon "
            "lasts through {valid_until}.",
            "The system generated your personal {offer} coupon for {campaign.title}, whose "
            "validity "
            "ends on {valid_until}.",
            "That's one {offer} coupon of {campaign.title} for you, and {valid_until} is when it "
            "runs "
            "out.",
        ],
    ),
)
def issue_coupon(db, shopper: Shopper, campaign: Campaign) -> Coupon:
    """Hand out one coupon of a campaign to a shopper. It carries the terms of the campaign as they
    are now."""
    return add_coupon(db, shopper, campaign, VALID_DAYS)


@domain.write(
    requires=[
        in_date,
        campaign_not_paused,
        basket_large_enough,
        purchase_untouched,
        budget_covers,
        agreed,
        OF_COUPON,
    ],
    changes=[
        moves("coupon", "issued", to="reserved"),
        sets("coupon.campaign.budget", CampaignBudget.spent),
        creates(Redemption),
        creates(BudgetEntry),
    ],
    ask=[
        "use {coupon} for purchase {purchase_reference}, which comes to {basket_total}",
        "redeem {coupon} on purchase {purchase_reference} with a basket of {basket_total}",
        "have {coupon} taken off purchase {purchase_reference}, a basket of {basket_total}",
        "apply {coupon} to purchase {purchase_reference} over {basket_total}",
        "put {coupon} towards purchase {purchase_reference}, where the basket is {basket_total}",
        "spend {coupon} on purchase {purchase_reference}, for which I'd pay {basket_total}",
        "get the discount of {coupon} on purchase {purchase_reference} of {basket_total}",
        "have {coupon} count for purchase {purchase_reference}, {basket_total} in all",
        "cash in {coupon} for purchase {purchase_reference} with its total of {basket_total}",
        "use {coupon} on purchase {purchase_reference}",
        "deduct {coupon} from purchase {purchase_reference}, whose subtotal is {basket_total}",
        "knock {coupon} off purchase {purchase_reference}, which I filled up to {basket_total}",
        "use one of my coupons for purchase {purchase_reference} over {basket_total}",
    ],
    asks={
        "coupon": [
            "Which of your coupons would you like to use?",
            "Which coupon is it to be?",
            "Could you tell me which coupon you have in mind?",
        ],
        "purchase_reference": [
            "What is the number of the purchase?",
            "Which purchase is it for, that is, what number does it have?",
            "Could you give me the purchase number, please?",
        ],
        "basket_total": [
            "What does the basket come to, in total?",
            "What is the basket total?",
            "How much is the whole basket, the total before the discount?",
        ],
    },
    outcome=outcome(
        quotes=["discount"],
        mood="good",
        differences={"rest": ("basket_total", "discount")},
        ask_first=["quote_discount", "That takes {discount} off; {to_pay} is left to pay."],
        says=[
            "{discount} comes off purchase {purchase_reference}, so that you pay {rest}.",
            "I've entered the coupon for {purchase_reference}: you save {discount} and pay {rest}.",
            "Your discount on {purchase_reference} is {discount}, which leaves {rest}.",
            "Purchase {purchase_reference} now costs {rest}, since {discount} has been taken off.",
            "With the coupon you save {discount} on {purchase_reference} and pay {rest} instead.",
            "The {coupon.title} coupon brings {purchase_reference} down by {discount}, to {rest}.",
            "Done: {discount} off purchase {purchase_reference}, and {rest} remains to be paid.",
            "I have reserved your {coupon.title} coupon for {purchase_reference}; the saving is "
            "{discount}, and the rest of {rest} is yours to pay.",
            "The order desk will charge {rest} for {purchase_reference}, which is {discount} less "
            "than before.",
            "The ledger shows a discount of {discount} for {purchase_reference}, so your bill is "
            "{rest}.",
            "Happy shopping: {purchase_reference} drops by {discount}, and the invoice will read "
            "{rest}.",
            "A reduction of {discount} is attached to {purchase_reference}, whose final price "
            "amounts to {rest}.",
            "Good news for your wallet: {discount} vanishes from {purchase_reference}, leaving a "
            "remainder of {rest}.",
            "I deducted {discount} from {purchase_reference}, hence the outstanding sum of {rest}.",
            "The voucher did its work and knocked {discount} off {purchase_reference}; {rest} "
            "stays due at the checkout.",
        ],
    ),
)
def redeem_coupon(
    db, coupon: Coupon, purchase_reference: Reference, basket_total: Basket
) -> Redemption:
    """Use one coupon for one purchase. The coupon is reserved and the discount is booked against
    the campaign's budget at once; it stays pending until it is settled. Ask for the number of the
    purchase and for the basket total.

    Args:
        purchase_reference: The number of the purchase, as the shopper gives it, e.g. #W5490107
        basket_total: What the basket comes to before the discount, in cents, e.g. 8450
    """
    return redeem(db, coupon, purchase_reference, basket_total, False)


@domain.write(
    requires=[
        own_coupons,
        all_unused,
        right_number,
        all_stackable,
        stack_ready,
        within_stack_share,
        purchase_untouched,
        one_of_each_campaign,
        agreed,
        known_shopper,
    ],
    changes=[
        moves("coupons", "issued", to="reserved"),
        sets("coupons.campaign.budget", CampaignBudget.spent),
        creates(Redemption),
        creates(BudgetEntry),
    ],
    ask=[
        "use {coupons} together for purchase {purchase_reference}, which comes to {full_basket}",
        "combine {coupons} on purchase {purchase_reference} with a basket of {full_basket}",
        "stack {coupons} on purchase {purchase_reference} over {full_basket}",
        "put {coupons} together towards purchase {purchase_reference} of {full_basket}",
        "have both {coupons} taken off purchase {purchase_reference}, a basket of {full_basket}",
        "redeem {coupons} in one go on purchase {purchase_reference}, {full_basket} in all",
        "apply {coupons} at once to purchase {purchase_reference} over {full_basket}",
        "use several coupons for purchase {purchase_reference}, which comes to {full_basket}",
    ],
    asks={
        "coupons": [
            "Which coupons would you like to combine?",
            "Which of your coupons shall go on it together?",
            "Could you name the coupons, please?",
        ],
        "purchase_reference": [
            "What is the number of the purchase?",
            "For which purchase, that is, what is its number?",
        ],
        "full_basket": [
            "What does the basket come to, in total?",
            "What is the basket total before the coupons?",
        ],
    },
    outcome=outcome(
        quotes=["discount", "to_pay"],
        mood="good",
        ask_first=["quote_stack", "Together they take {discount} off; you'd pay {to_pay}."],
        says=[
            "Together your coupons take {discount} off {purchase_reference}, and you pay {to_pay}.",
            "I've stacked them on {purchase_reference}: {discount} off, {to_pay} to pay.",
            "All of them count for {purchase_reference} now, which saves you {discount} and leaves "
            "{to_pay}.",
            "Purchase {purchase_reference} comes down by {discount} to {to_pay} with your coupons "
            "combined.",
            "The coupons are entered side by side for {purchase_reference}; the saving comes to "
            "{discount} and the bill to {to_pay}.",
            "Combined, that makes {discount} less on {purchase_reference}, so {to_pay} is what's "
            "left.",
        ],
    ),
)
def stack_coupons(
    db,
    shopper: Shopper,
    coupons: Stack,
    purchase_reference: StackReference,
    full_basket: StackBasket,
) -> Stacked:
    """Use several coupons for one purchase in one go. Amounts and gifts count first, then
    percentages, each on what the ones before it have left. A purchase with stacked coupons earns no
    points; mention that if the shopper asks about points.

    Args:
        coupons: The coupons to be combined, at most {MAX_STACK}
        purchase_reference: The number of the purchase, as the shopper gives it, e.g. #W5490107
        full_basket: What the basket comes to before the discounts, in cents, e.g. 14900
    """
    entered, left = [], full_basket
    for coupon, discount in in_stack(coupons, full_basket):
        entered.append(redeem(db, coupon, purchase_reference, left, True))
        left -= discount
    return {"discount": full_basket - left, "to_pay": left, "redemptions": entered}


@domain.write(
    requires=[purchase_certain, OF_REDEMPTION],
    changes=[
        moves("redemption", "pending", to="settled"),
        sets("redemption", Redemption.settled_on, Redemption.points_earned),
        moves("redemption.coupon", "reserved", to="redeemed"),
        sets("redemption.shopper", Shopper.points),
        creates(PointsEntry),
    ],
    ask=[
        "have {redemption} settled",
        "get the points for {redemption}",
        "have {redemption} made final",
        "have {redemption} closed so that I get my points",
        "get {redemption} settled for good",
        "have my points booked for {redemption}",
        "see {redemption} through to the end",
        "have {redemption} finalised",
        "have one of my pending discounts settled",
        "collect what {redemption} earns in points",
    ],
    asks={
        "redemption": [
            "Which of your discounts shall I settle?",
            "Which discount is it, and on which purchase?",
            "Several discounts are pending, so which discount do you mean?",
        ]
    },
    outcome=outcome(
        quotes=["points_earned"],
        mood="good",
        says=[
            "The discount on {redemption.purchase_reference} is settled, and it has earned you "
            "{points_earned} points.",
            "I've made your {redemption.coupon.title} discount final; that brings "
            "{points_earned} points.",
            "Settled: {points_earned} points for purchase {redemption.purchase_reference} are on "
            "your account.",
            "You've been credited {points_earned} points for {redemption.purchase_reference}, "
            "whose "
            "discount is final now.",
            "That closes the discount on {redemption.purchase_reference}, with {points_earned} "
            "points for you.",
            "Your {redemption.coupon.title} discount on {redemption.purchase_reference} is final, "
            "and the points ledger says {points_earned} for it.",
            "With {points_earned} points booked, {redemption.purchase_reference} is wrapped up.",
            "Your loyalty pays off: {points_earned} points were credited when "
            "{redemption.purchase_reference} was finalised.",
            "The coupon counts as redeemed from now on; {redemption.purchase_reference} has added "
            "{points_earned} points.",
        ],
    ),
)
def settle_redemption(db, redemption: Redemption) -> Redemption:
    """Make a pending discount final once the purchase is certain. The coupon is used up, and the
    shopper gets points for what was paid, unless coupons were stacked."""
    shopper, coupon = redemption.shopper, redemption.coupon
    redemption.status, redemption.settled_on = "settled", db.today
    coupon.status = "redeemed"
    if not redemption.stacked:
        paid = redemption.basket_total - redemption.discount
        redemption.points_earned = points_for(paid, shopper.segment.earn_rate)
        book_points(db, "earned", redemption.points_earned, shopper, redemption=redemption)
    return redemption


@domain.write(
    requires=[reversal_in_time, points_still_there, few_reversals, agreed, OF_REDEMPTION],
    changes=[
        moves("redemption", ["pending", "settled"], to="reversed"),
        sets("redemption", Redemption.reversed_on),
        moves("redemption.coupon", ["reserved", "redeemed"], to=["issued", "redeemed"]),
        sets("redemption.coupon", Coupon.valid_until),
        sets("redemption.coupon.campaign.budget", CampaignBudget.spent),
        sets("redemption.shopper", Shopper.points),
        creates(BudgetEntry),
        creates(PointsEntry),
    ],
    ask=[
        "have {redemption} reversed",
        "have {redemption} taken back",
        "undo {redemption}",
        "take back {redemption}",
        "have {redemption} cancelled",
        "get {redemption} removed",
        "have {redemption} struck out",
        "annul {redemption}",
        "have {redemption} nullified",
        "do without {redemption} after all",
        "have {redemption} called off",
        "have one of my discounts reversed",
        "get {redemption} undone",
    ],
    asks={
        "redemption": [
            "Which discount shall I take back?",
            "Which discount do you mean, that is, on which purchase?",
            "Could you tell me the discount by its purchase or coupon?",
        ],
    },
    outcome=outcome(
        quotes=["discount", "points_earned"],
        mood="neutral",
        ask_first=[
            "The {redemption.discount} off purchase {redemption.purchase_reference} would be gone, "
            "along with any points that it has earned."
        ],
        says=[
            "The {discount} off {redemption.purchase_reference} has been taken back, and "
            "{points_earned} points with it.",
            "I've reversed the discount of {discount} on {redemption.purchase_reference}; "
            "{points_earned} points have come off your balance.",
            "Your {redemption.coupon.title} discount is reversed: {discount}, and {points_earned} "
            "points.",
            "Purchase {redemption.purchase_reference} stands at its full price again, without the "
            "{discount}; the points ledger has taken back {points_earned} points.",
            "That discount of {discount} no longer counts for {redemption.purchase_reference}, and "
            "your balance is {points_earned} points lower for it.",
            "The ledger has {discount} and {points_earned} points as reversed for "
            "{redemption.purchase_reference}.",
            "Taken back: {discount} on {redemption.purchase_reference}, along with {points_earned} "
            "points.",
            "I've withdrawn the saving of {discount} from {redemption.purchase_reference} and "
            "deducted {points_earned} points.",
            "The reversal is recorded: {discount} returns to the campaign's pot, and "
            "{points_earned} points leave your balance.",
            "We've annulled the reduction of {discount} for {purchase_reference} and subtracted "
            "{points_earned} points.",
            "That undoes it: {purchase_reference} forfeits its {discount}, and your loyalty "
            "balance shrinks by {points_earned} points.",
        ],
    ),
)
def reverse_redemption(db, redemption: Redemption) -> Redemption:
    """Take a discount back, say because the purchase was called off or the coupon was meant for
    something else. The campaign's budget gets its money back, and points that were earned go. The
    coupon of a pending discount comes back and is good for {RETURNED_DAYS} days at least; that of a
    settled one stays redeemed, and a new one may be issued for it. Stacked discounts are taken back
    one by one."""
    coupon, before = redemption.coupon, redemption.status
    redemption.status, redemption.reversed_on = "reversed", db.today
    if before == "pending":
        coupon.status = "issued"
        coupon.valid_until = at_least_until(coupon.valid_until, db.today)
    book_budget(db, "returned", redemption)
    points = redemption.points_earned
    book_points(db, "taken_back", points, redemption.shopper, redemption=redemption)
    return redemption


@domain.write(
    requires=[
        was_used_up,
        not_replaced,
        campaign_alive,
        reissued_in_time,
        below_person_limit.on(shopper="redemption.shopper", campaign="redemption.coupon.campaign"),
        OF_REDEMPTION,
    ],
    changes=[
        stays("redemption", "reversed"),
        sets("redemption", Redemption.replacement),
        creates(Coupon),
    ],
    errors={
        "no_campaign": "The coupon came from points or goodwill, so no campaign can replace it.",
    },
    ask=[
        "have a new coupon for {redemption}",
        "get a fresh coupon in place of the one for {redemption}",
        "have the coupon for {redemption} replaced",
        "get back a coupon for {redemption}, which was reversed",
        "have another coupon issued for {redemption}",
        "get the coupon that went into {redemption} again",
        "have the coupon of {redemption} reissued",
        "get a replacement for the coupon that I used up in {redemption}",
    ],
    asks={
        "redemption": [
            "For which discount do you need a new coupon?",
            "Which reversed discount is it about?",
            "On which purchase was the discount that was taken back?",
        ]
    },
    outcome=outcome(
        quotes=["offer", "valid_until"],
        mood="good",
        says=[
            "You have a new {offer} coupon in place of the one for "
            "{redemption.purchase_reference}, good until {valid_until}.",
            "I've replaced it with a new {offer} {redemption.coupon.title} coupon that runs until "
            "{valid_until}.",
            "The fresh {offer} coupon is in your account, to be used by {valid_until}.",
            "As compensation for the one that was consumed there is another {offer} coupon, which "
            "lasts through {valid_until}.",
            "Since {redemption.purchase_reference} was reversed, you get your {offer} coupon anew, "
            "with {valid_until} as its last day.",
            "Another {offer} coupon has been issued in its place, valid until {valid_until}.",
            "Your {offer} {redemption.coupon.title} coupon is back in a new edition until "
            "{valid_until}.",
        ],
    ),
)
def reissue_coupon(db, redemption: Redemption) -> Coupon:
    """Issue a new coupon in place of one that was used up by a discount which has been settled and
    reversed since. It has the terms of its campaign and is good for {REISSUED_DAYS} days; coupons
    from points and goodwill aren't replaced."""
    campaign = redemption.coupon.campaign
    if campaign is None:
        raise ToolError("no_campaign")
    redemption.replacement = add_coupon(db, redemption.shopper, campaign, REISSUED_DAYS)
    return redemption.replacement


@domain.write(
    requires=[
        extensions_left,
        within_campaign_tail,
        not_brand_new,
        no_goodwill_extension,
        no_points_extension,
        OF_COUPON,
    ],
    changes=[stays("coupon", "issued"), sets("coupon", Coupon.valid_until, Coupon.extensions)],
    ask=[
        "have {coupon} extended by {days} days",
        "get {days} more days for {coupon}",
        "keep {coupon} good for another {days} days",
        "have {days} days added to {coupon}",
        "get {coupon} prolonged by {days} days",
        "stretch {coupon} by {days} days",
        "postpone the deadline of {coupon} by {days} days",
        "have {days} days longer to use {coupon}",
        "have the last day of {coupon} moved by {days} days",
        "push back the end of {coupon} by {days} days",
        "have {coupon} extended",
        "have one of my coupons extended by {days} days",
    ],
    asks={
        "coupon": [
            "Which coupon shall I extend?",
            "Which of your coupons needs more time?",
            "Could you tell me which coupon it is?",
        ],
        "days": [
            "By how many days?",
            "How many more days would you need?",
            "How many days shall I add?",
        ],
    },
    outcome=outcome(
        quotes=["valid_until"],
        mood="good",
        says=[
            "Your {coupon.title} coupon is good until {valid_until} now.",
            "I've extended the {coupon.title} coupon; its last day is {valid_until}.",
            "You have until {valid_until} to use the {coupon.offer} coupon from {coupon.title}.",
            "The {coupon.offer} coupon has been given more time, up to {valid_until}.",
            "No need to hurry: {coupon.title} can be used until {valid_until}.",
            "The new last day of your {coupon.title} coupon is {valid_until}.",
            "That moves the end of the {coupon.title} coupon to {valid_until}.",
            "The calendar entry for your {coupon.title} coupon has been shifted to {valid_until}.",
            "Take your time with {coupon.title}, since nothing lapses before {valid_until}.",
            "I granted additional days, so the {coupon.title} deadline falls on {valid_until}.",
            "Breathe easy, {coupon.title} survives through {valid_until}.",
        ],
    ),
)
def extend_coupon(
    db,
    coupon: Coupon,
    days: Annotated[int, Field(ge=1, le=30), drawn(lambda: USUAL_DAYS)],
) -> Coupon:
    """Give an unused coupon more time, also within {GRACE_DAYS} days after its last day.

    Args:
        days: How many days more, e.g. 14
    """
    coupon.valid_until = extended(coupon.valid_until, days, db.today)
    coupon.extensions += 1
    return coupon


@domain.write(
    requires=[own_coupons, all_unused, no_points_wasted, agreed, known_shopper],
    changes=[moves("coupons", "issued", to="revoked"), sets("coupons", Coupon.revoked_on)],
    ask=[
        "hand in {coupons}",
        "give up {coupons}",
        "have {coupons} taken out of my account",
        "get rid of {coupons}",
        "give {coupons} back",
        "have {coupons} withdrawn",
        "part with {coupons}",
        "have {coupons} struck from my account",
        "return {coupons} unused",
        "have {coupons} removed",
        "hand in a coupon that I won't use",
    ],
    asks={
        "coupons": [
            "Which coupons shall I take out?",
            "Which of your coupons would you like to hand in?",
            "Could you name the coupons that can go?",
        ]
    },
    outcome=outcome(
        mood="neutral",
        irreversible=True,
        ask_first=["Nothing is paid for {coupons}, and what is handed in can't be brought back."],
        says=[
            "I've taken {coupons} out of your account.",
            "{coupons} can't be used any more, as you wished.",
            "You've handed in {coupons}, and there's nothing else to do about it.",
            "Your account no longer holds {coupons}.",
            "The list of your coupons is shorter now, without {coupons}.",
            "{coupons} left your account a moment ago.",
            "I have withdrawn {coupons} as you asked.",
            "That is {coupons} handed in.",
        ],
    ),
)
def give_up_coupons(
    db, shopper: Shopper, coupons: Annotated[list[Coupon], drawn(handed_in)]
) -> list[Coupon]:
    """Take unused coupons back that a shopper doesn't want. Nothing is paid for them.

    Args:
        coupons: The coupons to hand in, at least one
    """
    for coupon in coupons:
        coupon.status, coupon.revoked_on = "revoked", db.today
    return coupons


@domain.write(
    requires=[
        points_enough,
        in_full_steps,
        few_points_coupons,
        agreed,
        known_shopper,
    ],
    changes=[
        sets("shopper", Shopper.points),
        creates(Coupon),
        creates(PointsEntry),
    ],
    ask=[
        "turn points into a coupon of {amount}",
        "convert points into a {amount} coupon",
        "have a coupon of {amount} for my points",
        "spend points on a coupon of {amount}",
        "swap points for a coupon of {amount}",
        "trade in points for a coupon of {amount}",
        "cash points in and obtain a coupon of {amount}",
        "make a {amount} coupon out of my points",
        "exchange points for a coupon worth {amount}",
        "get a coupon of {amount} with my points",
        "turn some of my points into a coupon",
    ],
    asks={
        "amount": [
            "What amount is the coupon to have?",
            "How much is the coupon to be worth?",
            "Which amount would you like?",
        ]
    },
    outcome=outcome(
        quotes=["points_paid", "valid_until"],
        mood="good",
        ask_first=["quote_points", "It costs {points} points and leaves you {points_left}."],
        says=[
            "Your points coupon of {amount} cost {points_paid} points and is good until "
            "{valid_until}.",
            "I've turned {points_paid} points into a coupon of {amount}, to be used by "
            "{valid_until}.",
            "For {points_paid} points you have a {amount} coupon now; its last day is "
            "{valid_until}.",
            "That's {amount} for {points_paid} points, valid until {valid_until}.",
            "The coupon over {amount} is in your account until {valid_until}, in exchange for "
            "{points_paid} points.",
            "{points_paid} points have become a coupon of {amount}, which runs until "
            "{valid_until}.",
            "The points ledger is {points_paid} points lighter, and a coupon of {amount} waits for "
            "you until {valid_until}.",
        ],
    ),
)
def convert_points(db, shopper: Shopper, amount: PointsValue) -> Coupon:
    """Turn points into a coupon that takes an amount off any basket. It is good for {POINTS_DAYS}
    days and stackable.

    Args:
        amount: What the coupon is to be worth, in cents, e.g. 1500
    """
    points = points_cost(amount, shopper.segment.point_price)
    coupon = add_own_coupon(db, shopper, "points", amount, points_paid=points)
    book_points(db, "converted", points, shopper, coupon=coupon)
    return coupon


@domain.write(
    requires=[came_from_points, points_coupon_fresh, agreed, OF_COUPON],
    changes=[
        moves("coupon", "issued", to="revoked"),
        sets("coupon", Coupon.revoked_on),
        sets("coupon.shopper", Shopper.points),
        creates(PointsEntry),
    ],
    ask=[
        "return {coupon} and have my points back",
        "get the points back for {coupon}",
        "swap {coupon} back into points",
        "have {coupon} turned back into points",
        "give back {coupon} for its points",
        "have {coupon} reconverted into points",
        "undo the exchange of points for {coupon}",
        "return one of my points coupons",
    ],
    asks={
        "coupon": [
            "Which coupon would you like to return?",
            "Which of your points coupons is it?",
            "For which coupon shall I give the points back?",
        ]
    },
    outcome=outcome(
        quotes=["points_paid"],
        mood="neutral",
        ask_first=["{coupon.points_paid} points would come back to you, and the coupon would go."],
        says=[
            "You have {points_paid} points back, and the {coupon.offer} coupon is gone.",
            "I've returned {points_paid} points to you for the {coupon.offer} coupon.",
            "The {coupon.offer} coupon is points again: {points_paid} have been added.",
            "Your balance is {points_paid} points higher, and the {coupon.offer} points coupon "
            "doesn't exist any more.",
            "{points_paid} points are back on your account in place of the {coupon.offer} coupon.",
            "The exchange is undone; {points_paid} points have come back for {coupon.offer}.",
        ],
    ),
)
def return_points_coupon(db, coupon: Coupon) -> Coupon:
    """Take back an unused coupon that was bought with points, and return all of its points."""
    coupon.status, coupon.revoked_on = "revoked", db.today
    book_points(db, "returned", coupon.points_paid, coupon.shopper, coupon=coupon)
    return coupon


@domain.write(
    requires=[account_open, within_goodwill_cap, new_cause, known_shopper],
    changes=[creates(Coupon)],
    ask=[
        "have a goodwill coupon of {amount} because of {cause}",
        "ask for {amount} as goodwill because of {cause}",
        "be given a coupon of {amount} to make up for {cause}",
        "get a goodwill coupon over {amount}, the cause being {cause}",
        "have {amount} of goodwill for {cause}",
        "have a coupon of {amount} as an apology for {cause}",
        "be compensated for {cause} with a coupon of {amount}",
        "get something for {cause}, say a coupon of {amount}",
        "have a goodwill coupon because of {cause}",
    ],
    asks={
        "amount": [
            "What amount had you thought of?",
            "How much would seem fair to you?",
            "Which amount would make up for it?",
        ],
        "cause": [
            "What was the cause: delivery delays, faulty goods, wrong goods or poor service?",
            "May I ask the cause: was it delivery delays, faulty or wrong goods, or poor service?",
            "For what cause is it: delivery delays, faulty goods, wrong goods or poor service?",
        ],
    },
    outcome=outcome(
        quotes=["valid_until"],
        mood="good",
        says=[
            "With our apologies you have a goodwill coupon of {amount}, good until {valid_until}.",
            "I'm sorry about that; a coupon of {amount} is in your account until {valid_until}.",
            "I've put {amount} of goodwill into your account, to be used by {valid_until}.",
            "We regret the trouble; {amount} is meant as a small consolation, valid until "
            "{valid_until}.",
            "Such mishaps shouldn't happen, and {amount} off your next basket, up to "
            "{valid_until}, is our way of saying sorry.",
            "To make up for it you get {amount} off a purchase, up to {valid_until}.",
            "A goodwill coupon over {amount} is yours, and its last day is {valid_until}.",
            "Please accept {amount} as an apology; the coupon runs until {valid_until}.",
        ],
    ),
)
def grant_goodwill(
    db,
    shopper: Shopper,
    amount: Annotated[Money, Field(ge=100, le=MAX_GOODWILL), drawn(goodwill_wishes)],
    cause: Cause,
) -> Coupon:
    """Give a shopper a coupon because the shop has let them down. It is good for {GOODWILL_DAYS}
    days, needs no minimum and can't be combined with others. Ask what went wrong and record it as
    the cause.

    Args:
        amount: What the coupon is to be worth, in cents, e.g. 1000
        cause: What went wrong
    """
    return add_own_coupon(db, shopper, "goodwill", amount, cause=cause)


@domain.write(
    requires=[known_shopper],
    changes=[sets("shopper", Shopper.newsletter)],
    errors={"reads_it_already": "This shopper gets the newsletter as it is."},
    ask=[
        "sign up for the newsletter",
        "get your newsletter from now on",
        "be put on the newsletter list",
        "subscribe to your newsletter",
        "enrol for the newsletter",
        "receive the newsletter",
        "join the readers of your newsletter",
        "have the newsletter sent to me",
    ],
    outcome=outcome(
        mood="good",
        says=[
            "You're on the newsletter list now.",
            "I've signed you up for the newsletter.",
            "From the next issue on, the newsletter comes to your e-mail address.",
            "Welcome among the readers of our newsletter.",
            "The newsletter will be sent to the address of your account.",
            "Look out for the coming issue, as your subscription has started.",
            "Expect hiking stories, recipes and previews from us every fortnight.",
            "Our editors are delighted to count you among their subscribers.",
            "Your subscription is registered, and trail tips will land in your mailbox.",
        ],
    ),
)
def join_newsletter(db, shopper: Shopper) -> Shopper:
    """Put a shopper on the newsletter list. The newsletter goes to the e-mail address of the
    account."""
    if shopper.newsletter:
        raise ToolError("reads_it_already")
    shopper.newsletter = True
    return shopper


@domain.write(
    requires=[no_readers_coupon, known_shopper],
    changes=[sets("shopper", Shopper.newsletter)],
    errors={"no_reader": "This shopper doesn't get the newsletter."},
    ask=[
        "unsubscribe from the newsletter",
        "end my subscription to the newsletter",
        "stop getting your newsletter",
        "be taken off the newsletter list",
        "have no more newsletters sent to me",
        "leave the newsletter list",
        "cancel the newsletter",
    ],
    outcome=outcome(
        mood="neutral",
        says=[
            "You won't get the newsletter any more.",
            "I've taken you off the newsletter list.",
            "That was the last newsletter for you.",
            "Your mailbox will be quieter, as the subscription has been cancelled.",
            "Your address has been removed from the newsletter list.",
        ],
    ),
)
def leave_newsletter(db, shopper: Shopper) -> Shopper:
    """Take a shopper off the newsletter list."""
    if not shopper.newsletter:
        raise ToolError("no_reader")
    shopper.newsletter = False
    return shopper


@domain.write(
    requires=[known_shopper],
    changes=[creates(PromoEscalation)],
    handover=True,
    ask=[
        "have somebody on the promotions team look at this, as a matter of {reason}",
        "speak to the promotions team because of {reason}",
        "have this passed on to your team under {reason}",
        "have a colleague of yours deal with it, as {reason}",
    ],
    asks={
        "reason": [
            "What is the reason, so that the right person takes it up?",
            "For what reason shall I pass it on?",
            "May I know the reason?",
        ]
    },
    outcome=outcome(
        mood="neutral",
        says=[
            "Our promotions team takes it from here and will write to you.",
            "I've passed it on to the promotions team; the case is {promo_escalation_id}.",
            "A colleague on the promotions team is going to look at it and will get back to you.",
            "That's with the promotions team now, who will be in touch.",
            "Somebody who can decide on it has it before them now, as case {promo_escalation_id}.",
            "You'll hear from the promotions team about it; please keep {promo_escalation_id} as "
            "your case number.",
        ],
    ),
)
def escalate(db, shopper: Shopper, reason: Matter) -> PromoEscalation:
    """Pass the conversation on to the promotions team: as `unknown_redemption` when somebody finds
    a discount that they never asked for, as `points_dispute` when they say that points were
    credited wrongly, as `personal_details` when a name, an address or an e-mail address has to be
    changed, as `complaint` when they complain about the shop or its campaigns, and as `other` for
    everything that your tools can't do. What a rule excludes is not passed on but declined.

    Args:
        reason: What it is about
    """
    return db.create(PromoEscalation, shopper=shopper, reason=reason, opened_at=db.now)


USUAL_DAYS = [7, 10, 14, 21, 30]
USUAL_BASKETS = [3900, 5450, 7495, 8990, 11900, 14250, 18900]


# What brings people here, what changes their minds, and what only the team can settle.

for text, tools in (
    ("I'm planning a week in the hills and need new boots.", ["issue_coupon"]),
    ("Your poster at the tram stop caught my eye.", ["issue_coupon"]),
    ("My sister keeps telling me how much she saves with you.", ["issue_coupon"]),
    ("I've seen your advertisement in the paper.", ["issue_coupon"]),
    ("We're fitting out our kitchen from scratch.", ["issue_coupon"]),
    ("A colleague at work mentioned one of your campaigns.", ["issue_coupon"]),
    ("I'd been about to buy a lantern when I heard about your promotion.", ["issue_coupon"]),
    ("My tent has seen its last summer.", ["issue_coupon"]),
    ("There was a leaflet in my parcel.", ["issue_coupon"]),
    ("I like a bargain, I must admit.", ["issue_coupon", "convert_points"]),
    ("Our scout group is collecting gear for the camp.", ["issue_coupon"]),
    ("The banner on your home page promises quite something.", ["issue_coupon"]),
    ("I've just filled a basket in your shop.", ["redeem_coupon", "stack_coupons"]),
    ("I've placed an order and forgot to enter my code.", ["redeem_coupon"]),
    ("Your web page wouldn't let me enter the code.", ["redeem_coupon", "stack_coupons"]),
    ("I'm about to pay for some camping things.", ["redeem_coupon", "stack_coupons"]),
    ("The checkout skipped the field for vouchers.", ["redeem_coupon", "stack_coupons"]),
    ("I'm buying a birthday present for my brother.", ["redeem_coupon"]),
    ("My order of this morning is waiting for payment.", ["redeem_coupon", "stack_coupons"]),
    ("I ordered by telephone, where nobody could take a code.", ["redeem_coupon"]),
    ("My new cooking pots are in the basket.", ["redeem_coupon"]),
    ("I've picked out a rucksack at last.", ["redeem_coupon", "stack_coupons"]),
    ("The app closed itself before I got to the vouchers.", ["redeem_coupon"]),
    ("It's quite a large order this time.", ["stack_coupons"]),
    ("I've been saving my vouchers for one big purchase.", ["stack_coupons"]),
    ("Moving into a new flat is expensive enough.", ["stack_coupons", "redeem_coupon"]),
    ("I've read that some vouchers can be combined.", ["stack_coupons"]),
    ("My account is full of vouchers by now.", ["stack_coupons", "give_up_coupons"]),
    ("The parcel has come, and everything is as it should be.", ["settle_redemption"]),
    ("I'm keeping all of it, the fit is perfect.", ["settle_redemption"]),
    ("I'm still waiting for my points.", ["settle_redemption"]),
    ("My bank statement shows that the purchase has been paid.", ["settle_redemption"]),
    ("It's a while since I bought that.", ["settle_redemption"]),
    ("The goods arrived last week.", ["settle_redemption"]),
    ("I'm short of a few points for something nice.", ["settle_redemption"]),
    ("The purchase is through, as far as I'm concerned.", ["settle_redemption"]),
    ("I've called the order off.", ["reverse_redemption"]),
    ("I sent everything back, because nothing fitted.", ["reverse_redemption"]),
    ("I clicked on the wrong voucher.", ["reverse_redemption"]),
    ("My husband had ordered the same thing already.", ["reverse_redemption"]),
    ("The order desk tells me that the purchase is cancelled.", ["reverse_redemption"]),
    ("I'd rather keep that voucher for something bigger.", ["reverse_redemption"]),
    ("I wasted a good voucher on a small basket.", ["reverse_redemption"]),
    ("My return has been accepted by the warehouse.", ["reverse_redemption", "reissue_coupon"]),
    ("That purchase came to nothing, and my voucher went with it.", ["reissue_coupon"]),
    ("I sent the goods back, but the voucher stayed used.", ["reissue_coupon"]),
    ("It seems unfair that my voucher is gone when I kept nothing.", ["reissue_coupon"]),
    ("I've found something else that I'd like to buy instead.", ["reissue_coupon"]),
    ("You took back my discount the other day.", ["reissue_coupon"]),
    ("Payday is still some days off.", ["extend_coupon"]),
    ("I was in hospital and couldn't shop.", ["extend_coupon"]),
    ("What I want is out of stock until next week.", ["extend_coupon"]),
    ("I've been away without a signal.", ["extend_coupon"]),
    ("I hadn't noticed how time flies.", ["extend_coupon"]),
    ("My daughter can't decide on a colour yet.", ["extend_coupon"]),
    ("We only go shopping together at the weekend.", ["extend_coupon"]),
    ("A reminder about a voucher popped up on my phone.", ["extend_coupon"]),
    ("I'd like to wait for the new models.", ["extend_coupon"]),
    ("I'm tidying up my account.", ["give_up_coupons", "leave_newsletter"]),
    ("I won't be buying anything of that kind.", ["give_up_coupons"]),
    ("Your reminders about vouchers get on my nerves.", ["give_up_coupons", "leave_newsletter"]),
    ("Somebody else could make better use of it.", ["give_up_coupons"]),
    ("There are vouchers in my list that I don't care for.", ["give_up_coupons"]),
    ("I only want to see what I really need.", ["give_up_coupons"]),
    ("My points have been piling up for ages.", ["convert_points"]),
    ("I'd like to get something out of being a loyal customer.", ["convert_points"]),
    ("I've heard that points can be turned into money off.", ["convert_points"]),
    ("I'm going to buy a cooler for the boat.", ["convert_points"]),
    ("Before my points are worth less, I'd rather use them.", ["convert_points"]),
    ("I want to spoil my parents a little.", ["convert_points"]),
    ("A friend has shown me what her points bought her.", ["convert_points"]),
    ("I've changed my plans for the summer.", ["return_points_coupon"]),
    ("I was too quick with my points.", ["return_points_coupon"]),
    ("I'd rather save up for something bigger.", ["return_points_coupon"]),
    ("Nothing in the shop tempts me at present.", ["return_points_coupon", "give_up_coupons"]),
    ("I didn't mean to spend my points yet.", ["return_points_coupon"]),
    ("I've been a customer for years, and this never happened before.", ["grant_goodwill"]),
    ("Our weekend was spoilt by it.", ["grant_goodwill"]),
    ("I think that you owe me a little something.", ["grant_goodwill"]),
    ("I don't want to quarrel, but I was let down.", ["grant_goodwill"]),
    ("It cost me two trips into town.", ["grant_goodwill"]),
    ("The lady in your store told me to ask here.", ["grant_goodwill"]),
    ("I had to apologise to my guests.", ["grant_goodwill"]),
    ("I'd hate to miss your next campaign.", ["join_newsletter"]),
    ("My neighbour hears about your offers before I do.", ["join_newsletter"]),
    ("I like reading your tips for hikers.", ["join_newsletter"]),
    ("I have a new mailbox with lots of room.", ["join_newsletter"]),
    ("My inbox is overflowing.", ["leave_newsletter"]),
    ("The forecast promises sunshine, so the rucksack comes out.", ["issue_coupon"]),
    ("Grandfather's old thermos leaks, and he deserves another.", ["issue_coupon"]),
    ("Your window display made me stop my bicycle.", ["issue_coupon"]),
    ("A stranger on the ferry swore by your gear.", ["issue_coupon"]),
    ("Our wedding list includes half your cookware.", ["issue_coupon", "stack_coupons"]),
    ("I drew up a budget for the allotment shed.", ["issue_coupon", "convert_points"]),
    ("Rain ruined my sleeping bag in Scotland.", ["redeem_coupon", "issue_coupon"]),
    ("The cashier shrugged when I showed him my voucher.", ["redeem_coupon"]),
    ("Buying snowshoes in spring is cheapest, they say.", ["redeem_coupon"]),
    ("Three friends and I chipped in for a canoe.", ["redeem_coupon", "stack_coupons"]),
    ("My kettle gave up the ghost this morning.", ["redeem_coupon", "extend_coupon"]),
    ("Teenagers outgrow hiking trousers within months.", ["redeem_coupon"]),
    ("The courier refused to climb the stairs and drove off with it.", ["reverse_redemption"]),
    ("We ended up borrowing a stove from the neighbours.", ["reverse_redemption"]),
    ("Our trip to Norway fell through.", ["reverse_redemption", "return_points_coupon"]),
    ("The measurements in your catalogue misled me.", ["reverse_redemption"]),
    ("Customs held the parcel until I lost patience.", ["reverse_redemption"]),
    ("Overtime keeps me chained to my desk this month.", ["extend_coupon"]),
    ("The plumber swallowed my savings.", ["extend_coupon"]),
    ("My phone with all the codes drowned in a lake.", ["extend_coupon"]),
    ("Shopping has to wait until the twins are asleep.", ["extend_coupon"]),
    ("Pancakes need a decent griddle, in my opinion.", ["redeem_coupon", "issue_coupon"]),
    ("Mosquitoes chased us home early last August.", ["issue_coupon", "convert_points"]),
    ("A zip broke halfway up the mountain.", ["grant_goodwill", "redeem_coupon"]),
    ("My aunt paid for an identical lamp yesterday.", ["reverse_redemption"]),
    ("I hardly ever open what you send me.", ["leave_newsletter"]),
    ("I'm cutting down on advertising.", ["leave_newsletter"]),
    ("Too many e-mails reach me these days.", ["leave_newsletter"]),
):
    domain.situation(text, leads_to=tools)

for text, tools in (
    ("I'd rather save it for something bigger.", ["redeem_coupon", "stack_coupons"]),
    ("I may not go through with that purchase after all.", ["redeem_coupon", "stack_coupons"]),
    ("My wife has just said that she has a better voucher.", ["redeem_coupon", "stack_coupons"]),
    ("That is less than I had hoped to save.", ["redeem_coupon", "stack_coupons"]),
    ("I'd like to look at the basket once more first.", ["redeem_coupon", "stack_coupons"]),
    ("It would be a pity to use them all up at once.", ["stack_coupons"]),
    ("On second thoughts the saving is nice to have.", ["reverse_redemption"]),
    ("I've just seen that the order is going ahead.", ["reverse_redemption"]),
    ("My husband wants to keep the goods.", ["reverse_redemption"]),
    ("I'd lose more by it than I thought.", ["reverse_redemption"]),
    ("You never know what they may be good for.", ["give_up_coupons"]),
    ("My daughter has just told me that she wants to buy something.", ["give_up_coupons"]),
    ("If that's for good, I'd rather keep them.", ["give_up_coupons"]),
    ("That's more points than I'd thought.", ["convert_points"]),
    ("I'd like to go on saving my points for now.", ["convert_points"]),
    ("I'll wait until I have more points.", ["convert_points"]),
    ("I've just found something in the shop for it.", ["return_points_coupon"]),
    ("It may come in handy before the holidays.", ["return_points_coupon"]),
):
    domain.second_thought(text, about=tools)

domain.concern(
    "unknown_redemption",
    [
        "There's a discount on purchase {purchase_reference} in my account that I know nothing "
        "about.",
        "Somebody has used my {coupon.title} coupon on {purchase_reference}, and it wasn't me.",
        "I never bought anything under {purchase_reference}, but my coupon is gone for it.",
        "My account shows {discount} off a purchase {purchase_reference} that isn't mine.",
        "I don't recognise {purchase_reference}, for which my {coupon.title} coupon was used.",
        "Who has taken {discount} off {purchase_reference} with my coupon? Certainly not I.",
    ],
    about=Redemption,
    where={"status": "settled"},
    noted="that you know nothing of the {discount} off purchase {purchase_reference}",
)
domain.concern(
    "points_dispute",
    [
        "You've credited me only {points} points on {booked_on}, which can't be right.",
        "The {points} points of {booked_on} are too few for what I spent.",
        "I've done the sum again, and {points} points on {booked_on} is wrong.",
        "By my reckoning I should have got double the {points} points of {booked_on}.",
        "There must be a mistake in the {points} points that you booked on {booked_on}.",
    ],
    about=PointsEntry,
    where={"kind": "earned"},
    noted="that you don't agree with the {points} points of {booked_on}",
)
domain.concern(
    "personal_details",
    [
        "I've got a new e-mail address, which you should put into my account.",
        "My surname has changed, and the account still has the old one.",
        "We've moved, so that my postcode isn't right any more.",
        "You've spelt my name wrongly in every newsletter so far.",
        "My e-mail provider is closing down, and I need another address in my account.",
        "The postcode in my account is that of my parents.",
    ],
    noted="that your account needs a change, for which you'll be asked for the details",
)
domain.concern(
    "complaint",
    [
        "Your advertising promised more than your campaigns keep, and I want to complain.",
        "I've been kept waiting for twenty minutes on your hotline.",
        "Your small print is so small that my mother was taken in by it.",
        "The cashier laughed at my voucher in front of everybody.",
        "I get your text messages at midnight, and I've had enough of it.",
        "One of your people hung up on me yesterday, and I'd like that looked into.",
        "It's a disgrace how often your codes don't work on the web page.",
    ],
    noted="your complaint, in the words that you've used",
)
domain.concern(
    "other",
    [
        "I'd like to give one of my coupons to my nephew.",
        "Our walking club would like to run a campaign together with you.",
        "I write about camping and would love to raffle off some of your coupons.",
        "Could somebody tell me whether points can be left to one's children?",
        "I'd like to have my points moved to my wife's account.",
        "Our school is looking for a sponsor for the summer fair.",
        "I've got a whole drawer of paper vouchers from before you had a web shop.",
    ],
    noted="what you'd like, as you've told me",
)


# Seed data. Shoppers come in kinds that stand at, or one step away from, the limits.

SEGMENTS = (
    ("new", "new shoppers", 1, 50, 1000),
    ("regular", "regular shoppers", 1, 40, 1500),
    ("vip", "our best shoppers", 2, 30, 3000),
    ("lapsed", "shoppers we've missed", 1, 50, 1000),
)
# Code, budget, title, kind, percentage or amount, cap, minimum basket, stackable, segment, coupons
# for each person, for newsletter readers only, state, first and last day from today.
BUDGETS = (
    ("OUTDOOR", "spring outdoor", 80000),
    ("SUMMER", "summer outdoor", 140000),
    ("WELCOME", "welcome", 51000),
    ("LOYALTY", "loyalty", 71000),
    ("LETTERS", "newsletter", 33000),
    ("GIFTS", "letter gift", 2500),
    ("MUGS", "mug", 900),
    ("KITCHEN", "kitchen", 2400),
    ("HEARTH", "hearth", 24000),
    ("LAST-SEASON", "last season", 24000),
)
CAMPAIGNS = """
SPRING-HIKE|OUTDOOR|Spring Hike|percent|15|3000|6000|stackable|everybody|3|all|running|-60|25
TENT-WEEK|OUTDOOR|Tent Week|amount|1000|0|8000|stackable|everybody|1|all|running|-40|6
FIRST-STEPS|WELCOME|First Steps|percent|20|2500|3000|alone|new|2|all|running|-120|60
SUMMIT-CIRCLE|LOYALTY|Summit Circle|percent|25|6000|10000|alone|vip|2|all|running|-70|40
COME-BACK|WELCOME|Come Back|amount|1500|0|5000|alone|lapsed|1|all|running|-50|50
KITCHEN-DAYS|KITCHEN|Kitchen Days|amount|500|0|2500|stackable|everybody|3|all|running|-45|12
TRAIL-MAIL|LETTERS|Trail Mail|percent|10|1500|4000|stackable|everybody|2|readers|running|-60|30
LETTER-BOX|GIFTS|Letter Box|gift|1800|0|7500|alone|everybody|1|readers|running|-40|20
MANY-THANKS|LOYALTY|Many Thanks|amount|800|0|4500|stackable|regular|2|all|running|-45|45
CAMPFIRE-MUG|MUGS|Campfire Mug|gift|1200|0|6500|stackable|everybody|1|all|running|-35|15
RIVER-DAYS|SUMMER|River Days|amount|1200|0|7000|stackable|everybody|1|all|planned|9|40
LAKE-SUMMER|SUMMER|Lake Summer|percent|10|2000|4000|stackable|everybody|2|all|planned|20|80
STOVE-FORTNIGHT|HEARTH|Stove Fortnight|percent|12|2000|5000|stackable|everybody|2|all|paused|-40|20
RAINY-DAYS|HEARTH|Rainy Days|amount|700|0|3500|stackable|everybody|1|all|paused|-30|30
EASTER-TREK|LAST-SEASON|Easter Trek|percent|10|2000|5000|stackable|everybody|2|all|ended|-60|-8
WINTER-WARM|LAST-SEASON|Winter Warmers|amount|900|0|4000|stackable|everybody|6|all|ended|-150|-40
HARVEST-FEST|LAST-SEASON|Harvest Fest|percent|12|2500|4000|alone|everybody|6|all|ended|-250|-150
"""
# Segment, state, newsletter, points; unused coupons: campaign, days since the issue, extensions;
# discounts: coupons, days ago, what became of it, basket; own coupons: origin, amount, days since
# the issue, cause. What becomes of discounts: p pending, s settled, rp and rs reversed while
# pending and after settlement, rr replaced after that. In the second round the first unused
# coupon, the first discount and the last one are left out.
KINDS = """
regular active reader 620
SPRING-HIKE 26 0; SPRING-HIKE 3 0; MANY-THANKS 10 0; KITCHEN-DAYS 33 0; TRAIL-MAIL 40 2
WINTER-WARM 60 s 8450; EASTER-TREK 22 s 7260; TENT-WEEK 8 p 9900; MANY-THANKS 3 p 5450
goodwill 1000 2 delivery_delays; points 500 12

new active - 120
FIRST-STEPS 9 0; SPRING-HIKE 30 0; KITCHEN-DAYS 20 0; STOVE-FORTNIGHT 8 0
FIRST-STEPS 16 s 6240; KITCHEN-DAYS 7 p 3890; SPRING-HIKE 5 p 8300; SPRING-HIKE 1 p 10400
goodwill 500 20 poor_service

vip active reader 1500
SUMMIT-CIRCLE 5 0; TRAIL-MAIL 15 0; LETTER-BOX 24 0; SPRING-HIKE 11 0; TENT-WEEK 12 1
HARVEST-FEST 170 s 15900; WINTER-WARM 75 s 12400; SUMMIT-CIRCLE 40 rs 18250;
  SUMMIT-CIRCLE 30 s 21000; SPRING-HIKE+CAMPFIRE-MUG 4 p 16800
points 1000 20; points 1500 8

lapsed active - 30
COME-BACK 36 0; RAINY-DAYS 15 0; EASTER-TREK 26 0; WINTER-WARM 60 0
HARVEST-FEST 200 s 5600; WINTER-WARM 80 rp 4820; EASTER-TREK 15 rs 6900; EASTER-TREK 21 s 8800;
  KITCHEN-DAYS 6 p 4100
points 500 5

regular active reader 15
MANY-THANKS 29 0; CAMPFIRE-MUG 7 0; SPRING-HIKE 41 2; WINTER-WARM 75 0
WINTER-WARM 50 s 9800; EASTER-TREK 28 s 5480; SPRING-HIKE 18 s 14200; MANY-THANKS 20 rr 7300;
  TRAIL-MAIL 9 p 6120
points 1000 10; goodwill 1500 33 faulty_goods

vip blocked - 800
SUMMIT-CIRCLE 3 0; SPRING-HIKE 27 0; EASTER-TREK 32 0; STOVE-FORTNIGHT 25 0
WINTER-WARM 66 s 13300; SPRING-HIKE 25 rp 11000; SPRING-HIKE 14 rs 9600; SUMMIT-CIRCLE 9 p 15500
goodwill 2000 6 faulty_goods; points 2000 50

new active reader 260
FIRST-STEPS 2 0; TRAIL-MAIL 4 0; LETTER-BOX 1 0; KITCHEN-DAYS 12 0
FIRST-STEPS 12 rs 5100; SPRING-HIKE 13 s 7990; EASTER-TREK 20 s 6150; TENT-WEEK 6 p 8800
goodwill 1000 1 wrong_goods

regular active - 430
SPRING-HIKE 8 0; MANY-THANKS 16 0; STOVE-FORTNIGHT 10 0; KITCHEN-DAYS 9 0; KITCHEN-DAYS 39 0
HARVEST-FEST 190 s 7700; WINTER-WARM 100 s 5200; MANY-THANKS 17 s 6350; points:500 10 s 4300;
  KITCHEN-DAYS 2 p 2990
goodwill 500 9 poor_service

lapsed active reader 90
SPRING-HIKE 2 0; TRAIL-MAIL 18 0; LETTER-BOX 5 0; RAINY-DAYS 28 0
COME-BACK 19 rs 7400; WINTER-WARM 58 s 8100; EASTER-TREK 26 rp 6800; TRAIL-MAIL 7 p 5250
goodwill 500 40 delivery_delays; points 500 31

vip active - 2200
SUMMIT-CIRCLE 12 0; TENT-WEEK 28 0; SPRING-HIKE 10 0; SPRING-HIKE 34 1; CAMPFIRE-MUG 9 0
HARVEST-FEST 210 s 22000; WINTER-WARM 55 s 16400; EASTER-TREK 31 s 9900;
  SUMMIT-CIRCLE 20 rr 17500; points:2000 6 p 8800
goodwill 1500 3 delivery_delays; goodwill 1500 1 poor_service

regular active - 205
RAINY-DAYS 6 0; SPRING-HIKE 17 0; TENT-WEEK 24 0; MANY-THANKS 11 0
WINTER-WARM 120 s 4700; WINTER-WARM 62 rs 7700; points:500 17 rs 8050; SPRING-HIKE 9 p 9450
points 500 3; points 500 14

new active - 60
FIRST-STEPS 7 0; KITCHEN-DAYS 22 0; SPRING-HIKE 15 0
FIRST-STEPS 14 s 4400; EASTER-TREK 13 s 5300; SPRING-HIKE 6 p 6900; KITCHEN-DAYS 4 p 3300
points 500 25; goodwill 500 50 wrong_goods
"""
FIRST_PURCHASE, PURCHASE_STEP = 5480011, 7
LONGER = 7  # days of an extension in the past


def add_campaigns(w: Seeder) -> dict[str, Campaign]:
    segments, budgets, campaigns = {}, {}, {}
    for code, title, earn_rate, point_price, cap in SEGMENTS:
        rates = {"earn_rate": earn_rate, "point_price": point_price, "goodwill_cap": cap}
        segments[code] = w.add(Segment, segment_code=code, title=title, **rates)
    for code, title, _ in BUDGETS:
        budgets[code] = w.add(CampaignBudget, budget_code=code, title=title, granted=0)
    for line in CAMPAIGNS.strip().splitlines():
        code, budget, title, kind, off, cap, least, stackable, segment, *terms = line.split("|")
        per_person, readers, status, starts, ends = terms
        percent = kind == "percent"
        campaigns[code] = w.add(
            Campaign,
            campaign_code=code,
            title=title,
            kind=kind,
            percent=int(off) if percent else None,
            amount=None if percent else int(off),
            cap=int(cap) if percent else None,
            minimum_basket=int(least),
            stackable=stackable == "stackable",
            segment=segments.get(segment),
            newsletter_only=readers == "readers",
            per_person=int(per_person),
            starts_on=w.day(int(starts), int(starts)),
            ends_on=w.day(int(ends), int(ends)),
            budget=budgets[budget],
            status=status,
        )
    return campaigns


def kinds() -> list[tuple[list[str], list[list[str]], list[list[str]], list[list[str]]]]:
    """The kinds of shoppers, each as its own words, unused coupons, discounts and own coupons."""
    found = []
    for block in KINDS.strip().split("\n\n"):
        lines = block.replace("\n  ", " ").splitlines()
        first, *others = [[part.split() for part in line.split(";")] for line in lines]
        found.append((first[0], *others))
    return found


def plan_coupon(
    w: Seeder, campaigns: dict, shopper: Shopper, source: str, ago: int, **more
) -> dict:
    """The values of a coupon that was issued so many days ago."""
    origin, _, amount = source.partition(":")
    issued_on = w.day(-ago, -ago)
    plan = {"shopper": shopper, "issued_on": issued_on}
    if origin in campaigns:
        campaign = campaigns[origin]
        keys = ("title", "kind", "percent", "amount", "cap", "minimum_basket", "stackable")
        plan |= {key: getattr(campaign, key) for key in keys}
        plan |= {"campaign": campaign, "origin": "campaign"}
        plan["offer"] = printed(campaign.kind, campaign.percent, campaign.amount)
        longer = VALID_DAYS + LONGER * more.get("extensions", 0)
        last = latest_after(campaign.ends_on)
        plan["valid_until"] = min(issued_on + timedelta(days=longer), last)
    else:
        worth = int(amount)
        plan |= {"origin": origin, "title": origin, "kind": "amount", "amount": worth}
        plan |= {"offer": printed("amount", None, worth)}
        plan["stackable"] = origin == "points"
        days = POINTS_DAYS if origin == "points" else GOODWILL_DAYS
        plan["valid_until"] = issued_on + timedelta(days=days)
        if origin == "points":
            plan["points_paid"] = points_cost(worth, shopper.segment.point_price)
    return plan | more


def unused_state(w: Seeder, plan: dict) -> str:
    """What has become of a coupon that was never used up."""
    gone = plan["valid_until"] < w.today - timedelta(days=GRACE_DAYS)
    return "expired" if gone else "issued"


def use(w: Seeder, campaigns: dict, shopper: Shopper, spec: tuple) -> list[dict]:
    """The plans of a discount: one for each coupon, with the coupon's values beside it."""
    sources, ago, became, basket = spec
    plans = []
    settled_on = w.day(6 - ago, 6 - ago) if became in ("s", "rs", "rr") else None
    back = max(0, ago - (9 if settled_on else 2))
    for source in sources.split("+"):
        coupon = plan_coupon(w, campaigns, shopper, source, ago + w.rng.randint(1, 9))
        coupon["valid_until"] = max(coupon["valid_until"], w.day(-ago, -ago))
        discount = discount_on(
            coupon["kind"],
            coupon.get("percent") or 0,
            coupon["amount"] or 0,
            coupon.get("cap") or 0,
            basket,
        )
        stacked = "+" in sources
        states = {"p": ("reserved", "pending"), "s": ("redeemed", "settled")}
        state = states.get(became, ("redeemed", "reversed"))
        coupon["status"] = unused_state(w, coupon) if became == "rp" else state[0]
        plan = {"shopper": shopper, "basket_total": basket, "discount": discount}
        plan |= {"stacked": stacked, "redeemed_on": w.day(-ago, -ago), "status": state[1]}
        plan["settled_on"] = settled_on
        if became.startswith("r"):
            plan["reversed_on"] = w.day(-back, -back)
        if settled_on is not None and not stacked:
            plan["points_earned"] = points_for(basket - discount, shopper.segment.earn_rate)
        again = None
        if became == "rr":
            again = plan_coupon(w, campaigns, shopper, source, back)
            again["status"] = unused_state(w, again)
        plans.append({"redemption": plan, "coupon": coupon, "again": again})
        basket -= discount
    return plans


def add_redemptions(w: Seeder, plans: list[list[dict]]) -> list[Redemption]:
    """Discounts in the order in which they were made; those of one purchase share its number."""
    redemptions = []
    plans.sort(key=lambda stack: stack[0]["redemption"]["redeemed_on"])
    for n, stack in enumerate(plans):
        reference = f"#W{FIRST_PURCHASE + PURCHASE_STEP * n}"
        for plan in stack:
            coupon = w.add(Coupon, **plan["coupon"])
            again = plan["again"] and w.add(Coupon, **plan["again"])
            values = plan["redemption"] | {"purchase_reference": reference, "replacement": again}
            redemptions.append(w.add(Redemption, coupon=coupon, **values))
    return redemptions


def add_budgets(w: Seeder, redemptions: list[Redemption]) -> None:
    """Ledgers of budgets. What is granted is what has been spent and what is to be left."""
    entries = []
    for code, _, _ in BUDGETS:
        budget = w.db.get(CampaignBudget, code)
        start = min(campaign.starts_on for campaign in budget.campaigns)
        first = {"budget": budget, "kind": "granted", "amount": 0}
        entries.append(first | {"booked_on": min(start, w.today)})
    for redemption in redemptions:
        campaign = redemption.coupon.campaign
        if campaign is None:
            continue
        both = {"budget": campaign.budget, "redemption": redemption}
        both["amount"] = redemption.discount
        entries.append(both | {"kind": "spent", "booked_on": redemption.redeemed_on})
        campaign.budget.spent += redemption.discount
        if redemption.status == "reversed":
            entries.append(both | {"kind": "returned", "booked_on": redemption.reversed_on})
            campaign.budget.spent -= redemption.discount
    granted = {}
    for values in sorted(entries, key=lambda values: values["booked_on"]):
        entry = w.add(BudgetEntry, **values)
        if entry.kind == "granted":
            granted[entry.budget.id] = entry
    for code, _, left in BUDGETS:
        budget = w.db.get(CampaignBudget, code)
        budget.granted = granted[code].amount = budget.spent + left


def add_points(w: Seeder, wanted: dict[str, int], coupons: list[Coupon], redemptions) -> None:
    """Points ledgers that come to the balances that are wanted, or to more."""
    entries: list[dict] = []
    for coupon in coupons:
        if coupon.points_paid is not None:
            both = {"shopper": coupon.shopper, "coupon": coupon, "points": coupon.points_paid}
            entries.append(both | {"kind": "converted", "booked_on": coupon.issued_on})
            if coupon.status == "revoked":
                day = coupon.issued_on + timedelta(days=1)
                entries.append(both | {"kind": "returned", "booked_on": day})
    for one in redemptions:
        if one.points_earned:
            both = {"shopper": one.shopper, "redemption": one, "points": one.points_earned}
            entries.append(both | {"kind": "earned", "booked_on": one.settled_on})
            if one.status == "reversed":
                entries.append(both | {"kind": "taken_back", "booked_on": one.reversed_on})
    start = w.day(-260, -260)
    for shopper in w.db.all(Shopper):
        mine = [entry for entry in entries if entry["shopper"] is shopper]
        signs = {"earned": 1, "returned": 1, "converted": -1, "taken_back": -1}
        change = sum(signs[entry["kind"]] * entry["points"] for entry in mine)
        before = max(10, wanted[shopper.id] - change)
        shopper.points = before + change
        first = {"shopper": shopper, "kind": "carried_over", "points": before}
        entries.append(first | {"booked_on": start})
    for values in sorted(entries, key=lambda values: values["booked_on"]):
        w.add(PointsEntry, **values)


@domain.seed
def seed(w: Seeder) -> None:
    campaigns, sorts = add_campaigns(w), kinds()
    wanted, unused, used = {}, [], []
    for n, person in enumerate(w.people(max(len(sorts), w.scaled(24)))):
        (segment, account, reader, points), held, discounts, own = sorts[n % len(sorts)]
        again = n >= len(sorts)
        shopper = w.add(
            Shopper,
            name=person.name,
            email=person.email,
            postcode=person.postcode,
            segment=w.db.get(Segment, segment),
            points=0,
            newsletter=reader == "reader",
            account=account,
        )
        wanted[shopper.id] = int(points) + (w.rng.randrange(0, 60) if again else 0)
        for code, ago, extensions in held[again:]:
            plan = plan_coupon(w, campaigns, shopper, code, int(ago), extensions=int(extensions))
            unused.append(plan | {"status": unused_state(w, plan)})
        for sources, ago, became, basket in discounts[again : len(discounts) - again]:
            more = 5 * w.rng.randrange(0, 300) if again else 0
            spec = (sources, int(ago), became, int(basket) + more)
            used.append(use(w, campaigns, shopper, spec))
        for origin, amount, ago, *cause in own:
            more = {"cause": cause[0]} if cause else {}
            source = f"{origin}:{amount}"
            unused.append(plan_coupon(w, campaigns, shopper, source, int(ago), **more))
        if again and n % 4 == 0:
            gone = {"status": "revoked", "revoked_on": w.day(-43, -43)}
            unused.append(plan_coupon(w, campaigns, shopper, "points:500", 44, **gone))
    for plan in sorted(unused, key=lambda plan: plan["issued_on"]):
        w.add(Coupon, **plan)
    redemptions = add_redemptions(w, used)
    add_budgets(w, redemptions)
    add_points(w, wanted, list(w.db.all(Coupon)), redemptions)
    shoppers = w.db.all(Shopper)
    for n in range(w.scaled(3)):
        reason = ("complaint", "points_dispute", "unknown_redemption")[n % 3]
        when = w.moment(-20, -1)
        w.add(PromoEscalation, shopper=w.pick(shoppers), reason=reason, opened_at=when)
