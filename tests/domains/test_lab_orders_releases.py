"""The results portal of the laboratory: releases to doctors, invoices and cases."""

import pytest

from davinci_env.environment import Event
from tests.domains.results_portal import NOW, Portal


@pytest.fixture
def portal():
    return Portal()


def reported(portal, condition=lambda o: True):
    return portal.find(
        "LabOrder", lambda o: o.status == "reported" and condition(o)
        and all(r.released for t in o.ordered_tests for r in t.lab_results),
    )  # fmt: skip


def live(order):
    return [s for s in order.result_shares if s.status == "active"]


def test_a_report_is_released_to_two_doctors_at_most(portal):
    order = reported(portal, lambda o: len(live(o)) == 2)
    have = {s.referring_doctor for s in live(order)}
    third = next(d for d in portal.rows("ReferringDoctor") if d.secure_mailbox and d not in have)
    call = {"labOrderId": order.id, "referringDoctorId": third.id, "days": 30}
    assert portal.refused("share_report", **call) == "shares_left"
    portal.ok("revoke_share", resultShareId=live(order)[0].id)
    assert portal.ok("share_report", **call)["expiresOn"] == "05/13/2026"
    assert portal.refused("share_report", **call) == "not_shared_with"


def test_a_release_needs_a_mailbox_a_whole_report_and_the_date_of_birth(portal):
    order = reported(portal, lambda o: not live(o))
    doctors = portal.rows("ReferringDoctor")
    unreached = next(d for d in doctors if not d.secure_mailbox)
    good = next(d for d in doctors if d.secure_mailbox)
    call = {"labOrderId": order.id, "referringDoctorId": unreached.id, "days": 14}
    assert portal.refused("share_report", **call) == "reached_securely"
    call["referringDoctorId"] = good.id
    snapshot = portal.env.snapshot()
    assert set(portal.violated("share_report", **call)) == {"agreed", "born_on"}
    portal.env.restore(snapshot)
    born = order.subject.birth_date.strftime("%m/%d/%Y")
    portal.env.observe(Event("revealed", {"fact": "birth_date", "value": born}))
    portal.confirm("share_report", **call)
    assert "agreed" not in portal.violated("share_report", **call)
    part = portal.find("LabOrder", lambda o: o.status == "reported" and any(
        not r.released for t in o.ordered_tests for r in t.lab_results))  # fmt: skip
    call["labOrderId"] = part.id
    assert portal.refused("share_report", **call) == "report_complete"


def test_invoices_are_settled_in_full_and_the_overdue_one_first(portal):
    late = portal.find("LabInvoice", lambda i: i.status == "open" and i.due_on < NOW.date())
    subject = late.subject
    unpaid = [i for i in subject.lab_invoices if i.status == "open"]
    state = portal.ok("account_state")
    assert state["openAmount"] == sum(i.amount for i in unpaid)
    assert state["overdue"] == sum(i.amount for i in unpaid if i.due_on < NOW.date())
    data = portal.ok("settle_invoices", labInvoiceIds=[late.id])
    assert data == {"paid": late.amount, "left": sum(i.amount for i in unpaid) - late.amount}
    assert portal.refused("settle_invoices", labInvoiceIds=[late.id]) == "still_to_pay"


def test_paying_past_an_overdue_invoice_is_a_breach(portal):
    subject = portal.find(
        "Subject", lambda s: {i.due_on < NOW.date() for i in s.lab_invoices if i.status == "open"}
        == {True, False},
    )  # fmt: skip
    later = next(
        i for i in subject.lab_invoices if i.status == "open" and i.due_on >= NOW.date()
    )  # fmt: skip
    assert "overdue_first" in portal.violated("settle_invoices", labInvoiceIds=[later.id])


def test_one_card_payment_has_its_limit(portal):
    subject = portal.find("Subject", lambda s: sum(
        i.amount for i in s.lab_invoices if i.status == "open") > 4000)  # fmt: skip
    bills = [i.id for i in subject.lab_invoices if i.status == "open"]
    assert portal.refused("settle_invoices", labInvoiceIds=bills) == "within_card_limit"


def test_a_case_goes_to_its_team_once(portal):
    portal.find("Subject", lambda s: not s.lab_escalations)
    data = portal.ok("escalate", reason="result_meaning")
    assert (data["team"], data["status"]) == ("duty_physician", "open")
    assert portal.refused("escalate", reason="result_meaning") == "not_with_us_yet"
    assert portal.ok("escalate", reason="billing_dispute")["team"] == "billing_office"
