"""Notes, contacts and reminders: one person's papers, people and plans."""

from datetime import datetime, time

from davinci_env.compose import Composition

composition = Composition(
    "notes_contacts_reminders",
    version=1,
    domains=["notes_knowledge", "contacts_identity", "reminders_notifications"],
    today=datetime(2026, 6, 9, 9, 10),
    role="personal assistant in the notes, the address book and the reminders of one person",
    intro="""
    Three apps belong to the same person. Notes say when something is due, the address book says
    who somebody is and what they have agreed to, reminders see to it that nothing is missed.
    """,
)
notes, book, nudge = composition.modules


def same_person(contact, collaborator) -> None:
    for note in collaborator.author.notes:
        if note.edited_by == collaborator.name:
            note.edited_by = contact.display_name
    collaborator.name, collaborator.email = contact.display_name, contact.email


composition.link(
    "KnownCollaborator",
    book.Contact,
    notes.Collaborator,
    said=["the collaborator who is {it} in my address book"],
    matches=lambda contact, collaborator: contact.status == "active" and contact.email is not None,
    note=same_person,
)
composition.link(
    "NoteReminder",
    notes.Note,
    nudge.Reminder,
    said=["the reminder that goes with {it}", "the reminder I set for {it}"],
    back=["the note that {it} belongs to"],
    matches=lambda note, reminder: (
        note.status in ("draft", "published") and reminder.status in ("scheduled", "snoozed")
    ),
    note=lambda note, reminder: setattr(reminder, "about", note.title),
)


@composition.cross_rule(
    {"share_note": "collaborator", "invite_guest": "collaborator"},
    because=["they haven't agreed to anything in your address book", "no consent of theirs stands"],
    concepts=[["consent", "agreed", "agreement", "permission"]],
    remedy="record_consent",
)
def has_agreed(collaborator) -> bool:
    """A note is shared with somebody of the address book only if a consent of theirs is granted
    there, whatever it is for."""
    contacts = [pair.contact for pair in collaborator.known_collaborators]
    return all(any(c.status == "granted" for c in contact.consents) for contact in contacts)


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
composition.transfer(
    "change_date",
    "on_date",
    book.Consent,
    "runs_out_on",
    said=["the day {it} runs out", "the last day of {it}"],
)
