"""Understanding: from the reading of a message to calls with rows and values.

What is missing is asked for. A wish whose row or fact stays unknown is given up with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import time
from functools import partial
from typing import Any

from ..compose import Composition
from ..compose.transfers import carried
from ..domain import Domain, Parameter, Tool
from ..domain.frames import Moves
from ..state import Entity
from .belief import BeliefRow
from .finding import Finder
from .inquiry import Inquiry, Steps, python_value
from .protocol import Say
from .speech import column_at, plain_at, says
from .talking import Talking
from .topics import Spoken, Topics, is_reference
from .wanted import Wanted, from_plain
from .wishes import Wish, in_state

ASKED = 2
"""How often a missing fact is asked for."""


class Understanding:
    """Finds out what wishes are about.

    Args:
        facts: what the person told, by name.
    """

    def __init__(
        self,
        domain: Domain,
        inquiry: Inquiry,
        finder: Finder,
        topics: Topics,
        facts: Mapping[str, Any],
        talking: Talking,
    ) -> None:
        self.domain, self.inquiry, self.finder, self.topics = domain, inquiry, finder, topics
        self.facts, self.talking = facts, talking
        self._meant: dict[str, BeliefRow] = {}
        self._moved: dict[BeliefRow, tuple[str, ...]] = {}
        self._near: list[BeliefRow] = []
        topics.find = self._spoken_of

    # -- what was left out -------------------------------------------------------------------------

    def ask_missing(self, wish: Wish) -> Steps[None]:
        """Ask for what the request left out."""
        specs = dict(wish.specs)
        for parameter in wish.tool.parameters:
            spec = specs.get(parameter.wire)
            fact = parameter.wire if spec is None else spec.get("missing")
            if parameter.implicit or fact is None or (spec is None and not parameter.required):
                continue
            for number in range(ASKED):
                if fact not in self.facts:
                    yield from self._ask(wish.tool, parameter, plainly=number > 0)
            if fact in self.facts:
                specs[parameter.wire] = self.facts[fact]
                wish.asked[parameter.wire] = fact
            else:
                wish.give_up(f"I would need to know the {says(wish.tool, parameter)} for that")
        wish.specs = specs

    def _ask(
        self, tool: Tool, parameter: Parameter, *, plainly: bool, doubt: str = ""
    ) -> Steps[None]:
        """Ask for an argument; `plainly` by its name, where another wording was not understood."""
        question = f"Which {says(tool, parameter)} do you mean?"
        if not plainly:
            question = yield from self.talking.argument(tool, parameter)
        yield Say(f"{doubt} {question}".strip())

    # -- what it is about --------------------------------------------------------------------------

    def spread(self, wish: Wish, last: bool) -> Steps[list[Wish]]:
        """A wish for every row of a kind as one wish for each, in the order of their keys."""
        for parameter in wish.tool.parameters:
            spec = wish.specs.get(parameter.wire)
            if spec is None or "every" not in spec or parameter.type.many:
                continue
            rows = yield from self._every(wish.tool, parameter, spec["every"])
            if not rows:
                if last:
                    wish.give_up(f"I can't find any {_plural(parameter)} like that")
                return [wish]
            return [
                replace(
                    wish, specs={**wish.specs, parameter.wire: {"found": row}}, notes=[],
                    asked=dict(wish.asked), quoted={},
                )
                for row in rows
            ]  # fmt: skip
        return [wish]

    def bind(self, wish: Wish, last: bool) -> Steps[None]:
        """Find the rows that a wish is about.

        Args:
            last: nothing that may bring them about is still to be done; else it is no use asking.
        """
        bound: dict[str, Any] = {}
        self._near = []
        for parameter in wish.tool.parameters:
            spec = wish.specs.get(parameter.wire)
            if parameter.implicit:
                bound[parameter.name] = yield from self.inquiry.person(_entity(parameter))
            elif spec is None:
                bound[parameter.name] = parameter.default
            elif "value" in spec:
                bound[parameter.name] = python_value(wish.tool, parameter, spec["value"])
            elif "of" in spec:
                value = yield from self._carried(wish, parameter, spec, last)
                if value is None:
                    return
                bound[parameter.name] = value
            else:
                rows = yield from self._rows(wish, parameter, spec, last)
                if rows is None:
                    return
                bound[parameter.name] = rows if parameter.type.many else rows[0]
                self._near += rows
        wish.bound = bound

    def as_spoken(self, wish: Wish) -> dict[str, Any]:
        """The arguments of a wish in the terms in which it was put, without looking for a row."""
        said: dict[str, Any] = {}
        for parameter in wish.tool.parameters:
            spec = wish.specs.get(parameter.wire, {})
            if "value" in spec:
                said[parameter.name] = python_value(wish.tool, parameter, spec["value"])
            elif "row" in spec and not is_reference(spec["row"]) and parameter.entity is not None:
                fields = {
                    path: from_plain(column_at(parameter.entity._info, path).kind, value)
                    for path, value in spec["row"]["fields"].items()
                }
                if spec["row"].get("id") is not None:
                    fields[parameter.entity._info.pk] = spec["row"]["id"]
                said[parameter.name] = self.inquiry.beliefs.spoken_of(parameter.entity, fields)
        return said

    def expect(self, wish: Wish) -> None:
        """Reckon with the state in which an open wish will leave its rows."""
        for part in wish.tool.frame:
            if isinstance(part, Moves) and not part.stays and wish.bound is not None:
                row = wish.bound.get(part.path)
                if isinstance(row, BeliefRow):
                    self._moved[row] = part.target

    def settle(self) -> None:
        """Reckon with nothing any more: what was expected has come about, or has not."""
        self._moved.clear()

    def locate(self, said: Mapping[str, Any]) -> Steps[list[BeliefRow]]:
        """The rows that were spoken of by themselves, apart from any wish."""
        entity = self.domain.entities[said["entity"]]
        if is_reference(said):
            return (yield from self.topics.refer(entity, said["ref"]))
        if "partner" in said:
            return (yield from self._partnered(entity, said["partner"]))
        whole = "pick" in said
        found = yield from self.finder.find(Wanted.said(entity, said), whole=whole)
        return (yield from self._picked(said["pick"], found)) if whole else found

    def _carried(
        self, wish: Wish, parameter: Parameter, spec: Mapping[str, Any], last: bool
    ) -> Steps[Any]:
        """The value that stands in a record elsewhere; None where it can't be found."""
        rows = yield from self.locate(spec["of"])
        if len(rows) == 1:
            found = yield from self.inquiry.settle(partial(getattr, rows[0], spec["column"]))
            if found.value is not None:
                self.topics.note(rows[0])
                at = spec.get("at")
                return carried(found.value, None if at is None else time.fromisoformat(at))
        if last:
            wish.give_up(f"I can't find out the {says(wish.tool, parameter)} for that")
        return None

    def _partnered(self, entity: Entity, said: Mapping[str, Any]) -> Steps[list[BeliefRow]]:
        """The row that goes with another one, in another domain."""
        assert isinstance(self.domain, Composition)
        partners = yield from self.locate(said)
        if len(partners) != 1:
            return []
        link = self.domain.link_between(entity, partners[0].entity)
        found = yield from self.inquiry.settle(partial(link.partner, partners[0]))
        return [found.value] if found.value is not None else []

    def _rows(
        self, wish: Wish, parameter: Parameter, spec: Mapping[str, Any], last: bool
    ) -> Steps[list[BeliefRow] | None]:
        if "found" in spec:
            return [spec["found"]]
        if "every" in spec:
            rows = yield from self._every(wish.tool, parameter, spec["every"])
            if not rows and last:
                wish.give_up(f"I can't find any {_plural(parameter)} like that")
            return rows or None
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
        """The row that was spoken of; which of several is asked once, and so is one that was asked
        for and can't be found.
        """
        noun = says(wish.tool, parameter)
        for asked in (False, True):
            found = [
                r for r in (yield from self._meant_by(wish.tool, parameter, said)) if r not in taken
            ]
            meant = found[0] if len(found) == 1 else self._meant.get(repr(said))
            if meant is not None and meant not in taken:
                if "pick" not in said and not is_reference(said):
                    self._meant[repr(said)] = meant  # the same words mean the same row
                return meant
            if not last or asked or not (found or _may_be_mistyped(wish, parameter, said)):
                break
            doubt = "" if found else f"I can't find that {noun}. Is there perhaps a typo?"
            yield from self._ask(wish.tool, parameter, plainly=False, doubt=doubt)
            told = self.facts.get(wish.asked.get(parameter.wire, parameter.wire))
            said = told.get("row", said) if isinstance(told, Mapping) else said
        if last:
            telling = "tell which" if found else "find the"
            wish.give_up(f"I can't {telling} {noun} you mean")
        return None

    def _meant_by(
        self, tool: Tool, parameter: Parameter, said: Mapping[str, Any]
    ) -> Steps[list[BeliefRow]]:
        """The rows that words may mean: those in a state that the tool accepts, if any are."""
        entity = self.domain.entities[said["entity"]]
        if is_reference(said):
            return (yield from self._referred(tool, parameter, entity, said["ref"]))
        if "partner" in said:
            return (yield from self._partnered(entity, said["partner"]))
        wanted = Wanted.said(entity, said, _states(tool, parameter))
        if wanted.key is not None:
            return (yield from self._by_key(wanted))
        found = [] if "pick" in said else (yield from self.finder.near(wanted, self._near))
        if not found:
            found = yield from self.finder.find(wanted, whole="pick" in said)
        fitting = yield from self._fitting(tool, parameter, found)
        if "pick" in said:
            return (yield from self._picked(said["pick"], fitting or found))
        return fitting or found

    def _referred(
        self, tool: Tool, parameter: Parameter, entity: Entity, ref: str
    ) -> Steps[list[BeliefRow]]:
        """The row that "it" means: of those spoken of, the last one that the tool takes, if it
        takes any.
        """
        found = yield from self.topics.refer(entity, ref)
        if ref != "last" or not found or (yield from self._fits(tool, parameter, found[0])):
            return found
        for row in self.topics.earlier(entity):
            if row is not found[0] and (yield from self._fits(tool, parameter, row)):
                return [row]
        return found

    def _spoken_of(self, spoken: Spoken) -> Steps[list[BeliefRow]]:
        return (yield from self._meant_by(spoken.tool, spoken.parameter, spoken.said))

    def _by_key(self, wanted: Wanted) -> Steps[list[BeliefRow]]:
        """The row of a number that was told, unless there is none, or not among the person's."""
        (row,) = yield from self.finder.find(wanted)
        yield from self.inquiry.check(row)
        if self.inquiry.is_absent(row):
            return []
        if wanted.mine and not row._seen and not row._info.identity:
            own = yield from self.finder.find(Wanted(wanted.entity, mine=True), whole=True)
            return [row] if row in own or not own else []
        return [row]

    def _every(
        self, tool: Tool, parameter: Parameter, said: Mapping[str, Any]
    ) -> Steps[list[BeliefRow]]:
        """All rows that were spoken of, and of these the ones in a state that the tool accepts."""
        entity = self.domain.entities[said["entity"]]
        if is_reference(said):
            return (yield from self.topics.refer(entity, said["ref"]))
        wanted = Wanted.said(entity, said, _states(tool, parameter))
        found = yield from self.finder.find(wanted, whole=True)
        fitting = yield from self._fitting(tool, parameter, found)
        return sorted(fitting or found, key=lambda row: row.id)

    def _picked(self, pick: Mapping[str, Any], rows: Sequence[BeliefRow]) -> Steps[list[BeliefRow]]:
        """The row with the least or the most of something."""
        valued: list[tuple[Any, BeliefRow]] = []
        for row in rows:
            found = yield from self.inquiry.settle(partial(plain_at, row, pick["column"]))
            if found.value is not None:
                valued.append((found.value, row))
        if not valued:
            return []
        choose = min if pick["order"] == "least" else max
        return [choose(valued, key=lambda pair: pair[0])[1]]

    def _fitting(
        self, tool: Tool, parameter: Parameter, rows: Sequence[BeliefRow]
    ) -> Steps[list[BeliefRow]]:
        """The rows in a state that the tool accepts, as far as that is known or to be expected."""
        if len(rows) < 2:
            return list(rows)
        out = []
        for row in rows:
            if (yield from self._fits(tool, parameter, row)):
                out.append(row)
        return out

    def _fits(self, tool: Tool, parameter: Parameter, row: BeliefRow) -> Steps[bool]:
        if parameter.type.many:
            return (yield from self._may_move(tool, parameter, row))
        for condition in tool.preconditions:
            if condition.path.split(".")[0] != parameter.name:
                continue
            moved = self._moved.get(row) if condition.path == parameter.name else None
            if moved is not None:
                if condition.states.isdisjoint(moved):
                    return False
                continue
            context = {parameter.name: row}
            found = yield from self.inquiry.settle(partial(in_state, condition, context))
            if found.value is False:
                return False
        return True

    def _may_move(self, tool: Tool, parameter: Parameter, row: BeliefRow) -> Steps[bool]:
        """Whether one of several rows is in a state in which the tool takes it."""
        state = row._info.state_column
        for part in tool.frame:
            if isinstance(part, Moves) and part.path == parameter.name and state is not None:
                found = yield from self.inquiry.settle(partial(getattr, row, state))
                if found.known and found.value not in part.source:
                    return False
        return True


def _states(tool: Tool, parameter: Parameter) -> dict[str, frozenset[str]]:
    """The states that a tool accepts, by the path from an argument's row."""
    return {
        c.path.partition(".")[2]: c.states
        for c in tool.preconditions
        if c.path.split(".")[0] == parameter.name
    }


def _may_be_mistyped(wish: Wish, parameter: Parameter, said: Mapping[str, Any]) -> bool:
    """Whether a row was told by a number, or in answer to a question."""
    return said.get("id") is not None or parameter.wire in wish.asked


def _entity(parameter: Parameter) -> Entity:
    assert parameter.entity is not None
    return parameter.entity


def _plural(parameter: Parameter) -> str:
    assert parameter.entity is not None
    return str(parameter.entity._info.plural).replace("_", " ")
