"""The slot judge: does a final message convey the values it should, and no others in their place?

A slot passes when its expected value is asserted (not denied, asked about or contrasted), goes with
nothing else's label, and no decoy (a value of the same slot from another row, or a stale one) is
asserted in its place. Pure functions of their arguments: no clock, no locale, no state.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from davinci_env.errors import DefectError
from davinci_env.verify.answers import values as v
from davinci_env.verify.answers.asides import at_most, called_off, gone, not_for_you
from davinci_env.verify.answers.claims import (
    called_otherwise,
    extra,
    former,
    opposed,
    outdated,
    resized,
    set_apart,
    standing,
    whole,
    whole_of,
)
from davinci_env.verify.answers.company import (
    alike,
    bare,
    belongs,
    is_part,
    is_sum,
    listed_together,
    numbers_a_name,
    same_block,
    same_part,
)
from davinci_env.verify.answers.finding import Message
from davinci_env.verify.answers.labels import Labels, attach, find_labels
from davinci_env.verify.answers.mentions import Mention, find_mentions, restates
from davinci_env.verify.answers.polarity import polarity
from davinci_env.verify.answers.stances import unsettled
from davinci_env.verify.answers.subjects import another_things, row_names, told_apart
from davinci_env.verify.answers.withdrawn import supposed, taken_back
from davinci_env.verify.answers.words import lows_of, one_of, phrase, spoken


@dataclass(frozen=True, slots=True)
class Decoy:
    """A wrong value and how its row or attribute is called.

    Attributes:
        value: of the slot's type.
        labels: words that, near the value, say that it is about something else.
    """

    value: Any
    labels: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SlotSpec:
    """One value that an answer must convey.

    Attributes:
        name: the slot's name, for verdicts.
        type: number, money (int cents), date, datetime, time, span (int minutes), enum, id, name,
            text, yesno, or `list[TYPE]`; a plain `list` takes its items' type from the values.
        expected: the value, or a list of acceptable ones; for a list type the list of its items, or
            a list of acceptable lists.
        decoys: values of the same slot that would be wrong, plain or as `Decoy`. Values that the
            goal justifies (parts of a sum, limits) should not be among them.
        cues: how messages call this slot; a cue with a capital is taken for the name of its row.
        choices: all values of an enum; those not expected are decoys.
    """

    name: str
    type: str
    expected: Any
    decoys: Sequence[Any] = ()
    cues: Sequence[str] = ()
    choices: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class SlotVerdict:
    """What became of one slot.

    Attributes:
        reason: "conveyed", or why it failed.
        expected: the accepted canonical values.
        found: the values of the slot's type that the message says, in order.
        evidence: the sentence that decided.
    """

    name: str
    passed: bool
    reason: str
    expected: tuple[Any, ...]
    found: tuple[Any, ...]
    evidence: str


@dataclass(slots=True)
class _Slot:
    """A slot made ready: canonical values, and everything of its type that the message says."""

    spec: SlotSpec
    type: str
    accepted: list[frozenset[v.Value]]  # each alternative is the set of values that must be said
    wrong: frozenset[v.Value]
    mentions: list[Mention]


@lru_cache(maxsize=64)
def reading(text: str, today: date, now: datetime | None) -> Message:
    """A message, read once: a verdict asks for several judgements of the same words."""
    return Message(text, today, now)


def judge_answer(
    text: str, slots: Sequence[SlotSpec], *, today: date, now: datetime | None = None
) -> list[SlotVerdict]:
    """Judge a final message slot by slot.

    Args:
        text: what the assistant said.
        slots: what it should convey.
        today: the day of the conversation, to which "tomorrow" and dates without a year refer.
        now: the moment of the conversation, to which "in half an hour" refers, if known.

    Raises:
        DefectError: a slot's type or values are not what they should be.
    """
    read = reading(text, today, now)
    ready = [_prepare(read, spec) for spec in slots]
    return [_judge(read, slot, ready) for slot in ready]


# ---------------------------------------------------------------------- preparation
def _item_type(spec: SlotSpec) -> str:
    if spec.type == "list":
        values = [*spec.expected, *(spec.choices or ()), *map(_plain, spec.decoys)]
        while values and isinstance(values[0], list | tuple):
            values = [*values[0], *values[1:]]
        return "enum" if spec.choices else v.type_of(values[0]) if values else "name"
    type_ = spec.type.removeprefix("list[").removesuffix("]")
    if type_ not in v.TYPES:
        raise DefectError(
            f"slot {spec.name!r} has the unknown type {spec.type!r}",
            f"use one of {', '.join(sorted(v.TYPES))} or list[…]",
        )
    return type_


def _plain(decoy: Any) -> Any:
    return decoy.value if isinstance(decoy, Decoy) else decoy


def _prepare(text: Message, spec: SlotSpec) -> _Slot:
    type_ = _item_type(spec)
    many = isinstance(spec.expected, list | tuple)
    if spec.type.startswith("list"):
        nested = bool(spec.expected) and isinstance(spec.expected[0], list | tuple)
        lists = spec.expected if nested else [spec.expected]
        accepted = [frozenset(v.canonical(type_, x) for x in items) for items in lists]
    else:
        accepted = [
            frozenset([v.canonical(type_, x)]) for x in (spec.expected if many else [spec.expected])
        ]
    right = frozenset().union(*accepted)
    others = [*map(_plain, spec.decoys), *(spec.choices or ())]
    wrong = frozenset(v.canonical(type_, x) for x in others) - right
    slot = _Slot(spec, type_, accepted, wrong, [])
    if type_ != "yesno":
        slot.mentions = find_mentions(text, type_, right, wrong)
    return slot


# ---------------------------------------------------------------------- judgement
def _judge(text: Message, slot: _Slot, ready: Sequence[_Slot]) -> SlotVerdict:
    spec, mentions = slot.spec, slot.mentions
    if slot.type == "yesno":
        said, sentence = polarity(text, spec.cues)
        passed = said is not None and {said} in slot.accepted
        reason = (
            "conveyed" if passed else "says neither yes nor no" if said is None else "the opposite"
        )
        return _verdict(text, slot, passed, reason, sentence, () if said is None else (said,))
    others = [s.spec for s in ready if s is not slot and s.type == slot.type]
    labels = find_labels(
        text,
        [c for c in spec.cues if not any(c in o.cues for o in others)] if others else spec.cues,
        [cue for o in others for cue in o.cues if cue not in spec.cues],
        [label for d in spec.decoys if isinstance(d, Decoy) for label in d.labels],
    )
    if not spec.type.startswith("list") and (names := row_names(tuple(spec.cues))):
        labels.own_names.extend(p for name in names for p in text.places(phrase(name)))
    if mentions and (labels.own or labels.own_names or labels.alien or labels.alien_names):
        attach(text, labels, mentions)
    if spec.type.startswith("list"):
        passed, reason, at = _judge_list(text, slot, labels)
    else:
        passed, reason, at = _judge_one(text, slot)
    return _verdict(text, slot, passed, reason, at)


def _verdict(
    text: Message, slot: _Slot, passed: bool, reason: str, sentence: int | None, found: Any = None
) -> SlotVerdict:
    said = found if found is not None else tuple(r for m in slot.mentions for r in m.readings[:1])
    listed = slot.spec.type.startswith("list")
    expected = tuple(
        [tuple(sorted(a, key=str)) if listed else next(iter(a)) for a in slot.accepted]
    )
    evidence = text.quote(sentence) if sentence is not None and text.words else ""
    return SlotVerdict(slot.spec.name, passed, reason, expected, said, evidence)


_EXTRA_MEANT = one_of("more additional further extra other left remaining free available open")


def _stands(text: Message, slot: _Slot, m: Mention) -> str:
    if m.alien:
        return "labelled as something else"
    if m.by_absence and slot.spec.cues and not m.bound and text.words[m.start].low == "no":
        return "none of something else"
    if slot.type == "number":
        meant = _EXTRA_MEANT.intersection(lows_of(tuple(slot.spec.cues)))
        more = extra(text, m) and not meant
        if more or whole(text, m):
            return "contrasted"
    listed = slot.spec.type.startswith("list")
    how = standing(text, m, slot.mentions, slot.type)
    if how != "asserted" or not m.right:
        return how
    most = slot.type in ("number", "money") and at_most(text, m, slot.spec.cues)
    if most or resized(text, m, slot.type):
        return "only a part or a bound"
    if former(text, m, slot.mentions):
        return "what was once"
    if slot.type in _COUNTED and opposed(text, m, slot.spec.cues):
        return "labelled as something else"
    if not listed and another_things(text, slot.spec.cues, m, slot.mentions):
        return "said of something else"
    if slot.type in _THINGS and gone(text, m, slot.mentions, slot.spec.cues):
        return "denied"
    if slot.type in _DAYS and called_off(text, m, slot.spec.cues):
        return "denied"
    said = not_for_you(text, m) or supposed(text, m)
    return said or unsettled(text, m, slot.mentions, slot.type) or how


_COUNTED = ("number", "money", "span")
_DAYS = ("date", "datetime")
_THINGS = ("id", "name", "text")


def _judge_one(text: Message, slot: _Slot) -> tuple[bool, str, int | None]:
    right = [m for m in slot.mentions if m.right]
    if not right:
        wrong = next((m for m in slot.mentions if m.wrong), None)
        return False, "missing", text.sentence(wrong.start) if wrong else None
    stands = [_stands(text, slot, m) for m in right]
    held = [m for m, how in zip(right, stands, strict=True) if how == "asserted"]
    if not held:
        return False, stands[0], text.sentence(right[0].start)
    back = taken_back(text, held, slot.mentions)
    if back is not None:
        return False, "taken back", text.sentence(back)
    answered = any(h.bound and not bare(text, h, slot.mentions) for h in held)
    for m in slot.mentions:
        if m.right or m.alien:
            continue
        why = ""
        if any(alike(text, m, h, slot.mentions) for h in held):
            why = "listed among other candidates"
        elif m.wrong or (m.bound and not answered):
            why = _conflict(text, slot, m, held)
        if why and not any(told_apart(text, slot.spec.cues, m, h, slot.mentions) for h in held):
            return False, why, text.sentence(m.start)
    return True, "conveyed", text.sentence(held[0].start)


_NOT_SAID = ("denied", "contrasted", "asked about", "only planned")


def _conflict(text: Message, slot: _Slot, m: Mention, held: Sequence[Mention]) -> str:
    """Why another value takes the answer's place; "" where it does not."""
    listed = m.wrong and any(_listed(text, m, h, slot.mentions) for h in _beside(m, held))
    alone = m.wrong and bare(text, m, slot.mentions)
    crowded = m.wrong and any(not h.bound and same_part(text, m, h) for h in held)
    if crowded and slot.type == "number" and numbers_a_name(text, m):
        crowded = False
    if not (listed or m.bound or alone or crowded):
        return ""
    if _stands(text, slot, m) in _NOT_SAID or set_apart(text, m, slot.type):
        return ""
    if slot.type in _THINGS and gone(text, m, slot.mentions, slot.spec.cues):
        return ""
    if supposed(text, m) or (not m.bound and _counts_otherwise(text, slot, m, held)):
        return ""
    if slot.type == "money" and called_otherwise(text, m, slot.spec.cues):
        return ""
    if (
        outdated(text, m, held)
        or whole_of(text, m, held)
        or (not m.bound and restates(text, m, held))
    ):
        return ""
    if slot.type in _COUNTED and any(is_sum(text, h, slot.mentions) for h in held):
        return ""
    if listed:
        return "listed among other candidates"
    return "" if _derived(text, slot, m, held) else "another value is said in its place"


def _counts_otherwise(text: Message, slot: _Slot, m: Mention, held: Sequence[Mention]) -> bool:
    """Whether a number counts what wasn't asked for, and the answer what was: 3 lines, 5 pieces."""
    if slot.type != "number":
        return False
    asked = {w.stem for cue in slot.spec.cues[:1] for w in spoken(cue)}
    after = text.words[m.end] if m.end < len(text.words) else text.words[-1]
    if after.kind != "_" or not after.low.endswith("s") or after.stem in asked:
        return False
    return any(text.words[h.end].stem in asked for h in held if h.end < len(text.words))


def _beside(m: Mention, held: Sequence[Mention]) -> list[Mention]:
    """The nearest mentions of the answer, before and after."""
    return [*[h for h in held if h.end <= m.start][-1:], *[h for h in held if h.start >= m.end][:1]]


def _listed(text: Message, m: Mention, h: Mention, mentions: Sequence[Mention]) -> bool:
    if h.by_absence:
        return False
    return listed_together(text, m, h, mentions) or (not h.bound and same_block(text, m, h))


def _derived(text: Message, slot: _Slot, m: Mention, held: Sequence[Mention]) -> bool:
    """Whether a value is a part of the sum, difference or product that the answer is."""
    if slot.type not in _COUNTED:
        return False
    return any(is_part(text, m, h, slot.mentions) for h in _beside(m, held))


def _judge_list(text: Message, slot: _Slot, labels: Labels) -> tuple[bool, str, int | None]:
    held = [m for m in slot.mentions if m.right and _stands(text, slot, m) == "asserted"]
    if held and (back := taken_back(text, held, slot.mentions)) is not None:
        return False, "taken back", text.sentence(back)
    said = {reading for m in held for reading in m.readings}
    if not any(items <= said for items in slot.accepted):
        at = text.sentence(held[0].start) if held else None
        return False, "not all items are said" if held else "missing", at
    for m in slot.mentions:
        if not m.wrong or m.alien or _stands(text, slot, m) in _NOT_SAID:
            continue
        if set_apart(text, m, slot.type) or supposed(text, m):
            continue
        together = any(listed_together(text, m, h, slot.mentions) for h in _beside(m, held))
        if together or belongs(text, labels, m) or bare(text, m, slot.mentions):
            return False, "an item too many", text.sentence(m.start)
    if held:
        return True, "conveyed", text.sentence(held[0].start)
    none = _says_none(text, slot, labels)
    return none is not None, "missing" if none is None else "conveyed", none


def _says_none(text: Message, slot: _Slot, labels: Labels) -> int | None:
    """The sentence that says that there are none, as an empty list demands."""
    places = (*labels.own, *labels.own_names)
    named = {text.sentence(start) for start, _ in places}
    for zero in text.zeros():
        here = text.sentence(zero.start)
        if here in named or (not named and text.words[zero.start].low != "no"):
            return here
    for start, end in places:
        if standing(text, Mention((), start, end), (), slot.type) == "denied":
            return text.sentence(start)
    return None
