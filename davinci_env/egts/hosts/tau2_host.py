"""Serves tau2-bench's airline, retail and telecom: the agent's tools, at the benchmark's own
databases.

Every seed stands at the same state, for the databases are the benchmark's; so are all records made
from them. The tools of the simulated user are not offered, but what the user's devices hold is part
of the state. This module's name must differ from the package's.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import random
import re
import sys
import types
import uuid
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

PATH = "DAVINCI_TAU2"
"""The variable with the folder of the package `tau2`; without it, the installed one serves."""
DATA = "TAU2_DATA_DIR"
"""The variable in which the package looks for its data."""


def make(name: str) -> Tau2:
    """The system of a domain, such as `airline`."""
    return Tau2(name, _bare_package())


@dataclass(frozen=True)
class Kept:
    """A state: both databases as JSON text, and where random numbers stand."""

    agent: str
    user: str
    chance: tuple[Any, ...]


class Tau2:
    """One domain, standing at one state."""

    benchmark = "tau2-bench"

    def __init__(self, name: str, package: Path) -> None:
        uuid.uuid4 = _drawn  # bills get ids by it
        self.domain: Any = importlib.import_module(f"tau2.domains.{name}.environment")
        self.environment: Any = self.domain.get_environment()
        self.call_class: Any = importlib.import_module("tau2.data_model.message").ToolCall
        self.context = str(self.environment.policy)
        self.version = _version(package)
        self.listing = [self._listed(tool) for tool in self.environment.get_tools()]
        self.reads = {tool["name"] for tool in self.listing if tool["read_only"]}
        self.now: Kept | None = None
        self.read: tuple[Kept, dict[str, Any]] | None = None
        random.seed(0)
        self.first = self.snapshot()

    def _listed(self, tool: Any) -> dict[str, Any]:
        function = tool.openai_schema["function"]
        kit = self.environment.tools
        return {
            "name": function["name"],
            "description": function["description"],
            "parameters": function["parameters"],
            "read_only": _only_reads(getattr(kit, function["name"])),
        }

    def tools(self) -> list[dict[str, Any]]:
        """The agent's tools, but for those that it would first have to discover."""
        return self.listing

    def open(self, seed: int) -> None:
        """Stand at the benchmark's databases, whatever the seed."""
        self.restore(self.first)

    def open_shipped(self, task: str) -> None:
        """Stand at the initial state of a task, which is that of all."""
        self.restore(self.first)

    def call(self, tool: str, arguments: dict[str, Any]) -> tuple[bool, Any]:
        """Call a tool; texts that only tell of a failure are failures."""
        if tool not in self.reads:
            self.now = None
        asked = self.call_class(id="1", name=tool, arguments=arguments, requestor="assistant")
        told = self.environment.get_response(asked)
        text = str(told.content)
        if told.error or text.startswith(("Error", "Invalid arguments:")):
            return False, text.removeprefix("Error: ")
        return True, json.loads(text) if text[:1] in ("{", "[") else text

    def state(self) -> dict[str, Any]:
        """Both databases."""
        kept = self.snapshot()
        if self.read is None or self.read[0] is not kept:
            self.read = kept, {"agent": json.loads(kept.agent), "user": json.loads(kept.user)}
        return self.read[1]

    def snapshot(self) -> Kept:
        """Keep the state; made once as long as tools only read."""
        if self.now is None:
            agent, user = (
                "null" if kit is None or kit.db is None else kit.db.model_dump_json()
                for kit in (self.environment.tools, self.environment.user_tools)
            )
            self.now = Kept(agent, user, random.getstate())
        return self.now

    def restore(self, kept: Kept) -> None:
        """Return to a kept state. Reading text is faster than copying objects."""
        if kept is self.now:
            return
        agent, user = self.environment.tools, self.environment.user_tools
        shared = user is not None and user.db is agent.db
        agent.db = type(agent.db).model_validate_json(kept.agent)
        if shared:
            user.db = agent.db
        elif user is not None and user.db is not None:
            user.db = type(user.db).model_validate_json(kept.user)
        random.setstate(kept.chance)
        self.now = kept

    # -- the benchmark's own tasks -----------------------------------------------------------------

    @cached_property
    def tasks(self) -> dict[str, Any]:
        """By id."""
        return {str(task.id): task for task in self.domain.get_tasks()}

    def about(self, what: Any) -> Any:
        """`"tasks"`; `{"truth": task}`; `{"judge": task, "calls": […], "output": text}`: the
        benchmark's own comparison of the present databases with those after its solution.
        """
        if what == "tasks":
            return list(self.tasks)
        actions = self.tasks[what.get("truth") or what["judge"]].evaluation_criteria.actions or []
        if "truth" in what:
            return {"calls": [[one.name, one.arguments] for one in actions], "output": ""}
        other: Any = self.domain.get_environment()
        for one in actions:
            with contextlib.suppress(Exception):  # as the benchmark does: it goes on
                other.make_tool_call(one.name, requestor=one.requestor, **one.arguments)
        ours = self.environment
        return (ours.get_db_hash(), ours.get_user_db_hash()) == (
            other.get_db_hash(),
            other.get_user_db_hash(),
        )


def _only_reads(tool: Any) -> bool | None:
    """What a tool is marked as. Older releases mark its kind alone."""
    mutates = getattr(tool, "__mutates_state__", None)
    if mutates is not None:
        return not mutates
    kind = getattr(tool, "__tool_type__", None)
    return None if kind is None else kind != "write"


def _drawn() -> uuid.UUID:
    """An id that depends on the state alone."""
    return uuid.UUID(int=random.getrandbits(128), version=4)


def _bare_package() -> Path:
    """Make `tau2` importable without what it imports itself: runners, agents, clients of models."""
    given = os.environ.get(PATH)
    spec = None if given else importlib.util.find_spec("tau2")
    found = given or next(iter((spec.submodule_search_locations if spec else None) or ()), None)
    if found is None:
        raise ImportError("the package tau2 is not installed")
    package = Path(found)
    bare = types.ModuleType("tau2")
    bare.__path__ = [str(package)]
    sys.modules["tau2"] = bare
    data = package.parents[1] / "data"  # of a checkout: src/tau2 beside data
    if package.parent.name == "src" and data.is_dir():
        os.environ.setdefault(DATA, str(data))
    return package


def _version(package: Path) -> str:
    """As the project file of a checkout or the metadata of an installed package has it."""
    try:
        project = (package.parents[1] / "pyproject.toml").read_text("utf-8")
    except OSError:
        project = ""
    found = re.search(r'^version\s*=\s*"([^"]+)"', project, re.MULTILINE)
    if found is not None:
        return found[1]
    named = sorted(package.parent.glob("*tau2-*.dist-info"))
    return named[0].name.removesuffix(".dist-info").rpartition("-")[2] if named else "unknown"
