"""Names for created rows that don't depend on the ids they happened to get.

Created rows and the references among them are a coloured graph. Colours are refined by what a row
holds, refers to and is referred to by, until nothing more can be told apart; among rows that are
still alike one is singled out and the rest refined again. Rows that stay alike in everything but
their id are interchangeable, so any choice among them gives the same names.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from .change import CREATED, DELETED, Change, plain
from .schema import Schema

Place = tuple[str, str]
"""Table and key."""

Colours = dict[Place, int]
Links = dict[Place, list[tuple[str, Place]]]
"""For a row: (column, other row)."""


def created_names(schema: Schema, changes: list[Change]) -> dict[Place, str]:
    """`new-1`, `new-2`, ... for each created row whose id the world assigned, by table and key."""
    created = [
        c for c in changes if c.op == CREATED and schema.by_table[c.table]._info.has_generated_key
    ]
    if not created:
        return {}
    tables = Counter(c.table for c in created)
    if max(tables.values()) == 1:
        return {(c.table, c.key): "new-1" for c in created}
    places = [(c.table, c.key) for c in created]
    colours = _settle(schema, changes, places)
    names: dict[Place, str] = {}
    numbered: Counter[str] = Counter()
    for place in sorted(places, key=lambda p: (p[0], colours[p])):
        numbered[place[0]] += 1
        names[place] = f"new-{numbered[place[0]]}"
    return names


def _settle(schema: Schema, changes: list[Change], places: list[Place]) -> Colours:
    """Colours that tell all created rows apart."""
    wanted = set(places)
    content: dict[Place, str] = {}
    outgoing: Links = defaultdict(list)
    incoming: Links = defaultdict(list)
    for change in changes:
        if change.op == DELETED:
            continue
        place = (change.table, change.key)
        words = [change.table] if place in wanted else [change.table, change.key]
        for column, target in schema.compared[change.table].items():
            if column not in change.cells:
                continue
            new = change.cells[column][1]
            if target is not None and (target, new) in wanted:
                outgoing[place].append((column, (target, new)))
                incoming[target, new].append((f"{change.table}.{column}", place))
            else:
                words.append(f"{column}={plain(new)!r}")
        content[place] = "\0".join(words)
    colours = _refine(_ranks(content), outgoing, incoming)
    while True:
        counted = Counter(colours[p] for p in places)
        tied = min((c for c, n in counted.items() if n > 1), default=None)
        if tied is None:
            return colours
        single = next(p for p in places if colours[p] == tied)
        marked = {p: (c, p != single) for p, c in colours.items()}
        colours = _refine(_ranks(marked), outgoing, incoming)


def _refine(colours: Colours, outgoing: Links, incoming: Links) -> Colours:
    while True:
        finer = _ranks(
            {
                place: (
                    colour,
                    sorted((column, colours[other]) for column, other in outgoing.get(place, ())),
                    sorted((column, colours[other]) for column, other in incoming.get(place, ())),
                )
                for place, colour in colours.items()
            }
        )
        if len(set(finer.values())) == len(set(colours.values())):
            return finer
        colours = finer


def _ranks(signatures: dict[Place, Any]) -> Colours:
    """Signatures numbered in their own order, which no id decides."""
    ranked: Colours = {}
    rank, last = -1, None
    for place in sorted(signatures, key=lambda p: signatures[p]):
        if rank < 0 or signatures[place] != last:
            rank, last = rank + 1, signatures[place]
        ranked[place] = rank
    return ranked
