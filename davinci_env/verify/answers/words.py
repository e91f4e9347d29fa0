"""Words of a message: tokens, stems and the one-letter kinds that the value grammar reads.

A message becomes a list of `Word`s and a *shape*, a string with one letter a word ("d" a day unit,
"M" a month …). Values are then found by small regular expressions over the shape (`finding`). What
a shape means is not decided here.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# Letters first: most tokens are words. No token spans white space.
_TOKEN = re.compile(
    r"""(?x)
      [A-Za-z]++(?:'(?!s\b)[A-Za-z]++)?+        # a word, contractions whole
        (?![\d_@]|-\d|\.[mM]\b|[.+-][\w.+-]*@)
    | [AaPp]\.[Mm]\b | (?<=\d)[hH](?=\d)
    | \d{4}-\d\d-\d\d(?:[tT]\d\d:\d\d(?::\d\d)?+)?+(?![\d-])      # ISO date or moment
    | \d{1,2}:\d\d(?::\d\d)?+(?!\d)                               # clock
    | \d{1,2}/\d{1,2}(?:/\d{2,4})?+(?![\d/]) | \d{1,2}\.\d{1,2}\.\d{2,4}(?!\d)
    | \d++(?:,\d{3})*+(?:\.\d++)?+(?!(?![hH]\d)[A-Za-z]+-?\d|_)     # number
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                                # e-mail
    | [A-Za-z0-9]++(?:[-_][A-Za-z0-9]++)*+                         # id
    | 's\b | [^\w\s] | \w+
    """
)

_PLAIN = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": " — ", "−": "-"}
    | {"ø": "o", "Ø": "O", "ß": "ss", "æ": "ae", "ł": "l", "…": "...", "\u00a0": " ", "\u202f": " "}
)


def one_of(words: str) -> frozenset[str]:
    """A table of words, written as a line of them."""
    return frozenset(words.split())


def in_order(words: str) -> tuple[str, ...]:
    """A table of words whose order matters."""
    return tuple(words.split())


def fold(text: str) -> str:
    """Drop accents, typographic quotes, dashes and spaces; keep case."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(c for c in plain if not unicodedata.combining(c))


UNITS = in_order(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
TENS = in_order("twenty thirty forty fifty sixty seventy eighty ninety")
ORDINALS = in_order(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
MONTHS = in_order(
    "january february march april may june july august september october november december"
)
WEEKDAYS = in_order("monday tuesday wednesday thursday friday saturday sunday")
CURRENCIES = one_of("usd dollar dollars buck bucks eur euro euros gbp pound pounds")

# Words of one kind and no value of their own.
_KINDS: dict[str, str] = {
    "a": "a an", "A": "and &", "h": "half", "q": "quarter quarters", "z": "dozen",
    "0": "no none nobody nothing free", "s": "st nd rd th", "p": "am pm a.m p.m", "k": "o'clock",
    "Q": "morning afternoon evening night", "c": "cent cents", "m": "minute minutes min mins",
    "J": "h", "j": "hour hours hr hrs", "d": "day days", "w": "week weeks wk wks",
    "x": "next", "l": "last", "i": "this coming", "g": "ago", "I": "in within", "F": "from",
    "b": "past", "e": "to", "v": "of", "E": "the", "f": "after", "Z": "end",
}  # fmt: skip

# Words that may turn a statement into something else, a denial, a contrast, a guess, a plan or a
# change: `claims` looks closer where one stands.
TURNING = one_of(
    "not never cannot neither nor without hardly unable instead rather than unlike except"
    " excluding besides apart aside other another different opposed compared versus addition top"
    " counting replaces replacing place previous previously former formerly old original"
    " originally earlier used longer before far until over under above below almost nearly between"
    " be → maybe perhaps possibly probably whether if moved changed extended pushed rescheduled"
    " switched updated shifted postponed prolonged raised lowered reduced cut rose fell"
)

_PUNCTUATION = one_of(", - . ! ? ;")

_VALUES: dict[str, tuple[str, int]] = {
    **{w: ("u", i) for i, w in enumerate(UNITS)}, "once": ("u", 1), "twice": ("u", 2),
    **{w: ("t", 10 * i) for i, w in enumerate(TENS, 2)},
    **{w: ("o", i) for i, w in enumerate(ORDINALS, 1)}, "thirtieth": ("o", 30),
    **{w: ("M", i) for i, w in enumerate(MONTHS, 1)},
    **{w[:3]: ("M", i) for i, w in enumerate(MONTHS, 1)}, "sept": ("M", 9),
    **{w: ("W", i) for i, w in enumerate(WEEKDAYS)},
    **{w[:n]: ("V", i) for i, w in enumerate(WEEKDAYS) for n in (3, 4)}, "thurs": ("V", 3),
    "hundred": ("H", 100), "thousand": ("K", 1000),
    "yesterday": ("R", -1), "today": ("R", 0), "tonight": ("R", 0), "tomorrow": ("R", 1),
    "noon": ("N", 12), "midday": ("N", 12), "midnight": ("N", 0),
    **dict.fromkeys(CURRENCIES, ("C", 0)), **dict.fromkeys("$€£", ("$", 0)),
    **{w: (kind, 0) for kind, words in _KINDS.items() for w in words.split()},
}  # fmt: skip

# How far apart two words stand, in words, if this one is between them.
_DISTANCE = {
    ",": 4, "(": 6, ")": 6, "—": 4, ";": 9, "but": 6, "and": 5, "while": 6, "whereas": 6, "so": 4,
    "although": 6, "plus": 4, "\n": 40, "!": 40, "?": 40, '"': 0, "*": 0, "_": 0,
}  # fmt: skip

_IRREGULAR = {
    "suspension": "suspend", "extension": "extend", "sent": "send", "lent": "lend", "held": "hold",
    "paid": "pay", "took": "tak", "taken": "tak", "gave": "giv", "given": "giv", "kept": "keep",
    "children": "child", "people": "person", "closure": "clos", "identification": "identif",
    "verification": "verif", "ran": "run", "bought": "buy", "made": "mak", "lost": "los",
    "sold": "sell", "eaten": "eat", "wives": "wif", "used": "us", "use": "us",
}  # fmt: skip
# Function words that only look inflected.
_KEPT = one_of("this was has does his its us is as during status unless plus thus less")
_EED = one_of("need exceed proceed succeed indeed feed seed speed")
_SUFFIXES = (
    "able",
    "ations",
    "ation",
    "ating",
    "ated",
    "ates",
    "ate",
    "ments",
    "ment",
    "ings",
    "ing",
    "ied",
    "ies",
    "ed",
    "als",
    "al",
    "es",
    "s",
)


def stem(word: str) -> str:
    """Reduce an English word to a stem shared by its inflections, e.g. renewals, renewed: renew."""
    if word in _KEPT or word in _IRREGULAR:
        return _IRREGULAR.get(word, word)
    if word.endswith("eed"):
        return word if word in _EED else stem(word[:-1])
    for suffix in _SUFFIXES:
        rest = word.removesuffix(suffix)
        if len(rest) >= 3 and rest != word and not word.endswith("ss"):
            word = rest
            break
    if len(word) < 4:
        return word
    if word[-1] == word[-2] and (word[-1] not in "aeioslz" or (word[-1] == "l" and len(word) > 4)):
        word = word[:-1]
    if word[-1] == "y" and word[-2] not in "aeou":
        word = word[:-1]
    return word.rstrip("e").removesuffix("i")


@lru_cache(maxsize=1 << 14)
def light_stem(word: str) -> str:
    """Drop a plural "s" and spell participles one way (cancelled, canceled); keep the rest."""
    if word.endswith("lled"):
        return word[:-3] + "ed"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """One token.

    Attributes:
        raw, low: the token as written, and in lower case.
        kind: the letter it has in a shape; "_" for a word without meaning to values.
        value: number, month, weekday or offset that it stands for, where its kind has one.
        stem, light: what phrases are compared by; "" for punctuation.
        distance: how far apart it pushes its neighbours.
    """

    raw: str
    low: str
    kind: str
    value: float
    stem: str
    light: str
    distance: int


def _word(raw: str) -> Word:
    low = raw.lower()
    kind, value = _classify(low)
    distance = _DISTANCE.get(low, 1)
    if not low[0].isalnum() and low != "'s":
        return Word(raw, low, kind, value, "", "", distance)
    if kind in "nut" and low not in ("once", "twice"):  # ten, 10 and 10.00 are one word to phrases
        key = f"{value:g}"
        return Word(raw, low, kind, value, key, key, distance)
    if low.endswith("n't") or low == "cannot":
        return Word(raw, low, kind, value, "not", "not", distance)
    return Word(raw, low, kind, value, stem(low), light_stem(low), distance)


LINE_END = (Word("\n", "\n", "\n", 0, "", "", _DISTANCE["\n"]),)


@lru_cache(maxsize=1 << 15)
def words_of(chunk: str) -> tuple[Word, ...]:
    """The words of a piece of folded text without spaces: `"fee,"` gives a word and a comma.

    Remembered, because people repeat themselves: most pieces of a message have been seen before.
    """
    if chunk == "\n":
        return LINE_END
    return tuple([_word(token) for token in _TOKEN.findall(chunk)])


def spoken(text: str) -> list[Word]:
    """The words of a short text, without punctuation."""
    return [w for chunk in fold(text).split() for w in words_of(chunk) if w.stem]


def _classify(low: str) -> tuple[str, float]:
    if low in _VALUES:
        return _VALUES[low]
    if not low[0].isdigit():
        if low[0] == "x" and low[1:].isdecimal():  # x3
            return "n", float(low[1:])
        if re.fullmatch(r"p(?:\d+d)?t(?=\d)(?:\d+h)?(?:\d+m)?(?:\d+s)?|p\d+[dw]", low):
            return "P", 0
        if low in TURNING or low.endswith("n't"):
            return "~", 0
        if low in _PUNCTUATION:
            return low, 0
        return ("L" if low.isalnum() and not low.isalpha() else "_"), 0
    if ":" in low:
        return ("T" if "-" in low else ":"), 0
    if "/" in low or low.count(".") == 2:
        return "X", 0
    if re.fullmatch(r"\d{4}-\d\d-\d\d", low):
        return "D", 0
    digits = low.replace(",", "")
    if not re.fullmatch(r"\d+(?:\.\d+)?", digits):
        return "L", 0
    return ("y" if re.fullmatch(r"(?:19|20)\d\d", low) else "n"), float(digits)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A word or several, ready to be looked for.

    Attributes:
        key: the stems with one space on each side of each; without the last space it is met by
            longer words as well.
        size: the number of words.
        light: light stems that its words must have as well, if one of them is a participle: the
            concept "booked" is not met by the verb "book".
        proper: whether it is a name, i.e. written with a capital.
    """

    key: str
    size: int
    light: tuple[str, ...]
    proper: bool


@lru_cache(maxsize=1 << 13)
def phrase(text: str) -> Phrase:
    """Prepare a cue or a choice to be looked for."""
    found = spoken(text)
    participle = any(
        w.low.endswith("ed") and len(w.low) > 4 and not w.low.endswith("eed") for w in found
    )
    light = tuple(w.light for w in found) if participle else ()
    key = f" {' '.join(w.stem for w in found)} "
    return Phrase(key, len(found), light, any(c.isupper() for c in text))


@lru_cache(maxsize=1 << 11)
def lows_of(cues: tuple[str, ...]) -> frozenset[str]:
    """The words of a slot's cues in lower case."""
    return one_of(" ".join(cues).lower())


@lru_cache(maxsize=1 << 13)
def concept(text: str) -> Phrase:
    """Prepare a concept of a rule, in which authors cut long words short: recogni, investigat."""
    whole = phrase(text)
    if whole.size != 1 or whole.light or len(whole.key) < 8:
        return whole
    return Phrase(whole.key[:-1].removesuffix("at"), 1, (), False)


@lru_cache(maxsize=1 << 13)
def literal(text: str) -> tuple[str, int]:
    """Prepare a name to be looked for word by word, without any stemming; with its word count."""
    words = [w.low for w in spoken(text)]
    return f" {' '.join(words)} ", len(words)
