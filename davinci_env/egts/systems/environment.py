"""The environment of a foreign system: the one protocol, over a `System`."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...environment import (
    CallEntry,
    Event,
    Log,
    Message,
    Metadata,
    Outcome,
    ToolResult,
    ToolSpec,
)
from ...errors import UsageError
from ..hosts.canonical import difference, digest
from .protocol import System, SystemTool
from .schemas import problem_of

UNKNOWN, INVALID, REFUSED = "unknown_tool", "invalid_arguments", "tool_error"
_ANSWER = {"type": "object", "properties": {}}
"""What is known of any foreign tool's result."""


@dataclass(frozen=True, eq=False)
class _Snapshot:
    kept: Any
    entries: int


class SystemEnvironment:
    """Runs a foreign system's tools from the initial state of one seed.

    Args:
        system: opened here; it belongs to the environment from now on and is closed with it.
        seed: what its initial state is generated from.
        writes: whether tools that are not known to be read-only may be called.

    Raises:
        UsageError: the system can't be started.
        SystemFailure: it left its contract while it was opened.
    """

    def __init__(self, system: System, *, seed: int = 0, writes: bool = True) -> None:
        self.system = system
        self.log = Log()
        self._writes = writes
        self._snapshots: list[_Snapshot] = []
        self.start_at(seed)

    def start_at(self, seed: int) -> None:
        """Stand at the initial state of another seed, with an empty log."""
        self.seed = seed
        self.system.open(seed)
        self._tools = {t.name: t for t in self.system.tools() if self._writes or t.read_only}
        self._specs = [_spec(tool) for tool in self._tools.values()]
        self.log.entries.clear()
        self._snapshots = []
        self._start = self.system.snapshot()
        self._state: Any = self.system.state()
        self._first = self._state
        self.start_hash = digest(self._first)
        self._hashed, self._hash = self._first, self.start_hash
        info = self.system.info
        self.metadata = Metadata(
            name=info.name, kind="system", version=1, content_hash=self._content_hash(), seed=seed,
            scale=1.0, access="staff", policy=info.context, benchmark=info.benchmark,
        )  # fmt: skip

    def _content_hash(self) -> str:
        info = self.system.info
        listed = [[t.name, t.description, t.parameters] for t in self._tools.values()]
        return digest([info.name, info.version, listed])

    # -- the protocol ------------------------------------------------------------------------------

    def tools(self) -> list[ToolSpec]:
        """The system's tools; what a system leaves unsaid of a tool is the protocol's default."""
        return list(self._specs)

    def reset(self) -> None:
        """Return to the initial state with an empty log."""
        self.system.restore(self._start)
        for snapshot in self._snapshots:
            self.system.forget(snapshot.kept)
        self._snapshots.clear()
        self.log.entries.clear()
        self._state = self._first

    def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call a tool. Raises SystemFailure where the system leaves its contract."""
        result = self._call(tool, arguments)
        foreign: Any = arguments  # an agent may give anything
        given = dict(foreign) if isinstance(foreign, Mapping) else {}
        known = self._tools.get(tool)
        writes = result.ok and known is not None and not known.read_only
        self.log.entries.append(
            CallEntry(tool, given, result.ok, result.code, (), (), writes, result)
        )
        return result

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        known = self._tools.get(tool)
        if known is None:
            name = tool[:64].encode("ascii", "replace").decode()
            return ToolResult(False, code=UNKNOWN, message=f"There is no tool {name!r}.")
        problem = problem_of(known.parameters, arguments)
        if problem is not None:
            return ToolResult(False, code=INVALID, message=f"Invalid arguments: {problem}.")
        answer = self.system.call(tool, copy.deepcopy(dict(arguments)))
        if not answer.ok:
            return ToolResult(False, code=REFUSED, message=answer.error)
        self._state = None
        content = answer.content
        return ToolResult(True, content if isinstance(content, dict) else {"result": content})

    def observe(self, entry: Message | Event) -> None:
        """Note what was said, or what it meant."""
        self.log.entries.append(entry)

    def snapshot(self) -> _Snapshot:
        """Keep state and log."""
        snapshot = _Snapshot(self.system.snapshot(), len(self.log.entries))
        self._snapshots.append(snapshot)
        return snapshot

    def restore(self, snapshot: _Snapshot) -> None:
        """Return to a snapshot; younger ones are gone."""
        if snapshot not in self._snapshots:
            raise UsageError("this snapshot is gone", "take another one")
        while self._snapshots[-1] is not snapshot:
            self.system.forget(self._snapshots.pop().kept)
        self.system.restore(snapshot.kept)
        del self.log.entries[snapshot.entries :]
        self._state = None

    def capture(self) -> Outcome:
        """The difference from the initial state, and the state's hash."""
        state_hash = self.state_hash
        return Outcome(state_hash, difference(self._first, self.state), ())

    def close(self) -> None:
        """Stop the system."""
        self.system.close()

    # -- beyond the protocol -----------------------------------------------------------------------

    @property
    def initial_state(self) -> Any:
        """The canonical initial state. Not to be changed."""
        return self._first

    @property
    def state_hash(self) -> str:
        """The hash of the canonical state; made anew only where that is another object."""
        state = self.state
        if state is not self._hashed:
            self._hashed, self._hash = state, digest(state)
        return self._hash

    @property
    def state(self) -> Any:
        """The canonical state. Not to be changed."""
        if self._state is None:
            self._state = self.system.state()
        return self._state


def _spec(tool: SystemTool) -> ToolSpec:
    reads = bool(tool.read_only)
    hints = {
        "readOnlyHint": reads,
        "destructiveHint": not reads,
        "idempotentHint": reads,
        "openWorldHint": False,
    }
    return ToolSpec(
        tool.name, tool.name, tool.description or tool.name, copy.deepcopy(tool.parameters),
        copy.deepcopy(_ANSWER), hints,
    )  # fmt: skip
