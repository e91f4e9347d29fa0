"""Where a server's environments come from: the seed runs once, all start on its image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import orjson

from davinci_env.environment import DomainEnvironment, Environment, Log, Metadata, open_environment
from davinci_env.records import Task, Verdict
from davinci_env.state import World

Parked = Any
"""What is left of an environment while it stands idle; only the source that made it can read it."""


class EnvironmentSource(Protocol):
    """Makes environments for a server; all of them are alike at their start."""

    @property
    def metadata(self) -> Metadata:
        """Of every environment that `open` gives."""
        ...

    def open(self) -> Environment:
        """Return a new environment in the start state."""
        ...

    def open_for(self, task: Task) -> Environment:
        """Return a new environment in a task's start state, acting for the task's actor."""
        ...

    def judge(self, task: Task, environment: Environment) -> Verdict:
        """Judge what happened in an environment against a task, and leave it as it is."""
        ...

    def park(self, environment: Environment) -> Parked | None:
        """Fold up and close an idle environment, or return None where its kind can't be."""
        ...

    def resume(self, parked: Parked) -> Environment:
        """Unfold a parked environment: same state, same log."""
        ...


@dataclass(frozen=True)
class _Folded:
    change: bytes
    log: Log


class DomainSource:
    """Environments of one domain, one seed, one scale.

    Args:
        prototype: an environment in the start state; only its start image is kept, and it is
            closed.
    """

    def __init__(self, prototype: DomainEnvironment) -> None:
        self.metadata = prototype.metadata
        self._domain = prototype.domain
        self._image = prototype.world.image
        prototype.close()

    @classmethod
    def of(
        cls,
        name: str,
        *,
        seed: int = 0,
        scale: float = 1.0,
        actor: str | None = None,
        paths: Sequence[Path | str] = (),
        trust: bool = False,
        prefixes: bool = False,
    ) -> DomainSource:
        """Load a domain and build its world. Raises what `open_environment` raises."""
        return cls(
            open_environment(
                name,
                seed=seed,
                scale=scale,
                actor=actor,
                paths=paths,
                trust=trust,
                prefixes=prefixes,
            )
        )

    def open(self) -> DomainEnvironment:
        """Return a new environment in the start state."""
        known = self.metadata
        world = World(self._image.schema, self._image)
        return DomainEnvironment(
            self._domain, world, known.actor, seed=known.seed, scale=known.scale
        )

    def open_for(self, task: Task) -> DomainEnvironment:
        """Return a new environment in the task's start state.

        Raises:
            UsageError: the task's actor is nobody in this world.
        """
        from davinci_env.verify import appearing

        environment = self.open()
        environment.appearing = appearing(task, self._domain)
        if task.world.start_changes is not None:
            environment.start_from(orjson.dumps(task.world.start_changes))
        environment.act_for(task.actor)
        return environment

    def judge(self, task: Task, environment: Environment) -> Verdict:
        """Judge what happened in an environment against a task.

        Raises:
            DefectError: the task's requirements can't be evaluated.
        """
        from davinci_env.verify import judge

        assert isinstance(environment, DomainEnvironment)  # `open` gives no others
        return judge(task, environment)

    def park(self, environment: Environment) -> Parked | None:
        """Fold an environment into its net change; a wrapped one stays as it is."""
        if not isinstance(environment, DomainEnvironment):
            return None
        return _Folded(environment.park(), environment.log)

    def resume(self, parked: Parked) -> DomainEnvironment:
        """Unfold a parked environment on the start image."""
        return DomainEnvironment.resume(self._domain, self._image, parked.change, parked.log)
