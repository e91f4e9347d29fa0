"""The loop that serves one foreign Python system over standard input and output.

    PYTHON serve.py FOLDER MODULE NAME

`MODULE` is a module of `FOLDER` (that of this file, but for tests) with `make(name)`, which gives
an object with:

    version, benchmark, context        strings (benchmark: "" for none); read after each opening
    tools() -> [{"name", "description", "parameters", "read_only": bool | None}]
    open(seed)                         stand at the initial state generated from the seed
    open_shipped(task) [optional]      stand at the benchmark's own state for a task (for tests)
    call(tool, arguments) -> (ok, content or words of the error)
    state() -> JSON                    canonical, without volatile fields
    snapshot() -> object, restore(object)
    about(what) -> JSON [optional]     whatever else a test wants to know of the foreign package

One JSON object a line each way: `{"op": …}` in, `{"ok": …}` or `{"fault": …}` out, with `cpu`, the
seconds that the foreign code took, and `all`, what the answer took altogether. What the foreign
code prints goes nowhere, and it reads nothing. After a call that failed, the state is taken back.
A tool that recurses without end fails like any other, whatever limit its package set when imported.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from canonical import digest

RECURSION = 3000
"""How deep calls may nest: enough for copying any sound state, and far from the stack's end."""


class Host:
    """Answers operations with a foreign system."""

    def __init__(self, module: str, name: str) -> None:
        self.system: Any = importlib.import_module(module).make(name)
        self.kept: dict[int, Any] = {}
        self.number = 0
        self.cpu = 0.0

    def answer(self, asked: dict[str, Any]) -> Any:
        """Do one operation."""
        sys.setrecursionlimit(RECURSION)
        return getattr(self, "do_" + asked["op"])(asked)

    def do_about(self, asked: dict[str, Any]) -> Any:
        """All that is to be known of the system itself."""
        more = self.system.about(asked["what"]) if "what" in asked else None
        return {**self.facts(), "tools": self.system.tools(), "more": more}

    def facts(self) -> dict[str, str]:
        system = self.system
        return {
            "version": system.version,
            "benchmark": system.benchmark,
            "context": system.context,
            "listing": digest(system.tools()),
        }

    def do_open(self, asked: dict[str, Any]) -> Any:
        """Stand at an initial state; every kept one is gone."""
        self.kept.clear()
        if "shipped" in asked:
            self.system.open_shipped(asked["shipped"])
        else:
            self.system.open(asked["seed"])
        return self.facts()

    def do_call(self, asked: dict[str, Any]) -> Any:
        """Call a tool: whether it went well, and its content or the words of its error."""
        before = self.system.snapshot()
        begun = time.thread_time()
        try:
            ok, content = self.system.call(asked["tool"], asked["arguments"])
        except RecursionError:
            ok, content = False, "The tool recursed without end."
        except Exception as error:
            ok, content = False, f"{type(error).__name__}: {error}"
        self.cpu = time.thread_time() - begun
        if not ok:
            self.system.restore(before)
        return [ok, content]

    def do_state(self, asked: dict[str, Any]) -> Any:
        """The state's hash, and the state where the asking side doesn't have it."""
        state = self.system.state()
        found = digest(state)
        return [found, None if found in asked["known"] else state]

    def do_snapshot(self, asked: dict[str, Any]) -> Any:
        """Keep the state under a number."""
        self.number += 1
        self.kept[self.number] = self.system.snapshot()
        return self.number

    def do_restore(self, asked: dict[str, Any]) -> Any:
        """Return to a kept state."""
        self.system.restore(self.kept[asked["kept"]])

    def do_forget(self, asked: dict[str, Any]) -> Any:
        """Free a kept state."""
        self.kept.pop(asked["kept"], None)


def main() -> None:
    """Serve until standard input ends."""
    folder, module, name = sys.argv[1:4]
    if folder not in sys.path:
        sys.path.insert(0, folder)
    # The protocol keeps the real streams; the foreign code reads and prints nothing.
    asking = os.fdopen(os.dup(0), "r", encoding="utf-8")
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    host = None
    for line in asking:
        # The process's own clock moves by whole ticks once its CPU time is limited.
        begun = time.thread_time()
        try:
            if host is None:
                host = Host(module, name)
            host.cpu = 0.0
            told = json.dumps({"ok": host.answer(json.loads(line))})
        except Exception as error:
            told = json.dumps({"fault": f"{type(error).__name__}: {error}"})
        cpu = 0.0 if host is None else host.cpu
        wire.write(f'{told[:-1]}, "cpu": {cpu}, "all": {time.thread_time() - begun}}}\n')
        wire.flush()


if __name__ == "__main__":
    main()
