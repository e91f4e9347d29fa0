"""The command line's table of contents."""

from collections.abc import Callable
from typing import Annotated

import typer

from davinci_env import __version__
from davinci_env.cli.adding import add
from davinci_env.cli.commands import (
    audit,
    bench,
    corpus,
    doctor,
    domains,
    episodes,
    serve,
    show,
    stats,
    tasks,
)
from davinci_env.cli.ending import Group

app = typer.Typer(
    name="davinci",
    cls=Group,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"davinci-env {__version__}")
        raise typer.Exit


@app.callback(
    invoke_without_command=True,
    epilog="Begin with [bold]davinci domains[/bold], "
    "or go straight to [bold]davinci generate --out corpus[/bold].",
)
def root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=_version),
    ] = False,
) -> None:
    """Stateful tool-use environments, tasks with proven verifiers, and the data they yield.

    With --json, stdout holds the result alone; progress and logs go to stderr.
    Exit status: 0 done, 1 the thing checked does not hold, 2 wrong usage or bad input.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_PANELS: dict[str, list[Callable[..., None]]] = {
    "Make data": [corpus.generate, corpus.export, stats.stats],
    "Domains": [domains.domains, show.show, serve.serve, audit.audit],
    "Tasks and episodes": [tasks.tasks, tasks.check, episodes.run, episodes.report],
    "This machine": [bench.bench, doctor.doctor],
}
for _panel, _commands in _PANELS.items():
    for _command in _commands:
        add(app, _command, _panel)
