"""Names: what several domains call alike is told apart, so that each name means one thing.

A tool, a rule's code, a helper, an entity or a form of ids that only one domain has keeps its name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..domain.domain import Domain
from ..domain.outcomes import Outcome
from ..domain.rules import Rule
from ..domain.tools import Tool
from ..errors import ContractError
from ..state import Entity
from ..state.keys import Counted, Hashed, Key

MOST = 40
"""Longest name of a tool, in characters."""


@dataclass
class Renaming:
    """The new names within one domain; what is not in it keeps its name."""

    tools: dict[str, str] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    helpers: dict[str, str] = field(default_factory=dict)

    def text(self, text: str) -> str:
        """A text in which tools are called by their new names where it quotes them."""
        for old, new in self.tools.items():
            text = re.sub(rf"`{old}`", f"`{new}`", text)
        return text

    def rule(self, rule: Rule) -> Rule:
        """A rule under its new code, which speaks of tools by their new names."""
        return replace(
            rule,
            code=self.codes.get(rule.code, rule.code),
            text=self.text(rule.text),
            governs=tuple(self._tool(name) for name in rule.governs),
            remedy=self._tool(rule.remedy) if rule.remedy else None,
            parts=tuple(
                replace(p, remedy=self._tool(p.remedy) if p.remedy else None) for p in rule.parts
            ),
        )

    def tool(self, tool: Tool, rules: Mapping[str, Rule]) -> None:
        """Give a tool its new name, and the rules it requires theirs."""
        tool.name = self._tool(tool.name)
        tool.text = self.text(tool.text)
        tool.requires = tuple(
            replace(rules[self.codes.get(r.code, r.code)], paths=r.paths) for r in tool.requires
        )
        tool.errors = {code: self.text(text) for code, text in tool.errors.items()}
        tool.outcome = self._outcome(tool.outcome)

    def _outcome(self, outcome: Outcome) -> Outcome:
        return replace(outcome, ask_first=tuple(self._tool(entry) for entry in outcome.ask_first))

    def names(self, tools: Iterable[str]) -> tuple[str, ...]:
        """Names of tools as they are now."""
        return tuple(self._tool(name) for name in tools)

    def _tool(self, name: str) -> str:
        return self.tools.get(name, name)


def renamings(parts: Sequence[Domain], own: Iterable[str], everywhere: bool) -> list[Renaming]:
    """The new names in each of the domains.

    Args:
        own: names of the composition's own tools.
        everywhere: whether all tools are called after their domain, not only those whose names
            clash.

    Raises:
        ContractError: two tools can't be told apart within the length that names may have.
    """
    taken = Counter([*own, *(name for part in parts for name in part._tools)])
    codes = Counter(code for part in parts for code in part.rules)
    helpers = Counter(name for part in parts for name in part.helpers)
    found = []
    for part in parts:
        clashing = [name for name in part._tools if everywhere or taken[name] > 1]
        prefix = _prefix(part.name, clashing, [other.name for other in parts])
        found.append(
            Renaming(
                {name: f"{prefix}__{name}" for name in clashing},
                {code: f"{part.name}__{code}" for code in part.rules if codes[code] > 1},
                {name: f"{part.name}__{name}" for name in part.helpers if helpers[name] > 1},
            )
        )
    return found


def unambiguous(changes: Sequence[Renaming]) -> dict[str, str]:
    """The new names of tools whose old name only one domain has: who says it means that one."""
    old = Counter(name for change in changes for name in change.tools)
    return {name: new for change in changes for name, new in change.tools.items() if old[name] == 1}


def _prefix(domain: str, tools: Sequence[str], domains: Sequence[str]) -> str:
    """What tools are called after: the domain's whole name, or as many of its words as there is
    room for.
    """
    longest = max((len(name) for name in tools), default=0)
    words = domain.split("_")
    others = [other for other in domains if other != domain]
    for count in range(len(words), 0, -1):
        prefix = "_".join(words[:count])
        fits = len(prefix) + 2 + longest <= MOST
        if fits and not any(other.startswith(prefix) for other in others):
            return prefix
    raise ContractError(
        f"tools of {domain} need its name before theirs, and together they are longer than "
        f"{MOST} characters",
        f"give {max(tools, key=len)} a shorter name",
    )


def tell_entities_apart(parts: Sequence[Domain]) -> None:
    """Call entities of the same name after their domain, and keep forms of ids apart."""
    names = Counter(name for part in parts for name in part.entities)
    starts = Counter(start for part in parts for start in _starts(part))
    for part in parts:
        tag = "".join(word[0] for word in part.name.split("_")).upper()
        for name, entity in list(part.entities.items()):
            if names[name] > 1:
                entity.__name__ = entity._info.name = _camel(part.name) + name
            start = _start(entity._info.key)
            if start is not None and starts[start] > 1:
                entity._info.key = _tagged(entity._info.key, tag)


def _starts(part: Domain) -> Iterable[str]:
    found = (_start(entity._info.key) for entity in part.entities.values())
    return {start for start in found if start is not None}


def _start(key: Key) -> str | None:
    """What the ids of an entity begin with; None for natural keys."""
    if isinstance(key, Counted):
        return key.pattern.partition("{")[0]
    return f"{key.prefix}#{key.length}" if isinstance(key, Hashed) else None


def _tagged(key: Key, tag: str) -> Key:
    if isinstance(key, Counted):
        return replace(key, pattern=f"{tag}-{key.pattern}")
    return replace(key, prefix=f"{tag.lower()}_{key.prefix}") if isinstance(key, Hashed) else key


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def entities_of(parts: Sequence[Domain]) -> dict[str, Entity]:
    """The entities of all domains by name."""
    return {e._info.name: e for part in parts for e in part.entities.values()}
