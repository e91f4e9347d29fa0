"""Refusals of the promotions desk in a colleague's words, each recognised as its rule and as no
other of the same tool."""

import pytest

from davinci_env.domain import Domain, Rule, load
from davinci_env.verify import rule_named

REFUSALS = [
    ("account_open", "I can't, because your account has been blocked by the fraud team."),
    ("account_open", "Your account is locked at present, so I can't hand out anything."),
    ("campaign_running", "I can't, the campaign hasn't started yet."),
    ("campaign_running", "That promotion ended on April 3, so I can't."),
    ("campaign_running", "I'm sorry, I can't, as this campaign is on hold."),
    ("for_their_segment", "I can't, this one is reserved for another segment of shoppers."),
    ("for_their_segment", "That is just for our best shoppers, so you can't have it."),
    ("reads_newsletter", "I can't, it's only for people on our mailing list."),
    ("reads_newsletter", "You would have to have the newsletter for it, so I can't."),
    ("below_person_limit", "I can't, each person gets at most one coupon of it."),
    ("below_person_limit", "I can't, you have had as many coupons of it as each person may have."),
    ("in_date", "I can't use it, the coupon expired on May 9."),
    ("in_date", "It was valid until May 4, so I can't take it."),
    ("campaign_not_paused", "I can't, that campaign is paused, and its coupons with it."),
    ("basket_large_enough", "I can't, your basket is below the minimum of $60.00."),
    ("basket_large_enough", "It needs a purchase of $45.00 at least, so I can't."),
    ("budget_covers", "I can't, the money left in the pot doesn't cover it."),
    ("purchase_untouched", "I can't, that purchase already has a discount."),
    ("purchase_untouched", "There's a coupon on that order as it is, so I can't add another."),
    ("own_coupons", "I can't, one of the coupons belongs to somebody else."),
    ("all_unused", "I can't, one of them is reserved for another purchase."),
    ("right_number", "I can't, a stack has 3 coupons at most."),
    ("all_stackable", "I can't, one of those coupons is exclusive."),
    ("all_stackable", "One of them has to be used by itself, so they can't be combined."),
    ("stack_ready", "I can't, your basket is too small for one of them."),
    ("within_stack_share", "I can't, coupons may take off 50 percent at most."),
    ("extensions_left", "I can't, it has been extended twice, which is the maximum."),
    ("within_campaign_tail", "I can't go beyond 14 days after the end of the campaign."),
    ("not_brand_new", "I can't extend it, you've just got that coupon."),
    ("no_goodwill_extension", "I can't, a goodwill coupon keeps its date."),
    ("no_points_extension", "I can't extend what was bought with points."),
    ("points_enough", "I can't, you don't have enough points for that."),
    ("points_enough", "Your points don't cover it, so I can't."),
    ("in_full_steps", "I can't, only multiples of $5.00 are possible."),
    ("few_points_coupons", "I can't, you have 2 coupons from points that you haven't used."),
    ("came_from_points", "I can't, that coupon wasn't bought with points."),
    ("points_coupon_fresh", "I can't take it back, the 30 days since it was issued are over."),
    ("reversal_in_time", "I can't reverse it, the 45 days for that are over."),
    ("points_still_there", "I can't, you've spent the points that came with it."),
    ("few_reversals", "I can't, you had two discounts taken back within 30 days."),
    ("was_used_up", "I can't, the coupon came back by itself when the discount was pending."),
    ("not_replaced", "I can't, you already got a new coupon for it."),
    ("campaign_alive", "I can't, the campaign has been over for weeks."),
    ("reissued_in_time", "I can't, the 30 days for that have passed."),
    ("budget_for_more", "I can't, the budget is nearly gone."),
    ("budget_for_more", "There is hardly any money left for it, so I can't."),
    ("one_of_each_campaign", "I can't, two of them are of the same campaign."),
    ("purchase_certain", "I can't settle it yet, the purchase is too recent: 3 days are needed."),
    ("no_points_wasted", "I can't, one was bought with points, which would be lost."),
    ("within_goodwill_cap", "I can't, goodwill in a month ends at $15.00, and this exceeds it."),
    ("new_cause", "I can't, you've had goodwill for the same cause."),
    ("no_readers_coupon", "I can't, you hold an unused coupon for newsletter readers."),
]


def desk() -> Domain:
    domain = load("promotions_engine")
    domain.finish()
    return domain


def names(domain: Domain, rule: Rule, text: str) -> bool:
    """Whether a message names a rule, or one of its parts."""
    groups = [said.concepts for said in (*rule.parts, rule) if said.concepts]
    return any(rule_named(domain, rule.code, concepts, text).passed for concepts in groups)


@pytest.mark.parametrize(("code", "text"), REFUSALS)
def test_a_refusal_in_other_words_names_its_rule_and_none_beside_it(code, text):
    domain = desk()
    assert names(domain, domain.rules[code], text)
    users = [t for t in domain.tools.values() if any(r.code == code for r in t.requires)]
    for neighbour in {r.code for t in users for r in t.requires if r.kind is None} - {code}:
        assert not names(domain, domain.rules[neighbour], text), neighbour


def test_each_rule_that_can_be_told_is_refused_here():
    told = {code for code, rule in desk().rules.items() if rule.kind is None}
    assert {code for code, _ in REFUSALS} >= told
