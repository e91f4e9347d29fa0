"""Scripts: an episode as a list that can be edited and replayed without an agent or a user.

The meaning of the final message is kept beside its text, so that two outcomes can be compared
without asking the checker that is on trial.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..environment import CallEntry, DomainEnvironment, Event, Message
from ..records import AskedCheck, LookedUpCheck, Task
from ..state import plain

GOLDEN = "golden"
"""The meaning of the golden final message."""


@dataclass(frozen=True)
class Do:
    """A call of a script."""

    tool: str
    arguments: Mapping[str, Any]


Entry = Do | Message | Event


@dataclass(frozen=True)
class Script:
    """Entries in order, and what the last message means."""

    entries: tuple[Entry, ...]
    meaning: str = GOLDEN

    def without(self, drop: Callable[[Entry], bool]) -> Script:
        """The script without some entries."""
        return replace(self, entries=tuple(e for e in self.entries if not drop(e)))

    def insert_before_end(self, *entries: Entry) -> Script:
        """The script with entries before its final message."""
        head, last = self.split()
        return replace(self, entries=(*head, *entries, *last))

    def split(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """The entries before the final message, and the final message with what follows."""
        for i in range(len(self.entries) - 1, -1, -1):
            entry = self.entries[i]
            if isinstance(entry, Message) and entry.role == "assistant":
                return self.entries[:i], self.entries[i:]
        return self.entries, ()

    def saying(self, text: str, meaning: str) -> Script:
        """The script with another final message."""
        head, _ = self.split()
        return Script((*head, Message("assistant", text)), meaning)

    @property
    def final(self) -> str:
        """The text of the final message."""
        _, last = self.split()
        return last[0].text if last and isinstance(last[0], Message) else ""


def script_of(entries: Iterable[Any]) -> Script:
    """The script of a finished episode's log."""
    return Script(
        tuple(Do(e.tool, e.arguments) if isinstance(e, CallEntry) else e for e in entries)
    )


def perform(script: Script, environment: DomainEnvironment) -> None:
    """Replay a script from the environment's present state."""
    for entry in script.entries:
        if isinstance(entry, Do):
            environment.call(entry.tool, entry.arguments)
        else:
            environment.observe(entry)


Key = tuple[Any, ...]


def outcome_key(task: Task, script: Script, environment: DomainEnvironment) -> Key:
    """What an episode came to: state, broken rules, what was looked up and asked in time, what was
    told.
    """
    outcome = environment.capture()
    parts: list[Any] = [outcome.state_hash, tuple(sorted(outcome.violated)), script.meaning]
    for requirement in task.requirements:
        check = requirement.check
        if isinstance(check, LookedUpCheck):
            parts.append(_seen(check, environment))
        elif isinstance(check, AskedCheck):
            parts.append(_asked(check, environment.log.entries))
    return tuple(parts)


def _seen(check: LookedUpCheck, environment: DomainEnvironment) -> bool:
    """Whether the rows were shown, or the refusal met."""
    shown: set[tuple[str, str]] = set()
    for call in environment.log.calls():
        if call.code is not None and call.code == check.or_refused:
            wanted = check.refused
            if wanted is None or (
                call.tool == wanted.tool and wanted.arguments.items() <= call.arguments.items()
            ):
                return True
        shown.update(call.seen)
    return shown.issuperset((t, str(k)) for t, k in check.rows)


def _asked(check: AskedCheck, entries: Sequence[Any]) -> bool:
    """Whether the question came before the first write."""
    for entry in entries:
        if (
            isinstance(entry, Event)
            and entry.kind == "asked"
            and entry.subject.get("fact") == check.fact
        ):
            return True
        if isinstance(entry, CallEntry) and entry.writes and entry.ok:
            return False
    return False


__all__ = ["GOLDEN", "Do", "Entry", "Key", "Script", "outcome_key", "perform", "plain", "script_of"]
