"""The frozen suites hold: their domains are as they were, nobody edited them, and a sample is
certified again. `make suites` certifies all.
"""

import random
from collections import Counter
from pathlib import Path

import pytest

from davinci_env.certify import check_suite
from davinci_env.compose import catalogue, load
from davinci_env.reading import suites
from davinci_env.records import Task, read_jsonl, to_line
from davinci_env.tasks.strata import MOST, band
from davinci_env.verify import check_version

LEAST, LEAST_JOINED = 50, 30
"""Tasks in a suite of a domain, and of a composition."""

JOINED = {entry.name for entry in catalogue() if entry.domains}

SAMPLE = 5
"""Tasks of each suite that are certified again."""

SUITES = suites()


def tasks_of(suite: Path) -> tuple[Task, ...]:
    """The tasks of a suite, all of whose lines are tasks."""
    reading = read_jsonl(suite, Task)
    assert reading.problems == ()
    return reading.records


def named(suite: Path) -> str:
    """A test id."""
    return suite.stem


def test_every_shipped_domain_has_a_suite() -> None:
    shipped = {entry.name for entry in catalogue() if entry.shipped}
    assert {suite.stem for suite in SUITES} == shipped, "make them with `make freeze`"


@pytest.mark.parametrize("suite", SUITES, ids=named)
def test_a_suite_is_of_the_present_domain_and_nobody_edited_it(suite: Path) -> None:
    for task in tasks_of(suite):
        assert task.world.name == suite.stem
        check_version(task, load(suite.stem), f"verifiers/{suite.name}")
        assert task.asked_id == task.id, f"{task.id} was edited: put it back, or `make freeze`"


@pytest.mark.parametrize("suite", SUITES, ids=named)
def test_a_suite_is_spread_over_kinds_and_difficulty(suite: Path) -> None:
    tasks = tasks_of(suite)
    assert len(tasks) >= (LEAST_JOINED if suite.stem in JOINED else LEAST)
    assert len({task.id for task in tasks}) == len(tasks)
    kinds = Counter(task.kind for task in tasks)
    assert len(kinds) >= 6
    assert max(kinds.values()) <= MOST * len(tasks)
    bands = {"middle", "long"} if suite.stem in JOINED else {"short", "middle", "long"}
    assert bands <= set(map(band, tasks))
    pairs = Counter(task.request.user.style.get("pair") for task in tasks)
    assert {count for pair, count in pairs.items() if pair is not None} <= {2}


@pytest.mark.parametrize("suite", SUITES, ids=named)
def test_a_sample_of_a_suite_is_certified_again(suite: Path, tmp_path: Path) -> None:
    drawn = random.Random(suite.stem).sample(tasks_of(suite), SAMPLE)
    sample = tmp_path / suite.name
    sample.write_bytes(b"".join(map(to_line, drawn)))
    summary = check_suite(sample)
    assert summary.failed == [], f"run `davinci check verifiers/{suite.name}`"
    assert summary.tasks == SAMPLE
