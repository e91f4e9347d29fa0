"""What is made of a message, and of the values that it should convey, before it is judged.

Foreign systems' texts are not worded for anybody's ear: handles with underscores, paths, questions
inside letters, rows that are called by a date. What a message only quotes, or takes from the user,
must not be read as if the agent asserted it; so such texts become plain words on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from ..verify.answers import SlotSpec

BY_TODAY = re.compile(r"\b(?:today|tonight|tomorrow|yesterday)\b", re.IGNORECASE)
"""Words that name a day only for those who know which day it is."""

_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DAY = re.compile(
    rf"\b(?:\d{{1,2}} {_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}},? \d{{4}}|\d{{4}}-\d\d-\d\d)"
    r"(?![\w-]|,? at \d)"
)
"""A day without a time of day."""

_TEXTS = ("text", "name", "list", "enum", "id")
_COUNTED = ("number", "money")
_BELOW = re.compile(
    r"[-−–](?=[$€£¥]?\d)|\b(?:minus|negative|down|fell|lost|loss|dropped|below|less)\b",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """A text as words alone, with nothing that ends a sentence or joins two words."""
    glued = re.sub(r"(?<=\d)[^\w\s]+(?=\d)", "", BY_TODAY.sub("that day", text))
    return " ".join(re.findall(r"[^\W_]+(?:['’][^\W_]+)*", glued))


def texts_of(spec: SlotSpec) -> list[str]:
    """The texts among a slot's values and decoys."""
    if spec.type not in _TEXTS:
        return []
    own = spec.expected if isinstance(spec.expected, list) else [spec.expected]
    return [text for text in [*own, *spec.decoys] if isinstance(text, str) and plain(text)]


def heard(
    message: str, specs: Sequence[SlotSpec], asked: str, knows_today: bool
) -> tuple[str, list[SlotSpec]]:
    """A message and the slots that it is judged by, in plain words.

    Args:
        asked: what the user has said so far.
        knows_today: whether the agent is told which day it is.
    """
    texts = {text for spec in specs for text in texts_of(spec)}
    for text in sorted(texts, key=lambda one: (-len(one), one)):
        message = _without_stops(message, text)
    if any(spec.type in ("date", "datetime") for spec in specs):
        for day in sorted(set(_DAY.findall(asked)), key=len, reverse=True):
            message = re.sub(rf"(?: on)? {re.escape(day)}(?![\w-]|,? at \d)", "", message)
    if not knows_today:
        message = BY_TODAY.sub("that day", message)
    return _by_names(message, [_plain(_unsigned(spec)) for spec in specs])


def _without_stops(message: str, text: str) -> str:
    """A message in which a text is plain words; the quotation mark behind it ends a sentence where
    it did.
    """

    def worded(found: re.Match[str]) -> str:
        ends = re.match(r"[\"”](?:\s+[A-Z]|\s*$)", message[found.end() :])
        return f"{plain(text)}{'.' if ends else ''}"

    return re.sub(rf"(?<![\w@#/.]){re.escape(text)}", worded, message, flags=re.IGNORECASE)


def _by_names(message: str, specs: list[SlotSpec]) -> tuple[str, list[SlotSpec]]:
    """A message in which rows that are called by a whole phrase have a plain name instead: what the
    phrase says is not what the message says.
    """
    phrases = {cue for spec in specs for cue in spec.cues if len(cue.split()) >= PHRASE}
    names = dict(zip(sorted(phrases, key=lambda cue: (-len(cue), cue)), _NAMES, strict=False))
    for phrase, name in names.items():
        message = re.sub(re.escape(phrase), name, message, flags=re.IGNORECASE)
    return message, [replace(s, cues=[names.get(cue, cue) for cue in s.cues]) for s in specs]


PHRASE = 3
"""From so many words on, a row's label is a phrase."""

_NAMES = ("Bravo", "Foxtrot", "Kilo", "Oscar", "Tango", "Victor", "Whiskey", "Zulu")


def _plain(spec: SlotSpec) -> SlotSpec:
    if spec.type not in _TEXTS:
        return spec

    def worded(value: Any) -> Any:
        return (plain(value) or value) if isinstance(value, str) else value

    several = isinstance(spec.expected, list)
    expected = list(map(worded, spec.expected)) if several else worded(spec.expected)
    return replace(spec, expected=expected, decoys=list(map(worded, spec.decoys)))


def _unsigned(spec: SlotSpec) -> SlotSpec:
    """A slot of which the size is looked for: messages say the sign in many ways."""
    if spec.type not in _COUNTED:
        return spec
    decoys = [abs(one) for one in spec.decoys if abs(one) != abs(spec.expected)]
    return replace(spec, expected=abs(spec.expected), decoys=decoys)


def wrong_sign(message: str, specs: Sequence[SlotSpec], asked: str) -> str:
    """The first slot whose sign is said wrongly, or not; "" where none is.

    Args:
        asked: what the user has said: a figure of theirs is no answer.
    """
    below = _BELOW.search(message) is not None
    for spec in specs:
        if spec.type in _COUNTED and spec.expected < 0 and not below:
            return spec.name
        if spec.type in _COUNTED and spec.expected > 0 and _negative(message, asked, spec):
            return spec.name
    return ""


def _negative(message: str, asked: str, spec: SlotSpec) -> bool:
    size = f"{spec.expected / 100:,.2f}" if spec.type == "money" else f"{spec.expected:,g}"
    below = re.compile(rf"(?<!\w)[-−][$€£¥]?{re.escape(size)}(?!\d)")
    return below.search(message) is not None and below.search(asked) is None


def swapped(message: str, specs: Sequence[SlotSpec]) -> str:
    """The first slot behind whose name the value of another slot stands; "" where none does.

    Args:
        message, specs: in plain words.
    """
    said = message.casefold()
    alike = [s for s in specs if s.type in ("text", "name") and isinstance(s.expected, str)]
    for one, two in permutations(alike, 2):
        if one.expected == two.expected or not one.cues or [*one.cues][:1] == [*two.cues][:1]:
            continue
        own, other = one.expected.casefold(), two.expected.casefold()
        for place in _places(said, one.cues[0].casefold()):
            rest = said[place:]
            theirs, ours = rest.find(other), rest.find(own)
            named = rest.find(two.cues[0].casefold()) if two.cues else -1
            if 0 <= theirs and not 0 <= ours < theirs and not 0 <= named < theirs:
                return one.name
    return ""


def _places(text: str, cue: str) -> Iterator[int]:
    for found in re.finditer(rf"\b{re.escape(cue)}\b", text):
        yield found.end()
