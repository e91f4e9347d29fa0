"""Names in snake case: of classes, of many, of one."""

from __future__ import annotations

import re


def snake(name: str) -> str:
    """`OrderLine` -> `order_line`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def plural_of(noun: str) -> str:
    """English plural of a snake-case noun."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def singular_of(plural: str) -> str:
    """The singular of an English plural in snake case; other words stay as they are."""
    if plural.endswith("ies"):
        return plural[:-3] + "y"
    if plural.endswith(("sses", "xes", "zes", "ches", "shes")):
        return plural[:-2]
    return plural[:-1] if plural.endswith("s") and not plural.endswith("ss") else plural
