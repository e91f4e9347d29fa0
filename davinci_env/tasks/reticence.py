"""Reticence: who one is dealing with is told only when asked, in whole or in part."""

from __future__ import annotations

from ..records import Say
from . import identity
from .bench import Bench
from .stories import Story


def with_silence(story: Story, chance: float) -> None:
    """Perhaps let the person keep silent about what identifies them until they are asked."""
    bench, first = story.bench, story.scenes[0]
    typed = any("mistyped" in item for item in first.plan)
    if bench.person is None or typed or bench.rng.random() >= chance:
        return
    names = list(first.attributes)
    held = names if bench.rng.random() < 0.5 else names[1:]
    if not held:
        return
    asked = bench.speaker.ask_identity(held)
    bench.speaker.said()
    every = identity.identification(bench.domain, bench.domain.tools.values(), bench.person)
    told = set(names) - set(held)
    for name in dict.fromkeys(attribute for way in every for attribute in way):
        if name not in told:
            first.facts |= identity.facts_of(bench.person, [name])
            first.known.append(name)
            first.plan.append(_reply(bench, name))
    first.solution.insert(0, Say(say=asked))
    first.forms.add("reply")


def _reply(bench: Bench, name: str) -> dict[str, object]:
    """What the person says when they are asked for one fact."""
    assert bench.person is not None
    info = bench.domain.identity._info
    says = f"{info.noun} number" if name == "id" else info.columns[name].says
    cues = list(dict.fromkeys([str(says), name.replace("_", " ")]))
    return {"tell": name, "cues": cues, "text": bench.talk.identify(bench.person, [name])}
