"""What a wish of each kind comes to: a change that shows, or a question that a result answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .binding import Binder
from .evidence import Unfound, at, field_of, in_order, picked, rows_of
from .labels import speakable
from .lexicon import Kind
from .mentions import Unworded
from .model import Aim, OfRow, Origin, Picked
from .origins import leaves
from .scene import Focus, Scene, Stuck
from .wishes import checked

NO_CHANGE = "no change"
"""What is noted of a call that went through and left all as it was."""


@dataclass(frozen=True)
class Target:
    """What a wish may be about, before it has a call."""

    kind: Any
    tool: str
    noun: str = ""


def _do(scene: Scene, binder: Binder, target: Target) -> Aim:
    """Make a change that can be seen in the state."""
    values, origins = binder.bind(target.tool)
    things = _things(scene, target.tool, values)
    if any(
        things == others and (tool, target.tool) not in scene.lexicon.follow
        for _, tool, others in scene.changed
    ):
        raise Stuck("changed-already", target.tool)
    before = scene.environment.state_hash
    scene.call(target.tool, values, origins, "wish")
    outcome = scene.environment.capture()
    if outcome.state_hash == before:
        scene.learned.guide(target.tool).errors[NO_CHANGE] += 1
        raise Stuck("no-change", target.tool)
    guide = scene.learned.guide(target.tool)
    guide.changes.update(sorted({"/".join(str(c[0]).split("/")[:3]) for c in outcome.diff}))
    for name, origin in origins.items():
        guide.note_source(name, type(origin).__name__, True)
    place = len(scene.calls) - 1
    if things:
        scene.changed.append((place, target.tool, things))
    _note_made(scene, target.tool, place)
    return Aim(kind="do", tool=target.tool, call=place)


def _things(scene: Scene, tool: str, values: Mapping[str, Any]) -> frozenset[str]:
    """The rows that a call is about. Nobody changes one thing twice in one breath, and back."""
    return frozenset(
        f"{scene.arg(tool, name).of}/{value}"
        for name, value in values.items()
        if scene.arg(tool, name).of is not None
    )


def _note_made(scene: Scene, tool: str, place: int) -> None:
    """What a call made is what the episode speaks of now."""
    words = scene.words(tool)
    if not words.makes:
        return
    seen = scene.calls[place]
    rows = rows_of(words, seen.result)
    row = {**seen.arguments, **rows[0]} if len(rows) == 1 else dict(seen.arguments)
    by: dict[str, str] = {}
    for entry in scene.noun(words.makes).label:
        for name in entry.split("+"):
            origin = seen.origins.get(name) or _stating(scene, seen.origins, row.get(name))
            if origin is not None and hasattr(origin, "fact"):
                by[name] = origin.fact
        if by:
            break
    scene.focus.append(Focus(words.makes, by, row, place, made=len(rows) == 1))


def _stating(scene: Scene, origins: dict[str, Origin], value: Any) -> Origin | None:
    """The origin that states a value."""
    for origin in leaves(origins).values():
        fact = getattr(origin, "fact", None)
        if fact is not None and value is not None and scene.facts[fact] == value:
            return origin
    return None


def _ask(scene: Scene, binder: Binder, target: Target) -> Aim:
    """Call a tool whose result answers a question."""
    values, origins = binder.bind(target.tool)
    seen = scene.call(target.tool, values, origins, "wish")
    content = seen.result if isinstance(seen.result, dict) else {}
    if not any(value not in (None, "", [], {}) for value in content.values()):
        raise Stuck("empty-answer", target.tool)
    words = scene.words(target.tool)
    rows = rows_of(words, seen.result)
    for path, kind in words.answer.items():
        read = [row for row in rows if path in row] if words.pattern or words.key else []
        if not _can_be_said(read[0][path] if read else at(content, path), kind):
            raise Stuck("no-answer", target.tool)
    return Aim(kind="ask", tool=target.tool, call=len(scene.calls) - 1)


def _listed(scene: Scene, binder: Binder, target: Target) -> int:
    """Have a tool show its rows, anew where something may have changed."""
    place = binder.look_up(target.tool, 0)
    if not scene.rows(place):
        raise Stuck("empty-answer", target.tool)
    return place


def _field(scene: Scene, binder: Binder, target: Target) -> Aim:
    """Ask about a field of one row: of a list, or of what a tool shows of one thing."""
    place = _listed(scene, binder, target)
    rows, noun = scene.rows(place), scene.noun(target.noun)
    if scene.detail(target.tool):
        known = scene.calls[place].arguments.values()
        told = [n for n, f in noun.fields.items() if _is_told(field_of(rows[0], n), known, f.type)]
        if len(rows) != 1 or not told:
            raise Stuck("empty-answer", target.tool)
        name = scene.rng.choice(told)
        shown = OfRow(step=place, by={}, field=name)
        return Aim(kind="field", tool=target.tool, call=place, row=shown, field=name)
    order = list(range(len(rows)))
    scene.rng.shuffle(order)
    for number in order:
        row = rows[number]
        fields = [n for n, f in noun.fields.items() if _is_told(field_of(row, n), (), f.type)]
        label = scene.label_of(target.noun, rows, row)
        fields = [n for n in fields if label is not None and n not in label]
        if fields:
            name = scene.rng.choice(fields)
            _, origin = binder.lead_to(target.noun, place, row, name)
            return Aim(kind="field", tool=target.tool, call=place, row=origin, field=name)
    raise Stuck("ambiguous-label", target.noun)


def _is_told(value: Any, known: Iterable[Any], kind: Kind) -> bool:
    """Whether a value tells something that was not given, and that one would say."""
    return value not in known and _can_be_said(value, kind)


def _can_be_said(value: Any, kind: Kind) -> bool:
    try:
        checked(value, kind)
    except Unworded:
        return False
    return True


def _pick(scene: Scene, binder: Binder, target: Target) -> Aim:
    """Ask which row has the greatest or least of something."""
    place = _listed(scene, binder, target)
    rows, noun = scene.rows(place), scene.noun(target.noun)
    if scene.is_part(place):
        raise Stuck("nothing-to-compare", target.noun)
    ways = [
        (n, g)
        for n, f in noun.fields.items()
        for g in (True, False)
        if (f.most, f.least)[not g] and in_order(rows, n, f.type)
    ]
    scene.rng.shuffle(ways)
    for of, greatest in ways:
        try:
            row = picked(rows, of, greatest)
        except Unfound:
            continue
        label = next((n for n in noun.label if speakable(field_of(row, n))), None)
        if len(rows) > 2 and label is not None:
            origin = Picked(step=place, greatest=greatest, of=of, field=label)
            scene.focus.append(Focus(target.noun, {}, row, place))
            return Aim(kind="pick", tool=target.tool, call=place, row=origin, field=label)
    raise Stuck("nothing-to-compare", target.noun)


def _count(scene: Scene, binder: Binder, target: Target) -> Aim:
    """Ask how many rows there are."""
    place = _listed(scene, binder, target)
    if not 1 < len(scene.rows(place)) <= 60 or scene.is_part(place):
        raise Stuck("nothing-to-count", target.noun)
    return Aim(kind="count", tool=target.tool, call=place)


CARRIED_OUT: dict[str, Callable[[Scene, Binder, Target], Aim]] = {
    "do": _do,
    "ask": _ask,
    "field": _field,
    "pick": _pick,
    "count": _count,
}
