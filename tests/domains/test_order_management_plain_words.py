"""The order desk: refusals as assistants put them name the rule that applies, and no other."""

import pytest

from davinci_env.verify import rule_named
from tests.domains.order_desk import Desk

# By rule, or rule and part: written without a look at the domain's own words for it.
PLAIN = {
    "customer_identified": [
        "Unfortunately I can't share order details with you before your identity is confirmed.",
        "I'm sorry, but I can't help with this account unless you give me the e-mail address "
        "it's registered with.",
    ],
    "details_confirmed": [
        "I can't go through with the refund until you've confirmed it.",
        "Unfortunately I can't place the exchange without your go-ahead.",
        "I won't take the payment until you confirm it, so I can't proceed yet.",
    ],
    "reviews_freeze_contents": [
        "Unfortunately I can't change the quantity because the order is currently being held "
        "for a fraud review.",
        "That order is under a payment review, which means that nothing can be added to it "
        "for now.",
        "The order's on hold for a payment review, so I'm not able to put another item in.",
    ],
    "reviews_paid_in_one": [
        "Unfortunately, since this order is in a payment review, I can only take the full "
        "balance of $120.00 and not a part of it.",
        "I can't do a split payment there; the review requires it all in a single transaction.",
        "Only the whole balance can be paid while the payment review is on, so I can't take "
        "part of it.",
    ],
    "bundle_needs_a_set": [
        "Unfortunately BUNDLE20 can't be applied, because your order contains just one product.",
        "I can't use BUNDLE20, as it's reserved for orders with at least two different items.",
        "There's one article in the order, and BUNDLE20 is only for bundles of two or more, "
        "so I can't apply it.",
    ],
    "valuables_go_home": [
        "Unfortunately I can't change the delivery address: the order total is above $250.00, "
        "so it has to go to your home address.",
        "I can't have it sent to your work address, because at $312.00 it can only be shipped "
        "to your home.",
        "This order is worth $360.00, and anything that expensive can only go to your home "
        "address, so I can't redirect it to work.",
    ],
    "valuables_leave_for_home": [
        "I can't release the order, because its total is over $250.00 and it isn't set to go "
        "to your home address.",
    ],
    "one_goodwill_credit": [
        "Unfortunately I can't issue a further goodwill credit, because one has already been "
        "paid on this order.",
        "You've had a goodwill credit for this order, and only one is possible, so I can't.",
        "I see a goodwill credit of $5.00 on that order from last month, and I can't give another.",
    ],
    "goodwill_has_a_cause": [
        "Unfortunately I can't grant a goodwill credit, as the order arrived on time and "
        "there's no return for damage.",
        "I can't, because our records show neither a delay nor a damaged or wrong item.",
        "Neither the parcel nor the goods had a problem according to our records: it wasn't "
        "late and nothing came back damaged. I can't give a credit.",
    ],
    "no_return_beside_exchange": [
        "Unfortunately I can't set up the return, since one item from that order is currently "
        "being exchanged.",
        "I can't start a return because this order has an open exchange.",
    ],
    "no_exchange_beside_return": [
        "Unfortunately I can't exchange the jacket, as there is an open return on the same order.",
        "I can't arrange that while your return for this order hasn't arrived at our warehouse.",
    ],
    "bundles_stay_whole": [
        "Unfortunately I can't return just the headlamp: the order was bought with a bundle "
        "coupon and must be returned in full.",
        "I can't send back one item alone, as BUNDLE20 was used and the bundle has to come "
        "back whole.",
        "I can't return a single item of a bundle order; you'd have to return everything in it.",
    ],
    "damaged_goods_come_back": [
        "Unfortunately I can't cancel this return, because it was opened for damage and the "
        "goods must reach our warehouse.",
        "I can't withdraw it: the carrier only pays once the damaged item has been examined by us.",
    ],
    "store_credit_stays": [
        "Unfortunately I can't move the refund to your Visa, because you chose store credit "
        "and that's final.",
        "I can't redirect it from the gift card to a card, as store credit can't be changed later.",
        "I can't change it back to your Visa. Store credit is a final choice.",
    ],
    "no_price_match_on_coupons": [
        "Unfortunately I can't match the price, because a coupon code was applied to that order.",
        "I can't, as orders with a coupon aren't eligible for a price match.",
        "A coupon was used for that purchase, and then we can't match the price.",
    ],
    "goodwill_within_limit/basic": [
        "Unfortunately I can't credit $11.00; the maximum for your tier is $10.00.",
        "I can't, as $10.00 is the most goodwill I can give a basic customer.",
    ],
    "goodwill_within_limit/silver": [
        "Unfortunately $21.00 is more than the $20.00 goodwill limit for silver members, so I "
        "can't do it.",
    ],
    "goodwill_within_limit/gold": [
        "I can't grant $31.00 as goodwill because gold customers can get at most $30.00.",
        "The most I can give a gold customer is $30.00, so I can't do $31.00.",
    ],
    "refund_goes_home": [
        "Unfortunately I can't refund your Mastercard, as refunds only go back to the "
        "original payment card or a gift card.",
        "I can't do that; the order was paid by Visa, so the refund has to go to the Visa or "
        "to one of your gift cards.",
        "I can't put it on a different card than the one you paid with.",
    ],
    "not_final_sale": [
        "Unfortunately I can't accept a return for the shave set because personal care items "
        "are final sale.",
        "I can't take it back, as hygiene products are non-returnable.",
    ],
    "price_match_in_time": [
        "Unfortunately I can't match the price, because the order is more than 14 days old.",
        "I can't, since price matches must be requested within 14 days of the order.",
        "It's been more than two weeks since you placed the order, so I can't match the price.",
    ],
    "no_hold/payment_reviewed": [
        "Unfortunately I can't send the order to the warehouse because it's on hold for a "
        "payment review.",
    ],
    "no_hold/address_checked": [
        "Unfortunately I can't release the order, as it's on hold for an address check.",
    ],
    "no_hold/no_suspicion": [
        "Unfortunately I can't release the order because it's on hold for a fraud review.",
    ],
    "something_to_clear": [
        "Unfortunately I can't clear a hold, because the order isn't on hold.",
        "I can't do that, as there is currently no hold on this order.",
    ],
    "nothing_outstanding": [
        "Unfortunately I can't clear the hold, as there's still $84.00 outstanding on the order.",
        "I can't send it to the warehouse before the remaining $84.00 is paid.",
        "There's an unpaid balance of $40.00 on it, so I can't release it.",
    ],
    "not_in_fraud_review": [
        "Unfortunately I can't cancel the order because it's being held for a fraud review.",
        "I can't lift that hold, as the fraud review is handled by another team.",
    ],
    "address_deliverable": [
        "Unfortunately I can't change it to your cabin, as the carrier doesn't recognise that "
        "address as deliverable.",
        "I can't clear the address check because the carrier doesn't deliver to the cabin address.",
        "I can't, because the carrier can't deliver to the cabin.",
    ],
    "within_balance_due/something_due": [
        "Unfortunately I can't take a payment, since there's nothing due on the order.",
        "I can't charge anything, as the order is already fully paid.",
    ],
    "within_balance_due/not_more_than_due": [
        "Unfortunately I can't take $145.00, because only $120.00 is due on the order.",
        "I can't charge more than the outstanding balance of $120.00.",
    ],
    "card_in_date": [
        "Unfortunately I can't charge the Amex ending in 4756 because it expired on May 3.",
        "I can't use that Mastercard, as it expired last week.",
        "That card has run out, so I can't use it.",
    ],
    "gift_card_covers/not_empty": [
        "Unfortunately I can't use the gift card ending in 4480, because its balance is $0.00.",
        "There's nothing left on that gift card, so I can't use it.",
    ],
    "gift_card_covers/not_too_much_for_it": [
        "Unfortunately I can't take $50.00 from that gift card, because it only has $25.00 left.",
        "I can't charge that much to the gift card, as its balance of $25.00 doesn't cover it.",
    ],
    "method_in_wallet": [
        "Unfortunately I can't use that card, because it isn't registered to your account.",
        "I can't, as that payment method belongs to another customer.",
        "That card is registered to someone else's account, so I can't use it.",
    ],
    "address_in_book": [
        "I can't, as that address is registered to another customer.",
    ],
    "enough_stock/not_sold_out": [
        "Unfortunately I can't add the jacket because it's out of stock.",
        "I can't exchange it for that one, as it is sold out.",
        "The navy rain jacket in size S is out of stock, so I can't add it.",
    ],
    "enough_stock/not_too_few": [
        "Unfortunately I can't add two, because only one is in stock.",
        "I can't, as we have just one of them available.",
    ],
    "stock_for_more/some_left": [
        "Unfortunately I can't increase the quantity because the pan is out of stock.",
    ],
    "stock_for_more/enough_left": [
        "Unfortunately I can't increase the quantity to six, as only one more is in stock.",
    ],
    "units_within_limit/electronics": [
        "Unfortunately I can't set it to three, because an order may have at most two units "
        "of the same electronic item.",
    ],
    "units_within_limit/wear": [
        "Unfortunately I can't add five, as the limit for shoes is four per order.",
        "You can have at most four pairs of the same shoe in an order, so I can't make it five.",
    ],
    "units_within_limit/home": [
        "Unfortunately I can't add seven pans because the limit is six units per order.",
    ],
    "not_in_order_yet": [
        "Unfortunately I can't add it, because that item is already in the order; I could "
        "raise its quantity.",
        "I can't, as the order already contains it.",
        "That order already includes the watch, so I can't add it again.",
    ],
    "not_the_last_line": [
        "Unfortunately I can't remove it because it's the only item in the order.",
        "I can't take out the last remaining article of an order.",
    ],
    "coupon_in_force": [
        "Unfortunately I can't apply FLASH30 because it expired on May 11.",
        "I can't use that code, as it's no longer valid.",
        "FLASH30 ended yesterday, so I can't apply it.",
    ],
    "coupon_minimum_reached": [
        "Unfortunately I can't apply SPRING15, because the goods come to $75.00 and it needs "
        "at least $120.00.",
        "I can't, as the order doesn't meet the coupon's minimum.",
        "The goods in your order aren't worth enough for that code: it starts at $90.00, so I "
        "can't use it.",
    ],
    "no_coupon_yet": [
        "Unfortunately I can't apply TRAIL12, because the order already has WELCOME10 on it.",
        "I can't, since only one coupon can be used per order.",
        "WELCOME10 is already on that order and you can't use two coupons, so I can't add it.",
    ],
    "coupon_unused": [
        "Unfortunately I can't apply WELCOME10 because you already used it on another order.",
        "I can't, as you've already used this code before.",
        "You already used that coupon in April, so I can't apply it a second time.",
    ],
    "coupon_to_remove": [
        "Unfortunately I can't remove a coupon, because there isn't one on that order.",
    ],
    "cancelled_in_time": [
        "Unfortunately I can't cancel the order, because it went to the warehouse more than "
        "12 hours ago.",
        "I can't, as the 12-hour cancellation window has passed.",
        "I can't cancel it now, as the warehouse has had it for longer than 12 hours.",
    ],
    "in_return_window/basic": [
        "Unfortunately I can't take it back, because the 30-day return window has passed.",
        "I can't exchange it, as it was delivered more than 30 days ago.",
    ],
    "in_return_window/silver": [
        "Unfortunately I can't take it back since it's been more than 45 days since delivery.",
    ],
    "in_return_window/gold": [
        "Unfortunately I can't accept the return because your 60-day return period is over.",
        "It was delivered 61 days ago and you have 60 days to return things, so I can't take "
        "it back.",
    ],
    "lines_of_one_order": [
        "Unfortunately I can't return those together, because they're from two different orders.",
        "I can't combine them, as a return can only cover items from a single order.",
        "I can't put items from two orders in the same return.",
    ],
    "one_return_at_a_time": [
        "Unfortunately I can't open another return, because this order already has one that's "
        "open.",
        "I can't, as there's already a return in progress for that order.",
        "There's already an open return for this order, so I can't create a second one.",
    ],
    "lines_still_kept/not_sent_back": [
        "Unfortunately I can't open a return, because that item has already been returned.",
        "I can't return that item, since it's been sent back already.",
    ],
    "lines_still_kept/not_exchanged": [
        "I can't, as an item that's been exchanged can't be returned.",
    ],
    "refund_can_arrive/card_in_date": [
        "Unfortunately I can't pay out the refund, because the card it's meant for has expired.",
        "The refund can't be paid to that Amex, because it has expired.",
    ],
    "refund_can_arrive/gift_card_has_room": [
        "Unfortunately I can't pay out the refund, because the gift card would exceed its "
        "$500.00 limit.",
    ],
    "like_for_like/same_product": [
        "Unfortunately I can't exchange the vest for a watch, because exchanges only work "
        "within the same product.",
        "I can't, as it's a different product.",
    ],
    "like_for_like/other_variant": [
        "Unfortunately I can't, because you already have exactly that colour and size.",
        "I can't exchange it for the same colour and size you already have.",
    ],
    "price_has_dropped/not_the_same": [
        "Unfortunately I can't match the price because it hasn't gone down since you bought it.",
        "I can't, as today's price is the same as what you paid.",
        "The price hasn't changed since you bought it, so I can't refund a difference.",
    ],
    "price_has_dropped/not_dearer": [
        "Unfortunately I can't match the price, because it's gone up since you bought it.",
        "I can't, as today's price is higher than the one you paid.",
    ],
}


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


@pytest.mark.parametrize("key", PLAIN)
def test_a_plain_refusal_names_its_rule_and_no_neighbour(shop, key: str) -> None:
    code = key.partition("/")[0]
    guarded = [t for t in shop.tools.values() if any(r.code == code for r in t.requires)]
    others = {r.code for tool in guarded for r in tool.requires if r.code != code and r.concepts}
    for text in PLAIN[key]:
        assert rule_named(shop, code, concepts_of(shop, key), text).passed, text
        for other in others:
            named = rule_named(shop, other, shop.rules[other].concepts, text)
            assert not named.passed, (text, other)
