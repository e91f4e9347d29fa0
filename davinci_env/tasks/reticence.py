"""Reticence: who one is dealing with is told only when asked, in whole or in part."""

from __future__ import annotations

from ..records import Say
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
    info = bench.domain.identity._info
    asked = bench.speaker.ask_identity(held)
    bench.speaker.said()
    for name in held:
        column = info.pk if name == "id" else name
        says = info.columns[column].says if name != "id" else f"{info.noun} number"
        cues = [str(says), name.replace("_", " ")]
        text = bench.talk.identify(bench.person, [name])
        first.plan.append({"tell": name, "cues": list(dict.fromkeys(cues)), "text": text})
    first.known += held
    first.solution.insert(0, Say(say=asked))
    first.forms.add("reply")
