"""The domain: what an author's file declares, collected and made consistent."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ..errors import ContractError
from ..state import Entity, Row, Schema, StartImage, World, entity_base, singular_of
from . import policy
from .build import build_image
from .declarations import at_line, check_governs, check_header, check_labels, check_paths
from .dialect import Dialect
from .frames import Frame
from .hashing import code_hash, file_hash
from .motives import Motives
from .outcomes import Outcome
from .ownership import Ownership
from .parameters import Parameter, read_signature, split_docstring
from .persons import Persons
from .reads import DerivedReads, page_parameter
from .results import Page, RowShape, RowsShape, Shape, shape_of
from .rules import Part, Rule, make_rule
from .seeding import Seeder
from .setting import as_moment, current
from .sql_helpers import SqlHelper, sql_helpers
from .texts import Constants
from .tools import Tool, body_line
from .views import Views

_CONSTANT = re.compile(r"\{[A-Z][A-Z0-9_]*(\[\w+\])?(:\w+)?\}")

Invariant = tuple[Entity, Callable[[Row], bool]]


class Domain(Motives, Persons):
    """A business: records, lifecycles, rules, tools, invariants, seed.

    Args:
        name: snake-case name; the file is called the same.
        version: counts the author's changes.
        category: one of the taxonomy's categories.
        today: the world's time at the start.
        role: whom the agent plays, as a noun phrase.
        access: "staff" (the agent serves any person) or "self_service" (one person, the actor).
        intro: opening paragraphs of the policy.
        dialect: the wire style.
        without_tool: what the agent does about a wish for which it has no tool: None says so, a
            reason of the hand-over passes it on for that reason.
    """

    def __init__(
        self,
        name: str,
        *,
        version: int,
        category: str,
        today: datetime | date,
        role: str,
        access: Literal["staff", "self_service"] = "staff",
        intro: str = "",
        dialect: Dialect | None = None,
        without_tool: str | None = None,
    ) -> None:
        check_header(name, version, today, access, dialect)
        self.name, self.version, self.category = name, version, category
        self.role, self.access, self.intro = role, access, intro
        self.ownership = Ownership(access)
        setting = current()
        self.now = setting.now if setting else as_moment(today)
        self.dialect = dialect or Dialect()
        self.without_tool = without_tool
        self.entities: dict[str, Entity] = {}
        self.Entity: Any = (
            entity_base(self.entities, f"{name}__", setting.mappings)
            if setting
            else entity_base(self.entities)
        )
        self.rules: dict[str, Rule] = {}
        self.invariants: list[Invariant] = []
        self.helpers: dict[str, Callable[..., Any]] = {}
        Motives.__init__(self)
        self.path: Path | None = None
        self.shipped = False
        self._tools: dict[str, Tool] = {}
        self._seed: Callable[[Seeder], None] | None = None
        self._scope: Mapping[str, Any] = {}
        self._finished = False
        self._images: dict[tuple[int, float], Any] = {}

    # -- authoring ---------------------------------------------------------------------------------

    def rule(
        self,
        predicate: Callable[..., bool] | None = None,
        *,
        by: Literal["tool", "agent"] = "tool",
        kind: Literal["confirmation", "identification"] | None = None,
        governs: Sequence[str] = (),
        because: Sequence[str] = (),
        concepts: Sequence[Sequence[str]] = (),
        remedy: str | None = None,
        parts: Sequence[Part] = (),
        offers: Sequence[str] = (),
    ) -> Any:
        """Declare a clause of the policy: the docstring is its text, the function tells whether it
        holds.
        """
        if predicate is None:
            return lambda function: self.rule(
                function, by=by, kind=kind, governs=governs, because=because, concepts=concepts,
                remedy=remedy, parts=parts, offers=offers,
            )  # fmt: skip
        text = inspect.cleandoc(predicate.__doc__ or "")
        made = make_rule(
            predicate, text, by=by, kind=kind, governs=governs, because=because, concepts=concepts,
            remedy=remedy, parts=parts, offers=offers,
        )  # fmt: skip
        if made.code in self.rules:
            raise ContractError(f"Two rules are called {made.code}.", line=made.line)
        self._note_scope(predicate)
        self.rules[made.code] = made
        return made

    def write(
        self,
        *,
        requires: Sequence[Rule] = (),
        changes: Sequence[Frame] = (),
        ask: Sequence[str] = (),
        asks: Mapping[str, Sequence[str]] | None = None,
        errors: Mapping[str, str] | None = None,
        handover: bool = False,
        idempotent: bool = False,
        destructive: bool | None = None,
        outcome: Outcome | None = None,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Declare a tool that changes records: its rules, its frame, how people ask for it.

        `asks` are the questions for an argument that a person left out, by its name.
        """

        def declare(body: Callable[..., Any]) -> Callable[..., Any]:
            tool = self._authored(body, "write", requires, errors)
            tool.frame, tool.ask, tool.handover = tuple(changes), tuple(ask), handover
            tool.asks = {name: tuple(texts) for name, texts in (asks or {}).items()}
            tool.idempotent, tool.destructive = idempotent, destructive
            tool.outcome = outcome or Outcome()
            return body

        return declare

    def read(
        self,
        *,
        requires: Sequence[Rule] = (),
        public: bool = False,
        errors: Mapping[str, str] | None = None,
        tells: Mapping[str, Sequence[str]] | None = None,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Declare a tool that only looks. `public` results may show rows of several people.

        `tells` says how a person asks for a field of the result, as a clause in the first person:
        `{"total": ["what I would owe if I lost {loan}"]}`.
        """

        def declare(body: Callable[..., Any]) -> Callable[..., Any]:
            tool = self._authored(body, "read", requires, errors)
            tool.public = public
            tool.tells = {name: tuple(clauses) for name, clauses in (tells or {}).items()}
            return body

        return declare

    def reads(
        self,
        entity: Entity,
        *,
        get: bool | Sequence[str] = False,
        find: str | Sequence[str] = (),
        search: Sequence[str] = (),
        list_of: str | Sequence[str] = (),
        filters: Sequence[str] = (),
        page: int = 10,
        requires: Sequence[Rule] = (),
        names: Mapping[str, str] | None = None,
        docs: Mapping[str, str] | None = None,
    ) -> None:
        """Derive read tools for an entity: get, find by a column, search, list the children of a
        row.
        """
        frame = inspect.currentframe()
        line = frame.f_back.f_lineno if frame and frame.f_back else 0
        reads = DerivedReads(
            self, entity, filters=filters, page=page, requires=requires, names=names or {},
            docs=docs or {}, line=line,
        )  # fmt: skip
        if get:
            self._add(reads.get(() if get is True else tuple(get)))
        for column in [find] if isinstance(find, str) else find:
            self._add(reads.find(column))
        if search:
            self._add(reads.search(search))
        for attribute in [list_of] if isinstance(list_of, str) else list_of:
            self._add(reads.list_of(attribute))

    def invariant(self, entity: Entity) -> Callable[[Callable[[Row], bool]], Callable[[Row], bool]]:
        """Declare what holds for every row of an entity after every call."""

        def declare(function: Callable[[Row], bool]) -> Callable[[Row], bool]:
            self.invariants.append((entity, function))
            return function

        return declare

    def helper(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Declare a pure computation with a worked example (doctest); checks may call it too."""
        self.helpers[function.__name__] = function
        self._note_scope(function)
        return function

    def seed(self, function: Callable[[Seeder], None]) -> Callable[[Seeder], None]:
        """Declare the function that fills a new world."""
        self._seed = function
        self._note_scope(function)
        return function

    def _authored(
        self,
        body: Callable[..., Any],
        kind: Literal["read", "write"],
        requires: Sequence[Rule],
        errors: Mapping[str, str] | None,
    ) -> Tool:
        text, documented = split_docstring(body.__doc__ or "")
        parameters = read_signature(body, documented, self.entity_wire, self.entities_wire)
        returns = inspect.get_annotations(body).get("return")
        parameters = [self._authored_parameter(p, returns) for p in parameters]
        tool = Tool(
            body.__name__, kind, body, parameters, text, requires=tuple(requires),
            errors=dict(errors or {}), returns=returns, line=body_line(body),
        )  # fmt: skip
        self._note_scope(body)
        self._add(tool)
        return tool

    def _authored_parameter(self, parameter: Parameter, returns: Any) -> Parameter:
        if parameter.name == "page" and Page in getattr(returns, "__metadata__", ()):
            return page_parameter(self.dialect.paging)
        if parameter.entity is None:
            return replace(parameter, wire=self.dialect.key(parameter.name))
        return replace(parameter, implicit=self.is_implicit(parameter.entity))

    def _add(self, tool: Tool) -> None:
        if tool.name in self._tools:
            raise ContractError(f"Two tools are called {tool.name}.", line=tool.line)
        self._tools[tool.name] = tool

    def _note_scope(self, function: Callable[..., Any]) -> None:
        self._scope = function.__globals__

    # -- what follows from it ----------------------------------------------------------------------

    def entity_wire(self, name: str, entity: Entity) -> str:
        """The argument that names a row: `loan_id`, or the natural key's name where they agree."""
        info = entity._info
        if name == info.noun:
            return self.dialect.key(info.pk)
        return self.dialect.key(f"{name}_id")

    def entities_wire(self, name: str) -> str:
        """The argument that names several rows: `lines` appears as `line_ids`."""
        return self.dialect.key(f"{singular_of(name)}_ids")

    def is_implicit(self, entity: Entity) -> bool:
        """Whether an argument of this entity is the actor, and not on the wire."""
        return self.access == "self_service" and bool(entity._info.identity)

    @property
    def identity(self) -> Entity:
        """The entity that is a person. Raises ContractError where none or several are marked."""
        people = [e for e in self.entities.values() if e._info.identity]
        if len(people) != 1:
            raise ContractError(f"{self.name} must mark one entity with identity=True.")
        return people[0]

    @cached_property
    def sql_helpers(self) -> dict[str, SqlHelper]:
        """The helpers that checks may call: number of arguments, and the function of SQL values."""
        return sql_helpers(self)

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools by name, with their contracts compiled."""
        self.finish()
        return self._tools

    @property
    def happenings(self) -> list[Callable[..., Any]]:
        """What runs in consequence of a call, beside the body of its tool."""
        return []

    def finish(self) -> None:
        """Compile everything once.

        Raises ContractError where declarations contradict each other.
        """
        if self._finished:
            return
        _ = self.identity
        check_labels(self.entities.values())
        self.schema = Schema(self.name, self.entities)
        self.compile()

    def compile(self) -> None:
        """Compile views, rules and tools, once the rows of all entities can be referred to."""
        self.views = Views(self.entities, self.dialect, self.visible)
        for rule in self.rules.values():
            with at_line(self.path, rule.line):
                check_governs(rule, self._tools)
                self.rules[rule.code] = rule.rendered(self.render)
        for tool in self._tools.values():
            with at_line(self.path, tool.line):
                self._finish_tool(tool)
                if self.access == "self_service":
                    tool.protect(self.ownership)
        self._finished = True

    def _finish_tool(self, tool: Tool) -> None:
        tool.text = self.render(tool.text)
        tool.errors = {code: self.render(text) for code, text in tool.errors.items()}
        tool.parameters = [replace(p, doc=self.render(p.doc)) for p in tool.parameters]
        tool.requires = tuple(r.rendered(self.render) for r in tool.requires)
        for rule in tool.requires:
            check_paths(tool.name, rule, tool.entities)
        tool.finish(self.dialect, self._shape(tool))

    def _shape(self, tool: Tool) -> Shape:
        if isinstance(tool.returns, tuple):
            return RowShape(self.views, *tool.returns)
        if isinstance(tool.returns, list):
            return RowsShape(self.views, tool.returns[0], paged=True)
        return shape_of(tool.returns, self.views, tool.name)

    def render(self, text: str) -> str:
        """Fill `{CONSTANT}` places. Raises ContractError for a constant that doesn't exist."""
        if "{" not in text:
            return text
        try:
            return Constants(self.dialect).vformat(text, (), self._scope)
        except (KeyError, IndexError, AttributeError, ValueError) as error:
            raise ContractError(
                f"{self.name}: the text {text[:60]!r} names an unknown constant ({error}).",
                path=self.path,
            ) from None

    def render_constants(self, text: str) -> str:
        """Fill only the `{CONSTANT}` places of a text; others (rows of a call) stay as they are."""
        return _CONSTANT.sub(lambda match: self.render(match[0]), text)

    def policy(self) -> str:
        """The policy document (Markdown), derived from the declarations."""
        return self._document

    @cached_property
    def _document(self) -> str:
        return policy.document(self)

    @cached_property
    def content_hash(self) -> str:
        """16 hexadecimal digits for the domain's source, or its compiled bodies without a file."""
        if self.path is not None:
            return file_hash(self.path)
        functions = [t.body for t in self._tools.values() if t.derived is None]
        return code_hash(self.name, [*functions, *(r.predicate for r in self.rules.values())])

    def build(self, seed: int = 0, scale: float = 1.0) -> World:
        """Build a new world.

        The same seed and scale give the same bytes; images are kept for forks.
        """
        self.finish()
        key = (seed, scale)
        if key not in self._images:
            self._images[key] = self.image(seed, scale)
        return World(self.schema, self._images[key])

    def image(self, seed: int, scale: float) -> StartImage:
        """Run the seed and return the start image, which is not kept."""
        if self._seed is None:
            raise ContractError(f"{self.name} has no @domain.seed function.", path=self.path)
        return build_image(self.schema, self.name, self.now, self._seed, seed, scale)
