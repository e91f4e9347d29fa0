"""How results are shown: JSON for programs, tables for people, on stdout and nowhere else."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 120
"""Columns to assume where stdout is no terminal."""


def show(result: Mapping[str, Any], *, as_json: bool, title: str) -> None:
    """Print a result: as JSON, or as tables after its shape.

    Scalars make one table of names and values; a mapping of scalars, a mapping of mappings and a
    list of mappings make a table each, under the key as heading; empty ones are left out.

    Args:
        result: what a summary's or report's `to_json()` gave.
        as_json: print JSON alone.
        title: heading of the first table.
    """
    if as_json:
        print_json(result)
        return
    scalars = [(_words(key), value) for key, value in result.items() if _is_plain(value)]
    if scalars:
        table(["", ""], scalars, title=title, header=False)
    for key, value in result.items():
        if not _is_plain(value) and value:
            _nested(_words(key), value)


def print_json(value: Any) -> None:
    """Print a value as indented JSON, keys in their own order."""
    import json

    print(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str = "", header: bool = True
) -> None:
    """Print a table; numbers are set flush right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cells = [list(row) for row in rows]
    view = Table(
        title=Text(title) if title else None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD if header else box.SIMPLE,
        show_header=header,
        pad_edge=False,
    )
    for index, name in enumerate(columns):
        values = [row[index] for row in cells]
        numeric = bool(values) and all(_is_number(value) or value is None for value in values)
        view.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    for row in cells:
        view.add_row(*(Text(_cell(value)) for value in row))
    console().print(view)


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


def _nested(title: str, value: Any) -> None:
    """Print a mapping or a list as one table."""
    if isinstance(value, Mapping):
        if all(isinstance(inner, Mapping) for inner in value.values()):
            columns = list(dict.fromkeys(name for inner in value.values() for name in inner))
            rows = [
                [outer, *(inner.get(name, "") for name in columns)]
                for outer, inner in value.items()
            ]
            table(["", *map(_words, columns)], rows, title=title)
        else:
            table(["", ""], list(value.items()), title=title, header=False)
    elif all(isinstance(item, Mapping) for item in value):
        columns = list(dict.fromkeys(name for item in value for name in item))
        table(
            [_words(name) for name in columns],
            [[item.get(name) for name in columns] for item in value],
            title=title,
        )
    else:
        table([""], [[item] for item in value], title=title, header=False)


def _words(key: object) -> str:
    return str(key).replace("_", " ")


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


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
