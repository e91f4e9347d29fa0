"""How values stand together in a message: as a list, under a heading, bare, as parts of a sum."""

import re
from collections.abc import Sequence

from davinci_env.verify.answers.labels import Labels
from davinci_env.verify.answers.mentions import Mention
from davinci_env.verify.answers.text import Text
from davinci_env.verify.answers.values import numeric
from davinci_env.verify.answers.words import one_of

# Words that may stand between the members of a list.
_LISTING = one_of(
    ", / & - — # $ ( ) * • · : \" ' and or either even then also maybe possibly perhaps otherwise"
    " alternatively plus as well the a an on at in by to for of with your our is it be one two |"
) | {"\n"}
_MARKUP = one_of("* _") | {"\n"}
_BULLETS = one_of("- * • · |")
_CHOOSING = one_of("or either alternatively maybe perhaps possibly otherwise")
# Words that say nothing of their own beside a value.
_EMPTY = _LISTING | one_of(
    "it's that this these those could can might may will would should are was were i we you have"
    " has there here so 's . ! ? ; what which number answer option options choice"
)
_PREDICATES = one_of(
    "is are was were has have had can will isn't aren't wasn't weren't hasn't haven't can't doesn't"
    " don't won't stays stay remains remain"
)
_SPLITTING = one_of("but while whereas although though ; not except besides")
_PARTS = one_of("; —") | {"\n"}
_COUNTS = one_of(
    "others other still now already currently always today there only just about exactly count got"
    " get see find are total them not than"
)
_CONCLUDES = one_of("so hence therefore thus leaves leaving which")
_BREAKS_DOWN = re.compile(r":|\bof which\b|\bincluding\b")
_RESULT = re.compile(
    r"[:=]|\b(?:so|makes?|that's|that is|total|altogether|comes? to|sum|leav(?:es|ing)|remain\w*)\b"
)
_IN_ALL = re.compile(r"^(?:\w+ )?(?:in all|in total|altogether|together|all told)\b")


def listed_together(text: Text, a: Mention, b: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether two mentions are members of one list, or alternatives: "March 23 or April 6".

    Other mentions between them and what is in parentheses do not part them.
    """
    at, end = (a.end, b.start) if a.start < b.start else (b.end, a.start)
    if end == at + 1 and text.words[at].low == ";":  # $5; $6; $7
        after = max(a.end, b.end)
        return after >= len(text.words) or text.words[after].low in ".;!"
    skip = {m.start: m.end for m in mentions}
    one_sentence = text.sentence(at - 1) == text.sentence(end)
    listing, depth, inside = True, 0, True
    while at < end:
        if at in skip:
            at = skip[at]
            continue
        word = text.words[at].low
        at += 1
        if word == "(":
            depth, inside = depth + 1, True
        elif word == ")" and depth:
            depth -= 1
        elif depth:
            inside = inside and word in _LISTING
        elif word not in _LISTING:
            listing = False
        elif one_sentence and word in _CHOOSING:
            return True
        if not (listing or one_sentence):
            return False
    return listing and (not depth or inside)  # "$21.99 (you paid $27.99)" is no list


def is_sum(text: Text, whole: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a value opens a sentence that goes on with its parts: "€64, €40 and €24"."""
    first, last = text.around(whole.start)
    here = [m for m in mentions if first <= m.start < last]
    parts = [numeric(m.readings[:1]) for m in here if m is not whole]
    if here[0] is not whole or len(parts) < 2 or not all(parts):
        return False
    between = {w.low for w in text.words[whole.end : last]}
    if not _CHOOSING.isdisjoint(between) or sum(p[0] for p in parts) != whole.readings[0]:
        return False
    ends = [*[m.start for m in here[2:]], last]  # each part is said to be something's
    return all(
        any(w.low not in _EMPTY for w in text.words[m.end : end])
        for m, end in zip(here[1:], ends, strict=True)
    )


def numbers_a_name(text: Text, m: Mention) -> bool:
    """Whether a figure belongs to the name before it: the sneaker in navy 42."""
    after = text.words[m.end].low if m.end < len(text.words) else "."
    before = text.words[m.start - 1] if m.start else text.words[0]
    figure = text.words[m.start].low[0].isdigit() and m.end == m.start + 1
    named = before.kind == "_" and before.low.isalpha() and before.low not in _EMPTY | _PREDICATES
    return figure and named and not after[0].isalnum() and before.low not in _COUNTS


def alike(text: Text, m: Mention, answer: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether another value is told in the answer's very words, or as an item of the same list.

    "The fee is $5. The fee is $6."; "- $5", "- $6".
    """
    (first, _), (start, _) = text.around(answer.start), text.around(m.start)
    if first == start:
        return False
    words = text.low(first, answer.start).lstrip("-*•·| \n")
    if words and words == text.low(start, m.start).lstrip("-*•·| \n"):
        return True
    lone = bare(text, m, mentions) and bare(text, answer, mentions)
    return lone and same_block(text, m, answer)


def same_part(text: Text, m: Mention, answer: Mention) -> bool:
    """Whether another value stands beside the answer with nothing that parts or orders them.

    "12 in white but 2 in navy" leaves open which of them was asked for; what is said in brackets,
    after a semicolon or a dash, or as the premise of a conclusion ("…, so it is 2") does not.
    """
    low, high = (m.end, answer.start) if m.start < answer.start else (answer.end, m.start)
    if text.sentence(m.start) != text.sentence(answer.start):
        return False
    between = [w.low for w in text.words[low:high]]
    if not _PARTS.isdisjoint(between) or between.count("(") != between.count(")"):
        return False
    return m.start > answer.start or _CONCLUDES.isdisjoint(between)


def same_block(text: Text, a: Mention, b: Mention) -> bool:
    """Whether two mentions stand in different lines of one enumeration or table."""
    low, high = sorted((text.sentence(a.start), text.sentence(b.start)))
    lines = [
        (start, end) for start, end in map(text.bounds, range(low, high + 1)) if end > start + 1
    ]
    return low < high and all(
        _is_item(text.words[start].low, text.low(start, end)) for start, end in lines
    )


def _is_item(first: str, line: str) -> bool:
    if first.isdigit():
        return line[len(first) : len(first) + 2] in (" .", " )")
    return first in _BULLETS and not line.startswith("* *")


def bare(text: Text, m: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a mention's sentence says nothing else: "Or maybe March 23."."""
    first, last = text.around(m.start)
    inside = {i for x in mentions for i in range(x.start, x.end)}
    return all(i in inside or text.words[i].low in _EMPTY for i in range(first, last))


def is_part(text: Text, part: Mention, whole: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a number is a part of the sum, difference or product that the message derives.

    The whole must be marked as such: by its cue, by "so", "in all" or the like beside it, or by a
    colon or "of which" between it and a part that follows.
    """
    marked = _RESULT.search(text.low(max(0, whole.start - 4), whole.start)) or _IN_ALL.search(
        text.low(whole.end, whole.end + 4)
    )
    if not (whole.bound or marked or _BREAKS_DOWN.search(text.low(whole.end, part.start))):
        return False
    result = whole.readings[0]
    rest = [x for m in mentions if m not in (part, whole) for x in numeric(m.readings[:1])]
    factors = [w.value for w in text.words if w.kind in "nut"]
    for x in numeric(part.readings):
        if x + sum(rest) == result or any(result in (x + y, x - y, y - x) for y in rest):
            return True
        if x and isinstance(result, int | float) and result / x in factors:
            return True
    return False


def belongs(text: Text, labels: Labels, m: Mention) -> bool:
    """Whether a mention is said under one of a list's own labels, in its sentence or as heading."""
    first, last = text.around(m.start)
    follows = text.words[m.end].low if m.end < last else ""
    for start, end in (*labels.own, *labels.own_names):
        if not first <= start < last or (start and text.words[start - 1].stem == "not"):
            continue
        gap = [w.low for w in text.words[min(end, m.end) : max(start, m.start)]]
        if _SPLITTING.intersection(gap) or (end <= m.start and follows in _PREDICATES):
            continue
        if sum(word in _PREDICATES for word in gap) <= 1:
            return True
    return _headed(text, labels, m)


def _headed(text: Text, labels: Labels, m: Mention) -> bool:
    """Whether it is an item under a heading with one of the labels: "Overdue:", then lines."""
    sentence = text.sentence(m.start)
    own = text.words[slice(*text.bounds(sentence))]
    if any(w.stem == "not" or w.low in ("no", "never") for w in own):
        return False
    for above in range(sentence - 1, -1, -1):
        start, end = text.bounds(above)
        line = [w.low for w in text.words[start:end] if w.low not in _MARKUP]
        if line and line[-1] == ":":
            return any(start <= p[0] < end for p in (*labels.own, *labels.own_names))
        if line and not _is_item(line[0], " ".join(line)):
            return False
    return False
