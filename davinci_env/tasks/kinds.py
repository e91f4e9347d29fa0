"""Kinds: how the drafts of each kind are drawn. Deny and clarify come with a feasible twin in the
same words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from ..domain import Parameter
from ..environment import DomainEnvironment
from ..planning import Binding
from ..planning.bindings import plain_arguments
from ..planning.goals import Plan, Step, Wanted, first_free
from ..planning.undoing import takes_back
from ..state import UPDATED, Change
from .acts import Extra, act_scene, carry_out
from .asking import ask_scene, draw_question
from .bench import Bench
from .denials import deny_pair
from .drafts import Draft, Scene
from .followups import (
    FollowUp,
    act_on_answer,
    declined_later,
    further_act,
    further_denied,
    further_question,
    push_back,
    remedy,
    undo,
)
from .forms import any_tool, chain, draw_writes, plain_writes
from .handoffs import appears, concern_scene, missing_scene
from .missed import NoCandidate
from .protests import decline, second_choice
from .questions import Question, askable_columns, attribute_question
from .reticence import with_silence
from .stories import Story
from .typos import with_typo
from .words import Wish

Draw = Callable[[DomainEnvironment, random.Random, Wanted], list[Draft]]

AFTER_ACT: dict[FollowUp, float] = {
    undo: 0.24, further_act: 0.40, further_question: 0.05, further_denied: 0.14,
    declined_later: 0.17,
}  # fmt: skip
AFTER_ASK: dict[FollowUp, float] = {
    act_on_answer: 0.45, further_act: 0.4, declined_later: 0.15,
}  # fmt: skip
AFTER_DENIAL: dict[FollowUp, float] = {
    push_back: 0.55, remedy: 0.35, further_act: 0.1,
}  # fmt: skip
AFTER_HAND_OVER: dict[FollowUp, float] = {
    further_act: 0.35, further_denied: 0.25, declined_later: 0.2, further_question: 0.2,
}  # fmt: skip
LAST: dict[FollowUp, float] = {
    further_act: 0.45, further_denied: 0.25, declined_later: 0.1, further_question: 0.2,
}  # fmt: skip

DECLINES = 0.4
"""How often a request of writes is declined or corrected at the confirmation."""

CHAINED = 0.8
"""How often the writes before a question are a chain."""

REGRETS = 0.3
"""How often a request of a write is taken back in the next turn."""

SILENCE = 0.35
"""How often a person tells who they are, or the second half of it, only when asked."""

TYPOS = 0.16
"""How often the fact by which a person is found is mistyped, where that can be noticed."""


def _told(
    environment: DomainEnvironment, rng: random.Random, tell: Callable[[Story], Draft]
) -> Draft:
    """Tell a story from the environment's present state, which is left as it is."""
    story = Story(environment, rng)
    try:
        return tell(story)
    finally:
        story.end()


def _shy(story: Story) -> None:
    """Perhaps let the person mistype who they are, or tell it only when asked."""
    with_typo(story, TYPOS)
    with_silence(story, SILENCE)


def draw_act(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Change something, in some form; perhaps more."""

    def tell(story: Story) -> Draft:
        if rng.random() < REGRETS:
            _regretted(story)
        else:
            story.add(_opening(story.bench, wanted))
            story.follow(AFTER_ACT, 0.75)
        if len(story.scenes) > 1:
            story.follow(LAST, 0.3)
        _shy(story)
        return story.draft("act")

    return [_told(environment, rng, tell)]


def _regretted(story: Story) -> None:
    """A write that is taken back in the next turn. Raises NoCandidate where nothing can be."""
    bench = story.bench
    writes = bench.survey.writes()
    thought_over = {name for thought in bench.domain.second_thoughts for name in thought.about}
    names = {
        tool.name
        for tool in writes
        if tool.name in thought_over and any(takes_back(tool, other) for other in writes)
    }
    story.add(plain_writes(bench, lambda item: float(getattr(item, "name", "") in names), 1))
    if not story.follow({undo: 1.0}, 1.0):
        raise NoCandidate("nothing can be taken back")


def _opening(bench: Bench, wanted: Wanted) -> Scene:
    """A scene of writes, of which one may be declined or corrected at the confirmation."""
    if bench.rng.random() < DECLINES:
        try:
            return bench.rng.choice((decline, second_choice, second_choice))(bench, any_tool)
        except NoCandidate:
            pass
    return draw_writes(bench, wanted)


def draw_ask(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Find something out, perhaps act on it."""

    def tell(story: Story) -> Draft:
        story.add(ask_scene(story.bench, draw_question(story.bench)))
        if story.follow({further_question: 1.0}, 0.55):
            story.follow({further_question: 1.0}, 0.3)
        _shy(story)
        return story.draft("ask")

    return [_told(environment, rng, tell)]


def draw_act_ask(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Change something and ask for a value that the change sets; or ask, and then act on it."""
    if rng.random() < 0.55:
        return [_told(environment, rng, _asked_then_done)]

    def tell(story: Story) -> Draft:
        story.add(_changed_and_asked(story.bench, wanted))
        story.follow(AFTER_ACT, 0.5)
        _shy(story)
        return story.draft("act+ask")

    return [_told(environment, rng, tell)]


def _asked_then_done(story: Story) -> Draft:
    story.add(ask_scene(story.bench, draw_question(story.bench)))
    if not story.follow(AFTER_ASK, 1.0) or not story.scenes[-1].steps:
        raise NoCandidate("nothing to do after the answer")
    story.follow(AFTER_ACT, 0.4)
    _shy(story)
    return story.draft("act+ask")


def _changed_and_asked(bench: Bench, wanted: Wanted) -> Scene:
    for attempt in range(4):
        if not attempt and bench.rng.random() < CHAINED:
            scene = chain(bench, any_tool)
        else:
            scene = plain_writes(bench, wanted, bench.rng.choice((1, 2)))
        changes, _ = carry_out(bench.environment, scene.steps)
        given = {
            v for s in scene.steps for v in s.binding.values.values() if not isinstance(v, list)
        }
        wishes = bench.words.wishes(scene.steps)
        question = _changed_question(bench, changes, given, wishes[-1])
        if question is not None:
            plan = Plan(tuple(scene.steps))
            return act_scene(bench, plan, wishes, Extra(question=question))
    raise NoCandidate("no changed value to ask for")


def _changed_question(
    bench: Bench, changes: Sequence[Change], given: set[Any], wish: Wish
) -> Question | None:
    """A question for a changed cell of a row that the actor owns, whose new value the request
    doesn't give. A row of which the last wish spoke is "it".
    """
    options = []
    for change in changes:
        info = bench.environment.world.schema.by_table[change.table]._info
        if change.op != UPDATED:
            continue
        row = bench.environment.world.get(info.cls, change.key)
        if row is None or bench.domain.owner_of(row) is not bench.person or info.identity:
            continue
        columns = [
            c for c in askable_columns(info) if c in change.cells and change.cells[c][1] is not None
        ]
        today = str(bench.survey.db.today)
        options += [
            (row, c)
            for c in columns
            if not info.columns[c].choices
            and change.cells[c][1] not in given
            and str(change.cells[c][1])[:10] != today  # nobody asks when they did it just now
        ]
    if not options:
        return None
    row, column = bench.rng.choice(options)
    spoken = [m for mentions in wish.by_argument.values() for m in mentions if m.row is row]
    mention = bench.words.same(spoken[0]) if len(spoken) == 1 else None
    return attribute_question(bench, row, column, stale=True, mention=mention)


def draw_deny(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Ask for what one rule forbids, perhaps insist; the twin asks where nothing forbids it."""
    bench = Bench(environment, rng)
    denied, feasible = deny_pair(bench, wanted)
    pair = f"deny:{rng.randrange(10**9)}"

    def tell(story: Story) -> Draft:
        story.bench = bench
        story.add(denied)
        if story.follow(AFTER_DENIAL, 0.8) and story.scenes[-1].act == "push-back":
            story.follow({remedy: 0.4, further_act: 0.4, further_question: 0.2}, 0.3)
        with_silence(story, SILENCE)
        return story.draft("deny", pair=pair)

    return [_told(environment, rng, tell), _twin(environment, rng, feasible, pair)]


def _twin(environment: DomainEnvironment, rng: random.Random, scene: Scene, pair: str) -> Draft:
    def tell(story: Story) -> Draft:
        story.add(scene)
        story.follow(AFTER_ACT, 0.65)
        with_silence(story, SILENCE)
        return story.draft("act", pair=pair)

    return _told(environment, rng, tell)


def draw_clarify(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """Leave out a fact that must be asked for; the twin says it."""
    bench = Bench(environment, rng)
    tools = [t for t in bench.survey.writes() if wanted(t) > 0]
    tools.sort(key=lambda t: -wanted(t) * rng.random())
    for tool in tools:
        binding = first_free(bench.survey, tool)
        if binding is None:
            continue
        names = [p.name for p in tool.parameters if _can_be_missing(bench, binding, p)]
        if not names:
            continue
        plan = Plan((Step(binding, plain_arguments(binding)),))
        try:
            silent, whole = _silent_and_whole(bench, plan, rng.choice(names))
        except NoCandidate:
            continue
        pair = f"clarify:{rng.randrange(10**9)}"

        def tell(story: Story, scene: Scene = silent, name: str = pair) -> Draft:
            story.bench = bench
            story.add(scene)
            story.follow(AFTER_ACT, 0.65)
            return story.draft("clarify", pair=name)

        return [_told(environment, rng, tell), _twin(environment, rng, whole, pair)]
    raise NoCandidate("no fact can be left out")


def _silent_and_whole(bench: Bench, plan: Plan, missing: str) -> tuple[Scene, Scene]:
    (step,) = plan.steps
    phrase = bench.words.phrase(step.tool, missing)
    wish = bench.words.wish(step, phrase, missing)
    silent = act_scene(bench, plan, [wish], Extra(missing=missing))
    return silent, act_scene(bench, plan, [bench.words.wish(step)])


def _can_be_missing(bench: Bench, binding: Binding, parameter: Parameter) -> bool:
    """Whether leaving an argument out makes the request ambiguous: another value would be legal
    too.
    """
    if (
        parameter.implicit
        or not parameter.required
        or parameter.is_free_text
        or parameter.type.many
        or parameter.entity is bench.domain.identity
    ):
        return False
    own = binding.values[parameter.name]
    for number, other in enumerate(bench.survey.bindings(binding.tool)):
        if (
            other.values[parameter.name] != own
            and not other.blocked
            and all(
                other.values[p.name] == binding.values[p.name]
                for p in binding.tool.parameters
                if p.name != parameter.name and p.drawn is None
            )
        ):
            return True
        if number > 150:
            break
    return False


def draw_handoff(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """What only a person can settle: hand over, for the right reason."""

    def tell(story: Story) -> Draft:
        story.add(concern_scene(story.bench))
        story.follow(AFTER_HAND_OVER, 0.45)
        _shy(story)
        return story.draft("handoff")

    return [_told(environment, rng, tell)]


def draw_missing(environment: DomainEnvironment, rng: random.Random, wanted: Wanted) -> list[Draft]:
    """A wish whose tool isn't listed; it may come back in a later turn."""

    def tell(story: Story) -> Draft:
        first = missing_scene(story.bench, wanted)
        assert first.withheld is not None
        story.add(first)
        if not story.follow({appears: 1.0}, 0.45):
            story.follow(AFTER_HAND_OVER, 0.5)
        return story.draft("missing-tool", hidden=[first.withheld.tool.name])

    return [_told(environment, rng, tell)]


DRAWS: dict[str, Draw] = {
    "act": draw_act,
    "ask": draw_ask,
    "act+ask": draw_act_ask,
    "deny": draw_deny,
    "clarify": draw_clarify,
    "handoff": draw_handoff,
    "missing-tool": draw_missing,
}
