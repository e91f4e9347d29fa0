"""`davinci run` and `davinci report`: episodes, verdicts and what they add up to."""

from pathlib import Path
from typing import Annotated

import typer

from davinci_env.cli import display
from davinci_env.cli.options import CORES, Force, Jobs, Json, TaskFile
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
            help="oracle, expert, or a baseline: noop, talk, reader, refuse, ask-always, guess, "
            "first-match, random.",
        ),
    ] = "expert",
    user: Annotated[
        str, typer.Option(metavar="NAME", help="Who plays the user: scripted.")
    ] = "scripted",
    trials: Annotated[int, typer.Option(metavar="K", help="Episodes for each task.", min=1)] = 1,
    jobs: Jobs = CORES,
    force: Force = False,
    json: Json = False,
) -> None:
    """Run an agent on tasks and judge every episode.

    Examples:

    davinci run tasks.jsonl --agent expert --out runs
    """
    folder = writable_folder(out)

    from davinci_env.episodes import run_suite

    with progress(f"Running {agent}") as step:
        summary = run_suite(file, agent, user, trials, folder, jobs, progress=step, force=force)
    display.show(summary.to_json(), as_json=json, title=f"Episodes in {out}")


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

    Examples:

    davinci report runs
    """
    from davinci_env.episodes import report as report_runs

    display.show(report_runs(runs).to_json(), as_json=json, title=f"Report on {runs}")
