"""What runs have learned of a system's tools (paper B.1.1): the skill guides, and how often each
sequence of tools was used.

It is plain JSON, so that it travels from round to round: what an episode adds is an experience of
its own, and `merged` puts them together in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

KEPT_VALUES = 6
"""Values remembered of each field that a tool shows, and out of errors."""


@dataclass
class Guide:
    """What is known of one tool.

    Attributes:
        tried, done: calls, and those with success.
        wished: episodes in which it was the end, or gave the answer.
        sources: by argument and source (`row:payment/id`), tries and successes as [tried, done].
        enablers: tools after which a call went through that was refused before.
        changes: first parts of the paths in the state that it changed.
        shows: by field, values that rows of its results have.
        whole: whether its results are rows at all.
        mined: by argument, values that errors named.
        errors: what it was refused with.
    """

    tried: int = 0
    done: int = 0
    wished: int = 0
    sources: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    enablers: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)
    shows: dict[str, list[Any]] = field(default_factory=dict)
    mined: dict[str, list[Any]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)

    def note_source(self, argument: str, source: str, done: bool) -> None:
        """Remember whether a call with a value from this source went through."""
        counted = self.sources.setdefault(argument, {}).setdefault(source, [0, 0])
        counted[0] += 1
        counted[1] += done

    def trust(self, argument: str, source: str) -> float:
        """How likely a source serves: successes in tries, one of two where nothing is known."""
        tried, done = self.sources.get(argument, {}).get(source, (0, 0))
        return (done + 1) / (tried + 2)

    def add(self, other: Guide) -> None:
        """Take in what another episode learned."""
        self.tried += other.tried
        self.done += other.done
        self.wished += other.wished
        for argument, sources in other.sources.items():
            for source, (tried, done) in sources.items():
                counted = self.sources.setdefault(argument, {}).setdefault(source, [0, 0])
                counted[0] += tried
                counted[1] += done
        for mine, theirs in ((self.shows, other.shows), (self.mined, other.mined)):
            for name, values in theirs.items():
                remember(mine, name, values)
        self.enablers.update(other.enablers)
        self.changes.update(other.changes)
        self.errors.update(other.errors)


def remember(known: dict[str, list[Any]], name: str, values: Iterable[Any]) -> None:
    """Keep the first few different values under a name."""
    kept = known.setdefault(name, [])
    for value in values:
        if value not in kept and len(kept) < KEPT_VALUES:
            kept.append(value)


@dataclass
class Experience:
    """The guides of a system's tools, episodes so far, and uses of each tool sequence."""

    guides: dict[str, Guide] = field(default_factory=dict)
    sequences: Counter[str] = field(default_factory=Counter)
    episodes: int = 0

    def guide(self, tool: str) -> Guide:
        """The guide of a tool, to be added to; an empty one at first."""
        return self.guides.setdefault(tool, Guide())

    def known(self, tool: str) -> Guide:
        """What is known of a tool, to be read only."""
        return self.guides.get(tool) or Guide()

    def add(self, other: Experience) -> None:
        """Take in what other episodes learned."""
        for tool, guide in other.guides.items():
            self.guide(tool).add(guide)
        self.sequences.update(other.sequences)
        self.episodes += other.episodes

    def to_json(self) -> dict[str, Any]:
        """As JSON, keys in order."""
        return {
            "guides": {
                tool: {k: dict(v) if isinstance(v, Counter) else v for k, v in vars(guide).items()}
                for tool, guide in sorted(self.guides.items())
            },
            "sequences": dict(sorted(self.sequences.items())),
            "episodes": self.episodes,
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Experience:
        """Read what `to_json` wrote."""
        counters = ("enablers", "changes", "errors")
        guides: dict[str, Guide] = {}
        for tool, guide in value["guides"].items():
            known: dict[str, Any] = {
                k: Counter(v) if k in counters else v for k, v in guide.items()
            }
            guides[tool] = Guide(**known)
        return cls(guides, Counter(value["sequences"]), value["episodes"])


def merged(parts: Iterable[Experience]) -> Experience:
    """All of them together, in order."""
    whole = Experience()
    for part in parts:
        whole.add(part)
    return whole
