"""The `task` measure: a task explored, solved, certified and verified, on worlds of about a hundred
rows.
"""

from __future__ import annotations

import time
from statistics import median

from ..tasks.units import CYCLE, Order, make

DOMAIN = "library_lending"
SCALE = 0.2
"""At this scale the domain's world has about a hundred rows."""

UNITS = 18


def task_microseconds(rounds: int = 3) -> float:
    """CPU time of one certified task, in µs: the median over rounds of units of all kinds.

    A round makes its units from the same orders, so that every round does the same work; what it
    spends on rejected candidates and on draws without one counts.
    """
    orders = [Order(DOMAIN, CYCLE[i % len(CYCLE)], i, 0, SCALE) for i in range(UNITS)]
    make(orders[0])
    costs = []
    for _ in range(rounds):
        start = time.thread_time_ns()
        tasks = sum(len(make(order).tasks) for order in orders)
        costs.append((time.thread_time_ns() - start) / 1000 / max(1, tasks))
    return median(costs)
