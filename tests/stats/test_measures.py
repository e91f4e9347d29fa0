"""Every number of the survey, against values that were worked out by hand."""

import pytest

from davinci_env.records import Call, Say, UserTurn
from davinci_env.stats import Measure, Target, measures
from davinci_env.stats.corpus import Case, episode
from davinci_env.stats.trials import Trial, trials
from tests.records import samples
from tests.stats.hand import RENEW, called, named, task, trajectory


def found(counted: list[Measure]) -> dict[str, float | None]:
    """Values by name."""
    return {one.name: one.value for one in counted}


def by_name(counted: list[Measure]) -> dict[str, Measure]:
    """Measures by name."""
    return {one.name: one for one in counted}


def test_a_target_bounds_from_one_side_or_both() -> None:
    assert Target(least=0.5).holds(0.5)
    assert not Target(least=0.5).holds(0.4999)
    assert Target(most=0.4).holds(0.4)
    assert not Target(most=0.4).holds(0.41)
    about = Target(least=0.1, most=0.2)
    assert [about.holds(value) for value in (0.09, 0.1, 0.2, 0.21)] == [False, True, True, False]
    assert Measure("x", None, 0, Target(most=1.0)).holds is None
    assert Measure("x", 3.0, 1).holds is None


def test_no_kind_may_be_above_two_fifths() -> None:
    cases = [
        Case(task(n, kind=kind)) for n, kind in enumerate(["act", "act", "ask", "deny", "act"])
    ]
    counted = by_name(measures.kinds(cases))
    assert counted["kind/act"].value == pytest.approx(0.6)
    assert counted["kind/act"].holds is False
    assert counted["kind/ask"].value == pytest.approx(0.2)
    assert counted["kind/missing-tool"].value == 0.0
    assert len(counted) == 7


def test_goal_forms_are_counted_each_and_together() -> None:
    cases = [
        Case(task(1, "selection", "batch")),
        Case(task(2, "chain", "dependent")),
        Case(task(3)),
        Case(task(4, "undo", "dependent", "further-wish")),
    ]
    values = found(measures.goals(cases))
    assert values == {
        "goal/any": 0.5,
        "goal/selection": 0.25,
        "goal/fallback": 0.0,
        "goal/aggregate": 0.0,
        "goal/undo": 0.25,
        "goal/batch": 0.25,
        "goal/change-of-mind": 0.0,
        "goal/chain": 0.25,
        "goal/dependent": 0.5,
    }
    targets = {one.name: one.target for one in measures.goals(cases)}
    assert targets["goal/any"] == Target(least=0.5)
    assert targets["goal/undo"] == Target(least=0.05)
    assert targets["goal/chain"] == Target(least=0.2)
    assert targets["goal/dependent"] == Target(least=0.25)


def test_turns_that_matter_and_their_checkpoints() -> None:
    judged = task(1, "further-wish", turns=("wish",), requirements=(named("a"), named("b", turn=1)))
    unjudged = task(2, "push-back", turns=("push-back",), requirements=(named("a"),))
    cases = [Case(judged), Case(unjudged), Case(task(3, "decline", "reply")), Case(task(4))]
    values = found(measures.turns(cases))
    assert values["turn/any"] == 0.75
    assert values["turn/further-wish"] == 0.25
    assert values["turn/correction"] == 0.0
    assert values["turn/reply"] == 0.25
    assert values["turn/judged"] == 0.5, "two tasks have a second turn"
    assert measures.turns([Case(task(4))])[-1].value is None, "there is nothing to judge"


def test_a_later_turn_without_any_checkpoint_is_not_judged() -> None:
    first, later = UserTurn(text="A.", checkpoint=True), UserTurn(text="B.", checkpoint=False)
    request = task(1).request.model_copy(update={"turns": (first, later)})
    assert measures.turns([Case(samples.task(request=request))])[-1].value == 0.0


def calls(number: int) -> Case:
    """A case with an episode of so many calls."""
    one = task(number)
    steps = [called(n, "x", {}, arguments={"n": n}) for n in range(number)]
    return Case(one, (episode(trajectory(one, *steps)),))


def test_calls_are_those_of_episodes_else_of_the_golden_solution() -> None:
    golden = task(
        9, kind="ask", solution=(RENEW, RENEW, Call(tool="y", arguments={}), Say(say="."))
    )
    cases = [calls(8), calls(4), Case(golden)]
    counted = by_name(measures.calls(cases))
    assert counted["calls/mean"].value == pytest.approx(14 / 3)
    assert counted["calls/mean"].holds is False
    assert counted["calls/8-or-more"].value == pytest.approx(1 / 3)
    assert counted["calls/act"].value == 6.0
    assert counted["calls/ask"].value == 2.0, "one of its three calls is a repeat"
    assert "calls/deny" not in counted


def test_the_most_common_rule_of_denials() -> None:
    rules = ["late", "late", "full", "late", "full"]
    cases = [Case(task(n, kind="deny", requirements=(named(r),))) for n, r in enumerate(rules)]
    (counted,) = measures.denials(cases)
    assert (counted.value, counted.of, counted.note, counted.holds) == (0.6, 5, "late", False)
    (nothing,) = measures.denials([Case(task(1, requirements=samples.trace_requirements()))])
    assert (nothing.value, nothing.holds) == (None, None)


def test_passed_and_recovered_are_shares_of_episodes() -> None:
    one = task(1)
    runs = [
        trajectory(one, weights=(0, None)),
        *[trajectory(one, weights=(None,)) for _ in range(6)],
        trajectory(one, weights=(0,), passed=False),
    ]
    cases = [Case(one, tuple(map(episode, runs)))]
    counted = by_name(measures.episodes(cases))
    assert counted["episodes/passed"].value == pytest.approx(7 / 8)
    assert counted["episodes/passed"].target is None
    assert counted["episodes/recovered"].value == pytest.approx(1 / 8)
    assert counted["episodes/recovered"].holds is True


def test_an_error_is_held_against_tasks_where_it_occurred() -> None:
    names = ("expert", "first-match", "rule-breaker", "stale-value", *OTHERS)

    def trial(passed: str, erred: str) -> Trial:
        """A trial, told by the first letters of the agents."""
        return Trial(
            "shop",
            {name: name[:2] in passed.split() for name in names},
            {name: name[:2] in erred.split() for name in names},
        )

    played = [
        trial("ex fi ru st", ""),
        trial("ex fi st", "fi st ru"),
        trial("ex", "fi st"),
        trial("ex", "fi"),
    ]
    counted = by_name(trials(played))
    assert counted["agents/expert"].value == 1.0
    assert (counted["agents/first-match"].value, counted["agents/first-match"].holds) == (0.5, True)
    assert counted["agents/rule-breaker"].value == 0.25
    stale = counted["agents/stale-value"]
    assert (stale.value, stale.of, stale.holds) == (0.5, 2, True)
    nothing = counted["agents/premature-stop"]
    assert (nothing.value, nothing.holds) == (None, None), "it did nothing else than the expert"


OTHERS = ("skipped-confirmation", "premature-stop", "extra-write")
