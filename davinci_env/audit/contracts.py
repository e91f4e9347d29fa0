"""Static checks of contracts: rules and what they govern, frames and lifecycles, ids that nothing
reveals."""

from __future__ import annotations

import doctest
from collections.abc import Iterator

from ..domain import Domain, Tool
from ..domain.examples import failing_examples
from ..domain.frames import Creates, Deletes, Moves, Sets, entity_at
from ..domain.results import RecordShape
from ..errors import ContractError
from ..state import Entity
from .report import Findings
from .source import Code, Source


def check_contracts(domain: Domain, source: Source, findings: Findings) -> None:
    """All checks of this module."""
    _rules(domain, findings)
    _arcs(domain, findings)
    _reachable_ids(domain, findings)
    _hand_over(domain, findings)
    for tool in domain.tools.values():
        if tool.kind == "write":
            _frame(tool, findings)
            _states_said(tool, findings)
    _motives(domain, findings)
    for entity in domain.entities.values():
        if not list(entity.__table__.primary_key.columns):
            findings.add("no-key", entity._info.name, "the table has no primary key")
    for name in failing_examples(domain.helpers):
        findings.add("doctest", name, "has no worked example, or one that fails")
    for code in {c.name: c for c in [*source.running, *source.checking]}.values():
        if code.name not in domain.helpers and not example_holds(code):
            findings.add("doctest", code.name, "has a worked example that fails", code.node.lineno)


def _motives(domain: Domain, findings: Findings) -> None:
    """Situations and second thoughts name tools, concerns the reason of a hand-over."""
    said = [(s.text, s.leads_to) for s in domain.situations]
    said += [(t.text, t.about) for t in domain.second_thoughts]
    for text, tools in said:
        for name in tools:
            if name not in domain.tools:
                text = f"{text!r} is about {name!r}, which is no tool"
                findings.add("situation", domain.name, text)
    reasons = {
        choice
        for tool in domain.tools.values()
        if tool.handover
        for parameter in tool.parameters
        for choice in parameter.type.choices
    }
    wanted = [c.reason for c in domain.concerns]
    wanted += [] if domain.without_tool is None else [domain.without_tool]
    for reason in wanted:
        if reason not in reasons:
            findings.add("concern", domain.name, f"{reason!r} is no reason of a hand-over")


def has_example(code: Code) -> bool:
    """Whether a function's text has a worked example."""
    return ">>>" in (code.function.__doc__ or "")


def example_holds(code: Code) -> bool:
    """Whether every worked example of a function gives what it says."""
    if not has_example(code):
        return True
    runner = doctest.DocTestRunner(verbose=False)
    scope = dict(code.function.__globals__)
    for test in doctest.DocTestFinder(recurse=False).find(code.function, code.name, globs=scope):
        runner.run(test, out=lambda text: None)
    return not runner.failures


def users_of(domain: Domain, code: str) -> list[Tool]:
    """The tools that require a rule."""
    return [t for t in domain.tools.values() if any(r.code == code for r in t.requires)]


def _rules(domain: Domain, findings: Findings) -> None:
    """Every rule is used; what it governs and what requires it are the same, stated twice."""
    for rule in domain.rules.values():
        users = [tool.name for tool in users_of(domain, rule.code)]
        if not users:
            findings.add("unused-rule", rule.code, "is required by no tool", rule.line)
        for name in rule.governs:
            if name not in users:
                text = f"governs {name}, which does not require it"
                findings.add("governs", rule.code, text, rule.line)
        for name in users:
            if name not in rule.governs and (len(users) > 1 or rule.governs):
                text = f"guards {name} too, which its `governs` does not name"
                findings.add("governs", rule.code, text, rule.line)


def _arcs(domain: Domain, findings: Findings) -> None:
    """Every arc is moved by a tool or by the world, and no frame moves along an arc that doesn't
    exist."""
    moved: dict[str, set[tuple[str, str]]] = {}
    for tool in domain.tools.values():
        for item in tool.frame:
            if not isinstance(item, Moves) or (entity := _at(tool, item.path)) is None:
                continue
            info = entity._info
            if info.lifecycle is None:
                continue
            pairs = {(a, b) for a in item.source for b in item.target}
            moved.setdefault(info.name, set()).update(pairs)
            arcs = info.lifecycle.arcs
            for target in item.target:
                if target not in item.source and not any((a, target) in arcs for a in item.source):
                    text = f"moves {item.path} to {target!r} along no arc of its lifecycle"
                    findings.add("frame-arc", tool.name, text, tool.line)
            for source in item.source:
                keeps = not item.target or source in item.target
                if not keeps and not any((source, b) in arcs for b in item.target):
                    text = f"moves {item.path} from {source!r} along no arc of its lifecycle"
                    findings.add("frame-arc", tool.name, text, tool.line)
    for entity in domain.entities.values():
        cycle = entity._info.lifecycle
        if cycle is None:
            continue
        for a, b in sorted(cycle.arcs - cycle.outside - moved.get(entity._info.name, set())):
            findings.add("arc", entity._info.name, f"no tool moves {a!r} to {b!r}")


def _at(tool: Tool, path: str) -> Entity | None:
    try:
        return entity_at(tool.entities, path)[0]
    except ContractError:
        return None


def _frame(tool: Tool, findings: Findings) -> None:
    if not tool.frame:
        findings.add("frame", tool.name, "declares no change", tool.line)
    for item in tool.frame:
        path = None if isinstance(item, Creates) else item.path
        if path is None:
            continue
        try:
            entity, _ = entity_at(tool.entities, path)
        except ContractError as error:
            findings.add(
                "frame", tool.name, f"declares a change that leads nowhere: {error}", tool.line
            )
            continue
        info = entity._info
        if isinstance(item, Sets) and item.entity is not entity:
            text = f"sets columns of {item.entity._info.name} at {path}, where {info.name} rows are"
            findings.add("frame", tool.name, text, tool.line)
        if isinstance(item, Moves):
            states = set(info.lifecycle.states) if info.lifecycle else set()
            for state in {*item.source, *item.target} - states:
                text = f"names a state {state!r} that {info.name} does not have"
                findings.add("frame", tool.name, text, tool.line)


def _states_said(tool: Tool, findings: Findings) -> None:
    """A write that sets columns of a row with a lifecycle says in which states it may."""
    said = {item.path for item in tool.frame if isinstance(item, Moves)}
    for item in tool.frame:
        if isinstance(item, Sets) and item.path not in said:
            entity = _at(tool, item.path)
            single = entity is not None and entity_at(tool.entities, item.path)[1]
            cycle = entity._info.lifecycle if entity is not None else None
            if single and cycle is not None and len(cycle.states) > 1:
                text = f"sets columns of {item.path} without `moves` or `stays` for it"
                findings.add("unstated-state", tool.name, text, tool.line)


# -- what reads reveal -----------------------------------------------------------------------------


def shown_by(domain: Domain, tool: Tool) -> set[Entity]:
    """The entities whose rows a tool's result shows."""
    shape = tool.shape
    if isinstance(shape, RecordShape):
        shown = {t.entity for t in shape.fields.values() if t.entity is not None}
        return shown | {e for e in domain.entities.values() if e._info.pk in shape.fields}
    if shape.entity is None:
        return set()
    included = getattr(shape, "include", ())
    return {shape.entity, *(shape.entity._info.backs[a].child for a in included)}


def _ids_in(domain: Domain, entity: Entity) -> Iterator[Entity]:
    """The entities whose ids stand in a shown row: its own, those it refers to, those of its
    `shows`."""
    info = entity._info
    yield entity
    for reference in info.refs.values():
        if not info.columns[reference.column].hidden:
            yield reference.target
    by_pk = {e._info.pk: e for e in domain.entities.values()}
    for path in info.shows.values():
        last = path.split(".")[-1]
        if last in by_pk:
            yield by_pk[last]


def revealed(domain: Domain) -> tuple[set[Entity], set[Entity]]:
    """Entities whose ids a person or a read can give, and entities whose rows reads show.

    A person knows natural keys (a code, an ISBN) and whatever a look-up by a value needs.
    """
    known = {e for e in domain.entities.values() if not e._info.has_generated_key}
    shown: set[Entity] = set()
    reads = [t for t in domain.tools.values() if t.kind == "read"]
    grew = True
    while grew:
        before = len(known), len(shown)
        for tool in reads:
            needs = {
                p.entity for p in tool.parameters if p.entity and p.required and not p.implicit
            }
            if needs <= known:
                shown |= shown_by(domain, tool)
        known |= {found for entity in shown for found in _ids_in(domain, entity)}
        grew = (len(known), len(shown)) != before
    return known, shown


def _reachable_ids(domain: Domain, findings: Findings) -> None:
    known, _ = revealed(domain)
    for tool in domain.tools.values():
        for parameter in tool.parameters:
            entity = parameter.entity
            if entity is not None and not parameter.implicit and entity not in known:
                text = (
                    f"needs {parameter.wire}, and no read reveals the id of a {entity._info.noun}"
                )
                findings.add("unrevealed-id", tool.name, text.replace("_", " ", 0), tool.line)


def _hand_over(domain: Domain, findings: Findings) -> None:
    tools = [t for t in domain.tools.values() if t.handover]
    if not tools:
        findings.add("hand-over", domain.name, "has no hand-over to a person")
    for tool in tools:
        reason = next((p for p in tool.parameters if p.name == "reason"), None)
        if reason is None or not reason.type.choices:
            findings.add("hand-over", tool.name, "has no `reason` to choose from", tool.line)
        if not any(isinstance(item, Creates) for item in tool.frame):
            findings.add("hand-over", tool.name, "creates no record", tool.line)
        if any(isinstance(item, Deletes) for item in tool.frame):
            findings.add("hand-over", tool.name, "deletes records", tool.line)
