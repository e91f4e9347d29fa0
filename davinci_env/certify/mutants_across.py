"""Mutants of scripts that lead from one domain to another: half of it, another source, another
domain, another order.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..agents.inquiry import python_value
from ..compose import Composition
from ..domain import Tool
from ..environment import DomainEnvironment, Event
from ..planning import Survey, wire_arguments
from .scripts import Do, Script

MEASURED = frozenset(("date", "datetime", "time", "money", "minutes"))
"""Kinds of values that mean the same wherever they stand."""


@dataclass(frozen=True)
class Mutant:
    """A script with one thing wrong, and the operator that did it."""

    operator: str
    script: Script


class Across:
    """The operators that a mutator has where domains are joined."""

    golden: Script
    environment: DomainEnvironment
    rng: random.Random
    survey: Survey
    tools: dict[str, Tool]
    writes: list[int]
    _changed: Callable[[int, str, Any], Script]
    _edit: Callable[..., Script]
    _confirm: Callable[[Do], Event]
    _arguments: Callable[[bool], Iterator[Any]]
    _sample: Callable[[list[Any], int], list[Any]]

    def _one_half(self) -> Iterator[Mutant]:
        """Of what is done in several domains, one domain's half is left out, or all but it."""
        homes = dict.fromkeys(self._home(index) for index in self.writes)
        if len(homes) < 2:
            return
        for home in homes:
            for left_out in (True, False):
                gone = {i for i in self.writes if (self._home(i) == home) is left_out}
                kept = [e for i, e in enumerate(self.golden.entries) if i not in gone]
                yield Mutant("one-half", replace(self.golden, entries=tuple(kept)))

    def _home(self, index: int) -> str:
        call = self.golden.entries[index]
        assert isinstance(call, Do)
        return self.tools[call.tool].home

    def _other_source(self) -> Iterator[Mutant]:
        """A value that comes from a record of another domain is taken from a like one of it."""
        domain = self.environment.domain
        for transfer in domain.transfers if isinstance(domain, Composition) else ():
            for index, tool, parameter in self._arguments(False):
                if (tool.name, parameter.name) != (transfer.tool, transfer.argument):
                    continue
                codec = tool.dialect.codec(str(parameter.type.kind))
                rows = self.survey.rows(transfer.source)
                values = {transfer.value_of(row) for row in rows} - {None}
                for value in self._sample(sorted(values, key=str), 4):
                    wire = codec.show(value) if codec.show else value
                    yield Mutant("other-source", self._changed(index, parameter.wire, wire))

    def _other_domain(self) -> Iterator[Mutant]:
        """The right value in a record of the wrong domain: instead of a write, one of another
        domain with the same value of the same kind.
        """
        if not self.environment.domain.homes:
            return
        for index, tool, parameter in self._arguments(False):
            call = self.golden.entries[index]
            assert isinstance(call, Do)
            if parameter.type.kind not in MEASURED or parameter.type.many:
                continue
            value = python_value(tool, parameter, call.arguments[parameter.wire])
            for other in self.survey.writes():
                like = next(
                    (p for p in other.parameters if p.type.kind == parameter.type.kind), None
                )
                if other.home == tool.home or like is None or like.type.many:
                    continue
                bindings = self.survey.bindings(other, {like.name: value}, carried={like.name})
                found = next((b for b in itertools.islice(bindings, 20) if not b.blocked), None)
                if found is not None:
                    wrong = Do(other.name, wire_arguments(other, found.values))
                    entries = (self._confirm(wrong), wrong)
                    yield Mutant("other-domain", self._edit(index, *entries))

    def _across(self) -> Iterator[Mutant]:
        """Two writes of different domains in the wrong order."""
        for a, b in itertools.combinations(self.writes, 2):
            if self._home(a) != self._home(b):
                entries = list(self.golden.entries)
                entries[a], entries[b] = entries[b], entries[a]
                yield Mutant("across", replace(self.golden, entries=tuple(entries)))
