"""`davinci generate` and `davinci export`: the corpus, and its files for trainers."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from davinci_env.cli import display
from davinci_env.cli.options import CORES, Force, Jobs, Json, Seed
from davinci_env.cli.outlet import writable_file, writable_folder
from davinci_env.cli.progress import progress


def generate(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Corpus folder; an unfinished one is resumed.")
    ],
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this domain; may be repeated."),
    ] = None,
    source: Annotated[
        Literal["ees-single", "ees-cross"] | None,
        typer.Option(help="Only tasks within one domain, or only tasks across domains."),
    ] = None,
    n: Annotated[
        int, typer.Option("--n", metavar="N", help="Certified tasks in all.", min=1)
    ] = 330,
    seed: Seed = 0,
    jobs: Jobs = CORES,
    force: Force = False,
    json: Json = False,
) -> None:
    """Make a corpus: tasks certified, solved by the built-in expert, verified and exported.

    Needs no model and no network. The same seed gives the same bytes, whatever --jobs says.

    Examples:

    davinci generate --out corpus

    davinci generate --only library_lending --n 100 --out corpus
    """
    folder = writable_folder(out)

    from davinci_env.corpus import generate_corpus

    with progress("Generating") as step:
        summary = generate_corpus(
            only, n, folder, seed, jobs, progress=step, force=force, source=source
        )
    display.show(summary.to_json(), as_json=json, title=f"Corpus in {out}")
    if not summary.passed:
        raise typer.Exit(1)


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

    Examples:

    davinci export corpus --format openai --out sft.jsonl
    """
    target = writable_file(out)

    from davinci_env.corpus import export as export_records

    summary = export_records(
        source, format, target, include_benchmark=include_benchmark, force=force
    )
    display.show(summary.to_json(), as_json=json, title=f"Export in {out}")
    if not summary.passed:
        raise typer.Exit(1)
