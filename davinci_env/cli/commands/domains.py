"""`davinci domains`: the catalogue; and one domain of it, for `davinci show`."""

from pathlib import Path

from davinci_env.cli import anatomy, display, results
from davinci_env.cli.anatomy import Part
from davinci_env.cli.options import Json, Paths


def domains(paths: Paths = None, json: Json = False) -> None:
    """List the catalogue: every domain and composition that can be opened here. Nothing is
    executed.

    Further folders come from --path, the variable DAVINCI_PATH and installed packages.

    Examples:

    davinci domains --json
    """
    from davinci_env.compose import catalogue

    entries = catalogue(paths or [])
    if json:
        fields = ("name", "category", "summary", "shipped", "domains")
        display.print_json([{name: getattr(entry, name) for name in fields} for entry in entries])
        return
    rows = [
        (
            entry.name,
            entry.category,
            entry.summary,
            "" if entry.shipped else str(entry.path),
        )
        for entry in entries
    ]
    display.table(["name", "category", "summary", "from"], rows)


def show_domain(
    name: str, part: Part | None, *, paths: list[Path], trust: bool, json: bool
) -> None:
    """Show one domain, or one part of it."""
    from davinci_env.compose import load

    domain = load(name, paths=paths, trust=trust)
    wanted = anatomy.PARTS if part is None else (part,)
    if json:
        head = anatomy.head(domain) if part is None else {}
        display.print_json(head | {one: anatomy.part(domain, one) for one in wanted})
        return
    if part is None:
        results.domain(anatomy.head(domain))
    for one in wanted:
        results.part(one, anatomy.part(domain, one))
