"""Rules in words: whether a message names one rule of a domain and no other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..domain import Domain, Rule
from .answers import RuleVerdict, names_rule

Concepts = list[list[str]]


def rule_named(
    domain: Domain, code: str, concepts: Sequence[Sequence[str]], text: str
) -> RuleVerdict:
    """Judge whether a message declines and names this rule of a domain, by the concepts of the
    part that applies, and can't be taken to name another one.
    """
    others, own_text, other_texts = _rivals(domain, code)
    return names_rule(
        text,
        [list(group) for group in concepts],
        others=others,
        own_text=own_text,
        other_texts=other_texts,
    )


@lru_cache(maxsize=4096)
def _rivals(domain: Domain, code: str) -> tuple[dict[str, Concepts], str, dict[str, str]]:
    """The concepts of the rules that guard the same tools (and of their parts), this rule's text,
    and the texts of all other rules: free words can stand for a neighbour, a quotation for any.
    """
    others: dict[str, Concepts] = {}
    for rule in _neighbours(domain, code):
        parts = [(f"{rule.code}.{p.name}", p.concepts) for p in rule.parts]
        for name, groups in [(rule.code, rule.concepts), *parts]:
            if groups:
                others[name] = [list(group) for group in groups]
    texts = {rule.code: rule.text for rule in domain.rules.values()}
    return others, texts.pop(code), texts


def _neighbours(domain: Domain, code: str) -> list[Rule]:
    tools = [t for t in domain.tools.values() if any(r.code == code for r in t.requires)]
    codes = {r.code: None for tool in tools for r in tool.requires if r.code != code}
    return [domain.rules[c] for c in codes]
