"""Agreement: an enforced rule with an invariant behind it forbids only what would break the
invariant.

A call that one rule alone blocks is carried out all the same, on a state that is then restored.
Where the rule's calls break an invariant, or cannot be stored, each other call that changes the
same columns has to do so too: otherwise rule and invariant draw the limit at different places.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..compose import Composition
from ..domain import Domain, Tool
from ..environment import DomainEnvironment
from ..errors import ToolError
from ..planning import Binding
from .cases import Drawer, Novelty
from .invariants import Invariants
from .report import Findings

Shape = frozenset[tuple[str, str, str]]
"""What a call changes, as (table, operation, column)."""

PEOPLE = 12
LOOK_AT = 300
EACH = 6
"""Calls that are carried out for each person, tool and rule."""

ARBITRARY = 25
"""Arbitrary bindings of each tool, for rules that a person's own rows never break."""


@dataclass
class Evidence:
    """What became of the calls that a rule alone blocks: shapes that break something, and that
    don't."""

    broken: set[Shape] = field(default_factory=set)
    harmless: set[Shape] = field(default_factory=set)
    impossible: bool = False

    @property
    def contradicts(self) -> bool:
        """Whether calls of one kind break an invariant in one case and nothing in another."""
        return bool(self.harmless and (self.impossible or self.harmless & self.broken))


class Agreement:
    """Collects evidence about every enforced rule, in one world after the other."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.evidence: dict[tuple[str, str], Evidence] = {}

    def look(self, environment: DomainEnvironment) -> None:
        """Carry out blocked calls in a world at its start; the world is left as it was."""
        drawer = Drawer(environment, random.Random(0), Novelty())
        invariants = Invariants(self.domain, Findings())
        if not invariants.hold(environment.world):
            return
        start = environment.snapshot()
        for row in self.domain.regulars(environment.world)[:PEOPLE]:
            environment.act_for(row.id)
            survey = drawer.survey()
            for tool in self.domain.tools.values():
                if tool.kind != "write" or not tool.requires:
                    continue
                bindings = drawer.bindings(tool, survey, LOOK_AT)
                if self.domain.access == "staff":
                    bindings = [*bindings, *_arbitrary(drawer, tool)]
                self._carry_out(environment, tool, bindings, invariants)
        environment.restore(start)
        environment.release(start)

    def _carry_out(
        self,
        environment: DomainEnvironment,
        tool: Tool,
        bindings: list[Binding],
        invariants: Invariants,
    ) -> None:
        done: Counter[str] = Counter()
        for binding in bindings:
            code = self._alone(binding)
            if code is None or done[code] >= EACH:
                continue
            done[code] += 1
            evidence = self.evidence.setdefault((tool.name, code), Evidence())
            snapshot = environment.snapshot()
            _note(environment, tool, binding.values, invariants, evidence)
            environment.restore(snapshot)
            environment.release(snapshot)

    def _alone(self, binding: Binding) -> str | None:
        """The one enforced rule that blocks a binding, if nothing else does but rules of the
        agent."""
        if any(code not in self.domain.rules for code in binding.blocked):
            return None
        enforced = [c for c in binding.blocked if self.domain.rules[c].by == "tool"]
        return enforced[0] if len(enforced) == 1 else None

    def report(self, findings: Findings) -> None:
        """Report the rules whose evidence contradicts itself."""
        domain = self.domain
        for (tool, code), evidence in self.evidence.items():
            if isinstance(domain, Composition) and code not in domain.cross_rules:
                continue  # the audit of its domain has looked at it
            if evidence.contradicts:
                text = (
                    f"blocks calls of {tool} that would break no invariant, beside such that would"
                )
                findings.add("agreement", code, text, self.domain.rules[code].line)


def _arbitrary(drawer: Drawer, tool: Tool) -> list[Binding]:
    cases = [drawer.wide(tool) for _ in range(ARBITRARY)]
    found = []
    for case in cases:
        if case is not None and case.values is not None:
            try:
                blocked = drawer.blockers(tool, case.values)
            except Exception:  # the walk reports a rule that raises
                continue
            found.append(Binding(tool, case.values, tuple(blocked)))
    return found


def _note(
    environment: DomainEnvironment,
    tool: Tool,
    values: Mapping[str, Any],
    invariants: Invariants,
    evidence: Evidence,
) -> None:
    """Run a body as if nothing forbade it, and note what it does to the invariants."""
    world = environment.world
    before = len(world.log)
    try:
        tool.run(world.db, dict(values))
        world.flush()
    except ToolError:
        return  # the body itself refuses
    except Exception:
        evidence.impossible = True
        return
    shape = frozenset(
        (change.table, change.op, column if change.op == "~" else "")
        for change in world.changes_since(before)
        for column in change.cells
    )
    holds = invariants.hold(world)
    (evidence.harmless if holds else evidence.broken).add(shape)
