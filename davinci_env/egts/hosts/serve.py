"""The loop that serves one foreign Python system over standard input and output.

    PYTHON serve.py MODULE NAME

`MODULE` is a module of this folder with `make(name)`, which gives an object with:

    version, benchmark, context        strings (benchmark: "" for none)
    tools() -> [{"name", "description", "parameters", "read_only": bool | None}]
    open(seed)                         stand at the initial state generated from the seed
    open_shipped(task) [optional]      stand at the benchmark's own state for a task (for tests)
    call(tool, arguments) -> (ok, content or words of the error)
    state() -> JSON                    canonical, without volatile fields
    snapshot() -> object, restore(object)
    about(what) -> JSON [optional]     whatever else a test wants to know of the foreign package

One JSON object a line each way: `{"op": …}` in, `{"ok": …}` or `{"fault": …}` out, with `cpu`, the
seconds that the foreign code took. What the foreign code prints goes nowhere. After a call that
failed, the state is taken back.
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


class Host:
    """Answers operations with a foreign system."""

    def __init__(self, module: str, name: str) -> None:
        self.system: Any = importlib.import_module(module).make(name)
        self.kept: dict[int, Any] = {}
        self.number = 0
        self.cpu = 0.0

    def answer(self, asked: dict[str, Any]) -> Any:
        """Do one operation."""
        return getattr(self, "do_" + asked["op"])(asked)

    def do_about(self, asked: dict[str, Any]) -> Any:
        system = self.system
        return {
            "version": system.version,
            "benchmark": system.benchmark,
            "context": system.context,
            "tools": system.tools(),
            "more": system.about(asked["what"]) if "what" in asked else None,
        }

    def do_open(self, asked: dict[str, Any]) -> Any:
        self.kept.clear()
        if "shipped" in asked:
            self.system.open_shipped(asked["shipped"])
        else:
            self.system.open(asked["seed"])

    def do_call(self, asked: dict[str, Any]) -> Any:
        before = self.system.snapshot()
        begun = time.process_time()
        try:
            ok, content = self.system.call(asked["tool"], asked["arguments"])
        except RecursionError:
            ok, content = False, "The tool recursed without end."
        except Exception as error:
            ok, content = False, f"{type(error).__name__}: {error}"
        self.cpu = time.process_time() - begun
        if not ok:
            self.system.restore(before)
        return [ok, content]

    def do_state(self, asked: dict[str, Any]) -> Any:
        state = self.system.state()
        found = digest(state)
        return [found, None if asked.get("known") == found else state]

    def do_snapshot(self, asked: dict[str, Any]) -> Any:
        self.number += 1
        self.kept[self.number] = self.system.snapshot()
        return self.number

    def do_restore(self, asked: dict[str, Any]) -> Any:
        self.system.restore(self.kept[asked["kept"]])

    def do_forget(self, asked: dict[str, Any]) -> Any:
        self.kept.pop(asked["kept"], None)


def main() -> None:
    """Serve until standard input ends."""
    # The protocol keeps the real standard output; whatever else is printed goes nowhere.
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    host = None
    for line in sys.stdin:
        begun = time.process_time()
        try:
            if host is None:
                host = Host(*sys.argv[1:3])
            host.cpu = 0.0
            told = {"ok": host.answer(json.loads(line))}
        except Exception as error:
            told = {"fault": f"{type(error).__name__}: {error}"}
        told["cpu"] = 0.0 if host is None else host.cpu
        told["all"] = time.process_time() - begun
        wire.write(json.dumps(told, ensure_ascii=True) + "\n")
        wire.flush()


if __name__ == "__main__":
    main()
