"""Exploration without a model (paper B.1.1): progressive, guided by what earlier episodes learned.

An episode has one to four wishes. Each is a change that a tool can make, or a question that results
answer; what it needs is looked up first, as an agent would have to. Tools that were used less are
preferred, from those that need little to those that need much. A wish that fails is tried again,
with other values or after the tool that its error names; then what it did is taken back. What was
reached before stands: the longest executable prefix that ends in a success.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from ..environment import Outcome
from .attempts import CARRIED_OUT, NO_CHANGE, Target
from .binding import Binder
from .evidence import Unfound
from .experience import Experience, Guide
from .inference import completed, enabler_named, mine
from .lexicon import Lexicon
from .model import Aim, Exploration
from .scene import Scene, Stuck
from .systems import SystemEnvironment, SystemFailure

WISHES = (12, 40, 36, 12)
"""How often an episode has one wish, two, three, four."""

FIRST_INVENTORY = 6
GROWTH = 1.0
"""Tools that may be aimed at in the first episode, and how many more after each."""


def explore(
    environment: SystemEnvironment,
    lexicon: Lexicon,
    experience: Experience,
    *,
    seed: int,
    episode: int,
) -> tuple[Exploration, Experience]:
    """One episode from the environment's initial state, which it leaves where it ended.

    Args:
        lexicon: the words of the system; what they leave out is inferred.
        experience: what earlier episodes learned; left as it is.
        seed, episode: what all choices depend on.

    Returns:
        the exploration, and what it adds to the experience.
    """
    environment.reset()
    info = environment.system.info
    rng = random.Random(f"{seed}/{info.name}/{episode}")
    words = completed(lexicon, environment.tools(), experience, environment.initial_state)
    scene = Scene(environment, words, rng, experience)
    difficulty = 1 + episode % 3
    reached = _Reached(Outcome(environment.start_hash, [], ()))
    try:
        failure = _wishes(scene, difficulty, reached)
    except SystemFailure as broken:
        failure = broken.reason
        scene.cut(*reached.length)
    scene.learned.episodes = 1
    exploration = Exploration(
        system=info.name, version=info.version, seed=environment.seed, episode=episode,
        difficulty=difficulty, benchmark=info.benchmark, initial=environment.start_hash,
        terminal=reached.outcome.state_hash, changes=tuple(reached.outcome.diff),
        calls=tuple(scene.calls), failures=tuple(scene.failures), facts=scene.facts,
        wishes=tuple(reached.aims), failure=failure,
    )  # fmt: skip
    return exploration, scene.learned


@dataclass
class _Reached:
    """What stands of an episode, whatever comes: the wishes that were carried out, what they left
    behind, and how long the scene was then.
    """

    outcome: Outcome
    aims: list[Aim] = field(default_factory=list)
    length: tuple[int, list[str], int] = (0, [], 0)


def _wishes(scene: Scene, difficulty: int, reached: _Reached) -> str:
    """Carry out wishes until there are enough, or too many can't be had. Returns why it ended."""
    aims = reached.aims
    wanted = scene.rng.choices(range(1, 1 + len(WISHES)), WISHES)[0]
    _look_round(scene)
    failed = 0
    while len(aims) < wanted and failed < 2 + difficulty:
        targets = inventory(scene)
        if not targets:
            return "nothing-to-do"
        target = _choose(scene, targets, aims)
        aim = _attempt(scene, target, 1 + difficulty)
        if aim is None:
            failed += 1
            continue
        aims.append(aim)
        scene.wish += 1
        scene.learned.guide(aim.tool).wished += 1
        reached.outcome = scene.environment.capture()
        reached.length = len(scene.calls), list(scene.facts), len(scene.focus)
    return "" if len(aims) == wanted else "stuck"


def _look_round(scene: Scene) -> None:
    """Orientation: in the first episodes, call what only reads, to learn what it shows."""
    if scene.experience.episodes >= 3 * FIRST_INVENTORY:
        return
    for tool in [name for name in scene.tools if scene.reads(name)]:
        mark = scene.environment.snapshot()
        length, facts, focus = len(scene.calls), list(scene.facts), len(scene.focus)
        try:
            values, origins = Binder(scene).bind(tool)
            scene.call(tool, values, origins, "orientation")
        except Stuck:
            pass
        # Some that say they read change something: looking round must leave no trace.
        scene.environment.restore(mark)
        scene.cut(length, facts, focus)


def inventory(scene: Scene) -> list[Target]:
    """What may be aimed at: it grows with the episodes, from tools that need little on."""
    size = FIRST_INVENTORY + GROWTH * scene.experience.episodes
    tools = sorted(scene.tools, key=lambda name: (_needs(scene, name), name))
    usable = [name for name in tools if not scene.words(name).uncoverable]
    targets: list[Target] = []
    for tool in usable[: int(size)]:
        words = scene.words(tool)
        if words.goal and words.say:
            targets.append(Target("do", tool))
        if words.goal and words.ask and (words.answer or words.rows):
            targets.append(Target("ask", tool))
        if words.rows and scene.reads(tool):
            noun = scene.noun(words.rows)
            if noun.fields and noun.label:
                targets.append(Target("field", tool, words.rows))
            if scene.detail(tool):
                continue
            if any(f.most or f.least for f in noun.fields.values()) and noun.label:
                targets.append(Target("pick", tool, words.rows))
            if noun.plural:
                targets.append(Target("count", tool, words.rows))
    return targets


def _needs(scene: Scene, tool: str) -> int:
    """How much a call of a tool takes: arguments, those to be looked up twice, what comes first."""
    required = scene.tools[tool].parameters.get("required", ())
    looked_up = sum(scene.arg(tool, name).of is not None for name in required)
    return len(required) + looked_up + 2 * len(scene.words(tool).needs)


def _choose(scene: Scene, targets: list[Target], aims: list[Aim]) -> Target:
    """Prefer tools used less; after the first wish also what is about the same, or follows."""
    last = aims[-1].tool if aims else ""
    spoken = {focus.noun for focus in scene.focus}

    def weight(target: Target) -> float:
        known, learned = scene.experience.known(target.tool), scene.learned.known(target.tool)
        used = known.wished + 2 * learned.wished
        found = 1.0 / (1 + used) / (1 + _in_vain(known) + _in_vain(learned)) ** 2
        found *= {"do": 1.5, "ask": 1.2, "field": 0.8, "pick": 0.5, "count": 0.2}[target.kind]
        if aims:
            found *= 6.0 if (last, target.tool) in scene.lexicon.follow else 1.0
            found *= 4.0 if spoken & _nouns(scene, target) else 1.0
            found *= 0.1 if any(a.tool == target.tool and a.kind != "do" for a in aims) else 1.0
        return found

    weights = [weight(target) for target in targets]
    chosen: Target = scene.rng.choices(targets, weights)[0]
    return chosen


def _in_vain(guide: Guide) -> float:
    """How often a tool was tried in vain, beyond what comes with success. Such a tool is tried ever
    less, but never given up.
    """
    unchanged = guide.errors[NO_CHANGE]
    done = guide.done - unchanged
    return max(0, guide.tried - done - 2 * done) / 4


def _nouns(scene: Scene, target: Target) -> set[str]:
    """What a target is about."""
    args = scene.words(target.tool).args.values()
    return {arg.of for arg in args if arg.of} | ({target.noun} if target.noun else set())


def _attempt(scene: Scene, target: Target, tries: int) -> Aim | None:
    """Try a target several times; None, with everything taken back, where it can't be had."""
    mark = scene.environment.snapshot()
    length, facts, focus = len(scene.calls), list(scene.facts), len(scene.focus)
    binder = Binder(scene)
    enabler = ""
    for _ in range(tries):
        try:
            if enabler:
                values, origins = binder.bind(enabler)
                scene.call(enabler, values, origins, "means")
            aim = CARRIED_OUT[target.kind](scene, binder, target)
        except (Stuck, Unfound) as stuck:
            named = _learn_from(scene, target, str(stuck))
            scene.environment.restore(mark)
            scene.cut(length, facts, focus)
            enabler = named or enabler
            binder.stay /= 2
            continue
        if enabler:
            scene.learned.guide(target.tool).enablers[enabler] += 1
        return aim
    return None


def _learn_from(scene: Scene, target: Target, error: str) -> str:
    """Mine an error: values that it names, and the tool that it asks for (else "")."""
    if not scene.failures or scene.failures[-1].tool != target.tool:
        return ""
    failed = scene.failures[-1]
    mine(scene.learned.guide(target.tool), failed.arguments, error)
    return enabler_named(error, target.tool, list(scene.tools))
