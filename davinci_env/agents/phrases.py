"""Phrases of a domain that decide something: by which words a question is recognised, and of which
part of a rule a refusal has to speak.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

from ..domain import Parameter, Rule, Tool
from ..domain.rules import Part
from .news import Values
from .speech import says


def cues(tool: Tool, parameter: Parameter) -> list[str]:
    """Words by which a question about an argument is recognised: what it is called, and the
    questions that the domain has for it.
    """
    words = {says(tool, parameter), parameter.name.replace("_", " ")}
    if parameter.entity is not None:
        info = parameter.entity._info
        words |= {info.noun.replace("_", " "), info.plural.replace("_", " ")}
    for text in tool.asks.get(parameter.name, ()):
        words |= {q.strip() for q in re.findall(r"[^.!?\n]+(?=\?)", text)}
    return sorted(words)


_LIGHT = frozenset(
    [
        "have",
        "get",
        "take",
        "make",
        "give",
        "keep",
        "be",
        "ask",
        "put",
        "see",
        "let",
        "help",
        "want",
        "like",
        "need",
    ]
)
"""Verbs that say little of what is wanted."""


def names_of(tool: Tool) -> list[str]:
    """The words by which an operation is named: its name's, and the verbs of its ask phrases."""
    words = [word for word in tool.name.split("_") if len(word) > 3]
    firsts = [phrase.split(" ", 1)[0] for phrase in tool.ask]
    words += [w for w in firsts if len(w) > 2 and w.isalpha() and w not in _LIGHT]
    return list(dict.fromkeys(word.lower() for word in words))


def failing_part(rule: Rule, context: Values) -> Part | None:
    """The first part of a rule that fails, if the rule has parts."""
    return next((p for p in rule.parts if not _holds(p.holds, rule, context)), None)


def _holds(holds: Callable[..., bool], rule: Rule, context: Values) -> bool:
    own = rule.arguments_of(context)
    arguments = {**own, "db": context.get("db"), "log": context.get("log")}
    names = list(inspect.signature(holds).parameters)
    if any(n not in arguments for n in names):  # a part may name its argument as it likes
        given = [v for k, v in own.items() if k not in ("db", "log")]
        return bool(holds(*given[: len(names)]))
    return bool(holds(**{n: arguments[n] for n in names}))


def concepts_of(rule: Rule, context: Values) -> list[list[str]]:
    """The concept groups of the part of a rule that fails (or of the rule)."""
    failing = failing_part(rule, context)
    groups = failing.concepts if failing is not None and failing.concepts else rule.concepts
    return [list(group) for group in groups]
