"""Attacks by name. Each makes steps from a target; none may pass."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from tests.attacks.targets import Steps, Target

Harm = Literal["said", "done"]


@dataclass(frozen=True)
class Try:
    """Steps that must fail.

    `done`: only because of what they do, so that steps which come to the golden outcome by another
    way are no attack. `said`: whatever they come to.
    """

    steps: Steps
    harm: Harm = "said"


Attack = Callable[[Target], Iterator[Try]]

ATTACKS: dict[str, Attack] = {}


def attack(make: Attack) -> Attack:
    """Enter an attack into the list, by its name."""
    assert make.__name__ not in ATTACKS
    ATTACKS[make.__name__] = make
    return make
