"""The patient portal of a group practice: calendars, notice, referrals, queues for seats."""

from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal, TypedDict

from pydantic import Field

from davinci_env.domain import (
    Dialect,
    Domain,
    Mapped,
    Minutes,
    Money,
    Page,
    Seeder,
    ToolError,
    column,
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
    "clinic_appointments",
    version=1,
    category="Healthcare and Clinical",
    today=datetime(2026, 4, 13, 8, 45),
    role="patient portal assistant of the Lindenhof Group Practice",
    access="self_service",
    intro="""
    Lindenhof is a group practice for general medicine, dermatology, cardiology and physiotherapy.
    You answer inside the patient portal: the person who writes is signed in, and everything you
    look up or change belongs to that patient. You cannot see the record of a spouse, a parent or
    a neighbour, and you must not try; whoever needs something for another patient has to sign in
    to that patient's own account. A parent or legal guardian uses the child's account.

    You are not a clinician. Never judge a symptom, name a diagnosis, suggest a dose or tell a
    patient that something can wait. When a patient mentions chest pain, trouble breathing, heavy
    bleeding, sudden weakness or thoughts of self-harm, hand the conversation over to the nurse
    line as urgent symptoms before anything else, and do not book a visit instead.

    Times in the calendars are local times of the practice. Dates are written day, month, year.
    Amounts are in euros. Providers keep their own calendars, and a slot in a calendar has a fixed
    length and a number of seats: one seat for a consultation, several for a group class. Say
    which provider, which day and which time you are talking about; patients often have two visits
    with the same provider close together, and "my appointment" is then not enough. If you cannot
    tell which of several visits is meant, ask before you change anything.
    """,
    dialect=Dialect(
        keys="camel",
        envelope="entity",
        paging="cursor",
        money="number",
        dates="eu",
        duration="iso8601",
        currency="€",
        errors={
            "not_found": "There is no {entity} {id} in the practice's records.",
            "access_denied": "That record belongs to another patient and can't be opened here.",
        },
        verbs={
            "get": "view_{entity}",
            "list": "my_{entities}",
            "search": "browse_{entities}",
            "find": "find_{entity}_by_{column}",
        },
    ),
)

ADULT_AGE = 18
LEAD_HOURS, HORIZON_DAYS = 4, 60
NOTICE_HOURS, CUTOFF_HOURS = 24, 2
MAX_UPCOMING, MAX_MOVES = 2, 2
MAX_NO_SHOWS, NO_SHOW_DAYS = 3, 365
BALANCE_LIMIT = 75_00
CONFIRM_DAYS, FORM_DAYS = 7, 180
MAX_QUEUES, QUEUE_DAYS, OFFER_HOURS = 2, 14, 12
LATE_FEE, LONG_VISIT_FEE, LONG_VISIT = 25_00, 15_00, 40
NO_SHOW_FEE, PAYMENT_DAYS = 40_00, 30
COPAY_PERCENT = {"public": 15, "private": 20, "self_pay": 100}
COPAY_CAP = {"public": 15_00, "private": 30_00}
SEEN_DAYS, EARLY_DAYS = 180, 10
PERCENT = 100
CALENDAR_PAGE, PAGE = 6, 5
NOON = 12

Specialty = Literal["general", "dermatology", "cardiology", "physiotherapy"]
Mode = Literal["on_site", "by_video"]
Reason = Literal[
    "urgent_symptoms",
    "medical_question",
    "short_notice_change",
    "billing_dispute",
    "blocked_account",
    "records_request",
    "complaint",
]
NURSE_REASONS = ("urgent_symptoms", "medical_question")
UPCOMING = ("booked", "confirmed")
PRESENT = ("booked", "confirmed", "checked_in")
QUEUED = ("waiting", "offered")


class Patient(domain.Entity, key=hashed("pat_"), identity=True, label="{name}"):
    """A person registered with the practice. The plan decides the copay; `contact_verified` says
    whether the front desk has checked the e-mail address and telephone number; children have the
    name of a guardian on file."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    phone: Mapped[str] = column(says="telephone number")
    birth_date: Mapped[date] = column(says="date of birth")
    plan: Mapped[Literal["public", "private", "self_pay"]] = column(says="insurance plan")
    contact_verified: Mapped[bool] = column(True, says="verified contact details")
    guardian: Mapped[str | None] = column(None, says="guardian on file")
    guardian_relation: Mapped[Literal["mother", "father", "legal_guardian"] | None] = column(
        None, says="guardian's relation"
    )


class Provider(domain.Entity, key=hashed("prv_", 6), label="{name}"):
    """A doctor or therapist of the practice, with one specialty and an own calendar."""

    name: Mapped[str]
    specialty: Mapped[Specialty]


class VisitType(domain.Entity, key=natural("visit_type_code"), label="{title}"):
    """A kind of visit: its specialty, how long it takes, its fee, whether it needs a referral or
    an intake form, whether it can be held by video, whether it continues a treatment (follow-up),
    and whether it is a group class."""

    visit_type_code: Mapped[str] = column(says="code")
    title: Mapped[str]
    specialty: Mapped[Specialty]
    minutes: Mapped[Minutes] = column(ge=1, says="length")
    fee: Mapped[Money] = column(ge=0)
    needs_referral: Mapped[bool] = column(False, says="referral needed")
    needs_form: Mapped[bool] = column(False, says="intake form needed")
    video: Mapped[bool] = column(False, says="possible by video")
    follow_up: Mapped[bool] = column(False, says="follow-up")
    group: Mapped[bool] = column(False, says="group class")


class Slot(
    domain.Entity,
    key=hashed("slot_"),
    label="the slot on {starts_at:%B %d at %H:%M} with {self.provider.name}",
    shows={"provider_name": "provider.name", "specialty": "provider.specialty"},
):
    """A stretch of a provider's calendar with a number of seats. A seat is taken by a visit, or
    held for a patient from the waitlist who was offered it; `free` counts the seats that can be
    booked now. When a provider is away the practice withdraws a slot, and the front desk itself
    settles the visits and offers in it."""

    provider: Mapped[Provider] = ref()
    starts_at: Mapped[datetime] = column(says="start")
    minutes: Mapped[Minutes] = column(ge=1, says="length")
    seats: Mapped[int] = column(1, ge=1)
    free: Mapped[int] = column(1, ge=0, says="free seats")
    status: Mapped[str] = lifecycle({"open": []}, outside={"open": ["withdrawn"]})


class Referral(
    domain.Entity, key=hashed("ref_"), label="the {specialty} referral from {referred_by}"
):
    """A doctor's letter that allows a number of visits in one specialty until a date."""

    patient: Mapped[Patient] = ref(owner=True)
    specialty: Mapped[Specialty]
    referred_by: Mapped[str] = column(says="referring doctor")
    valid_until: Mapped[date] = column(says="last valid day")
    allowed: Mapped[int] = column(ge=1, says="visits allowed")
    used: Mapped[int] = column(0, ge=0, says="visits used")


class Appointment(
    domain.Entity,
    key=hashed("appt_"),
    label="the {self.visit_type.title} with {self.slot.provider.name} on "
    "{self.slot.starts_at:%B %d at %H:%M}",
    shows={
        "visit": "visit_type.title",
        "specialty": "visit_type.specialty",
        "provider_id": "slot.provider_id",
        "provider_name": "slot.provider.name",
        "starts_at": "slot.starts_at",
        "minutes": "visit_type.minutes",
    },
):
    """A visit of one patient in one seat of a slot. It is booked, then confirmed by the patient
    in the days before; the practice checks the patient in and completes the visit, or records a
    no-show."""

    patient: Mapped[Patient] = ref(owner=True)
    slot: Mapped[Slot] = ref()
    visit_type: Mapped[VisitType] = ref()
    referral: Mapped[Referral | None] = ref()
    mode: Mapped[Mode] = column("on_site", says="mode of the visit")
    copay: Mapped[Money] = column(ge=0)
    booked_at: Mapped[datetime] = column(volatile=True, says="time of booking")
    moves: Mapped[int] = column(0, ge=0, says="number of moves")
    moved_at: Mapped[datetime | None] = column(None, volatile=True, says="time of the last move")
    confirmed_at: Mapped[datetime | None] = column(None, volatile=True, says="time of confirmation")
    cancelled_at: Mapped[datetime | None] = column(None, volatile=True, says="time of cancellation")
    status: Mapped[str] = lifecycle(
        {"booked": ["confirmed", "cancelled"], "confirmed": ["booked", "cancelled"]},
        outside={
            "booked": ["checked_in", "no_show"],
            "confirmed": ["checked_in", "no_show"],
            "checked_in": ["completed"],
        },
    )


class IntakeForm(domain.Entity, key=hashed("form_"), label="the {specialty} intake form"):
    """A questionnaire that a specialty sends before certain visits; the practice withdraws one
    that is not needed."""

    patient: Mapped[Patient] = ref(owner=True)
    specialty: Mapped[Specialty]
    requested_on: Mapped[date] = column(says="day of the request")
    submitted_on: Mapped[date | None] = column(None, says="day of submission")
    allergies: Mapped[Literal["none", "medication", "food", "pollen", "latex"] | None]
    daily_medication: Mapped[bool | None] = column(None, says="daily medication")
    status: Mapped[str] = lifecycle({"requested": ["submitted"]}, outside={"requested": ["lapsed"]})


class WaitlistEntry(
    domain.Entity,
    key=hashed("wait_"),
    label="the waitlist place for the {self.visit_type.title} with {self.provider.name}",
    shows={
        "visit": "visit_type.title",
        "specialty": "visit_type.specialty",
        "provider_name": "provider.name",
    },
):
    """A place in the queue for a provider. When a seat comes free it is offered to the first
    patient in the queue whose visit fits, and held until the offer ends; the front desk releases
    the seat of an offer that lapsed."""

    patient: Mapped[Patient] = ref(owner=True)
    provider: Mapped[Provider] = ref(back="queue")
    visit_type: Mapped[VisitType] = ref()
    joined_at: Mapped[datetime] = column(volatile=True, says="time of joining")
    slot: Mapped[Slot | None] = ref(back="offers", says="offered slot")
    offered_start: Mapped[datetime | None] = column(None, says="offered time")
    offer_until: Mapped[datetime | None] = column(None, says="end of the offer")
    status: Mapped[str] = lifecycle(
        {"waiting": ["offered", "left"], "offered": ["accepted", "declined"]},
        outside={"offered": ["lapsed"]},
    )


class Invoice(
    domain.Entity,
    key=hashed("inv_"),
    label="the invoice for {self.appointment}",
    shows={"visit": "appointment.visit_type.title", "visit_start": "appointment.slot.starts_at"},
):
    """Money a patient owes: the copay of a completed visit, or the fee for a late cancellation or
    a no-show. The front desk alone can waive an invoice."""

    patient: Mapped[Patient] = ref(owner=True)
    appointment: Mapped[Appointment] = ref()
    kind: Mapped[Literal["copay", "late_cancellation", "no_show"]]
    amount: Mapped[Money] = column(ge=1)
    paid: Mapped[Money] = column(0, ge=0, says="amount paid")
    issued_at: Mapped[datetime] = column(volatile=True, says="time of issue")
    due_on: Mapped[date] = column(says="due date")
    status: Mapped[str] = lifecycle({"open": ["paid"]}, outside={"open": ["waived"]})


class Payment(
    domain.Entity,
    key=hashed("pmt_"),
    label="the payment of {amount} cents",
    shows={"kind": "invoice.kind"},
):
    """Money received for one invoice with the card that the patient keeps on file."""

    patient: Mapped[Patient] = ref(owner=True)
    invoice: Mapped[Invoice] = ref()
    amount: Mapped[Money] = column(ge=1)
    received_at: Mapped[datetime] = column(volatile=True, says="time of payment")


class Prescription(
    domain.Entity,
    key=hashed("rx_"),
    label="the prescription for {medication}",
    shows={"prescriber": "provider.name"},
):
    """A medicine that a provider prescribes for regular use. Controlled substances are marked."""

    patient: Mapped[Patient] = ref(owner=True)
    provider: Mapped[Provider] = ref()
    medication: Mapped[str]
    dose: Mapped[str]
    controlled: Mapped[bool] = column(False, says="controlled substance")
    runs_out_on: Mapped[date] = column(says="day the supply runs out")
    status: Mapped[str] = lifecycle({"active": []}, outside={"active": ["ended"]})


class RenewalRequest(
    domain.Entity,
    key=hashed("ren_"),
    label="the renewal request for {self.prescription.medication}",
    shows={"medication": "prescription.medication"},
):
    """A patient's wish to have a prescription renewed; its prescriber approves or refuses it."""

    patient: Mapped[Patient] = ref(owner=True)
    prescription: Mapped[Prescription] = ref()
    requested_on: Mapped[date] = column(says="day of the request")
    status: Mapped[str] = lifecycle({"pending": []}, outside={"pending": ["approved", "refused"]})


class HandOver(domain.Entity, key=hashed("ho_"), label="the hand-over about {reason}"):
    """A conversation passed to the nurse line or the front desk, open until a colleague has
    answered it."""

    patient: Mapped[Patient] = ref(owner=True)
    reason: Mapped[Reason]
    team: Mapped[Literal["nurse_line", "front_desk"]]
    opened_at: Mapped[datetime] = column(volatile=True, says="time of the hand-over")
    status: Mapped[str] = lifecycle({"open": []}, outside={"open": ["answered"]})


@domain.helper
def ends_at(start: datetime, minutes: Minutes) -> datetime:
    """A visit ends as many minutes after its start as its kind of visit takes.

    >>> ends_at(datetime(2026, 4, 14, 9, 30), 40)
    datetime.datetime(2026, 4, 14, 10, 10)
    """
    return start + timedelta(minutes=minutes)


@domain.helper
def overlaps(start: datetime, minutes: Minutes, other: datetime, other_minutes: Minutes) -> bool:
    """Two visits overlap when each starts before the other ends; visits back to back do not
    overlap.

    >>> nine, half_past = datetime(2026, 4, 14, 9, 0), datetime(2026, 4, 14, 9, 30)
    >>> overlaps(nine, 40, half_past, 20), overlaps(nine, 30, half_past, 20)
    (True, False)
    >>> overlaps(half_past, 20, nine, 30), overlaps(half_past, 20, nine, 31)
    (False, True)
    """
    return start < ends_at(other, other_minutes) and other < ends_at(start, minutes)


@domain.helper
def late_fee(minutes: Minutes, starts_at: datetime, at: datetime) -> Money:
    """A visit cancelled with less than {NOTICE_HOURS} hours' notice costs {LATE_FEE:money}, and
    {LONG_VISIT_FEE:money} more if it takes {LONG_VISIT} minutes or longer; with more notice it
    costs nothing.

    >>> at = datetime(2026, 4, 13, 9, 0)
    >>> late_fee(20, datetime(2026, 4, 14, 8, 59), at), late_fee(40, datetime(2026, 4, 13, 12), at)
    (2500, 4000)
    >>> late_fee(40, datetime(2026, 4, 14, 9, 0), at)
    0
    """
    if starts_at - at >= timedelta(hours=NOTICE_HOURS):
        return 0
    return LATE_FEE + (LONG_VISIT_FEE if minutes >= LONG_VISIT else 0)


@domain.helper
def copay_for(plan: str, fee: Money) -> Money:
    """The copay is {COPAY_PERCENT[public]} percent of the fee for public plans (at most
    {COPAY_CAP[public]:money}), {COPAY_PERCENT[private]} percent for private plans (at most
    {COPAY_CAP[private]:money}), and the whole fee for patients who pay themselves.

    >>> copay_for("public", 9500), copay_for("public", 16000), copay_for("private", 7000)
    (1425, 1500, 1400)
    >>> copay_for("self_pay", 7000)
    7000
    """
    return min(fee * COPAY_PERCENT[plan] // PERCENT, COPAY_CAP.get(plan, fee))


@domain.helper
def age_on(birth_date: date, day: date) -> int:
    """A person's age in whole years on a day.

    >>> age_on(date(2008, 4, 14), date(2026, 4, 13)), age_on(date(2008, 4, 13), date(2026, 4, 13))
    (17, 18)
    """
    had_birthday = (day.month, day.day) >= (birth_date.month, birth_date.day)
    return day.year - birth_date.year - (0 if had_birthday else 1)


def has_notice(starts_at: datetime, now: datetime, hours: int) -> bool:
    """Whether a visit is at least so many hours away.

    >>> has_notice(datetime(2026, 4, 14, 9, 0), datetime(2026, 4, 13, 9, 0), 24)
    True
    >>> has_notice(datetime(2026, 4, 14, 8, 59), datetime(2026, 4, 13, 9, 0), 24)
    False
    """
    return starts_at - now >= timedelta(hours=hours)


def is_within(starts_at: datetime, now: datetime, days: int) -> bool:
    """Whether something starts at most so many days from now.

    >>> is_within(datetime(2026, 4, 20, 9, 0), datetime(2026, 4, 13, 9, 0), 7)
    True
    >>> is_within(datetime(2026, 4, 20, 9, 1), datetime(2026, 4, 13, 9, 0), 7)
    False
    """
    return starts_at - now <= timedelta(days=days)


def in_booking_period(starts_at: datetime, now: datetime) -> bool:
    """Whether the portal can book a slot now: not too soon, not too far away.

    >>> now = datetime(2026, 4, 13, 9, 0)
    >>> in_booking_period(datetime(2026, 4, 13, 13, 0), now)
    True
    >>> in_booking_period(datetime(2026, 4, 13, 12, 59), now)
    False
    >>> in_booking_period(datetime(2026, 6, 12, 9, 0), now)
    True
    >>> in_booking_period(datetime(2026, 6, 12, 9, 1), now)
    False
    """
    return has_notice(starts_at, now, LEAD_HOURS) and is_within(starts_at, now, HORIZON_DAYS)


def is_under_age(birth_date: date, day: date) -> bool:
    """Whether somebody is a child on a day.

    >>> is_under_age(date(2008, 4, 14), date(2026, 4, 13))
    True
    >>> is_under_age(date(2008, 4, 13), date(2026, 4, 13))
    False
    """
    return age_on(birth_date, day) < ADULT_AGE


def may_act(birth_date: date, guardian: str | None, day: date) -> bool:
    """Whether a patient is of age or has a guardian on file.

    >>> day = date(2026, 4, 13)
    >>> may_act(date(1980, 3, 14), None, day), may_act(date(2012, 3, 14), "Marta Lind", day)
    (True, True)
    >>> may_act(date(2012, 3, 14), None, day)
    False
    """
    return not is_under_age(birth_date, day) or guardian is not None


def visit_returns(has_referral: bool, fee: Money) -> bool:
    """Whether cancelling gives a visit back to its referral.

    >>> visit_returns(True, 0), visit_returns(True, 2500), visit_returns(False, 0)
    (True, False, False)
    """
    return has_referral and not fee


def place_in(line: list[str], entry: str) -> int:
    """The place of an entry in a queue, counted from its head.

    >>> place_in(["wait_a", "wait_b"], "wait_a"), place_in(["wait_a", "wait_b"], "wait_b")
    (1, 2)
    """
    return line.index(entry) + 1


def half_of_day(at: datetime) -> str:
    """The half of the day in which a slot starts.

    >>> half_of_day(datetime(2026, 4, 14, 11, 59)), half_of_day(datetime(2026, 4, 14, 12, 0))
    ('morning', 'afternoon')
    """
    return "morning" if at.hour < NOON else "afternoon"


def payment_due(day: date) -> date:
    """The day by which an invoice of a day has to be paid.

    >>> str(payment_due(date(2026, 4, 13)))
    '2026-05-13'
    """
    return day + timedelta(days=PAYMENT_DAYS)


def owed(patient):
    return sum(i.amount - i.paid for i in patient.invoices if i.status == "open")


def guardian_names(patient):
    """A parent of the same family name."""
    family = patient.name.split()[-1]
    return [f"{first} {family}" for first in ("Robin", "Kim", "Alex")]


def slots_for(db, visit_type):
    """Slots that a patient may want: those ahead in the visit's specialty, and one elsewhere."""
    ahead = [s for s in db.all(Slot) if s.starts_at > db.now]
    here = [s for s in ahead if s.provider.specialty == visit_type.specialty]
    return here + [s for s in ahead if s.provider.specialty != visit_type.specialty][:1]


def new_slots_for(db, appointment):
    """Slots that a patient may want instead: the provider's own ahead, and some with others."""
    provider = appointment.slot.provider
    own = [s for s in provider.slots if s.starts_at > db.now]
    others = [s for s in slots_for(db, appointment.visit_type) if s.provider is not provider]
    return own + others[: len(own) // 2 + 1]


def referrals_for(patient, visit_type):
    """Referrals that a patient may bring along for a visit; None if there is none to bring."""
    fitting = [r for r in patient.referrals if r.specialty == visit_type.specialty]
    return fitting if visit_type.needs_referral and fitting else [None]


def amounts_for(invoice):
    """What a patient may want to pay: all that is open, half of it, or more than that."""
    rest = invoice.amount - invoice.paid
    return [cents for cents in (rest, rest // 2, rest + LATE_FEE) if cents > 0]


def owed_at(patient, moment):
    """What was open just before a moment: payments of that moment count already, invoices of it
    do not yet."""
    return sum(
        i.amount - sum(p.amount for p in i.payments if p.received_at <= moment)
        for i in patient.invoices
        if i.status != "waived" and i.issued_at < moment
    )


def no_shows_at(patient, moment):
    earliest = moment - timedelta(days=NO_SHOW_DAYS)
    return sum(
        a.status == "no_show" and earliest <= a.slot.starts_at < moment
        for a in patient.appointments
    )


def upcoming_in(patient, specialty):
    return [
        a
        for a in patient.appointments
        if a.status in UPCOMING and a.visit_type.specialty == specialty
    ]


def queued(patient):
    return [e for e in patient.waitlist_entries if e.status in QUEUED]


def clashes(patient, slot, visit_type):
    """The patient's visits that overlap a visit of this kind in this slot."""
    return [
        a
        for a in patient.appointments
        if a.status in PRESENT
        and overlaps(slot.starts_at, visit_type.minutes, a.slot.starts_at, a.visit_type.minutes)
    ]


def last_seen_by(patient, specialty):
    """The provider of the patient's last completed visit in a specialty, or None."""
    seen = [
        a
        for a in patient.appointments
        if a.status == "completed" and a.visit_type.specialty == specialty
    ]
    return max(seen, key=lambda a: a.slot.starts_at).slot.provider if seen else None


def has_form(patient, specialty, day):
    """Whether a form of the specialty was submitted and is still valid on a day."""
    return any(
        f.specialty == specialty
        and f.status == "submitted"
        and f.submitted_on + timedelta(days=FORM_DAYS) >= day
        for f in patient.intake_forms
    )


def bookable(slot, now):
    """Whether the slot is open with a seat, and neither too soon nor too far away."""
    return slot.status == "open" and slot.free > 0 and in_booking_period(slot.starts_at, now)


def fits(slot, visit_type):
    return (
        slot.provider.specialty == visit_type.specialty
        and slot.minutes >= visit_type.minutes
        and (slot.seats > 1) == visit_type.group
    )


def in_line(provider):
    """The patients waiting for a provider, first come first served."""
    waiting = [e for e in provider.queue if e.status == "waiting"]
    return sorted(waiting, key=lambda e: (e.joined_at, e.id))


def give_back_seat(db, slot, leaving):
    """Offer a freed seat to the first other patient in the provider's queue whose visit fits;
    else it is free."""
    until = db.now + timedelta(hours=OFFER_HOURS)
    if slot.status == "open" and until + timedelta(hours=LEAD_HOURS) <= slot.starts_at:
        for entry in in_line(slot.provider):
            if entry.patient is not leaving and fits(slot, entry.visit_type):
                entry.status, entry.slot = "offered", slot
                entry.offered_start, entry.offer_until = slot.starts_at, until
                return
    slot.free += 1


# What words a refusal uses when it names a rule; each list is one group of a rule's concepts.
AREA = [
    "specialty", "dermatology", "cardiology", "physiotherapy", "general medicine", "department",
    "field",
]  # fmt: skip
LIMIT = ["limit", "maximum", "at most", "no more than", "two", "third"]
REFERRAL = ["referral", "referred"]
QUEUE = ["waitlist", "waiting list", "wait list", "queue", "in line"]
OVERLAP = [
    "overlap", "clash", "conflict", "collide", "coincide", "same time", "at that time",
    "double booked", "two places",
]  # fmt: skip
CHANGE_OF_PROVIDER = [
    "same provider", "same doctor", "same therapist", "another provider", "another doctor",
    "other provider", "other doctor", "different provider", "different doctor", "change provider",
    "change the provider", "change of provider", "switch provider",
]  # fmt: skip

# Who may book -------------------------------------------------------------------------------------


@domain.rule(
    governs=["book_appointment", "join_waitlist"],
    because=[
        "the front desk has not verified your contact details yet",
        "we have no verified e-mail address and telephone number for you",
    ],
    concepts=[
        ["contact", "email", "phone", "telephone"],
        ["verify", "verified", "check", "checked", "confirm", "confirmed"],
    ],
    remedy="hand_over",
)
def contact_verified(patient: Patient) -> bool:
    """Only patients whose contact details the front desk has verified can book a visit or join a
    waitlist themselves; the front desk does that at the counter or by telephone."""
    return patient.contact_verified


@domain.rule(
    governs=["book_appointment", "join_waitlist", "accept_offer"],
    because=[
        "{MAX_NO_SHOWS} or more visits were missed in the last {NO_SHOW_DAYS} days",
        "there are too many no-shows on your record",
    ],
    concepts=[
        [
            "no-show",
            "no show",
            "missed",
            "did not come",
            "didn't come",
            "not attended",
            "didn't attend",
            "didn't show up",
        ]
    ],
    remedy="hand_over",
)
def no_shows_below_limit(db, patient: Patient) -> bool:
    """A patient with {MAX_NO_SHOWS} or more no-shows within the last {NO_SHOW_DAYS} days can no
    longer book, queue or accept an offer in the portal. Nothing in the portal lifts this block;
    only the front desk can."""
    return no_shows_at(patient, db.now) < MAX_NO_SHOWS


@domain.rule(
    governs=["book_appointment", "accept_offer"],
    because=[
        "your open invoices come to {BALANCE_LIMIT:money} or more",
        "the unpaid balance has reached {BALANCE_LIMIT:money}",
    ],
    concepts=[["balance", "invoice", "unpaid", "owe", "owed", "outstanding", "bill", "debt"]],
    remedy="pay_invoice",
)
def balance_below_limit(patient: Patient) -> bool:
    """A patient whose open invoices come to {BALANCE_LIMIT:money} or more has to bring the
    balance below that before a visit is booked or an offered seat accepted. Paying one invoice is
    enough if what remains is below the limit."""
    return owed(patient) < BALANCE_LIMIT


@domain.rule(
    governs=["book_appointment", "join_waitlist"],
    because=[
        "the patient is under {ADULT_AGE} and no guardian is on file",
        "there is no parent or guardian on file for this child",
    ],
    concepts=[["guardian", "parent", "mother", "father"]],
    remedy="add_guardian",
)
def guardian_on_file(db, patient: Patient) -> bool:
    """A patient under {ADULT_AGE} needs a guardian on file before a visit is booked or a waitlist
    joined."""
    return may_act(patient.birth_date, patient.guardian, db.today)


@domain.rule(
    governs=["book_appointment", "accept_offer"],
    because=[
        "you already have {MAX_UPCOMING} visits coming up in that specialty",
        "the limit of {MAX_UPCOMING} upcoming visits in one specialty is reached",
    ],
    concepts=[["upcoming", "coming up", "booked", "planned", "ahead"], [*LIMIT, "{MAX_UPCOMING}"]],
    remedy="cancel_appointment",
)
def specialty_limit(patient: Patient, visit_type: VisitType) -> bool:
    """A patient can have at most {MAX_UPCOMING} upcoming visits (booked or confirmed) in one
    specialty. Another one can be booked once one of them is over or has been cancelled."""
    return len(upcoming_in(patient, visit_type.specialty)) < MAX_UPCOMING


# Slots and times ----------------------------------------------------------------------------------


@domain.rule(
    governs=["book_appointment", "reschedule_appointment"],
    because=["that slot has no free seat", "all seats of that slot are taken"],
    concepts=[
        [
            "full",
            "booked out",
            "booked up",
            "is taken",
            "are taken",
            "been taken",
            "already taken",
            "occupied",
            "no free",
            "free seat",
            "no seat",
            "no place",
            "not free",
            "no longer free",
        ]
    ],
)
def seat_free(slot: Slot) -> bool:
    """A visit can only be put in a slot with a free seat; a seat that is held for a patient on
    the waitlist is not free."""
    return slot.free > 0


@domain.rule(
    governs=["book_appointment", "reschedule_appointment"],
    parts=[
        part(
            "far_enough_ahead",
            lambda db, slot: slot.starts_at - db.now >= timedelta(hours=LEAD_HOURS),
            because=["that slot starts in less than {LEAD_HOURS} hours"],
            concepts=[["hour", "hours", "too soon", "short notice", "shortly"]],
        ),
        part(
            "within_horizon",
            lambda db, slot: slot.starts_at - db.now <= timedelta(days=HORIZON_DAYS),
            because=["that slot is more than {HORIZON_DAYS} days away"],
            concepts=[
                ["{HORIZON_DAYS}", "sixty", "far", "in advance", "not open yet", "two months"]
            ],
        ),
    ],
)
def bookable_time(db, slot: Slot) -> bool:
    """A slot can be taken in the portal from {HORIZON_DAYS} days before it starts until
    {LEAD_HOURS} hours before it starts."""
    return in_booking_period(slot.starts_at, db.now)


@domain.rule(
    governs=["book_appointment", "reschedule_appointment"],
    parts=[
        part(
            "right_specialty",
            lambda slot, visit_type: slot.provider.specialty == visit_type.specialty,
            because=["{slot.provider.name} works in another specialty"],
            concepts=[AREA],
        ),
        part(
            "long_enough",
            lambda slot, visit_type: slot.minutes >= visit_type.minutes,
            because=["the slot is shorter than the visit takes"],
            concepts=[["short", "shorter", "long enough", "longer", "length", "minutes"]],
        ),
        part(
            "group_or_single",
            lambda slot, visit_type: (slot.seats > 1) == visit_type.group,
            because=["group classes have slots of their own, and other visits are not held there"],
            concepts=[["group", "class", "single", "individual"]],
        ),
    ],
)
def slot_suits_visit(slot: Slot, visit_type: VisitType) -> bool:
    """The slot has to belong to a provider of the visit's specialty and be at least as long as
    the visit takes. Group classes are held only in slots with several seats, and all other visits
    only in slots with one seat."""
    return fits(slot, visit_type)


@domain.rule(
    governs=["book_appointment", "accept_offer"],
    because=["it overlaps another visit of yours", "you already have a visit at that time"],
    concepts=[OVERLAP],
    remedy="cancel_appointment",
)
def no_overlap(patient: Patient, slot: Slot, visit_type: VisitType) -> bool:
    """Nobody can be in two places: a new visit must not overlap another visit of the same
    patient, counted from its start for as long as that kind of visit takes. Visits back to back
    are fine."""
    return slot is None or not clashes(patient, slot, visit_type)


@domain.rule(
    governs=["reschedule_appointment"],
    because=["the new time overlaps another visit of yours"],
    concepts=[OVERLAP],
    remedy="cancel_appointment",
)
def new_time_free(appointment: Appointment, slot: Slot) -> bool:
    """A visit cannot be moved to where it would overlap another visit of the same patient; its
    own old time does not count."""
    others = clashes(appointment.patient, slot, appointment.visit_type)
    return all(a is appointment for a in others)


@domain.rule(
    governs=["reschedule_appointment"],
    because=["the visit is in that slot already", "that is the time you already have"],
    concepts=[
        [
            "same slot",
            "another slot",
            "in that slot",
            "in this slot",
            "current slot",
            "time you already have",
            "already at that time",
        ]
    ],
)
def another_slot(appointment: Appointment, slot: Slot) -> bool:
    """A visit is moved to another slot than the one it has."""
    return appointment.slot is not slot


# Referrals and the way of the visit ---------------------------------------------------------------


@domain.rule(
    governs=["book_appointment"],
    parts=[
        part(
            "given",
            lambda visit_type, referral: referral is not None or not visit_type.needs_referral,
            because=["a {visit_type.title} needs a referral, and none was named"],
            concepts=[REFERRAL, ["needs", "need", "requires", "required", "without", "missing"]],
        ),
        part(
            "needed",
            lambda visit_type, referral: referral is None or visit_type.needs_referral,
            because=["a {visit_type.title} is booked without a referral"],
            concepts=[REFERRAL, ["without", "no referral", "unnecessary", "superfluous"]],
        ),
        part(
            "same_specialty",
            lambda visit_type, referral: (
                referral is None or referral.specialty == visit_type.specialty
            ),
            because=["the referral is for another specialty"],
            concepts=[REFERRAL, [*AREA, "another", "different", "other", "not for"]],
        ),
    ],
)
def referral_matches(visit_type: VisitType, referral: Referral | None) -> bool:
    """A visit type marked as needing a referral is booked with one of the patient's referrals for
    that specialty; all others are booked without one."""
    if referral is None:
        return not visit_type.needs_referral
    return visit_type.needs_referral and referral.specialty == visit_type.specialty


@domain.rule(
    governs=["book_appointment", "reschedule_appointment"],
    because=[
        "the referral is no longer valid on that day",
        "the referral runs out before the day of the visit",
    ],
    concepts=[
        REFERRAL,
        ["valid", "expire", "expired", "runs out", "run out", "lapsed", "ends", "until"],
    ],
)
def referral_valid_that_day(referral: Referral | None, slot: Slot) -> bool:
    """The referral of a visit that needs one must still be valid on the day of the visit, not
    just on the day of booking; the same holds for the new day when such a visit is moved."""
    return referral is None or slot.starts_at.date() <= referral.valid_until


@domain.rule(
    governs=["book_appointment"],
    because=["no visits are left on the referral", "all visits of the referral are used"],
    concepts=[
        REFERRAL,
        ["left", "used up", "are used", "been used", "remaining", "no more", "exhausted"],
    ],
    remedy="cancel_appointment",
)
def referral_visits_left(referral: Referral | None) -> bool:
    """A referral has to have visits left. Each booking uses one; cancelling with full notice gives
    it back, a late cancellation or a no-show does not."""
    return referral is None or referral.used < referral.allowed


@domain.rule(
    governs=["book_appointment"],
    because=["a {visit_type.title} is not possible by video"],
    concepts=[["video", "telehealth", "remote", "remotely", "on site", "in person"]],
)
def video_possible(visit_type: VisitType, mode: str) -> bool:
    """Only visit types marked as possible by video can be booked by video; all others are held on
    site."""
    return mode == "on_site" or visit_type.video


# Changing, cancelling, confirming -----------------------------------------------------------------


@domain.rule(
    governs=["reschedule_appointment"],
    because=[
        "the visit starts in less than {NOTICE_HOURS} hours",
        "moving a visit takes {NOTICE_HOURS} hours' notice",
    ],
    concepts=[
        [
            "{NOTICE_HOURS} hours",
            "a day's notice",
            "one day's notice",
            "notice",
            "day before",
            "within a day",
        ]
    ],
    remedy="cancel_appointment",
)
def notice_to_move(db, appointment: Appointment) -> bool:
    """A visit can be moved until {NOTICE_HOURS} hours before it starts. After that it can only be
    cancelled, for a fee."""
    return has_notice(appointment.slot.starts_at, db.now, NOTICE_HOURS)


@domain.rule(
    governs=["reschedule_appointment"],
    because=[
        "it has already been moved {appointment.moves} times",
        "a visit can be moved only {MAX_MOVES} times",
    ],
    concepts=[
        ["move", "moved", "reschedule", "rescheduled", "change", "changed"],
        ["times", "twice", "again", "once more", "limit", "maximum", "at most", "{MAX_MOVES}"],
    ],
    remedy="cancel_appointment",
)
def moves_left(appointment: Appointment) -> bool:
    """One visit can be moved at most {MAX_MOVES} times; then it is kept, or cancelled and booked
    anew."""
    return appointment.moves < MAX_MOVES


@domain.rule(
    governs=["cancel_appointment"],
    because=[
        "the visit starts in less than {CUTOFF_HOURS} hours",
        "the portal closes for a visit {CUTOFF_HOURS} hours before it starts",
    ],
    concepts=[["hour", "hours", "about to start", "minutes", "too late", "too close"]],
    remedy="hand_over",
)
def before_cutoff(db, appointment: Appointment) -> bool:
    """The portal can cancel a visit until {CUTOFF_HOURS} hours before it starts. Later than that,
    hand over to the front desk as a short-notice change."""
    return has_notice(appointment.slot.starts_at, db.now, CUTOFF_HOURS)


@domain.rule(
    governs=["confirm_appointment"],
    because=[
        "a visit can be confirmed only in the {CONFIRM_DAYS} days before it",
        "the visit is more than {CONFIRM_DAYS} days away",
    ],
    concepts=[
        [
            "{CONFIRM_DAYS} days",
            "seven days",
            "a week",
            "too early",
            "too soon",
            "not yet",
            "earlier",
        ]
    ],
)
def time_to_confirm(db, appointment: Appointment) -> bool:
    """A visit is confirmed in the {CONFIRM_DAYS} days before it, not earlier."""
    return is_within(appointment.slot.starts_at, db.now, CONFIRM_DAYS)


@domain.rule(
    governs=["confirm_appointment"],
    because=["the intake form has not been handed in", "we have no valid intake form for it"],
    concepts=[["form", "questionnaire"]],
    remedy="submit_form",
)
def form_received(appointment: Appointment) -> bool:
    """A visit whose type needs an intake form is confirmed only when a form for its specialty was
    submitted and is still valid on the day of the visit; a submitted form is valid for
    {FORM_DAYS} days."""
    if not appointment.visit_type.needs_form:
        return True
    day = appointment.slot.starts_at.date()
    return has_form(appointment.patient, appointment.visit_type.specialty, day)


# Waitlist -----------------------------------------------------------------------------------------


@domain.rule(
    governs=["join_waitlist"],
    because=[
        "{provider.name} still has a free slot in the next {QUEUE_DAYS} days",
        "there is a free seat within {QUEUE_DAYS} days that can simply be booked",
    ],
    concepts=[["free", "available", "open"], ["slot", "seat", "appointment", "time", "calendar"]],
    remedy="book_appointment",
)
def calendar_full(db, provider: Provider, visit_type: VisitType) -> bool:
    """The waitlist is for full calendars: a patient joins it only if the provider has no free
    seat for that kind of visit in the next {QUEUE_DAYS} days. Otherwise, offer to book the free
    seat."""
    return not any(
        fits(s, visit_type) and bookable(s, db.now) and is_within(s.starts_at, db.now, QUEUE_DAYS)
        for s in provider.slots
    )


@domain.rule(
    governs=["join_waitlist"],
    because=[
        "you already have {MAX_QUEUES} places on waitlists",
        "the limit of {MAX_QUEUES} waitlist places is reached",
    ],
    concepts=[QUEUE, [*LIMIT, "{MAX_QUEUES}", "both"]],
    remedy="leave_waitlist",
)
def below_queue_limit(patient: Patient) -> bool:
    """A patient can be on at most {MAX_QUEUES} waitlists at a time; an offer that is still open
    counts."""
    return len(queued(patient)) < MAX_QUEUES


@domain.rule(
    governs=["join_waitlist"],
    parts=[
        part(
            "right_specialty",
            lambda provider, visit_type: provider.specialty == visit_type.specialty,
            because=["{provider.name} works in another specialty"],
            concepts=[AREA],
        ),
        part(
            "single_visit",
            lambda visit_type: not visit_type.group,
            because=["there is no waitlist for group classes"],
            concepts=[["group", "class"]],
        ),
        part(
            "no_referral",
            lambda visit_type: not visit_type.needs_referral,
            because=["visits with a referral are not put on a waitlist"],
            concepts=[REFERRAL],
        ),
    ],
)
def can_be_queued(provider: Provider, visit_type: VisitType) -> bool:
    """A waitlist place is for one kind of visit with a provider of its specialty. There are no
    waitlists for group classes, nor for visits that need a referral: the front desk places
    those."""
    same = provider.specialty == visit_type.specialty
    return same and not (visit_type.group or visit_type.needs_referral)


@domain.rule(
    governs=["accept_offer"],
    because=["the offer has ended", "the time to accept the offer is over"],
    concepts=[["offer", "offered"], ["ended", "over", "expired", "no longer", "ran out", "lapsed"]],
)
def offer_stands(db, waitlist_entry: WaitlistEntry) -> bool:
    """A seat is held for {OFFER_HOURS} hours after it came free; an offer that has ended can no
    longer be accepted."""
    return waitlist_entry.offer_until is None or db.now <= waitlist_entry.offer_until


# Money, medicine, hand-over -----------------------------------------------------------------------


@domain.rule(
    governs=["pay_invoice"],
    because=["that is more than is still open on the invoice"],
    concepts=[
        ["more than", "exceed", "too much", "only", "higher", "larger", "over"],
        ["open", "owe", "outstanding", "due", "left", "remain", "balance"],
    ],
)
def not_more_than_open(invoice: Invoice, amount: Money) -> bool:
    """A payment goes to one invoice and must not be more than what is still open on it. Payments
    in part are fine."""
    return amount <= invoice.amount - invoice.paid


@domain.rule(
    governs=["request_renewal"],
    because=[
        "a renewal of that medicine has already been asked for",
        "a request for that prescription is still pending",
    ],
    concepts=[
        ["pending", "already", "still waiting", "still open", "in progress"],
        ["request", "renewal", "asked"],
    ],
)
def no_pending_renewal(prescription: Prescription) -> bool:
    """There is at most one pending renewal request for a prescription."""
    return all(r.status != "pending" for r in prescription.renewal_requests)


@domain.rule(
    governs=["request_renewal"],
    because=[
        "your supply lasts more than another {EARLY_DAYS} days",
        "it is too early: your supply runs out on {prescription.runs_out_on}",
    ],
    concepts=[["early", "supply", "runs out", "lasts", "enough"]],
)
def supply_nearly_out(db, prescription: Prescription) -> bool:
    """A renewal can be requested when the supply runs out within {EARLY_DAYS} days, or has run
    out."""
    return prescription.runs_out_on - db.today <= timedelta(days=EARLY_DAYS)


@domain.rule(
    governs=["request_renewal"],
    because=[
        "{prescription.provider.name} has not seen you in the last {SEEN_DAYS} days",
        "your last visit with the prescriber is more than {SEEN_DAYS} days ago",
    ],
    concepts=[
        ["seen", "see", "visit", "appointment"],
        ["{SEEN_DAYS}", "last", "recently", "ago", "six months", "too long", "first"],
    ],
    remedy="book_appointment",
)
def seen_recently(db, prescription: Prescription) -> bool:
    """A prescription is renewed only if its prescriber has seen the patient, in a completed
    visit, within the last {SEEN_DAYS} days. Otherwise the patient needs a visit with the
    prescriber first."""
    earliest = db.now - timedelta(days=SEEN_DAYS)
    return any(
        a.status == "completed"
        and a.slot.provider is prescription.provider
        and a.slot.starts_at >= earliest
        for a in prescription.patient.appointments
    )


@domain.rule(
    governs=["add_guardian"],
    because=["the patient is of age", "only patients under {ADULT_AGE} have a guardian on file"],
    concepts=[["adult", "of age", "under {ADULT_AGE}", "minor", "child", "grown up"]],
)
def is_minor(db, patient: Patient) -> bool:
    """A guardian is put on file only for patients under {ADULT_AGE}."""
    return is_under_age(patient.birth_date, db.today)


@domain.rule(
    governs=["add_guardian"],
    because=["that guardian is on file already"],
    concepts=[["already", "same", "again"], ["guardian", "mother", "father", "parent"]],
)
def guardian_is_new(patient: Patient, guardian: str, relation: str) -> bool:
    """A guardian who is on file with the same relation is not put on file again."""
    return (guardian, relation) != (patient.guardian, patient.guardian_relation)


@domain.rule(
    governs=["hand_over"],
    because=[
        "a colleague has been told about this already and will get back to you",
        "there is an open hand-over for the same reason",
    ],
    concepts=[
        ["already", "open", "again", "twice"],
        [
            "hand",
            "handed",
            "hand-over",
            "passed",
            "pass",
            "colleague",
            "told",
            "front desk",
            "nurse line",
        ],
    ],
)
def not_handed_over_yet(patient: Patient, reason: str) -> bool:
    """A conversation is not handed over again while a hand-over for the same reason is open."""
    return all(h.status != "open" or h.reason != reason for h in patient.hand_overs)


# Left to the assistant ----------------------------------------------------------------------------

CONFIRMED = [
    "book_appointment", "reschedule_appointment", "cancel_appointment", "accept_offer",
    "pay_invoice",
]  # fmt: skip


@domain.rule(
    by="agent",
    kind="confirmation",
    governs=CONFIRMED,
    because=["I need your explicit yes to these details first"],
    concepts=[["confirm", "yes", "go ahead", "agree"]],
)
def details_confirmed(log) -> bool:
    """Before you book, move or cancel a visit or accept an offered seat, state the kind of visit,
    the provider, the date and the time, and before you take a payment state the amount and the
    invoice; then wait for an explicit yes. A yes given before a detail changed is no yes."""
    return log.confirmed()


@domain.rule(
    by="agent",
    kind="identification",
    governs=["request_renewal", "submit_form", "add_guardian"],
    because=["I have to check your date of birth before I touch medical or family details"],
    concepts=[["date of birth", "birth date", "birthday", "born"]],
)
def birth_date_given(log, patient: Patient) -> bool:
    """Being signed in is enough for calendars and invoices, but not for medical and family
    details: before a renewal request, an intake form or a guardian entry, ask for the patient's
    date of birth and compare it with the profile. Never read the date out."""
    return log.identified(patient, "birth_date")


@domain.rule(
    by="agent",
    governs=["book_appointment"],
    because=[
        "a {visit_type.title} stays with the provider who saw you last",
        "follow-ups are booked with the provider who has been treating you",
    ],
    concepts=[
        ["follow-up", "continue", "stay with", "stays with", "same", "last", "treating", "treated"],
        ["provider", "doctor", "therapist", "saw you", "who"],
    ],
)
def same_provider_for_follow_up(patient: Patient, slot: Slot, visit_type: VisitType) -> bool:
    """Follow-up visit types continue a treatment: book them only with the provider of the
    patient's last completed visit in that specialty. If the patient has not been seen in the
    specialty yet, any provider of it will do."""
    if not visit_type.follow_up:
        return True
    return last_seen_by(patient, visit_type.specialty) in (None, slot.provider)


@domain.rule(
    by="agent",
    governs=["reschedule_appointment"],
    because=[
        "a visit is moved only within the same provider's calendar",
        "moving it to another provider would be a new booking",
    ],
    concepts=[[*CHANGE_OF_PROVIDER, "provider's calendar", "new booking"]],
    remedy="cancel_appointment",
)
def same_provider_when_moved(appointment: Appointment, slot: Slot) -> bool:
    """A visit is moved only within the calendar of the same provider. A patient who wants another
    provider cancels the visit and books a new one."""
    return appointment.slot.provider is slot.provider


@domain.rule(
    by="agent",
    governs=["join_waitlist"],
    because=[
        "you already have a waitlist place in that specialty",
        "we offer the waitlist only once for each specialty",
    ],
    concepts=[QUEUE, [*AREA, "once", "one place", "second"]],
    remedy="leave_waitlist",
)
def one_queue_a_specialty(patient: Patient, visit_type: VisitType) -> bool:
    """Offer the waitlist only once for each specialty: a patient who waits for, or holds an offer
    from, one provider of a specialty is not put in the queue of a second one."""
    return all(e.visit_type.specialty != visit_type.specialty for e in queued(patient))


@domain.rule(
    by="agent",
    governs=["pay_invoice"],
    because=["the invoice that is due first is paid first", "an older invoice is still open"],
    concepts=[["first", "oldest", "older", "earlier", "before"], ["invoice", "due", "bill", "one"]],
    remedy="pay_invoice",
)
def oldest_invoice_first(invoice: Invoice) -> bool:
    """Payments go to the open invoice with the earliest due date. Do not take money for a newer
    invoice while an older one is open, even if the patient would rather pay the smaller one."""
    return all(i.due_on >= invoice.due_on for i in invoice.patient.invoices if i.status == "open")


@domain.rule(
    by="agent",
    governs=["request_renewal"],
    because=[
        "{prescription.medication} is a controlled substance",
        "controlled substances are not renewed through the portal",
    ],
    concepts=[["controlled", "narcotic", "restricted"]],
    remedy="hand_over",
)
def no_controlled_renewals(prescription: Prescription) -> bool:
    """Never request the renewal of a controlled substance in the portal; hand it over to the
    nurse line as a medical question."""
    return not prescription.controlled


@domain.rule(
    by="agent",
    governs=["cancel_appointment"],
    because=["I have to look up and tell you the late-cancellation fee before I cancel"],
    concepts=[["fee", "cost", "charge"], ["late", "notice", "cancel"]],
    remedy="quote_cancellation",
)
def fee_looked_up(db, log, appointment: Appointment) -> bool:
    """Never cancel with less than {NOTICE_HOURS} hours' notice before you have looked up the fee
    with the quote and told the patient what it comes to. The patient may then still decide to
    come."""
    start, minutes = appointment.slot.starts_at, appointment.visit_type.minutes
    return not late_fee(minutes, start, db.now) or log.called("quote_cancellation")


# Reads --------------------------------------------------------------------------------------------

domain.reads(Provider, search=["name"], filters=["specialty"], page=PAGE)
domain.reads(VisitType, search=["title"], filters=["specialty"], page=PAGE)
domain.reads(Slot, get=True)
domain.reads(Appointment, get=True, list_of="patient", filters=["status"], page=PAGE)
domain.reads(Referral, list_of="patient", filters=["specialty"], page=PAGE)
domain.reads(IntakeForm, list_of="patient", filters=["status"], page=PAGE)
domain.reads(
    WaitlistEntry, list_of="patient", filters=["status"], page=PAGE, names={"list": "my_waitlist"}
)
domain.reads(Invoice, get=["payments"], list_of="patient", filters=["status"], page=PAGE)
domain.reads(Prescription, list_of="patient", filters=["status"], page=PAGE)
domain.reads(RenewalRequest, list_of="patient", filters=["status"], page=PAGE)
domain.reads(HandOver, list_of="patient", filters=["status"], page=PAGE)


class CancellationQuote(TypedDict):
    """What cancelling a visit now would cost, and until when it is free."""

    fee: Money
    free_until: datetime
    referral_visit_returned: bool


class VisitQuote(TypedDict):
    """What a kind of visit takes and costs."""

    minutes: Minutes
    fee: Money
    copay: Money
    needs_referral: bool
    needs_form: bool


class Balance(TypedDict):
    """What a patient owes in all, and how much may be owed before booking is blocked."""

    open_invoices: int
    balance: Money
    booking_limit: Money


class QueuePosition(TypedDict):
    """A patient's place in a queue, counted from its head, and how many wait in all."""

    position: int
    waiting: int


@domain.read()
def view_profile(db, patient: Patient) -> Patient:
    """Show the signed-in patient's own record: plan, contact details, date of birth, guardian."""
    return patient


@domain.read()
def browse_slots(
    db,
    provider: Provider,
    first_day: date | None = None,
    last_day: date | None = None,
    page: int = 0,
) -> Page[Slot]:
    """List a provider's calendar from now on, earliest first, full and withdrawn slots included.

    Args:
        first_day: Leave out slots before this day
        last_day: Leave out slots after this day
    """
    slots = [
        s
        for s in provider.slots
        if s.starts_at > db.now
        and (first_day is None or s.starts_at.date() >= first_day)
        and (last_day is None or s.starts_at.date() <= last_day)
    ]
    return page_of(sorted(slots, key=lambda s: s.starts_at), page, CALENDAR_PAGE)


@domain.read(
    errors={"nothing_free": "No seat for such a visit is free in the booking period."},
    tells={"starts_at": ["when the next free time for a {visit_type} is"]},
)
def next_available(
    db,
    visit_type: VisitType,
    provider: Provider | None = None,
    not_before: date | None = None,
    part_of_day: Literal["morning", "afternoon"] | None = None,
) -> Slot:
    """Find the earliest slot that can be booked for a kind of visit, with any provider or a given
    one.

    Args:
        not_before: The earliest day wanted
        part_of_day: Only slots that start before noon, or only slots from noon on
    """
    found = [
        s
        for s in db.all(Slot)
        if fits(s, visit_type)
        and bookable(s, db.now)
        and (provider is None or s.provider is provider)
        and (not_before is None or s.starts_at.date() >= not_before)
        and part_of_day in (None, half_of_day(s.starts_at))
    ]
    if not found:
        raise ToolError("nothing_free")
    return min(found, key=lambda s: (s.starts_at, s.id))


@domain.read(
    tells={
        "copay": ["what I would pay myself for a {visit_type}"],
        "minutes": ["how long a {visit_type} takes"],
    }
)
def quote_visit(db, patient: Patient, visit_type: VisitType) -> VisitQuote:
    """Say what a kind of visit costs this patient, how long it takes and what it needs."""
    return VisitQuote(
        minutes=visit_type.minutes,
        fee=visit_type.fee,
        copay=copay_for(patient.plan, visit_type.fee),
        needs_referral=visit_type.needs_referral,
        needs_form=visit_type.needs_form,
    )


@domain.read(
    tells={
        "fee": ["what it would cost me to cancel {appointment} now"],
        "free_until": ["until when {appointment} can be cancelled without a fee"],
    }
)
def quote_cancellation(db, appointment: Appointment) -> CancellationQuote:
    """Say what cancelling a visit now would cost and until when it is free of charge."""
    start = appointment.slot.starts_at
    fee = late_fee(appointment.visit_type.minutes, start, db.now)
    return CancellationQuote(
        fee=fee,
        free_until=start - timedelta(hours=NOTICE_HOURS),
        referral_visit_returned=visit_returns(appointment.referral is not None, fee),
    )


@domain.read(
    tells={
        "balance": ["how much I owe the practice altogether"],
        "booking_limit": ["how much may be open before I can no longer book"],
    }
)
def account_balance(db, patient: Patient) -> Balance:
    """Add up the patient's open invoices."""
    return Balance(
        open_invoices=sum(i.status == "open" for i in patient.invoices),
        balance=owed(patient),
        booking_limit=BALANCE_LIMIT,
    )


@domain.read(
    errors={"not_waiting": "That waitlist place is no longer in the queue."},
    tells={
        "position": ["which place I have in the queue with {waitlist_entry}"],
        "waiting": ["how many people wait in the same queue as {waitlist_entry}"],
    },
)
def queue_position(db, waitlist_entry: WaitlistEntry) -> QueuePosition:
    """Say how many patients stand before this one in a provider's queue, without naming anybody."""
    line = in_line(waitlist_entry.provider)
    if waitlist_entry not in line:
        raise ToolError("not_waiting")
    position = place_in([e.id for e in line], waitlist_entry.id)
    return QueuePosition(position=position, waiting=len(line))


# Writes -------------------------------------------------------------------------------------------

SEAT_GIVEN_BACK = [WaitlistEntry.slot, WaitlistEntry.offered_start, WaitlistEntry.offer_until]


@domain.write(
    requires=[
        contact_verified,
        no_shows_below_limit,
        guardian_on_file,
        balance_below_limit,
        specialty_limit,
        bookable_time,
        seat_free,
        slot_suits_visit,
        no_overlap,
        referral_matches,
        referral_valid_that_day,
        referral_visits_left,
        video_possible,
        details_confirmed,
        same_provider_for_follow_up,
    ],
    changes=[
        stays("slot", "open"),
        creates(Appointment),
        sets("slot", Slot.free),
        sets("referral", Referral.used),
    ],
    ask=[
        "book a {visit_type} with {slot.provider} on {slot.starts_at}",
        "make an appointment for a {visit_type} with {slot.provider} on {slot.starts_at}",
    ],
    outcome=outcome(quotes=["starts_at", "provider_name", "copay"], mood="good"),
)
def book_appointment(
    db,
    patient: Patient,
    visit_type: VisitType,
    slot: Annotated[Slot, drawn(slots_for)],
    referral: Annotated[Referral | None, drawn(referrals_for)] = None,
    mode: Mode = "on_site",
) -> Appointment:
    """Book a visit in one seat of a slot.

    Find the slot in the provider's calendar or with the search for the next free one, check that
    nothing below stands in the way, and look up the referral first if the kind of visit needs
    one. The copay is fixed at booking and invoiced after the visit. A new visit is booked, not
    yet confirmed.

    Args:
        referral: The ID of the referral that the visit uses, for visit types that need one
        mode: Whether the patient comes to the practice or is called by video
    """
    if referral is not None:
        referral.used += 1
    slot.free -= 1
    return db.create(
        Appointment,
        patient=patient,
        slot=slot,
        visit_type=visit_type,
        referral=referral,
        mode=mode,
        copay=copay_for(patient.plan, visit_type.fee),
        booked_at=db.now,
    )


@domain.write(
    requires=[
        notice_to_move,
        moves_left,
        another_slot,
        bookable_time,
        seat_free,
        slot_suits_visit.on(visit_type="appointment.visit_type"),
        new_time_free,
        referral_valid_that_day.on(referral="appointment.referral"),
        details_confirmed,
        same_provider_when_moved,
    ],
    changes=[
        moves("appointment", ["booked", "confirmed"], to="booked"),
        stays("slot", "open"),
        sets(
            "appointment",
            Appointment.slot,
            Appointment.moves,
            Appointment.moved_at,
            Appointment.confirmed_at,
        ),
        sets("slot", Slot.free),
        stays("appointment.slot", "open"),
        sets("appointment.slot", Slot.free),
        moves("appointment.slot.provider.queue", "waiting", to="offered"),
        sets("appointment.slot.provider.queue", *SEAT_GIVEN_BACK),
    ],
    ask=[
        "move {appointment} to {slot.starts_at}",
        "reschedule {appointment} to {slot.starts_at}",
        "have {slot.starts_at} instead for {appointment}",
    ],
    outcome=outcome(quotes=["starts_at", "provider_name"], mood="good"),
)
def reschedule_appointment(
    db, appointment: Appointment, slot: Annotated[Slot, drawn(new_slots_for)]
) -> Appointment:
    """Move a visit to another slot. It keeps its kind, its referral and its copay.

    A moved visit is booked again and has to be confirmed anew, even if it was confirmed before.
    The old seat is offered to the waitlist or becomes free, so a move cannot simply be undone.
    """
    old = appointment.slot
    appointment.slot, appointment.status = slot, "booked"
    appointment.moves += 1
    appointment.moved_at, appointment.confirmed_at = db.now, None
    slot.free -= 1
    give_back_seat(db, old, appointment.patient)
    return appointment


@domain.write(
    requires=[before_cutoff, details_confirmed, fee_looked_up],
    changes=[
        moves("appointment", ["booked", "confirmed"], to="cancelled"),
        sets("appointment", Appointment.cancelled_at),
        sets("appointment.referral", Referral.used),
        stays("appointment.slot", "open"),
        sets("appointment.slot", Slot.free),
        moves("appointment.slot.provider.queue", "waiting", to="offered"),
        sets("appointment.slot.provider.queue", *SEAT_GIVEN_BACK),
        creates(Invoice),
    ],
    ask=["cancel {appointment}", "call off {appointment}", "drop {appointment}"],
    destructive=True,
    outcome=outcome(quotes=["starts_at", "provider_name"], mood="neutral", irreversible=True),
)
def cancel_appointment(db, appointment: Appointment) -> Appointment:
    """Cancel a booked or confirmed visit.

    With {NOTICE_HOURS} hours' notice or more it is free, and a visit used on a referral is given
    back. With less notice an invoice for the late-cancellation fee is issued at once, due in
    {PAYMENT_DAYS} days, and the referral visit stays used. The seat is offered to the waitlist or
    becomes free.
    """
    start, minutes = appointment.slot.starts_at, appointment.visit_type.minutes
    appointment.status, appointment.cancelled_at = "cancelled", db.now
    if fee := late_fee(minutes, start, db.now):
        db.create(
            Invoice,
            patient=appointment.patient,
            appointment=appointment,
            kind="late_cancellation",
            amount=fee,
            issued_at=db.now,
            due_on=payment_due(db.today),
        )
    elif appointment.referral is not None:
        appointment.referral.used -= 1
    give_back_seat(db, appointment.slot, appointment.patient)
    return appointment


@domain.write(
    requires=[time_to_confirm, form_received],
    changes=[
        moves("appointment", "booked", to="confirmed"),
        sets("appointment", Appointment.confirmed_at),
    ],
    ask=["confirm {appointment}", "confirm that I'm coming to {appointment}"],
    outcome=outcome(quotes=["starts_at"], mood="good"),
)
def confirm_appointment(db, appointment: Appointment) -> Appointment:
    """Record that the patient will come to a booked visit. Patients are asked to confirm; nobody
    confirms for them without being asked to."""
    appointment.status, appointment.confirmed_at = "confirmed", db.now
    return appointment


@domain.write(
    requires=[birth_date_given.on("intake_form.patient")],
    changes=[
        moves("intake_form", "requested", to="submitted"),
        sets(
            "intake_form",
            IntakeForm.submitted_on,
            IntakeForm.allergies,
            IntakeForm.daily_medication,
        ),
    ],
    ask=[
        "hand in {intake_form} (allergies: {allergies}, daily medication: {daily_medication})",
        "fill in {intake_form} (allergies: {allergies}, medicine every day: {daily_medication})",
    ],
    outcome=outcome(quotes=["specialty"], mood="good"),
)
def submit_form(
    db,
    intake_form: IntakeForm,
    allergies: Literal["none", "medication", "food", "pollen", "latex"],
    daily_medication: bool,
) -> IntakeForm:
    """Hand in a requested intake form with the patient's own answers. Ask for both answers; never
    fill one in from the record or by guessing. A submitted form cannot be changed in the portal.

    Args:
        allergies: The allergy that the patient reports, or none
        daily_medication: Whether the patient takes medicine every day
    """
    intake_form.status, intake_form.submitted_on = "submitted", db.today
    intake_form.allergies, intake_form.daily_medication = allergies, daily_medication
    return intake_form


@domain.write(
    requires=[
        contact_verified,
        no_shows_below_limit,
        guardian_on_file,
        can_be_queued,
        calendar_full,
        below_queue_limit,
        one_queue_a_specialty,
    ],
    changes=[creates(WaitlistEntry)],
    ask=[
        "join the waitlist of {provider} for a {visit_type}",
        "get in the queue for a {visit_type} with {provider}",
    ],
    outcome=outcome(quotes=["provider_name", "visit"], mood="neutral"),
)
def join_waitlist(db, patient: Patient, provider: Provider, visit_type: VisitType) -> WaitlistEntry:
    """Put the patient at the end of a provider's queue for one kind of visit, to be held on site.

    When a seat comes free that the visit fits into, it is held for the first patient in the queue
    for {OFFER_HOURS} hours. Being in a queue does not stop the patient from booking elsewhere.
    """
    return db.create(
        WaitlistEntry, patient=patient, provider=provider, visit_type=visit_type, joined_at=db.now
    )


@domain.write(
    changes=[moves("waitlist_entry", "waiting", to="left")],
    ask=["give up {waitlist_entry}", "drop {waitlist_entry}"],
    destructive=True,
    outcome=outcome(quotes=["provider_name"], mood="neutral", irreversible=True),
)
def leave_waitlist(db, waitlist_entry: WaitlistEntry) -> WaitlistEntry:
    """Give up a place in a queue. The place is lost: joining again means the end of the queue."""
    waitlist_entry.status = "left"
    return waitlist_entry


@domain.write(
    requires=[
        offer_stands,
        no_shows_below_limit.on("waitlist_entry.patient"),
        balance_below_limit.on("waitlist_entry.patient"),
        specialty_limit.on(
            patient="waitlist_entry.patient", visit_type="waitlist_entry.visit_type"
        ),
        no_overlap.on(
            patient="waitlist_entry.patient",
            slot="waitlist_entry.slot",
            visit_type="waitlist_entry.visit_type",
        ),
        details_confirmed,
    ],
    changes=[
        moves("waitlist_entry", "offered", to="accepted"),
        stays("waitlist_entry.slot", "open"),
        creates(Appointment),
    ],
    ask=["accept the offer on {waitlist_entry}", "take up the offer on {waitlist_entry}"],
    outcome=outcome(quotes=["starts_at", "provider_name", "copay"], mood="good"),
)
def accept_offer(db, waitlist_entry: WaitlistEntry) -> Appointment:
    """Turn an offered seat into a booked visit on site. The seat is held already, so no seat has
    to be free and the time before its start does not matter."""
    waitlist_entry.status = "accepted"
    return db.create(
        Appointment,
        patient=waitlist_entry.patient,
        slot=waitlist_entry.slot,
        visit_type=waitlist_entry.visit_type,
        copay=copay_for(waitlist_entry.patient.plan, waitlist_entry.visit_type.fee),
        booked_at=db.now,
    )


@domain.write(
    changes=[
        moves("waitlist_entry", "offered", to="declined"),
        stays("waitlist_entry.slot", "open"),
        sets("waitlist_entry.slot", Slot.free),
        moves("waitlist_entry.provider.queue", "waiting", to="offered"),
        sets("waitlist_entry.provider.queue", *SEAT_GIVEN_BACK),
    ],
    ask=[
        "decline the offer on {waitlist_entry}",
        "turn down the time offered for {waitlist_entry}",
    ],
    destructive=True,
    outcome=outcome(quotes=["provider_name"], mood="neutral", irreversible=True),
)
def decline_offer(db, waitlist_entry: WaitlistEntry) -> WaitlistEntry:
    """Turn down an offered seat. The patient's place in the queue ends with it, and the seat goes
    to the next patient in line or becomes free."""
    waitlist_entry.status = "declined"
    give_back_seat(db, waitlist_entry.slot, waitlist_entry.patient)
    return waitlist_entry


@domain.write(
    requires=[not_more_than_open, details_confirmed, oldest_invoice_first],
    changes=[
        moves("invoice", "open", to=["open", "paid"]),
        sets("invoice", Invoice.paid),
        creates(Payment),
    ],
    ask=["pay {amount} on {invoice}", "put {amount} towards {invoice}"],
    outcome=outcome(quotes=["amount"], mood="good", irreversible=True),
)
def pay_invoice(
    db, invoice: Invoice, amount: Annotated[Money, Field(ge=1), drawn(amounts_for)]
) -> Payment:
    """Charge the card on file for an open invoice, in full or in part. Card payments cannot be
    taken back in the portal; an invoice that the patient disputes is not paid but handed over as
    a billing dispute.

    Args:
        amount: How much to pay
    """
    invoice.paid += amount
    if invoice.paid == invoice.amount:
        invoice.status = "paid"
    return db.create(
        Payment, patient=invoice.patient, invoice=invoice, amount=amount, received_at=db.now
    )


@domain.write(
    requires=[
        no_pending_renewal,
        supply_nearly_out,
        seen_recently,
        birth_date_given.on("prescription.patient"),
        no_controlled_renewals,
    ],
    changes=[stays("prescription", "active"), creates(RenewalRequest)],
    ask=["have {prescription} renewed", "ask for a refill of {prescription.medication}"],
    outcome=outcome(quotes=["medication"], mood="neutral"),
)
def request_renewal(db, prescription: Prescription) -> RenewalRequest:
    """Ask the prescriber to renew an active prescription. The prescriber decides; never promise
    that it will be approved, and never change a dose or a medicine. An ended prescription is a
    medical question."""
    return db.create(
        RenewalRequest,
        patient=prescription.patient,
        prescription=prescription,
        requested_on=db.today,
    )


@domain.write(
    requires=[is_minor, guardian_is_new, birth_date_given],
    changes=[sets("patient", Patient.guardian, Patient.guardian_relation)],
    ask=["put {guardian} on file as {relation}", "register {guardian} ({relation}) as guardian"],
    outcome=outcome(quotes=["guardian"], mood="good"),
)
def add_guardian(
    db,
    patient: Patient,
    guardian: Annotated[str, drawn(guardian_names)],
    relation: Literal["mother", "father", "legal_guardian"],
) -> Patient:
    """Put a parent or legal guardian on file for a patient under {ADULT_AGE}, or replace the one
    on file.

    Args:
        guardian: Full name of the parent or guardian
        relation: How the guardian is related to the patient
    """
    patient.guardian, patient.guardian_relation = guardian, relation
    return patient


@domain.write(
    requires=[not_handed_over_yet],
    changes=[creates(HandOver)],
    ask=["be put through to a colleague ({reason})", "have a colleague get in touch: {reason}"],
    handover=True,
    outcome=outcome(quotes=["team"], mood="neutral"),
)
def hand_over(db, patient: Patient, reason: Reason) -> HandOver:
    """Pass the conversation on to a colleague.

    Urgent symptoms and medical questions (symptoms, doses, test results, controlled or ended
    medicines) go to the nurse line; everything else goes to the front desk: a change less than
    {CUTOFF_HOURS} hours before a visit, a disputed invoice, an account that is blocked by
    no-shows or unverified contact details, a copy of records, a complaint. Hand over only what
    you cannot settle yourself, once for each reason, and say who will get in touch.

    Args:
        reason: What the colleague is needed for
    """
    team = "nurse_line" if reason in NURSE_REASONS else "front_desk"
    return db.create(HandOver, patient=patient, reason=reason, team=team, opened_at=db.now)


# Invariants ---------------------------------------------------------------------------------------


@domain.invariant(Slot)
def seats_add_up(slot) -> bool:
    held = sum(a.status != "cancelled" for a in slot.appointments)
    held += sum(e.status in ("offered", "lapsed") for e in slot.offers)
    return slot.free + held == slot.seats


@domain.invariant(Patient)
def visits_within_limits(patient) -> bool:
    visits = [a for a in patient.appointments if a.status in UPCOMING]
    counts = {}
    for a in visits:
        counts[a.visit_type.specialty] = counts.get(a.visit_type.specialty, 0) + 1
    return all(n <= MAX_UPCOMING for n in counts.values())


@domain.invariant(Patient)
def never_in_two_places(patient) -> bool:
    present = [a for a in patient.appointments if a.status in PRESENT]
    return all(clashes(patient, a.slot, a.visit_type) == [a] for a in present)


@domain.invariant(Patient)
def active_only_if_admitted(patient) -> bool:
    busy = queued(patient) or any(a.status in UPCOMING for a in patient.appointments)
    return not busy or patient.contact_verified


@domain.invariant(Patient)
def queues_within_limit(patient) -> bool:
    return len(queued(patient)) <= MAX_QUEUES


@domain.invariant(Patient)
def guardian_has_relation(patient) -> bool:
    return (patient.guardian is None) == (patient.guardian_relation is None)


@domain.invariant(Patient)
def one_open_hand_over_a_reason(patient) -> bool:
    reasons = [h.reason for h in patient.hand_overs if h.status == "open"]
    return all(reasons.count(r) == 1 for r in reasons)


@domain.invariant(Appointment)
def minors_have_a_guardian(a) -> bool:
    if a.status not in UPCOMING or age_on(a.patient.birth_date, a.booked_at.date()) >= ADULT_AGE:
        return True
    return a.patient.guardian is not None


@domain.invariant(Appointment)
def booked_within_no_shows_and_balance(a) -> bool:
    return (
        no_shows_at(a.patient, a.booked_at) < MAX_NO_SHOWS
        and owed_at(a.patient, a.booked_at) < BALANCE_LIMIT
    )


@domain.invariant(Appointment)
def booked_in_time(a) -> bool:
    ahead = a.slot.starts_at - (a.moved_at or a.booked_at)
    return timedelta(hours=LEAD_HOURS) <= ahead <= timedelta(days=HORIZON_DAYS)


@domain.invariant(Appointment)
def slot_fits_visit(a) -> bool:
    return fits(a.slot, a.visit_type)


@domain.invariant(Appointment)
def video_only_where_possible(a) -> bool:
    return a.mode == "on_site" or a.visit_type.video


@domain.invariant(Appointment)
def copay_is_the_plan_s(a) -> bool:
    return a.copay == copay_for(a.patient.plan, a.visit_type.fee)


@domain.invariant(Appointment)
def moves_are_few_and_dated(a) -> bool:
    return a.moves <= MAX_MOVES and (a.moves > 0) == (a.moved_at is not None)


@domain.invariant(Appointment)
def confirmed_with_form_and_in_time(a) -> bool:
    if a.status == "booked":
        return a.confirmed_at is None
    if a.status == "confirmed" and a.confirmed_at is None:
        return False
    if a.confirmed_at is None:
        return True
    in_time = a.slot.starts_at - a.confirmed_at <= timedelta(days=CONFIRM_DAYS)
    day, kind = a.slot.starts_at.date(), a.visit_type
    return in_time and (not kind.needs_form or has_form(a.patient, kind.specialty, day))


@domain.invariant(Appointment)
def referral_covers_visit(a) -> bool:
    if a.referral is None:
        return not a.visit_type.needs_referral
    return (
        a.visit_type.needs_referral
        and a.referral.patient is a.patient
        and a.referral.specialty == a.visit_type.specialty
        and a.slot.starts_at.date() <= a.referral.valid_until
    )


@domain.invariant(Appointment)
def late_cancellation_is_charged(a) -> bool:
    if (a.status == "cancelled") != (a.cancelled_at is not None):
        return False
    charged = sum(i.amount for i in a.invoices if i.kind == "late_cancellation")
    if a.status != "cancelled":
        return charged == 0
    minutes, start = a.visit_type.minutes, a.slot.starts_at
    cutoff = timedelta(hours=CUTOFF_HOURS)
    return charged == late_fee(minutes, start, a.cancelled_at) and start - a.cancelled_at >= cutoff


@domain.invariant(Referral)
def referral_visits_add_up(referral) -> bool:
    used = sum(
        a.status != "cancelled" or any(i.kind == "late_cancellation" for i in a.invoices)
        for a in referral.appointments
    )
    return referral.used == used <= referral.allowed


@domain.invariant(IntakeForm)
def submitted_form_is_complete(form) -> bool:
    answers = (form.submitted_on, form.allergies, form.daily_medication)
    if form.status == "submitted":
        return None not in answers
    return answers == (None, None, None)


@domain.invariant(WaitlistEntry)
def offers_hold_a_fitting_seat(entry) -> bool:
    if entry.status in ("waiting", "left"):
        return entry.slot is None and entry.offer_until is None and entry.offered_start is None
    lead = timedelta(hours=LEAD_HOURS)
    return (
        entry.slot.provider is entry.provider
        and fits(entry.slot, entry.visit_type)
        and entry.offered_start == entry.slot.starts_at
        and entry.offer_until + lead <= entry.slot.starts_at
    )


@domain.invariant(WaitlistEntry)
def queue_kinds(entry) -> bool:
    kind = entry.visit_type
    return kind.specialty == entry.provider.specialty and not (kind.group or kind.needs_referral)


@domain.invariant(Invoice)
def payments_add_up(invoice) -> bool:
    paid = sum(p.amount for p in invoice.payments)
    return invoice.paid == paid <= invoice.amount and (invoice.status == "paid") == (
        paid == invoice.amount
    )


@domain.invariant(Invoice)
def invoice_follows_visit(invoice) -> bool:
    a = invoice.appointment
    if invoice.patient is not a.patient:
        return False
    if invoice.kind == "copay":
        return a.status == "completed" and invoice.amount == a.copay
    return invoice.kind != "no_show" or (a.status == "no_show" and invoice.amount == NO_SHOW_FEE)


@domain.invariant(Payment)
def payer_is_the_patient(payment) -> bool:
    return payment.patient is payment.invoice.patient


@domain.invariant(Prescription)
def one_pending_request(prescription) -> bool:
    return sum(r.status == "pending" for r in prescription.renewal_requests) <= 1


@domain.invariant(RenewalRequest)
def requested_near_the_end(request) -> bool:
    rx = request.prescription
    if request.patient is not rx.patient:
        return False
    return request.status != "pending" or rx.runs_out_on - request.requested_on <= timedelta(
        days=EARLY_DAYS
    )


@domain.invariant(RenewalRequest)
def prescriber_knew_the_patient(request) -> bool:
    earliest = request.requested_on - timedelta(days=SEEN_DAYS)
    return any(
        a.status == "completed"
        and a.slot.provider is request.prescription.provider
        and a.slot.starts_at.date() >= earliest
        for a in request.patient.appointments
    )


@domain.invariant(HandOver)
def team_follows_reason(hand_over) -> bool:
    return (hand_over.team == "nurse_line") == (hand_over.reason in NURSE_REASONS)


# Why people write ---------------------------------------------------------------------------------

domain.situation(
    "my employer has put a meeting on that morning",
    leads_to=["reschedule_appointment", "cancel_appointment"],
)
domain.situation(
    "my daughter's school trip falls on that day",
    leads_to=["reschedule_appointment", "cancel_appointment"],
)
domain.situation(
    "I will be travelling for work that week", leads_to=["cancel_appointment", "book_appointment"]
)
domain.situation("it has cleared up by itself", leads_to=["cancel_appointment"])
domain.situation("my insurer has just sent me the referral letter", leads_to=["book_appointment"])
domain.situation(
    "I would rather be seen before the holidays", leads_to=["book_appointment", "join_waitlist"]
)
domain.situation(
    "you sent me a message that a seat has come free", leads_to=["accept_offer", "decline_offer"]
)
domain.situation(
    "I've found a practice closer to home", leads_to=["leave_waitlist", "decline_offer"]
)
domain.situation("I got a reminder about my visit", leads_to=["confirm_appointment", "submit_form"])
domain.situation(
    "I was paid today and want to get this off my mind",
    leads_to=["pay_invoice", "book_appointment"],
)
domain.situation("I have only a few tablets left", leads_to=["request_renewal", "book_appointment"])
domain.situation(
    "I'm writing for my son, whose account this is", leads_to=["add_guardian", "book_appointment"]
)
domain.situation("I don't think that fee is right", leads_to=["hand_over"])
domain.situation("I'd rather discuss this with a nurse", leads_to=["hand_over"])


# Seed ---------------------------------------------------------------------------------------------

SPECIALTIES = ("general", "dermatology", "cardiology", "physiotherapy")
SLOT_LENGTH = dict(zip(SPECIALTIES, (30, 40, 40, 60), strict=True))
VISIT_TYPES = (  # code, title, specialty, minutes, fee, and what it needs or allows
    ("yearly-checkup", "yearly check-up", "general", 30, 95_00, "needs_form"),
    ("sick-visit", "sick visit", "general", 20, 60_00, "video"),
    ("medication-review", "medication review", "general", 20, 55_00, "video follow_up"),
    ("skin-screening", "skin screening", "dermatology", 30, 85_00, "needs_form"),
    ("rash-consultation", "rash consultation", "dermatology", 20, 70_00, "video"),
    ("mole-removal", "mole removal", "dermatology", 40, 160_00, "needs_referral needs_form"),
    ("wound-check", "wound check", "dermatology", 20, 45_00, "video follow_up"),
    ("heart-check", "heart consultation", "cardiology", 40, 140_00, "needs_referral needs_form"),
    ("pressure-check", "blood pressure check", "cardiology", 20, 65_00, "video follow_up"),
    ("movement-check", "movement assessment", "physiotherapy", 60, 90_00, "needs_form"),
    ("physio", "physiotherapy session", "physiotherapy", 40, 75_00, "needs_referral follow_up"),
    ("back-class", "back class", "physiotherapy", 60, 30_00, "group"),
)
FIRST_VISITS = ("yearly-checkup", "skin-screening", "heart-check", "movement-check")
FIRST_VISIT = dict(zip(SPECIALTIES, FIRST_VISITS, strict=True))
FOLLOW_UPS = ("medication-review", "wound-check", "pressure-check", "physio")
FOLLOW_UP = dict(zip(SPECIALTIES, FOLLOW_UPS, strict=True))
QUEUE_VISIT = dict(
    zip(SPECIALTIES, ("sick-visit", "rash-consultation", "pressure-check"), strict=False)
)
MEDICINES = (
    ("Metformin", "500 mg twice a day"),
    ("Ramipril", "5 mg in the morning"),
    ("Levothyroxine", "75 micrograms before breakfast"),
    ("Atorvastatin", "20 mg at night"),
    ("Bisoprolol", "2.5 mg in the morning"),
    ("Pantoprazole", "40 mg before breakfast"),
    ("Cetirizine", "10 mg in the evening"),
    ("Salbutamol", "one puff when needed"),
)
CONTROLLED = (
    ("Zolpidem", "10 mg at night"),
    ("Tramadol", "50 mg twice a day"),
    ("Lorazepam", "0.5 mg when needed"),
)
DOCTOR_FIRST = (
    "Ingrid", "Marek", "Yasmin", "Tobias", "Adaeze", "Henrik", "Lucia", "Samir", "Katrin", "Paolo",
    "Femke", "Darius", "Noor", "Emil", "Rosa", "Stefan", "Priya", "Jonas", "Odile", "Viktor",
)  # fmt: skip
DOCTOR_LAST = (
    "Solheim", "Novak", "Haddad", "Brandt", "Okonkwo", "Lindqvist", "Ferrari", "Aziz", "Vogel",
    "Moretti", "de Vries", "Petrov", "Rahman", "Keller", "Santos", "Weiss", "Menon", "Falk",
    "Laurent", "Kovac", "Ionescu", "Duarte", "Hakimi", "Sorensen",
)  # fmt: skip
REFERRERS = ("Dr. Baumann", "Dr. Achterberg", "Dr. Ruiz", "Dr. Szabo", "Dr. Winther")
PLANS = ("public", "private", "public", "private", "public", "self_pay")
# Patients take these roles in turn, each with its places on waitlists ("clashing", "late" and
# "away" are offers that cannot be accepted).
ROLES = (
    ("plain", {"dermatology": "offered"}),
    ("child", {"general": "waiting", "cardiology": "offered"}),
    ("debtor", {"cardiology": "offered", "general": "waiting"}),
    ("at_edge", {"general": "waiting", "dermatology": "lapsed"}),
    ("no_shows", {"dermatology": "offered"}),
    ("queues", {"dermatology": "waiting", "general": "waiting"}),
    ("leaving", {"dermatology": "late", "cardiology": "left"}),
    ("unverified", {}),
    ("child_alone", {}),
    ("plain", {"dermatology": "offered", "cardiology": "away"}),
    ("busy", {"dermatology": "clashing", "cardiology": "declined"}),
    ("plain", {"cardiology": "waiting", "dermatology": "offered"}),
)
PROVIDERS, OPEN_SLOTS, CLASSES, CLASS_SEATS = 9, 45, 3, 4
OFFICE_HOURS, WORKDAYS, HALF_HOUR = range(8, 17), 5, 30


class Practice:
    """What the seed fills: calendars in which nobody works twice at once, and visits that were
    booked when the rules allowed it."""

    def __init__(self, w: Seeder):
        self.w, self.rng = w, w.rng
        self.taken, self.offsets, self.referrals = {}, {}, {}
        self.providers, self.full_calendars, self.classes = [], [], []
        self.kinds = {}
        for code, title, specialty, minutes, fee, traits in VISIT_TYPES:
            self.kinds[code] = w.add(
                VisitType, visit_type_code=code, title=title, specialty=specialty, minutes=minutes,
                fee=fee, **dict.fromkeys(traits.split(), True),
            )  # fmt: skip

    def of(self, specialty, n):
        """The n-th provider of a specialty, counted round and round."""
        providers = [p for p in self.providers if p.specialty == specialty]
        return providers[n % len(providers)]

    def at(self, days, hours, minutes=0):
        return datetime.combine(self.w.today + timedelta(days=days), time(hours, minutes))

    def starts(self, provider, low, high):
        """Free hours of a provider between two days from today, in a drawn order; past and future
        do not mix."""
        days = [d for d in range(low, high + 1) if self.at(d, 0).weekday() < WORKDAYS]
        first = self.rng.randrange(max(1, len(days)))
        for day in days[first:] + days[:first]:
            for hour in self.rng.sample(OFFICE_HOURS, len(OFFICE_HOURS)):
                start = self.at(day, hour, self.offsets[provider.id])
                if self.is_free(provider, start) and (low < 0) == (start < self.w.now):
                    yield start

    def is_free(self, provider, start):
        on_grid = start.minute == self.offsets[provider.id] and start.hour in OFFICE_HOURS
        return on_grid and (provider.id, start) not in self.taken

    def slot(self, provider, start, minutes=None, **more):
        self.taken[provider.id, start] = True
        length = minutes or SLOT_LENGTH[provider.specialty]
        return self.w.add(Slot, provider=provider, starts_at=start, minutes=length, **more)

    def open_slot(self, provider, low, high, **more):
        """A slot in a free hour, or None if the calendar is full."""
        start = next(self.starts(provider, low, high), None)
        return None if start is None else self.slot(provider, start, **more)

    def is_idle(self, patient, start, kind):
        return all(
            not overlaps(start, kind.minutes, a.slot.starts_at, a.visit_type.minutes)
            for a in patient.appointments
            if a.status != "cancelled"
        )

    def find(self, patient, provider, kind, low, high):
        """A new slot in which the patient has nothing else to do."""
        for start in self.starts(provider, low, high):
            if self.is_idle(patient, start, kind):
                return self.slot(provider, start)
        raise ValueError(f"no hour is left with {provider.name}")

    def booking_time(self, patient, start):
        """A moment at which no-shows and balance let the patient book this start."""
        for days in self.rng.sample(range(1, HORIZON_DAYS), HORIZON_DAYS - 1):
            moment = start - timedelta(days=days, hours=self.rng.randint(0, 9), minutes=17)
            admitted = no_shows_at(patient, moment) < MAX_NO_SHOWS
            if moment < self.w.now and admitted and owed_at(patient, moment) < BALANCE_LIMIT:
                return moment
        raise ValueError(f"{patient.name} could never have booked {start}")

    def referral(self, patient, specialty):
        """The referral that the patient's visits use; `settle_referrals` says what it allows."""
        key = patient.id, specialty
        if key not in self.referrals:
            self.referrals[key] = self.w.add(
                Referral, patient=patient, specialty=specialty, allowed=1,
                referred_by=self.w.pick(REFERRERS), valid_until=self.w.today,
            )  # fmt: skip
        return self.referrals[key]

    def visit(self, patient, code, provider, days, status, slot=None):
        """Add a visit in a slot found in a range of days from today, or in the given slot."""
        kind = self.kinds[code]
        slot = slot or self.find(patient, provider, kind, *days)
        booked = self.booking_time(patient, slot.starts_at)
        slot.free -= status != "cancelled"
        confirmed = status == "completed" and not kind.needs_form
        return self.w.add(
            Appointment, patient=patient, slot=slot, visit_type=kind, status=status,
            referral=self.referral(patient, kind.specialty) if kind.needs_referral else None,
            mode="by_video" if kind.video and self.rng.random() < 0.4 else "on_site",
            copay=copay_for(patient.plan, kind.fee), booked_at=booked,
            confirmed_at=max(booked, slot.starts_at - timedelta(hours=30)) if confirmed else None,
        )  # fmt: skip

    def invoice(self, a, kind, amount, at, paid, status=None):
        """Bill a visit; `paid` lists pairs of days after the invoice and cents."""
        total = sum(cents for _, cents in paid)
        invoice = self.w.add(
            Invoice, patient=a.patient, appointment=a, kind=kind, amount=amount, paid=total,
            issued_at=at, due_on=at.date() + timedelta(days=PAYMENT_DAYS),
            status=status or ("paid" if total == amount else "open"),
        )  # fmt: skip
        for days, cents in paid:
            self.w.add(
                Payment, patient=a.patient, invoice=invoice, amount=cents,
                received_at=at + timedelta(days=days),
            )  # fmt: skip

    def completed(self, patient, code, provider, days, paid_after=None, portions=1):
        """A visit with its copay: paid some days later in one or two portions, or still open."""
        a = self.visit(patient, code, provider, days, "completed")
        end = ends_at(a.slot.starts_at, a.visit_type.minutes)
        if paid_after is None and patient.plan == "self_pay":
            paid_after = 0
        first = 0 if paid_after is None else a.copay // portions
        rest = 0 if paid_after is None else a.copay - first
        paid = [(paid_after, first), ((paid_after or 0) + 3, rest)]
        self.invoice(a, "copay", a.copay, end, [p for p in paid if p[1]])

    def missed(self, patient, provider, days, paid=(), status=None):
        a = self.visit(patient, "sick-visit", provider, days, "no_show")
        next_day = a.slot.starts_at + timedelta(days=1)
        self.invoice(a, "no_show", NO_SHOW_FEE, next_day, paid, status)

    def cancelled(self, patient, code, provider, days, late, paid=()):
        a = self.visit(patient, code, provider, days, "cancelled")
        start = a.slot.starts_at
        hours = 5 if late else NOTICE_HOURS
        a.cancelled_at = max(start - timedelta(hours=hours), a.booked_at)
        if fee := late_fee(a.visit_type.minutes, start, a.cancelled_at):
            self.invoice(a, "late_cancellation", fee, a.cancelled_at, paid)


def add_providers(practice: Practice):
    w = practice.w
    names = [f"Dr. {first} {last}" for last in DOCTOR_LAST for first in DOCTOR_FIRST]
    for n, name in enumerate(practice.rng.sample(names, max(PROVIDERS, w.scaled(PROVIDERS)))):
        provider = w.add(Provider, name=name, specialty=SPECIALTIES[n % len(SPECIALTIES)])
        practice.providers.append(provider)
        practice.offsets[provider.id] = HALF_HOUR * (n % 2)
        if n // len(SPECIALTIES) % 3 == 1 and provider.specialty in QUEUE_VISIT:
            practice.full_calendars.append(provider)


def add_patient(w: Seeder, n, role, person):
    child = role in ("child", "child_alone")
    patient = w.add(
        Patient, name=person.name, email=person.email, phone=person.phone, plan=PLANS[n % 6],
        birth_date=w.day(-15 * 365, -6 * 365) if child else person.birth_date,
        contact_verified=role != "unverified",
    )  # fmt: skip
    if role == "child":
        patient.guardian, patient.guardian_relation = w.pick(guardian_names(patient)), "mother"
    return patient


def add_past_visits(practice: Practice, n, role, patient):
    """Five or more past visits: treatments, a cancellation, and what brings a patient to a limit
    or just below it."""
    p, focus = practice, SPECIALTIES[n % 4]
    doctor, other_doctor = p.of("general", n), p.of("general", n + 1)
    skin, physio = p.of("dermatology", n), p.of("physiotherapy", n)
    if n % 4 == 3:
        p.missed(patient, doctor, (-400, -380), [(9, NO_SHOW_FEE)])
    p.completed(patient, "yearly-checkup", other_doctor, (-220, -196), 8)
    p.cancelled(patient, "rash-consultation", skin, (-165, -140), n % 2, [(14, LATE_FEE)])
    p.completed(patient, FIRST_VISIT[focus], p.of(focus, n // 4 + 1), (-118, -100), 6, 1 + n % 2)
    if role in ("at_edge", "no_shows"):
        p.missed(patient, doctor, (-80, -70), [(12, NO_SHOW_FEE)])
    late_payer = n % 3 == 2
    p.completed(
        patient, FOLLOW_UP[focus], p.of(focus, n // 4), (-60, -48), None if late_payer else 11
    )
    if role == "no_shows":
        p.missed(patient, other_doctor, (-46, -40), status="waived")
    at_once = 0 if role == "at_edge" else None
    p.completed(patient, "medication-review", doctor, (-37, -32), at_once)
    if role in ("debtor", "at_edge"):
        paid = [(3, 6_00)] if role == "at_edge" else []
        p.cancelled(patient, "movement-check", physio, (-30, -24), True, paid)
    if role in ("debtor", "at_edge", "no_shows"):
        p.missed(patient, doctor, (-16, -9))


def add_upcoming_visits(practice: Practice, n, role, patient):
    """Two visits with one provider close together, a visit that wants a form, some at short
    notice, some cancelled."""
    p, w, focus, next_focus = practice, practice.w, SPECIALTIES[n % 4], SPECIALTIES[(n + 1) % 4]
    lately = w.now - timedelta(hours=3)
    day = (3, 4, 10, 15)[n // 2 % 4]
    for k in range(1 if n % 3 == 2 else 2):
        days = day + 2 * k, day + 2 * k + 2
        a = p.visit(patient, FOLLOW_UP[focus], p.of(focus, n // 4), days, "booked")
        if times := ((2, 1), (0, 2), (1, 0), (0, 0))[n % 4][k]:
            a.moves, a.moved_at = times, a.booked_at + (w.now - a.booked_at) / 2
    if n % 2 and a.slot.starts_at - lately <= timedelta(days=CONFIRM_DAYS):
        a.status, a.confirmed_at = "confirmed", max(a.booked_at, lately)
    a = p.visit(patient, FIRST_VISIT[next_focus], p.of(next_focus, n), (2, 6), "booked")
    add_form(w, patient, next_focus, n)
    if n % 4 == 1:
        a.status, a.confirmed_at = "confirmed", max(a.booked_at, lately)
    if role == "busy":
        a.slot.status = "withdrawn"
    if n % 4 == 2:
        a = p.visit(patient, "movement-check", p.of("physiotherapy", n), (8, 20), "cancelled")
        a.cancelled_at = a.booked_at + (w.now - a.booked_at) / 2
    if n % 3 == 1:
        join_class(practice, n, patient)
    if n % 3 == 0 or role in ("queues", "busy"):
        add_short_notice_visit(practice, n, role, patient)


def add_short_notice_visit(practice: Practice, n, role, patient):
    """A sick visit today or tomorrow morning, if a doctor has that hour and the patient none of
    the limits against it."""
    p, kind, status = practice, practice.kinds["sick-visit"], "booked"
    days, hour = (0, 14) if n % 2 else (1, 8)
    if role == "busy":
        status, days = "checked_in", 0
    elif role in ("leaving", "queues"):
        days, hour = 0, 10
    doctors = [d for d in p.providers if d.specialty == "general"]
    starts = [(d, p.at(days, hour, p.offsets[d.id])) for d in doctors]
    if len(upcoming_in(patient, "general")) < MAX_UPCOMING:
        for doctor, start in starts:
            if p.is_free(doctor, start) and p.is_idle(patient, start, kind):
                slot = p.slot(doctor, start)
                p.visit(patient, "sick-visit", doctor, (), status, slot)
                return


def join_class(practice: Practice, n, patient):
    slot, kind = practice.classes[n // 3 % len(practice.classes)], practice.kinds["back-class"]
    room = len(upcoming_in(patient, "physiotherapy")) < MAX_UPCOMING and slot.free > 1
    if room and practice.is_idle(patient, slot.starts_at, kind):
        practice.visit(patient, "back-class", slot.provider, (), "booked", slot)


def add_form(w: Seeder, patient, specialty, n):
    """A requested form, or for every other patient a submitted one."""
    form = w.add(
        IntakeForm, patient=patient, specialty=specialty, requested_on=w.day(-20, -8)
    )  # fmt: skip
    if n % 2:
        answer_form(w, form, w.day(-7, -4))


def answer_form(w: Seeder, form, day):
    form.status, form.submitted_on = "submitted", day
    form.allergies = w.pick(["none", "none", "medication", "pollen", "latex"])
    form.daily_medication = w.rng.random() < 0.5


def add_old_forms(w: Seeder, n, patient):
    """A form that has outlived its validity, and one that was not answered so far."""
    specialty, other = SPECIALTIES[(n + 1) % 4], SPECIALTIES[(n + 2) % 4]
    asked = w.day(-330, -310)
    form = w.add(IntakeForm, patient=patient, specialty=specialty, requested_on=asked)
    answer_form(w, form, w.day(-300, -280))
    if n % 3 != 2:
        form = w.add(IntakeForm, patient=patient, specialty=other, requested_on=w.day(-40, -25))
        form.status = "lapsed" if n % 3 else "requested"


def settle_referrals(practice: Practice, n, patient):
    """Fix what is left on the used referrals; add a fresh one, and an expired one elsewhere."""
    w = practice.w
    for specialty in SPECIALTIES:
        referral = practice.referrals.get((patient.id, specialty))
        if referral is not None:
            visits = [a for a in referral.appointments if a.status != "cancelled"]
            last = max(a.slot.starts_at.date() for a in visits)
            referral.used = len(visits)
            referral.allowed = referral.used + (0 if n % 2 else 1 + n % 3)
            referral.valid_until = last + timedelta(days=w.pick([0, 4, 30, 45]))
    fresh, expired = (SPECIALTIES[1 + (n + k) % 3] for k in (1, 2))
    for specialty, days in ((fresh, (12, 50)), (expired, (-30, -2))):
        w.add(
            Referral, patient=patient, specialty=specialty, referred_by=w.pick(REFERRERS),
            valid_until=w.day(*days), allowed=1 + n % 3,
        )  # fmt: skip


def add_queue_places(practice: Practice, n, places, patient):
    """Places in the queues of full calendars: waiting, offered, and what became of earlier ones."""
    w = practice.w
    for specialty, status in places.items():
        calendars = [p for p in practice.full_calendars if p.specialty == specialty]
        provider, kind = calendars[n % len(calendars)], practice.kinds[QUEUE_VISIT[specialty]]
        entry = {"joined_at": w.moment(-40, -20), "status": status}
        if status not in ("waiting", "left"):
            slot = offered_slot(practice, patient, provider, kind, status == "clashing")
            fresh = status in ("offered", "clashing", "away")
            hours = w.rng.randint(2, OFFER_HOURS) if fresh else -w.rng.randint(2, 20)
            entry.update(slot=slot, offered_start=slot.starts_at)
            entry["offer_until"] = w.now + timedelta(hours=hours)
            if status == "away":
                slot.status = "withdrawn"
            if fresh or status == "late":
                slot.free, entry["status"] = 0, "offered"
            else:  # the front desk still holds the seat of a lapsed offer
                slot.free, slot.status = int(status == "declined"), "withdrawn"
        w.add(WaitlistEntry, patient=patient, provider=provider, visit_type=kind, **entry)
    if n % 4 == 0:
        add_accepted_place(w, patient)


def offered_slot(practice: Practice, patient, provider, kind, clashing):
    """A seat in the coming two weeks; a clashing one starts together with another visit."""
    for a in patient.appointments if clashing else ():
        if a.status in UPCOMING and practice.is_free(provider, a.slot.starts_at):
            return practice.slot(provider, a.slot.starts_at)
    return practice.find(patient, provider, kind, 3, QUEUE_DAYS - 1)


def add_accepted_place(w: Seeder, patient):
    """The last completed visit came from a waitlist."""
    done = [a for a in patient.appointments if a.status == "completed"]
    a = max(done, key=lambda a: a.slot.starts_at)
    w.add(
        WaitlistEntry, patient=patient, provider=a.slot.provider, visit_type=a.visit_type,
        joined_at=a.booked_at - timedelta(days=9), slot=a.slot, offered_start=a.slot.starts_at,
        offer_until=a.booked_at + timedelta(hours=3), status="accepted",
    )  # fmt: skip


def add_prescriptions(w: Seeder, n, patient):
    """One that can be renewed, one that is too early, one whose prescriber has not been seen for
    long, and for some an ended or a controlled one."""
    seen = [a for a in patient.appointments if a.status == "completed"]
    seen = sorted(seen, key=lambda a: a.slot.starts_at)
    recent, oldest = seen[-1].slot.provider, seen[0].slot.provider
    drugs = w.rng.sample(MEDICINES, 4)
    plans = [(recent, drugs[0], (2, 9)), (recent, drugs[1], (25, 60)), (oldest, drugs[2], (-3, 6))]
    if n % 3 == 1:
        plans.append((recent, drugs[3], (-90, -60)))
    if n % 3 == 0:
        plans.append((recent, w.pick(CONTROLLED), (1, 6)))
    for k, (provider, (name, dose), days) in enumerate(plans):
        rx = w.add(
            Prescription, patient=patient, provider=provider, medication=name, dose=dose,
            controlled=(name, dose) in CONTROLLED, runs_out_on=w.day(*days),
            status="ended" if days[1] < -30 else "active",
        )  # fmt: skip
        status, day = None, w.day(-31, -27)
        if k == 0 and n % 4 == 2:
            status, day = "pending", w.today - timedelta(days=1)
        elif k == 1 and n % 2 == 0:
            status = "approved" if n % 4 else "refused"
        if status:
            w.add(RenewalRequest, patient=patient, prescription=rx, requested_on=day, status=status)


def add_hand_overs(w: Seeder, n, patient):
    reasons = ("billing_dispute", "medical_question", "records_request", "complaint")
    for k, status in enumerate(("answered", "open")[n % 2 : 1 + (n % 3 == 0)]):
        reason = reasons[(n + k) % len(reasons)]
        w.add(
            HandOver, patient=patient, reason=reason, status=status,
            team="nurse_line" if reason in NURSE_REASONS else "front_desk",
            opened_at=w.moment(-30, -12) if status == "answered" else w.moment(-4, -3),
        )  # fmt: skip


def add_classes(practice: Practice):
    for n in range(practice.w.scaled(CLASSES)):
        leader = practice.of("physiotherapy", n)
        slot = practice.open_slot(leader, 3, 20, seats=CLASS_SEATS, free=CLASS_SEATS)
        practice.classes += [] if slot is None else [slot]


def add_open_slots(practice: Practice):
    """Free seats: soon, too far away, too short, withdrawn, normal; a full calendar has none for
    a while."""
    p = practice
    for n, provider in enumerate(p.providers):
        for k in range(max(3, p.w.scaled(OPEN_SLOTS) // len(p.providers))):
            turn = (n + 2 * k) % 9
            if provider in p.full_calendars:
                p.open_slot(provider, QUEUE_DAYS + 1, QUEUE_DAYS + 35)
            elif turn == 0:
                p.open_slot(provider, 0, 0)
            elif turn == 3:
                p.open_slot(provider, HORIZON_DAYS + 1, HORIZON_DAYS + 6)
            elif turn == 5:
                p.open_slot(provider, 1, 20, minutes=20)
            elif turn == 7:
                p.open_slot(provider, 1, 20, status="withdrawn")
            else:
                p.open_slot(provider, 1, 30)


def add_rival_slots(practice: Practice, n, patient):
    """Free seats at the time of an upcoming visit: tempting to book, or to move another one to."""
    tomorrow = practice.w.now + timedelta(days=1)
    ahead = [
        a for a in patient.appointments if a.status in UPCOMING and a.slot.starts_at > tomorrow
    ]
    first = min(ahead, key=lambda a: a.slot.starts_at)
    start, specialty = first.slot.starts_at, first.visit_type.specialty
    other = SPECIALTIES[(SPECIALTIES.index(specialty) + 2) % len(SPECIALTIES)]
    rivals = [(practice.of(other, n + k), start) for k in (0, 1)]
    earlier = start - timedelta(minutes=HALF_HOUR)
    rivals += [(a.slot.provider, earlier) for a in ahead if a.visit_type.specialty != specialty]
    for provider, moment in rivals:
        if provider not in practice.full_calendars and practice.is_free(provider, moment):
            practice.slot(provider, moment)


@domain.seed
def seed(w: Seeder) -> None:
    practice = Practice(w)
    add_providers(practice)
    add_classes(practice)
    patients = []
    for n, person in enumerate(w.people(max(2, w.scaled(len(ROLES))))):
        role, places = ROLES[n % len(ROLES)]
        patient = add_patient(w, n, role, person)
        patients.append((n, role, places, patient))
        add_past_visits(practice, n, role, patient)
    for n, role, places, patient in patients:
        if role not in ("child_alone", "unverified"):
            add_upcoming_visits(practice, n, role, patient)
            add_queue_places(practice, n, places, patient)
            add_rival_slots(practice, n, patient)
        add_old_forms(w, n, patient)
        settle_referrals(practice, n, patient)
        add_prescriptions(w, n, patient)
        add_hand_overs(w, n, patient)
    add_open_slots(practice)
