"""Environments of the shed, opened for a test."""

from typing import Any, Literal

from davinci_env.environment import DomainEnvironment
from tests.support.shed import shed


def opened(
    dialect: str = "plain",
    access: Literal["staff", "self_service"] = "staff",
    *,
    actor: str | None = None,
    seed: int = 0,
    scale: float = 1.0,
    **options: Any,
) -> DomainEnvironment:
    """A new environment on a new world of the shed."""
    domain = shed(dialect, access).domain
    world = domain.build(seed, scale)
    return DomainEnvironment(domain, world, actor, seed=seed, scale=scale, **options)
