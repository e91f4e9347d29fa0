"""Clinic, laboratory and pharmacy: a visit, the tests for it, and what was prescribed at it."""

from datetime import datetime, timedelta

from davinci_env.compose import Composition
from davinci_env.domain import moves

composition = Composition(
    "clinic_lab_pharmacy",
    version=1,
    domains=["clinic_appointments", "lab_orders", "pharmacy_dispensing"],
    today=datetime(2026, 4, 13, 9, 20),
    role="assistant in the joint portal of the Lindenhof practice, its laboratory and its pharmacy",
    intro="""
    Practice, laboratory and pharmacy answer in one portal. Tests are ordered for a visit, and what
    the pharmacy dispenses was prescribed at one. The practice's own prescriptions are renewed by
    its doctors; those of the pharmacy are filled at the counter.
    """,
)
clinic, lab, pharmacy = composition.modules
AHEAD = ("unconfirmed", "confirmed")
SEEN_DAYS = 60

composition.link(
    "VisitOrder",
    clinic.Appointment,
    lab.LabOrder,
    said=[
        "the lab order for {it}",
        "the lab order that goes with {it}",
        "the blood test order for {it}",
    ],
    back=["the visit that goes with {it}", "the appointment that goes with {it}"],
    matches=lambda visit, order: (
        visit.status in AHEAD
        and visit.visit_type.specialty != "physiotherapy"
        and order.status in ("ordered", "scheduled")
    ),
)
composition.link(
    "VisitPrescription",
    clinic.Appointment,
    pharmacy.Prescription,
    said=[
        "the medicine I was prescribed at {it}",
        "the prescription from {it}",
        "the prescription I was given at {it}",
    ],
    matches=lambda visit, rx: (
        visit.status == "completed"
        and visit.visit_type.specialty == "general_medicine"
        and visit.starts_at.date() <= rx.issued_on
        and rx.status in ("active", "on_hold")
    ),
    note=lambda visit, rx: setattr(rx, "prescriber", visit.slot.provider.name),
)


@composition.cross_rule(
    ["book_draw"],
    because=[
        "the visit that the tests are for hasn't been confirmed yet",
        "you haven't confirmed the visit that these tests belong to",
        "blood is drawn once the appointment it is for has been confirmed, and yours hasn't",
    ],
    concepts=[["visit", "appointment"], ["confirm", "confirmed", "confirmation"]],
    remedy="confirm_appointment",
    offers=["you could confirm the visit first", "the draw can be booked once you confirm"],
)
def visit_confirmed(lab_order) -> bool:
    """Blood is drawn for a visit only once the patient has confirmed that visit."""
    return all(pair.appointment.status != "unconfirmed" for pair in lab_order.visit_orders)


@composition.cross_rule(
    {"request_fill": "prescription", "request_part_fill": "prescription"},
    because=[
        "no doctor of the practice has seen you lately, and no visit is booked",
        "your last visit was more than {SEEN_DAYS} days ago, and none is ahead",
        "it was prescribed at the practice, which wants to have seen you within {SEEN_DAYS} days",
    ],
    concepts=[["doctor", "visit", "appointment", "seen"]],
    remedy="book_appointment",
    offers=["you could book a visit first", "it works as soon as a visit is booked"],
)
def seen_lately(db, prescription) -> bool:
    """What was prescribed at a visit is filled only for a patient who has a visit ahead, or was
    seen within the last {SEEN_DAYS} days."""
    if not prescription.visit_prescriptions:
        return True
    since = db.now - timedelta(days=SEEN_DAYS)
    visits = prescription.visit_prescriptions[0].appointment.patient.appointments
    return any(x.status in AHEAD or (x.status == "completed" and x.starts_at >= since)
               for x in visits)  # fmt: skip


@composition.on(
    clinic.Appointment,
    "cancelled",
    changes=[moves("appointment.visit_orders.lab_order", "ordered", to="cancelled")],
)
def tests_called_off(db, appointment) -> None:
    """When a visit is cancelled, the tests that were ordered for it and have no draw yet are called
    off with it."""
    for order in (pair.lab_order for pair in appointment.visit_orders):
        if order.status == "ordered":
            lab.cancel_order(db, order)
