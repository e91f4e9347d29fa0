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


def about_medicine(prescription, reminder) -> None:
    """The reminder says what it goes with."""
    medicine = prescription.medicine
    reminder.title, reminder.category = f"Order more {medicine.substance}", "health"
    reminder.about = medicine.title


composition.link(
    "RefillReminder",
    pharmacy.Prescription,
    nudge.Reminder,
    said=[
        "the reminder for {it}",
        "the reminder that goes with {it}",
        "the reminder I set for {it}",
    ],
    back=["the prescription that goes with {it}", "the prescription behind {it}"],
    matches=lambda prescription, reminder: (
        prescription.status in ("active", "on_hold")
        and reminder.status in AHEAD
        and reminder.category != "bills"
    ),
    note=about_medicine,
)


@composition.cross_rule(
    ["hold_prescription"],
    by="agent",
    because=[
        "a reminder for it is still to come",
        "you would still be reminded of it",
        "there's a reminder set for it in Nudge",
    ],
    concepts=[["reminder", "reminded"]],
    remedy="cancel_reminder",
    offers=["the reminder could be cancelled first", "you could drop that reminder first"],
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
        "the refill date of {it} (at 9 a.m.)",
        "the day on which {it} can be refilled (at nine in the morning)",
    ],
    at=time(9),
)
