"""Reticence: who one is dealing with is told only when asked, in whole or in part."""

from __future__ import annotations

from ..records import Say
from . import identity
from .stories import Story, asking, reply


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
    asked = asking(bench, held)
    every = identity.identification(bench.domain, bench.domain.tools.values(), bench.person)
    told = set(names) - set(held)
    for name in dict.fromkeys(attribute for way in every for attribute in way):
        if name not in told and not _is_told(story, name):
            first.facts |= identity.facts_of(bench.domain, bench.person, [name])
            first.known.append(name)
            first.plan.append(reply(bench, name))
    first.solution.insert(0, Say(say=asked))
    first.forms.add("reply")


def _is_told(story: Story, name: str) -> bool:
    """Whether the script says already what the person answers when asked for a fact."""
    return any(item.get("tell") == name for scene in story.scenes for item in scene.plan)
