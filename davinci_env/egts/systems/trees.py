"""Folders as values: kept in memory, put back into the live folder, and shown under a stable name.

Servers keep their files in a private folder that is another one in each run; what they are asked and
what they answer goes through `ShownFolder`, so that an agent sees the same paths always.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Node:
    """A file, or a folder where `data` is None.

    Attributes:
        mode: permission bits.
        modified: time of the last change, in nanoseconds.
    """

    data: bytes | None
    mode: int
    modified: int


Tree = Mapping[str, Node]
"""What a folder holds, by path with "/" between, folders before what is in them."""


def read_tree(root: Path) -> dict[str, Node]:
    """Everything in a folder. Links are followed: servers here can't make any."""
    tree: dict[str, Node] = {}
    for path in sorted(root.rglob("*")):
        status = path.stat()
        data = None if path.is_dir() else path.read_bytes()
        name = path.relative_to(root).as_posix()
        tree[name] = Node(data, status.st_mode & 0o777, status.st_mtime_ns)
    return tree


def write_tree(root: Path, tree: Tree) -> None:
    """Make a folder hold exactly this, in place: the folder itself stays, as does what is right."""
    present = read_tree(root)
    for name in sorted(present, reverse=True):
        kept = tree.get(name)
        if kept is None or (kept.data is None) != (present[name].data is None):
            _remove(root / name)
            del present[name]
    for name, node in tree.items():
        path = root / name
        if node == present.get(name):
            continue
        if node.data is None:
            path.mkdir(exist_ok=True)
        elif name not in present or present[name].data != node.data:
            path.unlink(missing_ok=True)
            path.write_bytes(node.data)
        path.chmod(node.mode)
    for name in sorted(tree, reverse=True):  # what happens inside a folder changes its time
        os.utime(root / name, ns=(tree[name].modified, tree[name].modified))


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@dataclass(frozen=True)
class ShownFolder:
    """A private folder and the path under which it is shown: the end of its own.

    Attributes:
        hidden: the part of the private path that nobody sees, without links in it.
        shown: the rest, an absolute path that an agent takes the folder for.
    """

    hidden: str
    shown: str

    @property
    def private(self) -> Path:
        """Where the folder is."""
        return Path(self.hidden + self.shown)

    def inward(self, path: Any) -> Any:
        """A path as the server needs it; what isn't a path in the shown folder is left alone."""
        if isinstance(path, list):
            return [self.inward(part) for part in path]
        if isinstance(path, str) and (path + "/").startswith(self.shown + "/"):
            return self.hidden + path
        return path

    def outward(self, content: Any) -> Any:
        """A result as the agent sees it."""
        if isinstance(content, str):
            return content.replace(self.hidden, "")
        if isinstance(content, list):
            return [self.outward(part) for part in content]
        if isinstance(content, dict):
            return {key: self.outward(value) for key, value in content.items()}
        return content
