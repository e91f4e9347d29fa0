"""Clinic, pharmacy and reminders: visits, medicines, and being reminded of both."""

from datetime import datetime, time

from davinci_env.compose import Composition
from davinci_env.domain import moves, sets

composition = Composition(
    "clinic_pharmacy_reminders",
    version=1,
    domains=["clinic_appointments", "pharmacy_dispensing", "reminders_notifications"],
    today=datetime(2026, 4, 13, 9, 20),
    role="health assistant of one person, in the portals of practice and pharmacy and in Nudge",
    intro="""
    The person's visits, medicines and reminders are kept in three places. Reminders go with visits;
    medicines were prescribed at them.
    """,
)
clinic, pharmacy, nudge = composition.modules
AHEAD = ("scheduled", "snoozed")

composition.link(
    "VisitReminder",
    clinic.Appointment,
    nudge.Reminder,
    said=["the reminder for {it}", "the reminder that goes with {it}"],
    back=["the visit that {it} is about"],
    matches=lambda visit, reminder: (
        visit.status in ("unconfirmed", "confirmed") and reminder.status in AHEAD
    ),
    note=lambda visit, reminder: setattr(reminder, "about", visit.visit_type.title),
)
composition.link(
    "VisitPrescription",
    clinic.Appointment,
    pharmacy.Prescription,
    said=["what I was prescribed at {it}", "the medicine from {it}"],
    matches=lambda visit, prescription: (
        visit.status == "completed" and prescription.status in ("active", "on_hold")
    ),
    note=lambda visit, rx: setattr(rx, "prescriber", visit.slot.provider.name),
)


@composition.cross_rule(
    {"complete_reminder": "reminder"},
    by="agent",
    because=["the visit that it is about hasn't been confirmed", "its visit is still unconfirmed"],
    concepts=[["visit", "appointment"], ["confirm", "confirmed", "unconfirmed"]],
    remedy="confirm_appointment",
)
def visit_is_settled(reminder) -> bool:
    """A reminder of a visit is ticked off only once that visit is no longer unconfirmed."""
    return all(pair.appointment.status != "unconfirmed" for pair in reminder.visit_reminders)


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
composition.transfer(
    "reschedule_reminder",
    "due_at",
    clinic.Appointment,
    "starts_at",
    said=["the very time of {it}", "the time when {it} begins"],
)
