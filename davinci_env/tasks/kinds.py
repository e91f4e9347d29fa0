"""Kinds: how the drafts of each kind are drawn. Deny and clarify come with a feasible twin in the
same words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Protocol

from ..domain import Parameter
from ..environment import DomainEnvironment
from ..planning import Binding
from ..planning.bindings import plain_arguments
from ..planning.goals import Plan, Step, Wanted, first_free
from ..planning.undoing import takes_back, wipes_out
from .acts import Extra, act_scene
from .asking import ask_scene, draw_question
from .bench import Bench
from .changes import changed_and_asked
from .crossing import ELSEWHERE, cross_forms, elsewhere, question_elsewhere
from .denials import deny_pair
from .drafts import Draft, Scene
from .followups import (
    FollowUp,
    act_on_answer,
    further,
    further_denied,
    further_question,
    push_back,
    remedy,
    undo,
)
from .forms import any_tool, draw_writes, plain_writes
from .handoffs import appears, concern_scene, missing_scene
from .missed import NoCandidate
from .reticence import with_silence
from .stories import Story
from .turns import (
    FORMS,
    LATER,
    declined_later,
    following,
    further_act,
    lead,
    opening,
    thought_over,
)
from .typos import with_typo


class Draw(Protocol):
    """How the drafts of a kind are drawn."""

    def __call__(
        self,
        environment: DomainEnvironment,
        rng: random.Random,
        wanted: Wanted,
        turn: int | None = None,
    ) -> list[Draft]:
        """Draw.

        Args:
            wanted: the writes or rules that a draw goes by, where it goes by any.
            turn: says which forms are to be tried first; None lets chance decide.

        Raises:
            NoCandidate: nothing was found, or not the form whose turn it is.
        """
        ...


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
AFTER_PUSH_BACK: dict[FollowUp, float] = {further_act: 0.7, further_question: 0.3}
AFTER_HAND_OVER: dict[FollowUp, float] = {
    further_act: 0.35, further_denied: 0.25, declined_later: 0.2, further_question: 0.2,
}  # fmt: skip
LAST: dict[FollowUp, float] = {
    further_act: 0.45, further_denied: 0.25, declined_later: 0.1, further_question: 0.2,
}  # fmt: skip

DECLINES = 0.4
"""How often a request of writes is declined or corrected at the confirmation."""

CHANGES = 0.45
"""How often what is asked for is what the writes change; else the writes follow an answer."""

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


def _across(story: Story, turn: int | None, *, only_ask: bool = False) -> None:
    """Where domains are joined, go on until the story has led from one to another.

    Raises NoCandidate where nothing leads there.
    """
    homes = story.homes
    if not story.bench.domain.homes or any("transfer" in s.forms for s in story.scenes):
        return
    if only_ask:
        if len(homes) < 2 and not story.follow({question_elsewhere(homes): 1.0}, 1.0):
            raise NoCandidate("nothing to ask elsewhere")
        return
    forms = cross_forms(story.rng.randrange(1000) if turn is None else turn)
    for form in [*forms, *(elsewhere(form, homes) for form in ELSEWHERE)]:
        if story.follow({further(form): 1.0}, 1.0) and len(story.homes) > 1:
            return
    if len(story.homes) < 2:
        raise NoCandidate("nothing to do elsewhere")


def _more(story: Story, options: Mapping[FollowUp, float], chance: float, turn: int | None) -> bool:
    """Perhaps add a later scene: one of the forms whose turn it is, or else one of the options."""
    if story.rng.random() >= chance:
        return False
    return any(story.follow({first: 1.0}, 1.0) for first in following(turn)) or story.follow(
        options, 1.0
    )


def draw_act(
    environment: DomainEnvironment, rng: random.Random, wanted: Wanted, turn: int | None = None
) -> list[Draft]:
    """Change something, in some form; perhaps more."""

    def tell(story: Story) -> Draft:
        form = opening(turn)
        if form == "undo" or (form is None and rng.random() < REGRETS):
            story.add(_regrettable(story.bench, any_tool))
            _regret(story)
        else:
            story.add(_opening(story.bench, wanted, form))
            _more(story, AFTER_ACT, 0.75, turn)
        if len(story.scenes) > 1:
            story.follow(LAST, 0.3)
        _across(story, turn)
        _shy(story)
        return story.draft("act")

    return [_told(environment, rng, tell)]


def _regrettable(bench: Bench, wanted: Wanted) -> Scene:
    """A write that another one could take back, and of which people are known to think again."""
    writes = bench.survey.writes()
    declared = {name for thought in bench.domain.second_thoughts for name in thought.about}
    names = {
        tool.name
        for tool in writes
        if tool.name in declared
        and any(takes_back(tool, other) or wipes_out(tool, other) for other in writes)
    }
    return plain_writes(bench, lambda item: float(getattr(item, "name", "") in names), 1)


def _regret(story: Story) -> None:
    """Take back what was just done. Raises NoCandidate where that can't be."""
    if not story.follow({undo: 1.0}, 1.0):
        raise NoCandidate("nothing can be taken back")


def _opening(bench: Bench, wanted: Wanted, form: str | None) -> Scene:
    """A scene of writes in this form, or in any; perhaps declined or corrected at the
    confirmation.
    """
    if form is not None:
        return FORMS[form](bench, any_tool)
    if bench.rng.random() < DECLINES:
        try:
            return thought_over(bench, any_tool)
        except NoCandidate:
            pass
    return draw_writes(bench, wanted)


def draw_ask(
    environment: DomainEnvironment, rng: random.Random, wanted: Wanted, turn: int | None = None
) -> list[Draft]:
    """Find something out, perhaps act on it."""

    def tell(story: Story) -> Draft:
        story.add(ask_scene(story.bench, draw_question(story.bench)))
        if story.follow({further_question: 1.0}, 0.55):
            story.follow({further_question: 1.0}, 0.3)
        _across(story, turn, only_ask=True)
        _shy(story)
        return story.draft("ask")

    return [_told(environment, rng, tell)]


def draw_act_ask(
    environment: DomainEnvironment, rng: random.Random, wanted: Wanted, turn: int | None = None
) -> list[Draft]:
    """Change something and ask for a value that the change sets; or ask, and then act on it."""
    form = lead(turn)
    changed = form == "changed" or (form is None and rng.random() < CHANGES)

    def tell(story: Story) -> Draft:
        if changed:
            story.add(changed_and_asked(story.bench, wanted, form is not None))
        else:
            _asked_then_done(story, form)
        _more(story, AFTER_ACT, 0.4, turn)
        _across(story, turn)
        _shy(story)
        return story.draft("act+ask")

    return [_told(environment, rng, tell)]


def _asked_then_done(story: Story, form: str | None) -> None:
    """A question, and then something to do; with "undo", the next turn takes it back."""
    story.add(ask_scene(story.bench, draw_question(story.bench)))
    options = AFTER_ASK if form is None else {LATER[form]: 1.0}
    if not story.follow({further(_regrettable): 1.0} if form == "undo" else options, 1.0):
        raise NoCandidate("nothing to do after the answer")
    if form == "undo":
        _regret(story)


def draw_deny(
    environment: DomainEnvironment, rng: random.Random, wanted: Wanted, turn: int | None = None
) -> list[Draft]:
    """Ask for what one rule forbids, perhaps insist; the twin asks where nothing forbids it."""
    bench = Bench(environment, rng)
    denied, feasible = deny_pair(bench, wanted)
    pair = f"deny:{rng.randrange(10**9)}"

    def tell(story: Story) -> Draft:
        story.bench = bench
        story.add(denied)
        insisted = story.follow(AFTER_DENIAL, 0.8) and story.scenes[-1].act == "push-back"
        if insisted and not story.follow({remedy: 1.0}, 0.15):
            _more(story, AFTER_PUSH_BACK, 0.3, turn)
        _across(story, turn)
        with_silence(story, SILENCE)
        return story.draft("deny", pair=pair)

    return [_told(environment, rng, tell), _twin(environment, rng, feasible, pair, turn)]


def _twin(
    environment: DomainEnvironment, rng: random.Random, scene: Scene, pair: str, turn: int | None
) -> Draft:
    def tell(story: Story) -> Draft:
        story.add(scene)
        _more(story, AFTER_ACT, 0.75, turn)
        _across(story, turn)
        with_silence(story, SILENCE)
        return story.draft("act", pair=pair)

    return _told(environment, rng, tell)


def draw_clarify(
    environment: DomainEnvironment, rng: random.Random, wanted: Wanted, turn: int | None = None
) -> list[Draft]:
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
            _more(story, AFTER_ACT, 0.75, turn)
            _across(story, turn)
            return story.draft("clarify", pair=name)

        return [_told(environment, rng, tell), _twin(environment, rng, whole, pair, turn)]
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
        or parameter.is_person
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


def draw_handoff(
    environment: DomainEnvironment, rng: random.Random, wanted: Wanted, turn: int | None = None
) -> list[Draft]:
    """What only a person can settle: hand over, for the right reason."""

    def tell(story: Story) -> Draft:
        story.add(concern_scene(story.bench))
        _more(story, AFTER_HAND_OVER, 0.45, turn)
        _across(story, turn)
        _shy(story)
        return story.draft("handoff")

    return [_told(environment, rng, tell)]


def draw_missing(
    environment: DomainEnvironment, rng: random.Random, wanted: Wanted, turn: int | None = None
) -> list[Draft]:
    """A wish whose tool isn't listed; it may come back in a later turn."""

    def tell(story: Story) -> Draft:
        first = missing_scene(story.bench, wanted)
        assert first.withheld is not None
        story.add(first)
        if not story.follow({appears: 1.0}, 0.45):
            _more(story, AFTER_HAND_OVER, 0.6, turn)
        _across(story, turn)
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
