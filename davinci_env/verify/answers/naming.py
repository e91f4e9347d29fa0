"""Which of a business's rules a message has the words of, and how much these words say.

A rule is met in a stretch of a message when each of its concept groups is. Which stretches count is
not decided here (`refusals`).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from davinci_env.verify.answers.declining import DECLINES
from davinci_env.verify.answers.rings import IMPLIED, widened
from davinci_env.verify.answers.text import Place, Text
from davinci_env.verify.answers.words import Phrase, concept, one_of, stem

Concepts = tuple[tuple[str, ...], ...]
Region = Sequence[Place]
Where = Mapping[int, Sequence[Place]]
"""Concepts that a message says, by number, and where."""
Met = dict[int, int]
"""The word of the heaviest concept that begins at a place, by place."""

# Words of any rule at all.
_COMMON = one_of(
    "already again another been before both currently earlier else existing first have last left"
    " more need needs no nothing one only open other over own same second see seen still third time"
    " times twice two until who without yes you"
)
_SHORT = 3
_ONCE = concept("once").key
_SUBJECTS = one_of("i you he she it we they that this the your our a an all")


class Field(NamedTuple):
    """The rules of a business made ready: the right one first, widened by what it implies.

    Attributes:
        words: all distinct concepts.
        weights: how much each says: less the more groups declare it.
        literal: whether it is declared, and not only implied.
        by_stem: which of them begin with a stem; cut: those that authors cut short, by what of a
            word is left.
        rules: each rule's groups as numbers of concepts.
    """

    words: tuple[Phrase, ...]
    weights: tuple[float, ...]
    literal: tuple[bool, ...]
    by_stem: dict[str, tuple[int, ...]]
    cut: tuple[tuple[str, int], ...]
    rules: tuple[tuple[frozenset[int], ...], ...]


@lru_cache(maxsize=1 << 8)
def field(right: Concepts, others: tuple[Concepts, ...]) -> Field:
    """Make a rule and its rivals ready."""
    plain = (right, *others)
    rules = (tuple([widened(group) for group in right]), *others)
    names = list(dict.fromkeys(w for groups in rules for group in groups for w in group))
    number = {name: i for i, name in enumerate(names)}
    declared: dict[str, int] = {}
    for groups in plain:
        for group in groups:
            for word in set(group):
                declared[word] = declared.get(word, 0) + 1
    words = tuple([concept(name.removeprefix(IMPLIED)) for name in names])
    stems: dict[str, list[int]] = {}
    cut = []
    for i, ready in enumerate(words):
        if not ready.size:
            continue
        if ready.key.endswith(" "):
            stems.setdefault(ready.key.split()[0], []).append(i)
        else:
            cut.append((ready.key, i))
    return Field(
        words,
        tuple([_strength(w) / math.sqrt(declared.get(w.removeprefix(IMPLIED), 1)) for w in names]),
        tuple([not w.startswith(IMPLIED) for w in names]),
        {stem: tuple(numbers) for stem, numbers in stems.items()},
        tuple(cut),
        tuple([tuple([frozenset(number[w] for w in g) for g in groups]) for groups in rules]),
    )


def _strength(word: str) -> float:
    """How much a word says by its kind: an amount more than a phrase, and that more than a word."""
    plain = word.removeprefix(IMPLIED)
    kind = 0.5 if plain in _COMMON else 1.0
    if word.startswith(IMPLIED):
        return 0.5 * kind
    return 2 if any(c.isdigit() for c in plain) else 1.5 if " " in plain else kind


def said(read: Text, ready: Field) -> dict[int, list[Place]]:
    """Where the message says which concepts."""
    near = [i for stem in read.stem_set.intersection(ready.by_stem) for i in ready.by_stem[stem]]
    near += [i for key, i in ready.cut if key in read.stems]
    found = {}
    for i in near:
        word = ready.words[i]
        if places := _places(read, word):
            found[i] = places
    if "L" in read.shape:
        for at, key in _codes(read):
            for i in ready.by_stem.get(key, ()):
                if ready.words[i].size == 1:
                    found.setdefault(i, []).append((at, at + 1))
    return found


def _codes(read: Text) -> list[tuple[int, str]]:
    """What the letters of codes say: BUNDLE15 is a bundle."""
    named = ((at, w.low.rstrip("0123456789")) for at, w in enumerate(read.words) if w.kind == "L")
    return [(at, stem(low)) for at, low in named if len(low) > _SHORT and low.isalpha()]


def _places(read: Text, word: Phrase) -> list[Place]:
    places = read.places(word)
    if word.key == _ONCE:  # the conjunction "once (you've paid)" is no count
        return [p for p in places if not _begins_clause(read, p[1])]
    if word.key == " not ":  # "can't" is what declines, and no part of the reason
        return [p for p in places if not DECLINES.search(read.low(p[0], p[1] + 1))]
    return places


def _begins_clause(read: Text, at: int) -> bool:
    return at < len(read.words) and read.words[at].low in _SUBJECTS


def candidates(ready: Field, words: Iterable[int]) -> list[int]:
    """The rules of which each group is met somewhere."""
    here = frozenset(words)
    found = []
    for number, groups in enumerate(ready.rules):
        for group in groups:
            if here.isdisjoint(group):
                break
        else:
            if groups:
                found.append(number)
    return found


def met(ready: Field, rule: int, where: Where, region: Region) -> Met:
    """Which words of a rule's groups a region says where; empty unless each group is met in it."""
    found: Met = {}
    for group in ready.rules[rule]:
        hit = False
        for word in group.intersection(where):
            for start, end in where[word]:
                if any(a <= start and end <= b for a, b in region):
                    hit = True
                    if start not in found or ready.weights[word] > ready.weights[found[start]]:
                        found[start] = word
        if not hit:
            return {}
    return found


def weight(ready: Field, found: Met, dim: Mapping[int, float]) -> float:
    """How much the words met say together.

    Args:
        dim: by place, how much less a word says there.
    """
    return sum([ready.weights[word] * dim.get(at, 1.0) for at, word in found.items()])


def only_implied(ready: Field, rule: int, found: Met) -> bool:
    """Whether some group is met by nothing that the rule declares."""
    words = {word for word in found.values() if ready.literal[word]}
    return any(words.isdisjoint(group) for group in ready.rules[rule])
