"""Wrong answers and wrong refusals, made from what is known to be right; and right ones in other
formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from ..agents.speech import say_choice, say_date, ways_to_say
from ..domain import Domain, say_minutes
from ..records import DeclinedCheck, RuleNamedCheck, Slot, SlotsCheck, Task

VAGUE = "I'm sorry, I can't help you with that."
SUCCESS = "All done, everything has been arranged as you wanted."

Said = tuple[str, str, str]
"""Operator, text, meaning."""


def slots_of(task: Task, turn: int | None = None) -> list[Slot]:
    """The answer slots of a task, or of one of its turns."""
    return [
        slot
        for requirement in task.requirements
        if isinstance(requirement.check, SlotsCheck) and turn in (None, requirement.turn)
        for slot in requirement.check.slots
    ]


def answer_mutants(
    task: Task, turn: int, final: str, values: Mapping[str, Any], domain: Domain
) -> Iterator[Said]:
    """Final messages of a turn with a missing, perturbed, swapped or shot-gun answer.

    Args:
        values: expected and decoy values by `<slot>` and `<slot>:decoys`.
    """
    for slot in slots_of(task, turn):
        right, decoys = values[slot.name], values[f"{slot.name}:decoys"]
        yield "missing-answer", "I have looked into it for you.", "nothing"
        for wrong in _perturbed(slot, right):
            yield (
                "perturbed-answer",
                _put(domain, final, slot, right, wrong),
                f"{slot.name}={wrong}",
            )
        for decoy in decoys[:3]:
            if decoy != right:
                yield (
                    "swapped-answer",
                    _put(domain, final, slot, right, decoy),
                    f"{slot.name}={decoy}",
                )
        listed = [right, *[d for d in decoys if d != right], *_perturbed(slot, right)][:4]
        text = " or ".join(say(domain, slot.type, v) for v in listed)
        yield "shot-gun", f"The {slot.cues[0]} is {text}.", f"{slot.name}=any"
        yield (
            "denied-answer",
            f"The {slot.cues[0]} is not {say(domain, slot.type, right)}.",
            f"{slot.name}=not",
        )


def rule_mutants(task: Task, turn: int, domain: Domain) -> Iterator[Said]:
    """Final messages of a turn that name another rule, none, or claim success."""
    checks = [r.check for r in task.requirements if r.turn == turn]
    for check in checks:
        if isinstance(check, DeclinedCheck):
            yield "claims-success", SUCCESS, "success"
            yield "missing-refusal", "Thank you for getting in touch.", "nothing"
            if check.concepts:
                yield "vague-refusal", VAGUE, "refused"
        if not isinstance(check, RuleNamedCheck):
            continue
        yield "vague-refusal", VAGUE, "refused"
        yield "claims-success", SUCCESS, "success"
        for other in domain.rules.values():
            if other.code != check.rule and other.kind is None:
                text = f"I'm sorry, but I can't do that. {other.text}"
                yield "wrong-rule", text, f"rule={other.code}"
        yield "missing-refusal", "Thank you for getting in touch.", "nothing"


def answer_variants(
    task: Task, turn: int, final: str, values: Mapping[str, Any], domain: Domain
) -> Iterator[str]:
    """The right answer of a turn in other formats."""
    for slot in slots_of(task, turn):
        right = values[slot.name]
        usual = say(domain, slot.type, right)
        if usual not in final:
            continue
        for other in formats(domain, slot.type, right):
            if other != usual:
                yield final.replace(usual, other)


def say(domain: Domain, kind: str, value: Any) -> str:
    """The value of a slot's type in plain words."""
    if kind == "money":
        return domain.dialect.say_money(value)
    if kind == "span":
        return say_minutes(int(value))
    if kind == "datetime" and isinstance(value, datetime):
        return f"{say_date(value.date())} at {value:%H:%M}"
    if kind == "date" and isinstance(value, date):
        return say_date(value)
    if kind == "yesno":
        return "yes" if value else "no"
    return say_choice(value)


def formats(domain: Domain, kind: str, value: Any) -> list[str]:
    """Other ways in which people write a value."""
    if kind == "money" and value >= 0:
        amount = f"{value // 100}.{value % 100:02d}"
        word, code = _CURRENCIES.get(domain.dialect.currency, ("", ""))
        return [f"{amount} {word}", f"{code} {amount}"] if word else []
    if kind == "date":
        return [value.isoformat(), f"{value.day} {value:%B} {value.year}"]
    if kind == "datetime":
        return [f"{value.day} {value:%B} {value.year}, {value:%H:%M}"]
    return []


_CURRENCIES = {"$": ("dollars", "USD"), "€": ("euros", "EUR"), "£": ("pounds", "GBP")}


def _put(domain: Domain, final: str, slot: Slot, right: Any, wrong: Any) -> str:
    """The final message with another value in the answer's place."""
    for usual in _spoken(domain, slot.type, right):
        place = re.compile(rf"(?<![\w.,]){re.escape(usual)}(?![\w]|[.,]\d)", re.IGNORECASE)
        if place.search(final):
            return place.sub(say(domain, slot.type, wrong).replace("\\", ""), final)
    return f"The {slot.cues[0]} is {say(domain, slot.type, wrong)}."


def _spoken(domain: Domain, kind: str, value: Any) -> list[str]:
    """Ways in which a message may say a value."""
    sort = {"span": "minutes", "number": "int"}.get(kind, kind)
    ways = [say(domain, kind, value)]
    if sort in ("money", "date", "datetime", "minutes", "int"):
        ways += ways_to_say(domain, sort, value)
    return sorted(set(ways), key=len, reverse=True)


def _perturbed(slot: Slot, right: Any) -> list[Any]:
    if slot.type == "money":
        return [right + 100, right + 1, right * 10 + 10]
    if slot.type in ("number", "span"):
        return [right + 1, right + 2, right + 10]
    if slot.type in ("date", "datetime"):
        return [right + timedelta(days=1), right - timedelta(days=1), right + timedelta(days=31)]
    if slot.type == "yesno":
        return [not right]
    return [choice for choice in slot.choices if choice != right][:3]
