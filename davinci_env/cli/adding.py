"""How a command gets its help: its docstring, of which the part under "Examples:" stands last."""

import inspect
from collections.abc import Callable

import typer

from davinci_env.cli.ending import Command


def add(app: typer.Typer, command: Callable[..., None], panel: str | None = None) -> None:
    """Add a command under its own name, with "-" for "_"."""
    text, _, examples = (inspect.getdoc(command) or "").partition("\n\nExamples:\n\n")
    epilog = f"[bold]For example[/bold]\n\n{examples}" if examples else None
    name = command.__name__.replace("_", "-")
    app.command(name, cls=Command, rich_help_panel=panel, help=text, epilog=epilog)(command)
