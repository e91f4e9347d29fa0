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
    version=3,
    category="Healthcare and Clinical",
    today=datetime(2026, 4, 13, 8, 45),
    role="patient portal assistant of the Lindenhof Group Practice",
    access="self_service",
    without_tool="portal_fault",
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
ROUND_SUM = 5_00
MOST, GROWN_UP_AGE = 3, 30
ACUTE_DAYS, WEEK, DAYS_APART = 4, 7, {"physiotherapy": 2, "dermatology": 3, "cardiology": 3}
CALENDAR_PAGE, PAGE = 6, 5
NOON = 12

Specialty = Literal["general_medicine", "dermatology", "cardiology", "physiotherapy"]
Mode = Literal["on_site", "by_video"]
Reason = Literal[
    "urgent_symptoms",
    "medical_question",
    "short_notice_change",
    "billing_dispute",
    "blocked_account",
    "records_request",
    "complaint",
    "portal_fault",
]
NURSE_REASONS = ("urgent_symptoms", "medical_question")
UPCOMING = ("unconfirmed", "confirmed")
PRESENT = ("unconfirmed", "confirmed", "checked_in")
QUEUED = ("current", "offered")


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


class Provider(
    domain.Entity,
    key=hashed("prv_", 6),
    label="{name}",
    called=["{name}", "{name} in {specialty}", "{name} from {specialty}"],
):
    """A doctor or therapist of the practice, with one specialty and an own calendar."""

    name: Mapped[str] = column(unique=True)
    specialty: Mapped[Specialty]


class VisitType(domain.Entity, key=natural("visit_type_code"), label="a {title}"):
    """A kind of visit: its specialty, how long it takes, its fee, whether it needs a referral or
    an intake form, whether it can be held by video, whether it is for acute trouble and may be
    had on the same day, whether it continues a treatment (follow-up), and whether it is a group
    class."""

    visit_type_code: Mapped[str] = column(says="code")
    title: Mapped[str]
    specialty: Mapped[Specialty]
    minutes: Mapped[Minutes] = column(ge=1, says="length")
    fee: Mapped[Money] = column(ge=0)
    needs_referral: Mapped[bool] = column(False, says="referral needed")
    needs_form: Mapped[bool] = column(False, says="intake form needed")
    video: Mapped[bool] = column(False, says="possible by video")
    acute: Mapped[bool] = column(False, says="for acute trouble")
    follow_up: Mapped[bool] = column(False, says="follow-up")
    group: Mapped[bool] = column(False, says="group class")


class Slot(
    domain.Entity,
    key=hashed("slot_"),
    label="the slot with {self.provider.name} on {starts_at:%B %-d at %H:%M}",
    shows={"provider_name": "provider.name", "specialty": "provider.specialty"},
    called=[
        "the slot with {provider.name} on {starts_at}", "{provider.name}'s slot on {starts_at}",
        "the time with {provider.name} on {starts_at}",
        "the seat with {provider.name} on {starts_at}",
    ],
):  # fmt: skip
    """A stretch of a provider's calendar with a number of seats. A seat is taken by a visit, or
    held for a patient from the waitlist who was offered it; `free` counts the seats that can be
    booked now. A slot without a free seat is full. When a provider is away the practice withdraws
    a slot, and the front desk itself settles the visits and offers in it; when the time has come,
    the slot is over."""

    provider: Mapped[Provider] = ref()
    starts_at: Mapped[datetime] = column(says="start")
    minutes: Mapped[Minutes] = column(ge=1, says="length")
    seats: Mapped[int] = column(1, ge=1)
    free: Mapped[int] = column(1, ge=0, says="free seats")
    status: Mapped[str] = lifecycle(
        {"open": ["full"], "full": ["open"]},
        outside={"open": ["withdrawn", "over"], "full": ["withdrawn", "over"]},
    )


class Referral(
    domain.Entity,
    key=hashed("ref_"),
    label="the {specialty} referral from {referred_by}",
    called=[
        "my {specialty} referral", "the {specialty} referral from {referred_by}",
        "the letter {referred_by} wrote me for {specialty}",
        "the {specialty} referral that's good until {valid_until}",
        "{referred_by}'s {specialty} referral",
        "the slip from {referred_by} for {specialty}",
    ],
    superlatives={
        "valid_until": ("that runs out first", "that runs out last"),
    },
):  # fmt: skip
    """A doctor's letter that allows a number of visits in one specialty until a date."""

    patient: Mapped[Patient] = ref(owner=True)
    specialty: Mapped[Specialty]
    referred_by: Mapped[str] = column(says="referring doctor")
    valid_until: Mapped[date] = column(
        says="last valid day",
        asks=["how long {it} is good for", "until when {it} is valid", "when {it} runs out",
              "by when I have to use {it}",
              "what the last day for using {it} is"],
        told=["{it} is good until {value}", "the last day on which {it} is valid is {value}",
              "{it} runs out on {value}", "a visit on {it} has to take place by {value}"],
    )  # fmt: skip
    allowed: Mapped[int] = column(
        ge=1,
        says="number of visits allowed",
        asks=["how many visits {it} is good for in all", "how many visits {it} covers",
              "how many visits {it} was written for"],
        told=["the number of visits allowed on {it} is {value}",
              "the number of visits that {it} covers is {value}",
              "altogether, the number of visits on {it} is {value}"],
    )  # fmt: skip
    used: Mapped[int] = column(
        0,
        ge=0,
        says="number of visits used",
        asks=["how many visits on {it} I've used up", "how many visits have come off {it} so far",
              "how many visits I've already booked on {it}"],
        told=["the number of visits used on {it} is {value}",
              "so far, the number of visits used on {it} is {value}",
              "the number of visits taken off {it} is {value}"],
    )  # fmt: skip


class Appointment(
    domain.Entity,
    key=hashed("appt_"),
    label="the {self.visit_type.title} with {self.slot.provider.name} on "
    "{starts_at:%B %-d at %H:%M}",
    shows={
        "visit": "visit_type.title",
        "provider_id": "slot.provider_id",
        "provider_name": "slot.provider.name",
    },
    called=[
        "my {visit_type.title} with {slot.provider.name}", "my {visit_type.title} on {starts_at}",
        "my appointment with {slot.provider.name} on {starts_at}", "my {visit_type.title}",
        "my visit to {slot.provider.name} on {starts_at}",
        "my booking with {slot.provider.name} on {starts_at}",
        "the {visit_type.title} on {starts_at} with {slot.provider.name}",
    ],
):  # fmt: skip
    """A visit of one patient in one seat of a slot. It is unconfirmed until the patient
    confirms it in the days before; the practice checks the patient in and completes the visit, or
    records a no-show."""

    patient: Mapped[Patient] = ref(owner=True)
    slot: Mapped[Slot] = ref()
    visit_type: Mapped[VisitType] = ref()
    referral: Mapped[Referral | None] = ref()
    specialty: Mapped[Specialty]
    minutes: Mapped[Minutes] = column(ge=1, says="length")
    starts_at: Mapped[datetime] = column(volatile=True, says="start")
    mode: Mapped[Mode] = column(
        "on_site",
        says="mode",
        asks=["whether {it} is on site or by video", "how {it} will be held",
              "if I have to come in for {it} or get a video call",
              "whether I need to travel for {it} or can stay at home"],
        told=["{it} is {value}", "{it} takes place {value}", "{it} is held {value}"],
    )  # fmt: skip
    copay: Mapped[Money] = column(
        ge=0,
        asks=["what I pay myself for {it}", "how much my copay for {it} is",
              "what {it} costs me", "what my share of the fee for {it} is",
              "what comes out of my own pocket for {it}",
              "how much I should budget for {it}"],
        told=["the copay for {it} is {value}", "your own share for {it} is {value}",
              "you pay {value} yourself for {it}", "{it} costs you {value}",
              "your contribution to {it} is {value}",
              "please set aside {value} for {it}"],
    )  # fmt: skip
    booked_at: Mapped[datetime] = column(volatile=True, says="time of booking")
    moves: Mapped[int] = column(
        0,
        ge=0,
        says="number of moves",
        asks=["how often {it} has been moved", "how many times I've moved {it} already",
              "how often I've had {it} moved up to now"],
        told=["{it} has been moved {value} times so far", "so far, {it} was moved {value} times",
              "the number of moves of {it} is {value}"],
    )  # fmt: skip
    moved_at: Mapped[datetime | None] = column(None, volatile=True, says="time of the last move")
    confirmed_at: Mapped[datetime | None] = column(None, volatile=True, says="time of confirmation")
    cancelled_at: Mapped[datetime | None] = column(None, volatile=True, says="time of cancellation")
    status: Mapped[str] = lifecycle(
        {"unconfirmed": ["confirmed", "cancelled"], "confirmed": ["unconfirmed", "cancelled"]},
        outside={
            "unconfirmed": ["checked_in", "no_show"],
            "confirmed": ["checked_in", "no_show"],
            "checked_in": ["completed"],
        },
        asks=["whether {it} has been confirmed yet", "if I've confirmed {it} already",
              "whether {it} still has to be confirmed",
              "whether you have my confirmation for {it}"],
        told=["{it} is down as {value}", "{it} is {value}",
              "in the calendar, {it} is marked as {value}",
              "the calendar shows {it} as {value}"],
    )  # fmt: skip


class IntakeForm(
    domain.Entity,
    key=hashed("form_"),
    label="the {specialty} intake form",
    called=[
        "the {specialty} form you sent me", "my {specialty} intake form",
        "the {specialty} questionnaire", "the form you asked for on {requested_on}",
        "the {specialty} paperwork",
        "the questions from {specialty}",
    ],
):  # fmt: skip
    """A questionnaire that a specialty sends before certain visits; the practice withdraws one
    that is not needed."""

    patient: Mapped[Patient] = ref(owner=True)
    specialty: Mapped[Specialty]
    requested_on: Mapped[date] = column(volatile=True, says="day of the request")
    valid_until: Mapped[date | None] = column(
        None,
        says="last valid day",
        asks=["how long {it} is good for", "until when {it} is valid", "when {it} runs out"],
        told=["the last valid day of {it} is {value}",
              "in our records, {it} is valid until {value}",
              "the last day on which {it} is valid is {value}"],
    )  # fmt: skip
    allergies: Mapped[Literal["none", "medication", "food", "pollen", "latex"] | None]
    daily_medication: Mapped[bool | None] = column(None, says="daily medication")
    status: Mapped[str] = lifecycle(
        {"requested": ["submitted"]},
        outside={"requested": ["lapsed"]},
        asks=["whether {it} has reached you yet", "if you've got {it} back from me",
              "whether I've handed in {it} already"],
        told=["{it} is down as {value}", "our records have {it} as {value}",
              "our list shows {it} as {value}"],
    )  # fmt: skip


class WaitlistPlace(
    domain.Entity,
    key=hashed("wait_"),
    plural="places_on_waiting_lists",
    label="the waitlist place for a {self.visit_type.title} with {self.provider.name}",
    shows={
        "visit": "visit_type.title",
        "specialty": "visit_type.specialty",
        "provider_name": "provider.name",
    },
    called=[
        "my place on {provider.name}'s waitlist", "my place in the queue for a {visit_type.title}",
        "my waitlist place with {provider.name}", "my place in line for a {visit_type.title}",
        "my spot in line for a {visit_type.title}",
    ],
):  # fmt: skip
    """A place in the queue for a provider. When a seat comes free it is offered to the first
    patient in the queue whose visit fits, and held until the offer ends; the front desk releases
    the seat of an offer that lapsed."""

    patient: Mapped[Patient] = ref(owner=True, back="waitlist_places")
    provider: Mapped[Provider] = ref(back="queue")
    visit_type: Mapped[VisitType] = ref()
    joined_at: Mapped[datetime] = column(volatile=True, says="time of joining")
    slot: Mapped[Slot | None] = ref(back="offers", says="offered slot")
    offered_start: Mapped[datetime | None] = column(
        None,
        says="offered time",
        asks=["which time I've been offered on {it}", "when the seat held for me on {it} would be",
              "what day and time is on offer for {it}"],
        told=["the seat offered on {it} is on {value}", "the time on offer for {it} is {value}",
              "on {it}, you've been offered a seat on {value}"],
    )  # fmt: skip
    offer_until: Mapped[datetime | None] = column(
        None,
        says="end of the offer",
        asks=["by when I have to answer the offer on {it}", "how long the offer on {it} stands",
              "until when the seat on {it} is held for me",
              "how much time I've got to think about the offer on {it}"],
        told=["the end of the offer on {it} is {value}",
              "the time limit for the offer on {it} is {value}",
              "the last moment for answering the offer on {it} is {value}"],
    )  # fmt: skip
    status: Mapped[str] = lifecycle(
        {"current": ["offered", "left"], "offered": ["accepted", "declined"]},
        outside={"offered": ["lapsed"]},
        asks=["whether I've been offered a seat on {it} yet", "whether anything has come of {it}",
              "if {it} still counts"],
        told=["{it} is marked as {value}", "our list has {it} as {value}",
              "in our records, {it} is down as {value}"],
    )  # fmt: skip


class Invoice(
    domain.Entity,
    key=hashed("inv_"),
    label="the invoice for {self.appointment}",
    shows={"visit": "appointment.visit_type.title", "visit_start": "appointment.starts_at"},
    called=[
        "the invoice for my {appointment.visit_type.title}",
        "the bill for my {appointment.visit_type.title} on {appointment.starts_at}",
        "the bill for my {appointment.visit_type.title} with {appointment.slot.provider.name}",
        "the invoice for my {appointment.visit_type.title} with {appointment.slot.provider.name}",
        "the {kind} invoice for my {appointment.visit_type.title} on {appointment.starts_at}",
        "the {kind} charge for my {appointment.visit_type.title}",
    ],
    superlatives={
        "due_on": ("that's oldest", "that's newest"),
    },
):  # fmt: skip
    """Money a patient owes: the copay of a completed visit, or the fee for a late cancellation or
    a no-show. The front desk alone can waive an invoice."""

    patient: Mapped[Patient] = ref(owner=True)
    appointment: Mapped[Appointment] = ref()
    kind: Mapped[Literal["copay", "late_cancellation", "no_show"]]
    amount: Mapped[Money] = column(
        ge=1,
        asks=[
            "how much {it} was made out for",
            "what the full amount of {it} is",
            "what {it} was made out for",
        ],
        told=[
            "{it} was made out for {value}",
            "the full amount of {it} is {value}",
            "the amount on {it} is {value} in full",
        ],
    )
    paid: Mapped[Money] = column(
        0,
        ge=0,
        says="amount paid",
        asks=["how much I've already paid on {it}", "what has been paid towards {it} so far",
              "how much of {it} you've received"],
        told=["you've paid {value} on {it} so far", "what has come in for {it} is {value}",
              "so far, {value} has been paid towards {it}"],
    )  # fmt: skip
    issued_at: Mapped[datetime] = column(volatile=True, says="time of issue")
    due_on: Mapped[date] = column(
        says="due date",
        asks=["when {it} is due", "by when I have to pay {it}", "how long I have to settle {it}",
              "what the last day for paying {it} is",
              "what deadline {it} has"],
        told=["the due date of {it} is {value}", "the deadline for {it} is {value}",
              "the day set for paying {it} is {value}", "the due date on {it} reads {value}",
              "{it} carries the due date {value}"],
    )  # fmt: skip
    status: Mapped[str] = lifecycle(
        {"open": ["paid"]},
        outside={"open": ["waived"]},
        asks=["whether {it} has been settled", "whether {it} is still open",
              "if {it} counts as paid"],
        told=["{it} is {value}", "{it} is {value} at present", "{it} is on record as {value}"],
    )  # fmt: skip


class Payment(
    domain.Entity,
    key=hashed("pmt_"),
    plural="past_payments",
    label="the payment on {self.invoice}",
    shows={
        "kind": "invoice.kind",
        "invoice_amount": "invoice.amount",
        "invoice_paid": "invoice.paid",
    },
    called=[
        "the payment I made for my {invoice.appointment.visit_type.title} on "
        "{invoice.appointment.starts_at}",
        "the payment I made on {invoice}",
    ],
):  # fmt: skip
    """Money received for one invoice with the card that the patient keeps on file."""

    patient: Mapped[Patient] = ref(owner=True, back="payments")
    invoice: Mapped[Invoice] = ref(back="payments")
    amount: Mapped[Money] = column(
        ge=1,
        asks=[
            "how much {it} was",
            "what {it} came to",
            "what sum {it} was for",
        ],
        told=["{it} was {value}", "{it} came to {value}", "the amount of {it} was {value}"],
    )
    received_at: Mapped[datetime] = column(volatile=True, says="time of payment")


class Prescription(
    domain.Entity,
    key=hashed("rx_"),
    label="the prescription for {medication}",
    shows={"prescriber": "provider.name"},
    called=[
        "my {medication}", "my {medication} prescription", "the {medication} I take",
        "the {medication} {provider.name} prescribed",
        "my supply of {medication}",
        "the {medication} I get from {provider.name}",
    ],
    superlatives={"runs_out_on": ("that runs out first", "that lasts longest")},
):  # fmt: skip
    """A medicine that a provider prescribes for regular use. Controlled substances are marked."""

    patient: Mapped[Patient] = ref(owner=True)
    provider: Mapped[Provider] = ref()
    medication: Mapped[str]
    dose: Mapped[str]
    controlled: Mapped[bool] = column(False, says="controlled substance")
    runs_out_on: Mapped[date] = column(
        says="day the supply runs out",
        asks=["when {it} runs out", "how long {it} will last me", "when I'll be out of {it}",
              "on which day I'll have used up {it}",
              "when I'll have got through {it}"],
        told=["the last day that {it} is meant to cover is {value}",
              "the day on which {it} runs out is {value}",
              "the supply of {it} is reckoned to last until {value}",
              "in our records, {it} lasts until {value}",
              "going by our records, the supply of {it} ends on {value}"],
    )  # fmt: skip
    status: Mapped[str] = lifecycle(
        {"active": []},
        outside={"active": ["ended"]},
        asks=[
            "whether {it} is still current",
            "if {it} is still running",
            "whether {it} is still valid",
        ],
        told=["{it} is {value}", "{it} is {value} at present", "{it} is on record as {value}"],
    )


class RenewalRequest(
    domain.Entity,
    key=hashed("ren_"),
    label="the renewal request for {self.prescription.medication}",
    shows={"medication": "prescription.medication"},
    called=[
        "my renewal request for {prescription.medication}",
        "the {prescription.medication} refill I asked for",
        "my {prescription.medication} renewal", "the renewal I asked for on {requested_on}",
    ],
    superlatives={"requested_on": ("that I asked for first", "that I asked for last")},
):  # fmt: skip
    """A patient's wish to have a prescription renewed; its prescriber approves or refuses it."""

    patient: Mapped[Patient] = ref(owner=True)
    prescription: Mapped[Prescription] = ref()
    requested_on: Mapped[date] = column(
        says="day of the request",
        asks=["when {it} was sent", "on which day {it} went to the doctor",
              "since when {it} has been with the practice",
              "what date {it} carries"],
        told=["{it} was sent on {value}", "{it} went to the prescriber on {value}",
              "{it} dates from {value}"],
    )  # fmt: skip
    status: Mapped[str] = lifecycle(
        {"pending": []},
        outside={"pending": ["approved", "refused"]},
        asks=[
            "whether {it} has been decided",
            "what has become of {it}",
            "if there's any news of {it}",
        ],
        told=["{it} is {value}", "{it} is {value} at present", "{it} is on record as {value}"],
    )


class HandOver(
    domain.Entity,
    key=hashed("ho_"),
    label="the hand-over about {reason}",
    called=[
        "the {reason} you passed on", "my message about the {reason}",
    ],
):  # fmt: skip
    """A conversation passed to the nurse line or the front desk, open until a colleague has
    answered it."""

    patient: Mapped[Patient] = ref(owner=True)
    reason: Mapped[Reason]
    team: Mapped[Literal["nurse_line", "front_desk"]] = column(
        asks=["who has {it} now", "which team is looking after {it}", "with whom {it} ended up"],
        told=["{it} is with the {value}", "the {value} is looking after {it}",
              "the team that has {it} is the {value}"],
    )  # fmt: skip
    opened_at: Mapped[datetime] = column(volatile=True, says="time of the hand-over")
    status: Mapped[str] = lifecycle(
        {"open": []},
        outside={"open": ["answered"]},
        asks=[
            "whether anybody has answered {it}",
            "if {it} is still open",
            "whether {it} is still waiting for a reply",
        ],
        told=["{it} is {value}", "{it} is {value} at present", "{it} is on record as {value}"],
    )


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


def is_one_payment(kind: str, amount: Money, rest: Money) -> bool:
    """Whether so much may be paid on an invoice of this kind of which the rest is open.

    >>> is_one_payment("copay", 500, 2500), is_one_payment("no_show", 500, 2500)
    (True, False)
    >>> is_one_payment("no_show", 2500, 2500), is_one_payment("no_show", 2501, 2500)
    (True, True)
    """
    return kind == "copay" or amount >= rest


def is_between(day: date, first: date | None, last: date | None) -> bool:
    """Whether a day lies between two others, where they are given.

    >>> monday, tuesday = date(2026, 4, 13), date(2026, 4, 14)
    >>> is_between(monday, monday, monday), is_between(monday, None, None)
    (True, True)
    >>> is_between(monday, tuesday, None), is_between(tuesday, None, monday)
    (False, False)
    """
    return (first is None or day >= first) and (last is None or day <= last)


def suits(moment: datetime, part_of_day: str | None) -> bool:
    """Whether a moment lies in the part of the day that is wanted, if one is.

    >>> nine = datetime(2026, 4, 13, 9)
    >>> suits(nine, None), suits(nine, "morning"), suits(nine, "afternoon")
    (True, True, False)
    """
    return part_of_day in (None, half_of_day(moment))


def end_of_offer(now: datetime) -> datetime:
    """Until when a seat is held that is offered now.

    >>> end_of_offer(datetime(2026, 4, 13, 8))
    datetime.datetime(2026, 4, 13, 20, 0)
    """
    return now + timedelta(hours=OFFER_HOURS)


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


def ahead_of(line: list[str], place: str) -> int:
    """How many stand before a place in a queue.

    >>> ahead_of(["wait_a", "wait_b"], "wait_a"), ahead_of(["wait_a", "wait_b"], "wait_b")
    (0, 1)
    """
    return line.index(place)


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


def medication_for(intake_form: IntakeForm) -> list[bool]:
    """What a patient may answer about daily medication: who has a prescription takes some."""
    taken = any(p.status == "active" for p in intake_form.patient.prescriptions)
    return [True] if taken else [True, False]


def guardians_for(db, patient):
    """Whom a patient may want on file: a parent of somebody who is young enough."""
    grown_up = age_on(patient.birth_date, db.today) > GROWN_UP_AGE
    return [] if grown_up else guardian_names(patient)


def slots_for(db, patient, visit_type, moved=None):
    """Slots that a patient may want: mostly open ones that suit the visit, one of another length
    or sort, one elsewhere, and one that is taken."""
    ahead = [s for s in db.all(Slot) if s.starts_at > db.now]
    free = [s for s in ahead if s.status == "open"]
    suiting = [
        s for s in free if fits(s, visit_type) and is_wanted(db, patient, s, visit_type, moved)
    ]
    unlike = [s for s in free if not fits(s, visit_type)]
    here = [s for s in unlike if s.provider.specialty == visit_type.specialty]
    elsewhere = [s for s in unlike if s not in here]
    odd = here[:1] + elsewhere[:1] + [s for s in ahead if s.status != "open"][:1]
    return mostly(suiting, odd)


def mostly(usual, odd):
    """Candidates of which most are usual, however few of these there are."""
    times = MOST * len(odd) // len(usual) + 1 if usual else 1
    return usual * times + odd


def is_wanted(db, patient, slot, visit_type, moved):
    """Whether a day makes sense for a kind of visit: soon for acute trouble, and not within days
    of another visit of the same kind; the visit that is moved doesn't count."""
    if visit_type.acute and not is_within(slot.starts_at, db.now, ACUTE_DAYS):
        return False
    apart = DAYS_APART.get(visit_type.specialty, WEEK)
    return all(
        abs((a.starts_at.date() - slot.starts_at.date()).days) >= apart
        for a in upcoming_in(patient, visit_type.specialty)
        if a.visit_type is visit_type and a is not moved
    )


def new_slots_for(db, appointment):
    """Slots that a patient may want instead: the provider's own, above all those at the time of
    another visit, and some with others."""
    provider, patient = appointment.slot.provider, appointment.patient
    slots = dict.fromkeys(slots_for(db, patient, appointment.visit_type, appointment))
    own = [s for s in slots if s.provider is provider]
    busy = [s for s in own if not new_time_free.predicate(appointment, s)]
    others = [s for s in slots if s.provider is not provider]
    return own + busy + busy + others[: len(own) // 2 + 1]


def providers_for(db, visit_type):
    """Providers for whom a patient may want to wait: those of the specialty, and one elsewhere;
    nobody waits for weeks with acute trouble."""
    providers = () if visit_type.acute else db.all(Provider)
    here = [p for p in providers if p.specialty == visit_type.specialty]
    return here + [p for p in providers if p.specialty != visit_type.specialty][:1]


def referrals_for(patient, visit_type):
    """Referrals that a patient may bring along for a visit; None if there is none to bring."""
    fitting = [r for r in patient.referrals if r.specialty == visit_type.specialty]
    if not visit_type.needs_referral:
        return [None]
    return fitting or [None, *patient.referrals[:1]]


def amounts_for(invoice):
    """What a patient may want to pay: all that is open, half of it, a first part of a fee, or too
    much: what the invoice came to before a first part was paid, or else a round sum."""
    rest = invoice.amount - invoice.paid
    half = rest // 2 // PERCENT * PERCENT or rest // 2
    first = half if invoice.kind == "copay" else min(ROUND_SUM, half)
    too_much = invoice.amount if invoice.paid else (rest // ROUND_SUM + 1) * ROUND_SUM
    return [cents for cents in (rest, half, first, too_much) if cents > 0]


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
        a.status == "no_show" and earliest <= a.starts_at < moment for a in patient.appointments
    )


def upcoming_in(patient, specialty):
    return [a for a in patient.appointments if a.status in UPCOMING and a.specialty == specialty]


def queued(patient):
    return [e for e in patient.waitlist_places if e.status in QUEUED]


def clashes(patient, slot, visit_type):
    """The patient's visits that overlap a visit of this kind in this slot."""
    return [
        a
        for a in patient.appointments
        if a.status in PRESENT
        and overlaps(slot.starts_at, visit_type.minutes, a.starts_at, a.minutes)
    ]


def last_seen_by(patient, specialty):
    """The provider of the patient's last completed visit in a specialty, or None."""
    seen = [a for a in patient.appointments if a.status == "completed" and a.specialty == specialty]
    return max(seen, key=lambda a: a.starts_at).slot.provider if seen else None


def has_form(patient, specialty, day):
    """Whether a form of the specialty was submitted and is still valid on a day."""
    return any(
        f.specialty == specialty and f.status == "submitted" and f.valid_until >= day
        for f in patient.intake_forms
    )


def has_been_seen(patient, specialty):
    """Whether the patient has completed a visit in a specialty."""
    return last_seen_by(patient, specialty) is not None


def bookable(slot, now):
    """Whether the slot has a free seat and is neither too soon nor too far away."""
    return slot.status == "open" and in_booking_period(slot.starts_at, now)


def may_be_given(slot, visit_type, today):
    """Whether a slot isn't kept for acute trouble, as those of the present day are."""
    return visit_type.acute or slot.starts_at.date() > today


def fits(slot, visit_type):
    return (
        slot.provider.specialty == visit_type.specialty
        and slot.minutes >= visit_type.minutes
        and (slot.seats > 1) == visit_type.group
    )


def in_line(provider):
    """The patients waiting for a provider, first come first served."""
    waiting = [e for e in provider.queue if e.status == "current"]
    return sorted(waiting, key=lambda e: (e.joined_at, e.id))


def take_seat(slot):
    slot.free -= 1
    slot.status = "open" if slot.free else "full"


def give_back_seat(db, slot, leaving):
    """Offer a freed seat to the first other patient in the provider's queue whose visit fits;
    else it is free."""
    until = end_of_offer(db.now)
    if until + timedelta(hours=LEAD_HOURS) <= slot.starts_at:
        for entry in in_line(slot.provider):
            if entry.patient is not leaving and fits(slot, entry.visit_type):
                entry.status, entry.slot = "offered", slot
                entry.offered_start, entry.offer_until = slot.starts_at, until
                return
    slot.free += 1
    slot.status = "open"


# What words a refusal uses when it names a rule; each list is one group of a rule's concepts.
AREA = [
    "specialty", "dermatology", "cardiology", "physiotherapy", "general medicine", "department",
    "field", "cardiologist", "dermatologist", "physiotherapist", "general practitioner",
    "doesn't do", "belong to",
]  # fmt: skip
ELSEWHERE = [
    "{provider.name} works in another specialty",
    "{provider.name} is in {provider.specialty}, a different specialty",
    "that visit belongs to {visit_type.specialty}, which is not the field of {provider.name}",
    "the specialty of {provider.name} is {provider.specialty}",
]
LIMIT = ["limit", "maximum", "at most", "no more than", "two", "third"]
REFERRAL = ["referral", "referred", "doctor's letter", "letter from", "that letter", "the letter"]
QUEUE = ["waitlist", "waiting list", "wait list", "queue", "in line", "lists", "waiting place"]
CHANGE_OF_PROVIDER = [
    "same provider", "same doctor", "same therapist", "another provider", "another doctor",
    "other provider", "other doctor", "different provider", "different doctor", "change provider",
    "change the provider", "change of provider", "switch provider", "provider's calendar",
    "new booking", "switch doctors", "switching doctors", "switch between", "change doctors",
    "change of doctor", "somebody else's calendar", "whom you are booked with", "another therapist",
    "different therapist", "booking afresh", "stays with",
]  # fmt: skip
OVERLAP = [
    "overlap", "clash", "conflict", "collide", "coincide", "same time", "at that time",
    "double booked", "two places", "run into each other", "at that hour", "just then",
    "at the same hour", "already booked elsewhere", "somewhere else", "busy then", "in the way",
]  # fmt: skip

# Who may book -------------------------------------------------------------------------------------


@domain.rule(
    governs=["book_appointment", "join_waitlist"],
    because=[
        "the front desk has not verified your contact details yet",
        "we have no verified e-mail address and telephone number for you",
        "your e-mail address and telephone number still have to be checked by the front desk",
        "nobody at the front desk has checked your contact details so far",
        "your e-mail address and telephone number haven't been verified by anybody yet",
    ],
    offers=[
        "you could have them checked at the counter or over the telephone",
        "you could have me pass this on to the front desk, so that they get your details checked",
        "you could ring the front desk, who do it by telephone",
    ],
    concepts=[
        ["contact", "email", "phone", "telephone", "mobile", "address and number"],
        [
            "verify",
            "verified",
            "unverified",
            "check",
            "checked",
            "confirm",
            "confirmed",
            "validate",
            "validated",
            "made sure",
            "approve",
            "approved",
            "not been seen to",
        ],
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
        "too many of your visits in the last {NO_SHOW_DAYS} days were missed",
        "there are too many no-shows on your record from the last {NO_SHOW_DAYS} days",
        "with {MAX_NO_SHOWS} missed visits in {NO_SHOW_DAYS} days, the portal is blocked for you",
        "your record shows {MAX_NO_SHOWS} or more no-shows within {NO_SHOW_DAYS} days",
        "seats stood empty because you missed {MAX_NO_SHOWS} or more visits in {NO_SHOW_DAYS} days",
    ],
    offers=[
        "you could let me hand this over to the front desk, who alone can lift that block",
        "you could have the front desk look at it, and I could pass it on to them",
    ],
    concepts=[
        [
            "no-show", "no show", "missed", "did not come", "didn't come", "not attended",
            "didn't attend", "didn't show up", "failed to turn up", "failed to appear",
            "didn't turn up", "never came", "weren't there", "skipped", "stayed away",
            "unattended", "without coming", "stood us up", "failed to come", "didn't appear",
        ]
    ],
    remedy="hand_over",
)  # fmt: skip
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
        "bookings pause while somebody owes {BALANCE_LIMIT:money} or more, and you do",
        "what you owe us has gone up to {BALANCE_LIMIT:money} or beyond",
        "there are unpaid invoices of {BALANCE_LIMIT:money} or more on your account",
        "the debt on your account stands at {BALANCE_LIMIT:money} or higher",
    ],
    offers=[
        "you could pay an invoice first, beginning with the oldest, to get below that",
        "you could bring it below {BALANCE_LIMIT:money} here and now, and then we could go on",
        "a card payment towards the oldest bill would bring it down",
    ],
    concepts=[
        [
            "balance",
            "invoice",
            "unpaid",
            "owe",
            "owed",
            "owing",
            "outstanding",
            "bill",
            "debt",
            "unsettled",
            "behind with your payments",
            "in arrears",
            "arrears",
            "overdue",
            "in the red",
            "open on your account",
            "still to pay",
            "still to be paid",
        ],
    ],
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
        "for a patient under {ADULT_AGE} we need a guardian on file, and there is none",
        "no mother, father or legal guardian is on file for this account so far",
    ],
    offers=[
        "you could tell me the guardian's full name and relation, and I'd put them on file",
        "a parent or legal guardian could be put on file here first",
    ],
    concepts=[
        [
            "guardian",
            "parent",
            "mother",
            "father",
            "mum",
            "mom",
            "dad",
            "custody",
            "adult responsible",
            "responsible adult",
        ],
    ],
    remedy="add_guardian",
)
def guardian_on_file(db, patient: Patient) -> bool:
    """A patient under {ADULT_AGE} needs a guardian on file before a visit is booked or a waitlist
    joined."""
    return may_act(patient.birth_date, patient.guardian, db.today)


@domain.rule(
    governs=["book_appointment", "accept_offer"],
    because=[
        "you already have {MAX_UPCOMING} visits coming up in {visit_type.specialty}",
        "the limit of {MAX_UPCOMING} upcoming visits in one specialty is reached",
        "{MAX_UPCOMING} upcoming visits in {visit_type.specialty} are the most we book at a time",
        "with {MAX_UPCOMING} visits ahead in {visit_type.specialty} you are at the limit",
        "your calendar shows {MAX_UPCOMING} booked visits in {visit_type.specialty}, and a third "
        "is out of the question",
    ],
    offers=[
        "you could have one of them cancelled, and I'd try again",
        "you could give up one of them to make room for this one",
        "you could wait until one of them is behind you",
    ],
    concepts=[
        [
            "upcoming",
            "coming up",
            "booked",
            "planned",
            "ahead",
            "third",
            "specialty",
            "same time",
            "lined up",
            "scheduled",
            "department",
            "already have",
        ],
        [
            "limit",
            "maximum",
            "at most",
            "no more than",
            "two",
            "third",
            "only two",
            "as many",
            "the most we",
            "quota",
            "pair",
            "both",
            "another one",
            "one more",
        ],
    ],
    remedy="cancel_appointment",
)
def specialty_limit(patient: Patient, visit_type: VisitType) -> bool:
    """A patient can have at most {MAX_UPCOMING} upcoming visits, confirmed or not, in one
    specialty. Another one can be booked once one of them is over or has been cancelled."""
    return len(upcoming_in(patient, visit_type.specialty)) < MAX_UPCOMING


# Slots and times ----------------------------------------------------------------------------------


@domain.rule(
    governs=["book_appointment", "reschedule_appointment"],
    parts=[
        part(
            "far_enough_ahead",
            lambda db, slot: slot.starts_at - db.now >= timedelta(hours=LEAD_HOURS),
            because=[
                "that slot starts in less than {LEAD_HOURS} hours",
                "the portal needs {LEAD_HOURS} hours before a slot starts, and that one is sooner",
                "{slot.starts_at} is less than {LEAD_HOURS} hours away",
                "it's too soon: seats are given out until {LEAD_HOURS} hours before",
            ],
            concepts=[
                ["hour", "hours", "too soon", "shortly", "lead time", "too short notice", "so soon"]
            ],
            offers=["you could take a later time with the same provider, if there is one"],
        ),
        part(
            "within_horizon",
            lambda db, slot: slot.starts_at - db.now <= timedelta(days=HORIZON_DAYS),
            because=[
                "that slot is more than {HORIZON_DAYS} days away",
                "the calendar opens {HORIZON_DAYS} days in advance, and that slot is further off",
                "{slot.starts_at} is still too far away: we go no further than {HORIZON_DAYS} days",
                "a slot can be had from {HORIZON_DAYS} days in advance, not earlier",
            ],
            concepts=[
                [
                    "{HORIZON_DAYS}",
                    "sixty",
                    "far",
                    "in advance",
                    "not open yet",
                    "two months",
                    "haven't opened",
                    "hasn't opened",
                    "too early",
                    "further ahead",
                ]
            ],
            offers=["you could come back once the calendar has opened for that day"],
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
            because=[text.replace("provider", "slot.provider") for text in ELSEWHERE],
            concepts=[AREA],
            offers=[
                "you could have a time with a provider of the right specialty, if there is one"
            ],
        ),
        part(
            "long_enough",
            lambda slot, visit_type: slot.minutes >= visit_type.minutes,
            because=[
                "the slot is shorter than the visit takes",
                "that slot lasts {slot.minutes}, and the visit needs {visit_type.minutes}",
                "at {slot.minutes} the slot is not long enough",
                "the visit takes {visit_type.minutes}, longer than that slot lasts",
            ],
            concepts=[
                [
                    "short",
                    "shorter",
                    "long enough",
                    "longer",
                    "length",
                    "minutes",
                    "enough time",
                    "not enough",
                    "aren't enough",
                    "isn't enough",
                    "takes more time",
                ]
            ],
            offers=["you could take a longer slot with the same provider, if there is one"],
        ),
        part(
            "group_or_single",
            lambda slot, visit_type: (slot.seats > 1) == visit_type.group,
            because=[
                "group classes have slots of their own, and other visits are not held there",
                "a slot is either for a group class or for a single visit, and that one is the "
                "other kind",
                "that slot is not of the right sort: classes and single visits are kept apart",
                "single visits and a group class never share a slot",
            ],
            concepts=[
                [
                    "group",
                    "groups",
                    "class",
                    "classes",
                    "single",
                    "individual",
                    "one-to-one",
                    "one person",
                    "several people",
                    "participants",
                ]
            ],
            offers=["you could take a slot of the right sort, if there is one"],
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
    because=[
        "it overlaps another visit of yours",
        "you already have a visit at that time",
        "it would clash with another visit in your calendar",
        "on {slot.starts_at} you have another visit, and the two would overlap",
        "you can't attend both: there's another visit of yours at the same time",
    ],
    offers=[
        "you could let the other visit go, and I'd cancel it first",
        "you could take a time that leaves the other visit alone, if there is one",
        "you could decide which of the two matters more to you",
    ],
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
    because=[
        "the new time overlaps another visit of yours",
        "at that time you already have another visit",
        "it would clash with something else you have booked with us",
        "you'd be in two places: {slot.starts_at} collides with another visit",
        "you have another visit at the same time, and can't attend both",
    ],
    offers=[
        "you could take another time with the same provider, if there is one",
        "you could let the other visit go, and I'd cancel it first",
    ],
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
    because=[
        "the visit is in that slot already",
        "that is the time you already have",
        "{slot.starts_at} is the same slot that the visit has now",
        "your visit is in this slot as it is, and a move goes to another slot",
    ],
    offers=["you could tell me another day or time that you have in mind"],
    concepts=[
        [
            "same slot", "another slot", "in that slot", "in this slot", "current slot",
            "time you already have", "already at that time", "there already",
            "have that time already", "already is", "exactly the time",
            "the very time", "as it is", "same time as now", "time it has now",
        ]
    ],
)  # fmt: skip
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
            because=[
                "a {visit_type.title} needs a referral, and none was named",
                "for a {visit_type.title} we need a referral, and I see none for it on your record",
                "a {visit_type.title} requires a referral for {visit_type.specialty}",
                "a referral is required for a {visit_type.title}, and it is missing",
            ],
            concepts=[
                REFERRAL,
                [
                    "needs",
                    "need",
                    "requires",
                    "required",
                    "without",
                    "missing",
                    "haven't got",
                    "don't have",
                    "don't see",
                    "by referral only",
                    "have none",
                    "only with a",
                ],
            ],
            offers=["you could ask your general practitioner for one"],
        ),
        part(
            "needed",
            lambda visit_type, referral: referral is None or visit_type.needs_referral,
            because=[
                "a {visit_type.title} is booked without a referral",
                "no referral is used up on a {visit_type.title}",
                "a referral is unnecessary for a {visit_type.title}, so it must stay unused",
                "a {visit_type.title} goes without a referral",
            ],
            concepts=[
                REFERRAL,
                [
                    "without",
                    "no referral",
                    "unnecessary",
                    "superfluous",
                    "doesn't need",
                    "don't need",
                    "isn't needed",
                    "not needed",
                    "call for",
                    "no need",
                ],
            ],
            offers=["you could have it booked without using the referral"],
        ),
        part(
            "same_specialty",
            lambda visit_type, referral: (
                referral is None or referral.specialty == visit_type.specialty
            ),
            because=[
                "the referral is for another specialty",
                "your referral is for {referral.specialty}, and this is {visit_type.specialty}",
                "the referral from {referral.referred_by} is for a different specialty",
                "a referral for {referral.specialty} is not for a {visit_type.title}",
            ],
            concepts=[
                REFERRAL,
                [*AREA, "another", "different", "other", "not for", "only for", "covers"],
            ],
            offers=[
                "you could have it booked on a referral for {visit_type.specialty}, if you have one"
            ],
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
        "your referral is good until {referral.valid_until} and has expired by then",
        "the referral from {referral.referred_by} is only valid until {referral.valid_until}",
    ],
    offers=[
        "you could choose a day on which it is still good",
        "you could ask your doctor for a new letter",
        "you could pick an earlier date, if one is open",
    ],
    concepts=[
        REFERRAL,
        [
            "valid",
            "expire",
            "expired",
            "runs out",
            "run out",
            "lapsed",
            "ends",
            "until",
            "out of date",
            "too old",
            "doesn't cover that date",
            "doesn't cover that day",
            "only good",
            "by that day",
            "past its",
        ],
    ],
)
def referral_valid_that_day(referral: Referral | None, slot: Slot) -> bool:
    """The referral of a visit that needs one must still be valid on the day of the visit, not
    just on the day of booking; the same holds for the new day when such a visit is moved."""
    return referral is None or slot.starts_at.date() <= referral.valid_until


@domain.rule(
    governs=["book_appointment"],
    because=[
        "no visits are left on the referral",
        "all visits of the referral are used up",
        "the number of visits on the referral was {referral.allowed}, and none is left",
        "nothing remains of the referral from {referral.referred_by}: its visits are used up",
    ],
    offers=[
        "an upcoming visit on it comes back to it, if it is cancelled a day ahead or more",
        "you could ask your doctor for a new one",
    ],
    concepts=[
        REFERRAL,
        [
            "left",
            "used up",
            "are used",
            "been used",
            "remain",
            "remaining",
            "no more",
            "exhausted",
            "have had all",
            "you've had all",
            "all taken",
            "spent",
            "gone",
        ],
    ],
    remedy="cancel_appointment",
)
def referral_visits_left(referral: Referral | None) -> bool:
    """A referral has to have visits left. Each booking uses one; cancelling with full notice gives
    it back, a late cancellation or a no-show does not."""
    return referral is None or referral.used < referral.allowed


@domain.rule(
    governs=["book_appointment"],
    because=[
        "a {visit_type.title} is not possible by video",
        "we don't hold a {visit_type.title} by video, only on site",
        "a {visit_type.title} is done in person, never by video",
        "a video call won't do for a {visit_type.title}",
    ],
    offers=["you could have it on site, at the same time"],
    concepts=[
        [
            "video",
            "telehealth",
            "remote",
            "remotely",
            "on site",
            "in person",
            "face to face",
            "at the practice",
            "from home",
            "on the screen",
        ]
    ],
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
        "it is on {appointment.starts_at}, and a move needs {NOTICE_HOURS} hours' notice",
        "there are less than {NOTICE_HOURS} hours left until it starts",
        "with so little time to go, under {NOTICE_HOURS} hours, the calendar is locked for moves",
    ],
    offers=[
        "you could have it cancelled, and I'd tell you beforehand what that comes to",
        "you could still keep the time you have",
        "you could ask me what calling it off would cost, before you choose",
    ],
    concepts=[
        [
            "{NOTICE_HOURS} hours", "a day's notice", "one day's notice", "notice", "day before",
            "within a day", "one day ahead", "a day ahead", "a day in advance",
            "day in advance", "less than a day", "too late to move", "short notice",
        ]
    ],
    remedy="cancel_appointment",
)  # fmt: skip
def notice_to_move(db, appointment: Appointment) -> bool:
    """A visit can be moved until {NOTICE_HOURS} hours before it starts. After that it can only be
    cancelled, for a fee."""
    return has_notice(appointment.starts_at, db.now, NOTICE_HOURS)


@domain.rule(
    governs=["reschedule_appointment"],
    because=[
        "it has already been moved {appointment.moves} times",
        "a visit can be moved only {MAX_MOVES} times",
        "this visit was moved {appointment.moves} times, and that is the limit",
        "after {MAX_MOVES} moves a visit can't be moved again",
        "you have used up its {MAX_MOVES} moves and can't reschedule it once more",
    ],
    offers=[
        "you could keep it, or have it cancelled and booked anew",
        "you could have it cancelled, and then we'd look for a new time",
    ],
    concepts=[
        [
            "move",
            "moved",
            "moves",
            "reschedule",
            "rescheduled",
            "reschedulings",
            "change",
            "changed",
            "changes",
            "shift",
            "shifted",
            "postponed",
        ],
        [
            "times",
            "twice",
            "again",
            "once more",
            "limit",
            "maximum",
            "at most",
            "{MAX_MOVES}",
            "the most we allow",
            "used up",
            "a third",
        ],
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
        "it starts on {appointment.starts_at}, and that is less than {CUTOFF_HOURS} hours away",
        "{CUTOFF_HOURS} hours before the start it is too late for that in the portal",
    ],
    offers=[
        "you could let me pass it on to the front desk, who can still see to it",
        "you could have me hand this over to the front desk as a change at short notice",
        "you could have me alert the front desk right away",
    ],
    concepts=[
        [
            "hour",
            "hours",
            "about to start",
            "minutes",
            "too late",
            "too close",
            "about to begin",
            "starts so soon",
            "starts too soon",
        ]
    ],
    remedy="hand_over",
)
def before_cutoff(db, appointment: Appointment) -> bool:
    """The portal can cancel a visit until {CUTOFF_HOURS} hours before it starts. Later than that,
    only the front desk can: offer to hand it over as a short-notice change."""
    return has_notice(appointment.starts_at, db.now, CUTOFF_HOURS)


@domain.rule(
    governs=["confirm_appointment"],
    because=[
        "a visit can be confirmed only in the {CONFIRM_DAYS} days before it",
        "the visit is more than {CONFIRM_DAYS} days away",
        "it is too early: the visit is on {appointment.starts_at}, more than {CONFIRM_DAYS} days "
        "from now",
        "confirming opens {CONFIRM_DAYS} days ahead, and {appointment.starts_at} is further away",
        "we take a final yes only in the last {CONFIRM_DAYS} days, and {appointment.starts_at} "
        "lies beyond that",
    ],
    offers=[
        "you could write again in the {CONFIRM_DAYS} days before it; the booking stands until then",
        "you could come back to this in the week of the visit",
        "you could put a note in your diary and confirm once the day is near",
    ],
    concepts=[
        [
            "7 days", "a week", "too early", "too soon", "not yet", "earlier", "week before",
            "last week", "weeks off", "weeks away", "weeks ahead", "days off", "days away",
            "seven days", "closer to the date", "nearer the time", "so far ahead",
            "this far ahead",
        ],
    ],
)  # fmt: skip
def time_to_confirm(db, appointment: Appointment) -> bool:
    """A visit is confirmed in the {CONFIRM_DAYS} days before it, not earlier."""
    return is_within(appointment.starts_at, db.now, CONFIRM_DAYS)


@domain.rule(
    governs=["confirm_appointment"],
    because=[
        "the intake form has not been handed in",
        "we have no valid intake form for it",
        "the {appointment.specialty} intake form is still missing",
        "there is no {appointment.specialty} questionnaire from you that is valid on that day",
        "we're still waiting for your {appointment.specialty} form, without which "
        "the visit can't be confirmed",
    ],
    offers=[
        "you could give me your answers for the form first, and then we could try again",
        "you could hand the form in first, there isn't much to it",
        "we could fill in the questionnaire together here, it has only two questions",
    ],
    concepts=[["form", "questionnaire", "paperwork", "questions", "intake"]],
    remedy="submit_form",
)
def form_received(appointment: Appointment) -> bool:
    """A visit whose type needs an intake form is confirmed only when a form for its specialty was
    submitted and is still valid on the day of the visit; a submitted form is valid for
    {FORM_DAYS} days."""
    if not appointment.visit_type.needs_form:
        return True
    day = appointment.starts_at.date()
    return has_form(appointment.patient, appointment.specialty, day)


# Waitlist -----------------------------------------------------------------------------------------


@domain.rule(
    governs=["join_waitlist"],
    because=[
        "{provider.name} still has a free slot in the next {QUEUE_DAYS} days",
        "there is a free seat within {QUEUE_DAYS} days that can simply be booked",
        "the calendar of {provider.name} isn't full: a seat is free within {QUEUE_DAYS} days",
        "the waitlist is for full calendars, and {provider.name} has a free time coming up",
        "nobody needs to queue while {provider.name} has an open slot in the next {QUEUE_DAYS} "
        "days",
    ],
    offers=[
        "you could have me look up that time and book it",
        "you could take the time that is there, without any waiting",
        "I'd gladly read out what is free, so that you can pick",
    ],
    concepts=[
        [
            "free",
            "available",
            "open",
            "room",
            "opening",
            "simply book",
            "vacant",
            "unbooked",
            "isn't full",
            "not full",
        ],
        ["slot", "seat", "appointment", "time", "calendar", "diary", "opening", "schedule", "book"],
    ],
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
        "{MAX_QUEUES} waitlists at a time are the maximum, and you are on as many",
        "nobody can be on more than {MAX_QUEUES} waitlists, offers included",
        "your places fill the quota already, which is a maximum of {MAX_QUEUES} waitlists",
    ],
    offers=[
        "you could give up one of those places for this one",
        "you could tell me which place you can do without, and I'd take you off it first",
        "you could weigh up which queue matters least to you",
    ],
    concepts=[QUEUE, [*LIMIT, "{MAX_QUEUES}", "both", "more than"]],
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
            because=ELSEWHERE,
            concepts=[AREA],
            offers=["we could see whether somebody else does that kind of visit"],
        ),
        part(
            "single_visit",
            lambda visit_type: not visit_type.group,
            because=[
                "there is no waitlist for group classes",
                "for a group class we keep no queue",
                "nobody queues for a class: its seats can only be booked",
                "a {visit_type.title} is a group class, and those have no waitlist",
            ],
            concepts=[["group", "groups", "class", "classes"]],
            offers=["you could take another class, if one still has a seat"],
        ),
        part(
            "no_referral",
            lambda visit_type: not visit_type.needs_referral,
            because=[
                "visits with a referral are not put on a waitlist",
                "a {visit_type.title} needs a referral, and the front desk places such visits",
                "there is no waitlist for a visit that needs a referral",
                "a visit for which you need a referral has no queue in the portal",
            ],
            concepts=[REFERRAL],
            offers=["you could call the front desk, who place those"],
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
    because=[
        "the offer has ended",
        "the time to accept the offer is over",
        "the offer stood until {waitlist_place.offer_until}, and that is over",
        "your offer expired on {waitlist_place.offer_until}",
    ],
    offers=[
        "you could take the next free time instead, if there is one",
        "you could queue again, unless there's a free time that you can book",
        "we could see whether the calendar holds anything similar",
    ],
    concepts=[
        ["offer", "offered", "hold on the seat"],
        [
            "ended",
            "over",
            "expired",
            "no longer",
            "ran out",
            "lapsed",
            "passed",
            "deadline",
            "too late",
            "would have had to",
            "stood until",
            "has gone",
        ],
    ],
)
def offer_stands(db, waitlist_place: WaitlistPlace) -> bool:
    """A seat is held for {OFFER_HOURS} hours after it came free; an offer that has ended can no
    longer be accepted."""
    return waitlist_place.offer_until is None or db.now <= waitlist_place.offer_until


# Money, medicine, hand-over -----------------------------------------------------------------------


@domain.rule(
    governs=["pay_invoice"],
    because=[
        "that is more than is still open on the invoice for {invoice.amount}",
        "only what is left of {invoice.amount} can still be paid, and that is more",
        "the amount is higher than what you owe on this invoice, which was for {invoice.amount}",
        "{invoice.amount} was charged and {invoice.paid} is paid, so less than that is due on it",
    ],
    offers=[
        "you could pay exactly what is left on it",
        "you could pay just the rest of it",
    ],
    concepts=[
        [
            "more than",
            "exceed",
            "too much",
            "only",
            "just",
            "higher",
            "larger",
            "over",
            "less than",
            "overpay",
            "overpaying",
            "above",
            "that much",
            "bigger than",
        ],
        [
            "open",
            "owe",
            "outstanding",
            "due",
            "left",
            "remain",
            "balance",
            "unpaid",
            "to go",
            "overpay",
            "overpaying",
        ],
    ],
)
def not_more_than_open(invoice: Invoice, amount: Money) -> bool:
    """A payment goes to one invoice and must not be more than what is still open on it. Payments
    in part are possible."""
    return amount <= invoice.amount - invoice.paid


@domain.rule(
    governs=["request_renewal"],
    because=[
        "a renewal of that medicine has already been asked for",
        "a request for that prescription is still pending",
        "your earlier request for {prescription.medication} is still waiting for an answer",
        "{prescription.provider.name} already has a renewal request for "
        "{prescription.medication} from you",
    ],
    concepts=[
        [
            "pending",
            "already",
            "still waiting",
            "still open",
            "in progress",
            "earlier",
            "in the works",
            "under way",
            "waiting for the answer",
            "waiting for an answer",
            "being dealt with",
            "not decided yet",
            "undecided",
            "hasn't been answered",
            "twice",
        ],
        [
            "request",
            "renewal",
            "asked",
            "wish",
            "refill",
            "order",
        ],
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
        "what you have of {prescription.medication} is enough until {prescription.runs_out_on}",
        "there's plenty of {prescription.medication} left, and your supply lasts until "
        "{prescription.runs_out_on}",
        "it's too early, as a renewal opens {EARLY_DAYS} days before the supply runs out",
    ],
    offers=["you could write again in the last {EARLY_DAYS} days before that"],
    concepts=[
        [
            "early",
            "supply",
            "runs out",
            "run out",
            "lasts",
            "enough",
            "plenty",
            "plenty left",
            "too soon",
            "stock",
            "still got",
        ]
    ],
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
        "you need to have been seen by {prescription.provider.name} within {SEEN_DAYS} days",
        "it is too long since your last visit: {prescription.provider.name} has to see you within "
        "{SEEN_DAYS} days",
    ],
    offers=[
        "you could have a visit with {prescription.provider.name} first",
        "you could see the prescriber first, and I could look for a time",
        "we could start by finding you an opening with {prescription.provider.name}",
    ],
    concepts=[
        ["seen", "see", "visit", "appointment", "examined", "check-up", "consultation", "met"],
        [
            "{SEEN_DAYS}",
            "last",
            "recently",
            "ago",
            "six months",
            "too long",
            "first",
            "half a year",
            "half year",
            "months",
        ],
    ],
    remedy="book_appointment",
)
def seen_recently(db, prescription: Prescription) -> bool:
    """A prescription is renewed only if its prescriber has seen the patient, in a completed
    visit, within the last {SEEN_DAYS} days. Otherwise the patient needs a visit with the
    prescriber first."""
    earliest, prescriber = db.now - timedelta(days=SEEN_DAYS), prescription.provider.name
    return any(
        a.status == "completed" and a.starts_at >= earliest and a.slot.provider.name == prescriber
        for a in prescription.patient.appointments
    )


@domain.rule(
    governs=["add_guardian"],
    because=[
        "the patient is of age",
        "only patients under {ADULT_AGE} have a guardian on file",
        "this account belongs to an adult, and adults act for themselves",
        "we keep guardians only for children under {ADULT_AGE}, and the patient is an adult",
    ],
    concepts=[
        [
            "adult",
            "of age",
            "under {ADULT_AGE}",
            "minor",
            "child",
            "grown up",
            "grown-up",
            "over {ADULT_AGE}",
            "{ADULT_AGE} or older",
            "children",
            "underage",
            "full age",
        ]
    ],
)
def is_minor(db, patient: Patient) -> bool:
    """A guardian is put on file only for patients under {ADULT_AGE}."""
    return is_under_age(patient.birth_date, db.today)


@domain.rule(
    governs=["add_guardian"],
    because=[
        "that guardian is on file already",
        "{patient.guardian} is already on file as the guardian",
        "the same guardian, {patient.guardian}, has been entered before with that relation",
        "we already have {patient.guardian} down as guardian in just that way",
        "nothing would change, since the same guardian is entered there already",
    ],
    concepts=[
        ["already", "same", "again", "as it is", "listed", "before"],
        ["guardian", "mother", "father", "parent", "mum", "dad"],
    ],
)
def guardian_is_new(patient: Patient, guardian: str, relation: str) -> bool:
    """A guardian who is on file with the same relation is not put on file again."""
    return (guardian, relation) != (patient.guardian, patient.guardian_relation)


@domain.rule(
    governs=["hand_over"],
    because=[
        "a colleague has been told about this already and will get back to you",
        "there is an open hand-over for the same reason",
        "this has already been passed to a colleague and is still open",
        "the team has already been told and a hand-over about it is open",
    ],
    concepts=[
        ["already", "open", "again", "twice", "second time", "once more", "unanswered",
         "on it"],
        [
            "hand", "handed", "hand-over", "passed", "pass", "colleague", "told", "front desk",
            "nurse line", "forward", "forwarded", "message", "reception",
        ],
    ],
)  # fmt: skip
def not_handed_over_yet(patient: Patient, reason: str) -> bool:
    """A conversation is not handed over again while a hand-over for the same reason is open."""
    return all(h.status != "open" or h.reason != reason for h in patient.hand_overs)


# Left to the assistant ----------------------------------------------------------------------------

CONFIRMED = [
    "book_appointment", "reschedule_appointment", "cancel_appointment", "leave_waitlist",
    "accept_offer", "decline_offer", "pay_invoice",
]  # fmt: skip


@domain.rule(
    by="agent",
    kind="confirmation",
    governs=CONFIRMED,
    because=[
        "I need your explicit yes to these details first",
        "I only do that once you've said yes to the details",
        "I'd need you to confirm the details beforehand",
        "without a clear yes from you I have to leave it as it is",
    ],
    concepts=[
        [
            "confirm",
            "yes",
            "go ahead",
            "agree",
            "approve",
            "approved",
            "consent",
            "approval",
            "your OK",
            "green light",
            "say-so",
        ]
    ],
)
def details_confirmed(log) -> bool:
    """Before you book, move or cancel a visit, give up a waitlist place, or accept or turn down
    an offered seat, state the kind of visit, the provider, the date and the time as far as they
    are known, and before you take a payment state the amount and the invoice; then wait for an
    explicit yes. A yes given before a detail changed is no yes."""
    return log.confirmed()


@domain.rule(
    by="agent",
    kind="identification",
    governs=["request_renewal", "submit_form", "add_guardian"],
    because=[
        "I have to check your date of birth before I touch medical or family details",
        "for medical and family details I need the date of birth first",
        "the date of birth has to be checked against the profile beforehand",
        "I don't have the patient's date of birth from you, and this calls for it",
    ],
    offers=["you could tell me the date of birth now"],
    concepts=[["date of birth", "birth date", "birthdate", "birthday", "born"]],
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
        "{slot.provider.name} is not the provider who saw you last in {visit_type.specialty}, and "
        "follow-ups stay with the same one",
        "a follow-up continues your treatment, so it stays with whoever treated you last",
        "switching to a different doctor halfway isn't foreseen: whoever saw you last carries on",
    ],
    offers=[
        "you could take a time with the provider who saw you last",
        "you could have a time with the provider you saw last, if I look for one",
    ],
    concepts=[
        [
            "follow-up",
            "continue",
            "stay with",
            "stays with",
            "same",
            "last",
            "treating",
            "treated",
            "ongoing",
            "remain with",
            "remains with",
            "has to be with",
            "usual",
            "began",
            "continuing",
        ],
        ["provider", "doctor", "therapist", "saw you", "who", "whoever", "physician"],
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
    governs=["book_appointment", "reschedule_appointment"],
    because=[
        "times on the day itself are kept for acute trouble",
        "today's seats are only for patients with acute trouble",
        "a {visit_type.title} is not for acute trouble, and nothing else is put on the same day",
        "we keep today's calendar free for acute cases",
        "whatever is left today goes to acute cases, which this isn't",
    ],
    offers=[
        "you could take a time from tomorrow on",
        "you could come on another day, and I'd look for the first time there is",
        "we could pick any later day that suits you",
    ],
    concepts=[
        ["acute", "acutely", "urgent", "sick visit", "emergency", "emergencies"],
        ["day", "today", "today's", "same-day"],
    ],
)
def same_day_for_acute_trouble(db, slot: Slot, visit_type: VisitType) -> bool:
    """What is left in a calendar on the day itself is kept for acute trouble: put only visit
    types marked so into a slot of the present day, however free it looks."""
    return may_be_given(slot, visit_type, db.today)


@domain.rule(
    by="agent",
    governs=["book_appointment"],
    because=[
        "a group class is for patients whom one of our physiotherapists has assessed before",
        "you haven't been assessed by a physiotherapist of ours yet, and a class comes after that",
        "before a class we want a physiotherapist to have assessed you",
        "you join a group only once you've been assessed, and no such visit has taken place so far",
        "classes come after an assessment here, and none of yours has taken place yet",
    ],
    offers=[
        "the class opens to you once a visit to one of our physiotherapists has taken place",
        "you could ask for the class again as soon as one of our physiotherapists has seen you",
        "what opens the classes to you is a completed visit to a physiotherapist of ours",
    ],
    concepts=[
        [
            "assessed",
            "assessment",
            "physiotherapist has seen",
            "been seen by",
            "looked at by",
            "examined",
            "examination",
            "looked at",
        ],
        ["class", "classes", "group"],
    ],
)
def assessed_before_class(patient: Patient, visit_type: VisitType) -> bool:
    """Group classes come after an assessment: book one only for a patient who has completed a
    visit in its specialty before."""
    return not visit_type.group or has_been_seen(patient, visit_type.specialty)


@domain.rule(
    by="agent",
    governs=["book_appointment"],
    because=[
        "the first visit in {visit_type.specialty} is held on site, never by video",
        "nobody in {visit_type.specialty} has seen you so far, so the first visit is not by video",
        "you are new to {visit_type.specialty}, and new patients come on site the first time",
        "by video we only see patients who have been to {visit_type.specialty} before",
    ],
    offers=["you could have the same time on site"],
    concepts=[
        [
            "first visit",
            "first time",
            "new to",
            "new patient",
            "been seen",
            "seen you",
            "before",
            "met you",
            "first consultation",
            "first appointment",
            "know you",
            "been here",
            "never been",
        ],
        ["video", "on site", "in person", "come in", "at the practice", "face to face"],
    ],
)
def first_visit_on_site(patient: Patient, visit_type: VisitType, mode: str) -> bool:
    """The first visit in a specialty is held on site: book a visit by video only for a patient
    who has completed a visit in that specialty before."""
    return mode == "on_site" or has_been_seen(patient, visit_type.specialty)


@domain.rule(
    by="agent",
    governs=["book_appointment", "accept_offer", "join_waitlist"],
    because=[
        "you already have a {visit_type.title} ahead, and we keep no two of a kind",
        "there is a {visit_type.title} in your calendar already, and a second one of the same kind "
        "is one too many",
        "one visit of a kind is all we keep for a patient, and you have a {visit_type.title} ahead",
        "it would be your second visit of the same kind",
        "the practice doesn't reserve two of the same kind, and your calendar already shows one "
        "ahead",
    ],
    offers=[
        "you could have the other one cancelled first, if this suits you better",
        "you could give up the other one for this",
        "you could choose which of the two suits you better, and let me cancel the other",
    ],
    concepts=[
        [
            "of a kind",
            "same kind",
            "second one",
            "duplicate",
            "twice",
            "two of",
            "the same visit",
            "only keep one",
            "another one",
            "one coming up",
            "the second",
            "double",
            "you have one",
            "already have one",
        ],
        [
            "visit",
            "calendar",
            "already",
            "ahead",
            "appointment",
            "booked",
            "coming up",
            "patient",
            "screening",
            "consultation",
            "check-up",
            "check",
        ],
    ],
    remedy="cancel_appointment",
)
def one_visit_of_a_kind(patient: Patient, visit_type: VisitType) -> bool:
    """Nobody blocks two seats for the same thing: apart from follow-ups and group classes, do not
    give a patient a second visit of a kind, nor a waitlist place for one, while one of that kind
    is coming up, confirmed or not. Cancel the first one beforehand, if the patient would rather
    not keep it."""
    if visit_type.follow_up or visit_type.group:
        return True
    ahead = upcoming_in(patient, visit_type.specialty)
    return all(a.visit_type is not visit_type for a in ahead)


@domain.rule(
    by="agent",
    governs=["reschedule_appointment"],
    because=[
        "a visit is moved only within the same provider's calendar; elsewhere it has to be "
        "cancelled and booked anew",
        "moving it to another provider would be a new booking, after this one is cancelled",
        "a move never leads into another calendar: for {slot.provider.name}, a different provider, "
        "it takes a cancellation and a new booking",
        "the visit is with {appointment.slot.provider.name} and stays with the same provider when "
        "it is moved; only a new booking changes that, once the old one is cancelled",
        "going from {appointment.slot.provider.name} to {slot.provider.name} is a change of "
        "provider, for which the visit is cancelled and booked anew",
    ],
    offers=[
        "you could take another time with {appointment.slot.provider.name}, if there is one",
        "you could have the visit cancelled and booked anew, as far as the new booking is allowed",
        "you could give this one up for a new booking with {slot.provider.name}, if nothing stands "
        "in its way",
    ],
    concepts=[CHANGE_OF_PROVIDER],
    remedy="cancel_appointment",
)
def same_provider_when_moved(appointment: Appointment, slot: Slot) -> bool:
    """A visit is moved only within the calendar of the same provider. A patient who wants another
    provider cancels the visit and books a new one."""
    return appointment.slot.provider.name == slot.provider.name


@domain.rule(
    by="agent",
    governs=["join_waitlist"],
    because=[
        "you already have a waitlist place in {visit_type.specialty}",
        "we offer the waitlist only once for each specialty",
        "you are in a queue in {visit_type.specialty} as it is, and a second one is not on offer",
        "there is one place in the queue for each patient and specialty, and you hold yours",
        "we let nobody queue twice in {visit_type.specialty}, and you're waiting there already",
    ],
    offers=[
        "you could come off the other one first, if you'd rather wait for {provider.name}",
        "you could compare the two and tell me where you'd rather stand",
        "you could keep that place or swap it for this one",
    ],
    concepts=[
        [*QUEUE, "waiting place", "waiting for somebody", "waiting already", "already waiting"],
        [*AREA, "once", "one place", "second", "one waiting place"],
    ],
    remedy="leave_waitlist",
)
def one_queue_a_specialty(patient: Patient, visit_type: VisitType) -> bool:
    """Offer the waitlist only once for each specialty: a patient who waits for, or holds an offer
    from, one provider of a specialty is not put in the queue of a second one."""
    return all(e.visit_type.specialty != visit_type.specialty for e in queued(patient))


@domain.rule(
    by="agent",
    governs=["submit_form"],
    because=[
        "no {intake_form.specialty} visit of yours is coming up, so the form would only age",
        "a form is handed in for a visit, and nothing is booked in {intake_form.specialty}",
        "there is no upcoming visit in {intake_form.specialty} that this form would be for",
        "without a visit ahead in {intake_form.specialty} there is nothing to hand the form in for",
        "your calendar shows no visit in {intake_form.specialty}, and a form filled in too soon "
        "goes stale",
    ],
    offers=[
        "you could book a visit there first, and then give me your answers",
        "you could have a visit there booked first, if you need one",
    ],
    concepts=[
        ["visit", "appointment", "booked", "planned", "consultation"],
        [
            "coming up",
            "upcoming",
            "ahead",
            "no visit",
            "nothing is booked",
            "without a visit",
            "haven't got any",
            "no appointment",
            "not got any",
            "without one",
            "don't have any",
            "visit first",
            "none planned",
        ],
    ],
    remedy="book_appointment",
)
def form_is_for_a_visit(intake_form: IntakeForm) -> bool:
    """Forms age and cannot be changed: hand one in only while the patient has an upcoming visit,
    confirmed or not, in its specialty. Otherwise the visit comes first."""
    return bool(upcoming_in(intake_form.patient, intake_form.specialty))


@domain.rule(
    by="agent",
    governs=["pay_invoice"],
    because=[
        "you have an invoice with an earlier due date than this one, and the older one is paid "
        "first",
        "an older invoice than this one is still open",
        "bills are settled by age, and one with an earlier due date still stands open",
        "another invoice has a due date before {invoice.due_on}, and that one comes first",
        "payments go to your oldest open invoice before this one",
        "your money has to go to an older invoice first, and this one waits its turn",
        "payments begin with the oldest open invoice, and this one isn't it",
    ],
    offers=[
        "you could pay the older one, and then this one",
        "you could settle the older one first, and this one right after it",
        "we could go through your bills in order, beginning with the older one",
    ],
    concepts=[
        ["first", "oldest", "older", "earlier", "before", "earliest", "in order"],
        ["invoice", "due", "bill", "one"],
    ],
    remedy="pay_invoice",
)
def oldest_invoice_first(invoice: Invoice) -> bool:
    """Payments go to the open invoice with the earliest due date. Do not take money for a newer
    invoice while an older one is open, even if the patient would rather pay the smaller one."""
    return all(i.due_on >= invoice.due_on for i in invoice.patient.invoices if i.status == "open")


@domain.rule(
    by="agent",
    governs=["pay_invoice"],
    because=[
        "a {invoice.kind} fee is not paid in portions",
        "fees for missed or cancelled visits have to be cleared in one go",
        "only copays can be split, and this is a {invoice.kind} fee",
        "part payments are reserved for copays, and a {invoice.kind} fee isn't one",
        "a fee like this one is settled at once, not in instalments",
        "it isn't a copay, so a smaller sum won't do and the fee is taken in full",
    ],
    offers=[
        "you could pay all that is open on it at once",
        "you could pay the whole rest of it",
        "you could leave it until you have the whole sum together",
    ],
    concepts=[
        ["portions", "split", "in part", "partly", "instalments", "in one go", "in full",
         "at once", "partial", "part payment", "whole", "in pieces",
         "all of it", "one payment", "half of", "part of it"],
        ["fee", "fees", "copay", "copays", "no show", "missed", "late cancellation",
         "cancellation charge"],
    ],
)  # fmt: skip
def fees_in_one_payment(invoice: Invoice, amount: Money) -> bool:
    """Only copays are paid in portions. Take a payment for a late-cancellation or no-show fee
    only if it clears what is still open on that invoice."""
    return is_one_payment(invoice.kind, amount, invoice.amount - invoice.paid)


@domain.rule(
    by="agent",
    governs=["request_renewal"],
    because=[
        "{prescription.medication} is a controlled substance",
        "controlled substances are not renewed through the portal",
        "{prescription.medication} counts as controlled, and such medicines never go through the "
        "portal",
        "for a controlled medicine like {prescription.medication} the portal is closed",
        "for controlled medicines such as {prescription.medication} you need the nurse line, and "
        "the portal stays out of it",
    ],
    offers=[
        "you could let me pass it to the nurse line, who will take it from there",
        "you could have the nurse line help you with it, and I'd hand it over to them",
    ],
    concepts=[
        [
            "controlled",
            "narcotic",
            "narcotics",
            "restricted",
            "regulated",
            "special class",
            "strictly",
        ]
    ],
    remedy="hand_over",
)
def no_controlled_renewals(prescription: Prescription) -> bool:
    """Never request the renewal of a controlled substance in the portal; offer to hand it over
    to the nurse line as a medical question."""
    return not prescription.controlled


@domain.rule(
    by="agent",
    governs=["request_renewal"],
    because=[
        "a medical question of yours is still open with the nurse line",
        "the nurse line has not answered your medical question yet, and that comes first",
        "you have an open question with the nurse line, and no renewal goes out before its answer",
        "while the nurse line is looking at your medical question, renewals wait",
        "the nurse line still owes you a reply to your question, and it might alter your treatment",
    ],
    offers=["you could write again once they have answered you"],
    concepts=[
        [
            "medical question",
            "question",
            "before the nurse",
            "nurse has",
            "nurse line has",
            "unanswered",
            "nurses still",
            "asked the nurse",
            "nurse line still",
        ]
    ],
)
def no_open_medical_question(prescription: Prescription) -> bool:
    """Do not request a renewal before the nurse line has answered every medical question of the
    patient: what it says may change the medicine."""
    handed = prescription.patient.hand_overs
    return all(h.status != "open" or h.reason != "medical_question" for h in handed)


@domain.rule(
    by="agent",
    governs=["cancel_appointment"],
    because=[
        "I have to look up and tell you the late-cancellation fee before I cancel",
        "less than {NOTICE_HOURS} hours before a visit I must quote you the cancellation fee first",
        "this late a cancellation has a fee, and you should hear it beforehand",
        "I may not cancel so late before you know what it would cost",
    ],
    offers=["you could have me look up the fee now, and then decide"],
    concepts=[["fee", "cost", "charge"], ["late", "notice", "cancel"]],
    remedy="quote_cancellation",
)
def fee_looked_up(db, log, appointment: Appointment) -> bool:
    """Never cancel with less than {NOTICE_HOURS} hours' notice before you have looked up the fee
    with the quote and told the patient what it comes to. The patient may then still decide to
    come."""
    start, minutes = appointment.starts_at, appointment.minutes
    if not late_fee(minutes, start, db.now) or not has_notice(start, db.now, CUTOFF_HOURS):
        return True
    return log.called("quote_cancellation")


# Reads --------------------------------------------------------------------------------------------

domain.reads(Provider, search=["name"], filters=["specialty"], page=PAGE)
domain.reads(VisitType, search=["title"], filters=["specialty"], page=PAGE)
domain.reads(Slot, get=True)
domain.reads(Appointment, get=True, list_of="patient", filters=["status"], page=PAGE)
domain.reads(Referral, list_of="patient", filters=["specialty"], page=PAGE)
domain.reads(IntakeForm, list_of="patient", filters=["status"], page=PAGE)
domain.reads(
    WaitlistPlace, list_of="patient", filters=["status"], page=PAGE, names={"list": "my_waitlist"}
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
    """How many patients stand before this one in a queue, and how many wait in all."""

    ahead: int
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
        if s.starts_at > db.now and is_between(s.starts_at.date(), first_day, last_day)
    ]
    return page_of(sorted(slots, key=lambda s: s.starts_at), page, CALENDAR_PAGE)


@domain.read(
    errors={"nothing_free": "No seat for such a visit is free in the booking period."},
    tells={
        "starts_at": [
            "when the next free time for {visit_type} is",
            "when I could have {visit_type} at the earliest",
            "when I could be seen for {visit_type} at the earliest",
            "when you could fit me in for {visit_type}",
            "what the first opening for {visit_type} would be",
        ]
    },
)
def next_available(
    db,
    visit_type: VisitType,
    provider: Annotated[Provider | None, drawn(lambda: [None])] = None,
    not_before: Annotated[date | None, drawn(lambda: [None])] = None,
    part_of_day: Annotated[Literal["morning", "afternoon"] | None, drawn(lambda: [None])] = None,
) -> Slot:
    """Find the earliest slot that can be booked for a kind of visit, with any provider or a given
    one. Slots of the present day are left out unless the visit is for acute trouble.

    Args:
        not_before: The earliest day wanted
        part_of_day: Only slots that start before noon, or only slots from noon on
    """
    found = [
        s
        for s in db.all(Slot)
        if fits(s, visit_type)
        and bookable(s, db.now)
        and may_be_given(s, visit_type, db.today)
        and (provider is None or s.provider is provider)
        and (not_before is None or s.starts_at.date() >= not_before)
        and suits(s.starts_at, part_of_day)
    ]
    if not found:
        raise ToolError("nothing_free")
    return min(found, key=lambda s: (s.starts_at, s.id))


@domain.read(
    tells={
        "copay": [
            "what I would pay myself for {visit_type}",
            "how much I would have to pay out of my own pocket for {visit_type}",
            "how much it would cost me to have {visit_type}",
            "what my own share for {visit_type} would be",
        ],
        "minutes": [
            "how long {visit_type} takes",
            "how long I should set aside for {visit_type}",
            "how long {visit_type} usually takes",
            "how long {visit_type} lasts",
        ],
        "fee": [
            "what the full fee for {visit_type} would be",
            "what {visit_type} costs before my insurance comes in",
            "how much {visit_type} costs in all, my insurance's share included",
            "what the list price of {visit_type} would be",
        ],
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
    errors={"nothing_to_cancel": "That visit is not coming up any more."},
    tells={
        "fee": [
            "what it would cost me to cancel {appointment} now",
            "how much I would be charged if I called off {appointment} today",
            "what I would have to pay if I dropped {appointment} now",
            "what the penalty for getting out of {appointment} now would be",
        ],
        "free_until": [
            "by when I'd have to call off {appointment} if I want to avoid a fee",
            "by when a cancellation of {appointment} has to reach you if it's to be free of charge",
            "by when {appointment} has to be cancelled if there's to be no fee",
            "by when I'd need to back out of {appointment} if I don't want to be charged for that",
        ],
    },
)
def quote_cancellation(db, appointment: Appointment) -> CancellationQuote:
    """Say what cancelling a visit now would cost and until when it is free of charge."""
    if appointment.status not in UPCOMING:
        raise ToolError("nothing_to_cancel")
    start = appointment.starts_at
    fee = late_fee(appointment.minutes, start, db.now)
    return CancellationQuote(
        fee=fee,
        free_until=start - timedelta(hours=NOTICE_HOURS),
        referral_visit_returned=visit_returns(appointment.referral is not None, fee),
    )


@domain.read(
    tells={
        "balance": [
            "how much I owe the practice altogether",
            "what I still have to pay in all",
            "how much it would cost me to settle everything at once",
            "what my debts with you come to altogether",
            "what wiping the slate clean would cost me",
        ],
        "open_invoices": [
            "how many invoices are still open on my account",
            "how many bills I still have to settle",
            "how many invoices I have not paid yet",
            "how many bills there are on my account that I haven't settled",
        ],
        "booking_limit": [
            "how much I may owe before booking is blocked",
            "how much I can leave unpaid before you stop me from booking",
        ],
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
        "ahead": [
            "how many people are ahead of me on {waitlist_place.provider.name}'s waitlist",
            "how many patients are before me in the queue for {waitlist_place.provider.name}",
            "how many others are in line for {waitlist_place.provider.name} before it's my turn",
        ],
        "waiting": [
            "how many people are waiting for {waitlist_place.provider.name}, myself included",
            "how many patients are on {waitlist_place.provider.name}'s waitlist in all",
            "how many people there are in line for {waitlist_place.provider.name}",
        ],
    },
)
def queue_position(db, waitlist_place: WaitlistPlace) -> QueuePosition:
    """Say how many patients stand before this one in a provider's queue, and how many wait there
    in all, without naming anybody."""
    line = in_line(waitlist_place.provider)
    if waitlist_place not in line:
        raise ToolError("not_waiting")
    ahead = ahead_of([e.id for e in line], waitlist_place.id)
    return QueuePosition(ahead=ahead, waiting=len(line))


# Writes -------------------------------------------------------------------------------------------

SEAT_GIVEN_BACK = [WaitlistPlace.slot, WaitlistPlace.offered_start, WaitlistPlace.offer_until]
GIVEN_OR_TAKEN = ["open", "full"]
BILL = (
    "the {invoice.kind} invoice for your {invoice.appointment.visit_type.title} on "
    "{invoice.appointment.starts_at}"
)
"""What a paid invoice is called, so that it can't be taken for another one."""


@domain.write(
    requires=[
        contact_verified,
        no_shows_below_limit,
        guardian_on_file,
        balance_below_limit,
        specialty_limit,
        bookable_time,
        slot_suits_visit,
        no_overlap,
        referral_matches,
        referral_valid_that_day,
        referral_visits_left,
        video_possible,
        details_confirmed,
        same_provider_for_follow_up,
        same_day_for_acute_trouble,
        assessed_before_class,
        first_visit_on_site,
        one_visit_of_a_kind,
    ],
    changes=[
        moves("slot", "open", to=GIVEN_OR_TAKEN),
        creates(Appointment),
        sets("slot", Slot.free),
        sets("referral", Referral.used),
    ],
    ask=[
        "request {visit_type} with {slot.provider.name} on {slot.starts_at}",
        "have {slot} for {visit_type}",
        "get {slot} for {visit_type}",
        "book {visit_type} with {slot.provider.name} on {slot.starts_at}",
        "make an appointment for {visit_type} with {slot.provider.name} on {slot.starts_at}",
        "see {slot.provider.name} on {slot.starts_at} for {visit_type}",
        "be put down for {visit_type} with {slot.provider.name} on {slot.starts_at}",
        "take {slot} for {visit_type}",
        "set up {visit_type} with {slot.provider.name} for {slot.starts_at}",
        "have {visit_type} {mode} with {slot.provider.name} on {slot.starts_at}",
        "book {slot} for {visit_type} {mode}",
        "use {referral} to book {visit_type} with {slot.provider.name} on {slot.starts_at}",
        "arrange {visit_type} with {slot.provider.name} for {slot.starts_at}",
        "reserve {slot} for {visit_type}",
        "schedule {visit_type} with {slot.provider.name} for {slot.starts_at}",
        "sign up for {visit_type} with {slot.provider.name} on {slot.starts_at}",
        "come and see {slot.provider.name} for {visit_type} on {slot.starts_at}",
        "have {visit_type} put in {slot.provider.name}'s calendar for {slot.starts_at}",
        "get booked in for {visit_type} with {slot.provider.name} on {slot.starts_at}",
        "get fitted in for {visit_type} on {slot.starts_at} with {slot.provider.name}",
        "arrange {visit_type} {mode} with {slot.provider.name} for {slot.starts_at}",
        "reserve {slot} for {visit_type} {mode}",
        "use up one visit on {referral} for {visit_type} with {slot.provider.name} on "
        "{slot.starts_at}",
        "reserve {slot} for {visit_type}, with {referral} to cover it",
        "book {visit_type} with {slot.provider.name} on {slot.starts_at}, on {referral}",
        "take {slot} for {visit_type}, on {referral}",
        "take {slot}",
        "book {visit_type}",
        "find a time for {visit_type}",
        "have {visit_type} {mode}",
        "use {referral} for {visit_type}",
    ],
    asks={
        "visit_type": ["What kind of visit would you like?", "What would you like to come in for?",
                       "Which visit shall I book for you?",
                         "What treatment or examination is it about?"],
        "slot": ["Which day and time would you like, and with whom?",
                 "When would you like to come, and to which provider?",
                 "Do you have a day, a time and a provider in mind?",
                         "Whom would you like to see, and at what hour?"],
        "referral": ["Which of your referrals would you like to use for it?",
                     "On which referral shall I book it?"],
        "mode": ["Would you like to come in, or have a video call?",
                 "Shall it be on site or by video?"],
    },
    outcome=outcome(
        quotes=["starts_at", "copay"],
        mood="good",
        says=[
            "Make a note of {starts_at}: {slot.provider.name} does your {visit_type.title}, and "
            "you pay {copay} of the cost yourself.",
            "A place in {slot.provider.name}'s schedule on {starts_at} belongs to you; as soon as "
            "the {visit_type.title} is over, you'll be invoiced {copay}.",
            "Your {visit_type.title} is fixed for {starts_at} with {slot.provider.name}, and "
            "your own share is {copay}.",
            "Your {visit_type.title} with {slot.provider.name} is booked for {starts_at}; your "
            "copay will be {copay}.",
            "You're down for {visit_type} with {slot.provider.name} on {starts_at}; {copay} of the "
            "fee is yours to pay afterwards.",
            "I've booked {visit_type} with {slot.provider.name} for you on {starts_at}; the "
            "invoice after the visit will be for {copay}.",
            "You'll be seen by {slot.provider.name} on {starts_at}; the copay for your "
            "{visit_type.title} is {copay}.",
            "The seat with {slot.provider.name} on {starts_at} is reserved for your "
            "{visit_type.title}; expect a copay of {copay}.",
            "On {starts_at} you have your appointment with {slot.provider.name}; the part of the "
            "bill for your {visit_type.title} that falls to you is {copay}.",
            "Please keep {starts_at} free: that is your {visit_type.title} with "
            "{slot.provider.name}, with {copay} as your contribution.",
            "The calendar of {slot.provider.name} has you in it for {starts_at}; you'll be "
            "invoiced {copay} after the {visit_type.title}.",
            "We look forward to seeing you on {starts_at} for the {visit_type.title} with "
            "{slot.provider.name}, which leaves {copay} for you to pay later.",
        ],
    ),
)  # fmt: skip
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
    one. The copay is fixed at booking and invoiced after the visit. A new visit is
    unconfirmed.

    Args:
        referral: The ID of the referral that the visit uses, for visit types that need one
        mode: Whether the patient comes to the practice or is called by video
    """
    if referral is not None:
        referral.used += 1
    take_seat(slot)
    return db.create(
        Appointment,
        patient=patient,
        slot=slot,
        visit_type=visit_type,
        specialty=visit_type.specialty,
        minutes=visit_type.minutes,
        referral=referral,
        starts_at=slot.starts_at,
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
        slot_suits_visit.on(visit_type="appointment.visit_type"),
        new_time_free,
        referral_valid_that_day.on(referral="appointment.referral"),
        details_confirmed,
        same_provider_when_moved,
        same_day_for_acute_trouble.on(visit_type="appointment.visit_type"),
    ],
    changes=[
        moves("appointment", ["unconfirmed", "confirmed"], to="unconfirmed"),
        moves("slot", "open", to=GIVEN_OR_TAKEN),
        sets(
            "appointment",
            Appointment.slot,
            Appointment.starts_at,
            Appointment.moves,
            Appointment.moved_at,
            Appointment.confirmed_at,
        ),
        sets("slot", Slot.free),
        moves("appointment.slot", GIVEN_OR_TAKEN, to=GIVEN_OR_TAKEN),
        sets("appointment.slot", Slot.free),
        moves("appointment.slot.provider.queue", "current", to="offered"),
        sets("appointment.slot.provider.queue", *SEAT_GIVEN_BACK),
    ],
    ask=[
        "transfer {appointment} to {slot}",
        "rebook {appointment} for {slot.starts_at} with {slot.provider.name}",
        "move {appointment} to {slot}",
        "reschedule {appointment} to {slot.starts_at} with {slot.provider.name}",
        "swap the time of {appointment} for {slot}",
        "shift {appointment} to {slot.starts_at} with {slot.provider.name}",
        "have {appointment} changed to {slot.starts_at} with {slot.provider.name}",
        "switch {appointment} to {slot}",
        "rearrange {appointment} for {slot.starts_at} with {slot.provider.name}",
        "change {appointment} to {slot}",
        "exchange the time of {appointment} for {slot}",
        "move {appointment} to another time",
        "find another time for {appointment}",
        "move one of my visits to {slot}",
    ],
    asks={
        "appointment": ["Which of your visits would you like to move?",
                        "Which visit is it that should be moved?",
                        "Could you tell me which appointment you mean?"],
        "slot": ["To which day and time would you like to move it?",
                 "When would suit you better?", "What time would you like instead?"],
    },
    outcome=outcome(
        quotes=["starts_at"],
        mood="good",
        says=[
            "Your {appointment.visit_type.title} with {slot.provider.name} is now on {starts_at}; "
            "it needs a new confirmation from you.",
            "I've moved your {appointment.visit_type.title} to {starts_at} with "
            "{slot.provider.name}, and your old seat is given back.",
            "Your {appointment.visit_type.title} has a new time: {slot.provider.name} expects you "
            "on {starts_at}, at the same copay as before.",
            "You now have {starts_at} with {slot.provider.name} for your "
            "{appointment.visit_type.title}, and it still has to be confirmed.",
            "You will now see {slot.provider.name} for your {appointment.visit_type.title} on "
            "{starts_at}; please cross out the old time.",
            "The change to {starts_at} with {slot.provider.name} has gone through, and somebody "
            "else can use the time you had before.",
            "The new date is {starts_at}: {slot.provider.name} has you down for then, and the "
            "former date of your {appointment.visit_type.title} no longer counts.",
            "Rebooked: from now on {starts_at} is when {slot.provider.name} sees you; a "
            "new confirmation of it is needed.",
        ],
    ),
)  # fmt: skip
def reschedule_appointment(
    db, appointment: Appointment, slot: Annotated[Slot, drawn(new_slots_for)]
) -> Appointment:
    """Move a visit to another slot. It keeps its kind, its referral and its copay.

    A moved visit is unconfirmed again and has to be confirmed anew, even if it was confirmed
    before.
    The old seat is offered to the waitlist or becomes free, so a move cannot simply be undone.
    """
    old = appointment.slot
    take_seat(slot)
    appointment.slot, appointment.starts_at, appointment.status = (
        slot,
        slot.starts_at,
        "unconfirmed",
    )
    appointment.moves += 1
    appointment.moved_at, appointment.confirmed_at = db.now, None
    give_back_seat(db, old, appointment.patient)
    return appointment


@domain.write(
    requires=[before_cutoff, details_confirmed, fee_looked_up],
    changes=[
        moves("appointment", ["unconfirmed", "confirmed"], to="cancelled"),
        sets("appointment", Appointment.cancelled_at),
        sets("appointment.referral", Referral.used),
        moves("appointment.slot", GIVEN_OR_TAKEN, to=GIVEN_OR_TAKEN),
        sets("appointment.slot", Slot.free),
        moves("appointment.slot.provider.queue", "current", to="offered"),
        sets("appointment.slot.provider.queue", *SEAT_GIVEN_BACK),
        creates(Invoice),
    ],
    ask=[
        "let go of {appointment}",
        "remove {appointment} from the calendar",
        "have {appointment} cancelled",
        "cancel {appointment}",
        "call off {appointment}",
        "drop {appointment}",
        "give up {appointment}",
        "get out of {appointment}",
        "withdraw from {appointment}",
        "take {appointment} off the calendar",
        "back out of {appointment}",
        "scrap {appointment}",
        "strike {appointment} from the calendar",
        "take {appointment} out of the calendar",
        "pull out of {appointment}",
        "have {appointment} called off",
        "cancel the {appointment.visit_type.title} I have with {appointment.slot.provider.name} on "
        "{appointment.starts_at}",
        "cancel an appointment",
        "call off a visit of mine",
    ],
    asks={
        "appointment": ["Which of your visits would you like to cancel?",
                        "Which appointment should be called off?",
                        "Could you tell me which visit you mean?",
                         "Which one should disappear from your calendar?",
                         "Which of the visits ahead of you is it?"],
    },
    destructive=True,
    outcome=outcome(
        quotes=["starts_at"],
        mood="neutral",
        irreversible=True,
        ask_first=[
            "quote_cancellation",
            "Cancelling the {appointment.visit_type.title} was free until {free_until}, and costs "
            "a fee of {fee} now.",
        ],
        says=[
            "The {appointment.visit_type.title} with {appointment.slot.provider.name} on "
            "{starts_at} is cancelled, so you don't have to come.",
            "You can plan something else for {starts_at}, since the "
            "{appointment.visit_type.title} with {appointment.slot.provider.name} is cancelled.",
            "I've taken the {appointment.visit_type.title} with "
            "{appointment.slot.provider.name} on {starts_at} out of the schedule.",
            "There won't be any {appointment.visit_type.title} with "
            "{appointment.slot.provider.name} on {starts_at}; the appointment is cancelled.",
            "The {appointment.visit_type.title} on {starts_at} with "
            "{appointment.slot.provider.name} has been cancelled for you.",
            "Your {appointment.visit_type.title} with {appointment.slot.provider.name} on "
            "{starts_at} is cancelled, and the seat is given back.",
            "I've cancelled your {appointment.visit_type.title} on {starts_at} with "
            "{appointment.slot.provider.name}.",
            "Your booking on {starts_at} no longer stands: the {appointment.visit_type.title} with "
            "{appointment.slot.provider.name} is cancelled.",
            "As agreed, your {appointment.visit_type.title} with {appointment.slot.provider.name} "
            "on {starts_at} is cancelled, and that time is no longer taken up in "
            "your calendar.",
            "You're no longer expected on {starts_at}: your {appointment.visit_type.title} with "
            "{appointment.slot.provider.name} is off.",
            "The {appointment.visit_type.title} on {starts_at} with "
            "{appointment.slot.provider.name} is out of your calendar.",
            "Your {appointment.visit_type.title} on {starts_at} has been taken out of "
            "{appointment.slot.provider.name}'s calendar.",
            "Nobody at the practice is waiting for you on {starts_at} any more; the "
            "{appointment.visit_type.title} with {appointment.slot.provider.name} is called off.",
            "The booking for {starts_at} with {appointment.slot.provider.name} has been "
            "withdrawn, so nobody is keeping that time for you any longer.",
            "You're free on {starts_at} again, as your {appointment.visit_type.title} with "
            "{appointment.slot.provider.name} won't take place.",
            "The {appointment.visit_type.title} on {starts_at} is no longer on the list of "
            "{appointment.slot.provider.name}.",
        ],
    ),
)  # fmt: skip
def cancel_appointment(db, appointment: Appointment) -> Appointment:
    """Cancel an upcoming visit, be it confirmed or not.

    With {NOTICE_HOURS} hours' notice or more it is free, and a visit used on a referral is given
    back. With less notice an invoice for the late-cancellation fee is issued at once, due in
    {PAYMENT_DAYS} days, and the referral visit stays used. The seat is offered to the waitlist or
    becomes free.
    """
    start, minutes = appointment.starts_at, appointment.minutes
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
        moves("appointment", "unconfirmed", to="confirmed"),
        sets("appointment", Appointment.confirmed_at),
    ],
    ask=[
        "confirm {appointment}",
        "confirm that I'm coming to {appointment}",
        "get {appointment} confirmed",
        "have {appointment} marked as confirmed",
        "have it noted that I'm coming to {appointment}",
        "confirm my attendance at {appointment}",
        "confirm the {appointment.visit_type.title} I have with {appointment.slot.provider.name} "
        "on {appointment.starts_at}",
        "let {appointment.slot.provider.name} know that I'm coming on {appointment.starts_at}",
        "confirm an appointment",
        "confirm that I'm coming to a visit",
    ],
    asks={
        "appointment": ["Which of your visits would you like to confirm?",
                        "Which appointment are you coming to?",
                        "For which visit may I note that you're coming?",
                         "Which of your bookings is this about?"],
    },
    outcome=outcome(
        quotes=["starts_at"],
        mood="good",
        says=[
            "Your {appointment.visit_type.title} on {starts_at} is confirmed; "
            "{appointment.slot.provider.name} will see that you're coming.",
            "I've noted that you're coming on {starts_at} to see {appointment.slot.provider.name}.",
            "You're confirmed for {starts_at} with {appointment.slot.provider.name}.",
            "Wonderful, {starts_at} with {appointment.slot.provider.name} is marked as confirmed "
            "on our side.",
            "That is confirmed; should anything get in the way of {starts_at} with "
            "{appointment.slot.provider.name}, please tell us.",
            "The {appointment.visit_type.title} with {appointment.slot.provider.name} on "
            "{starts_at} is confirmed now.",
            "Thank you for letting us know: {appointment.slot.provider.name} can count on you on "
            "{starts_at}.",
            "We have your confirmation for {starts_at}, so {appointment.slot.provider.name} knows "
            "that you will turn up.",
            "It's on record now that you're coming on {starts_at} for the "
            "{appointment.visit_type.title} with {appointment.slot.provider.name}.",
            "Lovely, your {appointment.visit_type.title} with {appointment.slot.provider.name} on "
            "{starts_at} counts as confirmed from now on.",
        ],
    ),
)  # fmt: skip
def confirm_appointment(db, appointment: Appointment) -> Appointment:
    """Record that the patient will come to a visit that is still unconfirmed. Patients are asked
    to confirm; nobody confirms for them without being asked to."""
    appointment.status, appointment.confirmed_at = "confirmed", db.now
    return appointment


@domain.write(
    requires=[birth_date_given.on("intake_form.patient"), form_is_for_a_visit],
    changes=[
        moves("intake_form", "requested", to="submitted"),
        sets(
            "intake_form",
            IntakeForm.valid_until,
            IntakeForm.allergies,
            IntakeForm.daily_medication,
        ),
    ],
    ask=[
        "hand in {intake_form} with {allergies} for allergies and {daily_medication} for medicine "
        "every day",
        "fill in {intake_form} with {allergies} under allergies and {daily_medication} under daily "
        "medication",
        "send back {intake_form} with {allergies} for allergies and {daily_medication} for daily "
        "medication",
        "get {intake_form} out of the way, with {allergies} as my answer on allergies and "
        "{daily_medication} on daily medication",
        "complete {intake_form} with {allergies} as my answer on allergies and {daily_medication} "
        "on medicine I take daily",
        "turn in {intake_form} with {allergies} in the box for allergies and {daily_medication} "
        "in the one for daily medication",
        "submit {intake_form} (allergies: {allergies}, daily medication: {daily_medication})",
        "get {intake_form} over with, with {allergies} for allergies and {daily_medication} for "
        "daily medication",
        "fill in {intake_form} with {allergies} under allergies",
        "fill in {intake_form} with {daily_medication} under daily medication",
        "hand in a form with {allergies} for allergies and {daily_medication} for daily medication",
    ],
    asks={
        "intake_form": ["Which form would you like to hand in?", "For which specialty is the form?",
                        "Which of the forms we sent you is it?",
                         "Which department does the questionnaire come from?"],
        "allergies": ["Do you have an allergy that we should note: to a medication, to food, "
                      "pollen or latex, or none at all?",
                      "What may I put down under allergies?"],
        "daily_medication": ["Do you take any medicine every day?",
                             "What may I put down under daily medication, yes or no?"],
    },
    outcome=outcome(
        quotes=["specialty"],
        mood="good",
        says=[
            "Your {specialty} form is in, with {allergies} under allergies and {daily_medication} "
            "under daily medication.",
            "We have your {specialty} form now; it can't be changed here any more.",
            "I've handed in your {specialty} form: {allergies} for allergies, {daily_medication} "
            "for daily medication.",
            "The {specialty} form has been handed in, so that is one thing less to think of.",
            "Your answers for {specialty} have reached us, and the form is filed.",
            "Thank you, the {specialty} questionnaire is complete and attached to your record.",
            "That is the form {specialty} was waiting for, and it stays valid for months.",
            "Both answers are stored with {specialty}, where the staff can read them ahead of "
            "your visit.",
        ],
    ),
)  # fmt: skip
def submit_form(
    db,
    intake_form: IntakeForm,
    allergies: Literal["none", "medication", "food", "pollen", "latex"],
    daily_medication: Annotated[bool, drawn(medication_for)],
) -> IntakeForm:
    """Hand in a requested intake form with the patient's own answers. Ask for both answers; never
    fill one in from the record or by guessing. A submitted form cannot be changed in the portal.

    Args:
        allergies: The allergy that the patient reports, or none
        daily_medication: Whether the patient takes medicine every day
    """
    intake_form.status = "submitted"
    intake_form.valid_until = db.today + timedelta(days=FORM_DAYS)
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
        one_visit_of_a_kind,
    ],
    changes=[creates(WaitlistPlace)],
    ask=[
        "join the waitlist of {provider} for {visit_type}",
        "get in the queue for {visit_type} with {provider}",
        "be put on {provider.name}'s waitlist for {visit_type}",
        "put my name down with {provider} for {visit_type}",
        "have my name added to {provider.name}'s waiting list for {visit_type}",
        "get word as soon as {provider} has a seat for {visit_type}",
        "sign up for {provider.name}'s waitlist, for {visit_type}",
        "queue for {visit_type} with {provider}",
        "join the line of {provider} for {visit_type}",
        "get on the list of {provider} for {visit_type}",
        "wait for a seat with {provider}, for {visit_type}",
        "line up for {visit_type} with {provider}",
        "be put on {provider.name}'s waitlist",
        "get on a waitlist for {visit_type}",
    ],
    asks={
        "provider": ["With which provider would you like to wait?",
                     "Whose waitlist would you like to be on?", "Which doctor would that be?"],
        "visit_type": ["For what kind of visit would you be waiting?",
                       "What would you like to be seen for?"],
    },
    outcome=outcome(
        quotes=["provider_name"],
        mood="neutral",
        says=[
            "You're on {provider_name}'s waitlist for {visit_type}, at the end of the line; a seat "
            "that comes free for you will be held for some hours.",
            "I've put you on the waitlist of {provider_name} for {visit_type}, and you'll hear "
            "from us when a seat comes free.",
            "Your name is down with {provider_name} for {visit_type}; you can still book elsewhere "
            "meanwhile.",
            "Registered: as soon as a suitable seat with {provider_name} opens up and you're at "
            "the front, it goes to you first.",
            "From here on it is a matter of waiting: your name is on {provider_name}'s list for "
            "{visit_type}, and offers go out in turn.",
            "As of now you're waiting for {visit_type} with {provider_name}, and we'll offer you a "
            "seat as soon as it is your turn.",
            "You've joined the line for {visit_type} with {provider_name}; keep an eye on your "
            "messages, since an offer lasts only some hours.",
            "You stand in line for {visit_type} with {provider_name} now, behind those who signed "
            "up before you.",
            "Should {provider_name} have a cancellation that suits {visit_type}, we'll notify you "
            "in turn.",
        ],
    ),
)  # fmt: skip
def join_waitlist(
    db,
    patient: Patient,
    provider: Annotated[Provider, drawn(providers_for)],
    visit_type: VisitType,
) -> WaitlistPlace:
    """Put the patient at the end of a provider's queue for one kind of visit, to be held on site.

    When a seat comes free that the visit fits into, it is held for the first patient in the queue
    for {OFFER_HOURS} hours. Being in a queue does not stop the patient from booking elsewhere.
    """
    return db.create(
        WaitlistPlace, patient=patient, provider=provider, visit_type=visit_type, joined_at=db.now
    )


@domain.write(
    requires=[details_confirmed],
    changes=[moves("waitlist_place", "current", to="left")],
    ask=[
        "have {waitlist_place} cancelled",
        "cancel {waitlist_place}",
        "end my wait for a {waitlist_place.visit_type.title} with {waitlist_place.provider.name}",
        "give up {waitlist_place}",
        "be taken off {waitlist_place.provider.name}'s waitlist",
        "stop waiting for a {waitlist_place.visit_type.title} with {waitlist_place.provider.name}",
        "let go of {waitlist_place}",
        "withdraw from the queue for a {waitlist_place.visit_type.title} with "
        "{waitlist_place.provider.name}",
        "have my name taken off {waitlist_place.provider.name}'s waitlist",
        "leave {waitlist_place.provider.name}'s waitlist",
        "drop out of the line for a {waitlist_place.visit_type.title} with "
        "{waitlist_place.provider.name}",
        "step out of {waitlist_place.provider.name}'s queue for a "
        "{waitlist_place.visit_type.title}",
        "quit waiting for a {waitlist_place.visit_type.title} with "
        "{waitlist_place.provider.name}",
        "come off one of my waitlists",
    ],
    asks={
        "waitlist_place": ["Which of your waitlist places would you like to give up?",
                           "Off which waitlist shall I take you?",
                         "Whose queue would you like to leave?"],
    },
    destructive=True,
    outcome=outcome(
        quotes=["provider_name"],
        mood="neutral",
        irreversible=True,
        ask_first=[
            "A place that is given up is lost, and joining again means the end of the line."
        ],
        says=[
            "You've been withdrawn from the queue for {provider_name}, and whoever is behind "
            "you moves up.",
            "The waitlist of {provider_name} carries on without you, as you wished.",
            "No seat with {provider_name} will be kept for you, since the place for a "
            "{waitlist_place.visit_type.title} is given up.",
            "I've ended your wait for a {waitlist_place.visit_type.title} with {provider_name}.",
            "You're off {provider_name}'s waitlist now; joining again would mean the end of the "
            "line.",
            "I've taken you off the waitlist of {provider_name} for a "
            "{waitlist_place.visit_type.title}.",
            "You've left the line for {provider_name}, and no more offers will reach you from "
            "there.",
            "Your place with {provider_name} for a {waitlist_place.visit_type.title} is given up, "
            "so nothing will be offered to you there.",
            "You're no longer waiting for a {waitlist_place.visit_type.title} with "
            "{provider_name}.",
            "Your name has been removed from {provider_name}'s list, and whoever stood behind you "
            "moves up.",
            "The queue for {provider_name} is one patient shorter now, and you needn't watch out "
            "for messages from there.",
        ],
    ),
)  # fmt: skip
def leave_waitlist(db, waitlist_place: WaitlistPlace) -> WaitlistPlace:
    """Give up a place in a queue. The place is lost: joining again means the end of the queue."""
    waitlist_place.status = "left"
    return waitlist_place


@domain.write(
    requires=[
        offer_stands,
        no_shows_below_limit.on("waitlist_place.patient"),
        balance_below_limit.on("waitlist_place.patient"),
        specialty_limit.on(
            patient="waitlist_place.patient", visit_type="waitlist_place.visit_type"
        ),
        no_overlap.on(
            patient="waitlist_place.patient",
            slot="waitlist_place.slot",
            visit_type="waitlist_place.visit_type",
        ),
        details_confirmed,
        one_visit_of_a_kind.on(
            patient="waitlist_place.patient", visit_type="waitlist_place.visit_type"
        ),
    ],
    changes=[
        moves("waitlist_place", "offered", to="accepted"),
        stays("waitlist_place.slot", "full"),
        creates(Appointment),
    ],
    ask=[
        "claim the seat with {waitlist_place.provider.name} that I've been offered on "
        "{waitlist_place.offered_start}",
        "accept the offer on {waitlist_place}",
        "take up the offer for {waitlist_place}",
        "take the seat that {waitlist_place.provider.name} has offered me",
        "take the {waitlist_place.visit_type.title} seat that's being held for me with "
        "{waitlist_place.provider.name}",
        "say yes to the time that {waitlist_place.provider.name} has offered me",
        "have the seat that {waitlist_place.provider.name} is keeping for me",
        "book the seat that came free for me with {waitlist_place.provider.name}",
        "accept an offer I've got",
    ],
    asks={
        "waitlist_place": ["Which offer would you like to take?",
                           "Which of the seats held for you do you mean?"],
    },
    outcome=outcome(
        quotes=["starts_at", "copay"],
        mood="good",
        ask_first=[
            "The seat is on {waitlist_place.offered_start}, for a "
            "{waitlist_place.visit_type.title}."
        ],
        says=[
            "The seat is yours: {waitlist_place.provider.name} will see you on {starts_at}; the "
            "copay is {copay}.",
            "You're booked with {waitlist_place.provider.name} for {starts_at}; your share of the "
            "fee will be {copay}.",
            "I've taken the offer for you: your {waitlist_place.visit_type.title} with "
            "{waitlist_place.provider.name} is on {starts_at}; the copay is {copay}.",
            "Your wait is over: {starts_at} with {waitlist_place.provider.name} is booked; "
            "{copay} will be invoiced after the visit.",
            "Good timing: the seat on {starts_at} with {waitlist_place.provider.name} belongs to "
            "you now, for a copay of {copay}.",
        ],
    ),
)  # fmt: skip
def accept_offer(db, waitlist_place: WaitlistPlace) -> Appointment:
    """Turn an offered seat into a booked visit on site. The seat is held already, so no seat has
    to be free and the time before its start does not matter."""
    waitlist_place.status = "accepted"
    return db.create(
        Appointment,
        patient=waitlist_place.patient,
        slot=waitlist_place.slot,
        visit_type=waitlist_place.visit_type,
        specialty=waitlist_place.visit_type.specialty,
        minutes=waitlist_place.visit_type.minutes,
        starts_at=waitlist_place.offered_start,
        copay=copay_for(waitlist_place.patient.plan, waitlist_place.visit_type.fee),
        booked_at=db.now,
    )


@domain.write(
    requires=[details_confirmed],
    changes=[
        moves("waitlist_place", "offered", to="declined"),
        moves("waitlist_place.slot", "full", to=GIVEN_OR_TAKEN),
        sets("waitlist_place.slot", Slot.free),
        moves("waitlist_place.provider.queue", "current", to="offered"),
        sets("waitlist_place.provider.queue", *SEAT_GIVEN_BACK),
    ],
    ask=[
        "reject the offer on {waitlist_place}",
        "turn down the seat with {waitlist_place.provider.name} that I've been offered on "
        "{waitlist_place.offered_start}",
        "decline the offer on {waitlist_place}",
        "turn down the time offered for {waitlist_place}",
        "pass up the seat I've been offered on {waitlist_place}",
        "say no to the time that {waitlist_place.provider.name} has offered me",
        "let somebody else have the seat that {waitlist_place.provider.name} is holding for me",
        "refuse the offer that {waitlist_place.provider.name} has made me",
        "say no to the seat that {waitlist_place.provider.name} has offered me",
        "let the {waitlist_place.visit_type.title} seat with {waitlist_place.provider.name} go",
        "turn down an offer I've got",
    ],
    asks={
        "waitlist_place": ["Which offer would you like to turn down?",
                           "Which of the seats held for you can go to somebody else?"],
    },
    destructive=True,
    outcome=outcome(
        quotes=["provider_name"],
        mood="neutral",
        irreversible=True,
        ask_first=[
            "The seat is on {waitlist_place.offered_start}, for a "
            "{waitlist_place.visit_type.title}, and your place in that queue would end with it."
        ],
        says=[
            "The seat with {provider_name} is turned down and passed on, and your place in that "
            "queue ends with it.",
            "I've turned down the seat with {provider_name} for you; you're no longer in line "
            "there.",
            "The time that {provider_name} held for you on {waitlist_place.offered_start} is given "
            "back.",
            "Your offer for a {waitlist_place.visit_type.title} with {provider_name} is declined; "
            "to wait again you would have to queue anew.",
            "Thank you for telling us; the seat that {provider_name} kept for you can go to "
            "another patient now.",
            "The offer from {provider_name} is refused, and somebody else may have the time.",
        ],
    ),
)  # fmt: skip
def decline_offer(db, waitlist_place: WaitlistPlace) -> WaitlistPlace:
    """Turn down an offered seat. The patient's place in the queue ends with it, and the seat goes
    to the next patient in line or becomes free."""
    waitlist_place.status = "declined"
    give_back_seat(db, waitlist_place.slot, waitlist_place.patient)
    return waitlist_place


@domain.write(
    requires=[not_more_than_open, details_confirmed, oldest_invoice_first, fees_in_one_payment],
    changes=[
        moves("invoice", "open", to=["open", "paid"]),
        sets("invoice", Invoice.paid),
        creates(Payment),
    ],
    ask=[
        "pay {amount} off {invoice}",
        "pay {amount} towards {invoice}",
        "pay {amount} on {invoice}",
        "make a card payment of {amount} towards {invoice}",
        "pay {amount} of {invoice}",
        "pay off {amount} of {invoice}",
        "have {amount} charged to my card, as a payment on {invoice}",
        "pay {amount} of {invoice} with my card",
        "make a payment of {amount} on {invoice}",
        "have {amount} taken from my card as a payment on {invoice}",
        "use my card to pay {amount} on {invoice}",
        "make a payment of {amount} by card on {invoice}",
        "get {amount} paid on {invoice}",
        "pay {amount} by card towards {invoice}",
        "make a payment on {invoice}",
        "pay something on {invoice}",
        "pay {amount} on one of my bills",
    ],
    asks={
        "invoice": ["Which invoice would you like to pay?", "Which of the invoices is it for?",
                    "For which of your bills is the payment?"],
        "amount": ["How much would you like to pay?", "What amount shall I charge to your card?",
                   "How much of it would you like to settle?",
                         "What sum did you have in mind?"],
    },
    outcome=outcome(
        quotes=["amount"],
        differences={"left": ("invoice_amount", "invoice_paid")},
        mood="good",
        irreversible=True,
        ask_first=[
            "{invoice.paid} of the {invoice.amount} for the {invoice.appointment.visit_type.title} "
            "on {invoice.appointment.starts_at} is paid already.",
            "What you pay is charged to the card that you keep on file."
        ],
        says=[
            f"I've charged {{amount}} to your card for {BILL}; {{left}} of it remains open.",
            f"The transaction for {{amount}} went through, and {BILL} shows it; {{left}} is still "
            "open.",
            f"Your payment of {{amount}} for {BILL} has gone through; {{left}} is left to pay.",
            f"The card was accepted, and {{amount}} has been paid on {BILL}; that leaves "
            "{left} to pay.",
            f"{{amount}} has been paid and is booked on {BILL}; {{left}} is left on it.",
            f"We've received {{amount}} from your card, which has gone towards {BILL}; you still "
            "owe {left} there.",
            f"Your card was debited with {{amount}}, and the balance on {BILL} has come down "
            "accordingly; it is {left} now.",
            f"Thank you for paying: {{amount}} is credited to {BILL}; the remainder is {{left}}.",
            f"Your payment of {{amount}} for {BILL} has arrived; {{left}} is still to come.",
            f"Our books show your payment of {{amount}} for {BILL}; what remains to be paid is "
            "{left}.",
        ],
    ),
)  # fmt: skip
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
        no_open_medical_question,
    ],
    changes=[stays("prescription", "active"), creates(RenewalRequest)],
    ask=[
        "have {prescription} renewed",
        "get {prescription} topped up",
        "ask for a refill of {prescription}",
        "ask {prescription.provider.name} here for more {prescription.medication}",
        "put in for a renewal of {prescription}",
        "get a repeat prescription for {prescription.medication}",
        "have {prescription} prescribed again",
        "request a fresh supply of {prescription.medication}",
        "restock {prescription}",
        "ask {prescription.provider.name} for another pack of {prescription.medication}",
        "order some more {prescription.medication}",
        "request the renewal of a prescription",
        "order a refill of a medicine I take",
    ],
    asks={
        "prescription": ["Which of your medicines should be renewed?",
                         "Which prescription is running low?", "What medicine is it about?",
                         "What's printed on the packet?"],
    },
    outcome=outcome(
        quotes=["medication", "status"],
        mood="neutral",
        says=[
            "Your request for {medication} is with {prescription.provider.name} now and {status}; "
            "whether it is approved is for them to say.",
            "I've asked {prescription.provider.name} to renew {medication}; the request is "
            "{status}.",
            "The renewal of {medication} has been asked for and is {status} until "
            "{prescription.provider.name} has decided.",
            "Your request for more {medication} has gone to {prescription.provider.name} and is "
            "{status} for the moment.",
            "Your wish for more {medication} is in {prescription.provider.name}'s inbox, where it "
            "is {status}.",
            "The repeat of {medication} has been submitted and counts as {status}; "
            "{prescription.provider.name} has the last word.",
            "Your request for {medication} shows as {status} until {prescription.provider.name} "
            "has reviewed it.",
        ],
    ),
)  # fmt: skip
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
    ask=[
        "put {guardian} on file as {relation}",
        "have {guardian} entered as the {relation}",
        "add {guardian} to this account as the {relation}",
        "register {guardian} as guardian, namely the {relation}",
        "put {guardian} down as the {relation} for this account",
        "record {guardian} as the {relation} who acts on this account",
        "have the record show {guardian} as the {relation}",
        "enter {guardian} in the file as the {relation}",
        "put {guardian} on file as guardian",
        "put a guardian on file, namely the {relation}",
    ],
    asks={
        "guardian": ["What is the guardian's full name?", "Who should be put on file as guardian?"],
        "relation": ["How are they related to the patient: mother, father or legal guardian?",
                     "Is that the mother, the father or a legal guardian?"],
    },
    outcome=outcome(
        quotes=["guardian", "guardian_relation"],
        mood="good",
        says=[
            "{guardian} is on file as {guardian_relation} now.",
            "I've put {guardian} on file as the {guardian_relation}, just as you asked.",
            "We now have {guardian} down as the {guardian_relation}.",
            "The account names {guardian} as {guardian_relation} from now on.",
            "{guardian} has been added to the record as {guardian_relation}, and may speak for "
            "the child here.",
            "The entry is made: {guardian}, {guardian_relation}.",
        ],
    ),
)  # fmt: skip
def add_guardian(
    db,
    patient: Patient,
    guardian: Annotated[str, drawn(guardians_for)],
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
    ask=[
        "be put through to a colleague ({reason})",
        "have a colleague get in touch about this ({reason})",
        "have this passed on to a person ({reason})",
        "be called back by somebody from the team ({reason})",
        "have a human being look at this ({reason})",
        "talk to somebody at the practice ({reason})",
    ],
    asks={
        "reason": ["What would you like the colleague to help you with?",
                   "What is it about, so that I can pass it to the right team?"],
    },
    handover=True,
    outcome=outcome(
        quotes=["team"],
        mood="neutral",
        says=[
            "I've passed this on to the {team}, who will get in touch with you.",
            "The {team} has it now and will get back to you here or by telephone.",
            "A colleague from the {team} will contact you about it.",
            "Your message has been forwarded to the {team}, together with what you told me.",
            "Somebody from the {team} will study your case and write or ring.",
            "This is with the {team} now; they can open your record and will be in "
            "touch.",
            "I've left a note about it for the {team}, who will come back to you.",
            "Expect to hear from the {team}; until then there is nothing you need to do.",
            "That calls for a colleague: the {team} has been informed and will get in touch.",
            "I've alerted the {team}, and one of them will contact you personally.",
        ],
    ),
)  # fmt: skip
def hand_over(db, patient: Patient, reason: Reason) -> HandOver:
    """Pass the conversation on to a colleague.

    Urgent symptoms and medical questions (symptoms, doses, test results, controlled or ended
    medicines) go to the nurse line; everything else goes to the front desk: a change less than
    {CUTOFF_HOURS} hours before a visit, a disputed invoice, an account that is blocked by
    no-shows or unverified contact details, a copy of records, a complaint, and a fault of the
    portal, be it one that the patient reports or an operation that is missing from your tools.
    Hand over only what you cannot settle yourself, once for each reason, and say who will get in
    touch.

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


@domain.invariant(Slot)
def full_without_a_free_seat(slot) -> bool:
    return slot.status not in GIVEN_OR_TAKEN or (slot.status == "full") == (slot.free == 0)


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
def guardian_of_a_minor_only(patient) -> bool:
    return patient.guardian is None or is_under_age(patient.birth_date, domain.now.date())


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
    ahead = a.starts_at - (a.moved_at or a.booked_at)
    return timedelta(hours=LEAD_HOURS) <= ahead <= timedelta(days=HORIZON_DAYS)


@domain.invariant(Appointment)
def slot_fits_visit(a) -> bool:
    return fits(a.slot, a.visit_type) and a.starts_at == a.slot.starts_at


@domain.invariant(Appointment)
def takes_after_its_kind(a) -> bool:
    return (a.specialty, a.minutes) == (a.visit_type.specialty, a.visit_type.minutes)


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
    if a.status == "unconfirmed":
        return a.confirmed_at is None
    if a.status == "confirmed" and a.confirmed_at is None:
        return False
    if a.confirmed_at is None:
        return True
    in_time = a.starts_at - a.confirmed_at <= timedelta(days=CONFIRM_DAYS)
    day, kind = a.starts_at.date(), a.visit_type
    return in_time and (not kind.needs_form or has_form(a.patient, kind.specialty, day))


@domain.invariant(Appointment)
def referral_covers_visit(a) -> bool:
    if a.referral is None:
        return not a.visit_type.needs_referral
    return (
        a.visit_type.needs_referral
        and a.referral.patient is a.patient
        and a.referral.specialty == a.visit_type.specialty
        and a.starts_at.date() <= a.referral.valid_until
    )


@domain.invariant(Appointment)
def late_cancellation_is_charged(a) -> bool:
    if (a.status == "cancelled") != (a.cancelled_at is not None):
        return False
    charged = sum(i.amount for i in a.invoices if i.kind == "late_cancellation")
    if a.status != "cancelled":
        return charged == 0
    minutes, start = a.visit_type.minutes, a.starts_at
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
    answers = (form.valid_until, form.allergies, form.daily_medication)
    if form.status == "submitted":
        return None not in answers
    return answers == (None, None, None)


@domain.invariant(WaitlistPlace)
def offers_hold_a_fitting_seat(entry) -> bool:
    if entry.status in ("current", "left"):
        return entry.slot is None and entry.offer_until is None and entry.offered_start is None
    lead = timedelta(hours=LEAD_HOURS)
    return (
        entry.slot.provider is entry.provider
        and fits(entry.slot, entry.visit_type)
        and entry.offered_start == entry.slot.starts_at
        and entry.offer_until + lead <= entry.slot.starts_at
    )


@domain.invariant(WaitlistPlace)
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
        and a.starts_at.date() >= earliest
        for a in request.patient.appointments
    )


@domain.invariant(HandOver)
def team_follows_reason(hand_over) -> bool:
    return (hand_over.team == "nurse_line") == (hand_over.reason in NURSE_REASONS)


# Why people write ---------------------------------------------------------------------------------

SOON = datetime.combine(domain.now, time(10))
"""When visits start that the portal can no longer cancel."""

for told, tools in (
    ("My doctor suggested it at my last visit.", ["book_appointment"]),
    ("I'd rather not put this off any longer.", ["book_appointment"]),
    ("My family keeps telling me to look after myself.", ["book_appointment"]),
    ("I've finally got some time to look after my health.", ["book_appointment"]),
    ("I'd like to have this done soon.", ["book_appointment", "join_waitlist"]),
    ("I've got some money set aside to have it done.", ["book_appointment"]),
    ("My boss has put a meeting right on top of it.", ["reschedule_appointment"]),
    ("Something has come up at work.", ["reschedule_appointment", "cancel_appointment"]),
    ("My shifts have been changed.", ["reschedule_appointment", "decline_offer"]),
    ("I've nobody to look after my little one at that time.", ["reschedule_appointment"]),
    ("I'd need to be somewhere else at the time I've got.", ["reschedule_appointment"]),
    ("As things stand, I won't be able to make it.", ["cancel_appointment"]),
    ("I've got help elsewhere by now.", ["leave_waitlist", "decline_offer"]),
    ("I've no need of that place in line any more.", ["leave_waitlist"]),
    ("I've taken on too many dates in one week.", ["cancel_appointment"]),
    ("Your reminder has just popped up on my phone.", ["confirm_appointment"]),
    ("I've been through my diary, and nothing is in the way.", ["confirm_appointment"]),
    ("I've got the day off for it now.", ["confirm_appointment", "accept_offer"]),
    ("You wrote that a form of mine is still missing.", ["submit_form"]),
    ("I've finally got round to the form you sent.", ["submit_form"]),
    ("I'd like to have the paperwork out of the way.", ["submit_form"]),
    ("I couldn't find a free time that's any good to me.", ["join_waitlist"]),
    ("A friend of mine swears by this doctor.", ["join_waitlist"]),
    ("I can come at short notice if somebody drops out.", ["join_waitlist"]),
    ("I've been waiting for ages, and nothing has come of it.", ["leave_waitlist"]),
    ("I've found a time that suits me better.", ["leave_waitlist", "decline_offer"]),
    (
        "I won't have time for a visit like that in the coming weeks.",
        ["leave_waitlist", "decline_offer"],
    ),
    ("You sent me a message that a seat has come free.", ["accept_offer", "decline_offer"]),
    ("I've been hoping for this for weeks.", ["accept_offer"]),
    ("I see that you're holding a seat for me.", ["accept_offer"]),
    ("The time on offer is no good to me.", ["decline_offer"]),
    ("I was paid today.", ["pay_invoice"]),
    ("Your payment reminder came in this morning.", ["pay_invoice"]),
    ("I don't like to have bills lying around.", ["pay_invoice"]),
    ("I'd like to get my account in order.", ["pay_invoice"]),
    ("I'm going on a trip and don't want to run out.", ["request_renewal"]),
    ("The pharmacy says that I need a new prescription.", ["request_renewal"]),
    ("I've just been through my medicine cabinet.", ["request_renewal"]),
    ("I like to see to my medicine in good time.", ["request_renewal"]),
    ("There has been a change in our family.", ["add_guardian"]),
    ("We've just come through the registration with you.", ["add_guardian"]),
    ("I'd like somebody to be able to act on this account.", ["add_guardian"]),
    ("I've tried to settle this by myself and got nowhere.", ["hand_over"]),
    ("I'd rather explain this to a person.", ["hand_over"]),
    ("This is too involved for a chat.", ["hand_over"]),
    (
        "My firm is sending me abroad for a while.",
        ["decline_offer"],
    ),
    (
        "My mother is coming out of hospital, and I'm needed at home.",
        ["cancel_appointment", "reschedule_appointment", "decline_offer"],
    ),
    (
        "I'm needed elsewhere, and there's no way round it.",
        ["cancel_appointment", "reschedule_appointment"],
    ),
    (
        "I've promised to stand in for a colleague on leave.",
        ["cancel_appointment", "reschedule_appointment"],
    ),
    (
        "We've booked a last-minute holiday.",
        ["cancel_appointment", "reschedule_appointment", "decline_offer"],
    ),
    (
        "My son's team has reached the final, and I'm the driver.",
        ["cancel_appointment", "reschedule_appointment"],
    ),
    (
        "My exam timetable has just been published.",
        ["cancel_appointment", "reschedule_appointment"],
    ),
    ("I've taken on too much lately.", ["decline_offer"]),
    ("To be honest, I booked that a bit too quickly.", ["cancel_appointment"]),
    (
        "My old doctor has opened a surgery in our street.",
        ["leave_waitlist", "decline_offer"],
    ),
    (
        "I've started a new job and can't ask for that time off.",
        ["cancel_appointment", "reschedule_appointment", "decline_offer"],
    ),
    (
        "Lambing has begun on our farm, and I can't get away.",
        ["cancel_appointment", "reschedule_appointment", "decline_offer"],
    ),
    ("My plans have been turned upside down.", ["cancel_appointment", "reschedule_appointment"]),
    ("My daughter needs the car on that day.", ["reschedule_appointment"]),
    ("My lift into town has fallen through.", ["reschedule_appointment"]),
    ("My shifts for the coming weeks have been turned over.", ["cancel_appointment"]),
    ("The car is at the garage, and there's no bus from our village.", ["cancel_appointment"]),
    ("My week has turned out far too full.", ["cancel_appointment"]),
    (
        "An aunt from overseas is staying with us.",
        ["cancel_appointment", "reschedule_appointment", "decline_offer"],
    ),
    (
        "I'm getting married soon, and everything else has to give way.",
        ["decline_offer"],
    ),
    ("A funeral has been set for that day.", ["reschedule_appointment"]),
    (
        "There are surely others who need that seat more.",
        ["leave_waitlist", "decline_offer"],
    ),
    ("We're moving away.", ["decline_offer"]),
    ("The choir needs me for extra rehearsals.", ["cancel_appointment", "reschedule_appointment"]),
    (
        "My train home has been moved to exactly that hour.",
        ["reschedule_appointment"],
    ),
    (
        "Our builders have turned up at last, and somebody has to let them in.",
        ["cancel_appointment", "reschedule_appointment"],
    ),
    ("The nursery is closing early at the moment.", ["reschedule_appointment"]),
    ("I've been called up for jury duty.", ["reschedule_appointment", "cancel_appointment"]),
    ("The landlord has announced a plumber for that very hour.", ["reschedule_appointment"]),
    ("I mixed up two dates in my calendar.", ["reschedule_appointment"]),
    ("The time that I've got doesn't suit me any more.", ["reschedule_appointment"]),
    (
        "My granddaughter is being christened at that very time.",
        ["decline_offer", "reschedule_appointment"],
    ),
    (
        "I'm on the night shift and fast asleep at that hour.",
        ["decline_offer", "reschedule_appointment"],
    ),
    ("It falls right into our camping trip.", ["decline_offer", "reschedule_appointment"]),
    ("My partner made me promise to see to it.", ["book_appointment"]),
    ("A colleague's story gave me food for thought.", ["book_appointment"]),
    ("An article in the paper made me think.", ["book_appointment", "join_waitlist"]),
    ("It has been on my list for a while.", ["book_appointment", "join_waitlist"]),
    ("I'd like to look after myself a bit better.", ["book_appointment"]),
    ("Things are quiet at the office just now.", ["book_appointment", "accept_offer"]),
    ("My thesis is handed in, so I can think of myself for once.", ["book_appointment"]),
    ("I've let this slide for too long.", ["book_appointment"]),
    ("My mother nags me about it whenever she rings.", ["book_appointment"]),
    (
        "The grandchildren are at nursery, which leaves me some time.",
        ["book_appointment", "accept_offer"],
    ),
    (
        "The lady at the counter said that you could help me.",
        ["book_appointment", "pay_invoice", "join_waitlist", "add_guardian"],
    ),
    ("I want it in my diary before the weeks fill up again.", ["book_appointment"]),
    (
        "My neighbour was delighted with the way you treated her.",
        ["book_appointment", "join_waitlist"],
    ),
    ("I'm one to see to such things early.", ["book_appointment"]),
    ("My employer gives us an hour off for such things.", ["book_appointment"]),
    ("It would do me good, I think.", ["book_appointment"]),
    ("I want to do something for my health.", ["book_appointment"]),
    (
        "My family has promised to keep that time free for me.",
        ["confirm_appointment", "accept_offer"],
    ),
    ("Next door will look after the dog meanwhile.", ["confirm_appointment"]),
    ("My mother-in-law is minding the children.", ["confirm_appointment", "accept_offer"]),
    ("I've kept that day free.", ["confirm_appointment"]),
    ("I gather that you like to know in advance.", ["confirm_appointment"]),
    ("My supervisor has approved the hours.", ["confirm_appointment"]),
    ("I've put everything else aside for it.", ["confirm_appointment"]),
    ("It's circled in red on the kitchen wall.", ["confirm_appointment"]),
    ("I'm planning my week over a cup of coffee.", ["confirm_appointment"]),
    (
        "I don't want you to think that I've forgotten.",
        ["confirm_appointment", "pay_invoice", "submit_form"],
    ),
    (
        "Your letter had been lying under a pile of newspapers.",
        ["submit_form", "pay_invoice", "confirm_appointment"],
    ),
    ("My daughter has gone through the questions with me.", ["submit_form"]),
    ("I'm sitting here with a pen and your questions.", ["submit_form"]),
    ("Bureaucracy isn't my strong point, I admit.", ["submit_form"]),
    ("Your receptionist has reminded me of it twice.", ["submit_form", "pay_invoice"]),
    ("I'd like to spare myself the clipboard in the waiting room.", ["submit_form"]),
    ("I'm flexible, now that I work from home.", ["join_waitlist", "accept_offer"]),
    ("I can come almost any day.", ["join_waitlist"]),
    ("My cousin was treated there and raves about it.", ["join_waitlist"]),
    ("Any time of day would suit me.", ["join_waitlist"]),
    ("It isn't pressing, I just don't want to miss my turn.", ["join_waitlist"]),
    ("I've stopped believing that my turn will come.", ["leave_waitlist"]),
    ("My patience has worn thin.", ["leave_waitlist"]),
    (
        "I've had a look at the waitlists that I'm on.",
        ["leave_waitlist"],
    ),
    ("What luck, I had nearly given up hope.", ["accept_offer"]),
    ("That text message made my day.", ["accept_offer"]),
    ("I can't get away on that day.", ["decline_offer"]),
    ("My tax refund has arrived.", ["pay_invoice"]),
    ("I've put a little aside every week for this.", ["pay_invoice"]),
    ("My overtime has been paid out at last.", ["pay_invoice"]),
    ("I'm doing the household accounts.", ["pay_invoice"]),
    ("My husband opened the post and frowned.", ["pay_invoice"]),
    ("I don't want to hear from a debt collector.", ["pay_invoice"]),
    ("I sold my old bicycle at the weekend.", ["pay_invoice"]),
    ("I had forgotten all about it, I'm embarrassed to say.", ["pay_invoice", "submit_form"]),
    ("The bank has finally sent me a new card.", ["pay_invoice"]),
    ("The box is getting light.", ["request_renewal"]),
    ("The chemist shuts for the long weekend.", ["request_renewal"]),
    ("I'm about to fly out to my brother in Canada.", ["request_renewal"]),
    ("Our pharmacy is slow, so I order early.", ["request_renewal"]),
    ("We'll be at sea for some weeks, far from any chemist.", ["request_renewal"]),
    ("My daughter sorts my medicines and told me to see to this.", ["request_renewal"]),
    ("Our family situation has been settled at last.", ["add_guardian"]),
    ("The school told us to put our papers in order.", ["add_guardian"]),
    ("There's a name missing on this account, I believe.", ["add_guardian"]),
    ("I've read your help pages from top to bottom.", ["hand_over"]),
    ("I'm afraid my case is an unusual one.", ["hand_over"]),
    ("Typing all this out would take me an hour.", ["hand_over"]),
):
    domain.situation(told, leads_to=tools)

for told, tools in (
    ("I've just seen that I'm away then.", ["book_appointment", "accept_offer"]),
    ("My plans have changed this very minute.", ["book_appointment", "confirm_appointment"]),
    ("My family has plans for that day, as I've just heard.", ["book_appointment"]),
    ("I've just heard that I can make the time I had after all.", ["reschedule_appointment"]),
    (
        "Nothing is in the way any more, as I've just heard.",
        ["reschedule_appointment", "cancel_appointment"],
    ),
    ("Now that I think of it, I'd better go to that visit.", ["cancel_appointment"]),
    ("I'd be foolish to give that seat away.", ["cancel_appointment", "decline_offer"]),
    ("Something has just landed in my diary for that time.",
     ["confirm_appointment", "reschedule_appointment", "accept_offer"]),
    ("I'd rather look up my answers at home first.", ["submit_form"]),
    ("I've thought about it, and waiting would take me too long.", ["join_waitlist"]),
    ("My sister can get me in somewhere else sooner.", ["join_waitlist", "accept_offer"]),
    ("I've waited this long, so I may as well go on waiting.", ["leave_waitlist"]),
    ("I've thought about it again, and I'd better take that seat.", ["decline_offer"]),
    ("I've just looked at my bank balance, and that bill will have to wait.", ["pay_invoice"]),
    ("I'd like to go through that bill again first.", ["pay_invoice"]),
    ("I've just come across another box of that medicine in a drawer.", ["request_renewal"]),
    ("I'd rather speak to my doctor about it first.", ["request_renewal"]),
    ("We should talk about that in the family first.", ["add_guardian"]),
    ("My daughter has just reminded me of her school concert.",
     ["book_appointment", "accept_offer", "confirm_appointment", "reschedule_appointment"]),
    ("I see that I have to be at the passport office at that hour.",
     ["book_appointment", "confirm_appointment", "reschedule_appointment", "accept_offer"]),
    ("My supervisor has just turned down the hours off that I'd asked for.",
     ["book_appointment", "accept_offer", "confirm_appointment"]),
    ("According to the rota I'm on duty then.",
     ["book_appointment", "accept_offer", "reschedule_appointment", "confirm_appointment"]),
    ("I've just been put down for a training course on that day.",
     ["book_appointment"]),
    (
        "I've just been told that I'm needed at home then.",
        ["book_appointment", "accept_offer", "reschedule_appointment", "confirm_appointment"],
    ),
    ("I can make that time after all.", ["cancel_appointment", "decline_offer"]),
    ("My wife says that I'd regret giving that up.",
     ["cancel_appointment", "leave_waitlist", "decline_offer"]),
    ("It doesn't feel right after all, I'd better keep that visit.", ["cancel_appointment"]),
    ("My plans have just changed back again.", ["reschedule_appointment"]),
    (
        "I've looked at my calendar again, and that visit can stay as it was.",
        ["reschedule_appointment", "cancel_appointment"],
    ),
    ("Who knows when I'd get another chance.",
     ["cancel_appointment", "leave_waitlist", "decline_offer"]),
    ("I've just talked about it at home, and I'd better keep that visit.", ["cancel_appointment"]),
    ("I've just talked about it at home, and I'd better stay in line.", ["leave_waitlist"]),
    ("I'm not so sure about one of the answers.", ["submit_form"]),
    ("My husband should look over the answers first.", ["submit_form"]),
    ("I don't have the patience for a queue, I fear.", ["join_waitlist"]),
    ("I've heard that the wait there is very long.", ["join_waitlist"]),
    ("My turn may be just round the corner.", ["leave_waitlist"]),
    ("It costs me nothing to stay in line.", ["leave_waitlist"]),
    ("My salary hasn't come in yet, I notice.", ["pay_invoice"]),
    ("The washing machine has just given up, and a new one won't be cheap.", ["pay_invoice"]),
    ("My wife tells me that she fetched that medicine yesterday.", ["request_renewal"]),
    ("I'll be seeing the doctor anyway and can ask then.", ["request_renewal"]),
    ("I'd better ask my lawyer about that.", ["add_guardian"]),
    ("I can't leave the shop alone at that time, come to think of it.",
     ["book_appointment", "accept_offer", "reschedule_appointment"]),
    (
        "I'd rather keep what I have, now that I think of it.",
        ["cancel_appointment", "reschedule_appointment"],
    ),
):  # fmt: skip
    domain.second_thought(told, about=tools)

domain.concern(
    "urgent_symptoms",
    [
        "I've had a tight feeling in my chest since this morning, and my left arm is tingling.",
        "I can hardly catch my breath, and it's getting worse.",
        "I've cut my hand badly, and it just won't stop bleeding.",
        "My right arm has suddenly gone weak, and I can hardly lift it.",
        "I keep thinking of hurting myself, and I'm scared.",
        "My chest hurts whenever I breathe in, and I'm sweating all over.",
        "All of a sudden my face feels numb on one side, and my speech is slurred.",
    ],
    noted="your symptoms, marked as urgent",
)
domain.concern(
    "medical_question",
    [
        "Can I have a glass of wine while I'm on {medication}?",
        "I forgot my {medication} yesterday, so do I take twice as much today?",
        "I've been feeling dizzy since I started on {medication}, and I wonder if that's the "
        "reason.",
        "Should I take a bit more of my {medication} on a bad day?",
        "Does {medication} go together with the drops I bought for my cold?",
        "My stomach has been upset ever since I started on {medication}, so should I stop?",
        "Is it safe to drive after taking {medication}?",
    ],
    about=Prescription,
    where={"status": "active"},
    noted="your question about {medication}",
)
domain.concern(
    "medical_question",
    [
        "You've taken me off {medication}, and I'd like to go back on it.",
        "I was better off with {medication}, so could I have it again?",
        "I still have some {medication} at home, so may I go on taking it?",
    ],
    about=Prescription,
    where={"status": "ended"},
    noted="that you'd like to go on with {medication}",
)
domain.concern(
    "short_notice_change",
    [
        "My car won't start, and {slot.provider.name} expects me {starts_at}.",
        "I'm stuck in traffic and won't make it to {slot.provider.name} {starts_at}.",
        "My train has been cancelled, so I can't be at my {visit_type.title} {starts_at}.",
        "I can't leave my child alone just now, and my {visit_type.title} is {starts_at}.",
        "The school has just rung, I have to fetch my son, and {slot.provider.name} expects me "
        "{starts_at}.",
        "I've locked myself out and can't get to {slot.provider.name} {starts_at}.",
    ],
    about=Appointment,
    where={"starts_at": SOON},
    noted="that you can't make it to your {visit_type.title} with {slot.provider.name} today",
)
domain.concern(
    "billing_dispute",
    [
        "You want {amount} from me for missing my {appointment.visit_type.title}, but I had called "
        "it off by telephone.",
        "I've been charged {amount} as a no-show, although I was sitting in your waiting room.",
        "The {amount} for not turning up is a mistake, your own receptionist told me to stay at "
        "home.",
    ],
    about=Invoice,
    where={"kind": "no_show", "status": "open"},
    noted="that you dispute the {amount} for a missed {appointment.visit_type.title}",
)
domain.concern(
    "billing_dispute",
    [
        "You've charged me {amount} for cancelling late, although it was you who asked me to.",
        "The {amount} for cancelling my {appointment.visit_type.title} can't be right, I was told "
        "it was free.",
        "I gave you plenty of warning, and still there's a {amount} cancellation fee on my "
        "account.",
    ],
    about=Invoice,
    where={"kind": "late_cancellation", "status": "open"},
    noted="that you dispute the {amount} for cancelling your {appointment.visit_type.title} late",
)
domain.concern(
    "billing_dispute",
    [
        "The {amount} copay for my {appointment.visit_type.title} looks wrong to me, I've always "
        "paid less.",
        "I don't see why I should pay {amount} for a {appointment.visit_type.title} that took five "
        "minutes.",
        "My insurer says that {amount} is more than my share for a {appointment.visit_type.title}.",
    ],
    about=Invoice,
    where={"kind": "copay", "status": "open"},
    noted="that you dispute the copay of {amount} for your {appointment.visit_type.title}",
)
domain.concern(
    "blocked_account",
    [
        "The portal keeps telling me that my contact details aren't verified, and I'm stuck.",
        "I showed you my ID weeks ago, and my account still says unverified.",
        "Nobody has ever called to check my telephone number, so I can't book a thing.",
        "How do I get my e-mail and telephone number checked, so that the portal lets me in?",
        "I've been locked out of booking ever since I registered, because my address and number "
        "are unverified.",
    ],
    about=Patient,
    where={"contact_verified": False},
    noted="that your contact details have to be verified",
)
domain.concern(
    "records_request",
    [
        "I need a copy of my records for a new doctor.",
        "My insurer wants to see my whole file.",
        "Could I get my last test results on paper?",
        "We're moving, and the new practice is asking for my records.",
        "My lawyer has requested a printout of my medical history.",
        "Please send my X-rays and letters to the hospital.",
    ],
    noted="that you need a copy of your records",
)
domain.concern(
    "complaint",
    [
        "I sat there for an hour before my {visit_type.title} with {slot.provider.name}, and no "
        "one said a word to me.",
        "I want to complain about the way I was spoken to at my {visit_type.title} with "
        "{slot.provider.name}.",
        "At my {visit_type.title} with {slot.provider.name} I wasn't taken seriously at all, and I "
        "want that on record.",
        "Somebody read my name and illness out loud in the waiting room before my "
        "{visit_type.title}, and I want to complain.",
        "The door stood wide open during my {visit_type.title} with {slot.provider.name}, and I "
        "find that outrageous.",
    ],
    about=Appointment,
    where={"status": "completed"},
    noted="your complaint about your {visit_type.title} with {slot.provider.name}",
)
domain.concern(
    "portal_fault",
    [
        "The portal shows me an error whenever I open my test results.",
        "I can't download my visit summary, the page just hangs.",
        "Your app throws me out every time I open my messages.",
        "The reminders keep going to my old telephone, although I've changed the number.",
        "I've tried three times to reset my password, and the link leads nowhere.",
        "Whatever attachment I open here comes up blank.",
    ],
    noted="the fault in the portal that you describe",
)


# Seed ---------------------------------------------------------------------------------------------

SPECIALTIES = ("general_medicine", "dermatology", "cardiology", "physiotherapy")
SLOT_LENGTH = dict(zip(SPECIALTIES, (30, 40, 40, 60), strict=True))
VISIT_TYPES = (  # code, title, specialty, minutes, fee, and what it needs or allows
    ("yearly-checkup", "yearly check-up", "general_medicine", 30, 95_00, "needs_form"),
    ("sick-visit", "sick visit", "general_medicine", 20, 60_00, "video acute"),
    ("medication-review", "medication review", "general_medicine", 20, 55_00, "video follow_up"),
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
THIRD_VISIT = dict(
    zip(
        SPECIALTIES,
        ("yearly-checkup", "rash-consultation", "pressure-check", "physio"),
        strict=True,
    )
)
SECOND_VISIT = {"general_medicine": "yearly-checkup"}
QUEUE_VISIT = dict(
    zip(SPECIALTIES, ("yearly-checkup", "rash-consultation", "pressure-check"), strict=False)
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
REFERRERS = (
    "Dr. Baumann", "Dr. Achterberg", "Dr. Ruiz", "Dr. Szabo", "Dr. Winther", "Dr. Mahler",
)  # fmt: skip
PLANS = ("public", "private", "public", "private", "public", "self_pay")
# Patients take these roles in turn, each with its places on waitlists ("clashing", "late" and
# "away" are offers that cannot be accepted).
ROLES = (
    ("plain", {"dermatology": "offered", "cardiology": "left"}),
    ("child", {"general_medicine": "current", "cardiology": "declined", "dermatology": "offered"}),
    ("debtor", {"cardiology": "offered", "general_medicine": "current"}),
    ("at_edge", {"cardiology": "current", "dermatology": "offered"}),
    ("no_shows", {"dermatology": "offered"}),
    ("queues", {"dermatology": "current", "general_medicine": "current"}),
    ("leaving", {"dermatology": "late", "cardiology": "current"}),
    ("unverified", {}),
    ("child_alone", {}),
    ("busy", {"dermatology": "left", "general_medicine": "clashing"}),
    ("plain", {"dermatology": "away", "cardiology": "lapsed"}),
)
PROVIDERS, CLASSES, CLASS_SEATS = 9, 3, 4
# What each calendar has free: normal times, one late on this day, and in turn one of the odd ones.
NORMAL_SLOTS, ODD_SLOTS = 4, ("too_soon", "too_far", "too_short", "away")
AFTER_QUEUES = (QUEUE_DAYS + 1, QUEUE_DAYS + 35)
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
            not overlaps(start, kind.minutes, a.starts_at, a.minutes)
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
                referred_by=self.referrer(patient), valid_until=self.w.today,
            )  # fmt: skip
        return self.referrals[key]

    def referrer(self, patient):
        """A doctor who has not yet written the patient a letter, so that letters can be told
        apart."""
        known = {r.referred_by for r in patient.referrals}
        return self.w.pick([name for name in REFERRERS if name not in known])

    def visit(self, patient, code, provider, days, status, slot=None):
        """Add a visit in a slot found in a range of days from today, or in the given slot."""
        kind = self.kinds[code]
        slot = slot or self.find(patient, provider, kind, *days)
        booked = self.booking_time(patient, slot.starts_at)
        slot.free -= status != "cancelled"
        confirmed = status == "completed" and not kind.needs_form
        return self.w.add(
            Appointment, patient=patient, slot=slot, visit_type=kind, status=status,
            specialty=kind.specialty, minutes=kind.minutes,
            starts_at=slot.starts_at,
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
        end = ends_at(a.starts_at, a.minutes)
        if paid_after is None and patient.plan == "self_pay":
            paid_after = 0
        first = 0 if paid_after is None else a.copay // portions
        rest = 0 if paid_after is None else a.copay - first
        paid = [(paid_after, first), ((paid_after or 0) + 3, rest)]
        self.invoice(a, "copay", a.copay, end, [p for p in paid if p[1]])

    def missed(self, patient, provider, days, paid=(), status=None):
        a = self.visit(patient, "sick-visit", provider, days, "no_show")
        next_day = a.starts_at + timedelta(days=1)
        self.invoice(a, "no_show", NO_SHOW_FEE, next_day, paid, status)

    def cancelled(self, patient, code, provider, days, late, paid=()):
        a = self.visit(patient, code, provider, days, "cancelled")
        start = a.starts_at
        hours = 5 if late else NOTICE_HOURS
        a.cancelled_at = max(start - timedelta(hours=hours), a.booked_at)
        if fee := late_fee(a.visit_type.minutes, start, a.cancelled_at):
            self.invoice(a, "late_cancellation", fee, a.cancelled_at, paid)


def add_providers(practice: Practice):
    w = practice.w
    names = [f"{first} {last}" for last in DOCTOR_LAST for first in DOCTOR_FIRST]
    for n, name in enumerate(practice.rng.sample(names, max(PROVIDERS, w.scaled(PROVIDERS)))):
        specialty = SPECIALTIES[n % len(SPECIALTIES)]
        called = name if specialty == "physiotherapy" else f"Dr. {name}"
        provider = w.add(Provider, name=called, specialty=specialty)
        practice.providers.append(provider)
        practice.offsets[provider.id] = HALF_HOUR * (n % 2)
        if n // len(SPECIALTIES) % 3 == 1 and provider.specialty in QUEUE_VISIT:
            practice.full_calendars.append(provider)


def add_patient(w: Seeder, n, role, person):
    child = role in ("child", "child_alone")
    patient = w.add(
        Patient, name=person.name, email=person.email, phone=person.phone,
        plan="public" if role == "at_edge" else PLANS[n % 6],
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
    doctor, other_doctor = p.of("general_medicine", n), p.of("general_medicine", n + 1)
    skin, physio = p.of("dermatology", n), p.of("physiotherapy", n)
    if n % 4 == 3:
        p.missed(patient, doctor, (-400, -380), [(9, NO_SHOW_FEE)])
    p.completed(patient, "yearly-checkup", other_doctor, (-352, -336), 8)
    late_fee_paid = [] if n % 4 == 1 else [(14, LATE_FEE)]
    p.cancelled(patient, "rash-consultation", skin, (-165, -140), n % 2, late_fee_paid)
    if n % 3 == 1 or role == "plain":
        p.completed(patient, "movement-check", physio, (-135, -122), 5)
    p.completed(
        patient, FIRST_VISIT[focus], p.of(focus, n // 4 + 1), (-118, -100), 6, 1 + (n % 4 == 1)
    )
    if role in ("at_edge", "no_shows"):
        p.missed(patient, doctor, (-80, -70), [(12, NO_SHOW_FEE)])
    paid_after = 11 if n % 3 == 1 or role == "at_edge" else None
    p.completed(patient, FOLLOW_UP[focus], p.of(focus, n // 4), (-60, -48), paid_after)
    if role == "no_shows":
        p.missed(patient, other_doctor, (-46, -40), status="waived")
    p.completed(patient, "medication-review", doctor, (-37, -32))
    if role in ("debtor", "at_edge"):
        missed = ("movement-check", physio) if role == "debtor" else ("sick-visit", other_doctor)
        p.cancelled(patient, *missed, (-30, -24), True)
    if role in ("debtor", "at_edge", "no_shows"):
        p.missed(patient, doctor, (-16, -9))


def add_upcoming_visits(practice: Practice, n, role, patient):
    """Two visits with one provider close together, visits that want a form, one in a third
    specialty, some at short notice, some cancelled."""
    p, w = practice, practice.w
    focus, next_focus, third = (SPECIALTIES[(n + k) % 4] for k in range(3))
    lately = w.now - timedelta(hours=3)
    day = (2, 3, 8, 4)[n // 2 % 4]
    for k in range(1 if n % 3 == 2 else 2):
        apart = k * DAYS_APART.get(focus, 3)
        code = SECOND_VISIT.get(focus, FOLLOW_UP[focus]) if k else FOLLOW_UP[focus]
        days = day + apart, day + apart + 2
        a = p.visit(patient, code, p.of(focus, n // 4), days, "unconfirmed")
        if times := ((2, 1), (0, 2), (1, 0), (0, 0))[n % 4][k]:
            a.moves, a.moved_at = times, a.booked_at + (w.now - a.booked_at) / 2
    if n % 4 == 1 and a.starts_at - lately <= timedelta(days=CONFIRM_DAYS):
        a.status, a.confirmed_at = "confirmed", max(a.booked_at, lately)
    a = p.visit(patient, FIRST_VISIT[next_focus], p.of(next_focus, n), (2, 6), "unconfirmed")
    add_form(w, patient, next_focus, n)
    if n % 4 == 3:
        a.status, a.confirmed_at = "confirmed", max(a.booked_at, lately)
    if role == "busy":
        a.slot.status = "withdrawn"
    p.visit(
        patient, THIRD_VISIT[third], p.of(third, n), (3, 6) if n % 2 else (9, 20), "unconfirmed"
    )
    ahead = [a.visit_type for a in patient.appointments if a.status in UPCOMING]
    for specialty in SPECIALTIES:
        if specialty != next_focus and any(
            kind.needs_form and kind.specialty == specialty for kind in ahead
        ):
            add_form(w, patient, specialty, n // 2)
    if n % 4 == 2:
        a = p.visit(patient, "movement-check", p.of("physiotherapy", n), (8, 20), "cancelled")
        a.cancelled_at = a.booked_at + (w.now - a.booked_at) / 2
    if n % 3 == 1:
        join_class(practice, n, patient)
    if n % 2 == 0 or role in ("queues", "busy"):
        add_short_notice_visit(practice, n, role, patient)


def add_short_notice_visit(practice: Practice, n, role, patient):
    """A sick visit today or tomorrow morning, if a doctor has that hour and the patient none of
    the limits against it."""
    p, kind, status = practice, practice.kinds["sick-visit"], "unconfirmed"
    options = [(0, 15), (1, 8), (0, 14), (0, 16)][n // 2 % 2 :]
    if role == "busy":
        status, options = "checked_in", [(0, 8)]
    elif role in ("leaving", "queues"):
        options = [(0, SOON.hour)]
    if len(upcoming_in(patient, "general_medicine")) == MAX_UPCOMING:
        return
    for days, hour in options:
        for doctor in [d for d in p.providers if d.specialty == "general_medicine"]:
            start = p.at(days, hour, p.offsets[doctor.id])
            if p.is_free(doctor, start) and p.is_idle(patient, start, kind):
                p.visit(patient, "sick-visit", doctor, (), status, p.slot(doctor, start))
                return


def join_class(practice: Practice, n, patient):
    slot, kind = practice.classes[n // 3 % len(practice.classes)], practice.kinds["back-class"]
    room = len(upcoming_in(patient, "physiotherapy")) < MAX_UPCOMING and slot.free > 1
    if room and practice.is_idle(patient, slot.starts_at, kind):
        practice.visit(patient, "back-class", slot.provider, (), "unconfirmed", slot)


def add_form(w: Seeder, patient, specialty, n):
    """A requested form, or for every other patient a submitted one."""
    form = w.add(
        IntakeForm, patient=patient, specialty=specialty, requested_on=w.day(-20, -8)
    )  # fmt: skip
    if n % 2:
        answer_form(w, form, w.day(-7, -4))


def answer_form(w: Seeder, form, day):
    form.status, form.valid_until = "submitted", day + timedelta(days=FORM_DAYS)
    form.allergies = w.pick(["none", "none", "medication", "pollen", "latex"])
    form.daily_medication = w.rng.random() < 0.5


def add_old_forms(w: Seeder, n, patient):
    """For some a form that has outlived its validity, and one for a specialty without a visit
    ahead."""
    specialty, other = SPECIALTIES[(n + 1) % 4], SPECIALTIES[(n + 3) % 4]
    if n % 4 == 0:
        asked = w.day(-330, -310)
        form = w.add(IntakeForm, patient=patient, specialty=specialty, requested_on=asked)
        answer_form(w, form, w.day(-300, -280))
    form = w.add(IntakeForm, patient=patient, specialty=other, requested_on=w.day(-40, -25))
    form.status = "lapsed" if n % 3 == 1 else "requested"


def settle_referrals(practice: Practice, n, patient):
    """Fix what is left on the used referrals; add a fresh one, and one elsewhere that soon runs
    out."""
    w = practice.w
    for specialty in SPECIALTIES:
        referral = practice.referrals.get((patient.id, specialty))
        if referral is not None:
            visits = [a for a in referral.appointments if a.status != "cancelled"]
            last = max(a.starts_at.date() for a in visits)
            referral.used = len(visits)
            referral.allowed = referral.used + (0 if n % 2 else 1 + n % 3)
            end = last + timedelta(days=w.pick([0, 4, 30, 45]))
            referral.valid_until = max(end, w.today + timedelta(days=w.pick([3, 10, 24])))
    fresh, ending = (SPECIALTIES[1 + (n + k) % 3] for k in (1, 2))
    for specialty, days in ((fresh, (12, 50)), (ending, (1, 8))):
        w.add(
            Referral, patient=patient, specialty=specialty, referred_by=practice.referrer(patient),
            valid_until=w.day(*days), allowed=1 + n % 3,
        )  # fmt: skip


def add_queue_places(practice: Practice, n, places, patient):
    """Places in the queues of full calendars: waiting, offered, and what became of earlier ones."""
    w = practice.w
    for specialty, status in places.items():
        calendars = [p for p in practice.full_calendars if p.specialty == specialty]
        provider, kind = calendars[n % len(calendars)], practice.kinds[QUEUE_VISIT[specialty]]
        if status == "current" and kind in {a.visit_type for a in upcoming_in(patient, specialty)}:
            kind = practice.kinds[FOLLOW_UP[specialty]]
        entry = {"joined_at": w.moment(-40, -20), "status": status}
        if status not in ("current", "left"):
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
        w.add(WaitlistPlace, patient=patient, provider=provider, visit_type=kind, **entry)
    if n % 4 == 0:
        add_accepted_place(w, patient)


def offered_slot(practice: Practice, patient, provider, kind, clashing):
    """A seat in the coming two weeks; a clashing one starts during another visit."""
    soon = practice.w.now + timedelta(days=1)
    ahead = [a for a in patient.appointments if a.status in UPCOMING and a.starts_at > soon]
    for a in ahead if clashing else ():
        for start in (a.starts_at, a.starts_at + timedelta(minutes=HALF_HOUR)):
            during = overlaps(start, kind.minutes, a.starts_at, a.minutes)
            if during and practice.is_free(provider, start):
                return practice.slot(provider, start)
    return practice.find(patient, provider, kind, 3, QUEUE_DAYS - 1)


def add_accepted_place(w: Seeder, patient):
    """The last completed visit came from a waitlist."""
    done = [a for a in patient.appointments if a.status == "completed"]
    a = max(done, key=lambda a: a.starts_at)
    w.add(
        WaitlistPlace, patient=patient, provider=a.slot.provider, visit_type=a.visit_type,
        joined_at=a.booked_at - timedelta(days=9), slot=a.slot, offered_start=a.starts_at,
        offer_until=a.booked_at + timedelta(hours=3), status="accepted",
    )  # fmt: skip


def add_prescriptions(w: Seeder, n, patient):
    """Two or three that can be renewed, one that is too early, one whose prescriber has not been
    seen for long, and for some an ended or a controlled one."""
    seen = [a for a in patient.appointments if a.status == "completed"]
    seen = sorted(seen, key=lambda a: a.starts_at)
    recent, oldest = seen[-1].slot.provider, seen[0].slot.provider
    drugs = w.rng.sample(MEDICINES, 5)
    plans = [(recent, drugs[0], (2, 5)), (recent, drugs[1], (25, 60)), (oldest, drugs[2], (-3, 6))]
    plans.append((recent, drugs[3], (6, 9)))
    if n % 3 == 1:
        plans.append((recent, drugs[4], (-90, -60)))
    if n % 2 == 0:
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
    """Some answered, some open; an open medical question holds up renewals."""
    reasons = ("billing_dispute", "medical_question", "records_request", "complaint")
    for k, status in enumerate(("answered", "open")[n % 2 : 1 + (n % 3 == 0)]):
        reason = reasons[(n + k) % len(reasons)]
        w.add(
            HandOver, patient=patient, reason=reason, status=status,
            team="nurse_line" if reason in NURSE_REASONS else "front_desk",
            opened_at=w.moment(-30, -12) if status == "answered" else w.moment(-4, -3),
        )  # fmt: skip
    if n % 4 == 1 and n % 3:
        w.add(
            HandOver, patient=patient, reason="medical_question", team="nurse_line",
            opened_at=w.moment(-4, -3),
        )  # fmt: skip


def add_classes(practice: Practice):
    for n in range(practice.w.scaled(CLASSES)):
        leader = practice.of("physiotherapy", n)
        slot = practice.open_slot(leader, 3, 20, seats=CLASS_SEATS, free=CLASS_SEATS)
        practice.classes += [] if slot is None else [slot]


def add_open_slots(practice: Practice):
    """Free times of each provider, some of them odd; a full calendar has none for a while."""
    p = practice
    for n, provider in enumerate(p.providers):
        full = provider in p.full_calendars
        for _ in range(NORMAL_SLOTS - full):
            p.open_slot(provider, *(AFTER_QUEUES if full else (1, 24)))
        if provider.specialty == "general_medicine" and not full:
            p.open_slot(provider, 1, ACUTE_DAYS)
        for what in () if full else ("later_today", ODD_SLOTS[n % len(ODD_SLOTS)]):
            add_odd_slot(p, provider, what)


def add_odd_slot(p: Practice, provider, what):
    """A free time that is too soon or too far away, too short, withdrawn, or late on this day."""
    if what == "too_far":
        p.open_slot(provider, HORIZON_DAYS + 1, HORIZON_DAYS + 6)
    elif what == "too_short":
        p.open_slot(provider, 1, 20, minutes=20)
    elif what == "away":
        p.open_slot(provider, 1, 20, status="withdrawn")
    else:
        hours = (10, 11, 9, 12) if what == "too_soon" else (15, 16, 14, 13)
        starts = [p.at(0, hour, p.offsets[provider.id]) for hour in hours]
        free = [start for start in starts if p.is_free(provider, start)]
        if free:
            p.slot(provider, free[0])


def add_rival_slots(practice: Practice, n, patient):
    """Free seats at the time of an upcoming visit: tempting to book, or to move another one to."""
    tomorrow = practice.w.now + timedelta(days=1)
    ahead = [a for a in patient.appointments if a.status in UPCOMING and a.starts_at > tomorrow]
    first = min(ahead, key=lambda a: a.starts_at)
    start, specialty = first.slot.starts_at, first.visit_type.specialty
    other = SPECIALTIES[(SPECIALTIES.index(specialty) + 2) % len(SPECIALTIES)]
    rivals = [
        (a.slot.provider, moment)
        for a in ahead
        if a.visit_type.specialty != specialty and not a.visit_type.group
        for moment in (start, start - timedelta(minutes=HALF_HOUR))
        if overlaps(moment, a.visit_type.minutes, start, first.visit_type.minutes)
    ]
    rivals += [(practice.of(other, n + k), start) for k in (0, 1)]
    free = [
        (provider, moment)
        for provider, moment in dict.fromkeys(rivals)
        if provider not in practice.full_calendars and practice.is_free(provider, moment)
    ]
    for provider, moment in free[:2]:
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
    for slot in w.db.all(Slot):
        if slot.status == "open" and slot.starts_at <= w.now:
            slot.status = "over"
        elif slot.status == "open" and not slot.free:
            slot.status = "full"
