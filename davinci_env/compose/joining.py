"""Joining: what each domain brings into a composition, under names that nothing else has there.

The domain's file was executed for this composition alone, so that its declarations may be changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ..domain.domain import Domain
from ..domain.motives import Concern, SecondThought, Situation
from ..domain.rules import Part, Rule
from ..domain.tools import Tool
from .names import Renaming

Fill = Callable[[str], str]
"""Fills the places of constants in a text."""


def rename(part: Domain, names: Renaming) -> None:
    """Give the tools, rules and helpers of a domain their names in the composition."""
    part.rules = {r.code: r for r in map(names.rule, part.rules.values())}
    for tool in part._tools.values():
        names.tool(tool, part.rules)
        tool.home, tool.names = part.name, names.tools
    part._tools = {tool.name: tool for tool in part._tools.values()}
    part.helpers = {names.helpers.get(n, n): f for n, f in part.helpers.items()}
    part.situations = [Situation(s.text, names.names(s.leads_to)) for s in part.situations]
    part.second_thoughts = [
        SecondThought(s.text, names.names(s.about)) for s in part.second_thoughts
    ]
    part.concerns = [replace(concern, home=part.name) for concern in part.concerns]
    part.intro = names.text(part.intro)


def fill_constants(part: Domain) -> None:
    """Fill the constants of a domain's own file into its texts: outside it they mean nothing."""
    fill = part.render_constants
    for tool in part._tools.values():
        _fill_tool(tool, fill)
    part.rules = {code: filled(rule, fill) for code, rule in part.rules.items()}
    part.situations = [replace(s, text=fill(s.text)) for s in part.situations]
    part.second_thoughts = [replace(s, text=fill(s.text)) for s in part.second_thoughts]
    part.concerns = [_filled_concern(c, fill) for c in part.concerns]


def _fill_tool(tool: Tool, fill: Fill) -> None:
    tool.ask = _each(tool.ask, fill)
    tool.asks = {name: _each(texts, fill) for name, texts in tool.asks.items()}
    tool.tells = {name: _each(texts, fill) for name, texts in tool.tells.items()}
    tool.requires = tuple(filled(rule, fill) for rule in tool.requires)
    tool.outcome = replace(
        tool.outcome,
        says=_each(tool.outcome.says, fill),
        ask_first=_each(tool.outcome.ask_first, fill),
    )


def filled(rule: Rule, fill: Fill) -> Rule:
    """A rule with the constants of its wordings filled in."""
    parts = tuple(_filled_part(p, fill) for p in rule.parts)
    because, offers = _each(rule.because, fill), _each(rule.offers, fill)
    return replace(rule, because=because, offers=offers, parts=parts)


def _filled_part(part: Part, fill: Fill) -> Part:
    return replace(part, because=_each(part.because, fill), offers=_each(part.offers, fill))


def _filled_concern(concern: Concern, fill: Fill) -> Concern:
    return replace(concern, texts=_each(concern.texts, fill), noted=fill(concern.noted))


def _each(texts: Iterable[str], fill: Fill) -> tuple[str, ...]:
    return tuple(fill(text) for text in texts)
