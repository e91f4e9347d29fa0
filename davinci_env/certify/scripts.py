"""Scripts: an episode as a list that can be edited and replayed without an agent or a user.

The meaning of the final message is kept beside its text, so that two outcomes can be compared
without asking the checker that is on trial.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..environment import CallEntry, DomainEnvironment, Event, Message
from ..records import AskedCheck, LookedUpCheck, OrderCheck, ProposedCheck, Task

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
    """Entries in order, and what the final messages mean that are not the golden ones, by turn."""

    entries: tuple[Entry, ...]
    meanings: Mapping[int, str] = field(default_factory=dict)

    def without(self, drop: Callable[[Entry], bool]) -> Script:
        """The script without some entries."""
        return replace(self, entries=tuple(e for e in self.entries if not drop(e)))

    def insert_before_end(self, *entries: Entry, turn: int = -1) -> Script:
        """The script with entries before a turn's final message."""
        head, last = self.split(turn)
        return replace(self, entries=(*head, *entries, *last))

    @property
    def turns(self) -> list[int]:
        """Where each turn ends: the places of the later turns' events, and the script's end."""
        return [*(i for i, e in enumerate(self.entries) if is_turn(e)), len(self.entries)]

    def split(self, turn: int = -1) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """The entries before a turn's final message, and that message with what follows."""
        end = self.turns[turn]
        for i in range(end - 1, -1, -1):
            entry = self.entries[i]
            if is_turn(entry):
                break
            if isinstance(entry, Message) and entry.role == "assistant":
                return self.entries[:i], self.entries[i:]
        return self.entries[:end], self.entries[end:]

    def saying(self, text: str, meaning: str, turn: int = -1) -> Script:
        """The script with another final message in a turn."""
        head, rest = self.split(turn)
        said = isinstance(rest[0], Message) if rest else False
        after = rest[1:] if said else rest
        if turn < 0:
            turn += len(self.turns)
        meanings = {**self.meanings, turn: meaning}
        return Script((*head, Message("assistant", text), *after), meanings)

    def final(self, turn: int = -1) -> str:
        """The text of a turn's final message."""
        _, rest = self.split(turn)
        return rest[0].text if rest and isinstance(rest[0], Message) else ""


def is_turn(entry: Entry) -> bool:
    """Whether a later user turn begins here."""
    return isinstance(entry, Event) and entry.kind == "turn"


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


def outcome_key(
    task: Task, script: Script, environment: DomainEnvironment, hashes: tuple[str, ...] = ()
) -> Key:
    """What an episode came to: states, broken rules, what was looked up, asked and proposed in
    time, what was told.

    Args:
        hashes: of the state at the end of each turn (default: there is one, and it has ended).
    """
    violated = tuple(sorted({c for call in environment.log.calls() for c in call.violated}))
    hashes = hashes or (environment.capture().state_hash,)
    parts: list[Any] = [hashes, violated, meanings_of(script)]
    turns = _entries_by_turn(environment.log.entries)
    for requirement in task.requirements:
        check = requirement.check
        until = [e for turn in turns[: requirement.turn + 1] for e in turn]
        within = turns[requirement.turn] if requirement.turn < len(turns) else []
        if isinstance(check, LookedUpCheck):
            parts.append(_seen(check, until))
        elif isinstance(check, AskedCheck):
            parts.append(_asked(check, within))
        elif isinstance(check, ProposedCheck):
            parts.append(_proposed(check, within))
        elif isinstance(check, OrderCheck):
            parts.append(_ordered(check, until))
    return tuple(parts)


def meanings_of(script: Script) -> tuple[tuple[int, str], ...]:
    """What the final messages mean that aren't the golden ones, by turn."""
    return tuple(sorted((turn, m) for turn, m in script.meanings.items() if m != GOLDEN))


def _entries_by_turn(entries: Sequence[Any]) -> list[list[Any]]:
    turns: list[list[Any]] = [[]]
    for entry in entries:
        if is_turn(entry):
            turns.append([])
        turns[-1].append(entry)
    return turns


def _proposed(check: ProposedCheck, entries: Sequence[Any]) -> bool:
    """Whether the call was put to the user, who answered so."""
    return any(
        isinstance(e, Event)
        and e.kind == check.answer
        and e.subject == {"tool": check.tool, "arguments": check.arguments}
        for e in entries
    )


def _ordered(check: OrderCheck, entries: Sequence[Any]) -> bool:
    """Whether the calls succeeded in this order."""
    done = iter(e for e in entries if isinstance(e, CallEntry) and e.ok)
    return all(
        any(
            e.tool == wanted.tool and wanted.arguments.items() <= dict(e.arguments).items()
            for e in done
        )
        for wanted in check.calls
    )


def _seen(check: LookedUpCheck, entries: Sequence[Any]) -> bool:
    """Whether the rows were shown, or the refusal met."""
    shown: set[tuple[str, str]] = set()
    for call in (e for e in entries if isinstance(e, CallEntry)):
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
