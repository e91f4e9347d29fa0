"""Rules: one clause of the policy each, as text, predicate, and the words in which a person hears
of it.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from ..errors import ContractError

Concepts = tuple[tuple[str, ...], ...]
"""Groups of words; a message names the rule when it hits every group."""

Bound = Mapping[str, Any]
"""A call's arguments by name (rows and values), with `db` and `log`."""


@dataclass(frozen=True)
class Part:
    """One named condition of a rule, with the wordings and concepts of its failure."""

    name: str
    holds: Callable[..., bool]
    because: tuple[str, ...] = ()
    concepts: Concepts = ()
    remedy: str | None = None
    offers: tuple[str, ...] = ()


def part(
    name: str,
    holds: Callable[..., bool],
    *,
    because: Sequence[str] = (),
    concepts: Sequence[Sequence[str]] = (),
    remedy: str | None = None,
    offers: Sequence[str] = (),
) -> Part:
    """Name one condition of a rule that a person may hear quoted."""
    return Part(name, holds, tuple(because), _concepts(concepts), remedy, tuple(offers))


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule.

    `by="tool"` is enforced with the rule's code; `by="agent"` is recorded when broken. `because`
    words why it forbids something, `offers` what a person could do about it.
    """

    code: str
    text: str
    predicate: Callable[..., bool]
    by: Literal["tool", "agent"] = "tool"
    kind: Literal["confirmation", "identification"] | None = None
    governs: tuple[str, ...] = ()
    because: tuple[str, ...] = ()
    concepts: Concepts = ()
    remedy: str | None = None
    parts: tuple[Part, ...] = ()
    offers: tuple[str, ...] = ()
    paths: Mapping[str, str] = field(default_factory=dict)
    line: int = 0

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """Names of the predicate's arguments."""
        return tuple(inspect.signature(self.predicate).parameters)

    def on(self, path: str | None = None, /, **paths: str) -> Rule:
        """Apply the rule to other rows than the arguments of its own names:

        `member_active.on("loan.member")`.
        """
        if path is not None:
            first = next((a for a in self.arguments if a not in ("db", "log")), None)
            if first is None:
                raise ContractError(f"Rule {self.code} has no argument to put {path!r} in.")
            paths = {first: path, **paths}
        return replace(self, paths={**self.paths, **paths})

    def rendered(self, render: Callable[[str], str]) -> Rule:
        """The rule with the constants of its text and concepts filled in."""

        def groups(concepts: Concepts) -> Concepts:
            return tuple(tuple(render(word) for word in group) for group in concepts)

        parts = tuple(replace(p, concepts=groups(p.concepts)) for p in self.parts)
        text = " ".join(render(self.text).split())
        return replace(self, text=text, concepts=groups(self.concepts), parts=parts)

    def compiled(self) -> Callable[[Bound], bool]:
        """A function of the bound arguments."""
        getters = [self._getter(name) for name in self.arguments]
        predicate = self.predicate
        if len(getters) == 1:
            (get,) = getters
            return lambda bound: predicate(get(bound))
        if len(getters) == 2:
            first, second = getters
            return lambda bound: predicate(first(bound), second(bound))
        return lambda bound: predicate(*[get(bound) for get in getters])

    def roots(self) -> frozenset[str]:
        """The call arguments that the rule depends on."""
        names = (self.paths.get(a, a).split(".")[0] for a in self.arguments)
        return frozenset(n for n in names if n not in ("db", "log"))

    def _getter(self, name: str) -> Callable[[Bound], Any]:
        path = self.paths.get(name, name)
        head, _, rest = path.partition(".")
        if not rest:
            return operator.itemgetter(head)
        follow = operator.attrgetter(rest)
        return lambda bound: follow(bound[head])

    def arguments_of(self, bound: Bound) -> dict[str, Any]:
        """The predicate's arguments as rows and values."""
        return {name: self._getter(name)(bound) for name in self.arguments}


def make_rule(
    predicate: Callable[..., bool],
    text: str,
    *,
    by: Literal["tool", "agent"],
    kind: Literal["confirmation", "identification"] | None,
    governs: Sequence[str],
    because: Sequence[str],
    concepts: Sequence[Sequence[str]],
    remedy: str | None,
    parts: Sequence[Part],
    offers: Sequence[str] = (),
) -> Rule:
    """Build a rule from its decorator. Raises ContractError for a rule that can't be meant so."""
    code = predicate.__name__
    if not text:
        raise ContractError(f"Rule {code} has no docstring: its text is the clause of the policy.")
    if kind is not None and by != "agent":
        raise ContractError(f"Rule {code}: a {kind} rule is obeyed by the agent; write by='agent'.")
    return Rule(
        code, text, predicate, by, kind, tuple(governs), tuple(because), _concepts(concepts),
        remedy, tuple(parts), tuple(offers), line=predicate.__code__.co_firstlineno,
    )  # fmt: skip


def _concepts(groups: Sequence[Sequence[str]]) -> Concepts:
    return tuple(tuple(group) for group in groups)
