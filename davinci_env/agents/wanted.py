"""Wanted: a row as a person speaks of it, and whether what is known of a row fits that."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any

from ..state import Entity
from .belief import BeliefRow
from .speech import plain_at

Condition = tuple[str, str, Any]
"""(path from the row, one of = != < <= > >=, plain value)."""

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


_FROM_PLAIN = {
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}


@dataclass(frozen=True)
class Wanted:
    """A row as it was spoken of.

    Args:
        fields: path from the row -> plain value.
        where: further conditions on values at paths from the row.
        mine: whether it belongs to the person.
        states: path ("" for the row itself) -> lifecycle states that make sense; a preference, not
            a condition.
    """

    entity: Entity
    fields: Mapping[str, Any] = field(default_factory=dict)
    id: str | None = None
    mine: bool = False
    states: Mapping[str, frozenset[str]] = field(default_factory=dict)
    where: tuple[Condition, ...] = ()

    @classmethod
    def said(
        cls,
        entity: Entity,
        said: Mapping[str, Any],
        states: Mapping[str, frozenset[str]] | None = None,
    ) -> Wanted:
        """A row as the structured reading gives it."""
        return cls(
            entity, dict(said.get("fields", {})), said.get("id"), bool(said.get("mine")),
            states or {}, conditions(said.get("where", ())),
        )  # fmt: skip

    def above(self, attribute: str) -> Wanted:
        """What is said of the row that a reference leads to."""
        target = self.entity._info.refs[attribute].target
        prefix = attribute + "."

        def under(paths: Mapping[str, Any]) -> dict[str, Any]:
            return {p[len(prefix) :]: v for p, v in paths.items() if p.startswith(prefix)}

        states = under(self.states)
        if attribute in self.states:
            states[""] = self.states[attribute]
        owned = bool(target._info.identity) or target._info.owner is not None
        where = tuple((p[len(prefix) :], o, v) for p, o, v in self.where if p.startswith(prefix))
        return Wanted(
            target, under(self.fields), self.fields.get(attribute), self.mine and owned, states,
            where,
        )  # fmt: skip

    @property
    def key(self) -> str | None:
        """The id, where it was said."""
        said = self.id or self.fields.get(self.entity._info.pk) or self.fields.get("id")
        return None if said is None else str(said)

    def described_by(self, row: BeliefRow) -> bool:
        """Whether a row has the values that were said. Raises Unread for one that is not known."""
        return all(plain_at(row, path) == value for path, value in self.fields.items()) and all(
            holds(plain_at(row, path), compare, value) for path, compare, value in self.where
        )

    def contradicted_by(self, row: BeliefRow, path: str) -> bool:
        """Whether the value at one path is another than was said. Raises Unread."""
        found = plain_at(row, path)
        if path in self.fields and found != self.fields[path]:
            return True
        return any(not holds(found, o, v) for p, o, v in self.where if p == path)

    @property
    def paths(self) -> list[str]:
        """The paths of which something was said."""
        return list(dict.fromkeys([*self.fields, *(path for path, _, _ in self.where)]))


def conditions(said: Sequence[Sequence[Any]]) -> tuple[Condition, ...]:
    """Conditions out of JSON lists."""
    return tuple((str(path), str(compare), value) for path, compare, value in said)


def holds(found: Any, compare: str, value: Any) -> bool:
    """Whether a plain value satisfies a condition; an absent one is neither more nor less."""
    if compare not in ("=", "!=") and (found is None or value is None):
        return False
    return _COMPARE[compare](found, value)


def from_plain(kind: str, value: Any) -> Any:
    """A plain (JSON) value as Python."""
    parse = _FROM_PLAIN.get(kind)
    return value if parse is None or value is None else parse(value)
