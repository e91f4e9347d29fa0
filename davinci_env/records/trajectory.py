"""The trajectory: one agent's attempt at a task, step by step, with its verdict.

No time of day and no duration is recorded, so that equal runs give equal bytes.
"""

from typing import Final, Literal

from pydantic import Field

from davinci_env.records.base import Json, JsonObject, Model
from davinci_env.records.messages import ChatMessage, FunctionTool
from davinci_env.records.task import Kind, Origin, World

TRAJECTORY_SCHEMA: Final = "davinci/trajectory@1"


class AgentInfo(Model):
    """Who made the decisions."""

    name: str
    model: str | None = None
    parameters: JsonObject = Field(default_factory=dict)


class Step(Model):
    """One entry of the log."""

    index: int = Field(ge=0)
    by: Literal["agent", "user", "world"]
    type: Literal["call", "message", "event"]
    tool: str | None = None
    domain: str | None = None
    """The domain that a called tool comes from, where several are joined."""
    arguments: JsonObject | None = None
    result: Json = None
    error_code: str | None = None
    changes: tuple[Json, ...] = ()
    """Cells that the step changed."""
    state_hash: str | None = None
    """The state after the step."""
    violated: tuple[str, ...] = ()
    """The agent's own rules that the step broke."""
    event: JsonObject | None = None
    """What happened (asked, revealed, proposed, confirmed, declined, …) and to what."""


class Initial(Model):
    """Where the episode started."""

    snapshot: str
    hash: str


class Terminal(Model):
    """Where the episode ended."""

    hash: str
    diff: tuple[Json, ...]
    """Net change since the start, canonical, without volatile columns."""


class RequirementVerdict(Model):
    """How one requirement came out."""

    id: str
    passed: bool
    evidence: Json = None
    """Expected, found, rows."""


class Verdict(Model):
    """How the task came out: passed where every requirement passed."""

    passed: bool
    requirements: tuple[RequirementVerdict, ...]


class Trajectory(Model):
    """One attempt at a task, with everything needed to judge it again (`davinci/trajectory@1`)."""

    schema_id: Literal["davinci/trajectory@1"] = Field(default=TRAJECTORY_SCHEMA, alias="schema")
    id: str = Field(min_length=16)
    task_id: str
    source: Origin
    kind: Kind
    benchmark: str | None
    world: World
    agent: AgentInfo
    messages: tuple[ChatMessage, ...]
    tools: tuple[FunctionTool, ...]
    steps: tuple[Step, ...]
    initial: Initial
    terminal: Terminal
    verdict: Verdict
    usage: dict[str, int]
    """Counts, such as tokens of a model; never durations."""
    finish_reason: str
