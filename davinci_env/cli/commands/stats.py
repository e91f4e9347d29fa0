"""`davinci stats`: what a corpus is made of, beside what it should be."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from davinci_env.cli import display, results, shortfalls
from davinci_env.cli.options import CORES, Jobs, Json, Paths, Seed, Trust
from davinci_env.cli.progress import progress

if TYPE_CHECKING:
    from davinci_env.stats import Corpus, Trial

Folders = Annotated[
    list[Path],
    typer.Argument(
        metavar="CORPUS...",
        help="A corpus folder; or files of tasks, and of trajectories at them.",
        exists=True,
    ),
]
Agents = Annotated[
    bool,
    typer.Option(
        "--agents", help="Let agents that do it wrong play the tasks, and tell what passes."
    ),
]
Sample = Annotated[
    int | None,
    typer.Option(metavar="N", help="With --agents: only N tasks, drawn by --seed.", min=1),
]
Against = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="CORPUS",
        help="Compare with trajectories of single domains that are as long, instead of "
        "measuring; may be repeated.",
        exists=True,
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="End with status 1 if a target is missed.")]


def stats(
    corpus: Folders,
    agents: Agents = False,
    sample: Sample = None,
    against: Against = None,
    strict: Strict = False,
    seed: Seed = 0,
    jobs: Jobs = CORES,
    paths: Paths = None,
    trust: Trust = False,
    json: Json = False,
) -> None:
    """Measure a corpus: kinds, goals, turns, calls, denials, recoveries, words; across domains also
    what goes from one to the other.

    Each number stands beside its target, for each domain and for all.
    ✓ meets it, ✗ misses it, and a number without a mark is only told.

    Examples:

    davinci stats corpus

    davinci stats corpus --agents --sample 200 --strict

    davinci stats cross --against corpus
    """
    from davinci_env.stats import read_corpus, survey

    found = read_corpus(corpus)
    if against:
        _compared(found, against, seed, json=json)
        return
    played = _played(found, sample, seed, jobs, paths or [], trust) if agents else []
    result = survey(found, played)
    if json:
        display.print_json(result.to_json())
    else:
        results.survey(result.to_json(), ", ".join(map(str, corpus)))
    if result.problems:
        first = result.problems[0]["file"]
        own = [one for one in result.problems if one["file"] == first]
        raise shortfalls.of_lines(first, own, used=result.tasks)
    if strict and not result.passed:
        raise shortfalls.of_targets([(domain, one.name) for domain, one in result.missed])


def _compared(corpus: "Corpus", against: list[Path], seed: int, *, json: bool) -> None:
    """Print what a corpus has beyond trajectories of single domains that are as long."""
    from davinci_env.stats import compare, read_corpus

    table = compare(read_corpus(against), corpus, seed).to_json()
    if json:
        display.print_json(table)
    else:
        results.comparison(table)


def _played(
    corpus: "Corpus", sample: int | None, seed: int, jobs: int, paths: list[Path], trust: bool
) -> "list[Trial]":
    """Let agents play the tasks, or a sample of them."""
    from davinci_env.stats import draw_tasks, play_trials

    tasks = draw_tasks(corpus, sample, seed)
    played = []
    with progress("Playing") as step:
        for trial in play_trials(tasks, jobs, paths=paths, trust=trust):
            played.append(trial)
            step(len(played), len(tasks), trial.domain)
    return played
