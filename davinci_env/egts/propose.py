"""Candidates out of explorations (paper B.1.2): what was reached, as a request that a person might
make.

Only what the wishes need is kept of an exploration's calls, and is carried out again from the
initial state, so that the recorded outcome is that of the wishes alone. A candidate is kept when it
is specific, natural and consistent with the execution; every value that an argument has is stated
in the request, derivable from a read, or the same for everybody. The rest is rejected with a
reason.

| reason | what is wrong |
| --- | --- |
| `nothing-reached` | the exploration has no wish |
| `mismatch` | the calls that are kept don't give again what they gave |
| `no-change` | a change that was asked for changes nothing, or the whole does not |
| `unworded` | something has to be said that has no words |
| `unspeakable` | a stated value is an identifier, too long, or broken |
| `empty-answer`, `long-answer` | the answer is nothing, or more than one would say |
| `answer-given` | the request holds its own answer |
| `repetition` | the same thing is asked for twice |
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..environment import ToolSpec
from ..records import JsonObject, content_id
from .composing import compose
from .evidence import Unfound, fitted, resolve, rows_of
from .experience import Experience
from .inference import completed
from .judging import UNTOLD, today_in
from .labels import identifier_like, says
from .lexicon import Lexicon, ToolWords
from .mentions import Speaker, Unworded
from .model import (
    Candidate,
    Composed,
    Exploration,
    Fact,
    OfRow,
    Origin,
    Picked,
    Returned,
    Seen,
    Several,
    Step,
    Wish,
)
from .origins import facts_of, steps_of
from .surfaces import Style
from .systems import SystemEnvironment
from .wishes import Worded, word

LONGEST_TEXT = 400
"""Characters of a text that a user gives, such as a message to be sent."""


@dataclass(frozen=True)
class Rejected:
    """What did not become a candidate, or a demonstration, and why."""

    reason: str
    detail: str
    record: JsonObject


class Unfit(Exception):
    """An exploration can't be asked for. `reason` is a code."""

    def __init__(self, reason: str, text: str = "") -> None:
        super().__init__(text or reason)
        self.reason = reason


def propose(
    exploration: Exploration,
    environment: SystemEnvironment,
    lexicon: Lexicon,
    experience: Experience,
) -> tuple[list[Candidate], list[Rejected]]:
    """Make a request of an exploration, if one can be made.

    Args:
        environment: of the same system; it is reset, and stands anywhere afterwards.
        lexicon, experience: what the exploration was made with.
    """
    words = completed(lexicon, environment.tools(), experience, environment.initial_state)
    try:
        return [_candidate(exploration, environment, words)], []
    except (Unfit, Unworded) as unfit:
        record = exploration.model_dump(by_alias=True)
        return [], [Rejected(unfit.reason, str(unfit), record)]


def _candidate(
    exploration: Exploration, environment: SystemEnvironment, lexicon: Lexicon
) -> Candidate:
    if not exploration.wishes:
        raise Unfit("nothing-reached", exploration.failure)
    if environment.seed != exploration.seed:
        environment.start_at(exploration.seed)
    kept, calls = _shortest(exploration, environment, lexicon)
    outcome = environment.capture()
    if any(aim.kind == "do" for aim in exploration.wishes) and not outcome.diff:
        raise Unfit("no-change", "the whole leaves no change")
    rng = random.Random(f"{exploration.system}/{exploration.seed}/{exploration.episode}/words")
    today = today_in(environment.metadata.policy)
    style = Style.of(rng, lexicon.currency, 0 if today is UNTOLD else today.year)
    worded = _worded(exploration, lexicon, style, rng)
    places = {old: new for new, old in enumerate(kept)}
    guidance = tuple(_step(exploration.calls[old], places) for old in kept)
    turns, of_turn = compose(worded, lexicon, rng)
    facts = {
        name: Fact(value=exploration.facts[name], said=text, turn=of_turn[number])
        for name, (text, number) in _facts(worded).items()
    }
    _check_stated(guidance, facts, of_turn)
    wishes = tuple(
        Wish(
            kind="do" if aim.kind == "do" else "ask", turn=of_turn[number], tool=aim.tool,
            step=places[aim.call], report=piece.report, otherwise=piece.otherwise,
            slots=tuple(
                s.model_copy(update={"origin": moved(s.origin, places)}) for s in piece.slots
            ),
        )
        for number, (aim, piece) in enumerate(zip(exploration.wishes, worded, strict=True))
    )  # fmt: skip
    _check_words(turns, facts, wishes)
    asked: JsonObject = {
        "system": exploration.system, "seed": exploration.seed, "turns": list(turns),
        "terminal": outcome.state_hash,
    }  # fmt: skip
    return Candidate(
        id=content_id(asked), system=exploration.system, version=exploration.version,
        seed=exploration.seed, episode=exploration.episode, benchmark=exploration.benchmark,
        initial=exploration.initial, terminal=outcome.state_hash, changes=tuple(outcome.diff),
        turns=tuple(turns), facts=facts, wishes=wishes, guidance=guidance, calls=tuple(calls),
        model=exploration.model,
    )  # fmt: skip


# -- the calls that the wishes need --------------------------------------------------------------


def needed(exploration: Exploration, lexicon: Lexicon, tools: Sequence[ToolSpec]) -> list[int]:
    """Places of the calls that the wishes rest on, in order: those that do them, those that their
    arguments come from, and what had to be called before.
    """
    reads = {tool.name for tool in tools if tool.annotations["readOnlyHint"]}
    kept: set[int] = set()
    left = [aim.call for aim in exploration.wishes]
    left += [step for aim in exploration.wishes if aim.row for step in steps_of(aim.row)]
    left += [
        place for place in _unused(exploration) if _enables(place, exploration, lexicon, reads)
    ]
    while left:
        place = left.pop()
        if place in kept:
            continue
        kept.add(place)
        for origin in exploration.calls[place].origins.values():
            left += steps_of(origin)
    return sorted(kept)


def _shortest(
    exploration: Exploration, environment: SystemEnvironment, lexicon: Lexicon
) -> tuple[list[int], list[JsonObject]]:
    """The calls that the wishes need, carried out: without those that only seemed to be enablers,
    if that leads there too.
    """
    kept = needed(exploration, lexicon, environment.tools())
    demanded = {n for place in kept for n in _needs(exploration.calls[place].tool, lexicon)}
    unused = _unused(exploration)
    spare = {p for p in unused if exploration.calls[p].tool not in demanded}
    shorter = [place for place in kept if place not in spare]
    if shorter != kept:
        with suppress(Unfit):
            return shorter, _carried_out(exploration, environment, shorter, lexicon)
    return kept, _carried_out(exploration, environment, kept, lexicon)


def _needs(tool: str, lexicon: Lexicon) -> tuple[str, ...]:
    return lexicon.tools.get(tool, ToolWords()).needs


def _unused(exploration: Exploration) -> list[int]:
    """Places of the means to a wish that no argument comes from, and no wish is about."""
    used = {p for seen in exploration.calls for o in seen.origins.values() for p in steps_of(o)}
    used |= {aim.call for aim in exploration.wishes}
    return [
        place
        for place, seen in enumerate(exploration.calls)
        if seen.role == "means" and place not in used and seen.wish < len(exploration.wishes)
    ]


def _enables(place: int, exploration: Exploration, lexicon: Lexicon, reads: set[str]) -> bool:
    """Whether a later call may need it to have been made: one that says so, or any at all where it
    is no look at something.
    """
    later = [seen.tool for seen in exploration.calls[place + 1 :]]
    tool = exploration.calls[place].tool
    if any(tool in _needs(name, lexicon) for name in later):
        return True
    words = lexicon.tools.get(tool, ToolWords())
    looks = tool in reads if words.reads is None else words.reads
    return not words.rows and not looks


def moved(origin: Origin, places: dict[int, int]) -> Origin:
    """An origin with its steps at other places."""
    if isinstance(origin, OfRow | Picked | Returned):
        return origin.model_copy(update={"step": places[origin.step]})
    if isinstance(origin, Several):
        return Several(items=tuple(moved(item, places) for item in origin.items))
    if isinstance(origin, Composed):
        return Composed(parts={k: moved(part, places) for k, part in origin.parts.items()})
    return origin


def _step(seen: Seen, places: dict[int, int]) -> Step:
    arguments = {name: moved(origin, places) for name, origin in seen.origins.items()}
    return Step(tool=seen.tool, arguments=arguments, wish=max(0, seen.wish))


def _carried_out(
    exploration: Exploration, environment: SystemEnvironment, kept: Sequence[int], lexicon: Lexicon
) -> list[JsonObject]:
    """Carry the kept calls out from the initial state, by their origins; each must give what it
    gave, and each change that was asked for must change something. Where only questions are asked,
    nothing but signing in and the like may change anything.
    """
    environment.reset()
    results: dict[int, Any] = {}
    done = {aim.call for aim in exploration.wishes if aim.kind == "do"}
    enablers = {name for name, words in lexicon.tools.items() if not words.goal}
    schemas = {tool.name: tool.parameters["properties"] for tool in environment.tools()}
    calls: list[JsonObject] = []
    for place in kept:
        seen = exploration.calls[place]

        def rows(step: int) -> Any:
            tool = lexicon.tools.get(exploration.calls[step].tool, ToolWords())
            return rows_of(tool, results[step])

        try:
            arguments = {
                name: fitted(resolve(origin, exploration.facts, results.__getitem__, rows),
                             schemas[seen.tool][name])
                for name, origin in seen.origins.items()
            }  # fmt: skip
        except Unfound as unfound:
            raise Unfit("mismatch", str(unfound)) from unfound
        quiet = not done and seen.tool not in enablers
        before = environment.state_hash if place in done or quiet else ""
        result = environment.call(seen.tool, arguments)
        if not result.ok or (arguments != seen.arguments):
            raise Unfit("mismatch", f"{seen.tool}: {result.message or 'other arguments'}")
        if place in done and environment.state_hash == before:
            raise Unfit("no-change", seen.tool)
        if quiet and environment.state_hash != before:
            raise Unfit("no-change", "a read changes")
        results[place] = result.content
        calls.append({"tool": seen.tool, "arguments": arguments})
        asked = {aim.call for aim in exploration.wishes if aim.kind != "do"}
        if place in asked and result.content != seen.result:
            raise Unfit("mismatch", f"{seen.tool} tells something else")
    return calls


# -- words ---------------------------------------------------------------------------------------


def _worded(
    exploration: Exploration, lexicon: Lexicon, style: Style, rng: random.Random
) -> list[Worded]:
    speaker = Speaker(exploration, lexicon, style)
    worded: list[Worded] = []
    asked: set[str] = set()
    for aim in exploration.wishes:
        speaker.turn = len(worded)
        piece = word(speaker, aim, rng, len(worded))
        plain = piece.clause.format_map(speaker.said)
        if plain in asked:
            raise Unfit("repetition", plain)
        asked.add(plain)
        worded.append(piece)
    return worded


def _facts(worded: Sequence[Worded]) -> dict[str, tuple[str, int]]:
    """Facts by name: how each is said, and in which wish first."""
    facts: dict[str, tuple[str, int]] = {}
    for number, piece in enumerate(worded):
        for name, text in piece.said.items():
            facts.setdefault(name, (text, number))
    return facts


def _check_stated(guidance: Sequence[Step], facts: dict[str, Fact], of_turn: Sequence[int]) -> None:
    """Every fact that a step rests on is said by then."""
    for step in guidance:
        for name, origin in step.arguments.items():
            stated = [facts.get(fact) for fact in facts_of(origin)]
            if any(fact is None or fact.turn > of_turn[step.wish] for fact in stated):
                raise Unfit("unworded", f"nothing says {step.tool}.{name}")


def _check_words(turns: Sequence[str], facts: dict[str, Fact], wishes: Sequence[Wish]) -> None:
    """Values are fit to be said, and no answer is given away."""
    for fact in facts.values():
        if len(fact.said) > LONGEST_TEXT or not fact.said.strip() or identifier_like(fact.said):
            raise Unfit("unspeakable", fact.said[:60])
        if fact.said not in turns[fact.turn]:
            raise Unfit("unworded", f"{fact.said!r} got lost")
    text = "\n".join(turns).casefold()
    for wish in wishes:
        for slot in wish.slots if wish.kind == "ask" else ():
            values = slot.value if isinstance(slot.value, list) else [slot.value]
            if values and all(isinstance(v, str) and says(text, v.casefold()) for v in values):
                raise Unfit("answer-given", str(slot.value)[:60])
