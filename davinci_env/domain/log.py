"""The one ordered log of an episode: calls, messages and user events; and the view of it that a
rule may ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..state import Row, plain

EventKind = Literal["asked", "revealed", "proposed", "confirmed", "declined", "corrected", "turn"]


@dataclass(frozen=True)
class Message:
    """What somebody said."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True)
class Event:
    """What a message meant to the user: asked for or revealed a fact; proposed, confirmed, declined
    or corrected a call; began another turn.

    `subject` is `{"fact": name, "value": value}` for asked and revealed, `{"index": number}` for a
    turn, `{"tool": name, "arguments": {...}}` otherwise; a correction has `{"tool": name,
    "argument": wire name, "value": what it should be}`.
    """

    kind: EventKind
    subject: Mapping[str, Any]


@dataclass(slots=True)
class CallEntry:
    """One call with its result.

    `changes` are net changes in canonical form where the environment records them. Not frozen only
    because one is made for each call.
    """

    tool: str
    arguments: Mapping[str, Any]
    ok: bool
    code: str | None
    violated: tuple[str, ...]
    seen: tuple[tuple[str, str], ...]
    writes: bool
    result: Any = None
    changes: tuple[Any, ...] = ()


Entry = Message | Event | CallEntry


@dataclass
class Log:
    """Entries in order. Only the environment appends; restoring a snapshot cuts it back."""

    entries: list[Entry] = field(default_factory=list)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def calls(self) -> Iterator[CallEntry]:
        """The calls, in order."""
        return (e for e in self.entries if isinstance(e, CallEntry))

    def events(self, kind: EventKind | None = None) -> Iterator[Event]:
        """The user events, in order, of one kind if given."""
        return (
            e for e in self.entries if isinstance(e, Event) and (kind is None or e.kind == kind)
        )

    @property
    def turn(self) -> int:
        """The user turn that the conversation is in, counted from 0."""
        for entry in reversed(self.entries):
            if isinstance(entry, Event) and entry.kind == "turn":
                return int(entry.subject["index"])
        return 0

    @property
    def final_message(self) -> str:
        """The last thing the assistant said ("" if it said nothing)."""
        for entry in reversed(self.entries):
            if isinstance(entry, Message) and entry.role == "assistant":
                return entry.text
        return ""


class CallLog:
    """What a rule may ask of the log up to this call (`def confirmed(log: Log, ...)`)."""

    __slots__ = ("_arguments", "_entries", "_free", "_names", "_tool")

    def __init__(
        self,
        entries: list[Entry],
        tool: str,
        arguments: Mapping[str, Any],
        free: frozenset[str],
        names: Mapping[str, str],
    ) -> None:
        self._entries, self._tool, self._arguments, self._free = entries, tool, arguments, free
        self._names = names

    def confirmed(self) -> bool:
        """Whether the user confirmed exactly this call, and it was not carried out since.

        Free-text arguments (a note, a summary) need not be part of what was confirmed.
        """
        for entry in reversed(self._entries):
            if isinstance(entry, CallEntry):
                if entry.ok and entry.tool == self._tool and self._same(entry.arguments):
                    return False
            elif isinstance(entry, Event) and entry.subject.get("tool") == self._tool:
                if entry.kind == "confirmed" and self._same(entry.subject["arguments"]):
                    return True
                if entry.kind == "declined" and self._same(entry.subject["arguments"]):
                    return False
        return False

    def identified(self, person: Row, *attributes: str) -> bool:
        """Whether the user revealed the true value of each of these attributes of `person`."""
        revealed = {
            str(e.subject.get("value")).strip().casefold()
            for e in self._entries
            if isinstance(e, Event) and e.kind == "revealed"
        }
        return all(
            str(plain(getattr(person, a))).strip().casefold() in revealed for a in attributes
        )

    def called(self, tool: str, **arguments: Any) -> bool:
        """Whether this tool succeeded earlier in the episode, with these (wire) arguments."""
        tool = self._names.get(tool, tool)
        return any(
            isinstance(e, CallEntry)
            and e.ok
            and e.tool == tool
            and all(e.arguments.get(k) == v for k, v in arguments.items())
            for e in self._entries
        )

    def seen(self, row: Row) -> bool:
        """Whether an earlier result showed this row."""
        place = (row._info.table, row.id)
        return any(isinstance(e, CallEntry) and place in e.seen for e in self._entries)

    def _same(self, arguments: Mapping[str, Any]) -> bool:
        mine = self._arguments
        keys = (set(mine) | set(arguments)) - self._free
        return all(mine.get(k) == arguments.get(k) for k in keys)
