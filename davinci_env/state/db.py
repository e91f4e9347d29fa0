"""What author code sees of a world."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING

from .rows import Row

if TYPE_CHECKING:
    from .world import World


class Db:
    """What a rule or a tool body may do: look, create, delete, and ask for the time."""

    __slots__ = ("_known", "_world", "all", "create", "delete", "get", "get_with", "one")

    def __init__(self, world: World, known: Callable[[Row], Row | None] | None = None) -> None:
        self._world = world
        self._known = known
        self.get = world.get
        self.get_with = world.get_with
        self.one = world.one
        self.all = world.all
        self.create = world.create
        self.delete = world.delete

    @property
    def actor(self) -> Row | None:
        """The person on whose behalf calls are made, where there is one."""
        key = self._world.actor
        row = None if key is None else self._world.get(*key)
        return row if row is None or self._known is None else self._known(row)

    def known_by(self, known: Callable[[Row], Row | None]) -> Db:
        """The same for a domain that knows people by rows of its own: `known` gives the row of its
        actor.
        """
        return Db(self._world, known)

    @property
    def now(self) -> datetime:
        """The world's own time."""
        return self._world.clock["now"]

    @property
    def today(self) -> date:
        """The world's own date."""
        return self._world.clock["now"].date()
