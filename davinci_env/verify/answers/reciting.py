"""Rules in a business's own words: which rules' texts a message recites, and whether it leaves open
which of several applies.
"""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from davinci_env.verify.answers.text import Place, Text
from davinci_env.verify.answers.words import one_of, spoken

_UNDECIDED = re.compile(
    r"\b(?:because of|for|due to|owing to|by) (?:at least |either |any |some )?(?:one|any|some)"
    r" (?:or (?:more|another|other) )?of (?:these|those|the following|our|several|many)\b"
    r"|\bone of (?:these|those|the following|our) (?:\w+ )?(?:reasons?|rules?)\b"
    r"|\b(?:possible|potential|likely|usual|various|several|many|multiple) reasons\b"
    r"|\breasons? (?:could|may|might|can|includes?)\b"
    r"|\b(?:my guess|i guess|i suppose|i assume|presumably|maybe|perhaps|possibly|probably"
    r"|might be)\b.* or\b"
    r"|(?:^|[:;,—] )either\b.*[.:;] $|^\W*or\b"
)
_PIECES = one_of("; : —")
_LEAST = 4
_MOSTLY = 0.8
_HALF = 0.5
_EMPTY = one_of(
    "a an the is are was were be been it of to in on at for and or but so that this which by with"
    " as sorry not i you your we our do because since afraid unfortunat"
)


def undecided(lines: Sequence[str]) -> bool:
    """Whether the message leaves open which of several reasons applies."""
    return any(
        _UNDECIDED.search(line)
        for line in lines
        if " of " in line
        or "either" in line
        or "reason" in line
        or line.startswith(("or ", "- or ", "* or "))
    )


def recited(read: Text, texts: Mapping[str, str], void: frozenset[int]) -> set[str]:
    """The rules, by code, of whose texts a sentence of the message is a part.

    Args:
        texts: the rules' texts, as the policy puts them, by code.
        void: words of the message that are said not to apply.
    """
    stems = {code: _stems(text) for code, text in texts.items()}
    found: set[str] = set()
    for start, end in map(read.bounds, range(len(read.ends))):
        said = {w.stem for w in read.words[start:end] if w.stem} - _EMPTY
        asked = end > start and read.words[end - 1].low == "?"
        if len(said) < _LEAST or asked or start in void or end - 2 in void:
            continue
        shares = {code: len(said & words) / len(said) for code, words in stems.items()}
        best = max(shares.values(), default=0.0)
        if best >= _MOSTLY:
            found.add(max(shares, key=lambda code: shares[code]))
    return found


def quotes(read: Text, start: int, end: int, texts: Iterable[str], mostly: float = _MOSTLY) -> bool:
    """Whether a stretch of a message is, in most of its words, a piece of one of some texts."""
    said = {w.stem for w in read.words[start:end] if w.stem} - _EMPTY
    if len(said) < _LEAST - 1:
        return False
    return any(len(said & _stems(text)) >= mostly * len(said) for text in texts)


def pieces(read: Text, sentence: int) -> list[Place]:
    """A sentence in its pieces, as colons and semicolons part them."""
    first, last = read.bounds(sentence)
    cuts = [at + 1 for at in range(first, last) if read.words[at].low in _PIECES]
    bounds = [first, *cuts, last]
    return [(a, b) for a, b in itertools.pairwise(bounds) if b > a]


def has_words(text: str, stems: Iterable[str]) -> bool:
    """Whether a rule's text has all of some words."""
    return _stems(text).issuperset(stems)


def mostly_told(read: Text, text: str) -> bool:
    """Whether a message has at least half the words of a rule's text."""
    return 2 * len(_stems(text) & read.stem_set) >= len(_stems(text))


def carried_on(read: Text, texts: Mapping[str, str], void: frozenset[int]) -> frozenset[int]:
    """The other pieces of a rule's text of which a piece is said not to apply."""
    if not void:
        return void
    parts = [place for s in range(len(read.ends)) for place in pieces(read, s)]
    inside = [sorted(void.intersection(range(a, b))) for a, b in parts]
    denied = []
    for text in texts.values():
        for here, (start, end) in zip(inside, [*parts[1:], (0, 0)], strict=True):
            if not here:
                continue
            place = (here[0], here[-1] + 1)
            begun = quotes(read, start, end, [text]) and _shares(read, place, text)
            if begun or quotes(read, here[0], here[-1] + 1, [text], _HALF):
                denied.append(text)
                break
    return frozenset(i for a, b in parts if quotes(read, a, b, denied) for i in range(a, b))


def _shares(read: Text, place: Place, text: str) -> bool:
    """Whether a stretch has two words of a text."""
    return len({w.stem for w in read.words[slice(*place)]} & _stems(text)) > 1


@lru_cache(maxsize=1 << 10)
def _stems(text: str) -> frozenset[str]:
    return frozenset([w.stem for w in spoken(text)]) - _EMPTY
