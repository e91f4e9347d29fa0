"""The promotions desk: discounts, stacks, budgets, points and coupons, worked out by hand."""

from datetime import date, timedelta

import pytest

from davinci_env.environment import open_environment
from tests.domains.promotions_desk import (
    broken,
    call,
    coupon,
    offers,
    redemption,
    rows,
    shopper,
)

TODAY = date(2026, 5, 12)


@pytest.fixture(scope="module")
def opened():
    environment = open_environment("promotions_engine")
    yield environment
    environment.close()


@pytest.fixture
def env(opened):
    opened.reset()
    return opened


def redeem(env, one, basket: int, reference: str = "#W5499000"):
    return call(
        env,
        "redeem_coupon",
        coupon_id=one.id,
        purchase_reference=reference,
        basket_total=basket,
    )


# -- discounts ----


@pytest.mark.parametrize(("basket", "discount"), [(6000, 900), (9999, 1499), (20001, 3000)])
def test_a_percentage_is_rounded_down_and_ends_at_its_cap(env, basket, discount):
    spring = coupon(env, shopper(env, 2), "Spring Hike")
    quoted = call(env, "quote_discount", coupon_id=spring.id, basket_total=basket)
    assert quoted == {"discount": discount, "to_pay": basket - discount}
    made = redeem(env, spring, basket)
    assert (made["discount"], made["status"], made["stacked"]) == (discount, "pending", False)
    assert made["purchase_reference"] == "#W5499000"
    assert broken(env) == []


@pytest.mark.parametrize(("basket", "discount"), [(700, 500), (300, 300)])
def test_an_amount_is_never_more_than_the_basket(env, basket, discount):
    goodwill = coupon(env, shopper(env, 2), "goodwill")
    assert redeem(env, goodwill, basket)["discount"] == discount


def test_a_gift_takes_off_its_price(env):
    letters = coupon(env, shopper(env, 3), "Letter Box")
    assert letters.offer == "$18 gift"
    assert redeem(env, letters, 7500)["discount"] == 1800


def test_redeeming_reserves_the_coupon_and_spends_from_the_budget(env):
    spring = coupon(env, shopper(env, 2), "Spring Hike")
    budget, points = spring.campaign.budget, spring.shopper.points
    spent = budget.spent
    made = redeem(env, spring, 8000)
    assert (spring.status, budget.spent) == ("reserved", spent + 1200)
    entry = rows(env, "BudgetEntry", budget=budget)[-1]
    assert (entry.kind, entry.amount, entry.booked_on) == ("spent", 1200, TODAY)
    assert entry.redemption.id == made["redemption_id"]
    assert spring.shopper.points == points


def test_no_budget_pays_for_points_and_goodwill(env):
    entries = len(rows(env, "BudgetEntry"))
    redeem(env, coupon(env, shopper(env, 2), "goodwill"), 2000)
    redeem(env, coupon(env, shopper(env, 1), "points"), 2000, "#W5499007")
    assert len(rows(env, "BudgetEntry")) == entries


# -- stacks ----


def test_amounts_count_before_percentages_each_on_what_is_left(env):
    owner = shopper(env, 3)
    tent, spring = coupon(env, owner, "Tent Week"), coupon(env, owner, "Spring Hike")
    mail = coupon(env, owner, "Trail Mail")
    chosen = {"shopper_id": owner.id, "coupon_ids": [spring.id, tent.id]}
    # 160.00 less 10.00 leaves 150.00, of which 15 percent is 22.50
    quoted = call(env, "quote_stack", **chosen, full_basket=16000)
    assert quoted == {"discount": 3250, "to_pay": 12750}
    made = call(env, "stack_coupons", **chosen, purchase_reference="#W5499000", full_basket=16000)
    assert (made["discount"], made["to_pay"]) == (3250, 12750)
    records = [(r["basket_total"], r["discount"], r["stacked"]) for r in made["redemptions"]]
    assert records == [(16000, 1000, True), (15000, 2250, True)]
    assert [r["coupon_id"] for r in made["redemptions"]] == [tent.id, spring.id]
    assert (tent.status, spring.status, mail.status) == ("reserved", "reserved", "issued")
    assert broken(env) == []


def test_a_stack_of_three(env):
    owner = shopper(env, 1)
    three = [coupon(env, owner, title) for title in ("Many Thanks", "Trail Mail", "points")]
    made = call(
        env,
        "stack_coupons",
        shopper_id=owner.id,
        coupon_ids=[one.id for one in three],
        purchase_reference="#W5499000",
        full_basket=10000,
    )
    # 8.00 and 5.00 leave 87.00, of which 10 percent is 8.70
    assert (made["discount"], made["to_pay"]) == (2170, 7830)


def test_stacked_discounts_earn_no_points(env):
    owner = shopper(env, 3)
    stacked = redemption(env, owner, "Spring Hike", "pending")
    points = owner.points
    assert stacked.stacked
    settled = call(env, "settle_redemption", redemption_id=stacked.id)
    assert (settled["points_earned"], settled["status"]) == (0, "settled")
    assert owner.points == points


# -- settling and reversing ----


@pytest.mark.parametrize(
    ("number", "title", "rate"), [(1, "Tent Week", 1), (6, "Summit Circle", 2)]
)
def test_settling_earns_points_for_each_full_dollar(env, number, title, rate):
    owner = shopper(env, number)
    pending = redemption(env, owner, title, "pending")
    points = owner.points
    earned = (pending.basket_total - pending.discount) // 100 * rate
    settled = call(env, "settle_redemption", redemption_id=pending.id)
    assert settled["points_earned"] == earned > 0
    assert settled["settled_on"] == "05/12/2026"
    assert (pending.coupon.status, owner.points) == ("redeemed", points + earned)
    entry = rows(env, "PointsEntry", shopper=owner)[-1]
    assert (entry.kind, entry.points, entry.redemption.id) == ("earned", earned, pending.id)
    assert broken(env) == []


def test_reversing_a_pending_discount_brings_the_coupon_back(env):
    owner = shopper(env, 1)
    pending = redemption(env, owner, "Tent Week", "pending")
    budget, points = pending.coupon.campaign.budget, owner.points
    spent, last = budget.spent, pending.coupon.valid_until
    reversed_ = call(env, "reverse_redemption", redemption_id=pending.id)
    assert (reversed_["status"], reversed_["reversed_on"]) == ("reversed", "05/12/2026")
    assert (budget.spent, owner.points) == (spent - 1000, points)
    assert pending.coupon.status == "issued"
    assert pending.coupon.valid_until == max(last, TODAY + timedelta(days=7))
    entry = rows(env, "BudgetEntry", budget=budget)[-1]
    assert (entry.kind, entry.amount) == ("returned", 1000)
    assert broken(env) == []


def test_a_coupon_that_comes_back_is_good_for_a_week_at_least(env):
    late = coupon(env, shopper(env, 2), "Spring Hike")
    assert late.valid_until == TODAY
    made = redeem(env, late, 7000)
    call(env, "reverse_redemption", redemption_id=made["redemption_id"])
    assert (late.status, late.valid_until) == ("issued", date(2026, 5, 19))


def test_reversing_a_settled_discount_takes_the_points_but_not_the_use(env):
    owner = shopper(env, 7)
    settled = redemption(env, owner, "Spring Hike", "settled")
    points, earned = owner.points, settled.points_earned
    call(env, "reverse_redemption", redemption_id=settled.id)
    assert owner.points == points - earned < points
    assert settled.coupon.status == "redeemed"
    entry = rows(env, "PointsEntry", shopper=owner)[-1]
    assert (entry.kind, entry.points) == ("taken_back", earned)
    assert broken(env) == []


def test_a_used_up_coupon_is_reissued_after_the_reversal(env):
    gone = redemption(env, shopper(env, 9), "Come Back", "reversed")
    fresh = call(env, "reissue_coupon", redemption_id=gone.id)
    assert (fresh["title"], fresh["offer"], fresh["status"]) == ("Come Back", "$15", "issued")
    assert fresh["valid_until"] == "06/02/2026"
    assert gone.replacement.id == fresh["coupon_id"]
    assert broken(env) == []


# -- coupons ----


@pytest.mark.parametrize(
    ("code", "number", "offer", "valid_until"),
    [
        ("TRAIL-MAIL", 7, "10%", "06/11/2026"),
        ("TENT-WEEK", 11, "$10", "06/01/2026"),  # ends on May 18
    ],
)
def test_a_campaigns_coupon_ends_soon_after_the_campaign(env, code, number, offer, valid_until):
    owner = shopper(env, number)
    if code == "TENT-WEEK":
        call(
            env,
            "give_up_coupons",
            shopper_id=owner.id,
            coupon_ids=[coupon(env, owner, "Tent Week").id],
        )
    issued = call(env, "issue_coupon", shopper_id=owner.id, campaign_code=code)
    assert (issued["offer"], issued["valid_until"]) == (offer, valid_until)
    assert issued["minimum_basket"] == offers(env, code).minimum_basket
    assert issued["issued_on"] == "05/12/2026"
    assert broken(env) == []


def test_an_extension_counts_from_the_last_day_or_from_today(env):
    owner = shopper(env, 1)
    spring, kitchen = coupon(env, owner, "Spring Hike"), coupon(env, owner, "Kitchen Days")
    assert (spring.valid_until, kitchen.valid_until) == (date(2026, 5, 16), date(2026, 5, 9))
    longer = call(env, "extend_coupon", coupon_id=spring.id, days=10)
    assert (longer["valid_until"], longer["extensions"]) == ("05/26/2026", 1)
    assert call(env, "extend_coupon", coupon_id=kitchen.id, days=7)["valid_until"] == "05/19/2026"


def test_coupons_are_handed_in_together(env):
    owner = shopper(env, 8)
    both = [coupon(env, owner, "Kitchen Days"), coupon(env, owner, "Spring Hike")]
    gone = call(env, "give_up_coupons", shopper_id=owner.id, coupon_ids=[one.id for one in both])
    assert [one["status"] for one in gone] == ["revoked", "revoked"]
    assert all(one.revoked_on == TODAY for one in both)


# -- points ----


def test_points_become_a_coupon_and_points_again(env):
    owner = shopper(env, 8)
    points = owner.points
    quoted = call(env, "quote_points", shopper_id=owner.id, amount=1000)
    assert quoted == {"points": 400, "points_left": points - 400}
    bought = call(env, "convert_points", shopper_id=owner.id, amount=1000)
    assert (bought["points_paid"], bought["offer"]) == (400, "$10")
    assert (bought["valid_until"], bought["stackable"]) == ("08/10/2026", True)
    assert owner.points == points - 400
    assert broken(env) == []
    back = call(env, "return_points_coupon", coupon_id=bought["coupon_id"])
    assert (back["status"], back["points_paid"], owner.points) == ("revoked", 400, points)
    assert broken(env) == []


def test_the_price_in_points_depends_on_the_segment(env):
    prices = {1: 600, 3: 450, 4: 750}
    for number, price in prices.items():
        owner = shopper(env, number)
        if owner.points >= price:
            quoted = call(env, "quote_points", shopper_id=owner.id, amount=1500)
            assert quoted["points"] == price


def test_standing_adds_up_points_savings_and_this_months_goodwill(env):
    owner = shopper(env, 1)
    told = call(env, "standing", shopper_id=owner.id)
    settled = rows(env, "Redemption", shopper=owner, status="settled")
    assert told == {
        "points": 620,
        "points_worth": 1500,  # 620 points at 40 a dollar, in steps of five dollars
        "unused_coupons": len(rows(env, "Coupon", shopper=owner, status="issued")),
        "saved_in_all": sum(one.discount for one in settled),
        "goodwill_this_month": 1000,
        "goodwill_left": 500,
    }


def test_goodwill_is_an_amount_off_any_basket(env):
    owner = shopper(env, 7)
    call_ = {"shopper_id": owner.id, "amount": 750, "cause": "poor_service"}
    given = call(env, "grant_goodwill", **call_)
    assert (given["offer"], given["valid_until"]) == ("$7.50", "07/11/2026")
    assert (given["stackable"], given["minimum_basket"]) == (False, None)


# -- the best coupon ----


def test_the_best_coupon_takes_most_off_and_can_be_used_today(env):
    owner = shopper(env, 1)
    # 15 percent of 80.00 beats 8.00, 10 percent, and 10.00 of goodwill; Kitchen Days is past its
    # date. Of the two Spring Hike coupons one runs out sooner.
    best = call(env, "best_coupon", shopper_id=owner.id, basket_total=8000)
    assert (best["discount"], best["to_pay"]) == (1200, 6800)
    assert best["coupon"]["coupon_id"] == coupon(env, owner, "Spring Hike").id
    small = call(env, "best_coupon", shopper_id=owner.id, basket_total=3000)
    assert (small["coupon"]["title"], small["discount"]) == ("goodwill", 1000)


# -- newsletter and escalation ----


def test_the_newsletter_is_joined_and_left(env):
    owner = shopper(env, 2)
    assert call(env, "join_newsletter", shopper_id=owner.id)["newsletter"] is True
    assert call(env, "leave_newsletter", shopper_id=owner.id)["newsletter"] is False


def test_an_escalation_leaves_a_record(env):
    owner = shopper(env, 2)
    case = call(env, "escalate", shopper_id=owner.id, reason="points_dispute")
    row = rows(env, "PromoEscalation", shopper=owner)[-1]
    assert (row.id, row.reason) == (case["promo_escalation_id"], "points_dispute")
