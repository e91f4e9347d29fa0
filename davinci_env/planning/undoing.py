"""Taking back: which writes undo others."""

from __future__ import annotations

from ..domain import Tool
from ..domain.frames import Creates, Moves, entity_at
from ..state import Entity


def takes_back(done: Tool, back: Tool) -> bool:
    """Whether a write leads a row out of the state that another one led it to, or made it in; bad
    news takes nothing back.
    """
    if done is back or back.outcome.mood == "bad":
        return False
    made = {frame.entity for frame in done.frame if isinstance(frame, Creates)}
    reached = {(entity, state) for entity, _, state in _moved(done)}
    return any(entity in made or (entity, state) in reached for entity, state, _ in _moved(back))


def _moved(tool: Tool) -> list[tuple[Entity, str, str]]:
    """The moves of rows that a tool is given: entity, a state before, a state after."""
    return [
        (entity_at(tool.entities, frame.path)[0], before, after)
        for frame in tool.frame
        if isinstance(frame, Moves) and not frame.stays and "." not in frame.path
        for before in frame.source
        for after in frame.target
    ]
