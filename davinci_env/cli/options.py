"""Options that several commands share, declared once so that they mean the same everywhere."""

import os
from pathlib import Path
from typing import Annotated

import typer

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="A domain, as `davinci domains` lists it.")
]
Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NAME]...", help="Domains; all that ship with the package by default."),
]
TaskFile = Annotated[
    Path,
    typer.Argument(
        metavar="TASKS",
        help="A task file (JSON Lines).",
        exists=True,
        dir_okay=False,
        readable=True,
    ),
]

Seed = Annotated[
    int, typer.Option(metavar="N", help="Same seed, same bytes.", min=0, max=999_999_999)
]
Scale = Annotated[
    float,
    typer.Option(metavar="X", help="Factor on the amount of seed data.", min=0.1, max=100),
]
Jobs = Annotated[
    int,
    typer.Option(
        metavar="N", help="Worker processes; the result doesn't depend on it.", min=1, max=256
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace what --out holds.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")]
Paths = Annotated[
    list[Path] | None,
    typer.Option(
        "--path",
        metavar="DIR",
        help="A further folder of domains; may be repeated.",
        exists=True,
        file_okay=False,
    ),
]
Trust = Annotated[
    bool, typer.Option("--trust", help="Execute domains that did not ship with the package.")
]

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
