"""Mentions: where a message says values of a slot's type, and whether these are right or wrong."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from davinci_env.verify.answers import values as v
from davinci_env.verify.answers.finding import Finding, Message
from davinci_env.verify.answers.text import Place
from davinci_env.verify.answers.words import phrase

_TITLES = ("dr ", "mr ", "mrs ", "ms ", "prof ")
_WORDED = ("enum", "name", "text", "id")


@dataclass(slots=True)
class Mention:
    """A value of a slot's type said in the message.

    Attributes:
        readings: what it may mean.
        start, end: its first word and the one after its last.
        right, wrong: whether it is the slot's expected value, one of its decoys.
        by_absence: whether it is a zero said as "no", "nothing", "not … any".
        alien: whether it goes with a label of something else.
        bound: whether it is what some cue of the slot goes with.
    """

    readings: v.Readings
    start: int
    end: int
    right: bool = False
    wrong: bool = False
    by_absence: bool = False
    alien: bool = False
    bound: bool = False


def find_mentions(
    text: Message, type_: str, right: frozenset[v.Value], wrong: frozenset[v.Value]
) -> list[Mention]:
    """All values of a type that the message says, in order; of worded types the known ones."""
    if type_ in _WORDED:
        return _known(text, type_, right, wrong)
    found = []
    for f in _findings(text, type_, 0 in right or 0 in wrong):
        readings = _readings(f, type_, text)
        if readings is None:
            continue
        is_right = not right.isdisjoint(readings) or _rounded(readings, right)
        is_wrong = not is_right and not wrong.isdisjoint(readings)
        found.append(Mention(readings, f.start, f.end, is_right, is_wrong, f.kind == "zero"))
    return found


def _findings(text: Message, type_: str, zero: bool) -> Iterable[Finding]:
    if type_ == "datetime":
        return text.moments()
    if zero and type_ in ("number", "money"):
        return sorted([*text.findings, *text.zeros()], key=lambda f: f.start)
    return text.findings


def _readings(found: Finding, type_: str, text: Message) -> v.Readings | None:
    """A finding's readings as values of a slot's type; None where it is no such value."""
    if found.kind == "zero":
        return (0,)
    if type_ == "datetime":
        return found.readings
    if found.kind == "date" and type_ in ("date", "time"):
        if type_ == "date":
            return tuple([r.date() if isinstance(r, datetime) else r for r in found.readings])
        return tuple([r.time() for r in found.readings if isinstance(r, datetime)]) or None
    if found.kind == "span" and type_ == "number":
        words = text.words[found.start : found.end]
        within = text.words[found.start - 1].low in ("next", "last", "past", "within")
        single = sum([w.kind in "nu" for w in words]) == 1 and not within
        return (v.cardinal(words),) if single else None
    if found.kind == "number" and type_ == "money":  # only as prices are written: 2.50
        cents = text.words[found.start].low.partition(".")[2]
        return (
            tuple([round(100 * r) for r in v.numeric(found.readings)]) if len(cents) == 2 else None
        )
    return found.readings if found.kind == type_ else None


def _rounded(said: v.Readings, right: frozenset[v.Value]) -> bool:
    """Whether an uneven number is said as people round it: 3.33 for 10/3."""
    uneven = [x for x in said if isinstance(x, float) and not x.is_integer()]
    return (
        any(round(y, n) in uneven for y in v.numeric(right) for n in (1, 2, 3)) if uneven else False
    )


def restates(text: Message, m: Mention, others: Sequence[Mention]) -> bool:
    """Whether a number says one of the others in another unit: two weeks, 14 days."""
    spans = {f.start: f.readings for f in text.findings if f.kind == "span"}
    return m.start in spans and any(spans[m.start] == spans.get(o.start) for o in others)


def _known(
    text: Message, type_: str, right: frozenset[v.Value], wrong: frozenset[v.Value]
) -> list[Mention]:
    """Where the message says known words; the longest wins where they overlap."""
    found: list[Mention] = []
    values = sorted([str(x) for x in right | wrong], key=lambda x: (-len(x), x))
    for value in values:
        for start, end in _places(text, type_, value, values):
            if all(end <= m.start or m.end <= start for m in found):
                found.append(Mention((value,), start, end, value in right, value in wrong))
    return sorted(found, key=lambda m: m.start)


def _places(text: Message, type_: str, value: str, values: Sequence[str]) -> list[Place]:
    if type_ == "id":
        return text.ids(value)
    if type_ == "enum":
        return text.places(phrase(value))
    found = text.literals(value)
    title = next((t for t in _TITLES if value.startswith(t)), "") if type_ == "name" else ""
    if title:
        first, _, last = value.removeprefix(title).rpartition(" ")
        found += text.literals(value.removeprefix(title))
        if first and not any(x.endswith(f" {last}") for x in values if x != value):
            words = value.removeprefix(title).split()  # Dr. Wit, Dr. de Wit
            found += [
                p for n in range(1, len(words)) for p in text.literals(title + " ".join(words[n:]))
            ]
    first, _, last = value.removeprefix(title).rpartition(" ")
    if type_ == "name" and first:  # Maalouf, Ines
        turned = text.literals(f"{last} {first}")
        found += [(a, b) for a, b in turned if "," in text.low(a, b)]
    return found or (text.loosely(value) if type_ == "text" else [])
