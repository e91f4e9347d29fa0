"""The policy document: derived from the declarations, so that it can't drift from the tools.

Every clause is a rule's text or a tool's description; what this module adds is order, headings and the sentences that a
contract implies (states, confirmations, who may be told what).
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from ..state import EntityInfo
from .frames import Creates, Deletes
from .parameters import split_docstring
from .rules import Rule

if TYPE_CHECKING:
    from .domain import Domain
    from .tools import Tool


def document(domain: Domain) -> str:
    """The whole policy as Markdown."""
    tools = domain.tools
    writes = [t for t in tools.values() if t.kind == "write" and not t.handover]
    reads = [t for t in tools.values() if t.kind == "read"]
    handovers = [t for t in tools.values() if t.handover]
    parts = [
        _opening(domain),
        "## Records",
        *[_record(entity._info) for entity in domain.entities.values()],
        "## Your own duties",
        *[_duty(domain, r) for r in domain.rules.values() if r.by == "agent"],
        "## What you can do",
        *[_operation(domain, t) for t in writes],
        "## Looking things up",
        "\n".join(_look_up(t) for t in reads),
    ]
    if domain.helpers:
        parts += ["## How amounts and dates are worked out", *_computations(domain)]
    if handovers:
        parts += ["## Handing over", *[_operation(domain, t) for t in handovers]]
    return "\n\n".join(parts) + "\n"


def _opening(domain: Domain) -> str:
    title = domain.name.replace("_", " ").capitalize()
    now = domain.now
    when = f"{now:%A}, {now.day} {now:%B %Y}, {now:%H:%M}"
    text = f"# {title}: policy\n\nYou are the {domain.role}. It is {when}."
    intro = inspect.cleandoc(domain.render(domain.intro))
    return f"{text}\n\n{intro}" if intro else text


def _record(info: EntityInfo) -> str:
    name = info.noun.replace("_", " ")
    lines = [f"**{name.capitalize()}.** {info.doc}"]
    cycle = info.lifecycle
    if cycle is not None:
        steps = []
        for state in cycle.states:
            targets = [b for a, b in sorted(cycle.arcs) if a == state]
            if targets:
                steps.append(f"{_say(state)} to {' or '.join(_say(t) for t in targets)}")
        lines.append(
            f"{_a(name).capitalize()} starts as {_say(cycle.start)} and goes from {'; from '.join(steps)}."
        )
    if info.owner is not None:
        owner = info.refs[info.owner].target._info.noun.replace("_", " ")
        lines.append(f"Each {name} belongs to one {owner}.")
    return " ".join(lines)


def _duty(domain: Domain, rule: Rule) -> str:
    tools = [t.name for t in domain.tools.values() if any(r.code == rule.code for r in t.requires)]
    listed = ", ".join(f"`{t}`" for t in tools)
    where = f" This concerns {listed}; no system checks it for you." if tools else ""
    return f"**{_heading(rule.code)}.** {rule.text}{where}"


def _operation(domain: Domain, tool: Tool) -> str:
    lines = [f"### {_heading(tool.name)} (`{tool.name}`)", split_docstring(tool.text)[0]]
    enforced = [r for r in tool.requires if r.by == "tool"]
    eligible = [
        f"The {_at(c.path)} must be {' or '.join(_say(s) for s in sorted(c.states))}."
        for c in tool.preconditions
    ]
    eligible += [r.text for r in enforced]
    if eligible:
        lines.append("*Eligibility.* " + " ".join(eligible))
    own = [r for r in tool.requires if r.by == "agent"]
    if own:
        names = ", ".join(_heading(r.code).lower() for r in own)
        lines.append(f"*Before you call `{tool.name}`*, see to these duties of yours: {names}.")
    effects = [
        f"a new {_noun(c.entity._info)} record" for c in tool.frame if isinstance(c, Creates)
    ]
    effects += [
        f"the removal of {_a(_noun(c.entity._info))} record"
        for c in tool.frame
        if isinstance(c, Deletes) and c.entity is not None
    ]
    if effects:
        lines.append(f"It may result in {', '.join(effects)}.")
    if tool.errors:
        lines.append("*Exceptions.* " + " ".join(tool.errors.values()))
    if tool.outcome.irreversible:
        lines.append(f"`{tool.name}` cannot be undone; say so beforehand.")
    return "\n\n".join(lines)


def _look_up(tool: Tool) -> str:
    scope = "" if not tool.public else " It shows the same to everybody."
    return f"- `{tool.name}`: {split_docstring(tool.text)[0]}{scope}"


def _computations(domain: Domain) -> list[str]:
    out = []
    for name, function in domain.helpers.items():
        text = split_docstring(function.__doc__ or "")[0].split(">>>")[0].strip()
        out.append(f"**{_heading(name)}.** {domain.render(text)}")
    return out


def _heading(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _say(state: str) -> str:
    return state.replace("_", " ")


def _noun(info: EntityInfo) -> str:
    return info.noun.replace("_", " ")


def _a(noun: str) -> str:
    """A noun with its indefinite article."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def _at(path: str) -> str:
    """`loan.copy` as "copy of the loan"."""
    return " of the ".join(reversed([p.replace("_", " ") for p in path.split(".")]))
