"""Understanding: from the reading of a message to calls with rows and values.

What is missing is asked for. A wish whose row or fact stays unknown is given up with the reason.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ..domain import Domain, Parameter, Tool
from . import phrases
from .belief import BeliefRow
from .finding import Finder, Wanted
from .inquiry import Inquiry, Steps, python_value
from .protocol import Say
from .speech import says
from .wishes import Wish, in_state


class Understanding:
    """Finds out what wishes are about.

    Args:
        facts: what the person told, by name.
        rng: chooses among wordings of questions.
    """

    def __init__(
        self,
        domain: Domain,
        inquiry: Inquiry,
        finder: Finder,
        facts: Mapping[str, Any],
        rng: random.Random,
    ) -> None:
        self.domain, self.inquiry, self.finder = domain, inquiry, finder
        self.facts, self.rng = facts, rng
        self._meant: dict[str, BeliefRow] = {}

    def ask_missing(self, wish: Wish) -> Steps[None]:
        """Ask for what the request left out."""
        specs = dict(wish.specs)
        for parameter in wish.tool.parameters:
            spec = specs.get(parameter.wire)
            fact = parameter.wire if spec is None else spec.get("missing")
            if parameter.implicit or fact is None or (spec is None and not parameter.required):
                continue
            for _ in range(2):
                if fact not in self.facts:
                    yield Say(phrases.question(wish.tool, parameter, self.rng))
            if fact in self.facts:
                specs[parameter.wire] = self.facts[fact]
            else:
                wish.give_up(f"without knowing the {says(wish.tool, parameter)}")
        wish.specs = specs

    def bind(self, wish: Wish, last: bool) -> Steps[None]:
        """Find the rows that a wish is about.

        Args:
            last: nothing that may bring them about is still to be done; else it is no use asking.
        """
        bound: dict[str, Any] = {}
        for parameter in wish.tool.parameters:
            spec = wish.specs.get(parameter.wire)
            if parameter.implicit:
                bound[parameter.name] = self.inquiry.beliefs.person
            elif spec is None:
                bound[parameter.name] = parameter.default
            elif "value" in spec:
                bound[parameter.name] = python_value(wish.tool, parameter, spec["value"])
            else:
                rows = yield from self._rows(wish, parameter, spec, last)
                if rows is None:
                    return
                bound[parameter.name] = rows if parameter.type.many else rows[0]
        wish.bound = bound

    def _rows(
        self, wish: Wish, parameter: Parameter, spec: Mapping[str, Any], last: bool
    ) -> Steps[list[BeliefRow] | None]:
        chosen: list[BeliefRow] = []
        for said in spec["rows"] if "rows" in spec else [spec["row"]]:
            found = yield from self._one_row(wish, parameter, said, last, chosen)
            if found is None:
                return None
            chosen.append(found)
        return chosen

    def _one_row(
        self,
        wish: Wish,
        parameter: Parameter,
        said: Mapping[str, Any],
        last: bool,
        taken: Sequence[BeliefRow],
    ) -> Steps[BeliefRow | None]:
        """The row that was spoken of; which of several is asked once."""
        noun = says(wish.tool, parameter)
        for asked in (False, True):
            wanted = self._wanted(wish.tool, parameter, said)
            found = [r for r in (yield from self.finder.find(wanted)) if r not in taken]
            fitting = yield from self._fitting(wish.tool, parameter, found)
            meant = self._meant.get(repr(said))
            if len(fitting or found) == 1:
                meant = (fitting or found)[0]
            if meant is not None and meant not in taken:  # the same words mean the same row
                self._meant[repr(said)] = meant
                return meant
            if not found and last:
                wish.give_up(f"because I can't find the {noun} that you mean")
            if not found or not last or asked:
                break
            yield Say(phrases.question(wish.tool, parameter, self.rng))
            told = self.facts.get(parameter.wire)
            said = told.get("row", said) if isinstance(told, Mapping) else said
        if found and last:
            wish.give_up(f"because I can't tell which {noun} you mean")
        return None

    def _wanted(self, tool: Tool, parameter: Parameter, said: Mapping[str, Any]) -> Wanted:
        states = {
            c.path.partition(".")[2]: c.states
            for c in tool.preconditions
            if c.path.split(".")[0] == parameter.name
        }
        entity = self.domain.entities[said["entity"]]
        return Wanted(entity, dict(said["fields"]), said.get("id"), bool(said.get("mine")), states)

    def _fitting(
        self, tool: Tool, parameter: Parameter, rows: Sequence[BeliefRow]
    ) -> Steps[list[BeliefRow]]:
        """The rows in a state that the tool accepts."""
        conditions = [c for c in tool.preconditions if c.path.split(".")[0] == parameter.name]
        if not conditions or parameter.type.many or len(rows) < 2:
            return list(rows)
        out = []
        for row in rows:
            context = {parameter.name: row}
            fits = True
            for condition in conditions:
                found = yield from self.inquiry.settle(partial(in_state, condition, context))
                fits = fits and found.value is not False
            if fits:
                out.append(row)
        return out
