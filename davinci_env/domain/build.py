"""Building a start image: run the seed once, keep the bytes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ..state import Schema, StartImage, World
from .seeding import Seeder


def build_image(
    schema: Schema,
    name: str,
    now: datetime,
    fill: Callable[[Seeder], None],
    seed: int,
    scale: float,
) -> StartImage:
    """Run a seed function on an empty world and return the start image."""
    empty = World(schema, StartImage(schema, None, {}, now))
    fill(Seeder(empty, name, seed, scale))
    empty.accept()
    counters = {entity.__name__: n for entity, n in empty.counters.items()}
    empty.execute("RELEASE mark_0")
    empty.connection.mode = "setup"
    database = empty.connection.serialize()
    empty.close()
    return StartImage(schema, database, counters, now)
