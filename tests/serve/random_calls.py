"""Random calls on a domain: mostly of the right shape, on rows that exist, some damaged."""

import random
from collections.abc import Iterator
from typing import Any

from davinci_env.domain import Parameter
from davinci_env.environment import DomainEnvironment

Call = tuple[str, dict[str, Any]]

_JUNK: list[Any] = [
    None, True, -1, 0, 2**70, 1.5, "", "x", "x" * 5000, "a\x00b", "naïve ☂ 𝔘", [], ["x"], {},
]  # fmt: skip


def random_calls(environment: DomainEnvironment, seed: int, n: int) -> Iterator[Call]:
    """Draw calls one at a time, with the ids that exist in `environment` when each is drawn.

    About a quarter are damaged: an argument missing, too many, or replaced by junk; an unknown
    tool.
    """
    rng = random.Random(seed)
    tools = list(environment.domain.tools.values())
    for _ in range(n):
        tool = rng.choice(tools)
        wanted = [p for p in tool.binder.parameters if not p.implicit]
        given = [p for p in wanted if p.required or rng.random() < 0.5]
        arguments = {p.wire: _value(environment, p, tool.binder.schema, rng) for p in given}
        yield _damage(tool.name, arguments, rng) if rng.random() < 0.25 else (tool.name, arguments)


def _damage(tool: str, arguments: dict[str, Any], rng: random.Random) -> Call:
    way = rng.randrange(4)
    if way == 0:
        return rng.choice([tool + "_", "", "reset", "x" * 300, tool.upper()]), arguments
    if way == 1:
        return tool, arguments | {rng.choice(["extra", "", "käse"]): rng.choice(_JUNK)}
    if arguments:
        name = rng.choice(sorted(arguments))
        if way == 2:
            return tool, {key: value for key, value in arguments.items() if key != name}
        return tool, arguments | {name: rng.choice(_JUNK)}
    return tool, {"extra": 1}


def _value(
    environment: DomainEnvironment, parameter: Parameter, schema: dict[str, Any], rng: random.Random
) -> Any:
    one = schema["properties"][parameter.wire]
    if not parameter.type.many:
        return _single(environment, parameter, one, rng)
    size = rng.randint(1, 3)
    return [_single(environment, parameter, one["items"], rng) for _ in range(size)]


def _single(
    environment: DomainEnvironment, parameter: Parameter, schema: dict[str, Any], rng: random.Random
) -> Any:
    entity, column = (parameter.entity, "id") if parameter.entity else parameter.like or (None, "")
    if entity is not None:
        rows = environment.world.all(entity)
        return getattr(rng.choice(rows), column) if rows else "none"
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "examples" in schema:
        return rng.choice(schema["examples"])
    low = int(schema.get("minimum", 0))
    return {
        "integer": rng.randint(low, min(int(schema.get("maximum", low + 2000)), low + 2000)),
        "number": float(rng.randint(low, low + 2000)),
        "boolean": rng.random() < 0.5,
        "string": rng.choice(["a", "the history", "please", "2026-03-18"]),
    }[schema["type"]]
