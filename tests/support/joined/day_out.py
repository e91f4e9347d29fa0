"""A day out: the swim hall and its snack bar, joined."""

from datetime import datetime

from davinci_env.compose import Composition
from davinci_env.domain import sets

composition = Composition(
    "day_out",
    version=1,
    domains=["swim_hall", "snack_bar"],
    today=datetime(2026, 6, 8, 11, 0),
    role="desk clerk of the leisure centre",
    intro="Lockers and tabs are settled at one desk.",
    roles={"swim_hall": "a swimmer", "snack_bar": "a guest"},
)
hall, bar = composition.modules

composition.link(
    "LockerTab",
    hall.Locker,
    bar.Tab,
    said=["the tab for {it}"],
    back=["the locker that goes with {it}"],
    matches=lambda locker, tab: locker.status == "rented" and tab.status == "open",
)


@composition.cross_rule(
    ["empty_locker"],
    because=["the tab that goes with it hasn't been paid"],
    concepts=[["tab"], ["paid", "pay"]],
    remedy="pay_tab",
)
def tab_is_paid(locker) -> bool:
    """A locker is emptied only once the tab that goes with it is paid."""
    return all(pair.tab.status == "paid" for pair in locker.locker_tabs)


@composition.cross_rule(
    {"add_tip": "tab"},
    by="agent",
    because=["you rent no locker at the moment"],
    concepts=[["locker"]],
)
def has_a_locker(tab) -> bool:
    """Tips are taken only from guests who rent a locker in the hall."""
    swimmer = composition.as_known_in(hall.Swimmer, tab.guest)
    return swimmer is not None and any(x.status == "rented" for x in swimmer.lockers)


@composition.on(hall.Locker, "emptied", changes=[sets("locker.locker_tabs.tab", bar.Tab.tip)])
def tips_end(db, locker) -> None:
    """When a locker is emptied, the tip on the tab that goes with it is struck."""
    for pair in locker.locker_tabs:
        pair.tab.tip = 0


composition.transfer("add_tip", "amount", hall.Locker, "fee", said=["as much as {it} costs"])
