"""Orders and stock: the shop's order desk, with what is set aside for an order in its stores."""

from datetime import datetime

from davinci_env.compose import Composition
from davinci_env.domain import moves, sets

composition = Composition(
    "orders_and_stock",
    version=1,
    domains=["order_management", "inventory_control"],
    today=datetime(2026, 5, 12, 10, 15),
    role="order and stock desk agent of Alder & Pine, a shop for outdoor and household goods",
    intro="""
    Orders and stock are kept in two systems. Goods can be set aside in a store for an order, and
    are handed out there instead of being sent. Look into both before you promise anything.
    """,
    roles={"order_management": "the customer of an order", "inventory_control": "the requester"},
)
orders, stock = composition.modules

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


@composition.cross_rule(
    ["send_to_warehouse"],
    by="agent",
    because=[
        "goods for it are still set aside in a store, and would be sent twice",
        "there is a reservation for it in a store, so that you would get the goods twice",
        "something is kept at a store for it, and has to be given up first",
    ],
    concepts=[["set aside", "reserved", "reservation", "store"]],
    remedy="release_reservation",
    offers=["the reservation could be let go first", "you could give up the reservation first"],
)
def not_set_aside_as_well(order) -> bool:
    """Before an order goes to the warehouse, see that nothing is set aside for it in a store: it
    would be handed out and sent as well. Let the reservation go first."""
    return not any(stock.is_live(pair.reservation) for pair in order.order_reservations)


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
