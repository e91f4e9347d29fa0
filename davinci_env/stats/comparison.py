"""The length-controlled comparison: what trajectories over joined domains have beyond being longer.

Each trajectory of one corpus is put beside one of the other with as many calls and the most similar
length (§C.1.4 of the paper); what the pairs differ by is told with a bootstrapped interval.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from davinci_env.errors import UsageError
from davinci_env.stats.corpus import Corpus
from davinci_env.stats.structure import Structure

MEASURES: Final[Mapping[str, Callable[[Structure], float]]] = {
    "domains": lambda s: s.domains,
    "domain transitions": lambda s: s.transitions,
    "transition rate": lambda s: s.transition_rate,
    "with a transition": lambda s: s.transitions > 0,
    "entity transfers": lambda s: s.transfers,
    "with a transfer": lambda s: s.transfers > 0,
    "read-write dependencies": lambda s: s.dependencies,
    "dependencies across domains": lambda s: s.cross_dependencies,
    "with one across domains": lambda s: s.cross_dependencies > 0,
    "depth of dependencies": lambda s: s.depth,
}
"""What is compared."""

LEVEL: Final = 0.95
"""Confidence of the intervals."""

RESAMPLES: Final = 2_000


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure in both corpora.

    Attributes:
        all_single, all_cross: means over all passed trajectories.
        single, cross: means over the matched pairs.
        low, high: the interval of the mean difference of the pairs; None where it can't be told.
    """

    name: str
    all_single: float
    all_cross: float
    single: float
    cross: float
    low: float | None
    high: float | None

    @property
    def difference(self) -> float:
        """By how much the pairs differ."""
        return self.cross - self.single


@dataclass(frozen=True, slots=True)
class Comparison:
    """A whole table. `pairs` were matched, of so many trajectories each."""

    pairs: int
    of_single: int
    of_cross: int
    calls: float
    """Mean of the calls in a pair, which is the same on both sides."""
    differences: tuple[Difference, ...]

    def to_json(self) -> dict[str, Any]:
        """Give the table as a JSON object."""
        return {
            "pairs": self.pairs,
            "single": self.of_single,
            "cross": self.of_cross,
            "calls": round(self.calls, 2),
            "measures": [
                {
                    "name": one.name,
                    "all_single": round(one.all_single, 3),
                    "all_cross": round(one.all_cross, 3),
                    "single": round(one.single, 3),
                    "cross": round(one.cross, 3),
                    "difference": round(one.difference, 3),
                    "low": None if one.low is None else round(one.low, 3),
                    "high": None if one.high is None else round(one.high, 3),
                }
                for one in self.differences
            ],
        }


def compare(single: Corpus, cross: Corpus, seed: int = 0) -> Comparison:
    """Compare a corpus of single domains with one of joined ones.

    Raises:
        UsageError: a corpus has no passed trajectory, or no two have as many calls.
    """
    ones, others = _passed(single), _passed(cross)
    if not ones or not others:
        raise UsageError(
            "there is nothing to compare", "give two corpora with trajectories that passed"
        )
    pairs = matched(ones, others)
    if not pairs:
        raise UsageError(
            "no trajectory of one corpus has as many calls as one of the other",
            "make larger corpora",
        )
    return Comparison(
        pairs=len(pairs),
        of_single=len(ones),
        of_cross=len(others),
        calls=fmean(left.calls for left, _ in pairs),
        differences=tuple(
            _difference(name, measure, ones, others, pairs, seed)
            for name, measure in MEASURES.items()
        ),
    )


def _passed(corpus: Corpus) -> list[Structure]:
    return [e.structure for case in corpus.cases for e in case.episodes if e.passed]


def matched(
    ones: Sequence[Structure], others: Sequence[Structure]
) -> list[tuple[Structure, Structure]]:
    """Pairs with as many calls each, of the most similar length; each is in one pair at most."""
    pairs = []
    for calls in sorted({one.calls for one in ones}):
        left = sorted((s for s in ones if s.calls == calls), key=lambda s: s.characters)
        right = sorted((s for s in others if s.calls == calls), key=lambda s: s.characters)
        fewer, more = (left, right) if len(left) <= len(right) else (right, left)
        for one in fewer:
            other = min(more, key=lambda s: abs(s.characters - one.characters))
            more.remove(other)
            pairs.append((one, other) if fewer is left else (other, one))
    return pairs


def _difference(
    name: str,
    measure: Callable[[Structure], float],
    ones: Sequence[Structure],
    others: Sequence[Structure],
    pairs: Sequence[tuple[Structure, Structure]],
    seed: int,
) -> Difference:
    differences = [measure(right) - measure(left) for left, right in pairs]
    low, high = _interval(differences, seed)
    return Difference(
        name=name,
        all_single=fmean(map(measure, ones)),
        all_cross=fmean(map(measure, others)),
        single=fmean(measure(left) for left, _ in pairs),
        cross=fmean(measure(right) for _, right in pairs),
        low=low,
        high=high,
    )


def _interval(values: Sequence[float], seed: int) -> tuple[float | None, float | None]:
    """The interval of the mean, by the percentile bootstrap; None where all values are one."""
    if len(set(values)) < 2:
        return None, None
    from numpy import mean
    from numpy.random import default_rng
    from scipy.stats import bootstrap

    found = bootstrap(
        (values,), mean, confidence_level=LEVEL, n_resamples=RESAMPLES, method="percentile",
        rng=default_rng(seed),
    ).confidence_interval  # fmt: skip
    return float(found.low), float(found.high)
