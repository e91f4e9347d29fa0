"""Where the values of a call came from, told from the values alone: for runs that a model made.

A value that a result showed, in a row that people can name, is found through that label; a value
that nobody would say and one result alone holds is taken from there; whatever else is stated by the
user. By value alone identifiers of different things collide, so a row counts only if its field is
called as the argument is, or the value is an identifier.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .evidence import field_of
from .inference import tokens
from .labels import identifier_like, speakable
from .model import Composed, OfRow, Origin, Returned, Several, Stated
from .scene import Scene


def origins_of(scene: Scene, tool: str, arguments: Mapping[str, Any]) -> dict[str, Origin]:
    """An origin for each argument of a call that is about to be noted; new facts are stated in the
    scene.
    """
    return {name: _origin(scene, tool, name, value) for name, value in arguments.items()}


def _origin(scene: Scene, tool: str, name: str, value: Any) -> Origin:
    if isinstance(value, list):
        return Several(items=tuple(_origin(scene, tool, name, item) for item in value))
    if isinstance(value, dict):
        return Composed(parts={k: _origin(scene, tool, k, part) for k, part in value.items()})
    for place in reversed(range(len(scene.calls))):
        found = _row(scene, place, name, value)
        if found is not None:
            return found
    if not speakable(value):
        for place in reversed(range(len(scene.calls))):
            paths = list(_paths(scene.calls[place].result, value))
            if len(paths) == 1:
                return Returned(step=place, path=paths[0])
    for fact, known in scene.facts.items():
        if known == value and type(known) is type(value):
            return Stated(fact=fact)
    return Stated(fact=scene.state_fact(value))


def _row(scene: Scene, place: int, name: str, value: Any) -> Origin | None:
    """The row of a result that the value identifies, by its label."""
    noun = scene.words(scene.calls[place].tool).rows
    rows = scene.rows(place)
    for row in rows if noun else ():
        for field in row:
            if field_of(row, field) != value or type(row[field]) is not type(value):
                continue
            label = scene.label_of(noun, rows, row)
            if label is None or field in label:
                continue
            named = set(tokens(field)) & set(tokens(name))
            if named or identifier_like(str(value)):
                by = {key: _fact(scene, told) for key, told in label.items()}
                return OfRow(step=place, by=by, field=field)
    return None


def _fact(scene: Scene, value: Any) -> str:
    known = [fact for fact, told in scene.facts.items() if told == value]
    return known[0] if known else scene.state_fact(value)


def _paths(content: Any, value: Any, path: str = "") -> Iterator[str]:
    """The paths at which a JSON value holds another."""
    if isinstance(content, Mapping):
        for key, inner in content.items():
            yield from _paths(inner, value, f"{path}/{key}".lstrip("/"))
    elif isinstance(content, list):
        for number, inner in enumerate(content):
            yield from _paths(inner, value, f"{path}/{number}".lstrip("/"))
    elif content == value and type(content) is type(value):
        yield path
