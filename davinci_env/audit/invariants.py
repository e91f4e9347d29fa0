"""Invariants after each write, evaluated only where a changed table can matter."""

from __future__ import annotations

from collections.abc import Callable

from ..domain import Domain, Row, Tool
from ..state import Change, Entity, World
from .report import Findings


class Invariants:
    """The invariants of a domain, each with the tables that it reads."""

    def __init__(self, domain: Domain, findings: Findings) -> None:
        self.domain, self.findings = domain, findings
        self._reads: dict[int, frozenset[str]] = {}
        self._seeded: frozenset[str] = frozenset()
        self._broken: set[str] = set()

    def at_start(self, world: World, what: str) -> None:
        """Check every row of a new world."""
        broken = set()
        for entity, function in self.domain.invariants:
            for row in world.all(entity):
                fault = _fault(function, row)
                if fault is not None:
                    text = f"is {fault} by the {what} ({entity._info.name} {row.id})"
                    self.findings.add("seed-invariant", function.__name__, text)
                    broken.add(function.__name__)
                    break
        self._seeded = frozenset(broken)
        self.restart()

    def restart(self) -> None:
        """The world is back at its start: what calls broke is mended."""
        self._broken = set(self._seeded)

    def hold(self, world: World) -> bool:
        """Whether every invariant holds of every row."""
        return all(
            _fault(function, row) is None
            for entity, function in self.domain.invariants
            for row in world.all(entity)
        )

    def check(self, world: World, tool: Tool, changes: list[Change]) -> None:
        """Check every row whose invariants can have been touched by the changes of a call.

        Only the call that breaks an invariant is blamed, not those after it.
        """
        changed = {change.table for change in changes}
        for entity, function in self.domain.invariants:
            if function.__name__ in self._broken or not changed & self._tables(entity):
                continue
            for row in world.all(entity):
                fault = _fault(function, row)
                if fault is not None:
                    text = f"leaves {function.__name__} {fault}"
                    self._broken.add(function.__name__)
                    self.findings.add("invariant", tool.name, text, tool.line)
                    break

    def _tables(self, entity: Entity) -> frozenset[str]:
        """The tables whose rows can be reached from an entity: what its invariants can read."""
        found = self._reads.get(id(entity))
        if found is None:
            found = self._reads[id(entity)] = _reachable(entity)
        return found


def _reachable(entity: Entity) -> frozenset[str]:
    queue, done = [entity], {entity}
    while queue:
        info = queue.pop()._info
        near = [r.target for r in info.refs.values()] + [b.child for b in info.backs.values()]
        for other in near:
            if other not in done:
                done.add(other)
                queue.append(other)
    return frozenset(e._info.table for e in done)


def _fault(function: Callable[[Row], bool], row: Row) -> str | None:
    try:
        return None if function(row) else "broken"
    except Exception as error:  # an invariant that raises does not hold
        return f"raising {type(error).__name__}"
