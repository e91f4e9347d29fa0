"""Episodes that are nearly right: other deeds, and other words at the end of a turn.

Which of them come to the same as the golden episode is decided by the state they lead to and by
what they say, never by a verdict.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain, combinations, zip_longest
from typing import Any

from ..environment import Log, ToolSpec
from . import inference
from .evidence import Row, Unfound, rows_of
from .lexicon import Arg, Kind, Lexicon, ToolWords
from .model import Candidate, Slot
from .scripts import Do, Script, Tell, calls_of, final_of, put, without
from .sources import alternatives
from .systems.schemas import problem_of
from .tasks import asked_slots
from .values import day_of, say

NOTHING = "I have looked into it for you."

OTHERS = 3
"""Wrong values that are tried for each right one."""


@dataclass(frozen=True)
class Mutant:
    """A changed episode.

    Attributes:
        said: which turn says something else, and what that means; None: the words are the golden.
    """

    operator: str
    script: Script
    said: tuple[int, str] | None = None


class Mutator:
    """Changes a golden episode.

    Args:
        log: of the golden episode.
        tools: of the system.
        initial: its canonical initial state.
    """

    def __init__(
        self, candidate: Candidate, script: Script, log: Log, tools: Sequence[ToolSpec],
        lexicon: Lexicon, initial: Any,
    ) -> None:  # fmt: skip
        self._leaves = inference.leaves_of(initial)
        self._candidate, self._script, self._lexicon = candidate, script, lexicon
        self._tools = {tool.name: tool for tool in tools}
        calls = list(log.calls())
        self._rows: list[list[Row]] = [
            rows_of(lexicon.tools.get(c.tool, ToolWords()), c.result.content) for c in calls
        ]
        self._places = calls_of(script)
        self._writes = [place for place in self._places if not self._reads(script[place])]

    def mutants(self) -> Iterator[Mutant]:
        """All of them, one of each operator at a time, each script once."""
        deeds = [self._dropped, self._other_rows, self._perturbed, self._surplus, self._stopped,
                 self._twice]  # fmt: skip
        words = [self._untold, self._told_otherwise, self._told_of_others, self._listed,
                 self._denied]  # fmt: skip
        order = [make for pair in zip_longest(deeds, words) for make in pair if make is not None]
        seen: set[str] = {repr(self._script)}
        makers = [make() for make in order]
        while makers:
            left = []
            for maker in makers:
                mutant = next((m for m in maker if repr(m.script) not in seen), None)
                if mutant is not None:
                    seen.add(repr(mutant.script))
                    left.append(maker)
                    yield mutant
            makers = left

    def _reads(self, entry: Any) -> bool:
        tool = self._tools.get(entry.tool)
        return tool is not None and tool.annotations["readOnlyHint"]

    # -- deeds -------------------------------------------------------------------------------------

    def _dropped(self) -> Iterator[Mutant]:
        for place in reversed(self._writes):
            yield Mutant("dropped-write", without(self._script, [place]))

    def _stopped(self) -> Iterator[Mutant]:
        """The episode ends half way: after the first of many changes, or before a last word that
        matters.
        """
        last = len(self._candidate.turns) - 1
        if len(self._writes) > 2:  # of two, it is the same as to drop the last
            asked = any(self._slots(turn) for turn in range(last + 1))
            said = (0, "stopped") if asked else None
            yield Mutant("stopped-early", self._script[: self._writes[0] + 1], said)
        place, _ = final_of(self._script, last)
        if place >= 0 and self._slots(last):
            yield Mutant("stopped-early", self._script[:place], (last, "nothing is said"))

    def _other_rows(self) -> Iterator[Mutant]:
        """Another row of the same list in place of the right one."""
        for place, arguments in self._changed(self._values_of_other_rows):
            entry: Any = self._script[place]
            yield Mutant("other-row", put(self._script, place, Do(entry.tool, arguments)))

    def _perturbed(self) -> Iterator[Mutant]:
        """Another value than the one that was stated."""
        sources = chain(
            self._changed(self._values_listed), self._changed(self._values_stated_otherwise)
        )
        for place, arguments in sources:
            entry: Any = self._script[place]
            yield Mutant("perturbed-value", put(self._script, place, Do(entry.tool, arguments)))

    def _surplus(self) -> Iterator[Mutant]:
        """A change that nobody asked for, beside those that were."""
        sources = chain(
            self._changed(self._values_listed),
            self._changed(self._values_of_other_rows),
            self._changed(self._values_stated_otherwise),
        )
        for place, arguments in sources:
            entry: Any = self._script[place]
            unasked = Do(entry.tool, arguments)
            yield Mutant("unasked-write", put(self._script, place, entry, unasked))

    def _twice(self) -> Iterator[Mutant]:
        for place in reversed(self._writes):
            entry = self._script[place]
            yield Mutant("write-twice", put(self._script, place, entry, entry))

    def _changed(
        self, others: Callable[[int, Path, Any], Iterator[Any]]
    ) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """Writes with one argument changed, the last write first, so that schemas allow it."""
        for place in reversed(self._writes):
            entry: Any = self._script[place]
            schema = self._tools[entry.tool].parameters if entry.tool in self._tools else {}
            objects = [
                ((name,), v) for name, v in entry.arguments.items() if isinstance(v, Mapping)
            ]
            for path, value in (*objects, *leaves_of(entry.arguments)):
                for other in others(place, path, value):
                    arguments = replaced(entry.arguments, path, other)
                    if other != value and problem_of(schema, arguments) is None:
                        yield place, arguments

    def _values_of_other_rows(self, place: int, path: Path, value: Any) -> Iterator[Any]:
        """What other rows have where the right row has the value: in the results, or where the
        state holds values of its kind.
        """
        found: list[Any] = []
        for number, at in enumerate(self._places):
            if at >= place or not isinstance(value, str | int) or isinstance(value, bool):
                continue
            rows = self._rows[number]
            for field in {f: None for row in rows for f, v in row.items() if v == value}:
                found += [row[field] for row in rows if field in row and row[field] != value]
        for values in self._leaves.values():
            if value in values:
                found += [other for other in values if type(other) is type(value)]
        yield from list(dict.fromkeys(v for v in found if isinstance(v, str | int) and v != value))[
            :OTHERS
        ]

    def _values_listed(self, place: int, path: Path, value: Any) -> Iterator[Any]:
        """Others of those that a stated value was drawn from: the system is sure to take them."""
        entry: Any = self._script[place]
        if len(path) > 1 or not self._is_stated(value):
            return
        schema = self._tools[entry.tool].parameters["properties"].get(path[0], {})
        words = self._lexicon.tools.get(entry.tool, ToolWords())
        listed = alternatives(words.args.get(str(path[0]), Arg()), schema, self._lexicon)
        yield from [other for other in listed if other != value][:OTHERS]

    def _values_stated_otherwise(self, place: int, path: Path, value: Any) -> Iterator[Any]:
        entry: Any = self._script[place]
        if self._is_stated(value):
            schema = self._tools[entry.tool].parameters["properties"].get(path[0], {})
            yield from otherwise(value, schema.get("enum", ()))

    def _is_stated(self, value: Any) -> bool:
        return any(fact.value == value for fact in self._candidate.facts.values())

    # -- words -------------------------------------------------------------------------------------

    def _slots(self, turn: int) -> list[Slot]:
        return [slot for _, slot in asked_slots(self._candidate, turn)]

    def _turns(self) -> Iterator[tuple[int, int, str, list[Slot]]]:
        """The turns that have something to tell: number, place and text of the message, slots."""
        for turn in range(len(self._candidate.turns)):
            place, text = final_of(self._script, turn)
            if place >= 0 and self._slots(turn):
                yield turn, place, text, self._slots(turn)

    def _say(self, operator: str, turn: int, place: int, text: str, meaning: str) -> Mutant:
        return Mutant(operator, put(self._script, place, Tell(text)), (turn, meaning))

    def _untold(self) -> Iterator[Mutant]:
        for turn, place, _, _ in self._turns():
            yield self._say("missing-answer", turn, place, NOTHING, "nothing")

    def _told_otherwise(self) -> Iterator[Mutant]:
        for turn, place, text, slots in self._turns():
            for slot in slots:
                for wrong in wrong_values(slot):
                    told = put_in(text, slot, wrong)
                    yield self._say("perturbed-answer", turn, place, told, f"{slot.name}={wrong}")

    def _told_of_others(self) -> Iterator[Mutant]:
        """The value of another row, or of another slot."""
        for turn, place, text, slots in self._turns():
            for slot in slots:
                alike = [s.value for s in slots if s is not slot and s.type == slot.type]
                for wrong in [*alike, *slot.others][:OTHERS]:
                    if wrong != slot.value:
                        told = put_in(text, slot, wrong)
                        yield self._say("other-answer", turn, place, told, f"{slot.name}={wrong}")
            for one, two in combinations(slots, 2):
                if one.type == two.type and one.value != two.value:
                    told = exchanged(text, one, two)
                    meaning = f"{one.name}, {two.name} swapped"
                    yield self._say("swapped-answer", turn, place, told, meaning)

    def _listed(self) -> Iterator[Mutant]:
        """Several values, for the user to choose from."""
        for turn, place, text, slots in self._turns():
            for slot in slots:
                made_up = [] if slot.type in ("name", "text") else wrong_values(slot)
                values = [slot.value, *slot.others[:OTHERS], *made_up][: OTHERS + 1]
                if slot.type in ("list", "yesno") or len(values) < 2:
                    continue
                told = " or ".join(dict.fromkeys(spoken(slot.type, v, slot.unit) for v in values))
                said = in_place(text, slot, told)
                yield self._say("several-answers", turn, place, said, f"{slot.name}=any")

    def _denied(self) -> Iterator[Mutant]:
        for turn, place, _, slots in self._turns():
            for slot in slots:
                if slot.type in ("list", "yesno"):
                    continue
                value = spoken(slot.type, slot.value, slot.unit)
                told = f"The {named(slot)} is not {value}."
                yield self._say("denied-answer", turn, place, told, f"{slot.name}=not")


Path = tuple[str | int, ...]
"""Where a value stands in arguments: keys and positions."""


def leaves_of(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The plain values in arguments, and lists of them, with where they stand."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves_of(inner, (*path, key))
        return
    yield path, value
    if isinstance(value, list):
        for number, inner in enumerate(value):
            yield from leaves_of(inner, (*path, number))


def replaced(value: Any, path: Path, other: Any) -> Any:
    """Arguments with another value at a place."""
    if not path:
        return other
    first, *rest = path
    if isinstance(value, list):
        return [replaced(v, tuple(rest), other) if n == first else v for n, v in enumerate(value)]
    return {k: replaced(v, tuple(rest), other) if k == first else v for k, v in value.items()}


def otherwise(value: Any, choices: Sequence[Any] = ()) -> Iterator[Any]:
    """Other values of the kind that one has."""
    if choices:
        yield from [choice for choice in choices if choice != value][:OTHERS]
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value * 2, value + 10)
    elif isinstance(value, list):
        if len(value) > 1:
            yield value[:-1]
    elif isinstance(value, str):
        day = day_of(value)
        if day is not None:
            yield (day + timedelta(days=1)).isoformat()[: len(value)]
        yield f"{value} again"


def wrong_values(slot: Slot) -> list[Any]:
    """Values that a slot doesn't have, in the form in which it has its own."""
    value = slot.value
    if slot.type == "yesno":
        return [spoken("yesno", value) == "no"]
    if slot.type == "list":
        return [value[:-1]] if isinstance(value, list) and value else []
    if slot.type in ("name", "text"):
        return ["something else"]
    return [other for other in otherwise(value) if spoken(slot.type, other, slot.unit)][:OTHERS]


def spoken(kind: Kind, value: Any, unit: str = "") -> str:
    """A value as it is said; "" where it can't be."""
    try:
        return say(kind, value, unit)
    except Unfound:
        return ""


def exchanged(text: str, one: Slot, two: Slot) -> str:
    """A message in which two answers have changed places."""
    first, second = (spoken(slot.type, slot.value, slot.unit) for slot in (one, two))
    return second.join(part.replace(second, first) for part in text.split(first))


def named(slot: Slot) -> str:
    """What an answer is called."""
    return slot.cues[0] if slot.cues else "answer"


def put_in(text: str, slot: Slot, value: Any) -> str:
    """A message with another value in an answer's place."""
    return in_place(text, slot, spoken(slot.type, value, slot.unit) or str(value))


def in_place(text: str, slot: Slot, said: str) -> str:
    """A message with other words in an answer's place; a new one where it isn't found."""
    usual = spoken(slot.type, slot.value, slot.unit)
    places = list(re.finditer(rf"(?<!\w){re.escape(usual)}(?!\w)", text)) if usual else []
    if len(places) == 1 and slot.type != "yesno":
        return text[: places[0].start()] + said + text[places[0].end() :]
    return f"The {named(slot)} is {said}."
