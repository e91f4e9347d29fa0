"""Stories: a conversation of one or more user turns, told scene by scene on the world itself.

Each later scene is drawn from the state that the scenes before led to; the world is left as it was.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from ..agents.speech import own_name
from ..environment import DomainEnvironment
from ..records import Call, Requirement, Say
from . import identity
from . import requirements as req
from .bench import Bench
from .drafts import Draft, Scene
from .followups import FollowUp
from .missed import NoCandidate


class Story:
    """A conversation in the making.

    Args:
        environment: stands at the task's start; `end` returns it there.
        rng: draws everything.
    """

    def __init__(self, environment: DomainEnvironment, rng: random.Random) -> None:
        self.environment, self.rng = environment, rng
        self.bench = Bench(environment, rng)
        self.scenes: list[Scene] = []
        self._start = environment.snapshot()

    def end(self) -> None:
        """Return to the start."""
        self.environment.appearing = {}
        self.environment.restore(self._start)
        self.environment.release(self._start)

    def add(self, scene: Scene) -> None:
        """Add a scene: its writes are carried out, what it told is known from now on."""
        bench = self.bench
        if bench.attributes is not None:
            _ask_for_more(bench, scene, bench.attributes)
        bench.come_to_know(scene)
        bench.attributes = tuple(dict.fromkeys([*(bench.attributes or ()), *scene.attributes]))
        bench.turn += 1
        self.scenes.append(scene)
        bench.renew()

    def follow(self, options: Mapping[FollowUp, float], chance: float) -> bool:
        """Perhaps add a later scene of one of these kinds; whether one was found."""
        if self.rng.random() >= chance:
            return False
        left = list(options)
        while left:
            (draw,) = self.rng.choices(left, [options[name] for name in left])
            left.remove(draw)
            try:
                self.add(draw(self.bench, self.scenes[-1]))
            except NoCandidate:
                continue
            return True
        return False

    @property
    def homes(self) -> frozenset[str]:
        """The domains whose tools the story has used so far, where several are joined."""
        tools = self.bench.domain.tools
        calls = [s for scene in self.scenes for s in scene.solution if isinstance(s, Call)]
        return frozenset(tools[call.tool].home for call in calls)

    def _introduction(self) -> str:
        """Who is speaking; with a fact mistyped where the script says so."""
        first = self.scenes[0]
        told = tuple(name for name in first.attributes if name not in first.known)
        text = self.bench.talk.introduction(self.bench.person, told)
        for item in first.plan:
            if "mistyped" in item:
                right = str(first.facts[item["mistyped"]])
                if right not in text:
                    raise NoCandidate("a fact that can't be mistyped")
                text = text.replace(right, str(item["value"]))
        return text

    # -- the whole ---------------------------------------------------------------------------------

    def draft(self, kind: str, *, pair: str | None = None, hidden: Sequence[str] = ()) -> Draft:
        """The conversation as a draft of a task."""
        first, talk = self.scenes[0], self.bench.talk
        introduction = self._introduction()
        requirements: list[Requirement] = []
        for turn, scene in enumerate(self.scenes):
            requirements += [req.at_turn(r, turn) for r in scene.requirements]
        last = len(self.scenes) - 1
        requirements.append(req.at_turn(req.policy_requirement(), last))
        return Draft(
            kind=kind,
            text=talk.opening(introduction, first.sentences or talk.sentences(first.points)),
            scenes=self.scenes,
            requirements=requirements,
            style=dict(talk.persona.style),
            persona=f"{talk.persona.manner} {talk.persona.channel}",
            hidden=tuple(hidden),
            pair=pair,
        )


def _ask_for_more(bench: Bench, scene: Scene, told: Sequence[str]) -> None:
    """Let the person be asked for what another domain wants to know of them."""
    more = [name for name in scene.attributes if name not in told]
    if more:
        scene.solution.insert(0, Say(say=asking(bench, more)))
        scene.known += more
        scene.plan += [reply(bench, name) for name in more]


def asking(bench: Bench, names: Sequence[str]) -> str:
    """The question for facts of the person."""
    assert bench.person is not None
    records = {name: identity.record_with(bench.domain, bench.person, name) for name in names}
    said = [own_name(record.entity, name) for name, record in records.items()]
    asked = bench.speaker.ask_identity(said)
    bench.speaker.said()
    return asked


def reply(bench: Bench, name: str) -> dict[str, object]:
    """What the person says when they are asked for one fact."""
    assert bench.person is not None
    record = identity.record_with(bench.domain, bench.person, name)
    cues = list(dict.fromkeys([own_name(record.entity, name), name.replace("_", " ")]))
    said: dict[str, object] = {
        "tell": name,
        "cues": cues,
        "text": bench.talk.identify(record, [name]),
    }
    return {**said, "always": True} if bench.domain.homes else said
