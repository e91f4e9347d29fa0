"""The order desk after delivery: returns, refunds, exchanges, price matches and goodwill."""

import pytest

from tests.domains.order_desk import (
    LABEL_FEE,
    RETURN_DAYS,
    TODAY,
    Desk,
    cents,
    kept,
    quiet,
    returnable,
    wallet,
)


@pytest.fixture
def desk() -> Desk:
    return Desk()


# -- returns and refunds ---------------------------------------------------------------------------


@pytest.mark.parametrize("reason", ["change_of_mind", "damaged_item"])
@pytest.mark.parametrize("tier", ["basic", "silver", "gold"])
def test_return_fees_follow_category_tier_and_reason(desk: Desk, tier: str, reason: str) -> None:
    percent = {"electronics": 15, "kitchen": 10}
    for order in desk.rows("Order"):
        if returnable(order) and order.customer.tier == tier:
            goods = fees = 0
            for line in kept(order):
                value = line.unit_price * line.quantity
                goods += value
                fees += value * percent.get(line.variant.product.category, 0) // 100
            fees = 0 if reason == "damaged_item" else fees + LABEL_FEE[tier]
            quote = desk.ok(
                "quote_return",
                **{
                    "order_id": order.id,
                    desk.lines_key: [line.id for line in kept(order)],
                    "reason": reason,
                },
            )
            assert cents(quote["goods"]) == goods
            assert cents(quote["fees"]) == fees
            assert cents(quote["refund"]) == goods - fees


def test_discounts_are_taken_off_what_comes_back(desk: Desk) -> None:
    order = desk.find("Order", lambda o: o.discount and o.status == "delivered" and kept(o))
    line = kept(order)[0]
    value = line.unit_price * line.quantity
    arguments = {"order_id": order.id, desk.lines_key: [line.id], "reason": "wrong_item"}
    quote = desk.ok("quote_return", **arguments)
    assert cents(quote["refund"]) == value - value * order.coupon.percent // 100


def test_return_window_ends_with_its_last_day(desk: Desk) -> None:
    ended = {0: None, 1: "in_return_window"}
    for over, code in ended.items():
        order = desk.find(
            "Order",
            lambda o, over=over: (
                o.status == "delivered"
                and (TODAY - o.delivered_on).days == RETURN_DAYS[o.customer.tier] + over
                and any(line.variant.product.category != "personal_care" for line in o.lines)
            ),
        )
        line = next(x for x in kept(order) if x.variant.product.category != "personal_care")
        arguments = desk.return_arguments(order, [line], order.payment_method)
        if code is None:
            desk.ok("request_return", **arguments)
        else:
            assert desk.refused("request_return", **arguments) == code


def test_one_return_at_a_time_and_cancelling_makes_room(desk: Desk) -> None:
    request = desk.find(
        "ReturnRequest",
        lambda r: (
            r.status == "requested"
            and any(x.variant.product.category != "personal_care" for x in kept(r.order))
        ),
    )
    order = request.order
    line = next(x for x in kept(order) if x.variant.product.category != "personal_care")
    arguments = desk.return_arguments(order, [line], order.payment_method)
    assert desk.refused("request_return", **arguments) == "one_return_at_a_time"
    coming_back = request.lines
    desk.ok("cancel_return", return_request_id=request.id)
    assert all(x.status == "ordered" for x in coming_back) and request.lines == ()
    both = desk.return_arguments(order, [*coming_back, line], order.payment_method)
    assert desk.ok("request_return", **both)["status"] == "requested"
    assert desk.refused("request_return", **both) == "lines_still_kept"


def test_personal_care_is_exchanged_but_not_returned(desk: Desk) -> None:
    line = desk.find(
        "OrderLine",
        lambda x: (
            x.variant.product.category == "personal_care"
            and x.status == "ordered"
            and x.order.status == "delivered"
            and quiet(x.order)
            and (TODAY - x.order.delivered_on).days <= 30
            and any(
                v.stock >= x.quantity and v is not x.variant for v in x.variant.product.variants
            )
        ),
    )
    arguments = desk.return_arguments(line.order, [line], line.order.payment_method)
    mark = desk.env.snapshot()
    assert "not_final_sale" in desk.violated("request_return", **arguments)
    desk.env.restore(mark)
    other = next(
        v
        for v in line.variant.product.variants
        if v.stock >= line.quantity and v is not line.variant
    )
    desk.ok("exchange_line", line_id=line.id, sku=other.id)


def test_refunds_go_to_the_orders_card_or_to_a_gift_card(desk: Desk) -> None:
    request = desk.find("ReturnRequest", lambda r: r.status == "requested")
    customer = request.order.customer
    other_card = next(
        m
        for m in customer.payment_methods
        if m.kind == "card" and m is not request.order.payment_method
    )
    arguments = {"return_request_id": request.id}
    mark = desk.env.snapshot()
    assert "refund_goes_home" in desk.violated(
        "redirect_refund", **arguments, payment_method_id=other_card.id
    )
    desk.env.restore(mark)
    stranger = desk.find("PaymentMethod", lambda m: m.customer is not customer)
    assert desk.refused("redirect_refund", **arguments, payment_method_id=stranger.id) == (
        "method_in_wallet"
    )
    gift = wallet(customer, "gift_card")
    assert "refund_goes_home" not in desk.violated(
        "redirect_refund", **arguments, payment_method_id=gift.id
    )
    assert desk.refused("redirect_refund", **arguments, payment_method_id=gift.id) == "same_method"
    assert desk.refused("issue_refund", **arguments) == "return_request_not_received"


def test_a_full_gift_card_and_an_expired_card_take_no_refund(desk: Desk) -> None:
    full = desk.find(
        "ReturnRequest",
        lambda r: r.status == "received" and r.payment_method.kind == "gift_card",
    )
    assert full.payment_method.balance + full.refund > 50000
    assert desk.refused("issue_refund", return_request_id=full.id) == "refund_can_arrive"
    expired = desk.find(
        "ReturnRequest",
        lambda r: (
            r.status == "received"
            and r.payment_method.expires_on is not None
            and r.payment_method.expires_on < TODAY
        ),
    )
    assert desk.refused("issue_refund", return_request_id=expired.id) == "refund_can_arrive"

    order, lines = full.order, full.lines
    stocks = [(line.variant, line.variant.stock) for line in lines]
    paid = order.paid
    desk.ok("redirect_refund", return_request_id=full.id, payment_method_id=order.payment_method.id)
    desk.ok("issue_refund", return_request_id=full.id)
    assert order.paid == paid - full.refund
    assert order.status == ("returned" if len(lines) == len(order.lines) else "partially_returned")
    for (variant, stock), line in zip(stocks, lines, strict=True):
        back = 0 if full.reason == "damaged_item" else line.quantity
        assert variant.stock == stock + back


def test_bundles_come_back_whole(desk: Desk) -> None:
    order = desk.find(
        "Order",
        lambda o: (
            o.status == "delivered"
            and o.discount
            and o.coupon.bundle
            and len(o.lines) > 1
            and all(line.variant.product.category != "personal_care" for line in o.lines)
        ),
    )
    part = desk.return_arguments(order, order.lines[:1], order.payment_method)
    whole = desk.return_arguments(order, order.lines, order.payment_method)
    mark = desk.env.snapshot()
    assert "bundles_stay_whole" in desk.violated("request_return", **part)
    desk.env.restore(mark)
    assert "bundles_stay_whole" not in desk.violated("request_return", **whole)


def test_no_exchange_beside_a_return_nor_the_reverse(desk: Desk) -> None:
    order = desk.find(
        "Order",
        lambda o: (
            returnable(o)
            and o.payment_method.expires_on >= TODAY
            and all(line.variant.product.category != "personal_care" for line in o.lines[:1])
            and any(
                v.stock >= o.lines[1].quantity and v is not o.lines[1].variant
                for v in o.lines[1].variant.product.variants
            )
        ),
    )
    first, second = order.lines[:2]
    other = next(
        v
        for v in second.variant.product.variants
        if v.stock >= second.quantity and v is not second.variant
    )
    send_back = desk.return_arguments(order, [first], order.payment_method)
    swap = {"line_id": second.id, "sku": other.id}
    mark = desk.env.snapshot()
    assert "no_return_beside_exchange" not in desk.violated("request_return", **send_back)
    assert "no_exchange_beside_return" in desk.violated("exchange_line", **swap)
    desk.env.restore(mark)
    assert "no_exchange_beside_return" not in desk.violated("exchange_line", **swap)
    assert "no_return_beside_exchange" in desk.violated("request_return", **send_back)


# -- exchanges, price matches, goodwill ------------------------------------------------------------


def test_exchange_settles_the_difference_and_can_be_undone(desk: Desk) -> None:
    def dearer(line):
        return [
            v
            for v in line.variant.product.variants
            if v.price > line.unit_price and v.stock >= line.quantity
        ]

    line = desk.find(
        "OrderLine",
        lambda x: (
            returnable(x.order)
            and x.status == "ordered"
            and x.order.payment_method.expires_on >= TODAY
            and dearer(x)
        ),
    )
    order, old, new = line.order, line.variant, dearer(line)[0]
    total, paid, stock, price = order.total, order.paid, new.stock, line.unit_price
    difference = (new.price - price) * line.quantity
    quote = desk.ok("quote_exchange", line_id=line.id, sku=new.id)
    assert (cents(quote["to_charge"]), cents(quote["to_refund"])) == (difference, 0)

    shown = desk.ok("exchange_line", line_id=line.id, sku=new.id)

    assert (cents(shown["charged"]), cents(shown["refunded"])) == (difference, 0)
    assert (order.total, order.paid) == (total + difference, paid + difference)
    assert (line.variant, line.unit_price, new.stock) == (new, new.price, stock - line.quantity)

    desk.ok("cancel_exchange", exchange_id=shown["exchange_id"])
    assert (order.total, order.paid, new.stock) == (total, paid, stock)
    assert (line.variant, line.unit_price, line.status) == (old, price, "ordered")


def test_exchange_stays_within_the_product(desk: Desk) -> None:
    line = desk.find("OrderLine", lambda x: returnable(x.order) and x.status == "ordered")
    stranger = desk.find("Variant", lambda v: v.product is not line.variant.product and v.stock > 5)
    for sku in (stranger.id, line.variant.id):
        assert desk.refused("exchange_line", line_id=line.id, sku=sku) == "like_for_like"


def test_price_match_gives_the_drop_back_once_and_in_time(desk: Desk) -> None:
    def dropped(age: int, coupon: bool):
        return desk.find(
            "OrderLine",
            lambda x: (
                x.unit_price > x.variant.price
                and x.status == "ordered"
                and (TODAY - x.order.placed_on).days == age
                and bool(x.order.coupon) == coupon
            ),
        )

    line = dropped(14, False)
    drop = (line.unit_price - line.variant.price) * line.quantity
    paid = line.order.paid
    assert "price_match_in_time" not in desk.violated("match_price", line_id=line.id)
    assert line.order.paid == paid - drop
    assert desk.refused("match_price", line_id=line.id) == "price_has_dropped"
    assert "price_match_in_time" in desk.violated("match_price", line_id=dropped(15, False).id)
    assert "no_price_match_on_coupons" in desk.violated("match_price", line_id=dropped(13, True).id)


def test_goodwill_is_limited_by_tier_and_given_once(desk: Desk) -> None:
    most = {"basic": "10.00", "silver": "20.00", "gold": "30.00"}
    for tier, amount in most.items():
        order = desk.find(
            "Order",
            lambda o, tier=tier: (
                o.customer.tier == tier
                and o.status == "delivered"
                and o.payment_method.expires_on >= TODAY
                and not any(p.purpose == "goodwill" for p in o.payments)
            ),
        )
        above = f"{amount[:-1]}1"
        paid = order.paid
        arguments = {"order_id": order.id}
        mark = desk.env.snapshot()
        assert "goodwill_within_limit" in desk.violated(
            "grant_goodwill_credit", **arguments, amount=above
        )
        desk.env.restore(mark)
        first = desk.violated("grant_goodwill_credit", **arguments, amount=amount)
        assert {"one_goodwill_credit", "goodwill_within_limit"}.isdisjoint(first)
        assert order.paid == paid
        again = desk.violated("grant_goodwill_credit", **arguments, amount="1.00")
        assert "one_goodwill_credit" in again


def test_goodwill_needs_a_late_lost_or_faulty_delivery(desk: Desk) -> None:
    def cause(order) -> bool:
        late = any(
            x.status == "lost" or (order.delivered_on or TODAY) > x.expected_on
            for x in order.shipments
        )
        return late or any(r.reason in ("damaged_item", "wrong_item") for r in order.returns)

    def credit(order) -> tuple[str, ...]:
        mark = desk.env.snapshot()
        found = desk.violated("grant_goodwill_credit", order_id=order.id, amount="1.00")
        desk.env.restore(mark)
        return found

    orders = [
        o
        for o in desk.rows("Order")
        if o.status in ("shipped", "delivered", "partially_returned")
        and o.payment_method.expires_on >= TODAY
    ]
    assert {cause(order) for order in orders} == {True, False}
    for order in orders:
        assert ("goodwill_has_a_cause" in credit(order)) == (not cause(order)), order.id


def test_a_return_for_damage_is_not_called_off(desk: Desk) -> None:
    for damaged in (True, False):
        request = desk.find(
            "ReturnRequest",
            lambda r, damaged=damaged: (
                r.status == "requested" and (r.reason == "damaged_item") == damaged
            ),
        )
        broken = desk.violated("cancel_return", return_request_id=request.id)
        assert ("damaged_goods_come_back" in broken) == damaged


def test_store_credit_goes_back_to_a_card_only_where_it_does_not_fit(desk: Desk) -> None:
    def redirected(request, method) -> tuple[str, ...]:
        return desk.violated(
            "redirect_refund", return_request_id=request.id, payment_method_id=method.id
        )

    def waiting(fits: bool):
        return desk.find(
            "ReturnRequest",
            lambda r: (
                r.status in ("requested", "received")
                and r.payment_method.kind == "gift_card"
                and (r.payment_method.balance + r.refund <= 50000) == fits
            ),
        )

    chosen, full = waiting(True), waiting(False)
    assert "store_credit_stays" in redirected(chosen, chosen.order.payment_method)
    assert "store_credit_stays" not in redirected(full, full.order.payment_method)
    assert "store_credit_stays" not in redirected(full, wallet(full.order.customer, "gift_card"))
