"""Values that nobody has to look up: amounts, days, names, texts, drawn as a file of words says."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from .evidence import values_at
from .lexicon import Arg, Lexicon

OPENING, CLOSING = time(9), time(17)
"""Between these, people meet."""
HALF_HOUR = timedelta(minutes=30)


def drawable(arg: Arg, schema: Mapping[str, Any]) -> bool:
    """Whether values can be drawn without looking anything up."""
    given = (arg.one_of, arg.state, arg.money, arg.number, arg.whole, arg.date, arg.datetime)
    return any(source is not None for source in (*given, arg.choice)) or "enum" in schema


def draw(
    arg: Arg,
    schema: Mapping[str, Any],
    lexicon: Lexicon,
    initial: Any,
    rng: random.Random,
    bound: Mapping[str, Any],
    said: Collection[Any] = (),
) -> Any:
    """Draw a value.

    Args:
        schema: of the argument; its type decides how a choice is written.
        initial: the canonical initial state.
        bound: values of the call's other arguments so far, and labels of what the episode speaks
            of, by noun: what texts may speak of.
        said: values that were stated before; none of them is said twice if there are others.

    Raises:
        LookupError: the source has no value that fits.
    """
    if arg.choice is not None:
        return _as_type(rng.choice(list(arg.choice)), schema)
    if arg.one_of is not None:
        values = lexicon.values[arg.one_of] if isinstance(arg.one_of, str) else arg.one_of
        return _text(values, rng, bound, said)
    if arg.state is not None:
        found = list(dict.fromkeys(v for v in values_at(initial, arg.state) if _is_plain(v)))
        return rng.choice(_others(found, bound))
    if arg.money is not None:
        return _money(arg.money, rng)
    if arg.number is not None:
        low, high = arg.number
        return min(high, max(low, round(rng.uniform(low, high), 1)))
    if arg.whole is not None:
        return rng.randint(*arg.whole)
    if arg.date is not None or arg.datetime is not None:
        return _moment(arg, rng, bound)
    return rng.choice(schema["enum"])


def alternatives(arg: Arg, schema: Mapping[str, Any], lexicon: Lexicon) -> list[Any]:
    """All values that an argument is drawn from, where they can be listed; else none."""
    if arg.choice is not None:
        return [_as_type(text, schema) for text in arg.choice]
    if arg.one_of is not None:
        values = lexicon.values[arg.one_of] if isinstance(arg.one_of, str) else arg.one_of
        return [value for value in values if not isinstance(value, str) or not _names(value)]
    return list(schema.get("enum", ()))


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float) and value != ""


def _others(found: Sequence[Any], bound: Mapping[str, Any]) -> Sequence[Any]:
    """What the call doesn't speak of already."""
    left = [value for value in found if value not in bound.values()]
    if not left:
        raise LookupError("nothing else is there")
    return left


def _as_type(text: str, schema: Mapping[str, Any]) -> Any:
    """A choice, which a file of words has as text, as the tool takes it."""
    for value in schema.get("enum", ()):
        if text in (value, str(value)):
            return value
    if schema.get("type") == "boolean":
        if text.casefold() not in ("true", "false"):
            raise LookupError(f"{text!r} is neither true nor false")
        return text.casefold() == "true"
    makers: dict[str, Callable[[str], Any]] = {
        "integer": int, "number": float, "object": json.loads, "array": json.loads,
    }  # fmt: skip
    try:
        return makers.get(str(schema.get("type")), str)(text)
    except ValueError as error:
        raise LookupError(f"{text!r} is no {schema['type']}") from error


def _money(limits: tuple[float, float], rng: random.Random) -> float:
    """An amount as people have them: mostly round, or with cents."""
    low, high = limits
    amount = rng.uniform(low, high)
    if high >= 20 and rng.random() < 0.6:
        step = 5 if high < 500 else 25
        amount = max(low, round(amount / step) * step)
    return round(min(amount, high), 2)


def _text(
    values: Sequence[Any], rng: random.Random, bound: Mapping[str, Any], said: Collection[Any]
) -> Any:
    """One of the values; a text that speaks of other things, only where these are known."""
    fit = [v for v in values if not isinstance(v, str) or _names(v) <= set(bound)]
    if not fit:
        raise LookupError("no text fits")
    chosen = rng.choice([value for value in fit if value not in said] or fit)
    if isinstance(chosen, str):
        return _PLACE.sub(lambda place: str(bound[place[1]]), chosen)
    return chosen


_PLACE = re.compile(r"\{([A-Za-z_][\w .-]*)\}")
"""What a text speaks of; other braces, as in a text of JSON, are its own."""


def _names(text: str) -> set[str]:
    return set(_PLACE.findall(text))


def spoken_of(arg: Arg, lexicon: Lexicon) -> set[str]:
    """What an argument's values may depend on: other arguments, and things."""
    values = lexicon.values[arg.one_of] if isinstance(arg.one_of, str) else arg.one_of or ()
    return {arg.after} | {name for v in values if isinstance(v, str) for name in _names(v)}


def _moment(arg: Arg, rng: random.Random, bound: Mapping[str, Any]) -> str:
    earlier = bound.get(arg.after)
    if isinstance(earlier, str):
        try:
            begun = parse_moment(earlier, arg.format)
        except ValueError as error:
            raise LookupError(f"{arg.after} is no day or time like this one") from error
        if isinstance(begun, datetime):
            return _written(begun + HALF_HOUR * rng.randint(1, 4), arg)
        return _written(begun + timedelta(days=rng.randint(1, 6)), arg)
    if arg.date is not None:
        first, last = map(date.fromisoformat, arg.date)
        return _written(first + timedelta(days=rng.randint(0, (last - first).days)), arg)
    assert arg.datetime is not None
    begin, end = map(datetime.fromisoformat, arg.datetime)
    day = begin.date() + timedelta(days=rng.randint(0, (end - begin).days))
    slots = (CLOSING.hour - OPENING.hour) * 2
    return _written(datetime.combine(day, OPENING) + HALF_HOUR * rng.randrange(slots), arg)


def _written(moment: date | datetime, arg: Arg) -> str:
    if arg.format:
        return moment.strftime(arg.format)
    if isinstance(moment, datetime):
        return moment.isoformat(" ", "minutes")
    return moment.isoformat()


def parse_moment(text: str, format: str = "") -> date | datetime:
    """A day, or a minute of one, out of the way an argument has it. Raises ValueError."""
    if format:
        found = datetime.strptime(text, format)
        return found if any(f"%{letter}" in format for letter in "HIMT") else found.date()
    return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
