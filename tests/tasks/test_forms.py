"""Forms of goals, drawn from shipped worlds: what they ask for makes sense."""

import random
from collections.abc import Iterator

import pytest

from davinci_env.environment import open_environment
from davinci_env.tasks import forms
from davinci_env.tasks.bench import Bench
from davinci_env.tasks.drafts import Scene
from davinci_env.tasks.missed import NoCandidate

SHIPPED = ("clinic_appointments", "library_lending", "order_management")


def drawn(name: str, form: forms.Form, number: int) -> Iterator[tuple[Bench, Scene]]:
    """Scenes of a form, for several people of a world."""
    environment = open_environment(name, seed=5)
    people = [row.id for row in environment.world.all(environment.domain.identity)]
    for seed in range(number):
        environment.reset()
        environment.act_for(people[seed % len(people)])
        bench = Bench(environment, random.Random(seed))
        try:
            yield bench, form(bench, forms.any_tool)
        except NoCandidate:
            continue
    environment.close()


@pytest.mark.parametrize("name", SHIPPED)
def test_all_of_them_are_all_of_them(name: str) -> None:
    """A batch without a limit takes each of the person's rows in that state, so that none is left
    without a word.
    """
    found = 0
    for bench, scene in drawn(name, forms.batch, 60):
        every = next(v["every"] for v in scene.intents[0]["arguments"].values() if "every" in v)
        if every.get("where"):  # a limit
            continue
        own = bench.survey.rows(bench.domain.entities[every["entity"]])
        fields = every["fields"].items()
        alike = [row for row in own if all(getattr(row, c) == v for c, v in fields)]
        assert len(scene.steps) == len(alike)
        found += 1
    assert found


def test_nothing_is_done_and_undone_in_one_breath() -> None:
    """An order's coupon isn't put on it and taken off again."""
    found = 0
    for _, scene in drawn("order_management", forms.chain, 150):
        first, last = scene.steps
        found += 1
        if first.tool is last.tool:  # nor is the same done twice to one row
            assert not {id(r) for r in first.binding.rows} & {id(r) for r in last.binding.rows}
        if {first.tool.name, last.tool.name} == {"apply_coupon", "remove_coupon"}:
            assert first.tool.name == "remove_coupon"
    assert found > 20
