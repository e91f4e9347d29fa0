"""The policy document of a composition: the clauses that join the domains, then a section for each
domain.
"""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

from ..domain import policy

if TYPE_CHECKING:
    from .composition import Composition


def document(composition: Composition) -> str:
    """The whole policy as Markdown."""
    parts = [policy.opening(composition), "## Who is who", _people(composition)]
    if composition.links:
        parts += ["## What goes together", *_pairs(composition)]
    cross = [r for r in composition.rules.values() if r.code in composition.cross_rules]
    if cross:
        parts += ["## Rules that join the systems"]
        parts += [policy.cross_clause(composition, rule) for rule in cross]
    if composition.events:
        parts += ["## What one system does in another", *[e.text for e in composition.events]]
    for part in composition.parts:
        title = part.name.replace("_", " ").capitalize()
        intro = inspect.cleandoc(part.render(part.intro))
        parts += [f"## {title}", intro, *map(_deeper, policy.sections(part))]
    parts += ["## When a tool is missing", policy.without_tool(composition)]
    return "\n\n".join(text for text in parts if text) + "\n"


def _people(composition: Composition) -> str:
    """How the same person is known in each system."""
    said = []
    for part in composition.parts:
        noun = composition.roles.get(part.name, part.identity._info.noun.replace("_", " "))
        said.append(f"{noun} in {part.name.replace('_', ' ')}")
    column = composition.identity._info.columns[composition.shared].says
    return (
        f"The same person is {', '.join(said[:-1])} and {said[-1]}. It is the same person where "
        f"the {column} is the same. Each system identifies people by its own duties, which hold "
        "for what you do in that system."
    )


def _pairs(composition: Composition) -> list[str]:
    found = []
    for link in composition.links:
        tools = " and ".join(f"`{tool}`" for tool in link.readers.values())
        found.append(f"{link.entity._info.doc} Look it up with {tools}.")
    return found


def _deeper(section: str) -> str:
    """A section one level further down."""
    return re.sub(r"^(#+) ", r"#\1 ", section, flags=re.MULTILINE)
