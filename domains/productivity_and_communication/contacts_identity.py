"""Contacts and identity: one person's address book, its twins, consents and shared cards."""

import itertools
from datetime import date, datetime, timedelta
from typing import Annotated, Literal, TypedDict

from pydantic import Field

from davinci_env.domain import (
    Dialect,
    Domain,
    Log,
    Mapped,
    Row,
    Seeder,
    ToolError,
    column,
    counted,
    creates,
    deletes,
    drawn,
    lifecycle,
    moves,
    outcome,
    part,
    ref,
    sets,
    stays,
)

domain = Domain(
    "contacts_identity",
    version=1,
    category="Productivity and Communication",
    today=datetime(2026, 6, 9, 9, 10),
    role="address book assistant of Rolodeck",
    access="self_service",
    without_tool="app_fault",
    intro="""
Rolodeck keeps one person's contacts: the colleagues, relatives, doctors and tradespeople whom
somebody knows, gathered from the telephone, the mailbox and the calendar. Entries arrive by
themselves through that sync, and so do their telephone numbers and addresses; your part is to keep
the book in order. You find out who is meant, you settle which entries are one and the same person,
and you see to it that nobody is written to or passed on who has not agreed to it.

You serve the signed-in holder and nobody else. Every entry, group and request that you can reach
belongs to that holder. The people in the book are not your customers: they have never signed
anything with Rolodeck, which is why their consent counts for more than the holder's hurry. What you
know about an entry you may tell its holder, with one exception: the details of a blocked entry stay
closed. Say that it is blocked and why, but give out neither address nor number nor birthday.

One name is often not enough. Two entries may be called almost the same and be mother and daughter,
or they may look quite unlike and be one person with two telephones. Go by what agrees: address,
number, birthday, organisation. If a name fits more than one entry, ask which is meant and offer
what tells them apart, such as the town or the organisation; never take the first that comes up.

A merge folds one entry into another and is the one thing here that regularly goes wrong. Take your
time over it. Tell the holder what both entries hold and what will be filled in before anything is
approved. Where the details contradict each other, leave the decision to the identity desk.

Days are calendar days, written day, month, year.
""",
    dialect=Dialect(
        keys="snake",
        envelope="bare",
        paging="offset",
        dates="eu",
        errors={
            "not_found": "Nothing filed under {id}: this book has no such {entity}.",
            "wrong_state": "This works for a {wanted} {entity} only, and that one is {state}.",
            "access_denied": "That page belongs to somebody else's address book.",
            "invalid": "The request could not be read: {detail}.",
        },
        verbs={
            "get": "read_{entity}",
            "find": "resolve_{entity}_by_{column}",
            "list": "list_my_{entities}",
            "search": "find_{entities}",
        },
    ),
)

MAX_FAVOURITES = {"personal": 2, "plus": 3, "studio": 4}
MAX_SHARES = {"personal": 2, "plus": 3, "studio": 4}
MAX_GROUP = {"personal": 3, "plus": 4, "studio": 5}
MAX_EXPORTS = {"personal": 1, "plus": 2, "studio": 3}
EXPORT_DAYS = 30
MAX_SHARE_DAYS, PRIVATE_DAYS = 90, 14
UNDO_DAYS, DECLINED_DAYS = 14, 180
RESTORE_DAYS = 365
CODE_DAYS = 10
CONSENT_DAYS = 365
QUIET_DAYS = 7
EMAIL_POINTS, PHONE_POINTS, BIRTHDAY_POINTS, FIRM_POINTS = 45, 35, 15, 10
SAME_NAME, CLOSE_NAME = 30, 20
FULL, MERGE_MIN, SURE_SCORE = 100, 50, 70
WEAK_ALIAS = 40
RIVAL_SHARE = 2
LEAP_MONTH, LEAP_DAY = 2, 29
PAGE = 6
SOME, UNKNOWN = 6, "@wimdevos"

Channel = Literal["email", "phone", "post"]
Purpose = Literal["personal_notes", "newsletters", "card_sharing"]
Message = Literal["personal_notes", "newsletters"]
Reason = Literal[
    "unsure_match",
    "late_undo",
    "fraud_block",
    "removal_wish",
    "lost_safe_word",
    "complaint",
    "app_fault",
]
DESKS = {
    "unsure_match": "identity_desk",
    "late_undo": "identity_desk",
    "fraud_block": "safety_desk",
    "removal_wish": "privacy_desk",
    "lost_safe_word": "safety_desk",
    "complaint": "support",
    "app_fault": "support",
}
BUSINESS = ("client", "supplier")
PRIVATE = ("doctor", "family")


class Holder(domain.Entity, key=counted("R-{:05d}", 20310, 7), identity=True, label="{self.name}"):
    """A person who keeps an address book with Rolodeck. Holders find each other by their handles.
    The plan decides how many favourites, shared cards, group members and exports there may be. The
    safe word was chosen at sign-up and is known to the holder alone."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    plan: Mapped[Literal["personal", "plus", "studio"]]
    handle: Mapped[str] = column(says="handle")
    safe_word: Mapped[str] = column(says="safe word")


class Contact(
    domain.Entity,
    key=counted("{:d}", start=7100412, step=3),
    label="the entry for {self.display_name}",
    called=[
        "{display_name}",
        "{display_name} from {organisation}",
        "{display_name} in {city}",
        "{display_name} at {organisation}",
        "my contact {display_name}",
        "{display_name} of {organisation}",
        "{display_name} who lives in {city}",
    ],
    superlatives={
        "heard_on": ("that I haven't heard from for longest", "that I heard from last"),
        "added_on": ("that I've had for longest", "that was added last"),
    },
):
    """One entry of the book: a person as the holder knows them. An entry is active, archived (put
    away), blocked (closed to everybody), or merged into another entry. It is verified once the
    person has passed on the code word that Rolodeck sent to the address on file."""

    holder: Mapped[Holder] = ref(owner=True)
    display_name: Mapped[str]
    organisation: Mapped[str | None]
    city: Mapped[str | None] = column(
        None,
        says="town",
        asks=["which town I have down for {it}", "what town stands in {it}"],
        told=["{it} has {value} as the town", "the town in {it} is {value}"],
    )
    email: Mapped[str | None] = column(None, says="e-mail address")
    phone: Mapped[str | None] = column(None, says="telephone number")
    birthday: Mapped[date | None]
    relationship: Mapped[
        Literal["colleague", "client", "supplier", "friend", "family", "doctor", "neighbour"]
    ] = column(
        asks=[
            "what {it} is filed as",
            "under which heading {it} stands in my book",
        ],
        told=["{it} is filed as {value}", "{it} stands in your book as {value}"],
    )
    favourite: Mapped[bool] = column(False, says="favourite")
    verified: Mapped[bool] = column(False, says="verified")
    added_on: Mapped[date] = column(
        says="day it was added",
        asks=[
            "when {it} came into my book",
            "since when I've had {it}",
            "on which day {it} was added",
        ],
        told=["{it} was added on {value}", "{it} has been in your book since {value}"],
    )
    heard_on: Mapped[date] = column(
        says="last message",
        asks=[
            "when the last message noted for {it} came in",
            "how long ago the last message noted for {it} was",
            "what day the last message in {it} is from",
        ],
        told=[
            "the last message noted for {it} came in on {value}",
            "{it} shows {value} as the day of the last message",
            "the last message in {it} is from {value}",
        ],
    )
    code_word: Mapped[str | None] = column(None, hidden=True)
    code_sent_on: Mapped[date | None] = column(None, says="day the code word was sent")
    archived_on: Mapped[date | None] = column(
        None,
        says="day it was archived",
        asks=["when I archived {it}", "since when {it} has been put away"],
        told=["{it} was archived on {value}", "{it} has been put away since {value}"],
    )
    archived_for: Mapped[Literal["out_of_touch", "moved_away", "retired", "job_done"] | None] = (
        column(None, says="reason for archiving")
    )
    blocked_for: Mapped[Literal["unwanted_calls", "harassment", "fraud"] | None] = column(
        None, says="reason for blocking"
    )
    status: Mapped[str] = lifecycle(
        {
            "active": ["archived", "blocked", "merged"],
            "archived": ["active"],
            "blocked": ["active"],
            "merged": ["active"],
        },
        asks=["how {it} stands in my book", "whether {it} is active, archived or blocked"],
        told=["{it} is {value}", "your book has {it} as {value}"],
    )


class Alias(
    domain.Entity,
    key=counted("{:d}", start=88017, step=2),
    plural="aliases",
    label='the alias "{self.spelling}"',
    called=[
        'the alias "{spelling}"',
        "the alias {spelling} of {contact.display_name}",
        "the {kind} {spelling}",
        "the other {kind} of {contact.display_name}",
    ],
    superlatives={"confidence": ("that's least certain", "that's most certain")},
):
    """Another name, e-mail address or handle by which a contact goes. The sync suggests one with a
    confidence in percent; the holder confirms or rejects it. Where an alias came along in a merge,
    `came_from` names the entry that had it before."""

    contact: Mapped[Contact] = ref(owner=True)
    came_from: Mapped[Contact | None] = ref(back="aliases_given")
    kind: Mapped[Literal["nickname", "email", "handle"]]
    spelling: Mapped[str]
    confidence: Mapped[int] = column(
        ge=0,
        le=FULL,
        says="confidence",
        asks=[
            "how certain the app is about {it}",
            "what confidence {it} has, in percent",
            "by how many percent {it} is taken to be right",
        ],
        told=[
            "the confidence of {it} is {value} percent",
            "{it} is rated at {value} percent",
        ],
    )
    status: Mapped[str] = lifecycle(
        {"suggested": ["confirmed", "rejected"], "confirmed": ["rejected"]},
        asks=["whether {it} has been confirmed", "how {it} stands"],
        told=["{it} is {value}", "{it} is down as {value}"],
    )


class ContactGroup(
    domain.Entity,
    key=counted("{:d}", start=5203),
    label='the group "{self.title}"',
    called=["my {title} group", "the {title} group", "my group {title}", "the circle {title}"],
    superlatives={"size": ("that's smallest", "that's biggest")},
):
    """A circle of entries under a title, such as the choir or a project."""

    holder: Mapped[Holder] = ref(owner=True)
    title: Mapped[str]
    size: Mapped[int] = column(
        0,
        ge=0,
        says="number of members",
        asks=["how many people are in {it}", "how many members {it} has"],
        told=["the number of members of {it} is {value}", "{it} has {value} members"],
    )
    made_on: Mapped[date] = column(
        says="day it was made",
        asks=["when I set up {it}", "since when {it} has existed"],
        told=["{it} was set up on {value}", "{it} has existed since {value}"],
    )


class GroupMember(
    domain.Entity,
    key=counted("{:d}", start=64001),
    label="{self.contact.display_name}'s place in {self.contact_group.title}",
    called=[
        "{contact.display_name}'s place in {contact_group.title}",
        "{contact.display_name}'s place in the {contact_group.title} group",
        "the place of {contact.display_name} in {contact_group.title}",
    ],
    shows={"display_name": "contact.display_name"},
):
    """An entry's place in a group."""

    contact_group: Mapped[ContactGroup] = ref(owner=True)
    contact: Mapped[Contact] = ref(back="group_places")
    joined_on: Mapped[date] = column(
        says="day of joining",
        asks=["when {it} was taken", "since when {it} has existed"],
        told=["{it} dates from {value}"],
    )


class MergeRequest(
    domain.Entity,
    key=counted("{:d}", start=31500, step=5),
    label="the merge of {self.other.display_name} into {self.keep.display_name}",
    called=[
        "the merge of {other.display_name} into {keep.display_name}",
        "the merge of {keep.display_name} and {other.display_name}",
        "the merge request about {other.display_name}",
        "the merge into {keep.display_name}",
    ],
    shows={"keep_name": "keep.display_name", "other_name": "other.display_name"},
    superlatives={
        "score": ("with the lowest score", "with the highest score"),
        "proposed_on": ("that was proposed first", "that was proposed last"),
    },
):
    """The proposal that two entries are one person: one is kept, the other folded into it. The
    score says how much of their details agrees. An approved one can be undone for some days."""

    holder: Mapped[Holder] = ref(owner=True)
    keep: Mapped[Contact] = ref(back="merges_kept")
    other: Mapped[Contact] = ref(back="merges_given")
    score: Mapped[int] = column(
        ge=0,
        le=FULL,
        says="similarity score",
        asks=[
            "how alike the two entries in {it} are",
            "what score {it} has",
            "how high the similarity in {it} is",
        ],
        told=["the similarity score of {it} is {value}", "{it} has a score of {value}"],
    )
    proposed_on: Mapped[date] = column(
        says="day it was proposed",
        asks=["when {it} was proposed", "since when {it} has been on the table"],
        told=["{it} was proposed on {value}", "{it} dates from {value}"],
    )
    decided_on: Mapped[date | None] = column(None, says="day of the decision")
    undo_until: Mapped[date | None] = column(
        None,
        says="last day for undoing it",
        asks=[
            "until when {it} can be undone",
            "how long I can still take back {it}",
            "by when I'd have to change my mind about {it}",
        ],
        told=[
            "{it} can be undone until {value}",
            "the last day for undoing {it} is {value}",
        ],
    )
    filled: Mapped[str | None] = column(None, says="details filled in")
    status: Mapped[str] = lifecycle(
        {"proposed": ["approved", "declined"], "approved": ["undone"]},
        asks=["what has become of {it}", "whether {it} has been decided"],
        told=["{it} is {value}", "{it} is down as {value}"],
    )


class Consent(
    domain.Entity,
    key=counted("{:d}", start=910020, step=4),
    label="the permission from {self.contact.display_name} for {purpose} by {channel}",
    called=[
        "{contact.display_name}'s consent to {purpose} by {channel}",
        "the permission from {contact.display_name} for {purpose} by {channel}",
        "the yes from {contact.display_name} to {purpose} by {channel}",
        "{contact.display_name}'s agreement to {purpose} by {channel}",
    ],
    superlatives={"runs_out_on": ("that runs out first", "that runs out last")},
):
    """What a contact has agreed to: a purpose and a channel, from a day until it runs out. The
    contact may take it back at any time."""

    contact: Mapped[Contact] = ref(owner=True)
    channel: Mapped[Channel]
    purpose: Mapped[Purpose]
    evidence: Mapped[Literal["spoken", "written"]] = column(
        asks=["how {it} was given, in writing or by word of mouth"],
        told=["{it} is a {value} one", "{it} was a {value} one"],
    )
    given_on: Mapped[date] = column(
        says="day it was given",
        asks=["when {it} was given", "on which day I got {it}"],
        told=["{it} was given on {value}", "{it} dates from {value}"],
    )
    runs_out_on: Mapped[date] = column(
        says="last day it holds",
        asks=["how long {it} holds", "until when {it} is good", "when {it} runs out"],
        told=["{it} holds until {value}", "the last day of {it} is {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"granted": ["withdrawn"]},
        outside={"granted": ["expired"]},
        asks=["whether {it} still stands", "how things are with {it}"],
        told=["{it} is {value}", "{it} is {value} at present"],
    )


class Mailing(
    domain.Entity,
    key=counted("{:d}", start=450101, step=9),
    label="the {purpose} to {self.contact.display_name} by {channel}",
):
    """Something sent to a contact on the holder's behalf."""

    contact: Mapped[Contact] = ref(owner=True)
    channel: Mapped[Channel]
    purpose: Mapped[Message]
    sent_on: Mapped[date] = column(
        says="day it went out",
        asks=["when {it} went out"],
        told=["{it} went out on {value}"],
    )


class SharedCard(
    domain.Entity,
    key=counted("{:d}", start=77310, step=6),
    label="the card of {self.contact.display_name} shared with {recipient_handle}",
    called=[
        "{contact.display_name}'s card that {recipient_handle} can see",
        "the card of {contact.display_name} that I share with {recipient_handle}",
        "the card of {contact.display_name} shared with {recipient_handle}",
        "{contact.display_name}'s card, the one I gave to {recipient_handle}",
    ],
    superlatives={"expires_on": ("that runs out first", "that runs out last")},
):
    """A contact's card that another holder may look at until a day."""

    holder: Mapped[Holder] = ref(owner=True)
    contact: Mapped[Contact] = ref()
    recipient_handle: Mapped[str] = column(says="recipient")
    shared_on: Mapped[date] = column(
        says="day it was shared",
        asks=["when I shared {it}", "since when {it} has been open to them"],
        told=["{it} was shared on {value}", "{it} has been open since {value}"],
    )
    expires_on: Mapped[date] = column(
        says="last day it can be seen",
        asks=[
            "until when {it} can be seen",
            "how long {it} stays open",
            "on which day {it} closes by itself",
        ],
        told=[
            "{it} can be seen until {value}",
            "{it} closes on {value}",
            "the last day of {it} is {value}",
        ],
    )
    status: Mapped[str] = lifecycle(
        {"live": ["revoked"]},
        outside={"live": ["lapsed"]},
        asks=["whether {it} is still open", "whether {it} can still be looked at"],
        told=["{it} is {value}", "{it} is {value} at the moment"],
    )


class CardExport(
    domain.Entity,
    key=counted("{:d}", start=12001),
    label="the export of {self.contact_group.title}",
):
    """A file with the cards of a group that the holder took out of Rolodeck."""

    holder: Mapped[Holder] = ref(owner=True)
    contact_group: Mapped[ContactGroup] = ref()
    cards: Mapped[int] = column(ge=1, says="number of cards")
    made_on: Mapped[date] = column(
        says="day of the export",
        asks=["when {it} was made"],
        told=["{it} was made on {value}"],
    )


class IdentityEscalation(
    domain.Entity,
    key=counted("{:d}", start=3301),
    label="the hand-over about {reason}",
    called=["the {reason} you passed on", "my case about the {reason}"],
):
    """A conversation that a person at one of the desks continues."""

    holder: Mapped[Holder] = ref(owner=True)
    reason: Mapped[Reason]
    desk: Mapped[Literal["identity_desk", "safety_desk", "privacy_desk", "support"]] = column(
        asks=["who has {it} now", "which desk is looking into {it}"],
        told=["{it} is with the {value}", "the {value} is looking into {it}"],
    )
    opened_on: Mapped[date] = column(
        says="day it was opened",
        asks=["when {it} was passed on"],
        told=["{it} was passed on on {value}"],
    )
    status: Mapped[str] = lifecycle(
        {"open": []},
        outside={"open": ["answered"]},
        asks=["whether anybody has answered {it}"],
        told=["{it} is {value}"],
    )


# Computations -------------------------------------------------------------------------------------


@domain.helper
def name_points(one: str, other: str) -> int:
    """Two names that are the same but for a remark in brackets count {SAME_NAME} points; with the
    same family name and first initial they count {CLOSE_NAME}.

    >>> name_points("Priya Ito", "Priya Ito (mobile)"), name_points("Priya Ito", "P. Ito")
    (30, 20)
    >>> name_points("Priya Ito", "Paul Ito"), name_points("Priya Ito", "Priya Itoh")
    (20, 0)
    >>> name_points("Priya Ito", "Rosa Ito")
    0
    """
    left, right = (text.partition(" (")[0].casefold().split() for text in (one, other))
    if left == right:
        return SAME_NAME
    close = left[-1] == right[-1] and left[0][:1] == right[0][:1]
    return CLOSE_NAME if close else 0


@domain.helper
def similarity(
    names: int, same_email: bool, same_phone: bool, same_birthday: bool, same_firm: bool
) -> int:
    """The similarity score adds to the points for the names {EMAIL_POINTS} for the same e-mail
    address, {PHONE_POINTS} for the same telephone number, {BIRTHDAY_POINTS} for the same birthday
    and {FIRM_POINTS} for the same organisation, and ends at {FULL}.

    >>> similarity(30, True, False, False, False), similarity(20, False, True, False, True)
    (75, 65)
    >>> similarity(30, True, True, True, True), similarity(20, False, False, True, False)
    (100, 35)
    """
    score = names
    score += EMAIL_POINTS if same_email else 0
    score += PHONE_POINTS if same_phone else 0
    score += BIRTHDAY_POINTS if same_birthday else 0
    score += FIRM_POINTS if same_firm else 0
    return min(score, FULL)


@domain.helper
def certainty(best: int, second: int) -> int:
    """How sure it is whom a name means: the confidence of the best entry, less half of that of the
    next best.

    >>> certainty(90, 0), certainty(90, 60), certainty(80, 80), certainty(71, 35)
    (90, 60, 40, 54)
    """
    return best - second // RIVAL_SHARE


@domain.helper
def next_birthday_on(birthday: date, day: date) -> date:
    """The next birthday is the first one from the given day on; who was born on a leap day has it
    on the last of February in other years.

    >>> str(next_birthday_on(date(1980, 6, 9), date(2026, 6, 9)))
    '2026-06-09'
    >>> str(next_birthday_on(date(1980, 6, 8), date(2026, 6, 9)))
    '2027-06-08'
    >>> str(next_birthday_on(date(1996, 2, 29), date(2026, 1, 5)))
    '2026-02-28'
    >>> str(next_birthday_on(date(1996, 2, 29), date(2027, 3, 1)))
    '2028-02-29'
    """
    this_year = in_year(birthday, day.year)
    return this_year if this_year >= day else in_year(birthday, day.year + 1)


def in_year(birthday: date, year: int) -> date:
    """The birthday in a year.

    >>> str(in_year(date(1996, 2, 29), 2028)), str(in_year(date(1996, 2, 29), 2027))
    ('2028-02-29', '2027-02-28')
    """
    leap = birthday.month == LEAP_MONTH and birthday.day == LEAP_DAY
    if leap:
        return date(year, LEAP_MONTH + 1, 1) - timedelta(days=1)
    return birthday.replace(year=year)


@domain.helper
def consent_end(day: date) -> date:
    """A consent holds for {CONSENT_DAYS} days from the day on which it was given.

    >>> str(consent_end(date(2026, 6, 9)))
    '2027-06-09'
    """
    return day + timedelta(days=CONSENT_DAYS)


@domain.helper
def undo_end(day: date) -> date:
    """An approved merge can be undone for {UNDO_DAYS} days.

    >>> str(undo_end(date(2026, 6, 9)))
    '2026-06-23'
    """
    return day + timedelta(days=UNDO_DAYS)


def within(since: date | None, today: date, days: int) -> bool:
    """Whether a day lies at most so many days back; no day lies nowhere.

    >>> within(date(2026, 6, 2), date(2026, 6, 9), 7), within(date(2026, 6, 1), date(2026, 6, 9), 7)
    (True, False)
    >>> within(None, date(2026, 6, 9), 7)
    False
    """
    return since is not None and today - since <= timedelta(days=days)


def code_is_fresh(sent: date | None, today: date) -> bool:
    """Whether a code word still holds.

    >>> today = date(2026, 6, 9)
    >>> code_is_fresh(date(2026, 5, 30), today), code_is_fresh(date(2026, 5, 29), today)
    (True, False)
    """
    return within(sent, today, CODE_DAYS)


def can_come_back(archived: date, today: date) -> bool:
    """Whether an archived entry isn't sealed yet.

    >>> today = date(2026, 6, 9)
    >>> can_come_back(date(2025, 6, 9), today), can_come_back(date(2025, 6, 8), today)
    (True, False)
    """
    return within(archived, today, RESTORE_DAYS)


def is_fresh_refusal(declined: date, today: date) -> bool:
    """Whether a pair was declined so lately that it must rest.

    >>> today = date(2026, 6, 9)
    >>> is_fresh_refusal(date(2025, 12, 11), today), is_fresh_refusal(date(2025, 12, 10), today)
    (True, False)
    """
    return within(declined, today, DECLINED_DAYS)


def is_sure(score: int) -> bool:
    """Whether a score is high enough for an approval without the identity desk.

    >>> is_sure(70), is_sure(69)
    (True, False)
    """
    return score >= SURE_SCORE


def is_weak(confidence: int) -> bool:
    """Whether an alias is little more than a guess.

    >>> is_weak(39), is_weak(40)
    (True, False)
    """
    return confidence < WEAK_ALIAS


def may_get(purpose: str, relationship: str) -> bool:
    """Whether somebody may be sent something for a purpose at all.

    >>> may_get("newsletters", "client"), may_get("newsletters", "doctor")
    (True, False)
    >>> may_get("newsletters", "family"), may_get("personal_notes", "family")
    (False, True)
    """
    return purpose != "newsletters" or relationship not in PRIVATE


def is_evidence_enough(relationship: str, purpose: str, evidence: str) -> bool:
    """Whether a consent may be recorded, by how it was given.

    >>> is_evidence_enough("client", "newsletters", "spoken")
    False
    >>> is_evidence_enough("supplier", "newsletters", "spoken")
    False
    >>> is_evidence_enough("client", "newsletters", "written")
    True
    >>> is_evidence_enough("client", "personal_notes", "spoken")
    True
    >>> is_evidence_enough("colleague", "newsletters", "spoken")
    True
    """
    must_be_written = purpose == "newsletters" and relationship in BUSINESS
    return evidence == "written" or not must_be_written


def is_brief_enough(relationship: str, days: int) -> bool:
    """Whether a card may be open for so many days, by what the person is to the holder.

    >>> is_brief_enough("family", 14), is_brief_enough("doctor", 15), is_brief_enough("client", 60)
    (True, False, True)
    """
    return relationship not in PRIVATE or days <= PRIVATE_DAYS


def remaining(limit: int, used: list) -> int:
    """What a limit still allows.

    >>> remaining(3, ["one"]), remaining(1, ["one"])
    (2, 0)
    """
    return limit - len(used)


def same(one, other) -> bool:
    """Whether two details are there and agree.

    >>> same("a", "a"), same("a", "b"), same(None, None)
    (True, False, False)
    """
    return one is not None and one == other


def score_of(keep, other) -> int:
    return similarity(
        name_points(keep.display_name, other.display_name),
        same(keep.email, other.email),
        same(keep.phone, other.phone),
        same(keep.birthday, other.birthday),
        same(keep.organisation, other.organisation),
    )


def standing(contact, purpose, today):
    """The consents of an entry for a purpose that hold today."""
    return [
        c
        for c in contact.consents
        if c.purpose == purpose and c.status == "granted" and c.runs_out_on >= today
    ]


def open_merges(contact):
    return [m for m in (*contact.merges_kept, *contact.merges_given) if m.status == "proposed"]


def live_shares(row):
    return [s for s in row.shared_cards if s.status == "live"]


def favourites(holder):
    return [c for c in holder.contacts if c.favourite]


def exports_since(holder, day):
    return [e for e in holder.card_exports if e.made_on > day - timedelta(days=EXPORT_DAYS)]


def reach_of(contact, channel):
    """The detail that a channel needs."""
    details = {"email": contact.email, "phone": contact.phone, "post": contact.city}
    return details[channel]


# What people ask for ------------------------------------------------------------------------------


def twins_for(keep):
    """Entries that somebody may take for the same person as this one, and one other."""
    others = [c for c in keep.holder.contacts if c is not keep and c.status == "active"]
    alike = [c for c in others if score_of(keep, c) >= CLOSE_NAME]
    unlike = [c for c in others if c not in alike]
    return alike * RIVAL_SHARE + unlike[:1]


def recipients_for(db, holder, contact):
    """Handles that somebody may want to share a card with: some of other holders, one of them
    blocked perhaps, now and then one that nobody has, and the person's own."""
    shut = [c for c in holder.contacts if c.status == "blocked"]
    blocked = [a.spelling for c in shut for a in c.aliases if a.kind == "handle"]
    people = db.all(Holder)
    place = people.index(holder)
    others = [*people[place + 1 :], *people[:place]][:SOME]
    taken = [s.recipient_handle for s in live_shares(contact)]
    return [h.handle for h in others] + blocked + taken[:1] + [UNKNOWN, holder.handle]


def words_for(contact):
    """The code word that a contact has passed on, or a misheard one."""
    if contact.code_word is None:
        return ["quiet harbour"]
    return [contact.code_word, contact.code_word, contact.code_word + "s"]


def circles_for(contact_group):
    """Entries that somebody may want in a group: one or two who aren't in it, and one who is."""
    inside = [p.contact for p in contact_group.group_members]
    book = contact_group.holder.contacts
    outside = [c for c in book if c not in inside and c.status == "active"]
    one = [[c] for c in outside]
    two = [[a, b] for a, b in itertools.pairwise(outside)]
    odd = [[c] for c in inside[:1]] + [[c] for c in book if c.status == "archived"][:1]
    return one + two + odd


def names_for(db, holder):
    """Names that somebody may wonder about: other spellings and parts of names."""
    aliases = [a.spelling for c in holder.contacts for a in c.aliases if c.status == "active"]
    return aliases + [c.display_name for c in holder.contacts if c.status == "active"]


# Words by which a refusal is recognised, where several rules share them.
LIMIT = [
    "limit", "maximum", "at most", "no more than", "the most", "full", "all taken", "plan allows",
    "as many", "used up", "no room", "no place left", "no space", "quota", "already has", "up to",
]  # fmt: skip
SAFE_WORD = ["safe word", "safeword", "secret word", "password word", "your word"]
STAR = ["favourite", "favorite", "star", "starred", "favourites"]
SHARED = ["share", "shared", "sharing", "card", "shows"]
AGREED = ["consent", "agree", "agreed", "permission", "say-so", "said yes", "allowed it", "asked"]

# Rules that the tools enforce ---------------------------------------------------------------------


@domain.rule(
    governs=["write_to_contact"],
    because=[
        "{contact.display_name} hasn't agreed to {purpose} by {channel}",
        "there is no consent from {contact.display_name} to {purpose} by {channel}",
        "for {purpose} by {channel} we need the consent of {contact.display_name}, and there's "
        "none that holds",
        "nothing in the book says that {contact.display_name} has given permission for {purpose} "
        "by {channel}",
    ],
    offers=[
        "you could tell me how that person agreed, and I'd record it first",
        "you could ask for that consent, and I'd note it down as soon as you have it",
    ],
    concepts=[AGREED],
    remedy="record_consent",
)
def has_consent(db, contact: Contact, channel: str, purpose: str) -> bool:
    """Nothing goes out to a contact who has not agreed: there has to be a granted consent for
    exactly this purpose and this channel that has not run out."""
    agreed = any(c.channel == channel for c in standing(contact, purpose, db.today))
    return contact.status == "active" and agreed


@domain.rule(
    governs=["share_card"],
    because=[
        "{contact.display_name} hasn't agreed to have that card passed on",
        "there's no consent from {contact.display_name} to card sharing",
        "without permission from {contact.display_name} the card stays with you",
        "nobody has recorded that {contact.display_name} allows it: the consent to card sharing is "
        "missing",
    ],
    offers=[
        "you could have me record the consent first, if it was given",
        "you could ask that person for a yes and come back with it",
    ],
    concepts=[AGREED],
    remedy="record_consent",
)
def sharing_agreed(db, contact: Contact) -> bool:
    """A card is shown to somebody else only while the contact's consent to card sharing holds,
    whatever the channel by which it was given."""
    return contact.status == "active" and bool(standing(contact, "card_sharing", db.today))


@domain.rule(
    governs=["share_card"],
    because=[
        "{contact.display_name} isn't verified yet",
        "the entry for {contact.display_name} hasn't been verified with a code word",
        "only verified entries can be shared, and {contact.display_name} isn't one of them",
        "nobody has checked yet whether that address really is {contact.display_name}'s, so the "
        "entry counts as unverified",
    ],
    offers=[
        "you could give me the code word that this person got from us",
        "you could have it verified first, with the word we sent out",
    ],
    concepts=[["verified", "verify", "unverified", "verification", "checked", "code word"]],
    remedy="verify_contact",
)
def entry_verified(contact: Contact) -> bool:
    """Only a verified entry can be shared: a wrong address must not travel further."""
    return contact.verified


@domain.rule(
    governs=["share_card"],
    because=[
        "you're sharing as many cards as your plan allows",
        "the limit of shared cards on the {holder.plan} plan is used up",
        "your {holder.plan} plan is full: no further card can be shared at the same time",
        "you already have the maximum of live cards out",
    ],
    offers=[
        "you could take one of the shared cards back first",
        "you could choose one that needn't be seen any longer, and I'd close it",
    ],
    concepts=[LIMIT, SHARED],
    remedy="revoke_share",
)
def shares_left(holder: Holder) -> bool:
    """At the same time a holder can share {MAX_SHARES[personal]} cards on the personal plan,
    {MAX_SHARES[plus]} on plus and {MAX_SHARES[studio]} on studio. A card that was taken back or has
    lapsed no longer counts."""
    return len(live_shares(holder)) < MAX_SHARES[holder.plan]


@domain.rule(
    governs=["share_card"],
    parts=[
        part(
            "not_yourself",
            lambda holder, recipient_handle: recipient_handle != holder.handle,
            because=[
                "that is your own handle",
                "{recipient_handle} is your own account, where the card is anyway",
            ],
            concepts=[["your own", "yourself", "own handle", "own account"]],
        ),
        part(
            "not_twice",
            lambda contact, recipient_handle: all(
                s.recipient_handle != recipient_handle for s in live_shares(contact)
            ),
            because=[
                "{recipient_handle} can see that card already",
                "that card is already shared with {recipient_handle}",
                "you've shared it with {recipient_handle} before, and it's still open",
            ],
            concepts=[["already", "before", "still open", "twice", "as it is"], [*SHARED, "see"]],
            offers=["you could have the time extended instead"],
        ),
    ],
)
def somebody_new(holder: Holder, contact: Contact, recipient_handle: str) -> bool:
    """A card goes to somebody else's account, and to the same account only once at a time."""
    return recipient_handle != holder.handle and all(
        s.recipient_handle != recipient_handle for s in live_shares(contact)
    )


@domain.rule(
    governs=["extend_share"],
    because=[
        "it would be open until more than {MAX_SHARE_DAYS} days from now",
        "a card can be seen for {MAX_SHARE_DAYS} days from today at the longest",
        "that goes beyond {MAX_SHARE_DAYS} days from today, which is as long as a card stays open",
        "with {days} days more it would pass the {MAX_SHARE_DAYS} days that are the maximum",
    ],
    offers=["you could take fewer days", "you could settle for a shorter time"],
    concepts=[["{MAX_SHARE_DAYS}", "ninety", "three months", "longest", "too long", "maximum"]],
)
def share_term(db, shared_card: SharedCard, days: int) -> bool:
    """No card stays open for more than {MAX_SHARE_DAYS} days from today, also when its time is
    extended."""
    latest = db.today + timedelta(days=MAX_SHARE_DAYS)
    return shared_card.expires_on + timedelta(days=days) <= latest


@domain.rule(
    governs=["propose_merge"],
    because=[
        "{keep.display_name} and {other.display_name} have too little in common: their score is "
        "below {MERGE_MIN}",
        "the two entries aren't alike enough, with a similarity below {MERGE_MIN}",
        "a merge takes a similarity score of {MERGE_MIN}, and those two don't reach it",
        "too few of their details agree: the score stays under {MERGE_MIN}",
    ],
    offers=["you could leave them as the two entries that they are"],
    concepts=[
        [
            "score", "alike", "similar", "similarity", "in common", "{MERGE_MIN}", "agree",
            "details", "too different", "match",
        ]
    ],
)  # fmt: skip
def alike_enough(keep: Contact, other: Contact) -> bool:
    """A merge can be proposed for two different entries whose similarity score is {MERGE_MIN} or
    more."""
    return keep is not other and score_of(keep, other) >= MERGE_MIN


@domain.rule(
    governs=["propose_merge"],
    because=[
        "one of the two entries is part of another open merge proposal",
        "there is a merge proposal for one of them already that nobody has decided",
        "an undecided merge proposal stands in the way, and an entry can be in one only",
        "another open proposal already includes one of those entries",
    ],
    offers=[
        "you could have that proposal declined first",
        "you could settle the proposal that is open, and then we'd see",
    ],
    concepts=[
        ["open", "undecided", "already", "another", "pending", "waiting"],
        ["proposal", "merge", "proposed", "request"],
    ],
    remedy="decline_merge",
)
def not_in_another_merge(keep: Contact, other: Contact) -> bool:
    """An entry is part of one open merge proposal at a time; whoever wants another pair has to
    decide the first one."""
    return not open_merges(keep) and not open_merges(other)


@domain.rule(
    governs=["propose_merge"],
    because=[
        "{other.display_name} has itself taken in another entry",
        "another entry was folded into {other.display_name}, so that one can only be the kept one",
        "{other.display_name} already holds a merged entry and can't be folded away",
    ],
    offers=["you could keep that one, and fold the other one into it"],
    concepts=[
        ["taken in", "took in", "folded into", "holds", "holding", "swallowed"],
        ["entry", "merged", "another"],
    ],
)
def nothing_folded_in(other: Contact) -> bool:
    """An entry that has itself taken in another one is not folded away; it can only be the one that
    is kept."""
    return all(m.status != "approved" for m in other.merges_kept)


@domain.rule(
    governs=["undo_merge"],
    because=[
        "the {UNDO_DAYS} days for undoing it are over",
        "it could be undone until {merge_request.undo_until} only",
        "that merge is more than {UNDO_DAYS} days old, which is too late for me",
        "the time for taking it back ended on {merge_request.undo_until}",
    ],
    offers=["you could have me pass it to the identity desk, who may still take it apart"],
    concepts=[
        ["{UNDO_DAYS}", "fourteen", "two weeks", "over", "too late", "until", "ended", "too old",
         "expired", "passed"]
    ],
    remedy="hand_over",
)  # fmt: skip
def undo_in_time(db, merge_request: MergeRequest) -> bool:
    """An approved merge can be undone until {UNDO_DAYS} days after its approval; later only the
    identity desk can take the entries apart."""
    return merge_request.undo_until is None or db.today <= merge_request.undo_until


@domain.rule(
    governs=["undo_merge"],
    because=[
        "the kept entry is part of an open merge proposal",
        "there's an undecided proposal about {merge_request.keep.display_name}",
        "{merge_request.keep.display_name} is waiting in another merge proposal, which has to be "
        "decided first",
        "an open proposal includes the entry that was kept",
    ],
    offers=["you could have the open proposal declined, and then I'd undo it"],
    concepts=[
        ["open", "undecided", "another", "pending", "waiting", "decided first"],
        ["proposal", "proposed", "merge", "request"],
    ],
    remedy="decline_merge",
)
def kept_entry_settled(merge_request: MergeRequest) -> bool:
    """While the kept entry is part of an open proposal, an earlier merge into it is not undone: the
    score of the proposal rests on what the entry holds now."""
    return not open_merges(merge_request.keep)


@domain.rule(
    governs=["undo_merge"],
    because=[
        "another entry was folded into {merge_request.keep.display_name} later on",
        "there's a later merge into the same entry, and the last one has to be undone first",
        "merges are undone in reverse, and {merge_request.keep.display_name} took in another entry "
        "after that",
        "a newer merge into {merge_request.keep.display_name} comes first",
    ],
    offers=["you could have the later merge undone first"],
    concepts=[
        ["later", "last one", "newer", "after that", "more recent", "reverse", "since then"],
        ["merge", "merged", "folded", "took in", "entry"],
    ],
    remedy="undo_merge",
)
def last_merge_first(merge_request: MergeRequest) -> bool:
    """Merges into the same entry are undone in reverse: the last one first."""
    kept = [m for m in merge_request.keep.merges_kept if m.status == "approved"]
    own = merge_request.decided_on
    return own is None or all(m.decided_on <= own for m in kept)


@domain.rule(
    governs=["verify_contact"],
    parts=[
        part(
            "not_yet",
            lambda contact: not contact.verified,
            because=[
                "{contact.display_name} is verified already",
                "that entry has been verified before",
            ],
            concepts=[["already", "before", "as it is"], ["verified", "verification"]],
        ),
        part(
            "sent_lately",
            lambda db, contact: code_is_fresh(contact.code_sent_on, db.today),
            because=[
                "there is no code word for {contact.display_name} that still holds",
                "a code word is good for {CODE_DAYS} days, and none was sent to "
                "{contact.display_name} in that time",
                "the code word for {contact.display_name} has run out or was never sent",
            ],
            concepts=[
                ["code word", "code", "word"],
                ["{CODE_DAYS}", "ten", "run out", "expired", "still holds", "never sent", "none",
                 "old", "in that time", "no longer"],
            ],
        ),
        part(
            "right_word",
            lambda contact, code_word: contact.code_word == code_word,
            because=[
                "that is not the code word that we sent to {contact.display_name}",
                "the code word doesn't match the one sent to {contact.display_name}",
                "the word you gave me is a different one from the code word we sent out",
            ],
            concepts=[
                ["code word", "code", "word"],
                ["not the", "doesn't match", "different", "wrong", "another", "no match", "fit"],
            ],
            offers=["you could ask that person for the word once more"],
        ),
    ],
)  # fmt: skip
def code_word_fits(db, contact: Contact, code_word: str) -> bool:
    """An entry is verified by the code word that Rolodeck sent to the contact's own address within
    the last {CODE_DAYS} days; an entry that is verified needs no second proof."""
    lately = code_is_fresh(contact.code_sent_on, db.today)
    return not contact.verified and lately and contact.code_word == code_word


@domain.rule(
    governs=["add_to_group"],
    because=[
        "the group {contact_group.title} has no room for that",
        "on the {contact_group.holder.plan} plan a group is full before that many are in it",
        "{contact_group.title} would go over the limit of your {contact_group.holder.plan} plan",
        "with {contact_group.size} members in it, {contact_group.title} can't take as many as that",
    ],
    offers=[
        "you could take somebody out of the group first",
        "you could make room in it by removing a member",
    ],
    concepts=[[*LIMIT, "room", "over the limit", "can't take"], ["group", "members", "circle"]],
    remedy="remove_from_group",
)
def room_in_group(contact_group: ContactGroup, contacts: list[Contact]) -> bool:
    """A group has at most {MAX_GROUP[personal]} members on the personal plan, {MAX_GROUP[plus]} on
    plus and {MAX_GROUP[studio]} on studio. If not all of the wanted entries fit, none is added."""
    return contact_group.size + len(contacts) <= MAX_GROUP[contact_group.holder.plan]


@domain.rule(
    governs=["add_to_group"],
    parts=[
        part(
            "all_active",
            lambda contacts: all(c.status == "active" for c in contacts),
            because=[
                "only active entries can be in a group",
                "one of those entries isn't active, and a group holds active ones only",
            ],
            concepts=[["active", "archived", "blocked", "merged"]],
            offers=["you could have an archived entry restored first"],
            remedy="restore_contact",
        ),
        part(
            "not_in_it",
            lambda contact_group, contacts: (
                not any(p.contact in contacts for p in contact_group.group_members)
            ),
            because=[
                "that entry is in {contact_group.title} already",
                "somebody of those is already a member of {contact_group.title}",
            ],
            concepts=[["already", "twice", "as it is", "a member"]],
        ),
    ],
)
def fit_for_group(contact_group: ContactGroup, contacts: list[Contact]) -> bool:
    """Into a group go active entries that are not in it yet."""
    inside = [p.contact for p in contact_group.group_members]
    return all(c.status == "active" and c not in inside for c in contacts)


@domain.rule(
    governs=["mark_favourite"],
    because=[
        "you have as many favourites as the {holder.plan} plan allows",
        "all places for favourites on your {holder.plan} plan are taken, that's the limit",
        "the limit for favourites is used up on your plan",
        "there's no room left among your favourites on the {holder.plan} plan",
    ],
    offers=[
        "you could take the star off another entry first",
        "you could tell me which favourite can make room",
    ],
    concepts=[[*LIMIT, "taken", "room"], STAR],
    remedy="unmark_favourite",
)
def favourites_left(holder: Holder) -> bool:
    """There are {MAX_FAVOURITES[personal]} favourites on the personal plan, {MAX_FAVOURITES[plus]}
    on plus and {MAX_FAVOURITES[studio]} on studio."""
    return len(favourites(holder)) < MAX_FAVOURITES[holder.plan]


@domain.rule(
    governs=["mark_favourite"],
    because=[
        "{contact.display_name} is one of your favourites already",
        "that entry has its star already",
        "{contact.display_name} already stands among the favourites",
    ],
    concepts=[["already", "as it is", "before"], STAR],
)
def no_star_yet(contact: Contact) -> bool:
    """A star is given once."""
    return not contact.favourite


@domain.rule(
    governs=["unmark_favourite"],
    because=[
        "{contact.display_name} isn't a favourite",
        "that entry has no star that could be taken off",
        "{contact.display_name} is not among your favourites",
    ],
    concepts=[["isn't", "not", "no star", "none"], STAR],
)
def has_a_star(contact: Contact) -> bool:
    """A star can be taken only off an entry that has one."""
    return contact.favourite


@domain.rule(
    governs=["archive_contact", "block_contact", "approve_merge"],
    because=[
        "{contact.display_name} is one of your favourites",
        "the entry for {contact.display_name} carries a star, and favourites stay where they are",
        "as long as {contact.display_name} is a favourite, that entry isn't put aside",
        "{contact.display_name} is starred",
    ],
    offers=[
        "you could have the star taken off first",
        "you could let me take that entry off your favourites, and then do it",
    ],
    concepts=[STAR],
    remedy="unmark_favourite",
)
def not_a_favourite(contact: Contact) -> bool:
    """A favourite is neither archived nor blocked nor folded into another entry; the star has to
    come off first."""
    return not contact.favourite


@domain.rule(
    governs=["archive_contact", "block_contact", "approve_merge"],
    because=[
        "{contact.display_name} is still in one of your groups",
        "that entry has a place in a group",
        "{contact.display_name} is a member of a group of yours, and that place comes first",
        "there's a group with {contact.display_name} in it",
    ],
    offers=[
        "you could have it taken out of the group first",
        "you could let me give up that place, and then do it",
    ],
    concepts=[["group", "groups", "circle", "member"]],
    remedy="remove_from_group",
)
def in_no_group(contact: Contact) -> bool:
    """Before an entry is archived, blocked or folded into another one, it has to leave its
    groups."""
    return not contact.group_places


@domain.rule(
    governs=["archive_contact", "block_contact", "approve_merge"],
    because=[
        "the card of {contact.display_name} is shared with somebody",
        "somebody can see the card of {contact.display_name} at the moment",
        "a shared card of {contact.display_name} is still open",
        "you are sharing the card of {contact.display_name} just now",
    ],
    offers=[
        "you could take the shared card back first",
        "you could have that share closed, and then I'd go on",
    ],
    concepts=[[*SHARED, "see the card"]],
    remedy="revoke_share",
)
def card_not_out(contact: Contact) -> bool:
    """An entry whose card somebody else can see is not archived, blocked or folded away until the
    card has been taken back."""
    return not live_shares(contact)


@domain.rule(
    governs=["archive_contact", "block_contact"],
    because=[
        "{contact.display_name} is part of an open merge proposal",
        "there is a merge proposal with {contact.display_name} in it that hasn't been decided",
        "an undecided merge proposal is about {contact.display_name}",
    ],
    offers=["you could have the proposal declined first"],
    concepts=[
        ["open", "undecided", "decided", "pending", "waiting"],
        ["proposal", "merge", "proposed", "request"],
    ],
    remedy="decline_merge",
)
def no_open_merge(contact: Contact) -> bool:
    """An entry that waits in a merge proposal stays active until the proposal is decided."""
    return not open_merges(contact)


@domain.rule(
    governs=["restore_contact"],
    because=[
        "it was archived more than {RESTORE_DAYS} days ago and is sealed",
        "archived entries can be brought back for {RESTORE_DAYS} days, and that time is over",
        "after {RESTORE_DAYS} days in the archive an entry is sealed for good",
        "it has been in the archive since {contact.archived_on}, longer than {RESTORE_DAYS} days",
    ],
    concepts=[
        ["{RESTORE_DAYS}", "a year", "sealed", "too long", "too late", "over", "longer than"],
    ],
)
def restore_in_time(db, contact: Contact) -> bool:
    """An archived entry can be restored for {RESTORE_DAYS} days; after that it is sealed, and the
    sync will make a new one should the person get in touch again."""
    day = contact.archived_on
    return day is None or can_come_back(day, db.today)


@domain.rule(
    governs=["unblock_contact"],
    because=[
        "{contact.display_name} was blocked as a fraud",
        "that entry was reported as a fraud, and only the safety desk opens it again",
        "the block on {contact.display_name} is for fraud, which is not mine to lift",
        "fraud was the reason for blocking it",
    ],
    offers=["you could have me pass it on to the safety desk"],
    concepts=[["fraud", "swindle", "safety desk"]],
    remedy="hand_over",
)
def no_fraud(contact: Contact) -> bool:
    """A block for fraud is lifted by the safety desk alone."""
    return contact.blocked_for != "fraud"


@domain.rule(
    governs=["export_group"],
    because=[
        "the exports of your {holder.plan} plan are used up for {EXPORT_DAYS} days",
        "you've made as many exports within {EXPORT_DAYS} days as your plan allows",
        "the limit for exports in {EXPORT_DAYS} days is reached on the {holder.plan} plan",
        "no export is left on your plan: the maximum within {EXPORT_DAYS} days has been made",
    ],
    offers=["you could wait until the last export is {EXPORT_DAYS} days old"],
    concepts=[[*LIMIT, "reached", "left"], ["export", "exports", "file"]],
)
def exports_left(db, holder: Holder) -> bool:
    """Within {EXPORT_DAYS} days a holder can make {MAX_EXPORTS[personal]} export on the personal
    plan, {MAX_EXPORTS[plus]} on plus and {MAX_EXPORTS[studio]} on studio."""
    return len(exports_since(holder, db.today)) < MAX_EXPORTS[holder.plan]


@domain.rule(
    governs=["export_group"],
    because=[
        "{contact_group.title} is empty",
        "there is nobody in {contact_group.title}",
        "{contact_group.title} has no members whose cards could be exported",
    ],
    offers=["you could put somebody into it first"],
    concepts=[["empty", "nobody", "no members", "no one", "no cards", "without members"]],
    remedy="add_to_group",
)
def group_not_empty(contact_group: ContactGroup) -> bool:
    """An empty group is not exported."""
    return contact_group.size > 0


@domain.rule(
    governs=["confirm_alias"],
    because=[
        "{alias.spelling} already stands for another entry of yours",
        "the same alias has been confirmed for somebody else in your book",
        "another entry goes by {alias.spelling} already",
        "{alias.spelling} belongs to another entry, and one alias can't mean two people",
    ],
    offers=["you could have it rejected here", "you could reject the other one first"],
    concepts=[
        ["another", "somebody else", "other entry", "two people", "someone else"],
        ["alias", "already", "belongs", "confirmed", "stands for", "goes by"],
    ],
    remedy="reject_alias",
)
def alias_is_free(db, alias: Alias) -> bool:
    """One confirmed alias means one person: what is confirmed for an active entry cannot be
    confirmed for another one."""
    return all(
        a is alias or a.status != "confirmed" or a.contact.status != "active"
        for a in db.all(Alias, spelling=alias.spelling)
        if a.contact.holder is alias.contact.holder
    )


@domain.rule(
    governs=["record_consent"],
    because=[
        "{contact.display_name} has agreed to {purpose} by {channel} already",
        "there's a consent for {purpose} by {channel} on file already, and it still holds",
        "the consent of {contact.display_name} to {purpose} by {channel} already stands",
    ],
    concepts=[["already", "still holds", "as it is", "on file", "twice"], [*AGREED, "stands"]],
)
def consent_is_new(db, contact: Contact, channel: str, purpose: str) -> bool:
    """A consent that still holds is not recorded a second time."""
    return not any(c.channel == channel for c in standing(contact, purpose, db.today))


@domain.rule(
    governs=["record_consent", "write_to_contact"],
    because=[
        "there's nothing on file by which {contact.display_name} could be reached by {channel}",
        "I have no detail for {contact.display_name} that {channel} would need",
        "{contact.display_name} can't be reached by {channel}: that detail is missing",
        "for {channel} the entry of {contact.display_name} lacks what it takes",
    ],
    offers=["you could choose another way of reaching that person"],
    concepts=[
        ["reach", "reached", "missing", "no address", "no number", "no detail", "lacks", "on file"]
    ],
)
def can_be_reached(contact: Contact, channel: str) -> bool:
    """A channel counts only where the entry has what it takes: an e-mail address, a telephone
    number, or for post a town."""
    return reach_of(contact, channel) is not None


@domain.rule(
    governs=["write_to_contact"],
    because=[
        "something went out to {contact.display_name} by {channel} within the last {QUIET_DAYS} "
        "days",
        "{contact.display_name} was written to by {channel} less than {QUIET_DAYS} days ago",
        "by {channel} a contact is left in peace for {QUIET_DAYS} days after the last time",
        "it's less than {QUIET_DAYS} days since {contact.display_name} last got something by "
        "{channel}",
    ],
    offers=["you could wait a few days", "you could try again next week"],
    concepts=[["{QUIET_DAYS}", "seven", "a week", "days ago", "in peace", "recently", "lately"]],
)
def not_too_often(db, contact: Contact, channel: str) -> bool:
    """By one channel a contact gets something at most once in {QUIET_DAYS} days."""
    return all(
        m.channel != channel or db.today - m.sent_on >= timedelta(days=QUIET_DAYS)
        for m in contact.mailings
    )


@domain.rule(
    governs=["read_next_birthday"],
    because=[
        "{contact.display_name} is blocked, and the details of a blocked entry stay closed",
        "that entry is blocked",
        "nothing is told about {contact.display_name} while the entry is blocked",
    ],
    offers=["you could have the block lifted first"],
    concepts=[["blocked", "block", "closed"]],
    remedy="unblock_contact",
)
def not_blocked(contact: Contact) -> bool:
    """The birthday of a blocked entry is not told, nor are its other details."""
    return contact.status != "blocked"


@domain.rule(
    governs=["hand_over"],
    because=[
        "a desk has been told about this already and will answer",
        "there's an open case for the same reason",
        "that has been passed on before and is still open",
    ],
    concepts=[
        ["already", "open", "again", "twice", "before", "still"],
        ["passed", "case", "told", "desk", "hand-over", "handed"],
    ],
)
def not_handed_over_yet(holder: Holder, reason: str) -> bool:
    """A case is not opened again while one for the same reason is open."""
    return all(e.status != "open" or e.reason != reason for e in holder.identity_escalations)


# Rules that are left to the assistant -------------------------------------------------------------


@domain.rule(
    by="agent",
    kind="confirmation",
    governs=[
        "approve_merge",
        "undo_merge",
        "block_contact",
        "share_card",
        "write_to_contact",
        "withdraw_consent",
        "export_group",
    ],
    because=[
        "I need a clear yes to the details first",
        "I only do that once you have agreed to exactly this",
        "you'd have to confirm it before I go ahead",
        "without your explicit yes I leave it as it is",
    ],
    concepts=[["confirm", "yes", "agree", "go ahead", "approve", "say-so", "your OK"]],
)
def details_confirmed(log: Log) -> bool:
    """Before a merge is approved or undone, an entry blocked, a card shared, something sent, a
    consent withdrawn or a group exported, repeat to the holder what exactly will happen and to
    whom, and wait for an explicit yes. For a merge that means both entries: look at the preview,
    which sets them side by side, and say how much of them agrees. A yes to one thing is no yes to
    the next."""
    return log.confirmed()


@domain.rule(
    by="agent",
    kind="identification",
    governs=["share_card", "export_group", "unblock_contact"],
    because=[
        "I need your safe word before anything leaves the book",
        "for that I have to hear your safe word first",
        "the safe word that you chose at sign-up is missing",
        "you haven't given me your safe word, and this calls for it",
    ],
    offers=["you could tell me the safe word now"],
    concepts=[SAFE_WORD],
)
def safe_word_given(log: Log, holder: Holder) -> bool:
    """A telephone left on a table is signed in, too. So before a card is shared, a group exported
    or a block lifted, ask for the holder's safe word and compare it with the profile. Never read
    it out, and give no hint if it is wrong."""
    return log.identified(holder, "safe_word")


@domain.rule(
    by="agent",
    governs=["approve_merge"],
    because=[
        "the score of that merge is below {SURE_SCORE}, which is too unsure for me",
        "with a similarity of {merge_request.score} I can't tell whether it is one person",
        "a score of {merge_request.score} isn't enough for me: from {SURE_SCORE} on I may decide",
        "at {merge_request.score} points the identity desk decides, not I",
    ],
    offers=["you could have me pass it to the identity desk"],
    concepts=[
        ["score", "points", "similarity", "{SURE_SCORE}", "unsure", "sure", "identity desk",
         "alike"]
    ],
    remedy="hand_over",
)  # fmt: skip
def sure_of_the_match(merge_request: MergeRequest) -> bool:
    """A proposal with a score below {SURE_SCORE} is not approved by you, even if the holder
    insists: such a pair is either declined or handed over to the identity desk as an unsure
    match."""
    return is_sure(merge_request.score)


@domain.rule(
    by="agent",
    governs=["approve_merge"],
    because=[
        "the two entries have different birthdays",
        "one of them was born on another day than the other, so they may be two people",
        "their birthdays contradict each other",
        "the birthdays on the two entries differ",
    ],
    offers=["you could have the identity desk look into it"],
    concepts=[["birthday", "birthdays", "born", "birth"]],
    remedy="hand_over",
)
def birthdays_agree(merge_request: MergeRequest) -> bool:
    """Two entries with different birthdays are never folded together by you, whatever their
    score: people with one address may well be a couple, or father and son."""
    one, other = merge_request.keep.birthday, merge_request.other.birthday
    return one is None or other is None or one == other


@domain.rule(
    by="agent",
    governs=["propose_merge"],
    because=[
        "you declined that very pair within the last {DECLINED_DAYS} days",
        "a merge of those two was declined not long ago, less than {DECLINED_DAYS} days back",
        "that pair has been turned down within {DECLINED_DAYS} days",
    ],
    offers=["you could have the identity desk look at the pair"],
    concepts=[["declined", "turned down", "rejected", "said no", "refused"]],
)
def not_declined_lately(db, keep: Contact, other: Contact) -> bool:
    """A pair that the holder declined within the last {DECLINED_DAYS} days is not proposed again,
    in whichever direction."""
    return not any(
        m.status == "declined"
        and is_fresh_refusal(m.decided_on, db.today)
        and ((m.keep is keep and m.other is other) or (m.keep is other and m.other is keep))
        for m in keep.holder.merge_requests
    )


@domain.rule(
    by="agent",
    governs=["record_consent"],
    because=[
        "newsletters to a {contact.relationship} take a consent in writing",
        "a spoken yes isn't enough for newsletters to business contacts",
        "for newsletters to {contact.display_name} I may only note a written consent",
        "by word of mouth a {contact.relationship} can't agree to newsletters",
    ],
    offers=["you could ask that person for a line in writing"],
    concepts=[["written", "writing", "spoken", "word of mouth", "in black and white"]],
)
def newsletters_in_writing(contact: Contact, purpose: str, evidence: str) -> bool:
    """A client's or supplier's consent to newsletters is recorded only if it was given in writing;
    private people and colleagues may say it. Ask how it was given; never guess, and never take the
    holder's own wish for a consent."""
    return is_evidence_enough(contact.relationship, purpose, evidence)


@domain.rule(
    by="agent",
    governs=["write_to_contact"],
    because=[
        "{contact.display_name} is filed as {contact.relationship}, and those get no newsletters",
        "doctors and family are spared newsletters",
        "no newsletter goes to somebody filed as {contact.relationship}",
    ],
    offers=["you could send a personal note instead"],
    concepts=[
        ["doctor", "doctors", "family", "filed as", "relative", "physician"],
        ["newsletter", "newsletters"],
    ],
)
def no_newsletters_to_family(contact: Contact, purpose: str) -> bool:
    """Newsletters are for business: never send one to an entry filed as family or doctor, consent
    or not."""
    return may_get(purpose, contact.relationship)


@domain.rule(
    by="agent",
    governs=["share_card"],
    because=[
        "cards of family and doctors are shared for {PRIVATE_DAYS} days at most",
        "{contact.display_name} is filed as {contact.relationship}, so {PRIVATE_DAYS} days are the "
        "longest I may share that card for",
        "{days} days are too long for somebody filed as {contact.relationship}",
        "for private people such as {contact.display_name} it's {PRIVATE_DAYS} days and no more",
    ],
    offers=["you could share it for {PRIVATE_DAYS} days or fewer"],
    concepts=[
        ["{PRIVATE_DAYS}", "fourteen", "two weeks", "too long", "longest", "days"],
        ["family", "doctor", "doctors", "private", "filed as"],
    ],
)
def private_cards_briefly(contact: Contact, days: int) -> bool:
    """The card of somebody filed as family or doctor is shared for {PRIVATE_DAYS} days at the
    longest."""
    return is_brief_enough(contact.relationship, days)


@domain.rule(
    by="agent",
    governs=["share_card"],
    because=[
        "{recipient_handle} belongs to somebody whom you have blocked",
        "you have blocked the person behind {recipient_handle}",
        "the entry with {recipient_handle} in your book is blocked",
    ],
    offers=["you could have that block lifted, if it was a mistake"],
    concepts=[["blocked", "block"]],
    remedy="unblock_contact",
)
def recipient_not_blocked(holder: Holder, recipient_handle: str) -> bool:
    """Never share a card with a handle that belongs to a blocked entry of the holder; go through
    the aliases of the blocked entries first."""
    return not any(
        alias.spelling == recipient_handle
        for contact in holder.contacts
        if contact.status == "blocked"
        for alias in contact.aliases
    )


@domain.rule(
    by="agent",
    governs=["confirm_alias"],
    because=[
        "the confidence of that alias is below {WEAK_ALIAS} percent",
        "at {alias.confidence} percent that alias is too uncertain for me to confirm",
        "with a confidence of {alias.confidence} percent it's little more than a guess",
    ],
    offers=["you could have it rejected, or leave it as a suggestion"],
    concepts=[["confidence", "percent", "uncertain", "unsure", "guess", "certain", "weak"]],
)
def alias_not_weak(alias: Alias) -> bool:
    """An alias with a confidence below {WEAK_ALIAS} percent is not confirmed by you: it stays a
    suggestion or is rejected."""
    return not is_weak(alias.confidence)


@domain.rule(
    by="agent",
    governs=["export_group"],
    because=[
        "not everybody in {contact_group.title} has agreed to have the card passed on",
        "somebody in {contact_group.title} hasn't given consent to card sharing",
        "for {contact_group.title} the consent to card sharing isn't complete",
    ],
    offers=[
        "you could have the missing consent recorded first",
        "you could take whoever hasn't agreed out of the group",
    ],
    concepts=[AGREED],
    remedy="record_consent",
)
def everybody_agreed(db, contact_group: ContactGroup) -> bool:
    """A group is exported only if each of its members has a consent to card sharing that holds.
    Go through the members one by one; that most of them agree is not enough."""
    return all(
        standing(place.contact, "card_sharing", db.today) for place in contact_group.group_members
    )


# Reads --------------------------------------------------------------------------------------------

domain.reads(
    Contact,
    get=["aliases", "group_places"],
    list_of="holder",
    search=["display_name", "organisation", "email"],
    filters=["status", "relationship", "favourite"],
    page=PAGE,
)
domain.reads(Alias, get=True, list_of="contact", filters=["status"], page=PAGE)
domain.reads(ContactGroup, list_of="holder", page=PAGE)
domain.reads(GroupMember, list_of="contact_group", page=PAGE)
domain.reads(MergeRequest, list_of="holder", filters=["status"], page=PAGE)
domain.reads(Consent, list_of="contact", filters=["status", "purpose"], page=PAGE)
domain.reads(Mailing, list_of="contact", page=PAGE)
domain.reads(SharedCard, list_of="holder", filters=["status", "contact"], page=PAGE)
domain.reads(CardExport, list_of="holder", page=PAGE)
domain.reads(IdentityEscalation, list_of="holder", filters=["status"], page=PAGE)


class Resolution(TypedDict):
    """Whom a name most likely means, how sure that is, and how many others it could mean."""

    contact: Contact
    certainty: int
    rivals: int


class MergePreview(TypedDict):
    """Both entries of a proposal side by side, with what a merge would do."""

    keep: Contact
    other: Contact
    score: int
    undo_until: date
    aliases_moving: int
    details_filled: int


class Birthday(TypedDict):
    """A contact's next birthday, in how many days it is, and what age is reached."""

    next_on: date
    days_left: int
    turns: int


class Allowance(TypedDict):
    """What the plan still allows."""

    favourites_left: int
    shares_left: int
    exports_left: int
    group_limit: int


@domain.read()
def read_my_profile(db, holder: Holder) -> Holder:
    """Show the signed-in holder's own record: plan, e-mail address, safe word."""
    return holder


def hit(contact, spoken):
    """With what confidence a text means an entry; nothing if it doesn't fit at all."""
    wanted = spoken.casefold()
    if contact.display_name.casefold() == wanted or contact.email == wanted:
        return FULL
    fits = [
        a.confidence
        for a in contact.aliases
        if a.status != "rejected" and a.spelling.casefold() == wanted
    ]
    points = name_points(contact.display_name, spoken) if spoken.strip() else 0
    return max([*fits, points])


@domain.read(
    errors={"nobody_like_that": "No active entry goes by anything like that."},
    tells={
        "certainty": [
            "how certain it is, in percent, who in my book is meant by {spoken}",
            "by how many percent you can tell whom {spoken} stands for",
        ],
        "rivals": [
            "how many other entries of mine could be meant by {spoken}",
            "how many further people in my book {spoken} would fit as well",
        ],
    },
)
def resolve_person(
    db, holder: Holder, spoken: Annotated[str, Field(min_length=1), drawn(names_for)]
) -> Resolution:
    """Find out whom a name, nickname, handle or address means among the active entries. Rejected
    aliases don't count. Ask the holder when there is a rival.

    Args:
        spoken: The name, handle or address as the holder says it, e.g. Priya Ito
    """
    found = [(hit(c, spoken), c) for c in holder.contacts if c.status == "active"]
    ranked = sorted(((n, c) for n, c in found if n), key=lambda pair: (-pair[0], pair[1].id))
    if not ranked:
        raise ToolError("nobody_like_that")
    second = ranked[1][0] if len(ranked) > 1 else 0
    return Resolution(
        contact=ranked[0][1], certainty=certainty(ranked[0][0], second), rivals=len(ranked) - 1
    )


@domain.read(
    errors={"not_to_be_decided": "That merge has been decided, so there is nothing to preview."},
    tells={
        "aliases_moving": [
            "how many aliases would move over with {merge_request}",
            "how many aliases the kept entry would gain from {merge_request}",
        ],
        "details_filled": [
            "how many missing details {merge_request} would fill in",
            "how many gaps would be filled by {merge_request}",
        ],
        "undo_until": [
            "until when I could undo {merge_request} if I approved it now",
            "how long {merge_request} could be taken back if it went through today",
        ],
    },
)
def preview_merge(db, merge_request: MergeRequest) -> MergePreview:
    """Set both entries of an open proposal side by side and say what approving it would do."""
    if merge_request.status != "proposed":
        raise ToolError("not_to_be_decided")
    keep, other = merge_request.keep, merge_request.other
    return MergePreview(
        keep=keep,
        other=other,
        score=score_of(keep, other),
        undo_until=undo_end(db.today),
        aliases_moving=len(other.aliases),
        details_filled=len(gaps(keep, other)),
    )


@domain.read(
    requires=[not_blocked],
    errors={"no_birthday": "No birthday is on file for that entry."},
    tells={
        "next_on": [
            "when the next birthday of {contact} is",
            "on which day I have to congratulate {contact}",
            "what day {contact} has a birthday on next",
        ],
        "days_left": [
            "how many days there are until the birthday of {contact}",
            "in how many days the birthday of {contact} is",
        ],
        "turns": [
            "how old {contact} will be on the next birthday",
            "what age {contact} is about to reach",
        ],
    },
)
def read_next_birthday(db, contact: Contact) -> Birthday:
    """Say when a contact's next birthday is and what age is reached."""
    if contact.birthday is None:
        raise ToolError("no_birthday")
    day = next_birthday_on(contact.birthday, db.today)
    return Birthday(
        next_on=day, days_left=(day - db.today).days, turns=day.year - contact.birthday.year
    )


@domain.read()
def list_birthdays_ahead(
    db, holder: Holder, days: Annotated[int, Field(ge=1, le=CONSENT_DAYS)]
) -> list[Contact]:
    """List the active entries whose birthday comes up within some days, the nearest first.

    Args:
        days: How many days to look ahead, e.g. 30
    """
    known = [c for c in holder.contacts if c.status == "active" and c.birthday is not None]
    dated = [(next_birthday_on(c.birthday, db.today), c) for c in known]
    last = db.today + timedelta(days=days)
    soon = sorted((day, c.id) for day, c in dated if day <= last)
    by_id = {c.id: c for c in known}
    return [by_id[key] for _, key in soon]


@domain.read(
    tells={
        "favourites_left": [
            "how many more favourites I could still have",
            "how many places for favourites are left on my plan",
        ],
        "shares_left": [
            "how many more cards I could share just now",
            "how many shared cards my plan still has room for",
        ],
        "exports_left": [
            "how many exports I have left",
            "how many more times I may export a group for now",
        ],
        "group_limit": [
            "how many people a group of mine can take at most",
            "how big my groups may get on my plan",
        ],
    }
)
def read_my_allowance(db, holder: Holder) -> Allowance:
    """Say how many favourites, shared cards and exports the plan still allows, and how many members
    a group may have."""
    return Allowance(
        favourites_left=remaining(MAX_FAVOURITES[holder.plan], favourites(holder)),
        shares_left=remaining(MAX_SHARES[holder.plan], live_shares(holder)),
        exports_left=remaining(MAX_EXPORTS[holder.plan], exports_since(holder, db.today)),
        group_limit=MAX_GROUP[holder.plan],
    )


# Writes -------------------------------------------------------------------------------------------

DETAILS = ("organisation", "city", "email", "phone", "birthday")


def gaps(keep, other) -> list[str]:
    """The details that one entry lacks and the other has."""
    pairs = (
        ("organisation", keep.organisation, other.organisation),
        ("city", keep.city, other.city),
        ("email", keep.email, other.email),
        ("phone", keep.phone, other.phone),
        ("birthday", keep.birthday, other.birthday),
    )
    return [key for key, own, new in pairs if own is None and new is not None]


@domain.write(
    requires=[not_a_favourite, in_no_group, card_not_out, no_open_merge],
    changes=[
        moves("contact", "active", to="archived"),
        sets("contact", Contact.archived_on, Contact.archived_for),
    ],
    ask=[
        "archive {contact}, with {why} as the reason",
        "put {contact} away ({why})",
        "have {contact} moved to the archive, reason: {why}",
        "get {contact} out of sight, noted as {why}",
        "tidy {contact} away ({why})",
        "archive {contact}",
        "put {contact} into the archive",
    ],
    asks={
        "contact": ["Which entry shall I archive?", "Whom would you like to put away?"],
        "why": [
            "What shall I note as the reason: out of touch, moved away, retired, or job done?",
            "Why does it go into the archive?",
        ],
    },
    outcome=outcome(
        quotes=["display_name"],
        mood="neutral",
        says=[
            "{display_name} is in the archive now and won't turn up in your lists.",
            "I've put the entry for {display_name} away; it can be brought back from the archive.",
            "The entry for {display_name} has been archived.",
            "{display_name} has moved to the archive.",
            "You won't come across {display_name} any more, except in the archive.",
        ],
    ),
)
def archive_contact(
    db,
    contact: Contact,
    why: Literal["out_of_touch", "moved_away", "retired", "job_done"],
) -> Contact:
    """Put an active entry away. Its consents and aliases stay with it.

    Args:
        why: The reason that is noted
    """
    contact.status, contact.archived_on, contact.archived_for = "archived", db.today, why
    return contact


@domain.write(
    requires=[restore_in_time],
    changes=[
        moves("contact", "archived", to="active"),
        sets("contact", Contact.archived_on, Contact.archived_for),
    ],
    ask=[
        "restore {contact}",
        "bring {contact} back from the archive",
        "have {contact} active again",
        "get {contact} out of the archive",
        "fetch {contact} back into my book",
        "reactivate {contact}",
        "take {contact} out of storage",
    ],
    asks={"contact": ["Which archived entry shall I bring back?", "Whom would you like back?"]},
    outcome=outcome(
        quotes=["display_name"],
        mood="neutral",
        says=[
            "{display_name} is active again.",
            "I've fetched {display_name} back from the archive.",
            "The entry for {display_name} is back in your book.",
            "You'll find {display_name} among your active entries again.",
            "{display_name} has left the archive and is in use once more.",
        ],
    ),
)
def restore_contact(db, contact: Contact) -> Contact:
    """Bring an archived entry back among the active ones."""
    contact.status, contact.archived_on, contact.archived_for = "active", None, None
    return contact


@domain.write(
    requires=[not_a_favourite, in_no_group, card_not_out, no_open_merge, details_confirmed],
    changes=[moves("contact", "active", to="blocked"), sets("contact", Contact.blocked_for)],
    ask=[
        "block {contact.display_name} because of {cause}",
        "have {contact.display_name} blocked for {cause}",
        "shut out {contact.display_name} because of {cause}",
        "keep {contact.display_name} from reaching me, on account of {cause}",
        "put a block on {contact.display_name} for {cause}",
        "block {contact}",
        "have a block put on {contact}",
    ],
    asks={
        "contact": ["Whom would you like to block?", "Which entry is it about?"],
        "cause": [
            "What is the reason: unwanted calls, harassment or fraud?",
            "Why shall it be blocked?",
        ],
    },
    outcome=outcome(
        quotes=["display_name"],
        mood="neutral",
        says=[
            "{display_name} is blocked.",
            "I've put a block on {display_name}; that entry is closed now.",
            "From now on {display_name} is blocked.",
            "The entry for {display_name} is blocked, and its details stay closed.",
            "{display_name} can't get through to you any longer: the block is in place.",
        ],
    ),
)
def block_contact(
    db, contact: Contact, cause: Literal["unwanted_calls", "harassment", "fraud"]
) -> Contact:
    """Block an active entry. The sync takes no messages from a blocked person, and nothing of the
    entry is shown. Tell the holder beforehand that a block for fraud can be lifted by the safety
    desk only.

    Args:
        cause: The reason for the block
    """
    contact.status, contact.blocked_for = "blocked", cause
    return contact


@domain.write(
    requires=[no_fraud, safe_word_given],
    changes=[moves("contact", "blocked", to="active"), sets("contact", Contact.blocked_for)],
    ask=[
        "unblock {contact}",
        "lift the block on {contact}",
        "have {contact} unblocked",
        "let {contact.display_name} through again",
        "take the block off {contact}",
        "open {contact} up again",
    ],
    asks={"contact": ["Whose block shall I lift?", "Which blocked entry do you mean?"]},
    outcome=outcome(
        quotes=["display_name"],
        mood="neutral",
        says=[
            "{display_name} is no longer blocked.",
            "I've lifted the block on {display_name}.",
            "The block on {display_name} is off, and the entry is active.",
            "{display_name} can reach you again.",
            "The entry for {display_name} is open again.",
        ],
    ),
)
def unblock_contact(db, holder: Holder, contact: Contact) -> Contact:
    """Lift the block on an entry, which is active afterwards."""
    contact.status, contact.blocked_for = "active", None
    return contact


@domain.write(
    requires=[no_star_yet, favourites_left],
    changes=[stays("contact", "active"), sets("contact", Contact.favourite)],
    ask=[
        "make {contact} a favourite",
        "put {contact} among my favourites",
        "give {contact} a star",
        "star {contact}",
        "have {contact} at the top of my book as a favourite",
        "mark {contact} as a favourite",
    ],
    asks={"contact": ["Who shall become a favourite?", "Which entry would you like to star?"]},
    outcome=outcome(
        quotes=["display_name"],
        mood="good",
        says=[
            "{display_name} is one of your favourites now.",
            "I've put {display_name} among your favourites.",
            "{display_name} has a star and stands at the top of your book.",
            "You'll find {display_name} with your favourites from now on.",
        ],
    ),
)
def mark_favourite(db, holder: Holder, contact: Contact) -> Contact:
    """Give an active entry a star, so that it stands at the top of the book."""
    contact.favourite = True
    return contact


@domain.write(
    requires=[has_a_star],
    changes=[stays("contact", "active"), sets("contact", Contact.favourite)],
    ask=[
        "take {contact} off my favourites",
        "remove the star from {contact}",
        "unstar {contact}",
        "have {contact} no longer among my favourites",
        "drop {contact} from the favourites",
    ],
    asks={"contact": ["Whose star shall I take off?", "Which favourite do you mean?"]},
    outcome=outcome(
        quotes=["display_name"],
        mood="neutral",
        says=[
            "{display_name} is no longer a favourite.",
            "I've taken the star off {display_name}.",
            "The star on {display_name} is gone; the entry itself stays as it was.",
            "{display_name} has left your favourites.",
        ],
    ),
)
def unmark_favourite(db, contact: Contact) -> Contact:
    """Take the star off an entry."""
    contact.favourite = False
    return contact


@domain.write(
    requires=[code_word_fits],
    changes=[
        stays("contact", "active"),
        sets("contact", Contact.verified, Contact.code_word, Contact.code_sent_on),
    ],
    ask=[
        'verify {contact} with the code word "{code_word}"',
        'have {contact} verified by "{code_word}" as the code word',
        'prove that {contact} is right with the code word "{code_word}"',
        "verify {contact}",
    ],
    asks={
        "contact": ["Which entry shall I verify?", "Whose code word is it?"],
        "code_word": [
            "What code word did you get from that person?",
            "Could you tell me the code word that was passed on to you?",
        ],
    },
    outcome=outcome(
        quotes=["display_name"],
        mood="good",
        says=[
            "The code word fits, and {display_name} is verified.",
            "{display_name} is a verified entry now.",
            "I've verified {display_name}; that was the right word.",
            "That's the right code word, so {display_name} counts as verified.",
        ],
    ),
)
def verify_contact(
    db, contact: Contact, code_word: Annotated[str, Field(min_length=1), drawn(words_for)]
) -> Contact:
    """Verify an active entry by the code word that Rolodeck sent to the contact and the contact
    passed on to the holder. The word is used up by that.

    Args:
        code_word: The code word as the contact passed it on, e.g. quiet harbour
    """
    contact.verified, contact.code_word, contact.code_sent_on = True, None, None
    return contact


@domain.write(
    requires=[alias_is_free, alias_not_weak],
    changes=[moves("alias", "suggested", to="confirmed"), sets("alias", Alias.confidence)],
    ask=[
        "confirm {alias}",
        "have {alias} confirmed",
        "accept {alias}",
        "keep {alias} for good",
        "say yes to {alias}",
        "have {alias} taken as right",
    ],
    asks={"alias": ["Which alias shall I confirm?", "Which of the suggestions is right?"]},
    outcome=outcome(
        quotes=["spelling"],
        mood="good",
        says=[
            '"{spelling}" is confirmed and will always lead to the right entry.',
            'I\'ve confirmed the alias "{spelling}".',
            '"{spelling}" now counts as certain.',
            'The alias "{spelling}" has been accepted.',
        ],
    ),
)
def confirm_alias(db, alias: Alias) -> Alias:
    """Confirm a suggested alias; its confidence is full from then on."""
    alias.status, alias.confidence = "confirmed", FULL
    return alias


@domain.write(
    changes=[moves("alias", ["suggested", "confirmed"], to="rejected")],
    ask=[
        "reject {alias}",
        "have {alias} thrown out",
        "get rid of {alias}",
        "drop {alias}",
        "strike out {alias}",
        "have {alias} marked as wrong",
    ],
    asks={"alias": ["Which alias is wrong?", "Which of the aliases shall I reject?"]},
    outcome=outcome(
        quotes=["spelling"],
        mood="neutral",
        says=[
            '"{spelling}" is rejected and no longer leads to anybody.',
            'I\'ve thrown out the alias "{spelling}".',
            'The alias "{spelling}" won\'t be used any more.',
            '"{spelling}" has been struck out.',
        ],
    ),
)
def reject_alias(db, alias: Alias) -> Alias:
    """Reject an alias that doesn't belong to its entry, suggested or confirmed."""
    alias.status = "rejected"
    return alias


@domain.write(
    requires=[fit_for_group, room_in_group],
    changes=[creates(GroupMember), sets("contact_group", ContactGroup.size)],
    ask=[
        "put {contacts} into {contact_group}",
        "add {contacts} to {contact_group}",
        "have {contacts} in {contact_group}",
        "let {contacts} join {contact_group}",
        "take {contacts} into {contact_group}",
    ],
    asks={
        "contact_group": ["Which group shall it be?", "Into which of your groups?"],
        "contacts": ["Whom shall I add?", "Who is to join the group?"],
    },
    outcome=outcome(
        quotes=["title", "size"],
        mood="good",
        says=[
            "That's done for {title}; the number of members is {size} now.",
            "{title} has been added to; the members number {size} now.",
            "{title} has grown; it counts {size} members.",
            "I've put that into {title}; there, the number of members is now {size}.",
        ],
    ),
)
def add_to_group(
    db,
    contact_group: ContactGroup,
    contacts: Annotated[list[Contact], Field(min_length=1), drawn(circles_for)],
) -> ContactGroup:
    """Put one or several active entries into a group, all of them or none.

    Args:
        contacts: The entries to add
    """
    for contact in contacts:
        db.create(GroupMember, contact_group=contact_group, contact=contact, joined_on=db.today)
    contact_group.size += len(contacts)
    return contact_group


@domain.write(
    changes=[
        deletes("group_member"),
        sets("group_member.contact_group", ContactGroup.size),
    ],
    ask=[
        "take {group_member.contact.display_name} out of {group_member.contact_group}",
        "give up {group_member}",
        "remove {group_member.contact.display_name} from {group_member.contact_group}",
        "have {group_member.contact.display_name} leave {group_member.contact_group}",
        "drop {group_member.contact.display_name} from {group_member.contact_group}",
    ],
    asks={"group_member": ["Who shall leave which group?", "Whose place shall I give up?"]},
    outcome=outcome(
        quotes=["title", "size"],
        mood="neutral",
        says=[
            "That's done; the number of members of {title} is down to {size}.",
            "The place in {title} is given up; the number of members left is {size}.",
            "{title} is one smaller; it counts {size} members now.",
            "The place in {title} is free; the number of members is now {size}.",
        ],
    ),
)
def remove_from_group(db, group_member: GroupMember) -> ContactGroup:
    """Take an entry out of a group; the entry itself stays in the book."""
    group = group_member.contact_group
    db.delete(group_member)
    group.size -= 1
    return group


@domain.write(
    requires=[alike_enough, nothing_folded_in, not_in_another_merge, not_declined_lately],
    changes=[
        stays("keep", "active"),
        stays("other", "active"),
        creates(MergeRequest),
    ],
    ask=[
        "propose merging {other} into {keep}",
        "have {other} and {keep} put forward as one person, keeping the latter",
        "put forward that {other} is folded into {keep}",
        "set up a merge of {other} into {keep}",
        "suggest that {keep} takes in {other}",
    ],
    asks={
        "keep": ["Which of the two entries shall be kept?", "Into which entry shall it go?"],
        "other": ["Which entry shall be folded in?", "Which of them is the extra one?"],
    },
    outcome=outcome(
        quotes=["score"],
        mood="good",
        says=[
            "The proposal is set up, with a similarity score of {score}; nothing has been merged "
            "yet.",
            "I've noted the pair for merging: their score is {score}, and it still has to be "
            "approved.",
            "That's proposed. The two entries score {score}, and both stay until you approve it.",
            "The merge is on the table with a score of {score}.",
        ],
    ),
)
def propose_merge(db, keep: Contact, other: Annotated[Contact, drawn(twins_for)]) -> MergeRequest:
    """Put two active entries forward as one person. Nothing is merged by that: the proposal waits
    for approval."""
    return db.create(
        MergeRequest,
        holder=keep.holder,
        keep=keep,
        other=other,
        score=score_of(keep, other),
        proposed_on=db.today,
    )


EVERY_ALIAS = ["suggested", "confirmed", "rejected"]
FILLABLE = [Contact.organisation, Contact.city, Contact.email, Contact.phone, Contact.birthday]


@domain.write(
    requires=[
        not_a_favourite.on(contact="merge_request.other"),
        in_no_group.on(contact="merge_request.other"),
        card_not_out.on(contact="merge_request.other"),
        sure_of_the_match,
        birthdays_agree,
        details_confirmed,
    ],
    changes=[
        moves("merge_request", "proposed", to="approved"),
        sets(
            "merge_request", MergeRequest.decided_on, MergeRequest.undo_until, MergeRequest.filled
        ),
        stays("merge_request.keep", "active"),
        sets("merge_request.keep", *FILLABLE),
        moves("merge_request.other", "active", to="merged"),
        stays("merge_request.other.aliases", EVERY_ALIAS),
        sets("merge_request.other.aliases", Alias.contact, Alias.came_from),
    ],
    ask=[
        "approve {merge_request}",
        "have {merge_request} go through",
        "carry out {merge_request}",
        "say yes to {merge_request}",
        "go through with {merge_request}",
        "have {merge_request} done",
    ],
    asks={"merge_request": ["Which merge shall I approve?", "Which of the proposals is it?"]},
    outcome=outcome(
        quotes=["undo_until"],
        mood="good",
        ask_first=[
            "preview_merge",
            "The two entries have a similarity score of {score}; the merge can be undone until "
            "{undo_until}.",
        ],
        says=[
            "{merge_request.other.display_name} is part of {merge_request.keep.display_name} now; "
            "that can be undone until {undo_until}.",
            "The two entries are one, under {merge_request.keep.display_name}. Until {undo_until} "
            "it can still be taken back.",
            "I've folded {merge_request.other.display_name} into "
            "{merge_request.keep.display_name}, and you have until {undo_until} to undo it.",
            "The merge into {merge_request.keep.display_name} is done, and reversible until "
            "{undo_until}.",
        ],
    ),
)
def approve_merge(db, merge_request: MergeRequest) -> MergeRequest:
    """Fold one entry of a proposal into the other.

    The kept entry's own details stay; what it lacks is filled in from the other. All aliases move
    over. Consents do not: they stay behind, and have to be given anew for the kept entry.
    """
    keep, other = merge_request.keep, merge_request.other
    missing = gaps(keep, other)
    if "organisation" in missing:
        keep.organisation = other.organisation
    if "city" in missing:
        keep.city = other.city
    if "email" in missing:
        keep.email = other.email
    if "phone" in missing:
        keep.phone = other.phone
    if "birthday" in missing:
        keep.birthday = other.birthday
    for alias in other.aliases:
        alias.contact, alias.came_from = keep, other
    other.status = "merged"
    merge_request.status, merge_request.decided_on = "approved", db.today
    merge_request.undo_until = undo_end(db.today)
    merge_request.filled = ", ".join(missing) or None
    return merge_request


@domain.write(
    changes=[
        moves("merge_request", "proposed", to="declined"),
        sets("merge_request", MergeRequest.decided_on),
    ],
    ask=[
        "decline {merge_request}",
        "turn down {merge_request}",
        "have {merge_request} dropped",
        "say no to {merge_request}",
        "throw out {merge_request}",
        "have {merge_request} declined",
    ],
    asks={"merge_request": ["Which merge shall I decline?", "Which proposal is no good?"]},
    outcome=outcome(
        quotes=["decided_on"],
        mood="neutral",
        says=[
            "The proposal about {merge_request.other.display_name} is declined as of {decided_on}; "
            "both entries stay apart.",
            "I've turned down the merge of {merge_request.other.display_name} into "
            "{merge_request.keep.display_name}, dated {decided_on}.",
            "{merge_request.other.display_name} and {merge_request.keep.display_name} remain two "
            "entries: the proposal was declined on {decided_on}.",
        ],
    ),
)
def decline_merge(db, merge_request: MergeRequest) -> MergeRequest:
    """Turn down an open proposal; both entries stay as they are."""
    merge_request.status, merge_request.decided_on = "declined", db.today
    return merge_request


@domain.write(
    requires=[undo_in_time, kept_entry_settled, last_merge_first, details_confirmed],
    changes=[
        moves("merge_request", "approved", to="undone"),
        stays("merge_request.keep", "active"),
        sets("merge_request.keep", *FILLABLE),
        moves("merge_request.other", "merged", to="active"),
        stays("merge_request.keep.aliases", EVERY_ALIAS),
        sets("merge_request.keep.aliases", Alias.contact, Alias.came_from),
    ],
    ask=[
        "undo {merge_request}",
        "take back {merge_request}",
        "have {merge_request} undone",
        "reverse {merge_request}",
        "split up again what came together in {merge_request}",
    ],
    asks={"merge_request": ["Which merge shall I undo?", "Which of the merges was a mistake?"]},
    outcome=outcome(
        quotes=["other_name", "keep_name"],
        mood="neutral",
        says=[
            "{other_name} and {keep_name} are two entries again.",
            "I've taken {other_name} out of {keep_name} again; each has its own aliases back.",
            "The merge is undone: {other_name} stands beside {keep_name} as before.",
            "{other_name} is an entry of its own once more, apart from {keep_name}.",
        ],
    ),
)
def undo_merge(db, merge_request: MergeRequest) -> MergeRequest:
    """Take a merge apart: the folded entry is active again, gets back its aliases, and what was
    filled in is blanked. Places in groups do not come back by themselves."""
    keep, other = merge_request.keep, merge_request.other
    filled = (merge_request.filled or "").split(", ")
    if "organisation" in filled:
        keep.organisation = None
    if "city" in filled:
        keep.city = None
    if "email" in filled:
        keep.email = None
    if "phone" in filled:
        keep.phone = None
    if "birthday" in filled:
        keep.birthday = None
    for alias in keep.aliases:
        if alias.came_from is other:
            alias.contact, alias.came_from = other, None
    other.status = "active"
    merge_request.status = "undone"
    return merge_request


@domain.write(
    requires=[can_be_reached, consent_is_new, newsletters_in_writing],
    changes=[stays("contact", "active"), creates(Consent)],
    ask=[
        "record that {contact.display_name} has agreed to {purpose} by {channel} ({evidence})",
        "have a {evidence} consent from {contact.display_name} to {purpose} by {channel} on file",
        "note a {evidence} yes from {contact.display_name} to {purpose} by {channel}",
        "put down that {contact.display_name} is fine with {purpose} by {channel} ({evidence})",
        "record a consent from {contact.display_name} to {purpose} by {channel}",
    ],
    asks={
        "contact": ["Who has agreed?", "Whose consent is it?"],
        "channel": ["By which channel: e-mail, telephone or post?", "For what channel is it?"],
        "purpose": [
            "What is it for: personal notes, newsletters or card sharing?",
            "To what has that person agreed?",
        ],
        "evidence": [
            "Was it given in writing or by word of mouth?",
            "How was the consent given, spoken or written?",
        ],
    },
    outcome=outcome(
        quotes=["runs_out_on"],
        mood="good",
        says=[
            "The consent of {contact.display_name} is on file and holds until {runs_out_on}.",
            "I've recorded that {contact.display_name} agrees; it runs out on {runs_out_on}.",
            "{contact.display_name}'s yes to {purpose} by {channel} is noted, good until "
            "{runs_out_on}.",
            "That's recorded for {contact.display_name}, with {runs_out_on} as its last day.",
        ],
    ),
)
def record_consent(
    db,
    contact: Contact,
    channel: Channel,
    purpose: Purpose,
    evidence: Literal["spoken", "written"],
) -> Consent:
    """Record what a contact has agreed to, as the holder reports it. It holds for {CONSENT_DAYS}
    days.

    Args:
        channel: The channel that the consent is for
        purpose: What the contact has agreed to
        evidence: How the consent was given
    """
    return db.create(
        Consent,
        contact=contact,
        channel=channel,
        purpose=purpose,
        evidence=evidence,
        given_on=db.today,
        runs_out_on=consent_end(db.today),
    )


@domain.write(
    requires=[details_confirmed],
    changes=[moves("consent", "granted", to="withdrawn")],
    ask=[
        "withdraw {consent}",
        "have {consent} taken back",
        "cancel {consent}",
        "strike {consent} from the record",
        "put an end to {consent}",
        "note that {consent} is withdrawn",
    ],
    asks={"consent": ["Whose consent to what is withdrawn?", "Which consent do you mean?"]},
    outcome=outcome(
        quotes=["purpose"],
        mood="neutral",
        says=[
            "The consent of {consent.contact.display_name} to {purpose} is withdrawn.",
            "I've noted that {consent.contact.display_name} no longer agrees to {purpose}.",
            "{consent.contact.display_name} has withdrawn from {purpose}, and the record says so.",
            "{consent.contact.display_name} is off the list for {purpose}.",
        ],
    ),
)
def withdraw_consent(db, consent: Consent) -> Consent:
    """Record that a contact has taken a consent back."""
    consent.status = "withdrawn"
    return consent


@domain.write(
    requires=[
        entry_verified,
        sharing_agreed,
        somebody_new,
        shares_left,
        safe_word_given,
        private_cards_briefly,
        recipient_not_blocked,
        details_confirmed,
    ],
    changes=[stays("contact", "active"), creates(SharedCard)],
    errors={"recipient_unknown": "Nobody at Rolodeck has that handle."},
    ask=[
        "share the card of {contact.display_name} with {recipient_handle} for {days} days",
        "let {recipient_handle} see the card of {contact.display_name} for {days} days",
        "open {contact.display_name} to {recipient_handle} for {days} days",
        "give {recipient_handle} a look at the card of {contact.display_name} for {days} days",
        "pass the card of {contact.display_name} on to {recipient_handle} for {days} days",
        "share the card of {contact.display_name}",
    ],
    asks={
        "contact": ["Whose card shall I share?", "Which entry is it?"],
        "recipient_handle": [
            "What handle does the other person have with Rolodeck?",
            "With which account shall I share it?",
        ],
        "days": ["For how many days shall it be open?", "How long may it be seen, in days?"],
    },
    outcome=outcome(
        quotes=["recipient_handle", "expires_on"],
        mood="good",
        says=[
            "{recipient_handle} can see the card of {contact.display_name} until {expires_on}.",
            "The card of {contact.display_name} is open to {recipient_handle}, and closes on "
            "{expires_on}.",
            "I've shared {contact.display_name}'s card with {recipient_handle}; it runs out on "
            "{expires_on}.",
            "The card of {contact.display_name} is there for {recipient_handle} until "
            "{expires_on}.",
        ],
    ),
)
def share_card(
    db,
    holder: Holder,
    contact: Contact,
    recipient_handle: Annotated[str, Field(min_length=3), drawn(recipients_for)],
    days: Annotated[int, Field(ge=1, le=MAX_SHARE_DAYS), drawn(lambda: [7, 14, 30, 60])],
) -> SharedCard:
    """Let another Rolodeck holder look at a contact's card for some days.

    Args:
        recipient_handle: The handle of the other holder, e.g. @adaholm12
        days: For how many days the card can be seen, e.g. 14
    """
    if db.one(Holder, handle=recipient_handle) is None:
        raise ToolError("recipient_unknown")
    return db.create(
        SharedCard,
        holder=holder,
        contact=contact,
        recipient_handle=recipient_handle,
        shared_on=db.today,
        expires_on=db.today + timedelta(days=days),
    )


@domain.write(
    requires=[share_term],
    changes=[stays("shared_card", "live"), sets("shared_card", SharedCard.expires_on)],
    ask=[
        "keep {shared_card} open for {days} more days",
        "extend {shared_card} by {days} days",
        "let {shared_card} be seen for {days} days longer",
        "add {days} days to {shared_card}",
    ],
    asks={
        "shared_card": ["Which shared card shall stay open longer?", "Which card is it about?"],
        "days": ["By how many days?", "How many days more shall it be?"],
    },
    outcome=outcome(
        quotes=["expires_on"],
        mood="good",
        says=[
            "The card of {shared_card.contact.display_name} stays open until {expires_on}.",
            "{shared_card.contact.display_name}'s card can now be seen until {expires_on}.",
            "I've moved the end of that share to {expires_on}.",
        ],
    ),
)
def extend_share(
    db,
    shared_card: SharedCard,
    days: Annotated[int, Field(ge=1, le=MAX_SHARE_DAYS), drawn(lambda: [7, 10, 21, 45])],
) -> SharedCard:
    """Let a shared card be seen for more days.

    Args:
        days: How many days more, e.g. 10
    """
    shared_card.expires_on = shared_card.expires_on + timedelta(days=days)
    return shared_card


@domain.write(
    changes=[moves("shared_card", "live", to="revoked")],
    ask=[
        "take back {shared_card}",
        "stop sharing {shared_card}",
        "close {shared_card}",
        "revoke {shared_card}",
        "end the share of {shared_card}",
        "have {shared_card} closed",
    ],
    asks={"shared_card": ["Which shared card shall I take back?", "Which share shall be closed?"]},
    outcome=outcome(
        quotes=["recipient_handle"],
        mood="neutral",
        says=[
            "{recipient_handle} can no longer see the card of {shared_card.contact.display_name}.",
            "I've taken the card of {shared_card.contact.display_name} back from "
            "{recipient_handle}.",
            "The card of {shared_card.contact.display_name} is closed to {recipient_handle}.",
            "That share has ended: {recipient_handle} has no access to "
            "{shared_card.contact.display_name} any more.",
        ],
    ),
)
def revoke_share(db, shared_card: SharedCard) -> SharedCard:
    """Take a shared card back before its time is over."""
    shared_card.status = "revoked"
    return shared_card


@domain.write(
    requires=[
        can_be_reached,
        has_consent,
        not_too_often,
        no_newsletters_to_family,
        details_confirmed,
    ],
    changes=[stays("contact", "active"), creates(Mailing)],
    ask=[
        "send {purpose} to {contact.display_name} by {channel}",
        "have {purpose} go out to {contact.display_name} by {channel}",
        "get {purpose} to {contact.display_name} by {channel}",
        "write to {contact.display_name} by {channel} with {purpose}",
        "let {contact.display_name} have {purpose} by {channel}",
    ],
    asks={
        "contact": ["To whom shall it go?", "Who is to get it?"],
        "channel": ["By e-mail, telephone or post?", "Which channel would you like?"],
        "purpose": ["A personal note or the newsletter?", "What shall be sent?"],
    },
    outcome=outcome(
        quotes=["sent_on"],
        mood="good",
        irreversible=True,
        says=[
            "It went out to {contact.display_name} by {channel} on {sent_on}.",
            "{contact.display_name} gets your {purpose} by {channel}, dated {sent_on}.",
            "Your {purpose} are on their way to {contact.display_name} as of {sent_on}.",
        ],
    ),
)
def write_to_contact(db, contact: Contact, channel: Channel, purpose: Message) -> Mailing:
    """Send a contact what the holder has prepared in the app: the personal note or the newsletter.
    What is sent cannot be fetched back.

    Args:
        channel: How it is sent
        purpose: What is sent
    """
    return db.create(Mailing, contact=contact, channel=channel, purpose=purpose, sent_on=db.today)


@domain.write(
    requires=[
        group_not_empty,
        exports_left,
        safe_word_given,
        everybody_agreed,
        details_confirmed,
    ],
    changes=[creates(CardExport)],
    ask=[
        "export {contact_group}",
        "get the cards of {contact_group} as a file",
        "have {contact_group} exported",
        "download the cards in {contact_group}",
        "take a copy of {contact_group} with me",
    ],
    asks={"contact_group": ["Which group shall I export?", "The cards of which group?"]},
    outcome=outcome(
        quotes=["cards"],
        mood="good",
        irreversible=True,
        says=[
            "The file with the cards of {contact_group.title} is ready; the number of cards in it "
            "is {cards}.",
            "{contact_group.title} has been exported, with {cards} cards in the file.",
            "I've made the export of {contact_group.title}; it counts {cards} cards.",
        ],
    ),
)
def export_group(db, holder: Holder, contact_group: ContactGroup) -> CardExport:
    """Make a file with the cards of a group for the holder to take away. It counts towards the
    exports of the plan and cannot be called back."""
    return db.create(
        CardExport,
        holder=holder,
        contact_group=contact_group,
        cards=contact_group.size,
        made_on=db.today,
    )


@domain.write(
    requires=[not_handed_over_yet],
    changes=[creates(IdentityEscalation)],
    handover=True,
    ask=[
        "have a person look at this ({reason})",
        "speak to somebody at Rolodeck ({reason})",
        "be passed on to one of your desks ({reason})",
        "have this looked into by a human being ({reason})",
    ],
    asks={"reason": ["What shall I pass it on for?", "What is it about, in a word?"]},
    outcome=outcome(
        quotes=["desk"],
        mood="neutral",
        says=[
            "I've passed it on to the {desk}, who will write to you.",
            "The {desk} has your case now and will be in touch.",
            "This is with the {desk}; you'll hear from a person there.",
            "A colleague at the {desk} takes it from here.",
            "Your case is open at the {desk}, together with what you told me.",
        ],
    ),
)
def hand_over(db, holder: Holder, reason: Reason) -> IdentityEscalation:
    """Pass the conversation on to a person.

    The identity desk gets pairs that you may not decide and merges that are too old to undo; the
    safety desk blocks for fraud and forgotten safe words; the privacy desk people who want to be
    taken out of a book; support gets complaints, faults of the app, and whatever none of your tools
    can do. Hand over only what you cannot settle yourself, once for each reason.

    Args:
        reason: What the person is needed for
    """
    return db.create(
        IdentityEscalation, holder=holder, reason=reason, desk=DESKS[reason], opened_on=db.today
    )


# Invariants ---------------------------------------------------------------------------------------


@domain.invariant(Holder)
def within_the_plan(holder) -> bool:
    return (
        len([c for c in holder.contacts if c.favourite]) <= MAX_FAVOURITES[holder.plan]
        and len([s for s in holder.shared_cards if s.status == "live"]) <= MAX_SHARES[holder.plan]
    )


@domain.invariant(Holder)
def one_open_case_a_reason(holder) -> bool:
    reasons = [e.reason for e in holder.identity_escalations if e.status == "open"]
    return len(reasons) == len(set(reasons))


@domain.invariant(CardExport)
def exports_within_the_plan(card_export) -> bool:
    holder, day = card_export.holder, card_export.made_on
    earlier = [
        e for e in holder.card_exports if day - timedelta(days=EXPORT_DAYS) < e.made_on <= day
    ]
    return card_export.contact_group.holder is holder and len(earlier) <= MAX_EXPORTS[holder.plan]


@domain.invariant(ContactGroup)
def size_adds_up(group) -> bool:
    members = [p.contact.id for p in group.group_members]
    within = len(members) <= MAX_GROUP[group.holder.plan]
    return within and group.size == len(members) == len(set(members))


@domain.invariant(GroupMember)
def members_are_the_holder_s_own(place) -> bool:
    return place.contact.status == "active" and place.contact.holder is place.contact_group.holder


@domain.invariant(Contact)
def put_aside_means_alone(contact) -> bool:
    if contact.status == "active":
        return True
    shared = any(s.status == "live" for s in contact.shared_cards)
    return not (contact.favourite or contact.group_places or shared)


@domain.invariant(Contact)
def reasons_follow_the_state(contact) -> bool:
    archived = contact.status == "archived"
    return (
        (contact.archived_on is not None) == archived
        and (contact.archived_for is not None) == archived
        and (contact.blocked_for is not None) == (contact.status == "blocked")
    )


@domain.invariant(Contact)
def merged_once(contact) -> bool:
    given = [m for m in contact.merges_given if m.status == "approved"]
    kept = any(m.status == "approved" for m in contact.merges_kept)
    if contact.status == "merged" and kept:
        return False
    return len(given) == (1 if contact.status == "merged" else 0)


@domain.invariant(Contact)
def one_open_proposal(contact) -> bool:
    proposed = [m for m in (*contact.merges_kept, *contact.merges_given) if m.status == "proposed"]
    return len(proposed) <= 1 and (not proposed or contact.status == "active")


@domain.invariant(Contact)
def verified_is_settled(contact) -> bool:
    sent = (contact.code_word is None) == (contact.code_sent_on is None)
    return sent and not (contact.verified and contact.code_word is not None)


@domain.invariant(MergeRequest)
def merge_of_two_own_entries(m) -> bool:
    own = m.keep.holder is m.holder and m.other.holder is m.holder
    return own and m.keep is not m.other and m.score >= MERGE_MIN


@domain.invariant(MergeRequest)
def folded_away_is_no_keeper(m) -> bool:
    kept = [k for k in m.other.merges_kept if k.status == "approved"]
    return m.status != "proposed" or not kept


@domain.invariant(MergeRequest)
def open_score_is_true(m) -> bool:
    return m.status != "proposed" or m.score == score_of(m.keep, m.other)


@domain.invariant(MergeRequest)
def decisions_are_dated(m) -> bool:
    if m.status == "proposed":
        return m.decided_on is None and m.undo_until is None and m.filled is None
    if m.decided_on is None or m.decided_on < m.proposed_on:
        return False
    if m.status == "declined":
        return m.undo_until is None
    return m.undo_until == m.decided_on + timedelta(days=UNDO_DAYS)


@domain.invariant(MergeRequest)
def filled_in_from_the_other(m) -> bool:
    if m.status != "approved" or m.filled is None:
        return True
    filled = m.filled.split(", ")
    pairs = {
        "organisation": (m.keep.organisation, m.other.organisation),
        "city": (m.keep.city, m.other.city),
        "email": (m.keep.email, m.other.email),
        "phone": (m.keep.phone, m.other.phone),
        "birthday": (m.keep.birthday, m.other.birthday),
    }
    return all(pairs[key][0] == pairs[key][1] for key in filled)


@domain.invariant(MergeRequest)
def aliases_moved(m) -> bool:
    if m.status != "approved":
        return True
    return not m.other.aliases


@domain.invariant(Alias)
def moved_within_one_book(alias) -> bool:
    if alias.status == "confirmed" and alias.confidence != FULL:
        return False
    return alias.came_from is None or (
        alias.came_from.status == "merged" and alias.came_from.holder is alias.contact.holder
    )


@domain.invariant(Consent)
def consent_is_dated(consent) -> bool:
    length = consent.runs_out_on == consent.given_on + timedelta(days=CONSENT_DAYS)
    return length and (consent.status != "granted" or consent.runs_out_on >= domain.now.date())


@domain.invariant(Consent)
def granted_once(consent) -> bool:
    twins = [
        c
        for c in consent.contact.consents
        if (c.channel, c.purpose, c.status) == (consent.channel, consent.purpose, "granted")
    ]
    return consent.status != "granted" or twins == [consent]


@domain.invariant(Mailing)
def never_too_often(mailing) -> bool:
    return all(
        m is mailing
        or m.channel != mailing.channel
        or abs((m.sent_on - mailing.sent_on).days) >= QUIET_DAYS
        for m in mailing.contact.mailings
    )


@domain.invariant(SharedCard)
def shared_within_the_term(card) -> bool:
    if card.contact.holder is not card.holder or card.recipient_handle == card.holder.handle:
        return False
    today = domain.now.date()
    if card.status != "live":
        return True
    again = [
        s
        for s in card.contact.shared_cards
        if s.status == "live" and s.recipient_handle == card.recipient_handle
    ]
    latest = today + timedelta(days=MAX_SHARE_DAYS)
    return today <= card.expires_on <= latest and again == [card]


@domain.invariant(IdentityEscalation)
def desk_follows_reason(case) -> bool:
    desks = {
        "unsure_match": "identity_desk",
        "late_undo": "identity_desk",
        "fraud_block": "safety_desk",
        "removal_wish": "privacy_desk",
        "lost_safe_word": "safety_desk",
    }
    return case.desk == desks.get(case.reason, "support")


# Why people write ---------------------------------------------------------------------------------

for told, tools in (
    ("I keep ringing the wrong people by accident.", ["archive_contact"]),
    ("I'm clearing out my book this weekend.", ["archive_contact", "reject_alias"]),
    ("I shan't be needing that number in the near future.", ["archive_contact"]),
    ("Half of my book is from another life.", ["archive_contact"]),
    ("My list has grown so long that I can't find anybody.", ["archive_contact"]),
    ("We met by chance at the station and swapped news.", ["restore_contact"]),
    ("The heating has broken down again, and I need that number.", ["restore_contact"]),
    ("An old friend has moved back to town.", ["restore_contact"]),
    ("I put somebody away too hastily.", ["restore_contact"]),
    ("It can't go on like this.", ["block_contact"]),
    ("I've put up with it for long enough.", ["block_contact"]),
    ("I don't want to hear another word from that side.", ["block_contact"]),
    ("I've asked twice to be left alone.", ["block_contact"]),
    ("We've talked it over and made up.", ["unblock_contact"]),
    ("It turns out that the calls came from somebody else.", ["unblock_contact"]),
    ("I blocked the wrong person, I fear.", ["unblock_contact"]),
    ("We've started to work together every day.", ["mark_favourite"]),
    ("I ring that number more than any other.", ["mark_favourite"]),
    ("I'm forever scrolling to find the same person.", ["mark_favourite"]),
    ("We hardly ring each other these days.", ["unmark_favourite"]),
    ("My start page is getting crowded.", ["unmark_favourite"]),
    ("I've just had a call with that code word of yours.", ["verify_contact"]),
    ("Your letter with the code word has reached them.", ["verify_contact"]),
    ("I'd like to be sure that the address is the right one.", ["verify_contact"]),
    ("Your app asks me about a nickname.", ["confirm_alias", "reject_alias"]),
    ("I've looked at the signature under the mail again.", ["confirm_alias"]),
    ("I've asked, and it's right.", ["confirm_alias"]),
    ("That handle belongs to a stranger.", ["reject_alias"]),
    ("The app has mixed up two people there.", ["reject_alias"]),
    ("We're planning a surprise and need everybody in one place.", ["add_to_group"]),
    ("There's somebody new on the team.", ["add_to_group"]),
    ("I keep forgetting the same people when I write to all.", ["add_to_group"]),
    ("Somebody has left the team.", ["remove_from_group"]),
    ("I've got too many people in one of my circles.", ["remove_from_group"]),
    ("One of them has given up singing.", ["remove_from_group"]),
    ("I see one and the same face twice in my book.", ["propose_merge", "approve_merge"]),
    ("Since I changed telephones everything is there twice.", ["propose_merge", "approve_merge"]),
    ("I never know which of two entries is the current one.", ["propose_merge", "approve_merge"]),
    ("Your app has suggested that two entries belong together.",
     ["approve_merge", "decline_merge"]),
    ("I've compared the numbers myself.", ["approve_merge"]),
    ("Those two are sisters, not one person.", ["decline_merge"]),
    ("I know both of them, and they have never met.", ["decline_merge"]),
    ("I've thrown two people together who don't belong together.", ["undo_merge"]),
    ("I rang one of them, and the wrong one picked up.", ["undo_merge"]),
    ("It has dawned on me that they're cousins.", ["undo_merge"]),
    ("I had a yes on the telephone just now.", ["record_consent"]),
    ("I've got it in front of me, signed.", ["record_consent"]),
    ("We talked about it over lunch.", ["record_consent"]),
    ("I asked about it, and there was no objection.", ["record_consent"]),
    ("I've had a rather curt message about my letters.", ["withdraw_consent"]),
    ("Somebody has asked me to be left out in future.", ["withdraw_consent"]),
    ("I was told off for writing too much.", ["withdraw_consent"]),
    ("A colleague is looking for somebody reliable.", ["share_card"]),
    ("My partner needs that number as well.", ["share_card", "extend_share"]),
    ("I'm away, and somebody else has to be able to ring.", ["share_card", "extend_share"]),
    ("The project will take longer than we thought.", ["extend_share"]),
    ("They haven't got round to calling yet.", ["extend_share"]),
    ("The matter for which it was needed is settled.", ["revoke_share"]),
    ("I shared more than I should have.", ["revoke_share"]),
    ("They have the number in their own book by now.", ["revoke_share"]),
    ("I've got some news that I'd like to pass round.", ["write_to_contact"]),
    ("I've been meaning to get in touch for weeks.", ["write_to_contact"]),
    ("My note has been lying in the drafts since Easter.", ["write_to_contact"]),
    ("We're off to a place without any signal.", ["export_group"]),
    ("I'd like to have everything on paper for the meeting.", ["export_group"]),
    ("I'm printing labels tonight.", ["export_group"]),
    ("My niece is getting married, and I'm drawing up the guest list.",
     ["add_to_group", "restore_contact"]),
    ("I'm preparing the minutes of our last rehearsal.", ["add_to_group", "export_group"]),
    ("The doctor's receptionist couldn't find my old entry.", ["restore_contact"]),
    ("I've dropped my telephone into the canal and am starting afresh.",
     ["propose_merge", "export_group"]),
    ("Our landlord is asking me for a good electrician.", ["share_card"]),
    ("My cousin is about to move house and knows nobody here.", ["share_card"]),
    ("I've promised my mother to sort out this muddle.", ["reject_alias", "decline_merge"]),
    ("At the fair I collected a whole stack of business cards.",
     ["record_consent", "mark_favourite"]),
    ("There was a postcard in my letterbox with a friendly answer.", ["record_consent"]),
    ("My secretary has left me a list of corrections.",
     ["reject_alias", "confirm_alias", "remove_from_group"]),
    ("I'm stuck at the airport and finally have time for such things.",
     ["archive_contact", "reject_alias", "unmark_favourite"]),
    ("The season is over, and half of the singers have scattered.", ["remove_from_group"]),
    ("The exhibition opens on Saturday.", ["write_to_contact"]),
    ("We've had a disagreement, and I need some distance.", ["unmark_favourite"]),
    ("I've got nowhere with the app.", ["hand_over"]),
    ("I'd rather have this settled by a person.", ["hand_over"]),
):  # fmt: skip
    domain.situation(told, leads_to=tools)

for told, tools in (
    ("Now that I think of it, I'll be needing that number soon.", ["archive_contact"]),
    ("My wife says that we're invited there next month.", ["archive_contact"]),
    ("I've just seen a message from that very person.", ["archive_contact", "block_contact"]),
    ("I'm not sure any longer that it was them who rang.", ["block_contact"]),
    ("Perhaps I'm being too harsh.", ["block_contact"]),
    ("I'd better talk to them before I do that.", ["block_contact", "unblock_contact"]),
    ("I've changed my mind, things can stay as quiet as they are.",
     ["unblock_contact", "restore_contact"]),
    ("I've just remembered why I put that one away.", ["restore_contact"]),
    ("I see that my start page is full enough.", ["mark_favourite"]),
    ("I might want to ring them tonight after all.", ["unmark_favourite", "archive_contact"]),
    ("I'd like to ask for the word once more before we go on.", ["verify_contact"]),
    ("I'm not so sure whose handle that is.", ["confirm_alias"]),
    ("My son says that it may be right after all.", ["reject_alias"]),
    ("I should ask them first whether they want to be in it.", ["add_to_group"]),
    ("They'd find out about the surprise that way.", ["add_to_group"]),
    ("They've just told me that they're staying on.", ["remove_from_group"]),
    ("I've just noticed that they were born in different years.",
     ["propose_merge", "approve_merge"]),
    ("One of the two has just rung, and it's somebody else.", ["propose_merge", "approve_merge"]),
    ("My brother thinks that they are two people.", ["propose_merge", "approve_merge"]),
    ("I'd better look at the two side by side myself.",
     ["approve_merge", "decline_merge", "undo_merge"]),
    ("It seems to be one person after all.", ["decline_merge", "undo_merge"]),
    ("On reflection it was more of a maybe than a yes.", ["record_consent"]),
    ("I've just been told that it was meant as a joke.", ["record_consent"]),
    ("They've written again, and it was a misunderstanding.", ["withdraw_consent"]),
    ("I'd like to ask them once more before that.", ["withdraw_consent", "share_card"]),
    ("I've just heard that they don't want to be rung.", ["share_card", "extend_share"]),
    ("They've found somebody else in the meantime.", ["share_card", "extend_share"]),
    ("They tell me that they still need it.", ["revoke_share"]),
    ("There's a mistake in the text, I see.", ["write_to_contact"]),
    ("It's too late in the day for that.", ["write_to_contact"]),
    ("The trip has been called off.", ["export_group"]),
    ("I don't want that on my laptop, come to think of it.", ["export_group"]),
):  # fmt: skip
    domain.second_thought(told, about=tools)

domain.concern(
    "unsure_match",
    [
        "I honestly can't tell whether {keep.display_name} and {other.display_name} are one person,"
        " and I'd like somebody to find out.",
        "Your app keeps telling me that {other.display_name} is {keep.display_name}, and I've no "
        "way of knowing.",
        "Can somebody who knows about this look at {keep.display_name} and {other.display_name}? "
        "I'm at a loss.",
        "I don't dare to decide about {other.display_name} and {keep.display_name} myself.",
    ],
    about=MergeRequest,
    where={"status": "proposed"},
    noted="that {keep.display_name} and {other.display_name} have to be looked at",
)
domain.concern(
    "removal_wish",
    [
        "{display_name} has asked me to have every trace of the entry deleted at your end.",
        "{display_name} wants to know what you hold and have it erased.",
        "I've had a lawyer's letter: {display_name} demands to be removed from your servers.",
        "{display_name} objects to being in anybody's book and wants you to wipe it all.",
    ],
    about=Contact,
    where={"status": "active"},
    noted="that {display_name} wants to be removed",
)
domain.concern(
    "fraud_block",
    [
        "{display_name} was reported by mistake, and I'd like the block looked into.",
        "The police have told me that {display_name} is no swindler, so that block has to go.",
        "I called {display_name} a swindler in anger, and now I'm stuck with that block.",
    ],
    about=Contact,
    where={"status": "blocked", "blocked_for": "fraud"},
    noted="that the fraud block on {display_name} should be looked into",
)
domain.concern(
    "lost_safe_word",
    [
        "I can't for the life of me remember my safe word.",
        "My safe word is on a slip of paper that went through the wash.",
        "I've forgotten the word that I chose when I signed up.",
        "Somebody has overheard my safe word, and I want a new one.",
        "How do I get a new safe word? The old one is gone from my head.",
    ],
    noted="that you need a new safe word",
)
domain.concern(
    "complaint",
    [
        "I'm cross: your newsletter went to my whole family without asking me.",
        "It's a scandal how little your app cares about my data, and I want that on record.",
        "I've been waiting for an answer from your people for three weeks.",
        "You raised the price of my plan without a word, and I object.",
        "The tone of your last reminder was simply rude.",
    ],
    noted="your complaint, in your own words",
)
domain.concern(
    "app_fault",
    [
        "Your app crashes whenever I open the birthdays.",
        "The sync with my telephone has been standing still for days.",
        "Pictures of my contacts turn up under the wrong names.",
        "My calendar doesn't get the birthdays from your app any more.",
        "I'm logged out every time I turn my tablet.",
        "I can't type an umlaut in your search field.",
    ],
    noted="the fault that you describe",
)


# Seed data ----------------------------------------------------------------------------------------

FIRST = [
    "Agnes",
    "Bertram",
    "Cecily",
    "Dorian",
    "Edda",
    "Florian",
    "Gisela",
    "Harald",
    "Imke",
    "Jasper",
    "Katrin",
    "Lorenz",
    "Mirjam",
    "Norbert",
    "Ottilie",
    "Piers",
    "Roswitha",
    "Siegfried",
    "Thea",
    "Ulrich",
    "Verena",
    "Winston",
]
LAST = [
    "Ackerman",
    "Bellweather",
    "Crane",
    "Dunning",
    "Eastwood",
    "Falk",
    "Gorman",
    "Hartwell",
    "Ingram",
    "Jarvis",
    "Kestrel",
    "Lovell",
    "Marchant",
    "Norwood",
    "Oakley",
    "Pemberton",
    "Quill",
    "Ravenhill",
    "Sharpe",
    "Tolliver",
    "Underhill",
    "Whitlock",
]
TOWNS = ("Ashford", "Brackwater", "Coldharbour", "Dunmore", "Eastleigh Bay", "Fairmont", "Lindau")
EMPLOYERS = ("Heron Press", "Northlight Studio", "Tamar Freight", "Copperfield Insurance")
CLIENTS = ("Bellamy Foods", "Orchard Hotels", "Stern Optics", "Pier Seven", "Villa Roth")
TRADES = ("Falcon Plumbing", "Weir Electrics", "Moss Carpentry", "Alder Roofing")
PRACTICES = ("Harbour Practice", "Linden Dental", "Mill Lane Surgery", "Fairmont Eye Clinic")
SAFE_WORDS = (
    "larkspur", "tamarind", "driftwood", "marzipan", "periwinkle", "buckwheat", "cinnamon",
    "hazelnut", "quicksilver", "thimble", "windmill", "saffron",
)  # fmt: skip
CODE_WORDS = (
    "copper lantern", "quiet harbour", "velvet acorn", "paper comet", "silver thistle",
    "amber kite", "winter plum", "marble otter",
)  # fmt: skip
KNOWN = 36  # people of the pool, beside the holders, whom holders know
GAPS = (("city", "birthday"), ("phone", "organisation"), ("email",))
TITLES = ("Choir", "Project Heron", "Book Circle", "Allotment", "Five-a-side", "Street Party")
PLANS = ("personal", "plus", "studio")
ORDER = ("b", "a", "e", "d")  # whom people make a favourite first


class Book:
    """One holder's book while it is filled: entries by the letter of their part in it."""

    def __init__(self, w: Seeder, number: int, holder: Row):
        self.w, self.number, self.holder = w, number, holder
        self.entries: dict[str, Row] = {}
        self.used: set[str] = set()

    def person(self) -> dict:
        """An invented person whose name is new in this book."""
        while True:
            first, last = self.w.pick(FIRST), self.w.pick(LAST)
            if first not in self.used and last not in self.used:
                self.used |= {first, last}
                return self.details(f"{first} {last}")

    def details(self, called: str) -> dict:
        rng = self.w.rng
        first, last = called.split(maxsplit=1)[0], called.rsplit(maxsplit=1)[-1]
        born = date(1945, 1, 1) + timedelta(days=rng.randrange(365 * 55))
        return {
            "display_name": called,
            "email": f"{first}.{last}{rng.randint(1, 99)}@example.org".lower(),
            "phone": f"555-{rng.randint(100, 199)}-{rng.randint(1000, 9999)}",
            "birthday": born,
            "city": self.w.pick(TOWNS),
        }

    def add(self, letter: str, relationship: str, **values) -> Row:
        w = self.w
        heard = w.day(-400, -2)
        values.setdefault("heard_on", heard)
        values.setdefault("added_on", values["heard_on"] - timedelta(days=w.rng.randint(30, 900)))
        entry = w.add(Contact, holder=self.holder, relationship=relationship, **values)
        self.entries[letter] = entry
        return entry

    def twin(self, letter: str, of: str, like: str, **values) -> Row:
        """A second entry of somebody, as another device has saved it."""
        entry = self.entries[of]
        called = entry.display_name
        short = f"{called[0]}. {called.split()[-1]}"
        contact = {"email": entry.email, "phone": entry.phone}
        kinds = {
            "mail": {"display_name": short, "email": entry.email, "birthday": entry.birthday},
            "mobile": {"display_name": f"{called} (mobile)", "phone": entry.phone},
            "old": {"display_name": f"{called} (old)", **contact, "city": entry.city},
            "clash": {"display_name": f"{called} (mail)", "email": entry.email},
        }
        if like == "clash":
            values["birthday"] = entry.birthday - timedelta(days=365 * 27 + 40)
        return self.add(letter, entry.relationship, **{**kinds[like], **values})

    def fuller_twin(self, letter: str, of: str, sort: int) -> Row:
        """A second entry that has details which the first one lacks."""
        entry = self.entries[of]
        both = {"email": entry.email, "phone": entry.phone, "birthday": entry.birthday}
        both |= {"city": entry.city, "organisation": self.w.pick(EMPLOYERS)}
        for missing in GAPS[sort % len(GAPS)]:
            setattr(entry, missing, None)
        return self.add(
            letter, entry.relationship, display_name=f"{entry.display_name} (old)", **both
        )

    def merge(self, keep: str, other: str, proposed: int, **values) -> Row:
        one, two = self.entries[keep], self.entries[other]
        values.setdefault("score", score_of(one, two))
        proposed_on = self.w.day(proposed, proposed)
        return self.w.add(
            MergeRequest, holder=self.holder, keep=one, other=two, proposed_on=proposed_on, **values
        )

    def folded(self, keep: str, other: str, ago: int) -> None:
        """A merge that was approved so many days ago and has filled in what was missing."""
        day = self.w.day(-ago, -ago)
        one, two = self.entries[keep], self.entries[other]
        score = score_of(one, two)
        filled = gaps(one, two)
        for detail in filled:
            setattr(one, detail, getattr(two, detail))
        dates = {"decided_on": day, "undo_until": undo_end(day)}
        self.merge(
            keep, other, -ago - 4, **dates, score=score, filled=", ".join(filled) or None,
            status="approved",
        )  # fmt: skip


def known(person) -> dict:
    return {
        "display_name": person.name,
        "email": person.email,
        "phone": person.phone,
        "birthday": person.birth_date,
        "city": person.city,
    }


def add_entries(book: Book, pool: list) -> None:
    """The people of a book: three others of the pool, and invented ones."""
    w, n = book.w, book.number
    near = [pool[(3 * n + k) % len(pool)] for k in range(3)]
    sent = {"code_word": w.pick(CODE_WORDS), "code_sent_on": w.day(-6, -2)}
    stale = {"code_word": w.pick(CODE_WORDS), "code_sent_on": w.day(-40, -14)}
    book.add("a", "colleague", **known(near[0]), organisation=w.pick(EMPLOYERS), verified=True)
    book.add("b", "friend", **known(near[1]), verified=True)
    role = ("client", "neighbour")[n % 2]
    firm = w.pick(CLIENTS) if role == "client" else None
    book.add("c", role, **known(near[2]), organisation=firm, **sent)
    book.add("d", "doctor", **book.person(), organisation=w.pick(PRACTICES), verified=True)
    family = book.details(f"{w.pick(FIRST)} {book.holder.name.split()[-1]}")
    book.add("e", "family", **family, **stale)


def put_away(book: Book, letter: str, low: int, high: int, why: str) -> None:
    day = book.w.day(low, high)
    values = {"archived_on": day, "archived_for": why, "status": "archived"}
    heard = day - timedelta(days=book.w.rng.randint(20, 200))
    trade = book.w.pick(TRADES)
    book.add(letter, "supplier", **book.person(), **values, organisation=trade, heard_on=heard)


def shut_out(book: Book, letter: str, cause: str) -> None:
    person = {**book.person(), "birthday": None}
    book.add(letter, "client", **person, status="blocked", blocked_for=cause)


def add_twins(book: Book) -> None:
    """Doubles, entries that were put away, and blocked ones, by the kind of book."""
    n = book.number
    kind, second = n % 4, n % 8 >= 4
    if kind == 0:
        put_away(book, "f", -300, -40, "job_done")
        book.fuller_twin("h", "b", 2 * (n // 12) + n // 4 % 2)
        book.merge("b", "h", -5)
        book.twin("i", "d", "mobile")
        book.merge("d", "i", -9)
        book.twin("o", "e", "clash")
        book.merge("e", "o", -2)
        book.twin("n", "c", "old")
    elif kind == 1:
        put_away(book, "f", -200, -30, "moved_away")
        put_away(book, "k", -600, -380, "retired")
        shut_out(book, "g", "unwanted_calls")
        book.fuller_twin("j", "a", n // 4)
        book.entries["j"].status = "merged"
        book.folded("a", "j", 6)
        book.twin("h", "a", "mail")
        if second:
            book.entries["h"].status = "merged"
            book.folded("a", "h", 3)
            book.twin("s", "a", "mobile")
        else:
            book.merge("a", "h", -1)
            book.fuller_twin("q", "b", n // 8)
            book.entries["q"].status = "merged"
            book.folded("b", "q", 4)
    elif kind == 2:
        shut_out(book, "g", ("harassment", "unwanted_calls")[second])
        shut_out(book, "l", "fraud" if second else "unwanted_calls")
        book.fuller_twin("j", "b", n // 4)
        book.entries["j"].status = "merged"
        book.folded("b", "j", 11)
        book.twin("n", "c", "old")
        if second:
            book.entries["n"].status = "merged"
            book.folded("c", "n", 40)
        book.twin("r", "e", "clash")
        book.merge("e", "r", -4)
        book.twin("o", "d", "mail")
        book.merge("d", "o", -3)
    else:
        put_away(book, "f", -120, -20, "out_of_touch")
        put_away(book, "k", -300, -200, "retired")
        shut_out(book, "l", "fraud" if second else "harassment")
        book.twin("x", "b", "mail")
        day = book.w.day(-90, -30)
        book.merge("b", "x", -95, decided_on=day, status="declined")
        if second:
            book.twin("y", "a", "old")
            day = book.w.day(-60, -20)
            book.merge("a", "y", -70, decided_on=day, undo_until=undo_end(day), status="undone")
        else:
            book.fuller_twin("q", "a", n // 8 + 1)
            book.merge("a", "q", -6)
        book.twin("i", "d", "mobile")
        book.merge("d", "i", -7)


def add_aliases(book: Book, holders: list[Row]) -> None:
    w, n, entries = book.w, book.number, book.entries

    def alias(letter, kind, spelling, confidence, status="suggested", came_from=None):
        values = {"kind": kind, "spelling": spelling, "confidence": confidence}
        owner = entries[letter]
        w.add(Alias, contact=owner, came_from=came_from, status=status, **values)

    first = {letter: entry.display_name.split()[0] for letter, entry in entries.items()}
    nick = {letter: text[:3].title() + "i" for letter, text in first.items()}
    alias("a", "nickname", nick["a"], w.rng.randrange(55, 95, 5))
    alias(
        "b", "handle", f"@{first['b'].lower()}{w.rng.randint(10, 99)}", w.rng.randrange(20, 75, 5)
    )
    if n % 4 == 1:
        alias("e", "nickname", nick["e"], FULL, "confirmed")
    if n % 6 == 0:
        alias("c", "nickname", nick["a"], FULL, "confirmed")
    if n % 6 == 1:
        alias("d", "email", f"praxis{w.rng.randint(10, 99)}@example.org", 35, "rejected")
    if "j" in entries:
        keep = "a" if n % 4 == 1 else "b"
        spelling = f"@{first[keep].lower()}.{w.rng.randint(100, 999)}"
        alias(keep, "handle", spelling, 80, came_from=entries["j"])
    for letter in ("q", "h", "o"):
        if letter in entries and entries[letter].status == "active":
            spelling = f"@{first[letter].lower()}.{w.rng.randint(100, 999)}"
            stands = ("suggested", "confirmed", "rejected")[(n // 4 + n) % 3]
            alias(letter, "handle", spelling, FULL if stands == "confirmed" else 65, stands)
    if "l" in entries:
        alias("l", "handle", holders[(n + 2) % len(holders)].handle, FULL, "confirmed")


def add_groups(book: Book) -> None:
    w, n, entries = book.w, book.number, book.entries
    limit = MAX_GROUP[book.holder.plan]
    plans = [(("c", "e", "d", "b", "a")[: limit - n % 2], -200)]
    if n % 2 == 0:
        plans.append((("a",), -90))
    if n % 4 == 0:
        plans.append((("h",) if n % 24 == 4 else (), -30))
    for place, (parts, made) in enumerate(plans):
        title = TITLES[(n + 2 * place) % len(TITLES)]
        day = w.day(made - 60, made)
        values = {"title": title, "made_on": day, "size": len(parts)}
        group = w.add(ContactGroup, holder=book.holder, **values)
        for letter in parts:
            joined = day + timedelta(days=w.rng.randint(0, -made - 1))
            w.add(GroupMember, contact_group=group, contact=entries[letter], joined_on=joined)
        if (place == 1 and n % 4 == 0) or (n % 6 == 3 and not place):
            ago = w.rng.randint(3, 25) if n % 4 == 0 else w.rng.randint(40, 80)
            made_on = w.day(-ago, -ago)
            w.add(
                CardExport, holder=book.holder, contact_group=group, cards=len(parts),
                made_on=made_on,
            )  # fmt: skip


def add_consents(book: Book) -> None:
    w, n, entries = book.w, book.number, book.entries

    def consent(letter, channel, purpose, evidence, low, high, status="granted"):
        day = w.day(low, high)
        values = {"channel": channel, "purpose": purpose, "evidence": evidence, "status": status}
        w.add(
            Consent, contact=entries[letter], given_on=day, runs_out_on=consent_end(day), **values
        )

    if n % 4 < 3:
        consent("a", "email", "personal_notes", "spoken", -300, -10)
    consent("a", "email", "card_sharing", "written", -200, -10)
    consent("d", "phone", "card_sharing", "spoken", -150, -20)
    if n % 2:
        consent("c", "email", "card_sharing", "spoken", -90, -5)
    if n % 4 == 1:
        consent("e", "phone", "personal_notes", "spoken", -250, -30)
    if n % 3 == 0:
        consent("b", "email", "newsletters", "written", -320, -15)
    if n % 6 == 0:
        consent("e", "email", "newsletters", "written", -100, -15)
    if n % 6 == 1:
        consent("c", "post", "personal_notes", "written", -700, -380, "expired")
    if n % 4 == 2:
        consent("c", "email", "newsletters", "written", -200, -60, "withdrawn")
        consent("b", "email", "card_sharing", "written", -80, -8)


def add_shares(book: Book, holders: list[Row]) -> None:
    w, n, holder = book.w, book.number, book.holder
    others = [holders[(n + k) % len(holders)] for k in (2, 3, 4)]
    first = "o" if n % 8 == 2 else "a"
    pairs = [(first, 0, 60), ("d", 1, 12), ("a", 2, 25), ("d", 0, 9)]
    live = MAX_SHARES[holder.plan] - n // 4 % 2
    seen = set()
    for place, (letter, other, days) in enumerate(pairs):
        recipient = others[other]
        known_pair = (letter, recipient.id)
        if recipient is holder or known_pair in seen:
            continue
        seen.add(known_pair)
        values = {"contact": book.entries[letter], "recipient_handle": recipient.handle}
        if place < live:
            ends = w.day(days // 2, days)
            w.add(SharedCard, holder=holder, **values, shared_on=w.day(-20, -2), expires_on=ends)
        elif place == live and n % 4 > 1:
            status = ("revoked", "lapsed")[n % 2]
            dates = {"shared_on": w.day(-90, -60), "expires_on": w.day(-40, -5)}
            w.add(SharedCard, holder=holder, **values, **dates, status=status)


def add_mailings(book: Book) -> None:
    w, n = book.w, book.number
    if n % 4 == 0:
        ago = (4, 25)[n // 4 % 2]
        values = {"channel": "email", "purpose": "personal_notes", "sent_on": w.day(-ago, -ago)}
        w.add(Mailing, contact=book.entries["a"], **values)


def add_stars(book: Book) -> None:
    parts = ORDER[: MAX_FAVOURITES[book.holder.plan] - book.number % 2]
    for letter in parts:
        book.entries[letter].favourite = True
    if book.number % 24 == 0:
        book.entries[parts[-1]].favourite = False
        book.entries["h"].favourite = True


CASES = ("late_undo", "removal_wish", "complaint", "unsure_match", "app_fault", "fraud_block")


def add_cases(book: Book) -> None:
    if book.number % 6 == 1:
        reason = CASES[book.number // 6 % len(CASES)]
        status = ("open", "answered")[book.number // 6 % 2]
        values = {"reason": reason, "desk": DESKS[reason], "status": status}
        day = book.w.day(-30, -1)
        book.w.add(IdentityEscalation, holder=book.holder, opened_on=day, **values)


@domain.seed
def seed(w: Seeder) -> None:
    number = w.scaled(24)
    people = w.people(number + max(w.scaled(KNOWN), len(PLANS)))
    holders = [
        w.add(
            Holder,
            name=person.name,
            email=person.email,
            handle="@" + person.email.partition("@")[0].replace(".", ""),
            plan=PLANS[(n + n // 4) % len(PLANS)],
            safe_word=SAFE_WORDS[(5 * n + n // 12) % len(SAFE_WORDS)],
        )
        for n, person in enumerate(people[:number])
    ]
    for n, holder in enumerate(holders):
        book = Book(w, n, holder)
        add_entries(book, people[number:])
        if n % 3 < 2:
            fill(book, holders)


def fill(book: Book, holders: list[Row]) -> None:
    """What a book holds that has been in use for a while."""
    add_twins(book)
    add_stars(book)
    add_aliases(book, holders)
    add_groups(book)
    add_consents(book)
    add_shares(book, holders)
    add_mailings(book)
    add_cases(book)
