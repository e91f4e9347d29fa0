"""Systems made in a test, of a few functions over a dictionary; and episodes explored in one."""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from davinci_env.egts.evidence import resolve, rows_of
from davinci_env.egts.experience import Experience
from davinci_env.egts.explorer import explore
from davinci_env.egts.lexicon import Lexicon, ToolWords
from davinci_env.egts.model import Aim, Exploration, OfRow, Seen, Stated
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


def carried_out(
    environment: SystemEnvironment,
    lexicon: Lexicon,
    facts: Mapping[str, Any],
    calls: Sequence[tuple[str, Mapping[str, Any]]],
    wishes: Sequence[Aim],
) -> Exploration:
    """An exploration made by hand: calls by their origins, and what it was after.

    A call that no wish is about is a means to the next one that is.
    """
    environment.reset()
    seen: list[Seen] = []

    def rows(step: int) -> list[Any]:
        return list(rows_of(lexicon.tools.get(seen[step].tool, ToolWords()), seen[step].result))

    for place, (tool, origins) in enumerate(calls):
        arguments = {
            name: resolve(origin, facts, lambda step: seen[step].result, rows)
            for name, origin in origins.items()
        }
        result = environment.call(tool, arguments)
        assert result.ok, (tool, arguments, result.message)
        after = [number for number, aim in enumerate(wishes) if aim.call >= place]
        seen.append(
            Seen(
                tool=tool,
                arguments=arguments,
                ok=True,
                result=result.content,
                origins=dict(origins),
                wish=after[0] if after else len(wishes),
                role="wish" if place in {aim.call for aim in wishes} else "means",
            )
        )
    outcome = environment.capture()
    return Exploration(
        system=environment.system.info.name, version="1", seed=environment.seed, episode=3,
        difficulty=1, benchmark=None, initial=environment.start_hash, terminal=outcome.state_hash,
        changes=tuple(outcome.diff), calls=tuple(seen), facts=dict(facts), wishes=tuple(wishes),
    )  # fmt: skip


def do(call: int, tool: str) -> Aim:
    """A change that a call makes."""
    return Aim(kind="do", tool=tool, call=call)


def of(step: int, field: str, **by: str) -> OfRow:
    """A field of the row that has stated labels."""
    return OfRow(step=step, by=by, field=field)


def fact(name: str) -> Stated:
    """What the user states."""
    return Stated(fact=name)
