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
    said=["the blood tests for {it}", "the tests that were ordered for {it}"],
    back=["the visit that {it} was ordered for"],
    matches=lambda visit, order: visit.status in AHEAD and order.status in ("ordered", "scheduled"),
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
    ["cancel_appointment"],
    by="agent",
    because=["a draw is still booked for the tests that belong to it"],
    concepts=[["draw", "blood", "tests"], ["booked", "still", "cancel", "first"]],
    remedy="cancel_draw",
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
