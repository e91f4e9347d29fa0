"""Introductions: finding out whom one talks to, and whether they have identified themselves as the
policy demands.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from ..domain import Domain, Rule, Tool
from ..state import plain
from .belief import BeliefRow, Unread, from_plain
from .inquiry import Bound, Inquiry, Read, Steps, shown_entities
from .phrases import join
from .protocol import Say


class Introductions:
    """Knows the customer and what they told of themselves.

    Args:
        facts: what the customer told, by name; filled by the conversation while this object looks
            on.
    """

    def __init__(self, domain: Domain, facts: Mapping[str, Any]) -> None:
        self.domain, self.facts = domain, facts
        self._settled: dict[str, bool] = {}
        self._asked: set[str] = set()

    def meet(self, inquiry: Inquiry) -> Steps[None]:
        """Find the customer's own record from what they told, asking if that is not enough."""
        beliefs = inquiry.beliefs
        if beliefs.person is not None:
            return
        for _ in range(2):
            beliefs.person = yield from self._look_for(inquiry)
            if beliefs.person or not (yield from self._ask(self._alternatives(inquiry))):
                return

    def permits(self, inquiry: Inquiry, tool: Tool, bound: Bound) -> Steps[bool]:
        """Whether a tool that demands identification may be called for these rows."""
        rule = tool.identification
        if rule is None:
            return True
        person = inquiry.beliefs.person
        if person is None or (yield from self._someone_else(inquiry, rule, bound, person)):
            return False
        if rule.code not in self._settled:
            self._settled[rule.code] = True  # what it takes to find out needs no answer from here
            self._settled[rule.code] = yield from self._identified(inquiry, rule, bound, person)
        return self._settled[rule.code]

    def _someone_else(
        self, inquiry: Inquiry, rule: Rule, bound: Bound, person: BeliefRow
    ) -> Steps[bool]:
        """Whether a call is about another person than the one who speaks."""
        try:
            asked_for = rule.arguments_of({**bound, "log": None, "db": None})
        except Unread as need:
            return not (yield from self._is_own(inquiry, need.row, person))
        except KeyError:
            return False
        rows = [v for v in asked_for.values() if isinstance(v, BeliefRow)]
        return any(row.entity is person.entity and row is not person for row in rows)

    def _is_own(self, inquiry: Inquiry, row: BeliefRow | None, person: BeliefRow) -> Steps[bool]:
        """Whether a row is in the person's own list; where there is none, their word counts."""
        for tool in self.domain.tools.values():
            if row is None or tool.derived != "list" or tool.about is not row.entity:
                continue
            if tool.parameters[0].entity is person.entity:
                rows = yield from inquiry.read(Read(tool, {tool.parameters[0].name: person}))
                if rows is not None:
                    return row in rows
        return True

    def _identified(
        self, inquiry: Inquiry, rule: Rule, bound: Bound, person: BeliefRow
    ) -> Steps[bool]:
        alternatives = self._wanted_by(inquiry, rule, bound)
        if not any(set(a) <= self.facts.keys() for a in alternatives):
            yield from self._ask(alternatives)
        for attributes in alternatives:
            if set(attributes) <= self.facts.keys() and (
                yield from self._true(inquiry, person, attributes)
            ):
                return True
        return False

    def _true(
        self, inquiry: Inquiry, person: BeliefRow, attributes: tuple[str, ...]
    ) -> Steps[bool]:
        for attribute in attributes:
            found = yield from inquiry.settle(partial(getattr, person, attribute))
            if found.known and _folded(plain(found.value)) != _folded(self.facts[attribute]):
                return False
        return True

    def _wanted_by(self, inquiry: Inquiry, rule: Rule, bound: Bound) -> list[tuple[str, ...]]:
        """The sets of attributes any of which identifies the person of a call, in order."""
        beliefs, probe = inquiry.beliefs, _Probe()
        known = {"log": probe, "db": beliefs.db}
        try:
            arguments = rule.arguments_of({**bound, **known})
        except (Unread, KeyError):  # not known whom the call is about: whoever it is
            someone = beliefs.person or beliefs.nameless(self.domain.identity)
            arguments = {name: known.get(name, someone) for name in rule.arguments}
        with suppress(Unread, AttributeError):  # what it asks the log until then counts
            rule.predicate(**arguments)
        return list(dict.fromkeys(probe.alternatives))

    # -- asking ------------------------------------------------------------------------------------

    def _alternatives(self, inquiry: Inquiry) -> list[tuple[str, ...]]:
        """Every set of attributes by which some tool wants a person identified, else by which they
        are found.
        """
        found: list[tuple[str, ...]] = []
        for tool in self.domain.tools.values():
            if tool.identification is not None:
                found += self._wanted_by(inquiry, tool.identification, {})
        if not found:
            found = [(t.parameters[0].name,) for t in self._finders() if t.derived == "find"]
        return list(dict.fromkeys(found))

    def _ask(self, alternatives: list[tuple[str, ...]]) -> Steps[bool]:
        """Ask for what is missing of the alternative that misses least; returns whether it was
        told.
        """
        missing = [
            [a for a in attributes if a not in self.facts]
            for attributes in alternatives
            if not set(attributes) & self._asked
        ]
        best = min(missing, key=len, default=[])
        if not best:
            return False
        self._asked.update(best)
        said = join([f"your {self._says(a)}" for a in best])
        yield Say(f"To find your record, could you please tell me {said}?")
        return any(a in self.facts for a in best)

    def _says(self, attribute: str) -> str:
        info = self.domain.identity._info
        if attribute in ("id", info.pk):
            return f"{info.noun.replace('_', ' ')} number"
        return str(info.columns[attribute].says)

    # -- finding -----------------------------------------------------------------------------------

    def _finders(self) -> list[Tool]:
        identity = self.domain.identity
        return [
            t
            for t in self.domain.tools.values()
            if t.kind == "read" and identity in shown_entities(t)
        ]

    def _look_for(self, inquiry: Inquiry) -> Steps[BeliefRow | None]:
        identity, beliefs = self.domain.identity, inquiry.beliefs
        pk = identity._info.pk
        key = self.facts.get(pk, self.facts.get("id"))
        if key is not None:
            return beliefs.row(identity, str(key))
        for tool in sorted(self._finders(), key=lambda t: t.derived != "find"):
            for bound in self._bindings(tool):
                rows = yield from inquiry.read(Read(tool, bound))
                same = [r for r in rows or () if r.entity is identity and self._fits(r)]
                if len(same) == 1:
                    return same[0]
        return None

    def _bindings(self, tool: Tool) -> Iterator[dict[str, Any]]:
        """The arguments of a read of people that the told facts fill."""
        options = []
        names = [p for p in tool.parameters if p.required]
        for parameter in names:
            column = parameter.like[1] if parameter.like else parameter.name
            if parameter.entity is not None or column not in self.facts:
                return
            options.append([from_plain(str(parameter.type.kind), self.facts[column])])
        if names:
            for values in itertools.product(*options):
                yield dict(zip((p.name for p in names), values, strict=True))

    def _fits(self, row: BeliefRow) -> bool:
        """Whether nothing that was told contradicts a record."""
        known = {name: row._cells.get(name) for name in self.facts if name in row._info.columns}
        return all(
            v is None or _folded(plain(v)) == _folded(self.facts[n]) for n, v in known.items()
        )


class _Probe:
    """Stands for the log in an identification rule and notes which attributes it asks for."""

    def __init__(self) -> None:
        self.alternatives: list[tuple[str, ...]] = []

    def identified(self, person: Any, *attributes: str) -> bool:
        self.alternatives.append(attributes)
        return False

    def __getattr__(self, name: str) -> Any:
        return lambda *args: False


def _folded(value: Any) -> str:
    return str(value).strip().casefold()
