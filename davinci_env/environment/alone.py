"""A domain of a composition by itself, beside the composition, from the same rows."""

from __future__ import annotations

from ..compose import Composition
from ..state import StartImage, World
from .domain_environment import DomainEnvironment


def open_alone(composition: Composition, number: int, joined: World) -> DomainEnvironment:
    """Open one of the domains by itself on the rows that it has in a joined world.

    Args:
        number: of the domain, in the order of the composition.
        joined: a world of the composition at its start.
    """
    domain, part = composition.alone(number), composition.parts[number]
    pairs = zip(domain.entities.values(), part.entities.values(), strict=True)
    counters = {mine.__name__: joined.image.counters.get(its.__name__, 0) for mine, its in pairs}
    image = StartImage(domain.schema, joined.image.database, counters, joined.image.now)
    return DomainEnvironment(domain, World(domain.schema, image))
