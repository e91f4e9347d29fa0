"""Who holds which environment, and for how long.

An environment is bound to an owner (a bearer token, or the loopback callers together) and named by
a secret id. Idle environments are parked as a few bytes and come back on the next use; private ones
end when their lease runs out. No sleeping and no tasks here: the clock is given, and whoever serves
calls `sweep` now and then.
"""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from davinci_env.environment import Environment, Snapshot
from davinci_env.serve.refusal import Refusal, unknown_environment
from davinci_env.serve.source import EnvironmentSource, Parked

LEASE_SECONDS = 1800.0
PARK_SECONDS = 60.0
MAX_ENVIRONMENTS = 1000


@dataclass(eq=False)
class Lease:
    """One environment in somebody's hands.

    Attributes:
        id: 128 random bits in hex.
        owner: the name of the token (or of the loopback callers) that it is bound to.
        private: made by request; ends with its lease. An owner's default environment never ends.
        opened_at: when it was made, in the clock's seconds.
        used_at: when it was last used, in the clock's seconds.
        keeps_live: what it holds beside state and log, such as a task's start, parking would lose.
        snapshots: the operator's snapshots by name, oldest first.
    """

    id: str
    owner: str
    private: bool
    opened_at: float
    used_at: float
    keeps_live: bool = False
    live: Environment | None = None
    parked: Parked | None = None
    snapshots: dict[str, Snapshot] = field(default_factory=dict)
    snapshots_taken: int = 0


class Leases:
    """All environments of one server.

    Args:
        source: makes, parks and resumes environments.
        lease_seconds: how long an unused private environment lives.
        park_seconds: how long an unused environment stays unfolded in memory.
        max_environments: how many private environments there may be at once, parked ones included.
        clock: a monotonic clock in seconds.
    """

    def __init__(
        self,
        source: EnvironmentSource,
        *,
        clock: Callable[[], float],
        lease_seconds: float = LEASE_SECONDS,
        park_seconds: float = PARK_SECONDS,
        max_environments: int = MAX_ENVIRONMENTS,
    ) -> None:
        self.lease_seconds = lease_seconds
        self.max_environments = max_environments
        self._source = source
        self._park_seconds = park_seconds
        self._clock = clock
        self._private: dict[str, Lease] = {}
        self._defaults: dict[str, Lease] = {}

    def __iter__(self) -> Iterator[Lease]:
        """Go through the leases that have not ended, defaults first, oldest first."""
        self._end_expired()
        yield from [*self._defaults.values(), *self._private.values()]

    def create(self, owner: str) -> Lease:
        """Give `owner` a private environment of their own, in the start state.

        Raises:
            Refusal: the server holds as many as it may.
        """
        self._end_expired()
        if len(self._private) >= self.max_environments:
            raise Refusal(
                429,
                "too_many_environments",
                f"this server holds {self.max_environments} private environments, its limit",
                "release one with DELETE /environments/{id}, or wait for a lease to end",
            )
        lease = self._open(owner, private=True)
        self._private[lease.id] = lease
        return lease

    def find(self, env_id: str, owner: str | None) -> Lease:
        """Return the lease with this id; `owner=None` is the operator, who may use everybody's.

        Raises:
            Refusal: unknown, ended, or another owner's.
        """
        lease = self._private.get(env_id)
        if lease is None and owner is None:
            lease = next((each for each in self._defaults.values() if each.id == env_id), None)
        if lease is None or self._expired(lease) or owner not in (None, lease.owner):
            raise unknown_environment()
        return lease

    def default(self, owner: str) -> Lease:
        """Return the environment that `owner` uses without naming one, made on first use."""
        lease = self._defaults.get(owner)
        if lease is None:
            lease = self._defaults[owner] = self._open(owner, private=False)
        return lease

    def environment(self, lease: Lease) -> Environment:
        """Unfold and return the lease's environment; its lease starts anew.

        Raises:
            Refusal: the lease has ended in the meantime.
        """
        if self._expired(lease):
            raise unknown_environment()
        lease.used_at = self._clock()
        if lease.live is None:
            if lease.parked is None:
                raise unknown_environment()
            lease.live, lease.parked = self._source.resume(lease.parked), None
        return lease.live

    def release(self, lease: Lease) -> None:
        """End a lease now; an owner's default environment starts afresh on its next use."""
        self._private.pop(lease.id, None)
        if self._defaults.get(lease.owner) is lease:
            del self._defaults[lease.owner]
        if lease.live is not None:
            lease.live.close()
        lease.live = lease.parked = None
        lease.snapshots.clear()

    def sweep(self) -> None:
        """End leases that ran out and park environments that stand idle."""
        self._end_expired()
        idle_since = self._clock() - self._park_seconds
        for lease in [*self._defaults.values(), *self._private.values()]:
            # A snapshot is a mark inside the live world: parking would lose it.
            bound = lease.keeps_live or lease.snapshots
            if lease.live is not None and lease.used_at <= idle_since and not bound:
                lease.parked = self._source.park(lease.live)
                if lease.parked is not None:
                    lease.live = None

    def close(self) -> None:
        """End all leases."""
        for lease in [*self._defaults.values(), *self._private.values()]:
            self.release(lease)

    def _open(self, owner: str, *, private: bool) -> Lease:
        now = self._clock()
        return Lease(secrets.token_hex(16), owner, private, now, now, live=self._source.open())

    def _expired(self, lease: Lease) -> bool:
        return lease.private and self._clock() >= lease.used_at + self.lease_seconds

    def _end_expired(self) -> None:
        for lease in [each for each in self._private.values() if self._expired(each)]:
            self.release(lease)
