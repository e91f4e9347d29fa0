"""A host module for tests: a counter with tasks and reference solutions, as a benchmark has them.

`five`: the solution adds 2 and 3, and the benchmark wants five. `look`: nothing is to be changed.
`there`: the benchmark wants at least five, and so many there are at the start. `broken`: the
solution has a call that is refused. `chance`: what it tells differs from process to process.
"""

import os
from typing import Any

STARTS = {"five": 0, "look": 7, "there": 5, "broken": 0, "chance": 0}
SOLUTIONS: dict[str, list[list[Any]]] = {
    "five": [["add", {"n": 2}], ["read", {}], ["add", {"n": 3}], ["read", {}]],
    "look": [["read", {}]],
    "there": [["add", {"n": 1}]],
    "broken": [["add", {"n": 5}], ["add", {"n": -1}]],
    "chance": [["add", {"n": 5}], ["process", {}]],
}
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


class Counter:
    """One number."""

    version, benchmark, context = "3", "Counting", ""

    def __init__(self) -> None:
        self.total = 0

    def tools(self) -> list[dict[str, Any]]:
        listed = (("add", NUMBER), ("read", NOTHING), ("process", NOTHING))
        return [
            {"name": name, "description": name, "parameters": schema, "read_only": name != "add"}
            for name, schema in listed
        ]

    def open(self, seed: int) -> None:
        self.total = seed

    def open_shipped(self, task: str) -> None:
        self.total = STARTS[task]

    def call(self, tool: str, arguments: dict[str, Any]) -> tuple[bool, Any]:
        if tool == "process":
            return True, os.getpid()
        if tool == "add":
            self.total += arguments["n"]
            return (True, None) if arguments["n"] > 0 else (False, "only upwards")
        return True, self.total

    def state(self) -> Any:
        return {"total": self.total}

    def snapshot(self) -> Any:
        return self.total

    def restore(self, kept: Any) -> None:
        self.total = kept

    def about(self, what: Any) -> Any:
        if what == "tasks":
            return list(SOLUTIONS)
        if "truth" in what:
            return {"calls": SOLUTIONS[what["truth"]], "output": "told"}
        if what["judge"] == "look":
            return None
        if what["judge"] == "there":
            return self.total >= 5
        return self.total == 5 and what["output"] == "told"


def make(name: str) -> Counter:
    return Counter()
