"""Results on the wire: how rows become JSON objects, and how a reader finds them again."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import ContractError
from ..state import Entity, Row, TypeInfo, read_annotation
from .views import Seen, Views, value_schema


@dataclass(frozen=True)
class Page:
    """One page of rows: what a paged read returns. `offset` counts rows from 0."""

    rows: Sequence[Row]
    offset: int
    size: int
    total: int

    def __class_getitem__(cls, entity: Any) -> Any:
        return typing.Annotated[list[entity], cls]  # `Page[Loan]` as a return type


class Offset(int):
    """A position in rows (not a page number): what `page` is where the dialect pages by offset or
    cursor.
    """


def page_of(rows: Sequence[Row], page: int, size: int) -> Page:
    """Cut one page out of all rows.

    `page` is the body's own `page` argument, whatever the dialect calls it.
    """
    offset = int(page) if isinstance(page, Offset) else (page - 1) * size
    return Page(rows[offset : offset + size], offset, size, len(rows))


class Shape:
    """The shape of a tool's result: renders it, describes it, and finds rows in it."""

    entity: Entity | None = None
    paged = False

    def __init__(self, views: Views) -> None:
        self.views = views
        self.dialect = views.dialect

    def render(self, value: Any, seen: Seen) -> dict[str, Any]:
        """The JSON object of a result."""
        raise NotImplementedError

    def schema(self) -> dict[str, Any]:
        """Its JSON schema."""
        raise NotImplementedError

    def rows(self, data: Mapping[str, Any]) -> Iterator[tuple[Entity, Mapping[str, Any]]]:
        """The rows in a result, in order."""
        raise NotImplementedError

    def values(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The scalar fields of a result about one thing, as Python values by the domain's names."""
        return {}

    def kinds(self) -> dict[str, TypeInfo]:
        """The types of these fields."""
        return {}


class RowShape(Shape):
    """One row, perhaps with included lists of children."""

    def __init__(self, views: Views, entity: Entity, include: Sequence[str] = ()) -> None:
        super().__init__(views)
        self.entity = entity
        self.include = tuple(include)
        noun = self.dialect.key(entity._info.noun)
        self.key = {"bare": None, "data": "data", "entity": noun, "result": "result"}[
            self.dialect.envelope
        ]

    def render(self, value: Any, seen: Seen) -> dict[str, Any]:
        if value is None or not hasattr(value, "entity"):
            raise TypeError(f"the tool must return a {self.entity._info.name}")  # type: ignore[union-attr]
        item = self.views.show(value, seen, self.include)
        return item if self.key is None else {self.key: item}

    def schema(self) -> dict[str, Any]:
        assert self.entity is not None
        item = self.views.by_entity[self.entity].schema()
        for attribute in self.include:
            child = self.entity._info.backs[attribute].child
            wire = self.dialect.key(attribute)
            item["properties"][wire] = {
                "type": "array",
                "items": self.views.by_entity[child].schema(),
            }
            item["required"].append(wire)
        if self.key is None:
            return item
        return {"type": "object", "properties": {self.key: item}, "required": [self.key]}

    def rows(self, data: Mapping[str, Any]) -> Iterator[tuple[Entity, Mapping[str, Any]]]:
        assert self.entity is not None
        item = data if self.key is None else data[self.key]
        yield self.entity, item
        for attribute in self.include:
            child = self.entity._info.backs[attribute].child
            for found in item[self.dialect.key(attribute)]:
                yield child, found

    def values(self, data: Mapping[str, Any]) -> dict[str, Any]:
        assert self.entity is not None
        item = data if self.key is None else data[self.key]
        return self.views.by_entity[self.entity].read(item)

    def kinds(self) -> dict[str, TypeInfo]:
        assert self.entity is not None
        columns = self.entity._info.columns
        return {c: TypeInfo(s.kind, None, s.optional, s.choices) for c, s in columns.items()}


class RowsShape(Shape):
    """A list of rows, perhaps one page of it."""

    def __init__(self, views: Views, entity: Entity, paged: bool) -> None:
        super().__init__(views)
        self.entity = entity
        self.paged = paged
        plural = self.dialect.key(entity._info.plural)
        self.key = {"bare": "items", "data": "data", "entity": plural, "result": "results"}[
            self.dialect.envelope
        ]
        self.nested = self.dialect.envelope == "data"

    def render(self, value: Any, seen: Seen) -> dict[str, Any]:
        rows = value.rows if isinstance(value, Page) else value
        out: dict[str, Any] = {self.key: [self.views.show(row, seen) for row in rows]}
        if isinstance(value, Page):
            meta = self._meta(value)
            out.update({"paging": meta} if self.nested else meta)
        return out

    def _meta(self, page: Page) -> dict[str, Any]:
        key = self.dialect.key
        more = page.offset + page.size < page.total
        if self.dialect.paging == "page":
            pages = max(1, -(-page.total // page.size))
            return {"page": page.offset // page.size + 1, "pages": pages, "total": page.total}
        if self.dialect.paging == "offset":
            return {"offset": page.offset, "limit": page.size, "total": page.total}
        cursor = f"c{page.offset + page.size:x}" if more else None
        return {"total": page.total, key("next_cursor"): cursor}

    def next_page(self, data: Mapping[str, Any]) -> dict[str, Any] | None:
        """The paging argument of the next page, or None at the end."""
        meta = data["paging"] if self.nested else data
        if self.dialect.paging == "page":
            return {"page": meta["page"] + 1} if meta["page"] < meta["pages"] else None
        if self.dialect.paging == "offset":
            after = meta["offset"] + meta["limit"]
            return {"offset": after} if after < meta["total"] else None
        cursor = meta[self.dialect.key("next_cursor")]
        return {"cursor": cursor} if cursor is not None else None

    def total(self, data: Mapping[str, Any]) -> int:
        """How many rows there are on all pages."""
        return int((data["paging"] if self.nested else data)["total"])

    def schema(self) -> dict[str, Any]:
        assert self.entity is not None
        rows = {"type": "array", "items": self.views.by_entity[self.entity].schema()}
        properties: dict[str, Any] = {self.key: rows}
        if self.paged:
            styles: dict[str, dict[str, Any]] = {
                "page": {"page": {"type": "integer"}, "pages": {"type": "integer"}},
                "offset": {"offset": {"type": "integer"}, "limit": {"type": "integer"}},
                "cursor": {self.dialect.key("next_cursor"): {"type": ["string", "null"]}},
            }
            meta: dict[str, Any] = {**styles[self.dialect.paging], "total": {"type": "integer"}}
            if self.nested:
                meta = {"paging": {"type": "object", "properties": meta, "required": list(meta)}}
            properties.update(meta)
        return {"type": "object", "properties": properties, "required": list(properties)}

    def rows(self, data: Mapping[str, Any]) -> Iterator[tuple[Entity, Mapping[str, Any]]]:
        assert self.entity is not None
        for item in data[self.key]:
            yield self.entity, item


class RecordShape(Shape):
    """A composed result, typed by a TypedDict."""

    def __init__(self, views: Views, fields: Mapping[str, TypeInfo]) -> None:
        super().__init__(views)
        self.fields = dict(fields)
        self.wires = {name: self.dialect.key(name) for name in fields}
        self.key = {"bare": None, "data": "data", "entity": None, "result": "result"}[
            self.dialect.envelope
        ]

    def render(self, value: Any, seen: Seen) -> dict[str, Any]:
        out = {
            self.wires[name]: self.views.show_value(value[name], typed, seen)
            for name, typed in self.fields.items()
        }
        return out if self.key is None else {self.key: out}

    def schema(self) -> dict[str, Any]:
        properties = {self.wires[n]: self._field_schema(t) for n, t in self.fields.items()}
        item = {"type": "object", "properties": properties, "required": list(properties)}
        if self.key is None:
            return item
        return {"type": "object", "properties": {self.key: item}, "required": [self.key]}

    def _field_schema(self, typed: TypeInfo) -> dict[str, Any]:
        if typed.entity is None and not typed.many:
            return value_schema(self.dialect.codec(str(typed.kind)), typed.choices, typed.optional)
        if typed.entity is not None:
            item = self.views.by_entity[typed.entity].schema()
        else:
            item = value_schema(self.dialect.codec(str(typed.kind)), typed.choices, False)
        if typed.many:
            item = {"type": "array", "items": item}
        return {**item, "type": [item["type"], "null"]} if typed.optional else item

    def kinds(self) -> dict[str, TypeInfo]:
        return self.fields

    def values(self, data: Mapping[str, Any]) -> dict[str, Any]:
        item = data if self.key is None else data[self.key]
        out = {}
        for name, typed in self.fields.items():
            if typed.entity is None and not typed.many:
                value, read = item[self.wires[name]], self.dialect.codec(str(typed.kind)).read
                out[name] = read(value) if read is not None and value is not None else value
        return out

    def rows(self, data: Mapping[str, Any]) -> Iterator[tuple[Entity, Mapping[str, Any]]]:
        item = data if self.key is None else data[self.key]
        for name, typed in self.fields.items():
            if typed.entity is not None and item[self.wires[name]] is not None:
                value = item[self.wires[name]]
                for found in value if typed.many else [value]:
                    yield typed.entity, found


def shape_of(annotation: Any, views: Views, tool: str) -> Shape:
    """The shape that a return annotation declares.

    Raises ContractError for one that can't be served.
    """
    if typing.is_typeddict(annotation):
        try:
            fields = {
                name: read_annotation(hint)
                for name, hint in typing.get_type_hints(annotation, include_extras=True).items()
            }
        except TypeError as error:
            raise ContractError(f"The result of {tool}: {error}.") from None
        return RecordShape(views, fields)
    try:
        typed = read_annotation(annotation)
    except TypeError:
        typed = None
    if typed is None or typed.entity is None:
        raise ContractError(
            f"{tool} must say what it returns: an entity, list[entity], Page[entity] "
            "or a TypedDict."
        )
    if typed.many:
        return RowsShape(views, typed.entity, paged=Page in typed.markers)
    return RowShape(views, typed.entity)
