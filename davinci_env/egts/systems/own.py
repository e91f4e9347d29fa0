"""Our own domains as systems: `davinci.library_lending`, and any other domain of the catalogue.

In process and for staff; the domain's policy is the context. What a policy asks of agents alone,
such as to have a change confirmed, is no part of a tool's behaviour, so nothing here enforces it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ... import __version__
from ...domain import catalogue, load
from ...environment import DomainEnvironment
from ...errors import UsageError
from ...state import CREATED, DELETED, World, canonical, plain
from .protocol import Answer, SystemInfo, SystemTool
from .registry import Options
from .schemas import plain_schema

FAMILY = "davinci"
SYSTEMS = tuple(f"{FAMILY}.{entry.name}" for entry in catalogue() if entry.shipped)
OPEN_ENDED = True
"""Domains that did not ship with the package can be named too."""

Tables = dict[str, dict[str, dict[str, Any]]]
"""Table to key to column to cell."""


@dataclass(eq=False)
class _Kept:
    mark: Any
    forgotten: bool = False


def open_system(name: str, options: Options) -> OwnSystem:
    """The adapter of a domain. Raises UsageError for one that isn't there or isn't trusted."""
    domain = name.partition(".")[2]
    if not domain:
        raise UsageError("which domain", f"name one, such as {SYSTEMS[0]!r}")
    return OwnSystem(domain, options)


class OwnSystem:
    """A domain's tools over a world built from the seed.

    Kept states are savepoints, so restoring one ends those that were kept after it. The state is
    the domain's tables without volatile columns; rows made since the start go by names that don't
    depend on the order in which they were made.
    """

    def __init__(self, name: str, options: Options) -> None:
        paths = () if options.path is None else (options.path,)
        self._domain = load(name, paths=paths, trust=options.trust)
        self._environment: DomainEnvironment | None = None
        self._start: Tables = {}
        self._kept: list[_Kept] = []
        shipped = self._domain.shipped
        self.info = SystemInfo(
            name=f"{FAMILY}.{name}",
            family=FAMILY,
            version=str(self._domain.version),
            licence="Apache-2.0" if shipped else "unknown",
            origin=f"davinci-env {__version__}" if shipped else "a domain of the user's",
            context=self._domain.policy(),
        )

    @property
    def environment(self) -> DomainEnvironment:
        """What stands behind it. Raises UsageError before `open`."""
        if self._environment is None:
            raise UsageError(f"{self.info.name} is not open")
        return self._environment

    def open(self, seed: int) -> None:
        """Build the world of a seed."""
        self.close()
        world = self._domain.build(seed)
        self._environment = DomainEnvironment(self._domain, world, seed=seed)
        self._start = _tables(world)

    def tools(self) -> list[SystemTool]:
        """The domain's tools."""
        return [
            SystemTool(
                spec.name,
                spec.description,
                plain_schema(spec.name, spec.parameters),
                spec.annotations["readOnlyHint"],
            )
            for spec in self.environment.tools()
        ]

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool; the environment itself takes back what a refused call did."""
        result = self.environment.call(tool, arguments)
        return Answer(result.ok, result.data, result.message)

    def state(self) -> Tables:
        """All tables; those that no call changed are shared with the initial state."""
        world = self.environment.world
        state = dict(self._start)
        for table, key, op, cells in canonical(world, world.changes()):
            if state[table] is self._start[table]:
                state[table] = dict(state[table])
            if op == CREATED:
                state[table][key] = cells
            elif op == DELETED:
                del state[table][key]
            else:
                now = {column: new for column, (_, new) in cells.items()}
                state[table][key] = {**state[table][key], **now}
        return state

    def snapshot(self) -> _Kept:
        """Mark the present state."""
        self._kept.append(_Kept(self.environment.snapshot()))
        return self._kept[-1]

    def restore(self, kept: _Kept) -> None:
        """Return to a mark. Raises UsageError for one that ended with an older one's restoring."""
        self.environment.restore(kept.mark)
        del self._kept[self._kept.index(kept) + 1 :]

    def forget(self, kept: _Kept) -> None:
        """Free a mark: at once where it is the last one, else as soon as it is."""
        kept.forgotten = True
        while self._kept and self._kept[-1].forgotten:
            self.environment.release(self._kept.pop().mark)

    def close(self) -> None:
        """Close the world."""
        self._kept.clear()
        if self._environment is not None:
            self._environment.close()
            self._environment = None


def _tables(world: World) -> Tables:
    """The rows that a world starts with, in canonical form: no volatile columns, dates as text."""
    reader = World(world.schema, world.image)  # a reader of its own: reading fills a world's caches
    tables: Tables = {}
    for table, columns in world.schema.compared.items():
        rows = reader.all(world.schema.by_table[table])
        tables[table] = {row.id: {c: plain(getattr(row, c)) for c in columns} for row in rows}
    reader.close()
    return tables
