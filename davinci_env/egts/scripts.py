"""Scripts: an episode as entries that can be performed again, in whole or changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..environment import CallEntry, Event, Log, Message
from ..records import Step, encode
from .systems import SystemEnvironment


@dataclass(frozen=True)
class Do:
    """A call."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Tell:
    """What the agent says."""

    text: str


@dataclass(frozen=True)
class Hear:
    """What the user says; `turn` above 0 begins another turn."""

    text: str
    turn: int


Entry = Do | Tell | Hear
Script = tuple[Entry, ...]


def script_of(log: Log) -> Script:
    """The script of an episode that was played."""
    entries: list[Entry] = []
    turn = 0
    for entry in log:
        if isinstance(entry, CallEntry):
            entries.append(Do(entry.tool, dict(entry.arguments)))
        elif isinstance(entry, Event):
            turn = int(entry.subject["index"])
        elif isinstance(entry, Message):
            told = entry.role == "assistant"
            entries.append(Tell(entry.text) if told else Hear(entry.text, turn))
    return tuple(entries)


def script_of_steps(steps: Iterable[Step]) -> Script:
    """The script of an episode that was recorded."""
    entries: list[Entry] = []
    turn = 0
    for step in steps:
        if step.type == "call":
            entries.append(Do(step.tool or "", step.arguments or {}))
        elif step.type == "event":
            turn = int(str((step.event or {}).get("index", turn)))
        else:
            text = str(step.result)
            entries.append(Tell(text) if step.by == "agent" else Hear(text, turn))
    return tuple(entries)


def perform(script: Iterable[Entry], environment: SystemEnvironment) -> None:
    """Play a script on from where the environment stands."""
    for entry in script:
        if isinstance(entry, Do):
            environment.call(entry.tool, entry.arguments)
        else:
            for said in _messages(entry):
                environment.observe(said)


def log_of(script: Iterable[Entry], played: Log | None = None) -> Log:
    """The log that a script leaves, with the calls as they were played."""
    calls = iter(()) if played is None else played.calls()
    log = Log()
    for entry in script:
        if isinstance(entry, Do):
            log.entries.append(next(calls))
        else:
            log.entries += _messages(entry)
    return log


def _messages(entry: Tell | Hear) -> list[Message | Event]:
    if isinstance(entry, Tell):
        return [Message("assistant", entry.text)]
    begun = [Event("turn", {"index": entry.turn})] if entry.turn else []
    return [*begun, Message("user", entry.text)]


def calls_of(script: Script) -> list[int]:
    """Where the calls stand."""
    return [place for place, entry in enumerate(script) if isinstance(entry, Do)]


def final_of(script: Script, turn: int) -> tuple[int, str]:
    """Where the message that ends a turn stands, and its text; (-1, "") where there is none."""
    now = place = -1
    text = ""
    for number, entry in enumerate(script):
        if isinstance(entry, Hear):
            now = entry.turn
        elif isinstance(entry, Tell) and now == turn:
            place, text = number, entry.text
    return place, text


def without(script: Script, places: Sequence[int]) -> Script:
    """A script without these entries."""
    return tuple(entry for place, entry in enumerate(script) if place not in places)


def put(script: Script, place: int, *entries: Entry) -> Script:
    """A script with other entries in one's place."""
    return (*script[:place], *entries, *script[place + 1 :])


def trace_of(environment: SystemEnvironment) -> bytes:
    """What an episode showed and led to: equal episodes have equal traces."""
    shown = [[c.tool, c.arguments, c.result.content] for c in environment.log.calls()]
    return encode([environment.state_hash, shown], canonical=True)
