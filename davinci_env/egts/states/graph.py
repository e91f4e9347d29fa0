"""What an assistant's memory knows at first: people, where they belong, what is said of them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from .graph_words import EVENTS, ORGANISATIONS, PEOPLE, PETS, PLACES, PROJECTS

KINDS: Mapping[str, tuple[Mapping[str, tuple[str, ...]], int]] = {
    "person": (PEOPLE, 9),
    "organisation": (ORGANISATIONS, 4),
    "place": (PLACES, 3),
    "project": (PROJECTS, 2),
    "event": (EVENTS, 3),
    "pet": (PETS, 1),
}
"""Entity type to what there is of it and how many a memory knows."""

LINKS: tuple[tuple[str, str, str, float], ...] = (
    ("person", "works for", "organisation", 0.7),
    ("person", "lives next door to", "person", 0.5),
    ("person", "gets lifts from", "person", 0.4),
    ("person", "is a friend of", "person", 0.5),
    ("project", "is looked after by", "person", 1.0),
    ("project", "gets money from", "organisation", 0.7),
    ("event", "is organised by", "organisation", 1.0),
    ("pet", "belongs to", "person", 1.0),
)
"""Type, relation, type, and the share of the former that have it. All ask for a "who"."""


def make_graph(seed: int) -> dict[str, list[dict[str, Any]]]:
    """The entities and relations of a seed: 22 entities, 25 relations or so.

    Returns:
        `entities` (`name`, `entityType`, `observations`) and `relations` (`from`, `to`,
        `relationType`).
    """
    rng = random.Random(f"graph {seed}")
    known = {kind: rng.sample(sorted(names), many) for kind, (names, many) in KINDS.items()}
    entities = []
    for kind, names in known.items():
        for name in names:
            said = KINDS[kind][0][name]
            observations = rng.sample(said, 2)
            entities.append({"name": name, "entityType": kind, "observations": observations})
    relations = []
    for kind, relation, other, share in LINKS:
        for name in known[kind]:
            to = rng.choice([o for o in known[other] if o != name])
            if rng.random() < share:
                relations.append({"from": name, "to": to, "relationType": relation})
    return {"entities": entities, "relations": relations}
