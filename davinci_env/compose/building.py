"""Building a joined world: the seeds of all domains, then the pairs of records that go together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..domain.build import build_image
from ..domain.seeding import Seeder
from ..state import Row, StartImage, World
from .people import matched

if TYPE_CHECKING:
    from .composition import Composition


def joint_image(composition: Composition, seed: int, scale: float) -> StartImage:
    """Run the seeds of all domains as they would run alone, join records, and return the start
    image.
    """

    def fill(w: Seeder) -> None:
        for part in composition.parts:
            assert part._seed is not None
            part._seed(w.of(part.name))
        owner_of = _owners(composition, w)
        for link in composition.links:
            link.seed(w, owner_of)
        if composition._seed is not None:
            composition._seed(w)

    schema, name, now = composition.schema, composition.name, composition.now
    image = build_image(schema, name, now, fill, seed, scale)
    world = World(schema, image)
    try:
        return replace(image, people=matched(world, composition.people, composition.shared))
    finally:
        world.close()


def _owners(composition: Composition, w: Seeder) -> Callable[[Row], Any]:
    """Whose a row is while the world is being filled: the key of the person in the first domain,
    None for nobody and for who isn't known there.
    """
    records = matched(w.db._world, composition.people, composition.shared)
    first = composition.identity._info.table

    def owner_of(row: Row) -> Any:
        while row is not None and not row._info.identity:
            if row._info.owner is None:
                return None
            row = getattr(row, row._info.owner)
        if row is None:
            return None
        table = row._info.table
        return row.id if table == first else records[table, row.id].get(first)

    return owner_of
