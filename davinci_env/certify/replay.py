"""Replaying many scripts that begin alike: each goes on from where it parts from the golden one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..environment import DomainEnvironment
from .scripts import Entry, Script, is_turn, perform

Named = tuple[str, Script]
"""What was changed in a script, and the script."""

Stop = Callable[[], bool]
"""Asked when a turn ends: whether the rest of the script can be left out."""


def shared(golden: Sequence[Entry], entries: Sequence[Entry]) -> int:
    """How many entries two scripts share at their beginning."""
    places = zip(golden, entries, strict=False)
    return next(
        (place for place, (own, other) in enumerate(places) if own is not other),
        min(len(golden), len(entries)),
    )


class Replay:
    """Plays variants of a golden script on one environment.

    Args:
        start: snapshot of the environment's start.
        stop: asked after each turn that ends in a variant, to leave the rest out.
    """

    def __init__(
        self, golden: Script, environment: DomainEnvironment, start: Any, stop: Stop
    ) -> None:
        self._golden, self._environment, self._stop = golden.entries, environment, stop
        self._marks: list[tuple[int, Any]] = [(0, start)]

    def play_all(self, scripts: Iterable[Named]) -> Iterator[Named]:
        """Play scripts, those first that part last from the golden one, so that what they share is
        played once; each is given back when it was played, for the caller to judge.
        """
        parting = [(shared(self._golden, script.entries), name, script) for name, script in scripts]
        parting.sort(key=lambda one: -one[0])
        self._return(0)
        for place in sorted({one[0] for one in parting}):
            self._reach(place)
        for place, name, script in parting:
            self._return(place)
            self._play(script.entries[place:])
            yield name, script
        self._return(0)

    def _reach(self, place: int) -> None:
        """Go on in the golden script, and keep the state there."""
        begin, _ = self._marks[-1]
        if place > begin:
            perform(Script(self._golden[begin:place]), self._environment)
            self._marks.append((place, self._environment.snapshot()))

    def _return(self, place: int) -> None:
        """Return to the state that was kept at a place; those of later places are gone then."""
        while self._marks[-1][0] > place:
            self._marks.pop()
        self._environment.restore(self._marks[-1][1])

    def _play(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            perform(Script((entry,)), self._environment)
            if is_turn(entry) and self._stop():
                return
