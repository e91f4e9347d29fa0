"""Registers: manners of speaking, and the choice of wordings in one of them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from .wordings_asking import ANY, Wordings

REGISTERS = ("plain", "warm", "brief", "formal")
"""Manners of speaking."""

USUAL = ("plain", "plain", "warm", "formal", "brief")
"""Manners as often as they are drawn."""

SHORT = 6
"""Words of a short wording."""

OWN = 0.7
"""How much nearer a manner's own wordings stand than everybody's: below 1."""


class Voice:
    """Draws wordings of one register, those used last only when nothing else is left.

    Args:
        register: one of REGISTERS; an unknown one speaks plainly.
        recent: the wordings used last.
    """

    def __init__(self, register: str, recent: Sequence[str] = ()) -> None:
        self.register, self.recent = register, recent

    def options(self, act: Wordings, rng: random.Random) -> list[str]:
        """The wordings of an act in an order drawn at random. Who speaks briefly uses but the short
        ones of everybody's, where there are brief ones.
        """
        own, shared = list(act.get(self.register, ())), list(act.get(ANY, ()))
        if self.register == "brief" and self.register in act:
            shared = [w for w in shared if len(w.split()) <= SHORT]
        weighed = [(rng.random() * (OWN if w in own else 1.0), w) for w in [*own, *shared]]
        return sorted((w for _, w in sorted(weighed)), key=lambda w: w in self.recent)
