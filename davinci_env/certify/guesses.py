"""Arguments that nobody could know: what a solution uses must have been told or shown before."""

from __future__ import annotations

import re

import orjson

from ..domain import Parameter
from ..environment import DomainEnvironment, Event


def guessed_ids(environment: DomainEnvironment) -> list[str]:
    """Ids and texts of records in calls that neither a message nor an earlier result revealed."""
    revealed: list[str] = []
    guessed = []
    for entry in environment.log:
        if hasattr(entry, "text"):
            revealed.append(entry.text)
        elif isinstance(entry, Event):
            revealed.append(orjson.dumps(dict(entry.subject)).decode())
        else:
            tool = environment.domain.tools.get(entry.tool)
            known = "\n".join(revealed)
            for parameter in tool.parameters if tool else ():
                if parameter.wire not in entry.arguments or not _must_be_known(parameter):
                    continue
                value = entry.arguments[parameter.wire]
                keys = value if isinstance(value, list) else [value]
                guessed += [key for key in keys if not _stands_in(str(key), known)]
            revealed.append(entry.result.text)
    return guessed


def _must_be_known(parameter: Parameter) -> bool:
    """Whether nobody could come up with an argument's value: ids, and texts out of the records."""
    text = parameter.type.kind == "str" and not parameter.type.choices
    recorded = parameter.like is not None or parameter.wire == "cursor"
    return parameter.entity is not None or (text and recorded)


def _stands_in(key: str, text: str) -> bool:
    """Whether a text holds an id by itself, and not as a part of another."""
    return re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", text) is not None
