"""Shared identity: one person has a record in each domain, and is known by one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from ..domain.ownership import Ownership
from ..state import Entity, Row, World, world_of

Records = Mapping[tuple[str, str], Mapping[str, str]]
"""(table, key) of a person's record -> their records elsewhere: table -> key."""


class SharedPeople(Ownership):
    """Whose rows are whose in several domains.

    Args:
        identities: the person entity of each domain; a person is known by the first.
    """

    def __init__(
        self, access: Literal["staff", "self_service"], identities: Sequence[Entity]
    ) -> None:
        super().__init__(access)
        self.identities = tuple(identities)

    def person(self, row: Row) -> Row:
        """The person's record in the first domain that has one; whoever an agent only believes
        something of is known by the row at hand.
        """
        if hasattr(row, "as_known_in"):
            return row
        return next(
            found
            for entity in self.identities
            if (found := self.as_known_in(entity, row)) is not None
        )

    def as_known_in(self, entity: Entity, person: Row) -> Row | None:
        """The record of a person in the domain of an identity entity; None where there is none.

        A row of what an agent believes answers by itself, as far as it knows.
        """
        if person.entity is entity:
            return person
        believed = getattr(person, "as_known_in", None)
        if believed is not None:
            return believed(entity)
        world = world_of(person)
        table = entity._info.table
        key = world.image.people.get((person._info.table, person.id), {}).get(table)
        return None if key is None else world.get(entity, key)


def matched(world: World, identities: Sequence[Entity], by: str) -> Records:
    """The records of the same persons: those with the same value in a column, such as `email`."""
    records: dict[str, dict[str, str]] = {}
    for entity in identities:
        for row in world.all(entity):
            records.setdefault(getattr(row, by), {})[entity._info.table] = row.id
    return {
        (table, key): {t: k for t, k in tables.items() if t != table}
        for tables in records.values()
        for table, key in tables.items()
    }
