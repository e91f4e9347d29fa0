"""Arguments on the wire: published as JSON schema, checked, and turned into Python values.

Checking is strict and says the same as the schema: what the schema doesn't allow never reaches a
body. (Beyond it, a text may hold no NUL and no half of a surrogate pair, and a date must exist.)
Each argument is compiled once into a function that returns the Python value or raises ValueError
with the problem in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import ToolError
from .dialect import Codec, Dialect
from .parameters import REQUIRED, Parameter

MAX_TEXT = 2_000
"""Longest text argument, in characters."""

MAX_ID = 100
"""Longest identifier, in characters."""

MAX_ITEMS = 50
"""Longest list argument."""

MAX_NUMBER = 2**53
"""Largest whole number that every JSON reader keeps exact."""

Read = Callable[[Any], Any]
"""Wire value to Python value; raises ValueError."""

_NAMED = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}
_BOUNDS: dict[str, tuple[str, str, Callable[[Any, Any], bool]]] = {
    "ge": ("minimum", "should be at least", lambda value, limit: value >= limit),
    "gt": ("exclusiveMinimum", "should be more than", lambda value, limit: value > limit),
    "le": ("maximum", "should be at most", lambda value, limit: value <= limit),
    "lt": ("exclusiveMaximum", "should be less than", lambda value, limit: value < limit),
}


class Binder:
    """Checks an agent's arguments and reads them; `Tool.bind` turns keys into rows."""

    def __init__(self, parameters: list[Parameter], dialect: Dialect) -> None:
        self.parameters = parameters
        self.dialect = dialect
        self.implicit = [(p.name, p.entity) for p in parameters if p.implicit and p.entity]
        visible = [p for p in parameters if not p.implicit]
        properties = {p.wire: _schema(p, dialect) for p in visible}
        self.schema: dict[str, Any] = {
            "type": "object",
            "properties": {p.wire: _described(p, dialect, properties[p.wire]) for p in visible},
            "additionalProperties": False,
        }
        required = [p.wire for p in visible if p.required]
        if required:
            self.schema["required"] = required
        self._fields = [
            (p.wire, p.name, _reader(p, dialect, properties[p.wire]), p.default) for p in visible
        ]
        self.rows = [(p.name, p.entity) for p in visible if p.entity and not p.type.many]
        self.row_lists = [(p.name, p.entity) for p in visible if p.entity and p.type.many]

    def read(self, arguments: Any) -> dict[str, Any]:
        """Check arguments against the schema and return values by name, rows still as keys.

        Raises ToolError `invalid_arguments`.
        """
        if type(arguments) is not dict and not isinstance(arguments, Mapping):
            raise self.invalid("they should be an object of named values")
        values: dict[str, Any] = {}
        given = len(arguments)
        for wire, name, read, default in self._fields:
            if wire in arguments:
                given -= 1
                try:
                    values[name] = read(arguments[wire])
                except ValueError as problem:
                    raise self.invalid(f"{wire} {problem}") from None
            elif default is REQUIRED:
                raise self.invalid(f"{wire} is missing")
            else:
                values[name] = default
        if given:
            known = {wire for wire, _, _, _ in self._fields}
            extra = next(key for key in arguments if key not in known)
            raise self.invalid(f"there is no argument {legible(extra)!r}")
        return values

    def invalid(self, detail: str) -> ToolError:
        """The error for arguments that the schema doesn't allow."""
        return ToolError("invalid_arguments", self.dialect.error("invalid", detail=detail))


def legible(value: Any) -> str:
    """A name that an agent made up, fit to stand in a message: short, and all of it characters."""
    text = value if isinstance(value, str) else type(value).__name__
    return text[:80].encode("utf-8", "replace").decode()


# -- schemas ---------------------------------------------------------------------------------------


def _schema(parameter: Parameter, dialect: Dialect) -> dict[str, Any]:
    """JSON schema of an argument, without its description and default."""
    item = _item_schema(parameter, dialect)
    if not parameter.type.many:
        return item
    bounds = parameter.bounds()
    schema = {
        "type": "array",
        "items": item,
        "minItems": bounds.get("min_length", 1),
        "maxItems": bounds.get("max_length", MAX_ITEMS),
    }
    return schema if parameter.entity is None else {**schema, "uniqueItems": True}


def _item_schema(parameter: Parameter, dialect: Dialect) -> dict[str, Any]:
    if parameter.entity is not None:
        return {"type": "string", "maxLength": MAX_ID}
    codec = dialect.codec(str(parameter.type.kind))
    item = dict(codec.schema)
    bounds = parameter.bounds()
    if parameter.type.choices:
        return {"type": item["type"], "enum": [_shown(codec, c) for c in parameter.type.choices]}
    if item["type"] == "string":
        if "pattern" not in item:
            many = parameter.type.many
            item["maxLength"] = MAX_TEXT if many else bounds.get("max_length", MAX_TEXT)
            if "min_length" in bounds and not many:
                item["minLength"] = bounds["min_length"]
    else:
        for key, (name, _, _) in _BOUNDS.items():
            if key in bounds:
                item[name] = _shown(codec, bounds[key])
    return item


def _shown(codec: Codec, value: Any) -> Any:
    return value if codec.show is None else codec.show(value)


def _described(parameter: Parameter, dialect: Dialect, schema: dict[str, Any]) -> dict[str, Any]:
    """A property as published: with its description, and its default where that is a value."""
    schema = {**schema, "description": parameter.doc}
    if not parameter.required and parameter.default is not None and not parameter.type.many:
        codec = dialect.codec(str(parameter.type.kind))
        schema["default"] = _shown(codec, parameter.default)
    return schema


# -- reading ---------------------------------------------------------------------------------------


def _reader(parameter: Parameter, dialect: Dialect, schema: dict[str, Any]) -> Read:
    if not parameter.type.many:
        return _item_reader(parameter, dialect, schema)
    read = _item_reader(parameter, dialect, schema["items"])
    least, most = schema["minItems"], schema["maxItems"]
    unique = "uniqueItems" in schema

    def read_list(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ValueError("should be a list")
        if not least <= len(value) <= most:
            raise ValueError(f"should have from {least} to {most} items")
        items = [read(item) for item in value]
        if unique and len(set(items)) != len(items):
            raise ValueError("names the same ID twice")
        return items

    return read_list


def _item_reader(parameter: Parameter, dialect: Dialect, schema: dict[str, Any]) -> Read:
    if parameter.entity is not None:
        return _text_reader(schema)
    codec = dialect.codec(str(parameter.type.kind))
    if parameter.type.choices:
        return _choice_reader(parameter.type.choices, codec)
    if schema["type"] == "string":
        plain = _pattern_reader(schema) if "pattern" in schema else _text_reader(schema)
    elif schema["type"] == "boolean":
        plain = _boolean
    else:
        plain = _number_reader(schema["type"], codec.read is not None)
    bounds = [
        (holds, limit, f"{words} {_shown(codec, limit)}")
        for key, (_, words, holds) in _BOUNDS.items()
        if (limit := parameter.bounds().get(key)) is not None
    ]
    if codec.read is None and not bounds:
        return plain
    convert = codec.read

    def read(value: Any) -> Any:
        value = plain(value)
        if convert is not None:
            value = convert(value)
        for holds, limit, words in bounds:
            if not holds(value, limit):
                raise ValueError(words)
        return value

    return read


def _text_reader(schema: Mapping[str, Any]) -> Read:
    most, least = schema["maxLength"], schema.get("minLength", 0)

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("should be a text")
        if len(value) > most:
            raise ValueError(f"should have at most {most} characters")
        if len(value) < least:
            raise ValueError(f"should have at least {least} characters")
        if "\0" in value or not (value.isascii() or _is_unicode(value)):
            raise ValueError("holds a character that is not allowed")
        return value

    return read


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _pattern_reader(schema: Mapping[str, Any]) -> Read:
    matches = re.compile(schema["pattern"].removeprefix("^").removesuffix("$")).fullmatch
    example = schema["examples"][0]

    def read(value: Any) -> str:
        if not isinstance(value, str) or matches(value) is None:
            raise ValueError(f"should look like {example}")
        return value

    return read


def _number_reader(kind: str, coded: bool) -> Read:
    whole = kind == "integer"
    wanted = f"should be {_NAMED[kind]}"

    def read(value: Any) -> Any:
        if type(value) is not int and (whole or type(value) is not float):
            raise ValueError(wanted)
        if not -MAX_NUMBER <= value <= MAX_NUMBER:  # nor is NaN
            raise ValueError("is out of range")
        return value if whole or coded else float(value)

    return read


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("should be true or false")
    return value


def _choice_reader(choices: tuple[Any, ...], codec: Codec) -> Read:
    """Values of one type; true is no 1 and 1.0 is no 1."""
    meant = {(type(shown), shown): c for c in choices for shown in [_shown(codec, c)]}
    listed = "should be one of " + ", ".join(str(shown) for _, shown in meant)

    def read(value: Any) -> Any:
        if not isinstance(value, str | int | float) or (type(value), value) not in meant:
            raise ValueError(listed)
        return meant[type(value), value]

    return read
