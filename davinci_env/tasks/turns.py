"""Turns: the form of wish whose turn it is, so that each domain gives each form its share.

Forms drawn by chance alone come out as a domain's structure would have it: what is easy to find is
met often, what is rare is missed. So units take turns, by their number.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..planning.goals import Wanted
from .bench import Bench
from .drafts import Scene
from .fallbacks import fallback
from .followups import (
    FollowUp,
    further,
    further_denied,
    further_question,
    undo,
)
from .forms import Form, batch, chain, draw_writes, selection
from .protests import decline, second_choice


def thought_over(bench: Bench, wanted: Wanted) -> Scene:
    """A wish that is declined, or corrected, at the confirmation."""
    return bench.rng.choice((decline, second_choice))(bench, wanted)


further_act = further(draw_writes)
declined_later = further(thought_over)

FORMS: Mapping[str, Form] = {
    "batch": batch,
    "chain": chain,
    "correction": second_choice,
    "decline": decline,
    "fallback": fallback,
    "selection": selection,
}
"""What a request of writes can be like."""

LATER: Mapping[str, FollowUp] = {
    **{name: further(form) for name, form in FORMS.items()},
    "denied": further_denied,
    "question": further_question,
    "some": further_act,
    "undo": undo,
}
"""What can come after something that was done."""

OPENINGS = ("chain", "undo", "chain", "fallback", "chain", "undo", "batch")
"""How requests that change something take turns; with "undo", the next turn takes it back."""

LEADS = ("changed", "chain", "batch", "changed", "undo", "chain", "fallback")
"""How requests that change something and ask take turns: "changed" asks for what a chain changes,
the others follow an answer; with "undo", a further turn takes back what was done.
"""

FOLLOWING = (
    "undo", "decline", "fallback", "chain", "correction", "denied", "selection", "batch",
    "correction", "denied", "chain",
)  # fmt: skip
"""How what comes after something that was done takes turns. The lengths of these lists have nothing
in common with each other, nor with the step from one unit of a kind to the next.
"""

TRIED = 3
"""Forms that are tried, from the one whose turn it is, before anything goes."""


def opening(turn: int | None) -> str | None:
    """How a request whose turn this is begins; None where anything goes."""
    return None if turn is None else OPENINGS[turn % len(OPENINGS)]


def lead(turn: int | None) -> str | None:
    """What a question and a change whose turn this is are like; None where anything goes."""
    return None if turn is None else LEADS[turn % len(LEADS)]


def following(turn: int | None) -> list[FollowUp]:
    """What comes next where this turn is, the first choice first; nothing where anything goes."""
    if turn is None:
        return []
    return [LATER[FOLLOWING[(turn + place) % len(FOLLOWING)]] for place in range(TRIED)]
