"""How far an audit saw, and what it never saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..compose import Composition
from ..domain import Domain, Tool
from ..domain.frames import Creates, Deletes, Moves, Sets
from .report import Finding

COMMON_CODES = frozenset(("invalid_arguments",))


class Tally:
    """Counts what happened, by what has to happen at least once.

    Args:
        domain: the domain.
        known: keys of findings that are not looked for.
    """

    def __init__(
        self, domain: Domain, known: frozenset[tuple[str, str, str]] = frozenset()
    ) -> None:
        self.domain, self.known = domain, known
        self.counts: Counter[tuple[Any, ...]] = Counter()

    def note(self, *key: Any) -> None:
        """Count one event."""
        self.counts[key] += 1

    def seen(self, *key: Any) -> int:
        """How often an event was counted."""
        return self.counts[key]

    def wanted(self) -> Iterator[tuple[tuple[Any, ...], Finding]]:
        """Everything that a complete audit sees, with the finding if it does not."""
        for tool in self.domain.tools.values():
            yield from self._of_tool(tool)
        used = {rule.code for t in self.domain.tools.values() for rule in t.requires}
        for rule in self.domain.rules.values():
            if rule.code not in used:
                continue
            for verdict, text in ((True, "never held"), (False, "never blocked")):
                finding = Finding("rule-coverage", rule.code, text, rule.line)
                yield ("rule", rule.code, verdict), finding
            for part in rule.parts:
                for verdict, text in ((True, "never held"), (False, "never failed")):
                    said = f"{text} in its part {part.name}"
                    finding = Finding("rule-coverage", rule.code, said, rule.line)
                    yield ("part", rule.code, part.name, verdict), finding
        for entity in self.domain.entities.values():
            cycle = entity._info.lifecycle
            for state in cycle.states if cycle else ():
                text = f"state {state!r} was neither seeded nor reached"
                yield ("state", entity._info.name, state), Finding("state", entity._info.name, text)

    def _of_tool(self, tool: Tool) -> Iterator[tuple[tuple[Any, ...], Finding]]:
        yield ("ok", tool.name), Finding("never-succeeds", tool.name, "never succeeded", tool.line)
        if can_refuse(tool):
            finding = Finding("never-refuses", tool.name, "never refused", tool.line)
            yield ("refused", tool.name), finding
        for code in tool.errors:
            text = f"never raised its error {code}"
            yield ("code", tool.name, code), Finding("error-coverage", tool.name, text, tool.line)
        for code in sorted(expected_codes(tool)):
            text = f"never refused with {code}"
            yield ("code", tool.name, code), Finding("code-coverage", tool.name, text, tool.line)
        for parameter in tool.parameters:
            if not (parameter.required or parameter.implicit or parameter.name == "page"):
                text = f"never succeeded with its argument {parameter.wire}"
                finding = Finding("argument-coverage", tool.name, text, tool.line)
                yield ("given", tool.name, parameter.wire), finding
        for key, text in declared_changes(tool):
            finding = Finding("change-coverage", tool.name, f"was never seen to {text}", tool.line)
            yield ("change", tool.name, *key), finding

    def missing(self) -> list[tuple[tuple[Any, ...], Finding]]:
        """What was never seen. Of joined domains, what joining has to do with: the audit of each
        domain has seen the rest.
        """
        return [
            (key, finding)
            for key, finding in self.wanted()
            if not self.counts[key] and finding.key not in self.known and self._concerns(finding)
        ]

    def _concerns(self, finding: Finding) -> bool:
        """Whether a finding is for this audit to make."""
        domain = self.domain
        if not isinstance(domain, Composition):
            return True
        if finding.subject not in domain.affected:
            return False
        if finding.check == "change-coverage":
            return domain.tools[finding.subject].propagate is not None
        if finding.check not in ("code-coverage", "error-coverage", "argument-coverage"):
            return True
        return any(f" {code}" in finding.text for code in domain.cross_rules)

    def summary(self) -> dict[str, Any]:
        """Calls, and by kind how many of how many events were seen."""
        out: dict[str, Any] = {
            "calls": sum(n for key, n in self.counts.items() if key[0] == "call"),
            "succeeded": sum(n for key, n in self.counts.items() if key[0] == "ok"),
            "bindings": self.counts["bindings",],
        }
        kinds: dict[str, list[bool]] = {}
        for key, finding in self.wanted():
            kinds.setdefault(finding.check.replace("-", "_"), []).append(bool(self.counts[key]))
        names = {
            "never_succeeds": "tools_succeeded",
            "never_refuses": "tools_refused",
            "error_coverage": "errors_raised",
            "code_coverage": "codes_seen",
            "argument_coverage": "arguments_given",
            "change_coverage": "changes_seen",
            "rule_coverage": "verdicts_seen",
            "state": "states_seen",
        }
        for kind, events in kinds.items():
            out[names[kind]] = f"{sum(events)} of {len(events)}"
        return out


def expected_codes(tool: Tool) -> set[str]:
    """Derived codes that some state has to bring about.

    A wrong state at the end of a longer path may be ruled out by an invariant: a loan that is open
    has a copy on loan.
    """
    distant = {c.code for c in tool.preconditions if "." in c.path}
    near = {c.code for c in tool.preconditions if "." not in c.path}
    given = {f"{p.entity._info.noun}_not_found" for p in tool.parameters if p.entity and p.implicit}
    given -= {f"{e._info.noun}_not_found" for e in tool.entities.values() if not e._info.identity}
    return set(tool.codes - COMMON_CODES - set(tool.errors) - (distant - near) - given)


def can_refuse(tool: Tool) -> bool:
    """Whether a call with well-formed or unknown arguments can be refused."""
    return bool(tool.codes - COMMON_CODES) or bool(tool.binder.schema.get("properties"))


def declared_changes(tool: Tool) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Every change that a frame declares, piece by piece, with its words."""
    for position, item in enumerate(tool.frame):
        if isinstance(item, Moves):
            for source in item.source:
                yield (position, "from", source), f"find {item.path} in state {source!r}"
            for target in item.target:
                yield (position, "to", target), f"leave {item.path} in state {target!r}"
            if not item.stays and not set(item.target) <= set(item.source):
                yield (position, "moved"), f"move {item.path}"
        elif isinstance(item, Sets):
            for column in item.columns:
                name = f"{item.entity._info.name}.{column}"
                yield (position, column), f"change {name} at {item.path}"
        elif isinstance(item, Creates):
            yield (position, "+"), f"create a {item.entity._info.name}"
        elif isinstance(item, Deletes):
            gone = item.path or (item.entity._info.name if item.entity else "")
            yield (position, "-"), f"delete {gone}"
