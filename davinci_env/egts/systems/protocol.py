"""The seam to systems that other people wrote (paper A.2): callable tools, reset, outcome capture,
metadata.

An adapter says how a system is opened, called, captured and brought back, each by the system's own
means. `SystemEnvironment` makes an `Environment` of it: log, snapshots in order, refusals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ...errors import DavinciError


class SystemFailure(DavinciError):
    """A system hung, crashed, flooded its output or otherwise left its contract.

    The episode has failed; the adapter has stopped the system, and `open` starts it anew.

    Attributes:
        reason: `hang`, `crash`, `flood`, `tools-changed`, `garbage`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class SystemInfo:
    """What a system is and where it comes from.

    Attributes:
        name: `family.system`, such as `agentdojo.banking`; a family of one has its own name.
        family: which adapter and which file of words it has.
        version: the foreign package's own.
        licence: of the foreign package, as SPDX names it where it can.
        origin: where it is had from, such as `PyPI agentdojo`.
        benchmark: the benchmark that the *state* belongs to; None where we generated the state.
        context: what the agent is told beforehand: what this is, today's date, facts of the user's.
    """

    name: str
    family: str
    version: str
    licence: str
    origin: str
    benchmark: str | None = None
    context: str = ""


@dataclass(frozen=True)
class SystemTool:
    """A tool as the system lists it.

    Attributes:
        parameters: a plain JSON schema of an object (`plain_schema` makes one).
        read_only: whether it only reads; None where nobody said so.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    read_only: bool | None = None


@dataclass(frozen=True)
class Answer:
    """What a call gave: JSON content, or an error in words. Errors inside a success are errors."""

    ok: bool
    content: Any = None
    error: str = ""


class System(Protocol):
    """A stateful tool system. Every method but `close` may raise SystemFailure."""

    @property
    def info(self) -> SystemInfo:
        """What it is."""
        ...

    def open(self, seed: int) -> None:
        """Stand at the initial state generated from a seed; starts the system where need be.

        Equal seeds give equal states, in any process.
        """
        ...

    def tools(self) -> list[SystemTool]:
        """Its tools, in its own order."""
        ...

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool with arguments that its schema allows. A call that fails leaves the state as
        it was: the adapter takes back what the system did before it failed.
        """
        ...

    def state(self) -> Any:
        """The full state as canonical JSON, without volatile fields. Leaves no trace."""
        ...

    def snapshot(self) -> Any:
        """Keep the present state; what is returned is for `restore` and `forget` alone."""
        ...

    def restore(self, kept: Any) -> None:
        """Return to a kept state, which stays kept."""
        ...

    def forget(self, kept: Any) -> None:
        """Free a kept state."""
        ...

    def close(self) -> None:
        """Stop the system; nothing of it stays, no process and no file. May be called twice."""
        ...
