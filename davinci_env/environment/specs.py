"""Tool specifications: what a domain's contract looks like to MCP clients and chat APIs."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from ..domain import Domain, Tool
from .protocol import ToolSpec

_specs: WeakKeyDictionary[Domain, tuple[ToolSpec, ...]] = WeakKeyDictionary()


def tool_specs(domain: Domain) -> tuple[ToolSpec, ...]:
    """The specifications of a domain's tools, made once."""
    if domain not in _specs:
        _specs[domain] = tuple(_spec(tool) for tool in domain.tools.values())
    return _specs[domain]


def _spec(tool: Tool) -> ToolSpec:
    reads = tool.kind == "read"
    removes = any(type(item).__name__ == "Deletes" for item in tool.frame)
    destructive = (
        removes or tool.outcome.irreversible if tool.destructive is None else tool.destructive
    )
    return ToolSpec(
        name=tool.name,
        title=tool.name.replace("_", " ").capitalize(),
        description=" ".join(tool.text.split()),
        parameters=tool.binder.schema,
        output_schema=tool.shape.schema(),
        annotations={
            "readOnlyHint": reads,
            "destructiveHint": False if reads else destructive,
            "idempotentHint": reads or tool.idempotent,
            "openWorldHint": False,
        },
        home=tool.home,
    )
