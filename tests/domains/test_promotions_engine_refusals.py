"""What the promotions desk refuses, what lifts a refusal, and what is the agent's to keep."""

import pytest

from davinci_env.environment import open_environment
from tests.domains.promotions_desk import (
    broken,
    call,
    coupon,
    duties,
    redemption,
    refusal,
    rows,
    shopper,
)


@pytest.fixture(scope="module")
def opened():
    environment = open_environment("promotions_engine")
    yield environment
    environment.close()


@pytest.fixture
def env(opened):
    opened.reset()
    return opened


def purchase(one, basket: int, reference: str = "#W5499000") -> dict:
    return {"coupon_id": one.id, "purchase_reference": reference, "basket_total": basket}


# -- campaigns ----


@pytest.mark.parametrize(
    ("number", "code", "refused"),
    [
        (6, "SPRING-HIKE", "account_open"),
        (1, "LAKE-SUMMER", "campaign_running"),
        (1, "STOVE-FORTNIGHT", "campaign_running"),
        (1, "WINTER-WARM", "campaign_running"),
        (1, "SUMMIT-CIRCLE", "for_their_segment"),
        (2, "TRAIL-MAIL", "reads_newsletter"),
        (1, "TENT-WEEK", "below_person_limit"),
        (2, "SPRING-HIKE", "below_person_limit"),
    ],
)
def test_what_keeps_a_coupon_from_being_issued(env, number, code, refused):
    owner = shopper(env, number)
    assert refusal(env, "issue_coupon", shopper_id=owner.id, campaign_code=code) == refused


def test_joining_the_newsletter_opens_its_campaigns(env):
    wish = {"shopper_id": shopper(env, 2).id, "campaign_code": "TRAIL-MAIL"}
    assert refusal(env, "issue_coupon", **wish) == "reads_newsletter"
    call(env, "join_newsletter", shopper_id=wish["shopper_id"])
    call(env, "issue_coupon", **wish)
    assert broken(env) == []


def test_handing_in_a_coupon_makes_room_for_another(env):
    owner = shopper(env, 2)
    wish = {"shopper_id": owner.id, "campaign_code": "SPRING-HIKE"}
    assert refusal(env, "issue_coupon", **wish) == "below_person_limit"
    old = coupon(env, owner, "Spring Hike")
    call(env, "give_up_coupons", shopper_id=owner.id, coupon_ids=[old.id])
    call(env, "issue_coupon", **wish)
    assert refusal(env, "issue_coupon", **wish) == "below_person_limit"


def test_a_reversed_and_settled_coupon_does_not_count(env):
    owner = shopper(env, 9)  # had Come Back once, which was reversed after settlement
    call(env, "issue_coupon", shopper_id=owner.id, campaign_code="COME-BACK")
    gone = redemption(env, owner, "Come Back", "reversed")
    assert refusal(env, "reissue_coupon", redemption_id=gone.id) == "below_person_limit"


# -- redeeming ----


def test_a_late_coupon_is_extended_and_used(env):
    late = coupon(env, shopper(env, 1), "Kitchen Days")
    assert refusal(env, "redeem_coupon", **purchase(late, 5000)) == "in_date"
    call(env, "extend_coupon", coupon_id=late.id, days=7)
    call(env, "redeem_coupon", **purchase(late, 5000))


def test_a_coupon_is_good_on_its_last_day(env):
    last = coupon(env, shopper(env, 2), "Spring Hike")
    assert last.valid_until == env.domain.now.date()
    call(env, "redeem_coupon", **purchase(last, 6000))


def test_paused_campaigns_small_baskets_and_empty_budgets(env):
    stove = coupon(env, shopper(env, 2), "Stove Fortnight")
    assert refusal(env, "redeem_coupon", **purchase(stove, 9000)) == "campaign_not_paused"
    spring = coupon(env, shopper(env, 2), "Spring Hike")
    assert refusal(env, "redeem_coupon", **purchase(spring, 5999)) == "basket_large_enough"
    assert refusal(env, "quote_discount", coupon_id=spring.id, basket_total=5999) == (
        "basket_large_enough"
    )
    mug = coupon(env, shopper(env, 5), "Campfire Mug")  # 12.00, of 9.00 that are left
    assert refusal(env, "redeem_coupon", **purchase(mug, 9000)) == "budget_covers"


def test_a_purchase_has_its_discount_once_unless_it_is_reversed(env):
    owner = shopper(env, 1)
    first = redemption(env, owner, "Tent Week", "pending")
    again = purchase(coupon(env, owner, "Spring Hike"), 9900, first.purchase_reference)
    assert refusal(env, "redeem_coupon", **again) == "purchase_untouched"
    call(env, "reverse_redemption", redemption_id=first.id)
    call(env, "redeem_coupon", **again)
    assert broken(env) == []


def test_used_and_expired_coupons_are_not_redeemed(env):
    for status in ("redeemed", "reserved", "expired", "revoked"):
        one = rows(env, "Coupon", status=status)[0]
        assert refusal(env, "redeem_coupon", **purchase(one, 99900)) == "coupon_not_issued"


# -- stacks ----


def stack(env, owner, coupons, basket: int, reference: str = "#W5499000") -> dict:
    return {
        "shopper_id": owner.id,
        "coupon_ids": [one.id for one in coupons],
        "purchase_reference": reference,
        "full_basket": basket,
    }


def test_what_keeps_coupons_from_being_stacked(env):
    owner, other = shopper(env, 3), shopper(env, 1)
    spring, tent = coupon(env, owner, "Spring Hike"), coupon(env, owner, "Tent Week")
    mail, summit = coupon(env, owner, "Trail Mail"), coupon(env, owner, "Summit Circle")
    points = rows(env, "Coupon", shopper=owner, title="points", status="issued")

    def refused(coupons, basket=20000, reference="#W5499000"):
        return refusal(env, "stack_coupons", **stack(env, owner, coupons, basket, reference))

    assert refused([spring, coupon(env, other, "Spring Hike")]) == "own_coupons"
    assert (
        refused([spring, rows(env, "Coupon", shopper=owner, status="reserved")[0]]) == "all_unused"
    )
    assert refused([spring]) == "right_number"
    assert refused([spring, tent, mail, points[0]]) == "right_number"
    assert refused([spring, summit]) == "all_stackable"
    assert refused([spring, tent], 7999) == "stack_ready"
    # 25.00 from points and 10 percent of the rest, of a basket of 50.00: more than half
    assert refused([*points, mail], 5000) == "within_stack_share"
    pending = redemption(env, owner, "Spring Hike", "pending")
    assert refused([spring, tent], 20000, pending.purchase_reference) == "purchase_untouched"


def test_half_of_the_basket_is_allowed(env):
    owner = shopper(env, 3)
    both = rows(env, "Coupon", shopper=owner, title="points", status="issued")
    assert refusal(env, "stack_coupons", **stack(env, owner, both, 4999)) == "within_stack_share"
    call(env, "stack_coupons", **stack(env, owner, both, 5000))
    assert broken(env) == []


def test_a_stack_needs_each_of_its_coupons_ready(env):
    owner = shopper(env, 1)
    late, spring = coupon(env, owner, "Kitchen Days"), coupon(env, owner, "Spring Hike")
    wish = stack(env, owner, [late, spring], 9000)
    assert refusal(env, "stack_coupons", **wish) == "stack_ready"
    call(env, "extend_coupon", coupon_id=late.id, days=7)
    call(env, "stack_coupons", **wish)


# -- reversals and replacements ----


def test_spent_points_keep_a_discount_until_their_coupon_goes_back(env):
    owner = shopper(env, 5)
    settled = redemption(env, owner, "Spring Hike", "settled")
    assert settled.points_earned > owner.points
    assert refusal(env, "reverse_redemption", redemption_id=settled.id) == "points_still_there"
    call(env, "return_points_coupon", coupon_id=coupon(env, owner, "points").id)
    call(env, "reverse_redemption", redemption_id=settled.id)
    assert broken(env) == []


def test_old_settlements_stay(env):
    old = redemption(env, shopper(env, 3), "Winter Warmers", "settled")
    assert refusal(env, "reverse_redemption", redemption_id=old.id) == "reversal_in_time"


def test_what_is_not_replaced(env):
    theirs = rows(env, "Redemption", shopper=shopper(env, 6), status="reversed")
    pending = next(one for one in theirs if one.settled_on is None)
    assert refusal(env, "reissue_coupon", redemption_id=pending.id) == "was_used_up"
    replaced = redemption(env, shopper(env, 5), "Many Thanks", "reversed")
    assert refusal(env, "reissue_coupon", redemption_id=replaced.id) == "not_replaced"
    winter = redemption(env, shopper(env, 11), "Winter Warmers", "reversed")
    assert refusal(env, "reissue_coupon", redemption_id=winter.id) == "campaign_alive"
    points = redemption(env, shopper(env, 11), "points", "reversed")
    assert refusal(env, "reissue_coupon", redemption_id=points.id) == "no_campaign"
    settled = rows(env, "Redemption", status="settled")[0]
    assert refusal(env, "reissue_coupon", redemption_id=settled.id) == "redemption_not_reversed"


# -- extensions, points and the newsletter ----


def test_limits_of_extensions(env):
    twice = next(one for one in rows(env, "Coupon", status="issued") if one.extensions == 2)
    assert refusal(env, "extend_coupon", coupon_id=twice.id, days=1) == "extensions_left"
    tent = coupon(env, shopper(env, 11), "Tent Week")  # the campaign ends on May 18, 14 days more
    left = (env.domain.now.date().replace(month=6, day=1) - tent.valid_until).days
    over = {"coupon_id": tent.id, "days": left + 1}
    assert refusal(env, "extend_coupon", **over) == "within_campaign_tail"
    call(env, "extend_coupon", coupon_id=tent.id, days=left)


def test_points_go_as_far_as_the_balance(env):
    owner = shopper(env, 1)  # 620 points at 40 a dollar
    assert refusal(env, "convert_points", shopper_id=owner.id, amount=2000) == "points_enough"
    assert refusal(env, "quote_points", shopper_id=owner.id, amount=1600) == "points_enough"
    call(env, "convert_points", shopper_id=owner.id, amount=1500)
    spring = coupon(env, owner, "Spring Hike")
    assert refusal(env, "return_points_coupon", coupon_id=spring.id) == "came_from_points"


def test_newsletter_states_and_blocked_goodwill(env):
    reader, other = shopper(env, 1), shopper(env, 2)
    assert refusal(env, "join_newsletter", shopper_id=reader.id) == "reads_it_already"
    assert refusal(env, "leave_newsletter", shopper_id=other.id) == "no_reader"
    wish = {"shopper_id": shopper(env, 6).id, "amount": 500, "cause": "delivery_delays"}
    assert refusal(env, "grant_goodwill", **wish) == "account_open"


def test_nothing_fits_a_tiny_basket_without_points_or_goodwill(env):
    found = [
        refusal(env, "best_coupon", shopper_id=owner.id, basket_total=100)
        for owner in rows(env, "Shopper")
        if not any(
            one.status == "issued" and one.minimum_basket is None
            for one in rows(env, "Coupon", shopper=owner)
        )
    ]
    assert set(found) <= {"none_fits"}


# -- the agent's own duties ----


def test_the_last_of_a_budget_is_kept(env):
    owner = shopper(env, 11)
    wish = {"shopper_id": owner.id}
    assert duties(env, "issue_coupon", **wish, campaign_code="KITCHEN-DAYS") == {"budget_for_more"}
    assert duties(env, "issue_coupon", **wish, campaign_code="SPRING-HIKE") == set()


def test_the_monthly_goodwill_and_its_causes(env):
    owner = shopper(env, 1)  # regular: 15.00 a month, 10.00 had for a late delivery
    wish = {"shopper_id": owner.id, "cause": "poor_service"}
    assert duties(env, "grant_goodwill", **wish, amount=600) == {"within_goodwill_cap"}
    env.reset()
    assert duties(env, "grant_goodwill", **wish, amount=500) == set()
    env.reset()
    same = wish | {"cause": "delivery_delays"}
    assert duties(env, "grant_goodwill", **same, amount=500) == {"new_cause"}


def test_duties_about_extensions(env):
    def broken_by(one):
        return duties(env, "extend_coupon", coupon_id=one.id, days=7)

    owner = shopper(env, 1)
    newest = max(
        rows(env, "Coupon", shopper=owner, title="Spring Hike"), key=lambda one: one.issued_on
    )
    assert broken_by(newest) == {"not_brand_new"}
    assert broken_by(coupon(env, owner, "Spring Hike")) == set()
    assert broken_by(coupon(env, owner, "points")) == {"no_points_extension"}
    assert broken_by(coupon(env, shopper(env, 2), "goodwill")) == {"no_goodwill_extension"}


def test_duties_about_settling_and_reversing(env):
    fresh = next(
        one
        for one in rows(env, "Redemption", shopper=shopper(env, 2), status="pending")
        if (env.domain.now.date() - one.redeemed_on).days == 1
    )
    assert duties(env, "settle_redemption", redemption_id=fresh.id) == {"purchase_certain"}
    often = redemption(env, shopper(env, 6), "Summit Circle", "pending")
    assert duties(env, "reverse_redemption", redemption_id=often.id) == {"few_reversals"}


def test_duties_about_points(env):
    owner = shopper(env, 8)
    wish = {"shopper_id": owner.id}
    assert duties(env, "convert_points", **wish, amount=250) == {"in_full_steps"}
    env.reset()
    full = shopper(env, 11)  # has two unused coupons from points
    assert duties(env, "convert_points", shopper_id=full.id, amount=500) == {"few_points_coupons"}
    old = coupon(env, shopper(env, 6), "points")  # 50 days old
    assert duties(env, "return_points_coupon", coupon_id=old.id) == {"points_coupon_fresh"}
    mine = coupon(env, full, "points")
    wasted = {"shopper_id": full.id, "coupon_ids": [mine.id]}
    assert duties(env, "give_up_coupons", **wasted) == {"no_points_wasted"}


def test_readers_leave_without_readers_coupons_alone(env):
    owner = shopper(env, 9)
    assert duties(env, "leave_newsletter", shopper_id=owner.id) == {"no_readers_coupon"}
    env.reset()
    mine = rows(env, "Coupon", shopper=shopper(env, 9), status="issued")
    readers = [one.id for one in mine if one.campaign and one.campaign.newsletter_only]
    call(env, "give_up_coupons", shopper_id=owner.id, coupon_ids=readers)
    assert duties(env, "leave_newsletter", shopper_id=owner.id) == set()


def test_two_coupons_of_one_campaign_are_a_breach(env):
    owner = shopper(env, 1)
    both = rows(env, "Coupon", shopper=owner, title="Spring Hike", status="issued")
    assert duties(env, "stack_coupons", **stack(env, owner, both, 9000)) == {"one_of_each_campaign"}


def test_identification_and_consent(env):
    owner = shopper(env, 2)
    one = coupon(env, owner, "goodwill")
    told = env.call("redeem_coupon", purchase(one, 3000))
    assert set(told.violated) == {"known_shopper", "agreed"}
