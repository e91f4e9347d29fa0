"""Answers in words: attributes, counts, totals, and what composed reads tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..domain import Domain
from ..state import ColumnInfo
from ..verify.answers import SlotSpec, SlotVerdict, judge_answer
from .calls import is_are
from .clauses import answer_to
from .news import Answer, Attribute, Counted, Did, Field, News, Summed
from .outcomes import ResultWords
from .referents import PLACE, Referents, second_person, tidy
from .sets import rows_in_words
from .speech import say_near, say_number, say_of

_TYPES = {
    "money": "money",
    "date": "date",
    "datetime": "datetime",
    "minutes": "span",
    "int": "number",
    "float": "number",
    "bool": "yesno",
    "str": "text",
    "time": "text",
}


class AnswerWords:
    """Sentences (without the full stop) that answer questions, over one message's referents."""

    def __init__(self, domain: Domain, referents: Referents) -> None:
        self.domain, self.referents = domain, referents

    def sentences(self, item: Answer) -> list[str]:
        """Ways to answer, the domain's own first."""
        with self.referents.naming_without(kind_of(item)):
            if isinstance(item, Attribute):
                return self._attribute(item)
            if isinstance(item, Counted):
                return self._counted(item)
            if isinstance(item, Summed):
                return self._summed(item)
            return self._field(item)

    def _attribute(self, item: Attribute) -> list[str]:
        spec = item.row._info.columns[item.column]
        said = _under_way(spec, say_of(self.domain, spec, item.value))
        name = self.referents.name(item.row)
        self.referents._move_focus()
        if spec.kind == "bool":
            return [f"{said.capitalize()}: for {name}, {spec.says} is {said}"]
        told = [text.format(it=name, value=said) for text in spec.told]
        own = [tidy(text) for text in told]
        if spec.kind == "int":  # "once" is no figure
            own += [tidy(text, figures=True) for text in told]
        usual = f"the {spec.says} of {name} {is_are(spec.says)} {said}"
        return [*(own or [usual]), f"{said} is the {spec.says} of {name}"]

    def _counted(self, item: Counted) -> list[str]:
        what = second_person(
            rows_in_words(self.domain, item.info, item.where, item.also, item.count)
        )
        number = say_number(item.count)
        there = "is" if item.count == 1 else "are"
        return [
            f"you have {number} {what}",
            f"I count {number} {what} on your account",
            f"there {there} {number} {what} in your name",
            f"in your records I see {number} {what}",
            f"our records show {number} {what} for you",
            f"I can see {number} {what} in your name",
        ]

    def _summed(self, item: Summed) -> list[str]:
        what = second_person(rows_in_words(self.domain, item.info, item.where, item.also))
        total = say_near(self.domain, item.spec.kind, item.total)
        says = item.spec.says
        s = "" if is_are(says) == "are" else "s"
        if says in ("amount", "total", "sum", "price", "order value"):
            return [
                f"your {what} come to {total} in all",
                f"your {what} add up to {total}",
                f"the total of your {what} is {total}",
                f"taken together, your {what} come to {total}",
                f"all your {what} together come to {total}",
            ]
        if says == "amount paid":
            return [
                f"you've paid {total} in all on your {what}",
                f"on your {what}, you've paid {total} altogether",
                f"you've paid a total of {total} on your {what}",
            ]
        return [
            f"the total {says} of your {what} {is_are(says)} {total}",
            f"for your {what}, the {says} add{s} up to {total}",
            f"the {says} of all your {what} together come{s} to {total}",
            f"the {says} of your {what} amount{s} to {total} altogether",
        ]

    def _field(self, item: Field) -> list[str]:
        said = say_near(self.domain, item.kind, item.value)
        if item.kind == "int":
            said = say_number(item.value)
        clause = self.referents.fill(
            second_person(item.clause),
            lambda path, quoted: self.referents.place(item.tool, item.values, path, quoted),
        )
        return answer_to(clause, said, item.value)


def _under_way(spec: ColumnInfo, said: str) -> str:
    """A state that is going on: what is "exchanging" and then "exchanged" is "being exchanged"."""
    done = f"{said.removesuffix('ing')}ed"
    return f"being {done}" if said.endswith("ing") and done in spec.choices else said


def conveyed(domain: Domain, text: str, item: Answer, news: Sequence[News]) -> bool:
    """Whether the answer checker finds an answer in a message that tells all these news."""
    kind, value, cues = _slot(domain, item)
    if value is None:
        return True
    spec = SlotSpec("it", kind, value, _rivals(domain, item, news, kind), cues)
    if kind == "enum":
        info = item.row._info if isinstance(item, Attribute) else None
        choices = info.columns[item.column].choices if info and isinstance(item, Attribute) else ()
        spec = SlotSpec("it", kind, value, (), cues, [str(c) for c in choices])

    def judged(said: str, slot: SlotSpec) -> SlotVerdict:
        return judge_answer(said, [slot], today=domain.now.date(), now=domain.now)[0]

    verdict = judged(text, spec)
    if not verdict.passed or kind == "enum":
        return verdict.passed
    # what stands beside the answer in its sentence must not be taken for it either
    beside = [v for v in judged(verdict.evidence, spec).found if v not in verdict.expected]
    return judged(text, replace(spec, decoys=[*spec.decoys, *beside])).passed


def kind_of(item: Answer) -> str:
    """The kind of the value that an answer tells."""
    if isinstance(item, Attribute):
        return str(item.row._info.columns[item.column].kind)
    if isinstance(item, Counted):
        return "int"
    return item.spec.kind if isinstance(item, Summed) else item.kind


def _slot(domain: Domain, item: Answer) -> tuple[str, Any, list[str]]:
    if isinstance(item, Attribute):
        spec = item.row._info.columns[item.column]
        label = str(item.row)
        kind = "enum" if spec.choices and spec.kind == "str" else _TYPES[spec.kind]
        return kind, item.value, [spec.says, label[:1].upper() + label[1:]]
    if isinstance(item, Counted):
        return "number", item.count, ["number", rows_in_words(domain, item.info, item.where)]
    if isinstance(item, Summed):
        what = rows_in_words(domain, item.info, item.where)
        return _TYPES[item.spec.kind], item.total, [item.spec.says, what]
    name = PLACE.sub("", item.clause)
    return _TYPES[item.kind], item.value, [second_person(name)]


def _rivals(domain: Domain, item: Answer, news: Sequence[News], kind: str) -> list[Any]:
    """The values of the same type that the rest of the message tells or may tell."""
    others = [
        o for o in news if o is not item and isinstance(o, Attribute | Counted | Summed | Field)
    ]
    found = [_slot(domain, other) for other in others]
    own = _slot(domain, item)[1]
    rivals = [value for k, value, _ in found if k == kind]
    for done in (n for n in news if isinstance(n, Did) and n.result):
        told = ResultWords(domain, done.tool, done.result)
        rivals += [
            told.value(name)
            for name, k in told.kinds.items()
            if _TYPES[k] == kind and told.value(name) is not None
        ]
    return [value for value in dict.fromkeys(rivals) if value != own]
