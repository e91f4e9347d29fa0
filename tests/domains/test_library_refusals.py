"""Refusals of the library in a colleague's words, each recognised as its rule and as no other."""

import pytest

from davinci_env.domain import Domain, Rule, load
from davinci_env.verify import rule_named

REFUSALS = [
    (
        "card_not_suspended",
        "I can't place the reservation: your membership has been put on suspension.",
    ),
    (
        "card_not_suspended",
        "I'm unable to renew the book because your account is under suspension.",
    ),
    (
        "card_not_suspended",
        "First the suspension has to go from your card; until then I can't reserve it.",
    ),
    ("card_not_expired", "Sorry, I can't renew it, your card is out of date since March 4."),
    ("card_not_expired", "I can't do that, your library card isn't valid any more."),
    ("card_not_expired", "I can't lend it to you, the card's last day was March 4."),
    (
        "below_loan_limit",
        "I can't check it out, since you have your full quota of five books at home.",
    ),
    ("below_loan_limit", "I'd like to, but your card is maxed out with five loans, so I can't."),
    ("below_fine_block", "I can't lend it to you while you owe $12.50; it has to be under $10.00."),
    ("below_fine_block", "Since your unpaid fines are at $10.00 or more, I can't renew anything."),
    ("below_fine_block", "I can't do the renewal, your fines have passed the $10.00 mark."),
    ("copy_free_for", "I can't hand it out, this copy is promised to someone else."),
    ("copy_free_for", "This copy is set aside for a reader ahead of you, so I can't lend it."),
    ("copy_free_for", "I can't let it go, another person's hold is on that copy."),
    ("renewals_left", "I can't renew it again because it's been renewed twice already."),
    ("renewals_left", "There are no renewals left on that book, so I'm unable to extend it."),
    ("renewals_left", "I'm sorry, I can't give you more time, you have had both extensions."),
    ("below_hold_limit", "You're at your limit for reservations, so I can't place one more."),
    (
        "below_hold_limit",
        "You have as many reservations as a patron card may have, so I can't place it.",
    ),
    (
        "below_hold_limit",
        "I can't queue you up for a fourth book, three holds is the limit for juniors.",
    ),
    (
        "nothing_on_shelf",
        "I can't place a hold on it, there's one sitting on the shelf at Northgate.",
    ),
    (
        "nothing_on_shelf",
        "It isn't checked out, so I can't place a hold: Ropewalk has it on its shelf.",
    ),
    ("not_queued", "I can't add you again, you're on the waiting list for that book."),
    ("not_queued", "You have a reservation for this title already, so I can't make another."),
    ("not_queued", "I can't place it since there is a hold on that book in your name."),
    ("within_open_amount", "I can't take $5.00, only $3.25 is outstanding on that fine."),
    ("within_open_amount", "That's more than you owe on it, so I can't accept the payment."),
    ("within_open_amount", "I can't book that amount, it goes beyond what is left to pay."),
    ("waivable", "I can't waive it, as it's for a lost book and only late fees can be waived."),
    ("waivable", "I'm sorry, that fine is over $5.00, so I can't waive it."),
    ("waivable", "Because you've paid some of it already, I can't waive the rest."),
    ("owes_nothing", "I can't reinstate your card as long as there's money owed on it."),
    ("owes_nothing", "There's still $2.00 open on your account, so I can't lift the suspension."),
    ("owes_nothing", "I can't unblock the card before your fines are paid in full."),
    ("room_in_van", "I can't send it to Saltmarsh, the van has its three copies for that branch."),
    ("room_in_van", "There's no more space on the van to Saltmarsh, so I can't send it."),
    ("room_in_van", "I can't add it to the van, which is full with three copies for Saltmarsh."),
    ("identified", "I'm not able to look into somebody else's account."),
    ("identified", "I can't help with that account unless its owner proves who they are."),
    ("one_waiver", "I can't waive this one, every member gets a single waiver and yours was used."),
    ("one_waiver", "You've already had a fine waived, so I can't do it again."),
    ("one_waiver", "Sorry, a second waiver isn't possible."),
    (
        "recent_enough",
        "I can't waive a fine from January, it had to be asked for within four weeks.",
    ),
    ("recent_enough", "That fine was raised more than 28 days ago, so I can't waive it."),
    ("recent_enough", "I can't drop it, the 28 days for a waiver have passed."),
    ("branch_open", "I can't send it to Mill Street, that branch is not operating at present."),
    ("branch_open", "Mill Street is closed for now, so I can't have your hold go there."),
    ("branch_open", "Pickup at Mill Street isn't possible while the branch is shut."),
    (
        "not_next_in_line",
        "I can't switch it to Northgate any more because you're up next for that book.",
    ),
    ("not_next_in_line", "You're first in the queue, so I can't change the pickup any more."),
    ("not_next_in_line", "I can't move that hold, it's your turn next."),
    ("large_enough_part", "I can't take $1.00, we need at least $2.00 for a partial payment."),
    ("large_enough_part", "The smallest instalment we take is $2.00, so I can't accept that."),
    ("large_enough_part", "I can't accept less than $2.00 unless it pays the fine off."),
    (
        "lost_in_one_sum",
        "I can't take part of it, the fee for a lost book has to be paid all at once.",
    ),
    ("lost_in_one_sum", "Charges for lost items can't be split, so I can't take $8.00 of it."),
    ("lost_in_one_sum", "I can't accept that, a lost copy is paid in a single payment."),
    (
        "no_second_copy",
        "You've got a copy of that book on loan, so I can't check out a second one.",
    ),
    ("no_second_copy", "I can't give you two copies of the same book."),
    ("no_second_copy", "You have that title on loan, so I can't give you another copy."),
    (
        "nothing_long_overdue",
        "I can't renew your card while Moth Week is still out and long overdue.",
    ),
    (
        "nothing_long_overdue",
        "I can't place it, you have a book that was due back more than a week ago.",
    ),
    (
        "nothing_long_overdue",
        "Until the overdue book has come back, I can't lend you anything new.",
    ),
    ("suits_card", "That book is too valuable for a junior card, so I can't lend it."),
    ("suits_card", "Junior cards can't be used for books that expensive."),
    ("suits_card", "I can't lend a book worth $33.00 on a junior card."),
    ("renewal_open", "It's not due until March 30, so I can't extend it at this point."),
    ("renewal_open", "I can't extend it so far ahead of the due date."),
    ("renewal_open", "I can't renew it yet, it's too early."),
    ("one_edition", "I can't add that hold, you already wait for the large-print edition of it."),
    ("one_edition", "I can't put you down for both editions of a title."),
    ("one_edition", "You're in the queue for another edition of it, so I can't add this one."),
    ("none_there", "I can't send it to Ropewalk, they have a copy of it on the shelf there."),
    ("none_there", "There's no need: Ropewalk has one available already, so I can't send another."),
    ("none_there", "That branch has its own copy in right now, so I can't send a second one."),
    ("not_borrowed", "I can't place a hold on a book that you have at home yourself."),
    ("not_borrowed", "You've got that book checked out, so I can't reserve it for you."),
    ("not_borrowed", "I can't reserve it, you are the one who has it on loan."),
    ("nobody_waiting", "I can't extend it because there's a waiting list for it."),
    ("nobody_waiting", "Sorry, other people have reserved that book, so it can't be renewed."),
    ("nobody_waiting", "I can't renew it, two members are queuing for it."),
    ("not_long_overdue", "I can't extend it, it should have been back nine days ago."),
    ("not_long_overdue", "That loan is too overdue to be renewed, so I can't."),
    (
        "not_long_overdue",
        "I can't renew it as it's 8 days late, and after 7 days it has to come back.",
    ),
    ("card_near_expiry", "Your card doesn't run out until September, so I can't renew it yet."),
    ("card_near_expiry", "I can't renew it yet, your card is valid until December."),
    ("card_near_expiry", "It's too early to renew your card, so I can't."),
]


def library() -> Domain:
    domain = load("library_lending")
    domain.finish()
    return domain


def names(domain: Domain, rule: Rule, text: str) -> bool:
    """Whether a message names a rule, or one of its parts."""
    groups = [said.concepts for said in (*rule.parts, rule) if said.concepts]
    return any(rule_named(domain, rule.code, concepts, text).passed for concepts in groups)


@pytest.mark.parametrize(("code", "text"), REFUSALS)
def test_a_refusal_in_other_words_names_its_rule_and_none_beside_it(code, text):
    domain = library()
    assert names(domain, domain.rules[code], text)
    users = [t for t in domain.tools.values() if any(r.code == code for r in t.requires)]
    for neighbour in {r.code for t in users for r in t.requires if r.kind is None} - {code}:
        assert not names(domain, domain.rules[neighbour], text), neighbour


def test_each_rule_that_can_be_told_is_refused_here():
    told = {code for code, rule in library().rules.items() if rule.kind is None}
    assert {code for code, _ in REFUSALS} >= told
