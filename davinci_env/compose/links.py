"""Links: which record of one domain goes with which of another, kept in tables of the
composition's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..domain.seeding import Seeder
from ..state import Entity, Reference, Row

Matches = Callable[[Row, Row], bool]
Note = Callable[[Row, Row], None]


@dataclass(frozen=True)
class Link:
    """Pairs of records, each in one pair at most.

    Attributes:
        entity: of the table that holds the pairs.
        left, right: the records of a pair; the attribute of the pair that leads to each is called
            like the record.
        said: how a person speaks of the right one by the left one: "the parcel of {order}".
        back: the same the other way round, where people would say it.
        matches: whether two records of the same person can be a pair.
        note: makes the records of a new pair agree, where one quotes the other.
    """

    entity: Entity
    left: Entity
    right: Entity
    said: Sequence[str]
    back: Sequence[str]
    matches: Matches | None
    note: Note | None
    readers: Mapping[Entity, str]

    def attribute(self, entity: Entity) -> str:
        """The attribute of a pair that leads to its record of this entity."""
        return str(self._reference(entity).attribute)

    def pairs_of(self, entity: Entity) -> str:
        """The attribute of a record that leads to its pairs, of which there is one at most."""
        return str(self._reference(entity).back)

    def _reference(self, entity: Entity) -> Reference:
        references: Iterable[Reference] = self.entity._info.refs.values()
        return next(r for r in references if r.target is entity)

    def other(self, entity: Entity) -> Entity:
        """The record at the other side."""
        return self.right if entity is self.left else self.left

    def partner(self, row: Row) -> Row | None:
        """The record that goes with a row."""
        pairs = getattr(row, self.pairs_of(row.entity))
        return getattr(pairs[0], self.attribute(self.other(row.entity))) if pairs else None

    def seed(self, w: Seeder, owner_of: Callable[[Row], Any]) -> None:
        """Join records that belong to the same person, in the order of their keys.

        Args:
            owner_of: whose a row is; equal for rows of the same person, None for nobody.
        """
        free = list(w.db.all(self.right))
        for row in w.db.all(self.left):
            owner = owner_of(row)
            fitting = [
                other
                for other in free
                if owner is not None
                and owner_of(other) == owner
                and (self.matches is None or self.matches(row, other))
            ]
            if fitting:
                self._pair(w, row, fitting[0])
                free.remove(fitting[0])

    def _pair(self, w: Seeder, row: Row, other: Row) -> None:
        w.add(self.entity, **{self.attribute(self.left): row, self.attribute(self.right): other})
        if self.note is not None:
            self.note(row, other)
