"""What every MCP client and chat API accepts: names, plain schemas; and whether a result satisfies
its schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..domain import Domain
from ..environment.specs import tool_specs
from .report import Findings

TOOL_NAME = re.compile(r"[a-z0-9_]{1,40}")
RESERVED_TOOLS = frozenset(("reset", "step", "state", "close"))
RESERVED_ARGUMENTS = frozenset(("name",))
FORBIDDEN_KEYWORDS = frozenset(("$ref", "$defs", "anyOf", "oneOf", "allOf", "not", "if"))
ANNOTATIONS = frozenset(("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"))


def check_wire(domain: Domain, findings: Findings) -> None:
    """Names and schemas."""
    for spec in tool_specs(domain):
        line = domain.tools[spec.name].line
        if not TOOL_NAME.fullmatch(spec.name) or spec.name in RESERVED_TOOLS:
            findings.add("wire-name", spec.name, "is no name that every client accepts", line)
        for argument in spec.parameters.get("properties", {}):
            if argument in RESERVED_ARGUMENTS or not re.fullmatch(r"[A-Za-z0-9_]{1,64}", argument):
                text = f"has an argument called {argument!r}, which not every client accepts"
                findings.add("wire-name", spec.name, text, line)
        for what, schema in (("arguments", spec.parameters), ("result", spec.output_schema)):
            if schema.get("type") != "object" or "properties" not in schema:
                text = f"the schema of its {what} is no plain object"
                findings.add("wire-schema", spec.name, text, line)
            for keyword in sorted(set(_keywords(schema)) & FORBIDDEN_KEYWORDS):
                text = f"the schema of its {what} uses {keyword}"
                findings.add("wire-schema", spec.name, text, line)
        for argument, schema in spec.parameters.get("properties", {}).items():
            if not isinstance(schema.get("type"), str):
                text = f"the argument {argument} has no single type"
                findings.add("wire-schema", spec.name, text, line)
        if set(spec.annotations) != ANNOTATIONS:
            findings.add("wire-schema", spec.name, "lacks an annotation", line)


def _keywords(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        for key, value in schema.items():
            if key == "properties":
                for inner in value.values():
                    yield from _keywords(inner)
            else:
                yield key
                yield from _keywords(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _keywords(item)


_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def violation(value: Any, schema: Mapping[str, Any], where: str = "result") -> str | None:
    """The first place where a JSON value does not satisfy a schema of the kinds that tools have, or
    None."""
    types = schema.get("type")
    if types is not None:
        wanted = [types] if isinstance(types, str) else types
        if not any(_is(value, name) for name in wanted):
            return f"{where} is {value!r}, not of type {' or '.join(wanted)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is {value!r}, which is no allowed value"
    if isinstance(value, dict):
        for name in schema.get("required", ()):
            if name not in value:
                return f"{where} lacks {name}"
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                found = violation(value[name], inner, f"{where}.{name}")
                if found is not None:
                    return found
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            found = violation(item, schema["items"], f"{where}[{number}]")
            if found is not None:
                return found
    return None


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name])
