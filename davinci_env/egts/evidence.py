"""What results show: rows and values, and how a stated label, or a comparison, leads to one.

The explorer, the replay and the audit all read results through this module, so that what one finds,
the others find.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .lexicon import ToolWords
from .model import Composed, Fixed, OfRow, Origin, Picked, Returned, Several, Stated

Row = Mapping[str, Any]


class Unfound(Exception):
    """A value can't be found where its origin says. `reason` is a code."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def at(content: Any, path: str) -> Any:
    """What stands at a path of a JSON value, keys and positions joined with "/". Raises Unfound."""
    for part in path.split("/") if path else []:
        if isinstance(content, Mapping) and part in content:
            content = content[part]
        elif isinstance(content, list) and part.isdigit() and int(part) < len(content):
            content = content[int(part)]
        else:
            raise Unfound("path-missing", f"the result has nothing at {path!r}")
    return content


def field_of(row: Row, name: str) -> Any:
    """A field of a row, also an inner one ("price/amount"); None where it isn't there."""
    try:
        return row[name] if name in row else at(row, name)
    except Unfound:
        return None


def rows_of(words: ToolWords, content: Any) -> list[Row]:
    """The rows that a result shows, by the words of its tool: those that stand there, or one for
    each item of the list that these have at `words.each`.
    """
    rows = _rows_at(words, content)
    if not words.each:
        return rows
    lists = [(row, field_of(row, words.each)) for row in rows]
    return [
        {**row, words.each: i} for row, items in lists if isinstance(items, list) for i in items
    ]


def _rows_at(words: ToolWords, content: Any) -> list[Row]:
    """The rows that a result shows; no rows where it shows none.

    Lists of objects are rows as they are; a list of plain values has rows of one field, `value`;
    an object of objects has a row for each, its key in the field `words.key`; an object of plain
    values too, if the words name its key, with the value as `value`; else it is one row. A text has
    the rows that `words.pattern` finds in it.
    """
    try:
        data = at(content, words.at)
    except Unfound:
        return []
    if not words.at and isinstance(data, Mapping) and set(data) == {"result"}:
        data = data["result"]
    if isinstance(data, str):
        return _rows_of_text(words.pattern, data)
    if isinstance(data, list):
        return [item if isinstance(item, Mapping) else {"value": item} for item in data]
    if not isinstance(data, Mapping):
        return []
    key = words.key or "key"
    if data and all(isinstance(value, Mapping) for value in data.values()):
        return [{key: name, **value} for name, value in data.items()]
    if words.key:
        return [{key: name, "value": value} for name, value in data.items()]
    return [data] if data else []


def _rows_of_text(pattern: str, text: str) -> list[Row]:
    if not pattern:
        return []
    found = re.finditer(pattern, text, re.MULTILINE)
    return [{k: _typed(v) for k, v in m.groupdict().items() if v is not None} for m in found]


def _typed(text: str) -> Any:
    """A number where a text is nothing else."""
    text = text.strip()
    if re.fullmatch(r"-?(0|[1-9]\d{0,14})", text):
        return int(text)
    return float(text) if re.fullmatch(r"-?\d{1,12}\.\d{1,6}", text) else text


def values_at(document: Any, pattern: str) -> list[Any]:
    """All values at a path with * for any key or position, in order; a last `*key` gives the keys
    themselves.
    """
    places = [document]
    for part in pattern.split("/") if pattern else []:
        inner: list[Any] = []
        for place in places:
            if part in ("*", "*key"):
                keyed = place.items() if isinstance(place, Mapping) else ()
                listed = enumerate(place) if isinstance(place, list) else keyed
                inner += [key if part == "*key" else value for key, value in listed]
            elif isinstance(place, Mapping) and part in place:
                inner.append(place[part])
            elif isinstance(place, list) and part.isdigit() and int(part) < len(place):
                inner.append(place[int(part)])
        places = inner
    return places


def resolve(
    origin: Origin,
    facts: Mapping[str, Any],
    result: Callable[[int], Any],
    rows: Callable[[int], Sequence[Row]],
) -> Any:
    """The value that an origin leads to.

    Args:
        facts: what the user's words state, by name.
        result: gives a step's result, as the agent saw it; raises Unfound for one that failed.
        rows: gives the rows that it shows.

    Raises:
        Unfound: with the reason `fact-missing`, `label-not-found`, `label-ambiguous`,
            `path-missing`, `nothing-to-compare`.
    """
    if isinstance(origin, Fixed):
        return origin.fixed
    if isinstance(origin, Stated):
        if origin.fact not in facts:
            raise Unfound("fact-missing", f"the words state no {origin.fact}")
        return facts[origin.fact]
    if isinstance(origin, Several):
        return [resolve(item, facts, result, rows) for item in origin.items]
    if isinstance(origin, Composed):
        return {k: resolve(part, facts, result, rows) for k, part in origin.parts.items()}
    if isinstance(origin, Returned):
        return at(result(origin.step), origin.path)
    if isinstance(origin, OfRow):
        wanted = {
            field: resolve(Stated(fact=name), facts, result, rows)
            for field, name in origin.by.items()
        }
        return _one(labelled(rows(origin.step), wanted), origin.field)
    assert isinstance(origin, Picked)
    return _one([picked(rows(origin.step), origin.of, origin.greatest)], origin.field)


def labelled(rows: Sequence[Row], wanted: Mapping[str, Any]) -> list[Row]:
    """The rows that have these values, texts compared without regard to case."""
    return [row for row in rows if all(_same(field_of(row, f), v) for f, v in wanted.items())]


def fits(row: Row, where: Mapping[str, Any], field: str = "", like: str = "") -> bool:
    """Whether a row has the values that an argument's rows must have, by field, where a list holds
    all that will do; and whether its own field looks as it must.
    """
    told = all(
        field_of(row, name) in (wanted if isinstance(wanted, list) else [wanted])
        for name, wanted in where.items()
    )
    return told and (not like or re.search(like, str(field_of(row, field))) is not None)


def picked(rows: Sequence[Row], of: str, greatest: bool) -> Row:
    """The one row in which a field is greatest, or least. Raises Unfound where there is none, or
    several have the same.
    """
    found = [(field_of(row, of), row) for row in rows]
    known = [(value, row) for value, row in found if comparable(value)]
    if len(known) < 2 or len({type(value) is str for value, _ in known}) > 1:
        raise Unfound("nothing-to-compare", f"fewer than two rows have a {of}")
    best = (max if greatest else min)(value for value, _ in known)
    holders = [row for value, row in known if value == best]
    if len(holders) > 1:
        raise Unfound("label-ambiguous", f"several rows have the same {of}")
    return holders[0]


_MORE = ("next", "next_page", "cursor", "next_cursor", "has_more", "more", "truncated")
_IN_ALL = ("total", "total_count", "count_in_all", "total_results")


def is_part(content: Any, rows: Sequence[Row]) -> bool:
    """Whether a result says that it shows only some of the rows there are: a page of a list."""
    if not isinstance(content, Mapping):
        return False
    for name, value in content.items():
        plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(name)).casefold()
        counted = isinstance(value, int) and not isinstance(value, bool)
        if plain in _MORE and value not in (None, "", False, 0, -1):
            return True
        if plain in _IN_ALL and counted and value > len(rows):
            return True
        if plain in ("pages", "total_pages", "page_count") and counted and value > 1:
            return True
        if isinstance(value, Mapping) and is_part(value, rows):
            return True
    return False


def comparable(value: Any) -> bool:
    """Whether values of its kind can be put in order: numbers, and texts for dates and times."""
    return isinstance(value, int | float | str) and not isinstance(value, bool)


_ORDERED: Mapping[str, str] = {
    "date": r"\d{4}-\d\d-\d\d.*",
    "datetime": r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*",
    "time": r"\d\d:\d\d.*",
    "text": r"(?![$€£¥]?[\d.,]+$)[\s\S]*",
    "name": r"(?![$€£¥]?[\d.,]+$)[\s\S]*",
}
"""How texts of a type are written where the order of the texts is that of what they mean."""


def in_order(rows: Sequence[Row], of: str, kind: str) -> bool:
    """Whether the greatest and the least of a field, as it is written, are what people mean by it:
    "9.00" is a greater text than "10.00".
    """
    values = [value for value in (field_of(row, of) for row in rows) if comparable(value)]
    if not any(isinstance(value, str) for value in values):
        return True
    form = _ORDERED.get(kind)
    return form is not None and all(re.fullmatch(form, str(value)) for value in values)


def _one(rows: Sequence[Row], field: str) -> Any:
    values: list[Any] = []
    for row in rows:
        value = field_of(row, field)
        if value not in values:
            values.append(value)
    if not values or values == [None]:
        raise Unfound("label-not-found", "no row has that label")
    if len(values) > 1:
        raise Unfound("label-ambiguous", "several rows have that label")
    return values[0]


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(found, str) and isinstance(wanted, str):
        return found.strip().casefold() == wanted.strip().casefold()
    return bool(found == wanted) and type(found) is not bool


def fitted(value: Any, schema: Mapping[str, Any]) -> Any:
    """A value as a tool's schema wants it: a whole number where it takes nothing else, a text where
    it takes texts.
    """
    if isinstance(value, list):
        return [fitted(item, schema.get("items", {})) for item in value]
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        return {key: fitted(part, properties.get(key, {})) for key, part in value.items()}
    kind = schema.get("type")
    if kind == "integer" and isinstance(value, float):
        return round(value)
    if kind == "number" and isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    if kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value
