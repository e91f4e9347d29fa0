"""News: what an agent has to tell, before it is put into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..domain import Row, Rule, Tool
from ..state import ColumnInfo, EntityInfo

Values = Mapping[str, Any]
"""Rows and values by argument name."""

Also = Sequence[Sequence[Any]]
"""Further conditions on rows: `[column, op, plain value]`."""


@dataclass(frozen=True)
class Planned:
    """A call that needs an explicit yes. `given` are the arguments to name, `quoted` the results of
    reads that were made for it, by tool, `within` the arguments that the person told apart by what
    they belong to.
    """

    tool: Tool
    values: Values
    given: frozenset[str]
    quoted: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    within: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Did:
    """A call that was made. `result` is its wire mapping, {} where there is none."""

    tool: Tool
    values: Values
    given: frozenset[str]
    result: Mapping[str, Any]


@dataclass(frozen=True)
class Declined:
    """A wish that something forbids.

    `context` holds the bound arguments for the rule's words, `reason` a tool's message or plain
    words where there is no rule. `closed`: what the rule offers is plainly impossible; `settled`:
    something else was done instead; `again`: the person has heard of it already.
    """

    tool: Tool
    values: Values
    given: frozenset[str]
    rule: Rule | None
    context: Values
    concepts: Sequence[Sequence[str]]
    reason: str = ""
    closed: bool = False
    settled: bool = False
    again: bool = False


@dataclass(frozen=True)
class Missing:
    """A wish for an operation that is not at hand; `values` None where they aren't known."""

    tool: Tool
    values: Values | None
    handed_over: bool = False


@dataclass(frozen=True)
class HandedOver:
    """A hand-over to a person, for a reason; `about` is the row that it concerns, if one."""

    tool: Tool
    values: Values
    result: Mapping[str, Any]
    reason: str
    about: Row | None = None


@dataclass(frozen=True)
class Left:
    """A wish left undone because the user declined."""

    tool: Tool
    values: Values


@dataclass(frozen=True)
class Attribute:
    """The value of one column of a row that was asked for."""

    row: Row
    column: str
    value: Any


@dataclass(frozen=True)
class Counted:
    """How many rows there are."""

    info: EntityInfo
    where: Values
    also: Also
    count: int


@dataclass(frozen=True)
class Summed:
    """The total of a column."""

    info: EntityInfo
    spec: ColumnInfo
    where: Values
    also: Also
    total: int


@dataclass(frozen=True)
class Field:
    """What a composed read tells; `clause` is how it was asked for, with its places."""

    tool: Tool
    values: Values
    clause: str
    kind: str
    value: Any


Answer = Attribute | Counted | Summed | Field
News = Did | Declined | Missing | HandedOver | Left | Answer
