"""Introductions: finding out whom one talks to, and whether they have identified themselves as the
policy demands.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from ..domain import Domain, Parameter, Rule, Tool
from ..state import Entity, plain
from .belief import BeliefRow, Unread
from .inquiry import Inquiry, Steps
from .protocol import Say
from .speech import join, own_name
from .talking import Talking
from .wanted import from_plain
from .ways import Bound, Read, shown_entities


class Introductions:
    """Knows the customer and what they told of themselves.

    Args:
        facts: what the customer told, by name; filled by the conversation while this object looks
            on.
    """

    def __init__(self, domain: Domain, facts: Mapping[str, Any], talking: Talking) -> None:
        self.domain, self.facts, self.talking = domain, facts, talking
        self._settled: dict[str, bool] = {}
        self._asked: set[str] = set()
        self._doubted: set[str] = set()
        self._led_nowhere: list[str] = []
        self._meeting: set[Entity] = set()

    def meet(self, inquiry: Inquiry, entity: Entity) -> Steps[BeliefRow | None]:
        """Find the customer's own record from what they told, asking if that is not enough.

        Args:
            entity: of people, in the domain that is to know them.
        """
        if entity in self._meeting:
            return None
        self._meeting.add(entity)
        try:
            return (yield from self._meet(inquiry, entity))
        finally:
            self._meeting.discard(entity)

    def _meet(self, inquiry: Inquiry, entity: Entity) -> Steps[BeliefRow | None]:
        beliefs = inquiry.beliefs
        while entity not in beliefs.persons:
            found = yield from self._look_for(inquiry, entity)
            if found is not None:
                beliefs.persons[entity] = found
            elif not (
                self._led_nowhere and (yield from self._doubt(self._led_nowhere, entity))
            ) and not (yield from self._ask(self._alternatives(inquiry, entity), entity)):
                beliefs.strangers.add(entity)
                return None
        return beliefs.persons[entity]

    def permits(self, inquiry: Inquiry, tool: Tool, bound: Bound) -> Steps[bool]:
        """Whether a tool that demands identification may be called for these rows."""
        rule = tool.identification
        if rule is None:
            return True
        person = yield from inquiry.person(self.domain.identity_of(tool))
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
        alternatives = self._wanted_by(inquiry, rule, bound, person.entity)
        if not any(set(a) <= self.facts.keys() for a in alternatives):
            yield from self._ask(alternatives, person.entity)
        wrong = yield from self._wrong(inquiry, person, alternatives)
        if wrong and (yield from self._doubt(wrong, person.entity)):
            wrong = yield from self._wrong(inquiry, person, alternatives)
        return wrong is not None and not wrong

    def _wrong(
        self, inquiry: Inquiry, person: BeliefRow, alternatives: Sequence[tuple[str, ...]]
    ) -> Steps[list[str] | None]:
        """The attributes that were told otherwise than they are on record: [] where one
        alternative was told right, None where none was told in full.
        """
        wrong: list[str] | None = None
        for attributes in alternatives:
            if not set(attributes) <= self.facts.keys():
                continue
            differing = yield from self._differing(inquiry, person, attributes)
            if not differing:
                return []
            wrong = wrong or differing
        return wrong

    def _differing(
        self, inquiry: Inquiry, person: BeliefRow, attributes: tuple[str, ...]
    ) -> Steps[list[str]]:
        differing = []
        for attribute in attributes:
            found = yield from inquiry.settle(partial(getattr, person, attribute))
            if found.known and _folded(plain(found.value)) != _folded(self.facts[attribute]):
                differing.append(attribute)
        return differing

    def _wanted_by(
        self, inquiry: Inquiry, rule: Rule, bound: Bound, entity: Entity
    ) -> list[tuple[str, ...]]:
        """The sets of attributes any of which identifies the person of a call, in order."""
        beliefs, probe = inquiry.beliefs, _Probe()
        known = {"log": probe, "db": beliefs.db}
        try:
            arguments = rule.arguments_of({**bound, **known})
        except (Unread, KeyError):  # not known whom the call is about: whoever it is
            someone = beliefs.persons.get(entity) or beliefs.nameless(entity)
            arguments = {name: known.get(name, someone) for name in rule.arguments}
        with suppress(Unread, AttributeError):  # what it asks the log until then counts
            rule.predicate(**arguments)
        return list(dict.fromkeys(probe.alternatives))

    # -- asking ------------------------------------------------------------------------------------

    def _alternatives(self, inquiry: Inquiry, entity: Entity) -> list[tuple[str, ...]]:
        """Every set of attributes by which some tool wants a person identified, else by which they
        are found.
        """
        found: list[tuple[str, ...]] = []
        for tool in self.domain.tools.values():
            if tool.identification is not None and self.domain.identity_of(tool) is entity:
                found += self._wanted_by(inquiry, tool.identification, {}, entity)
        if not found:
            finders = self._finders(entity)
            found = [(t.parameters[0].name,) for t in finders if t.derived == "find"]
        return list(dict.fromkeys(found))

    def _ask(self, alternatives: list[tuple[str, ...]], entity: Entity) -> Steps[bool]:
        """Ask for what is missing of the alternative that misses least; returns whether it was
        told.
        """
        missing = [[a for a in attributes if a not in self.facts] for attributes in alternatives]
        unasked = [attributes for attributes in missing if not self._asked.intersection(attributes)]
        best = min(unasked, key=len, default=[])
        if not best:
            return False
        self._asked.update(best)
        yield from self._ask_for(best, entity, again=False)
        return any(a in self.facts for a in best)

    def _doubt(self, attributes: Sequence[str], entity: Entity) -> Steps[bool]:
        """Ask once more for what led nowhere; returns whether something else was told."""
        doubted = [a for a in attributes if a not in self._doubted]
        if not doubted:
            return False
        self._doubted.update(doubted)
        before = dict(self.facts)
        yield from self._ask_for(doubted, entity, again=True)
        if before == dict(self.facts):
            said = join([f"your {own_name(entity, a)}" for a in doubted])
            yield Say(f"I can't find a record with that. Could there be a typo in {said}?")
        return before != dict(self.facts)

    def _ask_for(self, attributes: Sequence[str], entity: Entity, *, again: bool) -> Steps[None]:
        yield Say((yield from self.talking.identity(entity, attributes, again=again)))

    # -- finding -----------------------------------------------------------------------------------

    def _finders(self, entity: Entity) -> list[Tool]:
        return [
            t
            for t in self.domain.tools.values()
            if t.kind == "read" and entity in shown_entities(t)
        ]

    def _look_for(self, inquiry: Inquiry, identity: Entity) -> Steps[BeliefRow | None]:
        """The person's record, by what they told. What led nowhere is noted."""
        pk, self._led_nowhere = identity._info.pk, []
        key = self.facts.get(pk, self.facts.get("id"))
        if key is not None:
            return (yield from self._by_key(inquiry, identity, str(key)))
        for tool in sorted(self._finders(identity), key=lambda t: t.derived != "find"):
            for bound in self._bindings(tool):
                rows = yield from inquiry.read(Read(tool, bound))
                people = [r for r in rows or () if r.entity is identity]
                same = [r for r in people if not self._contradicted(r)]
                if len(same) == 1:
                    return same[0]
                told = [c for c in map(_column, tool.parameters) if c in self.facts]
                self._led_nowhere += self._contradicted(people[0]) if len(people) == 1 else told
        return None

    def _by_key(self, inquiry: Inquiry, entity: Entity, key: str) -> Steps[BeliefRow | None]:
        """The person of a number that was told, unless there is none."""
        person = inquiry.beliefs.row(entity, key)
        inquiry.beliefs.persons[entity] = person  # whose record is opened to see if there is one
        yield from inquiry.check(person)
        del inquiry.beliefs.persons[entity]
        if inquiry.is_absent(person):
            self._led_nowhere = [a for a in (person._info.pk, "id") if a in self.facts]
            return None
        return person

    def _bindings(self, tool: Tool) -> Iterator[dict[str, Any]]:
        """The arguments of a read of people that the told facts fill."""
        options = []
        names = [p for p in tool.parameters if p.required]
        for parameter in names:
            column = _column(parameter)
            if parameter.entity is not None or column not in self.facts:
                return
            options.append([from_plain(str(parameter.type.kind), self.facts[column])])
        if names:
            for values in itertools.product(*options):
                yield dict(zip((p.name for p in names), values, strict=True))

    def _contradicted(self, row: BeliefRow) -> list[str]:
        """What was told otherwise than a record has it."""
        known = {name: row._cells.get(name) for name in self.facts if name in row._info.columns}
        return [
            n
            for n, v in known.items()
            if v is not None and _folded(plain(v)) != _folded(self.facts[n])
        ]


class _Probe:
    """Stands for the log in an identification rule and notes which attributes it asks for."""

    def __init__(self) -> None:
        self.alternatives: list[tuple[str, ...]] = []

    def identified(self, person: Any, *attributes: str) -> bool:
        self.alternatives.append(attributes)
        return False

    def __getattr__(self, name: str) -> Any:
        return lambda *args: False


def _column(parameter: Parameter) -> str:
    """The column of a person that an argument is a value of."""
    return parameter.like[1] if parameter.like else parameter.name


def _folded(value: Any) -> str:
    return str(value).strip().casefold()
