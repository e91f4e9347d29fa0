"""Which thing a value is said of: the one that was asked about, or another.

A slot's cues after the first call its row ("the late fine for "The Salt Road""). A message falls
into clauses; a clause names the row by the row's own words. A value is another thing's where its
clause names something else and the row is said, in a clause of its own, to have none or another
value, or not to be found.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from davinci_env.verify.answers.asides import (
    GONE,
    NEGATIVE,
    but_for,
    of_another_day,
    of_the_opposite,
    put_aside,
)
from davinci_env.verify.answers.clauses import places_of, segment, stems
from davinci_env.verify.answers.mentions import Mention
from davinci_env.verify.answers.text import Place, Text
from davinci_env.verify.answers.words import Word, fold, one_of, phrase, spoken, words_of

_SMALL = one_of(
    "the a an of for on in at to by with from and or your you our my his her their its it is are be"
    " can could what when where which who whom how that this whether if would do does did has have"
    " had many much long as per until so there one"
)
_ANY_OF_A_KIND = one_of(
    "current present new recent open own next last latest available remaining left more only same"
    " said whole total full actual exact right correct still now currently not no all both"
)
_CALENDAR = frozenset("MWVRyQ")
_PREDICATES = one_of(
    "is are was were has have had 's stands stood goes comes takes costs : reads shows gets lies"
)
_OPENING = one_of("instead rather unlike apart other not in as sorry so well but and")
_NO_NAME = one_of(
    "'s i i'm i've i'd i'll it it's it'd that that's this these those there there's they they're we"
    " we're we've we'd you you're you've you'd he she here here's dr mr mrs ms prof eur usd am pm"
    " ok"
    " id"
)
# Denied to be there, not just to be so: no hold on it, none for it, nothing for it, not found.
_NOT_FOUND = re.compile(
    r"(?:n't|\bnot|\bcannot|\bunable to|\bfailed to) (?:been able to |\w+ )?(?:find|found|see"
    r"|locate"
    r"|show|have)\b|\b(?:isn't|is not|aren't|wasn't) (?:\w+ )?(?:in|on|listed|found|registered)\b"
    r"|\bno (?:trace|record|sign|entry|mention)\b|\b(?:is|are|has|have|had|get|gets) (?:none"
    r"|nothing)"
    r"\b|\b(?:none|nothing|neither)\b|\b(?:doesn't|does not) exist\b|\b(?:without|no) (?:success"
    r"|luck)\b"
)
_SEES_IT_NOT = re.compile(
    r"(?:n't|\bnot|\bcannot|\bunable to)(?: \w+)? (?:find|see|locate) (?:it|that|them|any|one)\b"
)
_RESPECTIVELY = phrase("respectively").key
_NO = re.compile(r"\b(?:no|any) (\w+)(?: (\w+))?")
_BEYOND = re.compile(
    r"\b(?:other|else|(?<!any )(?<!no )more|further|another|beyond|besides|apart|additional|extra"
    r"|longer|yet|note"
    r"|copies|only|just)\b"
)


@lru_cache(maxsize=1 << 11)
def row_words(cues: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """The stems that call a slot's row, and those of all its cues."""
    rows = [cue for cue in cues[1:] if _calls_a_row(cue)]
    attribute = {w.stem for cue in cues if cue not in rows for w in spoken(cue)}
    named = [w for cue in rows for w in spoken(cue)]
    own = {
        w.stem
        for w in named
        if w.low not in _SMALL and w.kind not in _CALENDAR and w.stem not in attribute
    }
    return frozenset(own), frozenset(attribute | {w.stem for w in named if w.low not in _SMALL})


def _calls_a_row(cue: str) -> bool:
    """Whether a cue calls a row, and isn't just another word for the attribute."""
    words = [w for w in spoken(cue) if w.low not in _SMALL]
    return len(words) > 1 or any(w.raw[0].isupper() or w.kind == "L" for w in words)


@lru_cache(maxsize=1 << 11)
def row_names(cues: tuple[str, ...]) -> tuple[str, ...]:
    """What a slot's row is called outright: titles in quotation marks, and ids."""
    found = []
    for cue in cues[1:]:
        plain = fold(cue)
        found += re.findall(r'"([^"]+)"', plain)
        parts = [w for chunk in plain.split() for w in words_of(chunk)]
        found += [w.raw for w in parts if w.kind == "L" and any(c.isdigit() for c in w.low)]
    return tuple(dict.fromkeys(found))


def another_things(
    text: Text, cues: Sequence[str], h: Mention, mentions: Sequence[Mention]
) -> bool:
    """Whether the answer is said of another thing than its row."""
    row, every = row_words(tuple(cues))
    if not row:
        return False
    if (turn := _turn(text, row, h, mentions)) is not None:
        return not turn
    here = segment(text, h, mentions)
    if text.lows[here[0]] in ("not", "unlike"):  # Winter Orchard, not The Salt Road, is at $5
        here = text.around(h.start)[0], here[1]
    aside = put_aside(text, here, mentions)
    left = frozenset([text.words[i].stem for i in range(*here) if i not in aside])
    mine = row & left
    if aside and mine < row & {text.words[i].stem for i in aside}:
        named = text.words[here[0]].raw[:1].isupper() and _is_name(text.words[here[0]], every)
        if named or _foreign(text, here, mentions, every):
            return True
    alone = but_for(text, h, mentions)
    if alone and not row <= stems(text, alone) and _foreign(text, alone, mentions, every):
        return True
    if of_another_day(text, cues, here, h, mentions) or of_the_opposite(text, cues, here):
        return True
    if text.stem_set.isdisjoint(row - mine):
        return mine != row and _named_otherwise(text, cues, here, mentions, bool(mine))
    other: bool | None = None
    places = [(place, row & stems(text, place)) for place in places_of(text, mentions)]
    most = max(len(theirs) for _, theirs in places)
    for place, theirs in places:
        if place != here and not mine and _SEES_IT_NOT.search(text.low(*place)):
            return bool(_foreign(text, here, mentions, every))
        if place == here or theirs <= mine:
            continue
        low = text.low(*place)
        if _missing(low, every) and not _BEYOND.search(low) and not _told_on(text, here, place):
            return True
        if not theirs > mine or len(theirs) < most:
            continue
        inside = [m for m in mentions if place[0] <= m.start < place[1]]
        if any(m.right for m in inside):
            return False
        if inside or NEGATIVE.search(low) or low.endswith("?") or GONE.search(low):
            if other is None:
                other = bool(_foreign(text, here, mentions, every)) or (
                    bool(inside) and _is_about_a_thing(text, here, mentions, every)
                )
            if other:
                return True
    return False


def _is_name(word: Word, every: frozenset[str]) -> bool:
    return word.stem not in every and word.kind in "_L" and word.low not in _NO_NAME | _OPENING


def _turn(text: Text, row: frozenset[str], h: Mention, mentions: Sequence[Mention]) -> bool | None:
    """Whether a value has the row's place where things and values are told in one order; None where
    they are not: A and B are at $5 and $6, respectively; the former is at $5, the latter at $6.
    """
    if _RESPECTIVELY in text.stems:
        first, last = text.around(h.start)
        said = [m for m in mentions if first <= m.start < last]
        return _rank(text, row, first, said[0].start) == said.index(h) if len(said) == 2 else None
    if " former " in text.stems or " latter " in text.stems:
        said_of = text.low(*segment(text, h, mentions))
        which = [name for name in ("former", "latter") if f"the {name}" in said_of]
        begins = text.around(h.start)[0]
        if len(which) == 1 and begins:
            before = text.bounds(text.sentence(begins - 1))
            return _rank(text, row, *before) == ("former", "latter").index(which[0])
    return None


def _rank(text: Text, row: frozenset[str], start: int, end: int) -> int:
    """Whether the row is told first (0) or second of two in a stretch."""
    cut = next((i for i in range(start, end) if text.lows[i] == "and"), end)
    return int(len(row & stems(text, (cut, end))) > len(row & stems(text, (start, cut))))


def _missing(low: str, every: frozenset[str]) -> bool:
    """Whether a clause says that the row isn't there, or has nothing of what was asked."""
    if _NOT_FOUND.search(low):
        return True
    denied = next(iter(_NO.finditer(low)), None)
    return denied is not None and any(
        w.stem in every for w in spoken(" ".join(filter(None, denied.groups())))
    )


def _told_on(text: Text, here: Place, place: Place) -> bool:
    """Whether the answer's clause goes on about the row: "I see no fee for it yet, it is due …"."""
    if here[0] < place[0]:
        return False
    return text.words[here[0]].low in ("it", "it's", "its")


def _inside(mentions: Sequence[Mention], at: int) -> bool:
    return any(m.start <= at < m.end for m in mentions)


def _foreign(
    text: Text, here: Place, mentions: Sequence[Mention], every: frozenset[str]
) -> list[int]:
    """Words of the answer's clause that name something which the slot's cues don't."""
    first, last = here
    found = []
    for at in range(first, last):
        word = text.words[at]
        if not word.stem or word.stem in every or _inside(mentions, at):
            continue
        if word.low in _NO_NAME or word.kind not in "_L":
            continue
        code = word.kind == "L" and any(c.isdigit() for c in word.low)
        name = word.raw[:1].isupper() and (not _opens(text, at) or _is_subject(text, at, last))
        thing = word.low not in _SMALL and (
            _modifies(text, at, every) or _after_of(text, at, first)
        )
        if code or name or thing:
            found.append(at)
    return found


def _opens(text: Text, at: int) -> bool:
    """Whether a word is written with a capital only for where it stands."""
    before = text.words[at - 1].low if at else "."
    return at == text.around(at)[0] or before[0] in '*-•"|:('


def _is_subject(text: Text, at: int, last: int) -> bool:
    after: Word | None = text.words[at + 1] if at + 1 < last else None
    if after is None or text.lows[at] in _SMALL:
        return after is not None and text.lows[at] == "the" and after.raw[:1].isupper()
    if after.low in ("still", "now", "only", "also", "just") and at + 2 < last:
        after = text.words[at + 2]
    return after.low in _PREDICATES or after.raw[:1].isupper()


def _modifies(text: Text, at: int, every: frozenset[str]) -> bool:
    """Whether a word tells one thing of a kind from the row: the black lanterns; Skin check: …"""
    after = text.words[at + 1] if at + 1 < len(text.words) else None
    if after is None or text.lows[at] in _ANY_OF_A_KIND:
        return False
    return after.stem in every and after.kind == "_" and after.low not in _PREDICATES


def _is_about_a_thing(
    text: Text, place: Place, mentions: Sequence[Mention], every: frozenset[str]
) -> bool:
    """Whether a stretch begins with a thing of its own: "A medication review is at …"."""
    first = place[0]
    while first + 2 < place[1] and text.lows[first] in (",", "and", "but", "while", "whereas"):
        first += 1
    if text.lows[first + 1] in _ANY_OF_A_KIND:  # the latest one
        return False
    return (
        text.words[first].low in ("the", "a", "an", "your")
        and not _inside(mentions, first + 1)
        and every.isdisjoint(stems(text, place))
    )


def _names_a_thing(text: Text, place: Place, every: frozenset[str]) -> bool:
    """Whether a stretch has a noun of its own: "the yoga class", "a review"."""
    return any(
        text.words[at - 1].low in ("the", "a", "an", "your")
        and text.words[at].kind == "_"
        and text.words[at].stem not in every
        for at in range(place[0] + 1, place[1])
    )


def _after_of(text: Text, at: int, first: int) -> bool:
    """Whether a word stands in "for the …", "of your …"."""
    near = text.lows[max(first, at - 3) : at]
    return len(near) > 1 and near[-1] in ("the", "a", "an", "your") and near[-2] in ("of", "for")


_ALL_THERE_IS = re.compile(
    r"\b(?:all (?:i|we) (?:have|see|find|can (?:see|find|tell|give))"
    r"|(?:i|we) (?:can |could )?only (?:see|find|have|found|saw)|the (?:only|closest|nearest) \w+"
    r" (?:i|we)"
    r" (?:can |could )?(?:see|find|have|found))\b"
)
_BELONGS = re.compile(
    r"(?:belongs to|goes with|refers to|relates to|applies to)\b(?! (?:it|that|this|you)\b)"
)
_IS_FOR = re.compile(r"(?:is|was|goes) (?:for|with)\b(?! (?:it|that|this|you)\b)")
_OF_NAME = re.compile(r"\b(?:of|for)(?: the| your)?(?: \")?$")


def _named_otherwise(
    text: Text, cues: Sequence[str], here: Place, mentions: Sequence[Mention], partly: bool
) -> bool:
    """Whether the clause says "for NAME" of a thing called as the row is, where nothing says that
    of the row: another title, another id.
    """
    every = row_words(tuple(cues))[1]
    rivals = any(m.wrong for m in mentions)
    for m in mentions:
        after = text.low(m.end, m.end + 6) if m.right else ""
        if _BELONGS.match(after) or (rivals and _IS_FOR.match(after)):
            rest = (m.end, here[1])
            if _foreign(text, here, mentions, every) or _names_a_thing(text, rest, every):
                return True
    if _ALL_THERE_IS.search(text.low(*here)) and _foreign(text, here, mentions, every):
        return True
    names = row_names(tuple(cues))
    if not names or partly:
        return False
    by_id = any(c.isdigit() for c in names[0]) and " " not in names[0]
    for at in range(*here):
        word = text.words[at]
        if word.low in _NO_NAME or word.kind in _CALENDAR or _inside(mentions, at):
            continue
        alike = word.kind == "L" if by_id else word.kind == "_" and word.raw[:1].isupper()
        before = text.low(max(here[0], at - 3), at)
        if by_id and before.endswith(" #"):
            before = before[:-2]
        if alike and _OF_NAME.search(before):
            return True
    return False


def _told(text: Text, place: Place, value: int) -> Place:
    """A stretch without what introduces it: "I went through both orders: …"."""
    colon = next((i for i in range(place[0], value) if text.lows[i] == ":"), 0)
    by_me = not {"i", "we", "i've", "we've"}.isdisjoint(text.lows[place[0] : colon])
    return (colon + 1, place[1]) if by_me else place


def told_apart(
    text: Text, cues: Sequence[str], m: Mention, h: Mention, mentions: Sequence[Mention]
) -> bool:
    """Whether another value is said of something else, in a clause or line of its own, while the
    answer's names the row or what was asked for.
    """
    row, every = row_words(tuple(cues))
    if (turn := _turn(text, row, h, mentions)) is not None:
        return turn
    there, here = _told(text, segment(text, m, mentions), m.start), segment(text, h, mentions)
    if there == here or not every:
        return False
    mine, theirs = every & stems(text, here), every & stems(text, there)
    if not theirs < mine or any(x.right for x in mentions if there[0] <= x.start < there[1]):
        return False
    if any(h is not x and x.wrong for x in mentions if here[0] <= x.start < here[1]):
        return False
    values = {i for x in mentions for i in range(x.start, x.end)}
    said = [
        text.words[i]
        for i in range(*there)
        if i not in values and text.words[i].stem and text.words[i].stem not in every
    ]
    if mine & row - theirs and (
        _foreign(text, there, mentions, every) or _names_a_thing(text, there, every)
    ):
        return True
    line = text.sentence(m.start) != text.sentence(h.start)
    label = not {":", "|"}.isdisjoint(text.lows[slice(*there)])
    own = any(w.low not in _SMALL and w.kind == "_" for w in said)
    return line and label and own
