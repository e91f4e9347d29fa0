"""Words for one wish: what the user asks, how the agent reports it, which values an answer has."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .evidence import Row, Unfound, field_of, picked, resolve, rows_of
from .lexicon import Arg, FieldWords, Kind, Noun, ToolWords
from .mentions import Speaker, Unworded
from .model import Aim, Fixed, OfRow, Origin, Picked, Returned, Seen, Slot
from .origins import facts_of, leaves
from .surfaces import turned
from .templates import before_noun, chosen_parts, fields, filled

LONGEST_ANSWER = 160
MOST_ITEMS = 6


@dataclass(frozen=True)
class Worded:
    """A wish in words. `clause` is an imperative, or an indirect question, as a template.

    Attributes:
        otherwise: the report where the answer is no.
        said: how the facts that it says first are said.
    """

    kind: str
    clause: str
    report: str
    otherwise: str = ""
    slots: tuple[Slot, ...] = ()
    said: dict[str, str] = field(default_factory=dict)


def word(speaker: Speaker, aim: Aim, rng: random.Random, number: int) -> Worded:
    """Put a wish into words.

    Args:
        number: of the wish; its slots are named after it.

    Raises:
        Unworded: something has no words, or the answer is none that one would say.
    """
    known = set(speaker.said)
    seen = speaker.exploration.calls[aim.call]
    words = speaker.lexicon.tools[aim.tool]
    if aim.kind == "do":
        clause, report, slots = _do(speaker, aim.call, words, rng, number)
    elif aim.kind == "ask":
        clause, report, slots = _ask(speaker, aim, seen, words, rng, number)
    else:
        clause, report, slots = _of_rows(speaker, aim, seen, words, number)
    said = {name: text for name, text in speaker.said.items() if name not in known}
    otherwise = _sentence(_told(speaker, words.tell_no, seen, words)) if aim.kind == "ask" else ""
    report, otherwise = (_NAMES.sub("", speaker.told(text)) for text in (report, otherwise))
    return Worded(aim.kind, speaker.asked(clause), report, otherwise, tuple(slots), said)


_NAMES = re.compile(r" \(\{picked\d+\}\)")
"""The name of what was picked, where only its field is told."""


def _told(speaker: Speaker, template: str, seen: Seen, words: ToolWords) -> str:
    """A report with the arguments that it speaks of in place."""
    mentions = {
        name: turned(speaker.mention(seen.origins[name], words.args.get(name, Arg())))
        for name in fields(template)
        if name in seen.origins
    }
    return filled(template, mentions)


def _do(
    speaker: Speaker, call: int, words: ToolWords, rng: random.Random, number: int
) -> tuple[str, str, list[Slot]]:
    seen = speaker.exploration.calls[call]
    given = {name for name, o in leaves(seen.origins).items() if not isinstance(o, Fixed)}
    silent = {name for name in given if words.args.get(name, Arg()).silent}
    template = _covering(words.say, given, silent, rng, seen.tool)
    verb, _, rest = template.partition(" ")
    now, _, past = verb.partition("/")
    speaker.picked.clear()
    said = speaker.clause(rest, seen.tool, seen.origins)
    speaker.made(seen.tool, call)
    if words.done:
        report = _sentence(speaker.clause(words.done, seen.tool, seen.origins)).rstrip(".")
    else:
        report = f"I've {past or f'{now}ed'} {turned(said)}"
    report, slots = _naming_picks(speaker, speaker.told(report), number)
    return f"{now} {said}", f"{report}.", slots


def _naming_picks(speaker: Speaker, report: str, number: int) -> tuple[str, list[Slot]]:
    """A report with the names of what was picked by comparison, which the agent finds out."""
    slots: list[Slot] = []
    for place, (name, pick) in enumerate(speaker.picked):
        slot = _picked_slot(speaker, pick, f"s{number}_{place}")
        if slot is None or f"{{{name}}}" not in report:
            report = report.replace(f" ({{{name}}})", "")
            continue
        slots.append(slot)
        report = report.replace(f"{{{name}}}", f"{{{slot.name}}}")
    return report, slots


def _picked_slot(speaker: Speaker, pick: Picked, name: str) -> Slot | None:
    """The label of a row that was picked by comparison, for the report to name it."""
    noun = speaker.exploration.calls[pick.step].tool
    labels = speaker.lexicon.nouns.get(speaker.lexicon.tools[noun].rows, Noun()).label
    for label in labels:
        if "+" not in label and field_of(_row(speaker, pick), label) is not None:
            origin = pick.model_copy(update={"field": label})
            return Slot(name=name, type="name", origin=origin, value=_value(speaker, origin))
    return None


def _covering(
    templates: Sequence[str], given: set[str], silent: set[str], rng: random.Random, tool: str
) -> str:
    """A wording that speaks of all arguments that are given, and of no others. Of those that were
    looked up it may speak.
    """
    spoken = given - silent
    fit = [t for t in templates if spoken <= set(fields(chosen_parts(t, given))) <= given]
    if not fit:
        raise Unworded("unworded", f"no wording of {tool} has just {', '.join(sorted(spoken))}")
    return rng.choice(fit)


def _ask(
    speaker: Speaker, aim: Aim, seen: Seen, words: ToolWords, rng: random.Random, number: int
) -> tuple[str, str, list[Slot]]:
    given = {name for name, o in leaves(seen.origins).items() if not isinstance(o, Fixed)}
    silent = {name for name in given if words.args.get(name, Arg()).silent}
    clause = speaker.clause(
        _covering(words.ask, given, silent, rng, seen.tool), seen.tool, seen.origins
    )
    slots = _answer_slots(speaker, aim, seen, words, number)
    places = {name: "{" + slot.name + "}" for name, slot in slots.items()}
    missing = set(fields(words.tell)) - set(places) - set(seen.origins)
    if not words.tell or missing or not slots:
        raise Unworded("unworded", f"no words tell the answer of {seen.tool}")
    told = filled(_told(speaker, words.tell, seen, words), places)
    return clause, _sentence(told), list(slots.values())


def _answer_slots(
    speaker: Speaker, aim: Aim, seen: Seen, words: ToolWords, number: int
) -> dict[str, Slot]:
    """The slots of a tool's answer, by their places in the result."""
    slots: dict[str, Slot] = {}
    rows = rows_of(words, seen.result)
    for place, (path, kind) in enumerate(words.answer.items()):
        origin: Origin = Returned(step=aim.call, path=path)
        if (words.pattern or words.key) and any(path in row for row in rows):
            origin = OfRow(step=aim.call, by={}, field=path)
        elif kind == "list" and path == "rows":
            raise Unworded("unworded", "rows are no answer")
        value = _value(speaker, origin)
        name = f"s{number}_{place}"
        unit = speaker.lexicon.currency if kind == "money" else ""
        slots[path] = Slot(
            name=name, type=kind, origin=origin, value=checked(value, kind), unit=unit
        )  # fmt: skip
    return slots


def _of_rows(
    speaker: Speaker, aim: Aim, seen: Seen, words: ToolWords, number: int
) -> tuple[str, str, list[Slot]]:
    noun = speaker.lexicon.nouns.get(words.rows, Noun())
    name = f"s{number}"
    place = "{" + name + "}"
    if aim.kind == "count":
        return _count(speaker, aim, words, noun, name)
    assert aim.row is not None
    value = _value(speaker, aim.row)
    if aim.kind == "pick":
        assert isinstance(aim.row, Picked)
        kind = noun.fields[aim.row.of]
        adjective = kind.most if aim.row.greatest else kind.least
        what = f"{before_noun(words)}{words.rows}{_behind(speaker, aim.call)}"
        slot = Slot(name=name, type="name", origin=aim.row, value=checked(value, "name"),
                    others=_others(speaker, aim, value), cues=(adjective,))  # fmt: skip
        speaker.answered(words.rows, aim.row)
        clause = f"which {what} is the {adjective}"
        return clause, turned(f"The {adjective} {what} is {place}."), [slot]
    asked = noun.fields[aim.field]
    led = _leading(aim.row, seen, words, noun)
    row = speaker.mention(led, Arg(of=words.rows, field=aim.field))
    label = next((str(speaker.exploration.facts[fact]) for fact in facts_of(led)), "")
    slot = Slot(
        name=name, type=asked.type, origin=aim.row, value=checked(value, asked.type),
        unit=asked.unit or (speaker.lexicon.currency if asked.type == "money" else ""),
        others=_others(speaker, aim, value),
        cues=tuple(cue for cue in (asked.name, label) if cue),
    )  # fmt: skip
    return _field_clause(asked, row, place, slot)


def _leading(row: Origin, seen: Seen, words: ToolWords, noun: Noun) -> Origin:
    """What names the row: what a tool that shows one thing was told, else the row's own label."""
    if isinstance(row, OfRow) and not row.by:
        kinds = {words.rows, *noun.same}
        told = [o for n, o in seen.origins.items() if words.args.get(n, Arg()).of in kinds]
        if not told:
            raise Unworded("unworded", f"nothing tells which {words.rows} {seen.tool} shows")
        return told[0]
    return row


def _field_clause(
    asked: FieldWords, row: str, place: str, slot: Slot
) -> tuple[str, str, list[Slot]]:
    clause = filled(asked.ask or f"what the {asked.name} of {{row}} is", {"row": row})
    told = asked.tell or f"The {asked.name} of {{row}} is {{value}}."
    unit = f" {asked.unit}" if asked.unit else ""
    report = filled(told, {"row": turned(row), "value": place + unit})
    return clause, _sentence(report), [slot]


def _count(
    speaker: Speaker, aim: Aim, words: ToolWords, noun: Noun, name: str
) -> tuple[str, str, list[Slot]]:
    number = len(_rows(speaker, aim.call))
    plural = f"{before_noun(words)}{noun.plural or f'{words.rows}s'}"
    behind = _behind(speaker, aim.call)
    slot = Slot(name=name, type="whole", origin=Returned(step=aim.call, path=""), count=True,
                value=number, cues=(noun.plural,))  # fmt: skip
    told = turned(f"There are {{{name}}} {plural}{behind}.")
    return f"how many {plural} there are{behind}", told, [slot]


def _behind(speaker: Speaker, call: int) -> str:
    scope = speaker.scope(call)
    return f" {scope}" if scope else ""


def _others(speaker: Speaker, aim: Aim, value: Any) -> tuple[Any, ...]:
    """The same field of the other rows."""
    found = [field_of(row, aim.row.field) for row in _rows(speaker, aim.call)]  # type: ignore[union-attr]
    return tuple(dict.fromkeys(v for v in found if isinstance(v, str | int | float) and v != value))


def _row(speaker: Speaker, pick: Picked) -> Row:
    return picked(_rows(speaker, pick.step), pick.of, pick.greatest)


def _rows(speaker: Speaker, call: int) -> list[Row]:
    seen = speaker.exploration.calls[call]
    return rows_of(speaker.lexicon.tools[seen.tool], seen.result)


def _value(speaker: Speaker, origin: Origin) -> Any:
    calls = speaker.exploration.calls
    try:
        return resolve(origin, speaker.exploration.facts, lambda step: calls[step].result,
                       lambda step: _rows(speaker, step))  # fmt: skip
    except Unfound as unfound:
        raise Unworded("empty-answer", str(unfound)) from unfound


def checked(value: Any, kind: Kind) -> Any:
    """A value that can be said as an answer. Raises Unworded for one that can't."""
    if value is None or value in ("", [], {}):
        raise Unworded("empty-answer", "the answer is nothing")
    if kind == "list":
        if not isinstance(value, list) or not all(isinstance(v, str | int | float) for v in value):
            raise Unworded("long-answer", "the answer is no list of plain values")
        if len(value) > MOST_ITEMS:
            raise Unworded("long-answer", f"{len(value)} items")
        return value
    if kind in ("money", "number", "whole") and (
        isinstance(value, bool) or not isinstance(value, int | float)
    ):
        raise Unworded("empty-answer", f"{str(value)[:40]!r} is no number")
    if isinstance(value, dict | list) or len(str(value)) > LONGEST_ANSWER:
        raise Unworded("long-answer", "more than one would say")
    return value


def _sentence(text: str) -> str:
    """With a capital at the beginning, unless a value stands there."""
    return text[:1].upper() + text[1:] if text[:1].isalpha() else text
