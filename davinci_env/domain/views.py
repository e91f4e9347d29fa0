"""Views: how one entity looks on the wire, and how its columns are read back."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import ContractError
from ..state import Entity, EntityInfo, Row, TypeInfo
from .dialect import Codec, Dialect

Seen = list[tuple[str, str]]
"""The rows that a result has shown, as (table, key)."""


class EntityView:
    """How one entity looks on the wire, compiled to straight-line code.

    Raises ContractError for a `shows` path that leads to no column, or that takes a column's name.
    """

    def __init__(self, info: EntityInfo, dialect: Dialect) -> None:
        self.info, self.dialect = info, dialect
        self.fields = {c: dialect.key(c) for c, spec in info.columns.items() if not spec.hidden}
        self.codecs = {c: dialect.codec(info.columns[c].kind) for c in self.fields}
        self.shown = {
            dialect.key(name): _shown(info, path, dialect) for name, path in info.shows.items()
        }
        twice = set(self.shown) & set(self.fields.values())
        if twice:
            raise ContractError(f"{info.name} shows {', '.join(sorted(twice))}, which is a column.")
        self.show = self._compile()

    def _compile(self) -> Callable[[Row], dict[str, Any]]:
        """Compile `show(row)`; the generated text holds our own column names and nothing else."""
        scope: dict[str, Any] = {}
        parts = []
        for column, wire in self.fields.items():
            value, show = f"d[{column!r}]", self.codecs[column].show
            if show is not None:
                scope[f"show_{column}"] = show
                call = f"show_{column}({value})"
                optional = self.info.columns[column].optional
                value = f"(None if {value} is None else {call})" if optional else call
            parts.append(f"{wire!r}: {value}")
        for number, (wire, shown) in enumerate(self.shown.items()):
            scope[f"path_{number}"] = shown.get
            parts.append(f"{wire!r}: path_{number}(row)")
        code = f"def show(row):\n    d = row.__dict__\n    return {{{', '.join(parts)}}}\n"
        exec(compile(code, f"<view of {self.info.name}>", "exec"), scope)
        return scope["show"]  # type: ignore[no-any-return]

    def read(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """Columns of a row as Python values from its wire form (absent fields are left out)."""
        out = {}
        for column, wire in self.fields.items():
            if wire in item:
                value, read = item[wire], self.codecs[column].read
                out[column] = read(value) if read is not None and value is not None else value
        return out

    def schema(self) -> dict[str, Any]:
        """JSON schema of the wire form."""
        properties: dict[str, Any] = {}
        for column, wire in self.fields.items():
            spec = self.info.columns[column]
            properties[wire] = value_schema(self.codecs[column], spec.choices, spec.optional)
            if spec.doc:
                properties[wire]["description"] = spec.doc
        properties |= {wire: dict(shown.schema) for wire, shown in self.shown.items()}
        return {"type": "object", "properties": properties, "required": list(properties)}


@dataclass(frozen=True)
class _Shown:
    """A field of a view that comes from another row."""

    get: Callable[[Row], Any]
    schema: dict[str, Any]


def _shown(info: EntityInfo, path: str, dialect: Dialect) -> _Shown:
    """Compile a `shows` path: single references, then a column; an absent reference gives null."""
    *steps, last = path.split(".")
    entity, optional = info, False
    for step in steps:
        if step not in entity.refs:
            raise ContractError(f"{info.name} shows {path!r}: {step!r} is no single reference.")
        optional = optional or entity.refs[step].optional
        entity = entity.refs[step].target._info
    spec = entity.columns.get(last)
    if spec is None:
        raise ContractError(f"{info.name} shows {path!r}: {entity.name} has no column {last!r}.")
    codec = dialect.codec(spec.kind)
    schema = value_schema(codec, spec.choices, optional or spec.optional)
    show = codec.show
    if not optional:
        value_at = operator.attrgetter(path)
        if show is None:
            return _Shown(value_at, schema)

        def show_value(row: Row) -> Any:
            value = value_at(row)
            return None if value is None else show(value)

        return _Shown(show_value, schema)

    def follow(row: Row) -> Any:
        for step in (*steps, last):
            if row is None:
                return None
            row = getattr(row, step)
        return row if show is None or row is None else show(row)

    return _Shown(follow, schema)


def value_schema(codec: Codec, choices: Sequence[Any], optional: bool) -> dict[str, Any]:
    """JSON schema of one scalar in a result."""
    kind = codec.schema["type"]
    schema: dict[str, Any] = {"type": [kind, "null"] if optional else kind}
    if choices:
        schema["enum"] = [*choices, None] if optional else list(choices)
    return schema


class Views:
    """The views of all entities of a domain.

    `visible` leaves the rows that the actor may see of a list of children (self-service).
    """

    def __init__(
        self,
        entities: Mapping[str, Entity],
        dialect: Dialect,
        visible: Callable[[Sequence[Row]], Sequence[Row]],
    ) -> None:
        self.dialect = dialect
        self.visible = visible
        self.by_entity = {e: EntityView(e._info, dialect) for e in entities.values()}

    def show(self, row: Row, seen: Seen, include: Sequence[str] = ()) -> dict[str, Any]:
        """The wire form of a row; notes that the agent has seen it."""
        entity = row.entity
        seen.append((entity._info.table, row.id))
        out = self.by_entity[entity].show(row)
        for attribute in include:
            out[self.dialect.key(attribute)] = [
                self.show(child, seen) for child in self.visible(getattr(row, attribute))
            ]
        return out

    def show_value(self, value: Any, typed: TypeInfo, seen: Seen) -> Any:
        """The wire form of a field of a composed result."""
        if value is None:
            return None
        if typed.many:
            single = TypeInfo(typed.kind, typed.entity, False, typed.choices)
            return [self.show_value(v, single, seen) for v in value]
        if typed.entity is not None:
            return self.show(value, seen)
        show = self.dialect.codec(str(typed.kind)).show
        return show(value) if show is not None else value
