"""An episode of exploration as it stands: the system, what was called, shown and stated so far."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..environment import ToolSpec
from .evidence import Row, comparable, field_of, is_part, rows_of
from .experience import Experience, Guide, remember
from .labels import speakable
from .lexicon import Arg, Lexicon, Noun, ToolWords
from .model import Origin, Seen
from .systems import SystemEnvironment

_NO_WORDS, _NO_NOUN, _NO_ARG = ToolWords(), Noun(), Arg()


class Stuck(Exception):
    """A wish can't be carried out as it was begun. `reason` is a code."""

    def __init__(self, reason: str, text: str = "") -> None:
        super().__init__(text or reason)
        self.reason = reason


@dataclass(frozen=True)
class Focus:
    """A thing that the episode speaks of.

    Attributes:
        noun: what it is.
        by: fields of its label to the names of the facts that state them.
        row: what is known of it.
        call: place of the call that showed it; None where only the user's words tell of it.
        made: whether that call made it, and its result is the row.
    """

    noun: str
    by: Mapping[str, str]
    row: Row
    call: int | None
    made: bool = False


@dataclass
class Scene:
    """What an episode knows. `learned` is what it adds to the experience of earlier ones."""

    environment: SystemEnvironment
    lexicon: Lexicon
    rng: random.Random
    experience: Experience
    learned: Experience = field(default_factory=Experience)
    calls: list[Seen] = field(default_factory=list)
    failures: list[Seen] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    focus: list[Focus] = field(default_factory=list)
    used: set[tuple[str, ...]] = field(default_factory=set)
    """Which things were given to which arguments already: noun, tool, argument, facts."""
    changed: list[tuple[int, str, frozenset[str]]] = field(default_factory=list)
    """The changes that were asked for: place, tool, and the things that they were made to."""
    wish: int = 0

    def __post_init__(self) -> None:
        self.tools: dict[str, ToolSpec] = {t.name: t for t in self.environment.tools()}

    # -- words -------------------------------------------------------------------------------------

    def words(self, tool: str) -> ToolWords:
        """The words of a tool."""
        return self.lexicon.tools.get(tool, _NO_WORDS)

    def noun(self, name: str) -> Noun:
        """The words of a noun."""
        return self.lexicon.nouns.get(name, _NO_NOUN)

    def reads(self, tool: str) -> bool:
        """Whether a tool only reads, as far as anybody said."""
        said = self.words(tool).reads
        return bool(self.tools[tool].annotations["readOnlyHint"]) if said is None else said

    def arg(self, tool: str, name: str) -> Arg:
        """Where values of an argument come from."""
        return self.words(tool).args.get(name, _NO_ARG)

    def suppliers(self, noun: str) -> list[str]:
        """The tools that list rows of a noun."""
        kinds = {noun, *(n for n, words in self.lexicon.nouns.items() if noun in words.same)}
        return [
            name
            for name in self.tools
            if self.words(name).rows in kinds
            and not self.words(name).uncoverable
            and not self.detail(name)
        ]

    def detail(self, tool: str) -> str:
        """The argument by which a tool is told which one thing it shows; "" where it lists."""
        words = self.words(tool)
        kinds = {words.rows, *self.noun(words.rows).same}
        return next((name for name, arg in words.args.items() if arg.of in kinds), "")

    # -- calls -------------------------------------------------------------------------------------

    def call(
        self, tool: str, arguments: Mapping[str, Any], origins: Mapping[str, Origin], role: Any
    ) -> Seen:
        """Call a tool and note what it gave. Raises Stuck where it is refused."""
        result = self.environment.call(tool, arguments)
        seen = Seen(
            tool=tool, arguments=dict(arguments), ok=result.ok,
            result=result.content, origins=dict(origins), role=role, wish=self.wish,
        )  # fmt: skip
        guide = self.learned.guide(tool)
        guide.tried += 1
        guide.done += result.ok
        if not result.ok:
            guide.errors[re.sub(r"\d+|'[^']*'", "_", result.message)[:80]] += 1
            self.failures.append(seen)
            raise Stuck("call-refused", result.message)
        self._learn(guide, self.words(tool), seen.result)
        self.calls.append(seen)
        return seen

    def _learn(self, guide: Guide, words: ToolWords, content: Any) -> None:
        for row in rows_of(words, content)[:20]:
            for name, value in row.items():
                if comparable(value) and value != "":
                    remember(guide.shows, name, [value])

    def rows(self, call: int) -> list[Row]:
        """The rows that a call's result shows."""
        seen = self.calls[call]
        return rows_of(self.words(seen.tool), seen.result)

    def is_part(self, call: int) -> bool:
        """Whether a call shows only some of the rows there are."""
        return is_part(self.calls[call].result, self.rows(call))

    def cut(self, length: int, facts: Sequence[str], focus: int) -> None:
        """Forget what came after so many calls."""
        del self.calls[length:]
        self.changed = [change for change in self.changed if change[0] < length]
        del self.focus[focus:]
        for name in [name for name in self.facts if name not in facts]:
            del self.facts[name]
        # Names of facts are given anew: what was used of the old ones says nothing.
        self.used = {use for use in self.used if set(use[3:]) <= set(facts)}

    # -- facts -------------------------------------------------------------------------------------

    def state_fact(self, value: Any) -> str:
        """Have the user state a value; returns the fact's name."""
        number = 0
        while f"f{number}" in self.facts:
            number += 1
        self.facts[f"f{number}"] = value
        return f"f{number}"

    def label_of(self, noun: str, rows: Sequence[Row], row: Row) -> dict[str, Any] | None:
        """The fields, with values, that tell a row apart from the others as people name it; None
        where nothing does.
        """
        for entry in self.noun(noun).label:
            label = {name: field_of(row, name) for name in entry.split("+")}
            if not all(speakable(value) for value in label.values()):
                continue
            same = [r for r in rows if all(_alike(field_of(r, n), v) for n, v in label.items())]
            if len(same) == 1:
                return label
        return None

    def steps_since_write(self) -> Iterator[int]:
        """Places of the calls since the last one that may have changed something, latest first."""
        for place in reversed(range(len(self.calls))):
            if not self.reads(self.calls[place].tool):
                return
            yield place


def _alike(a: Any, b: Any) -> bool:
    if isinstance(a, str) and isinstance(b, str):
        return a.strip().casefold() == b.strip().casefold()
    return bool(a == b)
