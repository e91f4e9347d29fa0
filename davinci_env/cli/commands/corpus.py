"""`davinci generate` and `davinci export`: the corpus, and its files for trainers."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from davinci_env.cli import display, results, shortfalls
from davinci_env.cli.options import CORES, Force, Jobs, Json, Paths, Scale, Seed, Trust
from davinci_env.cli.outlet import writable_file, writable_folder
from davinci_env.cli.progress import progress


def generate(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Corpus folder; an unfinished one is resumed.")
    ],
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only this domain or composition; may be repeated. All domains that ship with the "
            "package by default, or all compositions with --source ees-cross.",
        ),
    ] = None,
    source: Annotated[
        Literal["ees-single", "ees-cross"] | None,
        typer.Option(help="Tasks within one domain, or tasks across the domains of compositions."),
    ] = None,
    n: Annotated[
        int, typer.Option("--n", metavar="N", help="Certified tasks in all.", min=1, max=1_000_000)
    ] = 330,
    seed: Seed = 0,
    scale: Scale = 1.0,
    jobs: Jobs = CORES,
    force: Force = False,
    paths: Paths = None,
    trust: Trust = False,
    json: Json = False,
) -> None:
    """Make a corpus: tasks certified, solved by the built-in expert, verified and exported.

    Needs no model and no network. The same seed gives the same bytes, whatever --jobs says.
    Ends with status 1 if there are fewer tasks than asked for; what is good is kept.

    Examples:

    davinci generate --out corpus

    davinci generate --only library_lending --n 100 --out corpus

    davinci generate --source ees-cross --n 600 --out cross
    """
    folder = writable_folder(out)

    from davinci_env.corpus import generate_corpus

    with progress("Generating") as step:
        summary = generate_corpus(
            only, n, folder, seed, jobs,
            scale=scale, source=source, paths=paths or [], trust=trust, progress=step, force=force,
        )  # fmt: skip
    result = summary.to_json()
    if json:
        display.print_json(result)
    else:
        results.corpus(result)
    if not summary.passed:
        raise shortfalls.of_tasks(result)


def export(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE", help="A corpus folder, runs, or a file of trajectories.", exists=True
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="File to write.")],
    format: Annotated[
        str, typer.Option(metavar="FORM", help="The trainer's form: trl, openai.")
    ] = "trl",
    include_benchmark: Annotated[
        bool, typer.Option("--include-benchmark", help="Also records that belong to a benchmark.")
    ] = False,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write passed trajectories in the form that a trainer loads as it is.

    Ends with status 1 if nothing could be exported, or a line is damaged; what is good is kept.

    Examples:

    davinci export corpus --format openai --out sft.jsonl
    """
    target = writable_file(out)

    from davinci_env.corpus import export as export_records

    summary = export_records(
        source, format, target, include_benchmark=include_benchmark, force=force
    )
    result = summary.to_json()
    if json:
        display.print_json(result)
    else:
        results.export(result)
    if result["problems"]:
        raise shortfalls.of_lines(result["source"], result["problems"], used=result["rows"])
    if not summary.passed:
        raise shortfalls.of_rows(result)
