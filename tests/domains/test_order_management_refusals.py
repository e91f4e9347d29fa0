"""The order desk: refusals name the rule that applies, and no other, in whoever's words."""

import re

import pytest

from davinci_env.verify import rule_named
from tests.domains.order_desk import Desk

# By rule, or rule and part: how people decline for that reason, apart from the domain's own words.
REFUSALS = {
    "customer_identified": [
        "I can't open that account before I know who you are; I need the e-mail address.",
        "I can't discuss this order until you've identified yourself with name and postcode.",
    ],
    "details_confirmed": [
        "I can't go ahead without your explicit confirmation; please confirm it first.",
        "I can't do it yet, I need your go ahead first.",
    ],
    "reviews_freeze_contents": [
        "I can't change the contents while the payment review is running.",
        "I'm not able to add that, since an order under review has to stay as it is.",
        "Unfortunately I can't touch this order as long as it is held for the payment review.",
    ],
    "reviews_paid_in_one": [
        "I can't take half of it: during a payment review the whole balance is paid at once.",
        "I'm afraid I can't split the balance while the order is in payment review.",
    ],
    "bundle_needs_a_set": [
        "I can't use it, because a bundle coupon needs at least two different articles.",
        "I'm sorry, I can't: BUNDLE20 is for sets, and there's a single item in this order.",
    ],
    "valuables_go_home": [
        "I can't send it to your office: orders worth $250.00 or more go to the home address only.",
        "Sorry, I can't. With that value it may only be delivered to the billing address.",
    ],
    "valuables_leave_for_home": [
        "I can't release it yet: at a total of more than $250.00 it has to go to your home.",
        "I can't send it off, since an order of that value needs to be addressed to your home.",
    ],
    "one_goodwill_credit": [
        "I can't give you another credit; goodwill was already granted for this order.",
        "I'm sorry, I can't: you've had a goodwill credit on that order before.",
    ],
    "goodwill_has_a_cause": [
        "I can't credit anything: the parcel arrived on time and nothing was damaged.",
        "I'm afraid I can't, because there was no delay and no wrong item with this order.",
    ],
    "no_return_beside_exchange": [
        "I can't open a return while an exchange on the same order is still open.",
        "That isn't possible as long as another line of the order is being swapped.",
    ],
    "no_exchange_beside_return": [
        "I can't exchange it while a return of that order is still on its way.",
        "That isn't possible, since there's an open return on the order.",
    ],
    "bundles_stay_whole": [
        "I can't take a single piece back: a bundle has to be returned as a whole.",
        "You bought it as a bundle, so I can't take it back unless you return every item.",
    ],
    "damaged_goods_come_back": [
        "I can't call that return off: damaged goods have to come back to the warehouse.",
        "I'm not able to cancel it, as the insurance needs to see the broken goods.",
    ],
    "store_credit_stays": [
        "I can't move it: store credit is final and doesn't go back to a card.",
        "I can't do that; once it has been made store credit, it stays there.",
    ],
    "no_price_match_on_coupons": [
        "I can't match the price, since you used a coupon on that order.",
        "That's not possible: a discount code and a price match can't be combined.",
    ],
    "goodwill_within_limit/basic": [
        "I can't credit that much; the maximum goodwill for basic customers is $10.00.",
        "That's not possible, a goodwill credit is limited to $10.00 in your tier.",
    ],
    "goodwill_within_limit/silver": ["I can't go over the goodwill limit of $20.00."],
    "goodwill_within_limit/gold": ["I can't give more than $30.00 as goodwill."],
    "refund_goes_home": [
        "I can't refund to that one: the money goes back to the card the order was paid with.",
        "I'm not able to, as a refund has to go to the original card.",
    ],
    "not_final_sale": [
        "I can't take the shave set back, personal care is final sale.",
        "I can't accept that: hygiene products can't be returned.",
    ],
    "price_match_in_time": [
        "I can't match it, because the order was placed more than 14 days ago.",
        "I'm afraid it's too late: price matches have to be asked for within 14 days.",
    ],
    "no_hold/payment_reviewed": [
        "I can't send it out while it is on hold for a payment review.",
        "I can't release it: there's a hold on it.",
    ],
    "no_hold/address_checked": ["I can't ship it before the hold for the address check is lifted."],
    "no_hold/no_suspicion": ["I can't send it off, it's being held for a fraud review."],
    "something_to_clear": ["I can't clear anything, because there's no hold on that order."],
    "nothing_outstanding": [
        "I can't release it before it has been paid in full.",
        "I can't send it, since there is still a balance due.",
    ],
    "not_in_fraud_review": [
        "I can't cancel it while our fraud team is investigating.",
        "I'm not able to touch an order that is in fraud review.",
    ],
    "address_deliverable": [
        "I can't send it there: the carrier doesn't recognise that address.",
        "I'm afraid your cabin isn't a deliverable address.",
    ],
    "within_balance_due/something_due": [
        "I can't take anything: the order is fully paid.",
        "I can't charge you, nothing is outstanding on it.",
    ],
    "within_balance_due/not_more_than_due": [
        "I can't take that much, it is more than what you still owe.",
        "I can't charge $90.00, since only $40.00 is due.",
    ],
    "card_in_date": [
        "I can't charge that card, it has expired.",
        "I can't use your Amex: it ran out on May 1.",
    ],
    "gift_card_covers/not_empty": ["I can't use that gift card, it is empty."],
    "gift_card_covers/not_too_much_for_it": [
        "I can't take that from the gift card, there's only $25.00 left on it.",
        "I can't do that, because the gift card doesn't have a sufficient balance.",
    ],
    "method_in_wallet": ["I can't use it: that card belongs to another account."],
    "address_in_book": ["I can't send it there, that address isn't in your address book."],
    "enough_stock/not_sold_out": [
        "I can't add it, the jacket is sold out.",
        "I can't swap it for that one: it's out of stock, none left.",
    ],
    "enough_stock/not_too_few": ["I can't add four of them, we only have one in stock."],
    "stock_for_more/some_left": ["I can't make it more than that, none are left in stock."],
    "stock_for_more/enough_left": ["I can't go up to six, only two more are available."],
    "units_within_limit/electronics": [
        "I can't put three in: the maximum is two units of the same electronic article.",
    ],
    "units_within_limit/wear": ["I can't do that, at most four pairs are allowed in one order."],
    "units_within_limit/home": [
        "I can't, seven would exceed the limit of six units of an article.",
    ],
    "not_in_order_yet": [
        "I can't add it again: it's already in that order.",
    ],
    "not_the_last_line": [
        "I can't take it out, since it's the only item in that order.",
        "I can't remove the last line of an order.",
    ],
    "coupon_in_force": [
        "I can't apply that coupon, it has expired.",
        "I can't take FLASH30 any more: the last day of that code was yesterday.",
    ],
    "coupon_minimum_reached": [
        "I can't use the coupon, the order is below the minimum.",
        "I can't: the code needs goods worth at least $120.00.",
    ],
    "no_coupon_yet": [
        "I can't add a second coupon, there's already one on the order.",
        "I can't do that, codes can't be combined, and a coupon is on it already.",
    ],
    "coupon_unused": [
        "I can't take it: you've redeemed that code on an earlier order.",
        "I can't, since that coupon was used before on another order.",
    ],
    "coupon_to_remove": ["I can't take anything off, because there's no coupon on that order."],
    "cancelled_in_time": [
        "I can't cancel it, it went to the warehouse more than 12 hours ago.",
        "It's too late to cancel: the warehouse has packed it.",
    ],
    "in_return_window/basic": [
        "I can't take it back: the 30 days for returns are over.",
        "I can't, it was delivered too long ago to be returned.",
    ],
    "in_return_window/silver": ["I can't, the return window of 45 days has passed."],
    "in_return_window/gold": [
        "I can't take it back, since it was delivered more than 60 days ago."
    ],
    "lines_of_one_order": [
        "I can't put these in one return, they are from different orders.",
        "I can't, because one of the items belongs to another order.",
    ],
    "one_return_at_a_time": [
        "I can't open another return: one is already open on that order.",
        "I can't, since there is still a return on its way for this order.",
    ],
    "lines_still_kept/not_sent_back": ["I can't, that has already been sent back."],
    "lines_still_kept/not_exchanged": [
        "I can't take it back any more, because that line has been exchanged already.",
    ],
    "refund_can_arrive/card_in_date": ["I can't pay it out, the card has expired."],
    "refund_can_arrive/gift_card_has_room": [
        "I can't pay it out: the gift card would be over the limit of $500.00.",
    ],
    "like_for_like/same_product": [
        "I can't swap a jacket for a watch: exchanges are only possible for the same product.",
    ],
    "like_for_like/other_variant": ["I can't, that's the very same size and colour you have."],
    "price_has_dropped/not_the_same": [
        "I can't refund anything, the price hasn't dropped.",
        "I can't match it: today's price is the same.",
    ],
    "price_has_dropped/not_dearer": ["I can't match it, the price is higher today."],
}
EXAMPLES = {
    "order.hold": "payment review",
    "coupon.code": "BUNDLE20",
    "coupon.last_day": "May 11",
    "coupon.minimum": "$90.00",
    "order.coupon.code": "BUNDLE20",
    "order.total": "$260.00",
    "order.paid": "$120.00",
    "order.placed_on": "April 20",
    "order.delivered_on": "April 1",
    "order.released_at": "Monday, May 11 at 21:15",
    "order.address.city": "Fairmont",
    "order.payment_method.brand": "Visa",
    "order.payment_method.last_four": "4817",
    "address.city": "Fairmont",
    "address.nickname": "cabin",
    "payment_method.brand": "Visa",
    "payment_method.last_four": "4817",
    "payment_method.expires_on": "May 3",
    "payment_method.balance": "$25.00",
    "variant": "the rust Heron rain jacket in size M",
    "variant.stock": "1",
    "variant.product.title": "Heron rain jacket",
    "line.variant": "the sand Orbit GPS watch in 42 mm",
    "line.variant.stock": "1",
    "line.variant.product.title": "Orbit GPS watch",
    "line.variant.price": "$49.00",
    "line.unit_price": "$47.00",
    "return_request.refund": "$80.00",
    "return_request.payment_method.brand": "Amex",
    "return_request.payment_method.last_four": "9911",
    "return_request.payment_method.expires_on": "May 1",
    "return_request.payment_method.balance": "$485.00",
}
LEADS = ["I'm sorry, but I can't do that: {}.", "Unfortunately that isn't possible, because {}."]


@pytest.fixture(scope="module")
def shop():
    domain = Desk().env.domain
    domain.finish()
    return domain


def concepts_of(shop, key: str) -> list[list[str]]:
    code, _, name = key.partition("/")
    rule = shop.rules[code]
    groups = next(p.concepts for p in rule.parts if p.name == name) if name else rule.concepts
    return [list(group) for group in groups]


def test_every_rule_and_part_is_declined_here(shop) -> None:
    keys = {
        key
        for code, rule in shop.rules.items()
        for key in ([f"{code}/{part.name}" for part in rule.parts] or [code])
    }
    assert set(REFUSALS) == keys


@pytest.mark.parametrize("key", REFUSALS)
def test_refusals_in_other_words_name_their_rule_and_no_neighbour(shop, key: str) -> None:
    code = key.partition("/")[0]
    guarded = [t for t in shop.tools.values() if any(r.code == code for r in t.requires)]
    others = {r.code for tool in guarded for r in tool.requires if r.code != code and r.concepts}
    for text in REFUSALS[key]:
        assert rule_named(shop, code, concepts_of(shop, key), text).passed, text
        for other in others:
            assert not rule_named(shop, other, shop.rules[other].concepts, text).passed, (
                text,
                other,
            )


@pytest.mark.parametrize("lead", LEADS)
def test_every_wording_of_the_shop_names_its_rule_with_and_without_an_offer(shop, lead) -> None:
    def filled(text: str) -> str:
        places = shop.render_constants(text)
        return re.sub(r"\{([a-z_][\w.]*)\}", lambda match: EXAMPLES[match[1]], places)

    for key in REFUSALS:
        code, _, name = key.partition("/")
        rule = shop.rules[code]
        said = next(p for p in rule.parts if p.name == name) if name else rule
        assert len(said.because) >= 4, key
        for because in said.because:
            for offer in ["", *[f" If you like, {filled(offer)}." for offer in said.offers]]:
                text = lead.format(filled(because)) + offer
                assert rule_named(shop, code, concepts_of(shop, key), text).passed, (key, text)
