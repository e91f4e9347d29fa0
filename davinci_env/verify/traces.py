"""What the log of an episode must show, and must not: look-ups, questions, proposals, order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..environment import CallEntry, Event, Message
from ..records import AskedCheck, Call, LookedUpCheck, OrderCheck, ProposedCheck
from .saying import Found


def judge_trace(check: Any, entries: Sequence[Any], begin: int) -> Found:
    """Judge a trace check.

    Args:
        entries: the log up to the turn's end.
        begin: where the turn begins in it.
    """
    if isinstance(check, LookedUpCheck):
        return _looked_up(check, entries)
    if isinstance(check, AskedCheck):
        return _asked(check, entries[begin:])
    if isinstance(check, ProposedCheck):
        return _proposed(check, entries[begin:])
    if isinstance(check, OrderCheck):
        return _in_order(check, entries)
    called = [e.tool for e in _succeeded(entries) if e.tool in check.tools]
    return not called, {"called": called}


def _proposed(check: ProposedCheck, entries: Sequence[Any]) -> Found:
    """The call was put to the user, who answered so."""
    subject = {"tool": check.tool, "arguments": check.arguments}
    answered = [e for e in entries if isinstance(e, Event) and e.kind == check.answer]
    return any(e.subject == subject for e in answered), {"proposed": check.tool}


def _succeeded(entries: Iterable[Any]) -> list[CallEntry]:
    return [e for e in entries if isinstance(e, CallEntry) and e.ok]


def _looked_up(check: LookedUpCheck, entries: Sequence[Any]) -> Found:
    """The rows were seen, or the refusal met, before the last message."""
    last = max((i for i, e in enumerate(entries) if _spoken(e)), default=len(entries))
    before = entries[:last]
    refused = [e for e in before if isinstance(e, CallEntry) and not e.ok]
    if any(e.code == check.or_refused and _is_call(e, check.refused) for e in refused):
        return True, None
    seen = {place for e in _succeeded(before) for place in e.seen}
    missing = [list(place) for place in check.rows if tuple(place) not in seen]
    return not missing and bool(check.rows), {"not_seen": missing}


def _spoken(entry: Any) -> bool:
    return isinstance(entry, Message) and entry.role == "assistant"


def _asked(check: AskedCheck, entries: Sequence[Any]) -> Found:
    for entry in entries:
        if isinstance(entry, CallEntry) and entry.ok and entry.writes:
            return False, {"fact": check.fact, "written": entry.tool}
        if (
            isinstance(entry, Event)
            and entry.kind == "asked"
            and entry.subject.get("fact") == check.fact
        ):
            return True, None
    return False, {"fact": check.fact, "asked": False}


def _is_call(entry: CallEntry, wanted: Call | None) -> bool:
    """Whether a call is the one wanted; arguments that are not listed may have any value."""
    if wanted is None:
        return True
    given = entry.arguments
    return entry.tool == wanted.tool and all(given.get(k) == v for k, v in wanted.arguments.items())


def _in_order(check: OrderCheck, entries: Sequence[Any]) -> Found:
    waiting = list(check.calls)
    for entry in _succeeded(entries):
        if waiting and _is_call(entry, waiting[0]):
            waiting.pop(0)
    return not waiting, {"missing": [c.tool for c in waiting]}
