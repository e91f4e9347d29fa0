"""The bench: same work on both sides, figures in the promised shape, and interleaved timing."""

import time
from collections.abc import Iterator

import orjson
import pytest

from davinci_env.bench import MEASURES, measures, run
from davinci_env.bench.stand import CALLS, Stand
from davinci_env.bench.timing import interleaved
from davinci_env.errors import UsageError

KEYS = ["name", "product_us", "floor_us", "ratio", "per_second", "limit"]


@pytest.fixture(scope="module")
def stand() -> Iterator[Stand]:
    stand = Stand(0.5, track=True)
    yield stand
    stand.close()


def test_product_and_floor_say_the_same(stand):
    assert len(stand.calls) == 2 * CALLS
    assert len({str(call) for call in stand.calls}) == 2 * CALLS
    for call in stand.calls:
        text = stand.floor_call(call)
        assert "error" not in orjson.loads(text)
        assert stand.product_call(call) == text
        stand.environment.world.evict()
        assert stand.product_call(call) == text


def test_product_and_floor_judge_the_same_episode(stand):
    product, floor = orjson.loads(stand.product_episode()), orjson.loads(stand.floor_episode())
    assert list(product) == list(floor)
    for key in ("steps", "violated", "verdicts"):
        assert product[key] == floor[key]
    assert product["verdicts"] == [1] * 10
    assert [change[0::2][0] for change in product["diff"]] == [c[0] for c in floor["diff"]]
    assert stand.product_episode() == orjson.dumps(product)
    assert stand.environment.capture().diff == []


def test_measures_have_their_names_and_limits():
    assert {m.name: m.limit for m in MEASURES} == {
        "tool_call": 3, "tool_call_cold": 4, "episode": 3, "restore_growth": 1.25,
        "joined_call": 1.5, "joined_restore": 1.5, "bindings": 300_000, "task": 40_000,
        "help": 500_000,
    }  # fmt: skip


@pytest.fixture
def hasty(monkeypatch):
    """One round: shapes, not figures."""
    monkeypatch.setattr(measures, "ROUNDS", 10)
    monkeypatch.setattr(measures, "HELP_RUNS", 1)
    monkeypatch.setattr(measures, "LARGE", 2)


@pytest.mark.parametrize("name", ["tool_call", "tool_call_cold", "episode", "restore_growth"])
def test_figures_against_the_floor(hasty, name):
    (measure,) = run([name])["measures"]
    assert list(measure) == KEYS
    assert measure["name"] == name
    assert measure["ratio"] == pytest.approx(measure["product_us"] / measure["floor_us"], 0.01)
    assert measure["per_second"] == pytest.approx(1e6 / measure["product_us"], 0.01)


def test_figures_of_the_product_alone(hasty):
    bindings, help_ = run(["bindings", "help"])["measures"]
    assert (list(bindings), list(help_)) == (KEYS, KEYS)
    assert bindings["per_second"] > 0
    assert help_["product_us"] > 0
    nothing = [bindings[k] for k in ("product_us", "floor_us", "ratio")]
    nothing += [help_[k] for k in ("per_second", "floor_us", "ratio")]
    assert nothing == [None] * 6
    orjson.dumps(bindings)


def test_an_unknown_measure_is_refused_before_anything_runs():
    with pytest.raises(UsageError, match="'speed'"):
        run(["help", "speed"])


def test_what_comes_before_a_contender_is_not_timed():
    def wait():
        end = time.thread_time() + 0.002
        while time.thread_time() < end:
            pass

    (spent,) = interleaved([lambda: None], rounds=3, before=wait)
    assert spent < 1000


def test_contenders_take_turns_and_the_least_counts():
    order = []

    def slow():
        order.append("s")
        end = time.thread_time() + 0.002
        while time.thread_time() < end:
            pass

    slow_us, quick_us = interleaved([slow, lambda: order.append("q")], rounds=3)
    assert "".join(order) == "sq" * 3
    assert slow_us >= 2000
    assert quick_us < slow_us / 5
