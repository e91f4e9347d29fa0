"""Limits and quotas: what a command line may say, and what it then gets."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from davinci_env.errors import UsageError
from davinci_env.records import Task, read_jsonl
from davinci_env.tasks import generate_suite
from davinci_env.tasks.limits import read_limits, read_quotas
from tests.certify.good import act_task
from tests.support.toy_desk import TOYS

KINDS = ("act", "deny")


def rated(**measured: int) -> Task:
    """A task with this measured difficulty."""
    task = act_task()
    return task.model_copy(update={"difficulty": task.difficulty.model_copy(update=measured)})


def test_both_ends_belong_to_a_limit() -> None:
    limits = read_limits(["calls>=3", "calls <= 5", "chain=1"])
    fits = [limits.allow(rated(calls=n, rule_chain=1)) for n in (2, 3, 5, 6)]
    assert fits == [False, True, True, False]
    assert not limits.allow(rated(calls=4, rule_chain=0))
    assert read_limits([]).allow(rated(calls=99))


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["calls>=6", "calls<=5"], "no task has at least 6 and at most 5 calls"),
        (["turns=1", "turns=2"], "no task has at least 2 and at most 1 turns"),
        (["calls>6"], "'calls>6' is no limit of difficulty"),
        (["charm>=1"], "measured are calls, writes, reads, chain, turns, lookalikes"),
        (["calls>=-1"], "is no limit"),
    ],
)
def test_limits_that_cannot_be_meant(texts: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_limits(texts)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["deny=10", "act"], "some kinds have a number and others have none"),
        (["deny=0"], "'deny=0' is no quota"),
        (["deny=ten"], "'deny=ten' is no quota"),
        (["denial=3"], "there is no kind 'denial'"),
    ],
)
def test_quotas_that_cannot_be_meant(texts: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_quotas(texts, KINDS)
    assert read_quotas(["deny=2", "act=3"], KINDS) == {"deny": 2, "act": 3}
    assert read_quotas(["deny"], KINDS) == {"deny": None}


def generated(out: Path, **more: Any) -> Any:
    return generate_suite(["toy_rental"], 8, out, 1, paths=[TOYS], trust=True, **more)


def test_a_quota_is_met_exactly_but_for_twins(tmp_path: Path) -> None:
    out = tmp_path / "tasks.jsonl"
    summary = generated(out, kinds=["deny=3", "ask=2", "act=4"])
    assert summary.passed
    kinds = Counter(task.kind for task in read_jsonl(out, Task).records)
    assert kinds == {"deny": 3, "ask": 2, "act": 4}  # three of them are the denials' twins


def test_a_quota_that_a_domain_cannot_meet_is_told(tmp_path: Path) -> None:
    """The toy rental declares no concern, so nothing can be handed over."""
    summary = generated(tmp_path / "tasks.jsonl", kinds=["handoff=2", "ask=1"])
    assert not summary.passed
    said = summary.to_json()
    assert said["short"] == {"toy_rental handoff": 2}
    assert said["kinds"] == {"ask": 1}


def test_only_what_is_difficult_enough_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "tasks.jsonl"
    assert generated(out, kinds=["act=4"], difficulty=["writes>=2", "turns<=2"]).passed
    tasks = read_jsonl(out, Task).records
    assert len(tasks) == 4
    assert all(t.difficulty.writes >= 2 and t.difficulty.turns <= 2 for t in tasks)
    assert all(len(t.request.turns) == t.difficulty.turns for t in tasks)
