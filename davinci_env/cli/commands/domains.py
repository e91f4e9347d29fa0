"""`davinci domains` and `davinci show`: the catalogue, and one domain of it."""

from typing import Annotated

import typer

from davinci_env.cli import anatomy, display, results
from davinci_env.cli.anatomy import Part
from davinci_env.cli.options import Json, Name, Paths, Trust


def domains(paths: Paths = None, json: Json = False) -> None:
    """List the catalogue: every domain that can be opened here. Nothing is executed.

    Further folders come from --path, the variable DAVINCI_PATH and installed packages.

    Examples:

    davinci domains --json
    """
    from davinci_env.domain import catalogue

    entries = catalogue(paths or [])
    if json:
        fields = ("name", "category", "summary", "shipped")
        display.print_json([{name: getattr(entry, name) for name in fields} for entry in entries])
        return
    rows = [
        (entry.name, entry.category, entry.summary, "" if entry.shipped else str(entry.path))
        for entry in entries
    ]
    display.table(["name", "category", "summary", "from"], rows)


def show(
    name: Name,
    part: Annotated[Part | None, typer.Option(help="Show this part alone.")] = None,
    paths: Paths = None,
    trust: Trust = False,
    json: Json = False,
) -> None:
    """Show one domain: its policy, tools, records, rules and frozen suite.

    Examples:

    davinci show library_lending

    davinci show library_lending --part policy
    """
    from davinci_env.domain import load

    domain = load(name, paths=paths or [], trust=trust)
    wanted = anatomy.PARTS if part is None else (part,)
    if json:
        head = anatomy.head(domain) if part is None else {}
        display.print_json(head | {one: anatomy.part(domain, one) for one in wanted})
        return
    if part is None:
        results.domain(anatomy.head(domain))
    for one in wanted:
        results.part(one, anatomy.part(domain, one))
