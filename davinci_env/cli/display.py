"""How results are shown: JSON for programs, tables for people, on stdout and nowhere else."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

PIPE_WIDTH = 120
"""Columns to assume where stdout is no terminal."""

TEXT_WIDTH = 100
"""Columns of running text, however wide the terminal is."""


def print_json(value: Any) -> None:
    """Print a value as indented JSON, keys in their own order."""
    import json

    print(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    title: str = "",
    total: bool = False,
) -> None:
    """Print a table under its title; numbers and rates are set flush right.

    Args:
        columns: the headings.
        rows: the cells of each row.
        title: a line above the table.
        total: the last row is the sum of the others, and set off from them.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cells = [list(row) for row in rows]
    view = Table(box=box.SIMPLE, pad_edge=False, show_footer=total)
    for index, name in enumerate(columns):
        values = [row[index] for row in cells]
        right = bool(values) and all(map(_is_measure, values))
        view.add_column(
            Text(name),
            Text(_cell(values[-1])) if total else "",
            justify="right" if right else "left",
            overflow="fold",
        )
    for row in cells[:-1] if total else cells:
        view.add_row(*(Text(_cell(value)) for value in row))
    _print(title, view)


def facts(rows: Iterable[tuple[str, Any]], *, title: str = "") -> None:
    """Print names with their values, one a line, under a title."""
    from rich.table import Table
    from rich.text import Text

    view = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    view.add_column(no_wrap=True)
    view.add_column(overflow="fold")
    for name, value in rows:
        view.add_row(Text(f"  {name}"), Text(_cell(value)))
    _print(title, view)


def document(text: str) -> None:
    """Print Markdown: laid out for a person at a terminal, as it is for anything else."""
    if not sys.stdout.isatty():
        say(text)
        return
    from rich.markdown import Markdown

    out = console()
    out.print(Markdown(text), width=min(out.width, TEXT_WIDTH))
    say()


def drawn(view: "RenderableType") -> None:
    """Print what Rich draws, no wider than running text, and an empty line."""
    out = console()
    with out.capture() as shown:
        out.print(view, width=min(out.width, TEXT_WIDTH))
    say("\n".join(line.rstrip() for line in shown.get().splitlines()))
    say()


def say(text: str = "") -> None:
    """Print a line of prose to stdout, as it is."""
    print(text)


def note(text: str) -> None:
    """Print a line for the person at the terminal to stderr, where no program reads it."""
    print(text, file=sys.stderr)


def console() -> "Console":
    """Return a console on stdout that prints text as it is: no markup, no emoji codes."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(file=sys.stdout, width=width, markup=False, emoji=False, highlight=False)


def _print(title: str, view: Any) -> None:
    """Print a heading, what stands under it, and an empty line."""
    from rich.text import Text

    out = console()
    if title:
        out.print(Text(title, style="bold"), soft_wrap=True)
    with out.capture() as drawn:
        out.print(view)
    # Tables are padded to a rectangle and framed by empty lines; a log wants neither.
    lines = [line.rstrip() for line in drawn.get().splitlines()]
    say("\n".join(line for line in lines if line))
    say()


def _is_measure(value: Any) -> bool:
    """Tell whether a cell holds a number, a rate, or nothing."""
    if isinstance(value, str):
        return value.endswith(" %")
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _words(key: object) -> str:
    return str(key).replace("_", " ")


def _cell(value: Any) -> str:
    """Render one value as a person reads it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Mapping):
        return ", ".join(f"{_words(key)} {_cell(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_cell(inner) for inner in value)
    return str(value)
