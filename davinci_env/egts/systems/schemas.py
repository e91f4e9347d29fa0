"""Foreign JSON schemas made plain: what chat APIs and MCP clients all take.

References are put in place, a nullable or alternative type becomes its first plain one (choices
among constants stay choices), conditions such as `not` and `if` are left to the system itself, and
what a schema says beyond that stays. A schema that can't be made plain is refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError, best_match
from jsonschema.validators import validator_for

from ...errors import UsageError

MAX_PARTS = 5_000
"""Most parts of a plain schema: references into references can make billions of a few lines."""

_CHOICES = ("anyOf", "oneOf")
_ONE = ("additionalProperties", "items", "contains", "propertyNames")
_NAMED = ("properties", "patternProperties")
_DROPPED = frozenset(
    (
        "$defs", "definitions", "$schema", "$id", "$anchor", "$comment", "title",
        "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef",
        "not", "if", "then", "else", "dependentSchemas", "dependencies",
        "unevaluatedProperties", "unevaluatedItems", "additionalItems",
    )
)  # fmt: skip
_NO_FORMATS = FormatChecker(formats=())
_NONE = object()


def plain_schema(tool: str, schema: Any) -> dict[str, Any]:
    """A plain object schema of a tool's parameters.

    Raises:
        UsageError: it is no schema, is not of an object, or refers to itself.
    """
    if not isinstance(schema, Mapping):
        raise UsageError(f"the tool {tool!r} has no schema for its parameters")
    try:
        validator_for(schema, Draft202012Validator).check_schema(schema, _NO_FORMATS)
        found = _Maker(tool, schema).plain(schema, ())
        Draft202012Validator.check_schema(found)  # older drafts allow what this one doesn't
    except SchemaError as error:
        problem = f"the schema of the tool {tool!r} is invalid ({error.message[:200]})"
        raise UsageError(problem) from error
    except RecursionError as error:
        raise UsageError(f"the schema of the tool {tool!r} is nested too deeply") from error
    if found.setdefault("type", "object") != "object":
        raise UsageError(f"the parameters of the tool {tool!r} are no object")
    properties = found.setdefault("properties", {})
    found["required"] = [name for name in found.get("required", ()) if name in properties]
    found["additionalProperties"] = False
    return found


class _Maker:
    """Makes one tool's schema plain."""

    def __init__(self, tool: str, root: Mapping[str, Any]) -> None:
        self._tool = tool
        self._root = root
        self._left = MAX_PARTS

    def plain(self, schema: Any, within: tuple[str, ...]) -> dict[str, Any]:
        """A schema without references and alternatives; `within` are the references that lead to
        it.
        """
        self._left -= 1
        if self._left < 0:
            raise UsageError(f"the schema of the tool {self._tool!r} is too big")
        if not isinstance(schema, Mapping):
            return {}
        if "$ref" in schema:
            reference = str(schema["$ref"])
            if reference in within:
                raise UsageError(f"the schema of the tool {self._tool!r} refers to itself")
            referred = self.plain(self._referred(reference), (*within, reference))
            return _joined(referred, self.plain(_without(schema, "$ref"), within))
        for key in _CHOICES:
            if key in schema:
                chosen = self.plain(_chosen(schema[key]), within)
                return _joined(chosen, self.plain(_without(schema, key), within))
        if "allOf" in schema:
            merged: dict[str, Any] = {}
            for part in (*schema["allOf"], _without(schema, "allOf")):
                merged = _joined(merged, self.plain(part, within))
            return merged
        return self._own(schema, within)

    def _own(self, schema: Mapping[str, Any], within: tuple[str, ...]) -> dict[str, Any]:
        """What a schema says itself, its parts made plain."""
        found = {key: value for key, value in schema.items() if key not in _DROPPED}
        if isinstance(found.get("items"), list):  # as older drafts write a list's first items
            found["prefixItems"] = found.pop("items")
        for key in _NAMED:
            if key in found:
                found[key] = {n: self.plain(part, within) for n, part in found[key].items()}
        for key in _ONE:
            if isinstance(found.get(key), Mapping):
                found[key] = self.plain(found[key], within)
        if "prefixItems" in found:
            found["prefixItems"] = [self.plain(part, within) for part in found["prefixItems"]]
        if not _readable(found.get("pattern", "")):
            del found["pattern"]
        if "patternProperties" in found:
            named = found["patternProperties"]
            found["patternProperties"] = {n: part for n, part in named.items() if _readable(n)}
        return _not_null(found)

    def _referred(self, reference: str) -> Any:
        """The part of the root that a reference names."""
        place: Any = self._root
        pointer = unquote(reference.removeprefix("#"))
        for part in pointer.split("/")[1:] if reference.startswith("#") else ["?"]:
            key = part.replace("~1", "/").replace("~0", "~")
            if isinstance(place, list) and key.isdecimal() and int(key) < len(place):
                place = place[int(key)]
            else:
                place = place.get(key, _NONE) if isinstance(place, Mapping) else _NONE
        if place is _NONE or (pointer and not pointer.startswith("/")):
            raise UsageError(
                f"the schema of the tool {self._tool!r} refers to {reference!r}, which isn't there"
            )
        return place


def _without(schema: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != key}


def _chosen(choices: Sequence[Any]) -> Mapping[str, Any]:
    """The first alternative that is more than null; all of them where they are constants."""
    kinds = [
        choice
        for choice in choices
        if isinstance(choice, Mapping)
        and choice.get("type") != "null"
        and choice.get("const", "") is not None
    ]
    if not kinds:
        return {}
    values = [
        choice.get("enum", [choice["const"]] if "const" in choice else []) for choice in kinds
    ]
    if len(kinds) == 1 or not all(values):
        return kinds[0]
    types = [choice.get("type") for choice in kinds]
    same = (
        {"type": types[0]} if types[0] is not None and types.count(types[0]) == len(types) else {}
    )
    return {**same, "enum": [value for found in values for value in found]}


def _joined(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """What two schemas of one thing say together; of two words on one matter, the second's."""
    joined = {**first, **second}
    if "properties" in first and "properties" in second:
        joined["properties"] = {**first["properties"], **second["properties"]}
    if "required" in first and "required" in second:
        joined["required"] = list(dict.fromkeys((*first["required"], *second["required"])))
    return _not_null(joined)


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema that never takes null, but for one of null alone. Changes what it is given."""
    kinds = schema.get("type")
    if isinstance(kinds, list):
        schema["type"] = kinds = next((kind for kind in kinds if kind != "null"), "null")
    if kinds is not None and kinds != "null":
        if "enum" in schema:
            schema["enum"] = [value for value in schema["enum"] if value is not None]
        if "default" in schema and schema["default"] is None:
            del schema["default"]
    return schema


def _readable(pattern: str) -> bool:
    """Whether Python reads a regular expression, which other languages write a little otherwise."""
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


SHOWN = 200
"""Characters of a complaint that are shown."""


def problem_of(schema: Mapping[str, Any], arguments: Any) -> str | None:
    """What is wrong with arguments, as one phrase; None: nothing."""
    try:
        error = best_match(Draft202012Validator(schema).iter_errors(arguments))
    except RecursionError:
        return "arguments: they are nested too deeply"
    if error is None:
        return None
    place = ".".join(str(part) for part in error.absolute_path) or "arguments"
    said = error.message if len(error.message) <= SHOWN else f"{error.message[:SHOWN]}…"
    return f"{place}: {said}"
