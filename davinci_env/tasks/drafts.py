"""Drafts of tasks: a conversation scene by scene, and what it comes to as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ..domain import Row
from ..planning.goals import Step
from ..records import Call, Requirement, Say
from .words import Ask, Told, Wish

Turning = Literal["request", "wish", "correction", "push-back"]


@dataclass
class Scene:
    """One user turn: what is wanted, how it is solved, and what must hold when it ends.

    Attributes:
        points: what the message asks for, in words. Of a first turn they are made into a whole
            message when the story is told, unless its `sentences` are given; a later turn's message
            is `text`.
        steps: the writes that it leads to.
        facts: what the user knows, by name; `known` are those told only when asked.
        plan: the user's script in this turn.
        forms: what makes it more than a plain wish.
        attributes: by which the person identifies themselves.
        told: facts that the words tell; `needed` those that the solution comes to know.
        focus: the row that it was about.
        denied: the step that a rule forbade, with the rule's code.
        withheld: the step for which there is no tool.
        tools: names of tools that appear with this turn.
    """

    points: list[Wish | Ask] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    intents: list[dict[str, Any]] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    requirements: list[Requirement] = field(default_factory=list)
    solution: list[Call | Say] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    plan: list[dict[str, Any]] = field(default_factory=list)
    forms: set[str] = field(default_factory=set)
    attributes: tuple[str, ...] = ()
    told: list[Told] = field(default_factory=list)
    needed: list[Told] = field(default_factory=list)
    act: Turning = "request"
    text: str = ""
    focus: Row | None = None
    denied: tuple[Step, str] | None = None
    withheld: Step | None = None
    tools: tuple[str, ...] = ()
    answer: Any = None
    chain: int = 0
    lookalikes: int = 0


@dataclass
class Draft:
    """Everything of a task but its world, id and certificate."""

    kind: str
    text: str
    scenes: list[Scene]
    requirements: list[Requirement]
    style: dict[str, Any]
    persona: str
    hidden: tuple[str, ...] = ()
    pair: str | None = None

    @property
    def solution(self) -> list[Call | Say]:
        """The golden solution of all turns."""
        return [step for scene in self.scenes for step in scene.solution]

    @property
    def goal(self) -> list[Call]:
        """The writes of all turns, each with its turn."""
        return [
            Call(tool=step.tool.name, arguments=step.arguments, turn=turn)
            for turn, scene in enumerate(self.scenes)
            for step in scene.steps
        ]

    @property
    def plan(self) -> list[dict[str, Any]]:
        """The user's script of all turns."""
        return [
            {**item, "turn": turn} if turn and "always" not in item else item
            for turn, scene in enumerate(self.scenes)
            for item in scene.plan
        ]
