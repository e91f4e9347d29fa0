"""The sizes of a domain, and the numbers that a finished domain of the catalogue reaches."""

from __future__ import annotations

import ast
from typing import Any

from ..domain import Domain
from .contracts import has_example
from .report import Findings
from .source import Code, Source

LEAST = {
    "tables": 5,
    "tools": 13,
    "writes": 6,
    "rules": 10,
    "agent_rules": 4,
    "helpers": 1,
    "policy_words": 900,
    "rows": 150,
}
"""What a finished domain has at least."""

MOST_ROWS = 600
"""More seed rows than this at scale 1 make every episode slower and no task better."""

MOST_SHARED = 0.25
"""Largest share of policy sentences that may stand in another domain's policy too."""


def statistics_of(domain: Domain) -> dict[str, Any]:
    """Sizes of a domain; `rows` at scale 1."""
    world = domain.build(0)
    try:
        rows = sum(len(world.all(entity)) for entity in domain.entities.values())
    finally:
        world.close()
    tools = domain.tools.values()
    return {
        "tables": len(domain.entities),
        "tools": len(tools),
        "writes": sum(tool.kind == "write" for tool in tools),
        "rules": len(domain.rules),
        "agent_rules": sum(rule.by == "agent" for rule in domain.rules.values()),
        "invariants": len(domain.invariants),
        "helpers": len(domain.helpers),
        "policy_words": len(domain.policy().split()),
        "rows": rows,
    }


def check_house(
    domain: Domain, source: Source, statistics: dict[str, Any], shared: float, findings: Findings
) -> None:
    """Compare the sizes with what a finished domain has."""
    for name, least in LEAST.items():
        if statistics[name] < least:
            what = name.replace("_", " ")
            text = f"has {statistics[name]} {what}, and a finished domain at least {least}"
            findings.add("house", domain.name, text)
    if statistics["rows"] > MOST_ROWS:
        text = f"has {statistics['rows']} seed rows, and a finished domain at most {MOST_ROWS}"
        findings.add("house", domain.name, text)
    if shared > MOST_SHARED:
        text = f"shares {shared:.0%} of its policy's sentences with another domain"
        findings.add("house", domain.name, text)
    _limits(domain, source, findings)


def _limits(domain: Domain, source: Source, findings: Findings) -> None:
    """A limit that a rule sets by a constant is stated twice: an invariant or a worked example
    says it again."""
    examined = {name for code in source.checking for name in _constants(code)}
    shown = [code for code in source.running if has_example(code)]
    examined |= {name for code in source.closure(shown) for name in _constants(code)}
    for code, rule in source.rules.items():
        for name in sorted(_compared(rule)):
            if name not in examined:
                text = f"limits by {name}, on which no invariant and no worked example depends"
                findings.add("house", code, text, domain.rules[code].line)


def _constants(code: Code) -> set[str]:
    return {n.id for n in code.walk() if isinstance(n, ast.Name) and n.id.isupper()}


def _compared(code: Code) -> set[str]:
    """Constants that stand in a comparison of a predicate."""
    return {
        inner.id
        for node in code.walk()
        if isinstance(node, ast.Compare)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and inner.id.isupper()
    }
