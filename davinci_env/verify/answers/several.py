"""What a refusal says beside a rule: rivals, guesses, enumerations, heaps, another reason."""

import re
from collections.abc import Mapping, Sequence

from davinci_env.verify.answers import naming
from davinci_env.verify.answers.declining import DECLINES
from davinci_env.verify.answers.naming import Field, Met
from davinci_env.verify.answers.text import Text
from davinci_env.verify.answers.voiding import Region
from davinci_env.verify.answers.words import one_of

_BECAUSE = one_of("because since as :")
_REASON_ENDS = one_of(", ; and or")
_CHOICE = re.compile(
    r"\b(?:one (?:or (?:more|another|other) )?of (?:these|those|our|several"
    r"|the (?:following|above|\w+ (?:rules|reasons)|rules|reasons))"
    r"|any (?:one )?of (?:these|those|the following)|or because|or (?:maybe|perhaps|possibly|else)"
    r"|whichever|take your pick|not sure which|some of (?:these|those|the following)"
    r"|alternatively|can't (?:tell|say) which|don't know which)\b"
)
# How a rule is put.
_STATES = re.compile(
    r"\b(?:not|never|\w+n't|cannot|nobody|nothing|no|only|at most|at least|must|ha(?:s|ve) to"
    r"|needs?|before|until|unless|once|may|can|while|none|neither|less|more)\b"
)
_HEDGES = re.compile(r"\b(?:either|maybe|perhaps|possibly|might|could|may be)\b")
# How much less words say in what is declined, and inside a longer phrase; and how much of the
# rule's own weight a rival needs that shares no word with it, or where the rule is only implied.
DECLINED = 0.1
_APART = 0.8
# From what weight on a sentence states a rule, and from how many others on a message recites.
_STATED = 0.9
_SEVERAL = 2
_IMPLIED = 0.7
_HEAP = 3
_MOSTLY_CONCEPTS = 0.75
_CLAUSE_ENDS = one_of(
    ": ; , — . ! ? because since as due owing so given until unless without while which but"
)


def heaped(read: Text, ready: Field, where: naming.Where) -> bool:
    """Whether a sentence gives no reason, but a heap of words for the same.

    What it declines is left out ("I can't take it back, since …"), and words in the same place are
    one: "more than $5.00" isn't "more than" and an amount besides.
    """
    own = frozenset().union(*ready.rules[0])
    for s in range(len(read.ends)):
        first, last = read.bounds(s)
        here = {w: [p for p in where[w] if first <= p[0] < last] for w in own & where.keys()}
        covered = {i for places in here.values() for p in places for i in range(*p)}
        left = _besides_declining(read, first, last, covered)
        inside = {w: [p for p in places if p[0] in left] for w, places in here.items()}
        if max((_apart(inside, group) for group in ready.rules[0]), default=0) < _HEAP:
            continue
        said = [i for i in left if read.words[i].stem]
        if len(covered.intersection(said)) >= _MOSTLY_CONCEPTS * len(said):
            return True
    return False


def _besides_declining(read: Text, first: int, last: int, concepts: set[int]) -> set[int]:
    """The words of a sentence without the clauses that decline by other words than concepts."""
    line, left = read.low(first, last), set(range(first, last))
    for said in DECLINES.finditer(line):
        start = first + line.count(" ", 0, said.start())
        if start in concepts:
            continue
        end = start + 1
        while start > first and read.words[start - 1].low not in _CLAUSE_ENDS:
            start -= 1
        while end < last and read.words[end].low not in _CLAUSE_ENDS:
            end += 1
        left.difference_update(range(max(first, start - 1), end))
    return left or set(range(first, last))


def _apart(inside: naming.Where, group: frozenset[int]) -> int:
    """How many words of a group are said, each in a place of its own; longer ones first."""
    said = [(start - end, start, end, w) for w in group & inside.keys() for start, end in inside[w]]
    taken: set[int] = set()
    seen = set()
    for _, start, end, word in sorted(said):
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            seen.add(word)
    return len(seen)


_GIVES_A_REASON = re.compile(r"\b(?:because|since|as|due to|owing to)\b|[:;—]")
_CONCLUDING = re.compile(r"\w[^;:—]*[,;—-] (?:so|therefore|hence|which is why)\b")
_HAS_A_REASON = re.compile(r"\b(?:because|since|as|due to|so|therefore)\b|:")


def beside_the_reason(read: Text, sentence: int, own: Met, dim: Mapping[int, float]) -> bool:
    """Whether the rule's words stand only in what is declined, or conceded, beside a reason.

    "I can't make it a video visit since that time is taken"; "a guardian is on file, but no seat is
    left, so I can't book".
    """
    first, last = read.bounds(sentence)
    here = [at for at in own if first <= at < last]
    if not here or len(here) < len(own):
        return False
    if all(dim.get(at, 1.0) <= DECLINED for at in here):
        after, before = read.low(max(here) + 1, last), read.low(first, min(here))
        return bool(_GIVES_A_REASON.search(after) or _CONCLUDING.search(before))
    parts = [i for i in range(first, last) if read.words[i].low == "but"]
    start = max((i for i in parts if DECLINES.search(read.low(i, last))), default=0)
    conceded = start and all(at < start for at in here)
    return bool(conceded and _HAS_A_REASON.search(read.low(start, last)))


def outweigh(
    read: Text,
    region: Region,
    ready: Field,
    met: Met,
    others: Sequence[Met],
    dim: Mapping[int, float],
) -> str:
    own = naming.weight(ready, met, dim)
    least = own * (_IMPLIED if naming.only_implied(ready, 0, met) else 1)
    guesses, stronger = 0, False
    for m in others:
        if m.keys() <= met.keys():  # says nothing that the rule doesn't
            continue
        # Rules that share words do not compete by them; what says all of another rule beside this
        # one needs less to count.
        theirs = naming.weight(ready, m, dim)
        stronger |= theirs > least * (_APART if m.keys().isdisjoint(met) else 1)
        its = naming.weight(ready, {at: word for at, word in m.items() if at not in met}, dim)
        guesses += its >= own / 3
    lines = [read.low(a, b) for a, b in region] if guesses else []
    chosen = any(map(_CHOICE.search, lines)) or any(_or_between(read, met, m) for m in others)
    if chosen or guesses > 2 or (guesses > 1 and any(map(_HEDGES.search, lines))):
        return "several rules are named as guesses"
    return "another rule is named" if stronger else "named"


def _or_between(read: Text, own: Met, other: Met) -> bool:
    """Whether "or" stands between the words of two rules: "no free seat, or no guardian"."""
    theirs = [at for at in other if at not in own]
    if not theirs or other.keys() <= own.keys():
        return False
    for at in own:
        for there in theirs:
            low, high = sorted((at, there))
            near = high - low <= _NEAR_OR and any(w.low == "or" for w in read.words[low:high])
            if near and at not in other:
                return True
    return False


_NEAR_OR = 8


def enumerates(
    read: Text, sentence: int, ready: Field, where: naming.Where, near: Sequence[int]
) -> bool:
    """Whether a sentence gives several reasons, clause by clause, of which one is the rule's."""
    first, last = read.bounds(sentence)
    begins = next((i for i in range(first, last) if read.words[i].low in _BECAUSE), None)
    if begins is None:
        return False
    others, start = 0, begins + 1
    for at in range(begins + 1, last):
        if read.words[at].low not in _REASON_ENDS and at + 1 < last:
            continue
        clause = [(start, at + 1)]
        if not naming.met(ready, 0, where, clause):
            others += any(naming.met(ready, rule, where, clause) for rule in near if rule)
        start = at + 1
    return others >= _SEVERAL


def recites(
    read: Text,
    lines: Sequence[str],
    sentence: int,
    ready: Field,
    where: naming.Where,
    near: Sequence[int],
) -> bool:
    """Whether a message states several other rules as well, each in a sentence of its own."""
    others: set[int] = set()
    for s, line in enumerate(lines):
        if s == sentence or not _STATES.search(line):
            continue
        place = [read.bounds(s)]
        best, most = 0, 0.0
        for rule in near:
            found = naming.met(ready, rule, where, place)
            said = naming.weight(ready, found, {}) if found else 0.0
            if said > most:
                best, most = rule, said
        if best and most >= _STATED:
            others.add(best)
    return len(others) >= _SEVERAL
