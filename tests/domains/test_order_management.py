"""The order desk: seed, pending orders, duties and reads, as agents meet them."""

from datetime import timedelta

import pytest

from davinci_env.domain.examples import failing_examples
from davinci_env.environment import Event
from tests.domains.order_desk import TODAY, Desk, cents, wallet


@pytest.fixture
def desk() -> Desk:
    return Desk()


# -- the seed --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [0.2, 0.25, 1.0, 4.0])
def test_invariants_hold_in_a_new_world(scale: float) -> None:
    desk = Desk(seed=3, scale=scale)
    broken = [
        (check.__name__, row.id)
        for entity, check in desk.env.domain.invariants
        for row in desk.env.world.all(entity)
        if not check(row)
    ]
    assert broken == []


def test_seed_reaches_every_state_and_gives_owners_enough_rows(desk: Desk) -> None:
    for name, entity in desk.entities.items():
        cycle = entity._info.lifecycle
        if cycle is not None:
            column = entity._info.state_column
            assert {getattr(row, column) for row in desk.rows(name)} == set(cycle.states), name
    for customer in desk.rows("Customer"):
        assert len(customer.orders) >= 5
        assert sum(len(order.lines) for order in customer.orders) >= 8
    assert 150 <= sum(len(desk.rows(name)) for name in desk.entities) <= 600


def test_worked_examples_of_the_helpers_hold(desk: Desk) -> None:
    assert failing_examples(desk.env.domain.helpers) == []


# -- pending orders --------------------------------------------------------------------------------


def test_another_line_is_priced_today_and_reprices_the_order(desk: Desk) -> None:
    order = desk.find("Order", lambda o: o.status == "pending" and not o.coupon)
    mine = {line.variant.id for line in order.lines}
    variant = desk.find("Variant", lambda v: v.stock >= 2 and v.id not in mine)
    goods = sum(line.unit_price * line.quantity for line in order.lines) + 2 * variant.price
    fee = 0 if goods >= 7500 or order.customer.tier == "gold" else 595
    stock = variant.stock

    shown = desk.ok("add_order_line", order_id=order.id, sku=variant.id, quantity=2)

    assert cents(shown["total"]) == goods + fee
    assert variant.stock == stock - 2
    assert desk.refused("add_order_line", order_id=order.id, sku=variant.id, quantity=1) == (
        "not_in_order_yet"
    )


@pytest.mark.parametrize(
    ("category", "most"), [("electronics", 2), ("footwear", 4), ("kitchen", 6)]
)
def test_units_of_one_article_are_limited(desk: Desk, category: str, most: int) -> None:
    order = desk.find("Order", lambda o: o.status == "pending" and not o.coupon)
    mine = {line.variant.id for line in order.lines}
    variant = desk.find(
        "Variant",
        lambda v: v.product.category == category and v.stock > most and v.id not in mine,
    )
    arguments = {"order_id": order.id, "sku": variant.id}
    assert desk.refused("add_order_line", **arguments, quantity=most + 1) == "units_within_limit"
    desk.ok("add_order_line", **arguments, quantity=most)


def test_sold_out_variants_are_refused(desk: Desk) -> None:
    order = desk.find("Order", lambda o: o.status == "pending")
    mine = {line.variant.id for line in order.lines}
    variant = desk.find("Variant", lambda v: v.stock == 0 and v.id not in mine)
    assert desk.refused("add_order_line", order_id=order.id, sku=variant.id, quantity=1) == (
        "enough_stock"
    )


def test_fewer_units_give_the_overpaid_amount_back_to_the_card(desk: Desk) -> None:
    order = desk.find(
        "Order",
        lambda o: (
            o.status == "pending"
            and o.paid == o.total
            and not o.coupon
            and any(line.quantity > 1 for line in o.lines)
        ),
    )
    line = next(line for line in order.lines if line.quantity > 1)
    before, stock, units = order.paid, line.variant.stock, line.quantity

    shown = desk.ok("set_line_quantity", line_id=line.id, quantity=1)

    refund = next(payment for payment in order.payments if payment.kind == "refund")
    assert refund.payment_method is order.payment_method
    assert refund.amount == before - cents(shown["total"])
    assert shown["paid"] == shown["total"]
    assert line.variant.stock == stock + units - 1
    assert desk.refused("set_line_quantity", line_id=line.id, quantity=1) == "quantity_unchanged"


def test_last_line_stays_until_another_one_is_added(desk: Desk) -> None:
    order = desk.find("Order", lambda o: o.status == "pending" and len(o.lines) == 1)
    line = order.lines[0]
    assert desk.refused("remove_order_line", line_id=line.id) == "not_the_last_line"
    other = desk.find("Variant", lambda v: v.stock > 0 and v is not line.variant)
    desk.ok("add_order_line", order_id=order.id, sku=other.id, quantity=1)
    shown = desk.ok("remove_order_line", line_id=line.id)
    fee = 0 if other.price >= 7500 or order.customer.tier == "gold" else 595
    assert cents(shown["total"]) == other.price + fee


def test_coupon_takes_its_share_of_each_line_and_can_be_saved(desk: Desk) -> None:
    order = desk.find(
        "Order",
        lambda o: (
            o.status == "pending"
            and not o.coupon
            and o.paid == o.total
            and sum(line.unit_price * line.quantity for line in o.lines) >= 12000
            and not any(
                other.coupon and other.coupon.code == "SPRING15" for other in o.customer.orders
            )
        ),
    )
    total = order.total
    saved = sum(line.unit_price * line.quantity * 15 // 100 for line in order.lines)

    shown = desk.ok("apply_coupon", order_id=order.id, code="SPRING15")
    assert cents(shown["discount"]) == saved
    assert cents(shown["paid"]) == cents(shown["total"]) == total - saved
    assert desk.refused("apply_coupon", order_id=order.id, code="WELCOME10") == "no_coupon_yet"

    shown = desk.ok("remove_coupon", order_id=order.id)
    assert (cents(shown["total"]), cents(shown["paid"])) == (total, total - saved)
    assert desk.refused("remove_coupon", order_id=order.id) == "coupon_to_remove"


def test_coupon_terms(desk: Desk) -> None:
    plain = desk.find(
        "Order",
        lambda o: (
            o.status == "pending"
            and not o.coupon
            and sum(line.unit_price * line.quantity for line in o.lines) < 15000
            and not any(x.coupon and x.coupon.code == "BUNDLE20" for x in o.customer.orders)
        ),
    )
    assert desk.refused("apply_coupon", order_id=plain.id, code="FLASH30") == "coupon_in_force"
    assert desk.refused("apply_coupon", order_id=plain.id, code="BUNDLE20") == (
        "coupon_minimum_reached"
    )
    used = desk.find("Order", lambda o: o.coupon and o.coupon.code == "WELCOME10")
    other = next(o for o in used.customer.orders if o.status == "pending" and not o.coupon)
    assert desk.refused("apply_coupon", order_id=other.id, code="WELCOME10") == "coupon_unused"
    desk.ok("cancel_order", order_id=used.id)
    desk.ok("apply_coupon", order_id=other.id, code="WELCOME10")


def test_balance_then_hold_then_warehouse(desk: Desk) -> None:
    order = desk.find("Order", lambda o: o.hold == "payment_review" and o.paid < o.total)
    card, gift = wallet(order.customer, "card"), wallet(order.customer, "gift_card")
    expired = wallet(order.customer, "card", in_date=False)
    owed = order.total - order.paid
    assert desk.refused("send_to_warehouse", order_id=order.id) == "no_hold"
    assert desk.refused("clear_hold", order_id=order.id) == "nothing_outstanding"

    def pay(method, amount: int) -> dict[str, str]:
        text = f"{amount // 100}.{amount % 100:02d}"
        return {"order_id": order.id, "payment_method_id": method.id, "amount": text}

    assert desk.refused("collect_payment", **pay(card, owed + 1)) == "within_balance_due"
    assert desk.refused("collect_payment", **pay(expired, owed)) == "card_in_date"
    stranger = next(m for m in desk.rows("PaymentMethod") if m.customer is not order.customer)
    assert desk.refused("collect_payment", **pay(stranger, 100)) == "method_in_wallet"
    balance = gift.balance
    if balance < owed:
        assert desk.refused("collect_payment", **pay(gift, owed)) == "gift_card_covers"
    share = min(balance, owed - 1)
    if share:
        desk.ok("collect_payment", **pay(gift, share))
        assert gift.balance == balance - share
    desk.ok("collect_payment", **pay(card, owed - share))

    assert desk.ok("clear_hold", order_id=order.id)["hold"] is None
    assert desk.ok("send_to_warehouse", order_id=order.id)["status"] == "processing"


def test_address_check_needs_a_deliverable_address(desk: Desk) -> None:
    order = desk.find("Order", lambda o: o.hold == "address_check" and not o.address.deliverable)
    card = wallet(order.customer, "card")
    if order.paid < order.total:
        owed = order.total - order.paid
        desk.ok(
            "collect_payment",
            order_id=order.id,
            payment_method_id=card.id,
            amount=f"{owed // 100}.{owed % 100:02d}",
        )
    assert desk.refused("clear_hold", order_id=order.id) == "address_deliverable"
    home = next(a for a in order.customer.addresses if a.nickname == "home")
    desk.ok("change_delivery_address", order_id=order.id, address_id=home.id)
    desk.ok("clear_hold", order_id=order.id)


def test_fraud_review_is_left_alone(desk: Desk) -> None:
    order = desk.find("Order", lambda o: o.hold == "fraud_review")
    assert desk.refused("clear_hold", order_id=order.id) == "not_in_fraud_review"
    assert desk.refused("cancel_order", order_id=order.id) == "not_in_fraud_review"


def test_valuable_orders_go_home_only(desk: Desk) -> None:
    def redirect(order, nickname: str) -> tuple[str, ...]:
        address = next(a for a in order.customer.addresses if a.nickname == nickname)
        return desk.violated("change_delivery_address", order_id=order.id, address_id=address.id)

    dear = desk.find(
        "Order",
        lambda o: o.status == "pending" and o.total >= 25000 and o.address.nickname == "home",
    )
    cheap = desk.find(
        "Order",
        lambda o: o.status == "pending" and o.total < 25000 and o.address.nickname == "home",
    )
    assert "valuables_go_home" in redirect(dear, "work")
    assert "valuables_go_home" not in redirect(dear, "home")
    assert "valuables_go_home" not in redirect(cheap, "work")


def test_valuable_orders_leave_for_home_only(desk: Desk) -> None:
    def released(order) -> tuple[str, ...]:
        return desk.violated("send_to_warehouse", order_id=order.id)

    ready = [o for o in desk.rows("Order") if o.status == "pending" and not o.hold]
    ready = [o for o in ready if o.paid == o.total >= 25000]
    away = next(o for o in ready if o.address.nickname != "home")
    home = next(o for o in ready if o.address.nickname == "home")
    assert "valuables_leave_for_home" in released(away)
    assert "valuables_leave_for_home" not in released(home)


def test_an_order_under_review_stays_as_it_is_and_is_paid_in_one_go(desk: Desk) -> None:
    review = desk.find("Order", lambda o: o.hold == "payment_review" and o.paid < o.total)
    check = desk.find("Order", lambda o: o.hold == "address_check")
    variant = desk.find("Variant", lambda v: v.stock > 0)
    for order, frozen in ((review, True), (check, False)):
        mark = desk.env.snapshot()
        broken = desk.violated("add_order_line", order_id=order.id, sku=variant.id)
        assert ("reviews_freeze_contents" in broken) == frozen
        desk.env.restore(mark)

    owed = review.total - review.paid
    for amount, split in ((owed // 2, True), (owed, False)):
        mark = desk.env.snapshot()
        broken = desk.violated(
            "collect_payment",
            order_id=review.id,
            payment_method_id=wallet(review.customer, "card").id,
            amount=f"{amount // 100}.{amount % 100:02d}",
        )
        assert ("reviews_paid_in_one" in broken) == split
        desk.env.restore(mark)


def test_a_bundle_coupon_needs_two_articles(desk: Desk) -> None:
    for articles, refused in ((1, True), (2, False)):
        order = desk.find(
            "Order",
            lambda o, articles=articles: (
                o.status == "pending"
                and not o.coupon
                and len(o.lines) == articles
                and sum(line.unit_price * line.quantity for line in o.lines) >= 15000
                and not any(x.coupon and x.coupon.bundle for x in o.customer.orders)
            ),
        )
        broken = desk.violated("apply_coupon", order_id=order.id, code="BUNDLE20")
        assert ("bundle_needs_a_set" in broken) == refused


def test_only_what_is_there_can_be_cleared_or_taken_off(desk: Desk) -> None:
    order = desk.find("Order", lambda o: o.status == "pending" and not o.hold and not o.coupon)
    assert desk.refused("clear_hold", order_id=order.id) == "something_to_clear"
    assert desk.refused("remove_coupon", order_id=order.id) == "coupon_to_remove"


def test_a_line_has_one_unit_unless_more_are_asked_for(desk: Desk) -> None:
    order = desk.find("Order", lambda o: o.status == "pending" and not o.coupon)
    mine = {line.variant.id for line in order.lines}
    variant = desk.find("Variant", lambda v: v.stock > 0 and v.id not in mine)
    desk.ok("add_order_line", order_id=order.id, sku=variant.id)
    assert [line.quantity for line in order.lines if line.variant is variant] == [1]


def test_cancelling_gives_back_all_money_and_goods_within_the_hours(desk: Desk) -> None:
    sent = [order for order in desk.rows("Order") if order.status == "processing"]
    late, fresh = (pick(sent, key=lambda order: order.released_at) for pick in (min, max))
    assert desk.refused("cancel_order", order_id=late.id) == "cancelled_in_time"
    stocks = [(line.variant, line.variant.stock + line.quantity) for line in fresh.lines]
    total = fresh.total
    assert desk.ok("cancel_order", order_id=fresh.id)["paid"] == "0.00"
    assert all(variant.stock == stock for variant, stock in stocks)
    refunds = [p for p in fresh.payments if p.purpose == "cancellation"]
    assert [(p.amount, p.payment_method) for p in refunds] == [(total, fresh.payment_method)]


# -- the agent's own duties ------------------------------------------------------------------------


def test_identification_takes_the_email_or_name_with_postcode(desk: Desk) -> None:
    first, second = desk.rows("Customer")[:2]
    look = ("list_customer_orders", {"customer_id": first.id})

    def identified() -> bool:
        return "customer_identified" not in desk.violated(look[0], **look[1])

    assert not identified()
    desk.reveal(phone=first.phone, email=second.email)
    assert not identified()
    desk.reveal(name=first.name)
    assert not identified()
    desk.reveal(postcode=first.postcode)
    assert identified()

    desk.env.reset()
    desk.reveal(email=first.email)
    assert identified()


def test_confirmation_covers_exactly_one_call(desk: Desk) -> None:
    order = desk.find("Order", lambda o: o.status == "pending" and o.paid == o.total and not o.hold)
    arguments = {"order_id": order.id}
    mark = desk.env.snapshot()
    assert "details_confirmed" in desk.violated("send_to_warehouse", **arguments)
    desk.env.restore(mark)
    subject = {"tool": "send_to_warehouse", "arguments": arguments}
    desk.env.observe(Event("proposed", subject))
    desk.env.observe(Event("confirmed", subject))
    assert "details_confirmed" not in desk.violated("send_to_warehouse", **arguments)
    assert "details_confirmed" in desk.violated("cancel_order", **arguments)


# -- looking things up -----------------------------------------------------------------------------


def test_a_customer_is_found_by_email_and_by_name_with_postcode(desk: Desk) -> None:
    customer = desk.rows("Customer")[3]
    by_email = desk.ok("look_up_customer_by_email", email=customer.email)
    by_name = desk.ok(
        "look_up_customer_by_name", full_name=customer.name, postcode=customer.postcode
    )
    assert by_email["customer_id"] == customer.id
    assert [row["customer_id"] for row in by_name] == [customer.id]
    assert desk.ok("look_up_customer_by_name", full_name=customer.name, postcode="ZZ00") == []


def test_account_summary_adds_up_the_payments_of_the_period(desk: Desk) -> None:
    customer = desk.rows("Customer")[0]
    since = TODAY - timedelta(days=10)
    orders = [o for o in customer.orders if o.status != "cancelled" and o.placed_on >= since]
    charges = [p.amount for o in orders for p in o.payments if p.kind == "charge"]
    owed = [o.total - o.paid for o in orders if o.status == "pending"]
    shown = desk.ok("summarize_account", customer_id=customer.id, since=f"{since:%m/%d/%Y}")
    assert shown["orders"] == len(orders)
    assert cents(shown["spent"]) == sum(charges)
    assert cents(shown["outstanding"]) == sum(owed)
