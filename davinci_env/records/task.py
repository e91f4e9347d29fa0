"""The task: a request in a world, what must hold afterwards, and the proof that this can be judged.

Nothing here is run: the models say what a task is, `davinci_env.verify` what it means.
"""

from collections.abc import Sequence
from typing import Final, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from davinci_env.records.base import Json, JsonObject, Model, content_id
from davinci_env.records.checks import Call, Requirement

TASK_SCHEMA: Final = "davinci/task@1"

#: Which pipeline a task comes from.
Origin: TypeAlias = Literal["ees-single", "ees-cross", "egts"]

#: What a task asks of the agent.
Kind: TypeAlias = Literal["act", "ask", "act+ask", "deny", "clarify", "handoff", "missing-tool"]


#: Goal forms, then what happens in the conversation (see docs/records.md).
Form: TypeAlias = Literal[
    "selection",
    "fallback",
    "aggregate",
    "undo",
    "batch",
    "transfer",
    "joint",
    "cross-chain",
    "change-of-mind",
    "chain",
    "dependent",
    "further-wish",
    "correction",
    "decline",
    "reply",
    "push-back",
    "typo",
]


class World(Model):
    """The world that a task starts in, named exactly enough to be built again."""

    name: str
    kind: Literal["domain", "composition", "system"]
    version: int | str
    content_hash: str
    """Of the domain's or composition's source."""
    seed: int
    scale: float
    start_changes: Json
    """What leads from `build(seed, scale)` to the start, with clock and counters; null: nothing."""
    snapshot: str
    """SHA-256 of the start state."""


def _empty(value: Sequence[object]) -> bool:
    """Whether a list is left out of the record."""
    return not value


class User(Model):
    """The script of the simulated user."""

    known: tuple[str, ...] = ()
    """Names of facts that the user tells when asked."""
    unknown: tuple[str, ...] = ()
    """Names of facts that the user cannot tell."""
    plan: tuple[JsonObject, ...] = ()
    """What the user does, in order: further wishes, corrections, reactions."""
    style: JsonObject = Field(default_factory=dict)
    """Manner of speaking, channel, patience."""


class UserTurn(Model):
    """One thing the user says of their own accord."""

    text: str
    checkpoint: bool
    """Whether requirements are judged just before the next turn, or at the end."""
    act: Literal["request", "wish", "correction", "push-back"] = Field(
        default="request", exclude_if=lambda act: act == "request"
    )
    """What the user does: the request itself, a further wish, a correction of what was done, a
    protest."""
    intents: tuple[JsonObject, ...] = Field(default=(), exclude_if=_empty)
    """What a later turn asks for, structured (the first turn's are the request's)."""
    tools: tuple[str, ...] = Field(default=(), exclude_if=_empty)
    """Names of tools that the agent sees from this turn on, besides those of before."""


class Request(Model):
    """What the user wants, and who the user is."""

    text: str
    """The first message."""
    persona: str
    facts: JsonObject
    """Everything the user knows of the world, by name."""
    intents: tuple[JsonObject, ...]
    """What the text asks for, structured."""
    user: User
    turns: tuple[UserTurn, ...]


class Say(Model):
    """A message of the agent, as a step of the golden solution."""

    say: str


class Difficulty(Model):
    """How much a task takes, counted on its golden solution."""

    calls: int = Field(ge=0)
    writes: int = Field(ge=0)
    reads: int = Field(ge=0)
    rule_chain: int = Field(ge=0)
    """Operations that had to come first to lift a block."""
    domains: int = Field(ge=0)
    transitions: int = Field(ge=0)
    """Changes from one domain to another between successive calls."""
    turns: int = Field(default=1, ge=1)
    """User turns."""
    lookalikes: int = Field(default=0, ge=0)
    """Other rows of the actor's that a careless reader could take for a target."""


class Provenance(Model):
    """What made a record."""

    generator: str
    version: str
    seed: int
    model: str | None = None
    """The language model that took part; null: none."""


class Task(Model):
    """A request with executable requirements, golden solution, certificate (`davinci/task@1`)."""

    schema_id: Literal["davinci/task@1"] = Field(default=TASK_SCHEMA, alias="schema")
    id: str = Field(min_length=16)
    """Hash of what the task asks: see `task_id`."""
    source: Origin
    kind: Kind
    forms: tuple[Form, ...] = ()
    """What makes the goal, or the conversation, more than a plain wish."""
    actor: str | None
    """Primary key of the person in the world whom the user plays; null where there is none."""
    benchmark: str | None
    """The benchmark that the system or state comes from: such records are not for training."""
    world: World
    request: Request
    tools: tuple[str, ...]
    """Names of the tools that the agent sees."""
    requirements: tuple[Requirement, ...]
    solution: tuple[Call | Say, ...]
    """The golden solution."""
    goals: tuple[tuple[Call, ...], ...]
    """The accepted alternatives, each as the writes that bring it about."""
    answer: Json
    """The facts of the golden answer; null where nothing is asked."""
    certificate: JsonObject | None
    """What was shown about the verifier; null: not certified."""
    difficulty: Difficulty
    provenance: Provenance

    @model_validator(mode="after")
    def _requirement_ids_differ(self) -> Self:
        """Refuse two requirements of one id: a verdict could not tell them apart."""
        ids = [requirement.id for requirement in self.requirements]
        if len(set(ids)) < len(ids):
            twice = next(name for name in ids if ids.count(name) > 1)
            raise ValueError(f"two requirements have the id {twice!r}")
        return self

    @property
    def asked_id(self) -> str:
        """The id that the task's content has; with another `id`, somebody edited the record."""
        return task_id(
            world=self.world,
            actor=self.actor,
            kind=self.kind,
            request=self.request,
            requirements=self.requirements,
            goals=self.goals,
        )


def task_id(
    *,
    world: World,
    actor: str | None,
    kind: Kind,
    request: Request,
    requirements: Sequence[Requirement],
    goals: Sequence[Sequence[Call]],
) -> str:
    """Name a task by what it asks: 32 hex digits.

    Certificate, solution, difficulty and provenance stay out, so that a task keeps its id when its
    proof is made again. So do `start_changes` but for the clock, because `snapshot` says where they
    lead.
    """
    return content_id(
        {
            "world": _world_asked(world),
            "actor": actor,
            "kind": kind,
            "request": request.model_dump(),
            "requirements": [requirement.model_dump() for requirement in requirements],
            "goals": [[call.model_dump() for call in goal] for goal in goals],
        }
    )


def _world_asked(world: World) -> JsonObject:
    """What of a world makes the task another: its start by name and hash, and the time there."""
    asked = world.model_dump(exclude={"start_changes"})
    if isinstance(world.start_changes, dict):
        asked["now"] = world.start_changes.get("now")
    return asked
