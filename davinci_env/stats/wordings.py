"""The words of a corpus: how varied requests and answers are once the values in them are masked.

Measures don't read. They find text that repeats itself; whether a conversation is worth learning
from is for a person to say, with `davinci show`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from davinci_env.records import content_id
from davinci_env.stats.corpus import Case, texts_in
from davinci_env.stats.language import WORDS, masked_text, measure
from davinci_env.stats.measures import Measure, Target

LENGTHS: Final = range(3, 81)
"""Characters of a value that is masked: shorter ones are everywhere, longer ones are prose."""

_WORD: Final = re.compile(r"[a-z]+")
_SENTENCE_END: Final = re.compile(r"(?<=[.?!])\s+")

LANGUAGE: Final = {
    "requests": (Target(least=0.8), Target(least=0.28), Target(least=450)),
    "assistant": (Target(least=0.6), Target(least=0.23), Target(least=450)),
}
"""Of whose words: what distinct 4-grams, gzip ratio and vocabulary should be."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A text, and the values in it that come out of records."""

    text: str
    values: frozenset[str]

    @property
    def skeleton(self) -> str:
        """The text with its values masked."""
        return " ".join(masked_text(self.text, self.values).split())


Texts: TypeAlias = dict[str, list[Spoken]]
"""What was said, by whom: `requests`, `assistant`."""


def wordings(cases: Sequence[Case]) -> list[Measure]:
    """How varied the words are: language on masked words, then skeletons.

    The numbers of language depend on how many words there are; a note tells where they are too few.
    """
    found: list[Measure] = []
    for who, spoken in texts_of(cases).items():
        if not spoken:
            continue
        seen = measure([one.text for one in spoken], [one.values for one in spoken])
        grams, ratio, vocabulary = LANGUAGE[who]
        shapes = [one.skeleton for one in spoken]
        words = sum(len(shape.split()) for shape in shapes)
        note = f"{words} words" if words < WORDS else ""
        found += [
            Measure(f"{who}/{name}", value, len(spoken), target, "number", note)
            for name, value, target in (
                ("4-grams", seen.distinct4, grams),
                ("gzip", seen.gzip_ratio, ratio),
                ("vocabulary", seen.vocabulary, vocabulary),
            )
        ]
        found += _skeletons(who, shapes)
    return found


def texts_of(cases: Sequence[Case]) -> Texts:
    """Collect what users ask of their own accord and what assistants say, in an order that is mixed
    by the tasks' ids, so that any beginning of it is a sample.
    """
    mixed = sorted(cases, key=lambda case: content_id(case.task.id))
    return {
        "requests": [one for case in mixed for one in _requests(case)],
        "assistant": [one for case in mixed for one in _messages(case)],
    }


def _requests(case: Case) -> Iterator[Spoken]:
    request = case.task.request
    values = _values([request.facts, [dict(one) for one in request.intents]])
    values |= _values([[dict(one) for one in turn.intents] for turn in request.turns])
    for episode in case.episodes:
        values |= {text for text in episode.values if _is_value(text)}
    for text in [turn.text for turn in request.turns] or [request.text]:
        yield Spoken(text, _within(text, values))


def _messages(case: Case) -> Iterator[Spoken]:
    facts = _values(case.task.request.facts)
    for episode in case.episodes:
        values = facts | {text for text in episode.values if _is_value(text)}
        for text in episode.said:
            yield Spoken(text, _within(text, values))


def _values(given: object) -> set[str]:
    return {text for text in texts_in(given) if _is_value(text)}


def _within(text: str, values: set[str]) -> frozenset[str]:
    return frozenset(value for value in values if value in text)


def _is_value(text: str) -> bool:
    """Whether a text of the records is a value to be masked: a name, a title, a number; no word."""
    return len(text) in LENGTHS and _WORD.fullmatch(text) is None


def _skeletons(who: str, shapes: Sequence[str]) -> list[Measure]:
    """How many skeletons are distinct, and how often the most common one comes: of requests whole,
    of the assistant's messages sentence by sentence.
    """
    if who == "assistant":
        shapes = [part for shape in shapes for part in _SENTENCE_END.split(shape) if part]
    counts = Counter(shapes)
    top, often = min(counts.items(), key=lambda item: (-item[1], item[0]))
    return [
        Measure(f"{who}/skeletons", len(counts) / len(shapes), len(shapes)),
        Measure(f"{who}/top-skeleton", often / len(shapes), len(shapes), note=top[:60]),
    ]
