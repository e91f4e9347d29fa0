"""Quillbox, an app for notes: notebooks with rights, facts in notes, guests, reviews, storage."""

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
    Part,
    Seeder,
    ToolError,
    column,
    creates,
    deletes,
    drawn,
    hashed,
    lifecycle,
    moves,
    outcome,
    part,
    ref,
    sets,
    stays,
)

domain = Domain(
    "notes_knowledge",
    version=1,
    category="Productivity and Communication",
    today=datetime(2026, 6, 9, 8, 20),
    role="assistant inside Quillbox, an app for personal and team notes",
    access="self_service",
    without_tool="other",
    intro="""
    Quillbox keeps what people write down: meeting minutes, contracts, travel plans, vocabulary. You
    sit in the margin of the app and work for the author who is signed in, in that author's own
    notebooks and in those that somebody else has opened to them. You file, tag, share and tidy up,
    and you keep the facts of a note in order: short labelled lines with a date, a time, an amount
    or a few words. You don't write prose for the author and you don't judge what they write.

    Call a note by its title. Titles resemble each other, so when two notes could be meant, ask
    which one. When an author wants a fact that isn't there, say so; never fill a gap from memory.
    The text of a locked note is sealed for you as well: it has neither summary nor facts that you
    could see, and you say nothing about what might be in it.

    Sizes are in kilobytes, and what lies in the trash counts towards the storage until it has been
    purged. A collaborator is somebody in the author's address list; whether that person belongs to
    the team or comes from outside is noted there, and it matters for sharing. Before you take a
    step that only clears the way for another one, such as unpinning a note to pin a different one,
    look whether anything else forbids what the author is after.
    """,
    dialect=Dialect(
        keys="camel",
        envelope="data",
        paging="cursor",
        money="number",
        dates="iso",
        duration="clock",
        currency="€",
        errors={
            "not_found": "Quillbox has no {entity} under {id}.",
            "wrong_state": "This {entity} is {state}; the step takes {wanted} ones.",
            "access_denied": "That one sits in somebody else's Quillbox.",
            "invalid": "Quillbox could not make sense of the request: {detail}.",
        },
        verbs={
            "get": "open_{entity}",
            "list": "{entities}_of_mine",
            "search": "search_{entities}",
            "find": "{entity}_with_{column}",
        },
    ),
)

QUOTA_KB = {"free": 200, "plus": 400, "team": 800}
TEMPLATE_KB = {"blank": 5, "minutes": 20, "journal": 35}
MAX_SHARES = {"free": 2, "plus": 3, "team": 4}
REVISION_DAYS = {"free": 7, "plus": 30, "team": 90}
MAX_FACTS, MAX_TAGS, MAX_PINS = 4, 3, 2
MIN_WORDS, MAX_WORDS, WORDS_A_MINUTE = 80, 2400, 200
TRASH_DAYS, GUEST_DAYS = 30, 45
REVIEW_DAYS = (1, 3, 7, 21, 60)
LAST_STEP = len(REVIEW_DAYS) - 1
USUAL_DAYS = (7, 14, 30, 60)
FULL_BUT = 12  # kilobytes that those who are nearly full have left

Plan = Literal["free", "plus", "team"]
Template = Literal["blank", "minutes", "journal"]
Recall = Literal["well", "partly", "badly"]
Reason = Literal["purged_note", "billing", "ownership_dispute", "complaint", "other"]
AT_HAND = ("draft", "published", "archived")
LIVE = ("offered", "active")

DATE_LABELS = ("deadline", "renewal date", "next meeting", "delivery date", "last day to cancel")
AMOUNT_LABELS = ("budget", "deposit", "agreed price", "monthly fee")
AMOUNTS = (45_00, 120_00, 350_00, 980_00)
FACT_LINES = {
    "meeting room": ("the small room on the third floor", "Room 2.14"),
    "contact person": ("Ms Lindqvist at the front office", "Tomas from the print shop"),
    "parking": ("behind the bakery", "level B, near the lift"),
    "what to bring": ("two copies of the contract", "a torch and dry socks"),
}
NEW_TITLES = (
    "Balcony plants",
    "Questions for the landlord",
    "Reading list",
    "Birthday ideas",
    "Minutes of the Tuesday round",
    "Packing list",
)


class Author(domain.Entity, key=hashed("aut_"), identity=True, label="{name}"):
    """A person with a Quillbox account. The plan decides how many shares may be live at a time and
    how far back revisions can be restored; the storage quota is in kilobytes."""

    name: Mapped[str]
    email: Mapped[str] = column(unique=True, says="e-mail address")
    plan: Mapped[Plan] = column(
        asks=["which plan I'm on", "what plan my account has", "what my Quillbox plan is called"],
        told=["you're on the {value} plan", "your account has the {value} plan",
              "your plan is {value}"],
    )  # fmt: skip
    quota_kb: Mapped[int] = column(ge=0, says="storage quota in kilobytes")


class Collaborator(
    domain.Entity,
    key=hashed("col_", 6),
    label="the contact {self.name}",
    called=["{name}", "{name} from my list", "my contact {name}"],
):
    """Somebody in an author's address list, from the same team or from outside."""

    author: Mapped[Author] = ref(owner=True)
    name: Mapped[str]
    email: Mapped[str] = column(says="e-mail address")
    affiliation: Mapped[Literal["team", "outside"]] = column(
        asks=["whether {it} belongs to my team or comes from outside",
              "if {it} counts as team or as outside"],
        told=["{it} is down as {value}", "in your address list, {it} stands as {value}"],
    )  # fmt: skip


class Notebook(
    domain.Entity,
    key=hashed("nb_", 8),
    label='the notebook "{self.title}"',
    called=['my "{title}" notebook', "the {title} notebook", 'the notebook "{title}"',
            "my notebook {title}", 'the "{title}" notebook'],
):  # fmt: skip
    """A shelf for notes, private or shared. The role says what the author may do in it: an owner
    everything, an editor change notes, a viewer only read them; a notebook that somebody else keeps
    carries that person's name. Shared notebooks are archived by whoever keeps the team's shelf."""

    author: Mapped[Author] = ref(owner=True)
    title: Mapped[str]
    access: Mapped[Literal["private", "shared"]] = column(
        asks=["whether {it} is private or shared", "if others can look into {it} or not"],
        told=["{it} is {value}", "Quillbox lists {it} as {value}"],
    )
    role: Mapped[Literal["owner", "editor", "viewer"]] = column(
        asks=["what role I have in {it}", "which rights I've got in {it}",
              "what I'm allowed to be in {it}, owner or editor or viewer"],
        told=["your role in {it} is {value}", "in {it} you are down as {value}",
              "you have the rights of {value} in {it}"],
    )  # fmt: skip
    kept_by: Mapped[str | None] = column(None, says="person who keeps it")
    status: Mapped[str] = lifecycle(
        {"open": [], "archived": ["open"]},
        outside={"open": ["archived"]},
        asks=["whether {it} is open or archived", "how {it} stands"],
        told=["{it} is {value}", "{it} is {value} at the moment"],
    )


class Note(
    domain.Entity,
    key=hashed(uuid=True),
    label='"{self.title}"',
    shows={"notebook_title": "notebook.title"},
    called=['"{title}"', 'my "{title}" note', 'the note "{title}"', 'my note "{title}"',
            'the "{title}" note', 'my note called "{title}"',
            '"{title}" from the {notebook.title} notebook'],
    superlatives={
        "word_count": ("that's shortest", "that's longest"),
        "size_kb": ("that takes up least space", "that takes up most space"),
        "review_on": ("that has to be reviewed first", "that has to be reviewed last"),
        "purge_on": ("that disappears from the trash first",
                     "that stays in the trash longest"),
    },
):  # fmt: skip
    """A page in a notebook. Locked notes are sealed; a retention date forbids changes through that
    day; while a collaborator has it open for editing, their name stands in it. A note in the trash
    has the day on which Quillbox will purge it by itself."""

    author: Mapped[Author] = ref(owner=True)
    notebook: Mapped[Notebook] = ref()
    title: Mapped[str]
    summary: Mapped[str | None] = column(None, volatile=True)
    word_count: Mapped[int] = column(
        0,
        ge=0,
        says="number of words",
        asks=["how many words {it} has", "how long {it} is in words",
              "what the word count of {it} is"],
        told=["{it} has {value} words", "the word count of {it} is {value}",
              "{it} runs to {value} words"],
    )  # fmt: skip
    size_kb: Mapped[int] = column(
        0,
        ge=0,
        says="size in kilobytes",
        asks=["how many kilobytes {it} takes up", "how big {it} is in kilobytes",
              "how much of my storage {it} uses"],
        told=["{it} takes up {value} kilobytes", "the size of {it} is {value} kilobytes",
              "{it} uses {value} kilobytes of your storage"],
    )  # fmt: skip
    pinned: Mapped[bool] = column(False)
    locked: Mapped[bool] = column(False)
    review_on: Mapped[date | None] = column(
        None,
        says="day of the next review",
        asks=["when {it} is due for review", "on what day I'm to go over {it} again",
              "when the next review of {it} is"],
        told=["{it} is due for review on {value}", "the next review of {it} is on {value}",
              "{value} is the day on which {it} comes up for review"],
    )  # fmt: skip
    review_step: Mapped[int] = column(0, ge=0, says="step of the review schedule")
    retained_until: Mapped[date | None] = column(
        None,
        says="retention date",
        asks=["until when {it} is under retention", "how long the retention on {it} lasts",
              "when the retention of {it} ends"],
        told=["{it} is under retention until {value}", "the retention on {it} lasts until {value}",
              "{value} is the last day of retention for {it}"],
    )  # fmt: skip
    edited_by: Mapped[str | None] = column(
        None,
        says="person who is editing it",
        asks=["who has {it} open right now", "who is working on {it} at the moment",
              "who's editing {it} just now"],
        told=["{value} has {it} open at the moment", "{value} is working on {it} just now",
              "{it} is being edited by {value}"],
    )  # fmt: skip
    purge_on: Mapped[date | None] = column(
        None,
        says="day on which it is purged",
        asks=["until when {it} stays in the trash", "when {it} disappears from the trash",
              "on what day {it} will be purged"],
        told=["{it} stays in the trash until {value}", "{it} will be purged on {value}",
              "Quillbox purges {it} on {value}"],
    )  # fmt: skip
    updated_on: Mapped[date] = column(
        volatile=True,
        says="day of the last change",
    )
    status: Mapped[str] = lifecycle(
        {
            "draft": ["published", "trashed", "purged"],
            "published": ["archived", "trashed", "purged"],
            "archived": ["published", "trashed", "purged"],
            "trashed": ["draft", "purged"],
        },
        asks=["whether {it} is still a draft or published", "what state {it} is in",
              "how {it} stands, draft or published or whatever"],
        told=["{it} is {value}", "Quillbox has {it} down as {value}", "{it} is {value} right now"],
    )  # fmt: skip


class NoteFact(
    domain.Entity,
    key=hashed("fact_", 8),
    plural="note_facts",
    label='the {self.label} in "{self.note.title}"',
    shows={"note_title": "note.title"},
    called=['the {label} in my "{note.title}" note', 'the {label} from "{note.title}"',
            'the {label} that I wrote down in "{note.title}"',
            'the {label} under "{note.title}"',
            'the "{note.title}" {label}'],
    superlatives={
        "amount": ("that's smallest", "that's biggest"),
        "on_date": ("that comes first", "that comes last"),
    },
):  # fmt: skip
    """A labelled line of a note that holds one thing: a date, a time, an amount or a short text."""

    note: Mapped[Note] = ref(owner=True, back="facts")
    label: Mapped[str]
    kind: Mapped[Literal["date", "time", "amount", "text"]]
    on_date: Mapped[date | None] = column(
        None,
        says="date",
        asks=["what date I have for {it}", "which day I noted as {it}", "on what day {it} falls",
              "what {it} is"],
        told=["{it} is {value}", "you noted {value} as {it}", "{value} is {it}"],
    )  # fmt: skip
    at_time: Mapped[time | None] = column(
        None,
        says="time",
        asks=["at what time {it} is", "what time I noted as {it}", "which time stands for {it}"],
        told=["{it} is {value}", "you noted {value} as {it}", "{value} stands there as {it}"],
    )
    amount: Mapped[Money | None] = column(
        None,
        ge=0,
        asks=["how much {it} is", "what sum I noted as {it}", "what {it} comes to",
              "how much I put down as {it}"],
        told=["{it} is {value}", "you noted {value} as {it}", "{it} comes to {value}"],
    )  # fmt: skip
    wording: Mapped[str | None] = column(
        None,
        says="text",
        asks=["what I wrote down as {it}", "what {it} says", "what it says for {it}"],
        told=["{it} says: {value}", 'you wrote "{value}" as {it}', 'for {it} it says "{value}"'],
    )


class Tag(
    domain.Entity,
    key=hashed("tag_", 6),
    label='the tag "{self.word}"',
    called=['the tag "{word}"', 'my "{word}" tag', "#{word}", 'the "{word}" tag'],
):
    """A word from an author's own list by which notes are found again."""

    author: Mapped[Author] = ref(owner=True)
    word: Mapped[str]


class NoteTag(
    domain.Entity,
    key=hashed("nt_", 8),
    label='the tag "{self.tag.word}" on "{self.note.title}"',
    shows={"word": "tag.word", "note_title": "note.title"},
    called=['the "{tag.word}" tag on "{note.title}"', 'the tag "{tag.word}" on my "{note.title}" '
            "note", '#{tag.word} on "{note.title}"'],
):  # fmt: skip
    """A tag on a note."""

    note: Mapped[Note] = ref(owner=True)
    tag: Mapped[Tag] = ref()


class Share(
    domain.Entity,
    key=hashed("shr_"),
    label='the share of "{self.note.title}" with {self.collaborator.name}',
    shows={"note_title": "note.title", "with_whom": "collaborator.name"},
    called=['the share of "{note.title}" with {collaborator.name}',
            "{collaborator.name}'s access to \"{note.title}\"",
            'the access {collaborator.name} has to my "{note.title}" note',
            '{collaborator.name}\'s way into "{note.title}"',
            'the {permission} rights of {collaborator.name} in "{note.title}"'],
    superlatives={"expires_on": ("that ends first", "that ends last")},
):  # fmt: skip
    """A note opened to a collaborator. It is offered until that person accepts it in their own
    Quillbox. Guests from outside have an expiry date, colleagues have none."""

    author: Mapped[Author] = ref(owner=True)
    note: Mapped[Note] = ref()
    collaborator: Mapped[Collaborator] = ref()
    permission: Mapped[Literal["view", "comment", "edit"]] = column(
        says="permission",
        asks=["what {it} allows, viewing or commenting or editing", "how far {it} goes",
              "what permission comes with {it}"],
        told=["the permission that comes with {it} is {value}", "{it} comes with {value} rights",
              "the permission of {it} is {value}"],
    )  # fmt: skip
    offered_on: Mapped[date] = column(
        says="day it was offered",
        asks=["when I set up {it}", "on what day I offered {it}", "since when there is {it}"],
        told=["you set up {it} on {value}", "{it} dates from {value}",
              "{value} is the day on which you offered {it}"],
    )  # fmt: skip
    expires_on: Mapped[date | None] = column(
        None,
        says="expiry date",
        asks=["until when {it} lasts", "when {it} runs out", "what the last day of {it} is"],
        told=["{it} lasts until {value}", "{it} runs out on {value}",
              "the last day of {it} is {value}"],
    )  # fmt: skip
    status: Mapped[str] = lifecycle(
        {"offered": ["revoked"], "active": ["revoked"]},
        outside={"offered": ["active", "expired"], "active": ["expired"]},
        asks=["whether {it} has been taken up yet", "how {it} stands",
              "if {it} is active by now or still only offered"],
        told=["{it} is {value}", "{it} stands as {value}", "Quillbox shows {it} as {value}"],
    )  # fmt: skip


class Revision(
    domain.Entity,
    key=hashed("rev_", 10),
    label='revision {self.number} of "{self.note.title}"',
    shows={"note_title": "note.title"},
    called=['revision {number} of "{note.title}"', 'version {number} of my "{note.title}" note',
            'the version of "{note.title}" from {saved_on}',
            'the "{note.title}" revision of {saved_on}'],
):  # fmt: skip
    """An earlier version of a note, with the title and the number of words that it had."""

    note: Mapped[Note] = ref(owner=True)
    number: Mapped[int] = column(ge=1)
    saved_on: Mapped[date] = column(
        says="day it was saved",
        asks=["when {it} was saved", "on what day {it} was put aside"],
        told=["{it} was saved on {value}", "{it} dates from {value}"],
    )
    past_title: Mapped[str]
    word_count: Mapped[int] = column(
        ge=0,
        says="number of words",
        asks=["how many words {it} had", "how long {it} was in words"],
        told=["{it} had {value} words", "the word count of {it} was {value}"],
    )


class NotesEscalation(
    domain.Entity,
    key=hashed("esc_", 6),
    label="the case at the Quillbox support",
    called=["my case of {opened_at}", "my support case"],
):
    """A conversation that somebody from the Quillbox support continues."""

    author: Mapped[Author] = ref(owner=True)
    reason: Mapped[Reason]
    opened_at: Mapped[datetime] = column(volatile=True, says="time of the hand-over")


# Computations -------------------------------------------------------------------------------------


@domain.helper
def reading_time(words: int) -> Minutes:
    """Quillbox reckons with {WORDS_A_MINUTE} words a minute, and counts a minute that has begun as
    a whole one.

    >>> reading_time(0), reading_time(200), reading_time(201)
    (0, 1, 2)
    """
    return -(-words // WORDS_A_MINUTE)


@domain.helper
def next_step(step: int, recall: str) -> int:
    """A note that was recalled well goes one step up the review schedule, one that was recalled
    partly stays where it is, and one that was recalled badly goes back to the first step.

    >>> next_step(0, "well"), next_step(3, "well"), next_step(4, "well")
    (1, 4, 4)
    >>> next_step(2, "partly"), next_step(3, "badly")
    (2, 0)
    """
    if recall == "badly":
        return 0
    return min(LAST_STEP, step + (recall == "well"))


@domain.helper
def next_review(step: int, day: date) -> date:
    """The steps of the schedule put the next review {REVIEW_DAYS[0]}, {REVIEW_DAYS[1]},
    {REVIEW_DAYS[2]}, {REVIEW_DAYS[3]} and {REVIEW_DAYS[4]} days ahead.

    >>> str(next_review(0, date(2026, 6, 9))), str(next_review(3, date(2026, 6, 9)))
    ('2026-06-10', '2026-06-30')
    """
    return day + timedelta(days=REVIEW_DAYS[step])


@domain.helper
def purge_day(day: date) -> date:
    """A note stays in the trash for {TRASH_DAYS} days from the day on which it got there.

    >>> str(purge_day(date(2026, 6, 9)))
    '2026-07-09'
    """
    return day + timedelta(days=TRASH_DAYS)


def is_publishable(words: int) -> bool:
    """Whether a note is long enough to be published.

    >>> is_publishable(79), is_publishable(80)
    (False, True)
    """
    return words >= MIN_WORDS


def fits_together(words: int, more: int) -> bool:
    """Whether two texts make one note that is not too long.

    >>> fits_together(1400, 1000), fits_together(1401, 1000)
    (True, False)
    """
    return words + more <= MAX_WORDS


def is_restorable(saved_on: date, plan: str, day: date) -> bool:
    """Whether a revision is young enough for a plan.

    >>> is_restorable(date(2026, 6, 2), "free", date(2026, 6, 9))
    True
    >>> is_restorable(date(2026, 6, 1), "free", date(2026, 6, 9))
    False
    >>> is_restorable(date(2026, 5, 9), "plus", date(2026, 6, 9))
    False
    >>> is_restorable(date(2026, 3, 11), "team", date(2026, 6, 9))
    True
    """
    return (day - saved_on).days <= REVISION_DAYS[plan]


def is_retained(retained_until: date | None, day: date) -> bool:
    """Whether a retention date still forbids changes.

    >>> is_retained(date(2026, 6, 9), date(2026, 6, 9))
    True
    >>> is_retained(date(2026, 6, 8), date(2026, 6, 9)), is_retained(None, date(2026, 6, 9))
    (False, False)
    """
    return retained_until is not None and retained_until >= day


def is_guest_period(expires_on: date, day: date) -> bool:
    """Whether a guest may have access until a day.

    >>> is_guest_period(date(2026, 6, 9), date(2026, 6, 9))
    False
    >>> is_guest_period(date(2026, 6, 10), date(2026, 6, 9))
    True
    >>> is_guest_period(date(2026, 7, 24), date(2026, 6, 9))
    True
    >>> is_guest_period(date(2026, 7, 25), date(2026, 6, 9))
    False
    """
    return day < expires_on <= day + timedelta(days=GUEST_DAYS)


def is_due(review_on: date | None, day: date) -> bool:
    """Whether a note has to be reviewed by a day.

    >>> is_due(date(2026, 6, 9), date(2026, 6, 9)), is_due(date(2026, 6, 10), date(2026, 6, 9))
    (True, False)
    >>> is_due(None, date(2026, 6, 9))
    False
    """
    return review_on is not None and review_on <= day


def has_room(used: int, quota: int, template: str) -> bool:
    """Whether a note with a template still fits into the storage.

    >>> has_room(195, 200, "blank"), has_room(196, 200, "blank")
    (True, False)
    >>> has_room(180, 200, "minutes"), has_room(166, 200, "journal")
    (True, False)
    """
    return used + TEMPLATE_KB[template] <= quota


def used_kb(author: Author) -> int:
    return sum(note.size_kb for note in author.notes)


def live_shares(author: Author) -> list[Share]:
    return [share for share in author.shares if share.status in LIVE]


def readers(note: Note) -> list[Share]:
    return [share for share in note.shares if share.status in LIVE]


def pins(author: Author) -> list[Note]:
    return [note for note in author.notes if note.pinned]


def labels(note: Note) -> list[str]:
    return [fact.label for fact in note.facts]


def keep_version(db, note: Note) -> None:
    """Put the present version of a note among its revisions."""
    number = max((revision.number for revision in note.revisions), default=0) + 1
    past = {"past_title": note.title, "word_count": note.word_count, "saved_on": db.today}
    db.create(Revision, note=note, number=number, **past)


def new_titles(notebook: Notebook) -> list[str]:
    """Titles that somebody might choose, and one that is there already."""
    taken = [note.title for note in notebook.notes if note.status in AT_HAND]
    return [*NEW_TITLES, *taken[:1]]


def days_for_guests(db) -> list[date]:
    return [db.today + timedelta(days=days) for days in USUAL_DAYS]


def days_ahead(db) -> list[date]:
    """Mostly days ahead, and one that is over."""
    ahead = [db.today + timedelta(days=days) for days in USUAL_DAYS]
    return [*ahead, db.today - timedelta(days=USUAL_DAYS[0])]


def lines_for(label: str) -> list[str]:
    return list(FACT_LINES.get(label, ()))


def dated(author: Author) -> list[NoteFact]:
    """The facts of an author that hold a date, and one that does not."""
    facts = [fact for note in author.notes for fact in note.facts]
    others = [fact for fact in facts if fact.kind != "date"]
    return [fact for fact in facts if fact.kind == "date"] + others[:1]


def companions(source: Note) -> list[Note]:
    """Notes of the same author into which somebody might merge one, those beside it first."""
    others = [x for x in source.author.notes if x is not source and x.status in AT_HAND]
    near = [x for x in others if x.notebook is source.notebook]
    return [*near, *near, *others]


def piles(author: Author) -> list[list[Note]]:
    """Two or three notes of one notebook that somebody might throw away together."""
    found = []
    for notebook in author.notebooks:
        here = [note for note in notebook.notes if note.status in AT_HAND]
        found += [here[:2], here[1:3], here[:3]]
    return [pile for pile in found if len(pile) > 1]


NOT_EDITOR = [
    ["view", "viewer", "read-only", "reading rights", "read only", "only read", "just read"],
    ["notebook", "rights", "role", "editor", "edit"],
]


# What Quillbox enforces ---------------------------------------------------------------------------


@domain.rule(
    governs=[
        "start_note", "record_date", "record_amount", "record_line", "change_date", "strike_fact",
        "move_note", "merge_notes", "restore_revision", "publish_note", "archive_note",
    ],
    because=[
        "you only have viewing rights in the {notebook.title} notebook",
        "in {notebook.title} you're a viewer, and viewers can't change anything",
        "the notebook {notebook.title} is read-only for you",
        "your role in {notebook.title} is viewer, so you can look but not write",
    ],
    concepts=NOT_EDITOR,
    offers=[
        "the person who keeps that notebook could make you an editor",
        "you could ask whoever keeps it for editing rights",
        "a notebook of your own would take it without any of this",
    ],
)  # fmt: skip
def may_edit(notebook: Notebook) -> bool:
    """Only owners and editors of a notebook change what is in it; a viewer reads."""
    return notebook.role != "viewer"


@domain.rule(
    governs=[
        "start_note", "record_date", "record_amount", "record_line", "change_date", "strike_fact",
        "move_note", "merge_notes", "publish_note", "restore_note",
    ],
    because=[
        "the {notebook.title} notebook is archived",
        "{notebook.title} has been archived, and an archived notebook takes no changes",
        "that notebook, {notebook.title}, is in the archive at the moment",
        "nothing can be changed in {notebook.title} while the notebook is archived",
    ],
    concepts=[["archive", "archived", "shelved"], ["notebook"]],
    remedy="reopen_notebook",
    offers=[
        "we could reopen the notebook first, if it's yours",
        "an owner can have the notebook reopened",
        "whoever owns that notebook may take it out of the archive",
    ],
)  # fmt: skip
def notebook_open(notebook: Notebook) -> bool:
    """Nothing is written into an archived notebook, moved into it or restored to it until it has
    been reopened."""
    return notebook.status == "open"


@domain.rule(
    governs=["share_note", "invite_guest", "purge_note"],
    because=[
        "the {note.notebook.title} notebook isn't yours, and only its owner may do that",
        "you aren't the owner of {note.notebook.title}",
        "that is up to the owner of the notebook {note.notebook.title}, which is somebody else",
        "in {note.notebook.title} you have the role of {note.notebook.role}, and it takes an owner",
    ],
    concepts=[["owner", "own it", "isn't yours", "not yours", "belongs to"],
              ["notebook", "only"]],
    offers=[
        "the owner of the notebook could do it for you",
        "you could put the question to the person who keeps the notebook",
    ],
)  # fmt: skip
def own_notebook(note: Note) -> bool:
    """What concerns other people or is final takes the owner: editors and viewers of a notebook
    neither share its notes nor purge them."""
    return note.notebook.role == "owner"


@domain.rule(
    governs=["reopen_notebook"],
    because=[
        "{notebook.title} is kept by {notebook.kept_by}, who alone can reopen it",
        "the notebook belongs to {notebook.kept_by}, so reopening it isn't up to you",
        "only {notebook.kept_by} can take {notebook.title} out of the archive",
    ],
    concepts=[["somebody else", "not yours", "owner", "belongs"],
              ["reopen", "archive", "unarchive", "open it", "take it out"]],
    offers=[
        "a word with that person may be enough",
        "the keeper of the notebook can do it in a moment",
    ],
)  # fmt: skip
def keeps_notebook(notebook: Notebook) -> bool:
    """A notebook leaves the archive at the wish of the person who keeps it, and of nobody else."""
    return notebook.kept_by is None


@domain.rule(
    governs=["start_note"],
    because=[
        "your storage is too full for another note of that kind",
        "there isn't enough storage left for it, your {author.quota_kb} kilobytes are nearly gone",
        "a note with that template would go beyond your {author.quota_kb} kilobytes of storage",
        "your storage quota of {author.quota_kb} kilobytes has no room for it",
    ],
    concepts=[["storage", "quota", "kilobyte", "space"],
              ["full", "enough", "beyond", "room", "gone", "exceed", "left", "over"]],
    remedy="purge_note",
    offers=[
        "purging something from the trash would free some space",
        "if the trash holds anything that you can spare, purging it makes room",
        "we could see whether a note in the trash may go for good",
    ],
)  # fmt: skip
def within_quota(author: Author, template: Template) -> bool:
    """All notes of an author together, with those in the trash, stay within the storage quota; a
    blank note starts with {TEMPLATE_KB[blank]} kilobytes, one for minutes with
    {TEMPLATE_KB[minutes]} and a journal with {TEMPLATE_KB[journal]}."""
    return has_room(used_kb(author), author.quota_kb, template)


@domain.rule(
    governs=["start_note"],
    because=[
        'there is a note called "{title}" in {notebook.title} already',
        "{notebook.title} has a note of that very title",
        "two notes in one notebook can't both be called the same, and that title is taken",
    ],
    concepts=[["title", "called", "name", "same"], ["already", "taken", "exists", "has a", "both"]],
    offers=[
        "a slightly different title would do",
        "you could have it in another notebook, or under another title",
    ],
)
def title_free(notebook: Notebook, title: str) -> bool:
    """Within a notebook no two notes at hand have one title."""
    return all(note.title != title or note.status not in AT_HAND for note in notebook.notes)


@domain.rule(
    governs=["publish_note"],
    because=[
        "it has {note.word_count} words, and it takes {MIN_WORDS} to publish a note",
        "at {note.word_count} words it's too short for publishing",
        "a note needs {MIN_WORDS} words before it's published, and yours has {note.word_count}",
        "it is still too short: {note.word_count} words instead of {MIN_WORDS}",
    ],
    concepts=[["word", "words", "short"], ["{MIN_WORDS}", "short", "too few", "at least"]],
    offers=[
        "you could write a little more and ask again",
        "a merge with another note of the same notebook might make it long enough",
    ],
)
def long_enough(note: Note) -> bool:
    """A note of fewer than {MIN_WORDS} words remains a draft."""
    return is_publishable(note.word_count)


@domain.rule(
    governs=["record_date", "record_amount", "record_line"],
    because=[
        "there are {MAX_FACTS} facts in that note already, and that's the maximum",
        "a note holds {MAX_FACTS} facts at most, and this one is full",
        "that note has no line left for another fact, as it holds {MAX_FACTS}",
    ],
    concepts=[["fact", "facts", "line", "lines"],
              ["{MAX_FACTS}", "maximum", "full", "at most", "limit", "no room"]],
    remedy="strike_fact",
    offers=[
        "striking a fact that you no longer need would make room",
        "you could part with one of the lines in it",
        "one line out, one line in: we could strike something first",
    ],
)  # fmt: skip
def facts_left(note: Note) -> bool:
    """A note holds {MAX_FACTS} facts at most."""
    return len(note.facts) < MAX_FACTS


@domain.rule(
    governs=["record_date", "record_amount", "record_line"],
    because=[
        "that note has a {label} in it already",
        "there's a {label} in it, and a label is used once in a note",
        'the label "{label}" is taken in that note',
    ],
    concepts=[["already", "taken", "once", "there's a", "there is a", "has a"],
              ["label", "line", "fact"]],
    remedy="strike_fact",
    offers=[
        "the old line could be struck first",
        "if the line that's there is out of date, we could take it out",
    ],
)  # fmt: skip
def label_free(note: Note, label: str) -> bool:
    """A label stands in a note only once, so that it is clear which value holds."""
    return label not in labels(note)


@domain.rule(
    governs=["change_date", "strike_fact", "merge_notes", "restore_revision"],
    because=[
        "that note is under retention until {note.retained_until}",
        "there's a retention on it that lasts through {note.retained_until}",
        "the retention date, {note.retained_until}, hasn't passed yet",
    ],
    concepts=[["retention", "retain", "retained", "preserve"],
              ["until", "lasts", "yet", "under", "date", "still"]],
    offers=[
        "you could come back to it once that day has passed",
        "new facts may be added to it all the same",
    ],
)  # fmt: skip
def not_retained(db, note: Note) -> bool:
    """What stands in a note under retention isn't altered, struck, merged away or rolled back
    through the retention date; lines may be added."""
    return not is_retained(note.retained_until, db.today)


@domain.rule(
    governs=["record_date", "record_amount", "record_line", "change_date", "strike_fact",
             "merge_notes", "restore_revision"],
    because=[
        "{note.edited_by} has that note open for editing right now",
        "{note.edited_by} is in the middle of editing it",
        "the note is being edited by {note.edited_by} at the moment, and two at a time won't do",
        "somebody else, namely {note.edited_by}, is writing in it just now",
    ],
    concepts=[["somebody else", "someone else", "collaborator", "colleague"],
              ["editing", "edited", "writing", "open", "working"]],
    remedy="revoke_share",
    offers=[
        "you could wait a little, or withdraw that person's access",
        "as soon as they're through with it, it works again",
        "it's free again once the other person has finished or has lost access",
    ],
)  # fmt: skip
def nobody_editing(note: Note) -> bool:
    """While a collaborator has a note open for editing, nobody else writes in it: otherwise one of
    the two would lose their words. Revoking that person's share closes it."""
    return note.edited_by is None


@domain.rule(
    governs=["move_note"],
    because=[
        "it's in {notebook.title} as it is",
        "{notebook.title} is where that note is already",
        "that note is filed under {notebook.title} anyway",
    ],
    concepts=[["already", "as it is", "anyway", "same notebook"],
              ["in", "notebook", "filed", "is where"]],
    offers=["a different notebook may be what you had in mind", "you could name another notebook"],
)  # fmt: skip
def another_notebook(note: Note, notebook: Notebook) -> bool:
    """A move goes to another notebook than the one in which the note is."""
    return note.notebook is not notebook


@domain.rule(
    governs=["merge_notes"],
    concepts=[["merge", "together", "both", "one note", "itself"],
              ["long", "words", "facts", "label", "itself", "same"]],
    parts=[
        part(
            "two_notes",
            lambda source, into: source is not into,
            because=[
                "a note can't be merged into itself",
                "that's one and the same note, and there is nothing to merge it with",
            ],
            concepts=[["itself", "same note", "one and the same"], ["merge", "merged", "note"]],
        ),
        part(
            "not_too_long",
            lambda source, into: fits_together(source.word_count, into.word_count),
            because=[
                "together they'd have more than {MAX_WORDS} words",
                "{source.word_count} words and {into.word_count} words are too many for one note",
                "the two would be too long together, as a note has {MAX_WORDS} words at most",
            ],
            concepts=[["word", "words", "long"], ["{MAX_WORDS}", "too many", "too long", "more"]],
            offers=["they could stay apart and share a tag instead"],
        ),
        part(
            "facts_fit",
            lambda source, into: len(source.facts) + len(into.facts) <= MAX_FACTS,
            because=[
                "together they'd hold more than {MAX_FACTS} facts",
                "their facts don't fit into one note, which has {MAX_FACTS} lines at most",
            ],
            concepts=[["fact", "facts", "lines"], ["{MAX_FACTS}", "more than", "don't fit"]],
            remedy="strike_fact",
            offers=["striking a line or two beforehand would help"],
        ),
        part(
            "labels_differ",
            lambda source, into: not {*labels(source)} & {*labels(into)},
            because=[
                "both have a line with the same label",
                "a label would stand twice in the merged note",
            ],
            concepts=[["label", "line"], ["both", "twice", "same label"]],
            remedy="strike_fact",
            offers=["one of the two lines could be struck first"],
        ),
    ],
)  # fmt: skip
def can_be_one(source: Note, into: Note) -> bool:
    """Two notes become one only if the result has {MAX_WORDS} words and {MAX_FACTS} facts at most
    and no label twice."""
    return (
        source is not into
        and fits_together(source.word_count, into.word_count)
        and len(source.facts) + len(into.facts) <= MAX_FACTS
        and not {*labels(source)} & {*labels(into)}
    )


@domain.rule(
    governs=["merge_notes"],
    because=[
        '"{source.title}" is shared with somebody, who would find it gone',
        "other people can open the note that would be merged away",
        "there's a share running on the note that is to go into the other",
    ],
    concepts=[
        ["share", "shared", "other people", "somebody"],
        ["gone", "merged away", "go into", "vanish", "merge"],
    ],
    remedy="revoke_share",
    offers=["that share could be revoked first", "you could end that share and ask again"],
)
def nobody_loses_it(source: Note) -> bool:
    """A note that somebody else can open isn't merged into another one before its shares have been
    revoked."""
    return not readers(source)


@domain.rule(
    governs=["trash_notes"],
    concepts=[["trash", "throw", "retention", "twice"],
              ["already", "retention", "draft", "viewer", "view", "twice"]],
    parts=[
        part(
            "still_at_hand",
            lambda notes: all(note.status in AT_HAND for note in notes),
            because=[
                "one of them is in the trash already",
                "not all of them are at hand any more, one has gone to the trash before",
            ],
            concepts=[["trash", "gone"], ["already", "before", "any more"]],
        ),
        part(
            "none_retained",
            lambda db, notes: not any(is_retained(n.retained_until, db.today) for n in notes),
            because=[
                "there's a note among them that is under retention",
                "one of those notes has a retention date that hasn't passed",
                "a retention still protects one of them",
            ],
            concepts=[["retention", "retain", "retained"],
                      ["one of", "among", "still", "under", "date"]],
            offers=["the others could go without it", "it can go once its retention has ended"],
        ),
        part(
            "none_merely_viewed",
            lambda notes: all(note.notebook.role != "viewer" for note in notes),
            because=[
                "one of them is in a notebook that you can only view",
                "for at least one of them you have nothing but viewing rights",
            ],
            concepts=[["view", "viewer", "viewing"], ["one of", "notebook", "rights", "only"]],
            offers=["the rest could go without it"],
        ),
    ],
)  # fmt: skip
def may_be_trashed(db, notes: list[Note]) -> bool:
    """Into the trash go only notes at hand that are under no retention and in no notebook of which
    the author is a mere viewer; if one of them is barred, none goes."""
    return all(
        note.status in AT_HAND
        and not is_retained(note.retained_until, db.today)
        and note.notebook.role != "viewer"
        for note in notes
    )


@domain.rule(
    governs=["trash_notes"],
    because=[
        "other people can still open one of those notes",
        "there is a share running on one of them",
        "one of them is shared with somebody at the moment",
    ],
    concepts=[["share", "shared", "access", "open", "other people", "somebody"],
              ["one of", "still", "running", "at the moment"]],
    remedy="revoke_share",
    offers=[
        "the share could be revoked first",
        "ending the other person's access beforehand would clear that up",
    ],
)  # fmt: skip
def nobody_reads_on(notes: list[Note]) -> bool:
    """A note that somebody else can open doesn't vanish under their eyes: it goes into the trash
    after its shares have been revoked."""
    return not any(readers(note) for note in notes)


@domain.rule(
    governs=["pin_note"],
    because=[
        "you have {MAX_PINS} notes pinned, and that's all the bar on top can take",
        "there are {MAX_PINS} pins already, which is the maximum",
        "at most {MAX_PINS} notes can be pinned, and you've got that many",
    ],
    concepts=[["pin", "pinned", "pins"],
              ["{MAX_PINS}", "maximum", "at most", "limit", "full", "all"]],
    remedy="unpin_note",
    offers=[
        "you could take down one of the pins",
        "unpinning something would make room at the top",
    ],
)  # fmt: skip
def pins_left(author: Author) -> bool:
    """No more than {MAX_PINS} notes are pinned to the top at a time."""
    return len(pins(author)) < MAX_PINS


@domain.rule(
    governs=["tag_note"],
    because=[
        "it carries {MAX_TAGS} tags, and a note takes no more",
        "that note has its {MAX_TAGS} tags already",
        "a note can have {MAX_TAGS} tags at most, and it's got them all",
    ],
    concepts=[["tag", "tags"], ["{MAX_TAGS}", "at most", "limit", "maximum", "no more", "full"]],
    remedy="untag_note",
    offers=[
        "one of its tags could come off first",
        "if a tag on it has lost its use, we could take that one off",
    ],
)
def tags_left(note: Note) -> bool:
    """A note carries {MAX_TAGS} tags at most, because a note with every tag is found by none."""
    return len(note.note_tags) < MAX_TAGS


@domain.rule(
    governs=["tag_note"],
    because=["it has that tag as it is", 'the tag "{tag.word}" is on it already'],
    concepts=[["tag"], ["already", "as it is", "has that"]],
)
def not_tagged(note: Note, tag: Tag) -> bool:
    """A tag is put on a note once."""
    return all(other.tag is not tag for other in note.note_tags)


def part_of_plan(plan: str) -> Part:
    """A part for each plan, so that a refusal quotes the limit that applies."""
    limit = f"{{MAX_SHARES[{plan}]}}"
    return part(
        plan,
        lambda author: author.plan != plan or len(live_shares(author)) < MAX_SHARES[plan],
        because=[
            f"the {plan} plan has {limit} live shares at most, and yours are all in use",
            f"you have {limit} shares running, the maximum on the {plan} plan",
            f"with the {plan} plan {limit} shares are the limit, which you've reached",
        ],
        concepts=[["share", "shares"], ["plan", "limit", "at most", "maximum"]],
        remedy="revoke_share",
        offers=[
            "you could revoke a share that you no longer need",
            "one of the shares that are running could be ended for it",
        ],
    )


@domain.rule(
    governs=["share_note", "invite_guest"],
    concepts=[["share", "shares"], ["plan", "limit", "at most", "maximum"]],
    remedy="revoke_share",
    parts=[part_of_plan(plan) for plan in MAX_SHARES],
)
def shares_left(author: Author) -> bool:
    """The free plan has {MAX_SHARES[free]} live shares at most, the plus plan {MAX_SHARES[plus]}
    and the team plan {MAX_SHARES[team]}; offered ones count like active ones."""
    return len(live_shares(author)) < MAX_SHARES[author.plan]


@domain.rule(
    governs=["share_note", "invite_guest"],
    because=[
        "{collaborator.name} can open that note already",
        "there's a share of it with {collaborator.name} as it is",
        "{collaborator.name} has been given access to it before, and that access still stands",
    ],
    concepts=[["already", "as it is", "still stands", "before"],
              ["share", "access", "open"]],
    offers=[
        "the present share could be revoked if its terms don't suit you",
        "if the rights are wrong, ending that share and making a new one would help",
    ],
    remedy="revoke_share",
)  # fmt: skip
def not_shared_yet(note: Note, collaborator: Collaborator) -> bool:
    """A person has one live share of a note."""
    return all(share.collaborator is not collaborator for share in readers(note))


@domain.rule(
    governs=["share_note"],
    because=[
        "{collaborator.name} doesn't belong to your team",
        "{collaborator.name} is from outside, and an open-ended share is for the team",
        "your address list has {collaborator.name} as somebody from outside the team",
    ],
    concepts=[["outside", "team", "guest"], ["belong", "not", "from"]],
    offers=[
        "you could have them as a guest until a certain day",
        "an invitation as a guest, with an end date, might be possible",
    ],
)
def in_team(collaborator: Collaborator) -> bool:
    """Notes are shared without an end only within the team; people from outside come as guests."""
    return collaborator.affiliation == "team"


@domain.rule(
    governs=["invite_guest"],
    because=[
        "{collaborator.name} belongs to your team and doesn't need to be a guest",
        "{collaborator.name} is on your team, so a guest's access is the wrong thing",
    ],
    concepts=[["team"], ["guest"]],
    offers=["an ordinary share with a colleague is the way for that"],
)
def from_outside(collaborator: Collaborator) -> bool:
    """Guests are people from outside; colleagues get an ordinary share."""
    return collaborator.affiliation == "outside"


@domain.rule(
    governs=["invite_guest"],
    because=[
        "a guest's access ends after {GUEST_DAYS} days at the latest",
        "{expires_on} is too far away: guests may stay {GUEST_DAYS} days at most",
        "guests get {GUEST_DAYS} days, and the day you named is beyond that",
    ],
    concepts=[["guest", "access"], ["{GUEST_DAYS}", "too far", "at the latest", "beyond", "long"]],
    offers=["an earlier day would be fine", "you could name a day that's closer"],
)
def guest_leaves_in_time(db, expires_on: date) -> bool:
    """A guest's access begins today and ends within {GUEST_DAYS} days."""
    return is_guest_period(expires_on, db.today)


@domain.rule(
    governs=["restore_revision"],
    because=[
        "that version was saved on {revision.saved_on}, which is further back than your plan goes",
        "your plan doesn't reach back to {revision.saved_on}",
        "on the {author.plan} plan that revision, from {revision.saved_on}, is too old",
    ],
    concepts=[["plan", "too old"], ["back", "old", "reach", "far", "days"]],
    offers=[
        "a more recent revision might still be in reach",
        "perhaps one of the later versions would help you as well",
    ],
)
def revision_in_reach(db, author: Author, revision: Revision) -> bool:
    """On the free plan a revision is restored within {REVISION_DAYS[free]} days of being saved, on
    the plus plan within {REVISION_DAYS[plus]} and on the team plan within {REVISION_DAYS[team]}."""
    return is_restorable(revision.saved_on, author.plan, db.today)


@domain.rule(
    governs=["mark_reviewed"],
    concepts=[["review", "reviewed"], ["yet", "not", "no", "only", "early"]],
    parts=[
        part(
            "on_schedule",
            lambda note: note.review_on is not None,
            because=[
                "that note isn't on the review schedule at all",
                "there is no review planned for that note",
            ],
            concepts=[["review", "reviewed"], ["schedule", "planned", "no review", "at all"]],
        ),
        part(
            "come_due",
            lambda db, note: note.review_on is None or is_due(note.review_on, db.today),
            because=[
                "its review isn't due before {note.review_on}",
                "it comes up for review only on {note.review_on}",
                "the next review of it is on {note.review_on}, and reviewing early spoils the gaps",
            ],
            concepts=[["review", "reviewed"], ["due", "early", "only on"]],
            offers=["you could tell me about it on that day"],
        ),
    ],
)
def review_is_due(db, note: Note) -> bool:
    """A review is entered on the day on which it is due or later, never before: the gaps are what
    makes it work."""
    return is_due(note.review_on, db.today)


# Left to the assistant ----------------------------------------------------------------------------


@domain.rule(
    by="agent",
    kind="confirmation",
    governs=["trash_notes", "purge_note", "merge_notes", "invite_guest", "restore_revision"],
    because=[
        "I need your go-ahead for exactly this first",
        "that's a step I take only after you've said yes to it",
        "I'd have to hear a plain yes from you beforehand",
        "without your approval I leave everything where it is",
    ],
    concepts=[
        ["confirm", "yes", "go-ahead", "go ahead", "approval", "approve", "agree", "consent"]
    ],
)
def approved(log: Log) -> bool:
    """Letting somebody from outside in, throwing several notes away, purging, merging and rolling
    back each take the author's yes to precisely that step: name the notes by title, the guest, the
    permission and the end date, or the revision, and wait for the answer."""
    return log.confirmed()


@domain.rule(
    by="agent",
    kind="identification",
    governs=["unlock_note", "purge_note"],
    because=[
        "I need the e-mail address of the account for that",
        "for locks and for purging I have to hear the e-mail address of your account",
        "you'd first have to tell me the account's e-mail address",
    ],
    concepts=[["e-mail", "email", "mail address"]],
    offers=["you could tell me the address now"],
)
def account_proved(log: Log, author: Author) -> bool:
    """An open app is no proof of who sits in front of it: before a lock comes off or something is
    purged, have the author name the e-mail address of the account and compare it with the profile.
    Don't say it first."""
    return log.identified(author, "email")


@domain.rule(
    by="agent",
    governs=["share_note", "invite_guest", "merge_notes", "record_date", "record_amount",
             "record_line"],
    because=[
        "that note is locked",
        "there's a lock on it, and a locked note is left alone",
        "it's sealed with a lock, so nothing goes in or out",
    ],
    concepts=[["lock", "locked", "sealed", "seal"]],
    remedy="unlock_note",
    offers=[
        "you could have the lock taken off first",
        "once it's unlocked, we could go on",
        "taking off the lock is possible, if you want that",
    ],
)  # fmt: skip
def locked_left_alone(note: Note) -> bool:
    """Whoever locks a note means it. A locked note is neither shared nor merged nor added to while
    the lock is on, and you never quote from it or guess at its text."""
    return not note.locked


@domain.rule(
    by="agent",
    governs=["share_note", "invite_guest"],
    because=[
        "it's down as {note.status}, and only published notes are shown to others",
        "that note hasn't been published",
        "other people get to see published notes only, and this one counts as {note.status}",
    ],
    concepts=[["publish", "published", "draft", "archived", "trash"],
              ["only", "not", "hasn't", "first", "isn't", "still"]],
    remedy="publish_note",
    offers=[
        "we could publish it first, if it's long enough",
        "publishing it beforehand would settle that",
    ],
)  # fmt: skip
def published_first(note: Note) -> bool:
    """Half-finished thoughts stay at home: offer other people published notes only, no drafts and
    nothing from the archive or the trash."""
    return note.status == "published"


@domain.rule(
    by="agent",
    governs=["merge_notes"],
    because=[
        "they are in different notebooks, {source.notebook.title} and {into.notebook.title}",
        "one is in {source.notebook.title} and the other in {into.notebook.title}",
        "the two notes aren't in the same notebook",
    ],
    concepts=[["notebook", "notebooks"],
              ["different", "same", "other", "not in", "aren't in"]],
    remedy="move_note",
    offers=[
        "one of them could be moved over first",
        "we could put them into one notebook beforehand",
    ],
)  # fmt: skip
def same_notebook(source: Note, into: Note) -> bool:
    """Merge notes that lie in one notebook; across notebooks the rights may differ, so move the one
    to the other first."""
    return source.notebook is into.notebook


@domain.rule(
    by="agent",
    governs=["invite_guest"],
    because=[
        "that note has an amount in it, and amounts don't go outside the team",
        "there's a sum of money among its facts, which guests aren't to see",
        "its facts include an amount, and such a note isn't shown to people from outside",
    ],
    concepts=[
        ["amount", "sum", "money", "figure"],
        ["outside", "guest", "guests", "fact", "facts"],
    ],
    remedy="strike_fact",
    offers=[
        "the amount could be struck from it first",
        "without that line it may well be shown to a guest",
    ],
)
def no_amounts_for_guests(note: Note) -> bool:
    """Sums stay in the house: look through the facts before a guest is invited, and where one of
    them is an amount, the note isn't for guests."""
    return all(fact.kind != "amount" for fact in note.facts)


@domain.rule(
    by="agent",
    governs=["archive_note"],
    because=[
        "a review of that note is due, and has been since {note.review_on}",
        "it's up for review, and an archived note would slip from the schedule",
        "its review, due on {note.review_on}, hasn't been done",
    ],
    concepts=[["review", "reviewed"], ["due", "up for", "since", "hasn't", "first", "schedule"]],
    remedy="mark_reviewed",
    offers=[
        "you could go over it now and tell me how well you remembered it",
        "once the review is entered, it may go into the archive",
    ],
)
def reviewed_before_archive(db, note: Note) -> bool:
    """Don't help an author put off a review by archiving: a note whose review is due is reviewed
    first."""
    return not is_due(note.review_on, db.today)


@domain.rule(
    by="agent",
    governs=["move_note"],
    because=[
        "a locked note doesn't go into a shared notebook, which {notebook.title} is",
        "that note has a lock on it, and others look into {notebook.title}",
        "{notebook.title} is shared, and it's no place for something that is locked",
    ],
    concepts=[["lock", "locked"], ["shared", "others"]],
    remedy="unlock_note",
    offers=[
        "a private notebook would do for it",
        "with the lock off it might go there",
    ],
)
def locked_stays_private(note: Note, notebook: Notebook) -> bool:
    """Move a locked note into private notebooks only, as everybody in a shared one would see its
    title."""
    return not note.locked or notebook.access == "private"


@domain.rule(
    by="agent",
    governs=["record_date", "change_date"],
    because=[
        "{on_date} is over, and only days from today on are written down",
        "that day, {on_date}, lies in the past",
        "I don't write down a date that has gone by, as {on_date} has",
    ],
    concepts=[["past", "over", "gone by", "passed", "earlier than today", "from today"]],
    offers=[
        "perhaps you meant a later year",
        "you could look up the day once more",
    ],
)
def day_not_over(db, on_date: date) -> bool:
    """A date in the past is mostly a slip of the pen: write down days from today on, and ask again
    where an author names one that is over."""
    return on_date >= db.today


# What holds at any time ---------------------------------------------------------------------------


@domain.invariant(Author)
def within_plan(author: Author) -> bool:
    return len(live_shares(author)) <= MAX_SHARES[author.plan] and len(pins(author)) <= MAX_PINS


@domain.invariant(Author)
def within_storage(author: Author) -> bool:
    return used_kb(author) <= author.quota_kb


@domain.invariant(Author)
def mine_together(author: Author) -> bool:
    return all(note.notebook.author is author for note in author.notes) and all(
        share.note.author is author and share.collaborator.author is author
        for share in author.shares
    )


@domain.invariant(Notebook)
def kept_by_somebody(notebook: Notebook) -> bool:
    mine = notebook.role == "owner"
    return mine == (notebook.kept_by is None) and (mine or notebook.access == "shared")


@domain.invariant(Note)
def facts_are_few(note: Note) -> bool:
    return len(note.facts) <= MAX_FACTS and len(labels(note)) == len({*labels(note)})


@domain.invariant(Note)
def tags_are_few(note: Note) -> bool:
    words = [other.tag.id for other in note.note_tags]
    return len(words) <= MAX_TAGS and len(words) == len({*words})


@domain.invariant(Note)
def not_too_long(note: Note) -> bool:
    return note.word_count <= MAX_WORDS and note.review_step <= LAST_STEP


@domain.invariant(Note)
def trash_has_a_day(note: Note) -> bool:
    trashed = note.status == "trashed"
    latest = purge_day(domain.now.date())
    return trashed == (note.purge_on is not None) and (not trashed or note.purge_on <= latest)


@domain.invariant(Note)
def purged_is_empty(note: Note) -> bool:
    gone = note.status == "purged"
    empty = not note.size_kb and not note.word_count and not note.facts
    return empty and not note.pinned if gone else note.size_kb >= min(TEMPLATE_KB.values())


@domain.invariant(Note)
def only_at_hand_is_pinned(note: Note) -> bool:
    return not note.pinned or note.status in AT_HAND


@domain.invariant(Note)
def editing_needs_a_share(note: Note) -> bool:
    names = [x.collaborator.name for x in readers(note) if x.permission == "edit"]
    return note.edited_by is None or note.edited_by in names


@domain.invariant(Note)
def review_in_time(note: Note) -> bool:
    latest = next_review(note.review_step, domain.now.date())
    return note.review_on is None or note.review_on <= latest


@domain.invariant(NoteFact)
def holds_one_thing(fact: NoteFact) -> bool:
    held = {"date": fact.on_date, "time": fact.at_time, "amount": fact.amount, "text": fact.wording}
    return [kind for kind, value in held.items() if value is not None] == [fact.kind]


@domain.invariant(NoteTag)
def tags_are_ones_own(note_tag: NoteTag) -> bool:
    return note_tag.tag.author is note_tag.note.author


@domain.invariant(Share)
def guests_leave(share: Share) -> bool:
    outside = share.collaborator.affiliation == "outside"
    if not outside:
        return share.expires_on is None
    latest = share.offered_on + timedelta(days=GUEST_DAYS)
    return share.permission != "edit" and share.offered_on < share.expires_on <= latest


@domain.invariant(Share)
def one_share_a_person(share: Share) -> bool:
    same = [x for x in readers(share.note) if x.collaborator is share.collaborator]
    return len(same) <= 1


@domain.invariant(Revision)
def numbered_in_order(revision: Revision) -> bool:
    later = [x for x in revision.note.revisions if x.number > revision.number]
    return revision.saved_on <= domain.now.date() and all(
        x.saved_on >= revision.saved_on for x in later
    )


# Reads --------------------------------------------------------------------------------------------

domain.reads(
    Collaborator, search=["name", "email"], list_of="author", filters=["affiliation"], page=8
)
domain.reads(Notebook, list_of="author", filters=["status", "role"], page=8)
domain.reads(
    Note, get=True, search=["title"], list_of="author", filters=["notebook", "status"], page=4
)
domain.reads(NoteFact, list_of="note", page=8, names={"list": "facts_in_note"})
domain.reads(Tag, list_of="author", page=8)
domain.reads(NoteTag, list_of="note", page=8, names={"list": "tags_on_note"})
domain.reads(Share, list_of="author", filters=["status", "note"], page=8)
domain.reads(Revision, list_of="note", page=8, names={"list": "revisions_of_note"})
domain.reads(NotesEscalation, list_of="author", page=8, names={"list": "cases_of_mine"})


class Storage(TypedDict):
    """How an author's storage is filled, in kilobytes."""

    used_kb: int
    quota_kb: int
    left_kb: int
    trash_kb: int


class Outline(TypedDict):
    """What a notebook holds, the trash left out."""

    notes: int
    words: int
    reading: Minutes
    under_review: int


class Sharing(TypedDict):
    """How many shares are live, and how many the plan has."""

    live_shares: int
    share_limit: int
    pins: int


class Merged(TypedDict):
    """What a merged note would hold."""

    words: int
    facts: int
    reading: Minutes


class NextReview(TypedDict):
    """When a note would come up again."""

    next_on: date


class Trashed(TypedDict):
    """How many notes went into the trash, and when they are purged."""

    count: int
    purge_on: date


@domain.read()
def open_profile(db, author: Author) -> Author:
    """The signed-in author's own account: plan, storage quota, e-mail address."""
    return author


@domain.read(
    tells={
        "used_kb": [
            "how many kilobytes of storage I use in all",
            "how much of my storage is taken, in kilobytes",
            "how many kilobytes my notes come to altogether",
        ],
        "left_kb": [
            "how many kilobytes of storage I have left",
            "how much room there still is in my storage, in kilobytes",
            "how many kilobytes are free in my account",
        ],
        "trash_kb": [
            "how many kilobytes sit in my trash",
            "how much storage my trash takes up, in kilobytes",
            "how many kilobytes I'd get back by purging the whole trash",
        ],
    },
)
def storage_report(db, author: Author) -> Storage:
    """Used and free storage of the author, and how much of it lies in the trash."""
    used = used_kb(author)
    trash = sum(note.size_kb for note in author.notes if note.status == "trashed")
    left = author.quota_kb - used
    return {"used_kb": used, "quota_kb": author.quota_kb, "left_kb": left, "trash_kb": trash}


@domain.read(
    tells={
        "notes": [
            "how many notes there are in {notebook}",
            "how many notes I keep in {notebook}, the trash aside",
        ],
        "words": [
            "how many words there are in {notebook} altogether",
            "how many words all the notes in {notebook} have together",
        ],
        "reading": [
            "how long it takes to read through {notebook}",
            "how much time I'd need to read everything in {notebook}",
        ],
        "under_review": [
            "how many notes in {notebook} are on the review schedule",
            "how many notes of {notebook} come up for review now and then",
        ],
    },
)
def notebook_outline(db, notebook: Notebook) -> Outline:
    """A table of contents in figures: notes at hand, their words, how long they take to read, and
    how many of them are on the review schedule."""
    here = [note for note in notebook.notes if note.status in AT_HAND]
    words = sum(note.word_count for note in here)
    under_review = sum(note.review_on is not None for note in here)
    minutes = reading_time(words)
    return {
        "notes": len(here), "words": words, "reading": minutes, "under_review": under_review
    }  # fmt: skip


@domain.read(
    tells={
        "live_shares": [
            "how many of my shares are running at the moment",
            "how many shares I have open right now",
            "how many shares count against my plan at present",
        ],
        "share_limit": [
            "how many shares I may have at the same time",
            "how many shares my plan allows at once",
            "what the most shares are that I can have running",
        ],
        "pins": ["how many notes I have pinned", "how many pins are in use at the moment"],
    },
)
def sharing_report(db, author: Author) -> Sharing:
    """Live shares beside what the plan has, and the pins in use."""
    limit = MAX_SHARES[author.plan]
    return {
        "live_shares": len(live_shares(author)), "share_limit": limit, "pins": len(pins(author))
    }  # fmt: skip


@domain.read(
    tells={
        "next_on": [
            "when {note} would come up again if I had recalled it {recall}",
            "what day {note} would be due next after going {recall}",
            "how the schedule would set {note} if I said that it went {recall}",
        ],
    },
    errors={"no_schedule": "That note is not on the review schedule."},
)
def preview_review(db, note: Note, recall: Recall) -> NextReview:
    """The day on which a note would come up again if it were reviewed today.

    Args:
        recall: How well the author remembered it
    """
    if note.review_on is None:
        raise ToolError("no_schedule")
    return {"next_on": next_review(next_step(note.review_step, recall), db.today)}


@domain.read(errors={"one_note": "It takes two different notes to be merged."})
def preview_merge(db, source: Note, into: Annotated[Note, drawn(companions)]) -> Merged:
    """Words, facts and reading time that two notes would have as one.

    Args:
        into: The note that would remain
    """
    if source is into:
        raise ToolError("one_note")
    words, facts = source.word_count + into.word_count, len(source.facts) + len(into.facts)
    return {"words": words, "facts": facts, "reading": reading_time(words)}


@domain.read()
def reviews_due(db, author: Author) -> list[Note]:
    """The author's notes whose review is due by today, the longest due first."""
    active = [note for note in author.notes if note.status in ("draft", "published")]
    due = [note for note in active if is_due(note.review_on, db.today)]
    return sorted(due, key=lambda note: (note.review_on, note.id))


# Writes -------------------------------------------------------------------------------------------


@domain.write(
    requires=[may_edit, notebook_open, within_quota, title_free],
    changes=[creates(Note)],
    ask=[
        'start a note called "{title}" in {notebook}, with the {template} template',
        'have a new note "{title}" in {notebook}, made from the {template} template',
        'open a fresh note with the title "{title}" in {notebook}, {template} template',
        'set up a note "{title}" in {notebook} using the {template} template',
        'begin a {template} note called "{title}" in {notebook}',
    ],
    asks={
        "notebook": ["In which notebook shall it be?", "Which notebook do you want it in?",
                     "Into what notebook does it belong?"],
        "title": ["What title shall it have?", "What's the note to be called, that is, its title?",
                  "Under which title shall I start it?"],
        "template": ["Which template: blank, minutes or journal?",
                     "What template would you like it to start from?",
                     "Shall I take the blank template, the one for minutes or the journal?"],
    },
    outcome=outcome(
        quotes=["size_kb"],
        mood="good",
        says=[
            'Your note "{title}" is there now, in {notebook_title}; it starts with {size_kb} '
            "kilobytes.",
            'I\'ve started "{title}" in {notebook_title}, which takes {size_kb} kilobytes to begin '
            "with.",
            '"{title}" is waiting for you in {notebook_title}, {size_kb} kilobytes small.',
            'There\'s a fresh page called "{title}" in {notebook_title} now, using {size_kb} '
            "kilobytes of your storage.",
            'The note "{title}" has been set up as a draft in {notebook_title}, at {size_kb} '
            "kilobytes.",
            'You can write away: "{title}" is open in {notebook_title} and takes up {size_kb} '
            "kilobytes.",
        ],
    ),
)  # fmt: skip
def start_note(
    db,
    author: Author,
    notebook: Notebook,
    template: Template,
    title: Annotated[str, drawn(new_titles)],
) -> Note:
    """Start an empty note in a notebook from one of the templates. It is a draft.

    Args:
        template: What the page looks like to begin with; it decides the size
        title: Title of the note, as the author says it
    """
    return db.create(
        Note, author=author, notebook=notebook, title=title, size_kb=TEMPLATE_KB[template],
        updated_on=db.today,
    )  # fmt: skip


@domain.write(
    requires=[may_edit.on("note.notebook"), notebook_open.on("note.notebook"), long_enough],
    changes=[moves("note", ["draft", "archived"], to="published")],
    ask=[
        "publish {note}", "have {note} published",
        "turn {note} into a published note", "get {note} out of the drafts and published",
        "mark {note} as published", "have {note} stand as published",
    ],
    asks={"note": ["Which note shall I publish?", "What's the title of the note to be published?",
                   "Which of your notes is ready to go out?"]},
    outcome=outcome(
        mood="good",
        says=[
            'With that, "{note.title}" leaves the drafts and appears as published.',
            'Congratulations, "{note.title}" is a published piece.',
            '"{note.title}" is published now.',
            'I\'ve published "{note.title}".',
            'Done: "{note.title}" stands in {notebook_title} as published.',
            '"{note.title}" has gone from the desk to the shelf: it\'s published.',
            '"{note.title}" counts as published from this moment.',
            'Everybody in {notebook_title} finds "{note.title}" among the published notes now.',
        ],
    ),
)  # fmt: skip
def publish_note(db, note: Note) -> Note:
    """Publish a draft, or bring a note back from the archive among the published ones."""
    note.status = "published"
    return note


@domain.write(
    requires=[may_edit.on("note.notebook"), reviewed_before_archive],
    changes=[moves("note", "published", to="archived")],
    ask=[
        "archive {note}", "put {note} into the archive",
        "lay {note} to rest in the archive", "have {note} archived",
        "move {note} to the archive", "file {note} away in the archive",
        "send {note} to the archive", "retire {note} to the archive",
    ],
    asks={"note": ["Which note goes into the archive?", "What's the note that you want archived?",
                   "Which of your published notes is finished with?"]},
    outcome=outcome(
        mood="neutral",
        says=[
            '"{note.title}" has gone to sleep among your older papers.',
            'Whoever looks for "{note.title}" finds it among the archived ones.',
            '"{note.title}" is in the archive now.',
            'I\'ve archived "{note.title}"; it can be published again at any time.',
            '"{note.title}" has been filed away among the archived notes.',
            'The archive has "{note.title}" from now on, and nothing in it was changed.',
            '"{note.title}" is out of the way, in the archive.',
        ],
    ),
)  # fmt: skip
def archive_note(db, note: Note) -> Note:
    """Put a published note into the archive, from which it can be published again."""
    note.status = "archived"
    return note


@domain.write(
    requires=[may_be_trashed, nobody_reads_on, approved],
    changes=[moves("notes", AT_HAND, to="trashed"), sets("notes", Note.purge_on, Note.pinned)],
    ask=[
        "throw away {notes}", "chuck {notes}", "send {notes} to the bin",
        "put {notes} into the trash", "have {notes} moved to the trash",
        "get rid of {notes}", "delete {notes}", "trash {notes}", "bin {notes}",
        "have {notes} thrown out", "dump {notes} in the trash",
        "clear away {notes}",
    ],
    asks={"notes": ["Which notes are to go into the trash?",
                    "What are the titles of the notes you want to throw away?",
                    "Which of your notes shall I delete?"]},
    outcome=outcome(
        quotes=["purge_on"],
        mood="neutral",
        ask_first=["What goes into the trash stays there for {TRASH_DAYS} days."],
        says=[
            'Swept up: {notes}. Should you regret it, {purge_on} is the final day for a rescue.',
            'Your shelves are lighter by {notes}; the rubbish is emptied on {purge_on}.',
            "The trash has {notes} now, and on {purge_on} Quillbox purges it all by itself.",
            "I've thrown away {notes}; until {purge_on} you can still change your mind.",
            "In the trash, by your wish: {notes}. The day of purging is {purge_on}.",
            "I've put {notes} into the trash, where everything stays until {purge_on}.",
            "Out of your notebooks went {notes}; restoring is possible until {purge_on}.",
        ],
    ),
)  # fmt: skip
def trash_notes(
    db,
    author: Author,
    notes: Annotated[list[Note], Field(min_length=1, max_length=6), drawn(piles)],
) -> Trashed:
    """Throw one note or several away. They stay in the trash until the day of purging, still count
    towards the storage, and lose their pins.

    Args:
        notes: The notes to throw away, all at once
    """
    for note in notes:
        note.status, note.purge_on, note.pinned = "trashed", purge_day(db.today), False
    return {"count": len(notes), "purge_on": purge_day(db.today)}


@domain.write(
    requires=[notebook_open.on("note.notebook")],
    changes=[moves("note", "trashed", to="draft"), sets("note", Note.purge_on)],
    ask=[
        "get {note} back out of the trash", "restore {note}", "have {note} back from the trash",
        "fish {note} out of the trash", "rescue {note} from the trash",
        "undelete {note}", "take {note} out of the bin again",
        "have {note} restored",
    ],
    asks={"note": ["Which note would you like back?", "What's the note that I shall restore?",
                   "Which of the notes in the trash is it?"]},
    outcome=outcome(
        mood="good",
        says=[
            '"{note.title}" is back in {notebook_title}, as a draft.',
            'I\'ve fetched "{note.title}" out of the trash; you find it among the drafts in '
            "{notebook_title}.",
            'Saved: "{note.title}" lies in {notebook_title} again and is a draft.',
            '"{note.title}" is out of the trash and a draft once more.',
            '"{note.title}" has been restored to {notebook_title} as a draft.',
        ],
    ),
)  # fmt: skip
def restore_note(db, note: Note) -> Note:
    """Take a note out of the trash and back into its notebook; it is a draft again, whatever it
    was."""
    note.status, note.purge_on = "draft", None
    return note


@domain.write(
    requires=[own_notebook, account_proved.on("note.author"), approved],
    changes=[
        moves("note", "trashed", to="purged"),
        sets("note", Note.size_kb, Note.word_count, Note.purge_on),
        deletes("note.facts"),
    ],
    ask=[
        "purge {note} from the trash", "delete {note} for good", "have {note} purged",
        "erase {note} from the trash once and for all", "remove {note} from the trash for good",
        "have {note} wiped from the trash", "have {note} deleted for good",
    ],
    asks={"note": ["Which note in the trash shall be purged?",
                   "What's the title of the note that may go for good?"]},
    outcome=outcome(
        mood="neutral",
        irreversible=True,
        ask_first=["Purging frees the storage of the note and takes its text and its facts."],
        says=[
            '"{note.title}" has been purged, and its storage is free again.',
            'I\'ve purged "{note.title}"; its kilobytes are yours again.',
            'Nothing is left of "{note.title}", and its space is free.',
            'The trash no longer has "{note.title}", which gives you back the room it took.',
            '"{note.title}" is gone for good.',
        ],
    ),
)  # fmt: skip
def purge_note(db, note: Note) -> Note:
    """Purge a note that lies in the trash, before its day has come. Text and facts are gone, and
    the storage that it took is free."""
    for fact in note.facts:
        db.delete(fact)
    note.status, note.size_kb, note.word_count, note.purge_on = "purged", 0, 0, None
    return note


@domain.write(
    requires=[
        may_edit, may_edit.on("note.notebook"), notebook_open, another_notebook,
        locked_stays_private,
    ],
    changes=[stays("note", AT_HAND), sets("note", Note.notebook)],
    ask=[
        "move {note} to {notebook}", "put {note} into {notebook}",
        "have {note} filed in {notebook}",
        "shift {note} over to {notebook}", "have {note} moved to {notebook}",
        "file {note} under {notebook}", "transfer {note} to {notebook}",
    ],
    asks={
        "note": ["Which note shall I move?", "What's the note that is to go somewhere else?",
                 "Which of your notes is in the wrong place?"],
        "notebook": ["Into which notebook?", "Which notebook shall it go to?",
                     "What notebook is the right one for it?"],
    },
    outcome=outcome(
        mood="good",
        says=[
            '"{note.title}" is in {notebook.title} now.',
            'I\'ve moved "{note.title}" to {notebook.title}.',
            'You find "{note.title}" under {notebook.title} from now on.',
            '"{note.title}" has a new place, in {notebook.title}.',
            '"{note.title}" went over to {notebook.title}, with its facts and tags.',
            'Filed: "{note.title}" belongs to {notebook.title} now.',
        ],
    ),
)  # fmt: skip
def move_note(db, note: Note, notebook: Notebook) -> Note:
    """Move a note at hand to another notebook, with all that is in it. In a shared notebook the
    others there can read it."""
    note.notebook = notebook
    return note


@domain.write(
    requires=[
        may_edit.on("source.notebook"), notebook_open.on("into.notebook"), can_be_one,
        nobody_loses_it,
        not_retained.on(note="source"), not_retained.on(note="into"),
        nobody_editing.on(note="source"), nobody_editing.on(note="into"),
        locked_left_alone.on(note="source"), locked_left_alone.on(note="into"),
        same_notebook, approved,
    ],
    changes=[
        moves("source", AT_HAND, to="purged"),
        sets("source", Note.size_kb, Note.word_count, Note.pinned),
        stays("into", AT_HAND),
        sets("into", Note.word_count, Note.size_kb),
        sets("source.facts", NoteFact.note),
        creates(Revision),
    ],
    ask=[
        "merge {source} into {into}", "have {source} merged into {into}",
        "make one note out of {source} and {into}, keeping {into}",
        "fold {source} into {into}", "combine {source} with {into} and keep the latter",
        "have {source} become part of {into}", "join {source} on to {into}",
    ],
    asks={
        "source": ["Which note shall be merged into the other one?",
                 "What's the note that's to be folded in?"],
        "into": ["Which note shall remain?", "Into which of your notes shall it be merged?"],
    },
    outcome=outcome(
        quotes=["word_count"],
        mood="good",
        irreversible=True,
        ask_first=[
            "preview_merge",
            'Together they would have {words} words, all under the title "{into.title}".',
        ],
        says=[
            'The two are one now: "{into.title}" has {word_count} words.',
            'I\'ve merged "{source.title}" into "{into.title}", which has {word_count} words now.',
            '"{into.title}" has taken in the other one and runs to {word_count} words.',
            'What stood in "{source.title}" stands in "{into.title}" now, {word_count} words.',
            'There\'s a single note left, "{into.title}", with {word_count} words.',
        ],
    ),
)  # fmt: skip
def merge_notes(db, source: Note, into: Annotated[Note, drawn(companions)]) -> Note:
    """Merge one note into another one of the same notebook. Text and facts go over, the version
    that the remaining note had is kept among its revisions, and the first note ceases to exist.

    Args:
        into: The note that remains
    """
    keep_version(db, into)
    into.word_count += source.word_count
    into.size_kb += source.size_kb
    for fact in source.facts:
        fact.note = into
    source.status, source.size_kb, source.word_count, source.pinned = "purged", 0, 0, False
    return into


@domain.write(
    requires=[keeps_notebook],
    changes=[moves("notebook", "archived", to="open")],
    ask=[
        "reopen {notebook}", "take {notebook} out of the archive", "have {notebook} reopened",
        "bring {notebook} back from the archive", "open {notebook} up again",
        "put {notebook} back into use",
    ],
    asks={"notebook": ["Which notebook shall I reopen?",
                       "What's the notebook that you want out of the archive?"]},
    outcome=outcome(
        mood="good",
        says=[
            "{notebook.title} is open again.",
            "I've taken the notebook {notebook.title} out of the archive.",
            "You can write in {notebook.title} again.",
            "The notebook {notebook.title} has left the archive and takes changes once more.",
            "{notebook.title} is back in use.",
        ],
    ),
)  # fmt: skip
def reopen_notebook(db, notebook: Notebook) -> Notebook:
    """Take a notebook out of the archive, so that it can be changed again."""
    notebook.status = "open"
    return notebook


@domain.write(
    requires=[pins_left.on("note.author")],
    changes=[stays("note", AT_HAND), sets("note", Note.pinned)],
    errors={"pinned_already": "There is a pin on that note already."},
    ask=[
        "pin {note}", "pin {note} to the top", "have {note} pinned", "put a pin on {note}",
        "keep {note} at the top", "have {note} up at the top", "stick {note} to the top",
    ],
    asks={"note": ["Which note shall be pinned?", "What's the note you want at the top?"]},
    outcome=outcome(
        mood="good",
        says=[
            'Nobody can overlook "{note.title}" up there, least of all you.',
            '"{note.title}" is pinned to the top.',
            'I\'ve put a pin on "{note.title}", so it stays on top.',
            'You have "{note.title}" at the top from now on.',
            'The bar on top shows "{note.title}" now.',
            '"{note.title}" carries a pin.',
        ],
    ),
)  # fmt: skip
def pin_note(db, note: Note) -> Note:
    """Pin a note at hand to the top of the author's Quillbox."""
    if note.pinned:
        raise ToolError("pinned_already")
    note.pinned = True
    return note


@domain.write(
    changes=[stays("note", AT_HAND), sets("note", Note.pinned)],
    errors={"no_pin": "There is no pin on that note."},
    ask=[
        "unpin {note}", "take the pin off {note}", "have {note} unpinned",
        "remove the pin from {note}", "get {note} down from the top",
        "take {note} down from the bar on top",
    ],
    asks={"note": ["Which pin shall come off, that is, of which note?",
                   "What's the note that may leave the top?"]},
    outcome=outcome(
        mood="neutral",
        says=[
            '"{note.title}" isn\'t pinned any more.',
            'The pin on "{note.title}" is off.',
            'I\'ve taken "{note.title}" down from the top.',
            '"{note.title}" is back in the ranks, without a pin.',
        ],
    ),
)  # fmt: skip
def unpin_note(db, note: Note) -> Note:
    """Take the pin off a note, which stays where it is."""
    if not note.pinned:
        raise ToolError("no_pin")
    note.pinned = False
    return note


RECORDING = [
    may_edit.on("note.notebook"), notebook_open.on("note.notebook"), facts_left, label_free,
    nobody_editing, locked_left_alone,
]  # fmt: skip
ASKED_OF_FACTS = {
    "note": ["In which note shall I write that down?", "Which note does it belong in?",
             "What's the note for it?"],
    "label": ["Under what label shall it stand?", "What shall I call the line, as a label?",
              "Which label do you want for it?"],
}  # fmt: skip


@domain.write(
    requires=[*RECORDING, day_not_over],
    changes=[stays("note", AT_HAND), creates(NoteFact)],
    ask=[
        "write {on_date} down as the {label} in {note}",
        "note {on_date} as the {label} in {note}",
        "have {on_date} put into {note} as the {label}",
        "add the {label}, {on_date}, to {note}",
        "jot down {on_date} in {note} as the {label}",
        "record the {label} in {note}, which is {on_date}",
        "have the {label} in {note}: it's {on_date}",
    ],
    asks={**ASKED_OF_FACTS, "on_date": ["Which date is it?", "What day shall I write down?",
                                        "For what date?"]},
    outcome=outcome(
        quotes=["on_date"],
        mood="good",
        says=[
            'I\'ve written {on_date} down as the {label} in "{note_title}".',
            '"{note_title}" has a {label} now, {on_date}.',
            'Noted: the {label} in "{note_title}" is {on_date}.',
            'The line is in: {on_date} as the {label}, under "{note_title}".',
            'You find {on_date} in "{note_title}" from now on, labelled {label}.',
        ],
    ),
)  # fmt: skip
def record_date(
    db,
    note: Note,
    label: Annotated[str, drawn(lambda: DATE_LABELS)],
    on_date: Annotated[date, drawn(days_ahead)],
) -> NoteFact:
    """Write a date into a note as a labelled fact, for example a deadline learnt elsewhere.

    Args:
        label: What the date is, e.g. renewal date
        on_date: The day
    """
    return db.create(NoteFact, note=note, label=label, kind="date", on_date=on_date)


@domain.write(
    requires=RECORDING,
    changes=[stays("note", AT_HAND), creates(NoteFact)],
    ask=[
        "write {amount} down as the {label} in {note}",
        "note {amount} as the {label} in {note}",
        "put {amount} into {note} as the {label}",
        "add a {label} of {amount} to {note}",
        "record {amount} in {note} as the {label}",
        "have the {label} in {note}, it's {amount}",
    ],
    asks={**ASKED_OF_FACTS, "amount": ["What's the amount?", "How much is it?",
                                       "Which amount shall I write down?"]},
    outcome=outcome(
        quotes=["amount"],
        mood="good",
        says=[
            'I\'ve put {amount} into "{note_title}" as the {label}.',
            'The {label} in "{note_title}" is down as {amount}.',
            '"{note_title}" says {amount} for the {label} now.',
            'Written down: {amount}, the {label}, in "{note_title}".',
            'There\'s a line in "{note_title}" with {amount} as the {label}.',
        ],
    ),
)  # fmt: skip
def record_amount(
    db,
    note: Note,
    label: Annotated[str, drawn(lambda: AMOUNT_LABELS)],
    amount: Annotated[Money, Field(ge=0), drawn(lambda: AMOUNTS)],
) -> NoteFact:
    """Write an amount of money into a note as a labelled fact.

    Args:
        label: What the amount is, e.g. budget
        amount: The sum
    """
    return db.create(NoteFact, note=note, label=label, kind="amount", amount=amount)


@domain.write(
    requires=RECORDING,
    changes=[stays("note", AT_HAND), creates(NoteFact)],
    ask=[
        'write "{wording}" into {note}, labelled {label}',
        'have "{wording}" in {note} under the label {label}',
        'add the line "{wording}" to {note} with the label {label}',
        'put "{wording}" down in {note} as the {label}',
        'note under {label} in {note}: "{wording}"',
    ],
    asks={**ASKED_OF_FACTS, "wording": ["What shall the line say, word for word?",
                                        "Which words shall I put down?",
                                        "How is the wording to be?"]},
    outcome=outcome(
        mood="good",
        says=[
            'I\'ve added that line to "{note_title}", labelled {label}.',
            '"{note_title}" has a line about the {label} now.',
            'It\'s in: see {label} in "{note_title}".',
            'What you said stands in "{note_title}" under {label}.',
            'The {label} is written down in "{note_title}".',
        ],
    ),
)  # fmt: skip
def record_line(
    db,
    note: Note,
    label: Annotated[str, drawn(lambda: [*FACT_LINES])],
    wording: Annotated[str, drawn(lines_for)],
) -> NoteFact:
    """Write a short text into a note as a labelled fact, in the author's own words.

    Args:
        label: What the line is about, e.g. meeting room
        wording: The text itself
    """
    return db.create(NoteFact, note=note, label=label, kind="text", wording=wording)


@domain.write(
    requires=[
        may_edit.on("note_fact.note.notebook"), notebook_open.on("note_fact.note.notebook"),
        not_retained.on("note_fact.note"), nobody_editing.on("note_fact.note"), day_not_over,
    ],
    changes=[sets("note_fact", NoteFact.on_date)],
    errors={
        "holds_no_date": "That fact holds no date that could be changed.",
        "same_date": "That fact has this very date.",
    },
    ask=[
        "change {note_fact} to {on_date}", "put {note_fact} at {on_date}",
        "have {note_fact} corrected to {on_date}", "set {note_fact} to {on_date}",
        "have {note_fact} say {on_date} instead", "shift {note_fact} to {on_date}",
        "update {note_fact} so that it says {on_date}",
    ],
    asks={
        "note_fact": ["Which fact is it, and in which note?", "What date in which note is wrong?"],
        "on_date": ["What's the right date?", "To which date shall I change it?"],
    },
    outcome=outcome(
        quotes=["on_date"],
        mood="good",
        says=[
            'The {note_fact.label} in "{note_title}" is {on_date} now.',
            'I\'ve changed the {note_fact.label} in "{note_title}" to {on_date}.',
            '"{note_title}" says {on_date} for the {note_fact.label} from now on.',
            'Corrected: {on_date} is the {note_fact.label} in "{note_title}".',
            'In "{note_title}" the {note_fact.label} has been put at {on_date}.',
        ],
    ),
)  # fmt: skip
def change_date(
    db,
    note_fact: Annotated[NoteFact, drawn(dated)],
    on_date: Annotated[date, drawn(days_ahead)],
    author: Author,
) -> NoteFact:
    """Change the day of a fact that holds a date; its label stays.

    Args:
        on_date: The day that shall stand there instead
    """
    if note_fact.kind != "date":
        raise ToolError("holds_no_date")
    if note_fact.on_date == on_date:
        raise ToolError("same_date")
    note_fact.on_date = on_date
    return note_fact


@domain.write(
    requires=[
        may_edit.on("note_fact.note.notebook"), notebook_open.on("note_fact.note.notebook"),
        not_retained.on("note_fact.note"), nobody_editing.on("note_fact.note"),
    ],
    changes=[deletes("note_fact")],
    destructive=True,
    ask=[
        "strike {note_fact}", "have {note_fact} taken out", "remove {note_fact}",
        "delete {note_fact}", "cross out {note_fact}", "have {note_fact} struck",
    ],
    asks={"note_fact": ["Which fact is to be struck, and in which note?",
                        "What line shall I take out, and of which note?"]},
    outcome=outcome(
        mood="neutral",
        says=[
            'Gone, and the remaining lines move up.',
            "I've rubbed it out; the other facts stand untouched.",
            "That line has been struck.",
            "I've taken the line out.",
            "The fact is gone from the note.",
            "That line doesn't stand there any longer.",
            "Crossed out: the line is no longer among the facts.",
        ],
    ),
)  # fmt: skip
def strike_fact(db, note_fact: NoteFact) -> Note:
    """Take a fact out of a note."""
    note = note_fact.note
    db.delete(note_fact)
    return note


@domain.write(
    requires=[
        own_notebook, shares_left.on("note.author"), not_shared_yet, in_team, published_first,
        locked_left_alone,
    ],
    changes=[creates(Share)],
    ask=[
        "share {note} with {collaborator}, with {permission} rights",
        "give {collaborator} access to {note}, {permission} rights that is",
        "let {collaborator} into {note} with {permission} rights",
        "have {note} shared with {collaborator}, {permission} rights",
        "open {note} to {collaborator} with {permission} rights",
        "offer {collaborator} {permission} rights in {note}",
    ],
    asks={
        "note": ["Which note shall be shared?", "What's the note that you want to share?"],
        "collaborator": ["With whom shall I share it?", "Who's the colleague?",
                         "Which person from your list is it?"],
        "permission": ["Which rights: view, comment or edit?",
                       "What permission: view, comment or edit?"],
    },
    outcome=outcome(
        mood="good",
        says=[
            'I\'ve offered "{note.title}" to {collaborator.name}, who only has to accept.',
            '{collaborator.name} finds an offer for "{note.title}" in their Quillbox now.',
            'The share of "{note.title}" with {collaborator.name} is set up and waits to be '
            "accepted.",
            '"{note.title}" is open to {collaborator.name} as soon as they accept.',
            'Shared: {collaborator.name} has been offered "{note.title}".',
        ],
    ),
)  # fmt: skip
def share_note(
    db,
    note: Note,
    collaborator: Collaborator,
    permission: Literal["view", "comment", "edit"],
) -> Share:
    """Offer a note to a colleague from the team, without an end.

    Args:
        permission: What the colleague may do with it
    """
    return db.create(
        Share, author=note.author, note=note, collaborator=collaborator, permission=permission,
        offered_on=db.today,
    )  # fmt: skip


@domain.write(
    requires=[
        own_notebook, shares_left.on("note.author"), not_shared_yet, from_outside,
        guest_leaves_in_time, published_first, locked_left_alone, no_amounts_for_guests, approved,
    ],
    changes=[creates(Share)],
    ask=[
        "invite {collaborator} to {note} as a guest until {expires_on}, with {permission} rights",
        "let {collaborator} look into {note} as a guest up to {expires_on}, {permission} rights",
        "have {collaborator} as a guest in {note} through {expires_on}, with {permission} rights",
        "give {collaborator} guest access to {note} until {expires_on}, with {permission} rights",
        "open {note} with {permission} rights to my guest {collaborator.name} until {expires_on}",
    ],
    asks={
        "note": ["To which note shall the guest be invited?", "Which note is it for?"],
        "collaborator": ["Who is the guest?", "Which person shall I invite?"],
        "permission": ["May the guest comment, or only view?",
                       "Which permission: view or comment?"],
        "expires_on": ["Until what day may the guest stay?",
                       "On which date shall the access end?"],
    },
    outcome=outcome(
        quotes=["expires_on"],
        mood="good",
        ask_first=[
            "{collaborator.name} comes from outside the team; the guest would have "
            "{permission} rights until {expires_on}."
        ],
        says=[
            'A link to "{note.title}" is on its way to {collaborator.name}, until {expires_on}.',
            'The door to "{note.title}" stands ajar for {collaborator.name}, up to {expires_on}.',
            '{collaborator.name} receives the invitation shortly; on {expires_on} it lapses.',
            '{collaborator.name} is invited to "{note.title}" as a guest until {expires_on}.',
            'I\'ve invited {collaborator.name} to "{note.title}"; the access ends on {expires_on}.',
            'The invitation is out: {collaborator.name} may look into "{note.title}" until '
            "{expires_on}.",
            'Through {expires_on} "{note.title}" is open to {collaborator.name} as a guest.',
            'Your guest {collaborator.name} has been offered "{note.title}", with {expires_on} as '
            "the last day.",
        ],
    ),
)  # fmt: skip
def invite_guest(
    db,
    note: Note,
    collaborator: Collaborator,
    permission: Literal["view", "comment"],
    expires_on: Annotated[date, drawn(days_for_guests)],
) -> Share:
    """Offer a note to somebody from outside the team, until a day.

    Args:
        permission: What the guest may do; guests never edit
        expires_on: The last day of the access
    """
    return db.create(
        Share, author=note.author, note=note, collaborator=collaborator, permission=permission,
        offered_on=db.today, expires_on=expires_on,
    )  # fmt: skip


@domain.write(
    requires=[],
    changes=[
        moves("share", LIVE, to="revoked"),
        stays("share.note", AT_HAND),
        sets("share.note", Note.edited_by),
    ],
    ask=[
        "revoke {share}", "end {share}", "withdraw {share}", "have {share} revoked",
        "put an end to {share}", "cut off {share}", "take back {share}", "stop {share}",
    ],
    asks={"share": ["Which share is to end: of which note, and with whom?",
                    "Whose share shall I revoke, and for what note?"]},
    outcome=outcome(
        mood="neutral",
        says=[
            'From now on "{share.note.title}" refuses to open for {share.collaborator.name}.',
            '{share.collaborator.name} has no access to "{share.note.title}" any more.',
            'I\'ve revoked the share of "{share.note.title}" with {share.collaborator.name}.',
            'The share is ended: "{share.note.title}" is closed to {share.collaborator.name}.',
            '"{share.note.title}" can\'t be opened by {share.collaborator.name} any longer.',
            "{share.collaborator.name} is out, and "
            '"{share.note.title}" has one reader fewer.',
        ],
    ),
)  # fmt: skip
def revoke_share(db, share: Share) -> Share:
    """End a share, whether it has been accepted or not. If that person has the note open for
    editing, it is closed for them."""
    share.status = "revoked"
    if share.note.edited_by == share.collaborator.name:
        share.note.edited_by = None
    return share


@domain.write(
    requires=[account_proved.on("note.author")],
    changes=[stays("note", ["draft", "published"]), sets("note", Note.locked)],
    errors={"not_locked": "There is no lock on that note."},
    ask=[
        "unlock {note}", "take the lock off {note}", "have {note} unlocked",
        "remove the lock from {note}", "have the lock on {note} taken off",
        "get the lock off {note}",
    ],
    asks={"note": ["Which note shall be unlocked?", "From which note shall the lock come off?"]},
    outcome=outcome(
        mood="good",
        says=[
            'The lock on "{note.title}" is off.',
            '"{note.title}" is unlocked.',
            'I\'ve unlocked "{note.title}" for you.',
            'There\'s no lock on "{note.title}" any more.',
        ],
    ),
)  # fmt: skip
def unlock_note(db, note: Note) -> Note:
    """Take the lock off a note, so that it can be shared, merged and added to again."""
    if not note.locked:
        raise ToolError("not_locked")
    note.locked = False
    return note


@domain.write(
    requires=[tags_left, not_tagged],
    changes=[stays("note", AT_HAND), creates(NoteTag)],
    ask=[
        "tag {note} with {tag}", "put {tag} on {note}", "have {tag} on {note}",
        "add {tag} to {note}", "give {note} {tag}", "have {note} tagged with {tag}",
        "mark {note} with {tag}",
    ],
    asks={
        "note": ["Which note shall get the tag?", "What's the note that you want tagged?"],
        "tag": ["Which tag shall it be?", "What tag do you want on it?"],
    },
    outcome=outcome(
        mood="good",
        says=[
            'Searching for "{tag.word}" brings up "{note.title}" henceforth.',
            'A little label saying "{tag.word}" sticks to "{note.title}".',
            'The tag "{tag.word}" is on "{note.title}" now.',
            'I\'ve tagged "{note.title}" with "{tag.word}".',
            '"{note.title}" turns up under "{tag.word}" from now on.',
            'You\'ll find "{note.title}" by the tag "{tag.word}".',
        ],
    ),
)  # fmt: skip
def tag_note(db, note: Note, tag: Tag) -> NoteTag:
    """Put one of the author's tags on a note."""
    return db.create(NoteTag, note=note, tag=tag)


@domain.write(
    changes=[deletes("note_tag")],
    ask=[
        "take {note_tag} off", "remove {note_tag}", "have {note_tag} taken off",
        "drop {note_tag}", "get {note_tag} off",
    ],
    asks={"note_tag": ["Which tag shall come off, and of which note?",
                       "What tag on which note is it?"]},
    outcome=outcome(
        mood="neutral",
        says=[
            'Peeled off: the note goes without that tag.',
            "The tag is off.",
            "That note doesn't carry the tag any longer.",
            "I've taken the tag off; it's still on your list for other notes.",
            "The tag has been removed from the note.",
        ],
    ),
)  # fmt: skip
def untag_note(db, note_tag: NoteTag) -> Note:
    """Take a tag off a note. The tag itself stays on the author's list."""
    note = note_tag.note
    db.delete(note_tag)
    return note


@domain.write(
    requires=[review_is_due],
    changes=[
        stays("note", ["draft", "published"]),
        sets("note", Note.review_step, Note.review_on),
    ],
    ask=[
        "mark {note} as reviewed, it went {recall}",
        "enter the review of {note}, which went {recall}",
        "tick off the review of {note}: it went {recall}",
        "have my review of {note} entered, it went {recall}",
        "log that I've gone over {note} and that it went {recall}",
        "record that I reviewed {note} and recalled it {recall}",
    ],
    asks={
        "note": ["Which note have you reviewed?", "What's the note that you went over?"],
        "recall": ["How well did you recall it: well, partly or badly?",
                   "And how did the recall go, well or partly or badly?"],
    },
    outcome=outcome(
        quotes=["review_on"],
        mood="good",
        says=[
            'The review of "{note.title}" is entered; it comes up again on {review_on}.',
            'I\'ve ticked off "{note.title}", and the next review is on {review_on}.',
            '"{note.title}" is due again on {review_on}.',
            'Well done; {review_on} is the next day for "{note.title}".',
            'The schedule brings "{note.title}" back on {review_on}.',
        ],
    ),
)  # fmt: skip
def mark_reviewed(db, note: Note, recall: Recall) -> Note:
    """Enter that the author has gone over a note whose review is due. The schedule sets the next
    day by how well it was recalled.

    Args:
        recall: How well the author remembered it, in their own judgement
    """
    note.review_step = next_step(note.review_step, recall)
    note.review_on = next_review(note.review_step, db.today)
    return note


@domain.write(
    requires=[
        may_edit.on("revision.note.notebook"),
        revision_in_reach.on(revision="revision", author="revision.note.author"),
        not_retained.on("revision.note"), nobody_editing.on("revision.note"), approved,
    ],
    changes=[
        stays("revision.note", AT_HAND),
        sets("revision.note", Note.title, Note.word_count),
        creates(Revision),
    ],
    ask=[
        "go back to {revision}", "restore {revision}", "roll back to {revision}",
        "have {revision} restored", "return to {revision}", "have {revision} back",
        "bring back {revision}",
    ],
    asks={"revision": ["Which revision, and of which note?",
                       "Which earlier version is it, of what note?"]},
    outcome=outcome(
        quotes=["word_count"],
        mood="good",
        ask_first=["The version of today would be kept among the revisions."],
        says=[
            '"{revision.note.title}" has {word_count} words again, as it did then.',
            'The earlier version is back, called "{title}" and with {word_count} words.',
            "I've rolled it back, which leaves {word_count} words; what stood there until now is "
            "kept as a revision.",
            'You have revision {revision.number} again, with {word_count} words under "{title}".',
            "Restored: {word_count} words, and the later version is among the revisions.",
        ],
    ),
)  # fmt: skip
def restore_revision(db, revision: Revision) -> Note:
    """Put a note back to an earlier version, title and text alike. The version that it had until
    now is kept among the revisions; facts, tags and shares stay as they are."""
    note = revision.note
    keep_version(db, note)
    note.title, note.word_count = revision.past_title, revision.word_count
    return note


@domain.write(
    changes=[creates(NotesEscalation)],
    handover=True,
    ask=[
        "have somebody from the support look at this ({reason})",
        "be put through to the Quillbox support ({reason})",
        "hear from a person at Quillbox about this ({reason})",
        "have this passed on to the support team ({reason})",
        "talk to a human being at Quillbox ({reason})",
    ],
    asks={"reason": ["What shall I give as the reason?",
                     "What is the reason, so that it reaches the right person?"]},
    outcome=outcome(
        mood="neutral",
        says=[
            "The Quillbox support has it now and will write to you.",
            "I've passed this on to the support, who get back to you by e-mail.",
            "Somebody from the Quillbox support takes it from here and will be in touch.",
            "That's with our support people now; you'll hear from them.",
            "A person at Quillbox will read this next and answer you.",
            "I've opened a case for you, and the support will write to you about it.",
        ],
    ),
)  # fmt: skip
def ask_support(db, author: Author, reason: Reason) -> NotesEscalation:
    """Pass the conversation on to the Quillbox support: as `purged_note` when an author misses a
    note that has been purged, as `billing` for the plan, its price or more storage, as
    `ownership_dispute` when it is contested whose notebook something is, as `complaint` when an
    author complains about Quillbox, and as `other` for what no tool of yours can do. What a rule
    forbids is not passed on: say the rule and what the author can do instead.

    Args:
        reason: What the support is needed for
    """
    return db.create(NotesEscalation, author=author, reason=reason, opened_at=db.now)


# What brings people here, what changes their minds, and what only the support can settle ----------

for told, tools in (
    ("I'm starting something new this week and want my thoughts in one place.", ["start_note"]),
    ("My head is full of ideas and I have nowhere to put them.", ["start_note"]),
    ("We meet again this afternoon, and somebody has to take notes.", ["start_note"]),
    ("I've decided to write a few lines every evening.", ["start_note"]),
    ("The scraps of paper on my desk have to go somewhere.", ["start_note"]),
    ("I've read it through three times now and I'm happy with it.", ["publish_note"]),
    ("My colleagues keep asking me whether it's ready.", ["publish_note"]),
    ("The last gap in it is filled.", ["publish_note"]),
    ("I've been polishing that text for long enough.", ["publish_note"]),
    ("That matter is settled, and I only want to keep it for the record.", ["archive_note"]),
    ("My list of notes has grown so long that I lose sight of what counts.", ["archive_note"]),
    ("The project is over, and the papers can rest.", ["archive_note"]),
    ("I'm tidying up before my holiday.", ["archive_note", "trash_notes", "move_note"]),
    ("Half of what I see when I open Quillbox is out of date.", ["archive_note", "trash_notes"]),
    ("We've dropped the whole plan.", ["trash_notes"]),
    ("I don't even remember what that was for.", ["trash_notes"]),
    ("It's all been said better somewhere else.", ["trash_notes"]),
    ("Looking at it again, there's nothing in it worth keeping.", ["trash_notes"]),
    ("I threw something out in haste last week.", ["restore_note"]),
    ("I need something again that I thought I was done with.", ["restore_note"]),
    ("My partner asked about a thing that I'd long discarded.", ["restore_note"]),
    ("I got carried away when I cleaned up.", ["restore_note"]),
    ("Quillbox keeps telling me that my storage is filling up.", ["purge_note"]),
    ("I don't want that text lying around anywhere any longer.", ["purge_note"]),
    ("I'd like some room in my account again.", ["purge_note"]),
    ("I keep looking for it in the wrong place.", ["move_note"]),
    ("I've been sorting my shelves all morning.", ["move_note", "tag_note"]),
    ("It has become more of a matter for the others as well.", ["move_note"]),
    ("It doesn't belong where it is.", ["move_note"]),
    ("I've somehow written about one thing in two places.", ["merge_notes"]),
    ("I'm forever jumping back and forth between two pages.", ["merge_notes"]),
    ("Two of my notes have grown into one subject.", ["merge_notes"]),
    ("We're taking up the old business again.", ["reopen_notebook"]),
    ("I have to add something to a matter that I thought was closed.", ["reopen_notebook"]),
    ("The old shelf is needed once more.", ["reopen_notebook"]),
    ("I look at it ten times a day.", ["pin_note"]),
    ("This will be on my mind for the whole week.", ["pin_note"]),
    ("I never want to scroll for that one again.", ["pin_note"]),
    ("That's no longer what keeps me busy.", ["unpin_note"]),
    ("The rush about it is over.", ["unpin_note"]),
    ("The top of my screen looks cluttered.", ["unpin_note"]),
    (
        "I've just come off the phone and don't want to forget what they said.",
        ["record_date", "record_line"],
    ),
    ("A letter with the particulars came this morning.", ["record_date", "record_amount"]),
    ("They've finally answered my e-mail.", ["record_date", "record_amount", "record_line"]),
    ("I keep having to look that up.", ["record_date", "record_line"]),
    ("We shook hands on a price today.", ["record_amount"]),
    ("The offer is in.", ["record_amount"]),
    ("My sister told me where to go.", ["record_line"]),
    ("They called to say that it had to be postponed.", ["change_date"]),
    ("I had the wrong day in my head.", ["change_date"]),
    ("The appointment has been put off.", ["change_date"]),
    ("The new calendar is out, and one of my dates is wrong.", ["change_date"]),
    ("One of the lines that I keep there is outdated.", ["strike_fact"]),
    ("I've noticed a line that is simply wrong.", ["strike_fact"]),
    ("That detail has become nobody's business.", ["strike_fact"]),
    ("A colleague would like to think along with me.", ["share_note"]),
    ("We've split the work between two of us.", ["share_note"]),
    ("I'm away next week, and somebody has to be able to look things up.", ["share_note"]),
    ("I was asked for my notes after the meeting.", ["share_note"]),
    ("My deputy starts on Monday and should be in the picture.", ["share_note"]),
    ("We've promised each other not to keep secrets about this.", ["share_note"]),
    ("My desk neighbour knows far more about the subject than I do.", ["share_note"]),
    ("The architect has asked what we've agreed so far.", ["invite_guest"]),
    ("My cousin, who's a lawyer, has offered to glance at my papers.", ["invite_guest"]),
    ("A journalist is checking some details with me.", ["invite_guest"]),
    ("An old friend who works elsewhere gives me advice now and then.", ["invite_guest"]),
    ("The landlord's surveyor needs to know what I know.", ["invite_guest"]),
    ("The season is finished, and so is the paperwork.", ["archive_note"]),
    ("I've handed that job over to my successor.", ["archive_note"]),
    ("The invoice is paid and the guests have gone home.", ["archive_note"]),
    ("It rains, and I'm in the mood for cleaning up.", ["trash_notes", "move_note", "untag_note"]),
    ("My therapist says that I should let go of things.", ["trash_notes"]),
    ("A new colleague asked me where everything was, and I blushed.", ["move_note", "tag_note"]),
    ("My toddler got hold of the tablet yesterday.", ["restore_note", "restore_revision"]),
    ("The plumber rang during lunch.", ["record_date", "record_line", "change_date"]),
    ("I've torn a slip off the notice board at work.", ["record_date", "record_line"]),
    ("The bank has put its offer into writing.", ["record_amount"]),
    ("I haggled for an hour at the market.", ["record_amount"]),
    ("The strike has thrown everybody's timetable into confusion.", ["change_date"]),
    ("The hall was double-booked, so they shuffled things round.", ["change_date"]),
    ("Our partner in the other firm wants to see what I've got.", ["invite_guest"]),
    ("Somebody who isn't with us is helping me for a few weeks.", ["invite_guest"]),
    ("I've hired an adviser who needs to read up.", ["invite_guest"]),
    ("We don't work together on that any more.", ["revoke_share"]),
    ("I'd rather keep that to myself from now on.", ["revoke_share"]),
    ("The review round is over.", ["revoke_share"]),
    ("Too many people have been reading my papers.", ["revoke_share"]),
    ("There's no secret in it any longer.", ["unlock_note"]),
    ("I was too cautious with that one.", ["unlock_note"]),
    ("The surprise party has taken place, so nothing needs hiding.", ["unlock_note"]),
    ("I can never find things by their titles.", ["tag_note"]),
    ("I'm going through my tags today.", ["tag_note", "untag_note"]),
    ("I'd like to see all of that kind at one glance.", ["tag_note"]),
    ("One of the tags turned out to be misleading.", ["untag_note"]),
    ("I tagged things rather wildly in the beginning.", ["untag_note"]),
    ("I've just been through my cards on the train.", ["mark_reviewed"]),
    ("I did my repetition over breakfast.", ["mark_reviewed"]),
    ("My exam is coming closer, so I've been revising.", ["mark_reviewed"]),
    ("I've tested myself this morning.", ["mark_reviewed"]),
    ("What I did to that text yesterday was no improvement.", ["restore_revision"]),
    ("I liked it better the way it was.", ["restore_revision"]),
    ("Somebody has been rather free with my wording.", ["restore_revision"]),
    ("I've cut too much out of it.", ["restore_revision"]),
):
    domain.situation(told, leads_to=tools)

for told, tools in (
    ("I might need it for the annual report after all.", ["trash_notes", "purge_note"]),
    ("My colleague has just said that he still looks at them.", ["trash_notes"]),
    ("Let me have another look at them first.", ["trash_notes"]),
    ("I'd better print it out before anything happens to it.", ["purge_note", "trash_notes"]),
    ("I've just found some space elsewhere.", ["purge_note"]),
    ("I see now that they're about different things.", ["merge_notes"]),
    ("The result would be too long for my taste.", ["merge_notes"]),
    ("I'd rather keep the two apart, for the others' sake.", ["merge_notes"]),
    ("I should ask my boss before anybody from outside sees that.", ["invite_guest"]),
    ("They've just written that they don't need it any more.", ["invite_guest"]),
    ("I'd sooner send a printout.", ["invite_guest"]),
    ("Reading it again, the present version isn't so bad.", ["restore_revision"]),
    ("I'd lose a paragraph that I'm fond of.", ["restore_revision"]),
    ("I'd like to compare the two on paper first.", ["restore_revision"]),
):
    domain.second_thought(told, about=tools)

domain.concern(
    "purged_note",
    [
        'I need "{title}" back, and I know that it has been purged.',
        '"{title}" was purged by mistake, and I have no copy of it anywhere.',
        'The purging of "{title}" was an accident: my little boy had the tablet.',
        'Is there really nothing left of "{title}" on your machines, now that it is purged?',
    ],
    about=Note,
    where={"status": "purged"},
    noted='that you miss "{title}", which has been purged',
)
domain.concern(
    "billing",
    [
        "I've been charged twice for my plan this month.",
        "I'd like to change to a bigger plan, as I keep hitting the limits.",
        "My storage isn't enough, and I want to buy more of it.",
        "The invoice for my Quillbox plan has the wrong name on it.",
        "I cancelled my plan in spring and money still leaves my account.",
        "Do students get Quillbox for less, and how would I go about that?",
    ],
    noted="your question about plan and payment",
)
domain.concern(
    "ownership_dispute",
    [
        "A former colleague claims that one of our notebooks is his, and it isn't.",
        "Our club has a new secretary, and the old one won't give up the club's notebook.",
        "Somebody in the team has put my own work under their name.",
        "The company says that my private notebook belongs to them, and I object.",
        "My co-author and I have split up and both want the notebook.",
    ],
    noted="that it's contested whose notebook it is, with your side of it",
)
domain.concern(
    "complaint",
    [
        "I want to complain: the app has crashed four times since yesterday.",
        "Your last update has made the letters so small that I can hardly read them.",
        "I've written to you three times and never got a reply, which I find rude.",
        "The search in Quillbox has been painfully slow for weeks, and I'm annoyed.",
        "Your advertising pops up while I'm writing, and I resent that.",
        "Nobody told us that Quillbox would be down on Sunday, and we lost half a day.",
    ],
    noted="your complaint, as you've put it to me",
)
domain.concern(
    "other",
    [
        "I'd like to have all my notes as one printed book.",
        "Could Quillbox read my notes aloud to me in the car?",
        "I'm a teacher and wonder whether you'd give a talk at our school.",
        "My grandfather's handwriting should be turned into text somehow.",
        "I'd love to translate Quillbox into Welsh for you.",
        "Can you make Quillbox work on my old e-reader?",
        "I'd like my account to be handed to my daughter when I die.",
    ],
    noted="what you'd like, in your own words",
)


# Seed data ----------------------------------------------------------------------------------------
# Pairs of notes that are easily taken for each other: titles, what they are about, and facts in the
# order in which they are used (days from today, hour and minute, cents, words).

PAIRS = (
    (("Kitchen renovation", "Bathroom renovation"), "Offers, colours and who comes when.", (
        ("start of work", 12), ("budget", 420000), ("fitter's number", "555-310-4471"),
        ("key handover", time(7, 30)))),
    (("Car insurance", "Home insurance"), "What is covered, and what it costs.", (
        ("renewal date", 24), ("annual premium", 38600), ("policy number", "QX-77120-B"),
        ("excess", 25000))),
    (("Spring offsite", "Autumn offsite"), "Programme, rooms and who cooks.", (
        ("first day", 18), ("departure", time(8, 15)), ("house", "Mill farm at Dunmore"),
        ("cost a head", 14500))),
    (("Lisbon trip", "Porto trip"), "Trains, beds and what not to miss.", (
        ("departure day", 33), ("train", time(9, 42)), ("hotel", "Pensão Aurora, by the tram stop"),
        ("deposit", 9000))),
    (("Phone contract", "Broadband contract"), "Terms, and how to get out of it.", (
        ("last day to cancel", 9), ("monthly fee", 2490), ("customer number", "K-40917"),
        ("hotline opens", time(8, 0)))),
    (("Choir rehearsals", "Choir concert"), "Pieces, seating and the coach.", (
        ("dress rehearsal", 15), ("start", time(19, 30)), ("hall", "St Anne's, side entrance"),
        ("ticket price", 1200))),
    (("Sales report", "Sales forecast"), "Figures by region, with remarks.", (
        ("deadline", 6), ("meeting room", "Room 4.12, next to the lift"), ("target", 9800000),
        ("weekly call", time(10, 30)))),
    (("School excursion", "School fair"), "Who brings what, and when it starts.", (
        ("day", 20), ("meeting time", time(7, 45)), ("contribution", 1850),
        ("meeting point", "the bus bay behind the gym"))),
    (("Garden plan", "Greenhouse plan"), "Beds, seeds and watering.", (
        ("delivery date", 5), ("price of the beds", 23900), ("supplier", "Orchard Road nursery"),
        ("pick-up", time(16, 0)))),
    (("Spanish verbs", "Spanish idioms"), "To be repeated until it sticks.", (
        ("exam date", 41), ("lesson", time(18, 15)), ("course fee", 16500),
        ("classroom", "B 07 in the annexe"))),
    (("Tax return", "Tax adviser"), "Receipts, questions and answers.", (
        ("filing deadline", 28), ("fee agreed", 31000), ("file number", "21/407/3318"),
        ("appointment", time(11, 15)))),
    (("Flat viewing", "Flat handover"), "What to look at and what to ask.", (
        ("viewing day", 3), ("rent", 98000), ("agent", "Ms Farrow, second floor"),
        ("time of the viewing", time(17, 30)))),
)  # fmt: skip
PLANS = ("free", "plus", "team")
SHELVES = (
    ("Home and family", "Team shelf", "Handbook"),
    ("Personal", "Project room", "Club archive"),
    ("My desk", "Shared papers", "Old projects"),
    ("Notes to self", "Family board", "Rules and forms"),
)
WORDS = ("urgent", "money", "waiting", "idea", "someday")
VERSIONS = ((2, 340), (6, 150), (25, 60), (50, 410))  # days since it was saved, words then
OTHERS_FROM = 80  # the first people of the pool have accounts, those from here on have none
DAY_SLIP = 5  # days by which the second of a pair differs
DEAD = ("revoked", "expired")


def fact_of(w: Seeder, note: Note, spec: tuple, second: bool) -> None:
    """A fact of a note; the second note of a pair has a value of its own."""
    label, value = spec
    if isinstance(value, time):
        hour = value.hour + (1 if second else 0)
        w.add(NoteFact, note=note, label=label, kind="time", at_time=value.replace(hour=hour))
    elif isinstance(value, str):
        w.add(NoteFact, note=note, label=label, kind="text", wording=value)
    elif value < 100:
        day = w.today + timedelta(days=value + (DAY_SLIP if second else 0) + w.rng.randint(0, 9))
        w.add(NoteFact, note=note, label=label, kind="date", on_date=day)
    else:
        amount = value + w.rng.randrange(0, 60) * 50
        w.add(NoteFact, note=note, label=label, kind="amount", amount=amount)


def add_notebooks(w: Seeder, i: int, author: Author, names: list[str]) -> list[Notebook]:
    """A private and a shared one of their own; for every other author one that somebody else keeps
    or that is archived."""
    private, shared, third = SHELVES[i % len(SHELVES)]
    books = [
        w.add(Notebook, author=author, title=private, access="private", role="owner"),
        w.add(Notebook, author=author, title=shared, access="shared", role="owner"),
    ]
    keeper = names[(i + 7) % len(names)]
    if i % 8 in (0, 4):
        role = "viewer" if i % 8 else "editor"
        more = {"role": role, "kept_by": keeper, "access": "shared"}
        status = "open" if i % 8 else "archived"
        books.append(w.add(Notebook, author=author, title=third, status=status, **more))
    elif i % 8 in (2, 7):
        more = {"role": "owner", "access": "private", "status": "archived"}
        books.append(w.add(Notebook, author=author, title=third, **more))
    elif i % 8 == 5:
        more = {"role": "viewer", "kept_by": keeper, "access": "shared"}
        books.append(w.add(Notebook, author=author, title=third, **more))
    return books


def add_notes(w: Seeder, i: int, author: Author, books: list[Notebook]) -> list[Note]:
    """Three pairs of notes: two in the shared notebook, two in the private one, and two that are
    archived, out of reach or in the trash."""
    private, shared, last = books[0], books[1], books[-1]
    pairs = [PAIRS[(3 * i + 4 * (i // 4) + k) % len(PAIRS)] for k in range(3)]
    rng = w.rng
    short = (MIN_WORDS - 1, 64, 130, MIN_WORDS)[i % 4]
    plans = [
        {"notebook": shared, "status": "published", "word_count": rng.randint(420, 900)},
        {"notebook": shared, "status": "published", "locked": i % 3 == 0,
         "word_count": 1990 if i % 5 == 0 else rng.randint(90, 600)},
        {"notebook": private, "status": "draft", "word_count": short,
         "locked": i % 6 == 1},
        {"notebook": private, "status": "published", "word_count": rng.randint(150, 800)},
        {"notebook": last, "word_count": rng.randint(60, 500),
         "status": ("archived", "published", "draft", "archived")[i % 4]},
        {"notebook": private, "word_count": rng.randint(40, 700), "status": "trashed"},
    ]  # fmt: skip
    plans[0]["pinned"] = i % 2 == 0
    plans[3]["pinned"] = True
    plans[2]["pinned"] = i % 4 == 3
    if i % 3 != 2:
        plans[3] |= {"review_on": w.day(-3, 0), "review_step": 1 + i % 3}
    else:
        plans[3] |= {"review_on": w.day(1, 3), "review_step": 2}
    if i % 4 == 1:
        plans[0] |= {"review_on": w.day(-5, 0), "review_step": i % 4}
    plans[1] |= {"review_on": w.day(2, 6), "review_step": 2} if i % 4 == 3 else {}
    plans[2] |= {"review_on": w.day(-2, 0), "review_step": 0} if i % 4 == 2 else {}
    if i % 4 == 1:
        plans[3]["retained_until"] = w.day(20, 60)
    elif i % 4 == 2:
        plans[0]["retained_until"] = w.day(-30, -1)
    if i % 8 == 3:
        plans[4] |= {"notebook": private, "status": "trashed"}
    if i % 8 == 5:  # somebody else's notebook
        plans[5]["notebook"] = last
    if i % 8 == 1:
        plans[5] |= {"status": "purged", "word_count": 0}
    notes = []
    for j, plan in enumerate(plans):
        titles, about, specs = pairs[j // 2]
        if plan["status"] == "trashed":
            plan["purge_on"] = w.day(1, TRASH_DAYS - 1)
        plan["size_kb"] = 6 + plan["word_count"] // 60 if plan["status"] != "purged" else 0
        plan["summary"] = None if plan.get("locked") or plan["status"] == "purged" else about
        note = w.add(Note, author=author, title=titles[j % 2], updated_on=w.day(-60, -1), **plan)
        notes.append(note)
        number = 0 if plan.get("locked") else (2, 1, i % 2, 1, 1, 0)[j]
        if j == 0 and i % 4 == 1:
            number = MAX_FACTS
        first = (0, 1 + i % 3, 0, 0, i % 2, 0)[j]
        for spec in [*specs[first:], *specs[:first]][:number]:
            fact_of(w, note, spec, bool(j % 2))
    if i % 4 == 2:  # nearly full
        rest = author.quota_kb - FULL_BUT - used_kb(author)
        notes[5].size_kb += rest // 2
        notes[3].size_kb += rest - rest // 2
    return notes


def add_shares(w: Seeder, i: int, author: Author, notes: list[Note], people: list) -> None:
    """Live shares up to the limit of the plan for some, and ended ones."""
    colleague, guest = people
    wanted = MAX_SHARES[author.plan] if i % 4 == 0 else int(i % 8 != 6)
    options = [
        (note, person)
        for note in (notes[0], notes[3], notes[1])
        for person in (colleague, guest)
        if not note.locked and (person is colleague or no_amounts_for_guests.predicate(note))
    ]
    rest = options[wanted:]
    for k, (note, person) in enumerate(options[:wanted]):
        share(w, author, note, person, "active" if (i + k) % 3 else "offered", i + k)
    if i % 8 == 6:  # shared before it became a draft again
        share(w, author, notes[2], guest, "active", i)
    if i % 4 == 3:
        note, live = notes[0], readers(notes[0])[0]
        live.status, live.permission, note.edited_by = "active", "edit", colleague.name
    if i % 2 and rest:
        note, person = rest[0]
        share(w, author, note, person, DEAD[i // 2 % 2], i)


def share(w: Seeder, author: Author, note: Note, person: Collaborator, status: str, k: int) -> None:
    values = {"author": author, "note": note, "collaborator": person, "status": status}
    if person.affiliation == "team":
        permission = ("comment", "edit", "view")[k % 3]
        w.add(Share, permission=permission, offered_on=w.day(-40, -2), **values)
        return
    offered, length = (w.day(-80, -60), 14) if status in DEAD else (w.day(-12, -2), GUEST_DAYS - 8)
    expires = offered + timedelta(days=length)
    permission = ("view", "comment")[k % 2]
    w.add(Share, permission=permission, offered_on=offered, expires_on=expires, **values)


def add_tags(w: Seeder, i: int, author: Author, notes: list[Note]) -> None:
    """One in six has a note that is full of tags."""
    full = i % 6 == 0
    start = i % len(WORDS)
    words = [*WORDS[start:], *WORDS[:start]][: MAX_TAGS + 1 if full else 2]
    tags = [w.add(Tag, author=author, word=word) for word in words]
    for tag in tags[:MAX_TAGS] if full else tags[:1]:
        w.add(NoteTag, note=notes[0 if full else 2 + i % 2], tag=tag)


def add_revisions(w: Seeder, i: int, notes: list[Note]) -> None:
    """Versions of the first note, some of them under another title, in the order of their days; for
    some a version of a note under retention, or of one that they may only read."""
    ages = [VERSIONS[(i + k) % len(VERSIONS)] for k in range(1 + i % 2)]
    other = {1: notes[3], 5: notes[4], 3: notes[2]}.get(i % 8)
    if other is not None:
        past = {"past_title": other.title, "word_count": other.word_count + i + 1}
        w.add(Revision, note=other, number=1, saved_on=w.day(-5, -2), **past)
    for number, (age, words) in enumerate(sorted(ages, reverse=True), 1):
        title = notes[0].title if number == 1 else f"{notes[0].title} (old)"
        past = {"past_title": title, "word_count": words + i, "saved_on": w.day(-age, -age)}
        w.add(Revision, note=notes[0], number=number, **past)


@domain.seed
def seed(w: Seeder) -> None:
    number = max(8, w.scaled(24))
    beyond = w.scaled(OTHERS_FROM)
    people = w.people(beyond + number)
    people, others = people[:number], people[beyond:]
    names = [person.name for person in others]
    for i, person in enumerate(people):
        plan = PLANS[i % len(PLANS)]
        account = {"name": person.name, "email": person.email}
        author = w.add(Author, plan=plan, quota_kb=QUOTA_KB[plan], **account)
        known = []
        for k, affiliation in ((1, "team"), (3, "outside")):
            other = others[(i + k) % len(others)]
            values = {"name": other.name, "email": other.email, "affiliation": affiliation}
            known.append(w.add(Collaborator, author=author, **values))
        books = add_notebooks(w, i, author, names)
        notes = add_notes(w, i, author, books)
        add_shares(w, i, author, notes, known)
        add_tags(w, i, author, notes)
        add_revisions(w, i, notes)
        if i % 4 == 0:
            reason = ("billing", "complaint", "other")[i // 4 % 3]
            w.add(NotesEscalation, author=author, reason=reason, opened_at=w.moment(-40, -2))
