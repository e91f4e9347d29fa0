"""`davinci tasks` and `davinci check`: certified tasks, and their certificates made again."""

from pathlib import Path
from typing import Annotated

import typer

from davinci_env.cli import display, results, shortfalls
from davinci_env.cli.options import (
    CORES,
    Force,
    Jobs,
    Json,
    Names,
    Paths,
    Scale,
    Seed,
    TaskFile,
    Trust,
)
from davinci_env.cli.outlet import writable_file
from davinci_env.cli.progress import progress

Kinds = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND[=N]",
        help="Only this kind (act, ask, act+ask, deny, clarify, handoff, missing-tool); may be "
        "repeated. With a number, so many of it for each domain, instead of --n.",
    ),
]
Difficulty = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LIMIT",
        help="Only tasks within this limit, such as 'calls>=6' (calls, writes, reads, chain, "
        "turns, lookalikes); may be repeated.",
    ),
]
Explain = Annotated[
    bool, typer.Option("--explain", help="Show a rejected candidate for each reason of rejection.")
]


def tasks(
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Task file to write; an unfinished one is resumed.")
    ],
    names: Names = None,
    n: Annotated[
        int,
        typer.Option(
            "--n", metavar="N", help="Certified tasks for each domain.", min=1, max=1_000_000
        ),
    ] = 50,
    kind: Kinds = None,
    difficulty: Difficulty = None,
    explain: Explain = False,
    seed: Seed = 0,
    scale: Scale = 1.0,
    jobs: Jobs = CORES,
    force: Force = False,
    paths: Paths = None,
    trust: Trust = False,
    json: Json = False,
) -> None:
    """Generate tasks, each with a verifier proven to accept its solutions and nothing else.

    Ends with status 1 if a domain cannot give as many as asked; what is good is kept.

    Examples:

    davinci tasks library_lending --n 50 --out tasks.jsonl

    davinci tasks library_lending --kind deny=10 --difficulty 'calls>=4' --out hard.jsonl

    davinci tasks --n 20 --explain --out tasks.jsonl
    """
    target = writable_file(out)

    from davinci_env.tasks import generate_suite

    with progress("Generating tasks") as step:
        summary = generate_suite(
            names, n, target, seed, jobs, scale,
            kinds=kind, difficulty=difficulty or [], paths=paths or [], trust=trust,
            progress=step, force=force,
        )  # fmt: skip
    result = summary.to_json()
    if explain:
        result["examples"] = summary.tally.examples
    if json:
        display.print_json(result)
    else:
        results.suite(result)
        if explain:
            results.rejected(summary.tally.examples)
    if not summary.passed:
        raise shortfalls.of_tasks(result)


def check(
    file: TaskFile,
    update: Annotated[
        bool, typer.Option("--update", help="Rewrite the file for the domains' present versions.")
    ] = False,
    jobs: Jobs = CORES,
    paths: Paths = None,
    trust: Trust = False,
    json: Json = False,
) -> None:
    """Make every certificate again, from the records alone.

    Ends with status 1 if a certificate does not hold, or a line is not a task.

    Examples:

    davinci check tasks.jsonl
    """
    from davinci_env.certify import check_suite

    with progress("Certifying tasks") as step:
        summary = check_suite(
            file, jobs, update=update, paths=paths or [], trust=trust, progress=step
        )
    result = summary.to_json()
    if json:
        display.print_json(result)
    else:
        results.certificates(result, file)
    if result["problems"]:
        raise shortfalls.of_lines(file, result["problems"], used=result["tasks"])
    if not summary.passed:
        raise shortfalls.of_certificates(file, result, update=update)
