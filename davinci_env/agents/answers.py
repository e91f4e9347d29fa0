"""Answers: attributes, counts and sums over what was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..domain import Domain
from ..state import EntityInfo, plain
from . import phrases
from .belief import BeliefRow
from .finding import Finder, Wanted
from .inquiry import Inquiry, Steps
from .understanding import Understanding
from .wishes import Wish

UNKNOWN = "I'm sorry, but I can't find out what you asked."


@dataclass
class Question:
    """One question of the reading, with what it is about once that is found."""

    asked: Mapping[str, Any]
    row: BeliefRow | None = None
    wish: Wish | None = None


class Answers:
    """Answers questions from beliefs, looking up what they need."""

    def __init__(
        self, domain: Domain, inquiry: Inquiry, finder: Finder, understanding: Understanding
    ) -> None:
        self.domain, self.inquiry, self.finder = domain, inquiry, finder
        self.understanding = understanding

    def prepare(self, question: Question) -> Steps[None]:
        """Find what a question is about, before what describes it may change."""
        asked = question.asked
        if "attribute" in asked and question.row is None:
            row = asked["attribute"]["row"]
            entity = self.domain.entities[row["entity"]]
            wanted = Wanted(entity, dict(row["fields"]), row.get("id"), bool(row.get("mine")))
            found = yield from self.finder.find(wanted)
            question.row = found[0] if len(found) == 1 else None
        elif "field" in asked and question.wish is None:
            field = asked["field"]
            question.wish = Wish(self.domain.tools[field["tool"]], dict(field["arguments"]))
            yield from self.understanding.bind(question.wish, last=False)

    def answer(self, question: Question) -> Steps[str]:
        """The sentence that answers a question, as things are now."""
        asked = question.asked
        yield from self.prepare(question)
        if "attribute" in asked:
            if question.row is None:
                return UNKNOWN
            return (yield from self._attribute(question.row, asked["attribute"]["column"]))
        if "field" in asked:
            assert question.wish is not None
            return (yield from self._field(question.wish, asked["field"]))
        if "count" in asked:
            return (yield from self._count(asked["count"]))
        return (yield from self._sum(asked["sum"]))

    def _field(self, wish: Wish, asked: Mapping[str, Any]) -> Steps[str]:
        """What one composed read tells."""
        tool, name = wish.tool, asked["field"]
        if wish.bound is None:
            yield from self.understanding.bind(wish, last=True)
        if wish.bound is None:
            return wish.said or UNKNOWN
        bound = wish.bound
        if not (yield from self.inquiry.permit(tool, bound)):
            return UNKNOWN
        result = yield from self.inquiry.call(tool, bound)
        value = tool.shape.values(result.content).get(name) if result.ok else None
        clause = yield from self.inquiry.settle(
            lambda: phrases.fill_clause(self.domain, tool, bound, asked["clause"])
        )
        if value is None or clause.value is None:
            return UNKNOWN
        kind = str(tool.shape.kinds()[name].kind)
        return phrases.answer_clause(self.domain, clause.value, kind, value)

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
