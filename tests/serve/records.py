"""Task records for tests: as little as a record may hold."""

from typing import Any


def a_task(start: Any = None, parts: dict[str, Any] | None = None, **world: Any) -> dict[str, Any]:
    """Return a task record; by default it is about a ledger.

    Args:
        start: the world's `start_changes`.
        parts: fields of the record to set otherwise.
        world: fields of its world to set otherwise.
    """
    user = {"known": [], "unknown": [], "plan": [], "style": {}}
    return {
        "schema": "davinci/task@1",
        "id": "0" * 32,
        "source": "ees-single",
        "kind": "act",
        "actor": None,
        "benchmark": None,
        "world": {
            "name": "ledger",
            "kind": "domain",
            "version": 1,
            "content_hash": "0" * 64,
            "seed": 0,
            "scale": 1.0,
            "start_changes": start,
            "snapshot": "0" * 64,
            **world,
        },
        "request": {
            "text": "Add three.",
            "persona": "",
            "facts": {},
            "intents": [],
            "user": user,
            "turns": [],
        },
        "tools": ["add"],
        "requirements": [],
        "solution": [{"tool": "add", "arguments": {"amount": 3}}],
        "goals": [],
        "answer": None,
        "certificate": None,
        "difficulty": {
            "calls": 1, "writes": 1, "reads": 0, "rule_chain": 0, "domains": 1, "transitions": 0,
        },
        "provenance": {"generator": "test", "version": "1", "seed": 0, "model": None},
        **(parts or {}),
    }  # fmt: skip
