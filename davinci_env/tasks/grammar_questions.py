"""Questions in words: clauses ("when it has to be back") and the questions that they make ("When
does it have to be back?").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..agents.calls import is_are
from ..agents.sets import rows_in_words
from ..domain import Row
from ..planning.goals import Step
from ..state import ColumnInfo, EntityInfo
from .mentions import Also, Mention
from .selections import Selections

if TYPE_CHECKING:
    from .words import Wish

_OF = r"(?:(?:by|until|since|for|on|in|at|from|with|of) )?"
_WHAT = r"(?:what|when|where|why|which|how (?:many|much|often|long|large|high|far|dear|soon))"
_THING = r"(?: (?:day|days|date|time|times|reason|amount|of it|year|branch))?"
_SUBJECT = r"(?P<subject>I|it|they|there|\{it\}|you|my [\w-]+)"
_REST = r" (?P<verb>.+)$"
_FINITE = r"(?:may|can|could|would|will|must|should|is|are|was|were|has|have|had|do|does)"
# What asks, the subject of the clause, its verb with the rest.
_HEAD = re.compile(rf"^(?P<head>{_OF}{_WHAT}{_THING}) {_SUBJECT}{_REST}")
_COUNTED = re.compile(
    rf"^(?P<head>how (?:many|much)(?: (?!{_FINITE}\b)[\w'-]+)+?)"
    rf" (?P<subject>I|it|they|there){_REST}"
)
_WHETHER = re.compile(rf"^(?P<head>whether|if) {_SUBJECT}{_REST}")
# Asks for its own subject: "what has become of it", "how many people are ahead of me".
_OF_SUBJECT = re.compile(
    r"^(?:what|who|which \w+|how many (?!I\b|there\b)\w+)"
    r" (?:is|are|was|were|has|have|will|would|remains) \w"
)
_PARTICLE = re.compile(r"\b(\w+) (back|up|out|off|over|down|away) (it|them)\b")
_DONE = r"\w+(?:ed|en|one|aid|ent|ut)\b"
_AUXILIARY = re.compile(
    r"^(?P<aux>would|will|can|could|may|might|must|should|am|are|is|was|were|has been|have been"
    rf"|has(?= (?:already )?{_DONE})|have(?= (?:already |just )?{_DONE}))(?: (?P<rest>.*))?$"
)
_IRREGULAR = {
    "has": "have", "goes": "go", "does": "do", "is": "be",
    "borrowed": "borrow", "placed": "place", "got": "get", "took": "take", "came": "come",
    "brought": "bring", "returned": "return", "paid": "pay", "bought": "buy", "sent": "send",
    "began": "begin", "made": "make", "ran": "run", "gave": "give", "asked": "ask",
    "booked": "book", "ordered": "order", "joined": "join", "left": "leave", "saw": "see",
    "went": "go", "had": "have", "put": "put", "moved": "move", "cost": "cost", "spent": "spend",
}  # fmt: skip
_PAST = frozenset(
    word for word in _IRREGULAR if word not in ("has", "goes", "does", "is", "put", "cost")
)

LONG = 30
"""Letters of a name that had better stand at the end of a clause."""

ITSELF = ("amount", "total", "price", "sum", "order value")
"""What the column of a sum is called where rows "come to" it."""


@dataclass(frozen=True)
class Ask:
    """A question in words.

    Attributes:
        clause: after "could you tell me": "when my copy of … has to be back".
        direct: the question itself, where the grammar is sure of it: "When does … have to be back?"
        intent: the structured reading.
        mention: how the row that it is about is named, if it is about one.
        knew: the person knew the answer once.
    """

    clause: str
    direct: str = ""
    intent: Mapping[str, Any] | None = None
    mention: Mention | None = None
    knew: bool = False


class Questions(Selections):
    """Words for questions, with the reading of each."""

    def attribute_clause(self, row: Row, column: str, mention: Mention | None = None) -> Ask:
        """Ask for one column of a row: by what the column declares, else "what the … of … is"."""
        spec = row._info.columns[column]
        named = mention or self.named(row, avoid={column})
        name = (named.said or str(row)) + named.addition
        form = f"what the {spec.says} of {{it}} is"
        if spec.asks:
            ending = [text for text in spec.asks if text.endswith("{it}")]
            form = self.rng.choice(ending if ending and len(name) > LONG else spec.asks)
        reading = {"row": self.row_spec(row, named), "column": column}
        return Ask(
            _placed(form.replace("{it}", name)),
            _placed(inverted(form, name, many=named.plural)),
            {"ask": {"attribute": reading}},
            named,
            knew=row._info.owner is not None and spec.kind != "str",
        )

    def count_clause(self, info: EntityInfo, where: Mapping[str, Any], also: Also = ()) -> Ask:
        """Ask how many rows of the person's there are."""
        what = rows_in_words(self.domain, info, where, also)
        when = self.rng.choice(("", "", " at the moment", " right now"))
        clause, direct = self.rng.choice(
            (
                (f"how many {what} I have{when}", f"How many {what} do I have{when}?"),
                (f"how many {what} there are in my name", f"How many {what} are there in my name?"),
                (f"how many {what} you have on record for me", ""),
                (f"how many {what} I've got{when}", f"How many {what} have I got{when}?"),
                (f"how many {what} there are on my account", ""),
            )
        )
        direct = direct or f"How many {what} are there on my account?"
        return Ask(clause, direct, {"ask": {"count": _set(info, where, also)}})

    def sum_clause(
        self, info: EntityInfo, spec: ColumnInfo, where: Mapping[str, Any], also: Also = ()
    ) -> Ask:
        """Ask for the total of a column over rows of the person's."""
        what = rows_in_words(self.domain, info, where, also)
        clause, direct = self.rng.choice(_sums(spec.says, what))
        return Ask(
            clause, direct, {"ask": {"sum": {**_set(info, where, also), "column": spec.attribute}}}
        )

    def tells_clause(self, step: Step, phrase: str) -> tuple[Ask, Wish]:
        """Ask for what a composed read tells; the wish holds the reading of its arguments."""
        wish = self.wish(step, phrase)  # type: ignore[attr-defined]
        return Ask(wish.text, inverted(wish.text, "")), wish


def _sums(says: str, what: str) -> list[tuple[str, str]]:
    """Clauses that ask for a total, with their questions."""
    if says in ITSELF:
        return [
            (f"how much my {what} are in all", f"How much are my {what} in all?"),
            (f"what my {what} come to", f"What do my {what} come to?"),
            (f"what my {what} add up to", f"What do my {what} add up to?"),
            (f"what all my {what} come to together", f"What do all my {what} come to together?"),
            (f"what the total of my {what} is", f"What's the total of my {what}?"),
            (f"how much all my {what} come to", f"How much do all my {what} come to?"),
        ]
    if says == "amount paid":
        return [
            (f"how much I've paid on my {what} in all", f"How much have I paid on my {what}?"),
            (
                f"how much I've paid altogether on my {what}",
                f"How much have I paid altogether on my {what}?",
            ),
            (f"what I've paid so far on my {what}", f"What have I paid so far on my {what}?"),
        ]
    verb = is_are(says)
    return [
        (
            f"what the total {says} of my {what} {verb}",
            f"What {verb} the total {says} of my {what}?",
        ),
        (
            f"how much the {says} of my {what} {verb} in all",
            f"How much {verb} the {says} of all my {what} together?",
        ),
    ]


def _placed(text: str) -> str:
    """A pronoun stands before the particle: "used it up"."""
    return _PARTICLE.sub(r"\1 \3 \2", text)


def _set(info: EntityInfo, where: Mapping[str, Any], also: Also) -> dict[str, Any]:
    found: dict[str, Any] = {"entity": info.name, "where": dict(where), "mine": True}
    if also:
        found["also"] = [list(condition) for condition in also]
    return found


def inverted(clause: str, name: str, *, many: bool = False) -> str:
    """The question that a clause makes; "" where its grammar isn't plain.

    Args:
        clause: with `{it}` for the row that it is about, or about "I", "it", "there".
        name: what stands for `{it}`.
    """
    text = ""
    if _OF_SUBJECT.match(clause):
        text = f"{clause}?"
    elif match := _WHETHER.match(clause) or _HEAD.match(clause) or _COUNTED.match(clause):
        verb = _verb_first(match["subject"], match["verb"], many)
        head = "" if match["head"] in ("whether", "if") else f"{match['head']} "
        text = f"{head}{verb}?" if verb is not None else ""
    text = text.replace("{it}", name)
    return text[:1].upper() + text[1:]


def _verb_first(subject: str, verb: str, many: bool) -> str | None:
    """Auxiliary, subject, rest; with "do" where the verb has no auxiliary."""
    found = _AUXILIARY.match(verb)
    if found is not None:
        aux, rest = found["aux"], found["rest"] or ""
        first, _, more = aux.partition(" ")
        return " ".join(part for part in (first, subject, more, rest) if part)
    if subject == "there":
        return None
    word, _, rest = verb.partition(" ")
    if word in ("have", "has") and rest.startswith("to "):
        return f"{_do(subject, many)} {subject} have {rest}"
    if word in _PAST:
        return f"did {subject} {_IRREGULAR[word]} {rest}".strip()
    if (
        subject in ("I", "you", "they")
        and re.fullmatch(r"[a-z]+", word)
        and not word.endswith("ed")
    ):
        return f"do {subject} {verb}"
    single = subject in ("it", "{it}") or subject.startswith("my ")
    if single and word.endswith("s") and not word.endswith("ss"):
        base = _IRREGULAR.get(word, word[:-1])
        return f"does {subject} {base} {rest}".strip()
    return None


def _do(subject: str, many: bool) -> str:
    return "do" if many or subject in ("I", "you", "they") else "does"
