"""What the operator can do with the environments of a running server: look, rewind, feed and judge.

None of it is reachable from the agents' listener, and nothing that is returned here ever goes
there.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from davinci_env.environment import Environment, Event, Message
from davinci_env.records import Task
from davinci_env.serve.leases import Lease, Leases
from davinci_env.serve.refusal import Refusal
from davinci_env.serve.source import EnvironmentSource

Json = dict[str, Any]


class Called(BaseModel):
    """A transcript's entry: a call by the agent."""

    model_config = ConfigDict(extra="forbid")

    tool: str
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


_OBSERVED: TypeAdapter[list[Message | Event]] = TypeAdapter(list[Message | Event])
_TRANSCRIPT: TypeAdapter[list[Called | Message | Event]] = TypeAdapter(
    list[Called | Message | Event]
)


class Operations:
    """The operator's operations, each on the environment with a given id.

    Args:
        source: makes environments for transcripts to be replayed in.
        leases: the environments of the server.
        clock: the clock that the leases use.
    """

    def __init__(
        self, source: EnvironmentSource, leases: Leases, clock: Callable[[], float]
    ) -> None:
        self._source = source
        self._leases = leases
        self._clock = clock

    def list(self) -> Json:
        """List all environments, without waking those that are parked."""
        now = self._clock()
        return {
            "environments": [
                {
                    "env_id": lease.id,
                    "owner": lease.owner,
                    "private": lease.private,
                    "parked": lease.live is None,
                    "age_seconds": round(now - lease.opened_at, 3),
                    "idle_seconds": round(now - lease.used_at, 3),
                    "snapshots": list(lease.snapshots),
                }
                for lease in self._leases
            ]
        }

    def release(self, env_id: str) -> Json:
        """End a lease."""
        self._leases.release(self._leases.find(env_id, None))
        return {}

    def reset(self, env_id: str) -> Json:
        """Return to the start state with an empty log; snapshots are gone."""
        lease, environment = self._reach(env_id)
        lease.snapshots.clear()
        environment.reset()
        return _state(environment)

    def start(self, env_id: str, task: Any) -> Json:
        """Put an environment into the start state of a task."""
        lease, environment = self._reach(env_id)
        opened = self._source.open_for(self._task(task, environment))
        environment.close()
        lease.snapshots.clear()
        lease.live, lease.keeps_live = opened, True
        return _state(opened)

    def snapshot(self, env_id: str) -> Json:
        """Remember state and log under a name; an environment with snapshots isn't parked."""
        lease, environment = self._reach(env_id)
        lease.snapshots_taken += 1
        name = f"snapshot-{lease.snapshots_taken}"
        lease.snapshots[name] = environment.snapshot()
        return {"snapshot": name, **_state(environment)}

    def restore(self, env_id: str, name: Any) -> Json:
        """Return to a snapshot, which stays; younger ones are gone."""
        lease, environment = self._reach(env_id)
        names = list(lease.snapshots)
        if name not in names:
            raise Refusal(
                404,
                "snapshot_not_found",
                f"this environment has no snapshot {name!r}",
                f"it has {', '.join(names) or 'none'}; restoring one ends those taken after it",
            )
        environment.restore(lease.snapshots[name])
        for younger in names[names.index(name) + 1 :]:
            del lease.snapshots[younger]
        return _state(environment)

    def capture(self, env_id: str) -> Json:
        """Return the outcome so far: state hash, net difference, broken rules."""
        _, environment = self._reach(env_id)
        outcome: Json = to_jsonable_python(environment.capture())
        return outcome

    def observe(self, env_id: str, entries: Any) -> Json:
        """Add what was said, and what it meant, to the log of an environment at work."""
        _, environment = self._reach(env_id)
        for entry in _parsed(_OBSERVED, entries, "entries"):
            environment.observe(entry)
        return {"entries": len(environment.log)}

    def verify(self, env_id: str, task: Any) -> Json:
        """Judge what happened in an environment against a task."""
        _, environment = self._reach(env_id)
        return self._judged(self._task(task, environment), environment)

    def replay(self, task: Any, transcript: Any) -> Json:
        """Judge a transcript: replay it in a new environment that stands at the task's start."""
        entries: Sequence[Called | Message | Event] = _parsed(_TRANSCRIPT, transcript, "transcript")
        known = self._task(task, None)
        environment = self._source.open_for(known)
        try:
            for entry in entries:
                if isinstance(entry, Called):
                    environment.call(entry.tool, entry.arguments)
                else:
                    environment.observe(entry)
            return self._judged(known, environment)
        finally:
            environment.close()

    def _judged(self, task: Task, environment: Environment) -> Json:
        verdict: Json = to_jsonable_python(self._source.judge(task, environment))
        return verdict

    def _reach(self, env_id: str) -> tuple[Lease, Environment]:
        lease = self._leases.find(env_id, None)
        return lease, self._leases.environment(lease)

    def _task(self, given: Any, environment: Environment | None) -> Task:
        """Read a task record, and see that it is about the world that is served."""
        task: Task = _parsed(TypeAdapter(Task), given, "task")
        served = self._source.metadata if environment is None else environment.metadata
        for what in ("name", "content_hash", "seed", "scale"):
            wanted, found = getattr(task.world, what), getattr(served, what)
            if wanted != found:
                raise Refusal(
                    409,
                    "other_world",
                    f"the task's world has the {what} {wanted!r}, and this server's {found!r}",
                    "serve the task's domain with its seed and scale",
                )
        return task


def _state(environment: Environment) -> Json:
    return {"state_hash": environment.capture().state_hash}


def _parsed(form: TypeAdapter[Any], given: Any, what: str) -> Any:
    try:
        return form.validate_python(given)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise Refusal(
            400, "bad_request", f"{what} is not in its form ({place or what}: {first['msg']})"
        ) from None


def required(body: Mapping[str, Any], *names: str) -> list[Any]:
    """Return the named fields of a request's body, which may hold no others.

    Raises:
        Refusal: a field is missing or unknown.
    """
    for name in names:
        if name not in body:
            raise Refusal(400, "bad_request", f"the body lacks {name!r}")
    for name in body:
        if name not in names:
            wanted = ", ".join(map(repr, names)) or "no fields"
            raise Refusal(400, "bad_request", f"the body has {name!r}", f"it takes {wanted}")
    return [body[name] for name in names]
