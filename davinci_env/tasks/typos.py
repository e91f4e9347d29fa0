"""Typos: the fact by which a person is found is mistyped, and put right when nothing is found."""

from __future__ import annotations

from ..agents.speech import own_name
from ..records import Call, Say
from .stories import Story


def with_typo(story: Story, chance: float) -> None:
    """Perhaps let the person mistype the fact by which they are found, and put it right."""
    bench, first = story.bench, story.scenes[0]
    if bench.rng.random() >= chance or bench.person is None:
        return
    finders = {
        t.parameters[0].name: t
        for t in bench.domain.tools.values()
        if t.derived == "find" and t.about is not None and t.about._info.identity
    }
    for attribute in first.attributes:
        value = first.facts.get(attribute)
        if attribute not in finders or not isinstance(value, str) or len(first.attributes) > 1:
            continue
        wrong = bench.talk.mistype(value)
        found = bench.environment.call(
            finders[attribute].name, {finders[attribute].parameters[0].wire: wrong}
        )
        if found.ok:
            return
        text = bench.talk.put_right(attribute, value)
        about = finders[attribute].about
        assert about is not None
        cues = [about._info.columns[attribute].says, attribute.replace("_", " ")]
        first.plan.append({"mistyped": attribute, "value": wrong, "text": text, "cues": cues})
        asked = bench.speaker.ask_identity([own_name(about, attribute)], again=True)
        bench.speaker.said()
        look = Call(
            tool=finders[attribute].name,
            arguments={finders[attribute].parameters[0].wire: wrong},
        )
        first.solution[:0] = [look, Say(say=asked)]
        first.forms.add("typo")
        return
