"""What is counted of a corpus, and what it should come to.

Each function takes the cases of one domain, or of all, and gives measures; the targets are those of
`docs/reading.md`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from davinci_env.records import Call, Kind, RuleNamedCheck, encode
from davinci_env.stats.corpus import Case


@dataclass(frozen=True, slots=True)
class Target:
    """What a measure should be: at least, at most, or between."""

    least: float | None = None
    most: float | None = None

    def holds(self, value: float) -> bool:
        """Tell whether a value is within."""
        enough = self.least is None or value >= self.least
        return enough and (self.most is None or value <= self.most)

    def to_json(self) -> dict[str, float | None]:
        """Give both ends; null where there is none."""
        return {"least": self.least, "most": self.most}


@dataclass(frozen=True, slots=True)
class Measure:
    """One number.

    Attributes:
        name: what is measured: `group/thing`.
        value: None where there was nothing to measure.
        of: over how many tasks, episodes, texts or denials.
        target: what it should be; None where it is only told.
        unit: a share, to be shown as a percentage, or a plain number.
        note: what else to know, such as which rule it was.
    """

    name: str
    value: float | None
    of: int
    target: Target | None = None
    unit: Literal["share", "number"] = "share"
    note: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the target is met; None without a target, or where nothing was measured."""
        if self.target is None or self.value is None:
            return None
        return self.target.holds(self.value)


GOAL_FORMS: Final = ("selection", "fallback", "aggregate", "undo", "batch", "change-of-mind")
TURN_FORMS: Final = ("further-wish", "correction", "decline", "reply", "push-back")

MANY_CALLS: Final = 8
"""From so many calls on, a task is a long one."""


def share(hits: Iterable[bool]) -> tuple[float | None, int]:
    """The share of what is true, and of how many."""
    found = list(hits)
    return (sum(found) / len(found) if found else None), len(found)


def _share(name: str, hits: Iterable[bool], target: Target | None = None) -> Measure:
    value, of = share(hits)
    return Measure(name, value, of, target)


def kinds(cases: Sequence[Case]) -> list[Measure]:
    """How tasks are spread over the kinds: none above 40 %."""
    most = Target(most=0.4)
    return [
        _share(f"kind/{kind}", (case.task.kind == kind for case in cases), most)
        for kind in get_args(Kind)
    ]


def goals(cases: Sequence[Case]) -> list[Measure]:
    """Goals that are more than a plain wish; rule chains; writes that need each other."""
    forms = [case.forms for case in cases]
    few = Target(least=0.05)
    return [
        _share("goal/any", (not one.isdisjoint(GOAL_FORMS) for one in forms), Target(least=0.5)),
        *(_share(f"goal/{form}", (form in one for one in forms), few) for form in GOAL_FORMS),
        _share("goal/chain", ("chain" in one for one in forms), Target(least=0.2)),
        _share("goal/dependent", ("dependent" in one for one in forms), Target(least=0.25)),
    ]


def turns(cases: Sequence[Case]) -> list[Measure]:
    """Second turns of the user that matter, each judged at a checkpoint of its own."""
    forms = [case.forms for case in cases]
    few = Target(least=0.05)
    judged = [_each_turn_is_judged(case) for case in cases if len(case.task.request.turns) > 1]
    return [
        _share("turn/any", (not one.isdisjoint(TURN_FORMS) for one in forms), Target(least=0.55)),
        *(_share(f"turn/{form}", (form in one for one in forms), few) for form in TURN_FORMS),
        _share("turn/judged", judged, Target(least=1.0)),
    ]


def _each_turn_is_judged(case: Case) -> bool:
    """Whether every later turn with a checkpoint has requirements, and there is such a turn."""
    judged = {requirement.turn for requirement in case.task.requirements}
    later = [n for n, turn in enumerate(case.task.request.turns) if n and turn.checkpoint]
    return bool(later) and judged.issuperset(later)


def calls(cases: Sequence[Case]) -> list[Measure]:
    """Calls that are no exact repeats: of the episodes, or else of the golden solution."""
    counts = [(case.task.kind, count) for case in cases for count in _calls_of(case)]
    long = _share(
        "calls/8-or-more", (count >= MANY_CALLS for _, count in counts), Target(least=0.2)
    )
    by_kind = [
        _mean(f"calls/{kind}", [count for one, count in counts if one == kind])
        for kind in get_args(Kind)
    ]
    mean = _mean("calls/mean", [count for _, count in counts], Target(least=6.0))
    return [mean, long, *(one for one in by_kind if one.of)]


def _calls_of(case: Case) -> list[int]:
    if case.episodes:
        return [episode.calls for episode in case.episodes]
    golden = [step for step in case.task.solution if isinstance(step, Call)]
    return [len({encode([one.tool, one.arguments], canonical=True) for one in golden})]


def _mean(name: str, counts: Sequence[int], target: Target | None = None) -> Measure:
    mean = sum(counts) / len(counts) if counts else None
    return Measure(name, mean, len(counts), target, "number")


def denials(cases: Sequence[Case]) -> list[Measure]:
    """How many denials the most common rule makes: no more than a quarter."""
    rules = Counter(
        requirement.check.rule
        for case in cases
        for requirement in case.task.requirements
        if isinstance(requirement.check, RuleNamedCheck)
    )
    most = Target(most=0.25)
    if not rules:
        return [Measure("denials/most-common-rule", None, 0, most)]
    rule, count = min(rules.items(), key=lambda item: (-item[1], item[0]))
    value = count / rules.total()
    return [Measure("denials/most-common-rule", value, rules.total(), most, note=rule)]


def episodes(cases: Sequence[Case]) -> list[Measure]:
    """Episodes that passed, and those that recovered from a mistake: about 15 %."""
    found = [episode for case in cases for episode in case.episodes]
    about = Target(least=0.1, most=0.2)
    return [
        _share("episodes/passed", (one.passed for one in found)),
        _share("episodes/recovered", (one.recovered for one in found), about),
    ]


def structures(cases: Sequence[Case]) -> list[Measure]:
    """How trajectories over joined domains hang together (§C.1.4 of the paper)."""
    joined = [case for case in cases if case.task.source == "ees-cross"]
    found = [e.structure for case in joined for e in case.episodes if e.passed]
    if not found:
        return []
    return [
        _share("cross/transition", (s.transitions > 0 for s in found), Target(least=1.0)),
        _share("cross/transfer", (s.transfers > 0 for s in found), Target(least=0.5)),
        _share("cross/dependency", (s.cross_dependencies > 0 for s in found), Target(least=1 / 3)),
        _mean("cross/domains", [s.domains for s in found]),
        _mean("cross/transitions", [s.transitions for s in found]),
        _mean("cross/calls", [s.calls for s in found], Target(least=8.0)),
    ]


COUNTS: Final[tuple[Callable[[Sequence[Case]], list[Measure]], ...]] = (
    kinds,
    goals,
    turns,
    calls,
    denials,
    episodes,
    structures,
)
"""What is counted of records alone."""


def as_json(measure: Measure, domain: str) -> dict[str, Any]:
    """Give a measure of a domain as JSON."""
    return {
        "name": measure.name,
        "domain": domain,
        "value": None if measure.value is None else round(measure.value, 4),
        "of": measure.of,
        "target": None if measure.target is None else measure.target.to_json(),
        "holds": measure.holds,
        "unit": measure.unit,
        "note": measure.note,
    }
