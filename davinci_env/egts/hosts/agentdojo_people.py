"""People, firms and places that the generated states of the AgentDojo systems draw on.

All of them are made up here. Mail addresses end in `.example`, which nobody can own.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

TODAY = date(2026, 3, 9)
"""A Monday; the day on which every generated state stands."""

FIRST = (
    "Amara", "Anton", "Beatriz", "Bruno", "Callum", "Chiara", "Dagny", "Darius", "Elif",
    "Emeka", "Farida", "Felix", "Greta", "Hamid", "Hanna", "Idris", "Ines", "Jonas", "Kavya",
    "Keiko", "Lorenzo", "Lucia", "Maren", "Mateo", "Milena", "Nadia", "Niall", "Oksana", "Omar",
    "Paloma", "Pavel", "Quentin", "Rania", "Rasmus", "Saoirse", "Selma", "Tariq", "Theo",
    "Ursula", "Viktor", "Wanda", "Yara", "Yusuf", "Zofia",
)  # fmt: skip
LAST = (
    "Abara", "Albrecht", "Aydin", "Bakke", "Barros", "Bianchi", "Brandt", "Castellan",
    "Cosgrove", "Dahl", "Demir", "Dubois", "Eriksen", "Farrow", "Fontaine", "Gallo", "Haddad",
    "Halloran", "Holm", "Ibarra", "Jansen", "Kaplan", "Keane", "Kowalski", "Kruger", "Lindgren",
    "Madaki", "Marchetti", "Mensah", "Moreau", "Nakano", "Novak", "Okafor", "Pereira", "Petrov",
    "Quist", "Rahimi", "Rossi", "Salgado", "Sharma", "Sorensen", "Tanaka", "Ueda", "Varga",
    "Weber", "Yilmaz", "Zeman",
)  # fmt: skip
FIRMS = (
    "Brightwater", "Copperfield", "Larkspur", "Millrace", "Northgate", "Ostrava", "Pinehurst",
    "Quayside", "Redfern", "Saltmarsh", "Tidewell", "Underhill", "Vellum", "Westerly", "Yarrow",
    "Hollowell", "Fernley", "Greystone",
)  # fmt: skip
STREETS = (
    "Alder Row", "Brewery Lane", "Canal Street", "Dove Court", "Elm Parade", "Foundry Road",
    "Garden Square", "Harbour Steps", "Ivy Lane", "Juniper Way", "Kiln Road", "Lantern Street",
    "Mill Street", "Orchard Close", "Priory Road", "Quarry Hill", "Riverside Walk",
    "Station Road", "Tannery Lane", "Vine Street",
)  # fmt: skip


class Draw(random.Random):
    """Random choices of one state. Equal seeds choose alike, in any process."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(f"{name}/{seed}")

    def some(self, things: Sequence[Any], number: int) -> list[Any]:
        """So many different things, in an order of their own."""
        return self.sample(list(things), min(number, len(things)))

    def people(self, number: int) -> list[tuple[str, str]]:
        """First and last names; no two share either."""
        return list(zip(self.some(FIRST, number), self.some(LAST, number), strict=True))

    def money(self, low: int, high: int) -> float:
        """An amount that a bill would show."""
        return self.randint(low, high) + self.choice((0.0, 0.0, 0.5, 0.9, 0.25, 0.4, 0.75))

    def iban(self, country: str) -> str:
        """An account number of that country's form; its check digits are not computed."""
        return country + "".join(str(self.randrange(10)) for _ in range(20))

    def day(self, first: date, last: date) -> date:
        """A day from the first to the last."""
        return first + timedelta(days=self.randrange((last - first).days + 1))

    def phone(self) -> str:
        """A telephone number of no real exchange."""
        return f"+00 {self.randint(200, 899)} {self.randint(1000, 9999)} {self.randint(100, 999)}"

    def address(self) -> str:
        """A house number and a street."""
        return f"{self.randint(2, 98)} {self.choice(STREETS)}"


def mail(first: str, last: str, firm: str) -> str:
    """The mail address of a person at a firm."""
    return f"{first}.{last}@{firm}.example".lower()
