"""Whether a message asserts a value it mentions, or denies, asks about, contrasts or guesses it.

All judgements are about one mention. What the mention is about is decided in `labels`.
"""

import re
from collections.abc import Sequence
from typing import Literal

from davinci_env.verify.answers.mentions import Mention
from davinci_env.verify.answers.text import Text
from davinci_env.verify.answers.words import one_of

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
    r"\b(?:not|never|cannot|neither|nor|without|hardly|unable|\w+n't|no longer|none of)\b"
)
# "not due until April 6", "no later than", "don't forget that": the value itself stands.
_STANDS = re.compile(
    r"\b(?:until|till|before|later|beyond|earlier|sooner|past|only|just|forget|worry|hesitate"
    r"|problem|counting|including|more than|less than|longer than)\b"
)
_DENIED_AFTER = re.compile(
    r"^(?:\w+ ){0,3}?(?:\w+n't|cannot"
    r"|(?:is|are|was|were|do|does|did|has|have|can|will) (?:not|no longer))\b"
)
_NO_THING = re.compile(
    r"\bno (?!later|earlier|sooner|more|less|fewer|longer)(?:\w+ ){1,2}(?:of )?$"
)

_FILL = (
    r"(?: (?:the|on|at|in|your|a|an|to|by|our|for|of|with|branch|order|just|about|from|\$|#|\"))*$"
)
_CONTRAST = re.compile(
    r"(?:instead of|rather than|(?<!no later )(?<!not later )than|unlike|except|excluding|besides"
    r"|apart from|aside from|other than|as opposed to|compared (?:to|with)|versus|in addition to"
    r"|on top of|not counting|replac(?:es|ing)|in place of|(?:^| )not|used to be|no longer"
    r"|(?:previous|former|old|original|earlier)(?:ly)?(?: \w+)?(?: was| were)?)" + _FILL
)
_CONTRAST_AFTER = re.compile(
    r"^(?:\w+ )?(?:(?:previously|formerly|originally|before that|so far|until now)\b|→|- >|= >)"
)
_OTHER = re.compile(r"\b(?:other|another|different)(?: \w+){0,3}(?: [,(:])?" + _FILL)
_OUT_OF = re.compile(r"\bof(?: (?:the|your|our|these|those|its|their|all))*$")
_SETTLED = re.compile(
    r"^(?:\w+ ){0,2}(?:was|were|has been|have been|is|are) (?:already |now )?"
    r"(?:paid|settled|waived|cleared|cancell?ed|taken|sold|gone|booked|full)\b"
)
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
_PRESENT = re.compile(
    r"\b(?:now|new|currently|is|it's|are|will|has been|have been|until|instead)\b"
)
_FROM = re.compile(r"\bfrom" + _FILL)
_CHANGE = (
    r"\b(?:mov|chang|extend|push|reschedul|switch|updat|shift|postpon|renew|prolong|rais|lower"
    r"|reduc|cut|rose|fell)\w*"
)
_CHANGES = re.compile(_CHANGE)
_CHANGED_TO = re.compile(_CHANGE + r"(?: \w+){0,2} (?:to|onto|into|until)" + _FILL)
_PLANNED = re.compile(
    r"\b(?:will|to|can|could|would|may|might|should|'ll|must) (?:\w+ )?be(?: \w+)?$"
)
_ASKING = one_of(
    "is are was were do does did can could shall should would will may might have has what when"
    " where which who how why anything ok okay right"
)
_EXTRA = one_of("more additional further extra other others")
_AMOUNTS = ("number", "money", "span")


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
    if _TURNED_AFTER.match(shape, m.end) and _CONTRAST_AFTER.search(text.low(m.end, m.end + 3)):
        return "contrasted"
    if "e" in shape[m.end : last] and _replaced(text, m, mentions, kind, before):
        return "contrasted"
    if (turned and _RANGE.search(before)) or (kind in _AMOUNTS and _bounded(text, m, before)):
        return "a bound or range"
    if turned and _GUESSED.search(before):
        return "only guessed"
    if not m.by_absence and _denied(text, m, kind):
        return "denied"
    if turned and kind == "enum" and _PLANNED.search(before) and _ends_in_ed(text, m):
        return "only planned"
    if asked(text, m.start) or (turned and _WONDERED.search(before)):
        return "asked about"
    return "asserted"


def _ends_in_ed(text: Text, m: Mention) -> bool:
    return text.words[m.end - 1].low.endswith("ed")


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
    if not _PAST.search(text.low(near, m.start)):
        return False
    return any(_PRESENT.search(text.low(max(0, h.start - 7), h.start)) for h in held)


def set_apart(text: Text, m: Mention, kind: str) -> bool:
    """Whether a wrong value is told as another thing's or as settled.

    Your other order, W9911714; two of our five copies; the $80.00 bill was paid.
    """
    first, last = text.around(m.start)
    before = text.low(max(first, m.start - 6), m.start)
    if "~" in text.shape[max(first, m.start - 6) : m.start] and _OTHER.search(before):
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


def _denied(text: Text, m: Mention, kind: str) -> bool:
    first, last = text.around(m.start)
    words, shape = text.words, text.shape
    at = m.start
    while at > first and words[at - 1].low not in _CLAUSE and m.start - at < 10:
        at -= 1
    if _NOT_OR_NO.search(shape, at, m.start):
        before = text.low(at, m.start)
        if kind == "span" and _PROHIBITED_FOR.search(before):  # don't eat for eight hours
            return False
        said = [negation.end() for negation in _NEGATION.finditer(before)]
        if said and not _STANDS.search(before, said[-1]):
            return True
        if _NO_THING.search(before + " "):
            return True
    at = m.end
    while at < min(last, m.end + 6) and words[at].low not in _CLAUSE_AFTER:
        at += 1
    if "~" not in shape[m.end : at]:
        return False
    after = text.low(m.end, at)
    denied = _DENIED_AFTER.search(after)
    return denied is not None and not _STANDS.search(after, denied.end())
