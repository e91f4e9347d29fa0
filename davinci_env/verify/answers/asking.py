"""Questions: whether a message asks for something, and about what."""

import re
from collections.abc import Sequence

from davinci_env.verify.answers.text import Text
from davinci_env.verify.answers.words import concept

_REQUESTS = re.compile(
    r"\b(?:please|kindly|just) (?:tell|give|let|provide|confirm|send|share|specify|state|choose"
    r"|pick)\b"
    r"|\b(?:let me know|tell me|could you|can you|may i (?:have|ask)|i'd like to know|what i need"
    r"|which of)\b"
    r"|\bi(?:'ll| will|'d| would)? (?:first |still |also )?need (?:to know|your|the)\b"
)
_COURTESY = re.compile(
    r"\b(?:anything else|something else|help you with|any other questions?|further questions?)\b"
)


def asks(text: str) -> bool:
    """Whether the message asks for something; "Anything else?" does not count."""
    return bool(_questions(Text(text)))


def asks_about(text: str, cues: Sequence[str]) -> bool:
    """Whether one of the message's questions is about a thing called by one of these cues."""
    read = Text(text)
    spans = [read.bounds(s) for s in _questions(read)]
    places = [place for cue in cues for place in read.places(concept(cue))]
    return any(a <= start and end <= b for start, end in places for a, b in spans)


def _questions(read: Text) -> list[int]:
    found = []
    for s in range(len(read.ends)):
        line = read.low(*read.bounds(s))
        if (line.endswith("?") or _REQUESTS.search(line)) and not _COURTESY.search(line):
            found.append(s)
    return found
