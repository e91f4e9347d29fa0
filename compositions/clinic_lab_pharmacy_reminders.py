"""Clinic, laboratory, pharmacy and reminders: everything about one person's treatment."""

from datetime import datetime, time

from davinci_env.compose import Composition
from davinci_env.domain import moves, sets

composition = Composition(
    "clinic_lab_pharmacy_reminders",
    version=1,
    domains=[
        "clinic_appointments",
        "lab_orders",
        "pharmacy_dispensing",
        "reminders_notifications",
    ],
    today=datetime(2026, 4, 13, 9, 20),
    role="health assistant of one person, with practice, laboratory, pharmacy and Nudge",
    intro="""
    Visits, tests, medicines and reminders are kept in four places, and belong to the person who is
    signed in. Tests are ordered for visits, and reminders go with visits and with medicines.
    """,
)
clinic, lab, pharmacy, nudge = composition.modules
AHEAD = ("scheduled", "snoozed")
TO_COME = ("unconfirmed", "confirmed")

composition.link(
    "VisitOrder",
    clinic.Appointment,
    lab.LabOrder,
    said=["the blood tests for {it}", "the tests that were ordered for {it}"],
    matches=lambda visit, order: (
        visit.status in TO_COME and order.status in ("ordered", "scheduled")
    ),
)
composition.link(
    "VisitReminder",
    clinic.Appointment,
    nudge.Reminder,
    said=["the reminder for {it}", "the reminder that goes with {it}"],
    matches=lambda visit, reminder: (
        visit.status in TO_COME and reminder.status in AHEAD and reminder.category == "health"
    ),
    note=lambda visit, reminder: setattr(reminder, "about", visit.visit_type.title),
)
composition.link(
    "RefillReminder",
    pharmacy.Prescription,
    nudge.Reminder,
    said=["the reminder that goes with {it}", "the reminder I set for {it}"],
    matches=lambda prescription, reminder: (
        prescription.status in ("active", "on_hold")
        and reminder.status in AHEAD
        and reminder.category != "health"
    ),
    note=lambda prescription, reminder: setattr(reminder, "about", prescription.medicine.title),
)


@composition.cross_rule(
    ["book_draw"],
    because=["the visit that the tests are for hasn't been confirmed yet"],
    concepts=[["visit", "appointment"], ["confirm", "confirmed", "confirmation"]],
    remedy="confirm_appointment",
)
def visit_confirmed(lab_order) -> bool:
    """Blood is drawn for a visit only once the patient has confirmed that visit."""
    return all(pair.appointment.status != "unconfirmed" for pair in lab_order.visit_orders)


@composition.cross_rule(
    ["hold_prescription"],
    by="agent",
    because=["a reminder for it is still to come", "you would still be reminded of it"],
    concepts=[["reminder", "reminded"]],
    remedy="cancel_reminder",
)
def not_reminded_any_more(prescription) -> bool:
    """A prescription is put on hold only when no reminder for it is still to come."""
    return not any(pair.reminder.status in AHEAD for pair in prescription.refill_reminders)


@composition.on(
    clinic.Appointment,
    "cancelled",
    changes=[
        moves("appointment.visit_orders.lab_order", "ordered", to="cancelled"),
        moves("appointment.visit_reminders.reminder", list(AHEAD), to="cancelled"),
        sets("appointment.visit_reminders.reminder", nudge.Reminder.snoozed_until),
    ],
)
def visit_is_off(db, appointment) -> None:
    """When a visit is cancelled, its tests are called off unless a draw is booked, and a reminder
    of it that is still to come is cancelled unless it is bundled in a digest."""
    for order in (pair.lab_order for pair in appointment.visit_orders):
        if order.status == "ordered":
            lab.cancel_order(db, order)
    for reminder in (pair.reminder for pair in appointment.visit_reminders):
        if reminder.status in AHEAD and reminder.digest is None:
            nudge.cancel_reminder(db, reminder)


for source, column, said, at in (
    (clinic.Appointment, "starts_at", "the time when {it} begins", None),
    (lab.LabOrder, "draw_at", "the time of the draw for {it}", None),
    (pharmacy.Prescription, "next_refill_on", "9 a.m. on the refill date of {it}", time(9)),
):
    composition.transfer("reschedule_reminder", "due_at", source, column, said=[said], at=at)
