"""What a declaration must be before anything is derived from it: names, options, paths.

An author's slip is told here, with its remedy, instead of as a failure of ours much later.
"""

from __future__ import annotations

import inspect
import re
import string
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any, get_args, get_type_hints

from ..errors import ContractError
from ..state import Entity
from .dialect import Dialect
from .rules import Rule

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


def check_header(name: Any, version: Any, today: Any, access: Any, dialect: Any) -> None:
    """Raise ContractError unless these can be arguments of `Domain(...)`."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ContractError(f"{name!r} is no name of a domain", "use snake case, as the file does")
    if type(version) is not int or version < 1:
        raise ContractError(f"version={version!r} counts nothing", "give a whole number from 1 on")
    if not isinstance(today, date):
        raise ContractError(f"today={today!r} is no time", "give a date or a datetime")
    _check_choice("access", access, ("staff", "self_service"))
    if dialect is not None:
        hints = get_type_hints(Dialect)
        for field in fields(dialect):
            _check_choice(field.name, getattr(dialect, field.name), get_args(hints[field.name]))


def _check_choice(name: str, value: Any, choices: tuple[Any, ...]) -> None:
    if choices and all(isinstance(choice, str) for choice in choices) and value not in choices:
        raise ContractError(f"there is no {name}={value!r}", f"choose from {', '.join(choices)}")


@contextmanager
def at_line(path: Path | None, line: int) -> Iterator[None]:
    """Say where a contract is broken, unless the error says it better."""
    try:
        yield
    except ContractError as error:
        error.line = line if error.line is None else error.line
        error.path = path if error.path is None else error.path
        raise


def check_governs(rule: Rule, tools: Container[str]) -> None:
    """Raise ContractError where a rule governs what is no tool."""
    for name in rule.governs:
        if name not in tools:
            raise ContractError(f"rule {rule.code} governs {name!r}, which is no tool")


def check_labels(entities: Iterable[Entity]) -> None:
    """Raise ContractError where a label quotes what its row does not have."""
    for entity in entities:
        for _, place, _, _ in string.Formatter().parse(entity._info.label):
            steps = (place or "").split(".")
            known = steps[0] in entity._info.columns if len(steps) == 1 else steps[0] == "self"
            if place and not (known and (len(steps) == 1 or leads(entity, steps[1:]))):
                raise ContractError(
                    f"the label of {entity.__name__} quotes {{{place}}}, which leads nowhere",
                    "quote a column, or a path from `self`",
                    line=_line_of(entity),
                )


def check_paths(tool: str, rule: Rule, entities: Mapping[str, Entity]) -> None:
    """Raise ContractError where a rule is applied to a path that leads nowhere.

    Args:
        entities: the entity of each argument of the tool that names a row.
    """
    for path in rule.paths.values():
        head, *steps = path.split(".")
        if steps and not (head in entities and leads(entities[head], steps)):
            raise ContractError(
                f"{tool} requires {rule.code} on {path!r}, which leads nowhere",
                "name an argument, and references from there on",
            )


def leads(entity: Entity, steps: Sequence[str]) -> bool:
    """Whether a path of references from an entity's row ends at a row or a column."""
    for number, step in enumerate(steps, 1):
        info = entity._info
        if step in info.refs:
            entity = info.refs[step].target
        elif step in info.backs:
            entity = info.backs[step].child
        else:
            return number == len(steps) and (step in info.columns or step == "id")
    return True


def _line_of(entity: Entity) -> int | None:
    try:
        return inspect.getsourcelines(entity)[1]
    except (OSError, TypeError):
        return None
