"""Clinic, notes, contacts and reminders: a person's visits among all that they keep in mind."""

from datetime import datetime, time

from davinci_env.compose import Composition
from davinci_env.domain import moves, sets

composition = Composition(
    "clinic_notes_contacts_reminders",
    version=1,
    domains=[
        "clinic_appointments",
        "notes_knowledge",
        "contacts_identity",
        "reminders_notifications",
    ],
    today=datetime(2026, 4, 13, 8, 45),
    role="personal assistant of one person, with the practice's portal, notes, contacts and Nudge",
    intro="""
    The person's visits to the Lindenhof practice are kept in its portal; what they want to ask
    there stands in notes, who may read along is in the address book, and reminders go with visits.
    """,
)
clinic, notes, book, nudge = composition.modules
AHEAD = ("scheduled", "snoozed")
TO_COME = ("unconfirmed", "confirmed")


def same_person(contact, collaborator) -> None:
    for note in collaborator.author.notes:
        if note.edited_by == collaborator.name:
            note.edited_by = contact.display_name
    collaborator.name, collaborator.email = contact.display_name, contact.email


composition.link(
    "VisitNote",
    clinic.Appointment,
    notes.Note,
    said=["the note I made for {it}", "my note for {it}"],
    back=["the visit that {it} is for"],
    matches=lambda visit, note: visit.status in TO_COME and note.status in ("draft", "published"),
)
composition.link(
    "VisitReminder",
    clinic.Appointment,
    nudge.Reminder,
    said=["the reminder for {it}", "the reminder that goes with {it}"],
    matches=lambda visit, reminder: visit.status in TO_COME and reminder.status in AHEAD,
    note=lambda visit, reminder: setattr(reminder, "about", visit.visit_type.title),
)
composition.link(
    "KnownCollaborator",
    book.Contact,
    notes.Collaborator,
    said=["the collaborator who is {it} in my address book"],
    matches=lambda contact, collaborator: contact.status == "active" and contact.email is not None,
    note=same_person,
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
    ["archive_note"],
    by="agent",
    because=["the visit that it is for is still to come", "you may need it at the visit"],
    concepts=[["visit", "appointment"]],
    remedy="cancel_appointment",
)
def visit_is_over(note) -> bool:
    """A note for a visit is not archived while that visit is still to come."""
    return not any(pair.appointment.status in TO_COME for pair in note.visit_notes)


@composition.on(
    clinic.Appointment,
    "cancelled",
    changes=[
        moves("appointment.visit_reminders.reminder", list(AHEAD), to="cancelled"),
        sets("appointment.visit_reminders.reminder", nudge.Reminder.snoozed_until),
    ],
)
def reminders_end(db, appointment) -> None:
    """When a visit is cancelled, a reminder of it that is still to come is cancelled, too, unless
    it is bundled in a digest."""
    for reminder in (pair.reminder for pair in appointment.visit_reminders):
        if reminder.status in AHEAD and reminder.digest is None:
            nudge.cancel_reminder(db, reminder)


for source, column, said, at in (
    (clinic.Appointment, "starts_at", "the time when {it} begins", None),
    (notes.NoteFact, "on_date", "9 a.m. on the date of {it}", time(9)),
):
    composition.transfer("reschedule_reminder", "due_at", source, column, said=[said], at=at)
