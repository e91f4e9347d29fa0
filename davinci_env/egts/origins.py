"""What origins of arguments rest on: facts that the user states, and earlier calls."""

from __future__ import annotations

from collections.abc import Mapping

from .model import Composed, OfRow, Origin, Picked, Returned, Several, Stated


def leaves(origins: Mapping[str, Origin]) -> dict[str, Origin]:
    """Origins by argument; those of an object's properties by `argument.property`, where a list of
    one object counts as the object.
    """
    found: dict[str, Origin] = {}
    for name, origin in origins.items():
        if isinstance(origin, Several) and len(origin.items) == 1:
            only = origin.items[0]
            origin = only if isinstance(only, Composed) else origin
        if isinstance(origin, Composed):
            found |= {f"{name}.{part}": leaf for part, leaf in leaves(origin.parts).items()}
        else:
            found[name] = origin
    return found


def facts_of(origin: Origin) -> list[str]:
    """The facts that an origin rests on by itself."""
    if isinstance(origin, Stated):
        return [origin.fact]
    if isinstance(origin, OfRow):
        return list(origin.by.values())
    if isinstance(origin, Several):
        return [fact for item in origin.items for fact in facts_of(item)]
    if isinstance(origin, Composed):
        return [fact for part in origin.parts.values() for fact in facts_of(part)]
    return []


def steps_of(origin: Origin) -> list[int]:
    """The calls that an origin rests on."""
    if isinstance(origin, OfRow | Picked | Returned):
        return [origin.step]
    if isinstance(origin, Several):
        return [step for item in origin.items for step in steps_of(item)]
    if isinstance(origin, Composed):
        return [step for part in origin.parts.values() for step in steps_of(part)]
    return []
