"""What BFCL's classes hold and return, as JSON."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

MAX_WHOLE = 2**63 - 1
"""Beyond it, whole numbers are no JSON that everybody reads; they become decimals."""


class Unsayable(Exception):
    """A value that JSON has no form for."""


def plain(value: Any) -> Any:
    """A value as JSON: sets sorted, keys as text, numbers of other kinds as plain ones.

    Raises:
        Unsayable: there is no such form.
    """
    if value is None or isinstance(value, str | bool):
        return value
    if value is ...:  # stands in a long context's watchlist
        return "..."
    if isinstance(value, dict):
        return {_key(key, value): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, int) and abs(value) <= MAX_WHOLE:
        return value
    return _number(value)


def _number(value: Any) -> float:
    if isinstance(value, int | float | Decimal) or type(value).__name__ == "mpf":
        try:
            found = float(value)
        except (OverflowError, ValueError) as error:
            raise Unsayable("The result is too large.") from error
        if math.isfinite(found):
            return found
        raise Unsayable("The result is no finite number.")
    raise Unsayable(f"The result is no plain value but a {type(value).__name__}.")


def _key(key: Any, where: dict[Any, Any]) -> str:
    """A key as text. Some classes hold a number and its digits side by side."""
    if isinstance(key, str):
        return key
    return f"{type(key).__name__} {key}" if str(key) in where else str(key)


def tree_of(root: Any, current: Any) -> dict[str, Any]:
    """The state of a file system: its tree, where it stands, and what makes it less than a tree.

    Directories are objects, files their texts. Copying or moving a directory into itself makes a
    ring, which is named where it closes; moving one leaves its own directories with the former
    parent, which is where `cd ..` leads from them: these stand under `strays`.
    """
    strays: dict[str, str] = {}
    reached: set[int] = set()

    def walk(directory: Any, path: str, above: dict[int, str]) -> Any:
        # Moved directories share one table of contents with what was there before.
        if id(directory.contents) in above:
            return ["ring", above[id(directory.contents)]]
        reached.add(id(directory))
        above = {**above, id(directory.contents): path}
        found: dict[str, Any] = {}
        for name, item in directory.contents.items():
            if not hasattr(item, "contents"):
                found[name] = item.content
                continue
            found[name] = walk(item, f"{path}/{name}", above)
            if item.parent is not directory:
                strays[f"{path}/{name}"] = path_of(item.parent)
        return found

    tree = walk(root, "", {})
    state = {"root": {root.name: tree}, "current": path_of(current), "strays": strays}
    if id(current) not in reached:
        state["detached"] = walk(current, "", {})
    return state


def path_of(directory: Any) -> str:
    """The names from the root to a directory, by its parents."""
    names: list[str] = []
    seen: set[int] = set()
    while directory is not None and id(directory) not in seen:
        seen.add(id(directory))
        names.append(directory.name)
        directory = directory.parent
    return "/" + "/".join(reversed(names))
