"""A message read once: its words, its sentences, and where phrases are said in it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import accumulate, chain
from typing import Any, Generic, TypeVar

from davinci_env.verify.answers.showing import shown
from davinci_env.verify.answers.words import LINE_END, Phrase, fold, literal, one_of, words_of

LONGEST = 20_000
"""Characters of a message that are read; nobody answers a question at greater length."""

Place = tuple[int, int]
"""A stretch of a message: its first word and the one after its last."""

V = TypeVar("V")


class Lazy(Generic[V]):
    """A `cached_property` without its lock, which takes longer than most of what is kept here."""

    def __init__(self, read: Callable[[Any], V]) -> None:
        self._read = read
        self.__doc__ = read.__doc__

    def __get__(self, owner: Any, _: type) -> V:
        found = owner.__dict__[self._read.__name__] = self._read(owner)
        return found


_BREAK = re.compile(r"[.!?\n]")
_PARTICLES = tuple(f" {p} " for p in ("back", "out", "off", "over", "up", "down"))
_OBJECTS = ("it", "them", "that", "this", "thi", "one", "you")
_SMALL = one_of("in at on of the")
_SAID_OF = re.compile(r"(?:is|are|was|were|be|been|it's|that's|'s|:|says?|reads?)$")
_DASH = re.compile(r"(?<=\S) - (?!\d)|(?<=[^\d\s]) - (?=\d)")
_PARTING = one_of(", ; — ( ) but while whereas") | {"\n"}
_JOINS = one_of("and but while whereas though although yet not unlike")
_ABBREVIATED = one_of("dr mr mrs ms prof st no e.g i.e vs approx tel tue thu")


class Text:
    """The words of a message. There is at least one: an empty message is a line end.

    Attributes:
        words: its tokens.
        lows: the same in lower case.
        shape: their kinds, one letter each.
        stems: the stems of its spoken words, one space on each side of each.
        reach: running sum of distances; `reach[j] - reach[i]` is how far word j is from word i.
        ends: the word after each sentence's last, ascending; the last entry is the number of words.
    """

    def __init__(self, text: str) -> None:
        plain = fold(shown(text[:LONGEST]))
        if " - " in plain:
            plain = _DASH.sub(" — ", plain)
        self._chunks = plain.replace("\n", " \n ").split(" ") if "\n" in plain else plain.split(" ")
        self._parts = list(map(words_of, self._chunks))
        self.words = words = list(chain.from_iterable(self._parts)) or list(LINE_END)
        self.lows = [w.low for w in words]
        self.shape = "".join([w.kind for w in words])
        stems = [w.stem for w in words]
        self._spoken = [i for i, stem in enumerate(stems) if stem]
        self.stems = f" {' '.join(filter(None, stems))} "
        self.reach = list(accumulate([w.distance for w in words], initial=0))
        self.ends = [m.end() for m in _BREAK.finditer(self.shape) if self._breaks(m.start())]
        if not self.ends or self.ends[-1] != len(words):
            self.ends.append(len(words))

    def _breaks(self, at: int) -> bool:
        if self.shape[at] != ".":
            return True
        before = self.words[at - 1].low if at else ""
        if before.isdigit() and (at == 1 or self.shape[at - 2] == "\n"):  # 1. of an enumeration
            return False
        if before in ("a.m", "p.m"):  # their last dot may end the sentence as well
            return at + 1 == len(self.words) or self.words[at + 1].raw[0].isupper()
        return before not in _ABBREVIATED

    def sentence(self, at: int) -> int:
        """Number of the sentence that word `at` is in."""
        return bisect_right(self.ends, at)

    def bounds(self, sentence: int) -> Place:
        """Where a sentence stands."""
        return (self.ends[sentence - 1] if sentence else 0), self.ends[sentence]

    def around(self, at: int) -> Place:
        """Where the sentence stands that word `at` is in."""
        return self.bounds(bisect_right(self.ends, at))

    def low(self, start: int, end: int) -> str:
        """Some words in lower case, one space apart."""
        return " ".join(self.lows[start:end])

    def apart_from_titles(self, start: int, end: int) -> str:
        """Some words as `low` gives them, those of titles in quotation marks masked: what a thing
        is called says nothing about it.
        """
        if not self._titled:
            return self.low(start, end)
        words = enumerate(self.words[start:end], start)
        return " ".join(["title" if at in self._titled else w.low for at, w in words])

    @Lazy
    def _titled(self) -> frozenset[int]:
        """The words of the titles: of several words in quotation marks, in capitals at both ends,
        not said of something ("it is "Not Due"").
        """
        marks = [at for at, w in enumerate(self.words) if w.low == '"']
        found: set[int] = set()
        for first, last in zip(marks[::2], marks[1::2], strict=False):
            inner = self.words[first + 1 : last]
            said_of = first > 0 and _SAID_OF.match(self.words[first - 1].low) is not None
            capital = len(inner) > 1 and inner[0].raw[:1].isupper() and inner[-1].raw[:1].isupper()
            if capital and not said_of and self.sentence(first) == self.sentence(last - 1):
                found.update(range(first + 1, last))
        return frozenset(found)

    def quote(self, sentence: int) -> str:
        """A sentence as evidence."""
        start, end = self.bounds(sentence)
        ends = self._chunk_ends
        return " ".join(
            self._chunks[bisect_right(ends, start) : bisect_left(ends, end) + 1]
        ).strip()

    @Lazy
    def _chunk_ends(self) -> list[int]:
        return list(accumulate(map(len, self._parts)))

    @Lazy
    def partings(self) -> list[int]:
        """The words that part clauses: "but", a semicolon, a comma before "and"."""
        lows, lines = self.lows, "\n" in self.shape
        at = [i for i, low in enumerate(lows) if low in _PARTING]
        after = [*lows, ""]
        return [
            i
            for i in at
            if (lows[i] != "," or after[i + 1] in _JOINS)
            and not (lines and lows[i] == "—")  # "Night Ferry — March 27", in lines
        ]

    # ------------------------------------------------------------------ looking for phrases
    @Lazy
    def _lows(self) -> str:
        return f" {' '.join([self.words[i].low for i in self._spoken])} "

    @Lazy
    def stem_set(self) -> frozenset[str]:
        """The stems of its spoken words."""
        return frozenset(self.stems.split())

    def places(self, what: Phrase) -> list[Place]:
        """Where a phrase is said, inflected or not."""
        found = []
        if what.key in self.stems:
            found = self._search(self.stems, what.key, what.size)
        if what.size == 2 and what.key.endswith(_PARTICLES):  # send it back
            first, last = what.key.split()
            for it in _OBJECTS:
                apart = f" {first} {it} {last} "
                found += self._search(self.stems, apart, 3) if apart in self.stems else []
        if what.light:
            found = [p for p in found if self._light(p) == what.light]
        return found

    def _light(self, place: Place) -> tuple[str, ...]:
        return tuple([w.light for w in self.words[place[0] : place[1]] if w.stem])

    def literals(self, name: str) -> list[Place]:
        """Where a name is said word by word."""
        return self._search(self._lows, *literal(name))

    def loosely(self, name: str) -> list[Place]:
        """Where a text is said with small words between its own: 12 Elm Street in Springfield."""
        wanted = literal(name)[0].split()
        found = []
        for place in range(len(self._spoken)):
            at, left = place, list(wanted)
            while left and at < len(self._spoken):
                low = self.words[self._spoken[at]].low
                if low == left[0]:
                    del left[0]
                elif at == place or low not in _SMALL:
                    break
                at += 1
            if not left:
                found.append((self._spoken[place], self._spoken[at - 1] + 1))
        return found

    def _search(self, line: str, key: str, size: int) -> list[Place]:
        found = []
        at = line.find(key)
        while at >= 0:
            first = line.count(" ", 0, at)
            found.append((self._spoken[first], self._spoken[first + size - 1] + 1))
            at = line.find(key, at + len(key) - 1)
        return found

    def ids(self, key: str) -> list[Place]:
        """Where an id is said, whole words only, whatever stands between its parts.

        Args:
            key: its letters and digits, in upper case.
        """
        found, low = [], key.lower()
        for i in self._spoken:
            if low.startswith(_bare(self.words[i].low)) and (end := self._id_end(i, low)):
                found.append((i, end))
        return found

    def _id_end(self, start: int, low: str) -> int:
        """The word after an id that starts here; 0 where there is none, or a longer one."""
        said, at = "", start
        while at < len(self.words) and len(said) < len(low):
            w = self.words[at]
            if not w.stem and w.low not in "-#_/.":
                return 0
            said += _bare(w.low)
            at += 1
        longer = self.shape[at : at + 1] == "-" and self.shape[at + 1 : at + 2] in ("n", "L")
        return at if said == low and not longer else 0


def _bare(low: str) -> str:
    return low if low.isalnum() else re.sub(r"[\W_]", "", low)
