"""Answers: attributes, counts and sums over what was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..domain import Domain
from ..state import Entity, EntityInfo
from .belief import BeliefRow
from .finding import Finder
from .inquiry import Inquiry, Steps
from .news import Answer, Attribute, Counted, Field, Summed
from .topics import Topics
from .understanding import Understanding
from .wanted import Wanted, conditions
from .ways import Read
from .wishes import Wish

UNKNOWN = "I'm sorry, but I can't find out what you asked."


@dataclass(eq=False)
class Question:
    """One question of the reading, with what it is about once that is found."""

    asked: Mapping[str, Any]
    row: BeliefRow | None = None
    wish: Wish | None = None


class Answers:
    """Answers questions from beliefs, looking up what they need."""

    def __init__(
        self,
        domain: Domain,
        inquiry: Inquiry,
        finder: Finder,
        topics: Topics,
        understanding: Understanding,
    ) -> None:
        self.domain, self.inquiry, self.finder = domain, inquiry, finder
        self.topics, self.understanding = topics, understanding

    def prepare(self, question: Question, last: bool = False) -> Steps[None]:
        """Find what a question is about, before what describes it may change."""
        asked = question.asked
        if "attribute" in asked and question.row is None:
            found = yield from self.understanding.locate(asked["attribute"]["row"])
            if len(found) > 1:  # which it is shows before what describes it changes
                found = self._spoken_of(found) or ([] if last else found)
            question.row = found[0] if len(found) == 1 else None
            self.topics.note(*found[:1])
        elif "field" in asked:
            if question.wish is None:
                field = asked["field"]
                question.wish = Wish(self.domain.tools[field["tool"]], dict(field["arguments"]))
            yield from self._bind(question.wish, last)

    def _spoken_of(self, found: Sequence[BeliefRow]) -> list[BeliefRow]:
        """Of several rows that a description fits, the one that the conversation came to last."""
        entity = found[0].entity
        return [row for row in self.topics.earlier(entity) if row in found][:1]

    def _bind(self, wish: Wish, last: bool) -> Steps[None]:
        if wish.bound is None and wish.is_open:
            yield from self.understanding.bind(wish, last)
            self.topics.note_call(wish.arguments)

    def answer(self, question: Question) -> Steps[Answer | None]:
        """What a question asks for, as things are now; None where that can't be found out."""
        asked = question.asked
        yield from self.prepare(question, last=True)
        if "attribute" in asked:
            if question.row is None:
                return None
            return (yield from self._attribute(question.row, asked["attribute"]["column"]))
        if "field" in asked:
            assert question.wish is not None
            return (yield from self._field(question.wish, asked["field"]))
        if "count" in asked:
            return (yield from self._count(asked["count"]))
        return (yield from self._sum(asked["sum"]))

    def _field(self, wish: Wish, asked: Mapping[str, Any]) -> Steps[Answer | None]:
        """What one composed read tells."""
        tool, name, bound = wish.tool, asked["field"], wish.bound
        if bound is None or not (yield from self.inquiry.permit(tool, bound)):
            return None
        if (yield from self.inquiry.read(Read(tool, bound))) is None:
            return None
        result = self.inquiry.told(tool, bound)
        value = tool.shape.values(result.content).get(name) if result is not None else None
        if value is None:
            return None
        kind = str(tool.shape.kinds()[name].kind)
        return Field(tool, bound, asked["clause"], kind, value)

    def _attribute(self, row: BeliefRow, column: str) -> Steps[Answer | None]:
        yield from self.inquiry.see(row)
        value = yield from self.inquiry.settle(lambda: getattr(row, column))
        return None if value.value is None else Attribute(row, column, value.value)

    def _count(self, asked: Mapping[str, Any]) -> Steps[Answer | None]:
        rows = yield from self._rows(asked)
        if rows is None:
            return None
        info = self.domain.entities[asked["entity"]]._info
        return Counted(info, asked["where"], asked.get("also", ()), len(rows))

    def _sum(self, asked: Mapping[str, Any]) -> Steps[Answer | None]:
        rows = yield from self._rows(asked)
        info = self.domain.entities[asked["entity"]]._info
        spec = info.columns[asked["column"]]
        total = yield from self.inquiry.settle(
            lambda: sum(getattr(row, spec.attribute) or 0 for row in rows or ())
        )
        if rows is None or total.value is None:
            return None
        return Summed(info, spec, asked["where"], asked.get("also", ()), total.value)

    def _rows(self, asked: Mapping[str, Any]) -> Steps[list[BeliefRow] | None]:
        """The rows of a set: the person's own, or nobody's."""
        entity = self.domain.entities[asked["entity"]]
        where = tuple((str(path), "=", value) for path, value in asked["where"].items())
        also = conditions(asked.get("also", ()))
        mine = bool(asked.get("mine"))
        rows = yield from self._all(entity, mine)
        wanted = Wanted(entity, mine=mine, where=(*where, *also))
        chosen = []
        for row in rows or ():
            fits = yield from self.inquiry.settle(partial(wanted.described_by, row))
            if not fits.known:
                return None
            chosen += [row] if fits.value else []
        return None if rows is None else chosen

    def _all(self, entity: Entity, mine: bool) -> Steps[list[BeliefRow] | None]:
        """All rows of an entity that belong to the person, or to nobody."""
        info: EntityInfo = entity._info
        reference = None if info.owner is None else info.refs[info.owner]
        if mine and reference is not None and reference.target._info.identity:
            person = yield from self.inquiry.person(reference.target)
            if person is None:
                return None
            back = reference.back
            found = yield from self.inquiry.settle(lambda: list(getattr(person, back)))
            return found.value
        return (yield from self.finder.find(Wanted(entity, mine=mine), whole=True))
