"""How a trajectory moves between domains, worked out by hand."""

from typing import Any

import pytest

from davinci_env.errors import UsageError
from davinci_env.records import Step, Task, Trajectory, Verdict
from davinci_env.records.messages import AssistantMessage, FunctionTool, UserMessage
from davinci_env.stats.comparison import compare, matched
from davinci_env.stats.corpus import Case, Corpus, Episode
from davinci_env.stats.structure import Structure, structure

WORLD: Any = type("World", (), {"name": "day_out"})()

Given = tuple[str, str, dict[str, Any], Any, bool]
"""Domain, tool, arguments, result, whether it changed something."""


def trajectory(*calls: Given, said: str = "", passed: bool = True) -> Trajectory:
    steps = [Step(index=0, by="user", type="message", result=said)]
    for number, (domain, tool, arguments, result, writes) in enumerate(calls, 1):
        steps.append(
            Step(
                index=number, by="agent", type="call", tool=tool, domain=domain or None,
                arguments=arguments, result=result, changes=("cell",) if writes else (),
            )
        )  # fmt: skip
    tool = FunctionTool.model_validate(
        {
            "type": "function",
            "function": {
                "name": "pay",
                "description": "",
                "parameters": {
                    "type": "object",
                    "properties": {"kind": {"type": "string", "enum": ["express"]}},
                },
            },
        }
    )
    return Trajectory.model_construct(
        world=WORLD, steps=tuple(steps), tools=(tool,),
        messages=(UserMessage(role="user", content=said),
                  AssistantMessage(role="assistant", content="Done.")),
        verdict=Verdict(passed=passed, requirements=()),
    )  # fmt: skip


FIND: Given = ("hall", "find", {"email": "a@b.example"}, {"id": "SW-0001"}, False)
PAIR: Given = ("hall", "pair", {"id": "SW-0001"}, {"tab": "TB-0007", "kind": "express"}, False)
LOOK: Given = ("bar", "look", {"tab": "TB-0007"}, {"tab": "TB-0007", "total": "12.00"}, False)
PAY: Given = ("bar", "pay", {"tab": "TB-0007", "kind": "express"}, {"total": "12.00"}, True)
LEAVE: Given = ("hall", "leave", {"id": "SW-0001"}, {"id": "SW-0001"}, True)


def test_the_measures_of_a_trajectory_over_two_domains() -> None:
    found = structure(trajectory(FIND, PAIR, LOOK, PAY, LEAVE, said="I'm a@b.example"))
    assert (found.calls, found.domains) == (5, 2)
    assert found.transitions == 2  # hall hall | bar bar | hall
    assert found.transition_rate == 0.5
    # TB-0007 goes from `pair` to `look` and to `pay`; the bar showed it only after `pair` did.
    assert found.transfers == 2
    # `find`, `pair` -> `leave` by SW-0001 (`pair` shows none); `pair`, `look` -> `pay` by TB-0007.
    assert found.dependencies == 3
    assert found.cross_dependencies == 1  # pair -> pay
    assert found.depth == 4  # find > pair > look > pay
    assert found.characters == len("I'm a@b.example") + len("Done.")


def test_what_the_person_said_is_carried_by_nobody() -> None:
    found = structure(trajectory(FIND, PAIR, LOOK, PAY, said="pay tb-0007 for a@b.example"))
    assert found.transfers == 0
    assert found.cross_dependencies == 0


def test_what_the_own_domain_showed_first_is_no_transfer() -> None:
    shown = ("bar", "tabs", {}, {"tabs": ["TB-0007"]}, False)
    assert structure(trajectory(FIND, shown, PAIR, LOOK, PAY)).transfers == 0


def test_choices_dates_amounts_and_short_texts_name_nothing() -> None:
    told = ("hall", "show", {}, {"kind": "express", "on": "2026-05-04", "sum": "12.00", "a": "ab"},
            False)  # fmt: skip
    used = ("bar", "use", {"kind": "express", "on": "2026-05-04", "sum": "12.00", "a": "ab"}, {},
            True)  # fmt: skip
    found = structure(trajectory(told, used))
    assert (found.transfers, found.dependencies, found.depth) == (0, 0, 1)


def test_a_refused_call_does_not_count() -> None:
    full = trajectory(FIND, PAIR)
    refused = full.steps[2].model_copy(update={"error_code": "no"})
    found = structure(full.model_copy(update={"steps": (*full.steps[:2], refused)}))
    assert (found.calls, found.depth) == (1, 1)


def test_a_single_domain_has_no_transition() -> None:
    alone: list[Given] = [("", *call[1:]) for call in (FIND, PAIR, LOOK, PAY)]  # type: ignore[misc]
    found = structure(trajectory(*alone))
    assert (found.domains, found.transitions, found.transfers) == (1, 0, 0)
    assert found.cross_dependencies == 0
    assert found.dependencies == 2
    assert structure(trajectory(FIND)).transition_rate == 0.0


def _task(forms: list[str], *specs: dict[str, Any]) -> Task:
    request = type("Request", (), {})()
    request.intents = [{"do": "tip", "arguments": {str(n): s for n, s in enumerate(specs)}}]
    request.turns = [None]
    return Task.model_construct(forms=tuple(forms), request=request)


def test_values_that_the_words_ask_for_elsewhere_count_where_it_passed() -> None:
    task = _task(["transfer", "cross-chain"], {"of": {"entity": "Locker"}, "column": "fee"},
                 {"value": 3})  # fmt: skip
    passed = structure(trajectory(FIND, PAY), task)
    assert (passed.transfers, passed.dependencies, passed.cross_dependencies) == (1, 1, 2)
    failed = structure(trajectory(FIND, PAY, passed=False), task)
    assert (failed.transfers, failed.cross_dependencies) == (0, 0)


# -- side by side ----------------------------------------------------------------------------------


def made(calls: int, characters: int, transitions: int = 0) -> Structure:
    return Structure(calls, characters, 1 + (transitions > 0), transitions, 0, 0, 0, 1)


def corpus(*structures: Structure) -> Corpus:
    return Corpus(
        tuple(
            Case(
                Task.model_construct(),
                (
                    Episode(
                        passed=True, calls=one.calls, recovered=False, turns=frozenset(),
                        answers=frozenset(), said=(), values=frozenset(), structure=one,
                    ),
                ),
            )
            for one in structures
        )
    )  # fmt: skip


def test_pairs_have_as_many_calls_and_the_most_similar_length() -> None:
    ones = [made(3, 100), made(3, 900), made(5, 100)]
    others = [made(3, 880, 2), made(4, 100, 1), made(5, 300, 1), made(5, 120, 3)]
    found = matched(ones, others)
    assert [(a.characters, b.characters) for a, b in found] == [(900, 880), (100, 120)]


def test_the_table_tells_means_and_differences() -> None:
    single = corpus(made(3, 100), made(3, 200), made(9, 100))
    cross = corpus(made(3, 110, 2), made(3, 190, 4))
    table = compare(single, cross)
    assert (table.pairs, table.of_single, table.of_cross, table.calls) == (2, 3, 2, 3.0)
    by_name = {one.name: one for one in table.differences}
    moved = by_name["domain transitions"]
    assert (moved.all_single, moved.all_cross) == (0.0, 3.0)
    assert (moved.single, moved.cross, moved.difference) == (0.0, 3.0, 3.0)
    assert moved.low is not None
    assert moved.high is not None
    assert 2.0 <= moved.low <= 3.0 <= moved.high <= 4.0
    assert by_name["with a transition"].low is None  # every pair differs by one
    assert table.to_json()["measures"][0]["name"] == "domains"


def test_an_interval_is_the_same_each_time_and_holds_the_mean() -> None:
    ones = [made(3, n) for n in range(40)]
    others = [made(3, n, n % 4) for n in range(40)]
    tables = [compare(corpus(*ones), corpus(*others), seed=1) for _ in range(2)]
    assert tables[0] == tables[1]
    moved = tables[0].differences[1]
    assert moved.difference == 1.5
    # The mean of 40 draws from 0 to 3 has a standard error of 0.177: 1.96 of it is 0.35.
    assert moved.low == pytest.approx(1.15, abs=0.05)
    assert moved.high == pytest.approx(1.85, abs=0.05)


def test_nothing_to_compare_is_told() -> None:
    with pytest.raises(UsageError, match="nothing to compare"):
        compare(corpus(), corpus(made(1, 1)))
    with pytest.raises(UsageError, match="as many calls"):
        compare(corpus(made(2, 1)), corpus(made(1, 1)))
