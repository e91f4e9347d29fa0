"""Foreign JSON schemas made plain: what chat APIs and MCP clients all take.

References are put in place, a nullable or alternative type becomes its first plain one, and what a
schema says beyond that stays. A schema that can't be made plain is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match

from ...errors import UsageError

MAX_DEPTH = 12
"""How deep references may nest: a schema that refers to itself never ends."""

_DROPPED = ("$defs", "definitions", "$schema", "$id", "title")
_CHOICES = ("anyOf", "oneOf")


def plain_schema(tool: str, schema: Any) -> dict[str, Any]:
    """A plain object schema of a tool's parameters.

    Raises:
        UsageError: it is no schema, is not of an object, or refers to itself.
    """
    if not isinstance(schema, Mapping):
        raise UsageError(f"the tool {tool!r} has no schema for its parameters")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise UsageError(f"the schema of the tool {tool!r} is invalid ({error.message})") from error
    found = _plain(tool, schema, schema, 0)
    if found.setdefault("type", "object") != "object":
        raise UsageError(f"the parameters of the tool {tool!r} are no object")
    found.setdefault("properties", {})
    required = [name for name in found.get("required", ()) if name in found["properties"]]
    found["required"] = required
    found.setdefault("additionalProperties", False)
    return found


def _plain(tool: str, schema: Any, root: Mapping[str, Any], depth: int) -> dict[str, Any]:
    if depth > MAX_DEPTH:
        raise UsageError(f"the schema of the tool {tool!r} refers to itself")
    if not isinstance(schema, Mapping):
        return {}
    if "$ref" in schema:
        given = {key: value for key, value in schema.items() if key != "$ref"}
        return _plain(tool, {**_referred(tool, schema["$ref"], root), **given}, root, depth + 1)
    for key in _CHOICES:
        if key in schema:
            rest = {name: value for name, value in schema.items() if name != key}
            return _plain(tool, {**_first(schema[key]), **rest}, root, depth + 1)
    if "allOf" in schema:
        merged: dict[str, Any] = {}
        for part in schema["allOf"]:
            merged.update(_plain(tool, part, root, depth + 1))
        rest = {name: value for name, value in schema.items() if name != "allOf"}
        return _plain(tool, {**merged, **rest}, root, depth + 1)
    found = {key: value for key, value in schema.items() if key not in _DROPPED}
    if isinstance(found.get("type"), list):
        found["type"] = next((kind for kind in found["type"] if kind != "null"), "string")
    if "properties" in found:
        found["properties"] = {
            name: _plain(tool, inner, root, depth + 1)
            for name, inner in found["properties"].items()
        }
    if isinstance(found.get("items"), Mapping):
        found["items"] = _plain(tool, found["items"], root, depth + 1)
    return found


def _first(choices: Any) -> Mapping[str, Any]:
    """The first alternative that is more than null."""
    kinds = [c for c in choices if isinstance(c, Mapping) and c.get("type") != "null"]
    return kinds[0] if kinds else {}


def _referred(tool: str, reference: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    place: Any = root
    parts = str(reference).removeprefix("#/").split("/")
    for part in parts if str(reference).startswith("#/") else ["?"]:
        place = place.get(part) if isinstance(place, Mapping) else None
    if not isinstance(place, Mapping):
        raise UsageError(
            f"the schema of the tool {tool!r} refers to {reference!r}, which isn't there"
        )
    return place


def problem_of(schema: Mapping[str, Any], arguments: Any) -> str | None:
    """What is wrong with arguments, as one phrase; None: nothing."""
    error = best_match(Draft202012Validator(schema).iter_errors(arguments))
    if error is None:
        return None
    place = ".".join(str(part) for part in error.absolute_path) or "arguments"
    return f"{place}: {error.message[:200]}"
