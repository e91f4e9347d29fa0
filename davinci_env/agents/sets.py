"""Sets of rows in words: "open loans due by Friday, March 20"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..domain import Domain
from ..state import ColumnInfo, EntityInfo
from ..state.parking import parse_cell
from .speech import a, say_choice, say_near

_OPS = {
    "=": "",
    "!=": "other than",
    "<": "less than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
}
_DAYS = {"=": "on", "!=": "not on", "<": "before", "<=": "by", ">": "after", ">=": "from"}
_SUPERLATIVE = re.compile(
    r" (?:first|earliest|soonest|next|least|cheapest|lowest|longest ago|fewest)$"
)
_PLURAL_VERBS = (
    (re.compile(r"^(that|which)(?:'s| is) "), r"\1 are "),
    (re.compile(r"^(that|which) has "), r"\1 have "),
    (re.compile(r"^(that|which) was "), r"\1 were "),
    (re.compile(r"^(that|which) (\w{2,}[^s])s "), r"\1 \2 "),
)


def noun_of(info: EntityInfo, count: int | None = None) -> str:
    """What rows are called: "loans", "loan" for one."""
    return (info.noun if count == 1 else info.plural).replace("_", " ")


def rows_in_words(
    domain: Domain,
    info: EntityInfo,
    where: Mapping[str, Any],
    also: Sequence[Sequence[Any]] = (),
    count: int | None = None,
) -> str:
    """The rows of a set: "open loans", "loans due by Friday, March 20".

    Args:
        where: plain values that columns have.
        also: further conditions `[column, op, plain value]`.
        count: how many there are, if known.
    """
    before: list[str] = []
    after: list[str] = []
    for column, value in where.items():
        spec = info.columns[column]
        if spec.choices or spec.kind == "str":
            (after if is_phrase(value) else before).append(say_choice(value))
        else:
            after.append(condition(domain, info, spec, "=", value, many=count != 1))
    after += [
        condition(domain, info, info.columns[column], op, value, many=count != 1)
        for column, op, value in also
    ]
    return " ".join([*before, noun_of(info, count), *after])


def is_phrase(value: Any) -> bool:
    """Whether a choice stands behind a noun: "by video"."""
    return re.match(r"(?:by|on|in|at|with|for|from|under) ", say_choice(value)) is not None


def condition(
    domain: Domain, info: EntityInfo, spec: ColumnInfo, op: str, value: Any, *, many: bool = False
) -> str:
    """A condition that follows a noun: "that are due by Friday, March 20", "with an amount of more
    than $5.00". It leans on the entity's superlatives where they fit.

    Args:
        value: in plain form.
        many: the noun is a plural.
    """
    if spec.choices:
        return f"with the {spec.says} {_OPS[op]} {say_choice(value)}".replace("  ", " ")
    said = say_near(domain, spec.kind, parse_cell(info, spec.attribute, value))
    phrase = info.superlatives.get(spec.attribute, ("", ""))[0]
    stem = _SUPERLATIVE.sub("", phrase) if _SUPERLATIVE.search(phrase) else ""
    if many:
        stem = plural_verb(stem)
    if spec.kind in ("date", "datetime"):
        tail = f"{said} on" if op == ">=" else said
        if stem:
            return f"{stem} {_DAYS[op]} {tail}"
        return f"with {a(spec.says)} {_day(op)} {tail}"
    amount = f"{_OPS[op]} {said}".strip()
    if stem and phrase.endswith(" least"):
        return f"{stem} {amount}"
    return f"with {a(spec.says)} of {amount}"


def plural_verb(clause: str) -> str:
    """A relative clause about several: "that's due" → "that are due"."""
    for pattern, other in _PLURAL_VERBS:
        if pattern.search(clause + " "):
            return pattern.sub(other, clause + " ").rstrip()
    return clause


def _day(op: str) -> str:
    return {"=": "of", "!=": "other than", "<=": "up to"}.get(op, _DAYS[op])
