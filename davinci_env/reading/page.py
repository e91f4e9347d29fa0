"""Conversations as one page of HTML that needs nothing besides itself: no script, no file, no net.

Every text out of a record passes through `html.escape`, and the page forbids itself to load or run
anything, so that nothing a model said can act in a reader's browser.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby

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

SUMMARY = 110
"""Characters of a request that the index shows."""

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="generator" content="davinci-env">
<title>{title}</title>
<style>
{css}</style>
</head>
<body>
<main>
"""


def page(shown: Sequence[Conversation], *, title: str = "", full: bool = False) -> Iterator[str]:
    """Write a page, piece by piece; with several conversations it begins with an index.

    Args:
        title: what the page is called; by default, what its first conversation is.
        full: results and checks unfolded.
    """
    heading = title or (shown[0].title if shown else "Nothing")
    css = (files(__package__) / "page.css").read_text(encoding="utf-8")
    yield _HEAD.format(title=escape(heading), css=css)
    if len(shown) != 1:
        yield f"<h1>{escape(heading)}</h1>\n"
        yield from _index(shown)
    for number, one in enumerate(shown, start=1):
        yield from _article(one, number, len(shown), full)
    yield "</main>\n</body>\n</html>\n"


def _index(shown: Sequence[Conversation]) -> Iterator[str]:
    yield '<nav class="list" id="index" aria-label="Conversations"><ol>\n'
    for number, one in enumerate(shown, start=1):
        summary = one.summary
        if len(summary) > SUMMARY:
            summary = f"{summary[:SUMMARY].rstrip()}…"
        yield (
            f'<li>{_mark(one.passed)}<a href="#c{number}">{escape(one.title)}</a> '
            f"<small>{escape(summary)}</small></li>\n"
        )
    yield "</ol></nav>\n"


def _mark(passed: bool | None) -> str:
    if passed is None:
        return ""
    mark, word, style = ("✓", "passed", "good") if passed else ("✗", "failed", "bad")
    return f'<span class="mark {style}" title="{word}">{mark}</span> '


def _article(one: Conversation, number: int, count: int, full: bool) -> Iterator[str]:
    yield f'<article id="c{number}">\n<header><h2>{_mark(one.passed)}{escape(one.title)}</h2>'
    if count > 1:
        yield f"<nav>{_ways(number, count)}</nav>"
    yield "</header>\n"
    yield _pairs(one.facts)
    yield from _entries(one.entries, full)
    if one.script:
        yield "<h3>What the user does when asked</h3>\n<ul>"
        yield "".join(f"<li>{escape(line)}</li>" for line in one.script)
        yield "</ul>\n"
    if one.solution:
        yield "<h3>Golden solution</h3>\n"
        yield from _entries(one.solution, full)
    yield "<h3>Required</h3>\n"
    yield from _demands(one.demands, full)
    if one.certificate:
        yield f"<h3>Certified</h3>\n{_pairs(one.certificate)}"
    yield "</article>\n"


def _ways(number: int, count: int) -> str:
    """Links to the conversations before and after, and to the index."""
    before = f'<a href="#c{number - 1}">previous</a> · ' if number > 1 else ""
    after = f' · <a href="#c{number + 1}">next</a>' if number < count else ""
    return f'{before}<a href="#index">{number} of {count}</a>{after}'


def _pairs(rows: Iterable[tuple[str, str]]) -> str:
    told = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows)
    return f"<dl>{told}</dl>\n"


# -- what was said and done ------------------------------------------------------------------------


def _entries(entries: Iterable[Entry], full: bool) -> Iterator[str]:
    for entry in entries:
        match entry:
            case Turn():
                new = f", now with {wording.listed(entry.tools)}" if entry.tools else ""
                yield f"<h3>Turn {entry.index}, {escape(entry.act + new)}</h3>\n"
            case Said():
                yield _said(entry)
            case Called():
                yield from _called(entry, full)
            case Happened():
                text = escape(f"{entry.kind} {entry.text}".rstrip())
                yield f'<div class="event">· {text}</div>\n'


def _said(entry: Said) -> str:
    text = escape(entry.text) if entry.text else '<span class="faint">(says nothing)</span>'
    weightless = "" if entry.learned else " weightless"
    return (
        f'<div class="said {entry.by}{weightless}"><b>{entry.by}</b>'
        f"<p>{text}{_tag(entry.learned)}</p></div>\n"
    )


def _tag(learned: bool) -> str:
    return "" if learned else ' <span class="tag">not to be learned</span>'


def _called(entry: Called, full: bool) -> Iterator[str]:
    """A call; its result folded away below the first lines of it."""
    yield f'<div class="called{"" if entry.learned else " weightless"}">'
    head = f"<code>→ {escape(entry.call)}</code>{_tag(entry.learned)}"
    if entry.refusal:
        yield f'{head}<div class="refused">✗ {escape(entry.refusal)}</div>'
    elif entry.result is None:
        yield head
    else:
        short = "".join(f"<span>{escape(line)}</span>" for line in wording.outline(entry.result))
        yield f"<details{' open' if full else ''}><summary>{head}</summary>"
        yield f'<pre class="whole">{escape(wording.whole(entry.result))}</pre></details>'
        yield f'<pre class="short">{short}</pre>'
    for what, cells in entry.changes:
        yield f'<div class="changed">{escape(f"{what}: {cells}" if cells else what)}</div>'
    if entry.violated:
        yield f'<div class="broken">✗ breaks {escape(", ".join(entry.violated))}</div>'
    yield "</div>\n"


# -- what is required ------------------------------------------------------------------------------


def _demands(demands: Iterable[Demand], full: bool) -> Iterator[str]:
    for turn, group in groupby(sorted(demands, key=lambda one: one.turn), lambda one: one.turn):
        if turn:
            yield f'<p class="faint">of turn {turn}</p>\n'
        yield '<ul class="demands">\n'
        for demand in group:
            yield _demand(demand, full)
        yield "</ul>\n"


def _demand(demand: Demand, full: bool) -> str:
    mark = _mark(demand.passed) or '<span class="faint">·</span>'
    found = "".join(f'<p class="evidence">{escape(line)}</p>' for line in demand.evidence)
    return (
        f'<li><span>{mark}</span><span class="faint">{escape(demand.kind)}</span><div>'
        f"<p>{escape(demand.text)}</p>{found}<details{' open' if full else ''}>"
        f'<summary>{escape(demand.check)}</summary><pre class="whole">{escape(demand.form)}</pre>'
        "</details></div></li>\n"
    )
