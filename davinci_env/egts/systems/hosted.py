"""A foreign Python package as a system: it runs in an interpreter of its own, behind a pipe."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...errors import UsageError
from . import installed
from .process import Contained, Limits
from .protocol import Answer, SystemFailure, SystemInfo, SystemTool
from .schemas import plain_schema

HOSTS = Path(__file__).parents[1] / "hosts"
"""Where the host modules are, and the loop that serves them."""

LIMITS = Limits(episode_bytes=1 << 30, memory_bytes=16 << 30)

_STATES = 4
"""How many states are remembered by their hash."""
_OPENINGS = 500
"""After so many a process is started anew, so that no run wears its limits out."""


class HostedSystem:
    """A `System` that a host module serves in another interpreter.

    The process is started by the first opening (or `about`), and anew by the next one after a
    failure.

    Args:
        name: of the system, `family.system`.
        family: whose installation has the interpreter.
        module: the host module.
        licence: of the foreign package.
        origin: where it is had from.
        inner: the name that the host module's `make` gets (default: what follows the family).
        python: the interpreter (default: that of the installed family).
        hosts: the folder that the module is in.
        environment: more variables for the process.

    Attributes:
        foreign_cpu: CPU seconds that the foreign tools' code took in all.
        host_cpu: CPU seconds that the other interpreter took in all, these included.
    """

    def __init__(
        self,
        name: str,
        family: str,
        module: str,
        *,
        licence: str,
        origin: str,
        inner: str | None = None,
        python: Path | None = None,
        hosts: Path = HOSTS,
        environment: Mapping[str, str] | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        self._info = SystemInfo(name, family, "", licence, origin)
        self._module, self._hosts, self._limits = module, hosts, limits
        self._inner = name.partition(".")[2] if inner is None else inner
        self._python, self._environment = python, dict(environment or {})
        self._process: Contained | None = None
        self._tools: list[SystemTool] = []
        self._listing = ""
        self._states: OrderedDict[str, Any] = OrderedDict()
        self._openings = 0
        self.foreign_cpu = 0.0
        self.host_cpu = 0.0

    @property
    def info(self) -> SystemInfo:
        """What it is; its version and context are known once it was opened."""
        return self._info

    # -- opening -----------------------------------------------------------------------------------

    def open(self, seed: int) -> None:
        """Stand at the state that the host generates from a seed."""
        self._open({"seed": seed}, shipped=False)

    def open_shipped(self, task: str) -> None:
        """Stand at the benchmark's own state for a task; the info names the benchmark."""
        self._open({"shipped": task}, shipped=True)

    def about(self, what: Any) -> Any:
        """Ask the host for something else about the foreign package, in its present state."""
        if self._process is None:
            self._start()
        return self._ask("about", what=what)["more"]

    def _open(self, asked: Mapping[str, Any], *, shipped: bool) -> None:
        self._start()
        self._openings += 1
        assert self._process is not None
        self._process.renew()
        facts = self._ask("open", **asked)
        if facts["listing"] != self._listing:
            self.close()
            raise SystemFailure("tools-changed", f"the tools of {self._info.name} have changed")
        self._note(facts, shipped=shipped)

    def _note(self, facts: Mapping[str, Any], *, shipped: bool) -> None:
        benchmark = (facts["benchmark"] or None) if shipped else None
        self._info = replace(
            self._info, version=facts["version"], context=facts["context"], benchmark=benchmark
        )

    def _start(self) -> None:
        """Start the process where none runs. The first start may fail as the user's matter."""
        if self._process is not None and self._openings >= _OPENINGS:
            self.close()
        if self._process is not None:
            return
        python = self._python or installed.python(self._info.family)
        process = Contained(f"the system {self._info.name}", self._limits)
        self._process = process
        self._openings = 0
        try:
            process.start(
                [str(python), str(HOSTS / "serve.py"), str(self._hosts), self._module, self._inner],
                self._environment,
            )
            facts = self._ask("about", seconds=self._limits.start_seconds)
            self._learn(facts)
        except SystemFailure as failure:
            self.close()
            if self._tools:
                raise
            raise UsageError(f"{self._info.name} can't be used: {failure.message}") from failure
        except BaseException:
            self.close()
            raise

    def _learn(self, facts: Mapping[str, Any]) -> None:
        if self._tools and facts["listing"] != self._listing:
            raise SystemFailure("tools-changed", f"the tools of {self._info.name} have changed")
        if not facts["tools"]:
            raise UsageError(f"{self._info.name} lists no tools")
        self._tools = [
            SystemTool(
                tool["name"],
                tool["description"],
                plain_schema(tool["name"], tool["parameters"]),
                tool.get("read_only"),
            )
            for tool in facts["tools"]
        ]
        self._listing = facts["listing"]
        self._note(facts, shipped=False)

    # -- the rest of the seam ----------------------------------------------------------------------

    def tools(self) -> list[SystemTool]:
        """Its tools, as the host lists them."""
        return list(self._tools)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool; the host takes back what a failing call did."""
        ok, content = self._ask("call", tool=tool, arguments=dict(arguments))
        if ok:
            return Answer(True, content)
        return Answer(False, error=content if isinstance(content, str) else json.dumps(content))

    def state(self) -> Any:
        """The canonical state, sent over only where it isn't remembered. Not to be changed."""
        found, state = self._ask("state", known=list(self._states))
        if state is not None or found not in self._states:
            self._states[found] = state
        self._states.move_to_end(found)
        while len(self._states) > _STATES:
            self._states.popitem(last=False)
        return self._states[found]

    def snapshot(self) -> Any:
        """Keep the state, in the host."""
        return self._ask("snapshot")

    def restore(self, kept: Any) -> None:
        """Return to a kept state."""
        if self._process is not None:
            self._process.renew()
        self._ask("restore", kept=kept)

    def forget(self, kept: Any) -> None:
        """Free a kept state."""
        if self._process is not None:
            self._ask("forget", kept=kept)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _ask(self, operation: str, *, seconds: float | None = None, **asked: Any) -> Any:
        """Have the host do something; a host that can't has left its contract."""
        process = self._process
        if process is None:
            raise SystemFailure("crash", f"the system {self._info.name} is not running")
        try:
            line = process.ask(json.dumps({"op": operation, **asked}).encode(), seconds)
            told = json.loads(line)
        except SystemFailure:
            self.close()
            raise
        except ValueError:
            self.close()
            raise SystemFailure("garbage", f"{process.name} answered with no JSON") from None
        self.foreign_cpu += told["cpu"]
        self.host_cpu += told["all"]
        if "fault" in told:
            self.close()
            raise SystemFailure("crash", f"{process.name} failed: {told['fault']}")
        return told["ok"]
