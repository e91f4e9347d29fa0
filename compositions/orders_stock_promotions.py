"""Orders, stock and promotions: one shop's order desk, stores and discounts in one world."""

from datetime import datetime

from davinci_env.compose import Composition
from davinci_env.domain import moves, sets

composition = Composition(
    "orders_stock_promotions",
    version=1,
    domains=["order_management", "inventory_control", "promotions_engine"],
    today=datetime(2026, 5, 12, 10, 15),
    role="customer desk agent of Alder & Pine, a shop for outdoor and household goods",
    intro="""
    Orders, stock and promotions are kept in three systems, and what happens to a purchase concerns
    all of them: goods are set aside for it in a store, and a discount of the promotions desk is
    booked under its number. The coupons of the promotions desk are not the codes of the order desk.
    """,
    roles={
        "order_management": "the customer of an order",
        "inventory_control": "the requester",
        "promotions_engine": "the shopper",
    },
)
orders, stock, promos = composition.modules
GONE = ("cancelled", "returned", "partially_returned")

composition.link(
    "OrderReservation",
    orders.Order,
    stock.Reservation,
    said=[
        "the reservation that was made for {it}",
        "the reservation that goes with {it}",
        "the reservation I have for {it}",
    ],
    back=["the order that goes with {it}", "the order behind {it}"],
    matches=lambda order, reservation: order.status == "pending" and stock.is_live(reservation),
    note=lambda order, reservation: setattr(reservation, "reference", order.order_id),
)
composition.link(
    "OrderRedemption",
    orders.Order,
    promos.Redemption,
    said=["the discount I got on {it}", "the coupon discount for {it}", "the discount on {it}"],
    matches=lambda order, redemption: redemption.status != "reversed",
    note=lambda order, redemption: setattr(redemption, "purchase_reference", order.order_id),
)


@composition.cross_rule(
    ["reverse_redemption"],
    because=[
        "the order that it was used for stands as it is",
        "the purchase it belongs to has neither been cancelled nor sent back",
        "it counts for as long as its order stands, and nothing of that was returned",
    ],
    concepts=[
        ["order", "purchase"],
        ["stands", "cancelled", "called off", "returned", "sent back"],
    ],
    remedy="cancel_order",
    offers=["it could be reversed once the order is cancelled or something is sent back"],
)
def purchase_called_off(redemption) -> bool:
    """The discount on a purchase is reversed only once its order has been cancelled, or goods of it
    were returned."""
    return all(pair.order.status in GONE for pair in redemption.order_redemptions)


@composition.cross_rule(
    ["collect_reservation"],
    because=[
        "the order it was set aside for hasn't been paid in full yet",
        "something is still owed on the order that it belongs to",
        "the goods are handed out once their order is paid, and part of it is open",
    ],
    concepts=[["order"], ["paid", "pay", "owed", "owe", "payment"]],
    remedy="collect_payment",
    offers=["you could pay what is open on the order first"],
)
def paid_before_handed_out(reservation) -> bool:
    """Goods that were set aside for an order are handed out only once nothing is owed on it."""
    pairs = reservation.order_reservations
    return all(pair.order.paid >= pair.order.total for pair in pairs)


@composition.on(
    orders.Order,
    "cancelled",
    changes=[
        moves("order.order_reservations.reservation", ["held", "ready"], to="released"),
        sets("order.order_reservations.reservation.sku.stock_levels", stock.StockLevel.reserved),
    ],
)
def goods_go_back(db, order) -> None:
    """When an order is cancelled, the goods set aside for it go back on sale at once, unless a
    transfer of them is drafted or in transit."""
    for reservation in (pair.reservation for pair in order.order_reservations):
        if stock.is_live(reservation) and stock.nothing_under_way.predicate(reservation):
            stock.release_reservation(db, reservation)


composition.transfer(
    "redeem_coupon",
    "basket_total",
    orders.Order,
    "total",
    said=["the same amount as {it}", "the same sum as {it}", "exactly the total of {it}"],
)
