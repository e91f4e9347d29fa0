"""Tasks over joined domains: what is asked for in one rests on the other, and half of it is not
enough.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from davinci_env.agents import make_agent
from davinci_env.agents.users import ScriptedUser
from davinci_env.certify import certify
from davinci_env.certify.mutants import Mutator
from davinci_env.certify.scripts import Do
from davinci_env.environment import DomainEnvironment
from davinci_env.episodes.runner import play_task
from davinci_env.planning.goals import Wanted
from davinci_env.records import Call, Task
from davinci_env.tasks.assemble import assemble
from davinci_env.tasks.crossing import CROSS_FORMS, cross_forms
from davinci_env.tasks.missed import NoCandidate
from davinci_env.tasks.stories import Story
from davinci_env.verify import Verifier
from tests.compose.worlds import day_out, opened


def anything(item: Any) -> float:
    return 1.0


def drawn(form: str, wanted: Wanted = anything) -> tuple[Task, DomainEnvironment]:
    """A certified task of one scene in a form."""
    environment = opened()
    people = day_out().regulars(environment.world)
    for number, person in enumerate(people * 4):
        environment.reset()
        environment.act_for(person.id)
        story = Story(environment, random.Random(number))
        try:
            story.add(CROSS_FORMS[form](story.bench, wanted))
            draft = story.draft("act")
        except NoCandidate:
            continue
        finally:
            story.end()
        task = assemble(draft, environment, 1)
        return task.model_copy(update={"certificate": certify(task, environment)}), environment
    raise AssertionError(f"no task of the form {form}")


def homes(task: Task) -> list[str]:
    tools = day_out().tools
    return [tools[s.tool].home for s in task.solution if isinstance(s, Call)]


def specs(task: Task) -> Iterator[Any]:
    intents: Any = task.request.intents
    for intent in intents:
        yield from intent["arguments"].values()


@pytest.fixture(scope="module", params=list(CROSS_FORMS))
def case(request: pytest.FixtureRequest) -> tuple[str, Task, DomainEnvironment]:
    return request.param, *drawn(request.param)


def test_each_form_needs_both_domains(case: tuple[str, Task, DomainEnvironment]) -> None:
    form, task, _ = case
    assert set(homes(task)) == {"swim_hall", "snack_bar"}, form
    assert task.source == "ees-cross"
    assert task.difficulty.domains == 2
    assert task.difficulty.transitions >= 1


def test_the_expert_solves_it(case: tuple[str, Task, DomainEnvironment]) -> None:
    _, task, environment = case
    environment.reset()
    verifier = Verifier(task, environment)
    agent = make_agent("expert", task, environment.domain)
    play_task(task, environment, agent, ScriptedUser(task))
    verdict = verifier.judge(environment)
    assert verdict.passed, [r.id for r in verdict.requirements if not r.passed]


def test_its_mutants_that_cross_fail(case: tuple[str, Task, DomainEnvironment]) -> None:
    form, task, environment = case
    environment.reset()
    from davinci_env.certify.certificate import _solvable, _Trial

    trial = _Trial(task, environment, Verifier(task, environment), environment.snapshot())
    _solvable(trial)
    environment.restore(trial.start)
    mutator = Mutator(task, trial.golden, environment, {}, random.Random(0))
    made = [(m.operator, m.script) for m in mutator.deeds()]
    played = list(trial.judge_all(made))
    crossing = {
        "transfer": {"other-source"},
        "link": set[str](),
        "cross-chain": {"one-half", "across"},
        "joint": {"one-half"},
    }[form]
    assert crossing <= {operator for operator, _, _, _ in played}
    for operator, script, verdict, key in played:
        if key not in trial.accepted:
            assert not verdict.passed, (operator, [e for e in script.entries if isinstance(e, Do)])


def test_a_value_is_asked_for_by_where_it_stands() -> None:
    task, environment = drawn("transfer")
    (of,) = [spec for spec in specs(task) if "of" in spec]
    assert of["of"]["entity"] == "Locker"
    assert of["column"] == "fee"
    assert "as much as " in task.request.text
    (tip,) = [s for s in task.solution if isinstance(s, Call) and s.tool == "add_tip"]
    assert tip.arguments["amount"] not in task.request.text
    locker = environment.world.all(day_out().entities["Locker"])
    assert tip.arguments["amount"] in {f"{row.fee // 100}.{row.fee % 100:02d}" for row in locker}


def test_a_record_is_named_by_what_it_goes_with() -> None:
    task, _ = drawn("link")
    (partner,) = [spec["row"] for spec in specs(task) if "partner" in spec.get("row", {})]
    assert {partner["entity"], partner["partner"]["entity"]} == {"Locker", "Tab"}
    assert any(
        s.tool in ("tab_of_locker", "locker_of_tab") for s in task.solution if isinstance(s, Call)
    )


def test_what_lifts_a_block_is_done_in_the_other_domain() -> None:
    task, _ = drawn("cross-chain")
    writes = [s.tool for s in task.solution if isinstance(s, Call) and s.tool in
              ("pay_tab", "empty_locker")]  # fmt: skip
    assert writes == ["pay_tab", "empty_locker"]
    assert {"chain", "cross-chain", "dependent"} <= set(task.forms)


def test_every_form_takes_its_turn() -> None:
    first = [cross_forms(turn)[0] for turn in range(8)]
    assert set(first) == set(CROSS_FORMS.values())
    carried = [f for f in first if f in (CROSS_FORMS["transfer"], CROSS_FORMS["link"])]
    assert len(carried) == 5
    assert all(len(cross_forms(turn)) == len(CROSS_FORMS) for turn in range(8))


def test_a_domain_by_itself_has_no_such_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    from davinci_env.environment import open_environment

    environment = open_environment("library_lending")
    story = Story(environment, random.Random(0))
    try:
        for form in CROSS_FORMS.values():
            with pytest.raises(NoCandidate, match="no domains are joined"):
                form(story.bench, anything)
    finally:
        story.end()
        environment.close()
