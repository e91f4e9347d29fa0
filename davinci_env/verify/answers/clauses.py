"""Clauses: the stretches of a message in which a value and a thing are said together."""

from bisect import bisect_left
from collections.abc import Sequence

from davinci_env.verify.answers.mentions import Mention
from davinci_env.verify.answers.text import Place, Text


def clause(text: Text, at: int) -> Place:
    """The clause that a word stands in."""
    first, last = text.around(at)
    ends = text.partings
    n = bisect_left(ends, at)
    start = ends[n - 1] + 1 if n else 0
    n += n < len(ends) and ends[n] == at
    return max(first, start), min(last, ends[n]) if n < len(ends) else last


def clauses(text: Text) -> list[Place]:
    """All clauses, in order."""
    found, at, count = [], 0, len(text.words)
    ends = frozenset(text.partings)
    while at < count:
        place = clause(text, at)
        found.append(place)
        at = place[1] + (place[1] in ends)
    return found


def segment(text: Text, h: Mention, mentions: Sequence[Mention]) -> Place:
    """The part of a clause that a value has for itself: "$5 is for this, $6 for that"."""
    first, last = clause(text, h.start)
    for x in mentions:
        if first <= x.start and x.end <= h.start:
            first = _cut(text, x.end, h.start) or first
        elif h.end <= x.start < last:
            return first, _cut(text, h.end, x.start) or last
    return first, last


def _cut(text: Text, start: int, end: int) -> int:
    """The first comma or "and" in a stretch; 0 where there is none."""
    return next((i for i in range(start, end) if text.lows[i] in (",", "and")), 0)


def places_of(text: Text, mentions: Sequence[Mention]) -> list[Place]:
    """The clauses, those with several values in their parts."""
    found = []
    for place in clauses(text):
        inside = [m for m in mentions if place[0] <= m.start < place[1]]
        found += [segment(text, m, mentions) for m in inside] if len(inside) > 1 else [place]
    return found


def stems(text: Text, place: Place) -> frozenset[str]:
    return frozenset([w.stem for w in text.words[slice(*place)]])
