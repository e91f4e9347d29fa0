"""Whether a message asserts a value it mentions, or denies, asks about, contrasts or guesses it.

All judgements are about one mention. What the mention is about is decided in `labels`.
"""

import re
from collections.abc import Sequence
from typing import Literal

from davinci_env.verify.answers.mentions import Mention
from davinci_env.verify.answers.text import Text
from davinci_env.verify.answers.words import lows_of, one_of

Standing = Literal[
    "asserted",
    "denied",
    "asked about",
    "contrasted",
    "a bound or range",
    "only guessed",
    "only planned",
]

# Kinds of the words that anything below needs: without one of them a sentence just asserts.
_TURNS = re.compile(r"[~F0?]|[nut][-e]")
_TURNED_AFTER = re.compile(r".?[~=-]")

# Words that end the reach of a negation.
_CLAUSE = one_of(
    ", ; : ( ) — . ! ? but and while whereas although though because since so as which who if when"
) | {"\n"}
_CLAUSE_AFTER = _CLAUSE | {"that", "or"}
_NOT_OR_NO = re.compile("[~0]")
_NEGATION = re.compile(
    r"\b(?:not|never|cannot|nobody|no one|nothing|neither|nor|without|hardly|unable|\w+n't"
    r"|no longer|none of)\b"
)
# "not due until April 6", "no later than", "don't forget that": the value itself stands.
_STANDS = re.compile(
    r"\b(?:until|till|before|later|beyond|earlier|sooner|past|only|just|forget|worry|hesitate"
    r"|problem|counting|including|more than|less than|longer than)\b"
)
_STANDS_AFTER = re.compile(r"\b(?:only|just|worry|problem|counting|including|too late|late)\b")
_IS_SAID = re.compile(r"\b(?:is|are|was|were)\b")
_DENIED_AFTER = re.compile(
    r"^(?:\w+ ){0,3}?(?:\w+n't|cannot"
    r"|(?:is|are|was|were|do|does|did|has|have|can|will) (?:not|no longer))\b"
)
_NO_THING = re.compile(
    r"\bnothing (?:\w+ ){0,2}(?:on|at|for|in|between) (?:the )?$"
    r"|\bno (?!later|earlier|sooner|more|less|fewer|longer)(?:\w+ ){1,2}(?:of )?(?:[#\"] )?$"
)

_FILL = (
    r"(?: (?:the|on|at|in|your|a|an|to|by|our|for|of|with|branch|order|just|about|from|\$|#|\"))*$"
)
_CONTRAST = re.compile(
    r"(?:instead of|rather than|(?<!no later )(?<!not later )than|unlike|except|excluding|besides"
    r"|apart from|aside from|other than|as opposed to|compared (?:to|with)|versus|in addition to"
    r"|on top of|not counting|replac(?:es|ing)|in place of|(?:^| )not|used to be|no longer"
    r"|(?:previous|former|old|original|earlier)(?:ly)?(?: (?!is\b|has\b|goes\b)\w+)?(?: was|"
    r" were)?)" + _FILL
)
_CONTRAST_AFTER = re.compile(
    r"^(?:\w+ )?(?:(?:previously|formerly|originally|before that|so far|until now)\b|→|- >|= >)"
)
# What is said with a value makes another of it: half of $5; $5 million; $5 less a fee of $2.
_MULTIPLE = re.compile(
    r"\b(?:half|double|twice|triple|thrice|a (?:third|quarter|fraction) of|times|ten ?fold"
    r"|at least|a minimum of|no less than|not less than"
    r"|(?:anything|something|anywhere|somewhere) (?:up to|from|around|above|below|near))"
    r"(?: of)?" + _FILL
)
_RESIZED = re.compile(
    r"^(?:million|billion|trillion|hundred|thousand)\b"
    r"|^(?:, )?(?:less|minus|reduced by) (?!than\b)(?:\w+ ){0,3}?(?:\$|\d)"
)
_BESIDE_A_DATE = re.compile(
    r"\b(?:is|was|comes?|came|be|falls?|fell|some ?time|shortly|long|just|right|soon)"
    r" (?:before|after|around|about)(?: the)?$"
    r"|\b(?:days?|weeks?|months?|the one) (?:before|after)(?: the)?$"
)
_SO_FAR = re.compile(r"^(?:\w+ )?(?:so far|until now) [.,;!)]")
_OTHER = re.compile(r"\b(?:other|another|different)(?: \w+){0,3}(?: [,(:])?" + _FILL)
_OUT_OF = re.compile(r"\bof(?: (?:the|your|our|these|those|its|their|all))*$")
_SETTLED = re.compile(
    r"^(?:\w+ ){0,2}(?:was|were|has been|have been|is|are) (?:already |now )?"
    r"(?:paid|settled|waived|cleared|cancell?ed|taken|sold|gone|booked|full)\b"
)
_IN_MIND = re.compile(r"in mind\b")
_PROHIBITED_FOR = re.compile(
    r"\b(?:don't|do not|mustn't|must not|shouldn't|should not|can't|cannot|may not|never|nothing)"
    r"(?: \w+)+? (?:for|within|in)" + _FILL
)
_BOUND = re.compile(
    r"(?<!no )(?<!not )\b(?:(?:more|less|fewer|higher|lower|longer|shorter|later|earlier) than"
    r"|over|under|above|below|almost|nearly)(?: (?:a|the))?$"
)
_RANGE = re.compile(r"\bbetween(?: [^,;]* and)?" + _FILL)
_GUESSED = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|(?:might|may|could) (?:also |well )?be)" + _FILL
)
_WONDERED = re.compile(r"\b(?:whether|(?:ask\w*|know|wonder\w*|see|check|sure) if)\b")
_PAST = re.compile(r"\b(?:was|were|had been|used to be|has been|have been)(?: \w+){0,3}" + _FILL)
_ONCE_WAS = re.compile(
    r"\b(?:was|were|used to be|had been)(?: (?:due|set|at|booked|planned))?" + _FILL
)
_NOW_IS = re.compile(r"\b(?:now|is|it 's|it's|are|to)" + _FILL)
_WAS_TO = re.compile(r"\b(?:was|were|used|meant) (?:going |supposed |meant )?to\b")
_SINCE_CHANGED = re.compile(
    r"\b(?:has|have|had|was|were) (?:since |now |then |later )?(?:been )?(?:since |now )?"
    r"(?:redirected|changed|replaced|moved|switched|corrected|updated|diverted|rerouted|altered)\b"
)
_PRESENT = re.compile(
    r"\b(?:now|new|currently|is|it's|are|will|has been|have been|until|instead"
    r"|the (?:latest|last|newest|most recent))\b"
)
_FROM = re.compile(r"\bfrom" + _FILL)
_CHANGE = (
    r"\b(?:mov|chang|extend|push|reschedul|switch|updat|shift|postpon|renew|prolong|rais|lower"
    r"|reduc|cut|rose|fell|went)\w*"
)
_CHANGES = re.compile(_CHANGE)
_CHANGED_TO = re.compile(_CHANGE + r"(?: \w+){0,2} (?:to|onto|into|until)" + _FILL)
_PLANNED = re.compile(
    r"\b(?:will|to|can|could|would|may|might|should|'ll|must) (?:\w+ )?be(?: \w+)?$"
)
_AS_SOON_AS = re.compile(r"(?:\w+ ){0,3}(?:as soon as|once|when|if|after|unless)\b")
_ALMOST = re.compile(
    r"\b(?:almost|nearly|not quite|soon|close to|practically|(?:could|might|may) be"
    r"(?: (?:either|both))?)" + _FILL
)
_ASKING = one_of(
    "is are was were do does did can could shall should would will may might have has what when"
    " where which who how why anything ok okay right"
)
_EXTRA = one_of("more additional further extra other others")
_AMOUNTS = ("number", "money", "span")
_DAYS = ("date", "datetime")


def standing(text: Text, m: Mention, mentions: Sequence[Mention], kind: str) -> Standing:
    """How the message stands to a value that it mentions.

    Args:
        text: the message.
        m: the mention.
        mentions: all mentions of the slot's type, for "from X to Y".
        kind: the slot's type.
    """
    shape = text.shape
    first, last = text.around(m.start)
    if not _TURNS.search(shape, first, last):
        return "asserted"
    near = max(first, m.start - 8)
    turned = "~" in shape[near : m.start]  # most values stand where nothing turns them
    before = text.low(near, m.start) if turned or "F" in shape[near : m.start] else ""
    if turned and _CONTRAST.search(before):
        return "contrasted"
    if _TURNED_AFTER.match(shape, m.end):
        after = text.low(m.end, m.end + 3)
        counted = kind in _AMOUNTS and _SO_FAR.search(after)  # renewed once so far
        if _CONTRAST_AFTER.search(after) and not counted:
            return "contrasted"
    if "e" in shape[m.end : last] and _replaced(text, m, mentions, kind, before):
        return "contrasted"
    if (turned and _RANGE.search(before)) or (kind in _AMOUNTS and _bounded(text, m, before)):
        return "a bound or range"
    if turned and _GUESSED.search(before):
        return "only guessed"
    if not m.by_absence and _denied(text, m, kind):
        return "denied"
    if turned and kind == "enum" and _PLANNED.search(before) and _is_to_come(text, m, last):
        return "only planned"
    if turned and kind in ("enum", "name") and _ALMOST.search(before):
        return "only guessed"
    if asked(text, m.start) or (turned and _WONDERED.search(before)):
        return "asked about"
    return "asserted"


def _is_to_come(text: Text, m: Mention, last: int) -> bool:
    """Whether what will be is a deed or waits for one: will be shipped; will be ready once …"""
    deed = text.words[m.end - 1].low.endswith("ed")
    return deed or _AS_SOON_AS.match(text.low(m.end, last)) is not None


def asked(text: Text, at: int) -> bool:
    """Whether a word stands in a question."""
    words = text.words
    first, last = text.around(at)
    if first == last or words[last - 1].low != "?":
        return False
    opens = [i for i in range(first, last - 1) if i == first or words[i - 1].low in ",;:—-"]
    asking = [i for i in opens if words[i].low in _ASKING]
    return not asking or at >= asking[0]


def extra(text: Text, m: Mention) -> bool:
    """Whether a number counts what comes on top: four more books."""
    return m.end < len(text.words) and text.words[m.end].low in _EXTRA


def whole(text: Text, m: Mention) -> bool:
    """Whether a number is what another one is a part of: three of its six visits."""
    near = max(0, m.start - 4)
    return re.search(r"[nut](?:_|E)?v[_E]?$", text.shape[near : m.start]) is not None


def outdated(text: Text, m: Mention, held: Sequence[Mention]) -> bool:
    """Whether a value is told as what was, and the answer as what is: it was due on March 23."""
    near = max(text.around(m.start)[0], m.start - 6)
    if text.low(m.end, m.end + 1) == "first":  # it was X first, then Y
        return any("then" in text.lows[m.end : h.start] for h in held)
    if not _PAST.search(text.low(near, m.start)):
        return False
    return any(_PRESENT.search(text.low(max(0, h.start - 11), h.start)) for h in held)


_OF_WHICH = re.compile(r"^of (?:which|them|those|these)\b")
_CALLED = re.compile(
    r"\b(payment|fee|discount|deposit|charge|credit|tax|shipping|fine|instal?lment|limit|minimum"
    r"|maximum)s? of" + _FILL
)


def whole_of(text: Text, m: Mention, held: Sequence[Mention]) -> bool:
    """Whether the answer is told as a part of it: seven copies, three of which are in."""
    return any(
        m.end <= h.start and _OF_WHICH.match(text.low(h.end, h.end + 2)) is not None for h in held
    )


def called_otherwise(text: Text, m: Mention, cues: Sequence[str]) -> bool:
    """Whether an amount is called by what was not asked for: your payment of $1.25."""
    near = max(text.around(m.start)[0], m.start - 6)
    said = _CALLED.search(text.low(near, m.start))
    return said is not None and said[1] not in " ".join(cues).lower()


def set_apart(text: Text, m: Mention, kind: str) -> bool:
    """Whether a wrong value is told as another thing's or as settled.

    Your other order, W9911714; two of our five copies; the $80.00 bill was paid.
    """
    first, last = text.around(m.start)
    before = text.low(max(first, m.start - 6), m.start)
    if "~" in text.shape[max(first, m.start - 6) : m.start] and _OTHER.search(before):
        return True
    if _IN_MIND.match(text.low(m.end, min(last, m.end + 2))) or before.endswith("as of"):
        return True
    if kind == "number" and _OUT_OF.search(before):
        return True
    return bool(_SETTLED.search(text.low(m.end, min(last, m.end + 6))))


def _replaced(text: Text, m: Mention, mentions: Sequence[Mention], kind: str, before: str) -> bool:
    """Whether it is the first of two values of a change: from X to Y; X has been moved to Y.

    Without a word of change, days, times and amounts "from X to Y" are the ends of a span.
    """
    first, last = text.around(m.start)
    following = [x for x in mentions if m.end <= x.start < last]
    if not following:
        return False
    then = following[0]
    gap = text.low(m.end, then.start)
    if _FROM.search(before) and re.search(r"\b(?:to|onto|into)\b", gap):
        return kind in ("name", "enum", "text") or bool(_CHANGES.search(text.low(first, m.start)))
    return bool(_CHANGED_TO.search(gap))


def _bounded(text: Text, m: Mention, before: str) -> bool:
    """Whether an amount is only a bound (more than three) or one end of a range (15 to 30)."""
    if before and _BOUND.search(before):
        return True
    kinds = text.shape
    if kinds[m.start - 1 : m.start] == "e" and _CHANGES.search(
        text.low(text.around(m.start)[0], m.start)
    ):
        return False  # it rose from X to this
    joined = kinds[max(0, m.start - 2) : m.start], kinds[m.end : m.end + 2].replace("$", "n")
    return joined[0] in ("n-", "u-", "ne", "ue", "te") or joined[1] in ("-n", "en")


def resized(text: Text, m: Mention, kind: str) -> bool:
    """Whether the words beside an amount or a day make another one of it."""
    first, last = text.around(m.start)
    before = text.lows[max(first, m.start - 5) : m.start]
    if kind in _DAYS:
        return not _AROUND.isdisjoint(before) and bool(_BESIDE_A_DATE.search(" ".join(before)))
    if kind not in _AMOUNTS:
        return False
    if not _MULTIPLES.isdisjoint(before) and _MULTIPLE.search(" ".join(before)):
        return True
    after = text.lows[m.end : min(last, m.end + 6)]
    return not _SIZES.isdisjoint(after) and bool(_RESIZED.search(" ".join(after)))


_AROUND = one_of("before after around about")
_MULTIPLES = one_of(
    "half double twice triple thrice third quarter fraction times fold tenfold least minimum less"
    " anything something anywhere somewhere"
)
_SIZES = one_of("million billion trillion hundred thousand less minus reduced")


_PAST_WORDS = one_of("was were used had meant")


def former(text: Text, m: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether the answer itself is told as what was: it was April 6 at first, now it is May 4."""
    first, last = text.around(m.start)
    near = text.lows[max(first, m.start - 6) : m.start]
    if _PAST_WORDS.isdisjoint(near):
        return False
    before = " ".join(near)
    if _WAS_TO.search(before) and _SINCE_CHANGED.search(text.low(m.end, last)):
        return True
    if not _ONCE_WAS.search(before):
        return False
    then = next((x for x in mentions if x.start >= m.end and not x.right), None)
    if then is None or then.start - m.end > 20:
        return False
    return bool(_NOW_IS.search(text.low(max(m.end, then.start - 5), then.start)))


_STILL = one_of(
    "left remain remains remaining open outstanding owe owes owed unpaid due leave leaves leaving"
    " still balance yet free available vacant"
)
_NO_LONGER = one_of(
    "paid settled used spent gone taken waived cleared cancelled redeemed consumed had"
)


def opposed(text: Text, m: Mention, cues: Sequence[str]) -> bool:
    """Whether an amount is told as what is used or paid, where what is left was asked for."""
    if _STILL.isdisjoint(lows_of(tuple(cues))):
        return False
    first, last = text.around(m.start)
    start, end = m.start, m.end
    while start > first and text.words[start - 1].low not in _CLAUSE:
        start -= 1
    while end < last and text.words[end].low not in _CLAUSE:
        end += 1
    said = {w.low for w in text.words[start:end]}
    negated = any(w.stem == "not" or w.low in ("no", "never") for w in text.words[start:end])
    return not (_NO_LONGER.isdisjoint(said) or not _STILL.isdisjoint(said) or negated)


def _lets_stand(line: str, at: int) -> bool:
    """Whether a negation leaves the value itself as it is: "not before April 6"."""
    stands = _STANDS.search(line, at)
    return stands is not None and not _IS_SAID.search(line, stands.end())


def _denied(text: Text, m: Mention, kind: str) -> bool:
    first, last = text.around(m.start)
    words, shape = text.words, text.shape
    at = m.start
    while at > first and words[at - 1].low not in _CLAUSE and m.start - at < 10:
        at -= 1
    if _NOT_OR_NO.search(shape, at, m.start):
        before = text.apart_from_titles(at, m.start)
        if kind == "span" and _PROHIBITED_FOR.search(before):  # don't eat for eight hours
            return False
        said = [negation.end() for negation in _NEGATION.finditer(before)]
        if said and not _lets_stand(before, said[-1]):
            return True
        if _NO_THING.search(before + " "):
            return True
    at = m.end
    while at < min(last, m.end + 6) and words[at].low not in _CLAUSE_AFTER:
        at += 1
    if "~" not in shape[m.end : at]:
        return False
    after = text.apart_from_titles(m.end, at)
    denied = _DENIED_AFTER.search(after)
    return denied is not None and not _STANDS_AFTER.search(after, denied.end())
