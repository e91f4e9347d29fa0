"""What author code sees of a world."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from .rows import Row

if TYPE_CHECKING:
    from .world import World


class Db:
    """What a rule or a tool body may do: look, create, delete, and ask for the time."""

    __slots__ = ("_world", "all", "create", "delete", "get", "get_with", "one")

    def __init__(self, world: World) -> None:
        self._world = world
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
        return None if key is None else self._world.get(*key)

    @property
    def now(self) -> datetime:
        """The world's own time."""
        return self._world.clock["now"]

    @property
    def today(self) -> date:
        """The world's own date."""
        return self._world.clock["now"].date()
