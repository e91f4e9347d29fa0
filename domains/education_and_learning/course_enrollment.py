"""Course enrolment: the registrar's desk of a small college in its add and drop period."""

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
    "course_enrollment",
    version=1,
    category="Education and Learning",
    today=datetime(2026, 3, 16, 10, 0),
    role="registrar's desk agent of Tidewater College",
    access="staff",
    without_tool="other",
    intro="""
Tidewater is a small college: a class has a handful of seats, a timetable is built in a few weeks,
and most questions that reach the registrar's desk in these weeks are about getting into a class,
out of one, or from one into another. Students write or call. You look into the register for them
and change it with your tools, one student at a time.

A course is what stands in the catalogue; a section is one class of it, with a teacher, a room,
hours and a first day of its own. Every deadline is counted from the first day of that section, not
from a date of the college: of two classes that a student takes, one may still be dropped while the
other may not. Count in whole days, and look the first day up before you speak of a deadline.

Tuition is charged for each place separately, and what is credited after a drop depends on the day.
When something stands in the way, name it with its figure. If there is a step that clears the way,
say which, and check beforehand that it would be enough: nobody should pay a bill or give up a class
for a seat that another rule keeps from them.
""",
    dialect=Dialect(
        keys="camel",
        envelope="data",
        paging="page",
        money="cents",
        dates="us",
        duration="iso8601",
        errors={
            "not_found": "The register holds no {entity} under {id}.",
            "wrong_state": "This {entity} is {state}; the register asks for {wanted} here.",
            "invalid": "The register could not make sense of the request: {detail}.",
        },
        verbs={
            "get": "retrieve_{entity}",
            "find": "{entity}_with_{column}",
            "search": "catalogue_search",
            "list": "{entities}_under_{owner}",
        },
    ),
)

PER_CREDIT, LAB_FEE = 21500, 9000
PERCENT, AUDIT_PERCENT = 100, 50
CREDIT_LIMIT = {"good": 16, "probation": 12}
OVERLOAD_CREDITS, OVERLOAD_AVERAGE = 4, 3.3
MIN_CREDITS, DEGREE_CREDITS = 6, 120
ADD_DAYS, DROP_DAYS, WITHDRAW_DAYS = 10, 21, 56
EARLY_DAYS, MIDDLE_DAYS = 7, 14
REFUND = {"before": 100, "early": 80, "middle": 50, "late": 20, "none": 0}
OFFER_DAYS, DUE_DAYS, DEFER_DAYS = 3, 21, 30
MAX_WAITLISTS, MAX_PASS_FAIL = 3, 2
FEES_BLOCK, MIN_PART, MIN_DEFER = 40000, 5000, 30000
UPPER_LEVEL, UPPER_YEAR = 300, 2
RETAKE_POINTS = 2
SEATS_PAGE = 6
DECIMALS = 2
GRADE_POINTS = {"A": 4, "B": 3, "C": 2, "D": 1, "F": 0}
# What a grade is worth where a course asks for a minimum: a pass stands for a C.
WORTH = GRADE_POINTS | {"P": 2, "NP": 0}
WEEK = {
    "Mondays and Wednesdays": (0, 2),
    "Tuesdays and Thursdays": (1, 3),
    "Wednesdays and Fridays": (2, 4),
    "Fridays": (4,),
    "Saturdays": (5,),
}

# Words by which a refusal is recognised, where several rules share them.
FULL = [
    "limit",
    "maximum",
    "at most",
    "no more than",
    "more than",
    "too many",
    "as many",
    "exceed",
    "over the",
    "above",
    "beyond",
    "allowed",
    "allowance",
    "ceiling",
    "cap",
    "go past",
    "used up",
]
LATE = [
    "deadline",
    "too late",
    "over",
    "closed",
    "ended",
    "passed",
    "past",
    "until",
    "expired",
    "no longer",
    "gone",
    "last day",
    "ran out",
]
ALREADY = [
    "already",
    "twice",
    "second",
    "again",
    "another",
    "one of",
    "same",
    "existing",
    "before",
    "once",
    "you have",
    "in place",
]
QUEUE = ["waitlist", "waiting list", "queue", "in line", "wait list", "waiting"]


class Student(
    domain.Entity,
    key=counted("{:07d}", 4102250, 37),
    identity=True,
    label="{self.name}",
):
    """A person who studies at the college; the number is printed on the student card."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    programme: Mapped[
        Literal["biology", "computing", "economics", "english", "history", "mathematics"]
    ] = column(
        asks=["which programme I'm registered for", "what subject you have me down for"],
        told=["your programme is {value}", "you are registered for {value}"],
    )
    year: Mapped[int] = column(
        ge=1,
        le=4,
        says="year of study",
        asks=["which year of study I'm in on paper", "in what year you have me down"],
        told=["you are in year {value}", "the register has you in year {value}"],
    )
    standing: Mapped[Literal["good", "probation"]] = column(
        says="academic standing",
        asks=["what my academic standing is", "how my standing is recorded"],
        told=["your academic standing is {value}", "your standing is recorded as {value}"],
    )
    earlier_credits: Mapped[int] = column(
        0,
        ge=0,
        says="credits brought along",
        doc="Credits from before the present records, or from another college",
        asks=[
            "how many credits I've brought along from earlier",
            "how many earlier credits count for me",
        ],
        told=["{value} earlier credits count for you", "you brought {value} credits along"],
    )
    overload: Mapped[bool] = column(
        False,
        says="credit overload",
        doc="Whether more credits than usual were granted for the term",
    )
    advised_on: Mapped[date | None] = column(
        None,
        says="day of the last advising talk",
        asks=["when my last advising talk was", "on what day I last saw my adviser"],
        told=[
            "your last advising talk was on {value}",
            "the last talk with your adviser is entered for {value}",
        ],
    )


class Course(
    domain.Entity,
    key=natural("code"),
    label="{self.title}",
    called=["{title}", "{code}", "{code}, {title}", "the course {title}"],
):
    """A course of the catalogue."""

    code: Mapped[str]
    title: Mapped[str]
    department: Mapped[
        Literal["biology", "computing", "economics", "english", "history", "mathematics"]
    ]
    level: Mapped[int] = column(ge=100, asks=["what level {it} is"], told=["{it} is level {value}"])
    credits: Mapped[int] = column(
        ge=1,
        asks=["how many credits {it} is worth", "what {it} counts in credits"],
        told=["{it} is worth {value} credits", "{it} counts for {value} credits"],
    )
    tuition: Mapped[Money] = column(
        ge=0,
        asks=["what {it} costs", "how much tuition there is on {it}"],
        told=["the tuition for {it} is {value}", "{it} costs {value}"],
    )


class Prerequisite(
    domain.Entity,
    key="PR-{:03d}",
    label="the need of {self.needed.title} for {self.course.title}",
    shows={"needed_title": "needed.title"},
):
    """A course that has to be passed, with a minimum grade, before another one is taken."""

    course: Mapped[Course] = ref()
    needed: Mapped[Course] = ref(back="opens")
    minimum: Mapped[Literal["A", "B", "C", "D"]] = column(says="minimum grade")


class CourseSection(
    domain.Entity,
    key=counted("{:05d}", 30117, 2),
    label="{self.course.title} with {self.teacher}",
    shows={"title": "course.title", "credits": "course.credits"},
    called=[
        "{course.title} with {teacher}",
        "{teacher}'s class in {course.title}",
        "{course.title} on {weekdays}",
        "the {course.title} class that {teacher} gives",
        "the section of {course.title} on {weekdays}",
        "{teacher}'s section of {course.title}",
    ],
    superlatives={
        "starts_on": ("that begins first", "that begins last"),
        "starts_at": ("that's earliest in the day", "that's latest in the day"),
    },
):
    """One class of a course, with a teacher, hours and a number of seats."""

    course: Mapped[Course] = ref(back="sections")
    term: Mapped[str]
    pace: Mapped[Literal["late_start", "regular", "early_start", "half_term", "year_long"]]
    teacher: Mapped[str] = column(
        asks=["who teaches {it}"], told=["{it} is taught by {value}", "the teacher is {value}"]
    )
    weekdays: Mapped[
        Literal[
            "Mondays and Wednesdays",
            "Tuesdays and Thursdays",
            "Wednesdays and Fridays",
            "Fridays",
            "Saturdays",
        ]
    ] = column(
        asks=["on which days {it} meets", "what weekdays {it} is on"],
        told=["{it} meets on {value}", "the class meets on {value}"],
    )
    starts_at: Mapped[time] = column(
        says="hour at which it begins",
        asks=["at what hour {it} begins", "what time {it} starts"],
        told=["{it} begins at {value}", "the class starts at {value}"],
    )
    minutes: Mapped[Minutes] = column(
        ge=1,
        says="length",
        asks=["how long a meeting of {it} lasts"],
        told=["a meeting of {it} lasts {value}"],
    )
    room: Mapped[str] = column(
        asks=["in which room {it} is held", "where {it} takes place"],
        told=["{it} is held in {value}", "the room is {value}"],
    )
    capacity: Mapped[int] = column(
        ge=1,
        says="number of seats",
        asks=["how many seats {it} has"],
        told=["{it} has {value} seats", "there are {value} seats in {it}"],
    )
    starts_on: Mapped[date] = column(
        says="first day",
        asks=["when {it} begins", "what the first day of {it} is"],
        told=["the first day of {it} is {value}", "{it} begins on {value}"],
    )
    ends_on: Mapped[date] = column(
        says="last day of teaching",
        asks=["until when {it} runs", "when {it} is over"],
        told=["{it} runs until {value}", "the last day of {it} is {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"open": ["full"], "full": ["open"], "closed": [], "cancelled": []},
        outside={"open": ["closed", "cancelled"], "full": ["closed", "cancelled"]},
        asks=["whether there is room in {it}", "how {it} stands"],
        told=["{it} is {value}", "the register has {it} as {value}"],
    )


class Enrollment(
    domain.Entity,
    key="EN-{:05d}",
    label="the place in {self.section.course.title}",
    shows={
        "title": "section.course.title",
        "credits": "section.course.credits",
        "teacher": "section.teacher",
        "starts_on": "section.starts_on",
    },
    called=[
        "my place in {section.course.title}",
        "my {section.course.title} class",
        "{section.course.title}, which I have with {section.teacher}",
        "my seat in {section.course.title}",
        "the {section.weekdays} class in {section.course.title} that I'm in",
        "my class with {section.teacher}",
        "the place I have in {section.course.title}",
    ],
    superlatives={"enrolled_on": ("that I signed up for first", "that I signed up for last")},
):
    """A student's place in a section. A place that was withdrawn stays taken; a dropped one is
    free again."""

    student: Mapped[Student] = ref(owner=True)
    section: Mapped[CourseSection] = ref()
    basis: Mapped[Literal["graded", "pass_fail", "audit"]] = column(
        "graded",
        says="grading basis",
        asks=["on what basis {it} is graded", "how you have the grading of {it} down"],
        told=["the basis of {it} is {value}", "{it} is entered as {value}"],
    )
    enrolled_on: Mapped[date] = column(
        says="day of enrolment",
        asks=["when I signed up for {it}", "on what day {it} was entered"],
        told=["{it} was entered on {value}", "you signed up for {it} on {value}"],
    )
    ended_on: Mapped[date | None] = column(
        None,
        says="day it ended",
        asks=["when {it} ended", "on what day I gave up {it}"],
        told=["{it} ended on {value}", "{value} is the day on which {it} ended"],
    )
    grade: Mapped[Literal["A", "B", "C", "D", "F", "P", "NP"] | None] = column(
        None,
        asks=["what grade I got for {it}", "how {it} was graded in the end"],
        told=["the grade for {it} is {value}", "{it} was graded {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"enrolled": ["dropped", "withdrawn"]},
        outside={"enrolled": ["completed"]},
        asks=["how {it} stands in the register", "what has become of {it}"],
        told=["{it} is down as {value}", "the register shows {it} as {value}"],
    )


class WaitlistEntry(
    domain.Entity,
    key="WL-{:05d}",
    plural="waitlist_entries",
    label="the waitlist place for {self.section.course.title}",
    shows={"title": "section.course.title", "teacher": "section.teacher"},
    called=[
        "my place on the waitlist for {section.course.title}",
        "my waitlist place for {section.course.title} with {section.teacher}",
        "the waitlist place I have for {section.teacher}'s {section.course.title}",
        "my spot in the queue for {section.course.title}",
        "the place I'm waiting for in {section.course.title}",
    ],
    superlatives={"joined_on": ("that I've had the longest", "that I joined last")},
):
    """A student's place in the queue for a full section; queues are served in the order of their
    numbers."""

    student: Mapped[Student] = ref(owner=True)
    section: Mapped[CourseSection] = ref(back="waitlist")
    joined_on: Mapped[date] = column(
        says="day of joining",
        asks=["since when I've had {it}", "when I got {it}"],
        told=["{it} dates from {value}", "you have had {it} since {value}"],
    )
    offered_until: Mapped[date | None] = column(
        None,
        says="last day of the offer",
        asks=["until when the seat is offered on {it}", "how long the offer on {it} stands"],
        told=["the offer on {it} stands until {value}", "you have until {value} for {it}"],
    )
    status: Mapped[str] = lifecycle(
        {"waiting": ["offered", "left"], "offered": ["accepted", "left"]},
        outside={"offered": ["expired"]},
        asks=["how {it} stands", "whether a seat has come up on {it}"],
        told=["{it} is {value}", "we have {it} as {value}"],
    )


class TermHold(
    domain.Entity,
    key="TH-{:04d}",
    label="the {self.kind} hold",
    called=["the {kind} hold", "my {kind} hold", "the hold of {placed_on}"],
):
    """A block on a student's registration. A records hold stands while a document is missing."""

    student: Mapped[Student] = ref(owner=True)
    kind: Mapped[Literal["advising", "fees", "records"]]
    placed_on: Mapped[date] = column(
        says="day it was placed",
        asks=["when {it} was placed", "since when I've had {it}"],
        told=["{it} was placed on {value}", "{it} has been there since {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"active": ["lifted"]},
        outside={"lifted": ["active"]},
        asks=["whether {it} is still there", "how {it} stands"],
        told=["{it} is {value}", "the register shows {it} as {value}"],
    )


class TuitionCharge(
    domain.Entity,
    key=counted("T{:06d}", 710204, 3),
    label="the tuition for {self.enrollment.section.course.title}",
    shows={"title": "enrollment.section.course.title"},
    called=[
        "the tuition for {enrollment.section.course.title}",
        "my tuition for {enrollment.section.course.title}",
        "the bill for {enrollment.section.course.title}",
        "what I was charged for {enrollment.section.course.title}",
        "the charge for {enrollment.section.course.title}",
    ],
    superlatives={
        "amount": ("that's smallest", "that's biggest"),
        "due_on": ("that falls due first", "that falls due last"),
    },
):
    """The tuition of one enrolment. What is left is the amount without credits, less what was paid
    and not refunded."""

    student: Mapped[Student] = ref(owner=True)
    enrollment: Mapped[Enrollment] = ref(back="charges")
    course: Mapped[Course] = ref()
    amount: Mapped[Money] = column(
        ge=0,
        asks=["how much {it} came to", "what {it} was made out for"],
        told=["{it} came to {value}", "{it} was made out for {value}"],
    )
    credited: Mapped[Money] = column(
        0,
        ge=0,
        says="amount credited",
        asks=["how much of {it} was credited", "what was taken off {it}"],
        told=["{value} of {it} was credited", "{value} was taken off {it}"],
    )
    paid: Mapped[Money] = column(
        0,
        ge=0,
        says="amount paid",
        asks=["how much I've put towards {it}", "what I've paid on {it} so far"],
        told=["you have paid {value} towards {it}", "{value} has come in for {it}"],
    )
    refunded: Mapped[Money] = column(
        0,
        ge=0,
        says="amount refunded",
        asks=["how much of {it} was paid back to me", "what I got back on {it}"],
        told=["{value} of {it} was paid back to you", "you got {value} back on {it}"],
    )
    due_on: Mapped[date] = column(
        says="due date",
        asks=["when {it} is due", "by when {it} has to be paid"],
        told=["{it} is due on {value}", "the due date of {it} is {value}"],
    )
    deferred: Mapped[bool] = column(False, says="deferral", doc="Whether it was deferred before")
    status: Mapped[str] = lifecycle(
        {"open": ["settled"]},
        asks=["whether {it} is settled", "how {it} stands"],
        told=["{it} is {value}", "the account shows {it} as {value}"],
    )


class OverrideRequest(
    domain.Entity,
    key="OR-{:04d}",
    label="the {self.kind} permission for {self.section.course.title}",
    shows={"title": "section.course.title", "teacher": "section.teacher"},
    called=[
        "my request about {section.course.title}",
        "the permission I asked for in {section.course.title}",
        "my request about {section.teacher}'s {section.course.title}",
        "the request of {requested_on} about {section.course.title}",
    ],
):
    """A request for permission to take a section although a rule is against it. The desk takes it
    down, and the department decides."""

    student: Mapped[Student] = ref(owner=True)
    section: Mapped[CourseSection] = ref()
    kind: Mapped[Literal["prerequisite", "time_clash"]]
    requested_on: Mapped[date] = column(
        says="day of the request",
        asks=["when I handed in {it}", "on what day {it} was taken down"],
        told=["{it} was taken down on {value}", "{it} dates from {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"requested": ["cancelled"], "granted": [], "refused": [], "cancelled": []},
        outside={"requested": ["granted", "refused"]},
        asks=["how {it} stands", "what has been decided about {it}"],
        told=["{it} is {value}", "the register has {it} as {value}"],
    )


class RegistrarEscalation(
    domain.Entity,
    key="RE-{:04d}",
    label="the case before the registrar",
):
    """A conversation that the registrar continues in person."""

    student: Mapped[Student] = ref(owner=True)
    reason: Mapped[
        Literal["grade_dispute", "missing_record", "personal_details", "complaint", "other"]
    ]
    at: Mapped[datetime] = column(volatile=True, says="time of the hand-over")


# What is computed. Each has an example worked out by hand.


@domain.helper
def tuition_for(credits: int, lab: bool, audited: bool) -> Money:
    """Tuition is {PER_CREDIT:money} for each credit, with a laboratory fee of {LAB_FEE:money} on
    top in biology and computing; somebody who only audits pays {AUDIT_PERCENT} percent of the
    whole.

    >>> tuition_for(3, False, False), tuition_for(4, True, False), tuition_for(4, True, True)
    (64500, 95000, 47500)
    """
    full = credits * PER_CREDIT + (LAB_FEE if lab else 0)
    return full * AUDIT_PERCENT // PERCENT if audited else full


@domain.helper
def refund_percent(starts_on: date, day: date) -> int:
    """Whoever drops a class before its first day is credited {REFUND[before]} percent of the
    tuition. From the first day on it is {REFUND[early]} percent for {EARLY_DAYS} days, then
    {REFUND[middle]} percent up to day {MIDDLE_DAYS}, and {REFUND[late]} percent up to day
    {DROP_DAYS}.

    >>> first = date(2026, 3, 9)
    >>> [refund_percent(first, first + timedelta(days=n)) for n in (-1, 0, 7, 8, 14, 15, 21, 22)]
    [100, 80, 80, 50, 50, 20, 20, 0]
    """
    days = (day - starts_on).days
    if days < 0:
        return REFUND["before"]
    if days <= EARLY_DAYS:
        return REFUND["early"]
    if days <= MIDDLE_DAYS:
        return REFUND["middle"]
    return REFUND["late"] if days <= DROP_DAYS else REFUND["none"]


def credit_of(amount: Money, percent: int) -> Money:
    """What comes off a charge.

    >>> credit_of(64500, 80), credit_of(47500, 20), credit_of(95000, 0)
    (51600, 9500, 0)
    """
    return amount * percent // PERCENT


def left_of(amount: Money, credited: Money, paid: Money, refunded: Money) -> Money:
    """What is still to be paid on a charge.

    >>> left_of(64500, 0, 20000, 0), left_of(64500, 51600, 20000, 7100), left_of(100, 80, 50, 0)
    (44500, 0, 0)
    """
    return max(0, amount - credited - paid + refunded)


def back_of(amount: Money, credited: Money, paid: Money) -> Money:
    """What goes back to the student after a credit.

    >>> back_of(64500, 51600, 20000), back_of(64500, 51600, 5000), back_of(64500, 64500, 64500)
    (7100, 0, 64500)
    """
    return max(0, paid - (amount - credited))


def may_be_added(starts_on: date, day: date) -> bool:
    """Whether a section still takes people.

    >>> first = date(2026, 3, 9)
    >>> may_be_added(first, date(2026, 3, 19)), may_be_added(first, date(2026, 3, 20))
    (True, False)
    """
    return (day - starts_on).days <= ADD_DAYS


def may_be_dropped(starts_on: date, day: date) -> bool:
    """Whether a place can be dropped.

    >>> first = date(2026, 3, 9)
    >>> may_be_dropped(first, date(2026, 3, 30)), may_be_dropped(first, date(2026, 3, 31))
    (True, False)
    """
    return (day - starts_on).days <= DROP_DAYS


def may_be_withdrawn(starts_on: date, day: date) -> bool:
    """Whether it is early enough to withdraw.

    >>> first = date(2026, 3, 9)
    >>> may_be_withdrawn(first, date(2026, 5, 4)), may_be_withdrawn(first, date(2026, 5, 5))
    (True, False)
    """
    return (day - starts_on).days <= WITHDRAW_DAYS


def last_drop_day(starts_on: date) -> date:
    """The last day on which a place can be dropped.

    >>> str(last_drop_day(date(2026, 3, 9)))
    '2026-03-30'
    """
    return starts_on + timedelta(days=DROP_DAYS)


def due_after(day: date) -> date:
    """When tuition is due that is charged on a day.

    >>> str(due_after(date(2026, 3, 16)))
    '2026-04-06'
    """
    return day + timedelta(days=DUE_DAYS)


def deferred_to(due_on: date) -> date:
    """When a charge is due after a deferral.

    >>> str(deferred_to(date(2026, 3, 20)))
    '2026-04-19'
    """
    return due_on + timedelta(days=DEFER_DAYS)


def offer_until(day: date) -> date:
    """Until when a seat is kept that is offered on a day.

    >>> str(offer_until(date(2026, 3, 16)))
    '2026-03-19'
    """
    return day + timedelta(days=OFFER_DAYS)


def minute_of(at: time) -> int:
    """Minutes since midnight.

    >>> minute_of(time(9, 30))
    570
    """
    return (datetime.combine(date.min, at) - datetime.min) // timedelta(minutes=1)


def overlaps(days: str, at: time, minutes: int, days2: str, at2: time, minutes2: int) -> bool:
    """Whether two classes meet at the same time on some day of the week.

    >>> overlaps("Fridays", time(9), 90, "Wednesdays and Fridays", time(10), 60)
    True
    >>> overlaps("Fridays", time(9), 60, "Wednesdays and Fridays", time(10), 60)
    False
    >>> overlaps("Fridays", time(11), 60, "Wednesdays and Fridays", time(10), 60)
    False
    >>> overlaps("Fridays", time(9), 90, "Tuesdays and Thursdays", time(9), 90)
    False
    """
    if not any(day in WEEK[days2] for day in WEEK[days]):
        return False
    first, second = minute_of(at), minute_of(at2)
    return first < second + minutes2 and second < first + minutes


def satisfies(grade: str, minimum: str) -> bool:
    """Whether a grade reaches a minimum.

    >>> satisfies("C", "C"), satisfies("D", "C"), satisfies("P", "C"), satisfies("P", "B")
    (True, False, True, False)
    """
    return WORTH[grade] >= GRADE_POINTS[minimum]


def average_of(results: list[tuple[str, int]]) -> float:
    """The grade average over grades and credits.

    >>> average_of([("A", 4), ("C", 2), ("B", 3)]), average_of([])
    (3.22, 0.0)
    """
    credits = sum(credits for _, credits in results)
    points = sum(GRADE_POINTS[grade] * credits for grade, credits in results)
    return round(points / credits, DECIMALS) if credits else 0.0


def limit_of(standing: str, overload: bool) -> int:
    """How many credits a student may take.

    >>> limit_of("good", False), limit_of("good", True), limit_of("probation", False)
    (16, 20, 12)
    """
    return CREDIT_LIMIT[standing] + (OVERLOAD_CREDITS if overload else 0)


def is_worth_deferring(left: Money) -> bool:
    """Whether enough is left on a charge to defer it.

    >>> is_worth_deferring(30000), is_worth_deferring(29999)
    (True, False)
    """
    return left >= MIN_DEFER


def is_taken(amount: Money, left: Money) -> bool:
    """Whether a payment is large enough.

    >>> is_taken(5000, 20000), is_taken(4999, 20000), is_taken(3000, 3000)
    (True, False, True)
    """
    return amount >= MIN_PART or amount == left


def fees_block(owed: Money) -> bool:
    """Whether so much is owed that a fees hold stays.

    >>> fees_block(40000), fees_block(39999)
    (True, False)
    """
    return owed >= FEES_BLOCK


def is_behind(grade: str) -> bool:
    """Whether a course that was completed with this grade isn't taken again.

    >>> is_behind("C"), is_behind("P"), is_behind("D"), is_behind("NP")
    (True, True, False, False)
    """
    return WORTH[grade] >= RETAKE_POINTS


def is_pass(status: str, basis: str, grade: str | None, minimum: str) -> bool:
    """Whether a place of the past has brought a grade that reaches a minimum.

    >>> is_pass("completed", "graded", "B", "C"), is_pass("completed", "graded", "D", "C")
    (True, False)
    >>> is_pass("completed", "audit", None, "D"), is_pass("enrolled", "graded", None, "D")
    (False, False)
    """
    return status == "completed" and basis != "audit" and satisfies(grade, minimum)


def is_done(status: str, basis: str, grade: str | None) -> bool:
    """Whether a place of the past means that its course isn't taken again.

    >>> is_done("completed", "graded", "C"), is_done("completed", "graded", "D")
    (True, False)
    >>> is_done("completed", "audit", None), is_done("dropped", "graded", None)
    (False, False)
    """
    return status == "completed" and basis != "audit" and is_behind(grade)


def position_in(line: list[str], key: str) -> int:
    """The place of a number in a queue, the first being one.

    >>> position_in(["WL-00003", "WL-00007", "WL-00012"], "WL-00007")
    2
    """
    return sum(other <= key for other in line)


def is_for_year(level: int, year: int) -> bool:
    """Whether a student of this year may take a course of this level.

    >>> is_for_year(300, 1), is_for_year(299, 1), is_for_year(300, 2)
    (False, True, True)
    """
    return level < UPPER_LEVEL or year >= UPPER_YEAR


def enough_without(credits: int, course_credits: int) -> bool:
    """Whether enough credits are left without a course.

    >>> enough_without(9, 3), enough_without(9, 4)
    (True, False)
    """
    return credits - course_credits >= MIN_CREDITS


def live(student: Student) -> list[Enrollment]:
    return [place for place in student.enrollments if place.status == "enrolled"]


def credits_of(student: Student) -> int:
    return sum(place.section.course.credits for place in live(student))


def clash_allowed(student: Student, section: CourseSection) -> bool:
    return any(
        one.section is section and one.kind == "time_clash" and one.status == "granted"
        for one in student.override_requests
    )


def let_in(student: Student, course: Course) -> bool:
    """Whether the department lets a student into a course without its prerequisites."""
    return any(
        one.section.course is course and one.kind == "prerequisite" and one.status == "granted"
        for one in student.override_requests
    )


def passed(student: Student, prerequisite: Prerequisite) -> bool:
    return any(
        is_pass(place.status, place.basis, place.grade, prerequisite.minimum)
        for place in student.enrollments
        if place.section.course is prerequisite.needed
    )


def missing(student: Student, course: Course) -> list[Prerequisite]:
    return [one for one in course.prerequisites if not passed(student, one)]


def clashing(student: Student, section: CourseSection) -> list[Enrollment]:
    """Live places in other courses that meet at the same time."""
    return [
        place
        for place in live(student)
        if place.section.course is not section.course
        and overlaps(
            section.weekdays,
            section.starts_at,
            section.minutes,
            place.section.weekdays,
            place.section.starts_at,
            place.section.minutes,
        )
    ]


def queued(student: Student) -> list[WaitlistEntry]:
    return [entry for entry in student.waitlist_entries if entry.status in ("waiting", "offered")]


def rest(charge: TuitionCharge) -> Money:
    return left_of(charge.amount, charge.credited, charge.paid, charge.refunded)


def owed(student: Student) -> Money:
    return sum(rest(charge) for charge in student.tuition_charges)


def grade_average(student: Student) -> float:
    return average_of(
        [
            (place.grade, place.section.course.credits)
            for place in student.enrollments
            if place.status == "completed" and place.basis == "graded"
        ]
    )


def pass_fails(student: Student) -> int:
    return sum(place.basis == "pass_fail" for place in live(student))


def taken(section: CourseSection) -> int:
    """Seats that are taken: by places that were not dropped, and by offers that stand."""
    return sum(place.status != "dropped" for place in section.enrollments) + sum(
        entry.status == "offered" for entry in section.waitlist
    )


def active_holds(student: Student, kind: str) -> list[TermHold]:
    return [hold for hold in student.term_holds if hold.status == "active" and hold.kind == kind]


def pass_seat_on(db, section: CourseSection) -> None:
    """Offer a seat that came free to the first in the queue, or open the section again."""
    if section.status != "full":
        return
    waiting = [entry for entry in section.waitlist if entry.status == "waiting"]
    if waiting:
        waiting[0].status = "offered"
        waiting[0].offered_until = offer_until(db.today)
    else:
        section.status = "open"


def take_seat(
    db, student: Student, section: CourseSection, basis: str
) -> tuple[Enrollment, TuitionCharge]:
    """A place and its tuition."""
    place = db.create(
        Enrollment, student=student, section=section, basis=basis, enrolled_on=db.today
    )
    amount = section.course.tuition
    if basis == "audit":
        amount = credit_of(amount, AUDIT_PERCENT)
    charge = db.create(
        TuitionCharge,
        student=student,
        enrollment=place,
        course=section.course,
        amount=amount,
        due_on=due_after(db.today),
    )
    return place, charge


def payments_for(charge: TuitionCharge) -> list[Money]:
    """Amounts that somebody might offer: mostly all of it, or half; too little, too much."""
    left = rest(charge)
    half = min(left, max(MIN_PART, left // 2 // 1000 * 1000))
    return [left, left, half, half, MIN_PART // 2, left + MIN_PART]


def seat_freed(section: str) -> list:
    """The frame of `pass_seat_on` for the section at a path."""
    return [
        moves(f"{section}.course.sections", "full", to="open"),
        moves(f"{section}.waitlist", "waiting", to="offered"),
        sets(f"{section}.waitlist", WaitlistEntry.offered_until),
    ]


# Rules that the register enforces.

HELD = ["hold", "block", "blocked", "flag", "stop on"]


def hold_part(kind: str, because: list[str], words: list[str], offers: list[str], remedy=None):
    return part(
        f"{kind}_hold",
        lambda student: not active_holds(student, kind),
        because=because,
        concepts=[HELD, words],
        offers=offers,
        remedy=remedy,
    )


@domain.rule(
    governs=["enrol_student", "join_waitlist", "accept_offer"],
    parts=[
        hold_part(
            "fees",
            because=[
                "there is a fees hold on you",
                "the bursar has put a fees hold on your registration",
                "a fees hold blocks your registration",
                "your registration is blocked by a hold for unpaid fees",
                "a hold on account of fees is standing against you",
            ],
            words=["fee", "fees", "unpaid", "tuition", "bursar"],
            offers=[
                "the hold can be lifted as soon as you owe less than {FEES_BLOCK:money}",
                "once less than {FEES_BLOCK:money} is owed, I can take the hold away",
            ],
            remedy="release_hold",
        ),
        hold_part(
            "advising",
            because=[
                "there is an advising hold on you",
                "your adviser has put a hold on your registration",
                "an advising hold blocks your registration",
                "your registration is blocked by an advising hold",
                "a hold for a missing advising talk is standing against you",
            ],
            words=["advising", "adviser", "advisor", "advice"],
            offers=[
                "a talk with your adviser is what clears it",
                "after a talk with your adviser the hold can go",
            ],
            remedy="release_hold",
        ),
        hold_part(
            "records",
            because=[
                "there is a records hold on you, as a document is missing",
                "the archive has put a records hold on your registration",
                "a records hold blocks your registration",
                "your registration is blocked by a hold for a missing document",
                "your file is incomplete, and a records hold is standing against you",
            ],
            words=["record", "records", "document", "archive", "transcript", "file"],
            offers=[
                "the archive lifts it when the document has come in",
                "sending the archive what is missing clears it",
            ],
        ),
    ],
    concepts=[HELD],
    remedy="release_hold",
)
def no_hold(student: Student) -> bool:
    """While a hold is active, a student is neither enrolled nor put on a waitlist, and takes up no
    seat that was offered. Dropping and moving between sections stay possible."""
    return all(hold.status != "active" for hold in student.term_holds)


CREDITS = ["credit", "credits", "load", "course load"]


@domain.rule(
    governs=["enrol_student", "accept_offer"],
    concepts=[CREDITS, FULL],
    remedy="approve_overload",
    parts=[
        part(
            "usual_limit",
            lambda student, section: (
                student.standing != "good"
                or student.overload
                or credits_of(student) + section.course.credits <= limit_of("good", False)
            ),
            because=[
                "with it you would go over the limit of {CREDIT_LIMIT[good]} credits",
                "your load would exceed the {CREDIT_LIMIT[good]} credits that a student may carry",
                "it would take you above {CREDIT_LIMIT[good]} credits",
                "{CREDIT_LIMIT[good]} credits are the maximum, and this would be more",
                "together with your other classes it comes to more than {CREDIT_LIMIT[good]} "
                "credits",
            ],
            concepts=[CREDITS, [*FULL, "{CREDIT_LIMIT[good]}"]],
            offers=[
                "with a grade average of {OVERLOAD_AVERAGE} an overload could be granted",
                "an overload is possible for those with an average of {OVERLOAD_AVERAGE}",
            ],
            remedy="approve_overload",
        ),
        part(
            "probation_limit",
            lambda student, section: (
                student.standing != "probation"
                or credits_of(student) + section.course.credits
                <= limit_of("probation", student.overload)
            ),
            because=[
                "on probation you may carry {CREDIT_LIMIT[probation]} credits, and it would be "
                "more than that",
                "it would take you above the {CREDIT_LIMIT[probation]} credits of a student on "
                "probation",
                "your limit is {CREDIT_LIMIT[probation]} credits while you're on probation",
                "probation means at most {CREDIT_LIMIT[probation]} credits, which this would "
                "exceed",
            ],
            concepts=[CREDITS, [*FULL, "{CREDIT_LIMIT[probation]}", "probation"]],
            offers=[
                "you could drop one of your other classes first",
                "giving up another class would make room",
            ],
            remedy="drop_section",
        ),
        part(
            "overload_limit",
            lambda student, section: (
                student.standing != "good"
                or not student.overload
                or credits_of(student) + section.course.credits <= limit_of("good", True)
            ),
            because=[
                "it would be more than your overload of {OVERLOAD_CREDITS} credits covers",
                "even with the overload of {OVERLOAD_CREDITS} credits, it would be too many",
                "your overload of {OVERLOAD_CREDITS} credits is used up, and this goes beyond it",
                "it exceeds your limit, including the {OVERLOAD_CREDITS} credits of the overload",
            ],
            concepts=[CREDITS, [*FULL, "overload"]],
            offers=[
                "you could drop one of your other classes first",
                "giving up another class would make room",
            ],
            remedy="drop_section",
        ),
    ],
)
def within_credits(student: Student, section: CourseSection) -> bool:
    """A student in good standing carries at most {CREDIT_LIMIT[good]} credits of running classes, a
    student on probation {CREDIT_LIMIT[probation]}. A granted overload adds {OVERLOAD_CREDITS}.
    Audited classes count like all others, for they take the same hours."""
    limit = limit_of(student.standing, student.overload)
    return credits_of(student) + section.course.credits <= limit


@domain.rule(
    governs=["enrol_student", "join_waitlist"],
    because=[
        "a prerequisite for {section.course.title} isn't met",
        "{section.course.title} asks for a course that you haven't passed with the grade it wants",
        "you lack a prerequisite of {section.course.code}",
        "what has to be passed before {section.course.title} isn't in your record with the grade "
        "that is needed",
        "your record doesn't meet the prerequisites of {section.course.title}",
    ],
    concepts=[
        [
            "prerequisite",
            "requirement",
            "required",
            "have to pass",
            "has to be passed",
            "haven't passed",
            "not passed",
            "asks for",
            "minimum grade",
            "grade it wants",
            "grade that is needed",
            "needs",
        ],
        [
            "isn't",
            "not",
            "lack",
            "missing",
            "without",
            "haven't",
            "hasn't",
            "doesn't",
            "below",
            "don't",
            "unmet",
            "no",
        ],
    ],
    offers=[
        "you could ask the department for a prerequisite permission",
        "I could take down a request to the department to be let in without it",
    ],
)
def prerequisites_met(student: Student, section: CourseSection) -> bool:
    """Each prerequisite of a course must have been passed with its minimum grade. A pass without a
    letter counts as a C, an audited class as nothing. A granted prerequisite permission for
    a section of the course stands in for what is missing."""
    return not missing(student, section.course) or let_in(student, section.course)


@domain.rule(
    governs=["enrol_student", "accept_offer", "swap_section"],
    because=[
        "it meets at the same time as another of your classes",
        "its hours overlap with those of a class you're in",
        "there is a clash with your timetable",
        "you have another class in those hours",
        "it clashes with something you are already enrolled in",
    ],
    concepts=[
        [
            "clash",
            "overlap",
            "same time",
            "same hour",
            "conflict",
            "those hours",
            "collide",
            "coincide",
            "at that time",
            "at that hour",
        ]
    ],
    offers=[
        "dropping the class that is in the way would clear it",
        "the class in the way could be dropped first",
    ],
    remedy="drop_section",
)
def no_clash(student: Student, section: CourseSection) -> bool:
    """Two classes of a student don't meet at the same time, not even for a few minutes, unless a
    time clash permission was granted for the section."""
    return not clashing(student, section) or clash_allowed(student, section)


@domain.rule(
    governs=["enrol_student", "join_waitlist", "swap_section"],
    because=[
        "{section.course.title} began on {section.starts_on}, and nobody is added after "
        "{ADD_DAYS} days",
        "the class has been running since {section.starts_on}, longer than the {ADD_DAYS} days "
        "in which it takes people",
        "the add period of that class is over: it began on {section.starts_on}",
        "adding is possible for {ADD_DAYS} days from the first day, which was {section.starts_on}",
    ],
    concepts=[
        [
            "add",
            "added",
            "adding",
            "began",
            "begun",
            "running",
            "started",
            "joined",
            "takes people",
        ],
        [*LATE, "days", "after", "since", "longer", "{ADD_DAYS}"],
    ],
    offers=[
        "a section with a later first day may still be open",
        "we could look for a class that starts later",
    ],
)
def add_period_open(db, section: CourseSection) -> bool:
    """A section takes people up to {ADD_DAYS} days after its first day, that day included."""
    return may_be_added(section.starts_on, db.today)


@domain.rule(
    governs=["enrol_student", "join_waitlist", "accept_offer"],
    because=[
        "you are enrolled in {section.course.title} already",
        "you have a place in a section of {section.course.title} as it is",
        "you're in another class of the same course, {section.course.title}, already",
        "nobody takes two sections of one course, and you are in {section.course.title} now",
    ],
    concepts=[
        ["enrolled", "place", "in a section", "class", "section", "two sections", "seat", "taking"],
        [*ALREADY, "as it is", "now", "two"],
    ],
    remedy="drop_section",
    offers=[
        "you could move between sections of it instead",
        "giving up the place that you have in it would clear the way",
    ],
)
def not_in_course(student: Student, section: CourseSection) -> bool:
    """A student is in one section of a course at most."""
    return all(place.section.course is not section.course for place in live(student))


@domain.rule(
    governs=["join_waitlist"],
    because=[
        "you are on {MAX_WAITLISTS} waitlists already",
        "{MAX_WAITLISTS} waitlists are the limit, and you've reached it",
        "nobody waits in more than {MAX_WAITLISTS} queues at a time, and you do in as many",
        "your {MAX_WAITLISTS} waitlist places are all in use",
    ],
    concepts=[QUEUE, [*FULL, "{MAX_WAITLISTS}", "already", "all in use", "reached"]],
    offers=[
        "you could leave one of them first",
        "giving up one of those places would make room",
    ],
    remedy="leave_waitlist",
)
def below_waitlists(student: Student) -> bool:
    """A student has at most {MAX_WAITLISTS} places on waitlists, those with an offer included."""
    return len(queued(student)) < MAX_WAITLISTS


@domain.rule(
    governs=["drop_section", "change_basis", "swap_section"],
    because=[
        "the class began on {enrollment.section.starts_on}, and {DROP_DAYS} days later the drop "
        "period is over",
        "its drop period is over: the first day was {enrollment.section.starts_on}",
        "more than {DROP_DAYS} days have passed since it began on {enrollment.section.starts_on}",
        "the drop deadline of that class has gone by, {DROP_DAYS} days after "
        "{enrollment.section.starts_on}",
    ],
    concepts=[
        ["drop", "first day", "began", "begun", "started", "{DROP_DAYS}"],
        [*LATE, "more than", "gone by", "longer than", "days"],
    ],
    offers=[
        "withdrawing may still be possible, though without any credit",
        "we could see whether you can withdraw, without money back",
    ],
)
def drop_period_open(db, enrollment: Enrollment) -> bool:
    """A place is dropped, moved or put on another grading basis up to {DROP_DAYS} days after the
    first day of its section."""
    return may_be_dropped(enrollment.section.starts_on, db.today)


@domain.rule(
    governs=["withdraw_enrollment"],
    parts=[
        part(
            "drop_is_over",
            lambda db, enrollment: not may_be_dropped(enrollment.section.starts_on, db.today),
            because=[
                "that class can still be dropped, which is better for you",
                "its drop period is still running, and withdrawing comes after that",
                "you can drop it until the {DROP_DAYS} days are over, so there is no withdrawing "
                "yet",
                "it is too early to withdraw, as the class can be dropped",
            ],
            concepts=[
                ["drop", "dropped", "dropping"],
                ["still", "yet", "early", "better", "instead", "until", "running", "can be"],
            ],
            offers=[
                "dropping it brings part of the tuition back",
                "you could drop it, with some of the money credited",
            ],
        ),
        part(
            "not_too_late",
            lambda db, enrollment: may_be_withdrawn(enrollment.section.starts_on, db.today),
            because=[
                "more than {WITHDRAW_DAYS} days have passed since it began on "
                "{enrollment.section.starts_on}",
                "it is too late to withdraw: the class began on {enrollment.section.starts_on}",
                "withdrawing ends {WITHDRAW_DAYS} days after the first day, which was "
                "{enrollment.section.starts_on}",
                "the deadline for withdrawing has passed, as it started on "
                "{enrollment.section.starts_on}",
            ],
            concepts=[
                ["withdraw", "withdrawing", "withdrawal", "began", "started", "{WITHDRAW_DAYS}"],
                [*LATE, "more than", "ends", "days"],
            ],
            offers=[
                "your teacher may have advice on how to get through the rest",
                "the class has to be seen through to its end now",
            ],
        ),
    ],
    concepts=[["withdraw", "withdrawing", "drop", "dropped", "began", "started"]],
)
def withdrawable(db, enrollment: Enrollment) -> bool:
    """Withdrawing is for the time after the drop period: it is possible up to {WITHDRAW_DAYS} days
    after the first day of the section, and no tuition is credited for it."""
    starts_on = enrollment.section.starts_on
    return not may_be_dropped(starts_on, db.today) and may_be_withdrawn(starts_on, db.today)


@domain.rule(
    governs=["swap_section"],
    because=[
        "the two classes belong to different courses",
        "a move is possible within one course only, and that is a different one",
        "that is a section of {section.course.title}, which is a different course",
        "{section.course.title} is a different course from the one you are in",
    ],
    concepts=[["course", "courses"], ["different", "within", "other", "same", "only"]],
    offers=[
        "you could enrol in the one and drop the other",
        "that takes a drop and a new enrolment",
    ],
)
def other_class_of_course(enrollment: Enrollment, section: CourseSection) -> bool:
    """A place is moved only to another section of the same course, so that tuition and credits stay
    what they were."""
    return enrollment.section.course is section.course


@domain.rule(
    governs=["change_basis"],
    parts=[
        part(
            "new_basis",
            lambda enrollment, basis: enrollment.basis != basis,
            because=[
                "that's how the class is entered now",
                "it is on that basis already",
                "the register has it on that very basis as it is",
            ],
            concepts=[
                ["basis", "entered", "graded", "pass", "grading"],
                [*ALREADY, "now", "very", "as it is"],
            ],
            offers=["there's nothing to change, then", "it can simply stay as it is"],
        ),
        part(
            "no_audit",
            lambda enrollment: enrollment.basis != "audit",
            because=[
                "you are only auditing that class",
                "an audited class has no grade, and its basis stays",
                "it's an audit, which isn't turned into anything else",
            ],
            concepts=[["audit", "audited", "auditing"]],
            offers=[
                "an audit can be dropped, though, and the class taken for a grade",
                "you could drop it and enrol anew for a grade",
            ],
        ),
    ],
    concepts=[["basis", "audit", "grade", "graded", "entered"]],
)
def basis_can_change(enrollment: Enrollment, basis: str) -> bool:
    """The basis goes from graded to pass/fail or back; an audit remains an audit."""
    return enrollment.basis not in (basis, "audit")


@domain.rule(
    governs=["enrol_student", "change_basis"],
    because=[
        "you have {MAX_PASS_FAIL} pass/fail classes already",
        "{MAX_PASS_FAIL} pass/fail classes are the limit, and you've reached it",
        "nobody takes more than {MAX_PASS_FAIL} classes pass/fail at a time, and you do now",
        "your {MAX_PASS_FAIL} pass/fail places are used up",
    ],
    concepts=[
        ["pass/fail", "pass fail", "pass or fail", "pass-fail", "without a letter"],
        [*FULL, "{MAX_PASS_FAIL}", "already", "reached"],
    ],
    offers=[
        "one of the others could go back to a letter grade first",
        "turning another one back to graded would make room",
    ],
    remedy="change_basis",
)
def pass_fail_left(student: Student, basis: str) -> bool:
    """Of a student's running classes at most {MAX_PASS_FAIL} are on a pass/fail basis."""
    return basis != "pass_fail" or pass_fails(student) < MAX_PASS_FAIL


@domain.rule(
    governs=["pay_charge"],
    because=[
        "that is more than what is left on it",
        "the payment is larger than the rest of the bill",
        "you would overpay: less than that is open on it",
        "the bill has less than that outstanding",
        "what is left of it is smaller than your payment",
    ],
    concepts=[
        ["left", "rest", "open", "outstanding", "owe", "owed", "bill", "overpay"],
        [
            "more than",
            "larger",
            "less than",
            "exceed",
            "too much",
            "overpay",
            "smaller",
            "higher",
            "only",
        ],
    ],
    offers=[
        "you could pay exactly what is left",
        "a payment of the rest would settle it",
    ],
)
def within_rest(charge: TuitionCharge, amount: Money) -> bool:
    """No payment is larger than what is left on the charge."""
    return amount <= rest(charge)


@domain.rule(
    governs=["release_hold"],
    parts=[
        part(
            "fees_paid",
            lambda hold: hold.kind != "fees" or not fees_block(owed(hold.student)),
            because=[
                "you owe {FEES_BLOCK:money} or more in tuition",
                "the tuition you owe comes to {FEES_BLOCK:money} or more, and the hold stays "
                "until it's less",
                "what is open on your account isn't below {FEES_BLOCK:money} yet",
                "a fees hold stays while {FEES_BLOCK:money} or more is owed, as it is",
            ],
            concepts=[
                ["owe", "owed", "open on", "tuition", "balance", "outstanding", "unpaid"],
                ["{FEES_BLOCK:money}", "too much", "more", "below", "less than", "until"],
            ],
            offers=[
                "you could pay enough to owe less than {FEES_BLOCK:money}",
                "a payment that brings the sum below {FEES_BLOCK:money} is all it takes",
            ],
            remedy="pay_charge",
        ),
        part(
            "adviser_seen",
            lambda hold: (
                hold.kind != "advising"
                or (
                    hold.student.advised_on is not None
                    and hold.student.advised_on >= hold.placed_on
                )
            ),
            because=[
                "no advising talk is entered since the hold was placed on {hold.placed_on}",
                "you haven't seen your adviser since {hold.placed_on}, when it was placed",
                "the hold dates from {hold.placed_on}, and there has been no talk with your "
                "adviser since",
                "an advising talk after {hold.placed_on} is what it takes, and none is entered",
            ],
            concepts=[
                ["advising", "adviser", "advisor", "talk"],
                ["no", "none", "not", "haven't", "since", "after", "missing", "first"],
            ],
            offers=[
                "you could ask your adviser for a talk",
                "once the talk is entered, the hold can go",
            ],
        ),
        part(
            "no_document",
            lambda hold: hold.kind != "records",
            because=[
                "a records hold is lifted by the archive alone",
                "that hold belongs to the archive, which waits for a document",
                "only the archive can take a records hold away, when the document has come in",
            ],
            concepts=[
                ["record", "records", "archive", "document"],
                ["alone", "only", "waits", "belongs", "when", "until", "missing"],
            ],
            offers=[
                "you could send the archive the document that is missing",
                "the archive takes it off when it has all your papers",
            ],
        ),
    ],
    remedy="pay_charge",
    concepts=[["owe", "owed", "adviser", "advising", "archive", "records", "tuition"]],
)
def hold_is_clear(hold: TermHold) -> bool:
    """A fees hold is lifted when the student owes less than {FEES_BLOCK:money} of tuition in all,
    an advising hold when an advising talk is entered on or after the day of the hold. Records holds
    are lifted by the archive alone."""
    if hold.kind == "fees":
        return not fees_block(owed(hold.student))
    advised_on = hold.student.advised_on
    return hold.kind == "advising" and advised_on is not None and advised_on >= hold.placed_on


@domain.rule(
    governs=["approve_overload"],
    parts=[
        part(
            "good_standing",
            lambda student: student.standing == "good",
            because=[
                "there is no overload while you're on probation",
                "an overload is for students in good standing, and you're on probation",
                "probation rules an overload out",
            ],
            concepts=[["overload", "extra credits", "more credits"], ["probation", "standing"]],
            offers=[
                "one of your other classes could make room instead",
                "you could give up another class in exchange",
            ],
        ),
        part(
            "good_average",
            lambda student: grade_average(student) >= OVERLOAD_AVERAGE,
            because=[
                "your grade average is below {OVERLOAD_AVERAGE}",
                "an overload takes an average of {OVERLOAD_AVERAGE}, and yours is lower",
                "with your grade average, which is under {OVERLOAD_AVERAGE}, no overload is "
                "granted",
                "your average doesn't reach {OVERLOAD_AVERAGE}",
            ],
            concepts=[
                ["average", "grades"],
                ["below", "lower", "under", "reach", "{OVERLOAD_AVERAGE}", "too low"],
            ],
            offers=[
                "one of your other classes could make room instead",
                "you could give up another class in exchange",
            ],
        ),
        part(
            "no_overload_yet",
            lambda student: not student.overload,
            because=[
                "you have an overload already",
                "an overload has been granted to you before this",
                "there is one overload at a time, and you have yours",
            ],
            concepts=[["overload", "extra credits"], [*ALREADY, "yours", "one"]],
            offers=[
                "the overload that you have can be used for any class",
                "your overload holds for all of your classes",
            ],
        ),
    ],
    concepts=[["overload", "average", "probation"]],
)
def overload_earned(student: Student) -> bool:
    """One overload at a time is granted, to students in good standing with a grade average of
    {OVERLOAD_AVERAGE} or better. The average is weighted by credits and leaves out pass/fail and
    audited classes."""
    return (
        student.standing == "good"
        and grade_average(student) >= OVERLOAD_AVERAGE
        and not student.overload
    )


@domain.rule(
    governs=["request_override"],
    because=[
        "such a request for {section.course.title} is running already",
        "you've asked for that permission before, and the request is still with the department",
        "there is a request of that kind for the class already",
        "nobody asks twice for the same permission, and yours is in the register",
    ],
    concepts=[["request", "asked", "permission", "asks"], [*ALREADY, "running", "still with"]],
    offers=[
        "we can look up how that one stands",
        "the first request is as good as a second one",
    ],
)
def no_such_request(student: Student, section: CourseSection, kind: str) -> bool:
    """Nobody asks for a permission that is with the department already, or was granted."""
    return all(
        one.section is not section or one.kind != kind or one.status not in ("requested", "granted")
        for one in student.override_requests
    )


@domain.rule(
    governs=["defer_charge"],
    because=[
        "its payment has been put off once already",
        "that bill was deferred before, and there is one deferral",
        "each bill is deferred once, as this one has been",
        "you have had the one deferral that there is on it",
    ],
    concepts=[
        ["defer", "deferred", "deferral", "put off", "postpone", "postponed", "more time"],
        [*ALREADY, "one deferral", "only one", "has been"],
    ],
    offers=[
        "a part payment could be made in the meantime",
        "you could pay it bit by bit until then",
    ],
)
def not_deferred(charge: TuitionCharge) -> bool:
    """A charge is deferred once."""
    return not charge.deferred


# Rules that the agent keeps.


@domain.rule(
    by="agent",
    kind="identification",
    governs=[
        "enrollments_under_student",
        "waitlist_entries_under_student",
        "term_holds_under_student",
        "tuition_charges_under_student",
        "override_requests_under_student",
        "student_record",
        "quote_drop",
        "waitlist_position",
        "enrol_student",
        "drop_section",
        "withdraw_enrollment",
        "swap_section",
        "change_basis",
        "join_waitlist",
        "leave_waitlist",
        "accept_offer",
        "pay_charge",
        "defer_charge",
        "release_hold",
        "approve_overload",
        "request_override",
        "cancel_request",
        "escalate_to_registrar",
    ],
    because=[
        "I have to know first that it's you, by your college e-mail address",
        "a student's file is opened for that student alone, who has to identify themselves",
        "only the student may ask for that, once they have identified themselves",
        "privacy comes first here: the student has to identify themselves",
    ],
    concepts=[
        ["file", "register", "student", "privacy", "record", "place", "account", "it's you"],
        [
            "identify",
            "identified",
            "verify",
            "alone",
            "own",
            "else's",
            "e-mail address",
            "email",
            "student number",
            "who you are",
            "it's you",
        ],
    ],
    offers=["they could write to us themselves", "they are welcome to contact the desk"],
)
def identified(log: Log, student: Student) -> bool:
    """Open a student's file, and change anything in it, only after the student has told you the
    e-mail address that the register holds, or the number of the student card together with the
    programme. A name proves nothing, and parents and friends get no answer."""
    return log.identified(student, "email") or log.identified(student, "student_id", "programme")


@domain.rule(
    by="agent",
    kind="confirmation",
    governs=["enrol_student", "drop_section", "withdraw_enrollment", "accept_offer", "pay_charge"],
    because=[
        "I need your clear yes to that first",
        "that takes an express agreement from you first",
        "nothing with tuition in it is done before you've agreed",
        "you have to say yes to it before I do that",
    ],
    concepts=[
        ["confirm", "agree", "agreed", "agreement", "yes", "go-ahead", "consent"],
        ["first", "before", "need", "without", "until", "clear", "express"],
    ],
)
def confirmed(log: Log) -> bool:
    """What makes tuition fall due, moves money, or gives up a place is done after the student has
    heard the class and the sums and has said yes to exactly that."""
    return log.confirmed()


@domain.rule(
    by="agent",
    governs=["drop_section", "withdraw_enrollment"],
    because=[
        "fewer than {MIN_CREDITS} credits would be left to you",
        "you would fall below {MIN_CREDITS} credits, which a student here has to keep",
        "without it you'd be under the minimum of {MIN_CREDITS} credits",
        "{MIN_CREDITS} credits have to remain, and it would be less",
        "your load would shrink to less than {MIN_CREDITS} credits",
    ],
    concepts=[
        CREDITS,
        [
            "fewer",
            "below",
            "under",
            "less",
            "minimum",
            "at least",
            "remain",
            "{MIN_CREDITS}",
            "left",
            "keep",
        ],
    ],
    offers=[
        "you could take up another class first",
        "with another class on your timetable it would work",
    ],
    remedy="enrol_student",
)
def keeps_enough(enrollment: Enrollment) -> bool:
    """A student keeps {MIN_CREDITS} credits of running classes at least, or else stops being a
    student of the term. Add up what would remain before you drop or withdraw anything."""
    return enough_without(credits_of(enrollment.student), enrollment.section.course.credits)


@domain.rule(
    by="agent",
    governs=["enrol_student", "join_waitlist"],
    because=[
        "{section.course.title} is an upper-level course, and you are in your first year",
        "courses from level {UPPER_LEVEL} are not for the first year",
        "it's on level {section.course.level}, which opens in year {UPPER_YEAR}",
        "first-year students don't take courses of level {UPPER_LEVEL} or higher",
    ],
    concepts=[
        ["level", "upper-level", "upper", "advanced"],
        ["first year", "first-year", "year", "freshman"],
    ],
    offers=[
        "a course on a lower level would be open to you",
        "we could find a lower-level course in the same subject",
    ],
)
def level_suits_year(student: Student, section: CourseSection) -> bool:
    """Courses of level {UPPER_LEVEL} and above are for students in year {UPPER_YEAR} or later, even
    where their prerequisites are met."""
    return is_for_year(section.course.level, student.year)


@domain.rule(
    by="agent",
    governs=["enrol_student", "join_waitlist", "accept_offer"],
    because=[
        "you have passed {section.course.title} before, with a good enough grade",
        "{section.course.title} is behind you, passed with a C or better",
        "a course that was passed with a C or better isn't taken again, and this one was",
        "your record has {section.course.title} as completed with a C or better",
    ],
    concepts=[
        ["passed", "completed", "behind you", "done with"],
        ["before", "already", "again", "or better", "good enough", "grade", "repeat"],
    ],
    offers=[
        "a course that builds on it may be more useful",
        "we could look for the next course in that subject",
    ],
)
def not_passed_before(student: Student, section: CourseSection) -> bool:
    """Nobody repeats a course that they completed with a C, a pass or something better."""
    return not any(
        is_done(place.status, place.basis, place.grade)
        for place in student.enrollments
        if place.section.course is section.course
    )


@domain.rule(
    by="agent",
    governs=["join_waitlist"],
    because=[
        "you are in a queue for {section.course.title} already",
        "you're waiting for {section.course.title} as it is, and there is one queue for each "
        "course",
        "there is a waitlist place of yours in that course already",
        "nobody waits for two sections of one course, and you're in line for "
        "{section.course.title}",
    ],
    concepts=[QUEUE, [*ALREADY, "as it is", "one queue", "two sections", "one course", "yours"]],
    offers=[
        "you could leave the other queue first",
        "giving the other place up would open this queue to you",
    ],
    remedy="leave_waitlist",
)
def one_queue_a_course(student: Student, section: CourseSection) -> bool:
    """A student waits for one section of a course at a time; the other queues of the course are
    left to other people."""
    return all(entry.section.course is not section.course for entry in queued(student))


@domain.rule(
    by="agent",
    governs=["enrol_student", "change_basis"],
    because=[
        "courses of your own programme are taken for a letter grade",
        "it belongs to your programme, where pass/fail isn't an option",
        "your own subject is always graded by letter",
        "pass/fail is for courses outside your programme, and this one is in it",
    ],
    concepts=[
        ["programme", "program", "own subject", "your subject", "major"],
        ["letter", "grade", "graded", "pass/fail", "pass fail", "option"],
    ],
    offers=[
        "a letter grade is possible, of course",
        "outside your programme pass/fail would be possible",
    ],
)
def own_subject_graded(student: Student, section: CourseSection, basis: str) -> bool:
    """Pass/fail is for the courses outside a student's programme. Compare the department of the
    course with the programme before you agree to it."""
    return basis != "pass_fail" or section.course.department != student.programme


@domain.rule(
    by="agent",
    governs=["request_override"],
    because=[
        "you don't need that permission for {section.course.title}",
        "nothing in {section.course.title} calls for such a permission",
        "there's no need for it: that isn't what stands between you and the class",
        "such a permission isn't needed in your case",
    ],
    concepts=[
        ["permission", "request", "it"],
        ["need", "needed", "calls for", "necessary", "no reason"],
    ],
    offers=[
        "you could try to enrol without it",
        "we can see what else is in the way, if anything",
    ],
)
def permission_needed(student: Student, section: CourseSection, kind: str) -> bool:
    """Take down a request only where it is needed: for prerequisites when one is missing, for a
    time clash when the hours do overlap. Departments get enough paper as it is."""
    if kind == "prerequisite":
        return bool(missing(student, section.course))
    return bool(clashing(student, section))


@domain.rule(
    by="agent",
    governs=["pay_charge"],
    because=[
        "part payments start at {MIN_PART:money}",
        "it's less than {MIN_PART:money}, the smallest part payment",
        "we take parts of {MIN_PART:money} or more",
        "the amount is too small for a part payment, which is {MIN_PART:money} at least",
    ],
    concepts=[
        ["part", "parts", "payment", "amount", "instalment"],
        ["{MIN_PART:money}", "small", "smallest", "less than", "at least", "minimum", "start at"],
    ],
    offers=[
        "you could pay {MIN_PART:money}, or all of it",
        "{MIN_PART:money} or more would be fine",
    ],
)
def large_enough(charge: TuitionCharge, amount: Money) -> bool:
    """A part payment is {MIN_PART:money} at least. Less is taken only where it settles the
    charge."""
    return is_taken(amount, rest(charge))


@domain.rule(
    by="agent",
    governs=["defer_charge"],
    because=[
        "it has been due since {charge.due_on}",
        "the due date, {charge.due_on}, has passed",
        "a bill is deferred before it is due, and it was due on {charge.due_on}",
        "it's overdue since {charge.due_on}, and that can't be deferred",
    ],
    concepts=[
        ["due", "overdue", "due date"],
        ["since", "passed", "before", "was due", "already", "overdue", "over"],
    ],
    offers=[
        "you could make a part payment right away",
        "paying at least some of it today would be wise",
    ],
)
def not_overdue(db, charge: TuitionCharge) -> bool:
    """A charge is deferred up to its due date, not after it."""
    return db.today <= charge.due_on


@domain.rule(
    by="agent",
    governs=["defer_charge"],
    because=[
        "less than {MIN_DEFER:money} is left on it",
        "what is left is below {MIN_DEFER:money}, too little for a deferral",
        "we defer bills with {MIN_DEFER:money} or more to pay, and it has less",
        "the rest is under {MIN_DEFER:money}",
    ],
    concepts=[
        ["left", "rest", "to pay", "open", "remain", "remains"],
        ["{MIN_DEFER:money}", "less", "below", "under", "too little", "too small"],
    ],
    offers=[
        "a rest like that is best paid when it's due",
        "you could pay it in parts until it's due",
    ],
)
def worth_deferring(charge: TuitionCharge) -> bool:
    """Deferral is for charges with {MIN_DEFER:money} or more left to pay."""
    return is_worth_deferring(rest(charge))


# What holds at any time.


@domain.invariant(Student)
def credits_within_limit(student: Student) -> bool:
    most = CREDIT_LIMIT[student.standing] + (OVERLOAD_CREDITS if student.overload else 0)
    return sum(place.section.course.credits for place in live(student)) <= most


@domain.invariant(Student)
def courses_taken_once(student: Student) -> bool:
    codes = [place.section.course.code for place in live(student)]
    return len(codes) == len(dict.fromkeys(codes))


@domain.invariant(Student)
def within_counts(student: Student) -> bool:
    waiting = sum(e.status in ("waiting", "offered") for e in student.waitlist_entries)
    pass_fail = sum(
        place.status == "enrolled" and place.basis == "pass_fail" for place in student.enrollments
    )
    return waiting <= MAX_WAITLISTS and pass_fail <= MAX_PASS_FAIL


@domain.invariant(Student)
def overload_is_earned(student: Student) -> bool:
    return not student.overload or (
        student.standing == "good" and grade_average(student) >= OVERLOAD_AVERAGE
    )


@domain.invariant(Enrollment)
def place_has_no_clash(place: Enrollment) -> bool:
    if place.status != "enrolled":
        return True
    student, here = place.student, place.section
    allowed = [
        one.section
        for one in student.override_requests
        if one.kind == "time_clash" and one.status == "granted"
    ]
    hours = (here.weekdays, here.starts_at, here.minutes)
    others = [
        other.section
        for other in student.enrollments
        if other.status == "enrolled" and other is not place
    ]
    return all(
        any(one in (here, other) for one in allowed)
        for other in others
        if overlaps(*hours, other.weekdays, other.starts_at, other.minutes)
    )


@domain.invariant(Enrollment)
def place_is_regular(place: Enrollment) -> bool:
    today, first = domain.now.date(), place.section.starts_on
    ended = place.ended_on is not None
    in_time = True
    if place.status == "dropped":
        in_time = ended and place.ended_on <= first + timedelta(days=DROP_DAYS)
    if place.status == "withdrawn":
        days = (place.ended_on - first).days if ended else 0
        in_time = DROP_DAYS < days <= WITHDRAW_DAYS
    return (
        in_time
        and ended == (place.status != "enrolled")
        and place.enrolled_on <= today
        and place.enrolled_on <= first + timedelta(days=ADD_DAYS)
        and (place.grade is not None) == (place.status == "completed" and place.basis != "audit")
    )


@domain.invariant(Enrollment)
def place_was_open_to_them(place: Enrollment) -> bool:
    student, course = place.student, place.section.course
    waived = any(
        one.kind == "prerequisite" and one.status == "granted" and one.section.course is course
        for one in student.override_requests
    )
    grades = [
        (other.section.course, WORTH[other.grade])
        for other in student.enrollments
        if other.grade is not None
    ]
    return waived or all(
        any(done is one.needed and worth >= GRADE_POINTS[one.minimum] for done, worth in grades)
        for one in course.prerequisites
    )


@domain.invariant(CourseSection)
def seats_add_up(section: CourseSection) -> bool:
    places = sum(place.status != "dropped" for place in section.enrollments)
    offers = sum(entry.status == "offered" for entry in section.waitlist)
    if places + offers > section.capacity:
        return False
    if section.status in ("open", "full"):
        return (section.status == "full") == (places + offers == section.capacity)
    return section.status != "cancelled" or places == 0


@domain.invariant(CourseSection)
def nobody_waits_in_vain(section: CourseSection) -> bool:
    waits = any(entry.status == "waiting" for entry in section.waitlist)
    return not waits or section.status == "full"


@domain.invariant(WaitlistEntry)
def offer_has_its_day(entry: WaitlistEntry) -> bool:
    if entry.status == "waiting":
        return entry.offered_until is None
    if entry.status == "offered":
        today = domain.now.date()
        until = entry.offered_until
        return until is not None and today <= until <= today + timedelta(days=OFFER_DAYS)
    return entry.status == "left" or entry.offered_until is not None


@domain.invariant(WaitlistEntry)
def accepted_offer_became_a_place(entry: WaitlistEntry) -> bool:
    if entry.status != "accepted":
        return True
    course = entry.section.course
    return any(place.section.course is course for place in entry.student.enrollments)


@domain.invariant(TuitionCharge)
def charge_adds_up(charge: TuitionCharge) -> bool:
    net = charge.amount - charge.credited
    kept = charge.paid - charge.refunded
    return (
        0 <= kept <= net
        and (charge.status == "settled") == (kept == net)
        and (charge.refunded == 0 or charge.credited > 0)
    )


@domain.invariant(TuitionCharge)
def charge_follows_place(charge: TuitionCharge) -> bool:
    place = charge.enrollment
    tuition = place.section.course.tuition
    amount = tuition * AUDIT_PERCENT // PERCENT if place.basis == "audit" else tuition
    credited = 0
    if place.status == "dropped":
        percent = refund_percent(place.section.starts_on, place.ended_on)
        credited = amount * percent // PERCENT
    return (
        charge.student is place.student
        and charge.course is place.section.course
        and charge.amount == amount
        and charge.credited == credited
    )


@domain.invariant(Enrollment)
def place_is_charged_once(place: Enrollment) -> bool:
    return len(place.charges) == 1 or place.status == "completed"


@domain.invariant(Course)
def course_costs_by_credits(course: Course) -> bool:
    lab = LAB_FEE if course.department in ("biology", "computing") else 0
    return course.tuition == course.credits * PER_CREDIT + lab


@domain.invariant(OverrideRequest)
def one_request_of_a_kind(request: OverrideRequest) -> bool:
    alive = ("requested", "granted")
    same = [
        one
        for one in request.student.override_requests
        if one.section is request.section and one.kind == request.kind and one.status in alive
    ]
    return len(same) <= 1


# Reads.

domain.reads(Student, get=True, find="email")
domain.reads(
    Course,
    get=["prerequisites"],
    search=["title", "code"],
    filters=["department", "level"],
    page=8,
    docs={"get": "One course by its code, with the prerequisites that it has."},
)
domain.reads(
    CourseSection,
    get=True,
    list_of="course",
    filters=["status"],
    page=8,
    names={"get": "retrieve_section", "list": "sections_under_course"},
)
domain.reads(Enrollment, list_of="student", filters=["status"], page=12, requires=[identified])
domain.reads(WaitlistEntry, list_of="student", filters=["status"], requires=[identified])
domain.reads(TermHold, list_of="student", filters=["status"], requires=[identified])
domain.reads(TuitionCharge, list_of="student", filters=["status"], requires=[identified])
domain.reads(OverrideRequest, list_of="student", filters=["status"], requires=[identified])


class StudyRecord(TypedDict):
    """Sums over a student's file."""

    credits: int
    credit_limit: int
    average: float
    earned: int
    remaining: int
    pass_fail: int
    owed: Money


class PlaceQuote(TypedDict):
    """What a place would cost."""

    tuition: Money
    due_on: date


class DropQuote(TypedDict):
    """What a drop would bring back."""

    percent: int
    credited: Money
    refund: Money
    last_day: date


class QueuePosition(TypedDict):
    """A place in a queue."""

    position: int
    waiting: int
    seats: int


class NewPlace(TypedDict):
    """A place and its tuition."""

    enrollment: Enrollment
    charge_id: str
    tuition: Money
    due_on: date


class Dropped(TypedDict):
    """A place that was dropped, and the money that follows."""

    enrollment: Enrollment
    credited: Money
    refund: Money


@domain.read(
    requires=[identified],
    tells={
        "credits": [
            "how many credits I'm taking at the moment",
            "what my classes add up to in credits",
            "how many credits my running classes come to",
        ],
        "credit_limit": [
            "how many credits I may carry",
            "what my credit limit is",
            "up to how many credits I may sign up for",
        ],
        "remaining": [
            "how many credits I still need for my degree",
            "how many credits separate me from the degree",
            "how many credits are missing before I can graduate",
        ],
        "earned": [
            "how many credits I have earned so far",
            "how many credits I've got behind me",
        ],
        "owed": [
            "how much tuition I owe in all",
            "what I still have to pay for all of my classes",
            "what my account comes to altogether",
        ],
    },
)
def student_record(db, student: Student) -> StudyRecord:
    """Sums over a student's file: credits of running classes and the limit for them, the grade
    average, credits earned and missing for the degree, running pass/fail classes, and tuition owed.
    The degree takes {DEGREE_CREDITS} credits; classes that were audited or failed earn none."""
    earned = student.earlier_credits + sum(
        place.section.course.credits
        for place in student.enrollments
        if place.status == "completed" and place.basis != "audit" and WORTH[place.grade]
    )
    return {
        "credits": credits_of(student),
        "credit_limit": limit_of(student.standing, student.overload),
        "average": grade_average(student),
        "earned": earned,
        "remaining": max(0, DEGREE_CREDITS - earned),
        "pass_fail": pass_fails(student),
        "owed": owed(student),
    }


Basis = Literal["graded", "pass_fail", "audit"]


@domain.read(
    public=True,
    tells={
        "tuition": [
            "what I would pay for {section}",
            "what a place in {section} would cost me",
            "how much tuition would be charged for {section}",
        ],
        "due_on": ["by when I'd have to pay for {section}"],
    },
)
def quote_place(db, section: CourseSection, basis: Basis) -> PlaceQuote:
    """What a place in a section would cost, and by when it would have to be paid if it were taken
    today.

    Args:
        basis: How the class would be graded; an audit costs less
    """
    course = section.course
    lab = course.department in ("biology", "computing")
    tuition = tuition_for(course.credits, lab, basis == "audit")
    return {"tuition": tuition, "due_on": due_after(db.today)}


@domain.read(
    requires=[identified.on("enrollment.student")],
    tells={
        "credited": [
            "how much would be credited if I dropped {enrollment}",
            "how much of the tuition would come off if I gave up {enrollment}",
        ],
        "percent": [
            "what percentage of the tuition is credited for {enrollment} today",
            "how many percent I'd be credited for {enrollment}",
        ],
        "last_day": [
            "what the last day for dropping {enrollment} is",
            "until when {enrollment} can be dropped",
        ],
    },
    errors={"not_enrolled": "The place has ended, so that it cannot be dropped."},
)
def quote_drop(db, enrollment: Enrollment) -> DropQuote:
    """What dropping a running place today would bring: the percentage, what is credited of the
    tuition, and what of it is paid back because it had been paid already."""
    if enrollment.status != "enrolled":
        raise ToolError("not_enrolled")
    starts_on = enrollment.section.starts_on
    percent = refund_percent(starts_on, db.today)
    charge = enrollment.charges[0]
    credited = credit_of(charge.amount, percent)
    return {
        "percent": percent,
        "credited": credited,
        "refund": back_of(charge.amount, credited, charge.paid),
        "last_day": last_drop_day(starts_on),
    }


@domain.read(
    requires=[identified.on("entry.student")],
    tells={
        "position": [
            "which position I have on the waitlist for {entry.section}",
            "where I am in the queue for {entry.section}",
            "what number I am in line for {entry.section}",
        ],
        "waiting": [
            "how many people are waiting for {entry.section} in all",
            "how long the whole queue for {entry.section} is",
        ],
    },
    errors={"not_waiting": "This place does not wait any more."},
)
def waitlist_position(db, entry: WaitlistEntry) -> QueuePosition:
    """Where a waiting student stands in the queue for a section, first in line being one, how many
    wait in all, and how many seats the section has."""
    if entry.status != "waiting":
        raise ToolError("not_waiting")
    line = [other.id for other in entry.section.waitlist if other.status == "waiting"]
    position = position_in(line, entry.id)
    return {"position": position, "waiting": len(line), "seats": entry.section.capacity}


@domain.read(public=True)
def sections_with_seats(
    db,
    department: Literal["biology", "computing", "economics", "english", "history", "mathematics"],
    page: Annotated[int, Field(ge=1)] = 1,
) -> Page[CourseSection]:
    """The sections of a department that have a free seat and still take people, in the order of
    their numbers.

    Args:
        department: Whose sections to show
        page: Which page of them
    """
    rows = [
        section
        for section in db.all(CourseSection, status="open")
        if section.course.department == department and may_be_added(section.starts_on, db.today)
    ]
    return page_of(rows, page, SEATS_PAGE)


# Writes.

WHICH_SECTION = [
    "Which section do you mean, that is, with which teacher or on which days?",
    "Which class would it be, of which course and with whom?",
    "Could you tell me the course and the teacher of the section?",
]
WHICH_PLACE = [
    "Which of your classes is it about?",
    "Which class do you mean, please?",
    "Could you name the class for me, by its title or its teacher?",
]


@domain.write(
    requires=[
        no_hold,
        within_credits,
        prerequisites_met,
        no_clash,
        add_period_open,
        not_in_course,
        pass_fail_left,
        level_suits_year,
        not_passed_before,
        own_subject_graded,
        identified,
        confirmed,
    ],
    changes=[
        moves("section", "open", to=["open", "full"]),
        creates(Enrollment),
        creates(TuitionCharge),
    ],
    ask=[
        "enrol in {section}",
        "sign up for {section}",
        "get into {section}",
        "take {section}",
        "be put into {section}",
        "add {section} to my timetable",
        "register for {section}",
        "have a seat in {section}",
        "join {section}",
        "be enrolled in {section} with {basis} as the basis",
        "sign up for {section}, entered as {basis}",
        "take {section}, with {basis} entered as the basis",
        "take up another class",
        "sign up for one more class",
        "add something to my timetable",
    ],
    asks={
        "section": WHICH_SECTION,
        "basis": [
            "Would that be graded, pass/fail or as an audit?",
            "On which basis, that is, for a grade, pass/fail or only to audit?",
        ],
    },
    outcome=outcome(
        quotes=["tuition", "due_on"],
        mood="good",
        ask_first=[
            "quote_place",
            "{section.course.title} with {section.teacher} is {section.course.credits} credits; "
            "the tuition is {tuition} and due on {due_on}.",
        ],
        says=[
            "You are enrolled in {section.course.title} with {section.teacher}; the tuition of "
            "{tuition} is due on {due_on}.",
            "I've entered you for {section.course.title}: {section.weekdays}, room "
            "{section.room}. The {tuition} for it has to be paid by {due_on}.",
            "The seat in {section.course.title} is yours, and {tuition} has been charged, which "
            "falls due on {due_on}.",
            "{section.teacher} will see you in {section.course.title}; you have until {due_on} to "
            "pay the {tuition}.",
            "Done, {section.course.title} is on your timetable now; your account shows {tuition} "
            "for it, due on {due_on}.",
            "Welcome to {section.course.title}. It costs {tuition}, payable by {due_on}.",
            "Your registration for {section.course.title} has gone through, with {tuition} to pay "
            "by {due_on}.",
            "You've got a place in {section.course.title} on {section.weekdays}, and the bill of "
            "{tuition} wants paying by {due_on}.",
            "{section.course.title} begins for you on {section.starts_on}; an invoice over "
            "{tuition} goes with it, payable until {due_on}.",
            "Congratulations, you're on {section.teacher}'s roster for {section.course.title}; "
            "{tuition} is charged to your account with {due_on} as the deadline.",
        ],
    ),
)
def enrol_student(
    db, student: Student, section: CourseSection, basis: Basis = "graded"
) -> NewPlace:
    """Give a student a seat in an open section. The tuition is charged at once and due {DUE_DAYS}
    days later; the last seat makes the section full. For a full section there is the waitlist.

    Args:
        basis: For a letter grade, pass/fail, or only to audit; graded unless the student says so
    """
    place, charge = take_seat(db, student, section, basis)
    if taken(section) == section.capacity:
        section.status = "full"
    return {
        "enrollment": place,
        "charge_id": charge.id,
        "tuition": charge.amount,
        "due_on": charge.due_on,
    }


@domain.write(
    requires=[
        drop_period_open,
        keeps_enough,
        identified.on("enrollment.student"),
        confirmed,
    ],
    changes=[
        moves("enrollment", "enrolled", to="dropped"),
        sets("enrollment", Enrollment.ended_on),
        moves("enrollment.charges", "open", to="settled"),
        sets("enrollment.charges", TuitionCharge.credited, TuitionCharge.refunded),
        *seat_freed("enrollment.section"),
    ],
    ask=[
        "drop {enrollment}",
        "get out of {enrollment}",
        "give up {enrollment}",
        "be taken out of {enrollment}",
        "have {enrollment} dropped",
        "cancel {enrollment}",
        "leave {enrollment}",
        "take {enrollment} off my timetable",
        "be let out of {enrollment}",
        "drop one of my classes",
        "get rid of a class",
        "take something off my timetable",
    ],
    asks={"enrollment": WHICH_PLACE},
    outcome=outcome(
        quotes=["credited", "refund"],
        mood="neutral",
        irreversible=True,
        ask_first=[
            "quote_drop",
            "{enrollment.section.course.title} can be dropped until {last_day}. {credited} of its "
            "tuition would be credited; "
            "{refund} of it is money that goes back to you.",
        ],
        says=[
            "{enrollment.section.course.title} is dropped; {credited} has been credited, and "
            "{refund} goes back to you.",
            "You are out of {enrollment.section.course.title}. That takes {credited} off the "
            "tuition, with {refund} paid back to you.",
            "I've taken {enrollment.section.course.title} off your timetable: {credited} is "
            "credited and {refund} refunded.",
            "The roster of {enrollment.section.course.title} no longer shows you; your account is "
            "lighter by {credited}, and the bursar transfers {refund} to you.",
            "As of today {enrollment.section.course.title} has vanished from your "
            "schedule; {credited} was written off and {refund} is reimbursed.",
            "Your seat in {enrollment.section.course.title} is free for somebody else now; the "
            "credit is {credited}, and {refund} is on its way to you.",
            "The drop of {enrollment.section.course.title} is entered, with a credit of "
            "{credited} and a refund of {refund}.",
            "That's {enrollment.section.course.title} dropped, and it won't show on your "
            "transcript; {credited} comes off the bill, {refund} of which is returned to you.",
        ],
    ),
)
def drop_section(db, enrollment: Enrollment) -> Dropped:
    """Take a student out of a section while its drop period runs. Tuition is credited by the day,
    and what had been paid beyond the rest is refunded. The seat goes to the first in the waitlist,
    who has {OFFER_DAYS} days to accept it; if nobody waits, the section is open again."""
    percent = refund_percent(enrollment.section.starts_on, db.today)
    enrollment.status, enrollment.ended_on = "dropped", db.today
    charge = enrollment.charges[0]
    charge.credited = credit_of(charge.amount, percent)
    charge.refunded = back_of(charge.amount, charge.credited, charge.paid)
    if charge.status == "open" and not rest(charge):
        charge.status = "settled"
    pass_seat_on(db, enrollment.section)
    return {
        "enrollment": enrollment,
        "credited": charge.credited,
        "refund": charge.refunded,
    }


@domain.write(
    requires=[withdrawable, keeps_enough, identified.on("enrollment.student"), confirmed],
    changes=[
        moves("enrollment", "enrolled", to="withdrawn"),
        sets("enrollment", Enrollment.ended_on),
    ],
    ask=[
        "withdraw from {enrollment}",
        "be withdrawn from {enrollment}",
        "stop attending {enrollment} for good",
        "break off {enrollment}",
        "pull out of {enrollment}",
        "have {enrollment} marked as withdrawn",
        "step back from {enrollment}",
        "withdraw from a class",
        "break off one of my classes",
    ],
    asks={"enrollment": WHICH_PLACE},
    outcome=outcome(
        mood="bad",
        irreversible=True,
        ask_first=[
            "Withdrawing from {enrollment.section.course.title} stays on your transcript, and no "
            "tuition is credited."
        ],
        says=[
            "You are withdrawn from {enrollment.section.course.title} as of today, and the "
            "tuition for it remains to be paid.",
            "I've entered your withdrawal from {enrollment.section.course.title}; nothing of the "
            "tuition is credited.",
            "{enrollment.section.course.title} is marked as withdrawn now, which your transcript "
            "will show.",
            "The withdrawal from {enrollment.section.course.title} stands; there is no credit "
            "for it.",
            "That ends {enrollment.section.course.title} for you, with a W on the transcript and "
            "the tuition as it was.",
            "{enrollment.section.teacher} will see that you've withdrawn; the bill for "
            "{enrollment.section.course.title} doesn't change.",
        ],
    ),
)
def withdraw_enrollment(db, enrollment: Enrollment) -> Enrollment:
    """Withdraw a student from a section whose drop period is over. The tuition stays, the
    transcript shows the withdrawal, and the seat isn't filled again."""
    enrollment.status, enrollment.ended_on = "withdrawn", db.today
    return enrollment


@domain.write(
    requires=[
        other_class_of_course,
        drop_period_open,
        add_period_open,
        no_clash.on(student="enrollment.student"),
        identified.on("enrollment.student"),
    ],
    changes=[
        stays("enrollment", "enrolled"),
        sets("enrollment", Enrollment.section),
        moves("section", "open", to=["open", "full"]),
        *seat_freed("enrollment.section"),
    ],
    ask=[
        "move from {enrollment} to {section}",
        "swap {enrollment} for {section}",
        "change from {enrollment} into {section}",
        "trade {enrollment} for a seat in {section}",
        "be moved out of {enrollment} and into {section}",
        "switch to {section}, in place of {enrollment}",
        "go to {section} rather than keep {enrollment}",
        "exchange {enrollment} for {section}",
        "have {enrollment} moved to {section}",
    ],
    asks={"enrollment": WHICH_PLACE, "section": WHICH_SECTION},
    errors={"same_section": "The place is in that very section."},
    outcome=outcome(
        mood="good",
        says=[
            "You have moved to {section.teacher}'s class, which meets on {section.weekdays}; the "
            "tuition is unaffected.",
            "Both rosters are updated, and {section.teacher} expects you in {section.room}.",
            "You've traded places successfully; {section.weekdays} it is, from here on.",
            "The swap is done: {section.course.title} is with {section.teacher} for you now, and "
            "nothing changes in the bill.",
            "I've moved you over to the section on {section.weekdays} in {section.room}, at no "
            "extra cost.",
            "From now on you have {section.course.title} on {section.weekdays} with "
            "{section.teacher}.",
            "Your place is in {section.teacher}'s section now, and the old seat has been given "
            "free.",
            "You've changed over to {section.teacher}, whose class begins on {section.starts_on}.",
        ],
    ),
)
def swap_section(db, enrollment: Enrollment, section: CourseSection) -> Enrollment:
    """Move a student to an open section of the same course in one step, so that no seat is lost on
    the way. Tuition and credits stay as they are. The old seat is passed on like one that was
    dropped."""
    old = enrollment.section
    if old is section:
        raise ToolError("same_section")
    enrollment.section = section
    if taken(section) == section.capacity:
        section.status = "full"
    pass_seat_on(db, old)
    return enrollment


@domain.write(
    requires=[
        basis_can_change,
        drop_period_open,
        pass_fail_left.on(student="enrollment.student"),
        own_subject_graded.on(student="enrollment.student", section="enrollment.section"),
        identified.on("enrollment.student"),
    ],
    changes=[stays("enrollment", "enrolled"), sets("enrollment", Enrollment.basis)],
    ask=[
        "have {enrollment} changed to {basis}",
        "switch {enrollment} to {basis}",
        "take {enrollment} as {basis} from now on",
        "have {enrollment} put down as {basis}",
        "have {basis} as the basis of {enrollment}",
        "turn {enrollment} into a {basis} class",
        "have the grading of {enrollment} set to {basis}",
        "change how {enrollment} is graded",
        "change the grading basis of {enrollment}",
    ],
    asks={
        "enrollment": WHICH_PLACE,
        "basis": [
            "Would you like it graded, or pass/fail?",
            "Which basis shall it be: a letter grade, or pass/fail?",
            "To which basis shall I set it, graded or pass/fail?",
        ],
    },
    outcome=outcome(
        quotes=["basis"],
        mood="good",
        says=[
            "{enrollment.section.course.title} is entered as {basis} now.",
            "I've set {enrollment.section.course.title} to {basis}.",
            "The basis of {enrollment.section.course.title} is {basis} from today on.",
            "Your {enrollment.section.course.title} class is down as {basis}, and your teacher "
            "will see it on the list.",
            "That's changed: {enrollment.section.course.title} counts as {basis}.",
            "You have {enrollment.section.course.title} as {basis} now, which can be changed back "
            "until the drop period ends.",
        ],
    ),
)
def change_basis(db, enrollment: Enrollment, basis: Literal["graded", "pass_fail"]) -> Enrollment:
    """Put a running class on another grading basis. It can be changed back as long as the drop
    period runs.

    Args:
        basis: For a letter grade, or pass/fail
    """
    enrollment.basis = basis
    return enrollment


@domain.write(
    requires=[
        no_hold,
        prerequisites_met,
        add_period_open,
        not_in_course,
        below_waitlists,
        level_suits_year,
        not_passed_before,
        one_queue_a_course,
        identified,
    ],
    changes=[stays("section", "full"), creates(WaitlistEntry)],
    ask=[
        "be put on the waitlist for {section}",
        "wait for a seat in {section}",
        "join the waitlist for {section}",
        "get in line for {section}",
        "be noted for {section} in case somebody drops it",
        "queue for {section}",
        "have my name on the waiting list for {section}",
        "be next in line if {section} has a seat again",
        "get on a waitlist",
        "wait for a seat in a full class",
    ],
    asks={"section": WHICH_SECTION},
    outcome=outcome(
        mood="good",
        says=[
            "You are on the waitlist for {section.course.title} with {section.teacher}.",
            "I've put you in line for {section.teacher}'s {section.course.title}; as soon as it's "
            "your turn, a seat is offered to you.",
            "Fingers crossed: you're queued for {section.course.title}, and an e-mail reaches you "
            "the moment a seat is yours to claim.",
            "You've been added at the end of the line for {section.teacher}'s class, as fairness "
            "demands.",
            "Your name stands on the waitlist for {section.course.title} on {section.weekdays}.",
            "You're waiting for {section.course.title} now, and we write to you when a seat comes "
            "up for you.",
            "The waitlist for {section.course.title} has you on it as of today.",
            "You have joined the queue for {section.course.title}, which is served in order.",
        ],
    ),
)
def join_waitlist(db, student: Student, section: CourseSection) -> WaitlistEntry:
    """Put a student on the waitlist of a full section, behind all who wait already. Waiting costs
    nothing, and neither credits nor hours are checked before a seat is accepted."""
    return db.create(WaitlistEntry, student=student, section=section, joined_on=db.today)


@domain.write(
    requires=[identified.on("entry.student")],
    changes=[
        moves("entry", ["waiting", "offered"], to="left"),
        *seat_freed("entry.section"),
    ],
    ask=[
        "give up {entry}",
        "have {entry} deleted",
        "let {entry} go",
        "have {entry} taken off your list",
        "do without {entry}",
        "hand back {entry}",
        "have {entry} struck out",
        "renounce {entry}",
        "give up one of my waitlist places",
        "get off a waitlist",
    ],
    asks={
        "entry": [
            "Which of your waitlist places is it?",
            "Which waitlist do you mean, that is, for which class?",
            "For which class are you waiting no longer?",
        ]
    },
    outcome=outcome(
        mood="neutral",
        irreversible=True,
        says=[
            "You are off the waitlist for {entry.section.course.title}.",
            "I've taken you out of the queue for {entry.section.course.title}; whoever is behind "
            "you moves up.",
            "Your waitlist place for {entry.section.course.title} is given up.",
            "The place in line for {entry.section.course.title} has gone to the next person.",
            "You aren't waiting for {entry.section.course.title} any more.",
            "That was your place on the list for {entry.section.course.title}; you would start "
            "at the end if you joined again.",
        ],
    ),
)
def leave_waitlist(db, entry: WaitlistEntry) -> WaitlistEntry:
    """Take a student off a waitlist, or turn an offered seat down; such a seat is passed on to the
    next in line. Whoever comes back starts at the end."""
    offered = entry.status == "offered"
    entry.status = "left"
    if offered:
        pass_seat_on(db, entry.section)
    return entry


@domain.write(
    requires=[
        *[
            rule.on(student="entry.student", section="entry.section")
            for rule in (
                within_credits,
                no_clash,
                not_in_course,
                not_passed_before,
            )
        ],
        no_hold.on(student="entry.student"),
        identified.on("entry.student"),
        confirmed,
    ],
    changes=[
        moves("entry", "offered", to="accepted"),
        creates(Enrollment),
        creates(TuitionCharge),
    ],
    ask=[
        "accept the seat offered on {entry}",
        "take the seat in {entry.section} that I've been offered",
        "say yes to the offer for {entry.section}",
        "take up the offer I got for {entry.section}",
        "have the seat that came up in {entry.section}",
        "accept the offer on {entry}",
        "claim the seat in {entry.section} that's being kept for me",
        "accept a seat that was offered to me",
    ],
    asks={
        "entry": [
            "Which of the offers do you mean?",
            "For which class was the seat offered to you?",
            "Which waitlist was it that brought you the offer?",
        ]
    },
    outcome=outcome(
        quotes=["tuition", "due_on"],
        mood="good",
        ask_first=[
            "The seat in {entry.section.course.title} counts {entry.section.course.credits} "
            "credits and costs {entry.section.course.tuition}."
        ],
        says=[
            "The seat in {entry.section.course.title} is yours now; the tuition of {tuition} is "
            "due on {due_on}.",
            "You've accepted in time: you are in {entry.section.course.title}, and {tuition} has "
            "to be paid by {due_on}.",
            "That was worth the wait, {entry.section.course.title} is on your timetable; "
            "{tuition} falls due on {due_on}.",
            "I've turned the offer into a place in {entry.section.course.title}, for which "
            "{tuition} is to be paid until {due_on}.",
            "You have a place in {entry.section.teacher}'s {entry.section.course.title}; please "
            "pay the {tuition} by {due_on}.",
            "Your offer for {entry.section.course.title} is taken up, and the account shows "
            "{tuition}, due on {due_on}.",
        ],
    ),
)
def accept_offer(db, entry: WaitlistEntry) -> NewPlace:
    """Turn an offered seat into a place, graded, with its tuition due {DUE_DAYS} days later. Holds,
    credits and hours are looked at now; prerequisites were before."""
    entry.status = "accepted"
    place, charge = take_seat(db, entry.student, entry.section, "graded")
    return {
        "enrollment": place,
        "charge_id": charge.id,
        "tuition": charge.amount,
        "due_on": charge.due_on,
    }


@domain.write(
    requires=[
        within_rest,
        large_enough,
        identified.on("charge.student"),
        confirmed,
    ],
    changes=[
        moves("charge", "open", to=["open", "settled"]),
        sets("charge", TuitionCharge.paid),
    ],
    ask=[
        "pay {amount} towards {charge}",
        "put {amount} towards {charge}",
        "make a payment of {amount} on {charge}",
        "pay off {amount} of {charge}",
        "settle {amount} of {charge}",
        "transfer {amount} for {charge}",
        "have {amount} booked against {charge}",
        "pay something on {charge}",
        "make a payment on {charge}",
    ],
    asks={
        "amount": [
            "How much would you like to pay on it?",
            "What amount do you want to pay?",
            "May I ask for the sum you'd like to pay?",
        ],
        "charge": [
            "The tuition for which class would you like to pay?",
            "Which of the charges is it, that is, for which class?",
            "On which class should the payment go?",
        ],
    },
    outcome=outcome(
        quotes=["paid"],
        mood="good",
        irreversible=True,
        ask_first=["{amount} would go towards {charge}."],
        says=[
            "The transaction went through; {paid} stands to your credit for "
            "{charge.enrollment.section.course.title}.",
            "The bursar's ledger has your transfer, {paid} altogether for "
            "{charge.enrollment.section.course.title}.",
            "Your payment is booked; {paid} in all has come in for "
            "{charge.enrollment.section.course.title} now.",
            "Thank you, the tuition for {charge.enrollment.section.course.title} shows {paid} as "
            "paid.",
            "I've entered the payment, which brings what you have paid for "
            "{charge.enrollment.section.course.title} to {paid}.",
            "That is on your account: {paid} is paid on {charge.enrollment.section.course.title}.",
            "The money for {charge.enrollment.section.course.title} has arrived, and the sum paid "
            "on it is {paid}.",
            "With this payment you've put {paid} towards {charge.enrollment.section.course.title}.",
        ],
    ),
)
def pay_charge(
    db,
    charge: TuitionCharge,
    amount: Annotated[Money, Field(ge=1), drawn(lambda db, charge: payments_for(charge))],
) -> TuitionCharge:
    """Take a payment on one open charge, the whole or a part of what is left. A payment doesn't
    lift a fees hold by itself.

    Args:
        amount: Cents to pay, for example 25000
    """
    charge.paid += amount
    if not rest(charge):
        charge.status = "settled"
    return charge


@domain.write(
    requires=[not_deferred, not_overdue, worth_deferring, identified.on("charge.student")],
    changes=[
        stays("charge", "open"),
        sets("charge", TuitionCharge.due_on, TuitionCharge.deferred),
    ],
    ask=[
        "have {charge} deferred",
        "get more time for {charge}",
        "pay {charge} later",
        "put off {charge}",
        "have the due date of {charge} moved back",
        "postpone {charge}",
        "get a deferral of {charge}",
        "put off one of my bills",
        "get more time for a bill",
    ],
    asks={
        "charge": [
            "The tuition for which class would you like to defer?",
            "Which charge shall I put off, that is, for which class?",
            "Which of your bills needs more time?",
        ]
    },
    outcome=outcome(
        quotes=["due_on"],
        mood="good",
        says=[
            "There is breathing space now: {charge.enrollment.section.course.title} needn't be "
            "paid before {due_on}.",
            "The bursar grants you an extension for {charge.enrollment.section.course.title}, up "
            "to {due_on}.",
            "The tuition for {charge.enrollment.section.course.title} is deferred and due on "
            "{due_on} now.",
            "You have until {due_on} to pay for {charge.enrollment.section.course.title}; this "
            "was the one deferral of it.",
            "I've moved the due date of {charge.enrollment.section.course.title} to {due_on}.",
            "The bill for {charge.enrollment.section.course.title} can wait until {due_on}, which "
            "is final.",
            "{due_on} is when the tuition for {charge.enrollment.section.course.title} falls due "
            "now.",
            "That's put off to {due_on}, for {charge.enrollment.section.course.title} alone.",
        ],
    ),
)
def defer_charge(db, charge: TuitionCharge) -> TuitionCharge:
    """Put the due date of an open charge off by {DEFER_DAYS} days. The sum stays what it is."""
    charge.due_on, charge.deferred = deferred_to(charge.due_on), True
    return charge


@domain.write(
    requires=[hold_is_clear, identified.on("hold.student")],
    changes=[moves("hold", "active", to="lifted")],
    ask=[
        "have {hold} lifted",
        "get rid of {hold}",
        "have {hold} removed",
        "get {hold} taken off",
        "have {hold} cleared",
        "be freed from {hold}",
        "see {hold} gone",
        "have a hold lifted",
        "get my registration unblocked",
    ],
    asks={
        "hold": [
            "Which hold is it: for fees, advising or records?",
            "Which of the holds do you mean, and what is it for?",
            "What kind of hold is it that should go?",
        ]
    },
    outcome=outcome(
        mood="good",
        says=[
            "The {hold.kind} hold is lifted, and your registration is free as far as it goes.",
            "I've taken the {hold.kind} hold off your file.",
            "There is no {hold.kind} hold from {hold.placed_on} in your way any more.",
            "Your {hold.kind} hold is gone as of this minute.",
            "The register has released the {hold.kind} hold.",
            "That {hold.kind} hold doesn't stop you any longer.",
        ],
    ),
)
def release_hold(db, hold: TermHold) -> TermHold:
    """Lift an active hold whose cause is gone. Look at the account or at the day of the advising
    talk first."""
    hold.status = "lifted"
    return hold


@domain.write(
    requires=[overload_earned, identified],
    changes=[sets("student", Student.overload)],
    ask=[
        "get a credit overload",
        "be granted an overload",
        "have my credit limit raised",
        "be allowed to carry more credits",
        "get permission for some extra credits",
        "have an overload entered for this term",
        "take on more credits than usual",
        "be let off the usual credit limit",
        "have more credits than the limit allows",
    ],
    outcome=outcome(
        mood="good",
        says=[
            "The overload is granted, so that your credit limit is higher for this term.",
            "I've granted you the overload; a seat in a class is a separate step.",
            "Your credit limit has been raised for the rest of the term.",
            "The overload stands in the register, and it holds for all your classes together.",
            "You may carry more credits now, until the term is over.",
            "With your grades that was no trouble: the overload is entered.",
        ],
    ),
)
def approve_overload(db, student: Student) -> Student:
    """Grant a credit overload at the desk. It raises the limit for the rest of the term by
    {OVERLOAD_CREDITS} credits, and takes no seat."""
    student.overload = True
    return student


@domain.write(
    requires=[no_such_request, permission_needed, identified],
    changes=[creates(OverrideRequest)],
    ask=[
        "ask the department for a {kind} permission for {section}",
        "request a {kind} permission for {section}",
        "put in a {kind} request for {section}",
        "apply for a {kind} permission for {section}",
        "have a {kind} request for {section} passed to the department",
        "ask for an exception about {section}, as a {kind} matter",
        "hand in a request about {section}",
        "ask for a permission for {section}",
    ],
    asks={
        "section": WHICH_SECTION,
        "kind": [
            "Is it about a prerequisite or about a time clash?",
            "What is the permission for: a prerequisite or a time clash?",
            "Which kind of permission would that be, prerequisite or time clash?",
        ],
    },
    outcome=outcome(
        mood="neutral",
        says=[
            "Your request for {section.course.title} is with the department, which decides.",
            "I've taken down the request about {section.course.title}; the department writes to "
            "you when it has decided.",
            "The department of {section.course.department} has your request for "
            "{section.course.title} now.",
            "That request for {section.teacher}'s class is in the register, and the answer comes "
            "from the department.",
            "I have passed it on for {section.course.title}; until it is granted, there is no "
            "seat in it.",
            "The request stands, and {section.teacher} will be asked about {section.course.title}.",
        ],
    ),
)
def request_override(
    db,
    student: Student,
    section: CourseSection,
    kind: Literal["prerequisite", "time_clash"],
) -> OverrideRequest:
    """Take down a request for a permission that only the department can give.

    Args:
        kind: Whether a prerequisite is missing or the hours overlap
    """
    return db.create(
        OverrideRequest, student=student, section=section, kind=kind, requested_on=db.today
    )


@domain.write(
    requires=[identified.on("request.student")],
    changes=[moves("request", "requested", to="cancelled")],
    ask=[
        "take back {request}",
        "cancel {request}",
        "have {request} withdrawn",
        "call off {request}",
        "stop {request}",
        "have {request} struck",
        "take back a request of mine",
    ],
    asks={
        "request": [
            "Which of your requests do you mean?",
            "Which request is it, that is, about which class?",
            "For which class did you hand it in?",
        ]
    },
    outcome=outcome(
        mood="neutral",
        says=[
            "Your request about {request.section.course.title} is taken back.",
            "I've cancelled the request for {request.section.course.title}.",
            "The department won't deal with {request.section.course.title} any further.",
            "That request about {request.section.course.title} is off the list.",
            "The register shows your request for {request.section.course.title} as cancelled.",
        ],
    ),
)
def cancel_request(db, request: OverrideRequest) -> OverrideRequest:
    """Take back a request that the department hasn't decided yet."""
    request.status = "cancelled"
    return request


@domain.write(
    requires=[identified],
    changes=[creates(RegistrarEscalation)],
    handover=True,
    ask=[
        "speak to the registrar about a matter of {reason}",
        "have the registrar look into this, as a matter of {reason}",
        "take this to the registrar, under the heading of {reason}",
        "be put through to the registrar because of {reason}",
    ],
    asks={
        "reason": [
            "What is it about, so that the registrar knows?",
            "For what reason shall I pass this to the registrar?",
            "May I ask the reason for which you need the registrar?",
        ]
    },
    outcome=outcome(
        mood="neutral",
        says=[
            "The registrar takes this over and will write to you.",
            "I've put your case before the registrar, who gets back to you in person.",
            "That's for the registrar to settle; your case has the number "
            "{registrar_escalation_id}.",
            "The registrar reads your case next and contacts you about it.",
            "Your case lies with the registrar now, under {registrar_escalation_id}.",
            "The registrar's office has it from here, and you'll hear from them.",
        ],
    ),
)
def escalate_to_registrar(
    db,
    student: Student,
    reason: Literal["grade_dispute", "missing_record", "personal_details", "complaint", "other"],
) -> RegistrarEscalation:
    """Put a case before the registrar: as `grade_dispute` when a student says that a grade is
    wrong, as `missing_record` when the student has sent the document for which a records hold
    stands, as `personal_details` when a name, address or e-mail has to be changed, as `complaint`
    about staff or teaching, and as `other` when none of your tools can do what is wanted. What a
    rule forbids is refused by you, with the rule; it is no case for the registrar.

    Args:
        reason: What the registrar is needed for
    """
    return db.create(RegistrarEscalation, student=student, reason=reason, at=db.now)


# What brings people here, what changes their minds, and what only the registrar can settle.

for text, tools in (
    ("My timetable has a hole in it.", ["enrol_student"]),
    ("My adviser has drawn up a plan with me.", ["enrol_student", "join_waitlist"]),
    ("I'd like to graduate on time, so I need the credits.", ["enrol_student", "join_waitlist"]),
    ("My roommate raves about the teacher.", ["enrol_student"]),
    ("A documentary on whales has given me ideas.", ["enrol_student"]),
    ("The brochure in the cafeteria caught my eye.", ["enrol_student"]),
    ("My grandfather was a sailor and told me stories by the dozen.", ["enrol_student"]),
    ("I promised myself to try something off the beaten track.", ["enrol_student"]),
    ("An employer at the career fair advised me to broaden my profile.", ["enrol_student"]),
    ("My violin lessons have ended, so my afternoons are empty.", ["enrol_student"]),
    ("The honours committee expects a bit more breadth of me.", ["enrol_student"]),
    ("I've checked my inbox every hour since Monday.", ["join_waitlist"]),
    ("It's the last chance before my exchange year abroad.", ["join_waitlist"]),
    ("I keep hearing what a brilliant lecturer that is.", ["join_waitlist"]),
    ("I twisted my knee, and the stairs up there are torture.", ["drop_section", "swap_section"]),
    ("My thesis is swallowing every spare minute.", ["drop_section"]),
    ("The choir has invited me on a concert tour.", ["drop_section"]),
    ("I've been offered a traineeship at the aquarium.", ["drop_section", "withdraw_enrollment"]),
    ("My eyesight is giving me trouble with so much screen work.", ["drop_section"]),
    ("I've been in hospital since carnival.", ["withdraw_enrollment"]),
    ("Panic attacks have kept me away from the lecture hall.", ["withdraw_enrollment"]),
    ("My ferry only gets in at a quarter past ten.", ["swap_section"]),
    ("Football practice has moved.", ["swap_section"]),
    ("My carpool has fallen apart.", ["swap_section"]),
    ("A medical school asked for letters on the transcript.", ["change_basis"]),
    ("I only want to broaden my horizon with it, not compete.", ["change_basis"]),
    ("Grandma slipped an envelope into my luggage.", ["pay_charge"]),
    ("I won a small prize in a photo contest.", ["pay_charge"]),
    ("My summer savings are burning a hole in my pocket.", ["pay_charge"]),
    ("The scholarship board pays out a month behind schedule.", ["defer_charge"]),
    ("I had to fly home unexpectedly, and that was expensive.", ["defer_charge"]),
    ("My laptop died, and a replacement couldn't wait.", ["defer_charge"]),
    ("The portal shows a padlock on my profile.", ["release_hold"]),
    ("I've settled what was asked of me, as far as I know.", ["release_hold"]),
    ("I sat in on the first meeting and loved it.", ["enrol_student", "join_waitlist"]),
    ("I'm thinking of graduate school.", ["enrol_student"]),
    ("I've got more energy than I thought this term.", ["enrol_student"]),
    ("The course catalogue kept me up half the night.", ["enrol_student", "join_waitlist"]),
    ("My internship fell through, so there's time on my hands.", ["enrol_student"]),
    ("My scholarship asks for a fuller load.", ["enrol_student"]),
    ("The lab where I help out wants me to know more.", ["enrol_student"]),
    ("I've wanted to learn something like that since school.", ["enrol_student"]),
    ("Rainy weekends ought to be spent on something useful.", ["enrol_student"]),
    ("An aunt of mine owns a vineyard and hopes that I'll take over.", ["enrol_student"]),
    ("My volunteer work at the shelter has finished.", ["enrol_student"]),
    ("The librarian pointed me towards a fascinating topic.", ["enrol_student", "join_waitlist"]),
    ("Half my dormitory is sitting in there already.", ["join_waitlist"]),
    ("Luck has been on my side lately.", ["join_waitlist"]),
    ("My tutor swears that patience gets rewarded.", ["join_waitlist"]),
    ("A migraine clinic put me on a strict daily routine.", ["drop_section", "swap_section"]),
    ("Our newborn twins leave me no sleep whatsoever.", ["drop_section", "withdraw_enrollment"]),
    ("I underestimated how much vocabulary there is to memorise.", ["drop_section"]),
    ("Night shifts at the harbour pay better than I expected.", ["drop_section"]),
    ("My landlady wants the garden dug over every Wednesday.", ["drop_section", "swap_section"]),
    ("The microscope gives me headaches, and the smell is worse.", ["drop_section"]),
    ("Somebody stole my notebook with everything in it.", ["withdraw_enrollment"]),
    ("A surgeon is going to repair my shoulder next week.", ["withdraw_enrollment"]),
    ("The basketball squad travels on those days.", ["swap_section"]),
    ("My hearing aid copes badly with that echoing hall.", ["swap_section"]),
    ("I babysit my nephews, and their kindergarten closes early.", ["swap_section"]),
    ("Perfectionism has been eating me up.", ["change_basis"]),
    ("Looking back, ticking that box was a whim.", ["change_basis"]),
    ("An exchange programme wants proper marks from me.", ["change_basis"]),
    ("My cousin is taking me along on her research cruise.", ["leave_waitlist"]),
    ("Queues make me nervous, frankly.", ["leave_waitlist"]),
    ("I've decided in favour of a lighter spring.", ["leave_waitlist"]),
    ("The bicycle that I advertised has found a buyer.", ["pay_charge"]),
    ("Overtime at the warehouse has filled my wallet.", ["pay_charge"]),
    ("I'm determined to be free of debt by Easter.", ["pay_charge"]),
    ("Godparents are generous creatures.", ["pay_charge"]),
    ("I tutored three schoolchildren all winter.", ["pay_charge"]),
    ("Heating costs have eaten my reserves.", ["defer_charge"]),
    ("The embassy is holding up a bank transfer from home.", ["defer_charge"]),
    ("My employer went bankrupt and owes me wages.", ["defer_charge"]),
    ("A burst radiator ruined half of what I own.", ["defer_charge"]),
    ("A friend and I want to sit in the same class.", ["enrol_student", "join_waitlist"]),
    ("The syllabus on the website made me curious.", ["enrol_student", "join_waitlist"]),
    ("I hear that it isn't taught again until next year.", ["enrol_student", "join_waitlist"]),
    ("My evenings are free since the play closed.", ["enrol_student"]),
    ("I don't mind sitting on pins and needles for a while.", ["join_waitlist"]),
    ("People always leave in the second week, I've noticed.", ["join_waitlist"]),
    ("The website says that every seat is gone.", ["join_waitlist"]),
    ("I'm patient, and hope costs nothing.", ["join_waitlist"]),
    ("Somebody told me she's about to leave that class.", ["join_waitlist"]),
    ("Last term I got in at the last minute that way.", ["join_waitlist"]),
    ("The first assignment has shown me that I'm out of my depth.", ["drop_section"]),
    ("I've bitten off more than I can chew.", ["drop_section"]),
    ("My shifts at the bakery have doubled.", ["drop_section"]),
    ("The reading list alone is longer than my arm.", ["drop_section"]),
    ("Training for the regatta eats up my mornings.", ["drop_section"]),
    ("It isn't what the description made me expect.", ["drop_section"]),
    ("My back pain doesn't let me sit that long.", ["drop_section"]),
    ("I'm behind already, and we've hardly begun.", ["drop_section"]),
    ("My parents need me at home two days a week.", ["drop_section", "withdraw_enrollment"]),
    ("The commute for a single class is killing me.", ["drop_section"]),
    ("I've changed my mind about my minor.", ["drop_section"]),
    ("The debating club wants me as captain, and something has to give.", ["drop_section"]),
    ("I've been ill for weeks and can't catch up.", ["withdraw_enrollment"]),
    ("The midterm went so badly that there's no saving it.", ["withdraw_enrollment"]),
    ("My doctor wants me to slow down.", ["withdraw_enrollment"]),
    ("There has been a death in the family.", ["withdraw_enrollment", "defer_charge"]),
    ("I've missed too many meetings to pass.", ["withdraw_enrollment"]),
    ("I can't keep my head above water any more.", ["withdraw_enrollment"]),
    ("My child's day care has changed its hours.", ["swap_section", "drop_section"]),
    ("The bus that I take has a new timetable.", ["swap_section"]),
    ("My job wants me on other days from now on.", ["swap_section"]),
    ("I'm no morning person, as my flatmates will confirm.", ["swap_section"]),
    ("My study group is all in the other class.", ["swap_section"]),
    ("Rehearsals have been put right on top of it.", ["swap_section", "drop_section"]),
    ("I get on better with the other teacher.", ["swap_section"]),
    ("Two of my days are crammed while others are empty.", ["swap_section"]),
    ("I want to learn without staring at a mark.", ["change_basis"]),
    ("I've thought about what should show on my transcript.", ["change_basis"]),
    ("I wasn't thinking when I filled in the form.", ["change_basis"]),
    ("A law school I like looks at every single mark.", ["change_basis"]),
    ("I'd like to take some pressure off.", ["change_basis"]),
    ("My first essay came back better than I'd dared to hope.", ["change_basis"]),
    ("I got your message this morning and jumped for joy.", ["accept_offer"]),
    ("I've been refreshing my inbox for days.", ["accept_offer"]),
    ("I'm told that somebody made room for me.", ["accept_offer"]),
    ("At last my patience has paid off.", ["accept_offer"]),
    ("I don't want that chance to slip away.", ["accept_offer"]),
    ("I've found something else that fits better.", ["leave_waitlist"]),
    ("I've given up hope of getting a seat, to be honest.", ["leave_waitlist"]),
    ("My plans for the term look different now.", ["leave_waitlist", "cancel_request"]),
    ("Somebody else needs it more than I do.", ["leave_waitlist"]),
    ("I'm full up as it is.", ["leave_waitlist"]),
    ("The hours turned out to be impossible for me.", ["leave_waitlist", "cancel_request"]),
    ("My tax refund has come in.", ["pay_charge"]),
    ("My aunt has sent me something towards my studies.", ["pay_charge"]),
    ("I got paid on Friday.", ["pay_charge"]),
    ("I'd like to bring my account down a bit.", ["pay_charge"]),
    ("The bursar's letter gave me a fright.", ["pay_charge", "defer_charge"]),
    ("I sold my old guitar.", ["pay_charge"]),
    ("My student loan has finally arrived.", ["pay_charge"]),
    ("I've budgeted for it this month.", ["pay_charge"]),
    ("Debts make me sleep badly.", ["pay_charge"]),
    ("My grant is late, through no fault of mine.", ["defer_charge"]),
    ("My car broke down and swallowed my savings.", ["defer_charge"]),
    ("The loan office is taking its time.", ["defer_charge"]),
    ("I only get paid at the end of the month.", ["defer_charge"]),
    ("My landlord has just raised the rent.", ["defer_charge"]),
    ("The system won't let me register for anything.", ["release_hold"]),
    ("There's a red flag next to my name online.", ["release_hold"]),
    ("I did what the letter asked me to do.", ["release_hold"]),
    ("A message says that I'm blocked.", ["release_hold"]),
    ("I can't plan anything while that thing is there.", ["release_hold"]),
    ("I'd rather work hard now and finish early.", ["approve_overload"]),
    ("My grades have been fine, and I could do with a challenge.", ["approve_overload"]),
    ("One more class would let me graduate a term sooner.", ["approve_overload"]),
    ("I'm told that good students may take on more.", ["approve_overload"]),
    ("I learned most of that on my own years ago.", ["request_override"]),
    ("The teacher said I'd be welcome.", ["request_override"]),
    ("I took something like it at my old college.", ["request_override"]),
    ("It would only be a few minutes each week.", ["request_override"]),
    ("I've worked in that field for two summers.", ["request_override"]),
    ("I have sorted things out in another way.", ["cancel_request"]),
    ("I was too hasty with that form.", ["cancel_request"]),
    ("My teacher has talked me out of it.", ["cancel_request"]),
):
    domain.situation(text, leads_to=tools)

for text, tools in (
    ("The dean's office has just offered me a tutoring job.", ["enrol_student", "accept_offer"]),
    ("A look at the calendar tells me that my weeks are packed.", ["enrol_student"]),
    ("My sister's wedding is in the middle of it, I realise.", ["enrol_student", "accept_offer"]),
    ("My coach thinks I should sleep on it.", ["drop_section", "withdraw_enrollment"]),
    ("I've just got a surprisingly kind comment on my essay.", ["drop_section"]),
    ("The dentist's bill has to come first, I'm afraid.", ["pay_charge"]),
    ("I should look at my budget again first.", ["enrol_student", "pay_charge", "accept_offer"]),
    ("My boss has just written that he needs me at that hour.", ["enrol_student", "accept_offer"]),
    ("I'd forgotten about the swim team.", ["enrol_student", "accept_offer", "join_waitlist"]),
    ("My adviser has just told me to go slower.", ["enrol_student", "accept_offer"]),
    ("That's more than I can afford right now.", ["enrol_student", "accept_offer"]),
    ("I've just seen how much reading there is.", ["enrol_student", "join_waitlist"]),
    ("A friend has just warned me about the workload.", ["enrol_student", "accept_offer"]),
    ("I'd rather see the syllabus first.", ["enrol_student"]),
    ("My study group won't let me go.", ["drop_section", "withdraw_enrollment"]),
    ("I'll give it one more week.", ["drop_section", "withdraw_enrollment"]),
    ("I would lose more money than I thought.", ["drop_section"]),
    ("The teacher has just offered to help me catch up.", ["drop_section", "withdraw_enrollment"]),
    ("I don't want that on my transcript after all.", ["withdraw_enrollment"]),
    ("I should talk to my parents before I do that.", ["drop_section", "withdraw_enrollment"]),
    ("I've come this far, so I may as well finish.", ["withdraw_enrollment"]),
    ("I need that money for the rent.", ["pay_charge"]),
    ("My card is at home, I've just noticed.", ["pay_charge"]),
    ("I'd rather wait for my loan.", ["pay_charge"]),
    ("My mother says that she will take care of it.", ["pay_charge"]),
    ("I'd like to check the bill line by line first.", ["pay_charge"]),
    ("I may still get in, who knows.", ["leave_waitlist"]),
    ("It would be silly to give that up now.", ["leave_waitlist"]),
    ("My friend has just told me that people are leaving.", ["leave_waitlist"]),
):
    domain.second_thought(text, about=tools)

domain.concern(
    "grade_dispute",
    [
        "The {grade} in {section.course.title} is a mistake, I have all my papers here.",
        "I was given a {grade} for {section.course.title}, and my own sums say otherwise.",
        "My final exam in {section.course.title} was never counted, and so I ended up with a "
        "{grade}.",
        "I want to contest the {grade} that {section.teacher} gave me in {section.course.title}.",
        "{section.teacher} promised me a better grade than the {grade} you show for "
        "{section.course.title}.",
        "A {grade} in {section.course.title} can't be right, somebody must have mixed up names.",
    ],
    about=Enrollment,
    where={"status": "completed", "basis": "graded"},
    noted="that you dispute your grade in {section.course.title}",
)
domain.concern(
    "missing_record",
    [
        "I've sent you the transcript that you were missing, and the records hold is still there.",
        "My vaccination record went to you by post, yet there's still a records hold on me.",
        "The archive has had my school diploma for ages, and the records hold won't go away.",
        "I handed my residence papers in at your counter, but the records hold has stayed.",
        "My old college has mailed you everything, and still there is that records hold.",
        "You hold my registration for a document that I uploaded twice.",
    ],
    about=TermHold,
    where={"kind": "records", "status": "active"},
    noted="that the document for the records hold of {placed_on} has been sent",
)
domain.concern(
    "personal_details",
    [
        "I've married, and my student card should carry my new surname.",
        "My e-mail address has changed, and your messages go nowhere.",
        "There's a typing error in my name, and it'll end up on my diploma.",
        "I've moved to another dormitory, so my address needs to be changed.",
        "I go by another first name now, which the court has confirmed.",
        "My mailbox was hacked, so kindly replace the address that you write to.",
        "The accent on my surname has gone missing in your computer.",
        "The phone number you have for me belongs to my former flatmate.",
    ],
    noted="that your personal details have to be changed, for which you'll be asked for proof",
)
domain.concern(
    "complaint",
    [
        "A teacher hasn't turned up for two weeks, and nobody tells us anything.",
        "I was laughed at in front of the whole class, and I won't put up with that.",
        "The room we've been given has no heating, and we all sit there in coats.",
        "Somebody at the bursar's counter shouted at me this morning.",
        "Our teacher gives back papers after six weeks, if at all, and I want to complain.",
        "The lift in the science building has been broken for a month, and I use a wheelchair.",
        "I've been sent from one office to the next for three days now.",
        "During the oral exam an assessor kept yawning and scrolling through photographs.",
        "The vending machine beside your counter has robbed me twice this week.",
        "Drilling next door drowns out every lecture, and nobody has warned us.",
        "A tutor mocks my accent whenever I open my mouth.",
    ],
    noted="your complaint, in the words you used, and I'm sorry about that",
)
domain.concern(
    "other",
    [
        "I'd like to found a rowing club and need the college to sign something.",
        "My visa office wants a letter about my studies with a stamp on it.",
        "I want to change my programme from the ground up.",
        "I'd like to take a whole year off and come back after that.",
        "My parents would like to see the campus with a guide.",
        "I need my diploma reprinted, as a pipe burst above my desk.",
        "Could a teacher from my old school come along to a lecture?",
        "I'd like to spend a term at your partner college in Norway.",
        "I've lost my student card somewhere on the beach.",
        "A newspaper would like to interview whoever runs your seminars on navigation.",
        "Might my guide dog get a permit for the laboratories?",
        "I'd like to donate a brass telescope to the college museum.",
        "My choir is searching for a hall to rehearse in over Easter.",
        "Somebody ought to translate my certificates into Portuguese for me.",
    ],
    noted="what you would like, so that the registrar can see what is possible",
)


# Seed data. Students come in kinds that stand at, or one step below, the limits.

# Code, title, department, level, credits, and what has to be passed before, with which grade.
CATALOGUE = """
BIO-101|Cells and Organisms|biology|100|4|
MAT-101|College Algebra|mathematics|100|3|
ENG-101|Academic Writing|english|100|3|
HIS-102|The Modern World|history|100|3|
CMP-101|Programming Basics|computing|100|4|
ECO-101|Principles of Economics|economics|100|3|
CMP-110|Web Design|computing|100|3|
BIO-120|Human Nutrition|biology|100|3|
HIS-140|Ships and Harbours|history|100|2|
ENG-205|The Short Story|english|200|3|ENG-101 C
MAT-150|Calculus|mathematics|100|4|MAT-101 B
BIO-201|Genetics|biology|200|4|BIO-101 C
BIO-215|Marine Ecology|biology|200|3|BIO-101 C
MAT-205|Statistics|mathematics|200|3|MAT-101 C
CMP-220|Data Structures|computing|200|4|CMP-101 C
ECO-210|Money and Banking|economics|200|3|ECO-101 C
HIS-212|Maritime History|history|200|3|HIS-102 C
ENG-240|Poetry Workshop|english|200|2|ENG-101 D
MAT-310|Linear Algebra|mathematics|300|4|MAT-150 C
CMP-330|Databases|computing|300|3|CMP-220 B
ECO-320|Econometrics|economics|300|4|ECO-210 C, MAT-205 B
HIS-325|The Age of Steam|history|300|3|HIS-212 C
ENG-330|Shakespeare's Late Plays|english|300|3|ENG-205 C
BIO-310|Microbiology|biology|300|4|BIO-201 C
HIS-305|Reading Old Maps|history|300|2|
"""
FIRST_YEAR = 9  # courses of the catalogue that ask for nothing, from its beginning
TEACHERS = (
    """
Ruth Calloway; Piotr Zielinski; Amina Haddad; Gordon Peake; Leonie Brandt; Samuel Osei
Ingrid Dahl; Marcus Whitlock; Yuki Tanabe; Teresa Lobo; Fergus McRae; Nadia Petrov
Owen Pritchard; Delphine Roux; Kwame Asante; Hilda Storm; Victor Almeida; Clara Winslow
""".strip()
    .replace("\n", "; ")
    .split("; ")
)
HALLS = ("Cooper Hall", "Lantern House", "the Annexe", "Pier Building", "Old Chapel")
HOURS = (
    ("Mondays and Wednesdays", time(9, 0), 75),
    ("Tuesdays and Thursdays", time(9, 30), 75),
    ("Mondays and Wednesdays", time(11, 0), 75),
    ("Fridays", time(9, 0), 150),
    ("Tuesdays and Thursdays", time(11, 15), 90),
    ("Mondays and Wednesdays", time(13, 30), 90),
    ("Wednesdays and Fridays", time(12, 0), 75),
    ("Tuesdays and Thursdays", time(14, 0), 75),
    ("Saturdays", time(10, 0), 150),
    ("Mondays and Wednesdays", time(15, 45), 75),
    ("Tuesdays and Thursdays", time(16, 0), 90),
    ("Fridays", time(13, 30), 150),
    ("Wednesdays and Fridays", time(10, 0), 120),
)
# From which day the first meeting is looked for, and how long the class runs.
PACES = {
    "late_start": (15, 70),
    "regular": (0, 98),
    "early_start": (-12, 90),
    "half_term": (-25, 49),
    "year_long": (-62, 180),
}
PAIRS = (
    ("regular", "late_start"),
    ("regular", "regular"),
    ("early_start", "regular"),
    ("half_term", "late_start"),
    ("regular", "late_start"),
    ("year_long", "regular"),
    ("regular", "half_term"),
)
GRADES = {"strong": "AAABAB", "sound": "BCBACB", "weak": "DCFCDD"}
# Year, standing, marks, credits to fill or number of classes, holds, what is paid, earlier credits.
KINDS = (
    (2, "good", "strong", 16, (), "half", 22),
    (1, "good", "sound", 9, ("fees",), "half", 0),
    (3, "good", "strong", 16, (), "most", 54),
    (2, "probation", "weak", 12, ("advising",), "half", 11),
    (4, "good", "sound", 10, ("advising",), "none", 84),
    (1, "good", "sound", 6, (), "most", 0),
    (3, "good", "strong", 16, (), "most", 60),
    (2, "good", "sound", 9, ("records",), "most", 25),
    (3, "probation", "weak", 12, (), "none", 40),
    (4, "good", "strong", 12, ("fees",), "most", 88),
    (2, "good", "strong", 7, ("fees",), "half", 18),
    (3, "good", "sound", 16, ("advising",), "half", 48),
    (1, "probation", "weak", 9, (), "most", 0),
    (4, "good", "strong", 16, (), "half", 91),
)
PASSED = (2, 3, 5, 6)  # courses behind a student, by year
FEWEST = 14
CANCELLED = 29  # of so many sections one was called off


def term_of(day: date) -> str:
    """The term that a day belongs to.

    >>> term_of(date(2026, 3, 16)), term_of(date(2025, 8, 20)), term_of(date(2026, 6, 30))
    ('Spring 2026', 'Autumn 2025', 'Summer 2026')
    """
    names = ("Spring", "Summer", "Autumn")
    return f"{names[(day.month > 5) + (day.month > 7)]} {day.year}"


def first_day(weekdays: str, day: date) -> date:
    """The last day on or before a day on which a class with these weekdays begins a week.

    >>> str(first_day("Fridays", date(2026, 3, 16))), str(first_day("Fridays", date(2026, 3, 13)))
    ('2026-03-13', '2026-03-13')
    """
    return day - timedelta(days=(day.weekday() - WEEK[weekdays][0]) % 7)


def add_catalogue(w: Seeder) -> list[Course]:
    courses, by_code = [], {}
    for line in CATALOGUE.strip().split("\n"):
        code, title, department, level, credits, _ = line.split("|")
        lab = department in ("biology", "computing")
        course = by_code[code] = w.add(
            Course,
            code=code,
            title=title,
            department=department,
            level=int(level),
            credits=int(credits),
            tuition=tuition_for(int(credits), lab, False),
        )
        courses.append(course)
    for line in CATALOGUE.strip().split("\n"):
        code, *_, needs = line.split("|")
        for need in needs.split(", ") if needs else ():
            needed, minimum = need.split()
            w.add(Prerequisite, course=by_code[code], needed=by_code[needed], minimum=minimum)
    return courses


def add_section(w: Seeder, course: Course, number: int, starts_on: date, days: int, **more):
    weekdays, starts_at, minutes = HOURS[number % len(HOURS)]
    starts_on = first_day(weekdays, starts_on)
    return w.add(
        CourseSection,
        course=course,
        term=term_of(starts_on),
        teacher=TEACHERS[number * 5 % len(TEACHERS)],
        weekdays=weekdays,
        starts_at=starts_at,
        minutes=minutes,
        room=f"{HALLS[number % len(HALLS)]} {101 + number * 7 % 30}",
        starts_on=starts_on,
        ends_on=starts_on + timedelta(days=days),
        **more,
    )


def add_sections(w: Seeder, courses: list[Course], rounds: int):
    """Sections of the past, one for each course and round, and those of now, two of each."""
    past, now, number = {}, [], 0
    for course in courses:
        past[course.code] = []
        for k in range(rounds):
            starts_on = w.day(-230, -200) if k % 2 else w.day(-380, -350)
            number += 1
            more = {"pace": "regular", "capacity": 30, "status": "closed"}
            past[course.code].append(add_section(w, course, number, starts_on, 98, **more))
    number = 0
    for k in range(rounds):
        for i, course in enumerate(courses):
            for pace in PAIRS[(i + k) % len(PAIRS)]:
                offset, days = PACES[pace]
                starts_on = w.day(offset, offset)
                more = {"pace": pace, "capacity": 40}
                if number % CANCELLED == 4:
                    more = {"pace": pace, "capacity": 6, "status": "cancelled"}
                now.append(add_section(w, course, number, starts_on, days, **more))
                number += 1
            number += 1
    return past, now


def add_place(w: Seeder, student: Student, section: CourseSection, **more) -> Enrollment:
    early = min(section.starts_on, w.today) - timedelta(days=w.rng.randint(4, 40))
    return w.add(Enrollment, student=student, section=section, enrolled_on=early, **more)


def add_history(w: Seeder, student: Student, marks: str, number: int, courses, past) -> None:
    """Completed classes, each after what it asks for. A few weren't passed, and one was a
    pass/fail."""
    first, later = list(courses[:FIRST_YEAR]), list(courses[FIRST_YEAR:])
    w.rng.shuffle(first)
    own = [course for course in first if course.department == student.programme]
    first = own + [course for course in first if course not in own]
    done = 0
    for n, course in enumerate(first[: max(2, number - 3)] + later):
        if done == number:
            return
        if missing(student, course):
            continue
        grade, basis = w.pick(GRADES[marks]), "graded"
        if n == 3 and course.department != student.programme:
            basis, grade = "pass_fail", "NP" if grade == "F" else "P"
        elif n == 4 and student.year > 2:
            basis, grade = "audit", None
        section = w.pick(past[course.code])
        more = {"basis": basis, "grade": grade, "ended_on": section.ends_on, "status": "completed"}
        add_place(w, student, section, **more)
        done += 1


def fits(student: Student, section: CourseSection, most: int) -> bool:
    return (
        section.status == "open"
        and credits_of(student) + section.course.credits <= most
        and not_in_course.predicate(student, section)
        and not missing(student, section.course)
        and not clashing(student, section)
        and not_passed_before.predicate(student, section)
        and is_for_year(section.course.level, student.year)
    )


def add_charge(w: Seeder, place: Enrollment, how: str, number: int) -> TuitionCharge:
    """The tuition of a place, paid as its kind of student pays; credited if the place was
    dropped."""
    amount = place.section.course.tuition
    if place.basis == "audit":
        amount = credit_of(amount, AUDIT_PERCENT)
    share = {"none": (0, 0, 20), "half": (100, 50, 0), "most": (100, 100, 60)}[how][number % 3]
    paid = amount * share // 100 // 500 * 500 if share < 100 else amount
    credited = 0
    if place.status == "dropped":
        percent = refund_percent(place.section.starts_on, place.ended_on)
        credited = credit_of(amount, percent)
    since = max(place.section.starts_on, place.enrolled_on)
    refunded = back_of(amount, credited, paid)
    return w.add(
        TuitionCharge,
        student=place.student,
        enrollment=place,
        course=place.section.course,
        amount=amount,
        credited=credited,
        paid=paid,
        refunded=refunded,
        due_on=due_after(since) + timedelta(days=w.rng.randint(0, 9)),
        deferred=number % 5 == 4,
        status="open" if left_of(amount, credited, paid, refunded) else "settled",
    )


def add_places(w: Seeder, students, now: list[CourseSection]) -> list[Enrollment]:
    """Running places up to the credits of each kind, and places that were given up."""
    places = []
    for i, (student, most) in enumerate(students):
        order = list(now)
        w.rng.shuffle(order)
        # What has begun long ago comes first for some, so that all deadlines are met with.
        order.sort(key=lambda section, i=i: section.pace not in ("half_term", "year_long") or i % 2)
        pass_fail = 0
        for n, section in enumerate(order):
            late = section.pace in ("half_term", "year_long")
            if late and sum(p.section.pace == section.pace for p in live(student)) > 0:
                continue
            if not fits(student, section, most):
                continue
            basis = "graded"
            own = section.course.department == student.programme
            if not own and pass_fail < MAX_PASS_FAIL - i % 2 and n % 2:
                basis, pass_fail = "pass_fail", pass_fail + 1
            elif n % 9 == 4:
                basis = "audit"
            places.append(add_place(w, student, section, basis=basis))
        for n, section in enumerate(order[:: len(order) // 6]):
            if not fits(student, section, most + 8) or len(student.enrollments) > 16:
                continue
            late = not may_be_dropped(section.starts_on, w.today)
            if late and n % 2:
                ended_on = section.starts_on + timedelta(days=DROP_DAYS + w.rng.randint(1, 3))
                more = {"status": "withdrawn", "ended_on": ended_on}
            else:
                first = min(section.starts_on, w.today - timedelta(days=4))
                days = w.rng.randint(1, 15) if late else w.rng.randint(-2, 3)
                more = {"status": "dropped", "ended_on": first + timedelta(days=days)}
            places.append(add_place(w, student, section, **more))
    return places


def add_waitlists(w: Seeder, students, now: list[CourseSection]) -> None:
    """Sections get their seats, so that some are full; for these people wait, and some have an
    offer."""
    full = 0
    for n, section in enumerate(now):
        if section.status == "cancelled":
            continue
        if section.pace in ("half_term", "year_long") or n % 17 == 13:
            section.capacity = max(1, taken(section) + n % 3)
            section.status = "closed"
            continue
        if not taken(section) or n % 3 == 1:
            section.capacity = taken(section) + 1 + n % 3
            continue
        if not may_be_added(section.starts_on, w.today):
            section.capacity, section.status = taken(section), "full"
            continue
        full += 1
        # Some have found a seat in another section since they joined.
        settled = [
            student
            for student, _ in students
            if full % 3 == 1
            and not not_in_course.predicate(student, section)
            and all(place.section is not section for place in live(student))
            and below_waitlists.predicate(student)
        ]
        able = [
            student
            for student, _ in students
            if not missing(student, section.course)
            and not_in_course.predicate(student, section)
            and not_passed_before.predicate(student, section)
            and one_queue_a_course.predicate(student, section)
            and below_waitlists.predicate(student)
            and is_for_year(section.course.level, student.year)
        ]
        w.rng.shuffle(able)
        able.sort(key=lambda student: len(queued(student)) != full % 3)
        ready = [
            student
            for student in able
            if no_hold.predicate(student)
            and within_credits.predicate(student, section)
            and no_clash.predicate(student, section)
        ]
        first = settled[:1] or (ready[:1] if full % 4 else [])
        able = first + [student for student in able if student not in first]
        waiters = sorted(w.rng.sample(range(-20, -2), min(len(able), 2 + full % 4)))
        for k, day in enumerate(waiters):
            more = {}
            if not k and full % 2:
                more = {"status": "offered", "offered_until": w.day(0, OFFER_DAYS)}
            w.add(
                WaitlistEntry, student=able[k], section=section, joined_on=w.day(day, day), **more
            )
        section.capacity, section.status = taken(section), "full"


def add_requests(w: Seeder, students, now: list[CourseSection]) -> None:
    """Permissions in every state; those for a clash or a missing prerequisite are needed indeed."""
    for i, (student, _) in enumerate(students):
        joinable = [x for x in now if x.status == "open" and may_be_added(x.starts_on, w.today)]
        w.rng.shuffle(joinable)
        fit = [x for x in joinable if is_for_year(x.course.level, student.year)]
        lacking = [x for x in fit if missing(student, x.course)]
        clashes = [x for x in fit if not missing(student, x.course) and clashing(student, x)]
        for k, (kind, wanted) in enumerate((("prerequisite", lacking), ("time_clash", clashes))):
            for n, section in enumerate(wanted[: (i + k) % 2 + (i % 4 == 0)]):
                status = ("requested", "granted", "refused", "requested", "cancelled")[
                    (i + 2 * k + n) % 5
                ]
                more = {"kind": kind, "requested_on": w.day(-12, -1), "status": status}
                w.add(OverrideRequest, student=student, section=section, **more)


@domain.seed
def seed(w: Seeder) -> None:
    people = w.people(max(FEWEST, w.scaled(24)))
    courses = add_catalogue(w)
    past, now = add_sections(w, courses, max(1, w.scaled(1)))
    programmes = ("biology", "computing", "economics", "english", "history", "mathematics")
    students, holds, ways = [], [], {}
    for i, person in enumerate(people):
        year, standing, marks, most, kinds, paid, earlier = KINDS[i % len(KINDS)]
        again = i >= len(KINDS)  # the second round stands one step below the limits
        student = w.add(
            Student,
            name=person.name,
            email=person.email,
            programme=programmes[i % len(programmes)],
            year=year,
            standing=standing,
            earlier_credits=earlier,
            advised_on=w.day(-2, -1) if i % 4 else None,
        )
        ways[student.id] = paid
        add_history(w, student, marks, PASSED[year - 1], courses, past)
        student.overload = i % 5 == 2 and overload_earned.predicate(student)
        most += (OVERLOAD_CREDITS if student.overload else 0) - (3 if again and most > 9 else 0)
        students.append((student, most))
        holds += [(student, kind) for kind in kinds]
        holds += [(student, "lifted")] if i % 4 == 1 else []
    for n, (student, kind) in enumerate(holds):
        if kind == "lifted":
            kind, more = ("advising", "fees", "records")[n % 3], {"status": "lifted"}
            placed_on = w.day(-60, -30)
        else:
            more, placed_on = {}, w.day(-25, -3)
        w.add(TermHold, student=student, kind=kind, placed_on=placed_on, **more)
    places = add_places(w, students, now)
    for n, place in enumerate(places):
        add_charge(w, place, ways[place.student.id], n)
    add_waitlists(w, students, now)
    add_requests(w, students, now)
    running = [place for place in places if place.status == "enrolled"]
    for place in running[::9]:
        ended = {"offered_until": place.enrolled_on, "status": "accepted"}
        joined_on = place.enrolled_on - timedelta(days=9)
        w.add(
            WaitlistEntry,
            student=place.student,
            section=place.section,
            joined_on=joined_on,
            **ended,
        )
    for n, (student, _) in enumerate(students[::3]):
        section = w.pick(now)
        more = (
            {"status": "left"} if n % 2 else {"status": "expired", "offered_until": w.day(-9, -1)}
        )
        w.add(WaitlistEntry, student=student, section=section, joined_on=w.day(-28, -12), **more)
    for n in range(w.scaled(4)):
        reason = ("grade_dispute", "complaint", "personal_details", "other")[n % 4]
        w.add(RegistrarEscalation, student=w.pick(students)[0], reason=reason, at=w.moment(-20, -1))
