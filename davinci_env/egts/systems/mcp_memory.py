"""The memory server of the Model Context Protocol's authors, on what an assistant knows of its
user's life.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..hosts.canonical import encode
from ..states.graph import make_graph
from . import installed
from .mcp_system import McpSystem
from .protocol import SystemFailure, SystemInfo
from .registry import Options
from .stores import DirectoryStore

INFO = SystemInfo(
    name="memory",
    family="memory",
    version="",
    licence="MIT",
    origin="npm @modelcontextprotocol/server-memory",
    context=(
        "You are Mara Ellwood's assistant. What you know of the people, places, organisations and "
        "plans in her life is kept in your memory, a graph of entities with observations."
    ),
)

_FILE = "memory.jsonl"


def open_system(name: str, options: Options) -> MemorySystem:
    """The system; its server has to be installed.

    Raises:
        UsageError: it isn't.
    """
    return MemorySystem(installed.home("memory"))


class GraphStore(DirectoryStore):
    """The graph's file, read as entities by type and name; the order of its lines says nothing."""

    def prepare(self, seed: int, folder: Path, live: Path) -> str:
        """Write the graph of a seed, as the server writes it."""
        graph = make_graph(seed)
        lines = [{"type": "entity", **entity} for entity in graph["entities"]]
        lines += [{"type": "relation", **relation} for relation in graph["relations"]]
        text = "\n".join(
            json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines
        )
        (folder / self.place / _FILE).write_text(text, "utf-8")
        return ""

    def capture(self, folder: Path) -> Any:
        """Entities with their observations, and relations, all in order."""
        entities: dict[str, dict[str, Any]] = {}
        relations: list[dict[str, Any]] = []
        for item in self._items(folder):
            kind = item.pop("type")
            if kind == "relation":
                relations.append(item)
            elif kind == "entity":
                named = entities.setdefault(item.pop("entityType"), {})
                name = key = item["name"]
                number = 1
                while key in named:  # one call can create an entity twice
                    number += 1
                    key = f"{name} ({number})"
                named[key] = {"name": name, "observations": sorted(item["observations"])}
        return {"entities": entities, "relations": sorted(relations, key=encode)}

    def _items(self, folder: Path) -> list[dict[str, Any]]:
        kept = self.keep(folder).get(_FILE)
        try:
            return [json.loads(line) for line in (kept.data if kept else b"").splitlines() if line]
        except ValueError as error:
            raise SystemFailure("garbage", f"the memory's file is no JSON: {error}") from error


class MemorySystem(McpSystem):
    """The server, which reads its file anew at each call.

    Args:
        place: where it is installed.
    """

    def __init__(self, place: Path) -> None:
        super().__init__(INFO, GraphStore())
        self._place = place

    def command(self, folder: Path) -> Sequence[str]:
        """Node with the server."""
        package = "node_modules/@modelcontextprotocol/server-memory/dist/index.js"
        return ["node", str(self._place / package)]

    def environment(self, folder: Path) -> Mapping[str, str]:
        """Where its file is."""
        return {"MEMORY_FILE_PATH": str(folder / "work" / _FILE)}

    def meant(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Arguments as they are: none is a path."""
        return arguments
