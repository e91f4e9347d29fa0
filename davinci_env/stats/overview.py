"""The overview: every measure, for each domain and for all of them together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from davinci_env.stats.corpus import Case, Corpus
from davinci_env.stats.measures import COUNTS, Measure, as_json
from davinci_env.stats.trials import Trial, trials
from davinci_env.stats.wordings import wordings

ALL: Final = "all"
"""What stands for all domains together."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a corpus is made of."""

    tasks: int
    episodes: int
    measures: tuple[tuple[str, Measure], ...]
    """Each with its domain."""
    problems: tuple[dict[str, Any], ...] = ()

    @property
    def missed(self) -> list[tuple[str, Measure]]:
        """The measures whose target is not met."""
        return [(domain, one) for domain, one in self.measures if one.holds is False]

    @property
    def passed(self) -> bool:
        """Whether every target is met."""
        return not self.missed

    def to_json(self) -> dict[str, Any]:
        """Give the survey as a JSON object."""
        return {
            "tasks": self.tasks,
            "episodes": self.episodes,
            "measures": [as_json(measure, domain) for domain, measure in self.measures],
            "problems": list(self.problems),
        }


def survey(corpus: Corpus, played: Sequence[Trial] = ()) -> Survey:
    """Measure a corpus.

    Args:
        played: what other agents made of its tasks, where they were tried.
    """
    measures: list[tuple[str, Measure]] = []
    for domain, cases in [*corpus.by_domain().items(), (ALL, list(corpus.cases))]:
        tried = [trial for trial in played if domain in (ALL, trial.domain)]
        measures += [(domain, one) for one in _measured(cases, tried)]
    return Survey(
        tasks=len(corpus.cases),
        episodes=sum(len(case.episodes) for case in corpus.cases),
        measures=tuple(measures),
        problems=tuple(
            {"file": str(path), **problem.to_json()} for path, problem in corpus.problems
        ),
    )


def _measured(cases: Sequence[Case], tried: Sequence[Trial]) -> list[Measure]:
    counted = [measure for count in COUNTS for measure in count(cases)]
    return [*counted, *wordings(cases), *(trials(tried) if tried else [])]
