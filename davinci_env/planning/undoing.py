"""Taking back: which writes undo others."""

from __future__ import annotations

from ..domain import Tool
from ..domain.frames import Creates, Deletes, Moves, Sets, entity_at
from ..state import Entity


def takes_back(done: Tool, back: Tool) -> bool:
    """Whether a write leads a row out of the state that another one led it to, or made it in.

    What is news for itself, good or bad, takes nothing back; and a state that a row may have been
    in before is none that it was led to.
    """
    if done is back or back.outcome.mood != "neutral":
        return False
    made = _made(done)
    moved = _moved(done)
    reached = {(e, after) for e, _, after in moved} - {
        (e, s) for e, s, after in moved if s == after
    }
    return any(entity in made or (entity, state) in reached for entity, state, _ in _moved(back))


def wipes_out(done: Tool, back: Tool) -> bool:
    """Whether a write deletes what another one made, or blanks what it has put into a row."""
    if done is back or back.outcome.mood != "neutral":
        return False
    return bool(_made(done) & _deleted(back)) or bool(_put(done) & _blanked(back))


def settles(tool: Tool, entity: Entity) -> bool:
    """Whether a write leads a row of this kind that it is given into another state, and not for
    the worse.
    """
    moved = any(found is entity and before != after for found, before, after in _moved(tool))
    return moved and tool.outcome.mood != "bad"


def _made(tool: Tool) -> set[Entity]:
    return {frame.entity for frame in tool.frame if isinstance(frame, Creates)}


def _deleted(tool: Tool) -> set[Entity]:
    return {
        frame.entity or entity_at(tool.entities, str(frame.path))[0]
        for frame in tool.frame
        if isinstance(frame, Deletes)
    }


def _put(tool: Tool) -> set[tuple[Entity, str]]:
    """The references of a given row that a write may set to another row that it is given."""
    given = {p.entity for p in tool.parameters if p.entity is not None}
    return {
        (entity, column)
        for entity, column in _set(tool)
        if any(r.column == column and r.target in given for r in entity._info.refs.values())
    }


def _blanked(tool: Tool) -> set[tuple[Entity, str]]:
    """The columns that may be empty and that a write sets though it is told nothing to set."""
    told = [p for p in tool.parameters if not p.implicit and p.required]
    if len(told) != 1:
        return set()
    return {(e, c) for e, c in _set(tool) if e is told[0].entity and e._info.columns[c].optional}


def _set(tool: Tool) -> list[tuple[Entity, str]]:
    """The columns of rows that a tool is given which it may set."""
    return [
        (frame.entity, column)
        for frame in tool.frame
        if isinstance(frame, Sets) and "." not in frame.path
        for column in frame.columns
    ]


def _moved(tool: Tool) -> list[tuple[Entity, str, str]]:
    """The moves of rows that a tool is given: entity, a state before, a state after."""
    return [
        (entity_at(tool.entities, frame.path)[0], before, after)
        for frame in tool.frame
        if isinstance(frame, Moves) and not frame.stays and "." not in frame.path
        for before in frame.source
        for after in frame.target
    ]
