"""Finding rows by what a person says of them: "the loan of The Night Tram".

The reading of a message gives the fields that the words quote, as paths from the row. Reads lead
there: the person's own lists, searches by the quoted text, and the details of what the row belongs
to, found in the same manner.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from typing import Any

from ..domain import Parameter, Tool
from ..state import Entity
from .belief import BeliefRow, Unread
from .inquiry import Inquiry, Steps
from .wanted import Wanted, from_plain
from .ways import Read, includes, shown_entities, text_columns

MAX_DEPTH = 3
"""How many rows may be found on the way to one."""

MAX_PARENTS = 20
"""Most rows whose details are opened in search of one that belongs to them."""


class Finder:
    """Finds rows through an inquiry. `facts` are what the person told of themselves."""

    def __init__(self, inquiry: Inquiry, facts: Mapping[str, Any]) -> None:
        self.inquiry, self.facts = inquiry, facts
        self.beliefs, self.domain = inquiry.beliefs, inquiry.domain
        self._said: dict[BeliefRow, Wanted] = {}

    def find(
        self, wanted: Wanted, depth: int = 0, *, whole: bool = False
    ) -> Steps[list[BeliefRow]]:
        """The rows that fit what was said, [] if none was found.

        Args:
            whole: all of them are wanted, not only those that the first fitting read shows.
        """
        found, _ = yield from self._find(wanted, depth, whole)
        return found

    def near(self, wanted: Wanted, rows: Sequence[BeliefRow]) -> Steps[list[BeliefRow]]:
        """The rows that fit among those that belong to rows which were spoken of as well."""
        for reference in wanted.entity._info.refs.values():
            for row in rows:
                if row.entity is not reference.target or row._info.identity:
                    continue
                listed = yield from self.inquiry.settle(partial(getattr, row, reference.back))
                found = []
                for child in listed.value or ():
                    fits = yield from self.inquiry.settle(partial(self._equal, child, wanted))
                    found += [child] if fits.value else []
                if found:
                    return found
        return []

    def collect(self, entity: Entity) -> Steps[list[BeliefRow]]:
        """All rows of an entity that belong to the person."""
        return (yield from self.find(Wanted(entity, mine=True), whole=True))

    def _find(self, wanted: Wanted, depth: int, whole: bool) -> Steps[tuple[list[BeliefRow], bool]]:
        """The rows that fit, and whether these are all that there are."""
        if wanted.entity._info.identity and wanted.mine:
            person = yield from self.inquiry.person(wanted.entity)
            if person is not None:
                return [person], True
        if wanted.key is not None:
            row = self.beliefs.row(wanted.entity, wanted.key)
            self._said.setdefault(row, wanted)
            return [row], True
        if wanted.mine and self._knows_all(wanted.entity):
            return (yield from self._chosen(wanted)), True
        for tool, narrowed in self._routes(wanted):
            bindings, complete = yield from self._bindings(tool, wanted, narrowed, depth, whole)
            for bound in bindings:
                read = Read(tool, bound)
                yield from self.inquiry.read(read)
                complete = complete and self.inquiry.has_all(read)
            complete = complete and tool.derived is not None
            found, _ = yield from self._matching(wanted)
            if complete:
                return (yield from self._chosen(wanted)), True
            if found and not whole:
                return found, False
        return (yield from self._chosen(wanted)), False

    def seek(self, row: BeliefRow) -> Steps[bool]:
        """Look for a row known by its key: by what was said of it, or among the person's own."""
        info = row._info
        owned = bool(info.identity) or info.owner is not None
        said = self._said.get(row)
        if said is None and not owned:
            return False
        wanted = Wanted(row.entity, {} if said is None else said.fields, mine=owned)
        for tool, narrowed in self._routes(wanted):
            bindings, _ = yield from self._bindings(tool, wanted, narrowed, 0, False)
            for bound in bindings:
                yield from self.inquiry.read(Read(tool, bound))
                if row._seen:
                    return True
        return False

    def _knows_all(self, entity: Entity) -> bool:
        """Whether the person's own rows of a kind are known in full."""
        info = entity._info
        if info.owner is None:
            return False
        reference = info.refs[info.owner]
        person = self.beliefs.persons.get(reference.target)
        return person is not None and reference.back in person._lists

    # -- comparing ---------------------------------------------------------------------------------

    def _chosen(self, wanted: Wanted) -> Steps[list[BeliefRow]]:
        """The rows that fit; or the person's only one of which nothing that is known does not."""
        found, possible = yield from self._matching(wanted)
        return possible if not found and wanted.mine and len(possible) == 1 else found

    def _matching(self, wanted: Wanted) -> Steps[tuple[list[BeliefRow], list[BeliefRow]]]:
        """The rows that fit, and those that may fit for all that can be found out."""
        found, possible = [], []
        for row in self.beliefs.rows(wanted.entity):
            fits = self._fits(row, wanted)
            if fits is None and row._seen:
                settled = yield from self.inquiry.settle(partial(self._equal, row, wanted))
                fits = settled.value
                if not settled.known:
                    possible.append(row)
            if fits:
                found.append(row)
        return found, possible

    def _fits(self, row: BeliefRow, wanted: Wanted) -> bool | None:
        """Whether a row fits; None where what is known of it fits, and something is not known."""
        known = True
        for path in wanted.paths:
            try:
                with self.beliefs.naming():
                    if wanted.contradicted_by(row, path):
                        return False
            except Unread:
                known = False
        try:
            return self._in_scope(row, wanted) and (known or None)
        except Unread:
            return None

    def _equal(self, row: BeliefRow, wanted: Wanted) -> bool:
        with self.beliefs.naming():
            if not wanted.described_by(row):
                return False
        return self._in_scope(row, wanted)

    def _in_scope(self, row: BeliefRow, wanted: Wanted) -> bool:
        """Whether a row is the person's, or nobody's, as it was spoken of."""
        owner = self.domain.owner_of(row)
        return self.beliefs.is_me(owner) if wanted.mine else owner is None or owner is row

    # -- ways --------------------------------------------------------------------------------------

    def _routes(self, wanted: Wanted) -> Iterator[tuple[Tool, bool]]:
        """Reads that show such rows, the most telling first; each narrowed by what is known, then
        as it is.
        """
        entity = wanted.entity
        text = self._texts(wanted)

        def order(tool: Tool) -> int:
            if tool.derived == "list" and tool.parameters[0].is_person:
                return 0 if wanted.mine else 6
            if tool.derived == "find":
                return 1
            if tool.derived == "search":
                return 2 if text else 5
            return 3 if tool.derived is not None else 4

        showing = [
            t
            for t in self.domain.tools.values()
            if t.kind == "read" and entity in shown_entities(t)
        ]
        showing = [t for t in showing if t.derived != "get" or t.about is not entity]
        for tool in sorted(showing, key=order):
            yield tool, True
        for tool in showing:
            if tool.derived == "search" or _dates(tool):
                yield tool, False

    def _texts(self, wanted: Wanted) -> list[str]:
        """Texts of the row itself that were said."""
        names = text_columns(wanted.entity)
        return [v for path, v in wanted.fields.items() if path in names and isinstance(v, str)]

    def _bindings(
        self, tool: Tool, wanted: Wanted, narrowed: bool, depth: int, whole: bool
    ) -> Steps[tuple[list[dict[str, Any]], bool]]:
        """The arguments of the calls that may show such rows, and whether they show all of them."""
        names: list[str] = []
        options: list[Sequence[Any]] = []
        complete = True
        for parameter in tool.parameters:
            if parameter.implicit:
                found: Sequence[Any] = [(yield from self._me(parameter))]
            elif tool.derived == "search" and parameter.name == "query":
                found = self._texts(wanted) if narrowed else []
            elif parameter.required:
                found, known = yield from self._options(tool, parameter, wanted, depth, whole)
                complete = complete and known
            else:
                found = self._filter(tool, parameter, wanted) if narrowed and whole else []
            if found or parameter.required:
                names.append(parameter.name)
                options.append(found)
        bindings = [dict(zip(names, values, strict=True)) for values in itertools.product(*options)]
        day = self._day(wanted) if narrowed else None
        if day is not None:
            bindings = [{**b, **dict.fromkeys(_dates(tool), day)} for b in bindings]
        return bindings[:MAX_PARENTS], complete and len(bindings) <= MAX_PARENTS

    def _filter(self, tool: Tool, parameter: Parameter, wanted: Wanted) -> Sequence[Any]:
        """The value that was said of a column by which a search can be narrowed."""
        if tool.derived != "search" or parameter.like is None or parameter.type.kind is None:
            return []
        entity, column = parameter.like
        if entity is not wanted.entity or wanted.fields.get(column) is None:
            return []
        return [from_plain(str(parameter.type.kind), wanted.fields[column])]

    def _day(self, wanted: Wanted) -> date | None:
        """The one day that was said of the row itself."""
        columns = wanted.entity._info.columns
        for path, value in wanted.fields.items():
            if path in columns and columns[path].kind in ("date", "datetime") and value is not None:
                said = from_plain(columns[path].kind, value)
                return said.date() if isinstance(said, datetime) else said
        return None

    def _options(
        self, tool: Tool, parameter: Parameter, wanted: Wanted, depth: int, whole: bool
    ) -> Steps[tuple[Sequence[Any], bool]]:
        """The values that an argument may have, and whether there are no others."""
        if parameter.entity is not None:
            return (yield from self._parents(tool, parameter, wanted, depth, whole))
        if parameter.type.choices:
            said = wanted.fields.get(parameter.name)
            choices = parameter.type.choices
            return ([said] if said in choices else list(choices)), True
        column = parameter.like[1] if parameter.like else parameter.name
        kind = str(parameter.type.kind)
        if column in wanted.fields:
            return [from_plain(kind, wanted.fields[column])], True
        about_person = parameter.like is not None and parameter.like[0]._info.identity
        if about_person and column in self.facts:
            return [from_plain(kind, self.facts[column])], False
        return [], False

    def _parents(
        self, tool: Tool, parameter: Parameter, wanted: Wanted, depth: int, whole: bool
    ) -> Steps[tuple[Sequence[Any], bool]]:
        """The rows of which a read shows what belongs to them."""
        if parameter.is_person:
            person = yield from self._me(parameter)
            return ([] if person is None else [person]), person is not None and wanted.mine
        if depth >= MAX_DEPTH or parameter.entity is wanted.entity:
            return [], False
        attribute = self._way_up(tool, parameter, wanted.entity)
        if attribute is None:
            return [], False
        above = wanted.above(attribute)
        found, complete = yield from self._find(above, depth + 1, whole)
        likely = [row for row in found if self._likely(row, above.states)]
        return (likely or found), complete

    def _me(self, parameter: Parameter) -> Steps[BeliefRow | None]:
        """The person who speaks, as a tool names them."""
        assert parameter.entity is not None
        return (yield from self.inquiry.person(parameter.entity))

    def _way_up(self, tool: Tool, parameter: Parameter, entity: Entity) -> str | None:
        """The reference of the wanted row that leads to what a read is given."""
        refs = entity._info.refs.values()
        fitting = [r for r in refs if r.target is parameter.entity]
        for attribute in includes(tool):
            fitting = [r for r in fitting if r.back == attribute] or fitting
        named = [r for r in fitting if r.attribute == parameter.name]
        return (named or fitting)[0].attribute if fitting else None

    def _likely(self, row: BeliefRow, states: Mapping[str, frozenset[str]]) -> bool:
        """Whether a row is in the states that make sense, as far as is known."""
        state = row._info.state_column
        wanted = states.get("")
        return (
            wanted is None or state is None or row._cells.get(state, next(iter(wanted))) in wanted
        )


def _dates(tool: Tool) -> list[str]:
    """Optional days by which a hand-written list can be narrowed: from a day, until a day."""
    return [
        p.name
        for p in tool.parameters
        if tool.derived is None and not p.required and p.type.kind == "date" and not p.type.many
    ]
