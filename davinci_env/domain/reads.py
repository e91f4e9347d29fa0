"""Derived read tools: get, find, search and list, paged and scoped by construction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from ..errors import ContractError, ToolError
from ..state import ColumnInfo, Db, Entity, Row, TypeInfo
from .parameters import Parameter
from .results import Page, page_of
from .rules import Rule
from .tools import Tool

if TYPE_CHECKING:
    from .domain import Domain

How = Literal["get", "find", "search", "list"]


class DerivedReads:
    """Builds the read tools of one `domain.reads(...)` statement."""

    def __init__(
        self,
        domain: Domain,
        entity: Entity,
        *,
        filters: Sequence[str],
        page: int,
        requires: Sequence[Rule],
        names: Mapping[str, str],
        docs: Mapping[str, str],
        line: int,
    ) -> None:
        self.domain, self.entity, self.info = domain, entity, entity._info
        self.filters, self.size, self.requires = tuple(filters), page, tuple(requires)
        self.names, self.docs, self.line = names, docs, line
        self.noun = self.info.noun.replace("_", " ")
        self.nouns = self.info.plural.replace("_", " ")

    def _tool(
        self, how: How, name: str, text: str, body: Any, parameters: list[Parameter], **more: Any
    ) -> Tool:
        return Tool(
            self.names.get(how, name), "read", body, parameters, self.docs.get(how, text),
            requires=self.requires, derived=how, about=self.entity, line=self.line, **more,
        )  # fmt: skip

    def get(self, include: Sequence[str]) -> Tool:
        """`get_loan`: one row by id, perhaps with lists of its children."""
        noun = self.info.noun
        text = f"Get the details of one {self.noun}"
        for attribute in include:
            if attribute not in self.info.backs:
                raise ContractError(f"{self.info.name} has no back list {attribute!r} to include.")
        listed = " and ".join(a.replace("_", " ") for a in include)
        text += f", with its {listed}." if include else "."
        name = self.domain.dialect.verb("get", entity=noun, entities=self.info.plural)
        tool = self._tool(
            "get", name, text, lambda db, row: row, [self._row_parameter(noun, self.entity)]
        )
        tool.returns = (self.entity, tuple(include))
        return tool

    def find(self, column: str) -> Tool:
        """`find_member_by_email`: one row by an exact value."""
        entity, noun, dialect = self.entity, self.info.noun, self.domain.dialect
        spec = self._column(column)
        visible = self.domain.visible

        def body(db: Db, value: Any) -> Row:
            row = db.one(entity, **{column: value})
            if row is None or not visible([row]):
                message = dialect.error("not_found", entity=self.noun, id=value)
                raise ToolError(f"{noun}_not_found", message)
            return row

        parameter = Parameter(
            column, dialect.key(column), TypeInfo(spec.kind, None, False, spec.choices),
            f"The exact {spec.says} of the {self.noun}.", like=(entity, column),
        )  # fmt: skip
        name = dialect.verb("find", entity=noun, entities=self.info.plural, column=column)
        tool = self._tool(
            "find", name, f"Find a {self.noun} by exact {spec.says}.", body, [parameter]
        )
        tool.returns, tool.public = (entity, ()), True
        return tool

    def search(self, columns: Sequence[str]) -> Tool:
        """`search_books`: a page of the rows whose text contains the query and whose columns equal
        the filters.
        """
        for column in columns:
            self._column(column)
        entity = self.entity
        text = " OR ".join(f"\"{c}\" LIKE ? ESCAPE '\\'" for c in columns)

        def body(db: Db, query: Any, *rest: Any) -> Page:
            *wanted, page = rest
            conditions, values = ["1"], []
            if query is not None:
                pattern = "%" + "".join("\\" + c if c in "%_\\" else c for c in query) + "%"
                conditions.append(f"({text})")
                values += [pattern] * len(columns)
            rows = db._world.select(entity, " AND ".join(conditions), values)
            return page_of(self.domain.visible(self._filtered(rows, wanted)), page, self.size)

        said = " or ".join(self._column(c).says for c in columns)
        query = Parameter(
            "query", "query", TypeInfo("str", None, True), f"Text contained in the {said}.",
            default=None, like=(entity, columns[0]),
        )  # fmt: skip
        by = f"Search {self.nouns} by {said}"
        by += (
            f"; narrow by {', '.join(self._says(f) for f in self.filters)}" if self.filters else ""
        )
        name = self.domain.dialect.verb("search", entity=self.info.noun, entities=self.info.plural)
        parameters = [query, *self._filter_parameters(), self._page_parameter()]
        tool = self._tool(
            "search", name, f"{by}. {self.size} a page.", body, parameters, public=True
        )
        tool.returns = [self.entity]
        return tool

    def list_of(self, attribute: str) -> Tool:
        """`list_member_loans`: a page of the children of one row."""
        if attribute not in self.info.refs:
            raise ContractError(f"{self.info.name} has no reference {attribute!r} to list by.")
        reference = self.info.refs[attribute]
        owner, back = reference.target, reference.back

        def body(db: Db, parent: Row, *rest: Any) -> Page:
            *wanted, page = rest
            rows = self._filtered(getattr(parent, back), wanted)
            return page_of(self.domain.visible(rows), page, self.size)

        names = {"entity": self.info.noun, "entities": self.info.plural, "owner": attribute}
        parent = owner._info.noun.replace("_", " ")
        by = f"List the {self.nouns} of one {parent}"
        by += (
            f"; narrow by {', '.join(self._says(f) for f in self.filters)}" if self.filters else ""
        )
        parameters = [self._row_parameter(attribute, owner), *self._filter_parameters()]
        parameters.append(self._page_parameter())
        name = self.domain.dialect.verb("list", **names)
        tool = self._tool("list", name, f"{by}. {self.size} a page.", body, parameters)
        tool.returns = [self.entity]
        return tool

    def _filtered(self, rows: Sequence[Row], wanted: Sequence[Any]) -> Sequence[Row]:
        for name, value in zip(self.filters, wanted, strict=True):
            if value is not None:
                rows = [row for row in rows if getattr(row, name) == value]
        return rows

    def _row_parameter(self, name: str, entity: Entity) -> Parameter:
        noun = entity._info.noun.replace("_", " ")
        return Parameter(
            name, self.domain.entity_wire(name, entity), TypeInfo(None, entity, False),
            f"The ID of the {noun}.", implicit=self.domain.is_implicit(entity),
        )  # fmt: skip

    def _filter_parameters(self) -> list[Parameter]:
        out = []
        for name in self.filters:
            said = f"Only {self.nouns} with this {self._says(name)}."
            if name in self.info.refs:
                target = self.info.refs[name].target
                wire = self.domain.entity_wire(name, target)
                out.append(Parameter(name, wire, TypeInfo(None, target, True), said, default=None))
                continue
            spec = self._column(name)
            out.append(
                Parameter(
                    name,
                    self.domain.dialect.key(name),
                    TypeInfo(spec.kind, None, True, spec.choices),
                    said,
                    default=None,
                    like=(self.entity, name),
                )
            )
        return out

    def _page_parameter(self) -> Parameter:
        return page_parameter(self.domain.dialect.paging)

    def _says(self, name: str) -> str:
        if name in self.info.refs:
            return name.replace("_", " ")
        return self._column(name).says

    def _column(self, name: str) -> ColumnInfo:
        spec: ColumnInfo | None = self.info.columns.get(name)
        if spec is None:
            raise ContractError(f"{self.info.name} has no column {name!r} to read by.")
        return spec


def page_parameter(paging: str) -> Parameter:
    """The paging argument in the dialect: a page from 1, an offset from 0, or an opaque cursor."""
    if paging == "cursor":
        text = "The cursor that the page before gave; leave it out for the first page."
        return Parameter("page", "cursor", TypeInfo("str", None, True), text, default=None)
    wire, text, least = {
        "page": ("page", "Page number, counted from 1.", 1),
        "offset": ("offset", "Number of rows to skip, counted from 0.", 0),
    }[paging]
    bounds = Field(ge=least, le=100_000)
    return Parameter(
        "page", wire, TypeInfo("int", None, True), text, default=least, constraints=bounds
    )
