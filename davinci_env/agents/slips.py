"""Slips: the small missteps of a good agent, from which it recovers.

A slip is a read that does no harm: a search by a word that was mistyped, or a look into the wrong
list of the person's. It is marked as a misstep, and the right read follows it.
"""

from __future__ import annotations

import random

from ..domain import Domain, Tool
from .inquiry import Inquiry, Steps
from .ways import Read

LATEST = 2
"""The slip comes at one of so many occasions."""

SHORTEST = 4
"""Words of fewer letters are not mistyped."""


class Slips:
    """Makes at most one slip in an episode.

    Args:
        seed: says whether, and at which occasion.
        share: how many of all episodes are to have one, if there is an occasion.
    """

    def __init__(self, domain: Domain, inquiry: Inquiry, seed: str, share: float) -> None:
        self.domain, self.inquiry = domain, inquiry
        self.rng = random.Random(seed)
        self._left = self.rng.randrange(LATEST) + 1 if self.rng.random() < share else 0

    def before(self, read: Read) -> Steps[None]:
        """Perhaps make another read instead of this one, which comes next."""
        if not self._left:
            return
        wrong = self._wrong(read)
        if wrong is None:
            return
        self._left -= 1
        if not self._left:
            yield from self.inquiry.misread(wrong)

    def _wrong(self, read: Read) -> Read | None:
        """What one could read by mistake for a read."""
        query = read.bound.get("query")
        if read.tool.derived == "search" and query:
            mistyped = self._mistyped(str(query))
            return None if mistyped == query else Read(read.tool, {**read.bound, "query": mistyped})
        if read.tool.derived == "list" and read.tool.parameters[0].is_person:
            others = [t for t in self.domain.tools.values() if self._is_like(t, read.tool)]
            if others:
                other = self.rng.choice(others)
                person = read.bound[read.tool.parameters[0].name]
                return Read(other, {other.parameters[0].name: person})
        return None

    def _is_like(self, tool: Tool, other: Tool) -> bool:
        """Whether a tool lists something else of the same person, and demands no more for it."""
        return (
            tool is not other
            and tool.derived == "list"
            and tool.name in self.inquiry.available
            and tool.parameters[0].entity is other.parameters[0].entity
            and {r.code for r in tool.requires} == {r.code for r in other.requires}
        )

    def _mistyped(self, text: str) -> str:
        """A text with two neighbouring letters of one word changed about."""
        words = text.split(" ")
        long = [n for n, w in enumerate(words) if len(w) >= SHORTEST and w.isalpha()]
        if not long:
            return text
        number = self.rng.choice(long)
        word = words[number]
        place = self.rng.randrange(1, len(word) - 2)
        words[number] = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        return " ".join(words)
