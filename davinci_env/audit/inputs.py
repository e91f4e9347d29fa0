"""Whether an agent can read what its own rules depend on."""

from __future__ import annotations

import random

from ..domain import Domain
from ..environment import DomainEnvironment
from ..planning import support_of
from .cases import Drawer, Novelty
from .contracts import revealed
from .report import Findings

LOOK_AT = 40
"""Bindings on which a rule is probed."""


def check_inputs(environment: DomainEnvironment, findings: Findings) -> None:
    """Probe each rule by="agent" and hold the cells that it reads against what reads show."""
    domain: Domain = environment.domain
    _, shown = revealed(domain)
    visible = {e._info.table: e._info for e in shown}
    rng = random.Random(0)
    for code, cells in cells_read(environment, rng).items():
        for table, column in sorted(cells):
            info = visible.get(table)
            hidden = info is not None and column != "+" and info.columns[column].hidden
            if info is None or hidden:
                what = f"which {table} there are" if column == "+" else f"{table}.{column}"
                text = f"depends on {what}, and no read shows that"
                findings.add("hidden-input", code, text, domain.rules[code].line)


def cells_read(
    environment: DomainEnvironment, rng: random.Random
) -> dict[str, set[tuple[str, str]]]:
    """The cells that each rule by="agent" reads, by code, found on sample bindings."""
    domain = environment.domain
    drawer = Drawer(environment, rng, Novelty())
    found: dict[str, set[tuple[str, str]]] = {}
    for tool in domain.tools.values():
        rules = [r for r in tool.requires if r.by == "agent" and r.kind is None]
        if not rules:
            continue
        bindings = [b.values for b in drawer.bindings(tool, drawer.survey(), LOOK_AT)]
        bindings += [c.values for _ in range(LOOK_AT) if (c := drawer.wide(tool)) and c.values]
        for values in bindings:
            context = tool.context(dict(values), environment.world.db, [], {})
            for rule in rules:
                try:
                    found.setdefault(rule.code, set()).update(support_of(rule, context).cells)
                except Exception:  # the walk reports a rule that raises
                    continue
    return found
