"""Openings: whether what a refusal could offer is plainly impossible, by what is known."""

from __future__ import annotations

from ..domain import Domain, Rule, Tool
from .belief import Unread
from .news import Values
from .phrases import failing_part

_UNKNOWN = (Unread, TypeError, ValueError, AttributeError, LookupError)
"""What a condition raises that can't do with what is known."""


def is_closed(domain: Domain, rule: Rule, context: Values) -> bool:
    """Whether the remedy of a rule is itself forbidden in this case. Nothing is looked up: what
    isn't known counts as no obstacle.

    Args:
        context: what the rule was given: the bound arguments, the records and the log.
    """
    try:
        part = failing_part(rule, context)
    except _UNKNOWN:
        part = None
    remedy = domain.tools.get((part.remedy if part is not None else None) or rule.remedy or "")
    if remedy is None or remedy.kind == "read":
        return False
    return _is_forbidden(remedy, context)


def _is_forbidden(tool: Tool, context: Values) -> bool:
    """Whether a state or a rule of a tool that rests on known arguments alone forbids it."""
    bound = {p.name: context[p.name] for p in tool.parameters if p.name in context}
    given = {**bound, "db": context.get("db"), "log": context.get("log")}
    for condition in tool.preconditions:
        try:
            row = condition.row(given)
            if row is not None and getattr(row, condition.column) not in condition.states:
                return True
        except _UNKNOWN:
            continue
    for _, holds, rule in (*tool.enforced, *tool.advisory):
        if rule.kind is not None or "log" in rule.arguments:
            continue
        try:
            if not holds(given):
                return True
        except _UNKNOWN:
            continue
    return False
