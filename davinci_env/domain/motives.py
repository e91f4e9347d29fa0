"""Motives: what brings people here, what changes their minds, and what only a person can settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..state import Entity


@dataclass(frozen=True)
class Situation:
    """A sentence in the first person that leads to a wish for one of these tools."""

    text: str
    leads_to: tuple[str, ...]


@dataclass(frozen=True)
class SecondThought:
    """A sentence in the first person after which what these tools do is not wanted any more."""

    text: str
    about: tuple[str, ...]


@dataclass(frozen=True)
class Concern:
    """Sentences in the first person that call for a hand-over for this reason; `noted` is what is
    taken down of it, `home` the domain that it comes from, where several are joined.
    """

    reason: str
    texts: tuple[str, ...]
    about: Entity | None = None
    where: Mapping[str, Any] = field(default_factory=dict)
    noted: str = ""
    home: str = ""


class Motives:
    """The part of a domain in which its author declares them."""

    def __init__(self) -> None:
        self.situations: list[Situation] = []
        self.second_thoughts: list[SecondThought] = []
        self.concerns: list[Concern] = []

    def situation(self, text: str, *, leads_to: Sequence[str]) -> None:
        """Declare what brings a person here, and the tools that it leads to."""
        self.situations.append(Situation(text, tuple(leads_to)))

    def second_thought(self, text: str, *, about: Sequence[str]) -> None:
        """Declare why a person would take back, or not want after all, what these tools do."""
        self.second_thoughts.append(SecondThought(text, tuple(about)))

    def concern(
        self,
        reason: str,
        texts: Sequence[str],
        *,
        about: Entity | None = None,
        where: Mapping[str, Any] | None = None,
        noted: str = "",
    ) -> None:
        """Declare what a person says when only the hand-over for this reason will do.

        Args:
            about: the entity of the person's own row that the texts speak of, by paths from it.
            where: values of that row's columns that the texts take for granted.
            noted: what is taken down of it, said to the person behind "I've noted", with paths
                like those of the texts: "that you dispute the fine of {amount}".
        """
        self.concerns.append(Concern(reason, tuple(texts), about, dict(where or {}), noted))
