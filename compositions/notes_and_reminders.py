"""Notes and reminders: what is written down, and what one is reminded of."""

from datetime import datetime, time

from davinci_env.compose import Composition

composition = Composition(
    "notes_and_reminders",
    version=1,
    domains=["notes_knowledge", "reminders_notifications"],
    today=datetime(2026, 6, 9, 8, 20),
    role="personal assistant in the Quillbox notes and the Nudge reminders of one person",
    intro="""
    Notes hold the dates, reminders act on them. A reminder can go with a note; what happens to the
    one has to be thought of in the other.
    """,
)
notes, nudge = composition.modules
AHEAD = ("scheduled", "snoozed")


def about_note(note, reminder) -> None:
    """The reminder says what it goes with."""
    reminder.title = f"Go over {note.title}"
    reminder.about = note.title


composition.link(
    "NoteReminder",
    notes.Note,
    nudge.Reminder,
    said=[
        "the reminder for {it}",
        "the reminder that goes with {it}",
        "the reminder I set for {it}",
    ],
    back=["the note that goes with {it}", "the note behind {it}"],
    matches=lambda note, reminder: (
        note.status in ("draft", "published")
        and reminder.status in AHEAD
        and reminder.category in ("work", "family", "home")
    ),
    note=about_note,
)


@composition.cross_rule(
    ["archive_note"],
    because=[
        "there is still a reminder to come that goes with it",
        "a reminder that goes with it is still ahead",
        "you would still be reminded of it, as something is set in Nudge",
    ],
    concepts=[["reminder", "reminded"], ["come", "ahead", "still", "set"]],
    remedy="cancel_reminder",
    offers=["the reminder could be cancelled first", "you could drop that reminder first"],
)
def nothing_to_come(note) -> bool:
    """A note is archived only when no reminder that goes with it is still to come."""
    return not any(pair.reminder.status in AHEAD for pair in note.note_reminders)


@composition.cross_rule(
    {"complete_reminder": "reminder"},
    by="agent",
    because=[
        "the note that it goes with is still a draft",
        "the note that it is about isn't published yet",
        "it is about a note that is still among your drafts",
    ],
    concepts=[["note"], ["draft", "published", "publish"]],
    remedy="publish_note",
    offers=["you could publish the note first", "it works once the note is published"],
)
def note_is_finished(reminder) -> bool:
    """A reminder that goes with a note is ticked off only once that note is no draft any more."""
    return all(pair.note.status != "draft" for pair in reminder.note_reminders)


composition.transfer(
    "reschedule_reminder",
    "due_at",
    notes.NoteFact,
    "on_date",
    said=["{it} (at 9 a.m.)", "{it} (at nine in the morning)"],
    at=time(9),
)
