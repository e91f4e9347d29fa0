"""A brokerage account with stocks and orders, generated from a seed for BFCL's trading class."""

from __future__ import annotations

import random
from typing import Any

TODAY = "2024-09-01"
"""The day at which the class's own clock stands."""

# Symbols that the class itself knows by a company's name or a sector; prices are ours, those of
# companies that the words name such that the words' orders are not far off.
_SYMBOLS = {
    "AAPL": (150, 260), "GOOG": (120, 210), "TSLA": (160, 380), "MSFT": (240, 400),
    "NVDA": (120, 260), "ZETA": (110, 240), "ALPH": (150, 390), "OMEG": (150, 400),
    "QUAS": (140, 380), "NEPT": (120, 260), "SYNX": (120, 360), "AMZN": (110, 220),
    "GORI": (25, 95), "F": (9, 16), "GM": (30, 60),
}  # fmt: skip


def brokerage(rng: random.Random) -> dict[str, Any]:
    """An account with 15 stocks, 10 to 14 orders, a watchlist and past transactions."""
    stocks = {}
    for symbol, (least, most) in _SYMBOLS.items():
        price = round(rng.uniform(least, most), 2)
        stocks[symbol] = {
            "price": price,
            "percent_change": round(rng.uniform(-6, 6), 2),
            "volume": round(rng.uniform(0.2, 9), 3),
            "MA(5)": round(price * rng.uniform(0.97, 1.03), 2),
            "MA(20)": round(price * rng.uniform(0.92, 1.08), 2),
        }
    number = rng.randint(20100, 69900)
    orders = {}
    for _ in range(rng.randint(10, 14)):
        symbol = rng.choice(sorted(stocks))
        orders[number] = {
            "id": number,
            "order_type": rng.choice(("Buy", "Buy", "Sell")),
            "symbol": symbol,
            "price": round(stocks[symbol]["price"] * rng.uniform(0.94, 1.06), 2),
            "amount": rng.choice((2, 3, 5, 8, 10, 12, 15, 20, 25, 40)),
            "status": rng.choice(("Open", "Open", "Pending", "Completed", "Completed")),
        }
        number += rng.randint(1, 30)
    return {
        "random_seed": rng.randrange(10**6),
        "orders": orders,
        "account_info": {
            "account_id": rng.randint(10000, 99999),
            "balance": round(rng.uniform(4000, 60000), 2),
            "binding_card": rng.randint(4000_0000_0000_0000, 4999_9999_9999_9999),
        },
        "authenticated": False,
        "market_status": "Open",
        "order_counter": number,
        "stocks": stocks,
        "watch_list": rng.sample(sorted(stocks), 4),
        "transaction_history": _transactions(rng),
    }


def _transactions(rng: random.Random) -> list[dict[str, Any]]:
    year = [f"2024-{month:02d}-{day:02d}" for month in range(3, 9) for day in range(1, 29)]
    return [
        {
            "type": rng.choice(("deposit", "deposit", "withdrawal")),
            "amount": float(rng.choice((120, 250, 400, 650, 900, 1500, 2200, 3000))),
            "timestamp": f"{day} {rng.randint(8, 17):02d}:{rng.randint(0, 59):02d}:00",
        }
        for day in sorted(rng.sample(year, rng.randint(8, 12)))
    ]
