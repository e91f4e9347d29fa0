"""Entities: typed mapped classes that an author writes, and what the engine knows about each
(`EntityInfo`).

The mapped class is the single declaration: SQLAlchemy derives the schema from it (and is the oracle
in tests), while `rows.py` derives the light rows that tool bodies work on.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ForwardRef, get_args

import sqlalchemy as sa
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlalchemy.orm import backref as sa_backref
from sqlalchemy.orm import registry as sa_registry

from ..errors import ContractError
from .keys import Key, Natural, as_key
from .naming import plural_of, snake
from .types import SCALARS, Kind, TypeInfo, read_annotation

__all__ = [
    "ColumnInfo",
    "Entity",
    "EntityInfo",
    "Lifecycle",
    "Mapped",
    "Reference",
    "column",
    "entity_base",
    "lifecycle",
    "ref",
]

Entity = type[Any]
"""A class declared with `class Loan(domain.Entity)`."""


class _Required:
    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED = _Required()

RESERVED = frozenset(("entity", "id", "metadata", "registry"))
"""Names that rows use themselves: no column or reference may be called so."""


@dataclass(frozen=True)
class Lifecycle:
    """States and the arcs between them; `outside` arcs are moved by the world, not by a tool."""

    start: str
    states: tuple[str, ...]
    arcs: frozenset[tuple[str, str]]
    outside: frozenset[tuple[str, str]]


@dataclass(frozen=True)
class ColumnInfo:
    """One column: name, type, bounds and what people call it."""

    attribute: str
    kind: Kind
    optional: bool
    default: Any
    choices: tuple[Any, ...] = ()
    ge: float | None = None
    le: float | None = None
    unique: bool = False
    hidden: bool = False
    volatile: bool = False
    says: str = ""
    doc: str = ""
    target: Entity | None = None
    lifecycle: Lifecycle | None = None
    asks: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reference:
    """A reference to another row:

    `loan.member` with its column `member_id` and the back list `member.loans`.
    """

    attribute: str
    column: str
    target: Entity
    back: str
    owner: bool
    optional: bool


@dataclass(frozen=True)
class BackReference:
    """The other side: `member.loans` lists the children whose `column` points here."""

    attribute: str
    child: Entity
    column: str
    reference: str


@dataclass
class EntityInfo:
    """All that the engine and the domain derive from one entity class."""

    cls: Entity
    name: str
    noun: str
    plural: str
    table: str
    key: Key
    pk: str
    doc: str
    label: str
    identity: bool
    shows: dict[str, str]
    called: tuple[str, ...] = ()
    superlatives: dict[str, tuple[str, str]] = field(default_factory=dict)
    columns: dict[str, ColumnInfo] = field(default_factory=dict)
    refs: dict[str, Reference] = field(default_factory=dict)
    backs: dict[str, BackReference] = field(default_factory=dict)
    owner: str | None = None
    state_column: str | None = None

    @property
    def lifecycle(self) -> Lifecycle | None:
        """The lifecycle of the entity's state column, if it has one."""
        return self.columns[self.state_column].lifecycle if self.state_column else None

    @property
    def has_generated_key(self) -> bool:
        """Whether ids are assigned by the world (and so are compared up to renaming)."""
        return not isinstance(self.key, Natural)


@dataclass(frozen=True)
class _ColumnSpec:
    default: Any = REQUIRED
    ge: float | None = None
    le: float | None = None
    unique: bool = False
    hidden: bool = False
    volatile: bool = False
    says: str = ""
    doc: str = ""
    lifecycle: Lifecycle | None = None
    asks: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class _RefSpec:
    owner: bool = False
    back: str | None = None
    says: str = ""


def column(
    default: Any = REQUIRED,
    *,
    ge: float | None = None,
    le: float | None = None,
    unique: bool = False,
    hidden: bool = False,
    volatile: bool = False,
    says: str = "",
    doc: str = "",
    asks: Sequence[str] = (),
    told: Sequence[str] = (),
) -> Any:
    """Describe a column: default, bounds, `says` (what a person calls it). `volatile` columns are
    not compared in outcomes (free text, times of the call); `hidden` ones are never shown. `asks`
    are clauses that ask for it ("when {it} has to be back"), `told` sentences that tell it ("{it}
    has to be back by {value}"): `{it}` is the row."""
    return _ColumnSpec(
        default, ge, le, unique, hidden, volatile, says, doc, asks=tuple(asks), told=tuple(told)
    )


def ref(*, owner: bool = False, back: str | None = None, says: str = "") -> Any:
    """Reference another entity; `owner=True` marks whose it is, or the row that leads there."""
    return _RefSpec(owner, back, says)


def lifecycle(
    arcs: Mapping[str, Sequence[str]],
    *,
    outside: Mapping[str, Sequence[str]] | None = None,
    says: str = "",
    doc: str = "",
    asks: Sequence[str] = (),
    told: Sequence[str] = (),
) -> Any:
    """Declare a state column:

    `lifecycle({"open": ["returned", "lost"]})`; the first key is the start state.
    """
    inside = {(a, b) for a, targets in arcs.items() for b in targets}
    world = {(a, b) for a, targets in (outside or {}).items() for b in targets}
    states: dict[str, None] = {}
    for mapping in (arcs, outside or {}):
        for source, targets in mapping.items():
            states.update(dict.fromkeys([source, *targets]))
    if not states:
        raise ContractError(
            "a lifecycle has no state", 'give at least one: lifecycle({"open": []})'
        )
    start = next(iter(states))
    cycle = Lifecycle(start, tuple(states), frozenset(inside | world), frozenset(world - inside))
    return _ColumnSpec(
        default=start, says=says, doc=doc, lifecycle=cycle, asks=tuple(asks), told=tuple(told)
    )


def entity_base(
    entities: dict[str, Entity], namespace: str = "", shared: sa_registry | None = None
) -> type[DeclarativeBase]:
    """Return a new declarative base whose subclasses register themselves in `entities`. The names
    of its tables begin with `namespace`; `shared` mappings are those that its rows may refer to.
    """

    class EntityBase(DeclarativeBase):
        registry = shared or sa_registry()
        _info: EntityInfo

        def __init_subclass__(cls, *, row_of: Entity | None = None, **options: Any) -> None:
            if row_of is not None:  # the light twin made by rows.py is not mapped
                return
            _declare(cls, entities, namespace, **options)
            super().__init_subclass__()
            entities[cls.__name__] = cls

        def __str__(self) -> str:
            info = self._info
            values = {c: getattr(self, c) for c in info.columns}
            return info.label.format(self=self, **values)

        @property
        def id(self) -> str:
            """The value of the primary key."""
            return str(getattr(self, self._info.pk))

    return EntityBase


def _declare(
    cls: Entity,
    entities: Mapping[str, Entity],
    namespace: str = "",
    *,
    key: str | Key | None = None,
    label: str | None = None,
    identity: bool = False,
    shows: Mapping[str, str] | None = None,
    plural: str | None = None,
    called: Sequence[str] = (),
    superlatives: Mapping[str, tuple[str, str]] | None = None,
) -> None:
    """Turn the author's annotations into mapped columns and relationships, and fill `cls._info`."""
    noun = snake(cls.__name__)
    plural = plural or plural_of(noun)
    made_key = as_key(key if key is not None else noun[:3].upper())
    pk = made_key.column if isinstance(made_key, Natural) else f"{noun}_id"
    info = EntityInfo(
        cls=cls, name=cls.__name__, noun=noun, plural=plural, table=namespace + plural,
        key=made_key, pk=pk,
        doc=" ".join((cls.__doc__ or "").split()), label=label or "{" + pk + "}", identity=identity,
        shows=dict(shows or {}), called=tuple(called), superlatives=dict(superlatives or {}),
    )  # fmt: skip
    cls._info = info
    annotations: dict[str, Any] = {}
    if not isinstance(made_key, Natural):
        info.columns[pk] = ColumnInfo(pk, "str", False, REQUIRED, says=noun.replace("_", " "))
        setattr(cls, pk, mapped_column(sa.String, primary_key=True))
        annotations[pk] = Mapped[str]
    for attribute, annotation in inspect.get_annotations(cls).items():
        typed = _read_attribute(cls, attribute, annotation)
        spec = cls.__dict__.get(attribute)
        if typed.entity is not None or isinstance(spec, _RefSpec):
            _declare_reference(cls, info, attribute, typed, spec or _RefSpec(), annotations)
        else:
            _declare_column(cls, info, attribute, typed, spec or _ColumnSpec(), annotations)
    if info.pk not in info.columns or info.columns[info.pk].kind != "str":
        raise ContractError(f"{cls.__name__} has no text column {info.pk!r} to be its natural key.")
    cls.__tablename__ = info.table
    cls.__table_args__ = {"sqlite_with_rowid": False}
    cls.__annotations__ = annotations


def _read_attribute(cls: Entity, attribute: str, annotation: Any) -> TypeInfo:
    """Read `Mapped[...]`; quotes let an entity refer to itself: `Mapped["Category | None"]`."""
    if attribute in RESERVED or attribute.startswith("_"):
        raise ContractError(f"{cls.__name__} can't have an attribute called {attribute!r}.")
    arguments = get_args(annotation)
    if not arguments:
        raise ContractError(f"{cls.__name__}.{attribute} must be annotated as Mapped[...].")
    inner = arguments[0]
    try:
        if isinstance(inner, ForwardRef):
            scope = vars(sys.modules[cls.__module__])
            inner = eval(inner.__forward_arg__, {**scope, cls.__name__: cls})
        typed = read_annotation(inner)
    except (TypeError, NameError) as error:
        raise ContractError(f"{cls.__name__}.{attribute}: {error}.") from None
    if typed.many:
        raise ContractError(f"{cls.__name__}.{attribute}: a column holds one value, not a list.")
    return typed


def _declare_column(
    cls: Entity,
    info: EntityInfo,
    attribute: str,
    typed: TypeInfo,
    spec: _ColumnSpec,
    annotations: dict[str, Any],
) -> None:
    assert typed.kind is not None
    if attribute in info.columns:
        raise ContractError(f"{cls.__name__} declares {attribute!r} twice.")
    default = spec.default
    if default is REQUIRED and typed.optional:
        default = None
    choices = spec.lifecycle.states if spec.lifecycle else typed.choices
    info.columns[attribute] = ColumnInfo(
        attribute, typed.kind, typed.optional, default, choices, spec.ge, spec.le, spec.unique,
        spec.hidden, spec.volatile, spec.says or attribute.replace("_", " "), spec.doc, None,
        spec.lifecycle, spec.asks, spec.told,
    )  # fmt: skip
    if spec.lifecycle is not None:
        info.state_column = attribute
    scalar = SCALARS[typed.kind]
    is_key = attribute == info.pk
    setattr(
        cls,
        attribute,
        mapped_column(scalar.sql, primary_key=is_key, nullable=typed.optional, unique=spec.unique),
    )
    python: Any = scalar.python
    annotations[attribute] = Mapped[python | None] if typed.optional else Mapped[python]


def _declare_reference(
    cls: Entity,
    info: EntityInfo,
    attribute: str,
    typed: TypeInfo,
    spec: _RefSpec,
    annotations: dict[str, Any],
) -> None:
    target = typed.entity
    if target is None:
        raise ContractError(f"{cls.__name__}.{attribute} is a ref() but not an entity.")
    target_info: EntityInfo = target._info
    column_name = f"{attribute}_id"
    back = spec.back or info.plural
    if column_name in info.columns:
        raise ContractError(f"{cls.__name__} declares {column_name!r} twice.")
    if back in target_info.backs or back in target_info.columns or back in target_info.refs:
        raise ContractError(
            f"{target_info.name} already has {back!r}; "
            f"give {cls.__name__}.{attribute} another name: ref(back=...)."
        )
    foreign = mapped_column(
        sa.ForeignKey(f"{target_info.table}.{target_info.pk}"),
        nullable=typed.optional,
        index=True,
    )
    setattr(cls, column_name, foreign)
    annotations[column_name] = Mapped[str | None] if typed.optional else Mapped[str]
    relation: Any = relationship(
        target,
        foreign_keys=[foreign],
        # evaluated when mappers are configured; `remote_side` tells a self-reference's two ends
        # apart
        remote_side=lambda: getattr(target, target_info.pk),
        backref=sa_backref(back, order_by=lambda: getattr(cls, info.pk), passive_deletes="all"),
    )
    setattr(cls, attribute, relation)
    says = spec.says or attribute.replace("_", " ")
    info.columns[column_name] = ColumnInfo(
        column_name, "str", typed.optional, None if typed.optional else REQUIRED, says=says,
        target=target,
    )  # fmt: skip
    info.refs[attribute] = Reference(
        attribute, column_name, target, back, spec.owner, typed.optional
    )
    target_info.backs[back] = BackReference(back, cls, column_name, attribute)
    if spec.owner:
        info.owner = attribute
