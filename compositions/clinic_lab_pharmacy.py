"""Clinic, laboratory and pharmacy: a visit, the tests for it, and what was prescribed at it."""

from datetime import datetime

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
        "an invoice of the practice is overdue",
        "you have a bill of the practice to pay first",
        "the practice that prescribed it still waits for an invoice of yours to be paid",
    ],
    concepts=[["invoice", "bill"], ["overdue", "pay", "paid", "open", "due"]],
    remedy="pay_invoice",
    offers=["you could pay that invoice first", "it works as soon as the invoice is paid"],
)
def practice_is_paid(db, prescription) -> bool:
    """What was prescribed at a visit is not filled while an invoice of the practice is overdue."""
    visits = [pair.appointment for pair in prescription.visit_prescriptions]
    invoices = visits[0].patient.invoices if visits else ()
    return not any(x.status == "open" and x.due_on < db.today for x in invoices)


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
