"""Propagation: a change of state in one domain that changes records of another, in the same call.

What may change is declared, and becomes part of the frame of every tool that can bring it about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..domain.frames import Creates, Deletes, Frame, Moves, Sets, entity_at
from ..domain.tools import Tool
from ..errors import ContractError
from ..state import Db, Entity


@dataclass(frozen=True)
class Event:
    """What is done when a row of an entity comes into a state.

    Attributes:
        text: what the policy says of it.
        changes: the frame, by paths that begin with the entity's noun.
        body: does it, given `db` and the row.
    """

    entity: Entity
    state: str
    text: str
    changes: tuple[Frame, ...]
    body: Callable[[Db, Any], None]
    line: int

    @property
    def noun(self) -> str:
        """The name at which the paths of its changes begin."""
        return str(self.entity._info.noun)

    @property
    def start(self) -> tuple[Entity, str]:
        """The entity and the state that it waits for."""
        return self.entity, self.state

    def leads_to(self) -> set[tuple[Entity, str]]:
        """The states into which it may move other rows."""
        roots = {self.noun: self.entity}
        return {
            (entity_at(roots, change.path)[0], state)
            for change in self.changes
            if isinstance(change, Moves)
            for state in change.target
        }


def refuse_cycles(events: Sequence[Event]) -> None:
    """Raise ContractError where what follows from an event would bring it about again."""
    by_start: dict[tuple[Entity, str], list[Event]] = {}
    for event in events:
        by_start.setdefault(event.start, []).append(event)

    def follow(event: Event, before: tuple[Event, ...]) -> None:
        if event in before:
            way = " > ".join(f"{e.noun} {e.state}" for e in (*before[before.index(event) :], event))
            raise ContractError(
                f"events bring each other about in a circle: {way}",
                "let one of them move its rows to another state",
                line=event.line,
            )
        for state in event.leads_to():
            for following in by_start.get(state, ()):
                follow(following, (*before, event))

    for event in events:
        follow(event, ())


def extend(tools: Mapping[str, Tool], events: Sequence[Event]) -> None:
    """Put what events change into the frames of the tools that can bring them about.

    Raises ContractError for an event that no tool brings about.
    """
    reached: set[Event] = set()
    for tool in tools.values():
        own = [m for m in tool.frame if isinstance(m, Moves)]
        following = [f for move in own for f in _following(tool.entities, move, events, reached)]
        if following:
            tool.frame = (*tool.frame, *dict.fromkeys(following))
            tool.propagate = _Propagation(events)
    for event in events:
        if event not in reached:
            raise ContractError(
                f"no tool moves a {event.noun} to {event.state!r}",
                "name a state that a tool of the domain brings about",
                line=event.line,
            )


def _following(
    roots: Mapping[str, Entity], move: Moves, events: Sequence[Event], reached: set[Event]
) -> list[Frame]:
    """What may change after a row at a path moves, by paths from the same arguments."""
    entity, _ = entity_at(roots, move.path)
    found: list[Frame] = []
    for event in events:
        if event.entity is entity and event.state in move.target:
            reached.add(event)
            for change in event.changes:
                moved = _from(move.path, event.noun, change)
                found.append(moved)
                if isinstance(moved, Moves):
                    found += _following(roots, moved, events, reached)
    return found


def _from(path: str, noun: str, change: Frame) -> Frame:
    """A change by a path that begins where a tool's own path ends."""
    if isinstance(change, Moves | Sets):
        return replace(change, path=path + change.path.removeprefix(noun))
    if isinstance(change, Deletes) and change.path is not None:
        return replace(change, path=path + change.path.removeprefix(noun))
    assert isinstance(change, Creates | Deletes)
    return change


class _Propagation:
    """Carries events out after a tool's body, until nothing more follows."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._by_entity: dict[Entity, list[Event]] = {}
        for event in events:
            self._by_entity.setdefault(event.entity, []).append(event)

    def __call__(self, db: Db, before: int) -> None:
        """Look at what changed since the cell log had this length."""
        log = db._world.log
        place = before
        while place < len(log):
            _, name, old, row = log[place]
            place += 1
            if row is None or name != row._info.state_column:
                continue
            state = getattr(row, name)
            for event in self._by_entity.get(row.entity, ()):
                if state == event.state != old:
                    event.body(db, row)
