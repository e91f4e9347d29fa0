"""What forbids a call, compiled: lifecycle preconditions and rules of one tool as straight-line
code.

A search over plans asks this hundreds of thousands of times a second, so nothing is looked up
twice: each path (`loan.member`) is followed once, and only when a condition needs it. The generated
text holds names that the contract has checked, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..state import Row
from .rules import Bound, Rule


@dataclass(frozen=True)
class Precondition:
    """A lifecycle precondition from the frame: the row at `path` must be in one of `states`.

    An absent row (an optional argument or reference) fulfils it.
    """

    path: str
    states: frozenset[str]
    code: str
    column: str
    noun: str
    row: Callable[[Mapping[str, Any]], Row | None]


@dataclass(frozen=True)
class Conditions:
    """The compiled conditions of a tool; each function takes the bound arguments.

    Attributes:
        first: number of the first condition that fails (preconditions, then enforced rules), or -1.
        blockers: codes of all failing preconditions; if there are none, of all failing enforced
            rules.
        broken: codes of the agent's own rules that fail.
    """

    first: Callable[[Bound], int]
    blockers: Callable[[Bound], list[str]]
    broken: Callable[[Bound], tuple[str, ...]]


def compile_conditions(
    name: str,
    preconditions: Sequence[Precondition],
    enforced: Sequence[Rule],
    advisory: Sequence[Rule],
) -> Conditions:
    """Compile the conditions of the tool called `name`."""
    writer = _Writer()
    first = writer.function("first")
    for number, condition in enumerate(preconditions):
        first += [*writer.fails(condition), f"        return {number}"]
    for number, rule in enumerate(enforced, len(preconditions)):
        first += [*writer.broken(rule), f"        return {number}"]
    first.append("    return -1")
    blockers = [*writer.function("blockers"), "    out = []"]
    for condition in preconditions:
        blockers += [*writer.fails(condition), f"        out.append({condition.code!r})"]
    if preconditions:
        blockers += ["    if out:", "        return out"]
    for rule in enforced:
        blockers += [*writer.broken(rule), f"        out.append({rule.code!r})"]
    blockers.append("    return out")
    broken = [*writer.function("broken"), "    out = ()"]
    for rule in advisory:
        broken += [*writer.broken(rule), f"        out += ({rule.code!r},)"]
    broken.append("    return out")
    scope = writer.scope
    text = "\n".join([*first, *blockers, *broken])
    exec(compile(text, f"<conditions of {name}>", "exec"), scope)
    return Conditions(scope["first"], scope["blockers"], scope["broken"])


class _Writer:
    """Writes the lines of one function after another; predicates and state sets go into `scope`."""

    def __init__(self) -> None:
        self.scope: dict[str, Any] = {}
        self.followed: dict[tuple[str, bool], str] = {}

    def function(self, name: str) -> list[str]:
        """Begin a function."""
        self.followed.clear()
        return [f"def {name}(bound):"]

    def fails(self, condition: Precondition) -> list[str]:
        """The lines up to the `if` that a failing precondition enters."""
        states = self._constant("states", condition.states)
        lines, row = self._follow(condition.path, safe=True)
        test = f"{row} is not None and {row}.{condition.column} not in {states}"
        return [*lines, f"    if {test}:"]

    def broken(self, rule: Rule) -> list[str]:
        """The lines up to the `if` that a broken rule enters."""
        predicate = self._constant("rule", rule.predicate)
        lines: list[str] = []
        values = []
        for argument in rule.arguments:
            more, value = self._follow(rule.paths.get(argument, argument), safe=False)
            lines += more
            values.append(value)
        return [*lines, f"    if not {predicate}({', '.join(values)}):"]

    def _constant(self, kind: str, value: Any) -> str:
        name = f"{kind}_{len(self.scope)}"
        self.scope[name] = value
        return name

    def _follow(self, path: str, safe: bool) -> tuple[list[str], str]:
        """Lines that follow a path, and the variable of its end; `safe` passes absent rows."""
        known = self.followed.get((path, safe))
        if known is not None:
            return [], known
        variable = f"v{len(self.followed)}"
        head, _, last = path.rpartition(".")
        if not head:
            lines = [f"    {variable} = bound[{last!r}]"]
        else:
            lines, start = self._follow(head, safe)
            variable = f"v{len(self.followed)}"
            value = f"{start}.{last}"
            if safe:
                value = f"None if {start} is None else {value}"
            lines.append(f"    {variable} = {value}")
        self.followed[path, safe] = variable
        return lines, variable
