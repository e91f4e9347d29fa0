"""Undoing: which writes of the shipped domains take others back, and which settle a row."""

import pytest

from davinci_env.domain import load
from davinci_env.planning.undoing import settles, takes_back, wipes_out

PAIRS = [
    ("clinic_appointments", "book_appointment", "cancel_appointment", True),
    ("clinic_appointments", "confirm_appointment", "cancel_appointment", True),
    ("clinic_appointments", "join_waitlist", "leave_waitlist", True),
    # confirming is no way to think again about a booking
    ("clinic_appointments", "book_appointment", "confirm_appointment", False),
    # a visit that was moved was booked before, too
    ("clinic_appointments", "reschedule_appointment", "cancel_appointment", False),
    ("library_lending", "place_hold", "cancel_hold", True),
    ("library_lending", "checkout_copy", "return_copy", True),
    # to pay for a loss is not to find the book
    ("library_lending", "report_lost", "pay_fine", False),
    ("library_lending", "pay_fine", "waive_fine", False),
    ("library_lending", "cancel_hold", "place_hold", False),
    ("order_management", "request_return", "cancel_return", True),
    ("order_management", "apply_coupon", "remove_coupon", True),
    ("order_management", "add_order_line", "remove_order_line", True),
    ("order_management", "remove_coupon", "apply_coupon", False),
    ("order_management", "set_line_quantity", "remove_order_line", False),
    ("order_management", "change_delivery_address", "clear_hold", False),
    ("order_management", "cancel_order", "cancel_order", False),
]


@pytest.mark.parametrize(("domain", "done", "back", "expected"), PAIRS)
def test_what_takes_back_what(domain: str, done: str, back: str, expected: bool) -> None:
    tools = load(domain).tools
    first, second = tools[done], tools[back]
    assert (takes_back(first, second) or wipes_out(first, second)) is expected


def test_what_settles_a_row() -> None:
    library = load("library_lending")
    loan, hold = library.entities["Loan"], library.entities["Hold"]
    assert settles(library.tools["return_copy"], loan)
    assert settles(library.tools["cancel_hold"], hold)
    assert not settles(library.tools["cancel_hold"], loan)
    assert not settles(library.tools["renew_loan"], loan), "it stays on loan"
    assert not settles(library.tools["report_lost"], loan), "that is bad news"
