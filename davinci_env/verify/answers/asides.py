"""What a message adds to a value that undoes it: it is for somebody else, gone, an example, a day
other than the one asked about.

`subjects` says which thing a clause is about; here it is what stands beside that.
"""

import re
from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache

from davinci_env.verify.answers.clauses import clauses
from davinci_env.verify.answers.finding import Message
from davinci_env.verify.answers.mentions import Mention
from davinci_env.verify.answers.text import Place, Text
from davinci_env.verify.answers.words import lows_of, one_of, spoken

# ------------------------------------------------------------------ of another thing
# "Instead of the row I found …", ", not the row,": what follows is not what the clause is about.
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|unlike|in place of|as opposed to|apart from|other than)\b"
    r"|(?:^|, |— |\( )not\b(?= (?!only|just|yet|any|until|before|due|to)\w)"
)
_TO_HERE = one_of(", ; : — ( ) but i we is are was were has have it")
_SETTING_ASIDE = one_of("instead rather unlike place opposed apart other not")


def put_aside(text: Text, place: Place, mentions: Sequence[Mention]) -> frozenset[int]:
    """The words of a stretch that name what it is not about."""
    first, last = place
    if _SETTING_ASIDE.isdisjoint(text.lows[first:last]):
        return frozenset()
    line, found = text.low(first, last), set[int]()
    for said in _INSTEAD.finditer(line):
        start = end = first + line.count(" ", 0, said.end()) + 1
        while end < last and text.lows[end] not in _TO_HERE:
            end += 1
        if not any(start <= m.start < end for m in mentions):
            found.update(range(start, end))
    return frozenset(found)


# It's $5, but that's for Winter Orchard.
_BUT_FOR = re.compile(
    r"^(?:[\w']+ ){0,3}?(?:, )?(?:but|though|although|only|except)(?: (?:that|it|this)(?: 's| is"
    r"| was))?"
    r"(?: (?:only|just|really|all))* (?:for|of|about|with|(?<=is )(?:the|a)|(?<='s )(?:the|a))"
    r" (?!you\b|it\b|that\b|this\b|now\b)"
)
_EXCEPTING = one_of("but though although only except")
_GOES_ON = one_of("is are was were 's has have had i we you it that would will can which")


def but_for(text: Text, h: Mention, mentions: Sequence[Mention]) -> Place | None:
    """The words after a value that say for what alone it holds: "…, but that's for NAME"."""
    if _EXCEPTING.isdisjoint(text.lows[h.end : h.end + 5]):
        return None
    last = text.around(h.end - 1)[1]
    said = _BUT_FOR.match(text.low(h.end, min(last, h.end + 10)))
    if said is None:
        return None
    end = h.end + said[0].count(" ")
    start = end - 1
    while end < last and text.lows[end] not in ",;:—()!?":
        end += 1
    more = any(start <= m.start < end for m in mentions)
    return None if more or not _GOES_ON.isdisjoint(text.lows[start:end]) else (start, end)


@lru_cache(maxsize=1 << 10)
def _days_of(cues: tuple[str, ...], today: date) -> frozenset[date]:
    """The days by which a slot's row is called."""
    read = [Message(cue, today) for cue in cues[1:]]
    return frozenset(day for text in read for f in text.findings for day in _days(f.readings))


def _days(readings: Sequence[object]) -> list[date]:
    plain = [r.date() if isinstance(r, datetime) else r for r in readings]
    return [r for r in plain if isinstance(r, date)]


def of_another_day(
    text: Text,
    cues: Sequence[str],
    here: Place,
    h: Mention,
    mentions: Sequence[Mention],
) -> bool:
    """Whether the answer is said of another day than the one by which its row is called, while that
    day is said, in a clause of its own, to have something else or nothing.
    """
    if not isinstance(text, Message):
        return False
    asked = _days_of(tuple(cues), text.today)
    if not asked:
        return False
    values = {m.start for m in mentions}
    dated = [f for f in text.findings if f.kind == "date" and f.start not in values]
    if not dated:
        return False
    pieces = [part for place in clauses(text) for part in _by_commas(text, place)]
    part = next(((a, b) for a, b in pieces if a <= h.start < b), here)
    if any(part[0] <= f.start < part[1] for f in dated):
        here = part
    inside = [f for f in dated if here[0] <= f.start < here[1]]
    if not inside or any(not asked.isdisjoint(_days(f.readings)) for f in inside):
        return False
    row = frozenset([w.stem for cue in cues[1:] for w in spoken(cue)])
    own = [f for f in dated if not asked.isdisjoint(_days(f.readings))]
    if not own:  # the class on April 27, where that on the 20th was asked about
        return any(_of_a(text, f.start) in row for f in inside)
    return any(
        a <= f.start < b and (GONE.search(text.low(a, b)) or NEGATIVE.search(text.low(a, b)))
        for f in own
        for a, b in pieces
    )


def _of_a(text: Text, day: int) -> str:
    """The stem of the thing that a day belongs to: "the class on April 27"."""
    at = day - 1
    while at > 0 and text.lows[at] in ("on", "of", "the", "for"):
        at -= 1
    return text.words[at].stem if at < day - 1 and text.words[at].kind == "_" else ""


def _by_commas(text: Text, place: Place) -> list[Place]:
    cuts = [i for i in range(*place) if text.lows[i] == ","]
    return list(zip([place[0], *[i + 1 for i in cuts]], [*cuts, place[1]], strict=True))


# The next visit is no answer about the last one, where both are told.
_OPPOSITES = {
    "next": one_of("last previous latest"),
    "last": one_of("next first coming upcoming"),
    "latest": one_of("next first previous"),
    "first": one_of("last latest second next"),
    "previous": one_of("next current new"),
    "new": one_of("old previous"),
    "old": one_of("new"),
    "current": one_of("next previous former"),
}


@lru_cache(maxsize=1 << 10)
def _with_opposites(cues: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(_OPPOSITES.keys() & lows_of(cues)))


def of_the_opposite(text: Text, cues: Sequence[str], here: Place) -> bool:
    """Whether the answer's clause is about the next one, say, and another about the last, asked."""
    for asked in _with_opposites(tuple(cues)):
        said = text.lows[slice(*here)]
        if asked not in said and not _OPPOSITES[asked].isdisjoint(said):
            return asked in text.lows
    return False


NEGATIVE = re.compile(r"\b(?:not|no|none|nothing|never|cannot|\w+n't|without|unable)\b")
_IS = r"(?:\b(?:is|are|was|were|has been|have been)|'s|'re|:)"
_QUITE = r"(?: (?:all|both|already|currently|now|completely|fully|quite|still|just|unfortunately))*"
_NONE_THERE = (
    r"(?:full|out|sold(?: out)?|gone|taken|unavailable|missing|unknown|empty|booked(?: up| out)?"
    r"|on loan|reserved|being (?:repaired|mended)|damaged|lost|lent(?: out)?|checked out|used up"
    r"|closed|cancell?ed|withdrawn|discontinued)"
)
GONE = re.compile(rf"{_IS}{_QUITE} {_NONE_THERE}\b(?! (?:of|to|for|from|on)\b)")

# ------------------------------------------------------------------ no longer to be had
_OFFERED = one_of("free available availability stock open left shelf remaining vacant")
_IS_GONE = re.compile(
    rf"^{_IS}{_QUITE} (?:{_NONE_THERE}"
    r"|with (?:\w+ )?(?:readers?|members?|customers?|somebody|someone))\b"
    rf"|^(?:has|have|had)(?: (?:all|both|just|already|since))? (?:gone|been (?:taken|sold|lent))\b"
    r"|^(?:: |, |— )?(?:none|neither|not one) of (?:them|these|those)\b"
    r"|^had\b|^(?:expects|awaits)\b|^(?:will|'ll) (?:be|come) (?:back|in|available|there)\b"
)
_OUT_OF = re.compile(
    r"\b(?:(?:all|any|every\w*)(?: \w+)? but(?: at| in)?|out of|used to (?:have|be|stock|sell)"
    r"|on (?:its|the|their) way to|coming to|in transit to)(?: (?:the|our))?$"
)
_CALLED_OFF = re.compile(
    r"^(?:has been|was|is|had been|got)(?: \w+)? (?:cancell?ed|called off|taken|rejected|deleted)\b"
)
_CANCELS = one_of("cancelled canceled cancel cancellation called rejected deleted taken")
_ITEMS = one_of(', and or & * "')


def gone(text: Text, m: Mention, mentions: Sequence[Mention], cues: Sequence[str]) -> bool:
    """Whether what was asked for as being there is said not to be: slate is sold out."""
    if _OFFERED.isdisjoint(lows_of(tuple(cues))):
        return False
    first, last = text.around(m.start)
    starts, ends = {x.start: x.end for x in mentions}, {x.end: x.start for x in mentions}
    start, at = m.start, m.end
    while start > first and (start in ends or text.lows[start - 1] in _ITEMS):
        start = ends.get(start, start - 1)
    if _OUT_OF.search(text.low(max(first, start - 5), start)):
        return True
    while at < last and (at in starts or text.lows[at] in _ITEMS):
        at = starts.get(at, at + 1)
    return _IS_GONE.match(text.low(at, min(last, at + 6))) is not None


def called_off(text: Text, m: Mention, cues: Sequence[str]) -> bool:
    """Whether what was to be on a day is said not to be: "the visit on April 21 is cancelled"."""
    after = text.lows[m.end : m.end + 5]
    if _CANCELS.isdisjoint(after) or not _CANCELS.isdisjoint(lows_of(tuple(cues))):
        return False
    return _CALLED_OFF.match(" ".join(after)) is not None


# ------------------------------------------------------------------ not said to you
_TELLING = (
    r"(?:disclose|tell|say|share|reveal|divulge|give out|confirm|comment|state|discuss|pass on)"
)
_LET_STAND = (
    r"(?:but|though|yet|only|more|other|than|except|beyond|however|why|who|how come|any\w*"
    r"|everything|else|until|before)"
)
_WITHHELD = re.compile(
    r"(?:\b(?:can't|cannot|can not|won't|will not|mustn't|must not|may not|shouldn't"
    r"|not (?:allowed|permitted|able|going|free|willing) to|unable to|rather not"
    rf"|prefer not to|wouldn't)) (?:\w+ ){{0,2}}{_TELLING}\b"
    rf"(?:(?!\b{_LET_STAND}\b|, (?:\w+ ){{1,6}}?(?:is|are|was|'s|stands|goes)\b)[^;:—])*$"
    r"|\b(?:be it|be they)(?: (?:a|an|the|on|at|for|to|in|\$|#|\"))*$"
)
_TELLS = one_of("disclose tell say share reveal divulge out confirm comment state discuss on be")
_NOT_YOU = re.compile(
    r"^(?:[^.!?;:—]* )?(?:(?:for|with|to) (?:everyone|everybody|anyone|anybody|all|most|any)"
    r"(?: \w+){0,2} (?:but|except(?: for)?|other than|apart from|besides|save)"
    r"|(?:but|just|though|only|and|—|,) not (?:for|in|with)|except (?:for|in))"
    r" (?:you|yours|your (?:case|own))(?= [.,;:!?—)]|$)"
)
_BUT_YOU = re.compile(
    r"\b(?:everyone|everybody|anyone|anybody|all|most|any)(?: \w+){0,2} (?:but|except(?: for)?"
    r"|other than|apart from|besides|save) you(?:rs)?\b[^;:—]*$"
)
_OTHERS_IS = re.compile(
    r"^(?:is|was) (?:what|for|that of|with|the \w+ (?:of|for)) (?:the other|another|somebody else"
    r"|someone else|everyone else|others)\b"
)
_ELSE = one_of("other another else others")
_BUT = one_of("but except other apart besides save")
_YOURS = one_of("you yours case own")


def not_for_you(text: Text, m: Mention) -> str:
    """How a value is kept from whoever asks, or holds for all but them; "" where it is told."""
    first, last = text.around(m.start)
    near = max(first, m.start - 20)
    before = text.lows[near : m.start]
    turned = "~" in text.shape[near : m.start]
    if turned and not _TELLS.isdisjoint(before) and _WITHHELD.search(" ".join(before)):
        return "asked about"
    if not _BUT.isdisjoint(before) and _BUT_YOU.search(" ".join(before)):
        return "somebody else's"
    after = text.lows[m.end : min(last, m.end + 14)]
    if not _YOURS.isdisjoint(after) and _NOT_YOU.match(" ".join(after)):
        return "somebody else's"
    if not _ELSE.isdisjoint(after) and _OTHERS_IS.match(" ".join(after)):
        return "somebody else's"
    return ""


# ------------------------------------------------------------------ no more than that
_LIMITS = one_of(
    "limit limits maximum max most cap allowance allowed minimum least many up longest highest"
)
_FILL = r"(?: (?:a|the|\$))*$"
_UP_TO = re.compile(
    r"(?<!are )(?<!'re )(?<!is )\b(?:up to|as (?:much|many) as|a maximum of|at (?:the )?most|max)"
    + _FILL
)
_AT_MOST = re.compile(r"^(?:\w+ )?(?:, )?(?:at (?:the )?most|tops|max|or less|or fewer)\b")
_MOST = one_of("to many much maximum most max")
_MOST_AFTER = one_of("most tops max less fewer")


def at_most(text: Text, m: Mention, cues: Sequence[str]) -> bool:
    """Whether an amount is only told as the most that it may be, where no limit was asked for."""
    first, last = text.around(m.start)
    before = text.lows[max(first, m.start - 5) : m.start]
    after = text.lows[m.end : min(last, m.end + 4)]
    if _MOST.isdisjoint(before) and _MOST_AFTER.isdisjoint(after):
        return False
    if not _UP_TO.search(" ".join(before)) and not _AT_MOST.match(" ".join(after)):
        return False
    asked = not _LIMITS.isdisjoint(lows_of(tuple(cues)))
    return not asked and _PERMITTED.isdisjoint(text.lows[first : m.start])


_PERMITTED = one_of("can may could able allowed")
