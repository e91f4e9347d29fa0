"""Consent: asking for the explicit yes that a call needs, and what to make of the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..domain.log import Event
from .inquiry import Inquiry, Steps, wire_arguments
from .news import Left
from .protocol import Say
from .talking import Talking
from .wishes import Judgement, Wish

ROUNDS = 4
"""How often a proposal is put, as long as the answers lead on."""


class Consent:
    """Asks for a yes before calls that need one.

    A no leaves a wish undone; a no that says what should be different is looked into by
    `reconsider`, and the new call needs a yes of its own.
    """

    def __init__(
        self,
        inquiry: Inquiry,
        judgement: Judgement,
        talking: Talking,
        reconsider: Callable[[Wish], Steps[None]],
    ) -> None:
        self.inquiry, self.judgement, self.talking = inquiry, judgement, talking
        self.reconsider = reconsider

    def is_given(self, wish: Wish) -> bool:
        """Whether a wish's call needs no yes, or has it."""
        assert wish.bound is not None
        if wish.tool.confirmation is None:
            return True
        return bool(self.judgement.context(wish.tool, wish.bound)["log"].confirmed())

    def ask(self, wishes: Sequence[Wish], *, exactly: bool = False) -> Steps[None]:
        """Ask once for all calls that need a yes; again for what a correction leaves.

        Args:
            exactly: name rows by their numbers too, because the first time was not understood.
        """
        for _ in range(ROUNDS):
            due = [w for w in wishes if w.is_open and w.bound is not None and not self.is_given(w)]
            if not due:
                return
            for wish in due:
                yield from self.judgement.look_up_first(wish)
            text = yield from self.talking.proposal(due, exactly=exactly)
            heard = len(self.inquiry.entries)
            yield Say(text)
            answers = [e for e in self.inquiry.entries[heard:] if isinstance(e, Event)]
            if not (yield from self._heed(due, answers)):
                return

    def _heed(self, due: Sequence[Wish], answers: Sequence[Event]) -> Steps[bool]:
        """Act on the answers; returns whether they settled or changed anything."""
        moved, declined = False, None
        changed: list[Wish] = []
        for event in answers:
            if event.kind == "confirmed":
                moved = True
            elif event.kind == "declined":
                declined = self._meant(due, event)
                if declined is not None:
                    moved = True
                    declined.outcome = "left"
                    declined.told = Left(declined.tool, declined.bound or {})
            elif event.kind == "corrected" and declined is not None:
                _correct(declined, event)
                changed += [] if declined in changed else [declined]
        for wish in changed:
            yield from self.reconsider(wish)
        return moved

    def _meant(self, due: Sequence[Wish], event: Event) -> Wish | None:
        """The wish that an answer is about."""
        for wish in due:
            if event.subject.get("tool") != wish.tool.name or wish.bound is None:
                continue
            mine, said = wire_arguments(wish.tool, wish.bound), event.subject["arguments"]
            keys = (set(mine) | set(said)) - wish.tool.free
            if all(mine.get(key) == said.get(key) for key in keys):
                return wish
        return None


def _correct(wish: Wish, event: Event) -> None:
    """Put another value into a wish, and open it again."""
    argument, value = str(event.subject["argument"]), event.subject["value"]
    wish.specs = {**wish.specs, argument: value}
    wish.outcome, wish.told, wish.bound = "open", None, None
    wish.notes.clear()
    wish.quoted.clear()
