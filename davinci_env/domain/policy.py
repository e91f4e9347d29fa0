"""The policy document: derived from the declarations, so that it can't drift from the tools.

Every clause is a rule's text or a tool's description; what this module adds is order, headings and
the sentences that a contract implies (states, confirmations, who may be told what).
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from ..state import EntityInfo
from .frames import Creates, Deletes, entity_at
from .parameters import split_docstring
from .rules import Rule

if TYPE_CHECKING:
    from .domain import Domain
    from .tools import Tool


def document(domain: Domain) -> str:
    """The whole policy as Markdown."""
    parts = [opening(domain), *sections(domain), "## When a tool is missing", without_tool(domain)]
    return "\n\n".join(parts) + "\n"


def sections(domain: Domain) -> list[str]:
    """What the policy says of records, duties and operations, with headings."""
    tools = domain.tools
    writes = [t for t in tools.values() if t.kind == "write" and not t.handover]
    reads = [t for t in tools.values() if t.kind == "read"]
    handovers = [t for t in tools.values() if t.handover]
    parts = [
        "## Records",
        *[_record(entity._info) for entity in domain.entities.values()],
        "## Your own duties",
        *[_duty(domain, r) for r in domain.rules.values() if r.by == "agent"],
        *_shared_conditions(domain),
        "## What you can do",
        *[_operation(domain, t) for t in writes],
        "## Looking things up",
        "\n".join(_look_up(domain, t) for t in reads),
    ]
    if domain.helpers:
        parts += ["## How amounts and dates are worked out", *_computations(domain)]
    if handovers:
        parts += ["## Handing over", *[_operation(domain, t) for t in handovers]]
    return parts


def cross_clause(domain: Domain, rule: Rule) -> str:
    """A rule over several domains, with the tools that it governs."""
    if rule.by == "agent":
        return _duty(domain, rule)
    listed = ", ".join(f"`{t}`" for t in _tools_of(domain, rule))
    return f"**{_heading(rule.code)}.** {rule.text} This applies to {listed}."


def without_tool(domain: Domain) -> str:
    """What to do about a wish for whose operation the list of tools has none at the moment."""
    handovers = [t for t in domain.tools.values() if t.handover]
    text = (
        "Your list of tools can be shorter than this document: an operation may be out of order "
        "for a while. If a customer wants one that is not in your list, say which one you cannot "
        "carry out at the moment, and change nothing in its place."
    )
    if domain.without_tool is None or not handovers:
        return f"{text} Do not hand over for that reason. If it is listed later on, use it."
    reason, tool = domain.without_tool, handovers[0].name
    return f"{text} Then hand over with `{tool}` for the reason `{reason}`."


def opening(domain: Domain) -> str:
    """The title, whom the agent plays, the time, and what the business is."""
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
        way = "; from ".join(steps)
        start = _say(cycle.start)
        lines.append(f"{_a(name).capitalize()} starts as {start} and goes from {way}.")
    if info.owner is not None:
        owner = info.refs[info.owner].target._info.noun.replace("_", " ")
        lines.append(f"Each {name} belongs to one {owner}.")
    return " ".join(lines)


def _duty(domain: Domain, rule: Rule) -> str:
    tools = _tools_of(domain, rule)
    listed = ", ".join(f"`{t}`" for t in tools)
    where = f" This concerns {listed}; no system checks it for you." if tools else ""
    return f"**{_heading(rule.code)}.** {rule.text}{where}"


def _shared_conditions(domain: Domain) -> list[str]:
    """Enforced rules of several tools: each stands here once, and the operations name it."""
    lines = []
    for rule in domain.rules.values():
        tools = _tools_of(domain, rule)
        if rule.by == "tool" and len(tools) > 1:
            listed = ", ".join(f"`{t}`" for t in tools)
            lines.append(f"**{_heading(rule.code)}.** {rule.text} This applies to {listed}.")
    return ["## Conditions that several operations share", *lines] if lines else []


def _tools_of(domain: Domain, rule: Rule) -> list[str]:
    return [t.name for t in domain.tools.values() if any(r.code == rule.code for r in t.requires)]


def _operation(domain: Domain, tool: Tool) -> str:
    lines = [f"### {_heading(tool.name)} (`{tool.name}`)", _prose(tool.text)]
    enforced = list({r.code: r for r in tool.requires if r.by == "tool"}.values())
    eligible = [
        f"The {_at(c.path)} must be {' or '.join(_say(s) for s in sorted(c.states))}."
        for c in tool.preconditions
    ]
    shared = [r for r in enforced if len(_tools_of(domain, r)) > 1]
    eligible += [r.text for r in enforced if r not in shared]
    if shared:
        names = ", ".join(f"*{_heading(r.code).lower()}*" for r in shared)
        eligible.append(f"{'Besides, these' if eligible else 'These'} shared conditions: {names}.")
    if eligible:
        lines.append("*Eligibility.* " + " ".join(eligible))
    own = dict.fromkeys(r.code for r in tool.requires if r.by == "agent")
    if own:
        names = ", ".join(_heading(code).lower() for code in own)
        lines.append(f"*Before you call `{tool.name}`*, see to these duties of yours: {names}.")
    effects = [
        f"a new {_noun(c.entity._info)} record" for c in tool.frame if isinstance(c, Creates)
    ]
    effects += [
        f"the removal of {_a(_noun(_removed(tool, c)))} record"
        for c in tool.frame
        if isinstance(c, Deletes)
    ]
    if effects:
        lines.append(f"It may result in {', '.join(effects)}.")
    if tool.errors:
        lines.append("*Exceptions.* " + " ".join(tool.errors.values()))
    if tool.outcome.irreversible:
        lines.append(f"`{tool.name}` cannot be undone; say so beforehand.")
    return "\n\n".join(lines)


def _removed(tool: Tool, frame: Deletes) -> EntityInfo:
    entity = frame.entity or entity_at(tool.entities, str(frame.path))[0]
    info: EntityInfo = entity._info
    return info


def _look_up(domain: Domain, tool: Tool) -> str:
    scope = "" if not tool.public or tool.derived else " It shows the same to everybody."
    rules = {r.code: r for r in tool.requires if r.by == "tool"}.values()
    own = "".join(f" {r.text}" for r in rules if len(_tools_of(domain, r)) == 1)
    return f"- `{tool.name}`: {_prose(tool.text)}{scope}{own}"


def _computations(domain: Domain) -> list[str]:
    out = []
    for name, function in domain.helpers.items():
        text = split_docstring(function.__doc__ or "")[0].split(">>>")[0].strip()
        out.append(f"**{_heading(name)}.** {domain.render(text)}")
    return out


def _prose(text: str) -> str:
    """A description without its arguments, each paragraph on one line."""
    paragraphs = split_docstring(text)[0].split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


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
