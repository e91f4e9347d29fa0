"""A small repository read as canonical JSON, without starting git: loose objects, refs, the index.

Repositories here are made loose and nothing packs them; an object that is nowhere is an error, not
a gap in the state.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from typing import Any

from .protocol import SystemFailure

_ENTRY = struct.Struct(">24xI12x20sH")
"""What of an index entry counts: its mode, its blob, its flags. Times and inodes don't."""
_PLAIN = 0o100644
_EXTENDED = 0x4000

Files = Mapping[str, bytes]
"""Content by path from the work tree's top, `.git` included."""


def read_repository(files: Files) -> dict[str, Any]:
    """Where HEAD is, branches and tags, the commits that they reach, the index, the work tree.

    Reflogs, times of files and objects that nothing reaches are no part of a repository's state.

    Raises:
        SystemFailure: the files are no repository, or not one that is understood here.
    """
    try:
        head = files[".git/HEAD"].decode().strip()
        branches, tags = _refs(files, ".git/refs/heads/"), _refs(files, ".git/refs/tags/")
        detached = {} if head.startswith("ref: ") else {"HEAD": head}
        return {
            "head": head.removeprefix("ref: refs/heads/"),
            "branches": branches,
            "tags": tags,
            "commits": _commits(files, {**branches, **tags, **detached}),
            "index": _index(files.get(".git/index", b"")),
            "files": {
                path: content.decode("utf-8", "replace")
                for path, content in sorted(files.items())
                if not path.startswith(".git/")
            },
        }
    except (KeyError, ValueError, struct.error, zlib.error) as error:
        raise SystemFailure("garbage", f"the repository can't be read: {error!r}") from error


def _refs(files: Files, place: str) -> dict[str, str]:
    return {
        path.removeprefix(place): content.decode().strip()
        for path, content in sorted(files.items())
        if path.startswith(place)
    }


def _commits(files: Files, starts: Mapping[str, str]) -> dict[str, Any]:
    """Every commit that is reached: its message, author with the time, tree and parents."""
    found: dict[str, Any] = {}
    queue = sorted(starts.values())
    while queue:
        commit = queue.pop()
        if commit in found:
            continue
        raw = zlib.decompress(files[f".git/objects/{commit[:2]}/{commit[2:]}"])
        header, _, message = raw.partition(b"\0")[2].decode("utf-8", "replace").partition("\n\n")
        lines = [line.partition(" ") for line in header.splitlines()]
        parents = [value for name, _, value in lines if name == "parent"]
        named = {name: value for name, _, value in lines if name in ("tree", "author")}
        found[commit] = {"message": message, "parents": parents, **named}
        queue += parents
    return found


def _index(raw: bytes) -> dict[str, str]:
    """What is staged: path to blob, with the stage behind the path where a merge left several, and
    the mode behind the blob where it is no plain file's.
    """
    if not raw:
        return {}
    signature, version, count = struct.unpack(">4sII", raw[:12])
    if signature != b"DIRC" or version not in (2, 3):
        raise ValueError("the index is not of version 2 or 3")
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
