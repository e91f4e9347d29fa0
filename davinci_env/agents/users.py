"""The scripted user: told in full by the task record, so that a record alone replays the
conversation.

It reveals facts when asked, confirms a proposal whose details are its own, declines any other, and
ends the conversation when the agent has nothing more to ask. Completion is decided by the script.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..environment import Event
from ..records import Task
from .protocol import Turn

_CONFIRM = re.compile(
    r"\b(confirm|go ahead|proceed|shall i|should i|may i|"
    r"is (this|that|it) (right|correct|ok|okay|fine)|do you (want|agree|wish)|would you like me|"
    r"does that (sound|look|work)|agree|all right with you|ok with you|okay with you|"
    r"happy for me|is everything (right|correct)|are these details)\b",
    re.IGNORECASE,
)
_ANYTHING_ELSE = re.compile(
    r"\b(anything|something) else\b|\bfurther (help|questions)\b", re.IGNORECASE
)

YES = (
    "Yes, please go ahead.",
    "Yes, that's right, go ahead.",
    "That's correct, please do.",
    "Yes, please.",
)
NO = "No, that is not what I asked for."
UNSURE = "I'm not sure what you mean. I told you what I need."


class ScriptedUser:
    """Plays the user of one task.

    Args:
        task: its request holds the text, the facts and the plan.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.request = task.request
        self.patience = int(str(task.request.user.style.get("patience", 3)))
        self._told: set[str] = set(task.request.facts) - set(task.request.user.known)
        self._plan: Sequence[Mapping[str, Any]] = task.request.user.plan
        self._confirmed: list[Mapping[str, Any]] = []
        self._turns = 0

    def open(self) -> Turn:
        """The request, with the facts that it tells."""
        told = [self._reveal(name) for name in self.request.facts if name in self._told]
        return Turn(self.request.text, tuple(told))

    def heard(self, text: str) -> tuple[Event, ...]:
        """The facts that a message asks for."""
        return tuple(Event("asked", {"fact": name}) for name in self._asked(text))

    def reply(self, text: str) -> Turn | None:
        """Answer a question; end the conversation at anything else."""
        self._turns += 1
        if "?" not in text or self.patience <= 0:
            return None
        facts = [name for name in self._asked(text) if name not in self._told]
        proposals = self._proposed(text) if _CONFIRM.search(text) else []
        if facts:
            return self._tell(facts)
        if proposals:
            return self._confirm(proposals)
        repeated = self._asked(text)
        if repeated:
            self.patience -= 1
            return Turn(" ".join(self._words(name) for name in repeated))
        if _ANYTHING_ELSE.search(text):
            return None
        self.patience -= 1
        if _CONFIRM.search(text) and self._wishes():
            return Turn(NO, (Event("declined", {"tool": None, "arguments": {}}),))
        return Turn(UNSURE)

    def _tell(self, facts: Sequence[str]) -> Turn:
        self._told.update(facts)
        words = " ".join(self._words(name) for name in facts)
        return Turn(words, tuple(self._reveal(name) for name in facts))

    def _confirm(self, proposals: Sequence[Mapping[str, Any]]) -> Turn:
        events = []
        for wish in proposals:
            self._confirmed.append(wish)
            events.append(
                Event("confirmed", {"tool": wish["tool"], "arguments": wish["arguments"]})
            )
        return Turn(
            YES[(len(self.task.id) + int(self.task.id[:4], 16) + self._turns) % len(YES)],
            tuple(events),
        )

    def _wishes(self) -> list[Mapping[str, Any]]:
        return [item["wish"] for item in self._plan if "wish" in item]

    def _proposed(self, text: str) -> list[Mapping[str, Any]]:
        """The wishes whose every detail the message names."""
        lowered = text.casefold()
        return [
            wish
            for wish in self._wishes()
            if wish not in self._confirmed
            and all(any(str(m).casefold() in lowered for m in group) for group in wish["mentions"])
        ]

    def _asked(self, text: str) -> list[str]:
        """The facts of the user's that a message's questions are about."""
        if "?" not in text:
            return []
        questions = " ".join(re.findall(r"[^.!?\n]*\?", text)).casefold()
        if not questions:
            return []
        return [
            item["tell"]
            for item in self._plan
            if "tell" in item and any(_word(cue, questions) for cue in item["cues"])
        ]

    def _words(self, name: str) -> str:
        return next(str(item["text"]) for item in self._plan if item.get("tell") == name)

    def _reveal(self, name: str) -> Event:
        return Event("revealed", {"fact": name, "value": self.request.facts[name]})


def _word(cue: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(cue.casefold())}", text) is not None
