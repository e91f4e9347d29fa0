"""Seeding: what a domain's `@domain.seed` function works with.

Everything comes from the seed, nothing from the machine.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, TypeVar

from ..state import Db, Entity, Row, World

T = TypeVar("T")


@dataclass(frozen=True)
class Person:
    """One person of the shared pool: the same seed gives the same people in every domain."""

    name: str
    email: str
    phone: str
    birth_date: date
    street: str
    city: str
    postcode: str


class Seeder:
    """Fills a new world: `add` rows, draw people, days and moments, scale counts."""

    def __init__(self, world: World, domain: str, seed: int, scale: float) -> None:
        self.db: Db = world.db
        self.scale = scale
        self.rng = random.Random(f"{domain}:{seed}")
        self._world = world
        self._seed = seed

    def of(self, domain: str) -> Seeder:
        """The same for another domain of the world, with draws of its own."""
        return Seeder(self._world, domain, self._seed, self.scale)

    @property
    def now(self) -> datetime:
        """The world's time."""
        return self.db.now

    @property
    def today(self) -> date:
        """The world's date."""
        return self.db.today

    def add(self, entity: Entity, **values: Any) -> Row:
        """Create a row."""
        return self._world.create(entity, **values)

    def scaled(self, n: int) -> int:
        """A count at this scale: n × scale, at least 1."""
        return max(1, round(n * self.scale))

    def pick(self, items: Sequence[T]) -> T:
        """Draw one item."""
        return items[self.rng.randrange(len(items))]

    def day(self, low: int, high: int) -> date:
        """A day between `low` and `high` days from today, both included."""
        return self.today + timedelta(days=self.rng.randint(low, high))

    def moment(self, low: int, high: int) -> datetime:
        """A full quarter of an hour in working time, between `low` and `high` days from now."""
        day = self.today + timedelta(days=self.rng.randint(low, high))
        return datetime.combine(day, datetime.min.time()) + timedelta(
            minutes=15 * self.rng.randrange(4 * 8, 4 * 18)
        )

    def people(self, n: int) -> list[Person]:
        """The first n people of the pool of this seed; names, e-mails and phones are unique."""
        rng = random.Random(f"people:{self._seed}")
        people: list[Person] = []
        taken: set[str] = set()
        while len(people) < n:
            first, last = rng.choice(_FIRST), rng.choice(_LAST)
            tries = len(people) >= len(_FIRST) * len(_LAST) // 2
            middle = f" {rng.choice(_MIDDLE)}." if tries else ""
            name = f"{first}{middle} {last}"
            number = rng.randint(10, 99) if len(people) < 1000 else rng.randint(1000, 9_999_999)
            email = f"{first}.{last}{number}@example.com".lower()
            street = f"{rng.randint(1, 180)} {rng.choice(_STREETS)}"
            city, area = rng.choice(_CITIES)
            postcode = f"{area}{rng.randint(10, 99)}"
            born = date(1938, 1, 1) + timedelta(days=rng.randrange(365 * 68))
            phone = f"555-{rng.randint(200, 989)}-{rng.randint(1000, 9999)}"
            if not taken.isdisjoint((name, email, phone)):
                continue
            taken |= {name, email, phone}
            people.append(Person(name, email, phone, born, street, city, postcode))
        return people


_FIRST = (  # noqa: SIM905
    "Ada Amara Anton Aisha Ben Bianca Caleb Chloe Dario Daphne Elena Emil Farah Felix Grace Gustav "
    "Hana Hugo Ines Ivan Jonas Jasmin Keiko Kofi Leila Liam Mara Mateo Nadia Nils Olga Omar Priya "
    "Pavel Quinn Rosa Ruben Salma Sven Tara Tomas Uma Viktor Vera Wanda Xavier Yara Yusuf Zoe Zane"
).split()
_LAST = (  # noqa: SIM905
    "Abbott Alvarez Baker Brandt Castillo Chen Dubois Diallo Evans Eriksen Fischer Farrow Garcia "
    "Greene Haddad Holm Ito Ivanova Jensen Joshi Kowalski Keller Lopez Lindqvist Moreau Mbeki "
    "Nakamura Novak Okafor Osman Petrov Park Quayle Rossi Reyes Silva Sato Tanaka Thorne Ueda "
    "Usman Vance Vogel Weber Walsh Xu Yilmaz Young Zhang Zimmer"
).split()
_MIDDLE = "ABCDEFGHJKLMNPRSTVW"
_STREETS = (  # noqa: SIM905
    "Alder Lane|Birch Street|Canal Row|Dock Road|Elm Terrace|Foundry Street|Garden Way|Hill Rise|"
    "Ivy Close|Juniper Avenue|Kiln Road|Linden Street|Mill Lane|North Parade|Orchard Road|"
    "Park View|Quarry Hill|River Walk|Station Road|Tower Street"
).split("|")
_CITIES = (
    ("Ashford", "AF"),
    ("Brackwater", "BW"),
    ("Coldharbour", "CH"),
    ("Dunmore", "DM"),
    ("Eastleigh Bay", "EB"),
    ("Fairmont", "FM"),
)
