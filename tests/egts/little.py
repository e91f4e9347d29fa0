"""Systems made in a test, of a few functions over a dictionary; and episodes explored in one."""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from davinci_env.egts.experience import Experience
from davinci_env.egts.explorer import explore
from davinci_env.egts.lexicon import Lexicon
from davinci_env.egts.model import Exploration
from davinci_env.egts.systems import (
    Answer,
    SystemEnvironment,
    SystemFailure,
    SystemInfo,
    SystemTool,
)


@dataclass
class Tool:
    """A tool: what it does with the data, its parameters, which of them are optional."""

    do: Callable[..., Any]
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    optional: tuple[str, ...] = ()
    reads: bool = False


class Refused(Exception):
    """What a tool raises to refuse."""


class Little:
    """A system of such tools.

    Args:
        breaks: after so many calls it leaves its contract, and does so ever after.
    """

    def __init__(
        self, tools: Mapping[str, Tool], data: Mapping[str, Any], *, breaks: int | None = None
    ) -> None:
        self.info = SystemInfo("little", "little", "1", "Apache-2.0", "these tests")
        self._tools, self._first = tools, data
        self._breaks = breaks
        self.data: Any = None

    def open(self, seed: int) -> None:
        """Stand at the start."""
        self.data = copy.deepcopy(self._first)

    def tools(self) -> list[SystemTool]:
        """Its tools."""
        return [
            SystemTool(
                name,
                name,
                {
                    "type": "object",
                    "properties": {n: dict(schema) for n, schema in tool.parameters.items()},
                    "required": [n for n in tool.parameters if n not in tool.optional],
                    "additionalProperties": False,
                },
                tool.reads,
            )
            for name, tool in self._tools.items()
        ]

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool; a refused call changes nothing."""
        if self._breaks is not None:
            self._breaks -= 1
            if self._breaks < 0:
                raise SystemFailure("crash", "it broke")
        before = copy.deepcopy(self.data)
        try:
            return Answer(True, copy.deepcopy(self._tools[tool].do(self.data, **arguments)))
        except Refused as refused:
            self.data = before
            return Answer(False, error=str(refused))

    def state(self) -> Any:
        """All of it."""
        return copy.deepcopy(self.data)

    def snapshot(self) -> Any:
        """A copy."""
        return copy.deepcopy(self.data)

    def restore(self, kept: Any) -> None:
        """Bring a copy back."""
        self.data = copy.deepcopy(kept)

    def forget(self, kept: Any) -> None:
        """Nothing to free."""

    def close(self) -> None:
        """Nothing to stop."""


TEXT: dict[str, Any] = {"type": "string"}


def explored(
    environment: SystemEnvironment,
    lexicon: Lexicon,
    episodes: Sequence[int],
    *,
    seed: int = 1,
    known: Experience | None = None,
) -> tuple[list[Exploration], Experience]:
    """Episodes one after the other, each with what those before it learned."""
    experience = Experience() if known is None else known
    found: list[Exploration] = []
    for episode in episodes:
        exploration, learned = explore(environment, lexicon, experience, seed=seed, episode=episode)
        experience.add(learned)
        found.append(exploration)
    return found, experience
