"""How like a domain is to others: shapes of its tools and rules, and sentences of its policy."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..domain import Domain, catalogue, load
from .source import Source

SHINGLE = 5
"""Nodes in one shingle: a chain from a node down to its great-great-grandchild."""


def shingles(domain: Domain) -> frozenset[tuple[str, ...]]:
    """Chains of five nodes in the syntax trees of authored tools and rules, names and literals
    masked."""
    source = Source(domain)
    found: set[tuple[str, ...]] = set()
    for code in [*source.tools.values(), *source.rules.values()]:
        found.update(chain for root in code.body for chain in _chains(root, ()))
    return frozenset(found)


def _chains(node: ast.AST, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    chain = (*above, _masked(node))[-SHINGLE:]
    if len(chain) == SHINGLE:
        yield chain
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr_context):
            yield from _chains(child, chain)


def _masked(node: ast.AST) -> str:
    """The kind of a node, with the number of its children: its shape without its words."""
    kind = type(node).__name__
    children = sum(not isinstance(c, ast.expr_context) for c in ast.iter_child_nodes(node))
    return f"{kind}/{children}"


def likeness(one: Domain, other: Domain) -> float:
    """Jaccard index of the two domains' shingles."""
    a, b = shingles(one), shingles(other)
    return len(a & b) / len(a | b) if a | b else 0.0


def sentences(policy: str) -> frozenset[str]:
    """The sentences of a policy, in lower case, headings and lists included."""
    text = re.sub(r"[#*`_-]+", " ", policy.casefold())
    parts = re.split(r"(?<=[.!?:])\s+|\n\s*\n|\n(?=\s)", text)
    cleaned = (" ".join(part.split()) for part in parts)
    return frozenset(part for part in cleaned if len(part.split()) > 3)


def shared_sentences(one: Domain, other: Domain) -> float:
    """Share of one domain's policy sentences that stand in the other's policy word for word."""
    mine = sentences(one.policy())
    return len(mine & sentences(other.policy())) / len(mine) if mine else 0.0


def compare(domain: Domain) -> tuple[dict[str, float], dict[str, float]]:
    """Likeness to, and shared sentences with, every other domain that ships with the package."""
    like: dict[str, float] = {}
    shared: dict[str, float] = {}
    for entry in catalogue():
        if entry.shipped and entry.name != domain.name:
            other = load(entry.name)
            like[entry.name] = round(likeness(domain, other), 4)
            shared[entry.name] = round(shared_sentences(domain, other), 4)
    return like, shared
