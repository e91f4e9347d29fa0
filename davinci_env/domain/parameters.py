"""Arguments of tools, read from a body's signature and docstring.

An argument typed as an entity appears to the agent as an id.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic.fields import FieldInfo
from sqlalchemy.orm import InstrumentedAttribute

from ..errors import ContractError
from ..state import Entity, TypeInfo, read_annotation

REQUIRED: Any = inspect.Parameter.empty


@dataclass(frozen=True)
class Drawn:
    """Plausible values of an argument, computed from `db` and earlier arguments by name."""

    candidates: Callable[..., Any]


def drawn(candidates: Callable[..., Any]) -> Drawn:
    """Say which values a person would plausibly ask for:

    `Annotated[Money, drawn(lambda db, fine: [fine.amount])]`.
    """
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
    def is_person(self) -> bool:
        """Whether it names a person."""
        return self.entity is not None and bool(self.entity._info.identity)

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
        parameters.append(
            _parameter(name, typed, signature.default, documented, entity_wire, lists_wire)
        )
    return parameters


def _parameter(
    name: str,
    typed: TypeInfo,
    default: Any,
    documented: Mapping[str, str],
    entity_wire: Callable[[str, Entity], str],
    lists_wire: Callable[[str], str],
) -> Parameter:
    like: tuple[Entity, str] | None = None
    source = constraints = None
    for marker in typed.markers:
        if isinstance(marker, InstrumentedAttribute):
            like = (marker.parent.class_, str(marker.key))
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
