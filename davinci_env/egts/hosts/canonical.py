"""States as canonical JSON: one hash for equal states, and the difference of two, cell by cell.

Runs in the package and in the interpreters of foreign systems alike, so it imports the standard
library alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

IDENTITIES = ("id", "id_", "uuid", "key")
"""Fields that tell the items of a list apart, the first that does so in all of them."""


def encode(document: Any) -> bytes:
    """A JSON value in its one canonical form: keys sorted, nothing between."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def digest(document: Any) -> str:
    """The SHA-256 of a canonical state, as hex."""
    return hashlib.sha256(encode(document)).hexdigest()


def difference(before: Any, after: Any) -> list[list[Any]]:
    """The cells in which two states differ, as `[path, before, after]`, ordered by path.

    A path joins keys with "/" (in keys, "~" and "/" are written "~0" and "~1" as in RFC 6901).
    Items of a list go by their identity where they have one, else by position. What is not there is
    null.
    """
    return sorted(_cells("", before, after), key=lambda cell: str(cell[0]))


def _cells(path: str, before: Any, after: Any) -> Iterator[list[Any]]:
    if before == after and type(before) is type(after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            yield from _cells(f"{path}/{_escaped(key)}", before.get(key), after.get(key))
    elif isinstance(before, list) and isinstance(after, list):
        yield from _items(path, before, after)
    else:
        yield [path, before, after]


def _items(path: str, before: list[Any], after: list[Any]) -> Iterator[list[Any]]:
    identity = _identity([*before, *after])
    if identity is not None:
        old = {str(item[identity]): item for item in before}
        new = {str(item[identity]): item for item in after}
        if len(old) == len(before) and len(new) == len(after):
            yield from _cells(path, old, new)
            return
    matcher = SequenceMatcher(None, [encode(b) for b in before], [encode(a) for a in after], False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "replace" and j - i == m - k:
            for offset in range(j - i):
                yield from _cells(f"{path}/{k + offset}", before[i + offset], after[k + offset])
        elif tag != "equal":
            yield from ([f"{path}/{n}", before[n], None] for n in range(i, j))
            yield from ([f"{path}/{n}", None, after[n]] for n in range(k, m))


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
