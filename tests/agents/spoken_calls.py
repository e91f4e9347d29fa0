"""News of the boat hire, for tests of what agents say."""

from collections.abc import Mapping
from typing import Any

from davinci_env.agents.phrases import concepts_of
from davinci_env.agents.speaker import (
    Declined,
    Did,
    Planned,
    Speaker,
)
from davinci_env.environment import DomainEnvironment
from tests.support.boats import Booking, domain

TOOLS = domain.tools


def speaker(seed: object = 0, register: str = "plain") -> Speaker:
    return Speaker(domain, str(seed), register=register)


def booking(hire: DomainEnvironment, key: str) -> Any:
    row = hire.world.get(Booking, key)
    assert row is not None
    return row


def planned(tool: str, **values: Any) -> Planned:
    return Planned(TOOLS[tool], values, frozenset(values))


def did(hire: DomainEnvironment, tool: str, arguments: Mapping[str, Any], **values: Any) -> Did:
    """A call that is really made."""
    result = hire.call(tool, arguments)
    assert result.ok
    return Did(TOOLS[tool], values, frozenset(values), result.content)


def declined(hire: DomainEnvironment, tool: str, code: str, **values: Any) -> Declined:
    rule = next(r for r in TOOLS[tool].requires if r.code == code)
    context = TOOLS[tool].context(values, hire.world.db, [], {})
    return Declined(
        TOOLS[tool], values, frozenset(values), rule, context, concepts_of(rule, context)
    )


# -- proposals -------------------------------------------------------------------------------------
