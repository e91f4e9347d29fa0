"""Exploration and words by a model, through the same gates as without one (paper B.1.1, B.1.2).

The model chooses the calls; where their values came from is told from the values. It words the
requests; each fact must then occur as it was said.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from ..agents.openai_agent import ChatModel
from ..agents.protocol import Call, chat
from ..environment import Message, Outcome
from ..records import content_id
from .experience import Experience
from .inference import completed
from .labels import says
from .lexicon import Lexicon
from .model import Aim, Candidate, Exploration
from .provenance import origins_of
from .scene import Scene, Stuck
from .systems import SystemEnvironment, SystemFailure

MOST_CALLS = 16
SHOWN_GUIDES = 12

_EXPLORE = """You explore a system of tools, to find out what somebody could ask an assistant to do
with it. Think of one realistic errand of two or three steps that depend on each other, look up what
it needs, and carry it out. Use only values that tools showed you, or that a person would state.
Prefer tools that were used little: {rare}. When the errand is done, say so in one sentence.
What is known of the tools:
{guides}"""

_REWORD = """Write the message below as a real person would write it to an assistant. Keep every one
of these texts exactly as it is, character by character: {facts}. Add no facts, no greeting beyond a
word, no explanation. Answer with the message alone.

{text}"""


def explore_by_model(
    environment: SystemEnvironment,
    lexicon: Lexicon,
    experience: Experience,
    model: ChatModel,
    *,
    seed: int,
    episode: int,
) -> tuple[Exploration, Experience]:
    """One episode in which a model chooses the calls; see `explorer.explore`."""
    environment.reset()
    info = environment.system.info
    words = completed(lexicon, environment.tools(), experience, environment.initial_state)
    scene = Scene(environment, words, random.Random(f"{seed}/{episode}"), experience)
    environment.observe(Message("user", _instruction(scene)))
    aims: list[Aim] = []
    failure, outcome = "", Outcome(environment.start_hash, [], ())
    try:
        left = MOST_CALLS
        while left > 0:
            reply = model.complete(chat(environment), environment.tools())
            if not reply.calls:
                break
            for call in reply.calls[:left]:
                aims += _made(scene, call)
                outcome = environment.capture()
            left -= len(reply.calls)
    except SystemFailure as broken:
        failure = broken.reason
    if not aims and scene.calls:
        last = len(scene.calls) - 1
        aims.append(Aim(kind="ask", tool=scene.calls[last].tool, call=last))
    scene.learned.episodes = 1
    exploration = Exploration(
        system=info.name, version=info.version, seed=environment.seed, episode=episode,
        difficulty=1, benchmark=info.benchmark, initial=environment.start_hash,
        terminal=outcome.state_hash, changes=tuple(outcome.diff), calls=tuple(scene.calls),
        failures=tuple(scene.failures), facts=scene.facts, wishes=tuple(aims), failure=failure,
        model=model.model,
    )  # fmt: skip
    return exploration, scene.learned


def _made(scene: Scene, call: Call) -> list[Aim]:
    """Make a call that the model wants; one that changed something was what it was after."""
    if call.tool not in scene.tools:
        scene.environment.call(call.tool, call.arguments)  # the model sees the refusal
        return []
    before = scene.environment.state_hash
    facts = list(scene.facts)
    try:
        origins = origins_of(scene, call.tool, call.arguments)
        scene.call(call.tool, dict(call.arguments), origins, "means")
    except Stuck:
        scene.cut(len(scene.calls), facts, len(scene.focus))
        return []
    if scene.environment.state_hash == before:
        return []
    place = len(scene.calls) - 1
    scene.calls[place] = scene.calls[place].model_copy(update={"role": "wish", "wish": scene.wish})
    scene.wish += 1
    scene.learned.guide(call.tool).wished += 1
    return [Aim(kind="do", tool=call.tool, call=place)]


def _instruction(scene: Scene) -> str:
    known = scene.experience.guides
    rare = sorted(scene.tools, key=lambda t: (known[t].wished if t in known else 0, t))
    guides = [
        f"- {tool}: {guide.done} of {guide.tried} calls succeeded"
        + (f"; needs {', '.join(guide.enablers)} first" if guide.enablers else "")
        + (f"; refused with: {guide.errors.most_common(1)[0][0]}" if guide.errors else "")
        for tool, guide in sorted(known.items())
    ]
    return _EXPLORE.format(
        rare=", ".join(rare[:5]), guides="\n".join(guides[:SHOWN_GUIDES]) or "- nothing yet"
    )


def reworded(candidate: Candidate, model: ChatModel) -> Candidate:
    """A candidate in a model's words, where these keep to its facts; else as it is."""
    turns = tuple(_rewording(candidate, number, model) for number in range(len(candidate.turns)))
    if turns == candidate.turns:
        return candidate
    asked: Mapping[str, Any] = {
        "system": candidate.system, "seed": candidate.seed, "turns": list(turns),
        "terminal": candidate.terminal,
    }  # fmt: skip
    return candidate.model_copy(
        update={"turns": turns, "id": content_id(dict(asked)), "model": model.model}
    )


def _rewording(candidate: Candidate, number: int, model: ChatModel) -> str:
    text = candidate.turns[number]
    facts = [fact.said for fact in candidate.facts.values() if fact.turn == number]
    asked = _REWORD.format(facts="; ".join(facts) or "(none)", text=text)
    new = model.complete([{"role": "user", "content": asked}]).text.strip()
    kept = all(says(new, fact) for fact in facts) and 0 < len(new) <= 3 * len(text)
    added = set(_FIGURES.findall(new)) - set(_FIGURES.findall(text))
    answers = [
        str(slot.value)
        for wish in candidate.wishes
        for slot in wish.slots
        if wish.kind == "ask" and not says(text.casefold(), str(slot.value).casefold())
    ]
    given = any(says(new.casefold(), answer.casefold()) for answer in answers)
    return new if kept and not added and not given else text


_FIGURES = re.compile(r"\d+(?:[.,:]\d+)*")
