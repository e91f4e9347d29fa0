"""Calls for an environment that nobody described: arguments drawn from schemas and from earlier
results.

What a result shows under a name (`loan_id`) may be given under that name, so reading leads to calls
that succeed. Nothing here is random, and nothing is learnt about meaning.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from .protocol import Environment, ToolSpec

Call = tuple[str, dict[str, Any]]
"""A tool's name and its arguments."""

MAX_TRIES = 24
"""Argument combinations tried of each tool."""

MAX_GOOD = 2
"""Succeeding calls kept of each tool."""

MAX_POOL = 6
"""Values kept under each name."""


def good_calls(environment: Environment) -> list[Call]:
    """Find calls that succeed from the start state, reads first; the environment is reset
    afterwards.
    """
    pools: dict[str, list[Any]] = {}
    kept: dict[str, list[Call]] = {}
    tools = sorted(environment.tools(), key=lambda t: not t.annotations.get("readOnlyHint", False))
    for _ in range(2):  # what the first round reads, the second may use
        for tool in tools:
            found = kept.setdefault(tool.name, [])
            for arguments in itertools.islice(_candidates(tool, pools), MAX_TRIES):
                if len(found) >= MAX_GOOD:
                    break
                environment.reset()
                result = environment.call(tool.name, arguments)
                if result.ok and (tool.name, arguments) not in found:
                    found.append((tool.name, arguments))
                    _harvest(result.content, pools)
    environment.reset()
    return [call for tool in tools for call in kept[tool.name]]


def bad_calls(tool: ToolSpec) -> Iterator[tuple[str, Any]]:
    """Arguments that the tool's own schema forbids, with what is wrong with each."""
    required = tool.parameters.get("required", ())
    sound = {
        name: _plain(spec)
        for name, spec in tool.parameters["properties"].items()
        if name in required
    }
    yield "an argument too many", {**sound, "surplus_of_the_conformance_kit": 1}
    for name in required:
        yield f"no {name}", {n: v for n, v in sound.items() if n != name}
    for name, spec in tool.parameters["properties"].items():
        yield f"null for {name}", {**sound, name: None}
        yield f"an object for {name}", {**sound, name: {"a": 1}}
        if spec.get("type") == "string":
            yield f"a number for {name}", {**sound, name: 7}
            if "enum" in spec or "maxLength" in spec:
                yield f"a huge text for {name}", {**sound, name: "x" * 100_000}
        elif spec.get("type") in ("integer", "number"):
            yield f"a text for {name}", {**sound, name: "seven"}
            yield f"a truth value for {name}", {**sound, name: True}


def _candidates(tool: ToolSpec, pools: Mapping[str, list[Any]]) -> Iterator[dict[str, Any]]:
    properties = tool.parameters["properties"]
    required = [name for name in properties if name in tool.parameters.get("required", ())]
    values = [_values(name, properties[name], pools) for name in required]
    for chosen in itertools.product(*values):
        yield dict(zip(required, chosen, strict=True))
    for name, spec in properties.items():
        if name not in required:
            for chosen in itertools.product(*values):
                for value in _values(name, spec, pools)[:2]:
                    yield {**dict(zip(required, chosen, strict=True)), name: value}


def _values(name: str, spec: Mapping[str, Any], pools: Mapping[str, list[Any]]) -> list[Any]:
    if spec.get("type") == "array":
        singular = name.removesuffix("s")
        return [[value] for value in _values(singular, spec["items"], pools)]
    known = pools.get(name, [])
    if not known and name.lower().endswith("id"):
        known = [v for key, found in pools.items() if key.lower().endswith("id") for v in found]
    sound = [_plain(spec)]
    if spec.get("type") in ("integer", "number") and "maximum" in spec:
        sound.append(spec["maximum"])
    return [*known, *[value for value in sound if value not in known]]


def _plain(spec: Mapping[str, Any]) -> Any:
    """One value that a property's schema allows."""
    for key in ("default", "const"):
        if key in spec:
            return spec[key]
    if spec.get("enum"):
        return spec["enum"][0]
    if spec.get("examples"):
        return spec["examples"][0]
    kind = spec.get("type")
    if kind == "array":
        return [_plain(spec.get("items", {"type": "string"}))]
    if kind in ("integer", "number"):
        return spec.get("minimum", 1)
    if kind == "boolean":
        return True
    return {} if kind == "object" else "text"[: spec.get("maxLength", 4)]


def _harvest(content: Any, pools: dict[str, list[Any]]) -> None:
    """Keep the scalars of a result under their names."""
    if isinstance(content, Mapping):
        for name, value in content.items():
            if isinstance(value, str | int | float) and not isinstance(value, bool):
                pool = pools.setdefault(str(name), [])
                if value not in pool and len(pool) < MAX_POOL:
                    pool.append(value)
            else:
                _harvest(value, pools)
    elif isinstance(content, list):
        for item in content:
            _harvest(item, pools)
