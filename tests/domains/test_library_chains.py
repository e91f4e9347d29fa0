"""What is blocked at the library until something else is done, and possible then."""

import itertools
from datetime import date

import pytest

from davinci_env.environment import open_environment
from tests.domains.library import (
    blocked_by,
    blockers,
    call,
    open_loans,
    owed,
    refusal,
    rows,
    shelf,
)

TODAY = date(2026, 3, 16)
SEEDS = [0, 1, 2]


@pytest.fixture
def env():
    environment = open_environment("library_lending")
    yield environment
    environment.close()


def pay_all(env, member, until: int = 0):
    for fine in member.fines:
        if fine.status == "open" and owed(member) > until:
            call(env, "pay_fine", fine_id=fine.id, amount=fine.amount - fine.paid)


def test_paying_lifts_the_block_on_borrowing_and_renewing(env):
    for tool in ("checkout_copy", "renew_loan"):
        env.reset()
        arguments = blocked_by(env, tool, "below_fine_block")[0]
        bound = env.bind(tool, arguments)
        member = bound["member"] if "member" in bound else bound["loan"].member
        assert refusal(env, tool, **arguments) == "below_fine_block"
        pay_all(env, member, until=999)
        assert owed(member) <= 999
        call(env, tool, **arguments)


def test_paying_and_waiving_lead_to_a_reinstated_card_and_that_to_a_loan(env):
    arguments = blocked_by(env, "reinstate_card", "owes_nothing")[0]
    member = env.row("members", arguments["member_id"])
    loan = {"member_id": member.id, "copy_id": shelf(env)[0].id}
    assert refusal(env, "checkout_copy", **loan) == "card_not_suspended"
    assert refusal(env, "reinstate_card", **arguments) == "owes_nothing"
    pay_all(env, member)
    call(env, "reinstate_card", **arguments)
    call(env, "checkout_copy", **loan)


def test_waiving_the_only_fine_leads_to_a_reinstated_card():
    for seed in range(10):
        env = open_environment("library_lending", seed=seed)
        for arguments in blocked_by(env, "reinstate_card", "owes_nothing"):
            member = env.row("members", arguments["member_id"])
            fines = [f for f in member.fines if f.status == "open"]
            waive = {"fine_id": fines[0].id, "reason": "illness"}
            if len(fines) == 1 and not blockers(env, "waive_fine", **waive):
                call(env, "waive_fine", **waive)
                call(env, "reinstate_card", **arguments)
                return
    pytest.fail("no seed has a suspended member with one waivable fine")


def test_renewing_the_card_leads_to_a_loan(env):
    arguments = blocked_by(env, "checkout_copy", "card_not_expired")[0]
    assert refusal(env, "checkout_copy", **arguments) == "card_not_expired"
    call(env, "renew_card", member_id=arguments["member_id"])
    call(env, "checkout_copy", **arguments)


def test_returning_one_leads_to_the_next_loan(env):
    arguments = blocked_by(env, "checkout_copy", "below_loan_limit")[0]
    assert refusal(env, "checkout_copy", **arguments) == "below_loan_limit"
    member = env.row("members", arguments["member_id"])
    call(env, "return_copy", loan_id=open_loans(member)[-1].id)
    call(env, "checkout_copy", **arguments)


def test_cancelling_a_hold_leads_to_another(env):
    arguments = blocked_by(env, "place_hold", "below_hold_limit")[0]
    assert refusal(env, "place_hold", **arguments) == "below_hold_limit"
    member = env.row("members", arguments["member_id"])
    call(env, "cancel_hold", hold_id=next(h.id for h in member.holds if h.status == "waiting"))
    call(env, "place_hold", **arguments)


def test_lending_the_last_copy_leads_to_a_hold(env):
    for arguments in blocked_by(env, "place_hold", "nothing_on_shelf"):
        book = env.row("books", arguments["isbn"])
        (copy, *more) = [c for c in book.copies if c.status == "available"]
        lend = next(
            (
                {"member_id": m.id, "copy_id": copy.id}
                for m in rows(env, "Member")
                if m.id != arguments["member_id"]
                and not blockers(env, "checkout_copy", member_id=m.id, copy_id=copy.id)
            ),
            None,
        )
        if not more and lend:
            call(env, "checkout_copy", **lend)
            call(env, "place_hold", **arguments)
            return
    pytest.fail("no book has one available copy")


def test_the_van_to_a_branch_is_full_with_three_copies(env):
    arguments = blocked_by(env, "transfer_copy", "room_in_van")[0]
    assert refusal(env, "transfer_copy", **arguments) in ("room_in_van", "same_branch")
    moving = rows(env, "Copy", status="in_transit")
    assert [copy.branch.id for copy in moving] == [arguments["branch_id"]] * 3


def test_sending_the_last_copy_leads_to_a_hold_on_it(env):
    for arguments in blocked_by(env, "place_hold", "nothing_on_shelf"):
        (copy, *more) = [c for c in shelf(env) if c.book.id == arguments["isbn"]]
        there = next(b for b in rows(env, "Branch", status="open") if b is not copy.branch).id
        sent = {"copy_id": copy.id, "branch_id": there}
        if not more and not blockers(env, "transfer_copy", **sent):
            call(env, "transfer_copy", **sent)
            call(env, "place_hold", **arguments)
            return
    pytest.fail("no book has one available copy that can travel")


def test_a_long_overdue_book_comes_back_before_the_next_loan_or_the_card(env):
    member = next(
        m
        for m in rows(env, "Member", status="active")
        if not blockers(env, "renew_card", member_id=m.id)
        and any(loan.due_on == date(2026, 3, 8) for loan in open_loans(m))
    )
    told = env.call("renew_card", {"member_id": member.id})
    assert "nothing_long_overdue" in told.violated
    env.reset()
    late = next(loan for loan in open_loans(member) if loan.due_on == date(2026, 3, 8))
    call(env, "return_copy", loan_id=late.id)
    told = env.call("renew_card", {"member_id": member.id})
    assert told.ok
    assert "nothing_long_overdue" not in told.violated


@pytest.mark.parametrize("same_edition", [True, False])
def test_returning_one_edition_leads_to_the_other_but_not_to_the_same(env, same_edition):
    for member, copy in itertools.product(rows(env, "Member"), shelf(env)):
        same = [x for x in open_loans(member) if x.copy.book.title == copy.book.title]
        wanted = [x for x in same if (x.copy.book is copy.book) == same_edition]
        loan = {"member_id": member.id, "copy_id": copy.id}
        if wanted and not blockers(env, "checkout_copy", **loan):
            assert "no_second_copy" in env.call("checkout_copy", loan).violated
            env.reset()
            call(env, "return_copy", loan_id=wanted[0].id)
            again = env.call("checkout_copy", loan).violated
            assert ("no_second_copy" in again) == same_edition
            return
    pytest.fail("nobody has a title of which another copy is in")
