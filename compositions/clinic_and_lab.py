"""Clinic and laboratory: a practice's appointments, and the blood tests that its visits need."""

from datetime import datetime

from davinci_env.compose import Composition
from davinci_env.domain import moves

composition = Composition(
    "clinic_and_lab",
    version=1,
    domains=["clinic_appointments", "lab_orders"],
    today=datetime(2026, 4, 13, 8, 45),
    role="assistant in the joint portal of the Lindenhof practice and the Brackwater laboratory",
    intro="""
    The practice and the laboratory answer in one portal. Tests are ordered for a visit, so that the
    doctor has the values at hand: what is changed about the visit concerns the tests as well.
    """,
    roles={"clinic_appointments": "a patient of the practice", "lab_orders": "the person tested"},
)
clinic, lab = composition.modules
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
    ["cancel_appointment"],
    by="agent",
    because=[
        "a draw is still booked for the tests that belong to it",
        "the blood draw for its tests would still be in the book, and has to be cancelled first",
        "you're still expected at a booked draw for the tests of that visit",
    ],
    concepts=[["draw", "blood", "tests"], ["booked", "still", "cancel", "first"]],
    remedy="cancel_draw",
    offers=["the draw could be cancelled first", "you could give the draw back first"],
)
def no_draw_left(appointment) -> bool:
    """A visit is not cancelled while a draw is booked for its tests: cancel the draw first, so that
    nobody fasts and travels for nothing."""
    return not any(pair.lab_order.status == "scheduled" for pair in appointment.visit_orders)


@composition.on(
    clinic.Appointment,
    "cancelled",
    changes=[moves("appointment.visit_orders.lab_order", "ordered", to="cancelled")],
)
def tests_called_off(db, appointment) -> None:
    """When a visit is cancelled, the tests that were ordered for it and have no draw yet are called
    off with it."""
    for pair in appointment.visit_orders:
        if pair.lab_order.status == "ordered":
            lab.cancel_order(db, pair.lab_order)
