"""The survey: each domain and all, as JSON, with the words of small conversations."""

from pathlib import Path

import pytest

from davinci_env.records import AssistantMessage
from davinci_env.stats import Corpus, draw_tasks, survey
from davinci_env.stats.corpus import Case, episode
from davinci_env.stats.wordings import texts_of, wordings
from tests.records import samples
from tests.stats.hand import called, task, trajectory


def corpus() -> Corpus:
    """Three tasks in two domains."""
    shop = samples.world(name="shop")
    return Corpus((Case(task(1, "batch")), Case(task(2)), Case(task(3, world=shop))))


def test_every_measure_is_given_for_each_domain_and_for_all() -> None:
    told = survey(corpus())
    names = [(domain, one.name) for domain, one in told.measures]
    assert len(set(names)) == len(names)
    domains = list(dict.fromkeys(domain for domain, _ in names))
    assert domains == ["library_lending", "shop", "all"]
    batch = {domain: one.value for domain, one in told.measures if one.name == "goal/batch"}
    assert batch == {"library_lending": 0.5, "shop": 0.0, "all": pytest.approx(1 / 3)}


def test_the_survey_as_json() -> None:
    told = survey(corpus()).to_json()
    assert (told["tasks"], told["episodes"], told["problems"]) == (3, 0, [])
    (batch,) = [
        one for one in told["measures"] if one["name"] == "goal/batch" and one["domain"] == "shop"
    ]
    assert batch == {
        "name": "goal/batch",
        "domain": "shop",
        "value": 0.0,
        "of": 1,
        "target": {"least": 0.05, "most": None},
        "holds": False,
        "unit": "share",
        "note": "",
    }
    assert not survey(corpus()).passed
    assert ("shop", "goal/batch") in [(domain, m.name) for domain, m in survey(corpus()).missed]


def spoken(*messages: str, values: tuple[str, ...] = ()) -> Case:
    """A case in which the assistant says this, and tools returned these values."""
    one = task(1)
    run = trajectory(one, called(0, "x", {"values": list(values)}))
    said = tuple(AssistantMessage(role="assistant", content=text) for text in messages)
    return Case(one, (episode(run.model_copy(update={"messages": said})),))


def test_skeletons_are_what_is_left_when_values_are_masked() -> None:
    case = spoken(
        "Bread Without Hurry is due on May 2. Thank you.",
        "Salt and Rust is due on June 13. Thank you.",
        values=("Bread Without Hurry", "Salt and Rust", "due", "is"),
    )
    (first, second) = texts_of([case])["assistant"]
    assert first.skeleton == second.skeleton == "▢ is due on ▢. Thank you."
    counted = {one.name: one for one in wordings([case])}
    assert counted["assistant/skeletons"].value == 0.5, "two sentences of four"
    assert counted["assistant/top-skeleton"].value == 0.5
    assert counted["assistant/4-grams"].value == pytest.approx(4 / 8), "five words, twice the same"
    assert counted["assistant/vocabulary"].value == 5
    assert counted["assistant/vocabulary"].note == "14 words"
    assert counted["requests/skeletons"].value == 1.0


def test_a_corpus_without_episodes_has_no_assistant() -> None:
    names = {one.name.partition("/")[0] for one in wordings([Case(task(1))])}
    assert names == {"requests"}


def test_tasks_are_drawn_by_their_ids() -> None:
    cases = tuple(Case(task(n)) for n in range(12))
    drawn = draw_tasks(Corpus(cases), 5, seed=1)
    again = draw_tasks(Corpus(cases[::-1]), 5, seed=1)
    assert len(drawn) == 5
    assert {one.id for one in drawn} == {one.id for one in again}
    assert {one.id for one in draw_tasks(Corpus(cases), 5, seed=2)} != {one.id for one in drawn}
    assert len(draw_tasks(Corpus(cases), 50)) == len(draw_tasks(Corpus(cases))) == 12


def test_problems_keep_their_file(tmp_path: Path) -> None:
    from davinci_env.records import Problem

    problem = Problem(3, "not-json", "This is not JSON.")
    told = survey(Corpus(corpus().cases, ((tmp_path, problem),))).to_json()
    assert told["problems"] == [{"file": str(tmp_path), **problem.to_json()}]
