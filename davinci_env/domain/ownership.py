"""Ownership: whose rows are whose, and which rows stand for the same person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..state import Entity, Row, world_of


class Ownership:
    """Says to whom rows belong, and which of them an actor may see."""

    def __init__(self, access: Literal["staff", "self_service"]) -> None:
        self.access = access

    def owner_of(self, row: Row | None) -> Row | None:
        """The person to whom a row belongs, or None."""
        while row is not None:
            info = row._info
            if info.identity:
                return self.person(row)
            if info.owner is None:
                return None
            row = getattr(row, info.owner)
        return None

    def person(self, row: Row) -> Row:
        """The row by which a person is known in the whole world."""
        return row

    def as_known_in(self, entity: Entity, person: Row) -> Row | None:
        """The row of an identity entity that stands for a person; None where there is none."""
        return person if person.entity is entity else None

    def visible(self, rows: Sequence[Row]) -> Sequence[Row]:
        """In self-service, the rows that are the actor's or nobody's; all of them for staff."""
        if self.access == "staff" or not rows:
            return rows
        actor = world_of(rows[0]).db.actor
        return [row for row in rows if (owner := self.owner_of(row)) is None or owner is actor]
