"""Pharmacy dispensing: repeat prescriptions, refill dates, stock by expiry, co-payments."""

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
    deletes,
    drawn,
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
    "pharmacy_dispensing",
    version=1,
    category="Healthcare and Clinical",
    today=datetime(2026, 4, 13, 9, 20),
    role="assistant in the customer account of the Lindenhof Pharmacy",
    access="self_service",
    without_tool="other",
    intro="""
    The Lindenhof Pharmacy stands next door to the group practice of the same name, but it dispenses
    on the prescriptions of any doctor. You answer in the customer account: whoever writes has
    signed in, and you see the prescriptions, fills and co-payments of this one client. A husband
    or a daughter who collects a bag at the counter still needs an account of their own to ask
    anything here.

    A prescription stays on file with us and is good for a number of fills until its last day. The
    refill date says from when the next fill can be ordered. What a client orders is first
    requested, then prepared by a pharmacist who checks it once more, and in the end collected or
    delivered. What is on the shelf leaves it in the order in which it expires.

    You are no pharmacist. Don't recommend a medicine, don't comment on a dose, and don't tell
    anybody to stop or to skip one. Somebody who describes a rash, swelling or trouble breathing
    after taking a medicine is handed over as a bad reaction at once. Speak of medicines by their
    full name with the strength: many clients have two strengths of the same substance.
    Amounts are in euros; a co-payment is put on the client's account when the bag is collected
    and can be paid with the card on file.
    """,
    dialect=Dialect(
        keys="snake",
        envelope="data",
        paging="page",
        money="number",
        dates="iso",
        duration="minutes",
        currency="€",
        errors={
            "not_found": "The dispensary has no {entity} under {id}.",
            "wrong_state": "{id} is {state}; the dispensary wants a {entity} that is {wanted}.",
            "access_denied": "This {entity} is on file for a different client.",
            "invalid": "The dispensary system rejects the entry: {detail}.",
        },
        verbs={
            "get": "show_{entity}",
            "list": "{entities}_on_file",
            "search": "find_{entities}",
            "find": "{entity}_with_{column}",
        },
    ),
)

EARLY_PERCENT, PERCENT = 25, 100
COPAY_PERCENT, COPAY_LEAST, COPAY_MOST = 10, 5_00, 10_00
DEBT_LIMIT, DELIVERY_FEE = 30_00, 2_50
TRIP_DAYS, TRIP_PAUSE_DAYS = 14, 365
MAX_ON_HOLD, RENEWAL_DAYS = 2, 30
PICKUP_DAYS, EXTRA_DAYS = 7, 4
CUTOFF_HOURS, SHELF_DAYS = 2, 30
FEWEST_TO_SYNC = 2
TRIP_STARTS = [3, 6, 10, 14, 15, 24]

STANDING = ["active", "on_hold", "exhausted"]
OPEN = ["requested", "prepared"]
Way = Literal["counter", "locker"]
Reason = Literal["bad_reaction", "pharmacist_check", "disputed_charge", "missing_stock", "other"]


class Client(domain.Entity, key=counted("LC-{:05d}", 20417, 11), identity=True, label="{name}"):
    """A person with an account at the pharmacy. Co-payments of the calendar year count towards a
    yearly cap that depends on the income; receipts from other pharmacies count as well. Some
    clients are exempt and pay no co-payment at all."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    birth_date: Mapped[date] = column(says="date of birth")
    district: Mapped[Literal["north", "old_town", "south", "riverside"]]
    exempt: Mapped[bool] = column(
        False,
        says="exemption from co-payments",
        asks=["whether I'm exempt from co-payments", "whether you have my exemption on file"],
        told=["the entry for exemption from co-payments reads {value}",
              "in your file, exemption from co-payments says {value}"],
    )  # fmt: skip
    yearly_cap: Mapped[Money] = column(
        ge=0,
        says="yearly cap",
        asks=["what my yearly cap for co-payments is", "how high my limit for co-payments is",
              "up to what sum I have to bear co-payments this year"],
        told=["your yearly cap for co-payments is {value}",
              "co-payments end for you at {value} a year"],
    )  # fmt: skip
    receipts: Mapped[Money] = column(0, ge=0, says="co-payments made elsewhere")
    copay_booked: Mapped[Money] = column(
        0,
        ge=0,
        says="co-payments of this year",
        asks=["how much in co-payments counts towards my cap so far",
              "what co-payments have been booked for me this year",
              "how far I've come with my co-payments this year"],
        told=["so far {value} in co-payments has been booked for you this year",
              "{value} counts towards your cap up to now"],
    )  # fmt: skip
    trip_used_on: Mapped[date | None] = column(
        None,
        says="last early release for a trip",
        asks=["when I last had a refill released early for a trip"],
        told=["the last early release for a trip was on {value}"],
    )


class Medicine(
    domain.Entity,
    key=natural("medicine_code"),
    label="{title}",
    called=["{title}", "the {form} {title}"],
):
    """A product that the pharmacy dispenses. Products with the same substitution group hold the
    same substance in the same strength, form and pack size. Controlled medicines fall under the
    narcotics law; chilled ones have to stay in a refrigerator."""

    medicine_code: Mapped[str] = column(says="article code")
    title: Mapped[str] = column(unique=True, says="full name")
    substance: Mapped[str]
    strength: Mapped[str]
    form: Mapped[Literal["tablets", "capsules", "drops", "pen", "inhaler"]]
    schedule: Mapped[Literal["ordinary", "controlled"]] = column("ordinary")
    chilled: Mapped[bool] = column(False, says="kept in the refrigerator")
    pack_size: Mapped[int] = column(ge=1, says="doses in a pack")
    price: Mapped[Money] = column(
        ge=0,
        says="price of a pack",
        asks=["what a pack of {it} costs", "what the price of a pack of {it} is"],
        told=["a pack of {it} costs {value}", "the price of a pack of {it} is {value}"],
    )
    substitution_group: Mapped[str] = column(says="substitution group")


class MedicineLot(domain.Entity, key="ML-{:04d}", label="the lot of {self.medicine}"):
    """Packs of one medicine that expire on the same day; `packs` counts those not yet set aside."""

    medicine: Mapped[Medicine] = ref(back="lots")
    expires_on: Mapped[date] = column(says="expiry date")
    packs: Mapped[int] = column(ge=0, says="packs on the shelf")


class Interaction(
    domain.Entity,
    key="IA-{:03d}",
    label="the interaction of {substance_a} with {substance_b}",
):
    """What is known about two substances taken together."""

    substance_a: Mapped[str] = column(says="one substance")
    substance_b: Mapped[str] = column(says="other substance")
    severity: Mapped[Literal["mild", "moderate", "severe"]]
    effect: Mapped[str]


class Allergy(
    domain.Entity,
    key="AL-{:04d}",
    plural="allergies",
    label="the allergy to {substance}",
    called=["my {substance} allergy", "my allergy to {substance}"],
):
    """A substance that a client does not tolerate, as recorded by a pharmacist."""

    client: Mapped[Client] = ref(owner=True, back="allergies")
    substance: Mapped[str]
    severity: Mapped[Literal["mild", "severe"]] = column(
        asks=["how serious you have {it} down as", "how {it} is graded in my file"],
        told=["{it} is recorded as {value}", "your file grades {it} as {value}"],
    )
    reaction: Mapped[str] = column(
        says="reaction",
        asks=["what reaction you have noted for {it}", "what my file says happens with {it}"],
        told=["the reaction noted for {it} is {value}", "for {it} the file says {value}"],
    )


class Prescription(
    domain.Entity,
    key=counted("RX-{:06d}", 700123, 4),
    label="the prescription for {self.medicine.title}",
    shows={
        "title": "medicine.title",
        "substance": "medicine.substance",
        "schedule": "medicine.schedule",
    },
    called=[
        "my {medicine.title}",
        "my prescription for {medicine.title}",
        "the {medicine.title} that {prescriber} prescribed",
        "{prescriber}'s prescription for {medicine.title}",
        "the {medicine.title} I take",
        "my repeat prescription for {medicine.title}",
    ],
    superlatives={
        "next_refill_on": ("that can be refilled first", "that can be refilled last"),
        "expires_on": ("that's the first to expire", "that stays valid longest"),
        "supply_until": ("that I run out of first", "that I have the longest supply of"),
    },
):
    """A doctor's order for one medicine, good for a number of fills until its last day. It can be
    put on hold. When all its fills are used, a pharmacist closes it as exhausted sooner or later,
    and it is active again if the prescriber approves a renewal. `caution` is set by a pharmacist
    for a moderate interaction with another medicine or a mild allergy to this one, and `counselled`
    says that a pharmacist has talked it through with the client; `timing` tells how the refill date
    came about."""

    client: Mapped[Client] = ref(owner=True)
    medicine: Mapped[Medicine] = ref()
    prescriber: Mapped[str] = column(
        asks=["which doctor {it} is from", "who wrote {it}"],
        told=["{it} was written by {value}", "{value} is the prescriber of {it}"],
    )
    issued_on: Mapped[date] = column(
        says="date of issue",
        asks=["when {it} was issued", "what the date on {it} is"],
        told=["{it} was issued on {value}", "the date of {it} is {value}"],
    )
    expires_on: Mapped[date] = column(
        says="last valid day",
        asks=["how long {it} stays valid", "when {it} expires", "until when I can use {it}"],
        told=["{it} is valid until {value}", "the last day of {it} is {value}",
              "{it} expires on {value}"],
    )  # fmt: skip
    fills_allowed: Mapped[int] = column(
        ge=1,
        says="number of fills allowed",
        asks=["how many fills {it} is good for in all", "for how many fills {it} was written"],
        told=["the number of fills allowed on {it} is {value}",
              "in all, the number of fills on {it} is {value}"],
    )  # fmt: skip
    refills_used: Mapped[int] = column(
        0,
        ge=0,
        says="number of fills used",
        asks=["how many fills of {it} I've used", "how often {it} has been filled so far"],
        told=["the number of fills used on {it} is {value}",
              "so far, the number of fills on {it} is {value}"],
    )  # fmt: skip
    daily_dose: Mapped[int] = column(ge=1, says="doses a day")
    quantity: Mapped[int] = column(
        ge=1,
        says="doses in a fill",
        asks=["how many doses I get with each fill of {it}", "how large a fill of {it} is"],
        told=["the number of doses in a fill of {it} is {value}"],
    )
    written_for: Mapped[str] = column(says="product as prescribed")
    written_group: Mapped[str] = column(says="substitution group as prescribed")
    substitution: Mapped[bool] = column(True, says="substitution allowed by the prescriber")
    caution: Mapped[Literal["none", "interaction", "allergy"]] = column(
        "none",
        says="caution noted by a pharmacist",
        asks=["whether a pharmacist has noted a caution on {it}",
              "what caution there is on {it}"],
        told=["the caution noted on {it} is {value}", "on {it}, the note on caution says {value}"],
    )  # fmt: skip
    counselled: Mapped[bool] = column(False, says="counselled by a pharmacist")
    supply_until: Mapped[date | None] = column(
        None,
        says="end of the supply",
        asks=["how long my supply from {it} should last",
              "when I'll have used up what I got on {it}"],
        told=["your supply from {it} should last until {value}",
              "going by the fills, you run out of it on {value}"],
    )  # fmt: skip
    next_refill_on: Mapped[date] = column(
        says="refill date",
        asks=["from when {it} can be refilled", "when I can next refill {it}",
              "what the refill date of {it} is", "how soon I can get more on {it}"],
        told=["the refill date of {it} is {value}", "{it} can be refilled from {value} on",
              "the earliest day for a refill of {it} is {value}"],
    )  # fmt: skip
    timing: Mapped[Literal["usual", "synchronised", "trip"]] = column(
        "usual", says="kind of refill date"
    )
    status: Mapped[str] = lifecycle(
        {
            "active": ["on_hold", "cancelled"],
            "on_hold": ["active", "cancelled"],
            "exhausted": ["cancelled"],
            "expired": [],
        },
        outside={
            "active": ["exhausted", "expired"],
            "on_hold": ["expired"],
            "exhausted": ["active"],
        },
        asks=["how {it} stands", "whether {it} is active or on hold", "what state {it} is in"],
        told=["{it} is {value}", "{it} is down as {value}", "we have {it} as {value}"],
    )


class DeliveryRun(
    domain.Entity,
    key="DR-{:03d}",
    label="the {district} run on {leaves_at:%B %-d at %H:%M}",
    called=[
        "the {district} delivery run on {leaves_at}",
        "the run that leaves for {district} on {leaves_at}",
        "the {district} round on {leaves_at}",
    ],
):
    """A round of the courier through one district, with a number of stops. When its hour has come,
    the courier leaves."""

    district: Mapped[Literal["north", "old_town", "south", "riverside"]]
    leaves_at: Mapped[datetime] = column(says="departure")
    stops: Mapped[int] = column(ge=1)
    stops_by_phone: Mapped[int] = column(0, ge=0, says="stops booked by telephone")
    stops_free: Mapped[int] = column(ge=0, says="free stops")
    status: Mapped[str] = lifecycle(
        {"planned": ["full"], "full": ["planned"], "left": []},
        outside={"planned": ["left"], "full": ["left"]},
    )


class Fill(
    domain.Entity,
    key="FL-{:05d}",
    label="the fill of {self.medicine.title}",
    shows={"title": "medicine.title"},
    called=[
        "my fill of {medicine.title} from {requested_on}",
        "the {medicine.title} that I ordered on {requested_on}",
        "my order of {medicine.title} placed on {requested_on}",
        "the fill of {medicine.title} from {requested_on}",
    ],
    superlatives={
        "to_pay": ("that's cheapest", "that's most expensive"),
        "requested_on": ("that's oldest", "that's newest"),
    },
):
    """One dispensing of a prescription. A refused fill was turned down by the pharmacist who
    checked it; what nobody wanted or fetched is returned to stock. `owed_packs` counts packs that
    follow when the wholesaler has delivered. The sum to pay is the co-payment, the surcharge for a
    dearer brand and the delivery fee; `paid_on` is empty until the client has paid it."""

    client: Mapped[Client] = ref(owner=True)
    prescription: Mapped[Prescription] = ref()
    medicine: Mapped[Medicine] = ref()
    requested_on: Mapped[date] = column(
        says="day of the order",
        asks=["when {it} was ordered"],
        told=["the order date of {it} is {value}"],
    )
    quantity: Mapped[int] = column(ge=1, says="doses")
    owed_packs: Mapped[int] = column(
        0,
        ge=0,
        says="packs still owed",
        asks=["how many packs of {it} you still owe me"],
        told=["the number of packs still owed on {it} is {value}"],
    )
    days_of_supply: Mapped[int] = column(
        ge=1,
        says="days of supply",
        asks=["how many days {it} is meant to last"],
        told=["the number of days covered by {it} is {value}"],
    )
    pickup_by: Mapped[date] = column(
        says="last day for pick-up",
        asks=["by when I have to collect {it}", "how long you keep {it} for me",
              "what the last day for picking up {it} is"],
        told=["{it} is kept for you until {value}", "the last day for picking up {it} is {value}",
              "please collect {it} by {value}"],
    )  # fmt: skip
    extended: Mapped[bool] = column(False, says="kept longer")
    way: Mapped[Literal["counter", "locker", "delivery"]] = column(
        "counter",
        says="way to the client",
        asks=["how I get {it}, at the counter, from the locker or by delivery",
              "which way of handing over you have noted for {it}"],
        told=["the way noted for {it} is {value}", "{it} is down for {value}"],
    )  # fmt: skip
    delivery_run: Mapped[DeliveryRun | None] = ref(back="bags")
    price: Mapped[Money] = column(ge=0, says="full price")
    copay: Mapped[Money] = column(
        ge=0,
        says="co-payment",
        asks=["what the co-payment for {it} is", "how much co-payment {it} carries"],
        told=["the co-payment for {it} is {value}", "{it} carries a co-payment of {value}"],
    )
    surcharge: Mapped[Money] = column(
        0,
        ge=0,
        says="surcharge for the brand",
        asks=["what the brand surcharge on {it} is"],
        told=["the surcharge for the brand on {it} is {value}"],
    )
    delivery_fee: Mapped[Money] = column(0, ge=0, says="delivery fee")
    to_pay: Mapped[Money] = column(
        ge=0,
        says="sum to pay",
        asks=["what I pay for {it} in all", "how much {it} costs me altogether",
              "what my own share of {it} comes to"],
        told=["you pay {value} for {it} in all", "your own share of {it} comes to {value}",
              "{it} costs you {value} altogether"],
    )  # fmt: skip
    paid_on: Mapped[date | None] = column(
        None,
        says="day of payment",
        asks=["when I paid for {it}", "on what day my share of {it} was paid"],
        told=["your share of {it} was paid on {value}", "you paid for {it} on {value}"],
    )
    supply_before: Mapped[date | None] = column(None, hidden=True)
    status: Mapped[str] = lifecycle(
        {"requested": ["returned_to_stock"], "prepared": ["returned_to_stock"]},
        outside={
            "requested": ["prepared", "refused"],
            "prepared": ["collected", "returned_to_stock"],
        },
        asks=["how {it} stands", "whether {it} is ready", "what has become of {it}"],
        told=["{it} is {value}", "{it} is down as {value}", "our list shows {it} as {value}"],
    )


class LotDraw(domain.Entity, key="LD-{:05d}", label="the packs for {self.fill}"):
    """Packs of a lot that are set aside for a fill which has not left the pharmacy."""

    fill: Mapped[Fill] = ref(owner=True, back="draws")
    lot: Mapped[MedicineLot] = ref(back="draws")
    packs: Mapped[int] = column(ge=1)


class RenewalRequest(
    domain.Entity,
    key="RN-{:04d}",
    label="the renewal request for {self.prescription.medicine.title}",
    shows={"title": "prescription.medicine.title", "prescriber": "prescription.prescriber"},
    called=[
        "my renewal request for {prescription.medicine.title}",
        "the request to {prescription.prescriber} for more {prescription.medicine.title}",
        "the renewal of {prescription.medicine.title} that you asked {prescription.prescriber} for",
    ],
):
    """A question to the prescriber whether a prescription may go on. The prescriber approves or
    declines it; until then the client can take it back."""

    client: Mapped[Client] = ref(owner=True)
    prescription: Mapped[Prescription] = ref()
    sent_on: Mapped[date] = column(
        says="day it was sent",
        asks=["when {it} was sent", "on what day {it} went out"],
        told=["{it} was sent on {value}", "{it} went out on {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"sent": ["withdrawn"]},
        outside={"sent": ["approved", "declined"]},
        asks=["whether {it} has been approved", "what has come of {it}"],
        told=["{it} is down as {value}", "{it} is {value}"],
    )


class PharmacyEscalation(domain.Entity, key="PE-{:04d}", label="the note to the pharmacist"):
    """A conversation that a pharmacist continues."""

    client: Mapped[Client] = ref(owner=True, back="escalations")
    reason: Mapped[Reason]
    opened_at: Mapped[datetime] = column(volatile=True, says="time of the note")
    status: Mapped[str] = lifecycle({"open": []}, outside={"open": ["answered"]})


# Computations.


@domain.helper
def copay_for(price: Money, packs: int, exempt: bool, room: Money) -> Money:
    """The co-payment is {COPAY_PERCENT} percent of the price, for each pack at least
    {COPAY_LEAST:money} and at most {COPAY_MOST:money}, never more than the price itself and never
    more than what is left up to the yearly cap; whoever is exempt pays none.

    >>> copay_for(64_00, 1, False, 100_00), copay_for(24_00, 1, False, 100_00)
    (640, 500)
    >>> copay_for(300_00, 2, False, 100_00), copay_for(3_90, 1, False, 100_00)
    (2000, 390)
    >>> copay_for(64_00, 1, False, 1_20), copay_for(64_00, 1, True, 100_00)
    (120, 0)
    """
    if exempt:
        return 0
    share = price * COPAY_PERCENT // PERCENT
    share = max(packs * COPAY_LEAST, min(packs * COPAY_MOST, share))
    return min(share, price, room)


@domain.helper
def refill_day(supply_until: date, days: int, controlled: bool) -> date:
    """A refill can be ordered once no more than {EARLY_PERCENT} percent of a fill's days of supply
    are left, rounded down to whole days; of a controlled medicine on the day on which the supply
    ends, never earlier.

    >>> str(refill_day(date(2026, 5, 30), 50, False)), str(refill_day(date(2026, 5, 30), 50, True))
    ('2026-05-18', '2026-05-30')
    """
    return (
        supply_until
        if controlled
        else supply_until - timedelta(days=days * EARLY_PERCENT // PERCENT)
    )


@domain.helper
def supply_after(supply_until: date, day: date, days: int) -> date:
    """What is left of an earlier fill is not lost: the new supply is added to the end of the old
    one, or to the day of the order if the old one has ended.

    >>> str(supply_after(date(2026, 4, 20), date(2026, 4, 13), 30))
    '2026-05-20'
    >>> str(supply_after(date(2026, 4, 1), date(2026, 4, 13), 30))
    '2026-05-13'
    """
    return max(supply_until, day) + timedelta(days=days)


@domain.helper
def surcharge_for(price: Money, cheapest: Money, packs: int, substitution: bool) -> Money:
    """Who takes a brand that costs more than the cheapest product of its substitution group pays
    the difference for each pack on top of the co-payment, exempt or not, unless the prescriber has
    ruled a substitution out.

    >>> surcharge_for(24_00, 18_50, 2, True), surcharge_for(24_00, 18_50, 2, False)
    (1100, 0)
    """
    return packs * (price - cheapest) if substitution else 0


def packs_in(quantity: int, pack_size: int) -> int:
    """Packs that hold a number of doses.

    >>> packs_in(100, 50), packs_in(30, 30)
    (2, 1)
    """
    return quantity // pack_size


def keeps_long_enough(expires_on: date, day: date) -> bool:
    """Whether a lot is good for long enough to be dispensed on a day.

    >>> keeps_long_enough(date(2026, 5, 13), date(2026, 4, 13))
    True
    >>> keeps_long_enough(date(2026, 5, 12), date(2026, 4, 13))
    False
    """
    return (expires_on - day).days >= SHELF_DAYS


def is_soon(leaves_on: date, day: date) -> bool:
    """Whether a trip begins soon enough for an early release.

    >>> is_soon(date(2026, 4, 27), date(2026, 4, 13)), is_soon(date(2026, 4, 28), date(2026, 4, 13))
    (True, False)
    """
    return (leaves_on - day).days <= TRIP_DAYS


def is_rested(used_on: date, day: date) -> bool:
    """Whether the last early release is long enough ago.

    >>> (
    ...     is_rested(date(2025, 4, 13), date(2026, 4, 13)),
    ...     is_rested(date(2025, 4, 14), date(2026, 4, 13)),
    ... )
    (True, False)
    """
    return (day - used_on).days >= TRIP_PAUSE_DAYS


def runs_out_soon(expires_on: date, day: date) -> bool:
    """Whether a prescription is close enough to its last day for a renewal.

    >>> runs_out_soon(date(2026, 5, 13), date(2026, 4, 13))
    True
    >>> runs_out_soon(date(2026, 5, 14), date(2026, 4, 13))
    False
    """
    return (expires_on - day).days <= RENEWAL_DAYS


def in_good_time(leaves_at: datetime, now: datetime) -> bool:
    """Whether a bag still reaches a run.

    >>> in_good_time(datetime(2026, 4, 13, 12, 0), datetime(2026, 4, 13, 10, 0))
    True
    >>> in_good_time(datetime(2026, 4, 13, 11, 59), datetime(2026, 4, 13, 10, 0))
    False
    """
    return leaves_at - now >= timedelta(hours=CUTOFF_HOURS)


def is_blocked(debt: Money) -> bool:
    """Whether an account is closed for new orders that owes so much.

    >>> is_blocked(29_99), is_blocked(30_00)
    (False, True)
    """
    return debt >= DEBT_LIMIT


def sum_to_pay(copay: Money, surcharge: Money, fee: Money) -> Money:
    """What a client pays for a fill.

    >>> sum_to_pay(5_00, 3_50, 2_50)
    1100
    """
    return copay + surcharge + fee


def pickup_day(day: date) -> date:
    """Until when a fill is kept that was ordered on a day.

    >>> str(pickup_day(date(2026, 4, 13)))
    '2026-04-20'
    """
    return day + timedelta(days=PICKUP_DAYS)


def later_pickup(day: date) -> date:
    """Until when a fill is kept whose last day was put off.

    >>> str(later_pickup(date(2026, 4, 20)))
    '2026-04-24'
    """
    return day + timedelta(days=EXTRA_DAYS)


def days_in(quantity: int, daily_dose: int) -> int:
    """Days that a number of doses lasts.

    >>> days_in(100, 2), days_in(50, 3)
    (50, 16)
    """
    return quantity // daily_dose


def room_left(cap: Money, booked: Money) -> Money:
    """What may still be charged in co-payments this year.

    >>> room_left(120_00, 112_50), room_left(80_00, 80_00)
    (750, 0)
    """
    return cap - booked


def days_of(prescription: Prescription) -> int:
    return days_in(prescription.quantity, prescription.daily_dose)


def packs_of(prescription: Prescription) -> int:
    return packs_in(prescription.quantity, prescription.medicine.pack_size)


def is_controlled(medicine: Medicine) -> bool:
    return medicine.schedule == "controlled"


def usual_refill_on(prescription: Prescription) -> date:
    """When a prescription can be refilled that nobody released or synchronised."""
    if prescription.supply_until is None:
        return prescription.issued_on
    controlled = is_controlled(prescription.medicine)
    return refill_day(prescription.supply_until, days_of(prescription), controlled)


def good_lots(medicine: Medicine, day: date) -> list[MedicineLot]:
    """Lots that can be dispensed, the first to expire first."""
    good = [x for x in medicine.lots if x.packs and keeps_long_enough(x.expires_on, day)]
    return sorted(good, key=lambda x: (x.expires_on, x.id))


def in_stock(medicine: Medicine, day: date) -> int:
    return sum(x.packs for x in good_lots(medicine, day))


def group_of(db, medicine: Medicine) -> list[Medicine]:
    return list(db.all(Medicine, substitution_group=medicine.substitution_group))


def open_fills(prescription: Prescription) -> list[Fill]:
    fills = [x for x in prescription.client.fills if x.prescription is prescription]
    return [fill for fill in fills if fill.status in OPEN]


def asked(prescription: Prescription) -> bool:
    """Whether a renewal request for the prescription waits for its answer."""
    sent = [x for x in prescription.client.renewal_requests if x.status == "sent"]
    return any(x.prescription is prescription for x in sent)


def unpaid(client: Client) -> list[Fill]:
    """Collected fills that have not been paid, the oldest first."""
    fills = [x for x in client.fills if is_unpaid(x)]
    return sorted(fills, key=lambda x: (x.requested_on, x.id))


def is_unpaid(fill: Fill) -> bool:
    return fill.status == "collected" and fill.paid_on is None and fill.to_pay > 0


def owed(client: Client) -> Money:
    return sum(fill.to_pay for fill in unpaid(client))


def taken(db, prescription: Prescription) -> list[str]:
    """Substances that the client has a supply of from other prescriptions, as it stands today."""
    others = [x for x in prescription.client.prescriptions if x is not prescription]
    at_home = [x for x in others if x.supply_until is not None and x.supply_until >= db.today]
    return [x.medicine.substance for x in at_home if x.status != "cancelled"]


def interactions_of(db, prescription: Prescription) -> list[Interaction]:
    """What is known about the medicine together with those that the client has at home."""
    own, others = prescription.medicine.substance, taken(db, prescription)
    return [
        x
        for x in db.all(Interaction)
        if (x.substance_a == own and x.substance_b in others)
        or (x.substance_b == own and x.substance_a in others)
    ]


def has_interaction(db, prescription: Prescription, severity: str) -> bool:
    return any(x.severity == severity for x in interactions_of(db, prescription))


def has_allergy(prescription: Prescription, severity: str) -> bool:
    own = prescription.medicine.substance
    found = [x for x in prescription.client.allergies if x.substance == own]
    return any(x.severity == severity for x in found)


def bill_for(db, prescription: Prescription, medicine: Medicine) -> tuple[Money, Money, Money]:
    """Full price, co-payment and surcharge of a fill with this product."""
    client, packs = prescription.client, packs_in(prescription.quantity, medicine.pack_size)
    price = packs * medicine.price
    room = room_left(client.yearly_cap, client.copay_booked)
    cheapest = min(x.price for x in group_of(db, medicine))
    extra = surcharge_for(medicine.price, cheapest, packs, prescription.substitution)
    return price, copay_for(price - extra, packs, client.exempt, room), extra


def dispense(db, prescription: Prescription) -> Fill:
    """Order a fill with what the shelf has of it; what is missing is owed."""
    client, medicine, days = prescription.client, prescription.medicine, days_of(prescription)
    price, copay, extra = bill_for(db, prescription, medicine)
    wanted = packs_of(prescription)
    before = prescription.supply_until
    fill = db.create(
        Fill,
        client=client,
        prescription=prescription,
        medicine=medicine,
        requested_on=db.today,
        quantity=prescription.quantity,
        owed_packs=max(0, wanted - in_stock(medicine, db.today)),
        days_of_supply=days,
        pickup_by=pickup_day(db.today),
        price=price,
        copay=copay,
        surcharge=extra,
        to_pay=sum_to_pay(copay, extra, 0),
        supply_before=before,
    )
    for lot in good_lots(medicine, db.today):
        packs = min(wanted, lot.packs)
        if packs:
            lot.packs -= packs
            wanted -= packs
            db.create(LotDraw, fill=fill, lot=lot, packs=packs)
    client.copay_booked += copay
    prescription.refills_used += 1
    prescription.supply_until = supply_after(before or db.today, db.today, days)
    prescription.next_refill_on = usual_refill_on(prescription)
    prescription.timing = "usual"
    return fill


def leave_run(fill: Fill) -> None:
    """Give the stop of a bag back to its run."""
    run = fill.delivery_run
    if run is None:
        return
    run.stops_free += 1
    run.status = "planned"
    fill.delivery_run = None


DISPENSED = [
    stays("prescription", "active"),
    sets(
        "prescription",
        Prescription.refills_used,
        Prescription.supply_until,
        Prescription.next_refill_on,
        Prescription.timing,
    ),
    sets("prescription.client", Client.copay_booked),
    sets("prescription.medicine.lots", MedicineLot.packs),
    creates(Fill),
    creates(LotDraw),
]
RUN_LEFT = [
    moves("fill.delivery_run", ["planned", "full"], to="planned"),
    sets("fill.delivery_run", DeliveryRun.stops_free),
]


# What people ask for.


def switches(db, prescription: Prescription) -> list[Medicine]:
    """The other products of the group, and one that differs."""
    own = prescription.medicine
    group = [x for x in group_of(db, own) if x is not own]
    others = [x for x in db.all(Medicine, substance=own.substance) if x not in [own, *group]]
    return [*group, *others[:1]]


def runs_for(db, fill: Fill) -> list[DeliveryRun]:
    """The runs to come: those through the client's district, and one through another."""
    coming = [x for x in db.all(DeliveryRun) if x.status != "left"]
    own = [x for x in coming if x.district == fill.client.district]
    return [*own, *[x for x in coming if x not in own][:1]]


def bills_together(client: Client) -> list[list[Fill]]:
    """The oldest bill, all of them, the newest alone."""
    fills = unpaid(client)
    found = [fills[:1], fills, fills[-1:]] if fills else []
    return [list(x) for x in dict.fromkeys(tuple(x) for x in found)]


def aligned_sets(db) -> list[list[Prescription]]:
    """Two or three active prescriptions whose refill dates differ."""
    if db.actor is None:
        return []
    active = [x for x in db.actor.prescriptions if x.status == "active" and x.supply_until]
    active.sort(key=lambda x: (x.next_refill_on, x.id))
    pairs = [[x, y] for x, y in pairwise(active)]
    return [*pairs, *([active[:3]] if len(active) > FEWEST_TO_SYNC else [])]


# Rules that the dispensing system enforces.

FILLED = ["request_fill", "request_part_fill"]
HOLD = ["hold", "paused", "pause", "suspended", "on ice", "stopped for now", "set aside"]
PRESCRIBED = ["prescription", "order", "script"]


@domain.rule(
    governs=FILLED,
    because=[
        "all {prescription.fills_allowed} fills of that prescription are used up",
        "the prescription was good for {prescription.fills_allowed} fills, and you have had them "
        "all",
        "no fill is left on it",
        "there are no more fills on the prescription by {prescription.prescriber}",
        "the last of its {prescription.fills_allowed} fills has been handed out",
    ],
    concepts=[
        ["fill", "fills", "refill", "repeat"],
        ["used up", "no more", "none left", "no fill", "all of", "had them all", "left",
         "exhausted", "last of"],
    ],
    offers=[
        "{prescription.prescriber} would have to say whether it goes on",
        "I could ask {prescription.prescriber} for a renewal, if nothing stands against it",
    ],
)  # fmt: skip
def fills_left(prescription: Prescription) -> bool:
    """A prescription is filled as often as the prescriber has allowed and no more."""
    return prescription.refills_used < prescription.fills_allowed


@domain.rule(
    governs=FILLED,
    because=[
        "your last fill lasts a while yet: the refill date is {prescription.next_refill_on}",
        "it is too early, as it can be refilled from {prescription.next_refill_on} on",
        "you should still have enough at home; the next fill is possible on "
        "{prescription.next_refill_on}",
        "the refill date, {prescription.next_refill_on}, hasn't come yet",
        "by our calculation you are well supplied until the refill date, "
        "{prescription.next_refill_on}",
        "a refill is due on {prescription.next_refill_on} and not before",
    ],
    concepts=[
        ["early", "refill date", "refilled from", "next fill", "not before", "not until", "until",
         "soon", "hasn't come", "enough", "supply", "due on"],
        ["refill", "fill", "supply", "order", "dispense"],
    ],
    remedy="release_for_trip",
    offers=[
        "if you are about to travel, I could release it early for the trip",
        "for a trip in the next {TRIP_DAYS} days an early release might be possible",
    ],
)  # fmt: skip
def refill_date_reached(db, prescription: Prescription) -> bool:
    """A prescription is filled again on its refill date or later, never before."""
    return prescription.next_refill_on <= db.today


@domain.rule(
    governs=[*FILLED, "hold_prescription", "cancel_prescription", "switch_product"],
    because=[
        "a fill of it is still open with us",
        "you have ordered it already and not collected it yet",
        "there is an open fill on that prescription",
        "one fill of it is being made up or waiting for you",
        "the last order on it hasn't been collected so far",
    ],
    concepts=[
        ["open", "waiting", "not collected", "hasn't been collected", "already", "made up",
         "in progress", "under way", "uncollected", "still"],
        ["fill", "order", "bag"],
    ],
    offers=["you could collect that one first", "it can be looked at again after you've collected"],
)  # fmt: skip
def no_open_fill(prescription: Prescription) -> bool:
    """While a fill of a prescription is requested or prepared, the prescription is not filled
    again, put on hold, cancelled or switched to another product."""
    return not open_fills(prescription)


@domain.rule(
    governs=FILLED,
    because=[
        "what you owe for earlier fills has reached {DEBT_LIMIT:money}, and then nothing new is "
        "ordered",
        "your account is closed for new orders, since {DEBT_LIMIT:money} or more is unpaid",
        "new orders stop at {DEBT_LIMIT:money} of unpaid bills, and you're beyond that",
    ],
    concepts=[
        ["unpaid", "owe", "owing", "outstanding", "debt", "not been paid", "bills", "balance",
         "settle", "open co-payments"],
    ],
    remedy="settle_copayments",
    offers=[
        "you could pay some of your collected fills now",
        "once you have paid for earlier fills I can place the order",
    ],
)  # fmt: skip
def account_open(client: Client) -> bool:
    """Nothing new is dispensed to a client who owes {DEBT_LIMIT:money} or more for collected
    fills."""
    return not is_blocked(owed(client))


@domain.rule(
    governs=["request_fill"],
    because=[
        "we don't have enough packs of {prescription.medicine.title} on the shelf",
        "{prescription.medicine.title} is short at the moment, and the shelf doesn't hold a whole "
        "fill",
        "our stock of {prescription.medicine.title} is too small for a whole fill",
        "not enough of {prescription.medicine.title} is in stock",
    ],
    concepts=[
        ["stock", "shelf", "short", "packs", "wholesaler", "available", "supply"],
        ["enough", "short", "too small", "not", "out of", "missing", "run out", "lacking"],
    ],
    remedy="switch_product",
    offers=[
        "another product with the same substance could do, if one is on the shelf",
        "we could look whether an equivalent product is in stock",
    ],
)
def enough_on_shelf(db, prescription: Prescription) -> bool:
    """A whole fill is ordered only if all its packs are on the shelf; a lot that expires within
    {SHELF_DAYS} days is left out of the count."""
    return in_stock(prescription.medicine, db.today) >= packs_of(prescription)


@domain.rule(
    governs=["request_part_fill"],
    parts=[
        part(
            "shelf_short",
            lambda db, prescription: in_stock(prescription.medicine, db.today)
            < packs_of(prescription),
            because=[
                "we have the whole fill of {prescription.medicine.title} in stock",
                "all the packs of {prescription.medicine.title} are on the shelf",
                "nothing is missing of {prescription.medicine.title}, so it isn't split",
            ],
            concepts=[
                ["whole", "all the packs", "complete", "full", "nothing is missing", "entire"],
                ["stock", "shelf", "split", "missing", "available"],
            ],
            offers=["you could have all of it at once", "a whole fill can be ordered instead"],
        ),
        part(
            "something_there",
            lambda db, prescription: in_stock(prescription.medicine, db.today) > 0,
            because=[
                "there isn't a single pack of {prescription.medicine.title} on the shelf",
                "{prescription.medicine.title} is completely out of stock",
                "we're clean out of {prescription.medicine.title}",
            ],
            concepts=[
                ["single pack", "out of", "none", "no pack", "nothing", "sold out", "empty",
                 "isn't a"],
                ["stock", "shelf", "pack", "of it",],
            ],
            remedy="switch_product",
            offers=["an equivalent product may be on the shelf",
                    "we could see whether another maker's product is there"],
        ),
        part(
            "not_controlled",
            lambda prescription: not is_controlled(prescription.medicine),
            because=[
                "a controlled medicine is never split into parts",
                "{prescription.medicine.title} is controlled and leaves the safe in one go only",
                "the narcotics rules don't let us hand out {prescription.medicine.title} in parts",
            ],
            concepts=[["controlled", "narcotic"], ["part", "split", "one go", "whole"]],
            remedy="switch_product",
            offers=["we could look for an equivalent product that's in stock"],
        ),
    ],
)  # fmt: skip
def part_makes_sense(db, prescription: Prescription) -> bool:
    """A fill is split only where the shelf has some of its packs and not all, and never for a
    controlled medicine."""
    there = in_stock(prescription.medicine, db.today)
    short = there < packs_of(prescription)
    return short and there > 0 and not is_controlled(prescription.medicine)


@domain.rule(
    governs=FILLED,
    parts=[
        part(
            "no_severe_interaction",
            lambda db, prescription: not has_interaction(db, prescription, "severe"),
            because=[
                "{prescription.medicine.title} has a severe interaction with another medicine "
                "that you have at home",
                "together with what you take from another prescription it is known to be "
                "dangerous, a severe interaction",
                "our system shows a severe interaction with something else on your list",
            ],
            concepts=[["interaction", "together with", "interact", "combination", "combined"]],
            offers=[
                "a pharmacist can talk to you about it",
                "{prescription.prescriber} ought to hear about it",
            ],
        ),
        part(
            "no_severe_allergy",
            lambda prescription: not has_allergy(prescription, "severe"),
            because=[
                "you have a severe allergy to {prescription.medicine.substance} on file",
                "your file records a severe allergy to {prescription.medicine.substance}",
                "{prescription.medicine.substance} is down as a severe allergy of yours",
            ],
            concepts=[["allergy", "allergic"]],
            offers=[
                "a pharmacist can look into it with you",
                "{prescription.prescriber} could think of a different medicine",
            ],
        ),
    ],
)
def safe_to_take(db, prescription: Prescription) -> bool:
    """No medicine is dispensed that has a severe interaction with another one of which the client
    still has a supply, or to which the client has a severe allergy."""
    no_clash = not has_interaction(db, prescription, "severe")
    return no_clash and not has_allergy(prescription, "severe")


@domain.rule(
    governs=["book_delivery", "change_pickup"],
    because=[
        "{fill.medicine.title} is controlled and is handed over at the counter against an ID only",
        "a controlled medicine such as {fill.medicine.title} can't leave by courier or locker",
        "for a controlled medicine we have to see your ID at the counter",
        "controlled medicines are neither delivered nor put into a locker",
    ],
    concepts=[
        ["controlled", "narcotic", "narcotics"],
        ["counter", "courier", "locker", "deliver", "delivered", "id", "in person"],
    ],
    offers=["you could collect it at the counter; please bring your ID",
            "the counter has it for you, so please have your ID with you"],
)  # fmt: skip
def controlled_at_counter(fill: Fill) -> bool:
    """A controlled medicine is handed over at the counter, to the client in person and against an
    ID; it is neither delivered nor put into a locker."""
    return not is_controlled(fill.medicine)


@domain.rule(
    governs=["book_delivery"],
    because=[
        "that run goes through {delivery_run.district}, and you live in {fill.client.district}",
        "the courier doesn't come through your district on that run",
        "your address is in {fill.client.district}, which that run doesn't serve",
        "that is a run for {delivery_run.district} and not for your district",
    ],
    concepts=[["district", "live in", "address", "goes through", "part of town", "not for"]],
    offers=["you could take a run through {fill.client.district}",
            "a run through your own district would do"],
)  # fmt: skip
def run_passes_by(fill: Fill, delivery_run: DeliveryRun) -> bool:
    """A bag goes with a run through the district in which the client lives."""
    return delivery_run.district == fill.client.district


@domain.rule(
    governs=["book_delivery"],
    because=[
        "that run leaves in less than {CUTOFF_HOURS} hours",
        "bags have to be booked {CUTOFF_HOURS} hours before the courier leaves",
        "it is too late for that run, which leaves in under {CUTOFF_HOURS} hours",
        "the courier is about to load for that run, and bookings close {CUTOFF_HOURS} hours before",
    ],
    concepts=[["hour", "hours", "too late", "leaves soon"]],
    offers=["you could take a later run", "the next run could still take it"],
)
def run_in_time(db, delivery_run: DeliveryRun) -> bool:
    """A stop is booked {CUTOFF_HOURS} hours or more before the courier leaves."""
    return in_good_time(delivery_run.leaves_at, db.now)


@domain.rule(
    governs=["book_delivery"],
    because=[
        "that fill has a stop on a run already",
        "it is booked for a delivery run as it is",
        "a delivery of it has been arranged before",
    ],
    concepts=[["already", "before", "as it is", "second"], ["run", "delivery", "booked", "stop"]],
    remedy="change_pickup",
    offers=["I could take it off that run first",
            "we could put it back to the counter and choose anew"],
)  # fmt: skip
def not_on_a_run(fill: Fill) -> bool:
    """A bag has a stop on one run only; to change the run, it is first put back to the counter or
    into the locker."""
    return fill.way != "delivery"


@domain.rule(
    governs=["keep_fill_longer"],
    because=[
        "we have put off the last day of that fill once already",
        "it has been kept longer before, and that is done only once",
        "a fill is kept longer a single time, and that has been used",
    ],
    concepts=[["once", "already", "before", "single", "second", "twice", "again"]],
    offers=["please collect it by {fill.pickup_by}", "you could have it delivered instead"],
)
def not_kept_longer_yet(fill: Fill) -> bool:
    """A prepared fill is kept {EXTRA_DAYS} days longer once, not a second time."""
    return not fill.extended


@domain.rule(
    governs=["switch_product"],
    parts=[
        part(
            "different_product",
            lambda prescription, medicine: medicine is not prescription.medicine,
            because=[
                "your prescription is for {medicine.title} as it is",
                "{medicine.title} is what you get on it already",
            ],
            concepts=[["already", "as it is"]],
            offers=["I could look up which other products are equivalent"],
        ),
        part(
            "same_group",
            lambda prescription, medicine: medicine.substitution_group
            == prescription.medicine.substitution_group,
            because=[
                "{medicine.title} isn't equivalent to {prescription.medicine.title}",
                "{medicine.title} is no substitute for what was prescribed",
                "what you have in mind differs from the prescription in substance, strength or "
                "form",
            ],
            concepts=[
                ["equivalent", "substitute", "differs", "different", "same group", "same substance",
                 "not the same", "strength"],
            ],
            offers=["I could look up which products are equivalent",
                    "{prescription.prescriber} would have to prescribe that"],
        ),
        part(
            "substitution_allowed",
            lambda prescription: prescription.substitution,
            because=[
                "{prescription.prescriber} has ruled out a substitution",
                "the prescriber wants you to have exactly {prescription.medicine.title}",
                "the prescription says that it mustn't be substituted",
            ],
            concepts=[
                ["substitute", "substituted", "substitution", "exactly", "replace", "swap"],
                ["ruled out", "exactly", "mustn't", "not allow", "excluded", "doctor",
                 "prescriber", "not be"],
            ],
            offers=["you could talk to {prescription.prescriber} about it",
                    "only {prescription.prescriber} can change that"],
        ),
    ],
)  # fmt: skip
def substitute_fits(prescription: Prescription, medicine: Medicine) -> bool:
    """A prescription is switched only to a different product of the same substitution group, and
    only if the prescriber hasn't ruled a substitution out."""
    own = prescription.medicine
    same = medicine is not own and medicine.substitution_group == own.substitution_group
    return same and prescription.substitution


@domain.rule(
    governs=["hold_prescription"],
    because=[
        "you have {MAX_ON_HOLD} prescriptions on hold already",
        "no more than {MAX_ON_HOLD} prescriptions can be on hold at once",
        "{MAX_ON_HOLD} of your prescriptions are on hold, which is the most we keep",
    ],
    concepts=[["{MAX_ON_HOLD}", "most", "limit", "no more than", "too many"], HOLD],
    remedy="release_prescription",
    offers=["you could take one of the others off hold first",
            "I could release one that you have on hold"],
)  # fmt: skip
def room_on_hold(prescription: Prescription) -> bool:
    """A client has at most {MAX_ON_HOLD} prescriptions on hold at a time."""
    held = [x for x in prescription.client.prescriptions if x.status == "on_hold"]
    return len(held) < MAX_ON_HOLD


@domain.rule(
    governs=["release_for_trip"],
    because=[
        "{prescription.medicine.title} is controlled, and there is no early refill of it for any "
        "reason",
        "a controlled medicine is never released early",
        "the narcotics rules allow no early release of {prescription.medicine.title}",
    ],
    concepts=[["controlled", "narcotic", "narcotics"]],
    offers=["it can be filled from {prescription.next_refill_on} on",
            "you could order it on {prescription.next_refill_on}"],
)  # fmt: skip
def controlled_never_early(prescription: Prescription) -> bool:
    """A controlled medicine is never released early, for whatever trip."""
    return not is_controlled(prescription.medicine)


@domain.rule(
    governs=["release_for_trip"],
    because=[
        "you had an early release on {prescription.client.trip_used_on}, and there is one in "
        "{TRIP_PAUSE_DAYS} days",
        "your release for a trip was used on {prescription.client.trip_used_on}",
        "the one early release a year was given on {prescription.client.trip_used_on}",
    ],
    concepts=[
        ["release", "early", "trip"],
        ["used", "one", "once", "already", "year", "{TRIP_PAUSE_DAYS}"],
    ],
    offers=["it can be filled from {prescription.next_refill_on} on",
            "you could order it on {prescription.next_refill_on}"],
)  # fmt: skip
def one_release_a_year(db, prescription: Prescription) -> bool:
    """An early release for a trip is given once in {TRIP_PAUSE_DAYS} days to a client, and for one
    prescription."""
    used = prescription.client.trip_used_on
    return used is None or is_rested(used, db.today)


@domain.rule(
    governs=["synchronise_refills"],
    because=[
        "one of these prescriptions isn't active",
        "not all of them are active, and only active ones share a refill date",
        "a prescription that is on hold or has ended can't share a refill date",
    ],
    concepts=[["active", "on hold", "ended", "expired", "cancelled", "exhausted"]],
    remedy="release_prescription",
    offers=["you could leave out the one that isn't active"],
)
def all_active(prescriptions: list[Prescription]) -> bool:
    """Only active prescriptions are given a common refill date."""
    return all(x.status == "active" for x in prescriptions)


@domain.rule(
    governs=["synchronise_refills"],
    parts=[
        part(
            "no_controlled",
            lambda prescriptions: not any(is_controlled(x.medicine) for x in prescriptions),
            because=[
                "one of them is a controlled medicine, which keeps its own refill date",
                "controlled medicines are left out of a common refill date",
                "a controlled medicine is among them, and its date can't be moved",
            ],
            concepts=[["controlled", "narcotic", "narcotics"]],
            offers=["you could align the others"],
        ),
        part(
            "supply_lasts",
            lambda prescriptions: all(
                x.supply_until is not None
                and x.supply_until >= max(y.next_refill_on for y in prescriptions)
                for x in prescriptions
            ),
            because=[
                "one of them would run out before the common date",
                "the supply of one of them doesn't reach the common date",
                "you would be without one of them before the common refill date",
            ],
            concepts=[
                ["run out", "without", "doesn't reach", "not last", "supply"],
                ["common", "date", "before"],
            ],
            offers=["you could leave out the one that runs out",
                    "it may work after the next refill"],
        ),
    ],
)  # fmt: skip
def can_be_aligned(prescriptions: list[Prescription]) -> bool:
    """A common refill date is the latest one of the prescriptions concerned; none of them may run
    out before, and none may be for a controlled medicine."""
    day = max(x.next_refill_on for x in prescriptions)
    lasting = [x.supply_until is not None and x.supply_until >= day for x in prescriptions]
    return all(lasting) and not any(is_controlled(x.medicine) for x in prescriptions)


@domain.rule(
    governs=["settle_copayments"],
    because=[
        "it hasn't been collected, and a fill is paid for once you have it",
        "what isn't collected yet isn't on your account",
        "one of them still has to be collected before it is paid for",
    ],
    concepts=[["collect", "collected", "have it", "picked up", "handed over"]],
    offers=["you could pay for it after you've collected it"],
)
def in_clients_hands(fills: list[Fill]) -> bool:
    """A fill is paid for after it has been collected, not before."""
    return all(fill.status == "collected" for fill in fills)


@domain.rule(
    governs=["settle_copayments"],
    because=[
        "not all of that is open any more, you have paid for it",
        "one of these fills has been paid for",
        "there is nothing left to pay on it",
        "our books show it as paid",
    ],
    concepts=[["paid", "nothing left", "settled", "nothing to pay", "no longer open"]],
    offers=["I could look up what else is open"],
)
def still_to_pay(fills: list[Fill]) -> bool:
    """Only a fill on which something is left to pay is settled, and each one only once."""
    return all(fill.paid_on is None and fill.to_pay > 0 for fill in fills)


@domain.rule(
    governs=["request_renewal"],
    because=[
        "{prescription.prescriber} has been asked already and hasn't answered yet",
        "a renewal request for it is with {prescription.prescriber}",
        "your earlier request is still waiting for {prescription.prescriber}'s answer",
    ],
    concepts=[
        ["already", "earlier", "still", "waiting", "is with", "pending", "answered"],
        ["request", "asked", "answer"],
    ],
    offers=["we could wait for the answer to that one"],
)
def none_under_way(prescription: Prescription) -> bool:
    """A prescriber isn't asked again while an earlier request for the prescription is
    unanswered."""
    return not asked(prescription)


@domain.rule(
    governs=["request_renewal"],
    because=[
        "the prescription has fills left and is valid until {prescription.expires_on}",
        "it is good for further fills until {prescription.expires_on}",
        "you have fills left on it, and it runs until {prescription.expires_on}",
    ],
    concepts=[
        ["fills left", "further fills", "still good", "has fills", "valid until", "fill left",
         "fills remain", "runs until"],
    ],
    offers=["you could order the next fill on {prescription.next_refill_on} or later"],
)  # fmt: skip
def near_the_end(db, prescription: Prescription) -> bool:
    """A prescriber is asked for a renewal when all fills are used or the prescription ends within
    {RENEWAL_DAYS} days."""
    ending = runs_out_soon(prescription.expires_on, db.today)
    return ending or prescription.refills_used >= prescription.fills_allowed


@domain.rule(
    governs=["hand_over"],
    because=[
        "a pharmacist has a note about it already and will get back to you",
        "there is an open note for the pharmacist about the same thing",
        "the pharmacists have been told about it and haven't closed it yet",
    ],
    concepts=[["already", "open", "again", "twice", "told"], ["pharmacist", "pharmacists", "note"]],
    offers=["please wait for the pharmacist's answer"],
)
def not_noted_yet(client: Client, reason: str) -> bool:
    """A second note for the same reason is not written while the first is open."""
    return all(x.status != "open" or x.reason != reason for x in client.escalations)


# Rules that are the assistant's to keep.


@domain.rule(
    by="agent",
    kind="confirmation",
    governs=[
        *FILLED,
        "cancel_fill",
        "switch_product",
        "cancel_prescription",
        "book_delivery",
        "settle_copayments",
        "release_for_trip",
        "synchronise_refills",
    ],
    because=[
        "I need a clear yes to it first",
        "that takes your explicit agreement",
        "I may not do that before you have said yes to it",
    ],
    concepts=[
        ["yes", "agree", "agreement", "confirm", "consent", "go-ahead"],
        ["first", "before", "need", "takes", "clear", "explicit"],
    ],
)
def agreed(log: Log) -> bool:
    """Orders, part orders and their cancellation, a switch to another product, deliveries,
    payments, early releases, common refill dates and the end of a prescription all wait until the
    client has heard the full name of the medicine and what it will cost, and has said yes to
    exactly that."""
    return log.confirmed()


@domain.rule(
    by="agent",
    kind="identification",
    governs=["cancel_prescription", "request_renewal", "release_for_trip"],
    because=[
        "for that I have to compare your date of birth with the file",
        "I need your date of birth before I touch a prescription like that",
        "the date of birth has to match our file first",
    ],
    concepts=[["date of birth", "birth date", "birthday", "born"]],
    offers=["you could tell me your date of birth"],
)
def birth_date_checked(log: Log, client: Client) -> bool:
    """Signing in is not enough to end a prescription, to write to a prescriber or to release a
    refill early: have the client state the date of birth and see that it matches the file. Don't
    give it away yourself."""
    return log.identified(client, "birth_date")


@domain.rule(
    by="agent",
    governs=FILLED,
    parts=[
        part(
            "moderate_cleared",
            lambda prescription: prescription.counselled or prescription.caution != "interaction",
            because=[
                "{prescription.medicine.title} has a moderate interaction with another medicine "
                "of yours, and no pharmacist has talked it through with you",
                "a moderate interaction with something you take hasn't been discussed with a "
                "pharmacist yet",
                "there is an interaction with another medicine on your list that a pharmacist has "
                "to go over with you",
            ],
            concepts=[["interaction", "interact", "together with", "combination"]],
            remedy="hand_over",
            offers=["a pharmacist can go over it with you",
                    "I could ask a pharmacist to call you about it"],
        ),
        part(
            "mild_allergy_cleared",
            lambda prescription: prescription.counselled or prescription.caution != "allergy",
            because=[
                "a mild allergy to {prescription.medicine.substance} is on your file, and no "
                "pharmacist has talked to you about it",
                "your file has an allergy to {prescription.medicine.substance}, even if a mild "
                "one, that a pharmacist hasn't discussed with you",
            ],
            concepts=[["allergy", "allergic"]],
            remedy="hand_over",
            offers=["a pharmacist can go over it with you",
                    "I could ask a pharmacist to look at it with you"],
        ),
    ],
)  # fmt: skip
def pharmacist_cleared(prescription: Prescription) -> bool:
    """Look at the caution on a prescription before you order a fill. Where it names an interaction
    or an allergy, order only if the prescription is marked as counselled; otherwise say what the
    caution is about and offer the check by a pharmacist. Mild interactions are mentioned and don't
    stand in the way."""
    return prescription.counselled or prescription.caution == "none"


@domain.rule(
    by="agent",
    governs=["request_renewal"],
    because=[
        "{prescription.medicine.title} is controlled, and {prescription.prescriber} has to see "
        "you for a new prescription",
        "no renewal is requested for a controlled medicine such as {prescription.medicine.title}",
        "controlled medicines take a new prescription on paper from {prescription.prescriber}",
    ],
    concepts=[["controlled", "narcotic", "narcotics"]],
    offers=["you could make an appointment with {prescription.prescriber}",
            "{prescription.prescriber} can write you a new one at a visit"],
)  # fmt: skip
def controlled_in_person(prescription: Prescription) -> bool:
    """For a controlled medicine no renewal is requested from here: the client sees the prescriber
    and brings the new prescription on paper."""
    return not is_controlled(prescription.medicine)


@domain.rule(
    by="agent",
    governs=["release_for_trip"],
    because=[
        "you leave on {leaves_on}, more than {TRIP_DAYS} days from now",
        "a release is for trips that begin within {TRIP_DAYS} days, and yours is on {leaves_on}",
        "your trip on {leaves_on} is too far off for an early release",
    ],
    concepts=[
        ["{TRIP_DAYS}", "two weeks", "too far", "far off", "too long", "later than"],
        ["trip", "leave", "release", "travel", "days"],
    ],
    offers=["you could ask again shortly before you leave",
            "by then the refill date may have come anyway"],
)  # fmt: skip
def trip_is_near(db, leaves_on: date) -> bool:
    """Ask when the trip begins: an early release is for trips that begin in the next {TRIP_DAYS}
    days."""
    return is_soon(leaves_on, db.today)


@domain.rule(
    by="agent",
    governs=["settle_copayments"],
    because=[
        "an older fill is unpaid, and the oldest is settled first",
        "you have an earlier bill open that comes first",
        "the fill of an earlier date has to be paid before that one",
    ],
    concepts=[["older", "oldest", "earlier"], ["unpaid", "open", "first", "before"]],
    offers=["you could include the older one as well", "we could begin with the oldest one"],
)
def oldest_first(fills: list[Fill]) -> bool:
    """What is owed is paid from the oldest fill on: leave none out that was ordered before one
    that is being paid."""
    newest = max(fill.requested_on for fill in fills)
    return all(x in fills or x.requested_on >= newest for x in unpaid(fills[0].client))


@domain.rule(
    by="agent",
    governs=["change_pickup"],
    because=[
        "{fill.medicine.title} has to stay in the refrigerator, and the lockers aren't cooled",
        "the lockers are not cooled, which {fill.medicine.title} needs",
        "a chilled medicine such as {fill.medicine.title} can't lie in a locker",
    ],
    concepts=[["chilled", "cooled", "refrigerator", "fridge", "cold", "cool"]],
    offers=["you could fetch it at the counter", "the courier has a cool box, if you want it "
            "delivered"],
)  # fmt: skip
def locker_not_for_chilled(fill: Fill, way: str) -> bool:
    """The lockers outside are not cooled: nothing that belongs in the refrigerator is put there."""
    return way != "locker" or not fill.medicine.chilled


@domain.rule(
    by="agent",
    governs=["hold_prescription"],
    because=[
        "{prescription.prescriber} has been asked to renew it, and a request that is under way "
        "comes first",
        "a renewal request for it is still with {prescription.prescriber}",
        "while {prescription.prescriber} has your renewal request, it isn't put on hold",
    ],
    concepts=[["renewal", "request", "asked to renew"]],
    remedy="withdraw_renewal",
    offers=["you could take the renewal request back first",
            "I could withdraw the request, if you want that"],
)  # fmt: skip
def no_renewal_under_way(prescription: Prescription) -> bool:
    """A prescription for which a renewal has been sent to the prescriber is not put on hold at the
    same time; the client takes the request back first."""
    return not asked(prescription)


# Reads.

domain.reads(Client, get=True)
domain.reads(Medicine, get=True, search=["title", "substance"], filters=["schedule"], page=8)
domain.reads(Allergy, list_of="client")
domain.reads(Prescription, get=True, list_of="client", filters=["status"], page=12)
domain.reads(Fill, get=True, list_of="client", filters=["status"], page=12)
domain.reads(RenewalRequest, list_of="client", filters=["status"])
domain.reads(DeliveryRun, search=["district"], filters=["district", "status"], page=8)


class FillQuote(TypedDict):
    """What a fill would cost and how long it would last."""

    price: Money
    copay: Money
    surcharge: Money
    to_pay: Money
    supply_until: date


class ProductQuote(TypedDict):
    """What a fill with another product would cost, and how many packs of it are on the shelf."""

    price: Money
    surcharge: Money
    to_pay: Money
    packs_in_stock: int


class Standing(TypedDict):
    """Where a client stands with co-payments and open bills."""

    copay_booked: Money
    yearly_cap: Money
    left_to_cap: Money
    owed: Money


class Shelf(TypedDict):
    """What the shelf has of a medicine, without lots that expire too soon."""

    packs: int
    first_expiry: date | None


class CommonDate(TypedDict):
    """The refill date that several prescriptions got."""

    refill_on: date
    prescriptions: list[Prescription]


class Settlement(TypedDict):
    """A payment for one or more fills, and what is still owed."""

    total: Money
    still_owed: Money


@domain.read(
    tells={
        "to_pay": ["what the next fill of {prescription} would cost me",
                   "how much I would pay for another fill of {prescription}",
                   "what I'd have to pay if I ordered {prescription} again"],
        "copay": ["what the co-payment for the next fill of {prescription} would be",
                  "how much co-payment another fill of {prescription} carries"],
        "supply_until": ["how long I'd be covered after another fill of {prescription}"],
    },
)  # fmt: skip
def quote_fill(db, prescription: Prescription) -> FillQuote:
    """What the client would pay for a fill of this prescription if it were ordered today, and the
    day until which the supply would then last."""
    price, copay, extra = bill_for(db, prescription, prescription.medicine)
    before = prescription.supply_until or db.today
    return {
        "price": price,
        "copay": copay,
        "surcharge": extra,
        "to_pay": sum_to_pay(copay, extra, 0),
        "supply_until": supply_after(before, db.today, days_of(prescription)),
    }


@domain.read(
    tells={
        "to_pay": ["what a fill of {prescription} would cost me with {medicine} instead",
                   "how much I'd pay for {medicine} in place of {prescription.medicine}"],
        "packs_in_stock": ["how many packs of {medicine} you have on the shelf to replace "
                           "{prescription.medicine}"],
    },
    errors={"not_equivalent": "That product stands in a different substitution group."},
)  # fmt: skip
def quote_product(
    db,
    prescription: Prescription,
    medicine: Annotated[
        Medicine, drawn(lambda db, prescription: group_of(db, prescription.medicine))
    ],
) -> ProductQuote:
    """What a fill of this prescription would cost with an equivalent product: full price, the
    surcharge for a dearer brand, the sum the client pays, and the packs on the shelf."""
    if medicine.substitution_group != prescription.medicine.substitution_group:
        raise ToolError("not_equivalent")
    price, copay, extra = bill_for(db, prescription, medicine)
    return {
        "price": price,
        "surcharge": extra,
        "to_pay": sum_to_pay(copay, extra, 0),
        "packs_in_stock": in_stock(medicine, db.today),
    }


@domain.read(public=True)
def products_like(db, medicine: Medicine) -> list[Medicine]:
    """All products of the medicine's substitution group, the medicine itself among them."""
    return group_of(db, medicine)


@domain.read(
    public=True,
    tells={
        "packs": ["how many packs of {medicine} you have on the shelf",
                  "how many packs of {medicine} are in stock"],
    },
)  # fmt: skip
def shelf_stock(db, medicine: Medicine) -> Shelf:
    """How many packs of a medicine can be dispensed today, and when the first of them expires."""
    lots = good_lots(medicine, db.today)
    return {
        "packs": in_stock(medicine, db.today),
        "first_expiry": lots[0].expires_on if lots else None,
    }


@domain.read()
def check_interactions(db, prescription: Prescription) -> list[Interaction]:
    """The known interactions of a prescription's medicine with what the client still has at home
    from other prescriptions, with severity and effect."""
    return interactions_of(db, prescription)


@domain.read(
    tells={
        "left_to_cap": ["how much is left until I reach my yearly cap",
                        "how much more in co-payments I can be charged this year"],
        "owed": ["how much I owe for collected fills in all",
                 "what's still unpaid on my account altogether",
                 "how much I have to pay to be clear of all bills with you"],
        "copay_booked": ["how much in co-payments counts for me this year"],
    },
)  # fmt: skip
def copayment_standing(db, client: Client) -> Standing:
    """The client's co-payments of this year beside the yearly cap, and the sum that is owed for
    collected fills."""
    booked, cap = client.copay_booked, client.yearly_cap
    return {
        "copay_booked": booked,
        "yearly_cap": cap,
        "left_to_cap": room_left(cap, booked),
        "owed": owed(client),
    }


# Writes.

WHICH_RX = [
    "Which of your prescriptions is it about?",
    "Which medicine do you mean, with the strength please?",
    "Could you tell me which prescription you have in mind?",
    "For which medicine would that be?",
]
WHICH_FILL = [
    "Which order do you mean, of which medicine?",
    "Which of your fills is it about?",
    "Could you tell me which medicine you ordered, and when?",
]


@domain.write(
    requires=[
        fills_left,
        refill_date_reached,
        no_open_fill,
        account_open.on(client="prescription.client"),
        enough_on_shelf,
        safe_to_take,
        agreed,
        pharmacist_cleared,
    ],
    changes=DISPENSED,
    ask=[
        "order {prescription}",
        "get {prescription} refilled",
        "have {prescription} filled",
        "order a refill of {prescription}",
        "get the next fill of {prescription}",
        "pick up another fill of {prescription}",
        "have {prescription} made up for me",
        "get more of {prescription}",
        "reorder {prescription}",
        "have the next lot of {prescription} put aside for me",
        "stock up again on {prescription}",
        "collect {prescription} in the next few days",
        "order one of my medicines",
        "get a refill",
    ],
    asks={"prescription": WHICH_RX},
    outcome=outcome(
        quotes=["pickup_by", "to_pay"],
        mood="good",
        ask_first=[
            "quote_fill",
            "You would pay {to_pay} of the full price of {price}, and your supply would then last "
            "until {supply_until}; {copay} of that is the co-payment; {surcharge} is the surcharge "
            "for the brand.",
        ],
        says=[
            "Your {title} is ordered, and we keep it for you until {pickup_by}; you pay {to_pay}.",
            "Your fill of {title} is on its way to the pharmacist's bench; please collect it by "
            "{pickup_by} and have {to_pay} ready.",
            "The robot in our basement is picking {title} at this minute; expect {to_pay} on the "
            "slip and a shelf space until {pickup_by}.",
            "I've placed the order for {title}; it costs you {to_pay} and waits for you until "
            "{pickup_by}.",
            "We're making up {title} for you; your share is {to_pay}, and the last day for "
            "fetching it is {pickup_by}.",
            "The packs of {title} are set aside; come by until {pickup_by}, it will be {to_pay}.",
            "Your {title} has been put down for you: {to_pay} to pay, pick-up by {pickup_by}.",
            "A new fill of {title} is requested, for which your account shows {to_pay}; the bag "
            "stays with us until {pickup_by}.",
            "That refill of {title} is arranged; you have until {pickup_by} to fetch it, and your "
            "own share comes to {to_pay}.",
        ],
    ),
)
def request_fill(db, prescription: Prescription) -> Fill:
    """Order the next fill of a prescription, to be collected at the counter within {PICKUP_DAYS}
    days. The packs are taken from the lots that expire first. A client who picks up a controlled
    medicine has to be told to bring an ID. Say what is to be paid, and where a cheaper product of
    the same substitution group exists, say that, too."""
    return dispense(db, prescription)


@domain.write(
    requires=[
        fills_left,
        refill_date_reached,
        no_open_fill,
        account_open.on(client="prescription.client"),
        part_makes_sense,
        safe_to_take,
        agreed,
        pharmacist_cleared,
    ],
    changes=DISPENSED,
    ask=[
        "take what you have of {prescription} now and the rest later",
        "get a part of {prescription} now and the remainder when it comes in",
        "have {prescription} filled in two parts",
        "get at least the packs of {prescription} that are on the shelf",
        "have whatever is there of {prescription}, with the rest to follow",
        "get a part fill of {prescription}",
        "start with the packs of {prescription} that you do have",
        "have one of my medicines split, part now and part later",
    ],
    asks={"prescription": WHICH_RX},
    outcome=outcome(
        quotes=["owed_packs", "to_pay", "pickup_by"],
        mood="neutral",
        ask_first=[
            "quote_fill",
            "You would pay {to_pay} of the full price of {price} for all of it, though a part "
            "follows later; {copay} is the co-payment; {surcharge} is the surcharge for the brand; "
            "with all of it your supply lasts until {supply_until}.",
        ],
        says=[
            "What we have of {title} is set aside until {pickup_by}; packs that still follow: "
            "{owed_packs}; the whole fill is {to_pay}.",
            "Your part fill of {title} is ordered; the number of packs we owe you is {owed_packs}, "
            "you pay {to_pay} in all, and pick-up is by {pickup_by}.",
            "I've ordered {title} in two parts: packs to follow: {owed_packs}, to pay for all of "
            "it: {to_pay}, kept for you until {pickup_by}.",
            "The shelf's share of {title} waits for you until {pickup_by}; it comes to {to_pay} "
            "altogether, with this many packs outstanding: {owed_packs}.",
        ],
    ),
)
def request_part_fill(db, prescription: Prescription) -> Fill:
    """Order a fill of which the shelf has only some packs: those are collected now, and the rest
    follows without another co-payment once the wholesaler has delivered. It counts as one fill."""
    return dispense(db, prescription)


@domain.write(
    requires=[agreed],
    changes=[
        moves("fill", OPEN, to="returned_to_stock"),
        sets("fill", Fill.delivery_run, Fill.owed_packs),
        *RUN_LEFT,
        sets("fill.client", Client.copay_booked),
        stays("fill.prescription", ["active", "expired"]),
        sets(
            "fill.prescription",
            Prescription.refills_used,
            Prescription.supply_until,
            Prescription.next_refill_on,
            Prescription.timing,
        ),
        sets("fill.draws.lot", MedicineLot.packs),
        deletes("fill.draws"),
    ],
    ask=[
        "cancel {fill}",
        "call off {fill}",
        "have {fill} put back on the shelf",
        "drop {fill}",
        "take back {fill}",
        "stop {fill}",
        "have {fill} cancelled",
        "withdraw {fill}",
        "not have {fill} after all",
        "cancel something I've ordered",
    ],
    asks={"fill": WHICH_FILL},
    destructive=True,
    outcome=outcome(
        quotes=["title"],
        mood="neutral",
        ask_first=[
            "The fill would go back to stock, and the {fill.to_pay} for it would not be charged."
        ],
        says=[
            "Your order of {title} is cancelled, and the fill is back on your prescription.",
            "I've called off {title}; nothing is charged for it, and the fill isn't lost.",
            "The technician unpacks {title} again, and the invoice is void.",
            "Consider {title} undone: neither the packs nor a fill are gone.",
            "Your {title} goes back on the shelf; your prescription has that fill again.",
            "The fill of {title} is taken back, and you owe nothing for it.",
            "That order of {title} no longer exists, and the prescription counts one fill less.",
            "We won't keep {title} for you any longer, and your account isn't charged.",
        ],
    ),
)
def cancel_fill(db, fill: Fill) -> Fill:
    """Call off a fill that has not been collected. The packs return to their lots, the co-payment
    is taken off the yearly account, and the prescription has the fill and its former refill date
    again. A bag that the courier has left with cannot be called back."""
    leave_run(fill)
    for draw in fill.draws:
        draw.lot.packs += draw.packs
        db.delete(draw)
    if fill.requested_on.year == db.today.year:
        fill.client.copay_booked -= fill.copay
    prescription = fill.prescription
    prescription.refills_used -= 1
    prescription.supply_until = fill.supply_before
    prescription.next_refill_on = usual_refill_on(prescription)
    prescription.timing = "usual"
    fill.owed_packs = 0
    fill.status = "returned_to_stock"
    return fill


@domain.write(
    requires=[not_kept_longer_yet],
    changes=[stays("fill", "prepared"), sets("fill", Fill.pickup_by, Fill.extended)],
    ask=[
        "have {fill} kept a few days longer",
        "get more time to collect {fill}",
        "pick up {fill} a little later",
        "put off collecting {fill}",
        "have {fill} held back for me for some more days",
        "keep {fill} waiting a bit longer",
        "get a later pick-up day for one of my orders",
    ],
    asks={"fill": WHICH_FILL},
    outcome=outcome(
        quotes=["pickup_by"],
        mood="good",
        says=[
            "We keep {title} for you until {pickup_by}.",
            "You have until {pickup_by} to collect {title} now.",
            "Take your time: the drawer with {title} is reserved in your name through {pickup_by}.",
            "I've moved the deadline for {title}, which is {pickup_by} as of now.",
            "Your {title} stays with us through {pickup_by}.",
            "The bag with {title} waits until {pickup_by}; after that it goes back to stock.",
            "I've put off the last day for {title} to {pickup_by}.",
            "No hurry with {title}: {pickup_by} is the new last day.",
        ],
    ),
)
def keep_fill_longer(db, fill: Fill) -> Fill:
    """Keep a prepared fill {EXTRA_DAYS} days longer than agreed, once. What isn't collected by
    then is returned to stock."""
    fill.pickup_by = later_pickup(fill.pickup_by)
    fill.extended = True
    return fill


@domain.write(
    requires=[controlled_at_counter, run_passes_by, run_in_time, not_on_a_run, agreed],
    changes=[
        stays("fill", OPEN),
        sets("fill", Fill.way, Fill.delivery_run, Fill.delivery_fee, Fill.to_pay),
        moves("delivery_run", "planned", to=["planned", "full"]),
        sets("delivery_run", DeliveryRun.stops_free),
    ],
    ask=[
        "have {fill} delivered with {delivery_run}",
        "get {fill} brought to my door by {delivery_run}",
        "have {fill} sent along on {delivery_run}",
        "put {fill} on {delivery_run}",
        "have the courier bring {fill} on {delivery_run}",
        "get {fill} delivered",
        "have {fill} delivered to my home",
    ],
    asks={
        "fill": WHICH_FILL,
        "delivery_run": [
            "Which delivery run would suit you?",
            "On which day should the courier come, and with which run?",
        ],
    },
    outcome=outcome(
        quotes=["to_pay"],
        mood="neutral",
        ask_first=[
            "The courier leaves on {delivery_run.leaves_at}, and the delivery adds "
            "{DELIVERY_FEE:money}."
        ],
        says=[
            "Your {title} comes with the run on {delivery_run.leaves_at}; with the delivery you "
            "pay {to_pay}.",
            "The courier has {title} on board on {delivery_run.leaves_at}; it is {to_pay} in all.",
            "I've booked a stop for {title} on {delivery_run.leaves_at}; your sum is {to_pay} now.",
            "Delivery is arranged: {title}, leaving here on {delivery_run.leaves_at}, {to_pay} "
            "altogether.",
            "Please be at home after {delivery_run.leaves_at}, when {title} sets out; you pay "
            "{to_pay} for all of it.",
        ],
    ),
)
def book_delivery(
    db,
    fill: Fill,
    delivery_run: Annotated[
        DeliveryRun,
        drawn(runs_for),
    ],
) -> Fill:
    """Give an open fill a stop on a courier's run for {DELIVERY_FEE:money}. The fee is charged to
    exempt clients, too. The runs can be looked up by district."""
    delivery_run.stops_free -= 1
    delivery_run.status = "planned" if delivery_run.stops_free else "full"
    fill.way, fill.delivery_run, fill.delivery_fee = "delivery", delivery_run, DELIVERY_FEE
    fill.to_pay = sum_to_pay(fill.copay, fill.surcharge, fill.delivery_fee)
    return fill


@domain.write(
    requires=[controlled_at_counter, locker_not_for_chilled],
    changes=[
        stays("fill", OPEN),
        sets("fill", Fill.way, Fill.delivery_run, Fill.delivery_fee, Fill.to_pay),
        *RUN_LEFT,
    ],
    ask=[
        "collect {fill} from the {way}",
        "have {fill} at the {way}",
        "pick up {fill} at the {way}",
        "have {fill} moved to the {way}",
        "get {fill} from the {way} instead",
        "change the pick-up of {fill} to the {way}",
        "fetch {fill} myself at the {way}",
    ],
    asks={
        "fill": WHICH_FILL,
        "way": ["Would you like it at the counter or from the locker outside?",
                "Where would you like to pick it up, at the counter or from a locker?"],
    },
    errors={"same_way": "The fill is handed over that way as it is."},
    outcome=outcome(
        quotes=["way", "to_pay"],
        mood="neutral",
        says=[
            "Your {title} will be at the {way} for you; you pay {to_pay}.",
            "You can collect {title} from the {way}, and the sum is {to_pay}.",
            "I've changed it: {title} goes to the {way}, {to_pay} to pay.",
            "Somebody carries {title} over to the {way} this morning; it remains {to_pay}.",
            "Look for {title} at the {way}, where {to_pay} is due.",
            "Pick-up of {title} is at the {way} from now on; it comes to {to_pay}.",
            "The label on {title} says {way} now, and {to_pay} is what it costs you.",
        ],
    ),
)  # fmt: skip
def change_pickup(db, fill: Fill, way: Way) -> Fill:
    """Have an open fill handed over at the counter or put into a locker, which the client opens
    with a code at any hour. A stop on a delivery run is given up, and its fee is dropped.

    Args:
        way: Where the client collects it
    """
    if fill.way == way:
        raise ToolError("same_way")
    leave_run(fill)
    fill.way, fill.delivery_fee = way, 0
    fill.to_pay = sum_to_pay(fill.copay, fill.surcharge, fill.delivery_fee)
    return fill


@domain.write(
    requires=[in_clients_hands, still_to_pay, agreed, oldest_first],
    changes=[stays("fills", "collected"), sets("fills", Fill.paid_on)],
    ask=[
        "pay for {fills}",
        "settle the bill for {fills}",
        "pay what I owe for {fills}",
        "have {fills} charged to my card",
        "clear my share of {fills}",
        "get {fills} paid",
        "pay my part of {fills} by card",
        "square my account for {fills}",
        "pay off some of what I owe you",
    ],
    asks={
        "fills": [
            "Which of the collected fills would you like to pay for?",
            "For which of your fills is the payment?",
            "Which bills should I charge to your card?",
        ]
    },
    outcome=outcome(
        quotes=["total", "still_owed"],
        mood="good",
        irreversible=True,
        ask_first=["The card on file is charged for it, and a card payment isn't reversed here."],
        says=[
            "I've charged {total} to your card; {still_owed} remains open.",
            "{total} is paid, which leaves {still_owed}.",
            "The bank accepted the transaction of {total}, so that {still_owed} is outstanding.",
            "A receipt for {total} goes to your inbox, and the statement says {still_owed}.",
            "Your payment of {total} has been booked; what you still owe is {still_owed}.",
            "Thank you, {total} has come in from your card, and {still_owed} is left.",
            "The card was charged with {total}; the balance stands at {still_owed}.",
            "That settles {total} of your account, and the remainder is {still_owed}.",
        ],
    ),
)
def settle_copayments(
    db,
    fills: Annotated[
        list[Fill],
        Field(min_length=1),
        drawn(lambda db: bills_together(db.actor) if db.actor is not None else []),
    ],
) -> Settlement:
    """Charge the card on file for one or more collected fills: the full sum to pay of each. A sum
    that the client disputes is not charged but handed over.

    Args:
        fills: The fills that are paid for
    """
    for fill in fills:
        fill.paid_on = db.today
    total = sum(fill.to_pay for fill in fills)
    return {"total": total, "still_owed": owed(fills[0].client)}


@domain.write(
    requires=[no_open_fill, substitute_fits, agreed],
    changes=[stays("prescription", STANDING), sets("prescription", Prescription.medicine)],
    ask=[
        "take {medicine} instead of {prescription.medicine}",
        "have {prescription} switched to {medicine}",
        "get {medicine} in place of {prescription.medicine}",
        "change {prescription} over to {medicine}",
        "swap {prescription.medicine} for {medicine}",
        "use {medicine} for {prescription} from now on",
        "have {medicine} entered for {prescription}",
    ],
    asks={
        "prescription": WHICH_RX,
        "medicine": ["Which product would you like instead?",
                     "To which product should I switch it?"],
    },
    outcome=outcome(
        quotes=["title"],
        mood="neutral",
        ask_first=[
            "quote_product",
            "With {medicine}, a fill would cost you {to_pay} of the full price of {price}; "
            "{surcharge} of that is the surcharge for the brand.",
        ],
        says=[
            "Your prescription is for {title} from now on.",
            "I've switched it: the next fill will be {title}.",
            "Our pharmacists will reach for {title} when they next prepare a bag for you.",
            "The manufacturer changes and nothing else: look out for the label {title}.",
            "I've entered {title} in place of the former product.",
            "The switch to {title} is done; substance and strength stay what they were.",
            "From the next fill on you'll get {title}.",
        ],
    ),
)  # fmt: skip
def switch_product(
    db,
    prescription: Prescription,
    medicine: Annotated[
        Medicine,
        drawn(switches),
    ],
) -> Prescription:
    """Have a prescription dispensed with an equivalent product, a cheaper or a dearer one. Name the
    price difference before the client agrees. Refill date, fills and dose stay as they are."""
    prescription.medicine = medicine
    return prescription


@domain.write(
    requires=[no_open_fill, room_on_hold, no_renewal_under_way],
    changes=[moves("prescription", "active", to="on_hold")],
    ask=[
        "put {prescription} on hold",
        "pause {prescription} for now",
        "have {prescription} put on ice",
        "keep {prescription} on hold for a while",
        "hold {prescription} back for the time being",
        "suspend {prescription} for a while",
        "have one of my prescriptions paused",
        "make a break with {prescription}",
        "have nothing more dispensed on {prescription} until I write again",
    ],
    asks={"prescription": WHICH_RX},
    outcome=outcome(
        quotes=["title"],
        mood="neutral",
        says=[
            "Your {title} is on hold; nothing is dispensed on it until you have it released.",
            "I've paused the prescription for {title}.",
            "The dispensary skips {title} from today on, until you ask us to resume.",
            "A colleague who opens your record now sees {title} marked as paused.",
            "The prescription for {title} rests until you tell us otherwise.",
            "Your {title} has been put on hold, and its last valid day stays the same.",
            "There's a hold on {title} now, which can be lifted at any time.",
        ],
    ),
)
def hold_prescription(db, prescription: Prescription) -> Prescription:
    """Put an active prescription on hold, so that nothing is dispensed on it. Its last valid day
    does not move."""
    prescription.status = "on_hold"
    return prescription


@domain.write(
    changes=[moves("prescription", "on_hold", to="active")],
    ask=[
        "take {prescription} off hold",
        "lift the hold on {prescription}",
        "release {prescription}",
        "have {prescription} made active again",
        "resume {prescription}",
        "start {prescription} up again",
        "have the hold on one of my prescriptions lifted",
        "get {prescription} going again",
        "end the pause on {prescription}",
    ],
    asks={"prescription": WHICH_RX},
    outcome=outcome(
        quotes=["title", "next_refill_on"],
        mood="neutral",
        says=[
            "Your {title} is active again, with {next_refill_on} as its refill date.",
            "The hold on {title} is lifted; its refill date is {next_refill_on}.",
            "Nothing blocks {title} any longer, and {next_refill_on} is what the calendar shows.",
            "I've released {title}; the refill date reads {next_refill_on}.",
            "Your {title} is off hold, and {next_refill_on} is the refill date.",
            "The prescription for {title} runs again; for the refill date we have "
            "{next_refill_on}.",
        ],
    ),
)
def release_prescription(db, prescription: Prescription) -> Prescription:
    """Lift the hold on a prescription."""
    prescription.status = "active"
    return prescription


@domain.write(
    requires=[no_open_fill, agreed, birth_date_checked.on("prescription.client")],
    changes=[
        moves("prescription", STANDING, to="cancelled"),
        moves("prescription.renewal_requests", "sent", to="withdrawn"),
    ],
    ask=[
        "have {prescription} cancelled",
        "cancel {prescription}",
        "take {prescription} off my file for good",
        "have {prescription} removed",
        "end {prescription}",
        "have {prescription} struck off",
        "have one of my prescriptions cancelled",
        "have {prescription} deleted, since my treatment changed",
    ],
    asks={"prescription": WHICH_RX},
    destructive=True,
    outcome=outcome(
        quotes=["title"],
        mood="neutral",
        irreversible=True,
        ask_first=[
            "The fills left on it are lost, and only a new prescription from "
            "{prescription.prescriber} could replace them."
        ],
        says=[
            "The prescription for {title} is cancelled.",
            "I've taken {title} off your file.",
            "Whatever was left on {title} has lapsed, as I explained.",
            "I have closed {title} permanently in our records.",
            "Your {title} is struck off; nothing more is dispensed on it.",
            "Your prescription for {title} has ended with us.",
            "Done, {title} no longer counts among your prescriptions.",
        ],
    ),
)
def cancel_prescription(db, prescription: Prescription) -> Prescription:
    """End a prescription for good, whatever is left on it; a renewal request that is under way is
    withdrawn with it. Somebody who wants to stop a medicine is advised to talk to the prescriber,
    and if in doubt a hold does as well."""
    prescription.status = "cancelled"
    for request in prescription.renewal_requests:
        if request.status == "sent":
            request.status = "withdrawn"
    return prescription


@domain.write(
    requires=[
        controlled_never_early,
        one_release_a_year,
        agreed,
        birth_date_checked.on("prescription.client"),
        trip_is_near,
    ],
    changes=[
        stays("prescription", "active"),
        sets("prescription", Prescription.next_refill_on, Prescription.timing),
        sets("prescription.client", Client.trip_used_on),
    ],
    ask=[
        "have {prescription} released early, as I'm leaving on {leaves_on}",
        "get {prescription} ahead of time for a trip that starts on {leaves_on}",
        "have the refill date of {prescription} moved up for my trip on {leaves_on}",
        "get an early release of {prescription} for a trip on {leaves_on}",
        "have {prescription} freed for an early refill before I leave on {leaves_on}",
        "have a medicine released early for a trip",
    ],
    asks={
        "prescription": WHICH_RX,
        "leaves_on": ["When does your trip begin?", "On what day are you leaving?"],
    },
    errors={"not_early": "The refill date has come, so that no early release is needed."},
    outcome=outcome(
        quotes=["title", "next_refill_on"],
        mood="good",
        ask_first=["That would use up your one early release for a year."],
        says=[
            "Your {title} is released for your trip and can be refilled from {next_refill_on} on.",
            "I've moved the refill date of {title} up to {next_refill_on}; that was this year's "
            "early release.",
            "For your trip, {title} can be ordered as of {next_refill_on}.",
            "The early release is entered: {title}, from {next_refill_on} on.",
        ],
    ),
)
def release_for_trip(
    db,
    prescription: Prescription,
    leaves_on: Annotated[
        date, drawn(lambda db: [db.today + timedelta(days=n) for n in TRIP_STARTS])
    ],
) -> Prescription:
    """Move the refill date of an active prescription to today because the client is about to
    travel. It doesn't order anything by itself.

    Args:
        leaves_on: Day on which the trip begins
    """
    if prescription.next_refill_on <= db.today:
        raise ToolError("not_early")
    prescription.next_refill_on, prescription.timing = db.today, "trip"
    prescription.client.trip_used_on = db.today
    return prescription


@domain.write(
    requires=[all_active, can_be_aligned, agreed],
    changes=[
        stays("prescriptions", "active"),
        sets("prescriptions", Prescription.next_refill_on, Prescription.timing),
    ],
    ask=[
        "have {prescriptions} fall due on the same day",
        "get {prescriptions} on one refill date",
        "have the refill dates of {prescriptions} brought together",
        "synchronise {prescriptions}",
        "collect {prescriptions} together in future",
        "have {prescriptions} refilled on one and the same day",
        "get some of my medicines on the same refill date",
    ],
    asks={
        "prescriptions": [
            "Which of your prescriptions should share a refill date?",
            "Which medicines would you like to collect together?",
        ]
    },
    errors={"nothing_to_align": "A common refill date takes prescriptions with different ones."},
    outcome=outcome(
        quotes=["refill_on"],
        mood="good",
        ask_first=["The latest of their refill dates would be the common one."],
        says=[
            "They share {refill_on} as their refill date now.",
            "All of them can be refilled from {refill_on} on.",
            "A single visit is enough from then on: {refill_on} applies to every one of them.",
            "The calendar has one entry instead of several, namely {refill_on}.",
            "I've brought them together: {refill_on} is the common refill date.",
            "One trip will do: the refill date of all of them is {refill_on}.",
            "The dates are aligned on {refill_on}.",
        ],
    ),
)
def synchronise_refills(
    db,
    prescriptions: Annotated[list[Prescription], drawn(aligned_sets)],
) -> CommonDate:
    """Give two or more active prescriptions a common refill date, the latest of theirs. The next
    fill of each starts from its usual computation again.

    Args:
        prescriptions: The prescriptions that share a date
    """
    day = max(x.next_refill_on for x in prescriptions)
    if all(x.next_refill_on == day for x in prescriptions):
        raise ToolError("nothing_to_align")
    for prescription in prescriptions:
        prescription.next_refill_on, prescription.timing = day, "synchronised"
    return {"refill_on": day, "prescriptions": prescriptions}


@domain.write(
    requires=[
        none_under_way,
        near_the_end,
        birth_date_checked.on("prescription.client"),
        controlled_in_person,
    ],
    changes=[
        stays("prescription", ["active", "exhausted", "expired"]),
        creates(RenewalRequest),
    ],
    ask=[
        "have {prescription} renewed",
        "ask {prescription.prescriber} to renew {prescription}",
        "get a renewal of {prescription}",
        "see {prescription} renewed",
        "send {prescription.prescriber} a renewal request for {prescription.medicine}",
        "have you write to {prescription.prescriber} about {prescription}",
        "get one of my prescriptions renewed",
    ],
    asks={"prescription": WHICH_RX},
    outcome=outcome(
        quotes=["title", "prescriber"],
        mood="neutral",
        says=[
            "I've asked {prescriber} to renew {title}; whether it is approved is for the "
            "practice to say.",
            "The renewal request for {title} has gone to {prescriber}.",
            "A message about {title} sits in the practice's inbox, addressed to {prescriber}.",
            "Now it is up to {prescriber} to react, and {title} stays as it is meanwhile.",
            "{prescriber} has your request about {title} now and will decide on it.",
            "Your wish for more {title} is with {prescriber}; we'll hear back from there.",
            "A request for {title} is on its way to {prescriber}.",
        ],
    ),
)
def request_renewal(db, prescription: Prescription) -> RenewalRequest:
    """Ask the prescriber to let a prescription go on. The prescriber decides; promise nothing."""
    return db.create(
        RenewalRequest, client=prescription.client, prescription=prescription, sent_on=db.today
    )


@domain.write(
    changes=[moves("renewal_request", "sent", to="withdrawn")],
    ask=[
        "take back {renewal_request}",
        "withdraw {renewal_request}",
        "call off {renewal_request}",
        "have {renewal_request} withdrawn",
        "stop {renewal_request}",
        "cancel a renewal that I asked for",
    ],
    asks={"renewal_request": ["Which renewal request should be taken back?",
                              "For which medicine is the request that you'd like to withdraw?"]},
    outcome=outcome(
        quotes=["title", "prescriber"],
        mood="neutral",
        says=[
            "The request for {title} is withdrawn, and {prescriber} needn't answer it.",
            "I've taken back the renewal request for {title} that went to {prescriber}.",
            "{prescriber} has been told that the request for {title} is off.",
            "Your request to {prescriber} about {title} has been called off.",
        ],
    ),
)  # fmt: skip
def withdraw_renewal(db, renewal_request: RenewalRequest) -> RenewalRequest:
    """Take back a renewal request that the prescriber hasn't answered."""
    renewal_request.status = "withdrawn"
    return renewal_request


@domain.write(
    requires=[not_noted_yet],
    changes=[creates(PharmacyEscalation)],
    handover=True,
    ask=[
        "speak to a pharmacist ({reason})",
        "have a pharmacist call me ({reason})",
        "have this looked at by a pharmacist ({reason})",
        "be put through to a pharmacist ({reason})",
    ],
    asks={"reason": ["What would you like the pharmacist to look at?",
                     "What is it about, so that the pharmacist knows?"]},
    outcome=outcome(
        mood="neutral",
        says=[
            "A pharmacist has your note now and will call you.",
            "I've passed it to the pharmacist on duty, who will get in touch with you.",
            "The pharmacist takes it from here and will contact you.",
            "Your note is with our pharmacists; one of them will ring you about it.",
            "One of our pharmacists will go through it and get back to you.",
            "The pharmacist on duty has been told and will be in touch.",
        ],
    ),
)  # fmt: skip
def hand_over(db, client: Client, reason: Reason) -> PharmacyEscalation:
    """Leave a note for the pharmacist, who continues the conversation: for a bad reaction to a
    medicine, a check of interactions or allergies before a fill, a charge that the client
    disputes, packs that were missing from a bag, and whatever else no tool can do. One note for
    each matter is enough.

    Args:
        reason: What the pharmacist is needed for
    """
    return db.create(PharmacyEscalation, client=client, reason=reason, opened_at=db.now)


# Invariants.


@domain.invariant(Client)
def copayments_within_cap(client: Client) -> bool:
    counted_fills = [x for x in client.fills if x.status in (*OPEN, "collected")]
    this_year = [x for x in counted_fills if x.requested_on.year == domain.now.year]
    total = client.receipts + sum(x.copay for x in this_year)
    return client.copay_booked == total and total <= client.yearly_cap


@domain.invariant(Client)
def holds_within_limit(client: Client) -> bool:
    return sum(x.status == "on_hold" for x in client.prescriptions) <= MAX_ON_HOLD


@domain.invariant(Client)
def one_note_a_reason(client: Client) -> bool:
    reasons = [x.reason for x in client.escalations if x.status == "open"]
    return len(reasons) == len(set(reasons))


@domain.invariant(Prescription)
def fills_within_prescription(prescription: Prescription) -> bool:
    counted_fills = [x for x in prescription.fills if x.status in (*OPEN, "collected")]
    used_up = prescription.refills_used == prescription.fills_allowed
    return (
        prescription.refills_used == len(counted_fills)
        and prescription.refills_used <= prescription.fills_allowed
        and (prescription.status != "exhausted" or used_up)
        and sum(x.status in OPEN for x in prescription.fills) <= 1
        and sum(x.status == "sent" for x in prescription.renewal_requests) <= 1
    )


@domain.invariant(Prescription)
def nothing_open_on_a_stopped_one(prescription: Prescription) -> bool:
    stopped = prescription.status in ("on_hold", "cancelled", "exhausted")
    waiting = any(x.status == "sent" for x in prescription.renewal_requests)
    return not (stopped and open_fills(prescription)) and not (
        waiting and prescription.status == "cancelled"
    )


@domain.invariant(Prescription)
def refill_date_adds_up(prescription: Prescription) -> bool:
    usual, day = usual_refill_on(prescription), prescription.next_refill_on
    if prescription.timing == "usual":
        return day == usual
    if is_controlled(prescription.medicine):
        return False
    return prescription.supply_until is not None and day <= prescription.supply_until


@domain.invariant(Prescription)
def supply_follows_the_last_fill(prescription: Prescription) -> bool:
    live = [x for x in prescription.fills if x.status in (*OPEN, "collected")]
    if not live:
        return prescription.supply_until is None
    last = max(live, key=lambda x: (x.requested_on, x.id))
    before = last.supply_before or last.requested_on
    expected = supply_after(before, last.requested_on, last.days_of_supply)
    return prescription.supply_until == expected


@domain.invariant(Fill)
def fill_adds_up(fill: Fill) -> bool:
    packs = packs_in(fill.quantity, fill.medicine.pack_size)
    return (
        fill.price == packs * fill.medicine.price
        and fill.to_pay == fill.copay + fill.surcharge + fill.delivery_fee
        and fill.copay <= packs * COPAY_MOST
        and (fill.copay == 0 or not fill.client.exempt)
        and fill.quantity == fill.prescription.quantity
        and fill.days_of_supply == days_of(fill.prescription)
        and (fill.paid_on is None or fill.status == "collected")
        and fill.client is fill.prescription.client
    )


@domain.invariant(Prescription)
def product_as_prescribed(prescription: Prescription) -> bool:
    medicine = prescription.medicine
    exact = prescription.substitution or medicine.title == prescription.written_for
    return exact and medicine.substitution_group == prescription.written_group


@domain.invariant(Fill)
def bag_rides_at_home(fill: Fill) -> bool:
    return fill.delivery_run is None or fill.delivery_run.district == fill.client.district


@domain.invariant(Fill)
def fill_takes_one_way(fill: Fill) -> bool:
    open_way = fill.status in OPEN and fill.way == "delivery"
    return (
        (fill.delivery_run is not None) == open_way
        and (fill.delivery_fee == DELIVERY_FEE) == (fill.way == "delivery")
        and (fill.way == "counter" or not is_controlled(fill.medicine))
    )


@domain.invariant(Fill)
def fill_has_its_packs(fill: Fill) -> bool:
    packs = packs_in(fill.quantity, fill.medicine.pack_size)
    if fill.status not in OPEN:
        return not fill.draws
    drawn_packs = sum(x.packs for x in fill.draws)
    at_home = all(x.lot.medicine is fill.medicine for x in fill.draws)
    split = fill.owed_packs > 0
    return (
        drawn_packs + fill.owed_packs == packs
        and drawn_packs > 0
        and at_home
        and not (split and is_controlled(fill.medicine))
    )


@domain.invariant(Fill)
def pickup_day_adds_up(fill: Fill) -> bool:
    kept = PICKUP_DAYS + EXTRA_DAYS if fill.extended else PICKUP_DAYS
    return (fill.pickup_by - fill.requested_on).days == kept


@domain.invariant(DeliveryRun)
def stops_add_up(delivery_run: DeliveryRun) -> bool:
    taken_stops = len(delivery_run.bags) + delivery_run.stops_by_phone
    closed = delivery_run.status in ("full", "left")
    full = delivery_run.stops_free == 0
    return delivery_run.stops_free + taken_stops == delivery_run.stops and closed >= full


# What brings people here.

ORDERING = ["request_fill", "request_part_fill"]
for told, tools in (
    ("I counted my tablets at breakfast, and there aren't many left.", ORDERING),
    ("The blister on my bedside table is nearly empty.", ORDERING),
    ("I'd like to have my medicines in the house before the weekend.", ORDERING),
    ("My pill box for next week has gaps in it.", ["request_fill"]),
    ("I pass by your door on my way home this week.", ["request_fill", "change_pickup"]),
    ("My reminder app has just gone off.", ["request_fill", "request_renewal"]),
    ("My daughter fills my pill organiser and says that something is missing.", ["request_fill"]),
    ("I don't like to wait until the very last tablet.", ["request_fill", "request_renewal"]),
    ("I hear that some makers can't deliver at the moment.", ["request_part_fill"]),
    ("A few packs would tide me over.", ["request_part_fill"]),
    ("I'd rather have some of it than nothing at all.", ["request_part_fill"]),
    ("I ordered that without looking into the cupboard first.", ["cancel_fill"]),
    ("I've found a full box in my travel bag.", ["cancel_fill", "hold_prescription"]),
    (
        "My doctor wants to see my blood values before I go on with it.",
        ["cancel_fill", "hold_prescription"],
    ),
    (
        "I'm going into hospital for some days, and they give me everything there.",
        ["cancel_fill", "hold_prescription", "keep_fill_longer"],
    ),
    ("I have a cold and don't want to go out.", ["keep_fill_longer", "book_delivery"]),
    ("I'm away on a course until the end of the week.", ["keep_fill_longer"]),
    ("My car is being repaired.", ["keep_fill_longer", "book_delivery"]),
    ("I've twisted my ankle and can't walk far.", ["book_delivery"]),
    ("I have to stay in with a sleeping baby.", ["book_delivery"]),
    ("The bus to your street isn't running.", ["book_delivery", "keep_fill_longer"]),
    ("I look after my mother and can't leave her alone.", ["book_delivery"]),
    ("I work late and never make it before you close.", ["change_pickup", "book_delivery"]),
    ("I'll be in your street anyway.", ["change_pickup"]),
    ("My shifts have changed.", ["change_pickup", "keep_fill_longer"]),
    ("I'm putting my papers in order this morning.", ["settle_copayments", "cancel_prescription"]),
    ("My pay has come in.", ["settle_copayments"]),
    ("I don't like owing money to anybody.", ["settle_copayments"]),
    ("There's a note in my bag saying that I owe you something.", ["settle_copayments"]),
    ("I collected a few bags lately without paying at the till.", ["settle_copayments"]),
    ("My tax return is due, and I want these things paid.", ["settle_copayments"]),
    ("A friend takes the same thing from a different maker.", ["switch_product"]),
    ("I read that there are different makers of the same medicine.", ["switch_product"]),
    ("I have trouble getting those tablets out of their blister.", ["switch_product"]),
    ("I'd like to see whether another maker suits me better.", ["switch_product"]),
    ("I've got used to a different packaging over the years.", ["switch_product"]),
    ("My doctor told me to pause that one for a while.", ["hold_prescription"]),
    ("I've piled up quite a supply at home.", ["hold_prescription", "cancel_fill"]),
    ("I'm to try it without for some weeks, my doctor says.", ["hold_prescription"]),
    ("The break that my doctor ordered is over.", ["release_prescription"]),
    ("My blood values are fine, so I'm to go on with it.", ["release_prescription"]),
    ("I'm back home from the clinic.", ["release_prescription", "request_fill"]),
    ("What I had in the cupboard has been used up.", ["release_prescription", "request_fill"]),
    ("My doctor has moved me to something else for good.", ["cancel_prescription"]),
    ("I don't take that one any more, on my doctor's advice.", ["cancel_prescription"]),
    ("There are things on my list that I haven't needed in a long time.", ["cancel_prescription"]),
    ("We've booked a cruise.", ["release_for_trip"]),
    ("I'm visiting my son abroad for several weeks.", ["release_for_trip"]),
    ("We're off to the mountains, far from any pharmacy.", ["release_for_trip"]),
    ("My sister has invited me to stay with her over the holidays.", ["release_for_trip"]),
    ("I come to you three times a month, and each time for one thing.", ["synchronise_refills"]),
    ("It's hard for me to keep all those dates in my head.", ["synchronise_refills"]),
    (
        "My neighbour collects everything for me and would rather come once.",
        ["synchronise_refills"],
    ),
    ("My calendar is full of little notes about refills.", ["synchronise_refills"]),
    ("The practice next door never answers the telephone.", ["request_renewal"]),
    ("I have no appointment before the summer.", ["request_renewal"]),
    ("I've taken that one for years, and it should go on.", ["request_renewal"]),
    ("I saw the doctor yesterday, and she has given me the paper herself.", ["withdraw_renewal"]),
    ("I've decided to talk to my doctor about it in person.", ["withdraw_renewal"]),
    ("I have an appointment next week after all.", ["withdraw_renewal"]),
    ("My blood pressure monitor says that I'd better not skip a day.", ["request_fill"]),
    ("The shelf in my bathroom looks rather empty.", ["request_fill"]),
    ("My thyroid keeps me punctual about such matters.", ["request_fill"]),
    ("A scooter ran over my handbag, tablets included.", ["request_fill"]),
    (
        "My physiotherapist is two doors down from you, on Wednesdays.",
        ["change_pickup", "keep_fill_longer"],
    ),
    ("The sauna club's annual excursion takes us to Finland.", ["release_for_trip"]),
    ("Grandmother's ninetieth birthday is celebrated in Vienna.", ["release_for_trip"]),
    ("Our neighbour's boy could fetch it after school.", ["request_fill", "keep_fill_longer"]),
    ("My carer goes shopping for me on Thursday.", ["request_fill", "keep_fill_longer"]),
    ("I was at the hospital pharmacy and got a starter pack there.", ["cancel_fill"]),
    ("I pressed the wrong line on my telephone, without my glasses.", ["cancel_fill"]),
    ("Snow has blocked our lane.", ["keep_fill_longer", "book_delivery"]),
    ("My grandson's confirmation keeps us busy all week.", ["keep_fill_longer"]),
    ("I broke my wrist and can't ride my bicycle.", ["book_delivery"]),
    ("I start work at five in the morning.", ["change_pickup"]),
    ("I prefer a chat at the counter to machines.", ["change_pickup"]),
    ("My pension was transferred yesterday.", ["settle_copayments"]),
    ("Christmas has emptied my purse, but now I can breathe again.", ["settle_copayments"]),
    ("Those capsules from the other factory taste less bitter.", ["switch_product"]),
    ("My cardiologist wants four weeks without it, as an experiment.", ["hold_prescription"]),
    ("The experiment without it has failed, so my cardiologist says.", ["release_prescription"]),
    (
        "My old specialist has retired, and the successor treats me differently.",
        ["cancel_prescription"],
    ),
    ("A friend is getting married in Portugal.", ["release_for_trip"]),
    ("I've rented a cottage on an island.", ["release_for_trip"]),
    (
        "The lift in our house breaks down so often that every errand counts.",
        ["synchronise_refills"],
    ),
    ("I drive twenty kilometres to get to you.", ["synchronise_refills", "book_delivery"]),
    (
        "The receptionist at my doctor's suggested that you could write to them.",
        ["request_renewal"],
    ),
    (
        "Ramadan begins soon, and I will not take anything by day while I fast.",
        ["hold_prescription"],
    ),
    ("The dentist pulls two molars on Friday and wants my blood thicker.", ["hold_prescription"]),
    ("The stitches are out, and the surgeon is delighted.", ["release_prescription"]),
    ("My winter break from hay fever is over: the birches bloom.", ["release_prescription"]),
    (
        "The orchestra rehearses every evening, so I'm hardly awake before noon.",
        ["change_pickup", "book_delivery"],
    ),
    ("Crutches and cobblestones don't go together.", ["book_delivery"]),
    ("My tax return lists every invoice of yours.", ["settle_copayments"]),
    ("The puppy chewed through a whole blister strip.", ["request_fill"]),
    ("Between night shifts and kindergarten I forgot the empty packet.", ["request_fill"]),
    ("A colleague swears by the cheaper imitation.", ["switch_product"]),
    ("Our choir sings in Dublin this spring.", ["release_for_trip"]),
    ("I'd feel better if somebody with training looked at it.", ["hand_over"]),
    ("This is a little complicated to write down.", ["hand_over"]),
):
    domain.situation(told, leads_to=tools)

for told, tools in (
    ("I've just found another box in the drawer.", [*ORDERING, "request_renewal"]),
    ("My husband tells me that he has ordered some already.", ["request_fill"]),
    ("I'd better talk to my doctor about it first.",
     [*ORDERING, "switch_product", "hold_prescription", "cancel_prescription"]),
    ("I'll wait until I've seen my doctor.", ["request_renewal", "request_fill"]),
    ("I may need it sooner than I thought.", ["cancel_fill", "hold_prescription"]),
    ("My doctor has just rung and says that I'm to go on with it.",
     ["cancel_fill", "hold_prescription", "cancel_prescription", "withdraw_renewal"]),
    ("I'll be passing your door after all.", ["keep_fill_longer", "book_delivery"]),
    ("My son has just offered to drive me.", ["book_delivery", "keep_fill_longer"]),
    ("I won't be at home then, I've just noticed.", ["book_delivery"]),
    ("It's no detour for me after all, so leave it where it is.", ["change_pickup"]),
    ("I'd like to look at my bank account first.", ["settle_copayments"]),
    ("I'd rather pay at the counter when I next come.", ["settle_copayments"]),
    ("I'd better stay with what I know.", ["switch_product", "synchronise_refills"]),
    ("My wife reminds me how I mix up boxes that look different.", ["switch_product"]),
    ("Our trip has just been called off.", ["release_for_trip"]),
    ("My daughter says that we aren't travelling after all.", ["release_for_trip"]),
    ("I'd rather keep my usual days.", ["synchronise_refills"]),
    ("Hang on, my flatmate has just come home with a bag from you.", ["request_fill"]),
    ("My insurance adviser wants to check that bill first.", ["settle_copayments"]),
    ("The ferry has been cancelled because of the storm, so we stay.", ["release_for_trip"]),
    ("My sister is visiting and will carry it home for me.", ["book_delivery"]),
    ("I still have enough, so it can stay as it is.", ["release_prescription", "request_fill"]),
    ("I'd better keep it on the list, you never know.", ["cancel_prescription"]),
    ("I can't reach my doctor in person before June, so let it run.", ["withdraw_renewal"]),
):  # fmt: skip
    domain.second_thought(told, about=tools)

domain.concern(
    "bad_reaction",
    [
        "Since I started on {medicine.title} I've had red spots all over my arms.",
        "My lips swelled up an hour after I took {medicine.title}.",
        "I took {medicine.title} this morning, and now my throat feels tight.",
        "I've been itching all night, ever since my first dose of {medicine.title}.",
        "After my {medicine.title} I get so dizzy that I have to sit down.",
    ],
    about=Prescription,
    where={"status": "active"},
    noted="your reaction to {medicine.title}",
)
domain.concern(
    "pharmacist_check",
    [
        "Can I take {medicine.title} together with the herbal drops that I bought?",
        "I'm expecting a baby: is {medicine.title} all right for me?",
        "Is it safe to drink wine while I'm on {medicine.title}?",
        "I forgot {medicine.title} twice this week, so what do I do now?",
        "May I break {medicine.title} in half, as it is so hard to swallow?",
    ],
    about=Prescription,
    where={"status": "active"},
    noted="your question about {medicine.title}",
)
domain.concern(
    "disputed_charge",
    [
        "You've charged me {to_pay} for {medicine.title}, and I always paid less.",
        "The {to_pay} for {medicine.title} can't be right, I think.",
        "I don't accept the {to_pay} for {medicine.title}, I paid that at the till.",
        "Somebody told me that {medicine.title} would be free, and now I owe {to_pay}.",
    ],
    about=Fill,
    where={"status": "collected", "paid_on": None},
    noted="that you dispute the {to_pay} for {medicine.title}",
)
domain.concern(
    "missing_stock",
    [
        "I got home with {medicine.title}, and one pack wasn't in the bag.",
        "There was less in the bag of {medicine.title} than the label says.",
        "The box of {medicine.title} that you gave me was half empty.",
        "You've given me {medicine.title} with a torn seal and a strip missing.",
    ],
    about=Fill,
    where={"status": "collected"},
    noted="what was missing from your bag of {medicine.title}",
)
domain.concern(
    "other",
    [
        "I've moved to another part of town, and your file still has the old district.",
        "My surname has changed, so the labels on my bags are wrong.",
        "I have an exemption card now and would like to have it entered.",
        "I've got receipts from another pharmacy that should count towards my cap.",
        "I need a list of everything that I paid last year for my tax return.",
        "The code for the locker never reaches my telephone.",
        "I'd like my sister to be allowed to collect for me.",
    ],
    noted="what you've told me about your account",
)


# Seed.

SUBSTANCES = (  # substance, form, doses in a pack, cheapest price, kind, and strengths
    ("ramipril", "tablets", 100, 13_40, "", "2.5 mg,5 mg"),
    ("metoprolol", "tablets", 100, 15_80, "", "47.5 mg,95 mg"),
    ("simvastatin", "tablets", 100, 18_90, "", "20 mg,40 mg"),
    ("levothyroxine", "tablets", 100, 14_70, "", "50 mcg,75 mcg"),
    ("metformin", "tablets", 120, 15_20, "", "500 mg,1000 mg"),
    ("pantoprazole", "tablets", 60, 17_60, "", "20 mg,40 mg"),
    ("citalopram", "tablets", 50, 19_30, "", "10 mg,20 mg"),
    ("phenprocoumon", "tablets", 100, 21_50, "", "3 mg"),
    ("ibuprofen", "tablets", 50, 12_90, "", "400 mg,600 mg"),
    ("allopurinol", "tablets", 100, 14_10, "", "100 mg,300 mg"),
    ("torasemide", "tablets", 100, 16_40, "", "5 mg,10 mg"),
    ("clarithromycin", "tablets", 14, 19_80, "", "250 mg"),
    ("insulin glargine", "pen", 60, 92_00, "chilled", "100 units"),
    ("salbutamol", "inhaler", 100, 13_20, "", "100 mcg"),
    ("methylphenidate", "capsules", 30, 42_60, "controlled", "18 mg,36 mg"),
    ("oxycodone", "tablets", 20, 38_20, "controlled", "10 mg"),
)
MANY_MAKERS = ("ramipril", "metformin", "pantoprazole", "metoprolol")
MAKERS = (("Aldor", 0), ("Nordhal", 2_10), ("Veritas", 6_80))
INTERACTIONS = """
phenprocoumon|ibuprofen|severe|bleeding
simvastatin|clarithromycin|severe|damage to the muscles
oxycodone|citalopram|severe|serotonin syndrome
phenprocoumon|clarithromycin|severe|bleeding
ramipril|ibuprofen|moderate|weaker effect on the blood pressure
metoprolol|salbutamol|moderate|weaker effect on the airways
citalopram|ibuprofen|moderate|bleeding of the stomach
phenprocoumon|allopurinol|moderate|stronger thinning of the blood
metformin|torasemide|moderate|higher blood sugar
insulin glargine|metoprolol|moderate|hidden signs of low blood sugar
methylphenidate|citalopram|moderate|restlessness
ramipril|torasemide|mild|low blood pressure at the start
levothyroxine|pantoprazole|mild|weaker uptake
metformin|ramipril|mild|slightly lower blood sugar
allopurinol|torasemide|mild|higher uric acid
simvastatin|pantoprazole|mild|aching muscles in rare cases
levothyroxine|simvastatin|mild|aching muscles in rare cases
"""
PRESCRIBERS = ["Dr. Baumann", "Dr. Achterberg", "Dr. Ruiz", "Dr. Szabo", "Dr. Winther",
               "Dr. Mahler"]  # fmt: skip
REACTIONS = ["a rash", "itching", "swelling of the lips", "shortness of breath"]
DISTRICTS = ["north", "old_town", "south", "riverside"]
SHORT = {  # packs beyond those set aside of products that are short
    ("ramipril", "Nordhal"): 1,
    ("metformin", "Nordhal"): 1,
    ("ibuprofen", "Nordhal"): 1,
    ("oxycodone", "Nordhal"): 1,
    ("simvastatin", "Nordhal"): 1,
    ("metoprolol", "Nordhal"): 0,
    ("pantoprazole", "Veritas"): 0,
    ("metformin", "Veritas"): 0,
    ("citalopram", "Aldor"): 0,
    ("allopurinol", "Nordhal"): 0,
}

# What a prescription is like: its state, packs in a fill, the part of the days of supply left, the
# days to its end, how many fills are left, and whatever else is true of it.
PLOTS = {
    "due": ("active", 1, 10, 170, 2, ""),
    "due_short": ("active", 1, 20, 120, 2, "short"),
    "due_part": ("active", 2, 10, 150, 2, "part"),
    "due_last": ("active", 1, 5, 60, 1, ""),
    "no_more": ("active", 1, 12, 75, 0, ""),
    "early": ("active", 1, 60, 200, 2, ""),
    "just_early": ("active", 1, 27, 140, 2, ""),
    "longer": ("active", 2, 70, 260, 3, ""),
    "middle": ("active", 1, 45, 190, 2, ""),
    "held": ("on_hold", 1, 0, 110, 2, ""),
    "used_up": ("exhausted", 1, 15, 90, 0, ""),
    "used_asked": ("exhausted", 1, 10, 80, 0, "sent"),
    "ending": ("active", 1, 40, 21, 1, ""),
    "ending_asked": ("active", 1, 40, 16, 1, "sent"),
    "over": ("expired", 1, -20, -12, 1, ""),
    "gone": ("cancelled", 1, -60, 40, 2, "withdrawn"),
    "ordered": ("active", 1, 12, 130, 2, "requested"),
    "ready": ("active", 1, 15, 160, 1, "prepared"),
    "ready_more": ("active", 2, 10, 210, 2, "prepared"),
    "turned_down": ("active", 1, 18, 125, 2, "refused"),
    "fresh": ("active", 1, None, 175, 3, ""),
    "controlled_due": ("active", 1, 0, 50, 2, "controlled"),
    "controlled_early": ("active", 1, 12, 60, 2, "controlled"),
    "controlled_ready": ("active", 1, 0, 55, 1, "controlled prepared"),
    "controlled_used": ("exhausted", 1, 5, 25, 0, "controlled"),
    "approved": ("active", 1, 30, 185, 3, "approved"),
}
FAMILIES = (  # what a client has: substance and plot, and what is true of the client
    ("ramipril due,metoprolol early,simvastatin longer,pantoprazole ordered,allopurinol ready,"
     "levothyroxine used_up", "owing"),
    ("phenprocoumon middle,ibuprofen due_part,metoprolol held,torasemide just_early,"
     "pantoprazole ready_more,allopurinol over", "allergic"),
    ("metformin due_short,insulin+glargine ready,ramipril early,simvastatin middle,"
     "pantoprazole no_more,torasemide due", "capped"),
    ("methylphenidate controlled_early,levothyroxine due,salbutamol ready,pantoprazole longer,"
     "metformin due_part,ramipril ending", "exempt"),
    ("oxycodone controlled_ready,metoprolol due_short,allopurinol early,levothyroxine just_early,"
     "simvastatin ordered,pantoprazole ending_asked", "owing much"),
    ("ramipril ready,ramipril longer,simvastatin due,citalopram middle,ibuprofen due,"
     "torasemide held,levothyroxine turned_down", "travelled"),
    ("levothyroxine ready_more,metoprolol due,pantoprazole due_short,allopurinol held,"
     "salbutamol middle,metformin gone,ramipril held", "owing counselled"),
    ("metformin ordered,simvastatin just_early,clarithromycin fresh,ramipril used_up,"
     "torasemide due,pantoprazole early", "nearly capped"),
    ("methylphenidate controlled_due,pantoprazole due_short,ramipril due_part,"
     "allopurinol longer,simvastatin ready,levothyroxine approved", ""),
    ("citalopram due,metoprolol ready,torasemide longer,pantoprazole middle,levothyroxine due_last,"
     "allopurinol used_asked,oxycodone controlled_used", "owing much"),
    ("metoprolol ready,metoprolol middle,ramipril due_part,levothyroxine early,simvastatin due,"
     "metformin ending", "exempt owing allergic"),
)  # fmt: skip


def add_medicines(w: Seeder) -> list[Medicine]:
    medicines = []
    for substance, form, pack_size, price, kind, strengths in SUBSTANCES:
        for strength in strengths.split(","):
            for maker, more in MAKERS[: 3 if substance in MANY_MAKERS else 2]:
                title = f"{substance.capitalize()} {maker} {strength}"
                medicines.append(
                    w.add(
                        Medicine,
                        medicine_code=title.lower().replace(" ", "-").replace(".", "_"),
                        title=title,
                        substance=substance,
                        strength=strength,
                        form=form,
                        schedule="controlled" if kind == "controlled" else "ordinary",
                        chilled=kind == "chilled",
                        pack_size=pack_size,
                        price=price + more + 25 * w.rng.randrange(9),
                        substitution_group=f"{substance} {strength} {form} {pack_size}",
                    )
                )
    return medicines


def add_lots(w: Seeder, medicines: list[Medicine], demand: dict) -> None:
    """Two lots of most medicines and one that expires too soon; of some nothing, or a single pack,
    beyond what has been set aside."""
    for n, medicine in enumerate(medicines):
        aside = demand.get(medicine.id, 0)
        packs = short_of(medicine)
        if packs is None:
            w.add(MedicineLot, medicine=medicine, expires_on=w.day(70, 160), packs=aside + 3)
            more = w.scaled(4) + w.rng.randrange(4)
            w.add(MedicineLot, medicine=medicine, expires_on=w.day(300, 700), packs=more)
        elif aside + packs:
            w.add(MedicineLot, medicine=medicine, expires_on=w.day(90, 300), packs=aside + packs)
        if n % 9 == 4 or packs == 0:
            w.add(MedicineLot, medicine=medicine, expires_on=w.day(4, SHELF_DAYS - 1), packs=2)


def add_runs(w: Seeder) -> list[DeliveryRun]:
    """Two runs through each district on the coming days, one that leaves in an hour, one that has
    left; `stops_by_phone` is what others have booked."""
    runs = []
    for n, district in enumerate(DISTRICTS):
        hours = ((1, 5, 4), (5, 6, 3), (29, 5, 5), (53, 6, 2), (-18, 6, 5))[n % 2 :]
        for k, (ahead, stops, phone) in enumerate(hours):
            stops = w.scaled(stops)
            phone = stops if k == 2 and n % 2 == 0 else min(stops - 1, w.scaled(phone))
            state = {"stops_by_phone": phone, "stops_free": stops - phone}
            leaves_at = w.now.replace(minute=30) + timedelta(hours=ahead)
            status = "left" if ahead < 0 else "planned" if stops > phone else "full"
            runs.append(
                w.add(DeliveryRun, district=district, leaves_at=leaves_at, stops=stops,
                      status=status, **state)
            )  # fmt: skip
    return runs


def choose(medicines: list[Medicine], substance: str, n: int, traits: str) -> Medicine:
    """A product of the substance: one that is short, where the plot says so."""
    wanted = 1 if "part" in traits else 0 if "short" in traits else None
    found = [x for x in medicines if x.substance == substance]
    found = [x for x in found if short_of(x) == wanted] or found
    return found[n % len(found)]


def short_of(medicine: Medicine) -> int | None:
    return SHORT.get((medicine.substance, medicine.title.split(" ")[-3]))


def past_fill(w: Seeder, prescription: Prescription, day: date, before, **more) -> Fill:
    """A fill as it was ordered on a day, before there was any cap to look at."""
    medicine, packs = prescription.medicine, packs_of(prescription)
    group = w.db.all(Medicine, substitution_group=medicine.substitution_group)
    price = packs * medicine.price
    cheapest = min(x.price for x in group)
    extra = surcharge_for(medicine.price, cheapest, packs, prescription.substitution)
    copay = copay_for(price - extra, packs, prescription.client.exempt, price)
    return w.add(
        Fill,
        client=prescription.client,
        prescription=prescription,
        medicine=medicine,
        requested_on=day,
        quantity=prescription.quantity,
        days_of_supply=days_of(prescription),
        pickup_by=pickup_day(day),
        price=price,
        copay=copay,
        surcharge=extra,
        to_pay=sum_to_pay(copay, extra, 0),
        supply_before=before,
        **more,
    )


def add_prescription(w: Seeder, client: Client, medicine: Medicine, plot: str, n: int) -> None:
    status, packs, share, ends, left, traits = PLOTS[plot]
    quantity = packs * medicine.pack_size
    dose = max(1, quantity // (28 if is_controlled(medicine) or medicine.pack_size < 50 else 60))
    dose = min(dose, 3)
    days = days_in(quantity, dose)
    open_state = next((x for x in OPEN if x in traits), None)
    past = 0 if share is None else 1 + (n % 7 == 1)
    prescription = w.add(
        Prescription,
        client=client,
        medicine=medicine,
        prescriber=PRESCRIBERS[n % len(PRESCRIBERS)],
        issued_on=w.today - timedelta(days=6),
        expires_on=w.today + timedelta(days=ends),
        fills_allowed=max(1, past + (open_state is not None) + left),
        daily_dose=dose,
        quantity=quantity,
        written_for=medicine.title,
        written_group=medicine.substitution_group,
        substitution=n % 7 != 3,
        next_refill_on=w.today - timedelta(days=6),
        status=status,
    )
    if share is None:
        return
    until = w.today + timedelta(days=days * share // PERCENT)
    ordered_on = w.today - timedelta(days=n % 3 + 1)
    before = None
    for k in range(past, 0, -1):
        day = until - timedelta(days=k * days)
        fill = past_fill(w, prescription, day, before, status="collected", paid_on=day)
        fill.paid_on = day + timedelta(days=2)
        before = day + timedelta(days=days)
        prescription.issued_on = min(prescription.issued_on, day - timedelta(days=3))
    prescription.supply_until = until
    prescription.refills_used = past
    if "refused" in traits:
        past_fill(w, prescription, ordered_on, before, status="refused")
    if open_state:
        past_fill(w, prescription, ordered_on, before, status=open_state)
        prescription.refills_used += 1
        prescription.supply_until = supply_after(before, ordered_on, days)
    elif n % 6 == 5:
        day = w.today - timedelta(days=20)
        past_fill(w, prescription, day, before, status="returned_to_stock")
    prescription.next_refill_on = usual_refill_on(prescription)
    if plot == "due_part":
        prescription.next_refill_on, prescription.timing = w.today, "synchronised"
    for answer in ("sent", "withdrawn", "approved"):
        if answer in traits:
            sent_on = w.today - timedelta(days=2 if answer == "sent" else 30)
            about = {"client": client, "prescription": prescription}
            w.add(RenewalRequest, sent_on=sent_on, status=answer, **about)
    if plot == "over" and n % 2:
        sent_on = w.today - timedelta(days=25)
        w.add(
            RenewalRequest, sent_on=sent_on, status="declined", client=client,
            prescription=prescription,
        )  # fmt: skip


def settle_in(w: Seeder, client: Client, n: int, traits: str) -> None:
    """What is true of a client once the fills are there: debts, caps, allergies, releases."""
    bags = [x for x in client.fills if x.status == "collected" and x.to_pay]
    bags.sort(key=lambda x: (x.requested_on, x.id))
    for fill in bags[-5 if "much" in traits else -3 :] if "owing" in traits else []:
        fill.paid_on = None
    if "owing" in traits and "much" not in traits:
        while is_blocked(owed(client)):
            unpaid(client)[0].paid_on = w.today - timedelta(days=1)
    this_year = [x for x in client.fills if x.requested_on.year == w.today.year]
    live = [x for x in this_year if x.status in (*OPEN, "collected")]
    client.receipts = 0 if client.exempt else 100 * w.rng.randrange(0, 40, 5)
    client.copay_booked = client.receipts + sum(x.copay for x in live)
    slack = (
        0 if "nearly" not in traits and "capped" in traits else 3_20 if "capped" in traits else None
    )
    room = 100 * w.rng.randrange(25, 120, 5) if slack is None else slack
    client.yearly_cap = client.copay_booked + room
    if "travelled" in traits:
        client.trip_used_on = w.day(-200, -90)
    if n % 3 == 1 or "allergic" in traits:
        own = [x.medicine.substance for x in client.prescriptions if x.status == "active"]
        mine = own[n % len(own)] if "allergic" in traits else "penicillin"
        for k, substance in enumerate((mine, "latex")):
            severity = "mild" if (n + k) % 2 else "severe"
            reaction = REACTIONS[(n + k) % 2 + (2 if severity == "severe" else 0)]
            w.add(Allergy, client=client, substance=substance, severity=severity, reaction=reaction)
    for prescription in client.prescriptions:
        if has_allergy(prescription, "mild"):
            prescription.caution = "allergy"
        if has_interaction(w.db, prescription, "moderate"):
            prescription.caution = "interaction"
        prescription.counselled = "counselled" in traits and prescription.caution != "none"
    if n % 4 == 2:
        status = "open" if n % 8 == 2 else "answered"
        reason = ["pharmacist_check", "missing_stock", "other"][n % 3]
        at = w.moment(-6, -1)
        w.add(PharmacyEscalation, client=client, reason=reason, opened_at=at, status=status)


def set_aside(w: Seeder, fill: Fill) -> None:
    wanted = packs_in(fill.quantity, fill.medicine.pack_size)
    for lot in good_lots(fill.medicine, w.today):
        packs = min(wanted, lot.packs)
        if packs:
            lot.packs -= packs
            wanted -= packs
            w.add(LotDraw, fill=fill, lot=lot, packs=packs)


def put_on_runs(w: Seeder, fills: list[Fill], runs: list[DeliveryRun]) -> None:
    """Every third prepared bag is delivered; others lie in the locker."""
    for n, fill in enumerate(x for x in fills if not is_controlled(x.medicine)):
        if n % 3 == 0:
            fits = [x for x in runs if x.district == fill.client.district and x.stops_free]
            run = next((x for x in fits if x.leaves_at > w.now + timedelta(days=1)), None)
            if run is not None:
                run.stops_free -= 1
                run.status = "planned" if run.stops_free else "full"
                fill.way, fill.delivery_run, fill.delivery_fee = "delivery", run, DELIVERY_FEE
                fill.to_pay += DELIVERY_FEE
        elif n % 3 == 1 and not fill.medicine.chilled:
            fill.way = "locker"
        elif fill.status == "prepared":
            fill.extended, fill.pickup_by = True, later_pickup(fill.pickup_by)


@domain.seed
def seed(w: Seeder) -> None:
    medicines = add_medicines(w)
    for line in INTERACTIONS.strip().splitlines():
        one, other, severity, effect = line.split("|")
        about = {"substance_a": one, "substance_b": other}
        w.add(Interaction, severity=severity, effect=effect, **about)
    runs = add_runs(w)
    for n, person in enumerate(w.people(w.scaled(20))):
        wants, traits = FAMILIES[n % len(FAMILIES)]
        client = w.add(
            Client,
            name=person.name,
            email=person.email,
            birth_date=person.birth_date,
            district=DISTRICTS[n % len(DISTRICTS)],
            exempt="exempt" in traits,
            yearly_cap=0,
        )
        for k, want in enumerate(wants.split(",")):
            substance, plot = want.split(" ")
            medicine = choose(medicines, substance.replace("+", " "), n + k, PLOTS[plot][5])
            add_prescription(w, client, medicine, plot, n * 7 + k)
        settle_in(w, client, n, traits)
    fills = [x for x in w.db.all(Fill) if x.status in OPEN]
    demand: dict[str, int] = {}
    for fill in fills:
        packs = packs_in(fill.quantity, fill.medicine.pack_size)
        demand[fill.medicine.id] = demand.get(fill.medicine.id, 0) + packs
    add_lots(w, medicines, demand)
    for fill in fills:
        set_aside(w, fill)
    put_on_runs(w, fills, runs)
