"""Rules in a business's own words: which rules' texts a message recites, and whether it leaves open
which of several applies.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from davinci_env.verify.answers.text import Text
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
_LEAST = 4
_MOSTLY = 0.8
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
        if len(said) < _LEAST or start in void or end - 2 in void:
            continue
        shares = {code: len(said & words) / len(said) for code, words in stems.items()}
        best = max(shares.values(), default=0.0)
        if best >= _MOSTLY:
            found.add(max(shares, key=lambda code: shares[code]))
    return found


@lru_cache(maxsize=1 << 10)
def _stems(text: str) -> frozenset[str]:
    return frozenset([w.stem for w in spoken(text)]) - _EMPTY
