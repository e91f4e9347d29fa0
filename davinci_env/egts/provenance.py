"""Where the values of a call came from, told from the values alone: for runs that a model made.

A value that a result showed, in a row that people can name, is found through that label; a value
that nobody would say and one result alone holds is taken from there; whatever else is stated by the
user. By value alone identifiers of different things collide, so a row counts only if its field is
called as the argument is, or the value is an identifier.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .inference import tokens
from .labels import identifier_like, speakable
from .model import Composed, Fixed, OfRow, Origin, Returned, Several, Stated
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
    always = scene.arg(tool, name).value
    if always is not None and always == value:
        return Fixed(fixed=value)
    found = _row(scene, name, value)
    if found is not None:
        return found
    if not speakable(value) and not isinstance(value, bool):
        for place in reversed(range(len(scene.calls))):
            paths = list(_paths(scene.calls[place].result, value))
            if len(paths) == 1:
                return Returned(step=place, path=paths[0])
    return Stated(fact=_fact(scene, value))


def _row(scene: Scene, name: str, value: Any) -> Origin | None:
    """The row of a result that the value identifies, by its label: of what the argument is called
    after, or else of the only kind of thing that has it.
    """
    found = list(_rows_with(scene, name, value))
    own = [one for one in found if one[0]]
    kinds = {noun for _, noun, *_ in found}
    if not own and len(kinds) != 1:
        return None
    _, _, place, label, field = (own or found)[0]
    by = {key: _fact(scene, told) for key, told in label.items()}
    return OfRow(step=place, by=by, field=field)


def _rows_with(
    scene: Scene, name: str, value: Any
) -> Iterator[tuple[bool, str, int, dict[str, Any], str]]:
    """Rows that have a value, the latest first: whether their kind is what the argument is called
    after, the kind, the place of the call, the row's label, and the field.
    """
    called = set(tokens(name))
    for place in reversed(range(len(scene.calls))):
        noun = scene.words(scene.calls[place].tool).rows
        rows = scene.rows(place) if noun else []
        for row in rows:
            label = scene.label_of(noun, rows, row)
            if label is None:
                continue
            for field in row:
                if row[field] != value or type(row[field]) is not type(value) or field in label:
                    continue
                words = set(tokens(field))
                if words & called or identifier_like(str(value)):
                    own = bool(words & called) and called <= words | set(tokens(noun))
                    yield own, noun, place, label, field


def _fact(scene: Scene, value: Any) -> str:
    """The fact that states a text; numbers that are equal may still mean different things."""
    known = [fact for fact, told in scene.facts.items() if told == value]
    return known[0] if known and isinstance(value, str) else scene.state_fact(value)


def _paths(content: Any, value: Any, path: str = "") -> Iterator[str]:
    """The paths at which a JSON value holds another."""
    if isinstance(content, Mapping):
        for key, inner in content.items():
            if "/" in key or not key:
                continue  # no path leads there
            yield from _paths(inner, value, f"{path}/{key}".lstrip("/"))
    elif isinstance(content, list):
        for number, inner in enumerate(content):
            yield from _paths(inner, value, f"{path}/{number}".lstrip("/"))
    elif content == value and type(content) is type(value):
        yield path
