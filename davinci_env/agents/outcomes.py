"""Outcomes: the fields of a result in words, and sentences that tell them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..domain import Domain, Tool
from ..domain.results import RowShape
from .belief import Unread
from .news import Values
from .referents import PLACE, Unsaid, paths_in
from .speech import column_at, entity_at, follow, say_choice, say_near, say_of

# Where a sentence may end early, and what makes a beginning a sentence.
_CLAUSES = re.compile(r"(?=[.;,] |,? (?:and|so|which|with|at) )")
_NOTHING = re.compile(r"\{no ([a-z_][\w.]*)\}")
_ASIDE = re.compile(r" \([^()]*\)")
_VERBS = re.compile(r"\b(?:is|are|was|were|has|have|will|won't|goes|keep|stays?|'ve|'s|'re|can)\b")


class ResultWords:
    """The fields of a result in words: columns, what rows show of others, fields of a record."""

    def __init__(
        self,
        domain: Domain,
        tool: Tool,
        result: Mapping[str, Any],
        values: Values | None = None,
    ) -> None:
        self.domain, self.tool = domain, tool
        self.fields: dict[str, tuple[Any, str]] = {}
        self.kinds: dict[str, str] = {}
        shape = tool.shape
        kinds = shape.kinds()
        for name, value in shape.values(result).items():
            typed = kinds[name]
            said = self._said(str(typed.kind), bool(typed.choices), value)
            self.fields[name], self.kinds[name] = (value, said), str(typed.kind)
        if isinstance(shape, RowShape):
            self._shown(shape, result)
        for name, (whole, part) in tool.outcome.differences.items():
            sides = [self._amount(path, values or {}) for path in (whole, part)]
            if None not in sides:
                left = max(0, sides[0] - sides[1])
                self.fields[name] = (left, self._said("money", False, left))
                self.kinds[name] = "money"

    def _amount(self, path: str, values: Values) -> Any:
        """The amount in a field, or at a path from an argument before the call; None where that is
        not known.
        """
        return self.value(path) if path in self.fields else value_at(path, values)

    def _said(self, kind: str, choice: bool, value: Any) -> str:
        return say_choice(value) if choice else say_near(self.domain, kind, value)

    def _shown(self, shape: RowShape, result: Mapping[str, Any]) -> None:
        assert shape.entity is not None
        info, dialect = shape.entity._info, shape.dialect
        item = result if shape.key is None else result[shape.key]
        for name, path in info.shows.items():
            wire = item.get(dialect.key(name))
            if wire is None:
                continue
            spec = column_at(info, path)
            read = dialect.codec(spec.kind).read
            value = read(wire) if read else wire
            self.fields[name] = (value, say_of(self.domain, spec, value))
            self.kinds[name] = spec.kind

    def value(self, name: str) -> Any:
        """A field's value, None where the result lacks it."""
        return self.fields.get(name, (None, ""))[0]

    def say(self, name: str) -> str:
        """A field in words. Raises Unsaid."""
        value, said = self.fields.get(name, (None, ""))
        if value is None:
            raise Unsaid(name)
        return said

    def called(self, name: str) -> str:
        """What people call a field."""
        entity = self.tool.shape.entity
        if entity is not None and name in entity._info.columns:
            return str(entity._info.columns[name].says)
        return name.replace("_", " ")

    def without_nothing(self, text: str, values: Values) -> str:
        """A sentence without those of its clauses that would tell of an amount of nothing, and
        without brackets that count one.
        """
        kept = without_nothing(text, lambda path: self._tells(path, values))
        return without_one(kept, lambda path: self._amount(path, values))

    def silently(self, text: str, kinds: frozenset[str]) -> str:
        """As much of a sentence's beginning as tells no values of some kinds; "" where that is no
        sentence.
        """
        parameters = {p.name: p for p in self.tool.parameters}

        def told(path: str) -> bool:
            parameter = parameters.get(path)
            kind = self.kinds.get(path, str(parameter.type.kind) if parameter else "")
            return kind in kinds

        if not any(map(told, paths_in(text))):
            return text
        kept = ""
        for clause in _CLAUSES.split(text):
            if any(map(told, paths_in(clause))):
                break
            kept += clause
        return kept.rstrip(" ,;") if _VERBS.search(kept) else ""

    def _tells(self, path: str, values: Values) -> bool:
        if path in self.fields:
            return self.fields[path][0] not in (None, 0)
        return has_something(path, values)


def result_row(domain: Domain, tool: Tool, result: Mapping[str, Any]) -> tuple[str, str] | None:
    """Table and key of the row that a result shows; None where it shows none."""
    if not result or not isinstance(tool.shape, RowShape):
        return None
    entity, item = next(iter(tool.shape.rows(result)))
    info = entity._info
    return info.table, str(domain.views.by_entity[entity].read(item)[info.pk])


def without_nothing(text: str, tells: Callable[[str], bool]) -> str:
    """A sentence without those of its clauses that have a place which tells nothing, or that are
    only for when a place does (`{no order.paid}Nothing has been paid.`); "" where nothing is left
    to tell.
    """
    clauses = re.split(r"(?<=[.;]) ", text)
    kept = [
        c
        for c in clauses
        if all(map(tells, paths_in(c))) and not any(map(tells, _NOTHING.findall(c)))
    ]
    joined = _NOTHING.sub("", " ".join(kept)).rstrip("; ")
    return joined if PLACE.search(joined) or kept == clauses else ""


def without_one(text: str, value: Callable[[str], Any]) -> str:
    """A sentence without those of its brackets that count a single thing: "(2 pieces)" is worth
    telling.
    """

    def kept(aside: re.Match[str]) -> str:
        return "" if any(value(path) == 1 for path in paths_in(aside[0])) else aside[0]

    return _ASIDE.sub(kept, text)


def value_at(path: str, values: Values) -> Any:
    """What a path from an argument leads to; None where that is not known."""
    if path in values:
        return values[path]
    head, _, rest = path.partition(".")
    try:
        return follow(values[head], rest) if rest and head in values else None
    except (Unread, AttributeError):
        return None


def has_something(path: str, values: Values) -> bool:
    """Whether a path from an argument leads to something, and not to an amount of nothing."""
    head, _, rest = path.partition(".")
    value = values.get(head)
    rows = value if isinstance(value, list) else [value]
    if any(row is None for row in rows):
        return False
    if not rest:
        return True
    return all(_has_value(row, rest) for row in rows if hasattr(type(row), "_info"))


def _has_value(row: Any, path: str) -> bool:
    found = follow(row, path)
    if found == 0 and entity_at(row._info, path) is None:
        return column_at(row._info, path).kind != "money"
    return found is not None
