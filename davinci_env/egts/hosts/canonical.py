"""States as canonical JSON: one hash for equal states, and the difference of two, cell by cell.

Runs in the package and in the interpreters of foreign systems alike, so it imports the standard
library alone.
"""

from __future__ import annotations

import hashlib
import json
import marshal
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

IDENTITIES = ("id", "id_", "uuid", "key")
"""Fields that tell the items of a list apart, the first that does so in all of them."""

MAX_MATCHED = 1_000
"""Longest stretch of a list in which moved items are looked for: that takes its square in time."""


def encode(document: Any) -> bytes:
    """A JSON value in its one canonical form: keys sorted, nothing between."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def digest(document: Any) -> str:
    """The SHA-256 of a canonical state, as hex."""
    return hashlib.sha256(encode(document)).hexdigest()


def difference(before: Any, after: Any) -> list[list[Any]]:
    """The cells in which two states differ, as `[path, before, after]`, ordered by path; none where
    their digests are equal.

    A path joins keys with "/" (in keys, "~" and "/" are written "~0" and "~1" as in RFC 6901).
    Items of a list go by their identity where they have one, else by position: that in `before` for
    an item that is gone, else that in `after`. What is not there is null. Where the items that
    stayed changed places, a cell for the list itself has the identities in their orders.
    """
    return sorted(_cells("", before, after), key=lambda cell: str(cell[0]))


def _same(before: Any, after: Any) -> bool:
    """Whether two values have one canonical form: 1, 1.0 and true are equal, and differ in that."""
    if before is after or before != after:
        return before is after
    # A third of the time of `encode`, and enough where the keys stand in one order, as mostly.
    return marshal.dumps(before, 0) == marshal.dumps(after, 0) or encode(before) == encode(after)


def _cells(path: str, before: Any, after: Any) -> Iterator[list[Any]]:
    if _same(before, after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            place = f"{path}/{_escaped(key)}"
            if key in before and key in after:
                yield from _cells(place, before[key], after[key])
            else:
                yield [place, before.get(key), after.get(key)]
    elif isinstance(before, list) and isinstance(after, list):
        yield from _items(path, before, after)
    elif encode(before) != encode(after):  # no number equals itself that is none
        yield [path, before, after]


def _items(path: str, before: list[Any], after: list[Any]) -> Iterator[list[Any]]:
    identity = _identity([*before, *after])
    if identity is not None:
        old = {str(item[identity]): item for item in before}
        new = {str(item[identity]): item for item in after}
        if len(old) == len(before) and len(new) == len(after):
            if [key for key in old if key in new] != [key for key in new if key in old]:
                yield [path, list(old), list(new)]
            yield from _cells(path, old, new)
            return
    yield from _positions(path, before, after)


def _positions(path: str, before: list[Any], after: list[Any]) -> Iterator[list[Any]]:
    """Compare lists whose items have no identity."""
    head, tail, shorter = 0, 0, min(len(before), len(after))
    while head < shorter and _same(before[head], after[head]):
        head += 1
    while tail < shorter - head and _same(before[-1 - tail], after[-1 - tail]):
        tail += 1
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    for tag, i, j, k, m in _changes(old, new):
        if tag == "replace" and j - i == m - k:
            for offset in range(j - i):
                place = f"{path}/{head + k + offset}"
                yield from _cells(place, old[i + offset], new[k + offset])
        elif tag != "equal":
            yield from ([f"{path}/{head + n}", old[n], None] for n in range(i, j))
            yield from ([f"{path}/{head + n}", None, new[n]] for n in range(k, m))


def _changes(old: list[Any], new: list[Any]) -> Sequence[tuple[str, int, int, int, int]]:
    if max(len(old), len(new)) > MAX_MATCHED:
        return [("replace", 0, len(old), 0, len(new))]
    return SequenceMatcher(None, [*map(encode, old)], [*map(encode, new)], False).get_opcodes()


def _identity(items: list[Any]) -> str | None:
    """The field by which all items can be told apart."""
    if not items or not all(isinstance(item, dict) for item in items):
        return None
    for name in IDENTITIES:
        if all(isinstance(item.get(name), str | int) for item in items):
            return name
    return None


def _escaped(key: str) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")
