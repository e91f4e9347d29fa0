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

TOLD = ["the reminder for {it}", "the reminder that goes with {it}", "the reminder I set for {it}"]


def says(reminder, title, about) -> None:
    """The reminder names what it goes with."""
    reminder.title, reminder.about, reminder.category = title, about, "health"


composition.link(
    "VisitOrder",
    clinic.Appointment,
    lab.LabOrder,
    said=["the lab order for {it}", "the lab order that goes with {it}"],
    back=["the visit that goes with {it}", "the appointment that goes with {it}"],
    matches=lambda visit, order: (
        visit.status in TO_COME
        and visit.visit_type.specialty != "physiotherapy"
        and order.status in ("ordered", "scheduled")
    ),
)
composition.link(
    "VisitReminder",
    clinic.Appointment,
    nudge.Reminder,
    said=TOLD,
    back=["the visit that goes with {it}", "the appointment that goes with {it}"],
    matches=lambda visit, reminder: (
        visit.status in TO_COME
        and reminder.status in AHEAD
        and reminder.category in ("health", "family")
    ),
    note=lambda visit, reminder: says(
        reminder, f"Get ready for the {visit.visit_type.title}", visit.slot.provider.name
    ),
)
composition.link(
    "RefillReminder",
    pharmacy.Prescription,
    nudge.Reminder,
    said=TOLD,
    back=["the prescription that goes with {it}", "the prescription behind {it}"],
    matches=lambda rx, reminder: (
        rx.status in ("active", "on_hold")
        and reminder.status in AHEAD
        and reminder.category in ("work", "home")
    ),
    note=lambda rx, reminder: says(
        reminder, f"Order more {rx.medicine.substance}", rx.medicine.title
    ),
)


@composition.cross_rule(
    ["book_draw"],
    because=[
        "the visit that the tests are for hasn't been confirmed yet",
        "you haven't confirmed the visit that these tests belong to",
    ],
    concepts=[["visit", "appointment"], ["confirm", "confirmed", "confirmation"]],
    remedy="confirm_appointment",
    offers=["you could confirm the visit first"],
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
    offers=["you could drop that reminder first"],
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
    (clinic.Appointment, "starts_at", "the day and hour of {it}", None),
    (lab.LabOrder, "draw_at", "the day and hour of the draw for {it}", None),
    (pharmacy.Prescription, "next_refill_on", "the refill date of {it} (at 9 a.m.)", time(9)),
):
    composition.transfer("reschedule_reminder", "due_at", source, column, said=[said], at=at)
