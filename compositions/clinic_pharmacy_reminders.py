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


def about_visit(visit, reminder) -> None:
    """The reminder says what it goes with."""
    kind = visit.visit_type.title
    reminder.title, reminder.category = f"Get ready for the {kind}", "health"
    reminder.about = f"{kind} with {visit.slot.provider.name}"


composition.link(
    "VisitReminder",
    clinic.Appointment,
    nudge.Reminder,
    said=["the reminder for {it}", "the reminder I set for {it}"],
    back=["the visit that goes with {it}", "the appointment that goes with {it}"],
    matches=lambda visit, reminder: (
        visit.status in ("unconfirmed", "confirmed")
        and reminder.status in AHEAD
        and reminder.category != "bills"
    ),
    note=about_visit,
)
composition.link(
    "VisitPrescription",
    clinic.Appointment,
    pharmacy.Prescription,
    said=["the medicine I was prescribed at {it}", "the prescription from {it}"],
    matches=lambda visit, rx: (
        visit.status == "completed"
        and visit.visit_type.specialty == "general_medicine"
        and visit.starts_at.date() <= rx.issued_on
        and rx.status in ("active", "on_hold")
    ),
    note=lambda visit, rx: setattr(rx, "prescriber", visit.slot.provider.name),
)


@composition.cross_rule(
    {"complete_reminder": "reminder"},
    by="agent",
    because=[
        "the visit that it is about hasn't been confirmed",
        "its visit is still unconfirmed",
        "it is about an appointment that you haven't confirmed yet",
    ],
    concepts=[["visit", "appointment"], ["confirm", "confirmed", "unconfirmed"]],
    remedy="confirm_appointment",
    offers=["you could confirm the visit first", "it works once you confirm the visit"],
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
        "the refill date of {it} (at 9 a.m.)",
        "the day on which {it} can be refilled (at nine in the morning)",
    ],
    at=time(9),
)
composition.transfer(
    "reschedule_reminder",
    "due_at",
    clinic.Appointment,
    "starts_at",
    said=["the day and hour of {it}", "the day and time when {it} begins"],
)
