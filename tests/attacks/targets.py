"""What an attack is made of: a task at its start, its golden steps, and everything in its record.

The attacker knows the record by heart, requirements, expected values and solution; the one thing it
may not do is the work. Users are not its own: they answer as their script says, so that nothing is
confirmed or revealed that was not asked for.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from davinci_env.agents import Action, ScriptedUser, View
from davinci_env.agents import Call as Calls
from davinci_env.agents import Say as Says
from davinci_env.certify.answers import say
from davinci_env.domain import Tool
from davinci_env.environment import DomainEnvironment, Event
from davinci_env.episodes.runner import play_task
from davinci_env.planning import Survey, wire_arguments
from davinci_env.records import Call, Requirement, RuleNamedCheck, Say, SlotsCheck, Task, Verdict
from davinci_env.verify import Verifier, at_start

Step = Call | Say | Callable[[View], Action]
"""A step of the solution's form, or one that depends on what was seen."""

Steps = Sequence[Step]
MAX_STEPS = 150


@dataclass(frozen=True)
class Slot:
    """One fact that an answer has to tell, with its right and wrong values in plain words."""

    turn: int
    cue: str
    type: str
    value: Any
    right: str
    wrong: tuple[str, ...]


class Target:
    """A task under attack. The environment stands at its start before and after each try."""

    def __init__(self, task: Task, environment: DomainEnvironment) -> None:
        self.task, self.environment = task, environment
        self.tools = environment.domain.tools
        self.verifier = Verifier(task, environment)
        self.rng = random.Random(task.id)
        self.steps: list[Step] = list(task.solution)
        self._start = environment.snapshot()

    # -- playing -----------------------------------------------------------------------------------

    def play(self, steps: Steps) -> Verdict:
        """Play steps against the task's user and judge them."""
        environment = self.environment
        environment.restore(self._start)
        agent = _Attacker(steps)
        play_task(self.task, environment, agent, ScriptedUser(self.task), max_steps=MAX_STEPS)
        return self.verifier.judge(environment)

    def outcome(self) -> tuple[Any, ...]:
        """What the last try came to, but for words: states at the checkpoints and broken rules."""
        captured = self.environment.capture()
        return (*self.verifier.hashes(self.environment), tuple(sorted(set(captured.violated))))

    @cached_property
    def golden(self) -> tuple[Any, ...]:
        """What the golden steps come to."""
        assert self.play(self.steps).passed, "the golden steps fail"
        return self.outcome()

    @cached_property
    def ends(self) -> list[int]:
        """The golden step that ends each turn: its final message."""
        self.play(self.steps)
        ends, step = [], -1
        for entry in self.environment.log:
            if isinstance(entry, Event):
                if entry.kind == "turn":
                    ends.append(step)
            elif getattr(entry, "role", "assistant") == "assistant":
                step += 1
        return [*ends, min(step, len(self.steps) - 1)]

    # -- the record --------------------------------------------------------------------------------

    @property
    def writes(self) -> list[int]:
        """The golden steps that change something: those of the goals, not a call to be refused."""
        goals = self.task.goals
        asked = {(c.tool, repr(dict(c.arguments))) for goal in goals for c in goal}
        return [
            i
            for i, s in enumerate(self.steps)
            if isinstance(s, Call) and (s.tool, repr(dict(s.arguments))) in asked
        ]

    def is_write(self, step: Step) -> bool:
        return isinstance(step, Call) and self.tools[step.tool].kind == "write"

    def needs_yes(self, step: Step) -> bool:
        return isinstance(step, Call) and self.tools[step.tool].confirmation is not None

    def turn_of(self, index: int) -> int:
        """The turn in which a golden step is taken."""
        return next(turn for turn, end in enumerate(self.ends) if index <= end)

    def rules(self) -> Iterator[tuple[Requirement, RuleNamedCheck]]:
        """The rules that have to be named."""
        for requirement in self.task.requirements:
            if isinstance(requirement.check, RuleNamedCheck):
                yield requirement, requirement.check

    def slots(self) -> Iterator[Slot]:
        """The facts that have to be told."""
        for requirement in self.task.requirements:
            if not isinstance(requirement.check, SlotsCheck):
                continue
            goal = self.verifier.goals[0][requirement.turn]
            for slot in requirement.check.slots:
                values = _typed(goal.values[slot.expected], slot.type)
                decoys = [] if slot.decoys is None else goal.values[slot.decoys]
                others = [v for v in _typed(decoys, slot.type) if v not in values]
                others += _near(slot.type, values[0], slot.choices)
                value = values if slot.type == "list" else values[0]
                told = [self.told(slot.type, v) for v in dict.fromkeys(others)]
                right = self.told(slot.type, value)
                wrong = tuple(t for t in dict.fromkeys(told) if t != right)
                yield Slot(requirement.turn, slot.cues[0], slot.type, value, right, wrong)

    def told(self, kind: str, value: Any) -> str:
        """A value in plain words."""
        if isinstance(value, list):
            return ", ".join(self.told("text", v) for v in value)
        return say(self.environment.domain, kind, value)

    # -- steps -------------------------------------------------------------------------------------

    def saying(self, turn: int, *texts: str) -> list[Step]:
        """The golden steps, but for a turn's final message."""
        end = self.ends[turn]
        said = [Say(say=text) for text in texts]
        return [*self.steps[:end], *said, *self.steps[end + 1 :]]

    def replacing(self, index: int, *steps: Step) -> list[Step]:
        """The golden steps with others in one's place."""
        return [*self.steps[:index], *steps, *self.steps[index + 1 :]]

    def before_end(self, *steps: Step) -> list[Step]:
        """The golden steps with others before the last message."""
        return [*self.steps[: self.ends[-1]], *steps, *self.steps[self.ends[-1] :]]

    def without(self, *indexes: int) -> list[Step]:
        return [s for i, s in enumerate(self.steps) if i not in indexes]

    def free_calls(self, tool: Tool, most: int = 40) -> list[Call]:
        """Legal calls of a tool by the actor, in the present state."""
        found = []
        for number, binding in enumerate(Survey(self.environment, self.rng).bindings(tool)):
            if number >= most:
                break
            if not binding.blocked:
                arguments = wire_arguments(tool, binding.values)
                found.append(Call(tool=tool.name, arguments=arguments))
        return found

    def at_rest(self) -> DomainEnvironment:
        """The environment at the task's start."""
        self.environment.restore(self._start)
        return self.environment


class _Attacker:
    """Plays steps; where they have run out, it says nothing more."""

    name = "attacker"

    def __init__(self, steps: Steps) -> None:
        self._steps = list(steps)

    def act(self, view: View) -> Action:
        if not self._steps:
            return Says("")
        step = self._steps.pop(0)
        if isinstance(step, Call):
            return Calls(step.tool, step.arguments)
        return Says(step.say) if isinstance(step, Say) else step(view)


def target(task: Task, environment: DomainEnvironment | None = None) -> Target:
    """Open a task to be attacked."""
    from davinci_env.domain import load

    return Target(task, environment or at_start(task, load(task.world.name)))


def _typed(rows: Sequence[tuple[Any, ...]], kind: str) -> list[Any]:
    from davinci_env.verify.spoken import _values

    return _values(list(rows), kind)


def _near(kind: str, value: Any, choices: Sequence[str]) -> list[Any]:
    """Wrong values of a type that no row needs to have."""
    from datetime import timedelta

    if kind in ("money", "number", "span"):
        return [value + 1, value + 3, value * 2 + 7]
    if kind in ("date", "datetime"):
        return [value + timedelta(days=1), value - timedelta(days=2), value + timedelta(days=31)]
    if kind == "yesno":
        return [not value]
    return [c for c in choices if c != value]
