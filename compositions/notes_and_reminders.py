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

composition.link(
    "NoteReminder",
    notes.Note,
    nudge.Reminder,
    said=["the reminder that goes with {it}", "the reminder I set for {it}"],
    back=["the note that {it} belongs to"],
    matches=lambda note, reminder: (
        note.status in ("draft", "published") and reminder.status in AHEAD
    ),
    note=lambda note, reminder: setattr(reminder, "about", note.title),
)


@composition.cross_rule(
    ["archive_note"],
    because=["there is still a reminder to come that goes with it"],
    concepts=[["reminder", "reminded"], ["come", "ahead", "still", "set"]],
    remedy="cancel_reminder",
)
def nothing_to_come(note) -> bool:
    """A note is archived only when no reminder that goes with it is still to come."""
    return not any(pair.reminder.status in AHEAD for pair in note.note_reminders)


@composition.cross_rule(
    {"complete_reminder": "reminder"},
    by="agent",
    because=["the note that it belongs to is still a draft", "its note isn't published yet"],
    concepts=[["note"], ["draft", "published", "publish"]],
    remedy="publish_note",
)
def note_is_finished(reminder) -> bool:
    """A reminder that goes with a note is ticked off only once that note is no draft any more."""
    return all(pair.note.status != "draft" for pair in reminder.note_reminders)


composition.transfer(
    "reschedule_reminder",
    "due_at",
    notes.NoteFact,
    "on_date",
    said=["nine in the morning on the day of {it}", "9 a.m. on the date of {it}"],
    at=time(9),
)
