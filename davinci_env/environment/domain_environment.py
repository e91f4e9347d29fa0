"""The environment of a domain: a world, its tools, an actor and the log."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from ..compose import load
from ..domain import Bound, Domain, Row, Tool
from ..domain.binding import legible
from ..domain.log import CallEntry, CallLog, Event, Log, Message
from ..errors import DefectError, ToolError, UsageError
from ..state import (
    Mark,
    StartImage,
    World,
    apply,
    canonical,
    pack,
    register_helpers,
    state_hash,
)
from .protocol import Metadata, Outcome, ToolResult, ToolSpec
from .specs import tool_specs

_NO_SUCH_TOOL = "unknown_tool"
DEFECT = "internal_error"


@dataclass(frozen=True, eq=False)
class _Snapshot:
    mark: Mark
    log_length: int


class DomainEnvironment:
    """Runs the tools of one domain on one world.

    Args:
        domain: a finished domain.
        world: a world built by it; the environment owns it from now on.
        actor: key of the person on whose behalf calls are made. Self-service takes the first person
            by default.
        seed, scale: what the world was built from.
        record_changes: note each call's canonical changes in the log (episodes want it, exploration
            doesn't).

    `appearing` tells from which user turn on a tool can be seen and called, where that is not the
    first.

    Raises:
        UsageError: no such actor.
    """

    def __init__(
        self,
        domain: Domain,
        world: World,
        actor: str | None = None,
        *,
        seed: int = 0,
        scale: float = 1.0,
        record_changes: bool = False,
    ) -> None:
        self.domain, self.world = domain, world
        self.record_changes = record_changes
        self.log = Log()
        self._tools = domain.tools
        self._turn = 0
        self.appearing: Mapping[str, int] = {}
        self.before_turn: list[Callable[[], None]] = []
        self._self_service = domain.access == "self_service"
        self._base = world.start
        self._start: bytes | None = None
        self.metadata = Metadata(
            domain.name, "composition" if domain.homes else "domain", domain.version,
            domain.content_hash, seed, scale, domain.access, domain.policy(), None,
        )  # fmt: skip
        self.act_for(actor)
        register_helpers(world.connection, domain.sql_helpers)

    def act_for(self, actor: str | None) -> None:
        """Make calls on behalf of another person. Raises UsageError for one who doesn't exist."""
        identity = self.domain.identity
        if actor is None and self._self_service:
            first = self.domain.first_person(self.world)
            actor = None if first is None else first.id
        if actor is not None and self.world.get(identity, actor) is None:
            noun = identity._info.noun.replace("_", " ")
            raise UsageError(
                f"There is no {noun} with the ID {actor!r}",
                "leave `--actor` out or name one that exists",
            )
        self.actor = actor
        self.world.actor = None if actor is None else (identity, actor)
        self.metadata = replace(self.metadata, actor=actor)

    # -- the protocol ------------------------------------------------------------------------------

    def tools(self) -> list[ToolSpec]:
        """The domain's tools as specifications, but for those that appear in a later turn only."""
        specs = tool_specs(self.domain)
        if not self.appearing:
            return list(specs)
        return [spec for spec in specs if self.appearing.get(spec.name, 0) <= self._turn]

    def reset(self) -> None:
        """Return to the start state with an empty log."""
        self.world.rollback(self._base)
        self.log.entries.clear()
        self._turn = 0

    def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call a tool; a refused call leaves the state unchanged, and so does a defect
        (`internal_error`).
        """
        found = self._find(tool)
        if found is None:
            name = legible(tool)
            message = self.domain.dialect.error("unknown_tool", tool=name)
            result = ToolResult(False, None, _NO_SUCH_TOOL, message)
            self._note(name, arguments, result, False, ())
            return result
        before = self.world.begin()
        result = self._perform(found, arguments, before)
        writes = found.kind == "write"
        changes: tuple[Any, ...] = ()
        if self.record_changes and writes and result.ok:
            changes = tuple(canonical(self.world, self.world.changes_since(before)))
        self._note(tool, arguments, result, writes, changes)
        return result

    def _find(self, tool: Any) -> Tool | None:
        if not isinstance(tool, str) or self.appearing.get(tool, 0) > self._turn:
            return None
        return self._tools.get(tool)

    def _perform(self, tool: Tool, arguments: Mapping[str, Any], before: int) -> ToolResult:
        """One call: bind, refuse, run, render, keep. Everything that goes wrong is undone."""
        world = self.world
        db = world.db
        seen: list[tuple[str, str]] = []
        violated: tuple[str, ...] = ()
        try:
            bound = tool.bind(db, arguments, db.actor if self._self_service else None)
            if tool.guarded:
                bound["db"] = tool.own_db(db)
                if tool.asks_log:
                    bound["log"] = CallLog(
                        self.log.entries, tool.name, arguments, tool.free, tool.names
                    )
                refusal = tool.refusal(bound)
                if refusal is not None:
                    raise refusal
                violated = tool.violations(bound)
                if len(world.log) != before:
                    raise DefectError(f"a rule of {tool.name} changed records")
            data = tool.shape.render(tool.run(db, bound), seen)
            if tool.kind == "read" and len(world.log) != before:
                raise DefectError(f"the read {tool.name} changed records")
            world.accept()
        except ToolError as error:
            world.reject(before)
            return ToolResult(False, None, error.code, error.message)
        except Exception as error:  # a defect of the domain: contained, undone, reported
            world.reject(before)
            return _defect(tool, error)
        return ToolResult(True, data, None, "", violated, tuple(seen))

    def _note(
        self,
        tool: str,
        arguments: Any,
        result: ToolResult,
        writes: bool,
        changes: tuple[Any, ...],
    ) -> None:
        known = type(arguments) is dict or isinstance(arguments, Mapping)
        kept = dict(arguments) if known else {}
        self.log.entries.append(
            CallEntry(
                tool,
                kept,
                result.ok,
                result.code,
                result.violated,
                result.seen,
                writes,
                result,
                changes,
            )
        )

    def observe(self, entry: Message | Event) -> None:
        """Append a message or a user event to the log. Those in `before_turn` are called while the
        turn that ends is not over yet.
        """
        if isinstance(entry, Event) and entry.kind == "turn":
            for look in self.before_turn:
                look()
            self._turn = int(entry.subject["index"])
        self.log.entries.append(entry)

    def snapshot(self) -> _Snapshot:
        """Mark state and log."""
        return _Snapshot(self.world.mark(), len(self.log.entries))

    def restore(self, snapshot: _Snapshot) -> None:
        """Return to a mark."""
        self.world.rollback(snapshot.mark)
        del self.log.entries[snapshot.log_length :]
        if self._turn:
            self._turn = self.log.turn

    def release(self, snapshot: _Snapshot) -> None:
        """Forget a mark, keeping what happened since."""
        self.world.release(snapshot.mark)

    def capture(self) -> Outcome:
        """Canonical changes since the start image, their hash, and the rules broken, in order."""
        diff = canonical(self.world, self.world.changes())
        violated = dict.fromkeys(code for call in self.log.calls() for code in call.violated)
        return Outcome(state_hash(self.world.image.hash, diff), diff, tuple(violated))

    def close(self) -> None:
        """Close the world."""
        self.world.close()

    # -- beyond the protocol -----------------------------------------------------------------------

    def bind(self, tool: str, arguments: Mapping[str, Any]) -> Bound:
        """A call's arguments as rows and values, with `db` and `log`. Raises ToolError."""
        found = self._tools[tool]
        db = self.world.db
        bound = found.bind(db, arguments, db.actor if self._self_service else None)
        return found.context(bound, db, self.log.entries, arguments)

    def query(self, sql: str, values: Any = ()) -> list[tuple[Any, ...]]:
        """Ask the state one read-only SELECT. Raises DefectError for anything else."""
        return self.world.query(sql, values)

    def row(self, table: str, key: str) -> Row | None:
        """A row by table and key."""
        return self.world.get(self.world.schema.by_table[table], key)

    @property
    def start_mark(self) -> Mark:
        """The place in the cell log of the start that `reset` returns to."""
        return self._base

    def start_from(self, packed: bytes) -> None:
        """Make a packed state the start state that `reset` returns to.

        The world must be unchanged.
        """
        apply(self.world, packed)
        self._base, self._start = self.world.mark(), packed
        self.log.entries.clear()

    def pack(self) -> bytes:
        """The net change since the start image, with clock and counters."""
        return pack(self.world)

    def fork(self) -> DomainEnvironment:
        """An independent environment in the same state with the same log so far."""
        self.world.accept()
        twin = self.fresh()
        apply(twin.world, pack(self.world, self._base))
        twin.log.entries.extend(self.log.entries)
        twin._turn = self._turn
        return twin

    def fresh(self) -> DomainEnvironment:
        """An independent environment at the start state, with an empty log."""
        twin = DomainEnvironment(
            self.domain,
            World(self.domain.schema, self.world.image),
            seed=self.metadata.seed,
            scale=self.metadata.scale,
            record_changes=self.record_changes,
        )
        if self._start is not None:
            twin.start_from(self._start)
        twin.appearing = self.appearing
        twin.act_for(self.actor)
        return twin

    def park(self) -> bytes:
        """Pack the state and close the world; `resume` brings it back with the same difference and
        hash.
        """
        packed = orjson.dumps(
            {
                "start": None if self._start is None else orjson.Fragment(self._start),
                "state": orjson.Fragment(pack(self.world, self._base)),
                "actor": self.actor,
                "seed": self.metadata.seed,
                "scale": self.metadata.scale,
                "record_changes": self.record_changes,
            }
        )
        self.close()
        return packed

    @classmethod
    def resume(
        cls, domain: Domain, image: StartImage, parked: bytes, log: Log | None = None
    ) -> DomainEnvironment:
        """Bring a parked environment back on its start image, with its log if it was kept."""
        content = orjson.loads(parked)
        world = World(image.schema, image)
        environment = cls(
            domain,
            world,
            seed=content["seed"],
            scale=content["scale"],
            record_changes=content["record_changes"],
        )
        if content["start"] is not None:
            environment.start_from(orjson.dumps(content["start"]))
        apply(world, orjson.dumps(content["state"]))
        environment.act_for(content["actor"])
        if log is not None:
            environment.log, environment._turn = log, log.turn
        return environment


def _defect(tool: Tool, error: Exception) -> ToolResult:
    """What the agent sees of a defect is that it is one; the details are for the audit."""
    kind = "integrity" if isinstance(error, sqlite3.IntegrityError) else type(error).__name__
    details = {"error": f"{kind}: {error}"}
    return ToolResult(False, None, DEFECT, f"{tool.name} failed unexpectedly.", details=details)


def open_environment(
    name: str,
    *,
    seed: int = 0,
    scale: float = 1.0,
    actor: str | None = None,
    paths: Sequence[Path | str] = (),
    trust: bool = False,
    prefixes: bool = False,
) -> DomainEnvironment:
    """Load a domain or a composition, build its world and open an environment.

    Takes what `load` takes, and raises what it raises.
    """
    domain = load(name, paths=paths, trust=trust, prefixes=prefixes)
    return DomainEnvironment(domain, domain.build(seed, scale), actor, seed=seed, scale=scale)
