"""A small repository read as canonical JSON, without starting git: loose objects, refs, the index.

Repositories here are made loose and nothing packs them; an object that is nowhere is an error, not
a gap in the state.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

_ENTRY = struct.Struct(">24xI12x20sH")
"""What of an index entry counts: its mode, its blob, its flags. Times and inodes don't."""
_PLAIN = 0o100644
_EXTENDED = 0x4000


def read_repository(root: Path) -> dict[str, Any]:
    """Where HEAD is, branches and tags, the commits that they reach, the index, the work tree.

    Reflogs, times of files and objects that nothing reaches are no part of a repository's state.
    """
    place = root / ".git"
    head = (place / "HEAD").read_text("utf-8").strip()
    branches, tags = _refs(place / "refs" / "heads"), _refs(place / "refs" / "tags")
    detached = {} if head.startswith("ref: ") else {"HEAD": head}
    return {
        "head": head.removeprefix("ref: refs/heads/"),
        "branches": branches,
        "tags": tags,
        "commits": _commits(place / "objects", {**branches, **tags, **detached}),
        "index": _index(place / "index"),
        "files": {
            path.relative_to(root).as_posix(): path.read_bytes().decode("utf-8", "replace")
            for path in sorted(root.rglob("*"))
            if path.is_file() and place not in path.parents
        },
    }


def _refs(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8").strip()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _commits(objects: Path, starts: dict[str, str]) -> dict[str, Any]:
    """Every commit that is reached: its message, author, tree, parents and when it was written."""
    found: dict[str, Any] = {}
    queue = sorted(starts.values())
    while queue:
        commit = queue.pop()
        if commit in found:
            continue
        raw = zlib.decompress((objects / commit[:2] / commit[2:]).read_bytes())
        header, _, message = raw.partition(b"\0")[2].decode("utf-8", "replace").partition("\n\n")
        lines = [line.partition(" ") for line in header.splitlines()]
        parents = [value for name, _, value in lines if name == "parent"]
        named = {name: value for name, _, value in lines if name in ("tree", "author")}
        found[commit] = {"message": message, "parents": parents, **named}
        queue += parents
    return found


def _index(path: Path) -> dict[str, str]:
    """What is staged: path to blob, with the stage behind it where a merge left several."""
    raw = path.read_bytes()
    signature, version, count = struct.unpack(">4sII", raw[:12])
    if signature != b"DIRC" or version not in (2, 3):
        raise ValueError(f"{path.name} is no index of version 2 or 3")
    entries: dict[str, str] = {}
    at = 12
    for _ in range(count):
        mode, blob, flags = _ENTRY.unpack_from(raw, at)
        start = at + _ENTRY.size + (2 if flags & _EXTENDED else 0)
        end = raw.index(b"\0", start)
        stage = flags >> 12 & 3
        name = raw[start:end].decode("utf-8", "replace")
        special = "" if mode == _PLAIN else f" {mode:o}"
        entries[f"{name}#{stage}" if stage else name] = blob.hex() + special
        at += (end - at + 8) // 8 * 8
    return entries
