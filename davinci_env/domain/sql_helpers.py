"""Helpers in SQL: a domain's pure computations, callable from checks with SQLite's own values."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..state import parse_value, plain, read_annotation

if TYPE_CHECKING:
    from .domain import Domain

SqlHelper = tuple[int, Callable[..., Any]]
"""Number of arguments, and the function of SQL values."""


def sql_helpers(domain: Domain) -> dict[str, SqlHelper]:
    """The helpers whose arguments are all scalars, taking and giving what SQLite stores.

    Dates and times arrive as text and leave as text; helpers that take rows can't be called from
    SQL and are left out.
    """
    found = {name: _sql_helper(function) for name, function in domain.helpers.items()}
    return {name: helper for name, helper in found.items() if helper is not None}


def _sql_helper(function: Callable[..., Any]) -> SqlHelper | None:
    kinds = []
    hints = inspect.get_annotations(function)
    for name in inspect.signature(function).parameters:
        try:
            typed = read_annotation(hints[name])
        except (KeyError, TypeError):
            return None
        if typed.kind is None or typed.many:
            return None
        kinds.append(typed.kind)

    def call(*values: Any) -> Any:
        return plain(function(*map(parse_value, kinds, values)))

    return len(kinds), call
