"""A conversation for the terminal, drawn with Rich. Without colours it reads just as well."""

from collections.abc import Iterable
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from davinci_env.reading import wording
from davinci_env.reading.view import (
    Called,
    Conversation,
    Demand,
    Entry,
    Happened,
    Said,
    Turn,
)

NAMES = 6
"""Columns of the margin in which it stands who speaks."""

STYLES = {
    "user": "bold cyan",
    "agent": "bold green",
    "call": "blue",
    "result": "dim",
    "refused": "bold red",
    "changed": "yellow",
    "event": "magenta",
    "passed": "green",
    "failed": "bold red",
}


def render(shown: Conversation, *, full: bool = False) -> RenderableType:
    """Draw a conversation.

    Args:
        full: results and checks whole, instead of the first rows and in words.
    """
    parts: list[RenderableType] = [_title(shown), _pairs(shown.facts)]
    parts += _entries(shown.entries, full)
    if shown.script:
        parts += [_rule("what the user does when asked"), *map(_item, shown.script)]
    if shown.solution:
        parts += [_rule("golden solution"), *_entries(shown.solution, full)]
    parts += [_rule("required"), *_demands(shown.demands, full)]
    if shown.certificate:
        parts += [_rule("certified"), _pairs(shown.certificate)]
    return Group(*parts)


def _title(shown: Conversation) -> Text:
    title = Text(shown.title, style="bold")
    if shown.passed is not None:
        word = "passed" if shown.passed else "failed"
        title.append(f" · {word}", style=STYLES[word])
    return title


def _rule(text: str) -> RenderableType:
    return Padding(Rule(Text(text, style="dim"), align="left", style="dim"), (1, 0, 0, 0))


def _pairs(rows: Iterable[tuple[str, str]]) -> RenderableType:
    """Names with what belongs to them."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(f"  {name}", Text(value))
    return grid


def _item(text: str) -> RenderableType:
    return Padding(Text(text, overflow="fold"), (0, 0, 0, 2))


# -- what was said and done ------------------------------------------------------------------------


def _entries(entries: Iterable[Entry], full: bool) -> list[RenderableType]:
    """Entries in two columns: who, and what; turns are rules across both."""
    parts: list[RenderableType] = []
    speaker = ""
    before: Entry | None = None
    for entry in entries:
        if isinstance(entry, Turn):
            parts.append(_rule(_turn(entry)))
            speaker = ""
        elif isinstance(entry, Said):
            parts.append(_row(entry.by if entry.by != speaker else "", _said(entry), gap=True))
            speaker = entry.by
        elif isinstance(entry, Called):
            name = "agent" if speaker != "agent" else ""
            parts.append(_row(name, _called(entry, full), gap=not isinstance(before, Called)))
            speaker = "agent"
        else:
            parts.append(_row("", _happened(entry)))
        before = entry
    return parts


def _turn(turn: Turn) -> str:
    new = f", now with {wording.listed(list(turn.tools))}" if turn.tools else ""
    return f"turn {turn.index}, {turn.act}{new}"


def _row(name: str, body: RenderableType, *, gap: bool = False) -> RenderableType:
    """One entry beside the margin; with `gap` an empty line above it."""
    grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(width=NAMES, style=STYLES.get(name, ""), no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    grid.add_row(name, body)
    return Padding(grid, (1, 0, 0, 0)) if gap else grid


def _said(entry: Said) -> Text:
    text = Text(entry.text or "(says nothing)", style="" if entry.text else "dim")
    if not entry.learned:
        text.append("  [not to be learned]", style="dim")
    return text


def _called(entry: Called, full: bool) -> RenderableType:
    """A call, what came of it, and what it changed."""
    head = Text(f"→ {entry.call}", style=STYLES["call"])
    if not entry.learned:
        head.append("  [not to be learned]", style="dim")
    lines: list[RenderableType] = [head]
    if entry.refusal:
        lines.append(_below(f"✗ {entry.refusal}", "refused"))
    elif entry.result is not None and full:
        lines.append(_below(wording.whole(entry.result), "result"))
    elif entry.result is not None:
        for line in wording.outline(entry.result):
            lines.append(_below(line, "result", cut=True))
    for what, cells in entry.changes:
        lines.append(_below(f"{what}: {cells}" if cells else what, "changed"))
    if entry.violated:
        lines.append(_below(f"✗ breaks {', '.join(entry.violated)}", "refused"))
    return Group(*lines)


def _below(text: str, style: str, *, cut: bool = False) -> RenderableType:
    """A line of what came of a call; `cut` ends it where the screen ends."""
    line = Text(text, style=STYLES[style], no_wrap=cut, overflow="ellipsis" if cut else "fold")
    return Padding(line, (0, 0, 0, 2))


def _happened(entry: Happened) -> Text:
    said = f"{entry.kind} {entry.text}".rstrip()
    return Text(f"· {said}", style=STYLES["event"])


# -- what is required ------------------------------------------------------------------------------


def _demands(demands: Iterable[Demand], full: bool) -> list[RenderableType]:
    """Requirements by turn, with how they came out and why."""
    parts: list[RenderableType] = []
    for turn, group in groupby(sorted(demands, key=lambda one: one.turn), lambda one: one.turn):
        if turn:
            parts.append(Padding(Text(f"of turn {turn}", style="dim"), (0, 0, 0, 2)))
        parts += [_demand(one, full) for one in group]
    return parts


def _demand(demand: Demand, full: bool) -> RenderableType:
    mark, style = _MARKS[demand.passed]
    grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(width=1, style=style)
    grid.add_column(width=NAMES, no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    text = Text(demand.text)
    text.append(f"\n{demand.form if full else demand.check}", style="dim")
    for line in demand.evidence:
        text.append(f"\n{line}", style="red")
    grid.add_row(mark, demand.kind, text)
    return Padding(grid, (0, 0, 0, 2))


_MARKS = {None: ("·", "dim"), True: ("✓", STYLES["passed"]), False: ("✗", STYLES["failed"])}
"""How a requirement came out."""
