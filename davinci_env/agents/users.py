"""The scripted user: told in full by the task record, so that a record alone replays the
conversation.

It reveals facts when asked, puts a mistyped one right, confirms a proposal whose details are its
own, declines or corrects what the script says, and goes on to its next turn, or ends the
conversation, when the agent has nothing more to ask. Completion is decided by the script.
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
_NOT_FOUND = re.compile(
    r"\b(no|not|can't|cannot|couldn't|doesn't|isn't|unable)\b.*"
    r"\b(find|found|match|exist|account|record|recogni[sz]e|locate|entry|profile)\w*\b"
    r"|\b(typo|mistyped|misspell\w*|spell)\b",
    re.IGNORECASE | re.DOTALL,
)
_MOMENT = re.compile(
    r"\b(one moment|just a (moment|second)|let me (check|look|see|pull|find)"
    r"|i'll (check|look|just)|i will (check|look)|bear with me|please wait)\b",
    re.IGNORECASE,
)

MOMENT = 160
"""Up to so many characters, a message that asks for a moment says nothing else."""

YES = (
    "Yes, please go ahead.",
    "Yes, that's right, go ahead.",
    "That's correct, please do.",
    "Yes, please.",
    "Yes, that's right.",
    "Yes, do that, please.",
    "Yes, exactly like that.",
    "Yes, that's what I want.",
    "Right, please do.",
    "Yes, thank you.",
    "Yes, go ahead.",
    "Exactly, please go ahead.",
    "That's right, yes.",
    "Yes, all correct.",
    "Yes, I'd like that.",
    "Please do, yes.",
    "Yes, that's fine.",
    "I agree, please go ahead.",
)
NO = "No, that is not what I asked for."
WAITING = "Sure, take your time."
UNSURE = "I'm not sure what you mean. I told you what I need."


class ScriptedUser:
    """Plays the user of one task.

    Args:
        task: its request holds the text, the facts, the later turns and the plan.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.request = task.request
        self.patience = int(str(task.request.user.style.get("patience", 3)))
        self.turn = 0
        self._told: set[str] = set(task.request.facts) - set(task.request.user.known)
        self._plan: Sequence[Mapping[str, Any]] = task.request.user.plan
        self._mistyped = {str(item["mistyped"]): item for item in self._plan if "mistyped" in item}
        self._settled: list[Mapping[str, Any]] = []
        self._replies = 0

    def open(self) -> Turn:
        """The request, with the facts that it tells."""
        told = [self._reveal(name) for name in self.request.facts if name in self._told]
        return Turn(self.request.text, tuple(told))

    def heard(self, text: str) -> tuple[Event, ...]:
        """The facts that a message asks for."""
        return tuple(Event("asked", {"fact": name}) for name in self._asked(text))

    def reply(self, text: str) -> Turn | None:
        """Answer a question; at anything else go on to the next turn, or end the conversation."""
        self._replies += 1
        if self.patience <= 0:
            return None
        if "?" not in text:
            return self._wait(text) or self._next()
        return self._answer(text)

    def _answer(self, text: str) -> Turn | None:
        asked = self._asked(text)
        facts = [name for name in asked if name not in self._told]
        if facts:
            return self._tell(facts)
        wrong = [n for n in self._mistyped if n in asked or _NOT_FOUND.search(text)]
        if wrong:
            return self._put_right(wrong[0])
        proposals = self._proposed(text) if _CONFIRM.search(text) else []
        if proposals:
            return self._settle(proposals)
        if asked:
            self.patience -= 1
            return Turn(" ".join(self._words(name) for name in asked))
        if _ANYTHING_ELSE.search(text):
            return self._next()
        self.patience -= 1
        if _CONFIRM.search(text) and self._wishes():
            return Turn(NO, (Event("declined", {"tool": None, "arguments": {}}),))
        return Turn(UNSURE)

    def _wait(self, text: str) -> Turn | None:
        """Give the agent the moment that it asks for."""
        if len(text) > MOMENT or not _MOMENT.search(text):
            return None
        self.patience -= 1
        return Turn(WAITING)

    def _next(self) -> Turn | None:
        """The next turn of the script, if there is one."""
        if self.turn + 1 >= len(self.request.turns):
            return None
        self.turn += 1
        turn = self.request.turns[self.turn]
        return Turn(turn.text, (Event("turn", {"index": self.turn}),), turn.intents)

    # -- facts -------------------------------------------------------------------------------------

    def _tell(self, facts: Sequence[str]) -> Turn:
        self._told.update(facts)
        words = " ".join(self._words(name) for name in facts)
        return Turn(words, tuple(self._reveal(name) for name in facts))

    def _put_right(self, name: str) -> Turn:
        item = self._mistyped.pop(name)
        return Turn(str(item["text"]), (self._reveal(name),))

    def _asked(self, text: str) -> list[str]:
        """The facts of the user's that a message's questions are about."""
        if "?" not in text:
            return []
        questions = " ".join(re.findall(r"[^.!?\n]*\?", text)).casefold()
        if not questions:
            return []
        return [
            item["tell"]
            for item in self._now("tell")
            if any(_word(cue, questions) for cue in item["cues"])
        ]

    def _words(self, name: str) -> str:
        return next(str(item["text"]) for item in self._plan if item.get("tell") == name)

    def _reveal(self, name: str) -> Event:
        wrong = self._mistyped.get(name)
        value = self.request.facts[name] if wrong is None else wrong["value"]
        return Event("revealed", {"fact": name, "value": value})

    # -- proposals ---------------------------------------------------------------------------------

    def _now(self, what: str) -> list[Mapping[str, Any]]:
        """The items of the script that belong to this turn, or to any."""
        return [
            i
            for i in self._plan
            if what in i and (i.get("turn", 0) == self.turn or i.get("always"))
        ]

    def _wishes(self) -> list[Mapping[str, Any]]:
        return [item["wish"] for item in self._now("wish")]

    def _proposed(self, text: str) -> list[Mapping[str, Any]]:
        """The wishes whose every detail the message names."""
        lowered = text.casefold()
        return [
            wish
            for wish in self._wishes()
            if wish not in self._settled
            and all(any(str(m).casefold() in lowered for m in group) for group in wish["mentions"])
        ]

    def _settle(self, proposals: Sequence[Mapping[str, Any]]) -> Turn:
        """Say yes to proposals, or what the script says to one of them."""
        for wish in proposals:
            if wish.get("answer") == "declined":
                self._settled.append(wish)
                return Turn(str(wish["text"]), _declined(wish))
        self._settled.extend(proposals)
        events = [
            Event("confirmed", {"tool": wish["tool"], "arguments": wish["arguments"]})
            for wish in proposals
        ]
        place = len(self.task.id) + int(self.task.id[:4], 16) + self._replies
        return Turn(YES[place % len(YES)], tuple(events))


def _declined(wish: Mapping[str, Any]) -> tuple[Event, ...]:
    """No to a proposal; with a correction where the user wants another value of one argument."""
    no = Event("declined", {"tool": wish["tool"], "arguments": wish["arguments"]})
    if "correct" not in wish:
        return (no,)
    return no, Event("corrected", {"tool": wish["tool"], **wish["correct"]})


def _word(cue: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(cue.casefold())}", text) is not None
