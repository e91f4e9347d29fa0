"""Outcomes: what follows from a write, for the words about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Outcome:
    """What follows from a write, for the words about it: fields to quote, good or bad news, whether
    it is final, what to look up and tell before a yes to it. `differences` are further amounts to
    quote, each the first less the second.
    """

    quotes: tuple[str, ...] = ()
    mood: Literal["good", "bad", "neutral"] = "neutral"
    irreversible: bool = False
    ask_first: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    differences: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def told_first(self) -> list[str]:
        """The sentences among what comes before a yes."""
        return [entry for entry in self.ask_first if not entry.isidentifier()]

    def reads_first(self) -> list[str]:
        """The names of reads among what comes before a yes."""
        return [entry for entry in self.ask_first if entry.isidentifier()]


def outcome(
    *,
    quotes: Sequence[str] = (),
    mood: Literal["good", "bad", "neutral"] = "neutral",
    irreversible: bool = False,
    ask_first: Sequence[str] = (),
    says: Sequence[str] = (),
    differences: Mapping[str, tuple[str, str]] | None = None,
) -> Outcome:
    """Describe what a write leads to:

    `quotes` are result fields to tell, `says` sentences that report it, over arguments and result
    fields: `"{loan} is yours until {due_on}."`. `ask_first` has what comes before a yes is asked
    for: names of reads to make with the write's arguments, whose amounts and dates are told, and
    sentences to tell, over arguments and the fields of these reads. `differences` are amounts to
    tell that are worked out: `{"due": ("total", "paid")}`, of result fields or arguments' paths.
    """
    return Outcome(
        tuple(quotes), mood, irreversible, tuple(ask_first), tuple(says), dict(differences or {})
    )
