"""Arguments of tools: read from a signature, published as JSON schema, validated and bound to rows.

An argument typed as an entity appears to the agent as an id. Validation is strict: what the schema doesn't allow never
reaches a body.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.fields import FieldInfo
from sqlalchemy.orm import InstrumentedAttribute

from ..errors import ContractError, ToolError
from ..state import Entity, TypeInfo, read_annotation
from .dialect import Codec, Dialect

MAX_TEXT = 2_000
"""Longest text argument, in characters."""

MAX_ID = 100
"""Longest identifier, in characters."""

MAX_ITEMS = 50
"""Longest list argument."""

_NO_NUL = r"^[^\x00]*$"
REQUIRED: Any = inspect.Parameter.empty


@dataclass(frozen=True)
class Drawn:
    """Plausible values of an argument, computed from `db` and earlier arguments by name."""

    candidates: Callable[..., Any]


def drawn(candidates: Callable[..., Any]) -> Drawn:
    """Say which values a person would plausibly ask for: `Annotated[Money, drawn(lambda db, fine: [fine.amount])]`."""
    return Drawn(candidates)


@dataclass(frozen=True)
class Parameter:
    """One argument of a tool."""

    name: str
    wire: str
    type: TypeInfo
    doc: str
    default: Any = REQUIRED
    like: tuple[Entity, str] | None = None
    drawn: Drawn | None = None
    constraints: FieldInfo | None = None
    implicit: bool = False

    @property
    def required(self) -> bool:
        """Whether the agent must give it."""
        return self.default is REQUIRED

    @property
    def entity(self) -> Entity | None:
        """The entity that the argument names, if it is one."""
        return self.type.entity

    @property
    def is_free_text(self) -> bool:
        """Whether any text will do: a note, a summary."""
        return (
            self.entity is None
            and self.type.kind == "str"
            and not self.type.choices
            and self.like is None
            and self.drawn is None
        )

    def bounds(self) -> dict[str, Any]:
        """The constraints of its `Field(...)`: ge, le, min_length, max_length."""
        found: dict[str, Any] = {}
        for item in self.constraints.metadata if self.constraints else ():
            for key in ("ge", "gt", "le", "lt", "min_length", "max_length"):
                if getattr(item, key, None) is not None:
                    found[key] = getattr(item, key)
        return found


def read_signature(
    function: Callable[..., Any],
    documented: Mapping[str, str],
    entity_wire: Callable[[str, Entity], str],
    lists_wire: Callable[[str], str],
) -> list[Parameter]:
    """Read the arguments of a tool body (the first one is `db`).

    Raises ContractError for a type that an argument can't have.
    """
    hints = inspect.get_annotations(function)
    parameters = []
    for name, signature in list(inspect.signature(function).parameters.items())[1:]:
        if name not in hints:
            raise ContractError(f"Argument {name!r} of {function.__name__} has no type.")
        try:
            typed = read_annotation(hints[name])
        except TypeError as error:
            raise ContractError(f"Argument {name!r} of {function.__name__}: {error}.") from None
        parameters.append(_parameter(name, typed, signature.default, documented, entity_wire, lists_wire))
    return parameters


def _parameter(
    name: str,
    typed: TypeInfo,
    default: Any,
    documented: Mapping[str, str],
    entity_wire: Callable[[str, Entity], str],
    lists_wire: Callable[[str], str],
) -> Parameter:
    like = source = constraints = None
    for marker in typed.markers:
        if isinstance(marker, InstrumentedAttribute):
            like = (marker.class_, marker.key)
        elif isinstance(marker, Drawn):
            source = marker
        elif isinstance(marker, FieldInfo):
            constraints = marker
    wire = name
    doc = documented.get(name, "")
    if typed.entity is not None:
        wire = lists_wire(name) if typed.many else entity_wire(name, typed.entity)
        noun = typed.entity._info.noun.replace("_", " ")
        doc = doc or (f"The IDs of the {noun} rows." if typed.many else f"The ID of the {noun}.")
    return Parameter(name, wire, typed, doc, default, like, source, constraints)


class Binder:
    """Validates an agent's arguments and turns them into rows and Python values."""

    def __init__(self, tool: str, parameters: list[Parameter], dialect: Dialect) -> None:
        self.parameters = parameters
        self.dialect = dialect
        visible = [p for p in parameters if not p.implicit]
        self.schema = _object_schema(visible, dialect)
        fields: dict[str, Any] = {p.wire: _field(p, dialect) for p in visible}
        self.model: type[BaseModel] = create_model(
            f"{tool}_arguments",
            __config__=ConfigDict(strict=True, extra="forbid", protected_namespaces=()),
            **fields,
        )
        self._validate = self.model.__pydantic_validator__.validate_python
        self.rows = [(p.wire, p.name, p.entity) for p in visible if p.entity and not p.type.many]
        self.row_lists = [(p.wire, p.name, p.entity) for p in visible if p.entity and p.type.many]
        coded = [(p, dialect.codec(p.type.kind)) for p in visible if p.type.kind]
        self.values = [(p.wire, p.name) for p, c in coded if c.read is None]
        self.coded = [(p.wire, p.name, c.read, p.bounds()) for p, c in coded if c.read is not None]
        self.implicit = [p.name for p in parameters if p.implicit]

    def validate(self, arguments: Any) -> dict[str, Any]:
        """Check arguments against the schema. Raises ToolError `invalid_arguments`."""
        try:
            return self._validate(arguments).__dict__  # type: ignore[no-any-return]
        except ValidationError as error:
            raise self._invalid(error) from None

    def read(
        self, name: str, read: Callable[[Any], Any], value: Any, bounds: Mapping[str, Any]
    ) -> Any:
        """Parse a value of the dialect. Raises ToolError `invalid_arguments`."""
        try:
            parsed = read(value)
        except (ValueError, TypeError) as error:
            raise self.invalid(f"{name}: {error}") from None
        for key, limit in bounds.items():
            if not _within(key, parsed, limit):
                raise self.invalid(f"{name}: out of range")
        return parsed

    def invalid(self, detail: str) -> ToolError:
        """The error for arguments that the schema doesn't allow."""
        return ToolError("invalid_arguments", self.dialect.error("invalid", detail=detail))

    def _invalid(self, error: ValidationError) -> ToolError:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(x) for x in first["loc"]) or "arguments"
        problem = "contains a character that is not allowed"
        if first["type"] != "string_pattern_mismatch":
            problem = first["msg"][:1].lower() + first["msg"][1:]
        elif (schema := self.schema["properties"].get(where)) and "pattern" in schema:
            problem = f"should look like {schema.get('examples', [schema['pattern']])[0]}"
        return self.invalid(f"{where}: {problem}")


def _within(key: str, value: Any, limit: Any) -> bool:
    return bool(
        {
            "ge": lambda: value >= limit,
            "gt": lambda: value > limit,
            "le": lambda: value <= limit,
            "lt": lambda: value < limit,
        }.get(key, lambda: True)()
    )


def _field(parameter: Parameter, dialect: Dialect) -> tuple[Any, Any]:
    """The pydantic field of one argument, in wire terms."""
    item: Any
    if parameter.entity is not None:
        item = _text(MAX_ID)
    else:
        assert parameter.type.kind is not None
        codec = dialect.codec(parameter.type.kind)
        item = _wire_type(parameter, codec)
    default = ... if parameter.required else None
    if not parameter.type.many:
        if not parameter.required and parameter.default is not None:
            default = _wire_default(parameter, dialect)
        return item, default
    return _list_of(item), default


def _list_of(item: Any) -> Any:
    from typing import Annotated

    return Annotated[list[item], Field(min_length=1, max_length=MAX_ITEMS)]


def _text(longest: int, pattern: str = _NO_NUL) -> Any:
    from typing import Annotated

    return Annotated[str, Field(max_length=longest, pattern=pattern)]


def _wire_type(parameter: Parameter, codec: Codec) -> Any:
    from typing import Annotated

    if parameter.type.choices:
        return Literal[parameter.type.choices]
    base = {"string": str, "integer": int, "number": float, "boolean": bool}[codec.schema["type"]]
    bounds = parameter.bounds()
    if base is str:
        pattern = codec.schema.get("pattern", _NO_NUL)
        limit = Field(
            max_length=bounds.get("max_length", MAX_TEXT),
            pattern=pattern,
            min_length=bounds.get("min_length"),
        )
        return Annotated[str, limit]
    if codec.read is not None or not bounds:
        return Annotated[base, Field(ge=-(2**53), le=2**53)] if base is not bool else bool
    return Annotated[base, Field(**bounds)]


def _wire_default(parameter: Parameter, dialect: Dialect) -> Any:
    codec = dialect.codec(str(parameter.type.kind))
    return codec.show(parameter.default) if codec.show else parameter.default


def _object_schema(parameters: list[Parameter], dialect: Dialect) -> dict[str, Any]:
    """The plain object schema that every MCP client and chat API accepts."""
    required = [p.wire for p in parameters if p.required]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {p.wire: _property(p, dialect) for p in parameters},
        "additionalProperties": False,
    }
    if required:
        schema["required"] = required
    return schema


def _property(parameter: Parameter, dialect: Dialect) -> dict[str, Any]:
    item: dict[str, Any]
    if parameter.entity is not None:
        item = {"type": "string", "maxLength": MAX_ID}
    else:
        assert parameter.type.kind is not None
        item = dict(dialect.codec(parameter.type.kind).schema)
        if parameter.type.choices:
            item["enum"] = list(parameter.type.choices)
        item.update(_bounds_schema(parameter, dialect, item))
    if parameter.type.many:
        item = {"type": "array", "items": item, "minItems": 1, "maxItems": MAX_ITEMS}
    elif not parameter.required and parameter.default is not None:
        item["default"] = _wire_default(parameter, dialect)
    return {**item, "description": parameter.doc}


def _bounds_schema(parameter: Parameter, dialect: Dialect, item: dict[str, Any]) -> dict[str, Any]:
    names = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
    bounds = parameter.bounds()
    out: dict[str, Any] = {}
    if item["type"] == "string":
        if "enum" not in item and "pattern" not in item:
            out["maxLength"] = bounds.get("max_length", MAX_TEXT)
            if "min_length" in bounds:
                out["minLength"] = bounds["min_length"]
        return out
    show = dialect.codec(str(parameter.type.kind)).show
    for key, name in names.items():
        if key in bounds:
            out[name] = show(bounds[key]) if show else bounds[key]
    return out


_SECTION = re.compile(r"^\s*Args:\s*$", re.MULTILINE)
_ARGUMENT = re.compile(r"^\s+(\w+):\s*(.+?)\s*$")


def split_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Split a docstring into its description and its `Args:` section (argument -> text)."""
    cleaned = inspect.cleandoc(text or "")
    match = _SECTION.search(cleaned)
    if match is None:
        return cleaned, {}
    arguments: dict[str, str] = {}
    name = ""
    for line in cleaned[match.end() :].splitlines():
        found = _ARGUMENT.match(line)
        if found and line.startswith("    ") and not line.startswith("     "):
            name = found[1]
            arguments[name] = found[2]
        elif name and line.strip():
            arguments[name] += " " + line.strip()
    return cleaned[: match.start()].strip(), arguments
