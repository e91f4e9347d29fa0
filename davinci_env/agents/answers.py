"""Answers: attributes, counts and sums over what was read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..domain import Domain
from ..state import EntityInfo, plain
from . import phrases
from .belief import BeliefRow
from .finding import Finder, Wanted
from .inquiry import Inquiry, Steps

UNKNOWN = "I'm sorry, but I can't find out what you asked."


class Answers:
    """Answers questions from beliefs, looking up what they need."""

    def __init__(self, domain: Domain, inquiry: Inquiry, finder: Finder) -> None:
        self.domain, self.inquiry, self.finder = domain, inquiry, finder

    def prepare(self, question: Mapping[str, Any]) -> Steps[BeliefRow | None]:
        """The row that a question is about, found before what describes it may change."""
        if "attribute" not in question:
            return None
        row = question["attribute"]["row"]
        entity = self.domain.entities[row["entity"]]
        wanted = Wanted(entity, dict(row["fields"]), row.get("id"), bool(row.get("mine")))
        found = yield from self.finder.find(wanted)
        return found[0] if len(found) == 1 else None

    def answer(self, question: Mapping[str, Any], row: BeliefRow | None) -> Steps[str]:
        """The sentence that answers a question, about the row that was found for it."""
        if "attribute" in question:
            if row is None:
                row = yield from self.prepare(question)
            if row is None:
                return UNKNOWN
            return (yield from self._attribute(row, question["attribute"]["column"]))
        if "count" in question:
            return (yield from self._count(question["count"]))
        return (yield from self._sum(question["sum"]))

    def _attribute(self, row: BeliefRow, column: str) -> Steps[str]:
        yield from self.inquiry.see(row)
        value = yield from self.inquiry.settle(lambda: getattr(row, column))
        called = yield from self.inquiry.settle(lambda: phrases.with_id(row))
        if value.value is None or called.value is None:
            return UNKNOWN
        spec = row._info.columns[column]
        return phrases.answer_attribute(self.domain, called.value, spec, value.value)

    def _count(self, asked: Mapping[str, Any]) -> Steps[str]:
        rows = yield from self._rows(asked)
        if rows is None:
            return UNKNOWN
        info = self.domain.entities[asked["entity"]]._info
        return phrases.answer_count(phrases.what_rows(info, asked["where"]), len(rows))

    def _sum(self, asked: Mapping[str, Any]) -> Steps[str]:
        rows = yield from self._rows(asked)
        info = self.domain.entities[asked["entity"]]._info
        spec = info.columns[asked["column"]]
        total = yield from self.inquiry.settle(
            lambda: sum(getattr(row, spec.attribute) or 0 for row in rows or ())
        )
        if rows is None or total.value is None:
            return UNKNOWN
        what = phrases.what_rows(info, asked["where"])
        return phrases.answer_sum(self.domain, spec, what, total.value)

    def _rows(self, asked: Mapping[str, Any]) -> Steps[list[BeliefRow] | None]:
        """The person's own rows that satisfy plain conditions."""
        info: EntityInfo = self.domain.entities[asked["entity"]]._info
        person = self.inquiry.beliefs.person
        if person is None or info.owner is None:
            return None
        back = info.refs[info.owner].back

        def chosen() -> list[BeliefRow]:
            return [
                row
                for row in getattr(person, back)
                if all(plain(getattr(row, c)) == v for c, v in asked["where"].items())
            ]

        found = yield from self.inquiry.settle(chosen)
        return found.value
