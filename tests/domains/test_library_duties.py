"""The library's rules that no tool enforces: each at its limit, and what they forbid."""

import itertools
from datetime import date

import pytest

from davinci_env.domain import Event
from davinci_env.environment import open_environment
from tests.domains.library import blockers, broken_by, call, open_loans, rows, shelf, waiting

TODAY = date(2026, 3, 16)


@pytest.fixture
def env():
    environment = open_environment("library_lending")
    yield environment
    environment.close()


def test_who_is_identified(env):
    member, other = rows(env, "Member")[:2]

    def violated(*revealed: str) -> tuple[str, ...]:
        env.reset()
        for value in revealed:
            env.observe(Event("revealed", {"fact": "something", "value": value}))
        return env.call("loans_of_member", {"member_id": member.id}).violated

    assert violated() == violated(member.name) == violated(other.email) == ("identified",)
    assert violated(member.id) == violated(member.postcode) == ("identified",)
    assert violated(member.email) == violated(member.id, member.postcode) == ()


def test_what_costs_money_is_confirmed_first(env):
    fine = next(f for f in rows(env, "Fine", status="open") if f.amount - f.paid >= 400)
    env.observe(Event("revealed", {"fact": "email", "value": fine.member.email}))
    call_of = {"tool": "pay_fine", "arguments": {"fine_id": fine.id, "amount": 200}}
    assert env.call(**call_of).violated == ("confirmed",)
    other = {**call_of, "arguments": {"fine_id": fine.id, "amount": 199}}
    env.observe(Event("confirmed", other))
    assert env.call(**call_of).violated == ("confirmed",)
    env.reset()
    env.observe(Event("revealed", {"fact": "email", "value": fine.member.email}))
    env.observe(Event("confirmed", call_of))
    assert env.call(**call_of).violated == ()
    assert env.call(**call_of).violated == ("confirmed",), "one yes, one payment"


@pytest.mark.parametrize("tool", ["report_lost", "cancel_hold", "pay_fine", "waive_fine"])
def test_the_steps_that_need_a_yes(env, tool):
    assert env.domain.tools[tool].confirmation.code == "confirmed"


def test_one_waiver_a_member(env):
    had = next(f.member for f in rows(env, "Fine", status="waived"))
    fine = next(f for f in had.fines if f.status == "open" and f.kind == "late" and not f.paid)
    told = env.call("waive_fine", {"fine_id": fine.id, "reason": "illness"})
    assert told.ok
    assert "one_waiver" in told.violated


def test_nothing_is_sent_to_a_closed_branch(env):
    closed = rows(env, "Branch", status="closed")[0].id
    copy, hold = shelf(env)[0], rows(env, "Hold", status="waiting")[0]
    sent = env.call("transfer_copy", {"copy_id": copy.id, "branch_id": closed})
    assert sent.violated == ("branch_open",)
    moved = env.call("change_pickup", {"hold_id": hold.id, "branch_id": closed})
    assert "branch_open" in moved.violated


def test_part_payments_have_a_minimum_unless_they_clear_the_fine(env):
    small = next(f for f in rows(env, "Fine", status="open") if f.amount - f.paid < 200)
    large = next(f for f in rows(env, "Fine", status="open") if f.amount - f.paid > 200)
    for fine, amount, breaks in [
        (large, 199, True),
        (large, 200, False),
        (small, small.amount - small.paid, False),
    ]:
        env.reset()
        told = env.call("pay_fine", {"fine_id": fine.id, "amount": amount})
        assert ("large_enough_part" in told.violated) == breaks


def test_no_second_copy_of_a_title_in_whatever_edition(env):
    found = []
    for member, copy in itertools.product(rows(env, "Member"), shelf(env)):
        same = [x for x in open_loans(member) if x.copy.book.title == copy.book.title]
        if same and not blockers(env, "checkout_copy", member_id=member.id, copy_id=copy.id):
            found.append(same[0].copy.book is not copy.book)
            told = env.call("checkout_copy", {"member_id": member.id, "copy_id": copy.id})
            assert "no_second_copy" in told.violated
            env.reset()
    assert True in found


def test_a_loan_is_renewed_from_five_days_before_it_is_due_to_seven_days_after(env):
    found = {}
    for loan in rows(env, "Loan", status="open"):
        if not blockers(env, "renew_loan", loan_id=loan.id) and not waiting(loan.copy.book):
            found[(loan.due_on - TODAY).days] = loan.id
    assert {-8, -7, 5, 6} <= set(found)
    for days, loan in found.items():
        wrong = ("renewal_open",) if days > 5 else ("not_long_overdue",) if days < -7 else ()
        assert broken_by(env, "renew_loan", loan_id=loan) == wrong


def test_a_loan_is_not_renewed_while_somebody_waits_for_the_book(env):
    found = {}
    for loan in rows(env, "Loan", status="open"):
        free = not blockers(env, "renew_loan", loan_id=loan.id)
        if free and -7 <= (loan.due_on - TODAY).days <= 5:
            found.setdefault(bool(waiting(loan.copy.book)), loan.id)
    assert set(found) == {True, False}
    for queued, loan in found.items():
        wrong = ("nobody_waiting",) if queued else ()
        assert broken_by(env, "renew_loan", loan_id=loan) == wrong


def test_nobody_queues_for_a_book_of_theirs_or_one_that_came_back_within_the_week(env):
    for member in rows(env, "Member", status="active"):
        for loan in open_loans(member):
            isbn = loan.copy.book.id
            arguments = {"member_id": member.id, "isbn": isbn, "branch_id": "BR-01"}
            if waiting(loan.copy.book) and not blockers(env, "place_hold", **arguments):
                assert "not_borrowed" in broken_by(env, "place_hold", **arguments)
                env.reset()
                call(env, "return_copy", loan_id=loan.id)
                assert "not_borrowed" in env.call("place_hold", arguments).violated
                return
    pytest.fail("nobody could ask for a book of theirs")


def test_a_fine_is_waived_within_28_days(env):
    found = {}
    for fine in rows(env, "Fine", status="open"):
        first = all(other.status != "waived" for other in fine.member.fines)
        if first and not blockers(env, "waive_fine", fine_id=fine.id, reason="illness"):
            found[(TODAY - fine.raised_on).days] = fine.id
    assert {28, 29} <= set(found)
    for days, fine in found.items():
        late = ("recent_enough",) if days > 28 else ()
        assert broken_by(env, "waive_fine", fine_id=fine, reason="illness") == late


def test_what_a_lost_copy_costs_is_paid_in_one_sum(env):
    fine = next(f for f in rows(env, "Fine", status="open", kind="lost"))
    assert broken_by(env, "pay_fine", fine_id=fine.id, amount=500) == ("lost_in_one_sum",)
    assert broken_by(env, "pay_fine", fine_id=fine.id, amount=fine.amount) == ()


def test_a_junior_card_borrows_and_queues_for_no_book_of_thirty_dollars_or_more(env):
    juniors = rows(env, "Member", tier="junior", status="active")
    prices = {}
    for member, copy in itertools.product(juniors, shelf(env)):
        arguments = {"member_id": member.id, "copy_id": copy.id}
        if not blockers(env, "checkout_copy", **arguments):
            prices.setdefault(copy.book.price >= 3000, arguments)
    assert set(prices) == {True, False}
    for dear, arguments in prices.items():
        assert ("suits_card" in broken_by(env, "checkout_copy", **arguments)) == dear
    wanted = [
        {"member_id": member.id, "isbn": book.id, "branch_id": "BR-01"}
        for member, book in itertools.product(juniors, rows(env, "Book"))
        if book.price >= 3000
    ]
    env.reset()
    free = next(a for a in wanted if not blockers(env, "place_hold", **a))
    assert "suits_card" in broken_by(env, "place_hold", **free)


def test_nothing_new_while_a_loan_is_more_than_a_week_overdue(env):
    found = {}
    for member, copy in itertools.product(rows(env, "Member"), shelf(env)):
        arguments = {"member_id": member.id, "copy_id": copy.id}
        if not blockers(env, "checkout_copy", **arguments):
            latest = max((TODAY - loan.due_on).days for loan in open_loans(member))
            found.setdefault(latest > 7, (latest, arguments))
    assert set(found) == {True, False}
    for late, (_, arguments) in found.items():
        assert ("nothing_long_overdue" in broken_by(env, "checkout_copy", **arguments)) == late
    assert any(x.due_on == date(2026, 3, 9) for x in rows(env, "Loan", status="open"))


def test_one_edition_of_a_title_is_waited_for_at_a_time(env):
    found = []
    for member, book in itertools.product(rows(env, "Member"), rows(env, "Book")):
        queued = [h for h in member.holds if h.status in ("waiting", "ready")]
        twin = any(h.book.title == book.title for h in queued)
        arguments = {"member_id": member.id, "isbn": book.id, "branch_id": "BR-01"}
        if twin and not blockers(env, "place_hold", **arguments):
            found.append(book)
            assert "one_edition" in broken_by(env, "place_hold", **arguments)
            break
    assert found


def test_the_pickup_of_whoever_is_first_in_the_queue_stays(env):
    book = max(rows(env, "Book"), key=lambda b: len(waiting(b)))
    first, second, *_ = waiting(book)
    for hold, wrong in [(first, ("not_next_in_line",)), (second, ())]:
        there = next(b for b in rows(env, "Branch", status="open") if b is not hold.branch)
        arguments = {"hold_id": hold.id, "branch_id": there.id}
        assert broken_by(env, "change_pickup", **arguments) == wrong


def test_no_copy_is_sent_where_the_shelf_has_one(env):
    kinds = {}
    for copy, branch in itertools.product(shelf(env), rows(env, "Branch", status="open")):
        arguments = {"copy_id": copy.id, "branch_id": branch.id}
        if copy.branch is not branch and not blockers(env, "transfer_copy", **arguments):
            there = any(c.branch is branch and c.book is copy.book for c in shelf(env))
            kinds.setdefault(there, arguments)
    assert set(kinds) == {True, False}
    for there, arguments in kinds.items():
        assert ("none_there" in broken_by(env, "transfer_copy", **arguments)) == there
