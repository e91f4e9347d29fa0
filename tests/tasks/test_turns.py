"""Turns: each form of wish comes up in its share, in every domain, and units keep to their turn."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from davinci_env.domain import Rule, Tool
from davinci_env.environment import DomainEnvironment, open_environment
from davinci_env.planning.undoing import settles
from davinci_env.tasks.bench import Bench
from davinci_env.tasks.drafts import Draft, Scene
from davinci_env.tasks.fallbacks import fallback
from davinci_env.tasks.followups import further
from davinci_env.tasks.forms import plain_writes
from davinci_env.tasks.kinds import DRAWS
from davinci_env.tasks.missed import NoCandidate
from davinci_env.tasks.turns import FOLLOWING, LEADS, OPENINGS
from davinci_env.tasks.units import CYCLE, Order, make

DOMAINS = ("clinic_appointments", "library_lending", "order_management")
PEOPLE = 10


def any_of(item: Tool | Rule) -> float:
    return 1.0


def visits(domain: str) -> Iterator[DomainEnvironment]:
    """A world of a domain, for one person after the other."""
    environment = open_environment(domain, seed=23)
    people = [row.id for row in environment.world.all(environment.domain.identity)]
    for person in people[:PEOPLE]:
        environment.reset()
        environment.appearing = {}
        environment.act_for(person)
        yield environment
    environment.close()


def benches(domain: str) -> Iterator[Bench]:
    for number, environment in enumerate(visits(domain)):
        yield Bench(environment, random.Random(number))


@pytest.mark.parametrize("forms", [OPENINGS, LEADS, FOLLOWING])
@pytest.mark.parametrize("kind", ["act", "act+ask", "deny", "clarify", "handoff", "missing-tool"])
def test_the_units_of_a_kind_take_all_turns(kind: str, forms: Sequence[str]) -> None:
    """Wherever a kind stands in the cycle, its units get to every form as often as to any other."""
    for place in (place for place, name in enumerate(CYCLE) if name == kind):
        units = [len(CYCLE) * number + place for number in range(len(forms))]
        turns = [Order("d", kind, index, 0, 1.0).turn % len(forms) for index in units]
        assert sorted(turns) == list(range(len(forms)))


def forms_of(draft: Draft) -> list[set[str]]:
    return [scene.forms for scene in draft.scenes]


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_request_has_the_form_whose_turn_it_is(domain: str) -> None:
    found: Counter[str] = Counter()
    for environment in visits(domain):
        for turn, form in enumerate(OPENINGS):
            try:
                (draft,) = DRAWS["act"](environment, random.Random(turn), any_of, turn)
            except NoCandidate:
                continue
            found[form] += 1
            assert form in forms_of(draft)[1 if form == "undo" else 0]
    assert set(found) == set(OPENINGS), "a domain in which nobody has such a wish"


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_question_leads_to_the_form_whose_turn_it_is(domain: str) -> None:
    """A chain that is asked about is one still; the other forms come after the answer."""
    found: Counter[str] = Counter()
    for environment in visits(domain):
        for turn, form in enumerate(LEADS):
            try:
                (draft,) = DRAWS["act+ask"](environment, random.Random(turn), any_of, turn)
            except NoCandidate:
                continue
            found[form] += 1
            forms = forms_of(draft)
            if form == "changed":
                assert "chain" in forms[0]
                assert draft.scenes[0].chain == 1
            else:
                assert form in forms[2 if form == "undo" else 1]
    assert set(found) == set(LEADS)


@pytest.mark.parametrize("domain", DOMAINS)
def test_half_of_the_denials_rest_on_rules_that_only_the_agent_keeps(domain: str) -> None:
    """Else an agent that ignores them would hardly be noticed."""
    rules = []
    for index in (1, 7, 13, 19, 25, 31):
        made = make(Order(domain, "deny", index, seed=3, scale=1.0))
        rules += [str(task.answer["rule"]) for task in made.tasks if isinstance(task.answer, dict)]
    known = open_environment(domain, seed=0, scale=0.1).domain.rules
    assert len(rules) >= 4
    assert sum(known[code].by == "agent" for code in rules) * 2 >= len(rules)
    assert len(set(rules)) * 2 > len(rules)


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_second_choice_settles_what_becomes_of_the_row(domain: str) -> None:
    """To be told what a mere change of something else would be no answer to a refusal."""
    found = 0
    for bench in benches(domain):
        try:
            (intent,) = fallback(bench, any_of).intents
        except NoCandidate:
            continue
        found += 1
        tools = bench.domain.tools
        first, (second,) = tools[intent["do"]], [tools[other["do"]] for other in intent["else"]]
        shared = {p.entity for p in first.parameters} & {p.entity for p in second.parameters}
        assert any(settles(second, entity) for entity in shared if entity is not None)
        assert first.outcome.mood != "bad"
        assert not any(p.required and p.type.choices for p in second.parameters)
    assert found >= 3


def test_a_further_wish_is_about_other_rows() -> None:
    """Nobody asks for the same again, or for the contrary, without a word about it."""
    for bench in benches("order_management"):
        before = plain_writes(bench, any_of, 1)

        def again(bench: Bench, wanted: object, scene: Scene = before) -> Scene:
            return scene

        with pytest.raises(NoCandidate, match="same rows"):
            further(again)(bench, before)
