"""A domain as plain data, part by part, for `davinci show`."""

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from davinci_env.domain import Domain, Rule, Tool
    from davinci_env.state import EntityInfo

Part = Literal["policy", "tools", "records", "rules", "suite"]
PARTS: tuple[Part, ...] = get_args(Part)


def head(domain: "Domain") -> dict[str, Any]:
    """Return what identifies a domain, and its measure in figures."""
    tools = domain.tools.values()
    return {
        "name": domain.name,
        "version": domain.version,
        "content_hash": domain.content_hash,
        "category": domain.category,
        "role": domain.role,
        "access": domain.access,
        "now": domain.now.isoformat(),
        "tables": len(domain.entities),
        "reads": sum(tool.kind == "read" for tool in tools),
        "writes": sum(tool.kind == "write" for tool in tools),
        "enforced_rules": sum(rule.by == "tool" for rule in domain.rules.values()),
        "agent_rules": sum(rule.by == "agent" for rule in domain.rules.values()),
        "policy_words": len(domain.policy().split()),
    }


def part(domain: "Domain", name: Part) -> Any:
    """Return one part of a domain: the policy's text, a list of rows, or the suite's figures."""
    match name:
        case "policy":
            return domain.policy()
        case "tools":
            return [_tool(tool) for tool in domain.tools.values()]
        case "records":
            return [_record(entity._info) for entity in domain.entities.values()]
        case "rules":
            return [_rule(rule) for rule in domain.rules.values()]
        case "suite":
            return _suite(domain)


def _tool(tool: "Tool") -> dict[str, Any]:
    """Describe a tool as an agent sees it: the actor's own argument is not on the wire."""
    visible = [parameter for parameter in tool.parameters if not parameter.implicit]
    return {
        "tool": tool.name,
        "kind": tool.kind,
        "arguments": [parameter.wire for parameter in visible if parameter.required],
        "optional": [parameter.wire for parameter in visible if not parameter.required],
        "does": " ".join(tool.text.partition("\n\n")[0].split()),
    }


def _rule(rule: "Rule") -> dict[str, Any]:
    return {
        "rule": rule.code,
        "by": rule.by,
        "kind": rule.kind,
        "governs": list(rule.governs),
        "clause": rule.text,
    }


def _record(info: "EntityInfo") -> dict[str, Any]:
    return {
        "record": info.name,
        "is": " ".join(info.doc.split()),
        "columns": list(info.columns),
        "states": list(info.lifecycle.states) if info.lifecycle else [],
    }


def _suite(domain: "Domain") -> dict[str, Any]:
    """Count the frozen suite that ships with the domain; {} where there is none."""
    from davinci_env.records import Task, read_jsonl

    if domain.path is None or not domain.shipped:
        return {}
    file = domain.path.parent.parent.parent / "verifiers" / f"{domain.name}.jsonl"
    if not file.is_file():
        return {}
    reading = read_jsonl(file, Task)
    kinds = Counter(task.kind for task in reading.records)
    return {"tasks": len(reading.records), **dict(sorted(kinds.items()))}
