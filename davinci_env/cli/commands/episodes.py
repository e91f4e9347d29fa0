"""`davinci run` and `davinci report`: episodes, verdicts and what they add up to."""

from pathlib import Path
from typing import Annotated

import typer

from davinci_env.cli import display, results, shortfalls
from davinci_env.cli.options import CORES, Force, Jobs, Json, Paths, Seed, TaskFile, Trust
from davinci_env.cli.outlet import writable_folder
from davinci_env.cli.progress import progress


def run(
    file: TaskFile,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for the runs; unfinished ones are resumed.")
    ],
    agent: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="oracle, expert, a baseline (noop, talk, reader, refuse, refuse-after-reading, "
            "ask-always, guess, first-match, random), rule-breaker, imperfect or imperfect:MODE, "
            "or openai:MODEL.",
        ),
    ] = "expert",
    user: Annotated[
        str, typer.Option(metavar="NAME", help="Who plays the user: scripted.")
    ] = "scripted",
    trials: Annotated[
        int, typer.Option(metavar="K", help="Episodes for each task.", min=1, max=1000)
    ] = 1,
    seed: Seed = 0,
    jobs: Jobs = CORES,
    force: Force = False,
    paths: Paths = None,
    trust: Trust = False,
    json: Json = False,
) -> None:
    """Run an agent on tasks and judge every episode.

    A failed episode says something of the agent, and is no failure of the command. Ends with
    status 1 if a line is not a task; the others are run.

    Examples:

    davinci run tasks.jsonl --agent expert --out runs
    """
    folder = writable_folder(out)

    from davinci_env.episodes import run_suite

    with progress(f"Running {agent}") as step:
        summary = run_suite(
            file, agent, user, trials, folder, jobs,
            seed=seed, paths=paths or [], trust=trust, progress=step, force=force,
        )  # fmt: skip
    result = summary.to_json()
    if json:
        display.print_json(result)
    else:
        results.episodes(result, out)
    if result["problems"]:
        raise shortfalls.of_lines(file, result["problems"], used=result["episodes"] // trials)


def report(
    runs: Annotated[
        Path,
        typer.Argument(
            metavar="RUNS", help="What `davinci run` wrote.", exists=True, readable=True
        ),
    ],
    json: Json = False,
) -> None:
    """Add up runs: pass rates by kind, domain and difficulty, failures by requirement.

    Ends with status 1 if a line is damaged; the others are added up.

    Examples:

    davinci report runs
    """
    from davinci_env.episodes import report as report_runs

    result = report_runs(runs).to_json()
    if json:
        display.print_json(result)
    else:
        results.report(result, runs)
    if result["problems"]:
        raise shortfalls.of_lines(runs, result["problems"], used=result["episodes"])
