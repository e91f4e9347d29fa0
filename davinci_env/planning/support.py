"""Support: which rows a rule's refusal rests on, found by evaluating it on probes.

A probe stands for a row, answers like it, and notes which cells were read. Hiding a row from the
lists tells whether the refusal depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..domain import Row, Rule
from ..state import Db

Place = tuple[str, str]

MAX_PRESENT = 50
"""Longest list of which each row's mere presence is tried."""


@dataclass(frozen=True)
class _Path:
    """How a rule came to a row: by a row of a list, or by the arguments alone."""

    row: Place | None = None


ARGUMENT = _Path()
"""An argument itself."""

LED_TO = _Path()
"""Led to by the arguments."""


@dataclass
class Support:
    """Rows read directly with a value column, rows read through lists, and all cells read.

    `given` are the argument rows that only led to others, `behind` the rows with a value column
    that was read, to which rows of lists led; each with those.
    """

    direct: dict[Place, None] = field(default_factory=dict)
    listed: dict[Place, None] = field(default_factory=dict)
    cells: set[tuple[str, str]] = field(default_factory=set)
    given: dict[Place, None] = field(default_factory=dict)
    behind: dict[Place, set[Place]] = field(default_factory=dict)


class _Tracer:
    def __init__(self, hidden: frozenset[Place] = frozenset()) -> None:
        self.support = Support()
        self.hidden = hidden
        self._probes: dict[Place, _Probe] = {}

    def wrap(self, value: Any, path: _Path = ARGUMENT) -> Any:
        if isinstance(value, tuple | list):
            if len(value) <= MAX_PRESENT:  # that a row is there may be all that matters
                self.support.listed.update(dict.fromkeys(_place(v) for v in value if _is_row(v)))
            return tuple(
                self.wrap(v, _Path(_place(v)) if _is_row(v) else path)
                for v in value
                if not _is_row(v) or _place(v) not in self.hidden
            )
        if not _is_row(value):
            return value
        place = _place(value)
        known = self._probes.get(place)
        if known is None:  # one probe a row, so that `is` still tells rows apart
            known = self._probes[place] = _Probe(self, value, path)
        return known

    def read(self, row: Row, name: str, path: _Path) -> None:
        place = _place(row)
        self.support.cells.add((place[0], name))
        if path.row is None:
            self.support.direct[place] = None
        elif path.row == place:
            self.support.listed[place] = None
        else:
            self.support.behind.setdefault(place, set()).add(path.row)

    def follow(self, row: Row, name: str, path: _Path) -> None:
        place = _place(row)
        self.support.cells.add((place[0], name))
        if path is ARGUMENT:
            self.support.given[place] = None


class _Probe:
    """Answers like a row and notes what is read of it."""

    __slots__ = ("_path", "_row", "_tracer")

    def __init__(self, tracer: _Tracer, row: Row, path: _Path) -> None:
        self._tracer, self._row, self._path = tracer, row, path

    def __getattr__(self, name: str) -> Any:
        info = self._row._info
        if name in info.columns and name != info.pk and info.columns[name].target is None:
            self._tracer.read(self._row, name, self._path)
        elif name in info.backs:
            self._tracer.support.cells.add((info.backs[name].child._info.table, "+"))
        elif name in info.refs:
            self._tracer.follow(self._row, info.refs[name].column, self._path)
        found = getattr(self._row, name)
        if name in info.refs and found is None:
            self._tracer.read(self._row, info.refs[name].column, self._path)
        return self._tracer.wrap(found, LED_TO if self._path is ARGUMENT else self._path)

    def __str__(self) -> str:
        return str(self._row)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, _Probe) and self._row is other._row)

    def __hash__(self) -> int:
        return hash(id(self._row))


class _ProbeDb:
    """The `db` of a probed rule."""

    def __init__(self, tracer: _Tracer, db: Db) -> None:
        self._tracer, self._db = tracer, db

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._db, name)
        if not callable(found):
            return self._tracer.wrap(found)
        return lambda *args, **equal: self._tracer.wrap(
            found(*args, **{k: _bare(v) for k, v in equal.items()})
        )


def support_of(rule: Rule, bound: Mapping[str, Any]) -> Support:
    """The rows on which a rule's verdict on a call rests.

    `direct` holds the rows of which a column was read; `listed` only those list rows without which
    the verdict would be another, and `behind` the rows that these led to. Where none of them
    decides alone (a limit that is passed by two), it holds a least set that keeps the verdict up.
    Where nothing was read but which row is which, `given` is all that counts.
    """
    verdict, support = _evaluate(rule, bound)

    def stands(hidden: frozenset[Place]) -> bool:
        return _evaluate(rule, bound, hidden)[0] == verdict

    telling = [place for place in support.listed if not stands(frozenset((place,)))]
    if not telling and not stands(frozenset(support.listed)):
        hidden: frozenset[Place] = frozenset()
        for place in support.listed:
            if stands(hidden | {place}):
                hidden |= {place}
        telling = [place for place in support.listed if place not in hidden]
    behind = {place: rows for place, rows in support.behind.items() if rows & set(telling)}
    return Support(support.direct, dict.fromkeys(telling), support.cells, support.given, behind)


def cells_read(rule: Rule, bound: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The cells that a rule's verdict on a call reads, decisive or not."""
    return _evaluate(rule, bound)[1].cells


def _evaluate(
    rule: Rule, bound: Mapping[str, Any], hidden: frozenset[Place] = frozenset()
) -> tuple[bool, Support]:
    tracer = _Tracer(hidden)
    arguments = rule.arguments_of(bound)
    probed = {
        name: _ProbeDb(tracer, value) if name == "db" else tracer.wrap(value)
        for name, value in arguments.items()
    }
    try:
        return bool(rule.predicate(**probed)), tracer.support
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        if not hidden:
            raise
        return not rule.predicate(**arguments), tracer.support  # it can't do without those rows


def _is_row(value: Any) -> bool:
    return hasattr(type(value), "_info") and hasattr(value, "entity")


def _place(row: Row) -> Place:
    return row._info.table, row.id


def _bare(value: Any) -> Any:
    return value._row if isinstance(value, _Probe) else value
