"""Pharmacy and reminders: medicines, and being reminded of them."""

from datetime import datetime, time

from davinci_env.compose import Composition
from davinci_env.domain import moves, sets

composition = Composition(
    "pharmacy_and_reminders",
    version=1,
    domains=["pharmacy_dispensing", "reminders_notifications"],
    today=datetime(2026, 4, 13, 9, 20),
    role="assistant in the customer account of the Lindenhof pharmacy, with its Nudge reminders",
    intro="""
    The pharmacy's account is joined with the customer's own reminders. A reminder can go with a
    prescription; both belong to the person who is signed in.
    """,
)
pharmacy, nudge = composition.modules
AHEAD = ("scheduled", "snoozed")

composition.link(
    "RefillReminder",
    pharmacy.Prescription,
    nudge.Reminder,
    said=["the reminder that goes with {it}", "the reminder I set for {it}"],
    back=["the prescription that {it} is about"],
    matches=lambda prescription, reminder: (
        prescription.status in ("active", "on_hold") and reminder.status in AHEAD
    ),
    note=lambda prescription, reminder: setattr(reminder, "about", prescription.medicine.title),
)


@composition.cross_rule(
    ["hold_prescription"],
    by="agent",
    because=["a reminder for it is still to come", "you would still be reminded of it"],
    concepts=[["reminder", "reminded"]],
    remedy="cancel_reminder",
)
def not_reminded_any_more(prescription) -> bool:
    """A prescription is put on hold only when no reminder for it is still to come: nobody should be
    reminded of what they are not to take."""
    return not any(pair.reminder.status in AHEAD for pair in prescription.refill_reminders)


@composition.on(
    pharmacy.Prescription,
    "cancelled",
    changes=[
        moves("prescription.refill_reminders.reminder", list(AHEAD), to="cancelled"),
        sets("prescription.refill_reminders.reminder", nudge.Reminder.snoozed_until),
    ],
)
def reminders_end(db, prescription) -> None:
    """When a prescription is cancelled, a reminder for it that is still to come is cancelled, too,
    unless it is bundled in a digest."""
    for reminder in (pair.reminder for pair in prescription.refill_reminders):
        if reminder.status in AHEAD and reminder.digest is None:
            nudge.cancel_reminder(db, reminder)


composition.transfer(
    "reschedule_reminder",
    "due_at",
    pharmacy.Prescription,
    "next_refill_on",
    said=[
        "nine in the morning on the day {it} can be refilled",
        "9 a.m. on the refill date of {it}",
    ],
    at=time(9),
)
