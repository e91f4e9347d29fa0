"""Persons: who people are to a domain. Joined domains answer otherwise than one by itself."""

from __future__ import annotations

from collections.abc import Sequence

from ..state import Entity, Row, World
from .ownership import Ownership
from .tools import Tool


class Persons:
    """The part of a domain that knows whose rows are whose."""

    ownership: Ownership

    @property
    def identity(self) -> Entity:
        """The entity that is a person."""
        raise NotImplementedError

    def owner_of(self, row: Row | None) -> Row | None:
        """The person to whom a row belongs, or None."""
        return self.ownership.owner_of(row)

    def visible(self, rows: Sequence[Row]) -> Sequence[Row]:
        """In self-service, the rows that are the actor's or nobody's; all of them for staff."""
        return self.ownership.visible(rows)

    def as_known_in(self, entity: Entity, person: Row) -> Row | None:
        """The row of an identity entity that stands for a person; None where there is none."""
        return self.ownership.as_known_in(entity, person)

    def records_of(self, person: Row) -> list[Row]:
        """The rows that stand for a person, the one by which they are known first."""
        found = [self.as_known_in(entity, person) for entity in self.people]
        return [row for row in found if row is not None]

    def identity_of(self, tool: Tool) -> Entity:
        """The person entity of the domain that a tool comes from."""
        return self.identity

    def identity_beside(self, entity: Entity) -> Entity:
        """The person entity of the domain that an entity comes from."""
        return self.identity

    @property
    def people(self) -> list[Entity]:
        """The entities that are persons, the one of `identity` first."""
        return [self.identity]

    @property
    def homes(self) -> tuple[str, ...]:
        """The names of the domains that are joined in it; none where it stands alone."""
        return ()

    def first_person(self, world: World) -> Row | None:
        """The person on whose behalf calls are made where nobody says for whom."""
        return world.one(self.identity)

    def regulars(self, world: World) -> list[Row]:
        """The persons that tasks are about."""
        return list(world.all(self.identity))
