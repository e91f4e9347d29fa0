"""Static checks of what is said aloud: how rows are called, asked for and told of, what a write
reports and a refusal offers, and the motives.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator

from ..domain import Domain, Rule, Tool
from ..domain.declarations import leads
from ..domain.results import RecordShape
from ..state import Entity
from .report import Findings


def check_spoken(domain: Domain, findings: Findings) -> None:
    """All checks of this module."""
    for entity in domain.entities.values():
        _rows(entity, findings)
        _columns(entity, findings)
    for rule in domain.rules.values():
        _offers(domain, rule, findings)
    for tool in domain.tools.values():
        _reports(tool, findings)
        _asked_first(domain, tool, findings)
        _questions(tool, findings)
    _motives(domain, findings)


def _rows(entity: Entity, findings: Findings) -> None:
    """What a row is called by, and picked by, exists."""
    info = entity._info
    for text in info.called:
        for place in places(text):
            if not leads(entity, place.removeprefix("self.").split(".")):
                findings.add("called", info.name, f"is called by {{{place}}}, which leads nowhere")
    for column in info.superlatives:
        if column not in info.columns:
            findings.add("called", info.name, f"has superlatives of {column!r}, which is no column")


def _columns(entity: Entity, findings: Findings) -> None:
    """Clauses that ask for a column speak of `{it}` alone, sentences that tell it of `{value}`."""
    info = entity._info
    for name, spec in info.columns.items():
        subject = f"{info.name}.{name}"
        for text in spec.asks:
            if set(places(text)) - {"it"} or text.endswith(("?", ".")):
                said = f"asks {text!r}, which is no clause about {{it}}"
                findings.add("asks", subject, said)
        for text in spec.told:
            if "value" not in places(text) or set(places(text)) - {"it", "value"}:
                said = f"tells {text!r}, which has no {{value}}, or a place beside that and {{it}}"
                findings.add("told", subject, said)
            if text.endswith("."):
                findings.add("told", subject, f"tells {text!r} with a full stop")


def _offers(domain: Domain, rule: Rule, findings: Findings) -> None:
    """An offer is no question, and quotes what a refusal knows."""
    users = [t for t in domain.tools.values() if any(r.code == rule.code for r in t.requires)]
    for text in [*rule.offers, *(o for part in rule.parts for o in part.offers)]:
        if "?" in text:
            findings.add("offers", rule.code, f"offers {text!r}, which is a question", rule.line)
        for place in places(text):
            head = place.split(".")[0].split("[")[0]
            known = head in rule.arguments or any(
                head in {p.name for p in tool.parameters} for tool in users
            )
            if not known and not head.isupper():
                said = f"offers {{{place}}}, which is neither an argument nor a constant"
                findings.add("offers", rule.code, said, rule.line)


def _reports(tool: Tool, findings: Findings) -> None:
    """A report is a sentence that holds every value to quote, and knows all its places."""
    _differences(tool, findings)
    fields = {*_fields(tool), *tool.outcome.differences}
    for text in tool.outcome.says:
        found = places(text)
        for place in found:
            head, *path = place.split(".")
            entity = tool.entities.get(head)
            known = place in fields or (
                head in {p.name for p in tool.parameters}
                and (not path or (entity is not None and leads(entity, path)))
            )
            if not known:
                said = f"reports {{{place}}}, which is neither an argument nor a result"
                findings.add("says", tool.name, said, tool.line)
        for quote in tool.outcome.quotes:
            if quote not in found:
                said = f"reports {text!r}, which does not tell {quote}"
                findings.add("says", tool.name, said, tool.line)
        if not text.endswith((".", "!")):
            findings.add("says", tool.name, f"reports {text!r}, which is no sentence", tool.line)


def _fields(tool: Tool) -> set[str]:
    """What a result tells: the fields of a record, or a row's columns and what it shows."""
    if isinstance(tool.shape, RecordShape):
        return set(tool.shape.fields)
    entity = tool.shape.entity
    return set() if entity is None else {*entity._info.columns, *entity._info.shows}


def _differences(tool: Tool, findings: Findings) -> None:
    """The amounts that are worked out are of fields of the result, or at paths from arguments."""
    for name, sides in tool.outcome.differences.items():
        for path in sides:
            head, *rest = path.split(".")
            entity = tool.entities.get(head)
            if path not in _fields(tool) and not (entity is not None and leads(entity, rest)):
                said = f"works out {name} from {path}, which is neither a result nor an argument's"
                findings.add("says", tool.name, said, tool.line)


def _asked_first(domain: Domain, tool: Tool, findings: Findings) -> None:
    """What comes before a yes: reads that the arguments are enough for, and sentences over the
    arguments and the fields of these reads.
    """
    names = {p.name for p in tool.parameters}
    fields: set[str] = set()
    for name in tool.outcome.reads_first():
        read = domain.tools.get(name)
        if read is None or read.kind != "read":
            findings.add("ask_first", tool.name, f"reads {name!r}, which is no read", tool.line)
            continue
        fields |= _fields(read)
        missing = {p.name for p in read.parameters if p.required} - names
        if missing:
            said = f"reads {name!r}, which needs {', '.join(sorted(missing))}, no argument of its"
            findings.add("ask_first", tool.name, said, tool.line)
    for text in tool.outcome.told_first():
        for place in (place.removeprefix("no ") for place in places(text)):
            head, *path = place.split(".")
            entity = tool.entities.get(head)
            known = (
                place in fields
                or place.isupper()
                or (head in names and (not path or (entity is not None and leads(entity, path))))
            )
            if not known:
                said = f"tells {{{place}}} first, which is neither an argument nor a read's field"
                findings.add("ask_first", tool.name, said, tool.line)
        if not text.endswith((".", "!")):
            said = f"tells {text!r} first, which is no sentence"
            findings.add("ask_first", tool.name, said, tool.line)
    if tool.outcome.ask_first and tool.confirmation is None:
        said = "has something to tell before a yes, but needs none"
        findings.add("ask_first", tool.name, said, tool.line)


def _questions(tool: Tool, findings: Findings) -> None:
    """A question for an argument is one, and the argument exists."""
    names = {p.name for p in tool.parameters if not p.implicit}
    for name, texts in tool.asks.items():
        if name not in names:
            findings.add("asks", tool.name, f"asks for {name!r}, which is no argument", tool.line)
        for text in texts:
            if not text.endswith("?") or places(text):
                findings.add("asks", tool.name, f"asks {text!r}, which is no question", tool.line)


def _motives(domain: Domain, findings: Findings) -> None:
    """A motive is a sentence about tools that exist; a concern names a reason to hand over."""
    for situation in domain.situations:  # that its tools exist is checked elsewhere
        _sentence(domain, situation.text, findings)
    for thought in domain.second_thoughts:
        _sentence(domain, thought.text, findings)
        for name in thought.about:
            if name not in domain.tools:
                said = f"{thought.text!r} is about {name!r}, which is no tool"
                findings.add("motive", domain.name, said)
    reasons = set(_reasons(domain))
    for concern in domain.concerns:
        if concern.reason not in reasons:
            said = f"has a concern for {concern.reason!r}, which is no reason to hand over"
            findings.add("motive", domain.name, said)
        for text in concern.texts:
            _sentence(domain, text, findings)
        for text in [*concern.texts, *([concern.noted] if concern.noted else [])]:
            for place in places(text):
                if concern.about is None or not leads(concern.about, place.split(".")):
                    said = f"{text!r} speaks of {{{place}}}, which leads nowhere"
                    findings.add("motive", domain.name, said)


def _sentence(domain: Domain, text: str, findings: Findings) -> None:
    starts = text[:1].isupper() or text[:1] in ("{", '"')
    if not (starts and text.endswith((".", "!", "?"))):
        findings.add("motive", domain.name, f"{text!r} is no sentence")


def _reasons(domain: Domain) -> Iterator[str]:
    for tool in domain.tools.values():
        if tool.handover:
            for parameter in tool.parameters:
                yield from (str(choice) for choice in parameter.type.choices)


def places(text: str) -> list[str]:
    """The places of a template: `{loan.due_on:%B}` -> `loan.due_on`."""
    try:
        return [field for _, field, _, _ in string.Formatter().parse(text) if field]
    except ValueError:
        return []


def offered(rules: Iterable[Rule]) -> Iterator[tuple[str, str, int | None]]:
    """Offers of rules, as (code, text, line): numbers in them come from constants, too."""
    for rule in rules:
        for text in [*rule.offers, *(o for part in rule.parts for o in part.offers)]:
            yield rule.code, text, rule.line
