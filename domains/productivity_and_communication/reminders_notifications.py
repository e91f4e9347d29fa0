"""Reminders and notifications: when a message really goes out, by which way, and how often."""

from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal, TypedDict

from pydantic import Field

from davinci_env.domain import (
    Dialect,
    Domain,
    Log,
    Mapped,
    Minutes,
    Money,
    Page,
    Seeder,
    ToolError,
    column,
    counted,
    creates,
    drawn,
    hashed,
    lifecycle,
    moves,
    outcome,
    page_of,
    part,
    ref,
    sets,
    stays,
)

domain = Domain(
    "reminders_notifications",
    version=1,
    category="Productivity and Communication",
    today=datetime(2026, 6, 9, 7, 40),
    role="assistant of Nudge, an app for reminders and notifications",
    access="self_service",
    without_tool="other",
    intro="""
    Nudge tells people in time what they wanted to be told: that the rent is due, that the tablets
    run out, that somebody has a birthday. You answer inside the app. Whoever writes to you is
    signed in, and you see this person's reminders, channels and quiet hours and nobody else's.

    Keep the moments of a reminder apart, because people mix them up. A reminder is due when the
    thing itself happens. Its lead says how long before that the notification is planned. What
    counts in the end is when the notification goes out, and quiet hours can move that. Whenever you
    set or move a reminder, say the moment at which it goes out, not only the moment at which it is
    due.

    People often have several reminders that sound alike: two bills, two appointments of the same
    week. Go by title and due time, and ask when more than one fits. A reminder may say in a line
    of its own what it is about, for instance an appointment, a prescription or a note. Copy that
    line as it is; Nudge doesn't open what it refers to.

    Nudge reminds and does nothing else. It pays no bill, takes no medicine and calls nobody back,
    so never promise that something will be done merely because a reminder exists.
    """,
    dialect=Dialect(
        currency="€",
        keys="snake",
        envelope="result",
        paging="offset",
        money="decimal",
        dates="us",
        duration="iso8601",
        errors={
            "not_found": "Nudge knows no {entity} called {id}.",
            "wrong_state": "This {entity} is {state}; the step works for {wanted} only.",
            "access_denied": "Somebody else owns that record, so Nudge keeps it closed.",
            "invalid": "Nudge could not make sense of the call: {detail}.",
        },
        verbs={
            "get": "check_{entity}",
            "list": "show_my_{entities}",
            "search": "look_for_{entities}",
            "find": "{entity}_with_{column}",
        },
    ),
)

MAX_LIVE = {"basic": 6, "plus": 8}
PER_DAY = {"email": 3, "push": 3, "sms": 2, "call": 2}
MAX_URGENT = 2
MAX_SNOOZES = {"low": 4, "normal": 3, "urgent": 1}
MIN_SNOOZE, MAX_SNOOZE = 5, 1440
MAX_LEAD = 10080
MIN_QUIET, MAX_QUIET = 60, 660
DIGEST_AT = 9
MAX_BUNDLE, SMALLEST_BUNDLE = 4, 2
MAX_TRIES = 3
CLASH_MINUTES = 15
MAX_SHIFT = 14
MAX_MOVED = 6
CAPS = [3, 5, 6, 8]
HIGHEST_CAP = 12
FEES = {"email": 0, "push": 0, "sms": 8, "call": 25}
HOUR, DAY_MINUTES = 60, 1440
WEEK_DAYS, FRIDAY, DECEMBER = 7, 4, 12
MONTH_END = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
LEAP = 4
PAGE = 4
LEADS = [0, 15, 30, 60, 120, 1440]
SNOOZE_TIMES = [15, 30, 60, 120, 240, 480, 1440]
BILL_SNOOZE, HEALTH_SNOOZE = 240, 60
PUT_OFF, FAR_AHEAD = 2, 2
SHIFTS = [2, 3, 7, 14]
STARTS = [time(21, 0), time(22, 30), time(23, 0), time(18, 0)]
ENDS = [time(6, 30), time(7, 30), time(8, 0)]

Category = Literal["health", "bills", "work", "family", "home"]
Priority = Literal["low", "normal", "urgent"]
Repeat = Literal["none", "daily", "weekly", "monthly"]
Reason = Literal["wrong_charge", "missed_reminder", "account_change", "complaint", "other"]
LIVE = ("scheduled", "snoozed", "fired")
WAITING = ("scheduled", "snoozed")


class Recipient(domain.Entity, key=hashed("rcp_"), identity=True, label="{self.name}"):
    """A person who is reminded. The plan decides how many reminders may run at once; the daily cap
    is the person's own wish for how many things a day may hold."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    plan: Mapped[Literal["basic", "plus"]] = column(
        says="plan",
        asks=["which plan I am on", "what plan I have", "whether I have basic or plus"],
        told=[
            "you are on the {value} plan",
            "your plan is {value}",
            "the plan you have is {value}",
        ],
    )
    daily_cap: Mapped[int] = column(
        ge=1,
        le=HIGHEST_CAP,
        says="daily cap",
        asks=[
            "what my daily cap is set to",
            "how many reminders a day I have allowed myself",
            "where my own limit for one day stands",
        ],
        told=[
            "your daily cap is {value}",
            "the daily cap you have set is {value}",
            "at the moment your cap for one day stands at {value}",
        ],
    )


class DeliveryChannel(
    domain.Entity,
    key=hashed("chn_"),
    label="the {self.kind} channel {self.address}",
    called=[
        "{address}",
        "the {kind} channel {address}",
        "my {kind} channel {address}",
    ],
):
    """A way to reach a person: an e-mail address, a telephone for text messages, an app for push
    messages, or a telephone that is called. A new one is pending until the code that was sent to it
    has come back. Nudge itself disables a channel that keeps bouncing. A muted channel stays quiet
    until its owner unmutes it."""

    recipient: Mapped[Recipient] = ref(owner=True)
    kind: Mapped[Literal["email", "sms", "push", "call"]]
    address: Mapped[str] = column(says="address")
    muted: Mapped[bool] = column(
        False,
        says="muted",
        asks=["whether {it} is muted", "if I have muted {it}", "whether I've silenced {it}"],
        told=["the mute switch of {it} is {value}", "muted is {value} for {it}"],
    )
    sent_code: Mapped[str] = column(hidden=True)
    status: Mapped[str] = lifecycle(
        {"pending": ["verified"], "verified": [], "disabled": []},
        outside={"verified": ["disabled"]},
        asks=[
            "whether {it} has been verified",
            "how {it} stands",
            "if {it} works at the moment",
        ],
        told=["{it} is {value}", "{it} is {value} at present", "the app lists {it} as {value}"],
    )


class Digest(
    domain.Entity,
    key=hashed("dig_"),
    label="the digest for {self.day:%B %-d}",
    called=[
        "my digest for {day}",
        "the digest of {day}",
        "the bundle for {day}",
        "the summary that goes out on {day}",
    ],
    superlatives={
        "day": ("for the earliest day", "for the latest day"),
        "size": ("with the fewest reminders", "with the most reminders"),
    },
):
    """Several reminders of one day, sent together in one message in the morning."""

    recipient: Mapped[Recipient] = ref(owner=True)
    day: Mapped[date] = column(
        asks=["for which day {it} is", "what day {it} covers"],
        told=["{it} is for {value}", "the day that {it} covers is {value}"],
    )
    size: Mapped[int] = column(
        ge=0,
        says="number of reminders",
        asks=[
            "how many reminders are in {it}",
            "how many things {it} holds",
            "how much is bundled in {it}",
        ],
        told=[
            "the number of reminders in {it} is {value}",
            "{it} holds {value} of your reminders",
            "{value} reminders are bundled in {it}",
        ],
    )
    status: Mapped[str] = lifecycle(
        {"open": ["dissolved"]},
        outside={"open": ["sent"]},
        asks=["whether {it} has gone out yet", "what has become of {it}"],
        told=["{it} is {value}", "the app shows {it} as {value}"],
    )


class Reminder(
    domain.Entity,
    key=hashed("rem_"),
    label='the reminder "{self.title}"',
    shows={"channel_kind": "channel.kind", "address": "channel.address"},
    called=[
        'my reminder "{title}"',
        'the reminder "{title}"',
        'my "{title}" reminder',
        'the {category} reminder "{title}"',
        'the reminder "{title}" of {due_at}',
        '"{title}"',
        'the nudge for "{title}"',
    ],
    superlatives={
        "due_at": ("that's due first", "that's due last"),
        "amount": ("with the smallest amount", "with the biggest amount"),
        "lead": ("with the shortest lead", "with the longest lead"),
        "times_snoozed": ("that I've snoozed least often", "that I've snoozed most often"),
    },
):
    """Something that a person wants to be told in time. `goes_out_at` is the moment at which its
    notification goes out, quiet hours and digest taken into account. It has fired when that has
    happened; a fired one is snoozed or done. An amount is noted for bills only."""

    recipient: Mapped[Recipient] = ref(owner=True)
    channel: Mapped[DeliveryChannel] = ref()
    digest: Mapped[Digest | None] = ref()
    title: Mapped[str]
    category: Mapped[Category] = column(
        asks=["under which category {it} is filed", "what kind of reminder {it} is"],
        told=["{it} is filed under {value}", "the category of {it} is {value}"],
    )
    priority: Mapped[Priority] = column(
        "normal",
        asks=["what priority {it} has", "how important {it} is set", "if {it} counts as urgent"],
        told=["the priority of {it} is {value}", "{it} is marked {value}"],
    )
    due_at: Mapped[datetime] = column(
        says="due time",
        asks=[
            "when {it} is due",
            "for what day and time {it} is set",
            "what time I put down for {it}",
        ],
        told=[
            "{it} is due on {value}",
            "the due time of {it} is {value}",
            "{it} is set for {value}",
            "you have {it} down for {value}",
        ],
    )
    lead: Mapped[Minutes] = column(
        0,
        ge=0,
        says="lead",
        asks=[
            "how long beforehand {it} is planned to ring",
            "how much lead {it} has",
            "how much warning I get with {it}",
        ],
        told=[
            "the lead of {it} is {value}",
            "{it} has a lead of {value}",
            "the warning time set for {it} is {value}",
        ],
    )
    goes_out_at: Mapped[datetime] = column(says="moment of the notification")
    repeat: Mapped[Repeat] = column(
        "none",
        says="repeat",
        asks=["how often {it} comes back", "in what rhythm {it} repeats"],
        told=["the repeat of {it} is {value}", "{it} is set to repeat: {value}"],
    )
    amount: Mapped[Money | None] = column(
        None,
        ge=0,
        says="amount to pay",
        asks=[
            "what amount is noted on {it}",
            "how much money I have noted on {it}",
            "what sum I wrote down with {it}",
        ],
        told=[
            "the amount noted on {it} is {value}",
            "you noted {value} on {it}",
            "{it} carries an amount of {value}",
        ],
    )
    about: Mapped[str | None] = column(None, says="what it is about")
    snoozed_until: Mapped[datetime | None] = column(None, volatile=True, says="end of the snooze")
    times_snoozed: Mapped[int] = column(
        0,
        ge=0,
        says="number of snoozes",
        asks=[
            "how often I have snoozed {it}",
            "how many times {it} has been put off",
            "how many snoozes {it} has had",
        ],
        told=[
            "the number of snoozes on {it} is {value}",
            "{it} has been snoozed {value} times",
            "so far {it} was put off {value} times",
        ],
    )
    status: Mapped[str] = lifecycle(
        {
            "scheduled": ["done", "cancelled"],
            "snoozed": ["scheduled", "done", "cancelled"],
            "fired": ["scheduled", "snoozed", "done", "cancelled"],
            "done": [],
            "cancelled": ["scheduled"],
        },
        outside={"scheduled": ["fired"], "snoozed": ["fired"]},
        asks=["how {it} stands", "whether {it} is still running", "what has become of {it}"],
        told=["{it} is {value}", "the app has {it} as {value}", "{it} is {value} at the moment"],
    )


class QuietHours(
    domain.Entity,
    key=hashed("qh_"),
    plural="quiet_hours",
    label="the {self.days} quiet hours",
    called=["my {days} quiet hours", "the quiet hours of the {days}", "my {days} rest time"],
):
    """A stretch of the night, or of the day, in which nothing goes out. It belongs to weekdays or
    to weekends, by the day on which it begins, and may run past midnight. Where `urgent_passes` is
    set, urgent reminders go out all the same."""

    recipient: Mapped[Recipient] = ref(owner=True)
    days: Mapped[Literal["weekday", "weekend"]] = column(says="kind of day")
    starts: Mapped[time] = column(
        says="beginning",
        asks=["when {it} begin", "from what time {it} keep my phone silent"],
        told=["{it} begin at {value}", "{it} start at {value}"],
    )
    ends: Mapped[time] = column(
        says="end",
        asks=["when {it} are over", "until what time {it} last"],
        told=["{it} end at {value}", "{it} last until {value}"],
    )
    urgent_passes: Mapped[bool] = column(False, says="urgent ones pass")
    status: Mapped[str] = lifecycle(
        {"active": ["paused"], "paused": ["active"]},
        asks=["whether {it} are switched on", "if {it} are paused"],
        told=["{it} are {value}", "{it} are {value} right now"],
    )


class CategoryPreference(
    domain.Entity,
    key=hashed("prf_"),
    label="the preference for {self.category}",
    called=[
        "my preference for {category} reminders",
        "the {category} preference",
        "what I set for {category} reminders",
    ],
    superlatives={"lead": ("with the shortest lead", "with the longest lead")},
):
    """How a person likes to hear of one category: at once or in a digest, through which channel,
    and how long beforehand when nothing else is said."""

    recipient: Mapped[Recipient] = ref(owner=True)
    channel: Mapped[DeliveryChannel] = ref()
    category: Mapped[Category]
    mode: Mapped[Literal["immediate", "digest"]] = column(
        says="way of delivery",
        asks=["if {it} says immediate or digest", "which way of delivery {it} names"],
        told=["{it} says {value}", "the way of delivery in {it} is {value}"],
    )
    lead: Mapped[Minutes] = column(
        0,
        ge=0,
        says="usual lead",
        asks=["what usual lead {it} names", "how much lead {it} foresees"],
        told=["the usual lead in {it} is {value}", "{it} foresees a lead of {value}"],
    )


class Snooze(
    domain.Entity,
    key=counted("SN-{:05d}", 4101),
    label="the snooze of {self.reminder}",
):
    """One putting off of a reminder that had fired, the first, the second and so on."""

    recipient: Mapped[Recipient] = ref(owner=True)
    reminder: Mapped[Reminder] = ref()
    number: Mapped[int] = column(ge=1)
    until: Mapped[datetime] = column(volatile=True, says="end")


class DeliveryAttempt(
    domain.Entity,
    key=counted("DL-{:06d}", 730118, 3),
    label='the {self.channel.kind} message for "{self.reminder.title}"',
    shows={"title": "reminder.title", "channel_kind": "channel.kind"},
    called=[
        'the {channel.kind} message about "{reminder.title}"',
        'the message you sent to {channel.address} for "{reminder.title}"',
        'the notification about "{reminder.title}" that went to {channel.address}',
    ],
    superlatives={"fee": ("that cost me least", "that cost me most")},
):
    """One message on its way to a person. Text messages and calls have a fee. Whether a message was
    delivered, failed or bounced is reported by the carrier."""

    recipient: Mapped[Recipient] = ref(owner=True)
    reminder: Mapped[Reminder] = ref()
    channel: Mapped[DeliveryChannel] = ref()
    sent_at: Mapped[datetime] = column(volatile=True, says="time of sending")
    fee: Mapped[Money] = column(
        0,
        ge=0,
        asks=["what {it} cost me", "how much I was charged for {it}", "what fee {it} had"],
        told=["the fee for {it} was {value}", "{it} was charged at {value}", "{it} cost {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"sent": []},
        outside={"sent": ["delivered", "failed", "bounced"]},
        asks=["whether {it} got through", "if {it} was delivered", "what happened to {it}"],
        told=["{it} is reported as {value}", "the carrier reports {it} as {value}"],
    )


class ReminderEscalation(
    domain.Entity, key=counted("ESC-{:04d}", 512, 2), label="the message to the Nudge team"
):
    """A conversation that a person of the Nudge team takes up."""

    recipient: Mapped[Recipient] = ref(owner=True)
    reason: Mapped[Reason]
    at: Mapped[datetime] = column(volatile=True, says="time of the hand-over")


# Computations.


@domain.helper
def planned_at(due_at: datetime, lead: Minutes) -> datetime:
    """A notification is planned for the due time less the lead.

    >>> planned_at(datetime(2026, 6, 10, 9, 0), 90)
    datetime.datetime(2026, 6, 10, 7, 30)
    """
    return due_at - timedelta(minutes=lead)


def kind_of_day(day: date) -> str:
    """Saturdays and Sundays are weekend.

    >>> (
    ...     kind_of_day(date(2026, 6, 12)),
    ...     kind_of_day(date(2026, 6, 13)),
    ...     kind_of_day(date(2026, 6, 14)),
    ... )
    ('weekday', 'weekend', 'weekend')
    """
    return "weekend" if day.weekday() > FRIDAY else "weekday"


def quiet_length(starts: time, ends: time) -> int:
    """The minutes from one time of day to the next occurrence of another.

    >>> quiet_length(time(22, 0), time(7, 30)), quiet_length(time(13, 15), time(14, 0))
    (570, 45)
    >>> quiet_length(time(9, 0), time(9, 0))
    1440
    """
    minutes = ((ends.hour - starts.hour) * HOUR + ends.minute - starts.minute) % DAY_MINUTES
    return minutes or DAY_MINUTES


def quiet_since(at: datetime, days: str, starts: time, ends: time) -> datetime | None:
    """When the quiet hours began in which a moment falls; None if it falls in none.

    >>> night = (time(22, 0), time(7, 0))
    >>> quiet_since(datetime(2026, 6, 10, 6, 59), "weekday", *night)
    datetime.datetime(2026, 6, 9, 22, 0)
    >>> quiet_since(datetime(2026, 6, 10, 7, 0), "weekday", *night)
    >>> quiet_since(datetime(2026, 6, 10, 22, 0), "weekday", *night)
    datetime.datetime(2026, 6, 10, 22, 0)
    >>> quiet_since(datetime(2026, 6, 13, 6, 0), "weekend", *night)
    >>> quiet_since(datetime(2026, 6, 15, 6, 0), "weekend", *night)
    datetime.datetime(2026, 6, 14, 22, 0)
    """
    begun = datetime.combine(at.date(), starts)
    if begun > at:
        begun -= timedelta(days=1)
    inside = at < begun + timedelta(minutes=quiet_length(starts, ends))
    return begun if inside and kind_of_day(begun.date()) == days else None


@domain.helper
def out_of_quiet(at: datetime, begun: datetime, length: Minutes, due_at: datetime) -> datetime:
    """A notification that falls into quiet hours waits until they end; if that would be after the
    due time, it goes out at the moment at which they begin instead.

    >>> night = datetime(2026, 6, 9, 22, 0)
    >>> out_of_quiet(datetime(2026, 6, 10, 6, 0), night, 540, datetime(2026, 6, 10, 7, 0))
    datetime.datetime(2026, 6, 10, 7, 0)
    >>> out_of_quiet(datetime(2026, 6, 10, 6, 0), night, 540, datetime(2026, 6, 10, 6, 59))
    datetime.datetime(2026, 6, 9, 22, 0)
    """
    ends = begun + timedelta(minutes=length)
    return ends if ends <= due_at else begun


@domain.helper
def next_month(at: datetime) -> datetime:
    """A monthly reminder comes back on the same day of the next month, or on that month's last day
    if it is shorter.

    >>> next_month(datetime(2026, 1, 31, 9, 0)), next_month(datetime(2026, 12, 5, 9, 0))
    (datetime.datetime(2026, 2, 28, 9, 0), datetime.datetime(2027, 1, 5, 9, 0))
    >>> next_month(datetime(2028, 1, 30, 9, 0)), next_month(datetime(2026, 3, 31, 9, 0))
    (datetime.datetime(2028, 2, 29, 9, 0), datetime.datetime(2026, 4, 30, 9, 0))
    """
    year, month = (at.year + 1, 1) if at.month == DECEMBER else (at.year, at.month + 1)
    last = MONTH_END[month - 1] + (1 if month == 2 and year % LEAP == 0 else 0)
    return at.replace(year=year, month=month, day=min(at.day, last))


def next_due(due_at: datetime, repeat: str, now: datetime) -> datetime:
    """The first occurrence of a repeating reminder after the one at hand that is still ahead.

    >>> now = datetime(2026, 6, 9, 7, 40)
    >>> next_due(datetime(2026, 6, 9, 9, 0), "daily", now)
    datetime.datetime(2026, 6, 10, 9, 0)
    >>> next_due(datetime(2026, 6, 1, 7, 40), "daily", now)
    datetime.datetime(2026, 6, 10, 7, 40)
    >>> next_due(datetime(2026, 5, 26, 9, 0), "weekly", now)
    datetime.datetime(2026, 6, 9, 9, 0)
    >>> next_due(datetime(2026, 4, 30, 9, 0), "monthly", now)
    datetime.datetime(2026, 6, 30, 9, 0)
    """
    while True:
        if repeat == "monthly":
            due_at = next_month(due_at)
        else:
            due_at += timedelta(days=WEEK_DAYS if repeat == "weekly" else 1)
        if due_at > now:
            return due_at


def is_close(one: datetime, other: datetime) -> bool:
    """Whether two due times are too close together to be told apart.

    >>> nine = datetime(2026, 6, 10, 9, 0)
    >>> is_close(nine, datetime(2026, 6, 10, 9, 14)), is_close(nine, datetime(2026, 6, 10, 8, 46))
    (True, True)
    >>> is_close(nine, datetime(2026, 6, 10, 9, 15)), is_close(nine, datetime(2026, 6, 10, 8, 45))
    (False, False)
    """
    return abs(one - other) < timedelta(minutes=CLASH_MINUTES)


def may_be_quiet(starts: time, ends: time) -> bool:
    """Whether quiet hours from one time to another have an acceptable length.

    >>> may_be_quiet(time(20, 0), time(7, 0)), may_be_quiet(time(20, 0), time(7, 1))
    (True, False)
    >>> may_be_quiet(time(13, 0), time(14, 0)), may_be_quiet(time(13, 1), time(14, 0))
    (True, False)
    """
    return MIN_QUIET <= quiet_length(starts, ends) <= MAX_QUIET


@domain.helper
def fee_for(kind: str) -> Money:
    """A text message costs {FEES[sms]:money} and a call {FEES[call]:money}; e-mail and push
    messages are free.

    >>> [fee_for(kind) for kind in ("email", "push", "sms", "call")]
    [0, 0, 8, 25]
    """
    return FEES[kind]


def digest_time(day: date) -> datetime:
    """When the digest of a day goes out.

    >>> digest_time(date(2026, 6, 12))
    datetime.datetime(2026, 6, 12, 9, 0)
    """
    return datetime.combine(day, time(DIGEST_AT))


def belongs_to(day: date, due_at: datetime) -> bool:
    """Whether a reminder that is due at some time can be in the digest of a day.

    >>> day = date(2026, 6, 12)
    >>> [belongs_to(day, datetime(2026, 6, 12, *at)) for at in ((8, 59), (9, 0), (23, 0))]
    [False, True, True]
    >>> belongs_to(day, datetime(2026, 6, 13, 9, 0))
    False
    """
    return due_at.date() == day and due_at >= digest_time(day)


def bill_may_wait(category: str, minutes: Minutes) -> bool:
    """Whether a snooze is short enough, if it is a bill that is snoozed.

    >>> bill_may_wait("bills", 240), bill_may_wait("bills", 241), bill_may_wait("home", 1440)
    (True, False, True)
    """
    return category != "bills" or minutes <= BILL_SNOOZE


def health_may_wait(category: str, minutes: Minutes) -> bool:
    """Whether a snooze is short enough, if it concerns somebody's health.

    >>> health_may_wait("health", 60), health_may_wait("health", 61), health_may_wait("home", 1440)
    (True, False, True)
    """
    return category != "health" or minutes <= HEALTH_SNOOZE


def may_fall_to(priority: str, times: int) -> bool:
    """Whether something snoozed so often may get a priority.

    >>> may_fall_to("low", 1), may_fall_to("low", 2), may_fall_to("normal", 2)
    (True, False, True)
    """
    return priority != "low" or times < PUT_OFF


def may_rise_to(priority: str, due_at: datetime, today: date) -> bool:
    """Whether something is due soon enough for a priority.

    >>> today = date(2026, 6, 9)
    >>> may_rise_to("urgent", datetime(2026, 6, 11, 23, 0), today)
    True
    >>> may_rise_to("urgent", datetime(2026, 6, 12, 0, 0), today)
    False
    >>> may_rise_to("normal", datetime(2026, 6, 12, 0, 0), today)
    True
    """
    return priority != "urgent" or due_at.date() <= today + timedelta(days=FAR_AHEAD)


def fits_category(category: str, priority: str) -> bool:
    """Whether a category goes with a priority.

    >>> fits_category("health", "low"), fits_category("health", "normal")
    (False, True)
    >>> fits_category("home", "low")
    True
    """
    return category != "health" or priority != "low"


def may_be_ticked_off(category: str, status: str) -> bool:
    """Whether something of a category is ticked off in a state.

    >>> [may_be_ticked_off("bills", status) for status in ("scheduled", "fired", "snoozed")]
    [False, True, True]
    >>> may_be_ticked_off("home", "scheduled")
    True
    """
    return category != "bills" or status != "scheduled"


def worth_a_call(kind: str, priority: str) -> bool:
    """Whether something of a priority may go through a kind of channel.

    >>> worth_a_call("call", "normal"), worth_a_call("call", "urgent"), worth_a_call("sms", "low")
    (False, True, True)
    """
    return kind != "call" or priority == "urgent"


def quick_enough(kind: str, category: str) -> bool:
    """Whether a kind of channel is read in time for a category.

    >>> quick_enough("email", "health"), quick_enough("email", "home")
    (False, True)
    >>> quick_enough("push", "health")
    True
    """
    return kind != "email" or category != "health"


def below_cap(count: int, cap: int) -> bool:
    """Whether a day with so many reminders takes another one.

    >>> below_cap(2, 3), below_cap(3, 3)
    (True, False)
    """
    return count < cap


def was_lost(status: str) -> bool:
    """Whether a message never arrived.

    >>> [was_lost(status) for status in ("sent", "delivered", "failed", "bounced")]
    [False, False, True, True]
    """
    return status in ("failed", "bounced")


def snooze_end(now: datetime, minutes: Minutes) -> datetime:
    """Until when a reminder is put off that is snoozed now.

    >>> snooze_end(datetime(2026, 6, 9, 7, 40), 30)
    datetime.datetime(2026, 6, 9, 8, 10)
    """
    return now + timedelta(minutes=minutes)


def effective(recipient: Recipient, at: datetime, due_at: datetime, priority: str) -> datetime:
    """When a notification goes out that is planned for a moment."""
    for quiet in recipient.quiet_hours:
        begun = quiet_since(at, quiet.days, quiet.starts, quiet.ends)
        passes = quiet.status == "paused" or (quiet.urgent_passes and priority == "urgent")
        if begun is not None and not passes:
            return out_of_quiet(at, begun, quiet_length(quiet.starts, quiet.ends), due_at)
    return at


def going_out(reminder: Reminder) -> datetime:
    """When the notification of a running reminder goes out."""
    recipient, priority = reminder.recipient, reminder.priority
    if reminder.digest is not None:
        return digest_time(reminder.digest.day)
    if reminder.status == "snoozed":
        until = reminder.snoozed_until
        return effective(recipient, until, until + timedelta(minutes=DAY_MINUTES), priority)
    planned = planned_at(reminder.due_at, reminder.lead)
    return effective(recipient, planned, reminder.due_at, priority)


def live(recipient: Recipient) -> list[Reminder]:
    return [reminder for reminder in recipient.reminders if reminder.status in LIVE]


def urgent_ones(recipient: Recipient) -> list[Reminder]:
    return [reminder for reminder in live(recipient) if reminder.priority == "urgent"]


def that_day(recipient: Recipient, day: date) -> list[Reminder]:
    return [reminder for reminder in live(recipient) if reminder.due_at.date() == day]


def on_channel(channel: DeliveryChannel, day: date, but=()) -> int:
    """How many single reminders use a channel on a day, some left out."""
    return sum(
        reminder.status in LIVE
        and reminder.repeat == "none"
        and reminder.due_at.date() == day
        and reminder not in but
        for reminder in channel.reminders
    )


def last_attempt(reminder: Reminder) -> DeliveryAttempt | None:
    attempts = reminder.delivery_attempts
    return attempts[-1] if attempts else None


def replan(recipient: Recipient) -> None:
    """Work out anew when the running reminders of a person go out."""
    for reminder in recipient.reminders:
        if reminder.status in WAITING:
            reminder.goes_out_at = going_out(reminder)


# Rules that Nudge itself enforces.

FULL = [
    "limit",
    "maximum",
    "at most",
    "no more than",
    "as many",
    "full",
    "all taken",
    "no room",
    "no further",
    "allows",
    "already",
    "cap",
]
AHEAD = [
    ["past", "passed", "over", "gone", "behind", "ahead", "already", "later", "before"],
    ["time", "moment", "due", "lead", "notification", "day"],
]


def each_plan() -> list:
    """A part for each plan, so that a refusal quotes the figure that applies."""

    def within(plan: str):
        return lambda recipient: recipient.plan != plan or len(live(recipient)) < MAX_LIVE[plan]

    return [
        part(
            plan,
            within(plan),
            because=[
                f"the {plan} plan runs {{MAX_LIVE[{plan}]}} reminders, and you have as many",
                f"you have {{MAX_LIVE[{plan}]}} reminders running, the maximum on the {plan} plan",
                f"all {{MAX_LIVE[{plan}]}} places that the {plan} plan allows are taken",
                f"with the {plan} plan {{MAX_LIVE[{plan}]}} reminders are the limit, and you are "
                "there",
            ],
            concepts=[["plan"], [*FULL, "taken", "at once"]],
            remedy="cancel_reminder",
            offers=[
                "you could cancel one that you need less",
                "if you let go of another reminder, there is room for this one",
                "one of the others would have to go first",
            ],
        )
        for plan in MAX_LIVE
    ]


@domain.rule(
    governs=["create_reminder", "restore_reminder"],
    remedy="cancel_reminder",
    concepts=[["plan"], [*FULL, "taken", "at once"]],
    parts=each_plan(),
)
def below_plan_limit(recipient: Recipient) -> bool:
    """The basic plan has room for {MAX_LIVE[basic]} running reminders and the plus plan for
    {MAX_LIVE[plus]}; whatever is scheduled, snoozed, or fired and not ticked off counts as
    running."""
    return len(live(recipient)) < MAX_LIVE[recipient.plan]


@domain.rule(
    governs=["create_reminder", "reschedule_reminder"],
    because=[
        "that moment has passed, or the notification would already lie in the past with its lead",
        "the notification would have had to go out in the past already",
        "its time is over: the notification would lie before this very moment",
        "with that lead the moment of the notification has already gone",
    ],
    concepts=AHEAD,
    offers=[
        "you could choose a later time",
        "a shorter lead or a later day would do",
        "it works with a time that gives us more warning",
    ],
)
def goes_out_ahead(
    db, recipient: Recipient, due_at: datetime, lead: Minutes, priority: str
) -> bool:
    """A reminder is set only if both its due time and the moment at which its notification goes out
    are still ahead."""
    return effective(recipient, planned_at(due_at, lead), due_at, priority) > db.now


@domain.rule(
    governs=["restore_reminder"],
    because=[
        "it was due on {reminder.due_at}, and that has passed",
        "its time, {reminder.due_at}, is over already",
        "the moment for its notification, due on {reminder.due_at}, lies in the past",
        "it is too late, as it was set for {reminder.due_at} and the notification is past",
    ],
    concepts=[["past", "passed", "over", "too late", "gone", "already"], ["due", "time", "moment"]],
    offers=[
        "you could set up a fresh one for another day",
        "a new reminder with a later time would do instead",
    ],
)
def still_ahead(db, reminder: Reminder) -> bool:
    """A cancelled reminder comes back only while its notification would still be ahead."""
    planned = planned_at(reminder.due_at, reminder.lead)
    return effective(reminder.recipient, planned, reminder.due_at, reminder.priority) > db.now


@domain.rule(
    governs=["create_reminder", "move_to_channel", "set_preference", "resend_notification"],
    because=[
        "{channel.address} is {channel.status} and not verified",
        "the channel {channel.address} hasn't been verified",
        "nothing goes out through {channel.address} as long as it isn't verified",
        "{channel.address} would have to be verified for that, and it is {channel.status}",
    ],
    concepts=[["verif", "pending", "disabled", "confirmed address"]],
    remedy="verify_channel",
    offers=[
        "if you have got a code for it, we can verify it now",
        "you could choose one of your channels that is verified",
        "one of your other channels may do",
    ],
)
def channel_verified(channel: DeliveryChannel) -> bool:
    """Only a verified channel carries reminders, serves as a preference or takes a repeat of a lost
    message."""
    return channel.status == "verified"


@domain.rule(
    governs=["create_reminder", "move_to_channel", "resend_notification"],
    because=[
        "you have muted {channel.address}",
        "{channel.address} is muted",
        "the channel {channel.address} has been muted by you",
        "on {channel.address} everything is muted for now",
    ],
    concepts=[["mute", "silenced"]],
    remedy="unmute_channel",
    offers=[
        "you could unmute it first",
        "once it's unmuted, this works",
        "we can switch its sound on again, if you like",
    ],
)
def channel_not_muted(channel: DeliveryChannel) -> bool:
    """Nothing is put on a channel that its owner has muted, until it is unmuted."""
    return not channel.muted


ROOM = [
    ["channel", "sms", "call", "email", "push"],
    ["is full", "be full", "allows", "no room", "no further", "limit", "its day"],
]
ROOM_OFFERS = [
    "another of your channels may have room on that day",
    "you could choose a different day",
    "a different channel could carry it",
]


@domain.rule(
    governs=["create_reminder"],
    because=[
        "{channel.address} has as many reminders on that day as a {channel.kind} channel allows",
        "the {channel.kind} channel {channel.address} is full on that day",
        "that day is full for {channel.kind} messages on {channel.address}",
        "no further reminder fits on {channel.address} that day, as its limit is reached",
    ],
    concepts=ROOM,
    offers=ROOM_OFFERS,
)
def channel_has_room(channel: DeliveryChannel, due_at: datetime, repeat: str) -> bool:
    """On one day a channel takes {PER_DAY[email]} single reminders by e-mail, {PER_DAY[push]} by
    push, {PER_DAY[sms]} by text message and {PER_DAY[call]} by call; repeating ones don't count."""
    return repeat != "none" or on_channel(channel, due_at.date()) < PER_DAY[channel.kind]


@domain.rule(
    governs=["reschedule_reminder", "restore_reminder"],
    because=[
        "{reminder.channel.address} has as many reminders on that day as it allows",
        "the {reminder.channel.kind} channel of this reminder is full on that day",
        "its channel {reminder.channel.address} is at the limit on that day",
        "on {reminder.channel.address} no further reminder fits on that day",
    ],
    concepts=ROOM,
    offers=ROOM_OFFERS,
)
def day_has_room(reminder: Reminder, due_at: datetime) -> bool:
    """The same figures hold when a reminder is moved to another day or brought back."""
    if reminder.repeat != "none":
        return True
    channel = reminder.channel
    return on_channel(channel, due_at.date(), [reminder]) < PER_DAY[channel.kind]


@domain.rule(
    governs=["move_to_channel"],
    because=[
        "{channel.address} would have more reminders on one day than a {channel.kind} channel "
        "allows at most",
        "on one of these days {channel.address} is full",
        "the {channel.kind} channel {channel.address} has no room for all of them on one day",
        "that would go over the limit of {channel.address} for a single day",
    ],
    concepts=ROOM,
    offers=[
        "you could put only a part of them there",
        "another of your channels may have more room",
    ],
)
def room_for_all(reminders: list[Reminder], channel: DeliveryChannel) -> bool:
    """Reminders change to another channel only if each of their days has room there."""
    single = [reminder for reminder in reminders if reminder.repeat == "none"]
    days = [reminder.due_at.date() for reminder in single]
    return all(
        on_channel(channel, day, reminders) + days.count(day) <= PER_DAY[channel.kind]
        for day in days
    )


@domain.rule(
    governs=["shift_reminders"],
    because=[
        "on one of the new days the channel would be full",
        "one of the days that they would land on is full already for its channel",
        "the limit of a channel for one day would be passed on a new day",
    ],
    concepts=ROOM,
    offers=[
        "a different number of days may work",
        "you could shift fewer of them",
    ],
)
def room_after_shift(reminders: list[Reminder], days: int) -> bool:
    """Reminders are shifted together only if every channel has room on each of the new days."""
    by = timedelta(days=days)
    single = [reminder for reminder in reminders if reminder.repeat == "none"]
    places = [(reminder.channel.id, (reminder.due_at + by).date()) for reminder in single]
    return all(
        on_channel(reminder.channel, (reminder.due_at + by).date(), reminders)
        + places.count((reminder.channel.id, (reminder.due_at + by).date()))
        <= PER_DAY[reminder.channel.kind]
        for reminder in single
    )


@domain.rule(
    governs=["shift_reminders", "bundle_reminders"],
    because=[
        "one of them sits in a digest, which belongs to its day",
        "a bundled reminder keeps its day, and one of these is in a digest",
        "among them is one that is part of a digest",
    ],
    concepts=[["digest", "bundle"]],
    remedy="dissolve_digest",
    offers=["you could dissolve the digest first", "the digest would have to be taken apart first"],
)
def none_bundled(reminders: list[Reminder]) -> bool:
    """What is bundled in a digest is neither shifted to other days nor bundled anew before that
    digest is dissolved."""
    return all(reminder.digest is None for reminder in reminders)


@domain.rule(
    governs=["cancel_reminder"],
    because=[
        "it is bundled in the digest for {reminder.digest.day}",
        "it belongs to your digest of {reminder.digest.day}, and that has to be dissolved first",
        "the digest for {reminder.digest.day} holds it",
        "it is part of the digest that goes out on {reminder.digest.day}",
    ],
    concepts=[["digest", "bundle"]],
    remedy="dissolve_digest",
    offers=[
        "you could dissolve that digest first",
        "once the digest is taken apart, this works",
        "we could take the digest apart beforehand",
    ],
)
def not_bundled(reminder: Reminder) -> bool:
    """A reminder in a digest is not cancelled until that digest is dissolved."""
    return reminder.digest is None


@domain.rule(
    governs=["reschedule_reminder"],
    because=[
        "it is bundled in the digest for {reminder.digest.day}, and the new time doesn't fit that",
        "the digest for {reminder.digest.day} holds it, and the new time lies outside of that",
        "it belongs to your digest of {reminder.digest.day}, which covers that day from "
        "{DIGEST_AT} on and nothing else",
    ],
    concepts=[["digest", "bundle"]],
    remedy="dissolve_digest",
    offers=[
        "you could dissolve that digest first",
        "once the digest is taken apart, the new time is possible",
    ],
)
def stays_with_digest(reminder: Reminder, due_at: datetime) -> bool:
    """While it is in a digest, a reminder is moved only within the day of that digest, after the
    hour at which it goes out."""
    return reminder.digest is None or belongs_to(reminder.digest.day, due_at)


@domain.rule(
    governs=["change_priority"],
    because=[
        "it is in the digest for {reminder.digest.day}, and nothing urgent waits in a digest",
        "the digest for {reminder.digest.day} holds it, and a digest has no urgent reminders",
        "it is bundled in your digest of {reminder.digest.day}, so it can't be urgent",
    ],
    concepts=[["digest", "bundle"]],
    remedy="dissolve_digest",
    offers=[
        "you could dissolve that digest first",
        "once the digest is taken apart, it can become urgent",
    ],
)
def digest_not_urgent(reminder: Reminder, priority: str) -> bool:
    """Nothing becomes urgent while it waits in a digest."""
    return reminder.digest is None or priority != "urgent"


@domain.rule(
    governs=["create_reminder"],
    because=[
        "you have {MAX_URGENT} urgent reminders running, which is the maximum",
        "no more than {MAX_URGENT} reminders may be urgent at once, and you have as many",
        "both places for urgent reminders are taken, and {MAX_URGENT} is the limit",
    ],
    concepts=[["urgent"], ["both", "maximum", "no more than", "as many", "limit"]],
    remedy="change_priority",
    offers=[
        "one of the urgent ones could go back to normal first",
        "you could lower the priority of another one",
    ],
)
def urgent_place_free(recipient: Recipient, priority: str) -> bool:
    """At most {MAX_URGENT} running reminders of a person are urgent, lest the word lose its
    meaning."""
    return priority != "urgent" or len(urgent_ones(recipient)) < MAX_URGENT


@domain.rule(
    governs=["change_priority", "restore_reminder"],
    because=[
        "{MAX_URGENT} other reminders of yours are urgent, which is the maximum",
        "no more than {MAX_URGENT} may be urgent at once, and you have as many",
        "both urgent places are taken already",
    ],
    concepts=[["urgent"], ["both", "maximum", "no more than", "as many", "limit"]],
    remedy="change_priority",
    offers=[
        "one of the urgent ones could become normal first",
        "you could lower another one to make room",
    ],
)
def urgent_still_free(reminder: Reminder, priority: str) -> bool:
    """The figure for urgent reminders also holds for one that is raised to urgent or brought back
    as urgent."""
    others = [other for other in urgent_ones(reminder.recipient) if other is not reminder]
    return priority != "urgent" or len(others) < MAX_URGENT


def each_priority() -> list:
    """A part for each priority, so that a refusal quotes the figure that applies."""

    def within(level: str):
        return lambda reminder: (
            reminder.priority != level or reminder.times_snoozed < MAX_SNOOZES[level]
        )

    return [
        part(
            level,
            within(level),
            because=[
                f"a {level} reminder is snoozed {{MAX_SNOOZES[{level}]}} times at most, and it has "
                "been",
                f"it is {level}, its snoozes are used up: {{MAX_SNOOZES[{level}]}} is the limit",
                f"the number of snoozes for a {level} one ends at {{MAX_SNOOZES[{level}]}}, and it "
                "has had as many",
            ],
            concepts=[["snooz", "put off"], [*FULL, "used up", "time"]],
            remedy="reschedule_reminder",
            offers=[
                "you could move it to a proper new time instead",
                "rescheduling it to another day is possible",
            ],
        )
        for level in MAX_SNOOZES
    ]


@domain.rule(
    governs=["snooze_reminder"],
    remedy="reschedule_reminder",
    concepts=[["snooz", "put off"], [*FULL, "used up", "time"]],
    parts=each_priority(),
)
def snoozes_left(reminder: Reminder) -> bool:
    """A reminder of low priority is snoozed {MAX_SNOOZES[low]} times at most, a normal one
    {MAX_SNOOZES[normal]} times, an urgent one {MAX_SNOOZES[urgent]} time; a new due time starts the
    count afresh."""
    return reminder.times_snoozed < MAX_SNOOZES[reminder.priority]


@domain.rule(
    governs=["snooze_reminder"],
    because=[
        "the next one of this {reminder.repeat} reminder would come before the snooze is over",
        "the snooze would run past its next occurrence, as it is {reminder.repeat}",
        "it repeats, being {reminder.repeat}, and the next occurrence comes sooner than that",
    ],
    concepts=[["next", "repeat", "occurrence"], ["before", "past", "sooner", "over", "comes"]],
    offers=[
        "you could snooze it for a shorter time",
        "ticking it off brings the next one by itself",
    ],
)
def before_next_one(db, reminder: Reminder, minutes: Minutes) -> bool:
    """A repeating reminder is snoozed only until before its next occurrence."""
    if reminder.repeat == "none":
        return True
    return snooze_end(db.now, minutes) < next_due(reminder.due_at, reminder.repeat, db.now)


@domain.rule(
    governs=["resend_notification"],
    because=[
        "the last message about it didn't get lost, so there is nothing to repeat",
        "its last message is neither reported as failed nor as bounced",
        "only a message that failed or bounced is sent again, and the last one did neither",
    ],
    concepts=[["fail", "bounce", "lost"], ["message", "last", "one"]],
    offers=[
        "you could snooze the reminder, and it comes again by itself",
        "we can look up what the carrier reported",
    ],
)
def last_one_lost(reminder: Reminder) -> bool:
    """A message is sent again only if the last one about this reminder failed or bounced."""
    attempt = last_attempt(reminder)
    return attempt is not None and was_lost(attempt.status)


@domain.rule(
    governs=["resend_notification"],
    because=[
        "the message was lost on {channel.address}, and a repeat takes a different channel",
        "{channel.address} is the very channel on which it failed",
        "it failed on {channel.address}, so the repeat has to go another way",
    ],
    concepts=[["different", "another", "very channel", "same"], ["channel", "way"]],
    offers=[
        "one of your other channels could take it",
        "you could name a different channel",
    ],
)
def another_way(reminder: Reminder, channel: DeliveryChannel) -> bool:
    """The repeat of a lost message goes through a different channel than the one that lost it."""
    attempt = last_attempt(reminder)
    return attempt is None or attempt.channel is not channel


@domain.rule(
    governs=["resend_notification"],
    because=[
        "{MAX_TRIES} messages went out for it, and that is the maximum",
        "we have tried {MAX_TRIES} times, which is as often as we try",
        "it has had its {MAX_TRIES} attempts, and there is no further one",
    ],
    concepts=[["message", "tried", "attempt"], [*FULL, "as often"]],
    offers=[
        "you could reschedule it, and it goes out as a new one",
        "a new time for it starts over",
    ],
)
def tries_left(reminder: Reminder) -> bool:
    """For one reminder {MAX_TRIES} messages are sent at most."""
    return len(reminder.delivery_attempts) < MAX_TRIES


@domain.rule(
    governs=["bundle_reminders"],
    concepts=[["digest", "bundle", "day"], ["day", "urgent", "already", "repeat", "9:00"]],
    parts=[
        part(
            "enough_for_one",
            lambda reminders: len(reminders) >= SMALLEST_BUNDLE,
            because=[
                "a digest needs {SMALLEST_BUNDLE} reminders or more",
                "a single reminder makes no digest; {SMALLEST_BUNDLE} are the least",
            ],
            concepts=[["digest"], ["{SMALLEST_BUNDLE}", "single", "least", "more"]],
            offers=["you could add another one of that day"],
        ),
        part(
            "of_that_day",
            lambda reminders, day: all(r.due_at.date() == day for r in reminders),
            because=[
                "a digest is for one day, and not all of these reminders are due on {day}",
                "one of them is due on another day than {day}",
                "they aren't all due on {day}, the day of the digest",
            ],
            concepts=[["day"], ["due", "another", "one day", "all"]],
            offers=["you could bundle those of one day", "the others may stay single"],
        ),
        part(
            "after_the_morning",
            lambda reminders, day: all(r.due_at >= digest_time(day) for r in reminders),
            because=[
                "the digest goes out at {DIGEST_AT} in the morning, too late for one of them",
                "one of them is due before {DIGEST_AT} in the morning, when the digest goes out",
                "the digest of the morning at {DIGEST_AT} would come too late for one of them",
            ],
            concepts=[["late", "before", "early"], ["morning", "{DIGEST_AT}", "digest"]],
            offers=["you could bundle the later ones", "that one may stay single"],
        ),
        part(
            "not_urgent",
            lambda reminders: all(r.priority != "urgent" for r in reminders),
            because=[
                "one of them is urgent, and urgent ones aren't bundled",
                "urgent reminders never wait for a digest, and one of these is urgent",
                "a digest doesn't take an urgent reminder",
            ],
            concepts=[["urgent"]],
            remedy="change_priority",
            offers=[
                "you could lower its priority first",
                "the urgent one would have to become normal first",
            ],
        ),
    ],
)
def fit_for_digest(reminders: list[Reminder], day: date) -> bool:
    """A digest goes out at {DIGEST_AT} in the morning of its day. It takes
    {SMALLEST_BUNDLE} reminders or more that are due later on that day and are not urgent."""
    fitting = all(belongs_to(day, r.due_at) and r.priority != "urgent" for r in reminders)
    return fitting and len(reminders) >= SMALLEST_BUNDLE


@domain.rule(
    governs=["bundle_reminders"],
    because=[
        "a digest is put together the day before at the latest, and that is too late for {day}",
        "it is too late for a digest on {day}, which had to be put together the day before",
        "the digest for {day} was closed yesterday, so nothing can be bundled for it",
    ],
    concepts=[["late", "before", "closed"], ["digest", "day"]],
    offers=["they go out one by one in any case", "a digest for a later day is possible"],
)
def digest_ahead(db, day: date) -> bool:
    """A digest is put together on the day before at the latest."""
    return day > db.today


@domain.rule(
    governs=["bundle_reminders"],
    because=[
        "there is a digest for {day} already",
        "a digest for {day} exists, and a day has only one",
        "you have bundled something for {day} before, and one digest a day is all",
    ],
    concepts=[["digest", "bundle"], ["already", "exists", "one", "before"]],
    remedy="dissolve_digest",
    offers=[
        "you could dissolve that one and bundle anew",
        "the one that exists would have to be dissolved first",
    ],
)
def one_digest_a_day(recipient: Recipient, day: date) -> bool:
    """A person has one open digest for a day."""
    return all(other.day != day or other.status != "open" for other in recipient.digests)


@domain.rule(
    governs=["set_quiet_hours"],
    because=[
        "quiet hours last from {MIN_QUIET:duration} to {MAX_QUIET:duration}, and these don't",
        "that stretch isn't between {MIN_QUIET:duration} and {MAX_QUIET:duration} long",
        "the length is wrong: {MIN_QUIET:duration} is the minimum and {MAX_QUIET:duration} the "
        "maximum",
    ],
    concepts=[
        ["quiet", "stretch", "length", "hours"],
        ["{MAX_QUIET:duration}", "{MIN_QUIET:duration}", "long", "short", "length", "maximum"],
    ],
    offers=[
        "a later beginning or an earlier end would do",
        "you could choose a stretch of an ordinary night",
    ],
)
def quiet_length_right(starts: time, ends: time) -> bool:
    """Quiet hours last at least {MIN_QUIET:duration} and at most {MAX_QUIET:duration}, so that
    something can still go out."""
    return may_be_quiet(starts, ends)


@domain.rule(
    governs=["verify_channel"],
    because=[
        "that isn't the code that we sent to {channel.address}",
        "the code doesn't match the one for {channel.address}",
        "the code is wrong for {channel.address}",
    ],
    concepts=[["code"]],
    offers=[
        "please look at the latest message there and try once more",
        "perhaps two digits got swapped, so do check it",
    ],
)
def code_matches(channel: DeliveryChannel, code: str) -> bool:
    """A channel is verified with the very code that was sent to it. You can't see that code: ask
    for it, and never guess."""
    return code == channel.sent_code


# Rules that the assistant keeps: Nudge doesn't check them.


@domain.rule(
    by="agent",
    kind="confirmation",
    governs=[
        "cancel_reminder",
        "shift_reminders",
        "set_quiet_hours",
        "dissolve_digest",
        "resend_notification",
        "restore_reminder",
        "mute_channel",
    ],
    because=[
        "I need a plain yes from you first",
        "that is done only after you have agreed to it",
        "I'd have to hear your yes to it beforehand",
    ],
    concepts=[["yes", "agree", "confirm", "go-ahead"]],
)
def agreed(log: Log) -> bool:
    """Get a plain yes before you cancel a reminder or bring one back, shift several of them, change
    quiet hours, take a digest apart, mute a channel or send a message again. Say first what
    changes, with titles and times; with a repeating reminder, that all later ones stay away as
    well; with a repeated message, its fee."""
    return log.confirmed()


@domain.rule(
    by="agent",
    governs=["create_reminder", "reschedule_reminder"],
    because=[
        "it falls into your quiet hours, and you should hear first when it would really go out",
        "I have to look up and tell you when it goes out, as it touches your quiet hours",
        "the notification would be moved by your quiet hours, so the real time comes first",
    ],
    concepts=[["quiet"], ["go out", "goes out", "time", "moved"]],
    remedy="preview_delivery",
    offers=["we can look up the real time now"],
)
def moment_quoted(
    log: Log, recipient: Recipient, due_at: datetime, lead: Minutes, priority: str
) -> bool:
    """Where a notification would fall into quiet hours, look up with the preview when it would
    really go out, and tell the person that moment, before you set or move the reminder."""
    planned = planned_at(due_at, lead)
    moved = effective(recipient, planned, due_at, priority) != planned
    return not moved or log.called("preview_delivery")


@domain.rule(
    by="agent",
    governs=["create_reminder", "restore_reminder"],
    because=[
        "you want {recipient.daily_cap} reminders a day and not more, and that day has them",
        "that day has reached the daily cap of {recipient.daily_cap} that you set yourself",
        "your own daily cap of {recipient.daily_cap} is used up on that day",
        "by your own daily cap of {recipient.daily_cap} the day holds all that it may",
    ],
    concepts=[
        ["cap", "a day", "that day", "the day", "daily"],
        ["not more", "at most", "reached", "used up", "full", "holds all", "limit", "maximum"],
    ],
    remedy="set_daily_cap",
    offers=[
        "you could raise your daily cap first",
        "a higher cap would make room, if you want one",
        "another day may be emptier",
    ],
)
def day_below_cap(recipient: Recipient, due_at: datetime) -> bool:
    """Respect the daily cap that people set for themselves: when a day holds that many running
    reminders, nothing is added to it or brought back to it, unless the person raises the cap."""
    return below_cap(len(that_day(recipient, due_at.date())), recipient.daily_cap)


@domain.rule(
    by="agent",
    governs=["create_reminder"],
    because=[
        "another reminder of yours is due within {CLASH_MINUTES} minutes of that",
        "it would clash with a reminder that is less than {CLASH_MINUTES} minutes away",
        "less than {CLASH_MINUTES} minutes lie between it and another reminder",
        "there is a reminder of yours at nearly the same time, not {CLASH_MINUTES} minutes apart",
    ],
    concepts=[
        ["another reminder", "clash", "other reminder", "a reminder"],
        ["{CLASH_MINUTES}", "same time", "apart", "close"],
    ],
    remedy="reschedule_reminder",
    offers=[
        "you could have the other one moved",
        "a quarter of an hour to either side would be enough",
        "we could find a time for it that is free",
    ],
)
def no_clash(recipient: Recipient, due_at: datetime) -> bool:
    """Two reminders that are due less than {CLASH_MINUTES} minutes apart drown each other: don't
    set one so close to another that is running. Look through the list of that day."""
    return all(not is_close(other.due_at, due_at) for other in live(recipient))


@domain.rule(
    by="agent",
    governs=["reschedule_reminder"],
    because=[
        "another reminder of yours is due within {CLASH_MINUTES} minutes of the new time",
        "at the new time it would clash with another reminder, not {CLASH_MINUTES} minutes away",
        "the new time is less than {CLASH_MINUTES} minutes from another reminder",
    ],
    concepts=[
        ["another reminder", "clash", "other reminder", "a reminder"],
        ["{CLASH_MINUTES}", "same time", "apart", "close", "new time"],
    ],
    offers=[
        "a quarter of an hour to either side would be enough",
        "we could look for a time that is free",
    ],
)
def no_clash_after_move(reminder: Reminder, due_at: datetime) -> bool:
    """The same distance is kept from every other running reminder when one is moved."""
    others = [other for other in live(reminder.recipient) if other is not reminder]
    return all(not is_close(other.due_at, due_at) for other in others)


@domain.rule(
    by="agent",
    governs=["create_reminder"],
    because=[
        "calls are for urgent reminders, and this one is {priority}",
        "nobody is called for a {priority} reminder, only for an urgent one",
        "we ring people up only for what is urgent",
    ],
    concepts=[["call", "ring", "phone"], ["urgent"]],
    offers=[
        "it could be made urgent, if it is",
        "another channel would take it",
        "you could pick a channel that isn't a call",
    ],
)
def call_for_urgent(channel: DeliveryChannel, priority: str) -> bool:
    """Calls are for urgent reminders alone: choose another channel for the rest."""
    return worth_a_call(channel.kind, priority)


@domain.rule(
    by="agent",
    governs=["move_to_channel"],
    because=[
        "{channel.address} is for calls, and not all of these reminders are urgent",
        "calls are for urgent reminders, and at least one of these isn't",
        "we ring people up only for what is urgent, and not all of this is",
    ],
    concepts=[["call", "ring", "phone"], ["urgent"]],
    remedy="change_priority",
    offers=[
        "it could be made urgent first, if it is",
        "a channel that isn't a call would take them",
    ],
)
def calls_stay_urgent(reminders: list[Reminder], channel: DeliveryChannel) -> bool:
    """Nor is a reminder put over to calls that is not urgent."""
    return all(worth_a_call(channel.kind, r.priority) for r in reminders)


@domain.rule(
    by="agent",
    governs=["bundle_reminders"],
    because=[
        "for one of these categories your preference says immediate, not digest",
        "by your own preference one of them is to come immediately",
        "one of them is of a category that you want to hear of immediately",
    ],
    concepts=[["preference", "categor"], ["immediate", "digest", "at once"]],
    remedy="set_preference",
    offers=[
        "you could change that preference to digest first",
        "once the preference says digest, this works",
    ],
)
def digest_preferred(reminders: list[Reminder]) -> bool:
    """Bundle nothing that its owner wants to hear of at once: look whether a preference says
    immediate for the category of one of the reminders."""
    immediate = [
        preference.category
        for reminder in reminders
        for preference in reminder.recipient.category_preferences
        if preference.mode == "immediate"
    ]
    return all(reminder.category not in immediate for reminder in reminders)


@domain.rule(
    by="agent",
    governs=["change_priority"],
    because=[
        "it is about your health, and such a reminder is never set to low",
        "a health reminder keeps at least normal priority",
        "low is not for health matters, and this is one",
    ],
    concepts=[["health"], ["low", "normal", "priority"]],
    offers=["normal would be possible", "you could give it a different time instead"],
)
def health_not_low(reminder: Reminder, priority: str) -> bool:
    """A health reminder is never lowered to low priority, whatever the person says about it."""
    return fits_category(reminder.category, priority)


@domain.rule(
    by="agent",
    governs=["change_priority"],
    because=[
        "you have put it off {PUT_OFF} times or more, and such a reminder isn't set to low",
        "it was snoozed again and again, so lowering it to low would only help to forget it",
        "what was snoozed {PUT_OFF} times or oftener keeps at least normal priority",
    ],
    concepts=[["put off", "snooz"], ["low", "normal", "priority"]],
    remedy="reschedule_reminder",
    offers=[
        "you could give it a proper new time, which starts the count afresh",
        "moving it to a better day would be possible",
    ],
)
def put_off_not_lowered(reminder: Reminder, priority: str) -> bool:
    """Nor is one set to low that was put off {PUT_OFF} times or more: people lower what they would
    rather forget, and it deserves a new time instead."""
    return may_fall_to(priority, reminder.times_snoozed)


@domain.rule(
    by="agent",
    governs=["change_priority"],
    because=[
        "it is due on {reminder.due_at}, and only what is due within {FAR_AHEAD} days becomes "
        "urgent",
        "urgent is meant for the next {FAR_AHEAD} days, and this lies further ahead",
        "more than {FAR_AHEAD} days are left until it is due, so it isn't made urgent now",
    ],
    concepts=[["urgent"], ["{FAR_AHEAD} days", "further ahead", "next days"]],
    offers=[
        "you could raise it when the day comes nearer",
        "it stays normal for now, and you hear of it all the same",
    ],
)
def urgent_when_near(db, reminder: Reminder, priority: str) -> bool:
    """Raise a reminder to urgent only when it is due within {FAR_AHEAD} days from today."""
    return may_rise_to(priority, reminder.due_at, db.today)


@domain.rule(
    by="agent",
    governs=["snooze_reminder"],
    because=[
        "a bill is snoozed for {BILL_SNOOZE:duration} at most, lest it be paid late",
        "it is a bill, and for those {BILL_SNOOZE:duration} is the longest snooze",
        "that is too long a snooze for a bill; {BILL_SNOOZE:duration} is the limit",
    ],
    concepts=[["bill"], ["{BILL_SNOOZE:duration}", "longest", "too long", "limit"]],
    remedy="reschedule_reminder",
    offers=[
        "a shorter snooze is fine",
        "if it really has to wait, it could be moved to another day",
    ],
)
def bill_snoozed_briefly(reminder: Reminder, minutes: Minutes) -> bool:
    """A bill that has fired is snoozed for {BILL_SNOOZE:duration} at most."""
    return bill_may_wait(reminder.category, minutes)


@domain.rule(
    by="agent",
    governs=["snooze_reminder"],
    because=[
        "it is about your health, and such things are snoozed for {HEALTH_SNOOZE:duration} at most",
        "health doesn't wait: {HEALTH_SNOOZE:duration} is the longest snooze for it",
        "for a health reminder the snooze ends after {HEALTH_SNOOZE:duration} at the latest",
    ],
    concepts=[["health"], ["{HEALTH_SNOOZE:duration}", "longest", "at most", "at the latest"]],
    remedy="reschedule_reminder",
    offers=[
        "a shorter snooze is possible",
        "if the day has changed, it can be given a new time",
    ],
)
def health_snoozed_briefly(reminder: Reminder, minutes: Minutes) -> bool:
    """What concerns somebody's health is snoozed for {HEALTH_SNOOZE:duration} at most, however
    inconvenient the moment."""
    return health_may_wait(reminder.category, minutes)


@domain.rule(
    by="agent",
    governs=["rename_reminder"],
    because=[
        "it has fired, and the message that you got bears the old title",
        "a reminder that has fired keeps its title, so that the message can be matched with it",
        "its message went out with the present title, and a fired one isn't renamed",
    ],
    concepts=[["fired", "went out", "message"], ["title", "rename", "name", "wording"]],
    remedy="reschedule_reminder",
    offers=[
        "once it has a new time, it can be renamed too",
        "you could move it to another day first, if it is still to come",
    ],
)
def fired_keeps_title(reminder: Reminder) -> bool:
    """Leave the title of a reminder alone once it has fired: its owner looks for the words that
    stood in the message. Give it a new time first, or tick it off."""
    return reminder.status != "fired"


@domain.rule(
    by="agent",
    governs=["mute_channel"],
    because=[
        "an urgent reminder is to come through {channel.address}",
        "{channel.address} carries something urgent, which would go unheard",
        "on {channel.address} an urgent reminder is running, and that must be heard",
    ],
    concepts=[["urgent"]],
    remedy="change_priority",
    offers=[
        "the urgent one could be lowered to normal first",
        "we could make that one normal beforehand",
    ],
)
def nothing_urgent_there(channel: DeliveryChannel) -> bool:
    """Don't mute a channel that one of the person's running urgent reminders uses."""
    return all(r.priority != "urgent" or r.status not in LIVE for r in channel.reminders)


@domain.rule(
    by="agent",
    governs=["shift_reminders"],
    because=[
        "one of them is a bill, and a bill isn't shifted along with other things",
        "there is a bill among them, which has a day of its own for being paid",
        "bills keep their day unless they are moved singly, and one of these is a bill",
    ],
    concepts=[["bill"]],
    remedy="reschedule_reminder",
    offers=[
        "the bill could be moved by itself, if its day has really changed",
        "you could shift the others without it",
    ],
)
def no_bill_shifted(reminders: list[Reminder]) -> bool:
    """A bill is never shifted in a pile, since nobody who bills waits for a holiday: move it by
    itself, to the day that its owner names."""
    return all(reminder.category != "bills" for reminder in reminders)


@domain.rule(
    by="agent",
    governs=["move_to_channel"],
    because=[
        "one of them is about your health, and e-mail is too slow for that",
        "{channel.address} is for e-mail, and a health reminder isn't sent that way",
        "health reminders don't go by e-mail, and there is one among these",
    ],
    concepts=[["health"], ["e-mail", "email"]],
    offers=[
        "push or a text message would be fine for it",
        "the others could go there without it",
    ],
)
def health_not_by_email(reminders: list[Reminder], channel: DeliveryChannel) -> bool:
    """Put no health reminder over to e-mail, which people read too late."""
    return all(quick_enough(channel.kind, r.category) for r in reminders)


@domain.rule(
    by="agent",
    governs=["complete_reminder"],
    because=[
        "it is a bill, and its reminder hasn't fired so far",
        "bills are ticked off once their reminder has fired, and this one hasn't",
        "a bill stays on the list until its message has gone out",
        "its message hasn't gone out, and a bill isn't ticked off early",
    ],
    concepts=[["bill"], ["due", "early", "fired", "gone out"]],
    offers=[
        "if you don't want it any more, it can be cancelled instead",
        "you could tick it off when it has fired",
    ],
)
def bill_has_fired(reminder: Reminder) -> bool:
    """A bill is not ticked off before its reminder has fired: too many were forgotten that way."""
    return may_be_ticked_off(reminder.category, reminder.status)


# What holds at any time.


@domain.invariant(Recipient)
def running_within_plan(recipient: Recipient) -> bool:
    ended = sum(r.status in ("done", "cancelled") for r in recipient.reminders)
    return len(recipient.reminders) - ended <= MAX_LIVE[recipient.plan]


@domain.invariant(Recipient)
def few_urgent(recipient: Recipient) -> bool:
    running = [r for r in recipient.reminders if r.status not in ("done", "cancelled")]
    return sum(r.priority == "urgent" for r in running) <= MAX_URGENT


@domain.invariant(DeliveryChannel)
def channel_not_crowded(channel: DeliveryChannel) -> bool:
    single = [r for r in channel.reminders if r.status in LIVE and r.repeat == "none"]
    days = [r.due_at.date() for r in single]
    return all(days.count(day) <= PER_DAY[channel.kind] for day in days)


@domain.invariant(Reminder)
def goes_out_as_computed(reminder: Reminder) -> bool:
    return reminder.status not in WAITING or reminder.goes_out_at == going_out(reminder)


@domain.invariant(Reminder)
def snoozes_counted(reminder: Reminder) -> bool:
    return (
        reminder.times_snoozed <= MAX_SNOOZES[reminder.priority]
        and (reminder.status != "snoozed" or reminder.times_snoozed > 0)
        and (reminder.status == "snoozed") == (reminder.snoozed_until is not None)
    )


@domain.invariant(Reminder)
def channel_is_the_owners(reminder: Reminder) -> bool:
    return reminder.channel.recipient is reminder.recipient


@domain.invariant(Reminder)
def tries_within_limit(reminder: Reminder) -> bool:
    return len(reminder.delivery_attempts) <= MAX_TRIES


@domain.invariant(Digest)
def digest_holds_its_day(digest: Digest) -> bool:
    inside = [r for r in digest.reminders if r.status in LIVE]
    return all(belongs_to(digest.day, r.due_at) and r.priority != "urgent" for r in inside) and (
        digest.status != "dissolved" or not digest.reminders
    )


@domain.invariant(Digest)
def digest_is_worth_it(digest: Digest) -> bool:
    right = SMALLEST_BUNDLE <= digest.size <= MAX_BUNDLE
    return digest.status != "open" or (right and len(digest.reminders) <= digest.size)


@domain.invariant(Recipient)
def a_digest_a_day(recipient: Recipient) -> bool:
    days = [digest.day for digest in recipient.digests if digest.status == "open"]
    return len(days) == len(dict.fromkeys(days))


@domain.invariant(QuietHours)
def quiet_not_too_long(quiet: QuietHours) -> bool:
    return may_be_quiet(quiet.starts, quiet.ends)


@domain.invariant(CategoryPreference)
def preference_through_own_channel(preference: CategoryPreference) -> bool:
    return preference.channel.recipient is preference.recipient


# What people would plausibly ask for.

TITLES = {
    "Take the blood pressure tablets": "health",
    "Book the eye test": "health",
    "Refill the inhaler": "health",
    "Pay the broadband bill": "bills",
    "Transfer the rent": "bills",
    "Pay the water bill": "bills",
    "Send the quarterly report": "work",
    "Prepare the team meeting": "work",
    "Hand in the timesheet": "work",
    "Call Aunt Rosa": "family",
    "Order the birthday cake": "family",
    "Pick up Leo from judo": "family",
    "Water the tomatoes": "home",
    "Put the bins out": "home",
    "Defrost the freezer": "home",
}
NEW_TITLES = {
    "Collect the new glasses": "health",
    "Change the plaster": "health",
    "Settle the dentist's invoice": "bills",
    "Pay the parking fine": "bills",
    "Reply to the landlord": "home",
    "Bleed the radiators": "home",
    "Sign the school form": "family",
    "Wrap the present for Nora": "family",
    "Update the project plan": "work",
    "Ring the tax adviser": "work",
    "Renew the passport": "family",
    "Descale the kettle": "home",
    "Submit the travel expenses": "work",
    "Fetch the antibiotics": "health",
    "Clear the credit card balance": "bills",
    "Practise the violin": "family",
    "Sharpen the garden shears": "home",
}
RENAMED = [
    "Bring the insurance card",
    "Ask about the discount",
    "Take the spare key along",
    "Check the due amount first",
    "Pack the documents",
    "Ask Jonas to help",
    "Mention the faulty hinge",
    "Compare two offers beforehand",
    "Wear sturdy shoes",
    "Photograph the meter",
]
ABOUT = ["the note from last week", "the letter in the blue folder", "what we agreed by phone"]
HOURS = (8, 11, 14, 17, 20, 23)
DAYS_AHEAD = (1, 2, 3, 5)


def hours_ahead(db) -> list[datetime]:
    """Times in the coming days, some of them late in the evening."""
    return [
        datetime.combine(db.today + timedelta(days=days), time(hour, (days * 15) % 60))
        for days in DAYS_AHEAD
        for hour in HOURS
    ]


def days_ahead(db) -> list[date]:
    return [db.today + timedelta(days=days) for days in DAYS_AHEAD]


def times_for(db, recipient) -> list[datetime]:
    """Free hours, and some that are close to a reminder of theirs."""
    near = [r.due_at + timedelta(minutes=10) for r in live(recipient) if r.due_at > db.now]
    return [*hours_ahead(db)[::2], *near[:4]]


def new_times_for(db, reminder) -> list[datetime]:
    days = [reminder.due_at + timedelta(days=days) for days in (1, 2, 7, 0)]
    return [*[at for at in days if at > db.now], *times_for(db, reminder.recipient)]


def priorities_for(db, reminder) -> list[str]:
    """Few people want to have a health reminder set to low."""
    unusual = reminder.category != "health" or reminder.repeat != "none"
    return ["normal", "urgent", "low"] if unusual else ["normal", "urgent"]


def codes_for(db, channel) -> list[str]:
    return [channel.sent_code, channel.sent_code, channel.sent_code[::-1]]


def category_of(db, title) -> list[str]:
    return [{**TITLES, **NEW_TITLES}.get(title, "home")]


def piles(db, recipient) -> list[list[Reminder]]:
    """Scheduled reminders that people handle together: those of a day, of a category."""
    waiting = [r for r in recipient.reminders if r.status == "scheduled"]
    groups: dict = {}
    for reminder in waiting:
        groups.setdefault(reminder.category, []).append(reminder)
        groups.setdefault(reminder.due_at.date(), []).append(reminder)
    some = [group[:MAX_MOVED] for group in groups.values() if len(group) > 1]
    return some or ([waiting[:2]] if waiting else [])


def bundles(db, recipient) -> list[list[Reminder]]:
    """Scheduled reminders of one day."""
    groups: dict = {}
    for reminder in recipient.reminders:
        if reminder.status == "scheduled":
            groups.setdefault(reminder.due_at.date(), []).append(reminder)
    free = [[r for r in group if r.digest is None] for group in groups.values()]
    return [group[:MAX_BUNDLE] for group in [*groups.values(), *free] if len(group) > 1]


def day_of(db, reminders) -> list[date]:
    return [reminders[0].due_at.date()]


# Reads.

domain.reads(
    Reminder,
    get=["snoozes", "delivery_attempts"],
    search=["title"],
    list_of="recipient",
    filters=["status", "category"],
    page=PAGE,
)
domain.reads(DeliveryChannel, list_of="recipient", filters=["kind", "status"], page=PAGE)
domain.reads(QuietHours, list_of="recipient", filters=["days"], page=PAGE)
domain.reads(CategoryPreference, list_of="recipient", filters=["category"], page=PAGE)
domain.reads(Digest, get=["reminders"], list_of="recipient", filters=["status"], page=PAGE)
domain.reads(DeliveryAttempt, list_of="recipient", filters=["status"], page=PAGE)


class Preview(TypedDict):
    """When a notification would go out, and what moves it."""

    planned_at: datetime
    goes_out_at: datetime
    moved_by_quiet_hours: bool


class NextOne(TypedDict):
    """When a repeating reminder comes back."""

    next_due_at: datetime


class Moment(TypedDict):
    """When the notification of a reminder goes out."""

    goes_out_at: datetime
    in_digest: bool


class DayLoad(TypedDict):
    """What a day holds, beside the person's own cap."""

    reminders: int
    daily_cap: int
    urgent: int


class Report(TypedDict):
    """A person's settings and numbers at a glance."""

    running: int
    plan_limit: int
    urgent: int
    lost_messages: int
    fees: Money


class ShiftQuote(TypedDict):
    """Between which moments shifted reminders would be due."""

    first_due_at: datetime
    last_due_at: datetime


class QuietQuote(TypedDict):
    """How long quiet hours would last."""

    lasts: Minutes


class DissolveQuote(TypedDict):
    """How many reminders would come one by one again."""

    singly: int


class RestoreQuote(TypedDict):
    """When a cancelled reminder would go out if it were brought back."""

    would_go_out_at: datetime


class MuteQuote(TypedDict):
    """How many reminders would wait silently on a muted channel."""

    waiting: int


class ResendQuote(TypedDict):
    """What it costs to send a message again."""

    fee: Money


@domain.read()
def show_my_profile(db, recipient: Recipient) -> Recipient:
    """The signed-in person's own record: name, e-mail address, plan and daily cap."""
    return recipient


@domain.read(
    tells={
        "goes_out_at": [
            "when I would hear of something {priority} that is due on {due_at}",
            "when a {priority} notification for {due_at} would really reach me",
        ]
    }
)
def preview_delivery(
    db,
    recipient: Recipient,
    due_at: Annotated[datetime, drawn(hours_ahead)],
    lead: Annotated[Minutes, Field(ge=0, le=MAX_LEAD), drawn(lambda: LEADS)] = 0,
    priority: Priority = "normal",
) -> Preview:
    """When the notification of a reminder would go out that is due at some time, with the quiet
    hours as they are.

    Args:
        due_at: When the thing itself is due
        lead: How long before that the notification is planned
        priority: How important it would be
    """
    planned = planned_at(due_at, lead)
    goes_out_at = effective(recipient, planned, due_at, priority)
    return {
        "planned_at": planned,
        "goes_out_at": goes_out_at,
        "moved_by_quiet_hours": goes_out_at != planned,
    }


@domain.read(
    errors={"does_not_repeat": "That reminder comes once and doesn't repeat."},
    tells={
        "next_due_at": [
            "when {reminder} comes round again after this time",
            "when {reminder} is due the time after",
            "what the following date of {reminder} is",
        ]
    },
)
def next_occurrence(db, reminder: Reminder) -> NextOne:
    """When a repeating reminder is due again after the occurrence at hand."""
    if reminder.repeat == "none":
        raise ToolError("does_not_repeat")
    return {"next_due_at": next_due(reminder.due_at, reminder.repeat, db.now)}


@domain.read(
    errors={"not_waiting": "That reminder isn't waiting for its moment any more."},
    tells={
        "goes_out_at": [
            "when I'll really hear of {reminder}",
            "at what time the message about {reminder} leaves",
            "when {reminder} is going to reach me",
            "what moment you have planned for telling me about {reminder}",
        ]
    },
)
def moment_of_reminder(db, reminder: Reminder) -> Moment:
    """When the notification of a scheduled or snoozed reminder goes out, quiet hours and digest
    taken into account."""
    if reminder.status not in WAITING:
        raise ToolError("not_waiting")
    return {"goes_out_at": going_out(reminder), "in_digest": reminder.digest is not None}


@domain.read(
    tells={
        "reminders": [
            "how many reminders I have running for {day}",
            "how full {day} is",
            "how many things I am to be reminded of on {day}",
        ]
    }
)
def day_load(db, recipient: Recipient, day: Annotated[date, drawn(days_ahead)]) -> DayLoad:
    """How many running reminders are due on a day, how many of them are urgent, and the daily cap.

    Args:
        day: The day to count
    """
    due = that_day(recipient, day)
    urgent = sum(reminder.priority == "urgent" for reminder in due)
    return {"reminders": len(due), "daily_cap": recipient.daily_cap, "urgent": urgent}


@domain.read()
def reminders_of_day(
    db,
    recipient: Recipient,
    day: Annotated[date, drawn(days_ahead)],
    page: int = 0,
) -> Page[Reminder]:
    """The running reminders of one day, the earliest due first: for clashes and digests.

    Args:
        day: The day to list
    """
    due = sorted(that_day(recipient, day), key=lambda reminder: (reminder.due_at, reminder.id))
    return page_of(due, page, PAGE)


@domain.read(
    tells={
        "running": [
            "how many reminders I have running in all",
            "how many of my reminders are running altogether",
        ],
        "plan_limit": [
            "what the limit of running reminders on my plan is",
            "where the limit of my plan for running reminders lies",
        ],
        "fees": [
            "what all my text messages and calls have cost so far",
            "how much I have been charged for messages in all",
            "what the fees for my messages come to altogether",
        ],
        "lost_messages": [
            "how many of your messages never reached me",
            "how many messages to me got lost",
        ],
    }
)
def preference_report(db, recipient: Recipient) -> Report:
    """Running reminders against the limit of the plan, urgent ones, messages that got lost, and the
    fees of all messages."""
    attempts = recipient.delivery_attempts
    return {
        "running": len(live(recipient)),
        "plan_limit": MAX_LIVE[recipient.plan],
        "urgent": len(urgent_ones(recipient)),
        "lost_messages": sum(was_lost(a.status) for a in attempts),
        "fees": sum(attempt.fee for attempt in attempts),
    }


@domain.read()
def quote_resend(db, reminder: Reminder, channel: DeliveryChannel) -> ResendQuote:
    """What it costs to send the message about a reminder once more through a channel."""
    return {"fee": fee_for(channel.kind)}


@domain.read()
def quote_shift(
    db,
    recipient: Recipient,
    reminders: Annotated[list[Reminder], Field(min_length=1, max_length=MAX_MOVED), drawn(piles)],
    days: Annotated[int, Field(ge=1, le=MAX_SHIFT), drawn(lambda: SHIFTS)],
) -> ShiftQuote:
    """When the first and the last of several reminders would be due, shifted by some days.

    Args:
        days: How many days later they would be due
    """
    due = [reminder.due_at + timedelta(days=days) for reminder in reminders]
    return {"first_due_at": min(due), "last_due_at": max(due)}


@domain.read()
def quote_quiet_hours(
    db,
    quiet_hours: QuietHours,
    starts: Annotated[time, drawn(lambda: STARTS)],
    ends: Annotated[time, drawn(lambda: ENDS)],
) -> QuietQuote:
    """How long quiet hours would last with other times.

    Args:
        starts: When they would begin
        ends: When they would end
    """
    return {"lasts": quiet_length(starts, ends)}


@domain.read()
def quote_restoring(db, reminder: Reminder) -> RestoreQuote:
    """When the notification of a reminder would go out by its due time, lead and the quiet hours,
    if it were brought back."""
    planned = planned_at(reminder.due_at, reminder.lead)
    at = effective(reminder.recipient, planned, reminder.due_at, reminder.priority)
    return {"would_go_out_at": at}


@domain.read()
def quote_muting(db, channel: DeliveryChannel) -> MuteQuote:
    """How many running reminders would wait silently in the app if a channel were muted."""
    return {"waiting": sum(reminder.status in LIVE for reminder in channel.reminders)}


@domain.read()
def quote_dissolving(db, digest: Digest) -> DissolveQuote:
    """How many reminders would come one by one again if a digest were taken apart."""
    return {"singly": sum(reminder.status in WAITING for reminder in digest.reminders)}


# Writes.


@domain.write(
    requires=[
        below_plan_limit,
        goes_out_ahead,
        channel_verified,
        channel_not_muted,
        channel_has_room,
        urgent_place_free,
        moment_quoted,
        day_below_cap,
        no_clash,
        call_for_urgent,
    ],
    changes=[creates(Reminder)],
    ask=[
        'be reminded of "{title}", a {category} matter, on {due_at} through {channel}',
        'set up a {category} reminder "{title}" for {due_at} on {channel}',
        'get a nudge for "{title}" ({category}), due on {due_at}, at {channel}',
        'have "{title}" put down under {category} for {due_at}, sent to {channel}',
        'add "{title}" to my {category} reminders for {due_at}, with {channel} as the channel',
        'create a {priority} {category} reminder "{title}" for {due_at} on {channel}',
        'be told {lead} ahead about "{title}", a {category} thing due on {due_at}, through '
        "{channel}",
        'set a {category} reminder "{title}" that repeats {repeat} from {due_at} on, via {channel}',
        'note the {category} reminder "{title}" about {about} for {due_at} on {channel}',
        'be reminded of "{title}", which is {category}, on {due_at}',
        'have a {category} reminder "{title}" sent to {channel}',
    ],
    asks={
        "title": ["What shall the reminder say?", "What title would you like for the reminder?"],
        "category": [
            "Under which category does it go: health, bills, work, family or home?",
            "Which category is it: health, bills, work, family or home?",
        ],
        "due_at": [
            "On what day and at what time is it due?",
            "When is it due, that is, on which day and at what time?",
        ],
        "channel": [
            "Through which of your channels shall it come?",
            "Which channel would you like it on?",
        ],
    },
    outcome=outcome(
        quotes=["goes_out_at"],
        mood="good",
        says=[
            '"{title}" is set, and the notification goes out on {goes_out_at}.',
            'I\'ve set up "{title}" for you; you will hear of it on {goes_out_at}.',
            'The reminder "{title}" is in place and reaches you on {goes_out_at}.',
            'Your new reminder "{title}" goes out to {channel.address} on {goes_out_at}.',
            'Nudge will tell you about "{title}" on {goes_out_at}.',
            'I have noted "{title}"; the message about it leaves on {goes_out_at}.',
            'Consider "{title}" taken care of: {goes_out_at} is when it reaches you.',
        ],
    ),
)
def create_reminder(
    db,
    recipient: Recipient,
    title: Annotated[str, Field(min_length=2), drawn(lambda: [*NEW_TITLES])],
    category: Annotated[Category, drawn(category_of)],
    due_at: Annotated[datetime, drawn(times_for)],
    channel: DeliveryChannel,
    lead: Annotated[Minutes, Field(ge=0, le=MAX_LEAD), drawn(lambda: LEADS)] = 0,
    priority: Priority = "normal",
    repeat: Repeat = "none",
    about: Annotated[str | None, drawn(lambda: ABOUT)] = None,
) -> Reminder:
    """Set up a new reminder. Where the person names no lead, it goes out when the thing is due;
    where they name no priority, it is normal, and it comes once unless they say that it repeats.
    If they are unsure of the channel, look at the preference for its category.

    Args:
        title: What it says, in the person's words
        category: What it belongs to
        due_at: When the thing itself is due
        lead: How long before that the notification is planned
        priority: How important it is
        repeat: How often it comes back
        about: What it refers to, as the person puts it
    """
    planned = planned_at(due_at, lead)
    return db.create(
        Reminder,
        recipient=recipient,
        channel=channel,
        title=title,
        category=category,
        priority=priority,
        due_at=due_at,
        lead=lead,
        goes_out_at=effective(recipient, planned, due_at, priority),
        repeat=repeat,
        about=about,
    )


@domain.write(
    requires=[
        goes_out_ahead.on(
            recipient="reminder.recipient", lead="reminder.lead", priority="reminder.priority"
        ),
        day_has_room,
        stays_with_digest,
        moment_quoted.on(
            recipient="reminder.recipient", lead="reminder.lead", priority="reminder.priority"
        ),
        no_clash_after_move,
    ],
    changes=[
        moves("reminder", ["scheduled", "snoozed", "fired"], to="scheduled"),
        sets(
            "reminder",
            Reminder.due_at,
            Reminder.goes_out_at,
            Reminder.snoozed_until,
            Reminder.times_snoozed,
        ),
    ],
    errors={"same_time": "The reminder is set for that very time already."},
    ask=[
        "move {reminder} to {due_at}",
        "have {reminder} on {due_at} instead",
        "reschedule {reminder} for {due_at}",
        "put {reminder} off until {due_at}",
        "change the time of {reminder} to {due_at}",
        "get {reminder} set to {due_at}",
        "make {due_at} the new time of {reminder}",
        "have the due time of {reminder} changed to {due_at}",
        "move {reminder} to another time",
        "move one of my reminders to {due_at}",
        "postpone {reminder} to {due_at}",
        "give {reminder} a new date, {due_at}",
    ],
    asks={
        "reminder": ["Which of your reminders shall I move?", "Which reminder do you mean?"],
        "due_at": [
            "To what day and time shall I move it?",
            "On what day and at what time is it due now?",
        ],
    },
    outcome=outcome(
        quotes=["due_at", "goes_out_at"],
        mood="good",
        says=[
            '"{reminder.title}" is due on {due_at} now, and its notification goes out on '
            "{goes_out_at}.",
            'I\'ve moved "{reminder.title}" to {due_at}; you will hear of it on {goes_out_at}.',
            'The new time of "{reminder.title}" is {due_at}, with the message on {goes_out_at}.',
            '"{reminder.title}" now stands at {due_at} and reaches you on {goes_out_at}.',
            'From now on "{reminder.title}" is set for {due_at}, which means a message on '
            "{goes_out_at}.",
            'The change is made: {due_at} for "{reminder.title}", announced on {goes_out_at}.',
        ],
    ),
)
def reschedule_reminder(
    db, reminder: Reminder, due_at: Annotated[datetime, drawn(new_times_for)]
) -> Reminder:
    """Give a reminder another due time. Lead, channel and rhythm stay; the snoozes are counted
    afresh. One that has fired is scheduled again.

    Args:
        due_at: When the thing itself is due
    """
    if (reminder.status, reminder.due_at) == ("scheduled", due_at):
        raise ToolError("same_time")
    reminder.status, reminder.due_at = "scheduled", due_at
    reminder.snoozed_until, reminder.times_snoozed = None, 0
    reminder.goes_out_at = going_out(reminder)
    return reminder


@domain.write(
    requires=[fired_keeps_title],
    changes=[
        stays("reminder", ["scheduled", "snoozed", "fired"]),
        sets("reminder", Reminder.title, Reminder.about),
    ],
    errors={"same_title": "The reminder has that title already."},
    ask=[
        'have {reminder} say "{title}" instead',
        'rename {reminder} to "{title}"',
        'change the wording of {reminder} to "{title}"',
        'give {reminder} the title "{title}"',
        'have the text of {reminder} read "{title}"',
        'let {reminder} be called "{title}"',
        'have {reminder} renamed "{title}" and noted as being about {about}',
        "have {reminder} worded differently",
        'have {reminder} retitled as "{title}"',
        'swap the heading of {reminder} for "{title}"',
    ],
    asks={
        "reminder": ["Which of your reminders shall be renamed?", "Which reminder do you mean?"],
        "title": ["What title shall it have?", "What shall it say, that is, what is the title?"],
    },
    outcome=outcome(
        quotes=["title"],
        mood="good",
        says=[
            'The reminder says "{title}" from now on.',
            'I\'ve renamed it: it reads "{title}" now.',
            'Its new title is "{title}"; the time stays as it was.',
            'You will find it as "{title}" in your list.',
            'The heading reads "{title}" as of now, everything else being untouched.',
        ],
    ),
)
def rename_reminder(
    db,
    reminder: Reminder,
    title: Annotated[str, Field(min_length=2), drawn(lambda: RENAMED)],
    about: Annotated[str | None, drawn(lambda: ABOUT)] = None,
) -> Reminder:
    """Change what a reminder says, and what it is about if the person mentions it.

    Args:
        title: What it says from now on
        about: What it refers to; what was noted before stays without it
    """
    if title == reminder.title:
        raise ToolError("same_title")
    reminder.title = title
    if about is not None:
        reminder.about = about
    return reminder


@domain.write(
    requires=[
        digest_not_urgent,
        urgent_still_free,
        health_not_low,
        put_off_not_lowered,
        urgent_when_near,
    ],
    changes=[
        stays("reminder", ["scheduled", "snoozed", "fired"]),
        sets("reminder", Reminder.priority, Reminder.goes_out_at, Reminder.times_snoozed),
    ],
    errors={"same_priority": "The reminder has that priority already."},
    ask=[
        "make {reminder} {priority}",
        "set {reminder} to {priority}",
        "have the priority of {reminder} changed to {priority}",
        "mark {reminder} as {priority}",
        "have {reminder} treated as {priority}",
        "give {reminder} {priority} priority",
        "change how important {reminder} is",
        "rank {reminder} as {priority}",
        "have {reminder} classed {priority}",
    ],
    asks={
        "reminder": ["Which of your reminders is it?", "Which reminder do you mean?"],
        "priority": [
            "Which priority shall it have: low, normal or urgent?",
            "What priority do you want, low, normal or urgent?",
        ],
    },
    outcome=outcome(
        quotes=["priority"],
        mood="good",
        says=[
            '"{reminder.title}" is {priority} now.',
            'I\'ve marked "{reminder.title}" as {priority}.',
            'The priority of "{reminder.title}" is {priority} from this moment.',
            'From now on "{reminder.title}" counts as {priority}.',
            'I have changed "{reminder.title}": it is treated as {priority}.',
            'Ranking adjusted: "{reminder.title}" is {priority}.',
        ],
    ),
)
def change_priority(
    db, reminder: Reminder, priority: Annotated[Priority, drawn(priorities_for)]
) -> Reminder:
    """Change how important a reminder is. An urgent one may pass quiet hours, where its owner has
    allowed that, so that the moment at which it goes out can change. Snoozes that it had count
    against its new limit.

    Args:
        priority: How important it is from now on
    """
    if reminder.priority == priority:
        raise ToolError("same_priority")
    reminder.priority = priority
    reminder.times_snoozed = min(reminder.times_snoozed, MAX_SNOOZES[priority])
    if reminder.status in WAITING:
        reminder.goes_out_at = going_out(reminder)
    return reminder


@domain.write(
    requires=[snoozes_left, before_next_one, bill_snoozed_briefly, health_snoozed_briefly],
    changes=[
        moves("reminder", "fired", to="snoozed"),
        sets("reminder", Reminder.snoozed_until, Reminder.times_snoozed, Reminder.goes_out_at),
        creates(Snooze),
    ],
    ask=[
        "snooze {reminder} for {minutes}",
        "have {reminder} come again in {minutes}",
        "put {reminder} off by {minutes}",
        "hear of {reminder} again in {minutes}",
        "get another {minutes} before {reminder} rings again",
        "silence {reminder} for {minutes}",
        "delay {reminder} by {minutes}",
        "have {reminder} bother me again in {minutes}",
        "snooze {reminder}",
    ],
    asks={
        "reminder": ["Which of your reminders shall I snooze?", "Which reminder just rang?"],
        "minutes": [
            "For how many minutes shall I snooze it?",
            "How many minutes would you like?",
        ],
    },
    outcome=outcome(
        quotes=["goes_out_at", "times_snoozed"],
        mood="good",
        says=[
            '"{reminder.title}" comes again on {goes_out_at}; that was snooze number '
            "{times_snoozed}.",
            'I\'ve snoozed "{reminder.title}"; you hear of it again on {goes_out_at}, after snooze '
            "number {times_snoozed}.",
            'Snooze number {times_snoozed} for "{reminder.title}": it rings on {goes_out_at}.',
            '"{reminder.title}" is quiet until {goes_out_at}, and its snoozes number '
            "{times_snoozed} now.",
            'You have some peace from "{reminder.title}" until {goes_out_at}; the snoozes so far '
            "are {times_snoozed}.",
        ],
    ),
)
def snooze_reminder(
    db,
    reminder: Reminder,
    minutes: Annotated[Minutes, Field(ge=MIN_SNOOZE, le=MAX_SNOOZE), drawn(lambda: SNOOZE_TIMES)],
) -> Reminder:
    """Put off a reminder that has fired. It goes out once more when the snooze is over, or when the
    quiet hours end in which that would fall.

    Args:
        minutes: How long it stays silent
    """
    until = snooze_end(db.now, minutes)
    reminder.status, reminder.snoozed_until = "snoozed", until
    reminder.times_snoozed += 1
    reminder.goes_out_at = going_out(reminder)
    db.create(
        Snooze,
        recipient=reminder.recipient,
        reminder=reminder,
        number=reminder.times_snoozed,
        until=until,
    )
    return reminder


@domain.write(
    requires=[bill_has_fired],
    changes=[
        moves("reminder", ["scheduled", "snoozed", "fired"], to=["done", "scheduled"]),
        sets(
            "reminder",
            Reminder.due_at,
            Reminder.goes_out_at,
            Reminder.snoozed_until,
            Reminder.times_snoozed,
            Reminder.digest,
        ),
    ],
    ask=[
        "tick off {reminder}",
        "mark {reminder} as done",
        "have {reminder} down as done",
        "check off {reminder}",
        "have {reminder} crossed off",
        "let you know that {reminder} is done",
        "close {reminder} as finished",
        "tick off one of my reminders",
        "put a tick against {reminder}",
        "report {reminder} as dealt with",
    ],
    asks={
        "reminder": [
            "Which of your reminders is done?",
            "Which reminder may I tick off?",
        ]
    },
    outcome=outcome(
        quotes=["status"],
        mood="good",
        says=[
            'I\'ve ticked off "{reminder.title}", which is {status} now.',
            'Well done: "{reminder.title}" is ticked off and now {status}.',
            '"{reminder.title}" is off your plate for this time and shows up as {status}.',
            'This time of "{reminder.title}" is behind you; the app has it as {status}.',
            'Congratulations on finishing "{reminder.title}"; its entry reads {status}.',
        ],
    ),
)
def complete_reminder(db, reminder: Reminder) -> Reminder:
    """Tick off a reminder. One that comes once is done. A repeating one is scheduled for its next
    occurrence, which counts from the due time at hand, and leaves the digest that it was in."""
    reminder.snoozed_until, reminder.digest = None, None
    if reminder.repeat == "none":
        reminder.status = "done"
        return reminder
    reminder.status, reminder.times_snoozed = "scheduled", 0
    reminder.due_at = next_due(reminder.due_at, reminder.repeat, db.now)
    reminder.goes_out_at = going_out(reminder)
    return reminder


@domain.write(
    requires=[not_bundled, agreed],
    changes=[
        moves("reminder", ["scheduled", "snoozed", "fired"], to="cancelled"),
        sets("reminder", Reminder.snoozed_until),
    ],
    ask=[
        "cancel {reminder}",
        "drop {reminder}",
        "get rid of {reminder}",
        "have {reminder} called off",
        "stop {reminder}",
        "have {reminder} taken off my list",
        "be spared {reminder} from now on",
        "remove {reminder}",
        "cancel one of my reminders",
        "strike {reminder} off",
        "not be pestered about {reminder} any longer",
        "call a halt to {reminder}",
        "have {reminder} dropped for good",
    ],
    asks={
        "reminder": [
            "Which of your reminders shall I cancel?",
            "Which reminder can go?",
        ]
    },
    outcome=outcome(
        mood="neutral",
        ask_first=[
            "It is due on {reminder.due_at}, and if it repeats, all later ones stay away as well."
        ],
        says=[
            '"{reminder.title}" is cancelled, and you won\'t hear of it any more.',
            'I\'ve cancelled "{reminder.title}"; it can be brought back while its time is ahead.',
            'The reminder "{reminder.title}" is off your list.',
            'Nudge stays silent about "{reminder.title}" from now on.',
            'No further message about "{reminder.title}" will leave us; the cancelling is done.',
            'Struck off as you wished: "{reminder.title}" no longer troubles you.',
        ],
    ),
)
def cancel_reminder(db, reminder: Reminder) -> Reminder:
    """Cancel a reminder with all its later occurrences. Say so when it repeats; somebody who only
    wants to be rid of this one time should tick it off instead."""
    reminder.status, reminder.snoozed_until = "cancelled", None
    return reminder


@domain.write(
    requires=[
        below_plan_limit.on("reminder.recipient"),
        still_ahead,
        day_has_room.on(due_at="reminder.due_at"),
        urgent_still_free.on(priority="reminder.priority"),
        day_below_cap.on(recipient="reminder.recipient", due_at="reminder.due_at"),
        agreed,
    ],
    changes=[
        moves("reminder", "cancelled", to="scheduled"),
        sets("reminder", Reminder.goes_out_at),
    ],
    ask=[
        "bring back {reminder}",
        "have {reminder} restored",
        "get {reminder} back on my list",
        "have {reminder} running again",
        "undo the cancelling of {reminder}",
        "have {reminder} back after all",
        "reactivate {reminder}",
        "revive {reminder}",
        "retrieve {reminder} from the cancelled ones",
    ],
    asks={
        "reminder": [
            "Which of your cancelled reminders would you like back?",
            "Which reminder shall I bring back?",
        ]
    },
    outcome=outcome(
        quotes=["goes_out_at"],
        mood="neutral",
        ask_first=[
            "quote_restoring",
            'You would hear of "{reminder.title}" on {would_go_out_at}.',
        ],
        says=[
            '"{reminder.title}" is running again, and its message goes out on {goes_out_at}.',
            'I\'ve brought back "{reminder.title}"; you will hear of it on {goes_out_at}.',
            'The reminder "{reminder.title}" is on your list again, for {goes_out_at}.',
            'Nothing was lost: "{reminder.title}" reaches you on {goes_out_at}.',
            'Revived, with all its settings: "{reminder.title}" is announced on {goes_out_at}.',
        ],
    ),
)
def restore_reminder(db, reminder: Reminder) -> Reminder:
    """Bring back a cancelled reminder just as it was, with its time, lead and channel."""
    reminder.status = "scheduled"
    reminder.goes_out_at = going_out(reminder)
    return reminder


@domain.write(
    requires=[none_bundled, room_after_shift, no_bill_shifted, agreed],
    changes=[
        stays("reminders", "scheduled"),
        sets("reminders", Reminder.due_at, Reminder.goes_out_at),
    ],
    ask=[
        "shift {reminders} by {days} days",
        "move {reminders} by {days} days",
        "have {reminders} moved by {days} days",
        "push {reminders} back by {days} days",
        "have the due times of {reminders} moved by {days} days",
        "get {reminders} shifted by {days} days",
        "shift several of my reminders by {days} days",
        "shift {reminders} to later days",
        "push {reminders} back for a while",
        "postpone {reminders} by {days} days",
    ],
    asks={
        "reminders": [
            "Which of your reminders shall I shift together?",
            "Which reminders do you mean?",
        ],
        "days": ["By how many days shall I shift them?", "How many days is it?"],
    },
    outcome=outcome(
        mood="good",
        ask_first=[
            "quote_shift",
            "Each keeps its time of day; the first would be due on {first_due_at}, the last on "
            "{last_due_at}.",
        ],
        says=[
            "They're shifted by {days} days, each at its usual time of day.",
            "I've moved them all by {days} days.",
            "All of them are due {days} days away from where they were; the hours stay the same.",
            "The whole lot has moved by {days} days, lead and channel unchanged.",
            "Every one of them was postponed by {days} days without losing its hour.",
        ],
    ),
)
def shift_reminders(
    db,
    recipient: Recipient,
    reminders: Annotated[list[Reminder], Field(min_length=1, max_length=MAX_MOVED), drawn(piles)],
    days: Annotated[int, Field(ge=1, le=MAX_SHIFT), drawn(lambda: SHIFTS)],
) -> list[Reminder]:
    """Shift several scheduled reminders by a number of days, for a holiday for instance. The time
    of day stays, and quiet hours are taken into account anew.

    Args:
        days: How many days later they are due
    """
    for reminder in reminders:
        reminder.due_at += timedelta(days=days)
        reminder.goes_out_at = going_out(reminder)
    return reminders


@domain.write(
    requires=[
        channel_verified,
        channel_not_muted,
        room_for_all,
        calls_stay_urgent,
        health_not_by_email,
    ],
    changes=[
        stays("reminders", "scheduled"),
        sets("reminders", Reminder.channel),
    ],
    errors={"there_already": "All of these reminders use that channel already."},
    ask=[
        "get {reminders} through {channel} from now on",
        "have {reminders} sent to {channel}",
        "switch {reminders} over to {channel}",
        "have {reminders} come through {channel} instead",
        "move {reminders} to {channel}",
        "receive {reminders} on {channel}",
        "put {reminders} on {channel}",
        "have {reminders} sent another way",
    ],
    asks={
        "reminders": ["Which of your reminders shall change?", "Which reminders do you mean?"],
        "channel": [
            "Through which of your channels shall they come?",
            "Which channel shall they go to?",
        ],
    },
    outcome=outcome(
        mood="good",
        says=[
            "They come through {channel.address} from now on.",
            "I've put them over to {channel.address}.",
            "{channel.address} is where they reach you from now on.",
            "The channel is changed to {channel.address}; the times stay as they are.",
        ],
    ),
)
def move_to_channel(
    db,
    recipient: Recipient,
    reminders: Annotated[list[Reminder], Field(min_length=1, max_length=MAX_MOVED), drawn(piles)],
    channel: DeliveryChannel,
) -> list[Reminder]:
    """Send one or several scheduled reminders through another channel of the same person."""
    if all(reminder.channel is channel for reminder in reminders):
        raise ToolError("there_already")
    for reminder in reminders:
        reminder.channel = channel
    return reminders


@domain.write(
    requires=[none_bundled, one_digest_a_day, digest_ahead, fit_for_digest, digest_preferred],
    changes=[
        creates(Digest),
        stays("reminders", "scheduled"),
        sets("reminders", Reminder.digest, Reminder.goes_out_at),
    ],
    ask=[
        "have {reminders} bundled in a digest for {day}",
        "get {reminders} in one message on {day}",
        "bundle {reminders} into the digest of {day}",
        "have {reminders} summed up in one digest on {day}",
        "receive {reminders} together on {day}",
        "have one digest for {day} with {reminders}",
    ],
    asks={
        "reminders": ["Which of your reminders shall I bundle?", "Which reminders go together?"],
        "day": ["For which day shall the digest be?", "What day is the digest for?"],
    },
    outcome=outcome(
        quotes=["size", "day"],
        mood="good",
        says=[
            "The digest for {day} holds {size} reminders and goes out that morning.",
            "I've bundled {size} reminders in your digest for {day}.",
            "On {day} you get one message in the morning, with {size} reminders in it.",
            "One digest instead of single messages: {size} reminders come together on {day}.",
        ],
    ),
)
def bundle_reminders(
    db,
    recipient: Recipient,
    reminders: Annotated[
        list[Reminder],
        Field(min_length=1, max_length=MAX_BUNDLE),
        drawn(bundles),
    ],
    day: Annotated[date, drawn(day_of)],
) -> Digest:
    """Put several scheduled reminders of one day into a digest. It replaces their single
    notifications with one message in the morning.

    Args:
        day: The day on which all of them are due
    """
    digest = db.create(Digest, recipient=recipient, day=day, size=len(reminders))
    for reminder in reminders:
        reminder.digest = digest
        reminder.goes_out_at = going_out(reminder)
    return digest


@domain.write(
    requires=[agreed],
    changes=[
        moves("digest", "open", to="dissolved"),
        sets("digest", Digest.size),
        sets("digest.reminders", Reminder.digest, Reminder.goes_out_at),
    ],
    ask=[
        "dissolve {digest}",
        "have {digest} taken apart",
        "get the reminders of {digest} one by one again",
        "undo {digest}",
        "have {digest} split up again",
        "do without {digest}",
    ],
    asks={"digest": ["Which of your digests is it?", "The digest of which day do you mean?"]},
    outcome=outcome(
        mood="neutral",
        ask_first=[
            "quote_dissolving",
            "The number of reminders for {digest.day} that would come one by one is {singly}.",
        ],
        says=[
            "The digest for {digest.day} is dissolved, and its reminders come one by one.",
            "I've taken the digest of {digest.day} apart; each reminder has its own moment again.",
            "There is no digest on {digest.day} any more, only single messages.",
            "Your reminders for {digest.day} go out singly again.",
        ],
    ),
)
def dissolve_digest(db, digest: Digest) -> Digest:
    """Take an open digest apart. Each of its reminders goes out by itself again, at its own
    time."""
    for reminder in digest.reminders:
        reminder.digest = None
        if reminder.status in WAITING:
            reminder.goes_out_at = going_out(reminder)
    digest.status, digest.size = "dissolved", 0
    return digest


RECOMPUTED = sets("quiet_hours.recipient.reminders", Reminder.goes_out_at)


@domain.write(
    requires=[quiet_length_right, agreed],
    changes=[
        stays("quiet_hours", "active"),
        sets("quiet_hours", QuietHours.starts, QuietHours.ends, QuietHours.urgent_passes),
        RECOMPUTED,
    ],
    errors={"as_before": "These quiet hours are set like that already."},
    ask=[
        "have {quiet_hours} run from {starts} to {ends}",
        "change {quiet_hours} to {starts} until {ends}",
        "set {quiet_hours} to begin at {starts} and end at {ends}",
        "have peace from {starts} to {ends} in {quiet_hours}",
        "get {quiet_hours} changed to {starts} to {ends}",
        "have {quiet_hours} set differently",
        "stretch {quiet_hours} over {starts} to {ends}",
        "keep {quiet_hours} silent between {starts} and {ends}",
    ],
    asks={
        "quiet_hours": [
            "Which of your quiet hours: the weekday or the weekend ones?",
            "Do you mean the quiet hours of weekdays or of weekends?",
        ],
        "starts": ["At what time shall they start?", "From what time on: when do they start?"],
        "ends": ["At what time shall they end?", "Until what time: when do they end?"],
    },
    outcome=outcome(
        quotes=["starts", "ends"],
        mood="good",
        ask_first=[
            "quote_quiet_hours",
            "So far they run from {quiet_hours.starts} to {quiet_hours.ends}; the new ones would "
            "last {lasts}.",
        ],
        says=[
            "Your {quiet_hours.days} quiet hours run from {starts} to {ends} now.",
            "I've set the {quiet_hours.days} quiet hours to {starts} until {ends}.",
            "From {starts} to {ends} nothing disturbs you in the {quiet_hours.days} quiet hours.",
            "The {quiet_hours.days} quiet hours begin at {starts} and end at {ends} from now on.",
        ],
    ),
)
def set_quiet_hours(
    db,
    quiet_hours: QuietHours,
    starts: Annotated[time, drawn(lambda: STARTS)],
    ends: Annotated[time, drawn(lambda: ENDS)],
    urgent_passes: bool = False,
) -> QuietHours:
    """Change when quiet hours begin and end; paused ones are resumed first. All running reminders
    are computed anew, so some of them may go out at another moment; tell the person to look at
    those that matter.

    Args:
        starts: When they begin
        ends: When they end, on the next day if that is earlier than the beginning
        urgent_passes: Whether urgent reminders go out all the same
    """
    before = (quiet_hours.starts, quiet_hours.ends, quiet_hours.urgent_passes)
    if before == (starts, ends, urgent_passes):
        raise ToolError("as_before")
    quiet_hours.starts, quiet_hours.ends = starts, ends
    quiet_hours.urgent_passes = urgent_passes
    replan(quiet_hours.recipient)
    return quiet_hours


@domain.write(
    changes=[moves("quiet_hours", "active", to="paused"), RECOMPUTED],
    ask=[
        "pause {quiet_hours}",
        "have {quiet_hours} switched off for now",
        "do without {quiet_hours} for a while",
        "hear everything in spite of {quiet_hours}",
        "get {quiet_hours} suspended",
        "lift {quiet_hours} until further notice",
        "let notifications through during {quiet_hours}",
    ],
    asks={
        "quiet_hours": [
            "Which of your quiet hours: the weekday or the weekend ones?",
            "Do you mean the quiet hours of weekdays or of weekends?",
        ]
    },
    outcome=outcome(
        mood="neutral",
        says=[
            "Your {quiet_hours.days} quiet hours are paused, and notifications go out as planned.",
            "I've switched off the {quiet_hours.days} quiet hours for the time being.",
            "Until you resume them, the {quiet_hours.days} quiet hours hold nothing back.",
            "The {quiet_hours.days} quiet hours are off, so you hear everything at its own time.",
        ],
    ),
)
def pause_quiet_hours(db, quiet_hours: QuietHours) -> QuietHours:
    """Switch quiet hours off for the time being. Running reminders go out when they are planned."""
    quiet_hours.status = "paused"
    replan(quiet_hours.recipient)
    return quiet_hours


@domain.write(
    changes=[moves("quiet_hours", "paused", to="active"), RECOMPUTED],
    ask=[
        "resume {quiet_hours}",
        "have {quiet_hours} back",
        "switch {quiet_hours} on again",
        "get {quiet_hours} working again",
        "be left in peace again in {quiet_hours}",
        "reinstate {quiet_hours}",
        "put {quiet_hours} into force once more",
    ],
    asks={
        "quiet_hours": [
            "Which of your quiet hours: the weekday or the weekend ones?",
            "Do you mean the quiet hours of weekdays or of weekends?",
        ]
    },
    outcome=outcome(
        quotes=["starts", "ends"],
        mood="neutral",
        says=[
            "Your {quiet_hours.days} quiet hours are back, from {starts} to {ends}.",
            "I've switched the {quiet_hours.days} quiet hours on again: {starts} to {ends}.",
            "From {starts} to {ends} you have your {quiet_hours.days} peace again.",
            "The {quiet_hours.days} quiet hours hold again, beginning at {starts} and ending at "
            "{ends}.",
        ],
    ),
)
def resume_quiet_hours(db, quiet_hours: QuietHours) -> QuietHours:
    """Switch paused quiet hours on again, with the times that they had."""
    quiet_hours.status = "active"
    replan(quiet_hours.recipient)
    return quiet_hours


@domain.write(
    requires=[channel_verified],
    changes=[
        sets(
            "category_preference",
            CategoryPreference.mode,
            CategoryPreference.channel,
            CategoryPreference.lead,
        )
    ],
    errors={
        "as_before": "The preference says just that already.",
    },
    ask=[
        "have {category_preference} say {mode}, through {channel}",
        "change {category_preference} to {mode} by way of {channel}",
        "set {category_preference} to {mode} with {channel}",
        "switch {category_preference} over to {mode}, delivered via {channel}",
        "have {category_preference} changed to {mode} on {channel}, {lead} ahead",
        "get {category_preference} set to {mode} and {channel}",
    ],
    asks={
        "category_preference": [
            "For which category is the preference?",
            "Which preference do you mean, that is, for which category?",
        ],
        "mode": [
            "Which mode would you like, immediate or digest?",
            "Shall the mode be immediate or digest?",
        ],
        "channel": ["Through which of your channels?", "Which channel shall it name?"],
    },
    outcome=outcome(
        quotes=["mode"],
        mood="good",
        says=[
            "For {category_preference.category} reminders the preference is {mode} now, by way of "
            "{channel.address}.",
            "I've noted {mode} and {channel.address} for your {category_preference.category} "
            "reminders.",
            "Your {category_preference.category} preference now reads {mode}, with "
            "{channel.address} as the channel.",
            "From now on {category_preference.category} reminders are {mode} and belong to "
            "{channel.address}.",
        ],
    ),
)
def set_preference(
    db,
    category_preference: CategoryPreference,
    mode: Literal["immediate", "digest"],
    channel: DeliveryChannel,
    lead: Annotated[Minutes, Field(ge=0, le=MAX_LEAD), drawn(lambda: LEADS)] = 0,
) -> CategoryPreference:
    """Change how a person hears of one category. It counts for what is set up or bundled from now
    on; reminders that exist stay as they are.

    Args:
        mode: Whether they come at once or in a digest
        lead: How long beforehand, when nothing else is said
    """
    row = category_preference
    if (row.mode, row.channel.id, row.lead) == (mode, channel.id, lead):
        raise ToolError("as_before")
    row.mode, row.channel, row.lead = mode, channel, lead
    return row


@domain.write(
    requires=[code_matches],
    changes=[moves("channel", "pending", to="verified")],
    ask=[
        "verify {channel} with the code {code}",
        "confirm {channel}, the code being {code}",
        "get {channel} working with the code {code}",
        "enter the code {code} for {channel}",
        "use the code {code} that came to {channel}",
        "get {channel} verified",
    ],
    asks={
        "channel": ["Which of your channels is it?", "For which channel is the code?"],
        "code": ["What is the code that we sent there?", "Which code did you get?"],
    },
    outcome=outcome(
        quotes=["status"],
        mood="good",
        says=[
            "{channel.address} is {status} and can carry reminders now.",
            "The code was right: {channel.address} is {status}.",
            "I've entered the code, and {channel.address} counts as {status}.",
            "From now on {channel.address} is {status} and ready for your reminders.",
        ],
    ),
)
def verify_channel(
    db, channel: DeliveryChannel, code: Annotated[str, drawn(codes_for)]
) -> DeliveryChannel:
    """Verify a pending channel with the code that was sent to it and that the person reads out.

    Args:
        code: The digits, as they arrived
    """
    channel.status = "verified"
    return channel


@domain.write(
    requires=[nothing_urgent_there, agreed],
    changes=[stays("channel", "verified"), sets("channel", DeliveryChannel.muted)],
    errors={"is_muted": "That channel is muted already."},
    ask=[
        "mute {channel}",
        "have {channel} muted",
        "silence {channel}",
        "get {channel} to keep quiet",
        "have nothing more put on {channel} for now",
        "turn the sound of {channel} off",
        "hush {channel} for the time being",
    ],
    asks={"channel": ["Which of your channels shall I mute?", "Which channel is it?"]},
    outcome=outcome(
        mood="neutral",
        ask_first=[
            "quote_muting",
            "The number of reminders that would wait silently on {channel.address} is {waiting}.",
        ],
        says=[
            "{channel.address} is muted, and nothing new is put on it until you unmute it.",
            "I've muted {channel.address} for you.",
            "{channel.address} keeps quiet from now on; it can be unmuted any time.",
            "You won't hear anything through {channel.address} until it is unmuted.",
            "Silence on {channel.address} as of this minute; one word from you ends that.",
        ],
    ),
)
def mute_channel(db, channel: DeliveryChannel) -> DeliveryChannel:
    """Mute a channel. Reminders that use it wait silently in the app until it is unmuted or they
    are moved; tell the person so."""
    if channel.muted:
        raise ToolError("is_muted")
    channel.muted = True
    return channel


@domain.write(
    changes=[stays("channel", "verified"), sets("channel", DeliveryChannel.muted)],
    errors={"not_muted": "That channel isn't muted."},
    ask=[
        "unmute {channel}",
        "have {channel} unmuted",
        "hear from {channel} again",
        "get {channel} to make itself heard again",
        "have the sound of {channel} back",
        "turn {channel} up again",
        "lift the mute from {channel}",
    ],
    asks={"channel": ["Which of your channels shall I unmute?", "Which channel is it?"]},
    outcome=outcome(
        mood="good",
        says=[
            "{channel.address} isn't muted any more.",
            "I've unmuted {channel.address}, so you hear from it again.",
            "The mute on {channel.address} is gone.",
            "{channel.address} makes itself heard again.",
            "Sound restored: {channel.address} may ring and buzz as before.",
        ],
    ),
)
def unmute_channel(db, channel: DeliveryChannel) -> DeliveryChannel:
    """Take the mute off a channel."""
    if not channel.muted:
        raise ToolError("not_muted")
    channel.muted = False
    return channel


@domain.write(
    requires=[last_one_lost, tries_left, another_way, channel_verified, channel_not_muted, agreed],
    changes=[stays("reminder", "fired"), creates(DeliveryAttempt)],
    ask=[
        "have the message for {reminder} sent again through {channel}",
        "get {reminder} once more, this time on {channel}",
        "have {reminder} resent to {channel}",
        "receive what I missed about {reminder} on {channel}",
        "try {channel} for the lost message about {reminder}",
        "have {reminder} sent again",
    ],
    asks={
        "reminder": ["Which reminder didn't reach you?", "The message of which reminder?"],
        "channel": [
            "Through which of your channels shall it go now?",
            "Which channel shall we try?",
        ],
    },
    outcome=outcome(
        quotes=["fee"],
        mood="good",
        irreversible=True,
        ask_first=["quote_resend", "The fee for it is {fee}."],
        says=[
            'The message for "{reminder.title}" is on its way to {channel.address}; its fee is '
            "{fee}.",
            'I\'ve sent "{reminder.title}" again, to {channel.address}, for a fee of {fee}.',
            '"{reminder.title}" goes to {channel.address} once more, which costs {fee}.',
            'A new message about "{reminder.title}" has left for {channel.address}, at {fee}.',
        ],
    ),
)
def resend_notification(db, reminder: Reminder, channel: DeliveryChannel) -> DeliveryAttempt:
    """Send the message about a fired reminder again, through another channel, after it got lost.
    Text messages and calls have a fee: look it up and name it first."""
    return db.create(
        DeliveryAttempt,
        recipient=reminder.recipient,
        reminder=reminder,
        channel=channel,
        sent_at=db.now,
        fee=fee_for(channel.kind),
    )


@domain.write(
    changes=[sets("recipient", Recipient.daily_cap)],
    errors={"same_cap": "The daily cap is set to that already."},
    ask=[
        "set my daily cap to {daily_cap}",
        "have at most {daily_cap} reminders a day",
        "change my daily cap to {daily_cap}",
        "allow myself {daily_cap} reminders a day",
        "have my limit for one day at {daily_cap}",
        "change my daily cap",
        "restrict every day to {daily_cap} reminders",
        "fix {daily_cap} as my daily maximum",
    ],
    asks={
        "daily_cap": [
            "What number would you like as your daily cap?",
            "How many reminders a day: what daily cap shall I set?",
        ]
    },
    outcome=outcome(
        quotes=["daily_cap"],
        mood="good",
        says=[
            "Your daily cap is {daily_cap} now.",
            "I've set your cap for one day to {daily_cap}.",
            "From now on a day may hold {daily_cap} of your reminders.",
            "The limit for a single day stands at {daily_cap}.",
            "Recorded: {daily_cap} is the ceiling for each day.",
        ],
    ),
)
def set_daily_cap(
    db,
    recipient: Recipient,
    daily_cap: Annotated[int, Field(ge=1, le=HIGHEST_CAP), drawn(lambda: CAPS)],
) -> Recipient:
    """Change how many reminders a day may hold, by the person's own wish. Days that hold more
    already stay as they are.

    Args:
        daily_cap: How many a day may hold
    """
    if recipient.daily_cap == daily_cap:
        raise ToolError("same_cap")
    recipient.daily_cap = daily_cap
    return recipient


@domain.write(
    changes=[creates(ReminderEscalation)],
    handover=True,
    ask=[
        "speak to the Nudge team about a matter of {reason}",
        "have somebody of the Nudge team look at this, as a matter of {reason}",
        "be put in touch with a person because of {reason}",
        "take this up with the Nudge team under the heading of {reason}",
    ],
    asks={
        "reason": [
            "For what reason shall I pass it on?",
            "May I know the reason, so that the right person answers?",
        ]
    },
    outcome=outcome(
        mood="neutral",
        says=[
            "Somebody of the Nudge team will look into it and write to you.",
            "I've passed it on to the Nudge team, and one of them gets back to you.",
            "A person takes it from here; the reference is {reminder_escalation_id}.",
            "The Nudge team has it now, under {reminder_escalation_id}, and you will hear from "
            "them.",
            "This needs a person, and one of our team will be in touch with you.",
        ],
    ),
)
def ask_nudge_team(db, recipient: Recipient, reason: Reason) -> ReminderEscalation:
    """Hand the conversation over to a person of the Nudge team: as `wrong_charge` when somebody
    disputes the fee of a message, as `missed_reminder` when a reminder didn't come and harm was
    done by that, as `account_change` when a name, an address or the plan has to change, as
    `complaint` when somebody complains about Nudge, and as `other` for what none of your tools can
    do. What a rule forbids is refused with the rule and not handed over.

    Args:
        reason: What a person is needed for
    """
    return db.create(ReminderEscalation, recipient=recipient, reason=reason, at=db.now)


# What brings people here, what changes their minds, and what only a person can settle.

for text, tools in (
    ("I've got a memory like a sieve.", ["create_reminder"]),
    ("I nearly forgot something important yesterday.", ["create_reminder"]),
    ("I've just come off the phone and have to write this down.", ["create_reminder"]),
    ("My desk is covered in sticky notes, and I'm tired of them.", ["create_reminder"]),
    ("My sister says that I forget everything.", ["create_reminder"]),
    ("The week ahead is a busy one.", ["create_reminder", "shift_reminders"]),
    ("My plans for the week have changed.", ["reschedule_reminder", "shift_reminders"]),
    ("A meeting has been put off at short notice.", ["reschedule_reminder"]),
    ("I can't make it at that time after all.", ["reschedule_reminder"]),
    ("My neighbour is bringing the car back later than planned.", ["reschedule_reminder"]),
    ("The workmen are coming at another hour.", ["reschedule_reminder"]),
    ("I have no idea any more what I meant when I wrote that.", ["rename_reminder"]),
    ("The wording that I chose is too vague.", ["rename_reminder"]),
    ("There's a detail that I left out when I set this up.", ["rename_reminder"]),
    ("Things look different from what I thought last week.", ["change_priority"]),
    ("I've been sorting out what really matters to me.", ["change_priority"]),
    ("My boss has changed her mind about what comes first.", ["change_priority"]),
    ("My phone has just buzzed while I'm in the middle of something.", ["snooze_reminder"]),
    ("I'm on the bus and can't do anything about it right now.", ["snooze_reminder"]),
    ("The baby has only just fallen asleep.", ["snooze_reminder"]),
    ("I'm about to walk into a meeting.", ["snooze_reminder"]),
    ("I've just got that out of the way.", ["complete_reminder"]),
    ("That's one thing less on my list.", ["complete_reminder"]),
    ("My husband has taken care of it already.", ["complete_reminder", "cancel_reminder"]),
    ("Somebody else is looking after that from now on.", ["cancel_reminder"]),
    ("I'm clearing out what I don't need any more.", ["cancel_reminder"]),
    ("That plan has fallen through.", ["cancel_reminder"]),
    ("I gave up on something too soon.", ["restore_reminder"]),
    ("I was a bit rash when I tidied up my list.", ["restore_reminder"]),
    ("It turns out that the old plan stands after all.", ["restore_reminder"]),
    ("We're going away for a few days.", ["shift_reminders"]),
    ("I'm in bed with a cold, so nothing will get done.", ["shift_reminders"]),
    ("My train is cancelled, and I'm stuck in Leeds.", ["shift_reminders", "reschedule_reminder"]),
    ("I hardly look at my messages there these days.", ["move_to_channel"]),
    ("I've left my other phone at the office.", ["move_to_channel"]),
    ("My inbox is overflowing.", ["move_to_channel", "mute_channel"]),
    ("My phone never stops buzzing.", ["bundle_reminders", "mute_channel"]),
    ("I'd like to have my mornings in order.", ["bundle_reminders"]),
    ("So many single messages make me nervous.", ["bundle_reminders"]),
    ("I keep overlooking things in that long morning message.", ["dissolve_digest"]),
    ("One message for everything was a bad idea.", ["dissolve_digest"]),
    ("I've started on another shift at the hospital.", ["set_quiet_hours"]),
    ("I go to bed at a different time these days.", ["set_quiet_hours"]),
    ("The alarm woke the whole family last night.", ["set_quiet_hours", "resume_quiet_hours"]),
    ("I'm on call this week and have to hear everything.", ["pause_quiet_hours"]),
    ("My father is in hospital, and I want to miss nothing.", ["pause_quiet_hours"]),
    ("My week on call is over, thank goodness.", ["resume_quiet_hours"]),
    ("I haven't slept through in days.", ["resume_quiet_hours"]),
    ("I've been thinking about how I'd like to hear of things.", ["set_preference"]),
    ("Not everything has to reach me the same way.", ["set_preference"]),
    ("I've got a message from you with some digits in it.", ["verify_channel"]),
    ("I have a new number and would like to use it.", ["verify_channel"]),
    ("I'm sitting in a concert hall tonight.", ["mute_channel"]),
    ("My colleagues are giving me odd looks whenever it beeps.", ["mute_channel"]),
    ("The concert is over, and my phone may make a noise again.", ["unmute_channel"]),
    ("I had been wondering why it was so quiet here.", ["unmute_channel"]),
    ("Something that you sent never arrived here.", ["resend_notification"]),
    ("My mailbox was full, and I must have missed something.", ["resend_notification"]),
    ("I've been taking on too much lately.", ["set_daily_cap"]),
    ("My days differ a lot from what they used to be.", ["set_daily_cap"]),
    ("I'd rather explain this to a human being.", ["ask_nudge_team"]),
    ("My dentist's receptionist has just given me a date.", ["create_reminder"]),
    ("A letter from the council is lying in front of me.", ["create_reminder"]),
    ("I've promised my grandmother not to let her down again.", ["create_reminder"]),
    ("My head is full of wedding preparations.", ["create_reminder"]),
    ("Our kitchen is being renovated, and everything is upside down.", ["create_reminder"]),
    ("The plumber has asked for another appointment.", ["reschedule_reminder"]),
    ("My dance class was moved to a different evening.", ["reschedule_reminder"]),
    ("Traffic is terrible, and I'm running late for everything.", ["reschedule_reminder"]),
    ("My colleague has swapped shifts with me.", ["reschedule_reminder", "set_quiet_hours"]),
    ("My mother reads along on the tablet and didn't understand it.", ["rename_reminder"]),
    ("A typing mistake has been annoying me for days.", ["rename_reminder"]),
    ("The deadline turned out to be softer than I was told.", ["change_priority"]),
    ("The landlord has become impatient.", ["change_priority"]),
    ("I'm standing at the checkout with both hands full.", ["snooze_reminder"]),
    ("I'm up on a ladder with a paint roller in my hand.", ["snooze_reminder"]),
    ("My soup is about to boil over.", ["snooze_reminder"]),
    ("I took care of it during my lunch break.", ["complete_reminder"]),
    ("It cost me the whole morning, but it's behind me.", ["complete_reminder"]),
    ("We've hired a cleaner, so some chores are no longer mine.", ["cancel_reminder"]),
    ("The club has dissolved, I'm sorry to say.", ["cancel_reminder"]),
    ("My doctor says that it isn't necessary any longer.", ["cancel_reminder"]),
    ("My partner and I have argued about who does what, and I lost.", ["restore_reminder"]),
    ("I mixed up two lines when I was cleaning up.", ["restore_reminder"]),
    ("A snowstorm has closed the schools, so we're all at home.", ["shift_reminders"]),
    ("My exam has been postponed, and so is everything around it.", ["shift_reminders"]),
    ("I'm switching to a smartwatch bit by bit.", ["move_to_channel"]),
    ("My work account is off limits while I'm on leave.", ["move_to_channel"]),
    ("I read the news and my messages over one cup of coffee.", ["bundle_reminders"]),
    ("A friend told me how calm her phone has become.", ["bundle_reminders"]),
    ("The morning summary drowns in my inbox.", ["dissolve_digest"]),
    ("Our twins are finally sleeping until later.", ["set_quiet_hours"]),
    ("My new job starts before sunrise.", ["set_quiet_hours"]),
    ("A delivery may arrive in the middle of the night.", ["pause_quiet_hours"]),
    ("My daughter is travelling home alone tonight.", ["pause_quiet_hours"]),
    ("The neighbours knocked on the wall at midnight.", ["resume_quiet_hours"]),
    ("Some topics stress me more than others.", ["set_preference"]),
    ("The digits from your text are in front of me.", ["verify_channel"]),
    ("I'm giving a speech at a funeral tomorrow.", ["mute_channel"]),
    ("My holiday is over, sadly.", ["unmute_channel"]),
    ("There was no reception in the mountains.", ["resend_notification"]),
    ("My therapist wants me to slow down.", ["set_daily_cap"]),
    ("Retirement has emptied my diary.", ["set_daily_cap"]),
    ("The optician rang this morning.", ["create_reminder"]),
    ("Between the allotment and the grandchildren I lose track.", ["create_reminder"]),
    ("A parking ticket was stuck behind my windscreen wiper.", ["create_reminder"]),
    ("My ferry leaves a day later because of the storm.", ["reschedule_reminder"]),
    ("The babysitter has caught the flu.", ["reschedule_reminder", "shift_reminders"]),
    ("Half my notes read like riddles.", ["rename_reminder"]),
    ("Autocorrect made nonsense of what I typed.", ["rename_reminder"]),
    ("The inspector has announced a visit.", ["change_priority"]),
    ("Some worries have turned out to be harmless.", ["change_priority"]),
    ("My hands are covered in flour.", ["snooze_reminder"]),
    ("The dog is pulling at the lead, and it's pouring.", ["snooze_reminder"]),
    ("My to-do list shrinks, which feels wonderful.", ["complete_reminder"]),
    ("I stayed up until midnight and got through it.", ["complete_reminder"]),
    ("We sold the caravan, which spares me a good deal.", ["cancel_reminder"]),
    ("My subscription has run out, and I won't miss it.", ["cancel_reminder"]),
    ("The rehearsal is taking place in spite of everything.", ["restore_reminder"]),
    ("My manager changed course again on Monday.", ["restore_reminder", "change_priority"]),
    ("I'm spending a fortnight hiking in Norway.", ["shift_reminders", "mute_channel"]),
    ("The strike has thrown my whole calendar out.", ["shift_reminders"]),
    ("Roaming abroad costs me a fortune.", ["move_to_channel", "mute_channel"]),
    ("My spectacles are broken, so I can hardly read small print.", ["move_to_channel"]),
    ("Beep after beep while I'm gardening: it drives me mad.", ["bundle_reminders"]),
    ("Breakfast is the only quiet moment I have for planning.", ["bundle_reminders"]),
    ("My mornings are hectic, and that long list frightens me.", ["dissolve_digest"]),
    ("The puppy gets us up at dawn.", ["set_quiet_hours"]),
    ("Night duty begins for me this week.", ["set_quiet_hours", "pause_quiet_hours"]),
    ("My sister's baby could come any minute.", ["pause_quiet_hours"]),
    ("Little Emil was born yesterday, healthy and loud.", ["resume_quiet_hours"]),
    ("A colleague showed me how she sorts her messages.", ["set_preference"]),
    ("An unfamiliar text with figures popped up.", ["verify_channel"]),
    ("I'm chairing a hearing in court all afternoon.", ["mute_channel"]),
    ("The exam hall is behind me.", ["unmute_channel"]),
    ("Our village had a power cut.", ["resend_notification"]),
    ("My battery was flat all weekend.", ["resend_notification"]),
    ("My cousin from Dublin is visiting unexpectedly.", ["reschedule_reminder", "shift_reminders"]),
    ("Choir practice swallowed the whole evening.", ["reschedule_reminder"]),
    ("The mechanic found rust under the bonnet.", ["reschedule_reminder", "create_reminder"]),
    ("Our solicitor wants signatures before Friday.", ["create_reminder", "change_priority"]),
    ("Grandpa dictated this while I typed.", ["rename_reminder"]),
    ("My spelling embarrasses me whenever somebody glances over.", ["rename_reminder"]),
    ("The charity bazaar was abandoned for lack of volunteers.", ["cancel_reminder"]),
    ("Since moving into the bungalow I have fewer duties.", ["cancel_reminder"]),
    ("Three chores down before breakfast!", ["complete_reminder"]),
    ("My knee surgery was confirmed for spring.", ["shift_reminders", "pause_quiet_hours"]),
    ("The orchestra tours Portugal without me, alas.", ["restore_reminder"]),
    ("Jet lag keeps me awake at absurd hours.", ["set_quiet_hours"]),
    ("A burglar alarm nearby has made everybody anxious.", ["pause_quiet_hours"]),
    ("Exhausted doesn't begin to describe how I feel.", ["resume_quiet_hours", "set_quiet_hours"]),
    ("The librarian glared at me just now.", ["mute_channel"]),
    ("Meditation class ended a moment ago.", ["unmute_channel"]),
    ("Ambition got the better of me last month.", ["set_daily_cap"]),
    ("My tablet fell into the bathtub.", ["move_to_channel"]),
    ("Spring has given me new energy.", ["set_daily_cap"]),
):
    domain.situation(text, leads_to=tools)

for text, tools in (
    ("Come to think of it, I'd better keep an eye on that.", ["cancel_reminder"]),
    ("My wife thinks that we'll need it after all.", ["cancel_reminder", "complete_reminder"]),
    ("I've just put it on the calendar in the kitchen.", ["create_reminder"]),
    ("My son has promised to see to it.", ["create_reminder", "reschedule_reminder"]),
    ("The old time suits me better, now that I look at my diary.", ["reschedule_reminder"]),
    ("Our trip has just been called off.", ["shift_reminders"]),
    ("I'd rather not have everything on one pile.", ["shift_reminders", "bundle_reminders"]),
    ("I'd miss the single messages, I think.", ["bundle_reminders"]),
    ("One message in the morning isn't so bad, really.", ["dissolve_digest"]),
    ("I'd like to ask at home first when everybody goes to bed.", ["set_quiet_hours"]),
    ("My shifts may change again next week.", ["set_quiet_hours"]),
    ("I've just found it in another folder.", ["resend_notification"]),
    ("It isn't worth paying for, come to think of it.", ["resend_notification"]),
    ("My colleague is taking my place on call tonight.", ["pause_quiet_hours"]),
    ("My hospital shift was swapped, so I can sleep tonight.", ["pause_quiet_hours"]),
    ("The parcel has just arrived, so there's nothing to stay awake for.", ["pause_quiet_hours"]),
    ("My son has only just told me that he's landing at three.", ["resume_quiet_hours"]),
    ("I forgot that I'm on call until tomorrow.", ["resume_quiet_hours"]),
    ("A glance at my diary shows that I'd be away then.", ["restore_reminder", "create_reminder"]),
    ("My flatmate says she did it this afternoon.", ["restore_reminder", "snooze_reminder"]),
    ("I've just read that the office is shut that week.", ["reschedule_reminder"]),
    ("My husband has raised his eyebrows at that.", ["cancel_reminder", "bundle_reminders"]),
    ("Oh, I was looking at the wrong line.", ["cancel_reminder", "complete_reminder"]),
):
    domain.second_thought(text, about=tools)

domain.concern(
    "wrong_charge",
    [
        'You charged me {fee} for the message about "{reminder.title}", and it never came.',
        'I don\'t accept the {fee} for "{reminder.title}", because nothing arrived.',
        'Why am I to pay {fee} for a message about "{reminder.title}" that got lost?',
        'The {fee} for "{reminder.title}" is unfair: you lost that message yourselves.',
    ],
    about=DeliveryAttempt,
    where={"status": "failed", "fee": 8},
    noted='that you dispute the {fee} for the message about "{reminder.title}"',
)
domain.concern(
    "missed_reminder",
    [
        "You didn't remind me, and I missed my train because of that.",
        "Your message came two hours late last week, and I lost my place at the clinic.",
        "I had to pay a late fee because your reminder never showed up.",
        "I stood before a closed office on account of a reminder that came a day late.",
        "My son waited at school for an hour, because nothing rang here.",
    ],
    noted="what happened and what it cost you, and I'm sorry for it",
)
domain.concern(
    "account_change",
    [
        "I'd like to change to the other plan, please.",
        "My surname is a different one since the wedding.",
        "I've got a new e-mail address, and my account still has the old one.",
        "I want my account closed at the end of the month.",
        "Somebody misspelt my name when the account was opened.",
    ],
    noted="that your account needs a change, for which you'll be asked for the details",
)
domain.concern(
    "complaint",
    [
        "Your app drains my battery, and I want to complain about that.",
        "I've written to your team three times, and nobody has answered.",
        "The new design is so pale that my mother can't read it, and I'm annoyed.",
        "I find it cheeky how often you advertise the bigger plan to me.",
        "Your jingle is dreadful, and it can't be changed: consider this a complaint.",
    ],
    noted="your complaint, as you put it",
)
domain.concern(
    "other",
    [
        "I'd like to translate your app into Welsh and wonder whom to talk to.",
        "Could my whole choir share one list of reminders?",
        "I write for a magazine and would love to interview the makers of Nudge.",
        "Do you offer something for schools, with a teacher's account?",
        "I'd like to hear my reminders read out by my smart speaker.",
    ],
    noted="what you have in mind, in your own words",
)


# Seed data.

QUIET = (
    (time(22, 0), time(7, 0), "active"),
    (time(21, 30), time(6, 30), "active"),
    (time(23, 0), time(7, 30), "paused"),
    (time(22, 30), time(6, 0), "active"),
    (time(20, 30), time(7, 30), "active"),
)
LATE = (time(23, 0), time(9, 0))
# Days ahead, time of day, lead, priority, repeat, in the digest of that day.
AHEAD_PLAN = (
    (1, (12, 0), 60, "normal", "none", True),
    (1, (15, 30), 30, "low", "none", True),
    (3, (6, 45), 30, "normal", "none", False),
    (3, (10, 30), 60, "urgent", "none", False),
    (3, (13, 15), 0, "low", "none", False),
    (2, (6, 15), 30, "normal", "daily", False),
    (5, (9, 45), 1440, "normal", "monthly", False),
    (6, (22, 45), 15, "normal", "none", False),
)
# Hour of yesterday when it was due, snoozes, priority, repeat, status, fate of its messages.
FIRED_PLAN = (
    (18, 3, "normal", "none", "fired", ("delivered",)),
    (16, 1, "urgent", "none", "fired", ("failed",)),
    (12, 2, "normal", "daily", "fired", ("bounced", "failed")),
    (19, 1, "low", "none", "snoozed", ("delivered",)),
    (15, 0, "normal", "weekly", "fired", ("failed", "bounced", "failed")),
    (17, 4, "low", "none", "fired", ("sent",)),
    (20, 2, "normal", "none", "snoozed", ("delivered",)),
    (14, 1, "normal", "none", "fired", ("delivered",)),
)
# Days from today, status.
ENDED_PLAN = ((-3, "done"), (3, "cancelled"), (-9, "done"), (-2, "cancelled"), (7, "cancelled"))
SPARE_CHANNELS = (
    ("sms", "verified", False),
    ("call", "verified", False),
    ("sms", "pending", False),
    ("email", "disabled", False),
    ("sms", "verified", True),
    ("call", "pending", False),
)
PREFERRED = ("health", "bills", "work", "family", "home")
PRESSING = ("bills", "health")
SNOOZED_FOR, SOON, FURTHER = 45, (5, 7), (2, 4)


def add_channels(w: Seeder, n: int, recipient: Recipient, person) -> list[DeliveryChannel]:
    """An e-mail address and an app that work, and two channels in various states."""
    first = person.name.split()[0].lower()
    devices = ("phone", "tablet", "watch")
    rows = [
        {"kind": "email", "address": person.email, "status": "verified"},
        {
            "kind": "push",
            "address": f"{person.name.split()[0]}'s {devices[n % len(devices)]}",
            "status": "verified",
            "muted": n % 7 == 3,
        },
    ]
    for k in (0, 1)[: 1 + n % 2]:
        kind, status, muted = SPARE_CHANNELS[(n + k * 2 + k * n) % len(SPARE_CHANNELS)]
        address = person.phone
        if kind == "email":
            address = f"{first}.{w.rng.randint(10, 99)}@oldmail.example"
        elif k or kind == "call":
            address = f"{person.phone[:-2]}{w.rng.randint(10, 99)}"
        rows.append({"kind": kind, "address": address, "status": status, "muted": muted})
    return [
        w.add(
            DeliveryChannel,
            recipient=recipient,
            sent_code=f"{w.rng.randrange(100000, 999999)}",
            **values,
        )
        for values in rows
    ]


def roomy(channels: list[DeliveryChannel], n: int, day: date, priority: str) -> DeliveryChannel:
    """One of the channels that work and have room on a day, now this one, now that."""
    good = [
        channel
        for channel in channels
        if channel.status == "verified"
        and on_channel(channel, day) < PER_DAY[channel.kind]
        and (channel.kind != "call" or priority == "urgent")
    ]
    return good[n % len(good)]


def add_reminder(w: Seeder, recipient: Recipient, channel, title: str, **values) -> Reminder:
    category = TITLES[title]
    if category == "bills":
        values["amount"] = w.rng.randrange(1900, 24000, 50)
    planned = planned_at(values["due_at"], values.get("lead", 0))
    at = effective(recipient, planned, values["due_at"], values.get("priority", "normal"))
    return w.add(
        Reminder,
        recipient=recipient,
        channel=channel,
        title=title,
        category=category,
        goes_out_at=values.pop("goes_out_at", at),
        **values,
    )


def first_of(titles: list[str], category: str) -> str:
    """Take the first title of a category out of a list."""
    title = next(title for title in titles if TITLES[title] == category)
    titles.remove(title)
    return title


def add_fired(w: Seeder, n: int, recipient: Recipient, channels, titles: list[str]) -> None:
    """Reminders that rang lately, with their messages and snoozes."""
    for k in (0, 1):
        hour, snoozes, priority, repeat, status, sent = FIRED_PLAN[
            (2 * n + k + n // len(FIRED_PLAN)) % len(FIRED_PLAN)
        ]
        due_at = datetime.combine(w.day(-1, -1), time(hour, 15 * k))
        title = titles.pop() if k else first_of(titles, PRESSING[n % 2])
        channel = roomy(channels, n + k, due_at.date(), priority)
        until = w.now + timedelta(minutes=SNOOZED_FOR + 30 * k) if status == "snoozed" else None
        reminder = add_reminder(
            w,
            recipient,
            channel,
            title,
            due_at=due_at,
            priority=priority,
            repeat=repeat,
            status=status,
            times_snoozed=snoozes,
            snoozed_until=until,
            goes_out_at=due_at,
        )
        if until is not None:
            reminder.goes_out_at = going_out(reminder)
        for number in range(1, snoozes + 1):
            end = due_at + timedelta(minutes=15 * number)
            w.add(Snooze, recipient=recipient, reminder=reminder, number=number, until=end)
        for number, became in enumerate(sent):
            other = channel if not number else channels[(n + number) % len(channels)]
            w.add(
                DeliveryAttempt,
                recipient=recipient,
                reminder=reminder,
                channel=other,
                sent_at=due_at + timedelta(minutes=10 * number),
                fee=fee_for(other.kind),
                status=became,
            )


def add_ahead(w: Seeder, n: int, recipient: Recipient, channels, titles: list[str]) -> None:
    """Scheduled reminders, up to the limit of the plan or just below it."""
    wanted = MAX_LIVE[recipient.plan] - len(live(recipient)) - (1, 0, 1, 2)[n % 4]
    digest = None
    for k in range(wanted):
        days, (hour, minute), lead, priority, repeat, bundled = AHEAD_PLAN[k % len(AHEAD_PLAN)]
        if n % 6 == 1 and k in FURTHER:  # more on the day of the digest
            days = 1
        if n % 4 == 2 and k == FURTHER[0]:
            priority = "urgent"
        day = w.day(days, days)
        due_at = datetime.combine(day, time(hour, minute))
        if bundled and n % 3 == 2:  # later today
            due_at = (w.now + timedelta(hours=SOON[k])).replace(minute=minute)
            day = due_at.date()
        if priority == "urgent" and len(urgent_ones(recipient)) >= MAX_URGENT:
            priority = "normal"
        reminder = add_reminder(
            w,
            recipient,
            roomy(channels, n, day, priority),
            titles.pop(),
            due_at=due_at,
            lead=lead,
            priority=priority,
            repeat=repeat,
            about=ABOUT[n % len(ABOUT)] if k == n % 4 else None,
        )
        if bundled and n % 3 == 1 and wanted >= SMALLEST_BUNDLE:
            if digest is None:
                digest = w.add(Digest, recipient=recipient, day=day, size=SMALLEST_BUNDLE)
            reminder.digest = digest
            reminder.goes_out_at = going_out(reminder)


def add_ended(w: Seeder, n: int, recipient: Recipient, channels, titles: list[str]) -> None:
    """Reminders of the past, and cancelled ones that could come back."""
    for k in (0, 1):
        days, status = ENDED_PLAN[(n + k) % len(ENDED_PLAN)]
        hour = (16, 19)[k]
        due_at = datetime.combine(w.day(days, days), time(hour, 30))
        priority = "urgent" if k == 1 and n % 2 == 0 else "normal"
        reminder = add_reminder(
            w,
            recipient,
            channels[0] if n % 2 else channels[1],
            titles.pop(),
            due_at=due_at,
            goes_out_at=due_at - timedelta(minutes=15 * k),
            lead=30,
            priority=priority,
            status=status,
        )
        if status == "done":
            costly = [c for c in channels if c.status == "verified" and fee_for(c.kind)]
            channel = (costly or [reminder.channel])[0]
            w.add(
                DeliveryAttempt,
                recipient=recipient,
                reminder=reminder,
                channel=channel,
                sent_at=reminder.goes_out_at,
                fee=fee_for(channel.kind),
                status="delivered",
            )


@domain.seed
def seed(w: Seeder) -> None:
    for n, person in enumerate(w.people(w.scaled(24))):
        recipient = w.add(
            Recipient,
            name=person.name,
            email=person.email,
            plan="plus" if n % 3 else "basic",
            daily_cap=2 + n % 3,
        )
        channels = add_channels(w, n, recipient, person)
        starts, ends, status = QUIET[n % len(QUIET)]
        for days, hours, state in (
            ("weekday", (starts, ends), status),
            ("weekend", LATE, "paused" if n % 6 == 5 else "active"),
        ):
            w.add(
                QuietHours,
                recipient=recipient,
                days=days,
                starts=hours[0],
                ends=hours[1],
                urgent_passes=n % 2 == 0,
                status=state,
            )
        titles = [*TITLES]
        w.rng.shuffle(titles)
        add_fired(w, n, recipient, channels, titles)
        add_ahead(w, n, recipient, channels, titles)
        add_ended(w, n, recipient, channels, titles)
        for k in (0, 1):
            w.add(
                CategoryPreference,
                recipient=recipient,
                channel=channels[k % 2],
                category=PREFERRED[(n + k) % len(PREFERRED)],
                mode="digest" if (n + k) % 2 else "immediate",
                lead=LEADS[(n + k) % len(LEADS)],
            )
        if n % 6 == 0:
            w.add(Digest, recipient=recipient, day=w.day(-2, -2), size=0, status="sent")
        if n % 8 == 0:
            w.add(Digest, recipient=recipient, day=w.day(1, 1), size=0, status="dissolved")
    for n in range(w.scaled(3)):
        reason = ("missed_reminder", "account_change", "complaint")[n % 3]
        people = w.db.all(Recipient)
        w.add(ReminderEscalation, recipient=w.pick(people), reason=reason, at=w.moment(-20, -1))
